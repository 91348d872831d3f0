//! Exact line search: Newton's method on the slope of the cost along the search direction, kept inside a bracket.

use super::cost::{contact_cost, ellipse, ellipse_cost, padded, pyramid_cost, row_cost, row_force};
use crate::actuation::any;
use crate::constraint::Contact;
use crate::lane::Lane;
use crate::tables::Tables;
use crate::world::World;

/// Relative slope at which a search ends.
const RELATIVE_SLOPE: f64 = 1e-10;
pub(super) struct LineResult<L> {
    /// Zero in lanes that are not live, one in lanes that need no search.
    pub alpha: L,
    /// By how much the cost falls in the lanes that searched.
    pub improvement: L,
}

/// The part of the cost along the line that is quadratic for ever: inertia.
struct Smooth<L> {
    slope: L,
    curvature: L,
    cost: L,
}

#[inline(always)]
pub(super) fn line_search<L: Lane>(t: &Tables, w: &World<L>, live: u32, changed: u32) -> LineResult<L> {
    let (mut slope, mut curvature, mut length) = (L::zero(), L::zero(), L::zero());
    for i in 0..w.search.len() {
        slope -= w.gradient[i] * w.search[i];
        curvature += w.search[i] * w.Mv[i];
        length += w.search[i] * w.search[i];
    }
    let (row_slope, cost) = start(t, w, live);
    // the gradient contains the rows' forces; what is left of the slope is that of the inertia
    let smooth = Smooth { slope: slope - row_slope, curvature, cost };
    let absolute = length.sqrt() * (t.solver.tolerance * t.solver.line_tolerance / t.solver.scale);
    let enough = absolute.max(slope.abs() * RELATIVE_SLOPE);
    let zero = L::zero();
    let mut alpha = L::splat(1.0).masked(L::mask(live));
    let (mut lower, mut upper) = (zero, L::splat(-1.0));
    let mut open = L::mask(changed);
    let mut last = L::splat(f64::INFINITY);
    for _ in 0..t.solver.line_iterations.max(1) {
        let (rows, second) = slopes(t, w, live, alpha);
        let slope = smooth.slope + alpha * smooth.curvature + rows;
        let second = smooth.curvature + second;
        open = open & slope.abs().ge(enough);
        if !any::<L>(open) {
            break;
        }
        let falls = slope.lt(zero);
        lower = L::select(open & falls, alpha, lower);
        upper = L::select(open & !falls, alpha, upper);
        let mut next = alpha - slope / second;
        let closed = upper.ge(zero);
        // next to the tip of a cone the curvature is large and Newton steps are short
        let creeps = slope.abs().gt(last * 0.5);
        last = slope.abs();
        let outside = creeps | next.le(lower) | next.ge(upper);
        next = L::select(outside & closed, (lower + upper) * 0.5, next);
        alpha = L::select(open, next, alpha);
    }
    let fallen = -(smooth.slope * alpha) - smooth.curvature * alpha * alpha * 0.5;
    let improvement = fallen + (smooth.cost - costs(t, w, live, alpha));
    LineResult { alpha, improvement }
}

/// Slope of the rows' cost along the line at its start, and the cost.
#[inline(always)]
fn start<L: Lane>(t: &Tables, w: &World<L>, live: u32) -> (L, L) {
    let mut slope = L::zero();
    for contact in w.contacts.iter().filter(|c| c.occupied & live != 0) {
        let (c, v) = residuals(w, contact);
        let cost = contact_cost(t.solver.elliptic, contact, c);
        for k in 0..contact.dim as usize {
            slope -= cost.force[k] * v[k];
        }
    }
    for row in &w.dof_rows {
        slope -= row_force(row.kind, row.D, row.loss, row.bound, row.j).0 * row.v;
    }
    for row in &w.sparse_rows {
        slope -= row_force(row.kind, row.D, row.loss, row.bound, row.j).0 * row.v;
    }
    (slope, costs(t, w, live, L::zero()))
}

#[inline(always)]
fn residuals<'a, L: Lane>(w: &'a World<L>, contact: &Contact<L>) -> (&'a [L], &'a [L]) {
    let (at, dim) = (contact.at as usize, contact.dim as usize);
    (&w.contact_c[at..at + dim], &w.contact_v[at..at + dim])
}

/// First and second derivative of the rows' cost at a point of the line.
#[inline(always)]
fn slopes<L: Lane>(t: &Tables, w: &World<L>, live: u32, alpha: L) -> (L, L) {
    let (mut first, mut second) = (L::zero(), L::zero());
    let zero = L::zero();
    for contact in w.contacts.iter().filter(|c| c.occupied & live != 0) {
        let (c, v) = residuals(w, contact);
        let dim = contact.dim as usize;
        if t.solver.elliptic && dim > 1 {
            let (a, b) = ellipse_slopes(contact, c, v, alpha);
            first += a;
            second += b;
            continue;
        }
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

#[inline(always)]
fn ellipse_slopes<L: Lane>(contact: &Contact<L>, c: &[L], v: &[L], alpha: L) -> (L, L) {
    let dim = contact.dim as usize;
    let at = along(c, v, alpha);
    let cost = ellipse(dim, contact.mu, contact.D, &at);
    let mut first = -(cost.force[0] * v[0]);
    let mut second = cost.diagonal[0] * v[0] * v[0];
    let mut radial = L::zero();
    for k in 1..dim {
        first -= cost.force[k] * v[k];
        second += cost.diagonal[k] * v[k] * v[k] + cost.arrow[k] * v[0] * v[k] * 2.0;
        radial += at[k] * v[k];
    }
    (first, second + cost.outer * radial * radial)
}

/// Cost of all rows at a point of the line.
#[inline(always)]
fn costs<L: Lane>(t: &Tables, w: &World<L>, live: u32, alpha: L) -> L {
    let mut sum = L::zero();
    for contact in w.contacts.iter().filter(|c| c.occupied & live != 0) {
        let (c, v) = residuals(w, contact);
        let dim = contact.dim as usize;
        sum += if t.solver.elliptic && dim > 1 {
            ellipse_cost(dim, contact.mu, contact.D, &along(c, v, alpha))
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
