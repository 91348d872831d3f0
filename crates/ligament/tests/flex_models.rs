//! Exchangeable models of bending and stretching (spec items 42B, 42C).

mod support;
use ligament::Model;
use ligament::enums::DisableBit;
use ligament::parts::{
    FlexForce, FlexShape, PartError, SimBuilder, Slot, clear_bending, set_bending, set_elasticity,
};
use ligament::sim::flex::dihedral::{Hinge, dihedral};
use ligament::sim::flex::{BridsonBending, NeoHookean};
use support::{Sim, all_close, close};

/// A 4×4 sheet of spacing 0.1.
fn sheet(name: &str, attributes: &str, elastic2d: &str, pos: &str) -> String {
    format!(
        "<flexcomp name='{name}' type='grid' count='4 4 1' spacing='.1 .1 .1' dim='2' radius='.005' mass='1' \
         pos='{pos}' {attributes}><contact contype='0' conaffinity='0' selfcollide='none'/>\
         <elasticity young='1e4' poisson='.3' thickness='.01' damping='.01' elastic2d='{elastic2d}'/></flexcomp>"
    )
}

fn world(content: &str) -> String {
    format!("<mujoco><option gravity='0 0 0'/><worldbody>{content}</worldbody></mujoco>")
}

/// The pose of the measured references: every vertex lifted by 0, 1 or 2 cm.
fn deform(sim: &mut Sim) {
    for i in 0..sim.m.nq / 3 {
        sim.d.qpos[3 * i + 2] = 0.01 * (i % 3) as f64;
    }
    sim.forward();
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn deformed(xml: &str) -> Sim {
    let mut sim = Sim::new(xml);
    deform(&mut sim);
    sim
}

const BRIDSON: &str = "ligament:bending_model='bridson'";
const NEO_HOOKEAN: &str = "ligament:elasticity_model='neo_hookean'";

/// C42B.1, C42C.1: the default models have the forces of the reference
#[test]
fn default_models_agree_with_the_reference() {
    for (elastic2d, expected) in
        [("bend", 0.04861240253755593), ("stretch", 0.3067942498212319), ("both", 0.331443751252128)]
    {
        let sim = deformed(&world(&sheet("s", "", elastic2d, "0 0 0")));
        close(norm(&sim.d.qfrc_spring), expected, 1e-12);
    }
    let sim = deformed(&world(&sheet("s", "", "bend", "0 0 0")));
    close(sim.d.qfrc_spring[17], -0.023076923076923085, 1e-14);
}

/// C42B.1, C42C.1, C42B.8: chosen by type, they do what the step does, bit for bit (what it costs:
/// `benches/ratios.rs`)
#[test]
fn choosing_by_type_changes_nothing() {
    for elastic2d in ["bend", "stretch", "both"] {
        let mut sim = deformed(&world(&sheet("s", "", elastic2d, "0 0 0")));
        let mut chosen = SimBuilder::new().build(sim.m.clone()).unwrap();
        for (i, v) in sim.d.qvel.iter_mut().enumerate() {
            *v = 0.1 * (i % 5) as f64;
        }
        chosen.data.qpos.copy_from_slice(&sim.d.qpos);
        chosen.data.qvel.copy_from_slice(&sim.d.qvel);
        sim.forward();
        chosen.forward().unwrap();
        assert!(norm(&sim.d.qfrc_spring) > 0.01, "there is something to compare: {elastic2d}");
        assert_eq!(sim.d.qfrc_spring, chosen.data.qfrc_spring, "{elastic2d}");
        assert_eq!(sim.d.qfrc_damper, chosen.data.qfrc_damper, "{elastic2d}");
        assert_eq!(sim.d.qacc, chosen.data.qacc, "{elastic2d}");
    }
}

/// The hinges that the dihedral model makes of a flex.
fn hinges(m: &Model) -> Vec<Hinge> {
    let rest = Sim::new_of(m).d.flexvert_xpos.to_vec();
    let fitted = BridsonBending::default()
        .fitted(Slot::Bending, &FlexShape { model: m, flex: 0, rest: &rest })
        .unwrap();
    fitted.hinges().to_vec()
}

fn bending_energy(hinges: &[Hinge], positions: &[[f64; 3]]) -> f64 {
    let energy = |hinge: &Hinge| {
        let (angle, _) = dihedral(&hinge.vertices.map(|v| positions[v])).unwrap();
        0.5 * hinge.stiffness * (angle - hinge.rest).powi(2)
    };
    hinges.iter().map(energy).sum()
}

/// C42B.2: the dihedral model is chosen by its attribute; its force is minus the gradient of its energy
#[test]
fn dihedral_force_is_the_gradient_of_its_energy() {
    let mut sim = deformed(&world(&sheet("s", BRIDSON, "bend", "0 0 0")));
    assert_eq!(sim.m.parts.bending(0).unwrap().part.name(), "bridson");
    let hinges = hinges(&sim.m);
    assert_eq!(hinges.len(), 21);
    let force = sim.d.qfrc_spring.clone();
    assert!(norm(&force) > 0.01);
    let slopes = sim.slopes(1e-6, |sim| bending_energy(&hinges, &sim.d.flexvert_xpos));
    for (f, slope) in force.iter().zip(&slopes) {
        close(*f, -slope, 1e-7);
    }
}

/// C42B.2: for small angles the two models agree
#[test]
fn bending_models_agree_for_small_angles() {
    let forces = ["", BRIDSON].map(|attribute| {
        let mut sim = Sim::new(&world(&sheet("s", attribute, "bend", "0 0 0")));
        for i in 0..16 {
            sim.d.qpos[3 * i + 2] = 1e-5 * (i % 3) as f64;
        }
        sim.forward();
        sim.d.qfrc_spring.clone()
    });
    let difference: Vec<f64> = forces[0].iter().zip(&forces[1]).map(|(a, b)| a - b).collect();
    assert!(norm(&difference) < 1e-3 * norm(&forces[0]), "{} {}", norm(&difference), norm(&forces[0]));
}

/// C42B.3 (corrected): both models stay stable at a Young's modulus of 1e4 with steps of 10 ms
#[test]
fn stiff_sheets_stay_stable() {
    for attribute in ["", BRIDSON] {
        let mut sim = Sim::new(&world(&sheet("s", attribute, "bend", "0 0 0")));
        sim.m.opt.timestep = 0.01;
        for (i, x) in sim.d.qpos.iter_mut().enumerate() {
            *x = 1e-4 * ((i * 7 % 11) as f64 - 5.0);
        }
        sim.steps(500);
        assert!(sim.d.qpos.iter().all(|x| x.abs() < 0.1), "{attribute}: {:?}", sim.d.qpos);
    }
}

/// C42B.2: the force on a vertex is limited to a turn of one radian in a step
#[test]
fn dihedral_forces_are_limited() {
    let mut sim = Sim::new(&world(&sheet("s", BRIDSON, "bend", "0 0 0").replace("1e4", "1e12")));
    sim.m.opt.timestep = 0.01;
    sim.d.qpos[3 * 5 + 2] = 0.05;
    sim.forward();
    let mut limit = [0.0; 16];
    for hinge in &hinges(&sim.m) {
        let (_, direction) = dihedral(&hinge.vertices.map(|v| sim.d.flexvert_xpos[v])).unwrap();
        for (v, u) in hinge.vertices.into_iter().zip(direction) {
            let invweight = sim.m.body_invweight0[sim.m.flex_vertbodyid[v] as usize][0];
            limit[v] += 1.0 / (0.01 * 0.01 * norm(&u) * invweight);
        }
    }
    for (force, limit) in sim.d.qfrc_spring.chunks(3).zip(limit) {
        assert!(norm(force) <= limit * (1.0 + 1e-12), "{force:?} {limit}");
    }
    assert!(norm(&sim.d.qfrc_spring) > 100.0);
    sim.steps(100);
    assert!(sim.d.qpos.iter().all(|x| x.is_finite()));
}

/// C42B.6: the type of bending changes forces, and nothing before them
#[test]
fn bending_type_changes_forces_only() {
    let mut sim = deformed(&world(&sheet("s", "", "both", "0 0 0")));
    let before = (sim.d.qfrc_spring.clone(), sim.d.flexedge_length.clone(), sim.d.flexvert_xpos.clone());
    set_bending(&mut sim.m, 0, BridsonBending::default()).unwrap();
    sim.forward();
    assert_eq!((&sim.d.flexedge_length, &sim.d.flexvert_xpos), (&before.1, &before.2));
    assert_ne!(sim.d.qfrc_spring, before.0);
    clear_bending(&mut sim.m, 0).unwrap();
    sim.forward();
    assert_eq!(sim.d.qfrc_spring, before.0);
}

/// C42B.7, C42C.4: flexes with different models in one world have the forces they have alone
#[test]
fn models_can_be_mixed() {
    let attributes = ["", BRIDSON, NEO_HOOKEAN];
    let one = |k: usize| sheet(&format!("s{k}"), attributes[k], "both", &format!("{k} 0 0"));
    let pose = |qpos: &mut [f64]| {
        for (i, x) in qpos.iter_mut().enumerate() {
            *x = 0.001 * (i % 48 * 5 % 7) as f64;
        }
    };
    let mut together = Sim::new(&world(&format!("{}{}{}", one(0), one(1), one(2))));
    pose(&mut together.d.qpos);
    together.forward();
    for k in 0..3 {
        let mut alone = Sim::new(&world(&one(k)));
        pose(&mut alone.d.qpos);
        alone.forward();
        all_close(&together.d.qfrc_spring[48 * k..48 * (k + 1)], &alone.d.qfrc_spring, 1e-10);
        assert!(norm(&alone.d.qfrc_spring) > 0.01);
    }
}

fn solid(attributes: &str, poisson: f64, children: &str) -> String {
    format!(
        "<mujoco><option timestep='.0005'/><worldbody><flexcomp name='s' type='grid' count='3 3 3' \
         spacing='.1 .1 .1' dim='3' radius='.005' mass='1' {attributes}>{children}\
         <contact contype='0' conaffinity='0' selfcollide='none'/>\
         <elasticity young='1e4' poisson='{poisson}' damping='.005'/></flexcomp></worldbody></mujoco>"
    )
}

fn volume(sim: &Sim) -> f64 {
    let x = &sim.d.flexvert_xpos;
    let tetrahedron = |corners: &[i32]| {
        let side = |i: usize| -> [f64; 3] {
            std::array::from_fn(|k| x[corners[i] as usize][k] - x[corners[0] as usize][k])
        };
        let (a, b, c) = (side(1), side(2), side(3));
        let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        (cross[0] * c[0] + cross[1] * c[1] + cross[2] * c[2]) / 6.0
    };
    sim.m.flex_elem.chunks(4).map(tetrahedron).sum()
}

/// C42C.2: a Neo-Hookean solid hangs from its upper layer, stretched, of nearly the same volume near ν = ½
#[test]
fn neo_hookean_solid() {
    let pins = "<pin gridrange='0 0 2 2 2 2'/>";
    let mut sim = Sim::new(&solid(NEO_HOOKEAN, 0.45, pins));
    assert_eq!(sim.m.parts.elasticity(0).unwrap().part.name(), "neo_hookean");
    sim.forward();
    let rest = volume(&sim);
    close(rest.abs(), 0.008, 1e-12);
    sim.steps(2000);
    let lowest = sim.d.flexvert_xpos.iter().map(|x| x[2]).fold(f64::INFINITY, f64::min);
    assert!(lowest < -0.1005 && lowest > -0.2, "{lowest}");
    close(volume(&sim) / rest, 1.0, 0.02);
}

/// C42C.3: a Neo-Hookean sheet that hangs from two sides is under tension
#[test]
fn neo_hookean_sheet() {
    let pins = "<pin gridrange='0 0 0 3'/><pin gridrange='3 0 3 3'/>";
    let xml =
        world(&sheet("s", NEO_HOOKEAN, "stretch", "0 0 0").replace("<contact", &format!("{pins}<contact")))
            .replace("0 0 0'/>", "0 0 -9.81' timestep='.001'/>");
    let mut sim = Sim::new(&xml);
    sim.steps(500);
    assert!(sim.d.qpos.iter().all(|x| x.is_finite() && x.abs() < 0.3));
    let in_plane: f64 = sim.d.qfrc_spring.chunks(3).map(|f| f[0].abs() + f[1].abs()).sum();
    assert!(in_plane > 0.1, "{in_plane}");
}

/// C42C.2: flattened and inverted elements give finite forces
#[test]
fn inverted_elements_recover() {
    let mut sim = Sim::new(&solid(NEO_HOOKEAN, 0.3, ""));
    sim.m.opt.gravity = [0.0; 3];
    sim.forward();
    let rest = volume(&sim);
    sim.d.qpos[3 * 13] = 0.15;
    sim.forward();
    assert!(sim.d.qfrc_spring.iter().all(|f| f.is_finite()));
    assert!(sim.d.qfrc_spring[3 * 13] < 0.0);
    sim.steps(4000);
    close(volume(&sim) / rest, 1.0, 0.01);
}

const TETRAHEDRON: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.02, 0.12, 0.0], [0.03, 0.01, 0.09]];

