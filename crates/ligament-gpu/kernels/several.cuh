// Several contact points of two convex shapes ("multiccd"), as `ligament-geom` (manifold.rs, pairs/convex.rs): flat
// faces that meet are clipped by each other; else both shapes are turned a little, and points that are new then count
// too.
#pragma once
#include "convex.cuh"

#if HAS_CONVEX && HAS_MULTICCD
#define FACES_PARALLEL ((exact)0.99999872)  // cosine of 1.6e-3
#define EDGE_IN_FACE ((exact)0.00159999931) // its sine
#define MOST_AROUND 150                     // faces around a vertex, corners of a face

// The vertices of a shape that span the face of the polytope: one to three that differ.
struct Span {
  int shape, dim, index[3];
  EVec point[3];
};
DEV Span span_of(int shape, const Vertex* v) {
  Span s;
  s.shape = shape;
  UNROLL for (int k = 0; k < 3; ++k) {
    s.index[k] = shape ? v[k].ib : v[k].ia;
    s.point[k] = shape ? v[k].b : v[k].a;
  }
  const bool ab = s.index[0] != s.index[1], ac = s.index[0] != s.index[2], bc = s.index[1] != s.index[2];
  s.dim = ab ? (ac && bc ? 3 : 2) : ac ? 2 : 1;
  if (!ab && ac) {
    s.index[1] = s.index[2];
    s.point[1] = s.point[2];
  }
  return s;
}
DEV bool is_box(int shape) { return SHAPE(shape).kind == SHAPE_BOX; }
DEV EVec to_world(int shape, const EVec& p) { return SHAPE(shape).frame * p + SHAPE(shape).pos; }
DEV EVec box_corner(int shape, int corner) {
  const EVec s = SHAPE(shape).size;
  return {{corner & 1 ? s[0] : -s[0], corner & 2 ? s[1] : -s[1], corner & 4 ? s[2] : -s[2]}};
}
#if NMESH > 0
DEV int first_around(int mesh, int vertex) { return polymap_adr(mesh_vertadr(mesh) + mesh + vertex); }
DEV int count_around(int mesh, int vertex) {
  const int n = polymap_adr(mesh_vertadr(mesh) + mesh + vertex + 1) - first_around(mesh, vertex);
  return n < MOST_AROUND ? n : MOST_AROUND;
}
#endif

// Faces of a shape that contain all vertices of a span: those listed, or all around a vertex, from `around` on.
struct HullFaces {
  int shape, count, around, face[3];
};
DEV int face_at(const HullFaces& f, int k) {
  return f.around >= 0 ? polymap(f.around + k) : k == 0 ? f.face[0] : k == 1 ? f.face[1] : f.face[2];
}
// Of a box, faces 2k (positive) and 2k + 1 (negative) belong to axis k.
DEV EVec face_normal(int shape, int face) {
  const Shape& s = SHAPE(shape);
  if (is_box(shape)) {
    const EVec axis = face < 2 ? s.frame.c[0] : face < 4 ? s.frame.c[1] : s.frame.c[2];
    return face & 1 ? -axis : axis;
  }
  return s.frame * evec(&poly_normal(3 * face));
}
DEV void push_face(HullFaces& f, int face) {
  UNROLL for (int k = 0; k < 3; ++k)
    if (k == f.count) f.face[k] = face;
  ++f.count;
}
// `toward` points out of the shape along the contact normal.
DEV void box_faces(const Span& s, const EVec& toward, HullFaces& f) {
  const int all = s.index[0] & (s.dim > 1 ? s.index[1] : 7) & (s.dim > 2 ? s.index[2] : 7),
            any = s.index[0] | (s.dim > 1 ? s.index[1] : 0) | (s.dim > 2 ? s.index[2] : 0);
  for (int k = 0; k < 3; ++k) {
    if (all >> k & 1) push_face(f, 2 * k);
    else if (!(any >> k & 1)) push_face(f, 2 * k + 1);
  }
  if (f.count == (s.dim == 1 ? 3 : s.dim == 2 ? 2 : 1)) return;
  // the vertices span no face: take the one that the normal almost coincides with
  f.count = 0;
  EVec local = to_local(SHAPE(s.shape).frame, toward);
  local = (1 / sqrt(dot(local, local))) * local;
  for (int k = 0; k < 6 && f.count == 0; ++k)
    if ((k & 1 ? -local[k / 2] : local[k / 2]) > FACES_PARALLEL) push_face(f, k);
}
#if NMESH > 0
DEV bool is_around(int mesh, int vertex, int face) {
  const int first = first_around(mesh, vertex), end = polymap_adr(mesh_vertadr(mesh) + mesh + vertex + 1);
  ROLLED for (int i = first; i < end; ++i)
    if (polymap(i) == face) return true;
  return false;
}
DEV void mesh_faces(const Span& s, HullFaces& f) {
  const int mesh = SHAPE(s.shape).mesh, first = first_around(mesh, s.index[0]),
            end = polymap_adr(mesh_vertadr(mesh) + mesh + s.index[0] + 1);
  if (s.dim == 1) {
    f.around = first;
    f.count = count_around(mesh, s.index[0]);
    return;
  }
  int edges = 0; // at most two faces have an edge; of them one has all three vertices
  ROLLED for (int i = first; i < end && edges < 2; ++i)
    if (is_around(mesh, s.index[1], polymap(i))) {
      ++edges;
      if (s.dim == 2 || (f.count == 0 && is_around(mesh, s.index[2], polymap(i)))) push_face(f, polymap(i));
    }
}
#endif
DEV HullFaces faces_of(const Span& s, const EVec& toward) {
  HullFaces f;
  f.shape = s.shape;
  f.count = 0;
  f.around = -1;
  f.face[0] = f.face[1] = f.face[2] = 0;
  if (is_box(s.shape)) box_faces(s, toward, f);
#if NMESH > 0
  else mesh_faces(s, f);
#endif
  return f;
}

