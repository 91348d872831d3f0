"""Environments against Gymnasium's own, which run on MuJoCo 3.5.0."""

import importlib.util
import pathlib
import runpy

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("mujoco")

from gymnasium.vector import AutoresetMode  # noqa: E402

import ligament  # noqa: E402
from ligament import envs  # noqa: E402
from ligament.envs._random import Streams  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]
MODES = {mode.value: mode for mode in AutoresetMode}
SETTINGS = {
    "Ant-v5": dict(forward_reward_weight=2.0, ctrl_cost_weight=0.1, contact_cost_weight=1e-3, healthy_reward=0.5,
                   main_body="torso", terminate_when_unhealthy=False, healthy_z_range=(0.3, 0.7),
                   contact_force_range=(-2.0, 2.0), reset_noise_scale=0.2,
                   exclude_current_positions_from_observation=False, include_cfrc_ext_in_observation=False, frame_skip=3),
    "HalfCheetah-v5": dict(forward_reward_weight=0.5, ctrl_cost_weight=0.2, reset_noise_scale=0.3,
                           exclude_current_positions_from_observation=False, frame_skip=2),
    "Hopper-v5": dict(healthy_state_range=(-3.0, 3.0), healthy_z_range=(0.6, 1.3), healthy_angle_range=(-0.1, 0.1),
                      healthy_reward=2.0, terminate_when_unhealthy=False, reset_noise_scale=0.05,
                      exclude_current_positions_from_observation=False),
    "Humanoid-v5": dict(contact_cost_weight=1e-6, contact_cost_range=(-1.0, 0.1), healthy_z_range=(1.3, 1.5),
                        include_cinert_in_observation=False, include_qfrc_actuator_in_observation=False,
                        terminate_when_unhealthy=False, exclude_current_positions_from_observation=False),
    "HumanoidStandup-v5": dict(impact_cost_weight=1e-6, impact_cost_range=(-1.0, 0.5), uph_cost_weight=3.0,
                               include_cvel_in_observation=False, include_cfrc_ext_in_observation=False, ctrl_cost_weight=1.0),
    "InvertedDoublePendulum-v5": dict(healthy_reward=3.0, reset_noise_scale=0.2, frame_skip=2),
    "InvertedPendulum-v5": dict(reset_noise_scale=0.1, frame_skip=3),
    "Pusher-v5": dict(reward_near_weight=1.5, reward_dist_weight=2.5, reward_control_weight=0.3, frame_skip=2),
    "Reacher-v5": dict(reward_dist_weight=2.0, reward_control_weight=0.5, frame_skip=3),
    "Swimmer-v5": dict(forward_reward_weight=2.0, ctrl_cost_weight=1e-2, exclude_current_positions_from_observation=False),
    "Walker2d-v5": dict(healthy_z_range=(1.2, 1.3), healthy_angle_range=(-0.05, 0.1), healthy_reward=0.25,
                        terminate_when_unhealthy=False, reset_noise_scale=0.02),
}


def reference(id, num_envs, mode=AutoresetMode.NEXT_STEP, **kwargs):
    return gymnasium.make_vec(id, num_envs, "sync", vector_kwargs={"autoreset_mode": mode}, **kwargs)


def assert_same(ours, theirs, where):
    """Equal types, shapes and bits, through dictionaries and arrays of objects."""
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), where
        for key in theirs:
            assert_same(ours[key], theirs[key], f"{where}[{key!r}]")
        return
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, f"{where}: {ours.dtype} {theirs.dtype}"
    if theirs.dtype == object:
        for k, (a, b) in enumerate(zip(ours, theirs)):
            assert (a is None) == (b is None), where
            if b is not None:
                assert_same(a, b, f"{where}[{k}]")
        return
    different = np.argwhere(~((ours == theirs) | ((ours != ours) & (theirs != theirs))))
    assert not different.size, f"{where} differs at {different[:3].tolist()}: " \
        f"{ours[tuple(different[0])]!r}, not {theirs[tuple(different[0])]!r}"


def compare(id, mode, steps=24, num_envs=6, scale=1.0, **kwargs):
    ours = envs.make_vec(id, num_envs, autoreset_mode=mode, exact=True, nthread=2, **kwargs)
    theirs = reference(id, num_envs, mode, **kwargs)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    for answer, expected in zip(ours.reset(seed=3), theirs.reset(seed=3)):
        assert_same(answer, expected, f"{id}: reset")
    rng, ended = np.random.default_rng(0), 0
    low, high = ours.single_action_space.low, ours.single_action_space.high
    for k in range(steps):
        actions = scale * rng.uniform(low, high, ours.action_space.shape).astype(np.float32)
        answers, expected = ours.step(actions), theirs.step(actions)
        for name, a, b in zip(("observations", "rewards", "terminations", "truncations", "infos"), answers, expected):
            assert_same(a, b, f"{id}, step {k}: {name}")
        over = expected[2] | expected[3]
        ended += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            for answer, other in zip(ours.reset(options={"reset_mask": over.copy()}),
                                     theirs.reset(options={"reset_mask": over.copy()})):
                assert_same(answer, other, f"{id}, step {k}: masked reset")
    theirs.close()
    return ended


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("id", envs.TASKS)
def test_exact_environments_have_the_bits_of_gymnasium(id, mode):
    """Seeds, observations, rewards, ends and infos, through episodes that begin anew."""
    assert compare(id, MODES[mode], max_episode_steps=9) >= 12


