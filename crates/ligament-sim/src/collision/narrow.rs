//! Narrow phase: filters a pair of geoms, calls the function for their types, turns points into contacts.

use super::mix::{ContactParams, PairFrame, Surface, effective_margin, is_valid, mix, of_pair};
use super::{Detector, STEP, TEST, filter, mid, sdf};
use crate::workspace::Collision;
use ligament_geom::ccd::Ccd;
use ligament_geom::contact::{ContactPoints, MAX_POINTS};
use ligament_geom::convex::{Convex, HullGraph, Kind, MeshView, Polygons};
use ligament_geom::hfield::{HeightField, hfield_convex};
use ligament_geom::pairs::{self, ConvexOptions};
use ligament_geom::shape::Solid;
use ligament_model::enums::{DisableBit, EnableBit, GeomType, SleepState};
use ligament_model::{Data, Model};
use std::ops::Range;

impl Detector<'_> {
    /// An explicit pair: no filter but sleep and bounding spheres.
    pub(super) fn collide_explicit(&mut self, pair: usize) {
        let (m, d) = (self.m, self.d);
        let (g1, g2) = (m.pair_geom1[pair] as usize, m.pair_geom2[pair] as usize);
        let (b1, b2) = (m.geom_bodyid[g1] as usize, m.geom_bodyid[g2] as usize);
        let awake = SleepState::Awake as i32;
        if m.opt.enabled(EnableBit::Sleep) && d.body_awake[b1] != awake && d.body_awake[b2] != awake {
            return;
        }
        // a geom does not touch itself
        if g1 == g2 {
            return;
        }
        let (g1, g2) = by_type(m, g1, g2);
        let params = of_pair(m, pair);
        if !filter::spheres_apart(m, d, g1, g2, params.margin) {
            self.find_contacts(g1, g2, params.margin, || params);
        }
    }

    /// Two geoms found by the pipeline. Most pairs end here, so that this is all that is done for them.
    #[inline]
    pub(super) fn collide_geoms(&mut self, g1: usize, g2: usize) {
        let (m, d) = (self.m, self.d);
        if !filter::geoms_match(m, d, g1, g2) {
            return;
        }
        let (g1, g2) = by_type(m, g1, g2);
        let margins = &m.geom_margin[..m.ngeom];
        let margin = effective_margin(m, margins[g1] + margins[g2]);
        if !filter::spheres_apart(m, d, g1, g2, margin) {
            self.test_geoms(g1, g2, margin);
        }
    }

    /// Two geoms that may touch.
    #[inline(never)]
    fn test_geoms(&mut self, g1: usize, g2: usize, margin: f64) {
        let m = self.m;
        self.find_contacts(g1, g2, margin, || mix(m, &Surface::of_geom(m, g1), &Surface::of_geom(m, g2)));
    }

    #[inline(always)]
    fn find_contacts(&mut self, g1: usize, g2: usize, margin: f64, params: impl Fn() -> ContactParams) {
        let (m, d) = (self.m, self.d);
        if !self.afford(test_cost(m, g1, g2)) {
            return;
        }
        self.scratch.points.clear();
        collide(m, d, g1, g2, margin, self.effort, self.scratch);
        let points = &self.scratch.points;
        let steps = self.scratch.ccd.steps();
        if steps > 0 {
            let searched = searched_vertices(m, g1) + searched_vertices(m, g2);
            self.effort = self.effort.saturating_sub(steps * searched);
        }
        if points.is_empty() {
            return;
        }
        let params = params();
        let mut frame = PairFrame::default();
        for point in points.iter().take(MAX_POINTS).filter(|p| is_valid(p)) {
            let contact = params.push(m, point, &mut frame, self.contacts);
            contact.geom = [g1 as i32, g2 as i32];
        }
    }
}

/// Vertices of a mesh without a hull, all of which are looked at in every iteration.
fn searched_vertices(m: &Model, geom: usize) -> u64 {
    if m.geom_type[geom] != GeomType::Mesh as i32 {
        return 0;
    }
    let mesh = usize::try_from(m.geom_dataid[geom]).ok().filter(|&mesh| m.mesh_graphadr[mesh] < 0);
    mesh.map_or(0, |mesh| m.mesh_vertnum[mesh].max(0) as u64)
}

/// About how many operations it takes to test two geoms.
#[inline]
pub(crate) fn test_cost(m: &Model, g1: usize, g2: usize) -> u64 {
    if m.geom_type[g1].max(m.geom_type[g2]) < GeomType::Mesh as i32 {
        return TEST;
    }
    let descends = [g1, g2].iter().any(|&g| m.geom_type[g] == GeomType::Sdf as i32);
    let [points, iterations] =
        [m.opt.sdf_initpoints, m.opt.sdf_iterations].map(|n| if descends { n.max(0) as u64 } else { 0 });
    let searched = searched_vertices(m, g1) + searched_vertices(m, g2);
    TEST + searched + TEST * points.saturating_mul(iterations).min(u64::from(u32::MAX))
}

