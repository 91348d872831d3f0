//! What must survive a step is named completely: a state restored into data that were used for something else goes on
//! with the same bits.

mod support;
use ligament::enums::State;
use ligament::sim::reset::make_data;
use ligament::sim::{state, step};
use ligament::{Data, Model, Rollout, StateLayout, load_model, load_model_from_file, rollout};
use ligament_model::array::ArrayRef;
use std::time::Instant;
use support::models;

fn set_controls(m: &Model, d: &mut Data, k: usize, scale: f64) {
    for i in 0..m.nu {
        d.ctrl[i] = scale * (0.1 * k as f64 + i as f64).sin();
    }
}

/// Runs with controls that change; false when a step fails.
fn run(m: &Model, d: &mut Data, from: usize, steps: usize, scale: f64) -> bool {
    (from..from + steps).all(|k| {
        set_controls(m, d, k, scale);
        step::step(m, d).is_ok()
    })
}

fn bits(array: ArrayRef<'_>) -> Vec<u64> {
    match array {
        ArrayRef::F64(x) => x.iter().map(|v| v.to_bits()).collect(),
        ArrayRef::F32(x) => x.iter().map(|v| u64::from(v.to_bits())).collect(),
        ArrayRef::I32(x) => x.iter().map(|&v| v as u64).collect(),
        ArrayRef::I64(x) => x.iter().map(|&v| v as u64).collect(),
        ArrayRef::U64(x) => x.to_vec(),
        ArrayRef::U8(x) => x.iter().map(|&v| u64::from(v)).collect(),
    }
}

/// What [`Data::poison`] leaves where nothing writes.
fn poison(array: ArrayRef<'_>) -> u64 {
    match array {
        ArrayRef::F64(_) => f64::NAN.to_bits(),
        ArrayRef::F32(_) => u64::from(f32::NAN.to_bits()),
        ArrayRef::I32(_) => (i32::MIN / 2) as u64,
        ArrayRef::I64(_) => (i64::MIN / 2) as u64,
        ArrayRef::U64(_) => u64::MAX / 2,
        ArrayRef::U8(_) => 0xAA,
    }
}

/// Where `second` differs from `first` and a step has written.
fn differences(first: &Data, second: &Data) -> Vec<String> {
    let place = |field: &ligament::data::DataField| {
        let (a, b) = (bits((field.get)(first)), bits((field.get)(second)));
        let untouched = poison((field.get)(second));
        if a.len() != b.len() {
            return Some(format!("{} has {} instead of {} numbers", field.name, b.len(), a.len()));
        }
        let at = a.iter().zip(&b).position(|(a, b)| a != b && *b != untouched)?;
        let (a, b) = (f64::from_bits(a[at]), f64::from_bits(b[at]));
        Some(format!("{}[{at}]: {b} instead of {a}", field.name))
    };
    let mut found: Vec<String> = Data::FIELDS.iter().filter_map(place).collect();
    if first.time.to_bits() != second.time.to_bits() {
        found.push("time".into());
    }
    let counts = |d: &Data| (d.ncon, d.nefc, d.nisland, d.ntree_awake);
    if counts(first) != counts(second) {
        found.push("counts".into());
    }
    found
}

/// Data that were used for something else and then spoilt where a step computes everything anew.
fn dirty(m: &Model) -> Option<Data> {
    let mut d = make_data(m).ok()?;
    d.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.3 * (i as f64).cos());
    d.qfrc_applied.fill(0.2);
    d.xfrc_applied.fill([0.1; 6]);
    run(m, &mut d, 1000, 12, 0.7);
    d.userdata.fill(7.0);
    d.eq_active.iter_mut().for_each(|active| *active = 1 - *active);
    d.poison();
    Some(d)
}

/// Saves after `before` steps, restores into used data and compares after `after` more.
fn check(name: &str, m: &Model, before: usize, after: usize) {
    let Ok(mut first) = make_data(m) else { return };
    if !run(m, &mut first, 0, before, 0.3) {
        return;
    }
    let layout = StateLayout::new(m);
    let mut row = vec![0.0; layout.len()];
    layout.save(&first, &mut row);
    let mut second = dirty(m).expect("data were made before");
    state::load_row(m, &mut second, &layout, &row);
    for k in before..before + after {
        let done = (run(m, &mut first, k, 1, 0.3), run(m, &mut second, k, 1, 0.3));
        assert_eq!(done.0, done.1, "{name}: only one of both goes on");
        let found = differences(&first, &second);
        assert!(found.is_empty(), "{name}, step {} after restoring: {found:?}", k - before + 1);
        if !done.0 {
            break;
        }
    }
}

#[test]
fn a_restored_state_continues_with_the_same_bits() {
    for (name, xml) in models::models() {
        let m = load_model(&xml).unwrap_or_else(|error| panic!("{name}: {error}"));
        // a moment in the fall and one when sleeping bodies sleep
        check(name, &m, 30, 100);
        check(name, &m, 700, 40);
    }
    for path in models::files() {
        let Ok(m) = load_model_from_file(&path) else { continue };
        check(&path.to_string_lossy(), &m, 25, 30);
    }
}

