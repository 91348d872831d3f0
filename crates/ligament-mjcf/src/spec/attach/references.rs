//! Elements outside the tree: renamed, and copied when what they refer to is there.

use super::Graft;
use crate::paths;
use crate::spec::{
    Actuator, Equality, Exclude, Flex, Pair, PluginDeclaration, Sensor, Skin, Spec, Tendon, Tuple, WrapKind,
};
use ligament_model::enums::{EqType, ObjType, SensorType, TrnType};
use std::collections::BTreeSet;

/// Names of a model by kind.
#[derive(Default)]
struct Names {
    bodies: BTreeSet<String>,
    joints: BTreeSet<String>,
    geoms: BTreeSet<String>,
    sites: BTreeSet<String>,
    cameras: BTreeSet<String>,
    lights: BTreeSet<String>,
}

impl Names {
    fn of(spec: &Spec) -> Self {
        let mut names = Self::default();
        for body in &spec.bodies {
            names.bodies.insert(body.meta.name.clone());
            names.joints.extend(body.joints.iter().map(|e| e.meta.name.clone()));
            names.geoms.extend(body.geoms.iter().map(|e| e.meta.name.clone()));
            names.sites.extend(body.sites.iter().map(|e| e.meta.name.clone()));
            names.cameras.extend(body.cameras.iter().map(|e| e.meta.name.clone()));
            names.lights.extend(body.lights.iter().map(|e| e.meta.name.clone()));
        }
        names
    }

    fn has(&self, spec: &Spec, kind: ObjType, name: &str) -> bool {
        macro_rules! listed {
            ($list:ident) => {
                spec.$list.iter().any(|e| e.meta.name == name)
            };
        }
        if name.is_empty() {
            return false;
        }
        match kind {
            ObjType::Body | ObjType::Xbody => self.bodies.contains(name),
            ObjType::Joint => self.joints.contains(name),
            ObjType::Geom => self.geoms.contains(name),
            ObjType::Site => self.sites.contains(name),
            ObjType::Camera => self.cameras.contains(name),
            ObjType::Light => self.lights.contains(name),
            ObjType::Flex => listed!(flexes),
            ObjType::Mesh => listed!(meshes),
            ObjType::Skin => listed!(skins),
            ObjType::Hfield => listed!(hfields),
            ObjType::Texture => listed!(textures),
            ObjType::Material => listed!(materials),
            ObjType::Pair => listed!(pairs),
            ObjType::Exclude => listed!(excludes),
            ObjType::Equality => listed!(equalities),
            ObjType::Tendon => listed!(tendons),
            ObjType::Actuator => listed!(actuators),
            ObjType::Sensor => listed!(sensors),
            ObjType::Numeric => listed!(numerics),
            ObjType::Text => listed!(texts),
            ObjType::Tuple => listed!(tuples),
            ObjType::Key => listed!(keys),
            ObjType::Plugin => spec.plugins.iter().flat_map(|p| &p.instances).any(|i| i.name == name),
            ObjType::Unknown | ObjType::Dof | ObjType::Frame | ObjType::Default | ObjType::Model => false,
        }
    }
}

