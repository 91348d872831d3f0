//! Lean steps on the CPU: several worlds in the lanes of a register, the same physics within rounding.

use crate::backend::Backend;
use crate::error::BatchError;
use crate::exact::Exact;
use crate::interrupt::STRIDE;
use crate::lean_own::Own;
use crate::lean_state::{MOVING, has_bad_control, load, save, set_inputs};
use crate::operation::{At, Operation, Rollout};
use crate::pool::{Pool, Team};
use crate::worlds::{Select, Worlds};
use ligament_lean::{Lean, State};
use ligament_model::callbacks::Callbacks;
use ligament_model::{Data, Model};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// Stands in the status of a world that the exact steps have to run.
const LEFT_OVER: i32 = i32::MIN;

/// Steps of a group between two looks at whether the call has to end.
const PORTION: usize = 64;

/// What a thread works with.
struct Place {
    lean: Lean,
    /// As many as a register holds.
    states: Vec<State>,
    left: Vec<bool>,
}

/// Lean steps, with the exact ones for everything else: worlds whose numbers go bad; worlds with models or functions of the
/// user, or with a structure of their own; all calls but steps and rollouts that record the state; and the last step of a
/// call where fields are bound or data are kept, which are then those of an exact step.
pub struct LeanSteps {
    exact: Exact,
    pool: Arc<Pool>,
    team: Team,
    places: Box<[Mutex<Place>]>,
    width: usize,
    /// By group of a call; empty until worlds have parameters of their own.
    own: Vec<Mutex<Own>>,
    /// Ids of the worlds that the exact steps have to run, and of the others.
    left_over: Vec<i32>,
    advanced: Vec<i32>,
    /// The rows before the call, for worlds whose last step fails.
    before: Vec<f64>,
}

impl LeanSteps {
    /// Stands before exact steps; or says what the model has that lean steps have not.
    pub fn new(exact: Exact, model: &Model, pool: Arc<Pool>) -> Result<Self, BatchError> {
        let threads = exact.threads();
        let initial = State::initial(model);
        let places = (0..threads).map(|_| {
            let lean = Lean::new(model)?;
            let width = lean.width().worlds();
            let (states, left) = (vec![initial.clone(); width], vec![false; width]);
            Ok(Mutex::new(Place { lean, states, left }))
        });
        let mut places = places.collect::<Result<Box<[_]>, BatchError>>()?;
        let width = places[0].get_mut().unwrap_or_else(PoisonError::into_inner).states.len();
        let (own, left_over, advanced, before) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(Self { exact, pool, team: Team::new(threads), places, width, own, left_over, advanced, before })
    }

    /// Calls `work` for the worlds of a call in groups, on the threads of the pool: with the place, the items of the group, its
    /// own parameters if worlds have such, and what says whether the call has to end.
    fn each_group(
        &mut self,
        worlds: &Worlds,
        select: Select<'_>,
        work: impl Fn(&mut Place, Range<usize>, Option<&mut Own>, &dyn Fn() -> bool) + Sync,
    ) {
        let (count, places) = (select.len(worlds.count), &self.places);
        // few worlds are spread over the threads rather than gathered in registers
        let size = self.width.min(count.div_ceil(places.len())).max(1);
        let groups = count.div_ceil(size);
        let differ = !worlds.parameters.is_empty();
        if differ && self.own.len() < groups {
            self.own.resize_with(groups, Mutex::default);
        }
        let own = &self.own;
        self.pool.run(&mut self.team, groups, &|number, group| {
            let mut place = places[number].lock().unwrap_or_else(PoisonError::into_inner);
            let mut own = differ.then(|| own[group].lock().unwrap_or_else(PoisonError::into_inner));
            let items = group * size..count.min((group + 1) * size);
            work(&mut place, items, own.as_deref_mut(), &|| worlds.watch.ends(number));
        });
    }

    /// Steps worlds in groups; those that stayed sound are saved, the others keep their rows and are marked.
    fn advance(&mut self, worlds: &Worlds, select: Select<'_>, steps: usize) {
        self.each_group(worlds, select, |place, items, own, ends| {
            place.advance(worlds, select, items, own, steps, ends);
        });
    }

    /// Runs worlds with inputs and records of their own, in groups.
    fn roll(&mut self, worlds: &Worlds, select: Select<'_>, rollout: &Rollout<'_>) {
        self.each_group(worlds, select, |place, items, own, ends| {
            place.roll(worlds, select, items, own, rollout, ends);
        });
    }

