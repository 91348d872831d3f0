//! Exact line search: Newton's method on the slope of the cost along the search direction, kept inside a bracket.

use super::cost::{ellipse_cost, padded, pyramid_cost, row_cost, row_force};
use crate::actuation::any;
use crate::constraint::Contact;
use crate::lane::Lane;
use crate::tables::Tables;
use crate::world::World;

/// Relative slope at which a search ends: the next direction is better than the last digits of this one.
const RELATIVE_SLOPE: f64 = 1e-3;

pub(super) struct LineResult<L> {
    /// Zero in lanes that are not live, one in lanes that need no search.
    pub alpha: L,
    /// More than the cost falls by in the lanes that searched: it is convex, so its slope is nowhere steeper than at the
    /// start.
    pub improvement: L,
}

#[inline(always)]
pub(super) fn line_search<L: Lane>(t: &Tables<L>, w: &World<L>, live: u32, changed: u32) -> LineResult<L> {
    let (mut start, mut inertia, mut curvature, mut length) = (L::zero(), L::zero(), L::zero(), L::zero());
    for i in 0..w.search.len() {
        start -= w.gradient[i] * w.search[i];
        inertia += w.search[i] * (w.Ma[i] - w.qfrc_smooth[i]);
        curvature += w.search[i] * w.Mv[i];
        length += w.search[i] * w.search[i];
    }
    let absolute = length.sqrt() * (t.solver.tolerance * t.solver.line_tolerance / t.solver.scale);
    let enough = absolute.max(start.abs() * RELATIVE_SLOPE);
    let zero = L::zero();
    let mut alpha = L::splat(1.0).masked(L::mask(live));
    let (mut lower, mut upper) = (zero, L::splat(-1.0));
    let mut open = L::mask(changed);
    let mut last = L::splat(f64::INFINITY);
    for _ in 0..t.solver.line_iterations.max(1) {
        let (rows, second) = slopes(w, live, alpha);
        let slope = inertia + alpha * curvature + rows;
        let second = curvature + second;
        open = open & slope.abs().ge(enough);
        if !any::<L>(open) {
            break;
        }
        let falls = slope.lt(zero);
        lower = L::select(open & falls, alpha, lower);
        upper = L::select(open & !falls, alpha, upper);
        let mut next = alpha - slope / second;
        let closed = upper.ge(zero);
        // Newton steps that hardly flatten the slope give way to halving
        let creeps = slope.abs().gt(last * 0.5);
        last = slope.abs();
        let outside = creeps | next.le(lower) | next.ge(upper);
        next = L::select(outside & closed, (lower + upper) * 0.5, next);
        alpha = L::select(open, next, alpha);
    }
    LineResult { alpha, improvement: start.abs() * alpha }
}

#[inline(always)]
fn residuals<'a, L: Lane>(w: &'a World<L>, contact: &Contact<L>) -> (&'a [L], &'a [L]) {
    let (at, dim) = (contact.at as usize, contact.dim as usize);
    (&w.contact_c[at..at + dim], &w.contact_v[at..at + dim])
}

/// First and second derivative of the rows' cost at a point of the line.
#[inline(always)]
fn slopes<L: Lane>(w: &World<L>, live: u32, alpha: L) -> (L, L) {
    let (mut first, mut second) = (L::zero(), L::zero());
    let zero = L::zero();
    for contact in w.contacts.iter().filter(|c| c.occupied & live != 0) {
        let (c, v) = residuals(w, contact);
        let dim = contact.dim as usize;
        let D = contact.D;
        if dim == 1 {
            let y = c[0] + alpha * v[0];
            let slope = D * v[0];
            first += slope * y.min(zero);
            second += (slope * v[0]).masked(y.lt(zero));
        }
        for k in 1..dim {
            for (x, dx) in [(c[0] + c[k], v[0] + v[k]), (c[0] - c[k], v[0] - v[k])] {
                let y = x + alpha * dx;
                let slope = D * dx;
                first += slope * y.min(zero);
                second += (slope * dx).masked(y.lt(zero));
            }
        }
    }
    for row in w.dof_rows.iter().filter(|r| r.occupied & live != 0) {
        let (force, stiffness) = row_force(row.kind, row.D, row.loss, row.bound, row.j + alpha * row.v);
        first -= force * row.v;
        second += stiffness * row.v * row.v;
    }
    for row in w.sparse_rows.iter().filter(|r| r.occupied & live != 0) {
        let (force, stiffness) = row_force(row.kind, row.D, row.loss, row.bound, row.j + alpha * row.v);
        first -= force * row.v;
        second += stiffness * row.v * row.v;
    }
    (first, second)
}

#[inline(always)]
fn along<L: Lane>(c: &[L], v: &[L], alpha: L) -> [L; 6] {
    let mut at = padded(c);
    for k in 0..v.len() {
        at[k] += v[k] * alpha;
    }
    at
}

/// Cost of all rows at a point of the line.
#[inline(always)]
pub(super) fn costs<L: Lane>(t: &Tables<L>, w: &World<L>, live: u32, alpha: L) -> L {
    let mut sum = L::zero();
    for contact in w.contacts.iter().filter(|c| c.occupied & live != 0) {
        let (c, v) = residuals(w, contact);
        let dim = contact.dim as usize;
        sum += if t.solver.elliptic && dim > 1 {
            ellipse_cost(dim, t.pairs.classes[contact.class as usize].mu, contact.D, &along(c, v, alpha))
        } else {
            pyramid_cost(dim, contact.D, c, v, alpha)
        };
    }
    for row in w.dof_rows.iter().filter(|r| r.occupied & live != 0) {
        sum += row_cost(row.kind, row.D, row.loss, row.bound, row.j + alpha * row.v);
    }
    for row in w.sparse_rows.iter().filter(|r| r.occupied & live != 0) {
        sum += row_cost(row.kind, row.D, row.loss, row.bound, row.j + alpha * row.v);
    }
    sum
}
