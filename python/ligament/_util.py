"""Vector and matrix helpers of the reference. NumPy does the same; these exist so that programs need no change."""

import math
import operator

import numpy as np

from ligament import _arguments as arguments
from ligament import _core

__all__ = [
    "mju_L1", "mju_Halton", "mju_add", "mju_add3", "mju_addScl", "mju_addScl3", "mju_addTo", "mju_addTo3",
    "mju_addToScl", "mju_addToScl3", "mju_cholFactor", "mju_cholSolve", "mju_clip", "mju_copy", "mju_copy3",
    "mju_copy4", "mju_dense2sparse", "mju_dist3", "mju_dot", "mju_dot3", "mju_eye", "mju_fill", "mju_isBad",
    "mju_isZero", "mju_max", "mju_min", "mju_mulMatMat", "mju_mulMatMatT", "mju_mulMatTMat", "mju_mulMatTVec",
    "mju_mulMatVec", "mju_mulVecMatVec", "mju_norm", "mju_norm3", "mju_normalize", "mju_round", "mju_scl", "mju_scl3",
    "mju_sigmoid", "mju_sign", "mju_sparse2dense", "mju_springDamper", "mju_sqrMatTD", "mju_str2Type", "mju_sub",
    "mju_sub3", "mju_subFrom", "mju_subFrom3", "mju_sum", "mju_symmetrize", "mju_transformSpatial", "mju_transpose",
    "mju_type2Str", "mju_unit4", "mju_writeNumBytes", "mju_zero", "mju_zero3", "mju_zero4",
]

_MINVAL = 1e-15
_MAXVAL = 1e10


def mju_zero(res):
    """Sets all to zero."""
    res[...] = 0


def mju_fill(res, val):
    """Sets all to a number."""
    res[...] = val


def mju_copy(res, vec):
    """Copies a vector."""
    res[...] = vec


def mju_scl(res, vec, scl):
    """Vector times a number."""
    res[...] = np.asarray(vec) * scl


def mju_add(res, vec1, vec2):
    """Sum of two vectors."""
    res[...] = np.asarray(vec1) + vec2


def mju_sub(res, vec1, vec2):
    """Difference of two vectors."""
    res[...] = np.asarray(vec1) - vec2


def mju_addTo(res, vec):
    """Adds a vector in place."""
    res += vec


def mju_subFrom(res, vec):
    """Subtracts a vector in place."""
    res -= vec


def mju_addToScl(res, vec, scl):
    """Adds a multiple of a vector in place."""
    res += np.asarray(vec) * scl


def mju_addScl(res, vec1, vec2, scl):
    """Sum of a vector and a multiple of another."""
    res[...] = np.asarray(vec1) + np.asarray(vec2) * scl


mju_zero3 = mju_zero4 = mju_zero


def mju_copy3(res, data):
    """Copies a short vector."""
    res[...] = data


mju_copy4 = mju_copy3
mju_scl3, mju_add3, mju_sub3 = mju_scl, mju_add, mju_sub
mju_addTo3, mju_subFrom3, mju_addToScl3, mju_addScl3 = mju_addTo, mju_subFrom, mju_addToScl, mju_addScl


def mju_unit4(res):
    """Sets a quaternion to no rotation."""
    res[...] = (1, 0, 0, 0)


def mju_eye(mat):
    """Sets a matrix to the identity."""
    mat[...] = np.eye(*mat.shape)


def mju_sum(vec):
    """Sum of all elements."""
    return float(np.sum(vec))


def mju_L1(vec):
    """Sum of all magnitudes."""
    return float(np.sum(np.abs(vec)))


def mju_dot(vec1, vec2):
    """Dot product."""
    return float(np.dot(vec1, vec2))


def mju_norm(res):
    """Length of a vector."""
    return float(np.linalg.norm(res))


def mju_norm3(vec):
    """Length of a vector."""
    return float(np.linalg.norm(vec))


mju_dot3 = mju_dot


def mju_dist3(pos1, pos2):
    """Distance between two points."""
    return float(np.linalg.norm(np.asarray(pos1) - pos2))


def mju_normalize(res):
    """Normalises in place and returns the old length; a null vector becomes the first axis."""
    length = float(np.linalg.norm(res))
    if length < _MINVAL:
        res[...] = 0
        res[0] = 1
    else:
        res /= length
    return length


def mju_mulMatVec(res, mat, vec):
    """Product of a matrix and a vector."""
    res[...] = np.asarray(mat) @ vec


def mju_mulMatTVec(res, mat, vec):
    """Product of a transposed matrix and a vector."""
    res[...] = np.asarray(mat).T @ vec


def mju_mulVecMatVec(vec1, mat, vec2):
    """Product of a vector, a matrix and a vector: a number."""
    return float(np.asarray(vec1) @ mat @ vec2)