    /// Tells the worlds of a call apart.
    fn sort(&mut self, worlds: &Worlds, select: Select<'_>) {
        self.left_over.clear();
        self.advanced.clear();
        for item in 0..select.len(worlds.count) {
            let world = select.world(item);
            let left = worlds.status.row(world)[0] == LEFT_OVER;
            if left { &mut self.left_over } else { &mut self.advanced }.push(world as i32);
        }
    }

    /// Runs by exact steps what lean ones could not finish; records are made anew at the same places.
    fn repeat_left_over(
        &mut self,
        worlds: &mut Worlds,
        select: Select<'_>,
        rollout: &Rollout<'_>,
    ) -> Result<(), BatchError> {
        self.sort(worlds, select);
        if self.left_over.is_empty() {
            return Ok(());
        }
        let place = |world: i32| match select {
            Select::All => world as usize,
            Select::Ids(ids) => ids.partition_point(|&id| id < world),
        };
        let watch = worlds.watch.clone();
        let function = |m: &Model, d: &mut Data, at: At| {
            rollout.perform(m, d, place(at.world as i32), &|| watch.has_ended())
        };
        let operation = Operation::Apply { function: &function, save: true };
        self.exact.run(worlds, Select::Ids(&self.left_over), &operation)
    }

    /// Worlds whose last step failed go back to where they were before the call.
    fn take_back_failures(&self, worlds: &mut Worlds) {
        let width = worlds.layout.width();
        for &world in &self.advanced {
            if worlds.status.row(world as usize)[0] > 0 {
                let row = world as usize * width..(world as usize + 1) * width;
                worlds.state.values_mut()[row.clone()].copy_from_slice(&self.before[row]);
            }
        }
    }
}

impl Place {
    /// Steps the worlds of a group, with the model of the batch or with parameters of their `own`.
    fn advance(
        &mut self,
        worlds: &Worlds,
        select: Select<'_>,
        items: Range<usize>,
        mut own: Option<&mut Own>,
        steps: usize,
        ends: &dyn Fn() -> bool,
    ) {
        let Self { lean, states, left } = self;
        let (states, left) = (&mut states[..items.len()], &mut left[..items.len()]);
        for ((state, left), item) in states.iter_mut().zip(left.iter_mut()).zip(items.clone()) {
            load(&worlds.layout, worlds.state.row(select.world(item)), state);
            *left = has_bad_control(state);
        }
        let work = || {
            if let Some(own) = &mut own {
                own.prepare(worlds, select, items.clone(), lean);
            }
            for first in (0..steps).step_by(PORTION) {
                if ends() {
                    // the exact steps end at once
                    left.fill(true);
                    return;
                }
                let steps = PORTION.min(steps - first);
                step_group(lean, own.as_deref(), states, left, steps);
            }
        };
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            left.fill(true);
            renew(lean, &worlds.model);
            if let Some(own) = own {
                *own = Own::default();
            }
        }
        for ((state, &left), item) in states.iter().zip(left.iter()).zip(items) {
            finish(worlds, select.world(item), state, 0, left);
        }
    }

    /// As [`Place::advance`], with inputs before and records after every step.
    fn roll(
        &mut self,
        worlds: &Worlds,
        select: Select<'_>,
        items: Range<usize>,
        mut own: Option<&mut Own>,
        rollout: &Rollout<'_>,
        ends: &dyn Fn() -> bool,
    ) {
        let Self { lean, states, left } = self;
        let (states, left) = (&mut states[..items.len()], &mut left[..items.len()]);
        for ((state, left), item) in states.iter_mut().zip(left.iter_mut()).zip(items.clone()) {
            load(&worlds.layout, worlds.state.row(select.world(item)), state);
            *left = false;
        }
        let work = || {
            if let Some(own) = &mut own {
                own.prepare(worlds, select, items.clone(), lean);
            }
            for k in 0..rollout.nstep {
                if k % STRIDE == 0 && ends() {
                    left.fill(true);
                    return;
                }
                for ((state, left), item) in states.iter_mut().zip(left.iter_mut()).zip(items.clone()) {
                    if let Some(input) = rollout.input(&worlds.layout, item, k) {
                        set_inputs(&worlds.layout, state, input, rollout.control_spec);
                    }
                    *left |= has_bad_control(state);
                }
                step_group(lean, own.as_deref(), states, left, 1);
                let sound =
                    states.iter().zip(left.iter()).zip(items.clone()).filter(|((_, left), _)| !**left);
                for ((state, _), item) in sound {
                    let row = worlds.state.row(select.world(item));
                    rollout.record_lean(&worlds.layout, state, row, item, k);
                }
            }
        };
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            left.fill(true);
            renew(lean, &worlds.model);
            if let Some(own) = own {
                *own = Own::default();
            }
        }
        let inputs = if rollout.control.is_some() { rollout.control_spec } else { 0 };
        for ((state, &left), item) in states.iter().zip(left.iter()).zip(items) {
            finish(worlds, select.world(item), state, inputs, left);
        }
    }
}

