//! The rules of the single kinds of sensors.

use super::{CompiledSensor, Observed};
use crate::error::fail_at;
use crate::plugins::touch_grid_dim;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Sensor;
use ligament_model::enums::{DataType, GeomType, JointType, ObjType, SensorType, Stage};

/// Numbers of each field of a contact report, by bit.
const CONTACT_FIELDS: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];
/// Numbers of each field of a ray report, by bit.
const RAY_FIELDS: [usize; 6] = [1, 3, 3, 3, 3, 1];

/// Objects that have a frame in space.
pub(super) fn is_frame(kind: ObjType) -> bool {
    matches!(kind, ObjType::Body | ObjType::Xbody | ObjType::Geom | ObjType::Site | ObjType::Camera)
}

/// What the numbers are; user sensors say so themselves.
pub(super) fn datatype(sensor: &Sensor) -> DataType {
    use SensorType as S;
    match sensor.kind {
        S::User => sensor.datatype,
        S::Touch | S::Insidesite => DataType::Positive,
        S::Framexaxis | S::Frameyaxis | S::Framezaxis | S::Geomnormal => DataType::Axis,
        S::Ballquat | S::Framequat => DataType::Quaternion,
        _ => DataType::Real,
    }
}

/// The stage a sensor needs; user sensors say so themselves, plugins are asked elsewhere.
pub(super) fn needstage(sensor: &Sensor) -> Stage {
    use SensorType as S;
    match sensor.kind {
        S::User | S::Plugin => sensor.needstage,
        S::Touch
        | S::Accelerometer
        | S::Force
        | S::Torque
        | S::Actuatorfrc
        | S::Jointactfrc
        | S::Tendonactfrc
        | S::Jointlimitfrc
        | S::Tendonlimitfrc
        | S::Framelinacc
        | S::Frameangacc
        | S::Contact
        | S::Tactile => Stage::Acc,
        S::Velocimeter
        | S::Gyro
        | S::Jointvel
        | S::Tendonvel
        | S::Actuatorvel
        | S::Ballangvel
        | S::Jointlimitvel
        | S::Tendonlimitvel
        | S::Framelinvel
        | S::Frameangvel
        | S::Subtreelinvel
        | S::Subtreeangmom => Stage::Vel,
        _ => Stage::Pos,
    }
}

/// Number of values.
pub(super) fn dim(sensor: &CompiledSensor<'_>, observed: &Observed<'_, '_>) -> usize {
    use SensorType as S;
    let spec = sensor.spec;
    let object = sensor.object.unwrap_or_default();
    match spec.kind {
        S::Camprojection => 2,
        S::Accelerometer
        | S::Velocimeter
        | S::Gyro
        | S::Force
        | S::Torque
        | S::Magnetometer
        | S::Ballangvel
        | S::Framepos
        | S::Framexaxis
        | S::Frameyaxis
        | S::Framezaxis
        | S::Framelinvel
        | S::Frameangvel
        | S::Framelinacc
        | S::Frameangacc
        | S::Subtreecom
        | S::Subtreelinvel
        | S::Subtreeangmom
        | S::Geomnormal => 3,
        S::Geomfromto => 6,
        S::Ballquat | S::Framequat => 4,
        S::Contact => spec.intprm[2] as usize * fields(&CONTACT_FIELDS, spec.intprm[0]),
        S::Tactile => 3 * observed.mesh_vertices[object],
        S::Rangefinder => {
            let rays = if spec.objtype == ObjType::Camera {
                let [width, height] = observed.tree.cameras[object].spec.resolution;
                (width.max(0) as usize).saturating_mul(height.max(0) as usize)
            } else {
                1
            };
            rays.saturating_mul(fields(&RAY_FIELDS, spec.intprm[0]))
        }
        S::User => spec.dim.max(0) as usize,
        S::Plugin => touch_grid_dim(&observed.plugins.instances[sensor.plugin as usize]),
        _ => 1,
    }
}

