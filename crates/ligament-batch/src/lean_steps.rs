//! Lean steps on the CPU: several worlds in the lanes of a register, the same physics within rounding.

use crate::backend::Backend;
use crate::error::BatchError;
use crate::exact::Exact;
use crate::lean_own::Own;
use crate::lean_state::{MOVING, has_bad_control, load, save, set_inputs};
use crate::operation::{At, Operation, Rollout};
use crate::pool::{Pool, Team};
use crate::worlds::{Select, Worlds};
use ligament_lean::{Lean, State};
use ligament_model::callbacks::Callbacks;
use ligament_model::{Data, Model};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// Stands in the status of a world that the exact steps have to run.
const LEFT_OVER: i32 = i32::MIN;

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
    /// By world; empty until worlds have parameters of their own. They are stepped one at a time.
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

    /// Steps worlds in groups; those that stayed sound are saved, the others keep their rows and are marked.
    fn advance(&mut self, worlds: &Worlds, select: Select<'_>, steps: usize) {
        let (count, places) = (select.len(worlds.count), &self.places);
        if !worlds.parameters.is_empty() {
            self.own.resize_with(worlds.count, Mutex::default);
            let own = &self.own;
            self.pool.run(&mut self.team, count, &|place, item| {
                let mut place = places[place].lock().unwrap_or_else(PoisonError::into_inner);
                let world = select.world(item);
                let mut own = own[world].lock().unwrap_or_else(PoisonError::into_inner);
                place.advance_own(worlds, world, &mut own, steps);
            });
            return;
        }
        // few worlds are spread over the threads rather than gathered in registers
        let size = self.width.min(count.div_ceil(places.len())).max(1);
        self.pool.run(&mut self.team, count.div_ceil(size), &|place, group| {
            let mut place = places[place].lock().unwrap_or_else(PoisonError::into_inner);
            place.advance(worlds, select, group * size..count.min((group + 1) * size), steps);
        });
    }

    /// Runs worlds with inputs and records of their own, in groups.
    fn roll(&mut self, worlds: &Worlds, select: Select<'_>, rollout: &Rollout<'_>) {
        let (count, places) = (select.len(worlds.count), &self.places);
        let size = self.width.min(count.div_ceil(places.len())).max(1);
        self.pool.run(&mut self.team, count.div_ceil(size), &|place, group| {
            let mut place = places[place].lock().unwrap_or_else(PoisonError::into_inner);
            place.roll(worlds, select, group * size..count.min((group + 1) * size), rollout);
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
        let function = |m: &Model, d: &mut Data, at: At| rollout.perform(m, d, place(at.world as i32));
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
    fn advance(&mut self, worlds: &Worlds, select: Select<'_>, items: std::ops::Range<usize>, steps: usize) {
        let Self { lean, states, left } = self;
        let (states, left) = (&mut states[..items.len()], &mut left[..items.len()]);
        for ((state, left), item) in states.iter_mut().zip(left.iter_mut()).zip(items.clone()) {
            load(&worlds.layout, worlds.state.row(select.world(item)), state);
            *left = has_bad_control(state);
        }
        let work = || lean.step_sound(states, steps, |place| left[place] = true);
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            left.fill(true);
            renew(lean, &worlds.model);
        }
        for ((state, &left), item) in states.iter().zip(left.iter()).zip(items) {
            finish(worlds, select.world(item), state, 0, left);
        }
    }

    /// Steps a world with its own parameters.
    fn advance_own(&mut self, worlds: &Worlds, world: usize, own: &mut Own, steps: usize) {
        let Self { lean, states, .. } = self;
        let state = &mut states[0];
        load(&worlds.layout, worlds.state.row(world), state);
        let work = || !has_bad_control(state) && own.step(worlds, world, lean, state, steps);
        let sound = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            *own = Own::default();
            renew(lean, &worlds.model);
            false
        });
        finish(worlds, world, &states[0], 0, !sound);
    }

    /// As [`Place::advance`], with inputs before and records after every step.
    fn roll(
        &mut self,
        worlds: &Worlds,
        select: Select<'_>,
        items: std::ops::Range<usize>,
        rollout: &Rollout<'_>,
    ) {
        let Self { lean, states, left } = self;
        let (states, left) = (&mut states[..items.len()], &mut left[..items.len()]);
        for ((state, left), item) in states.iter_mut().zip(left.iter_mut()).zip(items.clone()) {
            load(&worlds.layout, worlds.state.row(select.world(item)), state);
            *left = false;
        }
        let work = || {
            for k in 0..rollout.nstep {
                for ((state, left), item) in states.iter_mut().zip(left.iter_mut()).zip(items.clone()) {
                    if let Some(input) = rollout.input(&worlds.layout, item, k) {
                        set_inputs(&worlds.layout, state, input, rollout.control_spec);
                    }
                    *left |= has_bad_control(state);
                }
                lean.step_sound(states, 1, |place| left[place] = true);
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
        }
        let inputs = if rollout.control.is_some() { rollout.control_spec } else { 0 };
        for ((state, &left), item) in states.iter().zip(left.iter()).zip(items) {
            finish(worlds, select.world(item), state, inputs, left);
        }
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
                if !observed
                    && worlds.parameters.is_empty()
                    && rollout.is_lean(&worlds.model, &worlds.layout) =>
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
