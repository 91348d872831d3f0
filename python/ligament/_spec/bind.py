"""Rows of a model or a state by elements of the specification it was compiled from."""

from collections.abc import Sequence

from ligament._structs import MjData, MjModel

_VIEWS = {"hfield": "hfield", "light": "light", "camera": "cam", "joint": "jnt", "material": "mat", "texture": "tex",
          "equality": "eq"}


def _view(owner, model, element):
    if element.signature != model.signature or element.id < 0:
        raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    return getattr(owner, _VIEWS.get(element._KIND, element._KIND))(element.id)


class _Bound:
    """Several views as one: attributes are joined."""

    def __init__(self, views, writable):
        self.__dict__.update(elements=views, _writable=writable)

    def __getattr__(self, name):
        return [value for view in self.elements for value in getattr(view, name)]

    def __setattr__(self, name, value):
        if not self._writable:
            raise AttributeError(f"Cannot set {name} on MjModel.")
        for view, item in zip(self.elements, value):
            setattr(view, name, item)


def _bind(owner, model, specs, writable):
    if isinstance(specs, Sequence):
        return _Bound([_view(owner, model, element) for element in specs], writable)
    return _view(owner, model, specs)


def bind_model(model, specs):
    """The view of an element of a specification, or of several."""
    return _bind(model, model, specs, False)


def bind_data(data, specs):
    """The view of an element of a specification, or of several."""
    return _bind(data, data.model, specs, True)


MjModel.bind = MjModel.bind_scalar = bind_model
MjData.bind = MjData.bind_scalar = bind_data
