"""Access to elements by name: ``model.body('torso').mass``, ``data.joint('knee').qpos``."""

from ligament import _core
from ligament._arguments import whole
from ligament._enums import mjtJoint, mjtObj

# class name, accessor names, kind, size that counts the elements, whether states have such elements too
_KINDS = (
    ("Actuator", ("actuator",), mjtObj.mjOBJ_ACTUATOR, "nu", True),
    ("Body", ("body",), mjtObj.mjOBJ_BODY, "nbody", True),
    ("Camera", ("cam", "camera"), mjtObj.mjOBJ_CAMERA, "ncam", True),
    ("Equality", ("eq", "equality"), mjtObj.mjOBJ_EQUALITY, "neq", True),
    ("Exclude", ("exclude",), mjtObj.mjOBJ_EXCLUDE, "nexclude", False),
    ("Flex", ("flex",), mjtObj.mjOBJ_FLEX, "nflex", False),
    ("Geom", ("geom",), mjtObj.mjOBJ_GEOM, "ngeom", True),
    ("Hfield", ("hfield",), mjtObj.mjOBJ_HFIELD, "nhfield", False),
    ("Joint", ("jnt", "joint"), mjtObj.mjOBJ_JOINT, "njnt", True),
    ("Keyframe", ("key", "keyframe"), mjtObj.mjOBJ_KEY, "nkey", False),
    ("Light", ("light",), mjtObj.mjOBJ_LIGHT, "nlight", True),
    ("Material", ("mat", "material"), mjtObj.mjOBJ_MATERIAL, "nmat", False),
    ("Mesh", ("mesh",), mjtObj.mjOBJ_MESH, "nmesh", False),
    ("Numeric", ("numeric",), mjtObj.mjOBJ_NUMERIC, "nnumeric", False),
    ("Pair", ("pair",), mjtObj.mjOBJ_PAIR, "npair", False),
    ("Sensor", ("sensor",), mjtObj.mjOBJ_SENSOR, "nsensor", True),
    ("Site", ("site",), mjtObj.mjOBJ_SITE, "nsite", True),
    ("Skin", ("skin",), mjtObj.mjOBJ_SKIN, "nskin", False),
    ("Tendon", ("tendon", "ten"), mjtObj.mjOBJ_TENDON, "ntendon", True),
    ("Texture", ("tex", "texture"), mjtObj.mjOBJ_TEXTURE, "ntex", False),
    ("Text", ("text",), mjtObj.mjOBJ_TEXT, "ntext", False),
    ("Tuple", ("tuple",), mjtObj.mjOBJ_TUPLE, "ntuple", False),
)

_QPOS_WIDTH = {mjtJoint.mjJNT_FREE: 7, mjtJoint.mjJNT_BALL: 4, mjtJoint.mjJNT_SLIDE: 1, mjtJoint.mjJNT_HINGE: 1}
_DOF_WIDTH = {mjtJoint.mjJNT_FREE: 6, mjtJoint.mjJNT_BALL: 3, mjtJoint.mjJNT_SLIDE: 1, mjtJoint.mjJNT_HINGE: 1}

# Fields of MjData that belong to an element, by their name in its view.
_DATA_FIELDS = {
    "nu": {"ctrl": "ctrl", "length": "actuator_length", "velocity": "actuator_velocity", "force": "actuator_force"},
    "nbody": {name: name for name in (
        "xfrc_applied", "xpos", "xquat", "xmat", "xipos", "ximat", "subtree_com", "cinert", "crb", "cvel",
        "subtree_linvel", "subtree_angmom", "cacc", "cfrc_int", "cfrc_ext")},
    "ncam": {"xpos": "cam_xpos", "xmat": "cam_xmat"},
    "neq": {"active": "eq_active"},
    "ngeom": {"xpos": "geom_xpos", "xmat": "geom_xmat"},
    "nlight": {"xpos": "light_xpos", "xdir": "light_xdir"},
    "nsite": {"xpos": "site_xpos", "xmat": "site_xmat"},
    "ntendon": {"wrapadr": "ten_wrapadr", "wrapnum": "ten_wrapnum", "J_rownnz": "ten_J_rownnz",
                "J_rowadr": "ten_J_rowadr", "J_colind": "ten_J_colind", "J": "ten_J", "length": "ten_length",
                "velocity": "ten_velocity"},
    "njnt": {"xanchor": "xanchor", "xaxis": "xaxis"},
}
_JOINT_DOF_FIELDS = ("qvel", "qacc", "qacc_warmstart", "qfrc_applied", "cdof", "cdof_dot", "qLDiagInv", "qfrc_bias",
                     "qfrc_passive", "qfrc_actuator", "qfrc_smooth", "qacc_smooth", "qfrc_constraint",
                     "qfrc_inverse", "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid")
_MODEL_FIELDS = tuple(_core.MjModel._field_names())


def _resolve(model, kind, size, key):
    """Id of an element given by id or by name; the error lists what would have been valid."""
    count = getattr(model, size)
    key = key.decode() if isinstance(key, bytes) else key
    if isinstance(key, str):
        found = model._id(int(kind), key) if key else -1
        if found >= 0:
            return found
        names = sorted(name for name in (model._name(int(kind), i) for i in range(count)) if name)
        raise KeyError(f"Invalid name '{key}'. Valid names: {names}")
    index = whole(key)
    if not 0 <= index < count:
        raise IndexError(f"Invalid index {index}. Valid indices from 0 to {count - 1}")
    return index


