"""Ligament in the place of the package ``mujoco``, for programs that import that one.

``install()`` makes ``import mujoco`` mean Ligament in this process. ``python -m ligament.compat SCRIPT [ARGS]`` runs
an unmodified program that way. ``python -m ligament.compat wheel DIR`` writes a small wheel that satisfies the
requirement ``mujoco``, so that packages that depend on it install and run without it.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import os
import sys
import types

import ligament
from ligament.compat import contexts

VERSION = ligament.mj_versionString()
ALIAS = "mujoco"

# The compiled modules of the reference, with the modules whose private names they show here. All show every public
# name, so that ``mujoco._functions.mj_step`` and the like are found.
_COMPILED = {"_callbacks": "_functions", "_constants": "_constants", "_enums": "_enums", "_errors": "_functions",
             "_functions": "_functions", "_render": "_structs", "_rollout": "rollout", "_simulate": "_structs",
             "_specs": "_spec", "_structs": "_structs"}
# Modules of the reference's own package: a copy of them on disk is never mixed with Ligament.
_OWN = frozenset((*_COMPILED, "cgl", "codegen", "egl", "gl_context", "glfw", "introspect", "minimize", "msh2obj",
                  "osmesa", "renderer", "rollout", "sysid", "usd", "viewer"))


def install():
    """Makes ``import mujoco`` mean Ligament, submodules included, and gives that module."""
    known = sys.modules.get(ALIAS)
    if known is not None and not hasattr(known, "_ligament"):
        raise RuntimeError("the package mujoco has been imported already: call ligament.compat.install() before that")
    _add_finder()
    return importlib.import_module(ALIAS)


def present(module):
    """Fills a module called ``mujoco`` with the names of Ligament."""
    _add_finder()
    public = {name: value for name, value in vars(ligament).items() if not name.startswith("_")}
    module.__dict__.update(public, _ligament=ligament, __version__=VERSION, __doc__=ligament.__doc__, __path__=[],
                           __all__=list(ligament.__all__), __getattr__=_later)
    for name in _COMPILED:
        importlib.import_module(f"{ALIAS}.{name}")


def _later(name):
    """Names that Ligament itself loads when they are asked for."""
    if name.startswith("__"):
        raise AttributeError(f"module '{ALIAS}' has no attribute '{name}'")
    return getattr(ligament, name)


def _add_finder():
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def _counterpart(name):
    """Where the module of Ligament is that stands for ``mujoco.NAME``, or None."""
    if name.split(".")[0] == "compat" or name.startswith("_"):
        return None
    try:
        return importlib.util.find_spec(f"ligament.{name}")
    except ModuleNotFoundError:
        return None


class _Finder(importlib.abc.MetaPathFinder):
    """Finds ``mujoco`` and what is below it, and the distribution of that name."""

    def find_spec(self, fullname, path=None, target=None):
        package, _, name = fullname.partition(".")
        if package != ALIAS:
            return contexts.find(fullname)
        if not name:
            return importlib.machinery.ModuleSpec(fullname, _Package(), origin=ligament.__file__, is_package=True)
        if name in _COMPILED:
            return importlib.machinery.ModuleSpec(fullname, _Compiled(_COMPILED[name]))
        counterpart = _counterpart(name)
        if counterpart is not None:
            return importlib.machinery.ModuleSpec(fullname, _Same(counterpart.name), origin=counterpart.origin)
        if name.split(".")[0] in _OWN:
            raise ModuleNotFoundError(f"{fullname} is not part of Ligament", name=fullname)
        if "." in name:
            return None  # inside a package that was found on disk
        folders = [os.path.join(entry or os.curdir, ALIAS) for entry in sys.path]
        return importlib.machinery.PathFinder.find_spec(fullname, folders)

    def find_distributions(self, context=None):
        if context is None or context.name in (None, ALIAS):
            yield _Distribution()


class _Package(importlib.abc.Loader):
    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__file__ = ligament.__file__
        present(module)

    def get_resource_reader(self, fullname):
        """For ``importlib.resources``."""
        return ligament.__spec__.loader.get_resource_reader("ligament")


class _Same(importlib.abc.Loader):
    """Gives a module of Ligament itself, under another name."""

    def __init__(self, target):
        self._target = target

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        sys.modules[module.__name__] = importlib.import_module(self._target)

    def get_code(self, fullname):
        """For ``python -m``."""
        found = importlib.util.find_spec(self._target)
        return found.loader.get_code(self._target)


class _Compiled(importlib.abc.Loader):
    """Stands for a compiled module of the reference."""

    def __init__(self, private):
        self._private = private

    def create_module(self, spec):
        return types.ModuleType(spec.name)

    def exec_module(self, module):
        private = importlib.import_module(f"ligament.{self._private}")
        module.__dict__.update({name: value for name, value in vars(ligament).items() if not name.startswith("__")})
        module.__dict__.update({name: value for name, value in vars(private).items() if not name.startswith("__")})


class _Distribution(importlib.metadata.Distribution):
    """What ``importlib.metadata`` says of ``mujoco``."""

    def read_text(self, filename):
        return metadata(VERSION) if filename == "METADATA" else None

    def locate_file(self, path):
        return os.path.join(os.path.dirname(os.path.dirname(ligament.__file__)), path)


def metadata(version):
    """The description of a distribution ``mujoco`` that is Ligament."""
    return (f"Metadata-Version: 2.1\nName: {ALIAS}\nVersion: {version}\n"
            "Summary: Ligament under the name mujoco\nRequires-Dist: ligament\n")
