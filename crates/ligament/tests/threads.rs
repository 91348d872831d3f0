//! One large scene on several threads: the numbers do not depend on how many there are.

use ligament::enums::{ConeType, ConstraintState};
use ligament::prelude::*;
use std::fmt::Write as _;

/// Columns of boxes that touch nothing but each other and the floor: many islands, many pairs.
fn columns(count: usize, height: usize, option: &str, extra: &str) -> String {
    let mut bodies = String::new();
    for column in 0..count {
        for level in 0..height {
            let (x, y) = (0.5 * (column % 8) as f64, 0.5 * (column / 8) as f64);
            let (z, tilt) = (0.1 + 0.199 * level as f64, 3 * (column + level) % 7);
            write!(
                bodies,
                "<body name='b{column}_{level}' pos='{x} {y} {z}' euler='0 0 {tilt}'><freejoint/>\
                 <geom name='g{column}_{level}' type='box' size='.1 .1 .1'/></body>"
            )
            .expect("text");
        }
    }
    format!(
        "<mujoco><option {option}/><worldbody><geom name='floor' type='plane' size='0 0 1'/>{bodies}</worldbody>\
         {extra}</mujoco>"
    )
}

/// Everything that a step leaves, as bits.
fn trace(xml: &str, threads: usize, steps: usize) -> Vec<u64> {
    let model = ligament::load_model(xml).expect("the model");
    let mut data = model.make_data().expect("the state");
    data.threads = threads;
    let mut bits = Vec::new();
    for _ in 0..steps {
        data.step(&model).expect("the step");
        bits.extend(data.qpos.iter().chain(&data.qacc).chain(&data.qfrc_constraint).map(|x| x.to_bits()));
        bits.extend(data.efc_force.iter().map(|x| x.to_bits()));
        bits.extend(data.efc_state.iter().map(|&x| x as u64));
        for c in &data.contact {
            bits.extend(c.geom.map(|g| g as u64));
            bits.extend(c.H.iter().chain(&c.pos).map(|x| x.to_bits()));
        }
        for (slot, &iterations) in data.solver_niter.iter().enumerate() {
            bits.push(iterations as u64);
            let first = slot * (data.solver.len() / data.solver_niter.len());
            let of_slot = &data.solver[first..first + iterations as usize];
            bits.extend(of_slot.iter().map(|s| s.improvement.to_bits() ^ s.nactive as u64));
        }
    }
    assert!(data.nisland > 8 && data.nefc > 300, "{} islands, {} rows", data.nisland, data.nefc);
    bits
}

fn same_for_all(xml: &str) {
    let alone = trace(xml, 1, 12);
    for threads in [2, 3, 8] {
        assert!(trace(xml, threads, 12) == alone, "{threads} threads");
    }
}

#[test]
fn islands_and_contacts_side_by_side() {
    same_for_all(&columns(40, 3, "timestep='0.004'", ""));
}

