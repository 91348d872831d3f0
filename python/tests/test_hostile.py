"""Nothing that Python code can do ends the process: it gets an exception that says why, or a right result.

Each case runs in a process of its own, with a limit on processor time and memory; issue 10, "Nothing safe can break it".
"""

import os
import pathlib
import re
import resource
import subprocess
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).parent
SOURCES = HERE.parent.parent / "crates" / "ligament-py" / "src"

PRELUDE = """
import gc, threading
import numpy as np
import ligament as mj

XML = '''<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="2 2 .1"/>
  <camera name="eye" pos="0 -2 1"/><light pos="0 0 2"/>
  <body name="box" pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="tip"/></body>
  <body name="arm" pos=".5 0 .5"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>
    <body pos=".3 0 0"><joint name="elbow" axis="0 1 0"/><geom size=".08"/></body></body></worldbody>
  <actuator><motor joint="hinge"/></actuator><sensor><framepos objtype="site" objname="tip"/></sensor></mujoco>'''

def world():
    model = mj.MjModel.from_xml_string(XML)
    data = mj.MjData(model)
    mj.mj_step(model, data, 5)
    assert data.nefc > 0 and data.ncon > 0
    return model, data

def raises(kind, call, words=""):
    try:
        call()
    except kind as error:
        assert words in str(error), str(error)
        return str(error)
    raise AssertionError("no exception")

def churn():
    "Other things take the memory that was freed."
    gc.collect()
    return [np.full(200, 7.0) for _ in range(2000)]
"""


def _limits():
    resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
    memory = int(os.environ.get("HOSTILE_MEMORY", 4 << 30))
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def run(code, timeout=600):
    """Runs code after the prelude; the process must end by itself, without a word about panics."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "MALLOC_PERTURB_": "165"}
    result = subprocess.run([sys.executable, "-c", PRELUDE + code], capture_output=True, text=True, timeout=timeout,
                            env=environment, preexec_fn=_limits)
    assert result.returncode == 0, (result.returncode, result.stdout[-2000:], result.stderr[-3000:])
    assert "panic" not in result.stderr.lower(), result.stderr
    return result.stdout


def test_lists_read_while_another_thread_steps():
    """Views of constraint rows and contacts, taken by one thread while another steps, never dangle."""
    run("""
model, data = world()
stop, kept, refused = threading.Event(), [], []
def look():
    while not stop.is_set():
        try:
            kept.append((data.efc_J, data.contact.dist))
        except RuntimeError as error:
            refused.append(str(error))
        if len(kept) > 200: del kept[:100]
threads = [threading.Thread(target=look) for _ in range(3)]
for thread in threads: thread.start()
for _ in range(40):
    data.qpos[2] = .09 + .2 * np.random.rand()
    mj.mj_step(model, data, 50)
stop.set()
for thread in threads: thread.join()
trash = churn()
for rows, distances in kept:
    assert np.isfinite(rows).all() and np.isfinite(distances).all()
    assert not (rows == 7.0).any()
assert all("being used by mj_step in another thread" in text for text in refused), refused[:1]
""")


def test_second_step_from_another_thread_is_refused():
    run("""
model, data = world()
errors = []
def step():
    for _ in range(200):
        try:
            mj.mj_step(model, data, 20)
        except RuntimeError as error:
            errors.append(str(error))
