"""Bodies of a specification and what is fixed to them."""

from ligament import _enums
from ligament._enums import mjtObj
from ligament._spec.elements import MjsElement


class TreeElement(MjsElement):
    """An element of a body, possibly in a frame."""

    _parent = None

    @property
    def parent(self):
        return self._parent

    @property
    def frame(self):
        return self._frame

    def set_frame(self, frame):
        """Puts the element into a frame of the same body."""
        if frame is not None and frame.parent is not self._parent:
            raise ValueError("Frame and body 'parent' of the element do not match.")
        self._frame = frame


class MjsJoint(TreeElement):
    _KIND, _OBJECT = "joint", mjtObj.mjOBJ_JOINT


class MjsGeom(TreeElement):
    _KIND, _OBJECT = "geom", mjtObj.mjOBJ_GEOM


class MjsSite(TreeElement):
    _KIND, _OBJECT = "site", mjtObj.mjOBJ_SITE

    def attach_body(self, body, prefix=None, suffix=None):
        """Attaches a body of another specification at the pose of the site."""
        return self._spec._attach_body(self._spec._site_frame(self), body, prefix, suffix)


class MjsCamera(TreeElement):
    _KIND, _OBJECT = "camera", mjtObj.mjOBJ_CAMERA


class MjsLight(TreeElement):
    _KIND, _OBJECT = "light", mjtObj.mjOBJ_LIGHT


class MjsFrame(TreeElement):
    """A pose that is composed into the elements inside."""

    _OBJECT = mjtObj.mjOBJ_FRAME
    _FIELDS = {"pos": ("pos", "float64"), "quat": ("quat", "float64"), "alt": ("alt", "orientation")}

    @property
    def childclass(self):
        if self._childclass is None and not self._origin[1]:
            return self._awaited  # made in code
        return self._awaited or (self._childclass or self.classname).name

    @childclass.setter
    def childclass(self, value):
        self._spec._choose_class(self, value)

    def _add(self, kind, default, settings):
        element = getattr(self._parent, f"add_{kind}")(default, **settings)
        element._frame = self
        return element

    def add_frame(self, default=None, **settings):
        """Adds a frame inside this one."""
        return self._parent.add_frame(default or self, **settings)

    def attach_body(self, body, prefix=None, suffix=None):
        """Attaches a body of another specification inside this frame."""
        return self._spec._attach_body(self, body, prefix, suffix)


def _frame_adder(kind):
    def add(self, default=None, **settings):
        return self._add(kind, default, settings)
    add.__name__, add.__doc__ = f"add_{kind}", f"Adds a {kind} inside this frame."
    return add


for _kind in ("body", "camera", "geom", "joint", "light", "site"):
    setattr(MjsFrame, f"add_{_kind}", _frame_adder(_kind))


