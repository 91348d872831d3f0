//! Arrays with one row per world.
//!
//! The rows of a table lie one after the other and never move, so that views of it (NumPy, PyTorch) stay valid. In a
//! call, each row is read and written by the one thread that runs its world.
#![allow(unsafe_code)] // rows of one array are lent to different threads

use crate::error::BatchError;
use ligament_model::array::{ArrayMut, ArrayRef, ScalarType};
use std::cell::UnsafeCell;
use std::ops::Range;

/// One row of `width` values per world.
pub struct Table<T> {
    cells: Box<[UnsafeCell<T>]>,
    width: usize,
}

// SAFETY: shared access to a table reads it, except through `row_mut`, whose callers promise to keep to themselves.
unsafe impl<T: Send + Sync> Sync for Table<T> {}

impl<T: Clone> Table<T> {
    /// `rows` copies of a row; or that there is no memory for them.
    pub fn repeat(rows: usize, row: &[T]) -> Result<Self, BatchError> {
        let mut cells = room(rows, row.len())?;
        cells.extend((0..rows).flat_map(|_| row.iter().cloned().map(UnsafeCell::new)));
        Ok(Self { cells: cells.into(), width: row.len() })
    }

    /// Rows that hold one value everywhere; or that there is no memory for them.
    pub fn filled(rows: usize, width: usize, value: &T) -> Result<Self, BatchError> {
        let mut cells = room(rows, width)?;
        cells.extend((0..rows * width).map(|_| UnsafeCell::new(value.clone())));
        Ok(Self { cells: cells.into(), width })
    }
}

/// Memory for a table.
pub fn room<T>(rows: usize, width: usize) -> Result<Vec<UnsafeCell<T>>, BatchError> {
    let mut cells = Vec::new();
    let full = BatchError::Memory { rows, bytes: width.saturating_mul(size_of::<T>()) };
    let count = rows.checked_mul(width).ok_or_else(|| full.clone())?;
    cells.try_reserve_exact(count).map_err(|_| full)?;
    Ok(cells)
}

impl<T> Table<T> {
    /// Values per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All values, row after row.
    pub fn values(&self) -> &[T] {
        // SAFETY: `UnsafeCell<T>` has the layout of `T`; rows lent by `row_mut` are not looked at (see there).
        unsafe { std::slice::from_raw_parts(self.cells.as_ptr().cast(), self.cells.len()) }
    }

    /// All values, row after row, to be written.
    pub fn values_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `values`; the table is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.cells.as_mut_ptr().cast(), self.cells.len()) }
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[T] {
        let cells = &self.cells[row * self.width..(row + 1) * self.width];
        // SAFETY: as in `values`.
        unsafe { std::slice::from_raw_parts(cells.as_ptr().cast(), cells.len()) }
    }

    /// One row, to be written while other threads write other rows.
    ///
    /// # Safety
    /// While the result lives, nobody else may read or write this row.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn row_mut(&self, row: usize) -> &mut [T] {
        // SAFETY: promised by the caller.
        unsafe { self.columns_mut(row, 0..self.width) }
    }

    /// Some columns of a row, to be written while others read or write other columns.
    ///
    /// # Safety
    /// While the result lives, nobody else may read or write these columns of the row.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn columns_mut(&self, row: usize, columns: Range<usize>) -> &mut [T] {
        let cells = &self.cells[row * self.width..(row + 1) * self.width][columns];
        // SAFETY: the cells may be written through a shared reference, and the caller keeps others away.
        unsafe { std::slice::from_raw_parts_mut(cells.as_ptr().cast_mut().cast(), cells.len()) }
    }
}

/// A table of any of the scalars that fields are made of.
#[allow(missing_docs)] // named after their numbers
pub enum AnyTable {
    F64(Table<f64>),
    F32(Table<f32>),
    I32(Table<i32>),
    I64(Table<i64>),
    U64(Table<u64>),
    U8(Table<u8>),
}

macro_rules! each_table {
    ($any:expr, $table:ident => $result:expr) => {
        match $any {
            AnyTable::F64($table) => $result,
            AnyTable::F32($table) => $result,
            AnyTable::I32($table) => $result,
            AnyTable::I64($table) => $result,
            AnyTable::U64($table) => $result,
            AnyTable::U8($table) => $result,
        }
    };
}

impl AnyTable {
    /// `rows` copies of a row.
    pub fn repeat(rows: usize, row: ArrayRef<'_>) -> Result<Self, BatchError> {
        Ok(match row {
            ArrayRef::F64(x) => Self::F64(Table::repeat(rows, x)?),
            ArrayRef::F32(x) => Self::F32(Table::repeat(rows, x)?),
            ArrayRef::I32(x) => Self::I32(Table::repeat(rows, x)?),
            ArrayRef::I64(x) => Self::I64(Table::repeat(rows, x)?),
            ArrayRef::U64(x) => Self::U64(Table::repeat(rows, x)?),
            ArrayRef::U8(x) => Self::U8(Table::repeat(rows, x)?),
        })
    }

