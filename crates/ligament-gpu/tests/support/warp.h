// A warp on the host: what the kernels ask of CUDA, with a fiber for each lane (`LANES` of a world). Between two
// meetings (collectives, __syncwarp) lanes run one after the other in an order that changes all the time: results that
// depend on it show a race.
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
#define __CUDA_ARCH__ 900

struct Index {
  int x;
};
static Index threadIdx, blockIdx, blockDim;
alignas(16) unsigned char shared_memory[1 << 20];

// Lanes of a world in a warp meet at collectives, warps of a world at barriers. A warp of small worlds has two: the
// second has nothing to do.
enum Meeting { MEET_NONE, MEET_SYNC, MEET_POST, MEET_TAKEN, MEET_BLOCK, MEET_END };
constexpr int THREADS = LANES < 32 ? 32 : LANES, TOGETHER = LANES < 32 ? LANES : 32, PARTIES = THREADS / TOGETHER;
struct Block {
  enum { STACK = 1 << 18 };
  ucontext_t scheduler, lanes[THREADS];
  int at[THREADS];
  unsigned long long posts[THREADS], seed = 1;
  std::unique_ptr<unsigned char[]> stacks{new unsigned char[THREADS * STACK]};
  unsigned random(int bits) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return seed >> (64 - bits);
  }
};
static Block block;
static void (*lane_program)();
static void run_lane() {
  lane_program();
  block.at[threadIdx.x] = MEET_END;
}
// Lets the other lanes come to this place.
static inline void meet(Meeting place) {
  const int me = threadIdx.x;
  block.at[me] = place;
  swapcontext(&block.lanes[me], &block.scheduler);
  threadIdx.x = me;
}
// Lets lanes that meet run to their next meeting, in any order.
static int run_party(int first) {
  const int turn = block.random(5), way = 2 * block.random(4) + 1;
  for (int k = 0; k < TOGETHER; ++k) {
    threadIdx.x = first + ((turn + way * k) & (TOGETHER - 1));
    swapcontext(&block.scheduler, &block.lanes[threadIdx.x]);
  }
  for (int i = first; i < first + TOGETHER; ++i)
    if (block.at[i] != block.at[first]) {
      std::fprintf(stderr, "lanes %d and %d are at different places: %d, %d\n", first, i, block.at[first], block.at[i]);
      std::abort();
    }
  return block.at[first];
}
// Runs a program in all lanes to its end.
static void run_block(void (*program)()) {
  lane_program = program;
  int at[PARTIES] = {};
  for (int i = 0; i < THREADS; ++i) {
    ucontext_t& lane = block.lanes[i];
    getcontext(&lane);
    lane.uc_stack.ss_sp = block.stacks.get() + i * Block::STACK;
    lane.uc_stack.ss_size = Block::STACK;
    lane.uc_link = &block.scheduler;
    makecontext(&lane, run_lane, 0);
  }
  for (bool ran = true; ran;) {
    ran = false;
    for (int p = 0; p < PARTIES; ++p)
      if (at[p] != MEET_END && at[p] != MEET_BLOCK) {
        ran = true;
        if (block.random(1)) at[p] = run_party(p * TOGETHER);
      } // some warps are faster
    if (!ran)
      for (int p = 0; p < PARTIES; ++p)
        if (at[p] == MEET_BLOCK) {
          at[p] = MEET_NONE;
          ran = true;
        }
  }
}

