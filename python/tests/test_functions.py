"""Functions: names and arguments as in the reference, results on random states."""

import inspect
import re

import ligament
import models
import mujoco
import numpy as np
import pytest

FUNCTIONS = sorted(name for name in dir(ligament) if re.match(r"mj[ud]?_", name))


def reference_arguments(function):
    first = (function.__doc__ or "").splitlines()[0]
    match = re.match(r"\w+\((.*)\) ->", first)
    return re.findall(r"(\w+): ", match.group(1)) if match else None


def test_every_function_is_the_references_with_its_arguments():
    assert len(FUNCTIONS) > 150
    wrong = {}
    for name in FUNCTIONS:
        assert hasattr(mujoco, name), name
        expected = reference_arguments(getattr(mujoco, name))
        found = list(inspect.signature(getattr(ligament, name)).parameters)
        if expected is not None and expected != found:
            wrong[name] = (expected, found)
    assert not wrong


def jacobians(engine, m, d):
    results = []
    point = np.array([0.1, 0.2, 0.3])
    for body in range(m.nbody):
        for name in ("mj_jacBody", "mj_jacBodyCom"):
            jacp, jacr = np.zeros((3, m.nv)), np.zeros((3, m.nv))
            getattr(engine, name)(m, d, jacp, jacr, body)
            results += [jacp, jacr]
        jacp, jacr = np.zeros((3, m.nv)), np.zeros((3, m.nv))
        engine.mj_jac(m, d, jacp, jacr, point, body)
        results += [jacp, jacr]
        jacp = np.zeros((3, m.nv))
        engine.mj_jacSubtreeCom(m, d, jacp, body)
        results.append(jacp)
    return results


@pytest.mark.parametrize("name", models.NAMES)
def test_jacobians_and_inertia(name):
    (m, d), (rm, rd) = models.disturbed(name)
    for ours, theirs in zip(jacobians(ligament, m, d), jacobians(mujoco, rm, rd)):
        assert np.allclose(ours, theirs, atol=1e-9)
    full, expected = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv))
    ligament.mj_fullM(m, full, d.qM)
    mujoco.mj_fullM(rm, expected, rd.qM)
    assert np.allclose(full, expected, atol=1e-9)
    sum_ours, sum_theirs = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv))
    ligament.mj_addM(m, d, sum_ours, None, None, None)
    assert np.allclose(np.tril(sum_ours), np.tril(full), atol=1e-9)


@pytest.mark.parametrize("name", models.NAMES)
def test_states(name):
    (m, d), (rm, rd) = models.disturbed(name)
    for signature in ("mjSTATE_PHYSICS", "mjSTATE_FULLPHYSICS", "mjSTATE_INTEGRATION", "mjSTATE_USER"):
        signature = int(getattr(mujoco.mjtState, signature))
        size = ligament.mj_stateSize(m, signature)
        assert size == mujoco.mj_stateSize(rm, signature)
        state, expected = np.zeros(size), np.zeros(size)
        ligament.mj_getState(m, d, state, signature)
        mujoco.mj_getState(rm, rd, expected, signature)
        assert np.allclose(state, expected, atol=1e-9)
        fresh = ligament.MjData(m)
        ligament.mj_setState(m, fresh, state, signature)
        again = np.zeros(size)
        ligament.mj_getState(m, fresh, again, signature)
        assert np.array_equal(state, again)


def test_rays():
    (m, d), (rm, rd) = models.disturbed("contacts")
    random = np.random.default_rng(3)
    hits = 0
    for _ in range(100):
        pnt, vec = random.uniform([-0.5, -1, 0.2], [3.5, 1, 1]), random.standard_normal(3)
        results = []
        for engine, model, data in ((ligament, m, d), (mujoco, rm, rd)):
            geomid, normal = np.zeros(1, dtype=np.int32), np.zeros(3)
            distance = engine.mj_ray(model, data, pnt, vec, None, 1, -1, geomid, normal)
            results.append((distance, geomid[0], *normal))
        assert np.allclose(*results, atol=1e-9)
        hits += results[0][0] >= 0
        for geom in range(m.ngeom):
            kind = m.geom_type[geom]
            if kind == ligament.mjtGeom.mjGEOM_MESH:
                assert ligament.mj_rayMesh(m, d, geom, pnt, vec) == \
                    pytest.approx(mujoco.mj_rayMesh(rm, rd, geom, pnt, vec))
            elif kind == ligament.mjtGeom.mjGEOM_HFIELD:
                assert ligament.mj_rayHfield(m, d, geom, pnt, vec) == \
                    pytest.approx(mujoco.mj_rayHfield(rm, rd, geom, pnt, vec))
            else:
                arguments = (rd.geom_xpos[geom], rd.geom_xmat[geom], rm.geom_size[geom], pnt, vec, int(kind))
                assert ligament.mju_rayGeom(*arguments) == pytest.approx(mujoco.mju_rayGeom(*arguments))
    assert hits > 20


def test_sensor_history():
    (m, d), (rm, rd) = models.both("sensors")
    sensor = m.nsensor - 1
    assert m.sensor_history[sensor, 0] == 5
    times, values = np.array([-0.008, -0.006, -0.004, -0.002, 0.0]), np.arange(5.0).reshape(5, 1)
    results = []
    for engine, model, data in ((ligament, m, d), (mujoco, rm, rd)):
        engine.mj_initSensorHistory(model, data, sensor, times, values, 0.0)
        row = []
        for time in (0.0, 0.001, 0.003, 0.0055):
            for interp in (0, 1, 2):
                result = np.zeros(1)
                returned = engine.mj_readSensor(model, data, sensor, time, result, interp)
                row.append(float(result[0] if returned is None else np.ravel(returned)[0]))
        results.append(row)
        results[-1].append(data.history.copy())
    assert np.allclose(results[0][:-1], results[1][:-1])
    assert np.allclose(results[0][-1], results[1][-1])


