//! `MjData`: views of a simulation state.

use crate::memory::{self, Cell};
use crate::model::PyModel;
use ligament_model::array::{ArrayRef, Element, Shape};
use ligament_model::data::Scalar;
use ligament_model::{Contact, Data, Sizes};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use std::sync::Arc;

/// The native part of `MjData`.
#[pyclass(subclass, frozen, module = "ligament._core", name = "MjData")]
pub struct PyData {
    pub cell: Arc<Cell<Data>>,
    sizes: Sizes,
}

impl PyData {
    pub fn new(data: Data, sizes: Sizes) -> Self {
        Self { cell: Cell::new(data), sizes }
    }

    pub fn data(&self) -> &Data {
        self.cell.get()
    }

    #[allow(clippy::mut_from_ref)] // see `memory`
    pub fn data_mut(&self) -> &mut Data {
        self.cell.get_mut()
    }
}

fn no_attribute(name: &str) -> PyErr {
    PyAttributeError::new_err(format!("'MjData' object has no attribute '{name}'"))
}

#[pymethods]
impl PyData {
    #[new]
    fn py_new(model: &PyModel) -> PyResult<Self> {
        let data = ligament_sim::reset::make_data(model.model()).map_err(crate::functions::fatal)?;
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

    fn _copy(&self) -> Self {
        Self::new(self.data().clone(), self.sizes.clone())
    }

    /// Array of fixed size as a view, array of changing size as a copy, scalar as a number.
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
        if field.dynamic {
            memory::copy(py, (field.get)(self.data()), shape)
        } else {
            memory::view(py, (field.get_mut)(self.data_mut()), shape, self.cell.clone())
        }
    }

    #[getter(time)]
    fn time(&self) -> f64 {
        self.data().time
    }

    #[setter(time)]
    fn set_time(&self, time: f64) {
        self.data_mut().time = time;
    }

    #[staticmethod]
    fn _field_names() -> Vec<(&'static str, bool)> {
        Data::FIELDS.iter().map(|f| (f.name, f.dynamic)).collect()
    }

    #[staticmethod]
    fn _scalar_names() -> Vec<&'static str> {
        Data::SCALARS.to_vec()
    }

    #[getter(energy)]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.small(py, &mut self.data_mut().energy)
    }

    #[getter(solver_niter)]
    fn solver_niter<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.small(py, &mut self.data_mut().solver_niter)
    }

    #[getter(solver_nnz)]
    fn solver_nnz<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.small(py, &mut self.data_mut().solver_nnz)
    }

    #[getter(solver_fwdinv)]
    fn solver_fwdinv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.small(py, &mut self.data_mut().solver_fwdinv)
    }

    /// One field of all contacts, stacked.
    fn _contact_field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        contact_column(py, &self.data().contact, name)
    }

    /// One field of all warnings (`number`, `lastinfo`).
    fn _warning_field(&self, name: &str) -> Vec<i32> {
        let pick =
            |w: &ligament_model::data::WarningStat| if name == "number" { w.number } else { w.lastinfo };
        self.data().warning.iter().map(pick).collect()
    }

    /// Durations and call counts of all timers.
    fn _timers(&self) -> (Vec<f64>, Vec<i32>) {
        self.data().timer.iter().map(|t| (t.duration, t.number)).unzip()
    }

    /// One field of the solver statistics, flat over islands and iterations.
    fn _solver_field(&self, name: &str) -> PyResult<Vec<f64>> {
        let stats = &self.data().solver;
        Ok(match name {
            "improvement" => stats.iter().map(|s| s.improvement).collect(),
            "gradient" => stats.iter().map(|s| s.gradient).collect(),
            "lineslope" => stats.iter().map(|s| s.lineslope).collect(),
            "nactive" => stats.iter().map(|s| f64::from(s.nactive)).collect(),
            "nchange" => stats.iter().map(|s| f64::from(s.nchange)).collect(),
            "neval" => stats.iter().map(|s| f64::from(s.neval)).collect(),
            "nupdate" => stats.iter().map(|s| f64::from(s.nupdate)).collect(),
            _ => return Err(PyAttributeError::new_err(format!("no solver statistic '{name}'"))),
        })
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

fn contact_column<'py>(py: Python<'py>, contacts: &[Contact], name: &str) -> PyResult<Bound<'py, PyAny>> {
    fn stack<'py, T: Element>(
        py: Python<'py>,
        contacts: &[Contact],
        pick: fn(&Contact) -> T,
    ) -> PyResult<Bound<'py, PyAny>> {
        let column: Vec<T> = contacts.iter().map(pick).collect();
        let shape = Shape::default().with(column.len());
        let shape = T::INNER.map_or(shape, |n| shape.with(n));
        let flat: ArrayRef<'_> = T::flat(&column);
        memory::copy(py, flat, shape)
    }
    match name {
        "dist" => stack(py, contacts, |c| c.dist),
        "pos" => stack(py, contacts, |c| c.pos),
        "frame" => stack(py, contacts, |c| c.frame),
        "includemargin" => stack(py, contacts, |c| c.includemargin),
        "friction" => stack(py, contacts, |c| c.friction),
        "solref" => stack(py, contacts, |c| c.solref),
        "solreffriction" => stack(py, contacts, |c| c.solreffriction),
        "solimp" => stack(py, contacts, |c| c.solimp),
        "mu" => stack(py, contacts, |c| c.mu),
        "H" => stack(py, contacts, |c| c.H),
        "dim" => stack(py, contacts, |c| c.dim),
        "geom1" => stack(py, contacts, |c| c.geom[0]),
        "geom2" => stack(py, contacts, |c| c.geom[1]),
        "geom" => stack(py, contacts, |c| c.geom),
        "flex" => stack(py, contacts, |c| c.flex),
        "elem" => stack(py, contacts, |c| c.elem),
        "vert" => stack(py, contacts, |c| c.vert),
        "exclude" => stack(py, contacts, |c| c.exclude),
        "efc_address" => stack(py, contacts, |c| c.efc_address),
        _ => Err(PyAttributeError::new_err(format!("'MjContact' object has no attribute '{name}'"))),
    }
}
