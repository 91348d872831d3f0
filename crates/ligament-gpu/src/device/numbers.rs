//! Numbers as bytes.

use crate::tables::Precision;

/// Bytes of a number.
pub(super) fn size(precision: Precision) -> usize {
    if precision == Precision::F32 { 4 } else { 8 }
}

pub(super) fn to_bytes(values: &[f64], precision: Precision) -> Vec<u8> {
    match precision {
        Precision::F32 => values.iter().flat_map(|&x| (x as f32).to_ne_bytes()).collect(),
        Precision::F64 => values.iter().flat_map(|x| x.to_ne_bytes()).collect(),
    }
}

pub(super) fn from_bytes(bytes: &[u8], precision: Precision) -> Vec<f64> {
    let (singles, doubles) = (bytes.as_chunks::<4>().0, bytes.as_chunks::<8>().0);
    match precision {
        Precision::F32 => singles.iter().map(|b| f64::from(f32::from_ne_bytes(*b))).collect(),
        Precision::F64 => doubles.iter().map(|b| f64::from_ne_bytes(*b)).collect(),
    }
}

pub(super) fn ints_to_bytes(ints: &[i32]) -> Vec<u8> {
    ints.iter().flat_map(|x| x.to_ne_bytes()).collect()
}

pub(super) fn ints_from_bytes(bytes: &[u8]) -> Vec<i32> {
    bytes.as_chunks::<4>().0.iter().map(|b| i32::from_ne_bytes(*b)).collect()
}

/// Lanes read lists up to their number beyond the end.
pub(super) fn padded(ints: &[i32]) -> Vec<u8> {
    ints_to_bytes(&[ints, &[0; 128]].concat())
}
