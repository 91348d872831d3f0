//! Sensors: their objects as frames on bodies.

use super::Builder;
use super::result::Asks;
use crate::accept::{Refused, refuse};
use ligament_model::Model;
use ligament_model::enums::{DataType, DisableBit, EqType, GeomType, ObjType, SensorType};

/// Kinds that the kernels know, with their names in `sensor.cuh`.
const KINDS: &[(SensorType, &str)] = &[
    (SensorType::Jointpos, "JOINT_POS"),
    (SensorType::Jointvel, "JOINT_VEL"),
    (SensorType::Ballangvel, "BALL_VEL"),
    (SensorType::Ballquat, "BALL_QUAT"),
    (SensorType::Tendonpos, "TENDON_POS"),
    (SensorType::Tendonvel, "TENDON_VEL"),
    (SensorType::Actuatorpos, "ACTUATOR_POS"),
    (SensorType::Actuatorvel, "ACTUATOR_VEL"),
    (SensorType::Actuatorfrc, "ACTUATOR_FRC"),
    (SensorType::Jointactfrc, "JOINT_ACTFRC"),
    (SensorType::Tendonactfrc, "TENDON_ACTFRC"),
    (SensorType::Clock, "CLOCK"),
    (SensorType::Subtreecom, "SUBTREE_COM"),
    (SensorType::Subtreelinvel, "SUBTREE_VEL"),
    (SensorType::Subtreeangmom, "SUBTREE_MOMENTUM"),
    (SensorType::Framepos, "POS"),
    (SensorType::Framexaxis, "X_AXIS"),
    (SensorType::Frameyaxis, "Y_AXIS"),
    (SensorType::Framezaxis, "Z_AXIS"),
    (SensorType::Framequat, "QUAT"),
    (SensorType::Magnetometer, "MAGNET"),
    (SensorType::Velocimeter, "VELOCIMETER"),
    (SensorType::Gyro, "GYRO"),
    (SensorType::Framelinvel, "LIN_VEL"),
    (SensorType::Frameangvel, "ANG_VEL"),
    (SensorType::Accelerometer, "ACCELEROMETER"),
    (SensorType::Framelinacc, "LIN_ACC"),
    (SensorType::Frameangacc, "ANG_ACC"),
    (SensorType::Force, "FORCE"),
    (SensorType::Torque, "TORQUE"),
    (SensorType::Touch, "TOUCH"),
];

/// A frame fixed on a body.
#[derive(Clone, Copy)]
struct OnBody {
    body: i32,
    pos: [f64; 3],
    quat: [f64; 4],
}

const NOWHERE: OnBody = OnBody { body: -1, pos: [0.0; 3], quat: [1.0, 0.0, 0.0, 0.0] };

fn frame(m: &Model, kind: i32, id: i32) -> OnBody {
    let Ok(id) = usize::try_from(id) else { return NOWHERE };
    match ObjType::try_from(kind) {
        Ok(ObjType::Body) => OnBody { body: id as i32, pos: m.body_ipos[id], quat: m.body_iquat[id] },
        Ok(ObjType::Xbody) => OnBody { body: id as i32, ..NOWHERE },
        Ok(ObjType::Geom) => OnBody { body: m.geom_bodyid[id], pos: m.geom_pos[id], quat: m.geom_quat[id] },
        Ok(ObjType::Site) => OnBody { body: m.site_bodyid[id], pos: m.site_pos[id], quat: m.site_quat[id] },
        _ => NOWHERE,
    }
}

/// The first sensor that the kernels do not have.
fn unread(m: &Model) -> Result<(), Refused> {
    let joined = |eq: usize| [EqType::Connect as i32, EqType::Weld as i32].contains(&m.eq_type[eq]);
    for i in 0..m.nsensor {
        let place = || format!("sensor {i}");
        let kind = SensorType::try_from(m.sensor_type[i]).ok();
        let Some((kind, _)) = KINDS.iter().find(|(known, _)| Some(*known) == kind) else {
            return refuse("sensors of this type", place());
        };
        if m.sensor_history[i][0] > 0 {
            return refuse("delayed sensors", place());
        }
        if [m.sensor_objtype[i], m.sensor_reftype[i]].contains(&(ObjType::Camera as i32)) {
            return refuse("sensors of cameras", place());
        }
        let force = matches!(kind, SensorType::Force | SensorType::Torque);
        if force && (0..m.neq).any(joined) {
            return refuse("force sensors beside connect and weld", place());
        }
    }
    Ok(())
}

/// Kinds that read accelerations of bodies or forces between them: with one of these, a forward step computes both.
const OF_ACCELERATIONS: [SensorType; 5] = {
    use SensorType::{Accelerometer, Force, Frameangacc, Framelinacc, Torque};
    [Accelerometer, Framelinacc, Frameangacc, Force, Torque]
};

