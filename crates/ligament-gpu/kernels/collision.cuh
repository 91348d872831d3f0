// Contacts: pairs of geoms that may touch (a table) are ruled out by their bounding spheres, the rest is tested one by one.
#pragma once
#include "kinematics.cuh"

struct Point { real dist, pos[3], normal[3], tangent[3]; }; // tangent zero: any

DEV_CALL void geom_axes(const Env& e, int g, real* x, real* y, real* z) {
  real q[4] = {geom_quat(4 * g), geom_quat(4 * g + 1), geom_quat(4 * g + 2), geom_quat(4 * g + 3)}, Q[4];
  quat_mul(e.w.pose + 8 * geom_bodyid(g) + 4, q, Q); quat_axes(Q, x, y, z);
}
DEV void geom_axis(const Env& e, int g, real* z) { real x[3], y[3]; geom_axes(e, g, x, y, z); }

// Orthogonal frame around a normal; the tangent follows the hint as far as it can.
DEV_CALL void complete_frame(Point& p) {
  real* n = p.normal; real* t = p.tangent;
  normalize3(n);
  if (dot3(t, t) < (real)0.25) { t[0] = t[2] = 0; t[1] = 1; if (!(n[1] < (real)0.5 && n[1] > (real)-0.5)) { t[1] = 0; t[2] = 1; } }
  axpy3(-dot3(n, t), n, t);
  normalize3(t);
}

DEV_CALL bool sphere_on_plane(const real* at, const real* normal, const real* centre, real radius, real margin, Point& p) {
  real off[3] = {centre[0] - at[0], centre[1] - at[1], centre[2] - at[2]}; const real height = dot3(off, normal);
  if (height > margin + radius) return false;
  p.dist = height - radius; copy3(normal, p.normal); p.tangent[0] = p.tangent[1] = p.tangent[2] = 0;
  copy3(centre, p.pos); axpy3(-p.dist / 2 - radius, normal, p.pos);
  return true;
}
DEV_CALL bool sphere_on_sphere(const real* a, real ra, const real* b, real rb, real margin, Point& p) {
  real n[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}; const real d2 = dot3(n, n), reach = margin + ra + rb;
  if (d2 > reach * reach) return false;
  const real d = r_sqrt(d2); p.dist = d - ra - rb;
  if (d < MINVAL) { n[0] = 1; n[1] = n[2] = 0; } else { const real s = 1 / d; for (int k = 0; k < 3; ++k) n[k] *= s; }
  copy3(n, p.normal); p.tangent[0] = p.tangent[1] = p.tangent[2] = 0;
  copy3(a, p.pos); axpy3(ra + p.dist / 2, n, p.pos);
  return true;
}

DEV_CALL int plane_capsule(const Env& e, int plane, int g, real margin, Point* out) {
  real n[3], axis[3], c[3]; int count = 0; geom_axis(e, plane, n); geom_axis(e, g, axis);
  const real* centre = e.w.geom + 4 * g; const real half = geom_type(g) == GEOM_CAPSULE ? geom_size(3 * g + 1) : 0;
  ROLLED for (int end = 0; end < (half > 0 ? 2 : 1); ++end) {
    copy3(centre, c); axpy3(end ? -half : half, axis, c);
    if (sphere_on_plane(e.w.geom + 4 * plane, n, c, geom_size(3 * g), margin, out[count])) { if (half > 0) copy3(axis, out[count].tangent); ++count; }
  }
  return count;
}

#if HAS_PLANE_BOX
DEV_CALL int plane_box(const Env& e, int plane, int g, real margin, Point* out) {
  real n[3], x[3], y[3], z[3]; int count = 0; geom_axis(e, plane, n); geom_axes(e, g, x, y, z);
  const real *at = e.w.geom + 4 * plane, *c = e.w.geom + 4 * g; real off[3] = {c[0] - at[0], c[1] - at[1], c[2] - at[2]}; const real height = dot3(off, n);
  ROLLED for (int i = 0; i < 8 && count < 4; ++i) {
    real corner[3] = {0, 0, 0}; axpy3(i & 1 ? geom_size(3 * g) : -geom_size(3 * g), x, corner); axpy3(i & 2 ? geom_size(3 * g + 1) : -geom_size(3 * g + 1), y, corner); axpy3(i & 4 ? geom_size(3 * g + 2) : -geom_size(3 * g + 2), z, corner);
    const real down = dot3(n, corner), dist = height + down;
    if (dist > margin || down > 0) continue;
    Point& p = out[count++]; p.dist = dist; copy3(n, p.normal); p.tangent[0] = p.tangent[1] = p.tangent[2] = 0;
    for (int k = 0; k < 3; ++k) p.pos[k] = corner[k] + c[k] - dist / 2 * n[k];
  }
  return count;
}
#endif

