"""robosuite: manipulation tasks without cameras. Elliptic cones: numbers agree to the last digits, not to the bit."""

import engine

tasks = engine.choose()

import numpy as np  # noqa: E402
import robosuite  # noqa: E402


def run(name):
    robots = ["Panda", "Panda"] if name.startswith("TwoArm") else "Panda"
    env = robosuite.make(name, robots=robots, has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False,
                         seed=3)
    low, high = env.action_spec
    random, numbers = np.random.RandomState(4), engine.Numbers()
    numbers.add(*env.reset().values())
    for _ in range(50):
        observation, reward, *_ = env.step(random.uniform(low, high))
        numbers.add(*observation.values(), reward)
    numbers.show(name)


for task in tasks or ["Lift", "Stack", "NutAssembly", "PickPlace", "Door", "TwoArmLift"]:
    run(task)
