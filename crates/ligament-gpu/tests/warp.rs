//! The kernels with the lanes of a world on the host (`support/warp.h`): half a warp, a warp, several. Lanes run in an order that changes at every meeting, so that
//! a missing one shows. One lane computes the same in other orders of sums.

mod support;

use ligament::prelude::*;
use ligament_gpu::{Capacity, Precision, Tables, Wanted};
use support::{Kernel, Noise, gripper_arm, state_of};

fn model(xml: &str) -> Model {
    ligament::load_model(xml).unwrap_or_else(|e| panic!("{e}"))
}

/// Steps of one lane and of as many as are asked for, from states along a noisy trajectory: contacts equal, numbers to rounding; the
/// same bits twice.
fn lanes_agree(model: &Model, lanes: usize, states: usize, between: usize) {
    let capacity = Some(Capacity { contacts: 64, hits: 256 });
    let tables = Tables::new(model, &Wanted { capacity, ..Wanted::default() }).unwrap();
    let one = Kernel::new(tables.clone(), Precision::F64);
    let warp = Kernel::with_lanes(tables, Precision::F64, lanes);
    let (mut data, mut noise) = (model.make_data().unwrap(), Noise(3));
    for _ in 0..states {
        for _ in 0..between {
            data.ctrl.iter_mut().for_each(|u| *u = noise.next());
            data.step(model).unwrap();
        }
        let [mut a, mut b, mut c] = [0; 3].map(|_| state_of(model, &data));
        one.steps(&mut a, 2);
        warp.steps(&mut b, 2);
        warp.steps(&mut c, 2);
        assert_eq!((a.status, a.contacts), (b.status, b.contacts));
        assert_eq!((&b.qpos, &b.qvel, &b.warm), (&c.qpos, &c.qvel, &c.warm), "depends on the order of lanes");
        for (x, y) in a.qpos.iter().zip(&b.qpos).chain(a.qvel.iter().zip(&b.qvel)) {
            assert!((x - y).abs() <= 1e-8 * (1.0 + x.abs()), "one lane {x:e}, {lanes} lanes {y:e}");
        }
    }
}

/// F11.1: a warp computes what one lane does: tree, contacts, solver.
#[test]
fn a_warp_steps_the_humanoid() {
    let xml = include_str!("../../ligament-cli/models/humanoid.xml");
    lanes_agree(&model(xml), 32, 6, 20);
}

/// F11.1: half a warp and two warps compute what one lane does.
#[test]
fn other_numbers_of_lanes_step_the_humanoid() {
    let xml = include_str!("../../ligament-cli/models/humanoid.xml");
    lanes_agree(&model(xml), 16, 4, 20);
    lanes_agree(&model(xml), 64, 4, 20);
}

/// F11.1: half a warp steps an arm with a gripper, free and in contact.
#[test]
fn half_a_warp_steps_an_arm_with_a_gripper() {
    for ball in [false, true] {
        lanes_agree(&model(&gripper_arm(ball)), 16, 6, 30);
    }
}

/// F11.1: where a world lives changes nothing: in shared memory, or in device memory where it is too large for that.
#[test]
fn worlds_in_device_memory_step_alike() {
    let humanoid = model(include_str!("../../ligament-cli/models/humanoid.xml"));
    for lanes in [16, 32, 64] {
        let tables = Tables::new(&humanoid, &Wanted::default()).unwrap();
        let shared = Kernel::with_lanes(tables.clone(), Precision::F64, lanes);
        let device = Kernel::in_device_memory(tables, Precision::F64, lanes);
        let (mut data, mut noise) = (humanoid.make_data().unwrap(), Noise(3));
        for _ in 0..4 {
            for _ in 0..20 {
                data.ctrl.iter_mut().for_each(|u| *u = noise.next());
                data.step(&humanoid).unwrap();
            }
            let [mut a, mut b] = [0; 2].map(|_| state_of(&humanoid, &data));
            shared.steps(&mut a, 2);
            device.steps(&mut b, 2);
            assert_eq!((a.status, a.contacts), (b.status, b.contacts));
            assert_eq!((&a.qpos, &a.qvel, &a.warm), (&b.qpos, &b.qvel, &b.warm), "{lanes} lanes");
        }
    }
}

/// F11.1: a world of more than 255 degrees of freedom, too large for shared memory: what a lane, a warp and four warps make of it.
#[test]
fn large_worlds_step() {
    let model = model(&crowd(48, ".18 .05 .3"));
    let bytes = Kernel::new(Tables::new(&model, &Wanted::default()).unwrap(), Precision::F64).world_bytes();
    assert!(model.nv > 255 && bytes > 227 * 1024, "{} degrees of freedom, {bytes} bytes", model.nv);
    lanes_agree(&model, 128, 2, 30);
    // more than eight dofs a lane are taken in loops
    lanes_agree(&model, 32, 1, 30);
}

