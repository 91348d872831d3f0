//! The stages of a step, one by one and together.

use super::arrays::Output;
use super::{Data, Model, both_mut, callbacks, check_fit, fatal, pair, pair_mut};
use ligament_model::enums::Stage;
use ligament_py_macros::entry;
use ligament_sim as sim;
use ligament_sim::reset::ResetError;
use pyo3::prelude::*;
use std::time::{Duration, Instant};

macro_rules! stages {
    ($($name:ident => $inner:path;)+) => {
        $(
            #[entry]
            fn $name(py: Python<'_>, m: &Model<'_>, d: &Data<'_>) -> PyResult<()> {
                callbacks::run(py, m, d, |m, d| $inner(m, d))
            }
        )+

        /// Adds the stages that cannot fail.
        fn register_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)+
            Ok(())
        }
    };
}

stages! {
    mj_kinematics => sim::kinematics::kinematics;
    mj_comPos => sim::kinematics::com_pos;
    mj_camlight => sim::kinematics::cam_light;
    mj_flex => sim::flex::flex_kinematics;
    mj_tendon => sim::tendon::tendon;
    mj_transmission => sim::transmission::transmission;
    mj_makeM => sim::inertia::make_m;
    mj_crb => sim::inertia::crb;
    mj_factorM => sim::inertia::factor_m;
    mj_collision => sim::collision::collision;
    mj_makeConstraint => sim::constraint::make_constraint;
    mj_projectConstraint => sim::constraint::project_constraint;
    mj_referenceConstraint => sim::constraint::reference_constraint;
    mj_island => sim::island::island;
    mj_comVel => sim::velocity::com_vel;
    mj_passive => sim::passive::passive;
    mj_subtreeVel => sim::velocity::subtree_vel;
    mj_rnePostConstraint => sim::velocity::rne_post_constraint;
    mj_energyPos => sim::energy::energy_pos;
    mj_energyVel => sim::energy::energy_vel;
    mj_sensorPos => sim::sensor::sensor_pos;
    mj_sensorVel => sim::sensor::sensor_vel;
    mj_sensorAcc => sim::sensor::sensor_acc;
    mj_fwdKinematics => sim::step::fwd_kinematics;
    mj_fwdPosition => sim::step::fwd_position;
    mj_fwdActuation => sim::actuation::fwd_actuation;
    mj_fwdAcceleration => sim::step::fwd_acceleration;
    mj_invConstraint => sim::inverse::inv_constraint;
    mj_invPosition => sim::inverse::inv_position;
}

macro_rules! fallible_stages {
    ($($name:ident => $inner:path;)+) => {
        $(
            #[entry]
            fn $name(py: Python<'_>, m: &Model<'_>, d: &Data<'_>) -> PyResult<()> {
                callbacks::run(py, m, d, |m, d| $inner(m, d))?.map_err(fatal)
            }
        )+

        /// Adds the stages that can fail.
        fn register_fallible_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)+
            Ok(())
        }
    };
}

fallible_stages! {
    mj_forward => sim::step::forward;
    mj_step1 => sim::step::step1;
    mj_step2 => sim::step::step2;
    mj_inverse => sim::inverse::inverse;
    mj_compareFwdInv => sim::inverse::compare_fwd_inv;
    mj_fwdVelocity => sim::step::fwd_velocity;
    mj_fwdConstraint => sim::step::solve_constraints;
    mj_invVelocity => sim::step::fwd_velocity;
    mj_checkPos => sim::reset::check_pos;
    mj_checkVel => sim::reset::check_vel;
    mj_checkAcc => sim::reset::check_acc;
    mj_Euler => sim::integrate::euler;
    mj_implicit => sim::integrate::implicit;
}

/// How long steps are made before Python may handle signals, such as Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(100);

/// Advances the simulation. Optionally, repeat nstep times.
#[entry]
#[pyo3(signature = (m, d, nstep = 1))]
fn mj_step(py: Python<'_>, m: &Model<'_>, d: &Data<'_>, nstep: i32) -> PyResult<()> {
    if nstep == 1 {
        return callbacks::run(py, m, d, sim::step::step)?.map_err(fatal);
    }
    drop(pair(m, d)?); // also when there is nothing to do
    let mut left = nstep;
    while left > 0 {
        let start = Instant::now();
        callbacks::run(py, m, d, |m, d| {
            while left > 0 && start.elapsed() < PATIENCE && !callbacks::has_raised() {
                sim::step::step(m, d)?;
                left -= 1;
            }
            Ok(())
        })?
        .map_err(|error: sim::step::StepError| fatal(error))?;
        py.check_signals()?;
    }
    Ok(())
}

