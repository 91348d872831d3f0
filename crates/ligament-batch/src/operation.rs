//! What a call does to each of its worlds.

use crate::error::WorldError;
use crate::field::ResultField;
use crate::interrupt::STRIDE;
use crate::table::{Parts, copy};
use ligament_model::array::{ArrayMut, ArrayRef};
use ligament_model::data::WarningStat;
use ligament_model::enums::{Stage, State};
use ligament_model::{Data, Model};
use ligament_sim::reset::{reset_data, reset_data_keyframe};
use ligament_sim::rne_post::rne_post_constraint;
use ligament_sim::state;
use ligament_sim::step::{StepError, forward_to, step, step2};
use ligament_sim::together::{self, Lanes, Member};

/// Where a function is called: the world, and its place among the worlds of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    /// Place among the worlds of the call.
    pub item: usize,
    /// Number of the world.
    pub world: usize,
}

/// A function that runs on each world of a call, on the threads of the batch.
pub type WorldFn<'a> = dyn Fn(&Model, &mut Data, At) -> Result<(), WorldError> + Sync + 'a;

/// What a call does.
#[allow(missing_docs)] // the comments name all fields
pub enum Operation<'a> {
    /// `nstep` steps, then forces and accelerations of bodies if asked for, then the stages up to `stage` at the new state.
    Step { nstep: usize, stage: Stage, rnepost: bool },
    /// The stages up to `stage`.
    Forward { stage: Stage },
    /// Back to a keyframe (one for all worlds of the call or one each; -1: the initial state), then the stages.
    Reset { keys: &'a [i32], stage: Stage },
    /// Steps with inputs and records of their own.
    Rollout(Rollout<'a>),
    /// A function of the caller's; with `save`, what it did to the state is kept and results are copied out.
    Apply { function: &'a WorldFn<'a>, save: bool },
}

impl Operation<'_> {
    /// Whether the state afterwards is kept.
    pub fn saves(&self) -> bool {
        !matches!(self, Self::Apply { save: false, .. })
    }

    /// The stages that are current at the new state afterwards.
    pub fn final_stage(&self) -> Stage {
        match self {
            Self::Step { stage, .. } | Self::Forward { stage } | Self::Reset { stage, .. } => *stage,
            Self::Rollout(_) | Self::Apply { .. } => Stage::None,
        }
    }

    /// Runs on one world whose state is in `d`. With `continued`, positions and velocities were already computed. `ends` says
    /// from time to time whether to stop.
    pub fn perform(
        &self,
        m: &Model,
        d: &mut Data,
        at: At,
        continued: bool,
        ends: &dyn Fn() -> bool,
    ) -> Result<(), WorldError> {
        match *self {
            Self::Step { nstep, stage, rnepost } => {
                for k in 0..nstep {
                    go_on(k, d.took_long(), ends)?;
                    first_step(m, d, k == 0 && continued)?;
                }
                if rnepost {
                    rne_post_constraint(m, d);
                }
                Ok(forward_to(m, d, stage)?)
            }
            Self::Forward { stage } => Ok(forward_to(m, d, stage)?),
            Self::Reset { keys, stage } => {
                match if keys.len() == 1 { Some(&keys[0]) } else { keys.get(at.item) } {
                    Some(&key) if key >= 0 => reset_data_keyframe(m, d, key)?,
                    _ => reset_data(m, d)?,
                }
                Ok(forward_to(m, d, stage)?)
            }
            Self::Rollout(ref rollout) => rollout.perform(m, d, at.item, ends),
            Self::Apply { function, .. } => function(m, d, at),
        }
    }
}

/// An operation that is made of stages: what four worlds can do together.
#[derive(Clone, Copy)]
pub(crate) enum Staged<'a> {
    Step { nstep: usize, stage: Stage, rnepost: bool },
    Forward { stage: Stage },
    Rollout(&'a Rollout<'a>),
}

impl Operation<'_> {
    /// The operation as four worlds do it together, where they can.
    pub(crate) fn staged(&self) -> Option<Staged<'_>> {
        match *self {
            Self::Step { nstep, stage, rnepost } => Some(Staged::Step { nstep, stage, rnepost }),
            Self::Forward { stage } => Some(Staged::Forward { stage }),
            Self::Rollout(ref rollout) => Some(Staged::Rollout(rollout)),
            Self::Reset { .. } | Self::Apply { .. } => None,
        }
    }
}

