"""Random URDF: a tree of links with every kind of joint and geometry."""

import random
from xml.etree import ElementTree as xml

from .repair import render
from .values import number, numbers

JOINTS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


class Robot:
    """Makes one robot; everything follows from the seed."""

    def __init__(self, seed):
        self.r = random.Random(f"urdf {seed}")
        self.root = xml.Element("robot", name="generated")

    def chance(self, probability):
        return self.r.random() < probability

    def vector(self, low=-0.5, high=0.5, count=3):
        return numbers(self.r.uniform(low, high) for _ in range(count))

    def robot(self):
        self.extension()
        for i in range(self.r.randint(0, 2)):
            self.material(self.root, f"material{i}", True)
        count = self.r.randint(1, 6)
        for i in range(count):
            self.link(i)
        for i in range(1, count):
            self.joint(i)
        if count > 2 and self.chance(0.2):
            self.mimic()
        for tag in ("gazebo", "transmission"):
            if self.chance(0.1):
                xml.SubElement(self.root, tag)
        return self.root

    def extension(self):
        mujoco = xml.SubElement(self.root, "mujoco")
        compiler = xml.SubElement(mujoco, "compiler")
        compiler.set("fusestatic", "false")    # 3.5.0 merges turned bodies wrongly: see docs/deviations.md
        options = {"strippath": ("true", "false"), "discardvisual": ("true", "false"),
                   "balanceinertia": ("true",), "inertiafromgeom": ("auto", "true", "false"), "boundmass": ("0.01",),
                   "boundinertia": ("0.001",), "angle": ("radian", "degree"), "autolimits": ("true",),
                   "settotalmass": ("3",), "alignfree": ("true",), "eulerseq": ("xyz", "zyx", "XYZ")}
        for name, words in options.items():
            if self.chance(0.25):
                compiler.set(name, self.r.choice(words))
        if self.chance(0.2):
            xml.SubElement(mujoco, "option", timestep="0.004", integrator="implicitfast")
        if self.chance(0.1):
            xml.SubElement(mujoco, "size", nuserdata="3")

    def material(self, parent, name, full):
        material = xml.SubElement(parent, "material", name=name)
        if full or self.chance(0.3):
            xml.SubElement(material, "color", rgba=self.vector(0, 1, 4))

    def origin(self, parent):
        if self.chance(0.8):
            origin = xml.SubElement(parent, "origin")
            if self.chance(0.8):
                origin.set("xyz", self.vector())
            if self.chance(0.6):
                origin.set("rpy", self.vector(-3, 3))

    def link(self, i):
        link = xml.SubElement(self.root, "link", name=f"link{i}")
        if self.chance(0.75):
            self.inertial(link)
        for _ in range(self.r.choice((0, 1, 1, 2))):
            self.shape(link, "visual")
        for _ in range(self.r.choice((0, 1, 1, 2))):
            self.shape(link, "collision")

    def inertial(self, link):
        inertial = xml.SubElement(link, "inertial")
        self.origin(inertial)
        xml.SubElement(inertial, "mass", value=number(self.r.choice((self.r.uniform(0.1, 3), 0.5, 1))))
        inertia = xml.SubElement(inertial, "inertia")
        for name in ("ixx", "iyy", "izz"):
            inertia.set(name, number(self.r.uniform(0.02, 0.03)))
        for name in ("ixy", "ixz", "iyz"):
            if self.chance(0.8):
                inertia.set(name, number(self.r.choice((0, self.r.uniform(-0.004, 0.004)))))

    def shape(self, link, kind):
        element = xml.SubElement(link, kind)
        if self.chance(0.3):
            element.set("name", self.r.choice(("shape", "part")) + str(self.r.randint(0, 3)))
        self.origin(element)
        geometry = xml.SubElement(element, "geometry")
        form = self.r.choice(("box", "cylinder", "sphere", "capsule"))
        if form == "box":
            xml.SubElement(geometry, "box", size=self.vector(0.05, 0.3))
        elif form == "sphere":
            xml.SubElement(geometry, "sphere", radius=self.vector(0.05, 0.2, 1))
        else:
            xml.SubElement(geometry, form, radius=self.vector(0.02, 0.1, 1), length=self.vector(0.1, 0.4, 1))
        if kind == "visual" and self.chance(0.5):
            self.material(element, f"material{self.r.randint(0, 2)}", False)

    def joint(self, i):
        kind = self.r.choice(JOINTS)
        joint = xml.SubElement(self.root, "joint", name=f"joint{i}", type=kind)
        self.origin(joint)
        xml.SubElement(joint, "parent", link=f"link{self.r.randrange(i)}")
        xml.SubElement(joint, "child", link=f"link{i}")
        if self.chance(0.7):
            xml.SubElement(joint, "axis", xyz=self.r.choice(("1 0 0", "0 1 0", "0 0 1", self.vector(-1, 1))))
        if kind in ("revolute", "prismatic") and self.chance(0.9) or self.chance(0.2):
            limit = xml.SubElement(joint, "limit", lower=self.vector(-2, 0, 1), upper=self.vector(0.1, 2, 1))
            if self.chance(0.7):
                limit.set("effort", self.vector(0, 50, 1))
                limit.set("velocity", self.vector(0, 5, 1))
        if self.chance(0.4):
            xml.SubElement(joint, "dynamics", damping=self.vector(0, 1, 1), friction=self.vector(0, 0.5, 1))
        if self.chance(0.1):
            xml.SubElement(joint, "safety_controller", k_velocity="1")
        if self.chance(0.1):
            xml.SubElement(joint, "calibration", rising="0")

    def mimic(self):
        joints = self.root.findall("joint")
        joint, other = self.r.sample(joints, 2)
        mimic = xml.SubElement(joint, "mimic", joint=other.get("name"))
        if self.chance(0.7):
            mimic.set("multiplier", self.vector(-2, 2, 1))
        if self.chance(0.5):
            mimic.set("offset", self.vector(-0.5, 0.5, 1))


def generate(seed):
    return render(Robot(seed).robot())
