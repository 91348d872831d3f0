"""Contact parameters, explicit pairs and excludes (model fidelity, items 2 and 3), against MuJoCo 3.5.0."""

import ligament
import mujoco
import numpy as np
import pytest
from reference_model import Twin


def spheres(contact="", first="", second="", distance=0.15, option="", defaults=""):
    """Two free spheres of radius 0.1."""
    return Twin(f"""<mujoco>{option}<default>{defaults}</default><worldbody>
      <body name="a"><freejoint/><geom name="ga" size=".1" {first}/></body>
      <body name="b" pos="{distance} 0 0"><freejoint/><geom name="gb" size=".1" {second}/></body>
    </worldbody><contact>{contact}</contact></mujoco>""")


def ncon(twin):
    twin.assert_same_contacts()
    return twin.data.ncon


def contact(twin, name):
    assert ncon(twin) == 1
    return getattr(twin.data.contact, name)[0]


def test_condim_is_the_larger_one():
    """M2.6"""
    assert contact(spheres(first='condim="1"'), "dim") == 3


def test_condim_defaults_to_three():
    """M2.7"""
    assert contact(spheres(), "dim") == 3


def test_contacts_of_different_condim_coexist():
    """M2.5: dimensions 6 and 3 in one scene."""
    both = Twin("""<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
      <body pos="-.3 0 .049"><freejoint/><geom size=".05" condim="6"/></body>
      <body pos=".3 0 .049"><freejoint/><geom size=".05" condim="1"/></body></worldbody></mujoco>""")
    both.assert_same_contacts()
    assert list(both.data.contact.dim) == [6, 3]


@pytest.mark.parametrize("first, second", [
    ('friction=".3 .2 .1"', 'friction=".7 .1 .4"'),
    ('solref=".01 1"', 'solref=".03 .5"'),
    ('solref="-100 -10"', 'solref=".03 .5"'),
    ('solmix="0" solref=".01 1"', 'solref=".03 .5"'),
    ('solmix="0" solref=".01 1"', 'solmix="0" solref=".03 .5"'),
    ('solmix="3" solimp=".8 .9 .01"', 'solmix="2" solimp=".5 .6 .1 .3 3"'),
    ('priority="2" friction=".1 .1 .1" condim="4" solref=".2 2"', 'friction=".7 .1 .4" condim="6"'),
    ('friction=".7 .1 .4" condim="6"', 'priority="1" friction=".1 .1 .1" condim="1"'),
    ('friction="0 0 0"', 'friction="0 0 0"'),
    ('margin=".1" gap=".02"', 'margin=".05" gap=".01"'),
])
def test_parameters_combine_as_in_the_reference(first, second):
    """C2.2, C2.5, C3.2: friction by maximum, solver parameters by mix, priority, friction floor, sums of margins."""
    assert ncon(spheres(first=first, second=second)) == 1


def test_global_override():
    option = '<option o_margin=".3" o_solref=".5 1" o_friction=".1 .2 .3 .4 .5"><flag override="enable"/></option>'
    assert contact(spheres(option=option, distance=0.4), "includemargin") == pytest.approx(0.3)


def test_excluded_bodies_do_not_touch():
    """M3.1: also with the bodies swapped or the entry doubled."""
    assert ncon(spheres()) == 1
    assert ncon(spheres('<exclude body1="a" body2="b"/>')) == 0
    assert ncon(spheres('<exclude body1="b" body2="a"/>')) == 0


def test_exclude_does_not_suppress_a_pair():
    """M3.2"""
    assert ncon(spheres('<exclude body1="a" body2="b"/><pair geom1="ga" geom2="gb"/>')) == 1


def test_pair_passes_masks():
    """M3.3: contype and conaffinity 0."""
    masks = 'contype="0" conaffinity="0"'
    assert ncon(spheres(first=masks, second=masks)) == 0
    assert ncon(spheres('<pair geom1="ga" geom2="gb"/>', masks, masks)) == 1


@pytest.mark.parametrize("pair, count", [("", 0), ('<pair geom1="ga" geom2="gb"/>', 1)])
@pytest.mark.parametrize("inner", [
    '<geom name="gb" size=".1" pos=".05 0 0"/>',
    '<body><joint/><geom name="gb" size=".1" pos=".05 0 0"/></body>',
    '<body><geom name="gb" size=".1" pos=".05 0 0"/></body>',
])
def test_pair_passes_same_body_and_parent_filter(inner, pair, count):
    """M3.3: geoms of one body, of parent and child, of welded bodies."""
    both = Twin(f"""<mujoco><worldbody><body><freejoint/><geom name="ga" size=".1"/>{inner}</body></worldbody>
      <contact>{pair}</contact></mujoco>""")
    assert ncon(both) == count


