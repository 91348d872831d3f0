//! Length ranges of actuators, found by pulling each actuator to both ends in simulation.

use crate::inertia;
use crate::reset::reset_data;
use crate::step::{StepError, step1, step2};
use ligament_math::MINVAL;
use ligament_model::LengthRangeOptions;
use ligament_model::enums::{BiasType, DisableBit, GainType, LRMode, TrnType};
use ligament_model::limits::DEFAULT_EFFORT;
use ligament_model::{Data, Model};
use std::sync::atomic::{AtomicU64, Ordering};

/// Operations that the simulations of one call may take for each that a step may take: some seconds.
const EFFORT_OF_STEPS: u64 = 4;

/// Why a length range could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum LengthRangeError {
    #[error("invalid actuator index")]
    Index,
    #[error("Unstable lengthrange simulation in actuator {0}")]
    Unstable(usize),
    #[error(
        "Lengthrange simulation takes too long at actuator {actuator}: use a larger time step or a shorter inttotal, \
         or give length ranges"
    )]
    TooLong { actuator: usize },
    #[error("Invalid lengthrange ({}, {}) in actuator {actuator}", range[0], range[1])]
    Invalid { actuator: usize, range: [f64; 2] },
    #[error(
        "Lengthrange computation did not converge in actuator {actuator}:\n  eval ({}, {})\n  range ({}, {})",
        eval[0], eval[1], range[0], range[1]
    )]
    NotConverged { actuator: usize, eval: [f64; 2], range: [f64; 2] },
    #[error(transparent)]
    Step(#[from] StepError),
}

impl LengthRangeError {
    /// The actuator to blame.
    pub fn actuator(&self) -> Option<usize> {
        match *self {
            Self::Unstable(actuator)
            | Self::TooLong { actuator }
            | Self::Invalid { actuator, .. }
            | Self::NotConverged { actuator, .. } => Some(actuator),
            Self::Index | Self::Step(_) => None,
        }
    }
}

/// Work that is left for the simulations of a call, which may run side by side.
struct Meter {
    left: AtomicU64,
    /// What one step without constraints takes.
    step: u64,
}

impl Meter {
    /// A step goes through the whole state a few times, and through the inertia matrix once for every ancestor.
    fn new(m: &Model, d: &Data) -> Self {
        let (entries, dofs) = (m.nM as u64, m.nv.max(1) as u64);
        let left = AtomicU64::new(EFFORT_OF_STEPS * d.effort.min(DEFAULT_EFFORT));
        Self { left, step: 2 * m.sizes().state_bytes() + entries * entries / dofs }
    }

    /// Counts a step; says whether it was affordable.
    fn count(&self, m: &Model, d: &Data) -> bool {
        let rows = 20 * d.nefc as u64 * m.nv as u64;
        let work = self.step.saturating_add(rows.max(d.spent.total()));
        let take = |left: u64| Some(left.saturating_sub(work));
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok_and(|left| left > work)
    }
}

/// Sets the length ranges of all actuators that need one, without friction, contacts, springs, dampers, gravity and
/// actuation, as the compiler does.
pub fn set_length_ranges(
    m: &mut Model,
    d: &mut Data,
    opt: &LengthRangeOptions,
) -> Result<(), LengthRangeError> {
    with_bare_options(m, opt, |m| {
        let meter = Meter::new(m, d);
        (0..m.nu).try_for_each(|i| set_within(m, d, i, opt, &meter))
    })
}

