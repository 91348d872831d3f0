//! Soft flexes: ropes, cloth and solids by position-based dynamics (spec item 9).

#[path = "../examples/soft_scenes.rs"]
mod soft_scenes;
mod support;
use ligament::batch::{Batch, Config, Select};
use ligament::enums::{Integrator, Stage};
use ligament::parts::{Slot, clear_elasticity, clear_solver, set_solver};
use ligament::rays::Ray;
use ligament::sim::ray::{FlexParts, ray_flex};
use ligament::sim::solver::XpbdSolver;
use ligament::sim::{inverse, step};
use ligament::soft::{Deformation, Material, soften};
use support::allocations::{Counting, allocations};
use support::{Sim, close};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn cloth(attributes: &str, scene: &str, children: &str) -> String {
    format!(
        "<mujoco><option timestep='.005'/><worldbody>{scene}<flexcomp name='cloth' type='grid' count='11 11 1' \
         spacing='.05 .05 .05' dim='2' radius='.01' mass='.2' pos='0 0 .6' {attributes}>\
         <contact selfcollide='none'/>{children}</flexcomp></worldbody></mujoco>"
    )
}

const SPHERE: &str =
    "<geom name='ball' type='sphere' size='.2' pos='0 0 .35'/><geom type='plane' size='2 2 .1'/>";

/// How far the first flex is from its rest shape.
fn deformation(sim: &Sim) -> Deformation {
    sim.m.parts.soft(0).expect("a soft flex").deformation(&sim.d.flexvert_xpos)
}

fn fastest(sim: &Sim) -> f64 {
    sim.d.qvel.iter().fold(0.0, |v, x| v.max(x.abs()))
}

/// F9.6, F9.7: cloth on a sphere settles without jitter at a step of 5 ms
#[test]
fn cloth_on_a_sphere_settles() {
    let mut sim = Sim::new(&cloth("ligament:soft='cotton'", SPHERE, ""));
    sim.steps(400);
    let early = fastest(&sim);
    sim.steps(1200);
    let late = fastest(&sim);
    assert!(late < 0.1 && late <= early.max(0.05), "{early} {late}");
    let mut after = 0.0_f64;
    for _ in 0..400 {
        sim.steps(1);
        after = after.max(fastest(&sim));
    }
    assert!(after < 0.15, "no growth: {after}");
    // it lies on the ball
    let top = sim.d.flexvert_xpos.iter().map(|x| x[2]).fold(f64::MIN, f64::max);
    assert!((0.53..0.6).contains(&top), "{top}");
}

/// F9.2: lengths and bending hold after contacts were resolved, within a bound for each material
#[test]
fn cloth_constraints_hold_on_a_sphere() {
    for (material, stretch, bend) in
        [("cotton", 0.03, 2.2), ("silk", 0.03, 2.2), ("leather", 0.05, 1.0), ("membrane", 0.1, 2.2)]
    {
        let mut sim = Sim::new(&cloth(&format!("ligament:soft='{material}'"), SPHERE, ""));
        sim.steps(600);
        let found = deformation(&sim);
        assert!(found.stretch < stretch && found.bend < bend, "{material}: {found:?}");
    }
}

fn cube(material: &str, scene: &str) -> String {
    format!(
        "<mujoco><option timestep='.005' ligament:solver='xpbd' ligament:solver_params='5 4'/><worldbody>\
         <geom type='plane' size='1 1 .1'/>{scene}<flexcomp name='cube' type='grid' count='4 4 4' spacing='.05 .05 .05' \
         dim='3' radius='.005' mass='1' pos='0 0 .09' ligament:soft='{material}'><contact selfcollide='none'/></flexcomp>\
         </worldbody></mujoco>"
    )
}

