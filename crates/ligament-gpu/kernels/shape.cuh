// Convex shapes as the general algorithms see them: a centre, a support function, a margin. In double precision: these
// algorithms decide by signs of differences that single precision does not have.
#pragma once
#include "primitive.cuh"

#if HAS_CONVEX
typedef double exact;
typedef Vec<exact> EVec;
#define EXACT_MIN ((exact)1e-15)
#define EXACT_MIN2 ((exact)1e-30)
#define FAR_AWAY ((exact)1.7976931348623157e308)
DEV EVec evec(const real* p) { return {{(exact)p[0], (exact)p[1], (exact)p[2]}}; }

enum { SHAPE_POINT, SHAPE_SEGMENT, SHAPE_SPHERE, SHAPE_CAPSULE, SHAPE_ELLIPSOID, SHAPE_CYLINDER, SHAPE_BOX, SHAPE_MESH, SHAPE_PRISM };
struct Shape {
  int kind, mesh, vertex, hint; // the last support vertex (-1: none), hull vertex where the next search starts
  EVec pos, size; Frame3<exact> frame; exact margin; // blown up by half the margin
  const EVec* prism;            // three bottom and three top vertices
};

DEV Shape shape_of(const Env& e, int g, exact margin) {
  Shape s; const int type = geom_type(g); const Solid b = solid(e, g);
  s.kind = type == GEOM_SPHERE ? SHAPE_SPHERE : type == GEOM_CAPSULE ? SHAPE_CAPSULE : type == GEOM_ELLIPSOID ? SHAPE_ELLIPSOID : type == GEOM_CYLINDER ? SHAPE_CYLINDER : type == GEOM_BOX ? SHAPE_BOX : SHAPE_MESH;
  s.mesh = geom_mesh(g); s.vertex = -1; s.hint = 0; s.margin = margin; s.prism = nullptr; s.pos = evec(b.pos.v); s.size = evec(b.size.v);
  // axes of unit length to the last digit: support points of far vertices show the difference
  real q[4] = {geom_quat(4 * g), geom_quat(4 * g + 1), geom_quat(4 * g + 2), geom_quat(4 * g + 3)}, Q[4]; quat_mul(e.w.pose + 8 * geom_bodyid(g) + 4, q, Q);
  exact w = Q[0], x = Q[1], y = Q[2], z = Q[3]; const exact n = 1 / sqrt(w * w + x * x + y * y + z * z); w *= n; x *= n; y *= n; z *= n;
  s.frame.c[0] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)}};
  s.frame.c[1] = {{2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)}};
  s.frame.c[2] = cross(s.frame.c[0], s.frame.c[1]);
  return s;
}
// Finitely many support points: iterations end exactly. A margin rounds the shape.
DEV bool is_discrete(const Shape& s) { return s.margin == 0 && s.kind >= SHAPE_BOX; }
DEV EVec centre_of(const Shape& s) {
  if (s.kind != SHAPE_PRISM) return s.pos;
  EVec sum = s.prism[0]; for (int k = 1; k < 6; ++k) sum = sum + s.prism[k];
  return (1 / (exact)6) * sum;
}

#if NMESH > 0
// Graph of a mesh's hull: vertices, addresses of their neighbours (closed by -1), as the model has it.
DEV EVec mesh_point(const Env& e, int mesh, int i) { return evec(&mesh_vert(3 * (mesh_vertadr(mesh) + i))); }
DEV int hull_vertex(const Env& e, int mesh, int local) { const int adr = mesh_graphadr(mesh); return mesh_graph(adr + 2 + mesh_graph(adr) + local); }
// The highest neighbour of a hull vertex above `max`; else the vertex itself.
DEV int best_neighbour(const Env& e, int mesh, const EVec& dir, int local, exact& max) {
  const int adr = mesh_graphadr(mesh), n = mesh_graph(adr); int best = local;
  ROLLED for (int i = adr + 2 + 2 * n + mesh_graph(adr + 2 + local); mesh_graph(i) >= 0; ++i) {
    const int other = mesh_graph(i); const exact height = dot(dir, mesh_point(e, mesh, mesh_graph(adr + 2 + n + other)));
    if (height > max) { max = height; best = other; }
  }
  return best;
}
DEV int climb(const Env& e, int mesh, const EVec& dir, int start, exact max) {
  ROLLED for (int at = start;;) { const int best = best_neighbour(e, mesh, dir, at, max); if (best == at) return at; at = best; }
}
// The hull vertex farthest in a direction. The first step goes to the best neighbour, even downhill: that decides between
// vertices that are about as far.
DEV_CALL int farthest_on_hull(const Env& e, int mesh, const EVec& dir, int start) {
  exact max = -3.4028234663852886e38; int at = best_neighbour(e, mesh, dir, start, max);
  return climb(e, mesh, dir, at, max);
}
DEV_CALL int farthest_vertex(const Env& e, int mesh, const EVec& dir, int start) {
  int best = start < 0 ? 0 : start; exact max = start < 0 ? (exact)-3.4028234663852886e38 : dot(dir, mesh_point(e, mesh, start));
  ROLLED for (int i = 0; i < mesh_vertnum(mesh); ++i) { const exact height = dot(dir, mesh_point(e, mesh, i)); if (height > max) { max = height; best = i; } }
  return best;
}
DEV EVec mesh_support(const Env& e, Shape& s, const EVec& local) {
  if (mesh_graphadr(s.mesh) >= 0 && mesh_vertnum(s.mesh) >= 10) { s.hint = farthest_on_hull(e, s.mesh, local, s.hint); s.vertex = hull_vertex(e, s.mesh, s.hint); }
  else s.vertex = farthest_vertex(e, s.mesh, local, s.vertex);
  return mesh_point(e, s.mesh, s.vertex);
}
#endif

