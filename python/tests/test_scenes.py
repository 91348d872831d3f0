"""Scenes agree with MuJoCo 3.5.0, number by number and in order. ``conformance/scenes.py`` does the same for folders."""

import copy
import gc
import pathlib
import sys

import ligament
import mujoco
import numpy as np
import pytest

from models import CORPUS, NAMES, path

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "conformance"))

from scenes import compare_model  # noqa: E402

EVERYTHING = """<mujoco><compiler autolimits="true"/>
<option timestep=".005"/><visual><map znear=".02"/><global ellipsoidinertia="{ellipsoid}" ipd=".1"/></visual>
<size nkey="1"/>
<asset>
  <texture name="grid" type="2d" builtin="checker" width="32" height="32" rgb1="1 0 0" rgb2="0 0 1"/>
  <material name="floor" texture="grid" texrepeat="3 5" reflectance=".2"/><material name="glass" rgba=".2 .3 .4 .5"/>
  <hfield name="h" nrow="4" ncol="5" size="1 1 .2 .1" elevation="0 0 0 0 0 0 1 0 1 0 0 1 1 0 0 0 0 0 0 0"/>
  <mesh name="m" vertex="-.1 -.1 -.1 .1 -.1 -.1 0 .12 -.1 0 0 .1"/>
  <mesh name="pad" builtin="plate" params="6 6" scale=".1 .1 .01"/>
</asset>
<deformable>
  <skin name="cape" vertex="0 0 0 .1 0 0 0 .1 0 .1 .1 0" face="0 1 2 1 3 2" inflate=".01" rgba="1 .5 .2 .8">
    <bone body="arm" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 .5"/>
    <bone body="hand" bindpos="0 0 .1" bindquat="1 0 0 0" vertid="2 3" vertweight=".5 1"/>
  </skin>
</deformable>
<worldbody>
  <light pos="0 0 3" dir="0 0 -1" castshadow="true"/><light type="spot" pos="1 1 2" dir="0 1 -1" cutoff="30" exponent="4"/>
  <light type="point" pos="0 2 2"/>
  <camera name="wide" pos="0 -2 1" xyaxes="1 0 0 0 .4 1" fovy="60" resolution="8 6"/>
  <camera name="sensor" pos="2 0 1" xyaxes="0 1 0 -.3 0 1" sensorsize=".04 .03" focal=".05 .05" principal=".002 -.003"
          resolution="4 3"/>
  <camera name="flat" pos="0 0 3" projection="orthographic" fovy="2" resolution="4 2"/>
  <camera name="plain" pos="0 1 3"/>
  <geom type="plane" size="0 0 .05" material="floor"/><geom type="plane" size="2 0 .05" pos="0 0 -.2" euler="10 20 30"/>
  <geom type="hfield" hfield="h" pos="3 0 0"/>
  <body name="ghost" mocap="true" pos="-1 0 1"><geom size=".05" contype="0" conaffinity="0"/>
    <body><geom size=".03" pos=".2 0 0" contype="0" conaffinity="0"/></body></body>
  <body name="arm" pos="0 0 1"><joint name="hip" type="ball" range="0 10"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/>
    <site name="eye" pos="0 .1 0" zaxis="0 0 -1"/>
    <body name="hand" pos="0 0 -.3"><joint name="elbow" axis="0 1 0" range="-1 5"/><joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="ellipsoid" size=".05 .06 .07" rgba="1 1 1 .4"/><geom type="mesh" mesh="m" group="1"/>
      <site name="tip" type="box" size=".02 .03 .04" pos="0 0 -.1" rgba="0 1 0 1"/></body></body>
  <body name="box" pos=".5 0 .099"><freejoint/><geom name="brick" type="box" size=".1 .1 .1" material="glass"/>
    <geom name="skinny" type="mesh" mesh="pad" pos="0 0 -.1" contype="0" conaffinity="0" mass="0"/><site name="edge" pos=".1 .1 .1"/></body>
  <body pos=".5 0 .299"><freejoint/><geom type="cylinder" size=".1 .1" condim="4"/></body>
  <body pos="1 0 .15"><joint name="crank" axis="0 1 0"/><geom size=".02" pos=".1 0 0"/><site name="crank" pos=".1 0 0"/></body>
  <site name="slider" pos="1.3 0 .15" euler="0 90 0"/><site name="hook" pos=".2 .2 1"/><site name="hook2" pos="-.2 .3 1.1"/>
  <site name="hook3" pos="-.2 .300001 .8"/><geom name="wrap" size=".05" pos=".2 0 .6" contype="0" conaffinity="0"/>
  <flexcomp name="cloth" type="grid" count="4 4 1" spacing=".05 .05 .05" pos="-1 1 1" dim="2" radius=".01" rgba="0 .7 1 1">
    <edge equality="true"/></flexcomp>
  <flexcomp name="jelly" type="grid" count="3 3 3" spacing=".05 .05 .05" pos="-1 -1 .1" dim="3" radius=".01" flatskin="true"/>
  <flexcomp name="soft" type="grid" count="3 3 3" spacing=".05 .05 .05" pos="-2 -1 .1" dim="3" radius=".01" dof="trilinear"><contact selfcollide="none"/></flexcomp>
  <flexcomp name="rope" type="grid" count="5 1 1" spacing=".05 .05 .05" pos="1 1 1" dim="1" radius=".01"/>
</worldbody>
<tendon>
  <spatial name="string" range="0 .8" width=".01"><site site="hook"/><site site="hook2"/></spatial>
  <spatial name="spring" stiffness="3" springlength="0 .9"><site site="hook2"/><site site="hook3"/></spatial>
  <spatial name="muscle" range="0 .4" width=".02"><site site="hook"/><geom geom="wrap"/><site site="tip"/></spatial>
  <fixed name="gear"><joint joint="elbow" coef="1"/></fixed>
</tendon>
<equality><connect body1="hand" body2="box" anchor="0 0 .1" active="{active}"/><weld site1="tip" site2="edge" active="false"/>
  <weld name="glue" body1="box" body2="arm" active="{active}"/></equality>
<actuator>
  <motor joint="hip" gear="1 0 0"/><position joint="elbow" ctrlrange="0 2"/><motor joint="slide" ctrlrange="-3 -1"/>
  <muscle tendon="muscle" lengthrange=".1 1"/><motor tendon="gear"/><motor site="tip" gear="1 0 0 0 0 0"/><adhesion body="box" ctrlrange="0 1"/>
  <motor cranksite="crank" slidersite="slider" cranklength=".3"/><intvelocity joint="elbow" actrange="-1 1"/>
</actuator>
<sensor>
  <rangefinder site="eye"/><rangefinder site="eye" data="dist point normal"/><rangefinder camera="sensor" data="dist dir normal"/>
  <fromto geom1="brick" geom2="wrap" cutoff="10"/><touch site="tip"/>
</sensor>
</mujoco>"""


