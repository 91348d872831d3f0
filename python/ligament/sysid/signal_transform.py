"""Delays, gains and biases of sensors that are found together with the parameters of the model."""

import fnmatch

from ligament.sysid import signal_modifier
from ligament.sysid.timeseries import TimeSeries

__all__ = ["SignalTransform"]

_TARGETS = ("predicted", "measured", "both")


class SignalTransform:
    """What lies between a sensor of the model and the recording of it. Sensors are named by patterns (``"*_torque"``).

    ``build_residual_fn(modify_residual=transform.apply)`` takes it into account.
    """

    def __init__(self, normalize=True):
        self.normalize = normalize
        self._delays, self._gains, self._biases = [], [], []
        self._enabled_sensors = self._sensor_weights = None

    def delay(self, pattern, param):
        """Sensors come later by the value of a parameter, in seconds; of several rules for one sensor the last counts."""
        self._delays.append((pattern, param))

    def gain(self, pattern, param, target="both"):
        """Sensors are multiplied by the value of a parameter: the simulated ones, the measured ones, or both."""
        self._gains.append((pattern, param.name, _checked(target)))

    def bias(self, pattern, param, target="both"):
        """The value of a parameter is added to sensors: to the simulated ones, the measured ones, or both."""
        self._biases.append((pattern, param.name, _checked(target)))

    def enable_sensors(self, sensor_names):
        """Only these count."""
        self._enabled_sensors = list(sensor_names)

    def set_sensor_weights(self, weights):
        """Weights by sensor, one where there is none."""
        self._sensor_weights = weights

    def _resolve_delays(self, sensor_names, params):
        """Delay by sensor, for those that have one."""
        return {name: params[param.name].value[0] for pattern, param in self._delays for name in sensor_names
                if fnmatch.fnmatch(name, pattern)}

    def _compute_delay_bounds(self):
        """The least and the largest delay that the parameters allow."""
        if not self._delays:
            return 0.0, 0.0
        return (min(float(param.min_value[0]) for _, param in self._delays),
                max(float(param.max_value[0]) for _, param in self._delays))

    def _apply_gains_biases(self, ts, target_label, params):
        """A copy of the series, first multiplied, then shifted."""
        data, names = ts.data.copy(), list(ts.signal_mapping or ())

        def matches(rules):
            for pattern, param, target in rules:
                if target in (target_label, "both"):
                    for name in fnmatch.filter(names, pattern):
                        yield ts.get_indices(name)[1], params[param].value

        for columns, value in matches(self._gains):
            data[..., columns] *= value
        for columns, value in matches(self._biases):
            data[..., columns] += value
        return TimeSeries(ts.times, data, ts.signal_mapping)

    def apply(self, params, sensordata_predicted, sensordata_measured, model, return_pred_all, state=None,
              sensor_weights=None):
        """Residual, predicted and measured series, at the times that were measured; can be given as ``modify_residual``."""
        delays = self._resolve_delays(list(sensordata_predicted.signal_mapping or ()), params)
        measured = signal_modifier.apply_delayed_ts_window(sensordata_measured, sensordata_predicted,
                                                           *self._compute_delay_bounds())
        predicted = signal_modifier.apply_resample_and_delay(sensordata_predicted, measured.times, 0.0, delays)
        predicted = self._apply_gains_biases(predicted, "predicted", params)
        measured = self._apply_gains_biases(measured, "measured", params)
        residual = signal_modifier.weighted_diff(predicted.data, measured.data, model,
                                                 sensor_weights or self._sensor_weights)
        if self.normalize:
            residual = signal_modifier.normalize_residual(residual, measured.data)
        if return_pred_all or self._enabled_sensors is None:
            return residual, predicted, measured
        columns = signal_modifier.get_sensor_indices(model, self._enabled_sensors)
        return (residual[:, columns], TimeSeries(predicted.times, predicted.data[:, columns]),
                TimeSeries(measured.times, measured.data[:, columns]))


def _checked(target):
    if target not in _TARGETS:
        raise ValueError(f"target must be 'predicted', 'measured', or 'both', got {target!r}")
    return target
