//! What goes when names vanish: everything that refers to them.

use super::names::Names;
use super::{Actuator, Spec, WrapKind};
use ligament_model::enums::{EqType, ObjType, TrnType};
use std::collections::BTreeSet;

impl Spec {
    /// Deletes what refers to vanished names, unless it refers to unknown names as well: that stays to be refused later.
    /// Returns the old positions of the actuators that stay.
    pub(super) fn delete_referring(&mut self, mut gone: Gone, known: &Names) -> Vec<usize> {
        self.pairs
            .retain(|p| !gone.takes(known, &[(ObjType::Geom, &p.geomname1), (ObjType::Geom, &p.geomname2)]));
        self.excludes
            .retain(|e| !gone.takes(known, &[(ObjType::Body, &e.bodyname1), (ObjType::Body, &e.bodyname2)]));
        let lost = self.tendons.extract_if(.., |t| {
            let references: Vec<_> = t.path.iter().flat_map(|wrap| wrap_references(&wrap.kind)).collect();
            gone.takes(known, &references)
        });
        let lost: Vec<String> = lost.map(|t| t.meta.name).collect();
        lost.iter().for_each(|name| gone.insert(ObjType::Tendon, name));
        self.equalities.retain(|e| {
            let kind = match e.kind {
                EqType::Connect | EqType::Weld => e.objtype,
                EqType::Joint => ObjType::Joint,
                EqType::Tendon => ObjType::Tendon,
                EqType::Flex | EqType::Flexvert | EqType::Distance => ObjType::Flex,
            };
            !gone.takes(known, &[(kind, &e.name1), (kind, &e.name2)])
        });
        let stays: Vec<bool> =
            self.actuators.iter().map(|a| !gone.takes(known, &transmission_references(a))).collect();
        for (actuator, stays) in self.actuators.iter().zip(&stays) {
            if !stays {
                gone.insert(ObjType::Actuator, &actuator.meta.name);
            }
        }
        let mut flags = stays.iter();
        self.actuators.retain(|_| *flags.next().unwrap_or(&true));
        self.sensors.retain(|s| {
            !gone.takes(known, &[(s.objtype, s.objname.as_str()), (s.reftype, s.refname.as_str())])
        });
        (0..stays.len()).filter(|&i| stays[i]).collect()
    }
}

/// Names that no longer stand for anything.
#[derive(Debug, Default)]
pub(super) struct Gone(BTreeSet<(ObjType, String)>);

impl Gone {
    fn entry(kind: ObjType, name: &str) -> (ObjType, String) {
        let kind = if kind == ObjType::Xbody { ObjType::Body } else { kind };
        (kind, name.to_string())
    }

    pub(super) fn insert(&mut self, kind: ObjType, name: &str) {
        if !name.is_empty() {
            self.0.insert(Self::entry(kind, name));
        }
    }

    pub(super) fn remove(&mut self, kind: ObjType, name: &str) {
        self.0.remove(&Self::entry(kind, name));
    }

    fn has(&self, kind: ObjType, name: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&Self::entry(kind, name))
    }

    /// Does something with these references vanish? One of them does, and none is unknown. Empty names are no references.
    fn takes(&self, known: &Names, references: &[(ObjType, &str)]) -> bool {
        let mut named = references.iter().filter(|(_, name)| !name.is_empty());
        references.iter().any(|&(kind, name)| self.has(kind, name))
            && named.all(|&(kind, name)| self.has(kind, name) || known.has(kind, name))
    }
}

fn wrap_references(wrap: &WrapKind) -> Vec<(ObjType, &str)> {
    match wrap {
        WrapKind::Joint { joint, .. } => vec![(ObjType::Joint, joint)],
        WrapKind::Site { site } => vec![(ObjType::Site, site)],
        WrapKind::Geom { geom, sidesite } => vec![(ObjType::Geom, geom), (ObjType::Site, sidesite)],
        WrapKind::Pulley { .. } => Vec::new(),
    }
}

fn transmission_references(actuator: &Actuator) -> Vec<(ObjType, &str)> {
    let kind = match actuator.trntype {
        TrnType::Joint | TrnType::Jointinparent => ObjType::Joint,
        TrnType::Tendon => ObjType::Tendon,
        TrnType::Slidercrank | TrnType::Site => ObjType::Site,
        TrnType::Body => ObjType::Body,
        TrnType::Undefined => return Vec::new(),
    };
    vec![(kind, &actuator.target), (ObjType::Site, &actuator.refsite), (ObjType::Site, &actuator.slidersite)]
}
