//! Elements outside the tree: renamed, and copied when what they refer to is there.

use super::Graft;
use crate::paths;
use crate::spec::names::Names;
use crate::spec::{
    Actuator, Equality, Exclude, Flex, Pair, PluginDeclaration, Sensor, Skin, Spec, Tendon, Tuple, WrapKind,
};
use ligament_model::enums::{EqType, GeomType, ObjType, SensorType, TrnType};
use std::collections::BTreeSet;

/// Elements that refer to others: is any of the references a hit? Elements that refer to nothing count as hit.
trait Refers {
    fn refers(&self, hit: &dyn Fn(ObjType, &str) -> bool) -> bool;
}

impl Refers for Flex {
    fn refers(&self, hit: &dyn Fn(ObjType, &str) -> bool) -> bool {
        self.vertbody.iter().chain(&self.nodebody).next().is_none_or(|body| hit(ObjType::Body, body))
    }
}

impl Refers for Pair {
    fn refers(&self, hit: &dyn Fn(ObjType, &str) -> bool) -> bool {
        hit(ObjType::Geom, &self.geomname1) || hit(ObjType::Geom, &self.geomname2)
    }
}

impl Refers for Exclude {
    fn refers(&self, hit: &dyn Fn(ObjType, &str) -> bool) -> bool {
        hit(ObjType::Body, &self.bodyname1) || hit(ObjType::Body, &self.bodyname2)
    }
}

impl Refers for Tendon {
    fn refers(&self, hit: &dyn Fn(ObjType, &str) -> bool) -> bool {
        self.path.iter().any(|wrap| match &wrap.kind {
            WrapKind::Joint { joint, .. } => hit(ObjType::Joint, joint),
            WrapKind::Site { site } => hit(ObjType::Site, site),
            WrapKind::Geom { geom, .. } => hit(ObjType::Geom, geom),
            WrapKind::Pulley { .. } => false,
        })
    }
}

impl Refers for Equality {
    fn refers(&self, hit: &dyn Fn(ObjType, &str) -> bool) -> bool {
        equality_object(self).is_some_and(|kind| hit(kind, &self.name1))
    }
}

impl Refers for Actuator {
    fn refers(&self, hit: &dyn Fn(ObjType, &str) -> bool) -> bool {
        let kind = match self.trntype {
            TrnType::Joint | TrnType::Jointinparent => ObjType::Joint,
            TrnType::Tendon => ObjType::Tendon,
            TrnType::Slidercrank | TrnType::Site => ObjType::Site,
            TrnType::Body => ObjType::Body,
            TrnType::Undefined => return false,
        };
        hit(kind, &self.target)
    }
}

impl Refers for Sensor {
    fn refers(&self, hit: &dyn Fn(ObjType, &str) -> bool) -> bool {
        let wanted = |kind: ObjType| kind != ObjType::Unknown;
        (wanted(self.objtype) && hit(self.objtype, &self.objname))
            || (wanted(self.reftype) && hit(self.reftype, &self.refname))
            || (!wanted(self.objtype) && !wanted(self.reftype))
    }
}

impl Refers for Tuple {
    fn refers(&self, hit: &dyn Fn(ObjType, &str) -> bool) -> bool {
        let mut members = self.objtype.iter().zip(&self.objname);
        members.all(|(kind, name)| ObjType::try_from(*kind).is_ok_and(|kind| hit(kind, name)))
    }
}

/// Kind of the objects an equality constraint ties.
fn equality_object(equality: &Equality) -> Option<ObjType> {
    match equality.kind {
        EqType::Connect | EqType::Weld if equality.objtype == ObjType::Site => Some(ObjType::Site),
        EqType::Connect | EqType::Weld => Some(ObjType::Body),
        EqType::Joint => Some(ObjType::Joint),
        EqType::Tendon => Some(ObjType::Tendon),
        EqType::Flex | EqType::Flexvert => Some(ObjType::Flex),
        EqType::Distance => None,
    }
}

