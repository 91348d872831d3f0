//! Ray casting against the geoms and flexes of a model.

use crate::sdf::ray_sdf;
pub use crate::workspace::MultiRay;
use ligament_geom::ray::{self, HeightField, Hit, PlaneBasis, Pose, Ray, triangle, triangle_normal};
use ligament_math::{MINVAL, Mat3, Vec3, mat3, quat, vec3};
use ligament_model::constants::{MAXTREEDEPTH, MAXVAL};
use ligament_model::enums::GeomType;
use ligament_model::{Data, Model};
use std::f64::consts::PI;

/// Which geoms a ray can see.
#[derive(Debug, Clone, Copy)]
pub struct RayFilter<'a> {
    /// Visible groups; `None`: all.
    pub groups: Option<&'a [u8; 6]>,
    /// Include geoms that cannot move.
    pub include_static: bool,
    /// Body whose geoms are left out; -1: none.
    pub exclude_body: i32,
}

impl RayFilter<'_> {
    /// Everything that is drawn.
    pub const ALL: RayFilter<'static> = RayFilter { groups: None, include_static: true, exclude_body: -1 };

    fn admits(&self, m: &Model, geom: usize) -> bool {
        let body = m.geom_bodyid[geom];
        let alpha = match usize::try_from(m.geom_matid[geom]) {
            Ok(material) => m.mat_rgba[material][3],
            Err(_) => m.geom_rgba[geom][3],
        };
        let moves = m.body_weldid[body as usize] != 0;
        let group = m.geom_group[geom].clamp(0, 5) as usize;
        body != self.exclude_body
            && alpha != 0.0
            && (self.include_static || moves)
            && self.groups.is_none_or(|groups| groups[group] != 0)
    }
}

/// The geom a ray meets first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeomHit {
    /// Which geom.
    pub geom: usize,
    /// Where.
    pub hit: Hit,
}

/// Operations that a geom takes, and a node of a mesh's tree or a row of a height field.
pub(crate) const GEOM: u64 = 50;
const NODE: u64 = 20;

/// Nearest geom along a ray.
pub fn ray(m: &Model, d: &Data, ray: &Ray, filter: &RayFilter<'_>) -> Option<GeomHit> {
    ray_within(m, d, ray, filter, &mut { u64::MAX })
}

/// As [`ray`], counting the work; none is done when none is left.
pub(crate) fn ray_within(
    m: &Model,
    d: &Data,
    ray: &Ray,
    filter: &RayFilter<'_>,
    left: &mut u64,
) -> Option<GeomHit> {
    let mut nearest = None;
    for geom in (0..m.ngeom).filter(|&g| !passes_by(m, d, g, ray) && filter.admits(m, g)) {
        keep_nearer(&mut nearest, geom, meet(m, d, geom, ray, left));
    }
    nearest
}

/// Does a ray clearly pass by a primitive? Its sizes tell, not `geom_rbound`, which nobody may have kept up to date.
#[inline]
fn passes_by(m: &Model, d: &Data, geom: usize, ray: &Ray) -> bool {
    let primitive = GeomType::Sphere as i32..=GeomType::Box as i32;
    let [a, b, c] = m.geom_size[geom].map(f64::abs);
    primitive.contains(&m.geom_type[geom]) && ray.clearly_misses(d.geom_xpos[geom], a + b + c)
}

fn keep_nearer(nearest: &mut Option<GeomHit>, geom: usize, hit: Option<Hit>) {
    if let Some(hit) = hit
        && nearest.is_none_or(|best| hit.distance < best.hit.distance)
    {
        *nearest = Some(GeomHit { geom, hit });
    }
}

/// Where a ray meets one geom.
pub fn ray_geom(m: &Model, d: &Data, geom: usize, ray: &Ray) -> Option<Hit> {
    meet(m, d, geom, ray, &mut { u64::MAX })
}

fn meet(m: &Model, d: &Data, geom: usize, ray: &Ray, left: &mut u64) -> Option<Hit> {
    *left = left.saturating_sub(GEOM);
    if *left == 0 {
        return None;
    }
    match GeomType::try_from(m.geom_type[geom]).ok()? {
        GeomType::Mesh => descend(m, d, geom, ray, left),
        GeomType::Hfield => {
            let field = usize::try_from(m.geom_dataid[geom]).ok()?;
            let cells = (m.hfield_nrow[field] + m.hfield_ncol[field]) as u64;
            *left = left.saturating_sub(cells * NODE);
            ray_hfield(m, d, geom, ray)
        }
        GeomType::Sdf => ray_sdf(m, d, geom, ray),
        primitive => ray_primitive(&pose_of(d, geom), m.geom_size[geom], primitive, ray),
    }
}

