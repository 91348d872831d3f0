// Box against box: the separating axis of least penetration, then the incident face clipped by the reference face, or,
// when two edges touch, both faces next to them compared along the axis. As `ligament-geom/src/pairs/box_box.rs`, in
// double precision: which axis is the least, and which corner lies inside, is decided by differences that single
// precision does not have.
#pragma once
#include "primitive.cuh"

#if HAS_BOX_BOX
struct BoxPair {
  ExactSolid a, b;
  EVec pos21, pos12;
  Frame3<exact> rot;
  exact margin;
}; // rot: frame of b in that of a
DEV exact rot_at(const BoxPair& p, int row, int column) { return p.rot.c[column][row]; }

// Least axis found: a face 0..5 (axis, +3 for its negative side) of one box, or the product of two edges.
struct LeastAxis {
  int kind, face, edge1, edge2, side1, side2;
  EVec axis;
  bool inverted;
};
enum { AXIS_NONE, AXIS_FACE_A, AXIS_FACE_B, AXIS_EDGES };
#define EDGE_WINS ((exact)1 - (exact)1e-12) // a face wins unless an edge is clearly better
#define EXACT_LEAST ((exact)1e-15)

// Overlap along the product of edge i of the first and edge j of the second box; false when they are parallel.
DEV bool edge_overlap(const BoxPair& p, int i, int j, exact& overlap, EVec& axis, bool& inverted) {
  const EVec o = p.rot.c[j];
  axis = i == 0 ? EVec{{0, -o[2], o[1]}} : i == 1 ? EVec{{o[2], 0, -o[0]}} : EVec{{-o[1], o[0], 0}};
  const exact len = make_unit(axis);
  if (len < EXACT_LEAST) return false;
  const exact centre = dot(p.pos21, axis);
  overlap = 0;
  inverted = centre < 0;
  for (int k = 0; k < 3; ++k)
    if (k != i) overlap += p.a.size[k] * absolute(axis[k]);
  for (int k = 0; k < 3; ++k)
    if (k != j) overlap += p.b.size[k] * absolute(rot_at(p, i, 3 - k - j)) / len;
  overlap -= absolute(centre);
  return true;
}
// Sides (a bit a direction) on which the touching edges lie.
DEV void edge_sides(const BoxPair& p, LeastAxis& l) {
  const int i = l.edge1, j = l.edge2;
  l.side1 = l.side2 = 0;
  for (int k = 0; k < 3; ++k) {
    if (k != i && (l.axis[k] > 0) != l.inverted) l.side1 |= 1 << k;
    if (k != j && (((rot_at(p, i, 3 - k - j) > 0) != l.inverted) != ((k + 3 - j) % 3 == 1))) l.side2 |= 1 << k;
  }
}
DEV_CALL bool least_axis(const BoxPair& p, LeastAxis& l) {
  exact least = p.margin;
  for (int k = 0; k < 3; ++k) least += 3 * (p.a.size[k] + p.b.size[k]);
  l.kind = AXIS_NONE;
  ROLLED for (int i = 0; i < 3; ++i) {
    exact reach1 = 0, reach2 = 0;
    for (int k = 0; k < 3; ++k) {
      reach2 += absolute(rot_at(p, i, k)) * p.b.size[k];
      reach1 += absolute(rot_at(p, k, i)) * p.a.size[k];
    }
    const exact over1 = p.a.size[i] - absolute(p.pos21[i]) + reach2,
                over2 = p.b.size[i] - absolute(p.pos12[i]) + reach1;
    if (over1 < -p.margin || over2 < -p.margin) return false;
    if (over1 < least) {
      least = over1;
      l.kind = AXIS_FACE_A;
      l.face = i + 3 * (p.pos21[i] < 0);
    }
    if (over2 < least) {
      least = over2;
      l.kind = AXIS_FACE_B;
      l.face = i + 3 * (p.pos12[i] < 0);
    }
  }
  ROLLED for (int i = 0; i < 3; ++i) ROLLED
    for (int j = 0; j < 3; ++j) {
      exact over;
      EVec axis;
      bool inverted;
      if (!edge_overlap(p, i, j, over, axis, inverted)) continue;
      if (over < -p.margin) return false;
      if (over < least * EDGE_WINS) {
        least = over;
        l.kind = AXIS_EDGES;
        l.edge1 = i;
        l.edge2 = j;
        l.axis = axis;
        l.inverted = inverted;
        edge_sides(p, l);
      }
    }
  return l.kind != AXIS_NONE;
}