fn has(types: &[i32], kinds: &[SensorType]) -> bool {
    types.iter().any(|&own| kinds.iter().any(|&kind| kind as i32 == own))
}

/// Does the model have a sensor that makes the CPU compute accelerations of bodies and forces between them?
pub(super) fn ask_bodies(m: &Model) -> bool {
    !m.opt.disabled(DisableBit::Sensor) && has(&m.sensor_type, &OF_ACCELERATIONS)
}

impl Builder<'_> {
    /// Tables of all sensors, or why they cannot be read: then there are none.
    pub(super) fn sensors(&mut self, m: &Model, wanted: bool) -> (Option<Refused>, Asks) {
        let refused = unread(m).err();
        let none = refused.is_some() || !wanted || m.opt.disabled(DisableBit::Sensor);
        let count = if none { 0 } else { m.nsensor };
        let is = |kinds: &[SensorType]| has(&m.sensor_type[..count], kinds);
        self.define("NSENSOR", count);
        let acceleration = is(&OF_ACCELERATIONS);
        let (force, touch) = (is(&[SensorType::Force, SensorType::Torque]), is(&[SensorType::Touch]));
        self.define("HAS_ACC_SENSOR", i32::from(acceleration));
        self.define("HAS_FORCE_SENSOR", i32::from(force));
        self.define("HAS_TOUCH_SENSOR", i32::from(touch));
        let asks = Asks { accelerations: acceleration, body_forces: force, forces: touch, drive: count > 0 };
        for (number, (_, name)) in KINDS.iter().enumerate() {
            self.define(&format!("SENSE_{name}"), number);
        }
        for (name, value) in ["MAGNETIC_X", "MAGNETIC_Y", "MAGNETIC_Z"].iter().zip(m.opt.magnetic) {
            self.define_real(name, value);
        }
        self.sensor_tables(m, count);
        (refused, asks)
    }

    fn sensor_tables(&mut self, m: &Model, count: usize) {
        let kind =
            |i: usize| KINDS.iter().position(|(k, _)| *k as i32 == m.sensor_type[i]).unwrap_or(0) as i32;
        self.int("sensor_kind", (0..count).map(kind));
        self.int("sensor_id", (0..count).map(|i| m.sensor_objid[i]));
        self.int("sensor_adr", (0..count).map(|i| m.sensor_adr[i]));
        self.int("sensor_dim", (0..count).map(|i| m.sensor_dim[i]));
        let clamp = |i: usize| match DataType::try_from(m.sensor_datatype[i]) {
            Ok(DataType::Real) => 1,
            Ok(DataType::Positive) => 2,
            _ => 0,
        };
        self.int("sensor_clamp", (0..count).map(clamp));
        self.real("sensor_cutoff", &m.sensor_cutoff[..count]);
        let objects: Vec<OnBody> =
            (0..count).map(|i| frame(m, m.sensor_objtype[i], m.sensor_objid[i])).collect();
        let references: Vec<OnBody> =
            (0..count).map(|i| frame(m, m.sensor_reftype[i], m.sensor_refid[i])).collect();
        self.int("sensor_body", objects.iter().map(|f| f.body.max(0)));
        self.real("sensor_pos", objects.iter().map(|f| f.pos).collect::<Vec<_>>().as_flattened());
        self.real("sensor_quat", objects.iter().map(|f| f.quat).collect::<Vec<_>>().as_flattened());
        self.int("sensor_refbody", references.iter().map(|f| f.body));
        self.real("sensor_refpos", references.iter().map(|f| f.pos).collect::<Vec<_>>().as_flattened());
        self.real("sensor_refquat", references.iter().map(|f| f.quat).collect::<Vec<_>>().as_flattened());
        self.int("sensor_stage", (0..count).map(|i| m.sensor_needstage[i]));
        let site = |i: usize| {
            let on_site = m.sensor_objtype[i] == ObjType::Site as i32;
            on_site.then_some(m.sensor_objid[i] as usize)
        };
        let sphere = GeomType::Sphere as i32;
        self.int("sensor_shape", (0..count).map(|i| site(i).map_or(sphere, |s| m.site_type[s])));
        let sizes: Vec<[f64; 3]> = (0..count).map(|i| site(i).map_or([0.0; 3], |s| m.site_size[s])).collect();
        self.real("sensor_size", sizes.as_flattened());
        let end = |b: usize| {
            let below = |c: usize| {
                std::iter::successors(Some(c), |&x| (x > 0).then(|| m.body_parentid[x] as usize))
                    .any(|x| x == b)
            };
            (b + 1..m.nbody).find(|&c| !below(c)).unwrap_or(m.nbody) as i32
        };
        self.int("body_subtree_end", (0..m.nbody).map(end));
    }
}
