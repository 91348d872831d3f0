//! Equality constraints: connect, weld, joint, tendon, flex edges and vertices.

use crate::awake::EqualityObjects;
use crate::workspace::ConstraintScratch;
use ligament_math::{Quat, Vec3, mat3, quat, vec3};
use ligament_model::Model;
use ligament_model::enums::{ConstraintType, EqType, ObjType};

use super::inputs::Inputs;
use super::jacobian::difference;
use super::rows::{Group, Rows};
use std::ops::Range;

/// Equality constraints and what they tie together.
pub(crate) struct Equalities<'a> {
    ties: EqualityObjects<'a>,
    data: &'a [[f64; 11]],
    site_body: &'a [i32],
    site_quat: &'a [[f64; 4]],
    /// Where the position and the degrees of freedom of each joint begin.
    joints: [&'a [i32]; 2],
    qpos0: &'a [f64],
    tendon_length0: &'a [f64],
    edges: FlexEdges<'a>,
    vertices: FlexVertices<'a>,
}

/// Edges of flexes: where those of each flex are, and the pattern of their Jacobian.
struct FlexEdges<'a> {
    first: &'a [i32],
    count: &'a [i32],
    rigid: &'a [u8],
    length0: &'a [f64],
    rownnz: &'a [i32],
    rowadr: &'a [i32],
    colind: &'a [i32],
}

/// Vertices of flexes, each with the two rows of its strain.
struct FlexVertices<'a> {
    first: &'a [i32],
    count: &'a [i32],
    rownnz: &'a [[i32; 2]],
    rowadr: &'a [[i32; 2]],
    colind: &'a [i32],
}

impl<'a> Equalities<'a> {
    pub fn of(m: &'a Model) -> Self {
        Self {
            ties: EqualityObjects::of(m),
            data: &m.eq_data,
            site_body: &m.site_bodyid,
            site_quat: &m.site_quat,
            joints: [&m.jnt_qposadr, &m.jnt_dofadr],
            qpos0: &m.qpos0,
            tendon_length0: &m.tendon_length0,
            edges: FlexEdges {
                first: &m.flex_edgeadr,
                count: &m.flex_edgenum,
                rigid: &m.flexedge_rigid,
                length0: &m.flexedge_length0,
                rownnz: &m.flexedge_J_rownnz,
                rowadr: &m.flexedge_J_rowadr,
                colind: &m.flexedge_J_colind,
            },
            vertices: FlexVertices {
                first: &m.flex_vertadr,
                count: &m.flex_vertnum,
                rownnz: &m.flexvert_J_rownnz,
                rowadr: &m.flexvert_J_rowadr,
                colind: m.flexvert_J_colind.as_flattened(),
            },
        }
    }

    /// Rows of all active equality constraints.
    #[inline(never)]
    pub fn add_rows(&self, d: &Inputs, rows: &mut Rows, s: &mut ConstraintScratch) {
        for (eq, &kind) in self.ties.kind.iter().enumerate() {
            if d.eq_active[eq] == 0 || d.is_asleep(ObjType::Equality, eq) {
                continue;
            }
            match EqType::try_from(kind) {
                Ok(EqType::Connect) => self.connect(d, eq, rows, s),
                Ok(EqType::Weld) => self.weld(d, eq, rows, s),
                Ok(EqType::Joint | EqType::Tendon) => self.couple(d, eq, rows, s),
                Ok(EqType::Flex) => self.edges.add_rows(d, eq, self.flex(eq), rows),
                Ok(EqType::Flexvert) => self.vertices.add_rows(d, eq, self.flex(eq), rows),
                // distance constraints were removed from the reference; the compiler refuses them
                Ok(EqType::Distance) | Err(_) => {}
            }
        }
    }

    fn flex(&self, eq: usize) -> usize {
        self.ties.first[eq] as usize
    }

    fn is_of_bodies(&self, eq: usize) -> bool {
        self.ties.object[eq] == ObjType::Body as i32
    }

    /// Ids of the objects on both sides.
    fn ids(&self, eq: usize) -> [usize; 2] {
        [self.ties.first[eq] as usize, self.ties.second[eq] as usize]
    }

