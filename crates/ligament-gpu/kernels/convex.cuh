// Distance and penetration of convex shapes: Gilbert-Johnson-Keerthi with the signed-volumes method (Montanari et al.
// 2017), then the expanding polytope. Decides as `ligament-geom` (gjk.rs, epa.rs, ccd.rs).
#pragma once
#include "shape.cuh"

#if HAS_CONVEX

DEV_CALL Vertex support_of(int a, int b, EVec dir) {
  Vertex v;
  v.a = support(a, dir);
  v.ia = SHAPE(a).vertex;
  v.b = support(b, -dir);
  v.ib = SHAPE(b).vertex;
  v.p = v.a - v.b;
  return v;
}
DEV bool same_sign(exact a, exact b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }
DEV exact det3(const EVec& a, const EVec& b, const EVec& c) { return dot(a, cross(b, c)); }

// Projection of the origin on the plane of three points; false when they lie on a line. Of three equivalent normals the
// first well-conditioned one decides.
DEV_CALL bool project_on_plane(const EVec& v1, const EVec& v2, const EVec& v3, EVec& foot) {
  EVec n = cross(v3 - v2, v2 - v1);
  exact nv = dot(n, v2), nn = dot(n, n);
  if (!(nv != 0 && nn > EXACT_MIN)) {
    if (nn == 0) return false;
    n = cross(v2 - v1, v3 - v1);
    nv = dot(n, v1);
    nn = dot(n, n);
    if (nn == 0) return false;
    if (!(nv != 0 && nn > EXACT_MIN)) {
      n = cross(v3 - v1, v3 - v2);
      nv = dot(n, v3);
      nn = dot(n, n);
    }
  }
  foot = (nv / nn) * n;
  return true;
}
// In the coordinate plane where the triangle has its largest shadow: twice its area, and those of the triangles that p
// forms with the sides.
DEV exact shadow_areas(const EVec& s1, const EVec& s2, const EVec& s3, const EVec& p, exact* area) {
  auto minor = [&](int i, int j) {
    return s2[i] * s3[j] - s2[j] * s3[i] - s1[i] * s3[j] + s1[j] * s3[i] + s1[i] * s2[j] - s1[j] * s2[i];
  };
  const exact m1 = minor(1, 2), m2 = minor(0, 2), m3 = minor(0, 1), a1 = absolute(m1), a2 = absolute(m2),
              a3 = absolute(m3);
  const int c = a1 >= a2 && a1 >= a3 ? 0 : a2 >= a3 ? 1 : 2, x = c == 0 ? 1 : 0, y = c == 2 ? 1 : 2;
  auto side = [&](const EVec& a, const EVec& b) {
    return p[x] * a[y] + p[y] * b[x] + a[x] * b[y] - p[x] * b[y] - p[y] * a[x] - b[x] * a[y];
  };
  area[0] = side(s2, s3);
  area[1] = side(s3, s1);
  area[2] = side(s1, s2);
  return c == 0 ? m1 : c == 1 ? m2 : m3;
}
// Weights of the point nearest to the origin: of a segment, a triangle, a tetrahedron.
DEV_CALL void nearest_on_segment(const EVec& s1, const EVec& s2, exact* w) {
  const EVec diff = s2 - s1, foot = s2 - (dot(s2, diff) / dot(diff, diff)) * diff;
  int axis = 0;
  exact shadow = s1[0] - s2[0];
  for (int k = 1; k < 3; ++k)
    if (absolute(s1[k] - s2[k]) >= absolute(shadow)) {
      shadow = s1[k] - s2[k];
      axis = k;
    }
  const exact c1 = foot[axis] - s2[axis], c2 = s1[axis] - foot[axis];
  const bool inside = same_sign(shadow, c1) && same_sign(shadow, c2);
  w[0] = inside ? c1 / shadow : 0;
  w[1] = inside ? c2 / shadow : 1;
}
DEV_CALL void nearest_on_triangle(const EVec& s1, const EVec& s2, const EVec& s3, exact* w) {
  EVec foot;
  w[2] = 0;
  if (!project_on_plane(s1, s2, s3, foot)) {
    nearest_on_segment(s1, s2, w);
    return;
  }
  exact area[3];
  const exact shadow = shadow_areas(s1, s2, s3, foot, area);
  const bool in[3] = {same_sign(shadow, area[0]), same_sign(shadow, area[1]), same_sign(shadow, area[2])};
  if (in[0] && in[1] && in[2]) {
    for (int k = 0; k < 3; ++k) w[k] = area[k] / shadow;
    return;
  }
  exact min = FAR_AWAY;
  const EVec s[3] = {s1, s2, s3};
  w[0] = w[1] = 0;
  ROLLED for (int skip = 0; skip < 3; ++skip)
    if (!in[skip]) {
      const int i = skip == 0 ? 1 : 0, j = skip == 2 ? 1 : 2;
      exact l[2];
      nearest_on_segment(s[i], s[j], l);
      const EVec p = l[0] * s[i] + l[1] * s[j];
      if (dot(p, p) < min) {
        min = dot(p, p);
        w[0] = w[1] = w[2] = 0;
        w[i] = l[0];
        w[j] = l[1];
      }
    }
}
DEV_CALL void nearest_on_tetrahedron(const Vertex* v, exact* w) {
  const EVec s[4] = {v[0].p, v[1].p, v[2].p, v[3].p};
  const exact c[4] = {-det3(s[1], s[2], s[3]), det3(s[0], s[2], s[3]), -det3(s[0], s[1], s[3]), det3(s[0], s[1], s[2])},
              det = c[0] + c[1] + c[2] + c[3];
  bool all = true, in[4];
  for (int k = 0; k < 4; ++k) {
    in[k] = same_sign(det, c[k]);
    all &= in[k];
    w[k] = 0;
  }
  if (all) {
    for (int k = 0; k < 4; ++k) w[k] = c[k] / det;
    return;
  }
  exact min = FAR_AWAY;
  ROLLED for (int skip = 0; skip < 4; ++skip)
    if (!in[skip]) {
      const int i = skip == 0 ? 1 : 0, j = skip <= 1 ? 2 : 1, k = skip == 3 ? 2 : 3;
      exact l[3];
      nearest_on_triangle(s[i], s[j], s[k], l);
      const EVec p = l[0] * s[i] + l[1] * s[j] + l[2] * s[k];
      if (!(dot(p, p) < min)) continue;
      min = dot(p, p);
      if (skip < 3) w[skip] = 0; // a quirk of the reference: the last face leaves the fourth weight as it was
      w[i] = l[0];
      w[j] = l[1];
      w[k] = l[2];
    }
}

