"""Cases of `hostile_calls.py` where no element is too much but all together are: thousands of each kind of element, assets that
each take a moment, steps whose parts each stay within a budget."""

RUN = "m = mj.MjModel.from_xml_string(t, a); d = mj.MjData(m); [mj.mj_step(m, d) for _ in range({steps})]"
PNG = """
def png(w, h, channels=3, value=7):
    raw = zlib.compress((b'\\0' + bytes([value]) * (w * channels)) * h, 9)
    part = lambda k, x: struct.pack('>I', len(x)) + k + x + struct.pack('>I', zlib.crc32(k + x))
    return b'\\x89PNG\\r\\n\\x1a\\n' + part(b'IHDR', struct.pack('>IIBBBBB', w, h, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)) + part(b'IDAT', raw) + part(b'IEND', b'')
def ball(n, seed=0):
    p = np.random.default_rng(seed).normal(size=(n, 3)); p /= np.linalg.norm(p, axis=1)[:, None]
    return b'\\n'.join(b'v %f %f %f' % tuple(x) for x in p) + b'\\nf 1 2 3\\nf 1 2 4\\nf 1 3 4\\nf 2 3 4'
def grid(n):
    return b'\\n'.join([b'v %d %d %d' % (i % n, i // n, i * i % 7) for i in range(n * n)] + [b'f %d %d %d\\nf %d %d %d' % (k, k + 1, k + n, k + 1, k + n + 1, k + n) for i in range(n - 1) for k in range(i * n + 1, i * n + n)])
"""


def scene(world="", asset="", after="", option="", files="{}", steps=2, before=""):
    """A case: texts are Python expressions."""
    parts = [repr(f"<mujoco>{option}"), before or "''", repr("<asset>"), asset or "''", repr("</asset><worldbody>"), world or "''", repr("</worldbody>"), after or "''", repr("</mujoco>")]
    return f"{PNG}\nt = {' + '.join(parts)}; a = {files}\n" + RUN.format(steps=steps)


def many(count, element, **names):
    """Text of so many elements; `{i}` counts."""
    return "''.join(" + repr(element).replace("{i}", "%d") + (f" % ((i,) * {element.count('{i}')})" if "{i}" in element else "") + f" for i in range({count}))"


BODY = "<body name='b{i}' pos='{i} 0 0'><joint name='j{i}'/><geom name='g{i}' size='.1'/><site name='s{i}'/></body>"
TETRA = "vertex='0 0 0 1 0 0 0 1 0 0 0 1'"


