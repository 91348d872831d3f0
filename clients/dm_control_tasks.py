"""dm_control's suite: 200 steps of each task, and a picture of it.

Equal to the bit, but for tasks with elliptic cones, whose numbers agree to the last digits.
"""

import engine

tasks = engine.choose()

import numpy as np  # noqa: E402
from dm_control import suite  # noqa: E402


def run(domain, task):
    env = suite.load(domain, task, task_kwargs={"random": 3})
    spec = env.action_spec()
    random, digest = np.random.RandomState(4), engine.Numbers() if env.physics.model.opt.cone else engine.Digest()
    step = env.reset()
    digest.add(dict(step.observation))
    for _ in range(200):
        step = env.step(random.uniform(spec.minimum, spec.maximum, spec.shape))
        digest.add(dict(step.observation), 0.0 if step.reward is None else step.reward)
    digest.add(env.physics.data.qpos, env.physics.data.qvel)
    if engine.chosen == "ligament":
        picture = env.physics.render(48, 64, camera_id=0 if env.physics.model.ncam else -1)
        assert picture.shape == (48, 64, 3) and picture.std() > 1, f"{domain}.{task}: the picture is blank"
    digest.show(f"{domain}.{task}")


for domain, task in [name.split(".") for name in tasks] or suite.ALL_TASKS:
    run(domain, task)
