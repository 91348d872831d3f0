"""Nonlinear least squares with bounds: Gauss-Newton steps inside a box, with a regulariser that adapts itself."""

import abc
import dataclasses
import enum
import time
from typing import Optional

import numpy as np

from ligament._linalg import mju_boxQP

__all__ = ["IterLog", "Norm", "Quadratic", "Status", "Verbosity", "check_jacobian", "check_norm", "jacobian_fd",
           "least_squares"]

# Armijo's rule: the share of the reduction promised by the gradient that a step has to bring
_SUFFICIENT = 1e-2


class Verbosity(enum.Enum):
    """How much is printed."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why the search ended."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_MESSAGES = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclasses.dataclass(frozen=True)
class IterLog:
    """One iteration: where it began, what it was worth, what the step brought."""

    candidate: np.ndarray
    objective: np.float64
    reduction: np.float64
    regularizer: np.float64
    residual: Optional[np.ndarray] = None
    jacobian: Optional[np.ndarray] = None
    grad: Optional[np.ndarray] = None
    step: Optional[np.ndarray] = None


class Norm(abc.ABC):
    """A measure of residuals."""

    @abc.abstractmethod
    def value(self, r):
        """The norm of a residual."""

    @abc.abstractmethod
    def grad_hess(self, r, proj):
        """Gradient and Hessian of the norm, projected: proj' g and proj' H proj."""


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r):
        return 0.5 * (r.T @ r).item()

    def grad_hess(self, r, proj):
        return proj.T @ r, proj.T @ proj


class _Residual:
    """The user's functions, with count and time of their calls."""

    def __init__(self, residual, jacobian, eps, bounds):
        self._residual, self._jacobian, self._eps, self._bounds = residual, jacobian, eps, bounds
        self.evaluations = self.jacobians = 0
        self.residual_time = self.jacobian_time = 0.0

    def at(self, x):
        start = time.time()
        value = self._residual(x)
        self.residual_time += time.time() - start
        self.evaluations += 1
        return value

    def jacobian_at(self, x, r):
        start = time.time()
        if self._jacobian is None:
            value, self.evaluations = jacobian_fd(self._residual, x, r, self._eps, self.evaluations, self._bounds)
            self.residual_time += time.time() - start
        else:
            value = self._jacobian(x, r)
            self.jacobian_time += time.time() - start
            self.jacobians += 1
        return value


class _Regularizer:
    """Weight of the identity that is added to the Hessian: grows carefully, shrinks faster and faster."""

    def __init__(self, smallest, largest, factor):
        if factor <= 1:
            raise ValueError("mu_factor must be > 1.")
        self.mu, self._shrinks = np.float64(0.0), 0
        self._smallest, self._largest, self._factor = smallest, largest, factor

    @property
    def exhausted(self):
        return self.mu >= self._largest

    def grow(self):
        self.mu, self._shrinks = max(self._smallest, self._factor * self.mu), 0

    def shrink(self):
        smaller = self.mu * (1 / self._factor) ** (2 ** self._shrinks)
        self.mu = 0.0 if smaller < self._smallest else smaller
        self._shrinks += 1

    def adapt(self, ratio):
        """``ratio`` is the reduction relative to the one that the quadratic model promised."""
        if ratio > 0.75:
            self.shrink()
        elif ratio < 0.25:
            self.grow()


def _checked_bounds(bounds, n):
    if bounds is None:
        return None
    bounds = list(bounds)
    if len(bounds) != 2:
        raise ValueError("bounds must have 2 elements.")
    if any(bound.size != n for bound in bounds):
        raise ValueError("bounds must have the same size as x0.")
    if not all(np.all(np.isfinite(bound)) for bound in bounds):
        raise ValueError("bounds must be finite.")
    if not np.all(bounds[0] < bounds[1]):
        raise ValueError("bounds[0] must be smaller than bounds[1].")
    return [bound.reshape(n, 1) for bound in bounds]


