"""Cases of `hostile_calls.py` that mix: integers and numbers overwritten together, states of one model with another, callbacks
that meddle while others read, trees that are deep and crowded."""

from hostile_states import EVERYTHING, FLOATS, MODELS, loaded

# besides what takes a model and a state: many worlds, files, derivatives, ids at random
MORE = r'''
def more(m, d, rng):
    size = mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS)
    ids = lambda n: int(rng.integers(-2, n + 2))
    jac, one = np.zeros((3, m.nv)), np.zeros(1, np.int32)
    for action in (lambda: mj.rollout.rollout(m, d, np.zeros((5, size)), nstep=2), lambda: mj.rollout.rollout([m, m], [d, mj.MjData(m)], np.zeros((2, size)), nstep=2),
                   lambda: mj.batch.Batch(m, 5).step(nstep=2), lambda: mj.batch.Batch(m, 3, exact='auto').step(nstep=2), lambda: mj.Lean(m).step(2), lambda: mj.mj_saveModel(m, 'x.mjb'), lambda: mj.mj_step(*(lambda n: (n, mj.MjData(n)))(mj.MjModel.from_binary_path('x.mjb'))),
                   lambda: mj.mj_jacSite(m, d, jac, jac.copy(), ids(m.nsite)), lambda: mj.mj_jacGeom(m, d, jac, None, ids(m.ngeom)), lambda: mj.mj_jacPointAxis(m, d, jac, jac.copy(), np.zeros(3), np.ones(3), ids(m.nbody)),
                   lambda: mj.mj_multiRay(m, d, np.zeros(3), rng.normal(size=30), None, 1, ids(m.nbody), np.zeros(10, np.int32), np.zeros(10), None, 10, 1e3), lambda: mj.mj_rayMesh(m, d, ids(m.ngeom), np.zeros(3), np.ones(3)), lambda: mj.mj_rayHfield(m, d, ids(m.ngeom), np.zeros(3), np.ones(3)),
                   lambda: mj.mj_rayFlex(m, d, 0, 1, 1, 1, 1, ids(m.nflex), np.zeros(3), np.ones(3), one), lambda: mj.mju_raySkin(3, 3, np.zeros(3, np.int32), np.zeros(9), np.zeros(3), np.ones(3), one),
                   lambda: mj.mj_resetDataKeyframe(m, d, ids(m.nkey)), lambda: mj.mj_setKeyframe(m, d, ids(m.nkey)), lambda: mj.mj_setLengthRange(m, d, ids(m.nu), mj.MjLROpt()) if m.nv < 20 else None, lambda: mj.mjd_inverseFD(m, d, 1e-6, 1, None, None, None, None, None, None, None) if m.nv < 30 else None,
                   lambda: mj.mjd_subQuat(np.ones(4), np.ones(4), None, None), lambda: mj.mj_printModel(m, 'm.txt'), lambda: mj.mj_printData(m, d, 'd.txt'), lambda: mj.mj_saveLastXML('x.xml', m), lambda: copy.deepcopy((m, d)), lambda: mj.mj_addContact(m, d, mj.MjContact()), lambda: mj.mj_step(m, d)):
        sneak(action)
def integers_of(x):
    return [n for n in dir(x) if getattr(getattr(x, n, None), "dtype", None) in (np.int32, np.uint8, np.int64, np.uint64, np.bool_) and getattr(x, n).size and getattr(x, n).flags.writeable]
'''

OPTIONS = ("m.opt.integrator = int(rng.integers(4)); m.opt.solver = int(rng.integers(3)); m.opt.cone = int(rng.integers(2)); m.opt.jacobian = int(rng.integers(3)); "
           "m.opt.enableflags = int(rng.integers(64)); m.opt.disableflags = int(rng.integers(2**18)) & int(rng.integers(2**18)); m.opt.noslip_iterations = int(rng.integers(3)); d.threads = int(rng.integers(1, 4))")