@pytest.mark.parametrize("id", SETTINGS)
def test_keyword_arguments_are_those_of_gymnasium(id):
    compare(id, AutoresetMode.NEXT_STEP, max_episode_steps=17, **SETTINGS[id])


@pytest.mark.parametrize("id", ["Hopper-v5", "Walker2d-v5", "Humanoid-v5", "InvertedDoublePendulum-v5"])
def test_falls_end_episodes(id):
    assert compare(id, AutoresetMode.SAME_STEP, steps=60) > 3


def test_every_setting_is_known():
    """The arguments of each task are those of Gymnasium's class."""
    import inspect

    general = {"render_mode", "width", "height", "camera_id", "camera_name", "default_camera_config", "max_geom",
               "visual_options", "kwargs", "self"}
    for id, kind in envs.TASKS.items():
        theirs = inspect.signature(gymnasium.envs.registration.load_env_creator(gymnasium.spec(id).entry_point).__init__)
        defaults = {name: p.default for name, p in theirs.parameters.items() if name not in general}
        ours = {name: getattr(kind(), name) for name in defaults}
        assert ours == defaults, id
        assert kind.max_episode_steps == gymnasium.spec(id).max_episode_steps


@pytest.mark.parametrize("id", envs.TASKS)
def test_lean_environments_agree_within_rounding(id):
    """From the same states, a lean step gives the same numbers to 1e-9: its sums have another order."""
    exact, lean = (envs.make_vec(id, 8, exact=exact, autoreset_mode="Disabled") for exact in (True, None))
    assert exact.exact and exact.exact_because
    if id.startswith("Humanoid"):
        assert lean.exact and "PGS" in lean.exact_because  # Gymnasium's models choose this solver
        return
    assert lean.exact is False, lean.exact_because
    exact.reset(seed=1), lean.reset(seed=1)
    rng = np.random.default_rng(2)
    low, high = exact.single_action_space.low, exact.single_action_space.high
    for k in range(30):
        actions = rng.uniform(low, high, exact.action_space.shape).astype(np.float32)
        a, b = exact.step(actions), lean.step(actions)
        for name, x, y in zip(("observations", "rewards"), a, b):
            assert np.allclose(x, y, rtol=1e-9, atol=1e-9), f"{id}, step {k}: {name} {np.abs(x - y).max()}"
        assert (a[2] == b[2]).all() and (a[3] == b[3]).all()
        for name, value in a[4].items():
            assert np.allclose(value, b[4][name], rtol=1e-9, atol=1e-9), f"{id}, step {k}: {name}"
        lean.batch.state[:] = exact.batch.state
        if (over := a[2] | a[3]).any():
            exact.reset(options={"reset_mask": over.copy()}), lean.reset(options={"reset_mask": over.copy()})
        if k % 5 == 4:  # derived fields of the step before come from the same states too
            exact.batch.forward(), lean.batch.forward()


def test_what_lean_steps_have_not_is_said(tmp_path):
    path = tmp_path / "pgs.xml"
    text = pathlib.Path(envs.model_path("half_cheetah.xml")).read_text()
    path.write_text(text.replace("<option ", '<option solver="PGS" ', 1))
    env = envs.make_vec("HalfCheetah-v5", 2, xml_file=str(path))
    assert env.exact and "PGS" in env.exact_because
    with pytest.raises(ValueError, match="PGS"):
        envs.make_vec("HalfCheetah-v5", 2, xml_file=str(path), exact=False)


def test_streams_are_those_of_numpy():
    streams, count = Streams(3), 100_000
    streams.seed([11, 2**63 + 5, 0], np.ones(3, bool))
    generators = [np.random.default_rng(seed) for seed in (11, 2**63 + 5, 0)]
    draw = streams.of([0, 1, 2])
    for _ in range(2):
        assert (draw.standard_normal(count) == [g.standard_normal(count) for g in generators]).all()
        assert (draw.uniform(-0.3, 2.0, 7) == [g.uniform(-0.3, 2.0, 7) for g in generators]).all()


def test_seeds():
    env = envs.make_vec("Hopper-v5", 3)
    first, _ = env.reset(seed=5)
    assert env.np_random_seed == (5, 6, 7)
    again, _ = env.reset(seed=[7, None, 5])
    assert (again[[0, 2]] == first[[2, 0]]).all() and (again[1] != first[1]).any()
    fresh = [envs.make_vec("Hopper-v5", 2).reset()[0] for _ in range(2)]
    assert (fresh[0] != fresh[1]).any() and (fresh[0][0] != fresh[0][1]).any()
    with pytest.raises(ValueError, match="num_envs=3"):
        env.reset(seed=[1, 2])
    with pytest.raises(ValueError, match="at least 0"):
        env.reset(seed=-1)


