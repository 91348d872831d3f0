// What results and sensors ask of bodies after the solver, which has taken the memory of poses, velocities and
// stiffness: poses and velocities are made again, and forces of bodies from the accelerations that it has found.
#pragma once
#include "smooth.cuh"
#include "solver.cuh"

#if NRESULT > 0
enum Stage { STAGE_POS = 1, STAGE_VEL = 2, STAGE_ACC = 3 }; // as on the CPU
// Of a call, with the last stage in the lowest bits: is the state only looked at, are forces of bodies wanted, does
// what belongs to later stages stay (or become zero)?
enum Mode { MODE_STAGE = 3, MODE_FORWARD = 4, MODE_BODY_FORCES = 8, MODE_KEEP = 16 };
enum { WRITE_SENSORS = 1, WRITE_FIELDS = 2 }; // what an evaluation of the dynamics leaves
#endif

// What a world is given from outside.
struct Outside {
  const real *qfrc_applied, *xfrc_applied;
#if NRESULT > 0
  real* const* results; // where the rows of each result begin
  int mode, writes;     // Mode of the call; what becomes results here
  real time;
#endif
};

#if NRESULT > 0
DEV void bodies_again(bool velocities) {
  World& w = WORLD;
  SYNC();
  poses();
  if (velocities) {
    body_motion(PLACE(w.qvel));
    FORB(r, b) {
      real v[6];
      load6(w.body + 8 * b, v);
      store6(w.vel + 8 * b, v);
    }
  }
  SYNC();
}

#if ASKS_CENTRES
// Centres of mass of subtrees: the CPU's vectors of a body refer to that of the body's first ancestor. They replace the
// stiffness of bodies, as what follows does.
#define CENTRE(b) (WORLD.stiff + 8 * NB + 8 * (b))
DEV void subtree_centres() {
  World& w = WORLD;
  FORB(r, b) {
    const real m = body_mass(b);
    real c[3];
    body_com(b, c);
    store4(CENTRE(b), m * c[0], m * c[1], m * c[2], m);
  }
  TREE_SYNC();
  sum_up<8, 4>(w.stiff + 8 * NB);
  SYNC();
  FOR_LANES(k, 4) { // the sum leaves the world out
    real sum = CENTRE(0)[k];
    ROLLED for (int b = 1; b < NB; ++b)
      if (body_parentid(b) == 0) sum += CENTRE(b)[k];
    CENTRE(0)[k] = sum;
  }
  SYNC();
  FORB(r, b) {
    real c[4];
    load4(CENTRE(b), c);
    if (c[3] < MINVAL) body_com(b, c);
    else
      for (int k = 0; k < 3; ++k) c[k] /= c[3];
    store4(CENTRE(b), c[0], c[1], c[2], 0);
  }
  SYNC();
}
// From the point of a body's tree to the centre that the CPU's vectors refer to.
DEV RVec arm_to_centre(int b) { return vec(CENTRE(body_rootid(b))) - vec(WORLD.ref + 4 * tree_of(b)); }
DEV void motion_about_centre(int b, real* v) {
  const RVec lin = cross(vec(v), arm_to_centre(b));
  for (int k = 0; k < 3; ++k) v[3 + k] += lin[k];
}
DEV void force_about_centre(int b, real* f) {
  const RVec turn = cross(arm_to_centre(b), vec(f + 3));
  for (int k = 0; k < 3; ++k) f[k] -= turn[k];
}
#endif

#if ASKS_ACCELERATIONS
// The velocity that a step leaves. The CPU computes forces of bodies when the state has moved on: with the rates of
// motion axes from before, and this.
DEV real velocity_after(int d) {
  const World& w = WORLD;
#if INTEGRATOR_RK4
  return w.qvel0_[d] + TIMESTEP * (w.sum_acc[d] + w.acc[d] / 6);
#else
  return w.qvel[d] + TIMESTEP * (w.acc[d] + (IMPLICIT_DAMPING ? w.x[d] : (real)0));
#endif
}
// Accelerations of all bodies in `body`, gravity included as an acceleration of the world.
DEV void body_accelerations(bool after) {
  World& w = WORLD;
  SYNC();
  FORB(r, b) {
    real a[6] = {0, 0, 0, 0, 0, 0};
    if (b > 0) {
      own_bias(b, a, [&](int d) { return after ? velocity_after(d) : WORLD.qvel[d]; });
      if (body_parentid(b) == 0) {
        a[3] -= gravity(0);
        a[4] -= gravity(1);
        a[5] -= gravity(2);
      }
      ROLLED for (int d = body_dofadr(b); d < body_dofadr(b) + body_dofnum(b); ++d) {
        real s[6];
        load6(w.cdof + 8 * d, s);
        axpy6(w.acc[d], s, a);
      }
    }
    store6(w.body + 8 * b, a);
  }
  sum_down();
  SYNC();
}
#endif

