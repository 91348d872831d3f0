//! Contact rows: frictionless, pyramidal and elliptic cones; geoms, flex vertices and flex elements.

mod side_by_side;

use crate::workspace::Scratches as _;
use crate::workspace::{ConstraintScratch, Verdict};
use ligament_math::{Vec3, spatial, vec3};
use ligament_model::enums::{ConstraintType, DisableBit};
use ligament_model::parts::Parts;
use ligament_model::{Contact, Data, Model};

use super::carriers::Carriers;
use super::inputs::Inputs;
use super::jacobian::rows_along;
use super::rows::{Group, Rows};
use super::{is_pyramidal, is_sparse};
use crate::support::{Chains, Motion};

/// `exclude` of a contact that no degree of freedom can move.
const EXCLUDE_NO_DOFS: i32 = 3;
/// `exclude` of a contact that a passive flex turns into a force.
const EXCLUDE_PASSIVE: i32 = 4;

/// Force of a passive contact per penetration, N/m.
const PASSIVE_STIFFNESS: f64 = 1e4;

/// Contacts below which threads cost more than they save.
const MIN_CONTACTS: usize = 200;

/// Makes rows of contacts.
#[derive(Clone, Copy)]
pub(crate) struct ContactRows<'a> {
    inputs: &'a Inputs<'a>,
    carriers: &'a Carriers<'a>,
    pyramidal: bool,
    /// Do contacts that nothing can move have rows?
    keeps_empty: bool,
    /// Which bodies are points of soft flexes, where there are any.
    soft: Option<&'a Parts>,
}

impl<'a> ContactRows<'a> {
    pub fn of(m: &'a Model, inputs: &'a Inputs<'a>, carriers: &'a Carriers<'a>) -> Self {
        // quirk of 3.5.0: contacts without degrees of freedom have rows in dense Jacobians; islands end the program then
        let keeps_empty = !is_sparse(m) && m.opt.disabled(DisableBit::Island);
        let soft = m.parts.first_soft().map(|_| &m.parts);
        Self { inputs, carriers, pyramidal: is_pyramidal(m), keeps_empty, soft }
    }

    /// Rows of all included contacts; sets `efc_address` and, where no row can be made, `exclude`. Returns the first
    /// contact that names what does not exist.
    pub fn add(self, contacts: &mut [Contact], rows: &mut Rows, s: &mut ConstraintScratch) -> Option<usize> {
        let threads = if contacts.len() < MIN_CONTACTS { 1 } else { self.inputs.threads };
        if threads < 2 { self.add_all(contacts, rows, s) } else { self.add_on(threads, contacts, rows, s) }
    }

    /// One contact after the other.
    fn add_all(self, contacts: &mut [Contact], rows: &mut Rows, s: &mut ConstraintScratch) -> Option<usize> {
        let mut unknown = None;
        for (id, con) in contacts.iter_mut().enumerate() {
            match self.make(con, s) {
                Verdict::Rows => self.add_contact(con, id, (&s.cols, &s.block), rows),
                Verdict::Nothing => {}
                Verdict::Unknown => unknown = unknown.or(Some(id)),
            }
        }
        unknown
    }

    /// The rows of one contact: degrees of freedom in `s.cols`, the Jacobian in `s.block`.
    fn make(self, con: &mut Contact, s: &mut ConstraintScratch) -> Verdict {
        if !self.carriers.know(con) {
            con.efc_address = -1;
            con.exclude = EXCLUDE_NO_DOFS;
            return Verdict::Unknown;
        }
        if self.carriers.is_passive(con) {
            con.efc_address = -1;
            con.exclude = EXCLUDE_PASSIVE;
        }
        if con.exclude != 0 || self.inputs.motion.cdof.is_empty() {
            return Verdict::Nothing;
        }
        if let Some((dof, sign)) = self.soft.and_then(|parts| self.lone_point(parts, con)) {
            self.point_cone(con, dof, sign, s);
            return Verdict::Rows;
        }
        let Inputs { chains, motion, flexvert_xpos, .. } = self.inputs;
        self.carriers.jacobian(chains, *motion, flexvert_xpos, con, s);
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

    /// The first degree of freedom of a point of a soft flex that touches a fixed geom without friction against turning,
    /// and the sign of its side.
    fn lone_point(self, parts: &Parts, con: &Contact) -> Option<(usize, f64)> {
        let side = con.vert.iter().position(|&vertex| vertex >= 0)?;
        let (geom, body) = (self.carriers.geom_body(con, 1 - side)?, self.carriers.single_body(con, side)?);
        let chains = &self.inputs.chains;
        let sign = if side == 0 { -1.0 } else { 1.0 };
        (con.dim <= 3 && chains.is_fixed(geom) && parts.is_soft_point(body))
            .then(|| (chains.own_dof(body), sign))
    }

    /// [`Self::cone`] of a point that slides along three axes and touches what is fixed.
    #[inline(never)]
    fn point_cone(self, con: &Contact, dof: usize, sign: f64, s: &mut ConstraintScratch) {
        let axes = [0, 1, 2].map(|k| vec3::scale(spatial::lin(&self.inputs.motion.cdof[dof + k]), sign));
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

    /// The kind of the rows of a contact, and how many of them have its depth.
    fn kind(self, con: &Contact) -> (ConstraintType, usize) {
        match con.dim {
            1 => (ConstraintType::ContactFrictionless, 1),
            _ if self.pyramidal => (ConstraintType::ContactPyramidal, 10),
            _ => (ConstraintType::ContactElliptic, 1),
        }
    }

    /// Adds the rows that were made for a contact.
    fn add_contact(self, con: &mut Contact, id: usize, (cols, jac): (&[i32], &[f64]), rows: &mut Rows) {
        con.efc_address = rows.len() as i32;
        let (kind, depths) = self.kind(con);
        let (pos, margin) = ([con.dist; 10], [con.includemargin; 10]);
        let (pos, margin) = (&pos[..depths], &margin[..depths]);
        rows.add(Group { kind, id, size: self.size(con), pos, margin, frictionloss: 0.0 }, cols, jac);
    }
}

/// Forces of the contacts of passive flexes: a stiff spring along the normal, added to qfrc_spring.
pub(crate) fn passive_contacts(m: &Model, d: &mut Data) {
    if m.nflex == 0 || m.nv == 0 || m.opt.disabled(DisableBit::Contact) {
        return;
    }
    let (carriers, chains, sparse) = (Carriers::of(m), Chains::of(m), is_sparse(m));
    let Data { contact, cdof, subtree_com, flexvert_xpos, qfrc_spring, workspace, .. } = d;
    let s = &mut workspace.scratch().constraint;
    for con in contact.iter_mut().filter(|con| con.exclude == EXCLUDE_PASSIVE) {
        con.efc_address = -1;
        carriers.jacobian(&chains, Motion { cdof, subtree_com }, flexvert_xpos, con, s);
        if s.cols.is_empty() {
            // quirk of 3.5.0: only sparse Jacobians know that nothing can move
            if sparse {
                con.exclude = EXCLUDE_NO_DOFS;
            }
            continue;
        }
        let normal = [con.frame[0], con.frame[1], con.frame[2]];
        for (&dof, &column) in s.cols.iter().zip(&s.lin) {
            qfrc_spring[dof as usize] += vec3::dot(normal, column) * (-PASSIVE_STIFFNESS * con.dist);
        }
    }
}
