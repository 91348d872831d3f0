#!/usr/bin/env python3
"""Runs MuJoCo 3.5.0's own Python tests, from the installed wheel, against Ligament.

Tests that fail for a known reason are listed in expected_failures.txt. A failure that is not listed, and a listed test
that passes, end this with an error.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from importlib import metadata

HERE = pathlib.Path(__file__).resolve().parent
FILES = ["bindings_test.py", "specs_test.py", "rollout_test.py", "minimize_test.py", "msh2obj_test.py",
         "renderer_test.py", "render_test.py"]
FOLDERS = {"sysid/tests": "sysid_tests"}  # whole folders of tests, and what they are called here
VERSION = "3.5.0"


def expected():
    """Reason by test."""
    lines = (HERE / "expected_failures.txt").read_text().splitlines()
    pairs = (line.split(None, 1) for line in lines if line.strip() and not line.startswith("#"))
    return {test: reason for test, reason in pairs}


def copy_tests(folder):
    """The tests and their data, away from the package they came with."""
    if metadata.version("mujoco") != VERSION:
        sys.exit(f"these are the tests of mujoco {VERSION}; {metadata.version('mujoco')} is installed")
    package = pathlib.Path(metadata.distribution("mujoco").locate_file("mujoco"))
    for name in FILES:
        shutil.copy(package / name, folder)
    shutil.copytree(package / "testdata", folder / "testdata")
    for place, name in FOLDERS.items():
        shutil.copytree(package / place, folder / name)
    shutil.copy(HERE / "reference_conftest.py", folder / "conftest.py")


def run(folder):
    """Outcome by test: True for passed or skipped."""
    report = folder / "report.xml"
    print(f"tests of mujoco {VERSION} …", file=sys.stderr, flush=True)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "--no-header", f"--junitxml={report}", *FILES, *FOLDERS.values()],
                          cwd=folder, capture_output=True, text=True, check=False)
    if not report.exists():
        sys.exit(done.stdout + done.stderr)
    outcomes = {}
    for case in ElementTree.parse(report).iter("testcase"):
        test = f"{case.get('classname').rsplit('.', 1)[-1]}.{case.get('name')}"
        outcomes[test] = outcomes.get(test, True) and case.find("failure") is None and case.find("error") is None
    return outcomes, done.stdout


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy_tests(folder)
        outcomes, output = run(folder)
    known = expected()
    failed = {test for test, passed in outcomes.items() if not passed}
    surprising = sorted(failed - known.keys())
    mended = sorted(test for test in known if outcomes.get(test, False))
    vanished = sorted(known.keys() - outcomes.keys())
    print(f"{len(outcomes) - len(failed)} of {len(outcomes)} tests of mujoco {VERSION} pass, {len(known)} are listed")
    for title, tests in (("fail and are not listed", surprising), ("pass: take them off the list", mended),
                         ("are listed and do not exist", vanished)):
        if tests:
            print(f"\n{title}:\n  " + "\n  ".join(tests))
    if surprising:
        print(output[-8000:])
    sys.exit(1 if surprising or mended or vanished else 0)


if __name__ == "__main__":
    main()
