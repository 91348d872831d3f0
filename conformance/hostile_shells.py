"""Cases of `hostile_calls.py` for what stands around the engine: lean worlds, viewers, recordings, environments, parts,
pickles; and for models that are expensive to compile or to step."""

INTEGERS = ["-1", "0", "2**31-1", "-2**31", "2**31", "10**18", "-10**18", "2**70", "1.5", "nan", "None", "'x'"]
FLOATS = ["nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "0.0", "-1.0"]

LEAN = "t = PLAIN.replace('delay=\".01\" nsample=\"4\"', ''); m, d = world(t); w = mj.Lean(m); "


def lean():
    """Worlds with the lean step."""
    for n in INTEGERS:
        yield LEAN + f"w.step({n}) if not isinstance({n}, int) or not 10**4 < {n} < 2**63 else None"
        yield LEAN + f"w.reset(keyframe={n}); w.step()"
        yield LEAN + f"w._native.step(d, {n}) if not isinstance({n}, int) or not 10**4 < {n} < 2**63 else None"
    for x in FLOATS:
        for name in ("qpos", "qvel", "ctrl", "qacc_warmstart", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat"):
            yield LEAN + f"w.{name}[:] = {x}; w.step(5); w.forward(); w.xpos; w.sensordata"
        yield LEAN + f"w.time = {x}; w.step(5); w.data"
        for name in ("geom_size", "geom_margin", "geom_friction", "geom_solref", "geom_solimp", "body_mass", "body_inertia", "body_pos", "body_quat",
                     "dof_armature", "dof_damping", "jnt_range", "jnt_axis", "actuator_gainprm", "actuator_gear", "eq_data", "tendon_range",
                     "dof_invweight0", "body_invweight0", "geom_rbound", "tendon_length0"):
            yield LEAN + f"m.{name}[:] = {x}; w = mj.Lean(m); w.step(3); w.qacc"
        for name in ("timestep", "impratio", "tolerance", "ls_tolerance"):
            yield LEAN + f"m.opt.{name} = {x}; mj.Lean(m).step(3)"
    for name in ("iterations", "ls_iterations", "integrator", "cone", "jacobian", "solver", "disableflags", "enableflags", "noslip_iterations"):
        for n in ("-1", "2**31-1", "-2**31", "99"):
            yield LEAN + f"m.opt.{name} = {n}; m.opt.tolerance = 0; w = mj.Lean(m); w.step(3)"
            yield LEAN + f"m.opt.{name} = {n}; m.opt.tolerance = 0; b = mj.batch.Batch(m, 9, exact='auto'); b.step(nstep=3)"
    for code in ("w.model = 5", "w.qpos = np.zeros(99)", "w.xpos = 1", "w.none", "w._state = None", "del w.model", "w.eq_active[:] = 99; w.step(3)", "copy.copy(w).step()", "copy.deepcopy(w).step()",
                 "import pickle; pickle.loads(pickle.dumps(w)).step()", "w._native.step(world(RICH)[1], 3)", "w._native.step(None, 3)", "m.geom_bodyid[:] = 99; mj.Lean(m)", "m.dof_parentid[:] = 3; mj.Lean(m).step(3)", "m.geom_bodyid[:] = 99; w.step(3); w.xpos",
                 "mj.set_mjcb_control(lambda m, d: w.step()); w.step()", "mj.set_mjcb_control(lambda m, d: w.step()); mj.mj_step(m, d)", "x = w.qpos; del w; import gc; gc.collect(); x[:] = 1; x.sum()", "mj.Lean(None)", "mj.Lean(world(RICH)[0]).step(3)", "w.__init__(world(t)[0]); w.step()",
                 "t = [threading.Thread(target=lambda: [sneak(lambda: w.step(20)) for _ in range(50)]) for _ in range(4)]; [x.start() for x in t]; [sneak(lambda: w.xpos.sum()) for _ in range(200)]; [x.join() for x in t]",
                 "ds = [mj.MjData(m) for _ in range(4)]; t = [threading.Thread(target=lambda d=d: [w._native.step(d, 200) for _ in range(20)]) for d in ds]; [x.start() for x in t]; [x.join() for x in t]",
                 "import signal; signal.signal(signal.SIGALRM, lambda *a: 1/0); signal.setitimer(signal.ITIMER_REAL, .5); w.step(2**62)"):
        yield LEAN + code
    for n in (40, 1500):
        for solver in ("Newton", "CG"):
            spheres = "".join(f'<body pos="{i % 10 * .01} {i // 10 % 10 * .01} {i // 100 * .01}"><freejoint/><geom size="1"/></body>' for i in range(n))
            text = f'<mujoco><option solver="{solver}"/><worldbody>{spheres}</worldbody></mujoco>'
            yield f"mj.Lean(mj.MjModel.from_xml_string({text!r})).step(3)"
            yield f"mj.batch.Batch(mj.MjModel.from_xml_string({text!r}), 2, exact='auto').step(nstep=3)"
            yield f"mj.batch.Batch(mj.MjModel.from_xml_string({text!r}), 2).step(nstep=3)"
            yield f"m = mj.MjModel.from_xml_string({text!r}); d = mj.MjData(m); s = np.zeros((2, mj.mj_stateSize(m, 15))); s[:, 1:m.nq + 1] = m.qpos0; mj.rollout.rollout(m, d, s, nstep=3)"


WATCH = "m, d = world(RICH); v = mj.viewer.launch_passive(m, d, browser=False); "
RECORD = "m, d = world(RICH); r = mj.viewer.Recorder(m); r.capture(d); "


def viewers():
    """Viewers and recordings."""
    for n in INTEGERS:
        yield f"m, d = world(); mj.viewer.launch_passive(m, d, browser=False, port={n}).close()"
        yield f"m, d = world(); mj.viewer.Recorder(m, fps={n}).capture(d)"
        for name in ("update_hfield", "update_mesh", "update_texture"):
            yield WATCH + f"v.{name}({n}); v.sync()"
        yield WATCH + f"v.set_texts((1, {n}, 'a', 'b')); v.sync(); time.sleep(.1); v.sync()"
        yield WATCH + f"v.user_scn.ngeom = {n}; v.sync(); time.sleep(.1); v.sync()"
        for name in ("fixedcamid", "trackbodyid", "type"):
            yield WATCH + f"v.cam.{name} = {n}; v.sync(); time.sleep(.1); v.sync()"
        yield RECORD + f"r.capture(d, camera={n})"
        yield RECORD + f"c = mj.MjvCamera(); c.type = 2; c.fixedcamid = {n}; d.time = 9; r.capture(d, camera=c); r.html()"
        yield RECORD + f"o = mj.MjvOption(); o.label = {n}; o.frame = {n}; o.flags[:] = 1; d.time = 9; r.capture(d, option=o); r.html()"
        yield WATCH + f"v.perturb.select = {n}; v.perturb.active = 3; v.sync(); time.sleep(.1); v.sync()"
    for x in FLOATS:
        yield WATCH + f"d.qpos[:] = {x}; v.sync(); time.sleep(.1); v.sync()"
        yield WATCH + f"v.cam.distance = {x}; v.cam.lookat[:] = {x}; v.sync(); time.sleep(.1); v.sync()"
        yield WATCH + f"m.geom_size[:] = {x}; m.geom_rgba[:] = {x}; m.mesh_vert[:] = {x}; m.hfield_data[:] = {x}; v.sync(); v.update_mesh(0); time.sleep(.1); v.sync()"
        yield RECORD + f"d.qpos[:] = {x}; d.time = {x}; r.capture(d); mj.mj_forward(m, d); r.capture(d); r.html()"
        yield RECORD + f"m.vis.map.znear = {x}; m.stat.extent = {x}; d.time = 9; r.capture(d); r.html(); mj.viewer.Recorder(m).capture(d)"
    for code in ("v.close(); v.sync(); v.close(); v.update_mesh(0)", "m.geom_bodyid[:] = 99; v.sync()", "m.geom_dataid[:] = 99; v.sync()", "m.geom_matid[:] = 99; sneak(v.sync); time.sleep(.1)", "v._native.sync(m, world()[1], v.cam, v.opt, v.perturb, None, False)", "m2, d2 = world(); v._m, v._d = m2, d2; v.sync(); time.sleep(.2); v.sync()",
                 "v.m.opt.timestep = nan; v.sync()", "[v.sync() for _ in range(2000)]", "t = [threading.Thread(target=lambda: [sneak(v.sync) for _ in range(100)]) for _ in range(4)]; [x.start() for x in t]; [sneak(lambda: mj.mj_step(m, d)) for _ in range(100)]; [x.join() for x in t]", "del m, d; v.sync()",
                 "v.set_texts(None)", "v.set_texts([(1, 2)])", "v.set_texts([(1, 0, 'a' * 10**7, 'b')]); v.sync(); time.sleep(.1)", "v.__init__(m, d, browser=False); v.sync()", "mj.set_mjcb_control(lambda m, d: v.sync()); mj.mj_step(m, d)", "v2 = mj.viewer.launch_passive(m, d, browser=False, port=int(v.address.split(':')[2].split('/')[0]))",
                 "a = v.address; import urllib.request, urllib.error\nfor path in ('', 'x' * 10000, '../../etc/passwd', '%00', '?' + 'a=b&' * 3000):\n  sneak(lambda: urllib.request.urlopen(a.split('?')[0] + path, timeout=3).read())\nv.sync()",
                 "import socket; host = v.address.split('/')[2].split(':'); \nfor data in (b'', b'\\0' * 10000, b'GET / HTTP/1.1\\r\\n' + b'a: b\\r\\n' * 100000, b'POST / HTTP/1.1\\r\\nContent-Length: 99999999999\\r\\n\\r\\n', b'GET ' + b'/' * 10**6):\n  s = socket.create_connection((host[0], int(host[1])), 3); s.settimeout(2)\n  sneak(lambda: s.sendall(data)); sneak(lambda: s.recv(100)); s.close()\nv.sync()",
                 "import socket; host = v.address.split('/')[2].split(':'); s = [socket.create_connection((host[0], int(host[1])), 3) for _ in range(300)]; v.sync(); time.sleep(.2); v.sync()"):
        yield WATCH + code
    for code in ("r.capture(world()[1])", "r.capture(None)", "r.html(); r.html()", "mj.viewer.Recorder(None)", "mj.viewer.Recorder(m).html()", "r.save('/nonexistent/x')", "r.capture(d, user_scn=mj.MjvScene(m, 10))", "s = mj.MjvScene(m, 10); s.ngeom = 10; [setattr(g, 'dataid', 10**9) or setattr(g, 'type', 7) for g in s.geoms]; d.time = 9; r.capture(d, user_scn=s); r.html()",
                 "m.geom_bodyid[:] = 99; d.time = 9; r.capture(d)", "mj.viewer.Recorder(m, name='</script>' * 1000).capture(d)", "[setattr(d, 'time', i * 1.) or r.capture(d) for i in range(300)]; len(r.html())"):
        yield RECORD + code
    active = "m, d = world(); a = mj._core.ActiveViewer(m, 'x', 0); "
    for code in ("a.turn(m, d); a.turn(m, d)", "a.turn(m, world(RICH)[1])", "a.turn(*world(RICH))", "a.replace(world(RICH)[0], 'y'); a.turn(m, d)", "a.complain('x' * 10**7); a.turn(m, d)", "mj.set_mjcb_control(lambda m, d: a.turn(m, d)); a.turn(m, d)", "mj.set_mjcb_control(lambda m, d: a.address()); a.turn(m, d)", "mj.set_mjcb_control(lambda m, d: a.complain('x')); a.turn(m, d)",
                 "t = [threading.Thread(target=lambda: [sneak(lambda: a.turn(m, d)) for _ in range(5)]) for _ in range(3)]; [x.start() for x in t]; [sneak(a.address) for _ in range(100)]; [x.join() for x in t]", "m.geom_bodyid[:] = 99; a.turn(m, d)", "d.qpos[:] = nan; a.turn(m, d)", "m.opt.timestep = 1e-300; a.turn(m, d)", "m.opt.timestep = nan; a.turn(m, d)"):
        yield active + code


def environments():
    """Environments on batches."""
    make = "e = mj.envs.make_vec('Hopper-v5', {}); e.reset(seed=1); e.step(e.action_space.sample()); "
    begin = "import ligament.envs\n"
    for n in INTEGERS:
        yield begin + f"e = mj.envs.make_vec('Hopper-v5', {n}); e.reset(); e.step(e.action_space.sample())"
        for name in ("frame_skip", "max_episode_steps", "nthread", "width", "height", "camera_id", "max_geom"):
            yield begin + f"e = mj.envs.make_vec('Hopper-v5', 2, {name}={n}, render_mode='rgb_array') if {n!r} not in ('2**31-1', '2**31', '10**18') or {name!r} != 'frame_skip' else None; e and (e.reset(), e.step(e.action_space.sample()), e.render())"
        yield begin + make.format(2) + f"e.reset(seed={n})"
        yield begin + make.format(2) + f"e.reset(options={{'reset_mask': {n}}})"
        yield begin + f"mj._core._Streams({n}, mj.envs._random._strip_widths())"
    for x in FLOATS:
        yield begin + make.format(2) + f"e.step(np.full((2, 3), {x})); e.step(e.action_space.sample()); e.batch.state[:] = {x}; e.step(e.action_space.sample())"
        for name in ("reset_noise_scale", "forward_reward_weight", "ctrl_cost_weight", "healthy_reward"):
            yield begin + f"e = mj.envs.make_vec('Hopper-v5', 2, {name}={x}); e.reset(); [e.step(e.action_space.sample()) for _ in range(3)]"
        yield begin + f"e = mj.envs.make_vec('Hopper-v5', 2, healthy_z_range=({x}, {x}), healthy_state_range=({x}, {x})); e.reset(); [e.step(e.action_space.sample()) for _ in range(3)]"
        yield begin + f"s = mj._core._Streams(3, [{x}] * 256); s.normal(np.arange(3, dtype=np.int32), 3, np.zeros((3, 3)))"
    for code in ("mj.envs.make_vec('none', 2)", "mj.envs.make_vec(None, 2)", "mj.envs.make_vec('Hopper-v5', 2, xml_file='/dev/zero')", "mj.envs.make_vec('Hopper-v5', 2, xml_file='/nonexistent')", "mj.envs.make_vec('Hopper-v5', 2, autoreset_mode='x')", "mj.envs.make_vec('Hopper-v5', 2, render_mode='x')", "mj.envs.make_vec('Hopper-v5', 2, exact='x')", "e = mj.envs.make_vec('Hopper-v5', 2); e.step(np.zeros((2, 3)))", "e = mj.envs.make_vec('Hopper-v5', 2); e.reset(); e.step(np.zeros(5))", "e = mj.envs.make_vec('Hopper-v5', 2); e.reset(); e.step('x')",
                 "e = mj.envs.make_vec('Hopper-v5', 2); e.reset(); e.close(); e.step(np.zeros((2, 3)))", "e = mj.envs.make_vec('Hopper-v5', 2, render_mode='rgb_array'); e.close(); e.render()", "class T(mj.envs.Task):\n  def load(self): return mj.MjModel.from_xml_string(RICH)\n  def judge(self, w, a, b): return 1/0\ne = mj.envs.make_vec(T, 2); e.reset(); e.step(np.zeros((2, 0)))",
                 "class T(mj.envs.Task):\n  def load(self): return mj.MjModel.from_xml_string(PLAIN)\n  def judge(self, w, a, b): return mj.envs.Verdict(np.zeros(7))\ne = mj.envs.make_vec(T, 2); e.reset(); e.step(np.zeros((2, 2)))", "class T(mj.envs.Task):\n  def load(self): return mj.MjModel.from_xml_string(PLAIN)\n  def begin(self, draw): return {'qpos': np.zeros((9, 9))}\n  def judge(self, w, a, b): return mj.envs.Verdict(np.zeros(2))\ne = mj.envs.make_vec(T, 2); e.reset()",
                 "class T(mj.envs.Task):\n  def load(self): return mj.MjModel.from_xml_string(PLAIN)\n  def begin(self, draw): return {'none': 1}\n  def judge(self, w, a, b): return mj.envs.Verdict(np.zeros(2))\ne = mj.envs.make_vec(T, 2); e.reset()", "import pickle; pickle.dumps(mj.envs.make_vec('Hopper-v5', 2))", "copy.deepcopy(mj.envs.make_vec('Hopper-v5', 2)).reset()",
                 "s = mj._core._Streams(3, mj.envs._random._strip_widths()); s.normal(np.array([9], np.int32), 3, np.zeros((1, 3)))", "s = mj._core._Streams(3, mj.envs._random._strip_widths()); s.uniform(np.array([0], np.int32), nan, inf, 2**62, np.zeros((1, 3)))", "s = mj._core._Streams(3, mj.envs._random._strip_widths()); s.seed(np.array([0, 1], np.int32), np.zeros(1, np.uint64))"):
        yield begin + code


PART = "m, d = world('<mujoco><worldbody><body><joint name=\"j\"/><geom size=\".1\"/></body></worldbody><actuator><motor joint=\"j\"/><motor joint=\"j\"/></actuator></mujoco>'); "


def parts():
    """Parts of a model: functions of Python, and those of the engine with wild parameters."""
    laws = ("lambda l, v, u: 1/0", "lambda l, v, u: u[:1]", "lambda l, v, u: 'x'", "lambda l, v, u: None", "lambda l, v, u: u * nan", "lambda: 0", "lambda l, v, u: mj.mj_step(m, d)", "lambda l, v, u: mj.parts.clear_part(m, 'gain', 0)", "lambda l, v, u: mj.parts.set_gain(m, [0], lambda l, v, u: u)", "lambda l, v, u: d.qpos.sum() + u",
            "lambda l, v, u: setattr(d, 'time', 3) or u", "lambda l, v, u: m.__init__()", "lambda l, v, u: d.__init__(m)", "lambda l, v, u: sys.exit(0)", "lambda l, v, u: globals().update(m=None, d=None) or u", "lambda l, v, u: copy.copy(d) and u", "lambda l, v, u: np.zeros(10**8)", "lambda l, v, u: b.step() or u", "lambda l, v, u: b.state.sum() + u", "lambda l, v, u: threading.Thread(target=lambda: sneak(lambda: mj.mj_step(m, d))).start() or u", "5", "None")
    for law in laws:
        for slot in ("set_gain", "set_bias"):
            yield "global m, d; " + PART + f"mj.parts.{slot}(m, [0, 1], {law}); mj.mj_step(m, d, 3)"
            yield "global m, d; " + PART + f"mj.parts.{slot}(m, [0, 1], {law}); m.opt.integrator = 2; mj.mj_step(m, d, 3); mj.Lean(m).step(3)"
        yield "global m, d; " + PART + f"mj.parts.set_gain(m, [0], lambda l, v, u: u, slope={law}); m.opt.integrator = 2; mj.mj_step(m, d, 3)"
        yield "global m, d, b; " + PART + f"mj.parts.set_gain(m, [0], {law}); b = mj.batch.Batch(m, 4); b.step(nstep=3); mj.rollout.rollout(m, d, np.zeros((2, 3)), nstep=3)"
        yield "global m, d; " + PART + f"mj.parts.set_gain(m, [0], {law}); v = mj.viewer.launch_passive(m, d, browser=False); v.sync(); time.sleep(.1); v.sync()"
    for n in ("-1", "2", "10**9", "2**64", "None", "'x'", "nan"):
        yield PART + f"mj.parts.set_gain(m, [{n}], lambda l, v, u: u); mj.mj_step(m, d)"
        for slot in ("bending", "elasticity", "gain", "bias", "solver", "none"):
            yield PART + f"sneak(lambda: mj.parts.clear_part(m, '{slot}', {n})); mj.parts.set_part(m, '{slot}', {n}, 'series_elastic', [1, 2, 3]); mj.mj_step(m, d)"
    names = {"bridson": 0, "neo_hookean": 2, "fixed": 1, "affine": 3, "muscle": 10, "series_elastic": 3, "xpbd": 2, "none": 1}
    for x in (*FLOATS, "1e9", "10.0"):
        for name, count in names.items():
            for numbers in sorted({0, 1, count}):
                provide = f"[sneak(lambda: mj.parts.set_part(m, s, 0, '{name}', [{x}] * {numbers})) for s in ('bending', 'elasticity', 'gain', 'bias', 'solver')]; "
                yield "m, d = world(RICH); " + provide + "mj.mj_step(m, d, 3); m.opt.integrator = 2; mj.mj_step(m, d, 3)"
                yield PART + provide + "d.ctrl[:] = 1; mj.mj_step(m, d, 3); m.opt.integrator = 3; mj.mj_step(m, d, 3)"
        for text in (f'<option ligament:solver="xpbd" ligament:solver_params="{x}"/>', f'<option ligament:solver="xpbd" ligament:solver_params="3 {x}"/>'):
            yield f"m, d = world(RICH.replace('<asset>', {text!r} + '<asset>', 1)); mj.mj_step(m, d, 3)"


def pickles():
    """Pickles with bytes replaced, and other ways into a state."""
    for t in ("PLAIN", "RICH"):
        for seed in range(25):
            yield (f"import pickle\nm, d = world({t}); raw = pickle.dumps((m, d)); rng = np.random.default_rng({seed})\nfor _ in range(25):\n  bad = bytearray(raw)\n"
                   "  for _ in range(int(rng.integers(1, 6))):\n    at = int(rng.integers(200, len(bad)) if rng.random() < .8 else rng.integers(len(bad)))\n    bad[at] = int(rng.choice([0, 1, 255, 127, rng.integers(256)]))\n"
                   "  def attempt():\n    x = pickle.loads(bytes(bad)); mj.mj_step(*x); mj.mj_forward(*x)\n  sneak(attempt)")
        yield f"m, d = world({t}); x = d.__getstate__() if hasattr(d, '__getstate__') else None; e = mj.MjData(world(RICH)[0]); sneak(lambda: e.__setstate__(x)); mj.mj_step(world(RICH)[0], e)"
    for x in ("b''", "b'\\0' * 1000", "None", "5", "{}", "('x',)"):
        yield f"m, d = world(); sneak(lambda: m.__setstate__({x})); sneak(lambda: d.__setstate__({x})); mj.mj_step(m, d)"
    for size in ("0", "1", "5", "10**6"):
        for spec in ("1", "2", "15", "16383", "2**13", "8191"):
            yield f"m, d = world(); mj.mj_setState(m, d, np.full({size}, nan), {spec}); mj.mj_step(m, d)"
            yield f"m, d = world(); mj.mj_getState(m, d, np.zeros({size}), {spec})"
    for x in FLOATS:
        yield f"m, d = world(RICH); n = mj.mj_stateSize(m, 16383); mj.mj_setState(m, d, np.full(n, {x}), 16383); mj.mj_step(m, d, 3)"
        yield f"m, d = world(); m.key_qpos[:] = {x}; m.key_ctrl[:] = {x}; m.key_time[:] = {x}; mj.mj_resetDataKeyframe(m, d, 0); mj.mj_step(m, d, 3)"
        yield f"m, d = world(); d.contact.dist[:] = {x}; d.contact.frame[:] = {x}; d.contact.friction[:] = {x}; d.contact.solref[:] = {x}; mj.mj_makeConstraint(m, d); mj.mj_projectConstraint(m, d); mj.mj_fwdConstraint(m, d); mj.mj_rnePostConstraint(m, d); mj.mj_sensorAcc(m, d)"
    for n in ("-1", "-5", "2", "99", "2**31-1", "-2**31"):
        for name in ("geom", "flex", "elem", "vert", "dim", "efc_address", "exclude"):
            yield f"m, d = world(); d.contact.{name}[:] = {n}\nfor f in (mj.mj_makeConstraint, mj.mj_projectConstraint, mj.mj_transmission, mj.mj_fwdConstraint, mj.mj_rnePostConstraint, mj.mj_sensorAcc, mj.mj_island, mj.mj_step2, mj.mj_inverse, mj.mj_step): sneak(lambda: f(m, d))\nsneak(lambda: mj.mj_contactForce(m, d, 0, np.zeros(6)))"
            yield f"m, d = world(RICH); d.contact.{name}[:] = {n}; o = mj.MjvOption(); o.flags[:] = 1; o.label = 15; s = mj.MjvScene(m, 300); mj.mjv_updateScene(m, d, o, None, mj.MjvCamera(), 7, s)"


def bombs():
    """Models that are expensive to compile or to step."""
    def load(text, assets="", steps=3):
        return f"m = mj.MjModel.from_xml_string({text}{assets}); d = mj.MjData(m); [mj.mj_step(m, d) for _ in range({steps})]"
    muscle = "'<mujoco><compiler><lengthrange {}/></compiler><worldbody>' + ''.join(f'<body pos=\"0 {{i}} 0\"><joint name=\"j{{i}}\" axis=\"0 1 0\"/><geom size=\".1\" pos=\".5 0 0\"/></body>' for i in range({})) + '</worldbody><actuator>' + ''.join(f'<muscle joint=\"j{{i}}\"/>' for i in range({})) + '</actuator></mujoco>'"
    for settings in ("", "inttotal=\"1e9\"", "inttotal=\"1e300\"", "inttotal=\"inf\"", "inttotal=\"nan\"", "timestep=\"1e-9\"", "timestep=\"1e-300\"", "timestep=\"nan\"", "interval=\"1e9\"", "mode=\"all\" useexisting=\"false\" uselimit=\"false\"", "accel=\"1e300\"", "maxforce=\"nan\"", "timeconst=\"-1\""):
        for n in (1, 20, 100):
            yield load(muscle.format(settings, n, n))
    mesh = ", {{'m.obj': b'\\n'.join([{}] + [b'f 1 2 3', b'f 1 2 4', b'f 1 3 4', b'f 2 3 4'])}}"
    points = {"sphere": "b'v %f %f %f' % tuple(p / np.linalg.norm(p))", "ball": "b'v %f %f %f' % tuple(p)", "grid": "b'v %d %d %d' % (i % 50, i // 50 % 50, i // 2500)", "plane": "b'v %f %f 0' % (p[0], p[1])", "line": "b'v %d 0 0' % i", "moment": "b'v %f %f %f' % (i / N, (i / N)**2, (i / N)**3)", "circle": "b'v %.9f %.9f %d' % (math.cos(i), math.sin(i), i % 2)"}
    for n in (10**4, 2 * 10**5):
        for kind, line in points.items():
            body = '<mujoco><asset><mesh name="m" file="m.obj" {}/></asset><worldbody><geom type="plane" size="9 9 9"/><body><freejoint/><geom type="{}" mesh="m"/></body></worldbody></mujoco>'
            asset = ", {'m.obj': b'\\n'.join([" + line.replace("N", str(n)) + f" for i, p in enumerate(np.random.default_rng(1).normal(size=({n}, 3)))] + [b'f %d %d %d' % (i, i + 1, i + 2) for i in range(1, {n} - 2)])}}"
            for inertia in ('inertia="convex"', 'inertia="exact"', 'maxhullvert="10"'):
                yield load(repr(body.format(inertia, "mesh")), asset)
            yield load(repr(body.format("", "ellipsoid")), asset)
    for count in ("30 30 30", "100 100 100", "1000 1000 1", "100000 1 1", "2 2 100000"):
        for dim in (1, 2, 3):
            for inner in ("", '<edge equality="true"/>', '<contact selfcollide="auto"/>', '<elasticity young="1e4" poisson=".3"/>', '<plugin plugin="mujoco.elasticity.shell"/>'):
                yield load(repr(f'<mujoco><worldbody><flexcomp name="f" type="grid" count="{count}" spacing=".1 .1 .1" dim="{dim}" radius=".01">{inner}</flexcomp></worldbody></mujoco>'))
        yield load(repr(f'<mujoco><worldbody><flexcomp name="f" type="grid" count="{count}" spacing=".1 .1 .1" dim="3" dof="trilinear" radius=".01"><elasticity young="1e4"/></flexcomp></worldbody></mujoco>'))
        yield load(repr(f'<mujoco><worldbody><composite type="cable" count="{count}" curve="s" size="1"><geom size=".01" type="capsule"/></composite></worldbody></mujoco>'))
    for count in (1000, 30000, 10**6, 2 * 10**9):
        for inside in ('<geom size=".1"/>', '<body><freejoint/><geom size=".1"/></body>', '<body><joint/><geom size=".1"/></body>', '<site/>', '<body mocap="true"><geom size=".1"/></body>', '<camera/>', '<light/>'):
            yield load(repr(f'<mujoco><worldbody><replicate count="{count}" offset="1 0 0">{inside}</replicate></worldbody></mujoco>'))
    nested = '<replicate count="30" offset="{} 0 0">'
    for depth in (2, 3, 5, 9):
        yield load(repr("<mujoco><worldbody>" + nested.format(1) * depth + '<body><freejoint/><geom size=".1"/></body>' + "</replicate>" * depth + "</worldbody></mujoco>"))
    for n in (300, 1000):
        chain = "<body pos='.1 0 0'><joint axis='0 1 0'/><geom size='.05'/>" * n + "</body>" * n
        for option in ("", "<option jacobian='dense' solver='Newton'/>", "<option integrator='implicit'/>", "<option integrator='implicitfast'/>", "<option integrator='RK4'/>", "<option solver='PGS'/>"):
            yield load(repr(f"<mujoco>{option}<worldbody>{chain}</worldbody></mujoco>"))
        links = "".join(f"<body name='b{i}' pos='{i} 0 0'><freejoint/><geom size='.6'/></body>" for i in range(n))
        welds = "".join(f"<weld body1='b{i}' body2='b{(i * 7 + 1) % n}'/>" for i in range(n) if i != (i * 7 + 1) % n)
        for option in ("", "<option solver='PGS'/>", "<option solver='CG' iterations='100000' tolerance='0'/>", "<option noslip_iterations='1000000'/>", "<option integrator='RK4'/>"):
            yield load(repr(f"<mujoco>{option}<worldbody>{links}</worldbody><equality>{welds}</equality></mujoco>"))
    for n in (100, 2000):
        sites = "".join(f"<site name='s{i}' pos='{i * .1} 0 0'/>" for i in range(n))
        path = "".join(f"<site site='s{i}'/>" for i in range(n))
        yield load(repr(f"<mujoco><worldbody><body><joint/><geom size='.1'/>{sites}</body></worldbody><tendon>" + f"<spatial>{path}</spatial>" * 20 + "</tendon></mujoco>"))
        keys = "<key/>" * n * 20
        yield load(repr(f"<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody><keyframe>{keys}</keyframe></mujoco>"))
        sensors = "<rangefinder site='s'/>" * n
        geoms = "<geom size='.1' pos='1 0 0'/>" * n
        yield load(repr(f"<mujoco><worldbody><site name='s'/>{geoms}<body><joint/><geom size='.1'/></body></worldbody><sensor>{sensors}</sensor></mujoco>"))
        pairs = "".join(f"<pair geom1='a{i}' geom2='b'/>" for i in range(n))
        named = "".join(f"<geom name='a{i}' size='9'/>" for i in range(n))
        yield load(repr(f"<mujoco><worldbody>{named}<body><freejoint/><geom name='b' size='9'/></body></worldbody><contact>{pairs}</contact></mujoco>"))
    yield "import tempfile; p = tempfile.mkdtemp(); open(p + '/a.xml', 'w').write('<mujoco><include file=\"b.xml\"/></mujoco>'); open(p + '/b.xml', 'w').write('<mujoco><include file=\"a.xml\"/></mujoco>'); mj.MjModel.from_xml_path(p + '/a.xml')"
    yield "mj.MjModel.from_xml_string('<mujoco><include file=\"a.xml\"/></mujoco>', {'a.xml': b'<mujoco><include file=\"a.xml\"/></mujoco>'})"
    for depth in (5, 30):
        yield f"n = {depth}; f = {{f'a{{i}}.xml': ('<mujoco><asset>' + ''.join(f'<model name=\"m{{k}}\" file=\"a{{i+1}}.xml\"/>' for k in range(3)) + '</asset><worldbody><body name=\"x\"><geom size=\".1\"/>' + ''.join(f'<attach model=\"m{{k}}\" body=\"x\" prefix=\"p{{k}}\"/>' for k in range(3)) + '</body></worldbody></mujoco>').encode() for i in range(n)}}; f[f'a{{n}}.xml'] = b'<mujoco><worldbody><body name=\"x\"><geom size=\".1\"/></body></worldbody></mujoco>'; m = mj.MjModel.from_xml_string(f['a0.xml'].decode(), f); mj.mj_step(m, mj.MjData(m))"
        yield f"n = {depth}; f = {{f'a{{i}}.xml': f'<mujoco><include file=\"a{{i+1}}.xml\"/><include file=\"b{{i+1}}.xml\"/></mujoco>'.encode() for i in range(n)}}; f |= {{f'b{{i}}.xml': f['a%d.xml' % i] for i in range(n)}}; mj.MjModel.from_xml_string(f['a0.xml'].decode(), f)"
    for plugin, keys in (("mujoco.elasticity.cable", ("twist", "bend", "flat", "vmax")), ("mujoco.sdf.torus", ("radius1", "radius2")), ("mujoco.sdf.gear", ("alpha", "diameter", "teeth", "thickness", "innerdiameter")), ("mujoco.sdf.nut", ("radius",)), ("mujoco.sdf.bolt", ("radius",)), ("mujoco.sdf.bowl", ("height", "radius", "thickness")), ("mujoco.sdf.sdflib", ("aabb",)),
                         ("mujoco.sensor.touch_grid", ("gamma", "nchannel", "size", "fov")), ("mujoco.pid", ("kp", "ki", "kd", "imax", "slewmax"))):
        for key in keys:
            for value in ("nan", "inf", "-1", "1e308", "0", "1e9 1e9", "x" * 10000, ""):
                config = f'<config key="{key}" value="{value}"/>'
                extension = f'<extension><plugin plugin="{plugin}"><instance name="p">{config}</instance></plugin></extension>'
                inside = {"sdf": '<body><freejoint/><geom type="sdf" mesh="m"><plugin instance="p"/></geom></body><body pos="0 0 1"><freejoint/><geom type="sdf" mesh="m"><plugin instance="p"/></geom></body>',
                          "ela": '<body><freejoint/><plugin instance="p"/><geom size=".1"/><body><joint type="ball"/><plugin instance="p"/><geom size=".1"/></body></body>'}.get(plugin[7:10], '<body><joint name="j"/><geom size=".1"/><site name="s"/></body>')
                mesh = '<asset><mesh name="m"><plugin instance="p"/></mesh></asset>' if "sdf" in plugin else ""
                after = {"sen": '<sensor><plugin instance="p" objtype="site" objname="s"/></sensor>', "pid": '<actuator><plugin joint="j" instance="p"/></actuator>'}.get(plugin[7:10], "")
                yield load(repr(f"<mujoco>{extension}{mesh}<worldbody>{inside}</worldbody>{after}</mujoco>"))


CLASSES = {f.__name__: f for f in (lean, viewers, environments, parts, pickles, bombs)}
