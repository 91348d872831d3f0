"""Every function that takes numbers and arrays gives the numbers of the reference, or refuses as it does.

A function is called with random arguments of its types, or as its recipe says; it must return numbers that can be
compared at least once. Those that cannot are listed with a reason, and a listed one that could compare is an error.
"""

import pathlib
import re

import ligament
import models
import mujoco
import numpy as np
import pytest
from test_interface import FUNCTIONS, parameters

# what a call would do to the process, the disk or the screen
NEVER_CALLED = {
    "mju_writeLog": "writes a file", "mju_printMat": "prints", "mju_printMatSparse": "prints",
    "mj_printData": "writes a file", "mj_printModel": "writes a file", "mj_printFormattedData": "writes a file",
    "mj_printFormattedModel": "writes a file", "mj_printScene": "writes a file", "mj_printFormattedScene": "writes a file", "mj_printSchema": "writes a file", "mj_saveLastXML": "writes a file",
    "mj_saveModel": "writes a file", "mj_loadAllPluginLibraries": "loads code into the process",
    "mj_loadPluginLibrary": "loads code into the process", "mju_raySkin": "3.5.0 reads beyond arrays of other sizes",
    "mj_defaultSolRefImp": "3.5.0 takes numbers where arrays belong and writes behind them",
    "mj_clearCache": "changes the cache of the process", "mj_setCacheCapacity": "changes the cache of the process",
    "mj_getCacheCapacity": "of a cache that Ligament does not have", "mj_getCacheSize": "of a cache that Ligament does not have",
}
# numbers that have no counterpart
NOT_COMPARABLE = {
    "mju_standardNormal": "random", "mj_getCache": "an object",
    "mju_getXMLDependencies": "names of files, see test_spec.py", "mj_resetCallbacks": "takes and gives nothing",
}
# functions on objects for drawing: the file that compares them
ELSEWHERE = dict.fromkeys("""mjv_applyPerturbForce mjv_applyPerturbPose mjv_averageCamera mjv_cameraFrame mjv_cameraFrustum
    mjv_cameraInModel mjv_cameraInRoom mjv_connector mjv_defaultFigure mjv_frustumHeight mjv_initGeom mjv_initPerturb
    mjv_makeLights mjv_model2room mjv_moveCamera mjv_moveModel mjv_movePerturb mjv_room2model mjv_updateCamera
    mjv_updateScene""".split(), "test_scenes.py")
NEVER_CALLED.update({name: "3.5.0 ends the process when it draws without a window system; see test_render.py"
                     for name in FUNCTIONS if name.startswith("mjr_")})


def typed_parameters(name):
    """Type of each parameter in the reference's docstring."""
    line = getattr(mujoco, name).__doc__.split("\n")[0]
    names = [parameter for parameter, _ in parameters(line)]
    starts, at = [], 0
    for parameter in names:
        at = re.compile(rf"\b{re.escape(parameter)}: ").search(line, at).start()
        starts.append(at)
    return [line[start:end] for start, end in zip(starts, starts[1:] + [len(line)])]


def argument(text, random, size):
    """A value of the type of a parameter, or None when it takes something else."""
    if "NDArray" in text:
        kind = re.search(r"numpy\.(float64|float32|int32|uint8)", text)[1]
        sides = [side.strip() for side in re.search(r'"\[(.*?)\]"', text)[1].split(",")]
        shape = [int(side) if side.isdigit() else size for side in sides]
        shape = shape[:1] if shape[1] == 1 else shape
        values = random.standard_normal(shape)
        return (values if kind == "float64" else np.abs(2 * values)).astype(kind)
    if "SupportsInt" in text:
        return int(random.integers(0, 3))
    if "SupportsFloat" in text:
        return float(1.3 * random.standard_normal())
    return None


def any_arguments(name):
    """Arguments by type: a function of the package, model, state and random numbers."""
    types = typed_parameters(name)

    def make(package, m, d, random):
        size = m.nv if name.startswith("mj_") else 4
        return [m if "MjModel" in t else d if "MjData" in t else argument(t, random, size) for t in types]
    return make


