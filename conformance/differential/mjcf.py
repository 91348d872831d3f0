"""Random MJCF: mostly valid, small, with everything the schema knows."""

import random
from xml.etree import ElementTree as xml

from . import schema, values
from .values import number, numbers

ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
PARTS = ("default", "mesh", "hfield", "texture", "skin", "tendon", "actuator", "sensor", "equality", "contact", "key",
         "custom", "replicate", "composite", "flexcomp", "flex", "attach", "frame", "visual", "size", "statistic",
         "user", "compiler", "option", "flag")
GEOM_TYPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
SIZE_COUNT = {"sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}
CLASSES = ("main", "first", "second", "third")


class Generator:
    """Makes one model; everything follows from the seed."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.density = self.r.choice((0.03, 0.1, 0.2, 0.35))
        self.parts = {part for part in PARTS if self.r.random() < self.r.choice((0.15, 0.4))}
        if self.parts & {"flex", "flexcomp"}:
            self.parts.discard("hfield")       # 3.5.0 reads an unset margin where height fields meet flexes
        self.names = {}
        self.joints = {}                       # name: type
        self.classes = []
        self.moving = []                       # bodies with joints
        self.root = xml.Element("mujoco")

    def chance(self, probability):
        return self.r.random() < probability

    def model(self):
        """The whole document."""
        if self.chance(0.3):
            self.root.set("model", "generated")
        self.settings()
        if "default" in self.parts:
            self.defaults()
        self.assets()
        self.world()
        for part, make in (("skin", self.skins), ("flex", self.flexes), ("tendon", self.tendons),
                           ("contact", self.contacts), ("equality", self.equalities), ("actuator", self.actuators),
                           ("sensor", self.sensors), ("custom", self.customs), ("key", self.keys)):
            if part in self.parts:
                make()
        return self.root

    # ------------------------------------------------------------------------------------- pieces

    def fill(self, element, path, without=(), density=None):
        """Random attributes from the schema, at most one orientation among them."""
        density = self.density if density is None else density
        oriented = any(name in element.attrib for name in ORIENTATIONS)
        for name in schema.attributes()[path]:
            if name in element.attrib or name in without or self.r.random() > density:
                continue
            if name in ORIENTATIONS:
                if oriented:
                    continue
                oriented = True
            text = values.value(self.r, path, name)
            if text is not None:
                element.set(name, text)
        return element

    def name(self, kind, element=None, always=False):
        known = self.names.setdefault(kind, [])
        text = f"{kind}{len(known)}"
        known.append(text)
        if element is not None:
            element.set("name", text)
        return text

    def some(self, kind):
        """Name of an object of a kind, or None."""
        known = self.names.get(kind)
        return self.r.choice(known) if known else None

    def in_class(self, element):
        if self.classes and self.chance(0.3):
            element.set("class", self.r.choice(self.classes))

    def add(self, parent, tag):
        return xml.SubElement(parent, tag)

    # ----------------------------------------------------------------------------------- settings

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

    # ------------------------------------------------------------------------------------- assets

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

    # --------------------------------------------------------------------------------------- tree

    def world(self):
        world = self.add(self.root, "worldbody")
        if self.chance(0.5):
            plane = self.add(world, "geom")
            plane.set("type", "plane")
            plane.set("size", self.r.choice(("1 1 .1", "0 0 .1", "0 2 1")))
            plane.set("pos", "0 0 -.3")
            self.name("geom", plane)
        if self.some("hfield"):
            self.hfield_geom(world)
        for _ in range(self.r.randint(0, 2)):
            self.content(world, 0)
        for _ in range(self.r.randint(1, 4)):
            self.body(world, 1)
        if "composite" in self.parts:
            self.composite(world)
        if "flexcomp" in self.parts:
            self.flexcomp(world)
        if "replicate" in self.parts:
            self.replicate(world)

    def hfield_geom(self, world):
        geom = self.add(world, "geom")
        geom.set("type", "hfield")
        geom.set("hfield", self.some("hfield"))
        geom.set("pos", "0 0 -.4")
        self.name("geom", geom)

    def body(self, parent, depth, static=False):
        if "frame" in self.parts and self.chance(0.3):
            parent = self.frame(parent)
        body = self.add(parent, "body")
        name = self.name("body", body)
        body.set("pos", numbers(self.r.uniform(-0.4, 0.4) for _ in range(3)))
        self.fill(body, "body", density=min(self.density, 0.15), without=("user", "sleep") if depth > 1 else ("user",))
        if self.classes and self.chance(0.2):
            body.set("childclass", self.r.choice(self.classes))
        if depth == 1 and self.chance(0.1):
            body.set("mocap", "true")
            self.names.setdefault("mocap", []).append(name)
        elif self.chance(0.85):
            self.body_joints(body, depth)
            self.moving.append(name)
        if self.chance(0.2):
            self.inertial(body)
        for _ in range(self.r.randint(1, 3)):
            self.geom(body)
        for _ in range(self.r.randint(0, 3)):
            self.content(body, depth)
        if depth < 4:
            for _ in range(self.r.choice((0, 0, 1, 1, 2))):
                self.body(body, depth + 1)

    def frame(self, parent):
        frame = self.add(parent, "frame")
        if self.chance(0.3):
            self.name("frame", frame)
        for name in ("pos", self.r.choice(ORIENTATIONS)):
            if self.chance(0.6):
                frame.set(name, values.value(self.r, "body", name))
        if self.classes and self.chance(0.2):
            frame.set("childclass", self.r.choice(self.classes))
        return self.frame(frame) if self.chance(0.2) else frame

    def body_joints(self, body, depth):
        if depth == 1 and self.chance(0.35):
            tag = self.r.choice(("freejoint", "joint"))
            joint = self.add(body, tag)
            if tag == "joint":
                joint.set("type", "free")
                self.in_class(joint)
                self.fill(joint, "body/joint", density=self.density / 3, without=("range", "limited", "springdamper"))
            else:
                self.fill(joint, "body/freejoint")
            self.joints[self.name("joint", joint)] = "free"
            return
        kinds = self.r.choice((["hinge"], ["slide"], ["ball"], ["hinge"], ["hinge", "hinge"], ["slide", "hinge"],
                               ["slide", "ball"], ["slide", "slide", "slide"], ["hinge", "hinge", "hinge"]))
        for kind in kinds:
            joint = self.add(body, "joint")
            joint.set("axis", values.unit(self.r, 3))
            joint.set("type", kind)
            self.joints[self.name("joint", joint)] = kind
            self.in_class(joint)
            if kind == "ball":
                if self.chance(self.density):
                    joint.set("range", numbers((0, self.r.uniform(0.2, 2))))
                self.fill(joint, "body/joint", without=("range", "ref", "springref", "actuatorfrcrange",
                                                        "actuatorfrclimited", "springdamper"))
            else:
                self.fill(joint, "body/joint")

    def inertial(self, body):
        inertial = xml.Element("inertial")
        body.insert(0, inertial)
        inertial.set("pos", values.value(self.r, "body", "pos"))
        inertial.set("mass", values.value(self.r, "body/inertial", "mass"))
        kind = self.r.choice(("diaginertia", "fullinertia", ""))
        if kind:
            inertial.set(kind, values.value(self.r, "body/inertial", kind))
        if kind != "fullinertia" and self.chance(0.4):
            kind = self.r.choice(ORIENTATIONS)
            inertial.set(kind, values.value(self.r, "body", kind))

    def content(self, body, depth):
        kind = self.r.choice(("site", "site", "camera", "light", "geom"))
        parent = self.frame(body) if "frame" in self.parts and self.chance(0.2) else body
        getattr(self, kind)(parent)

    def geom(self, body):
        geom = self.add(body, "geom")
        self.name("geom", geom)
        self.in_class(geom)
        kind = self.r.choice(GEOM_TYPES)
        if self.some("mesh") and self.chance(0.4):
            geom.set("mesh", self.some("mesh"))
            geom.set("type", "mesh" if self.chance(0.7) else kind)
        else:
            self.shape(geom, kind)
        if self.chance(self.density) and self.some("material"):
            geom.set("material", self.some("material"))
        without = (("size", "fitscale") if self.chance(0.95) else ()) + ("pos",) + ORIENTATIONS * ("fromto" in geom.attrib)
        if "fromto" not in geom.attrib and self.chance(0.5):
            geom.set("pos", values.value(self.r, "body", "pos"))
        self.fill(geom, "body/geom", without=without + ("shellinertia",) * ("mesh" in geom.attrib))

    def shape(self, element, kind):
        element.set("type", kind)
        if kind != "sphere" and self.chance(0.2):
            element.set("fromto", numbers(self.r.uniform(-0.2, 0.2) for _ in range(6)))
            count = 1 if kind in ("capsule", "cylinder") or self.chance(0.3) else 2
        else:
            count = SIZE_COUNT[kind]
        element.set("size", numbers(self.r.uniform(0.03, 0.15) for _ in range(count)))

    def site(self, body):
        site = self.add(body, "site")
        self.name("site", site)
        self.in_class(site)
        if self.chance(0.4):
            self.shape(site, self.r.choice(GEOM_TYPES))
        if self.chance(self.density) and self.some("material"):
            site.set("material", self.some("material"))
        self.fill(site, "body/site", without=("pos",) + ORIENTATIONS if "fromto" in site.attrib else ())

    def camera(self, body):
        camera = self.add(body, "camera")
        self.name("camera", camera)
        self.in_class(camera)
        intrinsic = ("resolution", "sensorsize", "focal", "focalpixel", "principal", "principalpixel")
        if self.chance(0.2):
            for name in ("resolution", "sensorsize", self.r.choice(("focal", "focalpixel"))):
                camera.set(name, values.value(self.r, "body/camera", name))
        self.targeting(camera)
        self.fill(camera, "body/camera", without=intrinsic[1:] + ("fovy",) if "focal" in camera.attrib else intrinsic[1:])

    def light(self, body):
        light = self.add(body, "light")
        self.name("light", light)
        self.in_class(light)
        self.targeting(light)
        without = ("directional",) if self.chance(0.5) else ()
        self.fill(light, "body/light", without=without)
        if "directional" not in light.attrib and self.chance(0.3):
            light.set("type", values.value(self.r, "body/light", "type") or "spot")

    def targeting(self, element):
        if self.chance(0.2) and self.some("body"):
            element.set("mode", self.r.choice(("targetbody", "targetbodycom")))
            element.set("target", self.some("body"))

    def replicate(self, world):
        replicate = self.add(world, "replicate")
        replicate.set("count", str(self.r.randint(1, 4)))
        for name, make in (("offset", values.uniform(-0.3, 0.3, 3)), ("euler", values.uniform(-1, 1, 3)),
                           ("sep", values.choice("", "-", "_"))):
            if self.chance(0.6):
                replicate.set(name, make(self.r))
        inner = Generator(self.r.random())
        inner.parts, inner.density, inner.classes = set(), self.density, self.classes
        inner.names = {kind: self.names.get(kind, []) for kind in ("mesh", "material")}
        holder = replicate
        if self.chance(0.3):
            holder = self.add(replicate, "replicate")
            holder.set("count", "2")
            holder.set("offset", "0 .3 .1")
        if self.chance(0.3):
            inner.content(holder, 0)
        inner.body(holder, 2)
        for kind in ("body", "joint", "geom", "site", "camera", "light"):
            for element in holder.iter(kind):
                if "name" in element.attrib:
                    element.set("name", "copy_" + element.get("name"))
        for element in holder.iter():
            if "target" in element.attrib:
                element.set("target", "copy_" + element.get("target"))

    def composite(self, world):
        composite = self.add(world, "composite")
        composite.set("prefix", "C")
        composite.set("type", "cable")
        composite.set("count", f"{self.r.randint(3, 7)} 1 1")
        composite.set("curve", self.r.choice(("s", "s 0 0", "cos(s) sin(s) 0", "0 s 0", "sin(s) s cos(s)")))
        composite.set("size", self.r.choice(("1", "1 .5 2", ".6 .2 1")))
        if self.chance(0.5):
            composite.set("initial", self.r.choice(("free", "ball", "none")))
        if self.chance(0.5):
            composite.set("offset", values.value(self.r, "body", "pos"))
        if self.chance(0.3):
            composite.set("quat", values.unit(self.r, 4))
        if self.chance(0.7):
            joint = self.add(composite, "joint")
            joint.set("kind", "main")
            self.fill(joint, "body/composite/joint", density=0.2, without=("kind", "type", "axis", "range", "limited"))
        geom = self.add(composite, "geom")
        kind = self.r.choice(("capsule", "cylinder", "box"))
        geom.set("type", kind)
        geom.set("size", ".02 .015 .01" if kind == "box" else ".02")
        self.fill(geom, "body/composite/geom", density=0.15, without=("size",))
        if self.chance(0.2):
            self.fill(self.add(composite, "site"), "body/composite/site", density=0.3)

    # ----------------------------------------------------------------------------------- soft bodies

    def flexcomp(self, parent):
        r = self.r
        comp = self.add(parent, "flexcomp")
        self.name("flex", comp)
        kind = r.choice(("grid", "grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "direct"))
        dim = {"square": 2, "disc": 2, "circle": 1}.get(kind) or (3 if kind in ("box", "cylinder", "ellipsoid")
                                                                 else r.randint(1, 3))
        comp.set("type", kind)
        comp.set("dim", str(dim))
        if kind == "direct":
            points = "0 0 0 .1 0 0 0 .1 0 0 0 .1"
            comp.set("point", points)
            comp.set("element", {1: "0 1 1 2 2 3", 2: "0 1 2 1 2 3", 3: "0 1 2 3"}[dim])
        else:
            counts = [r.randint(2, 4) for _ in range(3)]
            for i in range(dim, 3):
                counts[i] = 1
            comp.set("count", " ".join(map(str, counts)))
            comp.set("spacing", numbers(r.uniform(0.05, 0.1) for _ in range(3)))
        if self.chance(0.4):
            comp.set("dof", r.choice(("full", "radial", "trilinear", "quadratic")))
        if self.chance(0.2) and self.some("material"):
            comp.set("material", self.some("material"))
        self.fill(comp, "body/flexcomp", without=("point", "element", "count", "spacing", "texcoord", "origin", "dof"))
        for tag in ("edge", "elasticity", "contact"):
            if self.chance(0.4):
                self.fill(self.add(comp, tag), f"body/flexcomp/{tag}", density=0.4)
        if self.chance(0.3):
            pin = self.add(comp, "pin")
            pin.set("id", str(r.randint(0, 3)))

    def flexes(self):
        r = self.r
        bodies = [name for name in self.names.get("body", []) if name not in self.names.get("mocap", [])]
        if not bodies:
            return
        deformable = self.deformable()
        flex = self.add(deformable, "flex")
        self.name("flex", flex)
        dim = r.randint(1, 3)
        flex.set("dim", str(dim))
        count = dim + 1 + r.randint(0, 2)
        flex.set("body", " ".join(r.choice(bodies) for _ in range(count)) if self.chance(0.7) else r.choice(bodies))
        flex.set("vertex", numbers(r.uniform(-0.2, 0.2) for _ in range(3 * count)))
        elements = [r.sample(range(count), dim + 1) for _ in range(r.randint(1, 3))]
        flex.set("element", " ".join(str(i) for element in elements for i in element))
        self.fill(flex, "deformable/flex")
        rigid = len(set(flex.get("body").split())) == 1
        for tag in ("edge", "elasticity", "contact"):
            if self.chance(0.4):
                # 3.5.0 writes Jacobians of rigid edges with damping into the lengths of the edges
                without = ("damping", "stiffness", "equality") if rigid else ()
                self.fill(self.add(flex, tag), f"deformable/flex/{tag}", density=0.3, without=without)

    def deformable(self):
        found = self.root.find("deformable")
        return self.add(self.root, "deformable") if found is None else found

    def skins(self):
        bodies = self.names.get("body", [])
        if not bodies:
            return
        skin = self.add(self.deformable(), "skin")
        self.name("skin", skin)
        skin.set("vertex", numbers(self.r.uniform(-0.2, 0.2) for _ in range(12)))
        skin.set("face", "0 1 2 1 2 3")
        if self.chance(0.3):
            skin.set("texcoord", numbers(self.r.random() for _ in range(8)))
        self.fill(skin, "deformable/skin")
        for _ in range(self.r.randint(1, 3)):
            bone = self.add(skin, "bone")
            bone.set("body", self.r.choice(bodies))
            bone.set("bindpos", values.value(self.r, "body", "pos"))
            bone.set("bindquat", values.unit(self.r, 4))
            vertices = self.r.sample(range(4), self.r.randint(1, 4)) if self.chance(0.5) else range(4)
            bone.set("vertid", " ".join(map(str, vertices)))
            bone.set("vertweight", numbers(self.r.uniform(0.1, 1) for _ in vertices))

    # ----------------------------------------------------------------------------------- relations

    def tendons(self):
        section = self.add(self.root, "tendon")
        for _ in range(self.r.randint(1, 3)):
            scalar = [name for name, kind in self.joints.items() if kind in ("hinge", "slide")]
            if scalar and self.chance(0.5):
                self.fixed(section, scalar)
            elif len(self.names.get("site", [])) > 1:
                self.spatial(section)

    def fixed(self, section, scalar):
        tendon = self.add(section, "fixed")
        for name in self.r.sample(scalar, self.r.randint(1, min(3, len(scalar)))):
            joint = self.add(tendon, "joint")
            joint.set("joint", name)
            joint.set("coef", number(self.r.uniform(-2, 2)))
        self.name("tendon", tendon)
        self.in_class(tendon)
        self.fill(tendon, "tendon/fixed")

    def spatial(self, section):
        tendon = self.add(section, "spatial")
        self.name("tendon", tendon)
        self.in_class(tendon)
        round_geoms = [geom.get("name") for geom in self.root.iter("geom")
                       if geom.get("type") in ("sphere", "cylinder") and "mesh" not in geom.attrib and geom.get("name")
                       and not geom.get("name").startswith("copy_")]
        for branch in range(self.r.choice((1, 1, 2))):
            if branch or self.chance(0.1):
                self.add(tendon, "pulley").set("divisor", self.r.choice(("1", "2", "3.5")))
            self.add(tendon, "site").set("site", self.some("site"))
            for _ in range(self.r.randint(1, 3)):
                if round_geoms and self.chance(0.5):
                    geom = self.add(tendon, "geom")
                    geom.set("geom", self.r.choice(round_geoms))
                    if self.chance(0.4):
                        geom.set("sidesite", self.some("site"))
                self.add(tendon, "site").set("site", self.some("site"))
        self.fill(tendon, "tendon/spatial")

    def contacts(self):
        section = self.add(self.root, "contact")
        for _ in range(self.r.randint(1, 3)):
            geoms, bodies = self.names.get("geom", []), self.names.get("body", [])
            if len(geoms) > 1 and self.chance(0.6):
                pair = self.add(section, "pair")
                first, second = self.r.sample(geoms, 2)
                pair.set("geom1", first)
                pair.set("geom2", second)
                self.in_class(pair)
                self.fill(pair, "contact/pair")
                self.name("pair", pair)
            elif len(bodies) > 1:
                exclude = self.add(section, "exclude")
                first, second = self.r.sample(bodies, 2)
                exclude.set("body1", first)
                exclude.set("body2", second)

    def equalities(self):
        section = self.add(self.root, "equality")
        for _ in range(self.r.randint(1, 3)):
            kind = self.r.choice(("connect", "weld", "joint", "tendon", "flex", "flexvert"))
            equality = self.add(section, kind)
            self.name("equality", equality)
            self.in_class(equality)
            if not getattr(self, "refer_" + kind)(equality):
                section.remove(equality)
                self.names["equality"].pop()
                continue
            without = ("anchor", "relpose") if "site1" in equality.attrib else ()
            self.fill(equality, f"equality/{kind}", without=without)
            if kind == "connect" and "body1" in equality.attrib:
                equality.set("anchor", values.value(self.r, "equality/connect", "anchor"))

    def two(self, element, kind, attribute, second=0.7):
        known = self.names.get(kind, [])
        if len(known) < 2:
            return False
        one, two = self.r.sample(known, 2)
        element.set(attribute + "1", one)
        if self.chance(second):
            element.set(attribute + "2", two)
        return True

    def refer_connect(self, element):
        if self.chance(0.4):
            return self.two(element, "site", "site", 1)
        return self.two(element, "body", "body")

    refer_weld = refer_connect

    def refer_joint(self, element):
        scalar = [name for name, kind in self.joints.items() if kind in ("hinge", "slide")]
        if len(scalar) < 2:
            return False
        one, two = self.r.sample(scalar, 2)
        element.set("joint1", one)
        if self.chance(0.7):
            element.set("joint2", two)
        return True

    def refer_tendon(self, element):
        return self.two(element, "tendon", "tendon")

    def refer_flex(self, element):
        if not self.some("flex"):
            return False
        element.set("flex", self.some("flex"))
        return True

    refer_flexvert = refer_flex

    def actuators(self):
        section = self.add(self.root, "actuator")
        kinds = [kind for kind in schema.paths_below("actuator") if kind != "plugin"]
        for _ in range(self.r.randint(1, 4)):
            kind = self.r.choice(kinds)
            actuator = self.add(section, kind)
            if not self.transmission(actuator, kind):
                section.remove(actuator)
                continue
            self.name("actuator", actuator)
            self.in_class(actuator)
            exclusive = {"position": ("inheritrange", "ctrlrange", "kv", "dampratio"),
                         "intvelocity": ("inheritrange", "actrange", "kv", "dampratio"),
                         "cylinder": ("area", "diameter")}.get(kind, ())
            keep = self.r.choice(exclusive) if exclusive else None
            without = tuple(name for name in exclusive if name != keep)
            if kind == "intvelocity" and keep != "inheritrange":
                actuator.set("actrange", "-1 1")
            if kind in ("damper", "adhesion"):
                actuator.set("ctrlrange", "0 1")
            self.fill(actuator, f"actuator/{kind}", without=without + ("lengthrange",) * (kind != "muscle"))
            self.sampling(actuator)

    def sampling(self, element):
        if "delay" in element.attrib and int(element.get("nsample", "0")) <= 0:
            element.set("nsample", str(self.r.randint(1, 4)))

    def transmission(self, actuator, kind):
        if kind == "adhesion":
            actuator.set("body", self.some("body"))
            return True
        options = [name for name in ("joint", "joint", "jointinparent", "tendon", "site", "slider", "body")
                   if self.some({"jointinparent": "joint", "slider": "site"}.get(name, name))]
        if kind != "general":
            options = [name for name in options if name != "body"]
        if kind == "muscle":
            options = [name for name in options if name in ("joint", "jointinparent", "tendon", "slider")]
        if not options:
            return False
        option = self.r.choice(options)
        if option == "slider":
            actuator.set("slidersite", self.some("site"))
            actuator.set("cranksite", self.some("site"))
            actuator.set("cranklength", number(self.r.uniform(0.1, 1)))
        elif option == "jointinparent":
            actuator.set("jointinparent", self.some("joint"))
        else:
            actuator.set(option, self.some(option))
            if option == "site" and self.chance(0.5) and kind != "muscle":
                actuator.set("refsite", self.some("site"))
        return True

    # ------------------------------------------------------------------------------------- sensors

    def sensors(self):
        section = self.add(self.root, "sensor")
        kinds = [kind for kind in schema.paths_below("sensor") if kind != "plugin"]
        for _ in range(self.r.randint(2, 8)):
            kind = self.r.choice(kinds)
            sensor = self.add(section, kind)
            if not self.sensed(sensor, kind):
                section.remove(sensor)
                continue
            self.name("sensor", sensor)
            without = ("cutoff",) if kind in ("fromto", "contact", "framequat", "ballquat") and self.chance(0.9) else ()
            self.fill(sensor, f"sensor/{kind}", without=without)
            self.sampling(sensor)

    def sensed(self, sensor, kind):
        """Sets what the sensor looks at; says whether the model has such a thing."""
        known = schema.attributes()[f"sensor/{kind}"]
        if kind == "contact":
            return self.sensed_contact(sensor)
        if kind == "tactile":
            plates = [mesh.get("name") for mesh in self.root.iter("mesh") if mesh.get("builtin") == "plate"]
            if plates:                         # other meshes have too few normals
                sensor.set("mesh", self.r.choice(plates))
            return bool(plates) and self.refer(sensor, "geom", "geom")
        if kind in ("distance", "normal", "fromto"):
            return all(self.refer(sensor, kind2 + str(i), kind2)
                       for i in (1, 2) for kind2 in [self.r.choice(("geom", "body"))])
        if kind == "rangefinder" and self.chance(0.4):
            return self.refer(sensor, "camera", "camera")
        if kind == "user":
            sensor.set("dim", str(self.r.randint(1, 4)))
            return True
        if kind.startswith(("jointlimit", "ball")) or kind in ("jointpos", "jointvel", "jointactuatorfrc"):
            wanted = {"ball": ("ball",)}.get(kind[:4], ("hinge", "slide"))
            fitting = [name for name, type_ in self.joints.items() if type_ in wanted]
            if fitting:
                sensor.set("joint", self.r.choice(fitting))
            return bool(fitting)
        if "objtype" in known and not self.sensed_object(sensor, "obj"):
            return False
        if "reftype" in known and self.chance(0.4):
            self.sensed_object(sensor, "ref")
        return all(self.refer(sensor, name, name) for name in ("site", "tendon", "actuator", "body", "camera")
                   if name in known and (kind, name) != ("rangefinder", "camera"))

    def refer(self, element, attribute, kind):
        name = self.some(kind)
        if name is not None:
            element.set(attribute, name)
        return name is not None

    def sensed_object(self, sensor, prefix):
        kind = self.r.choice(("body", "xbody", "geom", "site", "camera"))
        name = self.some("body" if kind == "xbody" else kind)
        if name is None:
            return False
        sensor.set(prefix + "type", kind)
        sensor.set(prefix + "name", name)
        return True

    def sensed_contact(self, sensor):
        for i in "12":
            kind = self.r.choice(("geom", "body", "subtree", None) + (("site",) if i == "1" else ()))
            name = kind and self.some({"subtree": "body"}.get(kind, kind))
            if name is not None:
                sensor.set("site" if kind == "site" else kind + i, name)
        return True

    # --------------------------------------------------------------------------------------- rest

    def customs(self):
        section = self.add(self.root, "custom")
        for _ in range(self.r.randint(1, 3)):
            kind = self.r.choice(("numeric", "text", "tuple"))
            element = self.add(section, kind)
            self.name(kind, element)
            if kind == "numeric":
                element.set("data", values.up_to(-5, 5, 4)(self.r))
                if self.chance(0.4):
                    element.set("size", str(self.r.randint(1, 6)))
            elif kind == "text":
                element.set("data", self.r.choice(("some words", "x", "a &amp; b", " padded ")))
            else:
                for _ in range(self.r.randint(1, 3)):
                    child = self.add(element, "element")
                    objtype = self.r.choice([k for k in ("body", "geom", "joint", "site", "camera") if self.some(k)])
                    child.set("objtype", objtype)
                    child.set("objname", self.some(objtype))
                    if self.chance(0.5):
                        child.set("prm", number(self.r.uniform(-1, 1)))

    def keys(self):
        section = self.add(self.root, "keyframe")
        for _ in range(self.r.randint(1, 3)):
            key = self.add(section, "key")
            if self.chance(0.6):
                self.name("key", key)
            if self.chance(0.5):
                key.set("time", number(self.r.uniform(0, 2)))
            for name, size in self.state_sizes().items():
                if size and self.chance(0.4):
                    key.set(name, numbers(self.r.uniform(-0.5, 0.5) for _ in range(size)))

    def state_sizes(self):
        """Lengths of the state, where the tree alone tells them; otherwise nothing is known."""
        if any(self.root.find(".//" + tag) is not None for tag in ("replicate", "composite", "flexcomp")):
            return {}
        joints = list(self.joints.values())
        return {"qpos": sum({"free": 7, "ball": 4}.get(kind, 1) for kind in joints),
                "qvel": sum({"free": 6, "ball": 3}.get(kind, 1) for kind in joints),
                "ctrl": len(self.names.get("actuator", [])),
                "mpos": 3 * len(self.names.get("mocap", [])), "mquat": 4 * len(self.names.get("mocap", []))}


def generate(seed):
    """Text of a random model, one element a line."""
    root = Generator(seed).model()
    xml.indent(root, " ")
    return xml.tostring(root, encoding="unicode")
