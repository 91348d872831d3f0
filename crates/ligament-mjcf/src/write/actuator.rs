//! Actuators, all as `<general>` or `<plugin>`.

use super::Writer;
use crate::keywords as key;
use crate::spec::{Actuator, ClassId, Joint, Spec, Tendon};
use ligament_model::enums::{DynType, TrnType};
use std::collections::HashMap;

impl Writer<'_> {
    pub(super) fn actuators(&mut self) {
        self.xml.open("actuator");
        let ranges = Ranges::new(self.spec);
        for actuator in &self.spec.actuators {
            let actuator = self.with_inherited_range(actuator, &ranges);
            self.xml.open(if actuator.plugin.is_some() { "plugin" } else { "general" });
            self.name_and_class(&actuator.meta, ClassId(0));
            let target = match actuator.trntype {
                TrnType::Joint => "joint",
                TrnType::Jointinparent => "jointinparent",
                TrnType::Slidercrank => "cranksite",
                TrnType::Tendon => "tendon",
                TrnType::Site => "site",
                TrnType::Body => "body",
                TrnType::Undefined => "",
            };
            if !target.is_empty() {
                self.xml.text(target, &actuator.target);
            }
            self.xml.text_if("slidersite", &actuator.slidersite);
            self.xml.text_if("refsite", &actuator.refsite);
            let class = &self.spec.classes[actuator.meta.class.index()].actuator;
            self.xml.changed("lengthrange", &actuator.lengthrange, &class.lengthrange);
            self.actuator_settings(&actuator, class);
            if let Some(plugin) = &actuator.plugin {
                self.plugin_content(plugin);
            }
            self.xml.close();
        }
        self.xml.close_unless_empty();
    }

    pub(super) fn actuator_settings(&mut self, actuator: &Actuator, class: &Actuator) {
        let xml = &mut self.xml;
        xml.changed_one("group", actuator.group, class.group);
        xml.changed_one("nsample", actuator.nsample, class.nsample);
        xml.changed_key("interp", key::INTERPOLATION, actuator.interp, class.interp);
        xml.changed_one("delay", actuator.delay, class.delay);
        xml.changed_key("ctrllimited", key::LIMITED, actuator.ctrllimited, class.ctrllimited);
        xml.changed_key("forcelimited", key::LIMITED, actuator.forcelimited, class.forcelimited);
        xml.changed_key("actlimited", key::LIMITED, actuator.actlimited, class.actlimited);
        xml.changed("ctrlrange", &actuator.ctrlrange, &class.ctrlrange);
        xml.changed("forcerange", &actuator.forcerange, &class.forcerange);
        xml.changed("actrange", &actuator.actrange, &class.actrange);
        xml.changed("gear", &actuator.gear, &class.gear);
        xml.changed_one("cranklength", actuator.cranklength, class.cranklength);
        xml.changed_one("actdim", actuator.actdim, class.actdim);
        xml.changed_key("dyntype", key::DYNAMICS, actuator.dyntype, class.dyntype);
        xml.changed("dynprm", &actuator.dynprm, &class.dynprm);
        xml.changed_flag("actearly", actuator.actearly, class.actearly);
        if actuator.plugin.is_none() {
            xml.changed_key("gaintype", key::GAIN, actuator.gaintype, class.gaintype);
            xml.changed_key("biastype", key::BIAS, actuator.biastype, class.biastype);
            xml.changed("gainprm", &actuator.gainprm, &class.gainprm);
            xml.changed("biasprm", &actuator.biasprm, &class.biasprm);
            xml.changed_text("ligament:gain_model", &actuator.gain_model, &class.gain_model);
            xml.changed("ligament:gain_params", &actuator.gain_params, &class.gain_params);
        }
        xml.changed("user", &actuator.userdata, &class.userdata);
    }

    /// `inheritrange` exists for servos only, so the range it stands for is written instead.
    fn with_inherited_range(&self, actuator: &Actuator, ranges: &Ranges<'_>) -> Actuator {
        let mut out = actuator.clone();
        let servo = actuator.gainprm[0] == -actuator.biasprm[1];
        if !(actuator.inheritrange > 0.0) || !servo {
            return out;
        }
        let Some([low, high]) = self.target_range(actuator, ranges) else { return out };
        let mean = 0.5 * (high + low);
        let radius = 0.5 * (high - low) * actuator.inheritrange;
        let range = [mean - radius, mean + radius];
        match actuator.dyntype {
            DynType::Integrator => out.actrange = range,
            _ => out.ctrlrange = range,
        }
        out
    }

    fn target_range(&self, actuator: &Actuator, ranges: &Ranges<'_>) -> Option<[f64; 2]> {
        let target = actuator.target.as_str();
        match actuator.trntype {
            TrnType::Joint => ranges.joints.get(target).map(|joint| self.in_radians(joint).range),
            TrnType::Tendon => ranges.tendons.get(target).map(|tendon| tendon.range),
            _ => None,
        }
    }
}

/// What has a range that actuators can inherit, by name; the first of a name counts.
struct Ranges<'a> {
    joints: HashMap<&'a str, &'a Joint>,
    tendons: HashMap<&'a str, &'a Tendon>,
}

impl<'a> Ranges<'a> {
    fn new(spec: &'a Spec) -> Self {
        let joints = spec.bodies.iter().flat_map(|body| &body.joints).rev();
        let tendons = spec.tendons.iter().rev();
        Self {
            joints: joints.map(|joint| (joint.meta.name.as_str(), joint)).collect(),
            tendons: tendons.map(|tendon| (tendon.meta.name.as_str(), tendon)).collect(),
        }
    }
}
