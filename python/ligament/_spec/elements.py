"""Elements of a specification: objects that hold their own numbers and names.

Which fields a kind of element has comes from the native tables; a specification turns its elements into a native one
when it is compiled, saved or attached (``exchange.py``).
"""

import copy
import operator

import numpy as np

from ligament import _core, _enums
from ligament._enums import mjtObj, mjtOrientation, mjtWrap
from ligament._records import MjLROpt

_DEFAULTS = _core.Spec.defaults()
_KINDS = _core.Spec.kinds()
_RENAMED = {"kind": "type", "reference": "ref"}
# how the native side finds files, and keyframes of attached models: not for users
_HIDDEN = ("filedir", "cubedirs", "attached", "modeldir", "bending_model", "elasticity_model")


def _wrong_type(name):
    return TypeError(f"{name} is the wrong type.")


class MjsOrientation:
    """An orientation that is not a quaternion: ``type`` says which of the vectors counts."""

    _SIZES = {"axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}

    def __init__(self, content=None):
        object.__setattr__(self, "type", mjtOrientation.mjORIENTATION_QUAT)
        for name, size in self._SIZES.items():
            object.__setattr__(self, name, np.zeros(size))
        if content is not None:
            object.__setattr__(self, "type", mjtOrientation(content[0]))
            getattr(self, list(self._SIZES)[content[0] - 1])[...] = content[1]

    def __setattr__(self, name, value):
        if name == "type":
            object.__setattr__(self, "type", mjtOrientation(value))
        else:
            getattr(self, name)[...] = value

    def _choose(self, form, value, label):
        """Sets one of the forms and makes it the one that counts."""
        values = np.asarray(value, dtype=float)
        if values.size != self._SIZES[form]:
            raise ValueError(f"{label} should be a list/array of size {self._SIZES[form]}.")
        setattr(self, form, values)
        self.type = list(self._SIZES).index(form) + 1

    def _content(self):
        if self.type == mjtOrientation.mjORIENTATION_QUAT:
            return None
        return int(self.type), getattr(self, list(self._SIZES)[int(self.type) - 1])


class MjsWrap:
    """One object on the path of a tendon."""

    _TYPES = {"joint": mjtWrap.mjWRAP_JOINT, "pulley": mjtWrap.mjWRAP_PULLEY, "site": mjtWrap.mjWRAP_SITE}

    def __init__(self, tendon, kind, target, number, sidesite):
        self._tendon, self._kind, self._target, self._number, self._sidesite = tendon, kind, target, number, sidesite
        self.info = ""

    @property
    def type(self):
        if self._kind == "geom":
            geom = self.target
            cylinder = geom is not None and geom.type == _enums.mjtGeom.mjGEOM_CYLINDER
            return mjtWrap.mjWRAP_CYLINDER if cylinder else mjtWrap.mjWRAP_SPHERE
        return self._TYPES[self._kind]

    @property
    def target(self):
        if self._kind == "pulley":
            return None
        return getattr(self._tendon._spec, self._kind)(self._target)

    @property
    def sidesite(self):
        return self._tendon._spec.site(self._sidesite) if self._sidesite else None

    @property
    def coef(self):
        return self._number if self._kind == "joint" else None

    @property
    def divisor(self):
        return self._number if self._kind == "pulley" else None

    def _content(self):
        return self._kind, self._target, self._number, self._sidesite


class MjsPlugin:
    """A plugin instance: shared ones have a name, others belong to one element."""

    def __init__(self, plugin_name="", name="", config=(), active=False, info=""):
        self.plugin_name, self.name, self.active, self.info = plugin_name, name, int(active), info
        self._config = dict(config)
        self.id, self._spec = -1, None

    @property
    def signature(self):
        return self._spec._signature if self._spec is not None else 0

    @property
    def config(self):
        return self._config

    @config.setter
    def config(self, value):
        self._config = {str(key): str(setting) for key, setting in dict(value).items()}

    def _content(self):
        if not self.active:
            return None
        return self.plugin_name, self.name, [] if self.name else list(self._config.items())


def _from_native(content, value):
    """The Python form of the content of a field."""
    if content == "orientation":
        return MjsOrientation(value)
    if content == "plugin":
        return MjsPlugin() if value is None else MjsPlugin(value[0], value[1], value[2], True)
    if content.startswith("mjt"):
        return getattr(_enums, content)(value)
    return value.copy() if isinstance(value, (np.ndarray, list)) else value


def _assigned(name, content, old, value):
    """What a field becomes when ``value`` is assigned to it."""
    try:
        if content == "int":
            return operator.index(value)
        if content == "float":
            return float(value)
        if content.startswith("mjt"):
            return getattr(_enums, content)(operator.index(value))
        if content.startswith(("float", "int")):
            new = np.asarray(value, dtype=old.dtype)
            if new.ndim == 0 or new.size != old.size:
                raise ValueError(f"{name} should be a list/array of size {old.size}.")
            old[...] = new.reshape(-1)
            return old
        if content.startswith("list ") and content.split()[1] in ("float64", "float32", "int32"):
            return np.array(value, dtype=content.split()[1]).reshape(-1)
    except ValueError as error:
        raise error if "list/array" in str(error) or content.startswith("mjt") else _wrong_type(name) from None
    except TypeError:
        raise _wrong_type(name) from None
    if content == "str":
        if not isinstance(value, str):
            raise _wrong_type(name)
        return value
    if content == "bytes":
        return bytes(value)
    if content in ("list str", "list list"):
        if isinstance(value, str):
            raise _wrong_type(name)
        return [item if isinstance(item, str) else list(item) for item in value]
    if content == "plugin" and not isinstance(value, MjsPlugin):
        raise _wrong_type(name)
    if content == "orientation" and not isinstance(value, MjsOrientation):
        raise _wrong_type(name)
    return value


class Holder:
    """An object with the fields of one kind of element."""

    _KIND = ""
    _FIELDS = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls._KIND:
            cls._FIELDS = {_RENAMED.get(name, name): (name, content) for name, content in _KINDS[cls._KIND]}

    def _fill(self, fields):
        values = {name: _from_native(content, fields[native])
                  for name, (native, content) in self._FIELDS.items() if native in fields}
        object.__setattr__(self, "_values", values)

    def _native_fields(self):
        out = {}
        for name, (native, content) in self._FIELDS.items():
            value = self._values[name]
            out[native] = value._content() if content in ("orientation", "plugin") else value
        return out

    def __getattr__(self, name):
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'") from None

    def __setattr__(self, name, value):
        if name in self._FIELDS:
            content = self._FIELDS[name][1]
            self._values[name] = _assigned(name, content, self._values[name], value)
        elif name.startswith("_") or isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self):
        return sorted({*super().__dir__(), *(name for name in self._FIELDS if name not in _HIDDEN)})


