//! MuJoCo's binary models (`.mjb`) of version 3.5.0.
//!
//! ```text
//! 54321, bytes of a number, number of sizes, 3005000, number of arrays (i32) | sizes (i64)
//! | mjOption, mjVisual, mjStatistic as they lie in memory | every array
//! ```
//! There is no checksum and nothing has a name: a file is accepted only if the header is that of 3.5.0, its length is
//! what the sizes call for, and the numbers in it make sense together.

use ligament_model::array::{ArrayMut, ArrayRef};
use ligament_model::model::FieldInfo;
use ligament_model::option::{
    Options, Statistic, VisualGlobal, VisualHeadlight, VisualMap, VisualQuality, VisualRgba, VisualScale,
};
use ligament_model::{Model, Sizes};

/// What a file starts with.
pub const ID: i32 = 54321;
const VERSION: i32 = 3_005_000;
const HEADER: usize = 5 * 4;
/// `mjOption` ends with 13 integers: four bytes fill it up to a multiple of eight.
const OPTION_PADDING: usize = 4;
/// Arrays of a model lie at multiples of this in MuJoCo's memory, whose size the file mentions.
const ALIGNMENT: u64 = 64;

/// The order of `mjOption`, where it is not that of the table.
const OPTIONS: [&str; 29] = [
    "timestep",
    "impratio",
    "tolerance",
    "ls_tolerance",
    "noslip_tolerance",
    "ccd_tolerance",
    "sleep_tolerance",
    "gravity",
    "wind",
    "magnetic",
    "density",
    "viscosity",
    "o_margin",
    "o_solref",
    "o_solimp",
    "o_friction",
    "integrator",
    "cone",
    "jacobian",
    "solver",
    "iterations",
    "ls_iterations",
    "noslip_iterations",
    "ccd_iterations",
    "disableflags",
    "enableflags",
    "disableactuator",
    "sdf_initpoints",
    "sdf_iterations",
];

/// Arrays that the file has before another one, and the table at its end.
const MOVED: [(&str, &[&str]); 3] = [
    ("body_parentid", &["qpos0", "qpos_spring"]),
    (
        "jnt_type",
        &[
            "bvh_depth",
            "bvh_child",
            "bvh_nodeid",
            "bvh_aabb",
            "oct_depth",
            "oct_child",
            "oct_aabb",
            "oct_coeff",
        ],
    ),
    ("actuator_trntype", &["wrap_type", "wrap_objid", "wrap_prm"]),
];

/// Why bytes are not a model of MuJoCo 3.5.0, or a model cannot be written as one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum MjbError {
    #[error("not a binary model of MuJoCo: the file does not start with {ID}")]
    Foreign,
    #[error("binary model has numbers of {0} bytes; only those of 8 bytes can be read")]
    Precision(i32),
    #[error(
        "binary model is of MuJoCo {}.{}.{}; only those of 3.5.0 can be read: save the model again as XML",
        .0 / 1_000_000, .0 / 1000 % 1000, .0 % 1000
    )]
    Version(i32),
    #[error("binary model is damaged: {sizes} sizes and {arrays} arrays, where version 3.5.0 has {} and {}",
            Sizes::NAMES.len(), Model::FIELDS.len())]
    Layout { sizes: i32, arrays: i32 },
    #[error("binary model is damaged: {expected} bytes expected, {found} found")]
    Length { expected: u64, found: u64 },
    #[error("binary model is damaged: {0}")]
    Content(String),
    #[error(
        "MuJoCo does not know the {slot} part \"{part}\" of {element}: save the model as a compiled file (.lig)"
    )]
    Parts { slot: &'static str, part: String, element: String },
}