/// Sum of the sizes of the fields whose bits are set.
fn fields(sizes: &[usize], bits: i32) -> usize {
    sizes.iter().enumerate().filter(|(i, _)| bits & (1 << i) != 0).map(|(_, size)| size).sum()
}

/// Checks what the sensor is attached to and its parameters.
pub(super) fn check(sensor: &CompiledSensor<'_>, observed: &Observed<'_, '_>) -> Result<()> {
    use SensorType as S;
    let spec = sensor.spec;
    let outcome = match spec.kind {
        S::Touch | S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque | S::Magnetometer => {
            attached(spec, &[ObjType::Site], "site")
        }
        S::Camprojection => camera_projection(sensor, observed),
        S::Rangefinder => rangefinder(sensor, observed),
        S::Jointpos | S::Jointvel | S::Jointactfrc => {
            joint(sensor, observed, &[JointType::Slide, JointType::Hinge], "slide or hinge")
        }
        S::Ballquat | S::Ballangvel => joint(sensor, observed, &[JointType::Ball], "ball"),
        S::Jointlimitpos | S::Jointlimitvel | S::Jointlimitfrc => attached(spec, &[ObjType::Joint], "joint")
            .and_then(|()| {
                let limited = observed.tree.joints[sensor.object.unwrap_or_default()].limited;
                require(limited, "joint must be limited in sensor")
            }),
        S::Tendonpos | S::Tendonvel | S::Tendonactfrc => attached(spec, &[ObjType::Tendon], "tendon"),
        S::Tendonlimitpos | S::Tendonlimitvel | S::Tendonlimitfrc => {
            attached(spec, &[ObjType::Tendon], "tendon").and_then(|()| {
                let limited = observed.tendons[sensor.object.unwrap_or_default()].limited;
                require(limited, "tendon must be limited in sensor")
            })
        }
        S::Actuatorpos | S::Actuatorvel | S::Actuatorfrc => attached(spec, &[ObjType::Actuator], "actuator"),
        S::Framepos
        | S::Framequat
        | S::Framexaxis
        | S::Frameyaxis
        | S::Framezaxis
        | S::Framelinvel
        | S::Frameangvel
        | S::Framelinacc
        | S::Frameangacc => frame(spec),
        S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom => attached(spec, &[ObjType::Body], "body"),
        S::Insidesite => frame(spec)
            .and_then(|()| require(spec.reftype == ObjType::Site, "sensor must be associated with a site")),
        S::Geomdist | S::Geomnormal | S::Geomfromto => distance(sensor, observed),
        S::Contact => contact(spec),
        S::User => user(spec),
        S::Tactile => require(spec.objtype == ObjType::Mesh, "sensor must be associated with a mesh")
            .and_then(|()| require(spec.reftype == ObjType::Geom, "sensor must be associated with a geom")),
        S::EPotential | S::EKinetic | S::Clock | S::Plugin => Ok(()),
    };
    outcome.map_err(|message| fail_at(ObjType::Sensor, &spec.meta, message))
}

type Check = std::result::Result<(), String>;

fn require(condition: bool, message: &str) -> Check {
    if condition { Ok(()) } else { Err(message.into()) }
}

fn attached(spec: &Sensor, kinds: &[ObjType], what: &str) -> Check {
    require(kinds.contains(&spec.objtype), &format!("sensor must be attached to {what}"))
}

fn frame(spec: &Sensor) -> Check {
    require(is_frame(spec.objtype), "sensor must be attached to (x)body, geom, site or camera")
}

fn joint(sensor: &CompiledSensor<'_>, observed: &Observed<'_, '_>, kinds: &[JointType], what: &str) -> Check {
    attached(sensor.spec, &[ObjType::Joint], "joint")?;
    let kind = observed.tree.joints[sensor.object.unwrap_or_default()].spec.kind;
    require(kinds.contains(&kind), &format!("joint must be {what} in sensor"))
}