def mixtures():
    """Integers and numbers of model and state overwritten together, then everything."""
    for text in (*MODELS, "PLAIN", "RICH"):
        for seed in range(12):
            yield (f"# OVERWRITES\n{EVERYTHING}{MORE}\nrng = np.random.default_rng({seed})\nwhile time.process_time() < 4:\n  {loaded(text)}\n  {OPTIONS}\n"
                   "  for _ in range(int(rng.integers(1, 6))):\n    x = (m, d)[int(rng.integers(3)) // 2]; kind = int(rng.integers(2)); names = (names_of, integers_of)[kind](x); a = getattr(x, names[int(rng.integers(len(names)))])\n"
                   f"    if not a.size: continue\n    with np.errstate(all='ignore'): a.flat[int(rng.integers(a.size))] = rng.choice([-2**31, -7, -1, 0, 1, 2, 3, 17, 255, 10**6, 2**31 - 1]).astype(a.dtype) if kind else rng.choice([{', '.join(FLOATS)}])\n"
                   "  last[0] = 'ok'; (everything(m, d), more(m, d, rng)) if rng.integers(2) else (more(m, d, rng), everything(m, d))")


def strangers():
    """States, scenes, renderers, batches and rollouts of one model with another, or with one recompiled or edited meanwhile."""
    texts = [*MODELS, "PLAIN", "RICH"]
    for i, a in enumerate(texts):
        for b in (texts[i - 1], texts[i - 3], texts[(i + 5) % len(texts)]):
            yield (f"{EVERYTHING}{MORE}\n{loaded(a)}\nn, e = m, d\n{loaded(b)}\nrng = np.random.default_rng(1)\neverything(n, d); more(n, d, rng); everything(m, e); more(m, e, rng)\nscn, con = mj.MjvScene(n, 100), mj.MjrContext(n, 100)\n"
                   "for x, y in ((m, e), (n, d), (m, d)): sneak(lambda: mj.mjv_updateScene(x, y, mj.MjvOption(), None, mj.MjvCamera(), 7, scn)); sneak(lambda: draw(scn, con))\n"
                   "r = mj.Renderer(n, 40, 40); sneak(lambda: r.update_scene(d)); sneak(r.render); sneak(lambda: r.update_scene(e)); sneak(r.render)\nbt = mj.batch.Batch(n, 3)\nfor act in (lambda: bt.set_state(np.zeros((3, 10))), lambda: mj.mj_copyState(m, d, e, 15), lambda: mj.mj_copyData(e, n, d), lambda: mj.mj_copyData(e, m, d), lambda: mj.mj_copyModel(n, m), lambda: mj.mj_step(n, d), lambda: everything(n, e)): sneak(act)")
    for field, value in (("ngeom", "ngeom - 1"), ("nv", "0"), ("nbody", "10**6"), ("nq", "-1"), ("ncon", "10"), ("nefc", "10"), ("nisland", "5"), ("ntree", "9"), ("nflex", "3"), ("nA", "7"), ("nJ", "7"), ("ne", "50"), ("nf", "50"), ("nl", "50"), ("nidof", "99"), ("parena", "1"), ("narena", "0"), ("nbuffer", "0"), ("nbody_awake", "99"), ("nv_awake", "99"), ("nparent_awake", "99"), ("ntree_awake", "99")):
        for text in ("PLAIN", "RICH"):
            yield f"{EVERYTHING}{MORE}\nm, d = world({text})\nfor x in (m, d):\n  def put(): x.{field} = {value if field != 'ngeom' else 'm.ngeom - 1'}\n  sneak(put)\neverything(m, d); more(m, d, np.random.default_rng(0))"


