"""The elements and attributes of MJCF, as MuJoCo itself lists them."""

import functools
import re

import mujoco

INDENT = 3


@functools.lru_cache(None)
def attributes():
    """Attributes by path, such as ``default/geom``; the root has the path ''."""
    table, stack = {}, []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        match = re.match(r"( *)(\S+) \((.)\)\s*(.*)", line)
        if match:
            depth = len(match[1]) // INDENT
            stack[depth:] = [match[2].replace("(world)", "")]
            path = "/".join(stack[1:])
            table[path] = match[4].split()
        elif line.strip():
            table[path] += line.split()
    return table


def paths_below(prefix):
    """Names of the children of a path."""
    start = prefix + "/"
    return [path[len(start):] for path in attributes() if path.startswith(start) and "/" not in path[len(start):]]