/// F9.2, F9.7: a soft cube under a plate that lies free on it, in four substeps, keeps its volume as its material says,
/// carries the plate exactly, and does not lean to a side, whichever way its mesh is cut
#[test]
fn volumes_hold_under_a_weight() {
    let weight = "<body pos='0 0 .26'><freejoint/><geom type='box' size='.15 .15 .02' mass='2'/></body>";
    let squeezed = |material: &str| {
        let mut sim = Sim::new(&cube(material, weight));
        sim.steps(800);
        let mut mean = 0.0;
        for _ in 0..200 {
            sim.steps(1);
            assert!(fastest(&sim) < 0.02, "{material} trembles: {}", fastest(&sim));
            close(sim.d.qfrc_constraint[2], 2.0 * 9.81, 0.02 * 2.0 * 9.81);
            mean += sim.d.qfrc_constraint[2] / 200.0;
        }
        close(mean, 2.0 * 9.81, 0.05);
        let aside = sim.d.qpos[0].hypot(sim.d.qpos[1]);
        assert!(aside < 0.005, "{material}: the plate has gone {aside} m aside");
        (deformation(&sim), sim.d.qpos[2])
    };
    for (material, volume) in [("rubber", 0.01), ("muscle", 0.05), ("foam", 0.3)] {
        let (found, _) = squeezed(material);
        assert!(found.volume < volume && found.stretch < 0.3, "{material}: {found:?}");
    }
    assert!(squeezed("rubber").1 > squeezed("foam").1 + 1e-4, "the softer material gives way more");
}

/// F9.2: a pillar of foam that is pressed gets shorter by F L / (E A), whichever way its mesh is cut
#[test]
fn solids_are_as_stiff_as_their_material() {
    let text = "<mujoco><option timestep='.005' gravity='0 0 0' ligament:solver='xpbd' ligament:solver_params='5 4'/>\
         <worldbody><body><joint type='slide' axis='0 0 1'/><geom type='box' size='.15 .15 .02' pos='0 0 .225' mass='1' \
         friction='0'/></body><geom type='plane' size='1 1 .1' friction='0'/><flexcomp name='pillar' type='grid' \
         count='3 3 5' spacing='.05 .05 .05' dim='3' radius='.005' mass='.2' pos='0 0 .105' ligament:soft='foam'>\
         <contact selfcollide='none' friction='0'/></flexcomp></worldbody></mujoco>";
    let height = |force: f64| {
        let mut sim = Sim::new(text);
        sim.d.qfrc_applied[0] = -force;
        sim.steps(1500);
        sim.forward();
        // of the upper nine vertices above the lower nine: contacts give way as well
        let mut z: Vec<f64> = sim.d.flexvert_xpos.iter().map(|x| x[2]).collect();
        z.sort_by(f64::total_cmp);
        (z[36..].iter().sum::<f64>() - z[..9].iter().sum::<f64>()) / 9.0
    };
    let Material { young, .. } = *Material::preset("foam").unwrap();
    let expected = 4.0 * 0.2 / (young * 0.01);
    let found = height(1.0) - height(5.0);
    assert!((found / expected - 1.0).abs() < 0.1, "{found} {expected}");
}

/// F9.2: a sheet that is clamped at one side sags as a beam does, q L⁴ / 8B; a limp one hangs
#[test]
fn bending_carries_a_sheet() {
    let sag = |material: &str, mass: &str| {
        let mut sim = Sim::new(
            &cloth(&format!("ligament:soft='{material}'"), "", "<pin gridrange='0 0 1 10'/>")
                .replace("mass='.2'", &format!("mass='{mass}'")),
        );
        set_solver(&mut sim.m, XpbdSolver::new(5).substeps(16)).unwrap();
        sim.steps(1500);
        let lowest = sim.d.flexvert_xpos.iter().map(|x| x[2]).fold(f64::MAX, f64::min);
        0.6 - lowest
    };
    let limp = sag("silk", ".002");
    assert!(limp > 0.3, "{limp}");
    // eleven rows of vertices, nine of which hang free, the last at 0.45 m
    let load = 0.002 * 9.81 / 11.0;
    let beam: f64 = (1..10)
        .map(|k| {
            let x = 0.05 * f64::from(k);
            load * x * x * (3.0 * 0.45 - x) / (6.0 * Material::preset("stiff").unwrap().bending * 0.5)
        })
        .sum();
    let stiff = sag("stiff", ".002");
    assert!((stiff / beam - 1.0).abs() < 0.2, "{stiff} {beam}");
}

