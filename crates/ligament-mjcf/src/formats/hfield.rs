//! Height fields: MuJoCo's binary format and grey PNG images.

use super::{Reader, fail, png};
use crate::diag::Result;

/// Elevations by rows, the first row at the low end of y.
#[derive(Debug, Clone, PartialEq)]
pub struct Elevation {
    /// Points along y.
    pub nrow: i32,
    /// Points along x.
    pub ncol: i32,
    /// Heights, row by row.
    pub data: Vec<f32>,
}

/// Two counts and nrow × ncol floats.
pub fn decode_binary(name: &str, bytes: &[u8]) -> Result<Elevation> {
    if bytes.is_empty() {
        return fail(format!("could not read hfield file '{name}'"));
    }
    let mut reader = Reader::new(bytes);
    let (Some(nrow), Some(ncol)) = (reader.i32(), reader.i32()) else {
        return fail(format!("hfield missing header '{name}'"));
    };
    if nrow < 1 || ncol < 1 {
        return fail(format!("non-positive hfield dimensions in file '{name}'"));
    }
    let count = i64::from(nrow) * i64::from(ncol);
    if count.checked_mul(4) != i64::try_from(reader.remaining()).ok() {
        return fail(format!("unexpected file size in file '{name}'"));
    }
    match reader.f32s(count as usize) {
        Some(data) => Ok(Elevation { nrow, ncol, data }),
        None => fail(format!("unexpected file size in file '{name}'")),
    }
}

/// Grey values; images have their first row at the top.
pub fn decode_png(name: &str, bytes: &[u8]) -> Result<Elevation> {
    let image = png::decode(name, bytes, 1)?;
    let data = image.data.chunks_exact(image.width).rev().flatten().map(|v| f32::from(*v)).collect();
    Ok(Elevation { nrow: image.height as i32, ncol: image.width as i32, data })
}