impl Staged<'_> {
    /// [`Operation::perform`] for four worlds of one model at once; what becomes of each is in its outcome.
    pub(crate) fn perform(
        self,
        m: &Model,
        (four, lanes): (&mut [Member<'_>; 4], &mut Lanes),
        items: [usize; 4],
        continued: [bool; 4],
        ends: &dyn Fn() -> bool,
    ) -> Result<(), WorldError> {
        match self {
            Self::Step { nstep, stage, rnepost } => {
                for k in 0..nstep {
                    go_on(k, took_long(four), ends)?;
                    if k == 0 && continued.contains(&true) {
                        let mut continued = continued.into_iter();
                        together::each(four, lanes, |d| first_step(m, d, continued.next() == Some(true)));
                    } else {
                        together::step(m, four, lanes);
                    }
                }
                if rnepost {
                    together::each(four, lanes, |d| {
                        rne_post_constraint(m, d);
                        Ok(())
                    });
                }
                together::forward_to(m, four, lanes, stage);
                Ok(())
            }
            Self::Forward { stage } => {
                together::forward_to(m, four, lanes, stage);
                Ok(())
            }
            Self::Rollout(rollout) => rollout.perform_together(m, (four, lanes), items, ends),
        }
    }
}

/// A step, of which the first half may have been computed.
fn first_step(m: &Model, d: &mut Data, continued: bool) -> Result<(), StepError> {
    if !continued {
        return step(m, d);
    }
    // a whole step computes forces of bodies anew, the second half alone would not
    d.flg_rnepost = false;
    step2(m, d)
}

/// An error where the call has to end before step `k`; after long steps it is asked each time.
fn go_on(k: usize, long: bool, ends: &dyn Fn() -> bool) -> Result<(), WorldError> {
    if (long || k.is_multiple_of(STRIDE)) && ends() { Err(WorldError::Interrupted) } else { Ok(()) }
}

fn took_long(four: &[Member<'_>; 4]) -> bool {
    four.iter().any(|member| member.data.took_long())
}

/// Steps with an input for each and a record after each.
pub struct Rollout<'a> {
    /// Number of steps.
    pub nstep: usize,
    /// Worlds × steps × inputs; `None`: inputs stay as they are.
    pub control: Option<&'a [f64]>,
    /// The parts of the state that the inputs are.
    pub control_spec: i32,
    /// What is recorded after each step.
    pub records: &'a [Record<'a>],
}

impl Rollout<'_> {
    pub(crate) fn perform(
        &self,
        m: &Model,
        d: &mut Data,
        item: usize,
        ends: &dyn Fn() -> bool,
    ) -> Result<(), WorldError> {
        let before = d.warning;
        for k in 0..self.nstep {
            go_on(k, d.took_long(), ends)?;
            if !has_warned(d, &before) {
                self.set_inputs(m, d, item, k)?;
                step(m, d)?;
            }
            self.record(m, d, item, k)?;
        }
        Ok(())
    }

    fn perform_together(
        &self,
        m: &Model,
        (four, lanes): (&mut [Member<'_>; 4], &mut Lanes),
        items: [usize; 4],
        ends: &dyn Fn() -> bool,
    ) -> Result<(), WorldError> {
        let before = four.each_ref().map(|member| member.data.warning);
        for k in 0..self.nstep {
            go_on(k, took_long(four), ends)?;
            for ((member, before), item) in four.iter_mut().zip(&before).zip(items) {
                member.rests = has_warned(member.data, before);
                if !member.rests {
                    self.set_inputs(m, member.data, item, k)?;
                }
            }
            together::step(m, four, lanes);
            for (member, item) in four.iter().zip(items).filter(|(member, _)| member.outcome.is_ok()) {
                self.record(m, member.data, item, k)?;
            }
        }
        Ok(())
    }

    /// Inputs of step `k`.
    fn set_inputs(&self, m: &Model, d: &mut Data, item: usize, k: usize) -> Result<(), WorldError> {
        let Some(control) = self.control else { return Ok(()) };
        let width = state::state_size(m, self.control_spec)?;
        let start = (item * self.nstep + k) * width;
        Ok(state::set_state(m, d, &control[start..start + width], self.control_spec)?)
    }

    fn record(&self, m: &Model, d: &Data, item: usize, k: usize) -> Result<(), WorldError> {
        self.records.iter().try_for_each(|record| record.write(m, d, item, k, self.nstep))
    }
}

/// Has a warning come since the counters were these? Then the last records are repeated.
fn has_warned(d: &Data, before: &[WarningStat]) -> bool {
    d.warning
        .iter()
        .zip(before)
        .any(|(now, before)| now.number > before.number || now.number > 0 && now.lastinfo != before.lastinfo)
}

/// What is recorded after a step.
#[derive(Clone, Copy)]
pub enum Recorded {
    /// A result.
    Field(ResultField),
    /// Parts of the state, by their bits.
    State(i32),
}

impl Recorded {
    /// The name of the result, where it is one.
    pub fn field_name(self) -> Option<&'static str> {
        match self {
            Self::Field(field) => Some(field.name()),
            Self::State(_) => None,
        }
    }

    /// A record by the name of a field.
    pub fn find(name: &str) -> Option<Self> {
        if name == "time" {
            return Some(Self::State(State::Time as i32));
        }
        ResultField::find(name).map(Self::Field)
    }
}

