"""System identification: finds what a model was made with, from what it did."""

import pathlib
import pickle

import numpy as np
import pytest

import ligament
from ligament import rollout, sysid
from ligament.sysid.optimize import student_quantile

ARM = """<mujoco>
  <option timestep=".002" integrator="implicitfast"><flag contact="disable"/></option>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" damping=".2"/>
      <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0" mass="1"/>
      <body name="fore" pos=".3 0 0">
        <joint name="elbow" axis="0 1 0" damping=".1"/>
        <geom type="capsule" size=".02" fromto="0 0 0 .25 0 0" mass=".6"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="shoulder" joint="shoulder" kp="60" kv="4"/>
    <position name="elbow" joint="elbow" kp="30" kv="2"/>
  </actuator>
  <sensor>
    <jointpos name="shoulder_pos" joint="shoulder"/><jointpos name="elbow_pos" joint="elbow"/>
    <jointvel name="shoulder_vel" joint="shoulder"/><jointvel name="elbow_vel" joint="elbow"/>
    <jointactuatorfrc name="shoulder_torque" joint="shoulder"/>
  </sensor>
</mujoco>"""


@pytest.fixture(name="spec")
def specification():
    return ligament.MjSpec.from_string(ARM)


def recording(spec, seconds=1.5):
    """Start, controls and sensor data of the true arm."""
    model = spec.compile()
    data = ligament.MjData(model)
    times = np.arange(int(seconds / model.opt.timestep)) * model.opt.timestep
    controls = np.column_stack([0.6 * np.sin(5 * times), 0.8 * np.sin(7 * times + 1)])
    start = sysid.create_initial_state(model, data.qpos, data.qvel)
    states, sensors = rollout.rollout(model, data, start, controls[:-1])
    measured = sysid.TimeSeries.from_names(states[0][:, 0], sensors[0], model)
    return start, sysid.TimeSeries.from_control_names(times, controls, model), measured


def test_masses_and_gains_are_found(spec):
    """A mass that is wrong by half and a gain that is wrong by a third come out right, with narrow intervals."""
    sequences = sysid.ModelSequences("arm", spec, "swing", *recording(spec))
    params = sysid.ParameterDict()
    params.add(sysid.body_inertia_param(spec, spec.compile(), "fore", sysid.InertiaType.Mass, scale_rot_inertia=True))
    params.add(sysid.Parameter("kp", 60.0, 10.0, 200.0, modifier=lambda s, p: sysid.apply_pgain(s, "shoulder", p.value[0])))
    params.add(sysid.Parameter("untouched", 1.0, 0.0, 2.0, frozen=True))
    start = params.copy()
    start["fore_inertia"].value[:], start["kp"].value[:] = 0.3, 40.0
    residual = sysid.build_residual_fn(models_sequences=[sequences])
    found, result = sysid.optimize(start, residual, verbose=False)
    assert np.allclose(found["fore_inertia"].value, 0.6, atol=1e-5) and np.allclose(found["kp"].value, 60, atol=1e-3)
    assert start["kp"].value == 40, "the start is left alone"
    covariance, intervals = sysid.calculate_intervals([r.ravel() for r in residual(result.x, found)[0]], result.jac)
    assert covariance.shape == (2, 2) and np.all(intervals < 1e-3)


def test_scipy_finds_the_same(spec):
    pytest.importorskip("scipy")
    sequences = sysid.ModelSequences("arm", spec, "swing", *recording(spec, 0.6))
    params = sysid.ParameterDict({"kp": sysid.Parameter(
        "kp", 40.0, 10.0, 200.0, modifier=lambda s, p: sysid.apply_pgain(s, "shoulder", p.value))})
    residual = sysid.build_residual_fn(models_sequences=[sequences])
    for optimizer in ("scipy", "scipy_parallel_fd"):
        found, _ = sysid.optimize(params, residual, optimizer, verbose=False)
        assert np.allclose(found["kp"].value, 60, atol=1e-3), optimizer


def test_delay_gain_and_bias_of_a_sensor_are_found(spec):
    """A recording that comes late, in another unit and with an offset is explained by its transform."""
    start, controls, measured = recording(spec)
    late = measured.resample(measured.times[10:-10] - 0.006)
    data = late.data.copy()
    data[:, 4] = 1.7 * data[:, 4] + 0.2
    measured = sysid.TimeSeries(measured.times[10:-10], data, measured.signal_mapping)
    sequences = sysid.ModelSequences("arm", spec, "late", start, controls, measured)
    params = sysid.ParameterDict()
    params.add(sysid.Parameter("delay", 0.0, -0.001, 0.02))
    params.add(sysid.Parameter("gain", 1.0, 0.5, 3.0))
    params.add(sysid.Parameter("bias", 0.0, -1.0, 1.0))
    transform = sysid.SignalTransform()
    transform.delay("*", params["delay"])
    transform.gain("*_torque", params["gain"], target="predicted")
    transform.bias("*_torque", params["bias"], target="predicted")
    residual = sysid.build_residual_fn(models_sequences=[sequences], modify_residual=transform.apply)
    found, _ = sysid.optimize(params, residual, verbose=False)
    assert found["delay"].value == pytest.approx(0.006, abs=1e-5)
    assert found["gain"].value == pytest.approx(1.7, abs=1e-4) and found["bias"].value == pytest.approx(0.2, abs=1e-4)