def multitudes():
    """Thousands of one kind of element: nothing may take the square of their number."""
    one = repr("<body name='b'><joint name='j'/><geom name='g' size='.1'/><site name='s'/><camera name='c'/></body>")
    for n in (3000, 30000):
        for element in ("<geom size='.1' pos='{i} 0 0'/>", "<geom size='.1'/>", "<geom name='g{i}' size='.1' contype='0' conaffinity='0'/>", "<site name='s{i}'/>", "<light/>", "<camera name='c{i}'/>", "<body name='b{i}'/>", "<body><geom size='.1'/></body>", "<body mocap='true'/>", "<frame name='f{i}'/>", "<frame pos='1 0 0'><frame euler='1 2 3'><geom size='.1'/></frame></frame>",
                        "<body gravcomp='1' pos='{i} 0 0'><geom size='.1'/></body>", "<geom type='plane' size='1 1 1'/>", "<geom type='box' size='9 9 9'/>"):
            yield scene(one + " + " + many(n, element))
        for element in ("<material name='m{i}'/>", "<texture name='t{i}' type='2d' builtin='flat' width='1' height='1'/>", "<mesh name='m{i}' " + TETRA + "/>", "<mesh name='m{i}' file='m.obj'/>", "<mesh name='m{i}' file='m.obj' scale='1.{i} 1 1'/>", "<mesh name='m{i}' builtin='sphere' params='1'/>", "<hfield name='h{i}' nrow='2' ncol='2' size='1 1 1 1'/>",
                        "<texture name='t{i}' type='2d' file='p.png'/>", "<texture name='t{i}' type='cube' file='p.png'/>", "<material name='m{i}' texture='t'/>", "<hfield name='h{i}' file='p.png' size='1 1 1 1'/>", "<material name='m{i}'><layer role='rgb' texture='t'/><layer role='orm' texture='t'/></material>"):
            yield scene(one, repr("<texture name='t' type='2d' builtin='flat' width='1' height='1'/>") + " + " + many(n, element), files="{'m.obj': ball(10), 'p.png': png(6, 6)}")
        yield scene(one + " + " + many(n, "<geom type='mesh' mesh='m{i}' pos='{i} 0 0'/>"), many(n, "<mesh name='m{i}' " + TETRA + "/>"))
        yield scene(one + " + " + many(n, "<geom material='m{i}' size='.1' class='c{i}'/>"), many(n, "<material name='m{i}'/>"), before="'<default>' + " + many(n, "<default class='c{i}'><geom rgba='1 1 1 1'/></default>") + " + '</default>'")
        for section, element in (("sensor", "<jointpos joint='j'/>"), ("sensor", "<rangefinder site='s'/>"), ("sensor", "<touch site='s'/>"), ("sensor", "<subtreecom body='b'/>"), ("sensor", "<distance geom1='g' geom2='g'/>"), ("sensor", "<framepos objtype='body' objname='b' reftype='site' refname='s'/>"), ("sensor", "<contact geom1='g'/>"), ("sensor", "<contact num='100' data='found force torque dist pos normal tangent'/>"),
                                 ("sensor", "<clock name='s{i}'/>"), ("sensor", "<user name='u{i}' dim='3'/>"), ("sensor", "<jointpos joint='j' delay='.01' nsample='50' interval='.001'/>"), ("sensor", "<camprojection site='s' camera='c'/>"), ("sensor", "<insidesite site='s' objtype='body' objname='b'/>"), ("sensor", "<e_kinetic/>"),
                                 ("actuator", "<motor joint='j'/>"), ("actuator", "<motor name='m{i}' joint='j' delay='.01' nsample='50'/>"), ("actuator", "<general body='b'/>"), ("actuator", "<adhesion body='b' ctrlrange='0 1'/>"), ("actuator", "<position site='s' refsite='s'/>"), ("actuator", "<muscle joint='j' lengthrange='0 1'/>"), ("actuator", "<general joint='j' dyntype='integrator' actdim='1'/>"), ("actuator", "<cylinder joint='j'/>"),
                                 ("equality", "<joint joint1='j'/>"), ("equality", "<weld body1='b'/>"), ("equality", "<connect body1='b' anchor='0 0 0'/>"), ("equality", "<weld name='e{i}' body1='b' active='false'/>"), ("tendon", "<fixed><joint joint='j' coef='1'/></fixed>"), ("tendon", "<fixed limited='true' range='1 2'><joint joint='j' coef='1'/></fixed>"), ("tendon", "<spatial><site site='s'/><geom geom='g'/><site site='s'/></spatial>"),
                                 ("tendon", "<spatial frictionloss='1' name='t{i}'><site site='s'/><site site='s'/></spatial>"), ("keyframe", "<key name='k{i}' qpos='1'/>"), ("keyframe", "<key/>"), ("contact", "<exclude body1='b' body2='world'/>"), ("contact", "<pair geom1='g' geom2='g'/>"), ("custom", "<numeric name='n{i}' data='1 2 3'/>"), ("custom", "<text name='t{i}' data='x'/>"), ("custom", "<tuple name='t{i}'><element objtype='body' objname='b'/></tuple>"),
                                 ("deformable", "<skin name='k{i}' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'><bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0' vertweight='1'/></skin>"), ("deformable", "<flex name='x{i}' body='b b b' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2' dim='2'/>"), ("extension", "<plugin plugin='mujoco.pid'><instance name='p{i}'/></plugin>")):
            yield scene(one, after=repr(f"<{section}>") + " + " + many(n, element) + " + " + repr(f"</{section}>"))
    for n in (2000, 8000):
        bodies = many(n, BODY)
        for section, element in (("sensor", "<subtreecom body='b{i}'/>"), ("sensor", "<rangefinder site='s{i}'/>"), ("sensor", "<accelerometer site='s{i}'/>"), ("sensor", "<touch site='s{i}'/>"), ("sensor", "<contact body1='b{i}'/>"), ("sensor", "<distance body1='b{i}' body2='b0'/>"), ("actuator", "<motor joint='j{i}'/>"), ("actuator", "<muscle joint='j{i}' lengthrange='0 1'/>"), ("actuator", "<adhesion body='b{i}' ctrlrange='0 1'/>"),
                                 ("equality", "<weld body1='b{i}' body2='b0'/>"), ("equality", "<connect body1='b{i}' body2='b1' anchor='0 0 0'/>"), ("tendon", "<spatial limited='true' range='0 1'><site site='s{i}'/><site site='s0'/></spatial>"), ("contact", "<exclude body1='b{i}' body2='world'/>"), ("contact", "<pair geom1='g{i}' geom2='g1'/>")):
            yield scene(bodies, after=repr(f"<{section}>") + " + " + many(n, element) + " + " + repr(f"</{section}>"))
        yield scene(bodies, after="'<tendon><fixed>' + " + many(n, "<joint joint='j{i}' coef='1'/>") + " + '</fixed></tendon><actuator>' + " + many(300, "<motor joint='j{i}'/>") + " + '</actuator>'")
        yield scene(bodies, after="'<tendon><spatial name=\"t\">' + " + many(n, "<site site='s{i}'/>") + " + '</spatial></tendon><equality><tendon tendon1=\"t\"/></equality><actuator><motor tendon=\"t\"/></actuator>'")
        yield scene(bodies.replace("<joint name", "<freejoint name"), after="'<keyframe>' + " + many(100, "<key qpos='' />") + " + '</keyframe>'")


