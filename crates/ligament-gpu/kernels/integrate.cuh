// The end of a step: velocities, positions, activations.
#pragma once
#include "smooth.cuh"
#include "solver.cuh"

DEV void integrate(const Env& e) {
  World& w = e.w;
  FOR_LANES(u, NU) { const int a = actuator_actadr(u); if (a >= 0) w.act[a] = next_activation(e, u, w.act[a], w.act_dot[a]); }
  FORD(r, d) w.qvel[d] += TIMESTEP * (w.acc[d] + (IMPLICIT_DAMPING ? w.x[d] : (real)0));
  SYNC();
  FOR_LANES(j, NJ) {
    const int type = jnt_type(j), adr = jnt_qposadr(j), d = jnt_dofadr(j);
    if (type == JNT_HINGE || type == JNT_SLIDE) w.qpos[adr] += TIMESTEP * w.qvel[d];
    else {
      if (type == JNT_FREE) for (int k = 0; k < 3; ++k) w.qpos[adr + k] += TIMESTEP * w.qvel[d + k];
      const int a = adr + (type == JNT_FREE ? 3 : 0), v = d + (type == JNT_FREE ? 3 : 0);
      real q[4] = {w.qpos[a], w.qpos[a + 1], w.qpos[a + 2], w.qpos[a + 3]}; quat_unit(q); quat_integrate(q, w.qvel + v, TIMESTEP); for (int k = 0; k < 4; ++k) w.qpos[a + k] = q[k];
    }
  }
  SYNC();
}
