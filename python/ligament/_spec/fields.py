"""What elements of a specification hold: named fields, and small objects in them.

Which fields a kind of element has comes from the native tables; a specification turns its elements into a native one
when it is compiled, saved or attached (``exchange.py``).
"""

import copy
import operator

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
        raise error if "list/array" in str(error) or content.startswith("mjt") else wrong_type(name) from None
    except TypeError:
        raise wrong_type(name) from None
    if content == "str":
        if not isinstance(value, str):
            raise wrong_type(name)
        return value
    if content == "bytes":
        return bytes(value)
    if content in ("list str", "list list"):
        if isinstance(value, str):
            raise wrong_type(name)
        return [item if isinstance(item, str) else list(item) for item in value]
    if content == "plugin" and not isinstance(value, MjsPlugin):
        raise wrong_type(name)
    if content == "orientation" and not isinstance(value, MjsOrientation):
        raise wrong_type(name)
    return value


def _field_property(name, content):
    """The attribute for one field; what users have no business with has an underscore before its name."""
    def assign(self, value):
        self._values[name] = _assigned(name, content, self._values[name], value)
    return property(lambda self: self._values[name], assign)


class Holder:
    """An object with the fields of one kind of element."""

    _KIND = ""
    _FIELDS = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls._KIND:
            cls._FIELDS = {_RENAMED.get(name, name): (name, content) for name, content in _KINDS[cls._KIND]}
        for name, (_, content) in cls._FIELDS.items():
            if name not in cls.__dict__:
                setattr(cls, f"_{name}" if name in HIDDEN else name, _field_property(name, content))

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

    def __init__(self, fields):
        self._fill(fields)
        self._lengthrange = MjLROpt()._set(fields["lengthrange"])
        self._values["eulerseq"] = MjCharVec(self._values["eulerseq"])

    @property
    def LRopt(self):
        """How actuator length ranges are found."""
        return self._lengthrange

    @property
    def eulerseq(self):
        """The axes of Euler angles."""
        return self._values["eulerseq"]

    @eulerseq.setter
    def eulerseq(self, value):
        if len(value) != 3:
            raise ValueError("eulerseq should be a list/array of size 3.")
        self._values["eulerseq"] = MjCharVec(value)

    def _content(self):
        fields = {**self._native_fields(), "eulerseq": "".join(self.eulerseq)}
        return {**fields, "lengthrange": self._lengthrange._values()}

    def __deepcopy__(self, memo):
        return MjsCompiler(copy.deepcopy(self._content(), memo))
