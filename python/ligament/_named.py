"""Access to elements by name: ``model.body('torso').mass``, ``data.joint('knee').qpos``."""

import difflib

from ligament import _core
from ligament._enums import mjtJoint, mjtObj

# accessor names, kind, size that counts the elements
_KINDS = (
    (("actuator",), mjtObj.mjOBJ_ACTUATOR, "nu"),
    (("body",), mjtObj.mjOBJ_BODY, "nbody"),
    (("cam", "camera"), mjtObj.mjOBJ_CAMERA, "ncam"),
    (("eq", "equality"), mjtObj.mjOBJ_EQUALITY, "neq"),
    (("exclude",), mjtObj.mjOBJ_EXCLUDE, "nexclude"),
    (("flex",), mjtObj.mjOBJ_FLEX, "nflex"),
    (("geom",), mjtObj.mjOBJ_GEOM, "ngeom"),
    (("hfield",), mjtObj.mjOBJ_HFIELD, "nhfield"),
    (("jnt", "joint"), mjtObj.mjOBJ_JOINT, "njnt"),
    (("key", "keyframe"), mjtObj.mjOBJ_KEY, "nkey"),
    (("light",), mjtObj.mjOBJ_LIGHT, "nlight"),
    (("mat", "material"), mjtObj.mjOBJ_MATERIAL, "nmat"),
    (("mesh",), mjtObj.mjOBJ_MESH, "nmesh"),
    (("numeric",), mjtObj.mjOBJ_NUMERIC, "nnumeric"),
    (("pair",), mjtObj.mjOBJ_PAIR, "npair"),
    (("sensor",), mjtObj.mjOBJ_SENSOR, "nsensor"),
    (("site",), mjtObj.mjOBJ_SITE, "nsite"),
    (("skin",), mjtObj.mjOBJ_SKIN, "nskin"),
    (("tendon", "ten"), mjtObj.mjOBJ_TENDON, "ntendon"),
    (("tex", "texture"), mjtObj.mjOBJ_TEXTURE, "ntex"),
    (("text",), mjtObj.mjOBJ_TEXT, "ntext"),
    (("tuple",), mjtObj.mjOBJ_TUPLE, "ntuple"),
)

_QPOS_WIDTH = {mjtJoint.mjJNT_FREE: 7, mjtJoint.mjJNT_BALL: 4, mjtJoint.mjJNT_SLIDE: 1, mjtJoint.mjJNT_HINGE: 1}
_DOF_WIDTH = {mjtJoint.mjJNT_FREE: 6, mjtJoint.mjJNT_BALL: 3, mjtJoint.mjJNT_SLIDE: 1, mjtJoint.mjJNT_HINGE: 1}

# Fields of MjData that belong to an element though they do not carry its prefix.
_DATA_FIELDS = {
    "nu": {"ctrl": "ctrl", "length": "actuator_length", "velocity": "actuator_velocity", "force": "actuator_force"},
    "nbody": {name: name for name in (
        "xfrc_applied", "applied", "xpos", "xquat", "xmat", "xipos", "ximat", "subtree_com", "cinert", "crb", "cvel",
        "subtree_linvel", "subtree_angmom", "cacc", "cfrc_int", "cfrc_ext")},
    "ncam": {"xpos": "cam_xpos", "xmat": "cam_xmat"},
    "neq": {"active": "eq_active"},
    "ngeom": {"xpos": "geom_xpos", "xmat": "geom_xmat"},
    "nlight": {"xpos": "light_xpos", "xdir": "light_xdir"},
    "nsite": {"xpos": "site_xpos", "xmat": "site_xmat"},
    "ntendon": {"wrapadr": "ten_wrapadr", "wrapnum": "ten_wrapnum", "J_rownnz": "ten_J_rownnz",
                "J_rowadr": "ten_J_rowadr", "J_colind": "ten_J_colind", "J": "ten_J", "length": "ten_length",
                "velocity": "ten_velocity"},
}
_JOINT_DOF_FIELDS = ("qvel", "qacc", "qacc_warmstart", "qfrc_applied", "cdof", "cdof_dot", "qLDiagInv", "qfrc_bias",
                     "qfrc_passive", "qfrc_actuator", "qfrc_smooth", "qacc_smooth", "qfrc_constraint",
                     "qfrc_inverse", "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid")
_MODEL_FIELDS = frozenset(_core.MjModel._field_names())


