//! `MjModel`, `MjOption`, `MjStatistic`, `MjVisual`: views of a compiled model.
#![allow(unsafe_code)] // single numbers of the settings, which Python may change at any time

use crate::files::Files;
use crate::functions::fatal;
use crate::guard::whole;
use crate::integers::Integers;
use crate::memory::{self, Content, Keeper, Place, Reader, Shared, Writer};
use crate::refusal;
use ligament::{Assets, Compiled, Spec};
use ligament_model::array::Shape;
use ligament_model::enums::ObjType;
use ligament_model::model::FieldInfo;
use ligament_model::option::*;
use ligament_model::{Model, Sizes};
use ligament_py_macros::entries;
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of an array: name, scalar type, axes by the names of their sizes, width of a row, description.
pub type TableRow = (&'static str, &'static str, Vec<&'static str>, Option<usize>, &'static str);

impl Content for Model {
    const NAME: &'static str = "model";
    const REMEDY: &'static str = "load it again";

    /// The fields of the table, then the settings, group by group. The arrays are pinned: the model shares them with no
    /// other from here on, so that they stay where they are.
    fn places(&mut self) -> Vec<Place> {
        self.pin();
        fn all<T>(group: &mut T, fields: &[FieldInfo<T>]) -> Vec<Place> {
            fields.iter().map(|field| (field.get_mut)(group).into()).collect()
        }
        let mut places = all(self, Model::FIELDS);
        places.extend(all(&mut self.opt, Options::FIELDS));
        places.extend(all(&mut self.stat, Statistic::FIELDS));
        places.extend(all(&mut self.vis.global, VisualGlobal::FIELDS));
        places.extend(all(&mut self.vis.quality, VisualQuality::FIELDS));
        places.extend(all(&mut self.vis.headlight, VisualHeadlight::FIELDS));
        places.extend(all(&mut self.vis.map, VisualMap::FIELDS));
        places.extend(all(&mut self.vis.scale, VisualScale::FIELDS));
        places.extend(all(&mut self.vis.rgba, VisualRgba::FIELDS));
        places
    }

    fn tidy(&mut self) {}
}

/// A model with what is known about integers that Python may have changed.
struct Memory {
    shared: Arc<Shared<Model>>,
    integers: Integers,
}

/// The native part of `MjModel`.
#[pyclass(subclass, frozen, module = "ligament._core", name = "MjModel")]
pub struct PyModel {
    memory: Arc<Memory>,
    /// What it was compiled from; `None` for models from binary files.
    source: Option<Arc<Source>>,
}

/// A specification, and what the compiler made of it before anyone changed a number.
struct Source {
    spec: Arc<Spec>,
    compiled: Compiled,
}

impl PyModel {
    /// A model that is known to be consistent.
    pub fn new(model: Model) -> Self {
        let memory = Memory { shared: Shared::new(model), integers: Integers::default() };
        Self { memory: Arc::new(memory), source: None }
    }

    pub fn with_spec(model: Model, spec: Arc<Spec>) -> Self {
        let compiled = Compiled::of(&spec, &model);
        Self { source: Some(Arc::new(Source { spec, compiled })), ..Self::new(model) }
    }

    fn source(&self) -> PyResult<&Source> {
        self.source.as_deref().ok_or_else(|| PyValueError::new_err("No XML model loaded"))
    }

    /// Enters to read. Integers that were changed from outside are validated first.
    pub fn read(&self) -> PyResult<Reader<'_, Model>> {
        let model = self.memory.shared.read()?;
        self.memory.integers.check(&model).map_err(fatal)?;
        Ok(model)
    }

    /// Enters to write, as above.
    pub fn write(&self) -> PyResult<Writer<'_, Model>> {
        drop(self.read()?);
        self.memory.shared.write()
    }

    /// What is right in any case: settings, and sizes.
    pub fn look(&self) -> PyResult<Reader<'_, Model>> {
        self.memory.shared.look()
    }
}

