//! A training loop that draws the bending model of a sheet at random for each episode: MuJoCo's, springs between
//! normals, or a law of one's own. Each simulation type is fixed at compile time; a closure chooses between them, so
//! that no step calls through a table.

use ligament::SimBuilder;
use ligament::parts::builder::{BuildError, Sim};
use ligament::parts::set::{FlexChoice, GainChoice, SolverChoice};
use ligament::parts::{FlexForce, FlexShape, FlexState, Part, PartError, Slot};
use ligament::prelude::*;
use ligament::sim::flex::BridsonBending;

/// Pulls the middle of the two opposite vertices of an inner edge towards the middle of the edge.
#[derive(Clone, Default)]
struct SpringBending {
    stiffness: f64,
    flaps: Vec<[usize; 4]>,
}

impl Part for SpringBending {
    fn name(&self) -> &str {
        "spring_bending"
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.stiffness]
    }
}

impl FlexForce for SpringBending {
    fn fitted(&self, _: Slot, shape: &FlexShape<'_>) -> Result<Self, PartError> {
        Ok(Self { stiffness: self.stiffness, flaps: shape.flaps().collect() })
    }

    fn forces(&self, at: &FlexState<'_>, spring: &mut [[f64; 3]], _: &mut [[f64; 3]]) {
        for &[e0, e1, a, b] in &self.flaps {
            for k in 0..3 {
                let x = |v: usize| at.position[v][k];
                let offset = 0.5 * (x(a) + x(b) - x(e0) - x(e1));
                for (v, sign) in [(e0, 1.0), (e1, 1.0), (a, -1.0), (b, -1.0)] {
                    spring[v][k] += 0.5 * sign * self.stiffness * offset;
                }
            }
        }
    }
}

const SHEET: &str = r#"
<mujoco>
  <option timestep=".001"/>
  <worldbody>
    <flexcomp name="sheet" type="grid" count="6 6 1" spacing=".05 .05 .05" dim="2" radius=".005" mass=".1">
      <contact contype="0" conaffinity="0" selfcollide="none"/>
      <elasticity young="1e3" poisson=".3" thickness=".01" damping=".01" elastic2d="both"/>
    </flexcomp>
  </worldbody>
</mujoco>"#;

/// One episode: a corner is lifted, the sheet swings; returns the reward, how flat it is in the end.
fn episode<B: FlexChoice, E: FlexChoice, A: GainChoice, C: SolverChoice>(
    mut sim: Sim<B, E, A, C>,
) -> Result<f64, Box<dyn std::error::Error>> {
    sim.data.qpos[2] = 0.05;
    for _ in 0..200 {
        sim.step()?;
    }
    let heights = sim.data.flexvert_xpos.iter().map(|x| x[2]);
    Ok(-heights.clone().fold(f64::MIN, f64::max) + heights.fold(f64::MAX, f64::min))
}

/// Name of the model and reward of each episode.
pub fn train(episodes: usize, mut seed: u64) -> Result<Vec<(&'static str, f64)>, Box<dyn std::error::Error>> {
    type Run = fn(Model) -> Result<f64, Box<dyn std::error::Error>>;
    fn run<B: FlexChoice, E: FlexChoice, A: GainChoice, C: SolverChoice>(
        sim: Result<Sim<B, E, A, C>, BuildError>,
    ) -> Result<f64, Box<dyn std::error::Error>> {
        episode(sim?)
    }
    let choices: [(&str, Run); 3] = [
        ("cotangent", |model| run(SimBuilder::new().build(model))),
        ("bridson", |model| run(SimBuilder::new().bending(BridsonBending::default()).build(model))),
        ("spring", |model| {
            let own = SpringBending { stiffness: 20.0, ..SpringBending::default() };
            run(SimBuilder::new().bending(own).build(model))
        }),
    ];
    let model = ligament::load_model(SHEET)?;
    let mut draw = || {
        // xorshift (Marsaglia 2003)
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        choices[(seed % 3) as usize]
    };
    (0..episodes)
        .map(|_| {
            let (name, simulate) = draw();
            Ok((name, simulate(model.clone())?))
        })
        .collect()
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, reward) in train(12, 7)? {
        println!("{name:10} {reward:.5}");
    }
    Ok(())
}
