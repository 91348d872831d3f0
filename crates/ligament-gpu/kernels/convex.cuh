// Distance and penetration of convex shapes: Gilbert-Johnson-Keerthi with the signed-volumes method (Montanari et al. 2017),
// then the expanding polytope. Decides as `ligament-geom` (gjk.rs, epa.rs, ccd.rs).
#pragma once
#include "shape.cuh"

#if HAS_CONVEX
struct Vertex { EVec p, a, b; int ia, ib; }; // point of the Minkowski difference, points and vertices it comes from
struct Simplex { Vertex v[4]; int n; exact dist; bool witness; EVec on_a, on_b; };

DEV void set_support(const Env& e, Vertex& v, Shape& a, Shape& b, const EVec& dir) {
  v.a = support(e, a, dir); v.ia = a.vertex; v.b = support(e, b, -dir); v.ib = b.vertex; v.p = v.a - v.b;
}
DEV bool same_sign(exact a, exact b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }
DEV exact det3(const EVec& a, const EVec& b, const EVec& c) { return dot(a, cross(b, c)); }

// Projection of the origin on the plane of three points; false when they lie on a line. Of three equivalent normals the
// first well-conditioned one decides.
DEV_CALL bool project_on_plane(const EVec& v1, const EVec& v2, const EVec& v3, EVec& foot) {
  EVec n = cross(v3 - v2, v2 - v1); exact nv = dot(n, v2), nn = dot(n, n);
  if (!(nv != 0 && nn > EXACT_MIN)) {
    if (nn == 0) return false;
    n = cross(v2 - v1, v3 - v1); nv = dot(n, v1); nn = dot(n, n);
    if (nn == 0) return false;
    if (!(nv != 0 && nn > EXACT_MIN)) { n = cross(v3 - v1, v3 - v2); nv = dot(n, v3); nn = dot(n, n); }
  }
  foot = (nv / nn) * n;
  return true;
}
// In the coordinate plane where the triangle has its largest shadow: twice its area, and those of the triangles that p forms
// with the sides.
DEV exact shadow_areas(const EVec& s1, const EVec& s2, const EVec& s3, const EVec& p, exact* area) {
  auto minor = [&](int i, int j) { return s2[i] * s3[j] - s2[j] * s3[i] - s1[i] * s3[j] + s1[j] * s3[i] + s1[i] * s2[j] - s1[j] * s2[i]; };
  const exact m1 = minor(1, 2), m2 = minor(0, 2), m3 = minor(0, 1), a1 = absolute(m1), a2 = absolute(m2), a3 = absolute(m3);
  const int c = a1 >= a2 && a1 >= a3 ? 0 : a2 >= a3 ? 1 : 2, x = c == 0 ? 1 : 0, y = c == 2 ? 1 : 2;
  auto side = [&](const EVec& a, const EVec& b) { return p[x] * a[y] + p[y] * b[x] + a[x] * b[y] - p[x] * b[y] - p[y] * a[x] - b[x] * a[y]; };
  area[0] = side(s2, s3); area[1] = side(s3, s1); area[2] = side(s1, s2);
  return c == 0 ? m1 : c == 1 ? m2 : m3;
}
// Weights of the point nearest to the origin: of a segment, a triangle, a tetrahedron.
DEV_CALL void nearest_on_segment(const EVec& s1, const EVec& s2, exact* w) {
  const EVec diff = s2 - s1, foot = s2 - (dot(s2, diff) / dot(diff, diff)) * diff; int axis = 0; exact shadow = s1[0] - s2[0];
  for (int k = 1; k < 3; ++k) if (absolute(s1[k] - s2[k]) >= absolute(shadow)) { shadow = s1[k] - s2[k]; axis = k; }
  const exact c1 = foot[axis] - s2[axis], c2 = s1[axis] - foot[axis]; const bool inside = same_sign(shadow, c1) && same_sign(shadow, c2);
  w[0] = inside ? c1 / shadow : 0; w[1] = inside ? c2 / shadow : 1;
}
DEV_CALL void nearest_on_triangle(const EVec& s1, const EVec& s2, const EVec& s3, exact* w) {
  EVec foot; w[2] = 0;
  if (!project_on_plane(s1, s2, s3, foot)) { nearest_on_segment(s1, s2, w); return; }
  exact area[3]; const exact shadow = shadow_areas(s1, s2, s3, foot, area); const bool in[3] = {same_sign(shadow, area[0]), same_sign(shadow, area[1]), same_sign(shadow, area[2])};
  if (in[0] && in[1] && in[2]) { for (int k = 0; k < 3; ++k) w[k] = area[k] / shadow; return; }
  exact min = FAR_AWAY; const EVec s[3] = {s1, s2, s3}; w[0] = w[1] = 0;
  ROLLED for (int skip = 0; skip < 3; ++skip) if (!in[skip]) {
    const int i = skip == 0 ? 1 : 0, j = skip == 2 ? 1 : 2; exact l[2]; nearest_on_segment(s[i], s[j], l); const EVec p = l[0] * s[i] + l[1] * s[j];
    if (dot(p, p) < min) { min = dot(p, p); w[0] = w[1] = w[2] = 0; w[i] = l[0]; w[j] = l[1]; }
  }
}
DEV_CALL void nearest_on_tetrahedron(const Vertex* v, exact* w) {
  const EVec s[4] = {v[0].p, v[1].p, v[2].p, v[3].p};
  const exact c[4] = {-det3(s[1], s[2], s[3]), det3(s[0], s[2], s[3]), -det3(s[0], s[1], s[3]), det3(s[0], s[1], s[2])}, det = c[0] + c[1] + c[2] + c[3]; bool all = true, in[4];
  for (int k = 0; k < 4; ++k) { in[k] = same_sign(det, c[k]); all &= in[k]; w[k] = 0; }
  if (all) { for (int k = 0; k < 4; ++k) w[k] = c[k] / det; return; }
  exact min = FAR_AWAY;
  ROLLED for (int skip = 0; skip < 4; ++skip) if (!in[skip]) {
    const int i = skip == 0 ? 1 : 0, j = skip <= 1 ? 2 : 1, k = skip == 3 ? 2 : 3; exact l[3]; nearest_on_triangle(s[i], s[j], s[k], l);
    const EVec p = l[0] * s[i] + l[1] * s[j] + l[2] * s[k]; if (!(dot(p, p) < min)) continue;
    min = dot(p, p); if (skip < 3) w[skip] = 0; // a quirk of the reference: the last face leaves the fourth weight as it was
    w[i] = l[0]; w[j] = l[1]; w[k] = l[2];
  }
}

