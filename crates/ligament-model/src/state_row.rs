//! The state of a simulation as one row of numbers: exactly what a step needs of the past.
//!
//! A row is what a batch keeps of a world. Loading it into any [`Data`] of the same model, whatever that was used for
//! before, and stepping gives the same bits as stepping on from where it was saved.

use crate::array::{ArrayMut, ArrayRef};
use crate::data::{DataField, Role, Scalar};
use crate::enums::EnableBit;
use crate::{Data, Model};
use std::ops::Range;

/// Where each part of the state stands in a row. All rows of a model have the same layout.
///
/// First come the scalars of role [`Role::State`] (`time` is the first number) and the energies, which a sensor of
/// kinetic energy may read in the next step; then the arrays of role [`Role::State`] and [`Role::Input`] in the order of
/// the table of fields. Integers are stored as numbers, which is exact. While sleeping is enabled, the row also has
/// every result: trees that sleep keep what was computed for them last.
///
/// ```
/// # use ligament_model::{Data, Model, Sizes, StateLayout};
/// let model = Model::allocate(Sizes { nbody: 1, nq: 2, nv: 2, ..Sizes::default() });
/// let (mut first, mut second) = (Data::new(&model), Data::new(&model));
/// first.qpos.copy_from_slice(&[0.1, 0.2]);
/// let layout = StateLayout::new(&model);
/// let mut row = vec![0.0; layout.len()];
/// layout.save(&first, &mut row);
/// assert_eq!(row[layout.range("qpos").unwrap()], [0.1, 0.2]);
/// layout.load(&mut second, &row);
/// assert_eq!(second.qpos, first.qpos);
/// ```
#[derive(Clone)]
pub struct StateLayout {
    parts: Vec<(&'static DataField, Range<usize>)>,
    length: usize,
}

impl StateLayout {
    /// The layout of the rows of a model with its present options.
    pub fn new(model: &Model) -> Self {
        let sleep = model.opt.enabled(EnableBit::Sleep);
        let empty = Data::allocate(&crate::Sizes::default());
        let mut length = scalars().count() + ENERGIES;
        let mut parts = Vec::new();
        for field in Data::FIELDS.iter().filter(|field| !field.dynamic && belongs(field.role, sleep)) {
            let count = (field.shape)(model.sizes(), &empty).dims().iter().product::<usize>();
            if count > 0 {
                parts.push((field, length..length + count));
                length += count;
            }
        }
        Self { parts, length }
    }

    /// Numbers in a row.
    #[allow(clippy::len_without_is_empty)] // a row always has scalars
    pub fn len(&self) -> usize {
        self.length
    }

    /// Where a field stands in a row; `None` when it is not part of the state or has no entries.
    pub fn range(&self, name: &str) -> Option<Range<usize>> {
        if let Some(place) = scalars().position(|scalar| scalar == name) {
            return Some(place..place + 1);
        }
        if name == "energy" {
            return Some(scalars().count()..scalars().count() + ENERGIES);
        }
        self.parts.iter().find(|(field, _)| field.name == name).map(|(_, range)| range.clone())
    }

    /// Names of the arrays in a row, after the scalars, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.parts.iter().map(|(field, _)| field.name)
    }

    /// Writes the state of a simulation into a row. Panics when the data or the row belong to another model.
    pub fn save(&self, data: &Data, row: &mut [f64]) {
        assert_eq!(row.len(), self.length, "a row of another model");
        for (place, name) in scalars().enumerate() {
            row[place] = match data.scalar(name) {
                Some(Scalar::Real(x)) => x,
                Some(Scalar::Count(n)) => n as f64,
                Some(Scalar::Flag(flag)) => f64::from(u8::from(flag)),
                None => unreachable!("{name} is in the table"),
            };
        }
        row[scalars().count()..][..ENERGIES].copy_from_slice(&data.energy);
        for (field, range) in &self.parts {
            let to = &mut row[range.clone()];
            match (field.get)(data) {
                ArrayRef::F64(from) => to.copy_from_slice(from),
                ArrayRef::I32(from) => convert(from, to, |&x| f64::from(x)),
                ArrayRef::U8(from) => convert(from, to, |&x| f64::from(x)),
                ArrayRef::F32(_) | ArrayRef::I64(_) | ArrayRef::U64(_) => unreachable!("{}", field.name),
            }
        }
    }

