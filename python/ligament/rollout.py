"""Open-loop trajectories from many states at once, on several threads."""

import atexit

import numpy as np

from ligament import _core
from ligament._enums import mjtState
from ligament._structs import MjModel

__all__ = ["Rollout", "rollout", "shutdown_persistent_pool"]

_FULL = int(mjtState.mjSTATE_FULLPHYSICS)


class Rollout:
    """Runs rollouts with a fixed number of threads; 0 means the thread of the caller."""

    def __init__(self, *, nthread=None):
        self.nthread = 0 if nthread is None else nthread
        if self.nthread < 0:
            raise ValueError("nthread must be >= 0")
        self._open = True

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        """No rollout can be run afterwards."""
        self._open = False

    def rollout(self, model, data, initial_state, control=None, *, control_spec=int(mjtState.mjSTATE_CTRL),
                skip_checks=False, nstep=None, initial_warmstart=None, state=None, sensordata=None, chunk_size=None):
        """States and sensor data of trajectories.

        ``model`` is one model or one for each trajectory, ``data`` one state or a list with one for each thread.
        ``initial_state`` (nbatch × nstate), ``initial_warmstart`` (nbatch × nv) and ``control``
        (nbatch × nstep × ncontrol, of the parts in ``control_spec``) may have length 1 where one value serves all.
        ``state`` and ``sensordata`` are filled if given. With ``skip_checks`` everything must have its full size.
        """
        if not self._open:
            raise RuntimeError("rollout requested after thread pool shutdown")
        if not skip_checks:
            arrays = {"initial_state": initial_state, "initial_warmstart": initial_warmstart, "control": control,
                      "state": state, "sensordata": sensordata}
            model, nstep, arrays = _expanded(model, nstep, control_spec, chunk_size, arrays)
            initial_state, initial_warmstart, control, state, sensordata = arrays.values()
        states = data if isinstance(data, (list, tuple)) else [data]
        self._check_threads(len(states))
        _core._rollout(list(model), list(states), nstep, int(control_spec), initial_state, initial_warmstart, control,
                       state, sensordata, chunk_size)
        return state, sensordata

    def _check_threads(self, count):
        if count == 0:
            raise ValueError("The list of data instances is empty")
        if self.nthread == 0 and count > 1:
            raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
        if self.nthread > 0 and self.nthread != count:
            raise ValueError(f"Length of data: {count} not equal to nthread: {self.nthread}")


_DIMENSIONS = {"initial_state": 2, "initial_warmstart": 2, "control": 3, "state": 3, "sensordata": 3}


def _expanded(model, nstep, control_spec, chunk_size, arrays):
    """Models and arrays in full size, with results allocated."""
    if control_spec & ~int(mjtState.mjSTATE_USER):
        raise ValueError("control_spec can only contain bits in mjSTATE_USER")
    for name, number in (("nstep", nstep), ("chunk_size", chunk_size)):
        if number and not isinstance(number, int):
            raise ValueError(f"{name} must be an integer")
    models = [model] if isinstance(model, MjModel) else list(model)
    arrays = {name: _with_dimensions(name, array) for name, array in arrays.items()}
    nbatch = _common_length(0, 1, arrays)
    nbatch = len(models) if nbatch == 1 else nbatch
    if len(models) not in (1, nbatch):
        raise ValueError(f"nbatch inferred as {nbatch} but model is length {len(models)}")
    three = {name: array for name, array in arrays.items() if _DIMENSIONS[name] == 3}
    nstep = _common_length(1, nstep or 1, three)
    _check_sizes(models, control_spec, arrays)
    sizes = {"state": _core.mj_stateSize(models[0], _FULL), "sensordata": models[0].nsensordata}
    for name in ("initial_state", "initial_warmstart", "control"):
        array = arrays[name]
        if array is not None:
            full = (nbatch, nstep) if array.ndim == 3 else (nbatch,)
            arrays[name] = np.ascontiguousarray(np.broadcast_to(array, (*full, array.shape[-1])))
    for name, size in sizes.items():
        if arrays[name] is None:
            arrays[name] = np.empty((nbatch, nstep, size))
    return models * nbatch if len(models) == 1 else models, nstep, arrays


def _with_dimensions(name, array):
    if array is None:
        return None
    if not isinstance(array, (np.ndarray, float)):
        raise ValueError(f"{name} must be a numpy array or float")
    array, wanted = np.asarray(array), _DIMENSIONS[name]
    if array.ndim > wanted:
        raise ValueError(f"{name} can have at most {wanted} dimensions")
    return np.ascontiguousarray(array.reshape((1,) * (wanted - array.ndim) + array.shape), dtype=np.float64)


def _common_length(axis, length, arrays):
    """The length that all arrays have along an axis, or 1 where one value serves all."""
    for name, array in arrays.items():
        if array is None or array.shape[axis] == length:
            continue
        if length == 1:
            length = array.shape[axis]
        elif array.shape[axis] != 1:
            raise ValueError(f"dimension {axis} inferred as {length} but {name} has {array.shape[axis]}")
    return length


def _check_sizes(models, control_spec, arrays):
    def sizes(model):
        return {"initial_state": _core.mj_stateSize(model, _FULL), "state": _core.mj_stateSize(model, _FULL),
                "control": _core.mj_stateSize(model, control_spec), "initial_warmstart": model.nv,
                "sensordata": model.nsensordata}
    wanted = sizes(models[0])
    if any(sizes(other) != wanted for other in models[1:]):
        raise ValueError("models are not compatible")
    for name, array in arrays.items():
        if array is not None and array.shape[-1] != wanted[name]:
            raise ValueError(f"trailing dimension of {name} must be {wanted[name]}, got {array.shape[-1]}")


persistent_rollout = None


def shutdown_persistent_pool():
    """Closes what ``rollout(..., persistent_pool=True)`` keeps open."""
    global persistent_rollout
    if persistent_rollout is not None:
        persistent_rollout.close()
    persistent_rollout = None


atexit.register(shutdown_persistent_pool)


def rollout(model, data, initial_state, control=None, *, control_spec=int(mjtState.mjSTATE_CTRL), skip_checks=False,
            nstep=None, initial_warmstart=None, state=None, sensordata=None, chunk_size=None, persistent_pool=False):
    """States and sensor data of trajectories, see ``Rollout.rollout``; one thread for each state in ``data``."""
    global persistent_rollout
    nthread = len(data) if isinstance(data, (list, tuple)) and len(data) > 1 else 0
    if persistent_pool:
        if persistent_rollout is None or persistent_rollout.nthread != nthread:
            shutdown_persistent_pool()
            persistent_rollout = Rollout(nthread=nthread)
        runner = persistent_rollout
    else:
        runner = Rollout(nthread=nthread)
    return runner.rollout(model, data, initial_state, control, control_spec=control_spec, skip_checks=skip_checks,
                          nstep=nstep, initial_warmstart=initial_warmstart, state=state, sensordata=sensordata,
                          chunk_size=chunk_size)