def meddlers():
    """Two callbacks at once, in steps, rollouts and batches: one keeps and reads lists, the other changes what it can reach."""
    acts = ("keep.append((d.efc_J, d.contact.dist, d.efc_force, d.contact.frame))", "m.opt.solver = int(rng.integers(3))", "m.opt.cone = 1 - m.opt.cone", "m.opt.jacobian = int(rng.integers(3))", "m.opt.integrator = int(rng.integers(4))", "m.opt.enableflags = int(rng.integers(64))", "m.opt.disableflags = int(rng.integers(2**18))",
            "m.geom_size[:] = rng.normal(size=m.geom_size.shape)", "m.geom_type[:] = rng.integers(-1, 10, m.ngeom)", "m.jnt_type[:] = rng.integers(-1, 5, m.njnt)", "m.jnt_limited[:] = 1", "m.geom_condim[:] = rng.integers(-1, 8, m.ngeom)", "m.eq_type[:] = rng.integers(-1, 8, m.neq)", "d.eq_active[:] = 1", "m.sensor_type[:] = rng.integers(-1, 60, m.nsensor)", "m.tendon_num[:] = 9", "m.actuator_trntype[:] = rng.integers(-1, 8, m.nu)",
            "d.tree_asleep[:] = rng.integers(-99, 99, m.ntree)", "d.body_awake_ind[:] = 10**6", "d.nefc = 0", "d.contact.dim[:] = 6", "d.contact.geom[:] = 99", "d.contact.efc_address[:] = 10**6", "d.efc_id[:] = 10**6", "d.efc_type[:] = 7", "d.efc_J_rowadr[:] = -5", "d.efc_AR_rownnz[:] = 10**6", "d.efc_J_colind[:] = 10**6", "d.map_iefc2efc[:] = -9", "d.island_nv[:] = 10**6", "d.moment_rownnz[:] = 10**6", "d.ten_J_colind[:] = -1", "d.wrap_obj[:] = 10**6", "d.M[:] = nan", "d.qLD[:] = 0", "d.threads = int(rng.integers(0, 9))", "d.set_limits(effort=1)", "d.set_limits(memory=1)",
            "mj.mj_resetData(m, d)", "mj.mj_forward(m, mj.MjData(m))", "copy.copy(d)", "1 / 0", "mj.set_mjcb_control(None); mj.set_mjcb_passive(None)", "threading.Thread(target=lambda: [x[0].sum() for x in keep]).start()")
    runs = ("mj.mj_step(m, d, 6)", "mj.mj_inverse(m, d)", "mj.rollout.rollout(m, d, np.zeros((5, size)), nstep=3)", "mj.batch.Batch(m, 5).step(nstep=3)", "mj.mjd_transitionFD(m, d, 1e-6, 1, None, None, None, None)")
    for k, first in enumerate(acts):
        for j, hooks in enumerate((("control", "passive"), ("contactfilter", "sensor"), ("time", "act_bias"), ("act_gain", "act_dyn"))):
            second = acts[(k * 7 + j * 11 + 3) % len(acts)]
            yield (f"# OVERWRITES\nglobal m, d, keep, rng\nkeep, rng = [], np.random.default_rng({k})\nm, d = world(TWO)\nsize = mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS)\ndef one(*a): {first}; return 0\ndef two(*a): {second}; return 0\n"
                   f"mj.set_mjcb_{hooks[0]}(one); mj.set_mjcb_{hooks[1]}(two)\nfor run in ({', '.join('lambda: ' + r for r in runs)}):\n  for _ in range(4): sneak(run)\nmj.mj_resetCallbacks(); [[y.sum() for y in x] for x in keep[:50]]; sneak(lambda: mj.mj_resetData(m, d)); sneak(lambda: mj.mj_step(m, d))").replace("TWO", repr(MEDDLED))


