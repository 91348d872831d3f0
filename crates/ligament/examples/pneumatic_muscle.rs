//! A force law of one's own: a pneumatic muscle (McKibben) lifts a forearm.
//!
//! The pull of a braided tube under pressure p is F = p π r² (a (1 − ε)² − b) with the contraction ε, where
//! a = 3 / tan² θ and b = 1 / sin² θ follow from the angle θ of the braid at rest (Chou, Hannaford 1996).

use ligament::parts::{ActuatorForce, ActuatorState, Part, PartError, check_parameter, set_gain};
use ligament::prelude::*;
use std::f64::consts::PI;

/// Pull in proportion to the pressure, which is the activation of the actuator in pascal.
struct PneumaticMuscle {
    /// Length and radius at rest, in metres; angle of the braid at rest, in radians.
    length: f64,
    radius: f64,
    angle: f64,
}

impl PneumaticMuscle {
    fn new(length: f64, radius: f64, angle: f64) -> Result<Self, PartError> {
        for (name, value) in [("length", length), ("radius", radius), ("angle", angle)] {
            check_parameter("pneumatic_muscle", name, value, false)?;
        }
        Ok(Self { length, radius, angle })
    }
}

impl Part for PneumaticMuscle {
    fn name(&self) -> &str {
        "pneumatic_muscle"
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.length, self.radius, self.angle]
    }
}

impl ActuatorForce for PneumaticMuscle {
    fn force(&self, at: &ActuatorState) -> f64 {
        let contraction = 1.0 - at.length / self.length;
        let (a, b) = (3.0 / self.angle.tan().powi(2), 1.0 / self.angle.sin().powi(2));
        let shape = a * (1.0 - contraction).powi(2) - b;
        // a tube does not push
        -at.input * PI * self.radius.powi(2) * shape.max(0.0)
    }
}

const ARM: &str = r#"
<mujoco>
  <option integrator="implicitfast"/>
  <worldbody>
    <site name="shoulder" pos="0.02 0 0"/>
    <body pos="0 0 -.3">
      <joint name="elbow" axis="0 1 0" damping=".05" range="-150 0"/>
      <geom type="capsule" fromto="0 0 0 .25 0 0" size=".02" mass="1"/>
      <site name="insertion" pos=".04 0 0"/>
    </body>
  </worldbody>
  <tendon><spatial name="muscle"><site site="shoulder"/><site site="insertion"/></spatial></tendon>
  <actuator><general tendon="muscle" dyntype="filterexact" dynprm=".05"/></actuator>
</mujoco>"#;

/// Angle of the elbow, in degrees, after two seconds under a pressure.
pub fn lift(pressure: f64) -> Result<f64, Box<dyn std::error::Error>> {
    let mut model = ligament::load_model(ARM)?;
    set_gain(&mut model, 0, PneumaticMuscle::new(0.32, 0.015, 0.4)?)?;
    let mut data = model.make_data()?;
    data.ctrl[0] = pressure;
    while data.time < 2.0 {
        data.step(&model)?;
    }
    Ok(data.qpos[0].to_degrees())
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for kilopascal in [0.0, 5.0, 7.0, 10.0, 20.0, 40.0] {
        println!("{kilopascal:2} kPa: elbow at {:6.1} degrees", lift(kilopascal * 1e3)?);
    }
    Ok(())
}