fn pose_of(d: &Data, geom: usize) -> Pose {
    Pose { pos: d.geom_xpos[geom], mat: d.geom_xmat[geom] }
}

/// Where a ray meets a primitive shape; `None` for other kinds too.
pub fn ray_primitive(pose: &Pose, size: Vec3, kind: GeomType, along: &Ray) -> Option<Hit> {
    match kind {
        GeomType::Plane => ray::plane(pose, size, along),
        GeomType::Sphere => ray::sphere(pose.pos, size[0], along),
        GeomType::Capsule => ray::capsule(pose, size, along),
        GeomType::Ellipsoid => ray::ellipsoid(pose, size, along),
        GeomType::Cylinder => ray::cylinder(pose, size, along),
        GeomType::Box => ray::boxed(pose, size, along),
        GeomType::Hfield
        | GeomType::Mesh
        | GeomType::Sdf
        | GeomType::Arrow
        | GeomType::Arrow1
        | GeomType::Arrow2
        | GeomType::Line
        | GeomType::Linebox
        | GeomType::Flex
        | GeomType::Skin
        | GeomType::Label
        | GeomType::Triangle
        | GeomType::None => None,
    }
}

/// Where a ray meets a height-field geom.
pub fn ray_hfield(m: &Model, d: &Data, geom: usize, along: &Ray) -> Option<Hit> {
    let id = usize::try_from(m.geom_dataid[geom]).ok()?;
    let (nrow, ncol) = (m.hfield_nrow[id] as usize, m.hfield_ncol[id] as usize);
    let start = m.hfield_adr[id] as usize;
    let data = &m.hfield_data[start..start + nrow * ncol];
    ray::height_field(&HeightField { nrow, ncol, size: m.hfield_size[id], data }, &pose_of(d, geom), along)
}

/// Where a ray meets a mesh geom, by descending its bounding-volume tree.
pub fn ray_mesh(m: &Model, d: &Data, geom: usize, along: &Ray) -> Option<Hit> {
    descend(m, d, geom, along, &mut { u64::MAX })
}

fn descend(m: &Model, d: &Data, geom: usize, along: &Ray, left: &mut u64) -> Option<Hit> {
    let pose = pose_of(d, geom);
    let mesh = usize::try_from(m.geom_dataid[geom]).ok()?;
    ray::boxed(&pose, m.geom_size[geom], along)?;
    let local = along.seen_from(&pose);
    let basis = PlaneBasis::new(local.direction);
    let root = m.mesh_bvhadr[mesh] as usize;

    let mut best: Option<(f64, [Vec3; 3])> = None;
    let mut stack = [0usize; MAXTREEDEPTH];
    let mut depth = 1;
    while depth > 0 && *left > 0 {
        *left = left.saturating_sub(NODE);
        depth -= 1;
        let here = stack[depth];
        let node = root + here;
        if !ray::meets_aabb(&local, &m.bvh_aabb[node]) {
            continue;
        }
        if let Ok(face) = usize::try_from(m.bvh_nodeid[node]) {
            let vertices = mesh_face(m, mesh, face);
            if let Some(t) = triangle(&vertices, &local, &basis)
                && t >= 0.0
                && best.is_none_or(|(distance, _)| t < distance)
            {
                best = Some((t, vertices));
            }
            continue;
        }
        for child in m.bvh_child[node] {
            // trees are built no deeper than the stack, and children come after their parent
            if child > here as i32 && depth < MAXTREEDEPTH {
                stack[depth] = child as usize;
                depth += 1;
            }
        }
    }
    let (distance, vertices) = best?;
    Some(Hit { distance, normal: mat3::mul_vec(&pose.mat, triangle_normal(&vertices)) })
}

fn mesh_face(m: &Model, mesh: usize, face: usize) -> [Vec3; 3] {
    let first = m.mesh_vertadr[mesh];
    m.mesh_face[m.mesh_faceadr[mesh] as usize + face]
        .map(|v| m.mesh_vert[(first + v) as usize].map(f64::from))
}

/// Which parts of a flex a ray can see, as drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct FlexParts {
    /// Layer of a volume; -1: all.
    pub layer: i32,
    /// Its vertices, as balls.
    pub vertices: bool,
    /// Its edges, as capsules.
    pub edges: bool,
    /// Its faces.
    pub faces: bool,
    /// Its skin.
    pub skin: bool,
}

