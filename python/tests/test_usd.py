"""Scenes as files of OpenUSD."""

import re

import ligament
import numpy as np
import pytest
from ligament.usd.exporter import USDExporter

XML = """<mujoco>
  <visual><global offwidth="640" offheight="480"/></visual>
  <asset>
    <texture name="checks" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="32" height="16"/>
    <material name="floor" texture="checks" texrepeat="4 4"/>
    <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hills" nrow="2" ncol="3" size="1 1 .5 .1" elevation="0 1 0 1 0 1"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <light name="sun" type="directional" dir="1 0 -1" pos="1 1 1"/>
    <camera name="side" pos="0 -6 0" xyaxes="1 0 0 0 0 1" fovy="60"/>
    <geom name="ground" type="plane" size="2 3 1" material="floor"/>
    <geom type="hfield" hfield="hills" pos="0 0 -2"/>
    <body name="my body" pos="0 0 2">
      <freejoint/>
      <geom name="a/box" type="box" size=".1 .2 .3" rgba="0 1 0 .5"/>
      <geom type="capsule" fromto="0 0 0 0 0 .5" size=".05"/>
      <geom type="ellipsoid" size=".1 .2 .3" pos="1 0 0"/>
      <geom type="cylinder" size=".1 .2" pos="-1 0 0"/>
      <geom type="mesh" mesh="wedge" pos="0 2 0"/>
      <site name="s" pos="0 0 .1"/>
    </body>
    <site name="roof" pos="0 0 4"/>
  </worldbody>
  <tendon><spatial name="rope"><site site="s"/><site site="roof"/></spatial></tendon>
</mujoco>"""


@pytest.fixture(name="exported")
def _exported(tmp_path):
    model = ligament.MjModel.from_xml_string(XML)
    data = ligament.MjData(model)
    exporter = USDExporter(model, output_directory_root=str(tmp_path), camera_names=["side"], verbose=False)
    poses = []
    for _ in range(3):
        ligament.mj_step(model, data, 10)
        ligament.mj_forward(model, data)
        exporter.update_scene(data)
        poses.append((data.geom_xpos.copy(), data.geom_xmat.copy()))
    exporter.add_light(pos=(0, 0, 0), intensity=2000, light_type="dome")
    exporter.add_light(pos=(1, 2, 3), intensity=10, radius=0.2, obj_name="lamp")
    exporter.add_camera(pos=(5, 0, 0), rotation_xyz=(0, np.pi / 2, 0))
    return model, exporter, poses


def test_a_file_of_text_is_written_without_libraries(exported, tmp_path):
    _, exporter, _ = exported
    exporter.save_scene("usda")
    written = (tmp_path / "mujoco_usdpkg" / "frames" / "frame_3.usda").read_text()
    assert written == exporter.usd and written.startswith("#usda 1.0\n")
    assert "endTimeCode = 3" in written and 'def Cube "a_box_id2_geom"' in written
    box = written[written.index("a_box_id2_geom"):written.index("a_box_id2_geom") + 2000]
    assert len(re.findall(r"^ +[012]: \( ", box, re.MULTILINE)) >= 3
    picture = (tmp_path / "mujoco_usdpkg" / "assets" / "texture_0.png").read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"


