//! `ligament.batch`: many worlds of one model. The native part; names, errors and views are made in Python.

mod arguments;
pub(crate) mod callbacks;
mod device;
mod memory;
mod records;
mod streams;

use crate::data::PyData;
use crate::functions::callbacks::any_installed;
use crate::functions::fatal;
use crate::model::PyModel;
use crate::scene::{PyCamera, PyVisualOption};
use arguments::{ids, input, output};
use ligament_batch::{
    Batch, BatchError, Config, DeviceWorlds, Interrupt, Models, Operation, Parameter, Randomize, RayHits,
    Rays, Record, RecordParts, ResultField, Select, View,
};
use ligament_model::array::ArrayMut;
use ligament_model::data::NWARNING;
use ligament_model::enums::Stage;
use ligament_model::{Data, Model};
use ligament_py_macros::entries;
use ligament_render::Output;
use ligament_sim::state::state_size;
use memory::{Place, Shared};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The native part of `Batch`. Calls are serialised; views of its arrays keep the batch alive.
#[pyclass(frozen, module = "ligament._core", name = "_Batch")]
pub struct PyBatch {
    shared: Arc<Shared>,
    has_callbacks: AtomicBool,
    /// What a signal raised that ended a call.
    raised: Arc<Mutex<Option<PyErr>>>,
    model: Arc<Model>,
    /// For shapes of results.
    empty: Data,
    #[pyo3(get)]
    nsim: usize,
    #[pyo3(get)]
    nthread: usize,
    #[pyo3(get)]
    persistent: bool,
    /// Are addresses on the device ones of a GPU, rather than of this process?
    on_gpu: bool,
}

/// A call that was refused: `FatalError` where models and parameters exclude each other, else `ValueError`.
fn refused(error: BatchError) -> PyErr {
    match error {
        BatchError::CallerModels | BatchError::OwnParameters | BatchError::Reset(_) => fatal(error),
        BatchError::Device(said) => PyRuntimeError::new_err(said),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// Ends a call when a signal has raised an exception (Ctrl-C), which is kept for the end of the call.
fn signals(raised: Arc<Mutex<Option<PyErr>>>) -> Interrupt {
    Arc::new(move || {
        let Err(error) = Python::attach(|py| py.check_signals()) else { return false };
        *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        true
    })
}

type Any<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

fn stage(number: i32) -> PyResult<Stage> {
    Stage::try_from(number).map_err(|n| PyValueError::new_err(format!("stage must be an mjtStage, got {n}")))
}

/// The worlds with these ids, or all.
fn select(ids: &Option<Vec<i32>>) -> Select<'_> {
    ids.as_deref().map_or(Select::All, Select::Ids)
}

impl PyBatch {
    /// Runs a call without the interpreter lock, one at a time.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut Batch) -> Result<T, BatchError> + Send,
    ) -> PyResult<T> {
        let installed = any_installed();
        if installed || self.has_callbacks.load(Ordering::Relaxed) {
            let hooks = callbacks::c_functions(py)?;
            self.shared.with(py, |batch| batch.set_callbacks(&hooks))?;
            self.has_callbacks.store(installed, Ordering::Relaxed);
        }
        let outcome = self.shared.with(py, call)?;
        match self.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => outcome.map_err(refused),
        }
    }

    /// A view of a table as worlds × shape.
    fn view<'py>(
        &self,
        py: Python<'py>,
        shape: &[usize],
        find: impl FnOnce(&mut Batch) -> Result<Place, BatchError> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let place = self.shared.with(py, find)?.map_err(refused)?;
        let dims: Vec<usize> = std::iter::once(self.nsim).chain(shape.iter().copied()).collect();
        memory::view(py, &self.shared, place, &dims)
    }

    /// Works on the worlds on a device.
    fn on_device<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut DeviceWorlds<'_>) -> Result<T, BatchError> + Send,
    ) -> PyResult<T> {
        self.run(py, |batch| match batch.device() {
            Some(mut device) => work(&mut device),
            None => Err(BatchError::DeviceLacks("the batch is on no device".into())),
        })
    }

    /// Worlds of a call.
    fn count(&self, ids: Option<&Vec<i32>>) -> usize {
        ids.map_or(self.nsim, Vec::len)
    }

    fn result(name: &str) -> PyResult<ResultField> {
        ResultField::find(name).ok_or_else(|| refused(BatchError::UnknownResult(name.to_owned())))
    }
}

