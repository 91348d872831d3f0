"""Ligament: physics for robots, bodies and soft things.

The names, argument orders, shapes and exceptions are those of the ``mujoco`` package (3.5.0), so that
``import ligament as mujoco`` works.
"""

import os as _os
import sysconfig as _sysconfig

try:
    from ligament import _core
except ImportError as _error:
    if _sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise ImportError("Ligament's native module is built for Python's stable interface, which builds of Python "
                          "without the interpreter lock cannot load: use the usual build, or build Ligament with this "
                          "one (pip install . in its sources), which brings the lock back") from _error
    raise
from ligament._enums import *  # noqa: F401,F403  one class per mjt... enumeration, and the counts
from ligament._constants import *  # noqa: F401,F403
from ligament._functions import *  # noqa: F401,F403
from ligament._structs import *  # noqa: F401,F403
from ligament._spec import *  # noqa: F401,F403
from ligament._scene import *  # noqa: F401,F403
from ligament._render import *  # noqa: F401,F403
from ligament.renderer import Renderer
from ligament.gl_context import GLContext
from ligament._printing import *  # noqa: F401,F403
from ligament._util import *  # noqa: F401,F403
from ligament._linalg import *  # noqa: F401,F403
from ligament.lean import Lean
from ligament._core import __version__

HEADERS_DIR = _os.path.join(_os.path.dirname(__file__), "include")  # there is no C interface: nothing is there
PLUGINS_DIR = _os.path.join(_os.path.dirname(__file__), "plugin")  # plugins are built in: nothing is there
PLUGIN_HANDLES = []

__all__ = [name for name in globals() if name.startswith(("mj", "Mj", "set_mj", "get_mj"))] + ["FatalError"]
