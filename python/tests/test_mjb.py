"""Binary models of MuJoCo 3.5.0."""

import struct

import ligament
import mujoco
import numpy as np
import pytest

XML = """<mujoco>
  <option timestep="0.003" integrator="RK4" wind="1 2 3"/><visual><rgba fog="1 0 0 1"/></visual>
  <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <texture name="t" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0" rgb2="0 1 0"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="b" pos="0 0 .5"><freejoint name="j"/><geom name="g" type="mesh" mesh="m"/><site name="s"/></body>
    <body name="c" pos="1 0 .5"><joint name="h" axis="0 1 0"/><geom size=".1" user="1 2"/><site name="u"/></body>
  </worldbody>
  <tendon><spatial name="t"><site site="s"/><site site="u"/></spatial></tendon>
  <actuator><motor name="a" joint="h"/></actuator>
  <sensor><accelerometer site="s"/></sensor>
  <keyframe><key name="k" time="3"/></keyframe>
</mujoco>"""


def models():
    return mujoco.MjModel.from_xml_string(XML), ligament.MjModel.from_xml_string(XML)


def test_written_as_mujoco_writes(tmp_path):
    theirs, ours = models()
    mujoco.mj_saveModel(theirs, str(tmp_path / "theirs.mjb"))
    ligament.mj_saveModel(ours, str(tmp_path / "ours.mjb"))
    assert (tmp_path / "ours.mjb").read_bytes() == (tmp_path / "theirs.mjb").read_bytes()
    assert ligament.mj_sizeModel(ours) == mujoco.mj_sizeModel(theirs)
    assert mujoco.MjModel.from_binary_path(str(tmp_path / "ours.mjb")).nv == 7


def test_read_as_mujoco_reads(tmp_path):
    theirs, ours = models()
    path = str(tmp_path / "theirs.mjb")
    mujoco.mj_saveModel(theirs, path)
    read = ligament.MjModel.from_binary_path(path)
    for name in ligament._core.MjModel._field_names():
        np.testing.assert_array_equal(getattr(read, name), getattr(ours, name), err_msg=name)
    assert read.opt == ours.opt and read.vis == ours.vis and read.stat == ours.stat
    data = ligament.MjData(read)
    ligament.mj_step(read, data, 10)
    expected = mujoco.MjData(theirs)
    mujoco.mj_step(theirs, expected, 10)
    np.testing.assert_array_equal(data.qpos, expected.qpos)


@pytest.mark.parametrize("damage, words", [
    (lambda b: b[:10], "does not start with"),
    (lambda b: b"\0" * len(b), "does not start with"),
    (lambda b: b[:12] + struct.pack("<i", 3002007) + b[16:], "is of MuJoCo 3.2.7; only those of 3.5.0"),
    (lambda b: b[:4] + struct.pack("<i", 4) + b[8:], "numbers of 4 bytes"),
    (lambda b: b[:8] + struct.pack("<i", 80) + b[12:], "80 sizes"),
    (lambda b: b[:-1], "bytes expected"),
    (lambda b: b + b"\0", "bytes expected"),
    (lambda b: b[:20] + struct.pack("<q", 1 << 60) + b[28:], "damaged"),
    (lambda b: b[:20] + struct.pack("<q", -5) + b[28:], "nq cannot be -5"),
])
def test_damaged_files_are_refused(tmp_path, damage, words):
    path = tmp_path / "model.mjb"
    ligament.mj_saveModel(models()[1], str(path))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=words):
        ligament.MjModel.from_binary_path(str(path))


def test_noise_never_ends_the_program(tmp_path):
    """Files with a few changed bytes load or are refused."""
    path = tmp_path / "model.mjb"
    ligament.mj_saveModel(models()[1], str(path))
    good = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    random = np.random.default_rng(0)
    for _ in range(200):
        bad = good.copy()
        bad[random.integers(20, len(bad), 3)] = random.integers(0, 256, 3)
        path.write_bytes(bad.tobytes())
        try:
            ligament.MjModel.from_binary_path(str(path))
        except ValueError:
            pass
