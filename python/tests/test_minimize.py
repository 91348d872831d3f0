"""Least squares: the iterations of the reference."""

import io

import numpy as np
import pytest
from ligament import minimize as ours
from mujoco import minimize as theirs


def rosenbrock(x):
    return np.stack([1 - x[0, :], 10 * (x[1, :] - x[0, :] ** 2)])


def rosenbrock_jacobian(x, r):
    return np.array([[-1, 0], [-20 * x[0, 0], 10]], dtype=float)


class SmoothAbs:
    """A norm that is not quadratic, for either package."""

    def value(self, r):
        return np.sum(np.sqrt(r * r + 0.01)).item()

    def grad_hess(self, r, proj):
        s = np.sqrt(r * r + 0.01)
        return proj.T @ (r / s), proj.T @ (proj * (0.01 / s ** 3))


@pytest.mark.parametrize("arguments", [
    {}, {"jacobian": rosenbrock_jacobian}, {"bounds": (np.array([-2.0, -2.0]), np.array([0.5, 2.0]))},
    {"bounds": (np.array([-1.5, 1.2]), np.array([0.9, 3.0])), "jacobian": rosenbrock_jacobian}, {"max_iter": 3},
    {"jacobian": rosenbrock_jacobian, "check_derivatives": True},
])
@pytest.mark.parametrize("start", [(-1.0, 1.5), (0.0, 0.0), (-1.9, 2.0)])
def test_iterations_are_those_of_the_reference(arguments, start):
    results = [package.least_squares(np.array(start), rosenbrock, verbose=package.Verbosity.FULLITER,
                                     output=io.StringIO(), **arguments) for package in (ours, theirs)]
    (x, trace), (expected, expected_trace) = results
    assert np.allclose(x, expected, atol=1e-7) and len(trace) == len(expected_trace)
    for log, other in zip(trace, expected_trace):
        assert np.allclose(log.candidate, other.candidate, atol=1e-6)
        assert log.objective == pytest.approx(other.objective, rel=1e-5, abs=1e-9)


def test_other_norms():
    def residual(x):
        return np.vstack([x - 1, 2 * x + 1])
    norms = [type("N", (package.Norm,), dict(vars(SmoothAbs)))() for package in (ours, theirs)]
    solutions = [package.least_squares(np.zeros(2), residual, norm=norm, output=io.StringIO(), check_derivatives=True)[0]
                 for package, norm in zip((ours, theirs), norms)]
    assert np.allclose(*solutions, atol=1e-7)


@pytest.mark.parametrize("arguments", [
    {"bounds": (np.zeros(2),)}, {"bounds": (np.zeros(2), np.zeros(2))}, {"bounds": (np.zeros(3), np.ones(3))},
    {"mu_factor": 1.0}, {"x0": np.array([np.nan, 0])},
    {"jacobian": lambda x, r: np.zeros((2, 2)), "check_derivatives": True},
])
def test_mistakes_are_refused(arguments):
    for package in (ours, theirs):
        with pytest.raises(ValueError):
            package.least_squares(**{"x0": np.zeros(2), "residual": rosenbrock, "output": io.StringIO(), **arguments})
