"""Many simulations of one model, on all cores.

The interface is that of ``mujoco.batch`` in MuJoCo 4.0::

    b = batch.Batch(model, nsim=1024)
    qpos, ctrl, xpos = b.bind('qpos'), b.bind('ctrl'), b.bind('xpos')
    for _ in range(1000):
        ctrl[:] = policy(qpos, xpos)
        b.step()

A simulation is its row of ``b.state``; a call loads each row, computes, and writes it back, on ``nthread`` threads. The
numbers are those of a loop over one ``MjData`` per simulation, to the last bit, whatever the number of threads; with
``exact=False`` within rounding, and sooner.
"""

import copy
import warnings

import numpy as np

from ligament import _core
from ligament import _batch_fields as _fields
from ligament import _device
from ligament._batch_fields import DATA_FIELDS, MODEL_FIELDS
from ligament._batch_fields import ids_of as _ids, integers as _integers, is_structural as _structural
from ligament._batch_episodes import Episodes
from ligament._batch_named import KINDS as _KINDS, Named as _Named
from ligament._enums import mjtStage, mjtState
from ligament._scene import MjvOption
from ligament._structs import MjData, MjModel
from ligament.renderer import find_camera

__all__ = ["Batch", "DATA_FIELDS", "Episodes", "MODEL_FIELDS", "SimulationError", "compile_kernels"]

_NONE, _ACC = int(mjtStage.mjSTAGE_NONE), int(mjtStage.mjSTAGE_ACC)
_CTRL = int(mjtState.mjSTATE_CTRL)


class SimulationError(RuntimeError):
    """Some simulations of a call failed.

    They kept the state they had before the call, and the others ran to completion. ``ids`` lists them;
    ``Batch.error(i)`` has each message.
    """

    def __init__(self, ids, message, ncall=None):
        self.ids = np.asarray(ids)
        shown = ", ".join(str(i) for i in self.ids[:10]) + (", ..." if len(self.ids) > 10 else "")
        of = "" if ncall is None else f" of {ncall}"
        first = f"; simulation {self.ids[0]}: {message}" if len(self.ids) else ""
        super().__init__(f"error in {len(self.ids)}{of} simulations ({shown}){first}")


def _made(arguments, device, exact, dtype):
    """The native batch, the device it is on, and whether its steps are exact."""
    if device != "cpu":
        _device.load_compiler()
        where = "cuda" if device == "auto" else device
        try:
            return _core._Batch(*arguments, False, where, np.dtype(dtype) == np.float64), where, False
        except (RuntimeError, ValueError) as error:
            if device != "auto":
                raise
            warnings.warn(f"simulating on the CPU: {error}", RuntimeWarning, stacklevel=4)
    if exact is not True:
        try:
            return _core._Batch(*arguments, True, "cpu", True), "cpu", False
        except ValueError as error:
            if exact != "auto":
                raise
            warnings.warn(f"simulating exactly: {error}", RuntimeWarning, stacklevel=4)
    return _core._Batch(*arguments, False, "cpu", True), "cpu", True


def compile_kernels(model, architecture="sm_90", *, dtype="float32", bind=()):
    """Compiles a model's GPU kernels into the cache on disk (``LIGAMENT_CACHE``), here, where no GPU is needed.

    A batch on a GPU of that architecture (``sm_90``: compute capability 9.0) begins at once where it finds this cache and the
    same version of NVRTC. ``bind`` names the fields that will be bound. Returns the bytes of each kernel's machine code.
    """
    digits = str(architecture).removeprefix("sm_")
    if not digits.isdecimal() or len(digits) > 4:
        raise ValueError(f"architecture must be like 'sm_90', got {architecture!r}")
    if np.dtype(dtype) not in (np.float32, np.float64):
        raise ValueError(f"dtype must be float32 or float64, got {np.dtype(dtype)}")
    _device.load_compiler()
    names = [bind] if isinstance(bind, str) else list(bind)
    return _core._Batch.compile_kernels(model, int(digits), np.dtype(dtype) == np.float64, names)


