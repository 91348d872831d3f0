//! Simple shapes of unit size, divided as finely as the model asks for.

use crate::matrix::{Vec3, unit};
use crate::mesh::{Builder, Corner, Mesh};
use crate::render::RenderError;
use ligament_model::option::VisualQuality;
use std::f32::consts::FRAC_1_SQRT_2;
use std::f64::consts::PI;

/// The shapes that geoms are made of.
#[derive(Debug, Clone, Default)]
pub struct Shapes {
    pub sphere: Mesh,
    pub sphere_top: Mesh,
    pub sphere_bottom: Mesh,
    pub cylinder: Mesh,
    pub cylinder_open: Mesh,
    pub boxed: Mesh,
    pub cone: Mesh,
    pub haze: Mesh,
    /// A square, for planes that do not belong to the model.
    pub plane: Mesh,
    pub triangle: Mesh,
}

/// Most parts of a shape: of a sphere around and up, of a side of a box.
const MOST_PARTS: usize = 100_000;

impl Shapes {
    pub fn new(quality: &VisualQuality, haze_radius: f32) -> Result<Self, RenderError> {
        let slices = quality.numslices.max(3) as usize;
        let stacks = quality.numstacks.max(2) as usize;
        let quads = quality.numquads.max(1) as usize;
        if slices.saturating_mul(stacks).max(quads.saturating_mul(quads)) > MOST_PARTS {
            return Err(RenderError::Quality { slices, stacks, quads });
        }
        let half = (stacks / 2).max(1);
        let plain = |fill: &dyn Fn(&mut Builder)| {
            let mut builder = Builder::default();
            fill(&mut builder);
            builder.finish(false, false)
        };
        Ok(Self {
            sphere: plain(&|b| {
                dome(b, -1.0, slices, half, 0.0);
                dome(b, 1.0, slices, half, 0.0);
            }),
            sphere_top: plain(&|b| dome(b, 1.0, slices, half, 1.0)),
            sphere_bottom: plain(&|b| dome(b, -1.0, slices, half, 1.0)),
            cylinder: plain(&|b| {
                disk(b, -1.0, -1.0, slices, half);
                tube(b, slices, stacks);
                disk(b, 1.0, 1.0, slices, half);
            }),
            cylinder_open: plain(&|b| tube(b, slices, stacks)),
            boxed: plain(&|b| boxed(b, quads)),
            cone: plain(&|b| {
                cone(b, slices, stacks);
                disk(b, 0.0, -1.0, slices, stacks);
            }),
            haze: haze(slices, haze_radius),
            plane: plain(&|b| grid(b, quads, |x, y| [x, y, 0.0], [0.0, 0.0, 1.0], false)),
            triangle: plain(&|b| {
                let corner = |x, y| Corner::new([x, y, 0.0], [0.0, 0.0, 1.0]);
                b.triangle([corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)]);
            }),
        })
    }
}

fn azimuth(slice: usize, slices: usize) -> f32 {
    ((2.0 * PI * slice as f64) / slices as f64) as f32
}

/// Adds a quadrilateral, turned round when its other side is the visible one.
fn facing(b: &mut Builder, upright: bool, corners: [Corner; 4]) {
    let [p, q, r, s] = corners;
    b.quad(if upright { corners } else { [s, r, q, p] });
}

/// Half of a sphere, above (sign 1) or below (-1), raised by its sign times `offset`.
fn dome(b: &mut Builder, sign: f32, slices: usize, stacks: usize, offset: f32) {
    let elevation = |stack: usize| ((0.5 * PI * f64::from(sign) * stack as f64) / stacks as f64) as f32;
    let corner = |az: f32, el: f32| {
        let n = [az.cos() * el.cos(), az.sin() * el.cos(), el.sin()];
        Corner::new([n[0], n[1], sign * offset + n[2]], n)
    };
    let pole = Corner::new([0.0, 0.0, sign * (1.0 + offset)], [0.0, 0.0, sign]);
    for slice in 0..slices {
        let (az1, az2) = (azimuth(slice, slices), azimuth(slice + 1, slices));
        let el = elevation(stacks - 1);
        let (p, q) = (corner(az1, el), corner(az2, el));
        b.triangle(if sign > 0.0 { [p, q, pole] } else { [pole, q, p] });
        for stack in 0..stacks - 1 {
            let (el1, el2) = (elevation(stack), elevation(stack + 1));
            let ring = [corner(az1, el1), corner(az2, el1), corner(az2, el2), corner(az1, el2)];
            facing(b, sign > 0.0, ring);
        }
    }
}