class _View:
    """One element: its id, its name, and its row of every array that belongs to its kind.

    ``_fetch`` gives the arrays of the model or state; it holds their memory, not the object they came from, so that
    a model or state can keep its views.
    """

    _KIND = _SIZE = _PREFIX = None

    def __init__(self, fetch, model, index):
        self.__dict__.update(_fetch=fetch, _model=model, id=index)
        self.__dict__["name"] = model._name(int(self._KIND), index) or ""

    def __getattr__(self, name):
        plain = name[1:] if self._SIZE == "ntendon" and name.startswith("_") else name
        value = None if plain.startswith("_") else self._find(plain)
        if value is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        self.__dict__[name] = value
        return value

    def __setattr__(self, name, value):
        if name in ("id", "name"):
            raise AttributeError(f"property of '{type(self).__name__}' object has no setter: '{name}'")
        getattr(self, name)[...] = value

    def __dir__(self):
        return ["id", "name", *self._fields()]

    def __repr__(self):
        fields = sorted({"id", "name", *self._fields()})
        return "\n".join([f"<{type(self).__name__}", *(f"  {f}: {getattr(self, f)!r}" for f in fields), ">"])

    def _span(self, array, widths):
        """Rows of the positions or the degrees of freedom of a joint."""
        width = widths[mjtJoint(int(self._model._field("jnt_type")[self.id]))]
        start = int(self._model._field("jnt_qposadr" if widths is _QPOS_WIDTH else "jnt_dofadr")[self.id])
        return array[start:start + width]

    def _row(self, array):
        """Row of a per-element array, as a view that can be written."""
        return array[self.id] if array.ndim > 1 else array[self.id:self.id + 1]


class _ModelView(_View):
    def _fields(self):
        fields = [f[len(self._PREFIX) + 1:] for f in _MODEL_FIELDS if f.startswith(self._PREFIX + "_")]
        if self._SIZE == "njnt":
            fields += ["qpos0", "qpos_spring"]
            fields += [f[4:] for f in _MODEL_FIELDS if f.startswith("dof_") and f[4:] not in fields]
        return [f for f in fields if self._find(f) is not None]

    def _find(self, name):
        fetch = self._fetch
        if self._SIZE == "njnt":
            if name in ("qpos0", "qpos_spring"):
                return self._span(fetch(name), _QPOS_WIDTH)
            if name == "bodyid" or f"jnt_{name}" not in _MODEL_FIELDS and f"dof_{name}" in _MODEL_FIELDS:
                return self._span(fetch(f"dof_{name}"), _DOF_WIDTH)
        field = f"{self._PREFIX}_{name}"
        if field not in _MODEL_FIELDS:
            return None
        array = fetch(field)
        if name == "data" and self._SIZE in ("nhfield", "nnumeric", "ntex", "ntext"):
            return self._data(array)
        if self._SIZE == "ntuple" and name.startswith("obj"):
            start = int(fetch("tuple_adr")[self.id])
            return array[start:start + int(fetch("tuple_size")[self.id])]
        return self._row(array) if len(array) == self._model._field(self._SIZE) else None

    def _data(self, array):
        """The part of the shared data that belongs to this element."""
        def number(field):
            return int(self._fetch(f"{self._PREFIX}_{field}")[self.id])
        start = number("adr")
        if self._SIZE == "nhfield":
            return array[start:start + number("nrow") * number("ncol")]
        if self._SIZE == "ntex":
            shape = (number("height"), number("width"), number("nchannel"))
            return array[start:start + shape[0] * shape[1] * shape[2]].reshape(shape)
        return array[start:start + number("size")]


class _DataView(_View):
    def _fields(self):
        fields = list(_DATA_FIELDS.get(self._SIZE, ()))
        if self._SIZE == "njnt":
            fields += ["qpos", *_JOINT_DOF_FIELDS]
        if self._SIZE == "nsensor":
            fields.append("data")
        return fields

    def _find(self, name):
        fetch = self._fetch
        if self._SIZE == "njnt" and name == "qpos":
            return self._span(fetch("qpos"), _QPOS_WIDTH)
        if self._SIZE == "njnt" and name in _JOINT_DOF_FIELDS:
            return self._span(fetch(name), _DOF_WIDTH)
        if self._SIZE == "nsensor" and name == "data":
            start = int(self._model._field("sensor_adr")[self.id])
            return fetch("sensordata")[start:start + int(self._model._field("sensor_dim")[self.id])]
        field = _DATA_FIELDS.get(self._SIZE, {}).get(name)
        return None if field is None else self._row(fetch(field))


def _accessor(view, model_of):
    """The method that finds one kind of element by name or id; an element has one view per model or state."""
    def access(self, *args, name=""):
        model = model_of(self)
        index = _resolve(model, view._KIND, view._SIZE, args[0] if args else name)
        views = self.__dict__.setdefault("_views", {})
        found = views.get((view, index))
        if found is None:
            alias = _core.MjModel(model)
            found = views[view, index] = view(self._fetcher() if self is not model else alias._field, alias, index)
        return found
    return access


def _install(cls, base, prefix, model_of, everything):
    for label, names, kind, size, in_data in _KINDS:
        if not (everything or in_data):
            continue
        view = type(f"_{prefix}{label}Views", (base,), {"_KIND": kind, "_SIZE": size, "_PREFIX": names[0]})
        access = _accessor(view, model_of)
        for name in names:
            if everything and name == "ten":
                continue
            setattr(cls, name, access)


def model_views(cls):
    """Adds ``body(name)``, ``geom(name)`` and so on to MjModel."""
    _install(cls, _ModelView, "MjModel", lambda model: model, True)


def data_views(cls):
    """Adds ``body(name)``, ``joint(name)`` and so on to MjData."""
    _install(cls, _DataView, "MjData", lambda data: data.model, False)
