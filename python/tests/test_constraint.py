"""Constraint rows and solvers, live against the reference."""

import numpy as np
import pytest

import ligament

mujoco = pytest.importorskip("mujoco")

SOLVERS = ("PGS", "CG", "Newton")
CONES = ("pyramidal", "elliptic")
ROW_FIELDS = ("efc_type", "efc_id", "efc_pos", "efc_margin", "efc_frictionloss", "efc_diagApprox", "efc_KBIP",
              "efc_D", "efc_R", "efc_vel", "efc_aref")


def load(xml):
    pair = []
    for package in (mujoco, ligament):
        model = package.MjModel.from_xml_string(xml)
        pair.append((package, model, package.MjData(model)))
    return pair


def run(xml, steps=0, change=None):
    """Both engines after some steps and a forward pass; `change` edits the start state."""
    pair = load(xml)
    for package, model, data in pair:
        if change:
            change(model, data)
        for _ in range(steps):
            package.mj_step(model, data)
        package.mj_forward(model, data)
    return pair


def dense_jacobian(package, model, data):
    if not package.mj_isSparse(model):
        return np.asarray(data.efc_J).reshape(data.nefc, model.nv)
    jac = np.zeros((data.nefc, model.nv))
    flat = np.asarray(data.efc_J).ravel()
    for i in range(data.nefc):
        row = slice(data.efc_J_rowadr[i], data.efc_J_rowadr[i] + data.efc_J_rownnz[i])
        jac[i, data.efc_J_colind[row]] = flat[row]
    return jac


def assert_rows_equal(pair, tolerance=1e-9):
    (reference, rmodel, rdata), (subject, smodel, sdata) = pair
    assert (sdata.ne, sdata.nf, sdata.nl, sdata.nefc) == (rdata.ne, rdata.nf, rdata.nl, rdata.nefc)
    for field in ROW_FIELDS:
        expected, actual = np.asarray(getattr(rdata, field)), np.asarray(getattr(sdata, field))
        np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance, err_msg=field)
    np.testing.assert_allclose(dense_jacobian(subject, smodel, sdata), dense_jacobian(reference, rmodel, rdata),
                               rtol=0, atol=1e-10)


def assert_forces_equal(pair, tolerance=1e-6):
    (_, _, expected), (_, _, actual) = pair
    scale = max(1.0, np.abs(expected.efc_force).max(initial=0))
    np.testing.assert_allclose(actual.efc_force, expected.efc_force, rtol=0, atol=tolerance * scale)
    np.testing.assert_allclose(actual.qacc, expected.qacc, rtol=0,
                               atol=tolerance * max(1.0, np.abs(expected.qacc_smooth).max()))


def contact_forces(package, model, data):
    forces = np.zeros((data.ncon, 6))
    for i in range(data.ncon):
        package.mj_contactForce(model, data, i, forces[i])
    return forces


def option(solver="Newton", cone="pyramidal", extra="", flags=""):
    return f'<option solver="{solver}" cone="{cone}" {extra}>{flags}</option>'


def scene(body, options="", rest=""):
    return f"""<mujoco>{options}<worldbody><geom type="plane" size="5 5 .1" condim="1"/>{body}</worldbody>{rest}</mujoco>"""


def sphere(condim, friction="1 0.005 0.0001", pos="0 0 0.049", name="s"):
    return (f'<body pos="{pos}"><freejoint/><geom name="{name}" size=".05" condim="{condim}" '
            f'friction="{friction}"/></body>')


MIXED = sphere(6, pos="-.3 0 .0495", name="a") + sphere(3, pos=".3 0 .0495", name="b") + sphere(
    4, pos="0 .3 .0495", name="c") + sphere(1, pos="0 -.3 .0495", name="d")

