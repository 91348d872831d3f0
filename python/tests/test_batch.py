"""Batches beyond MuJoCo's own test: larger models, memory shared with other libraries, outcomes."""

import os
import subprocess
import sys
import threading

import mujoco
import numpy as np
import pytest

import ligament
from ligament import batch
from models import CORPUS

XML = """
<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="torso" pos="0 0 .6">
      <freejoint name="root"/>
      <geom name="torso" type="capsule" size=".08 .1"/>
      <site name="imu"/>
      <body name="thigh" pos="0 .1 -.15">
        <joint name="hip" axis="0 1 0" range="-60 60" limited="true" damping="1"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.2" size=".04"/>
        <body name="shin" pos="0 0 -.22">
          <joint name="knee" axis="0 1 0" range="-120 5" limited="true" armature=".01"/>
          <geom name="shin" type="capsule" fromto="0 0 0 0 0 -.2" size=".03"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="hip" joint="hip" gear="20"/>
    <general joint="knee" dyntype="filter" dynprm=".05" gainprm="5"/>
  </actuator>
  <sensor><gyro site="imu"/><accelerometer site="imu"/><framepos objtype="body" objname="shin"/></sensor>
  <keyframe><key qpos="0 0 1 1 0 0 0 .1 -.2"/></keyframe>
</mujoco>
"""


@pytest.fixture
def model():
    return ligament.MjModel.from_xml_string(XML)


def noise(nsim, nu, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, (nsim, nu))


@pytest.mark.parametrize("nthread", [1, 2, 4, 8])
def test_bits_of_mujoco(model, nthread):
    """F10.1: worlds of a batch have the bits of MuJoCo 3.5.0, world by world, for any number of threads."""
    reference = mujoco.MjModel.from_xml_string(XML)
    b = batch.Batch(model, 9, nthread)
    states = [mujoco.MjData(reference) for _ in range(9)]
    for k in range(60):
        u = noise(9, model.nu, k)
        b.ctrl = u
        b.step(nstep=2)
        for i, d in enumerate(states):
            d.ctrl[:] = u[i]
            mujoco.mj_step(reference, d, 2)
    for i, d in enumerate(states):
        np.testing.assert_array_equal(b.qpos[i], d.qpos)
        np.testing.assert_array_equal(b.qvel[i], d.qvel)


def test_a_bad_world_is_reported(model):
    """F10.3: divergence shows in the status and in words; the other worlds keep every bit."""
    good, bad = batch.Batch(model, 4), batch.Batch(model, 4)
    for b in (good, bad):
        b.step(nstep=3)
    bad.qvel[2, 0] = np.nan
    for b in (good, bad):
        b.step(nstep=3)
    np.testing.assert_array_equal(bad.status, [0, 0, -1, 0])
    assert "qvel" in bad.error(2) and "reset" in bad.error(2) and bad.error(0) == ""
    others = [0, 1, 3]
    np.testing.assert_array_equal(good.state[others], bad.state[others])
    assert bad.time[2] < good.time[2]
    bad.step()
    assert not bad.status.any()


def test_observations_are_current_after_one_call(model):
    """Fields of the position and velocity stages describe the new state; a persistent batch has the same bits."""
    results = []
    for persistent in (False, True):
        b = batch.Batch(model, 5, 2, persistent)
        xpos, cvel, sensordata = b.bind("xpos"), b.bind("cvel"), b.bind("sensordata")
        for k in range(10):
            b.ctrl = noise(5, model.nu, k)
            b.step(nstep=3, stage=ligament.mjtStage.mjSTAGE_VEL)
            d = b.get_data(3)
            ligament.mj_forward(model, d)
            np.testing.assert_array_equal(xpos[3], d.xpos)
            np.testing.assert_array_equal(cvel[3], d.cvel)
            np.testing.assert_array_equal(sensordata[3, :3], d.sensordata[:3])
        results.append(b.state.copy())
    np.testing.assert_array_equal(*results)


def test_controls_per_substep(model):
    """A rollout takes one control per sub-step and leaves the state where single steps would."""
    n, nstep = 3, 6
    control = np.random.default_rng(1).uniform(-1, 1, (n, nstep, model.nu))
    whole, single = batch.Batch(model, n), batch.Batch(model, n)
    out = whole.rollout(nstep, control, record=("qpos", "ncon"))
    for k in range(nstep):
        single.ctrl = control[:, k]
        single.step()
        np.testing.assert_array_equal(out["qpos"][:, k], single.qpos)
    np.testing.assert_array_equal(whole.state, single.state)


