//! The compiled model: constant data of one simulation, laid out as the reference lays it out.

use crate::array::{Element, Shape};
use crate::fields::extent;
use crate::fields::model::model_fields;
use crate::flex_model::FlexModel;
use crate::limits::bytes_of_array;
use crate::option::{Options, Statistic, Visual};
use crate::parts::Parts;
pub use crate::sizes::{FieldInfo, Sizes};
use crate::storage::Shared;

/// What an array of a model is for, beyond its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelRole {
    /// Name of the array.
    pub name: &'static str,
    /// May the numbers differ from world to world? Arrays that define the structure (ids, kinds, assets) may not.
    pub per_world: bool,
    /// Arrays it is computed from: when one of them changes, `set_const` (or the compiler, for bounds of geoms) has to
    /// compute it again.
    pub derived_from: &'static [&'static str],
    /// What its integers refer to.
    pub reference: Option<Reference>,
}

/// What the integers of an array refer to; sizes and arrays by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// Numbers of objects.
    Id {
        /// 0, or -1 where there may be none.
        lowest: i32,
        /// The size that all are below.
        below: &'static str,
    },
    /// First entries of sections.
    Section {
        /// The array that has their lengths.
        length: &'static str,
        /// How many entries there are in all: a size.
        within: &'static str,
    },
}

/// One constructor for each flag of the table.
impl ModelRole {
    const fn of(name: &'static str) -> Self {
        Self { name, per_world: false, derived_from: &[], reference: None }
    }

    const fn world(self, _: &'static [&'static str]) -> Self {
        Self { per_world: true, ..self }
    }

    const fn derived(self, from: &'static [&'static str]) -> Self {
        Self { derived_from: from, ..self }
    }

    const fn id(self, below: &'static [&'static str]) -> Self {
        Self { reference: Some(Reference::Id { lowest: 0, below: below[0] }), ..self }
    }

    const fn optional(self, below: &'static [&'static str]) -> Self {
        Self { reference: Some(Reference::Id { lowest: -1, below: below[0] }), ..self }
    }

    const fn section(self, parts: &'static [&'static str]) -> Self {
        Self { reference: Some(Reference::Section { length: parts[0], within: parts[1] }), ..self }
    }
}

macro_rules! emit_model {
    ($($name:ident : $ty:ty [$($dim:ident $(* $k:literal)?),+] $doc:literal $(, $flag:ident $(($($arg:ident),+))?)*;)+) => {
        /// A compiled model. Immutable once it simulates: share it as `Arc<Model>`.
        ///
        /// Sizes are reached through `Deref` (`model.nv`), arrays are slices named as in the reference. A clone shares
        /// the arrays until one side writes: it costs a few kilobytes, and one changed array costs that array.
        #[derive(Clone, PartialEq)]
        pub struct Model {
            sizes: Sizes,
            /// Physics options.
            pub opt: Options,
            /// Visualisation options.
            pub vis: Visual,
            /// Model statistics.
            pub stat: Statistic,
            $(#[doc = $doc] pub $name: Shared<$ty>,)+
            /// Fingerprint of the specification it was compiled from.
            pub signature: u64,
            /// Materials of flexes beyond MuJoCo's; may be shorter than the number of flexes.
            pub(crate) flex_models: Vec<FlexModel>,
            /// What computes forces and constraints in MuJoCo's place.
            pub parts: Parts,
        }

        impl Model {
            /// A model of the given sizes with every array zeroed.
            pub fn allocate(sizes: Sizes) -> Self {
                Self {
                    opt: Options::default(), vis: Visual::default(), stat: Statistic::default(),
                    $($name: Shared::filled(<$ty as Element>::ZERO, 1 $(* extent!(sizes, $dim $(, $k)?))+),)+
                    signature: 0,
                    flex_models: Vec::new(),
                    parts: Parts::default(),
                    sizes,
                }
            }

            /// Bytes of all arrays.
            pub(crate) fn bytes_of(sizes: &Sizes) -> u64 {
                let arrays = [$(bytes_of_array::<$ty>(&[$(extent!(sizes, $dim $(, $k)?)),+]),)+];
                arrays.into_iter().fold(0, u64::saturating_add)
            }

            /// A copy that shares no array with this model.
            #[must_use]
            pub fn detached(&self) -> Self {
                let mut copy = self.clone();
                $(copy.$name.make_unique();)+
                copy
            }

            /// Gives every array memory of its own for good, so that views of it from outside stay valid: copies of
            /// this model share nothing with it.
            pub fn pin(&mut self) {
                $(self.$name.pin();)+
            }

            /// What each array is for, in the order of [`Model::FIELDS`].
            pub const ROLES: &'static [ModelRole] = &[
                $(ModelRole::of(stringify!($name))$(.$flag(&[$($(stringify!($arg)),+)?]))*,)+
            ];

            /// All array fields, in the order of the table.
            pub const FIELDS: &'static [FieldInfo<Model>] = &[$(FieldInfo {
                name: stringify!($name),
                doc: $doc,
                extents: &[$(concat!(stringify!($dim) $(, "*", stringify!($k))?),)+],
                shape: |sizes| {
                    let shape = Shape::default()$(.with(extent!(sizes, $dim $(, $k)?)))+;
                    match <$ty as Element>::INNER { Some(n) => shape.with(n), None => shape }
                },
                get: |m| <$ty as Element>::flat(&m.$name),
                get_mut: |m| <$ty as Element>::flat_mut(&mut m.$name),
            },)+];
        }
    };
}
model_fields!(emit_model);

