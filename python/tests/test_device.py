"""Batches on a device. There is no GPU where these run: an emulated device runs the GPU's kernels on the processor; without a
GPU, asking for one is one clear sentence, or the CPU where that was allowed."""

import ctypes
import importlib.util
import shutil
import types

import ligament
import numpy as np
import pytest
from ligament import batch

BALL = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""

ARM = """<mujoco>
  <option timestep="0.004"/>
  <visual><global offwidth="64" offheight="64"/></visual>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/><light pos="0 0 3"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <body name="base" pos="0 0 1"><joint name="turn" axis="0 0 1" damping=".1"/><geom name="post" size=".1" mass="1"/>
      <body name="arm" pos=".1 0 0"><joint name="lift" axis="0 1 0" damping=".2" range="-100 100"/>
        <geom name="bone" type="capsule" fromto="0 0 0 .4 0 0" size=".04"/><site name="tip" pos=".4 0 0"/></body></body>
    <body name="ball" pos=".5 0 .1"><freejoint name="free"/><geom name="ball" size=".1"/></body>
    <body name="guide" mocap="true" pos="1 0 1"><geom size=".02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <actuator><motor name="turn" joint="turn" gear="2"/><position name="lift" joint="lift" kp="20"/></actuator>
  <sensor><jointpos joint="lift"/><framelinvel objtype="site" objname="tip"/><accelerometer site="tip"/></sensor>
  <keyframe><key name="up" qpos="0.3 -1 .5 0 .3 1 0 0 0" ctrl="0.1 0.2"/><key name="far" qpos="1 0 2 0 .1 1 0 0 0"/></keyframe>
</mujoco>"""

RESULTS = set("""act_dot actuator_force actuator_length actuator_velocity cacc cfrc_ext cfrc_int cvel geom_xmat geom_xpos ncon qacc
  qfrc_actuator qfrc_bias qfrc_constraint qfrc_passive qfrc_smooth sensordata site_xmat site_xpos subtree_com ten_length ten_velocity
  xanchor xaxis ximat xipos xmat xpos xquat""".split())

VEL, ACC, POS = (getattr(ligament.mjtStage, f"mjSTAGE_{name}") for name in ("VEL", "ACC", "POS"))


def has_gpu():
    try:
        batch.Batch(ligament.MjModel.from_xml_string(BALL), 1, device="cuda")
    except (RuntimeError, ValueError):
        return False
    return True


needs_no_gpu = pytest.mark.skipif(has_gpu(), reason="there is a GPU")


@pytest.fixture(scope="module", autouse=True)
def compiler():
    assert shutil.which("c++"), "an emulated device needs a C++ compiler"


@pytest.fixture(scope="module")
def model():
    return ligament.MjModel.from_xml_string(ARM)


def pair(model, nsim=5, dtype="float64", **options):
    """The same batch on an emulated device and on the CPU."""
    return (batch.Batch(model, nsim, device="emulated", dtype=dtype, **options), batch.Batch(model, nsim, **options))


def agree(there, here, tolerance=1e-9):
    np.testing.assert_allclose(np.asarray(there), np.asarray(here), rtol=tolerance, atol=tolerance)


# -------------------------------------------------------------------------------------------------------- without a GPU

@needs_no_gpu
def test_without_a_gpu_the_error_is_one_sentence():
    """F11.3: without a GPU, asking for one says what is missing and what to do."""
    model = ligament.MjModel.from_xml_string(BALL)
    with pytest.raises(RuntimeError, match='no NVIDIA GPU can be used: .*; use device="cpu"'):
        batch.Batch(model, 4, device="cuda")


@needs_no_gpu
def test_auto_falls_back_to_the_cpu_and_says_why():
    """F11.3: without a GPU the batch runs on the CPU, and a warning says so."""
    model = ligament.MjModel.from_xml_string(BALL)
    with pytest.warns(RuntimeWarning, match="simulating on the CPU: no NVIDIA GPU"):
        many = batch.Batch(model, 4, device="auto")
    many.step(nstep=10)
    assert many.device == "cpu" and many.exact and np.all(many.qpos[:, 2] < 1)