// Turns a face of a box upwards (+z).
struct Turn {
  int axis;
  exact side;
  DEV_METHOD EVec operator()(const EVec& a) const {
    return axis == 0   ? EVec{{-side * a[2], a[1], side * a[0]}}
           : axis == 1 ? EVec{{a[0], -side * a[2], side * a[1]}}
                       : EVec{{side * a[0], a[1], side * a[2]}};
  }
  DEV_METHOD EVec back(const EVec& a) const {
    return axis == 0   ? EVec{{side * a[2], a[1], -side * a[0]}}
           : axis == 1 ? EVec{{a[0], side * a[2], -side * a[1]}}
                       : EVec{{side * a[0], a[1], side * a[2]}};
  }
};
DEV Turn turn_up(int face) { return {face % 3, face >= 3 ? (exact)-1 : (exact)1}; }
DEV EVec positive(const EVec& a) { return {{absolute(a[0]), absolute(a[1]), absolute(a[2])}}; }

// Points of a clipped face and their distances: in the frame of the reference face (z: height above it), at the end in
// the world.
struct Clip {
  EVec point[24], normal;
  exact dist[24];
  int count;
  DEV_METHOD void add(const EVec& p, exact d) {
    if (count < 24) {
      point[count] = p;
      dist[count++] = d;
    }
  }
};
DEV bool in_unit(exact x) { return x >= 0 && x <= 1; }

// Crossings of the line `start + x along`, x in [0, 1], with the sides of the rectangle: `found(x, wall, q, y)`.
template <class F> DEV void cross_rectangle(const EVec& start, const EVec& along, const EVec& half, F found) {
  ROLLED for (int q = 0; q < 2; ++q) {
    if (absolute(along[q]) <= EXACT_LEAST) continue;
    ROLLED for (int sign = -1; sign <= 1; sign += 2) {
      const exact wall = sign * half[q], x = (wall - start[q]) * (1 / along[q]), y = start[1 - q] + along[1 - q] * x;
      if (in_unit(x) && absolute(y) <= half[1 - q]) found(x, wall, q, y);
    }
  }
}
// Corner i of the reference rectangle in the coordinates u, v of a parallelogram.
DEV void corner_in(const EVec& half, int i, const EVec& origin, const EVec& e1, const EVec& e2, exact det, EVec& corner,
                   exact& u, exact& v) {
  corner = {{i / 2 ? half[0] : -half[0], i % 2 ? half[1] : -half[1], 0}};
  const exact x = corner[0] - origin[0], y = corner[1] - origin[1];
  u = (x * e2[1] - y * e2[0]) * (1 / det);
  v = (y * e1[0] - x * e1[1]) * (1 / det);
}

DEV_CALL void face_contacts(const BoxPair& p, int face, bool of_b, Clip& clip) {
  const Turn turn = turn_up(face);
  const ExactSolid& owner = of_b ? p.b : p.a;
  const EVec half = positive(turn(owner.size)), size = of_b ? p.a.size : p.b.size;
  EVec corner = turn(of_b ? p.pos12 : p.pos21), edge[2] = {{{0, 0, 0}}, {{0, 0, 0}}};
  corner[2] -= half[2];
  int edges = 0;
  // the deepest corner, and the edges from it that are flatter than 30 degrees
  UNROLL for (int k = 0; k < 3; ++k) {
    const EVec column = turn(of_b ? EVec{{rot_at(p, k, 0), rot_at(p, k, 1), rot_at(p, k, 2)}} : p.rot.c[k]);
    const exact up = column[2] < 0 ? size[k] : -size[k];
    corner = corner + up * column;
    if (absolute(column[2]) < (exact)0.5 && edges < 2) {
      const EVec e = (-2 * up) * column;
      if (edges == 0) edge[0] = e;
      else edge[1] = e;
      ++edges;
    }
  }
  const EVec along = corner + edge[0], aside = corner + edge[1];
  ROLLED for (int line = 0; line < (edges == 2 ? 4 : edges); ++line) {
    const EVec start = line < 2 ? corner : line == 2 ? along : aside, way = line == 1 || line == 2 ? edge[1] : edge[0];
    cross_rectangle(start, way, half, [&](exact x, exact, int, exact) { clip.add(start + x * way, 0); });
  }
  if (edges == 2) {
    const exact det = edge[0][0] * edge[1][1] - edge[1][0] * edge[0][1];
    ROLLED for (int i = 0; i < 4; ++i) {
      EVec c;
      exact u, v;
      corner_in(half, i, corner, edge[0], edge[1], det, c, u, v);
      if (u > 0 && v > 0 && u < 1 && v < 1) {
        c[2] = corner[2] + u * edge[0][2] + v * edge[1][2];
        clip.add(c, 0);
      }
    }
  }
  clip.add(corner, 0);
  ROLLED for (int i = 0; i < (edges == 2 ? 3 : edges); ++i) {
    const EVec c = i == 0 ? along : i == 1 ? aside : along + edge[1];
    if (c[0] > -half[0] && c[0] < half[0] && c[1] > -half[1] && c[1] < half[1]) clip.add(c, 0);
  }
  const EVec up = owner.frame * turn.back({{0, 0, 1}});
  clip.normal = of_b ? -up : up;
  int kept = 0;
  ROLLED for (int i = 0; i < clip.count; ++i) {
    EVec c = clip.point[i];
    const exact height = c[2];
    if (height > p.margin) continue;
    c[2] = (exact)0.5 * height + half[2];
    clip.dist[kept] = height;
    clip.point[kept++] = owner.frame * turn.back(c) + owner.pos;
  }
  clip.count = kept;
}

