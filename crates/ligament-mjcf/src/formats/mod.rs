//! Decoders of asset files: bytes in, plain arrays out. None of them trusts a count in a header.

pub mod content_type;
mod distinct;
pub mod hfield;
pub mod msh;
pub mod obj;
pub mod png;
pub mod skn;
pub mod stl;
pub mod texture;

use crate::diag::{Diagnostic, MjcfError, Result};
use distinct::Distinct;

/// Vertices and faces as a mesh file has them; unused parts are empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshFile {
    /// Vertices.
    pub vert: Vec<[f32; 3]>,
    /// Normals.
    pub normal: Vec<f32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Corners of the faces.
    pub face: Vec<[i32; 3]>,
    /// Normals at the corners.
    pub facenormal: Vec<i32>,
    /// Texture coordinates at the corners.
    pub facetexcoord: Vec<i32>,
}

impl MeshFile {
    /// Turns every face the other way round; normals and texture coordinates stay with their slots.
    pub fn flip_faces(&mut self) {
        for face in &mut self.face {
            face.swap(1, 2);
        }
    }

    /// Makes room for so many faces, with what the vertices have.
    fn reserve_faces(&mut self, count: usize) {
        self.face.reserve_exact(count);
        if !self.normal.is_empty() {
            self.facenormal.reserve_exact(3 * count);
        }
        if !self.texcoord.is_empty() {
            self.facetexcoord.reserve_exact(3 * count);
        }
    }

    /// Drops repeated vertices, keeping the first of each; faces follow.
    pub fn merge_vertices(&mut self) -> Result<()> {
        let mut distinct = Distinct::new(self.vert.len());
        let renumber: Vec<i32> = self.vert.iter().map(|v| distinct.insert(*v)).collect();
        let kept = distinct.kept;
        if kept.len() == self.vert.len() {
            return Ok(());
        }
        for (i, face) in self.face.iter_mut().enumerate() {
            for v in face.iter_mut() {
                *v = match usize::try_from(*v).ok().and_then(|v| renumber.get(v)) {
                    Some(id) => *id,
                    None => return fail(format!("in face {i}, vertex index {v} does not exist")),
                };
            }
        }
        self.vert = kept;
        Ok(())
    }
}

/// An asset error with this message.
pub(crate) fn fail<T>(message: impl Into<String>) -> Result<T> {
    Err(MjcfError::Asset(Diagnostic::new(message)))
}

/// Little-endian numbers, one after the other.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.rest.split_at_checked(count)?;
        self.rest = tail;
        Some(head)
    }

    pub fn i32(&mut self) -> Option<i32> {
        let bytes = self.bytes(4)?;
        Some(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// So many floats; nothing is allocated unless they are there.
    pub fn f32s(&mut self, count: usize) -> Option<Vec<f32>> {
        let bytes = self.bytes(count.checked_mul(4)?)?;
        Some(bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    /// So many integers; nothing is allocated unless they are there.
    pub fn i32s(&mut self, count: usize) -> Option<Vec<i32>> {
        let bytes = self.bytes(count.checked_mul(4)?)?;
        Some(bytes.chunks_exact(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }
}

/// Groups of three; a remainder is dropped.
pub(crate) fn triples<T: Copy>(flat: &[T]) -> Vec<[T; 3]> {
    flat.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect()
}

#[cfg(test)]
mod tests;
