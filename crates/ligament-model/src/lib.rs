//! The compiled model and the simulation state of Ligament.
//!
//! One table of fields (`fields`) generates [`Model`] and [`Data`]: their arrays, allocation, reflection.
//! Names and shapes are those of MuJoCo 3.5.0.
#![deny(missing_docs)]
#![allow(non_snake_case)] // field names are MuJoCo's: `qM`, `efc_J`

pub mod array;
pub mod binary;
pub mod callbacks;
pub mod constants;
pub mod contact;
pub mod data;
pub mod draw;
pub mod enum_table;
pub mod enums;
pub mod fault;
mod fields;
pub mod flex_model;
mod length_range;
pub mod limits;
pub mod model;
mod names;
pub mod option;
pub mod parts;
pub mod plugin;
mod sizes;
pub mod state_row;
pub mod storage;
mod validate;
pub mod workspace;

pub use contact::Contact;
pub use data::Data;
pub use length_range::LengthRangeOptions;
pub use model::{Model, Sizes};
pub use state_row::StateLayout;