threads = [threading.Thread(target=step) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert all("the data is being used by mj_step in another thread" in text for text in errors)
mj.mj_step(model, data)
""")


def test_time_hook_that_looks_at_lists():
    run("""
model, data = world()
seen = []
def clock():
    seen.append(raises(RuntimeError, lambda: data.efc_J, "from inside this callback"))
    raises(RuntimeError, lambda: data.contact.dist)
    raises(RuntimeError, lambda: mj.mj_forward(model, data))
    raises(RuntimeError, lambda: mj.mj_jacBody(model, data, np.zeros((3, model.nv)), None, 1))
    assert len(data.qpos) == model.nq and len(data.qvel) == model.nv and data.time >= 0
    return float(len(seen))
mj.set_mjcb_time(clock)
mj.mj_step(model, data)
mj.set_mjcb_time(None)
assert seen and data.timer[0].duration > 0
mj.mj_step(model, data)
""")


def test_contact_filter_that_steps_and_removes_itself():
    run("""
model, data = world()
seen = []
def hook(m, d, first, second):
    seen.append(raises(RuntimeError, lambda: mj.mj_forward(m, d), "can only be read inside this callback"))
    raises(RuntimeError, lambda: mj.mj_setConst(m, d))
    mj.set_mjcb_contactfilter(None)
    churn()
    mj.set_mjcb_contactfilter(lambda *_: 1)
    assert d.qpos.shape == (m.nq,) and d.efc_J is not None and len(d.contact) >= 0
    mj.mj_jacBody(m, d, np.zeros((3, m.nv)), None, 1)
    return 0
mj.set_mjcb_contactfilter(hook)
mj.mj_step(model, data)
assert seen
mj.mj_resetCallbacks()
mj.mj_step(model, data)
""")


def test_callbacks_use_what_they_are_given():
    """What users of 3.5.0 do in callbacks: read anything, write controls and forces, call functions that do not step."""
    run("""
model, data = world()
calls, kept = [], []
def control(m, d):
    assert d is data and m is model
    kept.append((d.contact.pos, d.contact.pos.copy(), d.efc_J, d.efc_J.copy()))
    d.ctrl[:] = -d.qpos[7]
    d.contact.friction[:, 0] = 0.5
    jac = np.zeros((3, m.nv))
    mj.mj_jacBody(m, d, jac, None, 2)
    force = np.zeros(6)
    for i in range(d.ncon):
        mj.mj_contactForce(m, d, i, force)
    mj.mj_subtreeVel(m, d)
    mj.mj_applyFT(m, d, [0, 0, 1.], [0, 0, 0.], [0, 0, 0.], 1, d.qfrc_applied)
    dense = np.zeros((m.nv, m.nv)); mj.mj_fullM(m, dense, d.qM)
    calls.append(raises(RuntimeError, lambda: mj.mj_forward(m, d), "mjcb_control would be called from inside a callback"))
    mj.set_mjcb_control(None); mj.set_mjcb_control(control)
mj.set_mjcb_control(control)
mj.mj_step(model, data, 20)
assert len(calls) == 20
mj.mj_resetCallbacks()
mj.mj_step(model, data, 20)
trash = churn()
for a, b, c, d in kept:
    assert np.array_equal(a, b, equal_nan=True) and np.array_equal(c, d, equal_nan=True)
""")


def test_callback_recursion_ends_with_an_exception():
    run("""
model, data = world()
mj.set_mjcb_control(lambda m, d: mj.mj_step(m, d))
raises(RuntimeError, lambda: mj.mj_step(model, data), "from inside a callback")
other = mj.MjData(model)
mj.set_mjcb_control(lambda m, d: mj.mj_step(m, other) if d is data else None)
mj.mj_step(model, data)
""")


def test_exceptions_end_many_steps_at_once():
    run("""
model, data = world()
calls = []
def control(m, d):
    calls.append(1)
    raise KeyError("no control")
mj.set_mjcb_control(control)
raises(KeyError, lambda: mj.mj_step(model, data, 100000))
assert len(calls) == 1
""")


def test_after_an_internal_error_the_data_says_so_until_it_is_reset():
    run("""
model, data = world()
core = mj._core
names = [name for name, dynamic in core.MjData._field_names()]
views = {name: getattr(data, name) for name in names}
copies = {name: view.copy() for name, view in views.items()}
contacts = data.contact.dist
text = raises(mj.FatalError, lambda: core._provoke_internal_error(model, data), "provoke_internal_error: internal error: provoked")
assert "PanicException" not in text and issubclass(mj.FatalError, Exception)
trash = churn()
for call in (lambda: mj.mj_step(model, data), lambda: data.efc_J, lambda: data.contact.dist, lambda: mj.mj_jacBody(
        model, data, np.zeros((3, model.nv)), None, 1), lambda: mj.MjData(model)._assign(data)):
    raises(mj.FatalError, call, "the data is unusable after an internal error in provoke_internal_error: call mj_resetData")
for name, view in views.items():
    assert np.array_equal(view, copies[name], equal_nan=True), name
    if name in data.__dict__: assert getattr(data, name) is view
contacts.sum()
mj.mj_resetData(model, data)
fresh = mj.MjData(model)
for _ in range(20):
    mj.mj_step(model, data); mj.mj_step(model, fresh)
assert np.array_equal(data.qpos, fresh.qpos) and views["qpos"] is data.qpos
raises(mj.FatalError, lambda: core._provoke_internal_error(model, data))
mj.mj_copyData(data, model, fresh)
mj.mj_step(model, data); mj.mj_step(model, fresh)
assert np.array_equal(data.qpos, fresh.qpos)
""")


@pytest.mark.parametrize("call", ["mj.mj_setConst(model, data)", "mj.mj_step(model, data)", "mj.mj_forward(model, data)",
                                  "mj.mj_constraintUpdate(model, data, np.zeros(data.nefc), None, 1)",
                                  "mj.mj_jacSite(model, data, np.zeros((3, model.nv)), None, 0)",
                                  "mj.mj_ray(model, data, np.zeros(3), np.ones(3), None, 1, -1, None)",
                                  "mj.MjData(model)"])
@pytest.mark.parametrize("field", ["dof_parentid", "body_parentid", "geom_bodyid", "jnt_qposadr", "site_bodyid"])
def test_overwritten_indices_are_named_and_nothing_is_lost(call, field):
    """A changed index is found before it is used; with the old one everything works again, in the same memory."""
    run(f"""
model, data = world()
views = {{name: getattr(model, name) for name in mj._core.MjModel._field_names()}}
more = {{name: getattr(data, name) for name, _ in mj._core.MjData._field_names()}}
lengths = {{name: len(view) for name, view in (*views.items(), *more.items())}}
old = model.{field}.copy()
for value in (10**6, -5, 2**31 - 1, -2**31, 3):
    model.{field}[-1] = value
    if value == 3 and "{field}" in ("site_bodyid", "geom_bodyid"): continue
    text = raises(mj.FatalError, lambda: {call}, "the model is inconsistent: ")
    assert "[" in text, text
model.{field}[:] = old
trash = churn()
{call}
assert all(len(view) == lengths[name] for name, view in (*views.items(), *more.items()))
for name, view in views.items():
    assert np.array_equal(view, getattr(model, name)), name
mj.mj_step(model, data)
""")


def test_every_function_goes_through_the_guard():
    """`#[entry]` and `#[entries]` stand in place of PyO3's own attributes everywhere."""
    files = sorted(SOURCES.rglob("*.rs"))
    text = "\n".join(file.read_text() for file in files)
    assert len(files) > 10 and text.count("#[entry]") + text.count("::entry]") > 80
    assert not re.findall(r"#\[(?:pyo3::)?(?:pyfunction|pymethods)\b", text)


def test_counts_of_rows_cannot_be_set():
    run("""
model, data = world()
for name in ("nefc", "ne", "nf", "nl", "nJ", "nisland"):
    raises(ValueError, lambda: setattr(data, name, 50), name)
for name in ("nv_awake", "nbody_awake", "ntree_awake", "nparent_awake"):
    for value in (-1, 10**6, float("nan"), 2**64):
        raises(ValueError, lambda: setattr(data, name, value))
raises(ValueError, lambda: setattr(data, "ncon", 50))
data.nefc = data.nefc
mj.mj_step(model, data)
data.nefc = 0
assert data.nefc == 0 and len(data.efc_J) == 0
mj.mj_fwdConstraint(model, data)
mj.mj_step(model, data)
""")


def test_arguments_that_run_code():
    """An argument whose conversion steps the data finds it in use."""
    run("""
model, data = world()
class Sly:
    def __init__(self, n): self.n = n
    def __array__(self, dtype=None, copy=None):
        mj.mj_step(model, data)
        return np.zeros(self.n)
    def __len__(self): return self.n
raises(RuntimeError, lambda: mj.mj_mulM(model, data, np.zeros(model.nv), Sly(model.nv)), "being used by mj_mulM")
class Late:
    def __del__(self): mj.set_mjcb_control(None)
    def __call__(self, m, d): pass
hook = Late(); mj.set_mjcb_control(hook); del hook
mj.set_mjcb_control(lambda m, d: None); mj.mj_resetCallbacks()
mj.mj_mulM(model, data, data.qfrc_applied, data.qacc)
""")


def test_stages_in_any_order():
    """New contacts or rows make what was computed from the old ones invalid; later stages do not trip over it."""
    run("""
model, data = world()
for first in (mj.mj_inverse, mj.mj_invPosition, mj.mj_collision, mj.mj_makeConstraint):
    for then in (mj.mj_fwdConstraint, mj.mj_step2, mj.mj_island, mj.mj_sensorAcc, mj.mj_rnePostConstraint, mj.mj_step):
        for shift in (0.5, -0.5):
            mj.mj_resetData(model, data)
            mj.mj_step(model, data, 3)
            data.qpos[2] += shift
            first(model, data)
            then(model, data)
mj.mj_step(model, data)
mj.mj_collision(model, data)
assert data.nefc == 0 and data.nisland == 0  # as in the reference
""")


def test_contacts_made_by_hand_are_checked():
    run("""
model, data = world()
def add(**values):
    contact = mj.MjContact()
    contact.flex = contact.elem = contact.vert = (-1, -1)
    contact.dim, contact.geom, contact.frame = 3, (0, 1), (0, 0, 1, 1, 0, 0, 0, 1, 0)
    for name, value in values.items(): setattr(contact, name, value)
    mj.mj_forward(model, data)
    assert mj.mj_addContact(model, data, contact) == 0
fresh = mj.MjContact(); fresh.dim = 1
mj.mj_addContact(model, data, fresh)
raises(mj.FatalError, lambda: mj.mj_makeConstraint(model, data), "flex 0, but the model has 0")
for values in ({"flex": (5, -1)}, {"geom": (99, 1)}, {"geom": (-1, 1)}, {"dim": 2}, {"dim": 1000}):
    add(**values)
    raises(mj.FatalError, lambda: mj.mj_makeConstraint(model, data), "contact")
add()
mj.mj_makeConstraint(model, data)
mj.mj_step(model, data)
column = data.contact.geom; column[:] = 77
raises(mj.FatalError, lambda: mj.mj_fwdConstraint(model, data), "geom 77")
data.efc_id[:] = 10**6
raises(mj.FatalError, lambda: mj.mj_step2(model, data), "inconsistent")
mj.mj_step(model, data)
""")


def test_arguments_without_end():
    """Sizes and counts are compared with what is there before anything is allocated or repeated."""
    run("""
for base in (1, 0, -3):
    raises(mj.FatalError, lambda: mj.mju_Halton(5, base))
assert mj.mju_Halton(5, 2) == 0.625
for call in (lambda: mj.mju_bandMulMatVec(np.zeros(2), np.zeros(2), np.zeros(2), 40000, 1, 0, 1, 1),
             lambda: mj.mju_cholFactorBand(np.zeros(2), 40000, 1, 0, 0, 0),
             lambda: mj.mju_cholSolveBand(np.zeros(2), np.zeros(2), np.zeros(2), 2**31 - 1, 1, 0),
             lambda: mj.mju_band2Dense(np.zeros(4), np.zeros(2), 2, -1, 0, 0)):
    raises(TypeError, call)
model, data = world()
raises(ValueError, lambda: mj.mj_printFormattedModel(model, "/dev/null", "%999999999f"))
raises(OverflowError, lambda: mj.mj_step(model, data, 2**31))
raises(MemoryError, lambda: data._set_lists({}, 2**40))
for nray in (2**31 - 1, 2**62):
    raises(TypeError, lambda: mj.mj_multiRay(model, data, np.zeros(3), np.zeros(3), None, 1, -1, None, np.zeros(1), None, nray, 1.))
""")


@pytest.mark.parametrize("seed", [1, 101])
def test_random_calls(seed):
    """A short run of fuzz/python_caller.py."""
    caller = HERE.parent.parent / "fuzz" / "python_caller.py"
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "CALLER_PATIENCE": "100"}
    result = subprocess.run([sys.executable, caller, "--worker", "any", str(seed), "25"], capture_output=True, text=True,
                            timeout=1200, env=environment)
    assert result.returncode == 0, (result.stdout[-300:], result.stderr[-3000:])


