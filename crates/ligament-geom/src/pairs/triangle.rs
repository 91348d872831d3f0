//! Triangles with a radius (elements of deformable surfaces) against sphere, capsule and box.

use crate::contact::{ContactPoint, ContactPoints, MAX_POINTS};
use crate::shape::{Solid, box_corner};
use ligament_math::{MINVAL, Vec3, mat3, vec3};

/// Sphere around `center` against a triangle thickened by `radius`.
pub fn sphere_triangle(
    center: Vec3,
    sphere_radius: f64,
    triangle: &[Vec3; 3],
    radius: f64,
    margin: f64,
    out: &mut ContactPoints,
) {
    let reach = margin + sphere_radius + radius;
    // first corner is the origin
    let s = vec3::sub(center, triangle[0]);
    let a = vec3::sub(triangle[1], triangle[0]);
    let b = vec3::sub(triangle[2], triangle[0]);
    let plane = vec3::unit(vec3::cross(a, b));
    let height = vec3::dot(plane, s);
    if height.abs() > reach {
        return;
    }
    let foot = vec3::add_scaled(s, plane, -height);
    let nearest = nearest_in_triangle(foot, a, b, plane);
    let mut normal = vec3::sub(nearest, s);
    let dist = vec3::normalize(&mut normal);
    if dist > reach {
        return;
    }
    let gap = dist - sphere_radius - radius;
    out.push(ContactPoint::new(gap, vec3::add_scaled(center, normal, sphere_radius + gap / 2.0), normal));
}

/// Point of the triangle (0, a, b) nearest to a point of its plane.
fn nearest_in_triangle(foot: Vec3, a: Vec3, b: Vec3, plane: Vec3) -> Vec3 {
    let mut v1 = a;
    let length = vec3::normalize(&mut v1);
    let v2 = vec3::unit(vec3::cross(plane, a));
    let o = [0.0, 0.0];
    let a2 = [length, 0.0];
    let b2 = [vec3::dot(v1, b), vec3::dot(v2, b)];
    let p = [vec3::dot(v1, foot), vec3::dot(v2, foot)];
    let (s1, s2, s3) = (area_sign(p, o, a2), area_sign(p, a2, b2), area_sign(p, b2, o));
    if s1 == s2 && s2 == s3 {
        return foot;
    }
    let edges = [nearest_on_segment(p, o, a2), nearest_on_segment(p, a2, b2), nearest_on_segment(p, b2, o)];
    let best = if edges[0].1 < edges[1].1 && edges[0].1 < edges[2].1 {
        0
    } else if edges[1].1 < edges[2].1 {
        1
    } else {
        2
    };
    let x = edges[best].0;
    vec3::add_scaled(vec3::scale(v1, x[0]), v2, x[1])
}

fn area_sign(p1: [f64; 2], p2: [f64; 2], p3: [f64; 2]) -> i32 {
    let area = (p1[0] - p3[0]) * (p2[1] - p3[1]) - (p2[0] - p3[0]) * (p1[1] - p3[1]);
    i32::from(area > 0.0) - i32::from(area < 0.0)
}

/// Nearest point of a planar segment and its distance.
fn nearest_on_segment(p: [f64; 2], u: [f64; 2], v: [f64; 2]) -> ([f64; 2], f64) {
    let uv = [v[0] - u[0], v[1] - u[1]];
    let up = [p[0] - u[0], p[1] - u[1]];
    let x = (uv[0] * up[0] + uv[1] * up[1]) / MINVAL.max(uv[0] * uv[0] + uv[1] * uv[1]);
    let point = if x <= 0.0 {
        u
    } else if x >= 1.0 {
        v
    } else {
        [u[0] + uv[0] * x, u[1] + uv[1] * x]
    };
    let d = [point[0] - p[0], point[1] - p[1]];
    (point, (d[0] * d[0] + d[1] * d[1]).sqrt())
}

/// Corners of the triangle against the faces of the box, then corners of the box against the triangle.
pub fn box_triangle(cuboid: &Solid, triangle: &[Vec3; 3], radius: f64, margin: f64, out: &mut ContactPoints) {
    let first = out.len();
    let size = cuboid.size;
    for &vertex in triangle {
        let local = mat3::mul_vec_t(cuboid.mat, vec3::sub(vertex, cuboid.pos));
        let mut axis = 0;
        let mut height = local[0].abs() - size[0];
        for k in 1..3 {
            let h = local[k].abs() - size[k];
            if h > height {
                height = h;
                axis = k;
            }
        }
        let outside = (0..3).any(|k| local[k].abs() > size[k] + margin + radius);
        if height - radius > margin || outside {
            continue;
        }
        let mut local_normal = [0.0; 3];
        local_normal[axis] = if local[axis] > 0.0 { 1.0 } else { -1.0 };
        let normal = mat3::mul_vec(cuboid.mat, local_normal);
        let dist = height - radius;
        out.push(ContactPoint::new(dist, vec3::add_scaled(vertex, normal, -(radius + dist * 0.5)), normal));
    }
    for i in 0..8 {
        if out.len() - first >= MAX_POINTS {
            return;
        }
        let corner = vec3::add(mat3::mul_vec(cuboid.mat, box_corner(size, i)), cuboid.pos);
        sphere_triangle(corner, 0.0, triangle, radius, margin, out);
    }
}

/// Both end spheres against the triangle, then its corners against the wall.
pub fn capsule_triangle(
    capsule: &Solid,
    triangle: &[Vec3; 3],
    radius: f64,
    margin: f64,
    out: &mut ContactPoints,
) {
    let (capsule_radius, half) = (capsule.size[0], capsule.size[1]);
    let axis = capsule.axis();
    let p1 = vec3::add_scaled(capsule.pos, axis, -half);
    let p2 = vec3::add_scaled(capsule.pos, axis, half);
    sphere_triangle(p1, capsule_radius, triangle, radius, margin, out);
    sphere_triangle(p2, capsule_radius, triangle, radius, margin, out);
    let along = vec3::sub(p2, p1);
    for &vertex in triangle {
        let t = vec3::dot(vec3::sub(vertex, p1), along) / (4.0 * half * half);
        if t <= MINVAL || t >= 1.0 - MINVAL || t.is_nan() {
            continue;
        }
        let closest = vec3::add_scaled(p1, along, t);
        let mut normal = vec3::sub(vertex, closest);
        let dist = vec3::normalize(&mut normal);
        if dist > capsule_radius + radius + margin {
            continue;
        }
        let sum = vec3::add_scaled(vec3::add(closest, vertex), normal, capsule_radius - radius);
        out.push(ContactPoint::new(dist - capsule_radius - radius, vec3::scale(sum, 0.5), normal));
    }
}
