//! `<sensor>`.

use super::Reader;
use super::parts::read_user;
use super::plugin::read_plugin;
use crate::diag::Result;
use crate::keywords::{self as key, Table};
use crate::spec::{ClassId, Sensor};
use crate::xml::Element;
use ligament_model::enums::{ObjType, SensorType};

/// Sensors of one named object: element, type, kind of object and the attribute that names it.
pub(crate) const OBJECT_SENSORS: &[(&str, SensorType, ObjType, &str)] = &[
    ("touch", SensorType::Touch, ObjType::Site, "site"),
    ("accelerometer", SensorType::Accelerometer, ObjType::Site, "site"),
    ("velocimeter", SensorType::Velocimeter, ObjType::Site, "site"),
    ("gyro", SensorType::Gyro, ObjType::Site, "site"),
    ("force", SensorType::Force, ObjType::Site, "site"),
    ("torque", SensorType::Torque, ObjType::Site, "site"),
    ("magnetometer", SensorType::Magnetometer, ObjType::Site, "site"),
    ("jointpos", SensorType::Jointpos, ObjType::Joint, "joint"),
    ("jointvel", SensorType::Jointvel, ObjType::Joint, "joint"),
    ("tendonpos", SensorType::Tendonpos, ObjType::Tendon, "tendon"),
    ("tendonvel", SensorType::Tendonvel, ObjType::Tendon, "tendon"),
    ("actuatorpos", SensorType::Actuatorpos, ObjType::Actuator, "actuator"),
    ("actuatorvel", SensorType::Actuatorvel, ObjType::Actuator, "actuator"),
    ("actuatorfrc", SensorType::Actuatorfrc, ObjType::Actuator, "actuator"),
    ("jointactuatorfrc", SensorType::Jointactfrc, ObjType::Joint, "joint"),
    ("tendonactuatorfrc", SensorType::Tendonactfrc, ObjType::Tendon, "tendon"),
    ("ballquat", SensorType::Ballquat, ObjType::Joint, "joint"),
    ("ballangvel", SensorType::Ballangvel, ObjType::Joint, "joint"),
    ("jointlimitpos", SensorType::Jointlimitpos, ObjType::Joint, "joint"),
    ("jointlimitvel", SensorType::Jointlimitvel, ObjType::Joint, "joint"),
    ("jointlimitfrc", SensorType::Jointlimitfrc, ObjType::Joint, "joint"),
    ("tendonlimitpos", SensorType::Tendonlimitpos, ObjType::Tendon, "tendon"),
    ("tendonlimitvel", SensorType::Tendonlimitvel, ObjType::Tendon, "tendon"),
    ("tendonlimitfrc", SensorType::Tendonlimitfrc, ObjType::Tendon, "tendon"),
    ("subtreecom", SensorType::Subtreecom, ObjType::Body, "body"),
    ("subtreelinvel", SensorType::Subtreelinvel, ObjType::Body, "body"),
    ("subtreeangmom", SensorType::Subtreeangmom, ObjType::Body, "body"),
];

/// Sensors of anything with a frame; those marked true may be relative to another frame.
pub(crate) const FRAME_SENSORS: Table<(SensorType, bool)> = &[
    ("framepos", (SensorType::Framepos, true)),
    ("framequat", (SensorType::Framequat, true)),
    ("framexaxis", (SensorType::Framexaxis, true)),
    ("frameyaxis", (SensorType::Frameyaxis, true)),
    ("framezaxis", (SensorType::Framezaxis, true)),
    ("framelinvel", (SensorType::Framelinvel, true)),
    ("frameangvel", (SensorType::Frameangvel, true)),
    ("framelinacc", (SensorType::Framelinacc, false)),
    ("frameangacc", (SensorType::Frameangacc, false)),
];

impl Reader<'_> {
    pub(super) fn read_sensor_section(&mut self, section: Element<'_>) -> Result<()> {
        for element in section.children() {
            let mut sensor = Sensor { meta: self.meta(element, ClassId(0)), ..Sensor::default() };
            element.number("cutoff", &mut sensor.cutoff)?;
            element.number("noise", &mut sensor.noise)?;
            element.int("nsample", &mut sensor.nsample)?;
            element.choose("interp", key::INTERPOLATION, &mut sensor.interp)?;
            element.number("delay", &mut sensor.delay)?;
            element.partial("interval", &mut sensor.interval)?;
            read_user(element, &mut sensor.userdata)?;
            read_kind(element, &mut sensor)?;
            self.spec.sensors.push(sensor);
        }
        Ok(())
    }
}