def _resolve(model, kind, size, label, key):
    """Id of an element given by id or by name; the error lists what would have been valid."""
    count = getattr(model, size)
    if isinstance(key, str):
        found = model._id(int(kind), key)
        if found >= 0:
            return found
        names = [name for name in (model._name(int(kind), i) for i in range(count)) if name]
        close = difflib.get_close_matches(key, names, 1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise KeyError(f"Invalid name '{key}'.{hint} Valid names: {sorted(names)}")
    index = int(key)
    if not 0 <= index < count:
        raise IndexError(f"Invalid index {index} for {label}: valid indices are 0 to {count - 1}")
    return index


class _View:
    """One element: its id, its name, and its row of every array that belongs to its kind."""

    __slots__ = ("_owner", "_model", "_kind", "_size", "_prefix", "id")

    def __init__(self, owner, model, kind, size, prefix, index):
        for name, value in zip(_View.__slots__, (owner, model, kind, size, prefix, index)):
            object.__setattr__(self, name, value)

    @property
    def name(self):
        return self._model._name(int(self._kind), self.id) or ""

    def __setattr__(self, name, value):
        getattr(self, name)[...] = value

    def __repr__(self):
        lines = [f"<{type(self).__name__.strip('_')}", f"  id: {self.id}", f"  name: {self.name!r}"]
        lines += [f"  {field}: {getattr(self, field)!r}" for field in self._fields()]
        return "\n".join(lines) + "\n>"

    def __dir__(self):
        return ["id", "name", *self._fields()]

    def _rows(self, array, start, count):
        return array[start:start + count]

    def _span(self, widths):
        """Address and width of a joint's positions or velocities."""
        joint_type = mjtJoint(int(self._model.jnt_type[self.id]))
        address = self._model.jnt_qposadr if widths is _QPOS_WIDTH else self._model.jnt_dofadr
        return int(address[self.id]), widths[joint_type]

    def _row(self, array):
        """Row of a per-element array, as a view that can be written."""
        return array[self.id] if array.ndim > 1 else array[self.id:self.id + 1]


class _ModelView(_View):
    __slots__ = ()

    def _fields(self):
        fields = [f[len(self._prefix) + 1:] for f in sorted(_MODEL_FIELDS) if f.startswith(self._prefix + "_")]
        if self._size == "njnt":
            fields += ["qpos0", "qpos_spring"]
            fields += [f[4:] for f in sorted(_MODEL_FIELDS) if f.startswith("dof_") and f[4:] not in fields]
        return [f for f in fields if not f.startswith("bvh")]

    def __getattr__(self, name):
        model = self._model
        if self._size == "njnt":
            if name in ("qpos0", "qpos_spring"):
                return self._rows(getattr(model, name), *self._span(_QPOS_WIDTH))
            if f"jnt_{name}" not in _MODEL_FIELDS and f"dof_{name}" in _MODEL_FIELDS:
                return self._rows(getattr(model, f"dof_{name}"), *self._span(_DOF_WIDTH))
        field = f"{self._prefix}_{name}"
        if field not in _MODEL_FIELDS:
            raise AttributeError(f"'{self._prefix}' has no attribute '{name}'. Valid attributes: {self._fields()}")
        if name == "data" and self._size in ("nhfield", "nnumeric", "ntex"):
            start = int(getattr(model, f"{self._prefix}_adr")[self.id])
            return self._rows(getattr(model, field), start, self._data_length())
        if self._size == "ntuple" and name.startswith("obj"):
            return self._rows(getattr(model, field), int(model.tuple_adr[self.id]), int(model.tuple_size[self.id]))
        return self._row(getattr(model, field))

    def _data_length(self):
        model = self._model
        if self._size == "nhfield":
            return int(model.hfield_nrow[self.id] * model.hfield_ncol[self.id])
        if self._size == "nnumeric":
            return int(model.numeric_size[self.id])
        return int(model.tex_height[self.id] * model.tex_width[self.id] * model.tex_nchannel[self.id])


class _DataView(_View):
    __slots__ = ()

    def _fields(self):
        if self._size == "njnt":
            return ["qpos", "xanchor", "xaxis", *_JOINT_DOF_FIELDS]
        if self._size == "nsensor":
            return ["data"]
        return list(_DATA_FIELDS.get(self._size, ()))

    def __getattr__(self, name):
        data, model = self._owner, self._model
        if self._size == "njnt":
            if name == "qpos":
                return self._rows(data.qpos, *self._span(_QPOS_WIDTH))
            if name in _JOINT_DOF_FIELDS:
                return self._rows(getattr(data, name), *self._span(_DOF_WIDTH))
            if name in ("xanchor", "xaxis"):
                return self._row(getattr(data, name))
        if self._size == "nsensor" and name == "data":
            return self._rows(data.sensordata, int(model.sensor_adr[self.id]), int(model.sensor_dim[self.id]))
        field = _DATA_FIELDS.get(self._size, {}).get(name)
        if field is None:
            raise AttributeError(f"no attribute '{name}'. Valid attributes: {self._fields()}")
        return self._row(getattr(data, field))


def _install(cls, view, model_of):
    for labels, kind, size in _KINDS:
        def accessor(self, *args, name=None, _labels=labels, _kind=kind, _size=size):
            key = args[0] if args else (name if name is not None else 0)
            model = model_of(self)
            return view(self, model, _kind, _size, _labels[0], _resolve(model, _kind, _size, _labels[-1], key))
        for label in labels:
            setattr(cls, label, accessor)


def model_views(cls):
    """Adds ``body(name)``, ``geom(name)`` and so on to MjModel."""
    _install(cls, _ModelView, lambda model: model)


def data_views(cls):
    """Adds ``body(name)``, ``joint(name)`` and so on to MjData."""
    _install(cls, _DataView, lambda data: data.model)