    /// Reads a row into a simulation. What follows from it (lists of what is awake) is not computed here: the
    /// simulation crate's `state::load_row` does both. Panics when the data or the row belong to another model.
    pub fn load(&self, data: &mut Data, row: &[f64]) {
        assert_eq!(row.len(), self.length, "a row of another model");
        for (place, name) in scalars().enumerate() {
            data.set_scalar(name, row[place]);
        }
        data.energy.copy_from_slice(&row[scalars().count()..][..ENERGIES]);
        for (field, range) in &self.parts {
            let from = &row[range.clone()];
            match (field.get_mut)(data) {
                ArrayMut::F64(to) => to.copy_from_slice(from),
                ArrayMut::I32(to) => convert(from, to, |&x| x as i32),
                ArrayMut::U8(to) => convert(from, to, |&x| x as u8),
                ArrayMut::F32(_) | ArrayMut::I64(_) | ArrayMut::U64(_) => unreachable!("{}", field.name),
            }
        }
    }
}

/// Potential and kinetic.
const ENERGIES: usize = 2;

/// Names of the scalars that a row has.
fn scalars() -> impl Iterator<Item = &'static str> {
    let roles = Data::SCALARS.iter().zip(Data::SCALAR_ROLES);
    roles.filter(|(_, role)| belongs(**role, false)).map(|(name, _)| *name)
}

fn belongs(role: Role, sleep: bool) -> bool {
    match role {
        Role::State | Role::Input => true,
        Role::Result => sleep,
        Role::Sleep | Role::Constant => false,
    }
}

fn convert<A, B>(from: &[A], to: &mut [B], number: impl Fn(&A) -> B) {
    assert_eq!(from.len(), to.len(), "data of another model");
    for (to, from) in to.iter_mut().zip(from) {
        *to = number(from);
    }
}

impl std::fmt::Debug for StateLayout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.parts.iter().map(|(field, range)| (field.name, range))).finish()
    }
}

impl Data {
    /// Fills every result with numbers that are never right (NaN, impossible ids), so that a stage that reads what
    /// nothing has computed shows up. State, inputs, constants and lists of what is awake stay.
    pub fn poison(&mut self) {
        for field in Self::FIELDS.iter().filter(|field| field.role == Role::Result) {
            match (field.get_mut)(self) {
                ArrayMut::F64(x) => x.fill(f64::NAN),
                ArrayMut::F32(x) => x.fill(f32::NAN),
                ArrayMut::I32(x) => x.fill(i32::MIN / 2),
                ArrayMut::I64(x) => x.fill(i64::MIN / 2),
                ArrayMut::U64(x) => x.fill(u64::MAX / 2),
                ArrayMut::U8(x) => x.fill(0xAA),
            }
        }
        self.energy = [f64::NAN; 2];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sizes;

    #[test]
    fn integers_survive_and_results_are_left_out() {
        let model = Model::allocate(Sizes { nbody: 3, nv: 4, ntree: 2, neq: 2, ..Sizes::default() });
        let (mut first, mut second) = (Data::new(&model), Data::new(&model));
        first.tree_asleep.copy_from_slice(&[-11, i32::MAX]);
        first.eq_active.copy_from_slice(&[1, 0]);
        first.time = 0.25;
        second.poison();
        let layout = StateLayout::new(&model);
        let mut row = vec![0.0; layout.len()];
        layout.save(&first, &mut row);
        layout.load(&mut second, &row);
        assert_eq!((&second.tree_asleep, &second.eq_active), (&first.tree_asleep, &first.eq_active));
        assert_eq!(second.time, 0.25);
        assert!(second.qacc.iter().all(|x| x.is_nan()) && layout.range("qacc").is_none());
    }

    #[test]
    fn a_model_that_may_sleep_keeps_its_results() {
        let mut model = Model::allocate(Sizes { nbody: 3, nv: 4, ..Sizes::default() });
        let awake = StateLayout::new(&model).len();
        model.opt.enableflags |= EnableBit::Sleep as i32;
        let layout = StateLayout::new(&model);
        assert!(layout.len() > awake && layout.range("xpos").is_some());
    }
}