class Batch:
    """``nsim`` simulations of a copy of ``model``, on ``nthread`` threads (0: all cores).

    With ``persistent=True`` the batch keeps one ``MjData`` per simulation instead of one per thread.

    ``device`` says where the simulations run: ``"cpu"``; ``"cuda"``, an NVIDIA GPU, in precision ``dtype``; ``"auto"``, a GPU
    where there is one that can simulate the model, else the CPU; ``"emulated"``, the GPU's kernels on this machine's processor, slow,
    for tests of programs (it needs a C++ compiler). On a device the arrays of fields are in its memory (``ligament._device``),
    and ``nthread`` threads do what its kernels do not have.

    ``exact=False`` takes lean steps on the CPU, which agree with ``mj_step`` within rounding; a model with something they do
    not have is a ``ValueError`` that names it. ``exact="auto"`` takes them where it can, else warns and is exact. The
    attribute ``exact`` says which it was; steps on a device are not exact.

    A batch must not be used from several Python threads at once: its calls are serialised, but each reports its
    failures in ``status`` and ``error()``, which the next call overwrites.
    """

    def __init__(self, model, nsim, nthread=0, persistent=False, *, device="cpu", exact=True, dtype="float32"):
        if device not in ("cpu", "cuda", "auto", "emulated"):
            raise ValueError(f"device must be 'cpu', 'cuda', 'auto' or 'emulated', got {device!r}")
        if exact not in (True, False, "auto"):
            raise ValueError(f"exact must be True, False or 'auto', got {exact!r}")
        if np.dtype(dtype) not in (np.float32, np.float64):
            raise ValueError(f"dtype must be float32 or float64, got {np.dtype(dtype)}")
        nsim = _integers(nsim, "nsim", 1, 2**31)
        own = copy.copy(model)
        arguments = own, int(nsim), max(0, int(nthread)), bool(persistent)
        native, device, exact = _made(arguments, device, exact if exact == "auto" else bool(exact), dtype)
        set_own = self.__dict__.update
        set_own(_model=own, _b=native, exact=exact, _bound={}, _expanded={}, _caller_models=None, device=device)
        set_own(status=_fields.read_only(self._b.status), warning=self._b.warning)
        set_own(_remote=None if device == "cpu" else _device.DeviceFields(self, dtype))
        set_own(state=self._b.state if self._remote is None else self._remote.state())
        for name, start, size in self._b.layout():
            if self._remote is None:
                self._bound[name] = _fields.state_part(own, name, self.state[:, start:start + size])
            elif not self._remote.has(name):
                self._bound[name] = self._remote.state_part(name, start, size)

    # ------------------------------------------------------------------------------------------------ attributes

    nsim = property(lambda self: self._b.nsim, doc="Number of simulations.")
    nthread = property(lambda self: self._b.nthread, doc="Number of threads, the caller's included.")
    nstate = property(lambda self: self._b.nstate, doc="Size of a row of the state.")
    persistent = property(lambda self: self._b.persistent, doc="Whether each simulation has an MjData of its own.")

    @property
    def model(self):
        """The batch's copy of the model, without what is per simulation."""
        return self._model

    @property
    def models(self):
        """The models set with ``set_models``: one, or a tuple with one per simulation; None: the batch's model."""
        return self._caller_models

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self.bind(name)
        except ValueError as error:
            raise AttributeError(str(error)) from None

    def __setattr__(self, name, value):
        if name in _fields.STATE_FIELDS:
            self.bind(name)[...] = value
        elif name in DATA_FIELDS:
            raise ValueError(_fields.output_message(name))
        elif name in self.__dict__ or hasattr(type(self), name):
            raise AttributeError(f"attribute '{name}' of 'Batch' cannot be set")
        else:
            raise AttributeError(_fields.why_not_bound(name))

    def __repr__(self):
        return f"<Batch of {self.nsim} simulations on {self.nthread} threads>"

    def __dir__(self):
        return sorted({*super().__dir__(), *DATA_FIELDS})

    # ---------------------------------------------------------------------------------------------- fields per world

    def bind(self, name):
        """A live (nsim, ...) array over a field of MjData, one of ``DATA_FIELDS``.

        Parts of the state are views of the rows (of float64, ``eq_active`` too): what is written there is the state at
        the next call. Other fields are copied out after every call and are read-only. On a device they are arrays in its
        memory; fields that its kernels do not have are computed on the CPU, with a warning.
        """
        found = self._bound.get(name)
        if found is None:
            if name not in DATA_FIELDS:
                raise ValueError(_fields.why_not_bound(name))
            if self._remote is not None and self._remote.has(name):
                found = self._remote.array(name)
            else:
                if self._remote is not None:
                    self._remote.on_the_host(name)
                found = _fields.read_only(self._b.bind(name))
            self._bound[name] = found
        return found

    def expand(self, name):
        """Gives a field of the model, one of ``MODEL_FIELDS``, a value per simulation; returns them, (nsim, ...).

        Options are named ``'opt.<name>'``. Call ``set_const()`` after writing what constants are derived from.
        """
        if name not in MODEL_FIELDS:
            raise ValueError(_fields.why_not_expanded(name))
        found = self._expanded.get(name)
        if found is None:
            values = self._b.expand(name)
            found = self._expanded[name] = values if self._remote is None else self._remote.parameter(name, values)
        return found

    def expanded(self, name):
        """The read-only values of a field that ``expand()`` or ``set_const()`` made per-simulation, or None."""
        if name not in MODEL_FIELDS:
            raise ValueError(_fields.why_not_expanded(name))
        values = self._b.expanded(name)
        return None if values is None else _fields.read_only(values)

    def set_const(self, ids=None):
        """Runs mj_setConst per simulation; what it derives becomes per-simulation where it differs."""
        ids = _ids(ids, self.nsim)
        self._raise_failures(self._b.set_const(ids), ids)

    def set_models(self, models):
        """Runs simulation i on ``models[i]``, or all on one model, instead of the batch's; None goes back.

        Each must give MjData the layout of the batch's model. The batch takes the models as they are: set them again
        after editing one.
        """
        if models is None or isinstance(models, MjModel):
            self._b.set_models([] if models is None else [models], False)
        else:
            models = tuple(models)
            self._b.set_models(list(models), True)
        self.__dict__["_caller_models"] = models

    def randomize(self, field, *, uniform=None, loguniform=None, normal=None, names=None, columns=None, effect="scale",
                  together=False, seed=0, ids=None):
        """Draws a value per simulation for a field of the model (which is expanded) or a part of the state.

        One of ``uniform=(low, high)``, ``loguniform=(low, high)`` and ``normal=(mean, deviation)`` says how. ``names`` are
        the objects whose elements are drawn (None: all), ``columns`` the columns of their rows, such as ``columns=0`` for
        the sliding friction of geoms. The number drawn scales the model's value, is added to it, or replaces it
        (``effect='set'``); values of the state change from where they are. With ``together``, all elements of a simulation
        share one number. Numbers depend on ``seed``, field, simulation and element only: neither on the number of
        threads nor on ``ids``. Call ``set_const()`` after drawing what constants are derived from.
        """
        given = {"uniform": uniform, "loguniform": loguniform, "normal": normal}
        given = [(kind, *map(float, limits)) for kind, limits in given.items() if limits is not None]
        if len(given) != 1:
            raise ValueError("give one of uniform, loguniform and normal")
        elements = None
        if names is not None:
            columns = None if columns is None else np.atleast_1d(columns).tolist()
            names = [names] if isinstance(names, str) else names
            elements = [i for name in names for i in self._b.elements(field, name, columns)]
        elif columns is not None:
            shape = (self.bind(field) if field in _fields.STATE_FIELDS else self.expand(field)).shape[1:]
            elements = np.arange(np.prod(shape, dtype=int)).reshape(-1, shape[-1])[:, np.atleast_1d(columns)]
            elements = elements.ravel().tolist()
        if field not in MODEL_FIELDS and field not in _fields.STATE_FIELDS:
            raise ValueError(_fields.why_not_expanded(field))
        ids = _ids(ids, self.nsim)
        self._b.randomize(ids, field, elements, given[0], effect, bool(together), int(seed))
        if field in MODEL_FIELDS:
            self.expand(field)

    def get_model(self, sim, model=None):
        """Simulation ``sim``'s model, written into ``model`` where one of the same sizes is given."""
        sim = self._sim(sim)
        if model is None:
            own = self._caller_models
            model = copy.copy(self._model if own is None else own if isinstance(own, MjModel) else own[sim])
        self._b.write_model(sim, model)
        return model

    def get_data(self, sim, data=None):
        """Simulation ``sim``'s state, and in a persistent batch its whole MjData, written into ``data`` if given."""
        sim = self._sim(sim)
        data = MjData(self._model) if data is None else data
        self._b.write_data(sim, data)
        return data

    # ------------------------------------------------------------------------------------------------------- calls

    def step(self, ids=None, nstep=1, stage=_NONE, *, rnepost=False, stream=None):
        """Advances by ``nstep`` calls to mj_step, then computes the stages up to ``stage`` (an mjtStage).

        As with mj_step, derived fields otherwise describe the state before the last substep; mjSTAGE_VEL makes what
        depends on position and velocity current, mjSTAGE_ACC everything. A persistent batch continues from there.
        ``rnepost`` calls mj_rnePostConstraint after the last substep: ``cacc``, ``cfrc_int`` and ``cfrc_ext`` are then its.
        On a GPU the step waits for what ``stream`` was asked for, one of PyTorch's, CuPy's or Numba's.
        """
        if stream is not None:
            self._on_device("stream")
            self._b.wait_for(_device.stream_address(stream))
        ids = _ids(ids, self.nsim)
        nstep = _integers(nstep, "nstep", 0, 2**31)
        self._raise_failures(self._b.step(ids, nstep, int(stage), bool(rnepost)), ids)

    def forward(self, ids=None, stage=_ACC):
        """Computes the forward stages up to ``stage``, by default mj_forward."""
        ids = _ids(ids, self.nsim)
        self._raise_failures(self._b.forward(ids, int(stage)), ids)

    def reset(self, ids=None, keyframe=-1, stage=_ACC):
        """Resets to keyframes (one for all, or one per simulation of the call; -1: defaults), then computes stages.

        A mask that is on the GPU (a byte a simulation) stays there: with it, and one keyframe for all, nothing is copied, warning
        counters stay, and no stages are computed.
        """
        if self.device == "cuda" and hasattr(ids, "__cuda_array_interface__"):
            self._b.reset_masked(_mask_address(ids, self.nsim), _one_key(keyframe, self._model.nkey))
            return
        ids = _ids(ids, self.nsim)
        keys = _integers(keyframe, "keyframe", -1, self._model.nkey)
        keys = np.atleast_1d(keys)
        if keys.ndim != 1 or len(keys) not in (1, self._count(ids)):
            raise ValueError(f"keyframe must be one number or {self._count(ids)}, got shape {keys.shape}")
        self._raise_failures(self._b.reset(ids, keys.tolist(), int(stage)), ids)

    def rollout(self, nstep, control=None, control_spec=_CTRL, record=("qpos",), ids=None, out=None):
        """Advances by ``nstep`` substeps, recording after each.

        Before substep k the parts of the state in ``control_spec`` are set from ``control[:, k]`` (n, nstep, ncontrol).
        ``record`` names fields of MjData or gives mjtState bits. A simulation that raises a warning stops, and its
        last records are repeated. Returns a dict from each item to its (n, nstep, ...) array; those given in ``out`` are
        filled.
        """
        ids = _ids(ids, self.nsim)
        n, nstep = self._count(ids), int(_integers(nstep, "nstep", 0, 2**31))
        if control is not None:
            size = _core.mj_stateSize(self._model, int(control_spec))
            control = np.asarray(control, dtype=np.float64)
            if control.shape[-1:] != (size,):
                raise ValueError(f"control must have shape {(n, nstep, size)}, got {control.shape}")
            control = np.ascontiguousarray(np.broadcast_to(control, (n, nstep, size)))
        results = {}
        for item in record:
            shape, dtype = self._template(item)
            given = None if out is None else out.get(item)
            results[item] = np.empty((n, nstep, *shape), dtype) if given is None else given
        items = [(item, 0, array) if isinstance(item, str) else (None, int(item), array)
                 for item, array in results.items()]
        self._raise_failures(self._b.rollout(ids, nstep, control, int(control_spec), items), ids)
        return results

    def jac(self, body, point, ids=None):
        """Translational and rotational Jacobians, (n, 3, nv) each, of world points fixed to bodies.

        ``body`` is an id or one per simulation of the call, ``point`` (3,) or (n, 3). State and bound fields stay.
        """
        ids = _ids(ids, self.nsim)
        n = self._count(ids)
        body = _integers(body, "body", 0, self._model.nbody)
        body = np.ascontiguousarray(np.broadcast_to(body, (n,)), dtype=np.int32)
        point = np.ascontiguousarray(np.broadcast_to(np.asarray(point, np.float64), (n, 3)))
        jacp, jacr = np.zeros((n, 3, self._model.nv)), np.zeros((n, 3, self._model.nv))
        self._raise_failures(self._b.jac(ids, body, point, jacp, jacr), ids)
        return jacp, jacr

    def ray(self, pnt, vec, geomgroup=None, flg_static=True, bodyexclude=-1, ids=None, normal=False):
        """Distance and geom that rays meet first in each simulation, (n, nray) each, -1 for none; as mj_ray.

        ``pnt``, ``vec`` and ``bodyexclude`` broadcast to (n, nray, 3) and (n, nray). With ``normal``, the surface normals
        follow. State and bound fields stay.
        """
        ids = _ids(ids, self.nsim)
        n = self._count(ids)
        pnt, vec = np.asarray(pnt, np.float64), np.asarray(vec, np.float64)
        exclude = _integers(bodyexclude, "bodyexclude", -1, self._model.nbody)
        nray = np.broadcast_shapes(pnt.shape[:-1], vec.shape[:-1], exclude.shape, (1,))[-1]
        full = [np.ascontiguousarray(np.broadcast_to(x, (n, nray, 3))) for x in (pnt, vec)]
        exclude = np.ascontiguousarray(np.broadcast_to(exclude, (n, nray)), dtype=np.int32)
        groups = None if geomgroup is None else [int(bool(g)) for g in np.broadcast_to(geomgroup, (6,))]
        dist, geomid = np.full((n, nray), -1.0), np.full((n, nray), -1, np.int32)
        normals = np.zeros((n, nray, 3)) if normal else None
        failed = self._b.ray(ids, *full, groups, bool(flg_static), exclude, dist, geomid, normals)
        self._raise_failures(failed, ids)
        return (dist, geomid, normals) if normal else (dist, geomid)

    def render(self, camera=-1, size=(240, 320), *, ids=None, depth=False, segmentation=False, scene_option=None,
               max_geom=10000, out=None):
        """Pictures of the simulations as they are now, on all threads: one array of bytes, (n, height, width, 3).

        ``camera`` is the name or number of a camera, -1 for the free one, or an MjvCamera; ``size`` is (height, width), or the
        side of a square. With ``depth`` they are distances from the camera along its axis, (n, height, width) of float32;
        with ``segmentation`` number and kind of the object at each pixel, (n, height, width, 2) of int32, -1 for none. An array
        given in ``out`` is filled. Meshes and textures are those of the batch's model, or of ``set_models``. State and
        bound fields stay.
        """
        ids = _ids(ids, self.nsim)
        if depth and segmentation:
            raise ValueError("depth and segmentation are different pictures: ask for one of them")
        height, width = (int(side) for side in np.broadcast_to(_integers(size, "size", 1, 2**15), (2,)))
        kind, last, dtype = ("depths", (), np.float32) if depth else ("colors", (3,), np.uint8)
        if segmentation:
            kind, last, dtype = "segments", (2,), np.int32
        if out is None:
            out = np.empty((self._count(ids), height, width, *last), dtype)
        option = MjvOption() if scene_option is None else scene_option
        max_geom = int(_integers(max_geom, "max_geom", 1, 2**31))
        failed = self._b.render(ids, find_camera(self._model, camera), option, (height, width), max_geom, kind, out)
        self._raise_failures(failed, ids)
        return out

    def error(self, sim):
        """What happened to simulation ``sim`` in its last call, or ''."""
        return self._b.error(self._sim(sim))

    # ---------------------------------------------------------------------------------------------------- on a device

    @property
    def facts(self):
        """What the kernels need: bytes of shared memory a simulation, registers and stack of a thread, how many
        simulations run at a time on a multiprocessor, bytes of device memory a simulation."""
        self._on_device("facts")
        names = ("shared_bytes", "registers", "local_bytes", "resident", "state_bytes")
        return dict(zip(names, self._b.facts()))

    def synchronize(self):
        """Waits until everything asked of the device is done."""
        self._on_device("synchronize")
        self._b.synchronize()

    def _on_device(self, what):
        if self._remote is None:
            raise ValueError(f"'{what}' is for batches on a device, this one is on the CPU")

    # ----------------------------------------------------------------------------------------------------- internals

    def _sim(self, sim):
        return int(_integers(sim, "sim", 0, self.nsim))

    def _count(self, ids):
        return self.nsim if ids is None else len(ids)

    def _template(self, item):
        """Shape and dtype of one record."""
        if not isinstance(item, str):
            return (_core.mj_stateSize(self._model, int(item)),), np.float64
        if item == "time":
            return (), np.float64
        if item not in DATA_FIELDS:
            raise ValueError(_fields.why_not_bound(item))
        return self._b.result_template(item)

    def _raise_failures(self, failed, ids):
        if failed:
            called = np.arange(self.nsim) if ids is None else ids
            bad = called[self.status[called] > 0]
            raise SimulationError(bad, self.error(bad[0]), len(called))


def _mask_address(mask, nsim):
    """Where a mask on the GPU is."""
    there = mask.__cuda_array_interface__
    if tuple(there["shape"]) != (nsim,):
        raise ValueError(f"a mask must have {nsim} entries, got shape {tuple(there['shape'])}")
    if np.dtype(there["typestr"]).itemsize != 1 or there.get("strides") not in (None, (1,)):
        raise ValueError("a mask on the GPU must have one byte a simulation, without gaps")
    return there["data"][0]


def _one_key(keyframe, nkey):
    """A keyframe for all simulations, None for the defaults."""
    key = _integers(keyframe, "keyframe", -1, nkey)
    if key.ndim:
        raise ValueError("with a mask on the GPU there is one keyframe for all")
    return None if key < 0 else int(key)


def _accessor(kind, data):
    def access(self, key):
        return _Named(self, kind, key, data)
    access.__name__, access.__qualname__ = kind, f"Batch.{kind}"
    access.__doc__ = f"The part of per-simulation fields that belongs to one {kind}, given by name or id."
    return access


for _kind, _has_data in _KINDS.items():
    setattr(Batch, _kind, _accessor(_kind, _has_data))
