//! Single models and calls that once broke something: each ends with numbers or with a typed error.

use ligament::prelude::*;
use ligament::sim::collision::add_contact;
use ligament::sim::lengthrange::{LengthRangeError, set_length_range};
use ligament::{
    MemoryAssets, ResetError, Rollout, RolloutError, load_model, load_model_with_assets, rollout,
};
use ligament_model::LengthRangeOptions;
use ligament_model::enums::LRMode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn load(text: &str) -> Model {
    load_model(text).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str) -> String {
    load_model(text).err().map(|error| error.to_string()).unwrap_or_else(|| panic!("must be refused"))
}

fn sensor_after_three_steps(text: &str) -> Vec<f64> {
    let model = load(text);
    let mut data = model.make_data().expect("a state");
    for _ in 0..3 {
        data.step(&model).expect("steps");
    }
    data.sensordata.to_vec()
}

/// Issue 10: a step that would take too much ends the rollout that it is part of, one trajectory at a time and four together.
#[test]
fn rollouts_end_with_the_first_refused_step() {
    let balls = "<body><freejoint/><geom size='.1'/></body>".repeat(3);
    let model = load(&format!("<mujoco><worldbody>{balls}</worldbody></mujoco>"));
    let size = 1 + model.nq + model.nv;
    for trajectories in [1, 8] {
        let mut looks = [1, 40].map(|nstep| {
            let mut data = model.make_data().expect("a state");
            data.effort = 1;
            let looks = Arc::new(AtomicUsize::new(0));
            let clock = Arc::clone(&looks);
            data.callbacks.time = Some(Arc::new(move || clock.fetch_add(1, Ordering::Relaxed) as f64));
            let job = Rollout {
                nstep,
                control_spec: 0,
                state0: &vec![0.0; trajectories * size],
                warmstart0: None,
                control: None,
                state: None,
                sensordata: None,
                chunk: None,
            };
            let outcome = rollout(&vec![&model; trajectories], &mut [&mut data], job);
            assert!(matches!(outcome, Err(RolloutError::Step(StepError::Effort(1)))), "{outcome:?}");
            looks.load(Ordering::Relaxed)
        });
        looks[0] *= if trajectories == 1 { 1 } else { 4 }; // one step is made by one trajectory after the other
        assert!(looks[0] > 0 && looks[1] <= looks[0], "{trajectories}: {looks:?}");
    }
}

/// Factors of the fully implicit integrator grow with the cube of a chain's length: they are counted before they are made.
#[test]
fn factors_of_the_implicit_integrator_are_counted() {
    let links = 120;
    let chain =
        "<body pos='.1 0 0'><joint axis='0 1 0'/><geom size='.01'/>".repeat(links) + &"</body>".repeat(links);
    let text = |integrator: &str| {
        format!("<mujoco><option integrator='{integrator}'/><worldbody>{chain}</worldbody></mujoco>")
    };
    for (integrator, effort, affordable) in
        [("implicit", 100_000, false), ("implicit", 10_000_000, true), ("implicitfast", 100_000, true)]
    {
        let model = load(&text(integrator));
        let mut data = model.make_data().expect("a state");
        data.effort = effort;
        let expected = if affordable { Ok(()) } else { Err(StepError::Effort(effort)) };
        assert_eq!(data.step(&model), expected, "{integrator}, {effort}");
        assert_eq!(data.spent.integrator > 0, integrator == "implicit" && affordable);
    }
}

/// Searches of distance fields without end are refused before they begin, in collisions and by sensors.
#[test]
fn searches_of_distance_fields_are_counted() {
    for option in ["", "sdf_iterations='2147483647' sdf_initpoints='2147483647'"] {
        for sensor in ["", "<sensor><distance geom1='a' geom2='b'/></sensor>"] {
            let contacts = i32::from(sensor.is_empty());
            let model = load(&format!(
                "<mujoco><option {option}/><extension><plugin plugin='mujoco.sdf.torus'><instance name='t'/></plugin></extension>
                 <asset><mesh name='m'><plugin instance='t'/></mesh></asset><default><geom contype='{contacts}' conaffinity='{contacts}'/></default>
                 <worldbody><body><freejoint/><geom name='a' type='sdf' mesh='m'><plugin instance='t'/></geom></body>
                 <body pos='0 0 .05'><freejoint/><geom name='b' type='sdf' mesh='m'><plugin instance='t'/></geom></body></worldbody>
                 {sensor}</mujoco>"
            ));
            let mut data = model.make_data().expect("a state");
            let outcome = data.step(&model);
            assert_eq!(
                matches!(outcome, Err(StepError::Effort(_))),
                !option.is_empty(),
                "{sensor}: {outcome:?}"
            );
            let work = ligament::sim::collision::distance_work(&model, 0, 1);
            assert_eq!(work > data.effort, !option.is_empty());
        }
    }
}

