//! MuJoCo's binary skin format.

use super::{Reader, fail};
use crate::diag::Result;

/// A skin as the file has it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SkinFile {
    /// Vertices.
    pub vert: Vec<f32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Corners of the faces.
    pub face: Vec<i32>,
    /// Bodies that move it.
    pub bodyname: Vec<String>,
    /// Positions of the bodies at rest.
    pub bindpos: Vec<f32>,
    /// Orientations of the bodies at rest.
    pub bindquat: Vec<f32>,
    /// Vertices that each body moves.
    pub vertid: Vec<Vec<i32>>,
    /// How much it moves them.
    pub vertweight: Vec<Vec<f32>>,
}

/// Bytes of a body's name.
const NAME: usize = 40;

/// Decodes a file; `name` is for messages.
pub fn decode(name: &str, bytes: &[u8]) -> Result<SkinFile> {
    if bytes.is_empty() {
        return fail(format!("SKN file '{name}' is empty"));
    }
    let mut reader = Reader::new(bytes);
    let Some(header) = reader.i32s(4) else {
        return fail(format!("missing header in SKN file '{name}'"));
    };
    if header.iter().any(|n| *n < 0) {
        return fail(format!("negative size in header of SKN file '{name}'"));
    }
    let [nvert, ntexcoord, nface, nbone] = [header[0], header[1], header[2], header[3]].map(|n| n as usize);
    let parts = (reader.f32s(3 * nvert), reader.f32s(2 * ntexcoord), reader.i32s(3 * nface));
    let (Some(vert), Some(texcoord), Some(face)) = parts else {
        return fail(format!("insufficient data in SKN file '{name}'"));
    };
    let mut skin = SkinFile { vert, texcoord, face, ..SkinFile::default() };
    for bone in 0..nbone {
        read_bone(&mut reader, &mut skin, name, bone)?;
    }
    if reader.remaining() != 0 {
        return fail(format!("unexpected buffer size in SKN file '{name}'"));
    }
    Ok(skin)
}

fn read_bone(reader: &mut Reader<'_>, skin: &mut SkinFile, name: &str, bone: usize) -> Result<()> {
    let head = (reader.bytes(NAME), reader.f32s(3), reader.f32s(4), reader.i32());
    let (Some(text), Some(pos), Some(quat), Some(count)) = head else {
        return fail(format!("insufficient data in SKN file '{name}', bone {bone}"));
    };
    let text = text[..NAME - 1].split(|b| *b == 0).next().unwrap_or_default();
    skin.bodyname.push(String::from_utf8_lossy(text).into_owned());
    skin.bindpos.extend(pos);
    skin.bindquat.extend(quat);
    if count < 1 {
        return fail(format!("vertex count must be positive in SKN file '{name}', bone {bone}"));
    }
    let (Some(ids), Some(weights)) = (reader.i32s(count as usize), reader.f32s(count as usize)) else {
        return fail(format!("insufficient vertex data in SKN file '{name}', bone {bone}"));
    };
    skin.vertid.push(ids);
    skin.vertweight.push(weights);
    Ok(())
}
