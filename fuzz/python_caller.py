#!/usr/bin/env python3
"""A random caller of the Python layer: overwritten integers and states, all functions with random arguments, callbacks
that do what they like, threads.

    PYTHONPATH=python python fuzz/python_caller.py --seconds 1200            # random trials until the time is over
    PYTHONPATH=python python fuzz/python_caller.py --every-integer           # each integer field of each model once
    PYTHONPATH=python python fuzz/python_caller.py --seed 7 --only threads   # one kind of trial

Trials run in batches, each batch in a process with limits on memory and time. An exception is a good outcome, and so
is none. Bad ones are counted and printed with what repeats them: the end of the process (a crash, a hang, too much
memory), an exception that is no `Exception`, an array that is not where it was.
"""

import argparse
import collections
import faulthandler
import inspect
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

ROOT = pathlib.Path(__file__).parent.parent
BATCH = 40  # trials in one process
PATIENCE = float(os.environ.get("CALLER_PATIENCE", 12))  # seconds for one trial
MEMORY = int(os.environ.get("CALLER_MEMORY", 3 << 30))  # bytes of address space

SMALL = {
    "sleepers": """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="2 2 .1"/>
      <body pos="0 0 .1"><freejoint/><geom size=".1"/></body><body pos=".5 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body pos=".5 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>""",
    "user": """<mujoco><worldbody><geom type="plane" size="2 2 .1"/><body pos="0 0 .15"><joint name="a" type="slide" axis="0 0 1"/>
      <geom size=".1"/><site name="s"/><body pos=".2 0 0"><joint name="b"/><geom size=".1"/><site name="t"/></body></body></worldbody>
      <tendon><spatial name="w"><site site="s"/><site site="t"/></spatial></tendon>
      <actuator><general joint="a" dyntype="user" gaintype="user" biastype="user" actdim="2"/><motor tendon="w"/>
      <position joint="b" delay=".01" nsample="4"/></actuator>
      <sensor><user dim="3" needstage="acc"/><user dim="2" needstage="pos"/><rangefinder site="s"/></sensor></mujoco>""",
    "islands": """<mujoco><option solver="CG" cone="elliptic"><flag island="enable" energy="enable" fwdinv="enable"/></option>
      <worldbody><geom type="plane" size="3 3 .1"/><replicate count="4" offset=".4 0 0"><body pos="0 0 .1"><freejoint/>
      <geom type="capsule" size=".05 .1"/></body></replicate></worldbody></mujoco>""",
}
VALUES = [-2**31, -1000, -7, -2, -1, 0, 1, 2, 3, 5, 17, 100, 1000, 10**6, 2**30, 2**31 - 1]
NUMBERS = [0.0, -0.0, 1.0, -1.0, 1e-300, 1e10, 1e300, -1e300, float("nan"), float("inf"), float("-inf"), 0.5]
CALLS = ("mj_step", "mj_forward", "mj_step1", "mj_step2", "mj_inverse", "mj_setConst", "mj_kinematics", "mj_collision",
         "mj_makeConstraint", "mj_projectConstraint", "mj_fwdConstraint", "mj_island", "mj_sensorPos", "mj_rnePostConstraint",
         "mj_tendon", "mj_transmission", "mj_passive", "mj_fwdActuation", "mj_Euler", "mj_implicit", "mj_resetData", "mj_camlight")
# these wait, write files, print, or are asked for more than a trial's time
LEFT_OUT = re.compile(r"mju?_(writeLog|print\w*|save\w*|load\w*|standardNormal|getXMLDependencies|setLengthRange)$")


def model_texts():
    found = {path.stem: path for path in sorted((ROOT / "conformance" / "models").glob("*.xml"))}
    return {**SMALL, **found}


class World:
    """A model and a state, with views of everything."""

    def __init__(self, mj, source):
        load = mj.MjModel.from_xml_path if isinstance(source, pathlib.Path) else mj.MjModel.from_xml_string
        self.mj, self.model = mj, load(str(source))
        self.data = mj.MjData(self.model)
        mj.mj_step(self.model, self.data, 3)
        self.nefc = self.data.nefc
        self.model_views = {name: self.model._field(name) for name in mj._core.MjModel._field_names()}
        self.data_views = {name: self.data._field(name) for name, _ in mj._core.MjData._field_names()}
        self.lists = {name for name, dynamic in mj._core.MjData._field_names() if dynamic}
        self.places = {id(view): (view.ctypes.data, view.size) for view in (*self.model_views.values(),
                                                                           *self.data_views.values())}
        self.copies = {name: view.copy() for name, view in self.model_views.items()}

    def check(self):
        """Every view can be read, and every array of fixed size is where it was."""
        for views in (self.model_views, self.data_views):
            for view in views.values():
                view.sum()
        for name, view in self.model_views.items():
            again = self.model._field(name)
            if (again.ctypes.data, again.size) != self.places[id(view)]:
                raise SystemExit(f"lost array: model.{name}")
        for name, view in self.data_views.items():
            if name in self.lists:
                continue
            again = self.data._field(name)
            if (again.ctypes.data, again.size) != self.places[id(view)]:
                raise SystemExit(f"lost array: data.{name}")

    def restore(self):
        for name, view in self.model_views.items():
            view[...] = self.copies[name]