/// Length ranges count what the solver takes in each of their steps.
#[test]
fn length_ranges_count_the_solver() {
    let mut model = load(
        "<mujoco><option solver='PGS' iterations='20000' tolerance='0'/><worldbody>
         <body><joint name='j' axis='0 1 0'/><geom size='.1' pos='.5 0 0'/></body>
         <body pos='0 1 0'><joint name='k' axis='0 1 0'/><geom size='.1' pos='.5 0 0'/></body></worldbody>
         <equality><joint joint1='j' joint2='k'/></equality><actuator><motor joint='j'/></actuator></mujoco>",
    );
    let options = LengthRangeOptions { mode: LRMode::All, uselimit: false, ..LengthRangeOptions::default() };
    let mut data = model.make_data().expect("a state");
    data.effort = 1 << 24;
    let outcome = set_length_range(&mut model, &mut data, 0, &options);
    assert_eq!(outcome, Err(LengthRangeError::TooLong { actuator: 0 }));
}

/// As MuJoCo, which compares and so leaves the value alone.
#[test]
fn a_cutoff_that_is_no_number_cuts_nothing() {
    let text = |cutoff: &str| {
        format!(
            "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1' pos='.5 0 0'/><site name='s'/></body></worldbody>\
             <sensor><jointpos joint='j' cutoff='{cutoff}'/><touch site='s' cutoff='{cutoff}'/>\
             <accelerometer site='s' cutoff='{cutoff}'/></sensor></mujoco>"
        )
    };
    let plain = sensor_after_three_steps(&text("0"));
    assert!(plain[0] != 0.0);
    assert_eq!(sensor_after_three_steps(&text("nan")), plain);
    assert_eq!(sensor_after_three_steps(&text("inf")), plain);
}

/// Sites of sizes that are no numbers contain nothing.
#[test]
fn sites_without_size_contain_nothing() {
    for kind in ["sphere", "capsule", "ellipsoid", "cylinder", "box"] {
        let text = format!(
            "<mujoco><worldbody><site name='s' type='{kind}' size='nan nan nan'/><body name='b'><freejoint/><geom size='.1'/></body></worldbody>\
             <sensor><insidesite site='s' objtype='body' objname='b'/></sensor></mujoco>"
        );
        if let Ok(model) = load_model(&text) {
            let mut data = model.make_data().expect("a state");
            data.step(&model).expect("steps");
            assert_eq!(data.sensordata[0], 0.0, "{kind}");
        }
    }
}

#[test]
fn cameras_of_negative_resolution_find_no_ranges() {
    for resolution in ["-1 -1", "-1 5", "5 -1"] {
        let text = format!(
            "<mujoco><worldbody><camera name='c' resolution='{resolution}'/></worldbody>\
             <sensor><rangefinder name='r' camera='c'/></sensor></mujoco>"
        );
        let told = refused(&text);
        assert!(told.contains("resolution must not be negative") && told.contains("sensor 'r'"), "{told}");
    }
    // without a sensor it does not matter, as in MuJoCo
    load("<mujoco><worldbody><camera name='c' resolution='-1 -1'/></worldbody></mujoco>");
}