impl Graft<'_> {
    /// Assets of another model; those without a name are called after their file.
    pub(super) fn copy_assets(&mut self) {
        macro_rules! copy {
            ($list:ident, |$element:ident| $fix:expr) => {
                for original in &self.source.$list {
                    let mut $element = original.clone();
                    $element.meta = self.meta(&original.meta);
                    $fix;
                    self.target.$list.push($element);
                }
            };
        }
        copy!(meshes, |mesh| {
            self.name_after_file(&mut mesh.meta.name, &mesh.file);
            mesh.plugin = self.plugin(&mesh.plugin);
        });
        let names = Names::of(self.target);
        for original in &self.source.skins {
            let mut skin = Skin { meta: self.meta(&original.meta), ..original.clone() };
            // the reference leaves names of skins and of their materials alone
            skin.meta.name.clone_from(&original.meta.name);
            if skin.meta.name.is_empty() {
                skin.meta.name = paths::stem(&skin.file).into();
            }
            skin.bodyname.iter_mut().for_each(|name| self.rename_in_place(name));
            if skin.bodyname.iter().all(|name| names.has(self.target, ObjType::Body, name)) {
                self.target.skins.push(skin);
            }
        }
        copy!(hfields, |hfield| {
            self.name_after_file(&mut hfield.meta.name, &hfield.file);
        });
        copy!(textures, |texture| {
            self.name_after_file(&mut texture.meta.name, &texture.file);
        });
        copy!(materials, |material| {
            material.textures.iter_mut().for_each(|texture| self.rename_in_place(texture));
        });
        copy!(numerics, |numeric| ());
        copy!(texts, |text| ());
    }

    fn name_after_file(&self, name: &mut String, file: &str) {
        if name.is_empty() {
            *name = self.rename(paths::stem(file));
        }
    }

    /// Copies what refers to copied elements; returns the source positions of the copied actuators.
    pub(super) fn copy_referencing(&mut self) -> Vec<usize> {
        let names = Names::of(self.target);
        macro_rules! copy {
            ($list:ident, $make:ident) => {{
                let mut taken = Vec::new();
                // what was there before: a model attached to itself grows while it is copied
                for (i, original) in self.source.$list.iter().enumerate() {
                    let mut copy = original.clone();
                    copy.meta = self.meta(&original.meta);
                    if self.$make(&names, &mut copy) {
                        taken.push((i, copy));
                    }
                }
                let positions: Vec<usize> = taken.iter().map(|(i, _)| *i).collect();
                self.target.$list.extend(taken.into_iter().map(|(_, copy)| copy));
                positions
            }};
        }
        let first_flex = self.target.flexes.len();
        for (k, i) in copy!(flexes, fix_flex).into_iter().enumerate() {
            // the reference leaves the names of flexes alone
            self.target.flexes[first_flex + k].meta.name.clone_from(&self.source.flexes[i].meta.name);
        }
        copy!(pairs, fix_pair);
        copy!(excludes, fix_exclude);
        copy!(tendons, fix_tendon);
        copy!(equalities, fix_equality);
        let actuators = copy!(actuators, fix_actuator);
        copy!(sensors, fix_sensor);
        copy!(tuples, fix_tuple);
        actuators
    }

    fn fix_flex(&self, names: &Names, flex: &mut Flex) -> bool {
        for body in flex.vertbody.iter_mut().chain(&mut flex.nodebody) {
            self.rename_in_place(body);
        }
        self.rename_asset(&mut flex.material);
        flex.vertbody.iter().chain(&flex.nodebody).all(|body| names.has(self.target, ObjType::Body, body))
    }

    /// Renames two references; if only one of the new names exists, the other may be an old one.
    fn fix_two(&self, names: &Names, kind: ObjType, first: &mut String, second: &mut String) -> bool {
        let has = |name: &str| names.has(self.target, kind, name);
        let [new_first, new_second] = [self.rename(first), self.rename(second)];
        match (has(&new_first), has(&new_second)) {
            (true, true) => {
                *first = new_first;
                *second = new_second;
                true
            }
            (true, false) => {
                *first = new_first;
                has(second)
            }
            (false, true) => {
                *second = new_second;
                has(first)
            }
            (false, false) => false,
        }
    }

    fn fix_pair(&self, names: &Names, pair: &mut Pair) -> bool {
        self.fix_two(names, ObjType::Geom, &mut pair.geomname1, &mut pair.geomname2)
    }

    fn fix_exclude(&self, names: &Names, exclude: &mut Exclude) -> bool {
        self.fix_two(names, ObjType::Body, &mut exclude.bodyname1, &mut exclude.bodyname2)
    }

    /// Path objects may stay outside, but not all of them.
    fn fix_tendon(&self, names: &Names, tendon: &mut Tendon) -> bool {
        let mut inside = 0;
        for wrap in &mut tendon.path {
            let (kind, name, mut side) = match &mut wrap.kind {
                WrapKind::Joint { joint, .. } => (ObjType::Joint, joint, None),
                WrapKind::Site { site } => (ObjType::Site, site, None),
                WrapKind::Geom { geom, sidesite } => (ObjType::Geom, geom, Some(sidesite)),
                WrapKind::Pulley { .. } => continue,
            };
            let valid = |name: &str, side: &str| {
                names.has(self.target, kind, name)
                    && (side.is_empty() || names.has(self.target, ObjType::Site, side))
            };
            let old_side = side.as_deref().cloned().unwrap_or_default();
            let [new_name, new_side] = [self.rename(name), self.rename(&old_side)];
            if valid(&new_name, &new_side) {
                *name = new_name;
                if let Some(side) = side.as_deref_mut() {
                    *side = new_side;
                }
                inside += 1;
            } else if !valid(name, &old_side) {
                return false;
            }
        }
        inside > 0
    }

    fn fix_equality(&self, names: &Names, equality: &mut Equality) -> bool {
        let kind = match equality.kind {
            EqType::Connect | EqType::Weld if equality.objtype == ObjType::Site => ObjType::Site,
            EqType::Connect | EqType::Weld => ObjType::Body,
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            EqType::Flex | EqType::Flexvert => ObjType::Flex,
            EqType::Distance => return false,
        };
        self.rename_in_place(&mut equality.name1);
        self.rename_in_place(&mut equality.name2);
        let has = |name: &str| names.has(self.target, kind, name);
        has(&equality.name1)
            && (equality.name2.is_empty() || has(&equality.name2))
            && equality.name1 != equality.name2
    }

    fn fix_actuator(&self, names: &Names, actuator: &mut Actuator) -> bool {
        self.rename_in_place(&mut actuator.target);
        self.rename_in_place(&mut actuator.refsite);
        self.rename_in_place(&mut actuator.slidersite);
        actuator.plugin = self.plugin(&actuator.plugin);
        let has = |kind: ObjType, name: &str| names.has(self.target, kind, name);
        let optional_site = |name: &str| name.is_empty() || has(ObjType::Site, name);
        match actuator.trntype {
            TrnType::Joint | TrnType::Jointinparent => has(ObjType::Joint, &actuator.target),
            TrnType::Slidercrank => {
                has(ObjType::Site, &actuator.slidersite) && has(ObjType::Site, &actuator.target)
            }
            TrnType::Tendon => has(ObjType::Tendon, &actuator.target),
            TrnType::Site => optional_site(&actuator.refsite) && has(ObjType::Site, &actuator.target),
            TrnType::Body => has(ObjType::Body, &actuator.target),
            TrnType::Undefined => false,
        }
    }

    /// Object and reference may be one new and one old; sensors of nothing are copied always.
    fn fix_sensor(&self, names: &Names, sensor: &mut Sensor) -> bool {
        sensor.plugin = self.plugin(&sensor.plugin);
        let has = |kind: ObjType, name: &str| names.has(self.target, kind, name);
        let object = (sensor.objtype, self.rename(&sensor.objname));
        let reference = (sensor.reftype, self.rename(&sensor.refname));
        let wanted = [object.0 != ObjType::Unknown, reference.0 != ObjType::Unknown];
        let found = [has(object.0, &object.1), has(reference.0, &reference.1)];
        let keep_old = |this: usize, other: usize| wanted[0] && wanted[1] && !found[this] && found[other];
        if !keep_old(0, 1) {
            sensor.objname = object.1;
        }
        if !keep_old(1, 0) {
            sensor.refname = reference.1;
        }
        let object_ok = !wanted[0] || has(sensor.objtype, &sensor.objname);
        let reference_ok = !wanted[1] || has(sensor.reftype, &sensor.refname);
        let without_object = matches!(
            sensor.kind,
            SensorType::EPotential
                | SensorType::EKinetic
                | SensorType::Clock
                | SensorType::Plugin
                | SensorType::Contact
                | SensorType::User
        );
        object_ok && reference_ok && (wanted[0] || without_object)
    }

    fn fix_tuple(&self, names: &Names, tuple: &mut Tuple) -> bool {
        tuple.objname.iter_mut().for_each(|name| self.rename_in_place(name));
        let found = |(kind, name): (&i32, &String)| {
            ObjType::try_from(*kind).is_ok_and(|kind| names.has(self.target, kind, name))
        };
        !tuple.objname.is_empty() && tuple.objtype.iter().zip(&tuple.objname).all(found)
    }

    /// Declarations, and the shared instances that copied elements use.
    pub(super) fn copy_plugins(&mut self) {
        let used = self.target.used_plugin_instances();
        for declaration in &self.source.plugins {
            if !self.target.plugins.iter().any(|p| p.plugin == declaration.plugin) {
                let empty = PluginDeclaration { instances: Vec::new(), ..declaration.clone() };
                self.target.plugins.push(empty);
            }
            for instance in &declaration.instances {
                let mut copy = instance.clone();
                copy.name = self.rename(&copy.name);
                let mut known = self.target.plugins.iter().flat_map(|p| &p.instances);
                if used.contains(&copy.name) && !known.any(|i| i.name == copy.name) {
                    // a declaration of its own keeps the order of instances
                    let wrapper = PluginDeclaration { instances: vec![copy], ..declaration.clone() };
                    self.target.plugins.push(wrapper);
                }
            }
        }
    }
}

impl Spec {
    fn used_plugin_instances(&self) -> BTreeSet<String> {
        let bodies = self
            .bodies
            .iter()
            .flat_map(|b| b.plugin.iter().chain(b.geoms.iter().filter_map(|g| g.plugin.as_ref())));
        let others = self.meshes.iter().filter_map(|e| e.plugin.as_ref());
        let others = others.chain(self.actuators.iter().filter_map(|e| e.plugin.as_ref()));
        let others = others.chain(self.sensors.iter().filter_map(|e| e.plugin.as_ref()));
        bodies.chain(others).filter(|p| !p.instance.is_empty()).map(|p| p.instance.clone()).collect()
    }
}