#[entries]
impl PyBatch {
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn py_new(
        py: Python<'_>,
        model: &PyModel,
        nsim: usize,
        nthread: usize,
        persistent: bool,
        lean: bool,
        device_: &str,
        double: bool,
    ) -> PyResult<Self> {
        let device = device::named(device_, double)?;
        let has_callbacks = AtomicBool::new(any_installed());
        let callbacks = callbacks::c_functions(py)?;
        let raised = Arc::new(Mutex::new(None));
        let interrupt = Some(signals(raised.clone()));
        let config = Config { threads: nthread, persistent, lean, device, callbacks, interrupt, pool: None };
        let model = Arc::new(model.read()?.clone());
        let batch = py.detach(|| Batch::new(model.clone(), nsim, &config)).map_err(refused)?;
        let (empty, nthread) = (Data::new(&model), batch.nthread());
        Ok(Self {
            shared: Shared::new(batch),
            has_callbacks,
            raised,
            model,
            empty,
            nsim,
            nthread,
            persistent,
            on_gpu: device_ == "cuda",
        })
    }

    #[getter]
    fn nstate(&self, py: Python<'_>) -> PyResult<usize> {
        self.shared.with(py, |batch| batch.layout().width())
    }

    /// Name, first column and number of columns of each part of the state.
    fn layout(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, usize, usize)>> {
        self.shared.with(py, |batch| {
            batch.layout().parts().iter().map(|part| (part.name, part.start, part.len)).collect()
        })
    }