/// Where a ray meets a flex, and the nearest vertex.
pub fn ray_flex(m: &Model, d: &Data, flex: usize, parts: FlexParts, along: &Ray) -> Option<(Hit, usize)> {
    let first = m.flex_vertadr[flex] as usize;
    let vertices = &d.flexvert_xpos[first..first + m.flex_vertnum[flex] as usize];
    let radius = m.flex_radius[flex];
    let (pos, size) = bounding_box(vertices, radius);
    ray::boxed(&Pose { pos, mat: mat3::IDENTITY }, size, along)?;

    let mut nearest: Option<(Hit, usize)> = None;
    let mut offer = |hit: Option<Hit>, candidates: &[usize]| {
        let Some(hit) = hit.filter(|h| h.distance >= 0.0) else { return };
        if nearest.is_none_or(|(best, _)| hit.distance < best.distance) {
            let point = along.at(hit.distance);
            let closest = candidates.iter().copied().min_by(|&a, &b| {
                vec3::distance(vertices[a], point).total_cmp(&vec3::distance(vertices[b], point))
            });
            nearest = Some((hit, closest.unwrap_or(0)));
        }
    };
    let surface = m.flex_dim[flex] > 1;
    if parts.edges || (surface && parts.skin) {
        let edges = m.flex_edgeadr[flex] as usize;
        for edge in &m.flex_edge[edges..edges + m.flex_edgenum[flex] as usize] {
            // on a tie the second vertex is reported
            let [a, b] = edge.map(|v| v as usize);
            offer(ray_segment(vertices[a], vertices[b], radius, along), &[b, a]);
        }
    } else if parts.vertices {
        for (v, &center) in vertices.iter().enumerate() {
            offer(ray::sphere(center, radius, along), &[v]);
        }
    }
    if surface && (parts.faces || parts.skin) {
        let basis = PlaneBasis::new(along.direction);
        for_each_face(m, flex, parts, |corners| {
            let corner = corners.map(|v| vertices[v]);
            let hit = triangle(&corner, along, &basis);
            offer(hit.map(|distance| Hit { distance, normal: triangle_normal(&corner) }), &corners);
        });
    }
    nearest
}

fn bounding_box(vertices: &[Vec3], radius: f64) -> (Vec3, Vec3) {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for v in vertices {
        for i in 0..3 {
            low[i] = low[i].min(v[i]);
            high[i] = high[i].max(v[i]);
        }
    }
    let center = std::array::from_fn(|i| 0.5 * ((low[i] - radius) + (high[i] + radius)));
    let size = std::array::from_fn(|i| 0.5 * ((high[i] + radius) - (low[i] - radius)));
    (center, size)
}

/// A capsule around the segment between two points.
fn ray_segment(a: Vec3, b: Vec3, radius: f64, along: &Ray) -> Option<Hit> {
    let mut axis = vec3::sub(b, a);
    let half = 0.5 * vec3::normalize(&mut axis);
    let mat: Mat3 = quat::to_mat(quat::from_z_axis(axis));
    let pose = Pose { pos: vec3::scale(vec3::add(a, b), 0.5), mat };
    ray::capsule(&pose, [radius, half, 0.0], along)
}

/// Calls `visit` with the vertices of every visible triangle of a flex.
fn for_each_face(m: &Model, flex: usize, parts: FlexParts, mut visit: impl FnMut([usize; 3])) {
    const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
    let dim = m.flex_dim[flex] as usize;
    let (elements, data) = (m.flex_elemadr[flex] as usize, m.flex_elemdataadr[flex] as usize);
    for e in 0..m.flex_elemnum[flex] as usize {
        let layer = m.flex_elemlayer[elements + e];
        let visible = if parts.skin { layer <= 0 } else { layer == parts.layer };
        if dim == 3 && !visible {
            continue;
        }
        let corners = &m.flex_elem[data + e * (dim + 1)..data + (e + 1) * (dim + 1)];
        for face in FACES.iter().take(if dim == 2 { 1 } else { 4 }) {
            visit(face.map(|k| corners[k] as usize));
        }
    }
}

/// Casts many rays from one point. Geoms whose angular extent, seen from there, excludes a ray are skipped.
///
/// `visit` gets the index of each ray and what it meets; directions shorter than `MINVAL` meet nothing.
pub fn multi_ray(
    m: &Model,
    d: &Data,
    scratch: &mut MultiRay,
    origin: Vec3,
    directions: &[Vec3],
    filter: &RayFilter<'_>,
    cutoff: f64,
    mut visit: impl FnMut(usize, Option<GeomHit>),
) {
    prepare(m, d, scratch, origin, filter, cutoff);
    for (i, &direction) in directions.iter().enumerate() {
        let found = if vec3::dot(direction, direction) < MINVAL {
            None
        } else {
            prepared_ray(m, d, scratch, &Ray { origin, direction })
        };
        visit(i, found);
    }
}

