"""Default classes of a specification."""

from ligament._spec import elements, tree
from ligament._spec.actuator import MjsActuator

_PARTS = {
    "joint": tree.MjsJoint, "geom": tree.MjsGeom, "site": tree.MjsSite, "camera": tree.MjsCamera,
    "light": tree.MjsLight, "flex": elements.MjsFlex, "mesh": elements.MjsMesh, "material": elements.MjsMaterial,
    "pair": elements.MjsPair, "equality": elements.MjsEquality, "tendon": elements.MjsTendon, "actuator": MjsActuator,
}


class MjsDefault:
    """A default class: one element of each kind, which new ones are copied from."""

    __slots__ = ("_spec", "name", "_parent", *_PARTS)

    def __init__(self, spec, name, parent, content):
        self._spec, self.name, self._parent = spec, name, parent
        for part, kind in _PARTS.items():
            element = kind.__new__(kind)
            elements.MjsElement.__init__(element, spec, content[part], self)
            setattr(self, part, element)

    def _native(self, part):
        return getattr(self, part)._native_fields()

    def _content(self):
        return {part: self._native(part) for part in _PARTS}
