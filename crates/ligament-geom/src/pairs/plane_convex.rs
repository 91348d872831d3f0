//! Plane against ellipsoid and mesh: the support point, and for meshes up to two more vertices.

use crate::contact::{ContactPoint, ContactPoints};
use crate::convex::{MeshView, climb};
use crate::shape::Solid;
use ligament_math::{Vec3, mat3, vec3};

/// Most contacts between a plane and a mesh.
const MAX_MESH_POINTS: usize = 3;
/// Further points keep this distance from the first, relative to the bounding radius.
const MESH_SPREAD: f64 = 0.3;

/// The lowest point.
pub fn plane_ellipsoid(plane: &Solid, ellipsoid: &Solid, margin: f64, out: &mut ContactPoints) {
    let normal = plane.axis();
    let local = mat3::mul_vec_t(ellipsoid.mat, vec3::scale(normal, -1.0));
    let size = ellipsoid.size;
    let mut lowest = vec3::unit([local[0] * size[0], local[1] * size[1], local[2] * size[2]]);
    for k in 0..3 {
        lowest[k] *= size[k];
    }
    add_point(plane, normal, ellipsoid, lowest, margin, out);
}

/// Adds a local point of the second shape if it is within the margin of the plane.
fn add_point(
    plane: &Solid,
    normal: Vec3,
    other: &Solid,
    local: Vec3,
    margin: f64,
    out: &mut ContactPoints,
) -> bool {
    let point = vec3::add(mat3::mul_vec(other.mat, local), other.pos);
    let dist = vec3::dot(normal, vec3::sub(point, plane.pos));
    if dist > margin {
        return false;
    }
    out.push(ContactPoint::new(dist, vec3::add_scaled(point, normal, -0.5 * dist), normal));
    true
}

/// The lowest vertex, then its neighbours (or, without hull graph, any vertices) that are within the margin.
pub fn plane_mesh(
    plane: &Solid,
    body: &Solid,
    mesh: &MeshView,
    bounding_radius: f64,
    margin: f64,
    out: &mut ContactPoints,
) {
    if mesh.vert.is_empty() {
        return;
    }
    let normal = plane.axis();
    let down = mat3::mul_vec_t(body.mat, vec3::scale(normal, -1.0));
    let hull_vertex =
        mesh.graph.map(|graph| climb(mesh, &graph, down, 0, mesh.project(graph.vertex(0), down)));
    let lowest = match (mesh.graph, hull_vertex) {
        (Some(graph), Some(local)) => graph.vertex(local),
        _ => lowest_vertex(mesh, down),
    };
    let first = out.len();
    if !add_point(plane, normal, body, mesh.vertex(lowest), margin, out) {
        return;
    }

    let near = out[first].pos;
    let threshold = vec3::dot(normal, vec3::sub(body.pos, plane.pos)) - margin;
    let mut consider = |vertex: usize| {
        if out.len() - first >= MAX_MESH_POINTS {
            return false;
        }
        if mesh.project(vertex, down) > threshold {
            let point = vec3::add(mat3::mul_vec(body.mat, mesh.vertex(vertex)), body.pos);
            if vec3::distance(point, near) >= MESH_SPREAD * bounding_radius {
                let dist = vec3::dot(normal, vec3::sub(point, plane.pos));
                out.push(ContactPoint::new(dist, vec3::add_scaled(point, normal, -0.5 * dist), normal));
            }
        }
        true
    };
    match (mesh.graph, hull_vertex) {
        (Some(graph), Some(local)) => {
            for neighbour in graph.neighbours(local) {
                if !consider(graph.vertex(neighbour)) {
                    return;
                }
            }
        }
        _ => {
            for vertex in (0..mesh.vert.len()).filter(|&v| v != lowest) {
                if !consider(vertex) {
                    return;
                }
            }
        }
    }
}

fn lowest_vertex(mesh: &MeshView, down: Vec3) -> usize {
    let mut best = 0;
    let mut max = -1e10;
    for i in 0..mesh.vert.len() {
        let projection = mesh.project(i, down);
        if projection > max {
            max = projection;
            best = i;
        }
    }
    best
}
