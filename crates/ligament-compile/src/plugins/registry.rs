//! The plugins that are known, in the order of their slots in the reference's Python package.

use ligament_model::enums::Stage;

/// What a plugin can be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    Actuator,
    Sensor,
    Passive,
    Sdf,
}

impl Capability {
    /// The end of "plugin … does not support …".
    pub fn what(self) -> &'static str {
        match self {
            Self::Actuator => "actuators",
            Self::Sensor => "sensors",
            Self::Passive => "passive forces",
            Self::Sdf => "sign distance fields",
        }
    }
}

/// A known plugin.
#[derive(Debug, PartialEq, Eq)]
pub struct PluginKind {
    pub name: &'static str,
    pub capability: Capability,
    /// Names of its settings, in the order they are stored.
    pub attributes: &'static [&'static str],
    /// Stage after which a sensor plugin can be computed.
    pub needstage: Stage,
}

const fn sdf(name: &'static str, attributes: &'static [&'static str]) -> PluginKind {
    PluginKind { name, capability: Capability::Sdf, attributes, needstage: Stage::None }
}

/// Known plugins; the position is the slot.
pub const REGISTRY: [PluginKind; 8] = [
    PluginKind {
        name: "mujoco.pid",
        capability: Capability::Actuator,
        attributes: &["kp", "ki", "kd", "imax", "slewmax"],
        needstage: Stage::None,
    },
    PluginKind {
        name: "mujoco.elasticity.cable",
        capability: Capability::Passive,
        attributes: &["twist", "bend", "flat", "vmax"],
        needstage: Stage::None,
    },
    PluginKind {
        name: "mujoco.sensor.touch_grid",
        capability: Capability::Sensor,
        attributes: &["nchannel", "size", "fov", "gamma"],
        needstage: Stage::Acc,
    },
    sdf("mujoco.sdf.bolt", &["radius"]),
    sdf("mujoco.sdf.bowl", &["height", "radius", "thickness"]),
    sdf("mujoco.sdf.gear", &["alpha", "diameter", "teeth", "thickness", "innerdiameter"]),
    sdf("mujoco.sdf.nut", &["radius"]),
    sdf("mujoco.sdf.torus", &["radius1", "radius2"]),
];

/// Slot of a plugin by name.
pub fn slot(name: &str) -> Option<usize> {
    REGISTRY.iter().position(|kind| kind.name == name)
}