// Corners of a face, in the order that clipping expects.
DEV int corners_of(int shape, int face) {
  if (is_box(shape)) return 4;
  const int n = poly_adr(face + 1) - poly_adr(face);
  return n < MOST_AROUND ? n : MOST_AROUND;
}
#define CORNERS(a, b, c, d) ((a) | (b) << 3 | (c) << 6 | (d) << 9)
DEV EVec corner_of(int shape, int face, int i) {
  if (is_box(shape)) {
    const int list = face == 0   ? CORNERS(7, 3, 1, 5)
                     : face == 1 ? CORNERS(2, 6, 4, 0)
                     : face == 2 ? CORNERS(2, 3, 7, 6)
                     : face == 3 ? CORNERS(4, 5, 1, 0)
                     : face == 4 ? CORNERS(6, 7, 5, 4)
                                 : CORNERS(3, 2, 0, 1);
    return to_world(shape, box_corner(shape, list >> 3 * i & 7));
  }
#if NMESH > 0
  return to_world(shape, mesh_point(SHAPE(shape).mesh, poly_vert(poly_adr(face) + corners_of(shape, face) - 1 - i)));
#else
  return {{0, 0, 0}};
#endif
}
// Edges at a span: the one it spans, or all at its only vertex.
DEV int edges_at(const Span& s) {
  if (s.dim == 2) return 1;
#if NMESH > 0
  if (!is_box(s.shape)) return count_around(SHAPE(s.shape).mesh, s.index[0]);
#endif
  return 3;
}
DEV EVec edge_end(const Span& s, int k) {
  if (s.dim == 2) return s.point[1];
#if NMESH > 0
  if (!is_box(s.shape)) { // the vertex before it, around face k
    const int mesh = SHAPE(s.shape).mesh, face = polymap(first_around(mesh, s.index[0]) + k), first = poly_adr(face),
              n = poly_adr(face + 1) - first;
    ROLLED for (int i = 0; i < n; ++i)
      if (poly_vert(first + i) == s.index[0])
        return to_world(s.shape, mesh_point(mesh, poly_vert(first + (i + n - 1) % n)));
  }
#endif
  EVec p = box_corner(s.shape, s.index[0]);
  UNROLL for (int i = 0; i < 3; ++i)
    if (i == k) p[i] = -p[i];
  return to_world(s.shape, p);
}

