// Sensors, from the state and the accelerations of a step. A sensor's object (and reference) is a frame on a body,
// found when the tables were made.
#pragma once
#include "after.cuh"

#if NSENSOR > 0
struct Placed {
  RVec pos;
  real quat[4];
  Frame3<real> axes;
  int body;
};
DEV Placed placed(int body, const real* at, const real* turn) {
  Placed p;
  p.body = body;
  const real* pose = WORLD.pose + 8 * body;
  quat_rot(pose + 4, at, p.pos.v);
  p.pos = p.pos + vec(pose);
  quat_mul(pose + 4, turn, p.quat);
  quat_axes(p.quat, p.axes.c[0].v, p.axes.c[1].v, p.axes.c[2].v);
  return p;
}
// Motion (velocity or acceleration) of a frame, from the motions `rows` of bodies: rotation and translation.
DEV void motion_at(const Placed& p, const real* rows, RVec& turn, RVec& lin) {
  turn = lin = {{0, 0, 0}};
  if (!body_moves(p.body)) return;
  real v[6];
  load6(rows + 8 * p.body, v);
  turn = vec(v);
  lin = vec(v + 3) + cross(turn, p.pos - vec(WORLD.ref + 4 * tree_of(p.body)));
}
DEV void acceleration_at(const Placed& p, RVec& turn, RVec& lin) {
  RVec w, v;
  motion_at(p, WORLD.vel, w, v);
  motion_at(p, WORLD.body, turn, lin);
  lin = lin + cross(w, v);
}

#if HAS_TOUCH_SENSOR
// Does a ray meet the inside of a site? In the site's frame: the interval of the ray inside each of its bounds.
DEV bool within_round(real a, real b, real c, real& lo, real& hi) { // a x^2 + 2 b x + c <= 0
  if (a < MINVAL) return c <= 0;
  const real det = b * b - a * c;
  if (det < 0) return false;
  const real root = r_sqrt(det);
  lo = r_max(lo, (-b - root) / a);
  hi = r_min(hi, (-b + root) / a);
  return lo <= hi;
}
DEV bool within_slab(real p, real v, real half, real& lo, real& hi) {
  if (r_abs(v) < MINVAL) return r_abs(p) <= half;
  const real x = (-half - p) / v, y = (half - p) / v;
  lo = r_max(lo, r_min(x, y));
  hi = r_min(hi, r_max(x, y));
  return lo <= hi;
}
DEV_CALL bool ray_meets_site(int type, const RVec& size, const RVec& p, const RVec& v) {
  real lo = 0, hi = MAXVAL;
  auto ball = [&](real height, real radius) {
    real l = 0, h = MAXVAL;
    const RVec q = {{p[0], p[1], p[2] - height}};
    return within_round(dot(v, v), dot(v, q), dot(q, q) - radius * radius, l, h);
  };
  auto tube = [&] {
    return within_round(v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1],
                        p[0] * p[0] + p[1] * p[1] - size[0] * size[0], lo, hi) &&
           within_slab(p[2], v[2], size[1], lo, hi);
  };
  if (type == GEOM_SPHERE) return ball(0, size[0]);
  if (type == GEOM_CAPSULE) return tube() || ball(size[1], size[0]) || ball(-size[1], size[0]);
  if (type == GEOM_CYLINDER) return tube();
  if (type == GEOM_BOX)
    return within_slab(p[0], v[0], size[0], lo, hi) && within_slab(p[1], v[1], size[1], lo, hi) &&
           within_slab(p[2], v[2], size[2], lo, hi);
  const RVec q = {{p[0] / size[0], p[1] / size[1], p[2] / size[2]}},
             u = {{v[0] / size[0], v[1] / size[1], v[2] / size[2]}};
  return within_round(dot(u, u), dot(u, q), dot(q, q) - 1, lo, hi);
}
// Sum of the normal forces on the site's body whose line of action meets the site.
DEV real touch(int i, const Placed& p, int ncon) {
  const World& w = WORLD;
  real total = 0;
  ROLLED for (int c = 0; c < ncon; ++c) {
    if (w.con_b[2 * c] != p.body && w.con_b[2 * c + 1] != p.body) continue;
    const real f = w.con_frc[DIMMAX * c];
    if (f <= 0) continue;
    const Frame fr = contact_frame(c);
    RVec way = vec(fr.axis[0]);
    if (fr.b2 == p.body) way = -way;
    if (ray_meets_site(sensor_shape(i), vec(&sensor_size(3 * i)), to_local(p.axes, vec(fr.pos) - p.pos),
                       to_local(p.axes, way)))
      total += f;
  }
  return total;
}
#endif

