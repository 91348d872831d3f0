"""Meta-World, all tasks: the observations after reset and over the first steps.

The models have elliptic cones, whose numbers agree to the last digits but not to the bit.
"""

import engine

tasks = engine.choose()

import gymnasium  # noqa: E402
import metaworld  # noqa: E402  registers the environments


def run(name):
    env = gymnasium.make("Meta-World/MT1", env_name=name, seed=5)
    numbers = engine.Numbers()
    env.action_space.seed(4)
    observation, _ = env.reset(seed=3)
    numbers.add(observation)
    for _ in range(20):
        observation, reward, *_ = env.step(env.action_space.sample())
        numbers.add(observation, reward)
    numbers.show(name)


for task in tasks or sorted(metaworld.ALL_V3_ENVIRONMENTS):
    run(task)
