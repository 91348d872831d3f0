//! `MjModel`, `MjOption`, `MjStatistic`, `MjVisual`: views of a compiled model.

use crate::memory::{self, Cell};
use crate::refusal;
use ligament::{Assets, DiskAssets, LayeredAssets, MemoryAssets, Spec};
use ligament_model::array::{ArrayMut, Shape};
use ligament_model::enums::ObjType;
use ligament_model::model::FieldInfo;
use ligament_model::option::*;
use ligament_model::{Model, Sizes};
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of an array: name, scalar type, axes by the names of their sizes, width of a row, description.
pub type TableRow = (&'static str, &'static str, Vec<&'static str>, Option<usize>, &'static str);

/// The native part of `MjModel`.
#[pyclass(subclass, frozen, module = "ligament._core", name = "MjModel")]
pub struct PyModel {
    pub cell: Arc<Cell<Model>>,
    /// What it was compiled from; `None` for models from binary files.
    spec: Option<Arc<Spec>>,
}

impl PyModel {
    pub fn new(model: Model) -> Self {
        Self::owning(model, None)
    }

    pub fn with_spec(model: Model, spec: Arc<Spec>) -> Self {
        Self::owning(model, Some(spec))
    }

    /// Views of the arrays will be handed out, so the model shares them with no other.
    fn owning(mut model: Model, spec: Option<Arc<Spec>>) -> Self {
        model.pin();
        Self { cell: Cell::new(model), spec }
    }

    pub fn model(&self) -> &Model {
        self.cell.get()
    }
}

#[pymethods]
impl PyModel {
    /// Another handle of the same model; `_copy` makes an independent one.
    #[new]
    fn py_new(source: &PyModel) -> Self {
        Self { cell: source.cell.clone(), spec: source.spec.clone() }
    }

    fn _copy(&self) -> Self {
        Self::owning(self.model().clone(), self.spec.clone())
    }

    /// The specification the model was compiled from, as MJCF text.
    fn _xml(&self) -> PyResult<String> {
        let spec = self.spec.as_ref().ok_or_else(|| PyValueError::new_err("No XML model loaded"))?;
        ligament::mjcf_text(spec, self.model()).map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// A model without anything in it, for reflection.
    #[staticmethod]
    fn _empty() -> Self {
        Self::new(Model::allocate(Sizes::default()))
    }

    /// A model of the given sizes with every array zeroed.
    #[staticmethod]
    fn _allocate(sizes: BTreeMap<String, i64>) -> PyResult<Self> {
        let mut all = Sizes::default();
        for (name, value) in sizes {
            if !all.set(&name, value) {
                return Err(PyValueError::new_err(format!("no size '{name}' that can be {value}")));
            }
        }
        Ok(Self::new(Model::allocate(all)))
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
        let bytes = ligament::mjb::write(self.model()).map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Loads a model file; files in `assets` hide those on disk.
    #[staticmethod]
    fn _from_xml_path(py: Python<'_>, path: &str, assets: BTreeMap<String, Vec<u8>>) -> PyResult<Self> {
        load(py, assets, |files| ligament::parse_mjcf_file_with_assets(path, files))
    }

    /// Loads a model from text; files in `assets` hide those on disk.
    #[staticmethod]
    fn _from_xml_string(py: Python<'_>, xml: &str, assets: BTreeMap<String, Vec<u8>>) -> PyResult<Self> {
        load(py, assets, |files| ligament::parse_mjcf_str_with_assets(xml, files))
    }

    fn _to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.model().to_bytes())
    }

    /// A size as a number or an array as a view.
    fn _field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        if let Some(size) = self.model().sizes().get(name) {
            return Ok(size.into_pyobject(py)?.into_any());
        }
        if name == "signature" {
            return Ok(self.model().signature.into_pyobject(py)?.into_any());
        }
        let field = Model::field(name).ok_or_else(|| {
            PyAttributeError::new_err(format!("'MjModel' object has no attribute '{name}'"))
        })?;
        let shape = (field.shape)(self.model().sizes());
        memory::view(py, (field.get_mut)(self.cell.get_mut()), shape, self.cell.clone())
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
        std::ptr::from_ref(self.model()).addr()
    }

    /// Settings group: `opt`, `stat`, `vis.global` and so on.
    fn _group(&self, name: &str) -> PyResult<PyGroup> {
        let kind = GroupKind::from_name(name)
            .ok_or_else(|| PyAttributeError::new_err(format!("no settings group '{name}'")))?;
        Ok(PyGroup { cell: self.cell.clone(), kind })
    }

    /// Name of an element, `None` when it has none.
    fn _name(&self, kind: i32, id: i64) -> Option<String> {
        let kind = ObjType::try_from(kind).ok()?;
        self.model().name(kind, usize::try_from(id).ok()?).map(str::to_owned)
    }

    /// Id of a named element, -1 when there is none.
    fn _id(&self, kind: i32, name: &str) -> i64 {
        ObjType::try_from(kind).ok().and_then(|kind| self.model().id(kind, name)).map_or(-1, |id| id as i64)
    }
}

