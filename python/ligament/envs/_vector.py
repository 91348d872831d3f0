"""Environments of a task as one ``gymnasium.vector.VectorEnv`` on a batch."""

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ligament import batch as _batch
from ligament._enums import mjtStage
from ligament.envs._pictures import MODES, Pictures
from ligament.envs._random import Streams
from ligament.envs._task import Rows, flat

_NONE = int(mjtStage.mjSTAGE_NONE)


class TaskVectorEnv(VectorEnv):
    """``num_envs`` environments of a task. No function of Python runs per world.

    ``exact`` chooses the steps: True for those of ``mj_step`` to the bit, False for lean ones (equal within rounding, several
    times as fast, an error where the model has something they have not), None for lean steps where the model allows.
    The attribute ``exact`` says which it was, and ``exact_because`` why. ``device`` says where the worlds are stepped, and
    ``dtype`` in which precision if that is not the CPU (``ligament.batch.Batch``). Other arguments are those of Gymnasium.
    """

    def __init__(self, task, num_envs=1, *, autoreset_mode=AutoresetMode.NEXT_STEP, max_episode_steps=None, exact=None,
                 nthread=0, device="cpu", dtype="float32", render_mode=None, **pictures):
        if exact not in (None, True, False):
            raise ValueError(f"exact must be None, True or False, got {exact!r}")
        self.task, self.num_envs = task, int(num_envs)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        limit = task.max_episode_steps if max_episode_steps is None else max_episode_steps
        self.max_episode_steps = None if limit is None or limit == -1 else int(limit)
        self.render_mode = render_mode
        model = task.load()
        self._pictures = Pictures(model, render_mode, {"default_camera_config": task.camera, **pictures})
        task.setup(model)
        self.batch, self.exact_because = self._make_batch(model, exact, {"nthread": nthread, "device": device, "dtype": dtype})
        self.exact = self.batch.exact
        self._worlds = Rows(self.batch)
        self._streams = Streams(self.num_envs)
        self._elapsed = np.zeros(self.num_envs, np.int64)
        self._over = np.zeros(self.num_envs, bool)
        self._describe_spaces(model)

    def _make_batch(self, model, exact, where):
        """The batch, and why its steps are exact (nothing if they are not)."""
        if exact and where["device"] == "cpu":
            return _batch.Batch(model, self.num_envs, **where), "exact=True"
        if exact:
            raise ValueError(f"steps on the device {where['device']!r} are not exact: exact=True needs device='cpu'")
        try:
            return _batch.Batch(model, self.num_envs, exact=False, **where), ""
        except ValueError as refusal:
            if exact is False or where["device"] in ("cuda", "emulated"):
                raise
            return _batch.Batch(model, self.num_envs, where["nthread"]), str(refusal)

    def _describe_spaces(self, model):
        """Spaces and metadata. Everything the task reads is bound here, before the first step."""
        low, high = np.array(model.actuator_ctrlrange, np.float32).T
        self.single_action_space = gymnasium.spaces.Box(low=low, high=high, dtype=np.float32)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        worlds, task = self._worlds, self.task
        with np.errstate(all="ignore"):
            parts = task.observe(worlds)
            task.judge(worlds, np.zeros(self.action_space.shape, np.float32), self._remember())
            task.describe(worlds)
        self.observation_structure = {name: flat(part).shape[1] for name, part in parts.items()}
        shape = (sum(self.observation_structure.values()),)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape, np.float64)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.metadata = {"render_modes": list(MODES), "render_fps": int(np.round(1.0 / self.dt)),
                         "autoreset_mode": self.autoreset_mode}
        # forces of bodies are computed for those who ask
        self._body_forces = bool({"cacc", "cfrc_int", "cfrc_ext"} & self.batch._bound.keys())

    dt = property(lambda self: self.task.dt, doc="Time between two observations.")
    np_random_seed = property(lambda self: tuple(self._streams.seeds.tolist()), doc="The seed of each world.")

    def reset(self, *, seed=None, options=None):
        """Begins episodes: in all worlds, or where the array ``options["reset_mask"]`` is true."""
        mask = self._mask(options)
        self._streams.seed(seed, mask)
        self._begin(mask)
        return self._observe(), _infos(self.task.describe(self._worlds), mask)

    def _mask(self, options):
        mask = None if options is None else options.pop("reset_mask", None)
        if mask is None:
            return np.ones(self.num_envs, bool)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"`options['reset_mask']` must be an array of bool, got {mask!r}")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"`options['reset_mask']` must have shape ({self.num_envs},) and a true value, got {mask}")
        return mask

    def step(self, actions):
        """Observations, rewards, terminations, truncations and infos after one step."""
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"Action dimension mismatch. Expected {self.action_space.shape}, found {actions.shape}")
        rests = self._over if self.autoreset_mode is AutoresetMode.NEXT_STEP else np.zeros(self.num_envs, bool)
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise gymnasium.error.ResetNeeded(f"episodes are over in worlds {np.flatnonzero(self._over)}: reset these")
        acts = ~rests
        verdict = self._advance(actions, acts)
        reward = np.where(acts, verdict.reward, 0.0)
        terminated = acts & (False if verdict.terminated is None else verdict.terminated)
        if self.task.terminate_when_diverged:
            diverged = acts & (self.batch.status < 0)
            reward, terminated = np.where(diverged, 0.0, reward), terminated | diverged
        self._elapsed[acts] += 1
        late = self.max_episode_steps is not None and self._elapsed >= self.max_episode_steps
        truncated = acts & late
        self._over = terminated | truncated
        observations, infos = self._end(verdict.info, rests)
        return observations, reward, terminated, truncated, infos

    def _remember(self):
        before = self.task.remember(self._worlds)
        return None if before is None else np.array(before)

    def _advance(self, actions, acts):
        """Steps the worlds that act, and what the task says about it."""
        before = self._remember()
        self.batch.ctrl = actions
        if acts.any():
            self.batch.step(None if acts.all() else acts, self.task.frame_skip, rnepost=self._body_forces)
        return self.task.judge(self._worlds, actions, before)

    def _end(self, info, rests):
        """Begins new episodes where it is time; observations and infos."""
        if self.autoreset_mode is not AutoresetMode.SAME_STEP or not self._over.any():
            if not rests.any():
                return self._observe(), _infos(info, ~rests)
            acted = _infos(info, ~rests)
            self._begin(rests)
            return self._observe(), _infos(self.task.describe(self._worlds), rests, into=acted)
        ended, ids = self._over, np.flatnonzero(self._over)
        observations = self._observe()
        final = np.full(self.num_envs, None, object)
        final[ids] = np.fromiter(observations[ids], object, len(ids))
        infos = {"final_obs": final, "_final_obs": ended.copy(),
                 "final_info": _infos(info, ended), "_final_info": ended.copy()}
        _infos(info, ~ended, into=infos)
        self._begin(ended)
        observations[ids] = self._observe(Rows(self.batch, ids))
        return observations, _infos(self.task.describe(self._worlds), ended, into=infos)

    def _begin(self, mask):
        """Begins episodes in the flagged worlds."""
        ids = np.flatnonzero(mask)
        self.batch.reset(ids, stage=_NONE)
        for name, values in self.task.begin(self._streams.of(ids)).items():
            self.batch.bind(name)[ids] = values
        self.batch.forward(ids)
        self._elapsed[ids] = 0
        self._over = self._over & ~mask

    def _observe(self, rows=None):
        parts = self.task.observe(self._worlds if rows is None else rows).values()
        return np.concatenate([flat(part) for part in parts], axis=1, dtype=np.float64)

    def render(self):
        """A picture of every world, if ``render_mode`` was given."""
        if self.render_mode is None:
            gymnasium.logger.warn("You are calling render method without specifying any render mode: give render_mode, "
                                  f"one of {', '.join(MODES)}")
            return None
        return tuple(self._pictures.take(self.batch, world) for world in range(self.num_envs))

    def close_extras(self, **kwargs):
        self._pictures.close()


def _infos(values, mask, into=None):
    """Adds the infos of the flagged worlds, with a mask each, as vector environments of Gymnasium give them."""
    infos = {} if into is None else into
    if not mask.any():
        return infos
    whole = mask.all()
    for name, value in values.items():
        if whole and name not in infos:
            infos[name], infos[f"_{name}"] = np.array(value), mask.copy()
            continue
        if name not in infos:
            infos[name], infos[f"_{name}"] = np.zeros(value.shape, value.dtype), np.zeros(len(mask), bool)
        infos[name][mask] = value[mask]
        infos[f"_{name}"] |= mask
    return infos
