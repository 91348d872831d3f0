// Pairs of simple shapes in closed form, as `ligament-geom/src/pairs` computes them.
#pragma once
#include "kinematics.cuh"
#include "vector.cuh"

struct Point {
  real dist, pos[3], normal[3], tangent[3];
}; // tangent zero: any

// Few points stay in registers: all functions that make them are expanded in place, and none is reached by a computed
// index.
#define FEW_POINTS (MAXPOINTS <= 2)
#if FEW_POINTS
#define DEV_PAIR DEV
#else
#define DEV_PAIR DEV_CALL
#endif
struct Points {
  Point list[MAXPOINTS];
  int count;
  DEV_METHOD void add(const Point& p) {
    if (count >= MAXPOINTS) return;
    if (FEW_POINTS) {
      UNROLL for (int k = 0; k < MAXPOINTS; ++k)
        if (k == count) list[k] = p;
    } else list[count] = p;
    ++count;
  }
  DEV_METHOD void add(real dist, const RVec& pos, const RVec& normal) {
    Point p;
    p.dist = dist;
    for (int k = 0; k < 3; ++k) {
      p.pos[k] = pos[k];
      p.normal[k] = normal[k];
      p.tangent[k] = 0;
    }
    add(p);
  }
  DEV_METHOD Point at(int i) const {
    if (!FEW_POINTS) return list[i];
    Point p = list[0];
    UNROLL for (int k = 1; k < MAXPOINTS; ++k)
      if (k == i) p = list[k];
    return p;
  }
};

DEV Frame3<real> geom_frame(int g) {
  Frame3<real> f;
  real q[4] = {geom_quat(4 * g), geom_quat(4 * g + 1), geom_quat(4 * g + 2), geom_quat(4 * g + 3)}, Q[4];
  quat_mul(WORLD.pose + 8 * geom_bodyid(g) + 4, q, Q);
  quat_axes(Q, f.c[0].v, f.c[1].v, f.c[2].v);
  return f;
}
DEV RVec geom_axis(int g) {
  if (GEOM_AXES) return vec(GEOM_AT(g) + 4);
  return geom_frame(g).c[2];
}
DEV Solid solid(int g) {
  Solid s;
  s.pos = vec(GEOM_AT(g));
  s.size = vec(&geom_size(3 * g));
  s.frame = geom_frame(g);
  return s;
}

#if HAS_BOX_BOX || HAS_PLANE_CYLINDER || HAS_CONVEX
// Poses of geoms to the last digit that the state and the poses of bodies have: in the CPU's order of operations, so
// that shapes which touch exactly do so here too.
DEV void exact_unit(exact* q) {
  const exact n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const bool none = n < 1e-15;
  if (absolute(n - 1) <= 1e-15) return;
  const exact scale = 1 / n;
  for (int k = 0; k < 4; ++k) q[k] = none ? (exact)(k == 0) : q[k] * scale;
}
// Orientation of a body; that of a free one stands in qpos as it was given.
DEV void exact_turn(int body, exact* q) {
  const int j = body_jntadr(body);
  const bool is_free = body_jntnum(body) > 0 && jnt_type(j) == JNT_FREE;
  const real* from = is_free ? WORLD.qpos + jnt_qposadr(j) + 3 : WORLD.pose + 8 * body + 4;
  for (int k = 0; k < 4; ++k) q[k] = (exact)from[k];
  exact_unit(q);
}
DEV Frame3<exact> exact_axes(const exact* q) {
  const exact ww = q[0] * q[0], wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3], xx = q[1] * q[1],
              xy = q[1] * q[2], xz = q[1] * q[3], yy = q[2] * q[2], yz = q[2] * q[3], zz = q[3] * q[3];
  return {{{{ww + xx - yy - zz, 2 * (xy + wz), 2 * (xz - wy)}},
           {{2 * (xy - wz), ww - xx + yy - zz, 2 * (yz + wx)}},
           {{2 * (xz + wy), 2 * (yz - wx), ww - xx - yy + zz}}}};
}
DEV_CALL ExactSolid exact_solid(int g) {
  const int body = geom_bodyid(g);
  exact a[4], b[4], c[4];
  exact_turn(body, a);
  for (int k = 0; k < 4; ++k) b[k] = (exact)geom_quat(4 * g + k);
  exact_unit(b);
  c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  ExactSolid s;
  s.size = evec(&geom_size(3 * g));
  s.pos = exact_axes(a) * evec(&geom_pos(3 * g)) + evec(WORLD.pose + 8 * body);
  s.frame = exact_axes(c);
  return s;
}
#endif

