// Box against box: the separating axis of least penetration, then the incident face clipped by the reference face, or, when
// two edges touch, both faces next to them compared along the axis. As `ligament-geom/src/pairs/box_box.rs`.
#pragma once
#include "primitive.cuh"

#if HAS_BOX_BOX
struct BoxPair { Solid a, b; RVec pos21, pos12; Frame3<real> rot; real margin; }; // rot: frame of b in that of a
DEV real rot_at(const BoxPair& p, int row, int column) { return p.rot.c[column][row]; }

// Least axis found: a face 0..5 (axis, +3 for its negative side) of one box, or the product of two edges.
struct LeastAxis { int kind, face, edge1, edge2, side1, side2; RVec axis; bool inverted; };
enum { AXIS_NONE, AXIS_FACE_A, AXIS_FACE_B, AXIS_EDGES };
#define EDGE_WINS ((real)1 - (sizeof(real) == 4 ? (real)1e-5 : (real)1e-12)) // a face wins unless an edge is clearly better
#define PARALLEL_EDGES (sizeof(real) == 4 ? (real)1e-4 : MINVAL)

// Overlap along the product of edge i of the first and edge j of the second box; false when they are parallel.
DEV bool edge_overlap(const BoxPair& p, int i, int j, real& overlap, RVec& axis, bool& inverted) {
  const RVec o = p.rot.c[j]; axis = i == 0 ? RVec{{0, -o[2], o[1]}} : i == 1 ? RVec{{o[2], 0, -o[0]}} : RVec{{-o[1], o[0], 0}};
  const real len = make_unit(axis); if (len < PARALLEL_EDGES) return false;
  const real centre = dot(p.pos21, axis); overlap = -r_abs(centre); inverted = centre < 0;
  for (int k = 0; k < 3; ++k) { if (k != i) overlap += p.a.size[k] * r_abs(axis[k]); if (k != j) overlap += p.b.size[k] * r_abs(rot_at(p, i, 3 - k - j)) / len; }
  return true;
}
// Sides (a bit a direction) on which the touching edges lie.
DEV void edge_sides(const BoxPair& p, LeastAxis& l) {
  const int i = l.edge1, j = l.edge2; l.side1 = l.side2 = 0;
  for (int k = 0; k < 3; ++k) {
    if (k != i && (l.axis[k] > 0) != l.inverted) l.side1 |= 1 << k;
    if (k != j && (((rot_at(p, i, 3 - k - j) > 0) != l.inverted) != ((k + 3 - j) % 3 == 1))) l.side2 |= 1 << k;
  }
}
DEV_CALL bool least_axis(const BoxPair& p, LeastAxis& l) {
  real least = p.margin; for (int k = 0; k < 3; ++k) least += 3 * (p.a.size[k] + p.b.size[k]);
  l.kind = AXIS_NONE;
  ROLLED for (int i = 0; i < 3; ++i) {
    real over1 = p.a.size[i] - r_abs(p.pos21[i]), over2 = p.b.size[i] - r_abs(p.pos12[i]);
    for (int k = 0; k < 3; ++k) { over1 += r_abs(rot_at(p, i, k)) * p.b.size[k]; over2 += r_abs(rot_at(p, k, i)) * p.a.size[k]; }
    if (over1 < -p.margin || over2 < -p.margin) return false;
    if (over1 < least) { least = over1; l.kind = AXIS_FACE_A; l.face = i + 3 * (p.pos21[i] < 0); }
    if (over2 < least) { least = over2; l.kind = AXIS_FACE_B; l.face = i + 3 * (p.pos12[i] < 0); }
  }
  ROLLED for (int i = 0; i < 3; ++i) ROLLED for (int j = 0; j < 3; ++j) {
    real over; RVec axis; bool inverted; if (!edge_overlap(p, i, j, over, axis, inverted)) continue;
    if (over < -p.margin) return false;
    if (over < least * EDGE_WINS) { least = over; l.kind = AXIS_EDGES; l.edge1 = i; l.edge2 = j; l.axis = axis; l.inverted = inverted; edge_sides(p, l); }
  }
  return l.kind != AXIS_NONE;
}

