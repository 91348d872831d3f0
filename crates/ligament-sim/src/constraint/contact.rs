//! Contact rows: frictionless, pyramidal and elliptic cones; geoms, flex vertices and flex elements.

use crate::parallel;
use crate::workspace::Scratches as _;
use crate::workspace::{ConstraintScratch, ContactPiece, Verdict};
use ligament_math::{MINVAL, Vec3, spatial, vec3};
use ligament_model::enums::{ConstraintType, DisableBit};
use ligament_model::{Contact, Data, Model};

use super::inputs::Inputs;
use super::jacobian::{difference, rows_along, weighted_sum};
use super::rows::{Group, Rows};
use super::{is_pyramidal, is_sparse};
use crate::support::Motion;

/// `exclude` of a contact that no degree of freedom can move.
const EXCLUDE_NO_DOFS: i32 = 3;
/// `exclude` of a contact that a passive flex turns into a force.
const EXCLUDE_PASSIVE: i32 = 4;

/// Force of a passive contact per penetration, N/m.
const PASSIVE_STIFFNESS: f64 = 1e4;

/// Contacts below which threads cost more than they save.
const MIN_CONTACTS: usize = 200;

/// Rows of all included contacts; sets `efc_address` and, where no row can be made, `exclude`. Returns the first contact
/// that names what does not exist.
pub(crate) fn add_contacts(
    m: &Model,
    d: &Inputs,
    contacts: &mut [Contact],
    rows: &mut Rows,
    s: &mut ConstraintScratch,
) -> Option<usize> {
    if m.opt.disabled(DisableBit::Contact) {
        return None;
    }
    // quirk of 3.5.0: contacts without degrees of freedom have rows in dense Jacobians; islands end the program then
    let keeps_empty = !is_sparse(m) && m.opt.disabled(DisableBit::Island);
    let maker = Maker {
        m,
        motion: d.motion,
        flexvert_xpos: d.flexvert_xpos,
        pyramidal: is_pyramidal(m),
        keeps_empty,
        soft: m.parts.first_soft().is_some(),
    };
    let threads = if contacts.len() < MIN_CONTACTS { 1 } else { d.threads };
    match parallel::pool(threads) {
        Some(pool) => {
            let count = threads.min(parallel::MAX_THREADS);
            s.pieces.resize_with(count.max(s.pieces.len()), ContactPiece::default);
            let pieces = &mut s.pieces[..count];
            pool.install(|| maker.make_pieces(contacts, pieces));
            maker.join(contacts, pieces, rows)
        }
        None => maker.add_all(contacts, rows, s),
    }
}

/// Makes rows of contacts.
#[derive(Clone, Copy)]
struct Maker<'a> {
    m: &'a Model,
    motion: Motion<'a>,
    flexvert_xpos: &'a [Vec3],
    pyramidal: bool,
    keeps_empty: bool,
    /// Is there a soft flex?
    soft: bool,
}

