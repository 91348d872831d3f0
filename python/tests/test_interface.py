"""The names of the package are those of the reference, and functions take the same arguments."""

import inspect
import re

import ligament
import mujoco
import numpy as np
import pytest

# Drawing on a screen, and what the reference's package imports for itself.
RENDERING = re.compile(r"(glfw|_render$)")
INTERNAL = {"Any", "IO", "Sequence", "TypeAlias", "Union", "ctypes", "os", "platform", "subprocess", "warnings", "zipfile",
            "HEADERS_DIR", "PLUGINS_DIR", "PLUGIN_HANDLES"}


def wanted():
    for name in dir(mujoco):
        if not (name.startswith("_") or RENDERING.match(name) or name in INTERNAL):
            yield name


def test_every_name_exists():
    assert [name for name in wanted() if not hasattr(ligament, name)] == []


def parameters(signature):
    """Names of the parameters in a signature such as ``f(a: list[int], b: str = '') -> None``."""
    depth, names, current = 0, [], ""
    for letter in signature[signature.index("(") + 1:]:
        depth += letter in "[("
        if letter in "])":
            if depth == 0:
                break
            depth -= 1
        if letter == "," and depth == 0:
            names.append(current)
            current = ""
        else:
            current += letter
    names += [current] if current.strip() else []
    return [(name.split(":")[0].strip(), "=" in name) for name in names]


