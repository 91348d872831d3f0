//! Arithmetic of quaternions, poses and muscles for Python users.

use super::arrays::{fill, input, vector};
use ligament_math::{eigen, mat3, quat, vec3};
use ligament_py_macros::entry;
use ligament_sim::muscle;
use ligament_sim::support::local2global;
use pyo3::prelude::*;

type Array<'py> = Bound<'py, PyAny>;

/// Rotates a vector by a quaternion.
#[entry]
fn mju_rotVecQuat(res: &Array<'_>, vec: &Array<'_>, quat: &Array<'_>) -> PyResult<()> {
    fill(res, "res", &quat::rotate(vector(quat, "quat")?, vector(vec, "vec")?))
}

/// Conjugate of a quaternion: the opposite rotation.
#[entry]
fn mju_negQuat(res: &Array<'_>, quat: &Array<'_>) -> PyResult<()> {
    fill(res, "res", &quat::conj(vector(quat, "quat")?))
}

/// Product of two quaternions.
#[entry]
fn mju_mulQuat(res: &Array<'_>, quat1: &Array<'_>, quat2: &Array<'_>) -> PyResult<()> {
    fill(res, "res", &quat::mul(vector(quat1, "quat1")?, vector(quat2, "quat2")?))
}

/// Product of a quaternion and an axis.
#[entry]
fn mju_mulQuatAxis(res: &Array<'_>, quat: &Array<'_>, axis: &Array<'_>) -> PyResult<()> {
    fill(res, "res", &quat::mul_axis(vector(quat, "quat")?, vector(axis, "axis")?))
}

/// Quaternion of a rotation about an axis.
#[entry]
fn mju_axisAngle2Quat(res: &Array<'_>, axis: &Array<'_>, angle: f64) -> PyResult<()> {
    fill(res, "res", &quat::from_axis_angle(vector(axis, "axis")?, angle))
}

/// Angular velocity that makes a rotation in time `dt`.
#[entry]
fn mju_quat2Vel(res: &Array<'_>, quat: &Array<'_>, dt: f64) -> PyResult<()> {
    fill(res, "res", &quat::to_velocity(vector(quat, "quat")?, dt))
}

/// Rotation from one quaternion to another, as a 3-D velocity.
#[entry]
fn mju_subQuat(res: &Array<'_>, qa: &Array<'_>, qb: &Array<'_>) -> PyResult<()> {
    fill(res, "res", &quat::sub(vector(qa, "qa")?, vector(qb, "qb")?))
}

/// Rotation matrix of a quaternion.
#[entry]
fn mju_quat2Mat(res: &Array<'_>, quat: &Array<'_>) -> PyResult<()> {
    fill(res, "res", &quat::to_mat(vector(quat, "quat")?))
}

/// Quaternion of a rotation matrix.
#[entry]
fn mju_mat2Quat(quat: &Array<'_>, mat: &Array<'_>) -> PyResult<()> {
    fill(quat, "quat", &quat::from_mat(&vector(mat, "mat")?))
}

/// Rate of change of a quaternion with angular velocity `vel` in the world.
#[entry]
fn mju_derivQuat(res: &Array<'_>, quat: &Array<'_>, vel: &Array<'_>) -> PyResult<()> {
    let [x, y, z] = vector(vel, "vel")?;
    let rate = quat::mul([0.0, x, y, z], vector(quat, "quat")?);
    fill(res, "res", &rate.map(|x| 0.5 * x))
}

/// Turns a quaternion by an angular velocity over time `scale`, in place.
#[entry]
fn mju_quatIntegrate(quat: &Array<'_>, vel: &Array<'_>, scale: f64) -> PyResult<()> {
    let mut q = vector(quat, "quat")?;
    quat::integrate(&mut q, vector(vel, "vel")?, scale);
    fill(quat, "quat", &q)
}

/// Quaternion that turns the z-axis to a direction.
#[entry]
fn mju_quatZ2Vec(quat: &Array<'_>, vec: &Array<'_>) -> PyResult<()> {
    fill(quat, "quat", &quat::from_z_axis(vec3::unit(vector(vec, "vec")?)))
}

