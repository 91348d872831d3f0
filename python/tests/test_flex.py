"""Deformable bodies, live against MuJoCo 3.5.0 (spec items 42 to 42C)."""

import numpy as np
import pytest

import ligament

mujoco = pytest.importorskip("mujoco")

MODEL_FIELDS = [name for name in dir(mujoco.MjModel) if name.startswith(("flex_", "flexedge_", "nflex"))]


def grid(count, dim, children="", attributes="", name="f", pos="0 0 0", spacing=0.1, radius=0.005):
    return (f'<flexcomp name="{name}" type="grid" count="{count}" spacing="{spacing} {spacing} {spacing}" dim="{dim}" '
            f'radius="{radius}" mass="1" pos="{pos}" {attributes}>{children}</flexcomp>')


def world(content, option="", outside=""):
    return f"<mujoco><option {option}/><worldbody>{content}</worldbody>{outside}</mujoco>"


def both(xml):
    pair = []
    for package in (mujoco, ligament):
        model = package.MjModel.from_xml_string(xml)
        pair.append((package, model, package.MjData(model)))
    return pair


def forward(xml, pose=None):
    """Both engines in the same configuration."""
    pair = both(xml)
    for package, model, data in pair:
        if pose:
            pose(model, data)
        package.mj_forward(model, data)
    return [(model, data) for _, model, data in pair]


def crumple(scale, speed=0.0):
    def pose(model, data):
        rng = np.random.default_rng(3)
        data.qpos[:] += scale * rng.standard_normal(model.nq)
        data.qvel[:] = speed * rng.standard_normal(model.nv)
    return pose


