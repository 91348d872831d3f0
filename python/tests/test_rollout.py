"""Rollouts: the trajectories of the reference, on any number of threads."""

import ligament
import models
import mujoco
import numpy as np
import pytest
from ligament import rollout as ours
from mujoco import rollout as theirs

FULL = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)


def start(name, nbatch, nstep, seed=0):
    (model, data), (reference, reference_data) = models.both(name)
    random = np.random.default_rng(seed)
    states = np.empty((nbatch, mujoco.mj_stateSize(reference, FULL)))
    for row in states:
        mujoco.mj_resetData(reference, reference_data)
        reference_data.qvel[:] = 0.1 * random.standard_normal(reference.nv)
        mujoco.mj_getState(reference, reference_data, row, FULL)
    control = 0.2 * random.standard_normal((nbatch, nstep, reference.nu))
    return (model, data), (reference, reference_data), states, control


@pytest.mark.parametrize("name", ["tree", "contacts"])
@pytest.mark.parametrize("nthread", [0, 3])
def test_trajectories_are_those_of_the_reference(name, nthread):
    (model, data), (reference, reference_data), states, control = start(name, 7, 5)
    data = [ligament.MjData(model) for _ in range(nthread)] if nthread else data
    state, sensors = ours.rollout(model, data, states, control)
    expected, expected_sensors = theirs.rollout(reference, reference_data, states, control)
    assert np.allclose(state, expected, atol=1e-6) and np.allclose(sensors, expected_sensors, atol=1e-5)


def test_threads_do_not_change_results():
    (model, data), _, states, control = start("contacts", 16, 20)
    one, _ = ours.rollout(model, data, states, control)
    for count in (2, 5):
        for chunk in (None, 1, 7):
            with ours.Rollout(nthread=count) as runner:
                many, _ = runner.rollout(model, [ligament.MjData(model) for _ in range(count)], states, control,
                                         chunk_size=chunk)
            assert np.array_equal(one, many)


def test_a_rollout_is_what_steps_give():
    (model, data), _, states, control = start("tree", 2, 4)
    state, _ = ours.rollout(model, data, states, control)
    for row in range(2):
        ligament.mj_resetData(model, data)
        ligament.mj_setState(model, data, states[row], FULL)
        for t in range(4):
            data.ctrl[:] = control[row, t]
            ligament.mj_step(model, data)
        final = np.empty_like(state[row, -1])
        ligament.mj_getState(model, data, final, FULL)
        assert np.array_equal(final, state[row, -1])


def test_single_values_serve_all_trajectories():
    (model, data), _, states, control = start("tree", 3, 4)
    state, sensors = ours.rollout(model, data, states[0], control[0, 0], nstep=4)
    assert state.shape[:2] == sensors.shape[:2] == (1, 4)
    state, _ = ours.rollout([model] * 3, data, states[:1], control[:1])
    assert state.shape[:2] == (3, 4) and np.array_equal(state[0], state[2])
    out = np.empty((3, 4, states.shape[1]))
    returned, _ = ours.rollout(model, data, states, control, state=out, persistent_pool=True)
    assert returned.base is out or returned is out
    ours.shutdown_persistent_pool()


def test_callbacks_run_in_rollouts():
    (model, data), _, states, control = start("tree", 2, 3)
    calls = []
    ligament.set_mjcb_control(lambda m, d: calls.append(1))
    try:
        ours.rollout(model, [ligament.MjData(model), ligament.MjData(model)], states, control)
    finally:
        ligament.set_mjcb_control(None)
    assert len(calls) >= 6


@pytest.mark.parametrize("arguments", [
    {"initial_state": np.zeros((2, 3, 4))}, {"initial_state": [1, 2]}, {"nstep": 1.5}, {"initial_state": np.zeros(3)},
    {"control": np.zeros((1, 1, 99))}, {"control_spec": int(mujoco.mjtState.mjSTATE_QPOS)}, {"chunk_size": 1.5},
    {"state": np.zeros((3, 3, 3))},
])
def test_wrong_sizes_are_refused(arguments):
    (model, data), (reference, reference_data), states, _ = start("tree", 2, 3)
    for package, m, d in ((ours, model, data), (theirs, reference, reference_data)):
        with pytest.raises(ValueError):
            package.rollout(m, d, **{"initial_state": states, **arguments})


def test_threads_need_states_of_their_own():
    (model, data), _, states, _ = start("tree", 2, 3)
    with pytest.raises(ValueError):
        ours.rollout(model, [data, data], states)
    with pytest.raises(ValueError):
        ours.Rollout(nthread=3).rollout(model, [data], states)
    runner = ours.Rollout(nthread=0)
    runner.close()
    with pytest.raises(RuntimeError):
        runner.rollout(model, data, states)