class _Search:
    """The point, its residual, and the search for a better one."""

    def __init__(self, x0, functions, norm, bounds, regularizer):
        self.functions, self.norm, self.bounds, self.regularizer = functions, norm, bounds, regularizer
        self.x = x0.astype(np.float64).reshape(-1, 1)
        if bounds is not None:
            self.x = np.clip(self.x, *bounds)
        if not np.all(np.isfinite(self.x)):
            raise ValueError("x0 must be finite.")
        self.r = functions.at(self.x)
        if self.r.dtype != np.float64:
            raise ValueError("residual function must return float64 arrays.")
        self.dx, self._scratch = np.zeros_like(self.x), np.zeros((self.x.size, self.x.size + 7))

    def linearize(self):
        self.y = self.norm.value(self.r)
        self.jac = self.functions.jacobian_at(self.x, self.r)
        self.grad, self.hess = self.norm.grad_hess(self.r, self.jac)

    def free_gradient(self):
        """The part of the gradient that bounds do not hold."""
        if self.bounds is None:
            return self.grad
        lower, upper = self.bounds
        held = ((self.x == lower) & (self.grad > 0)) | ((self.x == upper) & (self.grad < 0))
        return self.grad[~held]

    def _newton_step(self):
        """Minimum of the regularised quadratic model in the box; False when it cannot be found."""
        box = (None, None) if self.bounds is None else [bound - self.x for bound in self.bounds]
        while True:
            hessian = self.hess + self.regularizer.mu * np.eye(self.x.size)
            if mju_boxQP(self.dx, self._scratch, None, hessian, self.grad, *box) >= 0:
                return True
            if self.regularizer.exhausted:
                return False
            self.regularizer.grow()

    def find_step(self):
        """Makes steps smaller until one brings enough; returns why there is none."""
        self.dx = np.zeros_like(self.x)
        while True:
            if not self._newton_step():
                return Status.FACTORIZATION_FAILED
            self.candidate = self.x + self.dx
            self.candidate_r = self.functions.at(self.candidate)
            self.reduction = self.y - self.norm.value(self.candidate_r)
            if self.reduction + _SUFFICIENT * (self.grad.T @ self.dx).item() >= 0:
                return None
            if self.regularizer.exhausted:
                return Status.NO_IMPROVEMENT
            self.regularizer.grow()

    def promised(self):
        """The reduction that the quadratic model expects of the step."""
        return -(self.grad.T @ self.dx + 0.5 * self.dx.T @ self.hess @ self.dx).item()

    def accept(self):
        self.x, self.r = self.candidate, self.candidate_r


def least_squares(x0, residual, bounds=None, jacobian=None, norm=Quadratic(), eps=np.finfo(np.float64).eps ** 0.5,
                  mu_min=1e-6, mu_max=1e8, mu_factor=10.0 ** 0.1, xtol=1e-8, gtol=1e-8, max_iter=100,
                  verbose=Verbosity.ITER, output=None, iter_callback=None, check_derivatives=False):
    """Minimises the norm of a residual inside a box; returns the solution and the log of the iterations.

    ``residual`` takes points as columns and returns residuals as columns. Without ``jacobian(x, r)`` it is
    differentiated by finite differences of size ``eps``.
    """
    started, verbose = time.time(), Verbosity(verbose).value
    bounds = _checked_bounds(bounds, x0.size)
    regularizer = _Regularizer(mu_min, mu_max, mu_factor)
    functions = _Residual(residual, jacobian, np.float64(eps), bounds)
    search = _Search(x0, functions, norm, bounds, regularizer)
    full, trace, status, i = verbose >= Verbosity.FULLITER.value, [], Status.MAX_ITER, 0

    def log(**entry):
        trace.append(IterLog(candidate=search.x, regularizer=regularizer.mu, **entry))
        if iter_callback is not None:
            iter_callback(trace)

    for i in range(max_iter):
        search.linearize()
        if i == 0 and check_derivatives:
            _check_user_functions(search, residual, jacobian, eps, output)
        slope = np.linalg.norm(search.free_gradient())
        if slope <= gtol:
            status = Status.G_TOL
            if slope == 0:
                print("Zero gradient norm: exact minimum found?", file=output)
            break
        failure = search.find_step()
        if failure is not None:
            status = failure
            break
        ratio, length = _ratio(search, verbose, output), np.linalg.norm(search.dx)
        if verbose >= Verbosity.ITER.value:
            _print_iteration(i, search, ratio, length, output)
        details = {"residual": search.r, "jacobian": search.jac, "grad": search.grad, "step": search.dx} if full else {}
        log(objective=search.y, reduction=search.reduction, **details)
        if length < xtol * (xtol + np.linalg.norm(search.x)):
            status = Status.DX_TOL
            break
        regularizer.adapt(ratio)
        search.accept()

    final, details = norm.value(search.r), {}
    if full:
        search.linearize()
        details = {"residual": search.r, "jacobian": search.jac, "grad": search.grad}
    log(objective=final, reduction=np.float64(0.0), **details)
    if verbose > Verbosity.SILENT.value:
        _print_summary(i, status, final, functions, time.time() - started, output)
    return search.x.reshape(x0.shape), trace


