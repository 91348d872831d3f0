"""MuJoCo's functions. Those that need no Python of their own come straight from the native module."""

from ligament import _core
from ligament._core import FatalError

__all__ = ["FatalError", "UnexpectedError", "mj_id2name", "mj_name2id", "mj_version", "mj_versionString",
           "mj_saveModel", "mj_sizeModel", "mj_saveLastXML", "mj_copyData", "mj_resetCallbacks"]


class UnexpectedError(Exception):
    """An error that nobody expected."""


def mj_id2name(m, type, id):
    """Name of the element with this id, or None."""
    return m._name(int(type), int(id))


def mj_name2id(m, type, name):
    """Id of the element with this name, or -1."""
    return m._id(int(type), name)


def mj_version():
    """Version of the reference that this package follows."""
    return 350


def mj_versionString():
    return "3.5.0"


def mj_saveModel(m, filename=None, buffer=None):
    """Saves a model as a binary file, or into a writable buffer."""
    data = m._to_bytes()
    if buffer is not None:
        view = memoryview(buffer).cast("B")
        if len(view) < len(data):
            raise ValueError(f"buffer has {len(view)} bytes, the model needs {len(data)}")
        view[:len(data)] = data
    else:
        with open(filename, "wb") as file:
            file.write(data)


def mj_sizeModel(m):
    """Number of bytes that mj_saveModel writes."""
    return len(m._to_bytes())


def mj_saveLastXML(filename, m):
    """Saves the specification a model was compiled from as MJCF."""
    text = m._xml()
    try:
        with open(filename, "w") as file:
            file.write(text)
    except OSError as error:
        raise FatalError(f"could not write '{filename}': {error.strerror}") from error


def mj_copyData(dest, m, src):
    """Copies a whole simulation state."""
    dest._assign(src)
    return dest


def _hooks(name):
    def setter(function):
        _core._set_callback(name, function)

    def getter():
        return _core._get_callback(name)

    setter.__name__, getter.__name__ = f"set_mjcb_{name}", f"get_mjcb_{name}"
    setter.__doc__ = f"Installs the global mjcb_{name} function; None removes it."
    return setter, getter


for _name in ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter", "time"):
    for _function in _hooks(_name):
        globals()[_function.__name__] = _function
        __all__.append(_function.__name__)


def mj_resetCallbacks():
    """Removes all global mjcb functions."""
    for name in ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter", "time"):
        _core._set_callback(name, None)


for _name in dir(_core):
    if _name.startswith(("mj_", "mju_", "mjd_")):
        globals()[_name] = getattr(_core, _name)
        __all__.append(_name)
