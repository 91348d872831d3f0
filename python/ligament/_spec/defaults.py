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

    __slots__ = ("_spec", "name", "_parent", "_content", "_made", "_sources", "_place")

    def __init__(self, spec, name, parent, content):
        self._spec, self.name, self._parent, self._content, self._place = spec, name, parent, content, 0
        self._made, self._sources = {}, {}  # elements that were handed out, and native ones that were not

    def _part(self, name):
        if name not in self._made:
            self._made[name] = _PARTS[name]._make(self._spec, self._source(name), self)
        return self._made[name]

    def _source(self, name):
        if name not in self._sources:
            self._sources[name] = self._content.part(name)
        return self._sources[name]

    def _template(self, name):
        """What a new element of the class is copied from."""
        return self._made[name]._template() if name in self._made else self._source(name)

    def _merged(self):
        """The native class with all that was changed."""
        return self._content.with_(self._made) if self._made else self._content


for _name in _PARTS:
    setattr(MjsDefault, _name, property(lambda self, name=_name: self._part(name), doc=f"What a new {_name} starts as."))
