//! Integrators, factors of the inertia matrix, allocation (spec items 2, 7, 8).

mod support;
use ligament::enums::{DisableBit, EnableBit, Integrator, Timer};
use ligament::sim::inertia;
use support::allocations::{Counting, allocations};
use support::{Sim, all_close, close};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MIXED: &str = "<mujoco><option timestep='.002'/><worldbody><body pos='0 0 3'><freejoint/><geom size='.1'/>\
    <body pos='.3 0 0'><joint type='ball' damping='.1'/><geom type='capsule' size='.05 .1'/><body pos='.3 0 0'>\
    <joint axis='0 1 0' stiffness='3' damping='.2'/><geom type='box' size='.1 .05 .02'/></body></body>\
    <body pos='-.3 0 0'><joint name='j' axis='1 0 0' armature='.1'/><joint type='slide' axis='0 0 1'/>\
    <geom type='ellipsoid' size='.1 .05 .02'/><site name='s'/></body></body></worldbody>\
    <actuator><motor joint='j'/><position joint='j' kp='5' timeconst='.1'/></actuator></mujoco>";

/// F2.1, F2.5: the sparse solve is the inverse of the full matrix
#[test]
fn solve_is_inverse() {
    let hinge = "<joint axis='0 1 0'/><geom size='.1' pos='.2 .1 0'/>";
    let ball = "<joint type='ball'/><geom size='.1' pos='.2 .1 0'/>";
    let wrap = |inner: &str| format!("<mujoco><worldbody>{inner}</worldbody></mujoco>");
    let trees = [
        wrap(&format!("<body>{hinge}</body>")),
        wrap(&format!("<body>{hinge}<body pos='1 0 0'>{hinge}</body></body>")),
        wrap(&format!(
            "<body>{hinge}<body pos='1 0 0'>{hinge}</body><body pos='0 1 0'>{hinge}</body></body>"
        )),
        wrap(&format!("<body>{ball}<body pos='1 0 0'>{ball}</body></body>")),
        MIXED.to_string(),
    ];
    for (xml, nv) in trees.iter().zip([1, 2, 3, 6, 12]) {
        let mut sim = Sim::new(xml);
        assert_eq!(sim.m.nv, nv);
        for (i, v) in (0..nv).map(|i| (i, 0.1 + 0.2 * i as f64)).collect::<Vec<_>>() {
            sim.d.qvel[i] = v;
        }
        sim.steps(5).forward();
        let mut full = vec![0.0; nv * nv];
        inertia::full_m(&sim.m, &mut full, &sim.d.qM);
        let x: Vec<f64> = (0..nv).map(|i| (i as f64 + 1.0).sin()).collect();
        let y: Vec<f64> = (0..nv).map(|r| (0..nv).map(|c| full[r * nv + c] * x[c]).sum()).collect();
        let mut product = vec![0.0; nv];
        inertia::mul_m(&sim.m, &sim.d, &mut product, &x);
        all_close(&product, &y, 1e-12);
        let mut solved = vec![0.0; nv];
        inertia::solve_m(&sim.m, &sim.d, &mut solved, &y);
        all_close(&solved, &x, 1e-12);
    }
}

/// F2.3, F2.6: a warm step allocates nothing, with any integrator
/// F1.2: in particular no matrix of the implicit ones
/// F8.7: Runge-Kutta neither
#[test]
fn warm_steps_do_not_allocate() {
    for integrator in 0..4 {
        let mut sim = Sim::new(MIXED);
        sim.m.opt.integrator = integrator;
        sim.m.opt.density = 1.2;
        sim.m.opt.enableflags |= EnableBit::Energy as i32;
        sim.d.ctrl[1] = 0.3;
        sim.steps(3);
        let before = allocations();
        sim.steps(100);
        assert_eq!(allocations() - before, 0, "integrator {integrator}");
    }
}

