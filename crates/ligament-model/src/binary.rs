//! Compiled models as bytes: a header with version and checksum, then every size, setting and array by name.
//!
//! ```text
//! "LIGAMENT" | version u32 | payload length u64 | FNV-1a of the payload u64 | payload
//! payload: (name length u16, name, scalar type u8, scalar count u64, scalars, all little-endian)*
//! ```
//! A section is found by its name, so the order does not matter; a missing, repeated or unknown one is an error.

use crate::array::{ArrayMut, ArrayRef, ScalarType};
use crate::flex_model;
use crate::limits::DEFAULT_MEMORY;
use crate::model::{FieldInfo, Model, Sizes};
use crate::parts::record as parts;
use std::collections::BTreeMap;

/// What a compiled model starts with.
pub const MAGIC: &[u8; 8] = b"LIGAMENT";
/// Version of the format; changes with the table of fields.
pub const VERSION: u32 = 3;
/// Sections that may be missing, for what MuJoCo does not have: materials of flexes, names of parts.
const FLEX_MODELS: &str = "flex_models";
const PARTS: &str = "parts";
const HEADER: usize = 8 + 4 + 8 + 8;

/// Why bytes are not a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum BinaryError {
    #[error("not a Ligament model: the file does not start with 'LIGAMENT'")]
    Foreign,
    #[error(
        "model file has format version {found}, this build reads version {VERSION}: save the model again"
    )]
    Version { found: u32 },
    #[error("model file is truncated: {expected} bytes expected, {found} found")]
    Truncated { expected: u64, found: u64 },
    #[error("model file is corrupt: checksum mismatch")]
    Checksum,
    #[error("model file is corrupt: {0}")]
    Content(String),
    #[error("model file asks for more than {} MB of memory, most of it for '{array}'", budget >> 20)]
    Memory { budget: u64, array: &'static str },
}

