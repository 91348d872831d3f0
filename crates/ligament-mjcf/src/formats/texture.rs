//! MuJoCo's binary texture format: width, height, RGB bytes.

use super::png::Image;
use super::{Reader, fail};
use crate::diag::Result;

/// A texture of three channels with its size in front.
pub fn decode_binary(name: &str, bytes: &[u8]) -> Result<Image> {
    const CONTEXT: &str = "Non-PNG texture, assuming custom binary file format,\n";
    if bytes.is_empty() {
        return fail(format!("texture file is empty: '{name}'"));
    }
    let mut reader = Reader::new(bytes);
    let (width, height) = match (reader.i32(), reader.i32()) {
        (Some(w), Some(h)) if w > 0 && h > 0 => (w as usize, h as usize),
        _ => return fail(format!("{CONTEXT}non-positive texture dimensions in file '{name}'")),
    };
    let expected = width.checked_mul(height).and_then(|n| n.checked_mul(3));
    if expected != Some(reader.remaining()) {
        return fail(format!("{CONTEXT}unexpected file size in file '{name}'"));
    }
    let data = reader.bytes(reader.remaining()).unwrap_or_default().to_vec();
    Ok(Image { width, height, srgb: false, data })
}
