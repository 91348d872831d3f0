#!/usr/bin/env python3
"""A double pendulum without friction: how well is energy kept, and how soon do two neighbours part?

    python examples/pendulum.py [PICTURE.png]
"""

import sys

import ligament
import numpy as np

from pictures import plot, save_png, strip

XML = """
<mujoco>
  <option timestep="0.001" integrator="{integrator}"><flag energy="enable" contact="disable"/></option>
  <asset><texture name="sky" type="skybox" builtin="flat" rgb1=".9 .9 .9" width="8" height="8"/></asset>
  <visual><headlight ambient=".5 .5 .5"/></visual>
  <worldbody>
    <camera name="side" pos="0 -2.9 0" xyaxes="1 0 0 0 0 1"/>
    <body>
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.5" rgba=".3 .5 .8 1"/>
      <body pos="0 0 -0.5">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.5" rgba=".9 .6 .2 1"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def swing(integrator, angle, seconds=10.0):
    """Angles and energy over time, starting at rest."""
    model = ligament.MjModel.from_xml_string(XML.format(integrator=integrator))
    data = ligament.MjData(model)
    data.qpos[0] = angle
    angles, energies = [], []
    while data.time < seconds:
        ligament.mj_step(model, data)
        angles.append(data.qpos.copy())
        energies.append(data.energy.sum())
    return np.array(angles), np.array(energies)


def draw(path, poses):
    """Writes a picture of the pendulum with these angles, side by side."""
    model = ligament.MjModel.from_xml_string(XML.format(integrator="RK4"))
    data = ligament.MjData(model)
    renderer, frames = ligament.Renderer(model, 240, 240), []
    for data.qpos[:] in poses:
        ligament.mj_forward(model, data)
        renderer.update_scene(data, camera="side")
        frames.append(renderer.render().copy())
    return save_png(path, strip(frames))


def main():
    picture = sys.argv[1:2]
    angles, _ = swing("RK4", 2.0)
    print(plot(angles[:, 1] - angles[0, 1], label="angle of the elbow over ten seconds (rad)"))
    print("\nenergy after ten seconds, relative to the start:")
    for integrator in ("Euler", "implicitfast", "RK4"):
        _, energy = swing(integrator, 2.0)
        print(f"  {integrator:<14}{(energy[-1] - energy[0]) / abs(energy[0]):+.1e}")
    neighbour, _ = swing("RK4", 2.0 + 1e-9)
    apart = np.abs(angles - neighbour).max(axis=1)
    print("\ntwo pendulums that start a billionth of a radian apart:")
    for second in (1, 3, 5, 7, 10):
        print(f"  after {second:>2} s: {apart[second * 1000 - 1]:.1e} rad")
    if picture:
        print("picture, a quarter of a second apart:", draw(picture[0], angles[:1250:250]))


if __name__ == "__main__":
    main()
