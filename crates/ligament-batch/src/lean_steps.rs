//! Lean steps on the CPU: several worlds in the lanes of a register, the same physics within rounding.

use crate::backend::Backend;
use crate::error::{BatchError, WorldError};
use crate::exact::Exact;
use crate::interrupt::STRIDE;
use crate::lean_own::Own;
use crate::lean_state::{MOVING, has_bad_control, load, save, set_inputs};
use crate::operation::{At, Operation, Rollout};
use crate::pool::{Pool, Team};
use crate::table::Parts;
use crate::worlds::{Select, Worlds};
use ligament_lean::{Lean, State, Width};
use ligament_model::callbacks::Callbacks;
use ligament_model::enums::{EnableBit, Integrator, Stage};
use ligament_model::{Data, Model};
use ligament_sim::forward::forward_skip;
use ligament_sim::rne_post::rne_post_constraint;
use ligament_sim::step::forward_to;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// Stands in the status of a world that the exact steps have to run.
const LEFT_OVER: i32 = i32::MIN;

/// Steps of a group between two looks at whether the call has to end, at most.
const PORTION: usize = 64;

/// Degrees of freedom that a group may step between two looks.
const LONG_DOFS: usize = 4096;

/// What a thread works with.
#[repr(align(128))] // neighbours belong to other threads
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
    /// Ids of the worlds that the exact steps have to run.
    left_over: Vec<i32>,
    /// By item of a call that someone observes: the rows before it, for worlds whose observation fails.
    before: Vec<f64>,
    /// The same: where forces were evaluated last.
    evaluated: Vec<f64>,
}

/// How the fields that someone has bound are computed after lean steps: by an exact step, or where a step has several stages,
/// lean itself, by the stages of the exact engine where the last one was evaluated.
#[derive(Clone, Copy)]
struct Observation {
    stage: Stage,
    rnepost: bool,
    /// Of the lean state; zero: the last step is exact.
    evaluated: usize,
}

impl Observation {
    fn new(m: &Model, stage: Stage, rnepost: bool, persistent: bool) -> Self {
        // sensors and energy are those of the first stage; data that are kept show everything
        let several = !persistent
            && m.opt.integrator == Integrator::Rk4 as i32
            && m.nsensor == 0
            && !m.opt.enabled(EnableBit::Energy);
        Self { stage, rnepost, evaluated: if several { m.nq + m.nv + m.na } else { 0 } }
    }

    /// Of `steps`, those that are exact.
    fn exact_steps(&self) -> usize {
        usize::from(self.evaluated == 0)
    }

    /// Computes the fields of four worlds together, where that is possible.
    fn observe_four(&self, exact: &Exact, worlds: &Worlds, place: usize, at: [At; 4]) -> bool {
        let Self { stage, rnepost, evaluated } = *self;
        let operation = Operation::Step { nstep: 1, stage, rnepost };
        evaluated == 0 && exact.four(worlds, place, at, &operation)
    }

    /// Computes the fields of one world, whose state was saved.
    fn observe(&self, exact: &Exact, worlds: &Worlds, place: usize, at: At, evaluated: &Mutex<&mut [f64]>) {
        let Self { stage, rnepost, .. } = *self;
        if self.evaluated == 0 {
            exact.one(worlds, place, at, &Operation::Step { nstep: 1, stage, rnepost });
            return;
        }
        let function = |m: &Model, d: &mut Data, _: At| -> Result<(), WorldError> {
            let mut evaluated = evaluated.lock().unwrap_or_else(PoisonError::into_inner);
            let (qpos, rest) = evaluated.split_at_mut(m.nq);
            let (qvel, act) = rest.split_at_mut(m.nv);
            let mut exchange = |d: &mut Data| {
                d.qpos.swap_with_slice(qpos);
                d.qvel.swap_with_slice(qvel);
                d.act.swap_with_slice(act);
            };
            exchange(d);
            let outcome = forward_skip(m, d, Stage::None, true);
            exchange(d);
            outcome?;
            if rnepost {
                rne_post_constraint(m, d);
            }
            Ok(forward_to(m, d, stage)?)
        };
        exact.one(worlds, place, at, &Operation::Apply { function: &function, save: true });
    }
}

