"""Learns to run: proximal policy optimisation (Schulman et al. 2017) in PyTorch on many worlds at once.

    pip install '.[train]'
    python examples/ppo.py --env HalfCheetah-v5 --minutes 15 --target 2000

prints progress and writes the learning curve as a picture and a table (--out). --backend gymnasium runs the same on
Gymnasium's own vector environment, --device cuda puts the policy on a GPU and, for HalfCheetah-v5 and Ant-v5, the worlds too.
"""

import argparse
import csv
import math
import time

import numpy as np
import torch
from torch import nn

GAMMA, LAMBDA, CLIP, TARGET_KL = 0.99, 0.95, 0.2, 0.01


# ------------------------------------------------------------------------------------------------------------ the worlds

class HostWorlds:
    """Gymnasium vector environments with tensors: of Ligament or of Gymnasium itself."""

    def __init__(self, arguments, device):
        if arguments.backend == "ligament":
            from ligament import envs
            self.env = envs.make_vec(arguments.env, arguments.envs, autoreset_mode="SameStep")
        else:
            import gymnasium
            mode = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}
            self.env = gymnasium.make_vec(arguments.env, arguments.envs, "async", vector_kwargs=mode)
        self.device = device
        self.observation, self.action = (self.env.single_observation_space.shape[0],
                                         self.env.single_action_space.shape[0])
        self.low, self.high = (self._tensor(x) for x in (self.env.single_action_space.low, self.env.single_action_space.high))

    def _tensor(self, array):
        return torch.as_tensor(np.asarray(array, np.float32), device=self.device)

    def reset(self, seed):
        return self._tensor(self.env.reset(seed=seed)[0])

    def step(self, actions):
        """Observations, rewards, terminated, over, and the last observations of episodes that are over."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions.cpu().numpy())
        over, final = terminated | truncated, None
        if over.any():
            final = observations.copy()
            final[over] = np.stack(infos["final_obs"][over])
            final = self._tensor(final)
        flags = (torch.as_tensor(flag, device=self.device) for flag in (terminated, over))
        return self._tensor(observations), self._tensor(rewards), *flags, final


class DeviceWorlds:
    """Tasks where the policy is: states, actions and rewards stay in the memory of the device, uncopied.

    Ant-v5 has no contact forces here: they are neither observed nor paid for.
    """

    # model, positions that are not observed, price of actions, pay for being healthy, heights that are
    TASKS = {"HalfCheetah-v5": ("half_cheetah.xml", 1, 0.1, 0.0, None), "Ant-v5": ("ant.xml", 2, 0.5, 1.0, (0.2, 1.0))}

    def __init__(self, arguments, device):
        import ligament
        from ligament import batch, envs
        name, self.hidden, self.price, self.pay, self.healthy = self.TASKS[arguments.env]
        model = ligament.MjModel.from_xml_path(envs.model_path(name))
        self.worlds, self.device, self.skip = batch.Batch(model, arguments.envs, device=device.type), device, 5
        self.qpos, self.qvel, self.ctrl = (torch.as_tensor(getattr(self.worlds, name), device=device)
                                           for name in ("qpos", "qvel", "ctrl"))
        self.observation, self.action, self.dt = model.nq + model.nv - self.hidden, model.nu, self.skip * model.opt.timestep
        self.low, self.high = -torch.ones(model.nu, device=device), torch.ones(model.nu, device=device)
        self.age = torch.zeros(arguments.envs, dtype=torch.int64, device=device)

    def _begin(self, mask):
        self.worlds.reset(mask if mask.is_cuda else mask.numpy())
        noise = 0.1 * mask[:, None].to(self.qpos.dtype)
        self.qpos += noise * (2 * torch.rand_like(self.qpos) - 1)
        self.qvel += noise * torch.randn_like(self.qvel)
        self.age[mask] = 0

    def _observe(self):
        return torch.cat([self.qpos[:, self.hidden:], self.qvel], dim=1).float()

    def reset(self, seed):
        torch.manual_seed(seed)
        self._begin(torch.ones_like(self.age, dtype=torch.bool))
        return self._observe()

    def step(self, actions):
        before = self.qpos[:, 0].clone()
        self.ctrl.copy_(actions)
        self.worlds.step(nstep=self.skip)
        rewards = self.pay + ((self.qpos[:, 0] - before) / self.dt).float() - self.price * actions.square().sum(1)
        self.age += 1
        fallen = torch.zeros_like(self.age, dtype=torch.bool)
        if self.healthy:
            low, high = self.healthy
            fallen = (self.qpos[:, 2] < low) | (self.qpos[:, 2] > high)
        over, final = fallen | (self.age >= 1000), None
        if over.any():
            final = self._observe()
            self._begin(over)
        return self._observe(), rewards, fallen, over, final


# ------------------------------------------------------------------------------------------------------------ the learner

class Moments(nn.Module):
    """Mean and variance of everything seen so far (Chan et al. 1979)."""

    def __init__(self, size):
        super().__init__()
        for name, value in (("mean", torch.zeros(size)), ("var", torch.ones(size)), ("count", torch.tensor(1e-4))):
            self.register_buffer(name, value)

    def update(self, rows):
        count, difference = len(rows), rows.mean(0) - self.mean
        total = self.count + count
        spread = self.var * self.count + rows.var(0, unbiased=False) * count
        self.var = (spread + difference**2 * self.count * count / total) / total
        self.mean, self.count = self.mean + difference * count / total, total

    def forward(self, rows):
        return ((rows - self.mean) / torch.sqrt(self.var + 1e-8)).clamp(-10, 10)


def network(inputs, outputs, last):
    """Two hidden layers with orthogonal weights."""
    layers, sizes = [], (inputs, 128, 128, outputs)
    for k, (size, after) in enumerate(zip(sizes, sizes[1:])):
        layer = nn.Linear(size, after)
        nn.init.orthogonal_(layer.weight, last if k == 2 else math.sqrt(2))
        nn.init.zeros_(layer.bias)
        layers += [layer] if k == 2 else [layer, nn.Tanh()]
    return nn.Sequential(*layers)


class Policy(nn.Module):
    """A normal distribution over actions and an estimate of the return, from normalised observations."""

    def __init__(self, observation, action):
        super().__init__()
        self.seen = Moments(observation)
        self.actor, self.critic = network(observation, action, 0.01), network(observation, 1, 1.0)
        self.log_std = nn.Parameter(torch.full((action,), -0.5))

    def distribution(self, normalised):
        return torch.distributions.Normal(self.actor(normalised), self.log_std.exp(), validate_args=False)

    def value(self, normalised):
        return self.critic(normalised)[:, 0]


class Rollout:
    """Runs worlds with a policy, ``horizon`` steps at a time, and keeps what was seen."""

    def __init__(self, worlds, policy, arguments, device):
        self.worlds, self.policy, self.horizon = worlds, policy, arguments.horizon
        shape, new = (arguments.horizon, arguments.envs), lambda *more: torch.zeros(*shape, *more, device=device)
        self.seen, self.actions = new(worlds.observation), new(worlds.action)
        self.log_probability, self.values, self.rewards, self.over = new(), new(), new(), new()
        self.observation = worlds.reset(arguments.seed)
        self.discounted, self.spread = torch.zeros(arguments.envs, device=device), Moments(1).to(device)
        self.returns, self.finished = torch.zeros(arguments.envs, device=device), []
        self.seconds = 0.0

    @torch.no_grad()
    def run(self):
        policy = self.policy
        policy.seen.update(self.observation)
        for k in range(self.horizon):
            seen = self.seen[k] = policy.seen(self.observation)
            choice = policy.distribution(seen)
            action = self.actions[k] = choice.sample()
            self.log_probability[k], self.values[k] = choice.log_prob(action).sum(1), policy.value(seen)
            start = time.perf_counter()
            self.observation, rewards, terminated, over, final = self.worlds.step(
                torch.clamp(action, self.worlds.low, self.worlds.high))
            self.seconds += time.perf_counter() - start
            self.rewards[k], self.over[k] = self._scaled(rewards, over), over
            if final is not None:  # an episode that ran out of time would have gone on
                late = over & ~terminated
                self.rewards[k] += GAMMA * late * policy.value(policy.seen(final))
        policy.seen.update(self.observation)
        return self._advantages(policy.value(policy.seen(self.observation)))

    def _scaled(self, rewards, over):
        """Rewards in units of the deviation of discounted returns; notes the returns of finished episodes."""
        self.returns += rewards
        if over.any():
            self.finished += self.returns[over].tolist()
            self.returns[over] = 0
        self.discounted = self.discounted * GAMMA + rewards
        self.spread.update(self.discounted[:, None])
        self.discounted[over] = 0
        return (rewards / torch.sqrt(self.spread.var[0] + 1e-8)).clamp(-10, 10)

    def _advantages(self, value):
        """Generalised advantage estimation (Schulman et al. 2016), and the returns that the critic should have said."""
        advantages, running = torch.zeros_like(self.rewards), 0.0
        for k in reversed(range(self.horizon)):
            goes_on = 1 - self.over[k]
            surprise = self.rewards[k] + GAMMA * goes_on * value - self.values[k]
            running = advantages[k] = surprise + GAMMA * LAMBDA * goes_on * running
            value = self.values[k]
        return advantages, advantages + self.values


def improve(policy, optimizer, rollout, advantages, targets, arguments):
    """Some passes over what was seen; the step size follows the distance between old and new policy."""
    samples = [x.flatten(0, 1) for x in (rollout.seen, rollout.actions, rollout.log_probability, advantages, targets)]
    count, rate = len(samples[0]), optimizer.param_groups[0]
    for _ in range(arguments.epochs):
        distances = []
        for ids in torch.randperm(count, device=samples[0].device).split(arguments.minibatch):
            seen, action, old, advantage, target = (x[ids] for x in samples)
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            change = policy.distribution(seen).log_prob(action).sum(1) - old
            ratio = change.exp()
            gain = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            loss = 0.5 * (policy.value(seen) - target).square().mean() - gain
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            distances.append((ratio - 1 - change).mean().item())
        distance = sum(distances) / len(distances)
        if distance > 2 * TARGET_KL:
            rate["lr"] = max(rate["lr"] / 1.5, 1e-5)
        elif distance < TARGET_KL / 2:
            rate["lr"] = min(rate["lr"] * 1.5, 1e-3)


# ------------------------------------------------------------------------------------------------------------ the program

def draw(curve, arguments):
    """The learning curve as a table and a picture."""
    with open(f"{arguments.out}.csv", "w", newline="") as file:
        csv.writer(file).writerows([("steps", "minutes", "return"), *curve])
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    steps, minutes, returns = zip(*curve)
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    axes.plot(np.array(steps) / 1e6, returns)
    axes.set(xlabel="million steps", ylabel="return of an episode", title=f"{arguments.env}, PPO, {minutes[-1]:.1f} minutes")
    axes.grid(alpha=0.3)
    figure.savefig(f"{arguments.out}.png", dpi=120)


def train(arguments):
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    device = torch.device(arguments.device)
    on_device = device.type == "cuda" and arguments.env in DeviceWorlds.TASKS and arguments.backend == "ligament"
    worlds = (DeviceWorlds if on_device or arguments.device_worlds else HostWorlds)(arguments, device)
    policy = Policy(worlds.observation, worlds.action).to(device)
    optimizer = torch.optim.Adam(policy.parameters(), lr=3e-4, eps=1e-5)
    rollout, curve, steps, shown = Rollout(worlds, policy, arguments, device), [], 0, 0.0
    start, busy = time.perf_counter(), time.process_time()
    while True:
        improve(policy, optimizer, rollout, *rollout.run(), arguments)
        steps += arguments.horizon * arguments.envs
        minutes = (time.perf_counter() - start) / 60
        if rollout.finished:
            rollout.finished = rollout.finished[-100:]
            curve.append((steps, minutes, sum(rollout.finished) / len(rollout.finished)))
        done = bool(curve) and len(rollout.finished) >= 20 and curve[-1][2] >= arguments.target
        done |= minutes >= arguments.minutes or steps >= arguments.steps
        if curve and (done or minutes * 60 - shown >= arguments.every):
            shown = minutes * 60
            print(f"{minutes:6.2f} min  {steps:10,} steps  return {curve[-1][2]:8.1f}  {steps / (60 * minutes):7,.0f} steps/s  "
                  f"{rollout.seconds / (60 * minutes):4.0%} in the worlds  "
                  f"processor {(time.process_time() - busy) / 60:.2f} min", flush=True)
        if done:
            break
    if curve:
        draw(curve, arguments)
    return curve


def options(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--env", default="HalfCheetah-v5", help="HalfCheetah-v5, Ant-v5, or another of the eleven")
    parser.add_argument("--backend", default="ligament", choices=("ligament", "gymnasium"))
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--device-worlds", action="store_true", help="worlds in tensors of the device, on a CPU too")
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--steps", type=float, default=math.inf, help="end after so many steps of all worlds")
    parser.add_argument("--target", type=float, default=math.inf, help="end when episodes have this mean return")
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--horizon", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--minibatch", type=int, default=512)
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch; the worlds use all cores")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=float, default=10, help="seconds between lines")
    parser.add_argument("--out", default="learning-curve", help="the picture and the table, without .png and .csv")
    return parser.parse_args(words)


if __name__ == "__main__":
    train(options())