def jacobians(*rest):
    """Two Jacobians, then random numbers: an id below the number, or a vector of its length."""
    def make(package, m, d, random):
        values = [int(random.integers(0, getattr(m, x))) if isinstance(x, str) else random.standard_normal(x) for x in rest]
        return [m, d, np.zeros((3, m.nv)), np.zeros((3, m.nv)), *values]
    return make


def positive(random, n):
    """A symmetric positive matrix."""
    root = random.standard_normal((n, n))
    return root @ root.T + n * np.eye(n)


def banded(random, n, band, dense):
    """A positive matrix with a band and dense rows at the end, in band storage."""
    matrix = positive(random, n)
    i, j = np.indices((n, n))
    keep = (np.abs(i - j) < band) | (i >= n - dense) | (j >= n - dense)
    storage = np.zeros((n - dense) * band + dense * n)
    mujoco.mju_dense2Band(storage, np.where(keep, matrix, 0), n, band, dense)
    return storage


STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
BAND = 6, 3, 2
QUAT = np.array([0.5, 0.5, -0.5, 0.5])


def delayed(package, history):
    """A model with a delayed actuator and a delayed sensor, after a few steps."""
    m = package.MjModel.from_xml_string(
        '<mujoco><worldbody><body><joint name="j"/><geom size=".1" pos=".1 0 0"/></body></worldbody><actuator>'
        '<motor joint="j" delay=".01" nsample="6"/></actuator><sensor><jointpos joint="j" delay=".01" nsample="6"/></sensor></mujoco>')
    d = package.MjData(m)
    d.ctrl[0] = 0.7
    for _ in range(history):
        package.mj_step(m, d)
    return m, d


def lengths(package):
    m = package.MjModel.from_xml_string(
        '<mujoco><worldbody><body><joint name="j" range="-40 30" axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body></worldbody>'
        '<actuator><motor joint="j"/></actuator></mujoco>')
    return m, package.MjData(m)


def scene(package, text):
    m = package.MjModel.from_xml_string(text)
    d = package.MjData(m)
    package.mj_forward(m, d)
    return m, d


FIELD = ('<mujoco><asset><hfield name="h" nrow="4" ncol="5" size="1 1 .5 .1" elevation="0 1 2 1 0 1 2 3 2 1 0 1 2 1 0 2 1 0 1 2"/>'
         '<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><geom type="hfield" hfield="h"/>'
         '<geom type="mesh" mesh="m" pos="0 0 2"/><flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".2 .2 .2"/>'
         '</worldbody></mujoco>')


def ray_into(pick):
    def make(package, m, d, random):
        m, d = scene(package, FIELD)
        point, direction = random.standard_normal(3) + [0, 0, 3], -random.random(3) - [0, 0, 2]
        return pick(m, d, point, direction)
    return make


def hand_made(package, m, d, random):
    contact = package.MjContact()
    contact.dist, contact.dim = -0.01, 3
    contact.geom[:] = [0, m.ngeom - 1]
    contact.flex[:] = contact.elem[:] = contact.vert[:] = -1
    return [m, d, contact]


def drawn(package, m, d):
    """Options and a scene of the model."""
    options, scene = package.MjvOption(), package.MjvScene(m, 1000)
    camera = package.MjvCamera()
    package.mjv_defaultFreeCamera(m, camera)
    package.mjv_updateScene(m, d, options, None, camera, package.mjtCatBit.mjCAT_ALL, scene)
    return options, scene


def selection(package, m, d, random):
    options, scene = drawn(package, m, d)
    relx, rely = 0.3 + 0.4 * random.random(2)
    ids = [np.zeros((1, 1), np.int32) for _ in range(3)]
    return [m, d, options, 1.3, relx, rely, scene, np.zeros(3), *ids]


