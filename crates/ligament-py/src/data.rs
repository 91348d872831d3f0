//! `MjData`: views of a simulation state.
#![allow(unsafe_code)] // addresses of single numbers

use crate::functions::fatal;
use crate::guard::current_call;
use crate::memory::{self, Content, Keeper, Place, Reader, Shared};
use crate::model::{PyModel, TableRow};
use crate::records;
use ligament_model::array::{Element, Shape};
use ligament_model::data::{DataField, Scalar, renew};
use ligament_model::{Contact, Data, Model, Sizes};
use ligament_py_macros::entries;
use pyo3::exceptions::{PyAttributeError, PyIndexError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

impl Content for Data {
    const NAME: &'static str = "data";
    const REMEDY: &'static str = "call mj_resetData";

    /// The fields of the table, then the short arrays in the order of [`SMALL`].
    fn places(&mut self) -> Vec<Place> {
        let place = |field: &DataField| match field.list {
            Some(_) => u8::flat_mut(&mut []).into(), // lists move
            None => (field.get_mut)(self).into(),
        };
        let mut places: Vec<Place> = Self::FIELDS.iter().map(place).collect();
        places.push(f64::flat_mut(&mut self.energy).into());
        places.push(i32::flat_mut(&mut self.solver_niter).into());
        places.push(i32::flat_mut(&mut self.solver_nnz).into());
        places.push(f64::flat_mut(&mut self.solver_fwdinv).into());
        places
    }

    fn tidy(&mut self) {
        self.workspace = Default::default();
        self.callbacks = crate::functions::callbacks::clock_only();
    }
}

/// Short arrays of fixed length that are not in the table of fields.
const SMALL: [&str; 4] = ["energy", "solver_niter", "solver_nnz", "solver_fwdinv"];
/// Numbers that count what is in lists of changing length.
const COUNTS: [&str; 8] = ["ne", "nf", "nl", "nefc", "nJ", "nA", "nisland", "nidof"];
/// Most entries of a list that is made from Python.
const MOST_ENTRIES: usize = 1 << 20;
/// The contacts, among the lists that are lent; the others are known by their place in the table.
const CONTACTS: usize = usize::MAX;

/// The native part of `MjData`.
#[pyclass(subclass, frozen, module = "ligament._core", name = "MjData")]
pub struct PyData {
    pub shared: Arc<Shared<Data>>,
    sizes: Sizes,
    /// Whether someone outside may have changed integers of lists, until they are made anew.
    lists_suspect: AtomicBool,
    /// Whether someone outside can change integers of fixed arrays.
    integers_suspect: AtomicBool,
}

/// Functions that make all lists and patterns anew before they read them.
const FRESH: [&str; 8] = [
    "mj_step",
    "mj_step1",
    "mj_forward",
    "mj_inverse",
    "mj_fwdPosition",
    "mj_invPosition",
    "mj_collision",
    "_rollout",
];

/// Functions that look at neither contacts nor constraint rows.
const SMOOTH: [&str; 9] = [
    "mj_kinematics",
    "mj_comPos",
    "mj_camlight",
    "mj_tendon",
    "mj_transmission",
    "mj_crb",
    "mj_makeM",
    "mj_factorM",
    "mj_comVel",
];

impl PyData {
    fn new(data: Data, sizes: Sizes) -> Self {
        let (lists_suspect, integers_suspect) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { shared: Shared::new(data), sizes, lists_suspect, integers_suspect }
    }

    /// Before a stage runs alone on what others have left: integers that may have been changed from outside.
    pub fn check_integers(&self, model: &Model, data: &Data) -> PyResult<()> {
        let lists = self.lists_suspect.load(Ordering::Acquire);
        if !lists && !self.integers_suspect.load(Ordering::Acquire) {
            return Ok(());
        }
        let inconsistent = |what| fatal(format!("the state is inconsistent: {what}"));
        if SMOOTH.contains(current_call()) {
            return data.validate_smooth(model).map_err(inconsistent); // what was not looked at stays suspect
        }
        if !FRESH.contains(current_call()) {
            data.validate(model).map_err(inconsistent)?;
        }
        self.lists_suspect.store(false, Ordering::Release);
        Ok(())
    }
}

/// Gives the arrays of fixed size of a state.
#[pyclass(frozen, module = "ligament._core")]
pub struct Fetcher {
    shared: Arc<Shared<Data>>,
    sizes: Sizes,
}

fn no_attribute(name: &str) -> PyErr {
    PyAttributeError::new_err(format!("'MjData' object has no attribute '{name}'"))
}

fn find(name: &str) -> PyResult<(usize, &'static DataField)> {
    let index = Data::FIELDS.iter().position(|field| field.name == name).ok_or_else(|| no_attribute(name))?;
    Ok((index, &Data::FIELDS[index]))
}

/// An array of fixed size. Needs no entry: the array neither moves nor changes its length.
fn fixed<'py>(
    py: Python<'py>,
    shared: &Arc<Shared<Data>>,
    index: usize,
    shape: Shape,
) -> PyResult<Bound<'py, PyAny>> {
    let place = shared.place(index).ok_or_else(|| no_attribute("array"))?;
    memory::view(py, place, shape, shared.clone())
}

