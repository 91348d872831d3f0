//! How long a budget of work lasts: steps scenes that never end within one and prints processor time for each operation charged:
//! `effort [BILLIONS [NAME]]`; those of hulls: `effort 1 hulls`. Charges are right where every line says about half a nanosecond, or less.

use ligament::prelude::*;
use ligament_geom::hull::{Effort, Hull};
use ligament_math::{Vec3, vec3};
use std::fmt::Write as _;

/// Seconds of processor time of this thread so far.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).map_or(0.0, |ns| ns * 1e-9)
}

const ENDLESS: &str = "iterations='2147483647' tolerance='0' noslip_tolerance='0'";

/// Things in a box that is too narrow for them.
fn pile(option: &str, count: usize, geom: &str) -> String {
    let grid: String = (0..count)
        .map(|i| {
            let (x, y, z) = (i % 8, i / 8 % 8, i / 64);
            let place = [x, y, z].map(|k| k as f64 * 0.17);
            format!("<body pos='{} {} {}'><freejoint/>{geom}</body>", place[0], place[1], place[2] + 0.1)
        })
        .collect();
    format!(
        "<mujoco><option {option}/><worldbody><geom type='plane' size='5 5 1'/>{grid}</worldbody></mujoco>"
    )
}

/// A cube of boxes that touch their neighbours.
fn cube(option: &str, side: usize) -> String {
    let boxes: String = (0..side * side * side)
        .map(|k| {
            let [x, y, z] = [k % side, k / side % side, k / (side * side)].map(|i| 0.1 + 0.1995 * i as f64);
            format!("<body pos='{x} {y} {z}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>")
        })
        .collect();
    format!(
        "<mujoco><option {option}/><worldbody><geom type='plane' size='5 5 1'/>{boxes}</worldbody></mujoco>"
    )
}

/// Free bodies, each welded to another one.
fn welded(option: &str, count: usize) -> String {
    let mut text = format!("<mujoco><option {option}/><worldbody>");
    for i in 0..count {
        let _ = write!(text, "<body name='b{i}' pos='{i} 0 0'><freejoint/><geom size='.6'/></body>");
    }
    text += "</worldbody><equality>";
    for (i, other) in (0..count).map(|i| (i, (i * 7 + 1) % count)).filter(|(i, other)| i != other) {
        let _ = write!(text, "<weld body1='b{i}' body2='b{other}'/>");
    }
    text + "</equality></mujoco>"
}

fn scenes() -> Vec<(String, String)> {
    let (ball, cuboid) = ("<geom size='.1'/>", "<geom type='box' size='.1 .1 .1'/>");
    let mut scenes = Vec::new();
    let mut add = |name: &str, text: String| scenes.push((name.to_owned(), text));
    for solver in ["Newton", "CG", "PGS"] {
        for cone in ["pyramidal", "elliptic"] {
            let option = format!("{ENDLESS} solver='{solver}' cone='{cone}'");
            add(&format!("10 balls, {solver}, {cone}"), pile(&option, 10, ball));
            add(&format!("128 boxes, {solver}, {cone}"), pile(&option, 128, cuboid));
            add(
                &format!("128 boxes, {solver}, {cone}, dense"),
                pile(&(option.clone() + " jacobian='dense'"), 128, cuboid),
            );
            add(
                &format!("128 boxes that all touch, {solver}, {cone}"),
                pile(&option, 128, &cuboid.replace("/>", " margin='1'/>")),
            );
            add(&format!("600 boxes, {solver}, {cone}"), pile(&option, 600, cuboid));
            add(&format!("300 welds, {solver}, {cone}"), welded(&option, 300));
            add(&format!("1000 welds, {solver}, {cone}"), welded(&option, 1000));
        }
    }
    for cone in ["pyramidal", "elliptic"] {
        let option = format!("{ENDLESS} iterations='1' noslip_iterations='2147483647' cone='{cone}'")
            .replacen(ENDLESS, "tolerance='0' noslip_tolerance='0'", 1);
        add(&format!("128 boxes, no slip, {cone}"), pile(&option, 128, cuboid));
        add(
            &format!("128 boxes, no slip, {cone}, dense"),
            pile(&(option.clone() + " jacobian='dense'"), 128, cuboid),
        );
        add(&format!("1000 welds, no slip, {cone}"), welded(&option, 1000));
    }
    for (solver, iterations, side) in
        [("CG", 400, 7), ("Newton", 100, 7), ("Newton", 100, 10), ("PGS", 100, 7), ("Newton", 100, 12)]
    {
        add(
            &format!("cube of {side}, {solver}"),
            cube(&format!("solver='{solver}' iterations='{iterations}'"), side),
        );
    }
    for links in [70, 250, 400] {
        let joints = "<joint axis='1 0 0'/><joint axis='0 1 0'/><joint axis='0 0 1'/>";
        let chain =
            format!("<body pos='.1 0 0'>{joints}<geom size='.01'/>").repeat(links) + &"</body>".repeat(links);
        add(
            &format!("chain of {links}, implicit"),
            format!("<mujoco><option integrator='implicit'/><worldbody>{chain}</worldbody></mujoco>"),
        );
    }
    let searches = "ls_iterations='2147483647' ls_tolerance='0' tolerance='0'";
    add("searches, 10 balls", pile(searches, 10, ball));
    add("searches, 128 boxes", pile(searches, 128, cuboid));
    add("searches, 128 boxes, elliptic", pile(&format!("{searches} cone='elliptic'"), 128, cuboid));
    add("searches, 600 boxes, CG", pile(&format!("{searches} solver='CG'"), 600, cuboid));
    scenes
}

