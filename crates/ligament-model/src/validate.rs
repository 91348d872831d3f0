//! Whether a model from outside can be simulated without leaving an array: every reference must point at something.
//!
//! The compiler makes only models that pass; compiled files come from anywhere, so [`Model::from_bytes`] asks.

mod assets;
mod kinds;
mod objects;
mod state;
mod topology;

use crate::array::{ArrayRef, Element, Shape};
use crate::model::Reference;
use crate::{Data, Model, Sizes};

/// What is wrong with a model, in words.
pub type Outcome = Result<(), String>;

/// What is said of a reference that points nowhere.
fn astray(field: &str, index: usize) -> String {
    format!("{field}[{index}] is out of bounds")
}

/// Fails with "`field`[`index`] is out of bounds" unless the condition holds.
fn require(condition: bool, field: &str, index: usize) -> Outcome {
    if condition { Ok(()) } else { Err(astray(field, index)) }
}

/// The integers of a field.
fn integers<E: Element>(slice: &[E]) -> &[i32] {
    match E::flat(slice) {
        ArrayRef::I32(values) => values,
        _ => &[],
    }
}

/// True for `lowest..count`.
fn within(value: i32, lowest: i32, count: usize) -> bool {
    value >= lowest && i64::from(value) < count as i64
}

/// Every number of the field lies in `lowest..count`.
fn ids<E: Element>(field: &str, slice: &[E], lowest: i32, count: usize) -> Outcome {
    match integers(slice).iter().position(|&id| !within(id, lowest, count)) {
        Some(index) => Err(astray(field, index)),
        None => Ok(()),
    }
}

/// True when the section exists in an array of `count`; an empty one may be anywhere before the end or at -1.
fn section(start: i32, length: i32, count: usize) -> bool {
    let end = i64::from(start) + i64::from(length);
    length >= 0 && end <= count as i64 && (start >= 0 || (length == 0 && start == -1))
}

/// Every section `start..start + length` exists in an array of `count`.
fn sections(field: &str, start: &[i32], length: &[i32], count: usize) -> Outcome {
    for (i, (&start, &length)) in start.iter().zip(length).enumerate() {
        require(section(start, length, count), field, i)?;
    }
    Ok(())
}

/// Ids and sections as the table of fields describes them.
fn references(m: &Model) -> Outcome {
    let integers = |name: &str| match Model::field(name).map(|field| (field.get)(m)) {
        Some(ArrayRef::I32(values)) => values,
        _ => &[],
    };
    let size = |name: &str| m.sizes().get(name).map_or(0, |n| n.max(0) as usize);
    for role in Model::ROLES {
        let values = integers(role.name);
        match role.reference {
            Some(Reference::Id { lowest, below }) => ids(role.name, values, lowest, size(below))?,
            Some(Reference::Section { length, within }) => {
                sections(role.name, values, integers(length), size(within))?;
            }
            None => {}
        }
    }
    Ok(())
}

impl Model {
    /// Checks that no id, address or count leaves its array, that trees are trees and that every kind is known.
    pub fn validate(&self) -> Outcome {
        self.sizes().check_extents()?;
        sizes(self)?;
        references(self)?;
        topology::check(self)?;
        kinds::check(self)?;
        objects::check(self)?;
        assets::check(self)?;
        texts(self)
    }
}

/// Most elements of one array.
const MAX_ELEMENTS: usize = i32::MAX as usize / 4;

impl Sizes {
    /// Checks that no array of a model or a state of these sizes is too large to be addressed.
    pub fn check_extents(&self) -> Outcome {
        let fits = |shape: Shape| {
            let count = shape.dims().iter().try_fold(1usize, |n, &extent| n.checked_mul(extent));
            count.is_some_and(|count| count <= MAX_ELEMENTS)
        };
        let state = Data::allocate(&Sizes::default());
        let model = Model::FIELDS.iter().map(|field| (field.name, (field.shape)(self)));
        let fixed = Data::FIELDS.iter().filter(|field| !field.dynamic);
        let mut arrays = model.chain(fixed.map(|field| (field.name, (field.shape)(self, &state))));
        match arrays.find(|&(_, shape)| !fits(shape)) {
            Some((name, _)) => Err(format!("model is too large: '{name}' does not fit into memory")),
            None => Ok(()),
        }
    }
}

/// Sizes of simulation arrays that no model array stands for must follow from the model.
fn sizes(m: &Model) -> Outcome {
    let sum = |counts: &[i32]| counts.iter().map(|&n| i64::from(n.max(0))).sum::<i64>();
    let expect = |name: &str, found: usize, limit: i64| {
        if found as i64 <= limit { Ok(()) } else { Err(format!("size {name} is larger than its parts")) }
    };
    if m.nbody == 0 {
        return Err("there is no world body".into());
    }
    expect("nsensordata", m.nsensordata, sum(&m.sensor_dim))?;
    expect("na", m.na, sum(&m.actuator_actnum))?;
    expect("npluginstate", m.npluginstate, sum(&m.plugin_statenum))?;
    expect("nmocap", m.nmocap, m.nbody as i64)?;
    expect("ngravcomp", m.ngravcomp, m.nbody as i64)?;
    expect("nJmom", m.nJmom, (m.nu as i64).saturating_mul(m.nv as i64))?;
    expect("nhistory", m.nhistory, history_length(m))?;
    expect("nuserdata", m.nuserdata, i64::from(i32::MAX))?;
    if m.nbvhstatic.checked_add(m.nbvhdynamic) != Some(m.nbvh) {
        return Err("size nbvh is not the sum of its parts".into());
    }
    Ok(())
}

/// Numbers in the delay buffer of `samples` values of `dim` numbers: two of bookkeeping, then times and values.
fn ring_length(samples: i32, dim: i32) -> i64 {
    if samples <= 0 {
        return 0;
    }
    2 + i64::from(samples) * (1 + i64::from(dim.max(0)))
}

/// Numbers in all delay buffers.
fn history_length(m: &Model) -> i64 {
    let controls: i64 = m.actuator_history.iter().map(|h| ring_length(h[0], 1)).sum();
    let sensors: i64 =
        m.sensor_history.iter().zip(&m.sensor_dim).map(|(h, &dim)| ring_length(h[0], dim)).sum();
    controls.saturating_add(sensors)
}

/// Names, paths and settings are found by address and end with a zero byte.
fn texts(m: &Model) -> Outcome {
    for (name, bytes) in [("names", &m.names), ("paths", &m.paths), ("plugin_attr", &m.plugin_attr)] {
        if bytes.last().is_some_and(|&last| last != 0) {
            return Err(format!("{name} does not end with a zero byte"));
        }
    }
    Ok(())
}
