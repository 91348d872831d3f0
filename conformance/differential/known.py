"""Differences that are known: rows of docs/deviations.md, and places where MuJoCo 3.5.0 damages its own memory."""

from xml.etree import ElementTree as xml

import numpy as np

PARALLEL = 1e-12
RIGID = 1e-12


class ArenaFull(Exception):
    """The reference dropped contacts or rows for lack of memory: it needs more for a comparison."""


class Strange(Exception):
    """The reference has contacts that are left out, or that rounding tilts, on purpose."""


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
    """Does the reference list dofs twice, beyond the array: flex edges between vertices of one body?"""
    for flex in range(model.nflex):
        vertex, edge, count = model.flex_vertadr[flex], model.flex_edgeadr[flex], model.flex_edgenum[flex]
        ends = model.flex_vertbodyid[vertex + model.flex_edge[edge:edge + count]]
        if not model.flex_interp[flex] and np.any(ends[:, 0] == ends[:, 1]):
            return True
    return False


def pairs_with_itself(model):
    """An explicit pair of a geom with itself has contacts in the reference only."""
    return bool(np.any((model.pair_geom1 == model.pair_geom2) & (model.pair_geom1 >= 0)))


def strange_contacts(engine, model, data):
    """Contacts that are left out, or that rounding tilts, on purpose."""
    contact = data.contact
    if not (np.all(np.isfinite(contact.dist)) and np.all(np.isfinite(contact.pos)) and
            np.all(np.isfinite(contact.frame))):
        return True
    plane, cylinder = int(engine.mjtGeom.mjGEOM_PLANE), int(engine.mjtGeom.mjGEOM_CYLINDER)
    for first, second in contact.geom:
        if first < 0 or second < 0 or (model.geom_type[first], model.geom_type[second]) != (plane, cylinder):
            continue
        normal, axis = data.geom_xmat[first][2::3], data.geom_xmat[second][2::3]
        if 0 < np.linalg.norm(axis * np.dot(axis, normal) - normal) < PARALLEL:
            return True
    return False


def rigid_tendons(jacobian):
    """Tendons that nothing can change: their Jacobian is zero, in the reference rounding noise that makes rows."""
    largest = np.max(np.abs(jacobian), axis=1, initial=0)
    return bool(np.any((largest > 0) & (largest < RIGID)))


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