@pytest.mark.parametrize("name", NAMES)
def test_scenes_of_own_models(name):
    """Geoms, lights, cameras and surfaces with random options, cameras and perturbations."""
    result = compare_model(ligament, mujoco, path(name), scenes=16, states=2)
    assert not result.found
    assert result.numbers > 1000


@pytest.mark.parametrize("seed", range(3))
def test_scene_with_everything(tmp_path, seed):
    """All kinds of elements and decorations in one scene, with random options and with every flag, label and frame alone."""
    file = tmp_path / "everything.xml"
    file.write_text(EVERYTHING.format(ellipsoid=str(seed % 2).replace("1", "true").replace("0", "false"),
                                      active="true" if seed < 2 else "false"))
    result = compare_model(ligament, mujoco, file, scenes=30, states=2, seed=seed, sweep=seed == 0)
    assert not result.found
    assert result.numbers > 100000


CABLE = """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
  <composite type="cable" prefix="c" curve="s" count="9 1 1" size="1" initial="none" offset="0 0 1">
    <plugin plugin="mujoco.elasticity.cable">
      <config key="twist" value="1e7"/><config key="bend" value="4e6"/><config key="vmax" value=".05"/></plugin>
    <joint kind="main" damping=".015"/><geom type="{shape}" size="{size}" rgba=".8 .2 .1 .7"/></composite></worldbody></mujoco>"""

TOUCH = """<mujoco><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension><worldbody>
  <body name="pad"><geom type="box" size=".5 .5 .1"/><site name="eye" pos="0 0 .6" euler="0 0 20"/></body>
  <body pos=".1 .05 .19"><freejoint/><geom size=".1"/></body><body pos="-.15 0 .29"><freejoint/><geom type="box" size=".1 .2 .2"/></body>
  </worldbody><sensor><plugin name="touch" plugin="mujoco.sensor.touch_grid" objtype="site" objname="eye">
  <config key="size" value="9 7"/><config key="fov" value="60 45"/><config key="gamma" value="{gamma}"/>
  <config key="nchannel" value="{channels}"/></plugin></sensor></mujoco>"""

