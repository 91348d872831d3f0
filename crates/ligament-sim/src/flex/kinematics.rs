//! Where the vertices are, how long the edges are, and how both depend on the joints.

use super::interpolation::{interpolate, node_position};
use super::{edges, nodes, refit, strain, vertices};
use crate::access::{Access, access};
use crate::parallel::{self, Cut};
use crate::support::{self, Motion};
use crate::workspace::Scratches as _;
use ligament_math::four::Four;
use ligament_math::{Vec3, mat3, vec3};
use ligament_model::enums::{DisableBit, FlexSelf};
use ligament_model::{Data, Model};
use std::ops::Range;

/// What [`flex_kinematics`] touches.
pub(crate) const FLEX_KINEMATICS: Access = access! {
    model {
        body_dofadr body_dofnum body_mass body_rootid body_weldid bvh_child bvh_nodeid dof_parentid
        flex_bvhnum flex_centered flex_dim flex_edge flex_edgeadr flex_edgeequality flex_edgenum flex_elem
        flex_elemadr flex_elemdataadr flex_elemnum flex_interp flex_nodeadr flex_nodebodyid flex_nodenum
        flex_radius flex_rigid flex_size flex_vert flex_vert0 flex_vertadr flex_vertbodyid flex_vertedge
        flex_vertedgeadr flex_vertedgenum flex_vertmetric flex_vertnum flexedge_J_rowadr flexedge_J_rownnz
        flexvert_J_colind flexvert_J_rowadr flexvert_J_rownnz
    }
    reads { cdof flexedge_length subtree_com xmat xpos }
    writes {
        bvh_aabb_dyn flexedge_J flexedge_length flexelem_aabb flexvert_J flexvert_length flexvert_xpos
    }
};

/// Vertex positions, element boxes, edge lengths and Jacobians.
///
/// Reads xpos, xmat, cdof, subtree_com; writes flexvert_xpos, flexelem_aabb, bvh_aabb_dyn, flexedge_length,
/// flexedge_J, flexvert_length, flexvert_J.
pub fn flex_kinematics(m: &Model, d: &mut Data) {
    kinematics(m, d, |flex| m.flex_rigid[flex] != 0);
}

/// [`flex_kinematics`] with every flex taken as deformable.
pub(crate) fn flex_kinematics_deformable(m: &Model, d: &mut Data) {
    kinematics(m, d, |_| false);
}

fn kinematics(m: &Model, d: &mut Data, rigid: impl Fn(usize) -> bool) {
    if m.nflex == 0 {
        return;
    }
    for flex in 0..m.nflex {
        vertex_positions(m, d, flex);
        element_boxes(m, d, flex);
        if !m.opt.disabled(DisableBit::Midphase) && m.flex_bvhadr[flex] >= 0 && uses_tree(m, flex) {
            refit::update_bvh(m, d, flex);
        }
    }
    if (0..m.nflex).any(|flex| m.parts.soft(flex).is_none()) {
        parallel::fill(d.threads, d.flexvert_J.as_flattened_mut(), 0.0);
        // rows are written whole
        let has_rows = |flex: usize| !rigid(flex) && m.flex_interp[flex] == 0 && needs_jacobian(m, flex);
        if !(0..m.nflex).all(has_rows) {
            d.flexedge_J.fill(0.0);
        }
    }
    for flex in (0..m.nflex).filter(|&f| !rigid(f) && m.flex_interp[f] == 0) {
        edge_lengths(m, d, flex);
        if m.flex_dim[flex] == 2 && m.flex_edgeequality[flex] == 2 {
            strain::vertex_strain(m, d, flex);
        }
    }
}

/// Does anything look into the bounding-volume tree of a flex? Soft flexes meet geoms by their vertices.
fn uses_tree(m: &Model, flex: usize) -> bool {
    let untouched = m.flex_contype[flex] == 0 && m.flex_conaffinity[flex] == 0;
    let soft = (m.flex_dim[flex] > 1 || untouched) && m.parts.soft(flex).is_some();
    let folds = match FlexSelf::try_from(m.flex_selfcollide[flex]) {
        Ok(FlexSelf::Bvh) => true,
        Ok(FlexSelf::Auto) => m.flex_dim[flex] == 3,
        Ok(FlexSelf::None | FlexSelf::Narrow | FlexSelf::Sap) | Err(_) => false,
    };
    !soft || folds || m.nflex > 1
}

fn vertex_positions(m: &Model, d: &mut Data, flex: usize) {
    let order = m.flex_interp[flex] as usize;
    if order > 0 {
        let mut scratch = std::mem::take(&mut d.workspace.scratch().flex);
        scratch.nodes.pos.clear();
        scratch.nodes.pos.extend(nodes(m, flex).map(|node| node_position(m, d, flex, node)));
        for v in vertices(m, flex) {
            d.flexvert_xpos[v] = interpolate(m.flex_vert0[v], &scratch.nodes.pos, order);
        }
        d.workspace.scratch().flex = scratch;
        return;
    }
    let centered = m.flex_centered[flex] != 0;
    if centered {
        let bodies = &m.flex_vertbodyid[vertices(m, flex)];
        let Data { flexvert_xpos, xpos, threads, .. } = d;
        let places = (&mut flexvert_xpos[vertices(m, flex)], bodies);
        parallel::split(*threads, 4 * MIN_EDGES, places, |(places, bodies)| {
            for (place, &body) in places.iter_mut().zip(bodies) {
                *place = xpos[body as usize];
            }
        });
        return;
    }
    for v in vertices(m, flex) {
        let body = m.flex_vertbodyid[v] as usize;
        d.flexvert_xpos[v] = vec3::add(mat3::mul_vec(&d.xmat[body], m.flex_vert[v]), d.xpos[body]);
    }
}

