"""Batches on a device: what ``Batch(model, nsim, device="cuda")`` makes.

State, inputs and the results that the kernels write live in the device's memory. ``b.qpos``, ``b.bind("xpos")``, ... are arrays
there: ``torch.as_tensor(b.ctrl)``, ``cupy.asarray(b.qpos)`` and ``jax`` (through DLPack) share the memory without copies. To
NumPy they are arrays that are copied when they are read or written: ``b.ctrl[:] = values``, ``b.qpos[3] + 1``. Every call has
done its work when it returns. Before it begins it waits for the default stream, and for the stream it is given.
"""

import ctypes
import glob
import os
import sysconfig
import warnings

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ligament import _core
from ligament import _batch_fields as _fields

PARTS = frozenset(_core._Batch.device_parts())
_CUDA, _HOST = 2, 1  # kinds of memory, as DLPack numbers them


def load_compiler():
    """Makes the compiler of the package ``nvidia-cuda-nvrtc`` known, where it is installed."""
    site = sysconfig.get_paths()["purelib"]
    for library in sorted(glob.glob(os.path.join(site, "nvidia", "*", "lib", "libnvrtc*.so*"))):
        try:
            ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            pass


# ---------------------------------------------------------------------------------------------------------------- DLPack

class _Tensor(ctypes.Structure):
    """A tensor as DLPack describes it, and who frees it."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64), ("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
    ]


_lent = {}  # tensors in the hands of others, by address, with what keeps their memory alive
_Free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@_Free
def _take_back(address):
    _lent.pop(address, None)


_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype, _capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_is_capsule = ctypes.pythonapi.PyCapsule_IsValid
_is_capsule.restype, _is_capsule.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]
_inside = ctypes.pythonapi.PyCapsule_GetPointer
_inside.restype, _inside.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]


@_Free
def _forget_unused(capsule):
    """A capsule that nobody took gives its tensor back; one that was taken has another name."""
    if _is_capsule(capsule, b"dltensor"):
        _lent.pop(_inside(capsule, b"dltensor"), None)


def _dlpack_capsule(array, kind):
    ndim, size = array.ndim, array.dtype.itemsize
    shape = (ctypes.c_int64 * ndim)(*array.shape)
    strides = (ctypes.c_int64 * ndim)(*(step // size for step in array.strides))
    tensor = _Tensor(
        data=array.address, device_type=kind, device_id=0, ndim=ndim, code=2, bits=8 * size, lanes=1,
        shape=ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)),
        strides=ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64)), byte_offset=0, manager_ctx=None,
        deleter=ctypes.cast(_take_back, ctypes.c_void_p).value,
    )
    place = ctypes.addressof(tensor)
    _lent[place] = (tensor, shape, strides, array.owner)
    return _capsule(place, b"dltensor", ctypes.cast(_forget_unused, ctypes.c_void_p).value)


# ---------------------------------------------------------------------------------------------------------------- arrays

class Mirror:
    """Numbers that live elsewhere, and room on the host for them: ``host``, which ``fetch`` fills from there and ``store`` writes
    there. ``store`` is None for what a batch computes.
    """

    def __init__(self, host, fetch, store):
        self.host, self.fetch, self.store = host, fetch, store


class DeviceMirror(Mirror):
    """Numbers at an address in a device's memory of some kind."""

    def __init__(self, host, fetch, store, address, kind):
        super().__init__(host, fetch, store)
        self.address, self.kind = address, kind


class RemoteArray(NDArrayOperatorsMixin):
    """An array that lives elsewhere. Reading copies it to the host, assigning to elements copies it back.

    As in NumPy, slices are views of the same numbers; what is computed from it is an ordinary array.
    """

    __slots__ = ("owner", "_mirror", "_view", "_name")

    def __init__(self, owner, name, mirror, view=None):
        self.owner, self._name, self._mirror = owner, name, mirror
        self._view = mirror.host if view is None else view

    shape = property(lambda self: self._view.shape)
    dtype = property(lambda self: self._view.dtype)
    ndim = property(lambda self: self._view.ndim)
    size = property(lambda self: self._view.size)
    nbytes = property(lambda self: self._view.nbytes)
    strides = property(lambda self: self._view.strides)
    T = property(lambda self: self._of(self._view.T))

    def _of(self, view):
        return type(self)(self.owner, self._name, self._mirror, view)

    def copy(self):
        """The numbers as they are now."""
        self._mirror.fetch()
        return self._view.copy()

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError(f"{self._name} lives on a device: it cannot be read without a copy")
        return self.copy() if dtype is None else self.copy().astype(dtype, copy=False)

    def __getitem__(self, key):
        part = self._view[key]
        if isinstance(part, np.ndarray) and part.base is not None and np.may_share_memory(part, self._mirror.host):
            return self._of(part)
        return self.copy()[key]

    def __setitem__(self, key, value):
        if self._mirror.store is None:
            raise ValueError(_fields.output_message(self._name))
        value = np.asarray(value)  # it may be a part of the same numbers
        self._mirror.fetch()
        self._view[key] = value
        self._mirror.store()

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        first = inputs[0]
        inputs = [_local(x) for x in inputs]
        if method == "at":  # changes its first argument
            ufunc.at(*inputs, **options)
            first[...] = inputs[0]
            return None
        if out is not None and any(isinstance(x, RemoteArray) for x in out):
            if len(out) > 1:
                return NotImplemented
            out[0][...] = getattr(ufunc, method)(*inputs, **options)
            return out[0]
        return getattr(ufunc, method)(*inputs, out=out, **options)

    def __array_function__(self, function, types, args, kwargs):
        if function is np.copyto and args and isinstance(args[0], RemoteArray) and not kwargs:
            args[0][...] = args[1]
            return None
        if function in _CHANGING or isinstance(kwargs.get("out"), RemoteArray):
            return NotImplemented
        return function(*_local(args), **_local(kwargs))

    def __len__(self):
        return len(self._view)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __float__(self):
        return float(self.copy())

    def __int__(self):
        return int(self.copy())

    def __bool__(self):
        return bool(self.copy())

    def reshape(self, *shape):
        """The same numbers in another shape; a copy where that needs one."""
        view = self._view.reshape(*shape)
        shared = np.may_share_memory(view, self._mirror.host)
        return self._of(view) if shared else self.copy().reshape(*shape)

    def fill(self, value):
        """Sets all numbers."""
        self[...] = value

    def __repr__(self):
        return f"{type(self).__name__}({self._name}, shape={self.shape}, dtype={self.dtype})"


