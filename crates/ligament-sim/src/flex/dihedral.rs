//! Springs between the normals of neighbouring triangles (Bridson, Marino, Fedkiw 2003, "Simulation of Clothing with
//! Folds and Wrinkles").

use ligament_math::{MINVAL, Vec3, vec3};
use ligament_model::parts::{FlexForce, FlexShape, FlexState, Part, PartError, Slot};
use std::f64::consts::TAU;

/// Angle between two triangles, 0 when flat, and minus its gradient at the four vertices: the ends of the common edge
/// and the opposite vertices. Nothing when a triangle has no area.
pub fn dihedral(x: &[Vec3; 4]) -> Option<(f64, [Vec3; 4])> {
    let [x0, x1, a, b] = *x;
    let mut edge = vec3::sub(x1, x0);
    let length = vec3::normalize(&mut edge);
    let n1 = vec3::cross(vec3::sub(x0, a), vec3::sub(x1, a));
    let n2 = vec3::cross(vec3::sub(x1, b), vec3::sub(x0, b));
    let (square1, square2) = (vec3::dot(n1, n1), vec3::dot(n2, n2));
    if length < MINVAL || square1 < MINVAL * MINVAL || square2 < MINVAL * MINVAL {
        return None;
    }
    // the common factor |n1||n2| does not change the angle
    let angle = vec3::dot(vec3::cross(n1, n2), edge).atan2(vec3::dot(n1, n2));
    let (n1, n2) = (vec3::scale(n1, 1.0 / square1), vec3::scale(n2, 1.0 / square2));
    let along = |p: Vec3, from: Vec3| vec3::dot(vec3::sub(p, from), edge);
    let end0 = vec3::add(vec3::scale(n1, along(a, x1)), vec3::scale(n2, along(b, x1)));
    let end1 = vec3::add(vec3::scale(n1, -along(a, x0)), vec3::scale(n2, -along(b, x0)));
    Some((angle, [end0, end1, vec3::scale(n1, length), vec3::scale(n2, length)]))
}

/// Difference of two angles, between -π and π.
fn angle_between(angle: f64, rest: f64) -> f64 {
    let difference = angle - rest;
    difference - TAU * (difference / TAU).round()
}

/// An inner edge of a surface with the angle between its two triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct Hinge {
    /// Ends of the edge, then the opposite vertices; numbers in the flex.
    pub vertices: [usize; 4],
    /// Angle at rest, 0 for a flat surface.
    pub rest: f64,
    /// Torque per angle.
    pub stiffness: f64,
    /// Inverse masses of the vertices.
    pub inverse_mass: [f64; 4],
}

/// Dihedral springs on all inner edges of a surface.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BridsonBending {
    hinges: Vec<Hinge>,
}

impl BridsonBending {
    /// The hinges of the flex it was fitted to.
    pub fn hinges(&self) -> &[Hinge] {
        &self.hinges
    }
}

/// Angle of a hinge beyond rest, minus the gradient of the angle, and minus the rate of the angle.
fn opening(hinge: &Hinge, at: &FlexState<'_>) -> Option<(f64, [Vec3; 4], f64)> {
    let (angle, direction) = dihedral(&hinge.vertices.map(|v| at.position[v]))?;
    let mut rate = 0.0;
    if at.damping != 0.0 {
        for (u, v) in direction.iter().zip(hinge.vertices) {
            rate -= vec3::dot(*u, at.velocity[v]);
        }
    }
    Some((angle_between(angle, hinge.rest), direction, rate))
}

impl Part for BridsonBending {
    fn name(&self) -> &str {
        "bridson"
    }
}

