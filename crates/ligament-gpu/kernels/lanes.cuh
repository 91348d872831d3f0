// Lanes: how one world is spread over threads of the GPU, and over one thread where there is no GPU.
//
// A phase is a loop over items (bodies, dofs, contacts) in which every lane takes its share; between phases stands
// SYNC. Sums over lanes go through shuffles in a fixed order, slots are given out by ballots: nothing depends on
// timing, so the same input gives the same bits. The host build has one lane that takes every item.
//
// A world has a warp of 32 lanes; a small one has half a warp (two worlds are stepped by the same instructions), a
// large one several warps, which are a block of their own. Where a world has several trees of the same shape, each has
// a warp: what happens within trees meets at TREE_SYNC.
#pragma once
#include "topology.cuh"
#ifndef REAL
#define REAL float
#endif
typedef REAL real;
#define MINVAL ((real)1e-15)
#define MAXVAL ((real)1e10)
#define PI ((real)3.14159265358979323846)
// capsules count as parallel below this sine squared: rounding decides there
#define PARALLEL (sizeof(real) == 4 ? (real)1e-6 : (real)0)

#ifdef LIGAMENT_HOST
#include <cmath>
#include <cstring>
#define LANES 1
#define TREE_WARPS 0
#define LANE 0
#define DEV static inline
#define DEV_METHOD
#define DEV_CALL static
#define DEV_PHASE static
#define SYNC()
#define TREE_SYNC()
#define PHASE()
#define ALL_WORLDS(p) (p)
#define UNROLL
#define ROLLED
#define UNROLL4
DEV real lane_sum(real x) { return x; }
DEV bool lane_any(bool p) { return p; }
DEV bool group_any(bool p) { return p; }
DEV int group_count(bool p) { return p; }
DEV int group_total(int x) { return x; }
template <int N> DEV void group_sums(real (&)[N]) {}
#define GROUP 1
#define GROUP_LANE 0
DEV unsigned group_ballot(bool p) { return p; }
template <int N> DEV void lane_sums(real (&)[N]) {}
DEV int lane_slots(int count, int& total) {
  int first = total;
  total += count;
  return first;
}
DEV int lane_total(int x) { return x; }
DEV int lane_count(bool p) { return p; }
DEV int lane_slot(bool p, int& total) {
  int first = total;
  total += p;
  return first;
}
// The largest value over lanes, and the lowest number that has it; a number below zero takes no part.
DEV int lane_best(double value, int number, double& best) {
  if (number >= 0) best = value;
  return number;
}
DEV int lane_first(bool p) { return p ? 0 : -1; }
DEV real lane_max(real x) { return x; }
template <class T> DEV T lane_value(T x, int) { return x; }
template <class T> DEV T group_value(T x, int) { return x; }
#define FIRST_LANE true
DEV real r_sqrt(real x) { return std::sqrt(x); }
DEV real r_rsqrt(real x) { return 1 / std::sqrt(x); }
DEV void r_sincos(real x, real& s, real& c) {
  s = std::sin(x);
  c = std::cos(x);
}
DEV real r_div(real a, real b) { return a / b; }
DEV real r_pow(real a, real b) { return std::pow(a, b); }
DEV real r_exp(real a) { return std::exp(a); }
DEV real r_atan2(real a, real b) { return std::atan2(a, b); }
DEV real r_asin(real a) { return std::asin(a); }
DEV bool r_finite(real a) { return std::isfinite(a); }
#define opaque(x) (x)
#define LOWEST_BIT(m) __builtin_ctz(m)
#define COUNT_BITS(m) __builtin_popcount(m)
#else
#ifndef LANES // for measurements
#define LANES WORLD_LANES
#endif
#define TREE_WARPS (ALIKE_TREES > 1 && LANES == 32 * ALIKE_TREES)
#define LANE (LANES > 32 ? (int)threadIdx.x : (int)(threadIdx.x & (LANES - 1)))
#define DEV static __device__ __forceinline__
#define DEV_METHOD __device__ __forceinline__
// a real call: keeps the code small enough for the instruction cache, which is what limits large kernels
#define DEV_CALL static __device__ __noinline__
// Phases of a step are calls where its code is large, so that the compiler works on several at a time; else calls take
// longer than they save
#ifndef IN_PLACE // for measurements
#define IN_PLACE ((LANES <= 32 || TREE_WARPS) && !HAS_CONVEX && (LANES < 32 || !LEAVES_CONVEX))
#endif
#if IN_PLACE
#define DEV_PHASE DEV
#else
#define DEV_PHASE DEV_CALL
#endif
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#define UNROLL4 _Pragma("unroll 4")
#define FULL 0xffffffffu
#define LOWEST_BIT(m) (__ffs((int)(m)) - 1)
#define COUNT_BITS(m) __popc(m)
// Lanes of a world in a warp: how many, the first of them, a bit for each
#define GROUP (LANES < 32 ? LANES : 32)
#define GROUP_START (LANES < 32 ? (int)(threadIdx.x & 31 & ~(GROUP - 1)) : 0)
#define GROUP_BITS (LANES < 32 ? ((1u << (GROUP & 31)) - 1) << GROUP_START : FULL)
#define GROUP_LANE ((int)(threadIdx.x & (GROUP - 1)))
#define THIS_GROUP ((int)(threadIdx.x >> 5)) // of a world that has several warps
DEV bool group_any(bool p) { return __any_sync(GROUP_BITS, p); }
DEV unsigned group_ballot(bool p) { return (__ballot_sync(GROUP_BITS, p) & GROUP_BITS) >> GROUP_START; }
DEV int group_count(bool p) { return __popc(group_ballot(p)); }
// What all lanes of a group have, joined; `join` may be called in any order of them.
template <class T, class Join> DEV T group_joined(T x, Join join) {
  UNROLL for (int o = GROUP / 2; o > 0; o >>= 1)
    x = join(x, __shfl_xor_sync(GROUP_BITS, x, o));
  return x;
}
template <class T> DEV T group_value(T x, int lane) { return __shfl_sync(GROUP_BITS, x, lane, GROUP); }
// Several sums at once: their shuffles overlap.
template <int N> DEV void group_sums(real (&x)[N]) {
  UNROLL for (int o = GROUP / 2; o > 0; o >>= 1) UNROLL
    for (int k = 0; k < N; ++k) x[k] += __shfl_xor_sync(GROUP_BITS, x[k], o);
}
DEV int group_total(int x) {
  return LANES < 32 ? group_joined(x, [](int a, int b) { return a + b; }) : __reduce_add_sync(FULL, x);
}
// Sum over the lanes up to this one.
DEV int group_upto(int x) {
  UNROLL for (int o = 1; o < GROUP; o <<= 1) {
    const int below = __shfl_up_sync(GROUP_BITS, x, o, GROUP);
    if (GROUP_LANE >= o) x += below;
  }
  return x;
}
// Bits of floats are in the order of their values when those of negative ones are turned.
DEV float group_max(float x) {
  if (LANES < 32) return group_joined(x, [](float a, float b) { return a > b ? a : b; });
  const int bits = __float_as_int(x), top = __reduce_max_sync(FULL, bits ^ (bits >> 31 & 0x7fffffff));
  return __int_as_float(top ^ (top >> 31 & 0x7fffffff));
}
DEV double group_max(double x) {
  return group_joined(x, [](double a, double b) { return a > b ? a : b; });
}
// The largest value, and the lowest number that has it; a number below zero takes no part.
struct Best {
  double value;
  int number;
};
DEV Best better(const Best& a, const Best& b) {
  return b.number >= 0 && (a.number < 0 || b.value > a.value || (b.value == a.value && b.number < a.number)) ? b : a;
}
DEV Best group_best(Best x) {
#if LANES >= 32                              // bits of numbers in the order of their values, high word first
  const long long bits = __double_as_longlong(x.value + 0.0);
  const unsigned long long key = x.number < 0 ? 0 : bits < 0 ? ~bits : bits | (1ll << 63);
  const unsigned high = (unsigned)(key >> 32), top = __reduce_max_sync(FULL, high),
                 low = __reduce_max_sync(FULL, high == top ? (unsigned)key : 0u);
  const bool has = x.number >= 0 && high == top && (unsigned)key == low;
  const int who = __reduce_min_sync(FULL, has ? x.number : 0x7fffffff);
  const unsigned long long found = (unsigned long long)top << 32 | low;
  return {__longlong_as_double((long long)(found >> 63 ? found & ~(1ull << 63) : ~found)),
          who == 0x7fffffff ? -1 : who};
#else
  UNROLL for (int o = GROUP / 2; o > 0; o >>= 1) {
    const Best other = {__shfl_xor_sync(GROUP_BITS, x.value, o), __shfl_xor_sync(GROUP_BITS, x.number, o)};
    x = better(x, other);
  }
  return x;
#endif
}

