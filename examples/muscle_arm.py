#!/usr/bin/env python3
"""An elbow with two muscles that wrap around it: bend, stretch, and stiffen.

    python examples/muscle_arm.py [PICTURE.png]

Muscles only pull. A difference of excitations turns the joint; a sum of them (co-contraction) makes it stiff, which the
program measures by pushing the hand.
"""

import sys

import ligament
import numpy as np

from pictures import plot, save_png, strip

XML = """
<mujoco model="muscle arm">
  <option timestep="0.002" integrator="implicitfast" gravity="0 0 0"/>
  <visual><headlight ambient=".5 .5 .5"/></visual>
  <default>
    <geom type="capsule" rgba=".85 .8 .7 1"/>
    <site size=".006" rgba=".2 .2 .2 1"/>
    <tendon width=".008" rgba=".8 .2 .2 1"/>
    <muscle ctrllimited="true" ctrlrange="0 1" force="400"/>
  </default>
  <worldbody>
    <light pos="0 -1 2" dir="0 .5 -1"/>
    <camera name="side" pos=".1 -.9 .05" xyaxes="1 0 0 0 0 1"/>
    <geom size=".02" fromto="0 0 .3 0 0 .01" contype="0"/>
    <site name="biceps_origin" pos=".03 0 .28"/><site name="triceps_origin" pos="-.03 0 .28"/>
    <site name="back" pos="-.05 0 0"/>
    <body name="forearm">
      <joint name="elbow" axis="0 -1 0" range="-10 140" damping=".3" armature=".01"/>
      <geom name="elbow" type="cylinder" size=".025" fromto="0 -.02 0 0 .02 0" contype="0"/>
      <geom size=".018" fromto=".02 0 0 .28 0 0" contype="0"/>
      <geom name="hand" type="sphere" pos=".3 0 0" size=".03" mass=".5" contype="0"/>
      <site name="biceps_end" pos=".05 0 .018"/><site name="triceps_end" pos="-.02 0 -.022"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="biceps"><site site="biceps_origin"/><site site="biceps_end"/></spatial>
    <spatial name="triceps">
      <site site="triceps_origin"/><geom geom="elbow" sidesite="back"/><site site="triceps_end"/>
    </spatial>
  </tendon>
  <actuator><muscle name="biceps" tendon="biceps"/><muscle name="triceps" tendon="triceps"/></actuator>
</mujoco>
"""


def settle(model, data, biceps, triceps, push=0.0, seconds=1.5):
    """Angles (degrees) while the muscles have these excitations and the hand is pushed by so many newtons."""
    angles = []
    for _ in range(int(seconds / model.opt.timestep)):
        data.ctrl[:] = biceps, triceps
        data.xfrc_applied[1, 2] = push
        ligament.mj_step(model, data)
        angles.append(np.degrees(data.qpos[0]))
    return angles


def main():
    model = ligament.MjModel.from_xml_string(XML)
    data = ligament.MjData(model)
    picture = sys.argv[1:2]
    renderer = ligament.Renderer(model, 240, 240) if picture else None
    angles, frames = [], []
    for biceps, triceps in ((0.0, 0.4), (0.5, 0.0), (0.2, 0.2), (0.0, 0.8)):
        angles += settle(model, data, biceps, triceps)
        print(f"biceps {biceps:.1f}, triceps {triceps:.1f}: elbow at {angles[-1]:6.1f}°, "
              f"pulling {-data.actuator_force[0]:5.1f} N and {-data.actuator_force[1]:5.1f} N")
        if renderer:
            renderer.update_scene(data, camera="side")
            frames.append(renderer.render().copy())
    print(plot(angles, label="\nangle of the elbow (degrees)"))
    print("\na push of 5 N moves the hand by")
    for both in (0.1, 0.3, 0.9):
        ligament.mj_resetData(model, data)
        data.qpos[0] = 1.0
        before = settle(model, data, both, both, seconds=3)[-1]
        after = settle(model, data, both, both, push=5.0, seconds=3)[-1]
        print(f"  {after - before:5.1f}° with both muscles at {both:.1f}")
    if picture:
        print("picture:", save_png(picture[0], strip(frames)))


if __name__ == "__main__":
    main()