// How far the origin is on the inner side of a face, and the face's unit normal to the outside.
DEV exact inner_side(const EVec& p, const EVec& q, const EVec& r, EVec& normal) {
  normal = cross(r - p, q - p); const exact n2 = dot(normal, normal); if (!(n2 > EXACT_MIN2 && n2 < 1e20)) return FAR_AWAY;
  normal = (1 / sqrt(n2)) * normal;
  return dot(normal, p);
}
enum { GJK_UNDECIDED, GJK_APART, GJK_OVERLAP };
// Moves a tetrahedron over the origin: each step replaces the vertex behind the face that the origin is farthest outside of.
DEV_CALL int surround_origin(const Env& e, Simplex& s, Shape& a, Shape& b, int& left) {
  Vertex v[4] = {s.v[0], s.v[1], s.v[2], s.v[3]}; int c[4] = {0, 1, 2, 3};
  for (; left > 0; --left) {
    EVec normal[4]; exact dist[4];
    dist[0] = inner_side(v[c[2]].p, v[c[1]].p, v[c[3]].p, normal[0]); dist[1] = inner_side(v[c[0]].p, v[c[2]].p, v[c[3]].p, normal[1]);
    dist[2] = inner_side(v[c[1]].p, v[c[0]].p, v[c[3]].p, normal[2]); dist[3] = inner_side(v[c[0]].p, v[c[1]].p, v[c[2]].p, normal[3]);
    int low = 0; for (int k = 0; k < 4; ++k) { if (dist[k] == 0) return GJK_UNDECIDED; if (k > 0 && dist[k] <= dist[low]) low = k; }
    if (dist[low] > 0) { for (int k = 0; k < 4; ++k) s.v[k] = v[c[k]]; return GJK_OVERLAP; }
    Vertex& changed = v[c[low]]; set_support(e, changed, a, b, normal[low]);
    if (dot(normal[low], changed.p) < 0) return GJK_APART;
    const int i = (low + 1) & 3, j = (low + 2) & 3, t = c[i]; c[i] = c[j]; c[j] = t; // keeps the orientation
  }
  return GJK_UNDECIDED;
}
DEV bool is_apart(const EVec& x, const EVec& s, exact cutoff) {
  const exact xs = dot(x, s); if (cutoff <= 0) return xs > 0;
  return cutoff < FAR_AWAY && xs > 0 && xs * xs / dot(x, x) >= cutoff * cutoff;
}
// The point of the Minkowski difference nearest to the origin; distances up to the cutoff are wanted, 0: only intersection.
DEV_CALL void nearest_points(const Env& e, Simplex& s, Shape& a, Shape& b, exact cutoff) {
  EVec x = centre_of(a) - centre_of(b); exact w[4] = {1, 0, 0, 0}, dist = 0; int n = 0, left = CCD_ITERATIONS, verdict = GJK_UNDECIDED; bool surround = cutoff <= 0;
  const exact slack = is_discrete(a) && is_discrete(b) ? 0 : (exact)0.5 * CCD_TOLERANCE * CCD_TOLERANCE;
  while (left > 0) {
    const exact n2 = dot(x, x); if (n2 < EXACT_MIN2) { dist = n2; break; }
    dist = sqrt(n2); const EVec out = (1 / dist) * x; set_support(e, s.v[n], a, b, -out); const EVec newest = s.v[n].p;
    // the duality gap (Frank and Wolfe 1956) bounds what is left
    if (dot(x, x - newest) < slack) { if (n < 1) n = 1; break; }
    if (is_apart(x, newest, cutoff)) { verdict = GJK_APART; break; }
    if (surround && n == 3) { verdict = surround_origin(e, s, a, b, left); if (verdict != GJK_UNDECIDED) break; surround = false; }
    w[0] = 1; w[1] = w[2] = w[3] = 0;
    if (n == 1) nearest_on_segment(s.v[0].p, s.v[1].p, w); else if (n == 2) nearest_on_triangle(s.v[0].p, s.v[1].p, s.v[2].p, w); else if (n == 3) nearest_on_tetrahedron(s.v, w);
    n = 0; for (int k = 0; k < 4; ++k) if (w[k] != 0) { if (n != k) { s.v[n] = s.v[k]; w[n] = w[k]; } ++n; }
    if (n == 0) { verdict = GJK_APART; break; }
    EVec p = w[0] * s.v[0].p; for (int k = 1; k < n; ++k) p = p + w[k] * s.v[k].p;
    if (absolute(p[0] - x[0]) < EXACT_MIN && absolute(p[1] - x[1]) < EXACT_MIN && absolute(p[2] - x[2]) < EXACT_MIN) break;
    x = p; if (n == 4) { dist = 0; break; }
    --left;
  }
  s.witness = verdict == GJK_UNDECIDED;
  if (verdict == GJK_APART) { s.n = 0; s.dist = FAR_AWAY; } else if (verdict == GJK_OVERLAP) { s.n = 4; s.dist = 0; } else {
    s.n = n; s.dist = dist; s.on_a = centre_of(a); s.on_b = centre_of(b);
    if (n > 0) { s.on_a = w[0] * s.v[0].a; s.on_b = w[0] * s.v[0].b; for (int k = 1; k < n; ++k) { s.on_a = s.on_a + w[k] * s.v[k].a; s.on_b = s.on_b + w[k] * s.v[k].b; } }
  }
}

