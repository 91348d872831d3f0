"""One world with the lean step."""

import numpy as np
import pytest

import ligament

MODEL = """<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="ball" pos="0 0 .3"><freejoint/><geom name="ball" size=".1"/><site name="top" pos="0 0 .1"/></body>
    <body pos="1 0 .5"><joint name="hinge" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/></body>
  </worldbody>
  <actuator><motor joint="hinge" gear="3"/></actuator>
  <sensor><framepos objtype="site" objname="top"/><touch site="top"/></sensor>
  <keyframe><key qpos="0 0 .1 1 0 0 0 .4"/></keyframe>
</mujoco>"""


@pytest.fixture
def model():
    return ligament.MjModel.from_xml_string(MODEL)


def test_steps_are_those_of_the_exact_engine(model):
    world, data = ligament.Lean(model), ligament.MjData(model)
    for k in range(200):
        world.ctrl[:] = data.ctrl[:] = np.sin(0.1 * k)
        world.step()
        ligament.mj_step(model, data)
    assert world.time == data.time
    np.testing.assert_allclose(world.qpos, data.qpos, atol=1e-9)
    np.testing.assert_allclose(world.qvel, data.qvel, atol=1e-9)


def test_results_are_computed_on_request_and_change_nothing(model):
    watched, alone = ligament.Lean(model), ligament.Lean(model)
    for _ in range(30):
        watched.step(5)
        alone.step(5)
        expected = ligament.MjData(model)
        for name in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
            getattr(expected, name)[:] = getattr(watched, name)
        ligament.mj_forward(model, expected)
        np.testing.assert_array_equal(watched.xpos, expected.xpos)
        np.testing.assert_array_equal(watched.sensordata, expected.sensordata)
        assert watched.ncon == expected.ncon
    assert watched.ncon > 0, "the ball lies on the floor"
    np.testing.assert_array_equal(watched.qpos, alone.qpos)
    np.testing.assert_array_equal(watched.qvel, alone.qvel)


def test_results_follow_what_the_user_writes(model):
    world = ligament.Lean(model)
    before = world.body("ball").xpos.copy()
    world.qpos[0] += 0.25
    assert world.body("ball").xpos[0] == before[0] + 0.25
    world.qvel = 0.5
    assert (world.qvel == 0.5).all()


def test_forward_gives_accelerations_and_moves_nothing(model):
    world = ligament.Lean(model)
    world.reset(0)
    state = np.array(world.qacc_warmstart)
    acceleration = world.forward()
    np.testing.assert_allclose(acceleration, world.data.qacc, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(world.qacc_warmstart, state)


def test_what_it_has_not_is_refused_by_name(model):
    model.opt.solver = ligament.mjtSolver.mjSOL_PGS
    with pytest.raises(ValueError, match="the PGS solver.*exact engine"):
        ligament.Lean(model)


def test_only_the_state_can_be_set(model):
    world = ligament.Lean(model)
    with pytest.raises(AttributeError, match="xpos is not part of the state"):
        world.xpos = 1


def test_user_functions_are_not_ignored(model):
    world = ligament.Lean(model)
    ligament.set_mjcb_control(lambda m, d: None)
    try:
        with pytest.raises(ligament.FatalError, match="mjcb"):
            world.step()
    finally:
        ligament.set_mjcb_control(None)
