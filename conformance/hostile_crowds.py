"""Cases of `hostile_calls.py` where things crowd: thousands of elements that name each other, triangles and vertices that meet in
one place, rows that couple everything, derivatives of large models, views and callbacks of what is being replaced."""

from hostile_totals import many, scene

USED = "\nfor use in (lambda: s.to_xml(), lambda: s.copy(), lambda: s.compile()): sneak(use)"


def names():
    """Thousands of elements, each of which names another: copies, attachments, classes, links, in text and through editing."""
    for n in (2000, 20000):
        for element in ("<replicate count='1'><geom name='g{i}_' size='.1'/></replicate>", "<replicate count='2'><body name='b{i}_'><geom size='.1' contype='0' conaffinity='0'/></body></replicate>", "<frame name='f{i}'><geom size='.1' contype='0' conaffinity='0'/></frame>",
                        "<attach model='c' body='b' prefix='p{i}_'/>", "<attach model='c' prefix='p{i}_'/>", "<replicate count='1'><attach model='c' body='b' prefix='p{i}_'/></replicate>", "<body childclass='k{i}'/>", "<frame childclass='k{i}'><site name='x{i}'/></frame>"):
            yield scene(many(n, element), "'<model name=\"c\" file=\"c.xml\"/>'", before="'<default>' + " + many(n, "<default class='k{i}'/>") + " + '</default>'" if "k{i}" in element else "",
                        files="{'c.xml': b'<mujoco><worldbody><body name=\"b\"><joint name=\"j\"/><geom size=\".1\" contype=\"0\" conaffinity=\"0\"/></body></worldbody><actuator><motor joint=\"j\"/></actuator><keyframe><key name=\"k\" qpos=\"1\"/></keyframe></mujoco>'}")
        for links in ("'<joint name=\"j%d\" type=\"revolute\"><parent link=\"l0\"/><child link=\"l%d\"/><axis xyz=\"0 0 1\"/></joint>' % (i, i)", "'<joint name=\"j%d\" type=\"fixed\"><parent link=\"l%d\"/><child link=\"l%d\"/></joint>' % (i, i - 1, i)", "''"):
            inertia = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"
            yield f"t = '<robot name=\"r\">' + ''.join('<link name=\"l%d\">{inertia}<visual><geometry><sphere radius=\"1\"/></geometry><material name=\"m%d\"><color rgba=\"1 1 1 1\"/></material></visual></link>' % (i, i) for i in range({n})) + ''.join({links} for i in range(1, {n})) + '</robot>'\ns = mj.MjSpec.from_string(t); m = s.compile(); mj.mj_step(m, mj.MjData(m))"
        edit = ("[s.worldbody.add_body(name=f'b{i}') for i in range(N)]", "[s.worldbody.add_geom(name=f'g{i}', size=[.1, 0, 0], contype=0, conaffinity=0) for i in range(N)]", "[s.add_default(f'k{i}', s.default) for i in range(N)]", "[s.add_actuator(name=f'a{i}', target='h', trntype=mj.mjtTrn.mjTRN_JOINT, inheritrange=1, gainprm=[1] * 10, biasprm=[0, -1] + [0] * 8) for i in range(N)]",
                "[s.worldbody.add_frame(name=f'f{i}') for i in range(N)]", "[s.add_key(name=f'k{i}') for i in range(N)]", "[s.add_text(name=f't{i}', data='x') for i in range(N)]", "[s.add_exclude(bodyname1='a', bodyname2='b', name=f'e{i}') for i in range(N)]", "[s.add_material(name=f'm{i}') for i in range(N)]", "[s.add_tendon(name=f't{i}').wrap_site('s') for i in range(N)]")
        for code in edit:
            yield f"s = mj.MjSpec.from_string(PLAIN); N = {n}\n{code}{USED}\nlast[0] = 'ok'"
    for n in (300, 3000):
        for code in ("[s.delete(x) for x in list(s.geoms)]", "[s.delete(x) for x in list(s.bodies)[1:]]", "[s.attach(mj.MjSpec.from_string(PLAIN), prefix=f'q{i}', frame=s.worldbody.add_frame()) for i in range(20)]", "[setattr(x, 'name', f'n{i}') for i, x in enumerate(s.bodies)]", "[s.body(f'b{i}') for i in range(N)]"):
            yield f"s = mj.MjSpec(); N = {n}; [s.worldbody.add_body(name=f'b{{i}}').add_geom(name=f'g{{i}}', size=[.1, 0, 0], contype=0, conaffinity=0) for i in range(N)]\nend = time.process_time() + 5\nsneak(lambda: {code}){USED}\nlast[0] = 'ok'"


