"""MjModel: views, shapes, files, copies, errors."""

import copy
import pickle

import ligament
import models
import mujoco
import numpy as np
import pytest


@pytest.mark.parametrize("name", models.NAMES)
def test_every_field_has_the_shape_and_dtype_of_the_reference(name):
    (ours, _), (theirs, _) = models.both(name)
    checked = 0
    for field in dir(theirs):
        value = getattr(theirs, field)
        if field.startswith("_") or callable(value):
            continue
        mine = getattr(ours, field)
        if isinstance(value, np.ndarray):
            # the reference shows flags as bool; both read and write alike
            assert mine.shape == value.shape, field
            assert np.dtype(mine.dtype).itemsize == value.dtype.itemsize, field
            if field != "plugin_attr":
                assert np.dtype(mine.dtype).kind == value.dtype.kind or value.dtype == bool, field
            checked += 1
        elif isinstance(value, int) and field not in ("nbuffer", "narena", "nnames_map", "signature"):
            assert mine == value, field
            checked += 1
    assert checked > 300


def test_arrays_are_views():
    (model, data), _ = models.both("tree")
    view = model.body_mass
    assert np.shares_memory(view, model.body_mass)
    model.body_mass[1] = 7.0
    assert model.body_mass[1] == view[1] == 7.0
    model.geom_friction = 0.25
    assert np.all(model.geom_friction == 0.25)
    before = data.qacc.copy()
    model.opt.gravity[2] = -1.0
    ligament.mj_forward(model, data)
    assert not np.array_equal(before, data.qacc)
    with pytest.raises(AttributeError):
        model.nv = 3


def test_views_outlive_the_model():
    view = models.both("tree")[0][0].body_mass
    assert view[1] > 0


def test_options_match_the_reference():
    (ours, _), (theirs, _) = models.both("contacts")
    for group in ("opt", "stat"):
        for field in dir(getattr(theirs, group)):
            if not field.startswith("_"):
                value = getattr(getattr(theirs, group), field)
                if not callable(value):
                    assert np.allclose(getattr(getattr(ours, group), field), value), field
    ours.opt.timestep = 0.5
    assert ours.opt.timestep == 0.5


def test_enumerations_match_the_reference():
    kinds = [name for name in dir(mujoco) if name.startswith("mjt") and hasattr(ligament, name)]
    assert len(kinds) > 40
    for kind in kinds:
        theirs, ours = getattr(mujoco, kind), getattr(ligament, kind)
        assert issubclass(ours, int) and len(ours) == len(list(ours)) == len(set(ours.__members__.values()))
        members = {name: int(value) for name, value in theirs.__members__.items()}
        counts = {name for name in members if name.startswith("mjN")}
        assert {name: int(ours[name]) for name in members if name not in counts} == \
            {name: value for name, value in members.items() if name not in counts}, kind
    assert mujoco.mjtGeom.mjGEOM_BOX == ligament.mjtGeom.mjGEOM_BOX
    missing = [name for name in dir(mujoco) if name.startswith("mjt") and not hasattr(ligament, name)]
    assert not missing


@pytest.mark.parametrize("expression", [
    "repr(box)", "str(box)", "f'{box}'", "box.name, box.value, int(box), hash(box)", "box == 6, 6 == box, box == 6.0", "'%d' % box",
    "box | 1, box & 7, box + 1, box / 2, -box, box << 1, type(box + 1)", "bool(kind.mjGEOM_PLANE)", "[0] * box, range(box)",
    "kind(box), kind(6)", "kind(99)", "kind('box')", "kind()", "{6: 1}[box], {box: 1}[6]", "box == joint(2)",
    "pickle.loads(pickle.dumps(box)) == copy.deepcopy(box) == copy.copy(box) == box",
])
def test_members_of_enumerations_behave_as_in_the_reference(expression):
    def outcome(mj):
        names = {"kind": mj.mjtGeom, "box": mj.mjtGeom.mjGEOM_BOX, "joint": mj.mjtJoint, "pickle": pickle, "copy": copy}
        try:
            return repr(eval(expression, names))
        except (TypeError, ValueError) as error:
            return type(error)
    assert outcome(ligament) == outcome(mujoco)


