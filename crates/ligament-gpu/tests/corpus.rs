//! The kernels against the CPU engine over folders of models: contacts and steps, compiled for the host.

mod support;

use ligament::prelude::*;
use ligament_gpu::{Capacity, Precision, Tables, Wanted};
use ligament_model::enums::SolverType;
use std::path::{Path, PathBuf};
use support::{Kernel, Noise, State, Touch, state_of};

/// What the kernels make of the states of a model.
#[derive(Default)]
struct Agreement {
    states: usize,
    touching: usize,
    same: usize,
    ties: usize,
    /// Largest difference of positions and velocities in each state: to the CPU with the model's own tolerance, and to its solver
    /// without one.
    errors: [Vec<f64>; 2],
    /// States in which the second is more than rounding explains, though both engines have the same contacts and the kernels' solver
    /// was not stopped by the model's number of iterations. Where the model allows a few iterations only, the first.
    far: Vec<String>,
}

/// Differences to the CPU's solver without tolerance, in double precision.
const ROUNDING: f64 = 1e-9;

/// Every model that the back end accepts, from states along a noisy trajectory as `scripts/agree-gpu` takes them; `LIGAMENT_ONLY` is
/// a list of parts of names, `LIGAMENT_STATES` a number.
#[test]
#[ignore = "runs over a folder of models: LIGAMENT_CORPUS=FOLDER cargo test -p ligament-gpu --test corpus -- --ignored --nocapture"]
fn corpus_contacts_agree() {
    let root = std::env::var("LIGAMENT_CORPUS").expect("LIGAMENT_CORPUS names a folder of models");
    let only = std::env::var("LIGAMENT_ONLY").unwrap_or_default();
    let count = std::env::var("LIGAMENT_STATES").map_or(64, |n| n.parse().unwrap());
    let mut files = Vec::new();
    collect(Path::new(&root), &mut files);
    files.sort();
    files.retain(|f| only.split(',').any(|part| f.to_string_lossy().contains(part)));
    let mut sums = [Agreement::default(), Agreement::default()];
    for file in &files {
        let Ok(model) = ligament::load_model_from_file(file) else { continue };
        let name = file.strip_prefix(&root).unwrap().display();
        match Tables::new(&model, &Wanted::default()) {
            Err(why) => println!("{name}: refused: {}{}", why.what, why.place),
            Ok(_) => judge(&model, &name.to_string(), count, &mut sums),
        }
    }
    for (sum, precision) in sums.iter_mut().zip(["f64", "f32"]) {
        println!("{precision} over all: {}", line(sum));
    }
    let [exact, single] = sums;
    assert!(exact.states > 0 && exact.same == exact.states, "contacts differ in double precision");
    assert!(single.same * 1000 >= single.states * 999, "contacts differ in single precision");
    assert!(exact.far.is_empty(), "steps differ in double precision:\n{}", exact.far.join("\n"));
}

/// Prints a line for each precision and adds to the sums.
fn judge(model: &Model, name: &str, count: usize, sums: &mut [Agreement; 2]) {
    let wanted = std::env::var("LIGAMENT_PRECISION").unwrap_or_default();
    for (sum, precision) in sums.iter_mut().zip([Precision::F64, Precision::F32]) {
        if !format!("{precision:?}").contains(&wanted) {
            continue;
        }
        let mut found = agreement(model, name, count, precision);
        println!("{name}: {precision:?} {}", line(&mut found));
        (sum.states, sum.same, sum.ties) =
            (sum.states + found.states, sum.same + found.same, sum.ties + found.ties);
        sum.touching += found.touching;
        sum.far.append(&mut found.far);
        sum.errors.iter_mut().zip(&mut found.errors).for_each(|(all, new)| all.append(new));
    }
}

fn line(found: &mut Agreement) -> String {
    let shares = found.errors.each_mut().map(|errors| {
        errors.sort_by(f64::total_cmp);
        let share =
            |x: f64| errors.get((x * (errors.len().max(1) - 1) as f64) as usize).copied().unwrap_or(0.0);
        let [median, most, worst] = [0.5, 0.9, 1.0].map(share);
        format!("{median:.0e} {most:.0e} {worst:.0e}")
    });
    let Agreement { states, touching, same, ties, .. } = found;
    format!(
        "contacts {same} of {states} ({touching} touching), {ties} ties; differences {}, converged {}",
        shares[0], shares[1]
    )
}

