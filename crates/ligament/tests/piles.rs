//! Piles: one island with thousands of rows, whose Hessian is factored by nodes.

use ligament::enums::{ConeType, SolverType};
use ligament::prelude::*;
use std::fmt::Write as _;

/// A cube of boxes that touch their neighbours on all sides.
fn pile(side: usize) -> Model {
    let mut bodies = String::new();
    for k in 0..side * side * side {
        let place = [k % side, k / side % side, k / (side * side)].map(|i| 0.1 + 0.1995 * i as f64);
        let [x, y, z] = place;
        write!(bodies, "<body pos='{x} {y} {z}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>")
            .expect("text");
    }
    let xml = format!("<mujoco><worldbody><geom type='plane' size='0 0 1'/>{bodies}</worldbody></mujoco>");
    ligament::load_model(&xml).expect("the model")
}

/// What the acceleration lacks of M a = f + Jᵀ λ, the largest component, beside the largest force.
fn residual(model: &Model, data: &Data) -> (f64, f64) {
    let mut product = vec![0.0; model.nv];
    ligament::sim::inertia::mul_m(model, data, &mut product, &data.qacc);
    let lack = |i: usize| (product[i] - data.qfrc_smooth[i] - data.qfrc_constraint[i]).abs();
    let largest = |f: &dyn Fn(usize) -> f64| (0..model.nv).map(f).fold(0.0, f64::max);
    (largest(&lack), largest(&|i| data.qfrc_constraint[i].abs()))
}

/// Newton's method converges in as few iterations as it should with an exact Hessian, for flat and curved cones. The factor
/// is made by nodes: in the order of the bodies it has 610,491 entries.
#[test]
fn newton_solves_large_piles() {
    let mut model = pile(7);
    for cone in [ConeType::Pyramidal, ConeType::Elliptic] {
        model.opt.cone = cone as i32;
        let mut data = model.make_data().expect("the state");
        data.forward(&model).expect("forward dynamics");
        assert_eq!((data.nisland, model.nv), (1, 2058));
        let (lack, force) = residual(&model, &data);
        assert!(lack < 1e-6 * force, "{cone:?}: {lack} of {force}");
        assert!((1..20).contains(&data.solver_niter[0]), "{cone:?}: {} iterations", data.solver_niter[0]);
        println!(
            "{cone:?}: {} iterations, {} entries, {lack} of {force}",
            data.solver_niter[0], data.solver_nnz[0]
        );
        assert!(data.solver_nnz[0] < 600_000, "{cone:?}: {} entries", data.solver_nnz[0]);
    }
}

/// The numbers do not depend on the number of threads.
#[test]
fn threads_change_nothing_in_a_pile() {
    let model = pile(7);
    let accelerations = |threads: usize| {
        let mut data = model.make_data().expect("the state");
        data.threads = threads;
        data.forward(&model).expect("forward dynamics");
        data.qacc.iter().map(|x| x.to_bits()).collect::<Vec<u64>>()
    };
    let alone = accelerations(1);
    for threads in [2, 5] {
        assert!(accelerations(threads) == alone, "{threads} threads");
    }
}

/// A large factor that is not that of a pile, since most rows are dry friction, keeps the order of the variables; where its
/// updates would visit too many entries it is made anew.
#[test]
fn large_factors_agree() {
    let mut bodies = String::new();
    for k in 0..1331 {
        let [x, y, z] = [k % 11, k / 11 % 11, k / 121].map(|i| 0.199 * f64::from(i));
        let slide = |axis| format!("<joint type='slide' axis='{axis}' frictionloss='3'/>");
        let joints = ["1 0 0", "0 1 0", "0 0 1"].map(slide).concat();
        write!(bodies, "<body pos='{x} {y} {z}'>{joints}<geom size='.1' condim='1'/></body>").expect("text");
    }
    let model = ligament::load_model(&format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>"))
        .expect("the model");
    let mut data = model.make_data().expect("the state");
    for (i, speed) in data.qvel.iter_mut().enumerate() {
        *speed = (1.7 * i as f64).sin();
    }
    data.forward(&model).expect("forward dynamics");
    let updates =
        data.solver[..data.solver_niter[0] as usize].iter().map(|stat| stat.nupdate).max().unwrap_or(0);
    let visited = i64::from(updates) * i64::from(data.solver_nnz[0]);
    assert!(data.nefc > 2 * data.ncon as usize, "{} rows, {} contacts", data.nefc, data.ncon);
    assert!(visited > 1 << 29, "{updates} updates of {} entries", data.solver_nnz[0]);
    let (lack, force) = residual(&model, &data);
    assert!(lack < 1e-6 * force, "{lack} of {force}");
}

/// Newton's method finds the minimum that the conjugate gradient, which has no factor, creeps towards.
#[test]
fn piles_agree_with_conjugate_gradients() {
    let mut model = pile(7);
    let mut newton = model.make_data().expect("the state");
    newton.forward(&model).expect("forward dynamics");
    model.opt.solver = SolverType::Cg as i32;
    model.opt.iterations = 400;
    model.opt.tolerance = 0.0;
    let mut gradients = model.make_data().expect("the state");
    gradients.forward(&model).expect("forward dynamics");
    let largest = newton.qacc.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let apart = newton.qacc.iter().zip(&gradients.qacc).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(apart < 1e-3 * largest, "{apart} of {largest}");
}
