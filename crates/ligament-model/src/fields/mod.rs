//! The tables of fields. Each name, element type, shape and description is written down here once; structs,
//! allocation, reflection, comparison, files and Python attributes are generated from it.

pub(crate) mod data;
pub(crate) mod model;

/// Extent of one axis: a size, optionally times a constant (`nmocap * 3`).
macro_rules! extent {
    ($sizes:expr, $dim:ident) => {
        $sizes.$dim
    };
    ($sizes:expr, $dim:ident, $k:literal) => {
        $sizes.$dim.saturating_mul($k)
    };
}
pub(crate) use extent;
