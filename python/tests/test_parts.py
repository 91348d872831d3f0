"""Parts of one's own from Python (spec items 42D, 42E, 42F)."""

import numpy as np
import pytest

import ligament
from ligament import parts

ARM = """<mujoco><option integrator="implicitfast"/><worldbody><body><joint name="a" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="1"/><body pos=".3 0 0"><joint name="b" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="1"/></body></body></worldbody>
<actuator><general name="first" joint="a" gaintype="affine" gainprm="2 3 -4"/>
<general name="second" joint="b" gaintype="affine" gainprm="2 3 -4"/></actuator></mujoco>"""


def run(model, steps=50):
    data = ligament.MjData(model)
    data.ctrl[:] = [0.5, -0.3]
    for _ in range(steps):
        ligament.mj_step(model, data)
    return data.qpos.copy(), data.actuator_force.copy()


def law(length, velocity, control):
    assert length.shape == velocity.shape == control.shape == (2,) or length.shape == (1,)
    return (2 + 3 * length - 4 * velocity) * control


def test_function_as_gain_has_the_forces_of_the_built_in_gain():
    """C42D.1: one call a step computes all actuators, with or without the derivative"""
    plain = ligament.MjModel.from_xml_string(ARM)
    for slope in (None, lambda length, velocity, control: -4 * control):
        own = ligament.MjModel.from_xml_string(ARM)
        parts.set_gain(own, ["first", "second"], law, slope)
        assert [p[:3] for p in parts.parts(own)] == [("gain", 0, "python"), ("gain", 1, "python")]
        for a, b in zip(run(plain), run(own)):
            np.testing.assert_allclose(a, b, rtol=1e-6)
    parts.clear_part(own, "gain", 0)
    parts.clear_part(own, "gain", 1)
    assert parts.parts(own) == []
    np.testing.assert_array_equal(run(own)[0], run(plain)[0])


def test_function_in_a_batch():
    """C42F: the function is reached in batches"""
    model = ligament.MjModel.from_xml_string(ARM)
    parts.set_gain(model, [0, 1], law)
    from ligament.batch import Batch

    batch = Batch(model, 3)
    batch.ctrl[:] = [0.5, -0.3]
    for _ in range(50):
        batch.step()
    np.testing.assert_allclose(np.asarray(batch.qpos)[2], run(model)[0], rtol=1e-12)


@pytest.mark.parametrize("bad, message", [
    (lambda length, velocity, control: 1 / 0, "division by zero"),
    (lambda length, velocity, control: np.zeros(5), "should have 2 elements"),
])
def test_functions_that_fail(bad, message):
    """C42F: what a function raises is the error of the step, with part and element"""
    model = ligament.MjModel.from_xml_string(ARM)
    parts.set_gain(model, [0, 1], bad, name="mine")
    with pytest.raises(ligament.FatalError, match=r'mine \(gain\) of actuator 0 "first" failed: .*' + message):
        run(model)


def test_parts_by_name():
    """C42D.2, C42E.5: parts of the engine by name; what is wrong is said"""
    model = ligament.MjModel.from_xml_string(ARM)
    with pytest.raises(ligament.FatalError, match="it needs a motor state"):
        parts.set_part(model, "gain", 0, "series_elastic", [1000, 10, 1])
    with pytest.raises(ligament.FatalError, match="three numbers"):
        parts.set_part(model, "gain", 0, "series_elastic", [1000])
    with pytest.raises(ligament.FatalError, match='"nothing", which is not known here'):
        parts.set_part(model, "gain", 0, "nothing")
    with pytest.raises(ValueError, match="no slot"):
        parts.set_part(model, "colour", 0, "red")
    with pytest.raises(TypeError, match="function of"):
        parts.set_gain(model, 0, 3)
    parts.set_part(model, "solver", 0, "xpbd", [10, 2])
    assert parts.parts(model) == [("solver", 0, "xpbd", [10.0, 2.0])]