impl FlexForce for BridsonBending {
    /// The stiffness of a hinge is that of the cotangent model for small angles: its energy
    /// ½ K (|e|θ)² with K = 3 μ t³ / (24 (A₁ + A₂)).
    fn fitted(&self, slot: Slot, shape: &FlexShape<'_>) -> Result<Self, PartError> {
        let misfit = |reason: &str| shape.misfit(slot, self.name(), reason);
        let material = shape.material().ok_or_else(|| {
            misfit("the flex has no elastic constants: compile it from MJCF, or give the constants")
        })?;
        if shape.dim() != 2 || material.thickness <= 0.0 {
            return Err(misfit("the flex is not a surface with a thickness"));
        }
        let shear = material.lame().0;
        if !shear.is_finite() {
            return Err(misfit("the elastic constants of the flex are no finite numbers"));
        }
        let hinge = |vertices: [usize; 4]| {
            let x = vertices.map(|v| shape.rest[v]);
            let (rest, _) = dihedral(&x).ok_or_else(|| misfit("the flex has an element without area"))?;
            let side = vec3::sub(x[1], x[0]);
            let area = |p: Vec3| vec3::norm(vec3::cross(side, vec3::sub(p, x[0]))) / 2.0;
            let plate = 3.0 * shear * material.thickness.powi(3) / (24.0 * (area(x[2]) + area(x[3])));
            let inverse_mass = vertices.map(|v| shape.inverse_mass(v));
            Ok(Hinge { vertices, rest, stiffness: plate * vec3::dot(side, side), inverse_mass })
        };
        Ok(Self { hinges: shape.flaps().map(hinge).collect::<Result<_, _>>()? })
    }

    /// Spring and damper torques of all hinges. The force on a vertex is limited to what turns the hinge by one radian
    /// in a step, which keeps stiff sheets from exploding.
    fn forces(&self, at: &FlexState<'_>, spring: &mut [Vec3], damper: &mut [Vec3]) {
        for hinge in &self.hinges {
            let Some((angle, direction, rate)) = opening(hinge, at) else { continue };
            let torque = hinge.stiffness * angle;
            let drag = at.damping * hinge.stiffness * rate;
            for i in 0..4 {
                let (v, size) = (hinge.vertices[i], vec3::norm(direction[i]));
                let resistance = at.timestep * at.timestep * size * hinge.inverse_mass[i];
                let total = (torque + drag).abs() * size;
                let scale = if total * resistance > 1.0 { 1.0 / (total * resistance) } else { 1.0 };
                spring[v] = vec3::add_scaled(spring[v], direction[i], torque * scale);
                damper[v] = vec3::add_scaled(damper[v], direction[i], drag * scale);
            }
        }
    }

    /// −damping · stiffness · u uᵀ for each hinge, without the limit.
    fn velocity_slopes(&self, at: &FlexState<'_>, slopes: &mut [[f64; 9]]) -> bool {
        for hinge in self.hinges.iter().filter(|_| at.damping != 0.0) {
            let Some((_, direction, _)) = opening(hinge, at) else { continue };
            for (u, &v) in direction.iter().zip(&hinge.vertices) {
                for (k, slope) in slopes[v].iter_mut().enumerate() {
                    *slope -= at.damping * hinge.stiffness * u[k / 3] * u[k % 3];
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDED: [Vec3; 4] = [[0.1, -0.2, 0.0], [0.0, 0.3, 0.1], [-0.4, 0.1, 0.2], [0.5, 0.0, 0.3]];

    /// C42B.2: the direction of the force is minus the gradient of the angle
    #[test]
    fn gradient_of_the_angle() {
        let (_, direction) = dihedral(&FOLDED).unwrap();
        for i in 0..4 {
            for k in 0..3 {
                let at = |h: f64| {
                    let mut x = FOLDED;
                    x[i][k] += h;
                    dihedral(&x).unwrap().0
                };
                let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
                assert!((slope + direction[i][k]).abs() < 1e-8, "{slope} {}", direction[i][k]);
            }
        }
    }

    #[test]
    fn flat_is_zero_and_degenerate_is_nothing() {
        let flat = [[0.0; 3], [0.0, 1.0, 0.0], [-1.0, 0.5, 0.0], [1.0, 0.2, 0.0]];
        assert_eq!(dihedral(&flat).unwrap().0, 0.0);
        assert!(dihedral(&[flat[0], flat[1], [0.0, 0.5, 0.0], flat[3]]).is_none());
        assert!((angle_between(-3.0, 3.0) - (TAU - 6.0)).abs() < 1e-12);
    }
}