def test_inverse_stages():
    (m, d), (rm, rd) = models.disturbed("sensors")
    for engine, model, data in ((ligament, m, d), (mujoco, rm, rd)):
        engine.mj_invPosition(model, data)
        engine.mj_invVelocity(model, data)
        engine.mj_invConstraint(model, data)
        engine.mj_inverse(model, data)
    assert np.allclose(d.qfrc_inverse, rd.qfrc_inverse, atol=1e-7)


def random_spd(random, n):
    a = random.standard_normal((n, n))
    return a @ a.T + n * np.eye(n)


def test_matrix_helpers():
    random = np.random.default_rng(1)
    outputs = {}
    symmetric, other = random_spd(random, 3), random.standard_normal((3, 3)) + 2 * np.eye(3)
    qa, qb = random.standard_normal(4), random.standard_normal(4)
    qa, qb, vel, x = qa / np.linalg.norm(qa), qb / np.linalg.norm(qb), random.standard_normal(3), random.standard_normal(3)
    for engine in (ligament, mujoco):
        eigval, eigvec, quat = np.zeros(3), np.zeros(9), np.zeros(4)
        engine.mju_eig3(eigval, eigvec, quat, symmetric.ravel())
        rotation = np.array([1.0, 0, 0, 0])
        engine.mju_mat2Rot(rotation, other.ravel())
        da, db, dq, dv, ds = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(9), np.zeros(9), np.zeros(3)
        engine.mjd_subQuat(qa, qb, da, db)
        engine.mjd_quatIntegrate(vel, 0.3, dq, dv, ds)
        factor, update = symmetric.copy(), x.copy()
        engine.mju_cholFactor(factor, 1e-15)
        engine.mju_cholUpdate(factor, update, 1)
        pos, mat = np.zeros(3), np.zeros(9)
        outputs[engine] = [eigval, eigvec, quat, rotation, da, db, dq, dv, ds, np.tril(factor), pos, mat]
    for ours, theirs in zip(outputs[ligament], outputs[mujoco]):
        assert np.allclose(ours, theirs, atol=1e-8)


def test_local_to_global():
    (m, d), (rm, rd) = models.disturbed("tree")
    results = []
    for engine, data in ((ligament, d), (mujoco, rd)):
        pos, mat = np.zeros(3), np.zeros(9)
        engine.mj_local2Global(data, pos, mat, np.array([0.1, 0.2, 0.3]), np.array([0.6, 0.8, 0, 0]), 2, 0)
        results.append(np.concatenate([pos, mat]))
    assert np.allclose(*results, atol=1e-9)


def test_band_matrices():
    random = np.random.default_rng(2)
    ntotal, nband, ndense = 7, 3, 2
    dense = random_spd(random, ntotal)
    for i in range(ntotal - ndense):
        for j in range(ntotal - ndense):
            if abs(i - j) >= nband:
                dense[i, j] = 0
    size = (ntotal - ndense) * nband + ndense * ntotal
    vec = random.standard_normal(ntotal)
    results = []
    for engine in (ligament, mujoco):
        band, back, product, solved = np.zeros(size), np.zeros((ntotal, ntotal)), np.zeros(ntotal), np.zeros(ntotal)
        engine.mju_dense2Band(band, dense, ntotal, nband, ndense)
        engine.mju_band2Dense(back, band, ntotal, nband, ndense, 1)
        smallest = engine.mju_cholFactorBand(band, ntotal, nband, ndense, 0.1, 0.01)
        engine.mju_cholSolveBand(solved, band, vec, ntotal, nband, ndense)
        diagonal = [engine.mju_bandDiag(i, ntotal, nband, ndense) for i in range(ntotal)]
        results.append([back, solved, np.array([smallest]), np.array(diagonal), band[diagonal]])
    for ours, theirs in zip(*results):
        assert np.allclose(ours, theirs, atol=1e-9)


def test_box_constrained_minimum():
    random = np.random.default_rng(4)
    for case in range(20):
        n = 5
        H, g = random_spd(random, n), 5 * random.standard_normal(n)
        lower, upper = -0.3 * np.ones(n), 0.3 * np.ones(n)
        if case % 4 == 0:
            lower = upper = None
        results = []
        for engine in (ligament, mujoco):
            res, R, index = np.zeros(n), np.zeros((n, n + 7)), np.zeros(n, dtype=np.int32)
            free = engine.mju_boxQP(res, R, index, H, g, lower, upper)
            results.append((free, res, index[:free].copy()))
        assert results[0][0] == results[1][0]
        assert np.allclose(results[0][1], results[1][1], atol=1e-7)
        assert np.array_equal(results[0][2], results[1][2])


def test_wrong_arguments_are_type_errors():
    (m, d), _ = models.both("tree")
    with pytest.raises(TypeError):
        ligament.mj_jacBody(m, d, np.zeros((3, 2)), None, 1)
    with pytest.raises((IndexError, TypeError, ligament.FatalError)):
        ligament.mj_jacBody(m, d, np.zeros((3, m.nv)), None, 1000)
    with pytest.raises(TypeError):
        ligament.mj_step(d, m)
