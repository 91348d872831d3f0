"""Random numbers for many worlds at once, each world's as if it had a generator of NumPy for itself."""

import numpy as np

from ligament import _core

_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645  # of PCG64
_MASK = (1 << 128) - 1
_PLACE = 40  # a place within a strip, as a power of two: products with it are exact


def _strip_widths():
    """Widths of the strips under the normal density that the installed NumPy draws from.

    A generator is put into the state before the one whose output names the strip and a place in it; what comes out is
    the place times the width.
    """
    source = np.random.PCG64(0)
    generator, undo = np.random.Generator(source), pow(_MULTIPLIER, -1, 1 << 128)
    widths = []
    for strip in range(256):
        after = strip | 1 << _PLACE + 9
        source.state = {"bit_generator": "PCG64", "state": {"state": (after - 1) * undo & _MASK, "inc": 1},
                        "has_uint32": 0, "uinteger": 0}
        widths.append(float(generator.standard_normal()) / 2.0**_PLACE)
    return widths


class Streams:
    """A stream of random numbers for every world; that of a seed is ``numpy.random.default_rng(seed)``'s."""

    def __init__(self, count):
        self._native = _core._Streams(count, _strip_widths())
        self.seeds = np.zeros(count, np.uint64)
        self._seeded = False

    def seed(self, seed, mask):
        """Starts the flagged streams anew: from seed, seed + 1, ..., or a seed each (None: go on as before)."""
        count = len(mask)
        if not self._seeded:
            self._set(np.ones(count, bool), np.random.SeedSequence().generate_state(count, np.uint64))
            self._seeded = True
        if seed is None:
            return
        if isinstance(seed, (int, np.integer)):
            seed = range(int(seed), int(seed) + count)
        seed = list(seed)
        if len(seed) != count:
            raise ValueError(f"If seeds are passed as a list the length must match num_envs={count} but got "
                             f"length={len(seed)}.")
        given = np.array([one is not None for one in seed])
        numbers = [0 if one is None else int(one) for one in seed]
        if min(numbers) < 0 or max(numbers) >= 1 << 64:
            raise ValueError("a seed must be at least 0 and below 2**64")
        self._set(mask & given, np.array(numbers, np.uint64))

    def _set(self, mask, seeds):
        ids = np.flatnonzero(mask).astype(np.int32)
        self.seeds[ids] = seeds[ids]
        self._native.seed(ids, np.ascontiguousarray(seeds[ids]))

    def of(self, ids):
        """Draws for some worlds."""
        return Draw(self._native, ids)


class Draw:
    """Draws numbers for worlds: a row each."""

    def __init__(self, native, ids):
        self._native, self._ids = native, np.asarray(ids, np.int32)

    def __len__(self):
        return len(self._ids)

    def uniform(self, low, high, size):
        """Numbers from ``low`` to ``high``, (worlds, size)."""
        out = np.empty((len(self), size))
        self._native.uniform(self._ids, low, high, size, out)
        return out

    def standard_normal(self, size):
        """Normal numbers with mean 0 and deviation 1, (worlds, size)."""
        out = np.empty((len(self), size))
        self._native.normal(self._ids, size, out)
        return out

    def until(self, draw, accept):
        """Repeats ``draw(numbers)`` in the worlds whose row ``accept`` does not like yet."""
        rows = draw(self)
        while True:
            again = np.flatnonzero(~accept(rows))
            if not again.size:
                return rows
            rows[again] = draw(Draw(self._native, self._ids[again]))
