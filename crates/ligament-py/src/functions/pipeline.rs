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
    ($($(#[$doc:meta])* $name:ident => $inner:path;)+) => {
        $(
            $(#[$doc])*
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
    /// Poses of bodies, joints, geoms and sites.
    mj_kinematics => sim::kinematics::kinematics;
    /// Centres of mass and what is measured from them: inertias and motion axes.
    mj_comPos => sim::kinematics::com_pos;
    /// Poses of cameras and lights.
    mj_camlight => sim::kinematics::cam_light;
    /// Vertices and edges of flexes.
    mj_flex => sim::flex::flex_kinematics;
    /// Paths, lengths and Jacobians of tendons.
    mj_tendon => sim::tendon::tendon;
    /// Lengths and moments of actuators.
    mj_transmission => sim::transmission::transmission;
    /// Mass matrix, with the armature of joints and tendons.
    mj_makeM => sim::inertia::make_m;
    /// Composite inertias and the mass matrix.
    mj_crb => sim::inertia::crb;
    /// Sparse factors of the mass matrix.
    mj_factorM => sim::inertia::factor_m;
    /// Finds all contacts.
    mj_collision => sim::collision::collision;
    /// Rows of all constraints.
    mj_makeConstraint => sim::constraint::make_constraint;
    /// Inverse inertia in the space of the constraints.
    mj_projectConstraint => sim::constraint::project_constraint;
    /// Velocities and reference accelerations of the constraints.
    mj_referenceConstraint => sim::constraint::reference_constraint;
    /// Groups of degrees of freedom that constraints connect.
    mj_island => sim::island::island;
    /// Velocities of bodies and rates of the motion axes.
    mj_comVel => sim::velocity::com_vel;
    /// Forces of springs, dampers, gravity compensation and fluids.
    mj_passive => sim::passive::passive;
    /// Velocities and angular momenta of subtrees.
    mj_subtreeVel => sim::velocity::subtree_vel;
    /// Accelerations of bodies and forces between them, once the constraint forces are known.
    mj_rnePostConstraint => sim::rne_post::rne_post_constraint;
    /// Potential energy.
    mj_energyPos => sim::energy::energy_pos;
    /// Kinetic energy.
    mj_energyVel => sim::energy::energy_vel;
    /// Sensors that depend on position.
    mj_sensorPos => sim::sensor::sensor_pos;
    /// Sensors that depend on velocity.
    mj_sensorVel => sim::sensor::sensor_vel;
    /// Sensors that depend on acceleration and force.
    mj_sensorAcc => sim::sensor::sensor_acc;
    /// Poses, flexes and tendons.
    mj_fwdKinematics => sim::step::fwd_kinematics;
    /// Everything that depends on position only.
    mj_fwdPosition => sim::step::fwd_position;
    /// Actuator forces and rates of activations.
    mj_fwdActuation => sim::actuation::fwd_actuation;
    /// Smooth forces and the acceleration they would cause alone.
    mj_fwdAcceleration => sim::step::fwd_acceleration;
    /// Constraint forces that an acceleration implies.
    mj_invConstraint => sim::inverse::inv_constraint;
    /// Everything inverse dynamics needs that depends on position only.
    mj_invPosition => sim::inverse::inv_position;
}

macro_rules! fallible_stages {
    ($($(#[$doc:meta])* $name:ident => $inner:path;)+) => {
        $(
            $(#[$doc])*
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
    /// Forward dynamics: everything up to the acceleration, without moving the state.
    mj_forward => sim::step::forward;
    /// First half of a step: what does not depend on control.
    mj_step1 => sim::step::step1;
    /// Second half of a step: control, forces, acceleration, integration.
    mj_step2 => sim::step::step2;
    /// Inverse dynamics: the force that causes the given acceleration.
    mj_inverse => sim::inverse::inverse;
    /// Compares forward and inverse dynamics; results are in `solver_fwdinv`.
    mj_compareFwdInv => sim::inverse::compare_fwd_inv;
    /// Everything that depends on velocity.
    mj_fwdVelocity => sim::step::fwd_velocity;
    /// Constraint forces and the acceleration with them.
    mj_fwdConstraint => sim::step::solve_constraints;
    /// Everything inverse dynamics needs that depends on velocity.
    mj_invVelocity => sim::step::fwd_velocity;
    /// Resets the state if a position is bad.
    mj_checkPos => sim::reset::check_pos;
    /// Resets the state if a velocity is bad.
    mj_checkVel => sim::reset::check_vel;
    /// Resets the state if an acceleration is bad.
    mj_checkAcc => sim::step::check_acc;
    /// Integrates by the semi-implicit Euler method.
    mj_Euler => sim::integrate::euler;
    /// Integrates implicitly in velocity.
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

/// Forward dynamics without the stages up to `skipstage`, and without sensors if `skipsensor` is set.
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

/// Inverse dynamics without the stages up to `skipstage`, and without sensors if `skipsensor` is set.
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

/// Recursive Newton-Euler: bias forces, with `flg_acc` those of the acceleration too.
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

/// Resets a state to that of the model.
#[entry]
fn mj_resetData(m: &Model<'_>, d: &Data<'_>) -> PyResult<()> {
    reset(m, d, sim::reset::reset_data)
}

/// Resets a state to a keyframe; a key that does not exist gives the plain reset.
#[entry]
fn mj_resetDataKeyframe(m: &Model<'_>, d: &Data<'_>, key: i32) -> PyResult<()> {
    reset(m, d, |m, d| sim::reset::reset_data_keyframe(m, d, key))
}

/// Recomputes the constants of a model that depend on others, after a change of its numbers.
#[entry]
fn mj_setConst(m: &Model<'_>, d: &Data<'_>) -> PyResult<()> {
    let (mut model, mut data) = both_mut(m, d)?;
    sim::setconst::set_const(&mut model, &mut data).map_err(fatal)
}

/// Stores a state as a keyframe of the model.
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
        d.contact.clear();
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
