//! Linear algebra for Python users: the package checks shapes, these functions hand numbers to `ligament-math` and
//! return what it makes of them.

use super::arrays::{input, vector};
use ligament_math::band::Band;
use ligament_math::box_qp::{self, BoxError};
use ligament_math::{dense, quat, quat_derivative};
use ligament_py_macros::entry;
use numpy::{PyArray1, ToPyArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

type Array<'py> = Bound<'py, PyAny>;
type Numbers<'py> = Bound<'py, PyArray1<f64>>;
/// The free dimensions of a minimum in a box, and the factor of their part of the matrix.
type FreePart<'py> = (Vec<usize>, Numbers<'py>);

/// Extents of a band matrix of which so many numbers are there.
fn band(ntotal: i64, nband: i64, ndense: i64, found: usize) -> PyResult<Band> {
    let size = |n: i64| usize::try_from(n).ok();
    let extents = (size(ntotal), size(nband), size(ndense));
    let band = match extents {
        (Some(ntotal), Some(nband), Some(ndense)) if ndense <= ntotal && nband <= ntotal => {
            (nband > 0 || ndense == ntotal).then_some(Band { ntotal, nband, ndense })
        }
        _ => None,
    };
    let band = band.ok_or_else(|| {
        let text = format!("a band matrix cannot have ntotal {ntotal}, nband {nband}, ndense {ndense}");
        PyTypeError::new_err(text)
    })?;
    let stored = || {
        let banded = (band.ntotal - band.ndense).checked_mul(band.nband)?;
        banded.checked_add(band.ndense.checked_mul(band.ntotal)?)
    };
    match stored() {
        Some(length) if length == found => Ok(band),
        length => {
            let length = length.map_or_else(|| "too many".into(), |length| length.to_string());
            let text = format!("a band matrix of these sizes has {length} numbers, got {found}");
            Err(PyTypeError::new_err(text))
        }
    }
}

/// A band matrix: its extents and its numbers.
fn band_matrix(mat: &Array<'_>, ntotal: i64, nband: i64, ndense: i64) -> PyResult<(Band, Vec<f64>)> {
    let found = mat.getattr("size")?.extract()?;
    let band = band(ntotal, nband, ndense, found)?;
    Ok((band, input(mat, "mat", found)?))
}

/// Full matrix, by rows, from a band matrix.
#[entry]
fn _band_to_dense<'py>(
    py: Python<'py>,
    mat: &Array<'py>,
    ntotal: i64,
    nband: i64,
    ndense: i64,
    symmetric: bool,
) -> PyResult<Numbers<'py>> {
    let (band, mat) = band_matrix(mat, ntotal, nband, ndense)?;
    let mut full = vec![0.0; band.ntotal * band.ntotal];
    band.to_dense(&mat, symmetric, &mut full);
    Ok(full.to_pyarray(py))
}

/// The numbers of a band matrix with those of a full one in their places.
#[entry]
fn _band_from_dense<'py>(
    py: Python<'py>,
    mat: &Array<'py>,
    full: &Array<'py>,
    ntotal: i64,
    nband: i64,
    ndense: i64,
) -> PyResult<Numbers<'py>> {
    let (band, mut mat) = band_matrix(mat, ntotal, nband, ndense)?;
    band.set_from_dense(&input(full, "mat", band.ntotal * band.ntotal)?, &mut mat);
    Ok(mat.to_pyarray(py))
}

/// Product of a band matrix and a vector.
#[entry]
fn _band_times_vector<'py>(
    py: Python<'py>,
    mat: &Array<'py>,
    vec: &Array<'py>,
    ntotal: i64,
    nband: i64,
    ndense: i64,
    symmetric: bool,
) -> PyResult<Numbers<'py>> {
    let (band, mat) = band_matrix(mat, ntotal, nband, ndense)?;
    let mut product = vec![0.0; band.ntotal];
    band.mul_vec(&mat, &input(vec, "vec", band.ntotal)?, symmetric, &mut product);
    Ok(product.to_pyarray(py))
}

/// Cholesky factor of a band matrix and its smallest pivot, 0 when the matrix is not positive definite.
#[entry]
fn _band_factor<'py>(
    py: Python<'py>,
    mat: &Array<'py>,
    ntotal: i64,
    nband: i64,
    ndense: i64,
    diagadd: f64,
    diagmul: f64,
) -> PyResult<(Numbers<'py>, f64)> {
    let (band, mut mat) = band_matrix(mat, ntotal, nband, ndense)?;
    let pivot = band.factor(&mut mat, diagadd, diagmul).unwrap_or(0.0);
    Ok((mat.to_pyarray(py), pivot))
}