FUNCTIONS = [name for name in wanted() if re.match(r"mj[udrv]?_", name) and callable(getattr(mujoco, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_the_same_arguments(name):
    theirs = parameters(getattr(mujoco, name).__doc__.split("\n")[0])
    ours = [(p.name, p.default is not p.empty) for p in inspect.signature(getattr(ligament, name)).parameters.values()]
    if name == "mju_standardNormal":
        theirs = [(argument, True) for argument, _ in theirs]
    assert ours == theirs


def test_enumerations_have_the_same_members():
    for name in dir(mujoco):
        theirs = getattr(mujoco, name)
        if name.startswith("mjt") and hasattr(theirs, "__members__"):
            ours = getattr(ligament, name).__members__
            assert {k: int(v) for k, v in theirs.__members__.items()} == {k: int(v) for k, v in ours.items()}, name


def test_constants_are_equal():
    for name in dir(mujoco):
        if re.match(r"mj[A-Z]", name):
            assert getattr(ligament, name) == getattr(mujoco, name), name


@pytest.mark.parametrize("name", ["MjContact", "MjLROpt", "MjOption", "MjStatistic", "MjSolverStat", "MjTimerStat",
                                  "MjWarningStat", "MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvOption", "MjvPerturb"])
def test_structs_have_the_same_fields(name):
    ours, theirs = getattr(ligament, name)(), getattr(mujoco, name)()
    fields = [field for field in dir(theirs) if not field.startswith("_")]
    for field in fields:
        assert repr(getattr(ours, field)) == repr(getattr(theirs, field)), field
    if "object at" not in repr(theirs):
        assert repr(ours) == repr(theirs)


XML = """<mujoco>
  <asset><texture name="t" type="2d" builtin="checker" width="4" height="8"/><material name="m" texture="t"/></asset>
  <worldbody>
    <light name="l"/><camera name="c"/><geom name="floor" type="plane" size="1 1 1"/>
    <body name="b" pos="0 0 .05"><freejoint name="f"/><geom name="g" size=".1" material="m"/><site name="s"/></body>
    <body name="k"><joint name="h"/><geom size=".1" pos="5 0 0"/></body>
  </worldbody>
  <tendon><fixed name="x"><joint joint="h" coef="2"/></fixed></tendon>
  <actuator><motor name="a" joint="h"/></actuator>
  <sensor><jointpos name="p" joint="h"/><framequat name="q" objtype="body" objname="b"/></sensor>
  <equality><joint name="e" joint1="h"/></equality>
  <custom><numeric name="n" data="1 2"/><text name="w" data="abc"/></custom>
  <keyframe><key name="y" time="1"/></keyframe>
</mujoco>"""
# sparse rows that the reference cuts at the number of elements, and half of a range
ODD = ("_pybind11_conduit_v1_", "moment", "J", "J_colind", "_lengthspring")
NAMED = {"actuator": "a", "body": "b", "camera": "c", "equality": "e", "geom": "g", "joint": "f", "keyframe": "y",
         "light": "l", "material": "m", "numeric": "n", "sensor": "q", "site": "s", "tendon": "x", "texture": "t"}


@pytest.mark.parametrize("kind", NAMED)
@pytest.mark.parametrize("part", ["model", "data"])
def test_named_views_have_the_attributes_of_the_reference(kind, part):
    def pair(package):
        model = package.MjModel.from_xml_string(XML)
        data = package.MjData(model)
        package.mj_forward(model, data)
        return model if part == "model" else data
    ours, theirs = pair(ligament), pair(mujoco)
    if not hasattr(theirs, kind):
        return
    mine, reference = getattr(ours, kind)(NAMED[kind]), getattr(theirs, kind)(NAMED[kind])
    for field in dir(reference):
        if not field.startswith("__") and field not in ODD:
            value, expected = getattr(mine, field), getattr(reference, field)
            assert getattr(value, "shape", None) == getattr(expected, "shape", None), field
            assert value == pytest.approx(expected), field
    assert getattr(ours, kind)(reference.id) is mine


def test_enumerations_are_shown_by_name():
    ours, theirs = ligament.mjtGeom.mjGEOM_BOX, mujoco.mjtGeom.mjGEOM_BOX
    for show in (str, repr, "{}".format, "%s".__mod__, "%d".__mod__):
        assert show(ours) == show(theirs)
    assert f"{ours:3d}" == "  6" and ours == 6 and ours + 1 == 7


MISSPELT = ["m.nq = 2", "m.foo = 1", "d.foo = 1", "m.opt.foo = 1", "m.opt.timestep = 'a'", "m.opt.iterations = 1.5",
            "m.opt.gravity = [1, 2]", "m.body_mass = [1, 2, 3, 4, 5]", "d.qpos = np.zeros(3)", "d.time = 'a'",
            "d.contact[0].foo = 1", "d.contact.dist = 2", "d.efc_force = 1", "m.stat = m.stat", "m.opt = m.opt",
            "d.model = m", "d.contact = 1", "m.geom('g').size = [1, 2]", "m.geom('g').foo = 1", "m.geom('g').id = 1",
            "m.names = b''", "m.geom(1.5)", "m.geom('zz')", "m.geom(-1)", "p.mj_step(m, None)", "p.mj_step(None, d)",
            "p.mj_step(d, m)", "p.mj_step(m, d, 'a')", "p.mj_step(m, d, 1.5)", "p.mj_step()", "p.MjData(None)",
            "p.MjData()", "p.MjModel()", "p.MjModel.from_xml_string('<a/>')", "p.MjModel.from_xml_path('/none.xml')",
            "p.mj_resetDataKeyframe(m, d, None)", "p.mjtGeom(-5)", "p.mj_name2id(m, 1, 3)"]
ALLOWED = ["m.opt.iterations = np.int32(4)", "m.opt.gravity = 5", "m.opt.gravity[2] = np.float32(1)", "m.body_mass = 2",
           "d.qpos = 1", "d.contact[0].dist = 1", "d.contact.dist[:] = 2", "d.energy = [1, 2]", "d.solver_niter[0] = 1",
           "m.geom('g').size = [1, 2, 3]", "p.mj_step(m, d, nstep=2)", "p.mj_step(m=m, d=d)", "d.ncon = 0",
           "p.mj_resetDataKeyframe(m, d, 5)", "m.opt.disableflags |= p.mjtDisableBit.mjDSBL_GRAVITY", "m.geom(np.int64(1))",
           "m.geom(name='g')", "m.vis.rgba.fog[0] = 0.5", "m.vis.map.znear = 1", "d.time = 3"]


def attempt(package, line):
    """Name of the exception that a line of a user's program raises."""
    model = package.MjModel.from_xml_string(XML)
    data = package.MjData(model)
    package.mj_forward(model, data)
    try:
        exec(line, {"m": model, "d": data, "p": package, "np": np})  # pylint: disable=exec-used
    except Exception as error:  # whatever it is, the other package has to raise the same
        return type(error).__name__
    return ""


@pytest.mark.parametrize("line", MISSPELT + ALLOWED)
def test_lines_are_accepted_or_refused_as_in_the_reference(line):
    assert attempt(ligament, line) == attempt(mujoco, line)
    assert bool(attempt(mujoco, line)) == (line in MISSPELT)
