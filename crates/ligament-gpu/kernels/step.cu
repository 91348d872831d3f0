// One launch makes steps of all worlds: lanes a world (`lanes.cuh`), everything between the state it reads and the state it
// writes stays in shared memory and registers (device memory where worlds are too large for that).
#include "integrate.cuh"
#include "sensor.cuh"

enum Status { STATUS_ROOM = 1, STATUS_BAD = 2 }; // bits: buffers too small, numbers not finite

struct Counts { int contacts, iterations; };

// What a world is given from outside, and where its sensors go (null: they are not wanted in this step).
struct Outside { const real *qfrc_applied, *xfrc_applied; real* sensordata; real time; };

// Accelerations and rates of activations at the current state; false: buffers are too small.
DEV bool forward_world(const Outside& out, int& ncon, Counts& n) {
  ncon = 0;
  PHASE();
  const bool quiet = kinematics(); (void)quiet;
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
  n.iterations += solve(ncon);
#if NSENSOR > 0
  if (out.sensordata) sensors(ncon, out.xfrc_applied, out.time, out.sensordata);
#endif
  return true;
}
// Contacts that make rows.
DEV int contacts_with_rows(int ncon) {
#if HAS_ADHESION_GAP
  int count = 0; FOR_LANES(c, ncon) count += makes_rows(WORLD.con_pair[c], WORLD.con[12 * c]);
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
  ROLLED for (int k = 0; k < 4; ++k) {
#if NHISTORY > 0
    if (FIRST_LANE) WORLD.stage = (k + 1) / 2;
#endif
    if (!forward_world(out, ncon, n)) { undo_runge_kutta(); return false; }
    out.sensordata = nullptr; // sensors belong to the beginning of the step
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
  const World& w = WORLD; bool bad = false;
  FOR_LANES(i, NQ) bad |= !(r_abs(w.qpos[i]) <= MAXVAL);
  FOR_LANES(i, NV) bad |= !(r_abs(w.qvel[i]) <= MAXVAL) || !(r_abs(w.acc[i]) <= MAXVAL);
  return lane_any(bad);
}

struct Args {
  real *qpos, *qvel, *act, *warm, *time;                // state, a row a world
  const real *ctrl, *qfrc_applied, *xfrc_applied;       // inputs; null: zero
  real* sensordata;                                     // sensors of the last step, null: not wanted
  int* status; int* done; int* counts; int* overflow;   // per world: Status bits, steps made, contacts and iterations; for all: was room too small, or nearly
  int nworld, nstep;
};

DEV void run_world(const Args& a, int world) {
  World& w = WORLD; const size_t n = (size_t)world; Counts counts = {0, 0};
  FOR_LANES(i, NQ) w.qpos[i] = a.qpos[n * NQ + i];
  FOR_LANES(i, NV) { w.qvel[i] = a.qvel[n * NV + i]; w.acc[i] = a.warm[n * NV + i]; }
  FOR_LANES(i, NA) w.act[i] = a.act[n * NA + i];
  FOR_LANES(u, NU) w.ctrl[u] = a.ctrl ? a.ctrl[n * NU + u] : (real)0;
  SYNC();
  int status = 0, s = a.done[world];
  for (; s < a.nstep; ++s) {
    const bool sense = a.sensordata && s == a.nstep - 1; const Outside out = {a.qfrc_applied ? a.qfrc_applied + n * NV : nullptr, a.xfrc_applied ? a.xfrc_applied + n * 6 * NB : nullptr, sense ? a.sensordata + n * NSENSORDATA : nullptr, a.time[world] + TIMESTEP * (s - a.done[world])};
    if (!step_world(out, counts)) { status |= STATUS_ROOM; break; }
#if NHISTORY > 0
    keep_controls();
#endif
    if (is_bad()) { // reported, and reset so that nothing spreads
      status |= STATUS_BAD;
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
  FOR_LANES(i, NV) { a.qvel[n * NV + i] = w.qvel[i]; a.warm[n * NV + i] = w.acc[i]; }
  FOR_LANES(i, NA) a.act[n * NA + i] = w.act[i];
  FOR_LANES(i, 1) { a.time[world] += TIMESTEP * (s - a.done[world]); a.status[world] |= status; if (status & STATUS_ROOM) a.overflow[0] = 1; if (w.crowded) a.overflow[1] = 1; a.done[world] = s; a.counts[2 * world] += counts.contacts; a.counts[2 * world + 1] += counts.iterations; }
}

#ifdef LIGAMENT_HOST
extern "C" void ligament_steps(const Args* a, const Given* g) {
  given = *g;
  for (world_index = 0; world_index < a->nworld; ++world_index) { std::memset(&the_world, 0, sizeof the_world); run_world(*a, world_index); }
}
extern "C" int ligament_world_bytes() { return sizeof(World); }
#else
extern "C" __global__ void __launch_bounds__(LANES * BLOCK_WORLDS, RESIDENT < 1 ? 1 : RESIDENT) ligament_steps(const Args a) {
  const int world = WORLD_INDEX;
  if (world >= a.nworld || a.done[world] >= a.nstep) return;
  for (int i = LANE; i < (int)(sizeof(World) / 4); i += LANES) ((int*)&WORLD)[i] = 0;
  SYNC();
  run_world(a, world);
}
// Writes one row into the rows of marked worlds (null: all).
extern "C" __global__ void ligament_fill(real* field, const real* row, const unsigned char* mask, int width, int nworld) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; const long long world = i / width;
  if (world < nworld && (!mask || mask[world])) field[i] = row[i % width];
}
extern "C" __global__ void ligament_world_bytes(int* out) {
  out[0] = IN_SHARED ? sizeof(World) : 0; out[5] = IN_SHARED ? 0 : sizeof(World); out[1] = BLOCK_WORLDS; out[2] = 0; out[3] = HAS_KEPT ? sizeof(Kept) : 0; out[4] = LANES;
#if HAS_CONVEX
  out[2] = sizeof(Polytope);
#endif
}
#endif
