//! Adding and finding elements, and their names.

use super::{Body, BodyId, Geom, Joint, Meta, Site, Spec};
use crate::diag::{Diagnostic, MjcfError};
use ligament_model::enums::ObjType;
use std::collections::{BTreeMap, HashSet};

impl Spec {
    /// Body by name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|b| b.meta.name == name).map(|i| BodyId(i as u32))
    }

    /// Adds a child body that inherits class and compiler settings of its parent.
    pub fn add_body(&mut self, parent: BodyId) -> BodyId {
        let id = BodyId(self.bodies.len() as u32);
        let above = &self.bodies[parent.index()].meta;
        let meta = Meta {
            class: above.class,
            compiler: above.compiler,
            origin: above.origin.clone(),
            ..Meta::default()
        };
        self.bodies.push(Body { meta, parent: Some(parent), ..Body::default() });
        self.bodies[parent.index()].children.push(id);
        id
    }

    /// Adds a joint with the defaults of the body's class.
    pub fn add_joint(&mut self, body: BodyId) -> &mut Joint {
        let Self { bodies, classes, .. } = self;
        let body = &mut bodies[body.index()];
        let mut joint = classes[body.meta.class.index()].joint.clone();
        joint.meta = inherited(&body.meta);
        push_and_borrow(&mut body.joints, joint)
    }

    /// Adds a geom with the defaults of the body's class.
    pub fn add_geom(&mut self, body: BodyId) -> &mut Geom {
        let Self { bodies, classes, .. } = self;
        let body = &mut bodies[body.index()];
        let mut geom = classes[body.meta.class.index()].geom.clone();
        geom.meta = inherited(&body.meta);
        push_and_borrow(&mut body.geoms, geom)
    }

    /// Adds a site with the defaults of the body's class.
    pub fn add_site(&mut self, body: BodyId) -> &mut Site {
        let Self { bodies, classes, .. } = self;
        let body = &mut bodies[body.index()];
        let mut site = classes[body.meta.class.index()].site.clone();
        site.meta = inherited(&body.meta);
        push_and_borrow(&mut body.sites, site)
    }
}

/// What an unnamed element inside a body starts with.
fn inherited(body: &Meta) -> Meta {
    Meta { class: body.class, compiler: body.compiler, origin: body.origin.clone(), ..Meta::default() }
}

fn push_and_borrow<T>(list: &mut Vec<T>, item: T) -> &mut T {
    let at = list.len();
    list.push(item);
    &mut list[at]
}

/// Names of a model by kind.
#[derive(Default)]
pub(super) struct Names(BTreeMap<ObjType, HashSet<String>>);

impl Names {
    pub(super) fn of(spec: &Spec) -> Self {
        let mut names = Self::default();
        spec.visit_meta(|kind, meta| names.insert(kind, &meta.name));
        for instance in spec.plugins.iter().flat_map(|p| &p.instances) {
            names.insert(ObjType::Plugin, &instance.name);
        }
        names
    }

    pub(super) fn insert(&mut self, kind: ObjType, name: &str) {
        if !name.is_empty() {
            self.0.entry(kind).or_default().insert(name.to_string());
        }
    }

    /// Inserts a name; false when it is there already.
    pub(super) fn insert_new(&mut self, kind: ObjType, name: &str) -> bool {
        self.0.entry(kind).or_default().insert(name.to_string())
    }

    pub(super) fn has(&self, kind: ObjType, name: &str) -> bool {
        let kind = if kind == ObjType::Xbody { ObjType::Body } else { kind };
        kind != ObjType::Frame && self.0.get(&kind).is_some_and(|names| names.contains(name))
    }
}

/// The error of an element whose name is taken.
pub(super) fn repeated_name(kind: ObjType, meta: &Meta) -> MjcfError {
    let kind = if kind == ObjType::Frame { "frame" } else { crate::keywords::object_name(kind) };
    let message = format!("repeated name '{}' in {kind}", meta.name);
    let diagnostic = Diagnostic::new(message).at(kind, meta).help("names are unique per kind of element");
    MjcfError::InvalidAttribute(diagnostic)
}