def test_dlpack_without_copies(model):
    """State parts and derived fields go to other libraries without copies."""
    b = batch.Batch(model, 4)
    xpos = b.bind("xpos")
    for array in (b.state, b.qpos, xpos, b.status, b.expand("body_mass")):
        lent = np.from_dlpack(array)
        assert lent.__array_interface__["data"][0] == array.__array_interface__["data"][0]
        assert lent.shape == array.shape


def test_tensors_share_memory(model):
    """PyTorch sees steps in its tensors, and the batch what is written into them."""
    torch = pytest.importorskip("torch")
    b = batch.Batch(model, 4)
    xpos = b.bind("xpos")
    qpos, tensor = torch.from_dlpack(b.qpos), torch.from_dlpack(xpos)
    b.step(nstep=5)
    np.testing.assert_array_equal(qpos.numpy(), b.qpos)
    np.testing.assert_array_equal(tensor.numpy(), xpos)
    qpos[:, 2] += 1
    assert (b.qpos[:, 2] > 1).all()


def test_devices(model):
    """What cannot be had is refused in one clear sentence."""
    assert batch.Batch(model, 2, device="cpu").device == "cpu"
    with pytest.raises(ValueError, match="device must be 'cpu', 'cuda', 'auto' or 'emulated'"):
        batch.Batch(model, 2, device="tpu")


