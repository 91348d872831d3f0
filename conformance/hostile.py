#!/usr/bin/env python3
"""Changes model files in hostile ways and steps what still loads, each in a process with little time and memory.

    conformance/hostile.py --count 2000 [--seed 0] [--corpus DIR] [--keep DIR] [--reference]

Counts panics, crashes, hangs and blow-ups (there should be none) and keeps the text of each. `--reference` also asks
MuJoCo 3.5.0, in a process of its own, and counts where one engine accepts what the other refuses.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = """nan inf -inf -1 0 1 -0.5 1e9 1e308 -1e308 1e-320 1e-9 2147483647 -2147483648 4294967296 1000000000
100000000 100000 1e5 0.5 100 a world -1e9 3 true auto""".split() + ["", " ", "1 2 3 4 5 6 7 8 9", "nan nan nan",
  "-1 -1", "0 0 0", "1e9 1e9 1e9", "100000000 100000000", "0 0 0 0", "inf inf inf inf inf inf"]
NUMBERS = """nan inf -inf -1 0 1 -0.5 1e9 1e308 -1e308 1e-320 1e-9 2147483647 -2147483648 1000000 0.5 100 3 1e5
-1e-9 1e16 1e17 -1e9 1e150""".split()
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
WORDY = {"name", "file", "class", "childclass", "joint", "site", "body", "geom", "mesh", "material", "texture"}
ATTRIBUTE = re.compile(r'([A-Za-z_][\w.]*)\s*=\s*("[^"]*"|\'[^\']*\')')
ELEMENT = re.compile(r"<([A-Za-z_]\w*)\b([^<>]*?)(/?)>")
SECONDS = 12
MEMORY = 2 << 30


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Mutator:
    """Changes text: values, attributes, elements."""

    def __init__(self, texts):
        names = collections.defaultdict(set)
        for text in texts:
            for element in ELEMENT.finditer(text):
                names[element[1]].update(name for name, _ in ATTRIBUTE.findall(element[2]))
        self.names = {tag: sorted(known) for tag, known in sorted(names.items())}

    def change(self, text, rng):
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            actions = [self.number, self.value, self.attribute, self.remove, self.repeat, self.swap]
            text = rng.choices(actions, [10, 2, 5, 2, 1, 1])[0](text, rng)
        return text

    def number(self, text, rng):
        """Another number in place of one: most of these still load."""
        places = [p for p in ATTRIBUTE.finditer(text) if p[1] not in WORDY and NUMBER.search(p[2])]
        if not places:
            return text
        place = rng.choice(places)
        numbers = list(NUMBER.finditer(text, place.start(2), place.end(2)))
        if not numbers:
            return text
        number = rng.choice(numbers)
        return text[: number.start()] + rng.choice(NUMBERS) + text[number.end():]

    def value(self, text, rng):
        places = list(ATTRIBUTE.finditer(text))
        if not places:
            return text
        place = rng.choice(places)
        word = rng.choice(WORDS)
        old = place[2][1:-1].split()
        if old and rng.random() < 0.6:
            old[rng.randrange(len(old))] = word
            word = " ".join(old)
        return text[: place.start(2)] + f'"{word}"' + text[place.end(2):]

    def attribute(self, text, rng):
        places = [e for e in ELEMENT.finditer(text) if self.names.get(e[1])]
        if not places:
            return text
        place = rng.choice(places)
        name = rng.choice(self.names[place[1]])
        if re.search(rf"\b{re.escape(name)}\s*=", place[2]):
            return text
        return text[: place.end(1)] + f' {name}="{rng.choice(WORDS)}"' + text[place.end(1):]

    def remove(self, text, rng):
        places = [e for e in ELEMENT.finditer(text) if e[3]]
        if not places:
            return text
        place = rng.choice(places)
        return text[: place.start()] + text[place.end():]

    def repeat(self, text, rng):
        places = [e for e in ELEMENT.finditer(text) if e[3]]
        if not places:
            return text
        place = rng.choice(places)
        return text[: place.end()] + place[0] * rng.choice([1, 2, 30]) + text[place.end():]

    def swap(self, text, rng):
        places = list(ATTRIBUTE.finditer(text))
        if len(places) < 2:
            return text
        a, b = sorted(rng.sample(places, 2), key=lambda p: p.start())
        return text[: a.start(2)] + b[2] + text[a.end(2): b.start(2)] + a[2] + text[b.end(2):]


def verdict(process):
    """One word for how a process ended, and what it said."""
    out = process.stdout.strip().splitlines()
    last = out[-1] if out else ""
    code = process.returncode
    if code == 0:
        return last.split(" ")[0] or "silent", last
    if code == 101:
        words = [line for line in process.stderr.splitlines() if line.strip()]
        return "panic", " / ".join(words[:3])
    if code in (-24, -9):
        return "hang", f"more than {SECONDS} s"
    if "memory allocation of" in process.stderr or "MemoryError" in process.stderr or "bad_alloc" in process.stderr:
        return "blow-up", process.stderr.strip().splitlines()[0]
    if code == 3:
        return "refused", last
    return "crash", f"exit {code}: {process.stderr.strip()[-200:]}"


def run(command):
    return verdict(subprocess.run(command, capture_output=True, text=True, errors="replace", preexec_fn=limited))


REFERENCE = r"""
import os, sys, mujoco
path, content = sys.argv[1:3]
text = open(content, encoding="utf-8", errors="replace").read()
os.chdir(os.path.dirname(path))
spec = None
try:
    spec = mujoco.MjSpec.from_string(text)
    spec.modelfiledir = os.path.dirname(path)
    model = spec.compile()