DEV exact pick(const EVec& a, int k) { return k == 0 ? a[0] : k == 1 ? a[1] : a[2]; }
DEV EVec pick(const Frame3<exact>& f, int k) { return k == 0 ? f.c[0] : k == 1 ? f.c[1] : f.c[2]; }
// Of the two directions beside `edge` the one with the larger value, and the other.
struct Beside {
  int steep, flat;
};
DEV Beside beside(int edge, const EVec& values) {
  const int first = edge == 1 ? 0 : 1, second = edge == 2 ? 0 : 2;
  return pick(values, first) < pick(values, second) ? Beside{second, first} : Beside{first, second};
}
// The faces beside two touching edges, in the frame of that of the first box: corners of the other's, their projections
// along the axis, and what turns heights into distances along it.
struct Faces {
  EVec corner[4], low[4], half;
  exact margin, scale;
};

DEV_CALL void incident_face(const BoxPair& p, const LeastAxis& l, const Turn& turn, Faces& f) {
  const EVec row = {{rot_at(p, l.edge1, 0), rot_at(p, l.edge1, 1), rot_at(p, l.edge1, 2)}}, axis = turn(l.axis);
  const Beside to = beside(l.edge2, positive(row));
  const exact inverse = 1 / axis[2], steep = (l.side2 >> to.steep & 1 ? 1 : -1) * pick(p.b.size, to.steep),
              flat = (l.side2 >> to.flat & 1 ? 1 : -1) * pick(p.b.size, to.flat), along = pick(p.b.size, l.edge2);
  const EVec up = turn(pick(p.rot, to.steep)), out = turn(pick(p.rot, to.flat)), way = turn(pick(p.rot, l.edge2));
  EVec centre = turn(p.pos21);
  centre[2] -= f.half[2];
  ROLLED for (int i = 0; i < 4; ++i) {
    const EVec c = centre + (i < 2 ? steep : -steep) * up + flat * out + (i & 1 ? -along : along) * way;
    f.corner[i] = c;
    f.low[i] = c + (-c[2] * inverse) * axis;
  }
  f.scale = inverse * (l.inverted ? -1 : 1);
}
// Edges of the projected face against the sides of the reference rectangle.
DEV_CALL void edge_crossings(const Faces& f, Clip& clip) {
  ROLLED for (int line = 0; line < 4; ++line) {
    const int to = line == 1 || line == 2 ? 2 : 1;
    EVec start = f.corner[0], low = f.low[0];
    const EVec way = f.corner[to] - start, low_way = f.low[to] - low;
    if (line >= 2) {
      start = start + (f.corner[3 - to] - start);
      low = low + (f.low[3 - to] - low);
    }
    cross_rectangle(low, low_way, f.half, [&](exact x, exact wall, int q, exact y) {
      if ((start[2] + way[2] * x) * f.scale <= f.margin) {
        EVec m = (exact)0.5 * start + ((exact)0.5 * x) * way;
        m[0] += (exact)0.5 * (q == 0 ? wall : y);
        m[1] += (exact)0.5 * (q == 0 ? y : wall);
        clip.add(m, m[2] * f.scale * 2);
      }
    });
  }
}
// Corners of the reference rectangle over the projected face (or, without crossings, beside it).
DEV_CALL void reference_corners(const Faces& f, int crossings, Clip& clip) {
  const EVec e1 = f.low[1] - f.low[0], e2 = f.low[2] - f.low[0];
  exact det = e1[0] * e2[1] - e2[0] * e1[1];
  ROLLED for (int i = 0; i < 4; ++i) {
    EVec c;
    exact u, v;
    corner_in(f.half, i, f.low[0], e1, e2, det, c, u, v);
    const bool u_out = !in_unit(u), v_out = !in_unit(v);
    if (crossings == 0 ? u_out && v_out : u_out || v_out) continue;
    u = clipped<exact>(u, 0, 1);
    v = clipped<exact>(v, 0, 1);
    const EVec on = (1 - u - v) * f.corner[0] + u * f.corner[1] + v * f.corner[2], gap = c - on;
    det = dot(gap, gap); // a quirk of the reference: later corners divide by this distance
    if (on[2] > 0 && det > f.margin * f.margin) continue;
    clip.add((exact)0.5 * (c + on), on[2] < 0 ? -sqrt(det) : sqrt(det));
  }
}
// Corners of the other face over the reference rectangle (or beside it, when nothing else was found).
DEV_CALL void incident_corners(const Faces& f, int crossings, int faces, Clip& clip) {
  ROLLED for (int i = 0; i < 4; ++i) {
    const EVec low = f.low[i], c = f.corner[i];
    const bool x_out = absolute(low[0]) > f.half[0], y_out = absolute(low[1]) > f.half[1];
    if (crossings > 0 ? x_out || y_out : faces > 0 && x_out && y_out) continue;
    const EVec nearest = {{clipped(low[0], -f.half[0], f.half[0]), clipped(low[1], -f.half[1], f.half[1]), 0}};
    const exact dx = low[0] - nearest[0], dy = low[1] - nearest[1], dz = c[2] * f.scale,
                d2 = dx * dx + dy * dy + dz * dz;
    if (c[2] > 0 && d2 > f.margin * f.margin) continue;
    clip.add((exact)0.5 * nearest + (exact)0.5 * c, c[2] < 0 ? -sqrt(d2) : sqrt(d2));
  }
}
DEV_CALL void edge_contacts(const BoxPair& p, const LeastAxis& l, Clip& clip) {
  const int flat = beside(l.edge1, positive(pick(p.rot, l.edge2))).flat;
  const Turn turn = turn_up(l.side1 >> flat & 1 ? flat : flat + 3);
  if (absolute(turn(l.axis)[2]) < EXACT_LEAST) return;
  Faces f;
  f.half = positive(turn(p.a.size));
  f.margin = p.margin;
  incident_face(p, l, turn, f);
  edge_crossings(f, clip);
  const int crossings = clip.count;
  reference_corners(f, crossings, clip);
  incident_corners(f, crossings, clip.count, clip);
  clip.normal = p.a.frame * turn.back((l.inverted ? (exact)-1 : (exact)1) * turn(l.axis));
  ROLLED for (int i = 0; i < clip.count; ++i) {
    EVec c = clip.point[i];
    c[2] += f.half[2];
    clip.point[i] = p.a.frame * turn.back(c) + p.a.pos;
  }
}