#[entries]
impl PyModel {
    /// Another handle of the same model; `_copy` makes an independent one.
    #[new]
    fn py_new(source: &PyModel) -> Self {
        Self { memory: source.memory.clone(), source: source.source.clone() }
    }

    fn _copy(&self) -> PyResult<Self> {
        Ok(Self { source: self.source.clone(), ..Self::new(self.read()?.clone()) })
    }

    /// The specification the model was compiled from, as MJCF text.
    fn _xml(&self) -> PyResult<String> {
        let spec = &self.source()?.spec;
        ligament::mjcf_text(spec, &*self.read()?).map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// As above, with the numbers that were changed since.
    fn _edited_xml(&self) -> PyResult<String> {
        let Source { spec, compiled } = self.source()?;
        ligament::edited_mjcf_text(spec, compiled, &*self.read()?)
            .map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// A model without anything in it, for reflection.
    #[staticmethod]
    fn _empty() -> Self {
        Self::new(Model::allocate(Sizes::default()))
    }

    /// A model of the given sizes with every array zeroed; it is validated before it is used.
    #[staticmethod]
    fn _allocate(sizes: BTreeMap<String, i64>) -> PyResult<Self> {
        let mut all = Sizes::default();
        for (name, value) in sizes {
            if !all.set(&name, value) {
                return Err(PyValueError::new_err(format!("no size '{name}' that can be {value}")));
            }
        }
        all.check_extents().map_err(PyValueError::new_err)?;
        let model = Self::new(Model::allocate(all));
        model.memory.integers.distrust();
        Ok(model)
    }

    /// The model in the bytes of a binary model file, Ligament's or MuJoCo's.
    #[staticmethod]
    fn _from_bytes(bytes: &[u8], path: &str) -> PyResult<Self> {
        ligament::model_from_bytes(bytes, path)
            .map(Self::new)
            .map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// The bytes of a binary model file of MuJoCo 3.5.0.
    fn _to_mjb<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = ligament::mjb::write(&*self.read()?).map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Loads a model file; files in `assets` hide those on disk.
    #[staticmethod]
    fn _from_xml_path(py: Python<'_>, path: &str, assets: Files) -> PyResult<Self> {
        load(py, assets, |files| ligament::parse_mjcf_file_with_assets(path, files))
    }

    /// Loads a model from text; files in `assets` hide those on disk.
    #[staticmethod]
    fn _from_xml_string(py: Python<'_>, xml: &str, assets: Files) -> PyResult<Self> {
        load(py, assets, |files| ligament::parse_mjcf_str_with_assets(xml, files))
    }

    fn _to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.look()?.to_bytes()))
    }

