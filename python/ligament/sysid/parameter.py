"""What is looked for: named numbers with bounds, and how they are written into a specification."""

import copy
import enum
import json
from typing import Any, Callable

import numpy as np

__all__ = ["InertiaType", "ModifierFn", "Parameter", "ParameterDict"]

ModifierFn = Callable[..., Any]
"""``modifier(spec, parameter)`` writes the value of a parameter into a specification."""

_KEPT = ("nominal", "min_value", "max_value", "value")


class InertiaType(enum.Enum):
    """Which numbers of a body's inertia are free."""

    Mass = 0
    MassIpos = 1
    Pseudo = 2


class Parameter:
    """One number or an array of them: ``value`` now, ``nominal`` where it starts, between ``min_value`` and ``max_value``.

    ``modifier(spec, parameter)`` writes the value into a specification before it is compiled. A ``frozen`` parameter keeps
    its value: it is no part of the vector that is optimised, and its modifier is not called.
    """

    def __init__(self, name, nominal, min_value, max_value, frozen=False, modifier=None):
        self.name, self.frozen, self.modifier = name, frozen, modifier
        self.nominal = np.atleast_1d(nominal)
        self.min_value, self.max_value = np.atleast_1d(min_value), np.atleast_1d(max_value)
        self.value = self.nominal.copy()

    @property
    def size(self):
        """How many numbers it is."""
        return self.nominal.size

    @property
    def shape(self):
        """The shape of value and bounds."""
        return self.nominal.shape

    def apply_modifier(self, spec):
        """Writes the value into a specification, if there is a modifier."""
        if self.modifier is not None:
            self.modifier(spec, self)

    def as_vector(self):
        """The value as a flat array (a copy)."""
        return self.value.flatten()

    def as_nominal_vector(self):
        """The nominal value as a flat array (a copy)."""
        return self.nominal.flatten()

    def update_from_vector(self, vector):
        """Takes the value from a flat array."""
        vector = np.atleast_1d(vector)
        if vector.size != self.size:
            raise ValueError(f"Input vector length {vector.size} does not match parameter size {self.size}: "
                             f"parameter '{self.name}'")
        self.value = vector.reshape(self.shape)

    def get_bounds(self):
        """Lower and upper bounds as flat arrays."""
        return self.min_value.flatten(), self.max_value.flatten()

    def reset(self):
        """Goes back to the nominal value."""
        self.value = self.nominal.copy()

    def sample(self, rng=None):
        """A flat array drawn between the bounds, each value as likely as the other."""
        return (rng or np.random.default_rng()).uniform(*self.get_bounds())

    def element_names(self):
        """``name`` for one number, ``name[i]`` or ``name[i,j]`` for the elements of an array."""
        if self.size == 1:
            return [self.name]
        return [f"{self.name}[{','.join(map(str, index))}]" for index in np.ndindex(self.shape)]

    def _lines(self):
        for name, value, low, high in zip(self.element_names(), self.as_vector(), *self.get_bounds()):
            yield f"{name}: {value:.3g} ∈ [{low:.3g}, {high:.3g}]" + (" (frozen)" if self.frozen else "")

    def __repr__(self):
        return "\n".join(self._lines())

    def __getstate__(self):
        return {"name": self.name, **{key: getattr(self, key).tolist() for key in _KEPT}, "frozen": self.frozen}

    def __setstate__(self, state):
        self.name, self.frozen, self.modifier = state["name"], state["frozen"], None
        for key in _KEPT:
            setattr(self, key, np.array(state[key]))

    def __deepcopy__(self, memo):
        # unlike a pickle, a copy keeps its modifier
        twin = type(self).__new__(type(self))
        twin.__dict__.update({key: copy.deepcopy(value, memo) for key, value in self.__dict__.items()})
        return twin


