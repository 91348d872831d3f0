//! How much memory a specification takes: what a copy of it costs.

use super::{Body, BodyId, Flex, Frame, HeightField, Key, Mesh, Skin, Spec, Texture};
use std::mem::{size_of, size_of_val};

/// Bytes for the names and places of an element, besides the element itself.
const NAMES: usize = 64;

/// Bytes of an element in the specification, and again while it is compiled.
pub(crate) const fn element_weight<T>() -> u64 {
    2 * (size_of::<T>() + NAMES) as u64
}

/// Bytes of a list and of the names in it.
fn list<T>(items: &[T]) -> usize {
    items.len() * (size_of::<T>() + NAMES)
}

impl Body {
    /// Bytes of what it carries.
    fn weight(&self) -> usize {
        list(&self.joints)
            + list(&self.geoms)
            + list(&self.sites)
            + list(&self.cameras)
            + list(&self.lights)
            + size_of_val(&*self.userdata)
    }
}

impl Mesh {
    fn weight(&self) -> usize {
        let floats = self.uservert.len() + self.usernormal.len() + self.usertexcoord.len();
        let ids = self.userface.len() + self.userfacenormal.len() + self.userfacetexcoord.len();
        4 * (floats + ids)
    }
}

impl Flex {
    fn weight(&self) -> usize {
        let numbers = self.node.len() + self.vert.len();
        let ids = self.elem.len() + self.texcoord.len() + self.elemtexcoord.len();
        8 * numbers + 4 * ids + list(&self.nodebody) + list(&self.vertbody)
    }
}

impl Skin {
    fn weight(&self) -> usize {
        let weights: usize = self.vertid.iter().map(Vec::len).sum();
        4 * (self.vert.len() + self.texcoord.len() + self.face.len() + 2 * weights) + list(&self.bodyname)
    }
}

impl Key {
    fn weight(&self) -> usize {
        let mocap = self.mpos.len() + self.mquat.len();
        8 * (self.qpos.len() + self.qvel.len() + self.act.len() + self.ctrl.len() + mocap)
    }
}

impl Spec {
    /// Roughly the bytes that a body with all below it takes, in the specification and again while it is compiled.
    pub(crate) fn subtree_weight(&self, body: BodyId) -> u64 {
        let mut bytes = 0;
        let mut pending = vec![body];
        while let Some(id) = pending.pop() {
            let body = &self.bodies[id.index()];
            bytes += element_weight::<Body>() + 2 * body.weight() as u64;
            bytes += body.frames.len() as u64 * element_weight::<Frame>();
            pending.extend(&body.children);
        }
        bytes
    }

    /// Roughly the bytes this specification takes.
    pub fn weight(&self) -> u64 {
        let assets = list(&self.meshes)
            + list(&self.hfields)
            + list(&self.skins)
            + list(&self.textures)
            + list(&self.materials)
            + self.meshes.iter().map(Mesh::weight).sum::<usize>()
            + self.hfields.iter().map(|h: &HeightField| 4 * h.userdata.len()).sum::<usize>()
            + self.skins.iter().map(Skin::weight).sum::<usize>()
            + self.textures.iter().map(|t: &Texture| t.data.len()).sum::<usize>();
        self.structure_weight() + assets as u64
    }

    /// Roughly the bytes this specification takes without its assets.
    pub fn structure_weight(&self) -> u64 {
        let tree =
            list(&self.bodies) + list(&self.frames) + self.bodies.iter().map(Body::weight).sum::<usize>();
        let paths: usize = self.tendons.iter().map(|tendon| list(&tendon.path)).sum();
        let numbers: usize = self.numerics.iter().map(|numeric| 8 * numeric.data.len()).sum();
        let referring = list(&self.pairs)
            + list(&self.excludes)
            + list(&self.equalities)
            + list(&self.tendons)
            + list(&self.actuators)
            + list(&self.sensors)
            + list(&self.flexes)
            + self.flexes.iter().map(Flex::weight).sum::<usize>()
            + paths;
        let rest = list(&self.classes)
            + list(&self.compilers)
            + list(&self.texts)
            + list(&self.tuples)
            + list(&self.numerics)
            + numbers
            + list(&self.keys)
            + self.keys.iter().map(Key::weight).sum::<usize>();
        (tree + referring + rest) as u64
    }
}
