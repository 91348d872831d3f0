// Contacts: pairs of geoms that may touch (a table) are ruled out by their bounding spheres, the rest is tested one by one.
#pragma once
#include "boxes.cuh"
#include "convex.cuh"

// Contact points of two geoms, the one with the lower type first.
DEV void collide_pair(int g1, int g2, real margin, Points& out) {
  const int t1 = geom_type(g1), t2 = geom_type(g2); (void)t2;
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
  if (t1 == GEOM_SPHERE && t2 == GEOM_BOX) return sphere_box(vec(WORLD.geom + GEOM * g1), geom_size(3 * g1), solid(g2), margin, out);
#endif
#if HAS_CAPSULE_BOX
  if (t1 == GEOM_CAPSULE && t2 == GEOM_BOX) return capsule_box(g1, g2, margin, out);
#endif
#if HAS_BOX_BOX
  if (t1 == GEOM_BOX && t2 == GEOM_BOX) return box_box(g1, g2, margin, out);
#endif
  capsules(g1, g2, margin, out);
}

DEV bool may_touch(int i) {
  const int geoms = pair_geoms(i), g1 = geoms & 0xffff, g2 = geoms >> 16; real a[4], b[4]; load4(WORLD.geom + GEOM * g1, a); load4(WORLD.geom + GEOM * g2, b);
  real off[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  if (i < NPLANEPAIR) { const RVec n = geom_axis(g1); return dot3(off, n.v) <= pair_reach(i); }
  return dot3(off, off) <= pair_reach(i) * pair_reach(i);
}

#if HAS_CONVEX
// Pairs that all lanes test together.
DEV bool is_general(int pair) {
  const int t1 = geom_type(pair_geom1(pair)), t2 = geom_type(pair_geom2(pair));
  if (t1 == GEOM_PLANE) return t2 == GEOM_MESH;
  if (t1 == GEOM_HFIELD) return true;
  if (t2 <= GEOM_CAPSULE || (t1 == GEOM_SPHERE && t2 == GEOM_CYLINDER)) return false;
  return !(t2 == GEOM_BOX && (t1 == GEOM_SPHERE || t1 == GEOM_CAPSULE || t1 == GEOM_BOX));
}
// Are the boxes around two geoms apart along an axis of one of them? Boxes are a little larger, so that rounding decides nothing.
DEV bool boxes_apart(int pair) {
  const int g1 = pair_geom1(pair), g2 = pair_geom2(pair); if (geom_type(g1) <= GEOM_HFIELD) return false;
  const Frame3<real> a = geom_frame(g1), b = geom_frame(g2); const RVec ha = vec(&geom_aabb(6 * g1 + 3)), hb = vec(&geom_aabb(6 * g2 + 3));
  const RVec off = vec(WORLD.geom + GEOM * g2) + b * vec(&geom_aabb(6 * g2)) - vec(WORLD.geom + GEOM * g1) - a * vec(&geom_aabb(6 * g1)); const real slack = cls_margin(pair_cls(pair)) + (real)1e-4 * (geom_rbound(g1) + geom_rbound(g2));
  bool apart = false; real side[3] = {0, 0, 0};
  UNROLL for (int i = 0; i < 3; ++i) { real reach = ha[i] + slack; UNROLL for (int k = 0; k < 3; ++k) { const real c = r_abs(dot(a.c[i], b.c[k])); reach += hb[k] * c; side[k] += ha[i] * c; } apart |= r_abs(dot(off, a.c[i])) > reach; }
  UNROLL for (int k = 0; k < 3; ++k) apart |= r_abs(dot(off, b.c[k])) > hb[k] + slack + side[k];
  return apart;
}
DEV_CALL int collide_general(int pair, int ncon) {
  const real margin = cls_margin(pair_cls(pair)); const int t1 = geom_type(pair_geom1(pair)); (void)t1;
#if HAS_PLANE_MESH
  if (t1 == GEOM_PLANE) { plane_mesh(pair, margin, ncon); return ncon; }
#endif
#if HAS_HFIELD
  if (t1 == GEOM_HFIELD) { hfield_convex(pair, margin, ncon); return ncon; }
#endif
  convex_convex(pair, margin, ncon);
  return ncon;
}
#endif

// Fills the contacts of the world; false: there is not enough room for them.
DEV bool collide(int& ncon) {
  World& w = WORLD; int nhit = 0, ngeneral = 0; // simple pairs from the beginning of the list on, general ones from its end
  ncon = 0;
  FOR_ROUNDS(i, NPAIR) {
    bool hit = i < NPAIR && may_touch(i);
#if HAS_CONVEX
    bool general = hit && is_general(i); if (general && boxes_apart(i)) general = hit = false;
    const int last = NHIT - 1 - lane_slot(general, ngeneral); if (general && last >= 0) w.hit[last] = i;
    hit = hit && !general;
#endif
    const int slot = lane_slot(hit, nhit); if (hit && slot < NHIT) w.hit[slot] = i;
  }
  if (nhit + ngeneral > NHIT) return false;
  SYNC();
  for (int k = LANE; k < ((nhit + LANES - 1) / LANES) * LANES; k += LANES) {
    Points points; points.count = 0; int count = 0, pair = 0;
    if (k < nhit) {
      pair = w.hit[k]; collide_pair(pair_geom1(pair), pair_geom2(pair), cls_margin(pair_cls(pair)), points);
      ROLLED for (int i = 0; i < points.count; ++i) count += makes_rows(pair, points.at(i).dist);
    }
    int slot = lane_slots(count, ncon);
    if (ncon <= NCON && count > 0) ROLLED for (int i = 0; i < points.count; ++i) { const Point p = points.at(i); if (makes_rows(pair, p.dist)) put_contact(slot++, pair, p); }
  }
#if HAS_CONVEX
  ROLLED for (int k = 0; k < ngeneral; ++k) ncon = collide_general(w.hit[NHIT - 1 - k], ncon);
#endif
  SYNC();
  return ncon <= NCON;
}
