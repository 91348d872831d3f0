//! From the rest shape of a flex to its constraints.

use crate::colour::Coloured;
use crate::constraint::{Bend, Edge, Tetrahedron, six_volumes};
use crate::{Constraints, SoftFlex};
use ligament_math::vec3::{add_scaled, cross, distance, dot, norm, sub};
use ligament_model::parts::FlexShape;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Sums of weighted positions below this, in units of their terms, count as zero.
const FLAT: f64 = 1e-9;

/// The constraints of a material on a flex, or why there are none.
pub fn constraints(material: &SoftFlex, shape: &FlexShape<'_>) -> Result<Constraints, String> {
    let count = shape.rest.len();
    let edges = edges(material, shape)?;
    if shape.dim() == 1 {
        let bends = if material.bending > 0.0 { rope_bends(material, shape, &edges) } else { Vec::new() };
        let (edges, bends) = (Coloured::in_order(edges), Coloured::in_order(bends));
        return Ok(Constraints { edges, bends, ..Constraints::default() });
    }
    let flat = shape.dim() == 2 && material.bending > 0.0;
    let bends = if flat { cloth_bends(material, shape)? } else { Vec::new() };
    let volumes = if shape.dim() == 3 { volumes(material, shape)? } else { Vec::new() };
    Ok(Constraints {
        edges: Coloured::new(edges, count),
        bends: Coloured::new(bends, count),
        volumes: Coloured::new(volumes, count),
    })
}

/// Pairs of vertices that an edge joins, by their numbers within the flex.
fn pairs(shape: &FlexShape<'_>) -> Vec<[u32; 2]> {
    let start = shape.model.flex_edgeadr[shape.flex] as usize;
    let all = &shape.model.flex_edge[start..start + shape.model.flex_edgenum[shape.flex] as usize];
    all.iter().map(|edge| edge.map(|v| v as u32)).collect()
}

/// Length, area × thickness, or volume of an element: how much matter it has.
fn matter(shape: &FlexShape<'_>, element: &[i32]) -> f64 {
    let radius = shape.model.flex_radius[shape.flex];
    let x = |k: usize| shape.rest[element[k] as usize];
    match element.len() {
        2 => PI * radius * radius * distance(x(0), x(1)),
        3 => 2.0 * radius * area(x(0), x(1), x(2)),
        _ => six_volumes([x(0), x(1), x(2), x(3)]).abs() / 6.0,
    }
}

fn area(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    0.5 * norm(cross(sub(b, a), sub(c, a)))
}

/// Springs along the edges. The matter of each element is shared by its edges; an edge of length L with volume V is a
/// rod of section V / L, whose stiffness is E V / L².
fn edges(material: &SoftFlex, shape: &FlexShape<'_>) -> Result<Vec<Edge>, String> {
    let pairs = pairs(shape);
    let sorted = |a: i32, b: i32| [a.min(b) as u32, a.max(b) as u32];
    let mut number = BTreeMap::new();
    for (i, &[a, b]) in pairs.iter().enumerate() {
        number.insert([a.min(b), a.max(b)], i);
    }
    let mut volume = vec![0.0; pairs.len()];
    for element in shape.elements() {
        let corners = element.len();
        let share = matter(shape, element) / (corners * (corners - 1) / 2) as f64;
        for a in 0..corners {
            for b in a + 1..corners {
                if let Some(&edge) = number.get(&sorted(element[a], element[b])) {
                    volume[edge] += share;
                }
            }
        }
    }
    let make = |(ends, volume): (&[u32; 2], &f64)| {
        let rest = distance(shape.rest[ends[0] as usize], shape.rest[ends[1] as usize]);
        if !(rest > 0.0) {
            return Err(format!("vertices {} and {} are at the same place", ends[0], ends[1]));
        }
        if !(*volume > 0.0) {
            return Err(format!(
                "the edge from vertex {} to {} has no matter: give the flex a radius",
                ends[0], ends[1]
            ));
        }
        Ok(Edge { ends: *ends, rest, compliance: rest * rest / (material.young * volume) })
    };
    pairs.iter().zip(&volume).map(make).collect()
}