/// The model in the bytes of a file.
pub fn read(bytes: &[u8]) -> Result<Model, MjbError> {
    let mut input = Input { bytes, at: 0 };
    check_header(&mut input)?;
    let sizes = read_sizes(&mut input)?;
    let expected = length(&sizes).ok_or_else(|| MjbError::Content("its sizes are too large".into()))?;
    if expected != bytes.len() as u64 {
        return Err(MjbError::Length { expected, found: bytes.len() as u64 });
    }
    sizes.check_extents().map_err(MjbError::Content)?;
    let mut model = Model::allocate(sizes);
    for name in OPTIONS {
        if let Some(field) = Options::FIELDS.iter().find(|f| f.name == name) {
            input.fill((field.get_mut)(&mut model.opt))?;
        }
    }
    input.take(OPTION_PADDING)?;
    input.fill_group(&mut model.vis.global, VisualGlobal::FIELDS)?;
    input.fill_group(&mut model.vis.quality, VisualQuality::FIELDS)?;
    input.fill_group(&mut model.vis.headlight, VisualHeadlight::FIELDS)?;
    input.fill_group(&mut model.vis.map, VisualMap::FIELDS)?;
    input.fill_group(&mut model.vis.scale, VisualScale::FIELDS)?;
    input.fill_group(&mut model.vis.rgba, VisualRgba::FIELDS)?;
    input.fill_group(&mut model.stat, Statistic::FIELDS)?;
    for field in arrays() {
        input.fill((field.get_mut)(&mut model))?;
    }
    model.validate().map_err(MjbError::Content)?;
    Ok(model)
}

/// The bytes of a file with the model.
pub fn write(model: &Model) -> Result<Vec<u8>, MjbError> {
    if let Some(part) = model.parts.records().first() {
        let element = part.slot.element(model, part.element);
        return Err(MjbError::Parts { slot: part.slot.word(), part: part.name.clone(), element });
    }
    let mut out = Vec::new();
    for number in [ID, 8, Sizes::NAMES.len() as i32, VERSION, Model::FIELDS.len() as i32] {
        out.extend(number.to_le_bytes());
    }
    for name in Sizes::NAMES {
        let value =
            if *name == "nbuffer" { buffer_size(model) } else { model.sizes().get(name).unwrap_or(0) };
        out.extend(value.to_le_bytes());
    }
    for name in OPTIONS {
        if let Some(field) = Options::FIELDS.iter().find(|f| f.name == name) {
            append(&mut out, (field.get)(&model.opt));
        }
    }
    out.extend([0; OPTION_PADDING]);
    append_group(&mut out, &model.vis.global, VisualGlobal::FIELDS);
    append_group(&mut out, &model.vis.quality, VisualQuality::FIELDS);
    append_group(&mut out, &model.vis.headlight, VisualHeadlight::FIELDS);
    append_group(&mut out, &model.vis.map, VisualMap::FIELDS);
    append_group(&mut out, &model.vis.scale, VisualScale::FIELDS);
    append_group(&mut out, &model.vis.rgba, VisualRgba::FIELDS);
    append_group(&mut out, &model.stat, Statistic::FIELDS);
    for field in arrays() {
        append(&mut out, (field.get)(model));
    }
    Ok(out)
}

/// The arrays in the order of the file.
fn arrays() -> Vec<&'static FieldInfo<Model>> {
    let moved = |name: &str| MOVED.iter().any(|(_, names)| names.contains(&name));
    let mut order = Vec::with_capacity(Model::FIELDS.len());
    for field in Model::FIELDS.iter().filter(|f| !moved(f.name)) {
        let before = MOVED.iter().find(|(anchor, _)| *anchor == field.name);
        order.extend(before.iter().flat_map(|(_, names)| names.iter().filter_map(|name| Model::field(name))));
        order.push(field);
    }
    order
}

fn check_header(input: &mut Input<'_>) -> Result<(), MjbError> {
    let mut header = [0; 5];
    if input.bytes.len() < HEADER {
        return Err(MjbError::Foreign);
    }
    input.fill(ArrayMut::I32(&mut header))?;
    let [id, precision, sizes, version, arrays] = header;
    if id != ID {
        return Err(MjbError::Foreign);
    }
    if version != VERSION {
        return Err(MjbError::Version(version));
    }
    if precision != 8 {
        return Err(MjbError::Precision(precision));
    }
    if sizes as usize != Sizes::NAMES.len() || arrays as usize != Model::FIELDS.len() {
        return Err(MjbError::Layout { sizes, arrays });
    }
    Ok(())
}