// How far the origin is on the inner side of a face, and the face's unit normal to the outside.
DEV exact inner_side(const EVec& p, const EVec& q, const EVec& r, EVec& normal) {
  normal = cross(r - p, q - p);
  const exact n2 = dot(normal, normal);
  if (!(n2 > EXACT_MIN2 && n2 < 1e20)) return FAR_AWAY;
  normal = (1 / sqrt(n2)) * normal;
  return dot(normal, p);
}
enum { GJK_UNDECIDED, GJK_APART, GJK_OVERLAP };
DEV void put_vertex(int at, const Vertex& v) {
  SYNC();
  THE_CONVEX.simplex.v[at] = v;
  SYNC();
}
// Moves a tetrahedron over the origin: each step replaces the vertex behind the face that the origin is farthest
// outside of.
DEV_CALL int surround_origin(int a, int b, int& left) {
  Vertex* v = THE_CONVEX.simplex.v; // the order of vertices decides where a polytope starts
  int c[4] = {0, 1, 2, 3};
  for (; left > 0; --left) {
    EVec normal[4];
    exact dist[4];
    dist[0] = inner_side(v[c[2]].p, v[c[1]].p, v[c[3]].p, normal[0]);
    dist[1] = inner_side(v[c[0]].p, v[c[2]].p, v[c[3]].p, normal[1]);
    dist[2] = inner_side(v[c[1]].p, v[c[0]].p, v[c[3]].p, normal[2]);
    dist[3] = inner_side(v[c[0]].p, v[c[1]].p, v[c[2]].p, normal[3]);
    int low = 0;
    for (int k = 0; k < 4; ++k) {
      if (dist[k] == 0) return GJK_UNDECIDED;
      if (k > 0 && dist[k] <= dist[low]) low = k;
    }
    if (dist[low] > 0) {
      const Vertex v0 = v[c[0]], v1 = v[c[1]], v2 = v[c[2]], v3 = v[c[3]];
      SYNC();
      v[0] = v0;
      v[1] = v1;
      v[2] = v2;
      v[3] = v3;
      SYNC();
      return GJK_OVERLAP;
    }
    EVec way = normal[0];
    UNROLL for (int k = 1; k < 4; ++k)
      if (k == low) way = normal[k];
    const Vertex fresh = support_of(a, b, way);
    int at = c[0];
    UNROLL for (int k = 1; k < 4; ++k)
      if (k == low) at = c[k];
    put_vertex(at, fresh);
    if (dot(way, fresh.p) < 0) {
      THE_CONVEX.apart = way;
      return GJK_APART;
    }
    const int i = (low + 1) & 3, j = (low + 2) & 3;
    int ci = c[0], cj = c[0];
    UNROLL for (int k = 1; k < 4; ++k) {
      if (k == i) ci = c[k];
      if (k == j) cj = c[k];
    }
    UNROLL for (int k = 0; k < 4; ++k)
      c[k] = k == i ? cj : k == j ? ci : c[k]; // keeps the orientation
  }
  return GJK_UNDECIDED;
}
DEV bool is_apart(const EVec& x, const EVec& s, exact cutoff) {
  const exact xs = dot(x, s);
  if (cutoff <= 0) return xs > 0;
  return cutoff < FAR_AWAY && xs > 0 && xs * xs / dot(x, x) >= cutoff * cutoff;
}
// The point of the Minkowski difference nearest to the origin; distances up to the cutoff are wanted, 0: only
// intersection.
DEV_CALL void nearest_points(int a, int b, exact cutoff) {
  Simplex& s = THE_CONVEX.simplex;
  EVec x = centre_of(SHAPE(a)) - centre_of(SHAPE(b));
  exact w[4] = {1, 0, 0, 0}, dist = 0;
  int n = 0, left = CCD_ITERATIONS, verdict = GJK_UNDECIDED;
  bool surround = cutoff <= 0;
  const exact slack = is_discrete(SHAPE(a)) && is_discrete(SHAPE(b)) ? 0 : (exact)0.5 * CCD_TOLERANCE * CCD_TOLERANCE;
  while (left > 0) {
    const exact n2 = dot(x, x);
    if (n2 < EXACT_MIN2) {
      dist = n2;
      break;
    }
    dist = sqrt(n2);
    const EVec out = (1 / dist) * x;
    const Vertex found = support_of(a, b, -out);
    put_vertex(n, found);
    const EVec newest = found.p;
    // the duality gap (Frank and Wolfe 1956) bounds what is left
    if (dot(x, x - newest) < slack) {
      if (n < 1) n = 1;
      break;
    }
    if (is_apart(x, newest, cutoff)) {
      THE_CONVEX.apart = -out;
      verdict = GJK_APART;
      break;
    }
    if (surround && n == 3) {
      verdict = surround_origin(a, b, left);
      if (verdict != GJK_UNDECIDED) break;
      surround = false;
    }
    w[0] = 1;
    w[1] = w[2] = w[3] = 0;
    if (n == 1) nearest_on_segment(s.v[0].p, s.v[1].p, w);
    else if (n == 2) nearest_on_triangle(s.v[0].p, s.v[1].p, s.v[2].p, w);
    else if (n == 3) nearest_on_tetrahedron(s.v, w);
    n = 0;
    for (int k = 0; k < 4; ++k)
      if (w[k] != 0) {
        if (n != k) {
          const Vertex moved = s.v[k];
          put_vertex(n, moved);
          w[n] = w[k];
        }
        ++n;
      }
    if (n == 0) {
      verdict = GJK_APART;
      break;
    }
    EVec p = w[0] * s.v[0].p;
    for (int k = 1; k < n; ++k) p = p + w[k] * s.v[k].p;
    if (absolute(p[0] - x[0]) < EXACT_MIN && absolute(p[1] - x[1]) < EXACT_MIN && absolute(p[2] - x[2]) < EXACT_MIN)
      break;
    x = p;
    if (n == 4) {
      dist = 0;
      break;
    }
    --left;
  }
  SYNC();
  s.witness = verdict == GJK_UNDECIDED;
  if (verdict == GJK_APART) {
    s.n = 0;
    s.dist = FAR_AWAY;
  } else if (verdict == GJK_OVERLAP) {
    s.n = 4;
    s.dist = 0;
  } else {
    s.n = n;
    s.dist = dist;
    s.on_a = centre_of(SHAPE(a));
    s.on_b = centre_of(SHAPE(b));
    if (n > 0) {
      s.on_a = w[0] * s.v[0].a;
      s.on_b = w[0] * s.v[0].b;
      for (int k = 1; k < n; ++k) {
        s.on_a = s.on_a + w[k] * s.v[k].a;
        s.on_b = s.on_b + w[k] * s.v[k].b;
      }
    }
  }
  SYNC();
}

