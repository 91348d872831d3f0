"""Cases of `hostile_calls.py` made at random or that combine what is rarely combined: specifications with any attribute changed,
sensors and actuators of every kind on everything, copies inside of callbacks, objects that other threads close, odd texts and
odd collections of files, views of what is not theirs."""

WILD = r'''
FLOATS = [nan, inf, -inf, -1.0, 0.0, 1e-320, 1e-9, 0.5, 1.0, 3.0, 1e3, 1e9, 1e150, 1e308, -1e308]
INTS = [-2**31, -7, -1, 0, 1, 2, 3, 4, 5, 7, 9, 17, 64, 255, 1000, 10**6, 2**31 - 1]
WORDS = ["", "a", "b", "h", "f", "s", "t", "ga", "gb", "w", "e", "m", "c", "tet", "soft", "world", "none", "x" * 300, "\x00", "é", "a/b", "<"]
def elements(s):
    out = [s.option, s.compiler, s.visual.global_, s.visual.map, s.visual.quality, s.visual.headlight, s.stat, s]
    for kind in ("bodies", "geoms", "joints", "sites", "cameras", "lights", "frames", "meshes", "hfields", "textures", "materials", "skins", "flexes", "tendons", "equalities", "actuators", "sensors", "keys", "pairs", "excludes", "numerics", "texts", "tuples", "plugins"):
        out += list(getattr(s, kind, []))
    return out
def mess(e, rng, times=1):
    names = [n for n in dir(e) if n[0] != "_" and n not in ("parent", "assets", "memory", "nuserdata")]
    for _ in range(times):
        n = names[int(rng.integers(len(names)))]
        def go():
            v = getattr(e, n)
            if callable(v): return
            if isinstance(v, np.ndarray) and v.size and v.dtype.kind == "f":
                if rng.integers(2): v.flat[int(rng.integers(v.size))] = rng.choice(FLOATS)
                else: setattr(e, n, rng.choice(FLOATS, size=v.shape))
            elif isinstance(v, np.ndarray): setattr(e, n, rng.choice(INTS, size=v.size))
            elif isinstance(v, float): setattr(e, n, float(rng.choice(FLOATS)))
            elif isinstance(v, str): setattr(e, n, str(rng.choice(WORDS)))
            elif isinstance(v, int): setattr(e, n, int(rng.choice(INTS)))
            else:
                x = (None, [], [1.0] * 9, rng.choice(FLOATS, size=12), "", 3)[int(rng.integers(6))]
                setattr(e, n, x)
        sneak(go)
def use(s, rng):
    """Everything that one does with a specification."""
    def go():
        m = s.compile(); d = mj.MjData(m)
        for _ in range(3): sneak(lambda: mj.mj_step(m, d))
        sneak(lambda: mj.mj_inverse(m, d)); sneak(lambda: mj.mj_setConst(m, d))
        def look():
            scn = mj.MjvScene(m, 100); mj.mjv_updateScene(m, d, mj.MjvOption(), None, mj.MjvCamera(), 7, scn)
        sneak(look)
        sneak(lambda: mj.batch.Batch(m, 5).step(nstep=2))
        sneak(lambda: mj.rollout.rollout(m, d, np.zeros((5, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))), nstep=5))
        sneak(lambda: mj.Lean(m).step(d, 2))
        def again():
            mj.mj_saveModel(m, "x.mjb"); n = mj.MjModel.from_binary_path("x.mjb"); mj.mj_step(n, mj.MjData(n))
        sneak(again)
    sneak(go)
    def text():
        t = mj.MjSpec.from_string(s.to_xml()); mj.mj_step(*(lambda m: (m, mj.MjData(m)))(t.compile()))
    sneak(text)
    last[0] = "ok"
'''


