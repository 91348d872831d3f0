//! Box against box: the separating axis of least penetration, then clipping of the incident face or edge.
//!
//! The fifteen axes are the three face normals of each box and the nine cross products of edges. A face axis leads
//! to [`super::box_face`], an edge axis to [`super::box_edge`]. Points that lie outside one of the boxes and exact
//! repetitions are removed at the end.

use super::box_edge::edge_contacts;
use super::box_face::face_contacts;
use crate::contact::ContactPoints;
use crate::shape::{Side, Solid, side_of_box};
use ligament_math::{MINVAL, Mat3, Vec3, mat3, vec3};

/// Relative poses of two boxes.
pub(super) struct BoxPair<'a> {
    pub a: &'a Solid<'a>,
    pub b: &'a Solid<'a>,
    /// Centre of `b` in the frame of `a`.
    pub pos21: Vec3,
    /// Centre of `a` in the frame of `b`.
    pub pos12: Vec3,
    /// Orientation of `b` in the frame of `a`.
    pub rot: Mat3,
    pub margin: f64,
}

/// An edge axis of least penetration.
pub(super) struct EdgeAxis {
    /// Edge direction of the first and second box.
    pub edge1: usize,
    pub edge2: usize,
    /// Bits: sides of the boxes on which the edges lie.
    pub side1: usize,
    pub side2: usize,
    /// Unit axis in the frame of the first box.
    pub axis: Vec3,
    /// The axis points from the second box to the first.
    pub inverted: bool,
}

pub(super) enum Axis {
    /// Face number 0..6 (axis, +3 for the negative side) of the first or second box.
    Face {
        face: usize,
        of_second: bool,
    },
    Edge(EdgeAxis),
}

/// Box-box contacts with bad and repeated points removed.
pub fn box_box(a: &Solid, b: &Solid, margin: f64, out: &mut ContactPoints) {
    let first = out.len();
    box_box_candidates(a, b, margin, out);
    remove_bad(a, b, margin, first, out);
}

/// All points of the algorithm, which distances are taken from.
pub fn box_box_candidates(a: &Solid, b: &Solid, margin: f64, out: &mut ContactPoints) {
    let pair = BoxPair {
        a,
        b,
        pos21: mat3::mul_vec_t(a.mat, vec3::sub(b.pos, a.pos)),
        pos12: mat3::mul_vec_t(b.mat, vec3::sub(a.pos, b.pos)),
        rot: mat3::t_mul(a.mat, b.mat),
        margin,
    };
    match least_axis(&pair) {
        None => {}
        Some(Axis::Face { face, of_second }) => face_contacts(&pair, face, of_second, out),
        Some(Axis::Edge(axis)) => edge_contacts(&pair, &axis, out),
    }
}

/// The axis of least penetration; `None` when one separates the boxes by more than the margin.
fn least_axis(pair: &BoxPair) -> Option<Axis> {
    let (size1, size2, margin) = (pair.a.size, pair.b.size, pair.margin);
    let rot_abs: Mat3 = pair.rot.map(f64::abs);
    let reach2 = mat3::mul_vec(&rot_abs, size2);
    let reach1 = mat3::mul_vec_t(&rot_abs, size1);

    let mut penetration = margin;
    for i in 0..3 {
        penetration += size1[i] * 3.0 + size2[i] * 3.0;
    }
    let mut best = None;
    for i in 0..3 {
        let overlap1 = -pair.pos21[i].abs() + size1[i] + reach2[i];
        let overlap2 = -pair.pos12[i].abs() + size2[i] + reach1[i];
        if overlap1 < -margin || overlap2 < -margin {
            return None;
        }
        if overlap1 < penetration {
            penetration = overlap1;
            best = Some(Axis::Face { face: i + 3 * usize::from(pair.pos21[i] < 0.0), of_second: false });
        }
        if overlap2 < penetration {
            penetration = overlap2;
            best = Some(Axis::Face { face: i + 3 * usize::from(pair.pos12[i] < 0.0), of_second: true });
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            match edge_overlap(pair, &rot_abs, i, j) {
                EdgeTest::Parallel => {}
                EdgeTest::Overlap(overlap, _) if overlap < -margin => return None,
                // a face wins unless the edge is clearly better
                EdgeTest::Overlap(overlap, axis) if overlap < penetration * (1.0 - 1e-12) => {
                    penetration = overlap;
                    let (side1, side2) = edge_sides(pair, axis, i, j);
                    let (axis, inverted) = (axis.0, axis.1);
                    best = Some(Axis::Edge(EdgeAxis { edge1: i, edge2: j, side1, side2, axis, inverted }));
                }
                EdgeTest::Overlap(..) => {}
            }
        }
    }
    best
}

