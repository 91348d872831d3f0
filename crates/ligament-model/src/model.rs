//! The compiled model: constant data of one simulation, laid out as the reference lays it out.

use crate::array::{ArrayMut, ArrayRef, Element, Shape};
use crate::fields::extent;
use crate::fields::model::{model_fields, model_sizes};
use crate::flex_model::{FlexBendingType, FlexElasticityType, FlexModel};
use crate::option::{Options, Statistic, Visual};
use crate::storage::Shared;

macro_rules! emit_sizes {
    ($($name:ident : $ty:ty, $doc:literal;)+) => {
        /// How many of everything a model has; what its arrays are allocated from.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct Sizes { $(#[doc = $doc] pub $name: $ty,)+ }

        impl Sizes {
            /// Names of all sizes, in the order of the table.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)+];

            /// Descriptions of all sizes, in the same order.
            pub const DOCS: &'static [&'static str] = &[$($doc,)+];

            /// The value of a size by name; legacy limits may be -1.
            pub fn get(&self, name: &str) -> Option<i64> {
                match name { $(stringify!($name) => i64::try_from(self.$name).ok(),)+ _ => None }
            }

            /// Sets a size by name; false when there is no such size or the value is out of its range.
            pub fn set(&mut self, name: &str, value: i64) -> bool {
                match name {
                    $(stringify!($name) => match <$ty>::try_from(value) {
                        Ok(value) => { self.$name = value; true }
                        Err(_) => false,
                    },)+
                    _ => false,
                }
            }
        }
    };
}
model_sizes!(emit_sizes);

/// What is known about a field without looking at its memory.
#[derive(Clone, Copy)]
pub struct FieldInfo<T: 'static> {
    pub name: &'static str,
    pub doc: &'static str,
    /// Names of the sizes its axes have, without the trailing axis of vector-valued elements.
    pub extents: &'static [&'static str],
    /// Shape for a model of these sizes, including the trailing axis of vector-valued elements.
    pub shape: fn(&Sizes) -> Shape,
    pub get: fn(&T) -> ArrayRef<'_>,
    pub get_mut: fn(&mut T) -> ArrayMut<'_>,
}

macro_rules! emit_model {
    ($($name:ident : $ty:ty [$($dim:ident $(* $k:literal)?),+] $doc:literal;)+) => {
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
        }

        impl Model {
            /// A model of the given sizes with every array zeroed.
            pub fn allocate(sizes: Sizes) -> Self {
                Self {
                    opt: Options::default(), vis: Visual::default(), stat: Statistic::default(),
                    $($name: Shared::filled(<$ty as Element>::ZERO, 1 $(* extent!(sizes, $dim $(, $k)?))+),)+
                    signature: 0,
                    flex_models: Vec::new(),
                    sizes,
                }
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

    /// How a flex resists bending.
    pub fn flex_bending_model(&self, flex: usize) -> FlexBendingType {
        match self.flex_model(flex).and_then(|x| x.bending.as_ref()) {
            None => FlexBendingType::Cotangent,
            Some(_) => FlexBendingType::Bridson,
        }
    }

    /// How a flex resists stretching.
    pub fn flex_elasticity_model(&self, flex: usize) -> FlexElasticityType {
        match self.flex_model(flex).and_then(|x| x.elasticity.as_ref()) {
            None => FlexElasticityType::Linear,
            Some(_) => FlexElasticityType::NeoHookean,
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