/// Loads with the interpreter released; a model that cannot be loaded is a `ValueError`.
fn load(
    py: Python<'_>,
    assets: BTreeMap<String, Vec<u8>>,
    read: impl FnOnce(&dyn Assets) -> ligament::Result<Spec> + Send,
) -> PyResult<PyModel> {
    let files = LayeredAssets(MemoryAssets(assets), DiskAssets);
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
    cell: Arc<Cell<Model>>,
    kind: GroupKind,
}

type Found<'a> = Option<(ArrayMut<'a>, Shape)>;

impl PyGroup {
    fn find(&self, name: &str) -> Found<'_> {
        fn pick<'a, T>(group: &'a mut T, fields: &[FieldInfo<T>], name: &str) -> Found<'a> {
            let field = fields.iter().find(|f| f.name == name)?;
            Some(((field.get_mut)(group), (field.shape)(&Sizes::default())))
        }
        let m = self.cell.get_mut();
        match self.kind {
            GroupKind::Opt => pick(&mut m.opt, Options::FIELDS, name),
            GroupKind::Stat => pick(&mut m.stat, Statistic::FIELDS, name),
            GroupKind::VisGlobal => pick(&mut m.vis.global, VisualGlobal::FIELDS, name),
            GroupKind::VisQuality => pick(&mut m.vis.quality, VisualQuality::FIELDS, name),
            GroupKind::VisHeadlight => pick(&mut m.vis.headlight, VisualHeadlight::FIELDS, name),
            GroupKind::VisMap => pick(&mut m.vis.map, VisualMap::FIELDS, name),
            GroupKind::VisScale => pick(&mut m.vis.scale, VisualScale::FIELDS, name),
            GroupKind::VisRgba => pick(&mut m.vis.rgba, VisualRgba::FIELDS, name),
        }
    }

    fn names(&self) -> Vec<&'static str> {
        fn list<T>(fields: &[FieldInfo<T>]) -> Vec<&'static str> {
            fields.iter().map(|f| f.name).collect()
        }
        match self.kind {
            GroupKind::Opt => list(Options::FIELDS),
            GroupKind::Stat => list(Statistic::FIELDS),
            GroupKind::VisGlobal => list(VisualGlobal::FIELDS),
            GroupKind::VisQuality => list(VisualQuality::FIELDS),
            GroupKind::VisHeadlight => list(VisualHeadlight::FIELDS),
            GroupKind::VisMap => list(VisualMap::FIELDS),
            GroupKind::VisScale => list(VisualScale::FIELDS),
            GroupKind::VisRgba => list(VisualRgba::FIELDS),
        }
    }
}

#[pymethods]
impl PyGroup {
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (array, shape) =
            self.find(name).ok_or_else(|| PyAttributeError::new_err(format!("no setting '{name}'")))?;
        if matches!(self.kind, GroupKind::VisRgba) && matches!(name, "bv" | "bvactive") {
            // the bindings of MuJoCo 3.5.0 show these two colours as empty arrays
            return Ok(memory::empty(py, &array, Shape::default().with(0)));
        }
        if !shape.dims().is_empty() {
            return memory::view(py, array, shape, self.cell.clone());
        }
        Ok(match array {
            ArrayMut::F64(x) => x[0].into_pyobject(py)?.into_any(),
            ArrayMut::F32(x) => f64::from(x[0]).into_pyobject(py)?.into_any(),
            ArrayMut::I32(x) => x[0].into_pyobject(py)?.into_any(),
            ArrayMut::I64(x) => x[0].into_pyobject(py)?.into_any(),
            ArrayMut::U64(x) => x[0].into_pyobject(py)?.into_any(),
            ArrayMut::U8(x) => x[0].into_pyobject(py)?.into_any(),
        })
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (array, shape) =
            self.find(name).ok_or_else(|| PyAttributeError::new_err(format!("no setting '{name}'")))?;
        if !shape.dims().is_empty() {
            let target = memory::view(py, array, shape, self.cell.clone())?;
            return target.set_item(pyo3::types::PyEllipsis::get(py), value);
        }
        match array {
            ArrayMut::F64(x) => x[0] = value.extract()?,
            ArrayMut::F32(x) => x[0] = value.extract()?,
            ArrayMut::I32(x) => x[0] = value.extract()?,
            ArrayMut::I64(x) => x[0] = value.extract()?,
            ArrayMut::U64(x) => x[0] = value.extract()?,
            ArrayMut::U8(x) => x[0] = value.extract()?,
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
