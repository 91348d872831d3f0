"""Signals over time, and which column of them is which sensor, state or control of a model."""

import dataclasses
import enum
from typing import Dict, Optional, Tuple

import numpy as np

from ligament import mj_id2name, mj_name2id, mjtJoint, mjtObj

__all__ = ["InterpolationMethod", "SignalMappingType", "SignalType", "TimeSeries"]

InterpolationMethod = str  # "linear", "zoh" (or "zero_order_hold"); with SciPy also "quadratic", "cubic", "quintic"


class SignalType(enum.Enum):
    """Where a signal comes from."""

    MjSensor = 0
    CustomObs = 1
    MjStateQPos = 2
    MjStateQVel = 3
    MjStateAct = 4
    MjCtrl = 5


SignalMappingType = Dict[str, Tuple[SignalType, np.ndarray]]

# positions, velocities
_WIDTHS = {int(mjtJoint.mjJNT_FREE): (7, 6), int(mjtJoint.mjJNT_BALL): (4, 3)}
_SUFFIXES = {SignalType.MjStateQPos: "_qpos", SignalType.MjStateQVel: "_qvel", SignalType.MjStateAct: "_act",
             SignalType.MjCtrl: "_ctrl"}
_OBSERVED = (SignalType.MjSensor, SignalType.MjStateQPos, SignalType.MjStateQVel, SignalType.MjStateAct)