@pytest.mark.parametrize("exact", [True, None])
def test_worlds_do_not_depend_on_threads_or_company(exact):
    """A world of many has the bits of that world among fewer, on any number of threads."""
    def run(count, nthread):
        env = envs.make_vec("Ant-v5", count, exact=exact, nthread=nthread, max_episode_steps=20)
        observations = [env.reset(seed=0)[0][:5]]
        rng = np.random.default_rng(0)
        for _ in range(40):
            actions = rng.uniform(-1, 1, (37, 8)).astype(np.float32)[:count]
            observations.append(env.step(actions)[0][:5])
        return np.array(observations)

    assert (run(37, 4) == run(5, 1)).all()


def test_gymnasium_finds_them_and_its_wrappers_fit():
    env = gymnasium.make_vec("ligament/HalfCheetah-v5", 4, max_episode_steps=5, exact=True)
    assert isinstance(env, gymnasium.vector.VectorEnv) and env.spec.id == "ligament/HalfCheetah-v5"
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP and env.metadata["render_fps"] == 20
    env = gymnasium.wrappers.vector.NormalizeObservation(gymnasium.wrappers.vector.RecordEpisodeStatistics(env))
    env.reset(seed=0)
    for k in range(7):
        *_, truncated, infos = env.step(env.action_space.sample())
        assert truncated.all() == (k == 4)
        assert ("episode" in infos) == (k == 4)
    env.close()
    assert repr(envs.make_vec("Ant-v5", 2)) == "TaskVectorEnv(Ant-v5, num_envs=2)"


def test_wrong_use_is_refused():
    with pytest.raises(ValueError, match="Cheetah-v5"):
        envs.make_vec("Cheetah-v5", 2)
    with pytest.raises(TypeError, match="reward_weight"):
        envs.make_vec("HalfCheetah-v5", 2, reward_weight=2)
    with pytest.raises(OSError, match="nothing.xml"):
        envs.make_vec("HalfCheetah-v5", 2, xml_file="nothing.xml")
    with pytest.raises(ValueError, match="render_mode"):
        envs.make_vec("HalfCheetah-v5", 2, render_mode="human")
    env = envs.make_vec("HalfCheetah-v5", 2, autoreset_mode="Disabled", max_episode_steps=1)
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"\(2, 6\)"):
        env.step(np.zeros(6))
    env.step(np.zeros((2, 6)))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros((2, 6)))


def test_pictures():
    env = envs.make_vec("Hopper-v5", 2, render_mode="rgb_array", width=64, height=48)
    env.reset(seed=0)
    frames = env.render()
    assert len(frames) == 2 and frames[0].shape == (48, 64, 3) and frames[0].std() > 5
    for _ in range(30):
        env.step(env.action_space.sample())
    assert (env.render()[0] != frames[0]).any()
    env.close()
    depth, = envs.make_vec("Ant-v5", 1, render_mode="depth_array", width=32, height=32).render()
    assert depth.shape == (32, 32) and depth.dtype == np.float32


def test_an_environment_of_ones_own():
    """The example of the documentation: at most 60 lines, and its pole can be balanced."""
    path = ROOT / "examples" / "own_environment.py"
    lines = path.read_text().splitlines()
    assert len(lines) <= 60
    example = runpy.run_path(str(path))
    env = envs.make_vec(example["Balance"], 32, max_episode_steps=200)
    observations, _ = env.reset(seed=0)
    assert observations.shape == (32, 5) and not env.exact
    total = np.zeros(32)
    for _ in range(200):
        observations, rewards, terminated, *_ = env.step(example["controller"](observations))
        total += rewards
    assert not terminated.any() and total.min() > 150


def test_a_diverged_world_ends_its_episode():
    class Fragile(envs.Task):
        def load(self):
            return ligament.MjModel.from_xml_string(
                "<mujoco><worldbody><body><joint name='a' type='slide'/><geom size='.1'/></body></worldbody>"
                "<actuator><motor joint='a' gear='1e12'/></actuator></mujoco>")

        def judge(self, w, action, before):
            return envs.Verdict(np.ones(len(action)))

    env = envs.make_vec(Fragile, 3)
    env.reset(seed=0)
    actions = np.array([[0.0], [1.0], [0.0]])
    for _ in range(4):
        _, rewards, terminated, *_ = env.step(actions)
        if terminated.any():
            break
    assert terminated.tolist() == [False, True, False] and rewards.tolist() == [1.0, 0.0, 1.0]


def test_gymnasium_is_asked_for_by_name(monkeypatch):
    assert importlib.util.find_spec("ligament.envs")
    text = (ROOT / "pyproject.toml").read_text()
    assert 'envs = ["gymnasium' in text
