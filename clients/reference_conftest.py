"""Makes the tests of mujoco find Ligament under that name, and their data beside them."""

import pathlib

import ligament
import ligament.compat
from etils import epath

# Names that draw are used while the tests are collected: without them no test would run. Those that need them fail.
for _name in ("MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvOption", "MjvPerturb", "MjvScene"):
    if not hasattr(ligament, _name):
        setattr(ligament, _name, type(_name, (), {}))
ligament.compat.install()

_find = epath.resource_path
_here = epath.Path(pathlib.Path(__file__).parent)
epath.resource_path = lambda package: _here if package == "mujoco" else _find(package)