// Sutherland and Hodgman: what of the points in the first ring lies within the plane through `corner`, into the second.
DEV int clip_by(const EVec& corner, const EVec& plane, const EVec* from, int n, EVec* to) {
  int count = 0;
  const exact offset = dot(plane, corner);
  auto inside = [&](const EVec& p) { return dot(p - corner, plane) > -EXACT_MIN; };
  ROLLED for (int i = 0; i < n; ++i) {
    const EVec p = from[i], q = from[i + 1 < n ? i + 1 : 0];
    const bool p_in = inside(p), q_in = inside(q);
    if (p_in != q_in) {
      const EVec way = q - p;
      const exact slope = dot(plane, way), t = (offset - dot(plane, p)) / slope;
      if (slope != 0 && t >= 0 && t <= 1 && count < MAXRING) to[count++] = p + t * way;
    }
    if (q_in && count < MAXRING) to[count++] = q;
  }
  return count;
}
DEV exact quadrilateral(const EVec* p, const int* c) {
  const EVec a = p[c[0]], b = p[c[1]], d = p[c[2]], e = p[c[3]];
  return (exact)0.5 * length(cross(e - a, b - e) + cross(d - b, a - d));
}
// Corners of the largest quadrilateral in a convex polygon, by turning all four in turn.
DEV void largest_quadrilateral(const EVec* p, int n, int* best) {
  int c[4] = {0, 1, 2, 3};
  for (int k = 0; k < 4; ++k) best[k] = c[k];
  exact most = quadrilateral(p, c);
  auto next = [&](int i) { return i == n - 1 ? 0 : i + 1; };
  auto advance = [&](int which) {
    const int old = c[which];
    c[which] = next(old);
    const exact size = quadrilateral(p, c);
    if (!(size > most)) {
      c[which] = old;
      return false;
    }
    most = size;
    for (int k = 0; k < 4; ++k) best[k] = c[k];
    return true;
  };
  ROLLED for (int a = 0; a < n; ++a) {
    c[0] = a;
    while (advance(3)) {
      while (advance(2)) {}
      while (advance(1)) {}
    }
    if (c[1] == a) {
      c[1] = next(c[1]);
      if (c[2] == c[1]) {
        c[2] = next(c[2]);
        if (c[3] == c[2]) c[3] = next(c[3]);
      }
    }
  }
}
// Clips the first ring's points by the planes through the edges of a face. What is left is on the second shape; the
// first shape's points are `shift` before them. Nothing left: the deepest points stay.
DEV void clip_by_face(int shape, int face, const EVec& normal, int n, const EVec& shift) {
  Polytope& t = POLYTOPE;
  const int corners = corners_of(shape, face);
  int at = 0;
  if (corners < 3) return;
  ROLLED for (int i = 0; i < corners; ++i) {
    const EVec v = corner_of(shape, face, i), w = corner_of(shape, face, i + 1 < corners ? i + 1 : 0);
    n = clip_by(v, cross(w - v, v + normal - v), t.ring[at], n, t.ring[1 - at]);
    at = 1 - at;
  }
  if (n == 0) return;
  const EVec* p = t.ring[at];
  int count = 0;
  auto keep = [&](const EVec& on_second) {
    t.touch[count][0] = on_second - shift;
    t.touch[count++][1] = on_second;
  };
  if (n > 4) {
    int c[4];
    largest_quadrilateral(p, n, c);
    for (int k = 0; k < 4; ++k) keep(p[c[k]]);
  } else
    for (int i = 0; i < n; ++i) {
      bool known = false;
      for (int k = 0; k < count; ++k) {
        const EVec d = t.touch[k][1] - p[i];
        known |= absolute(d[0]) < EXACT_MIN && absolute(d[1]) < EXACT_MIN && absolute(d[2]) < EXACT_MIN;
      }
      if (!known) keep(p[i]);
    }
  t.ntouch = count;
}
DEV bool clip_edge(const Span& edge, const HullFaces& faces, const EVec& start, exact depth) {
  Polytope& t = POLYTOPE;
  const int n = edges_at(edge);
  ROLLED for (int j = 0; j < faces.count; ++j) {
    const EVec normal = face_normal(faces.shape, face_at(faces, j));
    ROLLED for (int i = 0; i < n; ++i) {
      const EVec end = edge_end(edge, i);
      if (!(absolute(dot(unit(end - edge.point[0]), normal)) < EDGE_IN_FACE)) continue;
      t.ring[0][0] = start;
      t.ring[0][1] = end;
      clip_by_face(faces.shape, face_at(faces, j), normal, 2, depth * normal);
      return true;
    }
  }
  return false;
}
// Replaces the deepest points in `touch` by those of the faces, or of an edge and a face, that meet there.
DEV void spread_alone(const Vertex* v) {
  Polytope& t = POLYTOPE;
  const EVec x1 = t.touch[0][0], x2 = t.touch[0][1], dir = x2 - x1;
  const exact depth = length(dir);
  const Span s1 = span_of(0, v), s2 = span_of(1, v);
  const HullFaces f1 = faces_of(s1, x1 - x2), f2 = faces_of(s2, dir);
  ROLLED for (int i = 0; i < f1.count; ++i) ROLLED
    for (int j = 0; j < f2.count; ++j) {
      const EVec n1 = face_normal(0, face_at(f1, i)), n2 = face_normal(1, face_at(f2, j));
      if (!(dot(n1, n2) < -FACES_PARALLEL)) continue;
      const int face = face_at(f2, j), n = corners_of(1, face);
      ROLLED for (int k = 0; k < n; ++k)
        t.ring[0][k] = corner_of(1, face, k);
      clip_by_face(0, face_at(f1, i), n1, n, depth * n2);
      return;
    }
  if (s1.dim < 3 && s1.dim <= s2.dim) clip_edge(s1, f2, v[0].a, depth);
  else if (s2.dim < 3) clip_edge(s2, f1, v[0].b, -depth);
}
// One lane does it; the others read what it has found.
DEV_CALL int spread_points(const EVec& x1, const EVec& x2) {
  Polytope& t = POLYTOPE;
  SYNC();
  if (FIRST_LANE) {
    const Face f = t.f[THE_CONVEX.face];
    const Vertex v[3] = {t.v[f.v[0]], t.v[f.v[1]], t.v[f.v[2]]};
    t.touch[0][0] = x1;
    t.touch[0][1] = x2;
    t.ntouch = 1;
    spread_alone(v);
  }
  SYNC();
  return t.ntouch;
}

