//! The stages of a step one by one, with what each reads and writes.
//!
//! ```
//! # use ligament::prelude::*;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let model = ligament::load_model(
//! #     "<mujoco><worldbody><body pos='0 0 1'><joint name='hinge' axis='0 1 0'/>
//! #      <geom name='bar' type='capsule' size='.05' fromto='0 0 0 .5 0 0'/><site name='tip' pos='.5 0 0'/></body></worldbody>
//! #      <actuator><motor joint='hinge'/></actuator></mujoco>",
//! # )?;
//! # let mut data = model.make_data()?;
//! use ligament::stages::{STAGES, fwd_position, kinematics};
//! kinematics(&model, &mut data); // poses alone
//! fwd_position(&model, &mut data); // everything that depends on positions
//! let stage = STAGES.iter().find(|stage| stage.name == "kinematics").unwrap();
//! assert!(stage.access.reads.contains(&"qpos") && stage.access.writes.contains(&"xpos"));
//! # Ok(())
//! # }
//! ```

pub use ligament_sim::actuation::fwd_actuation;
pub use ligament_sim::collision::collision;
pub use ligament_sim::constraint::{make_constraint, project_constraint, reference_constraint};
pub use ligament_sim::energy::{energy_pos, energy_vel};
pub use ligament_sim::flex::flex_kinematics;
pub use ligament_sim::forward::{
    forward, forward_skip, forward_to, fwd_acceleration, fwd_kinematics, fwd_position, fwd_velocity,
    solve_constraints,
};
pub use ligament_sim::inertia::{factor_m, make_m};
pub use ligament_sim::integrate::{euler, implicit, runge_kutta4};
pub use ligament_sim::inverse::{compare_fwd_inv, inv_constraint, inv_position, inverse, inverse_skip};
pub use ligament_sim::island::island;
pub use ligament_sim::kinematics::{cam_light, com_pos, kinematics};
pub use ligament_sim::passive::passive;
pub use ligament_sim::rne_post::rne_post_constraint;
pub use ligament_sim::sensor::{sensor_acc, sensor_pos, sensor_vel};
pub use ligament_sim::stages::{Access, STAGES, StageEntry};
pub use ligament_sim::step::{step, step_skip, step1, step2};
pub use ligament_sim::tendon::tendon;
pub use ligament_sim::transmission::transmission;
pub use ligament_sim::velocity::{com_vel, subtree_vel};
