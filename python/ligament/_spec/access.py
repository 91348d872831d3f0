"""How attributes and methods of a specification are made: one of each for every kind of element."""

import os

from ligament._enums import mjtObj
from ligament._spec.exchange import LISTS

_WITH_DEFAULT = ("mesh", "material", "pair", "equality", "tendon", "actuator")
_NAMED_BY_FILE = ("mesh", "texture", "hfield", "skin")
_LISTED = {cls._KIND: name for name, cls in LISTS.items()}
_NOTHING = {}


def settings_property(name, make):
    """A group of settings, made when it is first asked for."""
    def get(self):
        if name not in self._groups:
            if self._settings is None:
                self._settings = self._start_settings.settings()
            self._groups[name] = make(self._settings)
        return self._groups[name]

    def assign(self, value):
        get(self)._assign(value)
    return property(get, assign)


def text_property(name):
    def get(self):
        return getattr(self, f"_{name}")

    def assign(self, value):
        if not isinstance(value, str):
            raise TypeError(f"{name} is the wrong type.")
        setattr(self, f"_{name}", value)
    return property(get, assign)


def compiler_property(name):
    def get(self):
        return getattr(self._compilers[0], name)

    def assign(self, value):
        setattr(self._compilers[0], name, value)
    return property(get, assign)


def called(element):
    """The name of an element; meshes and textures without one are called as their file."""
    if not element._name and element._KIND in _NAMED_BY_FILE:
        return os.path.splitext(os.path.basename(element.file))[0]
    return element._name


def label_of(kind):
    return mjtObj(kind).name[len("mjOBJ_"):].lower()


def size_property(name):
    def assign(self, value):
        setattr(self._sizes(), name, value)
    return property(lambda self: getattr(self._sizes(), name), assign)


def lister(name):
    return property(lambda self: list(self._lists[name]), doc=f"All {name}.")


def adder(kind, name, cls):
    def add(self, default=None, **settings):
        start = default if default is not None else self.default
        source = start._template(kind) if kind in _WITH_DEFAULT else None
        element = cls._make(self, source, start)._set_all(settings)
        self._add(self._lists[name], element)
        element._id = len(self._lists[name]) - 1
        return element
    add.__name__, add.__doc__ = f"add_{kind}", f"Adds a {kind}."
    return add


def finder(kind, label):
    """Finds by name; meshes and the like without one are called as their file."""
    by_file = label in _NAMED_BY_FILE

    def find(self, name):
        name = name.decode() if isinstance(name, bytes) else name
        if not isinstance(name, str):
            raise TypeError("name is the wrong type.")
        found = self._names().get(kind, _NOTHING).get(name)
        if found is None and by_file:
            listed = self._lists[_LISTED[label]]
            return next((element for element in listed if called(element) == name), None)
        return found
    find.__name__, find.__doc__ = label, f"The {label} of that name, or None."
    return find
