"""Pictures: what they must show by geometry, that they never change, and that they look as MuJoCo's do.

The comparison needs OSMesa, MuJoCo's way to draw without a display; ``conformance/pictures.py`` does the same for a
corpus of models.
"""

import hashlib
import inspect
import os
import pathlib
import re
import subprocess
import sys

import ligament
import ligament.batch
import numpy as np
import pytest

from models import NAMES, path

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "conformance"))

BALL = """<mujoco><visual><map znear=".05"/></visual><worldbody>
  <camera name="side" pos="0 -3 0" xyaxes="1 0 0 0 0 1" fovy="60"/>
  <camera name="flat" pos="0 -3 0" xyaxes="1 0 0 0 0 1" fovy="3" projection="orthographic"/>
  <geom name="ball" size=".5"/><geom type="box" size="2 .1 2" pos="0 2 0" rgba="1 0 0 1"/></worldbody></mujoco>"""


def start(xml, height=60, width=80):
    model = ligament.MjModel.from_xml_string(xml)
    data = ligament.MjData(model)
    ligament.mj_forward(model, data)
    return model, data, ligament.Renderer(model, height, width)


def directions(height, width, fovy):
    """Rays through the centres of pixels, at distance one along the axis of the camera."""
    scale = 2 * np.tan(np.radians(fovy) / 2) / height
    x, y = np.meshgrid(np.arange(width) + 0.5 - width / 2, height / 2 - np.arange(height) - 0.5)
    return scale * x, scale * y


def test_depth_of_a_sphere():
    """Distances along the axis of the camera are those of rays."""
    _, data, renderer = start(BALL)
    renderer.enable_depth_rendering()
    renderer.update_scene(data, "side")
    depth = renderer.render()
    x, y = directions(60, 80, 60)
    a, b, c = x**2 + y**2 + 1, -3, 9 - 0.25
    under = b * b - a * c
    hit = under > 0.05  # away from the edge: a sphere has corners in pictures
    expected = (3 - np.sqrt(under[hit])) / a[hit]
    np.testing.assert_allclose(depth[hit], expected, rtol=4e-3)
    behind = (under < -0.05) & (np.abs(4.9 * x) < 2) & (np.abs(4.9 * y) < 2)
    np.testing.assert_allclose(depth[behind], 4.9, rtol=1e-5)


def test_segments_of_a_sphere():
    _, data, renderer = start(BALL)
    renderer.enable_segmentation_rendering()
    renderer.update_scene(data, "flat")
    segments = renderer.render()
    assert segments.shape == (60, 80, 2)
    x, y = np.meshgrid((np.arange(80) + 0.5 - 40) * 3 / 60, (30 - np.arange(60) - 0.5) * 3 / 60)
    distance = np.hypot(x, y)
    assert np.all(segments[distance < 0.48] == (0, ligament.mjtObj.mjOBJ_GEOM))
    assert np.all(segments[distance > 0.51] == (1, ligament.mjtObj.mjOBJ_GEOM))


def test_background_has_no_segment():
    _, data, renderer = start("<mujoco><worldbody><camera pos='0 0 1' fovy='20'/><geom size='.01'/></worldbody></mujoco>")
    renderer.enable_segmentation_rendering()
    renderer.update_scene(data, 0)
    segments = renderer.render()
    assert np.all(segments[0, 0] == -1)
    assert np.all(segments[30, 40] == (0, 5))


def test_light_on_a_box():
    """The headlight meets the side of a box at a right angle: ambient and diffuse light add up."""
    xml = """<mujoco><visual><headlight ambient=".1 .1 .1" diffuse=".5 .5 .5" specular="0 0 0"/></visual><worldbody>
      <camera pos="0 -50 0" xyaxes="1 0 0 0 0 1" fovy="3"/><geom type="box" size="1 1 1" rgba="1 .5 0 1"/></worldbody></mujoco>"""
    _, data, renderer = start(xml)
    renderer.update_scene(data, 0)
    middle = renderer.render()[30, 40]
    np.testing.assert_allclose(middle, (0.6 * 255, 0.3 * 255, 0), atol=1)


