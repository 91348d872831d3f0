// Proofs that two geoms are apart, a lane a pair. Most geoms whose bounding spheres meet do not touch, and go on so for many steps.
// A gap between them is kept in device memory: until their points have come so far together (kinematics.cuh), they are not asked
// for. Then a direction along which they were apart is asked first. What is kept changes how long a step takes, never what
// it computes.
#pragma once
#include "convex.cuh"

#if NWITNESS > 0
#define WITNESS(i) (KEPT.witness[i])
#define MOST_HOPS 64

#if NMESH > 0
// How far a hull reaches along a direction, by climbing from vertex `at` on. Rises are products with edges: their rounding is
// relative to the edge, not to the mesh. A search without end proves nothing.
DEV real hull_reach_along(int mesh, const RVec& dir, int& at) {
  const int adr = mesh_graphadr(mesh); if (adr < 0) return MAXVAL;
  const int first = hull_adr(mesh); if (at >= mesh_graph(adr)) at = 0;
  RVec p = vec(&hull_vert(3 * (first + at)));
  ROLLED for (int hop = 0; hop < MOST_HOPS; ++hop) {
    const int end = star_adr(first + at + 1); real rise = 0; int best = -1;
    UNROLL4 for (int i = star_adr(first + at); i < end; ++i) { const real up = dot(dir, vec(&star_vert(3 * i)) - p); if (up > rise) { rise = up; best = i; } }
    if (best < 0) return dot(dir, p);
    at = star_id(best); p = vec(&star_vert(3 * best));
  }
  return MAXVAL;
}
#endif
// How far a geom reaches from its centre along a unit direction of its own frame; `hint`: the hull vertex to start from, then the farthest.
DEV real reach_along(int g, const RVec& d, int& hint) {
  const real x = geom_size(3 * g), y = geom_size(3 * g + 1), z = geom_size(3 * g + 2); (void)hint;
  switch (geom_type(g)) {
    case GEOM_PLANE: return 0; // the direction is its normal
    case GEOM_SPHERE: return x;
    case GEOM_CAPSULE: return x + y * r_abs(d[2]);
    case GEOM_ELLIPSOID: return r_sqrt(x * x * d[0] * d[0] + y * y * d[1] * d[1] + z * z * d[2] * d[2]);
    case GEOM_CYLINDER: return x * r_sqrt(d[0] * d[0] + d[1] * d[1]) + y * r_abs(d[2]);
    case GEOM_BOX: return x * r_abs(d[0]) + y * r_abs(d[1]) + z * r_abs(d[2]);
#if NMESH > 0
    case GEOM_MESH: return hull_reach_along(geom_mesh(g), d, hint);
#endif
  }
  return MAXVAL;
}
// More than the margin: what rounding could hide is added.
DEV real clear_distance(int pair, int g1, int g2) { return cls_margin(pair_cls(pair)) + (real)1e-4 * (geom_rbound(g1) + geom_rbound(g2)); }

// A gap of `slack` more than that was found: the pair is not asked for again before it can be closed. What places lose when they are
// rounded is taken off.
DEV real keep_gap(int pair, real slack) {
  const int slots = pair_slots(pair); real a[4], b[4]; load4(WORLD.geom + GEOM * (slots & 0xffff), a); load4(WORLD.geom + GEOM * (slots >> 16), b);
  UNROLL for (int k = 0; k < 3; ++k) slack -= (real)1e-6 * (r_abs(a[k]) + r_abs(b[k]));
  KEPT.until[pair] = (float)((a[3] + b[3] + slack) * (real)0.9999995);
  return slack;
}
// `axis` is in the frame of the first geom and points to the second.
DEV void keep_apart(int pair, const RVec& axis, int hint1, int hint2) {
  const Witness w = {{(float)axis[0], (float)axis[1], (float)axis[2]}, ((unsigned)hint1 & 0xffffu) | (unsigned)hint2 << 16}; WITNESS(pair_witness(pair)) = w;
}
// Are two geoms still apart along the direction that was kept? Returns the gap, if it is more than zero.
DEV real still_apart(int pair) {
  Witness& kept = WITNESS(pair_witness(pair)); const Witness w = kept; const int g1 = pair_geom1(pair), g2 = pair_geom2(pair);
  const RVec axis = {{(real)w.axis[0], (real)w.axis[1], (real)w.axis[2]}}, n = geom_frame(g1) * axis, back = -to_local(geom_frame(g2), n);
  real gap = dot(n, vec(GEOM_AT(g2)) - vec(GEOM_AT(g1))); unsigned hints = 0;
  ROLLED for (int side = 0; side < 2; ++side) {
    int hint = side ? w.hint >> 16 : w.hint & 0xffffu; gap -= reach_along(side ? g2 : g1, side ? back : axis, hint); hints |= (unsigned)hint << 16 * side;
  }
  if (hints != w.hint) kept.hint = hints;
  const real slack = gap - clear_distance(pair, g1, g2);
  return slack > 0 ? keep_gap(pair, slack) : slack;
}
// Are the boxes around two geoms apart along an axis of one of them? Then the axis is kept, and the gap returned.
DEV real boxes_apart(int pair) {
  const int g1 = pair_geom1(pair), g2 = pair_geom2(pair); const bool plane = geom_type(g1) == GEOM_PLANE;
  const Frame3<real> a = geom_frame(g1), b = geom_frame(g2); const RVec none = {{0, 0, 0}}, ha = plane ? none : vec(&geom_aabb(6 * g1 + 3)), hb = vec(&geom_aabb(6 * g2 + 3));
  const RVec centre = plane ? none : vec(&geom_aabb(6 * g1)), off = vec(GEOM_AT(g2)) + b * vec(&geom_aabb(6 * g2)) - vec(GEOM_AT(g1)) - a * centre;
  real most = 0, side[3] = {0, 0, 0}; RVec axis = none; const real clear = clear_distance(pair, g1, g2);
  UNROLL for (int i = 0; i < 3; ++i) {
    const real along = dot(off, a.c[i]); real reach = ha[i] + clear; UNROLL for (int k = 0; k < 3; ++k) { const real c = r_abs(dot(a.c[i], b.c[k])); reach += hb[k] * c; side[k] += ha[i] * c; }
    const real gap = (plane ? along : r_abs(along)) - reach; if ((!plane || i == 2) && gap > most) { most = gap; axis = none; axis[i] = along < 0 ? -1 : 1; }
  }
  UNROLL for (int k = 0; k < 3; ++k) {
    const real along = dot(off, b.c[k]), gap = r_abs(along) - (hb[k] + clear + side[k]); if (!plane && gap > most) { most = gap; axis = (along < 0 ? (real)-1 : (real)1) * to_local(a, b.c[k]); }
  }
  if (most > 0) { keep_apart(pair, axis, 0, 0); most = keep_gap(pair, most); }
  return most;
}
// A gap between two geoms, if there is a proof of it: more than zero.
DEV_CALL real proved_gap(int pair) {
  if (pair_witness(pair) < 0) return 0;
  const real gap = still_apart(pair); return gap > 0 ? gap : boxes_apart(pair);
}
#endif
