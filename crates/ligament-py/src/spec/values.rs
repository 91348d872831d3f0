//! Contents of fields as Python objects and back.

use crate::guard::whole;
use ligament_mjcf::spec::reflect::{Fields, Value};
use ligament_mjcf::spec::{
    AttachedKey, AttachedState, BodyId, Orientation, Origin, PluginRef, Wrap, WrapKind,
};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

/// All fields by name.
pub fn export<'py, F: Fields>(py: Python<'py>, element: &F) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    for name in F::NAMES {
        if let Some(value) = element.get(name) {
            fields.set_item(name, to_python(py, value)?)?;
        }
    }
    Ok(fields)
}

/// Sets all fields of a dictionary.
pub fn import<F: Fields>(element: &mut F, fields: &Bound<'_, PyDict>) -> PyResult<()> {
    for (name, value) in fields {
        let name: String = name.extract()?;
        let Some(old) = element.get(&name) else { continue };
        let new = from_python(&value, old).map_err(|_| wrong_type(&name))?;
        if !element.set(&name, new) {
            return Err(wrong_type(&name));
        }
    }
    Ok(())
}

pub fn wrong_type(name: &str) -> PyErr {
    PyTypeError::new_err(format!("{name} is the wrong type."))
}

/// What a field becomes when Python assigns to it; vectors keep their length.
pub fn assigned(label: &str, value: &Bound<'_, PyAny>, old: Value) -> PyResult<Value> {
    let length = match &old {
        Value::Vector(x) => Some(x.len()),
        Value::SingleVector(x) => Some(x.len()),
        Value::IntVector(x) => Some(x.len()),
        _ => None,
    };
    let new = from_python(value, old).map_err(|_| wrong_type(label))?;
    let found = match &new {
        Value::Vector(x) => x.len(),
        Value::SingleVector(x) => x.len(),
        Value::IntVector(x) => x.len(),
        _ => 0,
    };
    match length {
        Some(length) if length != found => {
            Err(PyValueError::new_err(format!("{label} should be a list/array of size {length}.")))
        }
        _ => Ok(new),
    }
}

/// Names of the fields with what they hold.
pub fn kinds<F: Fields + Default>() -> Vec<(&'static str, &'static str)> {
    let element = F::default();
    F::NAMES.iter().filter_map(|name| Some((*name, kind(&element.get(name)?)))).collect()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Flag(_) | Value::Int(_) => "int",
        Value::Real(_) | Value::Single(_) => "float",
        Value::Text(_) => "str",
        Value::Member(name, _) => name,
        Value::Vector(_) => "float64",
        Value::SingleVector(_) => "float32",
        Value::IntVector(_) => "int32",
        Value::Reals(_) => "list float64",
        Value::Singles(_) => "list float32",
        Value::Ints(_) => "list int32",
        Value::Bytes(_) => "bytes",
        Value::Texts(_) => "list str",
        Value::IntLists(_) | Value::SingleLists(_) => "list list",
        Value::Orientation(_) => "orientation",
        Value::Plugin(_) => "plugin",
        Value::Path(_) => "path",
        Value::Attached(_) => "attached",
    }
}

