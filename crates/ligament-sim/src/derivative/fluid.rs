//! Derivatives of fluid forces with respect to velocity.

use super::rows::add_outer_product;
use crate::awake;
use crate::fluid::{
    FluidCoef, body_geoms, inertia_box, max_moment, pow2, pow4, relative_velocity, semi_axes, uses_ellipsoids,
};
use crate::support::{Motion, body_chain, jac_sparse};
use crate::workspace::{Derivative, Scratches as _};
use ligament_math::{MINVAL, Mat3, Vec3, Vec6, mat3, spatial, vec3};
use ligament_model::enums::{Integrator, ObjType};
use ligament_model::{Data, Model};
use std::f64::consts::PI;

type Mat6 = [[f64; 6]; 6];

/// Adds the derivatives of all fluid forces to qDeriv.
pub(super) fn fluid_vel(m: &Model, d: &mut Data) {
    let count = awake::bodies(m, d).len();
    for k in 0..count {
        let i = awake::bodies(m, d).get(k);
        if m.body_mass[i] < MINVAL {
            continue;
        }
        if uses_ellipsoids(m, i) {
            for g in body_geoms(m, i) {
                let coef = FluidCoef::from(&m.geom_fluid[g]);
                if coef.interaction != 0.0 {
                    ellipsoid(m, d, i, g, &coef);
                }
            }
        } else {
            inertia_box_vel(m, d, i);
        }
    }
}

/// Rows (rotation, translation) of a point's Jacobian in a local frame, on the chain of its body.
fn local_jacobian(m: &Model, d: &mut Data, body: usize, point: Vec3, mat: &Mat3) {
    let buffer = &mut d.workspace.scratch().derivative;
    body_chain(m, body, &mut buffer.chain);
    let n = buffer.chain.len();
    buffer.jac.clear();
    buffer.jac.resize(6 * n, 0.0);
    let (jacr, jacp) = buffer.jac.split_at_mut(3 * n);
    let motion = Motion { cdof: &d.cdof, subtree_com: &d.subtree_com };
    jac_sparse(m, motion, Some(jacp), Some(jacr), point, body, &buffer.chain);
    for part in [jacr, jacp] {
        for c in 0..n {
            let column = mat3::mul_vec_t(mat, [part[c], part[n + c], part[2 * n + c]]);
            for (r, x) in column.into_iter().enumerate() {
                part[r * n + c] = x;
            }
        }
    }
}

fn inertia_box_vel(m: &Model, d: &mut Data, i: usize) {
    let ximat = d.ximat[i];
    let v = relative_velocity(m, d, ObjType::Body, i, &ximat);
    let size = inertia_box(m.body_inertia[i], m.body_mass[i]);
    local_jacobian(m, d, i, d.xipos[i], &ximat);
    let (density, viscosity) = (m.opt.density, m.opt.viscosity);
    let diam = (size[0] + size[1] + size[2]) / 3.0;
    let Data { qDeriv, workspace, .. } = d;
    let Derivative { jac, chain, .. } = &workspace.scratch().derivative;
    let n = chain.len();
    for r in 0..6 {
        let k = r % 3;
        let (a, b) = [(1, 2), (0, 2), (0, 1)][k];
        let fourth = |x: f64| x * x * x * x;
        let mut slope = 0.0;
        if viscosity > 0.0 {
            slope += if r < 3 { -PI * diam * diam * diam * viscosity } else { -3.0 * PI * diam * viscosity };
        }
        if density > 0.0 {
            slope += if r < 3 {
                -density * size[k] * (fourth(size[a]) + fourth(size[b])) * 2.0 * v[r].abs() / 64.0
            } else {
                -0.5 * density * size[a] * size[b] * 2.0 * v[r].abs()
            };
        }
        if slope != 0.0 {
            add_outer_product(m, qDeriv, slope, &jac[r * n..(r + 1) * n], chain);
        }
    }
}

/// Adds a 3 × 3 block at (row, column) in units of blocks.
fn add_block(b: &mut Mat6, block: &Mat3, row: usize, column: usize) {
    for r in 0..3 {
        for c in 0..3 {
            b[3 * row + r][3 * column + c] += block[3 * r + c];
        }
    }
}

/// Derivatives of a × b with respect to a and b.
fn cross_derivatives(a: Vec3, b: Vec3) -> (Mat3, Mat3) {
    (
        [0.0, b[2], -b[1], -b[2], 0.0, b[0], b[1], -b[0], 0.0],
        [0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0],
    )
}

