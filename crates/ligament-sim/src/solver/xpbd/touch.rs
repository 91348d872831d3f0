//! Contacts of vertices that move by themselves, with things that cannot move or whose inertia is diagonal: a row is a
//! direction, and one mass resists, or a few. Most contacts of soft flexes are of this kind, so that they have a way of their
//! own.

use crate::constraint::JacobianView;
use crate::workspace::{Partner, Touch, TouchRow, Xpbd};
use ligament_math::{MINVAL, vec3};
use ligament_model::{Contact, Data, Model};

/// Most rows of such a contact: a pyramid in the plane. Friction against turning has no degree of freedom here.
const MOST: usize = 4;

/// Where the three degrees of freedom of a point begin among those that a row acts on, if it is a row of this kind.
fn point(m: &Model, d: &Data, cols: &[i32]) -> Option<usize> {
    let simple = |&dof: &i32| m.dof_simplenum[dof as usize] > 0;
    let soft = |dof: usize| m.parts.is_soft_point(m.dof_bodyid[dof] as usize);
    let alone = cols.len() == 3;
    let at = cols.windows(3).position(|window| {
        let dof = window[0] as usize;
        let together = window[1] == window[0] + 1 && window[2] == window[0] + 2;
        together && m.dof_simplenum[dof] >= 3 && (alone || soft(dof))
    })?;
    let inverse = &d.qLDiagInv[cols[at] as usize..];
    let one_mass = inverse[0] == inverse[1] && inverse[0] == inverse[2];
    (one_mass && (alone || cols.iter().all(simple))).then_some(at)
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
    let cols = jacobian.cols(row);
    let Some(at) = point(m, d, cols).filter(|_| count <= MOST) else { return false };
    let dof = cols[at] as usize;
    let inverse_mass = d.qLDiagInv[dof];
    let (start, partner) = (s.touch_rows.len(), s.partners.len());
    s.touch_rows.reserve(count);
    for row in row..row + count {
        let numbers = jacobian.numbers(row);
        let direction = numbers.three(at, cols);
        let mut diagonal = vec3::dot(direction, direction) * inverse_mass;
        for k in (0..at).chain(at + 3..cols.len()) {
            let (dof, jacobian) = (cols[k] as usize, numbers.at(k, cols));
            let response = jacobian * d.qLDiagInv[dof];
            diagonal += jacobian * response;
            s.partners.push(Partner { dof, jacobian, response });
        }
        let diagonal = diagonal.max(MINVAL);
        let (softness, damping) = s.soft[row];
        s.touch_rows.push(TouchRow {
            direction,
            distance: d.efc_pos[row] - d.efc_margin[row],
            softness,
            stiffer: 1.0 + damping,
            inverse: 1.0 / ((1.0 + damping) * diagonal + softness),
            diagonal,
            lambda: 0.0,
            total: 0.0,
        });
    }
    let friction = cone.map(|contact| [contact.friction[0], contact.friction[1]]);
    let (end, partners) = (s.touch_rows.len(), cols.len() - 3);
    s.touches.push(Touch { dof, row, start, end, partner, partners, inverse_mass, friction });
    true
}

/// A new substep: multipliers begin at zero.
pub(super) fn begin(s: &mut Xpbd) {
    s.touch_rows.iter_mut().for_each(|row| row.lambda = 0.0);
}

/// Velocities of a point and of everything else, and what an impulse does.
struct Motion<'a> {
    own: [f64; 3],
    all: &'a mut [f64],
    h: f64,
    /// Inverse mass of the point, and 1, by the time.
    kick: f64,
    rate: f64,
}

impl Motion<'_> {
    /// How far a row moves in the substep.
    #[inline(always)]
    fn along(&self, row: &TouchRow, partners: &[Partner]) -> f64 {
        let own = vec3::dot(row.direction, self.own);
        self.h * partners.iter().fold(own, |sum, other| sum + other.jacobian * self.all[other.dof])
    }

    /// Changes a multiplier and the velocities with it.
    #[inline(always)]
    fn set(&mut self, row: &mut TouchRow, partners: &[Partner], wanted: f64) {
        let change = wanted - row.lambda;
        row.lambda = wanted;
        self.own = vec3::add_scaled(self.own, row.direction, change * self.kick);
        for other in partners {
            self.all[other.dof] += other.response * change * self.rate;
        }
    }

    /// A one-sided row: the update of the head of the solver, the multiplier not below zero.
    #[inline(always)]
    fn press(&mut self, row: &mut TouchRow, partners: &[Partner]) {
        let violation = row.distance + row.stiffer * self.along(row, partners) + row.softness * row.lambda;
        self.set(row, partners, (row.lambda - violation * row.inverse).max(0.0));
    }

    /// The rows of an elliptic cone: no motion along the surface, unless the force leaves the cone.
    fn cone<'p>(
        &mut self,
        rows: &mut [TouchRow],
        friction: [f64; 2],
        partners: impl Fn(usize) -> &'p [Partner],
    ) {
        let Some((normal, tangents)) = rows.split_first_mut() else { return };
        self.press(normal, partners(0));
        let mut size = 0.0;
        for (k, (row, mu)) in tangents.iter_mut().zip(friction).enumerate() {
            let limit = mu * normal.lambda;
            let wanted = row.lambda - self.along(row, partners(k + 1)) / row.diagonal;
            self.set(row, partners(k + 1), wanted.clamp(-limit, limit));
            size += (row.lambda / mu.max(MINVAL)).powi(2);
        }
        let size = size.sqrt();
        if size > normal.lambda {
            for (k, row) in tangents.iter_mut().enumerate() {
                let wanted = row.lambda * normal.lambda / size;
                self.set(row, partners(k + 1), wanted);
            }
        }
    }
}

/// One pass, there or back.
pub(super) fn relax(s: &mut Xpbd, h: f64, backward: bool) {
    let Xpbd { touches, touch_rows, partners, velocity, .. } = s;
    let count = touches.len();
    for k in 0..count {
        let touch = &touches[if backward { count - 1 - k } else { k }];
        let rows = &mut touch_rows[touch.start..touch.end];
        let partners = |row: usize| {
            let start = touch.partner + row * touch.partners;
            &partners[start..start + touch.partners]
        };
        let [x, y, z] = [velocity[touch.dof], velocity[touch.dof + 1], velocity[touch.dof + 2]];
        let mut motion =
            Motion { own: [x, y, z], all: velocity, h, kick: touch.inverse_mass / h, rate: 1.0 / h };
        match touch.friction {
            None if touch.partners == 0 => rows.iter_mut().for_each(|row| motion.press(row, &[])),
            None => rows.iter_mut().enumerate().for_each(|(k, row)| motion.press(row, partners(k))),
            Some(friction) => motion.cone(rows, friction, partners),
        }
        let own = motion.own;
        velocity[touch.dof..touch.dof + 3].copy_from_slice(&own);
    }
}

/// The end of a substep: distances move on, multipliers are added up.
pub(super) fn advance(s: &mut Xpbd, h: f64) {
    let Xpbd { touches, touch_rows, partners, velocity, .. } = s;
    for touch in touches.iter() {
        let own = &velocity[touch.dof..touch.dof + 3];
        let mut partners = partners[touch.partner..].iter();
        for row in &mut touch_rows[touch.start..touch.end] {
            let own = vec3::dot(row.direction, [own[0], own[1], own[2]]);
            let others = partners.by_ref().take(touch.partners);
            row.distance += h * others.fold(own, |sum, other| sum + other.jacobian * velocity[other.dof]);
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
