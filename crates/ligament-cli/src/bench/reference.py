"""Rounds of MuJoCo for `ligament bench`: reads "steps clock" lines, answers with JSON lines."""

import ctypes
import json
import sys
import time

import mujoco


def native_clock():
    """A C function without arguments that returns seconds, so that timers cost no Python calls."""
    for library in ("libgomp.so.1", "libomp.so", "libomp.dylib", "vcomp140.dll"):
        try:
            return ctypes.CFUNCTYPE(ctypes.c_double)(("omp_get_wtime", ctypes.CDLL(library)))
        except (OSError, AttributeError):
            continue
    return None


def answer(document):
    print(json.dumps(document), flush=True)


model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)
key = int(sys.argv[2])
clock = native_clock()
nothing = mujoco.MjModel.from_xml_string("<mujoco/>")
timers = {t.name.removeprefix("mjTIMER_").lower(): t.value for t in map(mujoco.mjtTimer, range(mujoco.mjtTimer.mjNTIMER))}


def reading_time(steps):
    """What a timer shows that times nothing: that of the projection where there are no constraints."""
    empty = mujoco.MjData(nothing)
    mujoco.mj_step(nothing, empty, steps)
    return empty.timer[mujoco.mjtTimer.mjTIMER_POS_PROJECT].duration / steps


answer({"version": mujoco.__version__, "slow_clock": clock is None})

for line in sys.stdin:
    steps, timed = map(int, line.split())
    if key >= 0:
        mujoco.mj_resetDataKeyframe(model, data, key)
    else:
        mujoco.mj_resetData(model, data)
    mujoco.set_mjcb_time((clock or time.perf_counter) if timed else None)
    start = time.perf_counter()
    mujoco.mj_step(model, data, steps)
    seconds = time.perf_counter() - start
    reading = reading_time(steps) if timed else 0.0
    mujoco.set_mjcb_time(None)
    stages = {name: {"seconds": data.timer[i].duration, "calls": data.timer[i].number} for name, i in timers.items()}
    answer({"seconds": seconds, "stages": stages if timed else {}, "reading": reading})
