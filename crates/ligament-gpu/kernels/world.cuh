// What a world needs while it is stepped, in shared memory, or in device memory where it is too large for that. Tables
// of the model (`topology.cuh`, made from the model) are read through the macros of that header: `body_pos(i)` and the
// like. Functions reach both by name, not through pointers: only then does the compiler know which memory it reads (an
// access of unknown memory takes 64-bit addresses and longer).
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
// entries of a row of the factor by level; the last are the right-hand side and the inverse pivot
#define NH PAD4(NLEV + 1)
// Where branches couple, lanes of smaller worlds hold all of the Hessian, a row a dof, and where each tree has a warp
// all of that tree's (dense.cuh); in larger ones, and between trees, few couplings are columns beside the right-hand
// side, and many make a matrix in device memory (columns.cuh)
#ifndef MOST_DENSE // for measurements
#define MOST_DENSE 48
#endif
#define COLUMNS (HAS_COUPLING && (NV > MOST_DENSE || ALIKE_TREES > 1 || LANES > 32))
// Trees that are nearly a chain have nearly all entries anyway: rows are kept by dof from the beginning, and there is
// one factor.
#ifndef WHOLE_ROWS // for measurements
#define WHOLE_ROWS (HAS_COUPLING && !COLUMNS && NEARLY_CHAIN && !HAS_SIMPLE_DOFS && !INTEGRATOR_IMPLICIT)
#endif
#define DENSE_ROWS (HAS_COUPLING && (!COLUMNS || TREE_WARPS))
// Where each tree has a warp and nothing but contacts ties trees together, a world in which no two trees touch is
// solved tree by tree, each by its warp alone.
#define SEPARABLE                                                                                                      \
  (TREE_WARPS && DENSE_ROWS && NSROW == 0 && !FEW_ITERATIONS && !HAS_TENDON_ARMATURE && !INTEGRATOR_IMPLICIT &&        \
   !(INTEGRATOR_IMPLICITFAST && NT > 0))
// Rows serve where nothing couples too, if they have few entries more than the tree's factor: less code is worth more.
#define ALWAYS_ROWS (WHOLE_ROWS || SEPARABLE || (DENSE_ROWS && !TREE_WARPS && !IMPLICIT_DAMPING && MOSTLY_FULL))
#define NVP PAD4(TREE_WARPS ? TREE_DOFS : NV)
#define NCOL 16
#define WROW (NCOL + 4) // of columns: the right-hand side stands after the last
#define PARTS (TREE_WARPS ? ALIKE_TREES : 1)
#define COUPLES 16 // bit of a contact's rank: both sides move
#define CONVEX 144
#define NSLOPE 24 // the upper triangle of a symmetric 6x6 matrix in the order of stiffness, three spare
#define GEOM_AXES (NGEOM <= 40)
#define GEOM (GEOM_AXES ? 8 : 4)
#define GEOM_AT(g) (WORLD.geom + GEOM * geom_slot(g))

// Memory is shared by things that do not live at the same time: poses and geoms end when contacts are found; the
// stiffness of bodies ends when it is projected on the dofs; wrenches of contacts end when couplings are gathered.
// Solutions; a row of the Hessian that all lanes take in, and the next.
#define SOLUTIONS                                                                                                      \
  real Z[PAD4(NV + 1)];                                                                                                \
  real pivot[DENSE_ROWS ? PARTS * 2 * (NVP + 4) : 4];