/// The shape of a field of fixed size, which no number of the state decides.
fn fixed_shape(field: &DataField, sizes: &Sizes) -> Shape {
    thread_local!(static NOTHING: Data = Data::allocate(&Sizes::default()));
    NOTHING.with(|nothing| (field.shape)(sizes, nothing))
}

#[entries]
impl Fetcher {
    fn __call__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (index, field) = find(name)?;
        if field.dynamic {
            return Err(no_attribute(name));
        }
        fixed(py, &self.shared, index, fixed_shape(field, &self.sizes))
    }
}

#[entries]
impl PyData {
    #[new]
    fn py_new(model: &PyModel) -> PyResult<Self> {
        let model = model.read()?;
        let mut data = ligament_sim::reset::make_data(&model).map_err(fatal)?;
        data.callbacks = crate::functions::callbacks::clock_only();
        Ok(Self::new(data, model.sizes().clone()))
    }

    /// Overwrites this state with another of the same model, in place: views stay valid.
    fn _assign(&self, source: &PyData) -> PyResult<()> {
        if self.sizes != source.sizes {
            return Err(PyTypeError::new_err("the states belong to models of different sizes"));
        }
        if Arc::ptr_eq(&self.shared, &source.shared) {
            return Ok(());
        }
        let source = source.shared.read()?;
        let mut target = self.shared.overwrite()?;
        target.assign(&source);
        target.repaired();
        Ok(())
    }

