#!/usr/bin/env python3
"""Writes conformance/golden/*.txt: numbers of MuJoCo 3.5.0 for the models in conformance/models.

One line a field: the moment (`model`, `forward` at the first keyframe, `rollout` after ten steps), its name, its
numbers. crates/ligament/tests/golden.rs compares. Run again only when a model changes: make_golden.py
"""

import pathlib

import mujoco
import numpy as np

HERE = pathlib.Path(__file__).parent
STEPS = 10
MODEL_SKIPPED = {"names", "names_map", "paths", "text_data", "plugin_attr", "tex_data", "B_colind", "D_colind",
                 "mapM2D", "mapD2M", "mapM2M"}
FORWARD = """qpos qvel act xpos xquat xipos ximat geom_xpos geom_xmat site_xpos site_xmat cam_xpos subtree_com cdof
    cinert flexvert_xpos flexedge_length ten_length ten_velocity actuator_length actuator_velocity actuator_force M
    cvel qfrc_bias qfrc_passive qfrc_actuator qfrc_smooth qacc_smooth qfrc_constraint qacc act_dot sensordata energy
    cacc cfrc_int cfrc_ext tree_asleep""".split()
ROLLOUT = "qpos qvel act qacc sensordata history tree_asleep".split()


def text(values):
    return " ".join(repr(x.item()) if isinstance(x, np.generic) else repr(x) for x in np.ravel(values))


def contacts(moment, d):
    """Contacts in their order."""
    if d.ncon:
        for name in ("geom", "dist", "pos", "frame"):
            yield f"{moment} contact.{name} {text(getattr(d.contact, name))}"


def lines(m, d):
    for name in sorted(dir(m)):
        value = getattr(m, name)
        if name.startswith("_") or name in MODEL_SKIPPED or not isinstance(value, np.ndarray) or not value.size:
            continue
        yield f"model {name} {text(value)}"
    mujoco.mj_resetDataKeyframe(m, d, 0)
    mujoco.mj_forward(m, d)
    for name in FORWARD:
        if getattr(d, name).size:
            yield f"forward {name} {text(getattr(d, name))}"
    yield from contacts("forward", d)
    for _ in range(STEPS):
        mujoco.mj_step(m, d)
    for name in ROLLOUT:
        if getattr(d, name).size:
            yield f"rollout {name} {text(getattr(d, name))}"
    yield from contacts("rollout", d)


def main():
    assert mujoco.__version__ == "3.5.0", "golden numbers come from MuJoCo 3.5.0"
    (HERE / "golden").mkdir(exist_ok=True)
    for path in sorted((HERE / "models").glob("*.xml")):
        m = mujoco.MjModel.from_xml_path(str(path))
        (HERE / "golden" / f"{path.stem}.txt").write_text("\n".join(lines(m, mujoco.MjData(m))) + "\n")


if __name__ == "__main__":
    main()
