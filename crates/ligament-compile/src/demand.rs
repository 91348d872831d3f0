//! Memory that a specification asks for, counted before any of it is taken.

use crate::error::over_budget;
use crate::sensors::CompiledSensor;
use ligament_mjcf::assets::{Assets, OverBudget};
use ligament_mjcf::diag::{Diagnostic, MjcfError, Result};
use ligament_mjcf::spec::{Mesh, Spec, Texture};
use ligament_model::enums::{Builtin, MeshBuiltin, ObjType, TextureType};
use ligament_model::model::Sizes;

/// Bytes of a number in the compiler's own lists and in the arrays that are written from them.
const NUMBER: u64 = 16;
/// Bytes of a keyframe without any numbers: its name and where it comes from.
const KEY: u64 = 64;
/// Bytes of a vertex of a builtin mesh, with its faces, edges, hull and bounding volumes.
const VERTEX: u64 = 1024;

fn count(n: i32) -> u64 {
    u64::try_from(n).unwrap_or(0)
}

/// A setting of `<size>` that asks for too much.
fn charge_size(name: &str, bytes: u64, assets: &dyn Assets) -> Result<()> {
    assets.charge(bytes).map_err(|over| {
        let message = format!("{name} is too large: {over}");
        MjcfError::Memory(Diagnostic::new(message).element("size").help(OverBudget::REMEDY))
    })
}

/// Charges what the text asks for by a number: it may be far more than the text holds.
pub fn charge_spec(spec: &Spec, assets: &dyn Assets) -> Result<()> {
    charge_user_data(spec, assets)?;
    let sizes = &spec.size;
    charge_size("nuserdata", count(sizes.nuserdata).saturating_mul(NUMBER), assets)?;
    charge_size("nkey", count(sizes.nkey).saturating_mul(KEY), assets)?;
    for numeric in &spec.numerics {
        let bytes = count(numeric.size).saturating_mul(NUMBER);
        assets.charge(bytes).map_err(over_budget(ObjType::Numeric, &numeric.meta))?;
    }
    for texture in &spec.textures {
        assets.charge(builtin_pixels(texture)).map_err(over_budget(ObjType::Texture, &texture.meta))?;
    }
    for mesh in &spec.meshes {
        let bytes = builtin_vertices(mesh).saturating_mul(VERTEX);
        assets.charge(bytes).map_err(over_budget(ObjType::Mesh, &mesh.meta))?;
    }
    Ok(())
}

/// User data is padded to the same width for all elements of a kind.
fn charge_user_data(spec: &Spec, assets: &dyn Assets) -> Result<()> {
    let (bodies, sizes) = (&spec.bodies, &spec.size);
    let elements = |list: fn(&ligament_mjcf::spec::Body) -> usize| bodies.iter().map(list).sum::<usize>();
    let kinds = [
        ("nuser_body", sizes.nuser_body, bodies.len()),
        ("nuser_jnt", sizes.nuser_jnt, elements(|body| body.joints.len())),
        ("nuser_geom", sizes.nuser_geom, elements(|body| body.geoms.len())),
        ("nuser_site", sizes.nuser_site, elements(|body| body.sites.len())),
        ("nuser_cam", sizes.nuser_cam, elements(|body| body.cameras.len())),
        ("nuser_tendon", sizes.nuser_tendon, spec.tendons.len()),
        ("nuser_actuator", sizes.nuser_actuator, spec.actuators.len()),
        ("nuser_sensor", sizes.nuser_sensor, spec.sensors.len()),
    ];
    kinds.into_iter().try_for_each(|(name, width, elements)| {
        charge_size(name, count(width).saturating_mul(elements as u64).saturating_mul(NUMBER), assets)
    })
}

/// Bytes of a builtin picture while it is painted.
fn builtin_pixels(texture: &Texture) -> u64 {
    if texture.builtin == Builtin::None {
        return 0;
    }
    let (width, height) = (count(texture.width), count(texture.height));
    let height = if texture.kind == TextureType::N2d { height } else { 6 * width };
    width.saturating_mul(height).saturating_mul(3)
}

/// Vertices of a builtin mesh, roughly.
fn builtin_vertices(mesh: &Mesh) -> u64 {
    let parameter = |i: usize| mesh.params.get(i).map_or(0, |&x| x as u64);
    match mesh.builtin {
        MeshBuiltin::None | MeshBuiltin::Sphere | MeshBuiltin::Hemisphere => 0,
        MeshBuiltin::Cone => parameter(0),
        MeshBuiltin::Supersphere | MeshBuiltin::Supertorus => parameter(0).saturating_mul(parameter(0)),
        MeshBuiltin::Wedge | MeshBuiltin::Plate => parameter(0).saturating_mul(parameter(1)),
    }
}

/// Charges values and histories of sensors.
pub fn charge_sensors(sensors: &[CompiledSensor<'_>], assets: &dyn Assets) -> Result<()> {
    sensors.iter().try_for_each(|sensor| {
        let numbers = (sensor.dim as u64).saturating_add(sensor.history() as u64);
        let bytes = numbers.saturating_mul(NUMBER);
        assets.charge(bytes).map_err(over_budget(ObjType::Sensor, &sensor.spec.meta))
    })
}

/// Charges the arrays of the model and of a state, but for what single elements were charged for.
pub fn charge_arrays(sizes: &Sizes, assets: &dyn Assets) -> Result<()> {
    let counted = sizes.ntexdata + 4 * sizes.nhfielddata + 8 * (sizes.nsensordata + sizes.nhistory);
    let footprint = sizes.footprint();
    assets.charge(footprint.bytes.saturating_sub(counted as u64)).map_err(|over| {
        let message = format!("model is too large: most of it is '{}': {over}", footprint.largest);
        MjcfError::Memory(Diagnostic::new(message).help(OverBudget::REMEDY))
    })
}
