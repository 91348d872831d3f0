"""What the client programs share: choosing the engine, and one line of output per task."""

import hashlib
import json
import sys
import warnings

import numpy as np


chosen = None


def choose():
    """Makes ``import mujoco`` mean the engine named by the first argument; gives the other arguments."""
    global chosen
    warnings.filterwarnings("ignore")
    engine, *tasks = sys.argv[1:]
    chosen = engine
    if engine == "ligament":
        import ligament.compat
        ligament.compat.install()
    elif engine != "mujoco":
        sys.exit("the first argument is mujoco or ligament")
    return tasks


class Digest:
    """A digest of numbers, to the last bit."""

    def __init__(self):
        self._hash = hashlib.sha256()

    def add(self, *values):
        """Adds numbers, arrays, or dictionaries of them."""
        for value in values:
            if isinstance(value, dict):
                self.add(*(value[key] for key in sorted(value)))
            else:
                array = np.asarray(value)
                self._hash.update(array.astype(np.float64).tobytes() if array.dtype == object else array.tobytes())

    def show(self, task):
        """Prints the line that is compared."""
        print(json.dumps([task, self._hash.hexdigest()]), flush=True)


class Numbers:
    """The numbers themselves, where the last digits may differ."""

    def __init__(self):
        self._values = []

    def add(self, *values):
        """Adds numbers, arrays, or dictionaries of them."""
        for value in values:
            if isinstance(value, dict):
                self.add(*(value[key] for key in sorted(value)))
            else:
                self._values += np.asarray(value, dtype=float).ravel().tolist()

    def show(self, task):
        """Prints the line that is compared."""
        print(json.dumps([task, self._values]), flush=True)


class Refusal:
    """An error in place of numbers: what kind it is, and the first line of it."""

    def __init__(self, error):
        self._words = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"

    def show(self, task):
        """Prints the line that is compared."""
        print(json.dumps([task, self._words]), flush=True)
