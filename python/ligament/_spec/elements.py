"""Elements of a specification: objects that hold their own numbers and names."""

import numpy as np

from ligament import _enums
from ligament._enums import mjtObj
from ligament._spec.fields import HIDDEN, Holder, MjCharVec, MjsOrientation, MjsWrap, exactly, filled, wrong_type

# keywords that choose a form of orientation: where it is held, and which form
_FORMS = {letter + form: (f"{letter}alt", form) for letter in ("", "i") for form in MjsOrientation._SIZES}


def _check_orientations(settings):
    """An orientation is given in one form."""
    for holder in ("alt", "ialt"):
        forms = [name for name, (place, _) in _FORMS.items() if place == holder]
        if sum(settings.get(form) is not None for form in forms) > 1:
            raise ValueError(f"Only one of: {', '.join(forms[:-1])}, or {forms[-1]} can be set.")


class MjsElement(Holder):
    """What all elements have: a name, a class they started from, and a place in a specification."""

    _OBJECT = mjtObj.mjOBJ_UNKNOWN
    _name = _info = _awaited = ""
    _class = _frame = _childclass = None
    _id, _place, _deleted, _listed = -1, 0, False, False
    _kept = ()  # where its state is in that of the last compiled model

    @classmethod
    def _make(cls, spec, source=None, default=None, parent=None):
        """An element of a specification that starts as a copy of another one, or blank."""
        element = cls.__new__(cls, cls._KIND if source is None else source)
        state = element.__dict__  # one by one: several times as fast as update()
        state["_values"], state["_spec"], state["_class"], state["_compiler"] = {}, spec, default, spec._compilers[0]
        if parent is not None:
            state["_parent"] = parent
        return element

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, value):
        if not isinstance(value, str):
            raise wrong_type("name")
        if value != self._name:
            self._spec._rename(self, value)
            self.__dict__["_name"] = value

    @property
    def _origin(self):
        return self._place_in_text()

    @property
    def info(self):
        line = self._place_in_text()[1]
        return self._info or (f"line {line}" if line else "")

    @info.setter
    def info(self, value):
        if not isinstance(value, str):
            raise wrong_type("info")
        self._info = value

    @property
    def classname(self):
        return self._class or self._spec.default

    @classname.setter
    def classname(self, value):
        self._class = value

    @property
    def id(self):
        return self._spec._id_of(self)

    @property
    def signature(self):
        return self._spec._signature

    def _set_all(self, settings):
        if len(settings) > 1 and not _FORMS.keys().isdisjoint(settings):
            _check_orientations(settings)
        for name, value in settings.items():
            if value is None:
                continue
            holder, form = _FORMS.get(name, ("", ""))
            if holder and holder in self._FIELDS:
                getattr(self, holder)._choose(form, value, name)
            elif name == "size" and self._KIND in ("geom", "site"):
                self._set_size(value)
            elif name in self._FIELDS or name in ("name", "info") or (name == "childclass" and hasattr(self, name)):
                setattr(self, name, value)
            else:
                valid = sorted({*self._FIELDS, "name", "info"} - set(HIDDEN))
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: {', '.join(valid)}.")
        return self

    def _set_size(self, value):
        """Sizes that are not given are zero."""
        given = value if isinstance(value, list) else np.asarray(value, dtype=float).reshape(-1).tolist()
        if not 1 <= len(given) <= 3:
            raise ValueError("size should be a list/array of size 1, 2, or 3.")
        self.size = [*given, 0, 0][:3]

    def __deepcopy__(self, memo):
        raise TypeError(f"{type(self).__name__} belongs to a specification: copy that")


