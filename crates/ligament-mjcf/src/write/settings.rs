//! Sections without elements of the model: compiler, option, size, visual, statistic, extension, custom, keyframe.

use super::Writer;
use super::text::XmlText;
use crate::keywords as key;
use crate::read;
use crate::spec::{Compiler, LengthRangeOptions, SizeSettings};
use ligament_model::array::ArrayRef;
use ligament_model::enums::ObjType;
use ligament_model::model::FieldInfo;
use ligament_model::option::{Options, Visual, VisualGlobal};

/// Settings of `<visual><global>` that are words.
const GLOBAL_FLAGS: [&str; 3] = ["orthographic", "ellipsoidinertia", "bvactive"];
/// Options that are not plain numbers.
const OPTION_WORDS: [&str; 7] =
    ["integrator", "cone", "jacobian", "solver", "disableflags", "enableflags", "disableactuator"];

impl Writer<'_> {
    pub(super) fn compiler(&mut self) {
        let (own, default) = (self.spec.compiler(), Compiler::default());
        let xml = &mut self.xml;
        xml.open("compiler");
        xml.text("angle", "radian");
        xml.changed_flag("autolimits", own.autolimits, default.autolimits);
        xml.changed_one("boundmass", own.boundmass, default.boundmass);
        xml.changed_one("boundinertia", own.boundinertia, default.boundinertia);
        xml.changed_one("settotalmass", own.settotalmass, default.settotalmass);
        xml.changed_flag("balanceinertia", own.balanceinertia, default.balanceinertia);
        xml.changed_flag("fitaabb", own.fitaabb, default.fitaabb);
        xml.text_if("meshdir", &own.meshdir);
        xml.text_if("texturedir", &own.texturedir);
        xml.changed_flag("discardvisual", own.discardvisual, default.discardvisual);
        xml.changed_flag("usethread", own.usethread, default.usethread);
        xml.changed_flag("fusestatic", own.fusestatic, default.fusestatic);
        let default_inertia = default.inertiafromgeom;
        xml.changed_key("inertiafromgeom", key::INERTIA_FROM_GEOM, own.inertiafromgeom, default_inertia);
        xml.changed("inertiagrouprange", &own.inertiagrouprange, &default.inertiagrouprange);
        xml.changed_flag("saveinertial", own.saveinertial, default.saveinertial);
        xml.changed_flag("alignfree", own.alignfree, default.alignfree);
        xml.open("lengthrange");
        length_range(xml, &own.lengthrange);
        xml.close_unless_empty();
        xml.close();
    }

    pub(super) fn option(&mut self) {
        let own = &self.spec.option;
        let xml = &mut self.xml;
        xml.open("option");
        let default = Options::default();
        let plain = Options::FIELDS.iter().filter(|f| !OPTION_WORDS.contains(&f.name));
        for field in plain {
            changed_field(xml, field, own, &default);
        }
        let mut word = |name: &str, table: Vec<(&str, i32)>, value: i32, default: i32| {
            xml.changed_key(name, &table, value, default);
        };
        word("integrator", numbered(key::INTEGRATOR), own.integrator, default.integrator);
        word("cone", numbered(key::CONE), own.cone, default.cone);
        word("jacobian", numbered(key::JACOBIAN), own.jacobian, default.jacobian);
        word("solver", numbered(key::SOLVER), own.solver, default.solver);
        xml.text_if("ligament:solver", &self.spec.solver_model);
        xml.numbers_if("ligament:solver_params", &self.spec.solver_params);
        let groups: Vec<i32> = (0..31).filter(|i| own.disableactuator >> i & 1 == 1).collect();
        xml.numbers_if("actuatorgroupdisable", &groups);
        xml.open("flag");
        for (name, _) in read::DISABLE.iter().filter(|(_, bit)| own.disabled(*bit)) {
            xml.text(name, "disable");
        }
        for (name, _) in read::ENABLE.iter().filter(|(_, bit)| own.enabled(*bit)) {
            xml.text(name, "enable");
        }
        xml.close_unless_empty();
        xml.close_unless_empty();
    }

    pub(super) fn size(&mut self) {
        let (own, default) = (&self.spec.size, SizeSettings::default());
        let xml = &mut self.xml;
        xml.open("size");
        for (name, value, default) in
            [("memory", own.memory, default.memory), ("nstack", own.nstack, default.nstack)]
        {
            if value != default {
                xml.text(name, &value.to_string());
            }
        }
        for (name, value, default) in [
            ("njmax", own.njmax, default.njmax),
            ("nconmax", own.nconmax, default.nconmax),
            ("nuserdata", own.nuserdata, default.nuserdata),
            ("nkey", own.nkey, default.nkey),
            ("nuser_body", own.nuser_body, default.nuser_body),
            ("nuser_jnt", own.nuser_jnt, default.nuser_jnt),
            ("nuser_geom", own.nuser_geom, default.nuser_geom),
            ("nuser_site", own.nuser_site, default.nuser_site),
            ("nuser_cam", own.nuser_cam, default.nuser_cam),
            ("nuser_tendon", own.nuser_tendon, default.nuser_tendon),
            ("nuser_actuator", own.nuser_actuator, default.nuser_actuator),
            ("nuser_sensor", own.nuser_sensor, default.nuser_sensor),
        ] {
            xml.changed_one(name, value, default);
        }
        xml.close_unless_empty();
    }

    pub(super) fn visual(&mut self) {
        let (own, default) = (&self.spec.visual, Visual::default());
        let xml = &mut self.xml;
        xml.open("visual");
        xml.open("global");
        for field in VisualGlobal::FIELDS {
            if !GLOBAL_FLAGS.contains(&field.name) {
                changed_field(xml, field, &own.global, &default.global);
            }
        }
        let (global, usual) = (&own.global, &default.global);
        xml.changed_key("orthographic", key::BOOL, global.orthographic, usual.orthographic);
        xml.changed_key("ellipsoidinertia", key::BOOL, global.ellipsoidinertia, usual.ellipsoidinertia);
        xml.changed_key("bvactive", key::BOOL, global.bvactive, usual.bvactive);
        xml.close_unless_empty();
        macro_rules! group {
            ($name:ident, $ty:ty) => {
                xml.open(stringify!($name));
                for field in <$ty>::FIELDS {
                    changed_field(xml, field, &own.$name, &default.$name);
                }
                xml.close_unless_empty();
            };
        }
        use ligament_model::option::{VisualHeadlight, VisualMap, VisualQuality, VisualRgba, VisualScale};
        group!(quality, VisualQuality);
        group!(headlight, VisualHeadlight);
        group!(map, VisualMap);
        group!(scale, VisualScale);
        group!(rgba, VisualRgba);
        xml.close_unless_empty();
    }

    pub(super) fn statistic(&mut self) {
        let stat = &self.spec.stat;
        let xml = &mut self.xml;
        xml.open("statistic");
        for (name, value) in [
            ("meaninertia", stat.meaninertia),
            ("meanmass", stat.meanmass),
            ("meansize", stat.meansize),
            ("extent", stat.extent),
        ] {
            if !value.is_nan() {
                xml.numbers(name, &[value]);
            }
        }
        if !stat.center[0].is_nan() {
            xml.numbers("center", &stat.center);
        }
        xml.close_unless_empty();
    }

    pub(super) fn extension(&mut self) {
        self.xml.open("extension");
        for declaration in &self.spec.plugins {
            self.xml.open("plugin");
            self.xml.text("plugin", &declaration.plugin);
            for instance in &declaration.instances {
                self.xml.open("instance");
                self.xml.text("name", &instance.name);
                self.config(&instance.config);
                self.xml.close();
            }
            self.xml.close();
        }
        self.xml.close_unless_empty();
    }

    pub(super) fn custom(&mut self) {
        let xml = &mut self.xml;
        xml.open("custom");
        for numeric in &self.spec.numerics {
            xml.open("numeric");
            xml.text_if("name", &numeric.meta.name);
            xml.numbers("size", &[numeric.size.max(numeric.data.len() as i32)]);
            xml.numbers_if("data", &numeric.data);
            xml.close();
        }
        for text in &self.spec.texts {
            xml.open("text");
            xml.text_if("name", &text.meta.name);
            xml.text("data", &text.data);
            xml.close();
        }
        for tuple in &self.spec.tuples {
            xml.open("tuple");
            xml.text_if("name", &tuple.meta.name);
            for (i, (&kind, name)) in tuple.objtype.iter().zip(&tuple.objname).enumerate() {
                xml.open("element");
                let kind = ObjType::try_from(kind).unwrap_or(ObjType::Unknown);
                xml.text("objtype", key::object_name(kind));
                xml.text("objname", name);
                xml.changed_one("prm", tuple.objprm.get(i).copied().unwrap_or(0.0), 0.0);
                xml.close();
            }
            xml.close();
        }
        xml.close_unless_empty();
    }

    pub(super) fn keyframes(&mut self) {
        let xml = &mut self.xml;
        xml.open("keyframe");
        for item in &self.spec.keys {
            xml.open("key");
            xml.text_if("name", &item.meta.name);
            xml.changed_one("time", item.time, 0.0);
            xml.numbers_if("qpos", &item.qpos);
            xml.numbers_if("qvel", &item.qvel);
            xml.numbers_if("act", &item.act);
            xml.numbers_if("mpos", &item.mpos);
            xml.numbers_if("mquat", &item.mquat);
            xml.numbers_if("ctrl", &item.ctrl);
            xml.close();
        }
        xml.close_unless_empty();
    }
}

