//! The muscle model: active force-length-velocity gain, passive force, activation dynamics.
//! Formulas: MuJoCo book, "Muscle actuators"; time constants after Millard et al. 2013.

use crate::support::clip;
use ligament_math::MINVAL;

/// Parameters of gain and bias, in the order of the model.
struct Parameters {
    range: [f64; 2],
    force: f64,
    lmin: f64,
    lmax: f64,
    vmax: f64,
    fpmax: f64,
    fvmax: f64,
}

impl Parameters {
    /// A negative peak force stands for `scale / acc0`.
    fn new(prm: &[f64; 10], acc0: f64) -> Self {
        let force = if prm[2] < 0.0 { prm[3] / acc0.max(MINVAL) } else { prm[2] };
        Self {
            range: [prm[0], prm[1]],
            force,
            lmin: prm[4],
            lmax: prm[5],
            vmax: prm[6],
            fpmax: prm[7],
            fvmax: prm[8],
        }
    }

    /// Optimal length.
    fn optimal(&self, lengthrange: [f64; 2]) -> f64 {
        (lengthrange[1] - lengthrange[0]) / (self.range[1] - self.range[0]).max(MINVAL)
    }

    /// Length in units of the optimal length.
    fn normalized(&self, length: f64, lengthrange: [f64; 2]) -> f64 {
        self.range[0] + (length - lengthrange[0]) / self.optimal(lengthrange).max(MINVAL)
    }
}

/// Force-length curve: a bump of parabolas between `lmin` and `lmax` with its peak at 1.
pub fn gain_length(length: f64, lmin: f64, lmax: f64) -> f64 {
    if !(lmin <= length && length <= lmax) {
        return 0.0;
    }
    let a = 0.5 * (lmin + 1.0);
    let b = 0.5 * (1.0 + lmax);
    let half_square = |x: f64| 0.5 * x * x;
    if length <= a {
        half_square((length - lmin) / (a - lmin).max(MINVAL))
    } else if length <= 1.0 {
        1.0 - half_square((1.0 - length) / (1.0 - a).max(MINVAL))
    } else if length <= b {
        1.0 - half_square((length - 1.0) / (b - 1.0).max(MINVAL))
    } else {
        half_square((lmax - length) / (lmax - b).max(MINVAL))
    }
}

/// Active force per activation (negative: muscles pull).
pub fn gain(length: f64, velocity: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    let p = Parameters::new(prm, acc0);
    let l = p.normalized(length, lengthrange);
    let v = velocity / (p.optimal(lengthrange) * p.vmax).max(MINVAL);
    let y = p.fvmax - 1.0;
    let force_velocity = if v <= -1.0 {
        0.0
    } else if v <= 0.0 {
        (v + 1.0) * (v + 1.0)
    } else if v <= y {
        p.fvmax - (y - v) * (y - v) / y.max(MINVAL)
    } else {
        p.fvmax
    };
    -p.force * gain_length(l, p.lmin, p.lmax) * force_velocity
}

/// Derivative of [`gain`] with respect to velocity.
pub fn gain_velocity(length: f64, velocity: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    let p = Parameters::new(prm, acc0);
    let l = p.normalized(length, lengthrange);
    let unit = (p.optimal(lengthrange) * p.vmax).max(MINVAL);
    let v = velocity / unit;
    let y = p.fvmax - 1.0;
    let slope = if v <= -1.0 {
        0.0
    } else if v <= 0.0 {
        2.0 * v + 2.0
    } else if v <= y {
        (-2.0 * v + 2.0 * y) / y.max(MINVAL)
    } else {
        0.0
    };
    -p.force * gain_length(l, p.lmin, p.lmax) * (slope / unit)
}

/// Passive force: half-quadratic up to (1 + lmax)/2, linear beyond.
pub fn bias(length: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    let p = Parameters::new(prm, acc0);
    let l = p.normalized(length, lengthrange);
    let b = 0.5 * (1.0 + p.lmax);
    if l <= 1.0 {
        0.0
    } else if l <= b {
        let x = (l - 1.0) / (b - 1.0).max(MINVAL);
        -p.force * p.fpmax * 0.5 * x * x
    } else {
        let x = (l - b) / (b - 1.0).max(MINVAL);
        -p.force * p.fpmax * (0.5 + x)
    }
}

/// Smooth step from 0 to 1 on [0, 1]: 6x⁵ − 15x⁴ + 10x³.
pub fn sigmoid(x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

/// Rate of activation; `prm` = (activation time, deactivation time, width of the smooth switch between them).
pub fn dynamics(ctrl: f64, act: f64, prm: [f64; 3]) -> f64 {
    let excess = clip(ctrl, [0.0, 1.0]) - act;
    let factor = 0.5 + 1.5 * clip(act, [0.0, 1.0]);
    let (rise, fall) = (prm[0] * factor, prm[1] / factor);
    let tau = if prm[2] < MINVAL {
        if excess > 0.0 { rise } else { fall }
    } else {
        fall + (rise - fall) * sigmoid(excess / prm[2] + 0.5)
    };
    excess / tau.max(MINVAL)
}