def wild():
    """Specifications in which any attributes were given any values, compiled, stepped, drawn, written and read again."""
    for seed in range(60):
        for text in ("PLAIN", "RICH"):
            yield (f"{WILD}\nrng = np.random.default_rng({seed})\nwhile time.process_time() < 3:\n  s = mj.MjSpec.from_string({text}); all = elements(s)\n"
                   "  for _ in range(int(rng.integers(1, 4))): mess(all[int(rng.integers(len(all)))], rng)\n  use(s, rng)")
    for seed in range(30):
        yield (f"{WILD}\nrng = np.random.default_rng({seed})\nwhile time.process_time() < 3:\n  s = mj.MjSpec(); bodies = [s.worldbody]\n  for i in range(int(rng.integers(1, 12))):\n    b = bodies[int(rng.integers(len(bodies)))].add_body(name=f'b{{i}}', pos=rng.normal(size=3) * .2); bodies.append(b)\n"
               "    def fill():\n      kind = int(rng.integers(5))\n      if kind < 4: b.add_joint(name=f'j{i}', type=kind, axis=rng.normal(size=3))\n      b.add_geom(name=f'g{i}', type=int(rng.choice([0, 2, 3, 4, 5, 6])), size=np.abs(rng.normal(size=3)) * .1 + .01); b.add_site(name=f's{i}'); b.add_camera(name=f'c{i}'); b.add_light()\n    sneak(fill)\n"
               "  all = elements(s)\n  for _ in range(int(rng.integers(0, 3))): mess(all[int(rng.integers(len(all)))], rng)\n"
               "  s.option.integrator = int(rng.integers(4)); s.option.solver = int(rng.integers(3)); s.option.cone = int(rng.integers(2)); s.option.enableflags = int(rng.integers(64)); s.option.disableflags = int(rng.integers(2**18)) & int(rng.integers(2**18))\n  use(s, rng)")


PICK = "pick = lambda *k: [('b', 'h', 's', 'ga', 'w', 'm', 'c', 'e', 'a', 'k', '', 'none', 'soft', 'tet')[int(rng.integers(14))]][0]\n"


def combinations():
    """Sensors, actuators, equalities, tendons and pairs of every kind on everything."""
    for seed in range(40):
        for kind, code in (("sensor", "s.add_sensor(type=int(rng.integers(0, 60)), objtype=int(rng.integers(0, 30)), objname=pick(), reftype=int(rng.integers(0, 30)), refname=pick(), cutoff=float(rng.choice(FLOATS)), datatype=int(rng.integers(0, 5)), needstage=int(rng.integers(0, 5)), dim=int(rng.integers(-1, 9)), intprm=rng.choice(INTS, size=3), delay=float(rng.choice(FLOATS)) if rng.integers(4) == 0 else 0.0, nsample=int(rng.integers(0, 6)), interval=float(rng.choice(FLOATS)) if rng.integers(4) == 0 else 0.0, noise=float(rng.choice(FLOATS)))"),
                           ("actuator", "s.add_actuator(trntype=int(rng.integers(0, 8)), target=pick(), refsite=pick(), slidersite=pick(), cranklength=float(rng.choice(FLOATS)), dyntype=int(rng.integers(0, 8)), gaintype=int(rng.integers(0, 6)), biastype=int(rng.integers(0, 6)), dynprm=rng.choice(FLOATS, size=10), gainprm=rng.choice(FLOATS, size=10), biasprm=rng.choice(FLOATS, size=10), actdim=int(rng.integers(-1, 4)), gear=rng.choice(FLOATS, size=6), lengthrange=[0, 1], delay=float(rng.choice(FLOATS)) if rng.integers(4) == 0 else 0.0, nsample=int(rng.integers(0, 6)))"),
                           ("equality", "s.add_equality(type=int(rng.integers(0, 8)), objtype=int(rng.integers(0, 30)), name1=pick(), name2=pick(), data=rng.choice(FLOATS, size=11), solref=rng.choice(FLOATS, size=2), solimp=rng.choice(FLOATS, size=5))"),
                           ("pair", "s.add_pair(geomname1=('ga', 'gb', 'floor')[int(rng.integers(3))], geomname2=('ga', 'gb', 'floor')[int(rng.integers(3))], condim=int(rng.integers(0, 8)), margin=float(rng.choice(FLOATS)), gap=float(rng.choice(FLOATS)), friction=rng.choice(FLOATS, size=5), solref=rng.choice(FLOATS, size=2), solimp=rng.choice(FLOATS, size=5))"),
                           ("tendon", "(lambda t: [t.wrap_site(pick()) if k == 0 else t.wrap_geom(pick(), pick()) if k == 1 else t.wrap_joint(pick(), float(rng.choice(FLOATS))) if k == 2 else t.wrap_pulley(float(rng.choice(FLOATS))) for k in rng.integers(0, 4, size=int(rng.integers(1, 6)))])(s.add_tendon(limited=int(rng.integers(0, 3)), range=rng.choice(FLOATS, size=2), stiffness=float(rng.choice(FLOATS)), damping=float(rng.choice(FLOATS)), frictionloss=float(rng.choice(FLOATS)), springlength=rng.choice(FLOATS, size=2), armature=float(rng.choice(FLOATS))))"),
                           ("key", "s.add_key(time=float(rng.choice(FLOATS)), qpos=rng.choice(FLOATS, size=int(rng.choice([0, 8, 9]))), qvel=rng.choice(FLOATS, size=int(rng.choice([0, 7]))), ctrl=rng.choice(FLOATS, size=int(rng.choice([0, 2]))), mpos=rng.choice(FLOATS, size=3), mquat=rng.choice(FLOATS, size=4))")):
            yield f"{WILD}\nrng = np.random.default_rng({seed})\n{PICK}while time.process_time() < 2:\n  s = mj.MjSpec.from_string(PLAIN)\n  for _ in range(int(rng.integers(1, 4))): sneak(lambda: {code})\n  use(s, rng) # {kind}"


