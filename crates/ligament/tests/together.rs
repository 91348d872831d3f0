//! Four worlds that step together have the bits that each of them has alone.

mod support;
use ligament::enums::{DisableBit, Stage};
use ligament::sim::reset::make_data;
use ligament::sim::step::{forward_to, step};
use ligament::sim::together::{self, Lanes, Member, can_step_together};
use ligament::{Data, Model, StepError, load_model, load_model_from_file};
use ligament_model::array::ArrayRef;
use std::time::Instant;
use support::models;

/// A world with a state of its own; world 2 begins at rest, where sines and angles are exactly zero.
fn world(m: &Model, number: usize) -> Option<Data> {
    let mut d = make_data(m).ok()?;
    if number != 2 {
        let phase = number as f64;
        d.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.3 * (i as f64 + phase).cos());
        for i in 0..m.nq {
            d.qpos[i] += 0.02 * (1.7 * i as f64 + phase).sin();
        }
        d.xfrc_applied.iter_mut().for_each(|force| force[2] = 0.1 * phase);
    }
    Some(d)
}

fn set_controls(m: &Model, d: &mut Data, number: usize, k: usize) {
    for i in 0..m.nu {
        d.ctrl[i] = 0.3 * (0.1 * k as f64 + (i + number) as f64).sin();
    }
}

fn bits(array: ArrayRef<'_>) -> Vec<u64> {
    match array {
        // how a bad number is written depends on the order of operands, which compilers choose
        ArrayRef::F64(x) => x.iter().map(|v| if v.is_nan() { u64::MAX } else { v.to_bits() }).collect(),
        ArrayRef::F32(x) => x.iter().map(|v| u64::from(v.to_bits())).collect(),
        ArrayRef::I32(x) => x.iter().map(|&v| v as u64).collect(),
        ArrayRef::I64(x) => x.iter().map(|&v| v as u64).collect(),
        ArrayRef::U64(x) => x.to_vec(),
        ArrayRef::U8(x) => x.iter().map(|&v| u64::from(v)).collect(),
    }
}

/// Fields in which two data differ.
fn differences(alone: &Data, together: &Data) -> Vec<String> {
    let place = |field: &ligament::data::DataField| {
        let (a, b) = (bits((field.get)(alone)), bits((field.get)(together)));
        if a.len() != b.len() {
            return Some(format!("{} has {} instead of {} numbers", field.name, b.len(), a.len()));
        }
        let at = a.iter().zip(&b).position(|(a, b)| a != b)?;
        Some(format!(
            "{}[{at}]: {:e} instead of {:e}",
            field.name,
            f64::from_bits(b[at]),
            f64::from_bits(a[at])
        ))
    };
    let mut found: Vec<String> = Data::FIELDS.iter().filter_map(place).collect();
    let rest =
        |d: &Data| (d.time.to_bits(), d.ncon, d.nefc, d.nisland, d.warning.map(|w| (w.number, w.lastinfo)));
    if rest(alone) != rest(together) {
        found.push("time, counts or warnings".into());
    }
    found
}

/// Steps four worlds alone and together; false for a model that does not step together.
fn check(name: &str, m: &Model, steps: usize) -> bool {
    if !can_step_together(m) {
        return false;
    }
    let make = || [0, 1, 2, 3].map(|number| world(m, number).expect("data"));
    if world(m, 0).is_none() {
        return false;
    }
    let (mut alone, mut group) = (make(), make());
    let mut lanes = Lanes::new(m, &group[0]);
    let mut outcomes: [Result<(), StepError>; 4] = [Ok(()), Ok(()), Ok(()), Ok(())];
    for k in 0..steps {
        let last = if k + 1 == steps { Stage::Vel } else { Stage::None };
        for (number, d) in alone.iter_mut().enumerate() {
            set_controls(m, d, number, k);
            outcomes[number] = step(m, d).and_then(|()| forward_to(m, d, last));
        }
        group.iter_mut().enumerate().for_each(|(number, d)| set_controls(m, d, number, k));
        let mut four = group.each_mut().map(Member::new);
        together::step(m, &mut four, &mut lanes);
        together::forward_to(m, &mut four, &mut lanes, last);
        for (number, member) in four.iter().enumerate() {
            let (ours, outcome) = (format!("{:?}", member.outcome), format!("{:?}", outcomes[number]));
            assert_eq!(ours, outcome, "{name}, step {k}, world {number}");
        }
        if outcomes.iter().any(Result::is_err) {
            break;
        }
        for (number, (alone, together)) in alone.iter().zip(&group).enumerate() {
            let found = differences(alone, together);
            assert!(found.is_empty(), "{name}, step {k}, world {number}: {found:?}");
        }
    }
    true
}

