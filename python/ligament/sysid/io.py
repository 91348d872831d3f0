"""Results as files."""

import pathlib
import pickle

from ligament.sysid.optimize import calculate_intervals

__all__ = ["save_results"]


def save_results(experiment_results_folder, models_sequences, initial_params, opt_params, opt_result, residual_fn):
    """Writes a folder: parameters before and after, what the optimiser said, covariance and intervals, the models."""
    folder = pathlib.Path(experiment_results_folder)
    folder.mkdir(parents=True, exist_ok=True)
    initial_params.save_to_disk(folder / "params_x_0.yaml")
    opt_params.save_to_disk(folder / "params_x_hat.yaml")
    residuals = residual_fn(opt_result.x, opt_params, return_pred_all=True)[0]
    covariance, intervals = calculate_intervals([residual.ravel() for residual in residuals], opt_result.jac)
    for name, content in (("results", opt_result), ("confidence", {"cov": covariance, "intervals": intervals})):
        (folder / f"{name}.pkl").write_bytes(pickle.dumps(content))
    for sequences in models_sequences:
        sequences.spec.to_file(str(folder / f"{sequences.name}.xml"))