@dataclasses.dataclass(frozen=True)
class TimeSeries:
    """Rows of numbers at growing times. ``signal_mapping`` says which columns a name means, and of what type it is."""

    times: np.ndarray
    data: np.ndarray
    signal_mapping: Optional[SignalMappingType] = None

    def __post_init__(self):
        if self.times.size == 0:
            raise ValueError("Empty arrays are not allowed in TimeSeries")
        if self.times.ndim != 1:
            raise ValueError(f"times must be a 1D array, got {self.times.ndim}D array")
        if len(self.times) != len(self.data):
            raise ValueError(f"Length of times ({len(self.times)}) and data ({len(self.data)}) must match")
        if not _growing(self.times):
            raise ValueError("times must be strictly increasing")

    def __len__(self):
        return len(self.data)

    def __repr__(self):
        begin, end = self.times[0], self.times[-1]
        steps = np.diff(self.times) if len(self.times) > 1 else np.zeros(1)
        even = np.std(steps) < 0.01 * max(np.mean(steps), 1e-300)
        pace = f"{np.mean(steps):.3g}" + ("" if even else f" ({np.min(steps):.3g} to {np.max(steps):.3g})")
        span = f"[{np.min(self.data):.3g}, {np.max(self.data):.3g}]" if self.data.size else "[]"
        return (f"TimeSeries(samples={len(self)}, shape={self.data.shape}, time_range=[{begin:.3g}, {end:.3g}], dt={pace}, "
                f"data_range={span}, signals={list(self.signal_mapping or ())})")

    # ---- making them

    @classmethod
    def create(cls, times, data, signal_mapping):
        """As the constructor; columns in the mapping may be numbers or lists."""
        return cls(times, data, {name: (kind, np.atleast_1d(columns)) for name, (kind, columns) in signal_mapping.items()})

    @classmethod
    def from_names(cls, times, data, model, names=None):
        """Columns are the sensors of a model in their order, or what is named: sensors, positions, velocities, activations.

        A name may stand with its type, ``("elbow", SignalType.MjStateQPos)``, where a name alone means several things.
        """
        return cls._named(times, data, model, names, _OBSERVED, cls.compute_all_sensor_mapping, "sensors dim")

    @classmethod
    def from_control_names(cls, times, data, model, names=None):
        """Columns are the controls of a model in their order, or of the actuators that are named."""
        return cls._named(times, data, model, names, (SignalType.MjCtrl,), cls.compute_all_control_mapping, "controls")

    @classmethod
    def _named(cls, times, data, model, names, allowed, everything, what):
        if data.ndim != 2:
            raise ValueError("The 'data' array must be 2-dimensional (Time x Features).")
        mapping = everything(model) if names is None else _resolved(model, names, allowed)
        width = sum(columns.size for _, columns in mapping.values())
        if width != data.shape[1]:
            reason = f"do not match model {what} ({width})" if names is None else f"do not match resolved signal width ({width})"
            raise ValueError(f"Data columns ({data.shape[1]}) {reason}.")
        return cls(times, data, mapping)

    @classmethod
    def from_custom_map(cls, times, data, signals):
        """Columns are of one's own: each signal is a name (one column) or ``(name, width, type)``."""
        if data.ndim != 2:
            raise ValueError("The 'data' array must be 2-dimensional (Time x Features).")
        mapping, start = {}, 0
        for signal in signals:
            name, width, kind = (signal, 1, SignalType.CustomObs) if isinstance(signal, str) else signal
            if width <= 0:
                raise ValueError(f"Signal '{name}' must have positive width, got {width}.")
            mapping[name] = (kind, np.arange(start, start + width))
            start += width
        if start != data.shape[1]:
            raise ValueError(f"Total width of signals ({start}) does not match data columns ({data.shape[1]}).")
        return cls(times, data, mapping)

    # ---- which columns a model has

    @staticmethod
    def compute_all_sensor_mapping(model):
        """Columns of ``sensordata`` by sensor."""
        return {mj_id2name(model, mjtObj.mjOBJ_SENSOR, i):
                (SignalType.MjSensor, np.arange(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i]))
                for i in range(model.nsensor)}

    @staticmethod
    def compute_all_control_mapping(model):
        """Columns of ``ctrl`` by actuator."""
        return {f"{model.actuator(i).name}_ctrl": (SignalType.MjCtrl, np.array([i])) for i in range(model.nu)}

    @staticmethod
    def compute_all_state_mappings(model):
        """Columns of positions, velocities, activations (as they follow each other in a state without its time) and controls.

        Free joints go by the name of their body.
        """
        positions, velocities, activations = {}, {}, {}
        for joint in range(model.njnt):
            kind = int(model.jnt_type[joint])
            free = kind == int(mjtJoint.mjJNT_FREE)
            name = model.body(model.jnt_bodyid[joint]).name if free else model.joint(joint).name
            qpos, qvel = model.jnt_qposadr[joint], model.nq + model.jnt_dofadr[joint]
            nq, nv = _WIDTHS.get(kind, (1, 1))
            positions[f"{name}_qpos"] = (SignalType.MjStateQPos, np.arange(qpos, qpos + nq))
            velocities[f"{name}_qvel"] = (SignalType.MjStateQVel, np.arange(qvel, qvel + nv))
        for i in np.flatnonzero(model.actuator_actadr >= 0):
            start = model.nq + model.nv + model.actuator_actadr[i]
            columns = np.arange(start, start + model.actuator_actnum[i])
            activations[f"{model.actuator(i).name}_act"] = (SignalType.MjStateAct, columns)
        return positions, velocities, activations, TimeSeries.compute_all_control_mapping(model)

    def get_indices(self, obs_name):
        """Type and columns of a signal."""
        if obs_name not in (self.signal_mapping or {}):
            raise ValueError(f"{obs_name} observation is not in the observation name map. "
                             f"There are: {', '.join(self.signal_mapping or {})}")
        return self.signal_mapping[obs_name]

    @classmethod
    def slice_by_name(cls, ts, enabled_sensors):
        """The named signals only, their columns in the order they had."""
        if not ts.signal_mapping:
            return ts
        wanted = {column for name in enabled_sensors for column in ts.get_indices(name)[1].tolist()}
        kept = [column for _, columns in ts.signal_mapping.values() for column in columns.tolist() if column in wanted]
        place = {column: i for i, column in enumerate(kept)}
        mapping = {}
        for name in enabled_sensors:
            kind, columns = ts.get_indices(name)
            mapping[name] = (kind, np.array([place[column] for column in columns.tolist()]))
        return cls(ts.times, ts.data[..., kept], mapping)

    # ---- between the samples

    def interpolate(self, t, method="linear"):
        """Rows at other times; before the first and after the last sample those two are held."""
        t = np.atleast_1d(np.asarray(t))
        if method in ("zero_order_hold", "zoh"):
            return self.data[np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self) - 1)]
        if method == "linear":
            return self._linear(t)
        return _splines()(self.times, self.data, kind=method, axis=0, bounds_error=False,
                        fill_value=(self.data[0], self.data[-1]), assume_sorted=True)(t)

    def _linear(self, t):
        if len(self) == 1:
            return np.repeat(self.data, len(t), axis=0).astype(float)
        after = np.clip(np.searchsorted(self.times, t), 1, len(self) - 1)
        begin, end = self.times[after - 1], self.times[after]
        slope = (self.data[after] - self.data[after - 1]) / _as_column(end - begin, self.data)
        rows = slope * _as_column(t - begin, self.data) + self.data[after - 1]
        rows[t < self.times[0]] = self.data[0]
        rows[t > self.times[-1]] = self.data[-1]
        return rows

    def get(self, t, method="linear"):
        """The times, and the rows at them; one row without its axis for a single time."""
        t = np.asarray(t)
        rows = self.interpolate(t, method)
        return t, rows if t.shape else rows[0]

    def resample(self, new_times=None, target_dt=None, method="linear"):
        """The series at other times: given ones, or evenly from first to last in steps of about ``target_dt``."""
        if new_times is None:
            if target_dt is None:
                raise ValueError("Either new_times or target_dt must be provided")
            if target_dt <= 0:
                raise ValueError("target_dt must be a positive float")
            begin, end = self.times[0], self.times[-1]
            new_times = np.linspace(begin, end, int(np.ceil((end - begin) / target_dt)) + 1)
        elif new_times.ndim != 1:
            raise ValueError("new_times must be a 1D array")
        elif not _growing(new_times):
            raise ValueError("new_times must be strictly increasing")
        return TimeSeries(new_times, self.interpolate(new_times, method), self.signal_mapping)

    def remove_from_beginning(self, time_to_remove_s):
        """Without the samples before a time; what is left starts at zero."""
        if time_to_remove_s < 0:
            raise ValueError("time_to_remove_s must be non-negative")
        if time_to_remove_s > self.times[-1]:
            raise ValueError("time_to_remove_s is greater than the duration of the time series")
        first = np.searchsorted(self.times, time_to_remove_s)
        return TimeSeries(self.times[first:] - self.times[first], self.data[first:], self.signal_mapping)

    def dt_statistics(self):
        """Mean, median, standard deviation, least and largest of the steps between times."""
        if self.times.size < 2:
            raise ValueError("Must have at least two timestamps to compute dt statistics.")
        steps = np.diff(self.times)
        return {name: float(getattr(np, name)(steps)) for name in ("mean", "median", "std", "min", "max")}

    # ---- files

    def save_to_disk(self, path):
        """Writes an ``.npz`` file."""
        np.savez(path, times=self.times, data=self.data, signal_mapping=np.array(self.signal_mapping, dtype=object))

    def save_to_csv(self, path):
        """Writes times and data as a table, without names."""
        np.savetxt(path, np.column_stack([self.times, self.data]), delimiter=",")

    @classmethod
    def load_from_disk(cls, path):
        """Reads an ``.npz`` file; those of strangers may run code, for the names in it are a pickle."""
        with np.load(path, allow_pickle=True) as file:
            mapping = file["signal_mapping"].item() if "signal_mapping" in file else None
            return cls(file["times"], file["data"], mapping)


