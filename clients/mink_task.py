"""mink: differential inverse kinematics of an arm, a hundred steps towards a target."""

import engine

engine.choose()

import mink  # noqa: E402
import mujoco  # noqa: E402
import numpy as np  # noqa: E402

XML = """<mujoco>
  <worldbody>
    <body pos="0 0 .4"><joint axis="0 0 1"/><joint axis="0 -1 0" range="-100 100"/>
      <geom type="capsule" size=".04" fromto="0 0 0 .35 0 0"/>
      <body pos=".35 0 0"><joint axis="0 -1 0" range="-140 140"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
        <body name="hand" pos=".34 0 0"><geom type="box" size=".02 .05 .03"/></body></body></body>
  </worldbody>
</mujoco>"""

model = mujoco.MjModel.from_xml_string(XML)
configuration = mink.Configuration(model, q=np.array([0.1, 0.6, -1.2]))
task = mink.FrameTask("hand", "body", position_cost=1.0, orientation_cost=0.0)
task.set_target(mink.SE3.from_translation(np.array([0.2, 0.4, 0.5])))
limits = [mink.ConfigurationLimit(model)]
numbers = engine.Numbers()
for _ in range(100):
    velocity = mink.solve_ik(configuration, [task], 0.02, "quadprog", limits=limits)
    configuration.integrate_inplace(velocity, 0.02)
    numbers.add(configuration.q)
numbers.show("reach")