def mju_transpose(res, mat):
    """Transposed matrix."""
    res[...] = np.asarray(mat).T


def mju_symmetrize(res, mat):
    """Symmetric part of a matrix."""
    res[...] = 0.5 * (np.asarray(mat) + np.asarray(mat).T)


def mju_mulMatMat(res, mat1, mat2):
    """Product of two matrices."""
    res[...] = np.asarray(mat1) @ mat2


def mju_mulMatMatT(res, mat1, mat2):
    """Product of a matrix and a transposed one."""
    res[...] = np.asarray(mat1) @ np.asarray(mat2).T


def mju_mulMatTMat(res, mat1, mat2):
    """Product of a transposed matrix and another."""
    res[...] = np.asarray(mat1).T @ mat2


def mju_sqrMatTD(res, mat, diag):
    """Product of a transposed matrix, a diagonal and the matrix itself."""
    weighted = mat if diag is None else np.asarray(diag).reshape(-1, 1) * mat
    res[...] = np.asarray(mat).T @ weighted


def mju_transformSpatial(res, vec, flg_force, newpos, oldpos, rotnew2old):
    """Moves a 6-D vector to another origin and, if a rotation is given, into another frame."""
    shifted = np.array(vec, dtype=float)
    offset = np.asarray(newpos, dtype=float) - oldpos
    if flg_force:
        shifted[:3] -= np.cross(offset, shifted[3:])
    else:
        shifted[3:] -= np.cross(offset, shifted[:3])
    if rotnew2old is not None:
        rotation = np.asarray(rotnew2old).reshape(3, 3)
        shifted[:3], shifted[3:] = rotation.T @ shifted[:3], rotation.T @ shifted[3:]
    res[...] = shifted


def mju_cholFactor(mat, mindiag):
    """Lower Cholesky factor in place; returns the rank. Small pivots become ``mindiag`` and count as missing rank."""
    n = mat.shape[0]
    rank = n
    for j in range(n):
        pivot = mat[j, j] - mat[j, :j] @ mat[j, :j]
        if pivot < mindiag:
            pivot = mindiag
            rank -= 1
        mat[j, j] = math.sqrt(pivot) if pivot >= 0 else math.nan
        mat[j + 1:, j] = (mat[j + 1:, j] - mat[j + 1:, :j] @ mat[j, :j]) / mat[j, j]
    return rank


def mju_cholSolve(res, mat, vec):
    """Solves a linear system with a Cholesky factor."""
    lower = np.tril(mat)
    res[...] = np.linalg.solve(lower.T, np.linalg.solve(lower, vec))


def mju_dense2sparse(res, mat, rownnz, rowadr, colind):
    """Compressed rows; returns 1 when there is no room, else 0."""
    address = 0
    for row, values in enumerate(mat):
        columns = np.flatnonzero(values)
        if address + len(columns) > len(res):
            return 1
        rowadr[row], rownnz[row] = address, len(columns)
        res[address:address + len(columns)] = values[columns]
        colind[address:address + len(columns)] = columns
        address += len(columns)
    return 0


def mju_sparse2dense(res, mat, rownnz, rowadr, colind):
    """Full matrix from compressed rows."""
    res[...] = 0
    for row in range(res.shape[0]):
        span = slice(rowadr[row], rowadr[row] + rownnz[row])
        res[row, colind[span]] = mat[span]


def mju_min(a, b):
    """The smaller number."""
    return a if a <= b else b


def mju_max(a, b):
    """The larger number."""
    return a if a >= b else b


def mju_clip(x, min, max):
    """A number, moved into a range."""
    return float(min if x < min else max if x > max else x)


def mju_sign(x):
    """Sign of a number: -1, 0 or 1."""
    return 0.0 if x == 0 else math.copysign(1.0, x)


def mju_round(x):
    """Nearest whole number."""
    lower, upper = math.floor(x), math.ceil(x)
    return lower if x - lower < upper - x else upper


def mju_isBad(x):
    """1 for a number that is not finite or too large, else 0."""
    return int(x != x or x > _MAXVAL or x < -_MAXVAL)


def mju_isZero(vec):
    """1 if all elements are zero, else 0."""
    return int(not np.any(vec))


def mju_sigmoid(x):
    """Smooth step from 0 to 1 with vanishing first and second derivatives at both ends."""
    if x <= 0:
        return 0.0
    return 1.0 if x >= 1 else x * x * x * (6 * x * x - 15 * x + 10)


def mju_Halton(index, base):
    """Element of the Halton sequence."""
    index, base = operator.index(index), operator.index(base)
    if base < 2:
        raise _core.FatalError(f"mju_Halton: base must be at least 2, got {base}")
    fraction, result = 1.0 / base, 0.0
    while index > 0:
        index, digit = divmod(index, base)
        result += fraction * digit
        fraction /= base
    return result


