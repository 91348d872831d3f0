//! Orientations given in other ways than quaternions, and frames composed into one pose each.

use crate::error::fail_at;
use crate::pose::{EPS, Pose, mul_quat, normalize, quat_from_axes, quat_from_z};
use ligament_math::{Quat, Vec3, quat, vec3};
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::{Compiler, FrameId, Meta, Orientation, Spec};
use ligament_model::enums::ObjType;
use std::f64::consts::PI;

/// The compiler settings an element came with.
pub fn compiler_of<'s>(spec: &'s Spec, meta: &Meta) -> &'s Compiler {
    spec.compilers.get(meta.compiler.index()).unwrap_or_else(|| spec.compiler())
}

/// The orientation of an element: the alternative form if there is one, else the quaternion.
pub fn resolve_orientation(
    quat: Quat,
    alternative: Option<Orientation>,
    compiler: &Compiler,
) -> std::result::Result<Quat, &'static str> {
    match alternative {
        None => Ok(quat),
        Some(Orientation::AxisAngle([x, y, z, angle])) => from_axis_angle([x, y, z], angle, compiler.degree),
        Some(Orientation::XyAxes([a, b, c, d, e, f])) => from_xy_axes([a, b, c], [d, e, f]),
        Some(Orientation::ZAxis(mut z)) => {
            if normalize(&mut z) < EPS {
                return Err("zaxis too small");
            }
            Ok(quat_from_z(z))
        }
        Some(Orientation::Euler(angles)) => from_euler(angles, compiler.eulerseq, compiler.degree),
    }
}

fn radians(angle: f64, degree: bool) -> f64 {
    if degree { angle / 180.0 * PI } else { angle }
}

fn from_axis_angle(mut axis: Vec3, angle: f64, degree: bool) -> std::result::Result<Quat, &'static str> {
    let half = radians(angle, degree) / 2.0;
    if normalize(&mut axis) < EPS {
        return Err("axisangle too small");
    }
    let s = half.sin();
    Ok([half.cos(), s * axis[0], s * axis[1], s * axis[2]])
}

/// The y axis gives way: it is made orthogonal to the x axis.
fn from_xy_axes(mut x: Vec3, mut y: Vec3) -> std::result::Result<Quat, &'static str> {
    if normalize(&mut x) < EPS {
        return Err("xaxis too small");
    }
    let along = vec3::dot(x, y);
    for (b, a) in y.iter_mut().zip(&x) {
        *b -= a * along;
    }
    if normalize(&mut y) < EPS {
        return Err("yaxis too small");
    }
    let mut z = vec3::cross(x, y);
    if normalize(&mut z) < EPS {
        return Err("cross(xaxis, yaxis) too small");
    }
    Ok(quat_from_axes(x, y, z))
}

/// Rotations about the axes named by the sequence: lower case about moving axes, upper case about fixed ones.
pub fn from_euler(angles: Vec3, sequence: [u8; 3], degree: bool) -> std::result::Result<Quat, &'static str> {
    let mut q = quat::IDENTITY;
    for (angle, letter) in angles.into_iter().zip(sequence) {
        let half = radians(angle, degree) / 2.0;
        let mut turn = [half.cos(), 0.0, 0.0, 0.0];
        let axis = match letter.to_ascii_lowercase() {
            b'x' => 1,
            b'y' => 2,
            b'z' => 3,
            _ => return Err("euler sequence can only contain x, y, z, X, Y, Z"),
        };
        turn[axis] = half.sin();
        q = if letter.is_ascii_lowercase() { mul_quat(q, turn) } else { mul_quat(turn, q) };
    }
    normalize(&mut q);
    Ok(q)
}

/// Poses of all frames in their bodies, with the frames around them composed in.
#[derive(Debug, Default)]
pub struct Frames {
    poses: Vec<Pose>,
}

impl Frames {
    /// Resolves every frame, outer ones first, without recursion.
    pub fn resolve(spec: &Spec) -> Result<Self> {
        let mut poses: Vec<Option<Pose>> = vec![None; spec.frames.len()];
        let mut chain = Vec::new();
        for start in 0..spec.frames.len() {
            let mut next = Some(start);
            while let Some(id) = next.filter(|&id| poses[id].is_none()) {
                chain.push(id);
                next = spec.frames[id].meta.frame.map(FrameId::index);
            }
            while let Some(id) = chain.pop() {
                let outer = spec.frames[id].meta.frame.and_then(|outer| poses[outer.index()]);
                poses[id] = Some(resolve_frame(spec, id, outer)?);
            }
        }
        Ok(Self { poses: poses.into_iter().flatten().collect() })
    }

    /// Pose of the frame around an element; `None` when it stands directly in its body.
    pub fn around(&self, meta: &Meta) -> Option<Pose> {
        meta.frame.map(|id| self.poses[id.index()])
    }

    /// Composes the frame around an element into its pose.
    pub fn compose(&self, meta: &Meta, pose: &mut Pose) {
        if let Some(frame) = self.around(meta) {
            *pose = frame.then(*pose);
        }
    }
}

fn resolve_frame(spec: &Spec, id: usize, outer: Option<Pose>) -> Result<Pose> {
    let frame = &spec.frames[id];
    let quat =
        resolve_orientation(frame.quat, frame.alt, compiler_of(spec, &frame.meta)).map_err(|problem| {
            let message = format!("orientation specification error '{problem}' in frame");
            fail_at(ObjType::Frame, &frame.meta, message)
        })?;
    let mut pose = Pose::new(frame.pos, quat);
    if let Some(outer) = outer {
        pose = outer.then(pose);
    }
    normalize(&mut pose.quat);
    Ok(pose)
}
