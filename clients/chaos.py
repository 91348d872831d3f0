#!/usr/bin/env python3
"""Is a difference chaos? Runs a task with MuJoCo, with MuJoCo after the last bits of positions were changed, and with Ligament.

    chaos.py CLIENT TASK [STEPS]     CLIENT: robosuite, metaworld, suite, manipulation (dm_control)

Prints, over time, how far both are from the first run: largest difference of a position. Where changed bits carry as far
as the change of the engine does, no engine that sums in another order can follow.
"""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent


def make_robosuite(task):
    import robosuite
    robots = ["Panda", "Panda"] if task.startswith("TwoArm") else "Panda"
    env = robosuite.make(task, robots=robots, has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False, seed=3)
    env.reset()
    low, high = env.action_spec
    return env.step, lambda: env.sim.data.qpos, low, high


def make_metaworld(task):
    import gymnasium
    import metaworld  # noqa: F401  registers the environments
    env = gymnasium.make("Meta-World/MT1", env_name=task, seed=5)
    env.reset(seed=3)
    return env.step, lambda: env.unwrapped.data.qpos, env.action_space.low, env.action_space.high


def make_suite(task):
    from dm_control import suite
    env = suite.load(*task.split("."), task_kwargs={"random": 3})
    env.reset()
    spec = env.action_spec()
    return env.step, lambda: env.physics.data.qpos, spec.minimum, spec.maximum


def make_manipulation(task):
    from dm_control import manipulation
    env = manipulation.load(task, seed=3)
    env.reset()
    spec = env.action_spec()
    return env.step, lambda: env.physics.data.qpos, spec.minimum, spec.maximum


def run(engine, client, task, steps):
    """Positions over time; ``engine`` is mujoco, nudged or ligament."""
    if engine == "ligament":
        import ligament.compat
        ligament.compat.install()
    step, positions, low, high = globals()[f"make_{client}"](task)
    start = np.array(positions())
    if engine == "nudged":
        positions()[:] = np.nextafter(start, np.where(np.random.RandomState(7).rand(len(start)) < 0.5, -np.inf, np.inf))
    random, rows = np.random.RandomState(4), [start]
    for _ in range(steps):
        step(random.uniform(low, high))
        rows.append(np.array(positions()))
    print("\n" + json.dumps(np.array(rows).tolist()))


def positions(engine, *arguments):
    environment = {**os.environ, **({"MUJOCO_GL": "osmesa", "PYOPENGL_PLATFORM": "osmesa"} if engine != "ligament" else {})}
    done = subprocess.run([sys.executable, __file__, "--run", engine, *arguments], capture_output=True, text=True, check=False,
                          env=environment)
    if done.returncode:
        sys.exit(done.stderr)
    return np.array(json.loads(done.stdout.splitlines()[-1]))


def main(client, task, steps="100"):
    runs = {engine: positions(engine, client, task, steps) for engine in ("mujoco", "nudged", "ligament")}
    print(f"{client} {task}: largest difference of a position to MuJoCo's\n{'step':>6}{'last bits changed':>18}{'Ligament':>12}")
    for step in sorted({0, 1, 2, 5, *range(10, int(steps) + 1, max(10, int(steps) // 10))}):
        gaps = [np.abs(runs[engine][step] - runs["mujoco"][step]).max() for engine in ("nudged", "ligament")]
        print(f"{step:>6}{gaps[0]:>18.1e}{gaps[1]:>12.1e}")


if __name__ == "__main__":
    if len(sys.argv) > 4 and sys.argv[1] == "--run":
        run(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
    elif len(sys.argv) in (3, 4):
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
