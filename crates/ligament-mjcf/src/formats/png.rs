//! PNG images as bytes with a wanted number of channels.

use super::fail;
use crate::diag::Result;
use png::{ColorType, Decoder, Limits, Transformations};
use std::io::Cursor;

/// An image by rows, top row first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// True when the file says that its colours are sRGB.
    pub srgb: bool,
    /// Values, row by row, channels together.
    pub data: Vec<u8>,
}

/// Bytes that decoding one image may take: 8192 × 8192 pixels of four channels.
const MAX_BYTES: usize = 1 << 28;

/// Decodes to 1 (first channel), 3 (colour, alpha dropped) or 4 channels of eight bits.
pub fn decode(name: &str, bytes: &[u8], channels: usize) -> Result<Image> {
    if bytes.is_empty() {
        return fail(format!("empty PNG file '{name}'"));
    }
    match try_decode(bytes, channels) {
        Ok(image) => Ok(image),
        Err(why) => fail(format!("error decoding PNG file '{name}': {why}")),
    }
}

fn try_decode(bytes: &[u8], channels: usize) -> std::result::Result<Image, String> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX_BYTES });
    // nobody reads these, and a few bytes of them can inflate to gigabytes
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
    let srgb = reader.info().srgb.is_some();
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    // compressed pixels cannot shrink below about a thousandth: a header that promises more is a lie
    if width.saturating_mul(height) / 8 > bytes.len().saturating_mul(1040) + 4096 {
        return Err("unexpected end of data".into());
    }
    let size = reader.output_buffer_size().filter(|n| *n <= MAX_BYTES).ok_or("dimensions are invalid")?;
    let mut buffer = vec![0; size];
    let frame = reader.next_frame(&mut buffer).map_err(|e| e.to_string())?;
    buffer.truncate(frame.buffer_size());
    let source = match frame.color_type {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
        ColorType::Indexed => return Err("palette was not expanded".into()),
    };
    Ok(Image { width, height, srgb, data: convert(buffer, source, channels) })
}

fn convert(data: Vec<u8>, source: usize, channels: usize) -> Vec<u8> {
    if source == channels {
        return data;
    }
    let mut out = Vec::with_capacity(data.len() / source * channels);
    for pixel in data.chunks_exact(source) {
        let (rgb, alpha) = match pixel {
            [g] => ([*g; 3], 255),
            [g, a] => ([*g; 3], *a),
            [r, g, b] => ([*r, *g, *b], 255),
            [r, g, b, a] => ([*r, *g, *b], *a),
            _ => ([0; 3], 255),
        };
        match channels {
            1 => out.push(rgb[0]),
            3 => out.extend(rgb),
            _ => out.extend([rgb[0], rgb[1], rgb[2], alpha]),
        }
    }
    out
}
