//! The macro behind [`crate::enums`]: one list gives the Rust enum and its reflection.

/// Name and members of an enumeration, for Python and for messages.
#[derive(Debug, Clone, Copy)]
pub struct EnumInfo {
    /// Name in the reference, such as `mjtGeom`.
    pub name: &'static str,
    /// Members with their numbers, such as `("mjGEOM_PLANE", 0)`.
    pub members: &'static [(&'static str, i32)],
    /// Counts that the reference keeps beside the members, such as `("mjNGEOMTYPES", 9)`.
    pub counts: &'static [(&'static str, i32)],
}

macro_rules! mj_enum {
    ($rust:ident $mj:literal { $($variant:ident = $value:literal $name:literal,)+ }
     $(aliases { $($count:literal $count_name:literal,)+ })?) => {
        #[doc = concat!("`", $mj, "`")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(i32)]
        pub enum $rust { $(#[doc = concat!("`", $name, "`")] $variant = $value,)+ }

        impl $rust {
            /// Reflection: the names of the reference.
            pub const INFO: $crate::enum_table::EnumInfo = $crate::enum_table::EnumInfo {
                name: $mj,
                members: &[$(($name, $value),)+],
                counts: &[$($(($count_name, $count),)+)?],
            };
        }

        impl TryFrom<i32> for $rust {
            type Error = i32;
            #[inline]
            fn try_from(value: i32) -> Result<Self, i32> {
                match value { $($value => Ok(Self::$variant),)+ other => Err(other) }
            }
        }

        impl From<$rust> for i32 {
            #[inline]
            fn from(value: $rust) -> i32 { value as i32 }
        }
    };
}
pub(crate) use mj_enum;
