"""Changes of signals (gain, bias, delay, window), and how far two of them are from each other."""

import numpy as np

from ligament import mj_name2id, mjtObj
from ligament.sysid.timeseries import TimeSeries

__all__ = ["apply_bias", "apply_delay", "apply_delayed_ts_window", "apply_gain", "apply_resample_and_delay",
           "apply_time_window", "get_sensor_indices", "normalize_residual", "prepare_sensor_weights", "weighted_diff"]


def get_sensor_indices(model, sensor_name, sort=False):
    """Columns of ``sensordata`` that belong to a sensor, or to several, in the order they are named."""
    names = [sensor_name] if isinstance(sensor_name, str) else sensor_name
    columns = [column for name in names for column in _columns(model, name)]
    return sorted(columns) if sort else columns


def _columns(model, name):
    sensor = mj_name2id(model, mjtObj.mjOBJ_SENSOR, name)
    if sensor < 0:
        raise ValueError(f"Sensor not found in model: {name}")
    start = int(model.sensor_adr[sensor])
    return range(start, start + int(model.sensor_dim[sensor]))


def _with_columns(ts, columns, values):
    data = ts.data.copy()
    data[..., columns] = values
    return TimeSeries(ts.times, data, ts.signal_mapping)


def apply_gain(ts, sensor_name, gain):
    """A signal multiplied by the value of a parameter."""
    columns = ts.get_indices(sensor_name)[1]
    return _with_columns(ts, columns, ts.data[..., columns] * gain.value)


def apply_bias(ts, sensor_name, bias):
    """A signal with the value of a parameter added."""
    columns = ts.get_indices(sensor_name)[1]
    return _with_columns(ts, columns, ts.data[..., columns] + bias.value)


def apply_delay(ts, sensor_name, delay):
    """A signal that comes later by the value of a parameter, in seconds."""
    columns = ts.get_indices(sensor_name)[1]
    return _with_columns(ts, columns, TimeSeries(ts.times, ts.data[:, columns]).interpolate(ts.times - delay.value))


def apply_time_window(ts, min_t, max_t):
    """The samples from one time to another, both included."""
    first, last = np.searchsorted(ts.times, min_t, side="left"), np.searchsorted(ts.times, max_t, side="right")
    return TimeSeries(ts.times[first:last], ts.data[first:last], ts.signal_mapping)


def apply_delayed_ts_window(ts, ts_delayed, min_delay, max_delay):
    """The samples at times that the other series covers whatever its delay is, between the two given ones."""
    return apply_time_window(ts, ts_delayed.times[0] - min_delay, ts_delayed.times[-1] - max_delay)


def apply_resample_and_delay(ts, times, default_delay, sensor_delays=None, predicted_data=True):
    """The series at other times, each signal with its delay in seconds. What was predicted comes later, what was
    measured is moved back.
    """
    delays = np.array(_build_per_column_delays(ts, default_delay, sensor_delays, predicted_data), dtype=float)
    data = np.empty((len(times), ts.data.shape[1]))
    for shift in np.unique(delays):
        columns = np.flatnonzero(delays == shift)
        data[:, columns] = TimeSeries(ts.times, ts.data[:, columns]).interpolate(times + shift)
    return TimeSeries(times, data, ts.signal_mapping)


def _build_per_column_delays(ts, default_delay, sensor_delays, predicted_data):
    delays = np.full(ts.data.shape[1], float(default_delay))
    for name, delay in (sensor_delays or {}).items():
        delays[ts.get_indices(name)[1]] = delay
    return (-delays if predicted_data else delays).tolist()


def prepare_sensor_weights(sensor_weights, n_sensors, model):
    """One weight a column, from weights by sensor (one where there is none) or from an array that has them."""
    if isinstance(sensor_weights, np.ndarray):
        if sensor_weights.shape != (n_sensors,):
            raise ValueError("Expected sensor_weights to be a numpy array of shape (n_sensors,), "
                             f"received {sensor_weights.shape}")
        return sensor_weights
    weights = np.ones(n_sensors)
    for name, weight in sensor_weights.items():
        weights[list(_columns(model, name))] = weight
    return weights


def weighted_diff(predicted_data, measured_data, model=None, sensor_weights=None):
    """Measured minus predicted, each column times its weight."""
    difference = measured_data - predicted_data
    if sensor_weights is None:
        return difference
    if model is None:
        raise ValueError("model is required if sensor_weights is provided")
    return difference * prepare_sensor_weights(sensor_weights, difference.shape[-1], model)


def normalize_residual(residual, measured_data):
    """Each column relative to the size of what was measured, so that radians and newtons count alike."""
    return residual / (np.linalg.norm(measured_data, axis=0) / np.sqrt(2))
