//! Geoms whose shape is the distance field of a plugin.

use super::{PluginError, Settings};
use ligament_geom::sdf_shapes::SdfShape;
use ligament_model::enums::GeomType;
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

/// The shape of a geom of type SDF, when a plugin gives it.
pub(crate) fn shape_of(m: &Model, d: &Data, geom: usize) -> Option<SdfShape> {
    if m.geom_type[geom] != GeomType::Sdf as i32 {
        return None;
    }
    let instance = usize::try_from(m.geom_plugin[geom]).ok()?;
    match d.plugins.get(instance)? {
        PluginInstance::Sdf(settings) => {
            SdfShape::from_plugin(REGISTRY[settings.slot].name, |n| settings.values.get(n).copied().flatten())
        }
        _ => None,
    }
}