// The polytope: a triangulated surface inside the Minkowski difference around the origin, its nearest face pushed out
// until it lies on the boundary.
#define MAXVERT (CCD_ITERATIONS + 6)
#define MAXFACE (8 * CCD_ITERATIONS + 8)
#define MAXRIM 64
#define MAXRING (2 * NCORNERS + 8)
enum { FACE_SURFACE = -1, FACE_DELETED = -2 };
struct Face {
  EVec foot;
  short v[3], next[3];
  short place;
}; // foot: projection of the origin; next: faces across the edges; place among the candidates
struct Polytope {
  Vertex v[MAXVERT];
  Face f[MAXFACE];
  int nv, nf, nc, nrim;
  short candidate[MAXFACE], rim_face[MAXRIM], rim_edge[MAXRIM];
  short at[MAXRIM];
  unsigned char entry[MAXRIM], next[MAXRIM], last[MAXRIM]; // stack of a search
#if HAS_MULTICCD
  EVec ring[2][MAXRING], touch[4][2];
  int ntouch; // polygons that are clipped, points on both shapes that are left (several.cuh)
#endif
};
#ifdef LIGAMENT_HOST
static thread_local Polytope the_polytope;
#define POLYTOPE the_polytope
#else
#define POLYTOPE (((Polytope*)given.scratch)[WORLD_INDEX])
#endif

