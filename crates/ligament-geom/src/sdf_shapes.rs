//! The distance fields of the first-party SDF plugins: bolt, bowl, gear, nut, torus.
//!
//! Bolt and nut after shadertoy.com/view/XtffzX, the gear after shadertoy.com/view/3lG3WR, the bowl after
//! iquilezles.org/articles/distfunctions; with the settings and constants of MuJoCo's plugins.

use crate::sdf::SignedDistance;
use ligament_math::{MINVAL, Vec3};
use std::f64::consts::{FRAC_PI_2, PI};

/// Threads of bolts and nuts per unit of length.
const SCREW: f64 = 12.0;

/// A shape of a plugin.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // settings of the plugins, by their names
pub enum SdfShape {
    Bolt { radius: f64 },
    Bowl { height: f64, radius: f64, thickness: f64 },
    Gear(Gear),
    Nut { radius: f64 },
    Torus { major: f64, minor: f64 },
}

/// An involute gear.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // settings of the plugins, by their names
pub struct Gear {
    pub alpha: f64,
    pub diameter: f64,
    pub teeth: f64,
    pub thickness: f64,
    /// Of the hole; negative: chosen by the other numbers.
    pub inner_diameter: f64,
}

impl SdfShape {
    /// The shape of a plugin; `setting` is the value of its n-th setting, if it was given.
    pub fn from_plugin(name: &str, setting: impl Fn(usize) -> Option<f64>) -> Option<Self> {
        let number = |n, default| setting(n).unwrap_or(default);
        Some(match name {
            "mujoco.sdf.bolt" => Self::Bolt { radius: number(0, 0.26) },
            "mujoco.sdf.bowl" => {
                Self::Bowl { height: number(0, 0.4), radius: number(1, 1.0), thickness: number(2, 0.02) }
            }
            "mujoco.sdf.gear" => Self::Gear(Gear {
                alpha: number(0, 0.0),
                diameter: number(1, 2.8),
                teeth: number(2, 25.0),
                thickness: number(3, 0.2),
                inner_diameter: number(4, -1.0),
            }),
            "mujoco.sdf.nut" => Self::Nut { radius: number(0, 0.26) },
            "mujoco.sdf.torus" => Self::Torus { major: number(0, 0.35), minor: number(1, 0.15) },
            _ => return None,
        })
    }

    /// Half sizes of a box around the origin that contains the shape.
    pub fn half_extents(&self) -> Vec3 {
        match *self {
            Self::Bolt { .. } | Self::Nut { .. } => [0.6, 0.6, 1.0],
            Self::Bowl { radius, thickness, .. } => [radius + thickness; 3],
            Self::Gear(Gear { diameter, thickness, .. }) => {
                let reach = diameter / 2.0 * 1.25;
                [reach, reach, thickness / 2.0 * 1.1]
            }
            Self::Torus { major, minor } => [major + minor, major + minor, minor],
        }
    }
}

impl SignedDistance for SdfShape {
    fn distance(&self, p: Vec3) -> f64 {
        match self {
            Self::Bolt { radius } => bolt(p, *radius),
            Self::Bowl { height, radius, thickness } => bowl(p, *height, *radius) - thickness,
            Self::Gear(gear) => extrusion(gear.profile(p), p[2], gear.thickness / 2.0),
            Self::Nut { radius } => nut(p, *radius),
            Self::Torus { major, minor } => {
                let q = (p[0] * p[0] + p[1] * p[1]).sqrt() - major;
                (q * q + p[2] * p[2]).sqrt() - minor
            }
        }
    }

    fn gradient(&self, p: Vec3) -> Vec3 {
        if let Self::Torus { major, .. } = self {
            let radius = (p[0] * p[0] + p[1] * p[1]).sqrt();
            let q = radius - major;
            let length = (q * q + p[2] * p[2]).sqrt().max(MINVAL);
            return [q * (p[0] / radius) / length, q * (p[1] / radius) / length, p[2] / length];
        }
        const STEP: f64 = 1e-8;
        let here = self.distance(p);
        std::array::from_fn(|k| {
            let mut moved = p;
            moved[k] += STEP;
            (self.distance(moved) - here) / STEP
        })
    }
}

fn subtract(a: f64, b: f64) -> f64 {
    a.max(-b)
}

/// Distance to the axis less the radius, and the same with a thread, scaled to a distance.
fn thread(p: Vec3, radius: f64) -> (f64, f64) {
    let outside = (p[0] * p[0] + p[1] * p[1]).sqrt() - radius;
    let turn = p[2] * SCREW - p[1].atan2(p[0]) / PI / 2.0;
    let wave = ((turn - turn.floor()) - 0.5).abs();
    (outside, (outside - wave / SCREW) * half_root())
}

fn half_root() -> f64 {
    2.0_f64.sqrt() / 2.0
}

/// A hexagonal head, rounded at the top by a cone; `outside` as from [`thread`].
fn head(p: Vec3, outside: f64) -> f64 {
    let sectors = 6.0 / PI / 2.0;
    let angle = -(p[1].atan2(p[0]) * sectors + 0.5).floor() / sectors;
    let side = (angle + FRAC_PI_2).sin() * p[0] - angle.sin() * p[1] - 0.5;
    let slab = (p[2] + 0.25).abs() - 0.25;
    side.max(slab).max((p[2] + outside - 0.22) * half_root())
}

fn bolt(p: Vec3, radius: f64) -> f64 {
    let (outside, thread) = thread(p, radius);
    let clipped = subtract(thread, 0.5 - (p[2] + 0.5).abs());
    let cone = (p[2] - outside) * half_root();
    subtract(clipped, cone + half_root()).min(head(p, outside))
}

