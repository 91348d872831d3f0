//! Masses and principal moments of geoms, solid or as shells of even thickness.

use super::{MeshShape, error};
use crate::pose::EPS;
use crate::tree::CGeom;
use ligament_math::Vec3;
use ligament_mjcf::diag::Result;
use ligament_model::enums::{GeomInertia, GeomType};
use std::f64::consts::PI;

/// Mass from `mass`, or else from the density; the moments follow.
pub(super) fn set_mass(geom: &mut CGeom<'_>, mesh: Option<&MeshShape>) -> Result<()> {
    let spec = geom.spec;
    let mut density = spec.density;
    let volume = volume(geom, mesh);
    if spec.mass.is_nan() {
        geom.mass = if density == 0.0 { 0.0 } else { density * volume };
        if density != 0.0 {
            geom.inertia = inertia(geom, mesh);
        }
    } else if spec.mass == 0.0 {
        density = 0.0;
    } else if volume > EPS {
        geom.mass = spec.mass;
        density = spec.mass / volume;
        geom.inertia = inertia(geom, mesh);
    }
    if geom.mass < 0.0 || geom.inertia.iter().any(|&i| i < 0.0) || density < 0.0 {
        return Err(error(geom, "mass, inertia or density are negative in geom"));
    }
    Ok(())
}

/// Volume of a solid, surface of a shell.
fn volume(geom: &CGeom<'_>, mesh: Option<&MeshShape>) -> f64 {
    let s = geom.size;
    let solid = geom.spec.typeinertia == GeomInertia::Volume;
    let (radius, height) = (s[0], 2.0 * s[1]);
    match geom.kind {
        GeomType::Mesh | GeomType::Sdf => mesh.map_or(0.0, |mesh| mesh.volume),
        GeomType::Sphere if solid => 4.0 * PI * radius * radius * radius / 3.0,
        GeomType::Sphere => 4.0 * PI * radius * radius,
        GeomType::Capsule if solid => PI * (radius * radius * height + 4.0 * radius * radius * radius / 3.0),
        GeomType::Capsule => 4.0 * PI * radius * radius + 2.0 * PI * radius * height,
        GeomType::Cylinder if solid => PI * radius * radius * height,
        GeomType::Cylinder => 2.0 * PI * radius * radius + 2.0 * PI * radius * height,
        GeomType::Ellipsoid if solid => 4.0 * PI * s[0] * s[1] * s[2] / 3.0,
        GeomType::Ellipsoid => {
            // Thomsen's approximation of the surface, with exponent 1.6075
            let p = 1.6075;
            let sum = (s[0] * s[1]).powf(p) + (s[1] * s[2]).powf(p) + (s[2] * s[0]).powf(p);
            4.0 * PI * (sum / 3.0).powf(1.0 / p)
        }
        GeomType::Hfield | GeomType::Box if solid => s[0] * s[1] * s[2] * 8.0,
        GeomType::Hfield | GeomType::Box => 8.0 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]),
        _ => 0.0,
    }
}

fn inertia(geom: &CGeom<'_>, mesh: Option<&MeshShape>) -> Vec3 {
    let (mass, s) = (geom.mass, geom.size);
    let solid = geom.spec.typeinertia == GeomInertia::Volume;
    match geom.kind {
        GeomType::Mesh | GeomType::Sdf => {
            mesh.map_or([0.0; 3], |mesh| box_moments(mass, mesh.inertia_box, 3.0))
        }
        GeomType::Sphere => [2.0 * mass * s[0] * s[0] / if solid { 5.0 } else { 3.0 }; 3],
        GeomType::Capsule if solid => solid_capsule(mass, s[0], 2.0 * s[1]),
        GeomType::Capsule => shell_capsule(mass, s[0], s[1]),
        GeomType::Cylinder if solid => {
            let (radius, height) = (s[0], 2.0 * s[1]);
            let side = mass * (3.0 * radius * radius + height * height) / 12.0;
            [side, side, mass * radius * radius / 2.0]
        }
        GeomType::Cylinder => shell_cylinder(mass, s[0], s[1]),
        GeomType::Ellipsoid if solid => box_moments(mass, s, 5.0),
        GeomType::Ellipsoid => shell_ellipsoid(mass, s),
        GeomType::Hfield | GeomType::Box if solid => box_moments(mass, s, 3.0),
        GeomType::Hfield | GeomType::Box => shell_box(mass, s),
        _ => [0.0; 3],
    }
}