/// F9.1: a box on a pinned sheet is carried with its weight, as by a plane
#[test]
fn a_pinned_sheet_carries_a_box() {
    let scene = "<body name='box' pos='0 0 .72'><freejoint/><geom name='box' type='box' size='.1 .1 .1' mass='1'/></body>";
    let pins = "<pin gridrange='0 0 10 10'/>";
    let mut sim = Sim::new(&cloth("ligament:soft='cotton'", scene, pins));
    let mut plane = Sim::new(
        "<mujoco><option timestep='.005' ligament:solver='xpbd' ligament:solver_params='20'/><worldbody>\
         <geom type='plane' size='1 1 .1' pos='0 0 .61'/><body pos='0 0 .72'><freejoint/>\
         <geom type='box' size='.1 .1 .1' mass='1'/></body></worldbody></mujoco>",
    );
    sim.steps(600);
    plane.steps(600);
    close(plane.d.qfrc_constraint[2], 9.81, 1e-2);
    let mut mean = 0.0;
    for _ in 0..400 {
        sim.steps(1);
        close(sim.d.qfrc_constraint[2], 9.81, 0.01 * 9.81);
        mean += sim.d.qfrc_constraint[2] / 400.0;
    }
    close(mean, 9.81, 1e-2);
    close(sim.d.qpos[2], plane.d.qpos[2], 2e-3);
}

/// F9.3: the friction of the material meets that of the geom by the rule of rigid contacts
#[test]
fn friction_of_the_material() {
    let contact = |material: &str, geom: f64| {
        let ball = SPHERE.replace("size='.2'", &format!("size='.2' friction='{geom}'"));
        let mut sim = Sim::new(&cloth(&format!("ligament:soft='{material}'"), &ball, ""));
        sim.steps(60);
        let found = sim.d.contact.iter().find(|c| c.geom.contains(&0)).expect("a contact with the ball");
        found.friction[0]
    };
    assert_eq!(contact("silk", 0.1), Material::preset("silk").unwrap().friction);
    assert_eq!(contact("silk", 0.8), 0.8);
    assert_eq!(contact("cotton", 0.1), 0.6);
}

/// F9.3: on a slope between the frictions of two materials the smoother one slides, as far as a block would
#[test]
fn friction_decides_who_slides() {
    let slid = |material: &str| {
        let floor = "<geom type='plane' size='9 9 .1' friction='.1'/>";
        let text = cloth(&format!("ligament:soft='{material}'"), floor, "").replace("0 0 .6'", "0 0 .01'");
        let mut sim =
            Sim::new(&text.replace("timestep='.005'", "timestep='.005' gravity='4 0 -9.81' cone='elliptic'"));
        sim.steps(200);
        let sum: f64 = (0..121).map(|v| sim.d.qpos[3 * v]).sum();
        sum / 121.0
    };
    let block = 0.5 * (4.0 - Material::preset("silk").unwrap().friction * 9.81);
    let (silk, cotton) = (slid("silk"), slid("cotton"));
    assert!((silk / block - 1.0).abs() < 0.1, "{silk} {block}");
    assert!(cotton.abs() < 0.01, "{cotton}");
}

/// F9.4: a vertex against a plane: the collision is a row among the others, the vertex stays above
#[test]
fn vertices_collide() {
    let floor = "<geom type='plane' size='2 2 .1'/>";
    let mut sim = Sim::new(&cloth("ligament:soft='cotton'", floor, "").replace("0 0 .6'", "0 0 .1'"));
    sim.steps(400);
    let lowest = sim.d.flexvert_xpos.iter().map(|x| x[2]).fold(f64::MAX, f64::min);
    assert!((0.005..0.011).contains(&lowest), "{lowest}");
    assert!(fastest(&sim) < 0.05, "{}", fastest(&sim));
}

