//! Whatever ends a stage in its middle, the state is whole: nothing was taken out of it.

mod support;
use ligament::sim::constraint::make_constraint;
use ligament::sim::island::island;
use ligament::sim::stages::{STAGES, StageEntry};
use ligament::sim::{reset, step};
use ligament::{Data, Model, load_model};
use ligament_model::array::ArrayMut;
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::models;
use support::spoil::{address, bits, state_names};

/// Address and length of every array of fixed size.
fn places(d: &Data) -> Vec<(usize, usize)> {
    let fixed = Data::FIELDS.iter().filter(|field| !field.dynamic);
    fixed.map(|field| (field.get)(d)).map(|array| (address(array), array.len())).collect()
}

/// Models of which one array of ids names what does not exist.
fn broken(m: &Model) -> Vec<(&'static str, Model)> {
    let ids =
        ["geom_bodyid", "dof_parentid", "body_rootid", "jnt_dofadr", "M_colind", "dof_treeid", "geom_type"];
    ids.into_iter()
        .filter_map(|name| {
            let mut wrong = m.clone();
            let field = Model::field(name).expect("a field");
            match (field.get_mut)(&mut wrong) {
                ArrayMut::I32(x) => *x.last_mut()? = i32::MAX / 2,
                _ => unreachable!("ids are integers"),
            }
            Some((name, wrong))
        })
        .collect()
}

/// Runs each stage with each broken model; the state keeps its memory and, reset, runs as a new one does.
#[test]
fn a_state_survives_a_panic_in_any_stage() {
    let mut panics = 0;
    for (name, xml) in models::models() {
        let m = load_model(&xml).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut d = reset::make_data(&m).expect("a state");
        let memory = places(&d);
        for (field, wrong) in broken(&m) {
            for stage in STAGES {
                for _ in 0..3 {
                    step::step(&m, &mut d).unwrap_or_else(|error| panic!("{name}: {error}"));
                }
                let lists = lists_beside(stage, &d);
                std::panic::set_hook(Box::new(|_| {}));
                let ended = catch_unwind(AssertUnwindSafe(|| (stage.run)(&wrong, &mut d))).is_err();
                let _ = std::panic::take_hook();
                panics += usize::from(ended);
                assert_eq!(places(&d), memory, "{name}, {field}, {}: an array has moved", stage.name);
                assert_eq!(lists_beside(stage, &d), lists, "{name}, {field}, {}: a list changed", stage.name);
                reset::reset_data(&m, &mut d).expect("a reset");
            }
        }
        let mut fresh = reset::make_data(&m).expect("a state");
        for _ in 0..5 {
            step::step(&m, &mut fresh).expect("a step");
            step::step(&m, &mut d).expect("a step");
        }
        for part in state_names().into_iter().filter(|part| !part.starts_with("maxuse")) {
            assert_eq!(bits(&d, part), bits(&fresh, part), "{name}: {part} after a panic and a reset");
        }
    }
    assert!(panics > 100, "only {panics} panics were provoked");
}

/// Lengths of the lists that a stage does not write.
fn lists_beside(stage: &StageEntry, d: &Data) -> Vec<(&'static str, usize)> {
    let lists = Data::FIELDS.iter().filter(|field| field.dynamic);
    let lengths = lists.map(|field| (field.name, (field.get)(d).len())).chain([("contact", d.contact.len())]);
    lengths.filter(|(name, _)| !stage.access.writes.contains(name)).collect()
}

/// Rows that are made anew without their islands get these before they are solved: none is left of the old rows.
#[test]
fn rows_made_alone_get_their_islands() {
    let m = load_model(
        "<mujoco><worldbody><geom type='plane' size='3 3 1'/>\
         <body pos='0 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body>\
         <body pos='1 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>",
    )
    .expect("a model");
    let mut d = reset::make_data(&m).expect("a state");
    step::forward(&m, &mut d).expect("a pass");
    assert_eq!((d.nisland, d.ncon), (2, 8));
    let mut other = d.clone();
    for d in [&mut d, &mut other] {
        d.contact.truncate(4);
        d.ncon = 4;
        make_constraint(&m, d);
    }
    island(&m, &mut other);
    for d in [&mut d, &mut other] {
        step::solve_constraints(&m, d).expect("accelerations");
    }
    assert_eq!((d.nisland, d.map_iefc2efc.len()), (1, d.nefc));
    assert_eq!(bits(&d, "qacc"), bits(&other, "qacc"));
}
