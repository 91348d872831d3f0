"""Contexts of OpenGL that other packages make for themselves, before they draw with ``mujoco``.

Ligament draws in plain memory and needs none; the modules below ask PyOpenGL or GLFW for one when they are imported, and
fail where there is no driver or display. While Ligament stands in the place of ``mujoco``, they are replaced by modules
whose contexts do nothing.
"""

import importlib
import importlib.abc
import importlib.machinery

from ligament.gl_context import GLContext

# module, name of the context in it, module with the class that it has to extend
_REPLACED = {
    "dm_control._render.glfw_renderer": ("GLFWContext", "dm_control._render"),
    "dm_control._render.pyopengl.egl_renderer": ("EGLContext", "dm_control._render"),
    "dm_control._render.pyopengl.osmesa_renderer": ("OSMesaContext", "dm_control._render"),
    "robosuite.renderers.context.egl_context": ("EGLGLContext", None),
}


def find(fullname):
    """The module that replaces one that would ask for a driver, or None."""
    if fullname not in _REPLACED:
        return None
    return importlib.machinery.ModuleSpec(fullname, _Loader(*_REPLACED[fullname]))


class _Loader(importlib.abc.Loader):
    def __init__(self, name, package):
        self._name, self._package = name, package

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        context = _Context if self._package is None else _dm_control_context(self._name, self._package)
        setattr(module, self._name, context)


class _Context(GLContext):
    def __init__(self, max_width, max_height, device_id=0):
        super().__init__(max_width, max_height)


def _dm_control_context(name, package):
    """A context as dm_control wants it, with nothing behind it."""
    base = importlib.import_module(f"{package}.base").ContextBase
    executor = importlib.import_module(f"{package}.executor").PassthroughRenderExecutor

    def start(self, max_width, max_height):
        base.__init__(self, max_width, max_height, executor)

    def nothing(self, *sizes):
        """There is nothing to make, to enter or to free."""
    return type(name, (base,), {"__init__": start, "_platform_init": nothing, "_platform_make_current": nothing,
                                "_platform_free": nothing})
