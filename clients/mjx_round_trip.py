"""MJX: a model and a state of this engine to JAX and back, with a kinematics step there."""

import engine

engine.choose()

import mujoco  # noqa: E402
from mujoco import mjx  # noqa: E402

XML = """<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 .09"><freejoint/><geom size=".1"/>
      <body pos=".2 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body></body>
  </worldbody>
</mujoco>"""

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
data.qpos[7], data.qvel[:] = 0.25, 0.125
mujoco.mj_forward(model, data)
there = mjx.put_data(model, data)
moved = mjx.kinematics(mjx.put_model(model), there.replace(qpos=there.qpos.at[0].set(0.5)))
back = mjx.get_data(model, moved)
assert back.qpos[0] == 0.5 and back.qpos[7] == data.qpos[7], "get_data returned another state"
digest = engine.Digest()
digest.add(back.qpos, back.qvel, back.xpos, back.xquat, back.qacc, back.contact.dist, back.contact.geom)
digest.show("round trip")
