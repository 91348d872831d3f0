"""Trajectories of the lean step against MuJoCo: a sample of what scripts/conformance-lean runs in full."""

import pathlib
import sys

import models
import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "conformance"))
import lean_subject  # noqa: E402

STEPS = 100
HOLD = 10


HUMANOID = pathlib.Path(__file__).parents[2] / "crates" / "ligament-cli" / "models" / "humanoid.xml"
# the others of the folder have flexes, sleeping, delays and the CG solver
MODELS = {name: pathlib.Path(models.path(name)).read_text() for name in ("contacts", "tendons", "tree")}
MODELS["humanoid"] = HUMANOID.read_text()
MODELS["humanoid, one iteration"] = MODELS["humanoid"].replace("timestep=", 'iterations="1" ls_iterations="4" timestep=')
MODELS["humanoid, elliptic"] = MODELS["humanoid"].replace("timestep=", 'cone="elliptic" timestep=')


def trajectory(engine, name, push=0.0):
    """States after each ten steps with random controls."""
    model = engine.MjModel.from_xml_string(MODELS[name])
    data = engine.MjData(model)
    if model.nkey:
        engine.mj_resetDataKeyframe(model, data, 0)
    data.qvel[:] += push
    random = np.random.default_rng(3)
    states = []
    for _ in range(STEPS // HOLD):
        data.ctrl[:] = random.uniform(-0.5, 0.5, model.nu)
        for _ in range(HOLD):
            engine.mj_step(model, data)
        states.append(np.concatenate([data.qpos, data.qvel, data.act, data.sensordata]))
    return states


@pytest.mark.parametrize("name", MODELS)
def test_trajectories_are_those_of_the_reference(name):
    expected, disturbed = trajectory(mujoco, name), trajectory(mujoco, name, 1e-10)
    for step, (a, b, c) in enumerate(zip(trajectory(lean_subject, name), expected, disturbed)):
        scale = max(1.0, np.abs(b).max(initial=0.0))
        chaos = np.abs(b - c).max(initial=0.0)
        if chaos > 1e-4 * scale:
            return  # a push of 1e-10 has grown a million times: nothing is left to compare
        error = np.abs(a - b).max(initial=0.0)
        assert error <= max(1e-8 * scale, 100 * chaos), f"after {HOLD * (step + 1)} steps: {error}"
