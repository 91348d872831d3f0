"""Global functions that the engine calls."""

import ligament
import models
import numpy as np
import pytest


@pytest.fixture(autouse=True)
def no_callbacks():
    yield
    ligament.mj_resetCallbacks()


def test_control_callback_sets_controls():
    (model, data), _ = models.both("tree")
    calls = []

    def control(m, d):
        calls.append(d.time)
        d.ctrl[:] = 0.25

    ligament.set_mjcb_control(control)
    assert ligament.get_mjcb_control() is control
    ligament.mj_step(model, data)
    assert calls and np.all(data.ctrl == 0.25)
    ligament.set_mjcb_control(None)
    assert ligament.get_mjcb_control() is None
    count = len(calls)
    ligament.mj_step(model, data)
    assert len(calls) == count


def test_passive_callback_adds_forces():
    (model, data), _ = models.both("tree")
    ligament.mj_forward(model, data)
    before = data.qacc.copy()

    def passive(m, d):
        d.qfrc_passive[-1] += 1.0

    ligament.set_mjcb_passive(passive)
    ligament.mj_forward(model, data)
    assert data.qacc[-1] > before[-1]


def test_exceptions_come_through():
    (model, data), _ = models.both("tree")

    def control(m, d):
        raise RuntimeError("no control today")

    ligament.set_mjcb_control(control)
    with pytest.raises(RuntimeError, match="no control today"):
        ligament.mj_step(model, data)
    ligament.set_mjcb_control(None)
    ligament.mj_step(model, data)


def test_contact_filter_drops_contacts():
    (model, data), _ = models.both("contacts")
    ligament.mj_forward(model, data)
    assert data.ncon > 0
    ligament.set_mjcb_contactfilter(lambda m, d, first, second: 1)
    ligament.mj_forward(model, data)
    kept = data.ncon
    ligament.set_mjcb_contactfilter(None)
    ligament.mj_forward(model, data)
    assert kept < data.ncon