class MjsElement(Holder):
    """What all elements have: a name, a class they started from, and a place in a specification."""

    _OBJECT = mjtObj.mjOBJ_UNKNOWN

    def __init__(self, spec, fields=None, default=None):
        self._fill(_DEFAULTS[self._KIND] if fields is None else fields)
        object.__setattr__(self, "_spec", spec)
        self._name = self._info = ""
        self._class, self._compiler = default, spec._compilers[0]
        self._origin, self._id, self._deleted = ("", 0, 0), -1, False

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, value):
        if not isinstance(value, str):
            raise _wrong_type("name")
        if value and value != self._name:
            self._spec._check_name(self, value)
        self._name = value

    @property
    def info(self):
        return self._info or (f"line {self._origin[1]}" if self._origin[1] else "")

    @info.setter
    def info(self, value):
        if not isinstance(value, str):
            raise _wrong_type("info")
        self._info = value

    @property
    def classname(self):
        return self._class or self._spec.default

    @classname.setter
    def classname(self, value):
        self._class = value

    @property
    def id(self):
        return 0 if self is self._spec.worldbody else self._id

    @property
    def signature(self):
        return self._spec._signature

    def _set_all(self, settings):
        for letter in ("", "i"):
            forms = [letter + form for form in MjsOrientation._SIZES]
            if sum(settings.get(form) is not None for form in forms) > 1:
                raise ValueError(f"Only one of: {', '.join(forms[:-1])}, or {forms[-1]} can be set.")
        for name, value in settings.items():
            if value is None:
                continue
            inertial = name.startswith("i") and name[1:] in MjsOrientation._SIZES and "ialt" in self._FIELDS
            if inertial or (name in MjsOrientation._SIZES and "alt" in self._FIELDS):
                (self.ialt if inertial else self.alt)._choose(name[1:] if inertial else name, value, name)
            elif name == "size" and self._KIND in ("geom", "site"):
                self._set_size(value)
            elif name in self._FIELDS or name in ("name", "info") or (name == "childclass" and hasattr(self, name)):
                setattr(self, name, value)
            else:
                valid = sorted({*self._FIELDS, "name", "info"} - set(_HIDDEN))
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: {', '.join(valid)}.")
        return self

    def _set_size(self, value):
        """Sizes that are not given are zero."""
        given = np.asarray(value, dtype=float).reshape(-1)
        if not 1 <= given.size <= 3:
            raise ValueError("size should be a list/array of size 1, 2, or 3.")
        self.size[:] = 0
        self.size[:given.size] = given

    def __deepcopy__(self, memo):
        raise TypeError(f"{type(self).__name__} belongs to a specification: copy that")