/// Quaternion of three rotations; lower-case letters turn with the body, upper-case ones with the world.
#[entry]
fn mju_euler2Quat(quat: &Array<'_>, euler: &Array<'_>, seq: &str) -> PyResult<()> {
    let angles: [f64; 3] = vector(euler, "euler")?;
    if seq.len() != 3 {
        return Err(super::fatal("mju_euler2Quat: seq must contain exactly 3 characters"));
    }
    let mut q = quat::IDENTITY;
    for (i, (letter, angle)) in seq.chars().zip(angles).enumerate() {
        let axis = match letter.to_ascii_lowercase() {
            'x' => [1.0, 0.0, 0.0],
            'y' => [0.0, 1.0, 0.0],
            'z' => [0.0, 0.0, 1.0],
            _ => {
                let message =
                    format!("mju_euler2Quat: seq[{i}] is '{letter}', should be one of x, y, z, X, Y, Z");
                return Err(super::fatal(message));
            }
        };
        let turn = quat::from_axis_angle(axis, angle);
        q = if letter.is_ascii_lowercase() { quat::mul(q, turn) } else { quat::mul(turn, q) };
    }
    fill(quat, "quat", &q)
}

/// Product of two poses.
#[entry]
fn mju_mulPose(
    posres: &Array<'_>,
    quatres: &Array<'_>,
    pos1: &Array<'_>,
    quat1: &Array<'_>,
    pos2: &Array<'_>,
    quat2: &Array<'_>,
) -> PyResult<()> {
    let (p1, q1, p2, q2) =
        (vector(pos1, "pos1")?, vector(quat1, "quat1")?, vector(pos2, "pos2")?, vector(quat2, "quat2")?);
    let mut q = quat::mul(q1, q2);
    quat::normalize(&mut q);
    fill(quatres, "quatres", &q)?;
    fill(posres, "posres", &vec3::add(p1, quat::rotate(q1, p2)))
}

/// Inverse of a pose.
#[entry]
fn mju_negPose(posres: &Array<'_>, quatres: &Array<'_>, pos: &Array<'_>, quat: &Array<'_>) -> PyResult<()> {
    let q = quat::conj(vector(quat, "quat")?);
    let p = vec3::neg(quat::rotate(q, vector(pos, "pos")?));
    fill(quatres, "quatres", &q)?;
    fill(posres, "posres", &p)
}

/// Transforms a point by a pose.
#[entry]
fn mju_trnVecPose(res: &Array<'_>, pos: &Array<'_>, quat: &Array<'_>, vec: &Array<'_>) -> PyResult<()> {
    let turned = quat::rotate(vector(quat, "quat")?, vector(vec, "vec")?);
    fill(res, "res", &vec3::add(turned, vector(pos, "pos")?))
}

/// Cross product.
#[entry]
fn mju_cross(res: &Array<'_>, a: &Array<'_>, b: &Array<'_>) -> PyResult<()> {
    fill(res, "res", &vec3::cross(vector(a, "a")?, vector(b, "b")?))
}

/// Product of a 3-by-3 matrix and a vector.
#[entry]
fn mju_mulMatVec3(res: &Array<'_>, mat: &Array<'_>, vec: &Array<'_>) -> PyResult<()> {
    fill(res, "res", &mat3::mul_vec(&vector(mat, "mat")?, vector(vec, "vec")?))
}

/// Product of a transposed 3-by-3 matrix and a vector.
#[entry]
fn mju_mulMatTVec3(res: &Array<'_>, mat: &Array<'_>, vec: &Array<'_>) -> PyResult<()> {
    fill(res, "res", &mat3::mul_vec_t(&vector(mat, "mat")?, vector(vec, "vec")?))
}

/// Normalises in place and returns the old length.
#[entry]
fn mju_normalize3(vec: &Array<'_>) -> PyResult<f64> {
    let mut v = vector(vec, "vec")?;
    let length = vec3::normalize(&mut v);
    fill(vec, "vec", &v)?;
    Ok(length)
}

/// Normalises in place and returns the old length.
#[entry]
fn mju_normalize4(vec: &Array<'_>) -> PyResult<f64> {
    let mut q = vector(vec, "vec")?;
    let length = quat::normalize(&mut q);
    fill(vec, "vec", &q)?;
    Ok(length)
}

/// Force of a muscle per activation, by length and velocity.
#[entry]
fn mju_muscleGain(len: f64, vel: f64, lengthrange: &Array<'_>, acc0: f64, prm: &Array<'_>) -> PyResult<f64> {
    Ok(muscle::gain(len, vel, vector(lengthrange, "lengthrange")?, acc0, &muscle_parameters(prm)?))
}

