//! MuJoCo's old binary mesh format: four counts, then vertices, normals, texture coordinates, faces.

use super::{MeshFile, Reader, fail, triples};
use crate::diag::Result;

/// Decodes a file; `name` is for messages.
pub fn decode(name: &str, bytes: &[u8]) -> Result<MeshFile> {
    if bytes.is_empty() {
        return fail(format!("MSH file '{name}' is empty"));
    }
    let mut reader = Reader::new(bytes);
    let Some(header) = reader.i32s(4) else {
        return fail(format!("missing header in MSH file '{name}'"));
    };
    let [nvert, nnormal, ntexcoord, nface] = [header[0], header[1], header[2], header[3]];
    if nvert < 4
        || header.iter().any(|n| *n < 0)
        || (nnormal > 0 && nnormal != nvert)
        || (ntexcoord > 0 && ntexcoord != nvert)
    {
        return fail(format!("invalid sizes in MSH file '{name}'"));
    }
    let [nvert, nnormal, ntexcoord, nface] = [nvert, nnormal, ntexcoord, nface].map(|n| n as usize);
    let limit = i32::MAX as usize / 4;
    if nvert >= limit / 3 || nnormal >= limit / 3 || ntexcoord >= limit / 2 || nface >= limit / 3 {
        return fail(format!("too large sizes in MSH file '{name}'."));
    }
    if reader.remaining() != 4 * (3 * nvert + 3 * nnormal + 2 * ntexcoord + 3 * nface) {
        return fail(format!("unexpected file size in MSH file '{name}'"));
    }
    let parts = (
        reader.f32s(3 * nvert),
        reader.f32s(3 * nnormal),
        reader.f32s(2 * ntexcoord),
        reader.i32s(3 * nface),
    );
    let (Some(vert), Some(normal), Some(texcoord), Some(face)) = parts else {
        return fail(format!("unexpected file size in MSH file '{name}'"));
    };
    let facetexcoord = if texcoord.is_empty() { Vec::new() } else { face.clone() };
    Ok(MeshFile {
        vert: triples(&vert),
        normal,
        texcoord,
        face: triples(&face),
        facenormal: face,
        facetexcoord,
    })
}
