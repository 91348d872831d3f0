"""One model, seen by both engines, in a process of its own."""

import re

import mujoco

import ligament

from . import compare, isolate, repair


def examine(text, assets=None, repaired=True, saving=False):
    """Differences of one model and a summary of the run."""
    fix = repair.drop_refused if repaired else None
    result, trouble = isolate.run(lambda mark: compare.compare(mujoco, ligament, text, assets, mark, fix, saving))
    if trouble:
        how, stage, text = trouble
        seen = {"loaded": False, "refusals": 0, "text": text, "known": []}
        if stage.startswith("reference") or not fails_alone(text, assets, stage):
            return [], dict(seen, reference=how)
        return [[f"{how}", stage]], seen
    return result


def fails_alone(text, assets, stage):
    """Does the subject crash without MuJoCo, which may have damaged the memory of the process, at its side?"""
    if "Exception" in stage:
        return True
    return isolate.run(lambda mark: compare.run_alone(ligament, text, assets, mark))[1] is not None


def class_of(differences):
    """The first difference without numbers and names."""
    kind, detail = differences[0]
    if kind.startswith(("load", "message", "crash", "hang")):
        kind += " " + re.sub(r"'[^']*'|\d+(\.\d+)?", "#", detail)
    return re.sub(r"^(forward|rollout)\d+", r"\1", kind)
