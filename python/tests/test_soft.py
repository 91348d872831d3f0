"""Soft flexes from Python (spec item 9): trajectories, batches, rays."""

import numpy as np
import pytest

import ligament
from ligament import parts, rollout
from ligament.batch import Batch

CLOTH = """<mujoco><option timestep=".005"/><worldbody><geom type="sphere" size=".2" pos="0 0 .35"/>
<flexcomp name="cloth" type="grid" count="9 9 1" spacing=".05 .05 .05" dim="2" radius=".01" mass=".2" pos="0 0 .6"
 ligament:soft="cotton"><contact selfcollide="none"/></flexcomp></worldbody></mujoco>"""


@pytest.fixture
def model():
    return ligament.MjModel.from_xml_string(CLOTH)


def stepped(model, lift, steps):
    data = ligament.MjData(model)
    data.qvel[2] = lift
    states = []
    for _ in range(steps):
        ligament.mj_step(model, data)
        states.append(np.concatenate([[data.time], data.qpos, data.qvel]))
    return data, np.array(states)


def test_trajectories(model):
    """F9: trajectories hold the whole cloth; those of a rollout are those of single steps, on any number of threads"""
    assert [p[2] for p in parts.parts(model)] == ["soft", "xpbd"]
    initial = np.zeros((3, 1 + model.nq + model.nv))
    initial[:, 1 + model.nq + 2] = lifts = [0, 0.5, 1.0]
    expected = np.array([stepped(model, lift, 30)[1] for lift in lifts])
    for threads in (1, 3):
        data = [ligament.MjData(model) for _ in range(threads)]
        states, _ = rollout.rollout(model, data, initial_state=initial, nstep=30)
        np.testing.assert_array_equal(states, expected)


def test_batches(model):
    """F9: worlds of a batch have the bits of a world alone"""
    for threads in (1, 2):
        batch = Batch(model, 3, nthread=threads)
        batch.qvel[:, 2] = [0, 0.5, 1.0]
        batch.step(nstep=30)
        for world, lift in enumerate([0, 0.5, 1.0]):
            np.testing.assert_array_equal(np.asarray(batch.qpos)[world], stepped(model, lift, 30)[0].qpos)


def test_rays(model):
    """F9: a ray sees the cloth where it has come to lie"""
    data, _ = stepped(model, 0, 200)
    ligament.mj_forward(model, data)
    start, down = np.array([0.01, 0.012, 2.0]), np.array([0.0, 0, -1])
    distance = ligament.mj_rayFlex(model, data, -1, False, False, True, False, 0, start, down)
    assert 0.53 < 2 - distance < 0.6


def test_bad_materials():
    """F9: what is wrong with a material is said with the part and the flex"""
    with pytest.raises(ValueError, match='there is no material "jelly"; materials are cotton, silk'):
        ligament.MjModel.from_xml_string(CLOTH.replace("cotton", "jelly"))
    model = ligament.MjModel.from_xml_string(CLOTH)
    for numbers, message in [([float("nan"), 0.3, 0.0], "Young's modulus is NaN"), ([1e6, 0.3], "three numbers")]:
        with pytest.raises(ligament.FatalError, match=message) as raised:
            parts.set_part(model, "elasticity", 0, "soft", numbers)
        assert "soft" in str(raised.value) and "flex 0" in str(raised.value)
