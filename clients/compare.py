#!/usr/bin/env python3
"""Runs a client program with MuJoCo and with Ligament and compares what both print.

    compare.py CLIENT [TASK...]      CLIENT: gymnasium, gymnasium_robotics, dm_control, metaworld, mink, robosuite, mjx

MuJoCo draws with OSMesa, a software driver (Debian's libosmesa6), where it is installed; Ligament needs none.
"""

import ctypes.util
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
# known to part, see docs/clients.md; a task that agrees is taken off
PARTING = {
    "dm_control": {"stacker.stack_4"},
    "metaworld": {f"{task}{wall}-v3" for task in ("reach", "push", "pick-place") for wall in ("", "-wall")}
    | {"peg-unplug-side-v3"},
}


def results(program, engine, tasks):
    """Digest or numbers by task; a program that fails ends everything."""
    print(f"{program} with {engine} …", file=sys.stderr, flush=True)
    draws = engine == "mujoco" and ctypes.util.find_library("OSMesa")
    drawing = {"MUJOCO_GL": "osmesa", "PYOPENGL_PLATFORM": "osmesa"} if draws else {}
    done = subprocess.run([sys.executable, str(HERE / program), engine, *tasks], capture_output=True, text=True,
                          check=False, env={**os.environ, **drawing})
    if done.returncode:
        sys.exit(f"{program} with {engine}:\n{done.stdout}{done.stderr}")
    return dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith('["'))


def parting(theirs, ours):
    """Largest difference of numbers, relative where they are large; infinite for digests that differ."""
    if isinstance(theirs, str) or isinstance(ours, str) or len(theirs) != len(ours):
        return 0.0 if theirs == ours else math.inf
    return max((abs(a - b) / max(1, abs(a)) for a, b in zip(theirs, ours)
                if a != b and not (math.isnan(a) and math.isnan(b))), default=0.0)


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in PROGRAMS:
        sys.exit(__doc__)
    program, tasks = PROGRAMS[sys.argv[1]], sys.argv[2:]
    theirs, ours = results(program, "mujoco", tasks), results(program, "ligament", tasks)
    if not theirs or theirs.keys() != ours.keys():
        sys.exit(f"the tasks differ: {sorted(theirs)} and {sorted(ours)}")
    gaps = {task: parting(theirs[task], ours[task]) for task in theirs}
    different = {task for task, gap in gaps.items() if not gap <= TOLERANCE}
    known = PARTING.get(sys.argv[1], set()) & theirs.keys()
    for task in theirs:
        word = "parts, as is known" if task in different & known else "DIFFERENT" if task in different else "equal"
        print(f"{sys.argv[1]:<20}{task:<40}{word}" + (f" within {gaps[task]:.0e}" if gaps[task] else " to the bit"))
    if known - different:
        sys.exit(f"equal now, take them off the list: {', '.join(sorted(known - different))}")
    sys.exit(1 if different - known else 0)


if __name__ == "__main__":
    main()