// Signed permutation that turns a face of a box upwards (+z).
struct Turn {
  int at[3]; real sign[3];
  DEV_METHOD Turn(int face) {
    const int axis = face % 3, low = face >= 3; at[0] = axis == 0 ? 2 : 0; at[1] = axis == 1 ? 2 : 1; at[2] = axis;
    sign[0] = axis == 0 ? (low ? 1 : -1) : axis == 1 ? 1 : low ? -1 : 1; sign[1] = axis == 1 && !low ? -1 : 1; sign[2] = low ? -1 : 1;
  }
  DEV_METHOD RVec operator()(const RVec& a) const { return {{a[at[0]] * sign[0], a[at[1]] * sign[1], a[at[2]] * sign[2]}}; }
  DEV_METHOD RVec back(const RVec& a) const { RVec o; for (int k = 0; k < 3; ++k) o[at[k]] = a[k] * sign[k]; return o; }
};
DEV RVec absolute(const RVec& a) { return {{r_abs(a[0]), r_abs(a[1]), r_abs(a[2])}}; }

// Points of a clipped face in the frame of the reference face (z: height above it), and their distances.
struct Clip {
  RVec point[24]; real dist[24]; int count;
  DEV_METHOD void add(const RVec& p, real d) { if (count < 24) { point[count] = p; dist[count++] = d; } }
};
DEV bool in_unit(real x) { return x >= 0 && x <= 1; }

// Crossings of the line `start + x along`, x in [0, 1], with the sides of the rectangle: `found(x, wall, q, y)`.
template <class F> DEV void cross_rectangle(const RVec& start, const RVec& along, const RVec& half, F found) {
  ROLLED for (int q = 0; q < 2; ++q) {
    if (r_abs(along[q]) <= MINVAL) continue;
    ROLLED for (int sign = -1; sign <= 1; sign += 2) {
      const real wall = sign * half[q], x = (wall - start[q]) / along[q], y = start[1 - q] + along[1 - q] * x;
      if (in_unit(x) && r_abs(y) <= half[1 - q]) found(x, wall, q, y);
    }
  }
}
// Corner i of the reference rectangle in the coordinates u, v of a parallelogram.
DEV void corner_in(const RVec& half, int i, const RVec& origin, const RVec& e1, const RVec& e2, real det, RVec& corner, real& u, real& v) {
  corner = {{i / 2 ? half[0] : -half[0], i % 2 ? half[1] : -half[1], 0}}; const real x = corner[0] - origin[0], y = corner[1] - origin[1];
  u = (x * e2[1] - y * e2[0]) / det; v = (y * e1[0] - x * e1[1]) / det;
}

DEV_CALL void face_contacts(const BoxPair& p, int face, bool of_b, Points& out) {
  const Turn turn(face); const Solid& owner = of_b ? p.b : p.a; const RVec half = absolute(turn(owner.size)), size = of_b ? p.a.size : p.b.size;
  RVec column[3]; for (int k = 0; k < 3; ++k) column[k] = turn(of_b ? RVec{{rot_at(p, k, 0), rot_at(p, k, 1), rot_at(p, k, 2)}} : p.rot.c[k]);
  RVec corner = turn(of_b ? p.pos12 : p.pos21), edge[2]; corner[2] -= half[2]; int edges = 0; edge[0] = edge[1] = {{0, 0, 0}};
  // the deepest corner, and the edges from it that are flatter than 30 degrees
  for (int k = 0; k < 3; ++k) corner = corner + (column[k][2] < 0 ? size[k] : -size[k]) * column[k];
  for (int k = 0; k < 3; ++k) if (r_abs(column[k][2]) < (real)0.5 && edges < 2) edge[edges++] = (column[k][2] < 0 ? -2 * size[k] : 2 * size[k]) * column[k];
  Clip clip; clip.count = 0;
  const RVec along = corner + edge[0], aside = corner + edge[1];
  ROLLED for (int line = 0; line < (edges == 2 ? 4 : edges); ++line) {
    const RVec start = line < 2 ? corner : line == 2 ? along : aside, way = line == 1 || line == 2 ? edge[1] : edge[0];
    cross_rectangle(start, way, half, [&](real x, real, int, real) { clip.add(start + x * way, 0); });
  }
  if (edges == 2) {
    const real det = edge[0][0] * edge[1][1] - edge[1][0] * edge[0][1];
    ROLLED for (int i = 0; i < 4; ++i) { RVec c; real u, v; corner_in(half, i, corner, edge[0], edge[1], det, c, u, v); if (u > 0 && v > 0 && u < 1 && v < 1) { c[2] = corner[2] + u * edge[0][2] + v * edge[1][2]; clip.add(c, 0); } }
  }
  clip.add(corner, 0);
  ROLLED for (int i = 0; i < (edges == 2 ? 3 : edges); ++i) { const RVec c = i == 0 ? along : i == 1 ? aside : along + edge[1]; if (c[0] > -half[0] && c[0] < half[0] && c[1] > -half[1] && c[1] < half[1]) clip.add(c, 0); }
  const RVec up = owner.frame * turn.back({{0, 0, 1}}), normal = of_b ? -up : up;
  ROLLED for (int i = 0; i < clip.count; ++i) {
    RVec c = clip.point[i]; const real height = c[2]; if (height > p.margin) continue;
    c[2] = (real)0.5 * height + half[2]; out.add(height, owner.frame * turn.back(c) + owner.pos, normal);
  }
}