/// F9: vertices are bodies: what is computed for points of soft flexes in a short way is what the stages compute for bodies
#[test]
fn points_are_bodies() {
    let scene = "<body pos='1 0 1'><freejoint/><geom size='.1'/></body>";
    let mut soft = Sim::new(&cloth("ligament:soft='cotton'", scene, "<pin id='3'/>"));
    let mut plain = Sim::new(&cloth("", scene, "<pin id='3'/>"));
    assert!(soft.m.parts.soft_points().len() > 100 && plain.m.parts.soft_points().is_empty());
    for sim in [&mut soft, &mut plain] {
        for (i, q) in sim.d.qpos.iter_mut().enumerate() {
            *q += 0.01 * (0.7 * i as f64).sin();
        }
        for (i, v) in sim.d.qvel.iter_mut().enumerate() {
            *v = (0.3 * i as f64).cos();
        }
        sim.forward();
    }
    let (a, b) = (&soft.d, &plain.d);
    let same = |name: &str, a: &[f64], b: &[f64]| {
        assert!(a.len() == b.len() && !a.is_empty(), "{name}");
        for (i, (x, y)) in a.iter().zip(b).enumerate() {
            assert!((x - y).abs() <= 1e-12 * y.abs().max(1.0), "{name} {i}: {x} {y}");
        }
    };
    same("xpos", a.xpos.as_flattened(), b.xpos.as_flattened());
    same("xquat", a.xquat.as_flattened(), b.xquat.as_flattened());
    same("xmat", a.xmat.as_flattened(), b.xmat.as_flattened());
    same("xanchor", a.xanchor.as_flattened(), b.xanchor.as_flattened());
    same("xaxis", a.xaxis.as_flattened(), b.xaxis.as_flattened());
    same("xipos", a.xipos.as_flattened(), b.xipos.as_flattened());
    same("ximat", a.ximat.as_flattened(), b.ximat.as_flattened());
    same("subtree_com", a.subtree_com.as_flattened(), b.subtree_com.as_flattened());
    same("cinert", a.cinert.as_flattened(), b.cinert.as_flattened());
    same("cdof", a.cdof.as_flattened(), b.cdof.as_flattened());
    same("cvel", a.cvel.as_flattened(), b.cvel.as_flattened());
    same("qfrc_bias", &a.qfrc_bias, &b.qfrc_bias);
    same("crb", a.crb.as_flattened(), b.crb.as_flattened());
    same("M", &a.M, &b.M);
    same("qM", &a.qM, &b.qM);
    same("qLDiagInv", &a.qLDiagInv, &b.qLDiagInv);
    same("flexelem_aabb", a.flexelem_aabb.as_flattened(), b.flexelem_aabb.as_flattened());
    same("flexedge_length", &a.flexedge_length, &b.flexedge_length);
}

/// F9.5: without soft flexes there is nothing of it: no part, no row, no pass, the same flex as MuJoCo's
#[test]
fn no_soft_flex_no_cost() {
    let mut plain = Sim::new(&cloth("", SPHERE, ""));
    assert!(plain.m.parts.is_default() && plain.m.parts.first_soft().is_none() && plain.m.neq == 0);
    plain.steps(1);
    // free flight: nothing to solve, nothing solved
    assert_eq!((plain.d.nefc, plain.d.solver_niter[0]), (0, 0));
    let mut soft = Sim::new(&cloth("ligament:soft='cotton'", SPHERE, ""));
    soft.steps(1);
    assert_eq!((soft.m.neq, soft.d.nefc, soft.d.solver_niter[0]), (0, 0, 20));
    let names: Vec<_> = soft.m.parts.records().iter().map(|record| record.name.clone()).collect();
    assert_eq!(names, ["soft", "xpbd"]);
}

