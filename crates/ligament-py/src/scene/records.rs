//! `MjvGeom`, `MjvOption` and the other records of scenes: numbers as numbers, vectors as views.

use crate::guard;
use crate::memory::{self, Keeper, Locked};
use crate::model::PyModel;
use ligament_model::array::ArrayMut;
use ligament_py_macros::entries;
use ligament_scene::table::Field;
use ligament_scene::{Camera, Figure, Geom, GlCamera, Light, MAXGEOM, Perturb, Scene, VisualOption};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyEllipsis, PyTuple, PyType};
use std::sync::Arc;

/// Where a record is: in memory of its own, or in a scene.
pub enum Place<T> {
    Own(Arc<Locked<T>>),
    Inside(Arc<Locked<Scene>>, usize, fn(&mut Scene, usize) -> &mut T),
}

impl<T: Send + 'static> Place<T> {
    fn new(value: T) -> Self {
        Self::Own(Locked::new(value))
    }

    #[allow(clippy::mut_from_ref)] // see `memory`
    fn get_mut(&self) -> &mut T {
        match self {
            Self::Own(cell) => cell.get_mut(),
            Self::Inside(scene, index, find) => find(scene.get_mut(), *index),
        }
    }

    fn keeper(&self) -> Keeper {
        match self {
            Self::Own(cell) => cell.clone(),
            Self::Inside(scene, ..) => scene.clone(),
        }
    }
}