/// Points whose hulls take long, each in its way.
fn clouds(count: usize) -> Vec<(&'static str, Vec<Vec3>)> {
    let mut random = 1_u64;
    let mut number = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut inside: Vec<Vec3> = (0..4 * count).map(|_| [number(), number(), number()]).collect();
    inside.retain(|p| vec3::dot(*p, *p) < 1.0);
    inside.truncate(count);
    let circle = |i: usize| [(i as f64).cos(), (i as f64).sin(), (i % 2) as f64];
    let curve = |i: usize| [1, 2, 3].map(|power| (i as f64 / count as f64).powi(power));
    vec![
        ("sphere", inside.iter().map(|p| vec3::unit(*p)).collect()),
        ("ball", inside),
        ("circles", (0..count).map(circle).collect()),
        ("curve", (0..count).map(curve).collect()),
        ("grid", (0..count).map(|i| [i % 50, i / 50 % 50, i / 2500].map(|k| k as f64)).collect()),
    ]
}

/// Prints what hulls take for each operation charged.
fn hulls() {
    for count in [20_000, 200_000, 400_000] {
        for (name, points) in clouds(count) {
            let effort = Effort::new(1 << 30);
            let start = processor_time();
            let outcome = Hull::build(&points, None, &effort);
            let (seconds, spent) = (processor_time() - start, (1 << 30) - effort.left());
            let each = seconds * 1e9 / spent as f64;
            let end = outcome
                .map_or_else(|why| format!("{why:?}"), |hull| format!("{} corners", hull.vertices.len()));
            println!(
                "{each:6.2} ns, {seconds:6.3} s  hull of {count} points, {name}: {:.0} M, {end}",
                spent as f64 / 1e6
            );
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let only = std::env::args().nth(2).unwrap_or_default();
    if only == "hulls" {
        hulls();
        return Ok(());
    }
    let billions: f64 = std::env::args().nth(1).map_or(Ok(1.0), |n| n.parse())?;
    for (name, text) in scenes() {
        if !name.contains(&only) {
            continue;
        }
        let model = ligament::load_model(&text)?;
        let mut data = model.make_data()?;
        data.effort = (billions * 1e9) as u64;
        let start = processor_time();
        let outcome = data.step(&model);
        let seconds = processor_time() - start;
        let spent = data.spent;
        let each = seconds * 1e9 / spent.total() as f64;
        println!(
            "{each:6.2} ns, {seconds:6.3} s  {name}: {} degrees of freedom, {} contacts, {} rows, iterations {}, collision {:.0} M, projection {:.0} M, solver {:.0} M, integrator {:.0} M{}",
            model.nv,
            data.ncon,
            data.nefc,
            data.solver_niter[0],
            spent.collision as f64 / 1e6,
            spent.projection as f64 / 1e6,
            spent.solver as f64 / 1e6,
            spent.integrator as f64 / 1e6,
            if outcome.is_ok() { ", ended" } else { "" }
        );
    }
    Ok(())
}
