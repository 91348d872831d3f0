// A warp on the host: what the kernels ask of CUDA, with 32 fibers for the lanes. Between two meetings (collectives, __syncwarp) lanes run
// one after the other in an order that changes all the time: results that depend on it show a race.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ucontext.h>
#define __device__
#define __global__
#define __constant__
#define __shared__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(threads, blocks)

struct Index { int x; };
static Index threadIdx, blockIdx, blockDim = {32};
alignas(16) unsigned char shared_memory[1 << 20];

enum Meeting { MEET_SYNC = 1, MEET_POST, MEET_TAKEN, MEET_END };
struct Warp {
  enum { STACK = 1 << 18 };
  ucontext_t scheduler, lanes[32]; int at[32]; unsigned long long posts[32], seed = 1; std::unique_ptr<unsigned char[]> stacks{new unsigned char[32 * STACK]};
};
static Warp warp;
static void (*lane_program)();
static void run_lane() { lane_program(); warp.at[threadIdx.x] = MEET_END; }
// Lets the other lanes come to this place.
static inline void meet(Meeting place) {
  const int me = threadIdx.x; warp.at[me] = place; swapcontext(&warp.lanes[me], &warp.scheduler); threadIdx.x = me;
}
// Runs a program in all lanes to its end.
static void run_warp(void (*program)()) {
  lane_program = program;
  for (int i = 0; i < 32; ++i) {
    ucontext_t& lane = warp.lanes[i]; getcontext(&lane); lane.uc_stack.ss_sp = warp.stacks.get() + i * Warp::STACK; lane.uc_stack.ss_size = Warp::STACK; lane.uc_link = &warp.scheduler; makecontext(&lane, run_lane, 0);
  }
  do {
    warp.seed = warp.seed * 6364136223846793005ull + 1442695040888963407ull; const int turn = warp.seed >> 59, way = (warp.seed >> 40 & 15) * 2 + 1;
    for (int k = 0; k < 32; ++k) { threadIdx.x = (turn + way * k) & 31; swapcontext(&warp.scheduler, &warp.lanes[threadIdx.x]); }
    for (int i = 1; i < 32; ++i) if (warp.at[i] != warp.at[0]) { std::fprintf(stderr, "lanes 0 and %d are at different places: %d, %d\n", i, warp.at[0], warp.at[i]); std::abort(); }
  } while (warp.at[0] != MEET_END);
}

static inline void __syncwarp() { meet(MEET_SYNC); }
static inline void __syncthreads() { meet(MEET_SYNC); }
// Every lane posts a value, reads those of others with `read`, and goes on when all have read.
template <class T, class Read> static inline auto share(T x, Read read) {
  static_assert(sizeof(T) <= 8, ""); std::memcpy(&warp.posts[threadIdx.x], &x, sizeof x); meet(MEET_POST);
  auto of = [](int lane) { T y; std::memcpy(&y, &warp.posts[lane & 31], sizeof y); return y; }; auto result = read(of);
  meet(MEET_TAKEN);
  return result;
}
template <class T> static inline T __shfl_sync(unsigned, T x, int lane) { return share(x, [&](auto of) { return of(lane); }); }
template <class T> static inline T __shfl_xor_sync(unsigned, T x, int bits) { return share(x, [&](auto of) { return of(threadIdx.x ^ bits); }); }
template <class T> static inline T __shfl_up_sync(unsigned, T x, int by) { return share(x, [&](auto of) { return of(threadIdx.x >= by ? threadIdx.x - by : threadIdx.x); }); }
static inline unsigned __ballot_sync(unsigned, bool p) { return share((int)p, [](auto of) { unsigned all = 0; for (int i = 0; i < 32; ++i) all |= (unsigned)of(i) << i; return all; }); }
static inline bool __any_sync(unsigned mask, bool p) { return __ballot_sync(mask, p) != 0; }
template <class T> static inline T __reduce_add_sync(unsigned, T x) { return share(x, [](auto of) { T sum = 0; for (int i = 0; i < 32; ++i) sum += of(i); return sum; }); }
template <class T> static inline T __reduce_max_sync(unsigned, T x) { return share(x, [](auto of) { T most = of(0); for (int i = 1; i < 32; ++i) if (of(i) > most) most = of(i); return most; }); }
template <class T> static inline T __reduce_min_sync(unsigned, T x) { return share(x, [](auto of) { T least = of(0); for (int i = 1; i < 32; ++i) if (of(i) < least) least = of(i); return least; }); }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
static inline double rsqrt(double x) { return 1 / std::sqrt(x); }
static inline float __fdividef(float a, float b) { return a / b; }
template <class To, class From> static inline To bits_as(From x) { To y; static_assert(sizeof x == sizeof y, ""); std::memcpy(&y, &x, sizeof y); return y; }
static inline long long __double_as_longlong(double x) { return bits_as<long long>(x); }
static inline double __longlong_as_double(long long x) { return bits_as<double>(x); }
static inline int __float_as_int(float x) { return bits_as<int>(x); }
static inline float __int_as_float(int x) { return bits_as<float>(x); }
using std::isfinite;

#define WARPS 1
#include "step.cu"

static const Args* warp_args;
// Steps of one world.
extern "C" void ligament_warp(const Args* args, const Given* tables) {
  given = *tables; warp_args = args;
  static Kept kept; given.kept = &kept;
#if HAS_CONVEX
  static Polytope polytope; given.scratch = &polytope;
#endif
  static_assert(sizeof(World) <= sizeof shared_memory, "");
  run_warp([] { ligament_steps(*warp_args); });
}
