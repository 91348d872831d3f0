//! Contact Jacobians and the solver setting (spec items 2 of model fidelity, 3 of foundations, 37).

mod support;
use ligament::enums::SolverType;
use ligament::{compile, mjcf_text, parse_mjcf_str};
use support::{Sim, all_close, close};

/// A sphere that touches the floor at the end of two hinges and a ball joint.
fn touching(condim: usize) -> Sim {
    let mut sim = Sim::new(&format!(
        "<mujoco><option cone='elliptic' jacobian='dense'/><worldbody><geom type='plane' size='3 3 1' condim='1'/>\
         <body pos='0 0 .5'><joint axis='0 1 .2'/><geom size='.05' contype='0' conaffinity='0'/><body pos='.4 0 -.4'>\
         <joint axis='.3 0 1' pos='.1 0 0'/><geom size='.05' contype='0' conaffinity='0'/><body>\
         <joint type='ball' pos='0 .02 0'/><geom size='.1' pos='.02 0 0' condim='{condim}'/></body></body></body></worldbody></mujoco>"
    ));
    sim.d.qpos.copy_from_slice(&[0.05, -0.2, 0.9, 0.1, -0.3, 0.2]);
    sim.forward();
    assert_eq!((sim.d.ncon, sim.d.nefc), (1, condim));
    sim
}

/// Rotation of the last body, in world axes, by a small step along one dof, divided by the step.
fn measured_rotation(sim: &mut Sim, dof: usize) -> [f64; 3] {
    const EPS: f64 = 1e-7;
    let base = sim.d.qpos.clone();
    let before = sim.d.xmat[3];
    let mut velocity = vec![0.0; sim.m.nv];
    velocity[dof] = EPS;
    ligament::sim::support::integrate_pos(&sim.m, &mut sim.d.qpos, &velocity, 1.0);
    sim.forward();
    let after = sim.d.xmat[3];
    sim.d.qpos.copy_from_slice(&base);
    sim.forward();
    // the antisymmetric part of R(q + ε) R(q)ᵀ
    let product = |r: usize, c: usize| (0..3).map(|k| after[3 * r + k] * before[3 * c + k]).sum::<f64>();
    [(2, 1), (0, 2), (1, 0)].map(|(r, c)| (product(r, c) - product(c, r)) / (2.0 * EPS))
}

/// M2.14: the fourth row of a contact is the relative spin about the normal
/// M2.15: the fifth and sixth are the rolling about the two tangents
#[test]
fn angular_rows_of_contacts() {
    for condim in [4, 6] {
        let mut sim = touching(condim);
        let (frame, jacobian, nv) = (sim.d.contact[0].frame, sim.d.efc_J.clone(), sim.m.nv);
        let mut largest: f64 = 0.0;
        for dof in 0..nv {
            let rotation = measured_rotation(&mut sim, dof);
            for row in 3..condim {
                let axis = &frame[3 * (row - 3)..3 * (row - 2)];
                let numeric: f64 = (0..3).map(|k| axis[k] * rotation[k]).sum();
                let exact = jacobian[row * nv + dof];
                assert!(
                    (numeric - exact).abs() < 1e-4 * exact.abs().max(1e-2),
                    "{row} {dof}: {numeric} {exact}"
                );
                largest = largest.max(exact.abs());
            }
        }
        assert!(largest > 0.5);
    }
}

/// F3.10: the solver is what the file says, also after saving and loading
#[test]
fn solver_of_the_file() {
    for (name, solver) in [("PGS", SolverType::Pgs), ("CG", SolverType::Cg), ("Newton", SolverType::Newton)] {
        let spec = parse_mjcf_str(&format!("<mujoco><option solver='{name}'/></mujoco>")).unwrap();
        let model = compile(&spec, &ligament::NoAssets).unwrap();
        assert_eq!(model.opt.solver, solver as i32);
        let saved = mjcf_text(&spec, &model).unwrap();
        assert_eq!(ligament::load_model(&saved).unwrap().opt.solver, solver as i32, "{saved}");
    }
    assert_eq!(ligament::load_model("<mujoco/>").unwrap().opt.solver, SolverType::Newton as i32);
}

/// Two hinged rods whose angles are tied by a tendon equality.
fn tied_rods(gravity: f64, equality: &str) -> Sim {
    let rod = "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.02' contype='0'/>";
    Sim::new(&format!(
        "<mujoco><option gravity='0 0 {gravity}'/><worldbody><body><joint name='a' axis='0 1 0'/>{rod}</body>\
         <body pos='0 1 0'><joint name='b' axis='0 1 0'/>{rod}</body></worldbody>\
         <tendon><fixed name='t1'><joint joint='a' coef='1'/></fixed><fixed name='t2'><joint joint='b' coef='1'/></fixed></tendon>\
         <equality><tendon tendon1='t1' {equality}/></equality></mujoco>"
    ))
}