/// A disk at a height, that faces up (1) or down (-1).
fn disk(b: &mut Builder, height: f32, facing_z: f32, slices: usize, stacks: usize) {
    let corner = |az: f32, r: f32| Corner::new([az.cos() * r, az.sin() * r, height], [0.0, 0.0, facing_z]);
    let up = height > 0.0;
    let center = Corner::new([0.0, 0.0, height], [0.0, 0.0, facing_z]);
    for slice in 0..slices {
        let (az1, az2) = (azimuth(slice, slices), azimuth(slice + 1, slices));
        let r = 1.0 / stacks as f32;
        let (p, q) = (corner(az1, r), corner(az2, r));
        b.triangle(if up { [p, q, center] } else { [center, q, p] });
        for stack in 0..stacks - 1 {
            let (r1, r2) = ((stack + 1) as f32 / stacks as f32, (stack + 2) as f32 / stacks as f32);
            facing(b, up, [corner(az1, r2), corner(az2, r2), corner(az2, r1), corner(az1, r1)]);
        }
    }
}

/// A cylinder without lids.
fn tube(b: &mut Builder, slices: usize, stacks: usize) {
    let corner = |az: f32, h: f32| {
        let (x, y) = (az.cos(), az.sin());
        let r = (x * x + y * y).sqrt();
        Corner::new([x, y, h], [x / r, y / r, 0.0])
    };
    for stack in 0..stacks {
        let height = |s: usize| 2.0 * s as f32 / stacks as f32 - 1.0;
        let (h1, h2) = (height(stack), height(stack + 1));
        for slice in 0..slices {
            let (az1, az2) = (azimuth(slice, slices), azimuth(slice + 1, slices));
            b.quad([corner(az1, h1), corner(az2, h1), corner(az2, h2), corner(az1, h2)]);
        }
    }
}

/// A cone of height one over the unit disk, without it.
fn cone(b: &mut Builder, slices: usize, stacks: usize) {
    let normal = |az: f32| [az.cos() * FRAC_1_SQRT_2, az.sin() * FRAC_1_SQRT_2, FRAC_1_SQRT_2];
    let corner = |az: f32, r: f32| Corner::new([az.cos() * r, az.sin() * r, 1.0 - r], normal(az));
    for slice in 0..slices {
        let (az1, az2) = (azimuth(slice, slices), azimuth(slice + 1, slices));
        let (n1, n2) = (normal(az1), normal(az2));
        let tip = Corner::new([0.0, 0.0, 1.0], unit(std::array::from_fn(|k| n1[k] + n2[k])));
        let r = 1.0 / stacks as f32;
        b.triangle([corner(az1, r), corner(az2, r), tip]);
        for stack in 0..stacks - 1 {
            let (r1, r2) = ((stack + 1) as f32 / stacks as f32, (stack + 2) as f32 / stacks as f32);
            b.quad([corner(az1, r2), corner(az2, r2), corner(az2, r1), corner(az1, r1)]);
        }
    }
}

/// A square from -1 to 1, divided into quadrilaterals; `reversed` turns them round.
fn grid(b: &mut Builder, quads: usize, at: impl Fn(f32, f32) -> Vec3, normal: Vec3, reversed: bool) {
    let step = 2.0 / quads as f32;
    let line = |i: usize| step * i as f32 - 1.0;
    for x in 0..quads {
        for y in 0..quads {
            let corner = |i: usize, j: usize| Corner::new(at(line(x + i), line(y + j)), normal);
            let (p, q, r, s) = (corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1));
            b.quad(if reversed { [s, r, q, p] } else { [p, q, r, s] });
        }
    }
}

fn boxed(b: &mut Builder, quads: usize) {
    grid(b, quads, |x, y| [x, y, 1.0], [0.0, 0.0, 1.0], false);
    grid(b, quads, |x, y| [x, y, -1.0], [0.0, 0.0, -1.0], true);
    grid(b, quads, |x, y| [1.0, x, y], [1.0, 0.0, 0.0], false);
    grid(b, quads, |x, y| [-1.0, x, y], [-1.0, 0.0, 0.0], true);
    grid(b, quads, |x, y| [x, -1.0, y], [0.0, -1.0, 0.0], false);
    grid(b, quads, |x, y| [x, 1.0, y], [0.0, 1.0, 0.0], true);
}

/// A truncated cone that hides where a plane ends: opaque at the horizon, fading downwards and upwards.
fn haze(slices: usize, r: f32) -> Mesh {
    let alpha = 1f32.atan2(r);
    let beta = (0.75 * PI) as f32 - alpha;
    let h = 0.5f32.sqrt() * r * alpha.sin() / beta.sin();
    let corner = |az: f32, height: f32, opacity: f32| {
        let radius = 1.0 - r * (1.0 - height);
        let pos = [az.cos() * radius, az.sin() * radius, height];
        Corner { alpha: opacity, ..Corner::new(pos, [0.0, 0.0, 1.0]) }
    };
    let mut b = Builder::default();
    for (low, high, below, above) in [(0.0, h, 0.0, 1.0), (h, 1.0, 1.0, 0.0)] {
        for slice in 0..slices {
            let (az1, az2) = (azimuth(slice, slices), azimuth(slice + 1, slices));
            b.quad([
                corner(az1, low, below),
                corner(az2, low, below),
                corner(az2, high, above),
                corner(az1, high, above),
            ]);
        }
    }
    b.finish(false, true)
}
