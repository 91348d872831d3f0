//! Parts that panic or answer wrongly, and misuse.

use crate::support::Sim;
use crate::{ARM, PILE, sheet};
use ligament::batch::{Batch, Config, Select};
use ligament::enums::Stage;
use ligament::parts::*;
use ligament::sim::step;
use ligament::{Data, Model, load_model};

/// Panics when asked.
struct Broken;

impl Part for Broken {
    fn name(&self) -> &str {
        "broken"
    }
}

impl ActuatorForce for Broken {
    fn force(&self, _: &ActuatorState) -> f64 {
        std::panic::resume_unwind(Box::new("no pressure".to_owned()))
    }
}

impl FlexForce for Broken {
    fn fitted(&self, _: Slot, _: &FlexShape<'_>) -> Result<Self, PartError> {
        Ok(Self)
    }

    fn forces(&self, _: &FlexState<'_>, _: &mut [[f64; 3]], _: &mut [[f64; 3]]) {
        std::panic::resume_unwind(Box::new("torn"))
    }
}

impl ConstraintSolver for Broken {
    fn solve(&self, _: &Model, _: &mut Data, _: &mut Vec<f64>) {
        std::panic::resume_unwind(Box::new(1.5))
    }
}

/// Fails under a large control.
struct Fuse;

impl Part for Fuse {
    fn name(&self) -> &str {
        "fuse"
    }
}

impl ActuatorForce for Fuse {
    fn force(&self, at: &ActuatorState) -> f64 {
        if at.input > 5.0 { std::panic::resume_unwind(Box::new("blown")) } else { at.input }
    }
}

/// C42F: a part that panics ends the step with an error that names part and element; the state can be used again
#[test]
fn panics_become_errors() {
    let mut arm = Sim::new(ARM);
    set_gain(&mut arm.m, 1, Broken).unwrap();
    let error = step::step(&arm.m, &mut arm.d).unwrap_err();
    assert_eq!(error.to_string(), "broken (gain) of actuator 1 \"affine\" failed: no pressure");
    clear_gain(&mut arm.m, 1).unwrap();
    arm.steps(1);

    let mut cloth = Sim::new(&sheet(""));
    set_bending(&mut cloth.m, 0, Broken).unwrap();
    let error = step::step(&cloth.m, &mut cloth.d).unwrap_err();
    assert_eq!(error.to_string(), "broken (bending) of flex 0 \"s\" failed: torn");

    let mut pile = Sim::new(PILE);
    set_solver(&mut pile.m, Broken).unwrap();
    let error = (0..200).find_map(|_| step::step(&pile.m, &mut pile.d).err()).expect("it lands");
    assert_eq!(error.to_string(), "broken (solver) of the model failed: it gave no reason");
    clear_solver(&mut pile.m).unwrap();
    pile.steps(10);

    // one broken world leaves the others alone
    set_gain(&mut arm.m, 0, Fuse).unwrap();
    let mut batch = Batch::new(arm.m.clone(), 2, &Config::default()).unwrap();
    batch.ctrl_mut(1)[0] = 10.0;
    assert_eq!(batch.step(Select::All, 1, Stage::None).unwrap(), 1);
    assert!(batch.error(0).is_none());
    let message = format!("{:?}", batch.error(1).unwrap());
    assert!(message.contains("fuse") && message.contains("actuator 0"), "{message}");
}

/// C42E: what a solver hands back as drift moves positions beyond the new velocity; of a wrong length it is an error that
/// names the part
#[test]
fn drift_is_a_result_of_every_solver() {
    struct Drifting(usize);
    impl Part for Drifting {
        fn name(&self) -> &str {
            "drifting"
        }
    }
    impl ConstraintSolver for Drifting {
        fn solve(&self, _: &Model, d: &mut Data, drift_out: &mut Vec<f64>) {
            assert!(drift_out.is_empty());
            d.qacc.fill(0.0);
            drift_out.resize(self.0, 0.5);
        }
    }
    let text = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .05'>\
                <joint type='slide' axis='0 0 1'/><geom size='.1'/></body></worldbody></mujoco>";
    let mut sim = Sim::new(text);
    set_solver(&mut sim.m, Drifting(1)).unwrap();
    sim.steps(1);
    assert_eq!((sim.d.qvel[0], sim.d.qpos[0]), (0.0, 0.5 * sim.m.opt.timestep));
    set_solver(&mut sim.m, Drifting(2)).unwrap();
    let message = step::step(&sim.m, &mut sim.d).unwrap_err().to_string();
    assert!(message.contains("drifting (solver) of the model") && message.contains("drift"), "{message}");
}

/// C42F: misuse is refused by name
#[test]
fn misuse_is_refused() {
    let mut m = load_model(ARM).unwrap();
    let refusal = |result: Result<(), PartError>| result.unwrap_err().to_string();
    assert_eq!(
        refusal(set_gain(&mut m, 3, FixedGain { gain: 1.0 })),
        "fixed (gain) of actuator 3: there is no such element; the model has 3"
    );
    assert_eq!(
        refusal(set_gain(&mut m, 0, FixedGain { gain: f64::NAN })),
        "fixed (gain) of actuator 0 \"fixed\": its parameter 0 is NaN"
    );
    struct Nameless;
    impl Part for Nameless {
        fn name(&self) -> &str {
            "two words"
        }
    }
    impl ActuatorForce for Nameless {
        fn force(&self, _: &ActuatorState) -> f64 {
            0.0
        }
    }
    assert!(refusal(set_gain(&mut m, 0, Nameless)).contains("cannot be the name of a part"));
    assert!(m.parts.is_default());
}
