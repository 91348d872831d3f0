"""An environment of one's own: a cart that balances a pole. `python examples/own_environment.py` runs 1024 of them."""

from dataclasses import dataclass

import numpy as np

import ligament
from ligament import envs

XML = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="cart" pos="0 0 1">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.2 0.1 0.1" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.04" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="10" ctrlrange="-1 1" ctrllimited="true"/></actuator>
</mujoco>"""


@dataclass
class Balance(envs.Task):
    frame_skip: int = 2
    effort_weight: float = 0.1  # fields are keyword arguments: make_vec(Balance, 64, effort_weight=0)
    noise: float = 0.05
    max_episode_steps = 500

    def load(self):
        return ligament.MjModel.from_xml_string(XML)

    def begin(self, draw):
        return {"qpos": draw.uniform(-self.noise, self.noise, 2), "qvel": draw.uniform(-self.noise, self.noise, 2)}

    def observe(self, w):
        angle = w.qpos[:, 1:]
        return {"x": w.qpos[:, :1], "direction": np.concatenate([np.sin(angle), np.cos(angle)], axis=1), "qvel": w.qvel}

    def judge(self, w, action, before):
        upright, effort = np.cos(w.qpos[:, 1]), self.effort_weight * envs.sum_of_squares(action)
        fallen = (upright < 0.8) | (np.abs(w.qpos[:, 0]) > 2)
        return envs.Verdict(upright - effort, fallen, {"upright": upright, "effort": effort})


def controller(observation):
    x, sine, _, speed, turning = observation.T
    return np.clip(0.1 * x + 5 * sine + 0.3 * speed + turning, -1, 1)[:, None]


if __name__ == "__main__":
    worlds = envs.make_vec(Balance, 1024)
    seen, _ = worlds.reset(seed=0)
    for _ in range(500):
        seen, reward, ended, late, infos = worlds.step(controller(seen))
    print(f"{late.mean():.0%} of {worlds.num_envs} poles stand after {500 * worlds.dt:.0f} seconds")
