//! The engine that users hold: tables of a model, and groups of lanes of the width that the processor has.

#![allow(unsafe_code)] // entries of functions compiled for vector instructions; see the notes at each call

use crate::accept::Refusal;
use crate::by_lane::fresh;
use crate::lane::{F64x2, Lane};
use crate::state::State;
use crate::step::{Group, bad_lanes};
use crate::tables::Tables;
use ligament_model::{Data, Model};
use ligament_sim::step::StepError;

/// How many worlds a register holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One world at a time.
    One,
    /// Two worlds: what every processor has.
    Two,
    /// Four worlds: AVX2.
    Four,
    /// Eight worlds: AVX-512.
    Eight,
}

impl Width {
    /// The widest that this processor has.
    pub fn widest() -> Self {
        [Self::Eight, Self::Four].into_iter().find(|w| w.is_available()).unwrap_or(Self::Two)
    }

    /// Does this processor have it?
    pub fn is_available(self) -> bool {
        match self {
            Self::One | Self::Two => true,
            #[cfg(target_arch = "x86_64")]
            Self::Four => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Eight => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Four | Self::Eight => false,
        }
    }

    /// Number of worlds.
    pub fn worlds(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

enum Lanes {
    None,
    Two(Box<Group<F64x2>>),
    #[cfg(target_arch = "x86_64")]
    Four(Box<Group<crate::lane::F64x4>>),
    #[cfg(target_arch = "x86_64")]
    Eight(Box<Group<crate::lane::F64x8>>),
}

/// Steps worlds of one model.
pub struct Lean {
    model: Model,
    tables: Tables,
    single: Box<Group<f64>>,
    lanes: Lanes,
    /// Steps worlds whose numbers went bad, as the exact engine resets them.
    rescue: Option<Box<Data>>,
    /// What [`Lean::observe`] shows.
    observed: Option<Box<Data>>,
}

/// A model of the same structure whose numbers differ: for worlds with parameters of their own.
pub struct Variant {
    model: Model,
    tables: Tables,
}

impl Variant {
    /// The tables of a model; or what it has that the lean step has not.
    pub fn new(model: &Model) -> Result<Self, Refusal> {
        Ok(Self { model: model.clone(), tables: Tables::new(model)? })
    }
}

impl Lean {
    /// An engine for a model, as wide as the processor allows; or what the model has that the lean step has not.
    pub fn new(model: &Model) -> Result<Self, Refusal> {
        Self::with_width(model, Width::widest())
    }

    /// An engine of a given width; a width that the processor does not have becomes the widest it has.
    pub fn with_width(model: &Model, width: Width) -> Result<Self, Refusal> {
        let tables = Tables::new(model)?;
        let width = if width.is_available() { width } else { Width::widest() };
        let lanes = make_lanes(model, &tables, width);
        let single = Box::new(Group::new(model, &tables));
        Ok(Self { model: model.clone(), tables, single, lanes, rescue: None, observed: None })
    }

    /// How many worlds are stepped at once.
    pub fn width(&self) -> Width {
        match self.lanes {
            Lanes::None => Width::One,
            Lanes::Two(_) => Width::Two,
            #[cfg(target_arch = "x86_64")]
            Lanes::Four(_) => Width::Four,
            #[cfg(target_arch = "x86_64")]
            Lanes::Eight(_) => Width::Eight,
        }
    }

    /// What was computed once from the model.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Advances all worlds by `steps` time steps with the controls they have.
    pub fn step(&mut self, worlds: &mut [State], steps: usize) {
        self.step_groups(worlds, steps, |lean, _, world| {
            let d = lean.rescue.get_or_insert_with(|| Box::new(fresh(&lean.model)));
            rescue_world(&lean.model, d, world, steps);
        });
    }

    /// As [`Lean::step`], but worlds whose numbers go bad on the way keep their states: `leave` gets their places.
    pub fn step_sound(&mut self, worlds: &mut [State], steps: usize, mut leave: impl FnMut(usize)) {
        self.step_groups(worlds, steps, |_, place, _| leave(place));
    }

    /// Steps a world with numbers of its own; false if they go bad on the way, and the world then keeps its state.
    /// The variant has the sizes and kinematic trees of the engine's model.
    pub fn step_variant(&mut self, variant: &Variant, world: &mut State, steps: usize) -> bool {
        let Variant { model, tables } = variant;
        let single = self.single.as_mut();
        single.world.place(tables);
        let bad = run(single, std::slice::from_mut(world), model, tables, steps, step_one);
        self.single.world.place(&self.tables);
        bad == 0
    }

    /// Everything that follows from a state, computed by the exact engine: poses, contacts, forces, sensors.
    pub fn observe(&mut self, world: &State) -> Result<&Data, StepError> {
        let d = self.observed.get_or_insert_with(|| Box::new(fresh(&self.model)));
        world.write(d);
        ligament_sim::step::forward(&self.model, d)?;
        Ok(d)
    }

    /// Steps worlds in groups as wide as they allow; calls `bad` for those whose numbers went bad.
    fn step_groups(
        &mut self,
        worlds: &mut [State],
        steps: usize,
        mut bad: impl FnMut(&mut Self, usize, &mut State),
    ) {
        let (width, all) = (self.width().worlds(), worlds.len());
        let mut first = 0;
        while first < all {
            let rest = all - first;
            let wide = rest > width / 2 && width > 1;
            let group = &mut worlds[first..first + if wide { width.min(rest) } else { 1 }];
            let lanes = self.step_group(group, steps, wide);
            for (lane, world) in group.iter_mut().enumerate().filter(|(lane, _)| lanes >> lane & 1 != 0) {
                bad(self, first + lane, world);
            }
            first += group.len();
        }
    }

    /// Accelerations of the worlds, left in their warm starts; nothing moves.
    pub fn forward(&mut self, worlds: &mut [State]) {
        for world in worlds {
            self.single.expect(std::slice::from_ref(world));
            self.single.load(0, world);
            step_one(&mut self.single, &self.model, &self.tables, false);
            for (x, a) in world.qacc_warmstart.iter_mut().zip(&self.single.world.qacc) {
                *x = *a;
            }
        }
    }

    /// Steps one group; returns the lanes whose numbers went bad, which keep their states.
    fn step_group(&mut self, worlds: &mut [State], steps: usize, wide: bool) -> u32 {
        let Self { model, tables, single, lanes, .. } = self;
        match lanes {
            #[cfg(target_arch = "x86_64")]
            Lanes::Eight(group) if wide => {
                run(group.as_mut(), worlds, model, tables, steps, |group, m, t, advance| {
                    // SAFETY: a group of this type is made only if the processor has these instructions.
                    unsafe { step_eight(group, m, t, advance) }
                })
            }
            #[cfg(target_arch = "x86_64")]
            Lanes::Four(group) if wide => {
                run(group.as_mut(), worlds, model, tables, steps, |group, m, t, advance| {
                    // SAFETY: a group of this type is made only if the processor has these instructions.
                    unsafe { step_four(group, m, t, advance) }
                })
            }
            Lanes::Two(group) if wide => run(group.as_mut(), worlds, model, tables, steps, step_two),
            _ => run(single.as_mut(), worlds, model, tables, steps, step_one),
        }
    }
}

fn make_lanes(model: &Model, tables: &Tables, width: Width) -> Lanes {
    match width {
        Width::Two => Lanes::Two(Box::new(Group::new(model, tables))),
        #[cfg(target_arch = "x86_64")]
        Width::Four => Lanes::Four(Box::new(Group::new(model, tables))),
        #[cfg(target_arch = "x86_64")]
        Width::Eight => Lanes::Eight(Box::new(Group::new(model, tables))),
        Width::One => Lanes::None,
        #[cfg(not(target_arch = "x86_64"))]
        Width::Four | Width::Eight => Lanes::None,
    }
}

/// Loads worlds, steps them, and stores those that stayed sound; returns the others, which keep their states.
fn run<L: Lane>(
    group: &mut Group<L>,
    worlds: &mut [State],
    m: &Model,
    t: &Tables,
    steps: usize,
    step: impl Fn(&mut Group<L>, &Model, &Tables, bool) -> u32,
) -> u32 {
    group.expect(worlds);
    for lane in 0..L::WIDTH {
        // lanes without a world repeat the last one
        group.load(lane, &worlds[lane.min(worlds.len() - 1)]);
    }
    let mut bad = bad_lanes(&group.world.qpos) | bad_lanes(&group.world.qvel);
    for k in 0..steps {
        bad |= step(group, m, t, true);
        if k + 1 < steps {
            bad |= bad_lanes(&group.world.qpos) | bad_lanes(&group.world.qvel);
        }
    }
    for (lane, world) in worlds.iter_mut().enumerate() {
        if bad >> lane & 1 == 0 {
            group.store(lane, world);
            for _ in 0..steps {
                world.time += t.timestep;
            }
        }
    }
    bad
}

/// Steps a world by the exact engine, which warns and resets as MuJoCo does.
fn rescue_world(m: &Model, d: &mut Data, world: &mut State, steps: usize) {
    world.write(d);
    for _ in 0..steps {
        if ligament_sim::step::step(m, d).is_err() {
            break;
        }
    }
    world.read(d);
}

fn step_one(group: &mut Group<f64>, m: &Model, t: &Tables, advance: bool) -> u32 {
    group.step(m, t, advance)
}

fn step_two(group: &mut Group<F64x2>, m: &Model, t: &Tables, advance: bool) -> u32 {
    group.step(m, t, advance)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn step_four(group: &mut Group<crate::lane::F64x4>, m: &Model, t: &Tables, advance: bool) -> u32 {
    group.step(m, t, advance)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn step_eight(group: &mut Group<crate::lane::F64x8>, m: &Model, t: &Tables, advance: bool) -> u32 {
    group.step(m, t, advance)
}