def copies_in_hooks():
    """Copies of model and state, in every way, in the middle of a step that goes on; the copies are used then and later."""
    acts = ("copy.copy(d)", "copy.deepcopy(d)", "copy.deepcopy((m, d))", "pickle.loads(pickle.dumps(d))", "pickle.loads(pickle.dumps((m, d)))", "mj.mj_copyData(other, m, d)", "mj.mj_copyData(d, m, other)", "mj.mj_copyModel(spare, m)", "mj.mj_copyState(m, d, other, 15)", "mj.mj_copyState(m, other, d, 15)", "mj.mj_getState(m, d, np.zeros(mj.mj_stateSize(m, 8191)), 8191)",
            "mj.mj_setState(m, d, np.full(mj.mj_stateSize(m, 15), nan), 15)", "mj.mj_setState(m, d, np.zeros(3), 15)", "mj.mj_resetDataKeyframe(m, d, 0)", "mj.mj_saveModel(m, 'h.mjb')", "spec.recompile(m, d)", "d.contact[:]", "mj.Renderer(m, 16, 16).update_scene(d)", "b.step()", "mj.mj_step(spare, other)", "d.threads", "setattr(d, 'time', nan)", "d.set_limits(effort=1)", "m.opt.timestep")
    for act in acts:
        for name in ("control", "passive", "sensor", "contactfilter", "time", "act_bias"):
            yield ("global m, d, other, spare, spec, b, keep\nimport pickle\nspec = mj.MjSpec.from_string(PLAIN); m = spec.compile(); d = mj.MjData(m); other = mj.MjData(m); spare = copy.copy(m); b = mj.batch.Batch(m, 3); keep = []\n"
                   f"def hook(*a):\n  if len(keep) < 30: keep.append({act})\n  return 0\nmj.set_mjcb_{name}(hook)\nfor run in (lambda: mj.mj_step(m, d, 5), lambda: mj.mj_forward(m, d), lambda: mj.mj_inverse(m, d), lambda: mj.rollout.rollout(m, [d, other], np.zeros((4, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))), nstep=3), lambda: b.step()): sneak(run)\nmj.mj_resetCallbacks()\n"
                   "for x in keep:\n  y = x if isinstance(x, tuple) else (m, x)\n  if isinstance(y[1], mj.MjData): sneak(lambda: mj.mj_step(*y)); y[1].qpos.sum(); y[1].contact.dist.sum()\nsneak(lambda: mj.mj_step(m, d)); sneak(lambda: mj.mj_resetData(m, d)); sneak(lambda: mj.mj_step(m, d)); sneak(lambda: mj.mj_step(spare, other))")