RECIPES = {
    "mj_RungeKutta": lambda p, m, d, r: [m, d, 4],
    "mj_addContact": hand_made,
    "mj_addM": lambda p, m, d, r: [m, d, np.zeros(m.nC), *(np.array(x) for x in (m.M_rownnz, m.M_rowadr, m.M_colind))],
    "mj_angmomMat": lambda p, m, d, r: [m, d, np.zeros((3, m.nv)), int(r.integers(1, m.nbody))],
    "mj_constraintUpdate": lambda p, m, d, r: [m, d, r.standard_normal(d.nefc), np.zeros(1), 1],
    "mj_defaultLROpt": lambda p, m, d, r: [p.MjLROpt()],
    "mj_defaultOption": lambda p, m, d, r: [p.MjOption()],
    "mj_defaultVisual": lambda p, m, d, r: [m.vis],
    "mj_copyData": lambda p, m, d, r: [p.MjData(m), m, d],
    "mj_differentiatePos": lambda p, m, d, r: [m, np.zeros(m.nv), 0.3, np.array(m.qpos0), np.array(d.qpos)],
    "mj_extractState": lambda p, m, d, r: [
        m, r.standard_normal(p.mj_stateSize(m, STATE)), STATE, np.zeros(p.mj_stateSize(m, 3)), 3],
    "mj_fullM": lambda p, m, d, r: [m, np.zeros((m.nv, m.nv)), np.array(d.qM)],
    "mj_geomDistance": lambda p, m, d, r: [m, d, int(r.integers(1, m.ngeom)), int(r.integers(1, m.ngeom)), 5.0, np.zeros(6)],
    "mj_getState": lambda p, m, d, r: [m, d, np.zeros(p.mj_stateSize(m, STATE)), STATE],
    "mj_initCtrlHistory": lambda p, m, d, r: [*delayed(p, 3), 0, np.arange(6.0), r.standard_normal(6)],
    "mj_initSensorHistory": lambda p, m, d, r: [*delayed(p, 3), 0, np.arange(6.0), r.standard_normal((6, 1)), 0.0],
    "mj_readCtrl": lambda p, m, d, r: [*delayed(p, 9), 0, 0.013, 0],
    "mj_readSensor": lambda p, m, d, r: [*delayed(p, 9), 0, 0.013, np.zeros(1), 0],
    "mj_integratePos": lambda p, m, d, r: [m, np.array(d.qpos), r.standard_normal(m.nv), 0.2],
    "mj_jac": jacobians(3, "nbody"), "mj_jacBody": jacobians("nbody"), "mj_jacBodyCom": jacobians("nbody"),
    "mj_jacDot": jacobians(3, "nbody"), "mj_jacGeom": jacobians("ngeom"), "mj_jacPointAxis": jacobians(3, 3, "nbody"),
    "mj_jacSite": jacobians("nsite"),
    "mj_jacSubtreeCom": lambda p, m, d, r: [m, d, np.zeros((3, m.nv)), int(r.integers(0, m.nbody))],
    "mj_local2Global": lambda p, m, d, r: [
        d, np.zeros(3), np.zeros(9), r.standard_normal(3), QUAT, int(r.integers(0, m.nbody)), int(r.integers(0, 5))],
    "mj_mulJacTVec": lambda p, m, d, r: [m, d, np.zeros(m.nv), r.standard_normal(d.nefc)],
    "mj_mulJacVec": lambda p, m, d, r: [m, d, np.zeros(d.nefc), r.standard_normal(m.nv)],
    "mj_multiRay": lambda p, m, d, r: [
        m, d, r.standard_normal(3), r.standard_normal(12), None, 1, -1, np.zeros(4, np.int32), np.zeros(4), np.zeros(12), 4, 10.0],
    "mj_name2id": lambda p, m, d, r: [m, int(p.mjtObj.mjOBJ_BODY), p.mj_id2name(m, int(p.mjtObj.mjOBJ_BODY), m.nbody - 1)],
    "mj_normalizeQuat": lambda p, m, d, r: [m, r.standard_normal(m.nq)],
    "mj_rayHfield": ray_into(lambda m, d, point, way: [m, d, 0, point, way, np.zeros(3)]),
    "mj_rayMesh": ray_into(lambda m, d, point, way: [m, d, 1, point + [0.3, 0.3, 0], way, np.zeros(3)]),
    "mj_rayFlex": ray_into(lambda m, d, point, way: [m, d, 0, 1, 1, 1, 0, 0, 0.1 * point, -0.1 * point, np.zeros(1, np.int32)]),
    "mj_setLengthRange": lambda p, m, d, r: [*lengths(p), 0, limits(p)],
    "mj_setState": lambda p, m, d, r: [m, d, 0.1 * r.standard_normal(p.mj_stateSize(m, 3)), 3],
    "mj_solveM2": lambda p, m, d, r: [m, d, np.zeros((2, m.nv)), r.standard_normal((2, m.nv)), 1 / np.sqrt(1 / d.qLDiagInv)],
    "mjd_inverseFD": lambda p, m, d, r: [
        m, d, 1e-6, 0, *(np.zeros((m.nv, n)) for n in (m.nv,) * 3 + (m.nsensordata,) * 3), np.zeros((m.nv, m.nM))],
    "mjd_subQuat": lambda p, m, d, r: [QUAT, r.standard_normal(4), np.zeros((3, 3)), np.zeros((3, 3))],
    "mjd_transitionFD": lambda p, m, d, r: [m, d, 1e-6, 1, *(
        np.zeros(shape) for shape in [(2 * m.nv + m.na,) * 2, (2 * m.nv + m.na, m.nu),
                                      (m.nsensordata, 2 * m.nv + m.na), (m.nsensordata, m.nu)])],
    "mju_Halton": lambda p, m, d, r: [int(r.integers(1, 50)), int(r.integers(2, 6))],
    "mju_band2Dense": lambda p, m, d, r: [np.zeros((6, 6)), banded(r, *BAND), *BAND, 1],
    "mju_bandDiag": lambda p, m, d, r: [int(r.integers(0, 6)), *BAND],
    "mju_bandMulMatVec": lambda p, m, d, r: [np.zeros(6), banded(r, *BAND), r.standard_normal(6), *BAND, 1, 1],
    "mju_boxQP": lambda p, m, d, r: [
        np.zeros(4), np.zeros((4, 11)), np.zeros(4, np.int32), positive(r, 4), r.standard_normal(4), np.full(4, -0.2), np.full(4, 0.1)],
    "mju_cholFactorBand": lambda p, m, d, r: [banded(r, *BAND), *BAND, 0.0, 0.0],
    "mju_cholSolveBand": lambda p, m, d, r: [np.zeros(6), factored(r), r.standard_normal(6), *BAND],
    "mju_decodePyramid": lambda p, m, d, r: [np.zeros(4), r.random(6), 0.1 + r.random(3)],
    "mju_encodePyramid": lambda p, m, d, r: [np.zeros(6), r.random(4), 0.1 + r.random(3)],
    "mju_dense2Band": lambda p, m, d, r: [np.zeros(4 * 3 + 2 * 6), positive(r, 6), *BAND],
    "mju_dense2sparse": lambda p, m, d, r: [
        np.zeros(12), np.where(r.random((3, 4)) < 0.5, r.random((3, 4)), 0), *(np.zeros(n, np.int32) for n in (3, 3, 12))],
    "mju_euler2Quat": lambda p, m, d, r: [np.zeros(4), r.standard_normal(3), str(r.choice(["xyz", "ZYX", "zxz", "XYX"]))],
    "mju_insertionSortInt": lambda p, m, d, r: [r.integers(-9, 9, 7).astype(np.int32)],
    "mju_rayGeom": lambda p, m, d, r: [
        0.2 * r.standard_normal(3), np.eye(3).ravel(), 0.3 + r.random(3), 2 * r.standard_normal(3), r.standard_normal(3),
        int(r.integers(2, 7)), *[np.zeros(3)] * (len(typed_parameters("mju_rayGeom")) - 6)],
    "mju_sparse2dense": lambda p, m, d, r: [
        np.zeros((2, 3)), r.standard_normal(3), np.array([2, 1], np.int32), np.array([0, 2], np.int32), np.array([0, 2, 1], np.int32)],
    "mjv_defaultCamera": lambda p, m, d, r: [p.MjvCamera()],
    "mjv_defaultOption": lambda p, m, d, r: [p.MjvOption()],
    "mjv_defaultPerturb": lambda p, m, d, r: [p.MjvPerturb()],
    "mjv_defaultFreeCamera": lambda p, m, d, r: [m, p.MjvCamera()],
    "mjv_addGeoms": lambda p, m, d, r: [
        m, d, drawn(p, m, d)[0], p.MjvPerturb(), int(p.mjtCatBit.mjCAT_ALL), drawn(p, m, d)[1]],
    "mjv_select": selection,
    "mjv_updateSkin": lambda p, m, d, r: [m, d, drawn(p, m, d)[1]],
    "mju_str2Type": lambda p, m, d, r: [str(r.choice(["body", "geom", "nonsense", "joint"]))],
}