/// Azimuth and polar angle of a direction.
fn angles(v: Vec3) -> (f64, f64) {
    (v[1].atan2(v[0]), (v[0] * v[0] + v[1] * v[1]).sqrt().atan2(v[2]))
}

/// All directions: lowest azimuth, lowest polar angle, highest azimuth, highest polar angle.
const EVERYWHERE: [f64; 4] = [-PI, 0.0, PI, PI];

fn prepare(m: &Model, d: &Data, scratch: &mut MultiRay, origin: Vec3, filter: &RayFilter<'_>, cutoff: f64) {
    scratch.admitted.clear();
    scratch.admitted.extend((0..m.ngeom).map(|g| filter.admits(m, g)));
    scratch.extent.clear();
    scratch.extent.resize(m.ngeom, EVERYWHERE);
    for body in (0..m.nbody).filter(|&b| m.body_bvhadr[b] != -1) {
        let first = m.body_geomadr[body] as usize;
        for geom in first..first + m.body_geomnum[body] as usize {
            if !scratch.admitted[geom] {
                continue;
            }
            if vec3::distance(d.geom_xpos[geom], origin) > cutoff + m.geom_rbound[geom] {
                scratch.admitted[geom] = false;
            } else {
                scratch.extent[geom] = angular_extent(&m.geom_aabb[geom], &pose_of(d, geom), origin);
            }
        }
    }
}

/// Range of directions in which a box may be seen from a point, widened for the curvature of its faces.
fn angular_extent(aabb: &[f64; 6], pose: &Pose, origin: Vec3) -> [f64; 4] {
    let local = mat3::mul_vec_t(&pose.mat, vec3::sub(origin, pose.pos));
    if (0..3).all(|i| (local[i] - aabb[i]).abs() <= aabb[3 + i]) {
        return EVERYWHERE;
    }
    let mut extent = [MAXVAL, MAXVAL, -MAXVAL, -MAXVAL];
    for corner in 0..8 {
        let sign = |i: usize| if corner >> i & 1 == 1 { 1.0 } else { -1.0 };
        let vertex: Vec3 = std::array::from_fn(|i| aabb[i] + sign(i) * aabb[3 + i]);
        let world = vec3::add(mat3::mul_vec(&pose.mat, vertex), pose.pos);
        let (azimuth, polar) = angles(vec3::sub(world, origin));
        extent = [extent[0].min(azimuth), extent[1].min(polar), extent[2].max(azimuth), extent[3].max(polar)];
    }
    let distance = vec3::distance(origin, pose.pos);
    if distance > MINVAL {
        let margin = aabb[3].max(aabb[4]).max(aabb[5]).atan2(distance);
        extent = [extent[0] - margin, extent[1] - margin, extent[2] + margin, extent[3] + margin];
    }
    let wraps = extent[2] - extent[0] > PI || extent[3] - extent[1] > PI;
    if wraps { EVERYWHERE } else { extent }
}

fn within(extent: &[f64; 4], azimuth: f64, polar: f64) -> bool {
    if polar < extent[1] || polar > extent[3] {
        return false;
    }
    let mut offset = azimuth - (extent[0] + extent[2]) * 0.5;
    if offset > PI {
        offset -= 2.0 * PI;
    } else if offset < -PI {
        offset += 2.0 * PI;
    }
    offset.abs() <= (extent[2] - extent[0]) * 0.5
}

fn prepared_ray(m: &Model, d: &Data, scratch: &mut MultiRay, along: &Ray) -> Option<GeomHit> {
    let (azimuth, polar) = angles(along.direction);
    let mut nearest = None;
    for body in 0..m.nbody {
        let bounded = m.body_bvhadr[body] != -1;
        if bounded {
            // As in MuJoCo 3.5.0, the centre of the body's box is added to its centre of mass without rotation.
            let aabb = &m.bvh_aabb[m.body_bvhadr[body] as usize];
            let center = vec3::add([aabb[0], aabb[1], aabb[2]], d.xipos[body]);
            let size = [aabb[3], aabb[4], aabb[5]];
            if ray::sphere_distance(center, vec3::dot(size, size), along).is_none() {
                continue;
            }
        }
        let first = m.body_geomadr[body].max(0) as usize;
        for geom in first..first + m.body_geomnum[body] as usize {
            if scratch.admitted[geom] && (!bounded || within(&scratch.extent[geom], azimuth, polar)) {
                keep_nearer(&mut nearest, geom, meet(m, d, geom, along, &mut scratch.left));
            }
        }
    }
    nearest
}
