//! The fields that a batch can give per world: results of a step, and numbers of the model.

use crate::table::copy;
use ligament_model::array::{ArrayMut, ArrayRef, ScalarType, Shape};
use ligament_model::data::{DataField, Role, Scalar};
use ligament_model::model::FieldInfo;
use ligament_model::option::{Options, Statistic};
use ligament_model::{Data, Model};

/// Counts of a state that can be results.
const COUNTS: [&str; 9] = ["ncon", "ne", "nf", "nl", "nefc", "nJ", "nA", "nisland", "nidof"];

/// A result of a step that can be copied out for every world.
#[derive(Clone, Copy)]
pub enum ResultField {
    /// An array of fixed size.
    Array(&'static DataField),
    /// A number of things, such as `ncon`.
    Count(&'static str),
    /// Potential and kinetic energy.
    Energy,
    /// Iterations of the solver.
    SolverIterations,
    /// Nonzeros of the solver's matrix.
    SolverNonzeros,
    /// Differences between forward and inverse dynamics.
    ForwardInverse,
}

impl ResultField {
    /// A result by the name of its field. Lists whose length changes from step to step are not among them.
    pub fn find(name: &str) -> Option<Self> {
        match name {
            "energy" => return Some(Self::Energy),
            "solver_niter" => return Some(Self::SolverIterations),
            "solver_nnz" => return Some(Self::SolverNonzeros),
            "solver_fwdinv" => return Some(Self::ForwardInverse),
            _ => {}
        }
        if let Some(count) = COUNTS.iter().find(|count| **count == name) {
            return Some(Self::Count(count));
        }
        Data::FIELDS.iter().find(|f| f.name == name && !f.dynamic).map(Self::Array)
    }

    /// Names of all results, parts of the state included.
    pub fn names() -> Vec<&'static str> {
        let fixed = Data::FIELDS.iter().filter(|f| !f.dynamic).map(|f| f.name);
        let small = ["energy", "solver_niter", "solver_nnz", "solver_fwdinv"];
        fixed.chain(small).chain(COUNTS).collect()
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Array(field) => field.name,
            Self::Count(name) => name,
            Self::Energy => "energy",
            Self::SolverIterations => "solver_niter",
            Self::SolverNonzeros => "solver_nnz",
            Self::ForwardInverse => "solver_fwdinv",
        }
    }

