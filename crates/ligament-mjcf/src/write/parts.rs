//! Elements of bodies, and the default classes that describe them.

use super::Writer;
use crate::diag::Result;
use crate::keywords as key;
use crate::spec::{Camera, ClassId, DefaultClass, Geom, Joint, Light, Meta, Site};
use ligament_model::enums::{AlignFree, JointType, Limited};
use std::f64::consts::PI;

impl Writer<'_> {
    /// Default classes, nested as they inherit.
    pub(super) fn defaults(&mut self) -> Result<()> {
        let builtin = DefaultClass { name: "main".into(), ..DefaultClass::default() };
        let mut children = vec![Vec::new(); self.spec.classes.len()];
        for (i, class) in self.spec.classes.iter().enumerate().rev() {
            if let Some(parent) = class.parent {
                children[parent.index()].push(ClassId(i as u32));
            }
        }
        // (class, is it open already)
        let mut pending = vec![(ClassId(0), false)];
        while let Some((id, opened)) = pending.pop() {
            if opened && id == ClassId(0) {
                self.xml.close_unless_empty();
                continue;
            }
            if opened {
                self.xml.close();
                continue;
            }
            let class = &self.spec.classes[id.index()];
            let parent = class.parent.map_or(&builtin, |p| &self.spec.classes[p.index()]);
            self.xml.open("default");
            if class.parent.is_some() || class.name != "main" {
                self.xml.text("class", &class.name);
            }
            self.class_content(class, parent)?;
            pending.push((id, true));
            pending.extend(children[id.index()].iter().map(|&child| (child, false)));
        }
        Ok(())
    }

    fn class_content(&mut self, class: &DefaultClass, parent: &DefaultClass) -> Result<()> {
        macro_rules! part {
            ($name:literal, $write:expr) => {
                self.xml.open($name);
                $write;
                self.xml.close_unless_empty();
            };
        }
        part!("mesh", self.mesh_settings(&class.mesh, &parent.mesh, true));
        part!("material", self.material_settings(&class.material, &parent.material));
        part!("joint", self.joint_settings(&class.joint, &parent.joint));
        part!("geom", self.geom_settings(&class.geom, &parent.geom)?);
        part!("site", self.site_settings(&class.site, &parent.site)?);
        part!("camera", self.camera_settings(&class.camera, &parent.camera)?);
        part!("light", self.light_settings(&class.light, &parent.light));
        part!("pair", self.pair_settings(&class.pair, &parent.pair));
        part!("equality", self.equality_settings(&class.equality, &parent.equality));
        part!("tendon", self.tendon_settings(&class.tendon, &parent.tendon));
        part!("general", self.actuator_settings(&class.actuator, &parent.actuator));
        Ok(())
    }

    /// A joint with angles in radians.
    pub(super) fn joint(&mut self, joint: &Joint, inherited: ClassId) {
        if is_bare_free_joint(joint) {
            self.xml.open("freejoint");
            self.xml.text_if("name", &joint.meta.name);
            self.xml.changed_one("group", joint.group, 0);
            let words = [("false", AlignFree::False), ("true", AlignFree::True)];
            self.xml.changed_key("align", &words, joint.align, AlignFree::Auto);
            self.xml.close();
            return;
        }
        self.xml.open("joint");
        self.name_and_class(&joint.meta, inherited);
        let class = &self.spec.classes[joint.meta.class.index()].joint;
        let radian = self.in_radians(joint);
        self.joint_settings(&radian, class);
        self.xml.close();
    }

    /// The joint as it would be written with angles in radians. Ranges of unlimited joints are never converted.
    pub(super) fn in_radians(&self, joint: &Joint) -> Joint {
        let compiler = &self.spec.compilers[joint.meta.compiler.index()];
        let mut out = joint.clone();
        if !compiler.degree {
            return out;
        }
        let limited = match joint.limited {
            Limited::True => true,
            Limited::False => false,
            Limited::Auto => compiler.autolimits && joint.range != [0.0; 2],
        };
        if limited && matches!(joint.kind, JointType::Hinge | JointType::Ball) {
            out.range = joint.range.map(|x| x * (PI / 180.0));
        }
        if joint.kind == JointType::Hinge {
            out.reference *= PI / 180.0;
            out.springref *= PI / 180.0;
        }
        out
    }

    fn joint_settings(&mut self, joint: &Joint, class: &Joint) {
        let xml = &mut self.xml;
        xml.changed_key("type", key::JOINT, joint.kind, class.kind);
        xml.changed_one("group", joint.group, class.group);
        xml.changed("pos", &joint.pos, &class.pos);
        xml.changed("axis", &joint.axis, &class.axis);
        xml.changed("springdamper", &joint.springdamper, &class.springdamper);
        xml.changed_key("limited", key::LIMITED, joint.limited, class.limited);
        xml.changed_key("actuatorfrclimited", key::LIMITED, joint.actfrclimited, class.actfrclimited);
        xml.changed("solreflimit", &joint.solref_limit, &class.solref_limit);
        xml.changed("solimplimit", &joint.solimp_limit, &class.solimp_limit);
        xml.changed("solreffriction", &joint.solref_friction, &class.solref_friction);
        xml.changed("solimpfriction", &joint.solimp_friction, &class.solimp_friction);
        xml.changed_one("stiffness", joint.stiffness, class.stiffness);
        xml.changed("range", &joint.range, &class.range);
        xml.changed("actuatorfrcrange", &joint.actfrcrange, &class.actfrcrange);
        xml.changed_flag("actuatorgravcomp", joint.actgravcomp, class.actgravcomp);
        xml.changed_one("margin", joint.margin, class.margin);
        xml.changed_one("ref", joint.reference, class.reference);
        xml.changed_one("springref", joint.springref, class.springref);
        xml.changed_one("armature", joint.armature, class.armature);
        xml.changed_one("damping", joint.damping, class.damping);
        xml.changed_one("frictionloss", joint.frictionloss, class.frictionloss);
        xml.changed("user", &joint.userdata, &class.userdata);
    }

    pub(super) fn geom(&mut self, geom: &Geom, inherited: ClassId) -> Result<()> {
        self.xml.open("geom");
        self.name_and_class(&geom.meta, inherited);
        let class = &self.spec.classes[geom.meta.class.index()].geom;
        self.geom_settings(geom, class)?;
        self.plugin_child(geom.plugin.as_ref());
        self.xml.close();
        Ok(())
    }

    fn geom_settings(&mut self, geom: &Geom, class: &Geom) -> Result<()> {
        let quat = self.quat(&geom.meta, geom.quat, geom.alt)?;
        let class_quat = self.quat(&class.meta, class.quat, class.alt)?;
        let xml = &mut self.xml;
        xml.changed_key("type", key::GEOM, geom.kind, class.kind);
        xml.changed("size", &geom.size, &class.size);
        xml.changed("pos", &geom.pos, &class.pos);
        xml.changed("quat", &quat, &class_quat);
        if !geom.fromto[0].is_nan() {
            xml.changed("fromto", &geom.fromto, &class.fromto);
        }
        xml.changed_one("contype", geom.contype, class.contype);
        xml.changed_one("conaffinity", geom.conaffinity, class.conaffinity);
        xml.changed_one("condim", geom.condim, class.condim);
        xml.changed_one("group", geom.group, class.group);
        xml.changed_one("priority", geom.priority, class.priority);
        xml.changed("friction", &geom.friction, &class.friction);
        xml.changed_one("solmix", geom.solmix, class.solmix);
        xml.changed("solref", &geom.solref, &class.solref);
        xml.changed("solimp", &geom.solimp, &class.solimp);
        xml.changed_one("margin", geom.margin, class.margin);
        xml.changed_one("gap", geom.gap, class.gap);
        if !geom.mass.is_nan() {
            xml.changed_one("mass", geom.mass, class.mass);
        }
        xml.changed_one("density", geom.density, class.density);
        xml.changed_key("shellinertia", key::SHELL_INERTIA, geom.typeinertia, class.typeinertia);
        let shapes = [("none", 0.0), ("ellipsoid", 1.0)];
        xml.changed_key("fluidshape", &shapes, geom.fluid_ellipsoid, class.fluid_ellipsoid);
        xml.changed("fluidcoef", &geom.fluid_coefs, &class.fluid_coefs);
        xml.changed_text("material", &geom.material, &class.material);
        xml.changed("rgba", &geom.rgba, &class.rgba);
        xml.changed_text("hfield", &geom.hfieldname, &class.hfieldname);
        xml.changed_text("mesh", &geom.meshname, &class.meshname);
        xml.changed_one("fitscale", geom.fitscale, class.fitscale);
        xml.changed("user", &geom.userdata, &class.userdata);
        Ok(())
    }

    pub(super) fn site(&mut self, site: &Site, inherited: ClassId) -> Result<()> {
        self.xml.open("site");
        self.name_and_class(&site.meta, inherited);
        let class = &self.spec.classes[site.meta.class.index()].site;
        self.site_settings(site, class)?;
        self.xml.close();
        Ok(())
    }

    fn site_settings(&mut self, site: &Site, class: &Site) -> Result<()> {
        let quat = self.quat(&site.meta, site.quat, site.alt)?;
        let class_quat = self.quat(&class.meta, class.quat, class.alt)?;
        let xml = &mut self.xml;
        xml.changed_key("type", key::GEOM, site.kind, class.kind);
        xml.changed_one("group", site.group, class.group);
        xml.changed("pos", &site.pos, &class.pos);
        xml.changed("quat", &quat, &class_quat);
        xml.changed("size", &site.size, &class.size);
        if !site.fromto[0].is_nan() {
            xml.changed("fromto", &site.fromto, &class.fromto);
        }
        xml.changed_text("material", &site.material, &class.material);
        xml.changed("rgba", &site.rgba, &class.rgba);
        xml.changed("user", &site.userdata, &class.userdata);
        Ok(())
    }

    pub(super) fn camera(&mut self, camera: &Camera, inherited: ClassId) -> Result<()> {
        self.xml.open("camera");
        self.name_and_class(&camera.meta, inherited);
        self.xml.text_if("target", &camera.targetbody);
        let class = &self.spec.classes[camera.meta.class.index()].camera;
        self.camera_settings(camera, class)?;
        self.xml.close();
        Ok(())
    }

    fn camera_settings(&mut self, camera: &Camera, class: &Camera) -> Result<()> {
        let quat = self.quat(&camera.meta, camera.quat, camera.alt)?;
        let class_quat = self.quat(&class.meta, class.quat, class.alt)?;
        let xml = &mut self.xml;
        xml.changed("pos", &camera.pos, &class.pos);
        xml.changed("quat", &quat, &class_quat);
        xml.changed_key("mode", key::CAMLIGHT, camera.mode, class.mode);
        xml.changed_key("projection", key::PROJECTION, camera.proj, class.proj);
        xml.changed_one("ipd", camera.ipd, class.ipd);
        xml.changed("resolution", &camera.resolution, &class.resolution);
        if camera.output != class.output {
            let set = key::CAMERA_OUTPUT.iter().filter(|(_, bit)| camera.output & bit != 0);
            let words: Vec<&str> = set.map(|(word, _)| *word).collect();
            xml.text_if("output", &words.join(" "));
        }
        if camera.sensor_size == class.sensor_size {
            xml.changed_one("fovy", camera.fovy, class.fovy);
        }
        xml.changed("sensorsize", &camera.sensor_size, &class.sensor_size);
        xml.changed("focal", &camera.focal_length, &class.focal_length);
        xml.changed("focalpixel", &camera.focal_pixel, &class.focal_pixel);
        xml.changed("principal", &camera.principal_length, &class.principal_length);
        xml.changed("principalpixel", &camera.principal_pixel, &class.principal_pixel);
        // cameras don't inherit user data
        xml.numbers_if("user", &camera.userdata);
        Ok(())
    }

    pub(super) fn light(&mut self, light: &Light, inherited: ClassId) {
        self.xml.open("light");
        self.name_and_class(&light.meta, inherited);
        self.xml.text_if("target", &light.targetbody);
        self.xml.text_if("texture", &light.texture);
        let class = &self.spec.classes[light.meta.class.index()].light;
        self.light_settings(light, class);
        self.xml.close();
    }

    fn light_settings(&mut self, light: &Light, class: &Light) {
        let xml = &mut self.xml;
        xml.changed("pos", &light.pos, &class.pos);
        xml.changed("dir", &light.dir, &class.dir);
        xml.changed_key("mode", key::CAMLIGHT, light.mode, class.mode);
        xml.changed_key("type", key::LIGHT, light.kind, class.kind);
        xml.changed_flag("castshadow", light.castshadow, class.castshadow);
        xml.changed_flag("active", light.active, class.active);
        xml.changed_one("bulbradius", light.bulbradius, class.bulbradius);
        xml.changed_one("intensity", light.intensity, class.intensity);
        xml.changed_one("range", light.range, class.range);
        xml.changed("attenuation", &light.attenuation, &class.attenuation);
        xml.changed_one("cutoff", light.cutoff, class.cutoff);
        xml.changed_one("exponent", light.exponent, class.exponent);
        xml.changed("ambient", &light.ambient, &class.ambient);
        xml.changed("diffuse", &light.diffuse, &class.diffuse);
        xml.changed("specular", &light.specular, &class.specular);
    }
}

/// A free joint without settings of its own: only `<freejoint>` keeps clear of the defaults and knows `align`.
fn is_bare_free_joint(joint: &Joint) -> bool {
    let bare = Joint { kind: JointType::Free, group: joint.group, align: joint.align, ..Joint::default() };
    let nameless = Joint { meta: Meta::default(), ..joint.clone() };
    nameless == bare
}