/// A rope of 20 links, fixed at its upper end, that holds a box of half its mass.
const ROPE: &str = "<mujoco><option timestep='.005'/><worldbody>\
     <flexcomp name='rope' type='grid' count='20 1 1' spacing='.05 .05 .05' dim='1' radius='.01' mass='.5' \
     pos='0 0 2' euler='0 90 0' ligament:soft='rope'><contact selfcollide='none' contype='0' conaffinity='0'/><pin id='0'/></flexcomp>\
     <body name='box' pos='0 0 1.475'><freejoint/><geom type='box' size='.05 .05 .05' mass='.5' contype='0' conaffinity='0'/></body></worldbody>\
     <equality><connect body1='box' body2='rope_19' anchor='0 0 .05'/></equality></mujoco>";

/// F9.7: a rope holds a box that is attached to it, without substeps and with a few of one sweep each
#[test]
fn a_rope_holds_a_box() {
    let stretch = |iterations: usize, substeps: usize| {
        let mut sim = Sim::new(ROPE);
        set_solver(&mut sim.m, XpbdSolver::new(iterations).substeps(substeps)).unwrap();
        sim.steps(1500);
        assert!(fastest(&sim) < 0.2, "{iterations} {substeps}: {}", fastest(&sim));
        deformation(&sim).stretch
    };
    let (whole, divided, fine) = (stretch(20, 1), stretch(1, 4), stretch(1, 20));
    assert!(whole < 0.02, "{whole}");
    assert!(divided < 0.02, "{divided}");
    assert!(fine < 0.002, "{fine}");
}

/// F9.7: substeps are steps: what falls freely falls as with one step, and arrives where smaller steps arrive
#[test]
fn substeps_are_consistent() {
    let text = cloth("ligament:soft='cotton'", "", "");
    let run = |substeps: usize, timestep: f64| {
        let mut sim = Sim::new(&text);
        set_solver(&mut sim.m, XpbdSolver::new(2).substeps(substeps)).unwrap();
        sim.m.opt.timestep = timestep;
        // a wave across the sheet and a turn
        for (i, v) in sim.d.qvel.iter_mut().enumerate() {
            *v = 0.3 * (0.7 * i as f64).sin();
        }
        sim.steps((0.2 / timestep).round() as usize);
        sim.forward();
        (sim.d.flexvert_xpos.to_vec(), sim.d.qvel.to_vec())
    };
    let (divided, small) = (run(4, 0.004), run(1, 0.001));
    for (a, b) in divided.0.iter().zip(&small.0) {
        (0..3).for_each(|k| close(a[k], b[k], 1e-9));
    }
    for (a, b) in divided.1.iter().zip(&small.1) {
        close(*a, *b, 1e-6);
    }
}

/// F9: a rope between two bodies pulls both; what is pinned to a body moves with it
#[test]
fn attachments_act_on_both_sides() {
    let mut sim = Sim::new(
        "<mujoco><option timestep='.005' gravity='0 0 0' ligament:solver='xpbd' ligament:solver_params='10 4'/><worldbody>\
         <body name='cart'><joint type='slide' axis='1 0 0'/><geom size='.05' mass='1' contype='0' conaffinity='0'/>\
         <flexcomp name='rope' type='grid' count='6 1 1' spacing='.1 .1 .1' dim='1' radius='.01' mass='.3' pos='.25 0 0' \
         ligament:soft='rope'><contact selfcollide='none' contype='0' conaffinity='0'/><pin id='0'/></flexcomp></body>\
         </worldbody></mujoco>",
    );
    let mass: f64 = sim.m.body_subtreemass[0];
    // pull at the far end of the rope
    let end = *sim.m.flex_vertbodyid.last().unwrap() as usize;
    for _ in 0..400 {
        sim.d.xfrc_applied[end][0] = 0.5;
        sim.steps(1);
    }
    sim.forward();
    // all of it is as fast as one body of this mass would be
    let expected = 0.5 * 2.0 / mass;
    close(sim.d.qvel[0], expected, 0.03 * expected);
    assert!(deformation(&sim).stretch < 0.01, "{:?}", deformation(&sim));
}