/// Curvature vector at the inner vertices of a rope, κ = 2 ((a − x)/Lₐ + (b − x)/L_b) / (Lₐ + L_b), with the energy
/// ½ B |κ|² (Lₐ + L_b) / 2.
fn rope_bends(material: &SoftFlex, shape: &FlexShape<'_>, edges: &[Edge]) -> Vec<Bend> {
    let mut neighbours = vec![Vec::new(); shape.rest.len()];
    for edge in edges {
        let [a, b] = edge.ends;
        neighbours[a as usize].push((b, edge.rest));
        neighbours[b as usize].push((a, edge.rest));
    }
    let joints = neighbours.iter().enumerate().filter(|(_, others)| others.len() == 2);
    let make = |(v, others): (usize, &Vec<(u32, f64)>)| {
        let [(a, la), (b, lb)] = [others[0], others[1]];
        let span = 0.5 * (la + lb);
        let weights = [1.0 / (la * span), -1.0 / (la * span) - 1.0 / (lb * span), 1.0 / (lb * span), 0.0];
        let compliance = 1.0 / (material.bending * span);
        bend(shape, ([a, v as u32, b, b], 3), weights, compliance, 1.0 / span)
    };
    joints.map(make).collect()
}

/// A bending constraint that is zero in the rest shape. `size` makes an angle of its sum.
fn bend(
    shape: &FlexShape<'_>,
    (vertices, count): ([u32; 4], usize),
    weights: [f64; 4],
    compliance: f64,
    size: f64,
) -> Bend {
    let terms = vertices.iter().zip(&weights).take(count);
    let sum = terms.fold([0.0; 3], |sum, (&v, &k)| add_scaled(sum, shape.rest[v as usize], k));
    let rest = if norm(sum) < FLAT * size { 0.0 } else { norm(sum) };
    Bend { vertices, count, weights, rest, compliance, size }
}

/// Cotangent of the angle at `x` between the directions to `a` and `b`.
fn cotangent(x: [f64; 3], a: [f64; 3], b: [f64; 3]) -> f64 {
    let (a, b) = (sub(a, x), sub(b, x));
    dot(a, b) / norm(cross(a, b))
}

/// Mean curvature at the inner edges of a surface (Bergou et al. 2006, "A quadratic bending model for inextensible
/// surfaces"): the sum over the four vertices of a flap with weights of cotangents, energy ½ B |Σ k x|² / (A₁ + A₂), so
/// that a regular sheet that is bent to the curvature κ has ½ B κ² for each unit of area.
fn cloth_bends(material: &SoftFlex, shape: &FlexShape<'_>) -> Result<Vec<Bend>, String> {
    let make = |flap: [usize; 4]| {
        let [a, b, c, d] = flap.map(|v| shape.rest[v]);
        let area = area(a, b, c) + area(a, b, d);
        let (at_a, at_b) =
            ([cotangent(a, b, c), cotangent(a, b, d)], [cotangent(b, a, c), cotangent(b, a, d)]);
        let weights = [at_b[0] + at_b[1], at_a[0] + at_a[1], -at_a[0] - at_b[0], -at_a[1] - at_b[1]];
        if !weights.iter().all(|k| k.is_finite()) {
            return Err(format!(
                "the triangles at the edge from vertex {} to {} have no area",
                flap[0], flap[1]
            ));
        }
        let compliance = area / material.bending;
        Ok(bend(shape, (flap.map(|v| v as u32), 4), weights, compliance, distance(a, b)))
    };
    flaps(shape).into_iter().map(make).collect()
}

/// Inner edges of a surface with the two opposite vertices. The model lists them only for flexes with MuJoCo's bending.
fn flaps(shape: &FlexShape<'_>) -> Vec<[usize; 4]> {
    let mut opposite = BTreeMap::<[usize; 2], Vec<usize>>::new();
    for element in shape.elements() {
        let [a, b, c] = [0, 1, 2].map(|k| element[k] as usize);
        for [a, b, c] in [[a, b, c], [b, c, a], [c, a, b]] {
            opposite.entry([a.min(b), a.max(b)]).or_default().push(c);
        }
    }
    let inner = opposite.into_iter().filter(|(_, others)| others.len() == 2);
    inner.map(|([a, b], others)| [a, b, others[0], others[1]]).collect()
}

/// Volumes of the elements of a solid, energy ½ K (V/V₀ − 1)² V₀ with the bulk modulus K = E / (3 (1 − 2ν)).
fn volumes(material: &SoftFlex, shape: &FlexShape<'_>) -> Result<Vec<Tetrahedron>, String> {
    let bulk = material.young / (3.0 * (1.0 - 2.0 * material.poisson));
    let make = |element: &[i32]| {
        let vertices: [u32; 4] = std::array::from_fn(|k| element[k] as u32);
        let rest = six_volumes(vertices.map(|v| shape.rest[v as usize])) / 6.0;
        if rest == 0.0 {
            return Err(format!("the element of vertices {vertices:?} has no volume"));
        }
        Ok(Tetrahedron { vertices, rest, compliance: rest.abs() / bulk })
    };
    shape.elements().map(make).collect()
}