struct alignas(16) World {
  real qpos[PAD4(NQ)], qvel[PAD4(NV + 1)], acc[PAD4(NV + 1)], smooth[PAD4(NV + 1)], x[PAD4(NV + 1)];
  real act[PAD4(NA + 1)], ctrl[PAD4(NU + 1)], act_dot[PAD4(NA + 1)], act_frc[PAD4(NU + 1)], act_der[PAD4(NU + 1)];
  real ref[PAD4(4 * (NTREE + 1))]; // point that spatial vectors of a tree refer to
  real cdof[(NV + 1) * 8];         // motion axes; the last is zero
  real inert[NB * 12];
  union {
    real vel[NB * 8], accel[NB * 8];
  }; // velocities end when rows are made; accelerations that the solver has reached
  real body[NB * 8];             // body vectors of the current pass (acceleration of a trial step, forces)
  real con[NCON * 12];           // distance, position, normal, first tangent
  real fri[NCON * PAD4(DIMMAX)]; // friction by direction, from 1 on
  real ten_len[PAD4(NT + 1)], ten_vel[PAD4(NT + 1)], ten_frc[PAD4(NT + 1)], ten_J[PAD4(NTE + 1)];
  real srow_J[PAD4(NSE + 1)], srow_f[PAD4(NSROW + 1)], srow_h[PAD4(NSROW + 1)];
  union {
    struct {
      real pose[NB * 8]; // position, how far it has come, orientation
#if NWITNESS > 0
      real turned[PAD4(NB)];
#endif
      real joint[NJ * 8 + 8];      // anchor and axis in the parent's frame
      real geom[NGEOM * GEOM + 4]; // centres of the geoms that are asked for, how far they have come; where there is
                                   // room for them, axes z
      int hit[(NHIT + 7) / 8 * 8]; // pairs that may touch
    };
    real wrench[NCON * NK];            // force and stiffness of contacts
    real L[ALWAYS_ROWS ? 4 : NV * NH]; // rows of the tree factor by level; inverse pivot, right-hand sides
  };
  union {
#if NPULL > 0
    real pull[PULLROOM * 20]; // parts of a group of paths, while their Jacobians are made
#endif
#if HAS_CONVEX
    double convex[CONVEX]; // shapes and simplex of the pair that is tested
#endif
    real stiff[NB * NK]; // force and stiffness of bodies and, summed up, of subtrees
    struct {
#if !SEPARABLE
      SOLUTIONS
#endif
      real W[COLUMNS ? NV * WROW : 4],
          S[COLUMNS ? PARTS * NCOL * WROW : 4]; // columns of couplings, products of columns
    };
  };
#if SEPARABLE // trees write theirs while others still read the stiffness of bodies
  SOLUTIONS
#endif
#if HAS_TENDON_ARMATURE
  real coriolis[NB * 8], ten_turn[PAD4(NT + 1)]; // accelerations of bodies and paths that velocities alone bring about
#endif
#if HAS_FLUID_SLOPE
  real fluid[NB * NSLOPE]; // how forces of the fluid change with velocities
#endif
#if HAS_FLUID_SKEW
  real skew[NB * 36]; // what of it is not symmetric
#endif
#if INTEGRATOR_RK4
  real qpos0_[PAD4(NQ)], qvel0_[PAD4(NV + 1)], act0_[PAD4(NA + 1)], acc0_[PAD4(NV + 1)]; // the beginning of the step
  real sum_vel[PAD4(NV + 1)], sum_acc[PAD4(NV + 1)], sum_act[PAD4(NA + 1)];
#if NHISTORY > 0
  int stage; // at the beginning, half way, at the end of the step
#endif
#endif
#if KEEPS_FORCES
  real con_frc[NCON * DIMMAX],
      dof_frc[PAD4(NV)]; // forces of contacts, of limits and friction of dofs: kept for results
#endif
#if FEW_ITERATIONS
  real length[NTREE + 1], gain[NTREE + 1];   // of the step of an island, and what it wins
  int island[NTREE + 1], rows_in[NTREE + 1]; // of a tree; whether an island has rows and has not ended
#endif
  int con_b[2 * PAD4(NCON)], con_pair[NCON], rank[NCON];
  int crowded; // three quarters of the room for contacts or pairs were needed in some step
};

#ifndef LIGAMENT_HOST
// As many worlds on a multiprocessor as its shared memory holds, but not so many that registers run out. What is
// counted for a world on top of its own leaves some of that memory to the cache, where tables and stacks are: worth
// more than a few worlds.
#ifndef SHARED_ROOM // bytes that a block can have; given for tests
#if __CUDA_ARCH__ == 750
#define SHARED_ROOM (64 * 1024)
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200
#define SHARED_ROOM (99 * 1024)
#elif __CUDA_ARCH__ < 900
#define SHARED_ROOM (163 * 1024)
#else
#define SHARED_ROOM (227 * 1024)
#endif
#endif
constexpr int ROOM = (int)(SHARED_ROOM / (sizeof(World) + 1024)), WANTED =
#ifdef RESIDENT_WORLDS // for measurements
                                                                      RESIDENT_WORLDS;
