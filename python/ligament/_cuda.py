"""Batches on an NVIDIA GPU: what ``Batch(model, nsim, device="cuda")`` makes.

State and inputs live in device memory. ``b.qpos``, ``b.ctrl``, ... are arrays there: ``torch.as_tensor(b.ctrl)``,
``cupy.asarray(b.qpos)`` and ``jax`` (through DLPack) share the memory without copies, ``numpy.asarray(b.qpos)`` copies it to
the host, ``b.ctrl = values`` copies to the device. Work runs on the default stream.
"""

import ctypes
import glob
import os
import sysconfig

import numpy as np

from ligament import _core

_FIELDS = ("qpos", "qvel", "act", "qacc_warmstart", "time", "ctrl", "qfrc_applied", "xfrc_applied")


def _load_compiler():
    """Makes the compiler of the package ``nvidia-cuda-nvrtc`` known, where it is installed."""
    site = sysconfig.get_paths()["purelib"]
    for library in sorted(glob.glob(os.path.join(site, "nvidia", "*", "lib", "libnvrtc*.so*"))):
        try:
            ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            pass


class DeviceArray:
    """Numbers of all simulations in device memory, a row a simulation."""

    def __init__(self, batch, name, address, shape, dtype):
        self._batch, self._name = batch, name
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": self.dtype.str, "data": (address, False), "strides": None, "version": 3,
            "stream": 1,
        }

    def __array__(self, dtype=None, copy=None):
        host = self._batch._native.read(self._name).reshape(self.shape).astype(dtype or self.dtype)
        return host

    def __len__(self):
        return self.shape[0]

    def __dlpack_device__(self):
        return 2, 0  # CUDA, the first device

    def __dlpack__(self, *, stream=None, **_):
        import torch  # a capsule that keeps the memory alive is made by whoever knows the format

        return torch.utils.dlpack.to_dlpack(torch.as_tensor(self))

    def __repr__(self):
        return f"DeviceArray({self._name}, shape={self.shape}, dtype={self.dtype})"


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
        self.__dict__["_native"] = _core._GpuWorlds(model, int(nsim), dtype == np.float64)
        self.__dict__.update(nsim=int(nsim), dtype=dtype)
        for name in _FIELDS:
            address, columns = self._native.pointer(name)
            shape = (self.nsim,) if name == "time" else (self.nsim, columns)
            if name == "xfrc_applied":
                shape = (self.nsim, columns // 6, 6)
            self.__dict__[name] = DeviceArray(self, name, address, shape, dtype)

    def __setattr__(self, name, value):
        if name not in _FIELDS:
            raise AttributeError(f"a batch on the GPU has the fields {', '.join(_FIELDS)}; not {name}")
        shape = self.__dict__[name].shape
        self._native.write(name, np.ascontiguousarray(np.broadcast_to(value, shape), dtype=np.float64).ravel())

    def step(self, nstep=1):
        """Makes ``nstep`` steps of all simulations with the controls they have."""
        self._native.step(int(nstep))

    def reset(self, mask=None):
        """Puts simulations back to the model's initial state: all, or those where ``mask`` is true."""
        if mask is not None:
            mask = np.ascontiguousarray(mask, dtype=bool)
            if mask.shape != (self.nsim,):
                raise ValueError(f"mask must have shape ({self.nsim},), got {mask.shape}")
            mask = mask.tolist()
        self._native.reset(mask)

    @property
    def status(self):
        """Which simulations had numbers that were not finite, and were reset, since this was last read."""
        return np.array(self._native.take_status(), dtype=bool)

    def synchronize(self):
        """Waits until everything asked for is done."""
        self._native.synchronize()
