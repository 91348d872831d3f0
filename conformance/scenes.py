"""Compares scenes: geoms, lights, cameras, flexes and skins of MuJoCo and Ligament, in random states and with random
options, cameras and perturbations.

    scenes.py MODEL... [--scenes 20] [--seed 0] [--states 2] [--sweep]

MODEL is a file, or a folder whose models are all taken. With --sweep, each flag, label and frame also has a scene of its
own. Prints what differs; PYTHONPATH should hold Ligament.
"""

import argparse
import pathlib
import sys

import numpy as np

GEOM = ("type", "dataid", "objtype", "objid", "category", "matid", "texcoord", "segid", "size", "pos", "mat", "rgba",
        "emission", "specular", "shininess", "reflectance", "label", "modelrbound")
IDENTITY = ("objtype", "objid", "category", "segid")
LIGHT = ("id", "pos", "dir", "type", "texid", "attenuation", "cutoff", "exponent", "ambient", "diffuse", "specular",
         "headlight", "castshadow", "bulbradius", "intensity", "range")
CAMERA = ("pos", "forward", "up", "frustum_center", "frustum_width", "frustum_bottom", "frustum_top", "frustum_near",
          "frustum_far", "orthographic")
SCENE = ("ngeom", "nlight", "nflex", "nskin", "flexedgeadr", "flexedgenum", "flexvertadr", "flexvertnum", "flexfaceadr",
         "flexfacenum", "flexfaceused", "flexedge", "skinfacenum", "skinvertadr", "skinvertnum", "translate", "rotate",
         "scale", "enabletransform", "stereo", "flags", "framewidth", "framergb", "status")
OPTION_GROUPS = ("geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup", "flexgroup", "skingroup")
PERTURB = ("select", "flexselect", "skinselect", "active", "active2", "refpos", "refquat", "refselpos", "localpos",
           "localmass", "scale")
STATE = ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "xfrc_applied", "qacc_warmstart", "eq_active",
         "userdata")
# Relative to the size of the model: positions are single precision numbers of nearly equal double precision ones.
TOLERANCE = 2e-6
MAXGEOM = 20000
FLAGS, LABELS, FRAMES = 31, 17, 8


class Pair:
    """A model and its state in both packages."""

    def __init__(self, ours, theirs, path):
        self.packages = ours, theirs
        self.models = [package.MjModel.from_xml_path(str(path)) for package in self.packages]
        self.datas = [package.MjData(model) for package, model in zip(self.packages, self.models)]
        self.scenes = [package.MjvScene(model, MAXGEOM) for package, model in zip(self.packages, self.models)]

    def each(self, function):
        return [function(*both) for both in zip(self.packages, self.models, self.datas)]

    def randomise(self, random, steps):
        """A random state, the same in both."""
        (ours, theirs), (model, _), (data, reference) = self.packages, self.models, self.datas
        theirs.mj_resetData(self.models[1], reference)
        if model.nkey and random.random() < 0.5:
            theirs.mj_resetDataKeyframe(self.models[1], reference, int(random.integers(model.nkey)))
        reference.ctrl[:] = 0.3 * random.standard_normal(model.nu)
        reference.qvel[:] = 0.1 * random.standard_normal(model.nv)
        reference.xfrc_applied[:] = random.standard_normal((model.nbody, 6)) * (random.random((model.nbody, 1)) < 0.2)
        ours.mj_resetData(model, data)
        sleeps = model.opt.enableflags & ours.mjtEnableBit.mjENBL_SLEEP
        if sleeps or model.nplugin:  # what sleeps, and what plugins draw, depends on the past
            self.copy_state()
            for _ in range(steps):
                self.each(lambda package, m, d: package.mj_step(m, d))
            if not sleeps:
                self.copy_state()
        else:
            for _ in range(steps):
                theirs.mj_step(self.models[1], reference)
            self.copy_state()
        self.each(lambda package, m, d: package.mj_forward(m, d))

    def copy_state(self):
        data, reference = self.datas
        for field in STATE:
            getattr(data, field)[...] = getattr(reference, field)
        data.time = reference.time


def random_option(random, package):
    option = package.MjvOption()
    option.label = int(random.integers(LABELS))
    option.frame = int(random.integers(FRAMES))
    for group in OPTION_GROUPS:
        getattr(option, group)[:] = random.random(6) < 0.8
    option.flags[:] = random.random(FLAGS) < random.choice((0.3, 0.8))
    option.bvh_depth = int(random.integers(4))
    option.flex_layer = int(random.integers(2))
    return option


