"""The structures of models and states, from the tables they are made of."""

import numpy as np

from ligament import _core
from ligament._records import MjContact, MjLROpt, MjSolverStat, MjTimerStat, MjWarningStat
from ligament._settings import MjOption, MjStatistic
from ligament.introspect.ast_nodes import ArrayType, PointerType, StructDecl, StructFieldDecl, ValueType

_C_TYPES = {"float64": "mjtNum", "float32": "float", "int32": "int", "int64": "mjtSize", "uint64": "uintptr_t",
            "uint8": "mjtByte"}
_TEXTS = ("names", "text_data", "paths")


def _array(name, scalar, extents, width, doc):
    """An array of a model or a state."""
    kind = "char" if name in _TEXTS else _C_TYPES[scalar]
    return StructFieldDecl(name, PointerType(ValueType(kind)), doc, (*extents, *(() if width is None else (width,))))


def _plain(name, dtype, width, doc):
    """A number, or an array inside the structure."""
    kind = ValueType(_C_TYPES[np.dtype(dtype).name])
    return StructFieldDecl(name, kind if width is None else ArrayType(kind, (width,)), doc)


def _model():
    docs = dict(_core.MjModel._docs())
    sizes = [StructFieldDecl(name, ValueType("mjtSize"), docs[name]) for name in _core.MjModel._size_names()]
    groups = [StructFieldDecl(name, ValueType(kind), doc) for name, kind, doc in (
        ("opt", "mjOption", "physics options"), ("vis", "mjVisual", "visualization options"),
        ("stat", "mjStatistic", "model statistics"))]
    return [*sizes, *groups, *(_array(*row) for row in _core.MjModel._table())]


def _data():
    docs = dict(_core.MjData._docs())
    scalars = [StructFieldDecl(name, ValueType("mjtNum" if name == "time" else "int"), docs[name])
               for name in _core.MjData._scalar_names()]
    return [*scalars, *(_array(*row) for row in _core.MjData._table())]


def _settings(kind):
    group = kind()
    for name in group._fields():
        value = np.asarray(getattr(group, name))
        yield _plain(name, value.dtype if value.dtype != np.int64 else np.int32, value.size if value.ndim else None, "")


def _record(kind):
    return [_plain(name, dtype, width, "") for name, (dtype, width) in kind._FIELDS.items()]


STRUCTS = {name: StructDecl(name, f"struct {name}_", tuple(fields)) for name, fields in (
    ("mjModel", _model()), ("mjData", _data()), ("mjOption", _settings(MjOption)),
    ("mjStatistic", _settings(MjStatistic)), ("mjContact", _record(MjContact)), ("mjLROpt", _record(MjLROpt)),
    ("mjSolverStat", _record(MjSolverStat)), ("mjTimerStat", _record(MjTimerStat)),
    ("mjWarningStat", _record(MjWarningStat)))}
