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
        self.objects, self.first_tag = [], first_tag
        self._classes = {id(c): i for i, c in enumerate(spec._classes)}
        self._compilers = {id(c): i for i, c in enumerate(spec._compilers)}
        self.bodies = list(spec.worldbody._subtree())
        self.frames = [frame for body in self.bodies for frame in body._frames]
        self._body_ids = {id(body): i for i, body in enumerate(self.bodies)}
        self._frame_ids = {id(frame): i for i, frame in enumerate(self.frames)}
        self._joints = {id(joint): (i, k) for i, body in enumerate(self.bodies)
                        for k, joint in enumerate(body._joints)}
        self._actuators = {id(actuator): i for i, actuator in enumerate(spec._lists["actuators"])}
        self.spec = _core.Spec.build(self._content(spec), spec._settings)

    def tag_of(self, element):
        return next(i for i, known in enumerate(self.objects, self.first_tag) if known is element)

    def body_id(self, body):
        return self._body_ids[id(body)]

    def frame_id(self, frame):
        return None if frame is None else self._frame_ids[id(frame)]

    def _class_id(self, default):
        return self._classes.get(id(default), 0)

    def _meta(self, element):
        self.objects.append(element)
        frame = self.frame_id(getattr(element, "_frame", None))
        return (element._name, self._class_id(element._class), self._compilers.get(id(element._compiler), 0), frame,
                self.first_tag + len(self.objects) - 1, element._origin)

    def _element(self, element):
        content = element._native_fields()
        if content.get("attached") is not None:
            content["attached"] = self._attached(content["attached"])
        return self._meta(element), content

    def _attached(self, key):
        """Keyframes of attached models refer to joints, actuators and bodies, here by number."""
        joints, actuators, mocaps, has = key

        def known(states, ids):
            return [(ids[id(owner)], *values) for owner, *values in states if id(owner) in ids]
        return known(joints, self._joints), known(actuators, self._actuators), known(mocaps, self._body_ids), has

    def _body(self, body):
        parts = {part: [self._element(e) for e in getattr(body, f"_{part}")] for part in body._PARTS}
        return {
            "meta": self._meta(body), "fields": body._native_fields(),
            "childclass": None if body._childclass is None else self._class_id(body._childclass),
            "parent": None if body._parent is None else self.body_id(body._parent),
            "children": [self.body_id(child) for child in body._bodies],
            "frames": [self.frame_id(frame) for frame in body._frames], **parts,
        }

    def _frame(self, frame):
        return {"meta": self._meta(frame), "body": self.body_id(frame._parent), "fields": frame._native_fields(),
                "childclass": None if frame._childclass is None else self._class_id(frame._childclass)}

    def _content(self, spec):
        classes = [{"name": c.name, "parent": None if c._parent is None else self._class_id(c._parent),
                    **c._content()} for c in spec._classes]
        return {
            "modelname": spec.modelname, "comment": spec.comment, "size": spec._size._native_fields(),
            "compilers": [compiler._content() for compiler in spec._compilers], "classes": classes,
            "plugins": plugin_declarations(spec), "bodies": [self._body(body) for body in self.bodies],
            "frames": [self._frame(frame) for frame in self.frames],
            **{name: [self._element(e) for e in spec._lists[name]] for name in LISTS},
        }


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
        spec._settings = native.settings()
        spec._modelname, spec._comment = content["modelname"], content["comment"]
        spec._size = _Size(content["size"])
        spec._compilers = _updated(spec._compilers, content["compilers"], fields.MjsCompiler)
        self._read_classes(content["classes"])
        self._read_plugins(content["plugins"])
        self._read_tree(content)
        for name, kind in LISTS.items():
            spec._lists[name] = [self._element(kind, entry) for entry in content[name]]
        for key in spec._lists["keys"]:
            if key._attached is not None:
                key._values["attached"] = self._attached(key._attached)

    def _read_classes(self, classes):
        spec = self.spec
        for entry in classes[len(spec._classes):]:
            parent = None if entry["parent"] is None else spec._classes[entry["parent"]]
            spec._classes.append(MjsDefault(spec, entry["name"], parent, entry))

    def _read_plugins(self, plugins):
        spec = self.spec
        spec._active_plugins = [name for name, _ in plugins]
        old = {plugin.name: plugin for plugin in spec._plugins}
        instances = [(name, instance, config) for name, listed in plugins for instance, config in listed]
        spec._plugins = [old.get(instance) or fields.MjsPlugin(name, instance, config, True)
                         for name, instance, config in instances]

    def _make(self, kind, meta, content, *place):
        """The element with this tag, or a new one."""
        element = self.known.get(meta[4])
        if element is None:
            element = kind.__new__(kind)
            kind.__init__(element, self.spec, *place, content)
        else:
            element._fill(content)
        name, class_id, compiler, _, _, origin = meta
        element._spec = self.spec
        element._name, element._origin = name, origin
        element._class, element._compiler = self.spec._classes[class_id], self.spec._compilers[compiler]
        return element

    def _element(self, kind, entry, *place):
        return self._make(kind, entry[0], entry[1], *place)

    def _read_tree(self, content):
        spec = self.spec
        self.bodies = [self._make(tree.MjsBody, entry["meta"], entry["fields"], None) for entry in content["bodies"]]
        self.frames = []
        for entry in content["frames"]:
            frame = self._make(tree.MjsFrame, entry["meta"], entry["fields"], self.bodies[entry["body"]])
            frame._parent, frame._childclass = self.bodies[entry["body"]], self._class(entry["childclass"])
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
                    element._parent, element._frame = body, self._frame(item[0])
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


class _Size(fields.Holder):
    _KIND = "size"

    def __init__(self, content):
        self._fill(content)


def _updated(old, entries, kind):
    """Objects of a list that can only have grown."""
    return [*old, *(kind(entry) for entry in entries[len(old):])]
