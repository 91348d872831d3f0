"""Random values of attributes: by element and attribute, or by attribute alone."""

BOOL = ("false", "true")
AUTO = ("false", "true", "auto")
FLAG = ("disable", "enable")
IMAGE_SIZES = (1, 2, 8, 16)


def number(value):
    return f"{value:.5g}"


def numbers(values):
    return " ".join(number(v) for v in values)


def uniform(low, high, count=1):
    return lambda r: numbers(r.uniform(low, high) for _ in range(count))


def up_to(low, high, most):
    """Between one and ``most`` numbers."""
    return lambda r: numbers(r.uniform(low, high) for _ in range(r.randint(1, most)))


def integer(low, high, count=1):
    return lambda r: " ".join(str(r.randint(low, high)) for _ in range(count))


def choice(*words):
    return lambda r: r.choice(words)


def ordered(low, high):
    """Two different numbers in ascending order."""
    def make(r):
        first, second = sorted((r.uniform(low, high), r.uniform(low, high)))
        return numbers((first, second + 0.01))
    return make


def words(*known):
    """Some of the words, in their order."""
    return lambda r: " ".join(w for w in known if r.random() < 0.4) or r.choice(known)


def solref(r):
    if r.random() < 0.2:
        return numbers((-r.uniform(50, 2000), -r.uniform(1, 50)))
    return numbers((r.uniform(0.01, 0.1), r.uniform(0.5, 1.5))) if r.random() < 0.8 else number(r.uniform(0.01, 0.1))


def solimp(r):
    full = (r.uniform(0.3, 0.9), r.uniform(0.9, 0.99), r.uniform(0.0005, 0.01), r.uniform(0.2, 0.8), r.choice((1, 2, 3)))
    return numbers(full[:r.choice((1, 2, 3, 4, 5, 5))])


def unit(r, size):
    return numbers(r.gauss(0, 1) for _ in range(size))


def euler_sequence(r):
    return "".join(r.choice("xyzXYZ") for _ in range(3))