/// F11.1: trees of the same shape have a warp each; they fall on each other and on the ground.
#[test]
fn trees_have_warps() {
    let model = model(&crowd(3, ".18 .05 .3"));
    assert!(Tables::new(&model, &Wanted::default()).unwrap().header.contains("#define WORLD_LANES 96"));
    lanes_agree(&model, 96, 8, 15);
    lanes_agree(&model, 32, 2, 15);
}

/// F11.1: where no two of them touch, each is solved by its warp alone, to its own last iteration.
#[test]
fn trees_that_stand_apart_are_solved_apart() {
    let model = model(&crowd(3, "2 0 .02"));
    lanes_agree(&model, 96, 8, 25);
}

/// So many puppets, at these distances: near enough they fall on each other.
fn crowd(count: usize, offset: &str) -> String {
    let puppet = r#"<body pos="0 0 .5"><freejoint/><geom type="capsule" size=".1 .15"/>
        <body pos=".1 0 .1"><joint axis="0 1 0"/><joint axis="1 0 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
          <body pos=".3 0 0"><joint axis="0 1 0" range="-60 60" limited="true"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/></body></body>
        <body pos="-.1 0 .1"><joint type="ball"/><geom type="capsule" fromto="0 0 0 -.3 0 0" size=".04"/></body></body>"#;
    format!(
        r#"<mujoco><option timestep=".004"/><worldbody><geom type="plane" size="5 5 1"/>
        <replicate count="{count}" offset="{offset}" euler="0 0 25">{puppet}</replicate></worldbody></mujoco>"#
    )
}

/// Bodies of these shapes in a heap, so that some touch and most are near each other.
fn heap(shapes: &[&str], option: &str) -> Model {
    let mut bodies = String::new();
    for i in 0..9 {
        let (x, z) = ((i % 3) as f64 * 0.2, 0.12 + (i / 3) as f64 * 0.2);
        let (shape, a, b) = (shapes[i % shapes.len()], 17 * i, 31 * i);
        bodies += &format!(r#"<body pos="{x} 0 {z}" euler="{a} {b} 0"><freejoint/>{shape}</body>"#);
    }
    let mut noise = Noise(11);
    let mut gem = String::new();
    for _ in 0..40 {
        let [x, y, z] = [0; 3].map(|_| noise.next());
        let scale = 0.11 / (x * x + y * y + z * z).sqrt();
        gem += &format!("{:.6} {:.6} {:.6} ", scale * x, scale * y, scale * z);
    }
    let wedge = "-.1 -.1 -.1  .1 -.1 -.1  -.1 .1 -.1  .1 .1 -.1  -.1 0 .1  .1 0 .1";
    model(&format!(
        r#"<mujoco><option timestep=".004">{option}</option>
        <asset><mesh name="gem" vertex="{gem}"/><mesh name="wedge" vertex="{wedge}"/></asset>
        <worldbody><geom type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>"#
    ))
}
const BOX: &str = r#"<geom type="box" size=".1 .08 .06"/>"#;
const CAPSULE: &str = r#"<geom type="capsule" size=".06 .1"/>"#;

/// F11.1: shapes with formulas, and proofs that boxes are apart, a lane a pair.
#[test]
fn lanes_find_contacts() {
    let plank = r#"<geom type="box" size=".05 .11 .07"/>"#;
    for lanes in [16, 32, 64] {
        lanes_agree(&heap(&[BOX, CAPSULE, plank, r#"<geom type="sphere" size=".1"/>"#], ""), lanes, 4, 12);
    }
}

/// F11.1: general convex shapes, on which all lanes work together, with one contact and with several.
#[test]
fn lanes_find_convex_contacts() {
    let meshes = [r#"<geom type="mesh" mesh="gem"/>"#, r#"<geom type="mesh" mesh="wedge"/>"#];
    for lanes in [16, 32] {
        for option in ["", r#"<flag multiccd="enable"/>"#] {
            lanes_agree(&heap(&[meshes[0], BOX, meshes[1], CAPSULE], option), lanes, 4, 12);
        }
    }
}

/// F11.1: lanes make few iterations as one lane does, of two trees that touch each other at times.
#[test]
fn lanes_make_few_iterations() {
    let option = r#"<option timestep=".004" iterations="2" ls_iterations="6" cone="elliptic"/>"#;
    let thing = |z: f64| {
        format!(
            r#"<body pos="0 0 {z}" euler="10 {} 0"><freejoint/><geom type="box" size=".1 .08 .06"/><body pos=".15 0 0"><joint axis="0 1 0" frictionloss=".05" damping=".05"/>
               <geom type="capsule" size=".03" fromto="0 0 0 .1 0 0"/></body></body>"#,
            100.0 * z
        )
    };
    let xml = format!(
        r#"<mujoco>{option}<worldbody><geom type="plane" size="5 5 1"/>{}{}</worldbody></mujoco>"#,
        thing(0.13),
        thing(0.32)
    );
    for lanes in [16, 32, 64] {
        lanes_agree(&model(&xml), lanes, 6, 9);
    }
}
