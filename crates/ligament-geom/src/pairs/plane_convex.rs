//! Plane against ellipsoid and mesh: the support point, and for meshes up to two more vertices.

use crate::contact::{ContactPoint, ContactPoints};
use crate::convex::{MeshView, climb, steps_of_search};
use crate::shape::Solid;
use ligament_math::{Vec3, mat3, vec3};

/// Most contacts between a plane and a mesh.
const MAX_MESH_POINTS: usize = 3;
/// Further points keep this distance from the first, relative to the bounding radius.
const MESH_SPREAD: f64 = 0.3;

/// The lowest point of an ellipsoid that was fitted to a mesh, then vertices of the mesh.
///
/// Quirk of 3.5.0: these touch the plane although the ellipsoid took the place of the mesh, unless it has a hull.
pub fn plane_fitted_ellipsoid(
    plane: &Solid,
    ellipsoid: &Solid,
    mesh: &MeshView,
    bounding_radius: f64,
    margin: f64,
    out: &mut ContactPoints,
) {
    let first = out.len();
    plane_ellipsoid(plane, ellipsoid, margin, out);
    if out.len() > first && mesh.graph.is_none() {
        let spread = Spread { mesh, near: out[first].pos, distance: MESH_SPREAD * bounding_radius, margin };
        spread.add(plane, ellipsoid, 0..mesh.vert.len(), first, out);
    }
}

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

/// The lowest vertex, then its neighbours (or, without hull graph, any vertices) that are within the margin. Returns the
/// iterations that a long search counts for.
pub fn plane_mesh(
    plane: &Solid,
    body: &Solid,
    mesh: &MeshView,
    bounding_radius: f64,
    margin: f64,
    out: &mut ContactPoints,
) -> u64 {
    if mesh.vert.is_empty() {
        return 0;
    }
    let normal = plane.axis();
    let down = mat3::mul_vec_t(body.mat, vec3::scale(normal, -1.0));
    let (hull_vertex, looked) =
        mesh.graph.map(|graph| climb(mesh, &graph, down, 0)).map_or((None, 0), |(v, n)| (Some(v), n));
    let lowest = match (mesh.graph, hull_vertex) {
        (Some(graph), Some(local)) => graph.vertex(local),
        _ => lowest_vertex(mesh, down),
    };
    let first = out.len();
    if !add_point(plane, normal, body, mesh.vertex(lowest), margin, out) {
        return steps_of_search(looked);
    }

    let spread = Spread { mesh, near: out[first].pos, distance: MESH_SPREAD * bounding_radius, margin };
    match (mesh.graph, hull_vertex) {
        (Some(graph), Some(local)) => {
            let neighbours = graph.neighbours(local).map(|neighbour| graph.vertex(neighbour));
            spread.add(plane, body, neighbours, first, out);
        }
        _ => spread.add(plane, body, (0..mesh.vert.len()).filter(|&v| v != lowest), first, out),
    }
    steps_of_search(2 * looked)
}

/// Further vertices of a mesh that touch a plane.
struct Spread<'a> {
    mesh: &'a MeshView<'a>,
    /// The first contact, and how far from it others must be.
    near: Vec3,
    distance: f64,
    margin: f64,
}

impl Spread<'_> {
    /// Adds those within the margin until there are as many as may be, counted from `first`.
    fn add(
        &self,
        plane: &Solid,
        body: &Solid,
        vertices: impl Iterator<Item = usize>,
        first: usize,
        out: &mut ContactPoints,
    ) {
        let normal = plane.axis();
        let down = mat3::mul_vec_t(body.mat, vec3::scale(normal, -1.0));
        let threshold = vec3::dot(normal, vec3::sub(body.pos, plane.pos)) - self.margin;
        for vertex in vertices {
            if out.len() - first >= MAX_MESH_POINTS {
                return;
            }
            if self.mesh.project(vertex, down) > threshold {
                let point = vec3::add(mat3::mul_vec(body.mat, self.mesh.vertex(vertex)), body.pos);
                if vec3::distance(point, self.near) >= self.distance {
                    let dist = vec3::dot(normal, vec3::sub(point, plane.pos));
                    out.push(ContactPoint::new(dist, vec3::add_scaled(point, normal, -0.5 * dist), normal));
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
