"""What an environment is: a model, what is seen of it, what is rewarded, and how an episode begins and ends."""

import dataclasses
import importlib.util
import os
from typing import Any, ClassVar, NamedTuple, Optional

import numpy as np

from ligament._structs import MjData, MjModel


class Verdict(NamedTuple):
    """What a task says about worlds after a step: an array each, and infos by name. None: nothing is terminated."""

    reward: np.ndarray
    terminated: Optional[np.ndarray] = None
    info: dict = {}


class Rows:
    """Fields of worlds as arrays with a row for each: all worlds of a batch, or those with some ids.

    Rows of all worlds are the batch's own memory. Asking for a field for the first time binds it.
    """

    def __init__(self, batch, ids=None):
        self._batch, self._ids = batch, ids

    def __getattr__(self, name):
        array = np.asarray(self._batch.bind(name))
        return array if self._ids is None else array[self._ids]


@dataclasses.dataclass
class Task:
    """A task for many worlds at once. Arrays have a row for each world; no function may depend on which worlds are there.

    A task is a dataclass: its fields are the keyword arguments of its environments. Every function gets the worlds as
    ``w``, whose attributes are fields of ``MjData`` with a first axis for worlds: ``w.qpos`` is (worlds, nq). Parts of the
    state are those after the last step; derived fields are those that ``mj_step`` leaves, as in a single ``MjData``.
    """

    xml_file: str = ""
    frame_skip: int = 1

    max_episode_steps: ClassVar[Optional[int]] = None
    camera: ClassVar[dict] = {}
    #: Worlds whose numbers go bad, which are reset, are terminated and get no reward.
    terminate_when_diverged: ClassVar[bool] = True

    def load(self):
        """The model."""
        return MjModel.from_xml_path(model_path(self.xml_file))

    def setup(self, model):
        """Called once, before anything else: a place to look up ids."""
        data = MjData(model)
        self.model, self.dt = model, model.opt.timestep * self.frame_skip
        self.init_qpos, self.init_qvel = np.array(data.qpos), np.array(data.qvel)

    def begin(self, draw):
        """Parts of the state at the beginning of episodes, by name; all others are those of the model."""
        return {}

    def observe(self, w):
        """What is seen: arrays by name, which are put side by side."""
        return {"qpos": w.qpos, "qvel": w.qvel}

    def remember(self, w) -> Any:
        """An array that ``judge`` needs from before the step, or None."""
        return None

    def judge(self, w, action, before):
        """The ``Verdict`` on a step with these actions."""
        raise NotImplementedError(f"{type(self).__name__} says nothing about rewards")

    def describe(self, w):
        """Infos of a world that begins an episode: arrays by name."""
        return {}


def model_path(name):
    """A path as Gymnasium reads it: names are those of its own models."""
    name = os.path.expanduser(name) if name.startswith("~") else name
    if name.startswith((".", "/")) or os.path.isabs(name):
        path = name
    else:
        spec = importlib.util.find_spec("gymnasium")
        path = os.path.join(os.path.dirname(spec.origin), "envs", "mujoco", "assets", name)
    if not os.path.exists(path):
        raise OSError(f"File {path} does not exist")
    return path


def flat(array):
    """All numbers of a world in one row."""
    return array.reshape(len(array), -1)


def sum_of_squares(rows):
    """Per world, in the order and precision in which one row alone is summed."""
    return np.sum(np.square(np.ascontiguousarray(flat(rows))), axis=1)


def length(rows):
    """Euclidean length of each row, as ``numpy.linalg.norm`` finds that of one: from a dot product."""
    rows = np.ascontiguousarray(rows)
    return np.sqrt(np.matmul(rows[:, None, :], rows[:, :, None])[:, 0, 0])


def within(low, values, high):
    """Whether values lie strictly between bounds."""
    return (low < values) & (values < high)