FIELDS = """<mujoco><option sdf_iterations="8" sdf_initpoints="12"/><extension>
  <plugin plugin="mujoco.sdf.bowl"><instance name="bowl"/></plugin><plugin plugin="mujoco.sdf.nut"><instance name="nut"/></plugin>
  <plugin plugin="mujoco.sdf.bolt"><instance name="bolt"/></plugin><plugin plugin="mujoco.sdf.torus"><instance name="torus"/></plugin>
  <plugin plugin="mujoco.sdf.gear"><instance name="gear"><config key="alpha" value="0"/><config key="diameter" value="1.2"/></instance></plugin></extension>
  <asset><mesh name="bowl"><plugin instance="bowl"/></mesh><mesh name="nut"><plugin instance="nut"/></mesh>
    <mesh name="bolt"><plugin instance="bolt"/></mesh><mesh name="gear"><plugin instance="gear"/></mesh>
    <mesh name="torus"><plugin instance="torus"/></mesh></asset><worldbody>
  <geom type="sdf" mesh="bowl" euler="10 20 0"><plugin instance="bowl"/></geom>
  <body pos=".1 0 -.1"><freejoint/><geom size=".15"/></body>
  <body pos="3 0 0"><joint axis="0 0 1"/><geom type="sdf" mesh="gear" pos=".1 0 0"><plugin instance="gear"/></geom></body>
  <body pos="4.1 0 0"><joint axis="0 0 1"/><geom type="sdf" mesh="gear"><plugin instance="gear"/></geom></body>
  <body pos="0 3 0"><geom type="sdf" mesh="bolt"><plugin instance="bolt"/></geom></body>
  <body pos="0 3 .3"><freejoint/><geom type="sdf" mesh="nut"><plugin instance="nut"/></geom></body>
  <body pos="0 -3 0"><geom type="sdf" mesh="torus"><plugin instance="torus"/></geom></body>
  <body pos=".3 -3 .1"><freejoint/><geom type="capsule" size=".1 .2"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("xml", [
    CABLE.format(shape="capsule", size=".005"), CABLE.format(shape="box", size=".02 .004 .008"),
    TOUCH.format(gamma=0, channels=3), TOUCH.format(gamma=0.5, channels=1), TOUCH.format(gamma=0.2, channels=6), FIELDS,
], ids=["cable", "belt", "touch", "fovea", "channels", "fields"])
def test_plugins_draw(tmp_path, xml):
    """Colours of cables by stress, boxes of touch grids, searches of distance fields: as MuJoCo's plugins draw them."""
    file = tmp_path / "plugin.xml"
    file.write_text(xml)
    result = compare_model(ligament, mujoco, file, scenes=16, states=4, sweep=True)
    assert not result.found
    assert result.numbers > 1000


def test_closed_surfaces_of_flexes(tmp_path):
    """A surface without boundary has no shell: nothing is drawn for one."""
    file = tmp_path / "closed.xml"
    file.write_text("""<mujoco><worldbody><flexcomp name="f" type="direct" dim="2" radius=".01" point="0 0 0 1 0 0 0 1 0 0 0 1"
        element="0 2 1 0 1 3 1 2 3 0 3 2"/></worldbody></mujoco>""")
    assert ligament.MjModel.from_xml_path(str(file)).flex_shellnum[0] == 0
    result = compare_model(ligament, mujoco, file, scenes=20, states=2, sweep=True)
    assert not result.found
    assert result.numbers > 1000


