#!/usr/bin/env python3
"""Runs a client program with MuJoCo and with Ligament and compares what both print.

    compare.py CLIENT [TASK...]      CLIENT: gymnasium, gymnasium_robotics, dm_control, metaworld, mink, robosuite, mjx

MuJoCo draws with OSMesa, a software driver (Debian's libosmesa6); Ligament needs none.
"""

import json
import math
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = {"gymnasium": "gymnasium_tasks.py", "dm_control": "dm_control_tasks.py", "metaworld": "metaworld_tasks.py",
            "robosuite": "robosuite_tasks.py", "mjx": "mjx_round_trip.py", "mink": "mink_task.py",
            "gymnasium_robotics": "gymnasium_robotics_tasks.py"}
TOLERANCE = 1e-9  # for clients that give numbers instead of digests
PARTING = {"dm_control": {"stacker.stack_4"}}  # known to part, see docs/clients.md; a task that agrees is taken off


def results(program, engine, tasks):
    """Digest or numbers by task; a program that fails ends everything."""
    drawing = {"MUJOCO_GL": "osmesa", "PYOPENGL_PLATFORM": "osmesa"} if engine == "mujoco" else {}
    done = subprocess.run([sys.executable, str(HERE / program), engine, *tasks], capture_output=True, text=True,
                          check=False, env={**os.environ, **drawing})
    if done.returncode:
        sys.exit(f"{program} with {engine}:\n{done.stdout}{done.stderr}")
    return dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith('["'))


def same(theirs, ours):
    if isinstance(theirs, str):
        return theirs == ours
    return len(theirs) == len(ours) and all(math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
                                            for a, b in zip(theirs, ours))


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in PROGRAMS:
        sys.exit(__doc__)
    program, tasks = PROGRAMS[sys.argv[1]], sys.argv[2:]
    theirs, ours = results(program, "mujoco", tasks), results(program, "ligament", tasks)
    if not theirs or theirs.keys() != ours.keys():
        sys.exit(f"the tasks differ: {sorted(theirs)} and {sorted(ours)}")
    different = {task for task in theirs if not same(theirs[task], ours[task])}
    known = PARTING.get(sys.argv[1], set()) & theirs.keys()
    for task in theirs:
        word = "parts, as is known" if task in different & known else "DIFFERENT" if task in different else "equal"
        print(f"{sys.argv[1]:<20}{task:<40}{word}")
    if known - different:
        sys.exit(f"equal now, take them off the list: {', '.join(sorted(known - different))}")
    sys.exit(1 if different - known else 0)


if __name__ == "__main__":
    main()
