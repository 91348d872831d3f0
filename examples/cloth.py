#!/usr/bin/env python3
"""A cloth that falls on a ball and hangs over it.

    python examples/cloth.py [PICTURE.png]
"""

import sys

import ligament
import numpy as np

from pictures import plot, save_png, strip

XML = """
<mujoco model="cloth">
  <option timestep="0.002" solver="CG" iterations="30" integrator="implicitfast"/>
  <visual><headlight ambient=".4 .4 .4"/></visual>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".6 .7 .9" rgb2=".1 .1 .2" width="64" height="64"/>
  </asset>
  <worldbody>
    <light pos="1 -1 2" dir="-.5 .5 -1"/>
    <camera name="side" pos="0 -1.2 .75" xyaxes="1 0 0 0 .35 1"/>
    <geom type="plane" size="2 2 .1" rgba=".4 .45 .5 1"/>
    <geom name="ball" pos="0 0 .3" size=".15" rgba=".8 .3 .2 1"/>
    <flexcomp name="cloth" type="grid" dim="2" count="13 13 1" spacing=".06 .06 .06" pos="0 0 .62" mass=".3" radius=".012"
              rgba=".2 .5 .8 1">
      <edge equality="true" damping=".02"/>
      <contact selfcollide="none" condim="3" solref=".01 1"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""


def main():
    model = ligament.MjModel.from_xml_string(XML)
    data = ligament.MjData(model)
    picture = sys.argv[1:2]
    renderer = ligament.Renderer(model, 240, 240) if picture else None
    heights, frames, times = [], [], [0.02, 0.3, 0.6, 1.2]
    while data.time < 1.2:
        ligament.mj_step(model, data)
        heights.append(data.flexvert_xpos[:, 2].min())
        if renderer and times and data.time >= times[0] - 1e-9:
            times.pop(0)
            renderer.update_scene(data, camera="side")
            frames.append(renderer.render().copy())
    stretch = data.flexedge_length / model.flexedge_length0
    print(plot(heights, label="height of the lowest point of the cloth (m)"))
    print(f"\n{model.nflexvert} vertices, {model.nflexedge} edges, {data.ncon} contacts; "
          f"edges are {stretch.min():.3f} to {stretch.max():.3f} times their length")
    print(f"top of the cloth {data.flexvert_xpos[:, 2].max():.3f} m above the floor; the ball ends at 0.450 m")
    if picture:
        print("picture:", save_png(picture[0], strip(frames)))


if __name__ == "__main__":
    main()