// Farthest point in a unit direction, without the margin.
DEV_CALL EVec bare_support(const Env& e, Shape& s, const EVec& dir) {
  (void)e;
  if (s.kind == SHAPE_POINT) return s.pos;
  if (s.kind == SHAPE_SPHERE) return s.size[0] * dir + s.pos;
  if (s.kind == SHAPE_SEGMENT) return (dot(s.frame.c[2], dir) >= 0 ? s.size[1] : -s.size[1]) * s.frame.c[2] + s.pos;
  if (s.kind == SHAPE_PRISM) {
    const EVec* half = dir[2] < 0 ? s.prism : s.prism + 3; int best = 0; exact max = dot(half[0], dir);
    for (int k = 1; k < 3; ++k) { const exact d = dot(half[k], dir); if (d > max) { max = d; best = k; } }
    return half[best];
  }
  const EVec d = to_local(s.frame, dir); EVec p;
  if (s.kind == SHAPE_CAPSULE) { p = s.size[0] * d; p[2] += d[2] >= 0 ? s.size[1] : -s.size[1]; }
  else if (s.kind == SHAPE_ELLIPSOID) {
    p = {{d[0] * s.size[0], d[1] * s.size[1], d[2] * s.size[2]}}; const exact n2 = dot(p, p);
    if (n2 < EXACT_MIN2) p = {{s.size[0], 0, 0}}; else { const exact inv = 1 / sqrt(n2); p = {{p[0] * inv * s.size[0], p[1] * inv * s.size[1], p[2] * inv * s.size[2]}}; }
  } else if (s.kind == SHAPE_CYLINDER) {
    const exact n2 = d[0] * d[0] + d[1] * d[1], scale = n2 >= EXACT_MIN2 ? s.size[0] / sqrt(n2) : 0; p = {{scale * d[0], scale * d[1], d[2] >= 0 ? s.size[1] : -s.size[1]}};
  } else if (s.kind == SHAPE_BOX) {
    s.vertex = 0; for (int k = 0; k < 3; ++k) { p[k] = d[k] >= 0 ? s.size[k] : -s.size[k]; s.vertex |= (p[k] > 0) << k; }
  } else {
#if NMESH > 0
    p = mesh_support(e, s, d);
#else
    p = {{0, 0, 0}};
#endif
  }
  return s.frame * p + s.pos;
}
DEV EVec support(const Env& e, Shape& s, const EVec& dir) {
  const EVec p = bare_support(e, s, dir); return s.margin > 0 ? p + (exact)0.5 * s.margin * dir : p;
}

#if HAS_PLANE_MESH
// The lowest vertex, then its neighbours (or, without a graph, any vertices) that are within the margin and not too near.
DEV_CALL void plane_mesh(const Env& e, int plane, int g, real margin, Points& out) {
  const Shape p = shape_of(e, plane, 0), s = shape_of(e, g, 0); const EVec n = p.frame.c[2], down = to_local(s.frame, -n); const int mesh = s.mesh;
  if (mesh_vertnum(mesh) == 0) return;
  const int graph = mesh_graphadr(mesh); int local = 0, lowest;
  if (graph >= 0) { local = climb(e, mesh, down, 0, dot(down, mesh_point(e, mesh, hull_vertex(e, mesh, 0)))); lowest = hull_vertex(e, mesh, local); }
  else lowest = farthest_vertex(e, mesh, down, -1);
  auto add = [&](int v) {
    const EVec at = s.frame * mesh_point(e, mesh, v) + s.pos; const exact dist = dot(n, at - p.pos); const EVec mid = at + (exact)-0.5 * dist * n;
    out.add((real)dist, {{(real)mid[0], (real)mid[1], (real)mid[2]}}, {{(real)n[0], (real)n[1], (real)n[2]}}); return dist;
  };
  if (add(lowest) > margin) { out.count = 0; return; }
  const EVec near = evec(out.list[0].pos); const exact threshold = dot(n, s.pos - p.pos) - margin;
  auto consider = [&](int v) { if (dot(down, mesh_point(e, mesh, v)) > threshold && length(s.frame * mesh_point(e, mesh, v) + s.pos - near) >= (exact)0.3 * geom_rbound(g)) add(v); };
  if (graph >= 0) { const int count = mesh_graph(graph); ROLLED for (int i = graph + 2 + 2 * count + mesh_graph(graph + 2 + local); mesh_graph(i) >= 0 && out.count < 3; ++i) consider(hull_vertex(e, mesh, mesh_graph(i))); }
  else ROLLED for (int v = 0; v < mesh_vertnum(mesh) && out.count < 3; ++v) if (v != lowest) consider(v);
}
#endif
#endif
