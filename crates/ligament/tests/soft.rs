//! Soft flexes: ropes, cloth and solids by position-based dynamics (spec item 9).

mod support;
use ligament::parts::set_solver;
use ligament::sim::solver::XpbdSolver;
use ligament::soft::{Material, soften};
use support::{Sim, close};

fn cloth(attributes: &str, scene: &str, children: &str) -> String {
    format!(
        "<mujoco><option timestep='.005'/><worldbody>{scene}<flexcomp name='cloth' type='grid' count='11 11 1' \
         spacing='.05 .05 .05' dim='2' radius='.01' mass='.2' pos='0 0 .6' {attributes}>\
         <contact selfcollide='none'/>{children}</flexcomp></worldbody></mujoco>"
    )
}

const SPHERE: &str =
    "<geom name='ball' type='sphere' size='.2' pos='0 0 .35'/><geom type='plane' size='2 2 .1'/>";

/// Largest stretch of an edge, relative to its length.
fn stretch(sim: &Sim) -> f64 {
    let ratio =
        sim.d.flexedge_length.iter().zip(sim.m.flexedge_length0.iter()).map(|(now, rest)| now / rest - 1.0);
    ratio.fold(0.0, f64::max)
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

/// F9.2: edges keep their length after contacts were resolved, stiff materials better than soft ones
#[test]
fn edges_hold_on_a_sphere() {
    for (material, bound) in [("cotton", 0.15), ("silk", 0.15), ("membrane", 0.3)] {
        let mut sim = Sim::new(&cloth(&format!("ligament:soft='{material}'"), SPHERE, ""));
        sim.steps(600);
        assert!(stretch(&sim) < bound, "{material}: {}", stretch(&sim));
    }
}

/// F9.1: a box on a pinned sheet is carried with its weight, as by a plane
#[test]
fn a_pinned_sheet_carries_a_box() {
    let scene = "<body name='box' pos='0 0 .72'><freejoint/><geom name='box' type='box' size='.1 .1 .1' mass='1'/></body>";
    let pins = "<pin gridrange='0 0 10 10'/>";
    let mut sim = Sim::new(&cloth("ligament:soft='cotton'", scene, pins));
    sim.steps(600);
    // sweeps end before all contacts share the weight: what they carry together trembles around it
    let carried = (0..400).map(|_| {
        sim.steps(1);
        sim.d.qfrc_constraint[2]
    });
    close(carried.sum::<f64>() / 400.0, 9.81, 1e-2);
    let mut plane = Sim::new(
        "<mujoco><option timestep='.005' ligament:solver='xpbd' ligament:solver_params='20'/><worldbody>\
         <geom type='plane' size='1 1 .1' pos='0 0 .61'/><body pos='0 0 .72'><freejoint/>\
         <geom type='box' size='.1 .1 .1' mass='1'/></body></worldbody></mujoco>",
    );
    plane.steps(600);
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

/// F9.5: without soft flexes there is nothing of it: no part, no row, the same flex as MuJoCo's
#[test]
fn no_soft_flex_no_cost() {
    let plain = Sim::new(&cloth("", SPHERE, ""));
    assert!(plain.m.parts.is_default() && plain.m.neq == 0);
    assert!(plain.m.flex_model(0).unwrap().edge_compliance.is_none());
    let soft = Sim::new(&cloth("ligament:soft='cotton'", SPHERE, ""));
    assert_eq!(
        (soft.m.neq, soft.m.parts.solver().map(|x| x.name().to_owned())),
        (1, Some("xpbd".to_owned()))
    );
}

/// F9.7: a rope holds a box that is attached to it
#[test]
fn a_rope_holds_a_box() {
    let xml = "<mujoco><option timestep='.005'/><worldbody>\
         <flexcomp name='rope' type='grid' count='20 1 1' spacing='.05 .05 .05' dim='1' radius='.01' mass='.5' \
         pos='0 0 2' euler='0 90 0' ligament:soft='rope'><contact selfcollide='none' contype='0' conaffinity='0'/><pin id='0'/></flexcomp>\
         <body name='box' pos='0 0 1.475'><freejoint/><geom type='box' size='.05 .05 .05' mass='.5' contype='0' conaffinity='0'/></body></worldbody>\
         <equality><connect body1='box' body2='rope_19' anchor='0 0 .05'/></equality></mujoco>";
    let mut sim = Sim::new(xml);
    set_solver(&mut sim.m, XpbdSolver::new(40)).unwrap();
    sim.steps(1000);
    assert!(stretch(&sim) < 0.1, "{}", stretch(&sim));
    assert!(sim.d.qpos.iter().all(|x| x.is_finite()) && fastest(&sim) < 1.0, "{}", fastest(&sim));
}

/// F9: what is wrong is said with the flex
#[test]
fn bad_materials_are_refused() {
    let message = ligament::load_model(&cloth("ligament:soft='jelly'", SPHERE, "")).unwrap_err().to_string();
    assert!(message.contains("there is no material \"jelly\"; materials are cotton, silk"), "{message}");
    let mut plain = Sim::new(&cloth("", SPHERE, ""));
    let message = soften(&mut plain.m, 0, Material::preset("silk").unwrap()).unwrap_err().to_string();
    assert_eq!(
        message,
        "silk (elasticity) of flex 0 \"cloth\": its edges have no rows: give the flex an equality (<edge equality=\"true\">)"
    );
    let bad = Material { young: f64::NAN, ..*Material::preset("silk").unwrap() };
    assert!(soften(&mut plain.m, 0, &bad).unwrap_err().to_string().contains("Young's modulus"));
}

/// F9: a soft flex survives saving
#[test]
fn soft_flexes_survive_saving() {
    let text = cloth("ligament:soft='silk'", SPHERE, "");
    let model = ligament::load_model(&text).unwrap();
    let restored = ligament::model_from_bytes(&model.to_bytes(), "cloth.lig").unwrap();
    assert_eq!(restored.flex_model(0), model.flex_model(0));
    assert_eq!(restored.parts.records(), model.parts.records());
    let saved = ligament::write(&ligament::parse_mjcf_str(&text).unwrap()).unwrap();
    let again = ligament::load_model(&saved).unwrap();
    assert_eq!(again.flex_model(0), model.flex_model(0));
}
