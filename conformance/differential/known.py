"""Differences that are known: rows of docs/deviations.md, and places where MuJoCo 3.5.0 damages its own memory.

A difference counts as known only where a row shows in that very state, and where nothing differs that the row cannot
reach. Everything is compared in any case.
"""

import collections
import re
from xml.etree import ElementTree as xml

import numpy as np

from .arrays import read

PARALLEL = 1e-12
RIGID = 1e-12
STRAIGHT = 1e-9

# What stands in docs/deviations.md; stages and fields whose numbers it changes; whether it shows in two states
# (engine, model, state of the reference, state of the subject).
Row = collections.namedtuple("Row", "name reaches shows")
ROWS_ON = {"efc_address", "constraint", "solve", "sensor", "island", "inverse"}
CONTACTS_ON = ROWS_ON | {"contact"}
FORCES_ON = {"qfrc_spring", "qfrc_damper", "qfrc_passive", "solve", "sensor", "inverse"}

TEXTURE = "built-in texture with fewer than three channels"
EDGE = "flex edge between two vertices of one body"
SETTING = "settings of plugins that do not begin with a number"

# No rows, but nothing that could be compared.
ARENA = "the reference's arena is full whatever its size"
RANGE = "length range that chaotic motion decides"
SINGULAR = "no usable mass matrix: forces are noise"


class ArenaFull(Exception):
    """The reference dropped contacts or rows for lack of memory: it needs more for a comparison."""


def check_arena(engine, data):
    kinds = (engine.mjtWarning.mjWARN_CONTACTFULL, engine.mjtWarning.mjWARN_CNSTRFULL)
    if any(data.warning[int(kind)].number for kind in kinds):
        raise ArenaFull


def with_memory(text):
    """The model with more memory than its contacts can need; None when it has that already."""
    root = xml.fromstring(text)
    if any(size.get("memory") == "1G" for size in root.iter("size")):
        return None
    size = root.find("size")
    if size is None:
        size = xml.SubElement(root, "size")
    for name in ("njmax", "nconmax", "nstack"):
        size.attrib.pop(name, None)
    size.set("memory", "1G")
    return xml.tostring(root, encoding="unicode")


def damages_memory(text):
    """Does the reference write beyond its memory while it loads this? Then nothing after it can be trusted.

    Built-in textures have three bytes a texel, whatever the number of channels.
    """
    try:
        root = xml.fromstring(text)
    except xml.ParseError:
        return False
    return any(texture.get("builtin", "none") != "none" and texture.get("nchannel") in ("1", "2")
               for texture in root.iter("texture"))


def damages_model(model):
    """Has the reference listed dofs of a flex edge twice, or beyond the array? So with both vertices in one body."""
    for count, first in zip(model.flexedge_J_rownnz, model.flexedge_J_rowadr):
        columns = model.flexedge_J_colind[first:first + count]
        if first + count > model.nJfe or len(set(columns)) < count:
            return True
    return False


def refusal(complaint):
    """The row that says why only the subject refuses a model, or None."""
    return SETTING if re.search(r"plugin instance \d+: setting '\w+' is not a number", complaint) else None


def explain(found, engine, model, expected, actual):
    """The row that accounts for all of these differences of a forward step, or None."""
    places = [set(kind.split()[1:]) for kind, _ in found]
    return next((row.name for row in ROWS
                 if all(place & row.reaches for place in places) and row.shows(engine, model, expected, actual)), None)


def shown(engine, model, expected, actual):
    """The first row that shows in these states, or None."""
    return next((row.name for row in ROWS if row.shows(engine, model, expected, actual)), None)


def pairs_with_itself(engine, model, expected, actual):
    listed = (model.pair_geom1 == model.pair_geom2) & (model.pair_geom1 >= 0)
    touching = expected.contact.geom[:, 0] == expected.contact.geom[:, 1]
    return bool(np.any(listed)) and bool(np.any(touching & (expected.contact.geom[:, 0] >= 0)))


def bad_contacts(engine, model, expected, actual):
    contact = expected.contact
    return not (np.all(np.isfinite(contact.dist)) and np.all(np.isfinite(contact.pos)) and
                np.all(np.isfinite(contact.frame)))


def tilted_cylinders(engine, model, expected, actual):
    plane, cylinder = int(engine.mjtGeom.mjGEOM_PLANE), int(engine.mjtGeom.mjGEOM_CYLINDER)
    for first, second in expected.contact.geom:
        if first < 0 or second < 0 or (model.geom_type[first], model.geom_type[second]) != (plane, cylinder):
            continue
        normal, axis = expected.geom_xmat[first][2::3], expected.geom_xmat[second][2::3]
        if 0 < np.linalg.norm(axis * np.dot(axis, normal) - normal) < PARALLEL:
            return True
    return False