def test_inertia_as_ten_numbers_is_that_of_the_body(spec):
    """Any ten numbers are a possible inertia; those of the body give its own."""
    before = spec.compile().body("fore")
    theta = sysid.model_modifier.theta_inertia_from_body(spec, "fore")
    assert theta[0] == pytest.approx(np.log(before.mass[0]) / 2)
    sysid.model_modifier.apply_body_theta_inertia(spec, "fore", theta)
    after = spec.compile().body("fore")
    assert np.allclose(after.mass, before.mass) and np.allclose(after.ipos, before.ipos)
    assert np.allclose(np.sort(after.inertia), np.sort(before.inertia))
    param = sysid.body_inertia_param(spec, spec.compile(), "fore", sysid.InertiaType.Pseudo)
    param.update_from_vector(param.sample(np.random.default_rng(0)))
    param.apply_modifier(spec)
    a, b, c = spec.compile().body("fore").inertia
    assert a + b >= c and b + c >= a and a + c >= b


def test_columns_of_states_are_those_of_the_model():
    model = ligament.MjModel.from_xml_string("""<mujoco><worldbody>
      <body name="box"><freejoint/><geom size=".1"/></body>
      <body><joint name="ball" type="ball"/><geom size=".1"/><body><joint name="knee"/><geom size=".1"/></body></body>
      </worldbody><actuator><intvelocity name="motor" joint="knee" actrange="-1 1"/></actuator></mujoco>""")
    positions, velocities, activations, controls = sysid.TimeSeries.compute_all_state_mappings(model)
    assert positions["box_qpos"][1].tolist() == list(range(7)) and positions["knee_qpos"][1].tolist() == [11]
    assert velocities["ball_qvel"][1].tolist() == [18, 19, 20] and activations["motor_act"][1].tolist() == [22]
    assert controls == {"motor_ctrl": (sysid.SignalType.MjCtrl, np.array([0]))}
    state = sysid.create_initial_state(model, np.array([0.4]), qpos_names=["knee_qpos"])
    assert state[1 + 11] == 0.4 and state[1 + 3] == 1, "the quaternion of the box is that of a new state"
    with pytest.raises(ValueError, match="no ankle_qpos in the model. There are: box_qpos"):
        sysid.create_initial_state(model, np.array([0.4]), qpos_names=["ankle_qpos"])


def test_results_are_files(spec, tmp_path):
    sequences = sysid.ModelSequences("arm", spec, "swing", *recording(spec, 0.4))
    params = sysid.ParameterDict({"kp": sysid.Parameter(
        "kp", 50.0, 10.0, 200.0, modifier=lambda s, p: sysid.apply_pgain(s, "shoulder", p.value))})
    residual = sysid.build_residual_fn(models_sequences=[sequences])
    found, result = sysid.optimize(params, residual)
    sysid.save_results(tmp_path, [sequences], params, found, result, residual)
    assert sysid.ParameterDict.load_from_disk(tmp_path / "params_x_hat.yaml")["kp"].value == found["kp"].value
    assert pickle.loads((tmp_path / "results.pkl").read_bytes()).x == result.x
    ligament.MjModel.from_xml_path(str(tmp_path / "arm.xml"))
    sysid.default_report([sequences], params, found, residual, result, save_path=tmp_path)
    page = (tmp_path / "report.html").read_text()
    assert "shoulder_torque" in page and page.count("<img") == 10 and "kp" in page and "<script" not in page


def test_the_table_of_parameters_says_what_changed():
    params = sysid.ParameterDict({"mass": sysid.Parameter("mass", [1.0, 2.0], [0.5, 0.5], [2.0, 3.0])})
    text = params.compare_parameters(np.array([1.0, 2.0]), np.array([1.5, 3.0]), np.array([1.5, 2.5]))
    rows = text.splitlines()
    assert rows[2].split() == ["mass[0]", "1.0000", "1.5000", "1.5000", "0.5000", "2.0000", "0.0000", "0.5000", "0.0%", "50.0%"]
    assert "3.0000*" in rows[3], "found at its bound"
    assert params.get_non_frozen_parameter_names() == ["mass[0]", "mass[1]"]
    assert "mass[1]: 2 ∈ [0.5, 3]" in repr(params)


@pytest.mark.parametrize("freedom, quantile", [(1, 12.706204736432095), (10, 2.2281388519649385), (3000, 1.9607550553)])
def test_quantiles_of_students_distribution(freedom, quantile):
    """Numbers of any table."""
    assert student_quantile(freedom, 0.975) == pytest.approx(quantile, rel=1e-9)


def test_what_is_missing_is_said(spec):
    with pytest.raises(ValueError, match="Actuator 'wrist' not found in spec"):
        sysid.apply_pgain(spec, "wrist", 1.0)
    with pytest.raises(ValueError, match="Unsupported optimizer: 'adam'"):
        sysid.optimize(sysid.ParameterDict(), None, "adam")
    series = sysid.TimeSeries.from_custom_map(np.arange(3.0), np.zeros((3, 1)), ["light"])
    with pytest.raises(ValueError, match="a simulation does not give: use modify_residual"):
        sysid.construct_ts_from_defaults(series, series, series)
    assert pathlib.Path(sysid.__file__).parent.name == "sysid"
