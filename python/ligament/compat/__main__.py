"""Runs a program with Ligament in the place of mujoco, or writes a wheel that says so.

    python -m ligament.compat SCRIPT [ARGS]
    python -m ligament.compat -m MODULE [ARGS]
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
    if arguments[0] == "wheel":
        if len(arguments) not in (2, 3):
            print("usage: python -m ligament.compat wheel DIR [VERSION]", file=sys.stderr)
            return 2
        print(write_wheel(*arguments[1:]))
        return 0
    compat.install()
    if arguments[0] == "-m":
        if len(arguments) < 2:
            print("usage: python -m ligament.compat -m MODULE [ARGS]", file=sys.stderr)
            return 2
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
