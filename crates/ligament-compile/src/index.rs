//! Names to ids: how passes resolve references between elements.

use crate::labels::label;
use crate::tree::Tree;
use ligament_mjcf::diag::{Diagnostic, MjcfError, Result};
use ligament_mjcf::spec::Meta;
use ligament_model::enums::ObjType;
use std::collections::HashMap;

/// Ids of named elements in the compiled model, per kind.
#[derive(Debug, Default)]
pub struct Index {
    ids: HashMap<ObjType, HashMap<String, usize>>,
}

impl Index {
    /// Registers the name of an element; an empty name is none. A repeated name is an error.
    pub fn insert(&mut self, kind: ObjType, meta: &Meta, id: usize) -> Result<()> {
        if meta.name.is_empty() {
            return Ok(());
        }
        match self.ids.entry(kind).or_default().insert(meta.name.clone(), id) {
            None => Ok(()),
            Some(_) => {
                let label = label(kind);
                let message = format!("repeated name '{}' in {label}", meta.name);
                Err(MjcfError::Compile(Diagnostic::new(message).at(label, meta)))
            }
        }
    }

    /// Registers a whole list, ids being positions; forgets what was known of the kind.
    pub fn register<'m>(&mut self, kind: ObjType, elements: impl Iterator<Item = &'m Meta>) -> Result<()> {
        self.ids.remove(&kind);
        for (id, meta) in elements.enumerate() {
            self.insert(kind, meta, id)?;
        }
        Ok(())
    }

    /// Id of a named element; a body is also found as `xbody`.
    pub fn get(&self, kind: ObjType, name: &str) -> Option<usize> {
        let kind = if kind == ObjType::Xbody { ObjType::Body } else { kind };
        self.ids.get(&kind)?.get(name).copied()
    }

    /// All names of a kind, sorted: for "did you mean".
    pub fn names(&self, kind: ObjType) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.ids.get(&kind).map(|m| m.keys().map(String::as_str).collect()).unwrap_or_default();
        names.sort_unstable();
        names
    }
}

/// Names of everything in the tree, as it stands now.
pub fn register_tree(index: &mut Index, tree: &Tree<'_>) -> Result<()> {
    index.register(ObjType::Body, tree.bodies.iter().map(|x| &x.spec.meta))?;
    index.register(ObjType::Joint, tree.joints.iter().map(|x| &x.spec.meta))?;
    index.register(ObjType::Geom, tree.geoms.iter().map(|x| &x.spec.meta))?;
    index.register(ObjType::Site, tree.sites.iter().map(|x| &x.spec.meta))?;
    index.register(ObjType::Camera, tree.cameras.iter().map(|x| &x.spec.meta))?;
    index.register(ObjType::Light, tree.lights.iter().map(|x| &x.spec.meta))
}
