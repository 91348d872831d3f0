// Shortest paths of tendons around spheres and cylinders, as `ligament-sim/src/wrap.rs`: found in the plane of a circle
// around the origin. Outside: two tangents and an arc. With a side site inside the obstacle: one point of the circle
// from inside.
#pragma once
#include "primitive.cuh"

#if HAS_WRAP
struct Flat {
  real x, y;
};
DEV Flat operator+(Flat a, Flat b) { return {a.x + b.x, a.y + b.y}; }
DEV Flat operator-(Flat a, Flat b) { return {a.x - b.x, a.y - b.y}; }
DEV Flat operator*(real s, Flat a) { return {s * a.x, s * a.y}; }
DEV real dot(Flat a, Flat b) { return a.x * b.x + a.y * b.y; }
DEV real turn_of(Flat a, Flat b) { return a.x * b.y - a.y * b.x; }
DEV Flat unit(Flat a) {
  const real n = r_sqrt(dot(a, a));
  return n < MINVAL ? Flat{1, 0} : (1 / n) * a;
}
struct Arc {
  real length;
  Flat p[2];
};

DEV bool segments_cross(Flat p, Flat p_end, Flat q, Flat q_end) {
  const Flat u = p_end - p, v = q_end - q, between = p - q;
  const real det = v.y * u.x - v.x * u.y;
  if (r_abs(det) < MINVAL) return false;
  const real a = turn_of(v, between) / det, b = turn_of(u, between) / det;
  return a >= 0 && a <= 1 && b >= 0 && b <= 1;
}
// Where a line from an outer point touches the circle; `across` is the radius on a clockwise way, its opposite else.
DEV Flat tangent_point(Flat from, real r, real across) {
  const real d2 = dot(from, from), tangent = r_sqrt(d2 - r * r);
  return {(from.x * r * r + across * from.y * tangent) / d2, (from.y * r * r - across * from.x * tangent) / d2};
}
// Path around the outside; false when the straight line is free. A side site must be passed on its side.
DEV_CALL bool wrap_outside(const Flat* ends, real r, bool sided, Flat side, Arc& arc) {
  const real r2 = r * r;
  if (dot(ends[0], ends[0]) < r2 || dot(ends[1], ends[1]) < r2 || r < MINVAL) return false;
  const Flat segment = ends[1] - ends[0];
  const real len2 = dot(segment, segment);
  if (len2 < MINVAL) return false;
  const Flat near = ends[0] + r_clip(-dot(segment, ends[0]) / len2, 0, 1) * segment;
  if (dot(near, near) > r2 && (!sided || dot(side, near) >= 0)) return false;
  real best = 0;
  bool crossing = true, back = false;
  ROLLED for (int way = 0; way < 2; ++way) {
    const real across = way ? -r : r;
    const Flat p = tangent_point(ends[0], r, across), q = tangent_point(ends[1], r, -across);
    const bool cross = segments_cross(ends[0], p, ends[1], q);
    const real merit = cross ? (real)-10000 : sided ? dot(unit(p + q), side) : -dot(p - q, p - q);
    if (way == 0 || !(best > merit)) {
      best = merit;
      crossing = cross;
      back = way;
      arc.p[0] = p;
      arc.p[1] = q;
    }
  }
  const real turn = turn_of(arc.p[0], arc.p[1]), angle = r_atan2(r_abs(turn), dot(arc.p[0], arc.p[1]));
  arc.length = r * ((back ? turn < 0 : turn > 0) ? 2 * PI - angle : angle);
  return !crossing;
}
// Newton's method for the sine at which both lines make equal angles with the radius; false: no solution. In single
// precision by the angle: what is left is concave in it, and from beyond the root few steps come down to it.
DEV bool reflection_sine(real a, real b, real gap, real& z) {
  if (sizeof(real) == 4) {
    auto excess = [&](real s, real angle) { return r_asin(a * s) + r_asin(b * s) - 2 * angle + gap; };
    if (excess(1, PI / 2) > 0) return false;
    real angle = r_min(gap / r_max(2 - a - b, (real)1e-4), PI / 2), s, c;
    ROLLED for (int k = 0; k < 8; ++k) {
      r_sincos(angle, s, c);
      const real left = excess(s, angle), slope = a * c * r_rsqrt(r_max(1 - a * a * s * s, (real)1e-12)) +
                                                  b * c * r_rsqrt(r_max(1 - b * b * s * s, (real)1e-12)) - 2;
      const real step = left / r_min(slope, (real)-1e-4);
      angle = r_clip(angle - step, 0, PI / 2);
      if (r_abs(step) < (real)1e-6) break;
    }
    r_sincos(angle, s, c);
    z = s;
    return true;
  }
  const real tolerance = 1e-6;
  z = 1 - (real)1e-7;
  auto excess = [&](real z) { return r_asin(a * z) + r_asin(b * z) - 2 * r_asin(z) + gap; };
  auto slope_of = [](real k, real z) { return k / r_max(r_sqrt(1 - z * z * k * k), MINVAL); };
  real value = excess(z);
  if (value > 0) return false;
  ROLLED for (int k = 0; k < 20; ++k) {
    if (r_abs(value) <= tolerance) return true;
    const real slope = slope_of(a, z) + slope_of(b, z) - 2 * slope_of(1, z), next = z - value / slope;
    if (slope > -MINVAL || next > z) return false;
    z = next;
    value = excess(z);
    if (value > tolerance) return false;
  }
  return false;
}
DEV_CALL bool touch_inside(const Flat* ends, real r, Arc& arc) {
  const real d0 = r_sqrt(dot(ends[0], ends[0])), d1 = r_sqrt(dot(ends[1], ends[1]));
  if (r < MINVAL || d0 <= r || d1 <= r) return false;
  const Flat segment = ends[1] - ends[0];
  const real len2 = dot(segment, segment);
  if (len2 > MINVAL) {
    const real along = -dot(segment, ends[0]) / len2;
    const Flat near = ends[0] + along * segment;
    if (along > 0 && along < 1 && r_sqrt(dot(near, near)) <= r) return false;
  }
  const real cosine = (d0 * d0 + d1 * d1 - len2) / (2 * d0 * d1);
  if (cosine < -1 + MINVAL) return false;
  real z;
  Flat touch = r * unit((real)0.5 * (ends[0] + ends[1])); // without a solution: half way
  if (!(cosine > 1 - MINVAL) &&
      reflection_sine(r / d0, r / d1, r_atan2(r_sqrt(r_max(0, 1 - cosine * cosine)), cosine), z)) {
    const int first = !(turn_of(ends[0], ends[1]) > 0);
    real s, c;
    r_sincos(r_asin(z) - r_asin(r / (first ? d1 : d0) * z), s, c);
    const Flat u = unit(ends[first]);
    touch = {r * (c * u.x - s * u.y), r * (s * u.x + c * u.y)};
  }
  arc.length = 0;
  arc.p[0] = arc.p[1] = touch;
  return true;
}
// Wraps the path between two points around a geom; false when it does not touch. `points` receives the ends of the arc.
DEV_CALL bool wrap_around(const RVec& start, const RVec& end, const Solid& s, bool cylinder, const RVec* site,
                          RVec* points, real& len) {
  const RVec p = to_local(s.frame, start - s.pos), q = to_local(s.frame, end - s.pos);
  const real r = s.size[0];
  if (length(p) < MINVAL || length(q) < MINVAL) return false;
  RVec x = {{1, 0, 0}}, y = {{0, 1, 0}};
  if (!cylinder) {
    x = unit(p);
    RVec n = cross(p, q);
    if (make_unit(n) < MINVAL) {
      const real ax = r_abs(x[0]), ay = r_abs(x[1]), az = r_abs(x[2]);
      n = unit(cross(x, az > ax && az > ay ? RVec{{1, 1, 0}} : ay > ax && ay > az ? RVec{{1, 0, 1}} : RVec{{0, 1, 1}}));
    }
    y = unit(cross(n, x));
  }
  const Flat ends[2] = {{dot(p, x), dot(p, y)}, {dot(q, x), dot(q, y)}};
  Arc arc;
  Flat side = {0, 0};
  bool inside = false;
  if (site) {
    const RVec local = to_local(s.frame, *site - s.pos);
    inside = length(local) < r;
    side = r * unit(Flat{dot(local, x), dot(local, y)});
  }
  if (!(inside ? touch_inside(ends, r, arc) : wrap_outside(ends, r, site != nullptr, side, arc))) return false;
  len = arc.length;
  real height[2] = {0, 0};
  if (cylinder) { // the path climbs evenly along its unrolled length
    const Flat before = Flat{p[0], p[1]} - arc.p[0], after = Flat{q[0], q[1]} - arc.p[1];
    const real b = r_sqrt(dot(before, before)), unrolled = b + len + r_sqrt(dot(after, after)), rise = q[2] - p[2];
    height[0] = p[2] + rise * b / unrolled;
    height[1] = p[2] + rise * (b + len) / unrolled;
    const real up = height[1] - height[0];
    len = r_sqrt(len * len + up * up);
  }
  for (int k = 0; k < 2; ++k) {
    RVec at = arc.p[k].x * x + arc.p[k].y * y;
    if (cylinder) at[2] = height[k];
    points[k] = s.frame * at + s.pos;
  }
  return true;
}
#endif
