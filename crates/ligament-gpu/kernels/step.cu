// One launch makes steps of all worlds: a warp a world, everything between the state it reads and the state it
// writes stays in shared memory and registers.
#include "integrate.cuh"
#include "sensor.cuh"

enum Status { STATUS_ROOM = 1, STATUS_BAD = 2 }; // bits: buffers too small, numbers not finite

struct Counts { int contacts, iterations; };

// What a world is given from outside, and where its sensors go (null: they are not wanted in this step).
struct Outside { const real *qfrc_applied, *xfrc_applied; real* sensordata; real time; };

// Accelerations and rates of activations at the current state; false: buffers are too small.
DEV bool forward_world(const Env& e, const Outside& out, int& ncon, Counts& n) {
  ncon = 0;
  PHASE();
  kinematics(e);
  PHASE();
#if NPAIR > 0
  if (!collide(e, ncon)) return false;
#endif
  PHASE();
  velocities_and_bias(e, out.xfrc_applied);
  paths(e, ncon);
  actuation(e);
  smooth_forces(e, out.qfrc_applied);
  PHASE();
  n.iterations += solve(e, ncon);
#if NSENSOR > 0
  if (out.sensordata) sensors(e, ncon, out.xfrc_applied, out.time, out.sensordata);
#endif
  return true;
}
// One step; false: buffers are too small, the state is as before.
DEV bool step_world(const Env& e, Outside out, Counts& n) {
  int ncon = 0;
#if INTEGRATOR_RK4
  begin_runge_kutta(e);
  ROLLED for (int k = 0; k < 4; ++k) {
    if (!forward_world(e, out, ncon, n)) { undo_runge_kutta(e); return false; }
    out.sensordata = nullptr; // sensors belong to the beginning of the step
    runge_kutta_stage(e, k);
  }
#else
  if (!forward_world(e, out, ncon, n)) return false;
  integrate(e);
#endif
  n.contacts += ncon;
  return true;
}
DEV bool is_bad(const Env& e) {
  const World& w = e.w; bool bad = false;
  FOR_LANES(i, NQ) bad |= !(r_abs(w.qpos[i]) <= MAXVAL);
  FOR_LANES(i, NV) bad |= !(r_abs(w.qvel[i]) <= MAXVAL) || !(r_abs(w.acc[i]) <= MAXVAL);
  return lane_any(bad);
}

struct Args {
  const int* it; const real* rt; const real* wt;        // tables; parameters of each world, NWT numbers a row
  real *qpos, *qvel, *act, *warm, *time;                // state, a row a world
  const real *ctrl, *qfrc_applied, *xfrc_applied;       // inputs; null: zero
  const real *mocap_pos, *mocap_quat; real* sensordata; // mocap poses; sensors of the last step, null: not wanted
  int* status; int* done; int* counts; int* overflow;   // per world: Status bits, steps made, contacts and iterations; a mark for all
  int nworld, nstep, ctrl_steps;                        // ctrl_steps: rows of ctrl a world has (1: held)
};

DEV void run_world(const Args& a, World& w, int world) {
  const size_t n = (size_t)world; Env e = {a.it, a.rt, a.wt + n * NWT, a.mocap_pos + n * 3 * NMOCAP, a.mocap_quat + n * 4 * NMOCAP, w}; Counts counts = {0, 0};
  FOR_LANES(i, NQ) w.qpos[i] = a.qpos[n * NQ + i];
  FOR_LANES(i, NV) { w.qvel[i] = a.qvel[n * NV + i]; w.acc[i] = a.warm[n * NV + i]; }
  FOR_LANES(i, NA) w.act[i] = a.act[n * NA + i];
  SYNC();
  int status = 0, s = a.done[world];
  for (; s < a.nstep; ++s) {
    const int row = a.ctrl_steps > 1 ? s : 0;
    FOR_LANES(u, NU) w.ctrl[u] = a.ctrl ? a.ctrl[(n * a.ctrl_steps + row) * NU + u] : (real)0;
    SYNC();
    const bool sense = a.sensordata && s == a.nstep - 1; const Outside out = {a.qfrc_applied ? a.qfrc_applied + n * NV : nullptr, a.xfrc_applied ? a.xfrc_applied + n * 6 * NB : nullptr, sense ? a.sensordata + n * NSENSORDATA : nullptr, a.time[world] + TIMESTEP * (s - a.done[world])};
    if (!step_world(e, out, counts)) { status |= STATUS_ROOM; break; }
    if (is_bad(e)) { // reported, and reset so that nothing spreads
      status |= STATUS_BAD;
      FOR_LANES(i, NQ) w.qpos[i] = qpos0(i);
      FOR_LANES(i, NV) w.qvel[i] = w.acc[i] = 0;
      FOR_LANES(i, NA) w.act[i] = 0;
      SYNC();
    }
  }
  FOR_LANES(i, NQ) a.qpos[n * NQ + i] = w.qpos[i];
  FOR_LANES(i, NV) { a.qvel[n * NV + i] = w.qvel[i]; a.warm[n * NV + i] = w.acc[i]; }
  FOR_LANES(i, NA) a.act[n * NA + i] = w.act[i];
  FOR_LANES(i, 1) { a.time[world] += TIMESTEP * (s - a.done[world]); a.status[world] |= status; if (status & STATUS_ROOM) *a.overflow = 1; a.done[world] = s; a.counts[2 * world] += counts.contacts; a.counts[2 * world + 1] += counts.iterations; }
}

#ifdef LIGAMENT_HOST
extern "C" void ligament_steps(const Args* a) {
  static World w; // one world after the other
  for (int world = 0; world < a->nworld; ++world) { std::memset(&w, 0, sizeof w); run_world(*a, w, world); }
}
extern "C" int ligament_world_bytes() { return sizeof(World); }
#else
extern __shared__ __align__(16) unsigned char shared_memory[];
constexpr int RESIDENT = (ROOM < WANTED ? ROOM : WANTED) / BLOCK_WORLDS;
extern "C" __global__ void __launch_bounds__(32 * BLOCK_WORLDS, RESIDENT < 1 ? 1 : RESIDENT) ligament_steps(const Args a) {
  const int warp = threadIdx.x >> 5, world = blockIdx.x * BLOCK_WORLDS + warp; World& w = ((World*)shared_memory)[warp];
  if (world >= a.nworld || a.done[world] >= a.nstep) return;
  for (int i = LANE; i < (int)(sizeof(World) / 4); i += 32) ((int*)&w)[i] = 0;
  SYNC();
  run_world(a, w, world);
}
// Writes one row into the rows of marked worlds (null: all).
extern "C" __global__ void ligament_fill(real* field, const real* row, const unsigned char* mask, int width, int nworld) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; const long long world = i / width;
  if (world < nworld && (!mask || mask[world])) field[i] = row[i % width];
}
extern "C" __global__ void ligament_world_bytes(int* out) { out[0] = sizeof(World); out[1] = BLOCK_WORLDS; }
#endif