def test_iterations_without_end_end():
    run("""
model, data = world()
model.opt.tolerance = model.opt.noslip_tolerance = 0
for solver in (0, 2):
    model.opt.solver, model.opt.iterations, model.opt.noslip_iterations = solver, 2**31 - 1, 2**31 - 1
    model.opt.ls_iterations = model.opt.ccd_iterations = 2**31 - 1
    raises(mj.FatalError, lambda: mj.mj_step(model, data), "operations of this state")
    mj.mj_resetData(model, data)
model.opt.iterations = model.opt.ls_iterations = model.opt.ccd_iterations = 50
model.opt.noslip_iterations = 0
mj.mj_step(model, data)
""")


def test_parents_in_circles_end():
    run("""
for field in ("dof_parentid", "body_parentid", "bvh_child"):
    for hook in ("control", "contactfilter", "passive"):
        model, data = world()
        def spoil(*_):
            getattr(model, field).fill(3)
            return 0
        getattr(mj, "set_mjcb_" + hook)(spoil)
        try:
            mj.mj_step(model, data)
        except (mj.FatalError, ValueError):
            pass
        mj.mj_resetCallbacks()
""")


def test_a_hook_of_a_batch_cannot_use_a_batch():
    run("""
import ctypes, sys
from ligament import batch
model, _ = world()
worlds, said = batch.Batch(model, 3), []
def hook(*_):
    try:
        worlds.step()
    except RuntimeError as error:
        said.append(str(error))
kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
function = kind(hook)
mj.set_mjcb_control(function)
worlds.step()
assert said and "inside a hook" in said[0], said
""")


