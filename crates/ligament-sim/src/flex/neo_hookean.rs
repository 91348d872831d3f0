//! Neo-Hookean triangles and tetrahedra: W = μ/2 (I₁ − dim) − μ ln J + λ/2 (ln J)².
//!
//! A triangle is treated as a tetrahedron whose third side is the unit normal, so that J is the change of area.

use ligament_math::{MINVAL, Vec3, vec3};
use ligament_model::parts::{FlexForce, FlexShape, FlexState, Part, PartError, Slot};

/// Compression below which stress stays as it is here: the energy goes on linearly in J, so that elements without
/// volume, or turned inside out, are pushed back with a finite force.
pub const LEAST_VOLUME: f64 = 0.1;

/// Rest shape of an element: inverse of the matrix of its sides by rows, area times thickness or volume.
#[derive(Debug, Clone, PartialEq)]
struct RestElement {
    vertices: [usize; 4],
    inverse: [[f64; 3]; 3],
    volume: f64,
}

impl RestElement {
    fn corners(&self, dim: usize) -> &[usize] {
        &self.vertices[..=dim]
    }
}

/// Neo-Hookean elasticity.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NeoHookean {
    given: Option<(f64, f64)>,
    /// Lamé's constants of the flex it was fitted to.
    lame: (f64, f64),
    dim: usize,
    elements: Vec<RestElement>,
}

impl NeoHookean {
    /// With these constants instead of those that follow from the flex's Young's modulus and Poisson's ratio.
    pub fn new(mu: f64, lambda: f64) -> Self {
        Self { given: Some((mu, lambda)), ..Self::default() }
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
fn add_forces(stress: &[Vec3; 3], rest: &RestElement, dim: usize, force: &mut [Vec3]) {
    let [first, others @ ..] = rest.vertices;
    for (inverse, &corner) in rest.inverse.iter().zip(&others[..dim]) {
        let mut f = [0.0; 3];
        for (column, weight) in stress.iter().zip(inverse) {
            f = vec3::add_scaled(f, *column, -rest.volume * weight);
        }
        force[corner] = vec3::add(force[corner], f);
        force[first] = vec3::sub(force[first], f);
    }
}

/// Rest shape of an element from its sides; nothing when it has no volume.
fn rest_element(vertices: [usize; 4], sides: [Vec3; 3], thickness: f64, dim: usize) -> Option<RestElement> {
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
    (volume > MINVAL && inverse.as_flattened().iter().all(|x| x.is_finite())).then_some(RestElement {
        vertices,
        inverse,
        volume,
    })
}

fn sides(points: &[Vec3], corners: &[usize]) -> [Vec3; 3] {
    std::array::from_fn(|i| match corners.get(i + 1) {
        Some(&corner) => vec3::sub(points[corner], points[corners[0]]),
        None => [0.0; 3],
    })
}

impl Part for NeoHookean {
    fn name(&self) -> &str {
        "neo_hookean"
    }

    fn parameters(&self) -> Vec<f64> {
        self.given.map_or_else(Vec::new, |(mu, lambda)| vec![mu, lambda])
    }
}

impl FlexForce for NeoHookean {
    fn fitted(&self, slot: Slot, shape: &FlexShape<'_>) -> Result<Self, PartError> {
        let misfit = |reason: &str| shape.misfit(slot, self.name(), reason);
        let dim = shape.dim();
        let material = shape.material();
        let lame = self.given.or(material.map(|x| x.lame())).ok_or_else(|| {
            misfit("the flex has no elastic constants: compile it from MJCF, or give the constants")
        })?;
        if !(lame.0.is_finite() && lame.1.is_finite()) {
            return Err(misfit("the elastic constants are no finite numbers"));
        }
        let thickness = material.map_or(0.0, |x| x.thickness);
        if dim == 2 && thickness <= 0.0 {
            return Err(misfit("the flex is not a surface with a thickness"));
        }
        let element = |corners: &[i32]| {
            let mut numbers = [0; 4];
            for (number, &corner) in numbers.iter_mut().zip(corners) {
                *number = corner as usize;
            }
            rest_element(numbers, sides(shape.rest, &numbers[..=dim]), thickness, dim)
                .ok_or_else(|| misfit("the flex has an element without area or volume"))
        };
        let elements = shape.elements().map(element).collect::<Result<_, _>>()?;
        Ok(Self { given: self.given, lame, dim, elements })
    }

    fn forces(&self, at: &FlexState<'_>, spring: &mut [Vec3], damper: &mut [Vec3]) {
        let (mu, lambda) = self.lame;
        for element in &self.elements {
            let f = gradient(&sides(at.position, element.corners(self.dim)), element, self.dim);
            add_forces(&stress(mu, lambda, f, self.dim), element, self.dim, spring);
            if at.damping != 0.0 {
                let rate = gradient(&sides(at.velocity, element.corners(self.dim)), element, self.dim);
                let stress = viscous_stress(mu * at.damping, lambda * at.damping, &f, &rate, self.dim);
                add_forces(&stress, element, self.dim, damper);
            }
        }
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
