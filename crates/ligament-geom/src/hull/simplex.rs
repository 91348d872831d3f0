//! The first four corners: a large tetrahedron among the extreme points.

use ligament_math::Vec3;

/// Relative size below which a determinant is suspected to belong to a sliver.
const SLIVER: f64 = 1e-3;

/// Four points that span space, in the order in which they become vertices; `None` when the points are flat.
pub fn initial(points: &[Vec3]) -> Option<[usize; 4]> {
    let (extremes, width, near_zero) = extremes(points);
    let mut simplex = vec![extreme_x(points, &extremes, false)];
    let highest = extreme_x(points, &extremes, true);
    if highest == simplex[0] {
        return None;
    }
    simplex.push(highest);
    let mut size = points[highest][0] - points[simplex[0]][0];
    for dim in 2..4 {
        let threshold = 10.0 * near_zero[dim - 1];
        let (next, determinant) = best_corner(points, &extremes, &simplex, dim, size * width, threshold)?;
        size = determinant;
        simplex.push(next);
    }
    Some([simplex[0], simplex[1], simplex[2], simplex[3]])
}

/// The lowest and highest point along each axis, the largest width, and the rounding error per dimension.
fn extremes(points: &[Vec3]) -> ([usize; 6], f64, [f64; 3]) {
    let (mut found, mut width, mut sum, mut near_zero) = ([0; 6], 0.0_f64, 0.0, [0.0; 3]);
    for k in 0..3 {
        let (mut low, mut high) = (0, 0);
        for (i, p) in points.iter().enumerate() {
            if points[high][k] < p[k] {
                high = i;
            } else if points[low][k] > p[k] {
                low = i;
            }
        }
        width = width.max(points[high][k] - points[low][k]);
        sum += points[high][k].max(-points[low][k]);
        near_zero[k] = 80.0 * sum * f64::EPSILON;
        found[2 * k] = low;
        found[2 * k + 1] = high;
    }
    (found, width, near_zero)
}

/// Coordinates this small may be rounding errors, per dimension.
pub fn near_zero(points: &[Vec3]) -> [f64; 3] {
    extremes(points).2
}

fn extreme_x(points: &[Vec3], candidates: &[usize; 6], highest: bool) -> usize {
    let sign = if highest { 1.0 } else { -1.0 };
    let mut best = candidates[0];
    for &i in candidates {
        if sign * points[i][0] > sign * points[best][0] {
            best = i;
        }
    }
    best
}

/// The candidate with the largest determinant; all points are searched when that is too small to trust.
fn best_corner(
    points: &[Vec3],
    candidates: &[usize; 6],
    simplex: &[usize],
    dim: usize,
    target: f64,
    threshold: f64,
) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for &i in candidates {
        if simplex.contains(&i) {
            continue;
        }
        let value = determinant(points, i, simplex, dim).abs();
        if best.is_none_or(|(_, largest)| value > largest) {
            best = Some((i, value));
        }
    }
    let trusted =
        best.is_some_and(|(_, value)| value >= threshold && !(value > 0.0 && value / target < SLIVER));
    if !trusted {
        let enough = 10.0 * SLIVER * target;
        for i in 0..points.len() {
            if candidates.contains(&i) || simplex.contains(&i) {
                continue;
            }
            let value = determinant(points, i, simplex, dim).abs();
            if best.is_none_or(|(_, largest)| value > largest) {
                best = Some((i, value));
                if value >= threshold && value > enough {
                    break;
                }
            }
        }
    }
    best
}

/// Determinant of the simplex with this apex, in the first `dim` coordinates.
fn determinant(points: &[Vec3], apex: usize, simplex: &[usize], dim: usize) -> f64 {
    let row = |i: usize| -> Vec3 { std::array::from_fn(|k| points[simplex[i]][k] - points[apex][k]) };
    let (a, b) = (row(0), row(1));
    if dim == 2 {
        return a[0] * b[1] - a[1] * b[0];
    }
    let c = row(2);
    a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
        + c[0] * (a[1] * b[2] - a[2] * b[1])
}
