"""Gymnasium's MuJoCo tasks: 1000 steps each, everything observed, and Gymnasium's own check of the environment."""

import engine

tasks = engine.choose()

import gymnasium  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

ALL = ["Ant-v5", "HalfCheetah-v5", "Hopper-v5", "Humanoid-v5", "HumanoidStandup-v5", "InvertedDoublePendulum-v5",
       "InvertedPendulum-v5", "Pusher-v5", "Reacher-v5", "Swimmer-v5", "Walker2d-v5"]


def run(name):
    env = gymnasium.make(name)
    digest = engine.Digest()
    env.action_space.seed(4)
    observation, _ = env.reset(seed=3)
    digest.add(observation)
    for _ in range(1000):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        digest.add(observation, reward)
        if terminated or truncated:
            observation, _ = env.reset()
            digest.add(observation)
    check_env(env.unwrapped, skip_render_check=True)
    if engine.chosen == "ligament":
        draw(name)
    digest.show(name)


def draw(name):
    """Pictures and depths of the task; their pixels are compared by the tests of pictures."""
    for mode, shape in (("rgb_array", (48, 64, 3)), ("depth_array", (48, 64))):
        env = gymnasium.make(name, render_mode=mode, width=64, height=48)
        env.reset(seed=3)
        picture = env.render()
        assert picture.shape == shape and picture.std() > 0, f"{name}: {mode} is blank"
        env.close()


for task in tasks or ALL:
    run(task)
