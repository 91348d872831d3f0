"""Cases of `hostile_calls.py` for corners that few programs visit: threads inside a step, exported scenes, archives, URDF,
delays, editing in loops, arguments of wrong sizes, height fields, deep nesting."""

FLOATS = ["nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "0.0", "-1.0"]
INTEGERS = ["-1", "0", "2**31-1", "-2**31", "2**31", "10**18", "2**70", "1.5", "nan", "None"]

PILE = "<mujoco><option {}/><worldbody><geom type='plane' size='9 9 1'/>" + "".join(
    f"<body pos='{i % 8 * .19} {i // 8 % 8 * .19} {.1 + i // 64 * .19}'><freejoint/><geom type='{('box', 'sphere', 'capsule')[i % 3]}' size='.1 .1 .1'/></body>"
    for i in range(128)) + "</worldbody></mujoco>"
CROWD = "m = mj.MjModel.from_xml_string({!r}); d = mj.MjData(m); d.threads = {}; "


def threads():
    """Steps on several threads: numbers, hooks, contacts and limits that go wrong in the middle."""
    for n in INTEGERS + ["10**4", "256", "'x'"]:
        yield CROWD.format(PILE.format(""), n) + "mj.mj_step(m, d, 3)"
    for option in ("", "solver='CG'", "solver='PGS'", "cone='elliptic'", "integrator='RK4'", "integrator='implicit'", "jacobian='sparse' solver='Newton'"):
        begin = CROWD.format(PILE.format(option), 4) + "mj.mj_step(m, d, 3); "
        for x in FLOATS:
            for name in ("qpos", "qvel", "qacc_warmstart", "qfrc_applied", "xfrc_applied"):
                yield begin + f"d.{name}[:] = {x}; mj.mj_step(m, d, 3)"
            for name in ("geom_size", "geom_margin", "geom_friction", "geom_solimp", "body_mass", "body_inertia", "geom_rbound"):
                yield begin + f"m.{name}[:] = {x}; mj.mj_step(m, d, 3)"
        for hook in ("1/0", "mj.mj_step(m, d)", "setattr(d, 'threads', 1)", "d.efc_J.sum()", "d.contact.dist.fill(nan)", "d.contact.geom.fill(99)", "d.qpos.fill(nan)", "mj.mj_resetData(m, d)", "1"):
            for name in ("control", "passive", "contactfilter", "time"):
                yield "global m, d; " + begin + f"mj.set_mjcb_{name}(lambda *a: {hook}); mj.mj_step(m, d, 3)"
        yield begin + "d.set_limits(effort=1000); mj.mj_step(m, d, 3)"
        yield begin + "d.set_limits(effort=10**6); mj.mj_step(m, d, 3)"
        yield begin + "d.set_limits(memory=1000); mj.mj_step(m, d, 3)"
        yield begin + "m.geom_bodyid[:] = 99; mj.mj_step(m, d, 3) # OVERWRITES"
        yield begin + "m.dof_treeid[:] = 99; mj.mj_step(m, d, 3) # OVERWRITES"
        yield begin + "m.geom_type[:] = 99; mj.mj_step(m, d, 3) # OVERWRITES"
        yield begin + "e = copy.deepcopy(d); t = [threading.Thread(target=lambda x=x: mj.mj_step(m, x, 20)) for x in (d, e)]; [x.start() for x in t]; [x.join() for x in t]"
        yield begin + "t = threading.Thread(target=lambda: mj.mj_step(m, d, 50)); t.start(); [sneak(lambda: (d.efc_J.sum(), setattr(d, 'threads', 2))) for _ in range(100)]; t.join()"


def exports():
    """Scenes written as USD."""
    begin = "from ligament.usd.exporter import USDExporter; m, d = world(RICH); e = USDExporter(m, verbose=False); "
    for x in FLOATS:
        for name in ("qpos", "qvel", "geom_xpos", "geom_xmat", "xpos", "flexvert_xpos", "light_xpos", "cam_xpos"):
            yield begin + f"d.{name}[:] = {x}; e.update_scene(d); e.usd; e.save_scene('usda')"
        for name in ("geom_size", "geom_rgba", "mat_rgba", "mesh_vert", "hfield_data", "hfield_size", "tex_data", "light_diffuse", "mat_texrepeat"):
            yield begin + f"m.{name}[:] = np.array({x}).astype(m.{name}.dtype); e.update_scene(d); e.usd"
        yield begin + f"e.add_light([{x}] * 3, {x}, {x}, ({x},) * 3); e.add_camera([{x}] * 3, [{x}] * 3); e.update_scene(d); e.usd"
    for n in INTEGERS:
        for name in ("height", "width", "max_geom", "light_intensity", "camera_names", "output_directory", "specialized_materials_file"):
            yield f"from ligament.usd.exporter import USDExporter; m, d = world(RICH); e = USDExporter(m, verbose=False, {name}={n} if {n!r} != 'x' else 0); e.update_scene(d); e.usd" if not (name == "max_geom" and n == "2**31-1") else "pass"
    for name in ("mesh_vertadr", "mesh_faceadr", "mesh_face", "geom_dataid", "geom_matid", "mat_texid", "tex_adr", "hfield_adr", "hfield_nrow", "flex_vertadr", "light_bodyid", "cam_bodyid", "mesh_texcoordadr"):
        for n in ("-1", "99", "10**6", "2**31-1", "-2**31"):
            yield begin + f"m.{name}[:] = {n}; e.update_scene(d); e.usd # OVERWRITES"
    for code in ("e.update_scene(world(PLAIN)[1])", "e.update_scene(None)", "e.update_scene(d, scene_option=5)", "e.save_scene('none')", "e.camera_names = ['none']; e.update_scene(d)", "e.scene.ngeom = 10**9; e.usd", "m.names; e.model = None; e.update_scene(d)",
                 "[e.update_scene(d) for _ in range(200)]; e.usd", "USDExporter(m, camera_names=['none'])", "USDExporter(m, output_directory='/dev/null/x')", "USDExporter(m, output_directory='a' * 5000)"):
        yield begin + code


def archives():
    """Zip archives and files that include one another."""
    begin = "import io, zipfile\ndef pack(files, level=8):\n  b = io.BytesIO(); z = zipfile.ZipFile(b, 'w', level)\n  [z.writestr(n, c) for n, c in files]\n  z.close(); b.seek(0); return b\n"
    end = "; s = mj.MjSpec.from_zip(b); m = s.compile(); mj.mj_step(m, mj.MjData(m))"
    mesh = "'<mujoco><asset><mesh name=\"m\" file=\"m.obj\"/></asset><worldbody><geom type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>'"
    for files in ("[]", "[('x.txt', 'x')]", "[('a.xml', PLAIN), ('b.xml', RICH)]", "[('a.xml', PLAIN)] * 3", "[('../../a.xml', PLAIN)]", "[('/etc/a.xml', PLAIN)]", "[('a.xml', '')]", "[('a.xml', b'\\xff' * 1000)]", "[('a/' * 500 + 'a.xml', PLAIN)]", "[('a.xml', PLAIN)] + [(f'{i}.obj', 'v 0 0 0') for i in range(5000)]",
                  f"[('m.xml', {mesh}), ('m.obj', 'v 0 0 0')]", f"[('m.xml', {mesh}), ('../m.obj', 'v 0 0 0')]", f"[('m.xml', {mesh}), ('m.obj', '')]", f"[('m.xml', {mesh}), ('m.obj', b'\\0' * 3 * 10**8)]", f"[('m.xml', {mesh}), ('m.obj', b'v 0 0 0\\n' * 2 * 10**7)]", "[('a.xml', b'<mujoco>' + b' ' * 5 * 10**8 + b'</mujoco>')]",
                  "[('a.xml', '<mujoco><include file=\"a.xml\"/></mujoco>')]", "[('a.xml', '<mujoco><include file=\"b.xml\"/></mujoco>'), ('b.xml', '<mujoco><include file=\"a.xml\"/></mujoco>')]"):
        yield begin + f"b = pack({files})" + end
    for code in ("b = io.BytesIO(b'')", "b = io.BytesIO(b'PK' + b'\\0' * 1000)", "b = io.BytesIO(pack([('a.xml', PLAIN)]).read()[:-30])", "b = pack([('a.xml', PLAIN)]); b.close()", "b = 5", "b = None", "b = io.StringIO('x')", "b = '/dev/zero'", "b = '/proc/self/mem'"):
        yield begin + code + end
    yield begin + "rng = np.random.default_rng(1); raw = pack([('a.xml', RICH)]).read()\nfor _ in range(300):\n  bad = bytearray(raw); bad[int(rng.integers(len(bad)))] = int(rng.integers(256))\n  sneak(lambda: mj.MjSpec.from_zip(io.BytesIO(bytes(bad))).compile())"
    load = "m = mj.MjModel.from_xml_string({}, {}); d = mj.MjData(m); mj.mj_step(m, d)"
    attach = "'<mujoco><asset><model name=\"m\" file=\"b.xml\"/></asset><worldbody><attach model=\"m\" prefix=\"p\"/></worldbody></mujoco>'"
    for text, files in (("'<mujoco><include file=\"a\"/></mujoco>'", "{'a': b'<mujoco><include file=\"a\"/></mujoco>'}"), ("'<mujoco><include file=\"a\"/><include file=\"a\"/></mujoco>'", "{'a': b'<mujoco/>'}"), (attach, f"{{'b.xml': {attach}.encode()}}"), (attach, "{'b.xml': b''}"), (attach, "{'b.xml': PLAIN.encode()}"),
                        ("'<mujoco>' + ''.join(f'<include file=\"{i}\"/>' for i in range(3000)) + '</mujoco>'", "{str(i): b'<mujoco/>' for i in range(3000)}"), ("'<mujoco><include file=\"0\"/></mujoco>'", "{str(i): f'<mujoco><include file=\"{i + 1}\"/></mujoco>'.encode() for i in range(3000)}"),
                        ("'<mujoco><include file=\"a\"/></mujoco>'", "{'a': b'<mujoco>' + b'<worldbody>' * 10**5}"), ("'<!DOCTYPE x [<!ENTITY a \"' + 'b' * 10**6 + '\">]><mujoco model=\"' + '&a;' * 10**5 + '\"/>'", "{}"),
                        ("'<mujoco><default>' + ''.join(f'<default class=\"c{i}\">' for i in range(3000)) + '</default>' * 3000 + '</default></mujoco>'", "{}"), ("'<mujoco><worldbody>' + '<frame euler=\"1 2 3\"><replicate count=\"2\" offset=\"1 0 0\">' * 24 + '<geom size=\".1\"/>' + '</replicate></frame>' * 24 + '</worldbody></mujoco>'", "{}"),
                        ("'<mujoco><default>' + ''.join(f'<default class=\"c{i}\"><geom size=\"{i}\"/></default>' for i in range(20000)) + '</default></mujoco>'", "{}"), ("'<mujoco><worldbody>' + '<body childclass=\"main\"><frame><frame>' * 2000 + '</frame></frame></body>' * 2000 + '</worldbody></mujoco>'", "{}")):
        yield load.format(text, files)


def robots():
    """URDF that makes no sense."""
    load = "m = mj.MjModel.from_xml_string({!r}); d = mj.MjData(m); [mj.mj_step(m, d) for _ in range(3)]"
    link = '<link name="{0}"><inertial><mass value="{1}"/><inertia ixx="{1}" iyy="{1}" izz="{1}" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><sphere radius="{1}"/></geometry></collision></link>'
    joint = '<joint name="j{0}{1}" type="{2}"><parent link="{0}"/><child link="{1}"/><origin xyz="{3} 0 0" rpy="{3} {3} {3}"/><axis xyz="{3} 0 1"/><limit lower="{3}" upper="1" effort="{3}" velocity="1"/><dynamics damping="{3}" friction="{3}"/></joint>'
    robot = '<robot name="r">{}</robot>'
    for x in ("nan", "inf", "-1", "0", "1e308", "", "x", "1 2 3"):
        for kind in ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical", ""):
            yield load.format(robot.format(link.format("a", x) + link.format("b", "1") + joint.format("a", "b", kind, x)))
    cycle = "".join(link.format(n, 1) for n in "abc") + joint.format("a", "b", "revolute", 1)
    for more in (joint.format("b", "a", "revolute", 1), joint.format("a", "a", "revolute", 1), joint.format("b", "c", "fixed", 1) + joint.format("c", "a", "fixed", 1), joint.format("c", "b", "revolute", 1), joint.format("a", "none", "revolute", 1), joint.format("none", "a", "revolute", 1), link.format("a", 1), joint.format("a", "b", "revolute", 1)):
        yield load.format(robot.format(cycle + more))
    for n in (300, 3000, 30000):
        yield load.format(robot.format("".join(link.format(f"l{i}", 1) for i in range(n)) + "".join(joint.format(f"l{i}", f"l{i + 1}", "revolute", ".1") for i in range(n - 1)))) if n < 3000 else "pass"
        yield f"n = {n}; t = '<robot name=\"r\">' + ''.join(f'<link name=\"l{{i}}\"/>' for i in range(n)) + ''.join(f'<joint name=\"j{{i}}\" type=\"fixed\"><parent link=\"l{{i}}\"/><child link=\"l{{i + 1}}\"/></joint>' for i in range(n - 1)) + '</robot>'; m = mj.MjModel.from_xml_string(t); mj.mj_step(m, mj.MjData(m))"
        yield f"n = {n}; t = '<robot name=\"r\">' + ''.join(f'<link name=\"l{{i}}\"/>' for i in reversed(range(n))) + ''.join(f'<joint name=\"j{{i}}\" type=\"revolute\"><parent link=\"l0\"/><child link=\"l{{i}}\"/></joint>' for i in range(1, n)) + '</robot>'; m = mj.MjModel.from_xml_string(t); mj.mj_step(m, mj.MjData(m))"
    for inside in ('<mujoco><compiler meshdir="/"/><option timestep="nan"/></mujoco>', '<mujoco><include file="a"/></mujoco>', '<link name="a"><visual><geometry><mesh filename="package://x/y.stl" scale="nan nan nan"/></geometry></visual></link>', '<link name="a"><collision><geometry><mesh filename="/dev/zero.stl"/></geometry></collision></link>',
                   '<link name="a"><collision><geometry><cylinder radius="-1" length="nan"/></geometry></collision></link>', '<link name="a"><collision><geometry><box size="1"/></geometry></collision></link>', '<material name="m"/>' * 10000, '<link/>', '<joint/>', '<link name="a"/><link name="a"/>', '<link name=""/>', '<transmission><joint/></transmission>'):
        yield load.format(robot.format(inside))


DELAYED = "m, d = world('<mujoco><worldbody><body><joint name=\"j\"/><geom size=\".1\"/></body></worldbody><actuator><position joint=\"j\" kp=\"1\" delay=\".01\" nsample=\"5\" interp=\"linear\"/></actuator><sensor><jointpos joint=\"j\" delay=\".02\" nsample=\"4\" interp=\"cubic\"/><jointvel joint=\"j\" interval=\".01\" nsample=\"3\"/></sensor></mujoco>'); "


def histories():
    """Delays: times that go back, stop or are no numbers; buffers and their addresses overwritten."""
    for x in FLOATS + ["-1e9", "1e9"]:
        yield DELAYED + f"d.time = {x}; mj.mj_step(m, d, 5)"
        yield DELAYED + f"mj.mj_step(m, d, 5); d.time = {x}; mj.mj_step(m, d, 5); d.time = 0; mj.mj_step(m, d, 5)"
        yield DELAYED + f"d.history[:] = {x}; mj.mj_step(m, d, 5)"
        yield DELAYED + f"d.history[::2] = {x}; mj.mj_step(m, d, 5); mj.mj_resetData(m, d); mj.mj_step(m, d)"
        yield DELAYED + f"m.opt.timestep = {x}; mj.mj_step(m, d, 5)"
        for name in ("actuator_delay", "sensor_delay", "sensor_interval"):
            yield DELAYED + f"m.{name}[:] = {x}; mj.mj_step(m, d, 5); mj.mj_resetData(m, d); mj.mj_step(m, d, 5)"
        for n in ("0", "1", "-1", "99"):
            yield DELAYED + f"mj.mj_readCtrl(m, d, 0, {x}, {n}); mj.mj_readSensor(m, d, 0, {x}, {n}) if True else 0; mj.mj_step(m, d, 3)"
        yield DELAYED + f"mj.mj_initCtrlHistory(m, d, 0, np.full(5, {x}), np.full(5, {x})); mj.mj_step(m, d, 9)"
        yield DELAYED + f"mj.mj_initSensorHistory(m, d, 0, np.full(4, {x}), np.full(4, {x}), {x}); mj.mj_step(m, d, 9)"
    for n in ("-1", "0", "1", "99", "10**6", "2**31-1", "-2**31"):
        for name in ("actuator_history", "actuator_historyadr", "sensor_history", "sensor_historyadr", "sensor_dim", "sensor_adr"):
            yield DELAYED + f"m.{name}[:] = {n}; mj.mj_step(m, d, 5); mj.mj_readCtrl(m, d, 0, 0.0, 1) # OVERWRITES"
            yield DELAYED + f"m.{name}[:] = {n}; mj.mj_resetData(m, d); mj.mj_initCtrlHistory(m, d, 0, None, np.zeros(5)) # OVERWRITES"
        for size in (0, 1, 4, 6, 1000):
            yield DELAYED + f"mj.mj_initCtrlHistory(m, d, {n}, np.zeros({size}), np.zeros({size}))"
            yield DELAYED + f"mj.mj_initSensorHistory(m, d, {n}, np.zeros({size}), np.zeros({size}), 0.0)"


def loops():
    """Specifications edited, attached and compiled over and over."""
    begin = "s = mj.MjSpec.from_string(PLAIN)\n"
    for code in ("for i in range(60):\n  f = s.worldbody.add_frame(); b = f.attach_body(s.body('a'), f'x{i}', ''); s.delete(b)\ns.compile()", "m = s.compile(); d = mj.MjData(m)\nfor i in range(30):\n  s.worldbody.add_body(name=f'b{i}').add_geom(size=[.1, 0, 0]); m, d = s.recompile(m, d); mj.mj_step(m, d)",
                 "m = s.compile(); d = mj.MjData(m)\nfor i in range(30):\n  b = s.worldbody.add_body(name='q'); b.add_freejoint(); b.add_geom(size=[.1, 0, 0]); m, d = s.recompile(m, d); mj.mj_step(m, d); s.delete(b); m, d = s.recompile(m, d); mj.mj_step(m, d)",
                 "for i in range(7):\n  t = s.copy(); s.attach(t, prefix=f'p{i}_', frame=s.worldbody.add_frame())\nm = s.compile(); mj.mj_step(m, mj.MjData(m))", "for i in range(14):\n  t = s.copy(); s.attach(t, prefix=f'p{i}_', frame=s.worldbody.add_frame())\nm = s.compile()", "for i in range(40):\n  t = mj.MjSpec.from_string(s.to_xml()); t.attach(s, prefix='x', frame=t.worldbody.add_frame()) if i < 3 else None; s = t\ns.compile()",
                 "while s.bodies[1:]: s.delete(s.bodies[1])\ns.compile()", "while s.geoms: s.delete(s.geoms[0])\ns.compile()", "for x in list(s.sites) + list(s.joints) + list(s.sensors) + list(s.actuators) + list(s.tendons):\n  s.delete(x); sneak(s.compile)", "for x in s.bodies[1:]:\n  s.delete(x); sneak(lambda: x.add_geom()); sneak(s.compile)",
                 "c = [s.copy() for _ in range(200)]; [x.compile() for x in c]", "x = s\nfor i in range(300): x = x.copy()\nx.compile()", "b = s.worldbody\nfor i in range(3000): b = b.add_body()\ns.compile()", "b = s.worldbody\nfor i in range(3000): b = b.add_frame()\ns.compile()", "d = s.default\nfor i in range(3000): d = s.add_default(f'c{i}', d)\ns.compile()",
                 "t = mj.MjSpec(); [t.attach(s, prefix=f'{i}', frame=t.worldbody.add_frame()) for i in range(50)]; t.compile()", "t = mj.MjSpec(); t.attach(s, frame=t.worldbody.add_frame()); t.attach(s, frame=t.worldbody.add_frame()); t.compile()", "t = mj.MjSpec(); f = t.worldbody.add_frame(); t.attach(s, prefix='a', frame=f); t.delete(f); t.compile(); s.compile()",
                 "t = mj.MjSpec(); t.attach(s, prefix='a', frame=t.worldbody.add_frame()); s.delete(s.body('a')); t.compile(); s.compile()", "import gc; t = mj.MjSpec(); t.attach(s, prefix='a', frame=t.worldbody.add_frame()); b = s.body('a'); del s; gc.collect(); b.name; t.compile()", "import pickle; pickle.loads(pickle.dumps(s)).compile()", "import pickle; pickle.loads(pickle.dumps(s.body('a'))).name",
                 "t = [threading.Thread(target=lambda: [sneak(lambda: s.attach(s.copy(), prefix=f'{i}', frame=s.worldbody.add_frame())) for i in range(5)]) for _ in range(3)]; [x.start() for x in t]; [sneak(s.compile) for _ in range(5)]; [x.join() for x in t]"):
        yield begin + code


def arguments():
    """Functions of scenes and numbers with arrays of the wrong size or kind."""
    begin = "m, d, scn, cam, opt, pert, con = drawn(); g = scn.geoms[0]; fig = mj.MjvFigure(); "
    arrays = ("None", "np.zeros(0)", "np.zeros(2)", "np.zeros(1000)", "np.zeros((3, 3))", "np.zeros(3, np.float32)", "np.zeros(3, int)", "np.full(3, nan)", "np.full(3, inf)", "'abc'", "[1, 2]", "np.zeros(9)[::3]", "np.zeros(3)[::-1]", "np.ma.zeros(3)", "np.zeros(3, complex)", "np.zeros(3, object)")
    for a in arrays:
        for code in ("mj.mjv_initGeom(g, 2, {0}, {0}, np.zeros(9), np.zeros(4, np.float32))", "mj.mjv_initGeom(g, 2, np.ones(3), np.zeros(3), {0}, {0})", "mj.mjv_connector(g, 4, .1, {0}, {0})", "mj.mjv_room2model({0}, np.zeros(4), np.zeros(3), np.zeros(4), scn)", "mj.mjv_model2room({0}, {0}, {0}, {0}, scn)", "mj.mjv_alignToCamera({0}, {0}, {0})",
                     "mj.mjv_cameraInModel({0}, {0}, {0}, scn)", "mj.mjv_select(m, d, opt, 1.0, .5, .5, scn, {0}, {0}, {0}, {0})", "mj.mjv_moveModel(m, 1, .1, .1, {0}, scn)", "mj.mju_rotVecQuat({0}, {0}, {0})", "mj.mju_mulMatVec({0}, {0}, {0})", "mj.mju_mat2Quat({0}, {0})", "mj.mju_negQuat({0}, {0})",
                     "mj.mj_ray(m, d, {0}, {0}, None, 1, -1, np.zeros(1, np.int32))", "mj.mj_multiRay(m, d, {0}, {0}, None, 1, -1, np.zeros(1, np.int32), {0}, None, 1, 1.0)", "mj.mj_applyFT(m, d, {0}, {0}, {0}, 1, {0})", "mj.mj_mulM(m, d, {0}, {0})", "mj.mj_solveM(m, d, {0}, {0})", "mj.mj_jac(m, d, {0}, {0}, {0}, 1)", "mj.mj_integratePos(m, {0}, {0}, .1)",
                     "mj.mj_differentiatePos(m, {0}, .1, {0}, {0})", "mj.mj_setState(m, d, {0}, 2)", "mj.mj_getState(m, d, {0}, 2)", "mj.mj_mulJacVec(m, d, {0}, {0})", "mj.mj_mulJacTVec(m, d, {0}, {0})", "mj.mj_constraintUpdate(m, d, {0}, {0}, 1)", "mj.mj_addM(m, d, {0}, {0}, {0}, {0})", "mj.mj_local2Global(d, {0}, {0}, {0}, {0}, 1, 0)",
                     "mj.mjd_transitionFD(m, d, 1e-6, 1, {0}, {0}, {0}, {0})", "mj.mjd_inverseFD(m, d, 1e-6, 1, {0}, {0}, {0}, {0}, {0}, {0}, {0})", "mj.mju_boxQP({0}, {0}, {0}, {0}, {0}, {0})", "mj.mju_cholFactor({0}, 1.0)", "mj.mju_eig3({0}, {0}, {0}, {0})", "mj.mj_geomDistance(m, d, 0, 1, 1.0, {0})", "mj.mj_contactForce(m, d, 0, {0})"):
            yield begin + code.format(a)
    for n in INTEGERS:
        for code in ("mj.mjv_initGeom(g, {0}, np.ones(3), np.zeros(3), np.zeros(9), np.zeros(4, np.float32)); draw(scn, con)", "mj.mjv_connector(g, {0}, .1, np.zeros(3), np.ones(3)); draw(scn, con)", "mj.mjv_moveCamera(m, {0}, .1, .1, scn, cam)", "mj.mjv_movePerturb(m, d, {0}, .1, .1, scn, pert)", "fig.linepnt[:] = np.clip(0 if {0} is None else {0}, -2**31, 2**31 - 1); mj.mjr_figure(RECT, fig, con)",
                     "fig.gridsize[:] = {0}; mj.mjr_figure(RECT, fig, con)", "fig.barpnt = 3; fig.linedata[:] = {0}; mj.mjr_figure(RECT, fig, con)", "pert.select = {0}; pert.active = 3; mj.mjv_applyPerturbForce(m, d, pert); mj.mjv_initPerturb(m, d, scn, pert); mj.mjv_applyPerturbPose(m, d, pert, 1)", "pert.flexselect = {0}; pert.skinselect = {0}; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn)",
                     "mj.MjvScene(m, {0} if {0} is None or {0} < 10**7 else 5)", "cam.fixedcamid = {0}; cam.type = 2; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn)", "cam.trackbodyid = {0}; cam.type = 1; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn)", "opt.frame = {0}; opt.label = {0}; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn); draw(scn, con)"):
            yield begin + code.format(n)


def fields():
    """Height fields and textures: many cells under one geom, data that are no numbers, sizes overwritten."""
    text = '<mujoco><asset><hfield name="h" nrow="{0}" ncol="{0}" size="1 1 .2 .1"/><mesh name="s" builtin="sphere" params="3"/></asset><worldbody><geom type="hfield" hfield="h"/>{1}</worldbody></mujoco>'
    body = '<body pos="0 0 .1"><freejoint/><geom type="{}" size="{}" {}/></body>'
    for n in (3, 300, 3000):
        for kind, size in (("sphere", "5"), ("box", "2 2 .1"), ("capsule", ".1 3"), ("cylinder", "1 .1"), ("ellipsoid", "2 2 .1")):
            for margin in ("", 'margin="1e9"', 'margin="nan"'):
                yield f"m = mj.MjModel.from_xml_string({text.format(n, body.format(kind, size, margin))!r}); m.hfield_data[:] = np.random.default_rng(1).random(m.nhfielddata); d = mj.MjData(m); mj.mj_step(m, d, 3)"
    ball = '<body pos="0 0 .3"><freejoint/><geom type="mesh" mesh="s"/></body>'
    small = f"m = mj.MjModel.from_xml_string({text.format(30, body.format('box', '.5 .5 .1', '') + ball)!r}); d = mj.MjData(m); "
    for x in FLOATS:
        yield small + f"m.hfield_data[:] = {x}; mj.mj_step(m, d, 3)"
        yield small + f"m.hfield_data[::3] = {x}; mj.mj_step(m, d, 3); mj.mj_ray(m, d, np.array([0, 0, 1.]), np.array([.1, 0, -1]), None, 1, -1, np.zeros(1, np.int32))"
        for k in range(4):
            yield small + f"m.hfield_size[:, {k}] = {x}; mj.mj_step(m, d, 3); mj.mj_rayHfield(m, d, 0, np.array([0, 0, 1.]), np.array([.1, 0, -1]), None)"
    for name in ("hfield_nrow", "hfield_ncol", "hfield_adr", "geom_dataid", "mesh_vertnum", "mesh_graphadr", "mesh_polynum", "mesh_polyadr", "mesh_bvhadr", "mesh_graph", "mesh_polymapadr", "mesh_polymapnum", "mesh_polyvertnum"):
        for n in ("-1", "0", "1", "2", "99", "10**6", "2**31-1"):
            yield small + f"m.{name}[:] = {n}; mj.mj_step(m, d, 3) # OVERWRITES"


CLASSES = {f.__name__: f for f in (threads, exports, archives, robots, histories, loops, arguments, fields)}