def test_members_of_enumerations_stay_as_they_are():
    kind = ligament.mjtGeom
    assert kind["mjGEOM_BOX"] is kind(6) is pickle.loads(pickle.dumps(kind.mjGEOM_BOX))
    assert kind.mjGEOM_BOX in kind and 6 in kind and 50 not in kind and ligament.mjtJoint(2) not in kind
    assert list(reversed(kind))[-1] is kind.mjGEOM_PLANE
    for change in (lambda: setattr(kind, "mjGEOM_BOX", 1), lambda: setattr(kind.mjGEOM_BOX, "name", "other")):
        with pytest.raises(AttributeError, match="cannot be changed"):
            change()
    with pytest.raises(TypeError):
        kind.__members__["mjGEOM_BOX"] = 1


@pytest.mark.parametrize("text, words", [
    ("<mujoco><worldbody><body><geom size='x'/></body></worldbody></mujoco>", ("<string>:1:", "size")),
    ("<mujoco>\n<worldbody>\n<geom typ='box'/></worldbody></mujoco>", ("<string>:3:", "typ")),
    ("<mujoco><worldbody>", ("XML",)),
    ("<mujoco><actuator><motor joint='nothing'/></actuator></mujoco>", ("nothing",)),
    ("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", ("mass",)),
])
def test_errors_say_what_and_where(text, words):
    with pytest.raises(ValueError) as error:
        ligament.MjModel.from_xml_string(text)
    for word in words:
        assert word in str(error.value)
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(text)


def test_missing_files_are_value_errors():
    with pytest.raises(ValueError, match="nowhere.xml"):
        ligament.MjModel.from_xml_path("nowhere.xml")
    with pytest.raises(ValueError, match="nowhere.mjb"):
        ligament.MjModel.from_binary_path("nowhere.mjb")


def fields_equal(a, b):
    return all(np.array_equal(a._field(name), b._field(name)) for name in ligament._core.MjModel._field_names())


@pytest.mark.parametrize("name", models.NAMES)
def test_copies_and_files_keep_everything(name, tmp_path):
    model = ligament.MjModel.from_xml_path(models.path(name))
    binary = str(tmp_path / "model.mjb")
    ligament.mj_saveModel(model, binary)
    buffer = np.zeros(ligament.mj_sizeModel(model), dtype=np.uint8)
    ligament.mj_saveModel(model, None, buffer)
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model)),
                  ligament.MjModel.from_binary_path(binary)):
        assert fields_equal(model, other)
        assert not np.shares_memory(model.body_pos, other.body_pos)
        assert other.opt.timestep == model.opt.timestep
    assert bytes(buffer) == open(binary, "rb").read()


@pytest.mark.parametrize("name", models.NAMES)
def test_saved_text_makes_the_same_model(name, tmp_path):
    model = ligament.MjModel.from_xml_path(models.path(name))
    ligament.mj_saveLastXML(str(tmp_path / "saved.xml"), model)
    again = ligament.MjModel.from_xml_path(str(tmp_path / "saved.xml"))
    for field in ("body_mass", "body_pos", "geom_size", "jnt_axis", "dof_armature", "actuator_gainprm", "sensor_dim"):
        assert np.allclose(getattr(model, field), getattr(again, field), atol=1e-5), field
    mujoco.MjModel.from_xml_path(str(tmp_path / "saved.xml"))


def test_damaged_binaries_are_refused(tmp_path):
    model = ligament.MjModel.from_xml_path(models.path("tree"))
    path = tmp_path / "model.lig"
    ligament.mj_saveModel(model, str(path))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(ValueError, match="corrupt"):
        ligament.MjModel.from_binary_path(str(path))
    model.jnt_bodyid[0] = 1000
    ligament.mj_saveModel(model, str(path))
    with pytest.raises(ValueError, match="jnt_bodyid"):
        ligament.MjModel.from_binary_path(str(path))
