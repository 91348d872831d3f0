"""MjSpec: the same editing program under both packages gives the same model."""

import copy
import io
import pathlib
import zipfile

import ligament
import models
import mujoco
import numpy as np
import pytest

CUBE = """v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n"""
ARM = """<mujoco model="arm">
  <compiler angle="degree"/>
  <default><geom rgba="1 0 0 1"/><default class="link"><geom type="capsule" size=".04"/><joint damping=".5"/></default></default>
  <asset><material name="m" rgba="0 1 0 1"/></asset>
  <worldbody>
    <frame name="mount" pos="0 0 1" euler="0 0 30">
      <body name="upper" childclass="link"><joint name="shoulder" axis="0 1 0" range="-90 90"/>
        <geom name="u" fromto="0 0 0 .4 0 0" material="m"/>
        <body name="lower" pos=".4 0 0"><joint name="elbow" axis="0 1 0"/><geom name="l" fromto="0 0 0 .3 0 0"/>
          <site name="tip" pos=".3 0 0"/></body></body>
    </frame>
  </worldbody>
  <tendon><fixed name="both"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-1"/></fixed></tendon>
  <actuator><motor name="ms" joint="shoulder" gear="3"/><position name="pe" joint="elbow" kp="7"/></actuator>
  <sensor><jointpos name="js" joint="shoulder"/><framepos name="fp" objtype="site" objname="tip"/></sensor>
  <contact><exclude body1="upper" body2="lower"/></contact>
  <keyframe><key name="bent" qpos=".3 -.4" ctrl=".1 .2"/></keyframe>
</mujoco>"""


def tree(mj):
    spec = mj.MjSpec()
    spec.modelname = "tree"
    spec.option.timestep = 0.001
    spec.option.gravity = [0, 0, -3]
    spec.compiler.degree = False
    spec.worldbody.add_geom(name="floor", type=mj.mjtGeom.mjGEOM_PLANE, size=[1, 2, 0.1])
    body = spec.worldbody.add_body(name="box", pos=[0, 0, 1], euler=[0, 0, 0.5])
    body.add_freejoint(name="free")
    geom = body.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=[0.1, 0.2, 0.3], rgba=[1, 0, 0, 1])
    geom.friction[0] = 0.3
    geom.name = "g"
    arm = body.add_body(name="arm")
    arm.pos[:] = (0.2, 0, 0)
    arm.add_joint(name="hinge", axis=[0, 1, 0], range=[-1, 1], damping=0.1)
    arm.add_geom(type=mj.mjtGeom.mjGEOM_CAPSULE, size=[0.02, 0, 0], fromto=[0, 0, 0, 0.3, 0, 0], mass=0.2)
    arm.add_site(name="tip", pos=[0.3, 0, 0], size=[0.01, 0, 0])
    arm.add_camera(name="eye", pos=[0, 0, 1], xyaxes=[1, 0, 0, 0, 0, 1])
    arm.add_light(pos=[0, 0, 2], dir=[0, 0, -1])
    spec.worldbody.add_body(name="target", mocap=True).add_geom(size=[0.1, 0, 0], contype=0)
    return spec


