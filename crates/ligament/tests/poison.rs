//! Results depend on state and inputs alone: a pass that starts with every result spoilt gives the same bits.

mod support;
use ligament::data::Role;
use ligament::enums::EnableBit;
use ligament::sim::step;
use ligament::{Data, Model, load_model, load_model_from_file};
use std::time::Instant;
use support::models::{self, starts, variants};
use support::spoil::{bits, spoil, state_names};

/// May a pass read what the last one left here?
fn is_kept(name: &str) -> bool {
    let field = Data::FIELDS.iter().find(|field| field.name == name).map(|field| field.role);
    let scalar = Data::SCALARS.iter().position(|scalar| *scalar == name).map(|i| Data::SCALAR_ROLES[i]);
    // the record of the largest scene, the counts of what is awake, and energies that sensors of the next step may show
    let running = name.starts_with("maxuse") || name.ends_with("_awake") || name == "energy";
    running || field.or(scalar).is_some_and(|role| role != Role::Result)
}

/// Where a pass over a spoilt state differs: every number has to be that of the clean pass, or one that neither wrote.
fn differences(before: [&Data; 2], after: [&Data; 2]) -> Vec<String> {
    let place = |name: &str| {
        let [clean_before, spoilt_before] = before.map(|d| bits(d, name));
        let [clean, spoilt] = after.map(|d| bits(d, name));
        if clean.len() != spoilt.len() {
            return Some(format!("{name} has {} instead of {} numbers", spoilt.len(), clean.len()));
        }
        let untouched =
            |i: usize| spoilt_before.get(i) == Some(&spoilt[i]) && clean_before.get(i) == Some(&clean[i]);
        let wrong = (0..clean.len()).find(|&i| clean[i] != spoilt[i] && !untouched(i))?;
        Some(format!("{name}[{wrong}]"))
    };
    state_names().into_iter().filter_map(place).collect()
}

/// Runs a pass from several moments, clean and with all results spoilt.
fn check(name: &str, m: &Model) {
    // bodies that sleep keep their results: the test of restored states has them
    if m.opt.enabled(EnableBit::Sleep) {
        return;
    }
    for mut d in starts(m) {
        d.ctrl.iter_mut().enumerate().for_each(|(i, u)| *u = 0.3 * (i as f64).sin());
        d.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.1 * (i as f64).cos());
        for moment in 0..3 {
            if (0..2 * moment).any(|_| step::step(m, &mut d).is_err()) {
                break;
            }
            let mut spoilt = d.clone();
            for name in state_names().into_iter().filter(|name| !is_kept(name)) {
                spoil(&mut spoilt, name);
            }
            let before = [d.clone(), spoilt.clone()];
            let done = [step::forward(m, &mut d), step::forward(m, &mut spoilt)];
            assert_eq!(done[0].is_ok(), done[1].is_ok(), "{name}, moment {moment}: only one pass succeeds");
            let found = differences([&before[0], &before[1]], [&d, &spoilt]);
            assert!(found.is_empty(), "{name}, moment {moment}: {found:?}");
        }
    }
}

#[test]
fn a_pass_with_spoilt_results_gives_the_same_bits() {
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
}

#[test]
fn models_of_the_corpus_give_the_same_bits() {
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
