"""Trajectories step by step, live against the reference."""

import numpy as np
import pytest

import ligament

mujoco = pytest.importorskip("mujoco")


def together(xml, steps, start=None):
    """Steps both engines; yields the data of the reference and of Ligament after every step."""
    pair = []
    for package in (mujoco, ligament):
        model = package.MjModel.from_xml_string(xml)
        data = package.MjData(model)
        if start:
            start(model, data)
        pair.append((package, model, data))
    for _ in range(steps):
        for package, model, data in pair:
            package.mj_step(model, data)
        yield pair[0][2], pair[1][2]


DISABLE = ("constraint", "equality", "frictionloss", "limit", "contact", "spring", "damper", "gravity", "clampctrl",
           "warmstart", "filterparent", "actuation", "refsafe", "sensor", "midphase", "eulerdamp", "autoreset",
           "nativeccd", "island")

EVERYTHING = """<mujoco><option>{flags}</option><worldbody><geom type="plane" size="3 3 .1"/>
  <body name="base" pos="0 0 .1"><freejoint/><geom size=".1"/>
    <body name="arm" pos=".15 0 0"><joint name="hinge" axis="0 1 0" range="-20 20" frictionloss=".3" damping=".5" stiffness="4"
        springref="30" solreflimit=".001 1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="tip" pos=".3 0 0"/></body></body>
  <body name="other" pos="0 1 .15"><freejoint/><geom type="capsule" size=".1 .1" euler="0 80 0"/><site name="mark"/></body>
  <body pos="1 0 1"><joint name="slide" type="slide" damping="2"/><geom type="box" size=".1 .1 .1"/></body></worldbody>
  <tendon><spatial name="t" stiffness="20" damping="1" springlength=".5"><site site="tip"/><site site="mark"/></spatial></tendon>
  <equality><joint joint1="slide" joint2="hinge" polycoef="0 .3 0 0 0"/></equality>
  <actuator><motor joint="hinge" ctrlrange="-1 1"/><position joint="slide" kp="30" timeconst=".05"/></actuator>
  <sensor><jointpos joint="hinge"/><tendonpos tendon="t"/><accelerometer site="tip"/></sensor></mujoco>"""


def everything_moves(model, data):
    data.qvel[:] = np.linspace(-1, 1, model.nv)
    data.qpos[7] = np.deg2rad(25)
    data.ctrl[:] = [3, .4]


def everything(flags):
    return together(EVERYTHING.format(flags=flags), 10, everything_moves)


