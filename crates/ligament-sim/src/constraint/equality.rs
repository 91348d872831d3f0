//! Equality constraints: connect, weld, joint, tendon, flex edges and vertices.

use crate::workspace::ConstraintScratch;
use ligament_math::{Quat, Vec3, mat3, quat, vec3};
use ligament_model::Model;
use ligament_model::enums::{ConstraintType, DisableBit, EqType, ObjType};

use super::inputs::Inputs;
use super::jacobian::difference;
use super::rows::{Group, Rows};

/// Rows of all active equality constraints.
pub(crate) fn add_equality(m: &Model, d: &Inputs, rows: &mut Rows, s: &mut ConstraintScratch) {
    if m.opt.disabled(DisableBit::Equality) || m.nemax == 0 {
        return;
    }
    for eq in 0..m.neq {
        if d.eq_active[eq] == 0 || d.is_asleep(m, ObjType::Equality, eq) {
            continue;
        }
        match EqType::try_from(m.eq_type[eq]) {
            Ok(EqType::Connect) => connect(m, d, eq, rows, s),
            Ok(EqType::Weld) => weld(m, d, eq, rows, s),
            Ok(EqType::Joint | EqType::Tendon) => couple(m, d, eq, rows, s),
            Ok(EqType::Flex) => flex_edges(m, d, eq, rows),
            Ok(EqType::Flexvert) => flex_vertices(m, d, eq, rows, s),
            // distance constraints were removed from the reference; the compiler refuses them
            Ok(EqType::Distance) | Err(_) => {}
        }
    }
}

fn group<'a>(eq: usize, pos: &'a [f64]) -> Group<'a> {
    let size = pos.len();
    Group { kind: ConstraintType::Equality, id: eq, size, pos, margin: &[], frictionloss: 0.0 }
}

/// Body and world point of both sides. `anchors`: which three numbers of `eq_data` belong to each body.
fn sides(m: &Model, d: &Inputs, eq: usize, anchors: [usize; 2]) -> [(usize, Vec3); 2] {
    let ids = [m.eq_obj1id[eq] as usize, m.eq_obj2id[eq] as usize];
    std::array::from_fn(|side| {
        let id = ids[side];
        if m.eq_objtype[eq] == ObjType::Body as i32 {
            let data = &m.eq_data[eq];
            let a = anchors[side];
            let local = [data[a], data[a + 1], data[a + 2]];
            (id, vec3::add(mat3::mul_vec(&d.xmat[id], local), d.xpos[id]))
        } else {
            (m.site_bodyid[id] as usize, d.site_xpos[id])
        }
    })
}

fn push_components(columns: &[Vec3], out: &mut Vec<f64>) {
    for k in 0..3 {
        out.extend(columns.iter().map(|c| c[k]));
    }
}

fn connect(m: &Model, d: &Inputs, eq: usize, rows: &mut Rows, s: &mut ConstraintScratch) {
    let [first, second] = sides(m, d, eq, [0, 3]);
    let error = vec3::sub(first.1, second.1);
    difference(m, d.motion, second, first, s);
    s.block.clear();
    push_components(&s.lin, &mut s.block);
    rows.add(group(eq, &error), &s.cols, &s.block);
}

/// World orientations of the two welded frames.
fn weld_orientations(m: &Model, d: &Inputs, eq: usize, bodies: [usize; 2]) -> [Quat; 2] {
    let ids = [m.eq_obj1id[eq] as usize, m.eq_obj2id[eq] as usize];
    if m.eq_objtype[eq] == ObjType::Body as i32 {
        let data = &m.eq_data[eq];
        let relpose = [data[6], data[7], data[8], data[9]];
        [quat::mul(d.xquat[ids[0]], relpose), d.xquat[ids[1]]]
    } else {
        std::array::from_fn(|k| quat::mul(d.xquat[bodies[k]], m.site_quat[ids[k]]))
    }
}

