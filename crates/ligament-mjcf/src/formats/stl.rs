//! Binary STL.

use super::{MeshFile, fail};
use crate::diag::Result;

const HEADER: usize = 84;
const RECORD: usize = 50;
const MAX_FACES: i32 = 200_000;
/// Coordinates beyond this are refused.
const MAX_COORDINATE: f32 = 1_073_741_824.0;

/// Decodes a file; `name` is for messages. Repeated vertices are merged.
pub fn decode(name: &str, bytes: &[u8]) -> Result<MeshFile> {
    if bytes.is_empty() {
        return fail(format!("STL file '{name}' is empty"));
    }
    if bytes.len() < HEADER {
        return fail(format!("invalid header in STL file '{name}'"));
    }
    let count = i32::from_le_bytes([bytes[80], bytes[81], bytes[82], bytes[83]]);
    if !(1..=MAX_FACES).contains(&count) {
        return fail(format!(
            "number of faces should be between 1 and {MAX_FACES} in STL file '{name}'; perhaps this is an ASCII file?"
        ));
    }
    let count = count as usize;
    if bytes.len() - HEADER != count * RECORD {
        return fail(format!("STL file '{name}' has wrong size; perhaps this is an ASCII file?"));
    }
    let mut mesh = MeshFile { vert: Vec::with_capacity(3 * count), ..MeshFile::default() };
    for record in bytes[HEADER..].chunks_exact(RECORD) {
        // the first twelve bytes are a normal, which nobody trusts
        for corner in record[12..48].chunks_exact(12) {
            let v: [f32; 3] = std::array::from_fn(|k| {
                let b = &corner[4 * k..4 * k + 4];
                f32::from_le_bytes([b[0], b[1], b[2], b[3]])
            });
            if v.iter().any(|x| x.abs() > MAX_COORDINATE) {
                return fail(format!("vertex in STL file '{name}' exceed maximum bounds"));
            }
            if let Some(i) = v.iter().any(|x| !x.is_finite()).then_some(mesh.vert.len()) {
                return fail(format!("vertex coordinate {i} is not finite"));
            }
            mesh.vert.push(v);
        }
        let first = mesh.vert.len() as i32 - 3;
        mesh.face.push([first, first + 1, first + 2]);
    }
    mesh.merge_vertices()?;
    Ok(mesh)
}