    /// Body and world point of both sides. `anchors`: which three numbers of the data belong to each body.
    fn sides(&self, d: &Inputs, eq: usize, anchors: [usize; 2]) -> [(usize, Vec3); 2] {
        let ids = self.ids(eq);
        std::array::from_fn(|side| {
            let id = ids[side];
            if self.is_of_bodies(eq) {
                let data = &self.data[eq];
                let a = anchors[side];
                let local = [data[a], data[a + 1], data[a + 2]];
                (id, vec3::add(mat3::mul_vec(&d.xmat[id], local), d.xpos[id]))
            } else {
                (self.site_body[id] as usize, d.site_xpos[id])
            }
        })
    }

    fn connect(&self, d: &Inputs, eq: usize, rows: &mut Rows, s: &mut ConstraintScratch) {
        let [first, second] = self.sides(d, eq, [0, 3]);
        let error = vec3::sub(first.1, second.1);
        difference(&d.chains, d.motion, second, first, s);
        s.block.clear();
        push_components(&s.lin, &mut s.block);
        rows.add(group(eq, &error), &s.cols, &s.block);
    }

    /// World orientations of the two welded frames.
    fn weld_orientations(&self, d: &Inputs, eq: usize, bodies: [usize; 2]) -> [Quat; 2] {
        let ids = self.ids(eq);
        if self.is_of_bodies(eq) {
            let data = &self.data[eq];
            let relpose = [data[6], data[7], data[8], data[9]];
            [quat::mul(d.xquat[ids[0]], relpose), d.xquat[ids[1]]]
        } else {
            std::array::from_fn(|k| quat::mul(d.xquat[bodies[k]], self.site_quat[ids[k]]))
        }
    }

    /// Translation error, and torquescale · vec(q₁* q₀): half the rotation between the frames, times its sine.
    fn weld(&self, d: &Inputs, eq: usize, rows: &mut Rows, s: &mut ConstraintScratch) {
        // the anchor of body 2 comes first in the data of a weld
        let [first, second] = self.sides(d, eq, [3, 0]);
        let error = vec3::sub(first.1, second.1);
        let torquescale = self.data[eq][10];
        difference(&d.chains, d.motion, second, first, s);
        let [q0, q1] = self.weld_orientations(d, eq, [first.0, second.0]);
        let q1_inv = quat::conj(q1);
        let relative = quat::mul(q1_inv, q0);
        // d vec(q₁* q₀) = ½ vec(q₁* (ω₀ − ω₁) q₀)
        for ang in &mut s.ang {
            let q = quat::mul(quat::mul_axis(q1_inv, *ang), q0);
            *ang = [0.5 * q[1] * torquescale, 0.5 * q[2] * torquescale, 0.5 * q[3] * torquescale];
        }
        s.block.clear();
        push_components(&s.lin, &mut s.block);
        push_components(&s.ang, &mut s.block);
        let rot: Vec3 = std::array::from_fn(|k| relative[1 + k] * torquescale);
        let pos = [error[0], error[1], error[2], rot[0], rot[1], rot[2]];
        rows.add(group(eq, &pos), &s.cols, &s.block);
    }

    /// Value, reference value and Jacobian of a joint or tendon.
    fn scalar_object(
        &self,
        d: &Inputs,
        eq: usize,
        id: usize,
        rows: &mut Rows,
        row: &mut (Vec<i32>, Vec<f64>),
    ) -> (f64, f64) {
        if self.ties.kind[eq] == EqType::Joint as i32 {
            let [position, dof] = self.joints;
            row.0.clear();
            row.1.clear();
            row.0.push(dof[id]);
            row.1.push(1.0);
            let adr = position[id] as usize;
            (d.qpos[adr], self.qpos0[adr])
        } else {
            // the reference stores the number of the equality here, not the row; sensors read it as a row
            rows.note_tendon(id, eq);
            d.tendons.compress(id, row);
            (d.ten_length[id], self.tendon_length0[id])
        }
    }

    /// y − y₀ = polynomial(x − x₀), of joints or tendons.
    fn couple(&self, d: &Inputs, eq: usize, rows: &mut Rows, s: &mut ConstraintScratch) {
        let c = &self.data[eq];
        let (y, y0) = self.scalar_object(d, eq, self.ties.first[eq] as usize, rows, &mut s.first);
        let Ok(second) = usize::try_from(self.ties.second[eq]) else {
            rows.add(group(eq, &[y - y0 - c[0]]), &s.first.0, &s.first.1);
            return;
        };
        let (x, x0) = self.scalar_object(d, eq, second, rows, &mut s.second);
        let e = x - x0;
        let pos = y - y0 - c[0] - (c[1] * e + c[2] * e * e + c[3] * e * e * e + c[4] * e * e * e * e);
        let slope = c[1] + 2.0 * c[2] * e + 3.0 * c[3] * e * e + 4.0 * c[4] * e * e * e;
        s.cols.clear();
        s.block.clear();
        merge(&s.first, &s.second, -slope, &mut s.cols, &mut s.block);
        rows.add(group(eq, &[pos]), &s.cols, &s.block);
    }
}

