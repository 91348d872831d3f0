// Lanes: how one world is spread over the threads of a warp, and over one thread where there is no GPU.
//
// A phase is a loop over items (bodies, dofs, contacts) in which every lane takes its share; between phases stands
// SYNC. Sums over lanes go through shuffles in a fixed order, slots are given out by ballots: nothing depends on
// timing, so the same input gives the same bits. The host build has one lane that takes every item.
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
// the disk of a cylinder counts as parallel to a plane below this sine squared
#define PARALLEL_DISK (sizeof(real) == 4 ? (real)1e-10 : (real)1e-24)

#ifdef LIGAMENT_HOST
#include <cmath>
#include <cstring>
#define LANES 1
#define LANE 0
#define DEV static inline
#define DEV_METHOD
#define DEV_CALL static
#define SYNC()
#define PHASE()
#define UNROLL
#define ROLLED
#define UNROLL4
DEV real lane_sum(real x) { return x; }
DEV bool lane_any(bool p) { return p; }
template <int N> DEV void lane_sums(real (&)[N]) {}
DEV int lane_slots(int count, int& total) { int first = total; total += count; return first; }
DEV int lane_total(int x) { return x; }
DEV int lane_count(bool p) { return p; }
DEV int lane_slot(bool p, int& total) { int first = total; total += p; return first; }
// The largest value over lanes, and the lowest number that has it; a number below zero takes no part.
DEV int lane_best(double value, int number, double& best) { if (number >= 0) best = value; return number; }
DEV int lane_first(bool p) { return p ? 0 : -1; }
DEV real lane_max(real x) { return x; }
DEV int lane_value(int x, int) { return x; }
#define FIRST_LANE true
DEV real r_sqrt(real x) { return std::sqrt(x); }
DEV real r_rsqrt(real x) { return 1 / std::sqrt(x); }
DEV void r_sincos(real x, real& s, real& c) { s = std::sin(x); c = std::cos(x); }
DEV real r_div(real a, real b) { return a / b; }
DEV real r_pow(real a, real b) { return std::pow(a, b); }
DEV real r_exp(real a) { return std::exp(a); }
DEV real r_atan2(real a, real b) { return std::atan2(a, b); }
DEV real r_asin(real a) { return std::asin(a); }
DEV bool r_finite(real a) { return std::isfinite(a); }
#define opaque(x) (x)
#define LOWEST_BIT(m) __builtin_ctz(m)
#else
#define LANES 32
#define LANE ((int)(threadIdx.x & 31))
#define DEV static __device__ __forceinline__
#define DEV_METHOD __device__ __forceinline__
// a real call: keeps the code small enough for the instruction cache, which is what limits large kernels
#define DEV_CALL static __device__ __noinline__
#define SYNC() __syncwarp()
// Worlds of a block enter a phase together: what one fetches into the instruction cache, the others find there. Worlds
// that have ended are not waited for.
#define PHASE() do { if (BLOCK_WORLDS > 1) __syncthreads(); } while (0)
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#define UNROLL4 _Pragma("unroll 4")
#define FULL 0xffffffffu
#define LOWEST_BIT(m) (__ffs((int)(m)) - 1)
DEV real lane_sum(real x) {
  UNROLL for (int o = 16; o > 0; o >>= 1) x += __shfl_xor_sync(FULL, x, o);
  return x;
}
DEV bool lane_any(bool p) { return __any_sync(FULL, p); }
// several sums at once: their shuffles overlap
template <int N> DEV void lane_sums(real (&x)[N]) {
  UNROLL for (int o = 16; o > 0; o >>= 1) UNROLL for (int k = 0; k < N; ++k) x[k] += __shfl_xor_sync(FULL, x[k], o);
}
// Gives every lane `count` consecutive slots after the ones given out so far, in the order of lanes.
DEV int lane_slots(int count, int& total) {
  int upto = count;
  UNROLL for (int o = 1; o < 32; o <<= 1) { int below = __shfl_up_sync(FULL, upto, o); if (LANE >= o) upto += below; }
  int first = total + upto - count;
  total += __shfl_sync(FULL, upto, 31);
  return first;
}
// The same for at most one slot a lane.
DEV int lane_slot(bool p, int& total) {
  const unsigned all = __ballot_sync(FULL, p); const int first = total + __popc(all & ((1u << LANE) - 1));
  total += __popc(all);
  return first;
}
DEV int lane_total(int x) { return __reduce_add_sync(FULL, x); }
DEV int lane_count(bool p) { return __popc(__ballot_sync(FULL, p)); }
// The largest value over lanes, and the lowest number that has it; a number below zero takes no part.
DEV int lane_best(double value, int number, double& best) {
  const long long bits = __double_as_longlong(value + 0.0); const unsigned long long key = number < 0 ? 0 : bits < 0 ? ~bits : bits | (1ll << 63);
  const unsigned high = (unsigned)(key >> 32), top = __reduce_max_sync(FULL, high), low = __reduce_max_sync(FULL, high == top ? (unsigned)key : 0u);
  const bool has = number >= 0 && high == top && (unsigned)key == low; const int who = __reduce_min_sync(FULL, has ? number : 0x7fffffff);
  if (who == 0x7fffffff) return -1;
  const unsigned long long found = (unsigned long long)top << 32 | low; best = __longlong_as_double((long long)(found >> 63 ? found & ~(1ull << 63) : ~found));
  return who;
}
// The first lane of which something holds; -1: none.
DEV int lane_first(bool p) { return __ffs((int)__ballot_sync(FULL, p)) - 1; }
// The largest number of all lanes. Bits of floats are in the order of their values when those of negative ones are turned.
DEV float lane_max(float x) {
  const int bits = __float_as_int(x), top = __reduce_max_sync(FULL, bits ^ (bits >> 31 & 0x7fffffff)); return __int_as_float(top ^ (top >> 31 & 0x7fffffff));
}
DEV double lane_max(double x) { UNROLL for (int o = 16; o > 0; o >>= 1) { const double other = __shfl_xor_sync(FULL, x, o); x = other > x ? other : x; } return x; }
DEV int lane_value(int x, int lane) { return __shfl_sync(FULL, x, lane); }
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
DEV bool opaque(bool p) { int x = p; asm volatile("" : "+r"(x)); return x != 0; }
#endif

DEV real r_min(real a, real b) { return a < b ? a : b; }
DEV real r_max(real a, real b) { return a > b ? a : b; }
DEV real r_abs(real a) { return a < 0 ? -a : a; }
DEV real r_clip(real x, real lo, real hi) { return r_min(hi, r_max(lo, x)); }

// rows of a lane: item `i` of `n` in slot `r`
#define SLOTS(n) (((n) + LANES - 1) / LANES)
#define FOR_SLOTS(r, i, n) UNROLL for (int r = 0; r < SLOTS(n); ++r) if (const int i = LANE + r * LANES; i < (n))
#define FOR_LANES(i, n) for (int i = LANE; i < (n); i += LANES)
// every lane makes the same number of rounds, so that collectives may stand inside
#define FOR_ROUNDS(i, n) for (int i = LANE; i < SLOTS(n) * LANES; i += LANES)
