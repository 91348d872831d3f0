"""The eleven MuJoCo tasks of Gymnasium, version 5: same arguments, same numbers.

Terms are summed in the order in which Gymnasium sums them, so that equal states and actions give equal bits.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, Union

import numpy as np

from ligament.envs._task import Task, Verdict, length, sum_of_squares, within

_INF = math.inf


@dataclass
class V5(Task):
    """What the eleven have in common: episodes begin with noise around the initial state."""

    max_episode_steps: ClassVar[int] = 1000
    terminate_when_diverged: ClassVar[bool] = False
    normal_velocities: ClassVar[bool] = False

    def begin(self, draw):
        scale, nq, nv = self.reset_noise_scale, self.model.nq, self.model.nv
        qpos = self.init_qpos + draw.uniform(-scale, scale, nq)
        noise = scale * draw.standard_normal(nv) if self.normal_velocities else draw.uniform(-scale, scale, nv)
        return {"qpos": qpos, "qvel": self.init_qvel + noise}


@dataclass
class Runner(V5):
    """Moves along x; the first numbers of qpos say how far, and are left out of observations by default."""

    forward_reward_weight: float = 1.0
    exclude_current_positions_from_observation: bool = True

    skipped: ClassVar[int] = 1

    def observe(self, w):
        start = self.skipped if self.exclude_current_positions_from_observation else 0
        return {"qpos": w.qpos[:, start:], "qvel": self.seen_velocity(w)}

    def seen_velocity(self, w):
        return w.qvel

    def remember(self, w):
        return w.qpos[:, :self.skipped]

    def velocity(self, w, before):
        return (w.qpos[:, :self.skipped] - before) / self.dt

    def control_cost(self, action):
        return self.ctrl_cost_weight * sum_of_squares(action)


@dataclass
class HalfCheetah(Runner):
    xml_file: str = "half_cheetah.xml"
    frame_skip: int = 5
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 0.1

    camera: ClassVar[dict] = {"distance": 4.0}
    normal_velocities: ClassVar[bool] = True

    def judge(self, w, action, before):
        velocity = self.velocity(w, before)[:, 0]
        forward, cost = self.forward_reward_weight * velocity, self.control_cost(action)
        return Verdict(forward - cost, info={**self.describe(w), "x_velocity": velocity, "reward_forward": forward,
                                             "reward_ctrl": -cost})

    def describe(self, w):
        return {"x_position": w.qpos[:, 0]}


@dataclass
class Swimmer(Runner):
    xml_file: str = "swimmer.xml"
    frame_skip: int = 4
    ctrl_cost_weight: float = 1e-4
    reset_noise_scale: float = 0.1

    skipped: ClassVar[int] = 2

    def judge(self, w, action, before):
        velocity = self.velocity(w, before)
        forward, cost = self.forward_reward_weight * velocity[:, 0], self.control_cost(action)
        return Verdict(forward - cost, info={**self.describe(w), "x_velocity": velocity[:, 0],
                                             "y_velocity": velocity[:, 1], "reward_forward": forward, "reward_ctrl": -cost})

    def describe(self, w):
        return {"x_position": w.qpos[:, 0], "y_position": w.qpos[:, 1], "distance_from_origin": length(w.qpos[:, :2])}


@dataclass
class Walker2d(Runner):
    xml_file: str = "walker2d_v5.xml"
    frame_skip: int = 4
    ctrl_cost_weight: float = 1e-3
    healthy_reward: float = 1.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple = (0.8, 2.0)
    healthy_angle_range: tuple = (-1.0, 1.0)
    reset_noise_scale: float = 5e-3

    camera: ClassVar[dict] = {"trackbodyid": 2, "distance": 4.0, "lookat": (0.0, 0.0, 1.15), "elevation": -20.0}

    def seen_velocity(self, w):
        return np.clip(w.qvel, -10, 10)

    def healthy(self, w):
        (low, high), (left, right) = self.healthy_z_range, self.healthy_angle_range
        return within(low, w.qpos[:, 1], high) & within(left, w.qpos[:, 2], right)

    def judge(self, w, action, before):
        velocity, healthy = self.velocity(w, before)[:, 0], self.healthy(w)
        forward, survive = self.forward_reward_weight * velocity, healthy * self.healthy_reward
        cost = self.control_cost(action)
        info = {**self.describe(w), "x_velocity": velocity, "reward_forward": forward, "reward_ctrl": -cost,
                "reward_survive": survive}
        return Verdict(forward + survive - cost, ~healthy & self.terminate_when_unhealthy, info)

    def describe(self, w):
        return {"x_position": w.qpos[:, 0], "z_distance_from_origin": w.qpos[:, 1] - self.init_qpos[1]}


@dataclass
class Hopper(Walker2d):
    xml_file: str = "hopper.xml"
    healthy_state_range: tuple = (-100.0, 100.0)
    healthy_z_range: tuple = (0.7, _INF)
    healthy_angle_range: tuple = (-0.2, 0.2)

    camera: ClassVar[dict] = {"trackbodyid": 2, "distance": 3.0, "lookat": (0.0, 0.0, 1.15), "elevation": -20.0}

    def healthy(self, w):
        low, high = self.healthy_state_range
        sound = within(low, w.qpos[:, 2:], high).all(axis=1) & within(low, w.qvel, high).all(axis=1)
        return super().healthy(w) & sound


@dataclass
class Ant(V5):
    xml_file: str = "ant.xml"
    frame_skip: int = 5
    forward_reward_weight: float = 1
    ctrl_cost_weight: float = 0.5
    contact_cost_weight: float = 5e-4
    healthy_reward: float = 1.0
    main_body: Union[int, str] = 1
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple = (0.2, 1.0)
    contact_force_range: tuple = (-1.0, 1.0)
    reset_noise_scale: float = 0.1
    exclude_current_positions_from_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    camera: ClassVar[dict] = {"distance": 4.0}
    normal_velocities: ClassVar[bool] = True

    def setup(self, model):
        super().setup(model)
        self._torso = model.body(self.main_body).id

    def contact_forces(self, w):
        return np.clip(w.cfrc_ext, *self.contact_force_range)

    def observe(self, w):
        start = 2 if self.exclude_current_positions_from_observation else 0
        parts = {"qpos": w.qpos[:, start:], "qvel": w.qvel}
        if self.include_cfrc_ext_in_observation:
            parts["cfrc_ext"] = self.contact_forces(w)[:, 1:]
        return parts

    def remember(self, w):
        return w.xpos[:, self._torso, :2]

    def judge(self, w, action, before):
        velocity = (w.xpos[:, self._torso, :2] - before) / self.dt
        low, high = self.healthy_z_range
        z, finite = w.qpos[:, 2], np.isfinite(w.qpos).all(axis=1) & np.isfinite(w.qvel).all(axis=1)
        healthy = finite & (low <= z) & (z <= high)
        forward, survive = velocity[:, 0] * self.forward_reward_weight, healthy * self.healthy_reward
        control = self.ctrl_cost_weight * sum_of_squares(action)
        contact = self.contact_cost_weight * sum_of_squares(self.contact_forces(w))
        info = {**self.describe(w), "x_velocity": velocity[:, 0], "y_velocity": velocity[:, 1], "reward_forward": forward,
                "reward_ctrl": -control, "reward_contact": -contact, "reward_survive": survive}
        return Verdict(forward + survive - (control + contact), ~healthy & self.terminate_when_unhealthy, info)

    def describe(self, w):
        return {"x_position": w.qpos[:, 0], "y_position": w.qpos[:, 1], "distance_from_origin": length(w.qpos[:, :2])}


@dataclass
class Humanlike(V5):
    """Observations of the two humanoids."""

    frame_skip: int = 5
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 1e-2
    exclude_current_positions_from_observation: bool = True
    include_cinert_in_observation: bool = True
    include_cvel_in_observation: bool = True
    include_qfrc_actuator_in_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    def observe(self, w):
        start = 2 if self.exclude_current_positions_from_observation else 0
        parts = {"qpos": w.qpos[:, start:], "qvel": w.qvel}
        if self.include_cinert_in_observation:
            parts["cinert"] = w.cinert[:, 1:]
        if self.include_cvel_in_observation:
            parts["cvel"] = w.cvel[:, 1:]
        if self.include_qfrc_actuator_in_observation:
            parts["qfrc_actuator"] = w.qfrc_actuator[:, 6:]
        if self.include_cfrc_ext_in_observation:
            parts["cfrc_ext"] = w.cfrc_ext[:, 1:]
        return parts


@dataclass
class Humanoid(Humanlike):
    xml_file: str = "humanoid.xml"
    forward_reward_weight: float = 1.25
    contact_cost_weight: float = 5e-7
    contact_cost_range: tuple = (-_INF, 10.0)
    healthy_reward: float = 5.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple = (1.0, 2.0)

    camera: ClassVar[dict] = {"trackbodyid": 1, "distance": 4.0, "lookat": (0.0, 0.0, 2.0), "elevation": -20.0}

    def remember(self, w):
        """The centre of mass, as seen from above."""
        moments = np.einsum("b,nbj->nj", self.model.body_mass, w.xipos)
        return (moments / self.model.body_mass.sum())[:, :2]

    def judge(self, w, action, before):
        velocity = (self.remember(w) - before) / self.dt
        healthy = within(self.healthy_z_range[0], w.qpos[:, 2], self.healthy_z_range[1])
        forward, survive = self.forward_reward_weight * velocity[:, 0], healthy * self.healthy_reward
        control = self.ctrl_cost_weight * sum_of_squares(w.ctrl)
        contact = np.clip(self.contact_cost_weight * sum_of_squares(w.cfrc_ext), *self.contact_cost_range)
        info = {**self.describe(w), "x_velocity": velocity[:, 0], "y_velocity": velocity[:, 1], "reward_survive": survive,
                "reward_forward": forward, "reward_ctrl": -control, "reward_contact": -contact}
        return Verdict(forward + survive - (control + contact), ~healthy & self.terminate_when_unhealthy, info)

    def describe(self, w):
        return {"x_position": w.qpos[:, 0], "y_position": w.qpos[:, 1], "tendon_length": w.ten_length,
                "tendon_velocity": w.ten_velocity, "distance_from_origin": length(w.qpos[:, :2])}


@dataclass
class HumanoidStandup(Humanlike):
    xml_file: str = "humanoidstandup.xml"
    uph_cost_weight: float = 1
    impact_cost_weight: float = 5e-7
    impact_cost_range: tuple = (-_INF, 10.0)

    camera: ClassVar[dict] = {"trackbodyid": 1, "distance": 4.0, "lookat": (0.0, 0.0, 0.8925), "elevation": -20.0}

    def judge(self, w, action, before):
        # Gymnasium has the argument uph_cost_weight and does not use it
        up = (w.qpos[:, 2] - 0) / self.model.opt.timestep
        control = self.ctrl_cost_weight * sum_of_squares(w.ctrl)
        impact = np.clip(self.impact_cost_weight * sum_of_squares(w.cfrc_ext), *self.impact_cost_range)
        info = {**self.describe(w), "reward_linup": up, "reward_quadctrl": -control, "reward_impact": -impact}
        return Verdict(up - control - impact + 1, info=info)

    def describe(self, w):
        return {"x_position": w.qpos[:, 0], "y_position": w.qpos[:, 1],
                "z_distance_from_origin": w.qpos[:, 2] - self.init_qpos[2], "tendon_length": w.ten_length,
                "tendon_velocity": w.ten_velocity}


@dataclass
class InvertedPendulum(V5):
    xml_file: str = "inverted_pendulum.xml"
    frame_skip: int = 2
    reset_noise_scale: float = 0.01

    camera: ClassVar[dict] = {"trackbodyid": 0, "distance": 2.04}

    def judge(self, w, action, before):
        finite = np.isfinite(w.qpos).all(axis=1) & np.isfinite(w.qvel).all(axis=1)
        fallen = ~finite | (np.abs(w.qpos[:, 1]) > 0.2)
        reward = (~fallen).astype(int)
        return Verdict(reward, fallen, {"reward_survive": reward})


@dataclass
class InvertedDoublePendulum(V5):
    xml_file: str = "inverted_double_pendulum.xml"
    frame_skip: int = 5
    healthy_reward: float = 10.0
    reset_noise_scale: float = 0.1

    normal_velocities: ClassVar[bool] = True

    def observe(self, w):
        angles = np.ascontiguousarray(w.qpos[:, 1:])
        return {"x": w.qpos[:, :1], "sines": np.sin(angles), "cosines": np.cos(angles),
                "qvel": np.clip(w.qvel, -10, 10), "qfrc_constraint": np.clip(w.qfrc_constraint, -10, 10)[:, :1]}

    def judge(self, w, action, before):
        x, y = w.site_xpos[:, 0, 0], w.site_xpos[:, 0, 2]
        fallen = y <= 1
        distance = 0.01 * x ** 2 + (y - 2) ** 2
        speed = 1e-3 * w.qvel[:, 1] ** 2 + 5e-3 * w.qvel[:, 2] ** 2
        alive = self.healthy_reward * (~fallen).astype(int)
        info = {"reward_survive": alive, "distance_penalty": -distance, "velocity_penalty": -speed}
        return Verdict(alive - distance - speed, fallen, info)


@dataclass
class Reacher(V5):
    xml_file: str = "reacher.xml"
    frame_skip: int = 2
    reward_dist_weight: float = 1
    reward_control_weight: float = 1

    max_episode_steps: ClassVar[int] = 50
    camera: ClassVar[dict] = {"trackbodyid": 0}

    def setup(self, model):
        super().setup(model)
        self._tip, self._target = model.body("fingertip").id, model.body("target").id

    def offset(self, w):
        return w.xpos[:, self._tip] - w.xpos[:, self._target]

    def observe(self, w):
        angles = np.ascontiguousarray(w.qpos[:, :2])
        return {"cosines": np.cos(angles), "sines": np.sin(angles), "target": w.qpos[:, 2:], "qvel": w.qvel[:, :2],
                "offset": self.offset(w)[:, :2]}

    def judge(self, w, action, before):
        distance = -length(self.offset(w)) * self.reward_dist_weight
        control = -sum_of_squares(action) * self.reward_control_weight
        return Verdict(distance + control, info={"reward_dist": distance, "reward_ctrl": control})

    def begin(self, draw):
        qpos = draw.uniform(-0.1, 0.1, self.model.nq) + self.init_qpos
        qpos[:, -2:] = draw.until(lambda some: some.uniform(-0.2, 0.2, 2), lambda goals: length(goals) < 0.2)
        qvel = self.init_qvel + draw.uniform(-0.005, 0.005, self.model.nv)
        qvel[:, -2:] = 0
        return {"qpos": qpos, "qvel": qvel}


@dataclass
class Pusher(V5):
    xml_file: str = "pusher_v5.xml"
    frame_skip: int = 5
    reward_near_weight: float = 0.5
    reward_dist_weight: float = 1
    reward_control_weight: float = 0.1

    max_episode_steps: ClassVar[int] = 100
    camera: ClassVar[dict] = {"trackbodyid": -1, "distance": 4.0}

    def setup(self, model):
        super().setup(model)
        self._bodies = {name: model.body(name).id for name in ("tips_arm", "object", "goal")}

    def observe(self, w):
        places = {name: w.xpos[:, body] for name, body in self._bodies.items()}
        return {"qpos": w.qpos[:, :7], "qvel": w.qvel[:, :7], **places}

    def judge(self, w, action, before):
        tip, thing, goal = (w.xpos[:, body] for body in self._bodies.values())
        near = -length(thing - tip) * self.reward_near_weight
        distance = -length(thing - goal) * self.reward_dist_weight
        control = -sum_of_squares(action) * self.reward_control_weight
        return Verdict(distance + control + near,
                       info={"reward_dist": distance, "reward_ctrl": control, "reward_near": near})

    def begin(self, draw):
        def place(some):
            return np.concatenate([some.uniform(-0.3, 0.0, 1), some.uniform(-0.2, 0.2, 1)], axis=1)

        qpos = np.tile(self.init_qpos, (len(draw), 1))
        qpos[:, -4:-2] = draw.until(place, lambda places: length(places) > 0.17)
        qpos[:, -2:] = 0
        qvel = self.init_qvel + draw.uniform(-0.005, 0.005, self.model.nv)
        qvel[:, -4:] = 0
        return {"qpos": qpos, "qvel": qvel}


TASKS = {f"{task.__name__}-v5": task for task in (
    Ant, HalfCheetah, Hopper, Humanoid, HumanoidStandup, InvertedDoublePendulum, InvertedPendulum, Pusher, Reacher, Swimmer,
    Walker2d)}
