"""Batches on an NVIDIA GPU: what ``Batch(model, nsim, device="cuda")`` makes.

State and inputs live in device memory. ``b.qpos``, ``b.ctrl``, ... are arrays there: ``torch.as_tensor(b.ctrl)``,
``cupy.asarray(b.qpos)`` and ``jax`` (through DLPack) share the memory without copies, ``numpy.asarray(b.qpos)`` copies it to
the host, ``b.ctrl = values`` copies to the device. Every call has done its work when it returns. Before it begins it
waits for the default stream, and for the stream it is given.
"""

import ctypes
import glob
import os
import sysconfig

import numpy as np

from ligament import _core

_STATE = ("qpos", "qvel", "act", "qacc_warmstart", "time")
_INPUTS = ("ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat")
_FIELDS = _STATE + _INPUTS
_INNER = {"xfrc_applied": 6, "mocap_pos": 3, "mocap_quat": 4}  # arrays of rows


def _load_compiler():
    """Makes the compiler of the package ``nvidia-cuda-nvrtc`` known, where it is installed."""
    site = sysconfig.get_paths()["purelib"]
    for library in sorted(glob.glob(os.path.join(site, "nvidia", "*", "lib", "libnvrtc*.so*"))):
        try:
            ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            pass


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


def _dlpack_capsule(array, address):
    ndim = len(array.shape)
    shape = (ctypes.c_int64 * ndim)(*array.shape)
    tensor = _Tensor(
        data=address, device_type=2, device_id=0, ndim=ndim, code=2, bits=8 * array.dtype.itemsize, lanes=1,
        shape=ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)), strides=None, byte_offset=0, manager_ctx=None,
        deleter=ctypes.cast(_take_back, ctypes.c_void_p).value,
    )
    place = ctypes.addressof(tensor)
    _lent[place] = (tensor, shape, array._batch)
    return _capsule(place, b"dltensor", ctypes.cast(_forget_unused, ctypes.c_void_p).value)


class DeviceArray:
    """Numbers of all simulations in device memory, a row a simulation."""

    def __init__(self, batch, name, address, shape, dtype, read):
        self._batch, self._name, self._address, self._read = batch, name, address, read
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": self.dtype.str, "data": (address, False), "strides": None, "version": 3,
            "stream": None,  # whoever handed it out has finished writing
        }

    def __array__(self, dtype=None, copy=None):
        return self._read().reshape(self.shape).astype(dtype or self.dtype)

    def __len__(self):
        return self.shape[0]

    def __dlpack_device__(self):
        return 2, 0  # CUDA, the first device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy:
            raise BufferError("the memory of a batch can be shared, not copied")
        if dl_device is not None and tuple(dl_device) != (2, 0):
            raise BufferError("the memory of a batch is on the first CUDA device")
        return _dlpack_capsule(self, self._address)

    def __repr__(self):
        return f"DeviceArray({self._name}, shape={self.shape}, dtype={self.dtype})"


def _stream_address(stream):
    """The address of a stream: a number, or what PyTorch and CuPy call a stream."""
    for attribute in ("cuda_stream", "ptr"):
        stream = getattr(stream, attribute, stream)
    return int(stream)


class CudaBatch:
    """``nsim`` simulations of ``model`` on a GPU, in single (``"float32"``) or double (``"float64"``) precision.

    Models that use something the kernels do not have are refused by name.
    """

    device = "cuda"

    def __init__(self, model, nsim, dtype="float32"):
        dtype = np.dtype(dtype)
        if dtype not in (np.float32, np.float64):
            raise ValueError(f"dtype must be float32 or float64, got {dtype}")
        _load_compiler()
        native = _core._GpuWorlds(model, int(nsim), dtype == np.float64)
        self.__dict__.update(_native=native, nsim=int(nsim), dtype=dtype, _own={})

    def _array(self, name):
        """The array of a field. From the first use on, steps read inputs that are zero until then."""
        address, columns = self._native.pointer(name)
        shape = (self.nsim,) if name == "time" else (self.nsim, columns)
        if name in _INNER:
            shape = (self.nsim, columns // _INNER[name], _INNER[name])
        array = DeviceArray(self, name, address, shape, self.dtype, lambda: self._native.read(name))
        self.__dict__[name] = array
        return array

    def __getattr__(self, name):
        if name in _FIELDS and "_native" in self.__dict__:
            return self._array(name)
        if name in self.__dict__.get("_own", {}):
            return self._native.read_expanded(name).reshape(self._own[name])
        raise AttributeError(f"a batch on the GPU has the fields {', '.join(_FIELDS)}, sensordata; not {name}")

    def __setattr__(self, name, value):
        if name in self._own:
            shape, write = self._own[name], self._native.write_expanded
        elif name in _FIELDS:
            shape, write = getattr(self, name).shape, self._native.write
        else:
            raise AttributeError(f"a batch on the GPU has the fields {', '.join(_FIELDS)}; not {name}")
        write(name, np.ascontiguousarray(np.broadcast_to(value, shape), dtype=np.float64).ravel())

    def expand(self, name):
        """Gives each simulation numbers of its own for a field of the model; returns them as the model has them.

        Assign them whole: ``b.body_mass = masses``. Constants of the model that follow from them (inverse weights)
        stay as they are. The kernels are compiled again.
        """
        self._native.expand(name)
        rows = self._native.read_expanded(name).reshape(self.nsim, -1)
        self._own[name] = rows.shape
        return rows

    @property
    def sensordata(self):
        """Sensors of the last step before this is read, or of later ones. The first use compiles kernels that have them."""
        address, columns = self._native.sensors()
        return DeviceArray(self, "sensordata", address, (self.nsim, columns), self.dtype, self._native.read_sensors)

    def step(self, nstep=1, stream=None):
        """Makes ``nstep`` steps of all simulations with the controls they have, after what ``stream`` was asked for."""
        if stream is not None:
            self._native.wait_for(_stream_address(stream))
        self._native.step(int(nstep))

    def reset(self, mask=None, keyframe=-1):
        """Puts simulations back to the model's initial state or to a keyframe: all, or those where ``mask`` is true.

        ``mask`` may be an array on the GPU with a byte a simulation (a ``torch`` tensor of bools).
        """
        key = None if keyframe < 0 else int(keyframe)
        there = getattr(mask, "__cuda_array_interface__", None)
        if mask is None:
            self._native.reset(None, key)
            return
        if tuple(mask.shape) != (self.nsim,):
            raise ValueError(f"mask must have shape ({self.nsim},), got {tuple(mask.shape)}")
        if there is not None:
            if np.dtype(there["typestr"]).itemsize != 1 or there.get("strides") not in (None, (1,)):
                raise ValueError("a mask on the GPU must have one byte a simulation, without gaps")
            self._native.reset_masked(there["data"][0], key)
        else:
            self._native.reset(np.asarray(mask, dtype=bool).tolist(), key)

    @property
    def status(self):
        """Which simulations had numbers that were not finite, and were reset, since this was last read."""
        return np.array(self._native.take_status(), dtype=bool)

    @property
    def facts(self):
        """What the kernels need: bytes of shared memory a simulation, registers and stack of a thread, how many
        simulations run at a time on a multiprocessor, bytes of device memory a simulation."""
        names = ("shared_bytes", "registers", "local_bytes", "resident", "state_bytes")
        return dict(zip(names, self._native.facts()))

    def synchronize(self):
        """Waits until everything asked for is done."""
        self._native.synchronize()