#else
                                                                      (sizeof(real) == 4 ? (LANES > 32 ? 12 : 16) : 8) *
                                                                      32 / LANES;
#endif
// Worlds of a block. Where the code of a step is larger than the instruction cache (general convex contacts, coupled
// branches), four warps go through the phases together, if that leaves little room unused (a quarter at most); else
// none waits for another.
constexpr int WARP_WORLDS = LANES < 32 ? 32 / LANES : 1, FITTING = ROOM < WANTED ? ROOM : WANTED,
              FOUR = 4 * WARP_WORLDS,
              BLOCK_WORLDS = LANES > 32 ? 1 :
#ifdef WARPS // for measurements
                                        WARPS * WARP_WORLDS;
#else
                             FITTING >= FOUR && (HAS_CONVEX || (HAS_COUPLING && 4 * (FITTING % FOUR) <= FITTING))
                                 ? FOUR
                                 : WARP_WORLDS;
#endif
constexpr int RESIDENT = FITTING / BLOCK_WORLDS;
// Worlds of one warp that are too large for shared memory live in device memory: slower, but not refused. Lanes take up
// to 512 bytes to tell each other.
constexpr bool IN_SHARED = WARP_WORLDS * sizeof(World) + 512 <= SHARED_ROOM;
static_assert(sizeof(World) % 16 == 0, "");
// Do blocks take turns with their worlds (step.cu)? Not where worlds stop all the time for another kernel.
#ifndef TAKE_TURNS // for measurements
#define TAKE_TURNS 1
#endif
constexpr bool TURNS = IN_SHARED && !LEAVES_CONVEX && TAKE_TURNS;
struct BlockTurn {
  int group, round, stopped;
}; // the worlds of a block, which of their turns it is, whether one of them has stopped
static __shared__ BlockTurn this_turn;
#endif

// What a world has in device memory from step to step.
struct alignas(16) Witness {
  float axis[3];
  unsigned hint;
}; // of a pair that was apart (apart.cuh)
struct alignas(16) Whereabouts {
  float at[3], moved, turn[4], turned, spare[3];
}; // of a body in the step before; how far it has come (kinematics.cuh)
struct alignas(16) Kept {
  Whereabouts body[NWITNESS > 0 ? NB : 1];
  Witness witness[NWITNESS > 0 ? NWITNESS : 1];
  float until[NWITNESS > 0 ? (NPAIR + 3) / 4 * 4 : 4]; // a pair cannot touch before its geoms have come so far together
  float way, quiet;
  int rest, spare; // how far the fastest body has come; nothing can touch before it has come so far; steps in which
                   // nothing was tested
  real dense[COLUMNS ? NDENSE : 4]; // all of the Hessian, where many branches couple
#if INTEGRATOR_IMPLICIT
  real full[NV * NV]; // a matrix that is not symmetric
#endif
};
#define HAS_KEPT (NWITNESS > 0 || COLUMNS || INTEGRATOR_IMPLICIT)

// Where the numbers of the model are: tables that all worlds share; rows of the worlds' own numbers and mocap poses.
struct Given {
  const int* ints;
  const real* reals;
  const real *own, *mocap_pos, *mocap_quat;
  void* scratch;
  real* history;
  void *kept, *worlds;
}; // scratch: room for polytopes; worlds: those that are too large for shared memory
#ifdef LIGAMENT_HOST
// rows are moved four numbers at a time
static_assert(__builtin_offsetof(World, con) % sizeof(Four) == 0 &&
                  __builtin_offsetof(World, wrench) % sizeof(Four) == 0 &&
                  __builtin_offsetof(World, stiff) % sizeof(Four) == 0,
              "rows of a world are not aligned");
