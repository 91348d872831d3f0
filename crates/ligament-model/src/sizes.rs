//! How many of everything a model has, and what is known of a field that depends on it.

use crate::array::{ArrayMut, ArrayRef, Shape};
use crate::fields::model::model_sizes;

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
    /// Name of the field.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Names of the sizes its axes have, without the trailing axis of vector-valued elements.
    pub extents: &'static [&'static str],
    /// Shape for a model of these sizes, including the trailing axis of vector-valued elements.
    pub shape: fn(&Sizes) -> Shape,
    /// Read access.
    pub get: fn(&T) -> ArrayRef<'_>,
    /// Write access.
    pub get_mut: fn(&mut T) -> ArrayMut<'_>,
}