#if KEEPS_FORCES
#if HAS_POINT_EQUALITY
// Adds what connects and welds do to a body, about the point of its tree.
DEV void joining_forces(int b, real* o) {
  const World& w = WORLD;
  ROLLED for (int s = 0; s < NSROW; ++s) {
    const bool first = srow_obj1(s) == b, weld = srow_kind(s) == SROW_WELD;
    if ((!weld && srow_kind(s) != SROW_CONNECT) || first == (srow_obj2(s) == b)) continue;
    const real f = first ? w.srow_f[s] : -w.srow_f[s];
    const int part = srow_part(s);
    if (part >= 3) {
      o[part - 3] += f;
      continue;
    }
    const real* pose = w.pose + 8 * b;
    RVec at, force = {{0, 0, 0}};
    quat_rot(pose + 4, &srow_anchor(6 * s + (first ? 0 : 3)), at.v);
    force[part] = f;
    const RVec turn = cross(at + vec(pose) - vec(w.ref + 4 * tree_of(b)), force);
    for (int k = 0; k < 3; ++k) {
      o[k] += turn[k];
      o[3 + k] += force[k];
    }
  }
}
#endif
// Adds forces of contacts on a body, about the point of its tree.
DEV void contact_forces(int b, int ncon, real* o) {
  const World& w = WORLD;
  ROLLED for (int k = 0; k < ncon; ++k) {
    if (w.con_b[2 * k] != b && w.con_b[2 * k + 1] != b) continue;
    const Frame fr = contact_frame(k);
    const real side = b == fr.b2 ? 1 : -1;
    real off[3], wr[6];
    arm_to(fr.pos, b, off);
    UNROLL for (int d = 0; d < DIMMAX; ++d) {
      contact_wrench(k, fr, off, d, wr);
      axpy6(side * w.con_frc[DIMMAX * k + d], wr, o);
    }
  }
}
#endif
#if ASKS_BODY_FORCES
// Forces on a body from outside, of contacts, connects and welds, about the point of its tree.
DEV void external_force(int b, int ncon, const real* xfrc, real* o) {
  for (int k = 0; k < 6; ++k) o[k] = 0;
  if (b == 0) return;
  if (xfrc) {
    real com[3], f[3] = {xfrc[6 * b], xfrc[6 * b + 1], xfrc[6 * b + 2]};
    body_com(b, com);
    wrench_at(com, WORLD.ref + 4 * tree_of(b), f, o);
    for (int k = 0; k < 3; ++k) o[k] += xfrc[6 * b + 3 + k];
  }
  contact_forces(b, ncon, o);
#if HAS_POINT_EQUALITY
  joining_forces(b, o);
#endif
}
// Forces between each body and its parent, from the accelerations in `body`; about centres, since a body that stands
// still may carry several trees.
DEV void interaction_forces(int ncon, const real* xfrc) {
  World& w = WORLD;
  FORB(r, b) {
    real a[6], v[6], f[6], m[6], c[6], i[12];
    load6(w.body + 8 * b, a);
    load6(w.vel + 8 * b, v);
    for (int k = 0; k < 12; k += 4) load4(w.inert + 12 * b + k, i + k);
    inertia_mul(i, a, f);
    inertia_mul(i, v, m);
    cross_force(v, m, c);
    external_force(b, ncon, xfrc, m);
    for (int k = 0; k < 6; ++k) f[k] += c[k] - m[k];
    force_about_centre(b, f);
    store6(w.stiff + 8 * b, f);
  }
  TREE_SYNC();
  sum_up<8, 6>(w.stiff);
  SYNC();
}
#endif
#endif