// Turns a shape about a point; `way` -1: back.
DEV void turn_shape(int number, const EVec& about, const EVec& axis, exact angle) {
  Shape& s = SHAPE(number);
  const exact half = (exact)0.5 * angle, sine = sin(half),
              q[4] = {cos(half), axis[0] * sine, axis[1] * sine, axis[2] * sine};
  const Frame3<exact> turn = exact_axes(q);
  Frame3<exact> frame = s.frame;
  const EVec arm = about - s.pos, pos = s.pos - (turn * arm - arm);
  for (int k = 0; k < 3; ++k) frame.c[k] = turn * frame.c[k];
  SYNC();
  s.frame = frame;
  s.pos = pos;
}
#define TURN ((exact)1e-3)     // angle by which both shapes are turned
#define DISTINCT ((exact)1e-3) // of the smaller bounding radius: nearer points are the same
// Both shapes turn in opposite ways about both tangents of the contact; points that are new then are contacts too.
DEV_CALL void turned_points(int pair, real margin, exact dist, const EVec& at, const EVec& normal, int& ncon) {
  EVec tangent = normal[1] < (exact)0.5 && normal[1] > (exact)-0.5 ? EVec{{0, 1, 0}} : EVec{{0, 0, 1}};
  tangent = unit(tangent - dot(normal, tangent) * normal);
  const EVec pos[2] = {SHAPE(0).pos, SHAPE(1).pos};
  const Frame3<exact> frame[2] = {SHAPE(0).frame, SHAPE(1).frame};
  const exact near = DISTINCT * (exact)r_min(geom_rbound(pair_geom1(pair)), geom_rbound(pair_geom2(pair)));
  EVec known[5] = {at, at, at, at, at};
  int count = 1;
  ROLLED for (int k = 0; k < 4; ++k) {
    const EVec axis = k < 2 ? tangent : cross(normal, tangent);
    const exact angle = k & 1 ? TURN : -TURN;
    turn_shape(0, at, axis, angle);
    turn_shape(1, at, axis, -angle);
    SYNC();
    EVec x1, x2;
    const bool touch = penetration(x1, x2) < 0;
    const EVec middle = (exact)0.5 * (x1 + x2);
    bool repeated = false;
    UNROLL for (int i = 0; i < 5; ++i)
      repeated |= i < count && length(known[i] - middle) <= near;
    if (touch && !repeated) {
      UNROLL for (int i = 0; i < 5; ++i)
        if (i == count) known[i] = middle;
      ++count;
      emit(pair, (real)(margin + dist), rounded(middle), rounded(unit(x1 - x2)), ncon);
    }
    SYNC();
    for (int i = 0; i < 2; ++i) {
      SHAPE(i).pos = pos[i];
      SHAPE(i).frame = frame[i];
    }
    SYNC();
  }
  THE_CONVEX.apart = {{0, 0, 0}};
}
// All contacts of two shapes that overlap by `-dist`, deepest at x1 and x2.
DEV_CALL void several_contacts(int pair, real margin, exact dist, const EVec& x1, const EVec& x2, int& ncon) {
  auto flat = [](int kind) { return kind == SHAPE_BOX || kind == SHAPE_MESH; };
  auto smooth = [](int kind) { return kind == SHAPE_ELLIPSOID || kind == SHAPE_SPHERE; };
  const int a = SHAPE(0).kind, b = SHAPE(1).kind;
  if (!(margin > 0) && flat(a) && flat(b)) {
    const int n = spread_points(x1, x2);
    ROLLED for (int k = 0; k < n; ++k) {
      const EVec y1 = POLYTOPE.touch[k][0], y2 = POLYTOPE.touch[k][1];
      emit(pair, (real)(margin + dist), rounded((exact)0.5 * (y1 + y2)), rounded(unit(y1 - y2)), ncon);
    }
    return;
  }
  const EVec at = (exact)0.5 * (x1 + x2), normal = unit(x1 - x2);
  emit(pair, (real)(margin + dist), rounded(at), rounded(normal), ncon);
  if (!smooth(a) && !smooth(b)) turned_points(pair, margin, dist, at, normal, ncon);
}
#endif