/// Axis-aligned boxes (centre, half size) around the elements, widened by the radius.
fn element_boxes(m: &Model, d: &mut Data, flex: usize) {
    match m.flex_dim[flex] {
        1 => boxes_around::<2>(m, d, flex),
        2 => boxes_around::<3>(m, d, flex),
        _ => boxes_around::<4>(m, d, flex),
    }
}

/// [`element_boxes`] of elements with so many corners.
fn boxes_around<const CORNERS: usize>(m: &Model, d: &mut Data, flex: usize) {
    let positions = &d.flexvert_xpos[vertices(m, flex)];
    let (first, count) = (m.flex_elemadr[flex] as usize, m.flex_elemnum[flex] as usize);
    let start = m.flex_elemdataadr[flex] as usize;
    let elements = m.flex_elem[start..start + CORNERS * count].as_chunks::<CORNERS>().0;
    let (half, radius) = (Four::splat(0.5), Four::splat(m.flex_radius[flex]));
    let items = (elements, &mut d.flexelem_aabb[first..first + count]);
    parallel::split(d.threads, 2 * MIN_EDGES, items, |(elements, boxes)| {
        for (corners, aabb) in elements.iter().zip(boxes) {
            let [x, y, z] = positions[corners[0] as usize];
            let mut low = Four::new([x, y, z, 0.0]);
            let mut high = low;
            for &corner in &corners[1..] {
                let [x, y, z] = positions[corner as usize];
                let p = Four::new([x, y, z, 0.0]);
                low = p.min(low);
                high = p.max(high);
            }
            let [x, y, z, _] = (half * (high + low)).numbers();
            let [a, b, c, _] = (half * (high - low) + radius).numbers();
            *aabb = [x, y, z, a, b, c];
        }
    });
}

/// Does anything ask how the lengths of the edges of a flex change?
fn needs_jacobian(m: &Model, flex: usize) -> bool {
    m.flex_edgeequality[flex] == 1
        || m.flex_edgedamping[flex] != 0.0
        || m.flex_edgestiffness[flex] != 0.0
        || m.flex_damping[flex] != 0.0
}

fn edge_lengths(m: &Model, d: &mut Data, flex: usize) {
    let Data { flexvert_xpos, flexedge_length, flexedge_J, cdof, subtree_com, threads, .. } = d;
    let motion = Motion { cdof, subtree_com };
    if !needs_jacobian(m, flex) {
        let positions = &flexvert_xpos[vertices(m, flex)];
        for (length, ends) in flexedge_length[edges(m, flex)].iter_mut().zip(&m.flex_edge[edges(m, flex)]) {
            let [a, b] = ends.map(|v| positions[v as usize]);
            *length = vec3::norm(vec3::sub(b, a));
        }
        return;
    }
    let edges = edges(m, flex);
    let rows = Rows {
        m,
        first: &m.flexedge_J_rowadr[edges.clone()],
        edges: edges.clone(),
        base: 0,
        lengths: &mut flexedge_length[edges],
        jac: flexedge_J,
    };
    let rate = |rows: Rows| rows.fill(m.flex_vertadr[flex] as usize, flexvert_xpos, motion);
    if rows.first.is_sorted() {
        parallel::split(*threads, MIN_EDGES, rows, rate);
    } else {
        rate(rows);
    }
}

/// Edges below which another thread costs more than it saves: they take twenty microseconds.
const MIN_EDGES: usize = 500;

/// Consecutive edges, their lengths and their rows, whose numbers begin at `base`.
struct Rows<'a> {
    m: &'a Model,
    edges: Range<usize>,
    first: &'a [i32],
    base: usize,
    lengths: &'a mut [f64],
    jac: &'a mut [f64],
}

impl Cut for Rows<'_> {
    fn count(&self) -> usize {
        self.edges.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let Self { m, edges, first, base, lengths, jac } = self;
        let middle = first.get(at).map_or(base + jac.len(), |&adr| adr as usize);
        let (lengths, lengths2) = lengths.split_at_mut(at);
        let (jac, jac2) = jac.split_at_mut(middle - base);
        let (before, behind) = (edges.start..edges.start + at, edges.start + at..edges.end);
        let (first, first2) = first.split_at(at);
        (
            Self { m, edges: before, first, base, lengths, jac },
            Self { m, edges: behind, first: first2, base: middle, lengths: lengths2, jac: jac2 },
        )
    }
}

impl Rows<'_> {
    fn fill(self, first_vertex: usize, positions: &[Vec3], motion: Motion) {
        let Self { m, edges, base, lengths, jac, .. } = self;
        for (edge, length) in edges.zip(lengths) {
            let [v1, v2] = m.flex_edge[edge].map(|v| first_vertex + v as usize);
            let (pos1, pos2) = (positions[v1], positions[v2]);
            let mut direction = vec3::sub(pos2, pos1);
            *length = vec3::normalize(&mut direction);
            // rigid flexes get lengths in the reference configuration, but have no rows
            if m.flexedge_J_rownnz[edge] == 0 {
                continue;
            }
            let (body1, body2) = (m.flex_vertbodyid[v1] as usize, m.flex_vertbodyid[v2] as usize);
            let start = m.flexedge_J_rowadr[edge] as usize - base;
            // the row holds exactly these dofs, in increasing order; they are visited from the last
            let mut slot = start + m.flexedge_J_rownnz[edge] as usize;
            support::for_each_difference(m, motion, (body1, pos1), (body2, pos2), |_, column| {
                slot -= 1;
                jac[slot] = vec3::dot(column, direction);
            });
        }
    }
}