/// Islands that take longer than all others are solved by all threads together, the small ones around them side by side. They
/// are the largest in turns: first, last and between others.
#[test]
fn large_islands_among_small_ones() {
    for (place, sizes) in
        [[40, 1, 1, 1, 1, 1], [1, 1, 25, 1, 45, 1], [30, 30, 1, 1, 1, 40]].into_iter().enumerate()
    {
        let mut bodies = String::new();
        for (k, &size) in sizes.iter().enumerate() {
            // walls of boxes that touch their neighbours, and pairs of boxes on each other
            let (across, up) = if size > 1 { (size / 5, 5) } else { (1, 2) };
            for (i, j) in (0..across).flat_map(|i| (0..up).map(move |j| (i, j))) {
                let (x, z) = (0.1999 * i as f64, 0.0999 + 0.1998 * j as f64);
                write!(
                    bodies,
                    "<body pos='{x} {k} {z}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                )
                .expect("text");
            }
        }
        let xml =
            format!("<mujoco><worldbody><geom type='plane' size='0 0 1'/>{bodies}</worldbody></mujoco>");
        let model = ligament::load_model(&xml).expect("the model");
        let alone = steps(&model, 1, 6, |_| {});
        let mut data = model.make_data().expect("the state");
        data.forward(&model).expect("forward dynamics");
        let large = data.island_nefc.iter().filter(|&&rows| rows >= 1000).count();
        assert_eq!((data.nisland, large), (6, sizes.iter().filter(|&&size| size > 1).count()), "{place}");
        for threads in [2, 3, 16] {
            assert!(steps(&model, threads, 6, |_| {}) == alone, "{threads} threads, {sizes:?}");
        }
    }
}

#[test]
fn curved_cones_side_by_side() {
    same_for_all(&columns(40, 3, "cone='elliptic'", ""));
}

#[test]
fn conjugate_gradients_side_by_side() {
    same_for_all(&columns(40, 3, "solver='CG' jacobian='sparse'", ""));
}

/// Explicit pairs stand between others by their signature, wherever the pairs are cut.
#[test]
fn explicit_pairs_and_excludes_side_by_side() {
    let mut contact = String::from("<contact>");
    for column in (0..60).step_by(3) {
        let other = column + 1;
        write!(
            contact,
            "<pair geom1='g{column}_0' geom2='floor' margin='0.01'/><pair geom1='g{column}_1' geom2='g{other}_1'/>\
             <exclude body1='b{other}_1' body2='b{other}_0'/>"
        )
        .expect("text");
    }
    same_for_all(&columns(60, 3, "", &format!("{contact}</contact>")));
}

/// Rows of curved cones stay what they are when the options change after they were made.
#[test]
fn cones_belong_to_the_rows() {
    let mut model = ligament::load_model(&columns(40, 3, "cone='elliptic'", "")).expect("the model");
    for threads in [1, 4] {
        model.opt.cone = ConeType::Elliptic as i32;
        let mut data = model.make_data().expect("the state");
        data.threads = threads;
        for k in 0..40 {
            data.qvel[18 * k] = 1.0;
        }
        data.forward(&model).expect("forward");
        assert!(data.efc_state.contains(&(ConstraintState::Cone as i32)));
        model.opt.cone = ConeType::Pyramidal as i32;
        ligament::sim::step::solve_constraints(&model, &mut data).expect("the solver");
        assert!(data.qacc.iter().all(|x| x.is_finite()));
    }
}

/// A function of the user is called by the thread that steps.
#[test]
fn filters_are_called_by_the_caller() {
    let model = ligament::load_model(&columns(40, 3, "", "")).expect("the model");
    let mut data = model.make_data().expect("the state");
    data.threads = 4;
    let here = std::thread::current().id();
    data.callbacks.contact_filter = Some(std::sync::Arc::new(move |_: &Model, _: &Data, _, _| {
        assert_eq!(std::thread::current().id(), here);
        false
    }));
    data.step(&model).expect("the step");
    assert!(data.ncon > 100);
}

/// Hundreds of trees: boxes are swept, inertias factored and solved side by side, with explicit and implicit damping.
#[test]
fn hundreds_of_trees_have_the_same_bits() {
    for option in ["integrator='implicitfast'", "integrator='Euler'"] {
        let xml = columns(52, 10, option, "").replace("<freejoint/>", "<joint type='free' damping='.1'/>");
        let alone = trace(&xml, 1, 2);
        for threads in [2, 5] {
            assert!(trace(&xml, threads, 2) == alone, "{option}: {threads} threads");
        }
    }
}

/// Trees of all kinds of joints, some of them on bodies that stand still, are cut anywhere.
#[test]
fn many_trees_side_by_side() {
    let mut bodies = String::new();
    for i in 0..260 {
        let (x, tilt) = (0.3 * f64::from(i % 20), 5 * i % 13);
        let joint = [
            "<freejoint/>",
            "<joint axis='0 1 .2'/>",
            "<joint type='ball'/>",
            "<joint type='slide'/><joint/>",
            "",
        ][i as usize % 5];
        write!(
            bodies,
            "<body pos='{x} {y} 1' euler='0 {tilt} 0'>{joint}<geom size='.1'/><site/>\
             <body pos='.2 0 0'><joint axis='0 1 0' damping='.1'/><geom type='box' size='.05 .04 .03' pos='.1 0 0'/></body>\
             <body pos='0 .2 0'><joint type='ball'/><geom type='capsule' size='.03 .05' pos='0 .1 0'/><geom size='.02'/></body>\
             </body>",
            y = 0.4 * f64::from(i / 20)
        )
        .expect("text");
    }
    for option in ["", "integrator='implicit'", "integrator='RK4'"] {
        let xml = format!("<mujoco><option {option}/><worldbody>{bodies}</worldbody></mujoco>");
        let model = ligament::load_model(&xml).expect("the model");
        let trace = |threads| {
            let mut data = model.make_data().expect("the state");
            data.threads = threads;
            let mut bits = Vec::new();
            for _ in 0..5 {
                data.step(&model).expect("the step");
                let vectors = data.geom_xpos.iter().chain(&data.subtree_com).chain(&data.site_xpos).flatten();
                let spatial = data.cdof.iter().chain(&data.cvel).chain(&data.cdof_dot).flatten();
                let inertias = data.crb.iter().flatten();
                bits.extend(vectors.chain(spatial).chain(inertias).map(|x| x.to_bits()));
                bits.extend(data.M.iter().chain(&data.qpos).chain(&data.qvel).map(|x| x.to_bits()));
            }
            bits
        };
        let alone = trace(1);
        for threads in [2, 3, 7] {
            assert!(trace(threads) == alone, "{threads} threads, {option}");
        }
    }
}

/// The numbers of a state that stages leave, as bits.
fn stages(data: &Data) -> Vec<u64> {
    let forces =
        data.qfrc_passive.iter().chain(&data.qfrc_bias).chain(&data.qfrc_smooth).chain(&data.qfrc_spring);
    let motion = data
        .qpos
        .iter()
        .chain(&data.qvel)
        .chain(&data.qacc)
        .chain(&data.qacc_smooth)
        .chain(&data.qacc_warmstart);
    let inertia = data.M.iter().chain(&data.qM).chain(&data.qLD).chain(&data.qLDiagInv).chain(&data.qH);
    let rows = data
        .efc_J
        .iter()
        .chain(&data.efc_vel)
        .chain(&data.efc_aref)
        .chain(&data.efc_b)
        .chain(&data.efc_force);
    let more = data.efc_pos.iter().chain(&data.efc_D).chain(&data.efc_R).chain(&data.flexedge_velocity);
    let mut bits: Vec<u64> =
        forces.chain(motion).chain(inertia).chain(rows).chain(more).map(|x| x.to_bits()).collect();
    bits.extend(data.efc_state.iter().chain(&data.efc_type).chain(&data.efc_id).map(|&x| x as u64));
    bits.extend(data.efc_J_colind.iter().chain(&data.efc_J_rowadr).map(|&x| x as u64));
    bits
}

/// Steps on so many threads; what they leave.
fn steps(model: &Model, threads: usize, steps: usize, prepare: impl Fn(&mut Data)) -> Vec<u64> {
    let mut data = model.make_data().expect("the state");
    data.threads = threads;
    prepare(&mut data);
    let mut bits = Vec::new();
    for _ in 0..steps {
        data.step(model).expect("the step");
        bits.extend(stages(&data));
    }
    bits
}

/// Trees with springs, limits, carried weight and tendons, which are pushed and pulled from outside: stages that are done together
/// leave what they leave one after the other, and are done so where something of the user's comes between them.
#[test]
fn stages_of_trees_in_one_section() {
    let (mut bodies, mut tendons) = (String::new(), String::new());
    for i in 0..220 {
        let (x, y) = (0.9 * f64::from(i % 20), 0.9 * f64::from(i / 20));
        write!(
            bodies,
            "<body pos='{x} {y} .3' euler='{tilt} 0 0'><freejoint/><geom type='capsule' size='.08 .1'/>\
             <body pos='.2 0 0' gravcomp='{carried}'><joint name='j{i}' axis='0 1 0' damping='.1' stiffness='2' range='-20 10'/>\
             <geom type='box' size='.05 .04 .03' pos='.1 0 0'/></body>\
             <body pos='-.2 0 0'><joint type='ball' range='0 20'/><geom size='.05' pos='-.1 0 0'/></body></body>",
            tilt = 7 * i % 40,
            carried = f64::from(i % 3),
        )
        .expect("text");
        if i < 20 {
            write!(tendons, "<fixed stiffness='3' armature='ARM'><joint joint='j{i}' coef='1'/></fixed>")
                .expect("text");
        }
    }
    let text = |option: &str, armature: &str| {
        let tendons = tendons.replace("ARM", armature);
        format!(
            "<mujoco><option timestep='.004'>{option}</option><worldbody><geom type='plane' size='0 0 1'/>{bodies}</worldbody>\
                 <tendon>{tendons}</tendon></mujoco>"
        )
    };
    let options = [
        "",
        "<flag eulerdamp='disable'/>",
        "<flag warmstart='disable'/>",
        "<flag spring='disable' island='disable'/>",
    ];
    for (option, armature) in options.map(|option| (option, "0")).into_iter().chain([("", ".01")]) {
        let model = ligament::load_model(&text(option, armature)).expect("the model");
        for case in 0..3 {
            let prepare = |data: &mut Data| {
                data.qfrc_applied[3] = 0.5;
                if case > 0 {
                    data.xfrc_applied[301] = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3];
                }
                if case > 1 {
                    data.callbacks.passive = Some(std::sync::Arc::new(|_: &Model, d: &mut Data| {
                        d.qfrc_passive[7] += d.qvel[7] - 0.1;
                    }));
                }
            };
            let alone = steps(&model, 1, 6, prepare);
            for threads in [2, 3, 16] {
                assert!(
                    steps(&model, threads, 6, prepare) == alone,
                    "{threads} threads, {option}, case {case}"
                );
            }
        }
    }
}

/// A cloth on a ball by conjugate gradients: lists are copied, and terms of sums computed, in parts.
#[test]
fn cloth_in_parts() {
    for (cone, island) in [("pyramidal", "enable"), ("elliptic", "disable")] {
        let model = ligament::load_model(&format!(
            "<mujoco><option solver='CG' tolerance='1e-6' timestep='.002' cone='{cone}'><flag island='{island}'/></option>\
             <worldbody><geom type='sphere' size='.3'/><flexcomp name='c' type='grid' count='42 42 1' spacing='.02 .02 .02' \
             pos='0 0 .3055' radius='.005' mass='1'><edge equality='true'/><contact selfcollide='none'/></flexcomp>\
             </worldbody></mujoco>"
        ))
        .expect("the model");
        let alone = steps(&model, 1, 8, |_| {});
        for threads in [2, 5, 16] {
            assert!(steps(&model, threads, 8, |_| {}) == alone, "{threads} threads, {cone}");
        }
    }
}
