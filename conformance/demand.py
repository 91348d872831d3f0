#!/usr/bin/env python3
"""Demands that every check of a conformance report passed, but for the exceptions that are listed by name.

    conform.py ... --quick --json REPORT; conformance/demand.py REPORT [conformance/exceptions.txt]

A line of the exceptions is `model layer: reason`. A failure that is not listed is an error, and so is an exception that
passes now: it must be taken off the list.
"""

import json
import pathlib
import sys

LAYERS = ("load", "model", "forward", "rollout", "derivative", "api")


def exceptions(path):
    """Listed pairs of a model and a layer."""
    lines = [line.split("#")[0].strip() for line in path.read_text().splitlines()]
    return {tuple(line.split(":")[0].split()): line.split(":", 1)[1].strip() for line in lines if line}


def failures(report):
    """Pairs of a model and a layer in which not every check passed, and the first that did not."""
    for model in report["models"]:
        if "plugin" in model["tags"]:
            continue
        for layer, (passed, total, *_) in model["passed"].items():
            if layer in LAYERS and passed < total:
                checks = [check for check in model["failures"] if check.get("layer") == layer and check.get("status") != "chaotic"]
                yield (model["name"], layer), checks[:1]


def main():
    report = json.loads(pathlib.Path(sys.argv[1]).read_text())
    listed = exceptions(pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).with_name("exceptions.txt")))
    found = dict(failures(report))
    models = {model["name"] for model in report["models"]}
    for pair, first in found.items():
        if pair not in listed:
            print(f"{pair[0]} {pair[1]}: not everything passed: {first}")
    mended = [pair for pair in listed if pair not in found and pair[0] in models]
    for pair in mended:
        print(f"{pair[0]} {pair[1]}: passes now, take it off the list")
    bad = [pair for pair in found if pair not in listed]
    print(f"{len(models)} models, {len(found)} exceptions used, {len(bad)} failures, {len(mended)} exceptions to remove")
    sys.exit(bool(bad or mended))


if __name__ == "__main__":
    main()
