//! How much memory a specification takes: what a copy of it costs.

use super::reflect::{Fields, config_bytes};
use super::{
    Actuator, AttachedState, Body, BodyId, Camera, Compiler, DefaultClass, Frame, Geom, Joint, Key, Light,
    Material, Mesh, PluginDeclaration, PluginInstance, Site, Spec, Texture,
};

/// Bytes for what allocations take besides their content.
const NAMES: usize = 64;

/// How many times as much elements take once their names, and those of what they refer to, have got a prefix or suffix.
pub(crate) fn weight_of_renaming(affix: &str) -> u64 {
    1 + affix.len() as u64 / 32
}

/// Bytes of what a keyframe says about one element.
const STATE: u64 = size_of::<AttachedState<(BodyId, usize)>>() as u64 + 64;

/// Bytes of an element in the specification, and again while it is compiled.
pub(crate) const fn element_weight<T>() -> u64 {
    2 * (size_of::<T>() + NAMES) as u64
}

/// Bytes of what an element of a text becomes, by its tag.
pub(crate) fn tag_weight(tag: &str) -> u64 {
    match tag {
        "body" | "link" => element_weight::<Body>(),
        "geom" | "visual" | "collision" => element_weight::<Geom>(),
        "joint" | "freejoint" => element_weight::<Joint>(),
        "site" => element_weight::<Site>(),
        "camera" => element_weight::<Camera>(),
        "light" => element_weight::<Light>(),
        "frame" => element_weight::<Frame>(),
        "mesh" => element_weight::<Mesh>(),
        "texture" => element_weight::<Texture>(),
        "material" => element_weight::<Material>(),
        "default" => element_weight::<DefaultClass>(),
        _ => element_weight::<Actuator>(), // the largest of those that stand in sections of their own
    }
}

/// Elements that have a name.
pub(super) trait Named {
    /// The name.
    fn name(&self) -> &str;
}

macro_rules! named {
    ($($element:ident)+) => { $(
        impl $crate::spec::weight::Named for $element {
            fn name(&self) -> &str {
                &self.meta.name
            }
        }
    )+ };
}
pub(super) use named;
named!(Body Frame);

/// Bytes of elements with all that they hold.
fn list<T: Named + Fields>(items: &[T]) -> usize {
    items.iter().map(|item| size_of::<T>() + NAMES + item.name().len() + item.list_bytes()).sum()
}

impl Body {
    /// Bytes of what it carries, and of its own texts.
    fn weight(&self) -> usize {
        let carried = list(&self.joints) + list(&self.geoms) + list(&self.sites) + list(&self.cameras);
        carried + list(&self.lights) + self.meta.name.len() + self.list_bytes()
    }
}

impl DefaultClass {
    /// Bytes of texts and lists in what it says.
    pub(crate) fn list_bytes(&self) -> usize {
        let Self {
            joint,
            geom,
            site,
            camera,
            light,
            flex,
            mesh,
            material,
            pair,
            equality,
            tendon,
            actuator,
            ..
        } = self;
        let tree = joint.list_bytes() + geom.list_bytes() + site.list_bytes();
        let seen = camera.list_bytes() + light.list_bytes() + flex.list_bytes() + mesh.list_bytes();
        let ties = pair.list_bytes() + equality.list_bytes() + tendon.list_bytes() + actuator.list_bytes();
        tree + seen + material.list_bytes() + ties
    }

    fn weight(&self) -> usize {
        size_of::<Self>() + NAMES + self.name.len() + self.list_bytes()
    }
}

impl PluginDeclaration {
    fn weight(&self) -> usize {
        let instance = |one: &PluginInstance| {
            size_of::<PluginInstance>() + NAMES + one.name.len() + config_bytes(&one.config)
        };
        size_of::<Self>() + NAMES + self.instances.iter().map(instance).sum::<usize>()
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

    /// Number of elements, those of the tree and those that may refer to them, and of what keyframes say about them.
    pub fn count_elements(&self) -> u64 {
        let carried = |body: &Body| {
            1 + body.joints.len()
                + body.geoms.len()
                + body.sites.len()
                + body.cameras.len()
                + body.lights.len()
        };
        let tree = self.frames.len() + self.bodies.iter().map(carried).sum::<usize>();
        let ties = self.flexes.len() + self.pairs.len() + self.excludes.len() + self.equalities.len();
        let rest = self.tendons.len() + self.actuators.len() + self.sensors.len() + self.tuples.len();
        (tree + ties + rest) as u64 + self.count_states(false)
    }

    /// Joints, mocap bodies and actuators about which keyframes say something, summed over these keyframes: only those that
    /// stand for positions in the state so far, or all.
    fn count_states(&self, loose: bool) -> u64 {
        let joints: usize = self.bodies.iter().map(|body| body.joints.len() + usize::from(body.mocap)).sum();
        let whole = joints + self.actuators.len();
        let states = |key: &Key| match &key.attached {
            Some(_) if loose => 0,
            Some(tied) => tied.joints.len() + tied.mocaps.len() + tied.actuators.len(),
            None => whole.min(key.list_bytes()),
        };
        self.keys.iter().map(|key| states(key) as u64).sum()
    }

    /// Roughly the bytes of a copy of all keyframes that say where joints, mocap bodies and actuators are.
    pub(crate) fn weight_of_keys(&self) -> u64 {
        self.count_states(false).saturating_mul(STATE)
    }

    /// Roughly the bytes of a copy of the keyframes that still say it by position in the state.
    pub(crate) fn weight_of_loose_keys(&self) -> u64 {
        self.count_states(true).saturating_mul(STATE)
    }

    /// Roughly the bytes this specification takes.
    pub fn weight(&self) -> u64 {
        let assets = list(&self.meshes)
            + list(&self.hfields)
            + list(&self.skins)
            + list(&self.textures)
            + list(&self.materials);
        self.structure_weight() + assets as u64
    }

    /// Roughly the bytes this specification takes without its assets.
    pub fn structure_weight(&self) -> u64 {
        let bodies = self.bodies.iter().map(|body| size_of::<Body>() + NAMES + body.weight());
        let referring = list(&self.pairs)
            + list(&self.excludes)
            + list(&self.equalities)
            + list(&self.tendons)
            + list(&self.actuators)
            + list(&self.sensors)
            + list(&self.flexes);
        let rest = self.classes.iter().map(DefaultClass::weight).sum::<usize>()
            + self.compilers.len() * size_of::<Compiler>()
            + self.plugins.iter().map(PluginDeclaration::weight).sum::<usize>()
            + list(&self.texts)
            + list(&self.tuples)
            + list(&self.numerics)
            + list(&self.keys);
        (bodies.sum::<usize>() + list(&self.frames) + referring + rest) as u64
    }
}