// Orthogonal frame around a normal; the tangent follows the hint as far as it can.
DEV void complete_frame(Point& p) {
  real* n = p.normal;
  real* t = p.tangent;
  normalize3(n);
  if (dot3(t, t) < (real)0.25) {
    t[0] = t[2] = 0;
    t[1] = 1;
    if (!(n[1] < (real)0.5 && n[1] > (real)-0.5)) {
      t[1] = 0;
      t[2] = 1;
    }
  }
  axpy3(-dot3(n, t), n, t);
  normalize3(t);
}

// Writes contact `slot` of the world.
DEV void put_contact(int slot, int pair, Point p) {
  World& w = WORLD;
  const int cls = pair_cls(pair), g1 = pair_geom1(pair), g2 = pair_geom2(pair), from = pair_friction(pair);
  complete_frame(p);
  store4(w.con + 12 * slot, p.dist, p.pos[0], p.pos[1], p.pos[2]);
  store4(w.con + 12 * slot + 4, p.normal[0], p.normal[1], p.normal[2], p.tangent[0]);
  store4(w.con + 12 * slot + 8, p.tangent[1], p.tangent[2], 0, 0);
  w.con_b[2 * slot] = geom_bodyid(g1);
  w.con_b[2 * slot + 1] = geom_bodyid(g2);
  w.con_pair[slot] = pair;
  w.rank[slot] = HAS_COUPLING && body_moves(geom_bodyid(g1)) && body_moves(geom_bodyid(g2)) ? COUPLES : 0;
  UNROLL for (int d = 1; d < DIMMAX; ++d) {
    const int c = d < 3 ? 0 : d == 3 ? 1 : 2;
    const real f1 = geom_friction(3 * g1 + c), f2 = geom_friction(3 * g2 + c);
    w.fri[PAD4(DIMMAX) * slot + d] = r_max((real)1e-5, from == 3   ? cls_friction(5 * cls + d - 1)
                                                       : from == 1 ? f1
                                                       : from == 2 ? f2
                                                                   : r_max(f1, f2));
  }
}
// contacts inside the gap make no rows
DEV bool makes_rows(int pair, real dist) {
  const int cls = pair_cls(pair);
  return dist < cls_margin(cls) - cls_gap(cls);
}
// but bodies adhere there as well: then such contacts stand in the list, without weight
DEV bool is_listed(int pair, real dist) { return HAS_ADHESION_GAP || makes_rows(pair, dist); }
#if HAS_CONVEX
// A contact that all lanes have found together; where there is no room it is counted only.
DEV_CALL void emit(int pair, real dist, RVec pos, RVec normal, int& ncon) {
  if (!is_listed(pair, dist)) return;
  Point p;
  p.dist = dist;
  for (int k = 0; k < 3; ++k) {
    p.pos[k] = pos[k];
    p.normal[k] = normal[k];
    p.tangent[k] = 0;
  }
  if (ncon < NCON && FIRST_LANE) put_contact(ncon, pair, p);
  ++ncon;
}
#endif

DEV bool sphere_on_plane(const RVec& at, const RVec& normal, const RVec& centre, real radius, real margin, Point& p) {
  const real height = dot(centre - at, normal);
  if (height > margin + radius) return false;
  p.dist = height - radius;
  const RVec pos = centre - (p.dist / 2 + radius) * normal;
  for (int k = 0; k < 3; ++k) {
    p.pos[k] = pos[k];
    p.normal[k] = normal[k];
    p.tangent[k] = 0;
  }
  return true;
}
DEV bool sphere_on_sphere(const RVec& a, real ra, const RVec& b, real rb, real margin, Point& p) {
  RVec n = b - a;
  const real d2 = dot(n, n), reach = margin + ra + rb;
  if (d2 > reach * reach) return false;
  const real d = r_sqrt(d2);
  p.dist = d - ra - rb;
  if (d < MINVAL) n = {{1, 0, 0}};
  else n = (1 / d) * n;
  const RVec pos = a + (ra + p.dist / 2) * n;
  for (int k = 0; k < 3; ++k) {
    p.pos[k] = pos[k];
    p.normal[k] = n[k];
    p.tangent[k] = 0;
  }
  return true;
}

