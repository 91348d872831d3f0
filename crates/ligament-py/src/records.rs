//! Lists of records (contacts, warnings, timers, solver statistics), seen by column.
#![allow(unsafe_code)] // addresses of fields

use crate::memory::{self, Keeper};
use ligament_model::Contact;
use ligament_model::array::Element as Field;
use ligament_model::data::{SolverStat, TimerStat, WarningStat};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;

/// A field: a number or a short array of them.
trait Entry: Field {
    type Scalar: numpy::Element;
}

macro_rules! entries {
    ($($ty:ty),+) => { $(
        impl Entry for $ty {
            type Scalar = $ty;
        }
        impl<const N: usize> Entry for [$ty; N] {
            type Scalar = $ty;
        }
    )+ };
}
entries!(f64, i32);

macro_rules! records {
    ($function:ident, $record:ident, $label:literal { $($name:literal => $field:ident $([$index:literal])?;)+ }) => {
        #[doc = concat!("One field of all records of type `", stringify!($record), "`, which `keeper` keeps where they are.")]
        pub fn $function<'py>(
            py: Python<'py>,
            list: *const [$record],
            name: &str,
            keeper: Keeper,
        ) -> PyResult<Bound<'py, PyAny>> {
            const STRIDE: usize = size_of::<$record>();
            const { assert!(STRIDE.is_multiple_of(8)) };
            fn column<'py, T: Entry>(py: Python<'py>, first: *const T, count: usize, keeper: Keeper) -> PyResult<Bound<'py, PyAny>> {
                // SAFETY: the records lie one behind another, and their size is a multiple of that of every number.
                unsafe { memory::column(py, first.cast::<T::Scalar>(), count, T::INNER, STRIDE, keeper) }
            }
            let spare = <$record>::default();
            let first = if list.is_empty() { &raw const spare } else { list.cast::<$record>() };
            match name {
                // SAFETY: there is a record at `first`; only the address of a field is computed.
                $($name => column(py, unsafe { &raw const (*first).$field $([$index])? }, list.len(), keeper),)+
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