def _local(x):
    """The same, with the numbers of arrays that live elsewhere."""
    if isinstance(x, RemoteArray):
        return x.copy()
    if isinstance(x, (list, tuple)):
        return type(x)(map(_local, x))
    return {name: _local(value) for name, value in x.items()} if isinstance(x, dict) else x


# functions that change an argument: what they would change is a copy
_CHANGING = {np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask}


def _asks(name):
    def method(self, *args, **options):
        return getattr(self.copy(), name)(*args, **options)
    method.__name__, method.__doc__ = name, f"``{name}`` of the numbers as they are now."
    return method


for _name in ("all", "any", "argmax", "argmin", "astype", "clip", "cumsum", "dot", "flatten", "item", "max", "mean", "min",
              "nonzero", "prod", "ravel", "round", "std", "sum", "take", "tolist", "transpose", "var"):
    setattr(RemoteArray, _name, _asks(_name))


class DeviceArray(RemoteArray):
    """Numbers of all simulations in a device's memory, a row a simulation."""

    __slots__ = ()

    @property
    def address(self):
        """Where its first number is."""
        shift = self._view.__array_interface__["data"][0] - self._mirror.host.__array_interface__["data"][0]
        return self._mirror.address + shift

    @property
    def __cuda_array_interface__(self):
        if self._mirror.kind != _CUDA:
            raise AttributeError("the memory of an emulated device is the host's")
        return {
            "shape": self.shape, "typestr": self.dtype.str, "data": (self.address, False), "strides": self.strides,
            "version": 3, "stream": None,  # whoever handed it out has finished writing
        }

    def __dlpack_device__(self):
        return self._mirror.kind, 0

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy:
            raise BufferError("the memory of a batch can be shared, not copied")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError("the memory of a batch is on the device that it simulates on")
        return _dlpack_capsule(self, self._mirror.kind)


def stream_address(stream):
    """The address of a stream as PyTorch, CuPy or Numba know it, or the number of a default stream (0, 1 or 2, as DLPack has
    them). Other numbers are refused: nobody can tell whether they are streams.
    """
    for attribute in ("cuda_stream", "ptr", "handle"):
        if hasattr(stream, attribute):
            address = getattr(stream, attribute)
            return int(getattr(address, "value", address) or 0)
    if isinstance(stream, int) and 0 <= stream <= 2:
        return int(stream)
    raise ValueError(f"stream must be one of PyTorch's, CuPy's or Numba's, or 0, 1, 2 for a default stream, got {stream!r}")


# ------------------------------------------------------------------------------------------------- the arrays of a batch

class DeviceFields:
    """Arrays of a batch whose simulations are on a device."""

    def __init__(self, batch, dtype):
        self._batch, self._b, self._dtype = batch, batch._b, np.dtype(dtype)
        self._kind = _CUDA if batch.device == "cuda" else _HOST
        self._told = set()
        self._parts = {name for name, _, _ in self._b.layout() if name in PARTS}

    def has(self, name):
        """Whether a field lives on the device: parts of the state, results that the kernels write."""
        return name in self._parts or name not in _fields.STATE_FIELDS and self._b.device_lacks(name) is None

    def array(self, name):
        """The array of a field that lives on the device."""
        b, batch = self._b, self._batch
        address, columns = b.lend(name)
        host = np.zeros((batch.nsim, columns), self._dtype)

        def fetch():
            host[...] = b.read_device(name).reshape(host.shape)

        def store():
            b.write_device(name, host.astype(np.float64).ravel())

        if name in self._parts:
            mirror = DeviceMirror(host, fetch, store, address, self._kind)
            return DeviceArray(batch, name, mirror, _fields.state_part(batch._model, name, host))
        mirror = DeviceMirror(host, fetch, None, address, self._kind)
        return DeviceArray(batch, name, mirror, host.reshape(batch.nsim, *b.result_template(name)[0]))

    def on_the_host(self, name):
        """A field that the kernels do not have: the CPU computes it, which is said once."""
        if name not in self._told and name not in _fields.STATE_FIELDS:
            self._told.add(name)
            warnings.warn(f"'{name}' is computed on the CPU, from states that are copied from the device in every call: "
                          f"{self._b.device_lacks(name)}", RuntimeWarning, stacklevel=4)

    def state(self):
        """The rows of the state."""
        return RemoteArray(self._batch, "state", Mirror(self._b.state, self._b.refresh_rows, self._b.send_rows))

    def state_part(self, name, start, size):
        """A part of the state that the device does not have."""
        mirror = self._batch.state._mirror
        columns = _fields.state_part(self._batch._model, name, mirror.host[:, start:start + size])
        return RemoteArray(self._batch, name, mirror, columns)

    def parameter(self, name, values):
        """A parameter per simulation: the device gets what is written."""
        return RemoteArray(self._batch, name, Mirror(values, lambda: None, lambda: self._b.expand(name)))