DEV_PAIR void plane_capsule(int plane, int g, real margin, Points& out) {
  const RVec n = geom_axis(plane), axis = geom_axis(g), at = vec(GEOM_AT(plane)), centre = vec(GEOM_AT(g));
  const real half = geom_type(g) == GEOM_CAPSULE ? geom_size(3 * g + 1) : 0;
  ROLLED for (int end = 0; end < (half > 0 ? 2 : 1); ++end) {
    Point p;
    if (!sphere_on_plane(at, n, centre + (end ? -half : half) * axis, geom_size(3 * g), margin, p)) continue;
    if (half > 0)
      for (int k = 0; k < 3; ++k) p.tangent[k] = axis[k];
    out.add(p);
  }
}

#if HAS_PLANE_BOX
DEV_PAIR void plane_box(int plane, int g, real margin, Points& out) {
  const Solid p = solid(plane), b = solid(g);
  const RVec n = p.frame.c[2];
  const real height = dot(b.pos - p.pos, n);
  ROLLED for (int i = 0; i < 8 && out.count < 4; ++i) {
    const RVec corner = b.frame * RVec{{i & 1 ? b.size[0] : -b.size[0], i & 2 ? b.size[1] : -b.size[1],
                                        i & 4 ? b.size[2] : -b.size[2]}};
    const real down = dot(n, corner), dist = height + down;
    if (dist <= margin && down <= 0) out.add(dist, corner + b.pos + (-dist / 2) * n, n);
  }
}
#endif

// Nearest points of two segments (a sphere is one of no length); parallel capsules touch at up to two pairs of points.
DEV_PAIR void capsules(int g1, int g2, real margin, Points& out) {
  const RVec c1 = vec(GEOM_AT(g1)), c2 = vec(GEOM_AT(g2));
  const real r1 = geom_size(3 * g1), r2 = geom_size(3 * g2);
  const real h1 = geom_type(g1) == GEOM_CAPSULE ? geom_size(3 * g1 + 1) : 0,
             h2 = geom_type(g2) == GEOM_CAPSULE ? geom_size(3 * g2 + 1) : 0;
  const RVec none = {{0, 0, 0}}, a1 = h1 > 0 ? h1 * geom_axis(g1) : none, a2 = h2 > 0 ? h2 * geom_axis(g2) : none,
             dif = c1 - c2;
  const real ma = dot(a1, a1), mb = -dot(a1, a2), mc = dot(a2, a2), u = -dot(a1, dif), v = dot(a2, dif),
             det = ma * mc - mb * mb;
  // candidates: pairs of places on the segments; all but those of parallel capsules have one
  real x1 = 0, x2 = 0;
  const bool parallel = h1 > 0 && h2 > 0 && !(r_abs(det) >= PARALLEL * ma * mc && r_abs(det) >= MINVAL);
  if (h1 == 0 || h2 == 0) {
    if (h2 > 0) x2 = r_clip(r_div(v, mc), -1, 1);
    if (h1 > 0) x1 = r_clip(r_div(u, ma), -1, 1);
  } else if (!parallel) {
    x1 = (mc * u - mb * v) / det;
    x2 = (ma * v - mb * u) / det;
    if (x1 > 1) {
      x1 = 1;
      x2 = (v - mb) / mc;
    } else if (x1 < -1) {
      x1 = -1;
      x2 = (v + mb) / mc;
    }
    if (x2 > 1) {
      x2 = 1;
      x1 = r_clip((u - mb) / ma, -1, 1);
    } else if (x2 < -1) {
      x2 = -1;
      x1 = r_clip((u + mb) / ma, -1, 1);
    }
  }
  ROLLED for (int k = 0; k < (parallel ? 4 : 1) && out.count < 2; ++k) {
    if (parallel) {
      const real s = k & 1 ? -1 : 1;
      if (k < 2) {
        x1 = s;
        x2 = r_clip((v - s * mb) / mc, -1, 1);
      } else {
        x2 = s;
        x1 = r_clip((u - s * mb) / ma, -1, 1);
      }
    }
    Point p;
    if (sphere_on_sphere(c1 + x1 * a1, r1, c2 + x2 * a2, r2, margin, p)) out.add(p);
  }
}