fn camera_projection(sensor: &CompiledSensor<'_>, observed: &Observed<'_, '_>) -> Check {
    attached(sensor.spec, &[ObjType::Site], "site")?;
    let message = "camera projection sensor requires camera resolution";
    require(sensor.spec.reftype == ObjType::Camera, message)?;
    let resolution = observed.tree.cameras[sensor.reference.unwrap_or_default()].spec.resolution;
    require(resolution.iter().all(|&n| n != 0), message)
}

fn rangefinder(sensor: &CompiledSensor<'_>, observed: &Observed<'_, '_>) -> Check {
    attached(sensor.spec, &[ObjType::Site, ObjType::Camera], "site or camera")?;
    if sensor.spec.objtype == ObjType::Camera {
        let resolution = observed.tree.cameras[sensor.object.unwrap_or_default()].spec.resolution;
        let positive = resolution.iter().all(|&n| n >= 0);
        require(positive, "camera resolution must not be negative in rangefinder")?;
    }
    check_fields(sensor.spec.intprm[0], RAY_FIELDS.len(), "mjNRAYDATA")
}

fn distance(sensor: &CompiledSensor<'_>, observed: &Observed<'_, '_>) -> Check {
    let spec = sensor.spec;
    let solid = |kind| matches!(kind, ObjType::Body | ObjType::Geom);
    require(solid(spec.objtype) && solid(spec.reftype), "sensor must be attached to body or geom")?;
    let same = spec.objtype == spec.reftype && sensor.object == sensor.reference;
    require(!same, "1st body/geom must be different from 2nd body/geom")?;
    let hfield = |kind, id: Option<usize>| {
        kind == ObjType::Geom && observed.tree.geoms[id.unwrap_or_default()].kind == GeomType::Hfield
    };
    let found = hfield(spec.objtype, sensor.object) || hfield(spec.reftype, sensor.reference);
    require(!found, "height fields are not supported in geom distance sensors")
}

/// Bits of a report: at least one, and only known ones.
fn check_fields(bits: i32, count: usize, name: &str) -> Check {
    let mask = (1 << count) - 1;
    require(bits > 0, &format!("data spec (intprm[0]) must be positive, got {bits}"))?;
    require(
        bits & mask != 0,
        &format!("data spec intprm[0]={bits} must have at least one bit set of the first {name} bits"),
    )?;
    require(
        bits & !mask == 0,
        &format!("data spec intprm[0]={bits} has bits set beyond the first {name} bits"),
    )
}

fn contact(spec: &Sensor) -> Check {
    use ObjType::{Body, Geom, Site, Unknown, Xbody};
    let first = matches!(spec.objtype, Site | Body | Xbody | Geom | Unknown);
    require(first, "first matching criterion: if set, must be (x)body, geom or site")?;
    let second = matches!(spec.reftype, Body | Xbody | Geom | Unknown);
    require(second, "second matching criterion: if set, must be (x)body or geom")?;
    let [bits, reduce, slots] = spec.intprm;
    check_fields(bits, CONTACT_FIELDS.len(), "mjNCONDATA")?;
    let known = (0..=3).contains(&reduce);
    require(known, &format!("unknown reduction criterion. got {reduce}, expected one of {{0, 1, 2, 3}}"))?;
    require(slots > 0, &format!("num (intprm[2]) must be positive in sensor, got {slots}"))
}

fn user(spec: &Sensor) -> Check {
    require(spec.dim >= 0, "sensor dim must be non-negative in sensor")?;
    require(spec.datatype != DataType::Axis || spec.dim == 3, "datatype AXIS requires dim=3 in sensor")?;
    let quaternion = spec.datatype == DataType::Quaternion;
    require(!quaternion || spec.dim == 4, "datatype QUATERNION requires dim=4 in sensor")
}
