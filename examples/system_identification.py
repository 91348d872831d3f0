#!/usr/bin/env python3
"""System identification: mass, damping and friction of an arm from a noisy recording of its motion.

    python examples/system_identification.py [PICTURE.png]

The "real" arm has numbers that the model does not know. Least squares over whole trajectories (`ligament.minimize`) finds
them; the Jacobian comes from finite differences, whose trajectories `ligament.rollout` runs on all cores. The picture
shows the arm as guessed, as measured and as found, at the time when guess and measurement are farthest apart.
"""

import pathlib
import sys

import ligament
import numpy as np
from ligament import minimize, rollout

from pictures import save_png, strip

MODEL = pathlib.Path(__file__).resolve().parent / "models" / "robot.xml"
TRUE = np.array([1.7, 2.2, 0.4])
LABELS = ("mass of the hand (kg)", "damping (N m s)", "friction (N m)")
STEPS = 500


def configure(model, parameters):
    """Writes the numbers that are looked for into a model."""
    mass, damping, friction = parameters
    hand = model.body("hand").id
    model.body_inertia[hand] *= mass / model.body_mass[hand]
    model.body_mass[hand] = mass
    model.dof_damping[:] = damping
    model.dof_frictionloss[:] = friction
    ligament.mj_setConst(model, ligament.MjData(model))  # what depends on masses: weights of constraints and bodies


def trajectories(model, columns, controls):
    """Joint angles over time, one trajectory for each column of parameters."""
    models = []
    for parameters in columns.T:
        models.append(ligament.MjModel.from_xml_path(str(MODEL)))
        configure(models[-1], parameters)
    data = ligament.MjData(model)
    size = ligament.mj_stateSize(model, ligament.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros(size)
    ligament.mj_getState(model, data, start, ligament.mjtState.mjSTATE_FULLPHYSICS)
    states, _ = rollout.rollout(models, data, np.tile(start, (len(models), 1)), np.tile(controls, (len(models), 1, 1)))
    return states[:, :, 1:1 + model.nq].reshape(len(models), -1).T


def draw(path, model, motions):
    """Writes a picture of the arm in several motions, side by side, when the first two are farthest apart."""
    poses = [motion.reshape(STEPS, model.nq) for motion in motions]
    moment = np.abs(poses[0] - poses[1]).max(axis=1).argmax()
    data, frames = ligament.MjData(model), []
    renderer = ligament.Renderer(model, 240, 240)
    for pose in poses:
        data.qpos[:] = pose[moment]
        ligament.mj_forward(model, data)
        renderer.update_scene(data, camera="front")
        frames.append(renderer.render().copy())
    return save_png(path, strip(frames))


def main():
    picture = sys.argv[1:2]
    random = np.random.RandomState(1)
    model = ligament.MjModel.from_xml_path(str(MODEL))
    time = np.arange(STEPS)[:, None] * model.opt.timestep
    controls = np.sin(time * [5, 8, 11]) * [1.0, 0.8, 1.2]
    measured = trajectories(model, TRUE[:, None], controls)
    measured += random.normal(0, 1e-3, measured.shape)

    def residual(columns):
        return trajectories(model, columns, controls) - measured
    guess = np.array([0.5, 0.5, 0.1])
    found, trace = minimize.least_squares(guess, residual, bounds=[np.full(3, 1e-3), np.full(3, 10.0)],
                                          verbose=minimize.Verbosity.SILENT)
    print(f"{len(trace)} iterations over {STEPS} steps, noise of 1 mrad\n")
    print(f"{'':<24}{'guess':>8}{'found':>10}{'true':>8}")
    for label, *row in zip(LABELS, guess, found, TRUE):
        print(f"{label:<24}{row[0]:>8.2f}{row[1]:>10.4f}{row[2]:>8.2f}")
    before, after = (np.sqrt(np.mean(residual(x[:, None]) ** 2)) for x in (guess, found))
    print(f"\nroot mean square error: {before:.4f} rad before, {after:.4f} after")
    if picture:
        guessed, identified = (trajectories(model, x[:, None], controls) for x in (guess, found))
        print("picture:", draw(picture[0], model, (guessed, measured, identified)))


if __name__ == "__main__":
    main()