#if HAS_PLANE_ELLIPSOID
DEV_PAIR void plane_ellipsoid(int plane, int g, real margin, Points& out) {
  const Solid p = solid(plane), s = solid(g);
  const RVec n = p.frame.c[2];
  RVec low = to_local(s.frame, -n);
  for (int k = 0; k < 3; ++k) low[k] *= s.size[k];
  make_unit(low);
  for (int k = 0; k < 3; ++k) low[k] *= s.size[k];
  const RVec point = s.frame * low + s.pos;
  const real dist = dot(n, point - p.pos);
  if (dist <= margin) out.add(dist, point + (real)-0.5 * dist * n, n);
}
#endif

#if HAS_PLANE_CYLINDER
#define PARALLEL_DISK ((exact)1e-24) // sine squared below which the disk counts as parallel to the plane
// The lowest rim point, the point above it on the other disk, and two more that complete a triangle on the lower disk.
// In double precision: where the disk is about parallel to the plane, its lowest point is a difference of vectors that
// are almost alike.
DEV_PAIR void plane_cylinder(int plane, int g, exact margin, Points& out) {
  const ExactSolid p = exact_solid(plane), s = exact_solid(g);
  const EVec n = p.frame.c[2];
  const exact radius = s.size[0], half = s.size[1];
  EVec axis = s.frame.c[2];
  exact along = dot(n, axis);
  if (along > 0) {
    axis = -axis;
    along = -along;
  }
  const exact height = dot(s.pos - p.pos, n);
  EVec rim = along * axis - n;
  const exact flat = dot(rim, rim);
  rim = flat >= PARALLEL_DISK ? (radius / sqrt(flat)) * rim : radius * s.frame.c[0];
  const exact down = dot(rim, n);
  axis = half * axis;
  along *= half;
  auto add = [&](exact dist, const EVec& at) { out.add((real)dist, rounded(at + (exact)-0.5 * dist * n), rounded(n)); };
  const exact lowest = height + along + down, above = height - along + down, side = height + along - (exact)0.5 * down;
  if (!(lowest <= margin)) return;
  add(lowest, s.pos + rim + axis);
  if (above <= margin) add(above, s.pos + rim - axis);
  if (side > margin) return;
  const EVec beside = (radius * (exact)0.86602540378443865) * unit(cross(rim, axis));
  add(side, s.pos + beside + axis + (exact)-0.5 * rim);
  add(side, s.pos - beside + axis + (exact)-0.5 * rim);
}
#endif

#if HAS_SPHERE_CYLINDER
// Nearest feature of the cylinder: wall (a sphere around the axis), cap (a plane) or rim (a point).
DEV_PAIR void sphere_cylinder(int g, int cylinder, real margin, Points& out) {
  const Solid s = solid(g), c = solid(cylinder);
  const real radius = c.size[0], half = c.size[1], r = s.size[0];
  const RVec axis = c.frame.c[2], off = s.pos - c.pos;
  const real x = dot(axis, off);
  const RVec radial = off - x * axis;
  const real radial2 = dot(radial, radial);
  bool wall = r_abs(x) < half, cap = radial2 < radius * radius;
  if (wall && cap) {
    if (half - r_abs(x) < radius - r_sqrt(radial2)) wall = false;
    else cap = false;
  }
  Point p;
  if (wall) {
    if (sphere_on_sphere(s.pos, r, c.pos + x * axis, radius, margin, p)) out.add(p);
  } else if (cap) {
    const RVec n = x > 0 ? axis : -axis, at = c.pos + half * n;
    if (sphere_on_plane(at, n, s.pos, r, margin, p)) {
      for (int k = 0; k < 3; ++k) p.normal[k] = -p.normal[k];
      out.add(p);
    }
  } else {
    const RVec corner = (x > 0 ? half : -half) * axis + (radius / r_sqrt(radial2)) * radial + c.pos;
    if (sphere_on_sphere(s.pos, r, corner, 0, margin, p)) out.add(p);
  }
}
#endif

