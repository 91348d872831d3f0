"""Pictures of simulations as arrays."""

import numpy as np

from ligament._enums import mjtCamera, mjtCatBit, mjtDepthMap, mjtFontScale, mjtFramebuffer, mjtObj, mjtRndFlag
from ligament._functions import mj_name2id
from ligament._render import MjrContext, MjrRect, mjr_readPixels, mjr_render, mjr_setBuffer
from ligament._scene import MjvCamera, MjvOption, MjvScene, mjv_defaultFreeCamera, mjv_updateScene

_TOO_LARGE = """Image {side} {size} > framebuffer {side} {limit}. Either reduce the image
{side} or specify a larger offscreen framebuffer in the model XML using the
clause:
<visual>
  <global off{side}="my_{side}"/>
</visual>"""


def find_camera(model, camera):
    """A camera of a model by its name or number, the free one (-1), or the ``MjvCamera`` that is given."""
    if isinstance(camera, MjvCamera):
        return camera
    number = camera
    if isinstance(camera, str):
        number = mj_name2id(model, mjtObj.mjOBJ_CAMERA, camera)
        if number == -1:
            raise ValueError(f'The camera "{camera}" does not exist.')
    if not -1 <= number < model.ncam:
        raise ValueError(f"The camera id {number} is out of range [-1, {model.ncam}).")
    found = MjvCamera()
    if number == -1:
        mjv_defaultFreeCamera(model, found)
    else:
        found.type, found.fixedcamid = mjtCamera.mjCAMERA_FIXED, number
    return found


class Renderer:
    """Makes pictures of one model. It needs no driver and no display.

    >>> renderer = Renderer(model, 480, 640)
    >>> renderer.update_scene(data, camera="front")
    >>> pixels = renderer.render()
    """

    def __init__(self, model, height=240, width=320, max_geom=10000, font_scale=mjtFontScale.mjFONTSCALE_150):
        self._mjr_context = None
        limits = model.vis.global_.offwidth, model.vis.global_.offheight
        for side, size, limit in zip(("width", "height"), (width, height), limits):
            if size > limit:
                raise ValueError(_TOO_LARGE.format(side=side, size=size, limit=limit))
        self._model, self._width, self._height = model, width, height
        self._scene = MjvScene(model, max_geom)
        self._scene_option = MjvOption()
        self._rect = MjrRect(0, 0, width, height)
        self._mjr_context = MjrContext(model, int(font_scale))
        mjr_setBuffer(mjtFramebuffer.mjFB_OFFSCREEN, self._mjr_context)
        self._mjr_context.readDepthMap = int(mjtDepthMap.mjDEPTH_ZEROFAR)
        self._depth_rendering = self._segmentation_rendering = False

    @property
    def model(self):
        return self._model

    @property
    def scene(self):
        return self._scene

    @property
    def height(self):
        return self._height

    @property
    def width(self):
        return self._width

    def enable_depth_rendering(self):
        """From now on `render` gives distances from the camera, along its axis."""
        self._depth_rendering, self._segmentation_rendering = True, False

    def disable_depth_rendering(self):
        self._depth_rendering = False

    def enable_segmentation_rendering(self):
        """From now on `render` gives the number and the kind of the object at each pixel, -1 where there is none."""
        self._depth_rendering, self._segmentation_rendering = False, True

    def disable_segmentation_rendering(self):
        self._segmentation_rendering = False

    def update_scene(self, data, camera=-1, scene_option=None):
        """Takes over a state, seen by a camera of the model (name or number), the free one (-1) or an `MjvCamera`."""
        camera = find_camera(self._model, camera)
        mjv_updateScene(self._model, data, scene_option or self._scene_option, None, camera, int(mjtCatBit.mjCAT_ALL),
                        self._scene)

    def render(self, *, out=None):
        """The picture: bytes of shape (height, width, 3), distances of shape (height, width), or segments of shape
        (height, width, 2). It is written into ``out``, if that is given."""
        if self._mjr_context is None:
            raise RuntimeError("render cannot be called after close.")
        shape = (self._height, self._width) if self._depth_rendering else (self._height, self._width, 3)
        if out is None:
            out = np.empty(shape, np.float32 if self._depth_rendering else np.uint8)
        elif out.shape != shape:
            raise ValueError(f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead. When using depth "
                             "rendering, the out array should be of shape `(width, height)` and otherwise (width, "
                             f"height, 3). Got `(self.height, self.width)={(self._height, self._width)}` and "
                             f"`self._depth_rendering={self._depth_rendering}`.")
        flags = self._scene.flags.copy()
        if self._depth_rendering or self._segmentation_rendering:
            # one colour for each geom, without smoothed edges
            self._scene.flags[[mjtRndFlag.mjRND_SEGMENT, mjtRndFlag.mjRND_IDCOLOR]] = 1
        try:
            mjr_render(self._rect, self._scene, self._mjr_context)
        finally:
            self._scene.flags[:] = flags
        if self._depth_rendering:
            out[...] = self._distances()
        elif self._segmentation_rendering:
            return self._segments()
        else:
            pixels = np.empty(shape, np.uint8)
            mjr_readPixels(pixels, None, self._rect, self._mjr_context)
            out[...] = pixels[::-1]
        return out

    def _distances(self):
        """Undoes the projection; its coefficients have single precision, as in the matrix."""
        depth = np.empty((self._height, self._width), np.float32)
        mjr_readPixels(None, depth, self._rect, self._mjr_context)
        extent, limits = self._model.stat.extent, self._model.vis.map
        near, far = np.float32(limits.znear * extent), np.float32(limits.zfar * extent)
        slope = np.float32(0.5) * (far + near) / (far - near) - np.float32(0.5)
        constant = np.float32(0.5) * (np.float32(2) * far * near) / (far - near)
        return (constant / (depth[::-1].astype(np.float64) + slope)).astype(np.float32)

    def _segments(self):
        colors = np.empty((self._height, self._width, 3), np.uint8)
        mjr_readPixels(colors, None, self._rect, self._mjr_context)
        ids = colors[::-1].astype(np.uint32) @ np.array([1, 1 << 8, 1 << 16], np.uint32)
        objects = np.full((self._scene.ngeom + 1, 2), -1, np.int32)
        for geom in self._scene.geoms[:self._scene.ngeom]:
            if geom.segid != -1:
                objects[geom.segid + 1] = geom.objid, geom.objtype
        return objects[ids]

    def close(self):
        """Lets go of the memory; no more pictures can be made."""
        if self._mjr_context is not None:
            self._mjr_context.free()
        self._mjr_context = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __del__(self):
        self.close()
