//! Numbers of any kind in states and options of good models.

use crate::Numbers;
use ligament::derivatives::{Transition, transition_fd};
use ligament::prelude::*;
use ligament::stages::inverse;
use ligament_model::array::ArrayMut;
use ligament_model::option::Options;

/// Overwrites numbers of the state and of the options of a seed and simulates, in the order that the bytes say.
pub fn run(seed: usize, bytes: &[u8]) {
    let text = crate::mjcf::SEEDS[seed % crate::mjcf::SEEDS.len()];
    let Ok(mut model) = ligament::load_model(text) else { return };
    let Ok(mut data) = model.make_data() else { return };
    data.effort = crate::mjcf::CASE_EFFORT;
    let mut numbers = Numbers::new(bytes);
    while !numbers.is_empty() {
        let done = match numbers.byte() % 8 {
            0..=3 => {
                overwrite_state(&mut data, &mut numbers);
                Ok(())
            }
            4 => {
                overwrite_option(&mut model, &mut numbers);
                Ok(())
            }
            5 => data.step(&model),
            6 => inverse(&model, &mut data),
            _ => differences(&model, &mut data, &mut numbers),
        };
        if done.is_err() {
            return;
        }
    }
    let _ = data.step(&model);
}

fn overwrite_state(data: &mut Data, numbers: &mut Numbers<'_>) {
    let field = &Data::FIELDS[usize::from(numbers.short()) % Data::FIELDS.len()];
    let at = usize::from(numbers.short());
    if let ArrayMut::F64(x) = (field.get_mut)(data)
        && !x.is_empty()
    {
        x[at % x.len()] = numbers.real();
    }
}

fn overwrite_option(model: &mut Model, numbers: &mut Numbers<'_>) {
    let field = &Options::FIELDS[usize::from(numbers.byte()) % Options::FIELDS.len()];
    match (field.get_mut)(&mut model.opt) {
        ArrayMut::F64(x) => x[0] = numbers.real(),
        ArrayMut::I32(x) => x[0] = i32::from(numbers.short() as i16),
        _ => {}
    }
}

/// Derivatives of a step, where there are few enough of them.
fn differences(model: &Model, data: &mut Data, numbers: &mut Numbers<'_>) -> Result<(), StepError> {
    if model.nv > 30 {
        return Ok(());
    }
    let size = 2 * model.nv + model.na;
    let mut a = vec![0.0; size * size];
    let eps = numbers.real();
    transition_fd(model, data, eps, false, Transition { A: Some(&mut a), ..Transition::default() })
}
