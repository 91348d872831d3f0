//! Lean steps on the CPU: several worlds in the lanes of a register, the same physics within rounding.

use crate::backend::Backend;
use crate::error::BatchError;
use crate::exact::Exact;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::pool::{Pool, Team};
use crate::worlds::{Select, Worlds};
use ligament_lean::{Lean, State};
use ligament_model::callbacks::Callbacks;
use ligament_model::{Data, Model};
use ligament_sim::support::is_bad;
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

/// Lean steps, with the exact ones for everything else: worlds whose numbers go bad; worlds with parameters, models or
/// functions of the user; all calls but steps; and the last step of a call where fields are bound or data are kept, which
/// are then those of an exact step.
pub struct LeanSteps {
    exact: Exact,
    pool: Arc<Pool>,
    team: Team,
    places: Box<[Mutex<Place>]>,
    width: usize,
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
        let (left_over, advanced, before) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { exact, pool, team: Team::new(threads), places, width, left_over, advanced, before })
    }

    /// Steps worlds in groups; those that stayed sound are saved, the others keep their rows and are marked.
    fn advance(&mut self, worlds: &Worlds, select: Select<'_>, steps: usize) {
        let (count, places) = (select.len(worlds.count), &self.places);
        // few worlds are spread over the threads rather than gathered in registers
        let size = self.width.min(count.div_ceil(places.len())).max(1);
        self.pool.run(&mut self.team, count.div_ceil(size), &|place, group| {
            let mut place = places[place].lock().unwrap_or_else(PoisonError::into_inner);
            place.advance(worlds, select, group * size..count.min((group + 1) * size), steps);
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
            // the exact step warns about controls, and does without them
            *left = state.ctrl.iter().any(|&x| is_bad(x));
        }
        let work = || lean.step_sound(states, steps, |place| left[place] = true);
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            left.fill(true);
            if let Ok(fresh) = Lean::new(&worlds.model) {
                *lean = fresh;
            }
        }
        for ((state, &left), item) in states.iter().zip(left.iter()).zip(items) {
            finish(worlds, select.world(item), state, left);
        }
    }
}

/// Copies what a step depends on.
fn load(layout: &Layout, row: &[f64], state: &mut State) {
    for part in layout.parts() {
        let values = &row[part.start..part.start + part.len];
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
            // models with delays or plugins are refused, user data take no part in a step
            _ => {}
        }
    }
}

/// Keeps the state of a world, or marks it for the exact steps.
#[allow(unsafe_code)] // rows of shared tables
fn finish(worlds: &Worlds, world: usize, state: &State, left: bool) {
    // SAFETY: a call runs each world once, on one thread; nobody else touches its rows meanwhile.
    let (row, status, error) =
        unsafe { (worlds.state.row_mut(world), worlds.status.row_mut(world), worlds.errors.row_mut(world)) };
    status[0] = if left { LEFT_OVER } else { 0 };
    error[0] = None;
    if left {
        return;
    }
    for part in worlds.layout.parts() {
        let values = &mut row[part.start..part.start + part.len];
        match part.name {
            "time" => values[0] = state.time,
            "qpos" => values.copy_from_slice(&state.qpos),
            "qvel" => values.copy_from_slice(&state.qvel),
            "act" => values.copy_from_slice(&state.act),
            "qacc_warmstart" => values.copy_from_slice(&state.qacc_warmstart),
            _ => {}
        }
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
        let (steps, stage) = match *operation {
            Operation::Step { nstep, stage } => (nstep.saturating_sub(usize::from(observed)), stage),
            _ => return self.exact.run(worlds, select, operation),
        };
        if steps == 0 || !worlds.parameters.is_empty() || worlds.models.is_some() || worlds.has_callbacks() {
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
            let last = Operation::Step { nstep: 1, stage };
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
        self.exact.invalidate();
    }
}