/// The same with a simulation for each actuator, which `map` may run side by side: it makes a list of `work(0)`, `work(1)`, and so
/// on. False, with nothing set, when one of them fails: which one is to blame is found by [`set_length_ranges`].
pub fn set_length_ranges_apart(
    m: &mut Model,
    opt: &LengthRangeOptions,
    map: impl FnOnce(usize, &(dyn Fn(usize) -> Option<[f64; 2]> + Sync)) -> Vec<Option<[f64; 2]>>,
) -> bool {
    with_bare_options(m, opt, |m| {
        let meter = Meter::new(m, &Data::new(m));
        let work = |i: usize| {
            match target(m, i, opt) {
                None => return Some(m.actuator_lengthrange[i]),
                Some(Target::Known(range)) => return Some(range),
                Some(Target::Pulled) => {}
            }
            let [low, high] = pull_both_ways(m, &mut Data::new(m), i, opt, &meter).ok()?;
            check(i, low, high, opt).is_ok().then_some([low[0], high[1]])
        };
        let Some(ranges) = map(m.nu, &work).into_iter().collect::<Option<Vec<_>>>() else { return false };
        m.actuator_lengthrange.copy_from_slice(&ranges);
        true
    })
}

/// Calls a function while a model has nothing that acts on it but limits and other constraints.
fn with_bare_options<R>(m: &mut Model, opt: &LengthRangeOptions, call: impl FnOnce(&mut Model) -> R) -> R {
    let saved = m.opt.clone();
    m.opt.disableflags = DisableBit::Frictionloss as i32
        | DisableBit::Contact as i32
        | DisableBit::Spring as i32
        | DisableBit::Damper as i32
        | DisableBit::Gravity as i32
        | DisableBit::Actuation as i32;
    if opt.timestep > 0.0 {
        m.opt.timestep = opt.timestep;
    }
    let result = call(m);
    m.opt = saved;
    result
}

/// Sets the length range of one actuator (`mj_setLengthRange`).
pub fn set_length_range(
    m: &mut Model,
    d: &mut Data,
    actuator: usize,
    opt: &LengthRangeOptions,
) -> Result<(), LengthRangeError> {
    if actuator >= m.nu {
        return Err(LengthRangeError::Index);
    }
    let meter = Meter::new(m, d);
    set_within(m, d, actuator, opt, &meter)
}

fn set_within(
    m: &mut Model,
    d: &mut Data,
    actuator: usize,
    opt: &LengthRangeOptions,
    meter: &Meter,
) -> Result<(), LengthRangeError> {
    match target(m, actuator, opt) {
        None => Ok(()),
        Some(Target::Known(range)) => {
            m.actuator_lengthrange[actuator] = range;
            Ok(())
        }
        Some(Target::Pulled) => {
            let [low, high] = pull_both_ways(m, d, actuator, opt, meter)?;
            m.actuator_lengthrange[actuator] = [low[0], high[1]];
            check(actuator, low, high, opt)
        }
    }
}

/// Where a length range comes from.
enum Target {
    Known([f64; 2]),
    /// From simulations.
    Pulled,
}

/// Where the length range of an actuator comes from, if it gets one.
fn target(m: &Model, actuator: usize, opt: &LengthRangeOptions) -> Option<Target> {
    let [lower, upper] = m.actuator_lengthrange[actuator];
    if !is_wanted(m, actuator, opt.mode) || (opt.useexisting && lower < upper) {
        return None;
    }
    let limit = if opt.uselimit { target_limit(m, actuator) } else { None };
    Some(limit.map_or(Target::Pulled, Target::Known))
}

/// Smallest and largest lengths at the end of being pulled down and up.
fn pull_both_ways(
    m: &Model,
    d: &mut Data,
    actuator: usize,
    opt: &LengthRangeOptions,
    meter: &Meter,
) -> Result<[[f64; 2]; 2], LengthRangeError> {
    Ok([pull(m, d, actuator, -1.0, opt, meter)?, pull(m, d, actuator, 1.0, opt, meter)?])
}

/// The range must be one, and the actuator must have come to rest at its ends.
fn check(
    actuator: usize,
    low: [f64; 2],
    high: [f64; 2],
    opt: &LengthRangeOptions,
) -> Result<(), LengthRangeError> {
    let range = [low[0], high[1]];
    let dif = range[1] - range[0];
    if dif <= 0.0 {
        return Err(LengthRangeError::Invalid { actuator, range });
    }
    for eval in [low, high] {
        if eval[1] - eval[0] > opt.tolrange * dif {
            return Err(LengthRangeError::NotConverged { actuator, eval, range });
        }
    }
    Ok(())
}