static inline void __syncwarp(unsigned) { meet(MEET_SYNC); }
static inline void __syncthreads() { meet(MEET_BLOCK); }
static inline int __syncthreads_count(bool p) {
  block.posts[threadIdx.x] = p;
  meet(MEET_BLOCK);
  int count = 0;
  for (int i = 0; i < THREADS; ++i) count += (int)block.posts[i];
  meet(MEET_BLOCK);
  return count;
}
static inline bool __syncthreads_or(bool p) { return __syncthreads_count(p) > 0; }
static inline bool __syncthreads_and(bool p) { return !__syncthreads_or(!p); }
// Every lane posts a value, reads those of others (numbered from the first that it meets) with `read`, and goes on when
// all have read.
template <class T, class Read> static inline auto share(T x, Read read) {
  static_assert(sizeof(T) <= 8, "");
  std::memcpy(&block.posts[threadIdx.x], &x, sizeof x);
  meet(MEET_POST);
  const int first = threadIdx.x & ~(TOGETHER - 1);
  auto of = [=](int lane) {
    T y;
    std::memcpy(&y, &block.posts[first + (lane & (TOGETHER - 1))], sizeof y);
    return y;
  };
  auto result = read(of);
  meet(MEET_TAKEN);
  return result;
}
static inline int lane_of_party() { return threadIdx.x & (TOGETHER - 1); }
template <class T> static inline T __shfl_sync(unsigned, T x, int lane, int = 32) {
  return share(x, [&](auto of) { return of(lane); });
}
template <class T> static inline T __shfl_xor_sync(unsigned, T x, int bits) {
  return share(x, [&](auto of) { return of(threadIdx.x ^ bits); });
}
template <class T> static inline T __shfl_up_sync(unsigned, T x, int by, int = 32) {
  return share(x, [&](auto of) {
    const int me = lane_of_party();
    return of(me >= by ? me - by : me);
  });
}
static inline unsigned __ballot_sync(unsigned, bool p) {
  return share((int)p, [](auto of) {
    unsigned all = 0;
    for (int i = 0; i < TOGETHER; ++i) all |= (unsigned)of(i) << ((threadIdx.x - lane_of_party() + i) & 31);
    return all;
  });
}
static inline bool __any_sync(unsigned mask, bool p) { return __ballot_sync(mask, p) != 0; }
template <class T> static inline T __reduce_add_sync(unsigned, T x) {
  return share(x, [](auto of) {
    T sum = 0;
    for (int i = 0; i < TOGETHER; ++i) sum += of(i);
    return sum;
  });
}
template <class T> static inline T __reduce_max_sync(unsigned, T x) {
  return share(x, [](auto of) {
    T most = of(0);
    for (int i = 1; i < TOGETHER; ++i)
      if (of(i) > most) most = of(i);
    return most;
  });
}
template <class T> static inline T __reduce_min_sync(unsigned, T x) {
  return share(x, [](auto of) {
    T least = of(0);
    for (int i = 1; i < TOGETHER; ++i)
      if (of(i) < least) least = of(i);
    return least;
  });
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
static inline double rsqrt(double x) { return 1 / std::sqrt(x); }
static inline float __fdividef(float a, float b) { return a / b; }
template <class To, class From> static inline To bits_as(From x) {
  To y;
  static_assert(sizeof x == sizeof y, "");
  std::memcpy(&y, &x, sizeof y);
  return y;
}
static inline long long __double_as_longlong(double x) { return bits_as<long long>(x); }
static inline double __longlong_as_double(long long x) { return bits_as<double>(x); }
static inline int __float_as_int(float x) { return bits_as<int>(x); }
static inline float __int_as_float(int x) { return bits_as<float>(x); }
static inline int atomicAdd(int* at, int x) {
  const int old = *at;
  *at += x;
  return old;
}
template <class T> static inline T __ldcg(const T* at) { return *at; }
static inline void tell(int* at, int x) { *at = x; }
#define HOST_FIBERS
static inline void __threadfence() {}
static inline void __nanosleep(unsigned) {
  std::fprintf(stderr, "a block waits for another that comes later\n");
  std::abort();
}
struct alignas(16) int4 {
  int x, y, z, w;
};
using std::isfinite;

#define WARPS 1
#include "step.cu"

static const Args* warp_args;
// Steps of one world.
extern "C" void ligament_warp(const Args* args, const Given* tables, int, int) {
  given = *tables;
  warp_args = args;
  static Kept kept;
  given.kept = &kept;
#if HAS_CONVEX
  static Polytope polytope;
  given.scratch = &polytope;
#endif
  static_assert(!IN_SHARED || sizeof(World) <= sizeof shared_memory, "");
  static World world;
  given.worlds = &world;
  run_block([] { ligament_steps(*warp_args); });
}
