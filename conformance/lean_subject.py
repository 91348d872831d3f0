"""Ligament with the lean step, as a module that looks like ``mujoco``: the subject of a conformance run.

``mj_step`` advances the state by the lean step; sensors are those of the exact engine for the state before it, as MuJoCo
leaves them. ``mj_forward`` replaces the acceleration of the exact engine by that of the lean step, and where the solver
converges the constraint force, which is then what the acceleration needs beside the smooth forces.
"""

import weakref

import ligament
import numpy as np

globals().update({name: value for name, value in vars(ligament).items() if not name.startswith("__")})
__version__ = ligament.__version__ + " (lean)"

_engines = weakref.WeakKeyDictionary()


def _engine(model):
    if model not in _engines:
        _engines[model] = ligament._core._Lean(model)
    return _engines[model]


def mj_step(m, d, nstep=1):
    engine = _engine(m)
    for _ in range(nstep):
        warmstart = np.array(d.qacc_warmstart)
        ligament.mj_forward(m, d)
        d.qacc_warmstart[:] = warmstart
        engine.step(d, 1)


def mj_forward(m, d):
    warmstart = np.array(d.qacc_warmstart)
    ligament.mj_forward(m, d)
    after = np.array(d.qacc_warmstart)
    d.qacc_warmstart[:] = warmstart
    d.qacc[:] = _engine(m).forward(d)
    d.qacc_warmstart[:] = after
    if m.nv and m.opt.iterations >= 20:
        product = np.zeros(m.nv)
        ligament.mj_mulM(m, d, product, np.array(d.qacc))
        d.qfrc_constraint[:] = product - d.qfrc_smooth