/// Solution of a linear system with the factor of a band matrix.
#[entry]
fn _band_solve<'py>(
    py: Python<'py>,
    mat: &Array<'py>,
    vec: &Array<'py>,
    ntotal: i64,
    nband: i64,
    ndense: i64,
) -> PyResult<Numbers<'py>> {
    let (band, mat) = band_matrix(mat, ntotal, nband, ndense)?;
    let mut x = input(vec, "vec", band.ntotal)?;
    band.solve(&mat, &mut x);
    Ok(x.to_pyarray(py))
}

/// Factor of L Lᵀ ± x xᵀ, what is left of x, and the rank.
#[entry]
fn _cholesky_update<'py>(
    py: Python<'py>,
    mat: &Array<'py>,
    x: &Array<'py>,
    n: usize,
    add: bool,
) -> PyResult<(Numbers<'py>, Numbers<'py>, usize)> {
    let (mut mat, mut x) = (input(mat, "mat", n * n)?, input(x, "x", n)?);
    let rank = dense::cholesky_update(&mut mat, n, &mut x, add);
    Ok((mat.to_pyarray(py), x.to_pyarray(py), rank))
}

/// The rotation nearest to a matrix, from a start, and the number of iterations.
#[entry]
fn _nearest_rotation<'py>(
    py: Python<'py>,
    quat: &Array<'py>,
    mat: &Array<'py>,
) -> PyResult<(Numbers<'py>, usize)> {
    let mut q = vector(quat, "quat")?;
    let iterations = quat::nearest(&mut q, &vector(mat, "mat")?);
    Ok((q.to_pyarray(py), iterations))
}

/// Derivatives of the difference of two quaternions by small rotations of both.
#[entry]
fn _quat_difference_slopes<'py>(
    py: Python<'py>,
    qa: &Array<'py>,
    qb: &Array<'py>,
) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
    let (by_a, by_b) = quat_derivative::sub(vector(qa, "qa")?, vector(qb, "qb")?);
    Ok((by_a.to_pyarray(py), by_b.to_pyarray(py)))
}

/// Derivatives of integration over a time: by quaternion, scaled velocity and time.
#[entry]
fn _quat_integration_slopes<'py>(
    py: Python<'py>,
    velocity: &Array<'py>,
    time: f64,
) -> PyResult<(Numbers<'py>, Numbers<'py>, Numbers<'py>)> {
    let slopes = quat_derivative::integrate(vector(velocity, "vel")?, time);
    let [by_quat, by_velocity] = [slopes.by_quat, slopes.by_velocity].map(|matrix| matrix.to_pyarray(py));
    Ok((by_quat, by_velocity, slopes.by_time.to_pyarray(py)))
}

/// Minimum of a quadratic function in a box: where, which dimensions are free, factor of their part of the matrix.
/// No dimensions and no factor: the matrix is not positive definite.
#[entry]
fn _box_minimum<'py>(
    py: Python<'py>,
    x: &Array<'py>,
    hessian: &Array<'py>,
    gradient: &Array<'py>,
    lower: &Array<'py>,
    upper: &Array<'py>,
) -> PyResult<(Numbers<'py>, Option<FreePart<'py>>)> {
    let n = gradient.getattr("size")?.extract()?;
    let mut x = input(x, "res", n)?;
    let hessian = input(hessian, "H", n * n)?;
    let [gradient, lower, upper] =
        [(gradient, "g"), (lower, "lower"), (upper, "upper")].map(|(array, name)| input(array, name, n));
    match box_qp::minimize(&mut x, &hessian, &gradient?, &lower?, &upper?) {
        Ok(minimum) => Ok((x.to_pyarray(py), Some((minimum.free, minimum.factor.to_pyarray(py))))),
        Err(BoxError::Indefinite) => Ok((x.to_pyarray(py), None)),
        Err(BoxError::EmptyBox) => Err(super::fatal("upper bounds must be stricly larger than lower bounds")),
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_band_to_dense, module)?)?;
    module.add_function(wrap_pyfunction!(_band_from_dense, module)?)?;
    module.add_function(wrap_pyfunction!(_band_times_vector, module)?)?;
    module.add_function(wrap_pyfunction!(_band_factor, module)?)?;
    module.add_function(wrap_pyfunction!(_band_solve, module)?)?;
    module.add_function(wrap_pyfunction!(_cholesky_update, module)?)?;
    module.add_function(wrap_pyfunction!(_nearest_rotation, module)?)?;
    module.add_function(wrap_pyfunction!(_quat_difference_slopes, module)?)?;
    module.add_function(wrap_pyfunction!(_quat_integration_slopes, module)?)?;
    module.add_function(wrap_pyfunction!(_box_minimum, module)?)
}
