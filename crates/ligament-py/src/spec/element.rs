//! Elements of a specification that Python programs edit: each holds its own numbers here, and Python objects are
//! handles of them.

use super::values;
use ligament_mjcf::spec::reflect::{Fields, Value};
use ligament_mjcf::spec::{
    Actuator, Body, BodyId, Camera, Compiler, Equality, Exclude, Flex, Frame, Geom, HeightField, Joint, Key,
    Light, Material, Mesh, Meta, Numeric, Pair, Sensor, Site, SizeSettings, Skin, Tendon, Text, Texture,
    Tuple,
};
use ligament_py_macros::entries;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An element of any kind.
pub trait Held: Send + Sync {
    fn get(&self, name: &str) -> Option<Value>;
    fn set(&mut self, name: &str, value: Value) -> bool;
    fn copy(&self) -> Box<dyn Held>;
    fn as_any(&self) -> &dyn Any;
    /// Name, class and place; what is not in a list has none.
    fn meta_mut(&mut self) -> Option<&mut Meta>;
}

macro_rules! held {
    ($($ty:ident)+, $meta:expr) => { $(
        impl Held for $ty {
            fn get(&self, name: &str) -> Option<Value> {
                Fields::get(self, name)
            }
            fn set(&mut self, name: &str, value: Value) -> bool {
                Fields::set(self, name, value)
            }
            fn copy(&self) -> Box<dyn Held> {
                Box::new(self.clone())
            }
            fn as_any(&self) -> &dyn Any {
                self
            }
            fn meta_mut(&mut self) -> Option<&mut Meta> {
                let meta: fn(&mut Self) -> Option<&mut Meta> = $meta;
                meta(self)
            }
        }
    )+ };
}
held! {
    Body Frame Joint Geom Site Camera Light Mesh HeightField Skin Texture Material Flex Pair Exclude Equality Tendon
    Actuator Sensor Numeric Text Tuple Key,
    |element| Some(&mut element.meta)
}
held! { Compiler SizeSettings, |_| None }

/// An element as it is before anything is set.
fn blank(kind: &str) -> Option<Box<dyn Held>> {
    Some(match kind {
        "body" => Box::new(Body::default()),
        "frame" => Box::new(blank_frame()),
        "joint" => Box::new(Joint::default()),
        "geom" => Box::new(Geom::default()),
        "site" => Box::new(Site::default()),
        "camera" => Box::new(Camera::default()),
        "light" => Box::new(Light::default()),
        "mesh" => Box::new(Mesh::default()),
        "hfield" => Box::new(HeightField::default()),
        "skin" => Box::new(Skin::default()),
        "texture" => Box::new(Texture::default()),
        "material" => Box::new(Material::default()),
        "flex" => Box::new(Flex::default()),
        "pair" => Box::new(Pair::default()),
        "exclude" => Box::new(Exclude::default()),
        "equality" => Box::new(Equality::default()),
        "tendon" => Box::new(Tendon::default()),
        "actuator" => Box::new(Actuator::default()),
        "sensor" => Box::new(Sensor::default()),
        "numeric" => Box::new(Numeric::default()),
        "text" => Box::new(Text::default()),
        "tuple" => Box::new(Tuple::default()),
        "key" => Box::new(Key::default()),
        "compiler" => Box::new(Compiler::default()),
        "size" => Box::new(SizeSettings::default()),
        _ => return None,
    })
}

fn blank_frame() -> Frame {
    Frame {
        meta: Meta::default(),
        body: BodyId(0),
        childclass: None,
        pos: [0.0; 3],
        quat: [1.0, 0.0, 0.0, 0.0],
        alt: None,
    }
}

/// The native part of an element.
#[pyclass(subclass, frozen, module = "ligament._core", name = "Element")]
pub struct PyElement(Mutex<Box<dyn Held>>);

impl PyElement {
    pub fn new(held: impl Held + 'static) -> Self {
        Self(Mutex::new(Box::new(held)))
    }

    fn held(&self) -> MutexGuard<'_, Box<dyn Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy of the element, if it is of this type.
    pub fn cloned<E: Clone + 'static>(&self) -> PyResult<E> {
        self.held()
            .as_any()
            .downcast_ref::<E>()
            .cloned()
            .ok_or_else(|| PyTypeError::new_err("an element of another kind"))
    }
}

#[entries]
impl PyElement {
    /// A blank element of a kind, or a copy of another one without its name and place.
    #[new]
    fn py_new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(other) = source.cast::<Self>() {
            let mut copy = other.get().held().copy();
            if let Some(meta) = copy.meta_mut() {
                *meta = Meta::default();
            }
            return Ok(Self(Mutex::new(copy)));
        }
        let kind: String = source.extract()?;
        let held = blank(&kind).ok_or_else(|| PyKeyError::new_err(kind))?;
        Ok(Self(Mutex::new(held)))
    }

    /// Becomes a copy of another element, its place in the text included.
    fn _replace(&self, other: &Self) {
        if !std::ptr::eq(self, other) {
            let copy = other.held().copy();
            *self.held() = copy;
        }
    }

    /// The content of a field.
    fn _get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = self.held().get(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        values::to_python(py, value)
    }

    /// Replaces the content of a field, which users call `label`.
    fn _set(&self, label: &str, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let old = self.held().get(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let new = values::assigned(label, value, old)?;
        let member = matches!(new, Value::Member(..));
        if self.held().set(name, new) {
            return Ok(());
        }
        Err(if member {
            PyValueError::new_err(format!("{} is not a valid {label}", value.repr()?))
        } else {
            values::wrong_type(label)
        })
    }

    /// File, line and column it was read from.
    fn _place_in_text(&self) -> (String, u32, u32) {
        let mut held = self.held();
        let origin = held.meta_mut().map(|meta| meta.origin.clone()).unwrap_or_default();
        (origin.file.to_string(), origin.line, origin.column)
    }
}
