"""Matrix helpers of the reference beyond NumPy: rank-one updates, band matrices, box-constrained minimisation,
derivatives of quaternion arithmetic."""

import math

import numpy as np

from ligament import _arguments as arguments
from ligament import _core
from ligament._util import mju_cholFactor

__all__ = [
    "mj_addM", "mj_resetDataDebug", "mjd_quatIntegrate", "mjd_subQuat", "mju_band2Dense", "mju_bandDiag",
    "mju_bandMulMatVec", "mju_boxQP", "mju_cholFactorBand", "mju_cholSolveBand", "mju_cholUpdate", "mju_d2n",
    "mju_dense2Band", "mju_f2n", "mju_insertionSort", "mju_insertionSortInt", "mju_mat2Rot", "mju_n2d", "mju_n2f",
]

_MINVAL = 1e-15


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


def _cross_matrix(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def mjd_subQuat(qa, qb, Da, Db):
    """Derivatives of mju_subQuat with respect to rotations of both quaternions."""
    axis = np.zeros(3)
    _core.mju_subQuat(axis, qa, qb)
    half = 0.5 * _core.mju_normalize3(axis)
    cross = _cross_matrix(axis)
    factor = 1 - (1 if half < 6e-8 else half / math.tan(half))
    result = np.eye(3) + half * cross + factor * (cross @ cross)
    if Da is not None:
        Da.reshape(3, 3)[...] = result
    if Db is not None:
        Db.reshape(3, 3)[...] = -result.T


def mjd_quatIntegrate(vel, scale, Dquat, Dvel, Dscale):
    """Derivatives of mju_quatIntegrate (arXiv:1711.02508, equation 183)."""
    s = scale * np.asarray(vel, dtype=float)
    xx = s @ s
    x = math.sqrt(xx)
    a = math.cos(x)
    if x > 1 / 32:
        b, c = math.sin(x) / x, (1 - a) / xx
        d = (1 - b) / xx
    else:
        b = 1 + xx / 6 * (xx / 20 * (1 - xx / 42) - 1)
        c = (1 + xx / 12 * (xx / 30 * (1 - xx / 56) - 1)) / 2
        d = (1 + xx / 20 * (xx / 42 * (1 - xx / 72) - 1)) / 6
    cross, outer = -_cross_matrix(s), np.outer(s, s)
    by_velocity = b * np.eye(3) + c * cross + d * outer
    if Dquat is not None:
        Dquat.reshape(3, 3)[...] = a * np.eye(3) + b * cross + c * outer
    if Dvel is not None:
        Dvel.reshape(3, 3)[...] = by_velocity
    if Dscale is not None:
        Dscale[...] = by_velocity @ np.asarray(vel)


def mju_mat2Rot(quat, mat):
    """Turns ``quat`` into the rotation nearest to a matrix; returns the number of iterations.

    Müller, Bender, Chentanez, Macklin: A robust method to extract the rotational part of deformations, 2016.
    """
    mat = np.asarray(mat, dtype=float).reshape(3, 3)
    rotation, turn, turned = np.zeros(9), np.zeros(4), np.zeros(4)
    for iteration in range(500):
        _core.mju_quat2Mat(rotation, quat)
        columns = rotation.reshape(3, 3)
        omega = np.cross(columns.T, mat.T).sum(axis=0) / (abs(np.sum(columns * mat)) + _MINVAL)
        angle = _core.mju_normalize3(omega)
        if angle < 1e-9:
            return iteration
        _core.mju_axisAngle2Quat(turn, omega, angle)
        _core.mju_mulQuat(turned, turn, quat)
        quat[...] = turned
        _core.mju_normalize4(quat)
    return 500


def mju_cholUpdate(mat, x, flg_plus):
    """Factor of L L' ± x x'; returns the rank. ``x`` is used up."""
    n = mat.shape[0]
    rank, sign = n, 1 if flg_plus else -1
    for k in range(n):
        if not x[k]:
            continue
        diagonal = mat[k, k]
        square = diagonal * diagonal + sign * x[k] * x[k]
        if square < _MINVAL:
            square = _MINVAL
            rank -= 1
        root = math.sqrt(square)
        c, s = root / diagonal, x[k] / diagonal
        mat[k, k] = root
        mat[k + 1:, k] = (mat[k + 1:, k] + sign * s * x[k + 1:]) / c
        x[k + 1:] = c * x[k + 1:] - s * mat[k + 1:, k]
    return rank


def mju_bandDiag(i, ntotal, nband, ndense):
    """Address of a diagonal element: rows of ``nband`` numbers first, then whole rows."""
    banded = ntotal - ndense
    return i * nband + nband - 1 if i < banded else banded * nband + (i - banded) * ntotal + i


def _check_band(mat, ntotal, nband, ndense):
    """The numbers of a band matrix have to be there before anything is made from its sizes."""
    if not (0 <= ndense <= ntotal and 0 <= nband <= ntotal):
        raise TypeError(f"a band matrix cannot have ntotal {ntotal}, nband {nband}, ndense {ndense}")
    size = (ntotal - ndense) * nband + ndense * ntotal
    if np.size(mat) != size:
        raise TypeError(f"a band matrix of these sizes has {size} numbers, got {np.size(mat)}")


def _band_rows(ntotal, nband, ndense):
    """For each row: its number, its first column and the address of that column's element."""
    for i in range(ntotal):
        first = max(0, i - nband + 1) if i < ntotal - ndense else 0
        yield i, first, mju_bandDiag(i, ntotal, nband, ndense) - (i - first)


def mju_band2Dense(res, mat, ntotal, nband, ndense, flg_sym):
    """Full matrix from a banded one."""
    _check_band(mat, ntotal, nband, ndense)
    dense = res.reshape(ntotal, ntotal)
    dense[...] = 0
    for i, first, address in _band_rows(ntotal, nband, ndense):
        dense[i, first:i + 1] = mat[address:address + i - first + 1]
        if flg_sym:
            dense[first:i, i] = dense[i, first:i]


def mju_dense2Band(res, mat, ntotal, nband, ndense):
    """Banded matrix from a full one."""
    _check_band(res, ntotal, nband, ndense)
    dense = np.asarray(mat).reshape(ntotal, ntotal)
    for i, first, address in _band_rows(ntotal, nband, ndense):
        res[address:address + i - first + 1] = dense[i, first:i + 1]


def mju_bandMulMatVec(res, mat, vec, ntotal, nband, ndense, nvec, flg_sym):
    """Product of a banded matrix and vectors."""
    _check_band(mat, ntotal, nband, ndense)
    dense = np.zeros((ntotal, ntotal))
    mju_band2Dense(dense, np.ravel(mat), ntotal, nband, ndense, flg_sym)
    res.reshape(nvec, ntotal)[...] = np.asarray(vec).reshape(nvec, ntotal) @ dense.T


def mju_cholFactorBand(mat, ntotal, nband, ndense, diagadd, diagmul):
    """Factorises in place; returns the smallest pivot, 0 when the matrix is not positive definite."""
    _check_band(mat, ntotal, nband, ndense)
    dense = np.zeros((ntotal, ntotal))
    mju_band2Dense(dense, mat, ntotal, nband, ndense, 0)
    smallest = math.inf
    for j in range(ntotal):
        pivot = diagadd + diagmul * dense[j, j] + dense[j, j] - dense[j, :j] @ dense[j, :j]
        smallest = min(smallest, pivot)
        if pivot < _MINVAL:
            mju_dense2Band(mat, dense, ntotal, nband, ndense)
            return 0.0
        dense[j, j] = math.sqrt(pivot)
        dense[j + 1:, j] = (dense[j + 1:, j] - dense[j + 1:, :j] @ dense[j, :j]) / dense[j, j]
    mju_dense2Band(mat, dense, ntotal, nband, ndense)
    return float(smallest)


def mju_cholSolveBand(res, mat, vec, ntotal, nband, ndense):
    """Solves a linear system with a banded Cholesky factor."""
    _check_band(mat, ntotal, nband, ndense)
    lower = np.zeros((ntotal, ntotal))
    mju_band2Dense(lower, mat, ntotal, nband, ndense, 0)
    res[...] = np.linalg.solve(lower.T, np.linalg.solve(lower, vec))


def mju_boxQP(res, R, index, H, g, lower, upper):
    """Minimises x'Hx/2 + x'g inside a box by projected Newton steps, starting at ``res``.

    Returns the number of free dimensions, -1 when H is not positive definite; R holds the factor of the free part.
    """
    n = len(g)
    if R.size != n * (n + 7):
        raise TypeError("size of R should be n*(n+7)")
    free = np.arange(n)
    low = np.full(n, -np.inf) if lower is None else np.asarray(lower)
    high = np.full(n, np.inf) if upper is None else np.asarray(upper)
    if np.any(low >= high):
        raise _core.FatalError("upper bounds must be stricly larger than lower bounds")
    unbounded = lower is None and upper is None
    res[...] = 0 if unbounded else np.clip(res, low, high)
    for _ in range(100):
        grad = H @ res + g
        clamped = ((res == low) & (grad > 0)) | ((res == high) & (grad < 0))
        free = np.flatnonzero(~clamped)
        if not len(free):
            break
        factor = np.ascontiguousarray(H[np.ix_(free, free)])
        if mju_cholFactor(factor, _MINVAL) < len(free):
            return -1
        R.reshape(-1)[:factor.size] = factor.ravel()
        if grad[free] @ grad[free] < 1e-16:
            break
        fixed = np.where(clamped, res, 0)
        target = -np.linalg.solve(np.tril(factor).T, np.linalg.solve(np.tril(factor), (g + H @ fixed)[free]))
        search = np.zeros(n)
        search[free] = target - res[free]
        slope = search @ grad
        if slope >= 0:
            break
        if not _line_search(res, search, slope, H, g, low, high) or unbounded:
            break
    if index is not None:
        index[:len(free)] = free
    return len(free)


def _line_search(res, search, slope, H, g, low, high):
    """Moves ``res`` by the first of the steps 1, 1/2, 1/4 ... that improves enough; False when none does."""
    def value(x):
        return 0.5 * x @ H @ x + x @ g

    step, old = 1.0, value(res)
    while step > 1e-22:
        candidate = np.clip(res + step * search, low, high)
        if old - value(candidate) >= -0.1 * step * slope or step < 1e-15:
            res[...] = candidate
            return True
        step *= 0.5
    return False


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