// The polytope: a triangulated surface inside the Minkowski difference around the origin, its nearest face pushed out until
// it lies on the boundary.
#define MAXVERT (CCD_ITERATIONS + 6)
#define MAXFACE (8 * CCD_ITERATIONS + 8)
#define MAXRIM 64
enum { FACE_SURFACE = -1, FACE_DELETED = -2 };
struct Face { EVec foot; short v[3], next[3]; short place; }; // foot: projection of the origin; next: faces across the edges; place among the candidates
struct Polytope { Vertex v[MAXVERT]; Face f[MAXFACE]; short candidate[MAXFACE], rim_face[MAXRIM], rim_edge[MAXRIM]; int nv, nf, nc, nrim; };

DEV_CALL int insert_support(const Env& e, Polytope& t, Shape& a, Shape& b, const EVec& dir, exact norm) {
  const EVec u = norm > EXACT_MIN ? EVec{{dir[0] / norm, dir[1] / norm, dir[2] / norm}} : EVec{{1, 0, 0}};
  set_support(e, t.v[t.nv], a, b, u);
  return t.nv++;
}
// Adds a face, returns its squared distance from the origin (0 for a triangle without area).
DEV_CALL exact attach(Polytope& t, int v1, int v2, int v3, int n1, int n2, int n3) {
  Face& f = t.f[t.nf++]; f.v[0] = v1; f.v[1] = v2; f.v[2] = v3; f.next[0] = n1; f.next[1] = n2; f.next[2] = n3; f.place = FACE_SURFACE;
  if (!project_on_plane(t.v[v3].p, t.v[v2].p, t.v[v1].p, f.foot)) f.foot = {{0, 0, 0}};
  return dot(f.foot, f.foot);
}
DEV void all_candidates(Polytope& t) { for (int k = 0; k < t.nf; ++k) { t.f[k].place = k; t.candidate[k] = k; } t.nc = t.nf; }
DEV bool lies_in_triangle(const EVec& a, const EVec& b, const EVec& c, const EVec& p) {
  exact l[3]; const exact shadow = shadow_areas(a, b, c, p, l); for (int k = 0; k < 3; ++k) { l[k] /= shadow; if (l[k] < 0) return false; }
  return length(l[0] * a + l[1] * b + l[2] * c - p) < EXACT_MIN;
}
DEV_CALL bool start_with_triangle(const Env& e, Polytope& t, const Vertex& v1, const Vertex& v2, const Vertex& v3, Shape& a, Shape& b) {
  const Vertex v[3] = {v1, v2, v3}; t.nv = 3; t.nf = 0; for (int k = 0; k < 3; ++k) t.v[k] = v[k];
  const EVec n = cross(v[1].p - v[0].p, v[2].p - v[0].p); const exact norm = length(n); if (norm < EXACT_MIN) return false;
  insert_support(e, t, a, b, -n, norm); insert_support(e, t, a, b, n, norm); // 3 below, 4 above
  if (lies_in_triangle(v[0].p, v[1].p, v[2].p, t.v[4].p) || lies_in_triangle(v[0].p, v[1].p, v[2].p, t.v[3].p)) return false;
  bool good = !(attach(t, 4, 0, 1, 1, 3, 2) < EXACT_MIN2); good = good && !(attach(t, 4, 2, 0, 2, 4, 0) < EXACT_MIN2); good = good && !(attach(t, 4, 1, 2, 0, 5, 1) < EXACT_MIN2);
  good = good && !(attach(t, 3, 1, 0, 5, 0, 4) < EXACT_MIN2); good = good && !(attach(t, 3, 0, 2, 3, 1, 5) < EXACT_MIN2); good = good && !(attach(t, 3, 2, 1, 4, 2, 3) < EXACT_MIN2);
  if (good) all_candidates(t);
  return good;
}
// A face that holds the origin: start again from it.
DEV bool restart(const Env& e, Polytope& t, Shape& a, Shape& b) {
  const Face f = t.f[t.nf - 1]; const Vertex v1 = t.v[f.v[0]], v2 = t.v[f.v[1]], v3 = t.v[f.v[2]];
  return start_with_triangle(e, t, v1, v2, v3, a, b);
}
DEV bool contains_origin(const Vertex* v) {
  for (int k = 0; k < 4; ++k) {
    const EVec p = v[k].p, n = cross(v[(k + 1) & 3].p - p, v[(k + 2) & 3].p - p);
    if (!same_sign(dot(n, v[(k + 3) & 3].p - p), -dot(n, p))) return false;
  }
  return true;
}
DEV_CALL bool start_with_tetrahedron(const Env& e, Polytope& t, const Simplex& s, Shape& a, Shape& b) {
  t.nv = 4; t.nf = 0; for (int k = 0; k < 4; ++k) t.v[k] = s.v[k];
  if (attach(t, 0, 1, 2, 1, 3, 2) < EXACT_MIN2 || attach(t, 0, 3, 1, 2, 3, 0) < EXACT_MIN2 || attach(t, 0, 2, 3, 0, 3, 1) < EXACT_MIN2 || attach(t, 3, 2, 1, 2, 0, 1) < EXACT_MIN2) return restart(e, t, a, b);
  if (!contains_origin(s.v)) return false;
  all_candidates(t);
  return true;
}
// A segment: three support points around it complete a hexahedron.
DEV_CALL bool start_with_segment(const Env& e, Polytope& t, const Simplex& s, Shape& a, Shape& b) {
  t.nv = 2; t.nf = 0; t.v[0] = s.v[0]; t.v[1] = s.v[1]; const EVec line = s.v[1].p - s.v[0].p; int least = 0;
  for (int k = 1; k < 3; ++k) if (absolute(line[k]) < absolute(line[least])) least = k;
  EVec axis = {{0, 0, 0}}; axis[least] = 1; const EVec u = (1 / length(line)) * line;
  EVec d = cross(axis, line);
  ROLLED for (int k = 0; k < 3; ++k) { insert_support(e, t, a, b, d, length(d)); d = (exact)-0.5 * d + (exact)0.86602540378 * cross(u, d) + (exact)1.5 * dot(u, d) * u; } // a third of a turn, with the reference's sine
  if (attach(t, 0, 2, 3, 1, 3, 2) < EXACT_MIN2 || attach(t, 0, 4, 2, 2, 4, 0) < EXACT_MIN2 || attach(t, 0, 3, 4, 0, 5, 1) < EXACT_MIN2 || attach(t, 1, 3, 2, 5, 0, 4) < EXACT_MIN2 || attach(t, 1, 2, 4, 3, 1, 5) < EXACT_MIN2 || attach(t, 1, 4, 3, 4, 2, 3) < EXACT_MIN2) return restart(e, t, a, b);
  const EVec p = t.v[2].p - t.v[0].p, q = t.v[3].p - t.v[0].p, r = t.v[4].p - t.v[0].p; const exact x = det3(p, q, line), y = det3(q, r, line), z = det3(r, p, line);
  if (!((x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0))) return false;
  all_candidates(t);
  return true;
}

