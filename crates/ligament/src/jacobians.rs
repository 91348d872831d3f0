//! Jacobians of points, bodies, geoms and sites: how they move per unit velocity of each degree of freedom.
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
//! data.forward(&model)?;
//! let tip = model.id(ObjType::Site, "tip").unwrap();
//! let mut linear = vec![0.0; 3 * model.nv]; // by rows
//! ligament::jacobians::jac_site(&model, &data, Some(&mut linear), None, tip);
//! // a turn about y moves a point at x = 0.5 downwards
//! assert!((linear[2] + 0.5).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```

pub use ligament_sim::support::{
    Motion, angmom_mat, jac, jac_body, jac_body_com, jac_dot, jac_geom, jac_point, jac_point_axis, jac_site,
    jac_subtree_com,
};
