"""Least squares over parameters, and how sure the result is."""

import logging
import math

import numpy as np

from ligament import minimize

__all__ = ["calculate_intervals", "optimize"]


class OptimizeResult(dict):
    """What an optimiser found, by attribute or by key: ``x``, ``jac``, ``grad``, ``extras``."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the optimiser gave no '{name}'. There are: {', '.join(self)}") from None

    __setattr__ = dict.__setitem__


def optimize(initial_params, residual_fn, optimizer="mujoco", verbose=True, **optimizer_kwargs):
    """Parameters with the least sum of squared residuals, within their bounds, and the result of the optimiser.

    ``optimizer`` is ``"mujoco"`` (Gauss-Newton of ``ligament.minimize``), ``"scipy"``, or ``"scipy_parallel_fd"`` (SciPy
    with our finite differences). ``max_iters``, ``verbose`` and everything else are given to it.
    """
    if optimizer not in ("mujoco", "scipy", "scipy_parallel_fd"):
        raise ValueError(f"Unsupported optimizer: '{optimizer}'. Expected one of: 'scipy', 'scipy_parallel_fd', or 'mujoco'.")
    start, bounds, params = initial_params.as_vector(), initial_params.get_bounds(), initial_params.copy()
    if not params.size:
        logging.getLogger(__name__).warning("no parameter to optimise: there is none, or all are frozen")
        return params, OptimizeResult(x=start, jac=np.zeros((0, 0)), grad=np.zeros(0), extras={})

    def stacked(x):
        return np.concatenate(residual_fn(x, params)[0])

    if optimizer == "mujoco":
        result = _gauss_newton(start, stacked, bounds, **optimizer_kwargs)
    else:
        result = _scipy(start, stacked, bounds, optimizer == "scipy_parallel_fd", **optimizer_kwargs)
    params.update_from_vector(np.ravel(result.x))
    if verbose:
        nominal = initial_params.as_nominal_vector()
        logging.getLogger(__name__).info("\n%s", params.compare_parameters(start, params.as_vector(), nominal))
    return params, result


def _gauss_newton(start, residual, bounds, max_iters=200, verbose=True, **kwargs):
    level = minimize.Verbosity.FULLITER if verbose else minimize.Verbosity.SILENT
    x, log = minimize.least_squares(x0=start, residual=residual, bounds=bounds, verbose=level, max_iter=max_iters, **kwargs)
    extras = {"objective": [entry.objective for entry in log],
              "candidate": [entry.candidate[:, 0] for entry in log]} if verbose else {}
    return OptimizeResult(x=x, jac=log[-1].jacobian, grad=log[-1].grad, extras=extras)


def _scipy(start, residual, bounds, own_jacobian, max_iters=200, verbose=True, x_scale="jac", **kwargs):
    try:
        from scipy.optimize import least_squares
    except ImportError:
        raise ImportError("this optimizer needs SciPy (pip install scipy); 'mujoco' does not") from None
    jacobian = "2-point"
    if own_jacobian:
        step = kwargs.pop("diff_step", np.sqrt(np.finfo(float).eps))
        box = [bound.reshape(-1, 1) for bound in bounds]

        def jacobian(x):
            return minimize.jacobian_fd(residual, x.reshape(-1, 1), residual(x).reshape(-1, 1), step, 0, box)[0]

    return least_squares(residual, start, jac=jacobian, bounds=bounds, max_nfev=max_iters, verbose=2 if verbose else 0,
                         x_scale=x_scale, **kwargs)


def calculate_intervals(residuals_star, J, alpha=0.05, lambda_zero_thresh=1e-15, v_zero_thresh=1e-8):
    """Covariance of the parameters, and half the width of the interval that holds each with probability 1 − alpha.

    The residuals that are left are taken for noise of one variance s² = r·r / (n − p); the covariance is s² (JᵀJ)⁻¹. Where
    the data say nothing about a combination of parameters (an eigenvalue of JᵀJ below a share of the largest), those that
    take part in it have infinite intervals, the others are not touched by it.
    """
    if J is None or J.size == 0:
        return np.empty((0, 0)), np.empty((0,))
    noise = np.concatenate(residuals_star)
    freedom = noise.size - J.shape[1]
    variance = noise @ noise / freedom
    values, vectors = np.linalg.eigh(J.T @ J)
    silent = values < lambda_zero_thresh * values.max()
    part = np.where(np.abs(vectors) < v_zero_thresh * np.abs(vectors).max(axis=0)[:, None], 0.0, vectors)
    # each parameter is a sum over combinations; a silent one counts only if the parameter has a part in it
    spread = (part[:, ~silent] ** 2 / values[~silent]).sum(axis=1)
    spread[np.any(part[:, silent] != 0, axis=1)] = np.inf
    covariance = variance * (vectors / np.where(values == 0, lambda_zero_thresh, values)) @ vectors.T
    return covariance, np.sqrt(spread * variance) * student_quantile(freedom, 1 - alpha / 2)


def student_quantile(freedom, probability):
    """Where Student's distribution has reached a probability above one half."""
    # ∫₀ᵗ of the density, with x = √ν tan φ: a power of the cosine, which a Gauss rule integrates to the last digits
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    nodes, weights = np.polynomial.legendre.leggauss(64)

    def mass(t):
        angle = math.atan(t / math.sqrt(freedom))
        inside = np.cos(angle * (nodes + 1) / 2) ** (freedom - 1)
        return 0.5 + scale * angle / 2 * float(weights @ inside)

    low, high = 0.0, 1.0
    while mass(high) < probability and high < 1e12:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if mass(middle) < probability else (low, middle)
    return (low + high) / 2
