//! Stages touch what they say: each runs with everything spoilt that it does not list, and changes nothing else.

mod support;
use ligament::enums::EnableBit;
use ligament::sim::reset::make_data;
use ligament::sim::stages::{STAGES, StageEntry};
use ligament::sim::step;
use ligament::{Contact, Data, Model, load_model, load_model_from_file};
use ligament_model::array::{ArrayMut, ArrayRef};
use ligament_model::data::Scalar;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use support::models;

const WRONG_ID: i32 = i32::MIN / 2;

fn spoil_array(array: ArrayMut<'_>) {
    match array {
        ArrayMut::F64(x) => x.fill(f64::NAN),
        ArrayMut::F32(x) => x.fill(f32::NAN),
        ArrayMut::I32(x) => x.fill(WRONG_ID),
        ArrayMut::I64(x) => x.fill(i64::from(WRONG_ID)),
        ArrayMut::U64(x) => x.fill(u64::MAX / 2),
        ArrayMut::U8(x) => x.fill(0xAA),
    }
}

fn spoilt_contact() -> Contact {
    Contact {
        dist: f64::NAN,
        pos: [f64::NAN; 3],
        frame: [f64::NAN; 9],
        includemargin: f64::NAN,
        friction: [f64::NAN; 5],
        solref: [f64::NAN; 2],
        solreffriction: [f64::NAN; 2],
        solimp: [f64::NAN; 5],
        mu: f64::NAN,
        H: [f64::NAN; 36],
        dim: WRONG_ID,
        geom: [WRONG_ID; 2],
        flex: [WRONG_ID; 2],
        elem: [WRONG_ID; 2],
        vert: [WRONG_ID; 2],
        exclude: WRONG_ID,
        efc_address: WRONG_ID,
    }
}

/// All names of the state that the lists can have.
fn state_names() -> Vec<&'static str> {
    let arrays = Data::FIELDS.iter().map(|field| field.name);
    arrays.chain(Data::SCALARS.iter().copied()).chain(["contact", "energy"]).collect()
}

/// Makes a part of the state useless.
fn spoil(d: &mut Data, name: &str) {
    if let Some(field) = Data::FIELDS.iter().find(|field| field.name == name) {
        spoil_array((field.get_mut)(d));
    } else if name == "contact" {
        d.contact.fill(spoilt_contact());
    } else if name == "energy" {
        d.energy = [f64::NAN; 2];
    } else {
        let wrong = match d.scalar(name).expect("a number") {
            Scalar::Real(_) => f64::NAN,
            Scalar::Count(_) => 1.5e19, // too many to allocate, so that it is a panic
            Scalar::Flag(flag) => f64::from(u8::from(!flag)),
        };
        d.set_scalar(name, wrong);
    }
}

fn bits(d: &Data, name: &str) -> Vec<u64> {
    if let Some(field) = Data::FIELDS.iter().find(|field| field.name == name) {
        return match (field.get)(d) {
            ArrayRef::F64(x) => x.iter().map(|v| v.to_bits()).collect(),
            ArrayRef::F32(x) => x.iter().map(|v| u64::from(v.to_bits())).collect(),
            ArrayRef::I32(x) => x.iter().map(|&v| v as u64).collect(),
            ArrayRef::I64(x) => x.iter().map(|&v| v as u64).collect(),
            ArrayRef::U64(x) => x.to_vec(),
            ArrayRef::U8(x) => x.iter().map(|&v| u64::from(v)).collect(),
        };
    }
    match name {
        "contact" => d.contact.iter().flat_map(contact_bits).collect(),
        "energy" => d.energy.map(f64::to_bits).to_vec(),
        _ => vec![match d.scalar(name).expect("a number") {
            Scalar::Real(x) => x.to_bits(),
            Scalar::Count(x) => x as u64,
            Scalar::Flag(x) => u64::from(x),
        }],
    }
}