    /// A size as a number or an array as a view.
    fn _field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let model = self.look()?;
        if let Some(size) = model.sizes().get(name) {
            return Ok(size.into_pyobject(py)?.into_any());
        }
        if name == "signature" {
            return Ok(model.signature.into_pyobject(py)?.into_any());
        }
        let missing = || PyAttributeError::new_err(format!("'MjModel' object has no attribute '{name}'"));
        let index = Model::FIELDS.iter().position(|field| field.name == name).ok_or_else(missing)?;
        let field = &Model::FIELDS[index];
        let place = self.memory.shared.place(index).ok_or_else(missing)?;
        let keeper: Keeper = match self.memory.integers.watch(field, &model) {
            Some(token) => Arc::new((token, self.memory.clone())),
            None => self.memory.clone(),
        };
        memory::view(py, place, (field.shape)(model.sizes()), keeper)
    }

    #[staticmethod]
    fn _size_names() -> Vec<&'static str> {
        Sizes::NAMES.to_vec()
    }

    #[staticmethod]
    fn _field_names() -> Vec<&'static str> {
        Model::FIELDS.iter().map(|f| f.name).collect()
    }

    /// What the sizes and arrays are.
    #[staticmethod]
    fn _docs() -> Vec<(&'static str, &'static str)> {
        let sizes = Sizes::NAMES.iter().copied().zip(Sizes::DOCS.iter().copied());
        sizes.chain(Model::FIELDS.iter().map(|f| (f.name, f.doc))).collect()
    }

    /// The arrays: name, scalar type, axes by the names of their sizes, width of a row, description.
    #[staticmethod]
    fn _table() -> Vec<TableRow> {
        let model = Model::allocate(Sizes::default());
        let row = |f: &FieldInfo<Model>| {
            let width = (f.shape)(model.sizes()).dims().get(f.extents.len()).copied();
            (f.name, (f.get)(&model).scalar().name(), f.extents.to_vec(), width, f.doc)
        };
        Model::FIELDS.iter().map(row).collect()
    }

    /// The address of the model in memory.
    #[getter]
    fn _address(&self) -> usize {
        self.memory.shared.address().addr()
    }

    /// Settings group: `opt`, `stat`, `vis.global` and so on.
    fn _group(&self, name: &str) -> PyResult<PyGroup> {
        let kind = GroupKind::from_name(name)
            .ok_or_else(|| PyAttributeError::new_err(format!("no settings group '{name}'")))?;
        Ok(PyGroup { shared: self.memory.shared.clone(), kind })
    }

    /// Name of an element, `None` when it has none.
    fn _name(&self, kind: i32, id: i64) -> PyResult<Option<String>> {
        let (Ok(kind), Ok(id)) = (ObjType::try_from(kind), usize::try_from(id)) else { return Ok(None) };
        Ok(self.read()?.name(kind, id).map(str::to_owned))
    }

    /// Id of a named element, -1 when there is none.
    fn _id(&self, kind: i32, name: &str) -> PyResult<i64> {
        let Ok(kind) = ObjType::try_from(kind) else { return Ok(-1) };
        Ok(self.read()?.id(kind, name).map_or(-1, |id| id as i64))
    }
}

/// Loads with the interpreter released; a model that cannot be loaded is a `ValueError`.
fn load(
    py: Python<'_>,
    assets: Files,
    read: impl FnOnce(&dyn Assets) -> ligament::Result<Spec> + Send,
) -> PyResult<PyModel> {
    let files = assets.layered();
    let loaded = py.detach(|| {
        let spec = read(&files).map_err(|error| refusal::unreadable(&error))?;
        match ligament::compile(&spec, &files) {
            Ok(model) => Ok((model, spec)),
            Err(error) => Err(refusal::uncompilable(&error, &spec)),
        }
    });
    let (model, spec) = loaded.map_err(PyValueError::new_err)?;
    Ok(PyModel::with_spec(model, Arc::new(spec)))
}

#[derive(Clone, Copy)]
enum GroupKind {
    Opt,
    Stat,
    VisGlobal,
    VisQuality,
    VisHeadlight,
    VisMap,
    VisScale,
    VisRgba,
}

impl GroupKind {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "opt" => Self::Opt,
            "stat" => Self::Stat,
            "vis.global" => Self::VisGlobal,
            "vis.quality" => Self::VisQuality,
            "vis.headlight" => Self::VisHeadlight,
            "vis.map" => Self::VisMap,
            "vis.scale" => Self::VisScale,
            "vis.rgba" => Self::VisRgba,
            _ => return None,
        })
    }
}

/// One group of settings of a model: numbers as numbers, vectors as views.
#[pyclass(frozen, module = "ligament._core")]
pub struct PyGroup {
    shared: Arc<Shared<Model>>,
    kind: GroupKind,
}