fn length_range(xml: &mut XmlText, own: &LengthRangeOptions) {
    let default = LengthRangeOptions::default();
    xml.changed_key("mode", key::LENGTH_RANGE_MODE, own.mode, default.mode);
    xml.changed_flag("useexisting", own.useexisting, default.useexisting);
    xml.changed_flag("uselimit", own.uselimit, default.uselimit);
    xml.changed_one("accel", own.accel, default.accel);
    xml.changed_one("maxforce", own.maxforce, default.maxforce);
    xml.changed_one("timeconst", own.timeconst, default.timeconst);
    xml.changed_one("timestep", own.timestep, default.timestep);
    xml.changed_one("inttotal", own.inttotal, default.inttotal);
    xml.changed_one("interval", own.interval, default.interval);
    xml.changed_one("tolrange", own.tolrange, default.tolrange);
}

/// A keyword table with the numbers behind the words.
fn numbered<T: Copy + Into<i32>>(table: &[(&'static str, T)]) -> Vec<(&'static str, i32)> {
    table.iter().map(|(name, value)| (*name, (*value).into())).collect()
}

/// A setting of the field table, if it differs from the default.
fn changed_field<T>(xml: &mut XmlText, field: &FieldInfo<T>, own: &T, default: &T) {
    match ((field.get)(own), (field.get)(default)) {
        (ArrayRef::F64(a), ArrayRef::F64(b)) => xml.changed(field.name, a, b),
        (ArrayRef::F32(a), ArrayRef::F32(b)) => xml.changed(field.name, a, b),
        (ArrayRef::I32(a), ArrayRef::I32(b)) => xml.changed(field.name, a, b),
        _ => {}
    }
}
