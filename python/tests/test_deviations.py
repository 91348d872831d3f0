"""Where Ligament differs from MuJoCo 3.5.0 on purpose: every row of docs/deviations.md names a test, and there is one."""

import copy
import pathlib
import re

import ligament
import mujoco
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[2]


def rows():
    """Rows of the tables with a column for tests: what they are about, and the cell of the test."""
    inside = False
    for line in (ROOT / "docs" / "deviations.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif cells[-1] == "test":
            inside = True
        elif inside and set(line) - set("|- "):
            yield cells[0], cells[-1]


def tests():
    """Names of all tests."""
    python = (ROOT / "python" / "tests").glob("*.py")
    found = {name for file in python for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)}
    for file in (ROOT / "crates").rglob("*.rs"):
        if "target" not in file.parts:
            found.update(re.findall(r"#\[test\][^{]*?fn (\w+)", file.read_text()))
            found.update(re.findall(r"#\[test\]\s+(?:#\[[^\]]*\]\s+)*fn (\w+)", file.read_text()))
    return found


def test_every_deviation_names_a_test():
    table, known = list(rows()), tests()
    assert len(table) > 30
    for subject, cell in table:
        names = re.findall(r"`(\w+)`", cell)
        assert names, f"no test is named for: {subject}"
        assert [name for name in names if name not in known] == [], f"no such test for: {subject}"


def both(text):
    return [package.MjModel.from_xml_string(text) for package in (ligament, mujoco)]


TOUCHING = ('<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .09"><freejoint/><geom size=".1"/></body>'
            '</worldbody></mujoco>')


def test_geom_ids_of_contacts_are_columns():
    m = ligament.MjModel.from_xml_string(TOUCHING)
    d = ligament.MjData(m)
    ligament.mj_forward(m, d)
    assert d.ncon > 0
    assert np.array_equal(d.contact.geom1, d.contact.geom[:, 0]) and np.array_equal(d.contact.geom2, d.contact.geom[:, 1])
    d.contact.geom[0, 0] = 1
    assert d.contact[0].geom1 == 1


def test_there_is_no_arena():
    m = ligament.MjModel.from_xml_string(TOUCHING)
    d = ligament.MjData(m)
    ligament.mj_step(m, d)
    assert d.narena == d.pstack == d.parena == d.maxuse_arena == d.maxuse_stack == 0


def test_printed_models_and_states(tmp_path):
    m, rm = both(TOUCHING)
    d, rd = ligament.MjData(m), mujoco.MjData(rm)
    for package, model, data in ((ligament, m, d), (mujoco, rm, rd)):
        name = package.__name__
        package.mj_forward(model, data)
        package.mj_printModel(model, str(tmp_path / f"{name}-model"))
        package.mj_printData(model, data, str(tmp_path / f"{name}-data"))
        (tmp_path / f"{name}-schema").write_text(package.mj_printSchema(0, 0))
        scene = package.MjvScene(model, maxgeom=10)
        package.mjv_updateScene(model, data, package.MjvOption(), None, package.MjvCamera(), 7, scene)
        package.mj_printScene(scene, str(tmp_path / f"{name}-scene"))
    for kind, words in (("model", ["nbody", "geom_size", "body_mass"]), ("data", ["qpos", "xpos"]), ("schema", ["compiler"]),
                        ("scene", ["geoms 2", "rgba", "headlight", "camera 1", "frustum_top"])):
        for package in ("ligament", "mujoco"):
            text = (tmp_path / f"{package}-{kind}").read_text().lower()
            assert [word for word in words if word not in text] == [], (package, kind)


CHILD = ('<mujoco><worldbody><body name="a"><joint name="j"/><geom size=".1"/><body name="b"><joint name="k"/><geom size=".1"/></body>'
         '</body></worldbody><actuator><motor joint="j"/></actuator><keyframe><key name="key" qpos=".1 .2" ctrl=".7"/></keyframe></mujoco>')


def test_controls_of_attached_keyframes_outlive_deleted_bodies():
    child, parent = ligament.MjSpec.from_string(CHILD), ligament.MjSpec()
    parent.worldbody.add_frame().attach_body(child.body("a"), "x_", "")
    parent.delete(parent.body("x_b"))
    m = parent.compile()
    assert m.nkey == 1 and list(m.key_ctrl[0]) == [0.7]


def test_versions():
    assert mujoco.__version__ == "3.5.0" and ligament.mj_versionString() == "3.5.0"
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", ligament.__version__)


