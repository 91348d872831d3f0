//! Arguments of the private calls: arrays of exactly the right type and shape, never converted.

use ligament_batch::{Distribution, Effect};
use ligament_model::Model;
use ligament_model::array::{ArrayMut, ArrayRef, ScalarType};
use numpy::{
    Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// NumPy's name of a scalar type.
pub fn type_name(scalar: ScalarType) -> &'static str {
    match scalar {
        ScalarType::F64 => "float64",
        ScalarType::F32 => "float32",
        ScalarType::I32 => "int32",
        ScalarType::I64 => "int64",
        ScalarType::U64 => "uint64",
        ScalarType::U8 => "uint8",
    }
}

/// A shape as Python writes it.
fn tuple(dims: &[usize]) -> String {
    let parts: Vec<String> = dims.iter().map(ToString::to_string).collect();
    if dims.len() == 1 { format!("({},)", parts[0]) } else { format!("({})", parts.join(", ")) }
}

fn array<'a, 'py, T: Element>(
    value: &'a Bound<'py, PyAny>,
    name: &str,
    shape: &[usize],
) -> PyResult<&'a Bound<'py, PyArrayDyn<T>>> {
    let array = value.cast::<PyArrayDyn<T>>().map_err(|_| {
        PyTypeError::new_err(format!("{name} must be an array of the right type, without conversion"))
    })?;
    if !array.is_c_contiguous() {
        return Err(PyTypeError::new_err(format!("{name} must be contiguous")));
    }
    if array.shape() != shape {
        let text = format!("{name} must have shape {}, got {}", tuple(shape), tuple(array.shape()));
        return Err(PyValueError::new_err(text));
    }
    Ok(array)
}

/// An array that is read.
pub fn input<'py, T: Element>(
    value: &Bound<'py, PyAny>,
    name: &str,
    shape: &[usize],
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let aliased = |_| PyTypeError::new_err(format!("{name} must not be one of the outputs"));
    array::<T>(value, name, shape)?.try_readonly().map_err(aliased)
}

/// An array that is filled.
pub fn output<'py, T: Element>(
    value: &Bound<'py, PyAny>,
    name: &str,
    shape: &[usize],
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let aliased = |_| PyTypeError::new_err(format!("{name} must be writable and given once"));
    array::<T>(value, name, shape)?.try_readwrite().map_err(aliased)
}

/// Ids of worlds: `None` or an array of int32.
pub fn ids(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<i32>>> {
    let Some(value) = value else { return Ok(None) };
    let wrong = |_| PyTypeError::new_err("ids must be None or an array of int32");
    let array = value.cast::<PyArrayDyn<i32>>().map_err(wrong)?.readonly();
    Ok(Some(array.as_slice().map_err(|_| PyTypeError::new_err("ids must be contiguous"))?.to_vec()))
}

/// A distribution and what it does, by their names.
pub fn drawing((kind, a, b): &(String, f64, f64), effect: &str) -> PyResult<(Distribution, Effect)> {
    let distribution = match kind.as_str() {
        "uniform" => Distribution::Uniform { low: *a, high: *b },
        "loguniform" => Distribution::LogUniform { low: *a, high: *b },
        "normal" => Distribution::Normal { mean: *a, deviation: *b },
        other => return Err(PyValueError::new_err(format!("no distribution '{other}'"))),
    };
    let effect = match effect {
        "set" => Effect::Set,
        "scale" => Effect::Scale,
        "add" => Effect::Add,
        other => {
            return Err(PyValueError::new_err(format!("effect must be set, scale or add, got '{other}'")));
        }
    };
    Ok((distribution, effect))
}

/// Overwrites a model with another of the same sizes, in place.
pub fn assign(target: &mut Model, source: &Model) -> PyResult<()> {
    let same = Model::FIELDS.iter().all(|f| (f.shape)(target.sizes()) == (f.shape)(source.sizes()));
    if !same {
        return Err(PyValueError::new_err("the model has other sizes than the world's"));
    }
    for field in Model::FIELDS {
        copy((field.get_mut)(target), (field.get)(source));
    }
    (target.opt, target.vis, target.stat) = (source.opt.clone(), source.vis.clone(), source.stat.clone());
    target.set_gravcomp_count(source.ngravcomp);
    for flex in 0..source.nflex {
        *target.flex_model_mut(flex) = source.flex_model(flex).cloned().unwrap_or_default();
    }
    target.parts = source.parts.clone();
    Ok(())
}

fn copy(target: ArrayMut<'_>, source: ArrayRef<'_>) {
    match (target, source) {
        (ArrayMut::F64(a), ArrayRef::F64(b)) => a.copy_from_slice(b),
        (ArrayMut::F32(a), ArrayRef::F32(b)) => a.copy_from_slice(b),
        (ArrayMut::I32(a), ArrayRef::I32(b)) => a.copy_from_slice(b),
        (ArrayMut::I64(a), ArrayRef::I64(b)) => a.copy_from_slice(b),
        (ArrayMut::U64(a), ArrayRef::U64(b)) => a.copy_from_slice(b),
        (ArrayMut::U8(a), ArrayRef::U8(b)) => a.copy_from_slice(b),
        _ => debug_assert!(false, "a field changed its type"),
    }
}
