// Contacts: pairs of geoms that may touch (a table) are ruled out by their bounding spheres, then by proofs that they
// are apart; the rest is tested one by one.
#pragma once
#include "boxes.cuh"
#include "apart.cuh"

// Contact points of two geoms, the one with the lower type first.
DEV void collide_pair(int g1, int g2, real margin, Points& out) {
  const int t1 = geom_type(g1), t2 = geom_type(g2);
  (void)t2;
  if (t1 == GEOM_PLANE) {
#if HAS_PLANE_BOX
    if (t2 == GEOM_BOX) return plane_box(g1, g2, margin, out);
#endif
#if HAS_PLANE_ELLIPSOID
    if (t2 == GEOM_ELLIPSOID) return plane_ellipsoid(g1, g2, margin, out);
#endif
#if HAS_PLANE_CYLINDER
    if (t2 == GEOM_CYLINDER) return plane_cylinder(g1, g2, margin, out);
#endif
    return plane_capsule(g1, g2, margin, out);
  }
#if HAS_SPHERE_CYLINDER
  if (t1 == GEOM_SPHERE && t2 == GEOM_CYLINDER) return sphere_cylinder(g1, g2, margin, out);
#endif
#if HAS_SPHERE_BOX
  if (t1 == GEOM_SPHERE && t2 == GEOM_BOX)
    return sphere_box(vec(GEOM_AT(g1)), geom_size(3 * g1), solid(g2), margin, out);
#endif
#if HAS_CAPSULE_BOX
  if (t1 == GEOM_CAPSULE && t2 == GEOM_BOX) return capsule_box(g1, g2, margin, out);
#endif
#if HAS_BOX_BOX
  if (t1 == GEOM_BOX && t2 == GEOM_BOX) return box_box(g1, g2, margin, out);
#endif
  capsules(g1, g2, margin, out);
}

