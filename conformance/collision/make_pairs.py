"""Writes pairs.txt: contacts of MuJoCo 3.5.0 for pairs of primitive shapes in random poses.

One line a pose: both types, margin, position, matrix and size of both shapes, number of contacts, and for each
contact distance, position and normal.

    python conformance/collision/make_pairs.py
"""

import itertools
import pathlib

import mujoco
import numpy as np

TYPES = {"plane": "1 1 .1", "sphere": ".2", "capsule": ".1 .2", "ellipsoid": ".1 .2 .3", "cylinder": ".15 .2",
         "box": ".1 .2 .15"}
POSES = 8


def lines(first, second, rng):
    joint = "" if first == "plane" else "<freejoint/>"
    for margin in (0.0, 0.05):
        m = mujoco.MjModel.from_xml_string(f"""<mujoco><worldbody>
          <body>{joint}<geom type="{first}" size="{TYPES[first]}" margin="{margin}"/></body>
          <body><freejoint/><geom type="{second}" size="{TYPES[second]}"/></body></worldbody></mujoco>""")
        d = mujoco.MjData(m)
        for _ in range(POSES):
            found = False
            while not found:
                qpos = rng.normal(size=m.nq)
                for adr in range(0, m.nq, 7):
                    qpos[adr:adr + 3] = rng.uniform(-0.3, 0.3, 3)
                d.qpos[:] = qpos
                mujoco.mj_normalizeQuat(m, d.qpos)
                mujoco.mj_kinematics(m, d)
                mujoco.mj_comPos(m, d)
                mujoco.mj_collision(m, d)
                found = 0 < d.ncon <= 8
            numbers = [margin]
            for g in range(2):
                numbers += [*d.geom_xpos[g], *d.geom_xmat[g], *m.geom_size[g]]
            numbers.append(d.ncon)
            for c in d.contact:
                numbers += [c.dist, *c.pos, *c.frame[:3]]
            yield f"{first} {second} " + " ".join(f"{x:.17g}" for x in numbers)


if __name__ == "__main__":
    generator = np.random.default_rng(0)
    pairs = [p for p in itertools.combinations_with_replacement(TYPES, 2) if p[1] != "plane"]
    text = [line for first, second in pairs for line in lines(first, second, generator)]
    pathlib.Path(__file__).with_name("pairs.txt").write_text("\n".join(text) + "\n")
