"""The modules of this package under the names by which programs written for ``mujoco.sysid`` import them."""

import importlib
import sys

__path__ = []

for _name in ("io", "model_modifier", "optimize", "parameter", "plotting", "residual", "signal_modifier",
              "signal_transform", "timeseries", "trajectory"):
    # not attributes of the package: there, `optimize` and `residual` are the functions
    sys.modules[f"{__name__}.{_name}"] = globals()[_name] = importlib.import_module(f"ligament.sysid.{_name}")
