//! Sensors of the position, velocity and acceleration stages.
//!
//! Each stage reads the quantities computed before it and writes its part of `sensordata`. A sensor with a
//! delay reports what [`crate::history`] remembers, one with an interval is computed only on its ticks.

mod acceleration;
pub mod camera;
mod contact;
mod frame;
mod position;
mod tactile;
mod touch_grid;
mod velocity;
mod work;

pub(crate) use touch_grid::draw as draw_touch_grid;

use crate::access::{Access, access};
use crate::awake;
use crate::rne_post::rne_post_constraint;
use crate::support::clip;
use crate::workspace::Scratches as _;
use crate::workspace::Sensor as Scratch;
use crate::{energy, history, velocity as smooth};
use ligament_model::enums::{DataType, DisableBit, EnableBit, ObjType, SensorType, SleepState, Stage};
use ligament_model::fault::Fault;
use ligament_model::{Data, Model};

/// What [`sensor_pos`] touches.
pub(crate) const SENSOR_POS: Access = access! {
    model {
        M_colind M_rowadr M_rownnz body_bvhadr body_geomadr body_geomnum body_mass cam_fovy cam_resolution
        cam_sensorsize geom_bodyid geom_dataid geom_quat geom_size geom_type hfield_adr hfield_ncol
        hfield_nrow jnt_bodyid jnt_qposadr jnt_stiffness mesh_bvhadr mesh_faceadr mesh_vert mesh_vertadr
        mesh_vertnum sensor_adr sensor_cutoff sensor_datatype sensor_delay sensor_dim sensor_history
        sensor_historyadr sensor_needstage sensor_objid sensor_objtype sensor_refid sensor_reftype
        sensor_type site_bodyid site_quat site_size site_type tendon_lengthspring tendon_stiffness
        tendon_treeid
    }
    reads {
        M actuator_length cam_xmat cam_xpos contact energy flg_energyvel geom_xmat geom_xpos history nefc
        nf qpos qvel sensordata site_xmat site_xpos subtree_com ten_length time ximat xipos xmat xpos
        xquat
    }
    writes { energy flg_energypos flg_energyvel sensordata }
};

/// Operations that the sensors of a step take.
pub(crate) fn work_of_all(m: &Model, d: &Data) -> u64 {
    if m.opt.disabled(DisableBit::Sensor) { 0 } else { work::of_all(m, d.contact.len()) }
}

/// Position sensors.
pub fn sensor_pos(m: &Model, d: &mut Data) {
    if m.nsensor == 0 {
        return;
    }
    if work_of_all(m, d) > d.effort {
        d.fault = d.fault.or(Some(Fault::Effort));
        return;
    }
    d.workspace.scratch().sensor.rays.left = d.effort;
    stage(m, d, Stage::Pos);
    if d.workspace.scratch().sensor.rays.left == 0 {
        d.fault = d.fault.or(Some(Fault::Effort));
    }
}

/// What [`sensor_vel`] touches.
pub(crate) const SENSOR_VEL: Access = access! {
    model {
        body_inertia body_mass body_parentid body_rootid body_subtreemass geom_bodyid jnt_dofadr
        sensor_adr sensor_cutoff sensor_datatype sensor_dim sensor_history sensor_historyadr
        sensor_interval sensor_needstage sensor_objid sensor_objtype sensor_refid sensor_reftype
        sensor_type site_bodyid
    }
    reads {
        actuator_velocity body_awake_ind cvel geom_xmat geom_xpos history nbody_awake nefc nf qvel
        sensordata site_xmat site_xpos subtree_angmom subtree_com subtree_linvel ten_velocity time ximat
        xipos
    }
    writes { flg_subtreevel sensordata subtree_angmom subtree_linvel }
};

/// Velocity sensors.
pub fn sensor_vel(m: &Model, d: &mut Data) {
    stage(m, d, Stage::Vel);
}

/// What [`sensor_acc`] touches.
pub(crate) const SENSOR_ACC: Access = access! {
    model {
        actuator_trnid actuator_trntype body_dofadr body_dofnum body_parentid body_rootid eq_data
        eq_obj1id eq_obj2id eq_objtype eq_type geom_bodyid jnt_dofadr sensor_adr sensor_cutoff sensor_dim
        sensor_historyadr sensor_intprm sensor_needstage sensor_objid sensor_objtype sensor_refid
        sensor_reftype sensor_type site_bodyid site_pos site_size site_type
    }
    reads {
        actuator_force cdof cdof_dot cinert contact cvel efc_force efc_id flg_rnepost geom_xpos ncon ne
        nefc qacc qfrc_actuator qvel sensordata site_xmat site_xpos subtree_com xfrc_applied xmat xpos
    }
    writes { cacc cfrc_ext cfrc_int flg_rnepost sensordata }
};

/// Acceleration and force sensors.
pub fn sensor_acc(m: &Model, d: &mut Data) {
    stage(m, d, Stage::Acc);
}

fn stage(m: &Model, d: &mut Data, stage: Stage) {
    if m.nsensor == 0 || m.opt.disabled(DisableBit::Sensor) {
        return;
    }
    let mut user_sensors = false;
    for sensor in 0..m.nsensor {
        if m.sensor_needstage[sensor] != stage as i32 || asleep(m, d, sensor) {
            continue;
        }
        let adr = m.sensor_adr[sensor] as usize;
        let range = adr..adr + m.sensor_dim[sensor] as usize;
        match kind(m, sensor) {
            None | Some(SensorType::Plugin) => {}
            Some(SensorType::User) => {
                user_sensors = true;
                d.sensordata[range].fill(0.0);
            }
            Some(_) => {
                let mut reading = std::mem::take(&mut d.workspace.scratch().sensor.reading);
                reading.clear();
                reading.extend_from_slice(&d.sensordata[range.clone()]);
                compute_or_recall(m, d, sensor, &mut reading);
                d.sensordata[range].copy_from_slice(&reading);
                d.workspace.scratch().sensor.reading = reading;
            }
        }
    }
    if user_sensors {
        user_stage(m, d, stage);
    }
    // the touch grid, the only sensor that is a plugin, needs forces
    if m.nplugin > 0 && stage == Stage::Acc {
        touch_grid::touch_grids(m, d);
    }
}