/// An observation, and memory for the items of the call.
struct Observed<'a> {
    how: Observation,
    exact: &'a Exact,
    before: Parts<'a, f64>,
    evaluated: Parts<'a, f64>,
}

#[allow(unsafe_code)] // each item of a call is run once, on one thread
impl Observed<'_> {
    /// Keeps the rows of a group, and makes room for where forces are evaluated.
    fn prepare(&self, worlds: &Worlds, select: Select<'_>, items: Range<usize>, place: &mut Place) {
        for item in items {
            // SAFETY: nobody else runs this item.
            unsafe { self.before.part(item) }.copy_from_slice(worlds.state.row(select.world(item)));
        }
        for state in &mut place.states {
            state.evaluated.resize(self.how.evaluated, 0.0);
        }
    }

    /// Computes the fields of the worlds of a group that stayed sound; those where that fails go back to where they were.
    fn look(&self, worlds: &Worlds, select: Select<'_>, items: Range<usize>, place: &Place, number: usize) {
        let at = |item: usize| At { item, world: select.world(item) };
        let is_sound = |at: At| worlds.status.row(at.world)[0] != LEFT_OVER;
        let sound = |item: usize| Some(at(item)).filter(|&at| is_sound(at));
        for first in items.clone().step_by(4) {
            let four: [Option<At>; 4] =
                std::array::from_fn(|k| (first + k < items.end).then(|| sound(first + k)).flatten());
            if let [Some(a), Some(b), Some(c), Some(d)] = four
                && self.how.observe_four(self.exact, worlds, number, [a, b, c, d])
            {
                continue;
            }
            for at in four.into_iter().flatten() {
                // SAFETY: nobody else runs this item.
                let evaluated = unsafe { self.evaluated.part(at.item) };
                evaluated.copy_from_slice(&place.states[at.item - items.start].evaluated);
                self.how.observe(self.exact, worlds, number, at, &Mutex::new(evaluated));
            }
        }
        for at in items.map(at).filter(|at| worlds.status.row(at.world)[0] > 0) {
            // SAFETY: nobody else runs this item and its world.
            unsafe { worlds.state.row_mut(at.world).copy_from_slice(self.before.part(at.item)) };
        }
    }
}

/// The threads of a call, and what they work with.
struct Crew<'a> {
    pool: &'a Pool,
    team: &'a mut Team,
    places: &'a [Mutex<Place>],
    width: usize,
    own: &'a mut Vec<Mutex<Own>>,
}

impl Crew<'_> {
    /// Calls `work` for the worlds of a call in groups, on the threads of the pool: with the place and its number, the items of
    /// the group, and its own parameters if worlds have such.
    fn each_group(
        self,
        worlds: &Worlds,
        select: Select<'_>,
        work: impl Fn(&mut Place, usize, Range<usize>, Option<&mut Own>) + Sync,
    ) {
        let Self { pool, team, places, width, own } = self;
        let count = select.len(worlds.count);
        // few worlds are spread over the threads rather than gathered in registers
        let size = width.min(count.div_ceil(places.len())).max(1);
        let groups = count.div_ceil(size);
        let differ = !worlds.parameters.is_empty();
        if differ && own.len() < groups {
            own.resize_with(groups, Mutex::default);
        }
        let own = &*own;
        pool.run(team, groups, &|number, group| {
            let mut place = places[number].lock().unwrap_or_else(PoisonError::into_inner);
            let mut own = differ.then(|| own[group].lock().unwrap_or_else(PoisonError::into_inner));
            let items = group * size..count.min((group + 1) * size);
            work(&mut place, number, items, own.as_deref_mut());
        });
    }
}