def corpus_models(count=16):
    """Some of the models of the corpus, evenly; all of them with ``conformance/scenes.py``."""
    files = sorted(CORPUS.rglob("*.xml"))
    return files[len(files) // count // 2::max(1, len(files) // count)]


@pytest.mark.parametrize("file", corpus_models() or [None], ids=lambda file: file and file.name)
def test_scenes_of_the_corpus(file):
    """Scenes of published models agree number by number; needs a corpus."""
    if file is None:
        pytest.skip("there is no corpus of models")
    try:
        mujoco.MjModel.from_xml_path(str(file))
    except ValueError:
        pytest.skip("a part of a model")
    assert not compare_model(ligament, mujoco, file, scenes=6, states=2).found


def scene_pair(xml, maxgeom=100):
    result = []
    for package in (ligament, mujoco):
        model = package.MjModel.from_xml_string(xml)
        data = package.MjData(model)
        package.mj_forward(model, data)
        result.append((package, model, data, package.MjvScene(model, maxgeom)))
    return result


BALLS = "<mujoco><worldbody>" + "".join(f"<geom size='.1' pos='{i} 0 0'/>" for i in range(6)) + "</worldbody></mujoco>"


def test_full_scenes_say_so():
    for package, model, data, scene in scene_pair(BALLS, 4):
        package.mjv_updateScene(model, data, package.MjvOption(), None, package.MjvCamera(), 7, scene)
        assert (scene.ngeom, scene.status) == (4, 1)
        assert data.warning[package.mjtWarning.mjWARN_VGEOMFULL].number == 1


def test_moved_models():
    """Poses between room and model, and the mouse that moves the model."""
    results = []
    for package, model, data, scene in scene_pair(BALLS):
        camera = package.MjvCamera()
        package.mjv_updateScene(model, data, package.MjvOption(), None, camera, 7, scene)
        scene.enabletransform = 1
        scene.translate[:] = 0.3, -0.2, 0.5
        scene.rotate[:] = 0.8, 0.6, 0, 0
        scene.scale = 2
        values = []
        for action in range(1, 8):
            package.mjv_moveModel(model, action, 0.1, 0.2, np.array([0.0, 0, 1]), scene)
            values += [scene.translate.copy(), scene.rotate.copy(), scene.scale]
        pos, quat = np.zeros(3), np.zeros(4)
        for function in (package.mjv_room2model, package.mjv_model2room):
            function(pos, quat, np.array([1.0, 2, 3]), np.array([0, 0.6, 0, 0.8]), scene)
            values += [pos.copy(), quat.copy()]
        for function in (package.mjv_cameraInModel, package.mjv_cameraInRoom):
            vectors = np.zeros(3), np.zeros(3), np.zeros(3)
            function(*vectors, scene)
            values += vectors
        aligned = np.zeros(3)
        package.mjv_alignToCamera(aligned, np.array([1.0, 2, 3]), np.array([0.3, 0.4, 0]))
        average = package.mjv_averageCamera(*scene.camera)
        values += [aligned, package.mjv_frustumHeight(scene), average.pos, average.forward, average.up]
        results.append(np.concatenate([np.ravel(value) for value in values]))
    np.testing.assert_array_equal(*results)


def test_perturbations_move_bodies():
    """Poses are set while paused, forces applied otherwise."""
    xml = """<mujoco><worldbody><body mocap="true"><geom size=".1"/></body>
      <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/>
      <body pos="0 0 .5"><joint/><geom size=".1"/></body></body></worldbody></mujoco>"""
    results = []
    for package, model, data, scene in scene_pair(xml):
        package.mjv_updateScene(model, data, package.MjvOption(), None, package.MjvCamera(), 7, scene)
        data.qvel[:] = 0.1 * np.arange(model.nv)
        package.mj_forward(model, data)
        values = []
        for body in (1, 2, 3):
            perturb = package.MjvPerturb()
            perturb.select, perturb.active = body, 3
            perturb.localpos[:] = 0.1, 0, 0.05
            package.mjv_initPerturb(model, data, scene, perturb)
            for action in range(1, 8):
                package.mjv_movePerturb(model, data, action, 0.2, 0.1, scene, perturb)
            package.mjv_applyPerturbForce(model, data, perturb)
            values += [data.xfrc_applied.copy()]
            package.mjv_applyPerturbPose(model, data, perturb, 1)
            package.mj_forward(model, data)
            values += [data.qpos.copy(), data.mocap_pos.copy(), data.mocap_quat.copy()]
        results.append(np.concatenate([np.ravel(value) for value in values]))
    np.testing.assert_array_equal(*results)


def test_geoms_made_by_hand():
    for kind in (*range(9), 100, 104):
        ours, theirs = ligament.MjvGeom(), mujoco.MjvGeom()
        arguments = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2, 3]), np.arange(9.0), np.array([1, 0, 1, 0.5], np.float32)
        ligament.mjv_initGeom(ours, kind, *arguments)
        mujoco.mjv_initGeom(theirs, kind, *arguments)
        assert repr(ours) == repr(theirs)
    for kind in (3, 5, 100, 101, 102, 103):
        for end in ((0, 0, 1), (0, 0, -2), (0, 0, 0), (1, 2, 3)):
            ends = np.zeros(3), np.array(end, dtype=float)
            ligament.mjv_connector(ours, kind, 0.1, *ends)
            mujoco.mjv_connector(theirs, kind, 0.1, *ends)
            assert repr(ours) == repr(theirs)
    with pytest.raises(ligament.FatalError, match="connector"):
        ligament.mjv_connector(ours, 2, 0.1, *ends)


