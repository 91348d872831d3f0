"""Settings, default classes and assets of generated models."""

from . import schema, values
from .values import numbers

GEOM_TYPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
CLASSES = ("main", "first", "second", "third")


class Assets:
    """Everything outside the tree that others refer to."""

    def settings(self):
        for part in ("compiler", "option", "size", "statistic"):
            if part in self.parts:
                self.fill(self.add(self.root, part), part, density=0.25)
        if "compiler" in self.parts and self.chance(0.3):
            self.fill(self.add(self.root.find("compiler"), "lengthrange"), "compiler/lengthrange", density=0.4)
        if "flag" in self.parts:
            option = self.root.find("option")
            option = self.add(self.root, "option") if option is None else option
            self.fill(self.add(option, "flag"), "option/flag", density=0.2)
        if "visual" in self.parts:
            visual = self.add(self.root, "visual")
            for group in schema.paths_below("visual"):
                if self.chance(0.5):
                    self.fill(self.add(visual, group), f"visual/{group}", density=0.3)

    def defaults(self):
        top = self.add(self.root, "default")
        if self.chance(0.5):
            top.set("class", "main")
        self.default_content(top)
        nested = top
        for name in CLASSES[1:]:
            if self.chance(0.6):
                child = self.add(nested, "default")
                child.set("class", name)
                self.classes.append(name)
                self.default_content(child)
                nested = child if self.chance(0.5) else top

    def default_content(self, element):
        for tag in schema.paths_below("default"):
            if self.chance(0.3):
                child = self.add(element, tag)
                without = ("size", "fromto", "mass", "pos") if tag in ("geom", "site") else (
                    "ctrlrange", "range", "actuatorfrcrange", "springdamper", "limited", "user", "nsample", "delay")
                self.fill(child, f"default/{tag}", without=without, density=0.15)
                if tag == "geom" and self.chance(0.2):
                    child.set("type", self.r.choice(GEOM_TYPES))
                if tag == "joint" and self.chance(0.2):
                    child.set("type", self.r.choice(("hinge", "slide", "ball")))


    def assets(self):
        asset = self.add(self.root, "asset")
        if "texture" in self.parts:
            for _ in range(self.r.randint(1, 3)):
                self.texture(asset)
            for _ in range(self.r.randint(1, 3)):
                self.material(asset)
        if "mesh" in self.parts:
            for _ in range(self.r.randint(1, 3)):
                self.mesh(asset)
        if "hfield" in self.parts:
            self.hfield(asset)
        if not len(asset):
            self.root.remove(asset)

    def texture(self, asset):
        texture = self.add(asset, "texture")
        self.name("texture", texture)
        size = self.r.choice(values.IMAGE_SIZES)
        texture.set("builtin", self.r.choice(("gradient", "checker", "flat")))
        texture.set("type", self.r.choice(("2d", "cube", "skybox")))
        texture.set("width", str(size))
        texture.set("height", str(size if self.chance(0.7) else self.r.choice(values.IMAGE_SIZES)))
        self.fill(texture, "asset/texture", without=("gridsize", "gridlayout", "nchannel") if self.chance(0.9) else ())

    def material(self, asset):
        material = self.add(asset, "material")
        self.name("material", material)
        self.in_class(material)
        if self.chance(0.5):
            material.set("texture", self.some("texture"))
        elif self.chance(0.3):
            for role in self.r.sample(("rgb", "occlusion", "roughness", "metallic", "normal", "emissive"), 2):
                layer = self.add(material, "layer")
                layer.set("role", role)
                layer.set("texture", self.some("texture"))
        self.fill(material, "asset/material")

    def mesh(self, asset):
        mesh = self.add(asset, "mesh")
        self.name("mesh", mesh)
        self.in_class(mesh)
        if self.chance(0.5):
            self.builtin_mesh(mesh)
        else:
            self.inline_mesh(mesh)
        if self.chance(0.2) and self.some("material"):
            mesh.set("material", self.some("material"))
        self.fill(mesh, "asset/mesh", without=("builtin", "params", "vertex", "face", "normal", "texcoord"))

    def builtin_mesh(self, mesh):
        r = self.r
        kind = r.choice(("sphere", "hemisphere", "cone", "wedge", "supersphere", "supertorus", "plate"))
        params = {
            "sphere": lambda: [r.randint(0, 3)], "hemisphere": lambda: [r.randint(1, 4)],
            "cone": lambda: [r.randint(3, 8), r.choice((0, r.uniform(0.2, 1)))],
            "wedge": lambda: [r.randint(0, 4), r.randint(0, 4), r.uniform(10, 90), r.uniform(10, 40), r.uniform(0, 0.9)],
            "supersphere": lambda: [r.randint(3, 10), r.uniform(0.3, 2), r.uniform(0.3, 2)],
            "supertorus": lambda: [r.randint(3, 8), r.uniform(0.1, 0.5), r.uniform(0.3, 2), r.uniform(0.3, 2)],
            "plate": lambda: [r.randint(2, 4), r.randint(2, 4)],
        }[kind]()
        mesh.set("builtin", kind)
        mesh.set("params", numbers(params))
        if self.chance(0.7):
            mesh.set("scale", numbers(r.uniform(0.05, 0.2) for _ in range(3)))

    def inline_mesh(self, mesh):
        r = self.r
        if self.chance(0.3):
            corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
            points = [[0.1 * c * r.uniform(0.7, 1.3) for c in corner] for corner in corners]
        else:
            points = [[r.uniform(-0.12, 0.12) for _ in range(3)] for _ in range(r.randint(4, 14))]
        mesh.set("vertex", numbers(c for point in points for c in point))
        if self.chance(0.3):
            faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
            mesh.set("face", " ".join(str(i) for face in faces for i in face))
            mesh.set("vertex", "0 0 0 .2 0 0 0 .2 0 0 0 .2" if self.chance(0.6) else numbers(
                c for point in points[:4] for c in point))
            if self.chance(0.3):
                mesh.set("texcoord", numbers(r.random() for _ in range(8)))
            if self.chance(0.3):
                mesh.set("normal", numbers(r.gauss(0, 1) for _ in range(12)))

    def hfield(self, asset):
        hfield = self.add(asset, "hfield")
        self.name("hfield", hfield)
        rows, columns = self.r.randint(2, 5), self.r.randint(2, 5)
        hfield.set("nrow", str(rows))
        hfield.set("ncol", str(columns))
        hfield.set("size", numbers((self.r.uniform(0.3, 1), self.r.uniform(0.3, 1), self.r.uniform(0.05, 0.3), 0.1)))
        if self.chance(0.8):
            hfield.set("elevation", numbers(self.r.random() for _ in range(rows * columns)))