def closers():
    """Objects that one thread uses and another closes, edits, resizes or lets go."""
    begin = "global m, d, r, b, s, box\nm, d = world(RICH); r = mj.Renderer(m, 48, 48); b = mj.batch.Batch(m, 6); s = mj.MjSpec.from_string(RICH); box = {'x': mj.MjData(m)}\n"
    uses = ("(r.update_scene(d), r.render())", "mj.mj_step(m, d, 3)", "b.step(nstep=3)", "b.rollout(5, record=('qpos',))", "s.compile()", "s.to_xml()", "mj.rollout.rollout(m, box['x'], np.zeros((3, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))), nstep=5)", "mj.mj_step(m, box['x'], 3)", "copy.deepcopy((m, d))", "[x.sum() for x in (d.efc_J, d.contact.dist, d.efc_force)]", "mj.mj_setConst(m, d)", "b.ray(np.zeros(3), np.ones(3))")
    ends = ("r.close()", "r.__init__(m, 16, 16)", "(r.enable_depth_rendering(), r.disable_depth_rendering())", "b.set_models(m)", "b.reset()", "b.__init__(m, 3)", "b.expand('geom_friction')", "globals().update(b=mj.batch.Batch(m, 2))", "s.delete(s.geoms[-1])", "s.worldbody.add_geom(size=[.1, 0, 0])", "s.worldbody.add_body().add_freejoint()", "s.recompile(m, d)", "box.update(x=mj.MjData(m))", "mj.mj_resetData(m, d)", "d.__init__(m)", "m.__init__()",
            "m.geom_size.fill(nan)", "m.geom_dataid.fill(7)", "m.flex_vertadr.fill(10**6)", "setattr(m.opt, 'solver', 1)", "setattr(d, 'threads', 3)", "mj.set_mjcb_control(lambda m, d: None)", "mj.mj_resetCallbacks()", "__import__('gc').collect()")
    for use in uses:
        for end in ends:
            yield begin + f"def work():\n  until = time.monotonic() + .25\n  while time.monotonic() < until: sneak(lambda: {use})\nts = [threading.Thread(target=work) for _ in range(2)]; [t.start() for t in ts]\nfor _ in range(3000):\n  if any(t.is_alive() for t in ts): sneak(lambda: {end})\n[t.join() for t in ts]; mj.mj_resetCallbacks(); sneak(lambda: mj.mj_resetData(m, d)); sneak(lambda: mj.mj_step(m, d)) # OVERWRITES"