// The two directions beside `edge`: the one with the larger value first.
DEV void other_axes(int edge, real v0, real v1, real v2, int& steep, int& flat) {
  const real v[3] = {v0, v1, v2}; steep = edge == 1 ? 0 : 1; flat = edge == 2 ? 0 : 2;
  if (v[steep] < v[flat]) { const int t = steep; steep = flat; flat = t; }
}
DEV_CALL void edge_contacts(const BoxPair& p, const LeastAxis& l, Points& out) {
  int steep, flat; other_axes(l.edge1, r_abs(rot_at(p, 0, l.edge2)), r_abs(rot_at(p, 1, l.edge2)), r_abs(rot_at(p, 2, l.edge2)), steep, flat);
  const Turn turn(l.side1 >> flat & 1 ? flat : flat + 3); const RVec axis = turn(l.axis), half = absolute(turn(p.a.size)), size = p.b.size;
  if (r_abs(axis[2]) < MINVAL) return;
  const real sign = l.inverted ? -1 : 1, scale = sign / axis[2]; RVec corner[4], low[4];
  { // the face of the second box beside its edge, and its projection along the axis
    const int q = l.edge2; other_axes(q, r_abs(rot_at(p, l.edge1, 0)), r_abs(rot_at(p, l.edge1, 1)), r_abs(rot_at(p, l.edge1, 2)), steep, flat);
    RVec centre = turn(p.pos21); centre[2] -= half[2]; const real s = l.side2 >> steep & 1 ? size[steep] : -size[steep];
    const RVec way = turn(p.rot.c[q]), up = turn(p.rot.c[steep]), base = centre + (l.side2 >> flat & 1 ? size[flat] : -size[flat]) * turn(p.rot.c[flat]);
    for (int i = 0; i < 4; ++i) { corner[i] = base + (i < 2 ? s : -s) * up + (i & 1 ? -size[q] : size[q]) * way; low[i] = corner[i] - (corner[i][2] / axis[2]) * axis; }
  }
  Clip clip; clip.count = 0;
  ROLLED for (int line = 0; line < 4; ++line) {
    const int from = line < 2 ? 0 : line == 2 ? 1 : 2, to = line == 1 || line == 2 ? 2 : 1;
    const RVec way = corner[to] - corner[0], low_way = low[to] - low[0], start = corner[from];
    cross_rectangle(low[from], low_way, half, [&](real x, real wall, int q, real y) {
      RVec m = (real)0.5 * (start + x * way); if (2 * m[2] * scale > p.margin) return;
      m[q] += (real)0.5 * wall; m[1 - q] += (real)0.5 * y; clip.add(m, 2 * m[2] * scale);
    });
  }
  const int crossings = clip.count; const RVec e1 = low[1] - low[0], e2 = low[2] - low[0]; real det = e1[0] * e2[1] - e2[0] * e1[1];
  ROLLED for (int i = 0; i < 4; ++i) {
    RVec c; real u, v; corner_in(half, i, low[0], e1, e2, det, c, u, v); const bool u_out = !in_unit(u), v_out = !in_unit(v);
    if (crossings == 0 ? u_out && v_out : u_out || v_out) continue;
    u = clipped<real>(u, 0, 1); v = clipped<real>(v, 0, 1);
    const RVec on = (1 - u - v) * corner[0] + u * corner[1] + v * corner[2], gap = c - on;
    det = dot(gap, gap); // a quirk of the reference: later corners divide by this distance
    if (on[2] > 0 && det > p.margin * p.margin) continue;
    clip.add((real)0.5 * (c + on), on[2] < 0 ? -r_sqrt(det) : r_sqrt(det));
  }
  const int faces = clip.count;
  ROLLED for (int i = 0; i < 4; ++i) {
    const bool x_out = r_abs(low[i][0]) > half[0], y_out = r_abs(low[i][1]) > half[1];
    if (crossings > 0 ? x_out || y_out : faces > 0 && x_out && y_out) continue;
    RVec near = {{clipped(low[i][0], -half[0], half[0]), clipped(low[i][1], -half[1], half[1]), 0}}; const real dx = low[i][0] - near[0], dy = low[i][1] - near[1], dz = corner[i][2] * scale, d2 = dx * dx + dy * dy + dz * dz;
    if (corner[i][2] > 0 && d2 > p.margin * p.margin) continue;
    clip.add((real)0.5 * (near + corner[i]), corner[i][2] < 0 ? -r_sqrt(d2) : r_sqrt(d2));
  }
  const RVec normal = p.a.frame * turn.back(sign * axis);
  ROLLED for (int i = 0; i < clip.count; ++i) { RVec c = clip.point[i]; c[2] += half[2]; out.add(clip.dist[i], p.a.frame * turn.back(c) + p.a.pos, normal); }
}

