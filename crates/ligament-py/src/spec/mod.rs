//! Specifications for Python: as nested dictionaries and lists, and what can be done with them as a whole.
//!
//! Python programs edit objects (`python/ligament/_spec`) that hold their numbers in an [`element::PyElement`] each. For
//! everything that concerns a whole specification (compiling, saving, attaching, deleting a tree) these are gathered
//! into a [`Spec`], and read back from one. Elements carry tags, by which the Python objects are found again.

mod element;
mod exchange;
mod values;

use crate::files::Files;
use crate::model::PyModel;
use ligament::{Diagnostic, Spec};
use ligament_mjcf::spec::{AttachPoint, BodyId, FrameId};
use ligament_py_macros::{entries, entry};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What compiling gives.
#[derive(IntoPyObject)]
enum Compiled {
    Model(Py<PyModel>),
    Refused((String, u32, String, String)),
}

/// A specification that does not change any more.
#[pyclass(frozen, module = "ligament._core", name = "Spec")]
pub struct PySpec(Arc<Spec>);

fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn unreadable(error: ligament_mjcf::MjcfError) -> PyErr {
    PyValueError::new_err(crate::refusal::unreadable(&error))
}

fn body(spec: &Spec, id: u32) -> PyResult<BodyId> {
    let valid = (id as usize) < spec.bodies.len();
    valid.then_some(BodyId(id)).ok_or_else(|| PyIndexError::new_err("no such body"))
}

fn frame(spec: &Spec, id: u32) -> PyResult<FrameId> {
    let valid = (id as usize) < spec.frames.len();
    valid.then_some(FrameId(id)).ok_or_else(|| PyIndexError::new_err("no such frame"))
}

/// Bytes of elements up to which specifications are attached to each other: the objects of Python that stand for them
/// take ten times as much, and keyframes double with each attachment of a specification to itself.
const LARGEST: u64 = 1 << 25;

/// Elements that a specification may have in Python, where each is an object of some kilobytes.
const MOST_ELEMENTS: u64 = 150_000;

impl PySpec {
    /// A specification that was read, unless it has too many elements.
    fn editable(spec: Spec) -> PyResult<Self> {
        let count = spec.count_elements();
        if count > MOST_ELEMENTS {
            let limit = format!("more than the {MOST_ELEMENTS} that can be edited: load it as a model");
            return Err(refused(format!("the specification has {count} elements, {limit}")));
        }
        Ok(Self(Arc::new(spec)))
    }
}

#[entries]
impl PySpec {
    #[staticmethod]
    fn empty() -> Self {
        Self(Arc::new(Spec::default()))
    }

    #[staticmethod]
    fn from_file(path: &str, files: Files) -> PyResult<Self> {
        Self::editable(ligament::parse_mjcf_file_with_assets(path, &files.layered()).map_err(unreadable)?)
    }

    #[staticmethod]
    fn from_string(text: &str, files: Files) -> PyResult<Self> {
        Self::editable(ligament::parse_mjcf_str_with_assets(text, &files.layered()).map_err(unreadable)?)
    }

    /// Everything as dictionaries, lists and arrays.
    fn export<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        exchange::export(py, &self.0)
    }

    /// The specification that Python objects describe; options, statistics and visual settings come with a model, or
    /// are those of another specification.
    #[staticmethod]
    fn build(
        content: &Bound<'_, PyDict>,
        settings: Option<&PyModel>,
        start: &PySpec,
        first_tag: u32,
    ) -> PyResult<Self> {
        let mut spec = exchange::import(content, first_tag)?;
        (spec.option, spec.stat, spec.visual) = match settings {
            Some(settings) => {
                let model = settings.look()?;
                (model.opt.clone(), model.stat.clone(), model.vis.clone())
            }
            None => (start.0.option.clone(), start.0.stat.clone(), start.0.visual.clone()),
        };
        Ok(Self(Arc::new(spec)))
    }

    /// A model without anything in it but the options, statistics and visual settings.
    fn settings(&self) -> PyModel {
        let mut model = ligament_model::Model::allocate(ligament_model::Sizes::default());
        (model.opt, model.stat, model.vis) =
            (self.0.option.clone(), self.0.stat.clone(), self.0.visual.clone());
        PyModel::new(model)
    }

    /// The model, or what is wrong with it: message, tag of the element, element, remedy.
    fn compile(&self, py: Python<'_>, files: Files) -> PyResult<Compiled> {
        let files = files.layered();
        match py.detach(|| ligament::compile(&self.0, &files)) {
            Ok(model) => Ok(Compiled::Model(Py::new(py, PyModel::with_spec(model, self.0.clone()))?)),
            Err(error) => {
                let Diagnostic { message, tag, element, help, .. } = error.diagnostic().clone();
                Ok(Compiled::Refused((message, tag, element, help)))
            }
        }
    }

    /// A copy in which something of another specification is attached: a body, a frame, or all of it (`None`).
    #[pyo3(signature = (at_body, at_frame, child, child_body, child_frame, prefix, suffix))]
    fn attach(
        &self,
        at_body: u32,
        at_frame: Option<u32>,
        child: &PySpec,
        child_body: Option<u32>,
        child_frame: Option<u32>,
        prefix: &str,
        suffix: &str,
    ) -> PyResult<Self> {
        let affixes = 1 + (prefix.len() + suffix.len()) as u64 / 32; // names, and names of what is referred to
        if self.0.structure_weight() + child.0.structure_weight().saturating_mul(affixes) > LARGEST {
            return Err(refused(
                "the specification would have too many elements: attach fewer, or smaller ones",
            ));
        }
        let mut spec = (*self.0).clone();
        let at_frame = at_frame.map(|id| frame(&spec, id)).transpose()?;
        let at = AttachPoint { body: body(&spec, at_body)?, frame: at_frame };
        let other = &child.0;
        match (child_body, child_frame) {
            (Some(id), _) => spec.attach_body(at, other, body(other, id)?, prefix, suffix).map(|_| ()),
            (None, Some(id)) => spec.attach_frame(at, other, frame(other, id)?, prefix, suffix).map(|_| ()),
            (None, None) => spec.attach_model(at, other, prefix, suffix).map(|_| ()),
        }
        .map_err(refused)?;
        Ok(Self(Arc::new(spec)))
    }

    /// A copy without a body, all below it, and what refers to them.
    fn without_body(&self, id: u32) -> PyResult<Self> {
        let mut spec = (*self.0).clone();
        let id = body(&spec, id)?;
        spec.delete_body(id).map_err(refused)?;
        Ok(Self(Arc::new(spec)))
    }

    #[getter]
    fn signature(&self) -> u64 {
        self.0.signature()
    }

    /// What each kind of element holds: names of fields with the kind of content.
    #[staticmethod]
    fn kinds() -> BTreeMap<&'static str, Vec<(&'static str, &'static str)>> {
        exchange::kinds()
    }
}

/// The rotation that a form other than a quaternion stands for.
#[entry]
fn _resolve_orientation(degree: bool, sequence: &str, form: i32, numbers: Vec<f64>) -> PyResult<[f64; 4]> {
    let orientation = values::parse_orientation((form, numbers))?;
    let eulerseq =
        sequence.as_bytes().try_into().map_err(|_| refused("the sequence should have 3 letters"))?;
    orientation.resolve(degree, eulerseq).map_err(refused)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PySpec>()?;
    module.add_class::<element::PyElement>()?;
    module.add_class::<exchange::ClassContent>()?;
    module.add_function(wrap_pyfunction!(_resolve_orientation, module)?)
}