def assets():
    """Files and shapes that each take a moment, and together would take minutes or gigabytes."""
    geoms = lambda n, kind="mesh": many(n, "<body pos='{i} 0 9'><freejoint/><geom type='" + kind + "' mesh='m{i}'/></body>")
    for n in (2, 5, 30):
        for size in (2000, 100000, 400000) if n < 30 else (2000, 50000):
            files = f"{{f'm{{i}}.obj': ball({size}, i) for i in range({n})}}"
            yield scene(geoms(n), many(n, "<mesh name='m{i}' file='m{i}.obj'/>"), files=files)
        yield scene(geoms(n), many(n, "<mesh name='m{i}' file='m.obj' scale='1 1 1.{i}'/>"), files="{'m.obj': ball(100000)}")
        for size in (20, 100, 300):
            for inertia in ("exact", "shell", "convex", "legacy") if size > 20 else ():
                yield scene(geoms(n), many(n, f"<mesh name='m{{i}}' file='m{{i}}.obj' inertia='{inertia}'/>"), files=f"{{f'm{{i}}.obj': grid({size}) for i in range({n})}}")
            yield scene(geoms(n, "sdf"), many(n, "<mesh name='m{i}' file='m{i}.obj'/>"), files=f"{{f'm{{i}}.obj': grid({size}) for i in range({n})}}")
            yield scene(geoms(n), many(n, f"<mesh name='m{{i}}' file='m{{i}}.obj' octree_maxdepth='9'/>"), files=f"{{f'm{{i}}.obj': grid({size}) for i in range({n})}}")
        for plugin in ("bolt", "nut", "gear", "torus", "bowl"):
            yield scene(many(n, "<body pos='0 0 {i}'><freejoint/><geom type='sdf' mesh='m{i}'><plugin instance='p'/></geom></body>"), many(n, "<mesh name='m{i}'><plugin instance='p'/></mesh>"), option=f"<option sdf_iterations='2000000000' sdf_initpoints='2000000000'/><extension><plugin plugin='mujoco.sdf.{plugin}'><instance name='p'/></plugin></extension>")
        yield scene(many(n, "<body pos='0 0 {i}'><freejoint/><geom type='sdf' mesh='m{i}'/></body>"), many(n, "<mesh name='m{i}' builtin='sphere' params='3'/>"), option="<option sdf_iterations='2000000000' sdf_initpoints='2000000000'/>")
        for shape in ("builtin='sphere' params='6'", "builtin='hemisphere' params='200'", "builtin='supertorus' params='500 .3 1 1'", "builtin='supersphere' params='500 1 1'", "builtin='cone' params='100000 1'", "builtin='plate' params='500 500'", "builtin='wedge' params='500 500 90 90 0'", "builtin='prism' params='100000'"):
            yield scene(geoms(n), many(n, f"<mesh name='m{{i}}' {shape}/>"))
        for size in (1000, 5000, 20000):
            for kind in ("type='2d'", "type='cube'", "type='skybox'", "type='2d' vflip='true' hflip='true'", "type='cube' gridsize='1 1' gridlayout='.'")[:5 if size < 20000 else 1]:
                yield scene("", many(n, f"<texture name='t{{i}}' {kind} file='p{{i}}.png'/>"), files=f"(lambda p: {{f'p{{i}}.png': p for i in range({n})}})(png({size}, {size}))")
            yield scene(many(n, "<geom type='hfield' hfield='h{i}'/>"), many(n, "<hfield name='h{i}' size='1 1 1 1' file='p{i}.png'/>"), files=f"(lambda p: {{f'p{{i}}.png': p for i in range({n})}})(png({size}, {size}, 1))")
            yield scene(many(n, "<geom type='hfield' hfield='h{i}'/>"), many(n, f"<hfield name='h{{i}}' size='1 1 1 1' nrow='{size}' ncol='{size}'/>"))
            for builtin in ("gradient", "checker", "flat") if n > 2 else ():
                for kind in ("2d", "cube", "skybox"):
                    yield scene("", many(n, f"<texture name='t{{i}}' type='{kind}' builtin='{builtin}' width='{size}' height='{size}' mark='random' random='.5'/>"))
    for n in (3, 40):
        for count, dim in (("40 40 40", 3), ("300 300 1", 2), ("20000 1 1", 1), ("12 12 12", 3)):
            for inner in ("<edge equality='true'/>", "<elasticity young='1e4' poisson='.3'/>", "<contact selfcollide='bvh'/><elasticity young='1e4' elastic2d='both'/>", "<contact selfcollide='narrow' internal='true'/>", "<pin gridrange='0 0 0 1000000000 1000000000 1000000000'/>", "<pin range='0 1000000000'/>", "<pin id='" + "0 " * 9999 + "'/>"):
                yield scene(many(n, f"<flexcomp name='f{{i}}' type='grid' count='{count}' spacing='.1 .1 .1' dim='{dim}' radius='.01'>{inner}</flexcomp>"))
            yield scene(many(n, f"<flexcomp name='f{{i}}' type='grid' count='{count}' spacing='.1 .1 .1' dim='{dim}' radius='.01' rigid='true'/>") + " + '<body pos=\"0 0 1\"><freejoint/><geom size=\"5\"/></body>'")
        for kind in ("box", "cylinder", "ellipsoid", "square", "disc", "circle"):
            yield scene(many(n, f"<flexcomp name='f{{i}}' type='{kind}' count='60 60 60' spacing='.1 .1 .1' dim='3' radius='.01'/>"))
            yield scene(many(n, f"<flexcomp name='f{{i}}' type='{kind}' count='9 9 9' spacing='.1 .1 .1' dim='2' radius='.01'><elasticity young='1e4'/></flexcomp>"))
        for dof in ("trilinear", "quadratic", "radial"):
            yield scene(many(n, f"<flexcomp name='f{{i}}' type='grid' count='20 20 20' spacing='.1 .1 .1' dim='3' dof='{dof}' radius='.01'><elasticity young='1e4'/></flexcomp>"))
        yield scene(many(n, "<flexcomp name='f{i}' type='mesh' file='m.obj' dim='2' radius='.01'><edge equality='true'/></flexcomp>"), files="{'m.obj': grid(150)}")
        yield scene(many(n, "<flexcomp name='f{i}' type='direct' point='" + "0 0 0 " * 3000 + "' element='" + "0 1 2 " * 3000 + "' dim='2' radius='.01'/>"))
        for count in (100, 3000):
            yield scene(many(n, f"<composite prefix='p{{i}}' type='cable' count='{count} 1 1' curve='cos(s) sin(s) s' size='1 2 3'><geom size='.01' type='capsule'/></composite>"))


