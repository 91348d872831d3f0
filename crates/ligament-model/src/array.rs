//! Typed views of field memory: what Python, files and comparisons see of a field.

/// Shape of a field: at most three axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shape {
    dims: [usize; 3],
    ndim: usize,
}

impl Shape {
    /// Appends an axis.
    #[must_use]
    pub fn with(mut self, extent: usize) -> Self {
        self.dims[self.ndim] = extent;
        self.ndim += 1;
        self
    }

    /// The extents, outermost first.
    pub fn dims(&self) -> &[usize] {
        &self.dims[..self.ndim]
    }
}

/// Scalars that fields are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the types
pub enum ScalarType {
    F64,
    F32,
    I32,
    I64,
    U64,
    U8,
}

impl ScalarType {
    /// The name of the type in NumPy.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "float64",
            Self::F32 => "float32",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::U64 => "uint64",
            Self::U8 => "uint8",
        }
    }
}

/// Read access to the flat memory of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // the names are those of the types
pub enum ArrayRef<'a> {
    F64(&'a [f64]),
    F32(&'a [f32]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U64(&'a [u64]),
    U8(&'a [u8]),
}

/// Write access to the flat memory of a field.
#[derive(Debug)]
#[allow(missing_docs)] // the names are those of the types
pub enum ArrayMut<'a> {
    F64(&'a mut [f64]),
    F32(&'a mut [f32]),
    I32(&'a mut [i32]),
    I64(&'a mut [i64]),
    U64(&'a mut [u64]),
    U8(&'a mut [u8]),
}

impl ArrayRef<'_> {
    /// Number of scalars.
    pub fn len(&self) -> usize {
        match self {
            Self::F64(x) => x.len(),
            Self::F32(x) => x.len(),
            Self::I32(x) => x.len(),
            Self::I64(x) => x.len(),
            Self::U64(x) => x.len(),
            Self::U8(x) => x.len(),
        }
    }

    /// True when the field has no elements in this model.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Scalar type of the memory.
    pub fn scalar(&self) -> ScalarType {
        match self {
            Self::F64(_) => ScalarType::F64,
            Self::F32(_) => ScalarType::F32,
            Self::I32(_) => ScalarType::I32,
            Self::I64(_) => ScalarType::I64,
            Self::U64(_) => ScalarType::U64,
            Self::U8(_) => ScalarType::U8,
        }
    }
}

/// An element of a field: a scalar or a short array of scalars.
pub trait Element: Copy + PartialEq + 'static {
    /// All zeros.
    const ZERO: Self;
    /// Extent of the trailing axis; `None` for a scalar.
    const INNER: Option<usize>;
    /// The flat memory of a slice of elements.
    fn flat(slice: &[Self]) -> ArrayRef<'_>;
    /// The flat memory of a slice of elements, writable.
    fn flat_mut(slice: &mut [Self]) -> ArrayMut<'_>;
}

macro_rules! scalar_element {
    ($($ty:ty, $zero:literal, $variant:ident;)+) => { $(
        impl Element for $ty {
            const ZERO: Self = $zero;
            const INNER: Option<usize> = None;
            fn flat(slice: &[Self]) -> ArrayRef<'_> { ArrayRef::$variant(slice) }
            fn flat_mut(slice: &mut [Self]) -> ArrayMut<'_> { ArrayMut::$variant(slice) }
        }
        impl<const N: usize> Element for [$ty; N] {
            const ZERO: Self = [$zero; N];
            const INNER: Option<usize> = Some(N);
            fn flat(slice: &[Self]) -> ArrayRef<'_> { ArrayRef::$variant(slice.as_flattened()) }
            fn flat_mut(slice: &mut [Self]) -> ArrayMut<'_> { ArrayMut::$variant(slice.as_flattened_mut()) }
        }
    )+ };
}
scalar_element! { f64, 0.0, F64; f32, 0.0, F32; i32, 0, I32; i64, 0, I64; u64, 0, U64; u8, 0, U8; }
