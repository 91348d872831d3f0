"""Geoms of a scene as prims of OpenUSD: their own shapes where it has them, meshes otherwise."""

import numpy as np

from ligament import mjtGeom, mjtTexture
from ligament.usd.layer import integers, number, transform, vectors

# half the width of planes without end
ENDLESS = 100.0


def _sphere(prim, geom, frame):
    prim.set("double radius", number(1), frame)
    return geom.size


def _box(prim, geom, frame):
    prim.set("double size", number(2), frame)
    return geom.size


def _round(prim, geom, frame):
    """Capsules and cylinders: along z, ``size[2]`` is half their length."""
    prim.set("uniform token axis", '"Z"')
    prim.set("double radius", number(geom.size[0]), frame)
    prim.set("double height", number(2 * geom.size[2]), frame)
    return 1, 1, 1


_SHAPES = {
    mjtGeom.mjGEOM_SPHERE: ("Sphere", _sphere), mjtGeom.mjGEOM_ELLIPSOID: ("Sphere", _sphere),
    mjtGeom.mjGEOM_BOX: ("Cube", _box), mjtGeom.mjGEOM_CAPSULE: ("Capsule", _round),
    mjtGeom.mjGEOM_CYLINDER: ("Cylinder", _round),
}


def _plane(model, geom):
    x, y = (size if size > 0 else ENDLESS for size in geom.size[:2])
    points = [(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)]
    repeat = np.ones(2) if geom.matid < 0 else np.array(model.mat_texrepeat[geom.matid], dtype=float)
    if geom.matid >= 0 and model.mat_texuniform[geom.matid]:
        repeat *= (2 * x, 2 * y)
    return points, [(0, 1, 2, 3)], [(0, 0), (repeat[0], 0), tuple(repeat), (0, repeat[1])]


def _mesh(model, geom):
    mesh = geom.dataid // 2  # odd ones are convex hulls
    vertices = slice(model.mesh_vertadr[mesh], model.mesh_vertadr[mesh] + model.mesh_vertnum[mesh])
    faces = slice(model.mesh_faceadr[mesh], model.mesh_faceadr[mesh] + model.mesh_facenum[mesh])
    start, coordinates = model.mesh_texcoordadr[mesh], None
    if start >= 0:
        coordinates = model.mesh_texcoord[start + model.mesh_facetexcoord[faces].ravel()]
    return model.mesh_vert[vertices], model.mesh_face[faces], coordinates


def _field(model, geom):
    """A height field as a mesh of squares."""
    field = geom.dataid
    rows, columns, size = model.hfield_nrow[field], model.hfield_ncol[field], model.hfield_size[field]
    start = model.hfield_adr[field]
    heights = model.hfield_data[start:start + rows * columns].reshape(rows, columns)
    points = [(x, y, heights[r, c] * size[2]) for r, y in enumerate(np.linspace(-size[1], size[1], rows))
              for c, x in enumerate(np.linspace(-size[0], size[0], columns))]
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1, 1)
    return points, corner + [0, 1, columns + 1, columns], None


_MESHES = {mjtGeom.mjGEOM_PLANE: _plane, mjtGeom.mjGEOM_MESH: _mesh, mjtGeom.mjGEOM_SDF: _mesh,
           mjtGeom.mjGEOM_HFIELD: _field}


def _write_mesh(prim, points, faces, coordinates):
    faces = np.asarray(faces)
    prim.set("point3f[] points", vectors(points))
    prim.set("int[] faceVertexCounts", integers(np.full(len(faces), faces.shape[1])))
    prim.set("int[] faceVertexIndices", integers(faces.ravel()))
    prim.set("uniform token subdivisionScheme", '"none"')
    prim.set("uniform bool doubleSided", "1")
    if coordinates is not None:
        prim.set('texCoord2f[] primvars:st', f'{vectors(coordinates)} (interpolation = "faceVarying")')


def kind(geom):
    """The kind of prim that a geom becomes; None for what has no counterpart (arrows, lines, labels, skins)."""
    if geom.type in _SHAPES:
        return _SHAPES[geom.type][0]
    return "Mesh" if geom.type in (*_MESHES, mjtGeom.mjGEOM_FLEX) else None


def has_coordinates(model, geom):
    """Does the prim of a geom say where on a picture its points are?"""
    if geom.type == mjtGeom.mjGEOM_MESH:
        return model.mesh_texcoordadr[geom.dataid // 2] >= 0
    return geom.type == mjtGeom.mjGEOM_PLANE


def flat_picture(model, matid):
    """The flat texture of a material's colour, or -1."""
    found = -1 if matid < 0 else next((int(t) for t in model.mat_texid[matid] if t >= 0), -1)
    return found if found >= 0 and model.tex_type[found] == mjtTexture.mjTEXTURE_2D else -1


def write(prim, model, scene, geom, frame):
    """Shape and pose of a geom in one frame."""
    if geom.type == mjtGeom.mjGEOM_FLEX:
        _write_flex(prim, scene, geom, frame)
        return
    scale = (1, 1, 1)
    if geom.type in _SHAPES:
        scale = _SHAPES[geom.type][1](prim, geom, frame)
    elif not prim.has("point3f[] points"):
        _write_mesh(prim, *_MESHES[geom.type](model, geom))
    prim.pose(transform(geom.pos, geom.mat, scale), frame)


def _write_flex(prim, scene, geom, frame):
    """A flex: triangles in the frame of the world, which move."""
    start, count = scene.flexfaceadr[geom.objid], scene.flexfaceused[geom.objid]
    corners = scene.flexface[9 * start:9 * (start + count)].reshape(-1, 3)
    prim.set("point3f[] points", vectors(corners), frame)
    prim.set("int[] faceVertexCounts", integers(np.full(count, 3)), frame)
    prim.set("int[] faceVertexIndices", integers(np.arange(3 * count)), frame)
    prim.set("uniform token subdivisionScheme", '"none"')
    prim.set("uniform bool doubleSided", "1")
