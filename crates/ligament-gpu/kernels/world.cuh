// What a world needs while it is stepped, in shared memory. Tables of the model (`topology.cuh`, made from the model) are
// read through the macros of that header: `body_pos(i)` and the like.
#pragma once
#include "algebra.cuh"

#define PAD4(n) ((((n) + 3) / 4) * 4)
#define RB SLOTS(NB)
#define RD SLOTS(NV)
#define RC SLOTS(NCON)
#define RS SLOTS(NSROW)
#if DIMMAX <= 4
#define NK 28 // 6 numbers of force, 21 of stiffness, one spare
#else
#define NK 44 // a coupling contact needs room for DIMMAX x DIMMAX
#endif
#define LROW (PAD4(NLEV) + 4) // a row of the factor: entries by level, right-hand sides

// Memory is shared by things that do not live at the same time: poses and geoms end when contacts are found; the
// stiffness of bodies ends when it is projected on the dofs; wrenches of contacts end when couplings are gathered.
struct alignas(16) World {
  real qpos[PAD4(NQ)], qvel[PAD4(NV + 1)], acc[PAD4(NV + 1)], smooth[PAD4(NV + 1)], x[PAD4(NV + 1)];
  real act[PAD4(NA + 1)], ctrl[PAD4(NU + 1)], act_dot[PAD4(NA + 1)], act_frc[PAD4(NU + 1)], act_der[PAD4(NU + 1)];
  real ref[PAD4(4 * (NTREE + 1))]; // point that spatial vectors of a tree refer to
  real cdof[(NV + 1) * 8];         // motion axes; the last is zero
  real inert[NB * 12];
  real vel[NB * 8];                // body velocities
  real body[NB * 8];               // body vectors of the current pass (acceleration of a trial step, forces)
  real con[NCON * 12];             // distance, position, normal, first tangent
  real fri[NCON * PAD4(DIMMAX)];   // friction by direction, from 1 on
  real ten_len[PAD4(NT + 1)], ten_vel[PAD4(NT + 1)], ten_frc[PAD4(NT + 1)], ten_J[PAD4(NTE + 1)];
  real srow_J[PAD4(NSE + 1)], srow_f[PAD4(NSROW + 1)], srow_h[PAD4(NSROW + 1)];
  union {
    struct {
      real pose[NB * 8];      // position, 0, orientation
      real joint[NJ * 8 + 8]; // anchor and axis in the parent's frame
      real geom[NG * 4 + 4];  // centres
      int hit[NHIT];          // pairs that may touch
    };
    real wrench[NCON * NK];   // force and stiffness of contacts
    real L[NV * LROW];        // rows of the tree factor by level; inverse pivot, right-hand sides
  };
  union {
#if NPULL > 0
    real pull[NPULL * 20];    // parts of paths, while their Jacobians are made
#endif
    real stiff[NB * NK];      // force and stiffness of bodies and, summed up, of subtrees
    struct {
      real H[NDENSE];         // all of the Hessian, when many branches couple
      real Z[4 * (NV + 1)];   // up to four right-hand sides and their solutions, a row a dof
    };
  };
#if INTEGRATOR_RK4
  real qpos0_[PAD4(NQ)], qvel0_[PAD4(NV + 1)], act0_[PAD4(NA + 1)], acc0_[PAD4(NV + 1)]; // the beginning of the step
  real sum_vel[PAD4(NV + 1)], sum_acc[PAD4(NV + 1)], sum_act[PAD4(NA + 1)];
#endif
#if NSENSOR > 0
  real con_frc[NCON * DIMMAX], ten_rate[NT + 1]; // forces of contacts and velocities of paths, kept for sensors
#endif
  int con_b[2 * NCON], con_pair[NCON], rank[NCON];
};

#ifndef LIGAMENT_HOST
// as many worlds on a multiprocessor as its shared memory holds, but not so many that registers run out
constexpr int ROOM = (int)((227 * 1024) / (sizeof(World) + 1024)), WANTED = sizeof(real) == 4 ? 16 : 8;
// worlds of a block: four where that leaves no room unused
#ifdef WARPS // for measurements
constexpr int BLOCK_WORLDS = WARPS;
#else
constexpr int FITTING = ROOM < WANTED ? ROOM : WANTED, BLOCK_WORLDS = FITTING >= 12 || (FITTING >= 4 && FITTING % 4 == 0) ? 4 : 1;
#endif
#endif

// Everything a phase reaches: tables shared by all worlds, parameters of this world, and the world itself.
struct Env {
  const int* it;
  const real* rt;
  const real* wt;
  const real *mocap_pos, *mocap_quat; // of this world
  World& w;
};

#define FORB(r, b) FOR_SLOTS(r, b, NB)
#define FORD(r, d) FOR_SLOTS(r, d, NV)
DEV bool above(const Env& e, int body, int d) { return (unsigned)body_dofs(body * NVW + (d >> 5)) >> (d & 31) & 1; }
