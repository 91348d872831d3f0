// The end of a step: velocities, positions, activations.
#pragma once
#include "smooth.cuh"
#include "solver.cuh"

// Moves a configuration by a velocity for time `h`, on its manifold.
DEV_CALL void move_positions(int positions, int velocities, real h) {
  real* q = at_place(positions);
  const real* v = at_place(velocities);
  FOR_LANES(j, NJ) {
    const int type = jnt_type(j), adr = jnt_qposadr(j), d = jnt_dofadr(j);
    if (type == JNT_HINGE || type == JNT_SLIDE) {
      q[adr] += h * v[d];
      continue;
    }
    if (type == JNT_FREE)
      for (int k = 0; k < 3; ++k) q[adr + k] += h * v[d + k];
    const int skip = type == JNT_FREE ? 3 : 0;
    real turn[4] = {q[adr + skip], q[adr + skip + 1], q[adr + skip + 2], q[adr + skip + 3]},
         w[3] = {v[d + skip], v[d + skip + 1], v[d + skip + 2]};
    quat_unit(turn);
    quat_integrate(turn, w, h);
    for (int k = 0; k < 4; ++k) q[adr + skip + k] = turn[k];
  }
  SYNC();
}
DEV void move_activations(const real* rate) {
  World& w = WORLD;
  FOR_LANES(u, NU) {
    const int a = actuator_actadr(u);
    if (a >= 0) w.act[a] = next_activation(u, w.act[a], rate[a]);
  }
}

// Semi-implicit Euler; damping that was treated implicitly has changed the acceleration by `x`.
DEV void integrate() {
  World& w = WORLD;
  move_activations(w.act_dot);
  FORD(r, d) w.qvel[d] += TIMESTEP * (w.acc[d] + (IMPLICIT_DAMPING ? w.x[d] : (real)0));
  SYNC();
  move_positions(PLACE(w.qpos), PLACE(w.qvel), TIMESTEP);
}

#if INTEGRATOR_RK4
DEV void copy_row(real* to, const real* from, int n) {
  FOR_LANES(i, n) to[i] = from[i];
}
DEV void begin_runge_kutta() {
  World& w = WORLD;
  copy_row(w.qpos0_, w.qpos, NQ);
  copy_row(w.qvel0_, w.qvel, NV);
  copy_row(w.act0_, w.act, NA);
  copy_row(w.acc0_, w.acc, NV);
  FOR_LANES(i, NV) w.sum_vel[i] = w.sum_acc[i] = 0;
  FOR_LANES(i, NA) w.sum_act[i] = 0;
  SYNC();
}
DEV void undo_runge_kutta() {
  World& w = WORLD;
  copy_row(w.qpos, w.qpos0_, NQ);
  copy_row(w.qvel, w.qvel0_, NV);
  copy_row(w.act, w.act0_, NA);
  copy_row(w.acc, w.acc0_, NV);
  SYNC();
}
// After the rates of stage k of 0..3 are known: goes to the state of the next stage, or to the end of the step.
DEV void runge_kutta_stage(int k) {
  World& w = WORLD;
  const real weight = k == 0 || k == 3 ? (real)1 / 6 : (real)1 / 3, node = k == 2 ? 1 : (real)0.5;
  FOR_LANES(i, NV) {
    w.sum_vel[i] += weight * w.qvel[i];
    w.sum_acc[i] += weight * w.acc[i];
  }
  FOR_LANES(i, NA) w.sum_act[i] += weight * w.act_dot[i];
  SYNC();
  copy_row(w.qpos, w.qpos0_, NQ);
  copy_row(w.act, w.act0_, NA);
  SYNC();
  if (k < 3) {
    move_positions(PLACE(w.qpos), PLACE(w.qvel), node * TIMESTEP);
    FOR_LANES(i, NV) w.qvel[i] = w.qvel0_[i] + node * TIMESTEP * w.acc[i];
    FOR_LANES(i, NA) w.act[i] += node * TIMESTEP * w.act_dot[i];
  } else {
    move_positions(PLACE(w.qpos), PLACE(w.sum_vel), TIMESTEP);
    FOR_LANES(i, NV) w.qvel[i] = w.qvel0_[i] + TIMESTEP * w.sum_acc[i];
    move_activations(w.sum_act);
  }
  SYNC();
}
#endif
