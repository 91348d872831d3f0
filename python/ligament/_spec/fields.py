"""What elements of a specification hold: named fields, and small objects in them.

Numbers live in the native part of an element. What can be changed in place (arrays, lists, small objects) is handed out
once and kept in ``_values``; it is read back when the specification is compiled, saved or attached (``exchange.py``).
"""

import numpy as np

from ligament import _core, _enums
from ligament._enums import mjtOrientation, mjtWrap
from ligament._records import MjLROpt

_KINDS = _core.Spec.kinds()
_RENAMED = {"kind": "type", "reference": "ref"}
# how the native side finds files, and keyframes of attached models: not for users
HIDDEN = ("filedir", "cubedirs", "attached", "modeldir")


def wrong_type(name):
    return TypeError(f"{name} is the wrong type.")


class MjsOrientation:
    """An orientation that is not a quaternion: ``type`` says which of the vectors counts."""

    __slots__ = ("type", "axisangle", "xyaxes", "zaxis", "euler")
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

    __slots__ = ("_tendon", "_kind", "_target", "_number", "_sidesite", "info")
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

    __slots__ = ("plugin_name", "name", "active", "info", "id", "_config", "_spec")

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


def _plain_property(name, native):
    """A number or a text."""
    return property(lambda self: self._get(native), lambda self, value: self._set(name, native, value))


def _member_property(name, native, content):
    """A member of an enumeration."""
    kind = getattr(_enums, content)
    return property(lambda self: kind(self._get(native)), lambda self, value: self._set(name, native, value))


def _array_property(name, native, fixed):
    """Numbers: an array that is handed out; one of fixed size stays the same array."""
    def get(self):
        values = self._values
        if name not in values:
            values[name] = self._get(native)
        return values[name]

    def assign(self, value):
        self._set(name, native, value)
        known = self._values.pop(name, None)
        if fixed and known is not None:
            known[...] = self._get(native)
            self._values[name] = known
    return property(get, assign)


def _list_property(name, native):
    """Texts, or lists of numbers."""
    def get(self):
        values = self._values
        if name not in values:
            values[name] = self._get(native)
        return values[name]

    def assign(self, value):
        if isinstance(value, str):
            raise wrong_type(name)
        self._set(name, native, [item if isinstance(item, str) else list(item) for item in value])
        self._values.pop(name, None)
    return property(get, assign)


def _object_property(name, native, kind, make):
    """An object of its own class."""
    def get(self):
        values = self._values
        if name not in values:
            values[name] = make(self._get(native))
        return values[name]

    def assign(self, value):
        if not isinstance(value, kind):
            raise wrong_type(name)
        self._values[name] = value
    return property(get, assign)


def _bytes_property(name, native):
    return property(lambda self: self._get(native), lambda self, value: self._set(name, native, bytes(value)))


def _field_property(name, native, content):
    """The attribute for one field."""
    if content in ("int", "float", "str"):
        return _plain_property(name, native)
    if content.startswith("mjt"):
        return _member_property(name, native, content)
    if content == "bytes":
        return _bytes_property(name, native)
    if content == "orientation":
        return _object_property(name, native, MjsOrientation, MjsOrientation)
    if content == "plugin":
        return _object_property(name, native, MjsPlugin, _plugin)
    if content in ("list str", "list list"):
        return _list_property(name, native)
    if content in ("attached", "path"):
        return _object_property(name, native, object, lambda value: value)
    return _array_property(name, native, not content.startswith("list "))


def _plugin(value):
    return MjsPlugin() if value is None else MjsPlugin(value[0], value[1], value[2], True)


class Holder(_core.Element):
    """An object with the fields of one kind of element."""

    _KIND = ""
    _FIELDS = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls._KIND:
            cls._FIELDS = {_RENAMED.get(name, name): (name, content) for name, content in _KINDS[cls._KIND]}
        for name, (native, content) in cls._FIELDS.items():
            if name not in cls.__dict__:
                # what users have no business with has an underscore before its name
                setattr(cls, f"_{name}" if name in HIDDEN else name, _field_property(name, native, content))

    def _overlay(self):
        """What was handed out, as native content by native name."""
        out = {}
        for name, value in self._values.items():
            native, content = self._FIELDS[name]
            out[native] = value._content() if content in ("orientation", "plugin") else value
        return out

    def _refill(self, content):
        """Takes over other content."""
        self._replace(content)
        self.__dict__["_values"] = {}

    def _template(self):
        """An element that new ones can be copied from."""
        if self._values:
            for native, value in self._overlay().items():
                self._set(native, native, value)
        return self

    def __setattr__(self, name, value):
        if not name.startswith("_") and not isinstance(getattr(type(self), name, None), property):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        object.__setattr__(self, name, value)


class MjCharVec(list):
    """Letters in a list of fixed length."""

    def __setitem__(self, index, value):
        if not 0 <= index < len(self):
            raise IndexError("Index out of range.")
        super().__setitem__(index, value)


class FixedTexts(list):
    """A list of texts of fixed length."""

    def __setitem__(self, index, value):
        if not 0 <= index < len(self):
            raise IndexError("Index out of range.")
        super().__setitem__(int(index), value)


def filled(texts, count):
    return FixedTexts([*texts, *[""] * (count - len(texts))])


def exactly(name, value, count):
    if isinstance(value, str) or len(value) != count:
        raise ValueError(f"{name} must have exactly {count} elements, got {len(value)}")
    return FixedTexts(value)


class MjsCompiler(Holder):
    """How a specification becomes a model."""

    _KIND = "compiler"
    _place, _lengthrange, _lengthrange_content = 0, None, None

    @staticmethod
    def _make(entry=None):
        """Settings as in an exported specification, or as they are before anything is set."""
        compiler = MjsCompiler.__new__(MjsCompiler, "compiler")
        compiler.__dict__["_values"] = {}
        if entry is not None:
            compiler._replace(entry["content"])
            compiler.__dict__["_lengthrange_content"] = entry["lengthrange"]
        return compiler

    @property
    def LRopt(self):
        """How actuator length ranges are found."""
        if self._lengthrange is None:
            content = self._lengthrange_content or _LENGTH_RANGE
            self.__dict__["_lengthrange"] = MjLROpt()._set(content)
        return self._lengthrange

    @property
    def eulerseq(self):
        """The axes of Euler angles."""
        if "eulerseq" not in self._values:
            self._values["eulerseq"] = MjCharVec(self._get("eulerseq"))
        return self._values["eulerseq"]

    @eulerseq.setter
    def eulerseq(self, value):
        if len(value) != 3:
            raise ValueError("eulerseq should be a list/array of size 3.")
        self._values["eulerseq"] = MjCharVec(value)

    def _overlay(self):
        fields = super()._overlay()
        return {**fields, "eulerseq": "".join(fields["eulerseq"])} if "eulerseq" in fields else fields

    def _lengthrange_fields(self):
        return None if self._lengthrange is None else self._lengthrange._values()


_LENGTH_RANGE = _core.Spec.empty().export()["compilers"][0]["lengthrange"]
