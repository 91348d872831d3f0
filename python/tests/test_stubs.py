"""The type stubs belong to the built package."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]


def test_stubs_are_up_to_date():
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "make-stubs"), "--check"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_stubs_are_python():
    compile((ROOT / "python" / "ligament" / "__init__.pyi").read_text(), "__init__.pyi", "exec")