def single_options():
    """Functions that make an option with one flag and no other, all flags but one, or one kind of labels or frames."""
    def with_flags(flag, on):
        def make(_, package):
            option = package.MjvOption()
            option.flags[:] = not on
            option.flags[flag] = on
            return option
        return make

    def with_number(field, number):
        def make(_, package):
            option = package.MjvOption()
            setattr(option, field, number)
            return option
        return make

    return ([with_flags(flag, on) for flag in range(FLAGS) for on in (True, False)] +
            [with_number("label", label) for label in range(LABELS)] + [with_number("frame", frame) for frame in range(FRAMES)])


def random_camera(random, package, model):
    camera = package.MjvCamera()
    package.mjv_defaultFreeCamera(model, camera)
    kind = random.integers(3)
    camera.azimuth, camera.elevation = random.uniform(-180, 180), random.uniform(-80, 80)
    camera.distance *= random.uniform(0.3, 2)
    if kind == 1:
        camera.type, camera.trackbodyid = 1, int(random.integers(model.nbody))
    elif kind == 2 and model.ncam:
        camera.type, camera.fixedcamid = 2, int(random.integers(model.ncam))
    return camera


def random_perturb(random, package, model):
    perturb = package.MjvPerturb()
    perturb.select = int(random.integers(-1, model.nbody))
    perturb.flexselect = int(random.integers(-1, model.nflex)) if model.nflex else -1
    perturb.skinselect = int(random.integers(-1, model.nskin)) if model.nskin else -1
    perturb.active, perturb.active2 = int(random.integers(4)), int(random.integers(4))
    perturb.localpos[:] = 0.1 * random.standard_normal(3)
    return perturb


class Comparison:
    """Collects differences, and counts numbers that agree."""

    def __init__(self, extent):
        self.extent, self.found, self.numbers, self.inexact = max(extent, 1e-6), [], 0, 0

    def compare(self, where, actual, expected):
        if isinstance(expected, str):
            if actual != expected:
                self.found.append(f"{where}: {actual!r} instead of {expected!r}")
            return
        actual, expected = np.asarray(actual), np.asarray(expected)
        if actual.shape != expected.shape or actual.dtype.kind != expected.dtype.kind:
            self.found.append(f"{where}: {actual.dtype}{actual.shape} instead of {expected.dtype}{expected.shape}")
            return
        self.numbers += expected.size
        equal = (actual == expected) | (np.isnan(actual) & np.isnan(expected) if expected.dtype.kind == "f" else False)
        self.inexact += int(np.count_nonzero(~equal))
        if np.all(equal):
            return
        scale = np.maximum(np.abs(expected.astype(float)), 1.0 if expected.dtype.kind != "f" else self.extent)
        error = np.max(np.where(equal, 0, np.abs(actual.astype(float) - expected) / scale))
        if expected.dtype.kind != "f" or not error < TOLERANCE:
            self.found.append(f"{where}: {np.ravel(actual)[:9]} instead of {np.ravel(expected)[:9]} ({error:.2g})")

    def records(self, name, actual, expected, fields, count):
        for index in range(count):
            before = len(self.found)
            # MuJoCo leaves in the ends of searches of distance fields what memory held
            nameless = name == "geoms" and actual[index].objid == actual[index].segid == -1
            for field in (field for field in fields if not (nameless and field in IDENTITY)):
                self.compare(f"{name}[{index}].{field}", getattr(actual[index], field), getattr(expected[index], field))
            if len(self.found) > before + 4:
                break

    def scenes(self, actual, expected):
        for field in SCENE:
            self.compare(field, getattr(actual, field), getattr(expected, field))
        self.records("camera", actual.camera, expected.camera, CAMERA, 2)
        self.records("lights", actual.lights, expected.lights, LIGHT, min(actual.nlight, expected.nlight))
        self.records("geoms", actual.geoms, expected.geoms, GEOM, min(actual.ngeom, expected.ngeom))

    def surfaces(self, actual, expected, skins):
        """Vertices and faces in use; the rest of the memory was never written by the reference."""
        self.compare("flexvert", actual.flexvert, expected.flexvert)
        for flex in range(expected.nflex):
            first, count = int(expected.flexfaceadr[flex]), int(expected.flexfaceused[flex])
            for field in ("flexface", "flexnormal"):
                part = slice(9 * first, 9 * (first + count))
                self.compare(f"{field}[{flex}]", getattr(actual, field)[part], getattr(expected, field)[part])
        if skins:
            self.compare("skinvert", actual.skinvert, expected.skinvert)
            self.compare("skinnormal", actual.skinnormal, expected.skinnormal)


