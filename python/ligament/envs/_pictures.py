"""Pictures of the worlds of an environment."""

from ligament._enums import mjtCamera, mjtObj
from ligament._functions import mj_forward, mj_name2id
from ligament._scene import MjvCamera, MjvOption, mjv_defaultFreeCamera
from ligament._structs import MjData
from ligament.renderer import Renderer

MODES = ("rgb_array", "depth_array", "rgbd_tuple")
_SIZE = 480


class Pictures:
    """Draws worlds as Gymnasium's environments are drawn: by a camera of the model, or a free one that is set up."""

    def __init__(self, model, mode, settings):
        if mode is not None and mode not in MODES:
            raise ValueError(f"render_mode must be None or one of {', '.join(MODES)}, got {mode!r}; nothing is drawn on a "
                             "screen")
        known = {"width": _SIZE, "height": _SIZE, "camera_id": None, "camera_name": None, "default_camera_config": None,
                 "max_geom": 1000, "visual_options": None}
        unknown = settings.keys() - known.keys()
        if unknown:
            raise TypeError(f"unexpected keyword argument {sorted(unknown)[0]!r}")
        self.settings = {**known, **settings}
        if self.settings["camera_id"] is not None and self.settings["camera_name"] is not None:
            raise ValueError("Both `camera_id` and `camera_name` cannot be specified at the same time.")
        view = model.vis.global_
        view.offwidth, view.offheight = (max(view.offwidth, self.settings["width"]),
                                         max(view.offheight, self.settings["height"]))
        self.model, self.mode, self._renderer = model, mode, None

    def take(self, batch, world):
        """A picture of one world."""
        if self._renderer is None:
            settings = self.settings
            self._renderer = Renderer(self.model, settings["height"], settings["width"], settings["max_geom"])
            self._data, self._camera, self._options = MjData(self.model), self._make_camera(), MjvOption()
            for flag, value in (settings["visual_options"] or {}).items():
                self._options.flags[flag] = value
        batch.get_data(world, self._data)
        mj_forward(self.model, self._data)
        self._renderer.update_scene(self._data, self._camera, self._options)
        if self.mode == "rgbd_tuple":
            return self._draw(False), self._draw(True)
        return self._draw(self.mode == "depth_array")

    def _draw(self, depth):
        if depth:
            self._renderer.enable_depth_rendering()
        else:
            self._renderer.disable_depth_rendering()
        return self._renderer.render()

    def _make_camera(self):
        settings, camera = self.settings, MjvCamera()
        number = settings["camera_id"]
        if number is None:
            number = mj_name2id(self.model, mjtObj.mjOBJ_CAMERA, settings["camera_name"] or "track")
            if number < 0 and settings["camera_name"]:
                raise ValueError(f"the model has no camera {settings['camera_name']!r}")
        if number >= 0:
            camera.type, camera.fixedcamid = mjtCamera.mjCAMERA_FIXED, number
            return camera
        mjv_defaultFreeCamera(self.model, camera)
        for name, value in (settings["default_camera_config"] or {}).items():
            if name == "trackbodyid" and value >= 0:
                camera.type = mjtCamera.mjCAMERA_TRACKING
            if name == "lookat":
                camera.lookat[:] = value
            else:
                setattr(camera, name, value)
        return camera

    def close(self):
        """Lets go of the memory."""
        if self._renderer is not None:
            self._renderer.close()