def references(mj):
    spec = tree(mj)
    motor = spec.add_actuator(name="motor", trntype=mj.mjtTrn.mjTRN_JOINT, target="hinge", gear=[2, 0, 0, 0, 0, 0])
    motor.set_to_motor()
    servo = spec.add_actuator(name="servo", trntype=mj.mjtTrn.mjTRN_JOINT, target="hinge", ctrlrange=[-1, 1])
    servo.set_to_position(kp=10, kv=1)
    spec.add_sensor(name="p", type=mj.mjtSensor.mjSENS_JOINTPOS, objtype=mj.mjtObj.mjOBJ_JOINT, objname="hinge")
    spec.add_sensor(name="q", type=mj.mjtSensor.mjSENS_FRAMEQUAT, objtype=mj.mjtObj.mjOBJ_SITE, objname="tip")
    spec.add_equality(name="e", type=mj.mjtEq.mjEQ_WELD, objtype=mj.mjtObj.mjOBJ_BODY, name1="box", name2="target")
    spec.add_pair(name="pair", geomname1="floor", geomname2="g", condim=1)
    spec.add_exclude(bodyname1="box", bodyname2="arm")
    tendon = spec.add_tendon(name="t", range=[0, 1], limited=1)
    tendon.wrap_joint("hinge", 2)
    spec.add_numeric(name="n", data=[1, 2, 3])
    spec.add_text(name="w", data="words")
    spec.add_tuple(name="u", objtype=[int(mj.mjtObj.mjOBJ_BODY)], objname=["arm"], objprm=[0.5])
    spec.add_key(name="k", time=2, qpos=[0, 0, 1, 1, 0, 0, 0, 0.3])
    spec.nuserdata = 4
    return spec


def assets(mj):
    spec = mj.MjSpec()
    spec.assets = {"cube.obj": CUBE}
    spec.add_mesh(name="cube", file="cube.obj", scale=[0.1, 0.2, 0.3])
    ball = spec.add_mesh(name="ball")
    ball.make_sphere(2)
    spec.add_texture(name="t", type=mj.mjtTexture.mjTEXTURE_2D, builtin=mj.mjtBuiltin.mjBUILTIN_CHECKER, width=8,
                     height=8, rgb1=[1, 0, 0])
    material = spec.add_material(name="m", shininess=0.9)
    material.textures[mj.mjtTextureRole.mjTEXROLE_RGB] = "t"
    spec.add_hfield(name="h", nrow=2, ncol=2, size=[1, 1, 1, 0.1], userdata=[0, 0.5, 1, 0.2])
    spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_HFIELD, hfieldname="h")
    for mesh in ("cube", "ball"):
        body = spec.worldbody.add_body(name=mesh, pos=[0, 0, 3])
        body.add_freejoint()
        body.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname=mesh, material="m")
    return spec


def classes(mj):
    spec = mj.MjSpec()
    spec.default.geom.size[0] = 0.2
    thin = spec.add_default("thin", spec.default)
    thin.geom.size[0] = 0.05
    thin.joint.damping = 3
    thinner = spec.add_default("thinner", thin)
    thinner.geom.rgba = [0, 0, 1, 1]
    body = spec.worldbody.add_body(thin)
    body.add_geom()
    body.add_joint(thinner)
    below = body.add_body(pos=[0, 0, 1])
    below.add_geom(thinner)
    below.add_geom(spec.default)
    return spec


def frames(mj):
    spec = mj.MjSpec()
    outer = spec.worldbody.add_frame(pos=[1, 0, 0], euler=[0, 0, 90])
    inner = outer.add_frame(pos=[0, 1, 0])
    body = inner.add_body(name="b", pos=[0, 0, 1])
    body.add_geom(size=[0.1, 0, 0])
    other = spec.worldbody.add_body(name="c")
    other.add_geom(size=[0.2, 0, 0])
    other.set_frame(outer)
    return spec


