"""Early stops of the solvers and the noslip pass after them, live against the reference (spec items 3 and 33)."""

import numpy as np
import pytest

import ligament

mujoco = pytest.importorskip("mujoco")

SOLVERS = ("PGS", "CG", "Newton")
CONES = ("pyramidal", "elliptic")

SLOPE = """<mujoco><option {option}/><worldbody><geom type="plane" size="9 9 .1" euler="0 25 0"/>
  <body euler="0 25 0" pos=".0212 0 .0452"><freejoint/><geom type="box" size=".05 .05 .05" condim="{condim}"/>
    <body pos="0 0 .06"><joint axis="0 1 0" range="-5 5" frictionloss=".02"/><geom size=".02" mass=".1"/></body></body>
  </worldbody></mujoco>"""


def run(xml, steps=0, change=None):
    """(package, model, data) of the reference and of Ligament after some steps and a forward pass."""
    pair = []
    for package in (mujoco, ligament):
        model = package.MjModel.from_xml_string(xml)
        data = package.MjData(model)
        if change:
            change(model, data)
        for _ in range(steps):
            package.mj_step(model, data)
        package.mj_forward(model, data)
        pair.append((package, model, data))
    return pair


def stack(boxes, option):
    bodies = "".join(f'<body pos="0 0 {0.0499 + 0.0998 * i}"><freejoint/><geom type="box" size=".05 .05 .05" mass="1"/></body>'
                     for i in range(boxes))
    return f'<mujoco><option {option}/><worldbody><geom type="plane" size="2 2 .1"/>{bodies}</worldbody></mujoco>'


@pytest.mark.parametrize("iterations", (1, 100))
@pytest.mark.parametrize("cone", CONES)
def test_noslip_after_an_unfinished_newton(cone, iterations):
    """A33.4: no other solver steps in for a Newton that ran out of iterations; noslip follows it all the same."""
    force = {}
    for noslip in (0, 5):
        option = f'solver="Newton" cone="{cone}" iterations="{iterations}" noslip_iterations="{noslip}"'
        pair = run(SLOPE.format(option=option, condim=3), 1)
        (_, _, expected), (_, _, actual) = pair
        np.testing.assert_allclose(actual.efc_force, expected.efc_force, rtol=0, atol=1e-8)
        force[noslip] = np.array(actual.efc_force)
    assert np.abs(force[5] - force[0]).max() > 1e-4


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_noslip_iterations(solver):
    """A33.5: zero iterations change nothing, bit by bit, whatever the tolerance."""
    states = []
    for extra in ("", 'noslip_iterations="0" noslip_tolerance="1e-12"'):
        _, _, data = run(SLOPE.format(option=f'solver="{solver}" {extra}', condim=3), 50)[1]
        states.append((np.array(data.qpos), np.array(data.qvel), np.array(data.efc_force)))
    for plain, other in zip(*states):
        np.testing.assert_array_equal(plain, other)


@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("solver", SOLVERS)
def test_noslip_of_a_separating_box(solver, cone):
    """A33.12: contacts without normal force get no friction."""
    def lift(_, data):
        data.qvel[:3] = [0.5, 0, 5]
    option = f'solver="{solver}" cone="{cone}" noslip_iterations="10"'
    pair = run(stack(1, option), 0, lift)
    _, _, data = pair[1]
    assert data.ncon == 4
    np.testing.assert_allclose(data.efc_force, pair[0][2].efc_force, rtol=0, atol=1e-9)
    np.testing.assert_allclose(data.efc_force, 0, atol=1e-12)


@pytest.mark.parametrize("condim", (3, 4, 6))
@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("solver", SOLVERS)
def test_passes_of_noslip(solver, cone, condim):
    """A33.D2: the number of passes, added to the solver's, equals the reference's."""
    counts = []
    for noslip in (0, 200):
        option = f'solver="{solver}" cone="{cone}" noslip_iterations="{noslip}" noslip_tolerance="1e-12"'
        (_, _, expected), (_, _, actual) = run(SLOPE.format(option=option, condim=condim))
        counts.append((actual.solver_niter[0], expected.solver_niter[0]))
    assert counts[1][0] > counts[0][0]
    assert counts[1][0] - counts[0][0] == counts[1][1] - counts[0][1]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_single_contact(solver):
    """F3.6: one contact is solved by iteration like any other, in as many as the reference takes."""
    xml = '<mujoco><option solver="%s"/><worldbody><geom type="plane" size="2 2 .1"/><body pos="0 0 .049"><freejoint/>' \
          '<geom size=".05"/></body></worldbody></mujoco>' % solver

    def slide(_, data):
        data.qvel[0] = 1
    (_, _, expected), (_, _, actual) = run(xml, 0, slide)
    assert actual.ncon == 1 and actual.solver_niter[0] > 0
    assert actual.solver_niter[0] == expected.solver_niter[0]
    np.testing.assert_allclose(actual.efc_force, expected.efc_force, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("boxes,contacts", ((3, 12), (10, 40)))
@pytest.mark.parametrize("solver", SOLVERS)
def test_unfinished_solves_can_be_told(solver, boxes, contacts):
    """F3.7: after too few iterations the count says so and the statistics stay above the tolerance."""
    (_, _, expected), (_, _, actual) = run(stack(boxes, f'solver="{solver}" iterations="1" tolerance="1e-15"'))
    assert actual.ncon == expected.ncon == contacts
    assert actual.solver_niter[0] == 1
    assert actual.solver[0].improvement > 1e-15
    np.testing.assert_allclose(actual.efc_force, expected.efc_force, rtol=1e-9, atol=1e-7)


@pytest.mark.parametrize("jacobian", ("dense", "sparse"))
@pytest.mark.parametrize("solver", ("CG", "Newton"))
def test_noslip_beside_what_moves_freely(solver, jacobian):
    """The solver begins with the free acceleration of what no constraint touches, also where islands are not solved apart."""
    xml = f"""<mujoco><option solver="{solver}" jacobian="{jacobian}" noslip_iterations="1"/><worldbody>
      <geom type="plane" size="1 1 1"/>
      <body pos="1 0 .08"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body pos="0 0 2"><freejoint/><geom type="capsule" size=".1 .2"/></body></worldbody></mujoco>"""

    def push(_, data):
        data.qvel[:] = .3 * np.arange(12) / 12
    (_, _, expected), (_, _, actual) = run(xml, 0, push)
    assert actual.solver_niter[0] == expected.solver_niter[0]
    np.testing.assert_array_equal(actual.qacc, expected.qacc)