def test_shadows_and_mirrors():
    """A lamp above a ball leaves its shadow on the floor, and a mirror shows the ball."""
    xml = """<mujoco><visual><headlight ambient=".4 .4 .4" diffuse="0 0 0" specular="0 0 0"/></visual>
      <asset><material name="m" reflectance="{}"/></asset><worldbody>
      <light type="directional" pos="0 0 4" dir="0 0 -1" castshadow="{}" diffuse=".3 .3 .3"/>
      <camera pos="0 -4 3" xyaxes="1 0 0 0 .6 .8" fovy="40"/><geom type="plane" size="3 3 .1" material="m"/>
      <geom size=".3" pos="0 0 1" rgba="1 0 0 1"/></worldbody></mujoco>"""
    pictures = {}
    for mirror in (0, 0.5):
        for shadow in ("false", "true"):
            _, data, renderer = start(xml.format(mirror, shadow), 120, 160)
            renderer.update_scene(data, 0)
            pictures[mirror, shadow] = renderer.render().astype(int)
    lost = (pictures[0, "false"] - pictures[0, "true"]).max(axis=-1) > 20
    rows, columns = np.nonzero(lost)
    assert 50 < lost.sum() < 3000
    assert abs(columns.mean() - 79.5) < 2
    gained = (pictures[0.5, "true"] - pictures[0, "true"])[..., 0] > 20
    assert 50 < gained.sum() < 3000
    assert abs(np.nonzero(gained)[1].mean() - 79.5) < 2


def test_textures_repeat():
    """A checker seen from above alternates as often as its texture is repeated."""
    xml = """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0"/></visual><asset>
      <texture name="t" type="2d" builtin="checker" width="64" height="64" rgb1="1 1 1" rgb2="0 0 0"/>
      <material name="m" texture="t" texrepeat="4 4"/></asset><worldbody>
      <camera pos="0 0 1" projection="orthographic" fovy="2"/><geom type="plane" size="1 1 .1" material="m"/></worldbody></mujoco>"""
    _, data, renderer = start(xml, 160, 160)
    renderer.update_scene(data, 0)
    picture = renderer.render()[..., 0]
    changes = np.count_nonzero(np.diff((picture[10] > 127).astype(int)))
    assert changes == 7
    assert picture.min() == 0 and picture.max() == 255


def picture_hash(name):
    model = ligament.MjModel.from_xml_path(path(name))
    model.vis.quality.shadowsize = 1024
    data = ligament.MjData(model)
    ligament.mj_resetDataKeyframe(model, data, 0)
    ligament.mj_forward(model, data)
    with ligament.Renderer(model, 120, 160) as renderer:
        option = ligament.MjvOption()
        option.flags[[2, 4, 14, 16, 24]] = 1
        renderer.update_scene(data, scene_option=option)
        picture = renderer.render()
    assert picture.std() > 1
    return hashlib.sha256(picture.tobytes()).hexdigest()


@pytest.mark.parametrize("name", NAMES)
def test_pictures_never_change(name):
    """The same bytes on every run, in another process and on any number of processors."""
    code = f"import sys; sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})\n" \
           f"import os; os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}})\n" \
           f"from test_render import picture_hash; print(picture_hash({name!r}))"
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("processors cannot be chosen here")
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert other == [picture_hash(name)] and picture_hash(name) == picture_hash(name)


def test_renderer_refuses():
    model, data, renderer = start(BALL)
    with pytest.raises(ValueError, match='camera "back" does not exist'):
        renderer.update_scene(data, "back")
    for number in (-2, 2):
        with pytest.raises(ValueError, match="out of range"):
            renderer.update_scene(data, number)
    with pytest.raises(ValueError, match="out.shape"):
        renderer.render(out=np.zeros((10, 10, 3), np.uint8))
    with pytest.raises(ValueError, match="framebuffer width"):
        ligament.Renderer(model, 10, 1000)
    renderer.update_scene(data)
    renderer.scene.stereo = ligament.mjtStereo.mjSTEREO_SIDEBYSIDE
    with pytest.raises(ligament.FatalError, match="stereo"):
        renderer.render()
    renderer.close()
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()


def test_renderer_writes_into_arrays():
    _, data, renderer = start(BALL)
    renderer.update_scene(data)
    out = np.zeros((60, 80, 3), np.uint8)
    assert renderer.render(out=out) is out
    assert out.any()
    np.testing.assert_array_equal(out, renderer.render())


def test_pixels_can_be_written_and_read():
    model, _, _ = start(BALL)
    context = ligament.MjrContext(model, ligament.mjtFontScale.mjFONTSCALE_100)
    rect = ligament.MjrRect(5, 7, 20, 10)
    colors = np.random.default_rng(0).integers(0, 255, (10, 20, 3), dtype=np.uint8)
    depths = np.random.default_rng(0).random((10, 20), dtype=np.float32)
    ligament.mjr_drawPixels(colors, depths, rect, context)
    read, depth = np.zeros_like(colors), np.zeros_like(depths)
    context.readDepthMap = ligament.mjtDepthMap.mjDEPTH_ZEROFAR
    ligament.mjr_readPixels(read, depth, rect, context)
    np.testing.assert_array_equal(read, colors)
    np.testing.assert_array_equal(depth, depths)
    ligament.mjr_rectangle(rect, 0, 0, 1, 1)
    ligament.mjr_readPixels(read, None, rect, context)
    assert np.all(read == (0, 0, 255))
    with pytest.raises(ValueError, match="600 elements"):
        ligament.mjr_readPixels(np.zeros(10, np.uint8), None, rect, context)
    context.free()
    context.free()