pub fn to_python(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Value::Flag(x) => i64::from(x).into_pyobject(py)?.into_any(),
        Value::Int(x) => x.into_pyobject(py)?.into_any(),
        Value::Real(x) => x.into_pyobject(py)?.into_any(),
        Value::Single(x) => x.into_pyobject(py)?.into_any(),
        Value::Text(x) => x.into_pyobject(py)?.into_any(),
        Value::Member(_, x) => x.into_pyobject(py)?.into_any(),
        Value::Vector(x) | Value::Reals(x) => PyArray1::from_vec(py, x).into_any(),
        Value::SingleVector(x) | Value::Singles(x) => PyArray1::from_vec(py, x).into_any(),
        Value::IntVector(x) | Value::Ints(x) => PyArray1::from_vec(py, x).into_any(),
        Value::Bytes(x) => PyBytes::new(py, &x).into_any(),
        Value::Texts(x) => x.into_pyobject(py)?.into_any(),
        Value::IntLists(x) => x.into_pyobject(py)?.into_any(),
        Value::SingleLists(x) => x.into_pyobject(py)?.into_any(),
        Value::Orientation(x) => x.map(orientation).into_pyobject(py)?.into_any(),
        Value::Plugin(x) => x.map(|p| (p.plugin, p.instance, p.config)).into_pyobject(py)?.into_any(),
        Value::Path(x) => x.into_iter().map(wrap).collect::<Vec<_>>().into_pyobject(py)?.into_any(),
        Value::Attached(x) => x.map(attached).into_pyobject(py)?.into_any(),
    })
}

/// The Python object as the same kind of content as `old`.
fn from_python(value: &Bound<'_, PyAny>, old: Value) -> PyResult<Value> {
    Ok(match old {
        Value::Flag(_) => Value::Flag(whole::<i64>(value)? != 0),
        Value::Int(_) => Value::Int(whole(value)?),
        Value::Real(_) => Value::Real(value.extract()?),
        Value::Single(_) => Value::Single(value.extract()?),
        Value::Text(_) => Value::Text(value.extract()?),
        Value::Member(name, _) => Value::Member(name, whole(value)?),
        Value::Vector(_) => Value::Vector(reals(value)?),
        Value::Reals(_) => Value::Reals(reals(value)?),
        Value::SingleVector(_) => Value::SingleVector(singles(value)?),
        Value::Singles(_) => Value::Singles(singles(value)?),
        Value::IntVector(_) => Value::IntVector(integers(value)?),
        Value::Ints(_) => Value::Ints(integers(value)?),
        Value::Bytes(_) => Value::Bytes(value.extract()?),
        Value::Texts(_) => Value::Texts(value.extract()?),
        Value::IntLists(_) => Value::IntLists(value.extract()?),
        Value::SingleLists(_) => Value::SingleLists(value.extract()?),
        Value::Orientation(_) => {
            let given: Option<(i32, Vec<f64>)> = value.extract()?;
            Value::Orientation(given.map(parse_orientation).transpose()?)
        }
        Value::Plugin(_) => {
            let given: Option<PluginTuple> = value.extract()?;
            Value::Plugin(given.map(|(plugin, instance, config)| PluginRef { plugin, instance, config }))
        }
        Value::Path(_) => {
            let given: Vec<(String, String, f64, String)> = value.extract()?;
            Value::Path(given.into_iter().map(parse_wrap).collect::<PyResult<_>>()?)
        }
        Value::Attached(_) => {
            let given: Option<AttachedTuple> = value.extract()?;
            Value::Attached(given.map(parse_attached))
        }
    })
}

/// Lists and tuples are read without NumPy.
fn is_list(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>()
}

/// Numbers of any array as a row; a single number is none.
fn flat<'py, T: numpy::Element>(value: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, T>> {
    if let Ok(array) = value.extract::<PyReadonlyArray1<'py, T>>() {
        return Ok(array);
    }
    let py = value.py();
    let array = py.import("numpy")?.call_method1("asarray", (value, T::get_dtype(py)))?;
    let kept: usize = array.getattr("ndim")?.extract()?;
    let row = array.call_method1("reshape", (-1,))?;
    let row = if kept == 0 { row.get_item(pyo3::types::PySlice::new(py, 0, 0, 1))? } else { row };
    row.extract()
}

fn reals(value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    if is_list(value)
        && let Ok(numbers) = value.extract()
    {
        return Ok(numbers);
    }
    Ok(flat::<f64>(value)?.as_array().to_vec())
}

fn singles(value: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
    if is_list(value)
        && let Ok(numbers) = value.extract()
    {
        return Ok(numbers);
    }
    Ok(flat::<f32>(value)?.as_array().to_vec())
}