def compare_model(ours, theirs, path, scenes=20, states=2, seed=0, sweep=False):
    """Differences as texts, how many numbers were compared, how many are not equal to the last bit. With `sweep`, each
    flag, label and frame has a scene of its own beside the random ones."""
    pair = Pair(ours, theirs, path)
    random = np.random.default_rng(seed)
    comparison = Comparison(pair.models[1].stat.extent)
    for state in range(states):
        pair.randomise(random, int(random.integers(1, 20)))
        makers = [random_option] * (scenes // states) + (single_options() if sweep and state == 0 else [])
        for number, make in enumerate(makers):
            compare_scene(pair, random.integers(1 << 30), comparison, make)
            if comparison.found:
                comparison.found = [f"state {state}, scene {number}: {text}" for text in comparison.found[:20]]
                return comparison
    return comparison


def compare_scene(pair, seed, comparison, make=random_option):
    if pair.models[0].nmesh:  # Ligament does not mark volumes of meshes, which rays visit
        of_meshes = slice(pair.models[0].mesh_bvhadr.min(), pair.models[0].nbvhstatic)
        pair.datas[0].bvh_active[of_meshes] = pair.datas[1].bvh_active[of_meshes]
    perturbs, cameras = [], []
    for package, model, data, scene in zip(pair.packages, pair.models, pair.datas, pair.scenes):
        random = np.random.default_rng(seed)
        option = make(random, package)
        camera, perturb = random_camera(random, package, model), random_perturb(random, package, model)
        package.mjv_updateCamera(model, data, camera, scene)  # planes and perturbations look at the camera before
        if perturb.select > 0 and random.random() < 0.7:
            package.mjv_initPerturb(model, data, scene, perturb)
            package.mjv_movePerturb(model, data, int(random.integers(1, 8)), 0.1, 0.2, scene, perturb)
        package.mjv_updateScene(model, data, option, perturb if random.random() < 0.9 else None, camera,
                                int(random.choice((7, 7, 1, 2, 4, 6))), scene)
        package.mjv_moveCamera(model, int(random.integers(1, 8)), 0.1, -0.2, scene, camera)
        perturbs.append(perturb)
        cameras.append(camera)
    comparison.scenes(*pair.scenes)
    flags = option.flags
    if any(flags[24:28]):
        comparison.surfaces(*pair.scenes, skins=flags[23])
    comparison.records("perturb", perturbs[:1], perturbs[1:], PERTURB, 1)
    comparison.records("camera after a movement", cameras[:1], cameras[1:], ("lookat", "distance", "azimuth", "elevation"), 1)
    compare_selection(pair, seed, comparison)


def compare_selection(pair, seed, comparison):
    results = []
    for package, model, data, scene in zip(pair.packages, pair.models, pair.datas, pair.scenes):
        random = np.random.default_rng(seed + 1)
        point, ids = np.zeros(3), [np.zeros(1, np.int32) for _ in range(3)]
        # a scene that never showed its skins has whatever memory held in their place, in 3.5.0
        package.mjv_updateSkin(model, data, scene)
        body = package.mjv_select(model, data, package.MjvOption(), 1.3, *random.random(2), scene, point, *ids)
        results.append((body, point if body >= 0 else np.zeros(3), np.concatenate(ids)))
    for name, actual, expected in zip(("body", "point", "ids"), *results):
        comparison.compare(f"selected {name}", actual, expected)
    if pair.models[0].nplugin:  # MuJoCo's rays make distance fields forget where contacts were searched
        pair.each(lambda package, model, data: package.mj_forward(model, data))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--scenes", type=int, default=20)
    parser.add_argument("--states", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="take only every n-th model")
    options = parser.parse_args()
    import ligament
    import mujoco
    files = [file for path in options.models for file in (sorted(path.rglob("*.xml")) if path.is_dir() else [path])]
    good = bad = numbers = inexact = 0
    for file in files[::options.every]:
        try:
            mujoco.MjModel.from_xml_path(str(file))
        except ValueError:
            continue  # a part of a model
        try:
            result = compare_model(ligament, mujoco, file, options.scenes, options.states, options.seed, options.sweep)
        except Exception as error:  # pylint: disable=broad-except
            print(f"{file}: {type(error).__name__}: {error}", flush=True)
            bad += 1
            continue
        numbers, inexact = numbers + result.numbers, inexact + result.inexact
        good, bad = good + (not result.found), bad + bool(result.found)
        for text in result.found[:6]:
            print(f"{file}: {text}", flush=True)
    print(f"{good} models agree, {bad} differ; {numbers} numbers, {inexact} not equal to the last bit")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