DEV_CALL int insert_support(int a, int b, EVec dir, exact norm) {
  Polytope& t = POLYTOPE;
  const EVec u = norm > EXACT_MIN ? EVec{{dir[0] / norm, dir[1] / norm, dir[2] / norm}} : EVec{{1, 0, 0}};
  const int at = t.nv;
  const Vertex v = support_of(a, b, u);
  SYNC();
  t.v[at] = v;
  t.nv = at + 1;
  SYNC();
  return at;
}
// Writes a face, returns its squared distance from the origin (0 for a triangle without area).
DEV_CALL exact make_face(int at, int v1, int v2, int v3, int n1, int n2, int n3) {
  Polytope& t = POLYTOPE;
  EVec foot;
  if (!project_on_plane(t.v[v3].p, t.v[v2].p, t.v[v1].p, foot)) foot = {{0, 0, 0}};
  Face& f = t.f[at];
  f.v[0] = v1;
  f.v[1] = v2;
  f.v[2] = v3;
  f.next[0] = n1;
  f.next[1] = n2;
  f.next[2] = n3;
  f.place = FACE_SURFACE;
  f.foot = foot;
  return dot(foot, foot);
}
DEV exact attach(int v1, int v2, int v3, int n1, int n2, int n3) {
  Polytope& t = POLYTOPE;
  const int at = t.nf;
  SYNC();
  t.nf = at + 1;
  return make_face(at, v1, v2, v3, n1, n2, n3);
}
DEV void all_candidates() {
  Polytope& t = POLYTOPE;
  for (int k = 0; k < t.nf; ++k) {
    t.f[k].place = k;
    t.candidate[k] = k;
  }
  t.nc = t.nf;
}
DEV bool lies_in_triangle(const EVec& a, const EVec& b, const EVec& c, const EVec& p) {
  exact l[3];
  const exact shadow = shadow_areas(a, b, c, p, l);
  for (int k = 0; k < 3; ++k) {
    l[k] /= shadow;
    if (l[k] < 0) return false;
  }
  return length(l[0] * a + l[1] * b + l[2] * c - p) < EXACT_MIN;
}
DEV_CALL bool start_with_triangle(Vertex v1, Vertex v2, Vertex v3, int a, int b) {
  Polytope& t = POLYTOPE;
  SYNC();
  const Vertex v[3] = {v1, v2, v3};
  t.nv = 3;
  t.nf = 0;
  for (int k = 0; k < 3; ++k) t.v[k] = v[k];
  const EVec n = cross(v[1].p - v[0].p, v[2].p - v[0].p);
  const exact norm = length(n);
  if (norm < EXACT_MIN) return false;
  insert_support(a, b, -n, norm);
  insert_support(a, b, n, norm); // 3 below, 4 above
  if (lies_in_triangle(v[0].p, v[1].p, v[2].p, t.v[4].p) || lies_in_triangle(v[0].p, v[1].p, v[2].p, t.v[3].p))
    return false;
  bool good = !(attach(4, 0, 1, 1, 3, 2) < EXACT_MIN2);
  good = good && !(attach(4, 2, 0, 2, 4, 0) < EXACT_MIN2);
  good = good && !(attach(4, 1, 2, 0, 5, 1) < EXACT_MIN2);
  good = good && !(attach(3, 1, 0, 5, 0, 4) < EXACT_MIN2);
  good = good && !(attach(3, 0, 2, 3, 1, 5) < EXACT_MIN2);
  good = good && !(attach(3, 2, 1, 4, 2, 3) < EXACT_MIN2);
  if (good) all_candidates();
  return good;
}
// A face that holds the origin: start again from it.
DEV bool restart(int a, int b) {
  Polytope& t = POLYTOPE;
  const Face f = t.f[t.nf - 1];
  const Vertex v1 = t.v[f.v[0]], v2 = t.v[f.v[1]], v3 = t.v[f.v[2]];
  return start_with_triangle(v1, v2, v3, a, b);
}
DEV bool contains_origin(const Vertex* v) {
  for (int k = 0; k < 4; ++k) {
    const EVec p = v[k].p, n = cross(v[(k + 1) & 3].p - p, v[(k + 2) & 3].p - p);
    if (!same_sign(dot(n, v[(k + 3) & 3].p - p), -dot(n, p))) return false;
  }
  return true;
}
DEV_CALL bool start_with_tetrahedron(int a, int b) {
  Polytope& t = POLYTOPE;
  const Simplex& s = THE_CONVEX.simplex;
  t.nv = 4;
  t.nf = 0;
  for (int k = 0; k < 4; ++k) t.v[k] = s.v[k];
  if (attach(0, 1, 2, 1, 3, 2) < EXACT_MIN2 || attach(0, 3, 1, 2, 3, 0) < EXACT_MIN2 ||
      attach(0, 2, 3, 0, 3, 1) < EXACT_MIN2 || attach(3, 2, 1, 2, 0, 1) < EXACT_MIN2)
    return restart(a, b);
  if (!contains_origin(s.v)) return false;
  all_candidates();
  return true;
}
// A segment: three support points around it complete a hexahedron.
DEV_CALL bool start_with_segment(int a, int b) {
  Polytope& t = POLYTOPE;
  const Simplex& s = THE_CONVEX.simplex;
  t.nv = 2;
  t.nf = 0;
  t.v[0] = s.v[0];
  t.v[1] = s.v[1];
  const EVec line = s.v[1].p - s.v[0].p;
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (absolute(line[k]) < absolute(line[least])) least = k;
  EVec axis = {{0, 0, 0}};
  axis[least] = 1;
  const EVec u = (1 / length(line)) * line;
  EVec d = cross(axis, line);
  ROLLED for (int k = 0; k < 3; ++k) {
    insert_support(a, b, d, length(d));
    d = (exact)-0.5 * d + (exact)0.86602540378 * cross(u, d) + (exact)1.5 * dot(u, d) * u;
  } // a third of a turn, with the reference's sine
  if (attach(0, 2, 3, 1, 3, 2) < EXACT_MIN2 || attach(0, 4, 2, 2, 4, 0) < EXACT_MIN2 ||
      attach(0, 3, 4, 0, 5, 1) < EXACT_MIN2 || attach(1, 3, 2, 5, 0, 4) < EXACT_MIN2 ||
      attach(1, 2, 4, 3, 1, 5) < EXACT_MIN2 || attach(1, 4, 3, 4, 2, 3) < EXACT_MIN2)
    return restart(a, b);
  const EVec p = t.v[2].p - t.v[0].p, q = t.v[3].p - t.v[0].p, r = t.v[4].p - t.v[0].p;
  const exact x = det3(p, q, line), y = det3(q, r, line), z = det3(r, p, line);
  if (!((x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0))) return false;
  all_candidates();
  return true;
}

