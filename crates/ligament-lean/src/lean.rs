//! The engine that users hold: tables of a model, and groups of lanes of the width that the processor has.

#![allow(unsafe_code)] // entries of functions compiled for vector instructions; see the notes at each call

use crate::accept::Refusal;
use crate::by_lane::fresh;
use crate::lane::{F64x2, Lane};
#[cfg(target_arch = "x86_64")]
use crate::lane::{F64x4, F64x8};
use crate::state::State;
use crate::step::{Group, bad_lanes};
use crate::tables::{Gather, MOST, Tables};
use ligament_model::{Data, Model};
use ligament_sim::step::StepError;

/// How many worlds a register holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One world at a time.
    One,
    /// Two worlds: SSE2 or NEON.
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

    /// The narrowest that holds so many worlds, or the widest that this processor has: a register that is half empty takes
    /// nearly as long as a full one.
    pub fn holding(worlds: usize) -> Self {
        let fits = |width: &Self| width.is_available() && width.worlds() >= worlds;
        [Self::Two, Self::Four].into_iter().find(fits).unwrap_or_else(Self::widest)
    }

    /// Does this processor have it?
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::One | Self::Two => is_x86_feature_detected!("fma"),
            #[cfg(not(target_arch = "x86_64"))]
            Self::One | Self::Two => true,
            #[cfg(target_arch = "x86_64")]
            Self::Four => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Self::Eight => {
                is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("avx512f")
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

/// A group, and the tables of the engine's model in its lanes.
struct Set<L: Lane> {
    group: Group<L>,
    tables: Tables<L>,
}

enum Lanes {
    None,
    Two(Box<Set<F64x2>>),
    #[cfg(target_arch = "x86_64")]
    Four(Box<Set<F64x4>>),
    #[cfg(target_arch = "x86_64")]
    Eight(Box<Set<F64x8>>),
}

/// Steps worlds of one model.
pub struct Lean {
    model: Model,
    tables: Tables,
    single: Box<Group<f64>>,
    lanes: Lanes,
    /// Steps worlds whose numbers went bad, as the exact engine resets them.
    rescue: Option<Box<Data>>,
    /// Why that was not possible.
    failure: Option<StepError>,
    /// What [`Lean::observe`] shows.
    observed: Option<Box<Data>>,
}

/// Models of the same structure whose numbers differ, for worlds with parameters of their own: as many as the engine has
/// lanes, or fewer.
pub struct Variants {
    models: Vec<Model>,
    tables: Own,
}

enum Own {
    /// Worlds that differ in more than numbers, or are too few for lanes: one at a time.
    Each(Vec<Tables>),
    Two(Box<Tables<F64x2>>),
    #[cfg(target_arch = "x86_64")]
    Four(Box<Tables<F64x4>>),
    #[cfg(target_arch = "x86_64")]
    Eight(Box<Tables<F64x8>>),
}

impl Own {
    fn new(each: Vec<Tables>, width: Width) -> Self {
        let lanes = if each.len() > width.worlds() / 2 { width } else { Width::One };
        let gathered = match lanes {
            Width::One => None,
            Width::Two => in_lanes(&each).map(Self::Two),
            #[cfg(target_arch = "x86_64")]
            Width::Four => in_lanes(&each).map(Self::Four),
            #[cfg(target_arch = "x86_64")]
            Width::Eight => in_lanes(&each).map(Self::Eight),
            #[cfg(not(target_arch = "x86_64"))]
            Width::Four | Width::Eight => None,
        };
        gathered.unwrap_or(Self::Each(each))
    }
}

/// Tables of several worlds in lanes, if these differ in numbers only; lanes without a world repeat the last one.
fn in_lanes<L: Lane>(each: &[Tables]) -> Option<Box<Tables<L>>> {
    let worlds: Vec<&Tables> = (0..L::WIDTH).map(|lane| &each[lane.min(each.len() - 1)]).collect();
    Tables::gather(&worlds).map(Box::new)
}

impl Lean {
    /// An engine for a model, as wide as the processor allows; or what the model has that the lean step has not.
    pub fn new(model: &Model) -> Result<Self, Refusal> {
        Self::with_width(model, Width::widest())
    }

    /// An engine of a given width; a width that the processor does not have becomes the widest it has.
    pub fn with_width(model: &Model, width: Width) -> Result<Self, Refusal> {
        if !Width::One.is_available() {
            return Err(Refusal { feature: "a way for processors without fused multiply-add" });
        }
        let tables = Tables::new(model)?;
        let width = if width.is_available() { width } else { Width::widest() };
        let lanes = make_lanes(model, &tables, width);
        let single = Box::new(Group::new(&[model], &tables));
        Ok(Self { model: model.clone(), tables, single, lanes, rescue: None, failure: None, observed: None })
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

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Advances all worlds by `steps` time steps with the controls they have. Worlds whose numbers go bad, or that have more
    /// contacts than there is room for, are stepped by the exact engine; see [`Lean::take_failure`].
    pub fn step(&mut self, worlds: &mut [State], steps: usize) {
        self.step_groups(worlds, steps, |lean, _, world| {
            let d = lean.rescue.get_or_insert_with(|| Box::new(fresh(&lean.model)));
            if let Err(error) = rescue_world(&lean.model, d, world, steps) {
                lean.failure.get_or_insert(error);
            }
        });
    }

    /// Why the exact engine could not step a world that was left to it, since this was asked last. Such a world keeps its
    /// state.
    pub fn take_failure(&mut self) -> Option<StepError> {
        self.failure.take()
    }

    /// As [`Lean::step`], but worlds whose numbers go bad on the way keep their states: `leave` gets their places.
    pub fn step_sound(&mut self, worlds: &mut [State], steps: usize, mut leave: impl FnMut(usize)) {
        self.step_groups(worlds, steps, |_, place, _| leave(place));
    }

    /// Tables for worlds with models of their own, which have the sizes and kinematic trees of the engine's model: at least
    /// one, and at most as many as the engine's width; or what one of them has that the lean step has not.
    pub fn variants(&self, models: Vec<Model>) -> Result<Variants, Refusal> {
        let each = models.iter().map(Tables::new).collect::<Result<Vec<_>, _>>()?;
        Ok(Variants { models, tables: Own::new(each, self.width()) })
    }

    /// Steps one world for each of the variants, which are those of an engine of the same width; `leave` gets the places of
    /// worlds whose numbers go bad on the way, which keep their states.
    pub fn step_variants(
        &mut self,
        variants: &Variants,
        worlds: &mut [State],
        steps: usize,
        mut leave: impl FnMut(usize),
    ) {
        let last = variants.models.len() - 1;
        let models: [&Model; MOST] = std::array::from_fn(|k| &variants.models[k.min(last)]);
        let bad = match (&variants.tables, &mut self.lanes) {
            (Own::Two(own), Lanes::Two(set)) => run_own(set, worlds, &models, own, steps, step_two),
            #[cfg(target_arch = "x86_64")]
            (Own::Four(own), Lanes::Four(set)) => {
                // SAFETY: a group of this type is made only if the processor has these instructions.
                run_own(set, worlds, &models, own, steps, |group, m, t, go| unsafe {
                    step_four(group, m, t, go)
                })
            }
            #[cfg(target_arch = "x86_64")]
            (Own::Eight(own), Lanes::Eight(set)) => {
                // SAFETY: a group of this type is made only if the processor has these instructions.
                run_own(set, worlds, &models, own, steps, |group, m, t, go| unsafe {
                    step_eight(group, m, t, go)
                })
            }
            (Own::Each(own), _) => {
                let single = self.single.as_mut();
                let mut bad = 0;
                for (k, (own, world)) in own.iter().zip(worlds.iter_mut()).enumerate() {
                    single.world.place(own);
                    let world = std::slice::from_mut(world);
                    bad |= run(single, world, &models[k..=k], own, steps, step_one) << k;
                }
                single.world.place(&self.tables);
                bad
            }
            _ => u32::MAX, // made for another width
        };
        (0..worlds.len()).filter(|k| bad >> k & 1 != 0).for_each(&mut leave);
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
            if step_one(&mut self.single, &[&self.model], &self.tables, false) == 0 {
                world.qacc_warmstart.copy_from_slice(&self.single.world.qacc);
                continue;
            }
            let d = self.rescue.get_or_insert_with(|| Box::new(fresh(&self.model)));
            world.write(d);
            match ligament_sim::step::forward(&self.model, d) {
                Ok(()) => world.qacc_warmstart.copy_from_slice(&d.qacc),
                Err(error) => self.failure = Some(error),
            }
        }
    }

    /// Steps one group; returns the lanes whose numbers went bad, which keep their states.
    fn step_group(&mut self, worlds: &mut [State], steps: usize, wide: bool) -> u32 {
        let Self { model, tables, single, lanes, .. } = self;
        let m: &[&Model] = &[model];
        match lanes {
            #[cfg(target_arch = "x86_64")]
            Lanes::Eight(set) if wide => {
                let Set { group, tables } = set.as_mut();
                // SAFETY: a group of this type is made only if the processor has these instructions.
                run(group, worlds, m, tables, steps, |group, m, t, go| unsafe { step_eight(group, m, t, go) })
            }
            #[cfg(target_arch = "x86_64")]
            Lanes::Four(set) if wide => {
                let Set { group, tables } = set.as_mut();
                // SAFETY: a group of this type is made only if the processor has these instructions.
                run(group, worlds, m, tables, steps, |group, m, t, go| unsafe { step_four(group, m, t, go) })
            }
            Lanes::Two(set) if wide => run(&mut set.group, worlds, m, &set.tables, steps, step_two),
            _ => run(single, worlds, m, tables, steps, step_one),
        }
    }
}

fn make_lanes(model: &Model, tables: &Tables, width: Width) -> Lanes {
    let lanes = match width {
        Width::One => None,
        Width::Two => make_set(model, tables).map(Lanes::Two),
        #[cfg(target_arch = "x86_64")]
        Width::Four => make_set(model, tables).map(Lanes::Four),
        #[cfg(target_arch = "x86_64")]
        Width::Eight => make_set(model, tables).map(Lanes::Eight),
        #[cfg(not(target_arch = "x86_64"))]
        Width::Four | Width::Eight => None,
    };
    lanes.unwrap_or(Lanes::None)
}

fn make_set<L: Lane>(model: &Model, tables: &Tables) -> Option<Box<Set<L>>> {
    let tables = *in_lanes(std::slice::from_ref(tables))?;
    Some(Box::new(Set { group: Group::new(&[model], &tables), tables }))
}

/// Runs worlds with tables of their own.
fn run_own<L: Lane>(
    set: &mut Set<L>,
    worlds: &mut [State],
    models: &[&Model],
    own: &Tables<L>,
    steps: usize,
    step: impl Fn(&mut Group<L>, &[&Model], &Tables<L>, bool) -> u32,
) -> u32 {
    set.group.world.place(own);
    let bad = run(&mut set.group, worlds, models, own, steps, step);
    set.group.world.place(&set.tables);
    bad
}

/// Loads worlds, steps them, and stores those that stayed sound; returns the others, which keep their states.
fn run<L: Lane>(
    group: &mut Group<L>,
    worlds: &mut [State],
    m: &[&Model],
    t: &Tables<L>,
    steps: usize,
    step: impl Fn(&mut Group<L>, &[&Model], &Tables<L>, bool) -> u32,
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
                world.time += t.timestep.lanes()[lane];
            }
        }
    }
    bad
}