/// Translation error, and torquescale · vec(q₁* q₀): half the rotation between the frames, times its sine.
fn weld(m: &Model, d: &Inputs, eq: usize, rows: &mut Rows, s: &mut ConstraintScratch) {
    // the anchor of body 2 comes first in the data of a weld
    let [first, second] = sides(m, d, eq, [3, 0]);
    let error = vec3::sub(first.1, second.1);
    let torquescale = m.eq_data[eq][10];
    difference(m, d.motion, second, first, s);
    let [q0, q1] = weld_orientations(m, d, eq, [first.0, second.0]);
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
    m: &Model,
    d: &Inputs,
    eq: usize,
    id: usize,
    rows: &mut Rows,
    row: &mut (Vec<i32>, Vec<f64>),
) -> (f64, f64) {
    if m.eq_type[eq] == EqType::Joint as i32 {
        row.0.clear();
        row.1.clear();
        row.0.push(m.jnt_dofadr[id]);
        row.1.push(1.0);
        let adr = m.jnt_qposadr[id] as usize;
        (d.qpos[adr], m.qpos0[adr])
    } else {
        // the reference stores the number of the equality here, not the row; sensors read it as a row
        rows.note_tendon(id, eq);
        d.tendon_row(m, id, row);
        (d.ten_length[id], m.tendon_length0[id])
    }
}

/// y − y₀ = polynomial(x − x₀), of joints or tendons.
fn couple(m: &Model, d: &Inputs, eq: usize, rows: &mut Rows, s: &mut ConstraintScratch) {
    let c = &m.eq_data[eq];
    let (y, y0) = scalar_object(m, d, eq, m.eq_obj1id[eq] as usize, rows, &mut s.first);
    if m.eq_obj2id[eq] < 0 {
        rows.add(group(eq, &[y - y0 - c[0]]), &s.first.0, &s.first.1);
        return;
    }
    let (x, x0) = scalar_object(m, d, eq, m.eq_obj2id[eq] as usize, rows, &mut s.second);
    let e = x - x0;
    let pos = y - y0 - c[0] - (c[1] * e + c[2] * e * e + c[3] * e * e * e + c[4] * e * e * e * e);
    let slope = c[1] + 2.0 * c[2] * e + 3.0 * c[3] * e * e + 4.0 * c[4] * e * e * e;
    s.cols.clear();
    s.block.clear();
    merge(&s.first, &s.second, -slope, &mut s.cols, &mut s.block);
    rows.add(group(eq, &[pos]), &s.cols, &s.block);
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

fn flex_edges(m: &Model, d: &Inputs, eq: usize, rows: &mut Rows) {
    let flex = m.eq_obj1id[eq] as usize;
    let first = m.flex_edgeadr[flex] as usize;
    for edge in first..first + m.flex_edgenum[flex] as usize {
        if m.flexedge_rigid[edge] != 0 {
            continue;
        }
        let adr = m.flexedge_J_rowadr[edge] as usize;
        let range = adr..adr + m.flexedge_J_rownnz[edge] as usize;
        let stretch = d.flexedge_length[edge] - m.flexedge_length0[edge];
        rows.add(group(eq, &[stretch]), &m.flexedge_J_colind[range.clone()], &d.flexedge_J[range]);
    }
}

fn flex_vertices(m: &Model, d: &Inputs, eq: usize, rows: &mut Rows, s: &mut ConstraintScratch) {
    let flex = m.eq_obj1id[eq] as usize;
    let first = m.flex_vertadr[flex] as usize;
    let (colind, jac) = (m.flexvert_J_colind.as_flattened(), d.flexvert_J.as_flattened());
    for vertex in first..first + m.flex_vertnum[flex] as usize {
        for k in 0..2 {
            let adr = m.flexvert_J_rowadr[vertex][k] as usize;
            let range = adr..adr + m.flexvert_J_rownnz[vertex][k] as usize;
            s.cols.clear();
            s.cols.extend_from_slice(&colind[range.clone()]);
            rows.add(group(eq, &[d.flexvert_length[vertex][k]]), &s.cols, &jac[range]);
        }
    }
}