DEV void delete_face(int face) {
  Polytope& t = POLYTOPE;
  const int place = t.f[face].place;
  if (place >= 0) {
    const int count = t.nc - 1;
    t.nc = count;
    if (place < count) {
      const int moved = t.candidate[count];
      t.candidate[place] = moved;
      t.f[moved].place = place;
    }
  }
  t.f[face].place = FACE_DELETED;
}
// Deletes all faces that w sees, from `face` on, and lists the edges of the hole in order; -1 of them: there are too
// many.
DEV void cut_alone(int face, const EVec& w) {
  Polytope& t = POLYTOPE;
  int depth = 1, rim = 0;
  delete_face(face);
  t.at[0] = face;
  t.entry[0] = 2;
  t.next[0] = 1;
  t.last[0] = 3;
  while (depth > 0) {
    const int d = depth - 1, side = t.next[d];
    if (side > t.last[d]) {
      --depth;
      continue;
    }
    t.next[d] = side + 1;
    const int edge = (t.entry[d] + side) % 3;
    const Face& f = t.f[t.at[d]];
    const int other = f.next[edge];
    const Face& o = t.f[other];
    if (o.place == FACE_DELETED) continue;
    const int shared = f.v[(edge + 1) % 3], across = o.v[0] == shared ? 0 : o.v[1] == shared ? 1 : 2;
    if (dot(o.foot, w) - dot(o.foot, o.foot) > EXACT_MIN) {
      if (depth == MAXRIM) return;
      delete_face(other);
      t.at[depth] = other;
      t.entry[depth] = across;
      t.next[depth] = 1;
      t.last[depth] = 2;
      ++depth;
    } else {
      if (rim == MAXRIM) return;
      t.rim_face[rim] = other;
      t.rim_edge[rim++] = across;
    }
  }
  t.nrim = rim;
}
// One lane does it: each deletion depends on the one before.
DEV_CALL int cut(int face, EVec w) {
  SYNC();
  if (FIRST_LANE) {
    POLYTOPE.nrim = -1;
    cut_alone(face, w);
  }
  SYNC();
  return POLYTOPE.nrim;
}
// Closes the hole with faces from its edges to vertex w, a lane a face; false on a numerical failure.
DEV_CALL bool close_hole(int w, exact lower2, exact upper2) {
  Polytope& t = POLYTOPE;
  const int first = t.nf, n = t.nrim;
  int count = t.nc;
  bool flat = false;
  FOR_ROUNDS(i, n) {
    exact d2 = 1;
    if (i < n) {
      const int face = t.rim_face[i], edge = t.rim_edge[i];
      Face& old = t.f[face];
      const int v1 = old.v[edge], v2 = old.v[(edge + 1) % 3];
      old.next[edge] = first + i;
      d2 = make_face(first + i, w, v2, v1, i == 0 ? first + n - 1 : first + i - 1, face, first + (i + 1) % n);
    }
    flat |= d2 == 0;
    const bool candidate = i < n && d2 >= lower2 && d2 <= upper2;
    const int slot = lane_slot(candidate, count);
    if (candidate) {
      t.f[first + i].place = slot;
      t.candidate[slot] = first + i;
    }
  }
  t.nf = first + n;
  t.nc = count;
  SYNC();
  return !lane_any(flat);
}
// Expands until the nearest face is on the boundary; returns that face, -1: none.
DEV_CALL int expand(int a, int b) {
  Polytope& t = POLYTOPE;
  const bool discrete = is_discrete(SHAPE(a)) && is_discrete(SHAPE(b));
  const exact tolerance = discrete ? EXACT_MIN : (exact)CCD_TOLERANCE;
  exact upper = FAR_AWAY, upper2 = FAR_AWAY;
  int face = -1;
  ROLLED for (int k = 0; k < CCD_ITERATIONS; ++k) {
    const int previous = face;
    exact lower2 = FAR_AWAY, least = 0;
    int mine = -1;
    FOR_LANES(i, t.nc) {
      const EVec f = t.f[t.candidate[i]].foot;
      const exact d2 = dot(f, f);
      if (d2 < lower2) {
        lower2 = d2;
        mine = i;
      }
    }
    const int nearest = lane_best(-lower2, mine, least);
    lower2 = nearest < 0 ? FAR_AWAY : -least;
    if (nearest >= 0) face = t.candidate[nearest];
    if (lower2 > upper2 || face < 0) return previous;
    if (lower2 <= 0) return face;
    const EVec foot = t.f[face].foot;
    const exact lower = sqrt(lower2);
    const int w = insert_support(a, b, foot, lower);
    const exact now = dot(foot, t.v[w].p) / lower;
    if (now < upper) {
      upper = now;
      upper2 = now * now;
    }
    if (upper - lower < tolerance) return face;
    if (discrete) {
      bool repeated = false;
      const int ia = t.v[w].ia, ib = t.v[w].ib;
      FOR_LANES(i, w) repeated |= t.v[i].ia == ia && t.v[i].ib == ib;
      if (lane_any(repeated)) return face;
    }
    const int rim = cut(face, t.v[w].p);
    if (rim < 0) return face;
    if (rim < 3) return -1;
    if (t.nrim > MAXFACE - t.nf) return face;
    if (!close_hole(w, lower2, upper2)) return -1;
    if (t.nc == 0) return face;
  }
  return face;
}