impl Model {
    /// The model as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![0; HEADER];
        for name in Sizes::NAMES {
            let value = self.sizes().get(name).unwrap_or(0);
            write_section(&mut out, &format!("size.{name}"), ArrayRef::I64(&[value]));
        }
        write_section(&mut out, "signature", ArrayRef::U64(&[self.signature]));
        self.visit_groups(&mut |name, array| write_section(&mut out, name, array));
        for field in Self::FIELDS {
            write_section(&mut out, field.name, (field.get)(self));
        }
        if !self.flex_models.is_empty() {
            write_section(&mut out, FLEX_MODELS, ArrayRef::F64(&flex_model::encode(&self.flex_models)));
        }
        let parts = self.parts.records();
        if !parts.is_empty() {
            write_section(&mut out, PARTS, ArrayRef::U8(parts::encode(&parts).as_bytes()));
        }
        seal(&mut out);
        out
    }

    /// The model in these bytes. Parts it asks for are noted as missing ([`Parts::missing`](crate::parts::Parts::missing))
    /// until the simulation crate provides them. It and a state of it may take [`DEFAULT_MEMORY`] beyond the bytes themselves.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BinaryError> {
        Self::from_bytes_within(bytes, DEFAULT_MEMORY.saturating_add(bytes.len() as u64))
    }

    /// The model in these bytes, unless it and a state of it take more than so many bytes of memory.
    pub fn from_bytes_within(bytes: &[u8], budget: u64) -> Result<Self, BinaryError> {
        let model = Self::decode(bytes, budget)?;
        model.validate().map(|()| model).map_err(BinaryError::Content)
    }

    /// What the bytes say, whether it makes sense or not.
    fn decode(bytes: &[u8], budget: u64) -> Result<Self, BinaryError> {
        let mut sections = read_sections(checked_payload(bytes)?)?;
        let sizes = read_sizes(&mut sections)?;
        check_extents(&sizes, &sections)?;
        let footprint = sizes.footprint();
        if footprint.bytes > budget {
            return Err(BinaryError::Memory { budget, array: footprint.largest });
        }
        let mut model = Self::allocate(sizes);
        let mut signature = [0];
        take(&mut sections, "signature", ArrayMut::U64(&mut signature))?;
        model.signature = signature[0];
        let mut failure = Ok(());
        model.visit_groups_mut(&mut |name, array| {
            if failure.is_ok() {
                failure = take(&mut sections, name, array);
            }
        });
        failure?;
        for field in Self::FIELDS {
            take(&mut sections, field.name, (field.get_mut)(&mut model))?;
        }
        if let Some(count) = sections.get(FLEX_MODELS).map(|s| s.bytes.len() / 8) {
            let mut numbers = vec![0.0; count];
            take(&mut sections, FLEX_MODELS, ArrayMut::F64(&mut numbers))?;
            model.flex_models = flex_model::decode(&numbers, model.nflex)
                .ok_or_else(|| BinaryError::Content("materials of flexes do not fit the model".into()))?;
        }
        if let Some(count) = sections.get(PARTS).map(|s| s.bytes.len()) {
            let mut text = vec![0; count];
            take(&mut sections, PARTS, ArrayMut::U8(&mut text))?;
            let text = String::from_utf8_lossy(&text);
            model.parts.wanted = parts::decode(&text, model.nflex, model.nu).map_err(BinaryError::Content)?;
        }
        match sections.keys().next() {
            Some(name) => Err(BinaryError::Content(format!("unknown field '{name}'"))),
            None => Ok(model),
        }
    }

    /// Calls `visit` with the full name (`opt.timestep`, `vis.map.znear`) and memory of every setting.
    pub fn visit_groups(&self, visit: &mut dyn FnMut(&str, ArrayRef<'_>)) {
        fn each<T>(
            prefix: &str,
            group: &T,
            fields: &[FieldInfo<T>],
            visit: &mut dyn FnMut(&str, ArrayRef<'_>),
        ) {
            for field in fields {
                visit(&format!("{prefix}.{}", field.name), (field.get)(group));
            }
        }
        use crate::option::*;
        each("opt", &self.opt, Options::FIELDS, visit);
        each("stat", &self.stat, Statistic::FIELDS, visit);
        each("vis.global", &self.vis.global, VisualGlobal::FIELDS, visit);
        each("vis.quality", &self.vis.quality, VisualQuality::FIELDS, visit);
        each("vis.headlight", &self.vis.headlight, VisualHeadlight::FIELDS, visit);
        each("vis.map", &self.vis.map, VisualMap::FIELDS, visit);
        each("vis.scale", &self.vis.scale, VisualScale::FIELDS, visit);
        each("vis.rgba", &self.vis.rgba, VisualRgba::FIELDS, visit);
    }

    /// Like [`Model::visit_groups`], with write access.
    pub fn visit_groups_mut(&mut self, visit: &mut dyn FnMut(&str, ArrayMut<'_>)) {
        fn each<T>(
            prefix: &str,
            group: &mut T,
            fields: &[FieldInfo<T>],
            visit: &mut dyn FnMut(&str, ArrayMut<'_>),
        ) {
            for field in fields {
                visit(&format!("{prefix}.{}", field.name), (field.get_mut)(group));
            }
        }
        use crate::option::*;
        each("opt", &mut self.opt, Options::FIELDS, visit);
        each("stat", &mut self.stat, Statistic::FIELDS, visit);
        each("vis.global", &mut self.vis.global, VisualGlobal::FIELDS, visit);
        each("vis.quality", &mut self.vis.quality, VisualQuality::FIELDS, visit);
        each("vis.headlight", &mut self.vis.headlight, VisualHeadlight::FIELDS, visit);
        each("vis.map", &mut self.vis.map, VisualMap::FIELDS, visit);
        each("vis.scale", &mut self.vis.scale, VisualScale::FIELDS, visit);
        each("vis.rgba", &mut self.vis.rgba, VisualRgba::FIELDS, visit);
    }
}

/// Writes the header for the payload that follows it: version, length, checksum.
pub fn seal(bytes: &mut [u8]) {
    if let Some((header, payload)) = bytes.split_at_mut_checked(HEADER) {
        header[..8].copy_from_slice(MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..20].copy_from_slice(&(payload.len() as u64).to_le_bytes());
        header[20..28].copy_from_slice(&fnv1a(payload).to_le_bytes());
    }
}

/// A section as it lies in the file.
struct Section<'a> {
    scalar: u8,
    count: u64,
    bytes: &'a [u8],
}

type Sections<'a> = BTreeMap<&'a str, Section<'a>>;

fn scalar_code(scalar: ScalarType) -> u8 {
    match scalar {
        ScalarType::F64 => 0,
        ScalarType::F32 => 1,
        ScalarType::I32 => 2,
        ScalarType::I64 => 3,
        ScalarType::U64 => 4,
        ScalarType::U8 => 5,
    }
}

fn scalar_size(code: u8) -> Option<u64> {
    match code {
        0 | 3 | 4 => Some(8),
        1 | 2 => Some(4),
        5 => Some(1),
        _ => None,
    }
}

fn write_section(out: &mut Vec<u8>, name: &str, array: ArrayRef<'_>) {
    out.extend((name.len() as u16).to_le_bytes());
    out.extend(name.as_bytes());
    out.push(scalar_code(array.scalar()));
    out.extend((array.len() as u64).to_le_bytes());
    match array {
        ArrayRef::F64(x) => x.iter().for_each(|v| out.extend(v.to_le_bytes())),
        ArrayRef::F32(x) => x.iter().for_each(|v| out.extend(v.to_le_bytes())),
        ArrayRef::I32(x) => x.iter().for_each(|v| out.extend(v.to_le_bytes())),
        ArrayRef::I64(x) => x.iter().for_each(|v| out.extend(v.to_le_bytes())),
        ArrayRef::U64(x) => x.iter().for_each(|v| out.extend(v.to_le_bytes())),
        ArrayRef::U8(x) => out.extend(x),
    }
}

fn checked_payload(bytes: &[u8]) -> Result<&[u8], BinaryError> {
    if bytes.len() < HEADER || &bytes[..8] != MAGIC {
        let short = MAGIC.starts_with(&bytes[..bytes.len().min(8)]) && !bytes.is_empty();
        return Err(if short {
            BinaryError::Truncated { expected: HEADER as u64, found: bytes.len() as u64 }
        } else {
            BinaryError::Foreign
        });
    }
    let mut cursor = Cursor(&bytes[8..]);
    let version = cursor.u32()?;
    if version != VERSION {
        return Err(BinaryError::Version { found: version });
    }
    let (length, checksum) = (cursor.u64()?, cursor.u64()?);
    let payload = &bytes[HEADER..];
    if payload.len() as u64 != length {
        let expected = length.saturating_add(HEADER as u64);
        return Err(BinaryError::Truncated { expected, found: bytes.len() as u64 });
    }
    if fnv1a(payload) != checksum {
        return Err(BinaryError::Checksum);
    }
    Ok(payload)
}

fn read_sections(payload: &[u8]) -> Result<Sections<'_>, BinaryError> {
    let mut cursor = Cursor(payload);
    let mut sections = Sections::new();
    while !cursor.0.is_empty() {
        let name_length = cursor.u16()? as u64;
        let name = std::str::from_utf8(cursor.take(name_length)?)
            .map_err(|_| BinaryError::Content("a field name is not text".into()))?;
        let scalar = cursor.take(1)?[0];
        let count = cursor.u64()?;
        let width = scalar_size(scalar)
            .ok_or_else(|| BinaryError::Content(format!("field '{name}' has unknown type {scalar}")))?;
        let length = count
            .checked_mul(width)
            .ok_or_else(|| BinaryError::Content(format!("field '{name}' has an impossible length")))?;
        let section = Section { scalar, count, bytes: cursor.take(length)? };
        if sections.insert(name, section).is_some() {
            return Err(BinaryError::Content(format!("field '{name}' occurs twice")));
        }
    }
    Ok(sections)
}

fn read_sizes(sections: &mut Sections<'_>) -> Result<Sizes, BinaryError> {
    let mut sizes = Sizes::default();
    for name in Sizes::NAMES {
        let mut value = [0i64];
        take(sections, &format!("size.{name}"), ArrayMut::I64(&mut value))?;
        if !sizes.set(name, value[0]) {
            return Err(BinaryError::Content(format!("size '{name}' is out of range")));
        }
    }
    Ok(sizes)
}

/// Every array must have the length its sizes call for; checked before anything is allocated.
fn check_extents(sizes: &Sizes, sections: &Sections<'_>) -> Result<(), BinaryError> {
    for field in Model::FIELDS {
        let found = sections.get(field.name).map_or(0, |s| s.count);
        let expected = (field.shape)(sizes).dims().iter().try_fold(1u64, |n, &d| n.checked_mul(d as u64));
        if expected != Some(found) {
            return Err(BinaryError::Content(format!(
                "field '{}' does not fit the model's sizes",
                field.name
            )));
        }
    }
    Ok(())
}

fn take(sections: &mut Sections<'_>, name: &str, target: ArrayMut<'_>) -> Result<(), BinaryError> {
    let section =
        sections.remove(name).ok_or_else(|| BinaryError::Content(format!("field '{name}' is missing")))?;
    fn fill<T, const N: usize>(target: &mut [T], bytes: &[u8], decode: fn([u8; N]) -> T) {
        for (slot, chunk) in target.iter_mut().zip(bytes.as_chunks::<N>().0) {
            *slot = decode(*chunk);
        }
    }
    let (code, length) = match &target {
        ArrayMut::F64(x) => (0, x.len()),
        ArrayMut::F32(x) => (1, x.len()),
        ArrayMut::I32(x) => (2, x.len()),
        ArrayMut::I64(x) => (3, x.len()),
        ArrayMut::U64(x) => (4, x.len()),
        ArrayMut::U8(x) => (5, x.len()),
    };
    if section.scalar != code || section.count != length as u64 {
        return Err(BinaryError::Content(format!("field '{name}' has the wrong type or length")));
    }
    match target {
        ArrayMut::F64(x) => fill(x, section.bytes, f64::from_le_bytes),
        ArrayMut::F32(x) => fill(x, section.bytes, f32::from_le_bytes),
        ArrayMut::I32(x) => fill(x, section.bytes, i32::from_le_bytes),
        ArrayMut::I64(x) => fill(x, section.bytes, i64::from_le_bytes),
        ArrayMut::U64(x) => fill(x, section.bytes, u64::from_le_bytes),
        ArrayMut::U8(x) => x.copy_from_slice(section.bytes),
    }
    Ok(())
}

/// What is left to read.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, length: u64) -> Result<&'a [u8], BinaryError> {
        let found = self.0.len() as u64;
        let cut = usize::try_from(length).ok().filter(|&n| n <= self.0.len());
        let cut = cut.ok_or(BinaryError::Truncated { expected: length, found })?;
        let (head, tail) = self.0.split_at(cut);
        self.0 = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BinaryError> {
        let bytes = self.take(N as u64)?;
        Ok(std::array::from_fn(|i| bytes[i]))
    }

    fn u16(&mut self) -> Result<u16, BinaryError> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, BinaryError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, BinaryError> {
        self.array().map(u64::from_le_bytes)
    }
}