def test_batches_in_several_threads(model):
    """Batches share the cores: several at once give the numbers of one after the other."""
    def run(b):
        for k in range(50):
            b.ctrl = noise(16, model.nu, k)
            b.step()
        return b.state.copy()
    expected = run(batch.Batch(model, 16, 2))
    batches = [batch.Batch(model, 16, 3) for _ in range(4)]
    threads = [threading.Thread(target=run, args=(b,)) for b in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for b in batches:
        np.testing.assert_array_equal(b.state, expected)


def test_parameters_cost_only_what_differs(model):
    """Friction and masses per world: nothing else is per world, and steps follow them."""
    b = batch.Batch(model, 8, 2)
    b.expand("geom_friction")[:, :, 0] *= np.linspace(0.5, 2, 8)[:, None]
    b.body("torso").mass = np.linspace(1, 4, 8)[:, None]
    b.set_const()
    assert b.expanded("body_subtreemass") is not None
    assert b.expanded("body_pos") is None and b.expanded("geom_size") is None
    b.step(nstep=100)
    for i in (0, 5):
        own = b.get_model(i)
        d = ligament.MjData(own)
        for _ in range(100):
            ligament.mj_step(own, d)
        np.testing.assert_array_equal(d.qpos, b.qpos[i])


def test_randomize(model):
    """Draws by field and name, the same for any number of threads and any choice of simulations."""
    one, two = batch.Batch(model, 6, 1), batch.Batch(model, 6, 3)
    for b, groups in ((one, (None,)), (two, ([1, 4], [0, 2, 3, 5]))):
        for ids in groups:
            b.randomize("body_mass", uniform=(0.8, 1.2), seed=7, ids=ids)
            b.randomize("geom_friction", loguniform=(0.1, 10), names=["torso", "shin"], columns=0, effect="set", ids=ids)
            b.randomize("qpos", normal=(0, 0.1), names="knee", effect="add", seed=1, ids=ids)
        b.set_const()
        b.step(nstep=50)
    for name in ("body_mass", "geom_friction", "body_invweight0"):
        np.testing.assert_array_equal(one.expanded(name), two.expanded(name))
    np.testing.assert_array_equal(one.state, two.state)
    ratio = one.expand("body_mass")[:, 1:] / model.body_mass[1:]
    assert (ratio >= 0.8).all() and (ratio <= 1.2).all() and len(np.unique(ratio)) == ratio.size
    friction = one.expand("geom_friction")
    np.testing.assert_array_equal(friction[:, :, 1:], np.broadcast_to(model.geom_friction[:, 1:], (6, 4, 2)))
    assert (friction[:, 2, 0] == model.geom_friction[2, 0]).all() and len(np.unique(friction[:, 3, 0])) == 6
    with pytest.raises(ValueError, match="no Body is called 'nobody'"):
        one.randomize("body_mass", uniform=(0, 1), names="nobody")
    with pytest.raises(ValueError, match="one of uniform"):
        one.randomize("body_mass")


def fall(b, mode, **options):
    def begin(b, ids, rng):
        b.qpos[ids, 2] = rng.uniform(1, 2, len(ids))
    return batch.Episodes(b, observe=lambda b: b.xpos[:, 1, 2].copy(), reward=lambda b, u, before: before - b.qpos[:, 2],
                          before=lambda b, u: b.qpos[:, 2].copy(), terminated=lambda b: b.qpos[:, 2] < 0.7, begin=begin,
                          autoreset=mode, nstep=5, seed=0, **options)


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_episodes(model, mode):
    """Gymnasium's three modes of automatic resets."""
    e = fall(batch.Batch(model, 7), mode)
    obs, _ = e.reset()
    assert ((obs >= 1) & (obs < 2)).all()
    ended = np.zeros(7, bool)
    ends = 0
    for _ in range(60):
        obs, reward, terminated, truncated, info = e.step(np.zeros((7, model.nu)))
        ends += terminated.sum()
        assert not truncated.any()
        if mode == "next_step":
            assert (reward[ended] == 0).all() and (obs[ended] >= 1).all() and not terminated[ended].any()
            assert (obs[terminated] < 0.7).all()
        if mode == "same_step" and terminated.any():
            assert (info["final_obs"][terminated] < 0.7).all() and (obs[terminated] >= 1).all()
            assert (reward[terminated] > 0).all()
        ended = terminated
    assert ends >= 7
    if mode == "disabled":
        assert terminated.all()


def test_time_limits_and_failures(model):
    """Episodes are truncated in time, and terminated where numbers go bad."""
    e = fall(batch.Batch(model, 3), "next_step", time_limit=4)
    e.reset()
    for k in range(4):
        *_, truncated, _ = e.step(np.zeros((3, model.nu)))
        assert truncated.all() == (k == 3)
    e.step(np.zeros((3, model.nu)))
    e.batch.qvel[1, 0] = np.nan
    _, reward, terminated, _, _ = e.step(np.zeros((3, model.nu)))
    np.testing.assert_array_equal(terminated, [False, True, False])
    assert reward[1] == 0


CASSIE = """
import os, sys
import numpy as np
import ligament
from ligament import batch

def megabytes():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

model = ligament.MjModel.from_xml_path(sys.argv[1])
before = megabytes()
b = batch.Batch(model, 4096, 2)
b.randomize("geom_friction", uniform=(0.5, 1.5))
b.randomize("body_mass", uniform=(0.8, 1.2), seed=1)
b.set_const()
b.step()
assert b.expanded("body_invweight0") is not None and not b.status.any()
print(megabytes() - before)
"""


def test_memory_of_many_worlds(tmp_path):
    """4096 worlds of Cassie with friction and masses of their own take less than 300 MB."""
    path = CORPUS / "menagerie/agility_cassie/scene.xml"
    if not path.is_file() or not os.path.exists("/proc/self/status"):
        pytest.skip("needs a corpus with Cassie, on Linux")
    (tmp_path / "cassie.py").write_text(CASSIE)
    done = subprocess.run([sys.executable, tmp_path / "cassie.py", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 300, done.stdout


LEAN = """<mujoco><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 .25"><freejoint/>
  <geom type="capsule" size=".1 .1"/><body pos="0 .1 -.1"><joint name="hip" axis="0 1 0" range="-60 60" limited="true"/>
  <geom type="capsule" fromto="0 0 0 0 .1 -.1" size=".04"/></body></body></worldbody>
  <actuator><motor joint="hip" gear="2"/></actuator></mujoco>"""


def test_lean_steps_agree_with_exact_ones():
    model = ligament.MjModel.from_xml_string(LEAN)
    batches = [batch.Batch(model, 9, exact=exact) for exact in (True, False, "auto")]
    for b in batches:
        b.ctrl[:, 0] = np.linspace(-1, 1, 9)
        b.step(nstep=20)
    exact, lean, auto = batches
    assert (exact.exact, lean.exact, auto.exact) == (True, False, False)
    np.testing.assert_allclose(lean.qpos, exact.qpos, rtol=0, atol=1e-9)
    np.testing.assert_allclose(lean.qvel, exact.qvel, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(auto.state, lean.state)
    assert not np.array_equal(lean.state, exact.state)


def test_lean_steps_refuse_by_name_and_auto_warns():
    model = ligament.MjModel.from_xml_string(LEAN.replace("<mujoco>", '<mujoco><option solver="PGS"/>'))
    with pytest.raises(ValueError, match="the PGS solver"):
        batch.Batch(model, 3, exact=False)
    with pytest.warns(RuntimeWarning, match="the PGS solver"):
        auto = batch.Batch(model, 3, exact="auto")
    assert auto.exact
    with pytest.raises(ValueError, match="exact must be"):
        batch.Batch(model, 3, exact="nearly")