SOUP = """
def soup(n, spread=0.0):
    z = np.arange(n) * spread
    return b''.join(b'v -1 -1 %f\\nv 1 -1 %f\\nv 0 1 %f\\nf %d %d %d\\n' % (x, x, x, 3 * i + 1, 3 * i + 2, 3 * i + 3) for i, x in enumerate(z))
def ring(n, apex=1.0):
    a = np.arange(n) * (2 * np.pi / n)
    return b'v 0 0 %f\\nv 0 0 -.01\\n' % apex + b''.join(b'v %.9f %.9f 0\\n' % p for p in zip(np.cos(a), np.sin(a))) + b''.join(b'f 1 %d %d\\nf 2 %d %d\\n' % (3 + i, 3 + (i + 1) % n, 3 + (i + 1) % n, 3 + i) for i in range(n))
"""


def crowded():
    """Triangles that all lie in one place, hulls with a vertex that is next to all others, seen by rays and touched by many."""
    for n in (3000, 60000):
        for spread in ("0", "1e-6"):
            for sensor in ("<rangefinder site='s'/>", "<rangefinder camera='c'/>", "<rangefinder camera='o'/>"):
                for count in (1, 300):
                    yield SOUP + scene("'<geom type=\"mesh\" mesh=\"m\" contype=\"0\" conaffinity=\"0\"/><site name=\"s\" pos=\"0 0 -1\"/><camera name=\"c\" pos=\"0 0 2\" fovy=\"5\" resolution=\"200 200\"/><camera name=\"o\" pos=\"0 0 2\" projection=\"orthographic\" fovy=\".1\" resolution=\"200 200\"/>'",
                                       "'<mesh name=\"m\" file=\"m.obj\" inertia=\"shell\"/>'", f"'<sensor>' + {sensor!r} * {count} + '</sensor>'", files=f"{{'m.obj': soup({n}, {spread})}}")
            for call in ("mj.mj_multiRay(m, d, np.array([0, 0, 2.]), np.tile([0, 0, -1.], R), None, 1, -1, np.zeros(R, np.int32), np.zeros(R), None, R, 1e9)", "[mj.mj_ray(m, d, np.array([0, 0, 2.]), np.array([0, 0, -1.]), None, 1, -1, np.zeros(1, np.int32)) for _ in range(100)]", "(lambda r: (r.update_scene(d), r.render()))(mj.Renderer(m, 100, 100))",
                         "mj.mjv_select(m, d, mj.MjvOption(), 1., .5, .5, mj.MjvScene(m, 100), np.zeros(3), np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32))", "mj.batch.Batch(m, 3).ray(np.zeros((1000, 3)) + [0, 0, 2], np.zeros((1000, 3)) - [0, 0, 1])"):
                yield SOUP + scene("'<geom type=\"mesh\" mesh=\"m\"/>'", "'<mesh name=\"m\" file=\"m.obj\" inertia=\"shell\"/>'", files=f"{{'m.obj': soup({n}, {spread})}}") + f"; R = 10**5\n{call}"
            yield SOUP + scene("'<geom type=\"sdf\" mesh=\"m\"/><body><freejoint/><geom size=\".1\"/></body>'", "'<mesh name=\"m\" file=\"m.obj\" inertia=\"shell\"/>'", files=f"{{'m.obj': soup({n}, {spread})}}")
            yield SOUP + scene("'<flexcomp name=\"f\" type=\"mesh\" file=\"m.obj\" dim=\"2\" radius=\".01\"><contact selfcollide=\"bvh\"/></flexcomp>'", files=f"{{'m.obj': soup({n} // 20, {spread})}}")
        for apex in ("1", "1e-3", "1e3"):
            for bodies in (2, 40, 300):
                for option in ("", "<flag nativeccd='disable'/>", "<flag multiccd='enable'/>"):
                    yield SOUP + scene("'<geom type=\"plane\" size=\"9 9 1\"/>' + " + many(bodies, "<body pos='0 0 .{i}'><freejoint/><geom type='mesh' mesh='m'/></body>"), "'<mesh name=\"m\" file=\"m.obj\" inertia=\"convex\"/>'", option=f"<option>{option}</option>", files=f"{{'m.obj': ring({n}, {apex})}}")
    for n in (20, 200):
        yield SOUP + scene(many(n, "<geom type='plane' size='9 9 1' euler='{i} 0 0'/>") + " + " + many(n, "<body><freejoint/><geom type='mesh' mesh='m'/></body>"), "'<mesh name=\"m\" file=\"m.obj\" inertia=\"convex\"/>'", files="{'m.obj': ring(20000)}")


