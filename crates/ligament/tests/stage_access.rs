//! Stages touch what they say: each runs with everything spoilt that it does not list, and changes nothing else.

mod support;
use ligament::enums::EnableBit;
use ligament::sim::stages::{STAGES, StageEntry};
use ligament::sim::step;
use ligament::{Data, Model, load_model, load_model_from_file};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use support::models::{self, starts, variants};
use support::spoil::{bits, spoil, spoil_array, state_names};

/// The state of which each stage is run: as the stages before it left it.
fn states(m: &Model, mut d: Data) -> Option<Vec<Data>> {
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
    for states in starts(m).into_iter().filter_map(|start| states(m, start)) {
        for (stage, before) in STAGES.iter().zip(&states) {
            let found = violations(stage, m, before);
            assert!(found.is_empty(), "{name}, stage {}: {found:?}", stage.name);
        }
    }
}

#[test]
fn stages_read_and_write_what_they_list() {
    for (name, xml) in models::models() {
        for m in variants(&load_model(&xml).unwrap_or_else(|error| panic!("{name}: {error}"))) {
            check(name, &m);
        }
    }
    for path in models::files() {
        for m in variants(&load_model_from_file(&path).expect("a model of ours")) {
            check(&path.to_string_lossy(), &m);
        }
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
        eprintln!("{name}");
        for states in starts(m).into_iter().filter_map(|start| states(m, start)) {
            for (stage, before) in STAGES.iter().zip(&states) {
                discover(stage, m, before, found.entry(stage.name).or_default());
            }
        }
    };
    for (name, xml) in models::models() {
        for m in variants(&load_model(&xml).expect("a model of ours")) {
            visit(name, &m);
        }
    }
    for path in models::files() {
        for m in variants(&load_model_from_file(&path).expect("a model of ours")) {
            visit(&path.to_string_lossy(), &m);
        }
    }
    let (start, budget) = (Instant::now(), models::corpus_budget());
    for path in models::corpus() {
        if start.elapsed() > budget {
            break;
        }
        match load_model_from_file(&path) {
            Ok(m) if m.nv < 6000 => visit(&path.to_string_lossy(), &m),
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
