//! Sleeping of trees: which bodies and dofs are awake.

use ligament_model::enums::{ObjType, SleepState};
use ligament_model::{Data, Model};

/// Recomputes the awake lists from `tree_asleep`, treating static bodies as awake when `static_awake` is set.
pub fn update_sleep_init(m: &Model, d: &mut Data, static_awake: bool) {
    d.ntree_awake = 0;
    for i in 0..m.ntree {
        d.tree_awake[i] = i32::from(d.tree_asleep[i] < 0);
        d.ntree_awake += d.tree_awake[i] as usize;
    }
    (d.nbody_awake, d.nparent_awake, d.nv_awake) = (0, 0, 0);
    for i in 0..m.nbody {
        let state = match m.body_treeid[i] {
            tree if tree >= 0 && d.tree_awake[tree as usize] == 0 => SleepState::Asleep,
            tree if tree >= 0 => SleepState::Awake,
            _ if static_awake || m.body_mocapid[m.body_rootid[i] as usize] >= 0 => SleepState::Awake,
            _ => SleepState::Static,
        };
        d.body_awake[i] = state as i32;
        if state != SleepState::Asleep {
            d.body_awake_ind[d.nbody_awake] = i as i32;
            d.nbody_awake += 1;
        }
        if i > 0 && d.body_awake[m.body_parentid[i] as usize] != SleepState::Asleep as i32 {
            d.parent_awake_ind[d.nparent_awake] = i as i32;
            d.nparent_awake += 1;
        }
    }
    for i in 0..m.nv {
        let body = m.dof_bodyid[i] as usize;
        if m.body_treeid[body] >= 0 && d.body_awake[body] == SleepState::Awake as i32 {
            d.dof_awake_ind[d.nv_awake] = i as i32;
            d.nv_awake += 1;
        }
    }
}

/// Recomputes the awake lists from `tree_asleep`.
pub fn update_sleep(m: &Model, d: &mut Data) {
    update_sleep_init(m, d, false);
}

/// Wakes trees that were disturbed; returns whether any woke. No tree sleeps yet, so none wakes.
pub fn wake(_m: &Model, _d: &mut Data) -> bool {
    false
}

/// Sleep state of an object. No tree sleeps yet.
pub fn sleep_state(_m: &Model, _d: &Data, _kind: ObjType, _id: usize) -> SleepState {
    SleepState::Awake
}