fn field<T>(fields: &'static [Field<T>], class: &str, name: &str) -> PyResult<&'static Field<T>> {
    fields
        .iter()
        .find(|f| f.name == name)
        .ok_or_else(|| PyAttributeError::new_err(format!("'{class}' object has no attribute '{name}'")))
}

/// A field as Python sees it.
fn get<'py, T>(
    py: Python<'py>,
    record: &mut T,
    field: &Field<T>,
    keeper: Keeper,
) -> PyResult<Bound<'py, PyAny>> {
    let (array, shape) = (field.part)(record);
    if field.text
        && let ArrayMut::U8(bytes) = array
    {
        let text = bytes.split(|&b| b == 0).next().unwrap_or(&[]);
        return Ok(String::from_utf8_lossy(text).into_pyobject(py)?.into_any());
    }
    if let ([lines, length], ArrayMut::U8(_)) = (shape.dims(), &array) {
        // a list of texts
        let (lines, length) = (*lines, *length);
        let bytes = memory::view(py, array.into(), shape, keeper)?;
        return bytes.call_method1("view", (format!("S{length}"),))?.call_method1("reshape", (lines,));
    }
    if !shape.dims().is_empty() {
        return if shape.dims()[0] == 0 {
            Ok(memory::empty(py, array.into(), shape))
        } else {
            memory::view(py, array.into(), shape, keeper)
        };
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

fn set<T>(record: &mut T, field: &Field<T>, value: &Bound<'_, PyAny>, keeper: Keeper) -> PyResult<()> {
    let py = value.py();
    let (array, shape) = (field.part)(record);
    if field.text
        && let ArrayMut::U8(bytes) = array
    {
        let text: String = value.extract()?;
        if text.len() >= bytes.len() {
            let message = format!("{} should be shorter than {} bytes", field.name, bytes.len());
            return Err(PyValueError::new_err(message));
        }
        bytes.fill(0);
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        return Ok(());
    }
    if !shape.dims().is_empty() {
        return get(py, record, field, keeper)?.set_item(PyEllipsis::get(py), value);
    }
    match array {
        ArrayMut::F64(x) => x[0] = value.extract()?,
        ArrayMut::F32(x) => x[0] = value.extract()?,
        ArrayMut::I32(x) => x[0] = whole(value)?,
        ArrayMut::U8(x) => x[0] = u8::from(whole(value)? != 0),
        ArrayMut::I64(_) | ArrayMut::U64(_) => return Err(PyTypeError::new_err("unexpected kind of number")),
    }
    Ok(())
}

/// Anything that counts as a whole number: integers, members of enumerations, truth values; not 0.5.
fn whole(value: &Bound<'_, PyAny>) -> PyResult<i32> {
    guard::whole(value).or_else(|error| value.extract::<bool>().map(i32::from).map_err(|_| error))
}

fn copy(target: ArrayMut<'_>, source: ArrayMut<'_>) {
    match (target, source) {
        (ArrayMut::F64(a), ArrayMut::F64(b)) => a.copy_from_slice(b),
        (ArrayMut::F32(a), ArrayMut::F32(b)) => a.copy_from_slice(b),
        (ArrayMut::I32(a), ArrayMut::I32(b)) => a.copy_from_slice(b),
        (ArrayMut::U8(a), ArrayMut::U8(b)) => a.copy_from_slice(b),
        _ => unreachable!("a field has one type"),
    }
}

fn describe<T>(py: Python<'_>, place: &Place<T>, fields: &'static [Field<T>], class: &str) -> PyResult<String>
where
    T: Send + 'static,
{
    let mut names: Vec<_> = fields.iter().collect();
    names.sort_by_key(|f| f.name);
    let mut lines = vec![format!("<{class}")];
    for field in names {
        let value = get(py, place.get_mut(), field, place.keeper())?;
        lines.push(format!("  {}: {}", field.name, value.repr()?));
    }
    lines.push(">".to_owned());
    Ok(lines.join("\n"))
}

/// The Python class of a record of the table.
macro_rules! classes {
    ($($class:ident $record:ident $name:literal;)+) => { $(
        #[pyclass(frozen, subclass, module = "ligament", name = $name)]
        pub struct $class(pub Place<$record>);

        impl From<$record> for $class {
            fn from(record: $record) -> Self {
                Self(Place::new(record))
            }
        }

        impl $class {
            /// Sets all numbers, where they are: views point into this memory.
            pub fn overwrite(&self, mut record: $record) {
                for field in $record::FIELDS {
                    copy((field.part)(self.record_mut()).0, (field.part)(&mut record).0);
                }
            }

            pub fn record(&self) -> &$record {
                self.0.get_mut()
            }

            #[allow(clippy::mut_from_ref)] // see `memory`
            pub fn record_mut(&self) -> &mut $record {
                self.0.get_mut()
            }
        }

        #[entries]
        impl $class {
            /// Arguments are for the `__init__` of classes that extend this one.
            #[new]
            #[classmethod]
            #[pyo3(signature = (*arguments, **keywords))]
            fn new(
                class: &Bound<'_, PyType>,
                arguments: &Bound<'_, PyTuple>,
                keywords: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<Self> {
                let given = !arguments.is_empty() || keywords.is_some();
                if given && class.is(&class.py().get_type::<Self>()) {
                    return Err(PyTypeError::new_err(concat!($name, "() takes no arguments")));
                }
                Ok(Self(Place::new($record::default())))
            }

            fn _get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
                get(py, self.0.get_mut(), field($record::FIELDS, $name, name)?, self.0.keeper())
            }

            fn _set(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
                set(self.0.get_mut(), field($record::FIELDS, $name, name)?, value, self.0.keeper())
            }

            #[staticmethod]
            fn _names() -> Vec<&'static str> {
                $record::FIELDS.iter().map(|f| f.name).collect()
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                describe(py, &self.0, $record::FIELDS, $name)
            }

            fn __copy__(&self) -> Self {
                Self(Place::new(self.record().clone()))
            }

            fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
                self.__copy__()
            }

            fn __eq__(&self, other: &Self) -> bool {
                self.record() == other.record()
            }

            /// Overwrites this record with another.
            fn _assign(&self, other: &Self) {
                self.overwrite(other.record().clone());
            }
        }
    )+ };
}

classes! {
    PyVisualOption VisualOption "MjvOption";
    PyCamera Camera "MjvCamera";
    PyGlCamera GlCamera "MjvGLCamera";
    PyPerturb Perturb "MjvPerturb";
    PyFigure Figure "MjvFigure";
    PyGeom Geom "MjvGeom";
    PyLight Light "MjvLight";
}

