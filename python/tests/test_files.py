"""Files of a model: where they are found and what the model remembers of them, against MuJoCo 3.5.0."""

import ligament
import mujoco

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_paths_of_files_beside_included_documents(tmp_path):
    """P18.6: a file found beside the included document that names it is remembered with its directory."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "shapes").mkdir()
    for folder in ("shapes", "."):
        (tmp_path / folder / "a.obj").write_text(TETRAHEDRON)
    (tmp_path / "sub" / "part.xml").write_text(
        '<x><mesh name="beside" file="../shapes/a.obj"/><mesh name="top" file="a.obj"/></x>')
    model = tmp_path / "model.xml"
    model.write_text('<mujoco><asset><include file="sub/part.xml"/></asset></mujoco>')
    expected = mujoco.MjModel.from_xml_path(str(model)).paths
    assert str(tmp_path).encode() in expected
    assert ligament.MjModel.from_xml_path(str(model)).paths == expected


def test_bodies_outside_the_world_are_ignored():
    """As frames there: the reference checks them and reads on."""
    xml = "<mujoco><body name='lost'><geom size='1'/></body><worldbody><geom size='1'/></worldbody></mujoco>"
    assert mujoco.MjModel.from_xml_string(xml).nbody == ligament.MjModel.from_xml_string(xml).nbody == 1