def limits(package):
    options = package.MjLROpt()
    package.mj_defaultLROpt(options)
    options.mode = int(package.mjtLRMode.mjLRMODE_ALL)
    return options


def factored(random):
    storage = banded(random, *BAND)
    mujoco.mju_cholFactorBand(storage, *BAND, 0.0, 0.0)
    return storage


def outcome(function, arguments):
    try:
        return function(*arguments), None
    except (TypeError, ValueError, IndexError, ligament.FatalError, mujoco.FatalError) as error:
        return None, error


def compare(mine, other, place, undefined=()):
    """Compares numbers; returns how many there were."""
    if place in undefined:
        return 0
    if isinstance(other, np.ndarray):
        assert np.allclose(mine, other, rtol=1e-7, atol=1e-9, equal_nan=True), (place, mine, other)
        return other.size
    if isinstance(other, float):
        assert np.isclose(mine, other, rtol=1e-8, atol=1e-12, equal_nan=True), (place, mine, other)
        return 1
    if isinstance(other, (int, str, bytes, tuple, list)):
        assert mine == other, (place, mine, other)
        return 1
    if isinstance(other, mujoco.MjData):
        return sum(compare(getattr(mine, name), getattr(other, name), name, undefined) for name in STATE_FIELDS)
    if isinstance(other, (mujoco.MjLROpt, mujoco.MjOption, mujoco.MjvCamera, mujoco.MjvOption, mujoco.MjvPerturb, mujoco.MjvScene)):
        names = [name for name in dir(other) if isinstance(getattr(other, name), (int, float, np.ndarray))]
        return sum(compare(getattr(mine, name), getattr(other, name), name, undefined) for name in names)
    if isinstance(other, mujoco.MjVisual):
        groups = [name for name in dir(other) if not name.startswith("_") and not callable(getattr(other, name))]
        return sum(compare(getattr(getattr(mine, group), name), getattr(getattr(other, group), name), name)
                   for group in groups for name in dir(getattr(other, group))
                   if isinstance(getattr(getattr(other, group), name), (int, float, np.ndarray)))
    if isinstance(other, mujoco.MjModel):
        return sum(compare(getattr(mine, name), getattr(other, name), name) for name in MODEL_FIELDS)
    return 0


