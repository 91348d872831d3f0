#!/usr/bin/env python3
"""Calls the Python package in hostile ways, each in a process with little time and memory.

    PYTHONPATH=python python conformance/hostile_calls.py [--only CLASS] [--match TEXT] [--jobs N] [--show] [--fork]

Every case is a short program: wild arguments, states and settings, records of scenes with ids out of range, pictures of
any size, damaged files, editing of specifications, batches, threads, hooks. A result or an exception is a good outcome. Counts
panics (internal errors), crashes, hangs and blow-ups, of which there should be none. `--show` prints what each case said.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

import hostile_corners
import hostile_crowds
import hostile_inputs
import hostile_mixtures
import hostile_shells
import hostile_states
import hostile_totals
import hostile_wild
from hostile_forks import Forks
from hostile_inputs import FLOATS, INTEGERS, SIZES

# cases run in folders of their own
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.path.abspath(os.environ.get("PYTHONPATH", "python"))}
SECONDS, MEMORY = 12, int(os.environ.get("HOSTILE_MEMORY", 2 << 30))

PRELUDE = r'''
import sys, os, math, copy, threading, time, tempfile, zlib, struct
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np
import ligament as mj, ligament.batch, ligament.parts, ligament.rollout, ligament.viewer
nan, inf = float("nan"), float("inf")
PLAIN = """<mujoco><visual><global offwidth="640" offheight="480"/></visual><worldbody><light/><camera name="c" pos="0 -2 1" xyaxes="1 0 0 0 1 2"/>
<geom name="floor" type="plane" size="2 2 .1"/><body name="a" pos="0 0 .3"><freejoint name="f"/><geom name="ga" size=".1"/><site name="s"/></body>
<body name="b" pos=".5 0 .3"><joint name="h" axis="0 1 0"/><geom name="gb" type="box" size=".1 .1 .1"/><site name="t"/></body>
<body name="mo" mocap="true"><geom size=".05" contype="0" conaffinity="0"/></body></worldbody>
<tendon><spatial name="w"><site site="s"/><site site="t"/></spatial></tendon>
<equality><weld name="e" body1="mo" body2="a" active="false"/></equality>
<actuator><motor name="m" joint="h"/><position joint="h" kp="1" delay=".01" nsample="4"/></actuator>
<sensor><rangefinder site="s"/><touch site="s"/><jointpos joint="h"/></sensor>
<keyframe><key name="k"/></keyframe></mujoco>"""
RICH = """<mujoco><visual><global offwidth="640" offheight="480"/></visual><asset><mesh name="tet" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
<texture name="t" type="2d" builtin="checker" width="16" height="16" rgb1="1 0 0" rgb2="0 1 0"/><texture name="sky" type="skybox" builtin="gradient" width="8" height="48" rgb1="1 1 1" rgb2="0 0 1"/>
<material name="mt" texture="t" texrepeat="3 3" reflectance=".3"/><hfield name="hf" nrow="4" ncol="4" size="1 1 .2 .1" elevation="0 1 0 1 1 0 1 0 0 1 0 1 1 0 1 0"/></asset>
<worldbody><light castshadow="true" pos="0 0 3" dir="0 0 -1"/><light type="spot" castshadow="true" pos="1 0 3" dir="0 0 -1"/><camera name="c" pos="0 -2 1" xyaxes="1 0 0 0 1 2"/>
<geom type="plane" size="2 2 .1" material="mt"/><geom type="hfield" hfield="hf" pos="0 0 -.5"/>
<body name="a" pos="0 0 1"><freejoint/><geom type="mesh" mesh="tet" material="mt"/><camera name="c2" mode="trackcom"/></body>
<body name="b" pos="1 0 1"><joint/><geom type="capsule" size=".1 .2" rgba="1 0 0 .5"/></body>
<flexcomp name="soft" type="grid" count="3 3 3" spacing=".1 .1 .1" pos="0 1 1" dim="3" radius=".01"><edge equality="true"/></flexcomp>
<flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" pos="0 -1 1" dim="2" radius=".01"><edge equality="true"/></flexcomp></worldbody>
<deformable><skin name="sk" vertex="0 0 0 .1 0 0 0 .1 0" face="0 1 2" material="mt" texcoord="0 0 1 0 0 1"><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable></mujoco>"""
def world(text=PLAIN):
    m = mj.MjModel.from_xml_string(text)
    d = mj.MjData(m)
    mj.mj_step(m, d)
    return m, d
def drawn(text=RICH, **sizes):
    m, d = world(text)
    scn = mj.MjvScene(m, sizes.get("maxgeom", 200)); cam = mj.MjvCamera(); opt = mj.MjvOption(); pert = mj.MjvPerturb()
    con = mj.MjrContext(m, 100)
    mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn)
    return m, d, scn, cam, opt, pert, con
RECT = mj.MjrRect(0, 0, 64, 48)
def draw(scn, con, rect=RECT):
    mj.mjr_render(rect, scn, con)
    mj.mjr_readPixels(np.empty((48, 64, 3), np.uint8), np.empty((48, 64), np.float32), RECT, con)
def sneak(what):
    """Runs several attempts; what they raise is remembered, not raised."""
    try:
        what()
    except Exception as error:
        note(error)
last = ["ok"]
def note(error):
    text = f"{type(error).__name__}: {error}".replace("\n", " | ")[:300]
    last[0] = "refused " + text
    # only where the case overwrites indices of a model in use may there be an internal error
    if "internal error" in text and not OVERWRITES:
        print("panic " + text, flush=True)
        os._exit(101)
'''

EPILOGUE = '''
try:
    case()
except Exception as error:
    note(error)
except KeyboardInterrupt as error:
    note(error)
print(last[0].encode('utf-8', 'replace').decode(), flush=True)
'''


def calls():
    """Functions whose arguments say how much to do."""
    for n in INTEGERS:
        yield f"m, d = world(); mj.mj_step(m, d, nstep={n}) if {n} < 10**6 else None"
        yield f"m, d = world(); mj.mj_step(m, d, {n}) if not 0 < {n} < 2**31 else None"
        yield f"m, d = world(); mj.mj_resetDataKeyframe(m, d, {n})"
        yield f"m, d = world(); mj.mj_setKeyframe(m, d, {n})"
        yield f"m, d = world(); mj.mj_stateSize(m, {n})"
        yield f"m, d = world(); mj.mj_getState(m, d, np.zeros(10), {n})"
        yield f"m, d = world(); mj.mj_setState(m, d, np.zeros(10), {n})"
        yield f"m, d = world(); mj.mj_copyState(m, d, d, {n})"
        yield f"m, d = world(); mj.mj_id2name(m, {n}, 0); "
        yield f"m, d = world(); mj.mj_id2name(m, 1, {n})"
        yield f"m, d = world(); mj.mj_name2id(m, {n}, 'a')"
        yield f"m, d = world(); mj.mj_multiRay(m, d, np.zeros(3), np.ones(30), None, 1, -1, np.zeros(10, np.int32), np.zeros(10), None, {n}, 10.0)"
        yield f"m, d = world(); mj.mj_ray(m, d, np.zeros(3), np.ones(3), None, 1, {n}, np.zeros(1, np.int32))"
        yield f"m, d = world(); mj.mj_jacBody(m, d, np.zeros((3, m.nv)), None, {n})"
        yield f"m, d = world(); mj.mj_jacGeom(m, d, np.zeros((3, m.nv)), None, {n})"
        yield f"m, d = world(); mj.mj_applyFT(m, d, np.ones(3), np.ones(3), np.ones(3), {n}, np.zeros(m.nv))"
        yield f"m, d = world(); mj.mj_objectVelocity(m, d, {n}, 0, np.zeros(6), 0)"
        yield f"m, d = world(); mj.mj_objectVelocity(m, d, 1, {n}, np.zeros(6), 0)"
        yield f"m, d = world(); mj.mj_contactForce(m, d, {n}, np.zeros(6))"
        yield f"m, d = world(); mj.mj_geomDistance(m, d, {n}, 1, 1.0, None)"
        yield f"m, d = world(); mj.mj_setLengthRange(m, d, {n}, mj.MjLROpt())"
        yield f"m, d = world(); mj.mj_rne(m, d, {n}, np.zeros(m.nv))"
        yield f"m, d = world(); mj.mj_RungeKutta(m, d, {n})"
        yield f"m, d = world(); mj.mj_forwardSkip(m, d, {n}, 0)"
        yield f"m, d = world(); mj.mj_inverseSkip(m, d, {n}, 1)"
        yield f"m, d = world(); mj.mj_getTotalmass(m); mj.mj_setTotalmass(m, float({n})); mj.mj_step(m, d)"
        yield f"m, d = world(); mj.mj_initCtrlHistory(m, d, {n}, None, np.zeros(4))"
        yield f"m, d = world(); mj.mj_readCtrl(m, d, {n}, 0.0, 0)"
        yield f"m, d = world(); mj.mj_readSensor(m, d, {n}, 0.0, np.zeros(1), 0)"
        yield f"mj.mju_Halton({n}, 2); mj.mju_Halton(5, {n})"
        yield f"mj.mju_strncpy('abc', {n}) if hasattr(mj, 'mju_strncpy') else None"
        yield f"mj.mju_writeNumBytes({n}) if hasattr(mj, 'mju_writeNumBytes') else None"
        yield f"mj.mju_type2Str({n})"
        yield f"mj.mju_insertionSort(np.zeros(5)) if {n} else mj.mju_insertionSortInt(np.zeros(0, np.int32))"
        yield f"m, d = world(); d.nefc = {n}; mj.mj_step2(m, d)"
        yield f"m, d = world(); d.ncon = {n}; mj.mj_makeConstraint(m, d); mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.iterations = {n}; mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.ls_iterations = {n}; mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.noslip_iterations = {n}; mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.ccd_iterations = {n}; mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.sdf_iterations = {n}; m.opt.sdf_initpoints = {n}; mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.integrator = {n}; mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.cone = {n}; mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.solver = {n}; mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.jacobian = {n}; mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.disableflags = {n}; mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.enableflags = {n}; mj.mj_step(m, d)"
        yield f"m, d = world(); m.opt.disableactuator = {n}; mj.mj_step(m, d)"
        for solver in ("PGS", "CG", "Newton"):
            yield f"m, d = world(RICH); m.opt.solver = mj.mjtSolver.mjSOL_{solver.upper()}; m.opt.iterations = {n}; m.opt.tolerance = 0; mj.mj_step(m, d)"
            yield f"m, d = world(RICH); m.opt.solver = mj.mjtSolver.mjSOL_{solver.upper()}; m.opt.noslip_iterations = {n}; m.opt.noslip_tolerance = 0; mj.mj_step(m, d)"


def numbers():
    """Numbers that are none, in options, states and arguments."""
    for x in FLOATS:
        for name in ("timestep", "impratio", "tolerance", "ls_tolerance", "noslip_tolerance", "ccd_tolerance", "density",
                     "viscosity", "o_margin"):
            yield f"m, d = world(RICH); m.opt.{name} = {x}; [mj.mj_step(m, d) for _ in range(3)]"
        for name in ("gravity", "wind", "magnetic", "o_solref", "o_solimp", "o_friction"):
            yield f"m, d = world(RICH); m.opt.{name}[:] = {x}; [mj.mj_step(m, d) for _ in range(3)]"
        for name in ("qpos", "qvel", "ctrl", "act", "qacc_warmstart", "xfrc_applied", "qfrc_applied", "mocap_pos", "mocap_quat"):
            for text in ("PLAIN", "RICH"):
                yield f"m, d = world({text}); d.{name}[:] = {x}; mj.mj_forward(m, d); mj.mj_step(m, d); mj.mj_inverse(m, d)"
        for name in ("geom_margin", "geom_gap", "geom_size", "geom_rbound", "geom_aabb", "geom_solref", "geom_solimp", "geom_friction",
                     "body_mass", "body_inertia", "body_pos", "body_quat", "body_ipos", "dof_armature", "dof_damping", "jnt_range",
                     "jnt_stiffness", "bvh_aabb", "hfield_size", "hfield_data", "mesh_vert", "flex_vert", "flex_margin", "flex_gap",
                     "flex_radius", "flex_stiffness", "flex_damping", "eq_data", "eq_solref", "tendon_range", "actuator_gainprm",
                     "actuator_biasprm", "actuator_history", "tendon_length0", "body_invweight0", "dof_invweight0", "flexedge_length0",
                     "flexedge_invweight0", "tex_data", "sensor_cutoff", "cam_fovy", "light_cutoff", "mat_texrepeat", "skin_vert"):
            yield f"m, d = world(RICH); a = getattr(m, '{name}', None); a[...] = np.clip({x}, 0, 255) if a.dtype == np.uint8 else {x}; [mj.mj_step(m, d) for _ in range(3)]"
        yield f"m, d = world(); mj.mj_ray(m, d, np.full(3, {x}), np.ones(3), None, 1, -1, np.zeros(1, np.int32))"
        yield f"m, d = world(RICH); mj.mj_ray(m, d, np.zeros(3), np.full(3, {x}), None, 1, -1, np.zeros(1, np.int32))"
        yield f"m, d = world(); o = mj.MjLROpt(); o.inttotal = {x}; mj.mj_setLengthRange(m, d, 0, o)"
        yield f"m, d = world(); o = mj.MjLROpt(); o.timestep = {x}; mj.mj_setLengthRange(m, d, 0, o)"
        yield f"m, d = world(); o = mj.MjLROpt(); o.interval = {x}; o.accel = {x}; o.maxforce = {x}; o.timeconst = {x}; mj.mj_setLengthRange(m, d, 0, o)"
        yield f"m, d = world(); mj.mjd_transitionFD(m, d, {x}, 1, np.zeros((2*m.nv, 2*m.nv)), None, None, None)"
        yield f"m, d = world(); mj.mjd_inverseFD(m, d, {x}, 1, *[None]*7)"
        yield f"m, d = world(); mj.mj_geomDistance(m, d, 0, 1, {x}, np.zeros(6))"
        yield f"m, d = world(); mj.mj_readCtrl(m, d, 1, {x}, 1); mj.mj_readSensor(m, d, 0, {x}, np.zeros(1), 1)"
        yield f"m, d = world(); d.time = {x}; [mj.mj_step(m, d) for _ in range(3)]"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); cam.distance = {x}; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn); draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); cam.lookat[:] = {x}; cam.azimuth = {x}; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn); draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); m.vis.map.znear = {x}; m.vis.map.zfar = {x}; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn); draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); m.stat.extent = {x}; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn); draw(scn, con); mj.MjrContext(m, 100)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); [setattr(g, 'size', {x}) for g in scn.geoms]; draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); [setattr(g, 'pos', {x}) for g in scn.geoms]; draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); [setattr(g, 'mat', {x}) for g in scn.geoms]; draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); [setattr(g, 'rgba', {x}) for g in scn.geoms]; draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); [setattr(c, n, {x}) for c in scn.camera for n in ('frustum_near','frustum_far','frustum_top','frustum_width')]; draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); [setattr(c, n, {x}) for c in scn.camera for n in ('pos','forward','up')]; draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); [setattr(l, n, {x}) for l in scn.lights for n in ('pos','dir','cutoff','exponent','attenuation')]; draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); scn.enabletransform = 1; scn.scale = {x}; scn.translate[:] = {x}; scn.rotate[:] = {x}; draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); scn.flexface[:] = {x}; scn.skinvert[:] = {x}; scn.flexvert[:] = {x}; draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); con.lineWidth = {x}; con.shadowClip = {x}; con.shadowScale = {x}; con.fogStart = {x}; scn.flags[:] = 1; draw(scn, con)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); mj.mjr_text(0, 'abc', con, {x}, {x}, {x}, {x}, {x}); mj.mjr_rectangle(RECT, {x}, {x}, {x}, {x})"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); mj.mjv_moveCamera(m, 1, {x}, {x}, scn, cam); mj.mjv_movePerturb(m, d, 2, {x}, {x}, scn, pert); mj.mjv_moveModel(m, 3, {x}, {x}, np.ones(3), scn)"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); mj.mjv_select(m, d, opt, {x}, {x}, {x}, scn, np.zeros(3), np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32))"
        yield f"m, d, scn, cam, opt, pert, con = drawn(); pert.select = 1; pert.active = 3; pert.refpos[:] = {x}; pert.scale = {x}; pert.localmass = {x}; mj.mjv_applyPerturbForce(m, d, pert); mj.mjv_applyPerturbPose(m, d, pert, 1); mj.mj_step(m, d)"
        yield f"b = mj.batch.Batch(world()[0], 4); b.state[:] = {x}; b.step(nstep=3)"
        yield f"b = mj.batch.Batch(world()[0], 4); b.randomize('geom_friction', uniform=({x}, {x}), seed=1); b.step(nstep=3)"
        yield f"b = mj.batch.Batch(world()[0], 4); b.randomize('body_mass', normal=({x}, {x}), effect='set'); b.set_const(); b.step(nstep=3)"
        yield f"b = mj.batch.Batch(world()[0], 4); b.expand('geom_margin')[:] = {x}; b.step(nstep=3)"
        yield f"b = mj.batch.Batch(world()[0], 4); b.expand('opt.timestep')[:] = {x}; b.step(nstep=3)"
        yield f"b = mj.batch.Batch(world()[0], 4, exact='auto'); b.state[:] = {x}; b.step(nstep=3)"
        yield f"b = mj.batch.Batch(world()[0], 4); b.ray(np.full(3, {x}), np.ones(3)); b.jac(1, np.full(3, {x}))"


def scenes():
    """Records of scenes with numbers out of range."""
    begin = "m, d, scn, cam, opt, pert, con = drawn(); "
    for n in ["-1", "-2**31", "2**31-1", "10**9", "5", "200", "100000"]:
        for name in ("maxgeom", "ngeom", "nflex", "nskin", "nlight", "stereo", "framewidth"):
            yield begin + f"scn.{name} = {n}; draw(scn, con); mj.mjv_addGeoms(m, d, opt, pert, 7, scn); mj.mjv_makeLights(m, d, scn); mj.mjv_updateSkin(m, d, scn); draw(scn, con); mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn)"
            yield begin + f"scn.{name} = {n}; repr(scn); copy.copy(scn); scn.geoms; mj.mjv_select(m, d, opt, 1, .5, .5, scn, np.zeros(3), np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32))"
        for name in ("geomorder", "flexedgeadr", "flexedgenum", "flexvertadr", "flexvertnum", "flexfaceadr", "flexfacenum",
                     "flexfaceused", "flexedge", "skinfacenum", "skinvertadr", "skinvertnum"):
            yield begin + f"scn.{name}[:] = {n}; scn.flexedgeopt = scn.flexvertopt = 1; draw(scn, con)"
            yield begin + f"scn.{name}[:] = {n}; opt.flags[:] = 1; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn); draw(scn, con)"
        for name in ("type", "dataid", "objtype", "objid", "category", "matid", "segid", "texcoord"):
            yield begin + f"[setattr(g, '{name}', {n}) for g in scn.geoms[:scn.ngeom]]; draw(scn, con); scn.flags[:] = 1; draw(scn, con)"
        for name in ("fixedcamid", "trackbodyid", "type", "orthographic"):
            for kind in range(4):
                yield begin + f"cam.type = {kind}; cam.{name} = {n}; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn); draw(scn, con)"
        for name in ("label", "frame", "bvh_depth", "flex_layer"):
            yield begin + f"opt.flags[:] = 1; opt.{name} = {n}; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn); draw(scn, con)"
        for name in ("select", "flexselect", "skinselect", "active", "active2"):
            yield begin + f"opt.flags[:] = 1; pert.{name} = {n}; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn); sneak(lambda: mj.mjv_initPerturb(m, d, scn, pert)); sneak(lambda: mj.mjv_applyPerturbPose(m, d, pert, 1)); sneak(lambda: mj.mjv_applyPerturbForce(m, d, pert)); sneak(lambda: mj.mjv_movePerturb(m, d, 1, .1, .1, scn, pert)); draw(scn, con)"
        yield begin + f"mj.mjv_updateScene(m, d, opt, pert, cam, {n}, scn); draw(scn, con)"
        yield begin + f"[setattr(l, 'type', {n}) or setattr(l, 'texid', {n}) or setattr(l, 'id', {n}) for l in scn.lights]; draw(scn, con)"
        yield begin + f"mj.mjv_moveCamera(m, {n}, .1, .1, scn, cam)"
        yield begin + f"mj.mjv_connector(scn.geoms[0], {n}, .1, np.zeros(3), np.ones(3)); draw(scn, con)"
        yield begin + f"mj.mjv_initGeom(scn.geoms[0], {n}, np.ones(3), np.zeros(3), np.eye(3).ravel(), np.ones(4)); draw(scn, con)"
        for field in ("linepnt", "gridsize", "flg_extend"):
            yield f"f = mj.MjvFigure(); f.{field} = {n}"
        for group in ("geomgroup", "skingroup", "flexgroup"):
            yield begin + f"opt.{group}[:] = np.uint8(255); m.geom_group[:] = {n}; m.skin_group[:] = {n}; m.flex_group[:] = {n}; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn); draw(scn, con)"
    for n in SIZES:
        yield f"m, d = world(RICH); s = mj.MjvScene(m, {n}); mj.mjv_updateScene(m, d, mj.MjvOption(), None, mj.MjvCamera(), 7, s)"
        yield f"mj.MjvScene(maxgeom={n})"
        yield f"s = mj.MjvScene(world(RICH)[0], {n}); copy.copy(s); copy.deepcopy(s); len(s.geoms)"
        yield f"m, d = world(); r = mj.Renderer(m, 48, 64, max_geom={n}); r.update_scene(d); r.render()"
    other = "m2, d2 = world(PLAIN); "
    yield begin + other + "mj.mjv_updateScene(m2, d2, opt, pert, cam, 7, scn); draw(scn, con)"
    yield begin + other + "mj.mjv_updateScene(m, d2, opt, pert, cam, 7, scn)"
    yield begin + other + "s = mj.MjvScene(m2, 100); mj.mjv_updateScene(m2, d2, opt, pert, cam, 7, s); draw(s, con)"
    yield begin + other + "s = mj.MjvScene(m2, 100); mj.mjv_updateSkin(m, d, s)"
    yield begin + other + "c = mj.MjrContext(m2, 100); draw(scn, c)"
    yield begin + "s = mj.MjvScene(); draw(s, con); mj.mjv_updateScene(m, d, opt, pert, cam, 7, s)"
    yield begin + "scn.geoms[0].label = 'x' * 10**6"
    yield begin + "[setattr(g, 'label', 'Ä' * 49) for g in scn.geoms]; draw(scn, con)"
    yield begin + "scn.flags[:] = 255; draw(scn, con)"
    yield begin + "opt.flags[:] = 255; opt.label = 3; opt.frame = 3; mj.mjv_updateScene(m, d, opt, pert, cam, 7, scn); draw(scn, con)"


def pictures():
    """Frames and rectangles of any size."""
    begin = "m, d, scn, cam, opt, pert, con = drawn(); "
    for n in SIZES:
        yield begin + f"mj.mjr_resizeOffscreen({n}, {n}, con); draw(scn, con)"
        yield begin + f"mj.mjr_resizeOffscreen({n}, 100, con); draw(scn, con)"
        yield begin + f"mj.mjr_render(mj.MjrRect(0, 0, {n}, {n}), scn, con)"
        yield begin + f"mj.mjr_render(mj.MjrRect({n}, {n}, 100, 100), scn, con)"
        yield begin + f"mj.mjr_render(mj.MjrRect(-({n}), 0, 2 * ({n}), 100), scn, con)"
        yield begin + f"mj.mjr_render(mj.MjrRect({n}, {n}, {n}, {n}), scn, con)"
        for call in ("mj.mjr_readPixels(np.empty(({h}, {w}, 3), np.uint8), None, R, con)", "mj.mjr_readPixels(np.zeros(300, np.uint8), None, R, con)",
                     "mj.mjr_readPixels(None, np.zeros(100, np.float32), R, con)", "mj.mjr_drawPixels(np.zeros(300, np.uint8), None, R, con)",
                     "mj.mjr_drawPixels(None, np.zeros(100, np.float32), R, con)", "mj.mjr_rectangle(R, 1, 0, 0, .5)",
                     "mj.mjr_label(R, 0, 'text', 1, 0, 0, 1, 1, 1, 1, con)", "mj.mjr_overlay(0, 0, R, 'a', 'b', con)",
                     "mj.mjr_overlay(1, 7, R, 'a' * 10**6, None, con)", "mj.mjr_findRect(5, 5, 1, R)"):
            call = call.format(h="10", w="10")
            yield begin + f"R = mj.MjrRect({n}, {n}, 10, 10); {call}"
            yield begin + f"R = mj.MjrRect(0, 0, {n}, {n}); {call}"
            yield begin + f"R = mj.MjrRect({n}, {n}, {n}, {n}); {call}"
        for name in ("shadowSize", "fontScale", "offWidth", "offSamples", "offHeight", "charHeight", "readPixelFormat", "currentBuffer"):
            yield begin + f"con.{name} = {n}; draw(scn, con); mj.mjr_text(0, 'abc', con, .5, .5, 1, 1, 1)"
        for name in ("numslices", "numstacks", "numquads", "shadowsize", "offsamples"):
            yield f"m, d = world(RICH); m.vis.quality.{name} = {n}; c = mj.MjrContext(m, 100); s = mj.MjvScene(m, 100); mj.mjv_updateScene(m, d, mj.MjvOption(), None, mj.MjvCamera(), 7, s); draw(s, c)"
        for name in ("offwidth", "offheight"):
            yield f"m, d = world(RICH); m.vis.global_.{name} = {n}; mj.MjrContext(m, 100)"
            yield f"m, d = world(RICH); m.vis.global_.{name} = {n}; r = mj.Renderer(m, 48, 64); r.update_scene(d); r.render()"
        yield f"m, d = world(RICH); m.vis.global_.offwidth = m.vis.global_.offheight = 2**31-1; r = mj.Renderer(m, {n}, {n}); r.update_scene(d); r.render()"
        yield begin + f"mj.mjr_uploadMesh(m, con, {n}); mj.mjr_uploadHField(m, con, {n}); mj.mjr_uploadTexture(m, con, {n})"
        yield begin + f"mj.mjr_changeFont({n}, con); mj.mjr_text({n}, 'abc', con, .5, .5, 1, 1, 1)"
        yield begin + f"mj.mjr_setBuffer({n}, con); mj.mjr_setAux({n}, con) if hasattr(mj, 'mjr_setAux') else None"
        yield f"r = mj.Renderer(world()[0], {n}, {n}); r.render()"
        yield f"m, d = world(); r = mj.Renderer(m); r.update_scene(d, camera={n}); r.render()"
    yield begin + "con.free(); draw(scn, con)"
    yield begin + "r = mj.Renderer(m); r.close(); r.render()"
    yield begin + "m2, d2 = world(PLAIN); mj.mjr_uploadMesh(m2, con, 0)"
    yield begin + "m2, d2 = world(PLAIN); mj.mjr_uploadTexture(m2, con, 0); mj.mjr_uploadHField(m2, con, 0)"
    yield "m, d = world(RICH); c = mj.MjrContext(world(PLAIN)[0], 100); mj.mjr_uploadTexture(m, c, 0)"
    yield "m, d = world(RICH); c = mj.MjrContext(world(PLAIN)[0], 100); mj.mjr_uploadMesh(m, c, 0)"
    yield "m, d = world(RICH); c = mj.MjrContext(world(PLAIN)[0], 100); mj.mjr_uploadHField(m, c, 0)"
    yield "c = mj.MjrContext(); draw(mj.MjvScene(), c)"
    yield "r = mj.Renderer(world()[0]); r.enable_segmentation_rendering(); r.scene.ngeom = 10**9; r.render()"
    yield "m, d = world(); r = mj.Renderer(m); r.update_scene(d); r.enable_segmentation_rendering(); [setattr(g, 'segid', 10**9) for g in r.scene.geoms[:3]]; r.render()"
    yield "m, d = world(); r = mj.Renderer(m); r.update_scene(d); r.render(out=np.zeros(5))"
    yield "m, d = world(); r = mj.Renderer(m); r.enable_depth_rendering(); m.vis.map.znear = 0; r.update_scene(d); r.render()"


def batches():
    """Batches and rollouts."""
    begin = "m, d = world(); b = mj.batch.Batch(m, 4); "
    for n in INTEGERS:
        yield f"mj.batch.Batch(world()[0], {n})"
        yield f"b = mj.batch.Batch(world()[0], 4, nthread={n}); b.step()"
        yield f"b = mj.batch.Batch(world()[0], 3000000, persistent=True) if {n} == 0 else None"
        yield begin + f"b.step(ids=[{n}])"
        yield begin + f"b.step(nstep={n}) if {n} < 1000 else None"
        yield begin + f"b.step(stage={n})"
        yield begin + f"b.forward(stage={n})"
        yield begin + f"b.reset(keyframe={n})"
        yield begin + f"b.reset(ids=[0, 0, {n}])"
        yield begin + f"b.rollout(nstep={n})"
        yield begin + f"b.rollout(nstep=3, control=np.zeros((1, 1, 2)), control_spec={n})"
        yield begin + f"b.rollout(nstep=3, record=({n},))"
        yield begin + f"b.jac({n}, np.zeros(3))"
        yield begin + f"b.ray(np.zeros(3), np.ones(3), bodyexclude={n})"
        yield begin + f"b.error({n})"
        yield begin + f"b.get_data({n}); b.get_model({n})"
        yield begin + f"b.randomize('geom_friction', uniform=(0, 1), columns={n})"
        yield begin + f"b.randomize('geom_friction', uniform=(0, 1), seed={n})"
        yield begin + f"b.randomize('geom_friction', uniform=(0, 1), ids=[{n}])"
        yield begin + f"b.warning[:] = np.clip({n}, -2**31, 2**31-1); b.step()"
        yield f"m, d = world(); r = mj.rollout.Rollout(nthread={n}); s = np.zeros((2, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))); r.rollout(m, [d, mj.MjData(m)][:1], s, nstep=3)"
        yield f"m, d = world(); s = np.zeros((1, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))); mj.rollout.rollout(m, d, s, nstep={n}) if {n} < 10**6 or {n} > 10**10 else None"
        yield f"m, d = world(); s = np.zeros((1, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))); mj.rollout.rollout(m, d, s, nstep=2, control_spec={n})"
        yield f"m, d = world(); s = np.zeros((1, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))); mj.rollout.rollout(m, d, s, np.zeros((1, 3, 2)), chunk_size={n})"
    for code in ("b.state = 5", "b.qpos = np.zeros(3)", "b.xpos = 1", "b.bind('none')", "b.expand('none')", "b.expand('geom_dataid')", "b.set_models([m] * 3)", "b.set_models([m, m, m, world(RICH)[0]])", "b.set_models(world(RICH)[0])", "b.set_models([]); b.step()",
                 "b.get_data(0, world(RICH)[1])", "b.get_model(0, world(RICH)[0])", "b.step(ids='abc')", "b.step(ids=np.zeros((2, 2), int))", "b.step(ids=[0.5])", "b.step(ids=[0, 0, 0, 0, 0, 0, 0]); b.step()", "b.rollout(nstep=3, out={'qpos': np.zeros(5)}, record=('qpos',))",
                 "x = b.state; del b; import gc; gc.collect(); x[:] = 1; x.sum()", "x = b.xpos; del b; import gc; gc.collect(); x.sum()", "b.rollout(3, control=b.state[:, None, :2], record=('qpos',))", "b.rollout(3, record=('qpos', 'qpos', 'xpos'))",
                 "o = np.zeros((4, 3, m.nq)); b.rollout(3, control=o[:, :, :2], record=('qpos',), out={'qpos': o})", "b.rollout(10**5, record=('qpos',))", "b.ray(np.zeros((10**5, 3)), np.ones((10**5, 3)))", "b.ray(np.zeros((3, 10**9, 3)), 1)" ,
                 "m.geom_type[:] = 99; b.set_models(m); b.step()", "m.dof_parentid[:] = 5; b.set_models(m); b.step()", "m.geom_bodyid[:] = 10**6; mj.batch.Batch(m, 3).step()", "b.model.dof_parentid[:] = 5; b.step()", "b.eq_active[:] = nan; b.step()", "b.expand('opt.integrator')[:] = 99; b.step()",
                 "b.expand('opt.solver')[:] = 99; b.step()", "b.expand('geom_condim')[:] = 99; b.step()", "b.expand('opt.iterations')[:] = 2**31-1; b.expand('opt.tolerance')[:] = 0; b.step()", "b.expand('opt.disableflags')[:] = -1; b.step()", "b.expand('opt.enableflags')[:] = 2**31-1; b.step()",
                 "t = [threading.Thread(target=lambda: [b.step() for _ in range(50)]) for _ in range(4)]; [x.start() for x in t]; [(b.state.sum(), b.status.sum()) for _ in range(50)]; [x.join() for x in t]",
                 "t = [threading.Thread(target=lambda: [b.bind(n).sum() for n in ('xpos', 'qvel', 'sensordata', 'qacc')]) for _ in range(4)]; [x.start() for x in t]; b.step(nstep=20); [x.join() for x in t]",
                 "mj.set_mjcb_control(lambda m, d: b.step()); b.step()", "mj.set_mjcb_control(lambda m, d: b.step()); mj.mj_step(m, d)", "mj.set_mjcb_passive(lambda m, d: 1/0); mj.rollout.rollout(m, d, np.zeros((1, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))), nstep=3)",
                 "import ctypes; F = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p); f = F(lambda a, b: None); mj.set_mjcb_control(f); b.step()", "import ctypes; F = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p); f = F(lambda x, y: b.step()); mj.set_mjcb_control(f); b.step()",
                 "import ctypes; F = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p); f = F(lambda x, y: b.state.sum()); mj.set_mjcb_control(f); b.step()", "import ctypes; F = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p); f = F(lambda x, y: 1/0); mj.set_mjcb_control(f); b.step()",
                 "mj.batch.Batch(m, 4, device='cuda')", "mj.batch.Batch(m, 4, device='none')", "mj.batch.Batch(None, 4)", "mj.batch.Batch(m, 4, exact=False)", "mj.batch.Batch(world(RICH)[0], 4, exact=False)", "mj.batch.Batch(world(RICH)[0], 4, exact='auto').step(nstep=3)", "mj.batch.Batch(m, 4, nthread=10**4).step()",
                 "e = mj.batch.Episodes; e(b, 10**18) if callable(e) else None", "copy.copy(b)", "copy.deepcopy(b).step()", "import pickle; pickle.dumps(b)", "b.__init__(m, 3); b.step()", "b.__init__(world(RICH)[0], 100); b.step(); b.xpos", "mj.batch.Batch.__new__(mj.batch.Batch, m, 4).step()"):
        yield begin + code
    for code in ("mj.rollout.rollout(m, d, s, np.zeros((1, 5, 2)), state=np.zeros(3))", "mj.rollout.rollout([m, world(RICH)[0]], d, np.zeros((2, s.shape[1])), nstep=3)", "mj.rollout.rollout(m, world(RICH)[1], s, nstep=3)", "mj.rollout.rollout(m, [d, d], np.zeros((8, s.shape[1])), nstep=3)", "mj.rollout.rollout(m, [], s, nstep=3)",
                 "mj.rollout.rollout(m, d, s * nan, nstep=3)", "mj.rollout.rollout(m, d, s, np.full((1, 5, 2), inf))", "mj.rollout.rollout(m, d, s[:, ::2], nstep=3)", "mj.rollout.rollout(m, d, s, nstep=3, state=s, sensordata=s)", "mj.rollout.rollout(m, d, s, np.zeros((1, 10**7, 2)))",
                 "t = [threading.Thread(target=lambda: mj.rollout.rollout(m, d, s, nstep=500)) for _ in range(4)]; [x.start() for x in t]; [sneak(lambda: mj.mj_step(m, d)) for _ in range(200)]; [x.join() for x in t]",
                 "m.dof_parentid[:] = 5; mj.rollout.rollout(m, d, s, nstep=3)", "mj.set_mjcb_control(lambda m, d: mj.rollout.rollout(m, d, s, nstep=3)); mj.mj_step(m, d)"):
        yield "m, d = world(); s = np.zeros((1, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))); " + code


def hooks():
    """Callbacks and threads that do what they should not."""
    install = "m, d = world(); mj.set_mjcb_{0}({1}); mj.mj_step(m, d, 3)"
    acts = ("lambda *a: 1/0", "lambda *a: mj.mj_step(m, d)", "lambda *a: mj.mj_forward(m, d)", "lambda *a: mj.mj_resetData(m, d)", "lambda *a: mj.mj_resetCallbacks()", "lambda *a: mj.set_mjcb_{0}(None)", "lambda *a: nan", "lambda *a: 'x'", "lambda: 0", "lambda *a: mj.MjData(m)",
            "lambda *a: setattr(m.opt, 'timestep', nan)", "lambda *a: keep.extend([d.efc_J, d.contact.dist, d.contact.geom, d.efc_force])", "lambda *a: m.dof_parentid.fill(7)", "lambda *a: m.dof_parentid.fill(3)", "lambda *a: m.body_parentid.fill(3)", "lambda *a: m.bvh_child.fill(1)", "lambda *a: m.geom_bodyid.fill(99)", "lambda *a: d.qpos.fill(nan)", "lambda *a: [d.contact[0], d.contact[0].frame]", "lambda *a: mj.mj_step(m, mj.MjData(m)) if len(keep) < 20 and not keep.append(1) else 0",
            "lambda *a: threading.Thread(target=lambda: sneak(lambda: mj.mj_step(m, d))).start()", "lambda *a: copy.copy(d)", "lambda *a: copy.deepcopy(m)", "lambda *a: sys.exit(0)", "lambda *a: (_ for _ in ()).throw(KeyboardInterrupt())", "lambda *a: mj.Renderer(m, 10, 10).render()", "lambda *a: mj.mj_copyData(d, m, d)", "lambda *a: mj.mj_saveLastXML('/tmp/x', m)",
            "lambda *a: mj.mj_collision(m, d)", "lambda *a: mj.mj_makeConstraint(m, d)", "lambda *a: mj.mj_inverse(m, d)", "lambda *a: mj.mj_setConst(m, d)", "lambda *a: mj.mj_addContact(m, d, mj.MjContact())", "lambda *a: m.__init__()", "lambda *a: d.__init__(m)", "lambda *a: globals().update(m=None, d=None)")
    for name in ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter", "time"):
        for act in acts:
            yield "global keep, m, d; keep = []; " + install.format(name, act.format(name)) + "; [x.sum() for x in keep if hasattr(x, 'sum')]"
    for code in ("t = [threading.Thread(target=lambda: [sneak(lambda: mj.mj_step(m, d)) for _ in range(100)]) for _ in range(4)]; [x.start() for x in t]; [x.join() for x in t]",
                 "t = [threading.Thread(target=lambda: [sneak(lambda: (d.efc_J.sum(), d.contact.dist.sum(), d.contact[0].frame)) for _ in range(300)]) for _ in range(4)]; [x.start() for x in t]; [sneak(lambda: mj.mj_step(m, d)) for _ in range(300)]; [x.join() for x in t]",
                 "t = threading.Thread(target=lambda: mj.mj_step(m, d, 20000)); t.start(); [sneak(lambda: mj.mj_resetData(m, d)) for _ in range(100)]; t.join()", "t = threading.Thread(target=lambda: mj.mj_step(m, d, 20000)); t.start(); m.geom_bodyid[:] = 10**6; t.join(); sneak(lambda: mj.mj_step(m, d))",
                 "t = threading.Thread(target=lambda: mj.mj_step(m, d, 20000)); t.start(); [m.body_parentid.fill(i % 7) for i in range(1000)]; t.join()", "t = threading.Thread(target=lambda: mj.mj_step(m, d, 20000)); t.start(); [m.dof_parentid.fill(-i % 7) for i in range(1000)]; [m.jnt_qposadr.fill(i) for i in range(1000)]; t.join()",
                 "names = [n for n in dir(m) if getattr(getattr(m, n), 'dtype', None) == np.int32 and getattr(m, n).size]; rng = np.random.default_rng(1); t = threading.Thread(target=lambda: [sneak(lambda: mj.mj_step(m, d, 2000)) for _ in range(20)]); t.start(); old = {n: getattr(m, n).copy() for n in names}\nfor _ in range(3000): n = names[rng.integers(len(names))]; getattr(m, n).flat[rng.integers(getattr(m, n).size)] = rng.integers(-2, 12); getattr(m, n)[...] = old[n] # OVERWRITES\nt.join()",
                 "names = [n for n in dir(m) if getattr(getattr(m, n), 'dtype', None) == np.int32 and getattr(m, n).size]; rng = np.random.default_rng(2); t = threading.Thread(target=lambda: [sneak(lambda: mj.mj_step(m, d, 2000)) for _ in range(20)]); t.start()\nfor _ in range(3000): n = names[rng.integers(len(names))]; getattr(m, n).flat[rng.integers(getattr(m, n).size)] = rng.integers(-2, 12) # OVERWRITES\nt.join()",
                 "t = threading.Thread(target=lambda: mj.mj_step(m, d, 20000)); t.start(); x = d.efc_J; del d; t.join(); x.sum()" , "import signal; signal.setitimer(signal.ITIMER_REAL, .5); signal.signal(signal.SIGALRM, lambda *a: 1/0); mj.mj_step(m, d, 2**31-1)",
                 "import signal; signal.signal(signal.SIGALRM, lambda *a: 1/0); signal.setitimer(signal.ITIMER_REAL, .5); mj.rollout.rollout(m, d, np.zeros((1, mj.mj_stateSize(m, mj.mjtState.mjSTATE_FULLPHYSICS))), nstep=10**5)",
                 "import signal; signal.signal(signal.SIGALRM, lambda *a: 1/0); signal.setitimer(signal.ITIMER_REAL, .5); mj.batch.Batch(m, 4).step(nstep=2**31-1)",
                 "import signal; signal.signal(signal.SIGALRM, lambda *a: 1/0); signal.setitimer(signal.ITIMER_REAL, .5); o = mj.MjLROpt(); o.inttotal = 1e9; mj.mj_setLengthRange(m, d, 0, o)",
                 "m2, d2 = world(RICH); mj.mj_step(m, d2)", "m2, d2 = world(RICH); mj.mj_copyData(d, m, d2)", "m2, d2 = world(RICH); mj.mj_inverse(m2, d)", "mj.mj_copyData(d, m, d)", "d.__init__(m); mj.mj_step(m, d)", "m.__init__(); mj.mj_step(m, d)", "mj.MjData.__new__(mj.MjData).qpos", "mj.MjModel.__new__(mj.MjModel).nq",
                 "d.__class__ = object", "m.qpos0.resize(10**6)", "d.qpos.resize(100)", "d.qpos.shape = (100,)", "d.qpos.setflags(write=False); mj.mj_step(m, d)", "d.qpos.strides = (0,)", "import pickle; x = pickle.loads(pickle.dumps((m, d))); mj.mj_step(*x)", "x = copy.deepcopy(d); del m, d; x.qpos.sum()", "v = d.qpos; del m, d; import gc; gc.collect(); v[:] = 1; v.sum()",
                 "v = d.body('a').xpos; del m, d; v[:] = 1", "c = d.contact; del m, d; repr(c)", "c = d.contact[0] if d.ncon else None; mj.mj_resetData(m, d); repr(c)", "o = m.opt; v = m.vis; s = m.stat; del m, d; o.timestep = 1; repr(o); repr(v); repr(s)", "d.contact[10**9]", "d.contact[-10**9]", "d.warning[10**9]", "m.geom(10**9)", "m.body('none')", "d.body(-5)",
                 "d.bind(5)", "m.bind(None)", "getattr(d, '\\0')", "setattr(d, 'qpos', np.zeros(10**6))", "d.qpos = 'abc'", "d.time = 'abc'", "m.nq = 5", "m.opt.gravity = 5", "m.opt.gravity = [nan] * 2", "d.userdata = 5", "mj.mj_step(None, d)", "mj.mj_step(m, None)", "mj.mj_step(m)", "mj.mj_step(d, m)"):
        yield "m, d = world(); " + code


CLASSES = {f.__name__: f for f in (calls, numbers, scenes, pictures, batches, hooks)} | hostile_inputs.CLASSES | hostile_shells.CLASSES | hostile_corners.CLASSES | hostile_states.CLASSES | hostile_mixtures.CLASSES | hostile_totals.CLASSES | hostile_wild.CLASSES | hostile_crowds.CLASSES


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    if MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def program(code, prelude=PRELUDE):
    lines = "\n".join("    " + line for line in code.split("\n"))
    overwrites = any(word in code for word in ("parentid", "qposadr", "bodyid", "bvh_child", "OVERWRITES"))
    return f"{prelude}\nOVERWRITES = {overwrites}\ndef case():\n{lines}\n{EPILOGUE}"


def verdict(code, out, err):
    last = (out.strip().splitlines() or [""])[-1]
    if code in (-signal.SIGXCPU, -signal.SIGKILL) or code == "late":
        return "hang", f"more than {SECONDS} s"
    if code == 0 and last.split(" ")[0] in ("ok", "refused"):
        return last.split(" ")[0], last
    if code == 0:
        return "ok", "left early"
    if code == 101 or "PanicException" in err:
        return "panic", last or err[-300:]
    if "memory allocation of" in err:
        return "blow-up", err.strip().splitlines()[-1]
    if "SyntaxError" in err or code == 1:
        return "script", err.strip()[-400:]
    return "crash", f"exit {code}: {err.strip()[-300:]}"


def run(code):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "case.py"
        path.write_text(program(code))
        command = [sys.executable, path]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                                   preexec_fn=limited, cwd=folder, env=ENVIRONMENT)
        try:
            out, err = process.communicate(timeout=90)  # waits for processor time of others, too
            return verdict(process.returncode, out, err)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            return verdict("late", out, err)


def outcomes(cases, args):
    """Places of cases and what became of them."""
    if args.fork:
        sys.path[:0] = ENVIRONMENT["PYTHONPATH"].split(os.pathsep)
        programs = (program(code, "") for _, code in cases)
        for place, *end, seconds in Forks(PRELUDE, limited, args.jobs).run(programs):
            yield place, verdict(*end), seconds
        return
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for place, outcome in enumerate(pool.map(lambda case: run(case[1]), cases)):
            yield place, outcome, 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=CLASSES, action="append")
    parser.add_argument("--match", default="", help="only cases with this text")
    parser.add_argument("--part", default="0/1", help="i/n: every n-th case, beginning with the i-th")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no case after this time")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--fork", action="store_true", help="sooner: forks of a process that has imported the package")
    args = parser.parse_args()
    part, parts = map(int, args.part.split("/"))
    cases = [(name, code) for name in args.only or CLASSES for code in CLASSES[name]() if args.match in code][part::parts]
    counts = collections.Counter()
    end, slowest = time.monotonic() + args.seconds, (0.0, "")
    for place, (word, told), seconds in outcomes(cases, args):
        counts[word] += 1
        slowest = max(slowest, (seconds, cases[place][1][-200:]))
        if args.show or word not in ("ok", "refused"):
            name, code = cases[place]
            shown = code if len(code) < 800 else code[:500] + " ... " + code[-300:]
            print(f"{word} [{name}] {shown!r}: {told}", flush=True)
        elif seconds > SECONDS / 3:
            print(f"slow: {seconds:.1f} s [{cases[place][0]}] ... {cases[place][1][-400:]!r}", flush=True)
        if time.monotonic() > end:
            break
    print(f"{counts.total()} of {len(cases)} cases: " + ", ".join(f"{n} {word}" for word, n in counts.most_common()))
    if args.fork:
        print("slowest: %.1f s, ... %r" % slowest)
    sys.exit(any(counts[word] for word in ("panic", "crash", "hang", "blow-up", "script")))


if __name__ == "__main__":
    main()
