"""Contacts and constraint rows are views of the state, and safe to keep."""

import copy
import gc
import pickle

import ligament
import models
import mujoco
import numpy as np
import pytest


def pair():
    (model, data), (theirs, reference) = models.disturbed("contacts")
    return model, data, theirs, reference


def test_writes_into_constraint_rows_reach_the_engine():
    model, data, theirs, reference = pair()
    for package, m, d in ((ligament, model, data), (mujoco, theirs, reference)):
        d.efc_aref[...] = 0.5
        d.efc_aref[0] = 7
        d.contact.friction[:, 0] = 0.3
        d.contact[0].dist = -0.25
        package.mj_fwdConstraint(m, d)
    assert data.contact[0].dist == -0.25 and data.efc_aref[0] == 7
    assert np.allclose(data.qacc, reference.qacc, atol=1e-6)


def test_kept_views_survive_later_steps():
    model, data, _, _ = pair()
    kept = [(data.efc_force, data.efc_force.copy()), (data.contact.dist, data.contact.dist.copy()),
            (data.contact[1].frame, data.contact[1].frame.copy())]
    for _ in range(50):
        data.qpos[2::7] += 0.5
        ligament.mj_step(model, data)
        gc.collect()
    for view, values in kept:
        assert np.array_equal(view, values)
    del model, data
    assert np.array_equal(kept[0][0], kept[0][1])


def test_views_taken_in_a_callback_survive():
    model, data, _, _ = pair()
    kept = []
    ligament.set_mjcb_control(lambda m, d: kept.append((d.contact.pos, d.contact.pos.copy())))
    try:
        ligament.mj_step(model, data, 20)
    finally:
        ligament.set_mjcb_control(None)
    assert len(kept) == 20 and all(np.array_equal(view, values) for view, values in kept)


def test_contacts_can_be_added():
    """mj_addContact: the contact is appended, constraint rows are forgotten, the status is 0."""
    model, data, theirs, reference = pair()
    for package, m, d in ((ligament, model, data), (mujoco, theirs, reference)):
        contact = copy.copy(d.contact[0])
        contact.pos = (1, 2, 3)
        contact.geom = (0, 2)
        before = d.ncon
        assert package.mj_addContact(m, d, contact) == 0
        assert d.ncon == len(d.contact) == before + 1
        assert d.nefc == 0 and all(c.efc_address == -1 for c in list(d.contact)[:-1])
        assert list(d.contact[before].geom) == [0, 2]
        package.mj_makeConstraint(m, d)
        package.mj_projectConstraint(m, d)
    assert data.nefc == reference.nefc > 0
    assert np.allclose(data.efc_pos, reference.efc_pos, atol=1e-9)
    fresh = ligament.MjContact()
    fresh.dim = 1
    assert ligament.mj_addContact(model, data, fresh) == 0 and data.contact[-1].dim == 1
    with pytest.raises(TypeError):
        ligament.mj_addContact(model, data, None)


def test_contacts_compare_copy_and_print():
    model, data, _, _ = pair()
    first, again = data.contact[0], data.contact[0]
    assert first == again and first != data.contact[1] and first != 3
    for other in (copy.copy(first), copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        assert other == first
        other.mu = 99
        assert other != first
    assert repr(first).startswith("<MjContact\n  H: array(")
    assert data.contact[1:3] == data.contact[1:3] and len(data.contact[1:3]) == 2
    with pytest.raises(TypeError):
        hash(first)
    with pytest.raises(TypeError):
        first.dim = 1.5


def test_timers_run_by_default():
    """Timers count seconds without a clock of the user, and by it when there is one."""
    model, data, _, _ = pair()
    step = ligament.mjtTimer.mjTIMER_STEP
    number = data.timer[step].number
    ligament.mj_step(model, data, 5)
    assert data.timer[step].number == number + 5 and data.timer.duration[step] > 0
    assert data.timer.number[ligament.mjtTimer.mjTIMER_COL_NARROW] >= 5
    assert data.timer.duration[ligament.mjtTimer.mjTIMER_COL_BROAD] > 0


@pytest.mark.parametrize("name", models.NAMES)
def test_pickled_states_are_whole(name):
    (_, data), _ = models.disturbed(name)
    other = pickle.loads(pickle.dumps(data))
    for field in data._all_fields:
        mine, copied = getattr(data, field), getattr(other, field)
        assert np.array_equal(mine, copied) if isinstance(mine, np.ndarray) else mine == copied, field
