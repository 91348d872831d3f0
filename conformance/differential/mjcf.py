"""Random MJCF: mostly valid, small, with everything the schema knows."""

import random
from xml.etree import ElementTree as xml

from .mjcf_assets import Assets
from .mjcf_base import Base
from .mjcf_relations import Relations
from .mjcf_tree import Tree
from .repair import render

PARTS = ("default", "mesh", "hfield", "texture", "skin", "tendon", "actuator", "sensor", "equality", "contact", "key",
         "custom", "replicate", "composite", "flexcomp", "flex", "attach", "frame", "visual", "size", "statistic",
         "user", "compiler", "option", "flag")


class Generator(Base, Assets, Tree, Relations):
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
        self.root = xml.Element("mujoco")

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


def generate(seed):
    """Text of a random model, one element a line."""
    return render(Generator(seed).model())