/// m (b² + c²) / k and permutations: a box for k = 3, an ellipsoid for k = 5.
fn box_moments(mass: f64, s: Vec3, k: f64) -> Vec3 {
    let [a, b, c] = [s[0] * s[0], s[1] * s[1], s[2] * s[2]];
    [mass * (b + c) / k, mass * (a + c) / k, mass * (a + b) / k]
}

/// A cylinder between two half balls; mass is split by volume.
fn solid_capsule(mass: f64, radius: f64, height: f64) -> Vec3 {
    let ball = mass * 4.0 * radius / (4.0 * radius + 3.0 * height);
    let cylinder = mass - ball;
    let ball_inertia = 2.0 * ball * radius * radius / 5.0;
    let side = cylinder * (3.0 * radius * radius + height * height) / 12.0
        + (ball_inertia + ball * height * (3.0 * radius + 2.0 * height) / 8.0);
    let axial = cylinder * radius * radius / 2.0 + ball_inertia;
    [side, side, axial]
}

fn shell_capsule(mass: f64, radius: f64, half_height: f64) -> Vec3 {
    let height = 2.0 * half_height;
    let sphere_area = 4.0 * PI * radius * radius;
    let total_area = sphere_area + 2.0 * PI * radius * height;
    let sphere = mass * sphere_area / total_area;
    let cylinder = mass - sphere;
    let sphere_inertia = 2.0 * sphere * radius * radius / 3.0;
    // centre of mass of a half sphere, from its own centre and from that of the capsule
    let com = radius / 2.0;
    let offset = half_height + com;
    let side = cylinder * (6.0 * radius * radius + height * height) / 12.0
        + (sphere_inertia + sphere * (offset * offset - com * com));
    [side, side, cylinder * radius * radius + sphere_inertia]
}

fn shell_cylinder(mass: f64, radius: f64, half_height: f64) -> Vec3 {
    let height = 2.0 * half_height;
    let disk_area = PI * radius * radius;
    let total_area = 2.0 * disk_area + 2.0 * PI * radius * height;
    let disk = mass * disk_area / total_area;
    let cylinder = mass - 2.0 * disk;
    let disk_side = disk * radius * radius / 4.0 + disk * half_height * half_height;
    let disk_axial = disk * radius * radius / 2.0;
    let side = cylinder * (6.0 * radius * radius + height * height) / 12.0 + 2.0 * disk_side;
    [side, side, cylinder * radius * radius + 2.0 * disk_axial]
}

/// The difference between the ellipsoid and one that is larger by a micrometre.
fn shell_ellipsoid(mass: f64, s: Vec3) -> Vec3 {
    let eps = 1e-6;
    let large = [s[0] + eps, s[1] + eps, s[2] + eps];
    let volume = |a: Vec3| 4.0 * PI * a[0] * a[1] * a[2] / 3.0;
    let (inner, outer) = (volume(s), volume(large));
    let density = mass / (outer - inner);
    let a = box_moments(inner * density, s, 5.0);
    let b = box_moments(outer * density, large, 5.0);
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
}

fn shell_box(mass: f64, s: Vec3) -> Vec3 {
    let [lx, ly, lz] = [2.0 * s[0], 2.0 * s[1], 2.0 * s[2]];
    let [top, front, side] = [lx * ly, ly * lz, lz * lx];
    let area = 2.0 * (top + front + side);
    let [m0, m1, m2] = [mass * top / area, mass * front / area, mass * side / area];
    let [xx, yy, zz] = [s[0] * s[0], s[1] * s[1], s[2] * s[2]];
    [
        2.0 * (m0 * zz
            + m2 * yy
            + m0 * ly * ly / 12.0
            + m1 * (ly * ly + lz * lz) / 12.0
            + m2 * lz * lz / 12.0),
        2.0 * (m0 * zz
            + m1 * xx
            + m0 * lx * lx / 12.0
            + m1 * lz * lz / 12.0
            + m2 * (lx * lx + lz * lz) / 12.0),
        2.0 * (m1 * xx
            + m2 * yy
            + m0 * (lx * lx + ly * ly) / 12.0
            + m1 * ly * ly / 12.0
            + m2 * lx * lx / 12.0),
    ]
}