fn contact_bits(c: &Contact) -> Vec<u64> {
    let numbers = [c.dist, c.includemargin, c.mu].into_iter().chain(c.pos).chain(c.frame).chain(c.friction);
    let numbers = numbers.chain(c.solref).chain(c.solreffriction).chain(c.solimp).chain(c.H);
    let ids = [c.dim, c.exclude, c.efc_address].into_iter().chain(c.geom).chain(c.flex).chain(c.elem);
    numbers.map(f64::to_bits).chain(ids.chain(c.vert).map(|id| id as u64)).collect()
}

/// The state of which each stage is run: as the stages before it left it.
fn states(m: &Model) -> Option<Vec<Data>> {
    let mut d = make_data(m).ok()?;
    d.ctrl.iter_mut().enumerate().for_each(|(i, u)| *u = 0.3 * (i as f64).sin());
    // what moves does not sleep
    if !m.opt.enabled(EnableBit::Sleep) {
        d.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.1 * (i as f64).cos());
    }
    for _ in 0..5 {
        step::step(m, &mut d).ok()?;
    }
    step::forward(m, &mut d).ok()?;
    d.clear_currency();
    Some(
        STAGES
            .iter()
            .map(|stage| {
                let before = d.clone();
                (stage.run)(m, &mut d);
                before
            })
            .collect(),
    )
}

fn run_quietly(stage: &StageEntry, m: &Model, d: &mut Data) -> bool {
    catch_unwind(AssertUnwindSafe(|| (stage.run)(m, d))).is_ok()
}

/// Runs a stage with everything spoilt that it does not list; says what is wrong.
fn violations(stage: &StageEntry, m: &Model, before: &Data) -> Vec<String> {
    let mut expected = before.clone();
    (stage.run)(m, &mut expected);
    let mut spoilt_model = m.clone();
    for field in Model::FIELDS.iter().filter(|field| !stage.access.model.contains(&field.name)) {
        spoil_array((field.get_mut)(&mut spoilt_model));
    }
    let mut d = before.clone();
    let names = state_names();
    for name in names.iter().filter(|name| !stage.access.reads.contains(name)) {
        spoil(&mut d, name);
    }
    let untouched = d.clone();
    if !run_quietly(stage, &spoilt_model, &mut d) {
        return vec!["it stops".into()];
    }
    let mut found = Vec::new();
    for name in names {
        let now = bits(&d, name);
        if stage.access.writes.contains(&name) {
            if now != bits(&expected, name) && now != bits(&untouched, name) {
                found.push(format!("{name} depends on something that is not listed"));
            } else if bits(&expected, name) != bits(before, name) && now != bits(&expected, name) {
                found.push(format!("{name} is written, but not here"));
            }
        } else if now != bits(&untouched, name) {
            found.push(format!("{name} is written"));
        }
    }
    found
}

fn check(name: &str, m: &Model) {
    let Some(states) = states(m) else { return };
    for (stage, before) in STAGES.iter().zip(&states) {
        let found = violations(stage, m, before);
        assert!(found.is_empty(), "{name}, stage {}: {found:?}", stage.name);
    }
}

#[test]
fn stages_read_and_write_what_they_list() {
    for (name, xml) in models::models() {
        check(name, &load_model(&xml).unwrap_or_else(|error| panic!("{name}: {error}")));
    }
    for path in models::files() {
        check(&path.to_string_lossy(), &load_model_from_file(&path).expect("a model of ours"));
    }
    let (start, budget) = (Instant::now(), models::corpus_budget());
    for path in models::corpus() {
        if start.elapsed() > budget {
            break;
        }
        if let Ok(m) = load_model_from_file(&path) {
            check(&path.to_string_lossy(), &m);
        }
    }
}