def _ratio(search, verbose, output):
    promised = search.promised()
    if promised > 0:
        return search.reduction / promised
    if verbose > Verbosity.SILENT.value:
        print("Zero expected reduction: exact minimum found?" if promised == 0
              else "Negative expected reduction: should not occur.", file=output)
    return 0.0


def _print_iteration(i, search, ratio, length, output):
    mu = search.regularizer.mu
    print(f"iter: {i:<3d}  y: {search.y:<9.4g}  log10mu: {np.log10(mu) if mu > 0 else -np.inf:>4.1f}  "
          f"ratio: {ratio:<7.2g}  dx: {length:<7.2g}  reduction: {search.reduction:<7.2g}", file=output)


def _print_summary(i, status, final, functions, seconds, output):
    calls = f", Jacobian evals: {functions.jacobians:d}" if functions.jacobians else ""
    print(f"Terminated after {i} iterations: {_MESSAGES[status]} y: {final:<.4g}, "
          f"Residual evals: {functions.evaluations:d}{calls}", file=output)
    if seconds > 0:
        scale, unit = (1, "s") if seconds > 1 else (1000, "ms")
        share = f" Jacobian {100 * functions.jacobian_time / seconds:<.1f}%" if functions.jacobian_time > 0 else ""
        print(f"total time {scale * seconds:<.1f}{unit} of which residual "
              f"{100 * functions.residual_time / seconds:<.1f}%{share}", file=output)


def _check_user_functions(search, residual, jacobian, eps, output):
    if jacobian is not None:
        functions = search.functions
        functions.evaluations = check_jacobian(residual, search.x, search.r, search.jac, eps, functions.evaluations,
                                               search.bounds, output)
    if not isinstance(search.norm, Quadratic):
        check_norm(search.r, search.norm, eps, output)


def jacobian_fd(residual, x, r, eps, n_res, bounds=None):
    """Jacobian by finite differences, and the number of evaluations so far; steps point away from the nearer bound."""
    steps = np.full_like(x, eps)
    if bounds is not None:
        steps[x > 0.5 * (bounds[1] - bounds[0])] = -eps
    steps *= np.maximum(1.0, np.abs(x))
    steps = (steps + x) - x  # a step that is exact in floating point
    return (residual(x + np.diag(steps.flatten())) - r) / steps.T, n_res + x.size


def check_jacobian(residual, x, r, jac, eps, n_res, bounds=None, output=None, name="Jacobian"):
    """Compares a Jacobian with finite differences; returns the number of evaluations so far."""
    numeric, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    scale = np.abs(jac).sum() + np.abs(numeric).sum() + 1e-8
    if np.any(np.abs(jac - numeric) / scale > 1e-5):
        raise ValueError(f"User-provided {name} does not match finite-differences to a relative tolerance of 1e-5.")
    print(f"User-provided {name} matches finite-differences.", file=output)
    return n_res


def check_norm(r, norm, eps, output=None):
    """Compares gradient and Hessian of a norm with finite differences."""
    identity = np.eye(r.size)
    gradient, hessian = norm.grad_hess(r, identity)
    if not np.allclose(hessian, hessian.T):
        raise ValueError("User-provided norm Hessian is not symmetric.")
    smallest = np.min(np.linalg.eigvals(hessian))
    if smallest < 0:
        raise ValueError("User-provided norm Hessian is not positive definite. "
                         f"Minimum eigenvalue is {smallest:<.4g}")

    def columns(function, points):
        return np.hstack([function(points[:, i:i + 1]) for i in range(points.shape[1])])

    check_jacobian(lambda v: columns(lambda c: np.atleast_2d(norm.value(c)), v), r, np.atleast_2d(norm.value(r)),
                   gradient.T, eps, 0, None, output, "norm gradient")
    check_jacobian(lambda v: columns(lambda c: norm.grad_hess(c, identity)[0], v), r, gradient, hessian, eps, 0, None,
                   output, "norm Hessian")