#if LANES <= 32
#define SYNC() __syncwarp(GROUP_BITS)
#define TREE_SYNC() SYNC()
// Worlds of a block enter a phase together: what one fetches into the instruction cache, the others find there. Worlds
// that have ended are not waited for.
#define PHASE()                                                                                                        \
  do {                                                                                                                 \
    if (BLOCK_WORLDS * LANES > 32) __syncthreads();                                                                    \
  } while (0)
// Does something hold for all worlds of a block? Where worlds go together, those that have nothing to do wait all the
// same.
#define ALL_WORLDS(p) (BLOCK_WORLDS * LANES > 32 ? (bool)__syncthreads_and(p) : (p))
DEV real lane_sum(real x) {
  return group_joined(x, [](real a, real b) { return a + b; });
}
template <int N> DEV void lane_sums(real (&x)[N]) { group_sums(x); }
DEV bool lane_any(bool p) { return group_any(p); }
// Gives every lane `count` consecutive slots after the ones given out so far, in the order of lanes.
DEV int lane_slots(int count, int& total) {
  const int upto = group_upto(count), first = total + upto - count;
  total += __shfl_sync(GROUP_BITS, upto, GROUP - 1, GROUP);
  return first;
}
// The same for at most one slot a lane.
DEV int lane_slot(bool p, int& total) {
  const unsigned all = group_ballot(p);
  const int first = total + __popc(all & ((1u << LANE) - 1));
  total += __popc(all);
  return first;
}
DEV int lane_total(int x) { return group_total(x); }
DEV int lane_count(bool p) { return __popc(group_ballot(p)); }
DEV int lane_best(double value, int number, double& best) {
  const Best x = group_best({value, number});
  if (x.number >= 0) best = x.value;
  return x.number;
}
// The first lane of which something holds; -1: none.
DEV int lane_first(bool p) { return __ffs((int)group_ballot(p)) - 1; }
DEV real lane_max(real x) { return group_max(x); }
template <class T> DEV T lane_value(T x, int lane) { return group_value(x, lane); }
#else
// Warps of a world meet at the barrier of their block, and tell each other what each has found.
#define GROUPS (LANES / 32)
#define SYNC() __syncthreads()
#define TREE_SYNC()                                                                                                    \
  do {                                                                                                                 \
    if (TREE_WARPS) __syncwarp(FULL);                                                                                  \
    else SYNC();                                                                                                       \
  } while (0)
