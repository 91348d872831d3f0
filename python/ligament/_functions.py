"""MuJoCo's functions. Those that need no Python of their own come straight from the native module."""

import datetime
import math
import os
import random

import numpy as np

from ligament import _core
from ligament._arguments import shaped
from ligament._constants import mjVERSION_HEADER
from ligament._core import FatalError
from ligament._enums import mjtWarning
from ligament._records import MjContact
from ligament._settings import MjOption, MjVisual

__all__ = ["FatalError", "UnexpectedError", "mj_id2name", "mj_name2id", "mj_version", "mj_versionString",
           "mj_saveModel", "mj_sizeModel", "mj_saveLastXML", "mj_copyData", "mj_resetCallbacks", "mj_addContact",
           "mj_defaultLROpt", "mj_defaultOption", "mj_defaultSolRefImp", "mj_defaultVisual", "mj_setLengthRange",
           "mju_standardNormal", "mju_raySkin", "mju_warningText", "mju_writeLog", "mj_getCache", "mj_getCacheSize",
           "mj_getCacheCapacity", "mj_setCacheCapacity", "mj_clearCache", "mj_loadPluginLibrary",
           "mj_loadAllPluginLibraries", "mju_getXMLDependencies"]


class UnexpectedError(Exception):
    """An error that nobody expected."""