#if HAS_SPHERE_BOX
// The nearest point of the box, or the nearest face when the centre is inside.
DEV_PAIR void sphere_box(const RVec& at, real radius, const Solid& box, real margin, Points& out) {
  const RVec centre = to_local(box.frame, at - box.pos);
  RVec nearest = centre;
  for (int k = 0; k < 3; ++k)
    if (box.size[k] > 0) nearest[k] = clipped(centre[k], -box.size[k], box.size[k]);
  RVec toward = nearest - centre;
  const real dist = make_unit(toward);
  if (dist - radius > margin) return;
  RVec pos;
  real depth = dist;
  if (dist <= MINVAL) {
    real closest = 2 * (box.size[0] + box.size[1] + box.size[2]);
    int face = 0;
    for (int i = 0; i < 6; ++i) {
      const real d = r_abs((i & 1 ? box.size[i / 2] : -box.size[i / 2]) - centre[i / 2]);
      if (closest > d) {
        closest = d;
        face = i;
      }
    }
    toward = {{0, 0, 0}};
    toward[face / 2] = face & 1 ? -1 : 1;
    depth = -closest;
    pos = centre + ((radius - closest) / 2) * toward;
  } else pos = (real)0.5 * (nearest + centre + radius * toward);
  out.add(depth - radius, box.frame * pos + box.pos, box.frame * toward);
}
#endif

#if HAS_CAPSULE_BOX
// The segment of a capsule in the frame of a box: `pos + x half`, x in [-1, 1].
struct Segment {
  RVec pos, axis, half, size;
  real length;
  int direction;
};
enum { FEATURE_NONE, FEATURE_FACE, FEATURE_EDGE, FEATURE_CORNER };
struct Feature {
  real x, edge_x;
  int kind, axis, corner;
}; // nearest feature of the box, and where on the segment

DEV int clip_part(real& x) {
  if (x > 1) {
    x = 1;
    return 1;
  }
  if (x < -1) {
    x = -1;
    return -1;
  }
  return 0;
}

