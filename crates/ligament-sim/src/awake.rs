//! Which bodies and degrees of freedom a stage visits: all of them, or only those awake.

use ligament_model::enums::{EnableBit, EqType, ObjType, SensorType, SleepState, TrnType};
use ligament_model::{Data, Model};

/// Items to visit, in increasing order: everything, or an index list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Selection<'a> {
    index: Option<&'a [i32]>,
    len: usize,
}

impl<'a> Selection<'a> {
    /// All items `0..len`.
    pub fn all(len: usize) -> Self {
        Self { index: None, len }
    }

    /// The first `awake` entries of `index` when that is a real subset of `0..len` and sleeping is enabled.
    pub fn new(sleep: bool, index: &'a [i32], awake: usize, all: usize) -> Self {
        if sleep && awake < all { Self { index: Some(&index[..awake]), len: awake } } else { Self::all(all) }
    }

    /// Number of items.
    #[inline]
    pub fn len(self) -> usize {
        self.len
    }

    /// The index list, when it is not everything.
    #[inline]
    pub fn index(self) -> Option<&'a [i32]> {
        self.index
    }

    /// Does this leave anything out?
    #[inline]
    pub fn is_filtered(self) -> bool {
        self.index.is_some()
    }

    /// The k-th item.
    #[inline]
    pub fn get(self, k: usize) -> usize {
        match self.index {
            Some(index) => index[k] as usize,
            None => k,
        }
    }

    /// All items, in order.
    #[inline]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = usize> + 'a {
        (0..self.len).map(move |k| self.get(k))
    }

    /// Does something with every item, in order. Two loops, so that the one over everything is known to be that.
    #[inline(always)]
    pub fn each(self, mut f: impl FnMut(usize)) {
        match self.index {
            Some(index) => index.iter().for_each(|&i| f(i as usize)),
            None => (0..self.len).for_each(f),
        }
    }
}

/// Is sleeping enabled?
#[inline]
pub(crate) fn sleep_enabled(m: &Model) -> bool {
    m.opt.enabled(EnableBit::Sleep)
}

/// Bodies whose quantities must be computed.
pub(crate) fn bodies<'a>(m: &Model, d: &'a Data) -> Selection<'a> {
    Selection::new(sleep_enabled(m), &d.body_awake_ind, d.nbody_awake, m.nbody)
}

/// Degrees of freedom whose quantities must be computed.
pub(crate) fn dofs<'a>(m: &Model, d: &'a Data) -> Selection<'a> {
    Selection::new(sleep_enabled(m), &d.dof_awake_ind, d.nv_awake, m.nv)
}

/// Sleep state of an object. Objects without one (flexes, unknown kinds) are awake.
#[inline(never)] // asked only where something sleeps: the loops that ask stay small
pub fn sleep_state(m: &Model, d: &Data, kind: ObjType, id: usize) -> SleepState {
    let states = SleepStates::of(m, &d.tree_awake, &d.body_awake);
    match kind {
        ObjType::Actuator => of_actuator(m, states, id),
        ObjType::Sensor => of_sensor(m, states, id),
        _ => states.of_object(kind, id),
    }
}

/// Which bodies and trees things belong to.
#[derive(Debug, Clone, Copy)]
struct Membership<'a> {
    joint: &'a [i32],
    dof: &'a [i32],
    site: &'a [i32],
    geom: &'a [i32],
    camera: &'a [i32],
    light: &'a [i32],
    /// How many trees tendons move, and the first two of them.
    tree_count: &'a [i32],
    trees: &'a [[i32; 2]],
    equality: EqualityObjects<'a>,
}

/// What equality constraints tie together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EqualityObjects<'a> {
    pub kind: &'a [i32],
    pub object: &'a [i32],
    pub first: &'a [i32],
    pub second: &'a [i32],
}

impl<'a> EqualityObjects<'a> {
    #[inline]
    pub fn of(m: &'a Model) -> Self {
        Self { kind: &m.eq_type, object: &m.eq_objtype, first: &m.eq_obj1id, second: &m.eq_obj2id }
    }
}

impl<'a> Membership<'a> {
    fn of(m: &'a Model) -> Self {
        Self {
            joint: &m.jnt_bodyid,
            dof: &m.dof_bodyid,
            site: &m.site_bodyid,
            geom: &m.geom_bodyid,
            camera: &m.cam_bodyid,
            light: &m.light_bodyid,
            tree_count: &m.tendon_treenum,
            trees: &m.tendon_treeid,
            equality: EqualityObjects::of(m),
        }
    }
}

/// Which trees and bodies are awake.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SleepStates<'a> {
    members: Membership<'a>,
    tree_awake: &'a [i32],
    body_awake: &'a [i32],
}

impl<'a> SleepStates<'a> {
    #[cold] // most models never sleep
    pub fn of(m: &'a Model, tree_awake: &'a [i32], body_awake: &'a [i32]) -> Self {
        Self { members: Membership::of(m), tree_awake, body_awake }
    }

