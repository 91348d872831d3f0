"""MuJoCo's functions. Those that need no Python of their own come straight from the native module."""

from ligament import _core
from ligament._core import FatalError

__all__ = ["FatalError", "UnexpectedError", "mj_id2name", "mj_name2id", "mj_version", "mj_versionString"]


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


for _name in dir(_core):
    if _name.startswith(("mj_", "mju_", "mjd_")):
        globals()[_name] = getattr(_core, _name)
        __all__.append(_name)