// Replaces a round shape by its core, returns the thickness taken off.
DEV exact shrink(int number) {
  Shape& s = SHAPE(number);
  if (s.kind != SHAPE_SPHERE && s.kind != SHAPE_CAPSULE) return 0;
  const exact thick = s.size[0] + (exact)0.5 * s.margin;
  const int core = s.kind == SHAPE_SPHERE ? SHAPE_POINT : SHAPE_SEGMENT;
  SYNC(); // all lanes have read what all now write
  s.kind = core;
  s.margin = 0;
  SYNC();
  return thick;
}
DEV bool is_round(int number) {
  const int kind = SHAPE(number).kind;
  return kind == SHAPE_SPHERE || kind == SHAPE_CAPSULE;
}
#if HAS_ROUND_ELLIPSOID
// Where the point a is nearest to an ellipsoid with these squared radii r2: e = r2 a / (r2 + l) with the root l of sum
// r2 (a / (r2 + l))^2 = 1 (Eberly 2011), by Newton's method from below, where that function is convex. False: a is not
// outside.
DEV bool nearest_on_ellipsoid(const EVec& r2, const EVec& r, const EVec& a, EVec& share,
                              exact& l) { // share: 1 / (r2 + l)
  l = 0;
  UNROLL for (int k = 0; k < 3; ++k) {
    const exact least = r[k] * absolute(a[k]) - r2[k];
    if (least > l) l = least;
  }
  ROLLED for (int n = 0; n < 16; ++n) {
    exact f = -1, slope = 0;
    UNROLL for (int k = 0; k < 3; ++k) {
      share[k] = 1 / (r2[k] + l);
      const exact x = r2[k] * a[k] * a[k] * share[k] * share[k];
      f += x;
      slope += x * share[k];
    }
    if (l == 0 && f <= 0) return false;
    const exact more = f / (2 * slope);
    if (!(more > (exact)1e-12 * l)) break;
    l += more;
  }
  return true;
}
// Distance between the core of a sphere or a capsule and an ellipsoid, with the nearest points in the ellipsoid's
// frame: how far along the capsule, Newton's method on the slope of half the squared distance, which grows along it.
// False: they overlap, or nearly do.
DEV_CALL bool core_to_ellipsoid(const Shape& core, const Shape& solid, EVec& on_core, EVec& on_solid) {
  const EVec r = solid.size, r2 = {{r[0] * r[0], r[1] * r[1], r[2] * r[2]}},
             c = to_local(solid.frame, core.pos - solid.pos), u = to_local(solid.frame, core.frame.c[2]);
  const exact half = core.kind == SHAPE_CAPSULE ? core.size[1] : 0;
  exact lo = -half, hi = half, t = clipped<exact>(-dot(c, u), lo, hi), l;
  EVec share;
  ROLLED for (int n = 0;; ++n) {
    on_core = c + t * u;
    if (!nearest_on_ellipsoid(r2, r, on_core, share, l)) return false;
    exact slope = 0, bend = 0, turn = 0, along = 0;
    UNROLL for (int k = 0; k < 3; ++k) {
      const exact a = on_core[k], s = share[k];
      on_solid[k] = r2[k] * a * s;
      slope += l * a * u[k] * s;
      bend += l * u[k] * u[k] * s;
      turn += r2[k] * a * u[k] * s * s;
      along += r2[k] * a * a * s * s * s;
    }
    if (slope > 0) hi = t;
    else lo = t;
    exact next = t - slope / (bend + turn * turn / along);
    if (!(next > lo)) next = next == next ? lo : (exact)0.5 * (lo + hi);
    if (next > hi) next = hi;
    if (n == 12 || !(absolute(next - t) > (exact)1e-9 * half)) return true;
    t = next;
  }
}
// Single precision sees no difference to the iterations for all shapes, which are far longer here.
DEV bool round_and_ellipsoid(exact& dist, EVec& x1, EVec& x2) {
  const Shape a = SHAPE(0), b = SHAPE(1);
  if (sizeof(real) == 8 || b.kind != SHAPE_ELLIPSOID || !is_round(0)) return false;
  EVec on_core, on_solid;
  if (!core_to_ellipsoid(a, b, on_core, on_solid)) return false;
  EVec n = on_core - on_solid;
  const exact grow = a.size[0] + (exact)0.5 * a.margin, blown = (exact)0.5 * b.margin, gap = make_unit(n) - blown;
  if (!(gap > CCD_TOLERANCE)) return false;
  const EVec out = b.frame * n;
  dist = gap - grow;
  x1 = b.frame * on_core + b.pos - grow * out;
  x2 = b.frame * on_solid + b.pos + blown * out;
  if (!(dist < 0)) {
    SYNC();
    THE_CONVEX.apart = -out;
    SYNC();
    dist = FAR_AWAY;
  }
  return true;
}
#endif
// Signed distance of shapes 0 and 1 if they overlap, 0 or more else; the points where they are deepest.
DEV_CALL exact penetration(EVec& x1, EVec& x2) {
  x1 = x2 = {{0, 0, 0}};
#if HAS_ROUND_ELLIPSOID
  if (exact dist; round_and_ellipsoid(dist, x1, x2)) return dist;
#endif
  Simplex& s = THE_CONVEX.simplex;
  if (is_round(0) || is_round(1)) { // unless their cores overlap too, the distance of the cores tells
    for (int k = 0; k < 2; ++k) {
      const Shape whole = SHAPE(k);
      SHAPE(2 + k) = whole;
    }
    SYNC();
    const exact grow_a = shrink(2), grow_b = shrink(3);
    nearest_points(2, 3, grow_a + grow_b);
    for (int k = 0; k < 2; ++k) {
      SHAPE(k).vertex = SHAPE(2 + k).vertex;
      SHAPE(k).hint = SHAPE(2 + k).hint;
    }
    SYNC();
    if (s.dist > CCD_TOLERANCE) {
      if (!s.witness) return FAR_AWAY;
      const EVec n = unit(s.on_b - s.on_a);
      x1 = s.on_a + grow_a * n;
      x2 = s.on_b - grow_b * n;
      return s.dist - (grow_a + grow_b);
    }
  }
  nearest_points(0, 1, 0);
  if (s.dist > CCD_TOLERANCE || s.n <= 1) return s.dist;
  Polytope& t = POLYTOPE;
  t.nc = 0;
  const bool good = s.n == 2   ? start_with_segment(0, 1)
                    : s.n == 3 ? start_with_triangle(s.v[0], s.v[1], s.v[2], 0, 1)
                               : start_with_tetrahedron(0, 1);
  if (!good) return 0;
  const int face = expand(0, 1);
  if (face < 0) return 0;
#if HAS_MULTICCD
  THE_CONVEX.face = face;
#endif
  const Face f = t.f[face];
  const Vertex v0 = t.v[f.v[0]], v1 = t.v[f.v[1]], v2 = t.v[f.v[2]];
  exact l[3];
  const exact shadow = shadow_areas(v0.p, v1.p, v2.p, f.foot, l);
  for (int k = 0; k < 3; ++k) l[k] /= shadow;
  x1 = l[0] * v0.a + l[1] * v1.a + l[2] * v2.a;
  x2 = l[0] * v0.b + l[1] * v1.b + l[2] * v2.b;
  return -sqrt(dot(f.foot, f.foot));
}
#if HAS_MULTICCD
DEV_CALL void several_contacts(int pair, real margin, exact dist, const EVec& x1, const EVec& x2, int& ncon);
#endif
DEV_CALL void convex_convex(int pair, real margin, int& ncon) {
  make_shape(0, pair_geom1(pair), margin);
  make_shape(1, pair_geom2(pair), margin);
  THE_CONVEX.apart = {{0, 0, 0}};
  EVec x1, x2;
  const exact dist = penetration(x1, x2);
#if HAS_MULTICCD
  if (dist < 0) several_contacts(pair, margin, dist, x1, x2, ncon);
#else
  if (dist < 0) emit(pair, (real)(margin + dist), rounded((exact)0.5 * (x1 + x2)), rounded(unit(x1 - x2)), ncon);
#endif
}
#endif