class Caller:
    """Makes random trials."""

    def __init__(self, mj, seed):
        self.mj, self.random = mj, np.random.default_rng(seed)
        self.outcomes = collections.Counter()
        self.functions = {name: getattr(mj, name) for name in dir(mj)
                          if re.match(r"mj[ud]?_", name) and not LEFT_OUT.match(name)}

    def pick(self, items):
        items = list(items)
        return items[int(self.random.integers(len(items)))]

    def world(self):
        return World(self.mj, self.pick(model_texts().values()))

    def attempt(self, action):
        """Runs an action; the outcome is the kind of its exception."""
        try:
            action()
            outcome = "no exception"
        except Exception as error:
            outcome = type(error).__name__
            if "internal error" in str(error):
                outcome = "FatalError (internal)"
                if os.environ.get("CALLER_SHOW"):
                    print("  internal:", str(error).split(";")[0], flush=True)
        self.outcomes[outcome] += 1
        return outcome

    def call(self, world, name):
        arguments = [self.argument(world, parameter) for parameter in inspect.signature(self.functions[name]).parameters]
        if os.environ.get("CALLER_TRACE"):
            print(" ", name, [str(x)[:60].replace("\n", " ") for x in arguments], file=sys.stderr, flush=True)
        return self.attempt(lambda: self.functions[name](*arguments))

    def argument(self, world, parameter):
        """Mostly what fits the name of the parameter, sometimes anything."""
        random, m, d = self.random, world.model, world.data
        if parameter in ("nstep", "nray", "nvec"):
            return int(random.integers(-2, 5))
        if random.random() < 0.03:
            return self.pick((None, "text", object(), -1, 2**31 - 1, 2**70, np.zeros(0), np.zeros((2, 3)), m, d))
        if parameter in ("m", "model"):
            return m
        if parameter in ("d", "data", "src", "dst", "dest"):
            return d
        choice = random.random()
        if choice < 0.35:
            length = self.pick((1, 2, 3, 4, 6, 9, m.nv, m.nq, world.nefc, m.nM, 3 * m.nv, m.nv * m.nv))
            array = random.standard_normal(length) if random.random() < 0.7 else np.full(length, self.pick(NUMBERS))
            if random.random() < 0.2:
                array = array.astype(np.int32)
            return array.reshape(3, -1) if length == 3 * m.nv and length and random.random() < 0.5 else array
        if choice < 0.45:
            return self.pick((*world.data_views.values(), *world.model_views.values()))
        if choice < 0.6:
            return None
        return self.pick(VALUES) if choice < 0.9 else self.pick(NUMBERS)

    # kinds of trials

    def integers(self):
        """Integers of the model are overwritten."""
        world = self.world()
        names = [name for name, view in world.model_views.items() if view.dtype.kind in "iu" and view.size]
        for _ in range(int(self.random.integers(1, 4))):
            flat = world.model_views[self.pick(names)].reshape(-1)
            flat[int(self.random.integers(flat.size))] = self.pick(VALUES) % 256 if flat.dtype == np.uint8 else self.pick(VALUES)
        for _ in range(4):
            self.call(world, self.pick(CALLS))
        self.attempt(lambda: self.mj.MjData(world.model))
        world.check()

    def states(self):
        """Numbers and integers of the state are overwritten, then stages run one by one."""
        world = self.world()
        for _ in range(int(self.random.integers(1, 5))):
            view = self.attempt_field(world)
            if view is None or not view.size:
                continue
            flat, count = view.reshape(-1), int(self.random.integers(1, 4))
            for _ in range(count):
                values = NUMBERS if view.dtype.kind == "f" else VALUES
                value = self.pick(values)
                flat[int(self.random.integers(flat.size))] = value % 256 if view.dtype == np.uint8 else value
        for name in ("nefc", "ncon", "nisland", "nv_awake", "ne", "nA"):
            if self.random.random() < 0.1:
                self.attempt(lambda: setattr(world.data, name, self.pick(VALUES)))
        for _ in range(5):
            self.call(world, self.pick((*CALLS, *self.functions)))
        world.check()

    def attempt_field(self, world):
        name = self.pick(world.data_views)
        try:
            return world.data._field(name) if name in world.lists else world.data_views[name]
        except Exception:
            return None

    def settings(self):
        """Options, and numbers of the model."""
        world = self.world()
        for _ in range(3):
            name = self.pick(world.model.opt._fields())
            value = self.pick((*VALUES[:14], *NUMBERS))
            if name in ("iterations", "ls_iterations", "noslip_iterations", "ccd_iterations", "sdf_iterations", "sdf_initpoints"):
                value = min(value, 1000) if isinstance(value, int) else 3
            self.attempt(lambda: setattr(world.model.opt, name, value))
        names = [name for name, view in world.model_views.items() if view.dtype.kind == "f" and view.size]
        for _ in range(3):
            flat = world.model_views[self.pick(names)].reshape(-1)
            flat[int(self.random.integers(flat.size))] = self.pick(NUMBERS)
        for _ in range(4):
            self.call(world, self.pick(CALLS))
        world.check()

    def arguments(self):
        """All functions with random arguments."""
        world = self.world()
        for _ in range(60):
            self.call(world, self.pick(self.functions))
        world.restore()
        world.check()

    def contacts(self):
        """Contacts made or changed by hand."""
        world, mj = self.world(), self.mj
        for _ in range(int(self.random.integers(1, 4))):
            contact = mj.MjContact()
            for name in ("dim", "geom", "flex", "elem", "vert", "exclude", "efc_address", "dist", "friction", "frame"):
                if self.random.random() < 0.5:
                    self.attempt(lambda: setattr(contact, name, self.pick(VALUES[:14])))
            self.attempt(lambda: mj.mj_addContact(world.model, world.data, contact))
        if self.random.random() < 0.5:
            mj_columns = world.data.contact
            column = getattr(mj_columns, self.pick(("geom", "flex", "elem", "vert", "dim", "efc_address", "exclude")))
            if column.size:
                column[...] = self.pick(VALUES)
        for _ in range(5):
            self.call(world, self.pick(("mj_makeConstraint", "mj_fwdConstraint", "mj_contactForce", "mj_island", *CALLS)))
        world.check()

    def hooks(self):
        """Callbacks that call, look, write, raise and replace one another."""
        world, mj, budget = self.world(), self.mj, [60]
        kept = []

        def hook(*_):
            budget[0] -= 1
            if budget[0] < 0:
                return 0
            act = int(self.random.integers(8))
            if act == 0:
                self.call(world, self.pick(self.functions))
            elif act == 1:
                self.attempt(lambda: kept.append(world.data._field(self.pick(world.data_views))))
            elif act == 2:
                self.attempt(lambda: kept.append(world.data.contact.dist))
            elif act == 3:
                install(self.pick(names), self.pick((None, hook, hook)))
            elif act == 4:
                raise KeyError("hook")
            elif act == 5:
                view = world.data_views[self.pick(world.data_views)]
                if view.dtype.kind == "f" and view.size:
                    view.reshape(-1)[0] = self.pick(NUMBERS)
            elif act == 6:
                self.call(world, self.pick(CALLS))
            return self.pick((0, 1, None, 0.5, "text"))

        names = ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter", "time")

        def install(name, function):
            getattr(mj, f"set_mjcb_{name}")(function)
        for name in names:
            if self.random.random() < 0.5:
                install(name, hook)
        try:
            for _ in range(6):
                self.call(world, self.pick(CALLS))
        finally:
            mj.mj_resetCallbacks()
        for view in kept:
            view.sum()
        world.check()

    def threads(self):
        """Several threads use the same model and state as they like."""
        world = self.world()
        stop = time.monotonic() + 0.3
        seeds = self.random.integers(2**31, size=4)

        def work(seed):
            caller, kept = Caller(self.mj, seed), collections.deque(maxlen=50)
            while time.monotonic() < stop:
                act = int(caller.random.integers(5))
                if act < 2:
                    caller.call(world, caller.pick(CALLS))
                elif act == 2:
                    caller.attempt(lambda: kept.append(world.data._field(caller.pick(world.data_views))))
                elif act == 3:
                    caller.attempt(lambda: kept.append(world.data.contact.frame))
                else:
                    caller.call(world, caller.pick(caller.functions))
                for view in list(kept)[-3:]:
                    view.sum()
            done.append(caller.outcomes)
        done = []
        workers = [threading.Thread(target=work, args=(int(seed),)) for seed in seeds]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for outcomes in done:
            self.outcomes.update(outcomes)
        world.check()

    KINDS = ("integers", "states", "settings", "arguments", "contacts", "hooks", "threads")