/// Length ranges come from a simulation; one that starts again and again has no end.
#[test]
fn length_ranges_of_unstable_models_are_refused() {
    let muscle = |joint: &str, setting: &str| {
        format!(
            "<mujoco><compiler>{setting}</compiler><worldbody><body><joint name='j' type='slide' {joint}/><geom size='.1'/></body></worldbody>\
             <actuator><muscle name='biceps' joint='j'/></actuator></mujoco>"
        )
    };
    let start = Instant::now();
    for (joint, setting) in [
        ("stiffness='nan'", ""),
        ("armature='nan'", ""),
        ("", "<lengthrange accel='nan'/>"),
        ("", "<lengthrange accel='1e300'/>"),
        ("", "<lengthrange timestep='1e-300'/>"),
        ("", "<lengthrange timestep='1e-12'/>"),
        ("", "<lengthrange inttotal='inf'/>"),
        ("axis='nan 0 0'", ""),
        ("pos='nan 0 0'", ""),
    ] {
        if let Err(error) = load_model(&muscle(joint, setting)) {
            let told = error.to_string();
            let named = told.contains("biceps") || !told.to_lowercase().contains("lengthrange");
            assert!(named, "{joint} {setting}: {told}");
        }
    }
    assert!(refused(&muscle("", "<lengthrange inttotal='inf'/>")).contains("biceps"));
    assert!(start.elapsed() < Duration::from_secs(120), "took {:?}", start.elapsed());
}

/// A polygon of more than a hundred corners is left out, as MuJoCo does: what is left, or the hull, is the mesh. Its group is
/// the one that is used all the same.
#[test]
fn polygons_of_many_corners_are_left_out() {
    let circle = |corners: usize, cone: bool, group: &str| {
        let mut text = String::new();
        for i in 0..corners {
            let angle = std::f64::consts::TAU * i as f64 / corners as f64;
            text += &format!("v {} {} 0\n", angle.cos(), angle.sin());
        }
        text += "v 0 0 1\ng first\nf";
        (1..=corners).for_each(|i| text += &format!(" {i}"));
        text += &format!("\n{group}\n");
        let sides = (0..if cone { corners } else { 0 }).map(|i| (i + 1, (i + 1) % corners + 1));
        sides.for_each(|(a, b)| text += &format!("f {a} {b} {}\n", corners + 1));
        text
    };
    let faces = |obj: String| {
        let mut files = MemoryAssets::default();
        files.0.insert("p.obj".into(), obj.into_bytes());
        let text = "<mujoco><asset><mesh name='cone' file='p.obj'/></asset></mujoco>";
        load_model_with_assets(text, &files).map(|model| model.nmeshface).map_err(|error| error.to_string())
    };
    assert_eq!(faces(circle(100, true, "")), Ok(198));
    assert_eq!(faces(circle(101, true, "")), Ok(101));
    assert_eq!(faces(circle(101, false, "")), Ok(200)); // those of the hull
    assert_eq!(faces(circle(101, true, "g second")), Ok(200));
    let start = Instant::now();
    assert_eq!(faces(circle(20_000, true, "")), Ok(20_000));
    assert!(start.elapsed() < Duration::from_secs(60), "took {:?}", start.elapsed());
}