/// Integrates with Runge-Kutta; only the fourth order exists.
#[entry]
fn mj_RungeKutta(py: Python<'_>, m: &Model<'_>, d: &Data<'_>, N: i32) -> PyResult<()> {
    if N != 4 {
        return Err(fatal(format!("Runge-Kutta of order {N} is not supported, only of order 4")));
    }
    callbacks::run(py, m, d, sim::integrate::runge_kutta4)?.map_err(fatal)
}

fn stage(value: i32) -> PyResult<Stage> {
    Stage::try_from(value).map_err(|v| fatal(format!("invalid stage {v}")))
}

#[entry]
fn mj_forwardSkip(
    py: Python<'_>,
    m: &Model<'_>,
    d: &Data<'_>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    let skip = stage(skipstage)?;
    callbacks::run(py, m, d, |m, d| sim::step::forward_skip(m, d, skip, skipsensor != 0))?.map_err(fatal)
}

#[entry]
fn mj_inverseSkip(
    py: Python<'_>,
    m: &Model<'_>,
    d: &Data<'_>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    let skip = stage(skipstage)?;
    callbacks::run(py, m, d, |m, d| sim::inverse::inverse_skip(m, d, skip, skipsensor != 0))?.map_err(fatal)
}

#[entry]
fn mj_rne<'py>(m: &Model<'py>, d: &Data<'py>, flg_acc: i32, result: &Bound<'py, PyAny>) -> PyResult<()> {
    let (model, mut data) = pair_mut(m, d)?;
    let mut out = vec![0.0; model.nv];
    sim::velocity::rne(&model, &mut data, flg_acc != 0, &mut out);
    Output::new(result, "result", out.len())?.slice().copy_from_slice(&out);
    Ok(())
}

/// Overwrites a state, which makes it usable again after an internal error.
fn reset(
    m: &Model<'_>,
    d: &Data<'_>,
    work: impl FnOnce(&ligament_model::Model, &mut ligament_model::Data) -> Result<(), ResetError>,
) -> PyResult<()> {
    let (model, mut data) = (m.get().read()?, d.get().shared.overwrite()?);
    check_fit(&model, &data)?;
    work(&model, &mut data).map_err(fatal)?;
    data.repaired();
    Ok(())
}

#[entry]
fn mj_resetData(m: &Model<'_>, d: &Data<'_>) -> PyResult<()> {
    reset(m, d, sim::reset::reset_data)
}

#[entry]
fn mj_resetDataKeyframe(m: &Model<'_>, d: &Data<'_>, key: i32) -> PyResult<()> {
    reset(m, d, |m, d| sim::reset::reset_data_keyframe(m, d, key))
}

#[entry]
fn mj_setConst(m: &Model<'_>, d: &Data<'_>) -> PyResult<()> {
    let (mut model, mut data) = both_mut(m, d)?;
    sim::setconst::set_const(&mut model, &mut data).map_err(fatal)
}

#[entry]
fn mj_setKeyframe(m: &Model<'_>, d: &Data<'_>, k: i64) -> PyResult<()> {
    let (mut model, data) = both_mut(m, d)?;
    let key = usize::try_from(k).ok().filter(|&key| key < model.nkey).ok_or_else(|| {
        let count = model.nkey;
        fatal(format!("mj_setKeyframe: index must be smaller than {count} (keyframes allocated in model)"))
    })?;
    sim::support::set_keyframe(&mut model, &data, key);
    Ok(())
}

/// Ends in the middle, as only a mistake in the engine could: for tests of what happens then.
#[entry]
fn _provoke_internal_error(py: Python<'_>, m: &Model<'_>, d: &Data<'_>) -> PyResult<()> {
    callbacks::run(py, m, d, |_, d| {
        d.contact = Vec::new();
        panic!("provoked")
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_stages(module)?;
    register_fallible_stages(module)?;
    module.add_function(wrap_pyfunction!(_provoke_internal_error, module)?)?;
    module.add_function(wrap_pyfunction!(mj_step, module)?)?;
    module.add_function(wrap_pyfunction!(mj_resetData, module)?)?;
    module.add_function(wrap_pyfunction!(mj_RungeKutta, module)?)?;
    module.add_function(wrap_pyfunction!(mj_forwardSkip, module)?)?;
    module.add_function(wrap_pyfunction!(mj_inverseSkip, module)?)?;
    module.add_function(wrap_pyfunction!(mj_rne, module)?)?;
    module.add_function(wrap_pyfunction!(mj_resetDataKeyframe, module)?)?;
    module.add_function(wrap_pyfunction!(mj_setConst, module)?)?;
    module.add_function(wrap_pyfunction!(mj_setKeyframe, module)?)
}