/// F9: a cloth that falls on its own other half lies on it
#[test]
fn cloth_collides_with_itself() {
    let folded = |selfcollide: &str| {
        let text = cloth("ligament:soft='cotton'", "<geom type='plane' size='2 2 .1'/>", "")
            .replace("selfcollide='none'", &format!("selfcollide='{selfcollide}'"))
            .replace("0 0 .6'", "0 0 .05'");
        let mut sim = Sim::new(&text);
        sim.forward();
        // the right half is folded over the left one
        for v in 0..121 {
            let column = v / 11;
            if column > 5 {
                let dof = 3 * v;
                let x = sim.d.flexvert_xpos[v][0];
                sim.d.qpos[dof] += -2.0 * x;
                sim.d.qpos[dof + 2] += 0.04;
            }
        }
        sim.steps(400);
        assert!(sim.d.qpos.iter().all(|x| x.is_finite()) && fastest(&sim) < 0.3, "{}", fastest(&sim));
        (66..121).map(|v| sim.d.flexvert_xpos[v][2]).fold(0.0, f64::max)
    };
    assert!(folded("auto") > 0.022, "{}", folded("auto"));
    assert!(folded("none") < 0.022, "{}", folded("none"));
}

/// F9: a soft flex that has come to rest falls asleep as a whole, is not touched any more, and wakes when something meets it
#[test]
fn soft_flexes_sleep() {
    let scene = "<geom type='plane' size='2 2 .1'/><body pos='0 0 .3' gravcomp='1'><freejoint/><geom size='.05' mass='.2'/></body>";
    let text = cloth("ligament:soft='cotton'", scene, "").replace("0 0 .6'", "0 0 .02'").replace(
        "<option timestep='.005'/>",
        "<option timestep='.005' sleep_tolerance='.01'><flag sleep='enable'/></option>",
    );
    let mut sim = Sim::new(&text);
    assert_eq!((sim.m.ntree, sim.d.ntree_awake), (122, 122));
    sim.steps(600);
    assert_eq!(sim.d.ntree_awake, 0);
    let asleep = sim.d.qpos.to_vec();
    sim.steps(50);
    assert!(sim.d.qpos.to_vec() == asleep && sim.d.qvel.iter().all(|v| *v == 0.0));
    assert_eq!((sim.d.ncon, sim.d.nefc), (0, 0));
    // the ball moves alone, until it arrives
    sim.d.qvel[2] = -1.0;
    sim.steps(10);
    assert!(sim.d.ntree_awake == 1 && sim.d.qpos[7..] == asleep[7..]);
    sim.steps(50);
    assert_eq!(sim.d.ntree_awake, 122);
    assert!(sim.d.qvel[2] > -0.5 && sim.d.qvel[6..].iter().any(|v| *v != 0.0));
    // a text without sleeping never lets it sleep
    let mut sim = Sim::new(&text.replace("enable", "disable"));
    sim.steps(600);
    assert!(sim.d.qvel[6..].iter().any(|v| *v != 0.0));
}

/// F9: a ball that fits between the vertices of a cloth lies on its triangles; it cannot roll away from there
#[test]
fn small_things_do_not_fall_through() {
    let ball = "<body name='ball' pos='.023 .012 .63'><joint type='slide' axis='0 0 1'/><geom type='sphere' size='.012' mass='.01'/></body>";
    let pins = "<pin gridrange='0 0 10 0'/><pin gridrange='0 10 10 10'/>";
    let mut sim = Sim::new(&cloth("ligament:soft='cotton'", ball, pins));
    sim.steps(400);
    let (z, below) =
        (0.63 + sim.d.qpos[0], sim.d.flexvert_xpos.iter().map(|x| x[2]).fold(f64::MAX, f64::min));
    assert!(z > below, "{z} {below}");
    let mut mean = 0.0;
    for _ in 0..200 {
        sim.steps(1);
        mean += sim.d.qfrc_constraint[0] / 200.0;
    }
    close(mean, 0.01 * 9.81, 0.005);
}