/// Forces on the free vertices of one tetrahedron under the deformation x → F x.
fn tetrahedron_forces(f: &[[f64; 3]; 3]) -> Vec<f64> {
    let mut sim = Sim::new(
        "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='t' type='direct' dim='3' radius='.001' mass='1' \
         point='0 0 0  .1 0 0  .02 .12 0  .03 .01 .09' element='0 1 2 3'>\
         <elasticity young='1e4' poisson='.3'/></flexcomp></worldbody></mujoco>",
    );
    set_elasticity(&mut sim.m, 0, NeoHookean::default()).unwrap();
    for (v, x) in TETRAHEDRON.iter().enumerate() {
        for r in 0..3 {
            let moved: f64 = (0..3).map(|c| f[r][c] * x[c]).sum();
            sim.d.qpos[3 * v + r] = moved - x[r];
        }
    }
    sim.forward();
    sim.d.qfrc_spring.to_vec()
}

/// St. Venant-Kirchhoff forces with textbook constants: −V P Dm⁻ᵀ, P = F (2μE + λ tr E).
fn textbook_forces(f: &[[f64; 3]; 3]) -> Vec<f64> {
    let (mu, lambda) = (1e4 / 2.6, 1e4 * 0.3 / (1.3 * 0.4));
    let mut e = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            let square: f64 = (0..3).map(|k| f[k][i] * f[k][j]).sum();
            e[i][j] = 0.5 * (square - f64::from(u8::from(i == j)));
        }
    }
    let trace = e[0][0] + e[1][1] + e[2][2];
    let s = |i: usize, j: usize| 2.0 * mu * e[i][j] + if i == j { lambda * trace } else { 0.0 };
    let p = |r: usize, c: usize| (0..3).map(|k| f[r][k] * s(k, c)).sum::<f64>();
    // rows of Dm⁻¹ times the volume: a third of the normals of the opposite faces, inwards
    let [_, a, b, c] = TETRAHEDRON;
    let cross = |u: [f64; 3], v: [f64; 3]| {
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    let normals = [cross(b, c), cross(c, a), cross(a, b)].map(|n| n.map(|x| x / 6.0));
    let mut forces = vec![0.0; 12];
    for (v, normal) in normals.iter().enumerate() {
        for r in 0..3 {
            let force: f64 = -(0..3).map(|k| p(r, k) * normal[k]).sum::<f64>();
            forces[3 * (v + 1) + r] += force;
            forces[r] -= force;
        }
    }
    forces
}