def work_off(mj, seeds, kinds):
    for seed in seeds:
        print(f"trial {seed}", flush=True)
        caller = Caller(mj, seed)
        kind = caller.pick(kinds)
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        getattr(caller, kind)()
        faulthandler.cancel_dump_traceback_later()
        for outcome, count in caller.outcomes.items():
            print(f"outcome {kind}: {outcome} = {count}", flush=True)


def single_integers(mj, name, start, count):
    """Trials `start` to `start + count` of all in which one integer of one model is changed; the rest is as it was."""
    world = World(mj, model_texts()[name])
    fields = [field for field, view in world.model_views.items() if view.dtype.kind in "iu" and view.size]
    trials = []
    for field in fields:
        size = world.model_views[field].size
        positions = sorted({0, size - 1, size // 2, size // 3})
        trials += [(field, at, value) for at in positions for value in (-1, 10**6, 2**31 - 1, -2**31, 3)]
    caller = Caller(mj, 0)
    print(f"trials {len(trials)}", flush=True)
    for number, (field, at, value) in enumerate(trials[start:start + count], start):
        print(f"trial {number} {field}[{at}] = {value}", flush=True)
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        flat = world.model_views[field].reshape(-1)
        flat[at] = value % 256 if flat.dtype == np.uint8 else value
        for call in ("mj_step", "mj_setConst", "mj_inverse"):
            caller.attempt(lambda: getattr(mj, call)(world.model, world.data))
        world.restore()
        mj.mj_resetData(world.model, world.data)
        mj.mj_step(world.model, world.data)
        world.check()
        world.restore()
        faulthandler.cancel_dump_traceback_later()
    for outcome, number in caller.outcomes.items():
        print(f"outcome {name}: {outcome} = {number}", flush=True)


class Report:
    """Counts of outcomes, and what went wrong."""

    def __init__(self):
        self.outcomes, self.trials, self.bad = collections.Counter(), 0, []

    def batch(self, arguments):
        """Runs one process; returns the number of the last trial it began."""
        command = [sys.executable, __file__, "--worker", *map(str, arguments)]
        with tempfile.TemporaryFile("w+") as errors:
            def limits():
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                if MEMORY:
                    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
            process = subprocess.run(command, stdout=subprocess.PIPE, stderr=errors, text=True, preexec_fn=limits,
                                     env=environment)
            errors.seek(0)
            said = errors.read()
        last, total = None, None
        for line in process.stdout.splitlines():
            if line.startswith("trial "):
                last, self.trials = line, self.trials + 1
            elif line.startswith("trials "):
                total = int(line.split()[1])
            elif line.startswith("outcome "):
                what, count = line[8:].rsplit(" = ", 1)
                self.outcomes[what] += int(count)
            elif line.startswith("  internal"):
                self.outcomes[line.strip()] += 1
        if process.returncode:
            self.bad.append((process.returncode, arguments, last))
            print(f"BAD: status {process.returncode} after '{last}' of {arguments}\n{said[-3000:]}", flush=True)
        return (int(last.split()[1]) if last else None), total, process.returncode

    def summary(self):
        print(f"{self.trials} trials, {len(self.bad)} bad")
        for what, count in sorted(self.outcomes.items()):
            print(f"  {what}: {count}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=Caller.KINDS)
    parser.add_argument("--every-integer", action="store_true")
    parser.add_argument("--worker", nargs="*")
    options = parser.parse_args()
    if options.worker is not None:
        import ligament
        kind, *rest = options.worker
        if kind == "single":
            single_integers(ligament, rest[0], int(rest[1]), int(rest[2]))
        else:
            seed, count = int(rest[0]), int(rest[1])
            work_off(ligament, range(seed, seed + count), Caller.KINDS if kind == "any" else (kind,))
        return
    report = Report()
    if options.every_integer:
        for name in model_texts():
            start, total = 0, 1
            while start < total:
                last, found, status = report.batch(("single", name, start, 400))
                total = found if found is not None else 0
                start = last + 1 if status and last is not None else start + 400
    else:
        end, seed = time.monotonic() + options.seconds, options.seed * 1_000_000
        while time.monotonic() < end:
            report.batch((options.only or "any", seed, BATCH))
            seed += BATCH
    report.summary()
    sys.exit(bool(report.bad))


if __name__ == "__main__":
    main()