fn nut(p: Vec3, radius: f64) -> f64 {
    let (outside, thread) = thread(p, radius);
    let cone = (p[2] - outside) * half_root();
    let hole = subtract(thread, cone + 0.5 * half_root()).min(-cone - 0.05 * half_root());
    subtract(head(p, outside), hole)
}

/// Distance to the cut sphere; its wall is added by the caller.
fn bowl(p: Vec3, height: f64, radius: f64) -> f64 {
    let width = (radius * radius - height * height).sqrt();
    let (r, z) = ((p[0] * p[0] + p[1] * p[1]).sqrt(), p[2]);
    if height * r < width * z {
        let (dr, dz) = (r - width, z - height);
        (dr * dr + dz * dz).sqrt()
    } else {
        ((r * r + z * z).sqrt() - radius).abs()
    }
}

/// A plane field extended to a slab of this half height.
fn extrusion(flat: f64, z: f64, half: f64) -> f64 {
    let rise = z.abs() - half;
    let (a, b) = (flat.max(0.0), rise.max(0.0));
    flat.max(rise).min(0.0) + (a * a + b * b).sqrt()
}

fn smooth_union(a: f64, b: f64, k: f64) -> f64 {
    let h = (0.5 + 0.5 * (b - a) / k).clamp(0.0, 1.0);
    b * (1.0 - h) + a * h - k * h * (1.0 - h)
}

fn smooth_intersection(a: f64, b: f64, k: f64) -> f64 {
    subtract(a.max(b), smooth_union(subtract(a, b), subtract(b, a), k))
}

fn modulo(x: f64, y: f64) -> f64 {
    x - y * (x / y).floor()
}

impl Gear {
    /// The field of the cross section.
    fn profile(&self, p: Vec3) -> f64 {
        let (diameter, teeth) = (self.diameter, self.teeth);
        let pressure_angle = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551;
        let rho = (p[0] * p[0] + p[1] * p[1]).sqrt();
        let pitch = teeth / diameter;
        let outer = (diameter + 2.0 * (1.0 / pitch)) / 2.0;
        let depth = 2.2 / pitch;
        let inner = if self.inner_diameter >= 0.0 {
            self.inner_diameter / 2.0
        } else {
            outer - depth - 0.14 * diameter
        };
        if inner - rho > 0.0 {
            return inner - rho;
        }
        if outer - rho < -0.2 {
            return rho - outer;
        }
        let base = diameter * pressure_angle.cos() / 2.0;
        let flanks = self.flanks(p, rho, base, PI / pitch);
        let teeth = smooth_intersection(rho - outer, flanks, 0.0035 * diameter);
        let wheel = smooth_union(rho - (outer - depth), teeth, base - outer + depth);
        subtract(wheel, rho - inner)
    }

    /// Both sides of the nearest tooth: involutes above the base circle, and the walls between teeth; `arc` is
    /// the circular pitch.
    fn flanks(&self, p: Vec3, rho: f64, base: f64, arc: f64) -> f64 {
        const INSIDE: f64 = -1.0e6;
        let radius = self.diameter / 2.0;
        let azimuth = p[1].atan2(p[0]) + self.alpha;
        let stride = arc / radius;
        let involute = (base / radius).acos();
        let shift = stride / 2.0 - 2.0 * (involute.tan() - involute);
        let starts = [
            modulo(azimuth + shift / 2.0, stride) - shift / 2.0,
            modulo(-azimuth - shift + shift / 2.0, stride) - shift / 2.0,
        ];
        let walls = (starts[0] - (stride - shift)).max(starts[1] - (stride - shift));
        if !(base < rho) {
            return walls.max(INSIDE);
        }
        let angle = (base / rho).acos();
        let tangent = (rho * rho - base * base).sqrt();
        let [a, b] = starts.map(|start| tangent - base * (start + angle));
        walls.max(a.max(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(name: &str) -> SdfShape {
        SdfShape::from_plugin(name, |_| None).unwrap()
    }

    #[test]
    fn fields_vanish_on_known_points() {
        let torus = shape("mujoco.sdf.torus");
        assert!(torus.distance([0.5, 0.0, 0.0]).abs() < 1e-15);
        assert!((torus.gradient([0.0, 0.6, 0.0])[1] - 1.0).abs() < 1e-15);
        let bowl = shape("mujoco.sdf.bowl");
        assert!(bowl.distance([0.0, 0.0, -1.02]).abs() < 1e-15);
        assert!((bowl.distance([0.0, 0.0, 0.0]) - 0.98).abs() < 1e-15);
        for name in ["mujoco.sdf.nut", "mujoco.sdf.bolt"] {
            // a flat side of the hexagonal head
            assert!(shape(name).distance([0.5, 0.0, -0.25]).abs() < 1e-15);
        }
        let gear = shape("mujoco.sdf.gear");
        assert!((gear.distance([0.0, 0.0, 0.0]) - 0.8736).abs() < 1e-12);
    }

    #[test]
    fn shapes_lie_in_their_boxes() {
        for name in ["bolt", "bowl", "gear", "nut", "torus"] {
            let shape = shape(&format!("mujoco.sdf.{name}"));
            let half = shape.half_extents();
            for k in 0..3 {
                let mut beyond = [0.01, 0.02, 0.03];
                beyond[k] = half[k] + 0.01;
                assert!(shape.distance(beyond) > 0.0, "{name} {k}");
            }
        }
        assert_eq!(SdfShape::from_plugin("mujoco.pid", |_| None), None);
    }
}
