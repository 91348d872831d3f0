#!/usr/bin/env python3
"""Compares Ligament with MuJoCo bit for bit, stage by stage, to find the first operation that is done otherwise.

Both packages run in this process, each model in a child. The compiler is compared field by field; then the numbers of
MuJoCo's model are copied into ours, so that what differs afterwards differs in the engine. From each state the stages
of mj_forward run one by one in both engines; after each the results are compared and, where they have a fixed size,
copied over, so that one difference does not spoil the later stages. Last, both run freely; the first step and the
first fields that differ are named.

    bitdiff.py [--steps 100] [--jobs 1] MODEL.xml ...     # or --manifest M.json --corpus DIR
"""

import argparse
import collections
import fnmatch
import json
import multiprocessing
import os
import signal
import traceback
import zlib

import numpy as np

STAGES = [
    ("mj_kinematics", "qpos xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat"),
    ("mj_comPos", "subtree_com cinert cdof"),
    ("mj_camlight", "cam_xpos cam_xmat light_xpos light_xdir"),
    ("mj_flex", "flexvert_xpos flexelem_aabb flexedge_J flexedge_length flexvert_J flexvert_length"),
    ("mj_tendon", "ten_wrapadr ten_wrapnum ten_J_rownnz ten_J_colind ten_J ten_length wrap_obj wrap_xpos"),
    ("mj_makeM", "crb qM M"),
    ("mj_factorM", "qLD qLDiagInv"),
    ("mj_collision", "ncon"),
    ("mj_makeConstraint", "nefc ne nf nl nJ"),
    ("mj_island", "nisland"),
    ("mj_projectConstraint", ""),
    ("mj_transmission", "actuator_length moment_rownnz moment_colind actuator_moment"),
    ("mj_fwdVelocity", "flexedge_velocity ten_velocity actuator_velocity cvel cdof_dot qfrc_spring qfrc_damper"
                       " qfrc_gravcomp qfrc_fluid qfrc_passive qfrc_bias"),
    ("mj_fwdActuation", "act_dot actuator_force qfrc_actuator"),
    ("mj_fwdAcceleration", "qfrc_smooth qacc_smooth"),
    ("mj_fwdConstraint", "solver_niter qacc qfrc_constraint"),  # MuJoCo leaves efc_state as the warm start had it
    ("mj_subtreeVel", "subtree_linvel subtree_angmom"),
    ("mj_rnePostConstraint", "cacc cfrc_int cfrc_ext"),
    ("mj_sensorPos", ""), ("mj_sensorVel", ""), ("mj_sensorAcc", "sensordata"),
    ("mj_energyPos", ""), ("mj_energyVel", "energy"),
]
CONTACT = "geom dim dist pos frame includemargin friction solref solreffriction solimp exclude efc_address"
EFC = {"mj_makeConstraint": "efc_type efc_id efc_J_rownnz efc_J_colind efc_J efc_pos efc_margin efc_frictionloss"
                            " efc_diagApprox efc_KBIP efc_D efc_R",
       "mj_projectConstraint": "efc_AR", "mj_fwdVelocity": "efc_vel efc_aref",
       "mj_fwdConstraint": "efc_force"}
STATE = "qpos qvel act ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat qacc_warmstart eq_active userdata".split()
MODEL_IGNORED = {"nbuffer", "narena", "names_map", "nnames_map", "signature", "plugin"}


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.size == 0 and b.size == 0:
        return True
    if a.shape != b.shape:
        if a.size != b.size:
            return False
        a, b = a.reshape(-1), b.reshape(-1)
    if b.dtype.kind == "f":
        return bool(np.all((a == b) | (np.isnan(a) & np.isnan(b))))
    return bool(np.all(a == b))


