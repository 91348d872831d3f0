//! Cost of a row or contact as a function of its residual: value, negative gradient (the force) and second derivative.

use crate::constraint::{Contact, RowKind};
use crate::lane::Lane;
use crate::tables::Tables;

/// Force and stiffness of a scalar row at the residual `j`.
#[inline(always)]
pub(super) fn row_force<L: Lane>(kind: RowKind, D: L, loss: L, bound: L, j: L) -> (L, L) {
    match kind {
        RowKind::Equality => (-(D * j), D),
        RowKind::Limit => {
            let stiffness = D.masked(!j.ge(L::zero()));
            (-(stiffness * j), stiffness)
        }
        RowKind::Friction => {
            let (below, above) = (j.le(-bound), j.ge(bound));
            let force = L::select(below, loss, L::select(above, -loss, -(D * j)));
            (force, D.masked(!(below | above)))
        }
    }
}

/// Cost of a scalar row.
#[inline(always)]
pub(super) fn row_cost<L: Lane>(kind: RowKind, D: L, loss: L, bound: L, j: L) -> L {
    let quadratic = D * j * j * 0.5;
    match kind {
        RowKind::Equality => quadratic,
        RowKind::Limit => quadratic.masked(!j.ge(L::zero())),
        RowKind::Friction => {
            let linear = j.abs() * loss - bound * 0.5 * loss;
            L::select(j.abs().lt(bound), quadratic, linear)
        }
    }
}

/// Where the state of a row differs between two residuals.
#[inline(always)]
pub(super) fn row_changes<L: Lane>(kind: RowKind, bound: L, from: L, to: L) -> L::Mask {
    match kind {
        RowKind::Equality => L::none(),
        RowKind::Limit => differ::<L>(from.ge(L::zero()), to.ge(L::zero())),
        RowKind::Friction => {
            let (low, high) = (-bound, bound);
            differ::<L>(from.le(low), to.le(low)) | differ::<L>(from.ge(high), to.ge(high))
        }
    }
}

#[inline(always)]
fn differ<L: Lane>(a: L::Mask, b: L::Mask) -> L::Mask {
    (a & !b) | (b & !a)
}

/// Force along the directions and second derivative of a contact's cost.
pub(super) struct ContactCost<L> {
    pub force: [L; 6],
    /// Normal with normal, normal with k, k with k; all else is zero for a pyramid.
    pub arrow: [L; 6],
    pub diagonal: [L; 6],
    /// Elliptic cone: coefficient of the products of tangents, C_jk = outer · c_j c_k, and the residual c.
    pub outer: L,
    pub residual: [L; 6],
}

/// Cost derivatives of a pyramid (or a frictionless contact) at the residual `c`.
#[inline(always)]
pub(super) fn pyramid<L: Lane>(dim: usize, D: L, c: &[L]) -> ContactCost<L> {
    let zero = L::zero();
    let mut cost = ContactCost {
        force: [zero; 6],
        arrow: [zero; 6],
        diagonal: [zero; 6],
        outer: zero,
        residual: [zero; 6],
    };
    if dim == 1 {
        let stiffness = D.masked(!c[0].ge(zero));
        cost.diagonal[0] = stiffness;
        cost.force[0] = -(stiffness * c[0]);
        return cost;
    }
    for k in 1..dim {
        let (plus, minus) = (c[0] + c[k], c[0] - c[k]);
        let (s, r) = (D.masked(!plus.ge(zero)), D.masked(!minus.ge(zero)));
        let (f, g) = (s * plus, r * minus);
        cost.force[0] -= f + g;
        cost.force[k] = g - f;
        cost.diagonal[0] += s + r;
        cost.arrow[k] = s - r;
        cost.diagonal[k] = s + r;
    }
    cost
}

/// min(x, 0)²
#[inline(always)]
fn square_below<L: Lane>(x: L) -> L {
    let y = x.min(L::zero());
    y * y
}

/// Cost of a pyramid.
#[inline(always)]
pub(super) fn pyramid_cost<L: Lane>(dim: usize, D: L, c: &[L], v: &[L], alpha: L) -> L {
    let zero = L::zero();
    let c0 = c[0] + alpha * v[0];
    if dim == 1 {
        return D * square_below(c0) * 0.5;
    }
    let mut sum = zero;
    for k in 1..dim {
        let ck = c[k] + alpha * v[k];
        sum += square_below(c0 + ck) + square_below(c0 - ck);
    }
    D * sum * 0.5
}

