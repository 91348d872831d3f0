// Convex shapes as the general algorithms see them: a centre, a support function, a margin. In double precision: these
// algorithms decide by signs of differences that single precision does not have.
//
// A warp tests one pair at a time. All lanes hold the same numbers and take the same ways; where there are many items
// (vertices of a hull, faces of a polytope) each lane takes its share. What is reached by a computed index is in shared
// memory or, the polytope, in the world's scratch: stacks of all lanes would not fit into any cache. Between reading
// such a place and writing to it, lanes meet.
#pragma once
#include "primitive.cuh"

#if HAS_CONVEX
#define EXACT_MIN ((exact)1e-15)
#define EXACT_MIN2 ((exact)1e-30)
#define FAR_AWAY ((exact)1.7976931348623157e308)

enum {
  SHAPE_POINT,
  SHAPE_SEGMENT,
  SHAPE_SPHERE,
  SHAPE_CAPSULE,
  SHAPE_ELLIPSOID,
  SHAPE_CYLINDER,
  SHAPE_BOX,
  SHAPE_MESH,
  SHAPE_PRISM
};
struct Shape {
  int kind, mesh, vertex, hint; // the last support vertex (-1: none), hull vertex where the next search starts
  EVec pos, size;
  Frame3<exact> frame;
  exact margin; // blown up by half the margin
};
struct Vertex {
  EVec p, a, b;
  int ia, ib;
}; // point of the Minkowski difference, points and vertices it comes from
struct Simplex {
  Vertex v[4];
  exact dist;
  EVec on_a, on_b;
  int n;
  bool witness;
};
struct Convex {
  Shape shape[4]; // the pair, and the cores of round shapes
  Simplex simplex;
  EVec prism[6]; // of a height field: three bottom and three top vertices
  EVec apart;    // direction from the first shape to the second along which they were found apart; zero: none
#if HAS_MULTICCD
  int face; // of the polytope, where it was found that they overlap
#endif
};
static_assert(sizeof(Convex) <= CONVEX * sizeof(double), "");
#define THE_CONVEX (*(Convex*)WORLD.convex)
#define SHAPE(i) (THE_CONVEX.shape[i])

DEV_CALL void make_shape(int number, int g, exact margin) {
  Shape s;
  const int type = geom_type(g);
  const ExactSolid b = exact_solid(g);
  s.kind = type == GEOM_SPHERE      ? SHAPE_SPHERE
           : type == GEOM_CAPSULE   ? SHAPE_CAPSULE
           : type == GEOM_ELLIPSOID ? SHAPE_ELLIPSOID
           : type == GEOM_CYLINDER  ? SHAPE_CYLINDER
           : type == GEOM_BOX       ? SHAPE_BOX
                                    : SHAPE_MESH;
  s.mesh = geom_mesh(g);
  s.vertex = -1;
  s.hint = 0;
  s.margin = margin;
  s.pos = b.pos;
  s.size = b.size;
  s.frame = b.frame;
  SYNC();
  SHAPE(number) = s;
  SYNC();
}
// Finitely many support points: iterations end exactly. A margin rounds the shape.
DEV bool is_discrete(const Shape& s) { return s.margin == 0 && s.kind >= SHAPE_BOX; }
DEV EVec centre_of(const Shape& s) {
  if (s.kind != SHAPE_PRISM) return s.pos;
  const EVec* p = THE_CONVEX.prism;
  EVec sum = p[0];
  for (int k = 1; k < 6; ++k) sum = sum + p[k];
  return (1 / (exact)6) * sum;
}