fn kind(m: &Model, sensor: usize) -> Option<SensorType> {
    SensorType::try_from(m.sensor_type[sensor]).ok()
}

/// The kind of the sensor's object, or of its reference.
fn object(kind: i32) -> ObjType {
    ObjType::try_from(kind).unwrap_or(ObjType::Unknown)
}

fn asleep(m: &Model, d: &Data, sensor: usize) -> bool {
    m.opt.enabled(EnableBit::Sleep)
        && d.nbody_awake < m.nbody
        && awake::sleep_state(m, d, ObjType::Sensor, sensor) == SleepState::Asleep
}

/// Computes what a sensor needs beyond its stage, unless that has been done in this step.
fn prepare(m: &Model, d: &mut Data, kind: SensorType) {
    match kind {
        SensorType::EPotential if !d.flg_energypos => energy::energy_pos(m, d),
        SensorType::EKinetic if !d.flg_energyvel => energy::energy_vel(m, d),
        SensorType::Subtreelinvel | SensorType::Subtreeangmom if !d.flg_subtreevel => {
            smooth::subtree_vel(m, d)
        }
        SensorType::Accelerometer
        | SensorType::Force
        | SensorType::Torque
        | SensorType::Framelinacc
        | SensorType::Frameangacc
            if !d.flg_rnepost =>
        {
            rne_post_constraint(m, d);
        }
        _ => {}
    }
}

/// Reads the buffer of a delayed sensor, or of one whose interval has not passed; computes all others.
fn compute_or_recall(m: &Model, d: &mut Data, sensor: usize, out: &mut [f64]) {
    if m.sensor_history[sensor][0] > 0 {
        let period = m.sensor_interval[sensor][0];
        let last_tick = d.history[m.sensor_historyadr[sensor] as usize];
        let waiting = period > 0.0 && last_tick + period > d.time;
        if m.sensor_delay[sensor] > 0.0 || waiting {
            history::read_sensor_into(m, &d.history, sensor, d.time, None, out);
            return;
        }
    }
    compute_into(m, d, sensor, out);
}

/// Value of a sensor as it is now, with its cutoff applied.
pub fn compute_into(m: &Model, d: &mut Data, sensor: usize, out: &mut [f64]) {
    let Some(kind) = kind(m, sensor) else { return };
    prepare(m, d, kind);
    let mut scratch = std::mem::take(&mut d.workspace.scratch().sensor);
    evaluate(m, d, sensor, kind, &mut scratch, out);
    d.workspace.scratch().sensor = scratch;
    apply_cutoff(m, sensor, out);
}

fn evaluate(m: &Model, d: &Data, sensor: usize, kind: SensorType, scratch: &mut Scratch, out: &mut [f64]) {
    match Stage::try_from(m.sensor_needstage[sensor]) {
        Ok(Stage::Pos) => position::evaluate(m, d, sensor, kind, scratch, out),
        Ok(Stage::Vel) => velocity::evaluate(m, d, sensor, kind, out),
        Ok(Stage::Acc) => acceleration::evaluate(m, d, sensor, kind, scratch, out),
        Ok(Stage::None) | Err(_) => {}
    }
}

/// Clamps real values to ±cutoff and positive ones to cutoff.
pub(crate) fn apply_cutoff(m: &Model, sensor: usize, out: &mut [f64]) {
    let cutoff = m.sensor_cutoff[sensor];
    let exempt = matches!(kind(m, sensor), Some(SensorType::Contact | SensorType::Geomfromto));
    if cutoff <= 0.0 || exempt {
        return;
    }
    match DataType::try_from(m.sensor_datatype[sensor]) {
        Ok(DataType::Real) => out.iter_mut().for_each(|x| *x = clip(*x, [-cutoff, cutoff])),
        Ok(DataType::Positive) => out.iter_mut().for_each(|x| *x = if cutoff <= *x { cutoff } else { *x }),
        Ok(DataType::Axis | DataType::Quaternion) | Err(_) => {}
    }
}

fn user_stage(m: &Model, d: &mut Data, stage: Stage) {
    match stage {
        Stage::Vel if !d.flg_subtreevel => smooth::subtree_vel(m, d),
        Stage::Acc if !d.flg_rnepost => rne_post_constraint(m, d),
        _ => {}
    }
    if let Some(callback) = d.callbacks.sensor.clone() {
        callback(m, d, stage);
    }
    for sensor in 0..m.nsensor {
        if kind(m, sensor) == Some(SensorType::User) && m.sensor_needstage[sensor] == stage as i32 {
            let adr = m.sensor_adr[sensor] as usize;
            apply_cutoff(m, sensor, &mut d.sensordata[adr..adr + m.sensor_dim[sensor] as usize]);
        }
    }
}

/// A number read off the limit row of a joint or tendon; zero when the limit is not active.
fn of_limit_row(m: &Model, d: &Data, sensor: usize, constraint: i32, value: impl Fn(usize) -> f64) -> f64 {
    let id = m.sensor_objid[sensor];
    (d.ne + d.nf..d.nefc).find(|&row| d.efc_type[row] == constraint && d.efc_id[row] == id).map_or(0.0, value)
}
