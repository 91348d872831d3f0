"""What clients/others.py runs: the tasks of one client, in an environment that has either engine under the name mujoco.

    others_tasks.py PROGRAM
"""

import itertools
import os
import pathlib
import sys
import tempfile

import engine
import numpy as np

ROBOT = pathlib.Path(__file__).resolve().parents[1] / "examples" / "models" / "robot.xml"


def gym_task(name, steps, seed=3, **arguments):
    """Observations and rewards of random actions."""
    import gymnasium

    env = gymnasium.make(name, **arguments)
    env.action_space.seed(4)
    np.random.seed(5)  # some tasks draw from there
    numbers = engine.Numbers()
    numbers.add(env.reset(seed=seed)[0])
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        numbers.add(observation, reward)
        if terminated or truncated:
            numbers.add(env.reset()[0])
    return numbers


def registered(wanted, steps):
    """The newest version of each task that is registered."""
    import gymnasium

    for name in wanted:
        versions = sorted((spec.version or 0, full) for full, spec in gymnasium.registry.items() if spec.name == name)
        if versions:
            yield versions[-1][1], lambda: gym_task(versions[-1][1], steps)


def gymnasium_tasks():
    import gymnasium

    version = "v4" if gymnasium.__version__.startswith("0.") else "v5"
    for name in ("Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum",
                 "Pusher", "Reacher", "Swimmer", "Walker2d"):
        yield name, lambda: gym_task(f"{name}-{version}", 100)


def gymnasium_robotics_tasks():
    import gymnasium
    import gymnasium_robotics

    if hasattr(gymnasium, "register_envs"):
        gymnasium.register_envs(gymnasium_robotics)
    yield from registered(["FetchReach", "FetchPush", "FetchSlide", "FetchPickAndPlace", "HandReach", "HandManipulateBlock",
                           "AdroitHandDoor", "AdroitHandPen", "PointMaze_UMaze", "AntMaze_UMaze", "FrankaKitchen"], 50)


def imported(module, prefix, steps):
    """Tasks that importing a module registers."""
    def program():
        import gymnasium
        __import__(module)
        for name in sorted(name for name in gymnasium.registry if name.startswith(prefix)):
            yield name, lambda: gym_task(name, steps)
    return program


def safety_gymnasium_tasks():
    import safety_gymnasium

    def run(name):
        env, numbers = safety_gymnasium.make(name), engine.Numbers()
        env.action_space.seed(4)
        numbers.add(env.reset(seed=3)[0])
        for _ in range(50):
            numbers.add(*env.step(env.action_space.sample())[:3])
        return numbers
    for name in ("SafetyPointGoal1-v0", "SafetyCarGoal1-v0", "SafetyAntVelocity-v1", "SafetyDoggoButton1-v0"):
        yield name, lambda: run(name)


def shimmy_tasks():
    import gymnasium
    import shimmy

    gymnasium.register_envs(shimmy)
    for name in ("cartpole-swingup", "walker-walk", "humanoid-stand", "fish-swim"):
        yield name, lambda: gym_task(f"dm_control/{name}-v0", 100)


def metaworld_tasks():
    import metaworld

    for name in itertools.islice(sorted(metaworld.ALL_V3_ENVIRONMENTS), 0, None, 4):
        yield name, lambda: gym_task("Meta-World/MT1", 20, env_name=name, seed=3)


def mink_tasks():
    import mink
    import mujoco

    def solve():
        model = mujoco.MjModel.from_xml_path(str(ROBOT))
        configuration, numbers = mink.Configuration(model), engine.Numbers()
        configuration.update(np.array([0.1, 0.2, 0.3]))
        goal = configuration.get_transform_frame_to_world("grip", "site")
        task, posture = mink.FrameTask("grip", "site", 1.0, 0.1), mink.PostureTask(model, 1e-2)
        posture.set_target_from_configuration(configuration)
        task.set_target(mink.SE3.from_rotation_and_translation(goal.rotation(), goal.translation() + [0.05, 0, 0.02]))
        for _ in range(50):
            velocity = mink.solve_ik(configuration, [task, posture], 0.01, "quadprog", damping=1e-3,
                                     limits=[mink.ConfigurationLimit(model)])
            configuration.integrate_inplace(velocity, 0.01)
            numbers.add(configuration.q)
        return numbers
    yield "inverse kinematics", solve


def stable_baselines_tasks():
    from stable_baselines3 import PPO

    def learn():
        learner, numbers = PPO("MlpPolicy", "Ant-v4", n_steps=64, batch_size=64, n_epochs=2, seed=1, device="cpu"), engine.Numbers()
        learner.learn(256)
        numbers.add(*(parameter.detach().numpy() for parameter in learner.policy.parameters()))
        return numbers
    yield "PPO", learn


def converter_tasks():
    from mjcf_urdf_simple_converter import convert
    import mujoco

    def run():
        path, numbers = os.path.join(tempfile.mkdtemp(), "robot.urdf"), engine.Numbers()
        convert(str(ROBOT), path)
        model = mujoco.MjModel.from_xml_path(path)
        numbers.add(model.body_mass, model.body_pos, model.jnt_range)
        return numbers
    yield "MJCF to URDF", run


PROGRAMS = {"gymnasium": gymnasium_tasks, "gymnasium_robotics": gymnasium_robotics_tasks, "safety": safety_gymnasium_tasks,
            "shimmy": shimmy_tasks, "metaworld": metaworld_tasks, "mink": mink_tasks, "sb3": stable_baselines_tasks,
            "converter": converter_tasks, "xarm": imported("gym_xarm", "gym_xarm/", 30),
            "hil": imported("gym_hil", "gym_hil/PandaPickCubeBase", 30), "myosuite": imported("myosuite", "myoElbowPose1D6MR", 30)}


def main():
    for name, run in PROGRAMS[sys.argv[1]]():
        try:
            run().show(name)
        except Exception as error:  # what one engine refuses, the other has to refuse
            engine.Refusal(error).show(name)


if __name__ == "__main__":
    main()