def _splines():
    try:
        from scipy.interpolate import interp1d
    except ImportError:
        raise ImportError("splines need SciPy (pip install scipy); 'linear' and 'zoh' do not") from None
    return interp1d


def _growing(times):
    return bool(np.all(np.diff(times) > 0))


def _as_column(numbers, data):
    """Numbers per row in the shape that multiplies rows of ``data``."""
    return numbers.reshape(-1, *[1] * (data.ndim - 1))


def _resolved(model, names, allowed):
    """Columns one after the other, as the names come, with the type of each."""
    mapping, start = {}, 0
    for item in names:
        name, hint = item if isinstance(item, tuple) else (item, None)
        if hint is not None and hint not in allowed:
            raise ValueError(f"Signal '{name}' has type {hint.name} which is not allowed.")
        full, kind, width = _resolved_name(model, name, allowed if hint is None else (hint,))
        mapping[full] = (kind, np.arange(start, start + width))
        start += width
    return mapping


def _resolved_name(model, name, allowed):
    """The name with the suffix of its type, that type, and how many columns it has."""
    for kind in (SignalType.MjSensor, SignalType.MjCtrl, SignalType.MjStateQPos, SignalType.MjStateQVel,
                 SignalType.MjStateAct):
        if kind in allowed:
            suffix = _SUFFIXES.get(kind, "")
            base = name[:-len(suffix)] if suffix and name.endswith(suffix) else name
            width = _width(model, base, kind)
            if width:
                return base + suffix, kind, width
    raise ValueError(f"Could not resolve signal '{name}' with allowed types {[kind.name for kind in allowed]}.")


def _width(model, name, kind):
    """Columns of what is called so, or zero."""
    if kind == SignalType.MjSensor:
        sensor = mj_name2id(model, mjtObj.mjOBJ_SENSOR, name)
        return int(model.sensor_dim[sensor]) if sensor >= 0 else 0
    if kind in (SignalType.MjCtrl, SignalType.MjStateAct):
        actuator = mj_name2id(model, mjtObj.mjOBJ_ACTUATOR, name)
        if actuator < 0:
            return 0
        return 1 if kind == SignalType.MjCtrl else int(model.actuator_actnum[actuator])
    which = 0 if kind == SignalType.MjStateQPos else 1
    joint = mj_name2id(model, mjtObj.mjOBJ_JOINT, name)
    if joint >= 0:
        return _WIDTHS.get(int(model.jnt_type[joint]), (1, 1))[which]
    body = mj_name2id(model, mjtObj.mjOBJ_BODY, name)
    return (7, 6)[which] if body >= 0 and model.body_dofnum[body] == 6 else 0