/// F1.4: nor do the solvers of constraints, with their dense and sparse factors
#[test]
fn warm_solvers_do_not_allocate() {
    let boxes: String = (0..3)
        .map(|i| {
            format!(
                "<body pos='0 0 {}'><freejoint/><geom type='box' size='.1 .1 .1' condim='{}'/></body>",
                0.099 + 0.198 * f64::from(i),
                [3, 4, 6][i as usize]
            )
        })
        .collect();
    for (solver, cone, jacobian) in (0..12).map(|i| (i / 4, i / 2 % 2, i % 2)) {
        let mut sim = Sim::new(&format!(
            "<mujoco><worldbody><geom type='plane' size='2 2 1'/>{boxes}<body pos='1 0 1'><joint axis='0 1 0' range='-1 1' \
             frictionloss='.1'/><geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>"
        ));
        (sim.m.opt.solver, sim.m.opt.cone, sim.m.opt.jacobian) = (solver, cone, jacobian);
        sim.m.opt.noslip_iterations = 2;
        sim.steps(100);
        let before = allocations();
        sim.steps(20);
        assert!(sim.d.ncon >= 12);
        assert_eq!(allocations() - before, 0, "solver {solver}, cone {cone}, jacobian {jacobian}");
    }
}

/// F2.2: accelerations come from the sparse factor, whose size is that of the tree, not nv²
/// F2.4: which always belongs to the matrix of the same pose
#[test]
fn factor_belongs_to_the_matrix() {
    let arms = "<body><joint axis='0 1 0'/><geom size='.1' pos='.2 .1 0' contype='0'/></body>".repeat(20);
    let star = Sim::new(&format!("<mujoco><worldbody>{arms}</worldbody></mujoco>"));
    assert_eq!((star.m.nv, star.m.nC, star.d.qLD.len()), (20, 20, 20));
    for integrator in 0..4 {
        let mut sim = Sim::new(MIXED);
        sim.m.opt.integrator = integrator;
        for pose in 0..3 {
            sim.steps(10).forward();
            let mut acceleration = vec![0.0; sim.m.nv];
            inertia::solve_m(&sim.m, &sim.d, &mut acceleration, &sim.d.qfrc_smooth);
            assert_eq!(acceleration, sim.d.qacc_smooth, "pose {pose}");
            let mut again = vec![0.0; sim.m.nv];
            inertia::mul_m(&sim.m, &sim.d, &mut again, &acceleration);
            all_close(&again, &sim.d.qfrc_smooth, 1e-10);
        }
    }
}

/// F2.4: a factor counts as current only when it was made after the matrix; a new matrix alone does not touch it
#[test]
fn a_new_matrix_needs_a_new_factor() {
    use ligament::sim::kinematics::{com_pos, kinematics};
    let mut sim = Sim::new(MIXED);
    sim.forward();
    let old = sim.d.qLD.clone();
    for (i, q) in sim.d.qpos.iter_mut().enumerate() {
        *q += 0.1 + 0.05 * i as f64;
    }
    let Sim { m, d, .. } = &mut sim;
    kinematics(m, d);
    com_pos(m, d);
    inertia::make_m(m, d);
    let residual = |d: &ligament::Data| {
        let force: Vec<f64> = (0..m.nv).map(|i| 1.0 - 0.3 * i as f64).collect();
        let (mut acceleration, mut again) = (vec![0.0; m.nv], vec![0.0; m.nv]);
        inertia::solve_m(m, d, &mut acceleration, &force);
        inertia::mul_m(m, d, &mut again, &acceleration);
        again.iter().zip(&force).fold(0.0f64, |worst, (a, b)| worst.max((a - b).abs()))
    };
    assert_eq!(d.qLD, old);
    assert!(residual(d) > 1e-3, "the old factor does not fit the new matrix");
    inertia::factor_m(m, d);
    assert!(residual(d) < 1e-10);
}

/// F8.8: Runge-Kutta evaluates the dynamics four times a step, Euler once, and nothing else grows with it (the ratio of
/// times: `benches/ratios.rs`)
#[test]
fn evaluations_per_step() {
    let link = "<body pos='.2 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .2 0 0' size='.02' contype='0'/>";
    let chain =
        format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", link.repeat(10), "</body>".repeat(10));
    for (integrator, evaluations) in [(0, 1), (1, 4)] {
        let mut sim = Sim::new(&chain);
        sim.m.opt.integrator = integrator;
        sim.steps(5);
        for stage in
            [Timer::Position, Timer::Velocity, Timer::Actuation, Timer::Constraint, Timer::PosCollision]
        {
            assert_eq!(sim.d.timer[stage as usize].number, 5 * evaluations, "{stage:?}");
        }
    }
}

