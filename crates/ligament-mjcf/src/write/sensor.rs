//! Sensors.

use super::Writer;
use crate::keywords as key;
use crate::read::{FRAME_SENSORS, OBJECT_SENSORS};
use crate::spec::Sensor;
use ligament_model::enums::{ObjType, SensorType};

impl Writer<'_> {
    pub(super) fn sensors(&mut self) {
        self.xml.open("sensor");
        for sensor in &self.spec.sensors {
            self.sensor_kind(sensor);
            let xml = &mut self.xml;
            xml.text_if("name", &sensor.meta.name);
            xml.changed_one("cutoff", sensor.cutoff, 0.0);
            xml.changed_one("noise", sensor.noise, 0.0);
            xml.changed_one("nsample", sensor.nsample, 0);
            xml.changed_key("interp", key::INTERPOLATION, sensor.interp, 0);
            xml.changed_one("delay", sensor.delay, 0.0);
            xml.changed("interval", &sensor.interval, &[0.0; 2]);
            xml.numbers_if("user", &sensor.userdata);
            if let Some(plugin) = &sensor.plugin {
                self.plugin_content(plugin);
            }
            self.xml.close();
        }
        self.xml.close_unless_empty();
    }

    /// Opens the element and writes what is special about it.
    fn sensor_kind(&mut self, sensor: &Sensor) {
        let xml = &mut self.xml;
        if let Some((element, _, _, attribute)) =
            OBJECT_SENSORS.iter().find(|(_, kind, ..)| *kind == sensor.kind)
        {
            xml.open(element);
            xml.text(attribute, &sensor.objname);
            return;
        }
        if let Some((element, _)) = FRAME_SENSORS.iter().find(|(_, (kind, _))| *kind == sensor.kind) {
            xml.open(element);
            self.object(sensor);
            self.reference(sensor);
            return;
        }
        match sensor.kind {
            SensorType::Camprojection => {
                xml.open("camprojection");
                xml.text("site", &sensor.objname);
                xml.text("camera", &sensor.refname);
            }
            SensorType::Rangefinder => {
                xml.open("rangefinder");
                let attribute = if sensor.objtype == ObjType::Camera { "camera" } else { "site" };
                xml.text(attribute, &sensor.objname);
                xml.text_if("data", &words(key::RAY_DATA, sensor.intprm[0]));
            }
            SensorType::Insidesite => {
                xml.open("insidesite");
                self.object(sensor);
                self.xml.text("site", &sensor.refname);
            }
            SensorType::Geomdist => self.distance("distance", sensor),
            SensorType::Geomnormal => self.distance("normal", sensor),
            SensorType::Geomfromto => self.distance("fromto", sensor),
            SensorType::Contact => self.contact_sensor(sensor),
            SensorType::Tactile => {
                xml.open("tactile");
                xml.text("geom", &sensor.refname);
                xml.text("mesh", &sensor.objname);
            }
            SensorType::EPotential => xml.open("e_potential"),
            SensorType::EKinetic => xml.open("e_kinetic"),
            SensorType::Clock => xml.open("clock"),
            SensorType::User => {
                xml.open("user");
                self.object(sensor);
                let xml = &mut self.xml;
                xml.numbers("dim", &[sensor.dim]);
                xml.key("needstage", key::STAGE, sensor.needstage);
                xml.key("datatype", key::DATA_TYPE, sensor.datatype);
            }
            _ => {
                xml.open("plugin");
                self.object(sensor);
                self.reference(sensor);
            }
        }
    }

    fn object(&mut self, sensor: &Sensor) {
        if sensor.objtype != ObjType::Unknown {
            self.xml.text("objtype", key::object_name(sensor.objtype));
            self.xml.text("objname", &sensor.objname);
        }
    }

    fn reference(&mut self, sensor: &Sensor) {
        if sensor.reftype != ObjType::Unknown {
            self.xml.text("reftype", key::object_name(sensor.reftype));
            self.xml.text("refname", &sensor.refname);
        }
    }

    fn distance(&mut self, element: &str, sensor: &Sensor) {
        let end = |kind: ObjType, body: &'static str, geom: &'static str| {
            if kind == ObjType::Body { body } else { geom }
        };
        self.xml.open(element);
        self.xml.text(end(sensor.objtype, "body1", "geom1"), &sensor.objname);
        self.xml.text(end(sensor.reftype, "body2", "geom2"), &sensor.refname);
    }

    fn contact_sensor(&mut self, sensor: &Sensor) {
        let xml = &mut self.xml;
        let end = |kind: ObjType, names: [&'static str; 4]| match kind {
            ObjType::Geom => names[0],
            ObjType::Body => names[1],
            ObjType::Xbody => names[2],
            ObjType::Site => names[3],
            _ => "",
        };
        xml.open("contact");
        let first = end(sensor.objtype, ["geom1", "body1", "subtree1", "site"]);
        let second = end(sensor.reftype, ["geom2", "body2", "subtree2", ""]);
        for (attribute, name) in [(first, &sensor.objname), (second, &sensor.refname)] {
            if !attribute.is_empty() {
                xml.text(attribute, name);
            }
        }
        xml.changed_one("num", sensor.intprm[2], 1);
        xml.text_if("data", &words(key::CONTACT_DATA, sensor.intprm[0]));
        xml.changed_key("reduce", key::REDUCE, sensor.intprm[1], 0);
    }
}

/// Words of the bits that are set.
fn words(table: &[(&str, i32)], bits: i32) -> String {
    let set: Vec<&str> =
        table.iter().filter(|(_, bit)| bits >> bit & 1 == 1).map(|(word, _)| *word).collect();
    set.join(" ")
}