def test_signatures_tell_structures_apart():
    """They are equal where those of MuJoCo are: sizes and names do not matter, elements, their places and dofs do."""
    texts = [TOUCHING] + [TOUCHING.replace(*change) for change in (
        ('size=".1"', 'size=".2"'), ("<geom size", '<geom name="g" size'), ("<freejoint/>", "<joint/>"),
        ("<freejoint/>", '<joint type="slide"/>'), ("<freejoint/>", '<joint type="ball"/>'),
        ("<freejoint/>", "<freejoint/><site/>"), ("</body>", "<body/></body>"))]
    ours, theirs = ([package.MjModel.from_xml_string(text).signature for text in texts] for package in (ligament, mujoco))
    for i in range(len(texts)):
        for k in range(i):
            assert (ours[i] == ours[k]) == (theirs[i] == theirs[k]), (texts[k], texts[i])
    assert ours[0] != theirs[0] and ours[0] == ligament.MjSpec.from_string(TOUCHING).compile().signature


def test_keys_of_a_specification_are_its_own():
    spec = ligament.MjSpec.from_string(
        '<mujoco><size nkey="3"/><worldbody><body><joint/><geom size=".1"/></body></worldbody>'
        '<keyframe><key name="k" qpos="1"/></keyframe></mujoco>')
    assert spec.compile().nkey == 3
    assert [key.name for key in spec.keys] == ["k"]


def test_copies_of_specifications_are_whole():
    spec = ligament.MjSpec.from_string(CHILD)
    spec.add_sensor(name="s", type=ligament.mjtSensor.mjSENS_CLOCK)
    twin = copy.deepcopy(spec) if not hasattr(spec, "copy") else spec.copy()
    m = twin.compile()
    assert (m.nu, m.nkey, m.nsensor, m.nbody) == (1, 1, 1, 3)


def test_lists_of_numbers_are_arrays():
    spec = ligament.MjSpec.from_string('<mujoco><custom><numeric name="n" data="1 2 3"/></custom></mujoco>')
    assert isinstance(spec.numerics[0].data, np.ndarray) and list(spec.numerics[0].data) == [1, 2, 3]


def test_memory_functions_of_the_user_are_not_called():
    called = []
    names = ["mju_user_malloc", "mju_user_free", "mju_user_warning"]
    assert [name for name in names if not hasattr(ligament, f"set_{name}")] == []
    for name in names:
        getattr(ligament, f"set_{name}")(lambda *args: called.append(args))
    try:
        m = ligament.MjModel.from_xml_string(TOUCHING)
        ligament.mj_step(m, ligament.MjData(m))
    finally:
        for name in names:
            getattr(ligament, f"set_{name}")(None)
    assert called == []


def test_nothing_is_cached_and_no_library_is_loaded(tmp_path):
    ligament.MjModel.from_xml_string(TOUCHING)
    cache = ligament.mj_getCache()
    assert ligament.mj_getCacheSize(cache) == 0
    library = tmp_path / "plugin.so"
    library.write_bytes(b"")
    with pytest.raises(ligament.FatalError, match="plugins are built in"):
        ligament.mj_loadPluginLibrary(str(library))


def drawn(m, options=None):
    """A scene of a model at its initial state."""
    d = ligament.MjData(m)
    ligament.mj_forward(m, d)
    options, camera, scene = options or ligament.MjvOption(), ligament.MjvCamera(), ligament.MjvScene(m, 2000)
    ligament.mjv_defaultFreeCamera(m, camera)
    ligament.mjv_updateScene(m, d, options, None, camera, ligament.mjtCatBit.mjCAT_ALL, scene)
    return d, options, scene


def test_colours_of_cables_stay_out_of_the_model():
    m = ligament.MjModel.from_xml_string(
        '<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>'
        '<composite type="cable" prefix="c" curve="s" count="8 1 1" size="1"><plugin plugin="mujoco.elasticity.cable">'
        '<config key="twist" value="1e6"/><config key="bend" value="1e8"/><config key="vmax" value="1"/></plugin>'
        '<joint kind="main"/><geom type="capsule" size=".01" rgba=".1 .2 .3 1"/></composite></worldbody></mujoco>')
    _, _, scene = drawn(m)
    capsules = [scene.geoms[i] for i in range(scene.ngeom) if scene.geoms[i].type == ligament.mjtGeom.mjGEOM_CAPSULE]
    assert len(capsules) == 7
    assert all(np.allclose(geom.rgba, [0, 0, 1, 1]) for geom in capsules)
    assert np.allclose(m.geom_rgba, [0.1, 0.2, 0.3, 1])