fn ellipsoid(m: &Model, d: &mut Data, body: usize, g: usize, coef: &FluidCoef) {
    let xmat = d.geom_xmat[g];
    let v = relative_velocity(m, d, ObjType::Geom, g, &xmat);
    let size = semi_axes(m.geom_type[g], m.geom_size[g]);
    local_jacobian(m, d, body, d.geom_xpos[g], &xmat);
    let mut b = force_derivative(&v, size, m.opt.density, m.opt.viscosity, coef);
    if m.opt.integrator == Integrator::Implicitfast as i32 {
        // its matrix must stay symmetric
        for r in 0..6 {
            for c in 0..r {
                let mean = 0.5 * (b[r][c] + b[c][r]);
                (b[r][c], b[c][r]) = (mean, mean);
            }
        }
    }
    add_jtbj(m, d, &b);
}

/// qDeriv += Jᵀ B J with the local Jacobian in scratch.
fn add_jtbj(m: &Model, d: &mut Data, b: &Mat6) {
    let Data { qDeriv, workspace, .. } = d;
    let Derivative { jac, chain, .. } = &workspace.scratch().derivative;
    let n = chain.len();
    for (k, &dof) in chain.iter().enumerate() {
        // left = J(:, k)ᵀ B
        let mut left = [0.0; 6];
        for (r, row) in b.iter().enumerate() {
            for c in 0..6 {
                left[c] += jac[r * n + k] * row[c];
            }
        }
        let start = m.D_rowadr[dof as usize] as usize;
        let columns = &m.D_colind[start..start + m.D_rownnz[dof as usize] as usize];
        let mut at = 0;
        for (p, &column) in chain.iter().enumerate() {
            while at < columns.len() && columns[at] < column {
                at += 1;
            }
            if at == columns.len() {
                break;
            }
            if columns[at] == column {
                let sum: f64 = (0..6).map(|r| left[r] * jac[r * n + p]).sum();
                qDeriv[start + at] += sum;
            }
        }
    }
}

/// Derivative of the local force (torque, force) of an ellipsoid with respect to the local velocity.
fn force_derivative(v: &Vec6, size: Vec3, density: f64, viscosity: f64, coef: &FluidCoef) -> Mat6 {
    let mut b = [[0.0; 6]; 6];
    magnus(&mut b, v, size, density, coef);
    add_block(&mut b, &kutta(spatial::lin(v), size, density, coef), 1, 1);
    add_block(&mut b, &drag(spatial::lin(v), size, density, viscosity, coef), 1, 1);
    add_block(&mut b, &drag_torque(spatial::rot(v), size, density, viscosity, coef), 0, 0);
    added_mass(&mut b, v, density, coef);
    b
}

fn magnus(b: &mut Mat6, v: &Vec6, size: Vec3, density: f64, coef: &FluidCoef) {
    let volume = 4.0 / 3.0 * PI * size[0] * size[1] * size[2];
    let scale = coef.magnus_lift * density * volume;
    let (d_ang, d_lin) =
        cross_derivatives(vec3::scale(spatial::rot(v), scale), vec3::scale(spatial::lin(v), scale));
    add_block(b, &d_ang, 1, 0);
    add_block(b, &d_lin, 1, 1);
}

fn added_mass(b: &mut Mat6, v: &Vec6, density: f64, coef: &FluidCoef) {
    let (angular, linear) = (spatial::rot(v), spatial::lin(v));
    let linear_momentum: Vec3 = std::array::from_fn(|k| density * coef.virtual_mass[k] * linear[k]);
    let angular_momentum: Vec3 = std::array::from_fn(|k| density * coef.virtual_inertia[k] * angular[k]);
    // momenta are diagonal in velocity: scale the columns
    let scaled = |d: &Mat3, mass: &Vec3| -> Mat3 { std::array::from_fn(|i| d[i] * (density * mass[i % 3])) };
    let (da, db) = cross_derivatives(angular_momentum, angular);
    add_block(b, &db, 0, 0);
    add_block(b, &scaled(&da, &coef.virtual_inertia), 0, 0);
    let (da, db) = cross_derivatives(linear_momentum, linear);
    add_block(b, &db, 0, 1);
    add_block(b, &scaled(&da, &coef.virtual_mass), 0, 1);
    let (da, db) = cross_derivatives(linear_momentum, angular);
    add_block(b, &db, 1, 0);
    add_block(b, &scaled(&da, &coef.virtual_mass), 1, 1);
}

/// Largest, middle and smallest semi-axis.
fn sorted(size: Vec3) -> (f64, f64) {
    let max = size[0].max(size[1]).max(size[2]);
    let min = size[0].min(size[1]).min(size[2]);
    (max, size[0] + size[1] + size[2] - max - min)
}