// Mass, centre and velocity of the subtree of a body (bodies of a subtree are numbered one after the other).
DEV_CALL void subtree(int body, RVec& centre, RVec& velocity) {
  real mass = 0;
  centre = velocity = {{0, 0, 0}};
  ROLLED for (int b = body; b < body_subtree_end(body); ++b) {
    Placed p;
    p.body = b;
    body_com(b, p.pos.v);
    RVec w, v;
    motion_at(p, WORLD.vel, w, v);
    const real m = body_mass(b);
    mass += m;
    centre = centre + m * p.pos;
    velocity = velocity + m * v;
  }
  mass = r_max(mass, MINVAL);
  centre = (1 / mass) * centre;
  velocity = (1 / mass) * velocity;
}
DEV_CALL RVec subtree_momentum(int body) {
  RVec centre, velocity, sum = {{0, 0, 0}};
  subtree(body, centre, velocity);
  ROLLED for (int b = body; b < body_subtree_end(body); ++b) {
    real zero[3] = {0, 0, 0};
    const Placed p = placed(b, zero, &body_iquat(4 * b));
    Placed c = p;
    body_com(b, c.pos.v);
    RVec w, v;
    motion_at(c, WORLD.vel, w, v);
    RVec own = to_local(p.axes, w);
    for (int k = 0; k < 3; ++k) own[k] *= body_inertia(3 * b + k);
    sum = sum + p.axes * own + body_mass(b) * cross(c.pos - centre, v - velocity);
  }
  return sum;
}