    #[staticmethod]
    fn result_names() -> Vec<&'static str> {
        ResultField::names()
    }

    #[staticmethod]
    fn parameter_names() -> Vec<String> {
        Parameter::names()
    }

    #[staticmethod]
    fn is_structural(name: &str) -> bool {
        Parameter::is_structural(name)
    }

    /// The state rows, as a view.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let width = self.nstate(py)?;
        self.view(py, &[width], |batch| Ok(ArrayMut::F64(batch.state_mut()).into()))
    }

    /// The outcome of every world's last call, as a view.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view(py, &[], |batch| Ok(ArrayMut::I32(batch.status_mut()).into()))
    }

    /// Warning counters: worlds × kinds × (lastinfo, number), as a view.
    #[getter]
    fn warning<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counters = |batch: &mut Batch| Ok(ArrayMut::I32(batch.warnings_mut().as_flattened_mut()).into());
        self.view(py, &[NWARNING, 2], counters)
    }

    /// What happened to a world in its last call, or nothing.
    fn error(&self, py: Python<'_>, world: usize) -> PyResult<String> {
        let worlds = self.nsim;
        if world >= worlds {
            return Err(refused(BatchError::IdRange { id: world as i64, worlds }));
        }
        self.shared.with(py, |batch| batch.error(world).map_or_else(String::new, ToString::to_string))
    }

    /// Copies a field out after every call; its values, as a view.
    fn bind<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let shape = Self::result(name)?.shape(&self.model, &self.empty);
        self.view(py, shape.dims(), |batch| Ok(batch.bind(name)?.values.values_mut().into()))
    }

    /// Shape of one world's value of a result and the name of its type.
    fn result_template<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<(Bound<'py, PyTuple>, &'static str)> {
        let field = Self::result(name)?;
        let shape = field.shape(&self.model, &self.empty);
        Ok((PyTuple::new(py, shape.dims())?, arguments::type_name(field.extent(&self.empty).1)))
    }

    /// Gives a parameter a value per world; the values, as a view.
    fn expand<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let unknown = || refused(BatchError::UnknownParameter(name.to_owned()));
        let shape = Parameter::find(name).ok_or_else(unknown)?.shape(&self.model);
        self.view(py, shape.dims(), |batch| Ok(batch.expand(name)?.values.values_mut().into()))
    }

    /// The values of a parameter that is per world, as a view.
    fn expanded<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let unknown = || BatchError::UnknownParameter(name.to_owned());
        let shape = Parameter::find(name).ok_or_else(|| refused(unknown()))?.shape(&self.model);
        if !self.shared.with(py, |batch| batch.expanded(name).is_some())? {
            return Ok(None);
        }
        let find = |batch: &mut Batch| {
            batch.expanded_mut(name).map(|own| own.values.values_mut().into()).ok_or_else(unknown)
        };
        self.view(py, shape.dims(), find).map(Some)
    }

    /// Runs worlds on models of the caller: one for all, or one each; none goes back to the batch's own.
    fn set_models(&self, py: Python<'_>, models: Vec<Bound<'_, PyModel>>, each: bool) -> PyResult<()> {
        let copy = |model: &Bound<'_, PyModel>| model.get().read().map(|model| Arc::new(model.clone()));
        let copies = models.iter().map(copy).collect::<PyResult<Vec<_>>>()?;
        let models =
            if each { Some(Models::Each(copies)) } else { copies.into_iter().next().map(Models::One) };
        self.run(py, |batch| batch.set_models(models))
    }

    // ------------------------------------------------------------------------------------------------- on a device

    /// Address and columns of a part of the state, or of a result that the kernels write from now on.
    fn lend(&self, py: Python<'_>, name: &str) -> PyResult<(u64, usize)> {
        self.on_device(py, |device| device.lend(name))
    }

    /// Numbers of a part of the state or of a result, one row after the other.
    fn read_device<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.on_device(py, |device| device.read(name))?))
    }

    /// Sets the numbers of a part of the state.
    fn write_device(&self, py: Python<'_>, name: &str, values: PyReadonlyArray1<'_, f64>) -> PyResult<()> {
        let values = values.as_slice()?.to_vec();
        self.on_device(py, |device| device.write(name, &values))
    }

    /// Writes what the device has into the state rows.
    fn refresh_rows(&self, py: Python<'_>) -> PyResult<()> {
        self.on_device(py, |device| device.refresh())
    }

    /// Sends the state rows to the device, which were changed.
    fn send_rows(&self, py: Python<'_>) -> PyResult<()> {
        self.run(py, |batch| {
            batch.note_state();
            batch.device().map_or(Ok(()), |mut device| device.flush())
        })
    }

    /// Waits for what a stream of the device was asked for.
    fn wait_for(&self, py: Python<'_>, stream: u64) -> PyResult<()> {
        self.on_device(py, |device| device::wait_for(device, stream))
    }

    /// Resets the worlds marked by bytes in the device's memory.
    #[pyo3(signature = (mask, key=None))]
    fn reset_masked(&self, py: Python<'_>, mask: u64, key: Option<usize>) -> PyResult<()> {
        if !self.on_gpu {
            return Err(PyValueError::new_err("masks by their address are for batches on a GPU"));
        }
        self.on_device(py, |device| device::reset_masked(device, mask, key))
    }

    /// Shared memory of a world, registers and stack of a thread, worlds at a time, device memory of a world.
    fn facts(&self, py: Python<'_>) -> PyResult<[usize; 5]> {
        let f = self.on_device(py, |device| device.facts())?;
        Ok([f.shared_bytes, f.registers, f.local_bytes, f.resident, f.state_bytes])
    }

    /// Contacts and solver iterations of each world since the last call.
    fn take_counts(&self, py: Python<'_>) -> PyResult<Vec<[i32; 2]>> {
        self.on_device(py, |device| device.take_counts())
    }

    /// Waits until everything asked for is done.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        self.on_device(py, |device| device.synchronize())
    }

    /// Compiles kernels into the cache, for GPUs that need not be there. Bytes of their machine code.
    #[staticmethod]
    fn compile_kernels(
        py: Python<'_>,
        model: &PyModel,
        architecture: u32,
        double: bool,
        results: Vec<String>,
    ) -> PyResult<Vec<usize>> {
        let model = Arc::new(model.read()?.clone());
        py.detach(|| device::compile_kernels(&model, architecture, double, &results)).map_err(refused)
    }

    /// Parts of the state that a device has.
    #[staticmethod]
    fn device_parts() -> Vec<&'static str> {
        DeviceWorlds::parts().collect()
    }

    /// Why a derived field is not on the device.
    fn device_lacks(&self, py: Python<'_>, name: &str) -> PyResult<Option<String>> {
        self.on_device(py, |device| Ok(device.lacks(name)))
    }

    // ---------------------------------------------------------------------------------------------------- one world

    /// Writes a world's model into a model of the same sizes.
    fn write_model(&self, py: Python<'_>, world: usize, target: &Bound<'_, PyModel>) -> PyResult<()> {
        let model = self.run(py, |batch| batch.world_model(world))?;
        arguments::assign(&mut *target.get().write()?, &model)
    }

    /// Writes a world's state, and in a persistent batch all that was computed for it, into a data.
    fn write_data(&self, py: Python<'_>, world: usize, target: &Bound<'_, PyData>) -> PyResult<()> {
        let mut target = target.get().shared.overwrite()?;
        if !target.fits(&self.model) {
            return Err(fatal("the data has other sizes than the worlds of the batch"));
        }
        let data = &mut *target;
        self.run(py, |batch| {
            if let Some(mut device) = batch.device() {
                device.refresh()?;
            }
            batch.write_world_data(world, data)
        })?;
        target.repaired();
        Ok(())
    }

    /// Draws numbers for worlds: uniform, loguniform or normal, to set, scale or add.
    #[allow(clippy::too_many_arguments)]
    fn randomize(
        &self,
        py: Python<'_>,
        ids_: Any<'_, '_>,
        field: &str,
        elements: Option<Vec<usize>>,
        distribution: (String, f64, f64),
        effect: &str,
        together: bool,
        seed: u64,
    ) -> PyResult<()> {
        let ids = ids(ids_)?;
        let (distribution, effect) = arguments::drawing(&distribution, effect)?;
        let elements = elements.as_deref();
        let what = Randomize { field, elements, distribution, effect, together, seed };
        self.run(py, |batch| {
            if let Some(mut device) = batch.device() {
                device.refresh()?;
            }
            batch.randomize(select(&ids), &what)?;
            batch.device().map_or(Ok(()), |mut device| device.flush())
        })
    }

    /// Numbers of the elements in a flat field that belong to a named object.
    fn elements(&self, field: &str, name: &str, columns: Option<Vec<usize>>) -> PyResult<Vec<usize>> {
        ligament_batch::elements(&self.model, field, name, columns.as_deref()).map_err(refused)
    }

    /// Steps, then stages; the number of worlds that failed.
    fn step(
        &self,
        py: Python<'_>,
        ids_: Any<'_, '_>,
        nstep: usize,
        stage_: i32,
        rnepost: bool,
    ) -> PyResult<usize> {
        let (ids, stage) = (ids(ids_)?, stage(stage_)?);
        self.run(py, |batch| batch.run(select(&ids), &Operation::Step { nstep, stage, rnepost }))
    }

    fn forward(&self, py: Python<'_>, ids_: Any<'_, '_>, stage_: i32) -> PyResult<usize> {
        let (ids, stage) = (ids(ids_)?, stage(stage_)?);
        self.run(py, |batch| batch.forward(select(&ids), stage))
    }

    fn reset(&self, py: Python<'_>, ids_: Any<'_, '_>, keys: Vec<i32>, stage_: i32) -> PyResult<usize> {
        let (ids, stage) = (ids(ids_)?, stage(stage_)?);
        self.run(py, |batch| batch.reset(select(&ids), &keys, stage))
    }

    fn set_const(&self, py: Python<'_>, ids_: Any<'_, '_>) -> PyResult<usize> {
        let ids = ids(ids_)?;
        self.run(py, |batch| batch.set_const(select(&ids)))
    }

    /// Steps with inputs before and records after each: `(name or None, state bits, array)` for each record.
    fn rollout(
        &self,
        py: Python<'_>,
        ids_: Any<'_, '_>,
        nstep: usize,
        control: Any<'_, '_>,
        control_spec: i32,
        records: &Bound<'_, PyList>,
    ) -> PyResult<usize> {
        let ids = ids(ids_)?;
        let count = self.count(ids.as_ref());
        let width = state_size(&self.model, control_spec)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let control = control.map(|x| input::<f64>(x, "control", &[count, nstep, width])).transpose()?;
        let control = control.as_ref().map(|x| x.as_slice()).transpose()?;
        let mut memory = Vec::new();
        for item in records {
            let (name, spec, value): (Option<String>, i32, Bound<'_, PyAny>) = item.extract()?;
            memory.push(self.record(name.as_deref(), spec, &value, [count, nstep])?);
        }
        if count == 0 || nstep == 0 {
            return Ok(0);
        }
        let records = memory
            .iter_mut()
            .map(|(what, memory)| Ok(Record { what: *what, out: RecordParts::new(memory.array()?, count) }))
            .collect::<PyResult<Vec<_>>>()?;
        self.run(py, |batch| batch.rollout(select(&ids), nstep, control, control_spec, &records))
    }

    /// Jacobians of points on bodies.
    fn jac(
        &self,
        py: Python<'_>,
        ids_: Any<'_, '_>,
        body: &Bound<'_, PyAny>,
        point: &Bound<'_, PyAny>,
        jacp: Any<'_, '_>,
        jacr: Any<'_, '_>,
    ) -> PyResult<usize> {
        let ids = ids(ids_)?;
        let (count, nv) = (self.count(ids.as_ref()), self.model.nv);
        let (body, point) =
            (input::<i32>(body, "body", &[count])?, input::<f64>(point, "point", &[count, 3])?);
        let mut jacp = jacp.map(|x| output::<f64>(x, "jacp", &[count, 3, nv])).transpose()?;
        let mut jacr = jacr.map(|x| output::<f64>(x, "jacr", &[count, 3, nv])).transpose()?;
        let (body, point) = (body.as_slice()?, point.as_slice()?.as_chunks::<3>().0);
        let jacp = jacp.as_mut().map(|x| x.as_slice_mut()).transpose()?;
        let jacr = jacr.as_mut().map(|x| x.as_slice_mut()).transpose()?;
        self.run(py, |batch| batch.jac(select(&ids), body, point, jacp, jacr))
    }

    /// Pictures of worlds, all of one kind: `colors`, `depths` or `segments`.
    fn render(
        &self,
        py: Python<'_>,
        ids_: Any<'_, '_>,
        camera: &PyCamera,
        option: &PyVisualOption,
        size: (usize, usize),
        max_geoms: usize,
        kind: &str,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let (ids, (height, width)) = (ids(ids_)?, size);
        let count = self.count(ids.as_ref());
        let (camera, option) = (camera.record().clone(), option.record().clone());
        let view = View { camera, option, width, height, max_geoms };
        let shape = [count, height, width];
        match kind {
            "colors" => {
                let mut out = output::<u8>(out, "out", &[count, height, width, 3])?;
                let pictures = Output::Colors(out.as_slice_mut()?);
                self.run(py, |batch| batch.render(select(&ids), &view, pictures))
            }
            "depths" => {
                let mut out = output::<f32>(out, "out", &shape)?;
                let pictures = Output::Depths(out.as_slice_mut()?);
                self.run(py, |batch| batch.render(select(&ids), &view, pictures))
            }
            _ => {
                let mut out = output::<i32>(out, "out", &[count, height, width, 2])?;
                let pictures = Output::Segments(out.as_slice_mut()?);
                self.run(py, |batch| batch.render(select(&ids), &view, pictures))
            }
        }
    }

    /// What rays meet first.
    fn ray(
        &self,
        py: Python<'_>,
        ids_: Any<'_, '_>,
        pnt: &Bound<'_, PyAny>,
        vec: &Bound<'_, PyAny>,
        groups: Option<[u8; 6]>,
        include_static: bool,
        exclude: &Bound<'_, PyAny>,
        dist: &Bound<'_, PyAny>,
        geomid: &Bound<'_, PyAny>,
        normal: Any<'_, '_>,
    ) -> PyResult<usize> {
        let ids = ids(ids_)?;
        let worlds = self.count(ids.as_ref());
        let nray: usize = dist.getattr("size")?.extract::<usize>()?.checked_div(worlds).unwrap_or(0);
        let vectors = [worlds, nray, 3];
        let origins = input::<f64>(pnt, "pnt", &vectors)?;
        let directions = input::<f64>(vec, "vec", &vectors)?;
        let exclude = input::<i32>(exclude, "bodyexclude", &vectors[..2])?;
        let mut distance = output::<f64>(dist, "dist", &vectors[..2])?;
        let mut geom = output::<i32>(geomid, "geomid", &vectors[..2])?;
        let mut normal = normal.map(|x| output::<f64>(x, "normal", &vectors)).transpose()?;
        let rays = Rays {
            origins: origins.as_slice()?,
            directions: directions.as_slice()?,
            exclude: exclude.as_slice()?,
            groups,
            include_static,
        };
        let hits = RayHits {
            distance: distance.as_slice_mut()?,
            geom: geom.as_slice_mut()?,
            normal: normal.as_mut().map(|x| x.as_slice_mut()).transpose()?,
        };
        self.run(py, |batch| batch.ray(select(&ids), &rays, hits))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<streams::PyStreams>()?;
    module.add_class::<PyBatch>()
}