fn read_sizes(input: &mut Input<'_>) -> Result<Sizes, MjbError> {
    let mut sizes = Sizes::default();
    for name in Sizes::NAMES {
        let mut value = [0];
        input.fill(ArrayMut::I64(&mut value))?;
        // how much memory MuJoCo would need says nothing here
        if *name != "nbuffer" && !sizes.set(name, value[0]) {
            return Err(MjbError::Content(format!("size {name} cannot be {}", value[0])));
        }
    }
    Ok(sizes)
}

/// Bytes of a file with a model of these sizes.
fn length(sizes: &Sizes) -> Option<u64> {
    let empty = Model::allocate(Sizes::default());
    let mut settings = 0;
    empty.visit_groups(&mut |_, array| settings += scalar_bytes(&array) * array.len() as u64);
    let fixed = (HEADER + 8 * Sizes::NAMES.len() + OPTION_PADDING) as u64 + settings;
    Model::FIELDS.iter().try_fold(fixed, |sum, field| {
        let shape = (field.shape)(sizes);
        let count = shape.dims().iter().try_fold(1u64, |n, &extent| n.checked_mul(extent as u64))?;
        sum.checked_add(count.checked_mul(scalar_bytes(&(field.get)(&empty)))?)
    })
}

/// What MuJoCo calls `nbuffer`: the memory of all arrays, each aligned.
fn buffer_size(model: &Model) -> i64 {
    let end = arrays().iter().fold(0u64, |end, field| {
        let array = (field.get)(model);
        end.next_multiple_of(ALIGNMENT) + scalar_bytes(&array) * array.len() as u64
    });
    end as i64
}

fn scalar_bytes(array: &ArrayRef<'_>) -> u64 {
    match array {
        ArrayRef::F64(_) | ArrayRef::I64(_) | ArrayRef::U64(_) => 8,
        ArrayRef::F32(_) | ArrayRef::I32(_) => 4,
        ArrayRef::U8(_) => 1,
    }
}

fn append(out: &mut Vec<u8>, array: ArrayRef<'_>) {
    match array {
        ArrayRef::F64(x) => out.extend(x.iter().flat_map(|v| v.to_le_bytes())),
        ArrayRef::F32(x) => out.extend(x.iter().flat_map(|v| v.to_le_bytes())),
        ArrayRef::I32(x) => out.extend(x.iter().flat_map(|v| v.to_le_bytes())),
        ArrayRef::I64(x) => out.extend(x.iter().flat_map(|v| v.to_le_bytes())),
        ArrayRef::U64(x) => out.extend(x.iter().flat_map(|v| v.to_le_bytes())),
        ArrayRef::U8(x) => out.extend(x),
    }
}

fn append_group<T>(out: &mut Vec<u8>, group: &T, fields: &[FieldInfo<T>]) {
    for field in fields {
        append(out, (field.get)(group));
    }
}

/// Bytes that are read from the front.
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], MjbError> {
        let end = self.at.saturating_add(count);
        let part = self
            .bytes
            .get(self.at..end)
            .ok_or(MjbError::Length { expected: end as u64, found: self.bytes.len() as u64 })?;
        self.at = end;
        Ok(part)
    }

    fn fill(&mut self, target: ArrayMut<'_>) -> Result<(), MjbError> {
        match target {
            ArrayMut::F64(x) => self.numbers(x, f64::from_le_bytes),
            ArrayMut::F32(x) => self.numbers(x, f32::from_le_bytes),
            ArrayMut::I32(x) => self.numbers(x, i32::from_le_bytes),
            ArrayMut::I64(x) => self.numbers(x, i64::from_le_bytes),
            ArrayMut::U64(x) => self.numbers(x, u64::from_le_bytes),
            ArrayMut::U8(x) => self.numbers(x, u8::from_le_bytes),
        }
    }

    fn numbers<T, const N: usize>(
        &mut self,
        target: &mut [T],
        decode: fn([u8; N]) -> T,
    ) -> Result<(), MjbError> {
        let part = self.take(N * target.len())?;
        for (slot, chunk) in target.iter_mut().zip(part.as_chunks::<N>().0) {
            *slot = decode(*chunk);
        }
        Ok(())
    }

    fn fill_group<T>(&mut self, group: &mut T, fields: &[FieldInfo<T>]) -> Result<(), MjbError> {
        fields.iter().try_for_each(|field| self.fill((field.get_mut)(group)))
    }
}