def test_specifications_attached_to_themselves():
    run("""
spec = mj.MjSpec.from_string("<mujoco><worldbody><body name='a'><freejoint/><geom size='1'/></body></worldbody>"
                             "<keyframe><key/></keyframe></mujoco>")
def grow():
    for i in range(300):
        spec.worldbody.add_frame().attach_body(spec.body("a"), f"x{i}", "")
raises(ValueError, grow, "too many elements")
""")


def test_pictures_and_scenes_of_any_size():
    run("""
model, data = world()
for count in (10**7, 2**31 - 1, -1):
    raises(ValueError, lambda: mj.MjvScene(model, count), "maxgeom")
context, scene = mj.MjrContext(model, 100), mj.MjvScene(model, 100)
mj.mjv_updateScene(model, data, mj.MjvOption(), None, mj.MjvCamera(), 7, scene)
for side in (10**5, 2**31, 2**40):
    raises(mj.FatalError, lambda: mj.mjr_resizeOffscreen(side, side, context), "memory")
for n in (-2**31, -1, 10**9, 2**31 - 1):
    for rect in (mj.MjrRect(n, n, 10, 10), mj.MjrRect(0, 0, n, n), mj.MjrRect(n, n, n, n)):
        mj.mjr_render(rect, scene, context)
        mj.mjr_rectangle(rect, 1, 0, 0, 1)
        mj.mjr_label(rect, 0, "text", 1, 0, 0, 1, 1, 1, 1, context)
    scene.ngeom = n
    mj.mjr_render(mj.MjrRect(0, 0, 64, 48), scene, context)
    mj.mjv_addGeoms(model, data, mj.MjvOption(), None, 7, scene)
for name in ("numslices", "numstacks", "numquads"):
    other, _ = world()
    setattr(other.vis.quality, name, 10**9)
    raises(mj.FatalError, lambda: mj.MjrContext(other, 100), "too many parts")
context.shadowSize = 10**9
raises(mj.FatalError, lambda: mj.mjr_render(mj.MjrRect(0, 0, 64, 48), scene, context), "shadows")
""")


