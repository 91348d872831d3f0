//! Geoms whose shape is the distance field of a plugin.

use super::{PluginError, Settings};
use ligament_geom::sdf_shapes::SdfShape;
use ligament_math::{Vec3, mat3, quat, vec3};
use ligament_model::draw::{Canvas, Sketch};
use ligament_model::enums::{GeomType, VisFlag};
use ligament_model::plugin::{PluginInstance, REGISTRY, SdfSettings};
use ligament_model::{Data, Model};

pub fn instantiate(settings: Settings<'_>) -> Result<SdfSettings, PluginError> {
    let slot = settings.m.plugin[settings.instance] as usize;
    let mut values = [None; 5];
    for (value, key) in values.iter_mut().zip(REGISTRY[slot].attributes) {
        *value = settings.number(key)?;
    }
    Ok(SdfSettings { slot, values })
}

/// Settings of the plugin instance that gives a geom its shape, and the number of the instance.
fn settings_of<'a>(m: &Model, d: &'a Data, geom: usize) -> Option<(usize, &'a SdfSettings)> {
    if m.geom_type[geom] != GeomType::Sdf as i32 {
        return None;
    }
    let instance = usize::try_from(m.geom_plugin[geom]).ok()?;
    match d.plugins.get(instance)? {
        PluginInstance::Sdf(settings) => Some((instance, settings)),
        _ => None,
    }
}

/// The shape of a geom of type SDF, when a plugin gives it.
pub(crate) fn shape_of(m: &Model, d: &Data, geom: usize) -> Option<SdfShape> {
    let (_, settings) = settings_of(m, d, geom)?;
    SdfShape::from_plugin(REGISTRY[settings.slot].name, |n| settings.values.get(n).copied().flatten())
}

/// The plugin instance that gives a geom its shape, if it shows how that was searched: all do but tori.
pub(crate) fn instance_that_draws(m: &Model, d: &Data, geom: usize) -> Option<usize> {
    let (instance, settings) = settings_of(m, d, geom)?;
    (REGISTRY[settings.slot].name != "mujoco.sdf.torus").then_some(instance)
}

/// Draws the searches for contacts: a blue ball where each begins, a red one where it ends, lines between.
pub fn draw(m: &Model, d: &Data, instance: usize, canvas: &mut dyn Canvas) {
    if !canvas.shows(VisFlag::Sdfiter) {
        return;
    }
    let uses = |&g: &usize| usize::try_from(m.geom_plugin[g]) == Ok(instance);
    let geom = (0..m.ngeom).find(uses).unwrap_or(0);
    let mat = d.geom_xmat[geom];
    // Quirk of the reference: points are taken for those of the body, as if the search ran in its frame.
    let turn = mat3::mul_t(&mat, &quat::to_mat(m.geom_quat[geom]));
    let origin = vec3::sub(d.geom_xpos[geom], mat3::mul_vec(&turn, m.geom_pos[geom]));
    let in_world = |x: Vec3| vec3::add(mat3::mul_vec(&turn, x), origin);
    let radius = 0.2 * m.stat.meansize;
    for (number, path) in d.descents.paths(instance).enumerate() {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { continue };
        for (end, rgba) in [(first, [0.0, 0.0, 1.0, 1.0]), (last, [1.0, 0.0, 0.0, 1.0])] {
            let ball =
                Sketch::Solid { kind: GeomType::Sphere, size: [radius, 0.0, 0.0], pos: in_world(end), mat };
            if !canvas.draw(&ball, rgba, None) {
                return;
            }
        }
        for (j, pair) in path.windows(2).enumerate() {
            let (from, next) = (in_world(pair[0]), in_world(pair[1]));
            let to = std::array::from_fn(|k| from[k] + 0.95 * (next[k] - from[k]));
            let progress = (j as f64 + 1.0) / (path.len() as f64 - 1.0);
            let line = Sketch::Connector { kind: GeomType::Line, width: 2.0, from, to };
            if !canvas.draw(&line, [progress as f32, 0.0, (1.0 - progress) as f32, 1.0], Some(number)) {
                return;
            }
        }
    }
}
