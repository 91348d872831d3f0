"""Every function that takes numbers and arrays gives the numbers of the reference, or refuses as it does."""

import re

import ligament
import models
import mujoco
import numpy as np
import pytest
from test_interface import FUNCTIONS

# random numbers, files, the screen, memory of the engine; and what ends the process in the reference when given nonsense
EXCLUDED = re.compile(
    r"mju_(standardNormal|writeLog|raySkin|print\w+|getXMLDependencies|Halton|band\w+|cholFactorBand|cholSolveBand|"
    r"dense2Band|sparse2dense|dense2sparse|rayGeom|insertionSortInt)$|"
    r"mj_(print\w+|load\w+|save\w+|sizeModel|getCache\w*|setCache\w*|clearCache|rayHfield|rayMesh|rayFlex|"
    r"defaultSolRefImp|addM)$")


def typed_parameters(name):
    """Type of each parameter in the reference's docstring."""
    from test_interface import parameters
    line = getattr(mujoco, name).__doc__.split("\n")[0]
    names = [parameter for parameter, _ in parameters(line)]
    ends = [line.index(f"{parameter}: ") for parameter in names] + [len(line)]
    return [line[start:end] for start, end in zip(ends, ends[1:])]


def argument(text, random, size):
    """Two equal values of the type of a parameter, or None when it takes something else."""
    if "NDArray" in text:
        kind = re.search(r"numpy\.(float64|float32|int32|uint8)", text)[1]
        sides = [side.strip() for side in re.search(r'"\[(.*?)\]"', text)[1].split(",")]
        shape = [int(side) if side.isdigit() else size for side in sides]
        shape = shape[:1] if shape[1] == 1 else shape
        values = random.standard_normal(shape)
        values = (values if kind == "float64" else np.abs(2 * values)).astype(kind)
        return values.copy(), values.copy()
    if "SupportsInt" in text:
        return (int(random.integers(0, 3)),) * 2
    if "SupportsFloat" in text:
        return (float(1.3 * random.standard_normal()),) * 2
    return None


def outcome(function, arguments):
    try:
        return function(*arguments), None
    except (TypeError, ValueError, IndexError, ligament.FatalError, mujoco.FatalError) as error:
        return None, error


def equal(mine, other):
    if isinstance(other, np.ndarray):
        return np.allclose(mine, other, rtol=1e-7, atol=1e-9, equal_nan=True)
    if isinstance(other, float):
        return np.isclose(mine, other, rtol=1e-8, atol=1e-12, equal_nan=True)
    return mine == other if isinstance(other, (int, str)) else True


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if not EXCLUDED.match(name)])
def test_numbers_and_refusals(name):
    random = np.random.default_rng(len(name))
    types = typed_parameters(name)
    for trial in range(5):
        (m, d), (rm, rd) = models.disturbed("tree", trial)
        pairs = [(m, rm) if "MjModel" in t else (d, rd) if "MjData" in t else
                 argument(t, random, m.nv if name.startswith("mj_") else 4) for t in types]
        if any(pair is None for pair in pairs):
            return
        ours, theirs = zip(*pairs) if pairs else ((), ())
        expected, refused = outcome(getattr(mujoco, name), theirs)
        result, error = outcome(getattr(ligament, name), ours)
        assert (error is None) == (refused is None), (error, refused)
        if refused is None:
            assert equal(result, expected)
            for text, mine, other in zip(types, ours, theirs):
                assert equal(mine, other), text


@pytest.mark.parametrize("dim", [2, 3, 5])
def test_pyramids(dim):
    random = np.random.default_rng(dim)
    mu, edges, force = random.random(dim) + 0.1, random.random(2 * dim), random.random(dim + 1)
    results = []
    for package in (ligament, mujoco):
        decoded, encoded = np.zeros(dim + 1), np.zeros(2 * dim)
        package.mju_decodePyramid(decoded, edges, mu)
        package.mju_encodePyramid(encoded, force, mu)
        results.append((decoded, encoded))
    for mine, other in zip(*results):
        assert np.allclose(mine, other)


@pytest.mark.parametrize("kind", ["PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX"])
def test_rays_and_shapes(kind):
    random = np.random.default_rng(3)
    for _ in range(20):
        pos, size, pnt, vec = 0.2 * random.standard_normal(3), 0.3 + random.random(3), *random.standard_normal((2, 3))
        mat = np.zeros(9)
        quat = random.standard_normal(4)
        mujoco.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
        results = [package.mju_rayGeom(pos, mat, size, pnt, vec, getattr(package.mjtGeom, f"mjGEOM_{kind}"))
                   for package in (ligament, mujoco)]
        assert np.isclose(*results)