/// F9: the scenes of the benchmark stay together at a step of 5 ms (60 s of them: scripts/bench-soft)
#[test]
fn scenes_are_stable() {
    let _whole_program: fn() -> Result<(), Box<dyn std::error::Error>> = soft_scenes::main;
    for (name, seconds) in [("cloth", 1.5), ("rope", 5.0), ("cube", 5.0)] {
        let found = soft_scenes::simulate(name, seconds, None, 1).unwrap();
        assert!(found.time >= seconds && found.resets == 0, "{name}: {found:?}");
        let limits = if name == "cloth" { (0.3, 3.0) } else { (0.1, 0.01) };
        assert!(found.deformation.stretch < limits.0 && found.fastest < limits.1, "{name}: {found:?}");
    }
}

/// F9: worlds of a batch have the bits of a world alone, on any number of threads
#[test]
fn batches_of_soft_flexes() {
    let model = Sim::new(&cloth("ligament:soft='cotton'", SPHERE, "")).m;
    let push = |world: usize| 0.1 * world as f64;
    let alone: Vec<Vec<u64>> = (0..5)
        .map(|world| {
            let mut sim = Sim::new_of(&model);
            sim.d.qvel[2] = push(world);
            sim.steps(40);
            sim.d.qpos.iter().chain(sim.d.qvel.iter()).map(|x| x.to_bits()).collect()
        })
        .collect();
    assert_ne!(alone[0], alone[1]);
    for threads in [1, 2, 5] {
        let mut batch = Batch::new(model.clone(), 5, &Config { threads, ..Config::default() }).unwrap();
        (0..5).for_each(|world| batch.part_mut(world, "qvel").unwrap()[2] = push(world));
        batch.step(Select::All, 40, Stage::None).unwrap();
        for (world, alone) in alone.iter().enumerate() {
            let state = ["qpos", "qvel"].map(|name| batch.part(world, name).unwrap().to_vec()).concat();
            assert!(state.iter().map(|x| x.to_bits()).eq(alone.iter().copied()), "{threads} {world}");
        }
    }
}

