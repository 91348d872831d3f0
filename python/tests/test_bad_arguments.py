"""Wrong arguments are exceptions that say what is wrong, never a panic."""

import inspect
import re

import ligament
import models
import numpy as np
import pytest

FUNCTIONS = sorted(name for name in dir(ligament) if re.match(r"mj[ud]?_", name))
# these print, write files or take any object
HARMLESS = {"mju_writeLog", "mju_printMat", "mju_printMatSparse", "mj_clearCache", "mj_getCacheSize"}
EXPECTED = (TypeError, ValueError, IndexError, AttributeError, OSError, OverflowError, ligament.FatalError)
CONTEXT = {"m": 0, "d": 1, "src": 2, "dst": 3, "dest": 3}


def readonly():
    array = np.zeros(3)
    array.flags.writeable = False
    return array


VALUES = {
    "none": lambda: None, "text": lambda: "nonsense", "object": object, "short": lambda: np.zeros(1),
    "long": lambda: np.zeros(1000), "integers": lambda: np.zeros(3, dtype=np.int8), "readonly": readonly,
    "gaps": lambda: np.zeros(6)[::2], "matrix": lambda: np.zeros((2, 3)), "turned": lambda: np.zeros((3, 2)).T,
    "negative": lambda: -1, "huge": lambda: 2**31 - 1, "beyond": lambda: 2**70, "nan": lambda: float("nan"),
    "empty": lambda: np.zeros(0), "big matrix": lambda: np.zeros((40, 40)),
}


@pytest.fixture(scope="module")
def world():
    return models.both("tree")[0]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_nonsense_is_refused_or_harmless(name, value, world, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name in HARMLESS:
        return
    model, _ = world
    data = ligament.MjData(model)
    ligament.mj_forward(model, data)
    function = getattr(ligament, name)
    arguments = {}
    for parameter in inspect.signature(function).parameters:
        arguments[parameter] = {"m": model, "d": data}.get(parameter, VALUES[value]())
    if name in ("mju_Halton", "mj_step") and value in ("huge", "beyond"):
        return  # a legal number of rounds that would take hours
    try:
        function(**arguments)
    except EXPECTED as error:
        assert "panic" not in str(error).lower()


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if {"m", "d"} <= set(inspect.signature(
    getattr(ligament, n)).parameters)])
def test_states_of_other_models_are_refused(name, world):
    model, _ = world
    (_, stranger), _ = models.both("flex")
    arguments = {}
    for parameter in list(inspect.signature(getattr(ligament, name)).parameters)[2:]:
        arguments[parameter] = 0
    if name.startswith("mj_print"):
        return
    with pytest.raises(EXPECTED):
        getattr(ligament, name)(model, stranger, **arguments)
    ligament.mj_forward(stranger.model, stranger)


def test_inconsistent_models_are_errors(capfd):
    """A model whose indices were overwritten ends a step with an exception."""
    (model, data), _ = models.both("tree")
    model.geom_bodyid[:] = 10**6
    model.jnt_qposadr[:] = 10**6
    with pytest.raises(ligament.FatalError, match="inconsistent"):
        ligament.mj_step(model, data)
    capfd.readouterr()


@pytest.mark.parametrize("call", [
    lambda m, d: ligament.mj_jacBody(m, d, np.zeros((3, m.nv + 1)), None, 0),
    lambda m, d: ligament.mj_jacBody(m, d, np.zeros((3, m.nv), dtype=np.float32), None, 0),
    lambda m, d: ligament.mj_jacBody(m, d, np.zeros((m.nv, 3)).T, None, 0),
    lambda m, d: ligament.mj_jacBody(m, d, np.zeros((3, 2 * m.nv))[:, ::2], None, 0),
    lambda m, d: ligament.mj_mulM(m, d, np.zeros(m.nv), np.zeros(m.nv + 1)),
    lambda m, d: ligament.mj_mulM(m, d, [0.0] * m.nv, np.zeros(m.nv)),
    lambda m, d: ligament.mju_rotVecQuat(np.zeros(4), [1, 2, 3], [1, 0, 0, 0]),
    lambda m, d: ligament.mju_add(np.zeros(3), np.zeros(1), np.zeros(3)),
    lambda m, d: ligament.mju_zero3(np.zeros(5)),
    lambda m, d: ligament.mju_mulMatVec(np.zeros(2), np.zeros((2, 3)), np.zeros(2)),
    lambda m, d: ligament.mju_copy(readonly(), np.zeros(3)),
    lambda m, d: ligament.mju_cholFactor(np.zeros((2, 3)), 0),
    lambda m, d: ligament.mj_fullM(m, np.zeros((m.nv, m.nv)), np.zeros(m.nM + 1)),
])
def test_wrong_shapes_are_type_errors(call, world):
    with pytest.raises(TypeError):
        call(*world)
