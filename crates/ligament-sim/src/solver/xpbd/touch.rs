//! Contacts of vertices that move by themselves with things that cannot move: a row is a direction, and one mass resists.
//! Most contacts of soft flexes are of this kind, so that they have a way of their own.

use crate::constraint::JacobianView;
use crate::workspace::{Touch, TouchRow, Xpbd};
use ligament_math::{MINVAL, vec3};
use ligament_model::{Contact, Data, Model};

/// Most rows of such a contact: a pyramid in the plane. Friction against turning has no degree of freedom here.
const MOST: usize = 4;

/// The first of three degrees of freedom that a row acts on, and nothing else, if these have one mass.
fn point(m: &Model, d: &Data, cols: &[i32]) -> Option<usize> {
    let &[x, y, z] = cols else { return None };
    let dof = x as usize;
    let together = y == x + 1 && z == x + 2 && m.dof_simplenum[dof] >= 3;
    let inverse = &d.qLDiagInv[dof..];
    (together && inverse[0] == inverse[1] && inverse[0] == inverse[2]).then_some(dof)
}

/// Notes the contact whose rows begin here, if it is of this kind. Softness of all rows is known.
pub(super) fn note(
    m: &Model,
    d: &Data,
    row: usize,
    count: usize,
    cone: Option<&Contact>,
    s: &mut Xpbd,
) -> bool {
    let jacobian = JacobianView::new(m, d);
    let Some(dof) = point(m, d, jacobian.cols(row)).filter(|_| count <= MOST) else { return false };
    let inverse_mass = d.qLDiagInv[dof];
    let start = s.touch_rows.len();
    for row in row..row + count {
        let mut direction = [0.0; 3];
        for (x, &column) in direction.iter_mut().zip(jacobian.cols(row)) {
            *x = jacobian.at(row, column as usize - dof, column);
        }
        let (softness, damping) = s.soft[row];
        let diagonal = (vec3::dot(direction, direction) * inverse_mass).max(MINVAL);
        s.touch_rows.push(TouchRow {
            direction,
            distance: d.efc_pos[row] - d.efc_margin[row],
            softness,
            stiffer: 1.0 + damping,
            inverse: 1.0 / ((1.0 + damping) * diagonal + softness),
            bare: 1.0 / diagonal,
            lambda: 0.0,
            total: 0.0,
        });
    }
    let friction = cone.map(|contact| [contact.friction[0], contact.friction[1]]);
    s.touches.push(Touch { dof, row, start, end: s.touch_rows.len(), inverse_mass, friction });
    true
}

/// A new substep: multipliers begin at zero.
pub(super) fn begin(s: &mut Xpbd) {
    s.touch_rows.iter_mut().for_each(|row| row.lambda = 0.0);
}

/// One pass.
pub(super) fn relax(s: &mut Xpbd, h: f64) {
    let Xpbd { touches, touch_rows, velocity, .. } = s;
    for touch in touches.iter() {
        let rows = &mut touch_rows[touch.start..touch.end];
        let own = &mut velocity[touch.dof..touch.dof + 3];
        let mut v = [own[0], own[1], own[2]];
        let kick = touch.inverse_mass / h;
        match touch.friction {
            None => rows.iter_mut().for_each(|row| press(row, &mut v, h, kick)),
            Some(friction) => cone(rows, friction, &mut v, h, kick),
        }
        own.copy_from_slice(&v);
    }
}

/// A one-sided row: the update of the head of the solver, the multiplier not below zero.
#[inline(always)]
fn press(row: &mut TouchRow, v: &mut [f64; 3], h: f64, kick: f64) {
    let moved = h * vec3::dot(row.direction, *v);
    let violation = row.distance + row.stiffer * moved + row.softness * row.lambda;
    set(row, (row.lambda - violation * row.inverse).max(0.0), v, kick);
}

/// The rows of an elliptic cone: no motion along the surface, unless the force leaves the cone.
fn cone(rows: &mut [TouchRow], friction: [f64; 2], v: &mut [f64; 3], h: f64, kick: f64) {
    let Some((normal, tangents)) = rows.split_first_mut() else { return };
    press(normal, v, h, kick);
    let mut size = 0.0;
    for (row, mu) in tangents.iter_mut().zip(friction) {
        let limit = mu * normal.lambda;
        let wanted = row.lambda - h * vec3::dot(row.direction, *v) * row.bare;
        set(row, wanted.clamp(-limit, limit), v, kick);
        size += (row.lambda / mu.max(MINVAL)).powi(2);
    }
    let size = size.sqrt();
    if size > normal.lambda {
        for row in tangents {
            set(row, row.lambda * normal.lambda / size, v, kick);
        }
    }
}

#[inline(always)]
fn set(row: &mut TouchRow, wanted: f64, v: &mut [f64; 3], kick: f64) {
    *v = vec3::add_scaled(*v, row.direction, (wanted - row.lambda) * kick);
    row.lambda = wanted;
}

/// The end of a substep: distances move on, multipliers are added up.
pub(super) fn advance(s: &mut Xpbd, h: f64) {
    let Xpbd { touches, touch_rows, velocity, .. } = s;
    for touch in touches.iter() {
        let own = &velocity[touch.dof..touch.dof + 3];
        for row in &mut touch_rows[touch.start..touch.end] {
            row.distance += h * vec3::dot(row.direction, [own[0], own[1], own[2]]);
            row.total += row.lambda;
        }
    }
}

/// Sums of multipliers, at the places of their rows.
pub(super) fn collect(s: &mut Xpbd) {
    for touch in &s.touches {
        for (k, row) in s.touch_rows[touch.start..touch.end].iter().enumerate() {
            s.total[touch.row + k] = row.total;
        }
    }
}
