//! Convex shapes as the general algorithms see them: a centre, a support function, a margin.

use ligament_math::{MINVAL, Mat3, Vec3, mat3, vec3};

/// Meshes with fewer vertices are searched exhaustively.
const HILL_CLIMB_MIN: usize = 10;
const MINVAL2: f64 = MINVAL * MINVAL;

/// Hull vertices that a search looks at for the price of an iteration: more are found where one vertex has very many
/// neighbours, or the way over the hull is very long.
const ORDINARY: u64 = 256;

/// Hull vertices that are looked at in the time of an iteration of the convex algorithms.
const AT_ONCE: u64 = 64;

/// Iterations that it takes to look at so many hull vertices in one search, beyond what every search takes.
pub(crate) fn steps_of_search(looked: u64) -> u64 {
    looked.saturating_sub(ORDINARY) / AT_ONCE
}

/// The graph of hull vertices in the reference's `mesh_graph` layout: counts, then per hull vertex the address of its
/// neighbour list and its mesh vertex, then the lists, each closed by -1.
#[derive(Debug, Clone, Copy)]
pub struct HullGraph<'a> {
    edge_adr: &'a [i32],
    vertex: &'a [i32],
    neighbours: &'a [i32],
}

impl<'a> HullGraph<'a> {
    /// Reads the graph that starts at the head of `data`; `None` when it is malformed.
    pub fn new(data: &'a [i32]) -> Option<Self> {
        let n = usize::try_from(*data.first()?).ok()?;
        let body = data.get(2..)?;
        if n == 0 || body.len() < 2 * n {
            return None;
        }
        Some(Self { edge_adr: &body[..n], vertex: &body[n..2 * n], neighbours: &body[2 * n..] })
    }

    /// Number of hull vertices.
    fn len(&self) -> usize {
        self.vertex.len()
    }

    /// Hull vertices next to hull vertex `local`.
    #[inline]
    pub fn neighbours(&self, local: usize) -> impl Iterator<Item = usize> + '_ {
        let list = &self.neighbours[self.edge_adr[local] as usize..];
        list.iter().take_while(|&&id| id >= 0).map(|&id| id as usize)
    }

    /// Mesh vertex of a hull vertex.
    #[inline]
    pub fn vertex(&self, local: usize) -> usize {
        self.vertex[local] as usize
    }
}

/// Flat faces of a convex hull.
#[derive(Debug, Clone, Copy)]
pub struct Polygons<'a> {
    /// Outward normals.
    pub normal: &'a [Vec3],
    /// Per polygon, address and number of its vertices in `vert`.
    pub vert_adr: &'a [i32],
    /// Corners of each polygon.
    pub vert_num: &'a [i32],
    /// Vertices of the polygons, one after the other.
    pub vert: &'a [i32],
    /// Per mesh vertex, address and number of its polygons in `map`.
    pub map_adr: &'a [i32],
    /// Polygons at each vertex.
    pub map_num: &'a [i32],
    /// Polygons of the vertices, one after the other.
    pub map: &'a [i32],
}

impl<'a> Polygons<'a> {
    /// Polygons around a mesh vertex.
    pub fn around(&self, vertex: usize) -> &'a [i32] {
        let adr = self.map_adr[vertex] as usize;
        &self.map[adr..adr + self.map_num[vertex] as usize]
    }

    /// Mesh vertices of a polygon.
    pub fn vertices(&self, polygon: usize) -> &'a [i32] {
        let adr = self.vert_adr[polygon] as usize;
        &self.vert[adr..adr + self.vert_num[polygon] as usize]
    }
}

/// Vertices of a mesh and what is known of its convex hull.
#[derive(Debug, Clone, Copy)]
pub struct MeshView<'a> {
    /// Vertices in the frame of the mesh.
    pub vert: &'a [[f32; 3]],
    /// Neighbours on the hull, if there is one.
    pub graph: Option<HullGraph<'a>>,
    /// Needed for the points of touching faces only.
    pub polygons: Option<&'a Polygons<'a>>,
}