impl PyGroup {
    /// Names, shapes, and the number of places before this group.
    fn table(&self) -> (Vec<(&'static str, Shape)>, usize) {
        fn list<T>(fields: &[FieldInfo<T>]) -> Vec<(&'static str, Shape)> {
            fields.iter().map(|field| (field.name, (field.shape)(&Sizes::default()))).collect()
        }
        let counts = [
            Model::FIELDS.len(),
            Options::FIELDS.len(),
            Statistic::FIELDS.len(),
            VisualGlobal::FIELDS.len(),
            VisualQuality::FIELDS.len(),
            VisualHeadlight::FIELDS.len(),
            VisualMap::FIELDS.len(),
            VisualScale::FIELDS.len(),
        ];
        let before = |groups: usize| counts[..=groups].iter().sum();
        match self.kind {
            GroupKind::Opt => (list(Options::FIELDS), before(0)),
            GroupKind::Stat => (list(Statistic::FIELDS), before(1)),
            GroupKind::VisGlobal => (list(VisualGlobal::FIELDS), before(2)),
            GroupKind::VisQuality => (list(VisualQuality::FIELDS), before(3)),
            GroupKind::VisHeadlight => (list(VisualHeadlight::FIELDS), before(4)),
            GroupKind::VisMap => (list(VisualMap::FIELDS), before(5)),
            GroupKind::VisScale => (list(VisualScale::FIELDS), before(6)),
            GroupKind::VisRgba => (list(VisualRgba::FIELDS), before(7)),
        }
    }

    fn find(&self, name: &str) -> PyResult<(Place, Shape)> {
        let (fields, before) = self.table();
        let found = fields.iter().position(|(field, _)| *field == name);
        let place = found.and_then(|index| Some((self.shared.place(before + index)?, fields[index].1)));
        place.ok_or_else(|| PyAttributeError::new_err(format!("no setting '{name}'")))
    }

    fn names(&self) -> Vec<&'static str> {
        self.table().0.into_iter().map(|(name, _)| name).collect()
    }
}

#[entries]
impl PyGroup {
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (place, shape) = self.find(name)?;
        if matches!(self.kind, GroupKind::VisRgba) && matches!(name, "bv" | "bvactive") {
            // the bindings of MuJoCo 3.5.0 show these two colours as empty arrays
            return Ok(memory::empty(py, place, Shape::default().with(0)));
        }
        if !shape.dims().is_empty() {
            return memory::view(py, place, shape, self.shared.clone());
        }
        // SAFETY: a number of the settings, which live as long as the model; at worst another thread changes it now.
        unsafe {
            Ok(match place {
                Place::F64(x) => x.cast::<f64>().read_volatile().into_pyobject(py)?.into_any(),
                Place::F32(x) => f64::from(x.cast::<f32>().read_volatile()).into_pyobject(py)?.into_any(),
                Place::I32(x) => x.cast::<i32>().read_volatile().into_pyobject(py)?.into_any(),
                Place::I64(x) => x.cast::<i64>().read_volatile().into_pyobject(py)?.into_any(),
                Place::U64(x) => x.cast::<u64>().read_volatile().into_pyobject(py)?.into_any(),
                Place::U8(x) => x.cast::<u8>().read_volatile().into_pyobject(py)?.into_any(),
            })
        }
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (place, shape) = self.find(name)?;
        if !shape.dims().is_empty() {
            let target = memory::view(py, place, shape, self.shared.clone())?;
            return target.set_item(pyo3::types::PyEllipsis::get(py), value);
        }
        // SAFETY: as above.
        unsafe {
            match place {
                Place::F64(x) => x.cast::<f64>().write_volatile(value.extract()?),
                Place::F32(x) => x.cast::<f32>().write_volatile(value.extract()?),
                Place::I32(x) => x.cast::<i32>().write_volatile(whole(value)?),
                Place::I64(x) => x.cast::<i64>().write_volatile(whole(value)?),
                Place::U64(x) => x.cast::<u64>().write_volatile(whole(value)?),
                Place::U8(x) => x.cast::<u8>().write_volatile(whole(value)?),
            }
        }
        Ok(())
    }

    fn __dir__(&self) -> Vec<&'static str> {
        self.names()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let mut lines = vec!["<settings".to_owned()];
        for name in slf.get().names() {
            lines.push(format!("  {name}: {}", slf.getattr(name)?.repr()?));
        }
        lines.push(">".to_owned());
        Ok(lines.join("\n"))
    }
}