/// Steps a group with the model of the batch, or with parameters of its own.
fn step_group(lean: &mut Lean, own: Option<&Own>, states: &mut [State], left: &mut [bool], steps: usize) {
    match own {
        Some(own) => own.step(lean, states, left, steps),
        None => lean.step_sound(states, steps, |place| left[place] = true),
    }
}

/// Working memory that a panic may have left half written is made anew.
fn renew(lean: &mut Lean, model: &Model) {
    if let Ok(fresh) = Lean::new(model) {
        *lean = fresh;
    }
}

/// Keeps the state of a world, and the inputs among `inputs`; or marks it for the exact steps.
#[allow(unsafe_code)] // rows of shared tables
fn finish(worlds: &Worlds, world: usize, state: &State, inputs: i32, left: bool) {
    // SAFETY: a call runs each world once, on one thread; nobody else touches its rows meanwhile.
    let (row, status, error) =
        unsafe { (worlds.state.row_mut(world), worlds.status.row_mut(world), worlds.errors.row_mut(world)) };
    status[0] = if left { LEFT_OVER } else { 0 };
    error[0] = None;
    if !left {
        save(&worlds.layout, state, row, MOVING | inputs);
    }
}

impl Backend for LeanSteps {
    fn name(&self) -> &'static str {
        "lean"
    }

    fn threads(&self) -> usize {
        self.exact.threads()
    }

    fn persistent(&self) -> bool {
        self.exact.persistent()
    }

    fn run(
        &mut self,
        worlds: &mut Worlds,
        select: Select<'_>,
        operation: &Operation<'_>,
    ) -> Result<(), BatchError> {
        let observed = !worlds.results.is_empty() || self.persistent();
        let restructured = worlds.parameters.iter().any(|own| own.is_structural());
        if restructured || worlds.models.is_some() || worlds.has_callbacks() {
            return self.exact.run(worlds, select, operation);
        }
        let (steps, stage, rnepost) = match *operation {
            Operation::Step { nstep, stage, rnepost } => {
                (nstep.saturating_sub(usize::from(observed)), stage, rnepost)
            }
            Operation::Rollout(ref rollout)
                if !observed && rollout.is_lean(&worlds.model, &worlds.layout) =>
            {
                self.roll(worlds, select, rollout);
                return self.repeat_left_over(worlds, select, rollout);
            }
            _ => return self.exact.run(worlds, select, operation),
        };
        if steps == 0 {
            return self.exact.run(worlds, select, operation);
        }
        if observed {
            self.before.clear();
            self.before.extend_from_slice(worlds.state.values());
        }
        self.advance(worlds, select, steps);
        self.sort(worlds, select);
        if !self.left_over.is_empty() {
            self.exact.run(worlds, Select::Ids(&self.left_over), operation)?;
        }
        if observed {
            let last = Operation::Step { nstep: 1, stage, rnepost };
            self.exact.run(worlds, Select::Ids(&self.advanced), &last)?;
            self.take_back_failures(worlds);
        }
        Ok(())
    }

    fn set_const(&mut self, worlds: &mut Worlds, select: Select<'_>) -> Result<(), BatchError> {
        self.exact.set_const(worlds, select)
    }

    fn with_data(&self, world: usize, read: &mut dyn FnMut(&Data)) -> bool {
        self.exact.with_data(world, read)
    }

    fn set_callbacks(&mut self, callbacks: &Callbacks) {
        self.exact.set_callbacks(callbacks);
    }

    fn invalidate(&mut self) {
        self.own.clear();
        self.exact.invalidate();
    }
}
