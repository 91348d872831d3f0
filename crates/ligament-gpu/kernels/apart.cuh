// Proofs that two geoms are apart, a lane a pair. Most geoms whose bounding spheres meet do not touch, and go on so for
// many steps. A gap between them is kept in device memory: until their points have come so far together
// (kinematics.cuh), they are not asked for. Then a direction along which they were apart is asked first. What is kept
// changes how long a step takes, never what it computes.
#pragma once
#include "several.cuh"

#if NWITNESS > 0
#define WITNESS(i) (KEPT.witness[i])
#define MOST_HOPS 64
#define MOST_TURNS 6 // of a direction, until it shows most of the gap

#if NMESH > 0
// The vertex of a hull farthest along a direction, by climbing from vertex `at` on; false: a search without end. Rises
// are products with edges: their rounding is relative to the edge, not to the mesh.
DEV bool climb_along(int mesh, const RVec& dir, int& at, RVec& p) {
  const int adr = mesh_graphadr(mesh);
  if (adr < 0) return false;
  const int first = hull_adr(mesh);
  if (at >= mesh_graph(adr)) at = 0;
  p = vec(&hull_vert(3 * (first + at)));
  ROLLED for (int hop = 0; hop < MOST_HOPS; ++hop) {
    const int end = star_adr(first + at + 1);
    real rise = 0;
    int best = -1;
    UNROLL4 for (int i = star_adr(first + at); i < end; ++i) {
      const real up = dot(dir, vec(&star_vert(3 * i)) - p);
      if (up > rise) {
        rise = up;
        best = i;
      }
    }
    if (best < 0) return true;
    at = star_id(best);
    p = vec(&star_vert(3 * best));
  }
  return false;
}
#endif
// The point of a geom farthest along a unit direction of its own frame; `hint`: the hull vertex to start from, then the
// farthest.
DEV bool farthest_point(int g, const RVec& d, int& hint, RVec& p) {
  const RVec size = vec(&geom_size(3 * g));
  (void)hint;
  auto along = [&](int k) { return d[k] < 0 ? -size[k] : size[k]; };
  const real half = d[2] < 0 ? -size[1] : size[1];
  switch (geom_type(g)) {
  case GEOM_PLANE: p = {{0, 0, 0}}; return true; // the direction is its normal
  case GEOM_SPHERE: p = size[0] * d; return true;
  case GEOM_CAPSULE:
    p = size[0] * d;
    p[2] += half;
    return true;
  case GEOM_ELLIPSOID: {
    p = {{size[0] * d[0], size[1] * d[1], size[2] * d[2]}};
    const real inv = r_rsqrt(r_max(dot(p, p), MINVAL));
    for (int k = 0; k < 3; ++k) p[k] *= inv * size[k];
    return true;
  }
  case GEOM_CYLINDER: {
    const real scale = size[0] * r_rsqrt(r_max(d[0] * d[0] + d[1] * d[1], MINVAL));
    p = {{scale * d[0], scale * d[1], half}};
    return true;
  }
  case GEOM_BOX: p = {{along(0), along(1), along(2)}}; return true;
#if NMESH > 0
  case GEOM_MESH: return climb_along(geom_mesh(g), d, hint, p);
#endif
  }
  return false;
}
// More than the margin: what rounding could hide is added.
DEV real clear_distance(int pair, int g1, int g2) {
  return cls_margin(pair_cls(pair)) + (real)1e-4 * (geom_rbound(g1) + geom_rbound(g2));
}

