#!/usr/bin/env python3
"""Inverse kinematics: joint angles that bring a hand to a place, by damped least squares on the Jacobian.

    python examples/inverse_kinematics.py [PICTURE.png]

One step solves (J Jᵀ + λ² 1) y = e for the error e of the hand and moves the joints by Jᵀ y.
"""

import pathlib
import sys

import ligament
import numpy as np

from pictures import save_png, strip

MODEL = pathlib.Path(__file__).resolve().parent / "models" / "robot.xml"
DAMPING = 1e-3


def reach(model, data, site, target, tolerance=1e-6, most=100):
    """Moves the joints of a state until a site is at a place; gives the number of steps and the error that is left."""
    jacobian = np.zeros((3, model.nv))
    for step in range(most):
        ligament.mj_kinematics(model, data)
        ligament.mj_comPos(model, data)
        error = target - data.site_xpos[site]
        if np.linalg.norm(error) < tolerance:
            return step, np.linalg.norm(error)
        ligament.mj_jacSite(model, data, jacobian, None, site)
        move = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + DAMPING * np.eye(3), error)
        ligament.mj_integratePos(model, data.qpos, move, 1.0)
        np.clip(data.qpos, model.jnt_range[:, 0], model.jnt_range[:, 1], out=data.qpos)
    return most, np.linalg.norm(error)


def main():
    model = ligament.MjModel.from_xml_path(str(MODEL))
    data = ligament.MjData(model)
    picture = sys.argv[1:2]
    renderer = ligament.Renderer(model, 240, 240) if picture else None
    site, frames = model.site("grip").id, []
    for target in ((0.4, 0.0, 0.3), (0.2, 0.4, 0.5), (-0.3, 0.3, 0.7), (0.1, -0.5, 0.4)):
        data.qpos[:] = model.key_qpos[0]
        steps, error = reach(model, data, site, np.array(target))
        angles = ", ".join(f"{angle:7.1f}°" for angle in np.degrees(data.qpos))
        print(f"{target!s:<18} in {steps:>2} steps, error {error:.0e} m: {angles}")
        if renderer:
            ligament.mj_forward(model, data)
            renderer.update_scene(data, camera="front")
            frames.append(renderer.render().copy())
    if picture:
        print("picture:", save_png(picture[0], strip(frames)))


if __name__ == "__main__":
    main()