def test_parent_filter_can_be_switched_off():
    xml = """<mujoco><option><flag {}/></option><worldbody><body><freejoint/><geom size=".1"/>
      <body pos=".05 0 0"><joint/><geom size=".1"/></body></body></worldbody></mujoco>"""
    assert ncon(Twin(xml.format(""))) == 0
    assert ncon(Twin(xml.format('filterparent="disable"'))) == 1


@pytest.mark.parametrize("distance", [1.0, 0.21])
def test_pair_obeys_distance(distance):
    """M3.4: far apart, and near with margin 0."""
    assert ncon(spheres('<pair geom1="ga" geom2="gb"/>', distance=distance)) == 0


def test_pair_is_not_found_twice():
    """M3.5"""
    assert contact(spheres('<pair geom1="ga" geom2="gb" condim="1"/>'), "dim") == 1


@pytest.mark.parametrize("attributes, name, value", [
    ('condim="1"', "dim", 1),
    ('friction=".5 .4 .3 .2 .1" condim="6"', "friction", [0.5, 0.4, 0.3, 0.2, 0.1]),
    ('solref=".05 .8"', "solref", [0.05, 0.8]),
    ('solimp=".85 .9 .002 .4 1.5"', "solimp", [0.85, 0.9, 0.002, 0.4, 1.5]),
    ('solreffriction=".1 1"', "solreffriction", [0.1, 1]),
    ("", "solreffriction", [0, 0]),
    ("", "friction", [1, 1, 0.005, 0.0001, 0.0001]),
])
def test_pair_has_its_own_parameters(attributes, name, value):
    """M3.6, M3.7, M3.8, M3.10, M3.11: whatever the geoms say."""
    both = spheres(f'<pair geom1="ga" geom2="gb" {attributes}/>', 'condim="6" friction=".3" solref=".1 .7"')
    np.testing.assert_allclose(contact(both, name), value)


@pytest.mark.parametrize("margin, gap, count, excluded", [(0.02, 0.0, 1, 0), (0.02, 0.015, 1, 1), (0.005, 0, 0, 0)])
def test_pair_margin_and_gap_act(margin, gap, count, excluded):
    """M3.9: spheres 0.01 apart."""
    both = spheres(f'<pair geom1="ga" geom2="gb" margin="{margin}" gap="{gap}"/>', distance=0.21)
    assert ncon(both) == count
    assert both.data.contact.exclude.sum() == excluded


def test_without_contact_section_masks_filter():
    """M3.12"""
    assert ncon(spheres(first='contype="2" conaffinity="4"', second='contype="4" conaffinity="2"')) == 1
    assert ncon(spheres(first='contype="2" conaffinity="2"', second='contype="4" conaffinity="4"')) == 0


def test_pair_takes_its_class():
    """M3.14"""
    defaults = '<pair solref=".3 1"/><default class="c"><pair condim="4"/></default>'
    both = spheres('<pair class="c" geom1="ga" geom2="gb"/>', defaults=defaults)
    assert contact(both, "dim") == 4
    np.testing.assert_allclose(contact(both, "solref"), [0.3, 1])


def test_duplicate_pairs_give_two_contacts():
    """M3.16 as corrected by C3.4."""
    both = spheres('<pair geom1="ga" geom2="gb" condim="1"/><pair name="again" geom1="ga" geom2="gb" condim="4"/>')
    assert ncon(both) == 2
    assert list(both.data.contact.dim) == [1, 4]


def test_contacts_are_ordered_by_signature():
    """C3.5: automatic contacts and pairs merge by pair of bodies."""
    both = Twin("""<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
      <body><freejoint/><geom name="a" size=".1"/></body>
      <body pos=".15 0 0"><freejoint/><geom name="b" size=".1" contype="0" conaffinity="0"/></body></worldbody>
      <contact><pair geom1="b" geom2="a"/><pair geom1="floor" geom2="b"/></contact></mujoco>""")
    assert ncon(both) == 3
    assert both.data.contact.geom.tolist() == [[0, 1], [0, 2], [1, 2]]


@pytest.mark.parametrize("flags", ["", 'midphase="disable"'])
def test_bodies_with_many_geoms(flags):
    """Trees and direct comparison, each in the order of the reference."""
    rng = np.random.default_rng(0)
    kinds = ('type="sphere" size=".08"', 'type="capsule" size=".05 .1"', 'type="box" size=".05 .06 .07"')
    geoms = ["".join(f'<geom {kinds[rng.integers(3)]} pos="{x:.3f} {y:.3f} {z:.3f}"/>'
                     for x, y, z in rng.uniform(-0.3, 0.3, (12, 3))) for _ in range(3)]
    bodies = "".join(f"<body><freejoint/>{text}</body>" for text in geoms)
    both = Twin(f'<mujoco><option><flag {flags}/></option><worldbody>{geoms[0]}{bodies}</worldbody></mujoco>')
    for _ in range(20):
        qpos = rng.uniform(-0.4, 0.4, both.model.nq)
        for adr in range(3, both.model.nq, 7):
            qpos[adr:adr + 4] /= np.linalg.norm(qpos[adr:adr + 4])
        both.set(qpos)
        both.assert_same_contacts()
        assert both.data.ncon > 0


