"""MjSpec: a model that can be edited."""

import copy
import os

from ligament import _core
from ligament._enums import mjtObj
from ligament._settings import MjOption, MjStatistic, MjVisual
from ligament._spec import archive
from ligament._spec.access import (adder, compiler_property, finder, label_of, lister, settings_property, size_property,
                                   text_property)
from ligament._spec.fields import MjsCompiler, MjsOrientation, MjsPlugin
from ligament._spec.tree import MjsBody, MjsFrame, TreeElement
from ligament._spec.defaults import MjsDefault
from ligament._spec.exchange import LISTS, Native, Reader, Size
from ligament._structs import MjData, MjModel, file_contents

_SIZES = ("memory", "nconmax", "njmax", "nkey", "nstack", "nuser_actuator", "nuser_body", "nuser_cam", "nuser_geom",
          "nuser_jnt", "nuser_sensor", "nuser_site", "nuser_tendon", "nuserdata")
_TREE_LISTS = {"joints": "joint", "geoms": "geom", "sites": "site", "cameras": "camera", "lights": "light",
               "frames": "frame"}


class _Lists(dict):
    """Lists by name, each made when it is first asked for: most specifications have few kinds of elements."""

    def __missing__(self, name):
        listed = self[name] = []
        return listed


class MjSpec:
    """An editable specification of a model."""

    __hash__ = object.__hash__
    parent, override_assets, hasImplicitPluginElem, nemax = None, True, 0, 0
    # as all begin; most are never set
    _settings = _size = _model = _index = None
    _comment, _version, _compiled_version, _copy_during_attach = "", 0, -1, False
    # whether elements know their place in the last compiled model, in their list, and lately came into the tree
    _numbered, _placed, _grown = True, True, False

    def __init__(self):
        self._begin(None)
        self._classes.append(MjsDefault(self, "main", None, _BLANK_CLASS))
        self._compilers.append(MjsCompiler._make())
        self._world = MjsBody._make(self, None, self._classes[0])
        self._world.__dict__.update(_name="world", _listed=True)
        self._index = {mjtObj.mjOBJ_BODY: {"world": self._world}}

    def _begin(self, assets):
        """Nothing yet."""
        self._compilers, self._classes, self._plugins, self._active_plugins = [], [], [], []
        self._awaiting = []  # elements with the name of a class that does not exist yet
        self._lists, self._groups, self._assets = _Lists(), {}, dict(assets) if assets else {}

    def _start(self, native, assets=None):
        self._begin(assets)
        Reader(self, native)
        self._grown = True
        return self

    def _sizes(self):
        if self._size is None:
            self._size = Size._make()
        return self._size

    # names and numbers

    def _changed(self):
        """Elements have come or gone in a way that nothing else notes; they were numbered before."""
        self._version += 1
        self._index = None
        self._placed = self._grown = False
        self._settle()

    def _add(self, listed, element):
        """Makes an element part of the specification."""
        if not self._numbered:
            self._ensure_numbered()
        listed.append(element)
        state = element.__dict__
        state["_listed"] = True
        self._version += 1
        if isinstance(element, TreeElement):
            self._grown = True
        if self._index is not None and element._name:
            self._index.setdefault(element._OBJECT, {})[element._name] = element
        return element

    def _names(self):
        """Elements by kind and name."""
        if self._index is None:
            index = {}
            for element in self._everything():
                if element._name:
                    index.setdefault(element._OBJECT, {}).setdefault(element._name, element)
            self._index = index
        return self._index

    def _rename(self, element, name):
        """Checks that a name is free, and notes that the element has it."""
        if element._spec is not self or "_world" not in self.__dict__:
            return
        self._ensure_numbered()
        named = self._names().setdefault(element._OBJECT, {})
        if name and named.get(name, element) is not element:
            raise ValueError(f"Error: repeated name '{name}' in {label_of(element._OBJECT)}")
        if element._listed:
            named.pop(element._name, None)
            if name:
                named[name] = element

    def _ensure_numbered(self):
        """Elements get the numbers they have in the last compiled model: by name, others by their place."""
        if self._numbered:
            return
        self._numbered, model = True, self._model
        kept = _state_places(model)
        for element, place in self._in_order():
            kind = element._OBJECT
            named = model._id(int(kind), element._name) if element._name else -1
            state = element.__dict__
            number = state["_id"] = named if named >= 0 else place
            if kind in kept:
                dropped = number >= len(kept[kind]) or (element._name and named < 0)  # by the compiler
                state["_kept"] = () if dropped else kept[kind][number]

    def _in_order(self):
        """All elements, each with its place among those of its kind."""
        counted = {}
        for element in self._everything():
            kind = element._OBJECT
            place = counted[kind] = counted.get(kind, -1) + 1
            yield element, place

    def _id_of(self, element):
        """The number of an element: that of the compiled model, or after edits its place; nothing in a tree that
        something was added to has one until the next compilation or deletion."""
        if element is self._world:
            return 0
        self._ensure_numbered()
        if not self._placed:
            self._placed = True
            for each, place in self._in_order():
                each.__dict__["_id"] = place
        return -1 if self._grown and isinstance(element, TreeElement) else element._id

    # reading and writing

    @staticmethod
    def from_string(xml, include=None, assets=None):
        """The specification in a text; ``include`` and ``assets`` map file names to contents."""
        text = xml.decode() if isinstance(xml, bytes) else xml
        native = _core.Spec.from_string(text, file_contents({**(assets or {}), **(include or {})}, False))
        return MjSpec.__new__(MjSpec)._start(native, assets)

    @staticmethod
    def from_file(filename, include=None, assets=None):
        """The specification in a file; ``include`` and ``assets`` map file names to contents that hide files on disk."""
        native = _core.Spec.from_file(os.fspath(filename), file_contents({**(assets or {}), **(include or {})}, False))
        return MjSpec.__new__(MjSpec)._start(native, assets)

    @staticmethod
    def from_zip(file):
        """The specification in a zip file with one XML file and the files it needs."""
        text, assets = archive.read(file)
        return MjSpec.from_string(text, assets=assets)

    def to_zip(self, file):
        """Writes the specification and its assets to a zip file."""
        archive.write(file, {**self.assets, f"{self.modelname}.xml": self.to_xml()})

    def to_xml(self):
        """The specification as MJCF."""
        return self.compile()._xml()

    def to_file(self, filename):
        """Writes the specification as MJCF."""
        text = self._last()._xml()
        with open(filename, "w") as file:
            file.write(text)

    def _last(self):
        if self._model is None:
            raise _core.FatalError("XML Write error: Only compiled model can be written")
        return self._model

    # compiling

    def compile(self):
        """The model."""
        self._model = MjModel(self._compiled(Native(self)))
        self._compiled_version, self._numbered = self._version, False
        self._placed, self._grown = True, False
        return self._model

    def _compiled(self, native):
        result = native.spec.compile(file_contents(self._assets, False))
        if isinstance(result, _core.MjModel):
            return result
        message, tag, element, remedy = result
        lines = [f"Error: {message}"]
        if tag:
            culprit = native.objects[tag - native.first_tag]
            same = [other for other in self._everything() if other._OBJECT == culprit._OBJECT]
            place = next((i for i, other in enumerate(same) if other is culprit), -1)
            lines.append(", ".join(filter(None, (f"Element name '{culprit._name}', id {place}", culprit.info))))
        elif element:
            lines.append(f"  element: {element}")
        raise ValueError("\n".join(lines + ([f"  help: {remedy}"] if remedy else [])))

    @property
    def _signature(self):
        current = self._model is not None and self._compiled_version == self._version
        return self._model.signature if current else Native(self).spec.signature

    @property
    def _address(self):
        return id(self)

    def recompile(self, model, data):
        """A new model and a state with the positions, velocities, activations and controls of an old one."""
        if not isinstance(model, MjModel) or not isinstance(data, MjData):
            raise TypeError("recompile takes a model and a state of it")
        self._ensure_numbered()
        states = {name: getattr(data, name) for name in _STATE}
        saved = [(element, [states[name][where].copy() for name, where in element._kept])
                 for element in (*self.joints, *self.actuators, *self.bodies) if element._kept]
        new_model = self.compile()
        self._ensure_numbered()
        new = MjData(new_model)
        new.time = data.time
        states = {name: getattr(new, name) for name in _STATE}
        for element, parts in saved:
            for values, (name, where) in zip(parts, element._kept):
                if states[name][where].shape == values.shape:  # else the element has changed its type
                    states[name][where] = values
        # controls stay where they are, whichever actuators there are now
        common = min(len(data.ctrl), new_model.nu)
        new.ctrl[:common] = data.ctrl[:common]
        return new_model, new

    def copy(self):
        """An independent copy."""
        self._ensure_numbered()
        other = MjSpec.__new__(MjSpec)
        other._start(Native(self).spec, self._assets)
        other._grown = False
        # copies of joints begin anew
        for mine, theirs in (*zip(self.bodies, other.bodies), *zip(self.actuators, other.actuators)):
            theirs._kept = mine._kept
        for mine, theirs in (*zip(self.bodies, other.bodies), *zip(self.frames, other.frames)):
            if mine._awaited:
                other._choose_class(theirs, mine._awaited)
        other._plugins = [copy.copy(plugin) for plugin in self._plugins]
        for plugin in other._plugins:
            plugin._spec, plugin._config = other, dict(plugin._config)
        other.parent, other.override_assets = self.parent, self.override_assets
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    # settings

    option, stat = settings_property("option", MjOption._of), settings_property("stat", MjStatistic._of)
    visual = settings_property("visual", MjVisual)

    @property
    def compiler(self):
        """How this becomes a model."""
        return self._compilers[0]

    modelname, comment = text_property("modelname"), text_property("comment")

    meshdir, texturedir = compiler_property("meshdir"), compiler_property("texturedir")
    strippath, modelfiledir = compiler_property("strippath"), compiler_property("_modeldir")

    @property
    def assets(self):
        """Files by name, which hide those on disk."""
        return self._assets

    @assets.setter
    def assets(self, value):
        self._assets.update(value)

    @property
    def copy_during_attach(self):
        raise ValueError("copy_during_attach can only be set.")

    @copy_during_attach.setter
    def copy_during_attach(self, value):
        self._copy_during_attach = bool(value)

    # finding

    @property
    def worldbody(self):
        """The world."""
        return self._world

    @property
    def bodies(self):
        """All bodies, the world first, in the order of the model."""
        return self._world._subtree()

    def _everything(self):
        for body in self._world._subtree():
            yield body
        for part in ("_joints", "_geoms", "_sites", "_cameras", "_lights", "_frames"):
            for body in self._world._subtree():
                yield from getattr(body, part)
        for listed in self._lists.values():
            yield from listed

    def _require_alive(self, element):
        if element._deleted:
            raise ValueError("the element was deleted from its specification")

    # default classes

    @property
    def default(self):
        """The class that all others come from."""
        return self._classes[0]

    def find_default(self, name):
        """The default class of that name, or None."""
        return next((known for known in self._classes if known.name == name), None)

    def _choose_class(self, element, value):
        """Sets the class for what is in an element; one that does not exist yet is awaited by its name."""
        if not isinstance(value, (MjsDefault, str)):
            raise TypeError("childclass is the wrong type.")
        found = self.find_default(value) if isinstance(value, str) else value
        element._childclass, element._awaited = found, value if found is None else ""
        if isinstance(element, MjsBody):
            element._class = found or self.default
        if element._awaited:
            self._awaiting.append(element)

    def _settle(self):
        """Elements get the classes they await, if those exist by now."""
        if self._awaiting:
            waiting, self._awaiting = {id(element): element for element in self._awaiting}, []
            for element in waiting.values():
                if element._awaited and element._spec is self:
                    self._choose_class(element, element._awaited)

    def add_default(self, name, parent=None):
        """Adds a default class that starts as a copy of its parent."""
        if self.find_default(name) is not None:
            raise ValueError(f"Error: repeated default class name '{name}'")
        above = parent or self.default
        self._classes.append(MjsDefault(self, name, above, above._merged()))
        self._settle()
        return self._classes[-1]

    # adding and deleting

    def add_plugin(self, name=None, plugin_name=None, active=None, info=None, config=None):
        """Adds a plugin instance that elements can share."""
        plugin = MjsPlugin(plugin_name or "", name or "", config or {}, active or False, info or "")
        plugin.id, plugin._spec = len(self._plugins), self
        self._plugins.append(plugin)
        return plugin

    @property
    def plugins(self):
        """Plugin instances that elements can share."""
        return list(self._plugins)

    def plugin(self, name):
        """The plugin instance of that name, or None."""
        return next((plugin for plugin in self._plugins if plugin.name == name), None)

    def activate_plugin(self, name):
        """Declares that a plugin is used."""
        if name not in self._active_plugins:
            self._active_plugins.append(name)

    def delete(self, element):
        """Deletes an element; with a body all that refers to it or to something in it."""
        if isinstance(element, MjsDefault):
            self._delete_default(element)
        elif isinstance(element, MjsPlugin):
            self._plugins.remove(element)
        elif element._spec is not self:
            raise ValueError("element is not in this model")
        else:
            self._delete_element(element)

    def _delete_element(self, element):
        self._ensure_numbered()  # while all are in their places
        if isinstance(element, MjsBody):
            self._delete_body(element)
        elif isinstance(element, TreeElement):
            self._delete_part(element)
        else:
            _remove(next(listed for listed in self._lists.values() if any(e is element for e in listed)), element)
            element._deleted = True
        self._changed()

    def _delete_body(self, body):
        if body is self._world:
            raise ValueError("the world cannot be deleted")
        if not any(self._lists[name] for name in _REFERRING):
            for below in body._subtree():
                below._deleted = True
            _remove(body._parent._bodies, body)
            return
        native = Native(self)
        for below in body._subtree():
            below._deleted = True
        self._read(native.spec.without_body(native.body_id(body)), native)

    def _delete_part(self, element):
        label = "frames" if isinstance(element, MjsFrame) else f"{element._KIND}s"
        _remove(getattr(element._parent, f"_{label}"), element)
        element._deleted = True
        if label == "frames":
            body = element._parent
            parts = (body._bodies, body._frames, *(getattr(body, f"_{part}") for part in body._PARTS))
            for inside in (e for part in parts for e in part if e._frame is element):
                inside._frame = element._frame

    def _delete_default(self, default):
        if default is self.default:
            raise ValueError("Error: cannot remove the global default ('main')")
        doomed = [default]
        for known in self._classes:
            if any(known._parent is other for other in doomed):
                doomed.append(known)
        self._classes = [known for known in self._classes if not any(known is other for other in doomed)]
        for element in self._everything():
            if any(element._class is other for other in doomed):
                element._class = self.default
            if any(element._childclass is other for other in doomed):
                self._choose_class(element, element._childclass.name)

    def _read(self, native, *known):
        """Takes over a changed native specification; objects of ``known`` keep their identity."""
        objects = {tag: element for source in known for tag, element in enumerate(source.objects, source.first_tag)}
        plugins = self._plugins
        reader = Reader(self, native, objects)
        self._plugins = plugins + [p for p in self._plugins if not any(p.name == old.name for old in plugins)]
        return reader

    # attaching

    def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
        """Attaches all that stands in the world of another specification to a frame or a site."""
        if frame is None and site is None:
            raise ValueError("One of frame or site must be specified.")
        if frame is not None and site is not None:
            raise ValueError("Only one of frame or site can be specified.")
        if frame is not None:
            target = self.frame(frame) if isinstance(frame, str) else frame
            if target is None:
                raise ValueError("Frame not found.")
            if target._spec is not self:
                raise ValueError("Frame spec does not match parent spec.")
        else:
            found = self.site(site) if isinstance(site, str) else site
            if found is None:
                raise ValueError("Site not found.")
            if found._spec is not self:
                raise ValueError("Site spec does not match parent spec.")
            target = self._site_frame(found)
        prefix, suffix = "/" if prefix is None else prefix, suffix or ""
        self._take_assets(child, prefix, suffix)
        reader = self._graft(target._parent, target, child, None, None, prefix, suffix)
        child.parent = self
        # the frame around the copy is the only one without a tag
        return next(made for made, entry in zip(reader.frames, reader.content["frames"]) if not entry["meta"][4])

    def _attach_body(self, frame, body, prefix, suffix):
        reader = self._graft(frame._parent, frame, body._spec, body, None, prefix or "", suffix or "")
        return reader.attached

    def _attach_frame(self, body, frame, prefix, suffix):
        reader = self._graft(body, None, frame._spec, None, frame, prefix or "", suffix or "")
        return reader.attached

    def _graft(self, at_body, at_frame, child, child_body, child_frame, prefix, suffix):
        """Attaches part of another specification; its elements become those of this one, unless they are copied."""
        shared = child is not self and not self._copy_during_attach
        self._ensure_numbered()
        child._ensure_numbered()
        joints = child.joints if shared else []
        mine = Native(self)
        theirs = Native(child, len(mine.objects) + 1)
        picked = child_body or child_frame
        changed = mine.spec.attach(
            mine.body_id(at_body), mine.frame_id(at_frame), theirs.spec,
            None if child_body is None else theirs.body_id(child_body),
            None if child_frame is None else theirs.frame_id(child_frame), prefix, suffix)
        reader = self._read(changed, mine, *((theirs,) if shared else ()))
        for joint in joints:
            if joint._spec is self:
                joint._kept = ()  # as in a copy
        for element in child._awaiting if shared else ():
            if element._awaited and element._spec is self:
                self._choose_class(element, prefix + element._awaited + suffix)
        reader.attached = None
        if picked is not None:
            places = reader.content["bodies" if child_body is not None else "frames"]
            made = reader.bodies if child_body is not None else reader.frames
            tag = theirs.tag_of(picked)
            reader.attached = next(made[i] for i, entry in enumerate(places) if entry["meta"][4] == tag)
        return reader

    def _take_assets(self, child, prefix, suffix):
        """Files of an attached specification get its prefix and suffix, and so do the meshes and textures that use
        them."""
        def renamed(name):
            folder, last = os.path.split(name)
            stem, extension = os.path.splitext(last)
            separator = ("//" if suffix and not prefix else "/") if folder else ""
            return f"{folder}{separator}{prefix}{stem}{suffix}{extension}"
        for name, data in child._assets.items():
            new = renamed(name)
            if new in self._assets and not self.override_assets:
                raise ValueError(f"Asset {name} already exists in parent spec.")
            self._assets[new] = data
        if child._assets:
            for element in (*child._lists["meshes"], *child._lists["textures"]):
                if element.file:
                    element.file = renamed(element.file)

    def _site_frame(self, site):
        """A frame at the pose of a site."""
        frame = site._parent.add_frame(site._frame, pos=site.pos, quat=site.quat)
        frame.alt = MjsOrientation(site.alt._content())
        return frame

    def _body_to_frame(self, body):
        self._ensure_numbered()
        parent = body._parent
        frame = parent.add_frame(body._frame, pos=body.pos, quat=body.quat)
        frame._name, frame.alt, frame._compiler = body._name, body.alt, body._compiler
        for name in ("_bodies", "_frames", *(f"_{part}" for part in body._PARTS)):
            for element in getattr(body, name):
                element._parent = parent
                element._frame = element._frame or frame
                getattr(parent, name).append(element)
        _remove(parent._bodies, body)
        body._deleted = True
        self._changed()
        return frame

    @staticmethod
    def resolve_orientation(degree, sequence=None, orientation=None):
        """The quaternion of an orientation in another form."""
        content = orientation._content()
        if content is None:
            return [1.0, 0.0, 0.0, 0.0]
        return list(_core._resolve_orientation(bool(degree), "".join(sequence or "xyz"), content[0],
                                               [float(x) for x in content[1]]))


