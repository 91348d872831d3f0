"""The models of conformance/models in both engines."""

import os
import pathlib

import ligament
import mujoco
import numpy as np

FOLDER = pathlib.Path(__file__).parents[2] / "conformance" / "models"
# public models, which need not be there
CORPUS = pathlib.Path(os.environ.get("LIGAMENT_CORPUS") or FOLDER.parents[2] / "shared" / "corpus")
NAMES = sorted(path.stem for path in FOLDER.glob("*.xml"))


def path(name):
    return str(FOLDER / f"{name}.xml")


def both(name):
    """The model and a state, in Ligament and in MuJoCo."""
    ours, theirs = ligament.MjModel.from_xml_path(path(name)), mujoco.MjModel.from_xml_path(path(name))
    return (ours, ligament.MjData(ours)), (theirs, mujoco.MjData(theirs))


def disturbed(name, seed=0):
    """As ``both``, in the same random state after a forward pass."""
    (m, d), (rm, rd) = both(name)
    random = np.random.default_rng(seed)
    mujoco.mj_resetDataKeyframe(rm, rd, 0)
    mujoco.mj_integratePos(rm, rd.qpos, 0.1 * random.standard_normal(rm.nv), 1)
    rd.qvel[:] = random.standard_normal(rm.nv)
    rd.ctrl[:] = 0.3 * random.standard_normal(rm.nu)
    for field in ("qpos", "qvel", "act", "ctrl"):
        getattr(d, field)[:] = getattr(rd, field)
    ligament.mj_forward(m, d)
    mujoco.mj_forward(rm, rd)
    return (m, d), (rm, rd)