def encodings():
    """Texts in any encoding, with everything that XML has and MJCF does not, and names that are no text."""
    body = "<mujoco><worldbody><body name='{}'><joint/><geom size='.1'/></body></worldbody></mujoco>"
    load = "t = {}\nm = mj.MjModel.from_xml_string(t); d = mj.MjData(m); mj.mj_step(m, d); [mj.mj_id2name(m, mj.mjtObj.mjOBJ_BODY, i) for i in range(m.nbody)]; m.names; m.body(1).name; mj.MjSpec.from_string(t).to_xml()"
    file = "open('x.xml', 'wb').write({})\nm = mj.MjModel.from_xml_path('x.xml'); mj.mj_step(m, mj.MjData(m)); mj.MjSpec.from_file('x.xml').to_xml()"
    for name in ("é", "\u202e", "\ufeff", "𐍈" * 50, "a&#0;b", "a&#x110000;b", "a&#xD800;b", "&lt;&amp;&quot;&apos;", "&nbsp;", "&a;", "a\nb", "a\tb", "a&#10;b", " ", "", "x" * 10**6, "&#65;" * 10**5, "%s%n%d", "../../x", "a\\b", "'", "\x01", "\x7f"):
        yield load.format(repr(body.format(name) if name != "'" else body.replace("'{}'", '"{}"').format(name)))
    for name in ("\\ud800", "\\udc80", "a\\x00b"):
        yield load.format(f"'<mujoco><worldbody><body name=\"{name}\"/></worldbody></mujoco>'")
    for expression in ("{0}.encode('utf-16')", "{0}.encode('utf-32')", "{0}.encode('utf-16-be')", "b'\\xef\\xbb\\xbf' + {0}.encode()", "('<?xml version=\"1.0\" encoding=\"latin-1\"?>' + {0}).encode('latin-1', 'replace')", "('<?xml version=\"1.0\" encoding=\"ebcdic\"?>' + {0}).encode()", "('<?xml version=\"9.9\"?>' * 3 + {0}).encode()", "{0}.encode()[:-9]", "{0}.encode() * 2", "b'\\0' + {0}.encode()", "{0}.encode() + b'\\xff' * 1000", "{0}.encode().replace(b'a', b'\\xc3')", "b'<!--' + {0}.encode()", "b'<!-- -- -->' + {0}.encode()", "b'<![CDATA[' + {0}.encode() + b']]>'", "b'<!DOCTYPE mujoco SYSTEM \"/etc/passwd\">' + {0}.encode()", "b'<!DOCTYPE m [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><mujoco model=\"&a;\"/>'", "b'<!DOCTYPE m [' + b''.join(b'<!ENTITY a%d \"' % i + b'&a%d;' % (i + 1) * 10 + b'\">' for i in range(20)) + b']><mujoco model=\"&a0;\"/>'",
                       "b'<?x' * 10**5", "b'<!' * 10**5", "b'<a ' * 10**5", "b'<mujoco ' + b'a=\"1\" ' * 10**5 + b'/>'", "b'<mujoco model=\"' + b'a' * 5 * 10**7 + b'\"/>'", "b'<mujoco>' + b' ' * 5 * 10**7 + b'</mujoco>'", "b'<mujoco>' + b'<!---->' * 10**6 + b'</mujoco>'", "b'<mujoco xmlns:x=\"y\"><x:worldbody/></mujoco>'", "b'<mujoco>' + b'<![CDATA[x]]>' * 10**5 + b'</mujoco>'", "b'<mujoco>text<worldbody/>text</mujoco>'", "b'<MUJOCO/>'", "b'<mujoco/><mujoco/>'", "b'<mujoco></mujocoo>'", "b'<>' * 1000", "b'</mujoco>'", "b'&' * 10**6", "b'\\r' * 10**6 + b'<mujoco/>'"):
        yield file.format(expression.format(repr(body.format("a"))))
    for tag in ("worldbody", "default", "frame", "body", "replicate", "asset", "mujoco", "include", "tendon", "sensor", "composite", "flexcomp", "attach", "extension", "tuple", "skin"):
        for n in (100, 5000, 200000):
            inner = {"default": "<default class='c%d'>", "replicate": "<replicate count='1'>", "frame": "<frame pos='1 0 0'>", "body": "<body>"}.get(tag, f"<{tag}>")
            place = tag in ("frame", "body", "replicate", "composite", "flexcomp", "attach")
            many = f"''.join({inner!r} % i for i in range({n}))" if "%d" in inner else f"{inner!r} * {n}"
            yield load.format(f"'<mujoco>{'<worldbody>' if place else ''}' + {many} + '</{tag}>' * {n} + '{'</worldbody>' if place else ''}</mujoco>'")
    for name in ("b'\\xff\\xfe'", "'\\ud800'", "'a\\0b'", "5", "None", "'x' * 10**7", "b'a'", "[]", "''", "object()", "type('S', (str,), {'__str__': lambda s: 1/0})('a')"):
        for code in ("mj.mj_name2id(m, 1, {0})", "m.body({0})", "d.geom({0})", "m.geom({0}).size", "getattr(m, 'key')({0})", "mj.MjModel.from_xml_string({0})", "mj.MjModel.from_xml_path({0})", "mj.MjModel.from_binary_path({0})", "mj.MjSpec.from_string({0})", "mj.mj_saveLastXML({0}, m)", "mj.mj_saveModel(m, {0})", "mj.mj_printModel(m, {0})", "mj.MjSpec.from_file({0})", "s = mj.MjSpec(); s.modelname = {0}; s.to_xml()", "s = mj.MjSpec(); s.worldbody.add_body(name={0}); s.compile().names", "mj.mj_loadPluginLibrary({0})", "mj.mj_setState(m, d, {0}, 1)", "mj.mjtObj({0})", "mj.MjSpec.from_string(PLAIN).body({0})"):
            yield f"m, d = world(); {code.format(name)}"


