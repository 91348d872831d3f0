"""What both engines make of one model, compared field by field."""

import os
import re
import tempfile

import numpy as np

from . import known
from .arrays import read

STRICT, SINGLE, SOLVER = (1e-9, 1e-10), (1e-6, 1e-10), (1e-6, 1e-8)
SAVED = (1e-4, 1e-5)
ROLLOUT_FLOOR, ROLLOUT_FACTOR, CHAOTIC = 1e-8, 100.0, 1e-2
PERTURBATION = 1e-10
CHECKPOINTS = (1, 10, 100)

MODEL_IGNORED = {"nbuffer", "narena", "names_map", "nnames_map", "signature", "plugin", "bvh_aabb_dyn"}
QUATERNIONS = {"body_quat", "body_iquat", "geom_quat", "site_quat", "cam_quat", "mesh_quat", "xquat"}
SIZES = ("nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "ncam", "nlight", "nmesh", "ntendon", "neq", "nsensor")

# Search structures, which rounding in the text may change.
SAVED_IGNORED = {"bvh_aabb", "bvh_child", "bvh_depth", "bvh_nodeid", "nbvh", "nbvhstatic", "nbvhdynamic", "oct_aabb", "oct_coeff",
                 "body_bvhadr", "body_bvhnum", "mesh_bvhadr", "mesh_bvhnum"}

# Numbers that come from the inverse of the mass matrix.
SINGULAR = {"dof_invweight0", "body_invweight0", "tendon_invweight0", "actuator_acc0", "dof_damping"}

# Arrays of MjData by stage, in the order in which a fault spreads.
STAGES = {
    "position": (
        "xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis", "geom_xpos", "geom_xmat", "site_xpos",
        "site_xmat", "cam_xpos", "cam_xmat", "light_xpos", "light_xdir", "subtree_com", "cdof", "cinert", "crb",
        "flexvert_xpos", "flexedge_length", "flexedge_J", "flexvert_length", "flexvert_J", "ten_length", "ten_J",
        "ten_wrapadr", "ten_wrapnum", "wrap_obj", "wrap_xpos", "actuator_length", "actuator_moment", "M", "qLD",
        "qLDiagInv"),
    "contact": ("ncon",),
    "velocity": (
        "cvel", "cdof_dot", "qfrc_bias", "qfrc_passive", "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid",
        "ten_velocity", "actuator_velocity", "flexedge_velocity"),
    "actuation": ("act_dot", "actuator_force", "qfrc_actuator"),
    "constraint": (
        "ne", "nf", "nl", "nefc", "efc_type", "efc_id", "efc_J", "efc_pos", "efc_margin", "efc_frictionloss",
        "efc_diagApprox", "efc_KBIP", "efc_D", "efc_R", "efc_vel", "efc_aref"),
    "solve": ("qfrc_smooth", "qacc_smooth", "qacc", "qfrc_constraint"),
    "sensor": ("sensordata",),
    "energy": ("energy",),
    "island": ("nisland", "ntree_awake", "tree_asleep"),
}
CONTACT = ("geom", "flex", "elem", "vert", "dim", "exclude", "dist", "pos", "frame", "includemargin", "friction",
           "solref", "solreffriction", "solimp", "efc_address")
RESET = ("time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "eq_active", "history", "tree_asleep")
SCALED_BY = {"qacc": "qacc_smooth", "qfrc_constraint": "qfrc_smooth"}


def compare(reference, subject, text, assets, mark, repair=None, saving=False):
    """Differences as ``(class, detail)``, worst first, and what was compared."""
    try:
        return compare_once(reference, subject, text, assets, mark, repair, saving)
    except known.ArenaFull as full:
        text = known.with_memory(full.args[0])
        if text is None:
            return [], {"loaded": True, "refusals": 0, "text": full.args[0], "known": [known.ARENA]}
        return compare(reference, subject, text, assets, mark, repair, saving)


def compare_once(reference, subject, text, assets, mark, repair, saving):
    differences, seen = [], {"loaded": False, "refusals": 0, "known": []}
    if known.damages_memory(text):
        return [], dict(seen, known=[known.TEXTURE])
    while True:
        mark("reference load", text)
        expected, refusal = load(reference, text, assets)
        mark("subject load")
        actual, complaint = load(subject, text, assets)
        if expected is not None:
            break
        seen["refusals"] += 1
        seen["text"] = text
        differences += compare_refusals(refusal, actual, complaint)
        accepted = any(kind == "load: accepted" for kind, _ in differences)
        text = repair(text, refusal) if repair and not accepted else None
        if text is None:
            return differences, seen
    seen["loaded"] = True
    seen["text"] = text
    if actual is None and known.refusal(complaint):
        seen["known"].append(known.refusal(complaint))
        return differences, seen
    if actual is None:
        return [("load: refused", first_line(complaint))] + differences, seen
    # saving comes first: the reference saves what was loaded last
    saved = saved_differences(reference, expected, subject, actual, assets, mark) if saving else []
    try:
        found = compare_models(reference, expected, subject, actual, mark, seen["known"])
    except known.ArenaFull:
        raise known.ArenaFull(text) from None
    if any(kind == "model actuator_lengthrange" for kind, _ in found):
        mark("reference load")
        if known.is_rounding(reference, expected, actual, text, assets):
            found = []
            seen["known"].append(known.RANGE)
    return found + saved + differences, seen


def compare_models(reference, expected, subject, actual, mark, deviations):
    """What differs; names of known deviations that account for a difference are added to ``deviations``."""
    mark("model")
    differences = model_differences(expected, actual)
    if any(kind.split()[-1] in SIZES for kind, _ in differences):
        return differences
    if known.damages_model(expected):
        deviations.append(known.EDGE)
        return []
    if singular(expected):
        deviations.append(known.SINGULAR)
        return [(kind, detail) for kind, detail in differences if kind.split()[-1] not in SINGULAR]
    for index in range(3):
        differences += forward_differences(reference, expected, subject, actual, index, mark, deviations)
        if differences:
            return differences
    return differences + rollout_differences(reference, expected, subject, actual, mark, deviations)


def singular(model):
    """Without a usable mass matrix all further numbers are noise."""
    return bool(np.any(~(np.abs(model.dof_invweight0) < 1e10)) or np.any(~(np.abs(model.body_invweight0) < 1e10)))


def load(engine, text, assets):
    try:
        return engine.MjModel.from_xml_string(text, assets), None
    except (ValueError, RuntimeError, engine.FatalError) as error:
        return None, str(error)


def first_line(message):
    return message.strip().splitlines()[0][:160]


def compare_refusals(refusal, actual, complaint):
    if actual is not None:
        return [("load: accepted", first_line(refusal))]
    phrase = re.sub(r"^((XML )?Error: )+", "", first_line(refusal))
    plain = re.sub(r"[^a-z]+", " ", phrase.lower()).strip()
    if plain not in re.sub(r"[^a-z]+", " ", complaint.lower()):
        return [("message", f"{phrase}  //  {first_line(complaint)}")]
    return []


# ------------------------------------------------------------------------------------------------ saving

def saved_differences(reference, expected, subject, actual, assets, mark):
    """What the file saved by the subject loses, read by the reference, but that of the reference keeps."""
    texts = []
    with tempfile.TemporaryDirectory() as folder:
        for engine, model, name in ((reference, expected, "reference"), (subject, actual, "subject")):
            mark(f"{name} save")
            path = os.path.join(folder, name + ".xml")
            try:
                engine.mj_saveLastXML(path, model)
            except (ValueError, RuntimeError, engine.FatalError) as error:
                return [("save: refused", first_line(str(error)))] if engine is subject else []
            with open(path) as file:
                texts.append(file.read())
    mark("reference load saved")
    first, refusal = load(reference, texts[0], assets)
    second, complaint = load(reference, texts[1], assets)
    if first is None:
        return []
    if second is None:
        return [("save: unreadable", first_line(complaint))]
    if singular(first):
        return []
    lost = {kind for kind, _ in model_differences(expected, first, SAVED)}
    return [("save: " + kind, detail) for kind, detail in model_differences(expected, second, SAVED)
            if kind.split()[-1] not in SAVED_IGNORED and kind not in lost]


# ------------------------------------------------------------------------------------------------ model

def model_differences(expected, actual, tolerance=STRICT):
    found = []
    for name, value in model_values(expected):
        group, _, field = name.rpartition(".")
        holder = actual
        try:
            for step in filter(None, group.split(".")):
                holder = getattr(holder, step)
            other = getattr(holder, field)
        except AttributeError:
            found.append((f"model missing {name}", ""))
            continue
        found += differing(f"model {name}", other, value, tolerance)
    return found


def model_values(model, prefix=""):
    for name in dir(model):
        if name.startswith("_") or name in MODEL_IGNORED:
            continue
        value = getattr(model, name)
        if isinstance(value, (np.ndarray, np.generic, bool, int, float, bytes)):
            yield prefix + name, value
        elif (prefix or name in ("opt", "stat", "vis")) and not callable(value) and not isinstance(value, type):
            yield from model_values(value, f"{prefix}{name}.")


def differing(name, actual, expected, tolerance, scale=0.0):
    """An empty list, or one difference."""
    if isinstance(expected, bytes):
        return [] if bytes(actual) == expected else [(name, "bytes")]
    actual, expected = np.asarray(actual), np.asarray(expected)
    if actual.shape != expected.shape:
        return [(name, f"shape {actual.shape} instead of {expected.shape}")]
    if expected.size == 0:
        return []
    field = name.split()[-1]
    if expected.dtype.kind not in "f":
        if np.array_equal(actual, expected):
            return []
        return [(name, f"{actual.ravel()[:8]} instead of {expected.ravel()[:8]}")]
    if expected.dtype == np.float32 and tolerance == STRICT:
        tolerance = SINGLE
    if field in QUATERNIONS:
        actual = aligned(actual, expected)
    return numbers_differing(name, actual, expected, tolerance, scale)


def numbers_differing(name, actual, expected, tolerance, scale=0.0):
    bad = ~np.isfinite(expected)
    if not np.array_equal(bad, ~np.isfinite(actual)) or not np.array_equal(actual[bad], expected[bad], equal_nan=True):
        return [(name, "not finite on one side")]
    error = np.abs(np.where(bad, 0, actual) - np.where(bad, 0, expected))
    scale = scale if np.isfinite(scale) else 0.0
    limit = tolerance[1] + tolerance[0] * max(scale, np.max(np.abs(expected[~bad]), initial=0))
    if np.max(error) <= limit:
        return []
    where = np.unravel_index(np.argmax(error), error.shape)
    return [(name, f"error {np.max(error):.3g} > {limit:.2g} at {tuple(map(int, where))}: "
                   f"{actual[where]:.12g} instead of {expected[where]:.12g}")]


def aligned(actual, expected):
    """Quaternions with the sign of the expected ones."""
    sign = np.where(np.sum(actual * expected, axis=-1, keepdims=True) < 0, -1, 1)
    return actual * sign


# ---------------------------------------------------------------------------------------------- forward

def start(engine, model, state=None):
    data = engine.MjData(model)
    if hasattr(data, "set_limits"):            # budgets are compared nowhere
        data.set_limits(effort=1 << 40)
    if model.nkey:
        engine.mj_resetDataKeyframe(model, data, 0)
    if state:
        for name, value in state.items():
            if value.size:
                getattr(data, name)[:] = value
    return data


def random_state(engine, model, index):
    """A state that depends on the sizes of the model only."""
    if index == 0:
        return {}
    random = np.random.default_rng(index)
    data = start(engine, model)
    qpos = np.array(data.qpos)
    engine.mj_integratePos(model, qpos, random.normal(0, (0.05, 0.3)[index - 1], model.nv), 1.0)
    return {"qpos": qpos, "qvel": random.normal(0, 0.5, model.nv), "act": random.random(model.na),
            "ctrl": random.normal(0, 0.5, model.nu), "xfrc_applied": random.normal(0, 0.3, (model.nbody, 6)),
            "mocap_pos": data.mocap_pos + random.normal(0, 0.1, (model.nmocap, 3)),
            "mocap_quat": data.mocap_quat + random.normal(0, 0.1, (model.nmocap, 4))}


def forward_differences(reference, expected_model, subject, actual_model, index, mark, deviations):
    mark(f"reference forward {index}")
    state = random_state(reference, expected_model, index)
    expected = start(reference, expected_model, state)
    if index:
        reference.mj_forward(expected_model, expected)
    mark(f"subject forward {index}")
    actual = start(subject, actual_model, state)
    found = []
    if index == 0:
        for name in RESET:
            found += differing(f"reset {name}", getattr(actual, name), getattr(expected, name), STRICT)
        mark(f"reference forward {index}")
        reference.mj_forward(expected_model, expected)
    mark(f"subject forward {index}")
    subject.mj_forward(actual_model, actual)
    known.check_arena(reference, expected)
    exhausted = np.max(expected.solver_niter, initial=0) >= expected_model.opt.iterations
    for stage, names in STAGES.items():
        if exhausted and stage in ("solve", "sensor"):
            continue                           # stopped on the way: rounding decides where
        tolerance = SOLVER if stage in ("solve", "sensor") else STRICT
        for name in names:
            scale = np.max(np.abs(getattr(expected, SCALED_BY[name])), initial=0) if name in SCALED_BY else 0.0
            found += differing(f"forward{index} {stage} {name}", read(subject, actual_model, actual, name),
                               read(reference, expected_model, expected, name), tolerance, scale)
        if stage == "contact" and not found:
            found += contact_differences(index, expected, actual)
    if not found:
        mark(f"reference inverse {index}")
        reference.mj_inverse(expected_model, expected)
        mark(f"subject inverse {index}")
        actual.qacc[:] = expected.qacc
        subject.mj_inverse(actual_model, actual)
        scale = np.max(np.abs(expected.qfrc_constraint), initial=np.max(np.abs(expected.qfrc_bias), initial=0))
        found += differing(f"forward{index} inverse qfrc_inverse", actual.qfrc_inverse, expected.qfrc_inverse,
                           (1e-8, 1e-9), scale)
    row = known.explain(found, reference, expected_model, expected, actual) if found else None
    if row:
        deviations.append(row)
    return [] if row else found


def contact_differences(index, expected, actual):
    found = []
    for name in CONTACT:
        found += differing(f"forward{index} contact {name}", getattr(actual.contact, name),
                           getattr(expected.contact, name), STRICT)
    return found


# ---------------------------------------------------------------------------------------------- rollout

CARRIED = ("qpos", "qvel", "act", "qacc_warmstart", "history")


def rollout_differences(reference, expected_model, subject, actual_model, mark, deviations):
    """100 steps. Where trajectories part, steps from equal states decide whether more than rounding is behind it."""
    found, met = free_rollout(reference, expected_model, subject, actual_model, mark)
    if found and not expected_model.opt.enableflags & int(reference.mjtEnableBit.mjENBL_SLEEP):
        parted, met = led_rollout(reference, expected_model, subject, actual_model, mark)
        found = found if parted else []
    elif met:
        found = []                             # sleeping trees cannot be led: what was met on the way accounts for it
    deviations += met
    return found


def free_rollout(reference, expected_model, subject, actual_model, mark):
    """What differs, and the known deviations that the trajectory met before that.

    The tolerance is the distance of the reference from its own perturbed twin.
    """
    expected, actual = start(reference, expected_model), start(subject, actual_model)
    twin = start(reference, expected_model)
    twin.qvel[:] += PERTURBATION
    runs = ((reference, expected_model, expected), (reference, expected_model, twin), (subject, actual_model, actual))
    controls, met = Controls(expected_model.nu), set()
    for step in range(1, CHECKPOINTS[-1] + 1):
        advance(runs, controls.next(), mark)
        met.add(known.shown(reference, expected_model, expected, actual))
        if step in CHECKPOINTS:
            found = []
            for name in ("qpos", "qvel", "act", "sensordata"):
                found += trajectory_differing(f"rollout{step} {name}", getattr(actual, name), getattr(expected, name),
                                              getattr(twin, name))
            if found:
                return found, sorted(met - {None})
    return [], []


def led_rollout(reference, expected_model, subject, actual_model, mark):
    """Does the subject make another step than the reference, from any state of its trajectory?

    And the known deviations that account for steps which do differ.
    """
    expected, actual = start(reference, expected_model), start(subject, actual_model)
    controls, met = Controls(expected_model.nu), set()
    for _ in range(CHECKPOINTS[-1]):
        for name in CARRIED:
            if getattr(expected, name).size:
                getattr(actual, name)[:] = getattr(expected, name)
        actual.time = expected.time
        advance(((reference, expected_model, expected), (subject, actual_model, actual)), controls.next(), mark)
        speed = np.max(np.abs(expected.qvel), initial=1.0)
        if np.max(expected.solver_niter, initial=0) >= expected_model.opt.iterations:
            continue
        if not np.all(np.abs(expected.qvel - actual.qvel) <= 1e-6 * speed):
            row = known.shown(reference, expected_model, expected, actual)
            if row is None:
                return True, []
            met.add(row)
    return False, sorted(met)


def run_alone(subject, text, assets, mark):
    """All that is compared, with one engine only: does it survive?"""
    model, _ = load(subject, text, assets)
    if model is None:
        return
    for index in range(3):
        mark(f"subject forward {index}")
        data = start(subject, model, random_state(subject, model, index))
        subject.mj_forward(model, data)
        subject.mj_inverse(model, data)
    data, controls = start(subject, model), Controls(model.nu)
    for _ in range(CHECKPOINTS[-1]):
        advance(((subject, model, data),), controls.next(), mark)


class Controls:
    """Random controls, each held for ten steps."""

    def __init__(self, size):
        self.random, self.size, self.count = np.random.default_rng(3), size, 0

    def next(self):
        if self.count % 10 == 0:
            self.value = self.random.normal(0, 0.5, self.size)
        self.count += 1
        return self.value


def advance(runs, control, mark):
    for engine, model, data in runs:
        mark(("reference" if engine is runs[0][0] else "subject") + " step")
        data.ctrl[:] = control
        engine.mj_step(model, data)
        if engine is runs[0][0]:
            known.check_arena(engine, data)


def trajectory_differing(name, actual, expected, twin):
    if not expected.size or not np.all(np.isfinite(expected)):
        return []
    scale = max(1.0, np.max(np.abs(expected)))
    apart = np.max(np.abs(expected - twin))
    if not apart <= CHAOTIC * scale / ROLLOUT_FACTOR:
        return []
    return numbers_differing(name, actual, expected, (0.0, max(ROLLOUT_FLOOR * scale, ROLLOUT_FACTOR * apart)))