/// Memory for the records of all worlds, cut into one part per world.
#[allow(missing_docs)] // named after their numbers
pub enum RecordParts<'a> {
    F64(Parts<'a, f64>),
    F32(Parts<'a, f32>),
    I32(Parts<'a, i32>),
    I64(Parts<'a, i64>),
    U64(Parts<'a, u64>),
    U8(Parts<'a, u8>),
}

impl<'a> RecordParts<'a> {
    /// Cuts memory into one part for each of `worlds`.
    pub fn new(memory: ArrayMut<'a>, worlds: usize) -> Self {
        match memory {
            ArrayMut::F64(x) => Self::F64(Parts::new(x, worlds)),
            ArrayMut::F32(x) => Self::F32(Parts::new(x, worlds)),
            ArrayMut::I32(x) => Self::I32(Parts::new(x, worlds)),
            ArrayMut::I64(x) => Self::I64(Parts::new(x, worlds)),
            ArrayMut::U64(x) => Self::U64(Parts::new(x, worlds)),
            ArrayMut::U8(x) => Self::U8(Parts::new(x, worlds)),
        }
    }
}

/// One record of a rollout.
pub struct Record<'a> {
    /// What is recorded.
    pub what: Recorded,
    /// Worlds × steps × size.
    pub out: RecordParts<'a>,
}

impl Record<'_> {
    #[allow(unsafe_code)] // parts of one array are written by different threads
    fn write(&self, m: &Model, d: &Data, item: usize, step: usize, nstep: usize) -> Result<(), WorldError> {
        fn slot<T>(part: &mut [T], step: usize, nstep: usize) -> &mut [T] {
            let width = part.len() / nstep;
            &mut part[step * width..(step + 1) * width]
        }
        // SAFETY: a call runs each of its items once, on one thread.
        let target = unsafe {
            match &self.out {
                RecordParts::F64(x) => ArrayMut::F64(slot(x.part(item), step, nstep)),
                RecordParts::F32(x) => ArrayMut::F32(slot(x.part(item), step, nstep)),
                RecordParts::I32(x) => ArrayMut::I32(slot(x.part(item), step, nstep)),
                RecordParts::I64(x) => ArrayMut::I64(slot(x.part(item), step, nstep)),
                RecordParts::U64(x) => ArrayMut::U64(slot(x.part(item), step, nstep)),
                RecordParts::U8(x) => ArrayMut::U8(slot(x.part(item), step, nstep)),
            }
        };
        match (self.what, target) {
            (Recorded::State(spec), ArrayMut::F64(out)) => state::get_state(m, d, out, spec)?,
            (Recorded::Field(field), target) => field.with(d, |value: ArrayRef<'_>| copy(target, value)),
            (Recorded::State(_), _) => debug_assert!(false, "states are recorded as f64"),
        }
        Ok(())
    }
}