def collections_of_files():
    """Assets that are no dictionaries of bytes, or change while they are read."""
    begin = r"""
text = '<mujoco><asset><mesh name="m" file="m.obj"/><texture name="t" type="2d" file="t.png"/><hfield name="h" size="1 1 1 1" file="h.bin"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
obj = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4'
good = {'m.obj': obj}
only = '<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
class Liar(dict):
    def __len__(self): return 10**12
    def items(self): return iter([('m.obj', obj)] * 10**6)
    def __getitem__(self, k): raise KeyError(k)
    def __iter__(self): return iter(['m.obj'] * 3)
class Changing(dict):
    def items(self):
        for k in list(dict.items(self)):
            self[str(len(self))] = b''; yield k
class Bytes(bytes):
    def __len__(self): return 10**9
    def __getitem__(self, i): raise IndexError
def step(m): d = mj.MjData(m); mj.mj_step(m, d)
"""
    values = ("{'m.obj': None}", "{'m.obj': 5}", "{'m.obj': 'text'}", "{'m.obj': obj.decode()}", "{'m.obj': bytearray(obj)}", "{'m.obj': memoryview(obj)}", "{'m.obj': np.frombuffer(obj, np.uint8)}", "{'m.obj': np.zeros(10**8)}", "{'m.obj': bytes(6 * 10**8)}", "{'m.obj': list(obj)}", "{'m.obj': Bytes(obj)}", "{5: obj}", "{None: obj}", "{b'm.obj': obj}", "{'': obj}", "{'m.obj\\0': obj}", "{'\\ud800': obj}", "{'x' * 10**6: obj}", "{'../m.obj': obj}", "{'M.OBJ': obj}", "{'m.obj': obj, 'M.OBJ': b''}",
              "Liar(good)", "Changing(good)", "[]", "[('m.obj', obj)]", "5", "'m.obj'", "good.items()", "iter(good)", "object()", "type(good)", "{str(i): b'' for i in range(10**5)} | good", "{'m.obj': obj * 10**5}", "{'m.obj': b'\\n' * 10**8}", "{'m.obj': obj + b'\\nf 1 2 3' * 10**6}", "{'m.obj': obj + b'\\nv 1 1 1' * 10**6}", "{'m.obj': obj + b'\\nvt 1 1' * 10**6}", "{'m.obj': obj + b'\\nvn 1 1 1' * 10**6}", "{'m.obj': obj.replace(b'1', b'1' * 10**6)}", "{'m.obj': obj + b'\\nmtllib m.obj' * 10**5}", "{'m.obj': obj + b'\\no x' * 10**6}", "{'m.obj': b'f ' + b'1/1/1 ' * 10**6}", "{'m.obj': obj + b'\\\\\\n' * 10**6}")
    for value in values:
        for code in ("step(mj.MjModel.from_xml_string(only, {0}))", "step(mj.MjSpec.from_string(only, assets={0}).compile())", "s = mj.MjSpec.from_string(only); s.assets = {0}; step(s.compile())", "s = mj.MjSpec.from_string(only); step(s.compile({0}))"):
            yield begin + code.format(value)
    for size in ("nrow='46341' ncol='46341'", "nrow='65536' ncol='65536'", "nrow='2147483647' ncol='2147483647'", "nrow='1' ncol='2147483647'", "nrow='-5' ncol='-5'", "nrow='1' ncol='1'", "nrow='2' ncol='1'", "nrow='2' ncol='2' elevation='nan inf -inf 1e308'", "nrow='2' ncol='2' elevation='1 2 3'", "nrow='20000' ncol='20000'"):
        for scale in ("1 1 1 1", "nan 1 1 1", "0 0 0 0", "1e308 1e308 1e308 1e308", "1e-320 1e-320 1 1"):
            yield begin + f"step(mj.MjModel.from_xml_string(\"<mujoco><asset><hfield name='h' size='{scale}' {size}/></asset><worldbody><geom type='hfield' hfield='h'/><body pos='0 0 1'><freejoint/><geom size='1'/></body></worldbody></mujoco>\"))"
    for kind in ("2d", "cube", "skybox"):
        for size in ("width='65536' height='65536'", "width='2147483647' height='2147483647'", "width='2147483647' height='1'", "width='-1' height='-1'", "width='1' height='0'", "width='20000' height='120000'", "nchannel='2147483647' width='10' height='10'", "nchannel='0' width='10' height='10'", "nchannel='-1' width='10' height='10'"):
            for builtin in ("flat", "gradient", "none"):
                yield begin + f"step(mj.MjModel.from_xml_string(\"<mujoco><asset><texture name='t' type='{kind}' builtin='{builtin}' {size}/><material name='m' texture='t'/></asset><worldbody><geom size='1' material='m'/></worldbody></mujoco>\"))"


