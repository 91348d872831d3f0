"""Cases of `hostile_calls.py` for what is read and edited: texts, specifications, compiled files and assets."""

INTEGERS = ["-1", "0", "2**31-1", "-2**31", "2**31", "10**9", "10**18", "-10**18", "2**70"]
SIZES = ["-1", "0", "1", "100000", "10**9", "2**31-1", "2**40", "2**62", "-2**31"]
FLOATS = ["nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "0.0", "-1.0", "1e16"]


def texts():
    """Model text that asks for much, or for nonsense."""
    body = '<mujoco>{}<worldbody>{}</worldbody>{}</mujoco>'
    def text(option="", inside="", after=""):
        return "m = mj.MjModel.from_xml_string(" + repr(body.format(option, inside, after)) + "); d = mj.MjData(m); [mj.mj_step(m, d) for _ in range(3)]"
    boxes = "".join(f'<body pos="{i * .3} 0 1"><freejoint/><geom size=".1" margin="M"/></body>' for i in range(60))
    for x in ("nan", "inf", "-inf", "1e308", "2e9", "1e20", "-1", "1e-320"):
        for name in ("margin", "gap", "size", "density", "mass", "friction", "solref", "solimp", "pos", "quat", "solmix", "priority", "condim"):
            yield text(inside=f'<geom type="plane" size="1 1 1" margin=".1"/><body><freejoint/><geom type="box" size=".1 .1 .1" {name}="{x}"/></body>'.replace('size=".1 .1 .1" size', "size"))
        yield text(inside=boxes.replace("M", x))
        for name in ("timestep", "impratio", "tolerance", "iterations", "noslip_iterations", "ccd_iterations", "sdf_iterations", "sdf_initpoints", "ls_iterations", "viscosity", "density"):
            yield text(option=f'<option {name}="{x}"/>', inside='<geom type="plane" size="1 1 1"/><body pos="0 0 .05"><freejoint/><geom size=".1"/></body>')
        for name in ("range", "stiffness", "damping", "armature", "frictionloss", "ref", "springref", "axis", "pos", "springdamper", "margin"):
            yield text(inside=f'<body><joint name="j" {name}="{x}"/><geom size=".1"/></body>')
        for name in ("nrow", "ncol", "size"):
            yield text(option=f'<asset><hfield name="h" {name}="{x}" ' + " ".join(f'{k}="{v}"' for k, v in (("nrow", 3), ("ncol", 3), ("size", "1 1 1 1")) if k != name) + '/></asset>', inside='<geom type="hfield" hfield="h"/><body pos="0 0 1"><freejoint/><geom size=".1"/></body>')
        for name in ("width", "height", "mark", "random", "gridsize", "nchannel"):
            yield text(option=f'<asset><texture type="2d" builtin="checker" {name}="{x}" ' + " ".join(f'{k}="{v}"' for k, v in (("width", 10), ("height", 10)) if k != name) + '/></asset>')
        for name in ("range", "forcerange", "lengthrange", "timeconst", "force", "scale", "lmin", "vmax", "fpmax", "gear", "ctrlrange"):
            yield text(inside='<body><joint name="j" range="-1 1" limited="true"/><geom size=".1"/></body>', after=f'<actuator><muscle joint="j" {name}="{x}"/></actuator>')
        for name in ("delay", "nsample", "interp", "actdim", "actearly", "group"):
            yield text(inside='<body><joint name="j"/><geom size=".1"/></body>', after=f'<actuator><general joint="j" {name}="{x}" ' + ('' if name == "nsample" else 'nsample="3" ') + '/></actuator>')
        for name in ("count", "offset", "euler"):
            yield text(inside=f'<replicate {name}="{x}"' + ('' if name == "count" else ' count="3"') + '><geom size=".1"/></replicate>')
        for name in ("count", "spacing", "radius", "mass", "dim", "young", "rigid"):
            extra = " ".join(f'{k}="{v}"' for k, v in (("count", "3 3 3"), ("spacing", ".1 .1 .1"), ("radius", ".01"), ("dim", "3")) if k != name)
            value = f"{x} {x} {x}" if name in ("count", "spacing") else x
            inner = f'<elasticity young="{x}"/>' if name == "young" else ''
            attribute = "" if name == "young" else f'{name}="{value}"'
            yield text(inside=f'<flexcomp name="f" type="grid" {extra} {attribute}>{inner}</flexcomp>')
        yield text(option=f'<size nkey="{x}"/>', inside='<body><joint/><geom size=".1"/></body>')
        yield text(option=f'<size nuserdata="{x}"/>')
        yield text(option=f'<size memory="{x}"/>')
        yield text(option=f'<size nuser_body="{x}" nuser_geom="{x}"/>', inside='<body><joint/><geom size=".1"/></body>')
        yield text(option=f'<statistic extent="{x}" meansize="{x}" meaninertia="{x}"/>', inside='<body><joint/><geom size=".1"/></body>')
        yield text(inside='<body><joint name="j"/><geom size=".1"/><site name="s"/></body>', after=f'<sensor><user dim="{x}"/><rangefinder site="s" cutoff="{x}"/><jointpos joint="j" noise="{x}" cutoff="{x}"/></sensor>')
        yield text(inside=f'<camera name="c" resolution="{x} {x}"/><body><joint/><geom size=".1"/></body>', after='<sensor><rangefinder camera="c"/></sensor>')
        yield text(option=f'<custom><numeric name="n" size="{x}" data="1"/></custom>')
        yield text(inside=f'<body><freejoint/><geom size=".1"/><body pos="{x} 0 0"><joint/><geom size=".1" pos="{x} {x} {x}"/></body></body>')
        yield text(inside='<body name="a"><freejoint/><geom size=".1"/></body><body name="b" pos="0 0 1"><freejoint/><geom size=".1"/></body>', after=f'<equality><weld body1="a" body2="b" solref="{x} {x}" relpose="{x} 0 0 1 0 0 0" torquescale="{x}"/><connect body1="a" body2="b" anchor="{x} 0 0"/></equality>')
    for n in (50, 1500):
        for margin in ("0", "2e9"):
            for solver in ("Newton", "CG", "PGS"):
                for cone in ("pyramidal", "elliptic"):
                    spheres = "".join(f'<body pos="{i % 10 * .01} {i // 10 % 10 * .01} {i // 100 * .01}"><freejoint/><geom size="1" margin="{margin}" condim="6"/></body>' for i in range(n))
                    yield text(option=f'<option solver="{solver}" cone="{cone}"/>', inside=spheres)
    meshes = "".join(f'<body pos="0 0 {i * .01}"><freejoint/><geom type="mesh" mesh="m" margin="1e9"/></body>' for i in range(200))
    yield text(option='<asset><mesh name="m" builtin="sphere" params="3"/></asset>', inside=meshes)
    deep = "<body><joint/><geom size='.1'/>" * 400 + "</body>" * 400
    yield text(inside=deep)
    yield text(inside="<body>" * 20000 + "</body>" * 20000)
    yield text(inside="<frame>" * 20000 + "</frame>" * 20000)
    yield text(option="<default>" * 20000 + "</default>" * 20000)
    chain = "<body><joint/><geom size='.1' contype='0' conaffinity='0'/>" * 3000 + "</body>" * 3000
    yield text(option='<option jacobian="dense"/>', inside=chain)
    yield text(option='<option integrator="implicit"/>', inside=chain.replace("3000", "1000"))
    yield text(inside="".join('<body pos="0 0 1"><freejoint/><geom type="ellipsoid" size=".1 .2 .3"/></body>' for _ in range(300)))
    yield text(inside='<flexcomp name="f" type="grid" count="20 20 20" spacing=".01 .01 .01" dim="3" radius=".5"><contact selfcollide="narrow" internal="true"/></flexcomp>')
    yield text(inside='<flexcomp name="f" type="grid" count="60 60 1" spacing=".01 .01 .01" dim="2" radius=".5"><contact selfcollide="sap"/></flexcomp>')
    yield text(inside='<flexcomp name="f" type="grid" count="60 60 1" spacing=".01 .01 .01" dim="2" radius=".5"><contact selfcollide="bvh"/></flexcomp><geom type="box" size="9 9 9"/>')
    yield text(inside='<composite type="cable" count="100000 1 1" curve="s" size="1"><geom size=".01" type="capsule"/></composite>')
    for name in ("memory", "njmax", "nconmax", "nstack"):
        for x in ("-1", "0", "1e30", "1000000G", "99999999999999999999"):
            yield text(option=f'<size {name}="{x}"/>', inside='<geom type="plane" size="1 1 1"/><body pos="0 0 .05"><freejoint/><geom size=".1"/></body>')


def specs():
    """Specifications edited in ways that make no sense."""
    begin = "s = mj.MjSpec.from_string(PLAIN); "
    for code in ("b = s.body('a'); s.delete(b); b.add_geom(size=[1, 1, 1]); s.compile()", "b = s.body('a'); s.delete(b); b.name; b.geoms; b.pos; repr(b)",
                 "b = s.body('a'); s.delete(b); s.delete(b)", "g = s.geom('ga'); s.delete(g); g.size = [1, 1, 1]; s.compile()",
                 "s.delete(s.worldbody)", "s.delete(s.default)", "g = s.geom('ga'); s.delete(s.body('a')); g.size = [1, 1, 1]; g.parent; s.compile()",
                 "s.attach(s, prefix='x', frame=s.worldbody.add_frame()); s.compile()", "s.attach(s, frame=s.worldbody.add_frame()); s.compile()",
                 "f = s.body('a').add_frame(); f.attach_body(s.body('a'), 'x', 'y'); s.compile()", "f = s.worldbody.add_frame(); f.attach_body(s.worldbody, 'x', 'y'); s.compile()",
                 "f = s.body('a').add_frame(); [f.attach_body(s.body('a'), f'x{i}', 'y') for i in range(12)]; s.compile()",
                 "[s.worldbody.add_frame().attach_body(s.body('a'), f'x{i}', '') for i in range(300)]; s.compile()",
                 "t = s.copy(); t.attach(s, prefix='a', frame=t.worldbody.add_frame()); s.attach(t, prefix='b', frame=s.worldbody.add_frame()); s.compile()",
                 "[s.attach(s.copy(), prefix=f'p{i}', frame=s.worldbody.add_frame()) for i in range(30)]; s.compile()",
                 "d1 = s.add_default('x', s.default); d2 = s.add_default('y', d1); s.add_default('x', d2)", "d1 = s.add_default('x', s.default); s.delete(d1); s.body('a').add_geom(default=d1); s.compile()",
                 "t = mj.MjSpec(); s.body('a').add_geom(default=t.default); s.compile()", "t = mj.MjSpec(); t.delete(s.body('a'))", "t = mj.MjSpec(); b = t.worldbody.add_body(); s.body('a').frame = b",
                 "s.body('a').add_body(name='a'); s.compile()", "s.body('a').name = '\\0'; s.compile()", "s.body('a').name = 'x' * 10**7; s.compile().names", "s.worldbody.name = 'y'; s.compile()",
                 "m = s.compile(); d = mj.MjData(m); s.delete(s.body('a')); s.recompile(m, d); mj.mj_step(m, d)", "m = s.compile(); d = mj.MjData(m); s.worldbody.add_body().add_freejoint(); s.recompile(m, d)",
                 "m = s.compile(); m2, d2 = world(RICH); s.recompile(m, d2)", "m = s.compile(); m2, d2 = world(RICH); s.recompile(m2, d2); mj.mj_step(m2, d2)",
                 "s.worldbody.add_geom(type=99); s.compile()", "s.worldbody.add_geom(type=-1, size=[nan]*3); s.compile()", "s.worldbody.add_geom(size=[1]*100)", "s.worldbody.add_geom(hfieldname='x', type=1); s.compile()",
                 "s.worldbody.add_geom(type=7, meshname='none'); s.compile()", "s.add_mesh(name='x', uservert=[nan]*30, userface=[0, 1, 2]); s.worldbody.add_geom(type=7, meshname='x'); s.compile()",
                 "s.add_mesh(name='x', uservert=np.random.default_rng(0).normal(size=30), userface=[0, 1, 2**31-1]); s.worldbody.add_geom(type=7, meshname='x'); s.compile()",
                 "s.add_mesh(name='x', uservert=np.random.default_rng(0).normal(size=30), userface=[0, 1, -5]); s.worldbody.add_geom(type=7, meshname='x'); s.compile()",
                 "s.add_mesh(name='x', uservert=np.ones(31)); s.worldbody.add_geom(type=7, meshname='x'); s.compile()", "m = s.add_mesh(name='x'); m.make_sphere(subdivision=30); s.compile()",
                 "m = s.add_mesh(name='x'); m.make_supertorus(resolution=10**6, radius=.1, s=1, t=1); s.compile()", "m = s.add_mesh(name='x'); m.make_hemisphere(resolution=10**6); s.compile()",
                 "m = s.add_mesh(name='x'); m.make_cone(nedge=10**9, radius=1); s.compile()", "m = s.add_mesh(name='x'); m.make_wedge(resolution=[10**6, 10**6], fov=[1, 1], gamma=.5); s.compile()",
                 "m = s.add_mesh(name='x'); m.make_plate(resolution=[10**6, 10**6]); s.compile()", "m = s.add_mesh(name='x'); m.make_sphere(subdivision=-1); m.make_cone(nedge=-5, radius=nan); s.compile()",
                 "s.add_hfield(name='x', nrow=10**5, ncol=10**5, size=[1, 1, 1, 1]); s.compile()", "s.add_hfield(name='x', nrow=-1, ncol=3, size=[1, 1, 1, 1], userdata=[1]*3); s.compile()",
                 "s.add_texture(name='x', type=0, width=10**6, height=10**6, builtin=1); s.compile()", "s.add_texture(name='x', type=0, width=-1, height=10, nchannel=10**9, builtin=1); s.compile()",
                 "s.add_key(qpos=[1]*10**6); s.compile()", "s.nkey = 10**9; s.compile()", "s.nuserdata = 2**31-1; s.compile()", "s.memory = 2**62; m = s.compile(); mj.MjData(m)", "s.nuser_body = 10**9; s.compile()",
                 "s.worldbody.add_body(childclass='none'); s.compile()", "s.worldbody.add_camera(resolution=[10**9, 10**9]); s.compile()", "s.add_sensor(type=99); s.compile()", "s.add_sensor(type=0, objtype=99, objname='s'); s.compile()",
                 "s.add_sensor(type=mj.mjtSensor.mjSENS_USER, dim=10**9); s.compile()", "s.add_actuator(trntype=99, target='h'); s.compile()", "s.add_actuator(trntype=0, target='h', actdim=10**9, dyntype=6); mj.MjData(s.compile())",
                 "s.add_equality(type=99); s.compile()", "s.add_tendon(name='q').wrap_site('none'); s.compile()", "t = s.add_tendon(name='q'); [t.wrap_site('s') for _ in range(20000)]; m = s.compile(); mj.mj_step(m, mj.MjData(m))",
                 "t = s.add_tendon(name='q'); [t.wrap_pulley(1e-300) for _ in range(100)]; s.compile()", "s.add_flex(name='q'); s.compile()", "s.add_flex(name='q', dim=3, elem=[0, 1, 2, 9], vert=[0]*12, vertbody=['a']*4); s.compile()",
                 "s.add_flex(name='q', dim=2, elem=[0, 1, -2], vert=[0]*9, vertbody=['a']*3); s.compile()", "s.add_skin(name='q'); s.compile()", "s.add_numeric(name='n', size=10**9, data=[1]); s.compile()", "s.add_tuple(name='q', objtype=[99], objname=['a'], objprm=[1]); s.compile()",
                 "s.add_exclude(bodyname1='a', bodyname2='a'); s.compile()", "s.add_pair(geomname1='ga', geomname2='ga'); m = s.compile(); mj.mj_step(m, mj.MjData(m))", "s.add_plugin(name='x', plugin_name='y'); s.compile()",
                 "s.to_xml(); s.body('a').pos = [nan]*3; s.to_xml(); s.compile()", "s.modelname = '<&>' * 1000; t = mj.MjSpec.from_string(s.to_xml())", "s.assets = {'x.obj': b'v 0 0 0'}; s.add_mesh(name='q', file='x.obj'); s.compile()",
                 "s.assets = {'x.obj': None}; s.add_mesh(name='q', file='x.obj'); s.compile()", "s.assets = 5", "s.compiler.degree = 99; s.compile()", "s.option.timestep = nan; m = s.compile(); mj.mj_step(m, mj.MjData(m))", "s.stat.extent = -1; s.compile()",
                 "s.body('a').inertia = [nan]*3; s.body('a').mass = -1; s.body('a').explicitinertial = True; s.compile()", "s.body('a').fullinertia = [1, 1, 1, 9, 9, 9]; s.body('a').explicitinertial = True; s.body('a').mass = 1; s.compile()", "s.body('a').mocap = True; s.compile()",
                 "s.geom('ga').fluid_ellipsoid = 99; s.compile()", "s.joint('h').type = 99; s.compile()", "s.joint('h').axis = [0, 0, 0]; s.compile()", "s.body('a').to_frame(); s.compile()", "s.worldbody.to_frame()", "s.bodies[10**9]", "s.bodies[-10**9]",
                 "it = iter(s.geoms); s.delete(s.body('a')); list(it)", "x = s.geoms; s.delete(s.body('a')); [g.name for g in x]; s.compile()", "import threading; t = [threading.Thread(target=lambda: [s.compile() for _ in range(3)]) for _ in range(3)]; [x.start() for x in t]; [x.join() for x in t]",
                 "import threading; t = [threading.Thread(target=lambda: [s.worldbody.add_body() and s.compile() for _ in range(5)]) for _ in range(3)]; [x.start() for x in t]; [x.join() for x in t]",
                 "s.activate_plugin('none')", "s.find_default('none').geom", "s.body('none').name", "s.from_zip('none')", "s.to_zip('/nonexistent/x.zip')", "mj.MjSpec.from_file('/dev/zero')", "mj.MjSpec.from_file('/nonexistent')", "mj.MjSpec.from_string('')", "mj.MjSpec.from_string('<' * 10**6)", "mj.MjSpec.from_string('<mujoco>' * 10**5)", "mj.MjSpec.from_string('\\0' * 10**6)"):
        yield begin + code


def files():
    """Compiled files with bytes replaced."""
    head = "m, d = world({t}); buffer = np.zeros(mj.mj_sizeModel(m), np.uint8); path = tempfile.mktemp('.mjb'); mj.mj_saveModel(m, path, None); raw = bytearray(open(path, 'rb').read()); os.unlink(path)\n"
    tail = "  open(path, 'wb').write(raw)\n  try:\n    m = mj.MjModel.from_binary_path(path); d = mj.MjData(m); [mj.mj_step(m, d) for _ in range(3)]; s = mj.MjvScene(m, 100); mj.mjv_updateScene(m, d, mj.MjvOption(), None, mj.MjvCamera(), 7, s); mj.MjrContext(m, 100)\n  except Exception as e: note(e)\n  finally: os.unlink(path)\n"
    for t in ("PLAIN", "RICH"):
        for seed in range(40):
            yield "def attempt(raw, path):\n" + tail.replace("  open", "  open", 1) + "  \n" + head.format(t=t) + f"rng = np.random.default_rng({seed})\nfor _ in range(25):\n  bad = bytearray(raw)\n  for _ in range(int(rng.integers(1, 4))):\n    at = int(rng.integers(len(bad)) if rng.random() < .5 else rng.integers(min(len(bad), 700)))\n    bad[at] = int(rng.integers(256))\n  attempt(bad, path)"
            yield "def attempt(raw, path):\n" + tail + "  \n" + head.format(t=t) + f"rng = np.random.default_rng({seed})\nfor _ in range(25):\n  bad = bytearray(raw)\n  at = 4 * int(rng.integers(len(bad) // 4))\n  bad[at:at+4] = struct.pack('<i', int(rng.choice([-1, 0, 1, 2**31-1, -2**31, 1000, 10**6])))\n  attempt(bad, path)"
        yield "def attempt(raw, path):\n" + tail + "  \n" + head.format(t=t) + "for n in [0, 1, 3, 4, 7, 8, 100, 1000, len(raw) - 1, len(raw) // 2]: attempt(raw[:n], path)\nattempt(raw + raw, path); attempt(bytes(len(raw)), path)"
    for kind, data in (("obj", "b'v 0 0 0\\n' * 10**6 + b'f ' + b' '.join(b'%d' % i for i in range(1, 300000))"), ("stl", "b'\\0' * 80 + struct.pack('<I', 2**32 - 1)"), ("stl", "b'\\0' * 80 + struct.pack('<I', 10**7) + b'\\0' * 1000"),
                       ("msh", "struct.pack('<4i', 10**9, 0, 0, 10**9)"), ("msh", "struct.pack('<4i', -1, -1, -1, -1)"), ("obj", "b'f 1 2 3\\n' * 1000"), ("obj", "b'v nan nan nan\\n' * 10 + b'f 1 2 3\\nf 4 5 6\\nf 7 8 9\\nf 1 5 9'"),
                       ("obj", "b'v 1e308 1e308 1e308\\nv -1e308 0 0\\nv 0 -1e308 0\\nv 0 0 -1e308\\nf 1 2 3 4'"), ("obj", "b'f -1 -2 -3'"), ("stl", "b'solid x' + b' facet' * 10**6")):
        yield f"mj.MjModel.from_xml_string('<mujoco><asset><mesh name=\"x\" file=\"x.{kind}\"/></asset><worldbody><body><freejoint/><geom type=\"mesh\" mesh=\"x\"/></body></worldbody></mujoco>', {{'x.{kind}': {data}}})"
    for data in ("b'\\x89PNG\\r\\n\\x1a\\n'", "b'\\x89PNG\\r\\n\\x1a\\n' + struct.pack('>I', 13) + b'IHDR' + struct.pack('>IIBBBBB', 60000, 60000, 8, 2, 0, 0, 0) + b'1234'", "b'\\0' * 10**7"):
        for kind in ("texture type=\"2d\"", "hfield size=\"1 1 1 1\"", "texture type=\"cube\"", "texture type=\"skybox\" gridsize=\"3 4\" gridlayout=\".U..LFRB.D..\""):
            yield f"mj.MjModel.from_xml_string('<mujoco><asset><{kind} name=\"x\" file=\"x.png\"/></asset></mujoco>', {{'x.png': {data}}})"
    for code in ("struct.pack('<2i', 10**5, 10**5)", "struct.pack('<2i', -1, -1)", "struct.pack('<2i', 2**31-1, 2**31-1) + b'\\0' * 100", "b''"):
        yield f"mj.MjModel.from_xml_string('<mujoco><asset><hfield name=\"x\" size=\"1 1 1 1\" file=\"x.bin\"/></asset></mujoco>', {{'x.bin': {code}}})"
    for code in ("struct.pack('<4i', 10**9, 10**9, 10**9, 10**9)", "struct.pack('<4i', -1, -1, -1, -1)", "b''"):
        yield f"mj.MjModel.from_xml_string('<mujoco><deformable><skin name=\"x\" file=\"x.skn\"/></deformable></mujoco>', {{'x.skn': {code}}})"


CLASSES = {f.__name__: f for f in (texts, specs, files)}
