// Branches that couple: contacts between two moving bodies and rows across branches add vectors, H = T + U U' with the
// tree's T.
#pragma once
#include "factor.cuh"

#if HAS_COUPLING
// What is asked for: all that couple branches, those within the tree of a warp, those between trees.
enum Reach { ANYWHERE, IN_TREE, BETWEEN_TREES };
DEV bool reaches(Reach reach, int tree1, int tree2) {
  if (!TREE_WARPS || reach == ANYWHERE) return true;
  return reach == BETWEEN_TREES ? tree1 != tree2 : tree1 == tree2 && tree1 == 1 + THIS_PART;
}
// How many vectors a contact adds.
DEV int vectors_of_contact(int c, Reach reach) {
  const World& w = WORLD;
  const int rank = w.rank[c] & (COUPLES - 1);
  return rank > 0 && reaches(reach, tree_of(w.con_b[2 * c]), tree_of(w.con_b[2 * c + 1])) ? rank : 0;
}
#if NSROW > 0
// Does a row across branches add one? Its dofs stand in order, and those of a tree follow each other.
DEV bool row_adds_vector(int s, Reach reach) {
  if (srow_in_tree(s) || WORLD.srow_h[s] == 0) return false;
  const int first = srow_dof(srow_adr(s)), last = srow_dof(srow_adr(s + 1) - 1);
  return reaches(reach, tree_of(dof_bodyid(first)), tree_of(dof_bodyid(last)));
}
#endif
// Contacts of a word that add vectors, a bit for each.
DEV unsigned coupling_bits(int ncon, int word, Reach reach) {
  unsigned bits = 0;
  UNROLL for (int k = 0; k < 32; k += GROUP) {
    const int c = 32 * word + k + GROUP_LANE;
    bits |= group_ballot(c < ncon && vectors_of_contact(c, reach) > 0) << k;
  }
  return bits;
}
// J of coupling contact c at the dofs of this lane.
DEV void contact_coupling(int c, real (&j)[RD][DIMMAX]) {
  World& w = WORLD;
  const Frame f = contact_frame(c);
  const int dim = cls_condim(pair_cls(w.con_pair[c]));
  UNROLL for (int r = 0; r < RD; ++r) UNROLL
    for (int i = 0; i < DIMMAX; ++i) j[r][i] = 0;
  FORD(r, d) {
    const int sign = (int)above(f.b2, d) - (int)above(f.b1, d);
    real off[3], wr[6], s[6];
    arm_to(f.pos, dof_bodyid(d), off);
    load6(w.cdof + 8 * d, s);
    UNROLL for (int i = 0; i < DIMMAX; ++i) {
      contact_wrench(c, f, off, i, wr);
      j[r][i] = i < dim ? sign * dot6(wr, s) : (real)0;
    }
  }
}
// Calls `take(number, u)` for every vector of the couplings: `u` has the entries of this lane's dofs.
template <class Take> DEV void each_coupling(int ncon, Reach reach, Take take) {
  int number = 0;
  (void)number;
  ROLLED for (int word = 0; word < NCW; ++word) ROLLED
    for (unsigned left = coupling_bits(ncon, word, reach); left; left &= left - 1) {
      const int c = 32 * word + LOWEST_BIT(left), rank = WORLD.rank[c] & (COUPLES - 1);
      real j[RD][DIMMAX], u[RD];
      contact_coupling(c, j);
      ROLLED for (int k = 0; k < rank; ++k) {
        const real* l = WORLD.wrench + NK * c;
        UNROLL for (int r = 0; r < RD; ++r) {
          u[r] = 0;
          UNROLL for (int n = 0; n < DIMMAX; ++n)
            u[r] += l[COLUMN(k, n)] * j[r][n];
        }
        take(number++, u);
      }
    }
#if NSROW > 0 // times the root of their stiffness
  ROLLED for (int s = 0; s < NSROW; ++s)
    if (row_adds_vector(s, reach)) {
      const real root = r_sqrt(WORLD.srow_h[s]);
      real u[RD];
      UNROLL for (int r = 0; r < RD; ++r)
        u[r] = 0;
      FORD(r, d) {
        ROLLED for (int i = srow_adr(s); i < srow_adr(s + 1); ++i)
          if (srow_dof(i) == d) u[r] = root * WORLD.srow_J[i];
      }
      take(number++, u);
    }
#endif
}
// How many there are; the same for all lanes.
DEV int count_vectors(int ncon, Reach reach) {
  int count = 0;
  FOR_GROUP(c, ncon) count += vectors_of_contact(c, reach);
#if NSROW > 0
  FOR_GROUP(s, NSROW) count += row_adds_vector(s, reach);
#endif
  return group_total(count);
}
#endif
