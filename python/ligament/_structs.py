"""MjModel and MjData: attribute access over native memory."""

import numpy as np

from ligament import _core
from ligament._named import model_views, data_views

_MODEL_ARRAYS = frozenset(_core.MjModel._field_names())
_DATA_ARRAYS = dict(_core.MjData._field_names())
_DATA_SCALARS = frozenset(_core.MjData._scalar_names())
_CONTACT_FIELDS = ("H", "dim", "dist", "efc_address", "elem", "exclude", "flex", "frame", "friction", "geom",
                   "geom1", "geom2", "includemargin", "mu", "pos", "solimp", "solref", "solreffriction", "vert")


class _Visual:
    """``model.vis``: six groups of settings."""

    def __init__(self, model):
        self.global_ = model._group("vis.global")
        self.quality = model._group("vis.quality")
        self.headlight = model._group("vis.headlight")
        self.map = model._group("vis.map")
        self.scale = model._group("vis.scale")
        self.rgba = model._group("vis.rgba")

    def __repr__(self):
        return "\n".join(f"{name}: {value!r}" for name, value in vars(self).items())


class MjModel(_core.MjModel):
    """A compiled model. Arrays are views: what is written into them takes effect in the next step."""

    @classmethod
    def from_xml_path(cls, filename, assets=None):
        """The model in an MJCF or URDF file; ``assets`` maps file names to contents that hide files on disk."""
        return cls(_core.MjModel._from_xml_path(str(filename), _contents(assets)))

    @classmethod
    def from_xml_string(cls, xml, assets=None):
        """The model in a text; ``assets`` maps names of files it refers to to their contents."""
        return cls(_core.MjModel._from_xml_string(xml, _contents(assets)))

    @classmethod
    def from_binary_path(cls, filename, assets=None):
        """The model in a binary file made by ``mj_saveModel``."""
        if assets and filename in assets:
            data = assets[filename]
        else:
            try:
                with open(filename, "rb") as file:
                    data = file.read()
            except OSError as error:
                raise ValueError(f"Error opening file '{filename}': {error.strerror}") from error
        return cls(_core.MjModel._from_bytes(bytes(data)))

    def __getattr__(self, name):
        if name in ("opt", "stat"):
            value = self._group(name)
        elif name == "vis":
            value = _Visual(self)
        elif name == "names":
            return self._field(name).tobytes()
        elif name == "paths" or name == "text_data":
            return self._field(name).tobytes()
        else:
            value = self._field(name)
        self.__dict__[name] = value
        return value

    def __setattr__(self, name, value):
        if name in _MODEL_ARRAYS:
            getattr(self, name)[...] = value
        elif hasattr(type(self), name) or name in ("opt", "stat", "vis") or name.startswith("n"):
            raise AttributeError(f"can't set attribute '{name}'")
        else:
            super().__setattr__(name, value)

    def __dir__(self):
        return sorted({*super().__dir__(), *_core.MjModel._size_names(), *_MODEL_ARRAYS, "opt", "stat", "vis"})

    def __copy__(self):
        return type(self)(self._copy())

    def __deepcopy__(self, memo):
        return type(self)(self._copy())

    def __reduce__(self):
        return _unpickle_model, (self._to_bytes(),)


def _contents(assets):
    return {name: bytes(data) for name, data in (assets or {}).items()}


def _unpickle_model(data):
    return MjModel(_core.MjModel._from_bytes(data))


model_views(MjModel)


class MjContact:
    """One contact, with the values it had when it was looked up."""

    __slots__ = _CONTACT_FIELDS

    def __init__(self, **fields):
        for name in _CONTACT_FIELDS:
            setattr(self, name, fields.get(name))

    def __repr__(self):
        lines = "\n".join(f"  {name}: {getattr(self, name)!r}" for name in _CONTACT_FIELDS)
        return f"<MjContact\n{lines}\n>"


class _ContactList:
    """``data.contact``: columns over all contacts (``contact.dist``) or single contacts (``contact[0].dist``)."""

    def __init__(self, data):
        self._data = data

    def __len__(self):
        return self._data.ncon

    def __getattr__(self, name):
        if name not in _CONTACT_FIELDS:
            raise AttributeError(f"contacts have no attribute '{name}'")
        return self._data._contact_field(name)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        index = index + len(self) if index < 0 else index
        if not 0 <= index < len(self):
            raise IndexError("contact index out of range")
        return MjContact(**{name: self._data._contact_field(name)[index] for name in _CONTACT_FIELDS})

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __repr__(self):
        return "<contacts\n" + "\n".join(f"  {name}: {getattr(self, name)!r}" for name in _CONTACT_FIELDS) + "\n>"


class _Stats:
    """A list of small records, seen by column or by item."""

    def __init__(self, length, columns):
        self._length = length
        for name, values in columns.items():
            setattr(self, name, values)
        self._columns = columns

    def __len__(self):
        return self._length

    def __getitem__(self, index):
        index = range(self._length)[int(index)]
        return _Stats(1, {name: values[index] for name, values in self._columns.items()})

    def __iter__(self):
        return (self[i] for i in range(self._length))

    def __repr__(self):
        return "<" + ", ".join(f"{name}: {values!r}" for name, values in self._columns.items()) + ">"


class MjData(_core.MjData):
    """The state of one simulation. Arrays of fixed size are views; contacts and constraint rows are copies."""

    def __new__(cls, model):
        self = _core.MjData.__new__(cls, model)
        self.__dict__["model"] = model
        return self

    def __copy__(self):
        other = type(self)(self.model)
        other._assign(self)
        return other

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        arrays = {name: np.array(getattr(self, name)) for name, dynamic in _DATA_ARRAYS.items() if not dynamic}
        return _unpickle_data, (self.model, self.time, arrays)

    def __getattr__(self, name):
        if name == "contact":
            return _ContactList(self)
        if name == "warning":
            return _Stats(8, {k: np.array(self._warning_field(k), dtype=np.int32) for k in ("lastinfo", "number")})
        if name == "timer":
            duration, number = self._timers()
            return _Stats(len(number), {"duration": np.array(duration), "number": np.array(number, dtype=np.int32)})
        if name == "solver":
            names = ("improvement", "gradient", "lineslope", "nactive", "nchange", "neval", "nupdate")
            columns = {k: np.array(self._solver_field(k), dtype=np.int32 if k.startswith("n") else float) for k in names}
            return _Stats(len(columns["neval"]), columns)
        value = self._field(name)
        if not _DATA_ARRAYS.get(name, True):
            self.__dict__[name] = value
        return value

    def __setattr__(self, name, value):
        if name in _DATA_ARRAYS:
            if _DATA_ARRAYS[name]:
                raise AttributeError(f"'{name}' is computed in every step and can't be set")
            getattr(self, name)[...] = value
        elif name in ("energy", "solver_fwdinv"):
            getattr(self, name)[...] = value
        elif name == "time":
            _core.MjData.time.__set__(self, value)
        elif name in _DATA_SCALARS:
            raise AttributeError(f"can't set attribute '{name}'")
        else:
            super().__setattr__(name, value)

    def __dir__(self):
        return sorted({*super().__dir__(), *_DATA_ARRAYS, *_DATA_SCALARS, "contact", "warning", "timer", "solver"})


def _unpickle_data(model, time, arrays):
    """A state with the pickled arrays; contacts and constraint rows are computed anew by the next forward pass."""
    data = MjData(model)
    for name, values in arrays.items():
        getattr(data, name)[...] = values
    data.time = time
    return data


data_views(MjData)