DEV_CALL void sense(int i, int ncon, real time, real* o) {
  const World& w = WORLD;
  const int id = sensor_id(i);
  (void)ncon;
  auto put = [&](const RVec& v) {
    for (int k = 0; k < 3; ++k) o[k] = v[k];
  };
  switch (sensor_kind(i)) {
  case SENSE_JOINT_POS: o[0] = w.qpos[jnt_qposadr(id)]; return;
  case SENSE_JOINT_VEL: o[0] = w.qvel[jnt_dofadr(id)]; return;
  case SENSE_BALL_VEL:
    for (int k = 0; k < 3; ++k) o[k] = w.qvel[jnt_dofadr(id) + k];
    return;
  case SENSE_BALL_QUAT: {
    real q[4];
    for (int k = 0; k < 4; ++k) q[k] = w.qpos[jnt_qposadr(id) + k];
    quat_unit(q);
    for (int k = 0; k < 4; ++k) o[k] = q[k];
    return;
  }
  case SENSE_TENDON_POS: o[0] = w.ten_len[id]; return;
  case SENSE_TENDON_VEL: o[0] = w.ten_vel[id]; return;
  case SENSE_ACTUATOR_POS: o[0] = actuator_length_of(id); return;
  case SENSE_ACTUATOR_VEL: o[0] = actuator_velocity_of(id); return;
  case SENSE_ACTUATOR_FRC: o[0] = w.act_frc[id]; return;
  case SENSE_JOINT_ACTFRC: o[0] = drive_of(jnt_dofadr(id));
#if HAS_LIFT_SENSOR
    if (jnt_actgravcomp(id)) o[0] += lift_of(jnt_dofadr(id));
#endif
    return;
  case SENSE_TENDON_ACTFRC:
    o[0] = 0;
    ROLLED for (int k = ten_actadr(id); k < ten_actadr(id + 1); ++k)
      o[0] += w.act_frc[ten_act(k)];
    return;
  case SENSE_CLOCK: o[0] = time; return;
  case SENSE_SUBTREE_COM: {
    RVec c, v;
    subtree(id, c, v);
    put(c);
    return;
  }
  case SENSE_SUBTREE_VEL: {
    RVec c, v;
    subtree(id, c, v);
    put(v);
    return;
  }
  case SENSE_SUBTREE_MOMENTUM: put(subtree_momentum(id)); return;
  }
  const Placed p = placed(sensor_body(i), &sensor_pos(3 * i), &sensor_quat(4 * i));
  RVec turn, lin;
  const bool relative = sensor_refbody(i) >= 0;
  Placed r = p;
  if (relative) r = placed(sensor_refbody(i), &sensor_refpos(3 * i), &sensor_refquat(4 * i));
  switch (sensor_kind(i)) {
  case SENSE_POS: put(relative ? to_local(r.axes, p.pos - r.pos) : p.pos); return;
  case SENSE_X_AXIS: put(relative ? to_local(r.axes, p.axes.c[0]) : p.axes.c[0]); return;
  case SENSE_Y_AXIS: put(relative ? to_local(r.axes, p.axes.c[1]) : p.axes.c[1]); return;
  case SENSE_Z_AXIS: put(relative ? to_local(r.axes, p.axes.c[2]) : p.axes.c[2]); return;
  case SENSE_QUAT: {
    real q[4] = {p.quat[0], p.quat[1], p.quat[2], p.quat[3]};
    if (relative) {
      real b[4] = {r.quat[0], -r.quat[1], -r.quat[2], -r.quat[3]};
      quat_mul(b, q, q);
    }
    for (int k = 0; k < 4; ++k) o[k] = q[k];
    return;
  }
  case SENSE_MAGNET: put(to_local(p.axes, {{MAGNETIC_X, MAGNETIC_Y, MAGNETIC_Z}})); return;
  case SENSE_VELOCIMETER:
    motion_at(p, w.vel, turn, lin);
    put(to_local(p.axes, lin));
    return;
  case SENSE_GYRO:
    motion_at(p, w.vel, turn, lin);
    put(to_local(p.axes, turn));
    return;
  case SENSE_LIN_VEL:
  case SENSE_ANG_VEL: {
    motion_at(p, w.vel, turn, lin);
    if (relative) {
      RVec t, l;
      motion_at(r, w.vel, t, l);
      turn = to_local(r.axes, turn - t);
      lin = to_local(r.axes, lin - l + cross(p.pos - r.pos, t));
    }
    put(sensor_kind(i) == SENSE_LIN_VEL ? lin : turn);
    return;
  }
#if HAS_ACC_SENSOR
  case SENSE_ACCELEROMETER:
    acceleration_at(p, turn, lin);
    put(to_local(p.axes, lin));
    return;
  case SENSE_LIN_ACC:
    acceleration_at(p, turn, lin);
    put(lin);
    return;
  case SENSE_ANG_ACC:
    acceleration_at(p, turn, lin);
    put(turn);
    return;
#endif
#if HAS_FORCE_SENSOR
  case SENSE_FORCE: put(to_local(p.axes, vec(w.stiff + 8 * p.body + 3))); return;
  case SENSE_TORQUE:
    put(to_local(p.axes, vec(w.stiff + 8 * p.body) -
                             cross(p.pos - vec(CENTRE(body_rootid(p.body))), vec(w.stiff + 8 * p.body + 3))));
    return;
#endif
#if HAS_TOUCH_SENSOR
  case SENSE_TOUCH: o[0] = touch(i, p, ncon); return;
#endif
  }
}
// All sensors of the stages so far, clamped to their cutoffs, into the world's row of `row`.
DEV_CALL void sensors(int ncon, const Outside& out, real* row) {
  const int stage = out.mode & MODE_STAGE;
#if HAS_ACC_SENSOR
  if (stage == STAGE_ACC) body_accelerations(false);
#endif
#if HAS_FORCE_SENSOR
  if (stage == STAGE_ACC) interaction_forces(ncon, out.xfrc_applied);
#endif
  FOR_LANES(i, NSENSOR) {
    const bool later = sensor_stage(i) > stage;
    if (later && out.mode & MODE_KEEP) continue;
    real o[4] = {0, 0, 0, 0};
    if (!later) sense(i, ncon, out.time, o);
    const real cut = sensor_cutoff(i);
    for (int k = 0; k < 4; ++k)
      if (k < sensor_dim(i))
        row[sensor_adr(i) + k] = cut <= 0 || sensor_clamp(i) == 0 ? o[k]
                                 : sensor_clamp(i) == 1           ? r_clip(o[k], -cut, cut)
                                                                  : r_min(cut, o[k]);
  }
  SYNC();
}
#endif