enum { SIDE_INSIDE, SIDE_NEAR, SIDE_OUTSIDE };
DEV int side_of_box(const EVec& point, const ExactSolid& s, exact margin) {
  const EVec local = to_local(s.frame, point - s.pos);
  const exact inflate = (exact)1.01;
  bool inside = true;
  for (int k = 0; k < 3; ++k) {
    const exact size = s.size[k] + margin, x = absolute(local[k]);
    if (x > size * inflate) return SIDE_OUTSIDE;
    inside &= x < size / inflate;
  }
  return inside ? SIDE_INSIDE : SIDE_NEAR;
}
// Drops points outside one box that are not inside the other.
DEV void drop_outside(const BoxPair& p, Clip& clip) {
  int kept = 0;
  ROLLED for (int i = 0; i < clip.count; ++i) {
    const EVec at = clip.point[i];
    const int s1 = side_of_box(at, p.a, p.margin), s2 = side_of_box(at, p.b, p.margin);
    if ((s1 == SIDE_OUTSIDE && s2 != SIDE_INSIDE) || (s2 == SIDE_OUTSIDE && s1 != SIDE_INSIDE)) continue;
    clip.dist[kept] = clip.dist[i];
    clip.point[kept++] = at;
  }
  clip.count = kept;
}
DEV bool is_repeated(const Clip& clip, int i) {
  bool repeated = false;
  const EVec a = clip.point[i];
  ROLLED for (int j = i + 1; j < clip.count; ++j) {
    const EVec b = clip.point[j];
    repeated |= a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
  }
  return repeated;
}
DEV_CALL void box_box(int g1, int g2, real margin, Points& out) {
  BoxPair p;
  p.a = exact_solid(g1);
  p.b = exact_solid(g2);
  p.margin = margin;
  LeastAxis l;
  Clip clip;
  clip.count = 0;
  p.pos21 = to_local(p.a.frame, p.b.pos - p.a.pos);
  p.pos12 = to_local(p.b.frame, p.a.pos - p.b.pos);
  for (int k = 0; k < 3; ++k) p.rot.c[k] = to_local(p.a.frame, p.b.frame.c[k]);
  if (!least_axis(p, l)) return;
  if (l.kind == AXIS_EDGES) edge_contacts(p, l, clip);
  else face_contacts(p, l.face, l.kind == AXIS_FACE_B, clip);
  drop_outside(p, clip);
  ROLLED for (int i = 0; i < clip.count; ++i)
    if (!is_repeated(clip, i)) out.add((real)clip.dist[i], rounded(clip.point[i]), rounded(clip.normal));
}
#endif