class TreeElement(MjsElement):
    """An element of a body, possibly in a frame."""

    def __init__(self, spec, parent, fields=None, default=None):
        super().__init__(spec, fields, default)
        self._parent, self._frame = parent, None

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
    _BLANK = {"pos": np.zeros(3), "quat": np.array([1.0, 0, 0, 0]), "alt": None}

    def __init__(self, spec, parent, fields=None):
        super().__init__(spec, parent, self._BLANK if fields is None else fields, parent._class)
        self._childclass = None

    @property
    def childclass(self):
        if self._childclass is None and not self._origin[1]:
            return ""  # made in code
        return (self._childclass or self.classname).name

    @childclass.setter
    def childclass(self, value):
        self._childclass = self._spec._required_default(value)

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

    def __init__(self, spec, parent, fields=None, default=None):
        super().__init__(spec, parent, fields, default)
        self._childclass = None
        self._bodies, self._frames = [], []
        for part in self._PARTS:
            setattr(self, f"_{part}", [])

    @property
    def parent(self):
        return self._parent or self

    @property
    def childclass(self):
        return (self._childclass or self.classname).name

    @childclass.setter
    def childclass(self, value):
        self._childclass = self._spec._required_default(value)

    def _subtree(self):
        """This body and all below it, in the order of the compiled model."""
        yield self
        for child in self._bodies:
            yield from child._subtree()

    def add_body(self, default=None, **settings):
        """Adds a child body."""
        self._spec._require_alive(self)
        child = MjsBody(self._spec, self, default=default or self._class)._set_all(settings)
        self._bodies.append(child)
        return child

    def add_frame(self, default=None, **settings):
        """Adds a frame, inside another one if that is given."""
        self._spec._require_alive(self)
        frame = MjsFrame(self._spec, self)._set_all(settings)
        frame._frame = default
        self._frames.append(frame)
        return frame

    def add_freejoint(self, **settings):
        """Adds a free joint, which starts from no class."""
        for name in settings:
            if name not in ("align", "group", "name"):
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
        joint = MjsJoint(self._spec, self)._set_all({"type": _enums.mjtJoint.mjJNT_FREE, **settings})
        self._joints.append(joint)
        return joint

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
    def add(self, default=None, **settings):
        self._spec._require_alive(self)
        start = default or self._class
        element = cls(self._spec, self, start._native(kind) if start else None, start)._set_all(settings)
        getattr(self, f"_{kind}s").append(element)
        return element
    add.__name__, add.__doc__ = f"add_{kind}", f"Adds a {kind} with the defaults of a class."
    return add


def _list_property(name, doc):
    return property(lambda self: list(getattr(self, f"_{name}")), doc=doc)


def _walkers(kind, name):
    def first(self):
        found = self.find_all(kind)
        return found[0] if found else None

    def following(self, element):
        found = self.find_all(kind)
        at = found.index(element) + 1
        return found[at] if at < len(found) else None
    return first, following