#define PHASE()
#define ALL_WORLDS(p) (p)
static __shared__ double lane_posts[9][GROUPS];
template <class T> DEV T& lane_post(int row, int group) {
  static_assert(sizeof(T) <= sizeof(double), "");
  return *(T*)&lane_posts[row][group];
}
// What all warps have, joined in their order.
template <class T, class Join> DEV T joined(T x, Join join) {
  if (GROUP_LANE == 0) lane_post<T>(0, THIS_GROUP) = x;
  SYNC();
  T all = lane_post<T>(0, 0);
  UNROLL for (int k = 1; k < GROUPS; ++k)
    all = join(all, lane_post<T>(0, k));
  SYNC();
  return all;
}
template <int N> DEV void lane_sums(real (&x)[N]) {
  static_assert(N <= 9, "");
  group_sums(x);
  if (GROUP_LANE == 0) UNROLL
    for (int k = 0; k < N; ++k) lane_post<real>(k, THIS_GROUP) = x[k];
  SYNC();
  UNROLL for (int k = 0; k < N; ++k) {
    x[k] = lane_post<real>(k, 0);
    UNROLL for (int g = 1; g < GROUPS; ++g)
      x[k] += lane_post<real>(k, g);
  }
  SYNC();
}
DEV real lane_sum(real x) {
  real one[1] = {x};
  lane_sums(one);
  return one[0];
}
DEV bool lane_any(bool p) { return __syncthreads_or(p); }
DEV int lane_count(bool p) { return __syncthreads_count(p); }
// Slots after those of the lanes below, of which the own warp has `below`, and `own` altogether.
DEV int slots_after(int below, int own, int& total) {
  if (GROUP_LANE == 0) lane_post<int>(0, THIS_GROUP) = own;
  SYNC();
  int first = total + below;
  UNROLL for (int g = 0; g < GROUPS; ++g) {
    const int there = lane_post<int>(0, g);
    total += there;
    if (g < THIS_GROUP) first += there;
  }
  SYNC();
  return first;
}
DEV int lane_slots(int count, int& total) {
  const int upto = group_upto(count);
  return slots_after(upto - count, __shfl_sync(FULL, upto, 31), total);
}
DEV int lane_slot(bool p, int& total) {
  const unsigned all = group_ballot(p);
  return slots_after(__popc(all & ((1u << GROUP_LANE) - 1)), __popc(all), total);
}
DEV int lane_total(int x) {
  return joined(group_total(x), [](int a, int b) { return a + b; });
}
DEV int lane_best(double value, int number, double& best) {
  const Best mine = group_best({value, number});
  if (GROUP_LANE == 0) {
    lane_post<double>(0, THIS_GROUP) = mine.value;
    lane_post<int>(1, THIS_GROUP) = mine.number;
  }
  SYNC();
  Best x = {lane_post<double>(0, 0), lane_post<int>(1, 0)};
  UNROLL for (int g = 1; g < GROUPS; ++g)
    x = better(x, {lane_post<double>(0, g), lane_post<int>(1, g)});
  SYNC();
  if (x.number >= 0) best = x.value;
  return x.number;
}
DEV int lane_first(bool p) {
  const int mine = __ffs((int)group_ballot(p)) - 1, none = LANES,
            first = joined(mine < 0 ? none : 32 * THIS_GROUP + mine, [](int a, int b) { return a < b ? a : b; });
  return first == none ? -1 : first;
}
DEV real lane_max(real x) {
  return joined(group_max(x), [](real a, real b) { return a > b ? a : b; });
}
DEV int lane_value(int x, int lane) {
  if (LANE == lane) lane_post<int>(0, 0) = x;
  SYNC();
  const int value = lane_post<int>(0, 0);
  SYNC();
  return value;
}
#endif
#define FIRST_LANE (LANE == 0)
DEV float r_sqrt(float x) { return sqrtf(x); }
DEV double r_sqrt(double x) { return sqrt(x); }
DEV float r_rsqrt(float x) { return rsqrtf(x); }
DEV double r_rsqrt(double x) { return rsqrt(x); }
DEV void r_sincos(float x, float& s, float& c) { sincosf(x, &s, &c); }
DEV void r_sincos(double x, double& s, double& c) { sincos(x, &s, &c); }
DEV float r_div(float a, float b) { return __fdividef(a, b); }
DEV double r_div(double a, double b) { return a / b; }
DEV float r_pow(float a, float b) { return powf(a, b); }
DEV double r_pow(double a, double b) { return pow(a, b); }
DEV float r_exp(float a) { return expf(a); }
DEV double r_exp(double a) { return exp(a); }
DEV float r_atan2(float a, float b) { return atan2f(a, b); }
DEV double r_atan2(double a, double b) { return atan2(a, b); }
DEV float r_asin(float a) { return asinf(a); }
DEV double r_asin(double a) { return asin(a); }
DEV bool r_finite(real a) { return isfinite(a); }
// hides a condition from the compiler, which would otherwise make two copies of the code it guards
DEV bool opaque(bool p) {
  int x = p;
  asm volatile("" : "+r"(x));
  return x != 0;
}
#endif