fn agreement(model: &Model, name: &str, count: usize, precision: Precision) -> Agreement {
    let mut ladder = Ladder::new(model, precision);
    let few = ladder.makes_few_iterations();
    let mut converged = model.clone();
    (converged.opt.tolerance, converged.opt.iterations, converged.opt.ls_iterations) = (0.0, 200, 100);
    converged.opt.solver = SolverType::Newton as i32;
    let (mut data, mut noise, mut found) = (model.make_data().unwrap(), Noise(7), Agreement::default());
    for number in 0..count {
        for _ in 0..10 {
            data.ctrl.iter_mut().for_each(|u| *u = noise.next());
            if data.step(model).is_err() {
                return found;
            }
        }
        round_to_single(&mut data);
        let start = data.clone();
        let mut state = state_of(model, &data);
        let finite = |x: &[f64]| x.iter().all(|x| x.abs() < 1e10);
        if data.step(model).is_err() || !finite(&data.qpos) || !finite(&data.qvel) {
            return found;
        }
        let kernel = ladder.step(&mut state);
        let (ours, theirs) = (kernel.contacts(state.contacts), contacts_of(&data));
        let same = state.contacts as usize == ours.len() && same_contacts(&ours, &theirs);
        found.states += 1;
        found.touching += usize::from(!theirs.is_empty());
        found.same += usize::from(same);
        found.errors[0].push(far(&state, &data));
        let mut best = start.clone();
        best.step(&converged).unwrap();
        let error = far(&state, &best);
        found.errors[1].push(error);
        // few iterations end short of the minimum: they must be the CPU's
        let (error, judge) = if few { (far(&state, &data), model) } else { (error, &converged) };
        let stopped = !few && state.iterations >= model.opt.iterations;
        let judged = precision == Precision::F64 && !stopped && same && are_close(&ours, &theirs);
        let roundings = if judged && error > ROUNDING { rounding_of_steps(judge, &start) } else { 0.0 };
        if judged && error > ROUNDING.max(10.0 * roundings) {
            let contacts = ours.len();
            found.far.push(format!(
                "{name} state {number}: {error:.0e}, {contacts} contacts, {roundings:.0e} by roundings"
            ));
        }
        if !same {
            let tie = is_tie(model, &start, &ours, &theirs, precision);
            found.ties += usize::from(tie);
            if std::env::var("LIGAMENT_VERBOSE").is_ok() {
                println!(
                    "{name} state {number} {precision:?}: tie {tie}, {} contacts, CPU {}",
                    ours.len(),
                    theirs.len()
                );
                only_in(&ours, &theirs, 1e-5).for_each(|t| println!("   kernels only {t:?}"));
                only_in(&theirs, &ours, 1e-5).for_each(|t| println!("   CPU only {t:?}"));
            }
        } else if std::env::var("LIGAMENT_VERBOSE").is_ok() && precision == Precision::F64 && error > 1e-9 {
            println!(
                "{name} state {number}: {error:e} with {} contacts, {} iterations",
                ours.len(),
                state.iterations
            );
            for (a, b) in ours.iter().zip(&theirs) {
                println!("   {a:?} {b:?}");
            }
        }
    }
    found
}

/// The kernels that a world goes through as on the device: plain, then with more and more room.
struct Ladder<'a> {
    model: &'a Model,
    precision: Precision,
    rungs: Vec<(Wanted, Kernel)>,
}

impl<'a> Ladder<'a> {
    fn new(model: &'a Model, precision: Precision) -> Self {
        let mut ladder = Self { model, precision, rungs: Vec::new() };
        let tables = Tables::new(model, &Wanted::default()).unwrap();
        ladder.add(Wanted {
            plain: tables.has_general,
            capacity: Some(tables.capacity),
            ..Wanted::default()
        });
        ladder
    }

    fn add(&mut self, wanted: Wanted) {
        let kernel = Kernel::new(Tables::new(self.model, &wanted).unwrap(), self.precision);
        self.rungs.push((wanted, kernel));
    }

    /// Are iterations made one by one as the CPU makes them?
    fn makes_few_iterations(&self) -> bool {
        Tables::new(self.model, &Wanted::default()).unwrap().header.contains("#define FEW_ITERATIONS 1\n")
    }

    /// Makes a step; returns the kernel that had room for it.
    fn step(&mut self, state: &mut State) -> &Kernel {
        let mut rung = 0;
        loop {
            self.rungs[rung].1.steps(state, 1);
            if state.status & 1 == 0 {
                if rung > 0 {
                    self.rungs[0].1.take_kept(&self.rungs[rung].1);
                }
                return &self.rungs[rung].1;
            }
            rung += 1;
            if rung == self.rungs.len() {
                let mut wanted = self.rungs[rung - 1].0.clone();
                if !std::mem::replace(&mut wanted.plain, false) {
                    wanted.capacity = wanted.capacity.map(Capacity::doubled);
                }
                self.add(wanted);
            }
            self.rungs[rung].1.take_kept(&self.rungs[rung - 1].1);
        }
    }
}

