"""Runs a program with Ligament in the place of mujoco, or writes a wheel that says so.

    python -m ligament.compat SCRIPT [ARGS]
    python -m ligament.compat -m MODULE [ARGS]
    python -m ligament.compat -c CODE [ARGS]
    python -m ligament.compat wheel DIR [VERSION]
"""

import os
import runpy
import sys

from ligament import compat
from ligament.compat.wheel import write_wheel


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if arguments else 2
    first, *rest = arguments
    if first in ("wheel", "-m", "-c") and not rest or first == "wheel" and len(rest) > 2:
        return _refuse(f"'{first}' needs what comes after it:\n{__doc__.strip()}")
    if first == "wheel":
        print(write_wheel(*rest))
        return 0
    if first not in ("-m", "-c") and not os.path.exists(first):
        return _refuse(f"there is no file '{first}'")
    compat.install()
    if first == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv, sys.path[0] = ["-c", *rest[1:]], ""
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv, sys.path[0] = arguments, os.path.dirname(os.path.abspath(first))
        runpy.run_path(first, run_name="__main__")
    return 0


def _refuse(message):
    print(f"python -m ligament.compat: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
