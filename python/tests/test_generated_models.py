"""Models that nobody wrote, live against the reference: a short run of conformance/differential."""

import os
import sys

import ligament
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "conformance"))

from differential import known, mjcf, mutate, urdf  # noqa: E402
from differential.examine import examine  # noqa: E402

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="each model runs in a process of its own")

BASE = """<mujoco><option timestep="0.005"><flag energy="enable"/></option>
  <default><geom density="500"/><default class="arm"><joint damping="0.1" range="-60 60"/></default></default>
  <worldbody><geom type="plane" size="1 1 .1"/><light pos="0 0 2"/><site name="anchor" pos="0 0 .6"/>
    <body name="base" pos="0 0 .5"><freejoint/><geom name="trunk" type="box" size=".1 .1 .05"/>
      <body name="upper" pos=".1 0 0"><joint name="shoulder" class="arm" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/><site name="tip" pos=".2 0 0"/></body></body></worldbody>
  <tendon><spatial name="cord" stiffness="5"><site site="anchor"/><site site="tip"/></spatial></tendon>
  <actuator><position name="servo" joint="shoulder" kp="3" ctrlrange="-1 1"/></actuator>
  <sensor><framepos objtype="site" objname="tip"/><tendonpos tendon="cord"/><actuatorfrc actuator="servo"/></sensor>
  <keyframe><key name="start" qpos="0 0 .6 1 0 0 0 .2" ctrl=".1"/></keyframe></mujoco>"""


def differences(text, repaired=True):
    found, _ = examine(text, repaired=repaired)
    return [difference for difference in found if difference[0] != "message"]


@pytest.mark.parametrize("seed", range(40))
def test_generated_mjcf(seed):
    assert differences(mjcf.generate(seed)) == []


@pytest.mark.parametrize("seed", range(20))
def test_generated_urdf(seed):
    assert differences(urdf.generate(seed)) == []


@pytest.mark.parametrize("seed", range(40))
def test_changed_model(seed):
    assert differences(mutate.mutate(BASE, seed), repaired=False) == []


def test_generator_is_valid_most_of_the_time():
    """Otherwise the tests above would compare refusals only."""
    loaded = sum(examine(mjcf.generate(seed))[1]["loaded"] for seed in range(10))
    assert loaded >= 5


RADIAL = """<mujoco><worldbody><flexcomp name="f" type="direct" dim="3" dof="{dof}" mass="1" radius=".01"
    point="0 0 0  .3 0 0  0 .3 0  0 0 .3" element="0 1 2 3">
  <elasticity young="1e4" poisson=".2" damping=".1"/><contact contype="0" conaffinity="0"/></flexcomp></worldbody></mujoco>"""


def test_known_deviations_are_named():
    """Forces of radial flexes differ, and only they: the row is named. Flexes with three slides agree without it."""
    found, seen = examine(RADIAL.format(dof="radial"))
    assert found == [] and seen["known"] and set(seen["known"]) == {known.CROOKED.name}
    found, seen = examine(RADIAL.format(dof="full"))
    assert found == [] and seen["known"] == []


def test_known_deviations_excuse_nothing_else():
    """A row accounts for the fields that it reaches, in states in which it shows, on the dofs concerned."""
    text = RADIAL.format(dof="radial").replace("<flexcomp", '<body pos="1 0 0"><freejoint/><geom size=".1"/></body><flexcomp', 1)
    engines = [(mujoco, mujoco.MjModel.from_xml_string(text)), (ligament, ligament.MjModel.from_xml_string(text))]
    states = []
    for engine, model in engines:
        data = engine.MjData(model)
        data.qpos[7:] = [0.01, -0.02, 0.03, 0.02][:model.nq - 7]
        engine.mj_forward(model, data)
        states.append(data)
    forces, poses = ("forward1 velocity qfrc_spring", ""), ("forward1 position xpos", "")
    expected, actual = states
    assert known.explain([forces], mujoco, engines[0][1], expected, actual) == known.CROOKED.name
    assert known.explain([forces, poses], mujoco, engines[0][1], expected, actual) is None
    actual.qfrc_spring[2] += 1                 # a dof of the free body
    assert known.explain([forces], mujoco, engines[0][1], expected, actual) is None
    assert known.explain([forces], mujoco, engines[0][1], expected, expected) is None


def test_known_deviations_are_documented():
    path = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "deviations.md")
    with open(path, encoding="utf-8") as file:
        text = " ".join(file.read().replace("`", "").split())
    for name in [row.name for row in known.ROWS] + [known.TEXTURE, known.EDGE, known.SETTING]:
        assert name in text, name