def test_distances_do_not_change_what_is_drawn():
    m = ligament.MjModel.from_xml_string(
        '<mujoco><extension><plugin plugin="mujoco.sdf.bowl"><instance name="b"/></plugin></extension>'
        '<asset><mesh name="b"><plugin instance="b"/></mesh></asset><worldbody>'
        '<geom name="bowl" type="sdf" mesh="b"><plugin instance="b"/></geom>'
        '<body pos=".2 0 -.2"><freejoint/><geom name="ball" size=".2"/></body></worldbody></mujoco>')
    options = ligament.MjvOption()
    options.flags[ligament.mjtVisFlag.mjVIS_SDFITER] = 1
    d, _, scene = drawn(m, options)
    count = scene.ngeom
    assert count > 100
    ligament.mj_geomDistance(m, d, 0, 1, 1, None)
    ligament.mjv_updateScene(m, d, options, None, ligament.MjvCamera(), 7, scene)
    assert scene.ngeom == count


def test_selected_flexes_give_their_own_bodies():
    flex = '<flexcomp name="{0}" type="grid" dim="3" count="3 3 3" spacing=".2 .2 .2" dof="trilinear" pos="{1} 0 0"><contact selfcollide="none"/></flexcomp>'
    m = ligament.MjModel.from_xml_string(
        f'<mujoco><worldbody>{flex.format("f", -0.5)}{flex.format("g", 0.5)}</worldbody></mujoco>')
    options = ligament.MjvOption()
    options.flags[ligament.mjtVisFlag.mjVIS_FLEXSKIN] = 1
    d, options, scene = drawn(m, options)
    start = m.flex_nodeadr[1]
    own = set(m.flex_nodebodyid[start:start + m.flex_nodenum[1]])
    found = 0
    for relx in np.linspace(0.1, 0.9, 17):
        for rely in np.linspace(0.2, 0.8, 13):
            point, ids = np.zeros(3), [np.full((1, 1), -1, np.int32) for _ in range(3)]
            body = ligament.mjv_select(m, d, options, 1.3, relx, rely, scene, point, *ids)
            if ids[1][0, 0] == 1:
                found += 1
                assert body in own
    assert found > 0


def test_volumes_of_height_fields_without_meshes():
    m = ligament.MjModel.from_xml_string(
        '<mujoco><asset><hfield name="h" nrow="3" ncol="3" size="1 1 1 1"/></asset><worldbody><geom type="hfield" hfield="h"/>'
        '</worldbody></mujoco>')
    options = ligament.MjvOption()
    options.flags[ligament.mjtVisFlag.mjVIS_MESHBVH] = 1
    assert drawn(m, options)[2].ngeom == drawn(m)[2].ngeom


def test_prisms_of_a_height_field_have_no_margin_against_a_flex():
    """Half of the margins thickens the element; MuJoCo adds what its prism has in memory, mostly zero."""
    text = """<mujoco><asset><hfield name="h" nrow="4" ncol="4" size="1 1 .2 .1" elevation="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1"/></asset>
      <worldbody><geom type="hfield" hfield="h" margin="{}"/><flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1"
      pos="0 0 -.02" dim="2" radius=".01"><contact selfcollide="none"/></flexcomp></worldbody></mujoco>"""
    for margin in (0, 0.005, 0.05):
        model = ligament.MjModel.from_xml_string(text.format(margin))
        data = ligament.MjData(model)
        ligament.mj_forward(model, data)
        assert data.ncon == 14
        np.testing.assert_allclose(data.contact.dist[:2], [-0.01 - margin / 2, -0.03 - 3 * margin / 2], atol=1e-6)


def test_blank_keyframes_come_before_those_of_a_replicate():
    """No deviation: `nkey` beside keyframes and a replicate adds unnamed keyframes in front."""
    text = """<mujoco><size nkey="3"/><worldbody><replicate count="2" offset="1 0 0"><body><joint/><geom size=".1"/></body></replicate>
      </worldbody><keyframe><key name="p" qpos="1" time="1"/><key qpos="2" time="2"/></keyframe></mujoco>"""
    ours, theirs = both(text)
    assert ours.nkey == theirs.nkey == 9
    assert [ours.key(i).name for i in range(9)] == [theirs.key(i).name for i in range(9)] == ["", "", "", "p0", "0", "p1", "1", "p", ""]
    np.testing.assert_array_equal(ours.key_time, theirs.key_time)
    np.testing.assert_array_equal(ours.key_qpos, theirs.key_qpos)
