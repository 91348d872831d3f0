"""Checks of array arguments: type, shape, and whether a result can be written."""

import functools
import inspect
import operator

import numpy as np

_KINDS = {"w": np.float64, "r": np.float64, "wi": np.int32, "ri": np.int32, "wf": np.float32, "rf": np.float32}


def whole(value):
    """An integer argument. As in the reference it may be anything that is no float and has ``__int__``: arrays of one number
    too, of which ``model.sensor(i).objid`` is one, unless NumPy itself refuses them.
    """
    try:
        return operator.index(value)
    except TypeError:
        if isinstance(value, float) or not hasattr(value, "__int__"):
            raise
        return int(value)


def _array(value, kind, name):
    """The argument as an array; results must already be writable arrays of the right type."""
    wanted = _KINDS[kind]
    if kind.startswith("r"):
        try:
            return np.asarray(value, dtype=wanted)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{name} should be an array of {wanted.__name__}: {error}") from None
    if not isinstance(value, np.ndarray) or value.dtype != wanted:
        raise TypeError(f"{name} should be a numpy array of {wanted.__name__}")
    if not value.flags.writeable:
        raise TypeError(f"{name} should be writable")
    return value


def _check(value, kind, shape, name, known):
    array = _array(value, kind, name)
    if all(side.isdigit() for side in shape):
        wanted = tuple(int(side) for side in shape)
        if array.size != np.prod(wanted):
            raise TypeError(f"{name} should have {np.prod(wanted)} elements, got {array.size}")
        return array if array.shape == wanted or kind.startswith("w") else array.reshape(wanted)
    if array.ndim != len(shape):
        if len(shape) == 1 and array.size == max(array.shape, default=0):
            array = array.reshape(-1)  # a row or a column
        else:
            raise TypeError(f"{name} should have {len(shape)} dimensions, got {array.ndim}")
    for side, length in zip(shape, array.shape):
        if known.setdefault(side, (length, name)) [0] != length:
            raise TypeError(f"sizes of {known[side][1]} and {name} do not match: {known[side][0]} and {length}")
    return array


def shaped(description):
    """Checks positional arguments against a description such as ``w[m] r[m,n] r[n] -``.

    Each entry stands for one parameter: ``w`` is written, ``r`` read, with the type (``i`` int32, ``f`` float32,
    nothing float64), ``?`` for one that may be None, and the shape: numbers, or letters that stand for equal lengths.
    """
    entries = [None if entry == "-" else (entry.split("[")[0].rstrip("?"), "?" in entry,
                                          entry[entry.index("[") + 1:-1].split(","))
               for entry in description.split()]

    def decorate(function):
        names = list(inspect.signature(function).parameters)

        @functools.wraps(function)
        def checked(*args, **kwargs):
            for name in names[len(args):]:
                if name not in kwargs:
                    break
                args += (kwargs.pop(name),)
            if kwargs or len(args) != len(names):
                return function(*args, **kwargs)
            known, ready = {}, list(args)
            for i, entry in enumerate(entries):
                if entry is None or (args[i] is None and entry[1]):
                    continue
                ready[i] = _check(args[i], entry[0], entry[2], names[i], known)
            return function(*ready)
        return checked
    return decorate


def apply(namespace, table):
    """Wraps the functions named in a table; the same function under two names may get two descriptions."""
    for name, description in table.items():
        function = shaped(description)(namespace[name])
        function.__name__ = function.__qualname__ = name
        namespace[name] = function
