//! First-party plugins, built in: what a simulation keeps of each instance.

/// PID control of an actuator's length.
#[derive(Debug, Clone, PartialEq)]
pub struct Pid {
    pub p_gain: f64,
    pub i_gain: f64,
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
    pub first_body: usize,
    pub segments: Vec<CableSegment>,
}

/// Contact forces on a grid of spherical coordinates around a site.
#[derive(Debug, Clone, PartialEq)]
pub struct TouchGrid {
    pub sensor: usize,
    pub nchannel: usize,
    /// Bin edges in azimuth and elevation.
    pub edges: [Vec<f64>; 2],
}

/// Run-time side of a plugin instance.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum PluginInstance {
    /// Nothing is kept between steps, as for signed-distance shapes.
    #[default]
    Stateless,
    Pid(Pid),
    Cable(Cable),
    TouchGrid(TouchGrid),
}
