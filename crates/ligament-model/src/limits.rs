//! How much memory and work a model and its simulation may take.

use crate::array::{ScalarType, Shape};
use crate::{Contact, Data, Model, Sizes};
use std::sync::LazyLock;

/// A model without anything in it: asked for the kinds of its arrays.
static BLANK: LazyLock<Model> = LazyLock::new(|| Model::allocate(Sizes::default()));

/// Bytes that one model may take while it is read and compiled, and what a simulation may take in all (a state may always
/// take a quarter of it), unless more is granted: ten times what the largest models in use need.
pub const DEFAULT_MEMORY: u64 = 1 << 30;

/// Bytes of a contact: it stands where it is found and in the state.
pub const CONTACT: u64 = 2 * size_of::<Contact>() as u64;

/// Bytes of a constraint row without its Jacobian, in the state and again by islands.
pub const ROW: u64 = 384;

/// Bytes of an entry of the Jacobian or of `efc_AR`, with its column, in the state and again by islands.
pub const ENTRY: u64 = 24;

/// Bytes of an entry of the solver's sparse factor, with its places.
pub const FACTOR_ENTRY: u64 = 40;

/// Bytes of an array.
pub(crate) fn bytes_of_array<T>(extents: &[usize]) -> u64 {
    extents.iter().fold(size_of::<T>() as u64, |bytes, &extent| bytes.saturating_mul(extent as u64))
}

/// Bytes that contacts, rows and matrices of a state may take, unless it is told otherwise.
pub(crate) fn default_memory(sizes: &Sizes) -> u64 {
    let arrays = Model::bytes_of(sizes).saturating_add(Data::bytes_of(sizes));
    DEFAULT_MEMORY.saturating_sub(arrays).max(DEFAULT_MEMORY / 4)
}

/// Bytes of all arrays of a model and one state, and the largest of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes in all.
    pub bytes: u64,
    /// The array that takes the most.
    pub largest: &'static str,
}

fn bytes(shape: Shape, scalar: ScalarType) -> u64 {
    let width = match scalar {
        ScalarType::F64 | ScalarType::I64 | ScalarType::U64 => 8,
        ScalarType::F32 | ScalarType::I32 => 4,
        ScalarType::U8 => 1,
    };
    shape.dims().iter().fold(width, |n, &extent| n.saturating_mul(extent as u64))
}

impl Sizes {
    /// What the arrays of a model and a state of these sizes take. Nothing is allocated.
    pub fn footprint(&self) -> Footprint {
        let of_model =
            Model::FIELDS.iter().map(|f| (f.name, bytes((f.shape)(self), (f.get)(&BLANK).scalar())));
        let of_state = self.state_arrays();
        let mut total = Footprint { bytes: 0, largest: "" };
        let mut most = 0;
        for (name, bytes) in of_model.chain(of_state) {
            total.bytes = total.bytes.saturating_add(bytes);
            if bytes > most {
                (total.largest, most) = (name, bytes);
            }
        }
        total
    }

    /// What the arrays of fixed size of one state take.
    pub fn state_bytes(&self) -> u64 {
        Data::bytes_of(self)
    }

    fn state_arrays(&self) -> Vec<(&'static str, u64)> {
        let state = Data::allocate(&Sizes::default());
        let fixed = Data::FIELDS.iter().filter(|f| !f.dynamic);
        fixed.map(|f| (f.name, bytes((f.shape)(self, &state), (f.get)(&state).scalar()))).collect()
    }
}

/// Operations that collision detection, projection and the solver may take together in a step unless more is granted:
/// one to two seconds, since charges are such that none takes more than a nanosecond (example `effort` of the test kit).
pub const DEFAULT_EFFORT: u64 = 1 << 31;

/// Operations a step may take for each degree of freedom, where that is more: large scenes are slow in every engine.
const EFFORT_PER_DOF: u64 = 3 << 18;

/// Operations a step may take at most, unless more is granted: some seconds.
const LARGEST_EFFORT: u64 = 1 << 33;

/// Calls that make many steps of their own may take as much as so many of the longest steps.
const STEPS_OF_CALLS: u64 = 4;

/// Operations after which a step was long enough to ask whether the next one is still wanted: some milliseconds.
const LONG_STEP: u64 = 1 << 23;

/// Operations a step of a model with so many degrees of freedom may take, unless it is told otherwise.
pub(crate) fn default_effort(nv: usize) -> u64 {
    (nv as u64).saturating_mul(EFFORT_PER_DOF).clamp(DEFAULT_EFFORT, LARGEST_EFFORT)
}

/// Operations of the current step, by what took them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Earlier evaluations of the dynamics in the same step: Runge-Kutta has four.
    pub before: u64,
    /// Collision detection.
    pub collision: u64,
    /// Projection.
    pub projection: u64,
    /// The solver.
    pub solver: u64,
    /// Factors of the implicit integrator.
    pub integrator: u64,
}

impl Spent {
    /// A new evaluation begins.
    pub fn restart(&mut self) {
        *self = Self { before: self.before, ..Self::default() };
    }

    /// Of all of them.
    pub fn total(&self) -> u64 {
        let parts = [self.collision, self.projection, self.solver, self.integrator];
        parts.into_iter().fold(self.before, u64::saturating_add)
    }

    /// What was taken counts against the next evaluation, too.
    pub fn carry(&mut self) {
        *self = Self { before: self.total(), ..Self::default() };
    }
}

impl Data {
    /// Bytes that are left of [`Data::memory`] beside the contacts.
    pub fn memory_for_rows(&self) -> u64 {
        self.memory.saturating_sub(self.contact.len() as u64 * CONTACT)
    }

    /// Bytes that are left of [`Data::memory`] beside contacts and rows.
    pub fn memory_for_matrices(&self) -> u64 {
        let rows = self.efc_type.len() as u64 * ROW + self.efc_J.len() as u64 * ENTRY;
        self.memory_for_rows().saturating_sub(rows)
    }

    /// Operations that are left of [`Data::effort`].
    pub fn effort_left(&self) -> u64 {
        self.effort.saturating_sub(self.spent.total())
    }

    /// Operations that the steps of one call may take together: as long as [`Data::effort`] is the default, some seconds.
    pub fn effort_of_calls(&self) -> u64 {
        let granted = self.effort as f64 / default_effort(self.qvel.len()) as f64;
        (granted * (STEPS_OF_CALLS * DEFAULT_EFFORT) as f64) as u64
    }

    /// Whether the last step took so long that whoever makes many should ask after each whether to go on.
    pub fn took_long(&self) -> bool {
        self.spent.total() > LONG_STEP
    }
}