@pytest.mark.parametrize("device", ["cuda", "emulated"])
def test_what_the_kernels_do_not_have_is_refused_by_name(device):
    model = ligament.MjModel.from_xml_string(BALL)
    with pytest.raises(ValueError, match="does not have data that are kept for every world"):
        batch.Batch(model, 4, persistent=True, device=device)
    model.opt.solver = ligament.mjtSolver.mjSOL_PGS
    with pytest.raises(ValueError, match="does not have the PGS solver"):
        batch.Batch(model, 4, device=device)


def test_unknown_devices_are_refused():
    model = ligament.MjModel.from_xml_string(BALL)
    with pytest.raises(ValueError, match="device must be 'cpu', 'cuda', 'auto' or 'emulated', got 'tpu'"):
        batch.Batch(model, 4, device="tpu")
    with pytest.raises(ValueError, match="dtype must be float32 or float64"):
        batch.Batch(model, 4, device="cuda", dtype="int32")


# ---------------------------------------------------------------------------------------- NVIDIA's compiler, without a GPU

@pytest.fixture
def nvrtc(tmp_path, monkeypatch):
    assert importlib.util.find_spec("nvidia"), "pip install nvidia-cuda-nvrtc"
    monkeypatch.setenv("LIGAMENT_CACHE", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("architecture, dtype", [("sm_80", "float32"), ("sm_90", "float64"), ("sm_120", "float32")])
def test_kernels_are_compiled_where_no_gpu_is(model, nvrtc, architecture, dtype):
    """Every result of the kernels, for usual chips; what is in the cache is not compiled again."""
    everything = [name for name in batch.DATA_FIELDS if name in RESULTS]
    sizes = batch.compile_kernels(model, architecture, dtype=dtype, bind=everything)
    kept = {file: file.stat().st_mtime_ns for file in nvrtc.iterdir()}
    assert len(sizes) == len(kept) and min(sizes) > 10_000 and len(everything) == len(RESULTS)
    assert batch.compile_kernels(model, architecture, dtype=dtype, bind=everything) == sizes
    assert {file: file.stat().st_mtime_ns for file in nvrtc.iterdir()} == kept


def test_kernels_that_cannot_be_compiled_are_refused(model, nvrtc):
    for wrong in ("hopper", "sm_", "sm_9x", -90):
        with pytest.raises(ValueError, match="architecture must be like 'sm_90'"):
            batch.compile_kernels(model, wrong)
    with pytest.raises(RuntimeError, match="the kernels cannot be compiled: .*architecture"):
        batch.compile_kernels(model, "sm_7")
    with pytest.raises(ValueError, match='does not have "efc_force" among its results'):
        batch.compile_kernels(model, bind="efc_force")
    with pytest.raises(ValueError, match="does not have sensors of this type"):
        other = ligament.MjModel.from_xml_string(ARM.replace("<sensor>", '<sensor><rangefinder site="tip"/>'))
        batch.compile_kernels(other, bind="sensordata")


# ------------------------------------------------------------------------------------------------------ the same script

@pytest.mark.parametrize("dtype, tolerance", [("float64", 1e-9), ("float32", 2e-4)])
def test_the_same_script_runs_on_both(model, dtype, tolerance):
    """F11.1: the same inputs give the CPU's trajectories, fields and sensors."""
    def script(b):
        qpos, qvel, ctrl, xpos = (b.bind(name) for name in ("qpos", "qvel", "ctrl", "xpos"))
        b.qpos[:, 1] = np.linspace(-0.5, 0.5, b.nsim)
        seen = []
        for k in range(12):
            ctrl[:] = np.stack([0.3 * np.sin(k - qpos[:, 0]), -0.5 * xpos[:, 2, 0]], axis=1)
            b.step(nstep=3, stage=VEL if k % 2 else ligament.mjtStage.mjSTAGE_NONE)
            seen.append(np.concatenate([qpos, qvel, np.reshape(xpos, (b.nsim, -1)), b.sensordata[:, :4], b.site_xpos[:, 0],
                                        b.subtree_com[:, 1], b.ncon[:, None]], axis=1))
        b.forward()
        return np.array(seen), np.array(b.sensordata), np.array(b.qacc), np.array(b.time)

    there, here = pair(model, dtype=dtype)
    for ours, theirs in zip(script(there), script(here)):
        agree(ours, theirs, tolerance)
    assert there.qpos.dtype == dtype and there.device == "emulated" and not there.exact


def test_ids_choose_simulations(model):
    there, here = pair(model)
    for b in (there, here):
        b.ctrl = 0.3
        b.step(nstep=2)
        b.step([1, 3], nstep=4)
        b.step(np.array([True, False, False, False, True]), nstep=1)
        with pytest.raises(ValueError, match="ids must rise"):
            b.step([2, 1])
    agree(there.qpos, here.qpos)
    agree(there.time, here.time)


def test_resets_are_those_of_the_cpu(model):
    """F11.1 F10.6: defaults, keyframes, ids, masks; results are those of the new state."""
    there, here = pair(model)
    for b in (there, here):
        b.bind("xpos")
        b.step(nstep=5)
        b.reset([0, 2, 3], keyframe=[0, -1, 1])
        b.reset(np.array([False, True, False, False, False]))
        with pytest.raises(ValueError, match="keyframe must be in"):
            b.reset(keyframe=2)
    for name in ("qpos", "qvel", "ctrl", "time", "mocap_pos", "qacc_warmstart"):
        agree(getattr(there, name), getattr(here, name))
    agree(there.xpos[:4], here.xpos[:4])
    there.step(nstep=3)
    here.step(nstep=3)
    agree(there.qpos, here.qpos)


def test_rollouts_are_those_of_the_cpu(model):
    there, here = pair(model)
    control = np.random.default_rng(1).uniform(-1, 1, (3, 6, model.nu))
    record = ("qpos", "sensordata", "xpos", "ncon", "time", int(ligament.mjtState.mjSTATE_PHYSICS))
    found, expected = (b.rollout(6, control, record=record, ids=[0, 1, 4]) for b in (there, here))
    for item in record:
        assert found[item].shape == expected[item].shape and found[item].dtype == expected[item].dtype
        agree(found[item], expected[item])
    agree(there.qpos, here.qpos)
    # fields that the kernels do not have: the CPU makes the rollout
    found, expected = (b.rollout(2, record=("cinert", "qpos")) for b in (there, here))
    agree(found["cinert"], expected["cinert"])
    agree(there.qvel, here.qvel)


def test_fields_that_the_kernels_lack_come_from_the_cpu(model):
    there, here = pair(model)
    with pytest.warns(RuntimeWarning, match="'cinert' is computed on the CPU"):
        there.bind("cinert")
    for b in (there, here):
        b.bind("cinert"), b.bind("xpos")
        b.ctrl = 0.5
    for stage in (ligament.mjtStage.mjSTAGE_NONE, POS, VEL, ACC):
        for b in (there, here):
            b.step(nstep=3, stage=stage)
        for name in ("cinert", "xpos", "qpos"):
            agree(getattr(there, name), getattr(here, name))


def test_what_a_call_does_not_compute_is_zero(model):
    """As on the CPU: after resets and forward steps that end early, results of later stages are zero; after steps they stay."""
    names = ("xpos", "cvel", "qfrc_bias", "qacc", "actuator_force", "qfrc_constraint", "cacc", "cfrc_ext", "cfrc_int", "sensordata")
    there, here = pair(model)
    bare = pair(ligament.MjModel.from_xml_string(ARM.replace("<accelerometer site=\"tip\"/>", "")))
    calls = [lambda b: b.step(nstep=3, rnepost=True), lambda b: b.step(stage=VEL), lambda b: b.step(nstep=2, stage=ACC, rnepost=True),
             lambda b: b.forward(stage=POS), lambda b: b.forward(stage=ACC), lambda b: b.step([1, 3]), lambda b: b.forward(stage=VEL),
             lambda b: b.reset([0, 2]), lambda b: b.reset([1], stage=POS)]
    for there, here in ((there, here), bare):
        for b in (there, here):
            b.ctrl = 0.4
            for name in names:
                b.bind(name)
        for call in calls:
            for b in (there, here):
                call(b)
            for name in names:
                agree(getattr(there, name), getattr(here, name), 1e-8)


def test_sensors_that_the_kernels_lack_come_from_the_cpu():
    model = ligament.MjModel.from_xml_string(ARM.replace("<sensor>", '<sensor><rangefinder site="tip"/>'))
    there, here = pair(model, 2)
    with pytest.warns(RuntimeWarning, match="'sensordata' is computed on the CPU.*sensors of this type"):
        there.bind("sensordata")
    here.bind("sensordata")
    for b in (there, here):
        b.ctrl = 0.5
        b.step(nstep=5)
    agree(there.sensordata, here.sensordata)


def test_questions_are_answered_at_the_devices_state(model):
    """Jacobians, rays, pictures, data and models of simulations."""
    there, here = pair(model)
    for b in (there, here):
        b.qpos[:, 0] = np.arange(5) / 5
        b.step(nstep=4)
    for ours, theirs in zip(there.jac(2, [0.4, 0, 1]), here.jac(2, [0.4, 0, 1])):
        agree(ours, theirs)
    for ours, theirs in zip(there.ray([0.5, 0, 3], [0, 0, -1.0]), here.ray([0.5, 0, 3], [0, 0, -1.0])):
        agree(ours, theirs)
    assert np.mean(there.render("side", (48, 64)) != here.render("side", (48, 64))) < 0.01
    agree(there.get_data(3).qpos, here.get_data(3).qpos)
    assert there.get_model(1).nq == model.nq


# -------------------------------------------------------------------------------------------------------------- arrays

def test_arrays_behave_like_numpys(model):
    there, here = pair(model, dtype="float32")
    for b in (there, here):
        b.qpos[1:3, 0] = [0.5, 0.25]
        b.qpos[4] += 1
        b.qvel = 0.5
        b.qvel *= 2
        np.add.at(b.qpos, ([0, 0], 1), 0.25)
        np.copyto(b.ctrl, 0.125)
        view = b.qpos[:, :2]
        view[0, 0] = -0.5                        # slices are views
        b.joint("lift").qvel = 0.75
        b.joint("turn").qpos[:] += 0.5
        b.mocap_pos[2, 0, 1] = 3
    for name in ("qpos", "qvel", "ctrl", "mocap_pos"):
        np.testing.assert_array_equal(np.asarray(getattr(there, name)), getattr(here, name).astype(np.float32))
    assert there.qpos.shape == here.qpos.shape and len(there.qpos) == 5 and there.mocap_pos.shape == (5, 1, 3)
    assert there.qpos.mean() == pytest.approx(here.qpos.mean()) and there.qpos.T.shape == (9, 5)
    assert isinstance(there.qpos + 1, np.ndarray) and float(there.qpos[1, 0]) == 1
    np.testing.assert_array_equal(there.joint("lift").qvel, here.joint("lift").qvel)
    np.testing.assert_array_equal(np.concatenate([there.qpos, there.qvel], axis=1),
                                  np.hstack([here.qpos, here.qvel]).astype(np.float32))
    with pytest.raises(ValueError, match="'xpos' is computed by every call"):
        there.xpos[0] = 1
    with pytest.raises(ValueError, match="'xpos' is computed by every call"):
        there.xpos = 1
    with pytest.raises(TypeError):
        np.put(there.qpos, [0], 1.0)             # would change a copy
    with pytest.raises(ValueError):
        there.qpos = np.zeros((2, 2))
    with pytest.raises(AttributeError, match="did you mean 'qpos'"):
        there.qpoz
    with pytest.raises(ValueError, match="for batches on a GPU"):
        there._b.reset_masked(4096)              # an address: nobody follows it in this process


def test_memory_is_shared_without_copies(model):
    """Arrays of a device speak DLPack, parts of them too; what others write there is the state."""
    there = batch.Batch(model, 5, device="emulated", dtype="float32")
    shared = np.from_dlpack(there.qpos)
    assert shared.shape == there.qpos.shape and shared.dtype == np.float32
    column = np.from_dlpack(there.qpos[:, 3:5])
    there.qpos[:, 3] = 7
    np.testing.assert_array_equal(shared[:, 3], 7)
    np.testing.assert_array_equal(column, shared[:, 3:5])
    there.step()
    np.testing.assert_array_equal(shared, there.qpos)
    address = there.xpos.address
    there.bind("site_xpos"), there.bind("cvel")   # kernels are made anew; arrays stay where they are
    assert there.xpos.address == address
    assert not hasattr(there.qpos, "__cuda_array_interface__")
    del there
    assert np.isfinite(shared).all()              # whoever has an array keeps the batch


def test_states_are_saved_and_restored(model):
    there = batch.Batch(model, 3, device="emulated", dtype="float64")
    there.ctrl = 0.3
    there.step(nstep=4)
    saved = there.state.copy()
    there.step(nstep=5)
    first = np.array(there.qpos)
    there.state[:] = saved
    there.step(nstep=5)
    np.testing.assert_array_equal(there.qpos, first)


# ------------------------------------------------------------------------------------------------------------ worlds differ

def test_parameters_of_their_own_are_those_of_the_cpu(model):
    """Masses, sizes, frictions and softness that differ, and what follows from them."""
    there, here = pair(model, nsim=4)
    for b in (there, here):
        b.randomize("body_mass", uniform=(0.5, 2), seed=3)
        b.randomize("geom_friction", loguniform=(0.3, 3), columns=0, seed=4)
        b.expand("dof_damping")[:, 1] = [0, 0.1, 0.5, 2]
        b.expand("geom_solref")[:, :, 0] = np.array([0.01, 0.02, 0.03, 0.05])[:, None]
        b.expand("opt.gravity")[1, 2] = -3
        b.body("ball").mass = 2
        b.set_const()
        b.ctrl = [0.4, 0.5]
        b.step(nstep=30)
    agree(there.qpos, here.qpos)
    assert np.ptp(there.qpos[:, 1]) > 1e-3
    agree(there.expanded("body_invweight0"), here.expanded("body_invweight0"))
    agree(there.get_model(2).body_mass, here.get_model(2).body_mass)
    for b in (there, here):                       # changed later
        b.expand("dof_damping")[0] *= 3
        b.step(nstep=5)
    agree(there.qpos, here.qpos)


def test_what_kernels_are_compiled_for_cannot_differ(model):
    there = batch.Batch(model, 3, device="emulated")
    there.expand("opt.timestep")[1] = 0.001
    with pytest.raises(ValueError, match="world 1: its own parameters change TIMESTEP"):
        there.step()
    there.expand("opt.timestep")[1] = model.opt.timestep
    there.step()
    there.eq_active = 1                           # there are none
    there.step()


def test_models_of_the_caller(model):
    there, here = pair(model, nsim=2)
    other = ligament.MjModel.from_xml_string(ARM.replace('kp="20"', 'kp="50"'))
    for b in (there, here):
        b.ctrl = 0.5
        b.set_models([model, other])
        b.step(nstep=10)
    agree(there.qpos, here.qpos)
    assert not np.allclose(there.qpos[0], there.qpos[1])
    for b in (there, here):
        b.set_models(None)
        b.reset()
        b.ctrl = 0.5
        b.step(nstep=10)
    agree(there.qpos, here.qpos)


# ---------------------------------------------------------------------------------------------------------- worlds go wrong

def test_a_bad_world_is_reported_and_reset(model):
    """F11.1 F10.3: numbers that are not finite concern one simulation only."""
    there = batch.Batch(model, 4, device="emulated")
    twin = batch.Batch(model, 4, device="emulated")
    there.qvel[2, 0] = np.nan
    for b in (there, twin):
        b.step(nstep=3)
    assert there.status.tolist() == [0, 0, -1, 0] and twin.status.tolist() == [0] * 4
    assert there.error(2) == "bad number in qacc: the world was reset" and there.error(0) == ""
    assert there.warning[2, ligament.mjtWarning.mjWARN_BADQACC, 1] == 1 and there.warning[[0, 1, 3]].sum() == 0
    others = [0, 1, 3]
    np.testing.assert_array_equal(there.qpos[others], twin.qpos[others])
    assert np.isfinite(there.qpos).all()
    there.step()
    assert there.status.tolist() == [0] * 4


def test_callbacks_are_refused(model):
    there = batch.Batch(model, 2, device="emulated")
    control = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(lambda model, data: None)
    ligament.set_mjcb_control(control)
    try:
        with pytest.raises(ValueError, match="does not have callbacks"):
            there.step()
    finally:
        ligament.set_mjcb_control(None)
    there.step()


def test_streams_are_waited_for(model):
    """Streams of array libraries and default streams; any other number could be anything."""
    there = batch.Batch(model, 2, device="emulated")
    with pytest.raises(ValueError, match="'stream' is for batches on a device"):
        batch.Batch(model, 2).step(stream=0)
    for stream in (0, 1, 2, types.SimpleNamespace(cuda_stream=0), types.SimpleNamespace(ptr=0)):
        there.step(stream=stream)
    for stream in (12345, -1, "main", None.__class__, 1.5):
        with pytest.raises(ValueError, match="stream must be one of"):
            there.step(stream=stream)
    there.synchronize()
    assert there.facts["shared_bytes"] > 0 and np.allclose(there.time, 5 * model.opt.timestep)


def test_equalities_that_are_switched_are_refused():
    model = ligament.MjModel.from_xml_string("""<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/></body>
      </worldbody><equality><connect body1="a" anchor="0 0 .1"/></equality></mujoco>""")
    there = batch.Batch(model, 3, device="emulated")
    there.step()
    there.eq_active[1] = 0
    with pytest.raises(ValueError, match=r"equalities that are switched on or off \(world 1\)"):
        there.step()
    there.eq_active[1] = 1
    there.step()
    there.eq_active[2] = 0
    there.reset([2])                              # puts the switch back
    there.step()


def test_episodes_run_on_a_device(model):
    """Rewards, ends and resets are the same script."""
    def run(b):
        tasks = batch.Episodes(
            b, nstep=2, time_limit=7, autoreset="same_step",
            observe=lambda b: np.concatenate([b.qpos, b.qvel], axis=1), reward=lambda b, action: b.qpos[:, 0].copy(),
            terminated=lambda b: b.qpos[:, 1] > 0.4,
            begin=lambda b, ids, rng: np.add.at(b.qpos, (ids, 1), rng.normal(0, 0.01, len(ids))))
        observed = [tasks.reset(seed=3)[0]]
        for k in range(12):
            observed.append(np.hstack([np.reshape(x, (b.nsim, -1)) for x in tasks.step(np.full((b.nsim, model.nu), 0.3))[:4]]))
        return [np.array(x, float) for x in observed]

    for ours, theirs in zip(*map(run, pair(model))):
        agree(ours, theirs)


@pytest.mark.parametrize("task", ["Ant-v5", "InvertedDoublePendulum-v5", "Reacher-v5"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_environments_run_on_a_device(task, mode):
    """Observations, rewards, ends and infos are those of the CPU, contact forces and constraint forces included."""
    envs = pytest.importorskip("ligament.envs")

    def run(**options):
        tasks = envs.make_vec(task, 3, autoreset_mode=mode, max_episode_steps=7, **options)
        seen, rng = [tasks.reset(seed=11)[0]], np.random.default_rng(2)
        for _ in range(10):
            *rows, infos = tasks.step(rng.uniform(-1, 1, tasks.action_space.shape).astype(np.float32))
            numbers = [value for value in infos.values() if getattr(value, "dtype", None) == float]
            seen.append(np.hstack([np.reshape(x, (3, -1)).astype(float) for x in rows + numbers]))
        return seen

    for there, here in zip(run(device="emulated", dtype="float64"), run(exact=True), strict=True):
        agree(there, here, 1e-7)


def test_environments_that_a_device_lacks_are_refused():
    envs = pytest.importorskip("ligament.envs")
    with pytest.raises(ValueError, match="does not have the PGS solver"):
        envs.make_vec("Humanoid-v5", 2, device="emulated")
    with pytest.raises(ValueError, match="exact=True needs device='cpu'"):
        envs.make_vec("Ant-v5", 2, device="emulated", exact=True)
