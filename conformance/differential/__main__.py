"""Looks for differences between Ligament and MuJoCo 3.5.0 on generated models. See CONTRIBUTING.md."""

import argparse
import collections
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from differential import minimise, mjcf, mutate, urdf  # noqa: E402
from differential.examine import class_of, examine  # noqa: E402


def main():
    options = parse()
    count, known, found, start = collections.Counter(), {}, {}, time.monotonic()
    for seed in range(options.seed, options.seed + options.count):
        text, repaired = make(options, seed)
        differences, seen = examine(text, repaired=repaired, saving=options.save)
        count["models"] += 1
        count["loaded"] += seen["loaded"]
        count["refusals"] += seen["refusals"]
        count["refused"] += not seen["loaded"] and seen["refusals"] > 0
        if "reference" in seen:
            count["reference crashes"] += 1
            known.setdefault(f"the reference ends in a {seen['reference']}", []).append(seed)
        for row in set(seen["known"]):
            known.setdefault(row, []).append(seed)
        if not options.messages:
            differences = [difference for difference in differences if difference[0] != "message"]
        if differences:
            count["different"] += 1
            found.setdefault(class_of(differences), []).append((seed, seen.get("text") or text, differences))
        if options.verbose and differences:
            print(seed, differences[0], flush=True)
    for row, seeds in sorted(known.items()):
        print(f"known: {len(seeds)} x {row}   seeds {' '.join(map(str, seeds))}")
    report(found, count, options)
    print(", ".join(f"{value} {name}" for name, value in count.items()), f"in {time.monotonic() - start:.0f} s")
    sys.exit(1 if found else 0)


def make(options, seed):
    """Text of a model, and whether refused parts may be taken out of it."""
    if options.urdf:
        return urdf.generate(seed), True
    if options.mutate:
        path = options.mutate[seed % len(options.mutate)]
        os.chdir(os.path.dirname(os.path.abspath(path)))
        with open(path) as file:
            return mutate.mutate(file.read(), seed), False
    return mjcf.generate(seed), True


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--count", type=int, default=200, help="number of models")
    parser.add_argument("--urdf", action="store_true", help="generate URDF instead of MJCF")
    parser.add_argument("--mutate", nargs="+", metavar="FILE", help="change these files instead")
    parser.add_argument("--minimise", action="store_true", help="shrink one model of each class")
    parser.add_argument("--messages", action="store_true", help="also compare the words of refusals")
    parser.add_argument("--save", action="store_true", help="also compare what both engines save")
    parser.add_argument("--out", help="folder for the models that differ")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.mutate = [os.path.abspath(path) for path in options.mutate or ()]
    return options


def report(found, count, options):
    for kind, cases in sorted(found.items(), key=lambda item: -len(item[1])):
        seed, text, differences = min(cases, key=lambda case: len(case[1]))
        print(f"\n== {len(cases)} x {kind}   seeds {' '.join(str(case[0]) for case in cases[:5])}")
        for difference in differences[:4]:
            print("  ", *difference)
        if options.minimise:
            text = minimise.minimise(text, lambda t: same(t, kind, options))
            print(text)
        if options.out:
            os.makedirs(options.out, exist_ok=True)
            with open(os.path.join(options.out, f"{seed}.xml"), "w") as file:
                file.write(text)


def same(text, kind, options):
    differences, _ = examine(text, repaired=False, saving=options.save)
    return bool(differences) and class_of(differences) == kind


if __name__ == "__main__":
    main()
