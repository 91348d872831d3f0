// Inertia of tendons along their length: M has armature J'J beside the bodies' inertia, as far as it has the tree's
// pattern.
#pragma once
#include "direction.cuh"

#if HAS_TENDON_ARMATURE
// Rate of path k for dof rates x, as far as dof d feels it: entries that couple branches are left out, since inertia
// has none.
DEV real rate_at(int k, int d, const real* x) {
  const World& w = WORLD;
  real rate = 0;
  ROLLED for (int i = ten_adr(k); i < ten_adr(k + 1); ++i) {
    const int a = ten_dof(i);
    if (above(dof_bodyid(a), d) || above(dof_bodyid(d), a)) rate += w.ten_J[i] * x[a];
  }
  return rate;
}
DEV void add_tendon_inertia(Tree& t) {
  FORD(r, d) ROLLED
    for (int i = dof_tenadr(d); i < dof_tenadr(d + 1); ++i) {
      const int k = dof_ten(i), first = ten_adr(k);
      if (tendon_armature(k) != 0)
        add_outer(t, r, d, tendon_armature(k), WORLD.ten_J + first, &ten_dof(first), ten_adr(k + 1) - first);
    }
}
// Entry of dof d in that part of M x.
DEV real tendon_momentum(int d, const real* x) {
  real sum = 0;
  ROLLED for (int i = dof_tenadr(d); i < dof_tenadr(d + 1); ++i) {
    const int k = dof_ten(i);
    if (tendon_armature(k) != 0) sum += tendon_armature(k) * WORLD.ten_J[dof_ten_entry(i)] * rate_at(k, d, x);
  }
  return sum;
}
#endif