impl MeshView<'_> {
    /// A vertex in double precision.
    #[inline]
    pub fn vertex(&self, i: usize) -> Vec3 {
        self.vert[i].map(f64::from)
    }

    #[inline]
    pub(crate) fn project(&self, i: usize, dir: Vec3) -> f64 {
        vec3::dot(dir, self.vertex(i))
    }
}

/// Kind of a convex shape.
#[derive(Debug, Clone, Copy)]
pub enum Kind<'a> {
    /// A point at the origin of the frame.
    Point,
    /// From `-size[1]` to `size[1]` on the local z axis.
    Segment,
    /// Ball.
    Sphere,
    /// Cylinder with round ends, along z.
    Capsule,
    /// Ellipsoid.
    Ellipsoid,
    /// Cylinder along z.
    Cylinder,
    /// Box.
    Cuboid,
    /// Convex hull of a mesh.
    Mesh(&'a MeshView<'a>),
    /// Three bottom and three top vertices, world frame.
    Prism(&'a [Vec3; 6]),
    /// The hull of a few points (world frame), rounded by a radius.
    Simplex(&'a [Vec3], f64),
}

/// A convex shape in the world, with the memory of its last support query.
#[derive(Debug, Clone, Copy)]
pub struct Convex<'a> {
    /// Which shape.
    pub kind: Kind<'a>,
    /// Position and starting point of the search.
    pub pos: Vec3,
    /// Orientation.
    pub mat: Mat3,
    /// Sizes, as geoms have them.
    pub size: Vec3,
    /// The shape is blown up by half of it.
    pub margin: f64,
    /// Number of the last support vertex (box corner bits, mesh vertex); -1 when there is none.
    pub(crate) vertex: i32,
    /// Hull vertex from which the next search starts.
    pub(crate) hint: Option<usize>,
    /// Iterations that long searches count for.
    pub(crate) detours: u64,
}

impl<'a> Convex<'a> {
    /// A shape at a pose, inflated by a margin.
    pub fn new(kind: Kind<'a>, pos: Vec3, mat: Mat3, size: Vec3, margin: f64) -> Self {
        Self { kind, pos, mat, size, margin, vertex: -1, hint: None, detours: 0 }
    }

    /// The hull vertex where the last search ended.
    pub fn hint(&self) -> usize {
        self.hint.unwrap_or(0)
    }

    /// Starts the next search there, if there is such a hull vertex.
    pub fn set_hint(&mut self, hint: usize) {
        if let Kind::Mesh(MeshView { graph: Some(graph), .. }) = self.kind {
            self.hint = (hint < graph.len()).then_some(hint);
        }
    }

    /// Iterations that long searches count for since this was last asked.
    pub(crate) fn take_detours(&mut self) -> u64 {
        std::mem::take(&mut self.detours)
    }

    /// How far it is along a unit direction (towards this shape) from the other shape to this one, margins included; negative
    /// where they overlap along it.
    pub fn gap_along(&mut self, other: &mut Convex, dir: Vec3) -> f64 {
        vec3::dot(dir, vec3::sub(self.support(vec3::neg(dir)), other.support(dir)))
    }

    /// Finitely many support points: iterations end exactly. A margin rounds the shape.
    pub(crate) fn is_discrete(&self) -> bool {
        self.margin == 0.0 && matches!(self.kind, Kind::Mesh(_) | Kind::Cuboid | Kind::Prism(_))
    }

    /// A point inside, where searches start.
    pub fn center(&self) -> Vec3 {
        match self.kind {
            Kind::Prism(vertices) => {
                let sum = vertices.iter().fold([0.0; 3], |sum, &v| vec3::add(sum, v));
                vec3::scale(sum, 1.0 / 6.0)
            }
            _ => self.pos,
        }
    }