def test_overlays_are_texts():
    model, _, _ = start(BALL)
    context = ligament.MjrContext(model, 150)
    full = ligament.mjr_maxViewport(context)
    ligament.mjr_overlay(ligament.mjtFont.mjFONT_NORMAL, ligament.mjtGridPos.mjGRID_TOPLEFT, full, "speed\ntime", "1\n2", context)
    ligament.mjr_text(ligament.mjtFont.mjFONT_BIG, "big", context, 0.5, 0.5, 1, 0, 0)
    ligament.mjr_label(ligament.MjrRect(0, 0, 100, 40), 0, "name", 0, 1, 0, 1, 0, 0, 0, context)
    picture = np.zeros((full.height, full.width, 3), np.uint8)
    ligament.mjr_readPixels(picture, None, full, context)
    top = picture[::-1][:60, :200]
    assert 100 < np.count_nonzero(top[..., 0] > 150) < 3000
    assert np.count_nonzero(np.all(picture == (255, 0, 0), axis=-1)) > 100
    assert np.count_nonzero(np.all(picture[:40, :100] == (0, 255, 0), axis=-1)) > 2000
    assert np.count_nonzero(np.all(picture[:40, :100] == 0, axis=-1)) > 50


def test_figures_are_lines_over_axes():
    model, _, _ = start(BALL)
    context = ligament.MjrContext(model, 100)
    figure = ligament.MjvFigure()
    figure.flg_extend, figure.linewidth, figure.title = 0, 1, "height"
    figure.range[:] = [[0, 10], [0, 1]]
    figure.gridsize[:] = 0
    figure.linepnt[0] = 2
    figure.linedata[0, :4] = [0, 0.5, 10, 0.5]
    ligament.mjr_figure(ligament.MjrRect(0, 0, 200, 120), figure, context)
    picture = np.zeros((120, 200, 3), np.uint8)
    ligament.mjr_readPixels(picture, None, ligament.MjrRect(0, 0, 200, 120), context)
    red = np.all(picture == (255, 77, 77), axis=-1)
    left, right = figure.xaxispixel
    assert np.count_nonzero(red) == right - left + 1
    assert abs(np.flatnonzero(red.any(axis=1))[0] - figure.yaxispixel.mean()) <= 1
    assert np.count_nonzero(picture[92:112] == 255) > 30, "the title"


def test_every_drawing_function_is_there():
    """Each mjr_ function of the reference exists and takes its arguments by the same names."""
    mujoco = pytest.importorskip("mujoco")
    names = [name for name in dir(mujoco) if name.startswith("mjr_")]
    assert len(names) == 23
    for name in names:
        signature = getattr(mujoco, name).__doc__.splitlines()[0]
        wanted = re.findall(r"(\w+): ", signature.split("->")[0])
        assert list(inspect.signature(getattr(ligament, name)).parameters) == wanted, name


def test_drawing_functions_do_what_those_of_mujoco_do():
    """Each mjr_ function against OSMesa: numbers and plain pixels are equal, pictures, texts and plots look alike."""
    from pictures import is_available
    if not is_available():
        pytest.skip("OSMesa is not installed (apt-get install libosmesa6): DRAWING FUNCTIONS ARE NOT COMPARED WITH MUJOCO")
    done = subprocess.run([sys.executable, str(ROOT / "conformance" / "drawing.py")], capture_output=True, text=True, check=False,
                          env={**os.environ, "MUJOCO_GL": "osmesa"})
    assert done.returncode == 0, done.stdout + done.stderr
    mujoco = pytest.importorskip("mujoco")
    assert not [name for name in dir(mujoco) if name.startswith("mjr_") and name[4:] not in done.stdout]


def test_auxiliary_buffers_are_drawn_on_and_copied():
    """What is drawn on an auxiliary buffer shows in the picture when it is copied there, and not before."""
    model, _, _ = start(BALL)
    context = ligament.MjrContext(model, 100)
    everything = ligament.MjrRect(0, 0, 64, 48)

    def read():
        pixels = np.zeros((48, 64, 3), np.uint8)
        ligament.mjr_readPixels(pixels, None, everything, context)
        return pixels

    ligament.mjr_setBuffer(ligament.mjtFramebuffer.mjFB_OFFSCREEN, context)
    ligament.mjr_rectangle(everything, 0, 0, 1, 1)
    ligament.mjr_addAux(2, 20, 10, 0, context)
    assert (context.auxWidth[2], context.auxHeight[2], bool(context.auxFBO[2])) == (20, 10, True)
    ligament.mjr_setAux(2, context)
    ligament.mjr_rectangle(ligament.MjrRect(0, 0, 20, 10), 1, 0, 0, 1)
    assert np.all(read() == (0, 0, 255))
    ligament.mjr_blitAux(2, ligament.MjrRect(5, 5, 10, 3), 30, 40, context)
    pixels = read()
    red = np.all(pixels == (255, 0, 0), axis=-1)
    assert red.sum() == 30 and red[40:43, 30:40].all()
    ligament.mjr_rectangle(everything, 0, 1, 0, 1)  # copying chose the picture again
    assert np.all(read() == (0, 255, 0))
    ligament.mjr_addAux(2, 0, 0, 0, context)
    with pytest.raises(ligament.FatalError, match="auxFBO 2 does not exist"):
        ligament.mjr_setAux(2, context)
    for function in (lambda: ligament.mjr_addAux(10, 4, 4, 0, context), lambda: ligament.mjr_setAux(-1, context)):
        with pytest.raises(ligament.FatalError, match="Invalid aux buffer index"):
            function()