def test_what_openusd_reads_is_the_scene(exported):
    Usd = pytest.importorskip("pxr.Usd")
    UsdGeom = pytest.importorskip("pxr.UsdGeom")
    model, exporter, poses = exported
    stage = exporter.stage
    kinds = {"a_box_id2_geom": "Cube", "None_id3_geom": "Capsule", "None_id4_geom": "Sphere", "None_id5_geom": "Cylinder",
             "None_id6_geom": "Mesh", "ground_id0_geom": "Mesh", "None_id1_geom": "Mesh"}
    scales = {"a_box_id2_geom": (0.1, 0.2, 0.3), "None_id4_geom": (0.1, 0.2, 0.3)}
    for name, kind in kinds.items():
        prim = stage.GetPrimAtPath(f"/World/geoms/{name}")
        assert prim.GetTypeName() == kind, name
        number = int(re.search(r"id(\d+)", name).group(1))
        for frame, (pos, mat) in enumerate(poses):
            matrix = np.array(UsdGeom.Xformable(prim).GetLocalTransformation(Usd.TimeCode(frame)))
            assert np.allclose(matrix[3, :3], pos[number], atol=1e-6)
            axes = mat[number].reshape(3, 3) * scales.get(name, (1, 1, 1))
            assert np.allclose(matrix[:3, :3], axes.T, atol=1e-6)
    capsule = UsdGeom.Capsule(stage.GetPrimAtPath("/World/geoms/None_id3_geom"))
    assert np.isclose(capsule.GetHeightAttr().Get(0), 0.5) and np.isclose(capsule.GetRadiusAttr().Get(0), 0.05)
    rope = next(p for p in stage.Traverse() if p.GetName().startswith("rope"))
    lengths = [UsdGeom.Capsule(rope).GetHeightAttr().Get(frame) for frame in range(3)]
    assert lengths[0] < lengths[1] < lengths[2]
    wedge = UsdGeom.Mesh(stage.GetPrimAtPath("/World/geoms/None_id6_geom"))
    assert len(wedge.GetPointsAttr().Get()) == 4 and list(wedge.GetFaceVertexCountsAttr().Get()) == [3] * 4
    hills = UsdGeom.Mesh(stage.GetPrimAtPath("/World/geoms/None_id1_geom"))
    assert np.allclose([p[2] for p in hills.GetPointsAttr().Get()], [0.5, 0, 0.5, 0, 0.5, 0])  # the text has the far row first
    camera = UsdGeom.Camera(stage.GetPrimAtPath("/World/cameras/side")).GetCamera(0)
    assert np.isclose(camera.GetFieldOfView(type(camera).FOVVertical), 60, atol=1e-4)
    lights = {p.GetTypeName() for p in stage.GetPrimAtPath("/World/lights").GetChildren()}
    assert lights == {"SphereLight", "DistantLight", "DomeLight"}


def test_looks_and_pictures_are_connected(exported):
    UsdShade = pytest.importorskip("pxr.UsdShade")
    _, exporter, _ = exported
    stage = exporter.stage
    for prim in stage.GetPrimAtPath("/World/geoms").GetChildren():
        material = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
        assert material, prim
        surface = material.ComputeSurfaceSource()[0]
        assert surface.GetIdAttr().Get() == "UsdPreviewSurface"
    ground = UsdShade.Material(stage.GetPrimAtPath("/World/looks/ground_id0_geom"))
    surface = ground.ComputeSurfaceSource()[0]
    source = surface.GetInput("diffuseColor").GetConnectedSources()[0][0].source
    assert source.GetPrim().GetName() == "picture"


def test_things_that_come_and_go_are_shown_only_then(tmp_path):
    model = ligament.MjModel.from_xml_string(XML)
    data = ligament.MjData(model)
    ligament.mj_forward(model, data)
    exporter = USDExporter(model, output_directory_root=str(tmp_path), verbose=False)
    exporter.update_scene(data)
    model.geom_rgba[2, 3] = 0
    exporter.update_scene(data)
    box = exporter.usd[exporter.usd.index('def Cube "a_box_id2_geom"'):]
    visibility = re.search(r"visibility.timeSamples = {(.*?)}", box, re.DOTALL).group(1)
    assert re.findall(r'(\d+): "(\w+)"', visibility) == [("0", "inherited"), ("1", "invisible")]


def test_flexes_move(tmp_path):
    model = ligament.MjModel.from_xml_string("""<mujoco><worldbody><flexcomp name="cloth" type="grid" count="3 3 1"
        spacing=".1 .1 .1" dim="2" radius=".01" mass="1"/></worldbody></mujoco>""")
    data = ligament.MjData(model)
    exporter = USDExporter(model, output_directory_root=str(tmp_path), verbose=False)
    for _ in range(2):
        ligament.mj_step(model, data, 5)
        exporter.update_scene(data)
    cloth = exporter.usd[exporter.usd.index('def Mesh "cloth'):]
    points = re.search(r"points.timeSamples = {(.*?)\n *}", cloth, re.DOTALL).group(1).strip().splitlines()
    heights = [np.mean([float(x.split(",")[2]) for x in re.findall(r"\(([^()]*)\)", line)]) for line in points]
    assert len(heights) == 2 and heights[1] < heights[0] < 0


def test_wrong_use_is_refused(tmp_path):
    model = ligament.MjModel.from_xml_string(XML)
    make = lambda **settings: USDExporter(model, output_directory_root=str(tmp_path), verbose=False, **settings)  # noqa: E731
    with pytest.raises(ValueError, match="Image width 1000 > framebuffer width 640.*offwidth=\"1000\""):
        make(width=1000)
    with pytest.raises(ValueError, match="camera 'nobody' does not exist"):
        make(camera_names=["nobody"])
    with pytest.raises(ValueError, match="'usd', 'usda' or 'usdc'"):
        make().save_scene("obj")
    with pytest.raises(ValueError, match="'sphere' or 'dome'"):
        make().add_light((0, 0, 0), 1, light_type="cone")