impl FlexEdges<'_> {
    /// Has each of these edges a row, one behind the other?
    fn all_have_rows(&self, edges: Range<usize>) -> bool {
        let (rowadr, rownnz) = (&self.rowadr[edges.clone()], &self.rownnz[edges.clone()]);
        let ends = rowadr.iter().zip(rownnz).map(|(adr, count)| adr + count);
        // without shortcuts: nearly always all of them have
        let follow = rowadr.iter().skip(1).zip(ends).fold(true, |all, (&adr, end)| all & (adr == end));
        let soft = self.rigid[edges.clone()].iter().fold(true, |all, &rigid| all & (rigid == 0));
        !edges.is_empty() && follow && soft && rownnz.iter().fold(true, |all, &count| all & (count > 0))
    }

    /// Rows of the lengths of the edges of a flex.
    #[inline(never)]
    fn add_rows(&self, d: &Inputs, eq: usize, flex: usize, rows: &mut Rows) {
        let first = self.first[flex] as usize;
        let edges = first..first + self.count[flex] as usize;
        if self.all_have_rows(edges.clone()) {
            let places = &self.rowadr[edges.clone()];
            let numbers =
                places[0] as usize..self.rowadr[edges.end - 1] as usize + self.rownnz[edges.end - 1] as usize;
            let stretches = (&d.flexedge_length[edges.clone()], &self.length0[edges.clone()]);
            let pattern = (&self.rownnz[edges.clone()], &self.colind[numbers.clone()]);
            if rows.add_single(d.threads, group(eq, &[0.0]), stretches, pattern, &d.flexedge_J[numbers]) {
                return;
            }
        }
        for edge in edges {
            if self.rigid[edge] != 0 {
                continue;
            }
            let adr = self.rowadr[edge] as usize;
            let range = adr..adr + self.rownnz[edge] as usize;
            let stretch = d.flexedge_length[edge] - self.length0[edge];
            rows.add(group(eq, &[stretch]), &self.colind[range.clone()], &d.flexedge_J[range]);
        }
    }
}

impl FlexVertices<'_> {
    /// Rows of the strain at the vertices of a flex.
    #[inline(never)]
    fn add_rows(&self, d: &Inputs, eq: usize, flex: usize, rows: &mut Rows) {
        let first = self.first[flex] as usize;
        let jac = d.flexvert_J.as_flattened();
        for vertex in first..first + self.count[flex] as usize {
            for k in 0..2 {
                let adr = self.rowadr[vertex][k] as usize;
                let range = adr..adr + self.rownnz[vertex][k] as usize;
                let strain = [d.flexvert_length[vertex][k]];
                rows.add(group(eq, &strain), &self.colind[range.clone()], &jac[range]);
            }
        }
    }
}

fn group<'a>(eq: usize, pos: &'a [f64]) -> Group<'a> {
    let size = pos.len();
    Group { kind: ConstraintType::Equality, id: eq, size, pos, margin: &[], frictionloss: 0.0 }
}

fn push_components(columns: &[Vec3], out: &mut Vec<f64>) {
    for k in 0..3 {
        out.extend(columns.iter().map(|c| c[k]));
    }
}

/// a + scale · b of two compressed rows with ascending columns.
fn merge(
    a: &(Vec<i32>, Vec<f64>),
    b: &(Vec<i32>, Vec<f64>),
    scale: f64,
    cols: &mut Vec<i32>,
    out: &mut Vec<f64>,
) {
    let (mut i, mut j) = (0, 0);
    while i < a.0.len() || j < b.0.len() {
        let ca = a.0.get(i).copied().unwrap_or(i32::MAX);
        let cb = b.0.get(j).copied().unwrap_or(i32::MAX);
        let mut x = 0.0;
        if ca <= cb {
            x = a.1[i];
            i += 1;
        }
        if cb <= ca {
            x += scale * b.1[j];
            j += 1;
        }
        cols.push(ca.min(cb));
        out.push(x);
    }
}