// How far the bounding spheres of a pair are apart, or what is left of a gap that was found before, if that is more. In
// a `calm` world a gap is looked for before it is closed: what is found may be far larger.
DEV real clearance(int i, bool calm) {
  const int slots = pair_slots(i);
  const real *first = WORLD.geom + GEOM * (slots & 0xffff), *second = WORLD.geom + GEOM * (slots >> 16);
  real a[4], b[4];
  load4(first, a);
  load4(second, b);
  real off[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, gap;
  (void)calm;
  if (i < NPLANEPAIR) {
    const RVec n = GEOM_AXES ? vec(first + 4) : geom_axis(pair_geom1(i));
    gap = dot3(off, n.v) - pair_reach(i);
  }
#if NWITNESS > 0
  else
    gap = r_sqrt(dot3(off, off)) - pair_reach(i);
  const real small = (real)0.1 * pair_reach(i);
  if (gap < small) {
    const real left = (real)KEPT.until[i] - (a[3] + b[3]);
    gap = r_max(gap, left);
    if (calm && gap > 0 && left < small) gap = r_max(gap, proved_gap(i, true));
  }
#else
  else
    gap = dot3(off, off) - pair_reach(i) * pair_reach(i); // only its sign is asked for
#endif
  return gap;
}

// Pairs that all lanes test together.
DEV bool is_general(int pair) {
  if (!HAS_CONVEX && !LEAVES_CONVEX) return false;
  const int t1 = geom_type(pair_geom1(pair)), t2 = geom_type(pair_geom2(pair));
  if (t1 == GEOM_PLANE) return t2 == GEOM_MESH;
  if (t1 == GEOM_HFIELD) return true;
  if (t2 <= GEOM_CAPSULE || (t1 == GEOM_SPHERE && t2 == GEOM_CYLINDER)) return false;
  return !(t2 == GEOM_BOX && (t1 == GEOM_SPHERE || t1 == GEOM_CAPSULE || (HAS_BOX_BOX && t1 == GEOM_BOX)));
}
#if HAS_CONVEX
DEV_CALL int collide_general(int pair, int ncon) {
  const real margin = cls_margin(pair_cls(pair));
  const int t1 = geom_type(pair_geom1(pair));
  (void)t1;
#if HAS_HFIELD
  if (t1 == GEOM_HFIELD) {
    hfield_convex(pair, margin, ncon);
    return ncon;
  }
#endif
#if HAS_PLANE_MESH
  if (t1 == GEOM_PLANE) plane_mesh(pair, margin, ncon);
  else
#endif
    convex_convex(pair, margin, ncon);
#if NWITNESS > 0
  const EVec n = THE_CONVEX.apart;
  if (FIRST_LANE && dot(n, n) > 0) keep_apart(pair, rounded(to_local(SHAPE(0).frame, n)), SHAPE(0).hint, SHAPE(1).hint);
  SYNC(); // the next pair takes the place
#endif
  return ncon;
}
#endif

// Fills the contacts of the world; false: there is not enough room for them, or general convex shapes may touch and the
// algorithms for them are left to another kernel.
DEV_PHASE bool collide(int& ncon) {
  World& w = WORLD;
  int nhit = 0;
  real least = MAXVAL;
  ncon = 0;
#if NWITNESS > 0
  const bool calm = KEPT.rest > 2; // the last gap was enough for some steps
#else
  const bool calm = false;
#endif
#if LANES <= 32
  FOR_ROUNDS(i, NPAIR) {
    const real gap = i < NPAIR ? clearance(i, calm) : MAXVAL;
    const bool hit = !(gap > 0);
    const int slot = lane_slot(hit, nhit);
    if (hit && slot < NHIT) w.hit[slot] = i;
    if (!hit) least = r_min(least, gap);
  }
#else
  ROLLED for (int first = 0; first < SLOTS(NPAIR);
                  first += 32) { // places in the list are given out once for many pairs: warps of a world meet for it
    unsigned hits = 0;
    const int rounds = first + 32 < SLOTS(NPAIR) ? 32 : SLOTS(NPAIR) - first;
    for (int k = 0; k < rounds; ++k) {
      const int i = LANE + (first + k) * LANES;
      const real gap = i < NPAIR ? clearance(i, calm) : MAXVAL;
      if (gap > 0) least = r_min(least, gap);
      else hits |= 1u << k;
    }
    int slot = lane_slots(COUNT_BITS(hits), nhit);
    ROLLED for (; hits; hits &= hits - 1) {
      if (slot < NHIT) w.hit[slot] = LANE + (first + LOWEST_BIT(hits)) * LANES;
      ++slot;
    }
  }
#endif
  if (nhit > NHIT) return false;
  if (FIRST_LANE && NHIT < NPAIR && 4 * nhit > 3 * NHIT) w.crowded = 1;
  SYNC();
#if NWITNESS > 0
  int left = 0;
  FOR_ROUNDS(k, nhit) {
    const int pair = k < nhit ? w.hit[k] : 0;
    const real gap = k < nhit ? proved_gap(pair, calm) : MAXVAL;
    const bool hit = !(gap > 0);
    SYNC(); // read before it is written
    const int slot = lane_slot(hit, left);
    if (hit) w.hit[slot] = pair;
    else least = r_min(least, gap);
  }
  nhit = left;
  least = -lane_max(-least);
  // two bodies close a gap together
  if (FIRST_LANE) {
    KEPT.rest = 0;
    KEPT.quiet = nhit > 0 ? 0.0f : (float)((KEPT.way + (real)0.5 * least) * (real)0.9999995);
  }
  SYNC();
#endif
#if LEAVES_CONVEX
  bool general = false;
  FOR_LANES(k, nhit) general |= is_general(w.hit[k]);
  if (lane_any(general)) return false;
#endif
  FOR_ROUNDS(k, nhit) {
    Points points;
    points.count = 0;
    int count = 0;
    const int pair = k < nhit ? w.hit[k] : 0;
    if (k < nhit && !is_general(pair)) {
      collide_pair(pair_geom1(pair), pair_geom2(pair), cls_margin(pair_cls(pair)), points);
      ROLLED for (int i = 0; i < points.count; ++i)
        count += is_listed(pair, points.at(i).dist);
    }
    int slot = lane_slots(count, ncon);
    if (ncon <= NCON && count > 0) ROLLED
      for (int i = 0; i < points.count; ++i) {
        const Point p = points.at(i);
        if (is_listed(pair, p.dist)) put_contact(slot++, pair, p);
      }
  }
#if HAS_CONVEX
  SYNC();
  ROLLED for (int k = 0; k < nhit; ++k)
    if (is_general(w.hit[k])) ncon = collide_general(w.hit[k], ncon);
#endif
  SYNC();
  if (FIRST_LANE && 4 * ncon > 3 * NCON) w.crowded = 1;
  return ncon <= NCON;
}
