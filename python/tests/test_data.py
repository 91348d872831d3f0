"""MjData: views, shapes, copies, contacts, steps."""

import copy
import pickle

import ligament
import models
import numpy as np
import pytest

SKIPPED = {"arena", "buffer", "solver", "timer", "warning", "contact", "model", "signature",
           "maxuse_threadstack"}
# lists that have a length of their own in each step; the reference shows its reserve
STEPWISE = ("efc_", "iefc", "island", "map", "dof_island", "iLD", "iM", "iacc", "ifrc", "itree", "idof", "tree_island")


@pytest.mark.parametrize("name", models.NAMES)
def test_every_field_has_the_shape_and_dtype_of_the_reference(name):
    (_, ours), (_, theirs) = models.disturbed(name)
    checked = 0
    for field in dir(theirs):
        value = getattr(theirs, field)
        if field.startswith("_") or callable(value) or field in SKIPPED or not isinstance(value, np.ndarray):
            continue
        mine = getattr(ours, field)
        assert mine.size == value.size or field.startswith(STEPWISE), field
        assert mine.dtype.itemsize == value.dtype.itemsize, field
        checked += 1
    assert checked > 80


@pytest.mark.parametrize("name", models.NAMES)
def test_forward_matches_the_reference(name):
    (_, ours), (_, theirs) = models.disturbed(name)
    for field in ("qacc", "xpos", "qfrc_bias", "qfrc_constraint", "sensordata", "cvel"):
        assert np.allclose(getattr(ours, field), getattr(theirs, field), rtol=1e-6, atol=1e-6), field
    assert ours.ncon == theirs.ncon and ours.nefc == theirs.nefc


def test_arrays_are_views():
    (model, data), _ = models.both("tree")
    view = data.qpos
    assert np.shares_memory(view, data.qpos)
    data.qvel[:] = 1
    ligament.mj_step(model, data)
    assert data.time == pytest.approx(model.opt.timestep)
    assert np.shares_memory(view, data.qpos)
    data.qpos = model.qpos0
    assert np.array_equal(view, model.qpos0)
    data.time = 3.0
    assert data.time == 3.0
    with pytest.raises(ValueError):
        data.qpos = np.zeros(3)
    with pytest.raises(ValueError):
        data.ncon = 2
    with pytest.raises(AttributeError):
        data.signature = 2


def test_copies_step_alike():
    (model, data), _ = models.both("contacts")
    ligament.mj_resetDataKeyframe(model, data, 0)
    for _ in range(5):
        ligament.mj_step(model, data)
    others = [copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))]
    ligament.mj_step(model, data)
    for other in others:
        assert not np.shares_memory(other.qpos, data.qpos)
        ligament.mj_step(other.model, other)
        assert np.array_equal(other.qpos, data.qpos)
        assert other.time == data.time


def test_contacts_are_seen_by_column_and_by_item():
    (_, ours), (_, theirs) = models.disturbed("contacts")
    assert len(ours.contact) == len(theirs.contact) > 3
    for field in ("dist", "pos", "frame", "friction", "dim", "geom", "efc_address", "solref"):
        column = getattr(ours.contact, field)
        assert np.allclose(column, getattr(theirs.contact, field), atol=1e-7), field
        assert np.array_equal(getattr(ours.contact[1], field), column[1])
    with pytest.raises(IndexError):
        ours.contact[1000]
    assert len(list(ours.contact)) == len(ours.contact)


def test_data_belongs_to_its_model():
    (model, _), _ = models.both("tree")
    (other, data), _ = models.both("flex")
    with pytest.raises((ValueError, TypeError, ligament.FatalError)):
        ligament.mj_step(model, data)
    ligament.mj_step(other, data)