def turning_elements(engine, model, expected, actual):
    contact = expected.contact
    soft = (contact.flex[:, 0] >= 0) | (contact.flex[:, 1] >= 0)
    return bool(engine.mj_isSparse(model)) and bool(np.any(soft & (contact.dim > 3)))


def rigid_tendons(engine, model, expected, actual):
    """Their Jacobian is zero, in the reference rounding noise that makes rows."""
    jacobian = read(engine, model, expected, "ten_J").reshape(model.ntendon, model.nv)
    largest = np.max(np.abs(jacobian), axis=1, initial=0)
    return bool(np.any((largest > 0) & (largest < RIGID)))


def crooked_slides(engine, model, expected, actual):
    """Do forces differ, and only in dofs to whose slides the reference adds components of another direction?"""
    crooked = np.zeros(model.nv, bool)
    for flex in range(model.nflex):
        if model.flex_dim[flex] < 2 or model.flex_rigid[flex]:
            continue
        first, count = ((model.flex_nodeadr, model.flex_nodenum) if model.flex_interp[flex] else
                        (model.flex_vertadr, model.flex_vertnum))
        bodies = model.flex_nodebodyid if model.flex_interp[flex] else model.flex_vertbodyid
        for body in bodies[first[flex]:first[flex] + count[flex]]:
            dof = model.body_dofadr[body]
            slides = expected.cdof[dof:dof + model.body_dofnum[body], 3:]
            straight = len(slides) == 3 and np.max(np.abs(slides - np.eye(3))) < STRAIGHT
            if model.body_simple[body] == 2 and not straight:
                crooked[dof:dof + 3] = True
    apart = [~np.isclose(getattr(actual, name), getattr(expected, name), rtol=1e-9, atol=1e-9)
             for name in ("qfrc_spring", "qfrc_damper")]
    return bool(np.any(apart)) and not np.any(np.any(apart, axis=0) & ~crooked)


def lost_trees(engine, model, expected, actual):
    """Is the first row of a contact with a flex zero for a tree that another row of it moves? Dense Jacobian, islands."""
    if engine.mj_isSparse(model) or model.opt.disableflags & int(engine.mjtDisableBit.mjDSBL_ISLAND) or not expected.nefc:
        return False
    rows = read(engine, model, expected, "efc_J").reshape(-1, model.nv) != 0
    contacts = {int(kind) for kind in (engine.mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL, engine.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)}
    for i, contact in enumerate(expected.contact):
        own = [row for row in range(expected.nefc) if expected.efc_id[row] == i and expected.efc_type[row] in contacts]
        if max(contact.flex) >= 0 and own:
            trees = [set(model.dof_treeid[rows[row]]) for row in own]
            if set.union(*trees) != trees[0]:
                return True
    return False


CROOKED = Row("flexes below a turned parent, or whose vertices have fewer than three slides", FORCES_ON, crooked_slides)
ROWS = (
    Row("explicit pair of a geom with itself", CONTACTS_ON, pairs_with_itself),
    Row("contacts with NaN or infinite numbers", CONTACTS_ON, bad_contacts),
    Row("plane against cylinder, axis parallel to the normal up to rounding", CONTACTS_ON, tilted_cylinders),
    CROOKED,
    Row("rotational rows of a contact with a flex element, sparse Jacobian", ROWS_ON, turning_elements),
    Row("islands with contacts of a flex, dense Jacobian", {"solve", "sensor", "island", "inverse"}, lost_trees),
    Row("tendon that nothing can change", ROWS_ON, rigid_tendons),
)


def is_rounding(engine, expected, actual, text, assets):
    """Are ranges of length as different as those of the reference for masses that differ in the last digits?

    They are the extremes of ten seconds of motion, which may be chaotic.
    """
    apart = np.max(np.abs(expected.actuator_lengthrange - actual.actuator_lengthrange), initial=0)
    widest = 0.0
    for epsilon in (1e-15, 1e-14, 1e-13, 1e-12):
        spec = engine.MjSpec.from_string(text, assets=assets)
        for geom in spec.geoms:
            geom.density *= 1 + epsilon
            geom.mass *= 1 + epsilon
        try:
            twin = spec.compile()
        except ValueError:
            continue
        widest = max(widest, np.max(np.abs(expected.actuator_lengthrange - twin.actuator_lengthrange)))
    return apart <= 10 * widest
