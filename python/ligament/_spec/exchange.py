"""Specifications as native ones, and back."""

from ligament import _core
from ligament._spec import elements, fields, tree
from ligament._spec.actuator import MjsActuator
from ligament._spec.defaults import MjsDefault

# lists of the specification, with the kind of their elements
LISTS = {
    "meshes": elements.MjsMesh, "hfields": elements.MjsHField, "skins": elements.MjsSkin,
    "textures": elements.MjsTexture, "materials": elements.MjsMaterial, "flexes": elements.MjsFlex,
    "pairs": elements.MjsPair, "excludes": elements.MjsExclude, "equalities": elements.MjsEquality,
    "tendons": elements.MjsTendon, "actuators": MjsActuator, "sensors": elements.MjsSensor,
    "numerics": elements.MjsNumeric, "texts": elements.MjsText, "tuples": elements.MjsTuple, "keys": elements.MjsKey,
}


class Native:
    """A specification in native form, with the Python objects that its tags stand for."""

    def __init__(self, spec, first_tag=1):
        self.first_tag, self._source = first_tag, spec
        self.bodies = spec._world._subtree()
        self.frames = [frame for body in self.bodies if body._frames for frame in body._frames]
        for numbered in (spec._classes, spec._compilers):
            for place, each in enumerate(numbered):
                each._place = place
        for numbered in (self.bodies, self.frames):
            for place, element in enumerate(numbered):
                element.__dict__["_place"] = place
        content = {"modelname": spec._modelname, "comment": spec._comment, "size": spec._sizes(),
                   "compilers": spec._compilers, "classes": spec._classes, "plugins": plugin_declarations(spec),
                   "bodies": self.bodies, "frames": self.frames, **{name: spec._lists[name] for name in LISTS}}
        self.spec = _core.Spec.build(content, spec._settings, spec._start_settings, first_tag)
        self._objects = None

    @property
    def objects(self):
        """All elements in the order of their tags."""
        if self._objects is None:
            parts = [f"_{part}" for part in tree.MjsBody._PARTS]
            self._objects = [element for body in self.bodies
                             for element in (body, *(e for part in parts for e in getattr(body, part)))]
            self._objects += self.frames
            self._objects += [element for name in LISTS for element in self._source._lists[name]]
        return self._objects

    def tag_of(self, element):
        return next(i for i, known in enumerate(self.objects, self.first_tag) if known is element)

    def body_id(self, body):
        return body._place

    def frame_id(self, frame):
        return None if frame is None else frame._place


def plugin_declarations(spec):
    """Plugins with their shared instances; those that elements use are declared by that."""
    declared = {name: [] for name in spec._active_plugins}
    for plugin in spec._plugins:
        instances = declared.setdefault(plugin.plugin_name, [])
        if plugin.name:
            instances.append((plugin.name, list(plugin.config.items())))
    return list(declared.items())


class Reader:
    """Fills a specification with the content of a native one; tags find objects that exist already."""

    def __init__(self, spec, native, objects=None):
        self.spec, self.known = spec, objects or {}
        content = native.export()
        self.content = content
        spec._start_settings, spec._settings, spec._groups = native, None, {}
        spec._modelname, spec._comment = content["modelname"], content["comment"]
        spec._size = Size._make(content["size"])
        spec._compilers += [fields.MjsCompiler._make(entry) for entry in content["compilers"][len(spec._compilers):]]
        self._read_classes(content["classes"])
        self._read_plugins(content["plugins"])
        self._read_tree(content)
        for name, kind in LISTS.items():
            spec._lists[name] = [self._element(kind, entry) for entry in content[name]]
        for key in spec._lists["keys"]:
            if key._attached is not None:
                key._values["attached"] = self._attached(key._attached)
        spec._changed()

    def _read_classes(self, classes):
        spec = self.spec
        for entry in classes[len(spec._classes):]:
            parent = None if entry["parent"] is None else spec._classes[entry["parent"]]
            spec._classes.append(MjsDefault(spec, entry["name"], parent, entry["content"]))

    def _read_plugins(self, plugins):
        spec = self.spec
        spec._active_plugins = [name for name, _ in plugins]
        old = {plugin.name: plugin for plugin in spec._plugins}
        instances = [(name, instance, config) for name, listed in plugins for instance, config in listed]
        spec._plugins = [old.get(instance) or fields.MjsPlugin(name, instance, config, True)
                         for name, instance, config in instances]

    def _make(self, kind, meta, content, parent=None):
        """The element with this tag, or a new one."""
        name, class_id, compiler, _, tag = meta
        element = self.known.get(tag)
        if element is None:
            element = kind._make(self.spec, content)
        element._spec._index = None
        element._refill(content)
        element.__dict__.update(_spec=self.spec, _name=name, _class=self.spec._classes[class_id], _listed=True,
                                _compiler=self.spec._compilers[compiler], _parent=parent)
        return element

    def _element(self, kind, entry, parent=None):
        return self._make(kind, entry[0], entry[1], parent)

    def _read_tree(self, content):
        spec = self.spec
        self.bodies = [self._make(tree.MjsBody, entry["meta"], entry["content"]) for entry in content["bodies"]]
        self.frames = []
        for entry in content["frames"]:
            frame = self._make(tree.MjsFrame, entry["meta"], entry["content"], self.bodies[entry["body"]])
            frame._childclass = self._class(entry["childclass"])
            self.frames.append(frame)
        for frame, entry in zip(self.frames, content["frames"]):
            frame._frame = self._frame(entry["meta"])
        for body, entry in zip(self.bodies, content["bodies"]):
            body._parent = None if entry["parent"] is None else self.bodies[entry["parent"]]
            body._frame, body._childclass = self._frame(entry["meta"]), self._class(entry["childclass"])
            body._bodies = [self.bodies[i] for i in entry["children"]]
            body._frames = [self.frames[i] for i in entry["frames"]]
            for part, kind in body._PARTS.items():
                listed = []
                for item in entry[part]:
                    element = self._element(kind, item, body)
                    element._frame = self._frame(item[0])
                    listed.append(element)
                setattr(body, f"_{part}", listed)
        spec._world = self.bodies[0]

    def _frame(self, meta):
        return None if meta[3] is None else self.frames[meta[3]]

    def _class(self, number):
        return None if number is None else self.spec._classes[number]

    def _attached(self, key):
        joints, actuators, mocaps, has = key
        listed = self.spec._lists["actuators"]
        return ([(self.bodies[body]._joints[k], *values) for (body, k), *values in joints],
                [(listed[i], *values) for i, *values in actuators],
                [(self.bodies[body], *values) for body, *values in mocaps], has)


class Size(fields.Holder):
    """Sizes that a specification asks for."""

    _KIND = "size"

    @staticmethod
    def _make(content="size"):
        size = Size.__new__(Size, content)
        size.__dict__["_values"] = {}
        return size