/// Geoms in the order of their types.
#[inline]
pub(super) fn by_type(m: &Model, g1: usize, g2: usize) -> (usize, usize) {
    let types = &m.geom_type[..m.ngeom];
    if types[g1] > types[g2] { (g2, g1) } else { (g1, g2) }
}

/// Iterations of the convex algorithms that any pair needs, and memory is made for.
const MOST_ITERATIONS: i32 = 10_000;

/// Settings of the convex algorithms.
pub(crate) fn convex_options(m: &Model) -> ConvexOptions {
    ConvexOptions {
        iterations: m.opt.ccd_iterations.clamp(0, MOST_ITERATIONS) as usize,
        tolerance: m.opt.ccd_tolerance,
        native: !m.opt.disabled(DisableBit::Nativeccd),
        multiple: m.opt.enabled(EnableBit::Multiccd),
    }
}

/// A geom as a solid.
pub(crate) fn solid<'a>(m: &Model, d: &'a Data, g: usize) -> Solid<'a> {
    Solid { pos: d.geom_xpos[g], mat: &d.geom_xmat[g], size: m.geom_size[g] }
}

fn range(adr: i32, num: i32) -> Range<usize> {
    adr.max(0) as usize..adr.max(0) as usize + num.max(0) as usize
}

/// The mesh of a geom; `None` when it has none.
pub(crate) fn mesh_of(m: &Model, g: usize) -> Option<MeshView<'_>> {
    usize::try_from(m.geom_dataid[g]).ok().map(|mesh| mesh_view(m, mesh, None))
}

#[inline(always)] // copying what was just put together stalls
fn mesh_view<'a>(m: &'a Model, mesh: usize, polygons: Option<&'a Polygons<'a>>) -> MeshView<'a> {
    let graph =
        usize::try_from(m.mesh_graphadr[mesh]).ok().and_then(|adr| HullGraph::new(&m.mesh_graph[adr..]));
    let vert = &m.mesh_vert[range(m.mesh_vertadr[mesh], m.mesh_vertnum[mesh])];
    MeshView { vert, graph, polygons }
}

fn polygons_of(m: &Model, mesh: usize) -> Polygons<'_> {
    let verts = range(m.mesh_vertadr[mesh], m.mesh_vertnum[mesh]);
    let polys = range(m.mesh_polyadr[mesh], m.mesh_polynum[mesh]);
    Polygons {
        normal: &m.mesh_polynormal[polys.clone()],
        vert_adr: &m.mesh_polyvertadr[polys.clone()],
        vert_num: &m.mesh_polyvertnum[polys],
        vert: &m.mesh_polyvert,
        map_adr: &m.mesh_polymapadr[verts.clone()],
        map_num: &m.mesh_polymapnum[verts],
        map: &m.mesh_polymap,
    }
}

/// Kind of the convex shape of a geom that is no mesh; `None` for planes and height fields.
fn primitive_kind(m: &Model, g: usize) -> Option<Kind<'static>> {
    Some(match GeomType::try_from(m.geom_type[g]).ok()? {
        GeomType::Sphere => Kind::Sphere,
        GeomType::Capsule => Kind::Capsule,
        GeomType::Ellipsoid => Kind::Ellipsoid,
        GeomType::Cylinder => Kind::Cylinder,
        GeomType::Box => Kind::Cuboid,
        _ => return None,
    })
}

/// The number of the mesh that gives a geom its shape.
fn mesh_id(m: &Model, g: usize) -> Option<usize> {
    let is_mesh = [GeomType::Mesh as i32, GeomType::Sdf as i32].contains(&m.geom_type[g]);
    usize::try_from(m.geom_dataid[g]).ok().filter(|_| is_mesh)
}

/// Calls `body` with the convex shape of a geom.
pub(crate) fn with_convex<R>(
    m: &Model,
    d: &Data,
    g: usize,
    margin: f64,
    body: impl FnOnce(&mut Convex) -> R,
) -> Option<R> {
    let call = |kind| body(&mut Convex::new(kind, d.geom_xpos[g], d.geom_xmat[g], m.geom_size[g], margin));
    let Some(id) = mesh_id(m, g) else { return primitive_kind(m, g).map(call) };
    // faces matter only where several points are asked for
    let polygons = m.opt.enabled(EnableBit::Multiccd).then(|| polygons_of(m, id));
    let mesh = mesh_view(m, id, polygons.as_ref());
    (!mesh.vert.is_empty()).then(|| call(Kind::Mesh(&mesh)))
}

/// Is there a function for this geom as the one with the higher type of a pair?
pub(super) fn is_supported(m: &Model, g2: usize) -> bool {
    m.geom_type[g2] > GeomType::Hfield as i32 && m.geom_type[g2] <= GeomType::Sdf as i32
}

/// Is this pair left to the general convex algorithm?
pub fn is_general_convex(m: &Model, g1: usize, g2: usize) -> bool {
    use GeomType::{Box, Capsule, Cylinder, Sdf, Sphere};
    let (Ok(t1), Ok(t2)) = (GeomType::try_from(m.geom_type[g1]), GeomType::try_from(m.geom_type[g2])) else {
        return false;
    };
    if t1 < Sphere || t2 >= Sdf {
        return false;
    }
    !matches!((t1, t2), (Sphere, Sphere | Capsule | Cylinder | Box) | (Capsule, Capsule | Box) | (Box, Box))
}