/// Where the edges of a pyramid change between `c` and `c + v`.
#[inline(always)]
pub(super) fn pyramid_changes<L: Lane>(dim: usize, c: &[L], v: &[L]) -> L::Mask {
    let zero = L::zero();
    let c0 = c[0] + v[0];
    if dim == 1 {
        return differ::<L>(c[0].ge(zero), c0.ge(zero));
    }
    let mut changes = L::none();
    for k in 1..dim {
        let ck = c[k] + v[k];
        changes = changes | differ::<L>((c[0] + c[k]).ge(zero), (c0 + ck).ge(zero));
        changes = changes | differ::<L>((c[0] - c[k]).ge(zero), (c0 - ck).ge(zero));
    }
    changes
}

/// Zones of an elliptic cone in its circular coordinates.
struct Zones<L: Lane> {
    normal: L,
    tangent: L,
    /// Within the dual cone: no force.
    top: L::Mask,
    /// Below the primal cone: all directions stick.
    bottom: L::Mask,
}

#[inline(always)]
fn zones<L: Lane>(dim: usize, mu: L, c: &[L; 6]) -> Zones<L> {
    let mut square = L::zero();
    for k in 1..dim {
        square += c[k] * c[k];
    }
    let (normal, tangent) = (c[0] * mu, square.sqrt());
    let zero = L::zero();
    let on_axis = tangent.le(zero);
    let top = normal.ge(tangent * mu) | (on_axis & normal.ge(zero));
    let bottom = !top & ((normal * mu + tangent).le(zero) | (on_axis & normal.lt(zero)));
    Zones { normal, tangent, top, bottom }
}

/// Cost derivatives of an elliptic cone. Above the cone nothing, below it quadratic in all directions, between the
/// squared distance to the cone: with N = μ c₀ and T = |tangents|, ½ D/(μ²(1 + μ²)) (N − μ T)².
#[inline(always)]
pub(super) fn ellipse<L: Lane>(dim: usize, mu: L, D: L, c: &[L; 6]) -> ContactCost<L> {
    let zero = L::zero();
    let z = zones(dim, mu, c);
    let middle = !(z.top | z.bottom);
    let tangent_D = D * (mu * mu).recip();
    let cone_D = (D * (mu * mu * (mu * mu + 1.0)).recip()).masked(middle);
    let gap = z.normal - z.tangent * mu;
    let inv = z.tangent.recip();
    let pull = cone_D * gap * mu;
    let bottom_D = D.masked(z.bottom);
    let bottom_tangent = tangent_D.masked(z.bottom);
    let mut cost =
        ContactCost { force: [zero; 6], arrow: [zero; 6], diagonal: [zero; 6], outer: zero, residual: *c };
    cost.force[0] = -(bottom_D * c[0]) - pull;
    cost.diagonal[0] = bottom_D + cone_D * (mu * mu);
    // ∂²/∂c_j∂c_k = D_m (μ² c_j c_k/T² − μ gap (δ_jk/T − c_j c_k/T³))
    let radial = (pull * inv).masked(middle);
    let outer = (cone_D * (mu * mu) * inv * inv + radial * inv * inv).masked(middle);
    let cross = (cone_D * (mu * mu) * inv).masked(middle);
    cost.outer = outer;
    for k in 1..dim {
        cost.force[k] = radial * c[k] - bottom_tangent * c[k];
        cost.arrow[k] = -(cross * c[k]);
        cost.diagonal[k] = bottom_tangent - radial;
    }
    cost
}

/// Cost of an elliptic cone.
#[inline(always)]
pub(super) fn ellipse_cost<L: Lane>(dim: usize, mu: L, D: L, c: &[L; 6]) -> L {
    let z = zones(dim, mu, c);
    let middle = !(z.top | z.bottom);
    let gap = z.normal - z.tangent * mu;
    let cone = D * (L::splat(0.5) / (mu * mu * (mu * mu + 1.0))) * gap * gap;
    let stick = D * (L::splat(0.5) / (mu * mu)) * (z.normal * z.normal + z.tangent * z.tangent);
    cone.masked(middle) + stick.masked(z.bottom)
}

/// Derivatives of a contact's cost at its residual.
#[inline(always)]
pub(super) fn contact_cost<L: Lane>(t: &Tables<L>, contact: &Contact<L>, c: &[L]) -> ContactCost<L> {
    let dim = contact.dim as usize;
    if t.solver.elliptic && dim > 1 {
        ellipse(dim, t.pairs.classes[contact.class as usize].mu, contact.D, &padded(c))
    } else {
        pyramid(dim, contact.D, c)
    }
}

/// Residuals of a contact, filled up with zeros.
#[inline(always)]
pub(super) fn padded<L: Lane>(c: &[L]) -> [L; 6] {
    let mut out = [L::zero(); 6];
    for (x, y) in out.iter_mut().zip(c) {
        *x = *y;
    }
    out
}
