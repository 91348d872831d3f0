//! The state vector: parts of the data, selected by the bits of `State`, in a fixed order.

use crate::{awake, sleep};
use ligament_model::enums::State;
use ligament_model::{Data, Model, StateLayout};

/// Number of elementary parts of the state.
const PARTS: usize = 14;

/// What is wrong with a state signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum StateError {
    #[error("invalid state signature {0} < 0")]
    Negative(i32),
    #[error("invalid state signature {0} >= 2^mjNSTATE")]
    TooLarge(i32),
    #[error("dstsig is not a subset of srcsig")]
    NotASubset,
    #[error("state vector has {got} numbers, the signature needs {need}")]
    Length { got: usize, need: usize },
}

fn check(sig: i32) -> Result<(), StateError> {
    if sig < 0 {
        Err(StateError::Negative(sig))
    } else if sig >= 1 << PARTS {
        Err(StateError::TooLarge(sig))
    } else {
        Ok(())
    }
}

fn check_length(got: usize, need: usize) -> Result<(), StateError> {
    if got == need { Ok(()) } else { Err(StateError::Length { got, need }) }
}

/// The elementary parts in a signature, in the order of the state vector.
fn parts(sig: i32) -> impl Iterator<Item = i32> {
    (0..PARTS).map(|k| 1 << k).filter(move |bit| bit & sig != 0)
}

const EQ_ACTIVE: i32 = State::EqActive as i32;

fn part_size(m: &Model, bit: i32) -> usize {
    match State::try_from(bit) {
        Ok(State::Time) => 1,
        Ok(State::Qpos) => m.nq,
        Ok(State::Qvel | State::Warmstart | State::QfrcApplied) => m.nv,
        Ok(State::Act) => m.na,
        Ok(State::History) => m.nhistory,
        Ok(State::Ctrl) => m.nu,
        Ok(State::XfrcApplied) => 6 * m.nbody,
        Ok(State::EqActive) => m.neq,
        Ok(State::MocapPos) => 3 * m.nmocap,
        Ok(State::MocapQuat) => 4 * m.nmocap,
        Ok(State::Userdata) => m.nuserdata,
        Ok(State::Plugin) => m.npluginstate,
        Ok(State::Physics | State::Fullphysics | State::User | State::Integration) | Err(_) => 0,
    }
}

/// Memory of a part; equality flags are bytes and not reached this way.
fn part(d: &Data, bit: i32) -> &[f64] {
    match State::try_from(bit) {
        Ok(State::Time) => std::slice::from_ref(&d.time),
        Ok(State::Qpos) => &d.qpos,
        Ok(State::Qvel) => &d.qvel,
        Ok(State::Act) => &d.act,
        Ok(State::History) => &d.history,
        Ok(State::Warmstart) => &d.qacc_warmstart,
        Ok(State::Ctrl) => &d.ctrl,
        Ok(State::QfrcApplied) => &d.qfrc_applied,
        Ok(State::XfrcApplied) => d.xfrc_applied.as_flattened(),
        Ok(State::MocapPos) => d.mocap_pos.as_flattened(),
        Ok(State::MocapQuat) => d.mocap_quat.as_flattened(),
        Ok(State::Userdata) => &d.userdata,
        Ok(State::Plugin) => &d.plugin_state,
        _ => &[],
    }
}

fn part_mut(d: &mut Data, bit: i32) -> &mut [f64] {
    match State::try_from(bit) {
        Ok(State::Time) => std::slice::from_mut(&mut d.time),
        Ok(State::Qpos) => &mut d.qpos,
        Ok(State::Qvel) => &mut d.qvel,
        Ok(State::Act) => &mut d.act,
        Ok(State::History) => &mut d.history,
        Ok(State::Warmstart) => &mut d.qacc_warmstart,
        Ok(State::Ctrl) => &mut d.ctrl,
        Ok(State::QfrcApplied) => &mut d.qfrc_applied,
        Ok(State::XfrcApplied) => d.xfrc_applied.as_flattened_mut(),
        Ok(State::MocapPos) => d.mocap_pos.as_flattened_mut(),
        Ok(State::MocapQuat) => d.mocap_quat.as_flattened_mut(),
        Ok(State::Userdata) => &mut d.userdata,
        Ok(State::Plugin) => &mut d.plugin_state,
        _ => &mut [],
    }
}

/// Loads a row that [`StateLayout::save`] wrote: the next step gives the same bits as if it followed the saved state,
/// whatever `d` was used for before.
pub fn load_row(m: &Model, d: &mut Data, layout: &StateLayout, row: &[f64]) {
    d.clear_currency();
    layout.load(d, row);
    if awake::sleep_enabled(m) || d.ntree_awake < m.ntree {
        sleep::update_sleep(m, d);
    }
}

/// Length of the state vector of a signature.
pub fn state_size(m: &Model, sig: i32) -> Result<usize, StateError> {
    check(sig)?;
    Ok(parts(sig).map(|bit| part_size(m, bit)).sum())
}

/// Copies parts of the data into a state vector.
pub fn get_state(m: &Model, d: &Data, state: &mut [f64], sig: i32) -> Result<(), StateError> {
    check_length(state.len(), state_size(m, sig)?)?;
    let mut rest = state;
    for bit in parts(sig) {
        let (head, tail) = rest.split_at_mut(part_size(m, bit));
        if bit == EQ_ACTIVE {
            for (x, &active) in head.iter_mut().zip(&d.eq_active) {
                *x = f64::from(active);
            }
        } else {
            head.copy_from_slice(part(d, bit));
        }
        rest = tail;
    }
    Ok(())
}

/// Copies a state vector into the data.
pub fn set_state(m: &Model, d: &mut Data, state: &[f64], sig: i32) -> Result<(), StateError> {
    check_length(state.len(), state_size(m, sig)?)?;
    let mut rest = state;
    for bit in parts(sig) {
        let (head, tail) = rest.split_at(part_size(m, bit));
        if bit == EQ_ACTIVE {
            for (active, &x) in d.eq_active.iter_mut().zip(head) {
                *active = x as u8;
            }
        } else {
            part_mut(d, bit).copy_from_slice(head);
        }
        rest = tail;
    }
    Ok(())
}

/// Copies the parts of `dstsig` out of a state vector with the parts of `srcsig`.
pub fn extract_state(
    m: &Model,
    src: &[f64],
    srcsig: i32,
    dst: &mut [f64],
    dstsig: i32,
) -> Result<(), StateError> {
    check_length(src.len(), state_size(m, srcsig)?)?;
    if srcsig & dstsig != dstsig {
        return Err(StateError::NotASubset);
    }
    check_length(dst.len(), state_size(m, dstsig)?)?;
    let (mut from, mut to) = (0, 0);
    for bit in parts(srcsig) {
        let size = part_size(m, bit);
        if bit & dstsig != 0 {
            dst[to..to + size].copy_from_slice(&src[from..from + size]);
            to += size;
        }
        from += size;
    }
    Ok(())
}

/// Copies parts of the state from one data to another.
pub fn copy_state(src: &Data, dst: &mut Data, sig: i32) -> Result<(), StateError> {
    check(sig)?;
    for bit in parts(sig) {
        if bit == EQ_ACTIVE {
            dst.eq_active.copy_from_slice(&src.eq_active);
        } else {
            part_mut(dst, bit).copy_from_slice(part(src, bit));
        }
    }
    Ok(())
}