#if HAS_CONVEX && HAS_HFIELD
// A height field is a grid of prisms, each a convex shape of its own, in the frame of the field.
DEV_CALL void hfield_convex(int pair, real margin, int& ncon) {
  const int field = pair_geom1(pair), g = pair_geom2(pair);
  make_shape(0, field, 0);
  make_shape(1, g, 0);
  const EVec origin = SHAPE(0).pos;
  const Frame3<exact> frame = SHAPE(0).frame;
  const int id = geom_hfield(field), rows = hfield_nrow(id), cols = hfield_ncol(id);
  const exact sx = hfield_size(4 * id), sy = hfield_size(4 * id + 1), sz = hfield_size(4 * id + 2),
              base = hfield_size(4 * id + 3), reach = (exact)geom_rbound(g) + margin;
  Shape moved = SHAPE(1);
  moved.pos = to_local(frame, moved.pos - origin);
  for (int k = 0; k < 3; ++k) moved.frame.c[k] = to_local(frame, moved.frame.c[k]);
  SYNC();
  SHAPE(1) = moved;
  SYNC();
  EVec lo, hi;
  for (int k = 0; k < 3; ++k) {
    EVec dir = {{0, 0, 0}};
    dir[k] = 1;
    hi[k] = bare_support(1, dir)[k];
    dir[k] = -1;
    lo[k] = bare_support(1, dir)[k];
  }
  auto apart = [&](const EVec& low, const EVec& high, exact m) {
    return low[0] - m > sx || high[0] + m < -sx || low[1] - m > sy || high[1] + m < -sy || low[2] - m > sz ||
           high[2] + m < -base;
  };
  const EVec box = {{reach, reach, reach}};
  if (apart(moved.pos - box, moved.pos + box, 0) || apart(lo, hi, margin)) return;
  auto low_line = [](exact x, exact half, int n) {
    return (int)clipped(floor((x + half) / (2 * half) * (n - 1)), (exact)0, (exact)(n - 1));
  };
  auto high_line = [](exact x, exact half, int n) {
    return (int)clipped(ceil((x + half) / (2 * half) * (n - 1)), (exact)0, (exact)(n - 1));
  };
  const int r0 = low_line(lo[1], sy, rows), r1 = high_line(hi[1], sy, rows), c0 = low_line(lo[0], sx, cols),
            c1 = high_line(hi[0], sx, cols);
  const exact dx = 2 * sx / (cols - 1), dy = 2 * sy / (rows - 1);
  EVec prism[6];
  for (int k = 0; k < 6; ++k) prism[k] = {{0, 0, -base}};
  auto push = [&](int r, int c) {
    prism[0] = prism[1];
    prism[1] = prism[2];
    prism[3] = prism[4];
    prism[4] = prism[5];
    prism[2] = {{dx * c - sx, dy * r - sy, -base}};
    prism[5] = prism[2];
    prism[5][2] = (exact)hfield_data(hfield_adr(id) + r * cols + c) * sz + margin;
  };
  SHAPE(1).margin = margin;
  int count = 0;
  ROLLED for (int r = r0; r < r1; ++r) {
    push(r + 1, c0);
    push(r, c0);
    ROLLED for (int k = 2 * (c0 + 1); k < 2 * (c1 + 1); ++k) {
      push(k & 1 ? r : r + 1, k >> 1);
      if (prism[3][2] < lo[2] && prism[4][2] < lo[2] && prism[5][2] < lo[2]) continue;
      if (count >= 50) return;
      SYNC();
      Shape& p = SHAPE(0);
      p.kind = SHAPE_PRISM;
      p.margin = 0;
      p.mesh = 0;
      p.vertex = -1;
      p.hint = 0;
      UNROLL for (int i = 0; i < 6; ++i)
        THE_CONVEX.prism[i] = prism[i];
      SYNC();
      EVec x1, x2;
      const exact dist = penetration(x1, x2);
      if (!(dist < 0)) continue;
      ++count;
      emit(pair, (real)dist, rounded(frame * ((exact)0.5 * (x1 + x2)) + origin), rounded(frame * unit(x1 - x2)), ncon);
    }
  }
}
#endif
