"""Small records (contacts, warnings, timers, solver statistics), alone or in lists that belong to a state.

A record does not hold its numbers: it asks a column function for the column of a field and looks at its own row. For
records of a state the columns are views of native memory, for others they are arrays of one row. Single numbers of
contacts come without a column (``_number``), since programs ask for them one by one.
"""

import operator

import numpy as np

from ligament._arguments import whole

_CONTACT_FIELDS = {
    "H": (float, 36), "dim": (np.int32, None), "dist": (float, None), "efc_address": (np.int32, None),
    "elem": (np.int32, 2), "exclude": (np.int32, None), "flex": (np.int32, 2), "frame": (float, 9),
    "friction": (float, 5), "geom": (np.int32, 2), "geom1": (np.int32, None), "geom2": (np.int32, None),
    "includemargin": (float, None), "mu": (float, None), "pos": (float, 3), "solimp": (float, 5),
    "solref": (float, 2), "solreffriction": (float, 2), "vert": (np.int32, 2),
}


def _row_property(name, width):
    """One number or row of the column of this name."""
    if width is None:
        def get(self):
            if self._number is not None:
                return self._number(name, self._index)
            return self._column(name)[self._index].item()
    else:
        def get(self):
            return self._column(name)[self._index]
    return property(get, lambda self, value: self._assign(name, value))


def _rows(fields, count):
    columns = {name: np.zeros((count,) if width is None else (count, width), kind)
               for name, (kind, width) in fields.items()}
    if "geom1" in columns:
        columns["geom1"], columns["geom2"] = columns["geom"][:, 0], columns["geom"][:, 1]
    return columns


class Record:
    """One row of a set of columns."""

    _FIELDS = {}
    _number = None
    __hash__ = None

    def __init__(self):
        self.__dict__.update(_column=_rows(self._FIELDS, 1).__getitem__, _index=0)

    @classmethod
    def _at(cls, column, index, number=None):
        record = cls.__new__(cls)
        place = record.__dict__
        place["_column"], place["_index"], place["_number"] = column, index, number
        return record

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for name, (_, width) in cls.__dict__.get("_FIELDS", {}).items():
            setattr(cls, name, _row_property(name, width))

    def _assign(self, name, value):
        kind, width = self._FIELDS[name]
        if width is None:
            value = whole(value) if kind is np.int32 else float(value)
        self._column(name)[self._index] = value

    def __setattr__(self, name, value):
        if name not in self._FIELDS and type(self).__module__ == __name__:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        object.__setattr__(self, name, value)

    def _values(self):
        return {name: getattr(self, name) for name in self._FIELDS}

    def _set(self, values):
        for name, value in values.items():
            setattr(self, name, value)
        return self

    def __copy__(self):
        copy = type(self).__new__(type(self))
        Record.__init__(copy)
        return copy._set(self._values())

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        values = {name: np.array(value) if isinstance(value, np.ndarray) else value
                  for name, value in self._values().items()}
        return _unpickle, (type(self), values)

    def __eq__(self, other):
        if not isinstance(other, Record) or self._FIELDS is not other._FIELDS:
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self._FIELDS)

    def __repr__(self):
        lines = "\n".join(f"  {name}: {getattr(self, name)!r}" for name in self._FIELDS)
        return f"<{type(self).__name__}\n{lines}\n>"


def _unpickle(cls, values):
    return cls()._set(values)


class MjContact(Record):
    """A contact between two geoms or flexes."""

    _FIELDS = _CONTACT_FIELDS


class MjWarningStat(Record):
    """How often a warning occurred, and what the last one was about."""

    _FIELDS = {"lastinfo": (np.int32, None), "number": (np.int32, None)}


class MjTimerStat(Record):
    """Seconds and calls of a stage."""

    _FIELDS = {"duration": (float, None), "number": (np.int32, None)}


class MjSolverStat(Record):
    """One iteration of the constraint solver."""

    _FIELDS = {"gradient": (float, None), "improvement": (float, None), "lineslope": (float, None),
               "nactive": (np.int32, None), "nchange": (np.int32, None), "neval": (np.int32, None),
               "nupdate": (np.int32, None)}


class MjLROpt(Record):
    """How actuator length ranges are found."""

    _FIELDS = {"accel": (float, None), "interval": (float, None), "inttotal": (float, None),
               "maxforce": (float, None), "mode": (np.int32, None), "timeconst": (float, None),
               "timestep": (float, None), "tolrange": (float, None), "useexisting": (np.int32, None),
               "uselimit": (np.int32, None)}


class RecordList:
    """A list of records of a state, also by column: ``contact[0].dist`` and ``contact.dist``."""

    _RECORD = Record
    _count = _number = None
    __hash__ = None

    def __init__(self, column, rows=None):
        # rows: None for all there are, now and later
        place = self.__dict__
        place["_column"], place["_rows"] = column, rows

    @classmethod
    def _counted(cls, column, count, number):
        """A list whose length and numbers can be asked for without a column."""
        listed = cls(column)
        place = listed.__dict__
        place["_count"], place["_number"] = count, number
        return listed

    @property
    def _first(self):
        return next(iter(self._RECORD._FIELDS))

    def _selected(self, name):
        column = self._column(name)
        return column if self._rows is None else column[self._rows]

    def __len__(self):
        return len(self._selected(self._first)) if self._count is None else self._count()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for name in cls._RECORD._FIELDS:
            setattr(cls, name, property(lambda self, name=name: self._selected(name)))

    def __setattr__(self, name, value):
        raise AttributeError(f"property '{name}' of '{type(self).__name__}' object has no setter: assign to its elements")

    def __getitem__(self, key):
        if isinstance(key, slice):
            return type(self)(self._column, key if self._rows is None else range(*self._rows.indices(len(self)))[key])
        count = len(self)
        index = operator.index(key)
        index += count if index < 0 else 0
        if not 0 <= index < count:
            raise IndexError("Index out of range.")
        return self._RECORD._at(self._selected, index, self._number)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __eq__(self, other):
        if not isinstance(other, RecordList) or self._RECORD is not other._RECORD:
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    def __repr__(self):
        lines = "\n".join(f"  {name}: {self._selected(name)!r}" for name in self._RECORD._FIELDS)
        return f"<{type(self).__name__}\n{lines}\n>"


class _MjContactList(RecordList):
    _RECORD = MjContact


class _MjWarningStatList(RecordList):
    _RECORD = MjWarningStat


class _MjTimerStatList(RecordList):
    _RECORD = MjTimerStat


class _MjSolverStatList(RecordList):
    _RECORD = MjSolverStat