#[test]
fn models_of_the_corpus_continue_with_the_same_bits() {
    let (start, budget) = (Instant::now(), models::corpus_budget());
    for path in models::corpus() {
        if start.elapsed() > budget {
            break;
        }
        let Ok(m) = load_model_from_file(&path) else { continue };
        check(&path.to_string_lossy(), &m, 5, 5);
    }
}

/// States and readings of `count` trajectories on so many threads, with data that were used before.
fn trajectories(m: &Model, count: usize, threads: usize) -> [Vec<u64>; 2] {
    const STEPS: usize = 40;
    let full = State::Fullphysics as i32;
    let size = state::state_size(m, full).expect("a valid part");
    let mut start = make_data(m).expect("a state");
    let mut state0 = Vec::new();
    for k in 0..count {
        start.qvel.iter_mut().for_each(|v| *v = 0.1 * k as f64);
        let mut row = vec![0.0; size];
        state::get_state(m, &start, &mut row, full).expect("a row of the right length");
        state0.extend(row);
    }
    let mut data: Vec<Data> = (0..threads)
        .map(|k| {
            let mut d = make_data(m).expect("a state");
            run(m, &mut d, 0, 30 * k, 0.9);
            d
        })
        .collect();
    let mut states = vec![0.0; count * STEPS * size];
    let mut readings = vec![0.0; count * STEPS * m.nsensordata];
    let job = Rollout {
        nstep: STEPS,
        control_spec: 0,
        state0: &state0,
        warmstart0: None,
        control: None,
        state: Some(&mut states),
        sensordata: Some(&mut readings),
        chunk: Some(1),
    };
    let mut data: Vec<&mut Data> = data.iter_mut().collect();
    rollout(&vec![m; count], &mut data, job).expect("trajectories");
    [states, readings].map(|numbers| numbers.iter().map(|x| x.to_bits()).collect())
}

/// Every trajectory starts from its state alone: what sleeps and which energy is current is not inherited.
#[test]
fn rollouts_do_not_depend_on_threads_or_on_what_the_data_were_used_for() {
    for (name, xml) in models::models() {
        let m = load_model(&xml).unwrap_or_else(|error| panic!("{name}: {error}"));
        let one = trajectories(&m, 5, 1);
        assert!(one == trajectories(&m, 5, 3), "{name}");
        let alone = trajectories(&m, 1, 1);
        assert!(one[0].starts_with(&alone[0]) && one[1].starts_with(&alone[1]), "{name}");
    }
}

/// Directions that parted convex geoms are kept in the workspace: they make tests faster and change no contact.
#[test]
fn kept_directions_change_no_contact() {
    let shape = |name: &str, size: f64| {
        let corners = [[1.0, 0.0, 0.0], [-0.8, 0.3, 0.1], [0.0, 1.0, 0.2], [0.1, -1.0, 0.0], [0.0, 0.2, 0.9]];
        let corners: Vec<String> = (0..4)
            .flat_map(|k| {
                corners.map(|[x, y, z]| {
                    [x, y, z - 0.25 * f64::from(k)].map(|c| (c * size).to_string()).join(" ")
                })
            })
            .collect();
        format!("<mesh name='{name}' vertex='{}'/>", corners.join("  "))
    };
    let body = |k: usize, geom: &str| {
        format!(
            "<body pos='{} {} .3'><freejoint/>{geom}</body>",
            0.23 * (k % 3) as f64,
            0.21 * (k / 3) as f64
        )
    };
    let geoms = [
        "<geom type='mesh' mesh='a'/>",
        "<geom type='cylinder' size='.1 .05' euler='20 30 0'/>",
        "<geom type='ellipsoid' size='.1 .05 .12'/>",
        "<geom type='mesh' mesh='b' margin='.01'/>",
        "<geom type='capsule' size='.05 .1' euler='70 0 0'/>",
        "<geom type='box' size='.1 .06 .08' euler='10 20 30'/>",
    ];
    let bodies: String = geoms.iter().cycle().take(9).enumerate().map(|(k, geom)| body(k, geom)).collect();
    let xml = format!(
        "<mujoco><asset>{}{}</asset><worldbody><geom type='plane' size='5 5 .1'/>{bodies}</worldbody></mujoco>",
        shape("a", 0.12),
        shape("b", 0.09)
    );
    let m = load_model(&xml).expect("model");
    let (mut kept, mut fresh) = (make_data(&m).expect("state"), make_data(&m).expect("state"));
    let mut touched = 0;
    for k in 0..300 {
        fresh.workspace = Default::default();
        assert!(step::step(&m, &mut kept).is_ok() && step::step(&m, &mut fresh).is_ok());
        let found = differences(&fresh, &kept);
        assert!(found.is_empty(), "step {k}: {found:?}");
        touched = touched.max(kept.ncon);
    }
    assert!(touched > 12, "only {touched} contacts");
}