def test_a_lit_floor_has_no_dark_dots():
    """A floor that reaches behind the camera, under a light straight from above: as bright as without shadows."""
    xml = """<mujoco><worldbody><light type="directional" pos="0 0 4" dir="0 0 -1" castshadow="{}"/>
      <camera pos="0 -3 .6" xyaxes="1 0 0 0 .2 .98" fovy="60"/><geom type="plane" size="0 0 .1"/></worldbody></mujoco>"""
    pictures = []
    for shadow in ("false", "true"):
        _, data, renderer = start(xml.format(shadow), 240, 320)
        renderer.update_scene(data, 0)
        pictures.append(renderer.render().astype(int))
    assert pictures[0].max() > 50
    assert np.abs(pictures[0] - pictures[1]).max() <= 2


def test_batches_make_pictures():
    """Pictures of all worlds are those of each world alone, on any number of threads; state and results stay."""
    model = ligament.MjModel.from_xml_string("""<mujoco><worldbody><light pos="0 0 3"/>
      <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 .3 1"/><geom type="plane" size="2 2 .1"/>
      <body pos="0 0 1"><joint type="slide" axis="1 0 0"/><geom size=".3" rgba="1 .2 .1 1"/></body></worldbody></mujoco>""")
    batch = ligament.batch.Batch(model, 5, nthread=2)
    batch.qpos[:, 0] = np.linspace(-1, 1, 5)
    before = batch.state.copy()
    colors = batch.render("side", (48, 64))
    depths = batch.render("side", (48, 64), depth=True)
    segments = batch.render("side", (48, 64), segmentation=True)
    assert (colors.shape, colors.dtype) == ((5, 48, 64, 3), np.uint8)
    assert (depths.dtype, segments.dtype, segments.shape) == (np.float32, np.int32, (5, 48, 64, 2))
    np.testing.assert_array_equal(batch.state, before)
    data = ligament.MjData(model)
    for world in range(5):
        data.qpos[0] = batch.qpos[world, 0]
        ligament.mj_forward(model, data)
        with ligament.Renderer(model, 48, 64) as renderer:
            renderer.update_scene(data, "side")
            np.testing.assert_array_equal(colors[world], renderer.render())
            renderer.enable_depth_rendering()
            np.testing.assert_array_equal(depths[world], renderer.render())
            renderer.enable_segmentation_rendering()
            np.testing.assert_array_equal(segments[world], renderer.render())
    some = np.empty((2, 48, 64, 3), np.uint8)
    assert batch.render("side", (48, 64), ids=[1, 3], out=some) is some
    np.testing.assert_array_equal(some, colors[[1, 3]])
    assert batch.render(size=8).shape == (5, 8, 8, 3)
    with pytest.raises(ValueError, match='camera "front" does not exist'):
        batch.render("front")
    with pytest.raises(ValueError, match="one of them"):
        batch.render(depth=True, segmentation=True)
    with pytest.raises(ValueError, match="out must have shape"):
        batch.render("side", (48, 64), out=some)


def test_pictures_look_like_those_of_mujoco():
    """Segments, depths and colours against OSMesa, in a process of its own since the driver is chosen at import."""
    from pictures import is_available
    if not is_available():
        pytest.skip("OSMesa is not installed (apt-get install libosmesa6): PICTURES ARE NOT COMPARED WITH MUJOCO")
    code = """
import sys; sys.path.insert(0, sys.argv[1])
from pictures import compare_model, judge
import ligament, mujoco
figures = [found for path in sys.argv[2:] for found, _ in compare_model(ligament, mujoco, path)]
missed, found = judge(figures)
print(found); sys.exit(bool(missed))"""
    command = [sys.executable, "-c", code, str(ROOT / "conformance"), *map(path, NAMES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "MUJOCO_GL": "osmesa"})
    assert done.returncode == 0, done.stdout + done.stderr
