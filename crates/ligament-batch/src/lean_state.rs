//! Between rows of a batch and the states of lean steps.

use crate::field::ResultField;
use crate::layout::{Layout, Part};
use crate::operation::{Record, RecordParts, Recorded, Rollout};
use ligament_lean::State;
use ligament_model::Model;
use ligament_model::enums::State as Bit;
use ligament_sim::support::is_bad;

/// What a step changes.
pub(crate) const MOVING: i32 = Bit::Time as i32
    | Bit::Qpos as i32
    | Bit::Qvel as i32
    | Bit::Act as i32
    | Bit::History as i32
    | Bit::Warmstart as i32;

/// Inputs that lean steps have; user data and states of plugins they have not.
const INPUTS: i32 = Bit::Ctrl as i32
    | Bit::QfrcApplied as i32
    | Bit::XfrcApplied as i32
    | Bit::EqActive as i32
    | Bit::MocapPos as i32
    | Bit::MocapQuat as i32;

/// Whether the exact step has to warn about controls, and do without them.
pub(crate) fn has_bad_control(state: &State) -> bool {
    state.ctrl.iter().any(|&x| is_bad(x))
}

/// Copies what a step depends on.
pub(crate) fn load(layout: &Layout, row: &[f64], state: &mut State) {
    for part in layout.parts() {
        set(part, &row[part.start..part.start + part.len], state);
    }
}

/// Copies the parts of the state whose bits are in `signature`.
pub(crate) fn save(layout: &Layout, state: &State, row: &mut [f64], signature: i32) {
    for part in layout.parts().iter().filter(|part| part.bit as i32 & signature != 0) {
        get(part, state, &mut row[part.start..part.start + part.len]);
    }
}

/// Sets the inputs of one step, given in the order of the row.
pub(crate) fn set_inputs(layout: &Layout, state: &mut State, mut values: &[f64], signature: i32) {
    for part in layout.parts().iter().filter(|part| part.bit as i32 & signature != 0) {
        let (own, rest) = values.split_at(part.len);
        set(part, own, state);
        values = rest;
    }
}

fn set(part: &Part, values: &[f64], state: &mut State) {
    match part.name {
        "time" => state.time = values[0],
        "qpos" => state.qpos.copy_from_slice(values),
        "qvel" => state.qvel.copy_from_slice(values),
        "act" => state.act.copy_from_slice(values),
        "qacc_warmstart" => state.qacc_warmstart.copy_from_slice(values),
        "ctrl" => state.ctrl.copy_from_slice(values),
        "qfrc_applied" => state.qfrc_applied.copy_from_slice(values),
        "xfrc_applied" => state.xfrc_applied.as_flattened_mut().copy_from_slice(values),
        "mocap_pos" => state.mocap_pos.as_flattened_mut().copy_from_slice(values),
        "mocap_quat" => state.mocap_quat.as_flattened_mut().copy_from_slice(values),
        "eq_active" => state.eq_active.iter_mut().zip(values).for_each(|(a, &b)| *a = b as u8),
        "history" => state.history.copy_from_slice(values),
        // models with plugins are refused, user data take no part in a step
        _ => {}
    }
}

/// Says whether the state has this part.
fn get(part: &Part, state: &State, values: &mut [f64]) -> bool {
    match part.name {
        "time" => values[0] = state.time,
        "qpos" => values.copy_from_slice(&state.qpos),
        "qvel" => values.copy_from_slice(&state.qvel),
        "act" => values.copy_from_slice(&state.act),
        "qacc_warmstart" => values.copy_from_slice(&state.qacc_warmstart),
        "ctrl" => values.copy_from_slice(&state.ctrl),
        "qfrc_applied" => values.copy_from_slice(&state.qfrc_applied),
        "xfrc_applied" => values.copy_from_slice(state.xfrc_applied.as_flattened()),
        "mocap_pos" => values.copy_from_slice(state.mocap_pos.as_flattened()),
        "mocap_quat" => values.copy_from_slice(state.mocap_quat.as_flattened()),
        "eq_active" => values.iter_mut().zip(&*state.eq_active).for_each(|(a, &b)| *a = f64::from(b)),
        "history" => values.copy_from_slice(&state.history),
        _ => return false,
    }
    true
}

/// The parts of the state that a record is made of; none where it needs more than a lean step computes.
fn recorded(layout: &Layout, record: &Record<'_>) -> Option<i32> {
    match record.what {
        Recorded::State(signature) => Some(signature),
        Recorded::Field(ResultField::Array(field)) => {
            let part = layout.part(field.name).filter(|part| part.bit as i32 & (MOVING | INPUTS) != 0)?;
            Some(part.bit as i32).filter(|_| field.name != "eq_active")
        }
        Recorded::Field(_) => None,
    }
}

impl Rollout<'_> {
    /// Whether lean steps have all that is set and recorded. Fields without numbers (sensors of a model that has none) are.
    pub(crate) fn is_lean(&self, model: &Model, layout: &Layout) -> bool {
        let fits = |record: &Record<'_>| match record.what {
            Recorded::Field(ResultField::Array(field)) if field.name == "sensordata" => {
                model.nsensordata == 0
            }
            _ => recorded(layout, record).is_some(),
        };
        self.control_spec & !INPUTS == 0 && self.records.iter().all(fits)
    }

    /// The inputs of one step.
    pub(crate) fn input(&self, layout: &Layout, item: usize, step: usize) -> Option<&[f64]> {
        let parts = layout.parts().iter().filter(|part| part.bit as i32 & self.control_spec != 0);
        let width: usize = parts.map(|part| part.len).sum();
        Some(&self.control?[(item * self.nstep + step) * width..][..width])
    }

    /// Records the state after a lean step; what that has not is taken from the row.
    pub(crate) fn record_lean(&self, layout: &Layout, state: &State, row: &[f64], item: usize, step: usize) {
        for record in self.records {
            let (Some(signature), RecordParts::F64(parts)) = (recorded(layout, record), &record.out) else {
                continue;
            };
            #[allow(unsafe_code)]
            // SAFETY: a call runs each of its items once, on one thread.
            let part = unsafe { parts.part(item) };
            let width = part.len() / self.nstep;
            let mut out = &mut part[step * width..(step + 1) * width];
            for part in layout.parts().iter().filter(|part| part.bit as i32 & signature != 0) {
                let (own, rest) = out.split_at_mut(part.len);
                if !get(part, state, own) {
                    own.copy_from_slice(&row[part.start..part.start + part.len]);
                }
                out = rest;
            }
        }
    }
}