/// C42C.5 (against the textbook energy): at 1% strain the models agree within 5%
#[test]
fn small_strains_agree_with_the_textbook() {
    let uniaxial = [[1.01, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let isotropic = [[1.01, 0.0, 0.0], [0.0, 1.01, 0.0], [0.0, 0.0, 1.01]];
    let shear = [[1.0, 0.02, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for f in [uniaxial, isotropic, shear] {
        let (found, expected) = (tetrahedron_forces(&f), textbook_forces(&f));
        let difference: Vec<f64> = found.iter().zip(&expected).map(|(a, b)| a - b).collect();
        assert!(norm(&difference) < 0.05 * norm(&expected), "{found:?}\n{expected:?}");
        assert!(norm(&expected) > 0.01);
    }
}

/// C42C.4: explicit constants replace those of the flex
#[test]
fn explicit_constants() {
    let mut sim = deformed(&world(&sheet("s", NEO_HOOKEAN, "stretch", "0 0 0")));
    let soft = sim.d.qfrc_spring.clone();
    let (mu, lambda) = sim.m.flex_model(0).unwrap().material.unwrap().lame();
    set_elasticity(&mut sim.m, 0, NeoHookean::new(3.0 * mu, 3.0 * lambda)).unwrap();
    sim.forward();
    for (a, b) in sim.d.qfrc_spring.iter().zip(&soft) {
        close(*a, 3.0 * b, 1e-12);
    }
    // spring and damper flags apply to both alternative models
    sim.disable(DisableBit::Spring).forward();
    assert!(sim.d.qfrc_spring.iter().all(|f| *f == 0.0));
}

/// C42B.2, C42C.2: models that do not fit a flex are refused
#[test]
fn misfits_are_refused() {
    let refusal = |result: Result<(), PartError>| result.unwrap_err().to_string();
    let mut sheet = Sim::new(&world(&sheet("s", "", "both", "0 0 0"))).m;
    assert_eq!(
        refusal(set_bending(&mut sheet, 1, BridsonBending::default())),
        "bridson (bending) of flex 1: there is no such element; the model has 1"
    );
    assert_eq!(
        refusal(set_elasticity(&mut sheet, 0, NeoHookean::new(f64::NAN, 1.0))),
        "neo_hookean (elasticity) of flex 0 \"s\": its parameter 0 is NaN"
    );
    let mut solid = Sim::new(&solid("", 0.3, "")).m;
    assert_eq!(
        refusal(set_bending(&mut solid, 0, BridsonBending::default())),
        "bridson (bending) of flex 0 \"s\": the flex is not a surface with a thickness"
    );
    let rope = "<flexcomp name='r' type='grid' count='4 1 1' spacing='.1 .1 .1' dim='1' radius='.005'/>";
    let mut rope = Sim::new(&world(rope)).m;
    assert_eq!(
        refusal(set_elasticity(&mut rope, 0, NeoHookean::default())),
        "neo_hookean (elasticity) of flex 0 \"r\": the flex has no elements of its own: it is one-dimensional or \
         interpolated"
    );
    let bad = world("<flexcomp name='r' type='grid' count='4 1 1' dim='1' ligament:bending_model='cubic'/>");
    assert!(ligament::load_model(&bad).is_err());
}
