//! Forces of a fluid at rest (or of wind) on bodies: the inertia-box model per body, the ellipsoid model per geom.
//! Formulas: MuJoCo book, "Fluid forces".

use crate::awake::{self, Selection};
use crate::support::{self, Motion, object_velocity};
use ligament_math::{MINVAL, Mat3, Vec3, Vec6, mat3, spatial, vec3};
use ligament_model::enums::{GeomType, ObjType};
use ligament_model::{Data, Model};
use std::f64::consts::PI;

/// Adds the fluid forces of all bodies to qfrc_fluid; returns whether the medium has density or viscosity.
pub fn fluid(m: &Model, d: &mut Data) -> bool {
    if m.opt.viscosity == 0.0 && m.opt.density == 0.0 {
        return false;
    }
    let count = Selection::new(awake::sleep_enabled(m), &d.body_awake_ind, d.nbody_awake, m.nbody).len();
    for k in 0..count {
        let i = awake::bodies(m, d).get(k);
        if m.body_mass[i] < MINVAL {
            continue;
        }
        if uses_ellipsoids(m, i) {
            ellipsoid_forces(m, d, i);
        } else {
            inertia_box_force(m, d, i);
        }
    }
    true
}

/// Geoms of a body.
pub(crate) fn body_geoms(m: &Model, body: usize) -> std::ops::Range<usize> {
    let start = m.body_geomadr[body].max(0) as usize;
    start..start + m.body_geomnum[body] as usize
}

/// One geom with the ellipsoid model switches the box model off for its body.
pub(crate) fn uses_ellipsoids(m: &Model, body: usize) -> bool {
    body_geoms(m, body).any(|g| m.geom_fluid[g][0] > 0.0)
}

/// Velocity of an object relative to the fluid, in the object's frame.
pub(crate) fn relative_velocity(m: &Model, d: &Data, kind: ObjType, id: usize, mat: &Mat3) -> Vec6 {
    let mut v = object_velocity(m, d, kind, id, true).unwrap_or_default();
    let wind = mat3::mul_vec_t(mat, m.opt.wind);
    for k in 0..3 {
        v[3 + k] -= wind[k];
    }
    v
}

/// Edge lengths of the box that has the inertia of a body.
pub(crate) fn inertia_box(inertia: Vec3, mass: f64) -> Vec3 {
    let edge = |a: f64, b: f64, c: f64| ((a + b - c).max(MINVAL) / mass * 6.0).sqrt();
    [
        edge(inertia[1], inertia[2], inertia[0]),
        edge(inertia[0], inertia[2], inertia[1]),
        edge(inertia[0], inertia[1], inertia[2]),
    ]
}

fn apply_local(m: &Model, d: &mut Data, local: &Vec6, mat: &Mat3, point: Vec3, body: usize) {
    let torque = mat3::mul_vec(mat, spatial::rot(local));
    let force = mat3::mul_vec(mat, spatial::lin(local));
    let Data { cdof, subtree_com, qfrc_fluid, .. } = d;
    support::apply_ft(m, Motion { cdof, subtree_com }, Some(force), Some(torque), point, body, qfrc_fluid);
}

#[inline(never)]
fn inertia_box_force(m: &Model, d: &mut Data, i: usize) {
    let ximat = d.ximat[i];
    let v = relative_velocity(m, d, ObjType::Body, i, &ximat);
    let size = inertia_box(m.body_inertia[i], m.body_mass[i]);
    let force = box_drag(&v, size, m.opt.density, m.opt.viscosity);
    apply_local(m, d, &force, &ximat, d.xipos[i], i);
}

/// Viscous resistance of the equivalent sphere and quadratic drag of the box.
fn box_drag(v: &Vec6, size: Vec3, density: f64, viscosity: f64) -> Vec6 {
    let mut force = [0.0; 6];
    if viscosity > 0.0 {
        let diam = (size[0] + size[1] + size[2]) / 3.0;
        for k in 0..3 {
            force[k] = v[k] * (-PI * diam * diam * diam * viscosity);
            force[3 + k] = v[3 + k] * (-3.0 * PI * diam * viscosity);
        }
    }
    if density > 0.0 {
        for k in 0..3 {
            // the two other edges in the order of the axes
            let (a, b) = [(1, 2), (0, 2), (0, 1)][k];
            force[3 + k] -= 0.5 * density * size[a] * size[b] * v[3 + k].abs() * v[3 + k];
            let fourth = |x: f64| x * x * x * x;
            force[k] -= density * size[k] * (fourth(size[a]) + fourth(size[b])) * v[k].abs() * v[k] / 64.0;
        }
    }
    force
}

/// Coefficients of a geom's interaction with the fluid, in the order of `geom_fluid`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FluidCoef {
    /// Whether the geom takes part.
    pub interaction: f64,
    /// Coefficient of blunt drag.
    pub blunt_drag: f64,
    /// Coefficient of slender drag.
    pub slender_drag: f64,
    /// Coefficient of angular drag.
    pub angular_drag: f64,
    /// Coefficient of Kutta lift.
    pub kutta_lift: f64,
    /// Coefficient of Magnus lift.
    pub magnus_lift: f64,
    /// Added mass along the axes.
    pub virtual_mass: Vec3,
    /// Added inertia about the axes.
    pub virtual_inertia: Vec3,
}