    /// Arrays as views, scalars as numbers.
    fn _field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        if Data::SCALARS.contains(&name) {
            return self.scalar(py, name);
        }
        let (index, field) = find(name)?;
        let Some(list) = field.list else {
            if matches!(self.shared.place(index), Some(Place::I32(_))) {
                self.integers_suspect.store(true, Ordering::Release);
            }
            return fixed(py, &self.shared, index, fixed_shape(field, &self.sizes));
        };
        let data = self.shared.read()?;
        let (place, shape) = (Place::from((field.get)(&data)), (field.shape)(&self.sizes, &data));
        if matches!(place, Place::I32(_)) {
            self.lists_suspect.store(true, Ordering::Release);
        }
        if shape.dims()[0] == 0 {
            return Ok(memory::empty(py, place, shape));
        }
        self.list(&data, index, list.renew, |keeper| memory::view(py, place, shape, keeper))
    }

    /// A function from names to arrays of fixed size, without a reference to this object.
    fn _fetcher(&self) -> Fetcher {
        Fetcher { shared: self.shared.clone(), sizes: self.sizes.clone() }
    }

    #[getter(time)]
    fn time(&self) -> f64 {
        // SAFETY: the number is there for as long as the state; at worst another thread changes it meanwhile.
        unsafe { (&raw const (*self.shared.address()).time).read_volatile() }
    }

    #[setter(time)]
    fn set_time(&self, time: f64) {
        // SAFETY: as above.
        unsafe { (&raw mut (*self.shared.address()).time).write_volatile(time) }
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

    /// A short array that is not in the table of fields.
    fn _small<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let index = SMALL.iter().position(|small| *small == name).ok_or_else(|| no_attribute(name))?;
        let place = self.shared.place(Data::FIELDS.len() + index).ok_or_else(|| no_attribute(name))?;
        let length = match place {
            Place::F64(x) => x.len(),
            Place::I32(x) => x.len(),
            _ => 0,
        };
        memory::view(py, place, Shape::default().with(length), self.shared.clone())
    }

    /// One field of all contacts, as a view.
    fn _contact_field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let data = self.shared.read()?;
        self.lists_suspect.store(true, Ordering::Release);
        let renew_contacts = |d: &mut Data| renew(&mut d.contact);
        self.list(&data, CONTACTS, renew_contacts, |keeper| {
            records::contact(py, &raw const data.contact[..], name, keeper)
        })
    }

    /// How many contacts there are.
    fn _contact_count(&self) -> PyResult<usize> {
        Ok(self.shared.read()?.contact.len())
    }

    /// One number of one contact.
    fn _contact_number<'py>(&self, py: Python<'py>, name: &str, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let data = self.shared.read()?;
        let contact = data.contact.get(index).ok_or_else(|| PyIndexError::new_err("Index out of range."))?;
        let real = |x: f64| -> PyResult<Bound<'py, PyAny>> { Ok(x.into_pyobject(py)?.into_any()) };
        let integer = |x: i32| -> PyResult<Bound<'py, PyAny>> { Ok(x.into_pyobject(py)?.into_any()) };
        match name {
            "dist" => real(contact.dist),
            "includemargin" => real(contact.includemargin),
            "mu" => real(contact.mu),
            "dim" => integer(contact.dim),
            "geom1" => integer(contact.geom[0]),
            "geom2" => integer(contact.geom[1]),
            "exclude" => integer(contact.exclude),
            "efc_address" => integer(contact.efc_address),
            _ => Err(PyAttributeError::new_err(format!("'MjContact' object has no number '{name}'"))),
        }
    }

    /// One field of all warnings, as a view.
    fn _warning_field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: an address inside the state, which never moves.
        let list = unsafe { &raw const (*self.shared.address()).warning };
        records::warning(py, list, name, self.shared.clone())
    }

    /// One field of all timers, as a view.
    fn _timer_field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: as above.
        let list = unsafe { &raw const (*self.shared.address()).timer };
        records::timer(py, list, name, self.shared.clone())
    }

    /// One field of the solver statistics, flat over islands and iterations, as a view.
    fn _solver_field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let data = self.shared.look()?;
        records::solver(py, &raw const data.solver[..], name, self.shared.clone())
    }

    /// Sets how many bytes the contacts and constraint rows of this state may take, and about how many operations one
    /// step may make before it ends with an error. What is not given stays as it is.
    #[pyo3(signature = (*, memory=None, effort=None))]
    fn set_limits(&self, memory: Option<u64>, effort: Option<u64>) -> PyResult<()> {
        let mut data = self.shared.write()?;
        data.memory = memory.unwrap_or(data.memory);
        data.effort = effort.unwrap_or(data.effort);
        Ok(())
    }

    /// Threads that may work on one step of a large scene (islands, contacts); the numbers do not depend on it.
    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(self.shared.look()?.threads)
    }

    #[setter]
    fn set_threads(&self, threads: usize) -> PyResult<()> {
        if threads == 0 || threads > ligament_sim::parallel::MAX_THREADS {
            let most = ligament_sim::parallel::MAX_THREADS;
            return Err(PyValueError::new_err(format!(
                "threads must be between 1 and {most}, got {threads}"
            )));
        }
        self.shared.write()?.threads = threads;
        Ok(())
    }

    /// The address of the state in memory.
    #[getter]
    fn _address(&self) -> usize {
        self.shared.address().addr()
    }

    /// Replaces the lists whose length changes from step to step, for unpickling.
    fn _set_lists(&self, counts: BTreeMap<String, usize>, contacts: usize) -> PyResult<()> {
        let mut data = self.shared.write()?;
        self.lists_suspect.store(true, Ordering::Release);
        if contacts > MOST_ENTRIES || counts.values().any(|&count| count > MOST_ENTRIES) {
            return Err(PyMemoryError::new_err(format!("lists can have up to {MOST_ENTRIES} entries")));
        }
        for (name, count) in counts {
            let list = find(&name)?.1.list.ok_or_else(|| no_attribute(&name))?;
            (list.resize)(&mut data, count);
        }
        data.contact.resize(contacts, Contact::default());
        Ok(())
    }

    /// Sets a number that is not an array. Those that count the entries of lists follow from the lists; only the
    /// rows of constraints can be dropped all at once.
    fn _set_scalar(&self, name: &str, value: f64) -> PyResult<()> {
        let mut data = self.shared.write()?;
        let most = match name {
            "ntree_awake" => Some(self.sizes.ntree),
            "nbody_awake" | "nparent_awake" => Some(self.sizes.nbody),
            "nv_awake" => Some(self.sizes.nv),
            _ => None,
        };
        if let Some(most) = most.filter(|&most| !(0.0..=most as f64).contains(&value)) {
            return Err(PyValueError::new_err(format!("{name} can be 0 to {most}, not {value}")));
        }
        if name == "nefc" && value == 0.0 {
            data.clear_constraints();
        } else if COUNTS.contains(&name) && data.scalar(name) != Some(Scalar::Count(value as usize)) {
            let text =
                format!("{name} follows from the constraints of the state and cannot be set to {value}");
            return Err(PyValueError::new_err(text));
        }
        data.set_scalar(name, value);
        Ok(())
    }

    /// Sets a number without looking at the lists, for unpickling.
    fn _restore_scalar(&self, name: &str, value: f64) -> PyResult<()> {
        self.lists_suspect.store(true, Ordering::Release);
        self.shared.write()?.set_scalar(name, value);
        Ok(())
    }
}

impl PyData {
    fn scalar<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: one number is read, which is there for as long as the state; at worst another thread changes it now.
        let value = unsafe { (*self.shared.address()).scalar(name) };
        Ok(match value.ok_or_else(|| no_attribute(name))? {
            Scalar::Real(x) => x.into_pyobject(py)?.into_any(),
            Scalar::Count(x) => x.into_pyobject(py)?.into_any(),
            Scalar::Flag(x) => i32::from(x).into_pyobject(py)?.into_any(),
        })
    }

    /// A view of a list that may be replaced; a copy of it inside a callback that only reads, since there the list
    /// cannot be handed to the view afterwards.
    fn list<'py>(
        &self,
        data: &Reader<'_, Data>,
        list: usize,
        renew: memory::Renew<Data>,
        view: impl FnOnce(Keeper) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if data.can_follow_views {
            view(data.lend_list(&self.shared, list, renew))
        } else {
            view(self.shared.clone())?.call_method0("copy")
        }
    }
}
