//! State vectors: parts of a state as numbers, and rows from which a simulation goes on with the same bits.
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
//! use ligament::states::{StateLayout, load_row};
//! let layout = StateLayout::new(&model);
//! let mut row = vec![0.0; layout.len()];
//! layout.save(&data, &mut row);
//! for _ in 0..10 {
//!     data.step(&model)?;
//! }
//! let later = data.qpos[0];
//! load_row(&model, &mut data, &layout, &row);
//! for _ in 0..10 {
//!     data.step(&model)?;
//! }
//! assert_eq!(data.qpos[0].to_bits(), later.to_bits());
//! # Ok(())
//! # }
//! ```

pub use ligament_model::StateLayout;
pub use ligament_sim::state::{
    StateError, copy_state, extract_state, get_state, load_row, set_state, state_size,
};