def bindings():
    """Views of elements that belong to something else, are gone, or are asked for by nonsense."""
    begin = "s = mj.MjSpec.from_string(RICH); m = s.compile(); d = mj.MjData(m); mj.mj_step(m, d); t = mj.MjSpec.from_string(PLAIN); n = t.compile(); e = mj.MjData(n)\n"
    things = ("s.bodies", "s.geoms", "t.bodies", "t.geoms", "t.body('a')", "s.body('a')", "[s.body('a'), t.body('a')]", "[s.body('a'), s.geoms[0]]", "[s.body('a')] * 10000", "[]", "()", "None", "5", "'a'", "[None]", "['a']", "s", "s.worldbody", "s.joints + t.joints", "(x for x in s.bodies)", "s.flexes", "s.meshes", "s.materials", "t.sensors", "t.tendons", "t.actuators", "t.keys", "s.lights", "s.cameras", "s.skins", "{s.body('a')}", "iter(s.geoms)")
    for thing in things:
        for owner in ("m", "d", "n", "e"):
            for before in ("pass", "s.delete(s.body('a'))", "s.recompile(m, d)", "s = s.copy()", "del s, t; __import__('gc').collect(); s = t = mj.MjSpec.from_string(PLAIN)"):
                if before == "pass" or thing in ("s.bodies", "s.geoms", "t.bodies", "s.body('a')", "[s.body('a')] * 10000"):
                    yield begin + f"x = {thing}\n{before}\nv = {owner}.bind(x)\nfor a in dir(v):\n  if a[0] != '_': sneak(lambda: getattr(v, a)); sneak(lambda: setattr(v, a, nan)); sneak(lambda: setattr(v, a, [1, 2])); sneak(lambda: setattr(v, a, 'x'))\nmj.mj_step(m, d); mj.mj_step(n, e); repr(v) # OVERWRITES"
    for index in ("-1", "-2", "10**9", "-10**9", "2**63", "2**70", "1.5", "nan", "None", "'none'", "''", "b'a'", "[]", "slice(None)", "True", "np.int64(1)", "np.array([1])", "np.array([1, 2])", "object()"):
        for kind in ("body", "geom", "joint", "site", "cam", "light", "mesh", "tendon", "actuator", "sensor", "key", "tex", "mat", "hfield", "skin", "eq", "numeric", "exclude", "pair", "tuple", "text", "jnt", "camera", "material", "texture", "equality", "keyframe"):
            yield begin + f"for o in (m, d, n, e):\n  def go():\n    v = o.{kind}({index})\n    repr(v); [sneak(lambda: getattr(v, a)) for a in dir(v) if a[0] != '_']; v.id; v.name\n  sneak(go)" if index in ("-1", "10**9", "'none'", "np.array([1, 2])") or kind in ("body", "key") else begin + f"m.{kind}({index}); d.{kind}({index})"


CLASSES = {f.__name__: f for f in (wild, combinations, copies_in_hooks, closers, encodings, collections_of_files, bindings)}
