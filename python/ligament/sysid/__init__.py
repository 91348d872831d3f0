"""System identification: parameters of a model from what was measured.

A model is described by a specification and by parameters that write into it; measured controls and sensor data are time
series. ``optimize`` looks for the parameters with which the simulated signals come closest to the measured ones. The names
and the meaning of everything here are those of ``mujoco.sysid``; only NumPy is needed, and SciPy where it is asked for
(splines, ``optimizer="scipy"``).
"""

from ligament.sysid import model_modifier, parameter, signal_modifier
from ligament.sysid.io import save_results
from ligament.sysid.model_modifier import (apply_body_inertia, apply_dgain, apply_param_modifiers,
                                           apply_param_modifiers_spec, apply_pdgain, apply_pgain, body_inertia_param,
                                           remove_visuals)
from ligament.sysid.optimize import calculate_intervals, optimize
from ligament.sysid.parameter import InertiaType, Parameter, ParameterDict
from ligament.sysid.plotting import render_rollout
from ligament.sysid.report import default_report
from ligament.sysid.residual import (BuildModelFn, CustomRolloutFn, ModifyResidualFn, build_residual_fn,
                                     construct_ts_from_defaults, model_residual, residual)
from ligament.sysid.signal_modifier import (apply_bias, apply_delay, apply_delayed_ts_window, apply_gain,
                                            apply_resample_and_delay, get_sensor_indices, normalize_residual,
                                            weighted_diff)
from ligament.sysid.signal_transform import SignalTransform
from ligament.sysid.timeseries import SignalType, TimeSeries
from ligament.sysid.trajectory import ModelSequences, SystemTrajectory, create_initial_state, sysid_rollout

__all__ = ["BuildModelFn", "CustomRolloutFn", "InertiaType", "ModelSequences", "ModifyResidualFn", "Parameter",
           "ParameterDict", "SignalTransform", "SignalType", "SystemTrajectory", "TimeSeries", "apply_bias",
           "apply_body_inertia", "apply_delay", "apply_delayed_ts_window", "apply_dgain", "apply_gain",
           "apply_param_modifiers", "apply_param_modifiers_spec", "apply_pdgain", "apply_pgain",
           "apply_resample_and_delay", "body_inertia_param", "build_residual_fn", "calculate_intervals",
           "construct_ts_from_defaults", "create_initial_state", "default_report", "get_sensor_indices",
           "model_modifier", "model_residual", "normalize_residual", "optimize", "parameter", "remove_visuals",
           "render_rollout", "residual", "save_results", "signal_modifier", "sysid_rollout", "weighted_diff"]