impl LeanSteps {
    /// Stands before exact steps; or says what the model has that lean steps have not.
    pub fn new(exact: Exact, model: &Model, worlds: usize, pool: Arc<Pool>) -> Result<Self, BatchError> {
        let threads = exact.threads();
        let width = Width::holding(worlds.div_ceil(threads));
        let initial = State::initial(model);
        let places = (0..threads).map(|_| {
            let lean = Lean::with_width(model, width)?;
            let width = lean.width().worlds();
            let (states, left) = (vec![initial.clone(); width], vec![false; width]);
            Ok(Mutex::new(Place { lean, states, left }))
        });
        let mut places = places.collect::<Result<Box<[_]>, BatchError>>()?;
        let width = places[0].get_mut().unwrap_or_else(PoisonError::into_inner).states.len();
        Ok(Self {
            exact,
            pool,
            team: Team::new(threads),
            places,
            width,
            own: Vec::new(),
            left_over: Vec::new(),
            before: Vec::new(),
            evaluated: Vec::new(),
        })
    }

    /// Steps worlds in groups; those that stayed sound are saved and observed, the others keep their rows and are marked.
    fn advance(&mut self, worlds: &Worlds, select: Select<'_>, steps: usize, how: Option<Observation>) {
        let Self { exact, pool, team, places, width, own, before, evaluated, .. } = self;
        let count = if how.is_some() { select.len(worlds.count) } else { 0 };
        before.resize(count * worlds.layout.width(), 0.0);
        evaluated.resize(count * how.map_or(0, |how| how.evaluated), 0.0);
        let observed = how.map(|how| Observed {
            how,
            exact,
            before: Parts::new(before.as_mut_slice(), count),
            evaluated: Parts::new(evaluated.as_mut_slice(), count),
        });
        let crew = Crew { pool, team, places, width: *width, own };
        crew.each_group(worlds, select, |place, number, items, own| {
            if let Some(observed) = &observed {
                observed.prepare(worlds, select, items.clone(), place);
            }
            place.advance(worlds, select, items.clone(), own, steps, &|| worlds.watch.ends(number));
            if let Some(observed) = &observed {
                observed.look(worlds, select, items, place, number);
            }
        });
    }

    /// Runs worlds with inputs and records of their own, in groups.
    fn roll(&mut self, worlds: &Worlds, select: Select<'_>, rollout: &Rollout<'_>) {
        let Self { pool, team, places, width, own, .. } = self;
        let crew = Crew { pool, team, places, width: *width, own };
        crew.each_group(worlds, select, |place, number, items, own| {
            place.roll(worlds, select, items, own, rollout, &|| worlds.watch.ends(number));
        });
    }

    /// Finds the worlds of a call that are left to the exact steps.
    fn sort(&mut self, worlds: &Worlds, select: Select<'_>) {
        self.left_over.clear();
        let left = (0..select.len(worlds.count))
            .map(|item| select.world(item))
            .filter(|&world| worlds.status.row(world)[0] == LEFT_OVER);
        self.left_over.extend(left.map(|world| world as i32));
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
            let portion = portion(&worlds.model);
            for first in (0..steps).step_by(portion) {
                if ends() {
                    // the exact steps end at once
                    left.fill(true);
                    return;
                }
                let steps = portion.min(steps - first);
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
            let stride = portion(&worlds.model).min(STRIDE);
            for k in 0..rollout.nstep {
                if k.is_multiple_of(stride) && ends() {
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

/// Steps between two looks whether the call has to end: few where each takes long.
fn portion(model: &Model) -> usize {
    (LONG_DOFS / model.nv.max(1)).clamp(1, PORTION)
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
        let (nstep, how) = match *operation {
            Operation::Step { nstep, stage, rnepost } => {
                let how = Observation::new(&worlds.model, stage, rnepost, self.persistent());
                (nstep, Some(how).filter(|_| observed))
            }
            Operation::Rollout(ref rollout)
                if !observed && rollout.is_lean(&worlds.model, &worlds.layout) =>
            {
                self.roll(worlds, select, rollout);
                return self.repeat_left_over(worlds, select, rollout);
            }
            _ => return self.exact.run(worlds, select, operation),
        };
        let steps = nstep.saturating_sub(how.map_or(0, |how| how.exact_steps()));
        if steps == 0 {
            return self.exact.run(worlds, select, operation);
        }
        self.advance(worlds, select, steps, how);
        self.sort(worlds, select);
        if !self.left_over.is_empty() {
            self.exact.run(worlds, Select::Ids(&self.left_over), operation)?;
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
