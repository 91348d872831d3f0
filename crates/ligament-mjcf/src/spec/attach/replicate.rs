//! Many copies of a part of the model, in time proportional to what they add.

use super::{AttachPoint, Graft};
use crate::diag::Result;
use crate::spec::deletion::Gone;
use crate::spec::names::{Names, repeated_name};
use crate::spec::{AttachedKey, AttachedState, BodyId, CompilerId, FrameId, Key, Meta, Spec};
use ligament_model::enums::ObjType;
use std::collections::{BTreeMap, BTreeSet};

/// Pose and name suffix of one copy.
#[derive(Debug, Clone)]
pub(crate) struct Placement {
    pub(crate) pos: [f64; 3],
    pub(crate) quat: [f64; 4],
    pub(crate) suffix: String,
}

/// The part that is copied, taken out of the model: its body is body 0, the frame around its content frame 0.
pub(crate) struct Fragment {
    spec: Spec,
    first_body: u32,
    /// Keyframes of the whole model, tied to joints and actuators.
    keys: Vec<Key>,
    /// Names in the model and in the part.
    names: Names,
    /// Keyframes that came with models attached inside the part belong to the first copy now.
    handed_over: bool,
}

impl Spec {
    /// Takes out a body that was made only to hold what is to be copied. It and what stands in it must be the
    /// last of their arenas; `frame` must enclose all of it.
    pub(crate) fn take_fragment(&mut self, body: BodyId, frame: FrameId) -> Result<Fragment> {
        self.check_key_sizes()?;
        let keys = self.tie_keys();
        let mut spec = Spec {
            bodies: self.bodies.split_off(body.index()),
            frames: self.frames.split_off(frame.index()),
            compilers: self.compilers.clone(),
            plugins: self.plugins.clone(),
            ..Spec::default()
        };
        if let Some(parent) = spec.bodies[0].parent.take() {
            self.bodies[parent.index()].children.retain(|&child| child != body);
        }
        let shift_meta = |meta: &mut Meta| meta.frame = meta.frame.map(|f| FrameId(f.0 - frame.0));
        for part in &mut spec.bodies {
            part.parent = part.parent.map(|p| BodyId(p.0 - body.0));
            part.children.iter_mut().for_each(|child| child.0 -= body.0);
            part.frames.iter_mut().for_each(|f| f.0 -= frame.0);
            part.visit_meta_mut(shift_meta);
        }
        spec.bodies[0].meta.frame = None;
        for part in &mut spec.frames {
            part.body.0 -= body.0;
            shift_meta(&mut part.meta);
        }
        let mut names = Names::of(self);
        names.insert(ObjType::Body, "world");
        spec.add_names(&mut names)?;
        Ok(Fragment { spec, first_body: body.0, keys, names, handed_over: false })
    }

    /// Adds the names of a part that is to be copied. As in the reference, it may not repeat a name, although its copies
    /// get names of their own.
    fn add_names(&self, names: &mut Names) -> Result<()> {
        let mut repeated = None;
        self.visit_meta(|kind, meta| {
            if repeated.is_none() && !meta.name.is_empty() && !names.insert_new(kind, &meta.name) {
                repeated = Some((kind, meta));
            }
        });
        repeated.map_or(Ok(()), |(kind, meta)| Err(repeated_name(kind, meta)))
    }

    /// Puts a copy of the part into the model, with copies of what refers to it.
    pub(crate) fn add_copy(&mut self, fragment: &mut Fragment, at: AttachPoint, placement: &Placement) {
        let outer = &mut fragment.spec.frames[0];
        (outer.pos, outer.quat) = (placement.pos, placement.quat);
        let suffix = placement.suffix.as_str();
        let joints_before = self.bodies[at.body.index()].joints.len();
        let first_actuator = self.actuators.len();
        let mut graft = Graft {
            class_base: 0,
            compilers: (0..self.compilers.len() as u32).map(CompilerId).collect(),
            target: self,
            source: &fragment.spec,
            prefix: "",
            suffix,
            own: true,
            frames: BTreeMap::new(),
            bodies: BTreeMap::new(),
        };
        graft.copy_frame_content(Some(FrameId(0)), BodyId(0), at);
        let names = &mut fragment.names;
        fragment.spec.visit_meta(|kind, meta| {
            if !meta.name.is_empty() {
                names.insert(kind, &format!("{}{suffix}", meta.name));
            }
        });
        let actuators = graft.copy_referencing(names);
        if !fragment.spec.plugins.is_empty() {
            graft.copy_plugins();
        }
        let bodies = graft.bodies;
        let place = |(body, joint): (BodyId, usize)| match body.0.checked_sub(fragment.first_body) {
            None => Some((body, joint)),
            Some(0) => Some((at.body, joints_before + joint)),
            Some(inner) => bodies.get(&BodyId(inner)).map(|&copy| (copy, joint)),
        };
        let actuator = |old: usize| actuators.binary_search(&old).map_or(old, |k| first_actuator + k);
        if !std::mem::replace(&mut fragment.handed_over, true) {
            for attached in self.keys.iter_mut().filter_map(|key| key.attached.as_mut()) {
                *attached = move_states(attached, place, actuator);
            }
        }
        for key in &fragment.keys {
            let mut attached = key.attached.as_ref().map(|attached| move_states(attached, place, actuator));
            if let Some(attached) = &mut attached {
                // as in the reference, activations and controls stay with the original
                attached.actuators.clear();
            }
            let meta = Meta { name: format!("{}{suffix}", key.meta.name), ..key.meta.clone() };
            self.keys.push(Key { meta, time: key.time, attached, ..Key::default() });
        }
    }

    /// Deletes what refers to the part only.
    pub(crate) fn drop_fragment(&mut self, mut fragment: Fragment) {
        let mut gone = Gone::default();
        fragment.spec.visit_meta(|kind, meta| gone.insert(kind, &meta.name));
        self.visit_meta(|kind, meta| gone.remove(kind, &meta.name));
        let old_actuators = self.delete_referring(gone, &fragment.names);
        let first = fragment.first_body;
        let lost = if fragment.handed_over { Vec::new() } else { self.keys.iter_mut().collect() };
        for attached in fragment.keys.iter_mut().chain(lost).filter_map(|key| key.attached.as_mut()) {
            attached.joints.retain(|state| state.id.0.0 < first);
            attached.mocaps.retain(|state| state.id.0 < first);
        }
        self.keys.append(&mut fragment.keys);
        self.filter_keys(&BTreeSet::new(), &old_actuators);
    }
}

/// The numbers of a keyframe for a copy, and for what is outside the part.
fn move_states(
    attached: &AttachedKey,
    place: impl Fn((BodyId, usize)) -> Option<(BodyId, usize)>,
    actuator: impl Fn(usize) -> usize,
) -> AttachedKey {
    let mut out = attached.clone();
    out.joints = attached
        .joints
        .iter()
        .filter_map(|s| Some(AttachedState { id: place(s.id)?, ..s.clone() }))
        .collect();
    let mocaps = attached.mocaps.iter();
    out.mocaps =
        mocaps.filter_map(|s| Some(AttachedState { id: place((s.id, 0))?.0, ..s.clone() })).collect();
    out.actuators.iter_mut().for_each(|s| s.id = actuator(s.id));
    out
}
