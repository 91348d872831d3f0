#!/usr/bin/env python3
"""System identification: mass, damping and friction of an arm from a noisy recording of its motion.

    python examples/system_identification.py

The "real" arm has numbers that the model does not know. Least squares over whole trajectories (`ligament.minimize`) finds
them; the Jacobian comes from finite differences, whose trajectories `ligament.rollout` runs on all cores.
"""

import pathlib

import ligament
import numpy as np
from ligament import minimize, rollout

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


def main():
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


if __name__ == "__main__":
    main()