class MjsBody(TreeElement):
    """A body with all that is fixed to it."""

    _KIND, _OBJECT = "body", mjtObj.mjOBJ_BODY
    _PARTS = {"joints": MjsJoint, "geoms": MjsGeom, "sites": MjsSite, "cameras": MjsCamera, "lights": MjsLight}

    @classmethod
    def _make(cls, spec, source=None, default=None, parent=None):
        body = super()._make(spec, source, default, parent)
        state = body.__dict__
        state["_bodies"], state["_frames"], state["_joints"], state["_geoms"] = [], [], [], []
        state["_sites"], state["_cameras"], state["_lights"] = [], [], []
        return body

    @property
    def parent(self):
        return self._parent or self

    @property
    def childclass(self):
        return self._awaited or (self._childclass or self.classname).name

    @childclass.setter
    def childclass(self, value):
        self._spec._choose_class(self, value)

    # that of the body is that of its children
    classname = property(MjsElement.classname.fget, childclass.fset)

    def _subtree(self):
        """This body and all below it, in the order of the compiled model."""
        pending, found = [self], []
        while pending:
            body = pending.pop()
            found.append(body)
            if body._bodies:
                pending += reversed(body._bodies)
        return found

    def add_body(self, default=None, **settings):
        """Adds a child body."""
        self._spec._require_alive(self)
        child = MjsBody._make(self._spec, None, default or self._class, self)
        if self._awaited and default is None:
            child.childclass = self._awaited
        return self._spec._add(self._bodies, child._set_all(settings))

    def add_frame(self, default=None, **settings):
        """Adds a frame, inside another one if that is given."""
        self._spec._require_alive(self)
        frame = MjsFrame._make(self._spec, "frame", self._class, self)._set_all(settings)
        frame._frame = default
        return self._spec._add(self._frames, frame)

    def add_freejoint(self, **settings):
        """Adds a free joint, which starts from no class."""
        for name in settings:
            if name not in ("align", "group", "name"):
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
        joint = MjsJoint._make(self._spec, None, None, self)._set_all({"type": _enums.mjtJoint.mjJNT_FREE, **settings})
        return self._spec._add(self._joints, joint)

    def attach_frame(self, frame, prefix=None, suffix=None):
        """Attaches a frame of another specification."""
        return self._spec._attach_frame(self, frame, prefix, suffix)

    def to_frame(self):
        """Replaces the body by a frame of the same pose that holds all that was fixed to the body."""
        return self._spec._body_to_frame(self)

    def find_child(self, name):
        """The body of that name below this one."""
        return next((body for body in self._subtree() if body is not self and body._name == name), None)

    def find_all(self, kind):
        """All elements of a kind in this body and below it."""
        kinds = {"body": mjtObj.mjOBJ_BODY, "frame": mjtObj.mjOBJ_FRAME, "geom": mjtObj.mjOBJ_GEOM,
                 "site": mjtObj.mjOBJ_SITE, "joint": mjtObj.mjOBJ_JOINT, "light": mjtObj.mjOBJ_LIGHT,
                 "camera": mjtObj.mjOBJ_CAMERA}
        label = next((name for name, value in kinds.items() if kind in (name, value)), None)
        if label is None:
            raise ValueError(f"body.find_all supports the types: {', '.join(kinds)}.")
        lists = (getattr(body, "_bodies" if label == "body" else f"_{label}s") for body in self._subtree())
        if label == "body":
            return [body for body in self._subtree() if body is not self]
        return [element for part in lists for element in part]


def _part_adder(kind, cls):
    listed = f"_{kind}s"

    def add(self, default=None, **settings):
        self._spec._require_alive(self)
        start = default or self._class
        source = start._template(kind) if start else None
        element = cls._make(self._spec, source, start, self)._set_all(settings)
        return self._spec._add(getattr(self, listed), element)
    add.__name__, add.__doc__ = f"add_{kind}", f"Adds a {kind} with the defaults of a class."
    return add


def _list_property(name, doc):
    return property(lambda self: list(getattr(self, f"_{name}")), doc=doc)


def _walkers(cls, name):
    """Walks along what is fixed to a body itself, in frames or not; what is elsewhere has no next one."""
    listed = f"_{name}"

    def first(self):
        return next(iter(getattr(self, listed)), None)

    def following(self, element):
        if not isinstance(element, cls):
            raise TypeError(f"next_{cls._OBJECT.name[len('mjOBJ_'):].lower()} takes a {cls.__name__}")
        found = getattr(self, listed)
        at = next((place for place, other in enumerate(found, 1) if other is element), len(found))
        return found[at] if at < len(found) else None
    return first, following


for _name, _class in MjsBody._PARTS.items():
    setattr(MjsBody, f"add_{_class._KIND}", _part_adder(_class._KIND, _class))
for _kind, _name, _class in (("body", "bodies", MjsBody), ("frame", "frames", MjsFrame),
                             *((c._KIND, n, c) for n, c in MjsBody._PARTS.items())):
    setattr(MjsBody, _name, _list_property(_name, f"The {_name} of this body."))
    _first, _next = _walkers(_class, _name)
    setattr(MjsBody, f"first_{_kind}", _first)
    setattr(MjsBody, f"next_{_kind}", _next)
