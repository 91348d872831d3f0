"""Batches on a GPU, where there is none: one clear sentence, and the CPU where that was allowed."""

import ligament
import numpy as np
import pytest
from ligament import batch

XML = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def has_gpu():
    try:
        batch.Batch(ligament.MjModel.from_xml_string(XML), 1, device="cuda")
    except (RuntimeError, ValueError):
        return False
    return True


needs_no_gpu = pytest.mark.skipif(has_gpu(), reason="there is a GPU")
needs_gpu = pytest.mark.skipif(not has_gpu(), reason="no GPU here: the device is tested by the kernels' host build")


@needs_no_gpu
def test_without_a_gpu_the_error_is_one_sentence():
    """F11.3: without a GPU, asking for one says what is missing and what to do."""
    model = ligament.MjModel.from_xml_string(XML)
    with pytest.raises(RuntimeError, match='no NVIDIA GPU can be used: .*; use device="cpu"'):
        batch.Batch(model, 4, device="cuda")


@needs_no_gpu
def test_auto_falls_back_to_the_cpu_and_says_why():
    """F11.3: without a GPU the batch runs on the CPU, and a warning says so."""
    model = ligament.MjModel.from_xml_string(XML)
    with pytest.warns(RuntimeWarning, match="simulating on the CPU: no NVIDIA GPU"):
        many = batch.Batch(model, 4, device="auto")
    many.step(nstep=10)
    assert many.device == "cpu" and np.all(many.qpos[:, 2] < 1)


def test_models_the_kernels_cannot_simulate_are_refused_by_name():
    model = ligament.MjModel.from_xml_string(XML)
    model.opt.solver = ligament.mjtSolver.mjSOL_PGS
    with pytest.raises(ValueError, match="does not have the PGS solver"):
        batch.Batch(model, 4, device="cuda")


def test_unknown_devices_are_refused():
    with pytest.raises(ValueError, match="device must be 'cpu', 'cuda' or 'auto'"):
        batch.Batch(ligament.MjModel.from_xml_string(XML), 4, device="tpu")


@needs_gpu
def test_a_batch_on_the_gpu_agrees_with_the_cpu():
    """F11.1: the same inputs give the CPU's trajectory, in double precision to 1e-9 over 100 steps."""
    model = ligament.MjModel.from_xml_string(XML)
    gpu, cpu = batch.Batch(model, 8, device="cuda", dtype="float64"), batch.Batch(model, 8)
    gpu.step(100)
    cpu.step(nstep=100)
    np.testing.assert_allclose(np.asarray(gpu.qpos), cpu.qpos, rtol=1e-9, atol=1e-9)
