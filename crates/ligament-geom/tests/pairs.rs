//! Pair functions against contacts recorded from MuJoCo 3.5.0 (conformance/collision/make_pairs.py).

use ligament_geom::ccd::Ccd;
use ligament_geom::contact::ContactPoints;
use ligament_geom::convex::{Convex, Kind};
use ligament_geom::pairs::{self, ConvexOptions};
use ligament_geom::shape::Solid;
use ligament_math::{Mat3, Vec3, mat3, vec3};

const RECORDED: &str = include_str!("../../../conformance/collision/pairs.txt");

struct Shape<'a> {
    name: &'a str,
    pos: Vec3,
    mat: Mat3,
    size: Vec3,
}

impl Shape<'_> {
    fn solid(&self) -> Solid<'_> {
        Solid { pos: self.pos, mat: &self.mat, size: self.size }
    }

    fn convex(&self, margin: f64) -> Convex<'_> {
        let kind = match self.name {
            "sphere" => Kind::Sphere,
            "capsule" => Kind::Capsule,
            "ellipsoid" => Kind::Ellipsoid,
            "cylinder" => Kind::Cylinder,
            _ => Kind::Cuboid,
        };
        Convex::new(kind, self.pos, self.mat, self.size, margin)
    }
}

fn collide(a: &Shape, b: &Shape, margin: f64) -> ContactPoints {
    let mut out = ContactPoints::new();
    let (s, t) = (a.solid(), b.solid());
    match (a.name, b.name) {
        ("plane", "sphere") => pairs::plane_sphere(&s, &t, margin, &mut out),
        ("plane", "capsule") => pairs::plane_capsule(&s, &t, margin, &mut out),
        ("plane", "ellipsoid") => pairs::plane_ellipsoid(&s, &t, margin, &mut out),
        ("plane", "cylinder") => pairs::plane_cylinder(&s, &t, margin, &mut out),
        ("plane", "box") => pairs::plane_box(&s, &t, margin, &mut out),
        ("sphere", "sphere") => pairs::sphere_sphere(&s, &t, margin, &mut out),
        ("sphere", "capsule") => pairs::sphere_capsule(&s, &t, margin, &mut out),
        ("sphere", "cylinder") => pairs::sphere_cylinder(&s, &t, margin, &mut out),
        ("sphere", "box") => pairs::sphere_box(&s, &t, margin, &mut out),
        ("capsule", "capsule") => pairs::capsule_capsule(&s, &t, margin, &mut out),
        ("capsule", "box") => pairs::capsule_box(&s, &t, margin, &mut out),
        ("box", "box") => pairs::box_box(&s, &t, margin, &mut out),
        _ => {
            let options = ConvexOptions { iterations: 35, tolerance: 1e-6, native: true, multiple: false };
            let (mut a, mut b) = (a.convex(margin), b.convex(margin));
            pairs::convex_convex(&options, &mut a, &mut b, margin, 0.1, &mut Ccd::default(), &mut out);
        }
    }
    out
}

#[test]
fn recorded_contacts_are_reproduced() {
    let mut count = 0;
    for line in RECORDED.lines() {
        let mut words = line.split_ascii_whitespace();
        let (first, second) = (words.next().unwrap(), words.next().unwrap());
        let mut numbers = words.map(|w| w.parse::<f64>().unwrap());
        let mut take = || numbers.next().unwrap();
        let margin = take();
        let mut shape = |name| Shape {
            name,
            pos: std::array::from_fn(|_| take()),
            mat: std::array::from_fn(|_| take()),
            size: std::array::from_fn(|_| take()),
        };
        let (a, b) = (shape(first), shape(second));
        let points = collide(&a, &b, margin);
        assert_eq!(points.len(), take() as usize, "{line}");
        for point in points {
            let expected: [f64; 7] = std::array::from_fn(|_| take());
            let normal = vec3::unit(point.normal);
            let found =
                [point.dist, point.pos[0], point.pos[1], point.pos[2], normal[0], normal[1], normal[2]];
            for (x, y) in found.iter().zip(&expected) {
                assert!((x - y).abs() < 1e-9, "{first} {second}: {found:?} instead of {expected:?}");
            }
            count += 1;
        }
    }
    assert!(count > 300);
}

/// C2.6: an axis that equals the plane normal up to rounding must not turn the rim out of the disk.
#[test]
fn cylinder_parallel_to_plane_keeps_its_distance() {
    let plane = Solid { pos: [0.0; 3], mat: &mat3::IDENTITY, size: [0.0; 3] };
    for k in 0..1000 {
        let angle = f64::from(k) * 0.1;
        let (s, c) = angle.sin_cos();
        let tilt = 3e-16 * f64::from(k % 7);
        let mat = [c, -s, tilt, s, c, -tilt, -tilt, tilt, 1.0];
        let cylinder = Solid { pos: [0.0, 0.0, 0.05], mat: &mat, size: [0.05, 0.01, 0.0] };
        let mut out = ContactPoints::new();
        pairs::plane_cylinder(&plane, &cylinder, 0.0, &mut out);
        assert!(out.is_empty());
    }
}

/// Coincident centres: the normal is defined, the numbers are finite.
#[test]
fn coincident_spheres_have_a_normal() {
    let a = Solid { pos: [1.0, 2.0, 3.0], mat: &mat3::IDENTITY, size: [0.1, 0.0, 0.0] };
    let mut out = ContactPoints::new();
    pairs::sphere_sphere(&a, &a, 0.0, &mut out);
    assert_eq!(out[0].normal, [1.0, 0.0, 0.0]);
    assert!((out[0].dist + 0.2).abs() < 1e-15);
}

/// Identical boxes: every axis has the same depth; no endless loop, finite points.
#[test]
fn identical_boxes_have_finite_contacts() {
    let a = Solid { pos: [0.0; 3], mat: &mat3::IDENTITY, size: [0.1; 3] };
    let mut out = ContactPoints::new();
    pairs::box_box(&a, &a, 0.0, &mut out);
    assert!(!out.is_empty());
    assert!(out.iter().all(|p| p.dist.is_finite() && p.pos.iter().all(|x| x.is_finite())));
}
