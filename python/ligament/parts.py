"""Exchangeable parts of a model: force laws of one's own, and those of the engine by name.

A part computes in MuJoCo's place for the elements that have it; all others stay as they are. See docs/parts.md.
"""

from ligament import _core

__all__ = ["set_gain", "set_bias", "set_part", "clear_part", "parts"]


def _ids(model, actuators):
    names = [actuators] if isinstance(actuators, (str, int)) else actuators
    return [model.actuator(name).id if isinstance(name, str) else int(name) for name in names]


def set_gain(model, actuators, function, slope=None, name="python"):
    """Lets a function compute the forces of actuators in place of gain times input; their biases come on top.

    ``function(length, velocity, input)`` gets one array each, with one entry for each actuator of the call, and returns
    their forces. ``slope``, with the same arguments, returns the derivative by velocity for the implicit integrators;
    without it finite differences are taken. ``name`` is what a saved model asks for.
    """
    _core._set_actuator_function(model, "gain", _ids(model, actuators), function, slope, name)


def set_bias(model, actuators, function, slope=None, name="python"):
    """As :func:`set_gain`, in place of the bias."""
    _core._set_actuator_function(model, "bias", _ids(model, actuators), function, slope, name)


def set_part(model, slot, element, name, parameters=()):
    """Gives an element a part of the engine: ``set_part(m, "gain", 0, "series_elastic", [1000, 10, 50])``.

    Slots are ``bending`` and ``elasticity`` (of flexes), ``gain`` and ``bias`` (of actuators), ``solver`` (element 0).
    """
    _core._set_part(model, slot, element, name, list(map(float, parameters)))


def clear_part(model, slot, element=0):
    """Gives an element MuJoCo's part again."""
    _core._set_part(model, slot, element, None, [])


def parts(model):
    """All parts that are not MuJoCo's: a list of (slot, element, name, parameters)."""
    return _core._parts(model)