enum { SIDE_INSIDE, SIDE_NEAR, SIDE_OUTSIDE };
DEV int side_of_box(const RVec& point, const Solid& s, real margin) {
  const RVec local = to_local(s.frame, point - s.pos); const real inflate = (real)1.01; bool inside = true;
  for (int k = 0; k < 3; ++k) { const real size = s.size[k] + margin, x = r_abs(local[k]); if (x > size * inflate) return SIDE_OUTSIDE; inside &= x < size / inflate; }
  return inside ? SIDE_INSIDE : SIDE_NEAR;
}
// Drops points outside one box that are not inside the other, and points that a later one repeats.
DEV void remove_bad(const BoxPair& p, Points& out) {
  int kept = 0;
  ROLLED for (int i = 0; i < out.count; ++i) {
    const int s1 = side_of_box(vec(out.list[i].pos), p.a, p.margin), s2 = side_of_box(vec(out.list[i].pos), p.b, p.margin);
    if ((s1 == SIDE_OUTSIDE && s2 != SIDE_INSIDE) || (s2 == SIDE_OUTSIDE && s1 != SIDE_INSIDE)) continue;
    out.list[kept++] = out.list[i];
  }
  out.count = kept; kept = 0;
  ROLLED for (int i = 0; i < out.count; ++i) {
    bool repeated = false; const real* a = out.list[i].pos;
    ROLLED for (int j = i + 1; j < out.count; ++j) { const real* b = out.list[j].pos; repeated |= a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }
    if (!repeated) out.list[kept++] = out.list[i];
  }
  out.count = kept;
}
DEV_CALL void box_box(int g1, int g2, real margin, Points& out) {
  BoxPair p; p.a = solid(g1); p.b = solid(g2); p.margin = margin; LeastAxis l;
  p.pos21 = to_local(p.a.frame, p.b.pos - p.a.pos); p.pos12 = to_local(p.b.frame, p.a.pos - p.b.pos);
  for (int k = 0; k < 3; ++k) p.rot.c[k] = to_local(p.a.frame, p.b.frame.c[k]);
  if (!least_axis(p, l)) return;
  if (l.kind == AXIS_EDGES) edge_contacts(p, l, out); else face_contacts(p, l.face, l.kind == AXIS_FACE_B, out);
  remove_bad(p, out);
}
#endif