def coupled():
    """Rows that couple all degrees of freedom, and derivatives of large models."""
    for n in (1000, 8000, 30000):
        joints = many(n, "<body pos='{i} 0 0'><joint name='j{i}' axis='0 1 0'/><geom size='.1' contype='0' conaffinity='0'/></body>")
        tendon = lambda settings, inner="": f"'<tendon><fixed name=\"t\" {settings}>' + " + many(n, "<joint joint='j{i}' coef='1'/>") + f" + '</fixed></tendon>{inner}'"
        for settings, inner in (('limited=\"true\" range=\"1 2\"', ""), ('frictionloss=\"1\"', ""), ("", "<equality><tendon tendon1=\"t\"/></equality>"), ('armature=\"1\"', ""), ('damping=\"1\" stiffness=\"1\"', ""), ("", "<actuator><general tendon=\"t\"/></actuator>")):
            for option in ("", "<option solver='PGS'/>", "<option solver='CG'/>", "<option jacobian='dense'/>", "<option integrator='implicit'/>", "<option cone='elliptic' noslip_iterations='3'/>"):
                yield scene(joints, after=tendon(settings, inner), option=option)
        yield scene(joints, after="'<equality>' + " + many(n, "<joint joint1='j{i}' joint2='j0'/>") + " + '</equality>'")
    models = {"chain": "'<body pos=\".1 0 0\"><joint axis=\"0 1 0\"/><geom size=\".05\" contype=\"0\" conaffinity=\"0\"/>' * N + '</body>' * N", "balls": "'<body><freejoint/><geom size=\".05\"/></body>' * N",
              "cloth": "'<flexcomp name=\"f\" type=\"grid\" count=\"%d %d 1\" spacing=\".1 .1 .1\" dim=\"2\" radius=\".01\"><edge equality=\"true\"/></flexcomp>' % (N // 20, 20)", "slow": "'<body><freejoint/><geom type=\"box\" size=\"1 1 1\"/></body>' * (N // 10)"}
    for kind, text in models.items():
        for n in (100, 400):
            option = "<option solver='PGS' iterations='2000' tolerance='0'/>" if kind == "slow" else ""
            begin = f"N = {n}\nm = mj.MjModel.from_xml_string(\"<mujoco>{option}<worldbody>\" + {text} + \"</worldbody></mujoco>\"); d = mj.MjData(m)\nx = 2 * m.nv + m.na\n"
            for call in ("mj.mjd_transitionFD(m, d, 1e-6, 1, np.zeros((x, x)), None, None, None)", "mj.mjd_transitionFD(m, d, nan, 0, np.zeros((x, x)), None, None, None)", "mj.mjd_inverseFD(m, d, 1e-6, 1, np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv)), None, None, None, None)",
                         "mj.mj_fullM(m, np.zeros((m.nv, m.nv)), d.qM)", "[mj.mj_jacSubtreeCom(m, d, np.zeros((3, m.nv)), b) for b in range(m.nbody)]", "mj.mj_setConst(m, d)", "mj.batch.Batch(m, 3).step(nstep=2)", "mj.rollout.rollout(m, d, np.zeros((5, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))), nstep=2)", "mj.Lean(m).step(d, 2)"):
                yield begin + call


