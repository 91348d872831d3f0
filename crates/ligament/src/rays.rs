//! Rays: what lies in a direction, and where.
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
//! use ligament::rays::{Ray, RayFilter, ray};
//! data.forward(&model)?;
//! let down = Ray { origin: [0.25, 0.0, 2.0], direction: [0.0, 0.0, -1.0] };
//! let seen = ray(&model, &data, &down, &RayFilter::ALL).unwrap();
//! assert_eq!(model.name(ObjType::Geom, seen.geom), Some("bar"));
//! assert!((seen.hit.distance - 0.95).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```

pub use ligament_geom::ray::{Hit, Pose, Ray};
pub use ligament_sim::ray::{
    FlexParts, GeomHit, RayFilter, ray, ray_flex, ray_geom, ray_hfield, ray_mesh, ray_primitive,
};
