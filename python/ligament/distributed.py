"""Rollouts from many machines: environments on a batch as actors of Ray.

    workers = distributed.Workers(functools.partial(envs.make_vec, "Ant-v5", 256), act, count=8, num_cpus=4)
    for _ in range(1000):
        for rollout in workers.collect(weights, steps=64):
            learn(rollout)

``act(weights, observations)`` gives actions, or actions and a dict of further arrays to record. Weights go into Ray's object
store once a call, and from there once to each machine. A worker that is lost, with its process or its whole machine, is
replaced by a new one, which begins its episodes anew; the rollouts of the others are not touched.
"""

import numpy as np

try:
    import ray
except ImportError as _error:
    raise ImportError("rollouts from many machines need Ray: pip install 'ligament[distributed]'") from _error

__all__ = ["Workers"]


class _Worker:
    """Environments and a policy; what is seen in some steps."""

    def __init__(self, make_env, act, seed):
        self.env, self.act = make_env(), act
        self.observations, _ = self.env.reset(seed=seed)

    def rollout(self, weights, steps):
        """Arrays with a row for each step: (steps, num_envs, ...)."""
        rows = {}
        for _ in range(steps):
            answer = self.act(weights, self.observations)
            actions, more = answer if isinstance(answer, tuple) else (answer, {})
            step = {"observations": self.observations, "actions": actions, **more}
            self.observations, step["rewards"], step["terminations"], step["truncations"], _ = self.env.step(actions)
            for name, value in step.items():
                rows.setdefault(name, []).append(value)
        return {**{name: np.stack(values) for name, values in rows.items()}, "last_observations": self.observations,
                "node": ray.get_runtime_context().get_node_id()}


class Workers:
    """``count`` workers with ``num_cpus`` cores each, spread over the machines of the cluster that ``ray.init`` joined.

    ``make_env()`` makes the vector environment of a worker; the k-th worker that is started, replacements included, is reset
    with ``seed + k * 10**6``. ``patience`` is how many seconds a rollout may take, starting a worker included; whoever takes
    longer is given up and replaced. After ``attempts`` replacements per worker in one call it gives up. ``replaced`` counts.
    """

    def __init__(self, make_env, act, count, *, num_cpus=1, seed=0, patience=600, attempts=5, **options):
        if not ray.is_initialized():
            raise RuntimeError("call ray.init first: Ray decides which machines take part")
        self._actor = ray.remote(_Worker).options(num_cpus=num_cpus, scheduling_strategy="SPREAD", **options)
        self._arguments = ray.put(make_env), ray.put(act)
        self._seed, self._patience, self._attempts, self._started = seed, patience, attempts, 0
        self.replaced = 0
        self._workers = [self._start() for _ in range(count)]

    def __len__(self):
        return len(self._workers)

    def _start(self):
        seed = self._seed + self._started * 10**6
        self._started += 1
        return self._actor.remote(*self._arguments, seed)

    def collect(self, weights, steps):
        """A rollout of every worker, in their order: dicts of arrays (steps, num_envs, ...).

        Besides what was seen and done they have ``last_observations``, for bootstrapping, and the id of their ``node``.
        """
        shared = ray.put(weights)
        results, failures = [None] * len(self), 0
        waiting = {self._workers[k].rollout.remote(shared, steps): k for k in range(len(self))}
        while waiting:
            ready, late = ray.wait(list(waiting), timeout=self._patience)
            for reference in ready or late:
                k = waiting.pop(reference)
                try:
                    results[k] = ray.get(reference, timeout=self._patience if ready else 0)
                except (ray.exceptions.RayActorError, ray.exceptions.ObjectLostError, ray.exceptions.GetTimeoutError) as error:
                    failures += 1
                    if failures > self._attempts * len(self):
                        raise RuntimeError(f"workers are lost as soon as they are replaced; the last: {error}") from error
                    self._replace(k)
                    waiting[self._workers[k].rollout.remote(shared, steps)] = k
        return results

    def _replace(self, k):
        ray.kill(self._workers[k])
        self._workers[k] = self._start()
        self.replaced += 1

    def close(self):
        """Ends the workers."""
        for worker in self._workers:
            ray.kill(worker)
        self._workers = []