def edited(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.body("lower").pos[2] = 0.1
    spec.geom("u").type = mj.mjtGeom.mjGEOM_CYLINDER
    spec.joint("elbow").range = [-10, 100]
    spec.joint("elbow").limited = 1
    spec.actuator("pe").forcerange = [-5, 5]
    spec.worldbody.add_geom(size=[0.3, 0, 0], name="new")
    spec.find_default("link").joint.damping = 9
    spec.body("lower").add_body(name="hand").add_geom(size=[0.1, 0.2, 0])
    return spec


def deleted(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.delete(spec.body("lower"))
    return spec


def deleted_parts(mj):
    spec = references(mj)
    spec.delete(spec.sensor("q"))
    spec.delete(spec.site("tip"))
    spec.delete(spec.key("k"))
    spec.delete(spec.camera("eye"))
    return spec


def attached_model(mj):
    spec = tree(mj)
    frame = spec.worldbody.add_frame(pos=[2, 0, 0], quat=[0, 1, 0, 0])
    spec.attach(mj.MjSpec.from_string(ARM), prefix="left_", frame=frame)
    spec.attach(mj.MjSpec.from_string(ARM), suffix="_right", prefix="", site="tip")
    return spec


def attached_body(mj):
    spec = mj.MjSpec()
    for i in range(3):
        child = mj.MjSpec.from_string(ARM)
        body = spec.worldbody.add_frame(pos=[i, 0, 0]).attach_body(child.body("upper"), f"{i}-", "")
        body.pos[2] = i
        child.body(body.name).add_geom(size=[0.1, 0.1, 0], pos=[0, 0, i])
    return spec


def attached_frame(mj):
    spec = tree(mj)
    child = mj.MjSpec.from_string(ARM)
    spec.body("arm").attach_frame(child.frame("mount"), "x_", "")
    return spec


def turned_into_frame(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.delete(spec.excludes[0])
    spec.body("lower").to_frame()
    return spec


def tendons(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(pos=[0, 0, 1])
    body.add_joint(name="j", axis=[0, 1, 0], range=[-40, 40])
    body.add_geom(name="g", type=mj.mjtGeom.mjGEOM_CYLINDER, size=[0.1, 0.2, 0], quat=[1, 1, 0, 0])
    body.add_site(name="a", pos=[0.3, 0, 0])
    spec.worldbody.add_site(name="b", pos=[0, 0, 2])
    tendon = spec.add_tendon(name="t", width=0.02, stiffness=3)
    tendon.wrap_site("a")
    tendon.wrap_geom("g", "")
    tendon.wrap_site("b")
    for i, make in enumerate((lambda a: a.set_to_cylinder(0.1, 1, 2, 3), lambda a: a.set_to_velocity(3),
                              lambda a: a.set_to_intvelocity(4, dampratio=1), lambda a: a.set_to_damper(2))):
        make(spec.add_actuator(name=f"a{i}", trntype=mj.mjtTrn.mjTRN_TENDON, target="t", ctrlrange=[0, 1]))
    spec.actuator("a2").actrange = [-1, 1]
    return spec


def reserved_keys(mj):
    spec = mj.MjSpec.from_string(ARM.replace("<asset>", '<size nkey="3"/><asset>'))
    spec.attach(mj.MjSpec.from_string(ARM), prefix="p_", frame=spec.worldbody.add_frame())
    return spec


def keys_after_deleting(mj):
    spec = mj.MjSpec.from_string(ARM.replace("<asset>", '<size nkey="3"/><asset>'))
    spec.delete(spec.body("lower"))
    return spec


SCRIPTS = [reserved_keys, keys_after_deleting, tree, references, assets, classes, frames, edited, deleted, deleted_parts, attached_model, attached_body,
           attached_frame, turned_into_frame, tendons]
SKIPPED = {"narena", "nbuffer", "signature", "ntexdata", "tex_data"}


def same(ours, theirs):
    for field in dir(theirs):
        value = getattr(theirs, field)
        if field.startswith("_") or field in SKIPPED or callable(value):
            continue
        mine = getattr(ours, field)
        if isinstance(value, np.ndarray):
            assert mine.shape == value.shape, field
            assert np.allclose(mine, value, rtol=1e-6, atol=1e-9), field
        elif isinstance(value, (int, float, bytes)):
            assert mine == value, field


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.__name__)
def test_the_same_program_gives_the_same_model(script):
    ours, theirs = script(ligament), script(mujoco)
    model, reference = ours.compile(), theirs.compile()
    same(model, reference)
    assert model.opt == copy.copy(model.opt) and model.opt.timestep == reference.opt.timestep
    for kind in ("bodies", "geoms", "joints", "sites", "cameras", "lights", "meshes", "materials", "actuators",
                 "sensors", "tendons", "equalities", "numerics"):
        assert [e.name for e in getattr(ours, kind)] == [e.name for e in getattr(theirs, kind)], kind
        for mine, other in zip(getattr(ours, kind), getattr(theirs, kind)):
            assert mine.id == other.id, (kind, mine.name)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.__name__)
def test_text_and_copies_give_the_same_model(script):
    spec = script(ligament)
    model = spec.compile()
    same_structure(spec.copy().compile(), model)
    same_structure(ligament.MjSpec.from_string(spec.to_xml(), assets=spec.assets).compile(), model)
    reference = mujoco.MjModel.from_xml_string(spec.to_xml(), {k: v.encode() for k, v in spec.assets.items()})
    assert (reference.nbody, reference.nv, reference.ngeom) == (model.nbody, model.nv, model.ngeom)


def same_structure(ours, theirs):
    for field in ("body_pos", "body_quat", "geom_size", "jnt_range", "actuator_gear", "sensor_type", "key_qpos",
                  "body_inertia", "names"):
        mine, other = getattr(ours, field), getattr(theirs, field)
        assert mine == other if isinstance(mine, bytes) else np.allclose(mine, other, atol=1e-12), field


@pytest.mark.parametrize("name", models.NAMES)
def test_files_survive_the_way_through_python_objects(name):
    same(ligament.MjSpec.from_file(models.path(name)).compile(), mujoco.MjModel.from_xml_path(models.path(name)))


def elements(mj):
    """One element of each kind, as it is made."""
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="b")
    found = {kind: getattr(body, f"add_{kind}")() for kind in ("frame", "joint", "geom", "site", "camera", "light")}
    found.update({kind: getattr(spec, f"add_{kind}")() for kind in (
        "mesh", "hfield", "skin", "texture", "material", "flex", "pair", "exclude", "equality", "tendon", "actuator",
        "sensor", "numeric", "text", "tuple", "key", "plugin")})
    wraps = [found["tendon"].wrap_joint("x", 2.0), found["tendon"].wrap_pulley(3.0)]
    return {**found, "spec": spec, "body": body, "world": spec.worldbody, "compiler": spec.compiler, "alt": body.alt,
            "range": spec.compiler.LRopt, "joint wrap": wraps[0], "pulley": wraps[1], "default": spec.default}


@pytest.mark.parametrize("kind", elements(ligament))
def test_elements_start_with_the_attributes_of_the_reference(kind):
    ours, theirs = elements(ligament)[kind], elements(mujoco)[kind]
    for name in dir(theirs):
        if name.startswith("_") or name in ("signature", "copy_during_attach"):
            continue
        mine, other = getattr(ours, name), getattr(theirs, name)
        kind = type(other).__name__
        if callable(other):
            assert callable(mine), name
        elif kind.endswith("Vec"):
            assert list(mine) == list(other), name
        elif kind.startswith("Mj"):
            assert type(mine).__name__ == kind, name
        elif isinstance(other, (np.ndarray, float)):
            assert np.array_equal(mine, other, equal_nan=True), name
        elif isinstance(other, list):
            assert len(mine) == len(other), name
        else:
            assert mine == other, name


def test_elements_are_shared_after_attaching():
    parent, child = ligament.MjSpec(), ligament.MjSpec.from_string(ARM)
    body = child.body("upper")
    frame = parent.worldbody.add_frame()
    assert frame.attach_body(body, prefix="p-") is body
    assert parent.body("p-upper") is body and body.frame is frame
    body.pos = [1, 2, 3]
    assert np.allclose(parent.compile().body("p-upper").pos, [1, 2, 3])
    copied = ligament.MjSpec()
    copied.copy_during_attach = True
    other = ligament.MjSpec.from_string(ARM)
    made = copied.worldbody.add_frame().attach_body(other.body("upper"), prefix="c-")
    assert made is not other.body("upper") and other.body("upper").name == "upper"


def test_recompiling_keeps_the_state():
    for mj in (ligament, mujoco):
        spec = references(mj)
        model = spec.compile()
        data = mj.MjData(model)
        data.qpos[:] = np.arange(model.nq)
        data.qvel[:] = np.arange(model.nv)
        data.ctrl[:] = 0.25
        data.mocap_pos[:] = 3
        data.time = 1.5
        late = spec.worldbody.add_body(name="late")
        late.add_joint(name="late")
        late.add_geom(size=[0.1, 0, 0])
        model, data = spec.recompile(model, data)
        assert model.nq == 9 and data.time == 1.5
        assert np.array_equal(data.qpos[:8], np.arange(8)) and data.qpos[8] == 0
        assert np.array_equal(data.qvel[:7], np.arange(7)) and np.all(data.ctrl == 0.25)
        assert np.all(data.mocap_pos == 3)


SLIDERS = """<mujoco><worldbody>
  <body><joint type="slide"/><geom size=".1"/></body><body><joint type="slide"/><geom size=".1"/></body>
  <body><joint name="last" type="slide"/><geom size=".1"/></body>
  <body mocap="true" pos="0 0 1"/><body mocap="true" pos="0 0 2"/></worldbody>
  <actuator><general joint="last" dyntype="integrator"/><general joint="last" dyntype="integrator"/>
    <general joint="last" dyntype="integrator"/></actuator>
  <equality><joint joint1="last"/><joint joint1="last" active="false"/></equality></mujoco>"""


def delete_a_joint(mj, spec):
    spec.delete(spec.joints[1])


def delete_an_actuator(mj, spec):
    spec.delete(spec.actuators[1])


def delete_bodies(mj, spec):
    spec.delete(spec.bodies[4])
    spec.delete(spec.bodies[1])


def replace_an_actuator(mj, spec):
    spec.delete(spec.actuators[0])
    spec.add_actuator(name="new", target="last", trntype=mj.mjtTrn.mjTRN_JOINT, dyntype=mj.mjtDyn.mjDYN_INTEGRATOR)


def replace_a_joint(mj, spec):
    joint = spec.joints[0]
    body = joint.parent
    spec.delete(joint)
    body.add_joint(type=mj.mjtJoint.mjJNT_SLIDE)
    spec.worldbody.add_body(mocap=True, pos=[5, 5, 5])


def grow(mj, spec):
    spec.bodies[1].add_body().add_geom(size=[0.1, 0, 0])
    spec.delete(spec.equalities[0])
    spec.bodies[1].add_joint(type=mj.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0])