for _name, _class in MjsBody._PARTS.items():
    setattr(MjsBody, f"add_{_class._KIND}", _part_adder(_class._KIND, _class))
for _kind, _name in (("body", "bodies"), ("frame", "frames"), *((c._KIND, n) for n, c in MjsBody._PARTS.items())):
    setattr(MjsBody, _name, _list_property(_name, f"The {_name} of this body."))
    _first, _next = _walkers(_kind, _name)
    setattr(MjsBody, f"first_{_kind}", _first)
    setattr(MjsBody, f"next_{_kind}", _next)


class MjsMesh(MjsElement):
    _KIND, _OBJECT = "mesh", mjtObj.mjOBJ_MESH

    def _make(self, builtin, *params):
        self.builtin = getattr(_enums.mjtMeshBuiltin, f"mjMESH_BUILTIN_{builtin}")
        self.params = params

    def make_sphere(self, subdivision):
        """A sphere made of a subdivided icosahedron."""
        self._make("SPHERE", subdivision)

    def make_hemisphere(self, resolution):
        """Half a sphere."""
        self._make("HEMISPHERE", resolution)

    def make_cone(self, nedge, radius):
        """A cone or frustum with so many edges."""
        self._make("CONE", nedge, radius)

    def make_supersphere(self, resolution, e, n):
        """A superellipsoid."""
        self._make("SUPERSPHERE", resolution, e, n)

    def make_supertorus(self, resolution, radius, s, t):
        """A supertoroid."""
        self._make("SUPERTORUS", resolution, radius, s, t)

    def make_wedge(self, resolution=(0, 0), fov=(0.0, 0.0), gamma=0):
        """A part of a sphere."""
        self._make("WEDGE", *resolution, *fov, gamma)

    def make_plate(self, resolution=(0, 0)):
        """A flat plate."""
        self._make("PLATE", *resolution)


class MjsHField(MjsElement):
    _KIND, _OBJECT = "hfield", mjtObj.mjOBJ_HFIELD


class MjsSkin(MjsElement):
    _KIND, _OBJECT = "skin", mjtObj.mjOBJ_SKIN


class FixedTexts(list):
    """A list of texts of fixed length."""

    def __setitem__(self, index, value):
        if not 0 <= index < len(self):
            raise IndexError("Index out of range.")
        super().__setitem__(int(index), value)


def _filled(texts, count):
    return FixedTexts([*texts, *[""] * (count - len(texts))])


def _exactly(name, value, count):
    if isinstance(value, str) or len(value) != count:
        raise ValueError(f"{name} must have exactly {count} elements, got {len(value)}")
    return FixedTexts(value)


class MjsTexture(MjsElement):
    _KIND, _OBJECT = "texture", mjtObj.mjOBJ_TEXTURE

    def _fill(self, fields):
        super()._fill(fields)
        self._values["cubefiles"] = _filled(self.cubefiles, 6)
        self._values["gridlayout"] = MjCharVec(self.gridlayout)

    def __setattr__(self, name, value):
        if name == "cubefiles":
            self._values[name] = _exactly(name, value, 6)
        elif name == "gridlayout":
            if any(len(letter) != 1 for letter in value):
                raise ValueError("gridlayout: list elements must be single characters")
            if len(value) != 12:
                raise ValueError("gridlayout should have length 12")
            self._values[name] = MjCharVec(value)
        else:
            super().__setattr__(name, value)

    def _native_fields(self):
        fields = super()._native_fields()
        fields["gridlayout"] = "".join(fields["gridlayout"])
        return fields if any(fields["cubefiles"]) else {**fields, "cubefiles": [], "cubedirs": []}


class MjsMaterial(MjsElement):
    _KIND, _OBJECT = "material", mjtObj.mjOBJ_MATERIAL

    def _fill(self, fields):
        super()._fill(fields)
        self._values["textures"] = _filled(self.textures, int(_enums.mjtTextureRole.mjNTEXROLE))

    def __setattr__(self, name, value):
        if name == "textures":
            self._values[name] = _exactly(name, value, int(_enums.mjtTextureRole.mjNTEXROLE))
        else:
            super().__setattr__(name, value)

    def _native_fields(self):
        fields = super()._native_fields()
        return fields if any(fields["textures"]) else {**fields, "textures": []}