// Nearest points of the segment and the edge along `axis` from `corner`; false when they are parallel.
DEV bool segment_to_edge(const Segment& s, int axis, int corner, real& dist2, real& edge_x, int& part, real& x) {
  RVec gap;
  for (int k = 0; k < 3; ++k) gap[k] = (k == axis ? 0 : corner >> k & 1 ? s.size[k] : -s.size[k]) - s.pos[k];
  const real ee = s.size[axis] * s.size[axis], ea = -s.size[axis] * s.half[axis], aa = s.length * s.length;
  const real eg = -s.size[axis] * gap[axis], ag = dot(s.half, gap), det = ee * aa - ea * ea;
  if (r_abs(det) < MINVAL) return false;
  edge_x = (aa * eg - ea * ag) / det;
  part = clip_part(edge_x);
  x = part == 0 ? (ee * ag - ea * eg) / det : part > 0 ? (ag - ea) / aa : (ag + ea) / aa;
  const int cut = clip_part(x);
  if (cut != 0) {
    edge_x = (cut > 0 ? eg - ea : eg + ea) / ee;
    const int again = clip_part(edge_x);
    if (again != 0) part = again;
  }
  RVec between = gap - x * s.half;
  between[axis] += s.size[axis] * edge_x;
  dist2 = dot(between, between);
  return true;
}
DEV_CALL Feature nearest_feature(const Segment& s, real limit) {
  Feature f;
  f.kind = FEATURE_NONE;
  f.x = f.edge_x = 0;
  f.axis = f.corner = 0;
  real best = limit;
  ROLLED for (int end = -1; end <= 1; end += 2) {
    const RVec p = s.pos + (real)end * s.half;
    int outside = 0, face = -1;
    real d2 = 0;
    for (int k = 0; k < 3; ++k) {
      const real over = r_abs(p[k]) - s.size[k];
      if (over > 0) {
        ++outside;
        face = k;
        d2 += over * over;
      }
    }
    if (outside <= 1 && d2 < best) {
      best = d2;
      f.x = end;
      f.kind = FEATURE_FACE;
      f.axis = face;
    }
  }
  ROLLED for (int axis = 0; axis < 3; ++axis) ROLLED
    for (int corner = 0; corner < 8; ++corner)
      if (!(corner >> axis & 1)) {
        real d2, edge_x, x;
        int part;
        if (segment_to_edge(s, axis, corner, d2, edge_x, part, x) &&
            d2 < best - MINVAL) { // decides when the segment is parallel to a face
          best = d2;
          f.x = x;
          f.edge_x = edge_x;
          f.axis = axis;
          f.kind = part == 0 ? FEATURE_EDGE : FEATURE_CORNER;
          f.corner = part > 0 ? corner | 1 << axis : corner;
        }
      }
  return f;
}
// From a corner: along an edge of the box, or over a face, or nowhere when the axis points at the corner.
DEV bool step_from_corner(const Segment& s, const Feature& f, real& step) {
  const int relative = s.direction ^ f.corner;
  if (relative == 0 || relative == 7) return false;
  const bool single = relative == 1 || relative == 2 || relative == 4;
  const int bit = single ? relative : 7 - relative, axis = bit >> 1;
  const real sign = single ? 1 : -1, ahead = 1 - sign * f.x, behind = 1 + sign * f.x;
  auto reach = [&](int k) { return 2 * s.size[k] / r_abs(s.half[k]); };
  if (s.axis[axis] * s.axis[axis] > (real)0.5) step = sign * r_min(ahead, reach(axis));
  else step = -sign * r_min(behind, r_min(reach((axis + 1) % 3), reach((axis + 2) % 3)));
  return true;
}
// From the middle of an edge: over the face that is flatter to the segment, when both cross in an X.
DEV bool step_from_edge(const Segment& s, const Feature& f, real& step) {
  const int relative = (s.direction ^ f.corner) & (7 - (1 << f.axis));
  if (relative != 1 && relative != 2 && relative != 4) return false;
  const int b0 = (f.axis + 1) % 3, b1 = (f.axis + 2) % 3, across = r_abs(s.axis[b0]) > r_abs(s.axis[b1]) ? b0 : b1;
  const bool forward = relative >> across & 1, along = s.direction >> f.axis & 1;
  const real sign = forward ? 1 : -1;
  const real left = along == forward ? 1 - f.edge_x : 1 + f.edge_x;
  step = sign * r_min(r_min(1 - sign * f.x, 2 * s.size[across] / r_abs(s.half[across])),
                      s.size[f.axis] * left / r_abs(s.half[f.axis]));
  return true;
}
// From an end over a face: to the farthest point that is still above it.
DEV bool step_over_face(const Segment& s, const Feature& f, real& step) {
  if (f.axis < 0) return false;
  const real sign = -f.x;
  const RVec start = s.pos - sign * s.half;
  step = 2;
  for (int k = 0; k < 3; ++k)
    if (k != f.axis)
      for (int wall = -1; wall <= 1; wall += 2) {
        const real x = (wall * s.size[k] - start[k]) / s.half[k] * sign;
        if (x > 0 && x < step) step = x;
      }
  step *= sign;
  return true;
}
DEV_PAIR void capsule_box(int g1, int g2, real margin, Points& out) {
  const Solid capsule = solid(g1), box = solid(g2);
  const real radius = capsule.size[0];
  Segment s;
  s.length = capsule.size[1];
  s.axis = to_local(box.frame, capsule.frame.c[2]);
  s.half = s.length * s.axis;
  s.pos = to_local(box.frame, capsule.pos - box.pos);
  s.size = box.size;
  s.direction = (s.half[0] > 0) | (s.half[1] > 0) << 1 | (s.half[2] > 0) << 2;
  const Feature f = nearest_feature(s, margin + 2 * (radius + s.length + s.size[0] + s.size[1] + s.size[2]));
  if (f.kind == FEATURE_NONE) return;
  real step = 0;
  const bool second = f.kind == FEATURE_CORNER ? step_from_corner(s, f, step)
                      : f.kind == FEATURE_EDGE ? step_from_edge(s, f, step)
                                               : step_over_face(s, f, step);
  sphere_box(box.frame * (s.pos + f.x * s.half) + box.pos, radius, box, margin, out);
  if (second) sphere_box(box.frame * (s.pos + (f.x + step) * s.half) + box.pos, radius, box, margin, out);
}
#endif
