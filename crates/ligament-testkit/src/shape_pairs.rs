//! Random shapes in random poses through every narrow-phase function.

use crate::Numbers;
use ligament_geom::ccd::{Ccd, CcdConfig};
use ligament_geom::contact::ContactPoints;
use ligament_geom::convex::{Convex, Kind};
use ligament_geom::hfield::{HeightField, hfield_convex};
use ligament_geom::mpr;
use ligament_geom::pairs::{self, ConvexOptions};
use ligament_geom::ray::{self, Pose, Ray};
use ligament_geom::shape::Solid;
use ligament_math::{Mat3, Vec3, quat};

/// Most contacts any pair may report.
const LIMIT: usize = ligament_geom::contact::MAX_POINTS;

struct Shape {
    pos: Vec3,
    mat: Mat3,
    size: Vec3,
}

impl Shape {
    fn new(numbers: &mut Numbers<'_>) -> Self {
        let mut turn = [numbers.real(), numbers.real(), numbers.real(), numbers.real()];
        quat::normalize(&mut turn);
        Self { pos: numbers.vector(), mat: quat::to_mat(turn), size: numbers.vector().map(f64::abs) }
    }

    fn solid(&self) -> Solid<'_> {
        Solid { pos: self.pos, mat: &self.mat, size: self.size }
    }
}

/// Two shapes and a margin from bytes, through everything.
pub fn run(bytes: &[u8]) {
    let mut numbers = Numbers::new(bytes);
    let (a, b) = (Shape::new(&mut numbers), Shape::new(&mut numbers));
    let margin = numbers.real().abs();
    closed_forms(&a, &b, margin);
    triangles(&a, &mut numbers, margin);
    convex(&a, &b, margin);
    height_field(&a, &b, &mut numbers, margin);
    rays(&a, &mut numbers);
}

fn closed_forms(a: &Shape, b: &Shape, margin: f64) {
    type Pair = fn(&Solid<'_>, &Solid<'_>, f64, &mut ContactPoints);
    const PAIRS: [Pair; 12] = [
        pairs::plane_sphere,
        pairs::plane_capsule,
        pairs::plane_box,
        pairs::plane_cylinder,
        pairs::plane_ellipsoid,
        pairs::sphere_sphere,
        pairs::sphere_capsule,
        pairs::sphere_cylinder,
        pairs::sphere_box,
        pairs::capsule_capsule,
        pairs::capsule_box,
        pairs::box_box,
    ];
    for pair in PAIRS {
        let mut out = ContactPoints::new();
        pair(&a.solid(), &b.solid(), margin, &mut out);
        assert!(out.len() <= LIMIT);
    }
}

fn triangles(a: &Shape, numbers: &mut Numbers<'_>, margin: f64) {
    let triangle = std::array::from_fn(|_| numbers.vector());
    let radius = numbers.real().abs();
    let mut out = ContactPoints::new();
    pairs::sphere_triangle(a.pos, a.size[0], &triangle, radius, margin, &mut out);
    pairs::box_triangle(&a.solid(), &triangle, radius, margin, &mut out);
    pairs::capsule_triangle(&a.solid(), &triangle, radius, margin, &mut out);
    assert!(out.len() <= 3 * LIMIT);
}

const KINDS: [Kind<'static>; 7] =
    [Kind::Point, Kind::Segment, Kind::Sphere, Kind::Capsule, Kind::Ellipsoid, Kind::Cylinder, Kind::Cuboid];

fn convex(a: &Shape, b: &Shape, margin: f64) {
    let mut ccd = Ccd::default();
    for first in KINDS {
        for second in KINDS {
            let make = |kind, shape: &Shape| Convex::new(kind, shape.pos, shape.mat, shape.size, margin);
            let (mut x, mut y) = (make(first, a), make(second, b));
            for (native, multiple) in [(true, true), (false, true)] {
                let options = ConvexOptions { iterations: 20, tolerance: 1e-6, native, multiple };
                let mut out = ContactPoints::new();
                pairs::convex_convex(&options, &mut x, &mut y, margin, 0.1, &mut ccd, &mut out);
                assert!(out.len() <= LIMIT);
            }
            let config = CcdConfig { max_iterations: 20, tolerance: 1e-6, max_contacts: 1, dist_cutoff: 1.0 };
            ccd.run(&config, &mut x, &mut y);
            mpr::penetration(&mut x, &mut y, 1e-6, 20, &mut 0);
        }
    }
}

fn height_field(a: &Shape, b: &Shape, numbers: &mut Numbers<'_>, margin: f64) {
    let data: Vec<f32> = (0..12).map(|_| numbers.real() as f32).collect();
    let size = [a.size[0], a.size[1], a.size[2], numbers.real().abs()];
    let field = HeightField { size, nrow: 3, ncol: 4, data: &data };
    for kind in KINDS {
        let shape = Convex::new(kind, b.pos, b.mat, b.size, 0.0);
        let options = ConvexOptions { iterations: 20, tolerance: 1e-6, native: true, multiple: false };
        let mut out = ContactPoints::new();
        let radius = b.size.iter().sum();
        hfield_convex(
            &options,
            &field,
            (a.pos, &a.mat),
            &shape,
            radius,
            margin,
            u64::MAX,
            &mut Ccd::default(),
            &mut out,
        );
        assert!(out.len() <= LIMIT);
    }
}

fn rays(a: &Shape, numbers: &mut Numbers<'_>) {
    let ray = Ray { origin: numbers.vector(), direction: numbers.vector() };
    let pose = Pose { pos: a.pos, mat: a.mat };
    for cast in [ray::plane, ray::capsule, ray::ellipsoid, ray::cylinder, ray::boxed] {
        cast(&pose, a.size, &ray);
    }
    ray::sphere(a.pos, a.size[0], &ray);
}