// A gap of `slack` more than that was found: the pair is not asked for again before it can be closed. What places lose
// when they are rounded is taken off.
DEV real keep_gap(int pair, real slack) {
  const int slots = pair_slots(pair);
  real a[4], b[4];
  load4(WORLD.geom + GEOM * (slots & 0xffff), a);
  load4(WORLD.geom + GEOM * (slots >> 16), b);
  UNROLL for (int k = 0; k < 3; ++k)
    slack -= (real)1e-6 * (r_abs(a[k]) + r_abs(b[k]));
  KEPT.until[pair] = (float)((a[3] + b[3] + slack) * (real)0.9999995);
  return slack;
}
// `axis` is in the frame of the first geom and points to the second.
DEV void keep_apart(int pair, const RVec& axis, int hint1, int hint2) {
  const Witness w = {{(float)axis[0], (float)axis[1], (float)axis[2]},
                     ((unsigned)hint1 & 0xffffu) | (unsigned)hint2 << 16};
  WITNESS(pair_witness(pair)) = w;
}
// Are the boxes around two geoms apart along an axis of one of them? Then the axis is kept, and the gap returned.
DEV real boxes_apart(int pair, const Frame3<real>& a, const Frame3<real>& b, const RVec& between, int hint1,
                     int hint2) {
  const int g1 = pair_geom1(pair), g2 = pair_geom2(pair);
  const RVec ha = vec(&geom_aabb(6 * g1 + 3)), hb = vec(&geom_aabb(6 * g2 + 3));
  const RVec off = between + b * vec(&geom_aabb(6 * g2)) - a * vec(&geom_aabb(6 * g1));
  real most = 0, side[3] = {0, 0, 0};
  RVec axis = {{0, 0, 0}};
  const real clear = clear_distance(pair, g1, g2);
  UNROLL for (int i = 0; i < 3; ++i) {
    const real along = dot(off, a.c[i]);
    real reach = ha[i] + clear;
    UNROLL for (int k = 0; k < 3; ++k) {
      const real c = r_abs(dot(a.c[i], b.c[k]));
      reach += hb[k] * c;
      side[k] += ha[i] * c;
    }
    const real gap = r_abs(along) - reach;
    if (gap > most) {
      most = gap;
      axis = {{0, 0, 0}};
      axis[i] = along < 0 ? -1 : 1;
    }
  }
  UNROLL for (int k = 0; k < 3; ++k) {
    const real along = dot(off, b.c[k]), gap = r_abs(along) - (hb[k] + clear + side[k]);
    if (gap > most) {
      most = gap;
      axis = (along < 0 ? (real)-1 : (real)1) * to_local(a, b.c[k]);
    }
  }
  if (most > 0) {
    keep_apart(pair, axis, hint1, hint2);
    most = keep_gap(pair, most);
  }
  return most;
}
// A gap between two geoms, if there is a proof of it: more than zero. The direction that was kept shows it, or the
// boxes around both do. In a calm world, where a large gap is worth some work, the direction is turned towards the
// point of the difference of both that is nearest to the origin, as far as it is known (Gilbert 1966), until it shows
// most of the gap.
DEV_CALL real proved_gap(int pair, bool calm) {
  if (pair_witness(pair) < 0) return 0;
  const Witness kept = WITNESS(pair_witness(pair));
  const int g1 = pair_geom1(pair), g2 = pair_geom2(pair), turns = calm ? MOST_TURNS : 1;
  const bool plane = geom_type(g1) == GEOM_PLANE;
  const Frame3<real> a = geom_frame(g1), b = geom_frame(g2);
  const RVec off = vec(GEOM_AT(g2)) - vec(GEOM_AT(g1));
  int hint1 = kept.hint & 0xffffu, hint2 = kept.hint >> 16;
  RVec n = a * RVec{{(real)kept.axis[0], (real)kept.axis[1], (real)kept.axis[2]}}, way = n, nearest = off;
  real most = 0;
  if (plane) n = a.c[2];
  else if (dot(n, n) < (real)0.5) n = unit(off);
  ROLLED for (int k = 0; k < turns; ++k) {
    RVec p, q;
    if (!farthest_point(g1, to_local(a, n), hint1, p) || !farthest_point(g2, -to_local(b, n), hint2, q)) break;
    const RVec found = off + b * q - a * p;
    const real gap = dot(n, found);
    if (gap > most) {
      most = gap;
      way = n;
    }
    const RVec to = found - nearest;
    const real far = dot(to, to);
    nearest = k == 0 || !(far > 0) ? found : nearest + r_clip(-dot(nearest, to) / far, 0, 1) * to;
    const real distance = length(nearest);
    if (plane || !(most < (real)0.9 * distance)) break;
    n = (1 / distance) * nearest;
  }
  const real slack = most - clear_distance(pair, g1, g2);
  if (slack > 0) {
    keep_apart(pair, to_local(a, way), hint1, hint2);
    return keep_gap(pair, slack);
  }
  WITNESS(pair_witness(pair)).hint = ((unsigned)hint1 & 0xffffu) | (unsigned)hint2 << 16; // the next search is short
  return plane ? 0 : boxes_apart(pair, a, b, off, hint1, hint2);
}
#endif