/// Finds out what the stages touch beyond what they list, and prints lists for the sources.
#[test]
#[ignore = "prints lists for the sources"]
fn print_what_stages_touch() {
    std::panic::set_hook(Box::new(|_| {}));
    let listed = |stage: &StageEntry| {
        [stage.access.model, stage.access.reads, stage.access.writes]
            .map(|names| names.iter().copied().collect())
    };
    let mut found: BTreeMap<&str, [BTreeSet<&str>; 3]> =
        STAGES.iter().map(|stage| (stage.name, listed(stage))).collect();
    let mut visit = |name: &str, m: &Model| {
        let Some(states) = states(m) else { return };
        eprintln!("{name}");
        for (stage, before) in STAGES.iter().zip(&states) {
            discover(stage, m, before, found.entry(stage.name).or_default());
        }
    };
    for (name, xml) in models::models() {
        visit(name, &load_model(&xml).expect("a model of ours"));
    }
    for path in models::files() {
        visit(&path.to_string_lossy(), &load_model_from_file(&path).expect("a model of ours"));
    }
    let (start, budget) = (Instant::now(), models::corpus_budget());
    for path in models::corpus() {
        if start.elapsed() > budget {
            break;
        }
        match load_model_from_file(&path) {
            Ok(m) if m.nv < 300 => visit(&path.to_string_lossy(), &m),
            _ => {}
        }
    }
    for stage in STAGES {
        let [model, reads, writes] = &found[stage.name];
        let list = |names: &BTreeSet<&str>| names.iter().copied().collect::<Vec<_>>().join(" ");
        println!("{}|{}|{}|{}", stage.name, list(model), list(reads), list(writes));
    }
}

/// Adds what a stage needs for this model: as long as it fails with everything spoilt that is not listed, the last of
/// the fewest spoilt fields with which it fails is one that it reads.
fn discover(stage: &StageEntry, m: &Model, before: &Data, found: &mut [BTreeSet<&'static str>; 3]) {
    let names = state_names();
    let mut expected = before.clone();
    (stage.run)(m, &mut expected);
    let wanted: Vec<Vec<u64>> = names.iter().map(|name| bits(&expected, name)).collect();
    let [model, reads, writes] = found;
    let arrays =
        Model::FIELDS.iter().filter(|field| !(field.get)(m).is_empty()).map(|field| (true, field.name));
    let candidates: Vec<(bool, &'static str)> =
        arrays.chain(names.iter().map(|name| (false, *name))).collect();
    let mut fails = |spoilt: &[(bool, &'static str)]| {
        let (mut other, mut d) = (m.clone(), before.clone());
        for &(in_model, name) in spoilt {
            match Model::field(name).filter(|_| in_model) {
                Some(field) => spoil_array((field.get_mut)(&mut other)),
                None => spoil(&mut d, name),
            }
        }
        let untouched = d.clone();
        if !run_quietly(stage, &other, &mut d) {
            return true;
        }
        let mut failed = false;
        for (name, wanted) in names.iter().zip(&wanted) {
            let (now, then) = (bits(&d, name), bits(&untouched, name));
            if now != then {
                writes.insert(name);
            }
            let changed = bits(before, name) != *wanted;
            failed |= now != *wanted && (now != then || changed || !spoilt.contains(&(false, name)));
        }
        failed
    };
    loop {
        let listed = |&(in_model, name): &(bool, &'static str)| {
            (if in_model { &*model } else { &*reads }).contains(name)
        };
        let unlisted: Vec<_> = candidates.iter().copied().filter(|candidate| !listed(candidate)).collect();
        if !fails(&unlisted) {
            return;
        }
        // fewest fields from the front with which it fails
        let (mut works, mut breaks) = (0, unlisted.len());
        while breaks - works > 1 {
            let middle = works.midpoint(breaks);
            if fails(&unlisted[..middle]) { breaks = middle } else { works = middle }
        }
        let (in_model, name) = unlisted[breaks - 1];
        if in_model {
            model.insert(name)
        } else {
            reads.insert(name)
        };
    }
}
