//! Records of a rollout: what goes into which array.

use super::PyBatch;
use super::arguments::output;
use ligament_batch::Recorded;
use ligament_model::array::{ArrayMut, ScalarType};
use ligament_sim::state::state_size;
use numpy::PyReadwriteArrayDyn;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Memory of one record.
pub enum Memory<'py> {
    F64(PyReadwriteArrayDyn<'py, f64>),
    F32(PyReadwriteArrayDyn<'py, f32>),
    I32(PyReadwriteArrayDyn<'py, i32>),
    I64(PyReadwriteArrayDyn<'py, i64>),
    U64(PyReadwriteArrayDyn<'py, u64>),
    U8(PyReadwriteArrayDyn<'py, u8>),
}

impl<'py> Memory<'py> {
    fn new(value: &Bound<'py, PyAny>, name: &str, scalar: ScalarType, shape: &[usize]) -> PyResult<Self> {
        let found = match scalar {
            ScalarType::F64 => output(value, name, shape).map(Self::F64),
            ScalarType::F32 => output(value, name, shape).map(Self::F32),
            ScalarType::I32 => output(value, name, shape).map(Self::I32),
            ScalarType::I64 => output(value, name, shape).map(Self::I64),
            ScalarType::U64 => output(value, name, shape).map(Self::U64),
            ScalarType::U8 => output(value, name, shape).map(Self::U8),
        };
        found.map_err(|error| PyValueError::new_err(error.value(value.py()).to_string()))
    }

    pub fn array(&mut self) -> PyResult<ArrayMut<'_>> {
        Ok(match self {
            Self::F64(x) => ArrayMut::F64(x.as_slice_mut()?),
            Self::F32(x) => ArrayMut::F32(x.as_slice_mut()?),
            Self::I32(x) => ArrayMut::I32(x.as_slice_mut()?),
            Self::I64(x) => ArrayMut::I64(x.as_slice_mut()?),
            Self::U64(x) => ArrayMut::U64(x.as_slice_mut()?),
            Self::U8(x) => ArrayMut::U8(x.as_slice_mut()?),
        })
    }
}

impl PyBatch {
    /// What to record, and its memory: worlds × steps × shape.
    pub fn record<'py>(
        &self,
        name: Option<&str>,
        spec: i32,
        value: &Bound<'py, PyAny>,
        lead: [usize; 2],
    ) -> PyResult<(Recorded, Memory<'py>)> {
        let bad = |text: String| PyValueError::new_err(text);
        let (label, what) = match name {
            Some(name) => {
                let what = Recorded::find(name).ok_or_else(|| bad(format!("no field '{name}' to record")))?;
                (name, what)
            }
            None => ("state", Recorded::State(spec)),
        };
        let (scalar, shape) = match what {
            Recorded::State(spec) => {
                let size = state_size(&self.model, spec).map_err(|error| bad(error.to_string()))?;
                (ScalarType::F64, if name.is_some() { vec![] } else { vec![size] })
            }
            Recorded::Field(field) => {
                (field.extent(&self.empty).1, field.shape(&self.model, &self.empty).dims().to_vec())
            }
        };
        let shape: Vec<usize> = lead.into_iter().chain(shape).collect();
        Ok((what, Memory::new(value, label, scalar, &shape)?))
    }
}