/// A state of another model is an error, not a panic.
#[test]
fn states_of_other_models_are_refused() {
    let one = load("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
    let two = load("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    let mut data = one.make_data().expect("a state");
    assert_eq!(data.step(&two), Err(StepError::OtherModel));
    assert_eq!(data.forward(&two), Err(StepError::OtherModel));
    assert_eq!(ligament::sim::inverse::inverse(&two, &mut data), Err(StepError::OtherModel));
    assert_eq!(ligament::sim::step::step1(&two, &mut data), Err(StepError::OtherModel));
    assert_eq!(ligament::sim::step::step2(&two, &mut data), Err(StepError::OtherModel));
    assert_eq!(data.reset(&two), Err(ResetError::OtherModel));
    data.step(&one).expect("its own model");
}

/// Contacts made by hand may name what does not exist.
#[test]
fn contacts_made_by_hand_are_checked() {
    let model = load(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let frame = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let good =
        Contact { dist: -0.01, frame, dim: 3, geom: [0, 1], solref: [0.02, 1.0], ..Contact::default() };
    let after = |contact: &Contact| {
        let mut data = model.make_data().expect("a state");
        data.forward(&model).expect("forward");
        add_contact(&mut data, contact);
        ligament::sim::constraint::make_constraint(&model, &mut data);
        (data.fault, data.nefc)
    };
    assert_eq!(after(&good), (None, 4));
    for bad in [
        Contact::default(),
        Contact { dim: 3, ..Contact::default() },
        Contact { geom: [0, 2], ..good },
        Contact { geom: [-1, 1], flex: [0, -1], vert: [0, -1], ..good },
        Contact { flex: [0, 0], ..good },
        Contact { dim: 7, ..good },
        Contact { dim: -1, ..good },
    ] {
        assert_eq!(after(&bad), (Some(ligament_model::fault::Fault::Contact(0)), 0), "{bad:?}");
    }
}

/// Contacts in a finished state are plain numbers that anyone can overwrite: stages that only read them pass over what
/// names nothing.
#[test]
fn contacts_overwritten_in_a_finished_state_break_no_stage() {
    let model = load(
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/><body name='b' pos='0 0 .05'><freejoint/>\
         <geom name='g' size='.1'/><site name='s' size='.2'/></body></worldbody>\
         <actuator><adhesion body='b' ctrlrange='0 1' gain='1'/></actuator>\
         <sensor><touch site='s'/><contact geom1='floor' reduce='netforce'/><contact body1='b'/><force site='s'/></sensor></mujoco>",
    );
    let mut good = model.make_data().expect("a state");
    good.forward(&model).expect("forward");
    assert!(good.ncon == 1 && good.sensordata[0] > 0.0);
    let contact = good.contact[0];
    for bad in [
        Contact { geom: [7, 1], ..contact },
        Contact { geom: [i32::MAX, i32::MIN], ..contact },
        Contact { geom: [0, 1], dim: 0, ..contact },
        Contact { geom: [0, 1], dim: i32::MAX, efc_address: i32::MAX, ..contact },
        Contact { geom: [-1, -1], flex: [i32::MAX; 2], elem: [9; 2], ..contact },
        Contact { geom: [0, 1], efc_address: 3, ..contact },
    ] {
        let mut data = good.clone();
        data.contact[0] = bad;
        data.ncon = 5;
        ligament::stages::transmission(&model, &mut data);
        ligament::stages::rne_post_constraint(&model, &mut data);
        ligament::stages::sensor_acc(&model, &mut data);
        assert!(data.sensordata.iter().all(|x| x.is_finite()), "{bad:?}");
    }
}

/// Length ranges are found by simulation; what asks for too much of it is refused.
#[test]
fn length_ranges_that_take_too_long_name_their_actuator() {
    let message = refused(
        "<mujoco><compiler><lengthrange interval='nan' inttotal='inf'/></compiler><worldbody><body><joint name='j' axis='0 1 0'/>\
         <geom size='.1' pos='.5 0 0'/></body></worldbody><actuator><muscle name='long' joint='j'/></actuator></mujoco>",
    );
    assert!(message.contains("takes too long at actuator 0") && message.contains("long"), "{message}");
}

/// Numbers of MuJoCo 3.5.0, bit for bit, also where they are none: comparisons decide which of them show.
#[test]
fn statistics_of_models_without_bounds() {
    let lists = |model: &Model| {
        let stat = &model.stat;
        (stat.center.map(f64::to_bits), [stat.extent, stat.meansize, stat.meanmass])
    };
    let is_nan = |x: u64| f64::from_bits(x).is_nan();

    let inner = load(
        "<mujoco><worldbody><body><joint/><geom size='.1'/><body pos='inf 0 0'><joint/><geom size='.1'/></body></body>\
         </worldbody></mujoco>",
    );
    let (center, sizes) = lists(&inner);
    assert!(center[0] == f64::INFINITY.to_bits() && is_nan(center[1]) && is_nan(center[2]));
    assert_eq!(sizes, [0.10001, 0.050005, 4.188790204786391]);
    assert_eq!(&inner.dof_length[..], [0.1, 1e-5]);

    let outer = load(
        "<mujoco><worldbody><body pos='inf 0 0'><joint/><geom size='.1'/></body><body pos='1 2 3'><joint/>\
         <geom size='.2'/></body></worldbody></mujoco>",
    );
    let (center, sizes) = lists(&outer);
    assert_eq!(center, [f64::INFINITY, 1.05, 1.55].map(f64::to_bits));
    assert_eq!(sizes, [f64::INFINITY, 0.10000500000000001, 18.849555921538762]);

    let capsule = load(
        "<mujoco><worldbody><body><joint/><geom type='capsule' size='inf .1'/><body><geom size='.1'/></body></body>\
         </worldbody></mujoco>",
    );
    assert!(capsule.body_inertia[1].iter().all(|moment| moment.is_nan()), "{:?}", capsule.body_inertia[1]);
    assert_eq!(lists(&capsule).1, [f64::INFINITY; 3]);
}

/// MuJoCo 3.5.0 keeps the mesh of an ellipsoid that was fitted to one; vertices of it touch planes as well.
#[test]
fn fitted_ellipsoids_touch_planes_with_vertices_of_their_mesh() {
    let contacts = |others: &str| {
        let model = load(&format!(
            "<mujoco><asset><mesh name='m' vertex='-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 1' \
             face='0 2 1 0 3 2 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7'/></asset><worldbody>\
             <geom type='plane' size='5 5 1'/><body pos='0 0 .7'><freejoint/><geom type='ellipsoid' mesh='m'/></body>\
             {others}</worldbody></mujoco>"
        ));
        let mut data = model.make_data().expect("a state");
        data.forward(&model).expect("a step");
        data.contact.iter().map(|contact| contact.pos).collect::<Vec<_>>()
    };
    let middle = [0.0, 0.0, -0.15000000000000002];
    assert_eq!(contacts(""), [middle, [-1.0, -1.0, middle[2]], [1.0, -1.0, middle[2]]]);
    // where another geom needs the hull of the mesh, its vertices do not count
    assert_eq!(contacts("<body pos='9 9 9'><freejoint/><geom type='mesh' mesh='m'/></body>"), [middle]);
}

/// Where coefficients of two tendons cancel out, an equality between them does not tie the trees they run through.
#[test]
fn cancelled_columns_tie_no_islands() {
    let text = "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body>\
                <body pos='1 0 0'><joint name='b' axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body></worldbody>\
                <tendon><fixed name='s'><joint joint='a' coef='1'/><joint joint='b' coef='2'/></fixed>\
                <fixed name='t'><joint joint='a' coef='3'/><joint joint='b' coef='2'/></fixed></tendon>\
                <equality><tendon tendon1='s' tendon2='t'/><joint joint1='b'/></equality></mujoco>";
    let islands = |text: &str| {
        let model = load(text);
        let mut data = model.make_data().expect("a state");
        data.forward(&model).expect("a step");
        (data.nefc, data.nisland, data.efc_island.to_vec())
    };
    assert_eq!(islands(text), (2, 2, vec![0, 1]));
    // all of them: there is no row
    assert_eq!(islands(&text.replace("coef='3'", "coef='1'")), (1, 1, vec![0]));
}

/// As in MuJoCo, where infinity times zero is not too fast to sleep.
#[test]
fn bodies_without_bounds_can_sleep() {
    let model = load(
        "<mujoco><option><flag sleep='enable' gravity='disable' contact='disable'/></option><worldbody>\
         <body sleep='init'><freejoint/><geom size='inf'/><body><joint/><geom size='.1'/></body></body></worldbody></mujoco>",
    );
    assert_eq!(model.make_data().expect("a state").tree_asleep[0], 0);
}

/// The side site of a wrapped geom stands among the real numbers of a model, where anybody may write anything.
#[test]
fn side_sites_that_do_not_exist_are_none() {
    let text = "<mujoco><worldbody><site name='a' pos='-1 0 0'/><site name='s' pos='0 1 0'/><geom name='g' size='.3'/>
        <body pos='1 0 0'><joint/><geom size='.1'/><site name='b'/></body></worldbody>
        <tendon><spatial><site site='a'/><geom geom='g' sidesite='s'/><site site='b'/></spatial></tendon></mujoco>";
    for value in [1e10, 3.0, f64::INFINITY, f64::NAN, 1e308, -7.0] {
        let mut model = load(text);
        model.wrap_prm[1] = value;
        let mut data = model.make_data().expect("a state");
        data.step(&model).expect("steps");
        assert!(data.ten_length[0].is_finite(), "{value}");
    }
}
