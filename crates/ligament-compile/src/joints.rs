//! Joints: limits, units, axes and positions.

use crate::error::fail_at;
use crate::frames::{Frames, compiler_of};
use crate::pose::{EPS, Pose, normalize};
use crate::tree::{CJoint, Tree};
use ligament_math::quat;
use ligament_mjcf::diag::{MjcfError, Result};
use ligament_mjcf::spec::{Compiler, Meta, Spec};
use ligament_model::enums::{JointType, Limited, ObjType};
use std::f64::consts::PI;

/// Does a range limit? `auto` does when the range is one.
pub fn is_limited(limited: Limited, range: [f64; 2]) -> bool {
    match limited {
        Limited::True => true,
        Limited::Auto => range[0] < range[1],
        Limited::False => false,
    }
}

/// With `autolimits` off, a range that is left to `auto` is an error. `attribute` is the prefix of `range` and
/// `limited`, such as `ctrl`.
pub fn check_autolimits(
    kind: ObjType,
    meta: &Meta,
    compiler: &Compiler,
    attribute: &str,
    limited: Limited,
    range: [f64; 2],
) -> Result<()> {
    if compiler.autolimits || limited != Limited::Auto || range == [0.0, 0.0] {
        return Ok(());
    }
    let entity = crate::labels::label(kind);
    let message = format!(
        "{entity} has `{attribute}range` but not `{attribute}limited`. set the autolimits=\"true\" compiler \
         option, specify `{attribute}limited` explicitly (\"true\" or \"false\"), or remove the \
         `{attribute}range` attribute."
    );
    Err(fail_at(kind, meta, message))
}

/// Resolves all joints and checks what bodies may carry.
pub fn resolve_joints(spec: &Spec, frames: &Frames, tree: &mut Tree<'_>) -> Result<()> {
    for joint in &mut tree.joints {
        resolve_joint(compiler_of(spec, &joint.spec.meta), frames, joint)?;
    }
    for id in 1..tree.bodies.len() {
        check_body(tree, id)?;
    }
    Ok(())
}

fn error(joint: &CJoint<'_>, message: &str) -> MjcfError {
    fail_at(ObjType::Joint, &joint.spec.meta, message)
}

fn resolve_joint(compiler: &Compiler, frames: &Frames, joint: &mut CJoint<'_>) -> Result<()> {
    let spec = joint.spec;
    let [timeconst, dampratio] = spec.springdamper;
    if (timeconst != 0.0 || dampratio != 0.0) && (timeconst <= 0.0 || dampratio <= 0.0) {
        return Err(error(joint, "when defined, springdamper values must be positive in joint"));
    }
    resolve_range(compiler, joint)?;
    resolve_force_range(compiler, joint)?;
    resolve_axis(frames, joint)?;
    if spec.kind == JointType::Free {
        joint.pos = [0.0; 3];
    } else if let Some(frame) = frames.around(&spec.meta) {
        joint.pos = frame.then(Pose::new(joint.pos, quat::IDENTITY)).pos;
    }
    if spec.kind == JointType::Hinge && compiler.degree {
        joint.reference *= PI / 180.0;
        joint.springref *= PI / 180.0;
    }
    Ok(())
}

/// Only limited hinges and balls are converted to radians; an unused range stays as written.
fn resolve_range(compiler: &Compiler, joint: &mut CJoint<'_>) -> Result<()> {
    let spec = joint.spec;
    if spec.kind == JointType::Free {
        return Ok(());
    }
    check_autolimits(ObjType::Joint, &spec.meta, compiler, "", spec.limited, spec.range)?;
    joint.limited = is_limited(spec.limited, spec.range);
    if !joint.limited {
        return Ok(());
    }
    let ball = spec.kind == JointType::Ball;
    if !ball && spec.range[0] >= spec.range[1] {
        return Err(error(joint, "range[0] should be smaller than range[1] in joint"));
    }
    if ball && spec.range[0] != 0.0 {
        return Err(error(joint, "range[0] should be 0 in ball joint"));
    }
    if compiler.degree && (ball || spec.kind == JointType::Hinge) {
        joint.range = spec.range.map(|x| x * (PI / 180.0));
    }
    Ok(())
}

fn resolve_force_range(compiler: &Compiler, joint: &mut CJoint<'_>) -> Result<()> {
    let spec = joint.spec;
    if matches!(spec.kind, JointType::Free | JointType::Ball) {
        return Ok(());
    }
    check_autolimits(
        ObjType::Joint,
        &spec.meta,
        compiler,
        "actuatorfrc",
        spec.actfrclimited,
        spec.actfrcrange,
    )?;
    joint.actfrclimited = is_limited(spec.actfrclimited, spec.actfrcrange);
    if joint.actfrclimited && spec.actfrcrange[0] >= spec.actfrcrange[1] {
        return Err(error(joint, "actfrcrange[0] should be smaller than actfrcrange[1] in joint"));
    }
    Ok(())
}

fn resolve_axis(frames: &Frames, joint: &mut CJoint<'_>) -> Result<()> {
    if matches!(joint.spec.kind, JointType::Free | JointType::Ball) {
        joint.axis = [0.0, 0.0, 1.0];
    } else if let Some(frame) = frames.around(&joint.spec.meta) {
        joint.axis = quat::rotate(frame.quat, joint.axis);
    }
    if normalize(&mut joint.axis) < EPS {
        return Err(error(joint, "axis too small in joint"));
    }
    Ok(())
}

fn check_body(tree: &Tree<'_>, id: usize) -> Result<()> {
    let body = &tree.bodies[id];
    let meta = &body.spec.meta;
    let joints = &tree.joints[body.joints.clone()];
    let name = &meta.name;
    let fail = |message: String| Err(fail_at(ObjType::Body, meta, message));
    if body.dofnum > 6 {
        return fail(format!("more than 6 dofs in body '{name}'"));
    }
    if let Some(ball) = joints.iter().position(|j| j.spec.kind == JointType::Ball) {
        let rotates = |j: &CJoint<'_>| matches!(j.spec.kind, JointType::Ball | JointType::Hinge);
        if joints[ball + 1..].iter().any(rotates) {
            return fail(format!("ball followed by rotation in body '{name}'"));
        }
    }
    if body.spec.mocap && (body.dofnum > 0 || body.parent != 0) {
        return fail(format!("mocap body '{name}' is not a fixed child of world"));
    }
    Ok(())
}

/// Free joints stand alone, in children of the world. Checked last: fusing static bodies can mend it.
pub fn check_free_joints(tree: &Tree<'_>) -> Result<()> {
    for body in &tree.bodies {
        let joints = &tree.joints[body.joints.clone()];
        let free = joints.iter().filter(|j| j.spec.kind == JointType::Free).count();
        let fail = |message: &str| Err(fail_at(ObjType::Body, &body.spec.meta, message));
        if free > 0 && joints.len() > 1 {
            return fail("free joint can only appear by itself");
        }
        if free > 0 && body.parent != 0 {
            return fail("free joint can only be used on top level");
        }
    }
    Ok(())
}