fn read_kind(element: Element<'_>, sensor: &mut Sensor) -> Result<()> {
    let name = element.name();
    if let Some(&(_, kind, objtype, attribute)) = OBJECT_SENSORS.iter().find(|(n, ..)| *n == name) {
        sensor.kind = kind;
        sensor.objtype = objtype;
        sensor.objname = element.required(attribute)?.to_string();
        return Ok(());
    }
    if let Some(&(_, (kind, relative))) = FRAME_SENSORS.iter().find(|(n, _)| *n == name) {
        sensor.kind = kind;
        return read_frame_sensor(element, sensor, relative);
    }
    match name {
        "camprojection" => read_camprojection(element, sensor),
        "rangefinder" => read_rangefinder(element, sensor),
        "insidesite" => read_insidesite(element, sensor),
        "distance" => read_distance(element, sensor, SensorType::Geomdist),
        "normal" => read_distance(element, sensor, SensorType::Geomnormal),
        "fromto" => read_distance(element, sensor, SensorType::Geomfromto),
        "contact" => read_contact_sensor(element, sensor),
        "tactile" => read_tactile(element, sensor),
        "e_potential" => global(sensor, SensorType::EPotential),
        "e_kinetic" => global(sensor, SensorType::EKinetic),
        "clock" => global(sensor, SensorType::Clock),
        "user" => read_user_sensor(element, sensor),
        "plugin" => read_plugin_sensor(element, sensor),
        other => Err(element.invalid(format!("unrecognized sensor type '{other}'"))),
    }
}

fn global(sensor: &mut Sensor, kind: SensorType) -> Result<()> {
    sensor.kind = kind;
    Ok(())
}

/// `objtype` and `objname`, both required. An unknown type is left to the compiler.
fn read_object(element: Element<'_>, sensor: &mut Sensor) -> Result<()> {
    sensor.objtype = key::object_type(element.required("objtype")?);
    sensor.objname = element.required("objname")?.to_string();
    Ok(())
}

fn read_frame_sensor(element: Element<'_>, sensor: &mut Sensor, relative: bool) -> Result<()> {
    read_object(element, sensor)?;
    if !relative {
        return Ok(());
    }
    match (element.attr("reftype"), element.attr("refname")) {
        (Some(reftype), _) => {
            sensor.reftype = key::object_type(reftype);
            sensor.refname = element.required("refname")?.to_string();
        }
        (None, Some(refname)) => {
            let message = format!("refname '{refname}' given but reftype is missing");
            return Err(element.invalid_attr("refname", message));
        }
        (None, None) => {}
    }
    Ok(())
}

fn read_camprojection(element: Element<'_>, sensor: &mut Sensor) -> Result<()> {
    sensor.kind = SensorType::Camprojection;
    sensor.objtype = ObjType::Site;
    sensor.objname = element.required("site")?.to_string();
    sensor.reftype = ObjType::Camera;
    sensor.refname = element.required("camera")?.to_string();
    Ok(())
}

fn read_rangefinder(element: Element<'_>, sensor: &mut Sensor) -> Result<()> {
    sensor.kind = SensorType::Rangefinder;
    (sensor.objtype, sensor.objname) = match (element.attr("site"), element.attr("camera")) {
        (Some(site), None) => (ObjType::Site, site.to_string()),
        (None, Some(camera)) => (ObjType::Camera, camera.to_string()),
        _ => return Err(element.invalid("rangefinder requires exactly one of 'site' or 'camera'")),
    };
    sensor.intprm[0] = read_data_bits(element, key::RAY_DATA)?;
    Ok(())
}

fn read_insidesite(element: Element<'_>, sensor: &mut Sensor) -> Result<()> {
    sensor.kind = SensorType::Insidesite;
    sensor.reftype = ObjType::Site;
    sensor.refname = element.required("site")?.to_string();
    read_object(element, sensor)
}

fn read_distance(element: Element<'_>, sensor: &mut Sensor, kind: SensorType) -> Result<()> {
    let end = |body: &str, geom: &str| match (element.attr(body), element.attr(geom)) {
        (Some(name), None) => Ok((ObjType::Body, name.to_string())),
        (None, Some(name)) => Ok((ObjType::Geom, name.to_string())),
        _ => Err(element.invalid(format!("exactly one of ({geom}, {body}) must be specified"))),
    };
    sensor.kind = kind;
    (sensor.objtype, sensor.objname) = end("body1", "geom1")?;
    (sensor.reftype, sensor.refname) = end("body2", "geom2")?;
    Ok(())
}