def test_limits_of_a_state_can_be_set():
    import ligament
    spheres = "".join('<body><freejoint/><geom size=".1"/></body>' for _ in range(40))
    model = ligament.MjModel.from_xml_string(f"<mujoco><worldbody>{spheres}</worldbody></mujoco>")
    for limit in ("memory", "effort"):
        data = ligament.MjData(model)
        data.set_limits(**{limit: 1000})
        with pytest.raises(ligament.FatalError, match=f"set_limits\\({limit}="):
            ligament.mj_step(model, data)
        data.set_limits(**{limit: 2**40})
        ligament.mj_resetData(model, data)
        ligament.mj_step(model, data)


def test_many_steps_end_with_the_first_that_is_refused():
    import ligament
    from ligament import rollout
    spheres = "".join('<body><freejoint/><geom size=".1"/></body>' for _ in range(4))
    model = ligament.MjModel.from_xml_string(f"<mujoco><worldbody>{spheres}</worldbody></mujoco>")
    start = np.zeros((1, ligament.mj_stateSize(model, ligament.mjtState.mjSTATE_FULLPHYSICS)))
    looks = []

    def count(run, steps):
        data = ligament.MjData(model)
        data.set_limits(effort=1)
        looks.clear()
        ligament.set_mjcb_time(lambda: looks.append(1) or 0.0)
        try:
            with pytest.raises(ligament.FatalError, match="set_limits"):
                run(data, steps)
        finally:
            ligament.set_mjcb_time(None)
        assert data.time == 0
        return len(looks)

    for run in (lambda data, steps: ligament.mj_step(model, data, steps),
                lambda data, steps: rollout.rollout(model, data, start, nstep=steps)):
        assert 0 < count(run, 1) == count(run, 60)