    /// Sleep state of an object that is not an actuator or a sensor. Objects without one (flexes, unknown kinds) are
    /// awake.
    pub fn of_object(&self, kind: ObjType, id: usize) -> SleepState {
        match kind {
            ObjType::Body | ObjType::Xbody => self.of_body(id as i32),
            ObjType::Joint => self.of_body(self.members.joint[id]),
            ObjType::Site => self.of_body(self.members.site[id]),
            ObjType::Dof => self.of_body(self.members.dof[id]),
            ObjType::Geom => self.of_body(self.members.geom[id]),
            ObjType::Camera => self.of_body(self.members.camera[id]),
            ObjType::Light => self.of_body(self.members.light[id]),
            ObjType::Equality => self.of_equality(id),
            ObjType::Tendon => self.of_tendon(id),
            _ => SleepState::Awake,
        }
    }

    fn of_body(&self, body: i32) -> SleepState {
        const ASLEEP: i32 = SleepState::Asleep as i32;
        const AWAKE: i32 = SleepState::Awake as i32;
        match self.body_awake[body as usize] {
            ASLEEP => SleepState::Asleep,
            AWAKE => SleepState::Awake,
            _ => SleepState::Static,
        }
    }

    fn of_tendon(&self, tendon: usize) -> SleepState {
        let [tree1, tree2] = self.members.trees[tendon];
        let awake = |tree: i32| self.tree_awake[tree as usize] != 0;
        match self.members.tree_count[tendon] {
            0 => SleepState::Static,
            1 => awake_if(awake(tree1)),
            2 => awake_if(awake(tree1) || awake(tree2)),
            _ => SleepState::Awake,
        }
    }

    fn of_equality(&self, eq: usize) -> SleepState {
        let EqualityObjects { kind, object, first, second } = self.members.equality;
        let kind = match EqType::try_from(kind[eq]) {
            Ok(EqType::Connect | EqType::Weld) => ObjType::try_from(object[eq]).unwrap_or(ObjType::Body),
            Ok(EqType::Joint) => ObjType::Joint,
            Ok(EqType::Tendon) => ObjType::Tendon,
            Ok(EqType::Flex | EqType::Flexvert | EqType::Distance) | Err(_) => return SleepState::Awake,
        };
        let awake = |id: i32| id >= 0 && self.of_object(kind, id as usize) == SleepState::Awake;
        awake_if(awake(first[eq]) || awake(second[eq]))
    }
}

fn of_actuator(m: &Model, states: SleepStates, actuator: usize) -> SleepState {
    let [id, id2] = m.actuator_trnid[actuator];
    let state = |kind, id: i32| states.of_object(kind, id as usize);
    match TrnType::try_from(m.actuator_trntype[actuator]) {
        Ok(TrnType::Joint | TrnType::Jointinparent) => state(ObjType::Joint, id),
        Ok(TrnType::Slidercrank) => {
            let awake = |id| state(ObjType::Site, id) == SleepState::Awake;
            awake_if(awake(id) || awake(id2))
        }
        Ok(TrnType::Tendon) => state(ObjType::Tendon, id),
        Ok(TrnType::Site) => state(ObjType::Site, id),
        Ok(TrnType::Body) => state(ObjType::Body, id),
        Ok(TrnType::Undefined) | Err(_) => SleepState::Awake,
    }
}

fn of_sensor(m: &Model, states: SleepStates, sensor: usize) -> SleepState {
    let kind = |k: i32| ObjType::try_from(k).unwrap_or(ObjType::Unknown);
    let (obj, reference) = (kind(m.sensor_objtype[sensor]), kind(m.sensor_reftype[sensor]));
    let always_awake = match SensorType::try_from(m.sensor_type[sensor]) {
        Ok(SensorType::User | SensorType::Plugin | SensorType::Rangefinder) => true,
        Ok(SensorType::Contact) => obj == ObjType::Site || reference == ObjType::Site,
        _ => false,
    };
    if always_awake {
        return SleepState::Awake;
    }
    let state = |kind, id: i32| match kind {
        _ if id < 0 => SleepState::Awake,
        ObjType::Actuator => of_actuator(m, states, id as usize),
        kind => states.of_object(kind, id as usize),
    };
    let obj_state = state(obj, m.sensor_objid[sensor]);
    let ref_state = state(reference, m.sensor_refid[sensor]);
    match (obj == ObjType::Unknown, reference == ObjType::Unknown) {
        (true, true) => SleepState::Awake,
        (true, false) => awake_if(ref_state != SleepState::Asleep),
        (false, true) => awake_if(obj_state != SleepState::Asleep),
        (false, false) => awake_if(obj_state == SleepState::Awake || ref_state == SleepState::Awake),
    }
}

fn awake_if(awake: bool) -> SleepState {
    if awake { SleepState::Awake } else { SleepState::Asleep }
}

/// Is this a soft flex that sleeps?
pub(crate) fn soft_flex_sleeps(m: &Model, d: &Data, flex: usize) -> bool {
    let first = m.parts.soft_trees(flex).first();
    m.opt.enabled(EnableBit::Sleep)
        && first
            .is_some_and(|soft| d.body_awake[m.tree_bodyadr[soft.tree] as usize] == SleepState::Asleep as i32)
}