def test_camera_frames():
    """Cameras without a scene."""
    xml = "<mujoco><worldbody><camera pos='1 2 3' euler='10 20 30' fovy='33'/></worldbody></mujoco>"
    results = []
    for package, model, data, _ in scene_pair(xml):
        values = []
        for kind in (0, 2):
            camera = package.MjvCamera()
            camera.type, camera.fixedcamid = kind, 0
            frame, frustum = [np.zeros(3) for _ in range(4)], [np.zeros(2, np.float32) for _ in range(3)]
            package.mjv_cameraFrame(*frame, data, camera)
            package.mjv_cameraFrustum(*frustum, model, camera)
            values += frame + frustum
        results.append(np.concatenate(values))
    np.testing.assert_array_equal(*results)


def test_bad_cameras_are_refused():
    package, model, data, scene = scene_pair(BALLS)[0]
    camera = package.MjvCamera()
    with pytest.raises(package.FatalError, match="frustum_near"):
        package.mjv_makeLights(model, data, scene)
    for kind, field, message in ((2, "fixedcamid", "fixed camera id"), (1, "trackbodyid", "track body id")):
        camera.type = kind
        for number in (-1, 100):
            setattr(camera, field, number)
            with pytest.raises(package.FatalError, match=message):
                package.mjv_updateCamera(model, data, camera, scene)
    with pytest.raises(package.FatalError, match="mouse action"):
        package.mjv_moveCamera(model, 9, 0, 0, scene, package.MjvCamera())
    with pytest.raises(AttributeError):
        camera.colour = 1


def test_scenes_of_other_models_are_refused():
    package, model, data, _ = scene_pair(BALLS)[0]
    other = package.MjModel.from_xml_path(path("flex"))
    with pytest.raises(package.FatalError, match="another model"):
        package.mjv_updateScene(model, data, package.MjvOption(), None, package.MjvCamera(), 7,
                                package.MjvScene(other, 10))


def test_records_outlive_their_scene():
    scene = ligament.MjvScene(ligament.MjModel.from_xml_string(BALLS), 10)
    geom, pos = scene.geoms[3], scene.geoms[3].pos
    assert scene.geoms is scene.geoms
    pos[:] = 1, 2, 3
    other = copy.copy(geom)
    del scene
    gc.collect()
    assert geom.pos.tolist() == [1, 2, 3]
    geom.label = "name"
    assert (geom.label, other.label) == ("name", "")


def test_figures_keep_their_memory():
    figure = ligament.MjvFigure()
    line = figure.linedata[3]
    line[:4] = 0, 1, 2, 3
    figure.linename[3] = b"force"
    assert figure.linename[3] == b"force"
    ligament.mjv_defaultFigure(figure)
    assert not line.any()
    assert figure.linename[3] == b""
    figure.title = "a title"
    assert figure.title == "a title"


@pytest.mark.parametrize("height", [2, 0.5, 0.27, 0.2, 0.1])
def test_bodies_above_the_ground_are_visited_as_in_the_reference(height):
    """Bodies that are found to be above a plane make no pairs with it; the reference goes down their trees all the same."""
    body = f"""<freejoint/><geom type="capsule" size=".05 .2"/><geom type="box" size=".1 .1 .1" pos=".3 0 .1"/>
        <geom type="sphere" size=".1" pos="-.3 0 -.1" {{}}/>"""
    text = f"""<mujoco><visual><global bvactive="true"/></visual><worldbody><geom type="plane" size="1 1 .1"/>
        <body pos="0 0 {height}">{body.format('contype="0" conaffinity="0"')}</body>
        <body pos="0 1 {height}">{body.format("")}</body></worldbody></mujoco>"""
    marks = []
    for engine in (mujoco, ligament):
        model = engine.MjModel.from_xml_string(text)
        data = engine.MjData(model)
        engine.mj_forward(model, data)
        scene, option = engine.MjvScene(model, 100), engine.MjvOption()
        option.flags[engine.mjtVisFlag.mjVIS_BODYBVH] = 1
        engine.mjv_updateScene(model, data, option, None, engine.MjvCamera(), engine.mjtCatBit.mjCAT_ALL, scene)
        marks.append((data.ncon, data.bvh_active.tolist()))
    assert marks[0] == marks[1]