/// Steps a world by the exact engine, which warns and resets as MuJoCo does.
fn rescue_world(m: &Model, d: &mut Data, world: &mut State, steps: usize) -> Result<(), StepError> {
    world.write(d);
    for _ in 0..steps {
        ligament_sim::step::step(m, d)?;
    }
    world.read(d);
    Ok(())
}

fn step_one(group: &mut Group<f64>, m: &[&Model], t: &Tables<f64>, advance: bool) -> u32 {
    fused(group, m, t, advance)
}

fn step_two(group: &mut Group<F64x2>, m: &[&Model], t: &Tables<F64x2>, advance: bool) -> u32 {
    fused(group, m, t, advance)
}

/// A step with the fused instructions that the processor has.
#[inline(always)]
fn fused<L: Lane>(group: &mut Group<L>, m: &[&Model], t: &Tables<L>, advance: bool) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "fma")]
        fn step<L: Lane>(group: &mut Group<L>, m: &[&Model], t: &Tables<L>, advance: bool) -> u32 {
            group.step(m, t, advance)
        }
        // SAFETY: no engine is made for a processor without these instructions.
        unsafe { step(group, m, t, advance) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    group.step(m, t, advance)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn step_four(group: &mut Group<F64x4>, m: &[&Model], t: &Tables<F64x4>, advance: bool) -> u32 {
    group.step(m, t, advance)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,fma")]
fn step_eight(group: &mut Group<F64x8>, m: &[&Model], t: &Tables<F64x8>, advance: bool) -> u32 {
    group.step(m, t, advance)
}
