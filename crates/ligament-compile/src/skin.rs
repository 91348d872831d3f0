//! Skins: surfaces whose vertices follow several bodies by weight.

use crate::error::{fail_at, unknown_at};
use crate::index::Index;
use crate::named_files;
use crate::pose::normalize;
use ligament_math::MINVAL;
use ligament_mjcf::asset_paths::AssetKind;
use ligament_mjcf::assets::Assets;
use ligament_mjcf::diag::{MjcfError, Result};
use ligament_mjcf::formats::content_type::extension;
use ligament_mjcf::formats::skn::{SkinFile, decode};
use ligament_mjcf::spec::{Skin, Spec};
use ligament_model::Model;
use ligament_model::enums::ObjType;
use ligament_model::model::Sizes;

/// What the model keeps of a skin.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledSkin {
    /// File it came from; empty: not from a file.
    pub path: String,
    pub matid: i32,
    pub group: i32,
    pub rgba: [f32; 4],
    pub inflate: f32,
    /// Geometry, with weights that sum to one in every vertex and unit quaternions.
    pub data: SkinFile,
    pub bodyid: Vec<i32>,
}

/// Compiles all skins, in order. Names of bodies and materials are looked up in the index; materials are
/// ignored when they are discarded.
pub fn compile_skins(
    spec: &Spec,
    index: &Index,
    assets: &dyn Assets,
    discard_materials: bool,
) -> Result<Vec<CompiledSkin>> {
    spec.skins
        .iter()
        .map(|skin| {
            compile(spec, skin, index, assets, discard_materials)
                .map_err(named_files::blame(ObjType::Skin, &skin.meta))
        })
        .collect()
}

fn error(skin: &Skin, message: impl Into<String>) -> MjcfError {
    fail_at(ObjType::Skin, &skin.meta, message)
}

fn compile(
    spec: &Spec,
    skin: &Skin,
    index: &Index,
    assets: &dyn Assets,
    discard_materials: bool,
) -> Result<CompiledSkin> {
    let inline = SkinFile {
        vert: skin.vert.clone(),
        texcoord: skin.texcoord.clone(),
        face: skin.face.clone(),
        bodyname: skin.bodyname.clone(),
        bindpos: skin.bindpos.clone(),
        bindquat: skin.bindquat.clone(),
        vertid: skin.vertid.clone(),
        vertweight: skin.vertweight.clone(),
    };
    let mut data = if skin.file.is_empty() { inline } else { from_file(spec, skin, inline, assets)? };
    check_sizes(skin, &data)?;
    let bodyid = bodies(skin, &data, index)?;
    let matid = if discard_materials { -1 } else { material(skin, index)? };
    normalize_weights(skin, &mut data)?;
    for quat in data.bindquat.chunks_exact_mut(4) {
        let mut unit = [quat[0], quat[1], quat[2], quat[3]].map(f64::from);
        normalize(&mut unit);
        for (q, u) in quat.iter_mut().zip(unit) {
            *q = u as f32;
        }
    }
    let path =
        named_files::remembered_path(named_files::compiler(spec, &skin.meta), &skin.file, &skin.filedir);
    Ok(CompiledSkin { path, matid, group: skin.group, rgba: skin.rgba, inflate: skin.inflate, data, bodyid })
}

fn from_file(spec: &Spec, skin: &Skin, inline: SkinFile, assets: &dyn Assets) -> Result<SkinFile> {
    if inline != SkinFile::default() {
        return Err(error(skin, format!("Both skin data and file were specified: {}", skin.file)));
    }
    if extension(&skin.file) != ".skn" {
        return Err(error(skin, format!("Unknown skin file type: {}", skin.file)));
    }
    let compiler = named_files::compiler(spec, &skin.meta);
    let file = named_files::read(assets, compiler, AssetKind::Mesh, &skin.file, &skin.filedir)?;
    decode(&file.name, &file.bytes)
}

fn check_sizes(skin: &Skin, data: &SkinFile) -> Result<()> {
    let missing = data.vert.is_empty()
        || data.face.is_empty()
        || data.bodyname.is_empty()
        || data.bindpos.is_empty()
        || data.bindquat.is_empty()
        || data.vertid.is_empty()
        || data.vertweight.is_empty();
    let bones = data.bodyname.len();
    let checks = [
        (missing, "Missing data in skin"),
        (!data.vert.len().is_multiple_of(3), "Vertex data must be multiple of 3"),
        (
            !data.texcoord.is_empty() && data.texcoord.len() != 2 * data.vert.len() / 3,
            "Vertex and texcoord data incompatible size",
        ),
        (!data.face.len().is_multiple_of(3), "Face data must be multiple of 3"),
        (
            data.face.iter().any(|&v| usize::try_from(v).map_or(true, |v| v >= data.vert.len() / 3)),
            "Face of a vertex that does not exist in skin",
        ),
        (data.bindpos.len() != 3 * bones, "Unexpected bindpos size in skin"),
        (data.bindquat.len() != 4 * bones, "Unexpected bindquat size in skin"),
        (data.vertid.len() != bones, "Unexpected vertid size in skin"),
        (data.vertweight.len() != bones, "Unexpected vertweight size in skin"),
    ];
    match checks.iter().find(|(wrong, _)| *wrong) {
        Some((_, message)) => Err(error(skin, *message)),
        None => Ok(()),
    }
}