/// F9: sweeps on several threads have the same bits
#[test]
fn threads_do_not_change_bits() {
    let text = "<mujoco><option timestep='.005'/><worldbody><flexcomp name='cloth' type='grid' count='150 150 1' \
                spacing='.02 .02 .02' dim='2' radius='.005' mass='.5' ligament:soft='cotton'><pin id='0'/>\
                <contact selfcollide='none' contype='0' conaffinity='0'/></flexcomp></worldbody></mujoco>";
    let mut sim = Sim::new(text);
    let start = sim.d.clone();
    let mut run = |sweeps: usize, threads: usize| {
        set_solver(&mut sim.m, XpbdSolver::new(sweeps)).unwrap();
        sim.d = start.clone();
        sim.d.threads = threads;
        sim.steps(3);
        sim.d.qpos.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    for sweeps in [1, 3] {
        let alone = run(sweeps, 1);
        assert!([2, 3, 5].into_iter().all(|threads| run(sweeps, threads) == alone));
    }
}

/// F9: rays see a soft flex where it is, and its state is the state of the model
#[test]
fn rays_and_states() {
    let mut sim = Sim::new(&cloth("ligament:soft='cotton'", SPHERE, ""));
    sim.steps(300);
    let saved = (sim.d.qpos.to_vec(), sim.d.qvel.to_vec(), sim.d.qacc_warmstart.to_vec());
    sim.forward();
    let ray = Ray { origin: [0.01, 0.012, 2.0], direction: [0.0, 0.0, -1.0] };
    let seen = FlexParts { layer: -1, faces: true, ..FlexParts::default() };
    let distance = ray_flex(&sim.m, &sim.d, 0, seen, &ray).expect("the ray meets the cloth").0.distance;
    close(2.0 - distance, 0.56, 0.02);
    // going on from a saved state is going on
    let mut other = Sim::new_of(&sim.m);
    other.d.qpos.copy_from_slice(&saved.0);
    other.d.qvel.copy_from_slice(&saved.1);
    other.d.qacc_warmstart.copy_from_slice(&saved.2);
    sim.steps(20);
    other.steps(20);
    assert_eq!(sim.d.qpos.to_vec(), other.d.qpos.to_vec());
}

/// F9: warm steps with soft flexes allocate nothing
#[test]
fn warm_steps_allocate_nothing() {
    for text in [cloth("ligament:soft='cotton'", SPHERE, ""), cube("foam", ""), ROPE.to_owned()] {
        let mut sim = Sim::new(&text);
        sim.steps(200);
        sim.reset();
        let before = allocations();
        sim.steps(200);
        assert_eq!(allocations(), before);
    }
}

/// F9: sweeps are counted as effort
#[test]
fn effort_is_limited() {
    let mut sim = Sim::new(&cloth("ligament:soft='cotton'", SPHERE, ""));
    sim.d.effort = 100_000;
    let message = step::step(&sim.m, &mut sim.d).unwrap_err().to_string();
    assert!(message.contains("100000"), "{message}");
}

/// F9: what is wrong or cannot be done is said with the flex
#[test]
fn bad_use_is_refused() {
    let message = ligament::load_model(&cloth("ligament:soft='jelly'", SPHERE, "")).unwrap_err().to_string();
    assert!(message.contains("there is no material \"jelly\"; materials are cotton, silk"), "{message}");
    let mut sim = Sim::new(&cloth("ligament:soft='silk'", SPHERE, ""));
    let silk = *Material::preset("silk").unwrap();
    for (bad, expected) in [
        (Material { young: f64::NAN, ..silk }, "Young's modulus is NaN"),
        (Material { poisson: 0.5, ..silk }, "Poisson's ratio is 0.5, it must be from 0 to less than 0.5"),
        (Material { bending: -1.0, ..silk }, "bending rigidity is -1"),
        (Material { friction: f64::INFINITY, ..silk }, "friction is inf"),
    ] {
        let message = soften(&mut sim.m, 0, &bad).unwrap_err().to_string();
        assert!(message.starts_with("soft (elasticity) of flex 0 \"cloth\": "), "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let message = soften(&mut sim.m, 3, &silk).unwrap_err().to_string();
    assert_eq!(message, "soft (elasticity) of flex 3: there is no such element; the model has 1");
    let message = clear_solver(&mut sim.m).unwrap_err().to_string();
    assert!(message.contains("flex 0 \"cloth\" is soft, only a position-based solver"), "{message}");
    let message = inverse::inverse(&sim.m, &mut sim.d).unwrap_err().to_string();
    assert!(message.contains("flex 0 \"cloth\"") && message.contains("inverse dynamics"), "{message}");
    set_solver(&mut sim.m, XpbdSolver::new(2).substeps(2)).unwrap();
    sim.m.opt.integrator = Integrator::Rk4 as i32;
    let message = step::step(&sim.m, &mut sim.d).unwrap_err().to_string();
    assert!(message.contains("xpbd") && message.contains("Runge-Kutta"), "{message}");
    clear_elasticity(&mut sim.m, 0).unwrap();
    clear_solver(&mut sim.m).unwrap();
    // interpolated flexes have no vertices of their own
    let text = cube("foam", "").replace("dim='3'", "dim='3' dof='trilinear'");
    let message = ligament::load_model(&text).unwrap_err().to_string();
    assert!(
        message.contains("soft (elasticity) of flex 0 \"cube\"") && message.contains("interpolated"),
        "{message}"
    );
}

/// F9: a soft flex survives saving
#[test]
fn soft_flexes_survive_saving() {
    let text = cloth("ligament:soft='silk'", SPHERE, "");
    let model = ligament::load_model(&text).unwrap();
    let restored = ligament::model_from_bytes(&model.to_bytes(), "cloth.lig").unwrap();
    let saved = ligament::write(&ligament::parse_mjcf_str(&text).unwrap()).unwrap();
    let again = ligament::load_model(&saved).unwrap();
    for other in [restored, again] {
        assert_eq!(other.parts.records(), model.parts.records());
        assert_eq!(other.parts.records()[0].slot, Slot::Elasticity);
        let (mut a, mut b) = (Sim::new_of(&model), Sim::new_of(&other));
        assert_eq!(a.steps(50).d.qpos.to_vec(), b.steps(50).d.qpos.to_vec());
    }
}