def test_touching_spheres_of_a_row():
    """Exactly touching bounding boxes count as the reference counts them."""
    row = "".join(f'<body pos="{0.2 * i - 0.5} 0 .1"><joint type="slide" axis="0 0 1"/><geom size=".1"/></body>'
                  for i in range(6))
    both = Twin(f'<mujoco><worldbody><geom type="plane" size="9 9 .1"/>{row}</worldbody></mujoco>')
    both.assert_same_contacts()


def test_upright_cylinder_above_a_plane_has_no_contact():
    """C2.6: a spinning cylinder 4 cm above the plane stays free of contacts whatever the rounding of its axis."""
    both = Twin("""<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
      <body pos="0 0 .05"><freejoint/><geom type="cylinder" size=".05 .01"/></body></worldbody></mujoco>""")
    for angle in np.linspace(0, 50, 2000):
        qpos = [0, 0, 0.05, np.cos(angle / 2), 1e-16 * np.cos(angle), 1e-16 * np.sin(angle), np.sin(angle / 2)]
        both.set(qpos)
        assert both.data.ncon == 0


def test_flex_contacts_equal_reference():
    """Cloth and soft body against geoms, each other and themselves."""
    flexes = "".join(
        f'<flexcomp name="{name}" type="grid" dim="{dim}" count="{count}" spacing=".05 .05 .05" pos="{pos}" radius=".01">'
        f'<contact internal="{internal}" selfcollide="{mode}"/></flexcomp>'
        for name, dim, count, pos, internal, mode in (
            ("cloth", 2, "5 5 1", "0 0 .12", "false", "sap"), ("soft", 3, "3 3 3", ".02 0 .05", "true", "bvh"),
            ("rope", 1, "6 1 1", "0 .05 .2", "false", "narrow")))
    both = Twin(f"""<mujoco><worldbody><geom type="plane" size="1 1 .1"/><geom type="box" size=".1 .1 .02"/>
      <body pos="0 0 .15"><freejoint/><geom type="ellipsoid" size=".05 .04 .03"/></body>
      <body pos=".1 0 .13"><freejoint/><geom type="capsule" size=".02 .05"/></body>{flexes}</worldbody></mujoco>""")
    rng = np.random.default_rng(3)
    import ligament
    import mujoco
    for _ in range(10):
        start = both.reference.qpos0 + rng.normal(size=both.model.nq) * 0.02
        both.reference_data.qpos[:] = start
        mujoco.mj_fwdPosition(both.reference, both.reference_data)
        for name in ("geom_xpos", "geom_xmat", "xipos", "ximat", "flexvert_xpos", "flexelem_aabb", "bvh_aabb_dyn"):
            field = both.data._field(name)
            field[...] = np.asarray(getattr(both.reference_data, name)).reshape(field.shape)
        ligament.mj_collision(both.model, both.data)
        both.assert_same_contacts()
        assert both.data.ncon > 0


@pytest.mark.parametrize("geoms", (1, 2, 5, 6))
@pytest.mark.parametrize("change", ("body_ipos", "geom_pos", "geom_margin", "geom_size"))
def test_trees_do_not_follow_changes(geoms, change):
    """What is changed after compiling leaves the bounding volumes of bodies with several geoms as they are: MuJoCo finds no
    contacts outside of them, whatever their number."""
    spheres = "".join(f'<geom name="%s{i}" size=".05" pos="{.1 * i} 0 0"/>' for i in range(geoms))
    bodies = "".join(f'<body name="{name}" pos="0 0 {z}"><freejoint/>{spheres.replace("%s", name)}</body>'
                     for name, z in (("a", 0), ("b", .08)))
    counts = []
    for package in (ligament, mujoco):
        model = package.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
        data = package.MjData(model)
        package.mj_forward(model, data)
        counts.append([data.ncon])
        if change == "body_ipos":
            model.body("b").ipos = [0, 0, .5]
        elif change == "geom_pos":
            model.geom("b0").pos = [.5, 0, 0]
            data.qpos[7] = -.5
        elif change == "geom_margin":
            model.geom("b0").margin = .2
            data.qpos[9] = .15
        else:
            model.geom("b0").size = [.2, 0, 0]
            data.qpos[9] = .15
        for _ in range(2):
            package.mj_forward(model, data)
            counts[-1].append(data.ncon)
    assert counts[0] == counts[1]
    assert counts[0][0] > 0