fn bodies(skin: &Skin, data: &SkinFile, index: &Index) -> Result<Vec<i32>> {
    data.bodyname
        .iter()
        .map(|name| match index.get(ObjType::Body, name) {
            Some(id) => Ok(id as i32),
            None => Err(unknown_at(ObjType::Skin, &skin.meta, format!("unknown body '{name}' in skin"))),
        })
        .collect()
}

fn material(skin: &Skin, index: &Index) -> Result<i32> {
    if skin.material.is_empty() {
        return Ok(-1);
    }
    match index.get(ObjType::Material, &skin.material) {
        Some(id) => Ok(id as i32),
        None => {
            let message = format!("unknown material '{}' in skin", skin.material);
            Err(unknown_at(ObjType::Skin, &skin.meta, message))
        }
    }
}

/// Divides weights by their sum in each vertex.
fn normalize_weights(skin: &Skin, data: &mut SkinFile) -> Result<()> {
    let mut total = vec![0.0_f32; data.vert.len() / 3];
    for (ids, weights) in data.vertid.iter().zip(&data.vertweight) {
        if ids.is_empty() || ids.len() != weights.len() {
            return Err(error(skin, "vertid and vertweight must have same non-zero size in skin"));
        }
        for (&id, weight) in ids.iter().zip(weights) {
            match usize::try_from(id).ok().and_then(|id| total.get_mut(id)) {
                Some(sum) => *sum += weight,
                None => return Err(error(skin, format!("vertid {id} out of range in skin"))),
            }
        }
    }
    if let Some(vertex) = total.iter().position(|sum| !(f64::from(*sum) > MINVAL)) {
        return Err(error(skin, format!("vertex {vertex} must have positive total weight in skin")));
    }
    for (ids, weights) in data.vertid.iter().zip(&mut data.vertweight) {
        for (&id, weight) in ids.iter().zip(weights) {
            *weight /= total[id as usize];
        }
    }
    Ok(())
}

/// Sizes that skins decide.
pub fn count_skins(skins: &[CompiledSkin], sizes: &mut Sizes) {
    let total = |count: fn(&CompiledSkin) -> usize| skins.iter().map(count).sum::<usize>();
    sizes.nskin = skins.len();
    sizes.nskinvert = total(|s| s.data.vert.len() / 3);
    sizes.nskintexvert = total(|s| s.data.texcoord.len() / 2);
    sizes.nskinface = total(|s| s.data.face.len() / 3);
    sizes.nskinbone = total(|s| s.bodyid.len());
    sizes.nskinbonevert = total(|s| s.data.vertid.iter().map(Vec::len).sum());
}

/// Writes all skins.
pub fn write_skins(skins: &[CompiledSkin], m: &mut Model) {
    let (mut vert, mut texcoord, mut face, mut bone, mut bonevert) = (0, 0, 0, 0, 0);
    for (id, skin) in skins.iter().enumerate() {
        let data = &skin.data;
        m.skin_matid[id] = skin.matid;
        m.skin_group[id] = skin.group;
        m.skin_rgba[id] = skin.rgba;
        m.skin_inflate[id] = skin.inflate;
        m.skin_vertadr[id] = vert as i32;
        m.skin_vertnum[id] = (data.vert.len() / 3) as i32;
        m.skin_texcoordadr[id] = if data.texcoord.is_empty() { -1 } else { texcoord as i32 };
        m.skin_faceadr[id] = face as i32;
        m.skin_facenum[id] = (data.face.len() / 3) as i32;
        m.skin_boneadr[id] = bone as i32;
        m.skin_bonenum[id] = skin.bodyid.len() as i32;
        for (j, &body) in skin.bodyid.iter().enumerate() {
            let ids = &data.vertid[j];
            m.skin_bonebodyid[bone + j] = body;
            m.skin_bonevertadr[bone + j] = bonevert as i32;
            m.skin_bonevertnum[bone + j] = ids.len() as i32;
            put(&mut m.skin_bonevertweight, bonevert, &data.vertweight[j]);
            bonevert = put(&mut m.skin_bonevertid, bonevert, ids);
        }
        put(m.skin_bonebindpos.as_flattened_mut(), 3 * bone, &data.bindpos);
        put(m.skin_bonebindquat.as_flattened_mut(), 4 * bone, &data.bindquat);
        bone += skin.bodyid.len();
        vert = put(m.skin_vert.as_flattened_mut(), 3 * vert, &data.vert) / 3;
        texcoord = put(m.skin_texcoord.as_flattened_mut(), 2 * texcoord, &data.texcoord) / 2;
        face = put(m.skin_face.as_flattened_mut(), 3 * face, &data.face) / 3;
    }
}

/// Copies a part to an address; returns the address behind it.
fn put<T: Copy>(array: &mut [T], at: usize, part: &[T]) -> usize {
    array[at..at + part.len()].copy_from_slice(part);
    at + part.len()
}
