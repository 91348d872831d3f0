"""Episodes on a batch: rewards, ends, time limits and automatic resets, for all simulations at once."""

import numpy as np

from ligament._enums import mjtStage

_MODES = ("next_step", "same_step", "disabled")


class Episodes:
    """Runs a task on a batch. All functions take the batch and work on whole arrays.

    ``observe(batch)`` gives observations (nsim, ...), ``reward(batch, action)`` rewards (nsim,), ``terminated(batch)`` flags
    (nsim,). ``begin(batch, ids, rng)`` may change the state of simulations that were just reset; ``before(batch,
    action)`` is called before the steps, with the old state in place, and its result is given to ``reward`` as a third
    argument. ``nstep`` steps make a call, after ``time_limit`` calls an episode is truncated. ``autoreset`` is one of
    Gymnasium's modes: ``next_step`` (the call after the end begins the new episode, without a step), ``same_step`` (the
    same call does, and ``info['final_obs']`` has the last observations), ``disabled``.

    A simulation whose numbers go bad is terminated, whatever ``terminated`` says. The functions are called once when the
    object is made, so that the fields they read are bound before the first step.
    """

    def __init__(self, batch, *, observe, reward, terminated=None, begin=None, before=None, nstep=1, time_limit=None,
                 autoreset="next_step", stage=mjtStage.mjSTAGE_VEL, seed=None):
        if autoreset not in _MODES:
            raise ValueError(f"autoreset must be one of {', '.join(_MODES)}, got {autoreset!r}")
        self.batch, self.nstep, self.time_limit, self.autoreset = batch, nstep, time_limit, autoreset
        self.stage = int(stage)
        self._observe, self._reward, self._terminated = observe, reward, terminated
        self._begin, self._before = begin, before
        self.rng = np.random.default_rng(seed)
        self.age = np.zeros(batch.nsim, int)
        self.over = np.zeros(batch.nsim, bool)
        self._judge(np.array(batch.ctrl), None if before is None else before(batch, np.array(batch.ctrl)))
        observe(batch)

    def _judge(self, action, memory):
        """Rewards, and which simulations the task says are over."""
        reward = self._reward(self.batch, action) if self._before is None else self._reward(self.batch, action, memory)
        over = np.zeros(self.batch.nsim, bool) if self._terminated is None else self._terminated(self.batch)
        return np.asarray(reward), np.asarray(over, bool)

    def reset(self, mask=None, seed=None):
        """Begins new episodes, in all simulations or the flagged ones; returns observations and infos."""
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self._begin_in(np.ones(self.batch.nsim, bool) if mask is None else np.asarray(mask, bool))
        return self._observe(self.batch), {}

    def step(self, action):
        """Observations, rewards, terminated, truncated and infos after one call with these controls."""
        batch = self.batch
        resting = self.over if self.autoreset == "next_step" else np.zeros(batch.nsim, bool)
        begins = np.array(resting)
        batch.ctrl = action
        memory = None if self._before is None else self._before(batch, action)
        if not begins.all():
            batch.step(None if not begins.any() else ~begins, self.nstep, self.stage)
        diverged = (batch.status < 0) & ~begins
        reward, ended = self._judge(action, memory)
        reward = np.where(begins | diverged, 0.0, reward)
        terminated = (ended | diverged) & ~begins
        self.age[~begins] += 1
        truncated = np.zeros(batch.nsim, bool)
        if self.time_limit is not None:
            truncated = (self.age >= self.time_limit) & ~begins
        self.over = terminated | truncated
        info = {}
        if begins.any():
            self._begin_in(begins)
        if self.autoreset == "same_step" and self.over.any():
            info = {"final_obs": np.array(self._observe(batch)), "_final_obs": self.over.copy()}
            self._begin_in(self.over)
        return self._observe(batch), reward, terminated, truncated, info

    def _begin_in(self, mask):
        batch, ids = self.batch, np.flatnonzero(mask)
        if not ids.size:
            return
        none = int(mjtStage.mjSTAGE_NONE)
        batch.reset(ids, stage=none if self._begin is not None else int(mjtStage.mjSTAGE_ACC))
        if self._begin is not None:
            self._begin(batch, ids, self.rng)
            batch.forward(ids)
        self.age[ids] = 0
        self.over = self.over & ~mask
