use super::*;
use ligament_math::vec3;

/// A reproducible number in [-1, 1).
fn noise(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn check(points: &[Vec3], hull: &Hull) {
    for face in &hull.faces {
        let [a, b, c] = face.map(|v| points[v as usize]);
        let normal = vec3::unit(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)));
        for p in points {
            assert!(vec3::dot(vec3::sub(*p, a), normal) < 1e-12, "point outside the hull");
        }
    }
    // Euler: a closed triangulated surface of genus 0
    assert_eq!(hull.faces.len(), 2 * hull.vertices.len() - 4);
    let graph = hull.graph();
    assert_eq!(graph.len(), 2 + 3 * hull.vertices.len() + 6 * hull.faces.len());
}

#[test]
fn hull_contains_all_points() {
    let mut state = 1;
    for count in [4, 10, 100, 3000] {
        let points: Vec<Vec3> = (0..count).map(|_| std::array::from_fn(|_| noise(&mut state))).collect();
        check(&points, &Hull::build(&points, None).unwrap());
    }
}

#[test]
fn points_on_a_sphere_are_all_corners() {
    let mut state = 7;
    let points: Vec<Vec3> =
        (0..500).map(|_| vec3::unit(std::array::from_fn(|_| noise(&mut state)))).collect();
    let hull = Hull::build(&points, None).unwrap();
    assert_eq!(hull.vertices.len(), 500);
    check(&points, &hull);
}

#[test]
fn a_grid_has_eight_corners() {
    let points: Vec<Vec3> =
        (0..125).map(|i| [f64::from(i % 5), f64::from(i / 5 % 5), f64::from(i / 25)]).collect();
    let hull = Hull::build(&points, None).unwrap();
    assert_eq!(hull.vertices.len(), 8);
    check(&points, &hull);
}

#[test]
fn flat_points_are_an_error() {
    let points: Vec<Vec3> = (0..25).map(|i| [f64::from(i % 5), f64::from(i / 5), 1.0]).collect();
    assert_eq!(Hull::build(&points, None), Err(HullError::Flat));
    assert_eq!(Hull::build(&points[..3], None), Err(HullError::TooFewPoints));
}

#[test]
fn the_number_of_corners_can_be_limited() {
    let mut state = 3;
    let points: Vec<Vec3> =
        (0..500).map(|_| vec3::unit(std::array::from_fn(|_| noise(&mut state)))).collect();
    assert_eq!(Hull::build(&points, Some(20)).unwrap().vertices.len(), 20);
}
