// The muscle model of the CPU engine (`ligament-sim/src/muscle.rs`): force by length and velocity, activation.
#pragma once
#include "world.cuh"

struct Muscle {
  real lo, hi, force, lmin, lmax, vmax, fpmax, fvmax, len_lo, unit;
  DEV_METHOD Muscle(int u, bool of_gain) {
    real p[9];
    for (int k = 0; k < 9; ++k) p[k] = of_gain ? actuator_gainprm(10 * u + k) : actuator_biasprm(10 * u + k);
    lo = p[0];
    hi = p[1];
    force = p[2] < 0 ? p[3] / r_max(actuator_acc0(u), MINVAL) : p[2];
    lmin = p[4];
    lmax = p[5];
    vmax = p[6];
    fpmax = p[7];
    fvmax = p[8];
    len_lo = actuator_lengthrange(2 * u);
    unit = (actuator_lengthrange(2 * u + 1) - len_lo) / r_max(hi - lo, MINVAL);
  }
  DEV_METHOD real normalized(real len) const { return lo + (len - len_lo) / r_max(unit, MINVAL); }
  DEV_METHOD real by_length(real l) const {
    if (!(lmin <= l && l <= lmax)) return 0;
    const real a = (real)0.5 * (lmin + 1), b = (real)0.5 * (1 + lmax);
    real x;
    if (l <= a) {
      x = (l - lmin) / r_max(a - lmin, MINVAL);
      return (real)0.5 * x * x;
    }
    if (l <= 1) {
      x = (1 - l) / r_max(1 - a, MINVAL);
      return 1 - (real)0.5 * x * x;
    }
    if (l <= b) {
      x = (l - 1) / r_max(b - 1, MINVAL);
      return 1 - (real)0.5 * x * x;
    }
    x = (lmax - l) / r_max(lmax - b, MINVAL);
    return (real)0.5 * x * x;
  }
  DEV_METHOD real gain(real len, real vel) const {
    const real v = vel / r_max(unit * vmax, MINVAL), y = fvmax - 1;
    const real f = v <= -1  ? 0
                   : v <= 0 ? (v + 1) * (v + 1)
                   : v <= y ? fvmax - (y - v) * (y - v) / r_max(y, MINVAL)
                            : fvmax;
    return -force * by_length(normalized(len)) * f;
  }
  DEV_METHOD real gain_velocity(real len, real vel) const {
    const real scale = r_max(unit * vmax, MINVAL), v = vel / scale, y = fvmax - 1;
    const real f = v <= -1 ? 0 : v <= 0 ? 2 * v + 2 : v <= y ? (2 * y - 2 * v) / r_max(y, MINVAL) : 0;
    return -force * by_length(normalized(len)) * (f / scale);
  }
  DEV_METHOD real bias(real len) const {
    const real l = normalized(len), b = (real)0.5 * (1 + lmax);
    if (l <= 1) return 0;
    if (l <= b) {
      const real x = (l - 1) / r_max(b - 1, MINVAL);
      return -force * fpmax * (real)0.5 * x * x;
    }
    return -force * fpmax * ((real)0.5 + (l - b) / r_max(b - 1, MINVAL));
  }
};

DEV real muscle_dynamics(real ctrl, real act, real tau_rise, real tau_fall, real smooth) {
  const real excess = r_clip(ctrl, 0, 1) - act, factor = (real)0.5 + (real)1.5 * r_clip(act, 0, 1);
  const real rise = tau_rise * factor, fall = tau_fall / factor;
  real tau;
  if (smooth < MINVAL) tau = excess > 0 ? rise : fall;
  else {
    const real x = excess / smooth + (real)0.5, s = x <= 0 ? 0 : x >= 1 ? 1 : x * x * x * (3 * x * (2 * x - 5) + 10);
    tau = fall + (rise - fall) * s;
  }
  return excess / r_max(tau, MINVAL);
}
