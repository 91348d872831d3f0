"""One world with the lean step: the same physics as ``mj_step`` within rounding, faster. See ``docs/lean.md``."""

import numpy as np

from ligament import _core
from ligament._enums import mjtState
from ligament._functions import mj_forward, mj_getState, mj_resetData, mj_resetDataKeyframe, mj_setState, mj_stateSize
from ligament._structs import MjData

__all__ = ["Lean"]

_STATE = frozenset((
    "time", "qpos", "qvel", "act", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat",
    "eq_active", "userdata",
))
_ALL = int(mjtState.mjSTATE_INTEGRATION)


class Lean:
    """A world that steps with the lean engine.

    >>> world = ligament.Lean(model)
    >>> world.ctrl[:] = 0.1
    >>> world.step(10)
    >>> world.qpos, world.xpos, world.sensordata

    State and inputs (``qpos``, ``ctrl``, ...) are views that can be written. Every other field of ``MjData`` is computed for
    the current state when it is read, by the exact engine, and not before; ``data`` is all of it, for functions that take
    an ``MjData``. Reading changes no later step. The model is copied: later changes of it ask for another ``Lean``.

    A model that has something the lean step has not raises ``ValueError``, which names it.
    """

    def __init__(self, model):
        own = self.__dict__
        own["model"] = model
        own["_native"] = _core._Lean(model)
        own["_state"] = MjData(model)
        own["_results"] = None
        own["_row"], own["_shown"] = (np.zeros(mj_stateSize(model, _ALL)) for _ in range(2))

    def step(self, nstep=1):
        """Advances the state by ``nstep`` time steps."""
        self._native.step(self._state, nstep)

    def forward(self):
        """Accelerations (nv) that the lean step computes for the state; nothing moves."""
        return self._native.forward(self._state)

    def reset(self, keyframe=None):
        """Goes back to the initial state, or to that of a keyframe."""
        if keyframe is None:
            mj_resetData(self.model, self._state)
        else:
            mj_resetDataKeyframe(self.model, self._state, keyframe)

    @property
    def data(self):
        """Everything that follows from the current state; writing into it does not change the world."""
        mj_getState(self.model, self._state, self._row, _ALL)
        if self._results is None:
            self.__dict__["_results"] = MjData(self.model)
        elif np.array_equal(self._row, self._shown):
            return self._results
        mj_setState(self.model, self._results, self._row, _ALL)
        mj_forward(self.model, self._results)
        self._shown[:] = self._row
        return self._results

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._state if name in _STATE else self.data, name)

    def __setattr__(self, name, value):
        if name not in _STATE:
            raise AttributeError(f"{name} is not part of the state of a world: only {', '.join(sorted(_STATE))} can be set")
        setattr(self._state, name, value)

    def __dir__(self):
        return sorted({*super().__dir__(), *(name for name in dir(MjData) if not name.startswith("_"))})
