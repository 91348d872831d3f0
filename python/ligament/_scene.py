"""Scenes: what a model looks like, before any pixel. Results go into arrays that the caller gives."""

import numpy as np

from ligament import _core
from ligament._arguments import shaped
from ligament._core import (MjvCamera, MjvFigure, MjvGeom, MjvGLCamera, MjvLight, MjvOption, MjvPerturb, MjvScene,
                            mjv_addGeoms, mjv_applyPerturbForce, mjv_applyPerturbPose, mjv_averageCamera,
                            mjv_defaultCamera, mjv_defaultFigure, mjv_defaultFreeCamera, mjv_defaultOption,
                            mjv_defaultPerturb, mjv_frustumHeight, mjv_initPerturb, mjv_makeLights, mjv_moveCamera,
                            mjv_movePerturb, mjv_updateCamera, mjv_updateScene, mjv_updateSkin)

__all__ = [
    "MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvOption", "MjvPerturb", "MjvScene",
    "mjv_addGeoms", "mjv_alignToCamera", "mjv_applyPerturbForce", "mjv_applyPerturbPose", "mjv_averageCamera",
    "mjv_cameraFrame", "mjv_cameraFrustum", "mjv_cameraInModel", "mjv_cameraInRoom", "mjv_connector",
    "mjv_defaultCamera", "mjv_defaultFigure", "mjv_defaultFreeCamera", "mjv_defaultOption", "mjv_defaultPerturb",
    "mjv_frustumHeight", "mjv_initGeom", "mjv_initPerturb", "mjv_makeLights", "mjv_model2room", "mjv_moveCamera",
    "mjv_moveModel", "mjv_movePerturb", "mjv_room2model", "mjv_select", "mjv_updateCamera", "mjv_updateScene",
    "mjv_updateSkin",
]


def _field(name):
    return property(lambda self: self._get(name), lambda self, value: self._set(name, value))


# Fields are attributes of the classes, so that programs find them there (``dir``) and can extend the classes.
for _class in (MjvCamera, MjvFigure, MjvGeom, MjvGLCamera, MjvLight, MjvOption, MjvPerturb, MjvScene):
    for _name in _class._names():
        if _name not in vars(_class):
            setattr(_class, _name, _field(_name))


def _begin_scene(self, model=None, maxgeom=0):
    self._begin(model, maxgeom)


MjvScene.__init__ = _begin_scene


def _write(targets, values):
    for target, value in zip(targets, values):
        if target is not None:
            target[...] = np.reshape(value, target.shape)


def _list(value):
    return None if value is None else np.ravel(value).tolist()


@shaped("- - r?[3] r?[3] r?[9] rf?[4]")
def mjv_initGeom(geom, type, size, pos, mat, rgba):
    """Sets shape, size, pose and colour where given, everything else about the look to its default."""
    _core._init_geom(geom, int(type), _list(size), _list(pos), _list(mat), _list(rgba))


@shaped("- - - r[3] r[3]")
def mjv_connector(geom, type, width, from_, to):
    """Stretches a capsule, cylinder, arrow or line from one point to another."""
    _core._connector(geom, int(type), float(width), _list(from_), _list(to))


@shaped("w?[3] w?[3] w?[3] w?[3] - -")
def mjv_cameraFrame(headpos, forward, up, right, d, cam):
    """Position and axes of a camera."""
    _write((headpos, forward, up, right), _core._camera_frame(d, cam))


@shaped("wf?[2] wf?[2] wf?[2] - -")
def mjv_cameraFrustum(zver, zhor, zclip, m, cam):
    """Extents of the near plane of a camera, vertical and horizontal; near and far plane."""
    _write((zver, zhor, zclip), _core._camera_frustum(m, cam))


@shaped("w?[3] w?[3] w?[3] -")
def mjv_cameraInModel(headpos, forward, up, scn):
    """Mean of both eyes in the space of the model."""
    _write((headpos, forward, up), _core._camera_in_model(scn))


@shaped("w?[3] w?[3] w?[3] -")
def mjv_cameraInRoom(headpos, forward, up, scn):
    """Mean of both eyes in the room."""
    _write((headpos, forward, up), _core._camera_in_room(scn))


@shaped("w[3] w[4] r[3] r[4] -")
def mjv_room2model(modelpos, modelquat, roompos, roomquat, scn):
    """A pose in the room, seen from the model."""
    _write((modelpos, modelquat), _core._room2model(_list(roompos), _list(roomquat), scn))


@shaped("w[3] w[4] r[3] r[4] -")
def mjv_model2room(roompos, roomquat, modelpos, modelquat, scn):
    """A pose in the model, seen from the room."""
    _write((roompos, roomquat), _core._model2room(_list(modelpos), _list(modelquat), scn))


@shaped("w[3] r[3] r[3]")
def mjv_alignToCamera(res, vec, forward):
    """Turns a vector about the vertical, so that its y axis points where the camera looks."""
    _write((res,), (_core._align_to_camera(_list(vec), _list(forward)),))


@shaped("- - - - r[3] -")
def mjv_moveModel(m, action, reldx, reldy, roomup, scn):
    """Moves the whole model in the room with the mouse."""
    _core._move_model(m, int(action), reldx, reldy, _list(roomup), scn)


@shaped("- - - - - - - w[3] wi[1] wi[1] wi[1]")
def mjv_select(m, d, vopt, aspectratio, relx, rely, scn, selpnt, geomid, flexid, skinid):
    """What is under the mouse: returns the body, -1 if there is none."""
    found = _core._select(m, d, vopt, aspectratio, relx, rely, scn)
    body, point, ids = found if found else (-1, selpnt, (-1, -1, -1))
    _write((selpnt, geomid, flexid, skinid), (point, *ids))
    return body