def replaced():
    """Views, elements and callbacks of what is being replaced, freed or compiled anew at that moment."""
    begin = "import gc, weakref\nglobal m, d, s, r, keep\nkeep = []; s = mj.MjSpec.from_string(RICH); m = s.compile(); d = mj.MjData(m); mj.mj_step(m, d); r = mj.Renderer(m, 32, 32)\n"
    grips = ("d.efc_J", "d.contact", "d.contact.dist", "d.contact[0]", "d.contact.frame[:1]", "d.qpos", "d.body('a')", "d.body('a').xpos", "m.geom('ga') if False else m.geom(0)", "m.geom(0).size", "m.opt", "m.opt.gravity", "m.vis.map", "m.stat", "d.solver", "d.warning", "d.timer", "m.names", "s.body('a')", "s.body('a').pos", "s.geoms", "iter(s.geoms)", "s.option.gravity", "r.scene", "r.scene.geoms",
             "r.scene.geoms[0]", "r.scene.camera[0].pos", "r.scene.lights[0]", "m.bind(s.body('a'))", "d.bind(s.body('a')).xpos", "d.userdata", "d.sensordata", "m.tex_data", "m.key_qpos", "d.history", "d.efc_AR", "d.efc_force", "d.island_nv if hasattr(d, 'island_nv') else d.dof_island", "memoryview(d.qpos)", "np.asarray(d.qpos).T", "d.qpos.base", "d.qpos.__array_interface__", "np.lib.stride_tricks.as_strided(d.qpos, (3,), (8,))")
    acts = ("m, d = s.recompile(m, d)", "s.recompile(m, d)", "del d; gc.collect()", "del m, d, s, r; gc.collect(); m = d = s = r = None", "d.__init__(m)", "m.__init__() if hasattr(m, '__init__') else None", "d.__setstate__(d.__getstate__()) if hasattr(d, '__setstate__') else None", "mj.mj_resetData(m, d)", "mj.mj_copyData(d, m, mj.MjData(m))", "mj.mj_copyModel(m, copy.copy(m)) if hasattr(mj, 'mj_copyModel') else None",
            "s.delete(s.body('a'))", "r.close()", "[mj.mj_step(m, d) for _ in range(30)]", "m.opt.disableflags = 1; mj.mj_step(m, d)", "mj.mj_deleteModel(m) if hasattr(mj, 'mj_deleteModel') else None", "threading.Thread(target=lambda: mj.mj_step(m, d, 300)).start()", "os.fork() or os._exit(0)", "import importlib; importlib.reload(mj)", "sys.setswitchinterval(1e-6)", "gc.freeze(); gc.collect()")
    read = "\ndef touch(v, depth=0):\n  sneak(lambda: repr(v)); sneak(lambda: np.array(v)); sneak(lambda: len(v)); sneak(lambda: list(v)[:3]); sneak(lambda: v.sum()); sneak(lambda: v.__setitem__(0, 1)); sneak(lambda: v.fill(0))\n  for a in dir(v)[:200]:\n    if a[0] != '_' and a not in ('tofile', 'dump'): sneak(lambda: getattr(v, a))\ntouch(v); sneak(lambda: mj.mj_step(m, d)); touch(v); del v; gc.collect(); last[0] = 'ok'"
    for i, grip in enumerate(grips):
        for j, act in enumerate(acts):
            if (i + j) % 3 == 0 or j < 4:
                yield begin + f"v = {grip}\ntry:\n  {act}\nexcept Exception as error: note(error)" + read


CLASSES = {f.__name__: f for f in (names, crowded, coupled, replaced)}
