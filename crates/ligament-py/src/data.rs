//! `MjData`: views of a simulation state.

use crate::memory::{self, Cell, Loans};
use crate::model::{PyModel, TableRow};
use crate::records;
use ligament_model::array::{Element, Shape};
use ligament_model::data::{DataField, Scalar, renew};
use ligament_model::{Contact, Data, Sizes};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The native part of `MjData`.
#[pyclass(subclass, frozen, module = "ligament._core", name = "MjData")]
pub struct PyData {
    pub cell: Arc<Cell<Data>>,
    sizes: Sizes,
    loans: Loans<Data>,
}

impl PyData {
    pub fn new(data: Data, sizes: Sizes) -> Self {
        Self { cell: Cell::new(data), sizes, loans: Loans::default() }
    }

    pub fn data(&self) -> &Data {
        self.cell.get()
    }

    /// Write access for code that may change the length of lists.
    #[allow(clippy::mut_from_ref)] // see `memory`
    pub fn data_mut(&self) -> &mut Data {
        self.recall();
        self.cell.get_mut()
    }

    /// Makes views of lists independent of what happens next.
    pub fn recall(&self) {
        self.loans.recall(self.cell.get_mut());
    }
}

/// Gives the arrays of fixed size of a state.
#[pyclass(frozen, module = "ligament._core")]
pub struct Fetcher {
    cell: Arc<Cell<Data>>,
    sizes: Sizes,
}

#[pymethods]
impl Fetcher {
    fn __call__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let field =
            Data::FIELDS.iter().find(|f| f.name == name && !f.dynamic).ok_or_else(|| no_attribute(name))?;
        let shape = (field.shape)(&self.sizes, self.cell.get());
        memory::view(py, (field.get_mut)(self.cell.get_mut()), shape, self.cell.clone())
    }
}

fn no_attribute(name: &str) -> PyErr {
    PyAttributeError::new_err(format!("'MjData' object has no attribute '{name}'"))
}

#[pymethods]
impl PyData {
    #[new]
    fn py_new(model: &PyModel) -> PyResult<Self> {
        let mut data = ligament_sim::reset::make_data(model.model()).map_err(crate::functions::fatal)?;
        data.callbacks = crate::functions::callbacks::clock_only();
        Ok(Self::new(data, model.model().sizes().clone()))
    }

    /// Overwrites this state with another of the same model, in place: views stay valid.
    fn _assign(&self, source: &PyData) -> PyResult<()> {
        if self.sizes != source.sizes {
            return Err(pyo3::exceptions::PyTypeError::new_err(
                "the states belong to models of different sizes",
            ));
        }
        if !std::ptr::eq(self, source) {
            self.data_mut().assign(source.data());
        }
        Ok(())
    }

    /// Arrays as views, scalars as numbers.
    fn _field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        if let Some(scalar) = self.data().scalar(name) {
            return Ok(match scalar {
                Scalar::Real(x) => x.into_pyobject(py)?.into_any(),
                Scalar::Count(x) => x.into_pyobject(py)?.into_any(),
                Scalar::Flag(x) => i32::from(x).into_pyobject(py)?.into_any(),
            });
        }
        let field = Data::FIELDS.iter().find(|f| f.name == name).ok_or_else(|| no_attribute(name))?;
        let shape = (field.shape)(&self.sizes, self.data());
        if field.dynamic && shape.dims()[0] == 0 {
            return Ok(memory::empty(py, &(field.get_mut)(self.cell.get_mut()), shape));
        }
        let keeper: Arc<dyn Any + Send + Sync> = match field.list {
            Some(list) => Arc::new((self.loans.lend(list.renew), self.cell.clone())),
            None => self.cell.clone(),
        };
        memory::view(py, (field.get_mut)(self.cell.get_mut()), shape, keeper)
    }

    /// A function from names to arrays of fixed size, without a reference to this object.
    fn _fetcher(&self) -> Fetcher {
        Fetcher { cell: self.cell.clone(), sizes: self.sizes.clone() }
    }

    #[getter(time)]
    fn time(&self) -> f64 {
        self.data().time
    }

    #[setter(time)]
    fn set_time(&self, time: f64) {
        self.cell.get_mut().time = time;
    }

    #[staticmethod]
    fn _field_names() -> Vec<(&'static str, bool)> {
        Data::FIELDS.iter().map(|f| (f.name, f.dynamic)).collect()
    }

    #[staticmethod]
    fn _scalar_names() -> Vec<&'static str> {
        Data::SCALARS.to_vec()
    }

    /// What the scalars and arrays are.
    #[staticmethod]
    fn _docs() -> Vec<(&'static str, &'static str)> {
        let scalars = Data::SCALARS.iter().copied().zip(Data::SCALAR_DOCS.iter().copied());
        scalars.chain(Data::FIELDS.iter().map(|f| (f.name, f.doc))).collect()
    }

    /// The arrays: name, scalar type, axes by the names of their sizes, width of a row, description.
    #[staticmethod]
    fn _table() -> Vec<TableRow> {
        let (sizes, data) = (Sizes::default(), Data::allocate(&Sizes::default()));
        let row = |f: &DataField| {
            let width = (f.shape)(&sizes, &data).dims().get(f.extents.len()).copied();
            (f.name, (f.get)(&data).scalar().name(), f.extents.to_vec(), width, f.doc)
        };
        Data::FIELDS.iter().map(row).collect()
    }

    #[getter(energy)]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.small(py, &mut self.cell.get_mut().energy)
    }

    #[getter(solver_niter)]
    fn solver_niter<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.small(py, &mut self.cell.get_mut().solver_niter)
    }

    #[getter(solver_nnz)]
    fn solver_nnz<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.small(py, &mut self.cell.get_mut().solver_nnz)
    }

    #[getter(solver_fwdinv)]
    fn solver_fwdinv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.small(py, &mut self.cell.get_mut().solver_fwdinv)
    }

    /// One field of all contacts, as a view.
    fn _contact_field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let slot = self.loans.lend(|d| renew(&mut d.contact));
        records::contact(py, &self.data().contact, name, Arc::new((slot, self.cell.clone())))
    }

    /// One field of all warnings, as a view.
    fn _warning_field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        records::warning(py, &self.data().warning, name, self.cell.clone())
    }

    /// One field of all timers, as a view.
    fn _timer_field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        records::timer(py, &self.data().timer, name, self.cell.clone())
    }

    /// One field of the solver statistics, flat over islands and iterations, as a view.
    fn _solver_field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        records::solver(py, &self.data().solver, name, self.cell.clone())
    }

    /// The address of the state in memory.
    #[getter]
    fn _address(&self) -> usize {
        std::ptr::from_ref(self.data()).addr()
    }

    /// Replaces the lists whose length changes from step to step, for unpickling.
    fn _set_lists(&self, counts: BTreeMap<String, usize>, contacts: usize) -> PyResult<()> {
        let data = self.data_mut();
        for (name, count) in counts {
            let field = Data::FIELDS.iter().find(|f| f.name == name);
            let list = field.and_then(|f| f.list).ok_or_else(|| no_attribute(&name))?;
            (list.resize)(data, count);
        }
        data.contact.resize(contacts, Contact::default());
        Ok(())
    }

    /// Sets a number that is not an array.
    fn _set_scalar(&self, name: &str, value: f64) -> bool {
        self.data_mut().set_scalar(name, value)
    }
}

impl PyData {
    fn small<'py, T: Element, const N: usize>(
        &self,
        py: Python<'py>,
        array: &mut [T; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        memory::view(py, T::flat_mut(array), Shape::default().with(N), self.cell.clone())
    }
}
