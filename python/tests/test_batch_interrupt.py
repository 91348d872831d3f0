"""A long call of a batch ends when the user asks for it (Ctrl-C)."""
import _thread
import threading
import time

import numpy as np
import pytest

import ligament as mujoco
from ligament import batch, rollout

XML = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("nthread", [1, 2])
def test_a_call_ends_on_interrupt(exact, nthread):
    model = mujoco.MjModel.from_xml_string(XML)
    worlds = batch.Batch(model, 16, nthread, exact=exact)
    before = worlds.state.copy()
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        worlds.step(nstep=2**31 - 1)
    assert time.perf_counter() - start < 30, "hours of steps"
    assert np.array_equal(worlds.state, before), "worlds that were not done keep their state"
    assert (worlds.status == 1).all() and "interrupted" in worlds.error(3)
    worlds.step(nstep=2)
    assert not np.array_equal(worlds.state, before) and (worlds.status == 0).all()


def test_a_rollout_ends_on_interrupt():
    model = mujoco.MjModel.from_xml_string(XML)
    worlds = batch.Batch(model, 4, 2)
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        worlds.rollout(3_000_000, record=())
    assert (worlds.status == 1).any()


@pytest.mark.parametrize("nthread", [0, 2])
def test_the_rollout_module_ends_on_interrupt(nthread):
    model = mujoco.MjModel.from_xml_string(XML)
    data = [mujoco.MjData(model) for _ in range(max(nthread, 1))]
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros((2, size))
    mujoco.mj_getState(model, data[0], start[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start[:] = start[0]
    threading.Timer(0.3, _thread.interrupt_main).start()
    with rollout.Rollout(nthread=nthread) as runner, pytest.raises(KeyboardInterrupt):
        runner.rollout(model, data, start, nstep=1_500_000)
    # the data can be used again
    mujoco.mj_resetData(model, data[0])
    mujoco.mj_step(model, data[0])