    /// Farthest point in a unit direction, margin included. Inlined, so that the point need not pass through memory.
    #[inline(always)]
    pub fn support(&mut self, dir: Vec3) -> Vec3 {
        let point = self.bare_support(dir);
        if self.margin > 0.0 && !matches!(self.kind, Kind::Simplex(..)) {
            let half = 0.5 * self.margin;
            return [point[0] + dir[0] * half, point[1] + dir[1] * half, point[2] + dir[2] * half];
        }
        point
    }

    /// Farthest point in a unit direction, without margin (except for simplices).
    #[inline(always)]
    pub(crate) fn bare_support(&mut self, dir: Vec3) -> Vec3 {
        if let Kind::Mesh(mesh) = self.kind { self.mesh_support(mesh, dir) } else { self.other_support(dir) }
    }

    /// [`Self::bare_support`] of shapes that are no meshes.
    fn other_support(&mut self, dir: Vec3) -> Vec3 {
        match self.kind {
            Kind::Point => self.pos,
            Kind::Segment => {
                let axis = mat3::col(&self.mat, 2);
                let dot = vec3::dot(axis, dir);
                let half = if dot >= 0.0 { self.size[1] } else { -self.size[1] };
                vec3::add(vec3::scale(axis, half), self.pos)
            }
            Kind::Sphere => vec3::add(vec3::scale(dir, self.size[0]), self.pos),
            Kind::Capsule => {
                let local = self.local_direction(dir);
                let mut point = vec3::scale(local, self.size[0]);
                point[2] += if local[2] >= 0.0 { self.size[1] } else { -self.size[1] };
                self.world_point(point)
            }
            Kind::Ellipsoid => self.ellipsoid_support(dir),
            Kind::Cylinder => {
                let local = self.local_direction(dir);
                let n2 = local[0] * local[0] + local[1] * local[1];
                let scale = if n2 >= MINVAL2 { self.size[0] / n2.sqrt() } else { 0.0 };
                let z = if local[2] >= 0.0 { self.size[1] } else { -self.size[1] };
                self.world_point([scale * local[0], scale * local[1], z])
            }
            Kind::Cuboid => {
                let local = self.local_direction(dir);
                let point: Vec3 =
                    std::array::from_fn(|k| if local[k] >= 0.0 { self.size[k] } else { -self.size[k] });
                self.vertex = (0..3).map(|k| i32::from(point[k] > 0.0) << k).sum();
                self.world_point(point)
            }
            Kind::Mesh(_) => unreachable!("has its own support function"),
            Kind::Prism(vertices) => {
                let half = if dir[2] < 0.0 { &vertices[..3] } else { &vertices[3..] };
                farthest(half, dir)
            }
            Kind::Simplex(points, radius) => {
                vec3::add_scaled(farthest(points, dir), dir, radius + 0.5 * self.margin)
            }
        }
    }

    #[inline]
    pub(crate) fn local_direction(&self, dir: Vec3) -> Vec3 {
        mat3::mul_vec_t(&self.mat, dir)
    }

    #[inline]
    pub(crate) fn world_point(&self, point: Vec3) -> Vec3 {
        vec3::add(mat3::mul_vec(&self.mat, point), self.pos)
    }

    fn ellipsoid_support(&self, dir: Vec3) -> Vec3 {
        let (local, size) = (self.local_direction(dir), self.size);
        let scaled = [local[0] * size[0], local[1] * size[1], local[2] * size[2]];
        let norm2 = vec3::dot(scaled, scaled);
        if norm2 < MINVAL2 {
            return vec3::add(vec3::scale(mat3::col(&self.mat, 0), size[0]), self.pos);
        }
        let inv = 1.0 / norm2.sqrt();
        self.world_point([
            scaled[0] * (inv * size[0]),
            scaled[1] * (inv * size[1]),
            scaled[2] * (inv * size[2]),
        ])
    }

