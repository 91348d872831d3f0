//! A number for the structure of a specification: which elements there are and where, and how many ways its
//! joints can move, whatever they are like otherwise.

use super::{Body, BodyId, Spec};

/// FNV-1a, 64 bits.
struct Hash(u64);

impl Hash {
    fn add(&mut self, text: &str) {
        for &byte in text.as_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn count(&mut self, kind: &str, count: usize) {
        self.add(&format!("{kind}{count};"));
    }

    fn body(&mut self, body: &Body) {
        self.count("joint", body.joints.len());
        body.joints.iter().for_each(|joint| self.count("dof", joint.kind.sizes().1));
        self.count("geom", body.geoms.len());
        self.count("site", body.sites.len());
        self.count("camera", body.cameras.len());
        self.count("light", body.lights.len());
        self.count("body", body.children.len());
    }
}

impl Spec {
    /// Equal for specifications of the same structure; models carry it, so that one can be told from the other's.
    pub fn signature(&self) -> u64 {
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        let mut pending = vec![BodyId(0)];
        while let Some(id) = pending.pop() {
            let body = &self.bodies[id.index()];
            hash.body(body);
            pending.extend(body.children.iter().rev());
        }
        hash.count("flex", self.flexes.len());
        hash.count("mesh", self.meshes.len());
        hash.count("skin", self.skins.len());
        hash.count("hfield", self.hfields.len());
        hash.count("texture", self.textures.len());
        hash.count("material", self.materials.len());
        hash.count("pair", self.pairs.len());
        hash.count("exclude", self.excludes.len());
        hash.count("equality", self.equalities.len());
        hash.count("tendon", self.tendons.len());
        hash.count("actuator", self.actuators.len());
        hash.count("sensor", self.sensors.len());
        hash.count("numeric", self.numerics.len());
        hash.count("text", self.texts.len());
        hash.count("tuple", self.tuples.len());
        hash.count("key", self.keys.len());
        hash.0
    }
}