def test_distances_of_fields_searched_without_end_are_refused():
    import ligament
    tori = "".join(f'<body pos="0 0 {z}"><freejoint/><geom type="sdf" mesh="m"><plugin instance="t"/></geom></body>' for z in (0, .05))
    model = ligament.MjModel.from_xml_string(
        '<mujoco><extension><plugin plugin="mujoco.sdf.torus"><instance name="t"/></plugin></extension>'
        f'<asset><mesh name="m"><plugin instance="t"/></mesh></asset><worldbody>{tori}</worldbody></mujoco>')
    data = ligament.MjData(model)
    ligament.mj_forward(model, data)
    assert np.isfinite(ligament.mj_geomDistance(model, data, 0, 1, 1.0, None))
    model.opt.sdf_iterations = model.opt.sdf_initpoints = 2**31 - 1
    with pytest.raises(ligament.FatalError, match="set_limits"):
        ligament.mj_geomDistance(model, data, 0, 1, 1.0, None)
    with pytest.raises(ligament.FatalError, match="set_limits"):
        ligament.mj_step(model, data)


def test_a_lean_world_used_by_two_threads_waits_and_can_be_interrupted():
    run("""
import threading, signal
model, data = world()
lean = mj.Lean(model)
states = [mj.MjData(model) for _ in range(3)]
threads = [threading.Thread(target=lambda d=d: [lean._native.step(d, 100) for _ in range(10)]) for d in states]
[t.start() for t in threads]
[t.join() for t in threads]
assert all(d.qpos.tobytes() == states[0].qpos.tobytes() for d in states)
def late(*_):
    raise TimeoutError
signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, .3)
raises(TimeoutError, lambda: lean.step(2**62), "")
""")


def test_a_viewer_that_makes_a_frame_is_busy():
    run("""
model, data = world()
viewer, said = mj._core.ActiveViewer(model, "x", 0), []
def hook(*_):
    assert viewer.address().startswith("http")
    try:
        viewer.complain("x")
    except RuntimeError as error:
        said.append(str(error))
mj.set_mjcb_control(hook)
for _ in range(3):
    viewer.turn(model, data)
assert said and "making a frame" in said[0], said
""")


def test_parts_and_streams_of_elements_that_do_not_exist():
    run("""
from ligament import parts
model, data = world()
for slot in ("bending", "elasticity", "gain", "bias"):
    raises(mj.FatalError, lambda: parts.clear_part(model, slot, 10**9), "no such element")
widths = [3e-16] * 256
for count in (2**40, 10**18):
    raises((MemoryError, OverflowError), lambda: mj._core._Streams(count, widths), "")
for width in (0.0, float("nan"), 1e300, -1.0):
    raises(ValueError, lambda: mj._core._Streams(1, [width] * 256), "normal density")
""")


def test_a_force_law_of_a_batch_cannot_use_the_batch():
    run("""
from ligament import batch, parts
model, _ = world()
said = []
def law(length, velocity, control):
    try:
        worlds.step()
    except RuntimeError as error:
        said.append(str(error))
    return control
parts.set_gain(model, [0], law)
worlds = batch.Batch(model, 3)
worlds.step()
assert said and "force law" in said[0], said
""")
