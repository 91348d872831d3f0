//! What the kernels compute, feature by feature, compiled for the host and compared with the CPU engine. Contact sets must be equal;
//! numbers agree to rounding in double precision and to what single precision has.

mod support;

use ligament::prelude::*;
use ligament_gpu::{Precision, Tables, Wanted};
use support::{Kernel, Noise, compare, compare_states, gripper_arm, state_of};

fn model(xml: &str) -> Model {
    ligament::load_model(xml).unwrap_or_else(|e| panic!("{e}"))
}

/// One step from states along a noisy trajectory.
fn agrees(xml: &str, between: usize) {
    let model = model(xml);
    let worst = compare(&model, Precision::F64, 12, between, 1);
    assert!(worst.iter().all(|&x| x < 1e-9), "double precision: {worst:?}");
    let worst = compare(&model, Precision::F32, 12, between, 1);
    assert!(worst[0] < 2e-4 && worst[1] < 2e-2, "single precision: {worst:?}");
}

/// Pairs of bodies, one on the other, on a plane.
fn piles(pairs: &[(&str, &str)]) -> Model {
    let mut bodies = String::new();
    for (i, (a, b)) in pairs.iter().enumerate() {
        let (x, y, tilt) = ((i % 4) as f64 * 0.6, (i / 4) as f64 * 0.6, (13 * i) as f64);
        bodies += &format!(r#"<body pos="{x} {y} .13" euler="{tilt} 0 0"><freejoint/>{a}</body>"#);
        bodies += &format!(r#"<body pos="{x} {y} .36" euler="0 {tilt} 20"><freejoint/>{b}</body>"#);
    }
    model(&format!(
        r#"<mujoco><option timestep=".004"/><worldbody><geom type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>"#
    ))
}

const SPHERE: &str = r#"<geom type="sphere" size=".1"/>"#;
const CAPSULE: &str = r#"<geom type="capsule" size=".06 .1"/>"#;
const ELLIPSOID: &str = r#"<geom type="ellipsoid" size=".1 .07 .12"/>"#;
const CYLINDER: &str = r#"<geom type="cylinder" size=".08 .09"/>"#;
const BOX: &str = r#"<geom type="box" size=".1 .08 .06"/>"#;

/// F11.1: shapes whose contacts have formulas.
#[test]
fn simple_shapes_touch_as_on_the_cpu() {
    let model = piles(&[
        (SPHERE, CAPSULE),
        (CAPSULE, CAPSULE),
        (BOX, BOX),
        (BOX, SPHERE),
        (BOX, CAPSULE),
        (CYLINDER, SPHERE),
        (CAPSULE, BOX),
    ]);
    let worst = compare(&model, Precision::F64, 12, 8, 1);
    assert!(worst.iter().all(|&x| x < 1e-9), "{worst:?}");
}

const ROUND: [(&str, &str); 8] = [
    (ELLIPSOID, SPHERE),
    (ELLIPSOID, CAPSULE),
    (CYLINDER, CAPSULE),
    (ELLIPSOID, ELLIPSOID),
    (CYLINDER, ELLIPSOID),
    (CYLINDER, CYLINDER),
    (BOX, ELLIPSOID),
    (BOX, CYLINDER),
];

/// F11.1: round shapes whose contacts are found by iteration, pair by pair. The iteration ends within `ccd_tolerance` of the
/// depth, and where it ends depends on rounding.
#[test]
fn round_shapes_touch_as_on_the_cpu() {
    for pair in ROUND {
        let worst = compare(&piles(&[pair]), Precision::F64, 12, 8, 1);
        assert!(worst.iter().all(|&x| x < 1e-8), "{pair:?}: {worst:?}");
    }
}

/// What remains between the two engines for round shapes is where their iterations end: all pairs in one model differ by less
/// when `ccd_tolerance` is smaller.
#[test]
fn round_shapes_differ_by_the_tolerance() {
    let mut model = piles(&ROUND);
    let velocity = |model: &Model| compare(model, Precision::F64, 12, 8, 1)[1];
    let usual = velocity(&model);
    model.opt.ccd_tolerance = 1e-11;
    let fine = velocity(&model);
    println!("largest difference of velocities: {usual:.1e}, with ccd_tolerance 1e-11 {fine:.1e}");
    assert!(usual < 1e-4 && fine < usual.max(1e-9), "{usual:.1e}, {fine:.1e}");
}

/// F11.1: in single precision spheres and capsules find ellipsoids by a way of their own: from the side, beyond the end, flat and
/// pointed ones, within a margin; and by the one for all shapes where they are so deep that the core of one is in the other.
#[test]
fn round_shapes_touch_ellipsoids_in_single_precision() {
    let flat = r#"<geom type="ellipsoid" size=".2 .15 .02"/>"#;
    let needle = r#"<geom type="ellipsoid" size=".02 .03 .2" margin=".01"/>"#;
    let pairs = [
        (ELLIPSOID, SPHERE),
        (ELLIPSOID, CAPSULE),
        (SPHERE, ELLIPSOID),
        (CAPSULE, ELLIPSOID),
        (flat, SPHERE),
        (flat, CAPSULE),
        (CAPSULE, needle),
        (SPHERE, needle),
    ];
    let worst = compare(&piles(&pairs), Precision::F32, 30, 8, 1);
    println!("positions {:.1e}, velocities {:.1e}", worst[0], worst[1]);
    assert!(worst[0] < 1e-6 && worst[1] < 1e-4, "{worst:?}");
}

/// F11.1: a damper that couples branches, implicitly integrated: only the tree's part of its derivative counts.
#[test]
fn a_tendon_across_branches_is_damped_as_on_the_cpu() {
    let finger = |name: &str, y: &str| {
        format!(
            r#"<body pos=".2 {y} 0"><joint name="{name}" axis="0 0 1" armature=".001"/>
               <geom type="capsule" size=".01" fromto="0 0 0 .1 0 0" contype="0"/></body>"#
        )
    };
    agrees(
        &format!(
            r#"<mujoco><option integrator="implicitfast"/><worldbody><body><joint axis="0 1 0"/><geom size=".05" contype="0"/>{}{}
               </body></worldbody><tendon><fixed name="both" damping=".3"><joint joint="l" coef=".5"/><joint joint="r" coef="-.7"/>
               </fixed></tendon><actuator><general tendon="both" gainprm="5" biastype="affine" biasprm="0 -20 -2"/></actuator></mujoco>"#,
            finger("l", ".1"),
            finger("r", "-.1")
        ),
        5,
    );
}

/// F11.1: trees that are nearly a chain keep rows of the Hessian by dof, and steps in which nothing touches ask for no motions of bodies.
#[test]
fn arms_with_grippers_move_as_on_the_cpu() {
    for ball in [false, true] {
        let header = Tables::new(&model(&gripper_arm(ball)), &Wanted::default()).unwrap().header;
        for define in ["NEARLY_CHAIN 1", "HAS_COUPLING 1", "IMPLICIT_DAMPING 1"] {
            assert!(header.contains(&format!("#define {define}\n")), "{define}");
        }
        agrees(&gripper_arm(ball), 20);
    }
}

/// F11.1: tendons with inertia of their own: fixed, and through sites of moving bodies with pulleys, along one chain and across branches, of
/// which only the tree's part counts; with limits, so that steps are searched for.
#[test]
fn tendons_have_inertia_as_on_the_cpu() {
    for integrator in ["Euler", "implicitfast", "RK4"] {
        agrees(
            &format!(
                r#"<mujoco><option timestep=".004" integrator="{integrator}"/><default><geom contype="0" conaffinity="0"/></default><worldbody>
              <site name="fixed" pos="0 .2 .3"/>
              <body><joint name="base" axis="0 1 0" damping=".1"/><joint axis="1 0 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/><site name="near" pos=".1 .05 .05"/>
                <body pos=".3 0 0"><joint name="l" type="ball"/><geom type="capsule" fromto="0 0 0 .2 .1 0" size=".03"/><site name="left" pos=".2 .1 0"/></body>
                <body pos=".3 0 0"><joint name="r" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .2 -.1 0" size=".03"/><site name="right" pos=".2 -.1 0"/>
                  <body pos=".2 -.1 0"><joint name="tip" axis="0 1 0" range="-5 5" limited="true"/><geom type="capsule" fromto="0 0 0 .1 0 0" size=".02"/></body></body></body>
              <body pos="0 1 0"><freejoint/><geom type="box" size=".1 .05 .07"/><site name="free" pos=".1 .05 .07"/></body></worldbody>
              <tendon>
                <spatial armature=".3" damping=".1"><site site="fixed"/><site site="near"/><site site="left"/></spatial>
                <spatial armature=".2" limited="true" range="0 .35"><site site="left"/><site site="right"/><pulley divisor="2"/><site site="near"/><site site="free"/></spatial>
                <spatial armature=".5" name="across"><site site="right"/><site site="free"/></spatial>
                <fixed armature=".1" name="sum"><joint joint="base" coef=".5"/><joint joint="tip" coef="-.7"/></fixed>
                <fixed armature=".1" frictionloss=".2"><joint joint="r" coef=".5"/><joint joint="base" coef=".3"/></fixed>
              </tendon><actuator><motor tendon="across" gear="3"/><position tendon="sum" kp="5"/></actuator></mujoco>"#
            ),
            8,
        );
    }
}

/// F11.1: the integrator that treats Coriolis and gyroscopic forces implicitly, with bodies that spin fast; free bodies alone in their
/// principal axes, and others; with fluids, tendons, muscles and sensors of velocities.
#[test]
fn implicit_steps_agree() {
    let spinning = r#"<body pos="0 0 1"><freejoint/><geom type="box" size=".1 .02 .05"/></body>
        <body pos="1 0 1"><freejoint/><geom type="ellipsoid" size=".1 .02 .05" fluidshape="ellipsoid"/><geom size=".03" pos=".1 .1 0"/></body>
        <body name="arm" pos="0 1 1"><joint name="a" axis="0 1 0" damping=".1"/><joint axis="0 0 1" armature=".01"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
          <body pos=".3 0 0"><joint name="b" type="ball" damping=".01"/><geom type="capsule" fromto="0 0 0 .2 .1 0" size=".03"/></body>
          <body pos=".3 0 0"><joint name="c" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .2 -.1 0" size=".03" fluidshape="ellipsoid" fluidcoef=".6 .3 1.2 .8 1.1"/></body></body>"#;
    let model = model(&format!(
        r#"<mujoco><option timestep=".01" integrator="implicit" density="1.2" viscosity=".01"/><default><geom contype="0" conaffinity="0"/></default>
        <worldbody>{spinning}</worldbody>
        <tendon><fixed name="t" damping=".2" armature=".01"><joint joint="a" coef="1"/><joint joint="c" coef="-.5"/></fixed></tendon>
        <actuator><motor joint="a" gear="3"/><velocity joint="c" kv=".3"/><position tendon="t" kp="2" kv=".1"/></actuator>
        <keyframe><key qvel="1 0 0 30 20 -10  0 1 0 -20 30 15  5 -8 6 -7 9 10"/></keyframe>
        <sensor><subtreelinvel body="arm"/><subtreeangmom body="arm"/></sensor></mujoco>"#
    ));
    let wanted = Wanted { results: vec!["sensordata".into()], ..Wanted::default() };
    for (precision, bounds) in [(Precision::F64, [1e-9; 3]), (Precision::F32, [1e-4, 2e-3, 1e-2])] {
        let kernel = Kernel::new(Tables::new(&model, &wanted).unwrap(), precision);
        let (mut data, mut noise) = (model.make_data().unwrap(), Noise(5));
        data.reset_to_keyframe(&model, 0).unwrap();
        for _ in 0..20 {
            data.ctrl.iter_mut().for_each(|u| *u = noise.next());
            let mut state = state_of(&model, &data);
            data.step(&model).unwrap();
            kernel.steps(&mut state, 1);
            let far = |a: &[f64], b: &[f64]| {
                a.iter().zip(b).map(|(x, y)| (x - y).abs() / (1.0 + y.abs())).fold(0.0, f64::max)
            };
            let errors = [
                far(&state.qpos, &data.qpos),
                far(&state.qvel, &data.qvel),
                far(&state.sensordata, &data.sensordata),
            ];
            assert!(errors.iter().zip(bounds).all(|(&x, bound)| x < bound), "{precision:?}: {errors:?}");
        }
    }
}

/// F11.1: more paths than have room at a time are made in groups.
#[test]
fn many_tendons_pull_as_on_the_cpu() {
    let site = |name: &str, x: f64, y: f64| format!(r#"<site name="{name}" pos="{x} {y} 0"/>"#);
    let (mut low, mut high, mut tendons) = (String::new(), String::new(), String::new());
    for i in 0..40 {
        let y = 0.01 * f64::from(i) - 0.2;
        low += &site(&format!("a{i}"), 0.1, y);
        low += &site(&format!("b{i}"), 0.2, -y);
        high += &site(&format!("c{i}"), 0.15, y);
        let sites: String = ["a", "b", "c"].iter().map(|s| format!(r#"<site site="{s}{i}"/>"#)).collect();
        tendons += &format!(r#"<spatial stiffness="{}" damping=".1">{sites}</spatial>"#, 1 + i % 3);
    }
    agrees(
        &format!(
            r#"<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".05" pos=".2 0 0" contype="0"/>{low}
               <body pos=".3 0 0"><joint axis="0 0 1"/><joint axis="1 0 0"/>
               <geom size=".05" pos=".2 0 0" contype="0"/>{high}</body></body></worldbody>
               <tendon>{tendons}</tendon></mujoco>"#
        ),
        5,
    );
}

/// Rows of a world are moved four numbers at a time, wherever the list of touching pairs ends; the host's build of the kernels
/// does not compile where they are not aligned.
#[test]
fn any_number_of_pairs_leaves_rows_aligned() {
    for pairs in 1..4 {
        let ball = |i: usize| if i < pairs { r#"<geom size=".1"/>"# } else { "" };
        let body = |i: usize| {
            let place = format!(r#"<body pos="{i} 0 .3"><joint axis="0 1 0"/>"#);
            place + ball(i) + r#"<inertial pos=".1 0 0" mass="1" diaginertia=".1 .1 .1"/></body>"#
        };
        let bodies: String = (0..24).map(body).collect();
        let floor = r#"<geom type="plane" size="5 5 1" contype="1" conaffinity="0"/>"#;
        agrees(
            &format!(
                r#"<mujoco><default><geom contype="0"/></default><worldbody>{floor}{bodies}</worldbody></mujoco>"#
            ),
            3,
        );
    }
}

/// F11.1: convex meshes against planes, meshes and simple shapes.
#[test]
fn meshes_touch_as_on_the_cpu() {
    agrees(
        r#"<mujoco><option timestep=".004"/>
        <asset>
          <mesh name="wedge" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2 .2 .2 .05"/>
          <mesh name="gem" vertex=".1 0 0 -.1 0 0 0 .1 0 0 -.1 0 0 0 .1 0 0 -.1 .07 .07 .07 -.07 .07 .07 .07 -.07 .07 .07 .07 -.07 -.07 -.07 .07 -.07 -.07 -.07"/>
        </asset>
        <worldbody>
          <geom type="plane" size="5 5 1"/>
          <body pos="0 0 .12" euler="10 20 0"><freejoint/><geom type="mesh" mesh="gem"/></body>
          <body pos=".02 .03 .32"><freejoint/><geom type="mesh" mesh="wedge"/></body>
          <body pos=".6 0 .12"><freejoint/><geom type="mesh" mesh="wedge"/></body>
          <body pos=".62 .02 .34" euler="30 10 0"><freejoint/><geom type="box" size=".08 .07 .06"/></body>
          <body pos="1.2 0 .12"><freejoint/><geom type="mesh" mesh="gem"/></body>
          <body pos="1.22 .01 .3"><freejoint/><geom type="sphere" size=".08"/></body>
        </worldbody></mujoco>"#,
        10,
    );
}

/// F11.1: several contacts of convex shapes: faces that lie on each other, edges on faces, and shapes without faces that are turned a little.
#[test]
fn convex_shapes_touch_in_several_points() {
    let gem = r#"<geom type="mesh" mesh="gem"/>"#;
    let block = r#"<geom type="mesh" mesh="block"/>"#;
    let wedge = r#"<geom type="mesh" mesh="wedge"/>"#;
    // where iterations end on round shapes depends on rounding
    for (margin, bound, pairs) in [
        (
            0.0,
            1e-9,
            vec![(block, BOX), (block, block), (wedge, block), (gem, wedge), (BOX, wedge), (wedge, BOX)],
        ),
        (0.01, 1e-9, vec![(block, BOX), (wedge, block)]),
        (0.0, 1e-7, vec![(block, CYLINDER), (CAPSULE, block), (CYLINDER, BOX), (gem, ELLIPSOID)]),
    ] {
        let mut bodies = String::new();
        for (i, (a, b)) in pairs.iter().enumerate() {
            let (x, turn) = (i as f64 * 0.6, 17 * (i + 1)); // corners that lie on edges are ties
            bodies += &format!(r#"<body pos="{x} 0 .103" euler="1 2 0"><freejoint/>{a}</body>"#);
            bodies += &format!(r#"<body pos="{x} .02 .27" euler="1 2 {turn}"><freejoint/>{b}</body>"#);
        }
        let model = model(&format!(
            r#"<mujoco><option timestep=".004" ccd_tolerance="1e-11"><flag multiccd="enable"/></option><default><geom margin="{margin}"/></default>
            <asset>
              <mesh name="wedge" vertex="-.1 -.1 -.1  .1 -.1 -.1  -.1 .1 -.1  .1 .1 -.1  -.1 0 .1  .1 0 .1"/>
              <mesh name="block" vertex="-.1 -.1 -.08 .1 -.1 -.08 -.1 .1 -.08 .1 .1 -.08 -.1 -.1 .08 .1 -.1 .08 -.1 .1 .08 .1 .1 .08"/>
              <mesh name="gem" vertex=".1 0 0 -.1 0 0 0 .1 0 0 -.1 0 0 0 .1 0 0 -.1 .07 .07 .07 -.07 .07 .07 .07 -.07 .07 .07 .07 -.07 -.07 -.07 .07 -.07 -.07 -.07"/>
            </asset><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>"#
        ));
        let worst = compare(&model, Precision::F64, 16, 6, 1);
        assert!(worst.iter().all(|&x| x < bound), "margin {margin}, double precision: {worst:?}");
        // single precision: while they fall on each other; at rest, what it cannot hold decides which corners touch
        let worst = compare(&model, Precision::F32, 4, 4, 1);
        assert!(worst[0] < 1e-4 && worst[1] < 1e-2, "margin {margin}, single precision: {worst:?}");
    }
}

/// F11.1: height fields.
#[test]
fn height_fields_carry_as_on_the_cpu() {
    let model = model(
        r#"<mujoco><option timestep=".004"/>
        <asset><hfield name="hills" nrow="5" ncol="5" size="1 1 .3 .1"
          elevation="0 .1 .3 .2 0 .2 .8 .4 .1 0 .3 .5 1 .6 .2 .1 .4 .5 .3 .1 0 .2 .1 .3 0"/></asset>
        <worldbody>
          <geom type="hfield" hfield="hills"/>
          <body pos=".1 .2 .5"><freejoint/><geom type="sphere" size=".1"/></body>
          <body pos="-.5 .3 .45" euler="30 0 0"><freejoint/><geom type="capsule" size=".06 .12"/></body>
          <body pos=".4 -.4 .45" euler="20 40 0"><freejoint/><geom type="box" size=".1 .08 .06"/></body>
        </worldbody></mujoco>"#,
    );
    let worst = compare(&model, Precision::F64, 12, 12, 1);
    assert!(worst.iter().all(|&x| x < 1e-9), "double precision: {worst:?}");
    // The same contacts in single precision. Where two sides of a prism are equally deep, rounding of the pose decides
    // between their normals: velocities may differ then, but stay bounded.
    let worst = compare(&model, Precision::F32, 12, 12, 1);
    assert!(worst[0] < 1e-2 && worst[1] < 1.0, "single precision: {worst:?}");
}

/// F11.1: the kernel without the algorithms for general convex shapes makes the same steps while none of them may touch, and stops before
/// the step in which one may; so it does where boxes may touch.
#[test]
fn plain_kernels_stop_before_convex_shapes_touch() {
    let model = model(
        r#"<mujoco><option timestep=".004"/>
        <asset><hfield name="hills" nrow="3" ncol="3" size="1 1 .2 .1" elevation="0 .5 0 .5 1 .5 0 .5 0"/>
          <mesh name="wedge" vertex="-.1 -.1 -.1  .1 -.1 -.1  -.1 .1 -.1  .1 .1 -.1  -.1 0 .1  .1 0 .1"/></asset>
        <worldbody>
          <geom type="hfield" hfield="hills"/><geom type="plane" size="5 5 1" pos="0 0 -1"/>
          <body pos="0 0 3"><freejoint/><geom type="mesh" mesh="wedge"/></body>
          <body pos="4 0 -.91" euler="0 0 20"><freejoint/><geom type="box" size=".2 .2 .1"/></body>
          <body pos="4.05 .02 -.75" euler="0 90 50"><freejoint/><geom type="capsule" size=".07 .1"/></body>
        </worldbody></mujoco>"#,
    );
    let [mut plain, mut whole] = [true, false].map(|plain| {
        let tables = Tables::new(&model, &Wanted { plain, ..Wanted::default() }).unwrap();
        (Kernel::new(tables, Precision::F64), state_of(&model, &model.make_data().unwrap()))
    });
    let (mut steps, mut contacts) = (0, 0);
    loop {
        let before = plain.1.clone();
        plain.0.steps(&mut plain.1, 1);
        if plain.1.status != 0 {
            assert_eq!(
                (&plain.1.qpos, &plain.1.qvel),
                (&before.qpos, &before.qvel),
                "the world is as it was"
            );
            break;
        }
        whole.0.steps(&mut whole.1, 1);
        assert_eq!((&plain.1.qpos, &plain.1.qvel), (&whole.1.qpos, &whole.1.qvel));
        (steps, contacts) = (steps + 1, contacts + plain.1.contacts);
        assert!(steps < 1000, "the wedge falls on the hills");
    }
    assert!(steps > 50 && contacts > 100, "{steps} steps, {contacts} contacts");
    let falling = self::model(
        r#"<mujoco><worldbody><body><freejoint/><geom type="ellipsoid" size=".1 .2 .3"/></body>
          <body pos="4 0 0"><freejoint/><geom type="box" size=".1 .1 .1"/></body><geom type="box" pos="4 0 -.4" size=".2 .2 .1"/></worldbody></mujoco>"#,
    );
    let kernel = Kernel::new(
        Tables::new(&falling, &Wanted { plain: true, ..Wanted::default() }).unwrap(),
        Precision::F64,
    );
    let mut state = state_of(&falling, &falling.make_data().unwrap());
    let until = (0..200).find(|_| {
        kernel.steps(&mut state, 1);
        state.status != 0
    });
    let height = state.qpos[9];
    assert!(until.is_some() && (-0.21..-0.15).contains(&height), "stopped at {until:?}, {height}");
}

/// F11.1: edges of boxes cross, corners lie on faces and faces on each other; also in single precision the contacts are the CPU's.
#[test]
fn boxes_touch_as_on_the_cpu() {
    let (mut bodies, mut noise) = (String::new(), Noise(5));
    for i in 0..12 {
        let turn: [i32; 3] =
            std::array::from_fn(|_| if i % 4 == 0 { 0 } else { (180.0 * noise.next()) as i32 });
        let (x, y, z) = (0.16 * f64::from(i % 2), 0.16 * f64::from(i / 2 % 2), 0.11 + 0.2 * f64::from(i / 4));
        let [a, b, c] = turn;
        bodies += &format!(
            r#"<body pos="{x} {y} {z}" euler="{a} {b} {c}"><freejoint/><geom type="box" size=".1 .08 .06"/></body>"#
        );
    }
    let xml = format!(
        r#"<mujoco><option timestep=".002" tolerance="0" iterations="100"/><worldbody><geom type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>"#
    );
    let model = model(&xml);
    let worst = compare(&model, Precision::F64, 40, 8, 1);
    assert!(worst.iter().all(|&x| x < 1e-9), "double precision: {worst:?}");
    let worst = compare(&model, Precision::F32, 40, 8, 1);
    assert!(worst[0] < 1e-5 && worst[1] < 1e-3, "single precision: {worst:?}");
}

/// F11.1: both limits of a narrow range act at once.
#[test]
fn narrow_ranges_hold_as_on_the_cpu() {
    agrees(
        r#"<mujoco><option timestep=".004"/><default><geom contype="0" conaffinity="0" mass=".5"/></default>
        <worldbody>
          <body><joint name="a" range="-3 4" limited="true" margin=".1"/><geom size=".1" pos=".2 0 0"/>
            <body pos=".3 0 0"><joint name="b" axis="0 1 0" type="slide" range="-.01 .02" limited="true" margin=".1"/><geom size=".05"/></body></body>
          <body pos="0 1 0"><joint name="c" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body>
          <body pos="0 2 0"><joint name="d" axis="0 1 0" range="-40 40" limited="true"/><geom size=".1" pos=".2 0 0"/></body>
        </worldbody>
        <tendon><fixed limited="true" range="-.1 .2" margin=".3"><joint joint="c" coef="1"/><joint joint="d" coef="-.5"/></fixed></tendon>
        <actuator><motor joint="a" gear="3"/><motor joint="b" gear="20"/><motor joint="c" gear="5"/></actuator></mujoco>"#,
        10,
    );
}

/// F11.1: actuators of disabled groups exert nothing, and their activations rest.
#[test]
fn disabled_actuator_groups_do_nothing() {
    agrees(
        r#"<mujoco><option timestep=".004" actuatorgroupdisable="1 3"/><worldbody>
          <body><joint name="a" damping=".1"/><geom size=".1" pos=".2 0 0"/>
            <body pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom size=".05" pos=".1 0 0"/></body></body>
        </worldbody>
        <tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef=".5"/></fixed></tendon>
        <actuator><motor joint="a" group="0"/><position joint="a" kp="4" group="1"/><general joint="b" dyntype="filter" dynprm=".1" group="3"/>
          <general joint="b" dyntype="integrator" group="2"/><motor tendon="t" gear="3" group="1"/><motor tendon="t" group="2"/></actuator>
        <sensor><jointactuatorfrc joint="a"/><jointactuatorfrc joint="b"/></sensor></mujoco>"#,
        10,
    );
}

/// F11.1: actuators that carry gravity compensation do so within the joint's limit of their force.
#[test]
fn carried_weight_counts_towards_the_limit() {
    agrees(
        r#"<mujoco><option timestep=".004"/><default><geom contype="0" conaffinity="0" mass="1"/></default><worldbody>
          <body gravcomp="1"><joint name="a" axis="0 1 0" damping=".1" actuatorgravcomp="true" actuatorfrcrange="-3 4" actuatorfrclimited="true"/>
            <geom size=".1" pos=".3 0 0"/>
            <body pos=".5 0 0" gravcomp=".5"><joint name="b" axis="0 1 0" actuatorgravcomp="true"/><geom size=".1" pos=".2 0 0"/>
              <body pos=".4 0 0"><joint name="c" axis="0 1 0" actuatorfrcrange="-1 1" actuatorfrclimited="true"/><geom size=".05" pos=".1 0 0"/></body></body></body>
          <body pos="0 1 0" gravcomp="2"><joint name="d" type="slide" axis="0 0 1" actuatorgravcomp="true" actuatorfrcrange="-8 8" actuatorfrclimited="true"/><geom size=".1"/></body>
        </worldbody>
        <actuator><motor joint="a" gear="3"/><motor joint="b"/><motor joint="c" gear="2"/><motor joint="d" gear="5"/></actuator>
        <sensor><jointactuatorfrc joint="a"/><jointactuatorfrc joint="b"/><jointactuatorfrc joint="c"/><jointactuatorfrc joint="d"/></sensor></mujoco>"#,
        10,
    );
}

/// F11.1: actuators that are missing or switched off carry no weight, also where they are asked to.
#[test]
fn idle_actuators_carry_nothing() {
    let arm = r#"<worldbody><body gravcomp="1"><joint name="a" axis="0 1 0" actuatorgravcomp="true"/><geom size=".1" pos=".3 0 0"/>
        <body pos=".5 0 0" gravcomp=".5"><joint type="ball" actuatorgravcomp="true"/><geom size=".1" pos=".2 0 0"/>
        <body pos=".4 0 0" gravcomp=".7"><joint axis="0 1 0"/><geom size=".05" pos=".1 0 0"/></body></body></body></worldbody>"#;
    let off = r#"<option><flag actuation="disable"/></option><actuator><motor joint="a"/></actuator>"#;
    for more in ["", off] {
        agrees(
            &format!(
                r#"<mujoco><default><geom contype="0" conaffinity="0" mass="1"/></default>{arm}{more}</mujoco>"#
            ),
            10,
        );
    }
}

/// F11.1: bodies adhere at contacts within a gap, which do not push.
#[test]
fn bodies_adhere_within_a_gap() {
    for cone in ["pyramidal", "elliptic"] {
        agrees(
            &format!(
                r#"<mujoco><option timestep=".004" cone="{cone}" gravity="0 0 -2"/><worldbody><geom type="plane" size="5 5 1"/>
                <body name="pad" pos="0 0 .06"><freejoint/><geom size=".05" margin=".03" gap=".02"/><geom type="box" size=".1 .02 .02" pos="0 0 -.01" margin=".03" gap=".03"/></body>
                <body pos=".1 .02 .17"><freejoint/><geom type="capsule" size=".1 .08" margin=".04" gap=".03"/></body></worldbody>
                <actuator><adhesion body="pad" ctrlrange="0 1" gain="3"/></actuator></mujoco>"#
            ),
            4,
        );
    }
}

/// F11.1: the options' contact parameters replace those of geoms and pairs.
#[test]
fn overridden_contacts_act_as_on_the_cpu() {
    for cone in ["pyramidal", "elliptic"] {
        agrees(
            &format!(
                r#"<mujoco><option timestep=".004" cone="{cone}" o_margin=".02" o_solref=".03 .8" o_solimp=".8 .9 .01 .5 2" o_friction=".4 .4 .01 .001 .001">
                <flag override="enable"/></option><worldbody><geom name="floor" type="plane" size="5 5 1" friction="2"/>
                <body pos="0 0 .12" euler="10 0 0"><freejoint/><geom name="box" type="box" size=".1 .08 .1" priority="2" margin=".1"/></body>
                <body pos=".3 0 .12"><freejoint/><geom name="ball" size=".1" condim="4"/></body>
                <body pos=".5 0 .12"><freejoint/><geom type="capsule" size=".05 .1"/></body></worldbody>
                <contact><pair geom1="floor" geom2="ball" friction="1 1 .1 .1 .1" margin=".3"/></contact></mujoco>"#
            ),
            10,
        );
    }
}

/// F11.1: connect, weld, joint and tendon equalities, on bodies and on sites.
#[test]
fn equalities_hold_as_on_the_cpu() {
    agrees(
        r#"<mujoco><option timestep=".004"/><default><geom contype="0" conaffinity="0" mass=".5"/></default>
        <worldbody>
          <body name="a" pos="0 0 1"><joint name="ja" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
            <body name="b" pos=".3 0 0"><joint name="jb" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
              <site name="tip" pos=".3 0 0"/></body></body>
          <body name="c" pos="0 .3 1"><freejoint/><geom type="box" size=".05 .06 .07"/><site name="hook" pos="0 0 .1"/></body>
          <body name="d" pos=".4 .3 1"><joint name="jd" type="ball"/><geom type="capsule" fromto="0 0 0 .2 0 .1" size=".03"/></body>
          <body name="f" pos="0 .6 1"><joint name="jf" axis="1 0 0"/><geom type="capsule" fromto="0 0 0 0 .2 0" size=".03"/></body>
          <body name="g" pos=".3 .6 1"><joint name="jg" axis="1 0 0"/><geom type="capsule" fromto="0 0 0 0 .2 0" size=".03"/></body>
        </worldbody>
        <tendon><fixed name="t1"><joint joint="jf" coef="1"/></fixed><fixed name="t2"><joint joint="jg" coef=".5"/><joint joint="jd" coef="0"/></fixed></tendon>
        <equality>
          <connect body1="b" body2="a" anchor=".1 .05 0"/>
          <weld body1="c" body2="d" torquescale=".7"/>
          <connect site1="tip" site2="hook"/>
          <joint joint1="jf" joint2="jg" polycoef=".1 .8 .1 0 0"/>
          <tendon tendon1="t1" tendon2="t2" polycoef="0 1 .2 0 0"/>
        </equality></mujoco>"#
            .replace(r#"<joint joint="jd" coef="0"/>"#, "")
            .as_str(),
        6,
    );
}

const MUSCLES: &str = r#"<mujoco><option timestep=".002"/><default><geom contype="0" conaffinity="0"/></default>
    <worldbody>
      <site name="origin" pos="0 0 1.2"/><site name="side" pos="0 -.12 1"/>
      <geom name="ball" type="sphere" size=".1" pos="0 0 1"/>
      <body name="upper" pos="0 0 1"><joint name="s" axis="0 1 0"/><joint name="s2" axis="1 0 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".03" mass="1"/><site name="p1" pos=".06 0 -.2"/>
        <body name="lower" pos="0 0 -.4"><joint name="e" axis="0 1 0" range="-120 0"/>
          <geom name="pulley" type="cylinder" size=".05 .1" euler="90 0 0"/><site name="inside" pos=".01 0 0"/>
          <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".03" mass=".6"/><site name="p2" pos=".05 .02 -.15"/><site name="p3" pos="0 0 -.3"/>
        </body></body>
    </worldbody>
    <tendon>
      <spatial name="biceps" stiffness="20" damping=".5" springlength=".3"><site site="origin"/><geom geom="ball" sidesite="side"/><site site="p1"/><geom geom="pulley"/><site site="p2"/></spatial>
      <spatial name="inner"><site site="p1"/><geom geom="pulley" sidesite="inside"/><site site="p2"/></spatial>
      <spatial name="split" limited="true" range="0 .9" frictionloss=".1"><site site="origin"/><site site="p1"/><pulley divisor="2"/><site site="p1"/><site site="p2"/><pulley divisor="2"/><site site="p1"/><site site="p3"/></spatial>
    </tendon>
    <actuator><muscle name="m1" tendon="biceps" lengthrange=".2 1"/><muscle name="m2" tendon="split" lengthrange=".2 1"/><motor tendon="inner" gear="3"/></actuator>
    <sensor><tendonpos tendon="biceps"/><tendonvel tendon="split"/><actuatorfrc actuator="m1"/></sensor></mujoco>"#;

/// F11.1: spatial tendons around spheres and cylinders, from inside and outside, pulleys, muscles.
#[test]
fn spatial_tendons_pull_as_on_the_cpu() {
    agrees(MUSCLES, 25);
}

/// F11.1: the same with the integrator that treats muscles and dampers implicitly.
#[test]
fn implicit_muscles_pull_as_on_the_cpu() {
    agrees(&MUSCLES.replace(r#"timestep=".002""#, r#"timestep=".002" integrator="implicitfast""#), 25);
}

/// F11.1: every transmission, force limits of tendons and joints.
#[test]
fn transmissions_act_as_on_the_cpu() {
    agrees(
        r#"<mujoco><option timestep=".004"/>
        <worldbody>
          <geom type="plane" size="5 5 1"/><site name="anchor" pos="0 0 .5"/>
          <body pos="0 0 .5"><freejoint name="free"/><geom type="box" size=".1 .08 .06"/><site name="thruster" pos=".05 0 .02" euler="20 30 0"/></body>
          <body pos="1 0 .8"><joint name="ball" type="ball"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="hand" pos=".3 0 0" euler="0 10 0"/></body>
          <body pos="2 0 .5"><joint name="wheel" axis="0 1 0"/><geom type="cylinder" size=".1 .02" euler="90 0 0"/><site name="crank" pos=".08 0 0"/></body>
          <body pos="2.4 0 .5"><joint name="slide" type="slide" axis="1 0 0"/><geom type="box" size=".05 .03 .03"/><site name="slider" euler="0 -90 0"/></body>
          <body name="pad" pos="3 0 .049"><freejoint/><geom type="sphere" size=".05"/></body>
        </worldbody>
        <tendon><fixed name="both" actuatorfrclimited="true" actuatorfrcrange="-1 1"><joint joint="wheel" coef="1"/><joint joint="slide" coef="-.5"/></fixed></tendon>
        <actuator>
          <motor joint="free" gear="1 .2 0 0 .1 .3"/><motor joint="ball" gear=".3 .1 .2"/>
          <general jointinparent="ball" gear=".1 .3 .2" gainprm="2" biastype="affine" biasprm="0 -1 -.1"/>
          <motor site="thruster" gear="1 0 2 0 .1 .2"/>
          <position site="hand" refsite="anchor" gear="1 0 0 0 .5 0" kp="3"/>
          <motor cranksite="crank" slidersite="slider" cranklength=".5" gear="2"/>
          <adhesion body="pad" ctrlrange="0 1" gain="3"/>
          <motor tendon="both" gear="2"/><position tendon="both" kp="5"/>
          <velocity joint="slide" kv="2" forcerange="-1 1" forcelimited="true"/>
        </actuator></mujoco>"#,
        6,
    );
}

/// F11.1: fluids by boxes and by ellipsoids, mocap bodies, gravity compensation.
#[test]
fn fluids_and_mocap_act_as_on_the_cpu() {
    agrees(
        r#"<mujoco><option timestep=".004" density="1.2" viscosity=".02" wind="1 .5 0"/>
        <worldbody>
          <body name="hand" mocap="true" pos="0 0 1"><geom type="sphere" size=".05"/></body>
          <body name="held" pos="0 0 1"><freejoint/><geom type="box" size=".1 .02 .05" contype="0" conaffinity="0"/></body>
          <body pos="1 0 1" gravcomp=".5"><freejoint/><geom type="ellipsoid" size=".2 .1 .05" fluidshape="ellipsoid"/></body>
          <body pos="2 0 1"><joint axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/></body>
        </worldbody>
        <equality><weld body1="hand" body2="held"/></equality></mujoco>"#,
        10,
    );
}

/// F11.1: forces of fluids, by boxes and by ellipsoids with all their coefficients, that are integrated implicitly.
#[test]
fn implicit_fluids_drag_as_on_the_cpu() {
    let arm = |z: &str, fluid: &str| {
        format!(
            r#"<body pos="0 0 {z}"><joint axis="0 1 0" damping=".02"/><joint axis="0 0 1"/>
            <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04" {fluid}/>
            <body pos=".3 0 0"><joint type="ball"/><geom type="ellipsoid" size=".1 .04 .02" pos=".1 0 0" euler="10 20 30" {fluid}/>
            <geom type="cylinder" size=".03 .05" pos=".1 .1 0" {fluid}/></body></body>"#
        )
    };
    let shape = r#"fluidshape="ellipsoid" fluidcoef=".6 .3 1.2 .8 1.1""#;
    agrees(
        &format!(
            r#"<mujoco><option timestep=".004" integrator="implicitfast" density="300" viscosity=".3" wind="1 .5 .2"/>
            <default><geom contype="0" conaffinity="0"/></default><worldbody>{}{}
              <body pos="1 0 1"><freejoint/><geom type="box" size=".1 .02 .05"/></body>
              <body pos="2 0 1"><freejoint/><geom type="ellipsoid" size=".2 .1 .05" {shape}/></body>
            </worldbody></mujoco>"#,
            arm("1", ""),
            arm("2", shape)
        ),
        10,
    );
}

/// F11.1: sensors of positions, velocities, accelerations and forces.
#[test]
fn sensors_read_as_on_the_cpu() {
    agrees(
        r#"<mujoco><option timestep=".004" magnetic="0 -.5 .1"/>
        <worldbody>
          <geom type="plane" size="5 5 1"/>
          <body name="base" pos="0 0 .12"><freejoint/><geom name="trunk" type="box" size=".1 .08 .06"/><site name="imu" pos=".02 0 .03" euler="10 20 30"/>
            <site name="skin" type="box" size=".12 .1 .08"/>
            <body name="arm" pos=".1 0 0"><joint name="j" axis="0 1 0" damping=".1" actuatorfrcrange="-1 1"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/><site name="wrist" pos=".05 0 0"/>
              <body name="eye" pos=".2 0 0"><joint name="b" type="ball" damping=".02"/><geom type="sphere" size=".03"/><site name="pupil" type="sphere" size=".04"/></body></body></body>
        </worldbody>
        <actuator><position name="p" joint="j" kp="3"/></actuator>
        <sensor>
          <touch site="skin"/><touch site="pupil"/><accelerometer site="imu"/><velocimeter site="imu"/><gyro site="imu" cutoff=".5"/><force site="wrist"/><torque site="wrist"/>
          <magnetometer site="imu"/><jointpos joint="j"/><jointvel joint="j"/><ballquat joint="b"/><ballangvel joint="b"/><actuatorpos actuator="p"/><actuatorvel actuator="p"/><actuatorfrc actuator="p"/><jointactuatorfrc joint="j"/>
          <framepos objtype="site" objname="pupil" reftype="body" refname="base"/><framequat objtype="body" objname="eye" reftype="site" refname="imu"/><framexaxis objtype="geom" objname="trunk"/><framezaxis objtype="xbody" objname="arm" reftype="site" refname="imu"/>
          <framelinvel objtype="site" objname="wrist" reftype="xbody" refname="base"/><frameangvel objtype="body" objname="eye"/><framelinacc objtype="site" objname="wrist"/><frameangacc objtype="body" objname="arm"/>
          <subtreecom body="base"/><subtreelinvel body="arm"/><subtreeangmom body="base"/><clock/>
        </sensor></mujoco>"#,
        10,
    );
}

/// Parameters of its own: a world computes with its numbers, not with the model's.
#[test]
fn a_world_has_numbers_of_its_own() {
    let model = model(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 .5"><joint axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></worldbody></mujoco>"#,
    );
    let own: Vec<String> = ["body_mass", "dof_damping", "opt.gravity"].map(String::from).to_vec();
    let wanted = Wanted { own, ..Wanted::default() };
    let errors = compare_states(&model, Precision::F64, 4, 5, 1, &wanted);
    assert!(errors.iter().flatten().all(|&x| x < 1e-12), "the model's own numbers: {errors:?}");
    // the same kernel with other numbers is the CPU's step of a model changed so
    let mut changed = model.clone();
    changed.opt.gravity = [1.0, 0.0, -3.0];
    changed.dof_damping[0] = 0.7;
    changed.body_mass[1] *= 2.0;
    let mut tables = Tables::new(&model, &wanted).unwrap();
    for field in tables.own_fields.clone() {
        let values: &[f64] = match field.name.as_str() {
            "body_mass" => &changed.body_mass,
            "dof_damping" => &changed.dof_damping,
            _ => &changed.opt.gravity,
        };
        tables.own[field.start..field.start + field.len].copy_from_slice(values);
    }
    let kernel = Kernel::new(tables, Precision::F64);
    let mut data = model.make_data().unwrap();
    data.qvel[0] = Noise(3).next();
    let mut state = state_of(&model, &data);
    data.step(&changed).unwrap();
    kernel.steps(&mut state, 1);
    assert!((state.qvel[0] - data.qvel[0]).abs() < 1e-12, "{:?} {:?}", state.qvel, data.qvel);
}

/// A world's own gains do not bring disabled actuators to life.
#[test]
fn own_gains_leave_disabled_actuators_alone() {
    let model = model(
        r#"<mujoco><option actuatorgroupdisable="1"/><worldbody><body><joint name="a" damping=".1"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
        <actuator><motor name="m" joint="a"/><position name="p" joint="a" kp="4" group="1"/></actuator>
        <sensor><actuatorfrc actuator="m"/><actuatorfrc actuator="p"/><jointactuatorfrc joint="a"/></sensor></mujoco>"#,
    );
    let wanted = Wanted {
        own: vec!["actuator_gainprm".into(), "actuator_biasprm".into()],
        results: vec!["sensordata".into()],
        ..Wanted::default()
    };
    let mut tables = Tables::new(&model, &wanted).unwrap();
    tables.own.iter_mut().for_each(|x| *x += 0.5);
    let mut changed = model.clone();
    for row in changed.actuator_gainprm.iter_mut().chain(changed.actuator_biasprm.iter_mut()) {
        row.iter_mut().for_each(|x| *x += 0.5);
    }
    let mut data = model.make_data().unwrap();
    data.ctrl.fill(0.7);
    let mut state = state_of(&model, &data);
    data.step(&changed).unwrap();
    Kernel::new(tables, Precision::F64).steps(&mut state, 1);
    assert!((state.qvel[0] - data.qvel[0]).abs() < 1e-12, "{:?} {:?}", state.qvel, data.qvel);
    for (x, y) in state.sensordata.iter().zip(&data.sensordata[..]) {
        assert!((x - y).abs() < 1e-12, "{:?} {:?}", state.sensordata, data.sensordata);
    }
}

/// What is missing is refused by name.
#[test]
fn what_is_missing_is_refused_by_name() {
    let refusal = |xml: &str| Tables::new(&model(xml), &Wanted::default()).unwrap_err().to_string();
    let body = |option: &str| {
        format!(
            r#"<mujoco>{option}<worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#
        )
    };
    assert!(refusal(&body(r#"<option solver="PGS"/>"#)).contains("PGS"));
    assert!(refusal(&body(r#"<option noslip_iterations="3"/>"#)).contains("no-slip"));
}

/// F11.1: controls reach their actuators late, held or between samples, also those of less than a step and of more than the buffer has.
#[test]
fn controls_are_delayed() {
    let joints = ["hold", "linear", "cubic", "none", "short", "long", "ends"];
    let bodies: String = joints
        .iter()
        .map(|name| {
            format!(r#"<body pos="0 0 1"><joint name="{name}" damping=".1"/><geom size=".1" pos=".2 0 0"/></body>"#)
        })
        .collect();
    for integrator in ["implicitfast", "RK4"] {
        delays_agree(&bodies, integrator);
    }
}

fn delays_agree(bodies: &str, integrator: &str) {
    let xml = format!(
        r#"<mujoco><option timestep=".01" integrator="{integrator}"/><worldbody>{bodies}</worldbody><actuator>
        <motor joint="hold" delay=".034" nsample="6"/>
        <motor joint="linear" delay=".025" nsample="5" interp="linear" ctrllimited="true" ctrlrange="-.5 .5"/>
        <general joint="cubic" delay=".027" nsample="6" interp="cubic" dyntype="filter" dynprm=".1"/>
        <motor joint="none"/>
        <position joint="short" kp="3" delay=".004" nsample="3" interp="linear"/>
        <motor joint="long" delay=".03" nsample="3" interp="cubic"/>
        <motor joint="ends" delay=".015" nsample="3" interp="cubic"/>
        </actuator></mujoco>"#
    );
    let model = model(&xml);
    for steps in [1, 9] {
        let worst = compare(&model, Precision::F64, 12, 3, steps);
        assert!(worst.iter().all(|&x| x < 1e-11), "{worst:?}");
    }
    let worst = compare(&model, Precision::F32, 12, 3, 9);
    assert!(worst[0] < 1e-5 && worst[1] < 1e-4, "{worst:?}");
}

/// F11.1: what worlds keep of gaps between shapes never hides a contact: every step of convex shapes that fall on each other.
#[test]
fn kept_gaps_hide_no_contact() {
    let mut bodies = String::new();
    for i in 0..8 {
        let (x, z) = (0.13 * f64::from(i % 2), 0.2 + 0.17 * f64::from(i));
        let shape = [r#"type="mesh" mesh="wedge""#, r#"type="ellipsoid" size=".08 .06 .05""#][i as usize % 2];
        bodies +=
            &format!(r#"<body pos="{x} 0 {z}" euler="{} 20 0"><freejoint/><geom {shape}/></body>"#, 40 * i);
    }
    let wedge = "-.1 -.1 -.1  .1 -.1 -.1  -.1 .1 -.1  .1 .1 -.1  -.1 0 .1  .1 0 .1";
    let xml = format!(
        r#"<mujoco><option timestep=".004"/><asset><mesh name="wedge" vertex="{wedge}"/></asset>
        <worldbody><geom type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>"#
    );
    let model = ligament::load_model(&xml).unwrap();
    let errors = compare(&model, Precision::F64, 250, 1, 1);
    assert!(errors[0] < 1e-8, "{errors:?}");
}

/// F11.1: whether shapes that touch exactly (Newton's cradle at rest) are in contact is decided by less than single precision can
/// hold, on the CPU too: contact counts of such states say nothing about either engine.
#[test]
fn rounding_decides_whether_shapes_that_touch_exactly_do() {
    let ball = r#"<freejoint/><geom size=".1"/>"#;
    let xml = format!("<mujoco><worldbody><body>{ball}</body><body>{ball}</body></worldbody></mujoco>");
    let (model, mut noise) = (model(&xml), Noise(1));
    let mut touch = || {
        let mut data = model.make_data().unwrap();
        data.qpos[7] = 0.2 + 1e-8 * noise.next();
        data.step(&model).unwrap();
        !data.contact.is_empty()
    };
    let touching = (0..200).filter(|_| touch()).count();
    assert!(touching > 50 && touching < 150, "{touching} of 200");
}

/// Two arms of three joints with friction, limits and a coupling, two things that fall on each other, one that touches nothing.
fn short_searches(option: &str, flags: &str) -> Model {
    let arm = |name: &str, y: f64| {
        format!(
            r#"<body pos="-1 {y} .12"><joint name="{name}" axis="0 1 0" range="-40 30" limited="true" damping=".2" frictionloss=".3"/>
               <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/><body pos=".3 0 0"><joint axis="0 1 0" range="-40 60" limited="true"/>
               <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/><body pos=".3 0 0"><joint axis="1 0 1" armature=".01"/>
               <geom type="box" size=".1 .08 .05" pos=".1 0 0"/></body></body></body>"#
        )
    };
    model(&format!(
        r#"<mujoco><option timestep=".004" {option}><flag {flags}/></option><worldbody><geom type="plane" size="5 5 1"/>{}{}
           <body pos=".5 0 .13" euler="10 0 0"><freejoint/><geom type="capsule" size=".06 .1"/></body>
           <body pos=".5 .02 .36" euler="0 40 20"><freejoint/><geom type="box" size=".1 .08 .06"/></body>
           <body pos="1.5 .02 .3" euler="0 70 20"><freejoint/><geom type="box" size=".1 .08 .06"/></body>
           <body pos="3 3 30"><freejoint/><geom type="box" size=".1 .08 .06"/></body></worldbody>
           <equality><joint joint1="l" joint2="r" polycoef="0 .8 0 0 0"/></equality></mujoco>"#,
        arm("l", 0.0),
        arm("r", 0.6)
    ))
}

/// F11.1: where the model allows a few iterations, the kernels make the CPU's: from its start, with its line search, island by island.
#[test]
fn few_iterations_are_those_of_the_cpu() {
    for (option, flags) in [
        (r#"iterations="0""#, ""),
        (r#"iterations="1" ls_iterations="4""#, ""),
        (r#"iterations="1" ls_iterations="4" cone="elliptic" impratio="2""#, ""),
        (r#"iterations="1" ls_iterations="1""#, r#"warmstart="disable""#),
        (r#"iterations="2" ls_iterations="5" integrator="implicitfast""#, ""),
        (r#"iterations="2" ls_iterations="6" integrator="RK4""#, ""),
        (r#"iterations="3""#, r#"island="disable""#),
        (r#"iterations="4" ls_iterations="3" cone="elliptic" tolerance="1e-4" ls_tolerance=".1""#, ""),
    ] {
        let few = short_searches(option, flags);
        let mut many = few.clone();
        (many.opt.iterations, many.opt.ls_iterations, many.opt.tolerance) = (100, 50, 1e-12);
        let tables = Tables::new(&few, &Wanted::default()).unwrap();
        let kernels = [Precision::F64, Precision::F32].map(|p| Kernel::new(tables.clone(), p));
        let (mut data, mut noise, mut worst) = (many.make_data().unwrap(), Noise(7), [0.0_f64; 3]);
        for _ in 0..40 {
            data.qfrc_applied.iter_mut().for_each(|f| *f = 0.3 * noise.next());
            (0..5).for_each(|_| data.step(&many).unwrap());
            let [mut judge, mut best] = [0; 2].map(|_| data.clone());
            judge.step(&few).unwrap();
            best.step(&many).unwrap();
            let far = |v: &[f64]| {
                v.iter()
                    .zip(&judge.qvel[..])
                    .map(|(x, y)| (x - y).abs() / (1.0 + y.abs()))
                    .fold(0.0, f64::max)
            };
            for (kernel, worst) in kernels.iter().zip(&mut worst) {
                let mut state = state_of(&few, &data);
                kernel.steps(&mut state, 1);
                *worst = worst.max(far(&state.qvel));
            }
            worst[2] = worst[2].max(far(&best.qvel));
        }
        assert!(worst[0] < 1e-9, "{option} {flags}, double precision: {worst:?}");
        assert!(worst[1] < 2e-2, "{option} {flags}, single precision: {worst:?}");
        assert!(worst[2] > 1e-3, "{option} {flags} ends at the minimum: {worst:?}");
    }
}
