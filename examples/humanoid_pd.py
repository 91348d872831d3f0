#!/usr/bin/env python3
"""A humanoid that holds a pose with proportional-derivative control, and is pushed.

    python examples/humanoid_pd.py [PICTURE.png]

Torques are τ = M (kp (q* - q) - kd q̇) + bias, per joint with a motor: gains are accelerations, so one pair of numbers
suits all joints. The torso of the built-in humanoid is held in the air, so that arms and legs are free to move.
"""

import pathlib
import sys

import ligament
import numpy as np

from pictures import plot, save_png, strip

MODEL = pathlib.Path(__file__).resolve().parents[1] / "crates" / "ligament-cli" / "models" / "humanoid.xml"
KP, KD = 400.0, 40.0


def hung_humanoid():
    """The humanoid, its torso fixed to the world, and motors strong enough to hold it."""
    spec = ligament.MjSpec.from_file(str(MODEL))
    spec.delete(spec.joint("root"))
    for key in spec.keys:  # their positions are those of a free humanoid
        spec.delete(key)
    model = spec.compile()
    model.actuator_ctrllimited[:] = 0
    return model


def control(model, data, target):
    """Torques that pull every joint towards its target."""
    wanted = KP * (target - data.qpos) - KD * data.qvel
    torque = np.zeros(model.nv)
    ligament.mj_mulM(model, data, torque, wanted)
    torque += data.qfrc_bias - data.qfrc_passive
    joints = model.actuator_trnid[:, 0]
    data.ctrl[:] = torque[model.jnt_dofadr[joints]] / model.actuator_gear[:, 0]


def main():
    model = hung_humanoid()
    data = ligament.MjData(model)
    target = model.qpos0.copy()
    for name, degrees in (("right_shoulder_roll", -90), ("left_shoulder_roll", -90), ("right_elbow", -60),
                          ("left_elbow", -60), ("right_knee", -70), ("right_hip_pitch", -50)):
        joint = model.joint(name)
        target[joint.qposadr] = np.clip(np.radians(degrees), *joint.range)
    picture, errors = sys.argv[1:2], []
    frames = []
    renderer = ligament.Renderer(model, 240, 240) if picture else None
    foot = model.body("right_foot").id
    while data.time < 3.0:
        ligament.mj_forward(model, data)
        control(model, data, target)
        data.xfrc_applied[foot, :3] = (150, 0, 0) if 1.5 < data.time < 1.7 else 0
        ligament.mj_step(model, data)
        errors.append(np.abs(target - data.qpos).max())
        if renderer and len(frames) < 5 and data.time >= 0.05 + 0.5 * len(frames):
            renderer.update_scene(data, camera="side")
            frames.append(renderer.render().copy())
    print(plot(errors, label="largest error of a joint (rad) over three seconds; a push at 1.5 s"))
    print(f"\nerror before the push {errors[int(1.45 / model.opt.timestep)]:.1e} rad, "
          f"largest during it {max(errors[int(1.5 / model.opt.timestep):int(1.9 / model.opt.timestep)]):.2f}, "
          f"at the end {errors[-1]:.1e}")
    if picture:
        print("picture:", save_png(picture[0], strip(frames)))


if __name__ == "__main__":
    main()
