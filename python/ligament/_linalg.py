"""Matrix helpers of the reference beyond NumPy: rank-one updates, band matrices, box-constrained minimisation,
derivatives of quaternion arithmetic."""

import numpy as np

from ligament import _arguments as arguments
from ligament import _core

__all__ = [
    "mj_addM", "mj_resetDataDebug", "mjd_quatIntegrate", "mjd_subQuat", "mju_band2Dense", "mju_bandDiag",
    "mju_bandMulMatVec", "mju_boxQP", "mju_cholFactorBand", "mju_cholSolveBand", "mju_cholUpdate", "mju_d2n",
    "mju_dense2Band", "mju_f2n", "mju_insertionSort", "mju_insertionSortInt", "mju_mat2Rot", "mju_n2d", "mju_n2f",
]


def mju_n2f(res, vec):
    """Copies numbers from one precision to another."""
    res[...] = vec


mju_f2n = mju_n2d = mju_d2n = mju_n2f


def mju_insertionSort(list):
    """Sorts numbers in place."""
    list.sort()


def mju_insertionSortInt(list):
    """Sorts whole numbers in place."""
    list.sort()


def mjd_subQuat(qa, qb, Da, Db):
    """Derivatives of mju_subQuat with respect to rotations of both quaternions."""
    for res, slopes in zip((Da, Db), _core._quat_difference_slopes(qa, qb)):
        if res is not None:
            res.reshape(3, 3)[...] = slopes.reshape(3, 3)


def mjd_quatIntegrate(vel, scale, Dquat, Dvel, Dscale):
    """Derivatives of mju_quatIntegrate (arXiv:1711.02508, equation 183)."""
    by_quat, by_velocity, by_scale = _core._quat_integration_slopes(vel, scale)
    for res, slopes in ((Dquat, by_quat), (Dvel, by_velocity)):
        if res is not None:
            res.reshape(3, 3)[...] = slopes.reshape(3, 3)
    if Dscale is not None:
        Dscale[...] = by_scale


def mju_mat2Rot(quat, mat):
    """Turns ``quat`` into the rotation nearest to a matrix; returns the number of iterations."""
    quat[...], iterations = _core._nearest_rotation(quat, mat)
    return iterations


def mju_cholUpdate(mat, x, flg_plus):
    """Factor of L L' ± x x'; returns the rank. ``x`` is used up."""
    n = mat.shape[0]
    factor, x[...], rank = _core._cholesky_update(mat, x, n, bool(flg_plus))
    mat[...] = factor.reshape(n, n)
    return rank


def mju_bandDiag(i, ntotal, nband, ndense):
    """Address of a diagonal element: rows of ``nband`` numbers first, then whole rows."""
    banded = ntotal - ndense
    return i * nband + nband - 1 if i < banded else banded * nband + (i - banded) * ntotal + i


def mju_band2Dense(res, mat, ntotal, nband, ndense, flg_sym):
    """Full matrix from a banded one."""
    dense = _core._band_to_dense(np.asarray(mat), ntotal, nband, ndense, bool(flg_sym))
    res.reshape(ntotal, ntotal)[...] = dense.reshape(ntotal, ntotal)


def mju_dense2Band(res, mat, ntotal, nband, ndense):
    """Banded matrix from a full one."""
    res[...] = _core._band_from_dense(res, mat, ntotal, nband, ndense)


def mju_bandMulMatVec(res, mat, vec, ntotal, nband, ndense, nvec, flg_sym):
    """Product of a banded matrix and vectors."""
    vectors = np.reshape(vec, (nvec, -1)) if nvec else ()
    products = [_core._band_times_vector(np.asarray(mat), vector, ntotal, nband, ndense, bool(flg_sym)) for vector in vectors]
    res.reshape(nvec, ntotal)[...] = products


def mju_cholFactorBand(mat, ntotal, nband, ndense, diagadd, diagmul):
    """Factorises in place; returns the smallest pivot, 0 when the matrix is not positive definite."""
    mat[...], smallest = _core._band_factor(mat, ntotal, nband, ndense, diagadd, diagmul)
    return smallest


def mju_cholSolveBand(res, mat, vec, ntotal, nband, ndense):
    """Solves a linear system with a banded Cholesky factor."""
    res[...] = np.reshape(_core._band_solve(np.asarray(mat), vec, ntotal, nband, ndense), res.shape)


def mju_boxQP(res, R, index, H, g, lower, upper):
    """Minimises x'Hx/2 + x'g inside a box by projected Newton steps, starting at ``res``.

    Returns the number of free dimensions, -1 when H is not positive definite; R holds the factor of the free part.
    """
    n = len(g)
    if R.size != n * (n + 7):
        raise TypeError("size of R should be n*(n+7)")
    if lower is None and upper is None:
        res[...] = 0
    low = np.full(n, -np.inf) if lower is None else lower
    high = np.full(n, np.inf) if upper is None else upper
    res[...], found = _core._box_minimum(res, H, g, low, high)
    if found is None:
        return -1
    free, factor = found
    R.reshape(-1)[:factor.size] = factor
    if index is not None:
        index[:len(free)] = free
    return len(free)


def mj_addM(m, d, dst, rownnz, rowadr, colind):
    """Adds the lower triangle of the mass matrix to a dense matrix, or to a sparse one of the same or a wider pattern."""
    if rownnz is not None:
        for name, array, size in (("dst", dst, "nM"), ("rownnz", rownnz, "nv"), ("rowadr", rowadr, "nv"),
                                  ("colind", colind, "nM")):
            if np.size(array) != getattr(m, size):
                raise TypeError(f"{name} should be of size {size}")
    for i in range(m.nv):
        own = slice(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i])
        columns, values = m.M_colind[own], d.M[own]
        if rownnz is None:
            dst.reshape(m.nv, m.nv)[i, columns] += values
            continue
        row = slice(rowadr[i], rowadr[i] + rownnz[i])
        places = np.searchsorted(colind[row], columns)
        dst[row.start + places] += values


def mj_resetDataDebug(m, d, debug_value):
    """Resets to the initial configuration; there is no uninitialised memory that could be filled."""
    _core.mj_resetData(m, d)


arguments.apply(globals(), {
    "mju_n2f": "wf[n] r[n]", "mju_f2n": "w[n] rf[n]", "mju_n2d": "w[n] r[n]", "mju_d2n": "w[n] r[n]",
    "mju_insertionSort": "w[n]", "mju_insertionSortInt": "wi[n]", "mjd_subQuat": "r[4] r[4] w?[9] w?[9]",
    "mjd_quatIntegrate": "r[3] - w?[9] w?[9] w?[3]", "mju_mat2Rot": "w[4] r[9]", "mju_cholUpdate": "w[n,n] w[n] -",
    "mju_boxQP": "w[n] w[p,q] wi?[n] r[n,n] r[n] r?[n] r?[n]",
})