fn read_contact_sensor(element: Element<'_>, sensor: &mut Sensor) -> Result<()> {
    const FIRST: Table<ObjType> = &[
        ("geom1", ObjType::Geom),
        ("body1", ObjType::Body),
        ("subtree1", ObjType::Xbody),
        ("site", ObjType::Site),
    ];
    const SECOND: Table<ObjType> =
        &[("geom2", ObjType::Geom), ("body2", ObjType::Body), ("subtree2", ObjType::Xbody)];
    sensor.kind = SensorType::Contact;
    (sensor.objtype, sensor.objname) = read_criterion(element, FIRST)?;
    (sensor.reftype, sensor.refname) = read_criterion(element, SECOND)?;
    sensor.intprm[0] = read_data_bits(element, key::CONTACT_DATA)?;
    element.choose("reduce", key::REDUCE, &mut sensor.intprm[1])?;
    sensor.intprm[2] = 1;
    element.int("num", &mut sensor.intprm[2])?;
    if sensor.intprm[2] <= 0 {
        return Err(element.invalid_attr("num", "'num' must be positive in sensor"));
    }
    Ok(())
}

/// At most one of several attributes that name an object.
fn read_criterion(element: Element<'_>, table: Table<ObjType>) -> Result<(ObjType, String)> {
    let mut given =
        table.iter().filter_map(|(name, kind)| element.attr(name).map(|text| (*kind, text.to_string())));
    let first = given.next();
    if given.next().is_some() {
        let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
        let message = format!("at most one of ({}) can be specified", names.join(", "));
        return Err(element.invalid(message));
    }
    Ok(first.unwrap_or((ObjType::Unknown, String::new())))
}

/// `data`: keywords in their fixed order, as bits; the first of the table when absent.
fn read_data_bits(element: Element<'_>, table: Table<i32>) -> Result<i32> {
    let fields = element.keyword_list("data", table)?;
    if fields.windows(2).any(|pair| pair[1] <= pair[0]) {
        let order: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
        let message = format!("data attributes must be in order: {}", order.join(", "));
        return Err(element.invalid_attr("data", message));
    }
    let bits = fields.iter().fold(0, |bits, field| bits | 1 << field);
    Ok(if fields.is_empty() { 1 << table[0].1 } else { bits })
}

fn read_tactile(element: Element<'_>, sensor: &mut Sensor) -> Result<()> {
    sensor.kind = SensorType::Tactile;
    sensor.reftype = ObjType::Geom;
    sensor.refname = element.required("geom")?.to_string();
    sensor.objtype = ObjType::Mesh;
    sensor.objname = element.required("mesh")?.to_string();
    Ok(())
}

fn read_user_sensor(element: Element<'_>, sensor: &mut Sensor) -> Result<()> {
    sensor.kind = SensorType::User;
    match (element.attr("objtype"), element.attr("objname")) {
        (Some(objtype), Some(objname)) => {
            sensor.objtype = key::object_type(objtype);
            sensor.objname = objname.to_string();
        }
        (Some(objtype), None) => {
            return Err(element.invalid(format!("objtype '{objtype}' given but objname is missing")));
        }
        (None, Some(objname)) => {
            return Err(element.invalid(format!("objname '{objname}' given but objtype is missing")));
        }
        (None, None) => {}
    }
    if !element.int("dim", &mut sensor.dim)? {
        element.required("dim")?;
    }
    element.choose("needstage", key::STAGE, &mut sensor.needstage)?;
    element.choose("datatype", key::DATA_TYPE, &mut sensor.datatype)?;
    Ok(())
}

fn read_plugin_sensor(element: Element<'_>, sensor: &mut Sensor) -> Result<()> {
    sensor.kind = SensorType::Plugin;
    sensor.plugin = Some(read_plugin(element)?);
    (sensor.objtype, sensor.objname) = read_plugin_object(element, "objtype", "objname")?;
    (sensor.reftype, sensor.refname) = read_plugin_object(element, "reftype", "refname")?;
    Ok(())
}

fn read_plugin_object(element: Element<'_>, kind: &str, name: &str) -> Result<(ObjType, String)> {
    let objtype = key::object_type(element.attr(kind).unwrap_or_default());
    let objname = element.attr(name).unwrap_or_default().to_string();
    match (objtype == ObjType::Unknown, objname.is_empty()) {
        (false, true) => Err(element.invalid(format!("{kind} is specified but {name} is not"))),
        (true, false) => Err(element.invalid(format!("{name} is specified but {kind} is not"))),
        _ => Ok((objtype, objname)),
    }
}
