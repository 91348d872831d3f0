"""robosuite: a manipulation task without cameras."""

import engine

tasks = engine.choose()

import numpy as np  # noqa: E402
import robosuite  # noqa: E402


def run(name):
    env = robosuite.make(name, robots="Panda", has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False,
                         seed=3)
    low, high = env.action_spec
    random, digest = np.random.RandomState(4), engine.Digest()
    digest.add(dict(env.reset()))
    for _ in range(50):
        observation, reward, *_ = env.step(random.uniform(low, high))
        digest.add(dict(observation), reward)
    digest.show(name)


for task in tasks or ["Lift"]:
    run(task)
