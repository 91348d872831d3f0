#!/usr/bin/env python3
"""Pictures by clients, with Ligament in MuJoCo's place and no graphics driver: every MuJoCo task of Gymnasium (version 5)
in colours and distances, and every task of dm_control's suite in colours, distances and segments.

    pictures.py [gymnasium] [dm_control]     both by default; a package that is not installed is skipped with a message
"""

import os
import sys
import warnings

os.environ["MUJOCO_GL"] = "egl"  # no driver is used; a client that looks for one must not find a display
warnings.filterwarnings("ignore")

import ligament.compat  # noqa: E402

ligament.compat.install()

import numpy as np  # noqa: E402

HEIGHT, WIDTH = 48, 64


def check(task, kind, picture, shape):
    """Something is seen."""
    picture = np.asarray(picture)
    assert picture.shape == shape, f"{task}: {kind} has shape {picture.shape}"
    assert np.isfinite(picture).all() and np.ptp(picture) > 0, f"{task}: {kind} is blank"


def gymnasium():
    import gymnasium

    names = sorted(name for name, spec in gymnasium.registry.items()
                   if name.endswith("-v5") and "mujoco" in str(spec.entry_point))
    assert len(names) == 11, names
    for name in names:
        for mode, shape in (("rgb_array", (HEIGHT, WIDTH, 3)), ("depth_array", (HEIGHT, WIDTH))):
            env = gymnasium.make(name, render_mode=mode, width=WIDTH, height=HEIGHT)
            env.reset(seed=3)
            env.step(env.action_space.sample())
            check(name, mode, env.render(), shape)
            env.close()
    return len(names)


def dm_control():
    from dm_control import suite

    for domain, task in suite.ALL_TASKS:
        physics = suite.load(domain, task, task_kwargs={"random": 3}).physics
        camera = 0 if physics.model.ncam else -1
        where = f"{domain}.{task}"
        check(where, "colours", physics.render(HEIGHT, WIDTH, camera), (HEIGHT, WIDTH, 3))
        check(where, "distances", physics.render(HEIGHT, WIDTH, camera, depth=True), (HEIGHT, WIDTH))
        check(where, "segments", physics.render(HEIGHT, WIDTH, camera, segmentation=True), (HEIGHT, WIDTH, 2))
    return len(suite.ALL_TASKS)


def main():
    for client in sys.argv[1:] or ("gymnasium", "dm_control"):
        try:
            count = {"gymnasium": gymnasium, "dm_control": dm_control}[client]()
        except ModuleNotFoundError as error:
            if error.name != client:
                raise
            print(f"SKIPPED: {client} is not installed")
            continue
        print(f"{client}: {count} tasks are drawn")


if __name__ == "__main__":
    main()
