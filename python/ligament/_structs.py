"""MjModel and MjData: attribute access over native memory."""

import numpy as np

from ligament import _core
from ligament._named import data_views, model_views
from ligament._records import (MjContact, MjLROpt, MjSolverStat, MjTimerStat, MjWarningStat, _MjContactList,
                               _MjSolverStatList, _MjTimerStatList, _MjWarningStatList)
from ligament._settings import MjOption, MjStatistic, MjVisual, MjVisualHeadlight, MjVisualRgba

__all__ = ["MjContact", "MjData", "MjLROpt", "MjModel", "MjOption", "MjSolverStat", "MjStatistic", "MjTimerStat",
           "MjVisual", "MjVisualHeadlight", "MjVisualRgba", "MjWarningStat"]

_MODEL_ARRAYS = frozenset(_core.MjModel._field_names())
_MODEL_SIZES = frozenset(_core.MjModel._size_names())
_MODEL_BYTES = frozenset(("names", "paths", "text_data"))
_DATA_ARRAYS = dict(_core.MjData._field_names())
_DATA_SCALARS = frozenset(_core.MjData._scalar_names())
# Views of more integers than this are not kept by a model.
_KEPT_INTEGERS = 4096
_SETTINGS = {"opt": MjOption._of, "stat": MjStatistic._of, "vis": MjVisual}
_LISTS = {"contact": _MjContactList, "warning": _MjWarningStatList, "timer": _MjTimerStatList,
          "solver": _MjSolverStatList}
_SMALL_ARRAYS = ("energy", "solver_fwdinv", "solver_niter", "solver_nnz")
# What the reference keeps for its arena and its threads; there is neither, so these are constant.
_ABSENT = {"maxuse_arena": 0, "maxuse_stack": 0, "narena": 0, "nbuffer": 0, "parena": 0, "pbase": 0, "pstack": 0,
           "threadpool": 0}


class MjModel(_core.MjModel):
    """A compiled model. Arrays are views: what is written into them takes effect in the next step."""

    @classmethod
    def from_xml_path(cls, filename, assets=None):
        """The model in an MJCF or URDF file; ``assets`` maps file names to contents that hide files on disk."""
        return cls(_core.MjModel._from_xml_path(str(filename), file_contents(assets)))

    @classmethod
    def from_xml_string(cls, xml, assets=None):
        """The model in a text; ``assets`` maps names of files it refers to to their contents."""
        text = xml.decode() if isinstance(xml, bytes) else xml
        return cls(_core.MjModel._from_xml_string(text, file_contents(assets)))

    @classmethod
    def from_binary_path(cls, filename, assets=None):
        """The model in a binary file, one of MuJoCo 3.5.0 (.mjb) or of Ligament (.lig)."""
        if assets and filename in assets:
            data = assets[filename]
        else:
            try:
                with open(filename, "rb") as file:
                    data = file.read()
            except OSError as error:
                raise ValueError(f"Error opening file '{filename}': {error.strerror}") from error
        return cls(_core.MjModel._from_bytes(bytes(data), str(filename)))

    def __setattr__(self, name, value):
        if name in _MODEL_BYTES or name in _MODEL_SIZES or name in _SETTINGS or name == "signature":
            raise AttributeError(f"property of 'MjModel' object has no setter: '{name}'")
        if name in _MODEL_ARRAYS:
            getattr(self, name)[...] = value
        else:
            _set_own(self, MjModel, name, value)

    @property
    def _sizes(self):
        return np.array([getattr(self, name) for name in self._size_fields], dtype=np.int64)

    @property
    def _size_fields(self):
        return tuple(_core.MjModel._size_names())

    @property
    def _all_fields(self):
        return (*self._size_fields, *_SETTINGS, *_core.MjModel._field_names())

    def __copy__(self):
        return type(self)(self._copy())

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return _unpickle_model, (self._to_bytes(),)


def _set_own(self, cls, name, value):
    """Only classes of the user have attributes of their own: a misspelt field is an error."""
    if type(self) is cls:
        raise AttributeError(f"'{cls.__name__}' object has no attribute '{name}'")
    object.__setattr__(self, name, value)


def _looked_up(name, doc=None):
    """A property for what can be another object or number each time; everything else is kept (``Kept``)."""
    return property(lambda self: self._field(name), doc=doc)


class Kept:
    """An attribute that is found when it is first asked for and then kept in the object, where Python looks first.

    Programs that read the class (``dir``, ``__dict__``) see it there, as they see the properties of the reference.
    """

    def __init__(self, name, find, doc=None):
        self.__name__, self._find, self.__doc__ = name, find, doc

    def __get__(self, owner, cls):
        if owner is None:
            return self
        value = owner.__dict__[self.__name__] = self._find(owner)
        return value


def _kept_field(name, doc):
    return Kept(name, lambda owner: owner._field(name), doc)


class KeptIfSmall(Kept):
    """An array of integers of a model. While a view of one exists it is compared before every step, so that views of
    large ones are not kept by the model."""

    def __get__(self, owner, cls):
        if owner is None:
            return self
        value = self._find(owner)
        if value.size <= _KEPT_INTEGERS:
            owner.__dict__[self.__name__] = value
        return value