enum EdgeTest {
    Parallel,
    /// Overlap along the axis; the axis and whether it points from the second box to the first.
    Overlap(f64, (Vec3, bool)),
}

/// Overlap along the cross product of edge `i` of the first and edge `j` of the second box.
fn edge_overlap(pair: &BoxPair, rot_abs: &Mat3, i: usize, j: usize) -> EdgeTest {
    // e_i × (column j of rot)
    let other = mat3::col(&pair.rot, j);
    let mut axis = match i {
        0 => [0.0, -other[2], other[1]],
        1 => [other[2], 0.0, -other[0]],
        _ => [-other[1], other[0], 0.0],
    };
    let length = vec3::normalize(&mut axis);
    if length < MINVAL {
        return EdgeTest::Parallel;
    }
    let center = vec3::dot(pair.pos21, axis);
    let mut overlap = 0.0;
    for k in (0..3).filter(|&k| k != i) {
        overlap += pair.a.size[k] * axis[k].abs();
    }
    for k in (0..3).filter(|&k| k != j) {
        overlap += pair.b.size[k] * rot_abs[3 * i + 3 - k - j] / length;
    }
    overlap -= center.abs();
    EdgeTest::Overlap(overlap, (axis, center < 0.0))
}

/// Sides (bit per direction) on which the touching edges lie.
fn edge_sides(pair: &BoxPair, (axis, inverted): (Vec3, bool), i: usize, j: usize) -> (usize, usize) {
    let mut side1 = 0;
    for k in (0..3).filter(|&k| k != i) {
        if (axis[k] > 0.0) ^ inverted {
            side1 |= 1 << k;
        }
    }
    let mut side2 = 0;
    for k in (0..3).filter(|&k| k != j) {
        if (pair.rot[3 * i + 3 - k - j] > 0.0) ^ inverted ^ ((k + 3 - j) % 3 == 1) {
            side2 |= 1 << k;
        }
    }
    (side1, side2)
}

/// Signed permutation that turns a face of a box upwards (+z).
pub(super) struct FaceFrame {
    /// The rotation as a matrix.
    pub matrix: Mat3,
    index: [usize; 3],
    sign: [f64; 3],
}

impl FaceFrame {
    pub fn new(face: usize) -> Self {
        let (index, sign) = match face {
            0 => ([2, 1, 0], [-1.0, 1.0, 1.0]),
            1 => ([0, 2, 1], [1.0, -1.0, 1.0]),
            2 => ([0, 1, 2], [1.0, 1.0, 1.0]),
            3 => ([2, 1, 0], [1.0, 1.0, -1.0]),
            4 => ([0, 2, 1], [1.0, 1.0, -1.0]),
            _ => ([0, 1, 2], [-1.0, 1.0, -1.0]),
        };
        let mut matrix = [0.0; 9];
        for k in 0..3 {
            matrix[3 * k + index[k]] = sign[k];
        }
        Self { matrix, index, sign }
    }

    pub fn turn(&self, v: Vec3) -> Vec3 {
        std::array::from_fn(|k| v[self.index[k]] * self.sign[k])
    }

    pub fn turn_matrix(&self, m: &Mat3) -> Mat3 {
        std::array::from_fn(|i| m[3 * self.index[i / 3] + i % 3] * self.sign[i / 3])
    }
}

/// Drops points outside one box that are not inside the other, and points that another one repeats exactly.
fn remove_bad(a: &Solid, b: &Solid, margin: f64, first: usize, out: &mut ContactPoints) {
    const REMOVE_RATIO: f64 = 1.01;
    let with_margin = |size: Vec3| size.map(|s| s + margin);
    let (size1, size2) = (with_margin(a.size), with_margin(b.size));
    let mut keep = first;
    for i in first..out.len() {
        let side1 = side_of_box(out[i].pos, a, size1, REMOVE_RATIO);
        let side2 = side_of_box(out[i].pos, b, size2, REMOVE_RATIO);
        let bad = (side1 == Side::Outside && side2 != Side::Inside)
            || (side2 == Side::Outside && side1 != Side::Inside);
        if !bad {
            out[keep] = out[i];
            keep += 1;
        }
    }
    out.truncate(keep);
    // of equal points the last survives
    keep = first;
    for i in first..out.len() {
        if !out[i + 1..].iter().any(|other| other.pos == out[i].pos) {
            out[keep] = out[i];
            keep += 1;
        }
    }
    out.truncate(keep);
}
