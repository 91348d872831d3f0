"""Sums in the order of the reference: smooth dynamics agree with MuJoCo 3.5.0 to the last bit, ties fall the same way."""

import ligament
import mujoco
import numpy as np
import pytest

ARM = """<mujoco><option><flag contact="disable"/></option><worldbody>
  <body name="base" pos="0 0 1"><freejoint/><geom type="capsule" size=".1 .2" euler="10 20 30"/>
    <body pos=".3 .1 0"><joint axis="1 2 3" damping=".1"/><geom type="box" size=".1 .05 .2" pos=".1 .2 .3"/>
      <body pos="0 .2 .1"><joint type="ball"/><geom type="ellipsoid" size=".1 .2 .15" pos=".05 0 .1"/>
        <body pos=".1 0 .2"><joint axis="0 1 .2" armature=".01"/><joint type="slide" axis="1 0 1"/><geom size=".1"/>
          <body pos=".1 0 .2"><joint axis="0 1 .2"/><geom type="cylinder" size=".1 .2"/></body>
        </body></body></body></body></worldbody></mujoco>"""

FIELDS = ("xpos", "xquat", "cdof", "cinert", "M", "qLD", "qLDiagInv", "cvel", "qfrc_bias", "qfrc_smooth", "qacc_smooth")


def twins(xml):
    theirs, ours = mujoco.MjModel.from_xml_string(xml), ligament.MjModel.from_xml_string(xml)
    return (theirs, mujoco.MjData(theirs)), (ours, ligament.MjData(ours))


def test_smooth_dynamics_agree_to_the_last_bit():
    (rm, rd), (m, d) = twins(ARM)
    for name in ("body_inertia", "body_invweight0", "dof_invweight0", "dof_M0"):
        np.testing.assert_array_equal(getattr(m, name), getattr(rm, name), err_msg=name)
    random = np.random.default_rng(0)
    for _ in range(20):
        mujoco.mj_integratePos(rm, rd.qpos, random.standard_normal(rm.nv), 1)
        rd.qvel[:] = random.standard_normal(rm.nv)
        d.qpos[:], d.qvel[:] = rd.qpos, rd.qvel
        mujoco.mj_forward(rm, rd)
        ligament.mj_forward(m, d)
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(d, name), getattr(rd, name), err_msg=name)


@pytest.mark.parametrize("angle", [0, 0.02740166925631098, 0.1, 0.3])
def test_boxes_that_just_touch(angle):
    """The box test decides: centres are projected one by one, then subtracted."""
    (rm, rd), (m, d) = twins("""<mujoco><worldbody><body pos=".07 .025 .0001">
      <geom type="box" pos="0 .1 .15" size=".07 .01 .1501"/>
      <body pos="0 .05 .2"><joint axis="0 1 0"/><geom type="box" pos="0 .02 0" size=".001 .02 .01"/>
        <geom type="cylinder" pos="0 -.035 0" size=".04 .003" euler="0 1.57 0"/></body></body></worldbody></mujoco>""")
    rd.qpos[0] = d.qpos[0] = angle
    mujoco.mj_forward(rm, rd)
    ligament.mj_forward(m, d)
    assert d.ncon == rd.ncon


def test_distance_of_boxes_without_native_ccd():
    """Points that collisions remove count for distances; of equally deep ones the first is taken."""
    (rm, rd), (m, d) = twins("""<mujoco><option><flag nativeccd="disable"/></option><worldbody>
      <geom type="box" size=".0159 .0318 .0096" pos="0 0 .0096"/>
      <geom type="box" size=".0008 .0302 .0088" pos="-.0151 0 .0088"/></worldbody></mujoco>""")
    mujoco.mj_forward(rm, rd)
    ligament.mj_forward(m, d)
    expected, segment = np.zeros(6), np.zeros(6)
    assert ligament.mj_geomDistance(m, d, 0, 1, 0.5, segment) == mujoco.mj_geomDistance(rm, rd, 0, 1, 0.5, expected)
    np.testing.assert_array_equal(segment, expected)
