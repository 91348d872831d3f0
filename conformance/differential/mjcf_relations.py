"""What refers to the tree in generated models."""

from . import schema, values
from .values import number, numbers


class Relations:
    """Tendons, contacts, equalities, actuators, sensors, custom elements, keyframes."""

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