DEV real r_min(real a, real b) { return a < b ? a : b; }
DEV real r_max(real a, real b) { return a > b ? a : b; }
DEV real r_abs(real a) { return a < 0 ? -a : a; }
DEV real r_clip(real x, real lo, real hi) { return r_min(hi, r_max(lo, x)); }

// rows of a lane: item `i` of `n` in slot `r`
#define SLOTS(n) (((n) + LANES - 1) / LANES)
// lanes that have very many items take them in loops: code for each would not be compiled in any reasonable time
#if NV > 8 * LANES
#define UNROLL_SLOTS ROLLED
#else
#define UNROLL_SLOTS UNROLL
#endif
#define FOR_SLOTS(r, i, n) UNROLL_SLOTS for (int r = 0; r < SLOTS(n); ++r) if (const int i = LANE + r * LANES; i < (n))
#define FOR_LANES(i, n) ROLLED for (int i = LANE; i < (n); i += LANES)
// every group of lanes that meets takes all items
#ifdef LIGAMENT_HOST
#define FOR_GROUP(i, n) FOR_LANES(i, n)
#else
#define FOR_GROUP(i, n) ROLLED for (int i = GROUP_LANE; i < (n); i += GROUP)
#endif
// every lane makes the same number of rounds, so that collectives may stand inside
#define FOR_ROUNDS(i, n) for (int i = LANE; i < SLOTS(n) * LANES; i += LANES)
