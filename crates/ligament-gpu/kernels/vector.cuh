// Vectors and frames as values, for the geometry of pairs: in the kernels' own precision, and in double where an
// algorithm that decides by signs needs it.
#pragma once
#include "algebra.cuh"

template <class T> struct Vec {
  T v[3];
  DEV_METHOD T& operator[](int k) { return v[k]; }
  DEV_METHOD T operator[](int k) const { return v[k]; }
};
#define VEC_TEMPLATE template <class T> DEV
VEC_TEMPLATE Vec<T> operator+(const Vec<T>& a, const Vec<T>& b) {
  return {{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2]}};
}
VEC_TEMPLATE Vec<T> operator-(const Vec<T>& a, const Vec<T>& b) {
  return {{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]}};
}
VEC_TEMPLATE Vec<T> operator-(const Vec<T>& a) { return {{-a.v[0], -a.v[1], -a.v[2]}}; }
VEC_TEMPLATE Vec<T> operator*(T s, const Vec<T>& a) { return {{s * a.v[0], s * a.v[1], s * a.v[2]}}; }
VEC_TEMPLATE T dot(const Vec<T>& a, const Vec<T>& b) { return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2]; }
VEC_TEMPLATE Vec<T> cross(const Vec<T>& a, const Vec<T>& b) {
  return {{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2], a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}
DEV float root(float x) { return sqrtf(x); }
DEV double root(double x) { return sqrt(x); }
VEC_TEMPLATE T length(const Vec<T>& a) { return root(dot(a, a)); }
// Makes a vector one of unit length, the x axis where it has none; returns the length it had.
VEC_TEMPLATE T make_unit(Vec<T>& a) {
  const T n = length(a);
  if (n < (T)1e-15) {
    a = {{1, 0, 0}};
    return 0;
  }
  a = (1 / n) * a;
  return n;
}
VEC_TEMPLATE Vec<T> unit(Vec<T> a) {
  make_unit(a);
  return a;
}
VEC_TEMPLATE T absolute(T x) { return x < 0 ? -x : x; }
VEC_TEMPLATE T clipped(T x, T lo, T hi) { return x < lo ? lo : x > hi ? hi : x; }

// Columns of a rotation.
template <class T> struct Frame3 {
  Vec<T> c[3];
};
VEC_TEMPLATE Vec<T> operator*(const Frame3<T>& m, const Vec<T>& a) {
  return a.v[0] * m.c[0] + a.v[1] * m.c[1] + a.v[2] * m.c[2];
}
VEC_TEMPLATE Vec<T> to_local(const Frame3<T>& m, const Vec<T>& a) {
  return {{dot(m.c[0], a), dot(m.c[1], a), dot(m.c[2], a)}};
}

typedef Vec<real> RVec;
DEV RVec vec(const real* p) { return {{p[0], p[1], p[2]}}; }

// Algorithms that decide by signs of differences do so in double precision: single precision does not have them.
typedef double exact;
typedef Vec<exact> EVec;
DEV RVec rounded(const EVec& a) { return {{(real)a[0], (real)a[1], (real)a[2]}}; }
DEV EVec evec(const real* p) { return {{(exact)p[0], (exact)p[1], (exact)p[2]}}; }

// A geom in the world; `size` as in the model: radius and half length, or half extents.
template <class T> struct SolidOf {
  Vec<T> pos, size;
  Frame3<T> frame;
};
typedef SolidOf<real> Solid;
typedef SolidOf<exact> ExactSolid;