/// Does this kind of actuator get a length range?
pub fn is_wanted(m: &Model, i: usize, mode: LRMode) -> bool {
    let muscle = m.actuator_gaintype[i] == GainType::Muscle as i32
        || m.actuator_biastype[i] == BiasType::Muscle as i32;
    let user =
        m.actuator_gaintype[i] == GainType::User as i32 || m.actuator_biastype[i] == BiasType::User as i32;
    match mode {
        LRMode::None => false,
        LRMode::Muscle => muscle,
        LRMode::Muscleuser => muscle || user,
        LRMode::All => true,
    }
}

/// Limits of the joint or tendon that the actuator acts on.
fn target_limit(m: &Model, i: usize) -> Option<[f64; 2]> {
    let target = usize::try_from(m.actuator_trnid[i][0]).ok()?;
    match TrnType::try_from(m.actuator_trntype[i]) {
        Ok(TrnType::Joint | TrnType::Jointinparent) if m.jnt_limited[target] != 0 => {
            Some(m.jnt_range[target])
        }
        Ok(TrnType::Tendon) if m.tendon_limited[target] != 0 => Some(m.tendon_range[target]),
        _ => None,
    }
}

/// Simulates with the actuator pulling in one direction; returns the smallest and largest length at the end.
fn pull(
    m: &Model,
    d: &mut Data,
    actuator: usize,
    direction: f64,
    opt: &LengthRangeOptions,
    meter: &Meter,
) -> Result<[f64; 2], LengthRangeError> {
    reset_data(m, d).map_err(StepError::from)?;
    let mut seen: Option<[f64; 2]> = None;
    while d.time < opt.inttotal {
        let before = d.time;
        let length = pull_step(m, d, actuator, direction, opt)?;
        // a state that was reset on the way would be reset again, for ever
        if !(d.time > before) {
            return Err(LengthRangeError::Unstable(actuator));
        }
        if !meter.count(m, d) {
            return Err(LengthRangeError::TooLong { actuator });
        }
        if d.time > opt.inttotal - opt.interval {
            let [min, max] = seen.unwrap_or([length; 2]);
            seen = Some([if length < min { length } else { min }, if length > max { length } else { max }]);
        }
    }
    Ok(seen.unwrap_or([0.0; 2]))
}

/// One step with the pulling force; returns the actuator's length.
fn pull_step(
    m: &Model,
    d: &mut Data,
    actuator: usize,
    direction: f64,
    opt: &LengthRangeOptions,
) -> Result<f64, LengthRangeError> {
    let decay = (-m.opt.timestep / opt.timeconst.max(0.01)).exp();
    for v in &mut d.qvel {
        *v *= decay;
    }
    step1(m, d)?;
    let start = d.moment_rowadr[actuator] as usize;
    let row = start..start + d.moment_rownnz[actuator] as usize;
    let mut moment = vec![0.0; m.nv];
    for (value, &dof) in d.actuator_moment[row.clone()].iter().zip(&d.moment_colind[row]) {
        moment[dof as usize] = *value;
    }
    let mut acceleration = moment.clone();
    inertia::solve_m_in_place(m, d, &mut acceleration);
    let scale = direction * opt.accel / norm(&acceleration).max(MINVAL);
    for (force, x) in d.qfrc_applied.iter_mut().zip(&moment) {
        *force = x * scale;
    }
    let size = norm(&d.qfrc_applied);
    if opt.maxforce > 0.0 && size > opt.maxforce {
        for force in &mut d.qfrc_applied {
            *force *= opt.maxforce / size.max(MINVAL);
        }
    }
    step2(m, d)?;
    Ok(d.actuator_length[actuator])
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
