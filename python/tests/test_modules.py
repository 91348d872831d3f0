"""Every module of the reference's package, and every public name in it, is here under the same name or says why not."""

import ast
import importlib
import importlib.machinery
import json
import os
import pathlib
import re
import subprocess
import sys

import ligament
import mujoco

PACKAGE = pathlib.Path(mujoco.__file__).parent
OTHER_PACKAGES = ("mjx",)  # live below the name, and are found as before
# modules of the reference that are not here; importing them says why
ABSENT = {"cgl", "cgl.cgl", "egl.egl_ext",  # drivers
          "introspect.codegen.formatter", "introspect.codegen.generate_enums", "introspect.codegen.generate_functions",
          "introspect.codegen.generate_structs", "introspect.type_parsing",  # how the reference makes its own sources
          "usd.camera", "usd.lights", "usd.objects", "usd.utils",  # inside the exporter
          "sysid.report.builder", "sysid.report.defaults", "sysid.report.utils",  # the report is one module
          *(f"sysid.report.sections{name}" for name in ("", ".base", ".covariance", ".group", ".insights",
            ".optimization_trace", ".parameter_distribution", ".parameters", ".row", ".signals", ".video"))}
# names in modules that are not here: drivers, how the reference's window works, how its exporter and its rollouts work inside
ABSENT_NAMES = {
    "_simulate": {"Mutex", "Simulate", "set_glfw_dlhandle"},
    "egl": {"EGL_ATTRIBUTES", "EGL_DISPLAY", "PYOPENGL_PLATFORM", "create_initialized_egl_device_display"},
    "introspect.ast_nodes": {"AnonymousStructDecl", "AnonymousUnionDecl", "ARRAY_EXTENTS_PATTERN", "ARRAY_N_PATTERN",
                             "C_INVALID_TYPE_NAMES", "STRUCT_NAME_PATTERN", "VALID_TYPE_NAME_PATTERN"},
    "osmesa": {"PYOPENGL_PLATFORM"},
    "sysid._src.parameter": {"Fore", "Style"},
    "sysid._src.trajectory": {"arrays2traj", "sequence2array", "timeseries2array"},
    "usd.shapes": {"BoxGeom", "CapsuleGeom", "ConeGeom", "CylinderGeom", "EllipsoidGeom", "PlaneGeom", "SphereGeom",
                   "TriangleMesh", "decouple_config", "get_triangle_uvs", "mesh_config_generator", "mesh_factory"},
    "viewer": {"CallbackType", "GL", "KeyCallbackType", "LoaderType", "MAX_GEOM", "MAX_SYNC_MISALIGN", "PERCENT_REALTIME",
               "SIM_REFRESH_FRACTION"},
}


def is_test(path):
    return path.stem.endswith("_test") or path.stem == "demo" or "tests" in path.parts


def plain_modules():
    """Names below the package by file, with the public names that are defined there."""
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        if is_test(inside) or inside.parts[0] in OTHER_PACKAGES or str(inside) == "__init__.py":
            continue
        parts = inside.with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), defined(ast.parse(path.read_text()))


def defined(tree):
    """Names that a module gives to classes, functions and values of its own."""
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names = [node.name]
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def compiled_modules():
    for path in sorted(PACKAGE.iterdir()):
        if path.name.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES)):
            name = path.name.split(".")[0]
            module = importlib.import_module(f"mujoco.{name}")
            yield name, [n for n in dir(module) if not n.startswith("_")]


PROGRAM = """
import importlib, json, sys
import ligament.compat
ligament.compat.install()
found = {}
for name in json.load(sys.stdin):
    try:
        found[name] = dir(importlib.import_module("mujoco." + name))
    except ModuleNotFoundError as error:
        found[name] = str(error)
print(json.dumps(found))
"""


def ours(names):
    """What Ligament has under these names: names in the module, or the words of the error."""
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(ligament.__file__))}
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=json.dumps(names), capture_output=True, text=True,
                          env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_module_and_every_public_name_is_here_or_says_why_not():
    wanted = {**{name: list(names) for name, names in plain_modules()}, **dict(compiled_modules())}
    assert len(wanted) > 25 and "rollout" in wanted and "_structs" in wanted
    there = ours(list(wanted))
    absent = {name for name, content in there.items() if isinstance(content, str)}
    assert absent == ABSENT & wanted.keys()
    for name in absent:
        assert re.match(rf"mujoco.{name.split('.')[0]}[\w.]* is not part of Ligament|No module named 'mujoco.{name.rsplit('.', 1)[0]}",
                        there[name]), there[name]
    missing = {name: sorted(set(names) - set(there[name]) - ABSENT_NAMES.get(name, set()))
               for name, names in wanted.items() if name not in absent}
    missing = {name: names for name, names in missing.items() if names}
    assert not missing, missing
