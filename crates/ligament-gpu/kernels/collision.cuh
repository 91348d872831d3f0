// Contacts: pairs of geoms that may touch (a table) are ruled out by their bounding spheres, the rest is tested one by one.
#pragma once
#include "boxes.cuh"
#include "convex.cuh"

// Contact points of two geoms, the one with the lower type first.
DEV void collide_pair(const Env& e, int g1, int g2, real margin, Points& out) {
  const int t1 = geom_type(g1), t2 = geom_type(g2); (void)t1;
  if (t1 == GEOM_PLANE) {
#if HAS_PLANE_BOX
    if (t2 == GEOM_BOX) return plane_box(e, g1, g2, margin, out);
#endif
#if HAS_PLANE_ELLIPSOID
    if (t2 == GEOM_ELLIPSOID) return plane_ellipsoid(e, g1, g2, margin, out);
#endif
#if HAS_PLANE_CYLINDER
    if (t2 == GEOM_CYLINDER) return plane_cylinder(e, g1, g2, margin, out);
#endif
#if HAS_PLANE_MESH
    if (t2 == GEOM_MESH) return plane_mesh(e, g1, g2, margin, out);
#endif
    return plane_capsule(e, g1, g2, margin, out);
  }
#if HAS_HFIELD
  if (t1 == GEOM_HFIELD) return hfield_convex(e, g1, g2, margin, out);
#endif
#if HAS_SPHERE_CYLINDER
  if (t1 == GEOM_SPHERE && t2 == GEOM_CYLINDER) return sphere_cylinder(e, g1, g2, margin, out);
#endif
#if HAS_SPHERE_BOX
  if (t1 == GEOM_SPHERE && t2 == GEOM_BOX) return sphere_box(vec(e.w.geom + 4 * g1), geom_size(3 * g1), solid(e, g2), margin, out);
#endif
#if HAS_CAPSULE_BOX
  if (t1 == GEOM_CAPSULE && t2 == GEOM_BOX) return capsule_box(e, g1, g2, margin, out);
#endif
#if HAS_BOX_BOX
  if (t1 == GEOM_BOX && t2 == GEOM_BOX) return box_box(e, g1, g2, margin, out);
#endif
#if HAS_CONVEX
  if (t2 > GEOM_CAPSULE) return convex_convex(e, g1, g2, margin, out);
#endif
  capsules(e, g1, g2, margin, out);
}

DEV bool may_touch(const Env& e, int i) {
  const int g1 = pair_geom1(i), g2 = pair_geom2(i); real a[4], b[4]; load4(e.w.geom + 4 * g1, a); load4(e.w.geom + 4 * g2, b);
  real off[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}; const real margin = cls_margin(pair_cls(i));
  if (geom_type(g1) == GEOM_PLANE) { real n[3]; geom_axis(e, g1, n); return dot3(off, n) <= margin + geom_rbound(g2); }
  const real reach = geom_rbound(g1) + geom_rbound(g2) + margin; return dot3(off, off) <= reach * reach;
}

// Fills the contacts of the world; false: there is not enough room for them.
DEV bool collide(const Env& e, int& ncon) {
  World& w = e.w;
  ncon = 0;
  int nhit = 0;
  FOR_ROUNDS(i, NPAIR) { const int hit = i < NPAIR && may_touch(e, i); const int slot = lane_slots(hit, nhit); if (hit && slot < NHIT) w.hit[slot] = i; }
  if (nhit > NHIT) return false;
  SYNC();
  for (int k = LANE; k < ((nhit + LANES - 1) / LANES) * LANES; k += LANES) {
    Points points; points.count = 0; int count = 0, pair = 0;
    if (k < nhit) {
      pair = w.hit[k]; const real margin = cls_margin(pair_cls(pair));
      collide_pair(e, pair_geom1(pair), pair_geom2(pair), margin, points);
      // contacts inside the gap make no rows
      ROLLED for (int i = 0; i < points.count; ++i) if (points.list[i].dist < margin - cls_gap(pair_cls(pair))) { if (count != i) points.list[count] = points.list[i]; ++count; }
    }
    int slot = lane_slots(count, ncon);
    if (ncon <= NCON) ROLLED for (int i = 0; i < count; ++i, ++slot) {
      Point& p = points.list[i]; complete_frame(p); const int cls = pair_cls(pair);
      store4(w.con + 12 * slot, p.dist, p.pos[0], p.pos[1], p.pos[2]); store4(w.con + 12 * slot + 4, p.normal[0], p.normal[1], p.normal[2], p.tangent[0]); store4(w.con + 12 * slot + 8, p.tangent[1], p.tangent[2], 0, 0);
      w.con_b[2 * slot] = geom_bodyid(pair_geom1(pair)); w.con_b[2 * slot + 1] = geom_bodyid(pair_geom2(pair)); w.con_pair[slot] = pair;
      const int from = pair_friction(pair); const int g1 = pair_geom1(pair), g2 = pair_geom2(pair);
      UNROLL for (int d = 1; d < DIMMAX; ++d) {
        const int c = d < 3 ? 0 : d == 3 ? 1 : 2; const real f1 = geom_friction(3 * g1 + c), f2 = geom_friction(3 * g2 + c);
        w.fri[PAD4(DIMMAX) * slot + d] = r_max((real)1e-5, from == 3 ? cls_friction(5 * cls + d - 1) : from == 1 ? f1 : from == 2 ? f2 : r_max(f1, f2));
      }
    }
  }
  SYNC();
  return ncon <= NCON;
}