ARTICULATED = """<mujoco>
  <option {option}/>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="base" pos="0 0 .099">
      <freejoint/>
      <geom type="box" size=".1 .1 .1"/>
      <body name="arm" pos=".1 0 0">
        <joint name="hinge" axis="0 1 0" range="-20 20" frictionloss=".3" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
        <site name="tip" pos=".3 0 0"/>
        <body name="hand" pos=".3 0 0">
          <joint name="ball" type="ball" range="0 30"/>
          <geom size=".05" condim="6"/>
          <body pos=".1 0 0"><joint name="slide" type="slide" axis="1 0 0" range="-.05 .05"/><geom size=".04"/></body>
        </body>
      </body>
    </body>
    <body name="other" pos="1 0 .5"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="mark"/></body>
  </worldbody>
  <tendon>
    <fixed name="t1" frictionloss=".2" limited="true" range="-.1 .1"><joint joint="hinge" coef="1"/><joint joint="slide" coef="2"/></fixed>
    <fixed name="t2"><joint joint="slide" coef="1.5"/></fixed>
    <spatial name="t3" limited="true" range="0 .5"><site site="tip"/><site site="mark"/></spatial>
  </tendon>
  <equality>
    <connect body1="hand" body2="other" anchor=".1 0 0"/>
    <weld body1="base" body2="other" torquescale="2.5"/>
    <weld site1="tip" site2="mark"/>
    <connect site1="tip" site2="mark"/>
    <joint joint1="hinge" joint2="slide" polycoef=".1 1 .5 .2 .1"/>
    <joint joint1="slide" polycoef=".02 0 0 0 0"/>
    <tendon tendon1="t1" tendon2="t2" polycoef="0 1 .1 0 0"/>
    <tendon tendon1="t2"/>
  </equality>
</mujoco>"""


def disturb(model, data):
    rng = np.random.default_rng(3)
    data.qvel[:] = rng.standard_normal(model.nv)
    data.qpos[7] += 0.5


@pytest.mark.parametrize("jacobian", ("dense", "sparse"))
@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("solver", SOLVERS)
def test_all_constraint_kinds(solver, cone, jacobian):
    """F3.11, A37.6, A37.D1: rows of every kind equal the reference's, whatever the solver; so do the forces."""
    xml = ARTICULATED.format(option=f'solver="{solver}" cone="{cone}" jacobian="{jacobian}"')
    # conjugate gradients stop at the iteration limit here, so that rounding decides the trajectory
    for steps in (0,) if solver == "CG" else (0, 30):
        pair = run(xml, steps, disturb)
        if steps == 0:
            assert_rows_equal(pair)
        assert_forces_equal(pair, 1e-2 if solver == "CG" else 1e-5)


@pytest.mark.parametrize("cone,rows", (("pyramidal", (4, 6, 10)), ("elliptic", (3, 4, 6))))
def test_rows_of_a_contact(cone, rows):
    """M2.10, M2.16: number of rows by dimension and cone; dimension 1 has one row in both."""
    for condim, expected in zip((3, 4, 6), rows):
        pair = run(scene(sphere(condim), option(cone=cone)))
        assert pair[1][2].nefc == expected
        assert_rows_equal(pair)
    assert run(scene(sphere(1), option(cone=cone)))[1][2].nefc == 1


@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("solver", SOLVERS)
def test_mixed_dimensions(solver, cone):
    """M2.5, M2.11, M2.12: contacts of different dimension coexist, each carries its weight."""
    pair = run(scene(MIXED, option(solver, cone)), 400)
    assert_rows_equal(pair, 1e-6)
    assert_forces_equal(pair)
    package, model, data = pair[1]
    assert sorted(data.contact.dim) == [1, 3, 4, 6]
    weight = model.body_mass[1] * 9.81
    np.testing.assert_allclose(contact_forces(package, model, data)[:, 0], weight, rtol=2e-3)


def test_frictionless_contact_has_no_tangential_force():
    """M2.1: with dimension 1 a lateral force accelerates the body freely."""
    def push(model, data):
        data.qfrc_applied[0] = 1.0
    package, model, data = run(scene(sphere(1)), 5, push)[1]
    assert data.ncon == 1
    np.testing.assert_allclose(data.qfrc_constraint[[0, 1, 3, 4, 5]], 0, atol=1e-12)
    assert data.qacc[0] == pytest.approx(1.0 / model.body_mass[1])