MEDDLED = """<mujoco><option><flag sleep="enable" energy="enable"/></option><worldbody><geom type="plane" size="2 2 .1"/><body name="a" pos="0 0 .1"><freejoint/><geom size=".1"/><site name="s"/></body>
<body name="b" pos=".15 0 .1"><joint name="h" axis="0 1 0" limited="true" range="-1 1"/><geom type="box" size=".1 .1 .1"/><site name="t"/><body pos=".2 0 0"><joint name="k" type="ball"/><geom type="capsule" size=".05 .1"/></body></body></worldbody>
<tendon><spatial name="w" limited="true" range="0 .1"><site site="s"/><site site="t"/></spatial></tendon><equality><weld body1="a" body2="b"/><tendon tendon1="w"/></equality>
<actuator><general joint="h" dyntype="user" gaintype="user" biastype="user" actdim="1"/><motor tendon="w"/></actuator><sensor><user dim="2" needstage="acc"/><touch site="s"/><rangefinder site="t"/><contact site="s"/></sensor></mujoco>"""


def deep():
    """Trees that are deep and crowded: work that grows with the cube of their depth, tendons, actuators and sensors on all of them."""
    chain = "b = s.worldbody\nfor i in range({0}):\n  b = b.add_body(name=f'b{{i}}', pos=[.1, 0, 0]); [b.add_joint(name=f'j{{i}}{{k}}', axis=[k == 0, k == 1, k == 2]) for k in range({1})]; b.add_geom(size=[.01, 0, 0]); b.add_site(name=f's{{i}}')\n"
    ends = ("", "[(lambda t: [t.wrap_site(f's{i}') for i in range(0, {0}, 3)])(s.add_tendon(name=f't{k}')) for k in range(200)]", "[s.add_actuator(name=f'a{i}', target=f'j{i % {0}}0', trntype=mj.mjtTrn.mjTRN_JOINT) for i in range(3000)]", "[s.add_sensor(name=f'q{i}', type=mj.mjtSensor.mjSENS_SUBTREEANGMOM, objtype=mj.mjtObj.mjOBJ_BODY, objname=f'b{i % {0}}') for i in range(5000)]",
            "[s.add_equality(type=mj.mjtEq.mjEQ_CONNECT, objtype=mj.mjtObj.mjOBJ_BODY, name1=f'b{i}', name2='b0') for i in range(0, {0}, 2)]", "s.option.integrator = 2", "s.option.integrator = 1; s.option.solver = 0; s.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_PLANE, size=[9, 9, 1])", "s.option.integrator = 3; s.option.cone = 1; s.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_PLANE, size=[9, 9, 1])")
    for count, joints in ((300, 1), (300, 3), (1000, 1), (1000, 3), (1500, 1), (3000, 1), (8000, 1), (30000, 0)):
        for end in ends:
            yield "s = mj.MjSpec()\n" + chain.format(count, joints) + end.replace("{0}", str(count)) + "\nm = s.compile(); d = mj.MjData(m); mj.mj_step(m, d); mj.mj_step(m, d)"
    for count in (3, 6, 12):
        yield f"one = '<mujoco model=\"m\"><worldbody>' + ''.join(f'<body name=\"x{{i}}\"><joint/><geom size=\".01\"/>' for i in range(450)) + '</body>' * 450 + '</worldbody></mujoco>'\ns = mj.MjSpec.from_string(one)\nend = s.body('x449')\nfor k in range({count}):\n  t = mj.MjSpec.from_string(one); end = end.add_frame().attach_body(t.body('x0'), f'p{{k}}_', ''); end = s.body(f'p{{k}}_x449')\nm = s.compile(); mj.mj_step(m, mj.MjData(m))"
    for kind in ("mjTRN_BODY", "mjTRN_SITE", "mjTRN_TENDON"):
        yield "s = mj.MjSpec()\n" + chain.format(300, 3) + f"t = s.add_tendon(name='t'); [t.wrap_site(f's{{i}}') for i in range(300)]\n[s.add_actuator(name=f'a{{i}}', target='t' if '{kind}' == 'mjTRN_TENDON' else f's{{i % 300}}' if '{kind}' == 'mjTRN_SITE' else f'b{{i % 300}}', trntype=mj.mjtTrn.{kind}) for i in range(5000)]\nm = s.compile(); d = mj.MjData(m); mj.mj_step(m, d, 2)"


CLASSES = {f.__name__: f for f in (mixtures, strangers, meddlers, deep)}
