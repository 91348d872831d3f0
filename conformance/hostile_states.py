"""Cases of `hostile_calls.py` for states and copies: every number overwritten before every function, arrays of any kind,
copies of everything, worlds with parameters of their own, soft flexes, identification, editing while views live, signals."""

import pathlib

MODELS = {path.stem: str(path) for path in sorted((pathlib.Path(__file__).parent / "models").glob("*.xml"))}
FLOATS = ["nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "-1.0"]

# every function that takes a model and a state, what it needs besides, and pictures and copies of what is left
EVERYTHING = r'''
def everything(m, d):
    nv, out, jac = m.nv, np.zeros(max(m.nv, 1)), np.zeros((3, max(m.nv, 1)))
    stages = ("step forward step1 step2 inverse setConst kinematics comPos camlight flex tendon transmission makeM factorM collision makeConstraint "
              "island projectConstraint referenceConstraint comVel passive subtreeVel rnePostConstraint fwdPosition fwdVelocity fwdActuation fwdAcceleration "
              "fwdConstraint invPosition invVelocity invConstraint compareFwdInv sensorPos sensorVel sensorAcc energyPos energyVel checkPos checkVel checkAcc "
              "Euler implicit step").split()
    for name in stages:
        sneak(lambda: getattr(mj, "mj_" + name)(m, d))
    point, way, one = np.array([0.1, 0.2, 2.0]), np.array([0.0, 0.1, -1.0]), np.zeros(1, np.int32)
    for action in (lambda: mj.mj_ray(m, d, point, way, None, 1, -1, one), lambda: mj.mj_geomDistance(m, d, 0, m.ngeom - 1, 1.0, np.zeros(6)),
                   lambda: mj.mj_jacBody(m, d, jac, jac.copy(), m.nbody - 1), lambda: mj.mj_jacSubtreeCom(m, d, jac, 0), lambda: mj.mj_jacDot(m, d, jac, None, point, m.nbody - 1),
                   lambda: mj.mj_angmomMat(m, d, jac, 0), lambda: mj.mj_objectVelocity(m, d, 1, m.nbody - 1, np.zeros(6), 0), lambda: mj.mj_objectAcceleration(m, d, 1, m.nbody - 1, np.zeros(6), 1),
                   lambda: [mj.mj_contactForce(m, d, i, np.zeros(6)) for i in range(min(d.ncon, 5))], lambda: mj.mj_fullM(m, np.zeros((nv, nv)), d.qM), lambda: mj.mj_mulM(m, d, out[:nv], d.qvel),
                   lambda: mj.mj_solveM(m, d, np.zeros((1, nv)), np.ones((1, nv))), lambda: mj.mj_rne(m, d, 1, out[:nv]), lambda: mj.mj_integratePos(m, d.qpos, d.qvel, 0.01), lambda: mj.mj_differentiatePos(m, out[:nv], 0.01, d.qpos, m.qpos0),
                   lambda: mj.mj_applyFT(m, d, point, way, point, m.nbody - 1, d.qfrc_applied), lambda: mj.mj_getState(m, d, np.zeros(mj.mj_stateSize(m, 16383)), 16383), lambda: mj.mj_constraintUpdate(m, d, d.efc_aref.copy(), None, 1),
                   lambda: mj.mjd_transitionFD(m, d, 1e-6, 1, np.zeros((2 * nv + m.na, 2 * nv + m.na)), np.zeros((2 * nv + m.na, m.nu)), None, None) if nv < 30 else None,
                   lambda: scene(m, d), lambda: mj.mj_step(m, copy.copy(d)), lambda: mj.mj_copyData(mj.MjData(m), m, d), lambda: mj.mj_setTotalmass(copy.copy(m), 1.0), lambda: mj.mj_resetData(m, d), lambda: mj.mj_step(m, d)):
        sneak(action)
def scene(m, d):
    scn, opt = mj.MjvScene(m, 300), mj.MjvOption()
    opt.flags[:] = 1
    mj.mjv_updateScene(m, d, opt, None, mj.MjvCamera(), 7, scn)
    draw(scn, mj.MjrContext(m, 100))
def names_of(x):
    return [n for n in dir(x) if getattr(getattr(x, n, None), "dtype", None) in (np.float64, np.float32) and getattr(x, n).size]
'''


def loaded(text):
    return "m = mj.MjModel.from_xml_path({!r}); d = mj.MjData(m); mj.mj_step(m, d, 2)".format(MODELS[text]) if text in MODELS else f"m, d = world({text})"


def numbers_everywhere():
    """Each array of a model or state filled with one number, or one element of it, then every function."""
    for text in (*MODELS, "PLAIN", "RICH"):
        parts = 40 if text in ("flex", "RICH", "sensors") else 12
        for part in range(parts):
            for owner in "md":
                yield (f"{EVERYTHING}\n{loaded(text)}\nnames = names_of({owner})[{part}::{parts}]\nrng = np.random.default_rng({part})\nfor name in names:\n  for x in ({', '.join(FLOATS)}):\n"
                       f"    for whole in (True, False):\n      {loaded(text)}\n      a = getattr({owner}, name)\n      if not a.size: continue\n      with np.errstate(all='ignore'):\n"
                       "        if whole: a[...] = x\n        else: a.flat[int(rng.integers(a.size))] = x\n      last[0] = f'ok {name} {x}'; everything(m, d)\n      if time.process_time() > 9: raise SystemExit(0)")


def numbers_mixed():
    """Some elements of some arrays overwritten with mixed numbers, then steps with any settings."""
    for text in (*MODELS, "PLAIN", "RICH"):
        for seed in range(25):
            yield (f"{EVERYTHING}\nrng = np.random.default_rng({seed})\nwhile time.process_time() < 5:\n  {loaded(text)}\n  m.opt.integrator = int(rng.integers(4)); m.opt.solver = int(rng.integers(3)); m.opt.cone = int(rng.integers(2)); m.opt.jacobian = int(rng.integers(3))\n"
                   "  m.opt.enableflags = int(rng.integers(64)); m.opt.disableflags = int(rng.integers(2**18)) & int(rng.integers(2**18)); m.opt.noslip_iterations = int(rng.integers(3)); d.threads = int(rng.integers(1, 4))\n"
                   "  for _ in range(int(rng.integers(1, 5))):\n    x = (m, d)[int(rng.integers(2))]; names = names_of(x); a = getattr(x, names[int(rng.integers(len(names)))])\n"
                   f"    with np.errstate(all='ignore'): a.flat[int(rng.integers(a.size))] = rng.choice([{', '.join(FLOATS)}, 0.0, 1e10, 1e-10])\n  sneak(lambda: mj.mj_step(m, d, 5)); everything(m, d)")


ARRAYS = ("d.qpos", "d.qpos[::-1]", "d.qvel[:0]", "d.xpos", "d.efc_J", "d.contact.dist", "m.qpos0", "np.broadcast_to(1.0, {n})", "np.ones({n})[::-1]", "np.ones(2 * {n})[::2]", "np.ones({n}, '>f8')", "np.ones({n}, np.float16)", "np.ones({n}, complex)",
          "np.ones({n}, object)", "np.array(['a'] * {n})", "np.ma.ones({n})", "np.frombuffer(bytearray(8 * {n} + 1), np.uint8)[1:].view(np.float64)", "memoryview(np.ones({n}))", "list(range({n}))", "np.ones(({n}, 1))", "np.ones((1, {n}))", "np.ones({n}, bool)",
          "np.lib.stride_tricks.as_strided(np.ones(1), ({n},), (0,))", "Liar({n})", "np.datetime64('2020-01-01') + np.arange({n})", "np.ones({n}).view(np.matrix)", "frozen({n})")
LIAR = '''
class Liar:
    def __init__(self, n): self.n = n
    def __array__(self, *a, **k): mj.mj_resetData(m, d); return np.ones(self.n)
    def __len__(self): return 10**9
    def __getitem__(self, i): return 1.0
def frozen(n):
    a = np.ones(n); a.setflags(write=False); return a
global m, d
m, d = world()
'''


def strides():
    """Arrays that are views of the state itself, frozen, of other kinds and strides, where numbers are read or written."""
    calls = {"m.nq": ("mj.mj_integratePos(m, {a}, d.qvel, .1)", "mj.mj_differentiatePos(m, d.qvel, .1, {a}, {a})", "mj.mj_normalizeQuat(m, {a})", "d.qpos = {a}", "d.qpos[:] = {a}", "m.qpos0[:] = {a}"),
             "m.nv": ("mj.mj_mulM(m, d, {a}, {a})", "mj.mj_mulM(m, d, d.qvel, {a})", "mj.mj_rne(m, d, 1, {a})", "mj.mj_solveM(m, d, {a}, {a})", "mj.mj_applyFT(m, d, np.ones(3), np.ones(3), np.ones(3), 1, {a})", "d.qvel = {a}", "mj.mj_mulM2(m, d, {a}, {a})", "mj.mj_solveM2(m, d, {a}, {a}, {a})"),
             "3": ("mj.mj_ray(m, d, {a}, {a}, {a}, 1, -1, np.zeros(1, np.int32))", "mj.mju_cross({a}, {a}, {a})", "mj.mju_normalize3({a})", "mj.mj_jac(m, d, {a}, {a}, {a}, 1)", "m.opt.gravity = {a}", "d.mocap_pos[:] = {a}", "mj.mju_rotVecQuat({a}, {a}, np.ones(4))"),
             "d.nefc": ("mj.mj_mulJacTVec(m, d, d.qfrc_applied, {a})", "mj.mj_mulJacVec(m, d, {a}, d.qvel)", "mj.mj_constraintUpdate(m, d, {a}, None, 0)"),
             "mj.mj_stateSize(m, 15)": ("mj.mj_setState(m, d, {a}, 15)", "mj.mj_getState(m, d, {a}, 15)", "mj.rollout.rollout(m, d, np.resize({a}, (2, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS)))[::-1], nstep=3)", "mj.rollout.rollout(m, d, np.ones((1, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))), nstep=3, state={a})", "mj.mj_extractState(m, {a}, 15, {a}, 1)"),
             "4 * m.nq": ("b = mj.batch.Batch(m, 4); b.qpos = {a}; b.step()", "b = mj.batch.Batch(m, 4); b.qpos[:] = np.reshape({a}, (4, -1)); b.step()"),
             "m.nu": ("d.ctrl[:] = {a}", "d.ctrl = {a}", "mj.rollout.rollout(m, d, np.ones((1, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))), control={a})", "mj.batch.Batch(m, 2).rollout(3, control={a})")}
    for size, forms in calls.items():
        for form in forms:
            for array in ARRAYS:
                yield f"{LIAR}\n{form.format(a=array.format(n='(' + size + ')'))}\nmj.mj_step(m, d)"


OBJECTS = {"m": "m", "d": "d", "spec": "mj.MjSpec.from_string(RICH)", "element": "mj.MjSpec.from_string(RICH).body('a')", "default": "mj.MjSpec.from_string(RICH).default", "option": "m.opt", "visual": "m.vis.map", "statistic": "m.stat", "contact": "d.contact",
           "one": "d.contact[0]", "named": "m.geom(0)", "named2": "d.body('a')", "warning": "d.warning", "warning1": "d.warning[0]", "timer": "d.timer", "solver": "d.solver", "scene": "mj.MjvScene(m, 50)", "geoms": "mj.MjvScene(m, 50).geoms", "camera": "mj.MjvCamera()",
           "options": "mj.MjvOption()", "perturb": "mj.MjvPerturb()", "figure": "mj.MjvFigure()", "rect": "RECT", "context": "mj.MjrContext(m, 100)", "batch": "mj.batch.Batch(m, 3)", "rollout": "mj.rollout.Rollout(nthread=2)", "renderer": "mj.Renderer(m, 20, 20)",
           "made": "mj.MjContact()", "lengths": "mj.MjLROpt()", "recorder": "mj.viewer.Recorder(m)", "watch": "mj.viewer.launch_passive(m, d, browser=False)", "enum": "mj.mjtGeom.mjGEOM_BOX", "bind": "m.bind(mj.MjSpec.from_string(RICH).geoms)", "callback": "mj.get_mjcb_control()", "array": "d.qpos", "list": "d.efc_J"}
COPIES = ("copy.copy({x})", "copy.deepcopy({x})", "[pickle.loads(pickle.dumps({x}, k)) for k in range(6)]", "{x}.__reduce_ex__(2)", "{x}.__reduce_ex__(-1)", "{x}.__setstate__({x}.__getstate__())", "{x}.__setstate__(b'x' * 100)", "{x}.__setstate__({{'qpos': 1}})",
          "type({x}).__new__(type({x})).__setstate__({x}.__getstate__())", "[getattr(type({x}).__new__(type({x})), n) for n in dir(x)]", "type({x})()", "[sneak(lambda: getattr(x, n)) for n in dir(x)]", "[sneak(lambda: setattr(x, n, 5)) for n in dir(x) if n[0] != '_']",
          "[sneak(lambda: delattr(x, n)) for n in dir(x)]", "[sneak(lambda: getattr(x, n)()) for n in dir(x) if n not in ('__init_subclass__', 'launch', 'wait', 'close', '__exit__')]", "hash(x), bool(x), repr(x), str(x), x == x, x != 5", "len(x), list(x)[:5], x[0], x[-1], x[10**9]",
          "x.__init__()", "x.__init__(m)", "x.__init__(5)", "x.__dict__.clear(); repr(x)", "x.__class__ = type('T', (), {{}})", "import gc, weakref; weakref.ref(x); del x; gc.collect()", "sys.getsizeof(x); memoryview(x)", "x.__enter__(); x.__exit__(None, None, None); x.__exit__(None, None, None)", "vars(x)")


def copies():
    """Copies, pickles and strange uses of every object that the package has; copies between models that differ."""
    for name, make in OBJECTS.items():
        for code in COPIES:
            yield f"import pickle; m, d = world(RICH); mj.mj_step(m, d, 5); x = {make}\nsneak(lambda: {code.format(x='x')})\nmj.mj_step(m, d)" if ";" not in code and "=" not in code.replace("==", "").replace("!=", "") else f"import pickle; m, d = world(RICH); mj.mj_step(m, d, 5); x = {make}\ndef go(x=x):\n  {code.format(x='x')}\nsneak(go)\nmj.mj_step(m, d)"
    for code in ("mj.mj_copyData(d, m, e)", "mj.mj_copyData(e, m, d)", "mj.mj_copyData(d, n, e)", "mj.mj_copyData(d, n, d)", "mj.mj_copyState(m, d, e, 15)", "mj.mj_copyState(n, e, d, 16383)", "mj.mj_copyBack(mj.MjSpec.from_string(RICH), m)" , "mj.mj_copyModel(m, n)", "d.__setstate__(e.__getstate__())",
                 "m.__setstate__(n.__getstate__()); mj.mj_step(m, d)", "m.__init__(n)", "d.__init__(n); mj.mj_step(m, d)", "mj.mjv_copyData(d, m, e)", "mj.mjv_copyModel(m, n)", "mj.mj_step(n, d)", "[sneak(lambda: f(n, d)) for f in (mj.mj_forward, mj.mj_inverse, mj.mj_kinematics, mj.mj_collision, mj.mj_resetData, mj.mj_setConst, mj.mj_island)]",
                 "s = mj.MjvScene(m, 50); mj.mjv_updateScene(n, d, mj.MjvOption(), None, mj.MjvCamera(), 7, s)", "r = mj.Renderer(m, 20, 20); r.update_scene(e); r.render()", "mj.rollout.rollout([m, n], [d, e], np.zeros((2, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))), nstep=2)", "b = mj.batch.Batch(m, 2); b.get_data(0, e)", "b = mj.batch.Batch(m, 2); b.set_models([m, n])",
                 "v = mj.viewer.launch_passive(m, d, browser=False); v._get_sim and None; v.sync(); d.__init__(n); v.sync()", "r = mj.viewer.Recorder(m); r.capture(e)"):
        for a, b in (("PLAIN", "RICH"), ("RICH", "PLAIN"), ("PLAIN", "PLAIN.replace('.3\"', '.4\"', 1)"), ("PLAIN", "'<mujoco/>'")):
            yield f"m, d = world({a}); n, e = world({b}); sneak(lambda: {code}); mj.mj_step(n, e)" if ";" not in code else f"m, d = world({a}); n, e = world({b})\ndef go():\n  {code}\nsneak(go); sneak(lambda: mj.mj_step(n, e))"


def worlds():
    """Batches whose worlds have parameters of their own: every field that may differ, with wild numbers, in parts of the worlds."""
    for text in ("PLAIN", "RICH", "PLAIN.replace('delay=\".01\" nsample=\"4\"', '')"):
        for exact in ("True", "'auto'"):
            for part in range(8):
                for x in FLOATS:
                    yield (f"m, d = world({text})\nnames = sorted(getattr(mj.batch, 'PARAMETERS', None) or [n for n in dir(m) if getattr(getattr(m, n, None), 'dtype', None) is not None and getattr(m, n).size] + ['opt.' + n for n in dir(m.opt) if n[0] != '_'])[{part}::8]\nfor n in names:\n  def go():\n"
                           f"    b = mj.batch.Batch(m, 5, nthread=2, exact={exact}); a = b.expand(n)\n    with np.errstate(all='ignore'): a[1::2] = np.array({x}).astype(a.dtype)\n    b.step(nstep=2); b.forward(); b.xpos; b.status; b.reset(ids=[1]); b.step(ids=[1, 3])\n  sneak(go)")
    for code in ("b.expand('geom_friction')[:] = 2; x = b.expand('geom_friction'); del b; import gc; gc.collect(); x[:] = 3; x.sum()", "x = b.expand('body_mass'); b.set_models(m); x[:] = nan; b.step()", "x = b.expand('body_mass'); t = threading.Thread(target=lambda: b.step(nstep=300)); t.start(); [x.fill(i) for i in range(500)]; t.join()",
                 "b.randomize('body_mass', uniform=(nan, nan)); b.step()", "b.randomize('body_mass', normal=(inf, 1e308)); b.step()", "b.randomize('none', uniform=(0, 1))", "b.randomize('geom_size', uniform=(-1, 1)); b.step(nstep=5)", "b.randomize('opt.timestep', uniform=(0, 0)); b.step()", "[b.expand(n) for n in ('geom_pos', 'geom_quat', 'body_inertia', 'qpos0', 'opt.gravity')]; b.reset(); b.step()",
                 "b.expand('body_mass')[0] = 0; b.get_model(0); b.get_model(1); b.set_models([b.get_model(i) for i in range(5)]); b.step()", "import copy; c = copy.deepcopy(b); b.expand('body_mass')[:] = 9; c.step(); b.step()", "b.expand('geom_size')[:] = 1e9; b.step(); b.ray(np.zeros(3), np.ones(3))", "b.expand('geom_condim')[2] = 6; b.step(nstep=3)",
                 "b.expand('opt.integrator')[:] = [0, 1, 2, 3, 0]; b.step(nstep=3)", "b.expand('opt.iterations')[:] = [-1, 0, 1, 2**31-1, 5]; b.step()", "b.expand('dof_parentid')", "b.expand('names')", "b.expand('geom_type')[:] = 3; b.step()", "b.expand('eq_active0')[:] = 99; b.reset(); b.step()", "b.step(nstep=2, ids=[4, 4, 0, 0])", "b.step(ids=np.array([True, False, True, False, True]))",
                 "b.step(ids=[])", "b.rollout(nstep=0)", "b.rollout(nstep=5, control=np.full((5, 5, m.nu), nan), record=('xpos', 'sensordata', 'contact'))", "b.qpos[:] = nan; b.step(); b.reset(ids=[0]); b.step(); b.status", "b.nthread = 5; b.step()"):
        yield f"m, d = world(); b = mj.batch.Batch(m, 5); {code}"


SOFT = '<mujoco><option timestep=".005" {option}><flag sleep="{sleep}"/></option><worldbody><geom type="plane" size="3 3 .1"/><body name="h" pos="0 0 .5"><joint name="j" axis="0 1 0"/><geom size=".05"/></body><body pos=".1 .1 .3"><freejoint/><geom type="box" size=".05 .05 .05"/></body>' \
       '<flexcomp name="f" type="grid" count="{count}" spacing="{spacing}" pos="0 0 .2" dim="{dim}" radius="{radius}" mass="{mass}" ligament:soft="{soft}">{inner}</flexcomp></worldbody>{after}</mujoco>'
USUAL = {"option": 'ligament:solver="xpbd" ligament:solver_params="2 3"', "sleep": "disable", "count": "4 4 1", "spacing": ".05 .05 .05", "dim": "2", "radius": ".01", "mass": ".2", "soft": "cotton", "inner": "", "after": ""}


def softness():
    """Soft flexes: settings that make no sense, states overwritten, sleeping, pinned, cut down, with every function."""
    def text(**changes):
        return repr(SOFT.format(**{**USUAL, **changes}))
    step = "m = mj.MjModel.from_xml_string({0}); d = mj.MjData(m); mj.mj_step(m, d, 10)"
    for soft in "cotton silk leather paper membrane rubber gelatin soft_tissue muscle foam stiff rope steel_cable hair chain none".split() + ["", "nan", "x" * 1000]:
        for dim, count in (("1", "9 1 1"), ("2", "4 4 1"), ("3", "3 3 3")):
            yield step.format(text(soft=soft, dim=dim, count=count))
            yield step.format(text(soft=soft, dim=dim, count=count, sleep="enable")) + "; mj.mj_step(m, d, 400); d.qvel[:] = nan; mj.mj_step(m, d, 5)"
    for key, values in {"radius": ("0", "-1", "nan", "1e308", "inf"), "mass": ("0", "-1", "nan", "1e308", "1e-300"), "spacing": ("0 0 0", "nan nan nan", "1e308 1 1", "-1 -1 -1", "1e-300 1e-300 1e-300"), "count": ("1 1 1", "0 0 0", "-1 4 1", "2 2 1", "300 300 1", "100000 1 1", "2 2 2")}.items():
        for value in values:
            for dim in "123":
                yield step.format(text(**{key: value, "dim": dim}))
    for params in ("0", "-1", "nan", "inf", "1e9", "1 1e9", "1e9 1e9", "3 0", "3 -1", "1.5 1.5", "1 2 3", "", "x", "2147483648", "20 200000"):
        yield step.format(text(option=f'ligament:solver="xpbd" ligament:solver_params="{params}"'))
    for option in ('ligament:solver="none"', 'solver="PGS"', 'integrator="RK4"', 'integrator="implicit"', 'ligament:solver="xpbd" ligament:solver_params="2 3" integrator="RK4"', 'ligament:solver="xpbd" cone="elliptic"', 'ligament:solver="xpbd" timestep="nan"', 'ligament:solver="xpbd" timestep="0"', 'ligament:solver="xpbd" timestep="1e300"', 'ligament:solver="xpbd" gravity="nan nan nan"'):
        yield step.format(text(option=option).replace('timestep=".005" ', "", 1))
    for inner in ('<pin id="0 1 2 3"/>', '<pin id="' + " ".join(map(str, range(16))) + '"/>', '<pin id="99"/>', '<contact selfcollide="auto"/>', '<edge equality="true"/>', '<elasticity young="nan" poisson=".49999"/>', '<contact solref="nan nan"/>', '<contact margin="1e9"/>', '<contact friction="nan"/>', '<elasticity young="1e300" poisson="2"/>'):
        for dim, count in (("1", "9 1 1"), ("2", "4 4 1"), ("3", "3 3 3")):
            for sleep in ("enable", "disable"):
                yield step.format(text(inner=inner, dim=dim, count=count, sleep=sleep)) + "; mj.mj_step(m, d, 200)"
    for after in ('<equality><flex flex="f"/></equality>', '<equality><connect body1="h" body2="f_0" anchor="0 0 0"/></equality>', '<equality><weld body1="h" body2="f_5"/></equality>', '<sensor><framepos objtype="body" objname="f_0"/></sensor>', '<contact><exclude body1="f_0" body2="f_1"/></contact>'):
        yield step.format(text(after=after)) + "; mj.mj_step(m, d, 50)"
    for dim, count in (("1", "9 1 1"), ("2", "4 4 1"), ("3", "3 3 3")):
        for sleep in ("enable", "disable"):
            begin = EVERYTHING + "\n" + step.format(text(dim=dim, count=count, sleep=sleep)) + "; mj.mj_step(m, d, 200)\n"
            for x in FLOATS:
                for name in ("d.qpos", "d.qvel", "d.xfrc_applied", "d.qfrc_applied", "d.qacc_warmstart", "d.flexvert_xpos", "m.flex_vert", "m.flexedge_length0", "m.flex_radius", "m.flex_margin", "m.body_mass", "m.body_inertia", "m.dof_M0", "m.body_invweight0", "m.dof_invweight0", "m.geom_size", "m.opt.gravity"):
                    yield begin + f"{name}[:] = {x}; sneak(lambda: mj.mj_step(m, d, 5)); everything(m, d)"
                yield begin + f"m.opt.timestep = {x}; sneak(lambda: mj.mj_step(m, d, 5)); m.opt.sleep_tolerance = {x}; sneak(lambda: mj.mj_step(m, d, 5))"
            for name in ("flex_vertadr", "flex_vertnum", "flex_elem", "flex_elemadr", "flex_edge", "flex_edgeadr", "flex_vertbodyid", "flex_dim", "body_parentid", "body_treeid", "tree_bodyadr", "tree_dofadr", "dof_treeid", "body_dofadr"):
                for n in ("-1", "0", "7", "10**6"):
                    yield begin + f"m.{name}[...] = {n}; sneak(lambda: mj.mj_step(m, d, 5)); everything(m, d) # OVERWRITES"
            for code in ("mj.batch.Batch(m, 3).step(nstep=20)", "mj.batch.Batch(m, 3, exact='auto').step(nstep=20)", "b = mj.batch.Batch(m, 3); b.expand('body_mass')[:] = nan; b.step(nstep=5)", "mj.Lean(m).step()", "mj.rollout.rollout(m, d, np.tile(np.r_[0, d.qpos, d.qvel], (3, 1))[:, :mj.mj_stateSize(m, 15)], nstep=20)", "import pickle; x = pickle.loads(pickle.dumps((m, d))); mj.mj_step(*x, 20)",
                         "e = copy.copy(d); n = copy.copy(m); mj.mj_step(n, e, 20); mj.mj_step(n, d, 5)", "mj.parts.clear_part(m, 'elasticity', 0); mj.mj_step(m, d, 5)", "mj.parts.clear_part(m, 'solver', 0); mj.mj_step(m, d, 5)", "mj.parts.set_part(m, 'elasticity', 0, 'neo_hookean', [1e4, .3]); mj.mj_step(m, d, 5)", "mj.mj_inverse(m, d)", "mj.mj_saveModel(m, 'x.mjb', None); n = mj.MjModel.from_binary_path('x.mjb'); mj.mj_step(n, mj.MjData(n), 5)",
                         "d.threads = 4; mj.mj_step(m, d, 50)", "d.set_limits(effort=1000); mj.mj_step(m, d, 5)", "d.set_limits(memory=1000); mj.mj_step(m, d, 5)", "mj.mj_resetData(m, d); d.qpos[:] = 0; mj.mj_step(m, d, 50)", "d.eq_active[:] = 0; mj.mj_step(m, d, 5)", "s = mj.MjSpec.from_string(" + text(dim=dim, count=count) + "); s.delete(s.flexes[0]); mj.mj_step(*((lambda m: (m, mj.MjData(m)))(s.compile())))",
                         "s = mj.MjSpec.from_string(" + text(dim=dim, count=count) + "); s.delete(s.body('f_0')); mj.mj_step(*((lambda m: (m, mj.MjData(m)))(s.compile())))", "mj.set_mjcb_passive(lambda m, d: d.qpos.fill(nan)); mj.mj_step(m, d, 5)", "mj.set_mjcb_control(lambda m, d: mj.mj_resetData(m, d)); mj.mj_step(m, d, 5)"):
                yield begin + code


STUDY = """from ligament import sysid
spec = mj.MjSpec.from_string(PLAIN.replace('delay=".01" nsample="4"', '').replace('<rangefinder', '<rangefinder name="r"').replace('<touch', '<touch name="t"').replace('<jointpos', '<jointpos name="p"').replace('<position', '<position name="q"')); m = spec.compile(); d = mj.MjData(m)
def write(spec, p): spec.joint('h').damping = p.value[0]
params = sysid.ParameterDict(); params.add(sysid.Parameter('damping', 0.5, 0.01, 5, modifier=write))
times = np.arange(30) * m.opt.timestep; start = sysid.create_initial_state(m, d.qpos, d.qvel)
states, sensors = mj.rollout.rollout(m, d, start, np.zeros((29, m.nu)))
control = sysid.TimeSeries.from_control_names(times, np.zeros((30, m.nu)), m); measured = sysid.TimeSeries.from_names(states[0][:, 0], sensors[0], m)
def study(**k):
    r = sysid.build_residual_fn(models_sequences=[sysid.ModelSequences('r', spec, 's', k.get('start', start), k.get('control', control), k.get('measured', measured))])
    return sysid.optimize(k.get('params', params), r, max_iters=2, verbose=False)
"""


def identification():
    """System identification with recordings and parameters that make no sense."""
    for x in FLOATS:
        for code in ("study(start=start * 0 + {0})", "study(control=sysid.TimeSeries.from_control_names(times, np.full((30, m.nu), {0}), m))", "study(control=sysid.TimeSeries.from_control_names(times * {0}, np.zeros((30, m.nu)), m))", "study(measured=sysid.TimeSeries.from_names(states[0][:, 0], sensors[0] * 0 + {0}, m))",
                     "p = sysid.ParameterDict(); p.add(sysid.Parameter('damping', {0}, 0, 5, modifier=write)); study(params=p)", "p = sysid.ParameterDict(); p.add(sysid.Parameter('damping', 1, {0}, {0}, modifier=write)); study(params=p)", "measured.resample(target_dt={0})", "measured.interpolate(np.full(5, {0}))", "measured.remove_from_beginning({0})",
                     "sysid.apply_delay(measured, measured.get_indices and 'x', {0})", "sysid.calculate_intervals([np.full(30, {0})], np.full((30, 1), {0}))", "params.update_from_vector([{0}]); study()", "sysid.model_modifier.apply_body_mass_ipos(spec, 'a', mass={0}, rot_inertia_scale=True); study()"):
            yield STUDY + code.format(x)
    for code in ("sysid.TimeSeries.from_names(times[:5], sensors[0], m)", "sysid.TimeSeries.from_names([], [], m)", "sysid.TimeSeries.from_names(times[::-1], np.zeros((30, m.nsensordata)), m)", "study(control=measured)", "study(measured=control)", "study(control=None)", "params.add(params)", "sysid.Parameter('x', [[1, 2], [3]], 0, 1)", "sysid.Parameter('x', np.zeros(10**6), 0, 1, modifier=write)", "measured.resample(target_dt=1e-9)",
                 "p = sysid.ParameterDict(); p.add(sysid.Parameter('damping', 1, 0, 5, modifier=lambda s, p: s.delete(s.body('b')))); study(params=p)", "p = sysid.ParameterDict(); p.add(sysid.Parameter('damping', 1, 0, 5, modifier=lambda s, p: 1/0)); study(params=p)", "p = sysid.ParameterDict(); p.add(sysid.Parameter('damping', 1, 0, 5, modifier=lambda s, p: [s.worldbody.add_body() for _ in range(5)])); study(params=p)",
                 "import signal; signal.signal(signal.SIGALRM, lambda *a: 1/0); signal.setitimer(signal.ITIMER_REAL, .5); [study() for _ in range(1000)]", "sysid.ParameterDict.load_from_disk('/dev/zero')", "sysid.TimeSeries.load_from_disk('/nonexistent')", "open('x.npz', 'wb').write(b'PK' * 100); sysid.TimeSeries.load_from_disk('x.npz')", "sysid.body_inertia_param(spec, m, 'none', sysid.InertiaType.Mass)", "sysid.default_report" , "sysid.sysid_rollout([m, m], [d], control, start)"):
        yield STUDY + code


def editing():
    """Specifications edited, recompiled and attached while views of what was compiled live."""
    begin = "s = mj.MjSpec.from_string(RICH); m = s.compile(); d = mj.MjData(m); mj.mj_step(m, d, 3); views = [getattr(m, n) for n in dir(m) if isinstance(getattr(m, n, None), np.ndarray)] + [getattr(d, n) for n in dir(d) if isinstance(getattr(d, n, None), np.ndarray)]; bound = [m.bind(s.bodies), d.bind(s.bodies), m.bind(s.geoms), d.bind(s.geoms), m.body('a'), d.body('a'), d.contact]\n"
    end = "\n[v.sum() for v in views]; [sneak(lambda: repr(b)) for b in bound]; [sneak(lambda: (b.pos, b.xpos)) for b in bound]; [sneak(lambda: setattr(b, 'pos', 1)) for b in bound]\n[v.fill(0) for v in views if v.flags.writeable and v.dtype.kind == 'f']\nsneak(lambda: mj.mj_step(m, d)); import gc; gc.collect()"
    edits = ("s.delete(s.body('a'))", "s.delete(s.body('b'))", "s.delete(s.geoms[0])", "s.delete(s.flexes[0])", "s.delete(s.meshes[0])", "s.delete(s.hfields[0])", "s.delete(s.textures[0])", "s.delete(s.materials[0])", "s.delete(s.skins[0])", "s.delete(s.lights[0])", "s.delete(s.cameras[0])", "s.delete(s.joints[0])", "s.worldbody.add_body(name='q').add_freejoint()",
             "s.worldbody.add_geom(size=[.1, 0, 0])", "s.attach(mj.MjSpec.from_string(PLAIN), prefix='p', frame=s.worldbody.add_frame())", "s.attach(s.copy(), prefix='p', frame=s.worldbody.add_frame())", "s.body('a').add_body(name='c').add_geom(size=[.1, 0, 0])", "s.body('a').name = 'b'", "s.body('a').name = ''", "s.geoms[0].type = 99", "s.body('a').pos = [nan] * 3", "s.option.timestep = nan",
             "s.body('a').alt.euler = [1, 2, 3]", "s.meshes[0].uservert = [0] * 12", "s.worldbody.add_frame().attach_body(s.body('a'), 'x', '')", "[s.delete(b) for b in s.bodies[1:]]", "s.detach_body(s.body('a'))", "s.copy_during_attach = True; s.attach(s.copy(), prefix='p', frame=s.worldbody.add_frame())", "s.body('b').add_site(name='z'); s.add_sensor(type=mj.mjtSensor.mjSENS_TOUCH, objtype=mj.mjtObj.mjOBJ_SITE, objname='z')")
    afters = ("m, d = s.recompile(m, d)", "s.recompile(m, d); mj.mj_step(m, d)", "m = s.compile(); mj.mj_step(m, d)", "m = s.compile(); d = mj.MjData(m); del views[:10]", "s.compile(); s.compile()", "t = mj.MjSpec.from_string(s.to_xml()); t.compile()", "del s", "s.recompile(m, mj.MjData(world(PLAIN)[0]))", "s.recompile(world(PLAIN)[0], d)")
    for edit in edits:
        for after in afters:
            yield begin + f"def go():\n  global m, d, s, views\n  {edit}\n  {after}\nglobals().update(m=m, d=d, s=s, views=views); sneak(go); m, d = globals()['m'], globals()['d']" + end
    for a in edits:
        for b in edits[::3]:
            yield begin + f"def one(): {a}\ndef two(): {b}\nsneak(one); sneak(two); sneak(one); sneak(lambda: s.recompile(m, d)); sneak(s.compile); sneak(s.to_xml)" + end


def signals():
    """Everything long, ended by a signal: what was being written is usable afterwards, or says that it is not."""
    arm = "import signal\ndef stop(*a): raise {0}\nsignal.signal(signal.SIGALRM, stop); signal.setitimer(signal.ITIMER_REAL, {1}); "
    big = "'<mujoco><worldbody>' + ''.join(f'<body pos=\"{i} 0 1\"><freejoint/><geom size=\".1\"/></body>' for i in range(500)) + '</worldbody></mujoco>'"
    longs = ("mj.mj_step(m, d, 10**8)", "mj.rollout.rollout(m, d, s, nstep=10**6)", "mj.rollout.rollout([m] * 50, [d, mj.MjData(m)], np.tile(s, (50, 1)), nstep=20000)", "mj.rollout.Rollout(nthread=3).rollout(m, [mj.MjData(m) for _ in range(3)], np.tile(s, (60, 1)), nstep=20000)", "mj.batch.Batch(m, 8).step(nstep=10**8)", "mj.batch.Batch(m, 8, nthread=3).rollout(20000)",
             "mj.batch.Batch(m, 8, exact='auto').step(nstep=10**8)", "[mj.MjModel.from_xml_string(RICH) for _ in range(10**5)]", f"[mj.MjModel.from_xml_string({big}) for _ in range(10**4)]", "[mj.Renderer(m, 300, 300).render() for _ in range(10**4)]", "mj.mj_setLengthRange(m, d, 0, mj.MjLROpt())", "[copy.deepcopy((m, d)) for _ in range(10**6)]", "mj.Lean(m).step(2**40)",
             "mj.minimize.least_squares(np.zeros(3), lambda x: np.ones((5, x.shape[1])) * x.sum(), max_iter=10**6, verbose=0)", "[mj.mjd_transitionFD(m, d, 1e-6, 1, None, None, None, None) for _ in range(10**6)]", "d.threads = 3; mj.mj_step(m, d, 10**8)", "mj.set_mjcb_control(lambda m, d: time.sleep(.01)); mj.mj_step(m, d, 10**8)")
    for error in ("KeyboardInterrupt", "ValueError('x')", "MemoryError", "SystemExit"):
        for wait in (".05", ".4"):
            for code in longs:
                yield ("m, d = world(); s = np.zeros((1, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))); v = d.qpos\n" + arm.format(error, wait) + f"\ntry:\n  {code}\nexcept BaseException as e: last[0] = 'ok ' + type(e).__name__\nsignal.setitimer(signal.ITIMER_REAL, 0); mj.set_mjcb_control(None)\nsneak(lambda: mj.mj_step(m, d, 3)); mj.mj_resetData(m, d); mj.mj_step(m, d, 3); v.sum(); mj.rollout.rollout(m, d, s, nstep=3)")


CLASSES = {f.__name__: f for f in (numbers_everywhere, numbers_mixed, strides, copies, worlds, softness, identification, editing, signals)}