def mju_springDamper(pos0, vel0, Kp, Kv, dt):
    """Position after time ``dt`` of a spring-damper that starts at ``pos0`` with velocity ``vel0``."""
    det = Kv * Kv - 4 * Kp
    if det > _MINVAL:
        root = math.sqrt(det)
        r1, r2 = (-Kv + root) / 2, (-Kv - root) / 2
        c1, c2 = (pos0 * r2 - vel0) / (r2 - r1), (pos0 * r1 - vel0) / (r1 - r2)
        return c1 * math.exp(r1 * dt) + c2 * math.exp(r2 * dt)
    if det <= _MINVAL and det >= -_MINVAL:
        return math.exp(-Kv * dt / 2) * (pos0 + (Kv * pos0 / 2 + vel0) * dt)
    w = math.sqrt(-det) / 2
    c2 = (Kv * pos0 / 2 + vel0) / w
    return math.exp(-Kv * dt / 2) * (pos0 * math.cos(w * dt) + c2 * math.sin(w * dt))


def mju_writeNumBytes(nbytes):
    """A number of bytes, in the largest unit that divides it."""
    for shift, suffix in ((60, "E"), (50, "P"), (40, "T"), (30, "G"), (20, "M"), (10, "K")):
        if nbytes >> shift and not nbytes % (1 << shift):
            return f"{nbytes >> shift}{suffix}"
    return str(nbytes)


_TYPE_NAMES = {}


def _type_names():
    if not _TYPE_NAMES:
        for name, members, _ in _core.enums():
            if name == "mjtObj":
                _TYPE_NAMES.update({value: member[len("mjOBJ_"):].lower() for member, value in members if value > 0})
    return _TYPE_NAMES


def mju_type2Str(type):
    """Name of a type of object by its number."""
    return _type_names().get(int(type))


def mju_str2Type(str):
    """Number of a type of object by its name, 0 if there is none."""
    wanted = str.decode() if isinstance(str, bytes) else str
    return next((value for value, name in _type_names().items() if name == wanted), 0)


arguments.apply(globals(), {
    "mju_zero": "w[n]", "mju_zero3": "w[3]", "mju_zero4": "w[4]", "mju_fill": "w[n] -", "mju_unit4": "w[4]",
    "mju_copy": "w[n] r[n]", "mju_copy3": "w[3] r[3]", "mju_copy4": "w[4] r[4]",
    "mju_scl": "w[n] r[n] -", "mju_scl3": "w[3] r[3] -",
    "mju_add": "w[n] r[n] r[n]", "mju_add3": "w[3] r[3] r[3]", "mju_sub": "w[n] r[n] r[n]",
    "mju_sub3": "w[3] r[3] r[3]", "mju_addTo": "w[n] r[n]", "mju_addTo3": "w[3] r[3]", "mju_subFrom": "w[n] r[n]",
    "mju_subFrom3": "w[3] r[3]", "mju_addToScl": "w[n] r[n] -", "mju_addToScl3": "w[3] r[3] -",
    "mju_addScl": "w[n] r[n] r[n] -", "mju_addScl3": "w[3] r[3] r[3] -", "mju_dot": "r[n] r[n]",
    "mju_dot3": "r[3] r[3]", "mju_dist3": "r[3] r[3]", "mju_norm": "r[n]", "mju_norm3": "r[3]",
    "mju_normalize": "w[n]", "mju_sum": "r[n]", "mju_L1": "r[n]", "mju_isZero": "r[n]", "mju_eye": "w[n,n]",
    "mju_mulMatVec": "w[m] r[m,n] r[n]", "mju_mulMatTVec": "w[n] r[m,n] r[m]", "mju_mulVecMatVec": "r[n] r[n,n] r[n]",
    "mju_transpose": "w[n,m] r[m,n]", "mju_symmetrize": "w[n,n] r[n,n]", "mju_mulMatMat": "w[m,n] r[m,k] r[k,n]",
    "mju_mulMatMatT": "w[m,n] r[m,k] r[n,k]", "mju_mulMatTMat": "w[m,n] r[k,m] r[k,n]",
    "mju_sqrMatTD": "w[n,n] r[m,n] r?[m]", "mju_transformSpatial": "w[6] r[6] - r[3] r[3] r?[9]",
    "mju_cholFactor": "w[n,n] -", "mju_cholSolve": "w[n] r[n,n] r[n]",
    "mju_dense2sparse": "w[k] r[m,n] wi[m] wi[m] wi[k]", "mju_sparse2dense": "w[m,n] r[k] ri[m] ri[m] ri[k]",
})
