"""mj_saveLastXML: numbers of a model that were changed after compiling are saved, as MuJoCo 3.5.0 saves them."""

import mujoco
import numpy as np
import pytest

import ligament

XML = """
<mujoco>
  <option timestep="0.004"/>
  <size nuser_body="2" nuser_geom="1"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0  .3 0 0  0 .2 0  0 0 .4"/>
    <material name="red" rgba="1 0 0 1"/>
    <hfield name="hills" nrow="2" ncol="3" size="1 1 .2 .1" elevation="0 .5 1  .25 .75 .125"/>
  </asset>
  <worldbody>
    <light name="lamp" pos="0 0 4"/>
    <geom name="hills" type="hfield" hfield="hills" pos="0 0 -2"/>
    <camera name="eye" pos="0 -3 1" euler="70 0 0"/>
    <frame pos=".1 .2 .3" euler="0 0 30">
      <body name="arm" pos="0 0 1" euler="0 20 0" user="1 2">
        <inertial pos="0 0 .1" mass="2" diaginertia=".1 .2 .3"/>
        <frame pos="0 .1 0" euler="10 0 0">
          <joint name="hinge" axis="0 1 0" range="-45 60" stiffness="3" damping=".5"/>
          <geom name="rod" type="capsule" size=".03" fromto="0 0 0 .4 0 .2"/>
          <site name="grip" pos=".4 0 .2" size=".02"/>
        </frame>
        <body name="hand" pos=".4 0 .2">
          <joint name="slide" type="slide" axis="1 0 0" springref=".2" stiffness="10"/>
          <geom name="wedge" type="mesh" mesh="wedge" pos=".1 0 0" euler="0 0 45" material="red"/>
          <geom name="fitted" type="box" mesh="wedge" mass=".1"/>
        </body>
      </body>
    </frame>
    <body name="stone" pos="1 0 1"><freejoint/><geom name="stone" size=".1"/></body>
  </worldbody>
  <contact><pair geom1="rod" geom2="stone" friction="1 1 .1 .1 .1"/></contact>
  <equality><weld body1="hand" body2="stone" active="false"/></equality>
  <tendon>
    <spatial name="cord" width=".01" range="0 2"><site site="grip"/><geom geom="stone"/><site site="grip"/></spatial>
  </tendon>
  <actuator>
    <position name="servo" joint="hinge" kp="20" ctrlrange="-1 1"/>
    <motor name="motor" joint="slide" gear="3"/>
  </actuator>
  <sensor><jointpos joint="hinge" cutoff="2"/></sensor>
  <custom><numeric name="n" data="1 2 3"/><tuple name="t"><element objtype="body" objname="arm" prm=".5"/></tuple></custom>
  <keyframe><key name="start" time="1" qpos=".1 .2  1 0 1 1 0 0 0" ctrl=".3 .4"/></keyframe>
</mujoco>
"""

POSITIONS = ["body_pos", "geom_pos", "site_pos", "cam_pos", "light_pos", "jnt_pos", "light_dir", "jnt_axis"]
ROTATIONS = ["body_quat", "geom_quat", "site_quat", "cam_quat"]
NUMBERS = ["jnt_stiffness", "jnt_range", "jnt_solref", "jnt_solimp", "jnt_margin", "dof_armature", "dof_damping",
           "dof_frictionloss", "geom_friction", "geom_solref", "geom_solmix", "geom_margin", "geom_gap", "geom_rgba",
           "site_size", "site_rgba", "cam_fovy", "cam_ipd", "light_attenuation", "light_cutoff", "light_diffuse", "mat_rgba",
           "mat_specular", "pair_solref", "pair_friction", "pair_margin", "eq_solref", "tendon_range",
           "tendon_stiffness", "tendon_damping", "tendon_width", "tendon_rgba", "actuator_gainprm", "actuator_biasprm",
           "actuator_ctrlrange", "actuator_gear", "sensor_cutoff", "sensor_noise", "numeric_data", "tuple_objprm",
           "key_time", "key_qpos", "key_ctrl", "body_user", "geom_user", "qpos_spring"]


