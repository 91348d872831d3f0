"""Fields that a batch gives per simulation: their names, their arrays, and why a name is not among them."""

import difflib

import numpy as np

from ligament import _core

_COUNTS = ("nA", "nJ", "ncon", "ne", "nefc", "nf", "nidof", "nisland", "nl")
STATE_FIELDS = ("time", "qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied",
                "eq_active", "mocap_pos", "mocap_quat", "userdata", "plugin_state")
DATA_FIELDS = frozenset((*_core._Batch.result_names(), *STATE_FIELDS))
MODEL_FIELDS = frozenset(_core._Batch.parameter_names())

_LISTS = frozenset(name for name, dynamic in _core.MjData._field_names() if dynamic) | {"contact"}
_SCALARS = frozenset(_core.MjData._scalar_names()) | {"pstack", "pbase", "parena", "maxuse_stack", "maxuse_arena",
                                                      "narena", "nbuffer", "threadpool"}
_ASSETS = frozenset(_core.MjModel._field_names()) - MODEL_FIELDS
_TRAILING = {"xfrc_applied": 6, "mocap_pos": 3, "mocap_quat": 4}


class Rows(np.ndarray):
    """A read-only array whose memory can still be lent to other libraries, which have no word for read-only."""

    def __array_wrap__(self, array, context=None, return_scalar=False):
        return array[()] if array.ndim == 0 else array.view(np.ndarray)  # what is computed from it is an array like others

    def copy(self, order="C"):
        """A plain array of its own."""
        return np.array(self, order=order)

    def __dlpack__(self, **options):
        alias = self.view(np.ndarray)
        if not alias.flags.writeable:
            alias.flags.writeable = True
        return alias.__dlpack__(**options)


def read_only(array):
    """A view that refuses to be written."""
    view = array.view(Rows)
    view.flags.writeable = False
    return view


def state_part(model, name, columns):
    """Columns of the state rows, in the shape of the field."""
    if name == "time":
        return columns[:, 0]
    width = _TRAILING.get(name)
    return columns if width is None else columns.reshape(len(columns), columns.shape[1] // width, width)


def is_structural(name, values):
    """Whether a field holds ids, addresses, counts or kinds, which are the same in every simulation."""
    return np.issubdtype(np.asarray(values).dtype, np.integer) and _core._Batch.is_structural(name)


def did_you_mean(name, names):
    """A hint at a similar name, or ''."""
    close = difflib.get_close_matches(name, sorted(names), 1)
    return f"; did you mean '{close[0]}'?" if close else ""


def why_not_bound(name):
    """Why a field of MjData cannot be bound."""
    if name in MODEL_FIELDS:
        return f"'{name}' is a field of MjModel: use expand('{name}')"
    if f"opt.{name}" in MODEL_FIELDS:
        return f"'{name}' is a field of MjOption: use expand('opt.{name}')"
    if name in _LISTS:
        return f"'{name}' changes its length from step to step (in MuJoCo it is in the arena) and cannot be bound"
    if name in _SCALARS:
        return f"'{name}' cannot be bound; scalars bind() accepts: {', '.join(sorted(_COUNTS))}, time"
    if name in _ASSETS:
        return f"'{name}' is asset data of the model, which all simulations share"
    return f"'{name}' is not a field of MjData{did_you_mean(name, DATA_FIELDS)}"


def why_not_expanded(name):
    """Why a field of MjModel cannot be expanded."""
    if f"opt.{name}" in MODEL_FIELDS:
        return f"'{name}' is a field of MjOption: use expand('opt.{name}')"
    if name in DATA_FIELDS:
        return f"'{name}' is a field of MjData: use bind('{name}')"
    if name in _ASSETS:
        return f"'{name}' is asset data, which all simulations share"
    return f"'{name}' is not a field of MjModel{did_you_mean(name, MODEL_FIELDS)}"


def output_message(name):
    """Why a derived field cannot be assigned."""
    return f"'{name}' is computed by every call, a value written to it would be lost"


def integers(value, name, lowest, limit):
    """Integers within bounds, as an array; nothing is rounded or wrapped."""
    array = np.asarray(value)
    if array.dtype == bool or not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{name} must be an integer, got {value!r}")
    outside = array[(array < lowest) | (array >= limit)]
    if outside.size:
        raise ValueError(f"{name} must be in [{lowest}, {limit}), got {outside.flat[0]}")
    return array.astype(np.int64)


def ids_of(ids, nsim):
    """Rising ids of simulations as int32, from ids or a mask; None for all of them."""
    if ids is None:
        return None
    array = np.asarray(ids)
    if array.ndim != 1:
        raise ValueError(f"ids must be one-dimensional, got shape {array.shape}")
    if array.dtype == bool:
        if len(array) != nsim:
            raise ValueError(f"a mask must have {nsim} entries, got {len(array)}")
        return None if array.all() else np.flatnonzero(array).astype(np.int32)
    if array.size == 0:
        return np.zeros(0, np.int32)
    array = integers(array, "ids", 0, nsim)
    falls = np.flatnonzero(np.diff(array) <= 0)
    if falls.size:
        raise ValueError(f"ids must rise, got {array[falls[0]]} before {array[falls[0] + 1]}")
    return array.astype(np.int32)
