"""The tree of bodies of generated models."""

from xml.etree import ElementTree as xml

from . import values
from .mjcf_assets import GEOM_TYPES
from .mjcf_base import ORIENTATIONS
from .values import number, numbers

SIZE_COUNT = {"sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}


class Tree:
    """Bodies, what stands in them, copies and deformable bodies."""

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

    def body(self, parent, depth):
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
        inner = type(self)(self.r.random())
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