except Exception as error:
    print("refused", str(error).replace("\n", " | "))
    sys.exit(0)
print("ok", flush=True)
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpus", type=pathlib.Path, action="append", help="folder of models")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "hostile")
    parser.add_argument("--attack", type=pathlib.Path, default=ROOT / "target/fast/examples/attack")
    parser.add_argument("--reference", metavar="PYTHON", help="also ask the mujoco of this interpreter")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    args.keep.mkdir(parents=True, exist_ok=True)
    folders = args.corpus or [ROOT / "conformance" / "models"]
    files = sorted(f for folder in folders for kind in ("*.xml", "*.urdf") for f in folder.rglob(kind))
    texts = {f: f.read_text(errors="replace") for f in files}
    mutator = Mutator(texts.values())
    counts = collections.Counter()
    good = [f for f in files if run([args.attack, f])[0] == "ok"]
    print(f"{len(good)} of {len(files)} files load", flush=True)

    def attack(case):
        rng = random.Random(f"{args.seed}/{case}")
        file = rng.choice(good)
        changed = args.keep / f"case-{args.seed}-{case}.xml"
        changed.write_text(mutator.change(texts[file], rng), errors="replace")
        word, told = run([args.attack, file, changed])
        reference = run([args.reference, "-c", REFERENCE, file, changed]) if args.reference else None
        return file, changed, word, told, reference

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for file, changed, word, told, reference in pool.map(attack, range(args.count)):
            counts[word] += 1
            bad = word not in ("ok", "refused")
            differs = reference and reference[0] in ("ok", "refused") and not bad and reference[0] != word
            if bad or differs:
                other = f"  MuJoCo: {reference[0]} {reference[1]}" if reference else ""
                print(f"{word}: {changed} (from {file}): {told}{other}", flush=True)
            else:
                changed.unlink()
            if reference:
                counts[f"MuJoCo {reference[0]}"] += 1
                counts["differs"] += bool(differs)
    print(", ".join(f"{n} {word}" for word, n in counts.most_common()))
    sys.exit(any(counts[word] for word in ("panic", "crash", "hang", "blow-up")))


if __name__ == "__main__":
    main()