fn add_outer(d: &mut Mat3, left: Vec3, right: Vec3) {
    for r in 0..3 {
        for c in 0..3 {
            d[3 * r + c] += left[r] * right[c];
        }
    }
}

fn drag_torque(w: Vec3, size: Vec3, density: f64, viscosity: f64, coef: &FluidCoef) -> Mat3 {
    let (d_max, d_mid) = sorted(size);
    let sphere = 2.0 / 3.0 * (size[0] + size[1] + size[2]);
    let inertia_max = 8.0 / 15.0 * PI * d_mid * pow4(d_max);
    let moment: Vec3 = std::array::from_fn(|k| {
        let own = max_moment(size, k);
        coef.angular_drag * own + coef.slender_drag * (inertia_max - own)
    });
    let norm = vec3::norm(std::array::from_fn(|k| w[k] * moment[k]));
    let scaled_density = density / norm.max(MINVAL);
    let squares: Vec3 = std::array::from_fn(|k| -scaled_density * w[k] * moment[k] * moment[k]);
    let diagonal = vec3::dot(w, squares) - viscosity * (PI * sphere * sphere * sphere);
    let mut d = [diagonal, 0.0, 0.0, 0.0, diagonal, 0.0, 0.0, 0.0, diagonal];
    add_outer(&mut d, w, squares);
    d
}

fn drag(v: Vec3, size: Vec3, density: f64, viscosity: f64, coef: &FluidCoef) -> Mat3 {
    let (d_max, d_mid) = sorted(size);
    let sphere = 2.0 / 3.0 * (size[0] + size[1] + size[2]);
    let area_max = PI * d_max * d_mid;
    let [a, b, c] = [pow2(size[1] * size[2]), pow2(size[2] * size[0]), pow2(size[0] * size[1])];
    let [x, y, z] = v;
    let (xx, yy, zz) = (x * x, y * y, z * z);
    let denom = a * a * xx + b * b * yy + c * c * zz;
    let num = a * xx + b * yy + c * zz;
    let area_slope = PI / (num * num * num * denom).sqrt().max(MINVAL);
    let area = PI * (denom / num.max(MINVAL)).sqrt();
    let norm = (xx + yy + zz).sqrt();
    let quadratic = density * (area * coef.blunt_drag + coef.slender_drag * (area_max - area));
    let area_coef = density * norm * (coef.blunt_drag - coef.slender_drag);
    let area_gradient = [
        area_coef * area_slope * a * x * (b * yy * (a - b) + c * zz * (a - c)),
        area_coef * area_slope * b * y * (a * xx * (b - a) + c * zz * (b - c)),
        area_coef * area_slope * c * z * (a * xx * (c - a) + b * yy * (c - b)),
    ];
    let mut d = [0.0; 9];
    add_outer(&mut d, v, v);
    for k in [0, 4, 8] {
        d[k] += xx + yy + zz;
    }
    let scale = -quadratic * (1.0 / norm.max(MINVAL));
    d = d.map(|x| x * scale);
    add_outer(&mut d, vec3::neg(v), area_gradient);
    for k in [0, 4, 8] {
        d[k] -= viscosity * 3.0 * PI * sphere;
    }
    d
}

fn kutta(v: Vec3, size: Vec3, density: f64, coef: &FluidCoef) -> Mat3 {
    let s = [pow2(size[1] * size[2]), pow2(size[2] * size[0]), pow2(size[0] * size[1])];
    let q = v.map(|x| x * x);
    let denom = s[0] * s[0] * q[0] + s[1] * s[1] * q[1] + s[2] * s[2] * q[2];
    let num = s[0] * q[0] + s[1] * q[1] + s[2] * q[2];
    let norm2 = q[0] + q[1] + q[2];
    let scale = PI * coef.kutta_lift * density / (denom * num * norm2).sqrt().max(MINVAL);
    let f = [
        q[1] * (s[0] - s[1]) + q[2] * (s[0] - s[2]),
        q[0] * (s[1] - s[0]) + q[2] * (s[1] - s[2]),
        q[0] * (s[2] - s[0]) + q[1] * (s[2] - s[1]),
    ];
    let proj_term = num / denom.max(MINVAL);
    let cos_term = num / norm2.max(MINVAL);
    let inner: Vec3 = std::array::from_fn(|k| s[k] * s[k] * proj_term - s[k] + cos_term);
    // derivative of cos α · A · ((s ∘ v) × v) × v, with both factors rational in v
    std::array::from_fn(|i| {
        let (r, c) = (i / 3, i % 3);
        let mut x = ((s[c] - s[r]) * (2.0 * num) + inner[c] * f[r]) * (v[r] * v[c]);
        if r == c {
            x -= f[r] * num;
        }
        x * scale
    })
}
