//! Making and resetting the simulation state, and the checks that reset it when numbers go bad.

use crate::awake;
pub use crate::error::ResetError;
use crate::forward::forward;
use crate::kinematics;
use crate::sleep;
use crate::state;
use crate::support::{first_bad, is_bad};
use crate::tendon;
use crate::{history, plugin};
use ligament_model::constants::MINAWAKE;
use ligament_model::data::WarningStat;
use ligament_model::enums::{DisableBit, ObjType, SleepPolicy, State, Warning};
use ligament_model::{Data, Model};

/// Value of `tree_asleep` for a tree that is fully awake.
pub const FULLY_AWAKE: i32 = -(1 + MINAWAKE);

/// A state for the model, reset to its initial configuration.
pub fn make_data(m: &Model) -> Result<Data, ResetError> {
    let mut d = Data::new(m);
    d.plugins = plugin::instantiate(m)?.into();
    reset_data(m, &mut d)?;
    Ok(d)
}

/// Clears everything and sets the initial configuration. Plugin states are reset by their plugins.
pub fn reset_data(m: &Model, d: &mut Data) -> Result<(), ResetError> {
    if m.nhistory > 0 && m.opt.timestep <= 0.0 {
        return Err(ResetError::HistoryTimestep(m.opt.timestep));
    }
    if !d.fits(m) {
        return Err(ResetError::OtherModel);
    }
    d.clear_except(&["plugin_state", "plugin_data"]);
    d.eq_active.copy_from_slice(&m.eq_active0);
    history::reset(m, d);
    d.qpos.copy_from_slice(&m.qpos0);
    d.tree_asleep.fill(FULLY_AWAKE);
    if awake::sleep_enabled(m) {
        initial_sleep(m, d)?;
    }
    sleep::update_sleep(m, d);
    for body in 0..m.nbody {
        if let Ok(mocap) = usize::try_from(m.body_mocapid[body]) {
            d.mocap_pos[mocap] = m.body_pos[body];
            d.mocap_quat[mocap] = m.body_quat[body];
        }
    }
    d.plugin.copy_from_slice(&m.plugin);
    Ok(())
}

/// Makes everything as after a reset that neither the state vector nor the inputs cover: what sleeps, which results are
/// current, and readings of sensors that are switched off. Where trees may sleep, all results are computed anew.
pub fn forget(m: &Model, d: &mut Data) -> Result<(), ResetError> {
    if awake::sleep_enabled(m) || d.ntree_awake < m.ntree {
        let mut inputs = Data::new(m);
        let copied = state::copy_state(d, &mut inputs, State::User as i32);
        reset_data(m, d)?;
        let restored = state::copy_state(&inputs, d, State::User as i32);
        debug_assert!(copied.is_ok() && restored.is_ok());
    }
    d.clear_currency();
    d.energy = [0.0; 2];
    d.sensordata.fill(0.0);
    Ok(())
}

/// Resets to a keyframe; a key that does not exist gives the plain reset.
pub fn reset_data_keyframe(m: &Model, d: &mut Data, key: i32) -> Result<(), ResetError> {
    reset_data(m, d)?;
    let Some(key) = usize::try_from(key).ok().filter(|&key| key < m.nkey) else { return Ok(()) };
    fn row(x: &[f64], key: usize, n: usize) -> &[f64] {
        &x[key * n..(key + 1) * n]
    }
    d.time = m.key_time[key];
    d.qpos.copy_from_slice(row(&m.key_qpos, key, m.nq));
    d.qvel.copy_from_slice(row(&m.key_qvel, key, m.nv));
    d.act.copy_from_slice(row(&m.key_act, key, m.na));
    d.mocap_pos.as_flattened_mut().copy_from_slice(row(&m.key_mpos, key, 3 * m.nmocap));
    d.mocap_quat.as_flattened_mut().copy_from_slice(row(&m.key_mquat, key, 4 * m.nmocap));
    d.ctrl.copy_from_slice(row(&m.key_ctrl, key, m.nu));
    Ok(())
}

/// Computes what static bodies keep for ever, and puts the trees to sleep that start asleep.
fn initial_sleep(m: &Model, d: &mut Data) -> Result<(), ResetError> {
    let is_init = |tree: usize| m.tree_sleep_policy[tree] == SleepPolicy::Init as i32;
    let wanted = (0..m.ntree).filter(|&tree| is_init(tree)).count();
    sleep::update_sleep_init(m, d, true);
    if wanted == 0 {
        kinematics::kinematics(m, d);
        kinematics::com_pos(m, d);
        kinematics::cam_light(m, d);
        tendon::tendon(m, d);
        return Ok(());
    }
    // errors of the dynamics (such as a tendon that cannot have armature) come up again at the first step
    let _ = forward(m, d);
    for tree in 0..m.ntree {
        d.tree_asleep[tree] = if is_init(tree) { -1 } else { FULLY_AWAKE };
    }
    let slept = sleep::sleep(m, d);
    if slept != wanted {
        let tree = (0..m.ntree).find(|&tree| is_init(tree) && d.tree_asleep[tree] < 0).unwrap_or(0);
        let body = m.tree_bodyadr[tree] as usize;
        let name = m.name(ObjType::Body, body).unwrap_or("").to_string();
        return Err(ResetError::CannotSleep { wanted, slept, body, name });
    }
    d.qacc_smooth.fill(0.0);
    d.qfrc_smooth.fill(0.0);
    d.clear_constraints();
    Ok(())
}

/// Counts a warning about a bad number and resets, unless automatic reset is off. The reset clears the counters, so
/// the warning is set again after it.
pub(crate) fn bad_number(m: &Model, d: &mut Data, warning: Warning, index: usize) -> Result<(), ResetError> {
    d.warn(warning, index);
    if !m.opt.disabled(DisableBit::Autoreset) {
        reset_data(m, d)?;
    }
    let WarningStat { number, .. } = d.warning[warning as usize];
    d.warning[warning as usize] = WarningStat { lastinfo: index as i32, number: number + 1 };
    Ok(())
}

/// Checks positions.
pub fn check_pos(m: &Model, d: &mut Data) -> Result<(), ResetError> {
    match first_bad(&d.qpos) {
        Some(i) => bad_number(m, d, Warning::Badqpos, i),
        None => Ok(()),
    }
}

/// Checks velocities.
pub fn check_vel(m: &Model, d: &mut Data) -> Result<(), ResetError> {
    let dofs = awake::dofs(m, d);
    let bad = match dofs.index() {
        Some(_) => dofs.iter().find(|&i| is_bad(d.qvel[i])),
        None => first_bad(&d.qvel),
    };
    match bad {
        Some(i) => bad_number(m, d, Warning::Badqvel, i),
        None => Ok(()),
    }
}
