//! What a model consists of, in the words of MJCF.

use ligament::enums::{
    ConeType, DisableBit, EnableBit, EnumInfo, EqType, Integrator, JacobianType, JointType, ObjType,
    SensorType, SolverType, TrnType,
};
use ligament::{Model, Sizes};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, Serialize)]
pub struct Summary {
    pub model: String,
    pub sizes: BTreeMap<&'static str, i64>,
    pub options: Options,
    pub total_mass: f64,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub tendons: Vec<Tendon>,
    pub equalities: Vec<Equality>,
    pub actuators: Vec<Actuator>,
    pub sensors: Vec<Sensor>,
    pub keyframes: Vec<Keyframe>,
}

#[derive(Debug, Serialize)]
pub struct Options {
    pub timestep: f64,
    pub gravity: [f64; 3],
    pub integrator: String,
    pub solver: String,
    pub cone: String,
    pub jacobian: String,
    pub iterations: i32,
    pub tolerance: f64,
    pub disabled: Vec<String>,
    pub enabled: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Body {
    pub id: usize,
    pub name: String,
    pub parent: usize,
    pub mass: f64,
    pub inertia: [f64; 3],
    pub pos: [f64; 3],
    pub joints: Vec<usize>,
    pub geoms: i32,
    pub mocap: bool,
}

#[derive(Debug, Serialize)]
pub struct Joint {
    pub id: usize,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub body: usize,
    /// Limits, if it has any.
    pub range: Option<[f64; 2]>,
}

#[derive(Debug, Serialize)]
pub struct Tendon {
    pub id: usize,
    pub name: String,
    pub range: Option<[f64; 2]>,
}

#[derive(Debug, Serialize)]
pub struct Equality {
    pub id: usize,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub active: bool,
}

#[derive(Debug, Serialize)]
pub struct Actuator {
    pub id: usize,
    pub name: String,
    pub transmission: String,
    pub target: String,
    pub ctrlrange: Option<[f64; 2]>,
    pub forcerange: Option<[f64; 2]>,
}

#[derive(Debug, Serialize)]
pub struct Sensor {
    pub id: usize,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub object: String,
    pub adr: i32,
    pub dim: i32,
}

#[derive(Debug, Serialize)]
pub struct Keyframe {
    pub id: usize,
    pub name: String,
    pub time: f64,
}

impl Summary {
    pub fn of(m: &Model) -> Self {
        let sizes = Sizes::NAMES.iter().filter_map(|name| Some((*name, m.sizes().get(name)?)));
        Self {
            model: model_name(m),
            sizes: sizes.collect(),
            options: options(m),
            total_mass: m.body_mass.iter().sum(),
            bodies: (0..m.nbody).map(|id| body(m, id)).collect(),
            joints: (0..m.njnt).map(|id| joint(m, id)).collect(),
            tendons: (0..m.ntendon).map(|id| tendon(m, id)).collect(),
            equalities: (0..m.neq).map(|id| equality(m, id)).collect(),
            actuators: (0..m.nu).map(|id| actuator(m, id)).collect(),
            sensors: (0..m.nsensor).map(|id| sensor(m, id)).collect(),
            keyframes: (0..m.nkey)
                .map(|id| Keyframe { id, name: name(m, ObjType::Key, id), time: m.key_time[id] })
                .collect(),
        }
    }
}

/// Name of the model itself, which comes first.
pub fn model_name(m: &Model) -> String {
    let end = m.names.iter().position(|&byte| byte == 0).unwrap_or(m.names.len());
    String::from_utf8_lossy(&m.names[..end]).into_owned()
}

fn name(m: &Model, kind: ObjType, id: usize) -> String {
    m.name(kind, id).unwrap_or_default().to_string()
}

/// Last part of the reference's name of an enumeration value: `mjJNT_HINGE` is `hinge`.
pub fn word(info: EnumInfo, value: i32) -> String {
    let member = info.members.iter().find(|(_, number)| *number == value);
    member.map_or_else(|| value.to_string(), |(name, _)| short(name))
}

fn short(name: &str) -> String {
    name.split_once('_').map_or(name, |(_, rest)| rest).to_lowercase()
}

/// Members of a set of bits.
fn bits(info: EnumInfo, value: i32) -> Vec<String> {
    info.members.iter().filter(|(_, bit)| value & bit != 0).map(|(name, _)| short(name)).collect()
}

fn options(m: &Model) -> Options {
    let opt = &m.opt;
    Options {
        timestep: opt.timestep,
        gravity: opt.gravity,
        integrator: word(Integrator::INFO, opt.integrator),
        solver: word(SolverType::INFO, opt.solver),
        cone: word(ConeType::INFO, opt.cone),
        jacobian: word(JacobianType::INFO, opt.jacobian),
        iterations: opt.iterations,
        tolerance: opt.tolerance,
        disabled: bits(DisableBit::INFO, opt.disableflags),
        enabled: bits(EnableBit::INFO, opt.enableflags),
    }
}

fn body(m: &Model, id: usize) -> Body {
    let first = usize::try_from(m.body_jntadr[id]).unwrap_or(0);
    Body {
        id,
        name: name(m, ObjType::Body, id),
        parent: m.body_parentid[id] as usize,
        mass: m.body_mass[id],
        inertia: m.body_inertia[id],
        pos: m.body_pos[id],
        joints: (first..first + m.body_jntnum[id] as usize).collect(),
        geoms: m.body_geomnum[id],
        mocap: m.body_mocapid[id] >= 0,
    }
}

fn joint(m: &Model, id: usize) -> Joint {
    Joint {
        id,
        name: name(m, ObjType::Joint, id),
        kind: word(JointType::INFO, m.jnt_type[id]),
        body: m.jnt_bodyid[id] as usize,
        range: (m.jnt_limited[id] != 0).then_some(m.jnt_range[id]),
    }
}

fn tendon(m: &Model, id: usize) -> Tendon {
    let range = (m.tendon_limited[id] != 0).then_some(m.tendon_range[id]);
    Tendon { id, name: name(m, ObjType::Tendon, id), range }
}

fn equality(m: &Model, id: usize) -> Equality {
    Equality {
        id,
        name: name(m, ObjType::Equality, id),
        kind: word(EqType::INFO, m.eq_type[id]),
        active: m.eq_active0[id] != 0,
    }
}

fn actuator(m: &Model, id: usize) -> Actuator {
    let kind = match TrnType::try_from(m.actuator_trntype[id]) {
        Ok(TrnType::Joint | TrnType::Jointinparent) => Some(ObjType::Joint),
        Ok(TrnType::Slidercrank | TrnType::Site) => Some(ObjType::Site),
        Ok(TrnType::Tendon) => Some(ObjType::Tendon),
        Ok(TrnType::Body) => Some(ObjType::Body),
        Ok(TrnType::Undefined) | Err(_) => None,
    };
    let target = usize::try_from(m.actuator_trnid[id][0]).ok();
    Actuator {
        id,
        name: name(m, ObjType::Actuator, id),
        transmission: word(TrnType::INFO, m.actuator_trntype[id]),
        target: kind.zip(target).map(|(kind, target)| name(m, kind, target)).unwrap_or_default(),
        ctrlrange: (m.actuator_ctrllimited[id] != 0).then_some(m.actuator_ctrlrange[id]),
        forcerange: (m.actuator_forcelimited[id] != 0).then_some(m.actuator_forcerange[id]),
    }
}

fn sensor(m: &Model, id: usize) -> Sensor {
    let kind = ObjType::try_from(m.sensor_objtype[id]).ok();
    let object = usize::try_from(m.sensor_objid[id]).ok();
    Sensor {
        id,
        name: name(m, ObjType::Sensor, id),
        kind: word(SensorType::INFO, m.sensor_type[id]),
        object: kind.zip(object).map(|(kind, object)| name(m, kind, object)).unwrap_or_default(),
        adr: m.sensor_adr[id],
        dim: m.sensor_dim[id],
    }
}