def steps():
    """Steps of scenes where each pair, ray, path or row takes a while."""
    pile = lambda n, geom, gap=".01": many(n, "<body pos='0 0 {i}'><freejoint/>" + geom + "</body>").replace("0 0 %d", "0 0 0" if gap == "0" else "0 0 %d")
    rough = ("{'m.obj': ball(20000)}", "<mesh name='m' file='m.obj'/>")
    for n in (20, 150, 700):
        for geom in ("<geom type='mesh' mesh='m'/>", "<geom type='mesh' mesh='m' margin='1e9'/>", "<geom type='cylinder' size='1 1'/>", "<geom type='ellipsoid' size='1 2 3'/>", "<geom type='box' size='1 1 1' condim='6'/>", "<geom type='capsule' size='1 1' margin='nan'/>"):
            for option in ("", "ccd_iterations='2000000000' ccd_tolerance='0'", "cone='elliptic' solver='PGS' iterations='1000000' tolerance='0'", "integrator='RK4' solver='CG' iterations='1000000' tolerance='0'", "integrator='implicit' noslip_iterations='1000000'"):
                yield scene(pile(n, geom, "0"), repr(rough[1]), files=rough[0], option=f"<option {option}/>", steps=3)
        yield scene("'<geom type=\"hfield\" hfield=\"h\"/>' + " + pile(n, "<geom type='box' size='9 9 9'/>", "0"), "'<hfield name=\"h\" nrow=\"300\" ncol=\"300\" size=\"1 1 1 1\"/>'")
        yield scene("'<geom type=\"hfield\" hfield=\"h\"/>' + " + pile(n, "<geom type='mesh' mesh='m'/>", "0"), "'<hfield name=\"h\" nrow=\"300\" ncol=\"300\" size=\"1 1 1 1\"/>' + " + repr(rough[1]), files=rough[0])
        for sensor in ("<rangefinder site='s'/>", "<rangefinder camera='c'/>", "<distance geom1='g0' geom2='g1'/>", "<fromto body1='b0' body2='b1' cutoff='1e9'/>", "<touch site='s'/>", "<contact reduce='mindist' num='1000' data='found force dist pos normal tangent'/>", "<tactile geom='g0' mesh='m'/>"):
            yield scene(many(n, "<body name='b{i}' pos='{i} 0 0'><freejoint/><geom name='g{i}' type='mesh' mesh='m'/></body>") + " + '<site name=\"s\" size=\"9\"/><camera name=\"c\" resolution=\"500 500\"/>'", repr(rough[1]), files=rough[0], after=f"'<sensor>' + {sensor!r} * {n * 20} + '</sensor>'")
    for n in (300, 1440, 2600):
        chain = "'<body pos=\".1 0 0\"><joint axis=\"0 1 0\" damping=\"1\"/><geom size=\".05\" contype=\"0\" conaffinity=\"0\"/>' * {0} + '</body>' * {0}"
        for option in ("integrator='implicit'", "integrator='implicitfast'", "integrator='RK4'", "integrator='Euler'"):
            for parts in (1, 2, 8):
                yield scene(f"({chain.format(n // parts)}) * {parts}", option=f"<option {option}><flag energy='enable'/></option>", steps=3)
                yield scene(f"({chain.format(n // parts)}) * {parts}", option=f"<option {option} density='1' wind='1 1 1'/>", steps=3)
    for n in (50, 500):
        wraps = "<spatial limited='true' range='0 1'>" + "<site site='a'/><geom geom='w' sidesite='a'/>" * n + "<site site='z'/></spatial>"
        for geom in ("<geom name='w' size='.3' pos='.5 0 0'/>", "<geom name='w' type='cylinder' size='.3 1' pos='.5 0 0'/>"):
            yield scene(repr("<body><freejoint/><geom size='.1'/><site name='a'/></body><body pos='1 0 0'><freejoint/><geom size='.1'/><site name='z'/></body>" + geom), after=f"'<tendon>' + {wraps!r} * 40 + '</tendon>'", steps=3)
    for n in (200, 2000):
        arms = many(n, "<body pos='0 {i} 0'><joint name='j{i}' axis='0 1 0'/><geom size='.1' pos='.5 0 0'/></body>")
        for settings in ("", "mode='all' uselimit='false' useexisting='false'", "inttotal='1000'", "timestep='1e-5'"):
            yield scene(arms, option=f"<compiler><lengthrange {settings}/></compiler>", after="'<actuator>' + " + many(n, "<muscle joint='j{i}'/>") + " + '</actuator>'")


