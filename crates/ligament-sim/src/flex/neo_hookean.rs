//! Neo-Hookean triangles and tetrahedra: W = μ/2 (I₁ − dim) − μ ln J + λ/2 (ln J)².
//!
//! A triangle is treated as a tetrahedron whose third side is the unit normal, so that J is the change of area.

use super::models::{FlexElasticityModel, FlexModelError, rest_positions};
use super::passive::{Wanted, distribute, vertex_velocity};
use super::{element_vertices, vertices};
use crate::support::Motion;
use crate::workspace::Scratches as _;
use ligament_math::{MINVAL, Vec3, vec3};
use ligament_model::flex_model::{NeoHookeanElements, RestElement};
use ligament_model::{Data, Model};

/// Compression below which stress stays as it is here: the energy goes on linearly in J, so that elements without
/// volume, or turned inside out, are pushed back with a finite force.
pub const LEAST_VOLUME: f64 = 0.1;

/// Neo-Hookean elasticity.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NeoHookean {
    lame: Option<(f64, f64)>,
}

impl NeoHookean {
    /// With these constants instead of those that follow from the flex's Young's modulus and Poisson's ratio.
    pub fn new(mu: f64, lambda: f64) -> Self {
        Self { lame: Some((mu, lambda)) }
    }
}

/// Deformation gradient by columns, or its rate when given velocities.
fn gradient(sides: &[Vec3; 3], rest: &RestElement, dim: usize) -> [Vec3; 3] {
    let mut columns = [[0.0; 3]; 3];
    for (j, column) in columns.iter_mut().enumerate().take(dim) {
        for (i, side) in sides.iter().enumerate().take(dim) {
            *column = vec3::add_scaled(*column, *side, rest.inverse[i][j]);
        }
    }
    columns
}

/// First Piola-Kirchhoff stress by columns, given the deformation gradient by columns.
pub fn stress(mu: f64, lambda: f64, mut f: [Vec3; 3], dim: usize) -> [Vec3; 3] {
    if dim == 2 {
        f[2] = vec3::cross(f[0], f[1]);
        vec3::normalize(&mut f[2]);
    }
    // derivative of J with respect to each column
    let cofactor = [vec3::cross(f[1], f[2]), vec3::cross(f[2], f[0]), vec3::cross(f[0], f[1])];
    let volume = vec3::dot(f[0], cofactor[0]).max(LEAST_VOLUME);
    let pressure = (lambda * volume.ln() - mu) / volume;
    std::array::from_fn(|j| {
        if j < dim { vec3::add_scaled(vec3::scale(f[j], mu), cofactor[j], pressure) } else { [0.0; 3] }
    })
}

/// Viscous stress by columns: F (2μĖ + λ tr(Ė)) with the rate Ė of Green's strain.
fn viscous_stress(mu: f64, lambda: f64, f: &[Vec3; 3], rate: &[Vec3; 3], dim: usize) -> [Vec3; 3] {
    let strain = |j: usize, k: usize| 0.5 * (vec3::dot(f[j], rate[k]) + vec3::dot(f[k], rate[j]));
    let trace: f64 = (0..dim).map(|j| strain(j, j)).sum();
    std::array::from_fn(|j| {
        let mut column = [0.0; 3];
        for k in 0..if j < dim { dim } else { 0 } {
            let s = 2.0 * mu * strain(j, k) + if j == k { lambda * trace } else { 0.0 };
            column = vec3::add_scaled(column, f[k], s);
        }
        column
    })
}

/// Adds the forces of a stress to the vertices of an element.
fn add_forces(stress: &[Vec3; 3], rest: &RestElement, corners: &[i32], force: &mut [Vec3]) {
    let first = corners[0] as usize;
    for (inverse, &corner) in rest.inverse.iter().zip(&corners[1..]) {
        let mut f = [0.0; 3];
        for (column, weight) in stress.iter().zip(inverse) {
            f = vec3::add_scaled(f, *column, -rest.volume * weight);
        }
        force[corner as usize] = vec3::add(force[corner as usize], f);
        force[first] = vec3::sub(force[first], f);
    }
}

/// Rest shape of an element from its sides; nothing when it has no volume.
fn rest_element(sides: [Vec3; 3], thickness: f64, dim: usize) -> Option<RestElement> {
    let cross =
        [vec3::cross(sides[1], sides[2]), vec3::cross(sides[2], sides[0]), vec3::cross(sides[0], sides[1])];
    let (inverse, volume) = if dim == 3 {
        let determinant = vec3::dot(sides[0], cross[0]);
        (cross.map(|row| vec3::scale(row, 1.0 / determinant)), determinant.abs() / 6.0)
    } else {
        // coordinates in the plane of the triangle, the first axis along its first side
        let mut axis = sides[0];
        let length = vec3::normalize(&mut axis);
        let height = vec3::norm(cross[2]) / length;
        let shift = vec3::dot(sides[1], axis);
        let rows = [[1.0 / length, -shift / (length * height), 0.0], [0.0, 1.0 / height, 0.0], [0.0; 3]];
        (rows, 0.5 * length * height * thickness)
    };
    (volume > MINVAL && inverse.as_flattened().iter().all(|x| x.is_finite()))
        .then_some(RestElement { inverse, volume })
}

