#!/usr/bin/env python3
"""Tries clients and versions that scripts/test-clients does not have: with MuJoCo 3.5.0, and on the alias wheel without it.

    others.py WHEEL [CLIENT...]     WHEEL: the wheel of Ligament (scripts/release check); needs the package registry

Makes two environments for each client in target/others, runs the same program in both (others_tasks.py), and prints how far
what it saw is apart. Files that one engine refuses must be refused by the other.
"""

import json
import os
import pathlib
import subprocess
import sys

from compare import parting

HERE = pathlib.Path(__file__).resolve().parent
PLACE = HERE.parent / "target" / "others"
REFERENCE = "mujoco==3.5.0"
# program, packages beside mujoco
CLIENTS = {
    "gymnasium-0.29": ("gymnasium", ["gymnasium==0.29.1", "numpy<2", "imageio"]),
    "gymnasium-1.0": ("gymnasium", ["gymnasium==1.0.0", "imageio", "packaging"]),
    "gymnasium-1.1": ("gymnasium", ["gymnasium==1.1.1", "imageio", "packaging"]),
    "gymnasium-1.2": ("gymnasium", ["gymnasium==1.2.2", "imageio", "packaging"]),
    "gymnasium-robotics-1.2": ("gymnasium_robotics", ["gymnasium-robotics==1.2.4", "gymnasium==0.29.1", "numpy<2"]),
    "gymnasium-robotics-1.4": ("gymnasium_robotics", ["gymnasium-robotics==1.4.1", "packaging"]),
    "safety-gymnasium": ("safety", ["safety-gymnasium==1.0.0"]),
    "shimmy": ("shimmy", ["shimmy[dm-control]==2.0.1", "dm_control==1.0.37", "packaging"]),
    "metaworld-3.1": ("metaworld", ["metaworld==3.1.1", "packaging"]),
    "mink-0.0.5": ("mink", ["mink==0.0.5", "qpsolvers[quadprog]"]),
    "mink-1.3": ("mink", ["mink==1.3.0", "qpsolvers[quadprog]"]),
    "stable-baselines3": ("sb3", ["stable-baselines3==2.3.2", "imageio"]),
    "gym-xarm": ("xarm", ["gym-xarm==0.1.1", "packaging"]),
    "gym-hil": ("hil", ["gym-hil==0.1.14", "packaging"]),
    "myosuite": ("myosuite", ["myosuite==3.0.0", "packaging"]),
    "mjcf-urdf": ("converter", ["mjcf-urdf-simple-converter==0.7.3"]),
}


def environment(name, packages, engine):
    """The interpreter of an environment; the engine is installed last, in place of the mujoco that the packages wanted."""
    folder = PLACE / name
    python = folder / "bin" / "python"
    if not (folder / "made").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        pip = [str(python), "-m", "pip", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", *packages], check=True)
        subprocess.run([*pip, "uninstall", "-y", "mujoco"], check=True)
        subprocess.run([*pip, "install", "--no-deps", *engine], check=True)
        (folder / "made").touch()
    return python


def results(python, program):
    """What each task saw."""
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run([str(python), str(HERE / "others_tasks.py"), program], capture_output=True, text=True, check=False,
                          cwd=PLACE, env=variables)
    if done.returncode:
        sys.exit(f"{python}: {program}:\n{done.stdout[-500:]}{done.stderr}")
    return dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith('["'))


def main():
    if len(sys.argv) < 2 or not sys.argv[1].endswith(".whl"):
        sys.exit(__doc__)
    PLACE.mkdir(parents=True, exist_ok=True)
    wheel = str(pathlib.Path(sys.argv[1]).resolve())
    maker = environment("ligament", ["numpy"], [wheel])
    alias = subprocess.check_output([str(maker), "-m", "ligament.compat", "wheel", str(PLACE)], text=True).strip()
    apart = 0
    for name in sys.argv[2:] or CLIENTS:
        program, packages = CLIENTS[name]
        packages = [*packages, "mujoco"]
        theirs = results(environment(f"{name}-mujoco", packages, [REFERENCE]), program)
        ours = results(environment(f"{name}-ligament", packages, [wheel, alias]), program)
        for task in theirs | ours:
            gap = parting(theirs.get(task, ""), ours.get(task, ""))
            refused = "both refuse it: " + theirs[task] if not gap and isinstance(theirs.get(task), str) else None
            print(f"{name:<26}{task:<44}{refused or ('equal to the bit' if not gap else f'apart by {gap:.0e}')}", flush=True)
            apart += gap > 1e-9
    print(f"{apart} tasks are more than 1e-9 apart")


if __name__ == "__main__":
    main()