def lift(model, data):
    for i in range(model.nq // 3):
        data.qpos[3 * i + 2] = 0.01 * (i % 3)


def assert_same(pair, *names, tolerance=1e-10):
    (_, expected), (_, found) = pair
    for name in names:
        a, b = np.asarray(getattr(expected, name)), np.asarray(getattr(found, name))
        scale = max(1.0, np.abs(a).max(initial=0))
        np.testing.assert_allclose(b.ravel(), a.ravel(), rtol=0, atol=tolerance * scale, err_msg=name)


def assert_same_models(pair):
    for name in MODEL_FIELDS:
        a, b = getattr(pair[0][0], name), getattr(pair[1][0], name)
        if not callable(a):
            np.testing.assert_allclose(np.asarray(b, float), np.asarray(a, float), rtol=1e-9, atol=1e-12, err_msg=name)


def contacts(data):
    """Pairs of elements and vertices in contact, each with its depth."""
    found = {}
    for c in data.contact:
        sides = sorted((int(c.geom[i]), int(c.flex[i]), int(c.elem[i]), int(c.vert[i])) for i in range(2))
        found[tuple(sides)] = float(c.dist)
    return found


CLOTH = """<mujoco><option timestep=".002"/><worldbody><geom type="sphere" size=".1" pos=".1 .05 -.2"/>{bodies}</worldbody>
<deformable><flex name="cloth" dim="2" radius=".005" body="{names}" element="0 1 2 2 1 3 2 3 4 4 3 5">
<edge damping=".1"/><elasticity young="3e3" poisson=".2" thickness=".01" damping=".01" elastic2d="both"/>
</flex></deformable></mujoco>"""


def test_cloth_by_vertices():
    """C42.1: a sheet given vertex by vertex loads, moves, and moves as in the reference"""
    slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    names = [f"v{i}" for i in range(6)]
    bodies = "".join(f'<body name="{n}" pos="{.1 * (i // 2)} {.1 * (i % 2)} {.01 * i}">{slides}'
                     '<geom size=".01" mass=".05" contype="0" conaffinity="0"/></body>' for i, n in enumerate(names))
    pair = both(CLOTH.format(bodies=bodies, names=" ".join(names)))
    for package, model, data in pair:
        for _ in range(200):
            package.mj_step(model, data)
    (_, _, expected), (_, _, found) = pair
    assert np.isfinite(found.qpos).all() and np.abs(found.qpos).max() > 0.1
    np.testing.assert_allclose(found.qpos, expected.qpos, rtol=0, atol=1e-8)


def test_grid():
    """C42.2: a 4×4 grid has 16 vertices, 33 edges, 18 triangles, 48 dofs"""
    pair = forward(world(grid("4 4 1", 2)))
    model = pair[1][0]
    assert (model.nflexvert, model.nflexedge, model.nflexelem, model.nv) == (16, 33, 18, 48)
    assert model.flex_edge[:4].tolist() == [[4, 5], [0, 5], [0, 4], [1, 5]]
    assert_same_models(pair)


ELASTIC = '<elasticity young="1e4" poisson=".3" thickness=".01" damping=".02" elastic2d="{}"/>'
SELF = '<contact selfcollide="none"/>'
KINDS = {
    "grid1": 'type="grid" count="6 1 1" dim="1"><edge stiffness="50" damping="1"/>',
    "circle": 'type="circle" count="9 1 1" dim="1"><edge equality="true"/>',
    "square": 'type="square" count="5 5 1" dim="2"><edge equality="true"/>',
    "disc": 'type="disc" count="5 5 1" dim="2"><edge equality="vert" damping=".1"/>',
    "box2": f'type="box" count="3 3 3" dim="2">{SELF}{ELASTIC.format("both")}',
    "box3": f'type="box" count="3 3 3" dim="3">{SELF}<elasticity young="1e4" poisson=".1" damping=".01"/>',
    "cylinder": f'type="cylinder" count="4 4 3" dim="3">{SELF}<edge equality="true"/>',
    "ellipsoid": f'type="ellipsoid" count="4 4 4" dim="3" dof="radial">{SELF}<edge equality="true"/>',
    "trilinear": f'type="grid" count="4 4 4" dim="3" dof="trilinear">{SELF}<elasticity young="1e4" poisson=".1"/>',
    "quadratic": f'type="grid" count="6 6 6" dim="3" dof="quadratic">{SELF}<elasticity young="1e2" poisson=".1"/>',
    "passive": 'type="grid" count="3 3 3" dim="3"><contact passive="true" selfcollide="none"/>'
               '<elasticity young="1e4" poisson=".1" damping=".01"/>',
}


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("kind", KINDS)
def test_flexcomps(kind, integrator):
    """C42.1, C42.2: every kind of flexcomp has the mesh and the trajectory of the reference"""
    flex = f'<flexcomp name="f" spacing=".05 .05 .05" radius=".01" mass=".5" pos="0 0 .35" {KINDS[kind]}</flexcomp>'
    floor = '<geom type="plane" size="1 1 .1"/><geom type="box" size=".1 .1 .1" pos=".03 0 .05"/>'
    pair = both(world(floor + flex, f'timestep=".001" integrator="{integrator}"'))
    assert_same_models([(model, data) for _, model, data in pair])
    for package, model, data in pair:
        for _ in range(150):
            package.mj_step(model, data)
    (_, _, expected), (_, _, found) = pair
    np.testing.assert_allclose(found.qpos, expected.qpos, rtol=0, atol=1e-7)


def test_interpolated_flexes_on_a_moving_body():
    """C42.1: nodes whose parent moves, some of them pinned"""
    flex = grid("4 4 4", 3, f'{SELF}<pin id="0 1"/><elasticity young="1e3" poisson=".1" damping=".01"/>',
                'dof="trilinear"')
    body = f'<body name="b" pos="0 0 1"><joint axis="0 1 0"/><geom size=".05" mass="1"/>{flex}</body>'
    for integrator in ("implicit", "implicitfast"):
        pair = both(world(body, f'integrator="{integrator}"'))
        for package, model, data in pair:
            for _ in range(50):
                package.mj_step(model, data)
        np.testing.assert_allclose(pair[1][2].qpos, pair[0][2].qpos, rtol=0, atol=1e-8)


def test_edge_fields():
    """C42A-i.1, C42A-iii.1, C42A-iii.2: lengths, velocities and Jacobian of edges after a forward pass"""
    for children in ('<edge equality="true"/>', '<edge damping="1"/>', ELASTIC.format("stretch"), "",
                     '<edge equality="vert"/>'):
        pair = forward(world(grid("4 4 1", 2, children)), crumple(0.01, 0.3))
        assert_same(pair, "flexedge_length", "flexedge_velocity", "flexedge_J", "flexvert_xpos", "qfrc_passive",
                    "efc_pos", "efc_J")
        # without any force along edges their velocity stays zero
        still = children == "" or "vert" in children
        assert (np.abs(pair[1][1].flexedge_velocity).max() == 0) == still


def test_edge_jacobian_rows():
    """C42A-i.1, C42A-i.4: rows of edges that are pinned to a free body"""
    body = ('<body name="b"><freejoint/><geom size=".1"/>'
            + grid("3 1 1", 1, '<pin id="0"/><edge stiffness="10" damping="1"/>') + "</body>")
    pair = forward(world(body), crumple(0.02, 0.3))
    assert_same(pair, "flexedge_J", "qfrc_spring", "qfrc_damper")
    assert pair[1][0].flexedge_J_rownnz.tolist() == pair[0][0].flexedge_J_rownnz.tolist() == [9, 12]


def test_rigid_flags():
    """C42A-ii.1, C42A-ii.2: flags, rows and contacts of rigid flexes and edges"""
    body = '<body name="b" pos="0 0 1"><freejoint/><geom size=".1"/>{}</body>'
    for attributes, children in (('rigid="true"', ""), ("", '<pin id="0 1 3 4"/>')):
        children += '<contact selfcollide="narrow" internal="true"/><edge equality="true"/>'
        pair = forward(world(body.format(grid("3 3 1", 2, children, attributes))))
        assert_same_models(pair)
        assert_same(pair, "nefc", "ncon")
        if attributes:
            assert pair[1][0].flex_rigid[0] == 1 and (pair[1][1].nefc, pair[1][1].ncon) == (0, 0)


MASKS = '<contact selfcollide="{}" internal="{}" contype="{}" conaffinity="{}"/>'


def test_self_collision_gate():
    """C42A-iv.1, C42A-iv.2, C42A-iv.3, C42A-iv.4: masks gate both kinds of contact, which are independent of each other"""
    for dim, count in ((1, "12 1 1"), (2, "5 5 1"), (3, "3 3 3")):
        for mode in ("none", "narrow", "bvh", "sap", "auto"):
            for internal in ("true", "false"):
                for masks in ((1, 1), (1, 2)):
                    xml = world(grid(count, dim, MASKS.format(mode, internal, *masks), radius=0.02))
                    pair = forward(xml, crumple(0.08))
                    expected, found = (contacts(data) for _, data in pair)
                    assert expected.keys() == found.keys()
                    if masks == (1, 2):
                        assert not found
                    if (mode, internal) == ("none", "false"):
                        assert not found
                    if (mode, internal, masks) == ("narrow", "false", (1, 1)):
                        assert found


TRIANGLES = """<flexcomp name="f" type="direct" dim="2" radius=".01" mass="1"
  point="0 0 0 .1 0 0 0 .1 0  0 0 .012 .1 0 .012 0 .1 .012" element="0 1 2 3 4 5"><contact selfcollide="narrow"/></flexcomp>"""


def test_two_triangles():
    """C42A-iv.5: two parallel triangles 12 mm apart of radius 10 mm: one contact of depth 8 mm"""
    pair = forward(world(TRIANGLES))
    data = pair[1][1]
    assert data.ncon == pair[0][1].ncon == 1
    assert data.contact[0].dist == pytest.approx(-0.008, abs=1e-9)


def test_ways_to_find_self_contacts_agree():
    """C42A-iv.6: trees and sweeps find the pairs that trying all of them finds, with the same depths"""
    for dim, count in ((1, "15 1 1"), (2, "6 6 1"), (3, "4 4 4")):
        found = {}
        for mode in ("narrow", "bvh", "sap"):
            pair = forward(world(grid(count, dim, MASKS.format(mode, "false", 1, 1), radius=0.02)), crumple(0.08))
            found[mode] = contacts(pair[1][1])
            expected = contacts(pair[0][1])
            assert found[mode].keys() == expected.keys() and expected
            # in the order of the reference
            assert [tuple(c.elem) for c in pair[1][1].contact] == [tuple(c.elem) for c in pair[0][1].contact]
        for mode in ("bvh", "sap"):
            assert found[mode].keys() == found["narrow"].keys()
            for key, depth in found[mode].items():
                assert depth == pytest.approx(found["narrow"][key], abs=1e-6)


def two_grids(first, second):
    return world(grid("3 3 1", 2, f'<contact selfcollide="none" {first}/>', name="a", radius=0.01)
                 + grid("3 3 1", 2, f'<contact selfcollide="none" {second}/>', name="b", pos=".03 .02 .012", radius=0.01))


def test_flex_pairs():
    """C42A-v.1, C42A-v.2, C42A-v.3: two flexes collide when their masks match"""
    mask = 'contype="{}" conaffinity="{}"'
    for first, second, count in (((1, 0), (0, 1), 32), ((1, 1), (1, 1), 32), ((1, 1), (2, 2), 0), ((1, 0), (1, 0), 0)):
        pair = forward(two_grids(mask.format(*first), mask.format(*second)))
        assert pair[1][1].ncon == pair[0][1].ncon == count
        assert contacts(pair[0][1]).keys() == contacts(pair[1][1]).keys()


def test_flex_contact_parameters():
    """C42A-v.4: parameters of two flexes by priority and solmix"""
    for first, second, field, expected in (
        ('solref=".01 1" solmix="3"', 'solref=".05 1" solmix="1"', "solref", 0.02),
        ('priority="1" condim="1" friction=".3 .1 .1"', 'condim="6"', "dim", 1),
        ('margin=".02" gap=".005"', 'margin=".01" gap=".002"', "includemargin", 0.023),
    ):
        pair = forward(two_grids(first, second))
        assert np.ravel(getattr(pair[1][1].contact, field)[0])[0] == pytest.approx(expected, abs=1e-12)
        for name in ("dim", "friction", "solref", "solimp", "includemargin"):
            np.testing.assert_allclose(getattr(pair[1][1].contact, name), getattr(pair[0][1].contact, name), atol=1e-12)


def test_bending():
    """C42B.1: forces of a deformed sheet with the cotangent model"""
    for elastic2d, norm in (("bend", 0.04861240253755593), ("stretch", 0.3067942498212319), ("both", 0.331443751252128)):
        pair = forward(world(grid("4 4 1", 2, ELASTIC.format(elastic2d)), 'gravity="0 0 0"'), lift)
        assert_same(pair, "qfrc_spring", tolerance=1e-12)
        assert np.linalg.norm(pair[1][1].qfrc_spring) == pytest.approx(norm, abs=1e-12)
        assert_same(forward(world(grid("4 4 1", 2, ELASTIC.format(elastic2d))), crumple(0.01, 0.2)),
                    "qfrc_spring", "qfrc_damper", tolerance=1e-11)


def test_bending_of_curved_rest_shapes():
    """C42B.4, C42B.5: coefficients and forces of folded and irregular sheets; none at the border"""
    points = {"fold": "0 0 0 .1 0 0 .02 .1 .03 .13 .12 -.02 .2 .02 .05",
              "flat": "0 0 0 .1 0 0 .02 .1 0 .13 .12 0 .2 .02 0"}
    for shape in points.values():
        flex = (f'<flexcomp name="f" type="direct" dim="2" radius=".001" mass="1" point="{shape}" '
                f'element="0 1 2 2 1 3 1 4 3">{ELASTIC.format("bend")}</flexcomp>')
        pair = forward(world(flex), crumple(0.0))
        np.testing.assert_allclose(pair[1][0].flex_bending, pair[0][0].flex_bending, rtol=1e-12, atol=1e-18)
        assert_same(pair, "qfrc_spring", tolerance=1e-14)
        model = pair[1][0]
        border = model.flex_edgeflap[:, 1] < 0
        assert border.any() and not border.all()
        assert (model.flex_bending.reshape(len(border), 17)[border] == 0).all()


def test_stretching():
    """C42C.1: forces of deformed solids and sheets with the linear model, damping included"""
    solid = '<elasticity young="1e4" poisson=".3" damping="{}"/>'
    pair = forward(world(grid("3 3 3", 3, solid.format(0)), 'gravity="0 0 0"'), lift)
    assert np.linalg.norm(pair[1][1].qfrc_spring) == pytest.approx(59.87358786367022, abs=1e-10)
    assert pair[1][1].qfrc_spring[17] == pytest.approx(-11.105769230769232, abs=1e-12)
    assert_same(forward(world(grid("3 3 3", 3, solid.format(0.02))), crumple(0.01, 0.2)), "qfrc_spring", "qfrc_damper",
                tolerance=1e-11)
    # the flags of springs and dampers do not reach it
    for flag in ("spring", "damper"):
        xml = world(grid("3 3 3", 3, solid.format(0.02)), "", "").replace(
            "/><worldbody>", f'><flag {flag}="disable"/></option><worldbody>', 1)
        pair = forward(xml, crumple(0.01, 0.2))
        assert_same(pair, "qfrc_spring", "qfrc_damper", tolerance=1e-11)
        assert np.abs(pair[1][1].qfrc_spring).max() > 1


def test_linear_and_neo_hookean_attributes_are_extensions():
    """C42B.2, C42C.4: the attributes belong to Ligament; the reference refuses them"""
    xml = world(grid("4 4 1", 2, ELASTIC.format("both"),
                     'ligament:bending_model="bridson" ligament:elasticity_model="neo_hookean"'))
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(xml)
    model = ligament.MjModel.from_xml_string(xml)
    data = ligament.MjData(model)
    lift(model, data)
    ligament.mj_forward(model, data)
    assert np.isfinite(data.qfrc_spring).all() and np.abs(data.qfrc_spring).max() > 0


BAD = {
    "poisson": grid("3 3 3", 3, '<elasticity young="1e4" poisson=".5"/>'),
    "negative poisson": grid("3 3 3", 3, '<elasticity young="1e4" poisson="-.1"/>'),
    "thickness": grid("3 3 1", 2, '<elasticity young="1e4" poisson=".1" elastic2d="bend"/>'),
    "pinned bending": grid("3 3 1", 2, '<pin id="0"/>' + ELASTIC.format("bend")),
    "edge stiffness": grid("3 3 1", 2, '<edge stiffness="1"/>'),
    "thick sheet": grid("3 3 2", 2),
    "spacing": grid("3 3 1", 2, radius=0.06),
    "interpolated self-collision": grid("4 4 4", 3, '<contact selfcollide="auto"/>', 'dof="trilinear"'),
    "interpolated internal": grid("4 4 4", 3, '<contact selfcollide="none" internal="true"/>', 'dof="trilinear"'),
    "unknown selfcollide": grid("3 3 1", 2, '<contact selfcollide="true"/>'),
    "missing mesh": '<flexcomp name="f" type="mesh" file="nowhere.obj" dim="2" radius=".01"/>',
    "missing gmsh": '<flexcomp name="f" type="gmsh" file="nowhere.msh" dim="3" radius=".01"/>',
    "repeated vertex": '<flexcomp name="f" type="direct" dim="2" radius=".001" point="0 0 0 1 0 0 0 1 0" element="0 1 1"/>',
    "vertex out of range": '<flexcomp name="f" type="direct" dim="2" radius=".001" point="0 0 0 1 0 0 0 1 0" '
                           'element="0 1 7"/>',
    "no points": '<flexcomp name="f" type="direct" dim="2" radius=".001" element="0 1 2"/>',
    "pin out of range": grid("3 3 1", 2, '<pin id="9"/>'),
}


@pytest.mark.parametrize("fault", BAD)
def test_bad_input_is_refused(fault):
    """C42.1: what the reference refuses is refused, with an error and not with a crash"""
    for package in (mujoco, ligament):
        with pytest.raises(ValueError):
            package.MjModel.from_xml_string(world(BAD[fault]))


ODD = {
    "flat tetrahedron": '<flexcomp name="f" type="direct" dim="3" radius=".001" point="0 0 0 1 0 0 0 1 0 1 1 0" '
                        'element="0 1 2 3"><elasticity young="1e3" poisson=".1"/></flexcomp>',
    "same position twice": '<flexcomp name="f" type="direct" dim="2" radius=".001" point="0 0 0 1 0 0 0 1 0 1 0 0" '
                           'element="0 1 2 1 3 2"/>',
    "triangle without area": '<flexcomp name="f" type="direct" dim="2" radius=".001" point="0 0 0 1 0 0 2 0 0" '
                             'element="0 1 2"><elasticity young="1e3" poisson=".1" thickness=".01" elastic2d="both"/>'
                             '</flexcomp>',
    "zero thickness": grid("3 3 1", 2, ELASTIC.format("stretch").replace(".01", "0")),
}


@pytest.mark.parametrize("case", ODD)
def test_odd_input_has_the_same_fate(case):
    """C42.1: degenerate elements and constants are accepted or refused as in the reference, and never crash"""
    outcome = []
    for package in (mujoco, ligament):
        try:
            model = package.MjModel.from_xml_string(world(ODD[case]))
        except ValueError:
            outcome.append("refused")
            continue
        data = package.MjData(model)
        package.mj_step(model, data)
        outcome.append("loaded")
    assert outcome[0] == outcome[1]


def test_rays():
    """A ray meets the vertices, edges, faces or skin of a flex where it does in the reference"""
    scenes = [grid("4 4 1", 2), grid("6 1 1", 1), grid("3 3 3", 3)]
    rng = np.random.default_rng(5)
    hits = 0
    for scene in scenes:
        pair = forward(world(scene.replace('radius="0.005"', 'radius="0.02"')), crumple(0.01))
        for _ in range(60):
            origin = rng.uniform(-0.4, 0.4, 3)
            direction = rng.uniform(-0.15, 0.15, 3) - origin
            flags = rng.integers(0, 2, 4)
            layer = int(rng.integers(0, 2))
            found = []
            for package, (model, data) in zip((mujoco, ligament), pair):
                vertex, normal = np.full((1, 1), -7, np.int32), np.zeros(3)
                distance = package.mj_rayFlex(model, data, layer, *map(int, flags), 0, origin, direction, vertex[0],
                                              normal)
                found.append([distance, vertex[0, 0], *normal])
            np.testing.assert_allclose(found[1], found[0], rtol=0, atol=1e-9)
            hits += found[0][0] >= 0
    assert hits > 30