fn spring_slider(integrator: &str) -> Sim {
    let mut sim = Sim::new(&format!(
        "<mujoco><option gravity='0 0 0' timestep='.01' integrator='{integrator}'/><worldbody><body>\
         <joint type='slide' stiffness='100' damping='10'/><geom size='.1' mass='1'/></body></worldbody></mujoco>"
    ));
    sim.d.qpos[0] = 0.1;
    sim.d.qvel[0] = 0.5;
    sim
}

/// F7.3: damping is implicit in Euler, implicit and implicitfast, springs are explicit
/// F7.1, F7.2: no integrator treats springs implicitly (0.360360 here) under one of these names, nor under another
#[test]
fn implicit_damping() {
    for integrator in ["Euler", "implicit", "implicitfast"] {
        close(spring_slider(integrator).steps(1).d.qvel[0], 0.363636363636, 1e-11);
    }
    let mut explicit = spring_slider("Euler");
    explicit.disable(DisableBit::Eulerdamp);
    close(explicit.steps(1).d.qvel[0], 0.35, 1e-12);
    let unknown = "<mujoco><option integrator='implicitspringdamper'/></mujoco>";
    assert!(ligament::load_model(unknown).is_err());
}

/// F7.1, F7.2: integrators are the four of MuJoCo, and the documentation of the implicit ones says what they solve
#[test]
fn integrators_are_those_of_mujoco() {
    let names: Vec<&str> = Integrator::INFO.members.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["mjINT_EULER", "mjINT_RK4", "mjINT_IMPLICIT", "mjINT_IMPLICITFAST"]);
    let source = include_str!("../../ligament-sim/src/integrate/implicit.rs");
    assert!(source.starts_with("//! Integrators that are implicit in velocity: (M − h ∂f/∂v) qacc = f."));
    assert!(!source.contains("midpoint"));
}

/// Coriolis forces make the difference between the two implicit integrators.
#[test]
fn implicit_uses_bias_derivatives() {
    let run = |integrator: i32| {
        let mut sim = Sim::new(MIXED);
        sim.m.opt.integrator = integrator;
        for (i, v) in sim.d.qvel.iter_mut().enumerate() {
            *v = 1.0 + i as f64;
        }
        sim.steps(1);
        sim.d.qvel.clone()
    };
    assert_ne!(run(2), run(3));
}

/// The analytic derivative of all smooth forces agrees with finite differences.
#[test]
fn smooth_derivative() {
    use ligament::sim::derivative::smooth::smooth_vel;
    let mut sim = Sim::new(MIXED);
    sim.m.opt.integrator = 2;
    for (i, v) in sim.d.qvel.iter_mut().enumerate() {
        *v = 0.5 - 0.3 * i as f64;
    }
    sim.forward();
    smooth_vel(&sim.m, &mut sim.d, true);
    let exact = sim.d.qDeriv.clone();
    let eps = 1e-6;
    for c in 0..sim.m.nv {
        let mut force_at = |v: f64| {
            let before = sim.d.qvel[c];
            sim.d.qvel[c] = before + v;
            sim.forward();
            sim.d.qvel[c] = before;
            let d = &sim.d;
            (0..sim.m.nv).map(|i| d.qfrc_actuator[i] + d.qfrc_passive[i] - d.qfrc_bias[i]).collect::<Vec<_>>()
        };
        let (plus, minus) = (force_at(eps), force_at(-eps));
        for r in 0..sim.m.nv {
            let start = sim.m.D_rowadr[r] as usize;
            let row = start..start + sim.m.D_rownnz[r] as usize;
            let entry =
                row.clone().find(|&adr| sim.m.D_colind[adr] as usize == c).map_or(0.0, |adr| exact[adr]);
            close(entry, (plus[r] - minus[r]) / (2.0 * eps), 1e-6);
        }
    }
}

fn pendulum(integrator: &str, timestep: f64) -> Sim {
    Sim::new(&format!(
        "<mujoco><option integrator='{integrator}' timestep='{timestep}'><flag energy='enable'/></option><worldbody>\
         <body><joint axis='0 1 0'/><geom size='.05' pos='0 0 -.5' mass='1'/></body></worldbody></mujoco>"
    ))
}