# what 3.5.0 leaves as it was in its memory: fields of the state, numbers of arguments
UNDEFINED = {
    **dict.fromkeys(["mj_fwdPosition", "mj_invPosition", "mj_makeConstraint", "mj_step1"], ["efc_force", "efc_aref"]),
    **dict.fromkeys(["mjv_addGeoms", "mjv_select", "mjv_updateSkin"], ["geomorder"]),
    "mju_boxQP": [1, 2],
}
STATE_FIELDS = [
    "time", "energy", "qpos", "qvel", "act", "qacc", "qacc_smooth", "act_dot", "sensordata", "xpos", "xquat", "xipos", "xanchor",
    "geom_xpos", "site_xpos", "cam_xmat", "subtree_com", "cdof", "cinert", "ten_length", "actuator_length", "actuator_velocity",
    "actuator_force", "crb", "qM", "M", "qLD", "cvel", "cdof_dot", "qfrc_bias", "qfrc_spring", "qfrc_damper", "qfrc_passive",
    "qfrc_actuator", "qfrc_smooth", "qfrc_constraint", "qfrc_inverse", "qfrc_applied", "xfrc_applied", "subtree_linvel", "subtree_angmom",
    "cacc", "cfrc_int", "cfrc_ext", "nefc", "ncon", "efc_pos", "efc_force", "efc_aref", "efc_D", "history"]