class ParameterDict:
    """Parameters by name, in the order they were added, which is their order in the vector that is optimised."""

    def __init__(self, parameters=None):
        self.parameters = {} if parameters is None else parameters

    def __getitem__(self, key):
        return self.parameters[key]

    def __setitem__(self, key, value):
        self.parameters[key] = value

    def __contains__(self, key):
        return key in self.parameters

    def __len__(self):
        return len(self.parameters)

    def keys(self):
        """Names, as a list."""
        return list(self.parameters)

    def values(self):
        """Parameters, as a list."""
        return list(self.parameters.values())

    def items(self):
        """Pairs of name and parameter, as a list."""
        return list(self.parameters.items())

    def copy(self):
        """A copy that shares nothing with this one but the modifiers."""
        return copy.deepcopy(self)

    def add(self, param):
        """Adds a parameter under its own name."""
        self.parameters[param.name] = param

    def update(self, pdict):
        """Adds all of another dictionary; names must be new."""
        for name, param in pdict.items():
            if name in self.parameters:
                raise ValueError(f"Parameter '{name}' already exists in the dictionary.")
            self.parameters[name] = param

    def _free(self, include_frozen=False):
        return [param for param in self.parameters.values() if include_frozen or not param.frozen]

    @property
    def size(self):
        """The length of the vector that is optimised."""
        return sum(param.size for param in self._free())

    def as_vector(self, include_frozen=False):
        """Values as one vector, without those of frozen parameters."""
        return _joined(param.as_vector() for param in self._free(include_frozen))

    def as_nominal_vector(self, include_frozen=False):
        """Nominal values as one vector, without those of frozen parameters."""
        return _joined(param.as_nominal_vector() for param in self._free(include_frozen))

    def update_from_vector(self, vector):
        """Takes the values from one vector."""
        start = 0
        for param in self._free():
            param.update_from_vector(vector[start:start + param.size])
            start += param.size

    def get_bounds(self):
        """Lower and upper bounds as one vector each."""
        bounds = [param.get_bounds() for param in self._free()]
        return _joined(low for low, _ in bounds), _joined(high for _, high in bounds)

    def reset(self):
        """All go back to their nominal values, frozen ones too."""
        for param in self.parameters.values():
            param.reset()

    def sample(self, rng=None):
        """A vector drawn between the bounds."""
        return (rng or np.random.default_rng()).uniform(*self.get_bounds())

    def randomize(self, rng=None):
        """Draws the values between their bounds."""
        rng = rng or np.random.default_rng()
        for param in self._free():
            param.update_from_vector(param.sample(rng))

    def get_non_frozen_parameter_names(self):
        """What the elements of the vector are called."""
        return [name for param in self._free() for name in param.element_names()]

    def save_to_disk(self, path):
        """Writes values, bounds and names, but no modifiers. The file is JSON, which is YAML too."""
        text = json.dumps({name: param.__getstate__() for name, param in self.parameters.items()}, indent=2)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")

    @classmethod
    def load_from_disk(cls, path):
        """Reads what ``save_to_disk`` wrote, here or in ``mujoco.sysid`` (that needs PyYAML)."""
        with open(path, encoding="utf-8") as file:
            states = _parsed(file.read())
        parameters = {}
        for name, state in states.items():
            parameters[name] = Parameter.__new__(Parameter)
            parameters[name].__setstate__(state)
        return cls(parameters)

    def compare_parameters(self, init_params, predicted_params, measured_params=None, sig_digits=4):
        """A table: where each number started, what it should be (if known), what was found, how far that is."""
        names = self.get_non_frozen_parameter_names()
        if not names:
            return "No non-frozen parameters to compare."
        columns = {"Initial": init_params, "Nominal": measured_params, "Identified": predicted_params}
        for title, column in columns.items():
            if column is not None and len(column) != len(names):
                raise ValueError(f"{title} parameter vector length {len(column)} does not match the number of non-frozen "
                                 f"parameters {len(names)}.")
        return _comparison(names, columns, self.get_bounds(), sig_digits)

    def get_parameter_info(self):
        """Names, sizes, shapes, and which are frozen."""
        rows = [(name, str(param.size), str(param.shape), "Yes" if param.frozen else "No")
                for name, param in self.parameters.items()]
        return "\n".join(_table(("Name", "Size", "Shape", "Frozen"), rows)) if rows else "No parameters in dictionary."

    def __repr__(self):
        lines = [f"  {line}" for param in self.parameters.values() for line in param._lines()]
        return "\n".join(["ParameterDict(", *lines, ")"]) if lines else "ParameterDict(empty)"


def _joined(vectors):
    vectors = list(vectors)
    return np.concatenate(vectors) if vectors else np.array([])


def _parsed(text):
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        import yaml  # what mujoco.sysid writes is YAML, not JSON
        return yaml.safe_load(text)


def _table(titles, rows):
    widths = [max(map(len, column)) for column in zip(titles, *rows)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in (titles, *rows)]
    return [lines[0], "-" * (sum(widths) + 2 * len(widths) - 2), *lines[1:]]


def _comparison(names, columns, bounds, digits):
    """The table of ``compare_parameters``: an asterisk marks what was found at a bound."""
    initial, nominal, found = (None if column is None else np.asarray(column, dtype=float) for column in columns.values())

    def number(x):
        return f"{x:.{digits}e}" if abs(x) < 0.01 and x else f"{x:.{digits}f}"

    def distance(i, origin):
        if origin is None:
            return "", ""
        gap = abs(found[i] - origin[i])
        share = gap / abs(origin[i]) if origin[i] else np.inf
        return number(gap), f"{100 * share:.1f}%" if share <= 20 else ""

    rows = []
    for i, (name, low, high) in enumerate(zip(names, *bounds)):
        at_bound = any(abs(found[i] - bound) < 1e-8 + 1e-3 * abs(bound) for bound in (low, high))
        errors, changes = distance(i, nominal), distance(i, initial)
        rows.append((name, number(initial[i]), "" if nominal is None else number(nominal[i]),
                     number(found[i]) + ("*" if at_bound else ""), number(low), number(high),
                     errors[0], changes[0], errors[1], changes[1]))
    titles = ("Parameter", *columns, "Lower", "Upper", "Abs Err", "Abs Del", "Rel Err", "Rel Del")
    lines = _table(titles, rows)
    if nominal is not None:
        lines.append(f"RMSE: {np.sqrt(np.mean((found - nominal) ** 2)):.4g}")
    lines.append(f"RMS Delta: {np.sqrt(np.mean((found - initial) ** 2)):.4g}")
    return "\n".join(lines)