impl From<&[f64; 12]> for FluidCoef {
    fn from(c: &[f64; 12]) -> Self {
        Self {
            interaction: c[0],
            blunt_drag: c[1],
            slender_drag: c[2],
            angular_drag: c[3],
            kutta_lift: c[4],
            magnus_lift: c[5],
            virtual_mass: [c[6], c[7], c[8]],
            virtual_inertia: [c[9], c[10], c[11]],
        }
    }
}

/// Semi-axes of the ellipsoid that stands for a geom.
pub(crate) fn semi_axes(kind: i32, size: Vec3) -> Vec3 {
    match GeomType::try_from(kind) {
        Ok(GeomType::Sphere) => [size[0]; 3],
        Ok(GeomType::Capsule) => [size[0], size[0], size[1] + size[0]],
        Ok(GeomType::Cylinder) => [size[0], size[0], size[1]],
        _ => size,
    }
}

#[inline(never)]
fn ellipsoid_forces(m: &Model, d: &mut Data, body: usize) {
    for g in body_geoms(m, body) {
        let coef = FluidCoef::from(&m.geom_fluid[g]);
        if coef.interaction == 0.0 {
            continue;
        }
        let xmat = d.geom_xmat[g];
        let v = relative_velocity(m, d, ObjType::Geom, g, &xmat);
        let mut force = added_mass_force(&v, m.opt.density, &coef);
        let drag = viscous_force(
            &v,
            m.opt.density,
            m.opt.viscosity,
            semi_axes(m.geom_type[g], m.geom_size[g]),
            &coef,
        );
        spatial::add_to(&mut force, &drag);
        for x in &mut force {
            *x *= coef.interaction;
        }
        apply_local(m, d, &force, &xmat, d.geom_xpos[g], body);
    }
}

/// Force of the fluid that moves with the body; the part that depends on acceleration is left out.
fn added_mass_force(v: &Vec6, density: f64, coef: &FluidCoef) -> Vec6 {
    let (angular, linear) = (spatial::rot(v), spatial::lin(v));
    let linear_momentum = std::array::from_fn(|k| density * coef.virtual_mass[k] * linear[k]);
    let angular_momentum = std::array::from_fn(|k| density * coef.virtual_inertia[k] * angular[k]);
    let torque = vec3::add(vec3::cross(linear_momentum, linear), vec3::cross(angular_momentum, angular));
    spatial::join(torque, vec3::cross(linear_momentum, angular))
}

pub(crate) fn pow2(x: f64) -> f64 {
    x * x
}

pub(crate) fn pow4(x: f64) -> f64 {
    (x * x) * (x * x)
}

/// Largest moment of the ellipsoid's cross sections about an axis.
pub(crate) fn max_moment(size: Vec3, axis: usize) -> f64 {
    8.0 / 15.0 * PI * size[axis] * pow4(size[(axis + 1) % 3].max(size[(axis + 2) % 3]))
}

/// Lift (Magnus, Kutta) and drag (Stokes and quadratic) of an ellipsoid.
fn viscous_force(v: &Vec6, density: f64, viscosity: f64, size: Vec3, coef: &FluidCoef) -> Vec6 {
    let (angular, linear) = (spatial::rot(v), spatial::lin(v));
    let speed = vec3::norm(linear);
    let d_max = size[0].max(size[1]).max(size[2]);
    let d_min = size[0].min(size[1]).min(size[2]);
    let d_mid = size[0] + size[1] + size[2] - d_max - d_min;
    let area_max = PI * d_max * d_mid;
    let volume = 4.0 / 3.0 * PI * size[0] * size[1] * size[2];
    let magnus = vec3::cross(angular, linear).map(|x| x * (coef.magnus_lift * density * volume));

    // projected area along the velocity, and the angle between velocity and the normal of that section
    let faces = [size[1] * size[2], size[2] * size[0], size[0] * size[1]];
    let denom = pow4(faces[0]) * pow2(linear[0])
        + pow4(faces[1]) * pow2(linear[1])
        + pow4(faces[2]) * pow2(linear[2]);
    let num = pow2(faces[0] * linear[0]) + pow2(faces[1] * linear[1]) + pow2(faces[2] * linear[2]);
    let area = PI * (denom / num.max(MINVAL)).sqrt();
    let normal = std::array::from_fn(|k| pow2(faces[k]) * linear[k]);
    let cos_alpha = num / (speed * denom).max(MINVAL);
    let circulation = vec3::cross(normal, linear).map(|x| x * (coef.kutta_lift * density * cos_alpha * area));
    let kutta = vec3::cross(circulation, linear);

    let sphere = 2.0 / 3.0 * (size[0] + size[1] + size[2]);
    let inertia_max = 8.0 / 15.0 * PI * d_mid * pow4(d_max);
    let moment: Vec3 = std::array::from_fn(|k| {
        let own = max_moment(size, k);
        angular[k] * (coef.angular_drag * own + coef.slender_drag * (inertia_max - own))
    });
    let drag_linear = viscosity * (3.0 * PI * sphere)
        + density * speed * (area * coef.blunt_drag + coef.slender_drag * (area_max - area));
    let drag_angular = viscosity * (PI * sphere * sphere * sphere) + density * vec3::norm(moment);
    spatial::join(
        angular.map(|w| -drag_angular * w),
        std::array::from_fn(|k| magnus[k] + kutta[k] - drag_linear * linear[k]),
    )
}