fn integers(value: &Bound<'_, PyAny>) -> PyResult<Vec<i32>> {
    if is_list(value)
        && let Ok(numbers) = value.extract()
    {
        return Ok(numbers);
    }
    Ok(flat::<i32>(value)?.as_array().to_vec())
}

/// Number of the form in `mjtOrientation`, and its numbers.
fn orientation(orientation: Orientation) -> (i32, Vec<f64>) {
    match orientation {
        Orientation::AxisAngle(x) => (1, x.to_vec()),
        Orientation::XyAxes(x) => (2, x.to_vec()),
        Orientation::ZAxis(x) => (3, x.to_vec()),
        Orientation::Euler(x) => (4, x.to_vec()),
    }
}

pub fn parse_orientation((form, numbers): (i32, Vec<f64>)) -> PyResult<Orientation> {
    let wrong = |_| PyTypeError::new_err("orientation has the wrong number of elements");
    Ok(match form {
        1 => Orientation::AxisAngle(numbers.try_into().map_err(wrong)?),
        2 => Orientation::XyAxes(numbers.try_into().map_err(wrong)?),
        3 => Orientation::ZAxis(numbers.try_into().map_err(wrong)?),
        4 => Orientation::Euler(numbers.try_into().map_err(wrong)?),
        _ => return Err(PyTypeError::new_err(format!("there is no orientation of type {form}"))),
    })
}

/// Kind, target, coefficient or divisor, side site.
fn wrap(wrap: Wrap) -> (&'static str, String, f64, String) {
    match wrap.kind {
        WrapKind::Joint { joint, coef } => ("joint", joint, coef, String::new()),
        WrapKind::Site { site } => ("site", site, 0.0, String::new()),
        WrapKind::Geom { geom, sidesite } => ("geom", geom, 0.0, sidesite),
        WrapKind::Pulley { divisor } => ("pulley", String::new(), divisor, String::new()),
    }
}

fn parse_wrap((kind, target, number, sidesite): (String, String, f64, String)) -> PyResult<Wrap> {
    let kind = match kind.as_str() {
        "joint" => WrapKind::Joint { joint: target, coef: number },
        "site" => WrapKind::Site { site: target },
        "geom" => WrapKind::Geom { geom: target, sidesite },
        "pulley" => WrapKind::Pulley { divisor: number },
        _ => return Err(PyTypeError::new_err(format!("there is no path object of type {kind}"))),
    };
    Ok(Wrap { kind, origin: Origin::default() })
}

/// Plugin, instance, settings.
type PluginTuple = (String, String, Vec<(String, String)>);

type State<Id> = (Id, Vec<f64>, Vec<f64>);
type AttachedTuple = (Vec<State<(u32, usize)>>, Vec<State<usize>>, Vec<State<u32>>, [bool; 6]);

/// States of joints, actuators and mocap bodies, and which parts the keyframe has.
fn attached(key: AttachedKey) -> AttachedTuple {
    let joints = key.joints.into_iter().map(|s| ((s.id.0.0, s.id.1), s.first, s.second));
    let actuators = key.actuators.into_iter().map(|s| (s.id, s.first, s.second));
    let mocaps = key.mocaps.into_iter().map(|s| (s.id.0, s.first, s.second));
    (joints.collect(), actuators.collect(), mocaps.collect(), key.has)
}

fn parse_attached((joints, actuators, mocaps, has): AttachedTuple) -> AttachedKey {
    fn states<A, B>(list: Vec<State<A>>, id: impl Fn(A) -> B) -> Vec<AttachedState<B>> {
        list.into_iter().map(|(a, first, second)| AttachedState { id: id(a), first, second }).collect()
    }
    AttachedKey {
        joints: states(joints, |(body, joint)| (BodyId(body), joint)),
        actuators: states(actuators, |i| i),
        mocaps: states(mocaps, BodyId),
        has,
    }
}