impl Maker<'_> {
    /// One contact after the other.
    fn add_all(self, contacts: &mut [Contact], rows: &mut Rows, s: &mut ConstraintScratch) -> Option<usize> {
        let mut unknown = None;
        for (id, con) in contacts.iter_mut().enumerate() {
            match self.make(con, s) {
                Verdict::Rows => self.add(con, id, (&s.cols, &s.block), rows),
                Verdict::Nothing => {}
                Verdict::Unknown => unknown = unknown.or(Some(id)),
            }
        }
        unknown
    }

    /// Rows of consecutive contacts in each piece, side by side.
    fn make_pieces(self, contacts: &mut [Contact], pieces: &mut [ContactPiece]) {
        if let [piece] = pieces {
            let ContactPiece { scratch, verdicts, widths, cols, jac } = piece;
            verdicts.clear();
            widths.clear();
            cols.clear();
            jac.clear();
            for con in contacts {
                let verdict = self.make(con, scratch);
                verdicts.push(verdict);
                if verdict == Verdict::Rows {
                    widths.push(scratch.cols.len());
                    cols.extend_from_slice(&scratch.cols);
                    jac.extend_from_slice(&scratch.block);
                }
            }
            return;
        }
        let (first, second) = pieces.split_at_mut(pieces.len() / 2);
        let middle = contacts.len() * first.len() / (first.len() + second.len());
        let (left, right) = contacts.split_at_mut(middle);
        rayon::join(|| self.make_pieces(left, first), || self.make_pieces(right, second));
    }

    /// Puts the rows of the pieces one behind the other, as if they had been made so.
    fn join(self, contacts: &mut [Contact], pieces: &[ContactPiece], rows: &mut Rows) -> Option<usize> {
        let mut unknown = None;
        let mut contacts = contacts.iter_mut().enumerate();
        for piece in pieces {
            let (mut widths, mut cols, mut jac) = (piece.widths.iter(), &piece.cols[..], &piece.jac[..]);
            for (&verdict, (id, con)) in piece.verdicts.iter().zip(&mut contacts) {
                if verdict == Verdict::Unknown {
                    unknown = unknown.or(Some(id));
                }
                let Some(&width) = (verdict == Verdict::Rows).then(|| widths.next()).flatten() else {
                    continue;
                };
                let (own_cols, own_jac);
                (own_cols, cols) = cols.split_at(width);
                (own_jac, jac) = jac.split_at(width * self.size(con));
                self.add(con, id, (own_cols, own_jac), rows);
            }
        }
        unknown
    }

    /// The rows of one contact: degrees of freedom in `s.cols`, the Jacobian in `s.block`.
    fn make(self, con: &mut Contact, s: &mut ConstraintScratch) -> Verdict {
        if !is_known(self.m, con) {
            con.efc_address = -1;
            con.exclude = EXCLUDE_NO_DOFS;
            return Verdict::Unknown;
        }
        if con.flex.iter().any(|&f| f >= 0 && self.m.flex_passive[f as usize] != 0) {
            con.efc_address = -1;
            con.exclude = EXCLUDE_PASSIVE;
        }
        if con.exclude != 0 || self.m.nv == 0 {
            return Verdict::Nothing;
        }
        if self.soft
            && let Some((dof, sign)) = lone_point(self.m, con)
        {
            self.point_cone(con, dof, sign, s);
            return Verdict::Rows;
        }
        contact_jacobian(self.m, self.motion, self.flexvert_xpos, con, s);
        if s.cols.is_empty() {
            if !self.keeps_empty {
                con.efc_address = -1;
                con.exclude = EXCLUDE_NO_DOFS;
                return Verdict::Nothing;
            }
            s.cols.push(0);
            s.lin.push([0.0; 3]);
            s.ang.push([0.0; 3]);
        }
        self.cone(con, s);
        Verdict::Rows
    }

    /// Projects the Jacobian on the contact frame: the axes of an elliptic cone, the edges of a pyramid.
    fn cone(self, con: &Contact, s: &mut ConstraintScratch) {
        let frame: [Vec3; 3] =
            std::array::from_fn(|k| [con.frame[3 * k], con.frame[3 * k + 1], con.frame[3 * k + 2]]);
        let dim = con.dim as usize;
        let n = s.cols.len();
        let pyramid = self.pyramidal && dim > 1;
        let axes = if pyramid { &mut s.first.1 } else { &mut s.block };
        axes.clear();
        rows_along(&frame[..dim.min(3)], &s.lin, axes);
        if dim > 3 {
            rows_along(&frame[..dim - 3], &s.ang, axes);
        }
        if pyramid {
            let (normal, tangents) = s.first.1.split_at(n);
            s.block.clear();
            for (tangent, &mu) in tangents.chunks_exact(n).zip(&con.friction) {
                s.block.extend(normal.iter().zip(tangent).map(|(a, b)| a + mu * b));
                s.block.extend(normal.iter().zip(tangent).map(|(a, b)| a + -mu * b));
            }
        }
    }

    /// [`Self::cone`] of a point that slides along three axes and touches what is fixed.
    fn point_cone(self, con: &Contact, dof: usize, sign: f64, s: &mut ConstraintScratch) {
        let axes = [0, 1, 2].map(|k| vec3::scale(spatial::lin(&self.motion.cdof[dof + k]), sign));
        let along = |row: usize| {
            let direction = [con.frame[3 * row], con.frame[3 * row + 1], con.frame[3 * row + 2]];
            axes.map(|axis| vec3::dot(direction, axis))
        };
        s.cols.clear();
        s.cols.extend((0..3).map(|k| (dof + k) as i32));
        s.block.clear();
        let normal = along(0);
        if !self.pyramidal || con.dim == 1 {
            (0..con.dim as usize).for_each(|row| s.block.extend_from_slice(&along(row)));
            return;
        }
        for row in 1..con.dim as usize {
            let (tangent, mu) = (along(row), con.friction[row - 1]);
            s.block.extend_from_slice(&vec3::add_scaled(normal, tangent, mu));
            s.block.extend_from_slice(&vec3::add_scaled(normal, tangent, -mu));
        }
    }

    /// Number of rows of a contact.
    fn size(self, con: &Contact) -> usize {
        let dim = con.dim as usize;
        if self.pyramidal && dim > 1 { 2 * (dim - 1) } else { dim }
    }

    /// Adds the rows that were made for a contact.
    fn add(self, con: &mut Contact, id: usize, (cols, jac): (&[i32], &[f64]), rows: &mut Rows) {
        con.efc_address = rows.len() as i32;
        let (kind, depths) = match con.dim {
            1 => (ConstraintType::ContactFrictionless, 1),
            _ if self.pyramidal => (ConstraintType::ContactPyramidal, 10),
            _ => (ConstraintType::ContactElliptic, 1),
        };
        let (pos, margin) = ([con.dist; 10], [con.includemargin; 10]);
        let (pos, margin) = (&pos[..depths], &margin[..depths]);
        rows.add(Group { kind, id, size: self.size(con), pos, margin, frictionloss: 0.0 }, cols, jac);
    }
}

