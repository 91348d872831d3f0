"""Environments to learn in: Gymnasium's MuJoCo tasks, and tasks of one's own, on a batch of worlds.

    envs = ligament.envs.make_vec("Humanoid-v5", num_envs=1024)
    observations, infos = envs.reset(seed=0)
    observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())

The eleven tasks are also registered with Gymnasium: ``gymnasium.make_vec("ligament/Humanoid-v5", num_envs=1024)``.
"""

import copy as _copy
import dataclasses as _dataclasses

try:
    import gymnasium as _gymnasium
except ImportError as _error:
    raise ImportError("environments need Gymnasium: pip install 'ligament[envs]'") from _error

from ligament.envs._random import Draw
from ligament.envs._task import Rows, Task, Verdict, flat, length, model_path, sum_of_squares, within
from ligament.envs._v5 import TASKS
from ligament.envs._vector import TaskVectorEnv

__all__ = ["Draw", "Rows", "TASKS", "Task", "TaskVectorEnv", "Verdict", "flat", "length", "make_vec", "model_path",
           "sum_of_squares", "within"]


def make_vec(id, num_envs=1, *, vector_kwargs=None, **kwargs):
    """Environments of a task, given by the name of one of Gymnasium's (``TASKS``) or as a class of one's own.

    Keyword arguments are those of the task, as in Gymnasium (``reset_noise_scale=0``), and those of ``TaskVectorEnv``:
    ``autoreset_mode`` (also within ``vector_kwargs``), ``max_episode_steps``, ``exact``, ``nthread``, ``device``, ``dtype``,
    ``render_mode``, ``width``, ``height``, ``camera_id``, ``camera_name``, ``default_camera_config``, ``max_geom``, ``visual_options``.
    """
    kind = TASKS.get(id) if isinstance(id, str) else id
    if kind is None:
        raise ValueError(f"no task is named {id!r}; there are {', '.join(TASKS)}, and a class of your own can be given")
    vector = dict(vector_kwargs or {})
    unknown = vector.keys() - {"autoreset_mode"}
    if unknown:
        raise TypeError(f"vector_kwargs may have autoreset_mode, not {sorted(unknown)[0]!r}")
    settings = {field.name for field in _dataclasses.fields(kind)}
    task = kind(**{name: value for name, value in kwargs.items() if name in settings})
    rest = {name: value for name, value in kwargs.items() if name not in settings}
    env = TaskVectorEnv(task, num_envs, **vector, **rest)
    if isinstance(id, str):
        env.spec = _copy.deepcopy(_gymnasium.spec(id))
        env.spec.kwargs = {**kwargs, "num_envs": num_envs, **vector}
    return env


for _id, _kind in TASKS.items():
    _gymnasium.register(f"ligament/{_id}", vector_entry_point="ligament.envs:make_vec", kwargs={"id": _id},
                        max_episode_steps=_kind.max_episode_steps)
