//! Records whose fields are listed once: a struct, its defaults, and what Python sees of it.

use ligament_model::array::{ArrayMut, Element, Shape};

/// One field of a record, for shells that look fields up by name.
pub struct Field<T> {
    /// Its name in the reference.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// The bytes are a zero-terminated text.
    pub text: bool,
    /// Its memory and shape; a single number has an empty shape.
    pub part: fn(&mut T) -> (ArrayMut<'_>, Shape),
}

/// What a field of a record can be.
pub trait Part {
    /// Whether it is a text.
    const TEXT: bool = false;
    /// Its numbers and their shape.
    fn part(&mut self) -> (ArrayMut<'_>, Shape);
}

macro_rules! parts {
    ($($ty:ty),+) => { $(
        impl Part for $ty {
            fn part(&mut self) -> (ArrayMut<'_>, Shape) {
                (<$ty>::flat_mut(std::slice::from_mut(self)), Shape::default())
            }
        }
        impl<const N: usize> Part for [$ty; N] {
            fn part(&mut self) -> (ArrayMut<'_>, Shape) {
                (<$ty>::flat_mut(self), Shape::default().with(N))
            }
        }
        impl<const N: usize, const M: usize> Part for [[$ty; N]; M] {
            fn part(&mut self) -> (ArrayMut<'_>, Shape) {
                (<$ty>::flat_mut(self.as_flattened_mut()), Shape::default().with(M).with(N))
            }
        }
        impl Part for Vec<$ty> {
            fn part(&mut self) -> (ArrayMut<'_>, Shape) {
                let length = self.len();
                (<$ty>::flat_mut(self), Shape::default().with(length))
            }
        }
        impl<const N: usize> Part for Vec<[$ty; N]> {
            fn part(&mut self) -> (ArrayMut<'_>, Shape) {
                let length = self.len();
                (<$ty>::flat_mut(self.as_flattened_mut()), Shape::default().with(length).with(N))
            }
        }
    )+ };
}
parts!(f64, f32, i32, u8);

/// A text of bounded length, ended by a zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Text<const N: usize>([u8; N]);

impl<const N: usize> Text<N> {
    /// No text.
    pub const EMPTY: Self = Self([0; N]);

    /// As much of the text as fits.
    pub fn new(text: &str) -> Self {
        let mut bytes = [0; N];
        let length = text.len().min(N - 1);
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        Self(bytes)
    }

    /// The bytes before the first zero.
    pub fn bytes(&self) -> &[u8] {
        self.0.split(|&b| b == 0).next().unwrap_or(&[])
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0[0] == 0
    }
}

impl<const N: usize> std::fmt::Display for Text<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.bytes()))
    }
}

impl<const N: usize> std::fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl<const N: usize> Part for Text<N> {
    const TEXT: bool = true;
    fn part(&mut self) -> (ArrayMut<'_>, Shape) {
        (u8::flat_mut(&mut self.0), Shape::default().with(N))
    }
}

/// A table of fields, `name: type = default, "doc";`, becomes a struct with defaults and reflection. A name in
/// brackets is the reference's, where ours differs; `as [3, 3]` is the shape that Python sees. Fields under `beside`
/// are not reflected.
macro_rules! record {
    (@name $name:ident) => { stringify!($name) };
    (@name $name:ident $python:literal) => { $python };
    (@part $part:expr) => { $part };
    (@part $part:expr, $($extent:literal)+) => { ($part.0, ligament_model::array::Shape::default()$(.with($extent))+) };
    (
        $(#[$meta:meta])*
        $rust:ident {
            $($name:ident $([$python:literal])? : $ty:ty $(as [$($extent:literal),+])? = $default:expr, $doc:literal;)+
        }
        $(beside { $($other:ident : $other_ty:ty = $other_default:expr, $other_doc:literal;)+ })?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $rust {
            $(#[doc = $doc] pub $name: $ty,)+
            $($(#[doc = $other_doc] pub $other: $other_ty,)+)?
        }

        impl Default for $rust {
            fn default() -> Self {
                Self { $($name: $default,)+ $($($other: $other_default,)+)? }
            }
        }

        impl $rust {
            /// Every field by name.
            pub const FIELDS: &'static [$crate::table::Field<$rust>] = &[$($crate::table::Field {
                name: $crate::table::record!(@name $name $($python)?),
                doc: $doc,
                text: <$ty as $crate::table::Part>::TEXT,
                part: |record| {
                    let part = $crate::table::Part::part(&mut record.$name);
                    $crate::table::record!(@part part $(, $($extent)+)?)
                },
            },)+];
        }
    };
}
pub(crate) use record;