/// Passive force of a muscle, by length.
#[entry]
fn mju_muscleBias(len: f64, lengthrange: &Array<'_>, acc0: f64, prm: &Array<'_>) -> PyResult<f64> {
    Ok(muscle::bias(len, vector(lengthrange, "lengthrange")?, acc0, &muscle_parameters(prm)?))
}

/// Rate of a muscle's activation.
#[entry]
fn mju_muscleDynamics(ctrl: f64, act: f64, prm: &Array<'_>) -> PyResult<f64> {
    Ok(muscle::dynamics(ctrl, act, vector(prm, "prm")?))
}

/// Nine parameters, padded to the ten the model stores.
fn muscle_parameters(prm: &Array<'_>) -> PyResult<[f64; 10]> {
    let nine = input(prm, "prm", 9)?;
    Ok(std::array::from_fn(|i| nine.get(i).copied().unwrap_or(0.0)))
}

/// Eigenvalues (decreasing), eigenvectors (columns) and their rotation, of a symmetric matrix; returns the number of
/// iterations.
#[entry]
fn mju_eig3(eigval: &Array<'_>, eigvec: &Array<'_>, quat: &Array<'_>, mat: &Array<'_>) -> PyResult<usize> {
    let (values, turn, iterations) = eigen::symmetric_counted(&vector(mat, "mat")?);
    fill(eigval, "eigval", &values)?;
    fill(eigvec, "eigvec", &quat::to_mat(turn))?;
    fill(quat, "quat", &turn)?;
    Ok(iterations)
}

/// Pose in the world of something fixed to a body.
#[entry]
fn mj_local2Global(
    d: &super::Data<'_>,
    xpos: &Array<'_>,
    xmat: &Array<'_>,
    pos: &Array<'_>,
    quat: &Array<'_>,
    body: i64,
    sameframe: u8,
) -> PyResult<()> {
    let data = d.get().shared.read()?;
    let body = super::index(body, data.xpos.len(), "body")?;
    let (p, m) = local2global(&data, vector(pos, "pos")?, vector(quat, "quat")?, body, sameframe);
    fill(xpos, "xpos", &p)?;
    fill(xmat, "xmat", &m)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mju_rotVecQuat, module)?)?;
    module.add_function(wrap_pyfunction!(mju_negQuat, module)?)?;
    module.add_function(wrap_pyfunction!(mju_mulQuat, module)?)?;
    module.add_function(wrap_pyfunction!(mju_mulQuatAxis, module)?)?;
    module.add_function(wrap_pyfunction!(mju_axisAngle2Quat, module)?)?;
    module.add_function(wrap_pyfunction!(mju_quat2Vel, module)?)?;
    module.add_function(wrap_pyfunction!(mju_subQuat, module)?)?;
    module.add_function(wrap_pyfunction!(mju_quat2Mat, module)?)?;
    module.add_function(wrap_pyfunction!(mju_mat2Quat, module)?)?;
    module.add_function(wrap_pyfunction!(mju_derivQuat, module)?)?;
    module.add_function(wrap_pyfunction!(mju_quatIntegrate, module)?)?;
    module.add_function(wrap_pyfunction!(mju_quatZ2Vec, module)?)?;
    module.add_function(wrap_pyfunction!(mju_euler2Quat, module)?)?;
    module.add_function(wrap_pyfunction!(mju_mulPose, module)?)?;
    module.add_function(wrap_pyfunction!(mju_negPose, module)?)?;
    module.add_function(wrap_pyfunction!(mju_trnVecPose, module)?)?;
    module.add_function(wrap_pyfunction!(mju_cross, module)?)?;
    module.add_function(wrap_pyfunction!(mju_mulMatVec3, module)?)?;
    module.add_function(wrap_pyfunction!(mju_mulMatTVec3, module)?)?;
    module.add_function(wrap_pyfunction!(mju_normalize3, module)?)?;
    module.add_function(wrap_pyfunction!(mju_normalize4, module)?)?;
    module.add_function(wrap_pyfunction!(mju_eig3, module)?)?;
    module.add_function(wrap_pyfunction!(mj_local2Global, module)?)?;
    module.add_function(wrap_pyfunction!(mju_muscleGain, module)?)?;
    module.add_function(wrap_pyfunction!(mju_muscleBias, module)?)?;
    module.add_function(wrap_pyfunction!(mju_muscleDynamics, module)?)
}
