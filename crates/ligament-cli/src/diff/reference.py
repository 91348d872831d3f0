"""Loads a model with MuJoCo, runs the stages of a step and some steps, and writes every field: a line, then bytes."""

import json
import sys

import mujoco
import numpy as np

STAGES = (
    ("kinematics", "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat"),
    ("comPos", "subtree_com cinert cdof"),
    ("camlight", "cam_xpos cam_xmat light_xpos light_xdir"),
    ("flex", "flexvert_xpos flexelem_aabb flexedge_length"),
    ("tendon", "ten_wrapnum ten_J ten_length wrap_obj wrap_xpos"),
    ("makeM", "crb M"),
    ("factorM", "qLD qLDiagInv"),
    ("collision", "ncon"),
    ("makeConstraint", "nefc efc_type efc_id efc_J efc_pos efc_margin efc_D efc_R"),
    ("transmission", "actuator_length actuator_moment"),
    ("projectConstraint", ""),
    ("fwdVelocity", "ten_velocity actuator_velocity cvel cdof_dot qfrc_passive qfrc_bias efc_vel efc_aref"),
    ("fwdActuation", "act_dot actuator_force qfrc_actuator"),
    ("fwdAcceleration", "qfrc_smooth qacc_smooth"),
    ("fwdConstraint", "solver_niter efc_force qfrc_constraint qacc"),
    ("sensorPos", ""), ("sensorVel", ""), ("sensorAcc", "sensordata"),
)
STEP = "qpos qvel act sensordata"


def send(stage, field, value):
    data = np.frombuffer(value, dtype=np.uint8) if isinstance(value, bytes) else np.asarray(value)
    data = np.ascontiguousarray(data if data.dtype == np.uint8 else data.astype(np.float64))
    head = {"stage": stage, "field": field, "bytes": data.nbytes, "wide": data.dtype == np.float64}
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + data.tobytes())


def main(path, steps):
    load = mujoco.MjModel.from_binary_path if path.endswith(".mjb") else mujoco.MjModel.from_xml_path
    try:
        model = load(path)
    except ValueError as error:
        send("refused", str(error), b"")
        return
    send("version", mujoco.__version__, b"")
    for field in dir(model):
        if not field.startswith("_") and isinstance(getattr(model, field), (np.ndarray, bytes)):
            send("compile", field, getattr(model, field))
    data = mujoco.MjData(model)
    for stage, fields in STAGES:
        getattr(mujoco, f"mj_{stage}")(model, data)
        send(stage, "", b"")
        for field in fields.split():
            send(stage, field, getattr(data, field))
    mujoco.mj_resetData(model, data)
    for step in range(1, steps + 1):
        mujoco.mj_step(model, data)
        send(f"step {step}", "", b"")
        for field in STEP.split():
            send(f"step {step}", field, getattr(data, field))


main(sys.argv[1], int(sys.argv[2]))