/// FNV-1a over 64-bit words (the tail byte by byte): catches damage, not malice.
fn fnv1a(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let (words, tail) = bytes.as_chunks::<8>();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for word in words {
        hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(PRIME);
    }
    for &byte in tail {
        hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flex_model::FlexMaterial;
    use crate::parts::{PartRecord, Slot};

    fn sample() -> Model {
        let mut model = Model::allocate(Sizes { nbody: 2, nq: 3, nkey: 2, ..Sizes::default() });
        model.body_pos[1] = [1.0, -2.0, 3.5];
        model.key_qpos = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0].into();
        model.opt.timestep = 0.125;
        model.vis.map.znear = 0.25;
        model.signature = 77;
        model
    }

    #[test]
    fn a_model_survives_the_round_trip() {
        let model = sample();
        assert_eq!(Model::decode(&model.to_bytes(), DEFAULT_MEMORY), Ok(model));
    }

    #[test]
    fn materials_of_flexes_survive() {
        let mut model = Model::allocate(Sizes { nflex: 3, nflexvert: 5, ..Sizes::default() });
        model.flex_model_mut(2).material = Some(FlexMaterial { young: 1.0, poisson: 0.2, thickness: -1.0 });
        let restored = Model::decode(&model.to_bytes(), DEFAULT_MEMORY).expect("a model");
        assert!(restored == model && restored.flex_model(0).is_some_and(|x| x.material.is_none()));
        assert!(flex_model::decode(&[1.0; 9], 2).is_none() && flex_model::decode(&[1.0; 5], 2).is_none());
    }

    /// C42F: names of parts are kept, for whoever can provide them
    #[test]
    fn names_of_parts_survive() {
        let mut model = Model::allocate(Sizes { nu: 4, ..Sizes::default() });
        let parameters = vec![1000.0, 0.1];
        model.parts.wanted =
            vec![PartRecord { slot: Slot::Gain, element: 3, name: "mine".into(), parameters }];
        let restored = Model::decode(&model.to_bytes(), DEFAULT_MEMORY).expect("a model");
        assert_eq!(restored.parts.missing(), model.parts.missing());
        assert!(!restored.parts.is_default());
        model.parts.wanted[0].element = 4;
        assert!(Model::decode(&model.to_bytes(), DEFAULT_MEMORY).is_err());
    }

    #[test]
    fn every_truncation_is_an_error() {
        let bytes = sample().to_bytes();
        for cut in (0..bytes.len()).step_by(97) {
            assert!(Model::from_bytes(&bytes[..cut]).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn foreign_bytes_versions_and_damage_are_told_apart() {
        let mut bytes = sample().to_bytes();
        assert_eq!(Model::from_bytes(b"PK\x03\x04 something else entirely"), Err(BinaryError::Foreign));
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        assert_eq!(Model::from_bytes(&bytes), Err(BinaryError::Checksum));
        bytes[8] = 99;
        assert_eq!(Model::from_bytes(&bytes), Err(BinaryError::Version { found: 99 }));
    }

    #[test]
    fn sizes_that_do_not_fit_the_arrays_allocate_nothing() {
        let mut bytes = sample().to_bytes();
        let name = b"size.nbody";
        let at = bytes.windows(name.len()).position(|w| w == name).expect("section") + name.len() + 9;
        bytes[at..at + 8].copy_from_slice(&(1u64 << 60).to_le_bytes());
        seal(&mut bytes);
        assert!(matches!(Model::from_bytes(&bytes), Err(BinaryError::Content(_))));
    }
}