class MjsMesh(MjsElement):
    _KIND, _OBJECT = "mesh", mjtObj.mjOBJ_MESH

    def _build(self, builtin, *params):
        self.builtin = getattr(_enums.mjtMeshBuiltin, f"mjMESH_BUILTIN_{builtin}")
        self.params = params

    def make_sphere(self, subdivision):
        """A sphere made of a subdivided icosahedron."""
        self._build("SPHERE", subdivision)

    def make_hemisphere(self, resolution):
        """Half a sphere."""
        self._build("HEMISPHERE", resolution)

    def make_cone(self, nedge, radius):
        """A cone or frustum with so many edges."""
        self._build("CONE", nedge, radius)

    def make_supersphere(self, resolution, e, n):
        """A superellipsoid."""
        self._build("SUPERSPHERE", resolution, e, n)

    def make_supertorus(self, resolution, radius, s, t):
        """A supertoroid."""
        self._build("SUPERTORUS", resolution, radius, s, t)

    def make_wedge(self, resolution=(0, 0), fov=(0.0, 0.0), gamma=0):
        """A part of a sphere."""
        self._build("WEDGE", *resolution, *fov, gamma)

    def make_plate(self, resolution=(0, 0)):
        """A flat plate."""
        self._build("PLATE", *resolution)


class MjsHField(MjsElement):
    _KIND, _OBJECT = "hfield", mjtObj.mjOBJ_HFIELD


class MjsSkin(MjsElement):
    _KIND, _OBJECT = "skin", mjtObj.mjOBJ_SKIN


class MjsTexture(MjsElement):
    _KIND, _OBJECT = "texture", mjtObj.mjOBJ_TEXTURE

    @property
    def cubefiles(self):
        """The files of the six sides of a cube."""
        if "cubefiles" not in self._values:
            self._values["cubefiles"] = filled(self._get("cubefiles"), 6)
        return self._values["cubefiles"]

    @cubefiles.setter
    def cubefiles(self, value):
        self._values["cubefiles"] = exactly("cubefiles", value, 6)

    @property
    def gridlayout(self):
        """Which side of a cube each cell of the grid shows."""
        if "gridlayout" not in self._values:
            self._values["gridlayout"] = MjCharVec(self._get("gridlayout"))
        return self._values["gridlayout"]

    @gridlayout.setter
    def gridlayout(self, value):
        if any(len(letter) != 1 for letter in value):
            raise ValueError("gridlayout: list elements must be single characters")
        if len(value) != 12:
            raise ValueError("gridlayout should have length 12")
        self._values["gridlayout"] = MjCharVec(value)

    def _overlay(self):
        fields = super()._overlay()
        if "gridlayout" in fields:
            fields["gridlayout"] = "".join(fields["gridlayout"])
        if "cubefiles" in fields and not any(fields["cubefiles"]):
            fields.update(cubefiles=[], cubedirs=[])
        return fields


class MjsMaterial(MjsElement):
    _KIND, _OBJECT = "material", mjtObj.mjOBJ_MATERIAL

    @property
    def textures(self):
        """The texture of each role."""
        if "textures" not in self._values:
            self._values["textures"] = filled(self._get("textures"), int(_enums.mjtTextureRole.mjNTEXROLE))
        return self._values["textures"]

    @textures.setter
    def textures(self, value):
        self._values["textures"] = exactly("textures", value, int(_enums.mjtTextureRole.mjNTEXROLE))

    def _overlay(self):
        fields = super()._overlay()
        if "textures" in fields and not any(fields["textures"]):
            fields["textures"] = []
        return fields


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

    @property
    def path(self):
        """The objects the tendon goes along."""
        if "path" not in self._values:
            self._values["path"] = MjsTendonPath(MjsWrap(self, *entry) for entry in self._get("path"))
        return self._values["path"]

    def _overlay(self):
        fields = super()._overlay()
        return {**fields, "path": [wrap._content() for wrap in self.path]} if "path" in fields else fields

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

    def _overlay(self):
        """Keyframes of attached models refer to joints, actuators and bodies, natively by number."""
        fields = super()._overlay()
        if fields.get("attached") is not None:
            joints, actuators, mocaps, has = fields["attached"]
            places = {id(actuator): i for i, actuator in enumerate(self._spec._lists["actuators"])}

            def joint_place(joint):
                place = next((k for k, other in enumerate(joint._parent._joints) if other is joint), None)
                return None if place is None or joint._parent._deleted else (joint._parent._place, place)

            def known(states, place_of):
                found = ((place_of(owner), *values) for owner, *values in states)
                return [entry for entry in found if entry[0] is not None]
            fields["attached"] = (known(joints, joint_place), known(actuators, lambda a: places.get(id(a))),
                                  known(mocaps, lambda body: None if body._deleted else body._place), has)
        return fields