def _fill_model_class():
    docs = dict(_core.MjModel._docs())
    for name in _MODEL_SIZES:
        setattr(MjModel, name, _looked_up(name, docs.get(name)))
    MjModel.signature = _looked_up("signature", "identifies the structure the model was compiled from")
    integers = {row[0] for row in _core.MjModel._table() if row[1].startswith("int")}
    for name in _MODEL_ARRAYS - _MODEL_BYTES:
        kind = KeptIfSmall if name in integers else Kept
        setattr(MjModel, name, kind(name, lambda owner, name=name: owner._field(name), docs.get(name)))
    for name in _MODEL_BYTES:
        setattr(MjModel, name, Kept(name, lambda m, name=name: m._field(name).tobytes(), docs.get(name)))
    for name, make in _SETTINGS.items():
        setattr(MjModel, name, Kept(name, make))


_fill_model_class()


def file_contents(assets, unique=True):
    """Files given as a mapping from name to content; two files of the same last name could hide each other."""
    files = {str(name): bytes(data, "utf-8") if isinstance(data, str) else bytes(data)
             for name, data in (assets or {}).items()}
    seen = set()
    for name in files if unique else ():
        last = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
        if last in seen:
            raise ValueError(f"Repeated file name in assets dict: {last}")
        seen.add(last)
    return files


def _unpickle_model(data):
    return MjModel(_core.MjModel._from_bytes(data, "pickle"))


model_views(MjModel)


class MjData(_core.MjData):
    """The state of one simulation.

    Arrays are views. Those whose length changes from step to step (contacts, constraint rows) show the state until
    the next call that changes it, and what they showed then from there on.
    """

    def __new__(cls, model):
        self = _core.MjData.__new__(cls, model)
        self.__dict__["_model"] = model
        return self

    def __copy__(self):
        return self._copy_for(self.model)

    def __deepcopy__(self, memo):
        return self._copy_for(self.model.__deepcopy__(memo))

    def _copy_for(self, model):
        other = type(self)(model)
        other._assign(self)
        return other

    def __reduce__(self):
        arrays = {name: np.array(getattr(self, name)) for name in (*_DATA_ARRAYS, *_SMALL_ARRAYS)}
        scalars = {name: getattr(self, name) for name in _DATA_SCALARS}
        records = {kind: {name: np.array(getattr(getattr(self, kind), name)) for name in _LISTS[kind]._RECORD._FIELDS}
                   for kind in _LISTS}
        return _unpickle_data, (self.model, scalars, arrays, records)

    def __setattr__(self, name, value):
        if not _DATA_ARRAYS.get(name, True) or name in _SMALL_ARRAYS:
            getattr(self, name)[...] = value
        elif name in ("time", "threads"):
            getattr(_core.MjData, name).__set__(self, value)
        elif name == "ncon":
            if not 0 <= value <= len(self.contact):
                raise ValueError(f"there are {len(self.contact)} contacts: ncon can only be made smaller")
            self._set_lists({}, value)
            self._restore_scalar(name, value)
        elif name in _DATA_SCALARS:
            self._set_scalar(name, value)
        elif name in _DATA_ARRAYS or name in _LISTS or name in ("model", "signature"):
            raise AttributeError(f"property of 'MjData' object has no setter: '{name}'")
        else:
            _set_own(self, MjData, name, value)

    @property
    def _all_fields(self):
        return (*_core.MjData._scalar_names(), *_DATA_ARRAYS, *_SMALL_ARRAYS, *_LISTS)

    @property
    def model(self):
        """The model the state was made for."""
        return self.__dict__["_model"]

    @property
    def signature(self):
        """Identifies the structure of the model."""
        return self._model.signature

    @property
    def nplugin(self):
        """Number of plugin instances."""
        return self._model.nplugin

    @property
    def contact(self):
        """The contacts, as they are now."""
        return _MjContactList._counted(self._contact_field, self._contact_count, self._contact_number)


def _fill_data_class():
    docs = dict(_core.MjData._docs())
    for name in _DATA_SCALARS - {"time"}:
        setattr(MjData, name, _looked_up(name, docs.get(name)))
    MjData.time = _core.MjData.time
    for name, dynamic in _DATA_ARRAYS.items():
        setattr(MjData, name, (_looked_up if dynamic else _kept_field)(name, docs.get(name)))
    for name in _SMALL_ARRAYS:
        setattr(MjData, name, Kept(name, lambda d, name=name: d._small(name), docs.get(name)))
    for name in ("warning", "timer", "solver"):
        setattr(MjData, name, Kept(name, lambda d, name=name: _LISTS[name](_fixed_columns(d, name))))
    for name, value in _ABSENT.items():
        setattr(MjData, name, property(lambda self, value=value: value))
    MjData.maxuse_threadstack = Kept("maxuse_threadstack", lambda d: np.zeros(128, dtype=np.uint64))


_fill_data_class()


def _fixed_columns(data, kind):
    """Columns of a list that never moves, without a reference to the state object."""
    field = getattr(data, f"_{kind}_field")
    return {name: field(name) for name in _LISTS[kind]._RECORD._FIELDS}.__getitem__


def _unpickle_data(model, scalars, arrays, records):
    data = MjData(model)
    dynamic = {name: len(values) for name, values in arrays.items() if _DATA_ARRAYS.get(name)}
    data._set_lists(dynamic, len(records["contact"]["dist"]))
    for name, value in scalars.items():
        data._restore_scalar(name, value)
    for name, values in arrays.items():
        if len(values):
            getattr(data, name)[...] = values
    for kind, columns in records.items():
        for name, values in columns.items():
            getattr(getattr(data, kind), name)[...] = values
    return data


data_views(MjData)