@pytest.mark.parametrize("condim,cone,expected", ((3, "elliptic", 10.0), (4, "elliptic", 0.0457), (4, "pyramidal", 0.0493)))
def test_spin_friction(condim, cone, expected):
    """M2.3: spin about the normal is braked from dimension 4 on."""
    def spin(model, data):
        data.qvel[5] = 10
    xml = scene(sphere(condim, "1 0.1 0.0001", "0 0 .05"), option(cone=cone, extra='timestep="0.001"'))
    pair = run(xml, 50, spin)
    assert pair[1][2].qvel[5] == pytest.approx(expected, abs=1e-4)
    assert pair[1][2].qvel[5] == pytest.approx(pair[0][2].qvel[5], rel=1e-6)


@pytest.mark.parametrize("condim,cone,expected", ((3, "elliptic", 0.99895), (6, "elliptic", 0.7271), (6, "pyramidal", 0.7783)))
def test_rolling_friction(condim, cone, expected):
    """M2.4: rolling is braked from dimension 6 on."""
    def roll(model, data):
        data.qvel[0], data.qvel[4] = 1, 20
    xml = scene(sphere(condim, "1 0.005 0.01", "0 0 .05"), option(cone=cone, extra='timestep="0.001"'))
    pair = run(xml, 200, roll)
    assert pair[1][2].qvel[0] == pytest.approx(expected, abs=2e-4)
    assert pair[1][2].qvel[0] == pytest.approx(pair[0][2].qvel[0], rel=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_forces_stay_in_the_cone(solver):
    """F3.4, M2.8, M2.9, M2.13: friction stays in its cone, also when the solver stops early."""
    def push(model, data):
        data.qvel[:3] = 1, 0.5, -1
    for iterations in (1, 100):
        xml = scene(sphere(3, pos="0 0 .045"), option(solver, "elliptic", f'iterations="{iterations}"'))
        package, model, data = run(xml, 3, push)[1]
        for i, force in enumerate(contact_forces(package, model, data)):
            assert np.isfinite(force).all() and force[0] >= 0
            mu = data.contact.friction[i][:2]
            assert np.sqrt(((force[1:3] / mu) ** 2).sum()) <= force[0] + 1e-10


STACK = "".join(f'<body pos="0 0 {0.0505 + 0.1005 * i}"><freejoint/><geom type="box" size=".05 .05 .05" mass="1" '
                f'friction=".5 .005 .0001"/></body>' for i in range(3))


@pytest.mark.parametrize("cone", CONES)
def test_solvers_agree_on_a_stack(cone):
    """F3.1, F3.2: conjugate gradient, Newton and Gauss-Seidel reach the same forces."""
    results = {}
    for solver in SOLVERS:
        pair = run(scene(STACK, option(solver, cone)), 500)
        results[solver] = np.array(pair[1][2].qfrc_constraint)
        assert pair[1][2].ncon == pair[0][2].ncon
    for solver in ("CG", "Newton"):
        error = np.linalg.norm(results[solver] - results["PGS"]) / np.linalg.norm(results["PGS"])
        assert error < 1e-3


def test_solvers_agree_on_a_slope():
    """F3.3: the velocity of a sliding box does not depend on the solver."""
    velocity = {}
    for solver in SOLVERS:
        xml = f"""<mujoco>{option(solver)}<worldbody><geom type="plane" size="9 9 .1" euler="0 25 0" friction=".3"/>
          <body euler="0 25 0" pos=".0215 0 .0455"><freejoint/><geom type="box" size=".05 .05 .05" mass="1" friction=".3"/></body>
          </worldbody></mujoco>"""
        pair = run(xml, 200)
        velocity[solver] = np.linalg.norm(pair[1][2].qvel[:3])
    assert velocity["PGS"] > 0.1
    assert velocity["CG"] == pytest.approx(velocity["PGS"], rel=1e-3)
    assert velocity["Newton"] == pytest.approx(velocity["PGS"], rel=1e-3)


def test_no_contacts():
    """F3.5, M2.18: without constraints there are no iterations and no forces."""
    package, model, data = run(scene(sphere(3, pos="0 0 1")), 3)[1]
    assert data.nefc == 0 and data.solver_niter[0] == 0
    np.testing.assert_array_equal(data.qfrc_constraint, 0)
    np.testing.assert_array_equal(data.qacc, data.qacc_smooth)


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_iteration(solver):
    """F3.8: no fallback: with one iteration the best iterate is returned, as in the reference."""
    pair = run(scene(STACK, option(solver, extra='iterations="1"')), 12)
    assert pair[1][2].solver_niter[0] == 1
    assert_forces_equal(pair, 1e-5)


def test_warm_start_saves_iterations():
    """F3.9, C41.8: warm start saves at least 30 % of the iterations."""
    mean = {}
    for flag in ("enable", "disable"):
        xml = scene(STACK, option("CG", flags=f'<flag warmstart="{flag}"/>'))
        package, model, data = load(xml)[1]
        counts = []
        for _ in range(100):
            package.mj_step(model, data)
            counts.append(data.solver_niter[0])
        mean[flag] = np.mean(counts[10:])
    assert mean["enable"] < 0.7 * mean["disable"]


def test_dimension_may_change_between_steps():
    """M2.17: warm start survives a changed contact dimension."""
    package, model, data = load(scene(sphere(3, pos="0 0 .0495")))[1]
    for condim in (3, 6, 1, 4):
        model.geom_condim[1] = condim
        for _ in range(5):
            package.mj_step(model, data)
        assert data.contact.dim[0] == condim and np.isfinite(data.qacc).all()


SLOPE = """<mujoco>{option}<worldbody><geom type="plane" size="9 9 .1" euler="0 20 0"/>
  <body euler="0 20 0" pos=".0172 0 .0472"><freejoint/><geom type="box" size=".05 .05 .05" condim="{condim}"/>
    <body pos="0 0 .06"><joint axis="0 1 0" range="-5 5" frictionloss=".02"/><geom size=".02" mass=".1"/></body></body>
  </worldbody></mujoco>"""


@pytest.mark.parametrize("condim", (3, 4, 6))
@pytest.mark.parametrize("cone", CONES)
@pytest.mark.parametrize("solver", SOLVERS)
def test_noslip(solver, cone, condim):
    """A33.1, A33.2, A33.3, A33.7, A33.8, A33.10, A33.11, A33.D1: noslip forces equal the reference's, slip shrinks."""
    slip = {}
    for iterations in (0, 10):
        options = option(solver, cone, f'noslip_iterations="{iterations}"')
        pair = run(SLOPE.format(option=options, condim=condim), 100)
        assert_forces_equal(pair, 1e-3 if solver == "CG" else 1e-5)
        package, model, data = pair[1]
        slip[iterations] = np.linalg.norm(data.qvel[:3])
        friction = slice(data.ne, data.ne + data.nf)
        assert (np.abs(data.efc_force[friction]) <= data.efc_frictionloss[friction]).all()
        if cone == "pyramidal":
            assert data.efc_force[data.ne + data.nf:].min() >= 0
        else:
            for i, force in enumerate(contact_forces(package, model, data)):
                k = data.contact.dim[i] - 1
                assert np.sqrt(((force[1:k + 1] / data.contact.friction[i][:k]) ** 2).sum()) <= force[0] + 1e-10
    if condim == 3:
        assert slip[10] < 0.5 * slip[0]


def test_noslip_leaves_normal_forces():
    """A33.6, A33.9: elliptic normal forces are untouched bit by bit; free friction rows have no residual."""
    normal = {}
    for iterations in (0, 300):
        options = option("Newton", "elliptic", f'noslip_iterations="{iterations}" noslip_tolerance="1e-13"',
                         '<flag island="disable"/>')
        package, model, data = run(SLOPE.format(option=options, condim=3))[1]
        normal[iterations] = contact_forces(package, model, data)[:, 0]
    np.testing.assert_array_equal(normal[0], normal[300])


BALL = """<mujoco><compiler angle="degree"/><option gravity="0 0 0" timestep=".001"/><worldbody><body>
  <joint name="b" type="ball" range="0 {limit}" {extra}/><geom size=".1" mass="1"/></body></worldbody></mujoco>"""


def rotated(degrees, axis, velocity=(0, 0, 0), scale=1.0):
    def change(model, data):
        half = np.deg2rad(degrees) / 2
        data.qpos[:4] = scale * np.array([np.cos(half), *(np.sin(half) * np.asarray(axis, float))])
        data.qvel[:3] = velocity
    return change


@pytest.mark.parametrize("limit,degrees,axis,velocity,jac,pos", (
    (45, 50, (.6, .8, 0), (1, 2, .5), (-.6, -.8, 0), -5),
    (150, 200, (0, 0, 1), (0, 0, 0), (0, 0, 1), -10),
    (30, 60, (1, 0, 0), (2, 0, 0), (-1, 0, 0), -30),
    (170, 175, (1, 0, 0), (0, 0, 0), (-1, 0, 0), -5),
    (45, 45.5, (0, 0, 1), (0, 0, 0), (0, 0, -1), -.5),
    (0, 20, (0, 1, 0), (0, 0, 0), (0, -1, 0), -20),
))
def test_ball_limit_row(limit, degrees, axis, velocity, jac, pos):
    """C38.3, C38.4, C38.8, C38.9, C38.13, C38.14, C38.15, C38.18: the row of a violated ball limit."""
    pair = run(BALL.format(limit=limit, extra='limited="true"'), 0, rotated(degrees, axis, velocity))
    assert_rows_equal(pair)
    package, model, data = pair[1]
    assert data.nefc == 1 and data.efc_id[0] == 0
    np.testing.assert_allclose(dense_jacobian(package, model, data)[0], jac, atol=1e-9)
    assert data.efc_pos[0] == pytest.approx(np.deg2rad(pos), abs=1e-9)
    assert data.efc_vel[0] == pytest.approx(np.dot(jac, velocity), abs=1e-9)


def test_ball_limit_activation():
    """C38.6, C38.7, C38.21: no row at the identity, without limit, or inside the range."""
    assert run(BALL.format(limit=45, extra=""))[1][2].nefc == 0
    assert run(BALL.format(limit=45, extra='limited="false"'), 0, rotated(170, (1, 0, 0)))[1][2].nefc == 0
    assert run(BALL.format(limit=45, extra=""), 0, rotated(44.5, (1, 0, 0)))[1][2].nefc == 0
    assert run(BALL.format(limit=45, extra=""), 0, rotated(45.5, (1, 0, 0)))[1][2].nefc == 1
    pair = run(BALL.format(limit=45, extra='margin=".05"'), 0, rotated(43, (1, 0, 0)))
    assert pair[1][2].nefc == 1 and pair[1][2].efc_margin[0] == 0.05


def test_ball_limit_of_equivalent_quaternions():
    """C38.16, C38.19: q, -q and an unnormalised q give the same row."""
    rows = []
    for scale in (1.0, -1.0, 1.05):
        package, model, data = run(BALL.format(limit=45, extra=""), 0, rotated(60, (1, 0, 0), scale=scale))[1]
        rows.append(np.append(dense_jacobian(package, model, data)[0], data.efc_pos[0]))
    np.testing.assert_allclose(rows[1], rows[0], atol=1e-10)
    np.testing.assert_allclose(rows[2], rows[0], atol=1e-8)


def test_ball_range_by_its_larger_end():
    """C38.2, C38.20: the order of the range does not matter at run time."""
    def change(model, data):
        model.jnt_range[0] = [np.pi / 4, 0]
        rotated(60, (1, 0, 0))(model, data)
    pair = run(BALL.format(limit=45, extra=""), 0, change)
    assert pair[1][2].efc_pos[0] == pytest.approx(np.deg2rad(-15))


def test_ball_limit_holds():
    """C38.1: a rotation beyond the limit is pushed back."""
    package, model, data = run(BALL.format(limit=30, extra=""), 500, rotated(35, (1, 0, 0), (2, 0, 0)))[1]
    assert 2 * np.arccos(min(1, abs(data.qpos[0]))) < np.deg2rad(32)


@pytest.mark.parametrize("flag,attribute", (("equality", "ne"), ("frictionloss", "nf"), ("limit", "nl"),
                                            ("contact", "ncon"), ("constraint", "nefc")))
def test_disabled_rows(flag, attribute):
    """C41.1, C41.3, C41.4, C41.9: a disabled kind of constraint has no rows, the others stay."""
    base = ARTICULATED.format(option="")
    xml = base.replace("<option />", f'<option><flag {flag}="disable"/></option>')
    on, off = run(base, 0, disturb)[1][2], run(xml, 0, disturb)
    assert getattr(on, attribute) > 0 and getattr(off[1][2], attribute) == 0
    assert off[1][2].nefc == off[0][2].nefc
    np.testing.assert_allclose(off[1][2].qacc, off[0][2].qacc, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("flag", ("refsafe", "island", "warmstart", "eulerdamp"))
def test_flags_of_the_solver(flag):
    """C41.12: trajectories with one flag switched off equal the reference's."""
    xml = ARTICULATED.format(option="").replace("<option />", f'<option><flag {flag}="disable"/></option>')
    pair = run(xml, 10, disturb)
    np.testing.assert_allclose(pair[1][2].qpos, pair[0][2].qpos, rtol=0, atol=1e-8)


TENDONS = """<mujoco><option gravity="0 0 0" solver="{solver}"/><worldbody>
  <body><joint name="a" axis="0 1 0"/><geom fromto="0 0 0 .3 0 0" size=".02" type="capsule" contype="0"/></body>
  <body pos="0 1 0"><joint name="b" axis="0 1 0"/><geom fromto="0 0 0 .3 0 0" size=".02" type="capsule" contype="0"/></body>
  </worldbody><tendon><fixed name="t1"><joint joint="a" coef="1"/></fixed><fixed name="t2"><joint joint="b" coef="1"/></fixed></tendon>
  <equality><tendon tendon1="t1" {second} {extra}/></equality></mujoco>"""


@pytest.mark.parametrize("solver", SOLVERS)
def test_tendon_equality_converges(solver):
    """A37.2, A37.5, A37.7, A37.11: without load the violation vanishes, along the reference's trajectory."""
    def start(model, data):
        data.qpos[:] = [.2, -.1]
    xml = TENDONS.format(solver=solver, second='tendon2="t2"', extra='polycoef="0 .5 0 0 0"')
    pair = run(xml, 500, start)
    np.testing.assert_allclose(pair[1][2].qpos, pair[0][2].qpos, atol=1e-6)
    assert pair[1][2].qpos[0] == pytest.approx(.5 * pair[1][2].qpos[1], abs=1e-6)


def test_tendon_equality_alone_and_inactive():
    """A37.3, A37.4, A37.9: one tendon is held at its reference plus an offset; inactive constraints have no row."""
    pair = run(TENDONS.format(solver="Newton", second="", extra='polycoef=".1 1 0 0 0"'), 1500)
    assert pair[1][2].qpos[0] == pytest.approx(.1, abs=1e-4)
    assert run(TENDONS.format(solver="Newton", second="", extra='active="false"'))[1][2].nefc == 0


def test_equality_can_be_switched_at_run_time():
    """A37.9: eq_active of the data decides, not the model."""
    package, model, data = load(TENDONS.format(solver="Newton", second='tendon2="t2"', extra=""))[1]
    package.mj_forward(model, data)
    assert data.ne == 1
    data.eq_active[0] = 0
    package.mj_forward(model, data)
    assert data.ne == 0


def test_tendon_equality_with_sleeping():
    """A37.D4: a tendon equality ties sleeping trees together (the reference refuses this combination)."""
    xml = TENDONS.format(solver="Newton", second='tendon2="t2"', extra="").replace(
        'solver="Newton"/>', 'solver="Newton"><flag sleep="enable"/></option>')
    model = ligament.MjModel.from_xml_string(xml)
    data = ligament.MjData(model)
    for _ in range(50):
        ligament.mj_step(model, data)
    assert (np.asarray(data.tree_asleep) >= 0).all()
    data.qvel[0] = 1.0
    ligament.mj_step(model, data)
    assert (np.asarray(data.tree_asleep) < 0).all()


def test_bad_states_stay_finite():
    """F3.8: ill-posed input resets with a warning, as in the reference."""
    pair = load(scene(STACK))
    for package, model, data in pair:
        data.qvel[0] = 1e12
        package.mj_step(model, data)
    assert np.isfinite(pair[1][2].qpos).all()
    np.testing.assert_allclose(pair[1][2].qpos, pair[0][2].qpos, atol=1e-8)
    warning = mujoco.mjtWarning.mjWARN_BADQVEL
    assert pair[1][2].warning[warning].number == pair[0][2].warning[warning].number == 1


SLEEPERS = """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .0999"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="0 0 .2997"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="1 0 .0999"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="1 0 2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def test_sleeping_matches_the_reference():
    """C41.12: trees fall asleep island by island and wake on touch, step by step as in the reference."""
    pair = load(SLEEPERS)
    slept = woke = False
    for _ in range(600):
        for package, model, data in pair:
            package.mj_step(model, data)
        (_, _, expected), (_, _, actual) = pair
        np.testing.assert_array_equal(actual.tree_asleep, expected.tree_asleep)
        assert (actual.ntree_awake, actual.nv_awake, actual.nisland) == (
            expected.ntree_awake, expected.nv_awake, expected.nisland)
        np.testing.assert_allclose(actual.qpos, expected.qpos, atol=1e-6)
        slept |= actual.tree_asleep[2] >= 0
        woke |= bool(slept and actual.tree_asleep[2] < 0)
    assert slept and woke


@pytest.mark.parametrize("integrator", ("Euler", "implicit", "implicitfast"))
@pytest.mark.parametrize("discrete", (False, True))
def test_inverse_dynamics(integrator, discrete):
    """C41.12: inverse dynamics equal the reference's; the discrete form undoes the implicit integrator."""
    flag = '<flag invdiscrete="enable" fwdinv="enable"/>' if discrete else ""
    xml = ARTICULATED.format(option="").replace("<option />", f'<option integrator="{integrator}">{flag}</option>')
    pair = run(xml, 5, disturb)
    for package, model, data in pair:
        package.mj_inverse(model, data)
    scale = np.abs(pair[0][2].qfrc_constraint).max()
    np.testing.assert_allclose(pair[1][2].qfrc_inverse, pair[0][2].qfrc_inverse, atol=1e-6 * scale)
    for package, model, data in pair:
        package.mj_compareFwdInv(model, data)
    np.testing.assert_allclose(pair[1][2].solver_fwdinv, pair[0][2].solver_fwdinv, rtol=1e-3, atol=1e-5 * scale)


@pytest.mark.parametrize("centered", (False, True))
def test_transition_matrices(centered):
    """C41.12: finite differences of a step: all four matrices."""
    xml = ARTICULATED.format(option="").replace("</mujoco>", """
      <actuator><motor joint="hinge" ctrlrange="-1 1" ctrllimited="true"/><position joint="slide" kp="3"/></actuator>
      <sensor><jointpos joint="hinge"/><actuatorfrc actuator="0"/></sensor></mujoco>""".replace('actuator="0"', 'actuator="m"')).replace(
          '<motor joint', '<motor name="m" joint')
    result = []
    for package, model, data in load(xml):
        disturb(model, data)
        data.ctrl[0] = 1.0
        n = 2 * model.nv + model.na
        mats = [np.zeros((n, n)), np.zeros((n, model.nu)), np.zeros((model.nsensordata, n)),
                np.zeros((model.nsensordata, model.nu))]
        package.mjd_transitionFD(model, data, 1e-6, centered, *mats)
        result.append(mats)
    for expected, actual in zip(*result):
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-3 * max(1, np.abs(expected).max()))


def test_inverse_differences():
    """C41.12: finite differences of inverse dynamics."""
    result = []
    for package, model, data in run(ARTICULATED.format(option=""), 0, disturb):
        nv = model.nv
        mats = [np.zeros((nv, nv)) for _ in range(3)]
        mass = np.zeros((nv, model.nM))
        package.mjd_inverseFD(model, data, 1e-6, True, *mats, None, None, None, mass)
        result.append([*mats, mass])
    for expected, actual in zip(*result):
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4 * max(1, np.abs(expected).max()))