class MjsFlex(MjsElement):
    _KIND, _OBJECT = "flex", mjtObj.mjOBJ_FLEX


class MjsPair(MjsElement):
    _KIND, _OBJECT = "pair", mjtObj.mjOBJ_PAIR


class MjsExclude(MjsElement):
    _KIND, _OBJECT = "exclude", mjtObj.mjOBJ_EXCLUDE


class MjsEquality(MjsElement):
    _KIND, _OBJECT = "equality", mjtObj.mjOBJ_EQUALITY


class MjsTendonPath(list):
    """The objects on the path of a tendon."""


class MjsTendon(MjsElement):
    _KIND, _OBJECT = "tendon", mjtObj.mjOBJ_TENDON

    def _fill(self, fields):
        super()._fill(fields)
        self._values["path"] = MjsTendonPath(MjsWrap(self, *entry) for entry in fields["path"])

    def _native_fields(self):
        return {**super()._native_fields(), "path": [wrap._content() for wrap in self.path]}

    def default(self):
        """The class the tendon started from."""
        return self.classname

    def _wrap(self, kind, target="", number=0.0, sidesite=""):
        wrap = MjsWrap(self, kind, target, float(number), sidesite)
        self.path.append(wrap)
        return wrap

    def wrap_site(self, name):
        """Goes through a site."""
        return self._wrap("site", name)

    def wrap_geom(self, name, sidesite):
        """Wraps around a geom, on the side of a site if one is named."""
        return self._wrap("geom", name, 0.0, sidesite)

    def wrap_joint(self, name, coef):
        """Adds a joint with a coefficient."""
        return self._wrap("joint", name, coef)

    def wrap_pulley(self, divisor):
        """Starts a new branch after a pulley."""
        return self._wrap("pulley", "", divisor)


class MjsSensor(MjsElement):
    _KIND, _OBJECT = "sensor", mjtObj.mjOBJ_SENSOR

    def get_data_size(self):
        """How many numbers the sensor gives in the compiled model."""
        place = next(i for i, sensor in enumerate(self._spec.sensors) if sensor is self)
        return int(self._spec.copy().compile().sensor_dim[place])


class MjsNumeric(MjsElement):
    _KIND, _OBJECT = "numeric", mjtObj.mjOBJ_NUMERIC


class MjsText(MjsElement):
    _KIND, _OBJECT = "text", mjtObj.mjOBJ_TEXT


class MjsTuple(MjsElement):
    _KIND, _OBJECT = "tuple", mjtObj.mjOBJ_TUPLE


class MjsKey(MjsElement):
    _KIND, _OBJECT = "key", mjtObj.mjOBJ_KEY


class MjsCompiler(Holder):
    """How a specification becomes a model."""

    _KIND = "compiler"

    def __init__(self, fields):
        self._fill(fields)
        self._lengthrange = MjLROpt()._set(fields["lengthrange"])
        self._values["eulerseq"] = MjCharVec(self._values["eulerseq"])

    @property
    def LRopt(self):
        """How actuator length ranges are found."""
        return self._lengthrange

    def __setattr__(self, name, value):
        if name == "eulerseq":
            if len(value) != 3:
                raise ValueError("eulerseq should be a list/array of size 3.")
            self._values[name] = MjCharVec(value)
        else:
            super().__setattr__(name, value)

    def _content(self):
        fields = {**self._native_fields(), "eulerseq": "".join(self.eulerseq)}
        return {**fields, "lengthrange": self._lengthrange._values()}

    def __deepcopy__(self, memo):
        return MjsCompiler(copy.deepcopy(self._content(), memo))


class MjCharVec(list):
    """Letters in a list of fixed length."""

    def __setitem__(self, index, value):
        if not 0 <= index < len(self):
            raise IndexError("Index out of range.")
        super().__setitem__(index, value)