#if NMESH > 0
// Graph of a mesh's hull: vertices, addresses of their neighbours (closed by -1), as the model has it.
DEV EVec mesh_point(int mesh, int i) { return evec(&mesh_vert(3 * (mesh_vertadr(mesh) + i))); }
DEV EVec hull_point(int mesh, int local) { return evec(&hull_vert(3 * (hull_adr(mesh) + local))); }
DEV int hull_vertex(int mesh, int local) {
  const int adr = mesh_graphadr(mesh);
  return mesh_graph(adr + 2 + mesh_graph(adr) + local);
}
// The highest neighbour of a hull vertex above `max`; else the vertex itself.
DEV int best_neighbour(int mesh, const EVec& dir, int local, exact& max) {
  const int adr = mesh_graphadr(mesh), n = mesh_graph(adr);
  int best = local;
  ROLLED for (int i = adr + 2 + 2 * n + mesh_graph(adr + 2 + local);; i += LANES) {
    const int other = mesh_graph(i + LANE), end = lane_first(other < 0);
    const bool mine = end < 0 || LANE < end;
    const exact height = mine ? dot(dir, hull_point(mesh, other)) : 0;
    exact top = 0;
    const int lane = lane_best(height, mine ? LANE : -1, top);
    if (lane >= 0 && top > max) {
      max = top;
      best = mesh_graph(i + lane);
    }
    if (end >= 0) return best;
  }
}
DEV int climb(int mesh, const EVec& dir, int start, exact max) {
  ROLLED for (int at = start;;) {
    const int best = best_neighbour(mesh, dir, at, max);
    if (best == at) return at;
    at = best;
  }
}
// The hull vertex farthest in a direction, if no other is about as far (else -1): a climb would end there too, but
// takes many steps that wait for each other.
DEV_CALL int clearly_farthest(int mesh, const EVec& dir) {
  const RVec d = rounded(dir);
  const int first = hull_adr(mesh), n = mesh_graph(mesh_graphadr(mesh));
  real top = -MAXVAL, next = -MAXVAL;
  int mine = 0;
  UNROLL4 FOR_LANES(i, n) {
    const real h = dot(d, vec(&hull_vert(3 * (first + i))));
    next = r_max(next, r_min(top, h));
    if (h > top) {
      top = h;
      mine = i;
    }
  }
  const real near = lane_max(top) - (sizeof(real) == 4 ? (real)2e-6 : (real)1e-13) * hull_reach(mesh);
  const int who = lane_first(top >= near);
  return lane_total((top >= near) + (next >= near)) == 1 ? lane_value(mine, who) : -1;
}
// The hull vertex farthest in a direction. The first step goes to the best neighbour, even downhill: that decides
// between vertices that are about as far.
DEV_CALL int farthest_on_hull(int mesh, const EVec& dir, int start) {
  const int clear = clearly_farthest(mesh, dir);
  if (clear >= 0) return clear;
  exact max = -3.4028234663852886e38;
  int at = best_neighbour(mesh, dir, start, max);
  return climb(mesh, dir, at, max);
}
DEV_CALL int farthest_vertex(int mesh, const EVec& dir, int start) {
  int best = start < 0 ? 0 : start;
  exact max = start < 0 ? (exact)-3.4028234663852886e38 : dot(dir, mesh_point(mesh, start));
  int mine = -1;
  exact most = 0, top = 0;
  FOR_LANES(i, mesh_vertnum(mesh)) {
    const exact height = dot(dir, mesh_point(mesh, i));
    if (mine < 0 || height > most) {
      most = height;
      mine = i;
    }
  }
  const int found = lane_best(most, mine, top);
  if (found >= 0 && top > max) best = found;
  return best;
}
DEV EVec mesh_support(Shape& s, const EVec& local) {
  if (mesh_graphadr(s.mesh) >= 0 && mesh_vertnum(s.mesh) >= 10) {
    s.hint = farthest_on_hull(s.mesh, local, s.hint);
    s.vertex = hull_vertex(s.mesh, s.hint);
  } else s.vertex = farthest_vertex(s.mesh, local, s.vertex);
  return mesh_point(s.mesh, s.vertex);
}
#endif

