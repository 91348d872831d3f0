//! Height fields: elevations from a file or the text, scaled to [0, 1].

use crate::error::{fail_at, over_budget};
use crate::named_files;
use crate::pose::EPS;
use ligament_mjcf::asset_paths::AssetKind;
use ligament_mjcf::assets::Assets;
use ligament_mjcf::diag::{MjcfError, Result};
use ligament_mjcf::formats::content_type::content_type;
use ligament_mjcf::formats::hfield::{Elevation, decode_binary, decode_png};
use ligament_mjcf::spec::{HeightField, Spec};
use ligament_model::Model;
use ligament_model::enums::ObjType;
use ligament_model::model::Sizes;

/// What the model keeps of a height field.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledHfield {
    /// File it came from; empty: not from a file.
    pub path: String,
    pub size: [f64; 4],
    pub nrow: i32,
    pub ncol: i32,
    pub data: Vec<f32>,
}

/// Compiles all height fields, in order.
pub fn compile_hfields(spec: &Spec, assets: &dyn Assets) -> Result<Vec<CompiledHfield>> {
    spec.hfields
        .iter()
        .map(|field| compile(spec, field, assets).map_err(named_files::blame(ObjType::Hfield, &field.meta)))
        .collect()
}

fn error(field: &HeightField, message: impl Into<String>) -> MjcfError {
    fail_at(ObjType::Hfield, &field.meta, message)
}

fn compile(spec: &Spec, field: &HeightField, assets: &dyn Assets) -> Result<CompiledHfield> {
    if !field.userdata.is_empty() {
        let expected = i64::from(field.nrow) * i64::from(field.ncol);
        if !field.file.is_empty() || expected != field.userdata.len() as i64 {
            return Err(error(field, "elevation data length must match nrow*ncol"));
        }
    }
    if field.size.iter().any(|s| !(*s > 0.0)) {
        return Err(error(field, "size parameter is not positive in hfield"));
    }
    let elevation = if field.file.is_empty() { from_text(field)? } else { from_file(spec, field, assets)? };
    let Elevation { nrow, ncol, mut data } = elevation;
    normalize(field, &mut data)?;
    let path =
        named_files::remembered_path(named_files::compiler(spec, &field.meta), &field.file, &field.filedir);
    Ok(CompiledHfield { path, size: field.size, nrow, ncol, data })
}

/// Elevations in the text; without them the field is flat.
fn from_text(field: &HeightField) -> Result<Elevation> {
    if field.nrow < 1 || field.ncol < 1 || field.userdata.is_empty() {
        return Err(error(field, "hfield not specified"));
    }
    Ok(Elevation { nrow: field.nrow, ncol: field.ncol, data: field.userdata.clone() })
}

fn from_file(spec: &Spec, field: &HeightField, assets: &dyn Assets) -> Result<Elevation> {
    let kind = content_type(&field.file, &field.content_type);
    let decode = match kind.as_str() {
        "image/png" => decode_png,
        "" | "image/vnd.mujoco.hfield" => decode_binary,
        other => return Err(error(field, format!("unsupported content type: '{other}'"))),
    };
    let compiler = named_files::compiler(spec, &field.meta);
    let file = named_files::read(assets, compiler, AssetKind::Mesh, &field.file, &field.filedir)?;
    let elevation = decode(&file.name, &file.bytes)?;
    let bytes = 4 * elevation.data.len() as u64;
    assets.charge(bytes).map_err(over_budget(ObjType::Hfield, &field.meta))?;
    Ok(elevation)
}

/// Scales elevations to [0, 1], in single precision; a flat field becomes 0.
fn normalize(field: &HeightField, data: &mut [f32]) -> Result<()> {
    let (mut low, mut high) = (1e10_f32, -1e10_f32);
    for &x in data.iter() {
        if x < low {
            low = x;
        }
        if x > high {
            high = x;
        }
    }
    if low > high {
        return Err(error(field, format!("invalid data range in hfield '{}'", field.file)));
    }
    for x in data {
        *x -= low;
        if f64::from(high - low) > EPS {
            *x /= high - low;
        }
    }
    Ok(())
}

/// Sizes that height fields decide.
pub fn count_hfields(fields: &[CompiledHfield], sizes: &mut Sizes) {
    sizes.nhfield = fields.len();
    sizes.nhfielddata = fields.iter().map(|f| f.data.len()).sum();
}

/// Writes all height fields.
pub fn write_hfields(fields: &[CompiledHfield], m: &mut Model) {
    let mut at = 0;
    for (id, field) in fields.iter().enumerate() {
        m.hfield_size[id] = field.size;
        m.hfield_nrow[id] = field.nrow;
        m.hfield_ncol[id] = field.ncol;
        m.hfield_adr[id] = at as i32;
        m.hfield_data[at..at + field.data.len()].copy_from_slice(&field.data);
        at += field.data.len();
    }
}
