//! Muscles: activation dynamics, active and passive force (MuJoCo book, "Muscle actuators"). The curves are made of
//! parabolas; lanes take the one they are on.

use crate::actuation::clip;
use crate::lane::Lane;
use crate::tables::Muscle;
use ligament_math::MINVAL;

#[inline(always)]
fn normalized_length<L: Lane>(muscle: &Muscle<L>, length: L) -> L {
    (length - muscle.first) / muscle.optimal + muscle.offset
}

/// A bump between `lmin` and `lmax` with its peak at 1.
#[inline(always)]
fn force_length<L: Lane>(muscle: &Muscle<L>, l: L) -> L {
    let &Muscle { lmin, lmax, .. } = muscle;
    let (a, b) = ((lmin + 1.0) * 0.5, (lmax + 1.0) * 0.5);
    let one = L::splat(1.0);
    let parabola = |x: L, width: L| {
        let y = x / width.max(L::splat(MINVAL));
        y * y * 0.5
    };
    let rise = L::select(l.le(a), parabola(l - lmin, a - lmin), one - parabola(one - l, one - a));
    let fall = L::select(l.le(b), one - parabola(l - 1.0, b - 1.0), parabola(lmax - l, lmax - b));
    let inside = lmin.le(l) & l.le(lmax);
    L::select(l.le(one), rise, fall).masked(inside)
}

/// Force per activation, and its derivative by velocity.
#[inline(always)]
pub(crate) fn gain<L: Lane>(muscle: &Muscle<L>, length: L, velocity: L) -> (L, L) {
    let &Muscle { fvmax, .. } = muscle;
    let y = fvmax - 1.0;
    let v = velocity / muscle.speed;
    let (shortens, lengthens) = (v.le(L::zero()), v.le(y));
    let still = v + 1.0;
    let left = y - v;
    let inverse = y.max(L::splat(MINVAL)).recip();
    let plateau = fvmax;
    let curve = L::select(lengthens, plateau - left * left * inverse, plateau);
    let curve = L::select(shortens, still * still, curve);
    let slope = L::select(shortens, still * 2.0, (left * (inverse * 2.0)).masked(lengthens));
    let moves = v.gt(L::splat(-1.0));
    let peak = force_length(muscle, normalized_length(muscle, length)) * -muscle.force;
    (peak * curve.masked(moves), peak * (slope.masked(moves) / muscle.speed))
}

/// Passive force: a parabola up to (1 + lmax)/2, a line beyond.
#[inline(always)]
pub(crate) fn bias<L: Lane>(muscle: &Muscle<L>, length: L) -> L {
    let l = normalized_length(muscle, length);
    let b = (muscle.lmax + 1.0) * 0.5;
    let width = (b - 1.0).max(L::splat(MINVAL));
    let (x, beyond) = ((l - 1.0) / width, (l - b) / width);
    let curve = L::select(l.le(b), x * x * 0.5, beyond + 0.5);
    (curve * (-muscle.force * muscle.fpmax)).masked(l.gt(L::splat(1.0)))
}

/// Rate of activation; times of rise and fall, width of the switch between them where it is smooth.
#[inline(always)]
pub(crate) fn rate<L: Lane>([rise, fall]: [L; 2], width: Option<L>, ctrl: L, act: L) -> L {
    let unit = [L::zero(), L::splat(1.0)];
    let excess = clip(ctrl, unit) - act;
    let factor = clip(act, unit) * 1.5 + 0.5;
    let (rise, fall) = (factor * rise, fall / factor);
    let tau = match width {
        None => L::select(excess.gt(L::zero()), rise, fall),
        Some(width) => {
            let x = clip(excess / width + 0.5, unit);
            fall + (rise - fall) * (x * x * x * (x * 3.0 * (x * 2.0 - 5.0) + 10.0))
        }
    };
    excess / tau.max(L::splat(MINVAL))
}