DEV void delete_face(Polytope& t, int face) {
  const int place = t.f[face].place;
  if (place >= 0) { --t.nc; if (place < t.nc) { t.candidate[place] = t.candidate[t.nc]; t.f[t.candidate[place]].place = place; } }
  t.f[face].place = FACE_DELETED;
}
// Deletes all faces that w sees, from `face` on, and lists the edges of the hole in order; false: there are too many.
DEV_CALL bool cut(Polytope& t, int face, const EVec& w) {
  short at[MAXRIM]; unsigned char entry[MAXRIM], next[MAXRIM], last[MAXRIM]; int depth = 1; t.nrim = 0;
  delete_face(t, face); at[0] = face; entry[0] = 2; next[0] = 1; last[0] = 3;
  while (depth > 0) {
    const int d = depth - 1; if (next[d] > last[d]) { --depth; continue; }
    const int edge = (entry[d] + next[d]++) % 3; const Face& f = t.f[at[d]]; const int other = f.next[edge]; const Face& o = t.f[other];
    if (o.place == FACE_DELETED) continue;
    const int shared = f.v[(edge + 1) % 3], across = o.v[0] == shared ? 0 : o.v[1] == shared ? 1 : 2;
    if (dot(o.foot, w) - dot(o.foot, o.foot) > EXACT_MIN) {
      if (depth == MAXRIM) return false;
      delete_face(t, other); at[depth] = other; entry[depth] = across; next[depth] = 1; last[depth] = 2; ++depth;
    } else { if (t.nrim == MAXRIM) return false; t.rim_face[t.nrim] = other; t.rim_edge[t.nrim++] = across; }
  }
  return true;
}
// Closes the hole with faces from its edges to vertex w; false on a numerical failure.
DEV_CALL bool close_hole(Polytope& t, int w, exact lower2, exact upper2) {
  const int first = t.nf, n = t.nrim;
  ROLLED for (int i = 0; i < n; ++i) {
    const int face = t.rim_face[i], edge = t.rim_edge[i]; Face& old = t.f[face]; const int v1 = old.v[edge], v2 = old.v[(edge + 1) % 3]; old.next[edge] = first + i;
    const exact d2 = attach(t, w, v2, v1, i == 0 ? first + n - 1 : first + i - 1, face, first + (i + 1) % n);
    if (d2 == 0) return false;
    if (d2 >= lower2 && d2 <= upper2) { t.f[first + i].place = t.nc; t.candidate[t.nc++] = first + i; }
  }
  return true;
}
// Expands until the nearest face is on the boundary; returns that face, -1: none.
DEV_CALL int expand(const Env& e, Polytope& t, Shape& a, Shape& b) {
  const bool discrete = is_discrete(a) && is_discrete(b); const exact tolerance = discrete ? EXACT_MIN : (exact)CCD_TOLERANCE; exact upper = FAR_AWAY, upper2 = FAR_AWAY; int face = -1;
  ROLLED for (int k = 0; k < CCD_ITERATIONS; ++k) {
    const int previous = face; exact lower2 = FAR_AWAY; int nearest = -1;
    ROLLED for (int i = 0; i < t.nc; ++i) { const EVec& f = t.f[t.candidate[i]].foot; const exact d2 = dot(f, f); if (d2 < lower2) { lower2 = d2; nearest = t.candidate[i]; } }
    if (nearest >= 0) face = nearest;
    if (lower2 > upper2 || face < 0) return previous;
    if (lower2 <= 0) return face;
    const EVec foot = t.f[face].foot; const exact lower = sqrt(lower2); const int w = insert_support(e, t, a, b, foot, lower); const exact now = dot(foot, t.v[w].p) / lower;
    if (now < upper) { upper = now; upper2 = now * now; }
    if (upper - lower < tolerance) return face;
    if (discrete) { bool repeated = false; ROLLED for (int i = 0; i < w; ++i) repeated |= t.v[i].ia == t.v[w].ia && t.v[i].ib == t.v[w].ib; if (repeated) return face; }
    if (!cut(t, face, t.v[w].p)) return face;
    if (t.nrim < 3) return -1;
    if (t.nrim > MAXFACE - t.nf) return face;
    if (!close_hole(t, w, lower2, upper2)) return -1;
    if (t.nc == 0) return face;
  }
  return face;
}