static thread_local Given given;
static thread_local World the_world; // a thread steps one after the other
static thread_local int world_index;
#define WORLD the_world
#define WORLD_INDEX world_index
#else
extern "C" {
__constant__ Given given;
}
extern __shared__ __align__(16) unsigned char shared_memory[];
#define PLACE_IN_BLOCK (BLOCK_WORLDS == 1 ? 0 : (int)(threadIdx.x / LANES))
#define WORLD (IN_SHARED ? ((World*)shared_memory)[PLACE_IN_BLOCK] : ((World*)given.worlds)[WORLD_INDEX])
#define WORLD_INDEX ((TURNS ? this_turn.group : (int)blockIdx.x) * BLOCK_WORLDS + PLACE_IN_BLOCK)
#endif
#define KEPT (((Kept*)given.kept)[WORLD_INDEX])
#define INTS given.ints
#define REALS given.reals
#define OWN_REALS (given.own + (size_t)WORLD_INDEX * NWT)
#define HISTORY (given.history + (size_t)WORLD_INDEX * NHISTORY) // earlier controls of delayed actuators
#define MOCAP_POS (given.mocap_pos + (size_t)WORLD_INDEX * 3 * NMOCAP)
#define MOCAP_QUAT (given.mocap_quat + (size_t)WORLD_INDEX * 4 * NMOCAP)
// a vector of the world as an argument of a real call: its place, not its address
#define PLACE(vector) ((int)((vector) - (real*)&WORLD))
DEV real* at_place(int place) { return (real*)&WORLD + place; }

#define UNROLLED_TREE (TREE_WARPS || (TREE_DOFS == NV && NV <= 64))
// Bodies and dofs of a lane
#if TREE_WARPS // one each, of the warp's own tree; a lane that is left over has the world itself
#define DOF_OF_SLOT(r) (TREE_FIRST + GROUP_LANE)
#define SLOT_OF_DOF(d) 0 // which of its lane a dof is, by its place in the tree
#define LANE_OF_DOF(d) (d)
#define TREE_FIRST (THIS_GROUP * TREE_DOFS)
#define TREE_SIZE TREE_DOFS
#define THIS_PART THIS_GROUP
#define FOR_TREE(i, n) FOR_GROUP(i, n)
#define FORB(r, b)                                                                                                     \
  UNROLL for (int r = 0; r < 1;                                                                                        \
              ++r) if (const int b = GROUP_LANE < TREE_BODIES ? 1 + THIS_GROUP * TREE_BODIES + GROUP_LANE : 0;         \
                       GROUP_LANE < TREE_BODIES || LANE == TREE_BODIES)
#define FORD(r, d) UNROLL for (int r = 0; r < 1; ++r) if (const int d = TREE_FIRST + GROUP_LANE; GROUP_LANE < TREE_DOFS)
#else
#define DOF_OF_SLOT(r) (LANE + (r) * LANES)
#define SLOT_OF_DOF(d) ((d) / LANES)
#define LANE_OF_DOF(d) ((d) % LANES)
#define TREE_FIRST 0
#define TREE_SIZE NV
#define THIS_PART 0
#define FOR_TREE(i, n) FOR_LANES(i, n)
#define FORB(r, b) FOR_SLOTS(r, b, NB)
#define FORD(r, d) FOR_SLOTS(r, d, NV)
#endif
// the point that spatial vectors of a body refer to; where there is one tree, it serves the world too
// ancestors at distances of powers of two, one word a body where they fit
#if NJUMP <= 4 && NB < 256
typedef unsigned Jumps;
DEV Jumps jumps_of(int body) { return (unsigned)body_jumps(body); }
DEV int jump_of(Jumps jumps, int, int round) { return jumps >> 8 * round & 255; }
#else
typedef int Jumps;
DEV Jumps jumps_of(int) { return 0; }
DEV int jump_of(Jumps, int body, int round) { return body_jump(round * NB + body); }
#endif
DEV int tree_of(int body) { return NTREE == 1 ? 1 : body_tree(body); }
DEV bool above(int body, int d) { return (unsigned)body_dofs(body * NVW + (d >> 5)) >> (d & 31) & 1; }