/// Contact points of two geoms, the one with the lower type first, into `scratch.points`. Prisms of a height
/// field are tested until this effort is spent.
pub(super) fn collide(
    m: &Model,
    d: &Data,
    g1: usize,
    g2: usize,
    margin: f64,
    effort: u64,
    scratch: &mut Collision,
) {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Hfield, Mesh, Plane, Sdf, Sphere};
    let (Ok(t1), Ok(t2)) = (GeomType::try_from(m.geom_type[g1]), GeomType::try_from(m.geom_type[g2])) else {
        return;
    };
    let (a, b) = (solid(m, d, g1), solid(m, d, g2));
    let out = &mut scratch.points;
    match (t1, t2) {
        (Plane, Sphere) => pairs::plane_sphere(&a, &b, margin, out),
        (Plane, Capsule) => pairs::plane_capsule(&a, &b, margin, out),
        (Plane, Ellipsoid) => match mesh_of(m, g2) {
            None => pairs::plane_ellipsoid(&a, &b, margin, out),
            Some(mesh) => pairs::plane_fitted_ellipsoid(&a, &b, &mesh, m.geom_rbound[g2], margin, out),
        },
        (Plane, Cylinder) => pairs::plane_cylinder(&a, &b, margin, out),
        (Plane, Box) => pairs::plane_box(&a, &b, margin, out),
        (Plane, Mesh | Sdf) => {
            if let Some(mesh) = mesh_of(m, g2) {
                let steps = pairs::plane_mesh(&a, &b, &mesh, m.geom_rbound[g2], margin, out);
                scratch.ccd.count(steps);
            }
        }
        (Sphere, Sphere) => pairs::sphere_sphere(&a, &b, margin, out),
        (Sphere, Capsule) => pairs::sphere_capsule(&a, &b, margin, out),
        (Sphere, Cylinder) => pairs::sphere_cylinder(&a, &b, margin, out),
        (Sphere, Box) => pairs::sphere_box(&a, &b, margin, out),
        (Capsule, Capsule) => pairs::capsule_capsule(&a, &b, margin, out),
        (Capsule, Box) => pairs::capsule_box(&a, &b, margin, out),
        (Box, Box) => pairs::box_box(&a, &b, margin, out),
        // the reference does not support it either
        (Hfield, Sdf) => {}
        (Hfield, t2) if t2 > Hfield => {
            let most_steps = effort.div_ceil(STEP + searched_vertices(m, g2));
            collide_hfield(m, d, [g1, g2], margin, most_steps, &mut scratch.ccd, out);
        }
        (t1, Sdf) if t1 > Hfield => sdf::collide(m, d, g1, g2, scratch),
        (t1, t2) if t1 > Hfield && t2 <= Mesh => collide_convex(m, d, g1, g2, margin, scratch),
        _ => {}
    }
}

#[inline(never)]
fn collide_convex(m: &Model, d: &Data, g1: usize, g2: usize, margin: f64, scratch: &mut Collision) {
    if mid::clearly_apart(m, d, g1, g2, margin) {
        return;
    }
    let Collision { ccd, points, partings, .. } = scratch;
    let options = convex_options(m);
    let mut parting = if options.native { partings.of([g1, g2]) } else { None };
    if parting.as_mut().is_some_and(|parting| parting.holds(m, d, [g1, g2], margin)) {
        return;
    }
    ccd.forget_axis();
    let radius = m.geom_rbound[g1].min(m.geom_rbound[g2]);
    with_convex(m, d, g1, margin, |a| {
        with_convex(m, d, g2, margin, |b| {
            pairs::convex_convex(&options, a, b, margin, radius, ccd, points);
        });
    });
    if let Some(parting) = parting {
        parting.set(d, [g1, g2], ccd.parting_axis().filter(|_| points.is_empty()));
    }
}

/// The height field of a geom.
pub(crate) fn hfield_of(m: &Model, g: usize) -> Option<HeightField<'_>> {
    let id = usize::try_from(m.geom_dataid[g]).ok()?;
    let (nrow, ncol) = (m.hfield_nrow[id].max(0) as usize, m.hfield_ncol[id].max(0) as usize);
    let adr = m.hfield_adr[id].max(0) as usize;
    Some(HeightField {
        size: m.hfield_size[id],
        nrow,
        ncol,
        data: m.hfield_data.get(adr..adr + nrow * ncol)?,
    })
}

#[inline(never)]
fn collide_hfield(
    m: &Model,
    d: &Data,
    [g1, g2]: [usize; 2],
    margin: f64,
    most_steps: u64,
    ccd: &mut Ccd,
    out: &mut ContactPoints,
) {
    let Some(field) = hfield_of(m, g1) else { return };
    let pose = (d.geom_xpos[g1], &d.geom_xmat[g1]);
    let (options, radius) = (convex_options(m), m.geom_rbound[g2]);
    with_convex(m, d, g2, 0.0, |shape| {
        hfield_convex(&options, &field, pose, shape, radius, margin, most_steps, ccd, out);
    });
}