fn sides(points: &[Vec3], corners: &[i32]) -> [Vec3; 3] {
    std::array::from_fn(|i| match corners.get(i + 1) {
        Some(&corner) => vec3::sub(points[corner as usize], points[corners[0] as usize]),
        None => [0.0; 3],
    })
}

impl FlexElasticityModel for NeoHookean {
    type Precomputed = NeoHookeanElements;

    fn precompute(&self, flex: usize, m: &Model) -> Result<NeoHookeanElements, FlexModelError> {
        let dim = m.flex_dim[flex] as usize;
        if dim < 2 || m.flex_interp[flex] != 0 {
            return Err(FlexModelError::NoElements { flex });
        }
        let material = m.flex_model(flex).and_then(|x| x.material);
        let constants = self.lame.or(material.map(|x| x.lame()));
        let (mu, lambda) = constants.ok_or(FlexModelError::NoMaterial { flex })?;
        let thickness = material.map_or(0.0, |x| x.thickness);
        if dim == 2 && thickness <= 0.0 {
            return Err(FlexModelError::NotASurface { flex });
        }
        let rest = rest_positions(m)?;
        let points = &rest[vertices(m, flex)];
        let element = |e: usize| {
            rest_element(sides(points, element_vertices(m, flex, e)), thickness, dim)
                .ok_or(FlexModelError::Degenerate { flex })
        };
        let elements = (0..m.flex_elemnum[flex] as usize).map(element).collect::<Result<_, _>>()?;
        Ok(NeoHookeanElements { mu, lambda, elements })
    }

    fn apply(&self, flex: usize, rest: &NeoHookeanElements, m: &Model, d: &mut Data) {
        let wanted = Wanted::new(m);
        let dim = m.flex_dim[flex] as usize;
        let damping = if wanted.damper { m.flex_damping[flex] } else { 0.0 };
        let mut buffer = std::mem::take(&mut d.workspace.scratch().flex);
        buffer.clear_forces(m.flex_vertnum[flex] as usize);
        if damping != 0.0 {
            let motion = Motion::from(&*d);
            buffer.velocity.clear();
            buffer.velocity.extend(vertices(m, flex).map(|v| {
                vertex_velocity(m, motion, &d.qvel, m.flex_vertbodyid[v] as usize, d.flexvert_xpos[v])
            }));
        }
        let points = &d.flexvert_xpos[vertices(m, flex)];
        for (e, rest_element) in rest.elements.iter().enumerate() {
            let corners = element_vertices(m, flex, e);
            let f = gradient(&sides(points, corners), rest_element, dim);
            if wanted.spring {
                add_forces(&stress(rest.mu, rest.lambda, f, dim), rest_element, corners, &mut buffer.force);
            }
            if damping != 0.0 {
                let rate = gradient(&sides(&buffer.velocity, corners), rest_element, dim);
                let stress = viscous_stress(rest.mu * damping, rest.lambda * damping, &f, &rate, dim);
                add_forces(&stress, rest_element, corners, &mut buffer.damping_force);
            }
        }
        let Data { flexvert_xpos, cdof, subtree_com, qfrc_spring, qfrc_damper, .. } = d;
        let motion = Motion { cdof, subtree_com };
        distribute(m, motion, flexvert_xpos, flex, &buffer.force, qfrc_spring);
        if damping != 0.0 {
            distribute(m, motion, flexvert_xpos, flex, &buffer.damping_force, qfrc_damper);
        }
        d.workspace.scratch().flex = buffer;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn energy(mu: f64, lambda: f64, f: &[Vec3; 3], dim: usize) -> f64 {
        let mut f = *f;
        if dim == 2 {
            f[2] = vec3::unit(vec3::cross(f[0], f[1]));
        }
        let square: f64 = (0..dim).map(|j| vec3::dot(f[j], f[j])).sum();
        let volume = vec3::dot(f[0], vec3::cross(f[1], f[2]));
        mu / 2.0 * (square - dim as f64) - mu * volume.ln() + lambda / 2.0 * volume.ln().powi(2)
    }

    /// C42C.2, C42C.3: the stress is the gradient of the energy, in solids and in shells
    #[test]
    fn stress_is_the_gradient_of_the_energy() {
        let f = [[1.1, 0.2, 0.0], [-0.1, 0.8, 0.3], [0.05, 0.1, 1.2]];
        for dim in [2, 3] {
            let p = stress(2.0, 3.0, f, dim);
            for j in 0..dim {
                for k in 0..3 {
                    let at = |h: f64| {
                        let mut g = f;
                        g[j][k] += h;
                        energy(2.0, 3.0, &g, dim)
                    };
                    let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
                    assert!((slope - p[j][k]).abs() < 1e-8, "{dim} {slope} {}", p[j][k]);
                }
            }
        }
    }

    #[test]
    fn inverted_and_flat_elements_have_finite_stress_that_opens_them() {
        for third in [-1.0, 0.0, 0.05] {
            let p = stress(2.0, 3.0, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, third]], 3);
            assert!(p.as_flattened().iter().all(|x| x.is_finite()));
            assert!(p[2][2] < 0.0, "{p:?}");
        }
        let p = stress(2.0, 3.0, [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]], 2);
        assert!(p.as_flattened().iter().all(|x| x.is_finite()));
    }
}