def gap(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.size != b.size:
        return f"size {a.size} against {b.size}"
    a, b = a.reshape(-1).astype(float), b.reshape(-1).astype(float)
    with np.errstate(invalid="ignore"):
        return f"{np.nanmax(np.abs(a - b)):.1e} of {np.nanmax(np.abs(b)):.1e}, {np.count_nonzero(a != b)}/{a.size}"


class Differ:
    def __init__(self, ours, theirs, name, steps):
        self.ours, self.theirs, self.name, self.steps = ours, theirs, name, steps
        self.found = []

    def report(self, where, field, a, b):
        self.found.append((where, field, gap(a, b)))

    def run(self, path):
        try:
            reference = self.theirs.MjModel.from_xml_path(path)
        except Exception:
            return
        subject = self.ours.MjModel.from_xml_path(path)
        self.compare_models(subject, reference)
        self.sparse = self.theirs.mj_isSparse(reference)
        for index, state in enumerate(self.states(reference)):
            self.stages(subject, reference, state, index)
            self.rollout(subject, reference, state, index)

    def compare_models(self, subject, reference):
        for name in sorted(dir(reference)):
            value = getattr(reference, name)
            if name.startswith("_") or name in MODEL_IGNORED or not isinstance(value, np.ndarray):
                continue
            mine = getattr(subject, name)
            if not same(mine, value):
                self.report("model", name, mine, value)
                if np.shape(mine) == np.shape(value):
                    try:
                        mine[...] = value
                    except ValueError:
                        pass
        for group in ("opt", "stat"):
            for name in dir(getattr(reference, group)):
                value = getattr(getattr(reference, group), name)
                if name.startswith("_") or not isinstance(value, (int, float, np.ndarray)):
                    continue
                mine = getattr(getattr(subject, group), name)
                if not same(mine, value):
                    self.report("model", f"{group}.{name}", mine, value)
                    if isinstance(value, np.ndarray):
                        mine[...] = value
                    else:
                        setattr(getattr(subject, group), name, value)

    def start(self, mj, model):
        data = mj.MjData(model)
        if model.nkey:
            mj.mj_resetDataKeyframe(model, data, 0)
        return data

    def states(self, model):
        data = self.start(self.theirs, model)
        yield {name: np.array(getattr(data, name)) for name in STATE}
        for index, spread in enumerate((0.05, 0.3)):
            random = np.random.default_rng(zlib.crc32(f"{self.name}#{index}".encode()))
            state = {name: np.array(getattr(data, name)) for name in STATE}
            scale = np.ones(model.nv)
            if model.nflexedge:
                nodes = np.concatenate([model.flex_vertbodyid, model.flex_nodebodyid])
                scale[np.isin(model.dof_bodyid, nodes[nodes > 0])] = 0.1 * float(np.mean(model.flexedge_length0))
            self.theirs.mj_integratePos(model, state["qpos"], random.normal(0, spread, model.nv) * scale, 1.0)
            state["qvel"] = random.normal(0, 0.5, model.nv) * scale
            state["ctrl"] = random.normal(0, 0.5, model.nu)
            state["act"] = random.random(model.na)
            yield state

    def apply(self, data, state):
        for name, value in state.items():
            if value.size:
                getattr(data, name)[:] = value

    def stages(self, subject, reference, state, index):
        mine, other = self.start(self.ours, subject), self.start(self.theirs, reference)
        self.apply(mine, state)
        self.apply(other, state)
        spoilt = False
        for stage, names in STAGES:
            if stage == "mj_island" and not hasattr(self.theirs, "mj_island"):
                continue
            getattr(self.theirs, stage)(reference, other)
            if not hasattr(self.ours, stage):
                self.found.append((f"s{index}", f"missing {stage}", ""))
                continue
            getattr(self.ours, stage)(subject, mine)
            before = len(self.found)
            for name in names.split():
                a, b = self.field(mine, name), self.field(other, name)
                if not same(a, b):
                    self.report(f"s{index} {stage}", name, a, b)
                    if isinstance(b, np.ndarray) and np.shape(a) == np.shape(b):
                        try:
                            a[...] = b
                        except ValueError:
                            spoilt = True
            if stage == "mj_collision":
                self.compare(f"s{index} {stage}", "contact.", CONTACT.split(), mine.contact, other.contact)
            if stage in EFC:
                self.compare(f"s{index} {stage}", "", EFC[stage].split(), mine, other)
            if len(self.found) > before and stage in ("mj_collision", "mj_makeConstraint"):
                spoilt = True
            if spoilt and stage in ("mj_collision", "mj_makeConstraint"):
                return

    def field(self, data, name):
        """A field without the part of its memory that is not in use."""
        value = getattr(data, name)
        if name in ("actuator_moment", "moment_colind"):
            return value[:int(np.sum(data.moment_rownnz))]
        if name in ("ten_J", "ten_J_colind") and self.sparse:
            return value.reshape(-1)[:int(np.sum(data.ten_J_rownnz))]
        if name.startswith("ten_J_") and not self.sparse:
            return np.zeros(0)
        return value

    def compare(self, where, prefix, names, mine, other):
        for name in names:
            if name.startswith("efc_J_") and not self.sparse:
                continue
            a, b = self.field(mine, name), self.field(other, name)
            if not same(a, b):
                self.report(where, prefix + name, a, b)

    def rollout(self, subject, reference, state, index):
        mine, other = self.start(self.ours, subject), self.start(self.theirs, reference)
        self.apply(mine, state)
        self.apply(other, state)
        order = [(names, EFC.get(stage, ""), stage) for stage, names in STAGES]
        random = np.random.default_rng(7)
        for step in range(self.steps):
            if reference.nu and step % 10 == 0 and index != 1:
                control = random.normal(0, 0.5, reference.nu)
                mine.ctrl[:] = control
                other.ctrl[:] = control
            self.theirs.mj_step(reference, other)
            self.ours.mj_step(subject, mine)
            names = ["qpos", "qvel", "act", "qacc"]
            if all(same(getattr(mine, name), getattr(other, name)) for name in names):
                continue
            where = f"r{index} step {step}"
            before = len(self.found)
            for plain, rows, stage in order:
                if stage in ("mj_subtreeVel", "mj_rnePostConstraint", "mj_sensorAcc", "mj_energyVel"):
                    continue
                plain = " ".join(n for n in plain.split() if n not in ("qpos", "qacc"))
                self.compare(where, "", plain.split(), mine, other)
                if stage == "mj_collision":
                    self.compare(where, "contact.", CONTACT.split(), mine.contact, other.contact)
                self.compare(where, "", rows.split(), mine, other)
                if len(self.found) > before:
                    return
            self.compare(where, "", ["qacc", "qvel", "qpos", "act"], mine, other)
            return


def work(task):
    name, path, steps = task
    import ligament
    import mujoco
    signal.alarm(90)
    differ = Differ(ligament, mujoco, name, steps)
    try:
        differ.run(path)
    except BaseException as trouble:
        if os.environ.get("TRACE"):
            traceback.print_exc()
        differ.found.append(("trouble", f"{type(trouble).__name__}: {trouble}"[:200], ""))
    return differ.found


def isolated(task, queue):
    queue.put(work(task))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*")
    parser.add_argument("--manifest")
    parser.add_argument("--corpus")
    parser.add_argument("--only")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--out")
    options = parser.parse_args()
    tasks = [(os.path.basename(path), path, options.steps) for path in options.models]
    if options.manifest:
        with open(options.manifest) as file:
            content = json.load(file)
        for collection in content["collections"].values():
            for entry in collection["models"]:
                if not options.only or fnmatch.fnmatch(entry["path"], options.only):
                    tasks.append((entry["path"], os.path.join(options.corpus, entry["path"]), options.steps))
    counts, examples, clean = collections.Counter(), {}, 0
    out = open(options.out, "w") if options.out else None
    context = multiprocessing.get_context("fork")
    for task in tasks:
        queue = context.SimpleQueue()
        child = context.Process(target=isolated, args=(task, queue))
        child.start()
        found = None
        while child.is_alive() or not queue.empty():
            if not queue.empty():
                found = queue.get()
                break
            child.join(0.005)
        child.join()
        if found is None:
            found = [("trouble", f"child ended with {child.exitcode}", "")]
        clean += not found
        kinds = set()
        for where, field, size in found:
            line = f"{task[0]}: {where}: {field}: {size}"
            if out:
                print(line, file=out, flush=True)
            elif not options.manifest:
                print(line)
            kind = where.split(" ")
            kinds.add((("rollout" if kind[0][0] == "r" else kind[-1]), field))
            examples.setdefault((("rollout" if kind[0][0] == "r" else kind[-1]), field), f"{task[0]} {where} {size}")
        counts.update(kinds)
    print(f"{clean}/{len(tasks)} models without any difference")
    for (where, field), count in sorted(counts.items(), key=lambda item: -item[1]):
        print(f"{count:4} {where:22} {field:22} {examples[where, field]}")


if __name__ == "__main__":
    main()
