"""What a system did: controls, sensor data, states; and simulating the same from given controls."""

import dataclasses
import logging
from typing import Optional

import numpy as np

from ligament import MjData, MjModel, mj_getState, mj_stateSize, mjtSensor, mjtState
from ligament import rollout as _rollout
from ligament.sysid.timeseries import TimeSeries

__all__ = ["ModelSequences", "SystemTrajectory", "create_initial_state", "sysid_rollout"]

_FULL = int(mjtState.mjSTATE_FULLPHYSICS)
_KINDS = {"joint_pos": mjtSensor.mjSENS_JOINTPOS, "joint_vel": mjtSensor.mjSENS_JOINTVEL,
          "joint_torque": mjtSensor.mjSENS_JOINTACTFRC}
_SERIES = ("control", "sensordata", "state")


@dataclasses.dataclass(frozen=True)
class SystemTrajectory:
    """Controls and sensor data over time, the state it began in and, where they are known, the states after it."""

    model: MjModel
    control: TimeSeries
    sensordata: TimeSeries
    initial_state: np.ndarray
    state: Optional[TimeSeries]

    def __len__(self):
        return len(self.sensordata)

    def replace(self, **changes):
        """A copy with other fields."""
        return dataclasses.replace(self, **changes)

    @property
    def sensordim(self):
        """How many numbers the sensors of the model give."""
        return self.model.nsensordata

    def get_sensordata_slice(self, sensor="joint_pos"):
        """The columns of all sensors of a kind: ``joint_pos``, ``joint_vel`` or ``joint_torque``."""
        if sensor not in _KINDS:
            raise ValueError(f"Unsupported sensor type: {sensor}")
        chosen = np.flatnonzero(self.model.sensor_type == int(_KINDS[sensor]))
        if not chosen.size:
            raise ValueError(f"The model has no sensor of type {sensor}")
        return self.sensordata.data[:, self.model.sensor_adr[chosen]]

    def check_compatible(self, allow_missing_sensors=False):
        """An error where widths are not those of the model; missing sensors may be no more than a warning."""
        widths = [("Sensor data", self.sensordata.data.shape[1], "sensor", self.model.nsensordata),
                  ("Control data", self.control.data.shape[1], "control", self.model.nu),
                  ("Initial state", self.initial_state.shape[0], "state", mj_stateSize(self.model, _FULL))]
        if self.state is not None:
            widths.append(("State", self.state.data.shape[1], "state", mj_stateSize(self.model, _FULL)))
        for what, width, kind, wanted in widths:
            if width != wanted:
                message = f"{what} dimension {width} does not match model {kind} dimension {wanted}"
                if kind != "sensor" or not allow_missing_sensors:
                    raise ValueError(message)
                logging.getLogger(__name__).warning(message)

    def split(self, chunk_size):
        """Pieces of that many steps, each with the state it begins in; what is left at the end is dropped."""
        if self.state is None:
            raise ValueError("Cannot split rollout with missing state field.")

        def piece(series, start):
            mapping = series.signal_mapping if series is self.state else None
            return TimeSeries(series.times[start:start + chunk_size], series.data[start:start + chunk_size], mapping)

        return [SystemTrajectory(self.model, piece(self.control, start), piece(self.sensordata, start),
                                 self.state.data[start - 1] if start else self.initial_state, piece(self.state, start))
                for start in range(0, len(self) // chunk_size * chunk_size, chunk_size)]

    def render(self, height=240, width=320, camera=-1, fps=30):
        """Pictures of it."""
        if self.state is None:
            raise ValueError("Cannot render rollout with missing state field.")
        from ligament.sysid.plotting import render_rollout
        return render_rollout(self.model, MjData(self.model), self.state.data[None], fps, camera, width, height)

    def save_to_disk(self, path):
        """Writes an ``.npz`` file, without the model."""
        content = {"initial_state": self.initial_state}
        for name in _SERIES:
            series = getattr(self, name)
            if series is not None:
                content.update({f"{name}_times": series.times, f"{name}_data": series.data,
                                f"{name}_signal_mapping": np.array(series.signal_mapping, dtype=object)})
        np.savez(path, **content)

    @classmethod
    def load_from_disk(cls, path, model, allow_missing_sensors=False):
        """Reads an ``.npz`` file; those of strangers may run code, for the names in it are a pickle."""
        with np.load(path, allow_pickle=True) as file:
            def series(name):
                if f"{name}_times" not in file:
                    return None
                mapping = f"{name}_signal_mapping"
                return TimeSeries(file[f"{name}_times"], file[f"{name}_data"], file[mapping].item() if mapping in file else None)

            loaded = cls(model, series("control"), series("sensordata"), file["initial_state"], series("state"))
        loaded.check_compatible(allow_missing_sensors)
        return loaded


def create_initial_state(model, qpos, qvel=None, act=None, qpos_names=None, qvel_names=None, act_names=None):
    """A full state (``mjSTATE_FULLPHYSICS``) from positions, velocities and activations.

    With names (``elbow_qpos``, ``elbow_qvel``, ``motor_act``) only those are set, everything else is as in a new state.
    """
    data = MjData(model)
    positions, velocities, activations, _ = TimeSeries.compute_all_state_mappings(model)
    parts = [("qpos", qpos, qpos_names, positions, 0), ("qvel", qvel, qvel_names, velocities, model.nq),
             ("act", act, act_names, activations, model.nq + model.nv)]
    for what, values, names, mapping, offset in parts:
        target = getattr(data, what)
        if names is None:
            if values is not None:
                _set(what, target, slice(None), values, target.size)
            continue
        if values is None:
            raise ValueError(f"Expected {what} to not be None when {what}_names is not None")
        unknown = [name for name in names if name not in mapping]
        if unknown:
            raise ValueError(f"{what}_names: no {unknown[0]} in the model. There are: {', '.join(mapping)}")
        columns = np.concatenate([mapping[name][1] - offset for name in names]) if names else np.array([], dtype=int)
        _set(what, target, columns, values, columns.size)
    state = np.empty(mj_stateSize(model, _FULL))
    mj_getState(model, data, state, _FULL)
    return state


def _set(what, target, columns, values, size):
    if values.shape[0] != size:
        raise ValueError(f"Expected {what} to have shape {size}, got {values.shape[0]}.")
    target[columns] = values


class ModelSequences:
    """A specification, and one or more recordings of the system it describes."""

    def __init__(self, name, spec, sequence_name, initial_state, control, sensordata, allow_missing_sensors=False):
        self.name, self.spec, self.allow_missing_sensors = name, spec, allow_missing_sensors
        self.gt_model = spec.compile()
        self.sequence_name = _listed(sequence_name, str)
        self.initial_state = _listed(initial_state, np.ndarray)
        self.control, self.sensordata = _listed(control, TimeSeries), _listed(sensordata, TimeSeries)
        lengths = {len(self.sequence_name), len(self.initial_state), len(self.control), len(self.sensordata)}
        if len(lengths) > 1:
            raise ValueError(f"'{name}': names, initial states, controls and sensor data must be equally many")
        self.measured_rollout = [SystemTrajectory(self.gt_model, *recording, state=None) for recording in
                                 zip(self.control, self.sensordata, self.initial_state)]
        for recording in self.measured_rollout:
            recording.check_compatible(allow_missing_sensors)

    def __getitem__(self, key):
        return ModelSequences(self.name, self.spec, self.sequence_name[key], self.initial_state[key], self.control[key],
                              self.sensordata[key], self.allow_missing_sensors)


def _listed(value, single):
    return [value] if isinstance(value, single) else list(value)


def sysid_rollout(models, datas, control_signal, initial_states, rollout_signal_mapping=None, rollout_state_mapping=None,
                  ctrl_mapping=None):
    """Simulates: one trajectory for each control signal (all of one length), with one model or a model for each.

    The last control is left out: what it would lead to was not measured.
    """
    models = _listed(models, MjModel)
    controls, starts = _listed(control_signal, TimeSeries), np.atleast_2d(np.asarray(initial_states))
    if not (rollout_signal_mapping and rollout_state_mapping and ctrl_mapping):
        rollout_signal_mapping, rollout_state_mapping, ctrl_mapping = mappings(models[0])
    if len({len(control) for control in controls}) > 1:
        raise ValueError("control signals must have the same number of samples")
    applied = np.stack([control.data[:-1] for control in controls])
    states, sensors = _rollout.rollout(models, datas, starts, applied)
    count = len(states)

    def of(items, i):
        return items[i if len(items) == count else 0]

    return [SystemTrajectory(of(models, i), TimeSeries(of(controls, i).times[:-1], of(applied, i), ctrl_mapping),
                             TimeSeries(states[i][:, 0], sensors[i], rollout_signal_mapping), of(starts, i),
                             TimeSeries(states[i][:, 0], states[i], rollout_state_mapping)) for i in range(count)]


def mappings(model):
    """Columns of the sensors, of a state without its time, and of the controls."""
    positions, velocities, activations, controls = TimeSeries.compute_all_state_mappings(model)
    return TimeSeries.compute_all_sensor_mapping(model), {**positions, **velocities, **activations}, controls
