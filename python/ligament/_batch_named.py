"""One object's part of per-simulation fields: ``batch.joint('hinge').qpos``, ``batch.body('pole').mass``."""

import numpy as np

from ligament import _batch_fields as _fields
from ligament._structs import MjData

# kinds of objects, and whether MjData has fields of them
KINDS = {"actuator": True, "body": True, "camera": True, "geom": True, "joint": True, "light": True, "sensor": True,
         "site": True, "tendon": True, "equality": False, "keyframe": False, "material": False, "numeric": False,
         "pair": False}
# what MjData computes for an object without it being a part of a field
_COMPUTED = {("actuator", "moment")}


class _Recorder:
    """Stands in for the arrays of a model or state: gives the numbers of the elements, and remembers the field."""

    def __init__(self, fetch):
        self._fetch = fetch
        self.field = None

    def __call__(self, name):
        values = np.asarray(self._fetch(name))
        if name.endswith(("adr", "num", "size", "dim")) and self.field is not None:
            return values  # used to find the part of another field
        self.field = name
        self.values = values
        return np.arange(values.size).reshape(values.shape)


class Named:
    """One object's part of per-simulation fields, with the attributes that it has in MjData and MjModel.

    Attributes of MjData bind their field. Attributes of MjModel are read without expanding it: the values of each
    simulation where they have their own, else the model's, read-only unless ``expand()`` made them. Assigning expands
    the field and writes every simulation's value. Ids, addresses, counts and types cannot be assigned.
    """

    def __init__(self, batch, kind, key, data=True):
        view = getattr(batch._model, kind)(key)
        self.__dict__.update(_batch=batch, _kind=kind, _view=view, _data_view=None, id=view.id, name=view.name)
        if data:
            template = batch.__dict__.get("_template_data")
            if template is None:
                template = batch.__dict__["_template_data"] = MjData(batch._model)
            self.__dict__["_data_view"] = getattr(template, kind)(view.id)

    def __getattr__(self, attr):
        if attr.startswith("__"):
            raise AttributeError(attr)
        return self._slice(attr, write=False)

    def __setattr__(self, attr, value):
        if attr in ("id", "name"):
            raise AttributeError(f"'{attr}' of a {self._kind} cannot be set")
        self._slice(attr, write=True)[...] = value

    def __dir__(self):
        views = [view for view in (self._view, self._data_view) if view is not None]
        return sorted({name for view in views for name in dir(view)})

    def __repr__(self):
        return f"<{self._kind} {self.id} '{self.name}' of {self._batch.nsim} simulations>"

    def _slice(self, attr, write):
        """The (nsim, ...) part of a field, writable if ``write``."""
        if (self._kind, attr) in _COMPUTED:
            raise AttributeError(f"'{attr}' of a {self._kind} is computed, it is not a slice of a field")
        found = self._find(self._data_view, attr)
        if found is not None:
            return self._data_part(*found, write)
        found = self._find(self._view, attr)
        if found is None:
            names = [name for name in dir(self) if name not in ("id", "name")]
            hint = _fields.did_you_mean(attr, names)
            raise AttributeError(f"'{attr}' is not a field of a {self._kind}{hint}")
        return self._model_part(*found, write)

    @staticmethod
    def _find(view, attr):
        """Field, numbers of the object's elements in it, and their values; None if there is no such attribute."""
        if view is None or attr.startswith("_"):
            return None
        recorder = _Recorder(view._fetch)
        elements = type(view)(recorder, view._model, view.id)._find(attr)
        return None if elements is None else (recorder.field, elements, recorder.values.reshape(-1)[elements])

    def _data_part(self, field, elements, _, write):
        if write and field not in _fields.STATE_FIELDS:
            raise ValueError(_fields.output_message(field))
        return _part(self._batch.bind(field), elements)

    def _model_part(self, field, elements, values, write):
        batch = self._batch
        if field in batch._expanded:
            return _part(batch._expanded[field], elements)
        if write:
            if batch.models is not None:
                raise ValueError("simulations run on caller models: edit those, then call set_models again")
            if _fields.is_structural(field, values):
                raise ValueError(f"'{field}' is structural, the same in every simulation: it cannot be assigned")
            return _part(batch.expand(field), elements)
        models = batch.models
        if models is not None:
            models = models if isinstance(models, tuple) else (models,) * batch.nsim
            stacked = np.stack([np.asarray(getattr(m, field)).reshape(-1)[elements] for m in models])
            return _fields.read_only(stacked)
        derived = batch.expanded(field) if field in _fields.MODEL_FIELDS else None
        if derived is not None:
            return _part(derived, elements)
        return np.broadcast_to(values, (batch.nsim, *values.shape))


def _part(table, elements):
    """Columns of a table; an object's elements are always neighbours."""
    if elements.size == 0:
        return np.empty((len(table), *elements.shape), table.dtype)
    start = int(elements.flat[0])
    flat = table.reshape(len(table), -1)
    return flat[:, start:start + elements.size].reshape(len(table), *elements.shape)
