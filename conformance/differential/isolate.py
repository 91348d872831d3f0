"""Runs a function in a process of its own: crashes, hangs and endless memory become answers.

Hangs are told by the time of the processor, so that a busy machine does not make any."""

import faulthandler
import json
import os
import resource
import select
import signal
import time

MEMORY = 6 << 30
PROCESSOR_TIME = 60


def run(function, seconds=900.0):
    """What the function returned and None; or None and how it ended: ``crash`` or ``hang``, last stage, last text.

    The function gets a callable to name its stages, and the text of the model they are about.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _serve(function, write)
    os.close(write)
    text = _collect(read, seconds)
    os.close(read)
    if text is None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    hung = text is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
    lines = (text or _collected).decode(errors="replace").splitlines()
    stages = [line[6:] for line in lines if line.startswith("stage ")]
    for line in lines:
        if line.startswith("done "):
            return json.loads(line[5:]), None
    texts = [json.loads(line[5:]) for line in lines if line.startswith("text ")]
    return None, ("hang" if hung else "crash", stages[-1] if stages else "start", texts[-1] if texts else None)


def _serve(function, write):
    faulthandler.disable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_TIME, 2 * PROCESSOR_TIME))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    stages = ["start"]

    def mark(stage, text=None):
        stages.append(stage)
        os.write(write, f"stage {stage}\n".encode())
        if text is not None:
            os.write(write, f"text {json.dumps(text)}\n".encode())

    try:
        result = function(mark)
        os.write(write, f"\ndone {json.dumps(result)}\n".encode())
    except BaseException as error:             # a panic of the engine is not an Exception
        mark(f"{stages[-1]}: {type(error).__name__}: {error}".replace("\n", " "))
    os._exit(0)


_collected = b""


def _collect(read, seconds):
    """Everything written until the end, or None when time is up; what came so far stays in ``_collected``."""
    global _collected
    _collected, end = b"", time.monotonic() + seconds
    while True:
        ready, _, _ = select.select([read], [], [], max(0, end - time.monotonic()))
        if not ready:
            return None
        block = os.read(read, 1 << 16)
        if not block:
            return _collected
        _collected += block
