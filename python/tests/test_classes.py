"""Programs look at the classes: what MuJoCo's have, ours have."""

import inspect

import ligament
import mujoco
import numpy as np
import pytest

CLASSES = [name for name in dir(mujoco) if inspect.isclass(getattr(mujoco, name)) and hasattr(ligament, name)
           and not name.startswith(("Mjv", "Mjr", "mjt"))]
XML = """<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="b" pos="0 0 .05"><freejoint name="j"/><geom name="g" size=".1"/><site name="s"/></body>
  </worldbody>
  <sensor><accelerometer site="s"/><force site="s"/><torque site="s"/><framelinacc objtype="body" objname="b"/></sensor>
</mujoco>"""


def public(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


@pytest.mark.parametrize("name", CLASSES)
def test_dir_of_a_class_has_every_name(name):
    assert public(getattr(mujoco, name)) - public(getattr(ligament, name)) == set()


@pytest.mark.parametrize("name", ["MjModel", "MjData"])
def test_dict_of_a_class_has_every_field(name):
    fields = {key for key in getattr(mujoco, name).__dict__ if not key.startswith("_")}
    assert fields - set(getattr(ligament, name).__dict__) == set()


def test_fields_of_classes_have_descriptions():
    assert "configuration" in ligament.MjData.qpos.__doc__
    assert ligament.MjModel.nv.__doc__


def test_arrays_keep_their_identity():
    model = ligament.MjModel.from_xml_string(XML)
    data = ligament.MjData(model)
    assert data.qpos is data.qpos and data.plugin_data is data.plugin_data and model.opt is model.opt


def run_in_halves(mj):
    """A forward step, then steps in two halves: what shows the forces of the last forward step stays as it is."""
    model = mj.MjModel.from_xml_string(XML)
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    readings = [data.sensordata.copy()]
    for i in range(20):
        mj.mj_step1(model, data)
        data.xfrc_applied[1, 2] = i
        mj.mj_step2(model, data)
        readings.append(np.concatenate((data.sensordata, data.cacc.ravel(), data.cfrc_int.ravel(), data.qpos)))
    mj.mj_resetData(model, data)
    mj.mj_step1(model, data)
    mj.mj_step2(model, data)
    return [*readings, data.sensordata.copy()]


def test_second_half_of_a_step_leaves_what_mujoco_leaves():
    for ours, theirs in zip(run_in_halves(ligament), run_in_halves(mujoco)):
        np.testing.assert_array_equal(ours, theirs)


def test_names_may_be_bytes():
    model = ligament.MjModel.from_xml_string(XML)
    assert ligament.mju_str2Type(b"joint") == mujoco.mju_str2Type(b"joint") == 3
    assert ligament.mj_name2id(model, ligament.mjtObj.mjOBJ_BODY, b"b") == 1
    assert model.body(b"b").id == ligament.MjData(model).body(b"b").id == 1
    with pytest.raises(TypeError):
        ligament.mj_name2id(model, 1, 3)


def test_a_solver_that_does_not_exist_is_an_error():
    for mj in (mujoco, ligament):
        model = mj.MjModel.from_xml_string(XML)
        model.opt.solver = 10
        with pytest.raises(mj.FatalError, match="unknown solver type 10"):
            mj.mj_step(model, mj.MjData(model))


BAD = [
    "<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>",
    "<mujoco><worldbody>\n<geom size='1'/>\n<geom class='zz'/></worldbody></mujoco>",
    "<mujoco><worldbody><geom type='box' size='1'/></worldbody></mujoco>",
    "<mujoco><worldbody>\n<body name='q'>\n<joint/></body></worldbody></mujoco>",
    "<mujo/>",
    "<mujoco><asset><mesh file='x.obj'/></asset></mujoco>",
    "<mujoco><worldbody/><actuator><motor joint='zz'/></actuator></mujoco>",
    "<mujoco><worldbody><body name='q'/><body name='q'/></worldbody></mujoco>",
    "<robot name='a'><link name='b'/><joint name='c'/></robot>",
]


@pytest.mark.parametrize("text", BAD)
def test_refusals_begin_as_those_of_mujoco(text):
    """Programs recognise errors by these words; more lines may follow."""
    with pytest.raises(ValueError) as theirs:
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(ValueError) as ours:
        ligament.MjModel.from_xml_string(text)
    assert str(ours.value).startswith(str(theirs.value).rstrip("\n"))


def test_room_for_contacts_and_rows():
    """What other engines compute is put into a state this way."""
    model = ligament.MjModel.from_xml_string(XML)
    data = ligament.MjData(model)
    ligament._functions._realloc_con_efc(data, ncon=3, nefc=7, nJ=12)
    assert (data.ncon, data.nefc, data.nJ) == (3, 7, 12)
    assert len(data.contact) == 3 and data.efc_pos.shape == (7,) and data.efc_J.shape == (12,)
    data.contact.dist[:] = [1, 2, 3]
    assert data.contact[2].dist == 3


def test_records_of_scenes_can_be_extended():
    """dm_control does so, with arguments and properties of its own."""
    class Camera(ligament.MjvCamera):
        @property
        def kind(self):
            return self.type

        @kind.setter
        def kind(self, value):
            self.type = value

    class Scene(ligament.MjvScene):
        def __init__(self, holder, largest=None):
            super().__init__(holder["model"], largest or 50)

        @property
        def geoms(self):
            return super().geoms[:super().ngeom]
    model = ligament.MjModel.from_xml_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    data = ligament.MjData(model)
    ligament.mj_forward(model, data)
    camera, scene = Camera(), Scene({"model": model})
    camera.kind = ligament.mjtCamera.mjCAMERA_FREE
    camera.note = "classes of users have attributes of their own"
    ligament.mjv_updateScene(model, data, ligament.MjvOption(), None, camera, ligament.mjtCatBit.mjCAT_ALL, scene)
    assert scene.maxgeom == 50 and len(scene.geoms) == scene.ngeom == 1
    with pytest.raises(AttributeError):
        ligament.MjvCamera().note = "a misspelt field"
    with pytest.raises(TypeError):
        ligament.MjvCamera(1)
    flags = scene.flags
    with pytest.raises(ValueError, match="in use"):
        scene.__init__({"model": model})
    assert flags.shape == (ligament.mjtRndFlag.mjNRNDFLAG,)


@pytest.mark.parametrize("name", ["MjvCamera", "MjvFigure", "MjvGeom", "MjvLight", "MjvOption", "MjvPerturb", "MjvScene"])
def test_fields_of_scenes_are_attributes_of_their_classes(name):
    theirs = {field for field in dir(getattr(mujoco, name)) if not field.startswith("_")}
    assert theirs <= set(dir(getattr(ligament, name)))


def test_numbers_of_contacts_are_those_of_the_columns():
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    model = ligament.MjModel.from_xml_string(xml)
    data = ligament.MjData(model)
    ligament.mj_forward(model, data)
    contact = data.contact[0]
    for name in ("dist", "includemargin", "mu", "dim", "geom1", "geom2", "exclude", "efc_address"):
        value = getattr(contact, name)
        assert type(value) in (int, float) and value == getattr(data.contact, name)[0], name
    contact.dist = 0.25
    assert data.contact.dist[0] == contact.dist == data.contact[:][0].dist == 0.25
    data.qpos[2] = 5
    ligament.mj_forward(model, data)
    assert len(data.contact) == 0
    with pytest.raises(IndexError):
        contact.dist


def test_contacts_written_by_hand_do_not_stop_stages_that_ignore_them():
    """MJX writes contacts and rows back one by one, and factors the inertia in between."""
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    model = ligament.MjModel.from_xml_string(xml)
    data = ligament.MjData(model)
    ligament.mj_forward(model, data)
    data.contact.efc_address[:] = 99
    ligament.mj_factorM(model, data)
    with pytest.raises(ligament.FatalError, match="has no row"):
        ligament.mj_fwdConstraint(model, data)
    ligament.mj_forward(model, data)


class One:
    """As an array of one number is, for most releases of NumPy: an integer by ``__int__`` alone."""

    def __int__(self):
        return 1


@pytest.mark.parametrize("engine", [ligament, mujoco], ids=["ligament", "mujoco"])
def test_ids_may_be_all_that_can_become_an_integer(engine):
    """Programs pass arrays like `model.sensor(0).objid` on as ids; numbers with a fraction are refused."""
    model = engine.MjModel.from_xml_string(XML)
    data = engine.MjData(model)
    engine.mj_forward(model, data)
    jacobian, camera, spec = np.zeros((3, model.nv)), engine.MjvCamera(), engine.MjSpec()
    engine.mj_jacBody(model, data, jacobian, None, One())
    assert jacobian[0, 0] == 1
    assert model.body(One()).name == "b" and engine.mj_id2name(model, One(), One()) == "b"
    assert engine.mjtGeom(One()) == engine.mjtGeom.mjGEOM_HFIELD
    camera.fixedcamid, model.opt.integrator = One(), One()
    assert camera.fixedcamid == 1 and model.opt.integrator == 1
    assert spec.worldbody.add_geom(group=One()).group == 1
    for wrong in (1.0, "1", None, [1]):
        with pytest.raises(TypeError):
            engine.mj_jacBody(model, data, jacobian, None, wrong)
