"""Writes scenes, frame by frame, to files of OpenUSD.

The interface is that of the reference's exporter. Files are written as text, without the libraries of OpenUSD; those
are needed for binary files (``usdc``) and for ``stage`` only (``pip install usd-core``).
"""

import math
import os
import warnings

import numpy as np

import ligament as mj
from ligament.usd import pictures, shapes
from ligament.usd.layer import Layer, identifier, number, transform, vector

_OPENUSD = "needs the libraries of OpenUSD: pip install usd-core, or save as 'usda'"
# the height of the film, in the millimetres that OpenUSD measures films with; the lens follows from the field of view
_FILM = 24.0


class USDExporter:
    """Collects frames of a simulation (``update_scene``) and writes them (``save_scene``)."""

    def __init__(self, model, height=480, width=480, max_geom=10000, output_directory="mujoco_usdpkg",
                 output_directory_root="./", light_intensity=10000, camera_names=None, specialized_materials_file=None,
                 verbose=True):
        """Pictures are to be ``width`` by ``height``; cameras of the model are written by name, files go to
        ``output_directory_root/output_directory``. A file with materials is laid under the scene."""
        for side, wanted, largest in (("width", width, model.vis.global_.offwidth),
                                      ("height", height, model.vis.global_.offheight)):
            if wanted > largest:
                raise ValueError(f"Image {side} {wanted} > framebuffer {side} {largest}: ask for less, or set "
                                 f"<visual><global off{side}=\"{wanted}\"/></visual> in the model")
        self.model, self.height, self.width, self.max_geom = model, height, width, max_geom
        self.output_directory, self.output_directory_root = output_directory, output_directory_root
        self.light_intensity, self.camera_names, self.verbose = light_intensity, camera_names, verbose
        self.specialized_materials_file = specialized_materials_file
        self.frame_count = self.updates = 0
        self._scene, self._scene_option = mj.MjvScene(model, maxgeom=max_geom), mj.MjvOption()
        self._layer, self._shown, self._left_out = Layer(specialized_materials_file), {}, set()
        self._camera_ids = {name: self._camera_id(name) for name in camera_names or ()}
        self.output_directory_path = os.path.join(output_directory_root, output_directory)
        self.frames_directory = os.path.join(self.output_directory_path, "frames")
        self.assets_directory = os.path.join(self.output_directory_path, "assets")
        for folder in (self.frames_directory, self.assets_directory):
            os.makedirs(folder, exist_ok=True)
        self._say(f"Writing frames and textures to {self.output_directory_path}")
        self.texture_files = self._write_textures()

    @property
    def usd(self):
        """The file as text."""
        return self._layer.text(self.frame_count)

    @property
    def scene(self):
        """The scene of the last frame."""
        return self._scene

    @property
    def stage(self):
        """The frames so far as a stage of OpenUSD's own library; a copy."""
        try:
            from pxr import Sdf, Usd
        except ImportError as error:
            raise ImportError(f"stage {_OPENUSD}") from error
        layer = Sdf.Layer.CreateAnonymous(".usda")
        layer.ImportFromString(self.usd)
        return Usd.Stage.Open(layer)

    def update_scene(self, data, scene_option=None):
        """Adds a frame with the state of a simulation."""
        mj.mjv_updateScene(self.model, data, scene_option or self._scene_option, None, self._free_camera(),
                           int(mj.mjtCatBit.mjCAT_ALL), self._scene)
        frame = self.updates
        self._update_geoms(frame)
        self._update_lights(frame)
        for name, camera in self._camera_ids.items():
            prim = self._camera(name, self.model.cam_fovy[camera])
            prim.pose(transform(data.cam_xpos[camera], data.cam_xmat[camera].reshape(3, 3)), frame)
        self.updates += 1
        self.frame_count += 1

    def add_light(self, pos, intensity, radius=1.0, color=(0.3, 0.3, 0.3), obj_name="light_1", light_type="sphere"):
        """Adds a light that stays where it is: a sphere, or a dome around everything."""
        if light_type not in ("sphere", "dome"):
            raise ValueError(f"light_type is 'sphere' or 'dome', not '{light_type}'")
        light = self._light(obj_name, "SphereLight" if light_type == "sphere" else "DomeLight", intensity, color)
        if light_type == "sphere":
            light.set("float inputs:radius", number(radius))
            light.pose(transform(pos, np.eye(3)))

    def add_camera(self, pos, rotation_xyz, obj_name="camera_1"):
        """Adds a camera that stays where it is, turned about x, y and z."""
        quat, axes = np.zeros(4), np.zeros(9)
        mj.mju_euler2Quat(quat, np.asarray(rotation_xyz, dtype=float), "xyz")
        mj.mju_quat2Mat(axes, quat)
        self._camera(obj_name, self.model.vis.global_.fovy).pose(transform(pos, axes.reshape(3, 3)))

    def save_scene(self, filetype="usd"):
        """Writes all frames so far into one file: text (``usd``, ``usda``) or binary (``usdc``)."""
        if filetype not in ("usd", "usda", "usdc"):
            raise ValueError(f"filetype is 'usd', 'usda' or 'usdc', not '{filetype}'")
        path = os.path.join(self.frames_directory, f"frame_{self.frame_count}.{filetype}")
        if filetype == "usdc":
            self._save_binary(path)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.usd)
        self._say(f"Wrote {path}")

    def _save_binary(self, path):
        try:
            from pxr import Sdf
        except ImportError as error:
            raise ImportError(f"filetype 'usdc' {_OPENUSD}") from error
        layer = Sdf.Layer.CreateAnonymous(".usda")
        layer.ImportFromString(self.usd)
        layer.Export(path)

    def _say(self, message):
        if self.verbose:
            print(message)

    def _camera_id(self, name):
        found = mj.mj_name2id(self.model, mj.mjtObj.mjOBJ_CAMERA, name)
        if found < 0:
            raise ValueError(f"The camera '{name}' does not exist.")
        return found

    def _free_camera(self):
        camera = mj.MjvCamera()
        mj.mjv_defaultFreeCamera(self.model, camera)
        return camera

    def _write_textures(self):
        """Writes the textures, and gives their places relative to the frames."""
        names = [f"texture_{number}.png" for number in range(self.model.ntex)]
        for number_, name in enumerate(names):
            with open(os.path.join(self.assets_directory, name), "wb") as file:
                file.write(pictures.png(pictures.texture(self.model, number_)))
        folder = os.path.relpath(self.assets_directory, self.frames_directory)
        return [os.path.join(folder, name) for name in names]

    # geoms

    def _update_geoms(self, frame):
        seen = set()
        for geom in self._scene.geoms[:self._scene.ngeom]:
            kind = shapes.kind(geom)
            if kind is None:
                self._leave_out(geom)
                continue
            name = self._geom_name(geom)
            prim = self._shown.get(name) or self._new_geom(name, kind, geom, frame)
            shapes.write(prim, self.model, self._scene, geom, frame)
            if geom.rgba[3] > 0:
                seen.add(name)
        for name, prim in self._shown.items():
            prim.set("token visibility", '"inherited"' if name in seen else '"invisible"', frame)

    def _new_geom(self, name, kind, geom, frame):
        prim = self._layer.group("geoms").child(kind, name, 'prepend apiSchemas = ["MaterialBindingAPI"]')
        self._shown[name] = prim
        if frame > 0:
            prim.set("token visibility", '"invisible"', 0)
        prim.set("color3f[] primvars:displayColor", f"[{vector(geom.rgba[:3])}]")
        prim.set("float[] primvars:displayOpacity", f"[{number(geom.rgba[3])}]")
        prim.set("rel material:binding", f"<{self._material(name, geom)}>")
        return prim

    def _geom_name(self, geom):
        """Name and number; parts of tendons have a number each."""
        own = mj.mj_id2name(self.model, geom.objtype, geom.objid) or "None"
        ending = {int(mj.mjtObj.mjOBJ_GEOM): "_geom", int(mj.mjtObj.mjOBJ_TENDON): f"_tendon_segid{geom.segid}"}
        return identifier(f"{own}_id{geom.objid}{ending.get(int(geom.objtype), f'_object{int(geom.objtype)}')}")

    def _leave_out(self, geom):
        kind = mj.mjtGeom(geom.type).name
        if kind not in self._left_out:
            self._left_out.add(kind)
            warnings.warn(f"{kind} has no counterpart in OpenUSD: such things are left out", stacklevel=4)

    def _material(self, name, geom):
        """The look of a geom, and its place."""
        material = self._layer.group("looks").child("Material", name)
        place = f"/World/looks/{name}"
        material.set("token outputs:surface.connect", f"<{place}/surface.outputs:surface>")
        surface = material.child("Shader", "surface")
        surface.set("uniform token info:id", '"UsdPreviewSurface"')
        surface.set("color3f inputs:diffuseColor", vector(geom.rgba[:3]))
        surface.set("float inputs:opacity", number(geom.rgba[3]))
        surface.set("color3f inputs:emissiveColor", vector(geom.emission * geom.rgba[:3]))
        surface.set("float inputs:roughness", number(1 - min(1.0, max(0.0, geom.shininess))))
        surface.set("token outputs:surface", "None")
        picture = shapes.flat_picture(self.model, geom.matid)
        if picture >= 0 and shapes.has_coordinates(self.model, geom):
            surface.set("color3f inputs:diffuseColor.connect", f"<{place}/picture.outputs:rgb>")
            self._picture(material, place, picture, geom)
        return place

    def _picture(self, material, place, picture, geom):
        reader = material.child("Shader", "coordinates")
        reader.set("uniform token info:id", '"UsdPrimvarReader_float2"')
        reader.set("string inputs:varname", '"st"')
        reader.set("float2 outputs:result", "None")
        shader = material.child("Shader", "picture")
        shader.set("uniform token info:id", '"UsdUVTexture"')
        shader.set("asset inputs:file", f"@{self.texture_files[picture]}@")
        shader.set("float4 inputs:scale", vector((*geom.rgba[:3], 1)))
        shader.set("token inputs:wrapS", '"repeat"')
        shader.set("token inputs:wrapT", '"repeat"')
        shader.set("float2 inputs:st.connect", f"<{place}/coordinates.outputs:result>")
        shader.set("float3 outputs:rgb", "None")

    # lights and cameras

    def _light(self, name, kind, intensity, color):
        light = self._layer.group("lights").child(kind, identifier(name))
        light.set("float inputs:intensity", number(intensity))
        light.set("color3f inputs:color", vector(color))
        return light

    def _update_lights(self, frame):
        """Lights of the model; the one on the viewer's head stays with the viewer."""
        for i, light in enumerate(self._scene.lights[:self._scene.nlight]):
            if light.headlight:
                continue
            distant = light.type == mj.mjtLightType.mjLIGHT_DIRECTIONAL
            prim = self._light(f"model_light_{i}", "DistantLight" if distant else "SphereLight", self.light_intensity,
                               light.diffuse)
            prim.pose(transform(light.pos, _looking_along(light.dir)), frame)

    def _camera(self, name, fovy):
        camera = self._layer.group("cameras").child("Camera", identifier(name))
        camera.set("float verticalAperture", number(_FILM))
        camera.set("float horizontalAperture", number(_FILM * self.width / self.height))
        camera.set("float focalLength", number(_FILM / (2 * math.tan(math.radians(fovy) / 2))))
        return camera


def _looking_along(direction):
    """Axes, as columns, whose third points against a direction."""
    back = -np.asarray(direction, dtype=float)
    back /= np.linalg.norm(back) or 1.0
    side = np.cross((0.0, 1.0, 0.0) if abs(back[1]) < 0.9 else (1.0, 0.0, 0.0), back)
    side /= np.linalg.norm(side)
    return np.column_stack([side, np.cross(back, side), back])
