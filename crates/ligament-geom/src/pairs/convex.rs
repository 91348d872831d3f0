//! Convex shapes without closed form.

use crate::ccd::{Ccd, CcdConfig};
use crate::contact::{ContactPoint, ContactPoints, MAX_POINTS};
use crate::convex::{Convex, Kind};
use crate::mpr;
use crate::surface::round_normal;
use ligament_math::{Mat3, Vec3, mat3, quat, vec3};

/// Settings of the general convex algorithms.
#[derive(Debug, Clone, Copy)]
pub struct ConvexOptions {
    /// Iterations at most.
    pub iterations: usize,
    /// Distance at which the algorithms stop.
    pub tolerance: f64,
    /// Distance and expanding polytope; otherwise portal refinement.
    pub native: bool,
    /// Look for several points between shapes with flat faces.
    pub multiple: bool,
}

/// Angle by which both shapes are turned in search of further points.
const PERTURBATION: f64 = 1e-3;
/// Points nearer than this fraction of the smaller bounding radius are the same.
const DISTINCT: f64 = 1e-3;

/// Contacts of two convex shapes whose `margin` is the margin of the pair; `bounding_radius` is the smaller one.
pub fn convex_convex(
    options: &ConvexOptions,
    a: &mut Convex,
    b: &mut Convex,
    margin: f64,
    bounding_radius: f64,
    ccd: &mut Ccd,
    out: &mut ContactPoints,
) {
    let max_contacts = single_pass_contacts(options, a, b);
    let first = out.len();
    one_pass(options, a, b, max_contacts, margin, ccd, out);
    if !options.multiple || (options.native && max_contacts > 1) || out.len() != first + 1 {
        return;
    }
    if is_smooth(a) || is_smooth(b) {
        return;
    }
    perturbed_passes(options, a, b, margin, DISTINCT * bounding_radius, ccd, out);
}

/// The deepest contact alone.
pub fn convex_single(
    options: &ConvexOptions,
    a: &mut Convex,
    b: &mut Convex,
    margin: f64,
    ccd: &mut Ccd,
    out: &mut ContactPoints,
) {
    one_pass(options, a, b, 1, margin, ccd, out);
}

fn is_smooth(shape: &Convex) -> bool {
    matches!(shape.kind, Kind::Ellipsoid | Kind::Sphere)
}

/// How many points one pass can recover: margins round the faces away.
fn single_pass_contacts(options: &ConvexOptions, a: &Convex, b: &Convex) -> usize {
    let flat = |shape: &Convex| matches!(shape.kind, Kind::Cuboid | Kind::Mesh(_));
    if a.margin > 0.0 || b.margin > 0.0 || !flat(a) || !flat(b) {
        1
    } else if matches!((a.kind, b.kind), (Kind::Cuboid, Kind::Cuboid)) {
        8
    } else if options.multiple {
        4
    } else {
        1
    }
}

/// One run of the narrow phase.
fn one_pass(
    options: &ConvexOptions,
    a: &mut Convex,
    b: &mut Convex,
    max_contacts: usize,
    margin: f64,
    ccd: &mut Ccd,
    out: &mut ContactPoints,
) {
    if !options.native {
        let mut steps = 0;
        let hit = mpr::penetration(a, b, options.tolerance, options.iterations, &mut steps);
        ccd.count(steps);
        if let Some(hit) = hit {
            let rigid = |shape: &Convex| !matches!(shape.kind, Kind::Simplex(..));
            let both = rigid(a) && rigid(b);
            let normal = if both { round_normal(Some(a), Some(b), hit.pos, hit.dir) } else { hit.dir };
            out.push(ContactPoint::new(margin - hit.depth, hit.pos, normal));
        }
        return;
    }
    let config = CcdConfig {
        max_iterations: options.iterations,
        tolerance: options.tolerance,
        max_contacts,
        dist_cutoff: 0.0,
    };
    let dist = ccd.run(&config, a, b);
    if dist >= 0.0 || dist.is_nan() {
        return;
    }
    for &[x1, x2] in ccd.witness.iter().take(MAX_POINTS) {
        let normal = vec3::unit(vec3::sub(x1, x2));
        out.push(ContactPoint::new(margin + dist, midpoint(x1, x2), normal));
    }
}

#[inline]
fn midpoint(x1: Vec3, x2: Vec3) -> Vec3 {
    std::array::from_fn(|k| 0.5 * (x1[k] + x2[k]))
}

/// Turns both shapes a little, in opposite directions about both tangents of the first contact, and keeps new points.
fn perturbed_passes(
    options: &ConvexOptions,
    a: &mut Convex,
    b: &mut Convex,
    margin: f64,
    tolerance: f64,
    ccd: &mut Ccd,
    out: &mut ContactPoints,
) {
    let first = out.len() - 1;
    let contact = out[first];
    let frame = contact_frame(contact.normal, contact.tangent);
    let (pose_a, pose_b) = ((a.pos, a.mat), (b.pos, b.mat));
    for axis in [mat3::row(&frame, 1), mat3::row(&frame, 2)] {
        for angle in [-PERTURBATION, PERTURBATION] {
            let turn = quat::to_mat(quat::from_axis_angle(axis, angle));
            rotate_about(contact.pos, &turn, a);
            rotate_about(contact.pos, &mat3::transpose(&turn), b);
            let known = out.len();
            one_pass(options, a, b, 1, margin, ccd, out);
            if out.len() > known {
                let new = out[known].pos;
                let repeated = out[first..known].iter().any(|c| vec3::distance(c.pos, new) <= tolerance);
                if repeated {
                    out.truncate(known);
                } else {
                    out[known].dist = contact.dist;
                }
            }
            (a.pos, a.mat) = pose_a;
            (b.pos, b.mat) = pose_b;
        }
    }
}

fn rotate_about(origin: Vec3, turn: &Mat3, shape: &mut Convex) {
    shape.mat = mat3::mul(turn, &shape.mat);
    let rel = vec3::sub(origin, shape.pos);
    shape.pos = vec3::sub(shape.pos, vec3::sub(mat3::mul_vec(turn, rel), rel));
}

/// Rows: the unit normal, a tangent (the preferred one if given, else the y or z axis made orthogonal), their product.
#[inline(always)] // the frame is then written where it belongs
pub fn contact_frame(normal: Vec3, tangent: Vec3) -> Mat3 {
    let n = vec3::unit(normal);
    let mut t = tangent;
    if vec3::dot(t, t) < 0.25 {
        t = if n[1] < 0.5 && n[1] > -0.5 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    }
    t = vec3::unit(vec3::sub(t, vec3::scale(n, vec3::dot(n, t))));
    let b = vec3::cross(n, t);
    [n[0], n[1], n[2], t[0], t[1], t[2], b[0], b[1], b[2]]
}