/// States that both precisions can hold: both engines start from the same one.
fn round_to_single(data: &mut Data) {
    let Data { qpos, qvel, act, qacc_warmstart, ctrl, mocap_pos, mocap_quat, .. } = data;
    let flat = [qpos, qvel, act, qacc_warmstart, ctrl].into_iter().flat_map(|x| x.iter_mut());
    let poses = mocap_pos.iter_mut().flatten().chain(mocap_quat.iter_mut().flatten());
    flat.chain(poses).for_each(|x| *x = f64::from(*x as f32));
}

/// Contacts that make rows.
fn contacts_of(data: &Data) -> Vec<Touch> {
    let rows = data.contact.iter().filter(|c| c.efc_address >= 0);
    let numbers = |c: &Contact| [c.dist, c.pos[0], c.pos[1], c.pos[2], c.frame[0], c.frame[1], c.frame[2]];
    rows.map(|c| Touch { geoms: c.geom, numbers: numbers(c) }).collect()
}

/// As many contacts of the same geoms?
fn same_contacts(ours: &[Touch], theirs: &[Touch]) -> bool {
    let sorted = |list: &[Touch]| {
        let mut geoms: Vec<[i32; 2]> = list.iter().map(|t| t.geoms).collect();
        geoms.sort_unstable();
        geoms
    };
    sorted(ours) == sorted(theirs)
}

/// Contacts of the first list that the second has none of so near to them.
fn only_in<'a>(list: &'a [Touch], other: &'a [Touch], near: f64) -> impl Iterator<Item = &'a Touch> {
    let is_near =
        move |a: &Touch, b: &Touch| a.numbers.iter().zip(&b.numbers).all(|(x, y)| (x - y).abs() < near);
    list.iter().filter(move |a| !other.iter().any(|b| a.geoms == b.geoms && is_near(a, b)))
}

/// The same contacts to rounding? Those of round shapes are known to `ccd_tolerance` only.
fn are_close(ours: &[Touch], theirs: &[Touch]) -> bool {
    only_in(ours, theirs, 1e-12).next().is_none()
}

/// Of each pair of geoms that has another number of contacts: does the CPU find as many when positions change by some roundings?
fn is_tie(model: &Model, start: &Data, ours: &[Touch], theirs: &[Touch], precision: Precision) -> bool {
    let rounding = if precision == Precision::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let count = |list: &[Touch], geoms: [i32; 2]| list.iter().filter(|t| t.geoms == geoms).count();
    let mut open: Vec<[i32; 2]> = ours.iter().chain(theirs).map(|t| t.geoms).collect();
    open.retain(|&geoms| count(ours, geoms) != count(theirs, geoms));
    let mut noise = Noise(1);
    for _ in 0..64 {
        let mut data = start.clone();
        data.qpos.iter_mut().for_each(|x| *x += 8.0 * rounding * noise.next() * (1.0 + x.abs()));
        if data.step(model).is_ok() {
            let found = contacts_of(&data);
            open.retain(|&geoms| count(ours, geoms) != count(&found, geoms));
        }
    }
    open.is_empty()
}

fn far(state: &State, data: &Data) -> f64 {
    difference(&state.qpos, &data.qpos).max(difference(&state.qvel, &data.qvel))
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs() / (1.0 + y.abs())).fold(0.0, f64::max)
}

/// How far the CPU's own steps come apart when positions and velocities change by some roundings: stiff contacts that hold the same
/// bodies several times magnify them.
fn rounding_of_steps(model: &Model, start: &Data) -> f64 {
    let mut noise = Noise(2);
    let mut step = |size: f64| {
        let mut data = start.clone();
        let Data { qpos, qvel, .. } = &mut data;
        qpos.iter_mut().chain(qvel.iter_mut()).for_each(|x| *x += size * noise.next() * (1.0 + x.abs()));
        data.step(model).unwrap();
        data
    };
    let exact = step(0.0);
    let apart = |data: Data| difference(&data.qpos, &exact.qpos).max(difference(&data.qvel, &exact.qvel));
    (0..8).map(|_| apart(step(4.0 * f64::EPSILON))).fold(0.0, f64::max)
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "xml") {
            out.push(path);
        }
    }
}