/// Does the contact name things that exist? Contacts made by hand may not.
fn is_known(m: &Model, con: &Contact) -> bool {
    let below = |id: i32, count: usize| usize::try_from(id).is_ok_and(|id| id < count);
    let flex_side = |side: usize| {
        let flex = con.flex[side];
        below(flex, m.nflex) && {
            let flex = flex as usize;
            let vertex = below(con.vert[side], m.flex_vertnum[flex].max(0) as usize);
            vertex || (con.vert[side] < 0 && below(con.elem[side], m.flex_elemnum[flex].max(0) as usize))
        }
    };
    let side = |side: usize| match con.geom[side] {
        geom if geom >= 0 => below(geom, m.ngeom) && con.flex[side] < m.nflex as i32,
        _ => flex_side(side),
    };
    (1..=6).contains(&con.dim) && side(0) && side(1)
}

/// Forces of the contacts of passive flexes: a stiff spring along the normal, added to qfrc_spring.
pub(crate) fn passive_contacts(m: &Model, d: &mut Data) {
    if m.nflex == 0 || m.nv == 0 || m.opt.disabled(DisableBit::Contact) {
        return;
    }
    let Data { contact, cdof, subtree_com, flexvert_xpos, qfrc_spring, workspace, .. } = d;
    let mut s = std::mem::take(&mut workspace.scratch().constraint);
    for con in contact.iter_mut().filter(|con| con.exclude == EXCLUDE_PASSIVE) {
        con.efc_address = -1;
        contact_jacobian(m, Motion { cdof, subtree_com }, flexvert_xpos, con, &mut s);
        if s.cols.is_empty() {
            // quirk of 3.5.0: only sparse Jacobians know that nothing can move
            if is_sparse(m) {
                con.exclude = EXCLUDE_NO_DOFS;
            }
            continue;
        }
        let normal = [con.frame[0], con.frame[1], con.frame[2]];
        for (&dof, &column) in s.cols.iter().zip(&s.lin) {
            qfrc_spring[dof as usize] += vec3::dot(normal, column) * (-PASSIVE_STIFFNESS * con.dist);
        }
    }
    workspace.scratch().constraint = s;
}

/// The first degree of freedom of a point of a soft flex that touches a fixed geom without friction against turning, and
/// the sign of its side.
fn lone_point(m: &Model, con: &Contact) -> Option<(usize, f64)> {
    let side = con.vert.iter().position(|&vertex| vertex >= 0)?;
    let (geom, body) = (usize::try_from(con.geom[1 - side]).ok()?, single_body(m, con, side)?);
    let fixed = m.body_weldid[m.geom_bodyid[geom] as usize] == 0;
    let sign = if side == 0 { -1.0 } else { 1.0 };
    (con.dim <= 3 && fixed && m.parts.is_soft_point(body)).then(|| (m.body_dofadr[body] as usize, sign))
}

/// Is this side of a contact carried by a single body?
fn single_body(m: &Model, con: &Contact, side: usize) -> Option<usize> {
    if con.geom[side] >= 0 {
        Some(m.geom_bodyid[con.geom[side] as usize] as usize)
    } else if con.vert[side] >= 0 && m.flex_interp[con.flex[side] as usize] == 0 {
        let vertex = m.flex_vertadr[con.flex[side] as usize] + con.vert[side];
        Some(m.flex_vertbodyid[vertex as usize] as usize)
    } else {
        None
    }
}

