//! Coefficients of the ellipsoid fluid model: virtual mass and inertia (MuJoCo book, "Fluid forces").

use crate::pose::EPS;
use crate::tree::CGeom;
use ligament_math::Vec3;
use ligament_model::enums::GeomType;
use std::f64::consts::PI;

/// Weights, nodes and Jacobians of 15-point Gauss-Kronrod quadrature over [0, ∞), after the substitution
/// l = x³ / (1 - x)² that maps it to [0, 1]; digits as in the reference.
const QUADRATURE: [(f64, f64, f64); 15] = [
    (0.01146766, 7.865151709349917e-08, 5.538677720489877e-05),
    (0.03154605, 1.7347976913907274e-05, 0.002080868285293228),
    (0.05239501, 0.0003548008144506193, 0.016514126520723166),
    (0.07032663, 0.002846636252924549, 0.07261900344370877),
    (0.08450236, 0.014094260903596077, 0.23985243401862602),
    (0.09517529, 0.053063261727396636, 0.6868318249020725),
    (0.10221647, 0.17041978741317773, 1.8551129519182894),
    (0.10474107, 0.5, 5.0),
    (0.10221647, 1.4036301548686991, 14.060031152313941),
    (0.09517529, 3.9353484827022642, 43.28941239611009),
    (0.08450236, 11.644841677041734, 156.58546376397112),
    (0.07032663, 39.53187807410903, 747.9826085305024),
    (0.05239501, 177.5711362220801, 5827.4042950027115),
    (0.03154605, 1429.4772912937397, 116754.0197944512),
    (0.01146766, 54087.416549217705, 25482945.327264845),
];

/// The twelve numbers of `geom_fluid`.
pub(super) fn coefficients(geom: &CGeom<'_>) -> [f64; 12] {
    let [dx, dy, dz] = semiaxes(geom);
    let volume = 4.0 / 3.0 * PI * dx * dy * dz;
    let kx = added_mass(dx, dy, dz);
    let ky = added_mass(dy, dz, dx);
    let kz = added_mass(dz, dx, dy);
    let mass = |k: f64| volume * k / f64::max(EPS, 2.0 - k);
    // numerator and denominator have the same sign, so both are taken positive
    let inertia = |a: f64, b: f64, ka: f64, kb: f64| {
        let difference = a * a - b * b;
        let factor = difference * difference * (kb - ka).abs()
            / f64::max(EPS, (2.0 * (a * a - b * b) + (a * a + b * b) * (ka - kb)).abs());
        volume * factor / 5.0
    };
    let [blunt, slender, angular, kutta, magnus] = geom.spec.fluid_coefs;
    [
        geom.spec.fluid_ellipsoid,
        blunt,
        slender,
        angular,
        kutta,
        magnus,
        mass(kx),
        mass(ky),
        mass(kz),
        inertia(dy, dz, ky, kz),
        inertia(dz, dx, kz, kx),
        inertia(dx, dy, kx, ky),
    ]
}

fn semiaxes(geom: &CGeom<'_>) -> Vec3 {
    let s = geom.size;
    match geom.kind {
        GeomType::Sphere => [s[0]; 3],
        GeomType::Capsule => [s[0], s[0], s[1] + s[0]],
        GeomType::Cylinder => [s[0], s[0], s[1]],
        _ => s,
    }
}

/// κ = ∫ dx dy dz / √((dx² + l)³ (dy² + l) (dz² + l)) dl, made dimensionless for the sake of rounding.
fn added_mass(dx: f64, dy: f64, dz: f64) -> f64 {
    let (x, y, z) = (1.0 / (dx * dx), 1.0 / (dy * dy), 1.0 / (dz * dz));
    let scale = (dx * dx * dx * dy * dz).powf(0.4);
    let mut sum = 0.0;
    for (weight, node, jacobian) in QUADRATURE {
        let l = scale * node;
        let denominator = (1.0 + l * x) * ((1.0 + l * x) * (1.0 + l * y) * (1.0 + l * z)).sqrt();
        sum += scale * jacobian / denominator * weight;
    }
    sum * x
}