    /// Rows of zeros.
    pub fn zeros(rows: usize, width: usize, scalar: ScalarType) -> Result<Self, BatchError> {
        Ok(match scalar {
            ScalarType::F64 => Self::F64(Table::filled(rows, width, &0.0)?),
            ScalarType::F32 => Self::F32(Table::filled(rows, width, &0.0)?),
            ScalarType::I32 => Self::I32(Table::filled(rows, width, &0)?),
            ScalarType::I64 => Self::I64(Table::filled(rows, width, &0)?),
            ScalarType::U64 => Self::U64(Table::filled(rows, width, &0)?),
            ScalarType::U8 => Self::U8(Table::filled(rows, width, &0)?),
        })
    }

    /// Values per row.
    pub fn width(&self) -> usize {
        each_table!(self, table => table.width())
    }

    /// All values, row after row.
    pub fn values(&self) -> ArrayRef<'_> {
        match self {
            Self::F64(x) => ArrayRef::F64(x.values()),
            Self::F32(x) => ArrayRef::F32(x.values()),
            Self::I32(x) => ArrayRef::I32(x.values()),
            Self::I64(x) => ArrayRef::I64(x.values()),
            Self::U64(x) => ArrayRef::U64(x.values()),
            Self::U8(x) => ArrayRef::U8(x.values()),
        }
    }

    /// All values, row after row, to be written.
    pub fn values_mut(&mut self) -> ArrayMut<'_> {
        match self {
            Self::F64(x) => ArrayMut::F64(x.values_mut()),
            Self::F32(x) => ArrayMut::F32(x.values_mut()),
            Self::I32(x) => ArrayMut::I32(x.values_mut()),
            Self::I64(x) => ArrayMut::I64(x.values_mut()),
            Self::U64(x) => ArrayMut::U64(x.values_mut()),
            Self::U8(x) => ArrayMut::U8(x.values_mut()),
        }
    }

    /// One row.
    pub fn row(&self, row: usize) -> ArrayRef<'_> {
        match self {
            Self::F64(x) => ArrayRef::F64(x.row(row)),
            Self::F32(x) => ArrayRef::F32(x.row(row)),
            Self::I32(x) => ArrayRef::I32(x.row(row)),
            Self::I64(x) => ArrayRef::I64(x.row(row)),
            Self::U64(x) => ArrayRef::U64(x.row(row)),
            Self::U8(x) => ArrayRef::U8(x.row(row)),
        }
    }

    /// Overwrites a row.
    ///
    /// # Safety
    /// As for [`Table::row_mut`].
    pub unsafe fn write_row(&self, row: usize, source: ArrayRef<'_>) {
        // SAFETY: promised by the caller.
        unsafe {
            match self {
                Self::F64(x) => copy(ArrayMut::F64(x.row_mut(row)), source),
                Self::F32(x) => copy(ArrayMut::F32(x.row_mut(row)), source),
                Self::I32(x) => copy(ArrayMut::I32(x.row_mut(row)), source),
                Self::I64(x) => copy(ArrayMut::I64(x.row_mut(row)), source),
                Self::U64(x) => copy(ArrayMut::U64(x.row_mut(row)), source),
                Self::U8(x) => copy(ArrayMut::U8(x.row_mut(row)), source),
            }
        }
    }
}

/// Copies the first values of an array of the same scalars, as many as fit.
pub(crate) fn copy(target: ArrayMut<'_>, source: ArrayRef<'_>) {
    fn head<T: Copy>(target: &mut [T], source: &[T]) {
        let count = target.len().min(source.len());
        target[..count].copy_from_slice(&source[..count]);
    }
    match (target, source) {
        (ArrayMut::F64(a), ArrayRef::F64(b)) => head(a, b),
        (ArrayMut::F32(a), ArrayRef::F32(b)) => head(a, b),
        (ArrayMut::I32(a), ArrayRef::I32(b)) => head(a, b),
        (ArrayMut::I64(a), ArrayRef::I64(b)) => head(a, b),
        (ArrayMut::U64(a), ArrayRef::U64(b)) => head(a, b),
        (ArrayMut::U8(a), ArrayRef::U8(b)) => head(a, b),
        _ => debug_assert!(false, "a field changed its type"),
    }
}

/// Parts of a slice that threads write at the same time, part `i` by one thread alone.
pub struct Parts<'a, T> {
    first: *mut T,
    width: usize,
    count: usize,
    memory: std::marker::PhantomData<&'a mut [T]>,
}

// SAFETY: a shared `Parts` gives access to its memory only through `part`, whose callers keep to different parts.
unsafe impl<T: Send> Sync for Parts<'_, T> {}

impl<'a, T> Parts<'a, T> {
    /// Cuts a slice into `count` parts of equal length.
    pub fn new(slice: &'a mut [T], count: usize) -> Self {
        let width = slice.len().checked_div(count).unwrap_or(0);
        assert_eq!(width * count, slice.len(), "parts of unequal length");
        Self { first: slice.as_mut_ptr(), width, count, memory: std::marker::PhantomData }
    }

    /// One part.
    ///
    /// # Safety
    /// While the result lives, nobody else may ask for the same part.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn part(&self, index: usize) -> &mut [T] {
        assert!(index < self.count, "part {index} of {}", self.count);
        // SAFETY: the part lies within the slice that is borrowed for `'a`, and the caller keeps others away.
        unsafe { std::slice::from_raw_parts_mut(self.first.add(index * self.width), self.width) }
    }
}
