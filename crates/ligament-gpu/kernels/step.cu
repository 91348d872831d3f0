// One launch makes steps of all worlds: lanes a world (`lanes.cuh`), everything between the state it reads and the
// state it writes stays in shared memory and registers (device memory where worlds are too large for that).
#include "integrate.cuh"
#include "result.cuh"

enum Status { STATUS_ROOM = 1, STATUS_BAD = 2 }; // bits: buffers too small, numbers not finite

struct Counts {
  int contacts, iterations;
};

// Accelerations and rates of activations at the current state; false: buffers are too small.
DEV bool forward_world(const Outside& out, int& ncon, Counts& n) {
  ncon = 0;
  PHASE();
  const bool quiet = kinematics();
  (void)quiet;
  PHASE();
#if NPAIR > 0
  if (!quiet && !collide(ncon)) return false;
#endif
  PHASE();
  velocities_and_bias(out.xfrc_applied);
  paths(ncon);
  actuation();
  smooth_forces(out.qfrc_applied);
  PHASE();
#if NRESULT > 0
  if ((out.mode & MODE_STAGE) == STAGE_ACC)
#endif
    n.iterations += solve(ncon);
#if NRESULT > 0
  if (out.writes) results(ncon, out);
#endif
  return true;
}
// Contacts that make rows.
DEV int contacts_with_rows(int ncon) {
#if HAS_ADHESION_GAP
  int count = 0;
  FOR_LANES(c, ncon) count += makes_rows(WORLD.con_pair[c], WORLD.con[12 * c]);
  return lane_total(count);
#else
  return ncon;
#endif
}
// One step; false: buffers are too small, the state is as before.
DEV bool step_world(Outside out, Counts& n) {
  int ncon = 0;
#if INTEGRATOR_RK4
  begin_runge_kutta();
#if NRESULT > 0
  const int writes = out.writes;
#endif
  ROLLED for (int k = 0; k < 4; ++k) {
#if NHISTORY > 0
    if (FIRST_LANE) WORLD.stage = (k + 1) / 2;
#endif
#if NRESULT > 0 // sensors belong to the beginning of the step, as on the CPU, and the rest to the last evaluation
    out.writes = k == 0 ? writes & WRITE_SENSORS : k == 3 ? writes & WRITE_FIELDS : 0;
#endif
    if (!forward_world(out, ncon, n)) {
      undo_runge_kutta();
      return false;
    }
    runge_kutta_stage(k);
  }
#else
  if (!forward_world(out, ncon, n)) return false;
  integrate();
#endif
  n.contacts += contacts_with_rows(ncon);
  return true;
}
DEV bool is_bad() {
  const World& w = WORLD;
  bool bad = false;
  FOR_LANES(i, NQ) bad |= !(r_abs(w.qpos[i]) <= MAXVAL);
  FOR_LANES(i, NV) bad |= !(r_abs(w.qvel[i]) <= MAXVAL) || !(r_abs(w.acc[i]) <= MAXVAL);
  return lane_any(bad);
}

struct Args {
  real *qpos, *qvel, *act, *warm, *time;          // state, a row a world
  const real *ctrl, *qfrc_applied, *xfrc_applied; // inputs; null: zero
  real* const* results;                           // where the rows of each begin that the last step writes
  int* status;
  int* done;
  int* counts;
  int* overflow; // per world: Status bits, steps made, contacts and iterations; for all: was room too small, or nearly,
                 // was a world bad
  int* turns;    // how many were given out; of the worlds of each block, how many were made
  int nworld, nstep, rounds; // rounds: turns that worlds take to make all steps
#if NRESULT > 0
  int mode; // Mode
#endif
};

