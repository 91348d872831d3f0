//! First-party plugins, built in: which there are, and what a simulation keeps of each instance.

use crate::constants::MAXCONPAIR;
use crate::enums::Stage;

/// PID control of an actuator's length.
#[derive(Debug, Clone, PartialEq)]
pub struct Pid {
    /// Gain of the error.
    pub p_gain: f64,
    /// Gain of its integral.
    pub i_gain: f64,
    /// Gain of its rate.
    pub d_gain: f64,
    /// Bound of the error integral.
    pub integral_max: Option<f64>,
    /// Fastest change of the set point, per second.
    pub slew_max: Option<f64>,
    /// Actuators that use the instance.
    pub actuators: Vec<usize>,
}

/// One body of a cable.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CableSegment {
    /// Torsional and the two bending stiffnesses of the cross section.
    pub stiffness: [f64; 3],
    /// Distance to the segment before; zero for the first.
    pub length: f64,
    /// Rotation vector to the segment before, without stress.
    pub rest_curvature: [f64; 3],
}

/// A chain of bodies with the elasticity of a rod.
#[derive(Debug, Clone, PartialEq)]
pub struct Cable {
    /// Body of the first segment.
    pub first_body: usize,
    /// Segments, from the first body on.
    pub segments: Vec<CableSegment>,
    /// Stress that has the last colour of the scale; zero: the cable keeps its own colours.
    pub greatest_stress: f64,
}

/// Contact forces on a grid of spherical coordinates around a site.
#[derive(Debug, Clone, PartialEq)]
pub struct TouchGrid {
    /// Number of the sensor.
    pub sensor: usize,
    /// Numbers a bin: force first.
    pub nchannel: usize,
    /// Bin edges in azimuth and elevation.
    pub edges: [Vec<f64>; 2],
}

/// A shape given by its distance field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SdfSettings {
    /// Position in the registry.
    pub slot: usize,
    /// Settings in the order of the plugin's attributes; `None`: not given.
    pub values: [Option<f64>; 5],
}

/// What a search of a distance field does next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Descent {
    /// It begins: what was found before is forgotten.
    Search,
    /// It descends from another starting point.
    Start,
    /// It looks at the slope at a point, in the frame of the field.
    Visit([f64; 3]),
}

/// The points that searches of a distance field went through.
#[derive(Debug, Clone, PartialEq, Default)]
struct Paths {
    points: Vec<[f64; 3]>,
    /// Where each path ends among the points.
    ends: Vec<usize>,
}

/// Where collision detection searched the distance fields of plugins, by instance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Descents {
    of: Vec<Paths>,
}

impl Descents {
    /// Points of one instance that are kept, as many as the reference keeps.
    const MOST_POINTS: usize = 10 * (MAXCONPAIR + 1) * (MAXCONPAIR + 1);

    /// Forgets all points; their memory stays.
    pub fn clear(&mut self) {
        self.of.iter_mut().for_each(Paths::clear);
    }

    /// Notes what a search of an instance's field did.
    pub fn note(&mut self, instance: usize, what: Descent) {
        if self.of.len() <= instance {
            self.of.resize(instance + 1, Paths::default());
        }
        let paths = &mut self.of[instance];
        let Paths { points, ends } = paths;
        match what {
            Descent::Search => paths.clear(),
            Descent::Start => ends.push(points.len()),
            Descent::Visit(point) => {
                if let Some(end) = ends.last_mut().filter(|_| points.len() < Self::MOST_POINTS) {
                    points.push(point);
                    *end = points.len();
                }
            }
        }
    }

    /// The paths of an instance, each from a starting point on.
    pub fn paths(&self, instance: usize) -> impl Iterator<Item = &[[f64; 3]]> {
        let paths = self.of.get(instance);
        let points = paths.map_or(&[][..], |paths| &paths.points);
        let mut start = 0;
        paths.map_or(&[][..], |paths| &paths.ends).iter().map(move |&end| {
            let path = &points[start..end];
            start = end;
            path
        })
    }
}

impl Paths {
    fn clear(&mut self) {
        self.points.clear();
        self.ends.clear();
    }
}

/// Run-time side of a plugin instance.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum PluginInstance {
    /// Nothing is kept between steps.
    #[default]
    Stateless,
    /// A PID actuator.
    Pid(Pid),
    /// An elastic cable.
    Cable(Cable),
    /// A grid of touch sensors.
    TouchGrid(TouchGrid),
    /// A shape given by its distance field.
    Sdf(SdfSettings),
}

/// What a plugin can be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// Forces of actuators.
    Actuator,
    /// Readings of sensors.
    Sensor,
    /// Passive forces.
    Passive,
    /// Distance fields.
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
    /// Name in texts.
    pub name: &'static str,
    /// What it computes.
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
