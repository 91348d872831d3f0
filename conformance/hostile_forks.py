"""Runs the cases of `hostile_calls.py` in forks of one process, which has imported the package: sooner than a process each."""

import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import traceback

WALL = 90  # seconds; a case may wait for processor time of others


class Forks:
    """Up to `jobs` cases at once; `run` yields (place, exit code or "late", output, errors, seconds of processor time) as they end."""

    def __init__(self, prelude, limited, jobs):
        self.names = {"__name__": "__main__"}
        exec(compile(prelude, "prelude", "exec"), self.names)
        self.limited, self.jobs, self.running = limited, jobs, {}

    def run(self, programs):
        for place, text in enumerate(programs):
            while len(self.running) >= self.jobs:
                yield from self.reap()
            self.start(place, text)
        while self.running:
            yield from self.reap()

    def start(self, place, text):
        folder = tempfile.mkdtemp()
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            self.child(folder, text)
        self.running[pid] = place, folder, time.monotonic()

    def child(self, folder, text):
        code = 1
        try:
            os.chdir(folder)
            for number, name in ((1, "out"), (2, "err")):
                os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
            self.limited()
            exec(compile(text, "case.py", "exec"), self.names)
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def reap(self):
        """Waits for one of the running cases, or ends those that take too long."""
        while True:
            pid, status, used = os.wait4(-1, os.WNOHANG)
            if pid in self.running:
                place, folder, _ = self.running.pop(pid)
                read = lambda name: pathlib.Path(folder, name).read_text(errors="replace")
                out, err = (read(name) if os.path.exists(os.path.join(folder, name)) else "" for name in ("out", "err"))
                shutil.rmtree(folder, ignore_errors=True)
                code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
                yield place, "late" if code == -signal.SIGKILL else code, out, err, used.ru_utime + used.ru_stime
                return
            for pid, (_, _, start) in self.running.items():
                if time.monotonic() - start > WALL:
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.005)