#ifdef LIGAMENT_HOST
#define TURNS false
template <class T> DEV T latest(const T* at) { return *at; }
#else
template <class T> DEV T latest(const T* at) {
  return __ldcg(at);
} // from where all multiprocessors write to, not from what this one has kept of it
#endif
DEV void read_state(const Args& a, size_t n) {
  World& w = WORLD;
  FOR_LANES(i, NQ) w.qpos[i] = latest(a.qpos + n * NQ + i);
  FOR_LANES(i, NV) {
    w.qvel[i] = latest(a.qvel + n * NV + i);
    w.acc[i] = latest(a.warm + n * NV + i);
  }
  FOR_LANES(i, NA) w.act[i] = latest(a.act + n * NA + i);
  FOR_LANES(u, NU) w.ctrl[u] = a.ctrl ? a.ctrl[n * NU + u] : (real)0;
  SYNC();
}
#if NRESULT > 0
// Results at the state of a world, which stays as it is; false: it stopped for want of room.
DEV bool observe_world(const Args& a, int world) {
  const size_t n = (size_t)world;
  const Outside out = {a.qfrc_applied ? a.qfrc_applied + n * NV : nullptr,
                       a.xfrc_applied ? a.xfrc_applied + n * 6 * NB : nullptr,
                       a.results,
                       a.mode,
                       WRITE_SENSORS | WRITE_FIELDS,
                       latest(a.time + world)};
  Counts counts = {0, 0};
  int ncon = 0;
#if INTEGRATOR_RK4 // the solver asks where to start
  begin_runge_kutta();
#endif
  const bool fits = forward_world(out, ncon, counts);
  FOR_LANES(i, 1) {
    if (fits) a.done[world] = a.nstep;
    else {
      a.status[world] = latest(a.status + world) | STATUS_ROOM;
      a.overflow[0] = 1;
    }
    if (WORLD.crowded) a.overflow[1] = 1;
  }
  return fits;
}
#endif
// Steps of a world until it has made so many; false: it stopped for want of room.
DEV bool run_world(const Args& a, int world, int until) {
  World& w = WORLD;
  const size_t n = (size_t)world;
  Counts counts = {0, 0};
  read_state(a, n);
#if NRESULT > 0
  if (a.mode & MODE_FORWARD) return observe_world(a, world);
#endif
  int status = 0, s = latest(a.done + world);
  auto time = [&](int steps) {
    real t = latest(a.time + world);
    ROLLED for (int k = latest(a.done + world); k < steps; ++k)
      t += TIMESTEP;
    return t;
  }; // added up step by step, as on the CPU
  for (; s < (TURNS ? until : a.nstep); ++s) {
    Outside out = {a.qfrc_applied ? a.qfrc_applied + n * NV : nullptr,
                   a.xfrc_applied ? a.xfrc_applied + n * 6 * NB : nullptr};
#if NRESULT > 0
    const bool last = s == a.nstep - 1;
    out.results = a.results;
    out.mode = a.mode;
    out.writes = last ? WRITE_SENSORS | WRITE_FIELDS : 0;
    out.time = last ? time(s) : 0;
#endif
    if (!step_world(out, counts)) {
      status |= STATUS_ROOM;
      break;
    }
#if NHISTORY > 0
    keep_controls();
#endif
    if (is_bad()) { // reported, and reset so that nothing spreads
      status |= STATUS_BAD;
      if (FIRST_LANE) a.overflow[2] = 1;
      FOR_LANES(i, NQ) w.qpos[i] = qpos0(i);
      FOR_LANES(i, NV) w.qvel[i] = w.acc[i] = 0;
      FOR_LANES(i, NA) w.act[i] = 0;
#if NHISTORY > 0
      SYNC();
      FOR_LANES(i, NHISTORY) HISTORY[i] = 0;
#endif
      SYNC();
    }
  }
  FOR_LANES(i, NQ) a.qpos[n * NQ + i] = w.qpos[i];
  FOR_LANES(i, NV) {
    a.qvel[n * NV + i] = w.qvel[i];
    a.warm[n * NV + i] = w.acc[i];
  }
  FOR_LANES(i, NA) a.act[n * NA + i] = w.act[i];
  FOR_LANES(i, 1) {
    a.time[world] = time(s);
    a.status[world] = latest(a.status + world) | status;
    if (status & STATUS_ROOM) a.overflow[0] = 1;
    if (w.crowded) a.overflow[1] = 1;
    a.done[world] = s;
    a.counts[2 * world] = latest(a.counts + 2 * world) + counts.contacts;
    a.counts[2 * world + 1] = latest(a.counts + 2 * world + 1) + counts.iterations;
  }
  return !(status & STATUS_ROOM);
}

