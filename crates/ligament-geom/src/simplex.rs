//! The point of a simplex nearest to the origin, in barycentric coordinates.
//!
//! Signed-volumes method of Montanari, Petrinic and Barbieri, "Improving the GJK algorithm for faster and more
//! reliable distance queries between convex objects", ACM Transactions on Graphics 36(3), 2017.

use ligament_math::{MINVAL, Vec3, vec3};

/// Σ λ_i v_i
#[inline]
pub(crate) fn combine<const N: usize>(lambda: [f64; N], v: [Vec3; N]) -> Vec3 {
    std::array::from_fn(|k| {
        let mut sum = lambda[0] * v[0][k];
        for i in 1..N {
            sum += lambda[i] * v[i][k];
        }
        sum
    })
}

/// Determinant of the matrix with these columns.
#[inline]
pub(crate) fn det3(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

#[inline]
fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

/// Projection of the origin on the plane of three points; `None` when they lie on a line.
#[inline]
pub(crate) fn project_on_plane(v1: &Vec3, v2: &Vec3, v3: &Vec3) -> Option<Vec3> {
    // three equivalent normals: the first well-conditioned one decides, nearly always the first of all
    let n = vec3::cross(vec3::sub(*v3, *v2), vec3::sub(*v2, *v1));
    let nv = vec3::dot(n, *v2);
    let nn = vec3::dot(n, n);
    if nv != 0.0 && nn > MINVAL {
        return Some(vec3::scale(n, nv / nn));
    }
    if nn == 0.0 { None } else { project_on_narrow_plane(v1, v2, v3) }
}

/// [`project_on_plane`] for a triangle whose first normal is badly conditioned.
#[cold]
fn project_on_narrow_plane(&v1: &Vec3, &v2: &Vec3, &v3: &Vec3) -> Option<Vec3> {
    let d31 = vec3::sub(v3, v1);
    let n = vec3::cross(vec3::sub(v2, v1), d31);
    let nv = vec3::dot(n, v1);
    let nn = vec3::dot(n, n);
    if nn == 0.0 {
        return None;
    }
    if nv != 0.0 && nn > MINVAL {
        return Some(vec3::scale(n, nv / nn));
    }
    let n = vec3::cross(d31, vec3::sub(v3, v2));
    let nv = vec3::dot(n, v3);
    let nn = vec3::dot(n, n);
    Some(vec3::scale(n, nv / nn))
}

/// In the coordinate plane in which a triangle has its largest shadow: twice its signed area, and those of the
/// triangles that a point forms with the sides opposite to each corner.
fn shadow_areas(s: [Vec3; 3], p: Vec3) -> (f64, [f64; 3]) {
    let minor = |i: usize, j: usize| {
        let [s1, s2, s3] = s;
        s2[i] * s3[j] - s2[j] * s3[i] - s1[i] * s3[j] + s1[j] * s3[i] + s1[i] * s2[j] - s1[j] * s2[i]
    };
    let (m1, m2, m3) = (minor(1, 2), minor(0, 2), minor(0, 1));
    let (a1, a2, a3) = (m1.abs(), m2.abs(), m3.abs());
    // axes as constants: numbers picked by a variable index would have to pass through memory
    if a1 >= a2 && a1 >= a3 {
        (m1, areas::<1, 2>(p, s))
    } else if a2 >= a3 {
        (m2, areas::<0, 2>(p, s))
    } else {
        (m3, areas::<0, 1>(p, s))
    }
}

#[inline(always)]
fn areas<const X: usize, const Y: usize>(p: Vec3, s: [Vec3; 3]) -> [f64; 3] {
    let area =
        |a: Vec3, b: Vec3| p[X] * a[Y] + p[Y] * b[X] + a[X] * b[Y] - p[X] * b[Y] - p[Y] * a[X] - b[X] * a[Y];
    [area(s[1], s[2]), area(s[2], s[0]), area(s[0], s[1])]
}

/// Affine coordinates of a point of the plane of a triangle.
pub(crate) fn affine_coordinates(s: [Vec3; 3], p: Vec3) -> [f64; 3] {
    let (shadow, areas) = shadow_areas(s, p);
    areas.map(|area| area / shadow)
}

/// Coordinates of the point of a segment nearest to the origin.
pub(crate) fn nearest_on_segment(s: [Vec3; 2]) -> [f64; 2] {
    let [s1, s2] = s;
    let diff = vec3::sub(s2, s1);
    let scale = -(vec3::dot(s2, diff) / vec3::dot(diff, diff));
    let foot = vec3::add_scaled(s2, diff, scale);

    let mut axis = 0;
    let mut shadow = s1[0] - s2[0];
    for k in 1..3 {
        let length = s1[k] - s2[k];
        if length.abs() >= shadow.abs() {
            shadow = length;
            axis = k;
        }
    }
    let c1 = foot[axis] - s2[axis];
    let c2 = s1[axis] - foot[axis];
    if same_sign(shadow, c1) && same_sign(shadow, c2) { [c1 / shadow, c2 / shadow] } else { [0.0, 1.0] }
}

/// Coordinates of the point of a triangle nearest to the origin.
pub(crate) fn nearest_on_triangle(s: [Vec3; 3]) -> [f64; 3] {
    let Some(foot) = project_on_plane(&s[0], &s[1], &s[2]) else {
        let [a, b] = nearest_on_segment([s[0], s[1]]);
        return [a, b, 0.0];
    };
    let (shadow, area) = shadow_areas(s, foot);
    let inside = area.map(|a| same_sign(shadow, a));
    if inside == [true; 3] {
        return area.map(|a| a / shadow);
    }
    let mut best = [0.0; 3];
    let mut min = f64::MAX;
    for (skip, i, j) in [(0, 1, 2), (1, 0, 2), (2, 0, 1)] {
        if inside[skip] {
            continue;
        }
        let side = [s[i], s[j]];
        let lambda = nearest_on_segment(side);
        let point = combine(lambda, side);
        let dist = vec3::dot(point, point);
        if dist < min {
            min = dist;
            best = [0.0; 3];
            best[i] = lambda[0];
            best[j] = lambda[1];
        }
    }
    best
}

/// Coordinates of the point of a tetrahedron nearest to the origin.
pub(crate) fn nearest_on_tetrahedron(s: [Vec3; 4]) -> [f64; 4] {
    let [s1, s2, s3, s4] = s;
    let cofactor = [-det3(s2, s3, s4), det3(s1, s3, s4), -det3(s1, s2, s4), det3(s1, s2, s3)];
    let det = cofactor[0] + cofactor[1] + cofactor[2] + cofactor[3];
    let inside = cofactor.map(|c| same_sign(det, c));
    if inside == [true; 4] {
        return cofactor.map(|c| c / det);
    }
    let mut best = [0.0; 4];
    let mut min = f64::MAX;
    for (skip, face) in [(0, [1, 2, 3]), (1, [0, 2, 3]), (2, [0, 1, 3]), (3, [0, 1, 2])] {
        if inside[skip] {
            continue;
        }
        let corners = face.map(|i| s[i]);
        let lambda = nearest_on_triangle(corners);
        let point = combine(lambda, corners);
        let dist = vec3::dot(point, point);
        if dist < min {
            min = dist;
            // Quirk of the reference: the last face leaves the weight of the fourth vertex as an earlier face set it.
            // The simplex then stays a tetrahedron and the distance of separate shapes comes out as 0.
            if skip < 3 {
                best[skip] = 0.0;
            }
            for (i, l) in face.into_iter().zip(lambda) {
                best[i] = l;
            }
        }
    }
    best
}