# elements that may go with a body, or say something about it
_REFERRING = ("skins", "flexes", "pairs", "excludes", "equalities", "tendons", "actuators", "sensors", "tuples", "keys")


def _remove(listed, element):
    listed[:] = [other for other in listed if other is not element]


# what recompiling keeps of joints, actuators and mocap bodies
_STATE = ("qpos", "qvel", "act", "mocap_pos", "mocap_quat")


def _state_places(model):
    """Where the state of each element is in that of the model, by kind and number: names of arrays with slices."""
    qpos, qvel = [*model.jnt_qposadr.tolist(), model.nq], [*model.jnt_dofadr.tolist(), model.nv]
    joints = [(("qpos", slice(*qpos[i:i + 2])), ("qvel", slice(*qvel[i:i + 2]))) for i in range(model.njnt)]
    acts = zip(model.actuator_actadr.tolist(), model.actuator_actnum.tolist())
    actuators = [(("act", slice(start, start + count)),) if start >= 0 else () for start, count in acts]
    poses = [slice(i, i + 1) for i in range(model.nmocap)]
    bodies = [(("mocap_pos", poses[i]), ("mocap_quat", poses[i])) if i >= 0 else ()
              for i in model.body_mocapid.tolist()]
    return {mjtObj.mjOBJ_JOINT: joints, mjtObj.mjOBJ_ACTUATOR: actuators, mjtObj.mjOBJ_BODY: bodies}


_BLANK_CLASS = _core.ClassContent()
MjSpec._start_settings = _core.Spec.empty()
MjSpec._modelname = MjSpec._start_settings.export()["modelname"]

for _name in _SIZES:
    setattr(MjSpec, _name, size_property(_name))
for _name, _class in LISTS.items():
    setattr(MjSpec, _name, lister(_name))
    setattr(MjSpec, _class._KIND, finder(_class._OBJECT, _class._KIND))
    setattr(MjSpec, f"add_{_class._KIND}", adder(_class._KIND, _name, _class))
for _name, _kind in _TREE_LISTS.items():
    setattr(MjSpec, _name, property(lambda self, _part=f"_{_name}": [
        element for body in self._world._subtree() for element in getattr(body, _part)], doc=f"All {_name}."))
    setattr(MjSpec, _kind, finder(mjtObj[f"mjOBJ_{_kind.upper()}"], _kind))
MjSpec.body = finder(mjtObj.mjOBJ_BODY, "body")
