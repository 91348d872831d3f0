//! Who has no parts does not pay for them.

use crate::support::Sim;
use crate::{ARM, trajectory};
use ligament::enums::Integrator;
use ligament::load_model;
use ligament::parts::*;
use ligament::{Data, Model};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts how often it is asked, and for how many actuators.
#[derive(Default, Clone)]
struct Counted(Arc<[AtomicUsize; 2]>);

impl Counted {
    fn counts(&self) -> [usize; 2] {
        [0, 1].map(|k| self.0[k].load(Ordering::Relaxed))
    }

    fn count(&self, asked: usize) {
        self.0[0].fetch_add(1, Ordering::Relaxed);
        self.0[1].fetch_add(asked, Ordering::Relaxed);
    }
}

impl Part for Counted {
    fn name(&self) -> &str {
        "counted"
    }
}

impl ActuatorForce for Counted {
    fn force(&self, at: &ActuatorState) -> f64 {
        0.5 * at.input
    }

    fn forces(&self, at: &[ActuatorState], out: &mut [f64]) {
        self.count(at.len());
        at.iter().zip(out).for_each(|(state, force)| *force = self.force(state));
    }
}

impl ConstraintSolver for Counted {
    fn solve(&self, _: &Model, d: &mut Data, _: &mut Vec<f64>) {
        self.count(0);
        d.qacc.copy_from_slice(&d.qacc_smooth);
    }
}

/// C42D.4: built-in gains take the unchanged path: without parts there is nothing to look up, and a part of another
/// actuator is asked for that one only, once a step, and changes no bit of theirs (`benches/ratios.rs` has the times)
#[test]
fn built_in_gains_pay_nothing() {
    let plain = load_model(ARM).unwrap();
    assert!(plain.parts.gains().is_empty() && plain.parts.biases().is_empty() && plain.parts.is_default());
    let counted = Counted::default();
    let mut mixed = plain.clone();
    mixed.opt.integrator = Integrator::Euler as i32;
    set_gain(&mut mixed, 1, counted.clone()).unwrap();
    let (mut a, mut b) = (Sim::new_of(&plain), Sim::new_of(&mixed));
    let before = counted.counts();
    for sim in [&mut a, &mut b] {
        sim.d.ctrl.fill(0.7);
        sim.forward();
    }
    for actuator in [0, 2] {
        assert_eq!(a.d.actuator_force[actuator].to_bits(), b.d.actuator_force[actuator].to_bits());
    }
    b.steps(10);
    assert_eq!(counted.counts(), before.map(|count| count + 11));
    clear_gain(&mut mixed, 1).unwrap();
    assert!(mixed.parts.gains().is_empty() && mixed.parts.is_default());
    mixed.opt.integrator = plain.opt.integrator;
    assert_eq!(trajectory(&mixed, 20), trajectory(&plain, 20));
    assert_eq!(counted.counts(), before.map(|count| count + 11));
}

/// C42E.4: the default solver takes the unchanged path: another one is asked once a step, only while it is chosen and only
/// when there is something to solve, and leaves no trace (`benches/ratios.rs` has the times)
#[test]
fn the_default_solver_pays_nothing() {
    let fall = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .2'><freejoint/>\
                <geom size='.1'/></body></worldbody></mujoco>";
    let plain = load_model(fall).unwrap();
    assert!(plain.parts.solver().is_none() && plain.parts.is_default());
    let counted = Counted::default();
    let mut sim = Sim::new_of(&plain);
    set_solver(&mut sim.m, counted.clone()).unwrap();
    sim.steps(10);
    assert_eq!((sim.d.nefc, counted.counts()), (0, [0; 2]));
    sim.d.qpos[2] = 0.09;
    sim.steps(10);
    assert_eq!(counted.counts(), [10, 0]);
    clear_solver(&mut sim.m).unwrap();
    assert_eq!(trajectory(&sim.m, 200), trajectory(&plain, 200));
    assert_eq!(counted.counts(), [10, 0]);
}