impl Model {
    /// The sizes the arrays were allocated from.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Sets the number of bodies with gravity compensation, the one size that follows from array contents.
    pub fn set_gravcomp_count(&mut self, count: usize) {
        self.sizes.ngravcomp = count;
    }

    /// What a flex has beyond MuJoCo's arrays; nothing when it has no more.
    #[inline]
    pub fn flex_model(&self, flex: usize) -> Option<&FlexModel> {
        self.flex_models.get(flex)
    }

    /// What a flex has beyond MuJoCo's arrays, to be changed.
    pub fn flex_model_mut(&mut self, flex: usize) -> &mut FlexModel {
        if self.flex_models.len() <= flex {
            self.flex_models.resize(flex + 1, FlexModel::default());
        }
        &mut self.flex_models[flex]
    }

    /// What an array is for, by name.
    pub fn role(name: &str) -> Option<&'static ModelRole> {
        Self::ROLES.iter().find(|role| role.name == name)
    }

    /// Arrays that have to be computed again when this one changes, also those that follow from others of them.
    ///
    /// ```
    /// # use ligament_model::Model;
    /// assert!(Model::derived_from("body_mass").contains(&"body_subtreemass"));
    /// assert!(Model::derived_from("geom_friction").is_empty());
    /// ```
    pub fn derived_from(name: &str) -> Vec<&'static str> {
        let mut found: Vec<&'static str> = Vec::new();
        loop {
            let follows = |role: &&ModelRole| {
                !found.contains(&role.name)
                    && role.derived_from.iter().any(|&from| from == name || found.contains(&from))
            };
            match Self::ROLES.iter().find(follows) {
                Some(role) => found.push(role.name),
                None => return found,
            }
        }
    }

    /// Reflection of one field by name.
    pub fn field(name: &str) -> Option<&'static FieldInfo<Model>> {
        Self::FIELDS.iter().find(|f| f.name == name)
    }
}

impl std::ops::Deref for Model {
    type Target = Sizes;
    #[inline]
    fn deref(&self) -> &Sizes {
        &self.sizes
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("sizes", &self.sizes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_name_fields_and_sizes_that_exist() {
        let sizes = Sizes::default();
        for role in Model::ROLES {
            for from in role.derived_from {
                assert!(Model::field(from).is_some() && *from != role.name, "{} of {}", from, role.name);
            }
            match role.reference {
                Some(Reference::Id { below, .. }) => assert!(sizes.get(below).is_some(), "{}", role.name),
                Some(Reference::Section { length, within }) => {
                    assert!(Model::field(length).is_some() && sizes.get(within).is_some(), "{}", role.name);
                }
                None => {}
            }
        }
        assert!(Model::ROLES.iter().zip(Model::FIELDS).all(|(role, field)| role.name == field.name));
    }
}