// Farthest point in a unit direction, without the margin.
DEV_CALL EVec bare_support(int number, EVec dir) {
  Shape& s = SHAPE(number);
  if (s.kind == SHAPE_POINT) return s.pos;
  if (s.kind == SHAPE_SPHERE) return s.size[0] * dir + s.pos;
  if (s.kind == SHAPE_SEGMENT) return (dot(s.frame.c[2], dir) >= 0 ? s.size[1] : -s.size[1]) * s.frame.c[2] + s.pos;
  if (s.kind == SHAPE_PRISM) {
    const EVec* half = THE_CONVEX.prism + (dir[2] < 0 ? 0 : 3);
    int best = 0;
    exact max = dot(half[0], dir);
    for (int k = 1; k < 3; ++k) {
      const exact d = dot(half[k], dir);
      if (d > max) {
        max = d;
        best = k;
      }
    }
    return half[best];
  }
  const EVec d = to_local(s.frame, dir);
  EVec p;
  if (s.kind == SHAPE_CAPSULE) {
    p = s.size[0] * d;
    p[2] += d[2] >= 0 ? s.size[1] : -s.size[1];
  } else if (s.kind == SHAPE_ELLIPSOID) {
    p = {{d[0] * s.size[0], d[1] * s.size[1], d[2] * s.size[2]}};
    const exact n2 = dot(p, p);
    if (n2 < EXACT_MIN2) p = {{s.size[0], 0, 0}};
    else {
      const exact inv = 1 / sqrt(n2);
      p = {{p[0] * inv * s.size[0], p[1] * inv * s.size[1], p[2] * inv * s.size[2]}};
    }
  } else if (s.kind == SHAPE_CYLINDER) {
    const exact n2 = d[0] * d[0] + d[1] * d[1], scale = n2 >= EXACT_MIN2 ? s.size[0] / sqrt(n2) : 0;
    p = {{scale * d[0], scale * d[1], d[2] >= 0 ? s.size[1] : -s.size[1]}};
  } else if (s.kind == SHAPE_BOX) {
    int vertex = 0;
    for (int k = 0; k < 3; ++k) {
      p[k] = d[k] >= 0 ? s.size[k] : -s.size[k];
      vertex |= (p[k] > 0) << k;
    }
    SYNC();
    s.vertex = vertex;
  } else {
#if NMESH > 0
    p = mesh_support(s, d);
#else
    p = {{0, 0, 0}};
#endif
  }
  return s.frame * p + s.pos;
}
DEV EVec support(int number, const EVec& dir) {
  const EVec p = bare_support(number, dir);
  const exact margin = SHAPE(number).margin;
  return margin > 0 ? p + (exact)0.5 * margin * dir : p;
}

#if HAS_PLANE_MESH
// The lowest vertex, then its neighbours (or, without a graph, any vertices) that are within the margin and not too
// near.
DEV_CALL void plane_mesh(int pair, real margin, int& ncon) {
  const int plane = pair_geom1(pair), g = pair_geom2(pair);
  make_shape(0, plane, 0);
  make_shape(1, g, 0);
  const Shape &p = SHAPE(0), &s = SHAPE(1);
  const EVec n = p.frame.c[2], down = to_local(s.frame, -n);
  const int mesh = s.mesh;
  if (mesh_vertnum(mesh) == 0) return;
  const int graph = mesh_graphadr(mesh);
  int local = 0, lowest, count = 0;
  if (graph >= 0) {
    local = clearly_farthest(mesh, down);
    if (local < 0) local = climb(mesh, down, 0, dot(down, hull_point(mesh, 0)));
    lowest = hull_vertex(mesh, local);
  } else lowest = farthest_vertex(mesh, down, -1);
  auto place = [&](int v) { return s.frame * mesh_point(mesh, v) + s.pos; };
  auto add = [&](const EVec& at, exact dist) {
    ++count;
    emit(pair, (real)dist, rounded(at + (exact)-0.5 * dist * n), rounded(n), ncon);
  };
  const EVec first = place(lowest);
  const exact depth = dot(n, first - p.pos);
  const bool over = depth > margin;
  THE_CONVEX.apart = over ? n : EVec{{0, 0, 0}};
  SHAPE(1).hint = local;
  if (over) return;
  add(first, depth);
  const EVec near = first + (exact)-0.5 * depth * n;
  const exact threshold = dot(n, s.pos - p.pos) - margin;
  auto consider = [&](int v) {
    if (!(dot(down, mesh_point(mesh, v)) > threshold)) return;
    const EVec at = place(v);
    if (length(at - near) >= (exact)0.3 * geom_rbound(g)) add(at, dot(n, at - p.pos));
  };
  if (graph >= 0) {
    const int hull = mesh_graph(graph);
    ROLLED for (int i = graph + 2 + 2 * hull + mesh_graph(graph + 2 + local); mesh_graph(i) >= 0 && count < 3; ++i)
      consider(hull_vertex(mesh, mesh_graph(i)));
  } else ROLLED
    for (int v = 0; v < mesh_vertnum(mesh) && count < 3; ++v)
      if (v != lowest) consider(v);
}
#endif
#endif
