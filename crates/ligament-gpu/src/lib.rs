//! Thousands of worlds of one model on a GPU.
//!
//! A warp simulates a world: one launch makes whole steps, and everything between the state it reads and the state it
//! writes stays in shared memory and registers. The formulation is that of the lean step on the CPU: no Jacobian, no
//! mass matrix; the Newton Hessian is a composite sum of inertia and contact stiffness up the tree, factored on the
//! tree's own pattern.
//!
//! [`Tables`] turns a model into constants (the shape of its tree, as text for the kernel's compiler) and numbers (as
//! arrays on the device, so that they can differ from world to world). The kernels in `kernels/` compile as CUDA C++ and as
//! ordinary C++: there a "warp" has one lane, which is how they are tested without a GPU.

#![warn(missing_docs)]

mod accept;
mod delays;
#[cfg(any(feature = "cuda", feature = "emulated"))]
pub mod device;
mod pairs;
mod paths;
mod rows;
mod tables;

pub use accept::Refused;
pub use tables::{Capacity, OWN, OwnField, Precision, RESULTS, Tables, Wanted};

/// The sources of the kernels, by file name; `step.cu` is the one to compile.
pub const SOURCES: &[(&str, &str)] = &[
    ("lanes.cuh", include_str!("../kernels/lanes.cuh")),
    ("algebra.cuh", include_str!("../kernels/algebra.cuh")),
    ("world.cuh", include_str!("../kernels/world.cuh")),
    ("tree.cuh", include_str!("../kernels/tree.cuh")),
    ("kinematics.cuh", include_str!("../kernels/kinematics.cuh")),
    ("muscle.cuh", include_str!("../kernels/muscle.cuh")),
    ("vector.cuh", include_str!("../kernels/vector.cuh")),
    ("primitive.cuh", include_str!("../kernels/primitive.cuh")),
    ("boxes.cuh", include_str!("../kernels/boxes.cuh")),
    ("shape.cuh", include_str!("../kernels/shape.cuh")),
    ("convex.cuh", include_str!("../kernels/convex.cuh")),
    ("several.cuh", include_str!("../kernels/several.cuh")),
    ("apart.cuh", include_str!("../kernels/apart.cuh")),
    ("collision.cuh", include_str!("../kernels/collision.cuh")),
    ("wrap.cuh", include_str!("../kernels/wrap.cuh")),
    ("path.cuh", include_str!("../kernels/path.cuh")),
    ("fluid.cuh", include_str!("../kernels/fluid.cuh")),
    ("fluid_slope.cuh", include_str!("../kernels/fluid_slope.cuh")),
    ("smooth.cuh", include_str!("../kernels/smooth.cuh")),
    ("constraint.cuh", include_str!("../kernels/constraint.cuh")),
    ("cone.cuh", include_str!("../kernels/cone.cuh")),
    ("rows.cuh", include_str!("../kernels/rows.cuh")),
    ("hessian.cuh", include_str!("../kernels/hessian.cuh")),
    ("factor.cuh", include_str!("../kernels/factor.cuh")),
    ("coupling.cuh", include_str!("../kernels/coupling.cuh")),
    ("dense.cuh", include_str!("../kernels/dense.cuh")),
    ("columns.cuh", include_str!("../kernels/columns.cuh")),
    ("direction.cuh", include_str!("../kernels/direction.cuh")),
    ("armature.cuh", include_str!("../kernels/armature.cuh")),
    ("implicit.cuh", include_str!("../kernels/implicit.cuh")),
    ("few.cuh", include_str!("../kernels/few.cuh")),
    ("solver.cuh", include_str!("../kernels/solver.cuh")),
    ("after.cuh", include_str!("../kernels/after.cuh")),
    ("sensor.cuh", include_str!("../kernels/sensor.cuh")),
    ("result.cuh", include_str!("../kernels/result.cuh")),
    ("integrate.cuh", include_str!("../kernels/integrate.cuh")),
    ("step.cu", include_str!("../kernels/step.cu")),
];

/// All sources as one text, with the header of a model: what a compiler without files takes.
pub fn one_source(sources: &[(&str, &str)], header: &str) -> String {
    let body = sources.iter().map(|(_, text)| *text);
    let lines = std::iter::once(header).chain(body).flat_map(str::lines);
    let own = |line: &&str| !line.starts_with("#include \"") && !line.starts_with("#pragma once");
    lines.filter(own).flat_map(|line| [line, "\n"]).collect()
}