def text(value, name):
    """A text that may be given as bytes."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bytes, bytearray)):
        return value.decode()
    raise TypeError(f"{name} should be text")


def mj_id2name(m, type, id):
    """Name of the element with this id, or None."""
    return m._name(int(type), int(id))


def mj_name2id(m, type, name):
    """Id of the element with this name, or -1."""
    return m._id(int(type), text(name, "name"))


def mj_version():
    """Version of the reference that this package follows."""
    return mjVERSION_HEADER


def mj_versionString():
    """Version of the reference that this package follows, as text."""
    return "3.5.0"


def mj_saveModel(m, filename=None, buffer=None):
    """Saves a model as a binary file that MuJoCo 3.5.0 reads too, or into a writable buffer.

    A file name that ends in .lig asks for Ligament's own format.
    """
    data = m._to_bytes() if str(filename).endswith(".lig") else m._to_mjb()
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
    return len(m._to_mjb())


def mj_saveLastXML(filename, m):
    """Saves a model as MJCF: what it was compiled from, with the numbers that were changed since."""
    text = m._edited_xml()
    try:
        with open(filename, "w") as file:
            file.write(text)
    except OSError as error:
        raise FatalError(f"could not write '{filename}': {error.strerror}") from error


def mj_copyData(dest, m, src):
    """Copies a whole simulation state."""
    dest._assign(src)


def mj_addContact(m, d, con):
    """Appends a contact to those of a state; returns 0, since there is always room for one more."""
    if not isinstance(con, MjContact):
        raise TypeError("con should be an MjContact")
    values = {name: np.copy(value) for name, value in con._values().items()}
    _core._append_contact(m, d)
    columns = d.contact
    for name, value in values.items():
        getattr(columns, name)[-1] = value
    return 0


def mj_defaultLROpt(opt):
    """Sets length-range options to their defaults."""
    opt._set({"mode": 1, "useexisting": 1, "uselimit": 0, "accel": 20, "maxforce": 0, "timeconst": 1,
              "timestep": 0.01, "inttotal": 10, "interval": 2, "tolrange": 0.05})


def mj_defaultOption(opt):
    """Sets simulation options to their defaults."""
    opt._assign(MjOption())


def mj_defaultVisual(vis):
    """Sets visual options to their defaults."""
    vis._assign(MjVisual())


@shaped("w[2] w[5]")
def mj_defaultSolRefImp(solref, solimp):
    """Sets solver parameters to their defaults."""
    solref[...] = (0.02, 1)
    solimp[...] = (0.9, 0.95, 0.001, 0.5, 2)


def mj_setLengthRange(m, d, index, opt):
    """Sets the length range of an actuator."""
    numbers = [opt.accel, opt.maxforce, opt.timeconst, opt.timestep, opt.inttotal, opt.interval, opt.tolrange]
    _core._set_length_range(m, d, index, opt.mode, bool(opt.useexisting), bool(opt.uselimit), numbers)


def mju_standardNormal(num2=None):
    """A normally distributed random number; a second, independent one is written to ``num2`` if it is an array."""
    radius, angle = math.sqrt(-2 * math.log(1 - random.random())), 2 * math.pi * random.random()
    if isinstance(num2, np.ndarray):
        num2[...] = radius * math.sin(angle)
    return radius * math.cos(angle)


def mju_raySkin(nface, nvert, face, vert, pnt, vec, vertid):
    """Distance along a ray to the nearest triangle, -1 if it hits none; ``vertid`` gets its vertex nearest to the hit."""
    corners = np.asarray(vert, dtype=float).reshape(-1, 3)[:nvert][np.asarray(face).reshape(-1, 3)[:nface]]
    pnt, vec = np.asarray(pnt, dtype=float), np.asarray(vec, dtype=float)
    best, nearest = -1.0, -1
    for triangle, ids in zip(corners, np.asarray(face).reshape(-1, 3)):
        system = np.column_stack((triangle[1] - triangle[0], triangle[2] - triangle[0], -vec))
        if abs(np.linalg.det(system)) < 1e-15:
            continue
        u, v, distance = np.linalg.solve(system, pnt - triangle[0])
        if u >= 0 and v >= 0 and u + v <= 1 and distance >= 0 and (best < 0 or distance < best):
            best = float(distance)
            nearest = ids[np.argmin(np.linalg.norm(triangle - (pnt + distance * vec), axis=1))]
    if vertid is not None and nearest >= 0:
        vertid[0] = nearest
    return best


_WARNINGS = {
    mjtWarning.mjWARN_INERTIA: "Inertia matrix is too close to singular at DOF {}. Check model.",
    mjtWarning.mjWARN_CONTACTFULL: "Too many contacts. The arena memory is full, increase arena memory allocation."
                                   "(ncon = {})",
    mjtWarning.mjWARN_CNSTRFULL: "Insufficient arena memory for the number of constraints generated. Increase arena "
                                 "memory allocation above {} bytes.",
    mjtWarning.mjWARN_VGEOMFULL: "Pre-allocated visual geom buffer is full. Increase maxgeom above {}.",
    mjtWarning.mjWARN_BADQPOS: "Nan, Inf or huge value in QPOS at DOF {}. The simulation is unstable.",
    mjtWarning.mjWARN_BADQVEL: "Nan, Inf or huge value in QVEL at DOF {}. The simulation is unstable.",
    mjtWarning.mjWARN_BADQACC: "Nan, Inf or huge value in QACC at DOF {}. The simulation is unstable.",
    mjtWarning.mjWARN_BADCTRL: "Nan, Inf or huge value in CTRL at ACTUATOR {}. The simulation is unstable.",
}


def mju_warningText(warning, info):
    """What a warning means."""
    return _WARNINGS[warning].format(info) if warning in _WARNINGS else f"Unknown warning type {warning}."


def mju_writeLog(type, msg):
    """Appends a line to MUJOCO_LOG.TXT."""
    with open("MUJOCO_LOG.TXT", "a") as file:
        file.write(f"{datetime.datetime.now():%c}\n{type}: {msg}\n\n")


class _Cache:
    """Assets are not kept between compilations: there is a capacity, and nothing in it."""

    capacity = 0


_CACHE = _Cache()


def mj_getCache():
    """The asset cache."""
    return _CACHE


def mj_getCacheSize(cache):
    """Bytes in the asset cache."""
    return 0


def mj_getCacheCapacity(cache):
    """Bytes that fit into the asset cache."""
    return cache.capacity


def mj_setCacheCapacity(cache, size):
    """Sets the capacity of the asset cache and returns it."""
    cache.capacity = size
    return size


def mj_clearCache(cache):
    """Empties the asset cache."""


def mj_loadPluginLibrary(path):
    """Plugins are built in; libraries with others cannot be loaded."""
    raise FatalError(f"plugin library '{path}' cannot be loaded: plugins are built in")


def mj_loadAllPluginLibraries(directory):
    """Plugins are built in; a directory with libraries of others cannot be loaded."""
    libraries = [name for name in sorted(os.listdir(os.fspath(directory))) if name.endswith((".so", ".dll", ".dylib"))]
    if libraries:
        mj_loadPluginLibrary(os.path.join(directory, libraries[0]))


def mju_getXMLDependencies(filename):
    """All files that a model file needs, itself first."""
    return _core._dependencies(os.fspath(filename))


def _realloc_con_efc(d, ncon, nefc, nJ=-1):
    """Gives a state room for so many contacts and constraint rows; what was there is lost."""
    counts = {"nefc": nefc, "nJ": d.nJ if nJ < 0 else nJ}
    table = [(name, extents[0], width or 1) for name, _, extents, width, _ in _core.MjData._table()]
    dynamic = {name for name, changes in _core.MjData._field_names() if changes}
    rows = {name: counts.get(size, 0) for name, size, _ in table if name in dynamic}
    bytes_needed = 8 * sum(rows[name] * width for name, _, width in table if name in rows) + 1024 * ncon
    try:
        np.empty(bytes_needed, dtype=np.uint8)
    except (MemoryError, ValueError):
        raise FatalError(f"Insufficient arena memory: {bytes_needed} bytes are not available") from None
    d._set_lists({name: 0 for name in rows}, 0)
    d._set_lists(rows, ncon)
    for name, value in (("ncon", ncon), *counts.items()):
        d._restore_scalar(name, value)


def _hooks(name):
    def setter(function):
        _core._set_callback(name, function)

    def getter():
        return _core._get_callback(name)

    setter.__name__, getter.__name__ = f"set_mjcb_{name}", f"get_mjcb_{name}"
    setter.__doc__ = f"Installs the global mjcb_{name} function; None removes it."
    getter.__doc__ = f"The global mjcb_{name} function, or None."
    return setter, getter


_HOOKS = ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter", "time")

for _name in _HOOKS:
    for _function in _hooks(_name):
        globals()[_function.__name__] = _function
        __all__.append(_function.__name__)


def _memory_hooks(name):
    """The reference's hooks for memory and messages. Memory is Rust's own and messages are exceptions, so that they
    are kept and never called."""
    installed = [None]

    def setter(function):
        if function is not None and not callable(function):
            raise TypeError("callback is not an Optional[Callable]")
        installed[0] = function

    def getter():
        return installed[0]

    setter.__name__, getter.__name__ = f"set_mju_user_{name}", f"get_mju_user_{name}"
    setter.__doc__ = f"Keeps a function for {name}, which is never called."
    getter.__doc__ = f"The function kept for {name}, or None."
    return setter, getter


for _name in ("free", "malloc", "warning"):
    for _function in _memory_hooks(_name):
        globals()[_function.__name__] = _function
        __all__.append(_function.__name__)


def mj_resetCallbacks():
    """Removes all global mjcb functions."""
    for name in _HOOKS:
        _core._set_callback(name, None)


for _name in dir(_core):
    if _name.startswith(("mj_", "mju_", "mjd_")):
        globals()[_name] = getattr(_core, _name)
        __all__.append(_name)
