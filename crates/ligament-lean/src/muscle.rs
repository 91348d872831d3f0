//! Muscles: activation dynamics, active and passive force (MuJoCo book, "Muscle actuators"). The curves are made of
//! parabolas; lanes take the one they are on.

use crate::actuation::clip;
use crate::lane::Lane;
use crate::tables::Muscle;
use ligament_math::MINVAL;

#[inline(always)]
fn normalized_length<L: Lane>(muscle: &Muscle, length: L) -> L {
    (length - muscle.first) / L::splat(muscle.optimal) + muscle.offset
}

/// A bump between `lmin` and `lmax` with its peak at 1.
#[inline(always)]
fn force_length<L: Lane>(muscle: &Muscle, l: L) -> L {
    let &Muscle { lmin, lmax, .. } = muscle;
    let (a, b) = (0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax));
    let one = L::splat(1.0);
    let parabola = |x: L, width: f64| {
        let y = x / L::splat(width.max(MINVAL));
        y * y * 0.5
    };
    let rise = L::select(l.le(L::splat(a)), parabola(l - lmin, a - lmin), one - parabola(one - l, 1.0 - a));
    let fall = L::select(
        l.le(L::splat(b)),
        one - parabola(l - 1.0, b - 1.0),
        parabola(L::splat(lmax) - l, lmax - b),
    );
    let inside = L::splat(lmin).le(l) & l.le(L::splat(lmax));
    L::select(l.le(one), rise, fall).masked(inside)
}

/// Force per activation, and its derivative by velocity.
#[inline(always)]
pub(crate) fn gain<L: Lane>(muscle: &Muscle, length: L, velocity: L) -> (L, L) {
    let &Muscle { fvmax, .. } = muscle;
    let y = fvmax - 1.0;
    let v = velocity / L::splat(muscle.speed);
    let (shortens, lengthens) = (v.le(L::zero()), v.le(L::splat(y)));
    let still = v + 1.0;
    let left = L::splat(y) - v;
    let inverse = 1.0 / y.max(MINVAL);
    let plateau = L::splat(fvmax);
    let curve = L::select(lengthens, plateau - left * left * inverse, plateau);
    let curve = L::select(shortens, still * still, curve);
    let slope = L::select(shortens, still * 2.0, (left * (2.0 * inverse)).masked(lengthens));
    let moves = v.gt(L::splat(-1.0));
    let peak = force_length(muscle, normalized_length(muscle, length)) * -muscle.force;
    (peak * curve.masked(moves), peak * (slope.masked(moves) / L::splat(muscle.speed)))
}

/// Passive force: a parabola up to (1 + lmax)/2, a line beyond.
#[inline(always)]
pub(crate) fn bias<L: Lane>(muscle: &Muscle, length: L) -> L {
    let l = normalized_length(muscle, length);
    let b = 0.5 * (1.0 + muscle.lmax);
    let width = L::splat((b - 1.0).max(MINVAL));
    let (x, beyond) = ((l - 1.0) / width, (l - b) / width);
    let curve = L::select(l.le(L::splat(b)), x * x * 0.5, beyond + 0.5);
    (curve * (-muscle.force * muscle.fpmax)).masked(l.gt(L::splat(1.0)))
}

/// Rate of activation; `prm`: times of rise and fall, width of the switch between them.
#[inline(always)]
pub(crate) fn rate<L: Lane>([rise, fall, width]: [f64; 3], ctrl: L, act: L) -> L {
    let excess = clip(ctrl, [0.0, 1.0]) - act;
    let factor = clip(act, [0.0, 1.0]) * 1.5 + 0.5;
    let (rise, fall) = (factor * rise, L::splat(fall) / factor);
    let tau = if width < MINVAL {
        L::select(excess.gt(L::zero()), rise, fall)
    } else {
        let x = clip(excess / L::splat(width) + 0.5, [0.0, 1.0]);
        fall + (rise - fall) * (x * x * x * (x * 3.0 * (x * 2.0 - 5.0) + 10.0))
    };
    excess / tau.max(L::splat(MINVAL))
}