fn swing(integrator: &str, timestep: f64, time: f64) -> f64 {
    let mut sim = pendulum(integrator, timestep);
    sim.d.qpos[0] = 1.0;
    sim.steps((time / timestep).round() as usize);
    sim.d.qpos[0]
}

/// F8.1: Runge-Kutta is not Euler
/// F8.2: orders of convergence
/// F8.3: both agree for tiny steps
#[test]
fn convergence() {
    let exact = swing("RK4", 1e-4, 1.0);
    let ratio = |integrator: &str| {
        (swing(integrator, 0.01, 1.0) - exact).abs() / (swing(integrator, 0.005, 1.0) - exact).abs()
    };
    assert!((14.0..20.0).contains(&ratio("RK4")), "{}", ratio("RK4"));
    assert!((1.7..4.5).contains(&ratio("Euler")), "{}", ratio("Euler"));
    assert_ne!(swing("RK4", 0.01, 0.1), swing("Euler", 0.01, 0.1));
    close(swing("RK4", 1e-5, 1e-4), swing("Euler", 1e-5, 1e-4), 1e-8);
}

/// F8.4: energy of a pendulum
#[test]
fn energy_is_kept() {
    let drift = |timestep: f64, angle: f64, steps: usize| {
        let mut sim = pendulum("RK4", timestep);
        sim.d.qpos[0] = angle;
        sim.forward();
        let before = sim.d.energy[0] + sim.d.energy[1];
        sim.steps(steps).forward();
        ((sim.d.energy[0] + sim.d.energy[1] - before) / before).abs()
    };
    assert!(drift(0.001, 1.0, 1000) < 1e-10);
    let ratio = drift(0.01, 0.5, 100) / drift(0.005, 0.5, 200);
    assert!((25.0..70.0).contains(&ratio), "{ratio}");
}

/// F8.5: a bouncing ball settles
#[test]
fn bouncing_ball() {
    let mut sim = Sim::new(
        "<mujoco><option integrator='RK4' timestep='.001'/><worldbody><geom type='plane' size='1 1 1'/>\
         <body pos='0 0 .5'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let mut touched = false;
    for _ in 0..3000 {
        sim.steps(1);
        touched |= sim.d.ncon > 0;
        assert!(sim.d.qpos[2] > 0.0 && sim.d.qpos[2] < 0.5001);
    }
    assert!(touched);
    close(sim.d.qpos[2], 0.1, 2e-3);
}

/// F8.6: free rotation stays on the unit sphere and at the right angle
#[test]
fn free_rotation() {
    let mut sim = Sim::new(
        "<mujoco><option integrator='RK4' gravity='0 0 0' timestep='.01'/><worldbody><body><freejoint/><geom size='.1'/>\
         </body></worldbody></mujoco>",
    );
    sim.d.qvel[5] = 2.0;
    for _ in 0..100 {
        sim.steps(1);
        close(sim.d.qpos[3..7].iter().map(|x| x * x).sum::<f64>().sqrt(), 1.0, 1e-10);
    }
    all_close(&sim.d.qpos[3..7], &[1.0_f64.cos(), 0.0, 0.0, 1.0_f64.sin()], 1e-6);
}

/// F8.9: sensors keep the values of the beginning of the step
/// F8.10: the warm start is the acceleration of the last stage
#[test]
fn runge_kutta_outputs() {
    let mut sim = Sim::new(
        "<mujoco><option integrator='RK4'/><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1' pos='1 0 0'/>\
         </body></worldbody><sensor><jointpos joint='j'/></sensor></mujoco>",
    );
    sim.d.qpos[0] = 0.3;
    sim.steps(1);
    assert_eq!(sim.d.sensordata[0], 0.3);
    assert_eq!(sim.d.qacc_warmstart, sim.d.qacc);
}

/// Quaternions in qpos are normalised by a step.
#[test]
fn quaternions_become_unit() {
    let mut sim = Sim::new(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    sim.d.qpos[3] = 2.0;
    sim.steps(1);
    all_close(&sim.d.qpos[3..7], &[1.0, 0.0, 0.0, 0.0], 1e-15);
}