// Nearest points of two segments (a sphere is one of no length); parallel capsules touch at up to two pairs of points.
DEV_CALL int capsules(const Env& e, int g1, int g2, real margin, Point* out) {
  const real *c1 = e.w.geom + 4 * g1, *c2 = e.w.geom + 4 * g2; const real r1 = geom_size(3 * g1), r2 = geom_size(3 * g2);
  const real h1 = geom_type(g1) == GEOM_CAPSULE ? geom_size(3 * g1 + 1) : 0, h2 = geom_type(g2) == GEOM_CAPSULE ? geom_size(3 * g2 + 1) : 0;
  real a1[3] = {0, 0, 0}, a2[3] = {0, 0, 0}, z[3];
  if (h1 > 0) { geom_axis(e, g1, z); axpy3(h1, z, a1); }
  if (h2 > 0) { geom_axis(e, g2, z); axpy3(h2, z, a2); }
  real dif[3] = {c1[0] - c2[0], c1[1] - c2[1], c1[2] - c2[2]};
  const real ma = dot3(a1, a1), mb = -dot3(a1, a2), mc = dot3(a2, a2), u = -dot3(a1, dif), v = dot3(a2, dif), det = ma * mc - mb * mb;
  real x1 = 0, x2 = 0;
  auto touch = [&](real s1, real s2, Point& p) { real p1[3], p2[3]; copy3(c1, p1); axpy3(s1, a1, p1); copy3(c2, p2); axpy3(s2, a2, p2); return sphere_on_sphere(p1, r1, p2, r2, margin, p); };
  if (h1 == 0 || h2 == 0) { if (h2 > 0) x2 = r_clip(r_div(v, mc), -1, 1); if (h1 > 0) x1 = r_clip(r_div(u, ma), -1, 1); return touch(x1, x2, out[0]); }
  if (r_abs(det) >= PARALLEL * ma * mc && r_abs(det) >= MINVAL) {
    x1 = (mc * u - mb * v) / det; x2 = (ma * v - mb * u) / det;
    if (x1 > 1) { x1 = 1; x2 = (v - mb) / mc; } else if (x1 < -1) { x1 = -1; x2 = (v + mb) / mc; }
    if (x2 > 1) { x2 = 1; x1 = r_clip((u - mb) / ma, -1, 1); } else if (x2 < -1) { x2 = -1; x1 = r_clip((u + mb) / ma, -1, 1); }
    return touch(x1, x2, out[0]);
  }
  int count = 0;
  ROLLED for (int end = 0; end < 2; ++end) { const real s = end ? -1 : 1; if (touch(s, r_clip((v - s * mb) / mc, -1, 1), out[count])) ++count; }
  ROLLED for (int end = 0; end < 2 && count < 2; ++end) { const real s = end ? -1 : 1; if (touch(r_clip((u - s * mb) / ma, -1, 1), s, out[count])) ++count; }
  return count;
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
    Point points[MAXPOINTS]; int count = 0, pair = 0;
    if (k < nhit) {
      pair = w.hit[k]; const int g1 = pair_geom1(pair), g2 = pair_geom2(pair); const real margin = cls_margin(pair_cls(pair));
      if (geom_type(g1) == GEOM_PLANE) {
#if HAS_PLANE_BOX
        if (geom_type(g2) == GEOM_BOX) count = plane_box(e, g1, g2, margin, points); else
#endif
        count = plane_capsule(e, g1, g2, margin, points);
      } else count = capsules(e, g1, g2, margin, points);
      // contacts inside the gap make no rows
      int kept = 0; ROLLED for (int i = 0; i < count; ++i) if (points[i].dist < margin - cls_gap(pair_cls(pair))) { if (kept != i) points[kept] = points[i]; ++kept; }
      count = kept;
    }
    int slot = lane_slots(count, ncon);
    if (ncon <= NCON) ROLLED for (int i = 0; i < count; ++i, ++slot) {
      Point& p = points[i]; complete_frame(p); const int cls = pair_cls(pair);
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
