// Tendons: lengths, Jacobians (one entry per dof that can change the length), velocities, springs and dampers.
#pragma once
#include "world.cuh"

DEV void tendons(const Env& e) {
#if NT > 0
  World& w = e.w;
  FOR_LANES(t, NT) {
    real len = 0, vel = 0;
    ROLLED for (int i = ten_adr(t); i < ten_adr(t + 1); ++i) { const int d = ten_dof(i); const real c = ten_coef(i); w.ten_J[i] = c; len += c * w.qpos[jnt_qposadr(dof_jntid(d))]; vel += c * w.qvel[d]; }
    w.ten_len[t] = len; w.ten_vel[t] = vel;
  }
  SYNC();
#endif
}
DEV void tendon_forces(const Env& e) {
#if NT > 0
  World& w = e.w;
  FOR_LANES(t, NT) {
    const real len = w.ten_len[t], lo = tendon_lengthspring(2 * t), hi = tendon_lengthspring(2 * t + 1); real f = 0;
    if (SPRINGS) f += tendon_stiffness(t) * (len > hi ? hi - len : len < lo ? lo - len : 0);
    if (DAMPERS) f -= tendon_damping(t) * w.ten_vel[t];
    w.ten_frc[t] = f;
  }
  SYNC();
#endif
}