MODEL_FIELDS = ["body_subtreemass", "dof_invweight0", "body_invweight0", "actuator_lengthrange", "actuator_acc0", "qpos0", "dof_M0"]


def trials(name, make, count=5):
    """Calls a function of both packages; returns how many numbers were compared."""
    compared = 0
    for trial in range(count):
        calls = []
        for package, (m, d) in zip((ligament, mujoco), models.disturbed("tree", trial)):
            arguments = make(package, m, d, np.random.default_rng([len(name), trial]))
            if name not in RECIPES and any(x is None for x in arguments):
                return 0
            calls.append((arguments, outcome(getattr(package, name), arguments)))
        (ours, (result, error)), (theirs, (expected, refused)) = calls
        assert (error is None) == (refused is None), (error, refused)
        if refused is None:
            compared += compare(result, expected, "result")
            undefined = UNDEFINED.get(name, ())
            compared += sum(compare(mine, other, i, undefined) for i, (mine, other) in enumerate(zip(ours, theirs)))
    return compared


LISTED = {**NEVER_CALLED, **NOT_COMPARABLE, **ELSEWHERE}
COMPARED = [name for name in FUNCTIONS if name not in LISTED]


@pytest.mark.parametrize("name", COMPARED)
def test_numbers_and_refusals(name):
    assert trials(name, RECIPES.get(name) or any_arguments(name)) > 0, "nothing was compared: write a recipe, or list it with a reason"


# functions that check the sizes of their arrays: 3.5.0 refuses any others
CHECKED = [name for name in RECIPES if re.match(
    r"mj_(jac|mul|angmom|constraintUpdate|differentiate|extract|fullM|getState|setState|integrate|multiRay|normalize|solveM2)|"
    r"mjd_(inverse|subQuat|transition)|mju_(boxQP|decode|encode)|mj_geomDistance", name)]


@pytest.mark.parametrize("name", CHECKED)
def test_arrays_of_other_sizes_are_refused(name):
    make = any_arguments(name)
    for trial in range(5):
        for package, (m, d) in zip((ligament, mujoco), models.disturbed("tree", trial)):
            arguments = make(package, m, d, np.random.default_rng([len(name), trial]))
            assert all(argument is not None for argument in arguments)
            assert outcome(getattr(package, name), arguments)[1] is not None, package.__name__


@pytest.mark.parametrize("name", sorted(NOT_COMPARABLE))
def test_listed_functions_give_nothing_to_compare(name):
    make = any_arguments(name)
    for trial in range(3):
        results = [outcome(getattr(package, name), make(package, m, d, np.random.default_rng(trial)))
                   for package, (m, d) in zip((ligament, mujoco), models.disturbed("tree", trial))]
        values = [value for value, error in results if error is None]
        numbers = [value for value in values if isinstance(value, (int, float, np.ndarray))]
        assert len(numbers) < 2 or not np.array_equal(*numbers), "both give the same number: compare it"


def test_lists_are_about_functions_that_exist():
    assert [name for name in LISTED | RECIPES if name not in FUNCTIONS] == []
    folder = pathlib.Path(__file__).parent
    for name, file in ELSEWHERE.items():
        assert (folder / file).exists() and name in (folder / file).read_text(), f"{name} is not compared in {file}"


@pytest.mark.parametrize("kind", ["PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX"])
def test_rays_and_shapes(kind):
    random = np.random.default_rng(3)
    for _ in range(20):
        pos, size, pnt, vec = 0.2 * random.standard_normal(3), 0.3 + random.random(3), *random.standard_normal((2, 3))
        mat = np.zeros(9)
        quat = random.standard_normal(4)
        mujoco.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
        results = [package.mju_rayGeom(pos, mat, size, pnt, vec, getattr(package.mjtGeom, f"mjGEOM_{kind}"))
                   for package in (ligament, mujoco)]
        assert np.isclose(*results)