/// Every model of the tests, with every integrator: all numbers of all worlds.
#[test]
fn four_worlds_have_the_bits_of_each() {
    let mut count = 0;
    for (name, xml) in models::models() {
        let Ok(model) = load_model(&xml) else { panic!("{name} does not load") };
        for integrator in 0..4 {
            let mut model = model.clone();
            model.opt.integrator = integrator;
            count += usize::from(check(name, &model, 12));
        }
    }
    assert!(count > 20, "{count} models step together");
}

/// Models of the corpus, where there is one.
#[test]
fn four_worlds_of_the_corpus() {
    let (start, budget) = (Instant::now(), models::corpus_budget());
    let (mut count, mut all) = (0, 0);
    for path in models::corpus() {
        if start.elapsed() > budget {
            break;
        }
        let Ok(model) = load_model_from_file(&path) else { continue };
        all += 1;
        count += usize::from(check(&path.display().to_string(), &model, 5));
    }
    assert!(all == 0 || count > all / 4, "{count} of {all} models step together");
}

/// A world whose numbers go bad is reset as it would be alone; one that fails leaves the others alone.
#[test]
fn bad_worlds_change_no_other() {
    let mut model = load_model(
        "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .3'><freejoint/><geom size='.1'/>
         <body pos='.2 0 0'><joint damping='.1'/><geom size='.05' pos='.1 0 0'/></body></body></worldbody></mujoco>",
    )
    .expect("model");
    for keep in [false, true] {
        if keep {
            model.opt.disableflags |= DisableBit::Autoreset as i32;
        }
        let make = || [0, 1, 2, 3].map(|number| world(&model, number).expect("data"));
        let (mut alone, mut group) = (make(), make());
        for worlds in [&mut alone, &mut group] {
            worlds[1].qpos[2] = f64::NAN;
            worlds[3].qvel[0] = 1e11;
        }
        let mut lanes = Lanes::new(&model, &group[0]);
        for k in 0..4 {
            alone.iter_mut().for_each(|d| step(&model, d).expect("step"));
            together::step(&model, &mut group.each_mut().map(Member::new), &mut lanes);
            for (number, (alone, together)) in alone.iter().zip(&group).enumerate() {
                let found = differences(alone, together);
                assert!(found.is_empty(), "step {k}, world {number}: {found:?}");
            }
        }
    }
}

/// Worlds of another model are refused, each for itself.
#[test]
fn strangers_are_refused() {
    let load = |joints: usize| {
        let joints = "<joint type='hinge'/>".repeat(joints);
        load_model(&format!("<mujoco><worldbody><body>{joints}<geom size='.1'/></body></worldbody></mujoco>"))
            .expect("model")
    };
    let (model, other) = (load(1), load(2));
    let mut worlds = [&model, &other, &model, &model].map(|m| make_data(m).expect("data"));
    let mut lanes = Lanes::new(&model, &worlds[0]);
    let mut four = worlds.each_mut().map(Member::new);
    together::step(&model, &mut four, &mut lanes);
    let refused = four.map(|member| matches!(member.outcome, Err(StepError::OtherModel)));
    assert_eq!(refused, [false, true, false, false]);
    let mut foreign = Lanes::new(&other, &make_data(&other).expect("data"));
    let mut four = worlds.each_mut().map(Member::new);
    four[1].rests = true;
    together::step(&model, &mut four, &mut foreign);
    assert!(four.iter().all(|member| member.outcome.is_ok()));
}