BY_ELEMENT = {
    "compiler": {
        "balanceinertia": choice(*BOOL), "boundinertia": uniform(0, 0.01), "boundmass": uniform(0, 0.5),
        "settotalmass": uniform(0.5, 10), "inertiagrouprange": choice("0 2", "0 0", "1 4", "0 5", "3 5"),
        "inertiafromgeom": choice("auto", "auto", "auto", "true", "false"), "strippath": choice(*BOOL),
        "fusestatic": choice("false"), "fitaabb": choice(*BOOL), "discardvisual": choice(*BOOL),
        "autolimits": choice("true", "true", "true", "false"), "angle": choice("radian", "degree"),
        "coordinate": choice("local"), "eulerseq": euler_sequence, "usethread": choice(*BOOL),
        "alignfree": choice(*BOOL), "saveinertial": choice(*BOOL), "meshdir": None, "texturedir": None,
        "assetdir": None,
    },
    "lengthrange": {
        "accel": uniform(5, 40), "interval": uniform(0.5, 2), "inttotal": uniform(3, 8), "maxforce": uniform(0, 10),
        "mode": choice("none", "muscle", "muscleuser", "all"), "timeconst": uniform(0.5, 2),
        "timestep": uniform(0.005, 0.02), "tolrange": uniform(0.05, 0.5), "useexisting": choice(*BOOL),
        "uselimit": choice(*BOOL),
    },
    "option": {
        "timestep": choice("0.001", "0.002", "0.005"), "density": choice("0", "1.2", "100", "1000"),
        "viscosity": choice("0", "0.1", "1"), "wind": uniform(-2, 2, 3), "gravity": uniform(-10, 2, 3),
        "magnetic": uniform(-1, 1, 3), "impratio": choice("1", "10", "0.5"), "iterations": choice("100", "50", "3"),
        "ls_iterations": choice("50", "20", "5"), "noslip_iterations": choice("0", "1", "5"),
        "ccd_iterations": choice("35", "50", "12"), "sdf_iterations": integer(3, 12),
        "sdf_initpoints": integer(5, 40), "tolerance": choice("1e-8", "1e-10", "1e-6", "0"),
        "ls_tolerance": choice("0.01", "0.001"), "noslip_tolerance": choice("1e-6", "1e-8"),
        "ccd_tolerance": choice("1e-6", "1e-5", "1e-8"), "sleep_tolerance": choice("0.0001", "0.01", "10"),
        "integrator": choice("Euler", "RK4", "implicit", "implicitfast"), "solver": choice("Newton", "CG", "PGS"),
        "cone": choice("pyramidal", "elliptic"), "jacobian": choice("dense", "sparse", "auto"),
        "actuatorgroupdisable": integer(0, 5), "o_margin": uniform(0, 0.02), "o_solref": solref, "o_solimp": solimp,
        "o_friction": up_to(0.01, 1, 5),
    },
    "flag": {},
    "size": {
        "memory": choice("20M", "50M", "-1"), "nconmax": choice("-1", "200"), "njmax": choice("-1", "500"),
        "nstack": choice("-1", "100000"), "nkey": choice("0"), "nuserdata": integer(0, 4),
        **{f"nuser_{kind}": integer(-1, 4) for kind in
           ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")},
    },
    "global": {"cameraid": integer(-1, 1), "orthographic": choice(*BOOL), "offwidth": integer(100, 900),
               "offheight": integer(100, 900), "ellipsoidinertia": choice(*BOOL), "bvactive": choice(*BOOL)},
    "quality": {name: integer(1, 40) for name in ("numquads", "numslices", "numstacks", "offsamples", "shadowsize")},
    "headlight": {"active": integer(0, 1)},
    "statistic": {"center": uniform(-1, 1, 3)},
    "joint": {
        "range": ordered(-1.2, 1.2), "axis": lambda r: unit(r, 3), "limited": choice(*AUTO),
        "springdamper": uniform(0.1, 2, 2), "springref": uniform(-0.5, 0.5), "ref": uniform(-0.5, 0.5),
        "stiffness": uniform(0, 20), "armature": uniform(0, 0.3), "damping": uniform(0, 1),
        "actuatorgravcomp": choice(*BOOL), "margin": uniform(0, 0.2), "coef": uniform(-2, 2),
    },
    "freejoint": {"align": choice(*AUTO)},
    "geom": {
        "friction": up_to(0.01, 1, 3), "mass": uniform(0.05, 2), "density": uniform(100, 2000),
        "condim": choice("1", "3", "4", "6"), "contype": integer(0, 3), "conaffinity": integer(0, 3),
        "priority": integer(-1, 2), "solmix": uniform(0, 2), "gap": uniform(0, 0.02), "margin": uniform(0, 0.03),
        "shellinertia": choice(*BOOL), "fluidshape": choice("none", "ellipsoid"), "fluidcoef": up_to(0, 1.5, 5),
        "fitscale": uniform(0.5, 2),
    },
    "camera": {
        "mode": choice("fixed", "track", "trackcom"), "fovy": uniform(10, 90), "ipd": uniform(0.01, 0.1),
        "resolution": integer(1, 12, 2), "sensorsize": uniform(0.001, 0.01, 2), "focal": uniform(0.001, 0.02, 2),
        "focalpixel": integer(1, 200, 2), "principal": uniform(-0.01, 0.01, 2), "principalpixel": integer(0, 5, 2),
        "projection": choice("perspective", "orthographic"),
        "output": words("rgb", "depth", "distance", "normal", "segmentation"),
    },
    "light": {
        "mode": choice("fixed", "track", "trackcom"), "type": choice("spot", "directional", "point", "image"),
        "dir": lambda r: unit(r, 3), "active": choice(*BOOL), "directional": choice(*BOOL),
        "castshadow": choice(*BOOL), "ambient": uniform(0, 1, 3), "diffuse": uniform(0, 1, 3),
        "specular": uniform(0, 1, 3), "range": uniform(0, 10), "attenuation": uniform(0, 1, 3),
    },
    "mesh": {
        "inertia": choice("convex", "legacy", "exact", "shell"), "maxhullvert": choice("-1", "4", "8", "20"),
        "scale": lambda r: numbers(r.uniform(0.5, 1.5) * r.choice((1, 1, 1, -1)) for _ in range(3)),
        "refpos": uniform(-0.1, 0.1, 3), "refquat": lambda r: unit(r, 4), "smoothnormal": choice(*BOOL),
    },
    "hfield": {}, "skin": {"inflate": uniform(0, 0.02)}, "bone": {},
    "texture": {
        "builtin": choice("gradient", "checker", "flat"), "type": choice("2d", "cube", "skybox"),
        "mark": choice("none", "edge", "cross", "random"), "random": uniform(0, 0.3), "rgb1": uniform(0, 1, 3),
        "rgb2": uniform(0, 1, 3), "markrgb": uniform(0, 1, 3), "hflip": choice(*BOOL), "vflip": choice(*BOOL),
        "colorspace": choice("auto", "linear", "sRGB"), "nchannel": choice("1", "3", "4"),
    },
    "material": {"texrepeat": uniform(0.5, 3, 2), "texuniform": choice(*BOOL), "metallic": uniform(0, 1),
                 "roughness": uniform(0, 1)},
    "body": {"gravcomp": uniform(-0.5, 1.5), "sleep": choice("auto", "never", "allowed", "init")},
    "inertial": {"mass": uniform(0.1, 3), "diaginertia": lambda r: numbers(r.uniform(0.02, 0.03) for _ in range(3)),
                 "fullinertia": lambda r: numbers([r.uniform(0.02, 0.03) for _ in range(3)]
                                                  + [r.uniform(-0.005, 0.005) for _ in range(3)])},
    "pair": {"friction": up_to(0.01, 1, 5), "condim": choice("1", "3", "4", "6"), "gap": uniform(0, 0.02),
             "margin": uniform(0, 0.03)},
    "connect": {}, "equality": {},
    "weld": {"relpose": lambda r: f"{uniform(-0.2, 0.2, 3)(r)} {r.choice((unit(r, 4), '1 0 0 0', '0 1 0 0'))}",
             "torquescale": uniform(0, 2)},
    "tendon": {}, "spatial": {}, "fixed": {},
    "general": {
        "dyntype": choice("none", "integrator", "filter", "filterexact", "muscle"),
        "gaintype": choice("fixed", "affine", "muscle"), "biastype": choice("none", "affine", "muscle"),
        "gainprm": up_to(0.1, 3, 10), "biasprm": up_to(-3, 0, 10), "dynprm": up_to(0.05, 2, 10),
        "actearly": choice(*BOOL), "actdim": choice("-1", "1", "2"), "actlimited": choice(*AUTO),
    },
    "position": {"kp": uniform(0.1, 50), "kv": uniform(0, 5), "dampratio": uniform(0.2, 1.5),
                 "timeconst": uniform(0, 0.5), "inheritrange": uniform(0, 1.5)},
    "intvelocity": {"kp": uniform(0.1, 50), "kv": uniform(0, 5), "dampratio": uniform(0.2, 1.5),
                    "inheritrange": uniform(0.1, 1.5)},
    "velocity": {"kv": uniform(0, 5)},
    "damper": {"kv": uniform(0, 5), "ctrlrange": lambda r: numbers((0, r.uniform(0.1, 2)))},
    "cylinder": {"timeconst": uniform(0.1, 1), "area": uniform(0.1, 1), "diameter": uniform(0.1, 1),
                 "bias": uniform(-1, 1, 3)},
    "muscle": {"timeconst": uniform(0.01, 0.1, 2), "tausmooth": uniform(0, 0.1), "range": choice("0.75 1.05", "0.5 1.2"),
               "force": choice("-1", "10", "3.5"), "scale": uniform(50, 200), "lmin": uniform(0.3, 0.5),
               "lmax": uniform(1.4, 1.8), "vmax": uniform(1, 2), "fpmax": uniform(1, 2), "fvmax": uniform(1, 1.5)},
    "adhesion": {"gain": uniform(0, 5), "ctrlrange": lambda r: numbers((0, r.uniform(0.1, 2)))},
    "user": {"dim": integer(1, 4), "needstage": choice("pos", "vel", "acc"),
             "datatype": choice("real", "positive"), "objtype": None, "objname": None},
    "rangefinder": {"data": words("dist", "dir", "origin", "point", "normal", "depth")},
    "contact": {"data": words("found", "force", "torque", "dist", "pos", "normal", "tangent"),
                "reduce": choice("none", "mindist", "maxforce", "netforce"), "num": integer(1, 4)},
    "flexcontact": {
        "friction": up_to(0.01, 1, 3), "condim": choice("1", "3", "4", "6"), "contype": integer(0, 3),
        "conaffinity": integer(0, 3), "priority": integer(-1, 2), "solmix": uniform(0, 2), "gap": uniform(0, 0.02),
        "margin": uniform(0, 0.03), "internal": choice(*BOOL), "passive": choice(*BOOL),
        "selfcollide": choice("none", "narrow", "bvh", "sap", "auto"), "vertcollide": choice(*BOOL),
        "activelayers": integer(1, 2),
    },
    "elasticity": {"young": uniform(100, 20000), "poisson": uniform(0, 0.4), "damping": uniform(0, 0.01),
                   "thickness": uniform(0.001, 0.02), "elastic2d": choice("none", "bend", "stretch", "both")},
    "edge": {"stiffness": uniform(0, 100), "damping": uniform(0, 1), "equality": choice("true", "false", "vert")},
    "flexcomp": {"rigid": choice("false", "false", "true"), "radius": uniform(0.005, 0.03), "flatskin": choice(*BOOL),
                 "inertiabox": uniform(0.001, 0.01), "mass": uniform(0.1, 2), "scale": uniform(0.5, 2, 3),
                 "pos": uniform(-0.3, 0.6, 3)},
    "flex": {"radius": uniform(0.005, 0.03), "flatskin": choice(*BOOL)},
}

BY_NAME = {
    "pos": uniform(-0.3, 0.3, 3), "quat": lambda r: unit(r, 4),
    "axisangle": lambda r: f"{unit(r, 3)} {number(r.uniform(-3, 3))}", "euler": uniform(-1.5, 1.5, 3),
    "xyaxes": lambda r: unit(r, 6), "zaxis": lambda r: unit(r, 3),
    "solref": solref, "solimp": solimp, "solreffriction": solref, "solreflimit": solref, "solimplimit": solimp,
    "solimpfriction": solimp, "solreffix": solref, "solimpfix": solimp,
    "group": integer(0, 5), "rgba": uniform(0, 1, 4), "user": up_to(-1, 1, 3), "margin": uniform(0, 0.1),
    "limited": choice(*AUTO), "range": ordered(0.1, 2), "stiffness": uniform(0, 20), "damping": uniform(0, 1),
    "frictionloss": uniform(0, 0.5), "armature": uniform(0, 0.1), "springlength": choice("0.2", "0.1 0.4", "-1"),
    "width": uniform(0.001, 0.01), "actuatorfrcrange": ordered(-2, 2), "actuatorfrclimited": choice(*AUTO),
    "active": choice(*BOOL), "polycoef": up_to(-1, 1, 5), "anchor": uniform(-0.2, 0.2, 3),
    "gear": up_to(-2, 2, 6), "ctrlrange": ordered(-1, 1), "forcerange": ordered(-2, 2), "actrange": ordered(-1, 1),
    "lengthrange": ordered(0.1, 2), "ctrllimited": choice(*AUTO), "forcelimited": choice(*AUTO),
    "cranklength": uniform(0.2, 1), "nsample": integer(0, 4), "interp": choice("zoh", "linear", "cubic"),
    "delay": uniform(0, 0.01), "interval": lambda r: r.choice((number(r.uniform(0, 0.01)), uniform(0, 0.01, 2)(r))),
    "cutoff": uniform(0, 2), "noise": uniform(0, 0.1),
    "emission": uniform(0, 1), "specular": uniform(0, 1), "shininess": uniform(0, 1), "reflectance": uniform(0, 1),
    "inflate": uniform(0, 0.02), "size": uniform(0.02, 0.15, 3), "dim": None, "data": None,
}

# Written by the code that knows what they refer to.
REFERENCES = {
    "name", "class", "childclass", "material", "texture", "mesh", "hfield", "joint", "joint1", "joint2", "site",
    "site1", "site2", "refsite", "slidersite", "cranksite", "jointinparent", "tendon", "tendon1", "tendon2", "body",
    "body1", "body2", "geom", "geom1", "geom2", "subtree1", "subtree2", "flex", "camera", "actuator", "target",
    "objtype", "objname", "reftype", "refname", "model", "prefix", "plugin", "instance", "file", "content_type",
    "mocap", "fromto", "type", "vertex", "face", "normal", "texcoord", "node", "element", "elemtexcoord", "dim",
}


def value(r, path, attribute):
    """Text of an attribute, or None when it is left to the caller."""
    element = path.rsplit("/", 1)[-1]
    if path.endswith(("flexcomp/contact", "flex/contact")):
        element = "flexcontact"
    if element == "flag":
        return r.choice(FLAG)
    table = BY_ELEMENT.get(element, {})
    if attribute in table:
        make = table[attribute]
        return make and make(r)
    if attribute in REFERENCES:
        return None
    if path.startswith("visual/"):
        return uniform(0, 1, 4)(r) if element == "rgba" else uniform(0.1, 1, 3 if element == "headlight" else 1)(r)
    if attribute in BY_NAME:
        make = BY_NAME[attribute]
        return make and make(r)
    return uniform(0.1, 2)(r)