/// A37.8: stiffer references pull faster, larger impedance yields less (numbers from MuJoCo 3.5.0)
#[test]
fn parameters_of_tendon_equalities() {
    for (solref, violation) in [(".02 1", 0.07681781169332985), (".005 1", 0.0017565398901323442)] {
        let mut sim = tied_rods(0.0, &format!("tendon2='t2' solref='{solref}'"));
        sim.d.qpos[0] = 0.2;
        sim.steps(20);
        close(sim.d.qpos[0] - sim.d.qpos[1], violation, 1e-12);
    }
    for (solimp, sag) in [(".9 .95", 0.000941071883841525), (".1 .2", 0.014940707968273383)] {
        let mut sim = tied_rods(-9.81, &format!("solimp='{solimp}'"));
        close(sim.steps(1000).d.qpos[0], sag, 1e-10);
    }
}

/// A37.D3: the trees that a tendon touches
#[test]
fn trees_of_tendons() {
    let m = tied_rods(0.0, "tendon2='t2'").m;
    assert_eq!(m.tendon_treenum, [1, 1]);
    assert_eq!(m.tendon_treeid, [[0, -1], [1, -1]]);
    let both = Sim::new(
        "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/></body><body pos='1 0 0'><joint name='b'/><geom size='.1'/></body>\
         </worldbody><tendon><fixed><joint joint='a' coef='1'/><joint joint='b' coef='1'/></fixed></tendon></mujoco>",
    );
    assert_eq!((both.m.tendon_treenum[0], both.m.tendon_treeid[0]), (2, [0, 1]));
    all_close(&both.m.tendon_length0, &[0.0], 0.0);
}

/// F3.7: a solve that ran out of iterations says so, one that reached its tolerance as well; without constraints there
/// is nothing to reach
#[test]
fn unfinished_solves_can_be_told() {
    use ligament::prelude::Simulate;
    for (boxes, contacts) in [(3, 12), (10, 40)] {
        let stack: String = (0..boxes)
            .map(|i| {
                let height = 0.0499 + 0.0998 * f64::from(i);
                format!("<body pos='0 0 {height}'><freejoint/><geom type='box' size='.05 .05 .05' mass='1'/></body>")
            })
            .collect();
        for solver in ["PGS", "CG", "Newton"] {
            for (limits, expected) in
                [("iterations='1' tolerance='1e-15'", false), ("iterations='3000' tolerance='1e-8'", true)]
            {
                let mut sim = Sim::new(&format!(
                    "<mujoco><option solver='{solver}' {limits}/><worldbody><geom type='plane' size='2 2 1'/>{stack}\
                     </worldbody></mujoco>"
                ));
                sim.forward();
                assert_eq!(sim.d.ncon, contacts);
                assert_eq!(sim.d.converged(&sim.m), expected, "{solver}, {boxes} boxes, {limits}");
            }
        }
    }
    let mut free =
        Sim::new("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    assert!(free.forward().d.nefc == 0 && free.d.converged(&free.m));
}

/// Where nothing touches there are no cones: the bits are those of pyramids, which are MuJoCo's.
#[test]
fn without_contacts_the_kind_of_cone_changes_no_bit() {
    let link = |inner: &str| {
        format!(
            "<body pos='.3 0 0'><joint axis='0 1 .2' range='-40 20' frictionloss='.1'/>\
             <geom type='capsule' fromto='0 0 0 .25 .01 0' size='.03'/>{inner}</body>"
        )
    };
    let run = |cone: &str, jacobian: &str| {
        let mut sim = Sim::new(&format!(
            "<mujoco><option cone='{cone}' jacobian='{jacobian}'><flag contact='disable'/></option><worldbody>{}\
             </worldbody></mujoco>",
            link(&link(&link(&link(""))))
        ));
        let mut rows = 0;
        for _ in 0..100 {
            sim.steps(1);
            rows += sim.d.nefc;
        }
        assert!(rows > 400, "friction and limits: {rows} rows");
        sim.d.qpos.iter().chain(&sim.d.qvel).map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    for jacobian in ["dense", "sparse"] {
        assert_eq!(run("elliptic", jacobian), run("pyramidal", jacobian), "{jacobian}");
    }
}