    #[inline(always)]
    fn mesh_support(&mut self, mesh: &MeshView, dir: Vec3) -> Vec3 {
        let local = self.local_direction(dir);
        let best = match &mesh.graph {
            Some(graph) if mesh.vert.len() >= HILL_CLIMB_MIN => {
                let (hull, looked) =
                    farthest_on_hull(mesh, graph, local[0], local[1], local[2], self.hint.unwrap_or(0));
                self.detours += steps_of_search(looked);
                self.hint = Some(hull);
                graph.vertex(hull)
            }
            _ => {
                let start = usize::try_from(self.vertex).ok();
                search(mesh, local, start)
            }
        };
        self.vertex = best as i32;
        self.world_point(mesh.vertex(best))
    }
}

/// A hull vertex this much (relative to its own coordinates) above its neighbours is above all others: more than
/// single precision takes from the convexity of a hull.
const CLEARLY_ABOVE: f64 = 1e-6;

/// Lower than any projection.
const LOWEST: f64 = -(f32::MAX as f64);

/// The hull vertex farthest in a unit direction, found from `start`.
///
/// The search of the reference first steps to the best neighbour of the start, even downhill, and goes uphill from
/// there; that decides between vertices that are about as far. Two detours are cut short, because they can only lead
/// back to the start: from a vertex clearly above all its neighbours, and once the walk has returned to the start.
///
/// The direction comes as three numbers, which travel in registers. Not inlined: the caller's matrix would occupy them.
#[inline(never)]
fn farthest_on_hull(
    mesh: &MeshView,
    graph: &HullGraph,
    x: f64,
    y: f64,
    z: f64,
    start: usize,
) -> (usize, u64) {
    let (dir, mut looked) = ([x, y, z], 0);
    let (mut current, mut max) = best_neighbour(mesh, graph, dir, start, LOWEST, &mut looked);
    let vertex = mesh.vertex(graph.vertex(start));
    let slack = CLEARLY_ABOVE * (vertex[0].abs() + vertex[1].abs() + vertex[2].abs());
    if vec3::dot(dir, vertex) - max > slack {
        return (start, looked);
    }
    loop {
        let (best, height) = best_neighbour(mesh, graph, dir, current, max, &mut looked);
        if best == current || best == start {
            return (best, looked);
        }
        (current, max) = (best, height);
    }
}

/// Goes over hull edges to larger projections until there are none. Also says how many vertices it looked at.
pub(crate) fn climb(mesh: &MeshView, graph: &HullGraph, dir: Vec3, start: usize) -> (usize, u64) {
    let (mut current, mut max) = (start, mesh.project(graph.vertex(start), dir));
    let mut looked = 0;
    loop {
        let (best, height) = best_neighbour(mesh, graph, dir, current, max, &mut looked);
        if best == current {
            return (best, looked);
        }
        (current, max) = (best, height);
    }
}

/// The highest neighbour of a hull vertex above `max`, and its height; else the vertex itself.
#[inline(always)] // the hottest loop between meshes
fn best_neighbour(
    mesh: &MeshView,
    graph: &HullGraph,
    dir: Vec3,
    hull_vertex: usize,
    mut max: f64,
    looked: &mut u64,
) -> (usize, f64) {
    let mut best = hull_vertex;
    for neighbour in graph.neighbours(hull_vertex) {
        *looked += 1;
        let height = mesh.project(graph.vertex(neighbour), dir);
        if height > max {
            max = height;
            best = neighbour;
        }
    }
    (best, max)
}

/// The vertex with the largest projection; among equals `start`, then the first.
fn search(mesh: &MeshView, dir: Vec3, start: Option<usize>) -> usize {
    let mut best = start.unwrap_or(0);
    let mut max = match start {
        Some(i) => mesh.project(i, dir),
        None => LOWEST,
    };
    for i in 0..mesh.vert.len() {
        let projection = mesh.project(i, dir);
        if projection > max {
            max = projection;
            best = i;
        }
    }
    best
}

fn farthest(points: &[Vec3], dir: Vec3) -> Vec3 {
    let mut best = points[0];
    let mut max = vec3::dot(best, dir);
    for &point in &points[1..] {
        let projection = vec3::dot(point, dir);
        if projection > max {
            max = projection;
            best = point;
        }
    }
    best
}
