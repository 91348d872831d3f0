"""Ligament in the place of mujoco, for unmodified programs."""

import os
import subprocess
import sys
import venv
import zipfile

import ligament
import pytest
from ligament.compat.wheel import write_wheel

PROGRAM = """
import sys
import importlib.metadata
import mujoco, mujoco.rollout, mujoco.minimize, mujoco.msh2obj
from mujoco import MjModel, _structs
from mujoco._functions import mj_step
from mujoco.introspect import mjxmacro
model = MjModel.from_xml_string('<mujoco/>')
assert mujoco.__version__ == importlib.metadata.version('mujoco') == '3.5.0'
assert type(model).__module__.startswith('ligament') and _structs.MjModel is MjModel
assert mjxmacro.MJMODEL['body_pos'] == ('nbody', '3')
assert __name__ == '__main__'
print('ran with', sys.argv[1:])
"""


def python(*arguments):
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(ligament.__file__))}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False)


def test_an_unmodified_program_runs(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    done = python("-m", "ligament.compat", str(script), "a", "b")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "ran with ['a', 'b']\n"


def test_the_package_has_a_place():
    """Programs look for files beside the package: `__file__` and the specification lead to Ligament's folder."""
    done = python("-m", "ligament.compat", "-c", """if True:
        import importlib.resources, importlib.util, inspect, ligament, mujoco, os
        assert mujoco.__file__ == ligament.__file__ == inspect.getfile(mujoco)
        assert os.path.exists(os.path.join(os.path.dirname(mujoco.__file__), "rollout.py"))
        assert mujoco.__spec__.name == "mujoco" and mujoco.__spec__.origin == ligament.__file__
        assert importlib.util.find_spec("mujoco").origin == ligament.__file__
        print(importlib.resources.files("mujoco").joinpath("rollout.py").is_file())
    """)
    assert done.stdout == "True\n", done.stderr


def test_modules_can_be_run(tmp_path):
    (tmp_path / "square.msh").write_bytes(b"too short")
    done = python("-m", "ligament.compat", "-m", "mujoco.msh2obj", "-i", str(tmp_path / "square.msh"), "-o", "x.obj")
    assert "too short to be an MSH file" in done.stderr


def test_the_alias_is_refused_after_mujoco():
    done = python("-c", "import mujoco, ligament.compat; ligament.compat.install()")
    assert "has been imported already" in done.stderr


def test_missing_parts_say_so():
    done = python("-c", "import ligament.compat; ligament.compat.install(); import mujoco.codegen")
    assert "mujoco.codegen is not part of Ligament" in done.stderr


def test_use_is_explained():
    assert "ligament.compat wheel DIR" in python("-m", "ligament.compat", "--help").stdout
    assert python("-m", "ligament.compat").returncode == 2
    for arguments, words in ((["-m"], "'-m' needs what comes after it"), (["wheel"], "'wheel' needs"),
                             (["nothing.py"], "there is no file 'nothing.py'")):
        done = python("-m", "ligament.compat", *arguments)
        assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr


def test_code_can_be_given():
    done = python("-m", "ligament.compat", "-c", "import mujoco, sys; print(mujoco._ligament.__name__, sys.argv)", "a")
    assert done.stdout == "ligament ['-c', 'a']\n", done.stderr


def test_wheel_of_any_version(tmp_path):
    wheel = write_wheel(tmp_path, "3.9.1")
    assert wheel.name == "mujoco-3.9.1-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    assert "mujoco/__init__.py" in names and "mujoco-3.9.1.dist-info/RECORD" in names
    with pytest.raises(ValueError, match="not a version"):
        write_wheel(tmp_path, "../3")


def test_wheel_installs_and_is_ligament(tmp_path):
    """Nothing but the wheel and Ligament: the requirement mujoco is met, and importing it gives Ligament."""
    wheel = write_wheel(tmp_path)
    venv.create(tmp_path / "env", with_pip=True, system_site_packages=False)
    inside = str(tmp_path / "env" / "bin" / "python")
    subprocess.run([inside, "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(wheel)], check=True)
    numpy_home = os.path.dirname(os.path.dirname(__import__("numpy").__file__))
    program = ("import sys; sys.path.append(sys.argv[1]); import mujoco, importlib.metadata as md; "
               "assert mujoco.MjModel.__module__.startswith('ligament'), mujoco.MjModel; "
               "from mujoco import rollout; print(mujoco.__version__, md.version('mujoco'))")
    done = subprocess.run(
        [inside, "-c", program, numpy_home], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(ligament.__file__))})
    assert done.stdout == "3.5.0 3.5.0\n", done.stderr
