//! A material of a flex of one's own.

use crate::support::{Sim, close};
use crate::{lift_corner, sheet, trajectory};
use ligament::batch::{Batch, Config, Select};
use ligament::enums::{Integrator, Stage};
use ligament::parts::*;
use ligament::sim::{inverse, step};
use ligament::{Model, StepError, load_model, model_from_bytes, model_from_bytes_with_parts};

/// Pulls every vertex back to where it rests, with damping; a part of another crate.
#[derive(Clone, Default)]
struct Anchors {
    stiffness: f64,
    damping: f64,
    knows_slope: bool,
    rest: Vec<[f64; 3]>,
}

impl Part for Anchors {
    fn name(&self) -> &str {
        "anchors"
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.stiffness, self.damping]
    }
}

impl FlexForce for Anchors {
    fn fitted(&self, _: Slot, shape: &FlexShape<'_>) -> Result<Self, PartError> {
        Ok(Self { rest: shape.rest.to_vec(), ..self.clone() })
    }

    fn forces(&self, at: &FlexState<'_>, spring: &mut [[f64; 3]], damper: &mut [[f64; 3]]) {
        for v in 0..self.rest.len() {
            for k in 0..3 {
                spring[v][k] += self.stiffness * (self.rest[v][k] - at.position[v][k]);
                damper[v][k] -= self.damping * at.velocity[v][k];
            }
        }
    }

    fn velocity_slopes(&self, _: &FlexState<'_>, slopes: &mut [[f64; 9]]) -> bool {
        if self.knows_slope {
            slopes.iter_mut().for_each(|s| [0, 4, 8].into_iter().for_each(|k| s[k] -= self.damping));
        }
        self.knows_slope
    }
}

fn anchors(stiffness: f64, damping: f64, knows_slope: bool) -> Anchors {
    Anchors { stiffness, damping, knows_slope, rest: Vec::new() }
}

/// C42F: a flex part of one's own is reached in steps, inverse dynamics and batches, and named when the model is saved
#[test]
fn own_flex_parts_are_reached_everywhere() {
    let mut model = load_model(&sheet("").replace("'both'", "'stretch'")).unwrap();
    set_elasticity(&mut model, 0, anchors(50.0, 1.0, true)).unwrap();
    let mut sim = Sim { d: ligament::sim::reset::make_data(&model).unwrap(), m: model.clone() };
    lift_corner(&mut sim.d);
    sim.forward();
    close(sim.d.qfrc_spring[0], 0.0, 1e-12);
    close(sim.d.qfrc_damper[5], -0.3, 1e-12);
    // inverse dynamics: the forces of the part are no applied forces
    let qacc = sim.d.qacc.clone();
    inverse::inverse(&sim.m, &mut sim.d).unwrap();
    assert!(sim.d.qfrc_inverse.iter().all(|f| f.abs() < 1e-9), "{:?}", sim.d.qfrc_inverse);
    assert_eq!(qacc, sim.d.qacc);
    // batches
    let mut batch = Batch::new(model.clone(), 3, &Config::default()).unwrap();
    for world in 0..3 {
        batch.part_mut(world, "qpos").unwrap()[2] = 0.05;
        batch.part_mut(world, "qvel").unwrap()[5] = 0.3;
    }
    batch.step(Select::All, 20, Stage::None).unwrap();
    sim.steps(20);
    assert_eq!(batch.part(2, "qpos").unwrap(), &sim.d.qpos[..]);
    // files
    let bytes = model.to_bytes();
    let message = model_from_bytes(&bytes, "own.lig").unwrap_err().to_string();
    assert!(message.contains("flex 0 \"s\" asks for the elasticity part \"anchors\""), "{message}");
    let unprovided = Model::from_bytes(&bytes).unwrap();
    let mut d = ligament::sim::reset::make_data(&unprovided).unwrap();
    assert!(matches!(step::step(&unprovided, &mut d), Err(StepError::MissingPart { .. })));
    let mut library = PartLibrary::new();
    library.flex_force(Slot::Elasticity, "anchors", |numbers| match numbers {
        &[stiffness, damping] => Ok(anchors(stiffness, damping, true)),
        _ => Err(PartError::Count { part: "anchors".into(), expected: "two numbers", found: numbers.len() }),
    });
    let restored = model_from_bytes_with_parts(&bytes, "own.lig", &library).unwrap();
    assert_eq!(trajectory(&restored, 20), trajectory(&model, 20));
}

/// C42F: implicit integrators take the derivative of a flex part, or differences of it: a damper that explodes when it is
/// integrated explicitly is stable
#[test]
fn stiff_flex_dampers_are_integrated_implicitly() {
    let run = |part: Anchors, integrator: Integrator| {
        let mut sim = Sim::new(&sheet(""));
        set_elasticity(&mut sim.m, 0, part).unwrap();
        sim.m.opt.integrator = integrator as i32;
        sim.m.opt.gravity = [0.0; 3];
        lift_corner(&mut sim.d);
        sim.steps(3);
        sim.d.qvel[5]
    };
    for integrator in [Integrator::Implicit, Integrator::Implicitfast] {
        let own = run(anchors(0.0, 500.0, true), integrator);
        let differences = run(anchors(0.0, 500.0, false), integrator);
        assert!(own.abs() < 0.3, "{own}");
        assert!((own - differences).abs() < 1e-4 * own.abs().max(1e-3), "{own} {differences}");
    }
    assert!(run(anchors(0.0, 500.0, true), Integrator::Euler).abs() > 10.0);
}
