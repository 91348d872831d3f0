//! Derivatives of steps and of inverse dynamics by finite differences.
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
//! use ligament::derivatives::{Transition, transition_fd};
//! let (n, mut a, mut b) = (2 * model.nv, vec![0.0; 4], vec![0.0; 2]);
//! let wanted = Transition { A: Some(&mut a), B: Some(&mut b), ..Transition::default() };
//! transition_fd(&model, &mut data, 1e-6, true, wanted)?; // x' = A x + B u
//! assert!((a[1] - model.opt.timestep).abs() < 1e-4, "the position grows with the velocity");
//! assert_eq!(a.len(), n * n);
//! # Ok(())
//! # }
//! ```

pub use ligament_sim::differences::{
    InverseJacobians, StepJacobians, Transition, inverse_fd, passive_vel_fd, smooth_vel_fd, step_fd,
    transition_fd,
};