#ifdef LIGAMENT_HOST
// Steps of the worlds from `begin` to `end` that have not made all of them.
extern "C" void ligament_steps(const Args* a, const Given* g, int begin, int end) {
  given = *g;
  for (world_index = begin; world_index < end; ++world_index) {
    if (a->done[world_index] >= a->nstep) continue;
    std::memset(&the_world, 0, sizeof the_world);
    run_world(*a, world_index, a->nstep);
  }
}
extern "C" int ligament_world_bytes() { return sizeof(World); }
extern "C" int ligament_kept_bytes() { return HAS_KEPT ? sizeof(Kept) : 0; }
#else
#ifndef HOST_FIBERS
// Tells other multiprocessors, after everything that this block has written.
DEV void tell(int* at, int x) { asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(at), "r"(x) : "memory"); }
#endif
enum { APART = 0x7fffffff }; // worlds that take no more turns
// A turn makes two thirds of the steps that are left: few turns, and a short one at the end.
DEV int turn_steps(int left) { return (2 * left + 2) / 3; }
// Steps before a turn.
DEV int turn_begin(const Args& a, int round) {
  int made = 0;
  for (int k = 0; k < round; ++k) made += turn_steps(a.nstep - made);
  return round < a.rounds ? made : a.nstep;
}
// Takes the next turn that no block has, when its worlds have made those before.
DEV void take_turn(const Args& a, int groups) {
  const int number = atomicAdd(a.turns, 1), group = number % groups;
  int round = number / groups;
  if (round > 0 && round < a.rounds) {
    int made;
    while ((made = latest(a.turns + 1 + group)) < round) __nanosleep(100);
    if (HAS_KEPT || NHISTORY > 0) __threadfence(); // what they keep in device memory is read anew
    if (made == APART) round = -1;
  }
  this_turn = {group, round, 0};
}
// Worlds of a block make some steps at a turn, then the block takes the next turn that no block has: at the end of a
// launch no multiprocessor is idle for long. Worlds of a block that have not made the same number of steps, because one
// of them stopped, make the rest of them here, and the block ends with them: there is a block for each group of worlds.
extern "C" __global__ void __launch_bounds__(LANES* BLOCK_WORLDS, RESIDENT < 1 ? 1 : RESIDENT)
    ligament_steps(const Args a) {
  const int groups = (a.nworld + BLOCK_WORLDS - 1) / BLOCK_WORLDS;
  int until = a.nstep;
  bool apart = !TURNS;
  ROLLED for (;;) {
    if (TURNS && !apart) {
      __syncthreads(); // all have read what was known of the turn before
      if (threadIdx.x == 0) take_turn(a, groups);
      __syncthreads();
      const int round = this_turn.round;
      if (round >= a.rounds) return;
      if (round < 0) continue;
      const int begin = turn_begin(a, round), done = WORLD_INDEX < a.nworld ? latest(a.done + WORLD_INDEX) : a.nstep;
      until = turn_begin(a, round + 1);
      apart = !__syncthreads_and(done == begin);
      if (apart) {
        until = a.nstep;
        if (threadIdx.x == 0) tell(a.turns + 1 + this_turn.group, APART);
      }
    }
    const int world = WORLD_INDEX;
    if (apart && (world >= a.nworld || latest(a.done + world) >= a.nstep)) return;
    for (int i = LANE; i < (int)(sizeof(World) / 16); i += LANES) ((int4*)&WORLD)[i] = int4{0, 0, 0, 0};
    SYNC();
    const bool stopped = !run_world(a, world, until);
    if (TURNS && stopped && FIRST_LANE) {
      this_turn.stopped = 1;
      tell(a.turns + 1 + this_turn.group, APART);
    }
    if (apart || stopped) return;
    __syncthreads();
    if (this_turn.stopped) {
      apart = true;
      until = a.nstep;
    } else if (threadIdx.x == 0) tell(a.turns + 1 + this_turn.group, this_turn.round + 1);
  }
}
// Writes one row into the rows of marked worlds (null: all).
extern "C" __global__ void ligament_fill(real* field, const real* row, const unsigned char* mask, int width,
                                         int nworld) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const long long world = i / width;
  if (world < nworld && (!mask || mask[world])) field[i] = row[i % width];
}
extern "C" __global__ void ligament_world_bytes(int* out) {
  out[0] = IN_SHARED ? sizeof(World) : 0;
  out[5] = IN_SHARED ? 0 : sizeof(World);
  out[1] = BLOCK_WORLDS;
  out[2] = 0;
  out[3] = HAS_KEPT ? sizeof(Kept) : 0;
  out[4] = LANES;
  out[6] = TURNS;
#if HAS_CONVEX
  out[2] = sizeof(Polytope);
#endif
}
#endif