def random_rotations(random, count):
    q = random.standard_normal((count, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def edit(model, field, seed):
    """The same change in either package."""
    random = np.random.RandomState(seed)
    values = getattr(model, field)
    # the world does not move, and a free joint has no place of its own
    rows = slice(1, None) if field.startswith("body") else slice(2) if field in ("jnt_pos", "jnt_axis") else slice(None)
    if field in ROTATIONS:
        values[rows] = random_rotations(random, len(values[rows]))
    elif field in ("jnt_axis", "light_dir"):
        axes = random_rotations(random, len(values[rows]))[:, :3]
        values[rows] = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    elif field == "key_qpos":
        values[:, :5] += random.uniform(0.01, 0.02, values[:, :5].shape)
    elif field.endswith(("range", "solimp")):
        values *= random.uniform(0.9, 0.95)
    elif field in POSITIONS:
        values[rows] += random.uniform(0.01, 0.02, values[rows].shape)
    elif field == "qpos_spring":
        values[:2] += [0.25, 0.125]
    elif field.startswith("dof"):
        values += 0.0125  # a joint has one number for all of its degrees of freedom
    elif field == "site_size":
        values[:, 0] += 0.0125  # a ball has one size
    else:
        values[rows] += random.uniform(0.01, 0.02, values[rows].shape)


def saved(mj, fields, path, xml=XML):
    """The text that an engine saves after changes, and the changed model."""
    model = mj.MjModel.from_xml_string(xml)
    for seed, field in enumerate(fields):
        edit(model, field, seed)
    mj.mj_saveLastXML(str(path), model)
    return path.read_text(), model


def compare(ours, theirs, fields, tolerance=2e-5):
    for field in fields:
        np.testing.assert_allclose(getattr(ours, field), getattr(theirs, field), atol=tolerance, rtol=tolerance,
                                   err_msg=field)


@pytest.mark.parametrize("field", [*POSITIONS, *ROTATIONS, *NUMBERS])
def test_a_changed_field_is_saved_as_the_reference_saves_it(field, tmp_path):
    theirs, _ = saved(mujoco, [field], tmp_path / "theirs.xml")
    ours, changed = saved(ligament, [field], tmp_path / "ours.xml")
    again, reference = mujoco.MjModel.from_xml_string(ours), mujoco.MjModel.from_xml_string(theirs)
    compare(again, reference, [*POSITIONS, *ROTATIONS, *NUMBERS])
    compare(again, changed, [field], 1e-12)


def test_all_fields_at_once(tmp_path):
    fields = [*POSITIONS, *ROTATIONS, *NUMBERS]
    theirs, _ = saved(mujoco, fields, tmp_path / "theirs.xml")
    ours, changed = saved(ligament, fields, tmp_path / "ours.xml")
    again, reference = mujoco.MjModel.from_xml_string(ours), mujoco.MjModel.from_xml_string(theirs)
    compare(again, reference, fields)
    compare(again, changed, [field for field in fields if field != "qpos_spring"], 1e-12)  # of free bodies: their poses


def test_an_untouched_model_is_saved_as_it_was_read(tmp_path):
    model = ligament.MjModel.from_xml_string(XML)
    ligament.mj_saveLastXML(str(tmp_path / "same.xml"), model)
    assert (tmp_path / "same.xml").read_text() == ligament.MjSpec.from_string(XML).to_xml()


def test_options_sizes_and_statistics(tmp_path):
    model = ligament.MjModel.from_xml_string(XML)
    model.opt.timestep, model.opt.gravity[:] = 0.001, (0, 0, -1)
    model.stat.extent, model.vis.map.znear = 7, 0.5
    model.geom_size[model.geom("stone").id] = (0.25, 0, 0)
    model.geom_size[model.geom("rod").id][:2] = (0.05, 0.5)
    model.geom_size[model.geom("fitted").id] = (0.1, 0.2, 0.3)
    model.hfield_data[4] = 0.9  # neither the lowest nor the highest: elevations are scaled to [0, 1]
    path = tmp_path / "saved.xml"
    ligament.mj_saveLastXML(str(path), model)
    again = mujoco.MjModel.from_xml_path(str(path))
    assert again.opt.timestep == 0.001 and again.opt.gravity[2] == -1
    assert again.stat.extent == 7 and again.vis.map.znear == 0.5
    compare(again, model, ["geom_size", "geom_pos", "geom_quat", "hfield_data"], 1e-6)


def test_changed_inertia_becomes_explicit(tmp_path):
    """Unlike MuJoCo 3.5.0, which forgets it for bodies whose inertia came from geoms (docs/deviations.md)."""
    model = ligament.MjModel.from_xml_string(XML)
    model.body_mass[1:] = (3, 4, 5)
    path = tmp_path / "saved.xml"
    ligament.mj_saveLastXML(str(path), model)
    assert list(mujoco.MjModel.from_xml_path(str(path)).body_mass) == [0, 3, 4, 5]


def test_a_body_aligned_with_its_inertia_keeps_its_changed_pose(tmp_path):
    xml = """<mujoco><compiler alignfree="true"/><worldbody><body pos="0 0 1"><freejoint/>
      <geom name="a" size=".1" pos=".2 0 0"/><geom name="b" size=".1 .2 .3" type="box" pos="0 .4 0"/></body></worldbody></mujoco>"""
    model = ligament.MjModel.from_xml_string(xml)
    model.body_pos[1] += (0, 0, 0.5)
    path = tmp_path / "saved.xml"
    ligament.mj_saveLastXML(str(path), model)
    again = mujoco.MjModel.from_xml_path(str(path))
    compare(again, model, ["body_pos", "body_quat", "geom_pos", "geom_quat"], 1e-12)


def test_merged_bodies_are_a_clear_error(tmp_path):
    xml = """<mujoco><compiler fusestatic="true"/><worldbody><body><geom size=".1"/></body>
      <body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    model = ligament.MjModel.from_xml_string(xml)
    path = str(tmp_path / "saved.xml")
    ligament.mj_saveLastXML(path, model)
    model.geom_size[0, 0] = 0.2
    with pytest.raises(ValueError, match="merged or discarded"):
        ligament.mj_saveLastXML(path, model)


def test_a_model_from_a_binary_has_no_text(tmp_path):
    model = ligament.MjModel.from_xml_string(XML)
    ligament.mj_saveModel(model, str(tmp_path / "model.mjb"))
    with pytest.raises(ValueError, match="No XML model loaded"):
        ligament.mj_saveLastXML(str(tmp_path / "x.xml"), ligament.MjModel.from_binary_path(str(tmp_path / "model.mjb")))