impl Graft<'_> {
    /// Assets of another model; those without a name are called after their file.
    pub(super) fn copy_assets(&mut self) {
        macro_rules! copy {
            ($list:ident, |$element:ident| $fix:block) => {
                for original in &self.source.$list {
                    let mut $element = original.clone();
                    $element.meta = self.meta(&original.meta);
                    $fix
                    self.target.$list.push($element);
                }
            };
        }
        copy!(meshes, |mesh| {
            self.name_after_file(&mut mesh.meta.name, &mesh.file);
            mesh.plugin = self.plugin(&mesh.plugin);
        });
        let skinned = !self.source.skins.is_empty();
        let names = if skinned { Names::of(self.target) } else { Names::default() };
        for original in &self.source.skins {
            let mut skin = Skin { meta: self.meta(&original.meta), ..original.clone() };
            // the reference leaves names of skins and of their materials alone
            skin.meta.name.clone_from(&original.meta.name);
            if skin.meta.name.is_empty() {
                skin.meta.name = paths::stem(&skin.file).into();
            }
            skin.bodyname.iter_mut().for_each(|name| self.rename_in_place(name));
            if skin.bodyname.iter().all(|name| names.has(ObjType::Body, name)) {
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
        copy!(numerics, |numeric| {});
        copy!(texts, |text| {});
    }

    fn name_after_file(&self, name: &mut String, file: &str) {
        if name.is_empty() {
            *name = self.rename(paths::stem(file));
        }
    }

    /// Copies what refers to copied elements; returns the source positions of the copied actuators.
    pub(super) fn copy_referencing(&mut self, names: &mut Names) -> Vec<usize> {
        macro_rules! copy {
            ($list:ident, $make:ident, $kind:ident) => {{
                let mut taken = Vec::new();
                // a model attached to itself is its own source, as far as it reached before
                let list = if self.own { &self.target.$list } else { &self.source.$list };
                for (i, original) in list.iter().enumerate() {
                    if !original.refers(&|kind, name| names.has(kind, &self.rename(name))) {
                        continue;
                    }
                    let mut copy = original.clone();
                    copy.meta = self.meta(&original.meta);
                    if self.$make(names, &mut copy) {
                        taken.push((i, copy));
                    }
                }
                let positions: Vec<usize> = taken.iter().map(|(i, _)| *i).collect();
                taken.iter().for_each(|(_, copy)| names.insert(ObjType::$kind, &copy.meta.name));
                self.target.$list.extend(taken.into_iter().map(|(_, copy)| copy));
                positions
            }};
        }
        let first_flex = self.target.flexes.len();
        for (k, i) in copy!(flexes, fix_flex, Flex).into_iter().enumerate() {
            // the reference leaves the names of flexes alone
            let list = if self.own { &self.target.flexes } else { &self.source.flexes };
            let name = list[i].meta.name.clone();
            self.target.flexes[first_flex + k].meta.name = name;
        }
        copy!(pairs, fix_pair, Pair);
        copy!(excludes, fix_exclude, Exclude);
        copy!(tendons, fix_tendon, Tendon);
        copy!(equalities, fix_equality, Equality);
        let actuators = copy!(actuators, fix_actuator, Actuator);
        copy!(sensors, fix_sensor, Sensor);
        copy!(tuples, fix_tuple, Tuple);
        actuators
    }

    fn fix_flex(&self, names: &Names, flex: &mut Flex) -> bool {
        for body in flex.vertbody.iter_mut().chain(&mut flex.nodebody) {
            self.rename_in_place(body);
        }
        self.rename_asset(&mut flex.material);
        flex.vertbody.iter().chain(&flex.nodebody).all(|body| names.has(ObjType::Body, body))
    }

    /// Renames two references; if only one of the new names exists, the other may be an old one.
    fn fix_two(&self, names: &Names, kind: ObjType, first: &mut String, second: &mut String) -> bool {
        let has = |name: &str| names.has(kind, name);
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
            let (kind, name) = match &mut wrap.kind {
                WrapKind::Joint { joint, .. } => (ObjType::Joint, joint),
                WrapKind::Site { site } => (ObjType::Site, site),
                WrapKind::Geom { geom, sidesite } => match self.fix_wrapped_geom(names, geom, sidesite) {
                    Some(renamed) => {
                        inside += usize::from(renamed);
                        continue;
                    }
                    None => return false,
                },
                WrapKind::Pulley { .. } => continue,
            };
            let new_name = self.rename(name);
            if names.has(kind, &new_name) {
                *name = new_name;
                inside += 1;
            } else if !names.has(kind, name) {
                return false;
            }
        }
        inside > 0
    }

    /// Was the wrapped geom renamed? `None` when it is missing. As in the reference, a new name that belongs to a geom
    /// that cannot be wrapped does not count, and a side site that is not given gets prefix and suffix all the same: the
    /// old name stays unless a site happens to be called like that.
    fn fix_wrapped_geom(&self, names: &Names, geom: &mut String, side: &mut String) -> Option<bool> {
        let has_site = |name: &str| name.is_empty() || names.has(ObjType::Site, name);
        let new_geom = self.rename(geom);
        let new_side = format!("{}{side}{}", self.prefix, self.suffix);
        if names.has(ObjType::Geom, &new_geom) && has_site(&new_side) && self.can_wrap(&new_geom) {
            (*geom, *side) = (new_geom, new_side);
            return Some(true);
        }
        (names.has(ObjType::Geom, geom) && has_site(side)).then_some(false)
    }

    fn can_wrap(&self, geom: &str) -> bool {
        self.target.geom(geom).is_none_or(|(body, number)| {
            let kind = self.target.bodies[body.index()].geoms[number].kind;
            matches!(kind, GeomType::Sphere | GeomType::Cylinder)
        })
    }

    fn fix_equality(&self, names: &Names, equality: &mut Equality) -> bool {
        let Some(kind) = equality_object(equality) else { return false };
        self.rename_in_place(&mut equality.name1);
        self.rename_in_place(&mut equality.name2);
        let has = |name: &str| names.has(kind, name);
        has(&equality.name1)
            && (equality.name2.is_empty() || has(&equality.name2))
            && equality.name1 != equality.name2
    }

    fn fix_actuator(&self, names: &Names, actuator: &mut Actuator) -> bool {
        self.rename_in_place(&mut actuator.target);
        self.rename_in_place(&mut actuator.refsite);
        self.rename_in_place(&mut actuator.slidersite);
        actuator.plugin = self.plugin(&actuator.plugin);
        let has = |kind: ObjType, name: &str| names.has(kind, name);
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
        let has = |kind: ObjType, name: &str| names.has(kind, name);
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
        let found =
            |(kind, name): (&i32, &String)| ObjType::try_from(*kind).is_ok_and(|kind| names.has(kind, name));
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
