// The kernels with one lane, and the contacts that a world was left with.
#include "step.cu"

// Geoms of contact `k` of those that make rows, and its distance, position and normal; false: there are not so many.
extern "C" bool ligament_contact(int k, int* geoms, double* numbers) {
#if NPAIR > 0
  int at = 0;
  for (; at < NCON; ++at)
    if (makes_rows(the_world.con_pair[at], the_world.con[12 * at]) && k-- == 0) break;
  if (at == NCON) return false;
  const int pair = the_world.con_pair[at];
  geoms[0] = pair_geom1(pair);
  geoms[1] = pair_geom2(pair);
  for (int i = 0; i < 7; ++i) numbers[i] = (double)the_world.con[12 * at + i];
  return true;
#else
  (void)k;
  (void)geoms;
  (void)numbers;
  return false;
#endif
}
// What the world keeps from step to step.
static Kept the_kept;
extern "C" void* ligament_kept(int* bytes) {
  *bytes = sizeof the_kept;
  return &the_kept;
}
