"""Contacts and distances of every pair of shapes, in random and in aligned poses, against MuJoCo 3.5.0."""

import itertools

import ligament
import mujoco
import numpy as np
import pytest
from reference_model import Twin

POSES = 200
ROUND_MESH = np.random.default_rng(1).normal(size=(60, 3))
ROUND_MESH *= [[0.2, 0.15, 0.3]] / np.linalg.norm(ROUND_MESH, axis=1, keepdims=True)
HEIGHTS = np.random.default_rng(2).uniform(size=25 * 20)


def text(numbers):
    return " ".join(f"{x:.6f}" for x in np.ravel(numbers))


ASSETS = f"""<asset>
  <hfield name="field" nrow="25" ncol="20" size="1 1.2 .3 .1" elevation="{text(HEIGHTS)}"/>
  <mesh name="flat" vertex="0 0 0  .3 0 0  0 .25 0  0 0 .35  .2 .2 .1"/>
  <mesh name="round" vertex="{text(ROUND_MESH)}"/>
  <mesh name="ring" builtin="supertorus" params="14 .4 .8 .6"/>
</asset>"""
SHAPES = {
    "plane": 'type="plane" size="1 1 .1"',
    "hfield": 'type="hfield" hfield="field"',
    "sphere": 'type="sphere" size=".2"',
    "capsule": 'type="capsule" size=".1 .2"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .3"',
    "cylinder": 'type="cylinder" size=".15 .2"',
    "box": 'type="box" size=".1 .2 .15"',
    "flat_mesh": 'type="mesh" mesh="flat"',
    "round_mesh": 'type="mesh" mesh="round"',
    "sdf": 'type="sdf" mesh="ring"',
}
STATIC = ("plane", "hfield")
PAIRS = [(a, b) for a, b in itertools.combinations_with_replacement(SHAPES, 2) if b not in STATIC]
CONVEX = [p for p in PAIRS if p[0] != "plane" and p[1] != "sdf"]


def twin(first, second, margin, flags=""):
    joint = "" if first in STATIC else "<freejoint/>"
    return Twin(f"""<mujoco><option><flag {flags}/></option>{ASSETS}<worldbody>
      <body>{joint}<geom {SHAPES[first]} margin="{margin}"/></body>
      <body><freejoint/><geom {SHAPES[second]} margin="{margin / 2}"/></body>
    </worldbody></mujoco>""")


def poses(first, nq, count, seed):
    """Random configurations with many contacts; every fourth has round numbers, so that faces are parallel."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        qpos = rng.normal(size=nq)
        for adr in range(0, nq, 7):
            qpos[adr:adr + 3] = rng.uniform(-0.35, 0.35, 3)
            if first == "hfield":
                qpos[adr:adr + 3] = rng.uniform([-1.2, -1.2, -0.1], [1.2, 1.2, 0.5])
            if k % 4 == 0:
                qpos[adr:adr + 3] = np.round(qpos[adr:adr + 3], 1)
                qpos[adr + 3:adr + 7] = np.round(qpos[adr + 3:adr + 7])
                qpos[adr + 3] += not qpos[adr + 3:adr + 7].any()
            qpos[adr + 3:adr + 7] /= np.linalg.norm(qpos[adr + 3:adr + 7])
        yield qpos


def check(first, second, margin, count, flags=""):
    both = twin(first, second, margin, flags)
    hits = 0
    for qpos in poses(first, both.model.nq, count, seed=hash_of(first, second)):
        both.set(qpos)
        # positions as the reference has them: contacts of parallel faces depend on last digits
        both.data.geom_xpos[:] = both.reference_data.geom_xpos
        both.data.geom_xmat[:] = both.reference_data.geom_xmat.reshape(both.data.geom_xmat.shape)
        ligament.mj_collision(both.model, both.data)
        both.assert_same_contacts()
        hits += both.data.ncon > 0
        for limit in (0.0, 0.3, 10.0):
            mine, theirs = np.zeros(6), np.zeros(6)
            distance = ligament.mj_geomDistance(both.model, both.data, 0, 1, limit, mine)
            expected = mujoco.mj_geomDistance(both.reference, both.reference_data, 0, 1, limit, theirs)
            np.testing.assert_allclose(distance, expected, rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(mine, theirs, rtol=1e-8, atol=1e-8)
    assert hits > count / 10 or (first, second) == ("hfield", "sdf")


def hash_of(first, second):
    return list(SHAPES).index(first) * 100 + list(SHAPES).index(second)


@pytest.mark.parametrize("first, second", PAIRS)
@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_pair_equals_reference(first, second, margin):
    check(first, second, margin, 20 if second == "sdf" else POSES)


@pytest.mark.parametrize("first, second", CONVEX)
def test_several_points_equal_reference(first, second):
    check(first, second, 0.0, 50, 'multiccd="enable"')


@pytest.mark.parametrize("first, second", CONVEX)
def test_portal_refinement_equals_reference(first, second):
    check(first, second, 0.0, 50, 'nativeccd="disable"')


@pytest.mark.parametrize("first, second", PAIRS)
def test_degenerate_poses_give_no_nan(first, second):
    """Coincident centres, far coordinates, NaN and infinite poses: no panic, no endless loop, no NaN contact."""
    both = twin(first, second, 0.01)
    model, data = both.model, both.data
    special = [0.0, 1e-300, 1e-16, 1e8, 1e300, np.inf, -np.inf, np.nan]
    for value in special:
        for slot in range(3):
            data.qpos[:] = both.reference.qpos0
            data.qpos[-7 + slot] = value
            ligament.mj_kinematics(model, data)
            for matrix in (False, True):
                if matrix:
                    data.geom_xmat[-1] = value
                ligament.mj_collision(model, data)
                for name in ("dist", "pos", "frame"):
                    assert np.isfinite(getattr(data.contact, name)).all()
                ligament.mj_geomDistance(model, data, 0, 1, 1.0, np.zeros(6))


@pytest.mark.parametrize("first, second", [p for p in PAIRS if p[0] not in STATIC and "mesh" not in "".join(p)])
@pytest.mark.parametrize("size", [0.0, 1e-12, 1e9])
def test_degenerate_sizes_give_no_nan(first, second, size):
    """Zero sizes and huge ratios."""
    both = twin(first, second, 0.0)
    model, data = both.model, both.data
    model.geom_size[-1] = size
    model.geom_rbound[:] = 10 + size
    for qpos in poses(first, model.nq, 20, seed=5):
        data.qpos[:] = qpos
        ligament.mj_kinematics(model, data)
        ligament.mj_collision(model, data)
        for name in ("dist", "pos", "frame"):
            assert np.isfinite(getattr(data.contact, name)).all()
