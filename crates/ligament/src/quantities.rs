//! What follows from a state: inertia, forces, distances, velocities, positions between configurations.
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
//! use ligament::quantities::{full_m, solve_m};
//! data.forward(&model)?;
//! let mut inertia = vec![0.0; model.nv * model.nv];
//! full_m(&model, &mut inertia, &data.qM);
//! let mut acceleration = [0.0];
//! solve_m(&model, &data, &mut acceleration, &[1.0]);
//! assert!((inertia[0] * acceleration[0] - 1.0).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```

pub use ligament_sim::collision::{GeomDistance, geom_distance};
pub use ligament_sim::constraint::{contact_force, mul_jac_t_vec, mul_jac_vec};
pub use ligament_sim::inertia::{full_m, mul_m, solve_m};
pub use ligament_sim::setconst::{SetConstError, set_const};
pub use ligament_sim::support::{
    apply_ft, differentiate_pos, get_totalmass, integrate_pos, local2global, normalize_quat,
    object_acceleration, object_velocity, set_keyframe, set_totalmass,
};
pub use ligament_sim::velocity::rne;
