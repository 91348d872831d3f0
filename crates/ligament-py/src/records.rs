//! Lists of records (contacts, warnings, timers, solver statistics), seen by column.

use crate::memory;
use ligament_model::Contact;
use ligament_model::array::Element as Field;
use ligament_model::data::{SolverStat, TimerStat, WarningStat};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::Arc;

type Keeper = Arc<dyn Any + Send + Sync>;

/// A field: a number or a short array of them.
trait Entry: Field {
    type Scalar: numpy::Element;
    fn first(&self) -> Option<&Self::Scalar>;
}

macro_rules! entries {
    ($($ty:ty),+) => { $(
        impl Entry for $ty {
            type Scalar = $ty;
            fn first(&self) -> Option<&$ty> { Some(self) }
        }
        impl<const N: usize> Entry for [$ty; N] {
            type Scalar = $ty;
            fn first(&self) -> Option<&$ty> { <[$ty]>::first(self) }
        }
    )+ };
}
entries!(f64, i32);

/// A column of which `first` is the entry of the first record.
fn column<'py, T: Entry>(
    py: Python<'py>,
    first: Option<&T>,
    count: usize,
    stride: usize,
    keeper: Keeper,
) -> PyResult<Bound<'py, PyAny>> {
    memory::column(py, first.and_then(Entry::first), count, T::INNER, stride, keeper)
}

macro_rules! records {
    ($function:ident, $record:ident, $label:literal { $($name:literal => $field:ident $([$index:literal])?;)+ }) => {
        #[doc = concat!("One field of all records of type `", stringify!($record), "`.")]
        pub fn $function<'py>(
            py: Python<'py>,
            list: &[$record],
            name: &str,
            keeper: Keeper,
        ) -> PyResult<Bound<'py, PyAny>> {
            const STRIDE: usize = size_of::<$record>();
            const { assert!(STRIDE.is_multiple_of(8)) };
            match name {
                $($name => column(py, list.first().map(|x| &x.$field $([$index])?), list.len(), STRIDE, keeper),)+
                _ => Err(PyAttributeError::new_err(format!(concat!("'", $label, "' object has no attribute '{}'"), name))),
            }
        }
    };
}

records! { contact, Contact, "MjContact" {
    "dist" => dist; "pos" => pos; "frame" => frame; "includemargin" => includemargin; "friction" => friction;
    "solref" => solref; "solreffriction" => solreffriction; "solimp" => solimp; "mu" => mu; "H" => H; "dim" => dim;
    "geom1" => geom[0]; "geom2" => geom[1]; "geom" => geom; "flex" => flex; "elem" => elem; "vert" => vert;
    "exclude" => exclude; "efc_address" => efc_address;
} }
records! { warning, WarningStat, "MjWarningStat" { "lastinfo" => lastinfo; "number" => number; } }
records! { timer, TimerStat, "MjTimerStat" { "duration" => duration; "number" => number; } }
records! { solver, SolverStat, "MjSolverStat" {
    "improvement" => improvement; "gradient" => gradient; "lineslope" => lineslope; "nactive" => nactive;
    "nchange" => nchange; "neval" => neval; "nupdate" => nupdate;
} }
