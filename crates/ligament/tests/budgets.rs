//! Work that grows faster than what a model says is counted, and ends with a typed error.

use ligament::derivatives::{
    InverseJacobians, Transition, inverse_fd, passive_vel_fd, smooth_vel_fd, transition_fd,
};
use ligament::prelude::*;
use ligament::{DEFAULT_MEMORY, GrantedAssets, MemoryAssets, MjcfError, load_model, load_model_with_assets};

fn load(text: &str) -> Model {
    load_model(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Finite differences make as many steps as there are inputs: all together have a budget, which grows with that of a step.
#[test]
fn finite_differences_have_one_budget() {
    let model = load(
        "<mujoco><default><geom size='.1' contype='0' conaffinity='0'/></default>
         <worldbody><body><joint/><geom/><body pos='1 0 0'><joint/><geom/></body></body></worldbody></mujoco>",
    );
    let outcomes = |effort: Option<u64>| {
        let mut data = model.make_data().expect("a state");
        data.effort = effort.unwrap_or(data.effort);
        let (mut a, mut f) = ([0.0; 16], [0.0; 4]);
        let transition = Transition { A: Some(&mut a), ..Transition::default() };
        let inverse = InverseJacobians { DfDq: Some(&mut f), ..InverseJacobians::default() };
        [
            transition_fd(&model, &mut data, 1e-6, true, transition),
            inverse_fd(&model, &mut data, 1e-6, false, inverse),
            passive_vel_fd(&model, &mut data, 1e-6),
            smooth_vel_fd(&model, &mut data, 1e-6),
        ]
    };
    assert_eq!(outcomes(None), [const { Ok(()) }; 4]);
    assert_eq!(outcomes(Some(10)), [const { Err(StepError::DifferencesEffort) }; 4]);
}

/// Large triangles that overlap are all met by every ray: nodes of the trees of meshes are counted.
#[test]
fn rays_through_crowded_meshes_are_counted() {
    let mut obj = String::new();
    for i in 0..400 {
        let z = f64::from(i) * 1e-3;
        obj += &format!("v -1 -1 {z}\nv 1 -1 {z}\nv 0 1 {z}\nf {} {} {}\n", 3 * i + 1, 3 * i + 2, 3 * i + 3);
    }
    let files = MemoryAssets([("m.obj".to_string(), obj.into_bytes())].into());
    for projection in ["perspective", "orthographic"] {
        let text = format!(
            "<mujoco><asset><mesh name='m' file='m.obj' inertia='shell'/></asset><worldbody><body><geom type='mesh' mesh='m' contype='0' conaffinity='0'/></body>
             <camera name='c' pos='0 0 2' fovy='.1' resolution='32 32' projection='{projection}'/></worldbody>
             <sensor><rangefinder camera='c'/></sensor></mujoco>"
        );
        let model = load_model_with_assets(&text, &files).unwrap_or_else(|error| panic!("{error}"));
        let mut data = model.make_data().expect("a state");
        data.step(&model).expect("the default is enough");
        assert!(data.sensordata.iter().all(|&distance| distance > 0.0), "all rays meet the mesh");
        // enough for the geoms, not for the triangles
        data.effort = 1 << 20;
        assert_eq!(data.step(&model), Err(StepError::Effort(1 << 20)), "{projection}");
        data.effort = 1 << 31;
        data.step(&model).expect("the next step starts anew");
    }
}

/// A vertex of a hull may have any number of neighbours, all of which each search looks at.
#[test]
fn crowded_vertices_of_hulls_are_counted() {
    let spent = |sides: u32, native: &str| {
        // a cone: its apex is next to all other vertices
        let mut obj = String::from("v 0 0 1\n");
        for i in 0..sides {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(sides);
            obj += &format!(
                "v {:.9} {:.9} 0\nf 1 {} {}\n",
                angle.cos(),
                angle.sin(),
                i + 2,
                (i + 1) % sides + 2
            );
        }
        let files = MemoryAssets([("m.obj".to_string(), obj.into_bytes())].into());
        let text = format!(
            "<mujoco><option><flag nativeccd='{native}'/></option><asset><mesh name='m' file='m.obj' inertia='convex'/></asset><worldbody>
             <geom type='plane' size='9 9 1'/><body pos='0 0 1.5'><freejoint/><geom type='mesh' mesh='m'/></body>
             <body pos='.1 0 1.3'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
        );
        let model = load_model_with_assets(&text, &files).unwrap_or_else(|error| panic!("{error}"));
        let mut data = model.make_data().expect("a state");
        data.forward(&model).expect("affordable");
        data.spent.collision
    };
    for native in ["enable", "disable"] {
        let [few, many] = [spent(40, native), spent(3_000, native)];
        assert!(many > 10 * few, "{native}: {few}, {many}");
    }
}

/// What a state may take depends on what model and state take already, and a factor counts as rows do.
#[test]
fn rows_and_factors_share_the_memory_of_a_simulation() {
    let small = load("<mujoco/>").make_data().expect("a state");
    assert!(small.memory > DEFAULT_MEMORY / 10 * 9);
    let large = load("<mujoco><size nuserdata='20000000'/></mujoco>").make_data().expect("a state");
    assert!(small.memory - large.memory > 8 * 19_000_000);
    let cloth = load(
        "<mujoco><worldbody><flexcomp name='f' type='grid' count='24 24 1' spacing='.1 .1 .1' dim='2' radius='.01'>
         <edge equality='true'/></flexcomp></worldbody></mujoco>",
    );
    let step = |memory: u64| {
        let mut data = cloth.make_data().expect("a state");
        data.memory = memory;
        (data.step(&cloth), data.nefc)
    };
    let (outcome, rows) = step(DEFAULT_MEMORY);
    assert_eq!(outcome, Ok(()));
    assert!(rows > 1000);
    // rows of six entries each, and nothing left for the factor
    let (outcome, _) = step(rows as u64 * (384 + 6 * 24) + (1 << 18));
    assert!(matches!(outcome, Err(StepError::Effort(_))), "{outcome:?}");
}

/// Every replicate and every attachment looks at all elements of the model: thousands side by side are refused.
#[test]
fn replicates_side_by_side_are_counted() {
    let text = |count: usize| {
        let copies: String = (0..count)
            .map(|i| format!("<replicate count='1'><geom name='g{i}_' size='.1'/></replicate>"))
            .collect();
        format!("<mujoco><worldbody>{copies}</worldbody></mujoco>")
    };
    let load = |count: usize| {
        let files = GrantedAssets { files: MemoryAssets::default(), memory: 40 << 20 };
        load_model_with_assets(&text(count), &files).map(|model| model.ngeom)
    };
    assert_eq!(load(100).map_err(|error| error.to_string()), Ok(100));
    let refusal = load(1500).expect_err("takes too long");
    assert!(
        matches!(refusal, MjcfError::Memory(_)) && refusal.to_string().contains("takes too long"),
        "{refusal}"
    );
}

/// A few bytes of text become an element of a kilobyte, or a class that has one of each kind.
#[test]
fn elements_of_a_text_are_charged_for_what_they_become() {
    let classes: String = (0..200_000).map(|i| format!("<default class='{i}'/>")).collect();
    for text in [
        format!("<mujoco><default>{classes}</default></mujoco>"),
        format!("<mujoco><worldbody>{}</worldbody></mujoco>", "<site/>".repeat(3_000_000)),
    ] {
        let refusal = load_model(&text).expect_err("too large");
        assert!(matches!(refusal, MjcfError::Memory(_)), "{refusal}");
    }
}
