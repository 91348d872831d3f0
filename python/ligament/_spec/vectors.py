"""Lists of numbers and texts under the names that the reference gives to its own. Elements hold NumPy arrays and
lists; these types exist for programs that make such a list themselves: a value, and how often it is repeated."""

import numpy as np


def _numbers(name, dtype):
    def make(value, count):
        return np.full(count, value, dtype=dtype)
    make.__name__ = make.__qualname__ = name
    return make


MjDoubleVec = _numbers("MjDoubleVec", np.float64)
MjFloatVec = _numbers("MjFloatVec", np.float32)
MjIntVec = _numbers("MjIntVec", np.int32)
MjByteVec = _numbers("MjByteVec", np.uint8)


def MjStringVec(value, count):
    """A list of texts."""
    return [str(value)] * count