def test_products_with_the_jacobian():
    """F3.11: products with J and its transpose agree with the dense matrix."""
    for jacobian in ("dense", "sparse"):
        package, model, data = run(ARTICULATED.format(option=f'jacobian="{jacobian}"'), 0, disturb)[1]
        jac = dense_jacobian(package, model, data)
        rng = np.random.default_rng(0)
        v, f = rng.standard_normal(model.nv), rng.standard_normal(data.nefc)
        jv, jf = np.zeros(data.nefc), np.zeros(model.nv)
        package.mj_mulJacVec(model, data, jv, v)
        package.mj_mulJacTVec(model, data, jf, f)
        np.testing.assert_allclose(jv, jac @ v, atol=1e-12)
        np.testing.assert_allclose(jf, jac.T @ f, atol=1e-12)


def test_tendon_without_dofs_names_the_row_that_would_be_its_own():
    pair = run("""<mujoco><worldbody><site name="1"/><site name="2" pos="1 0 0"/></worldbody>
      <tendon><spatial limited="true" range="0 0.5"><site site="1"/><site site="2"/></spatial></tendon></mujoco>""")
    for package, model, data in pair:
        assert data.nefc == 0
        package.mj_subtreeVel(model, data)  # reads the state again, which must count as sound
    np.testing.assert_array_equal(pair[0][2].tendon_efcadr, pair[1][2].tendon_efcadr)


def test_large_piles_agree():
    """Large factors have an order of their own and are made anew when rows change: accelerations agree to rounding."""
    rng = np.random.default_rng(3)
    boxes = "".join(
        f'<body pos="{0.19 * (i % 6)} {0.19 * (i // 6 % 6)} {0.099 + 0.198 * (i // 36)}" euler="0 0 {rng.uniform(-2, 2)}">'
        '<freejoint/><geom type="box" size=".1 .1 .1"/></body>'
        for i in range(324)
    )
    xml = f'<mujoco><worldbody><geom type="plane" size="0 0 1"/>{boxes}</worldbody></mujoco>'
    accelerations, entries = [], []
    for engine in (mujoco, ligament):
        model = engine.MjModel.from_xml_string(xml)
        data = engine.MjData(model)
        data.qvel[2::6] = -1
        data.qvel[0::6] = np.linspace(-1, 1, 324)
        engine.mj_forward(model, data)
        entries.append(int(data.solver_nnz[0]))
        accelerations.append(np.array(data.qacc))
    assert entries[0] != entries[1] > 0, entries
    scale = np.abs(accelerations[0]).max()
    np.testing.assert_allclose(accelerations[1], accelerations[0], rtol=0, atol=1e-9 * scale)