    /// Hands the field's numbers of one simulation to `use_them`.
    pub(crate) fn with<R>(self, d: &Data, use_them: impl FnOnce(ArrayRef<'_>) -> R) -> R {
        match self {
            Self::Array(field) => use_them((field.get)(d)),
            Self::Energy => use_them(ArrayRef::F64(&d.energy)),
            Self::SolverIterations => use_them(ArrayRef::I32(&d.solver_niter)),
            Self::SolverNonzeros => use_them(ArrayRef::I32(&d.solver_nnz)),
            Self::ForwardInverse => use_them(ArrayRef::F64(&d.solver_fwdinv)),
            Self::Count(name) => match d.scalar(name) {
                Some(Scalar::Count(n)) => use_them(ArrayRef::I32(&[n as i32])),
                _ => use_them(ArrayRef::I32(&[0])),
            },
        }
    }

    /// Sets a result to zero; parts of the state and constants stay.
    pub(crate) fn clear(self, d: &mut Data) {
        match self {
            Self::Array(field) if field.role == Role::Result => match (field.get_mut)(d) {
                ArrayMut::F64(x) => x.fill(0.0),
                ArrayMut::F32(x) => x.fill(0.0),
                ArrayMut::I32(x) => x.fill(0),
                ArrayMut::I64(x) => x.fill(0),
                ArrayMut::U64(x) => x.fill(0),
                ArrayMut::U8(x) => x.fill(0),
            },
            _ => {}
        }
    }

    /// Shape of one world's value.
    pub fn shape(self, model: &Model, data: &Data) -> Shape {
        match self {
            Self::Array(field) => (field.shape)(model.sizes(), data),
            Self::Count(_) => Shape::default(),
            _ => Shape::default().with(self.with(data, |array| array.len())),
        }
    }

    /// Scalars of one world's value and their type.
    pub fn extent(self, data: &Data) -> (usize, ScalarType) {
        self.with(data, |array| (array.len(), array.scalar()))
    }
}

/// Kinds of arrays that hold assets or texts, which all worlds share.
const SHARED_PREFIXES: [&str; 6] = ["mesh_", "skin_", "hfield_", "tex_", "bvh_", "oct_"];
const SHARED_FIELDS: [&str; 3] = ["text_data", "names", "paths"];

/// A number or array of the model that worlds may have their own of.
#[derive(Clone, Copy)]
pub enum Parameter {
    /// An array of the model.
    Array(&'static FieldInfo<Model>),
    /// The bounding volumes of bodies, which come before those of meshes in their array.
    BodyVolumes(&'static FieldInfo<Model>),
    /// An option, `opt.<name>`.
    Option(&'static FieldInfo<Options>),
    /// Follows from others by `set_const`; not to be set by the user.
    Statistic(&'static FieldInfo<Statistic>),
    /// Number of bodies with gravity compensation; follows by `set_const`.
    GravcompCount,
}

impl Parameter {
    /// A parameter by name: an array of the model, or `opt.` and an option.
    pub fn find(name: &str) -> Option<Self> {
        if let Some(option) = name.strip_prefix("opt.") {
            return Options::FIELDS.iter().find(|f| f.name == option).map(Self::Option);
        }
        if name == "bvh_aabb" {
            return Model::field(name).map(Self::BodyVolumes);
        }
        Model::field(name).filter(|_| !is_shared(name)).map(Self::Array)
    }

    /// Names of all parameters.
    pub fn names() -> Vec<String> {
        let arrays = Model::FIELDS.iter().filter(|f| f.name == "bvh_aabb" || !is_shared(f.name));
        let options = Options::FIELDS.iter().map(|f| format!("opt.{}", f.name));
        arrays.map(|f| f.name.to_owned()).chain(options).collect()
    }

    /// Everything that `set_const` may change.
    pub(crate) fn constants() -> impl Iterator<Item = Self> {
        let arrays = Model::FIELDS.iter().filter(|f| !is_shared(f.name)).map(Self::Array);
        let volumes = Model::field("bvh_aabb").into_iter().map(Self::BodyVolumes);
        let statistics = Statistic::FIELDS.iter().map(Self::Statistic);
        arrays.chain(volumes).chain(statistics).chain([Self::GravcompCount])
    }

    /// Name as [`Parameter::find`] takes it.
    pub fn name(self) -> String {
        match self {
            Self::Array(f) | Self::BodyVolumes(f) => f.name.to_owned(),
            Self::Option(f) => format!("opt.{}", f.name),
            Self::Statistic(f) => format!("stat.{}", f.name),
            Self::GravcompCount => "ngravcomp".to_owned(),
        }
    }

    /// Shape of one world's value.
    pub fn shape(self, model: &Model) -> Shape {
        match self {
            Self::Array(f) => (f.shape)(model.sizes()),
            Self::BodyVolumes(_) => Shape::default().with(body_volumes(model)).with(6),
            Self::Option(f) => (f.shape)(model.sizes()),
            Self::Statistic(f) => (f.shape)(model.sizes()),
            Self::GravcompCount => Shape::default(),
        }
    }

    /// Hands the model's value to `use_it`.
    pub(crate) fn with<R>(self, model: &Model, use_it: impl FnOnce(ArrayRef<'_>) -> R) -> R {
        match self {
            Self::Array(f) => use_it((f.get)(model)),
            Self::BodyVolumes(_) => {
                use_it(ArrayRef::F64(model.bvh_aabb[..body_volumes(model)].as_flattened()))
            }
            Self::Option(f) => use_it((f.get)(&model.opt)),
            Self::Statistic(f) => use_it((f.get)(&model.stat)),
            Self::GravcompCount => use_it(ArrayRef::I32(&[model.ngravcomp as i32])),
        }
    }

    /// Writes a value into a model.
    pub(crate) fn store(self, model: &mut Model, value: ArrayRef<'_>) {
        match self {
            Self::Array(f) | Self::BodyVolumes(f) => copy((f.get_mut)(model), value),
            Self::Option(f) => copy((f.get_mut)(&mut model.opt), value),
            Self::Statistic(f) => copy((f.get_mut)(&mut model.stat), value),
            Self::GravcompCount => {
                let mut count = [0];
                copy(ArrayMut::I32(&mut count), value);
                model.set_gravcomp_count(count[0].max(0) as usize);
            }
        }
    }

    /// Whether the value has the same bits in both models.
    pub(crate) fn same(self, a: &Model, b: &Model) -> bool {
        self.with(a, |x| self.with(b, |y| same_bits(x, y)))
    }

    /// Whether a value out of range could lead outside of an array: ids, addresses, counts and kinds.
    pub fn is_structural(name: &str) -> bool {
        const ENDINGS: [&str; 4] = ["id", "adr", "num", "type"];
        !name.ends_with("contype") && ENDINGS.iter().any(|ending| name.ends_with(ending))
    }
}

fn is_shared(name: &str) -> bool {
    SHARED_FIELDS.contains(&name) || SHARED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Bounding volumes that belong to bodies.
fn body_volumes(model: &Model) -> usize {
    let ends = model.body_bvhadr.iter().zip(&model.body_bvhnum).filter(|(adr, _)| **adr >= 0);
    ends.map(|(adr, num)| (adr + num) as usize).max().unwrap_or(0).min(model.bvh_aabb.len())
}

/// Equal bit by bit: NaN equals itself, 0 does not equal -0.
pub(crate) fn same_bits(a: ArrayRef<'_>, b: ArrayRef<'_>) -> bool {
    match (a, b) {
        (ArrayRef::F64(a), ArrayRef::F64(b)) => same_numbers(a, b),
        (ArrayRef::F32(a), ArrayRef::F32(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits())
        }
        (a, b) => a == b,
    }
}

/// Equal bit by bit.
pub(crate) fn same_numbers(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits())
}