@pytest.mark.parametrize("flag", DISABLE)
def test_each_disable_flag(flag):
    """C41.12: with one thing switched off, accelerations and sensors follow the reference."""
    for expected, actual in everything(f'<flag {flag}="disable"/>'):
        scale = max(1, np.abs(expected.qacc).max())
        np.testing.assert_allclose(actual.qacc / scale, expected.qacc / scale, rtol=0, atol=1e-10)
        np.testing.assert_allclose(actual.sensordata, expected.sensordata, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("flag", [f for f in DISABLE if f not in ("midphase", "autoreset", "nativeccd", "filterparent", "island",
                                                                  "warmstart", "sensor")])
def test_disable_flags_matter(flag):
    """C41.12: the model of the test above reacts to the flags that change forces."""
    plain, without = list(everything("")), list(everything(f'<flag {flag}="disable"/>'))
    assert np.abs(plain[-1][1].qvel - without[-1][1].qvel).max() > 1e-6


def test_passive_is_no_flag():
    """C41.11: the flag that once stood for springs and dampers is refused; the two bits are set one by one."""
    for package in (mujoco, ligament):
        with pytest.raises(ValueError, match="passive"):
            package.MjModel.from_xml_string('<mujoco><option><flag passive="disable"/></option></mujoco>')
    model = ligament.MjModel.from_xml_string('<mujoco><option><flag spring="disable" damper="disable"/></option></mujoco>')
    assert model.opt.disableflags == mujoco.mjtDisableBit.mjDSBL_SPRING | mujoco.mjtDisableBit.mjDSBL_DAMPER


MASS = '<inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>'
SPRING = 'stiffness="100" damping="10"'
SPHERE = '<geom name="g" size=".1" contype="0" conaffinity="0"/>'
CYLINDER = '<geom name="g" type="cylinder" size=".08 .3" contype="0" conaffinity="0"/>'
AROUND = '<site site="s1"/><geom geom="g"/><site site="s2"/>'
BESIDE = '<site site="s1"/><geom geom="g" sidesite="side"/><site site="s2"/>'


def chain(sites, inside=""):
    """Hinged links that hang from each other, with a site on each."""
    parts = (".05", "0 0 1", ".5"), (".04", "0 0 -.5", ".4"), (".03", "0 0 -.4", ".3")
    text = ""
    for i, site in reversed(list(enumerate(sites))):
        radius, pos, length = parts[i]
        extra = inside if i == 1 else ""
        text = (f'<body pos="{pos}"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -{length}" size="{radius}"/>'
                f'<site name="s{i + 1}" pos="{site}"/>{extra}{text}</body>')
    return text


def two(first, second, joint, between):
    bodies = "".join(f'<body pos="{pos}"><joint {joint}/>{MASS}<site name="s{i}" pos="0 0 .02"/></body>'
                     for i, pos in ((1, first), (2, second)))
    return between + bodies


STRAIGHT = '<site site="s1"/><site site="s2"/>'
MODELS = {
    "A": (chain(("0 0 0", "0 0 -.2")), SPRING, STRAIGHT, '<motor tendon="t"/>'),
    "B": (two("-.3 .05 0", ".3 .05 0", 'pos=".1 0 0"', SPHERE), 'stiffness="200"', AROUND, ""),
    "C": (two("-.3 .1 .2", ".3 -.05 -.2", 'type="slide" axis="1 0 0"', CYLINDER), SPRING, AROUND, ""),
    "D": (f'<body pos="0 0 .5"><joint type="slide"/>{MASS}<site name="s1"/></body><site name="s2"/><site name="s3"/>'
          f'<body pos="0 0 -.5"><joint type="slide"/>{MASS}<site name="s4"/></body>', 'stiffness="100"',
          STRAIGHT + '<pulley divisor="2"/><site site="s3"/><site site="s4"/>', ""),
    "E": (two("-.3 .15 0", ".3 -.05 0", 'pos=".1 0 0"', SPHERE + '<site name="side" pos="0 .3 0"/>'), SPRING, BESIDE, ""),
    "F": (chain(("0 0 0", "0 0 -.2", "0 0 -.15")), SPRING, STRAIGHT + '<site site="s3"/>', ""),
    "G": (chain((".1 0 0", "0 0 -.2")), 'range=".35 .9"', STRAIGHT,
          '<muscle tendon="t" force="100" lengthrange=".35 .9"/>'),
    "H": (two("-.3 0 0", ".3 0 0", 'type="slide" axis="0 1 0"', SPHERE), SPRING, AROUND, ""),
    "I": (two("-.3 .1 .2", ".3 -.05 -.2", 'type="slide" axis="1 0 0"', CYLINDER + '<site name="side" pos="0 .2 0"/>'),
          SPRING, BESIDE, ""),
    "J": (two("-.3 .2 0", ".3 .2 0", 'pos=".1 0 0"', SPHERE + '<site name="side" pos="0 -.3 0"/>'), SPRING, BESIDE, ""),
    "K": ('<site name="s1"/><body pos="1 0 0" euler="0 45 0"><freejoint/><geom size=".05"/><site name="s2" pos=".2 .1 0"/></body>',
          'stiffness="100"', STRAIGHT, ""),
    "L": (chain(("0 .3 0", "0 .15 0", "0 0 0"), '<body pos="0 0 -.2"><geom name="g" size=".08" contype="0" conaffinity="0"/></body>'),
          'stiffness="100"', STRAIGHT + '<geom geom="g"/><site site="s3"/>', ""),
}


@pytest.mark.parametrize("name", MODELS)
def test_spatial_tendons(name):
    """M4.16, F4.15: lengths, velocities, Jacobians and forces of spatial tendons over 100 steps."""
    world, tendon, path, actuator = MODELS[name]
    xml = (f'<mujoco><worldbody>{world}</worldbody><tendon><spatial name="t" {tendon}>{path}</spatial></tendon>'
           f'<actuator>{actuator}</actuator></mujoco>')

    def bend(model, data):
        data.qvel[:] = np.linspace(.3, .5, model.nv)
        data.ctrl[:] = .5
    for expected, actual in together(xml, 100, bend):
        for field in ("ten_length", "ten_velocity", "ten_J", "qfrc_spring", "qfrc_damper", "qfrc_actuator"):
            np.testing.assert_allclose(np.ravel(getattr(actual, field)), np.ravel(getattr(expected, field)),
                                       rtol=1e-8, atol=1e-8, err_msg=field)
        np.testing.assert_allclose(actual.qfrc_constraint, expected.qfrc_constraint, rtol=1e-6, atol=1e-6)


ARM = """<mujoco><worldbody><site name="w" pos=".5 0 .5" euler="20 30 40"/>
  <body pos="0 0 1"><joint axis="0 0 1" damping=".3"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".04"/>
    <site name="r" pos=".2 .1 0" euler="10 0 50"/>
    <body pos=".5 0 0"><joint axis="0 1 0" damping=".3"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
      <body pos=".4 0 0"><joint axis="0 1 0" damping=".3"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
        <site name="s" pos=".3 .05 .02" euler="30 40 50"/></body></body></body>
  <body name="loose" pos="0 2 1" euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="f" pos=".1 .1 0" euler="0 50 0"/></body>
  </worldbody><actuator>{actuator}</actuator></mujoco>"""


@pytest.mark.parametrize("actuator", (
    '<general site="s" gear="1 2 3 0 0 0"/>',
    '<general site="s" gear="0 0 0 1 2 3"/>',
    '<general site="s" gear=".5 -1 2 .3 1 -.2"/>',
    '<general site="s" refsite="w" gear="1 2 3 0 0 0"/>',
    '<general site="s" refsite="r" gear="0 0 0 1 2 3"/>',
    '<general site="f" refsite="w" gear=".5 -1 2 .3 1 -.2"/>',
    '<position site="s" refsite="r" gear="1 0 .5" kp="40" kv="2"/>',
))
def test_site_actuators(actuator):
    """M5.22: length, velocity and generalised force of site actuators, with and without reference site."""
    def start(model, data):
        data.qpos[:3] = .3, -.5, .8
        data.qvel[:] = np.linspace(-.5, .5, model.nv)
        data.ctrl[:] = 1.5
    for expected, actual in together(ARM.format(actuator=actuator), 100, start):
        for field in ("actuator_length", "actuator_velocity", "qfrc_actuator"):
            np.testing.assert_allclose(getattr(actual, field), getattr(expected, field), rtol=1e-8, atol=1e-10, err_msg=field)
        assert np.abs(actual.qfrc_actuator).max() > 1e-3
