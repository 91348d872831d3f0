//! Springs between the normals of neighbouring triangles (Bridson, Marino, Fedkiw 2003, "Simulation of Clothing with
//! Folds and Wrinkles").

use super::models::{FlexBendingModel, FlexModelError, rest_positions};
use super::passive::{Wanted, push, vertex_velocity};
use super::{edges, is_bending};
use crate::support::Motion;
use ligament_math::{MINVAL, Vec3, vec3};
use ligament_model::flex_model::{BridsonBending, Hinge};
use ligament_model::{Data, Model};
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

impl FlexBendingModel for BridsonBending {
    /// The stiffness of a hinge is that of the cotangent model for small angles: its energy
    /// ½ K (|e|θ)² with K = 3 μ t³ / (24 (A₁ + A₂)).
    fn precompute(&mut self, m: &Model, flex: usize) -> Result<(), FlexModelError> {
        let material =
            m.flex_model(flex).and_then(|x| x.material).ok_or(FlexModelError::NoMaterial { flex })?;
        if m.flex_dim[flex] != 2 || material.thickness <= 0.0 {
            return Err(FlexModelError::NotASurface { flex });
        }
        let shear = material.lame().0;
        let rest = rest_positions(m)?;
        let first = m.flex_vertadr[flex] as usize;
        self.hinges.clear();
        for edge in edges(m, flex).filter(|_| is_bending(m, flex)) {
            let ([v0, v1], [a, b]) = (m.flex_edge[edge], m.flex_edgeflap[edge]);
            if b < 0 {
                continue;
            }
            let vertices = [v0, v1, a, b].map(|v| first + v as usize);
            let x = vertices.map(|v| rest[v]);
            let (angle, _) = dihedral(&x).ok_or(FlexModelError::Degenerate { flex })?;
            let area = |p: Vec3| vec3::norm(vec3::cross(vec3::sub(x[1], x[0]), vec3::sub(p, x[0]))) / 2.0;
            let square = vec3::dot(vec3::sub(x[1], x[0]), vec3::sub(x[1], x[0]));
            let plate = 3.0 * shear * material.thickness.powi(3) / (24.0 * (area(x[2]) + area(x[3])));
            self.hinges.push(Hinge { vertices, rest: angle, stiffness: plate * square });
        }
        Ok(())
    }

    /// Spring and damper torques of all hinges. The force on a vertex is limited to what turns the hinge by one radian
    /// in a step, which keeps stiff sheets from exploding.
    fn apply_forces(&self, m: &Model, d: &mut Data, flex: usize) {
        let wanted = Wanted::new(m);
        let damping = if wanted.damper { m.flex_damping[flex] } else { 0.0 };
        let step = m.opt.timestep;
        let Data { flexvert_xpos, cdof, subtree_com, qvel, qfrc_spring, qfrc_damper, .. } = d;
        let motion = Motion { cdof, subtree_com };
        for hinge in &self.hinges {
            let x = hinge.vertices.map(|v| flexvert_xpos[v]);
            let Some((angle, direction)) = dihedral(&x) else { continue };
            let body = hinge.vertices.map(|v| m.flex_vertbodyid[v] as usize);
            let mut rate = 0.0;
            if damping != 0.0 {
                for i in 0..4 {
                    rate -= vec3::dot(direction[i], vertex_velocity(m, motion, qvel, body[i], x[i]));
                }
            }
            let spring = if wanted.spring { hinge.stiffness * angle_between(angle, hinge.rest) } else { 0.0 };
            let damper = damping * hinge.stiffness * rate;
            for i in 0..4 {
                let size = vec3::norm(direction[i]);
                let resistance = step * step * size * m.body_invweight0[body[i]][0];
                let total = (spring + damper).abs() * size;
                let scale = if total * resistance > 1.0 { 1.0 / (total * resistance) } else { 1.0 };
                push(m, motion, body[i], x[i], vec3::scale(direction[i], spring * scale), qfrc_spring);
                if damper != 0.0 {
                    push(m, motion, body[i], x[i], vec3::scale(direction[i], damper * scale), qfrc_damper);
                }
            }
        }
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
