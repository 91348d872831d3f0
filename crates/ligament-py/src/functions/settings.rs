//! Actuator length ranges.

use super::{Data, Model, both_mut, fatal};
use ligament_model::LengthRangeOptions;
use ligament_model::enums::LRMode;
use ligament_py_macros::entry;
use ligament_sim::lengthrange::set_length_range;
use pyo3::prelude::*;

/// Sets the length range of one actuator; numbers are accel, maxforce, timeconst, timestep, inttotal, interval, tolrange.
#[entry]
fn _set_length_range(
    m: &Model<'_>,
    d: &Data<'_>,
    index: i64,
    mode: i32,
    useexisting: bool,
    uselimit: bool,
    numbers: [f64; 7],
) -> PyResult<()> {
    let mode = LRMode::try_from(mode).map_err(|mode| fatal(format!("invalid length-range mode {mode}")))?;
    let [accel, maxforce, timeconst, timestep, inttotal, interval, tolrange] = numbers;
    let options = LengthRangeOptions {
        mode,
        useexisting,
        uselimit,
        accel,
        maxforce,
        timeconst,
        timestep,
        inttotal,
        interval,
        tolrange,
    };
    let (mut model, mut data) = both_mut(m, d)?;
    let actuator = usize::try_from(index).unwrap_or(usize::MAX);
    set_length_range(&mut model, &mut data, actuator, &options).map_err(fatal)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_set_length_range, module)?)
}