fn contact_jacobian(
    m: &Model,
    motion: Motion,
    flexvert_xpos: &[Vec3],
    con: &Contact,
    s: &mut ConstraintScratch,
) {
    if let (Some(body1), Some(body2)) = (single_body(m, con, 0), single_body(m, con, 1)) {
        difference(m, motion, (body1, con.pos), (body2, con.pos), s);
        return;
    }
    let mut bodies = std::mem::take(&mut s.bodies);
    bodies.clear();
    for side in 0..2 {
        side_bodies(m, flexvert_xpos, con, side, if side == 0 { -1.0 } else { 1.0 }, &mut bodies);
    }
    s.bodies = bodies;
    weighted_sum(m, motion, con.pos, s);
}

/// Bodies that carry one side of a contact, with weights that sum to `sign`.
pub(crate) fn side_bodies(
    m: &Model,
    flexvert_xpos: &[Vec3],
    con: &Contact,
    side: usize,
    sign: f64,
    bodies: &mut Vec<(usize, f64)>,
) {
    if con.geom[side] >= 0 {
        bodies.push((m.geom_bodyid[con.geom[side] as usize] as usize, sign));
        return;
    }
    let flex = con.flex[side] as usize;
    let first = m.flex_vertadr[flex] as usize;
    let mut vertices = [(0usize, 0.0); 4];
    let mut count = 1;
    if con.vert[side] >= 0 {
        vertices[0] = (first + con.vert[side] as usize, sign);
    } else {
        count = element_weights(
            m,
            flexvert_xpos,
            flex,
            con.elem[side] as usize,
            con.vert[1 - side],
            con.pos,
            &mut vertices,
        );
        for v in &mut vertices[..count] {
            v.1 *= sign;
        }
    }
    let vertices = &vertices[..count];
    if m.flex_interp[flex] == 0 {
        bodies.extend(vertices.iter().map(|&(v, w)| (m.flex_vertbodyid[v] as usize, w)));
    } else {
        node_weights(m, flex, vertices, bodies);
    }
}

/// Weights of the vertices of a flex element: inverse distances to the point. The vertex `skip` of the same
/// element, in a contact of a flex with itself, carries nothing.
fn element_weights(
    m: &Model,
    flexvert_xpos: &[Vec3],
    flex: usize,
    element: usize,
    skip: i32,
    point: Vec3,
    out: &mut [(usize, f64); 4],
) -> usize {
    let corners = m.flex_dim[flex] as usize + 1;
    let first = m.flex_vertadr[flex] as usize;
    let adr = m.flex_elemdataadr[flex] as usize + element * corners;
    let mut count = 0;
    for &vertex in &m.flex_elem[adr..adr + corners] {
        if vertex != skip {
            let v = first + vertex as usize;
            out[count] = (v, 1.0 / vec3::distance(point, flexvert_xpos[v]).max(MINVAL));
            count += 1;
        }
    }
    let sum: f64 = out[..count].iter().map(|v| v.1).sum();
    for v in &mut out[..count] {
        v.1 *= 1.0 / sum;
    }
    count
}

/// Weights of the nodes of an interpolated flex. The coordinates are weighted with the sign of the side, as in the
/// reference: on the first side the basis is evaluated at the mirrored point.
fn node_weights(m: &Model, flex: usize, vertices: &[(usize, f64)], bodies: &mut Vec<(usize, f64)>) {
    let mut coordinates = [0.0; 3];
    for &(v, w) in vertices {
        coordinates = vec3::add_scaled(coordinates, m.flex_vert0[v], w);
    }
    let first = m.flex_nodeadr[flex] as usize;
    for node in 0..m.flex_nodenum[flex] as usize {
        let w = basis(coordinates, node, m.flex_interp[flex]);
        if !(w < 1e-5) {
            bodies.push((m.flex_nodebodyid[first + node] as usize, w));
        }
    }
}

/// Tensor-product shape function of a node: trilinear (order 1) or triquadratic (order 2), z fastest.
pub fn basis(x: Vec3, node: usize, order: i32) -> f64 {
    let linear = |s: f64, upper: bool| if upper { s } else { 1.0 - s };
    let quadratic = |s: f64, i: usize| match i {
        0 => 2.0 * s * s - 3.0 * s + 1.0,
        1 => 4.0 * (s - s * s),
        _ => 2.0 * s * s - s,
    };
    if order == 1 {
        linear(x[2], node & 1 != 0) * linear(x[1], node & 2 != 0) * linear(x[0], node & 4 != 0)
    } else {
        quadratic(x[2], node % 3) * quadratic(x[1], (node / 3) % 3) * quadratic(x[0], node / 9)
    }
}