def batches_of_refusals():
    """Many worlds, rollouts and repetitions of steps that are refused."""
    pile = scene(many(40, "<body pos='0 0 0'><freejoint/><geom type='box' size='1 1 1'/></body>"), option="<option iterations='2000000000' tolerance='0' solver='PGS'/>", steps=0)
    for effort in ("10**6", "2**31"):
        for code in ("mj.mj_step(m, d, 10**6)", "mj.rollout.rollout(m, [d, mj.MjData(m)], np.zeros((50, s)), nstep=1000)", "mj.rollout.rollout(m, d, np.zeros((1, s)), nstep=100000)", "b = mj.batch.Batch(m, 4); b.step(nstep=1000); b.step(); b.status", "b = mj.batch.Batch(m, 4, nthread=2); b.rollout(20)", "mj.Lean(m).step(1000)", "mj.batch.Batch(m, 4, exact='auto').step(nstep=1000)",
                     "mj.mjd_transitionFD(m, d, 1e-6, 1, None, None, None, None)", "mj.mjd_inverseFD(m, d, 1e-6, 1, None, None, None, None, None, None, None)", "mj.mj_forward(m, d)", "mj.mj_inverse(m, d)", "mj.mj_setConst(m, d)"):
            yield pile + f"; s = mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS)\nd.set_limits(effort={effort})\n{code}"


CLASSES = {f.__name__: f for f in (multitudes, assets, steps, batches_of_refusals)}