// Replaces a round shape by its core, returns the thickness taken off.
DEV exact shrink(Shape& s) {
  if (s.kind != SHAPE_SPHERE && s.kind != SHAPE_CAPSULE) return 0;
  s.kind = s.kind == SHAPE_SPHERE ? SHAPE_POINT : SHAPE_SEGMENT; const exact thick = s.size[0] + (exact)0.5 * s.margin; s.margin = 0;
  return thick;
}
// Signed distance of two shapes if they overlap, 0 or more else; the points where they are deepest.
DEV_CALL exact penetration(const Env& e, Shape& a, Shape& b, EVec& x1, EVec& x2) {
  Simplex s; const bool round = a.kind == SHAPE_SPHERE || a.kind == SHAPE_CAPSULE || b.kind == SHAPE_SPHERE || b.kind == SHAPE_CAPSULE;
  if (round) { // unless their cores overlap too, the distance of the cores tells
    Shape core_a = a, core_b = b; const exact grow_a = shrink(core_a), grow_b = shrink(core_b); nearest_points(e, s, core_a, core_b, grow_a + grow_b);
    a.vertex = core_a.vertex; a.hint = core_a.hint; b.vertex = core_b.vertex; b.hint = core_b.hint;
    if (s.dist > CCD_TOLERANCE) {
      if (!s.witness) return FAR_AWAY;
      const EVec n = unit(s.on_b - s.on_a); x1 = s.on_a + grow_a * n; x2 = s.on_b - grow_b * n;
      return s.dist - (grow_a + grow_b);
    }
  }
  nearest_points(e, s, a, b, 0);
  if (s.dist > CCD_TOLERANCE || s.n <= 1) return s.dist;
  Polytope t; t.nc = 0;
  const bool good = s.n == 2 ? start_with_segment(e, t, s, a, b) : s.n == 3 ? start_with_triangle(e, t, s.v[0], s.v[1], s.v[2], a, b) : start_with_tetrahedron(e, t, s, a, b);
  if (!good) return 0;
  const int face = expand(e, t, a, b); if (face < 0) return 0;
  const Face& f = t.f[face]; const Vertex &v0 = t.v[f.v[0]], &v1 = t.v[f.v[1]], &v2 = t.v[f.v[2]]; exact l[3]; const exact shadow = shadow_areas(v0.p, v1.p, v2.p, f.foot, l); for (int k = 0; k < 3; ++k) l[k] /= shadow;
  x1 = l[0] * v0.a + l[1] * v1.a + l[2] * v2.a; x2 = l[0] * v0.b + l[1] * v1.b + l[2] * v2.b;
  return -sqrt(dot(f.foot, f.foot));
}
DEV RVec rounded(const EVec& a) { return {{(real)a[0], (real)a[1], (real)a[2]}}; }
DEV_CALL void convex_convex(const Env& e, int g1, int g2, real margin, Points& out) {
  Shape a = shape_of(e, g1, margin), b = shape_of(e, g2, margin); EVec x1, x2; const exact dist = penetration(e, a, b, x1, x2);
  if (dist < 0) out.add((real)(margin + dist), rounded((exact)0.5 * (x1 + x2)), rounded(unit(x1 - x2)));
}
#endif

