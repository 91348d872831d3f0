"""Access by name."""

import ligament
import models
import mujoco
import numpy as np
import pytest


def test_names_and_ids_match_the_reference():
    for name in models.NAMES:
        (ours, _), (theirs, _) = models.both(name)
        for kind in ("BODY", "JOINT", "GEOM", "SITE", "CAMERA", "ACTUATOR", "SENSOR", "TENDON", "EQUALITY", "KEY"):
            kind = getattr(mujoco.mjtObj, f"mjOBJ_{kind}")
            for i in range(50):
                text = mujoco.mj_id2name(theirs, kind, i)
                assert ligament.mj_id2name(ours, int(kind), i) == text
                if text:
                    assert ligament.mj_name2id(ours, int(kind), text) == i
            assert ligament.mj_name2id(ours, int(kind), "no such thing") == -1


def test_views_of_single_objects():
    (ours, data), (theirs, reference) = models.disturbed("tree")
    for kind, name in (("body", "hand"), ("joint", "hinge"), ("geom", 0), ("site", "tip"), ("actuator", "p")):
        mine, other = getattr(ours, kind)(name), getattr(theirs, kind)(name)
        assert mine.id == other.id and mine.name == other.name
    assert np.array_equal(ours.body("hand").pos, theirs.body("hand").pos)
    assert np.allclose(data.body("hand").xpos, reference.body("hand").xpos)
    assert np.allclose(data.joint("ball").qpos, reference.joint("ball").qpos)
    assert data.joint("free").qvel.shape == (6,)
    assert np.allclose(data.site("tip").xpos, reference.site("tip").xpos)
    ours.body("hand").mass[:] = 3
    assert ours.body_mass[ours.body("hand").id] == 3
    data.joint("hinge").qpos[:] = 0.5
    assert data.qpos[ours.joint("hinge").qposadr[0]] == 0.5


def test_unknown_names_list_the_known_ones():
    (ours, data), (theirs, _) = models.both("tree")
    for model in (ours, theirs):
        with pytest.raises(KeyError) as error:
            model.body("hnd")
        assert "hand" in str(error.value) and "upper" in str(error.value)
    with pytest.raises(KeyError, match="tip"):
        data.site("top")
    with pytest.raises(IndexError):
        ours.body(1000)
