"""Gymnasium-Robotics: observations after reset and over some steps, with numbers that are not chaotic."""

import engine

tasks = engine.choose()

import gymnasium  # noqa: E402
import gymnasium_robotics  # noqa: E402

gymnasium.register_envs(gymnasium_robotics)


def run(name):
    env = gymnasium.make(name)
    numbers = engine.Numbers()
    env.action_space.seed(4)
    observation, _ = env.reset(seed=3)
    numbers.add(observation["observation"] if isinstance(observation, dict) else observation)
    for _ in range(20):
        observation, reward, *_ = env.step(env.action_space.sample())
        numbers.add(observation["observation"] if isinstance(observation, dict) else observation, reward)
    numbers.show(name)


for task in tasks or ["FetchReach-v4", "HandReach-v3", "AntMaze_UMaze-v5", "AdroitHandDoor-v1"]:
    run(task)