#if HAS_HFIELD
// A height field is a grid of prisms, each a convex shape of its own, in the frame of the field.
DEV_CALL void hfield_convex(const Env& e, int field, int g, real margin, Points& out) {
  const Shape h = shape_of(e, field, 0); Shape s = shape_of(e, g, 0); const int id = geom_hfield(field), rows = hfield_nrow(id), cols = hfield_ncol(id);
  const exact sx = hfield_size(4 * id), sy = hfield_size(4 * id + 1), sz = hfield_size(4 * id + 2), base = hfield_size(4 * id + 3), reach = (exact)geom_rbound(g) + margin;
  s.pos = to_local(h.frame, s.pos - h.pos); for (int k = 0; k < 3; ++k) s.frame.c[k] = to_local(h.frame, s.frame.c[k]);
  EVec lo, hi; for (int k = 0; k < 3; ++k) { EVec dir = {{0, 0, 0}}; dir[k] = 1; hi[k] = bare_support(e, s, dir)[k]; dir[k] = -1; lo[k] = bare_support(e, s, dir)[k]; }
  auto apart = [&](const EVec& low, const EVec& high, exact m) { return low[0] - m > sx || high[0] + m < -sx || low[1] - m > sy || high[1] + m < -sy || low[2] - m > sz || high[2] + m < -base; };
  const EVec box = {{reach, reach, reach}}; if (apart(s.pos - box, s.pos + box, 0) || apart(lo, hi, margin)) return;
  auto low_line = [](exact x, exact half, int n) { return (int)clipped(floor((x + half) / (2 * half) * (n - 1)), (exact)0, (exact)(n - 1)); };
  auto high_line = [](exact x, exact half, int n) { return (int)clipped(ceil((x + half) / (2 * half) * (n - 1)), (exact)0, (exact)(n - 1)); };
  const int r0 = low_line(lo[1], sy, rows), r1 = high_line(hi[1], sy, rows), c0 = low_line(lo[0], sx, cols), c1 = high_line(hi[0], sx, cols);
  const exact dx = 2 * sx / (cols - 1), dy = 2 * sy / (rows - 1); EVec prism[6]; for (int k = 0; k < 6; ++k) prism[k] = {{0, 0, -base}};
  auto push = [&](int r, int c) {
    prism[0] = prism[1]; prism[1] = prism[2]; prism[3] = prism[4]; prism[4] = prism[5];
    prism[2] = {{dx * c - sx, dy * r - sy, -base}}; prism[5] = prism[2]; prism[5][2] = (exact)hfield_data(hfield_adr(id) + r * cols + c) * sz + margin;
  };
  s.margin = margin;
  ROLLED for (int r = r0; r < r1; ++r) {
    push(r + 1, c0); push(r, c0);
    ROLLED for (int k = 2 * (c0 + 1); k < 2 * (c1 + 1); ++k) {
      push(k & 1 ? r : r + 1, k >> 1);
      if (prism[3][2] < lo[2] && prism[4][2] < lo[2] && prism[5][2] < lo[2]) continue;
      if (out.count >= 50) return;
      Shape p; p.kind = SHAPE_PRISM; p.prism = prism; p.margin = 0; p.mesh = 0; p.vertex = -1; p.hint = 0; EVec x1, x2;
      const exact dist = penetration(e, p, s, x1, x2); if (!(dist < 0)) continue;
      out.add((real)dist, rounded(h.frame * ((exact)0.5 * (x1 + x2)) + h.pos), rounded(h.frame * unit(x1 - x2)));
    }
  }
}
#endif
