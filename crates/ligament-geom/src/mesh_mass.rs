//! Area, volume and products of inertia of triangle meshes.

use ligament_math::{MINVAL, Mat3, Vec3, vec3};

/// How a mesh is filled with matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filling {
    /// Signed pyramids from the centroid of the faces.
    Exact,
    /// Pyramids counted as positive whatever their orientation.
    Legacy,
    /// Mass on the surface.
    Shell,
}

/// A triangle's area, unit normal and centre. A degenerate one has area 0 and an unscaled normal.
#[derive(Debug, Clone, Copy)]
pub struct Triangle {
    /// Its area.
    pub area: f64,
    /// Unit normal.
    pub normal: Vec3,
    /// Centroid.
    pub center: Vec3,
}

/// Area, normal and centroid of a triangle.
#[inline]
pub fn triangle(a: &Vec3, b: &Vec3, c: &Vec3) -> Triangle {
    let center = [(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0, (a[2] + b[2] + c[2]) / 3.0];
    let normal = vec3::cross(vec3::sub(*b, *a), vec3::sub(*c, *a));
    let length = vec3::norm(normal);
    if length < MINVAL {
        return Triangle { area: 0.0, normal, center };
    }
    Triangle {
        area: 0.5 * length,
        normal: [normal[0] / length, normal[1] / length, normal[2] / length],
        center,
    }
}

#[inline]
fn corners<'a>(vert: &'a [Vec3], face: &[i32; 3]) -> (&'a Vec3, &'a Vec3, &'a Vec3) {
    (&vert[face[0] as usize], &vert[face[1] as usize], &vert[face[2] as usize])
}

/// Area-weighted centre of the faces, and the area. The centre of a mesh without area is not scaled.
pub fn face_centroid(vert: &[Vec3], faces: &[[i32; 3]]) -> (Vec3, f64) {
    let (mut center, mut total) = ([0.0; 3], 0.0);
    for face in faces {
        let (a, b, c) = corners(vert, face);
        let t = triangle(a, b, c);
        for k in 0..3 {
            center[k] += t.area * t.center[k];
        }
        total += t.area;
    }
    if total >= MINVAL {
        center = center.map(|x| x / total);
    }
    (center, total)
}

/// Volume (or area of a shell) and centre of mass, from pyramids with their apex at `apex`.
pub fn volume_and_com(vert: &[Vec3], faces: &[[i32; 3]], apex: Vec3, filling: Filling) -> (f64, Vec3) {
    let (mut total, mut com) = (0.0, [0.0; 3]);
    for face in faces {
        let (a, b, c) = corners(vert, face);
        let t = triangle(a, b, c);
        let weight = match filling {
            Filling::Shell => t.area,
            Filling::Exact => vec3::dot(vec3::sub(t.center, apex), t.normal) * t.area / 3.0,
            Filling::Legacy => (vec3::dot(vec3::sub(t.center, apex), t.normal) * t.area / 3.0).abs(),
        };
        total += weight;
        for k in 0..3 {
            com[k] += weight * (t.center[k] * 3.0 / 4.0 + apex[k] / 4.0);
        }
    }
    if total >= MINVAL {
        com = com.map(|x| x / total);
    }
    (total, com)
}

/// Inertia of unit density about `com`, and the volume (area) found on the way.
///
/// Products of inertia of a tetrahedron (triangle) with corners D, E, F and the origin: Ericson, Blow.
pub fn inertia(vert: &[Vec3], faces: &[[i32; 3]], com: Vec3, filling: Filling) -> (Mat3, f64) {
    const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    let divisor = if filling == Filling::Shell { 12.0 } else { 20.0 };
    let mut products = [0.0; 6];
    let mut total = 0.0;
    for face in faces {
        let (a, b, c) = corners(vert, face);
        let (d, e, f) = (vec3::sub(*a, com), vec3::sub(*b, com), vec3::sub(*c, com));
        let t = triangle(&d, &e, &f);
        let weight = match filling {
            Filling::Shell => t.area,
            Filling::Exact => vec3::dot(t.center, t.normal) * t.area / 3.0,
            Filling::Legacy => (vec3::dot(t.center, t.normal) * t.area / 3.0).abs(),
        };
        total += weight;
        for (product, (i, j)) in products.iter_mut().zip(PAIRS) {
            *product += weight / divisor
                * (2.0 * (d[i] * d[j] + e[i] * e[j] + f[i] * f[j])
                    + d[i] * e[j]
                    + d[j] * e[i]
                    + d[i] * f[j]
                    + d[j] * f[i]
                    + e[i] * f[j]
                    + e[j] * f[i]);
        }
    }
    let [xx, yy, zz, xy, xz, yz] = products;
    ([yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy], total)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERT: [Vec3; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    const FACES: [[i32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

    #[test]
    fn a_corner_tetrahedron_has_a_sixth_of_the_cube() {
        let (apex, _) = face_centroid(&VERT, &FACES);
        let (volume, com) = volume_and_com(&VERT, &FACES, apex, Filling::Exact);
        assert!((volume - 1.0 / 6.0).abs() < 1e-15);
        for x in com {
            assert!((x - 0.25).abs() < 1e-15);
        }
        // ∫(y²+z²) about the centre: V(2/10 - 2/16)
        let (full, again) = inertia(&VERT, &FACES, com, Filling::Exact);
        assert!((again - volume).abs() < 1e-15);
        assert!((full[0] - volume * (0.2 - 0.125)).abs() < 1e-15);
    }

    #[test]
    fn legacy_ignores_the_orientation_of_faces() {
        let flipped: Vec<[i32; 3]> = FACES.iter().map(|f| [f[0], f[2], f[1]]).collect();
        let (apex, _) = face_centroid(&VERT, &FACES);
        let (volume, _) = volume_and_com(&VERT, &flipped, apex, Filling::Legacy);
        assert!((volume - 1.0 / 6.0).abs() < 1e-15);
        assert!(volume_and_com(&VERT, &flipped, apex, Filling::Exact).0 < 0.0);
    }
}
