"""How far simulated signals are from measured ones, as a function of the parameters."""

import os
from typing import Any, Callable

import numpy as np

from ligament import MjData
from ligament.sysid import model_modifier, signal_modifier
from ligament.sysid.timeseries import SignalType, TimeSeries
from ligament.sysid.trajectory import SystemTrajectory, mappings, sysid_rollout

__all__ = ["BuildModelFn", "CustomRolloutFn", "ModifyResidualFn", "build_residual_fn", "construct_ts_from_defaults",
           "model_residual", "residual"]

BuildModelFn = Callable[..., Any]
"""``build_model(params, spec)`` gives a model."""
CustomRolloutFn = Callable[..., Any]
"""Stands for ``sysid_rollout``; called with its arguments and ``param_dicts``, by name."""
ModifyResidualFn = Callable[..., Any]
"""``modify_residual(params, predicted, measured, model, return_pred_all, state=…)`` gives residual, predicted, measured."""

_THREADS = os.cpu_count() or 1


def construct_ts_from_defaults(state_ts, pred_sensordata, measured_sensordata, enabled_observations=None):
    """Measured and predicted series with the same columns: those that are enabled, or all that were measured.

    Sensors come from the simulated sensor data, positions, velocities and activations from the simulated state.
    """
    if measured_sensordata.signal_mapping is None:
        raise ValueError("measured data has no names: make it with TimeSeries.from_names, or give modify_residual")
    known = measured_sensordata.signal_mapping
    wanted = enabled_observations or [(name, kind) for name, (kind, _) in known.items()]
    measured = TimeSeries.slice_by_name(measured_sensordata, [name for name, _ in wanted])
    predicted = np.zeros((len(pred_sensordata), measured.data.shape[1]))
    for name, declared in wanted:
        kind, columns = known[name]
        if kind != declared:
            raise ValueError(f"Observation type error: {name} is of type {kind} but declared as {declared}.")
        if kind == SignalType.MjSensor:
            values = pred_sensordata.data[:, columns]
        elif kind in (SignalType.MjStateQPos, SignalType.MjStateQVel, SignalType.MjStateAct):
            values = state_ts.data[:, state_ts.get_indices(name)[1]]
        else:
            raise ValueError(f"'{name}' is a {kind.name} signal, which a simulation does not give: use modify_residual")
        predicted[:, measured.signal_mapping[name][1]] = values
    return measured, TimeSeries(pred_sensordata.times, predicted, measured.signal_mapping)


def model_residual(x, params, build_model, traj_measured, modify_residual=None, custom_rollout=None, n_threads=_THREADS,
                   return_pred_all=False, resample_true=True, sensor_weights=None, enabled_observations=()):
    """Residuals of recordings of one model, with predicted and measured series.

    ``x`` is a vector of parameters or, for finite differences, one in each column; then residuals are columns, too. All
    columns and recordings are simulated together, on several threads. With ``resample_true`` controls are brought to the
    time step of the model, and what is predicted to the times that were measured.
    """
    recordings = [traj_measured] if isinstance(traj_measured, SystemTrajectory) else list(traj_measured)
    points = [column.copy() for column in (x.T if x.ndim > 1 else [x])]
    models = []
    for point in points:
        params.update_from_vector(point)
        models.append(build_model(params))
    simulated = _simulate(models, params, points, recordings, custom_rollout, n_threads, resample_true)
    settings = (modify_residual, return_pred_all, resample_true, sensor_weights, enabled_observations)
    found = []
    for i, trajectory in enumerate(simulated):
        which, recording = divmod(i, len(recordings))
        params.update_from_vector(points[which])
        found.append(_residual_of(params, models[which], trajectory, recordings[recording].sensordata, *settings))
    residuals = np.concatenate([np.ravel(residual) for residual, _, _ in found])
    if x.ndim > 1:
        residuals = residuals.reshape(len(points), -1).T
    return residuals, [predicted for _, predicted, _ in found], [measured for _, _, measured in found]


def _simulate(models, params, points, recordings, custom_rollout, n_threads, resample):
    """A trajectory for each recording of each model."""
    step = models[0].opt.timestep
    controls = [recording.control.resample(target_dt=step) if resample else recording.control for recording in recordings]
    sensors, states, controlled = mappings(models[0])
    arguments = {"models": [model for model in models for _ in recordings],
                 "datas": [MjData(models[0]) for _ in range(n_threads)],
                 "control_signal": controls * len(models),
                 "initial_states": [recording.initial_state for recording in recordings] * len(models),
                 "rollout_signal_mapping": sensors, "rollout_state_mapping": states, "ctrl_mapping": controlled}
    if custom_rollout is None:
        return sysid_rollout(**arguments)
    copies = [params.copy() for _ in points]
    for twin, point in zip(copies, points):
        twin.update_from_vector(point)
    return custom_rollout(**arguments, param_dicts=copies)


def _residual_of(params, model, trajectory, measured, modify_residual, return_pred_all, resample, weights, enabled):
    """Residual of one recording (times × signals), with the two series it is the difference of."""
    rows = trajectory.state.data
    if modify_residual is not None:
        found = modify_residual(params, trajectory.sensordata, measured, model, return_pred_all, state=rows)
        _check_same_signals(*found[1:])
        return found
    state = TimeSeries(rows[:, 0], rows[:, 1:], trajectory.state.signal_mapping)  # time is the first number of a state
    measured, predicted = construct_ts_from_defaults(state, trajectory.sensordata, measured, enabled)
    if resample:
        measured = signal_modifier.apply_delayed_ts_window(measured, predicted, 0.0, 0.0)
        predicted = predicted.resample(measured.times)
    else:
        # the first sample belongs to the state it began in; a rollout does not give it
        measured = TimeSeries(measured.times[1:], measured.data[1:], measured.signal_mapping)
    difference = signal_modifier.weighted_diff(predicted.data, measured.data, model, weights)
    return signal_modifier.normalize_residual(difference, measured.data), predicted, measured


def _check_same_signals(predicted, measured):
    ours, theirs = (series.signal_mapping or {} for series in (predicted, measured))
    if ours.keys() != theirs.keys() or any(ours[name][0] != theirs[name][0] or not np.array_equal(ours[name][1], theirs[name][1])
                                           for name in ours):
        raise ValueError("The observation mapping between the measured data and predicted rollout data is not the same: "
                         "modify_residual must give two series with the same signals.")


def residual(x, params, models_sequences, build_model=model_modifier.apply_param_modifiers, modify_residual=None,
             custom_rollout=None, n_threads=_THREADS, return_pred_all=False, resample_true=True, sensor_weights=None,
             enabled_observations=()):
    """Residuals, predicted and measured series of every recording of every model, as three lists."""
    found = [model_residual(x, params, lambda p, spec=sequences.spec: build_model(p, spec), recording, modify_residual,
                            custom_rollout, n_threads, return_pred_all, resample_true, sensor_weights, enabled_observations)
             for sequences in models_sequences for recording in sequences.measured_rollout]
    return tuple(list(part) for part in zip(*found)) if found else ([], [], [])


def build_residual_fn(**captured_kwargs):
    """``residual`` with arguments filled in: what ``optimize`` wants."""
    def built_residual_fn(x, params, **kwargs):
        return residual(x, params, **captured_kwargs, **kwargs)
    return built_residual_fn