def delete_in_a_copy(mj, spec):
    copied = spec.copy()
    copied.delete(copied.joints[1])
    copied.delete(copied.actuators[0])
    copied.delete(copied.bodies[4])
    return copied


def grow_a_copy(mj, spec):
    copied = spec.copy()
    copied.worldbody.add_geom(size=[0.1, 0, 0])
    return copied


def compile_between(mj, spec):
    spec.delete(spec.joints[0])
    spec.compile()


def attach_a_compiled_one(mj, spec):
    child = mj.MjSpec.from_string('<mujoco><worldbody><body name="b"><joint type="slide"/><geom size=".1"/></body>'
                                  '<body name="m" mocap="true"/></worldbody></mujoco>')
    child.compile()
    spec.attach(child, prefix="p", frame=spec.worldbody.add_frame())


@pytest.mark.parametrize("edit", [delete_a_joint, delete_an_actuator, delete_bodies, replace_an_actuator,
                                  replace_a_joint, grow, delete_in_a_copy, grow_a_copy, compile_between,
                                  attach_a_compiled_one])
def test_recompiling_gives_state_to_the_same_elements(edit):
    def run(mj):
        spec = mj.MjSpec.from_string(SLIDERS)
        model = spec.compile()
        data = mj.MjData(model)
        data.qpos[:], data.qvel[:], data.act[:], data.ctrl[:] = [1, 2, 3], [4, 5, 6], [0.1, 0.2, 0.3], [7, 8, 9]
        data.mocap_pos[:, 0], data.mocap_quat[:] = [1, 2], [0, 1, 0, 0]
        data.eq_active[:], data.qacc_warmstart[:], data.time = [0, 1], 1, 2
        spec = edit(mj, spec) or spec
        kinds = ("bodies", "joints", "geoms", "actuators", "equalities")
        before = [[element.id for element in getattr(spec, kind)] for kind in kinds]
        _, data = spec.recompile(model, data)
        after = [[element.id for element in getattr(spec, kind)] for kind in kinds]
        fields = ("time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "eq_active", "qacc_warmstart")
        return before, after, [np.asarray(getattr(data, name)).tolist() for name in fields]
    assert run(ligament) == run(mujoco)


def test_numbers_before_compiling():
    def run(mj):
        spec = mj.MjSpec.from_string(SLIDERS)
        return [[[element.id for element in getattr(each, kind)] for kind in ("bodies", "joints", "actuators")]
                for each in (spec, spec.copy())]
    assert run(ligament) == run(mujoco)


def test_walking_along_a_body():
    text = """<mujoco><worldbody><body name="a"><frame name="f"><geom name="gf" size=".1"/><joint name="jf"/>
      <site name="sf"/><body name="bf"/><camera name="cf"/><light name="lf"/>
      <frame name="ff"><geom name="gff" size=".1"/></frame></frame>
      <joint name="j" axis="1 0 0"/><geom name="g" size=".1"/><site name="s"/>
      <body name="b"><frame name="fb"/><geom name="gb" size=".1"/><camera name="cb"/><light name="lb"/></body>
      <body name="c"/><frame name="g"/></body></worldbody></mujoco>"""

    def run(mj):
        spec = mj.MjSpec.from_string(text)
        spec.frame("f").add_geom(name="late", size=[0.1, 0, 0])
        spec.body("a").add_body(name="later")
        walks = {}
        for body in spec.bodies:
            for kind in ("body", "frame", "joint", "geom", "site", "camera", "light"):
                walk = walks[body.name, kind] = []
                element = getattr(body, f"first_{kind}")()
                while element is not None:
                    walk.append(element.name)
                    element = getattr(body, f"next_{kind}")(element)
        assert spec.body("a").next_geom(spec.geom("gb")) is None
        with pytest.raises(TypeError):
            spec.body("a").next_geom(spec.joint("j"))
        return walks
    assert run(ligament) == run(mujoco)


def test_classes_of_children_may_come_later():
    def run(mj):
        spec = mj.MjSpec()
        early = spec.worldbody.add_body(name="early")
        early.childclass = "later"
        child, frame = early.add_body(name="child"), early.add_frame()
        frame.childclass = "never"
        before = early.add_geom(name="before", size=[0.1, 0, 0])
        waiting = [each.childclass for each in (early, child, frame, spec.copy().body("child"))]
        for name, size in (("later", 0.3), ("other", 0.4)):
            spec.add_default(name, spec.default).geom.size = [size, 0, 0]
        known = spec.worldbody.add_body(name="known")
        known.childclass = "other"
        for body in (early, child, known):
            body.add_geom()
        held = spec.copy()
        held.body("known").classname = held.find_default("later")
        held.body("known").add_geom()
        held.body("early").childclass = "never"
        held.body("early").add_geom(size=[0.6, 0, 0])
        return (waiting, before.classname.name, [geom.classname.name for geom in (*spec.geoms, *held.geoms)],
                [body.childclass for body in (*spec.bodies, *held.bodies)],
                [each.compile().geom_size[:, 0].tolist() for each in (spec, held)])
    assert run(ligament) == run(mujoco)
    with pytest.raises(TypeError):
        ligament.MjSpec().worldbody.childclass = 3


def test_binding():
    spec = references(ligament)
    model = spec.compile()
    data = ligament.MjData(model)
    joint = spec.joint("hinge")
    data.bind(joint).qpos = 0.7
    assert data.joint("hinge").qpos == 0.7 and model.bind(joint).damping == 0.1
    assert len(model.bind(spec.geoms).size) == 3 * model.ngeom
    spec.worldbody.add_body()
    with pytest.raises(ValueError, match="does not match mjModel"):
        model.bind(joint)


def test_muscles_are_those_of_the_text():
    text = ARM.replace("</actuator>", '<muscle name="mu" joint="elbow" force="30" lengthrange=".1 1"/></actuator>')
    model = ligament.MjSpec.from_string(text).compile()
    spec = ligament.MjSpec.from_string(ARM)
    muscle = spec.add_actuator(name="mu", trntype=ligament.mjtTrn.mjTRN_JOINT, target="elbow", lengthrange=[0.1, 1])
    muscle.set_to_muscle(force=30)
    for field in ("gainprm", "biasprm", "dynprm", "gaintype", "dyntype"):
        assert np.array_equal(getattr(spec.compile().actuator("mu"), field), getattr(model.actuator("mu"), field))


def test_zip_files(tmp_path):
    spec = assets(ligament)
    buffer = io.BytesIO()
    spec.to_zip(buffer)
    same_structure(ligament.MjSpec.from_zip(io.BytesIO(buffer.getvalue())).compile(), spec.compile())
    spec.to_zip(str(tmp_path / "deep" / "model.zip"))
    assert mujoco.MjSpec.from_zip(str(tmp_path / "deep" / "model.zip")).compile().nmesh == 2
    with pytest.raises(ValueError):
        ligament.from_zip(str(pathlib.Path(__file__)))


@pytest.mark.parametrize("program, error", [
    (lambda spec: spec.worldbody.add_geom(pos=[0, 1]), ValueError),
    (lambda spec: spec.worldbody.add_geom(pos="pos"), TypeError),
    (lambda spec: spec.worldbody.add_geom(vel=1), TypeError),
    (lambda spec: spec.worldbody.add_geom(type=1000), ValueError),
    (lambda spec: setattr(spec.worldbody, "nonsense", 1), AttributeError),
    (lambda spec: (spec.worldbody.add_geom(), spec.compile()), ValueError),
    (lambda spec: spec.attach(ligament.MjSpec()), ValueError),
    (lambda spec: spec.attach(ligament.MjSpec(), frame="none"), ValueError),
    (lambda spec: spec.delete(spec.worldbody), ValueError),
    (lambda spec: spec.delete(ligament.MjSpec().worldbody.add_body()), ValueError),
    (lambda spec: spec.delete(spec.default), ValueError),
    (lambda spec: ligament.MjSpec.from_string("<mujoco><nonsense/></mujoco>"), ValueError),
    (lambda spec: ligament.MjSpec.from_file("/nowhere.xml"), ValueError),
    (lambda spec: spec.add_default("main", None), ValueError),
    (lambda spec: (spec.worldbody.add_body(name="a"), spec.worldbody.add_body(name="a")), ValueError),
])
def test_mistakes_are_named(program, error):
    with pytest.raises(error):
        program(ligament.MjSpec())


def test_compile_errors_name_the_element():
    spec = ligament.MjSpec()
    spec.worldbody.add_geom(name="bad", info="made here")
    with pytest.raises(ValueError, match="Error: size 0 must be positive in geom\nElement name 'bad', id 0, made here"):
        spec.compile()


def test_archives_do_not_inflate(monkeypatch):
    """Zeros that take little room in the archive and much outside: an error that names the file before they are unpacked."""
    monkeypatch.setattr(ligament._spec.archive, "LARGEST", 1 << 20)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.xml", "<mujoco/>")
        archive.writestr("zeros.obj", bytes(1 << 22))
    assert len(buffer.getvalue()) < 10000
    with pytest.raises(ValueError, match="'zeros.obj' is too large: the files of an archive may have 1 MB together"):
        ligament.MjSpec.from_zip(io.BytesIO(buffer.getvalue()))
