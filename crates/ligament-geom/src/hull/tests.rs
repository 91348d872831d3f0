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
        check(&points, &Hull::build(&points, None, &Effort::unlimited()).unwrap());
    }
}

#[test]
fn points_on_a_sphere_are_all_corners() {
    let mut state = 7;
    let points: Vec<Vec3> =
        (0..500).map(|_| vec3::unit(std::array::from_fn(|_| noise(&mut state)))).collect();
    let hull = Hull::build(&points, None, &Effort::unlimited()).unwrap();
    assert_eq!(hull.vertices.len(), 500);
    check(&points, &hull);
}

#[test]
fn a_grid_has_eight_corners() {
    let points: Vec<Vec3> =
        (0..125).map(|i| [f64::from(i % 5), f64::from(i / 5 % 5), f64::from(i / 25)]).collect();
    let hull = Hull::build(&points, None, &Effort::unlimited()).unwrap();
    assert_eq!(hull.vertices.len(), 8);
    check(&points, &hull);
}

#[test]
fn flat_points_are_an_error() {
    let points: Vec<Vec3> = (0..25).map(|i| [f64::from(i % 5), f64::from(i / 5), 1.0]).collect();
    assert_eq!(Hull::build(&points, None, &Effort::unlimited()), Err(HullError::Flat));
    assert_eq!(Hull::build(&points[..3], None, &Effort::unlimited()), Err(HullError::TooFewPoints));
}

#[test]
fn the_number_of_corners_can_be_limited() {
    let mut state = 3;
    let points: Vec<Vec3> =
        (0..500).map(|_| vec3::unit(std::array::from_fn(|_| noise(&mut state)))).collect();
    assert_eq!(Hull::build(&points, Some(20), &Effort::unlimited()).unwrap().vertices.len(), 20);
}

/// The graph of the hull (counts, addresses, corners, edges, faces) must be the reference's, number by number.
fn assert_graph(points: &[Vec3], expected: &str) {
    let graph = Hull::build(points, None, &Effort::unlimited()).unwrap().graph();
    let expected: Vec<i32> = expected.split_whitespace().map(|x| x.parse().unwrap()).collect();
    assert_eq!(graph, expected);
}

#[test]
fn the_sides_of_a_cube_are_cut_as_in_the_reference() {
    let cube: Vec<Vec3> = (0..8)
        .map(|i| [f64::from(i >> 2 & 1), f64::from(i >> 1 & 1), f64::from(i & 1)].map(|x| 2.0 * x - 1.0))
        .collect();
    assert_graph(
        &cube,
        "8 12  0 7 11 18 22 29 33 37  6 2 0 4 5 1 7 3
         1 2 3 4 6 7 -1  0 2 7 -1  0 1 3 4 5 7 -1  0 2 4 -1  3 2 5 0 6 7 -1  4 2 7 -1  4 0 7 -1  1 2 5 0 6 4 -1
         2 6 0  6 4 0  4 5 0  5 1 0  6 5 4  5 6 7  3 2 0  1 3 0  3 6 2  6 3 7  5 3 1  3 5 7",
    );
}

#[test]
fn polygons_of_a_prism_are_cut_as_in_the_reference() {
    let hexagon = [[1.0, 0.0], [0.5, 0.75], [-0.5, 0.75], [-1.0, 0.0], [-0.5, -0.75], [0.5, -0.75]];
    let prism: Vec<Vec3> = [0.0, 1.0].iter().flat_map(|z| hexagon.iter().map(|p| [p[0], p[1], *z])).collect();
    assert_graph(
        &prism,
        "12 20  0 6 12 18 22 27 32 39 44 51 56 63  10 4 3 9 7 1 0 6 11 5 2 8
         1 2 3 8 11 -1  0 2 8 9 10 -1  0 1 3 10 11 -1  0 2 11 -1  5 6 7 11 -1  4 6 10 11 -1  4 5 7 8 9 10 -1
         4 6 8 11 -1  9 6 7 1 0 11 -1  8 6 1 10 -1  9 6 1 2 5 11 -1  0 3 4 7 8 2 10 5 -1
         4 10 3  10 9 3  1 7 0  7 6 0  11 5 0  6 11 0  5 11 4  11 10 4  5 2 0  2 4 3  2 5 4  2 1 0
         10 8 9  7 8 6  8 11 6  11 8 10  9 8 3  8 2 3  8 7 1  2 8 1",
    );
}

#[test]
fn points_inside_the_sides_are_no_corners() {
    let grid: Vec<Vec3> =
        (0..125).map(|i| [f64::from(i % 5), f64::from(i / 5 % 5), f64::from(i / 25)]).collect();
    let hull = Hull::build(&grid, None, &Effort::unlimited()).unwrap();
    assert_eq!(hull.vertices, [24, 20, 0, 4, 104, 100, 124, 120]);
    assert_eq!(hull.faces[..3], [[20, 24, 0], [24, 4, 0], [4, 104, 0]]);
}

/// Thin, nearly flat and repeated points: whatever the construction makes of them, it must be a hull.
#[test]
fn poor_points_still_give_a_hull() {
    let mut state = 11;
    for flatness in [1e-3, 1e-6, 1e-9, 1e-12] {
        let mut points: Vec<Vec3> =
            (0..200).map(|_| [noise(&mut state), noise(&mut state), flatness * noise(&mut state)]).collect();
        points.extend_from_within(..50);
        let Ok(hull) = Hull::build(&points, None, &Effort::unlimited()) else { continue };
        assert_eq!(hull.faces.len(), 2 * hull.vertices.len() - 4, "{flatness}");
        assert_eq!(hull.graph().len(), 2 + 3 * hull.vertices.len() + 6 * hull.faces.len());
    }
}

/// Points on two circles, rounded: many corners in two planes, which are looked at again for every point.
fn drum(count: usize) -> Vec<Vec3> {
    let rounded = |x: f64| (x * 1e9).round() / 1e9;
    let point = |i: usize| [rounded((i as f64).cos()), rounded((i as f64).sin()), (i % 2) as f64];
    (0..count).map(point).collect()
}

#[test]
fn hulls_take_no_more_than_is_granted() {
    let points = drum(2000);
    let spent = |effort: u64| Hull::build(&points, None, &Effort::new(effort));
    assert_eq!(spent(100_000), Err(HullError::TooLong));
    let whole = Hull::build(&points, None, &Effort::unlimited()).unwrap();
    check(&points, &whole);
    assert_eq!(spent(100_000_000).as_ref(), Ok(&whole), "what is left over changes nothing");

    let shared = Effort::new(100_000_000);
    let built = (0..1000).take_while(|_| Hull::build(&points, None, &shared).is_ok()).count();
    assert!((1..1000).contains(&built), "hulls that share their effort: {built}");
}