/// A scene. Its geoms never move: their number is fixed when it is made.
#[pyclass(frozen, subclass, module = "ligament", name = "MjvScene")]
pub struct PyScene {
    pub cell: Arc<Locked<Scene>>,
    geoms: PyOnceLock<Py<PyTuple>>,
    lights: PyOnceLock<Py<PyTuple>>,
    cameras: PyOnceLock<Py<PyTuple>>,
}

impl PyScene {
    fn of(scene: Scene) -> Self {
        let [geoms, lights, cameras] = [PyOnceLock::new(), PyOnceLock::new(), PyOnceLock::new()];
        Self { cell: Locked::new(scene), geoms, lights, cameras }
    }

    pub fn scene(&self) -> &Scene {
        self.cell.get()
    }

    #[allow(clippy::mut_from_ref)] // see `memory`
    pub fn scene_mut(&self) -> &mut Scene {
        self.cell.get_mut()
    }

    /// Records of the scene as a tuple that is made once.
    fn listed<'py, T, C>(
        &self,
        py: Python<'py>,
        slot: &PyOnceLock<Py<PyTuple>>,
        count: usize,
        find: fn(&mut Scene, usize) -> &mut T,
        class: fn(Place<T>) -> C,
    ) -> PyResult<Bound<'py, PyTuple>>
    where
        C: pyo3::PyClass + Into<PyClassInitializer<C>>,
    {
        let make = || -> PyResult<Py<PyTuple>> {
            let items: Vec<_> = (0..count)
                .map(|i| Bound::new(py, class(Place::Inside(self.cell.clone(), i, find))))
                .collect::<PyResult<_>>()?;
            Ok(PyTuple::new(py, items)?.unbind())
        };
        Ok(slot.get_or_try_init(py, make)?.bind(py).clone())
    }
}

#[entries]
impl PyScene {
    /// An empty scene, also for classes that extend this one and have other arguments; `_begin` is its `__init__`.
    #[new]
    #[pyo3(signature = (*_arguments, **_keywords))]
    fn new(_arguments: &Bound<'_, PyTuple>, _keywords: Option<&Bound<'_, PyDict>>) -> Self {
        Self::of(Scene::new(None, 0))
    }

    #[pyo3(signature = (model = None, maxgeom = 0))]
    fn _begin(&self, model: Option<&PyModel>, maxgeom: i64) -> PyResult<()> {
        if Arc::strong_count(&self.cell) > 1 {
            return Err(PyValueError::new_err("the scene is in use: make another one"));
        }
        let count = usize::try_from(maxgeom).ok().filter(|&n| n <= MAXGEOM).ok_or_else(|| {
            PyValueError::new_err(format!("maxgeom cannot be {maxgeom}: it can be 0 to {MAXGEOM}"))
        })?;
        let model = model.map(PyModel::read).transpose()?;
        *self.scene_mut() = Scene::new(model.as_deref(), count);
        Ok(())
    }

    #[getter]
    fn geoms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.scene().all_geoms.len();
        self.listed(py, &self.geoms, count, |scene, i| &mut scene.all_geoms[i], PyGeom)
    }

    #[getter]
    fn lights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.scene().all_lights.len();
        self.listed(py, &self.lights, count, |scene, i| &mut scene.all_lights[i], PyLight)
    }

    #[getter]
    fn camera<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.listed(py, &self.cameras, 2, |scene, i| &mut scene.camera[i], PyGlCamera)
    }

    fn _get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        get(py, self.scene_mut(), field(Scene::FIELDS, "MjvScene", name)?, self.cell.clone())
    }

    fn _set(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        set(self.scene_mut(), field(Scene::FIELDS, "MjvScene", name)?, value, self.cell.clone())
    }

    #[staticmethod]
    fn _names() -> Vec<&'static str> {
        Scene::FIELDS.iter().map(|f| f.name).collect()
    }

    fn __copy__(&self) -> Self {
        Self::of(self.scene().clone())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__()
    }
}
