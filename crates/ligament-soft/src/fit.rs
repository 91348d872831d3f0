//! From the rest shape of a flex to its constraints.

use crate::chain::Chains;
use crate::colour::Coloured;
use crate::constraint::{Bend, Curvature, Edge, Solid, Symmetric, six_volumes};
use crate::{Constraints, SoftFlex};
use ligament_math::vec3::{add_scaled, cross, distance, dot, norm, scale, sub, unit};
use ligament_model::parts::FlexShape;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Sums of weighted positions below this, in units of their terms, count as zero.
const FLAT: f64 = 1e-9;

/// The constraints of a material on a flex, or why there are none.
pub fn constraints(material: &SoftFlex, shape: &FlexShape<'_>) -> Result<Constraints, String> {
    let count = shape.rest.len();
    if shape.dim() == 3 {
        let solids = Coloured::new(solids(material, shape)?, count);
        return Ok(Constraints { solids, ..Constraints::default() });
    }
    let edges = edges(material, shape)?;
    let bending = material.bending > 0.0;
    if shape.dim() == 1 {
        let bends = if bending { rope_bends(material, shape, &edges) } else { Vec::new() };
        let (links, bends) = (Chains::new(edges), Coloured::new(bends, count));
        return Ok(Constraints { links, bends, ..Constraints::default() });
    }
    let curvatures = if bending { curvatures(material, shape)? } else { Vec::new() };
    let (edges, curvatures) = (Coloured::new(edges, count), Coloured::new(curvatures, count));
    Ok(Constraints { edges, curvatures, ..Constraints::default() })
}

/// Pairs of vertices that an edge joins, by their numbers within the flex.
fn pairs(shape: &FlexShape<'_>) -> Vec<[u32; 2]> {
    let start = shape.model.flex_edgeadr[shape.flex] as usize;
    let all = &shape.model.flex_edge[start..start + shape.model.flex_edgenum[shape.flex] as usize];
    all.iter().map(|edge| edge.map(|v| v as u32)).collect()
}

/// Volume of a link (π r² L) or a triangle (area × thickness): how much matter it has.
fn matter(shape: &FlexShape<'_>, element: &[i32]) -> f64 {
    let radius = shape.model.flex_radius[shape.flex];
    let x = |k: usize| shape.rest[element[k] as usize];
    if element.len() == 2 {
        PI * radius * radius * distance(x(0), x(1))
    } else {
        2.0 * radius * area(x(0), x(1), x(2))
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

/// Are these vertices parts of one rigid thing? What lies between them cannot bend then.
fn rigid(shape: &FlexShape<'_>, vertices: impl IntoIterator<Item = usize>) -> bool {
    let first = shape.model.flex_vertadr[shape.flex] as usize;
    let body = |v: usize| shape.model.body_weldid[shape.model.flex_vertbodyid[first + v] as usize];
    let mut bodies = vertices.into_iter().map(body);
    let held = bodies.next();
    bodies.all(|body| Some(body) == held)
}

/// Curvature vector at the inner vertices of a rope, κ = 2 ((a − x)/Lₐ + (b − x)/L_b) / (Lₐ + L_b), with the energy
/// ½ B |κ|² (Lₐ + L_b) / 2. A link between vertices of one body is a clamp: all of the turn is its neighbour's.
fn rope_bends(material: &SoftFlex, shape: &FlexShape<'_>, edges: &[Edge]) -> Vec<Bend> {
    let mut neighbours = vec![Vec::new(); shape.rest.len()];
    for edge in edges {
        let [a, b] = edge.ends;
        let bends = !rigid(shape, [a as usize, b as usize]);
        neighbours[a as usize].push((b, edge.rest, bends));
        neighbours[b as usize].push((a, edge.rest, bends));
    }
    let make = |(v, others): (usize, &Vec<(u32, f64, bool)>)| {
        let &[(a, la, a_bends), (b, lb, b_bends)] = &others[..] else { return None };
        let span = 0.5 * (if a_bends { la } else { 0.0 } + if b_bends { lb } else { 0.0 });
        if span == 0.0 {
            return None;
        }
        let weights = [1.0 / (la * span), -1.0 / (la * span) - 1.0 / (lb * span), 1.0 / (lb * span)];
        let (vertices, compliance, size) = ([a, v as u32, b], 1.0 / (material.bending * span), 1.0 / span);
        let terms = vertices.iter().zip(&weights);
        let sum = terms.fold([0.0; 3], |sum, (&v, &k)| add_scaled(sum, shape.rest[v as usize], k));
        Some(Bend { vertices, weights, rest: rest_length(sum, size), compliance, size })
    };
    neighbours.iter().enumerate().filter_map(make).collect()
}

/// Length of a sum that is zero where nothing is curved.
fn rest_length(sum: [f64; 3], size: f64) -> f64 {
    if norm(sum) < FLAT * size { 0.0 } else { norm(sum) }
}

/// Cotangent of the angle at `x` between the directions to `a` and `b`.
fn cotangent(x: [f64; 3], a: [f64; 3], b: [f64; 3]) -> f64 {
    let (a, b) = (sub(a, x), sub(b, x));
    dot(a, b) / norm(cross(a, b))
}

/// Elements at each edge, each with its corner opposite to the edge.
type Across = BTreeMap<[usize; 2], Vec<(usize, usize)>>;

fn across(shape: &FlexShape<'_>) -> Across {
    let mut across = Across::new();
    for (number, element) in shape.elements().enumerate() {
        for [a, b, c] in corners(element) {
            across.entry([a.min(b), a.max(b)]).or_default().push((number, c));
        }
    }
    across
}

/// The edges of a triangle, each with the opposite corner.
fn corners(element: &[i32]) -> [[usize; 3]; 3] {
    let [a, b, c] = [0, 1, 2].map(|k| element[k] as usize);
    [[a, b, c], [b, c, a], [c, a, b]]
}

/// Curvature of the triangles of a surface (Grinspun, Gingold, Reisman, Zorin 2006, "Computing discrete shape operators
/// on general meshes": the tensor of a triangle from the angles at its edges), with angles as the lengths of vectors
/// that are linear in the positions (Bergou et al. 2006, "A quadratic bending model for inextensible surfaces"). The
/// energy is that of a plate, ½ B ((1 − ν) |Λ|² + ν (tr Λ)²) for each unit of area, whichever way the triangles lie.
fn curvatures(material: &SoftFlex, shape: &FlexShape<'_>) -> Result<Vec<Curvature>, String> {
    let across = across(shape);
    let elements: Vec<&[i32]> = shape.elements().collect();
    let clamped: Vec<bool> =
        elements.iter().map(|element| rigid(shape, element.iter().map(|&v| v as usize))).collect();
    let mut found = Vec::new();
    for (number, element) in elements.iter().enumerate().filter(|(number, _)| !clamped[*number]) {
        let edges = corners(element);
        let hinge = |[a, b, _]: [usize; 3]| match &across[&[a.min(b), a.max(b)]][..] {
            // an edge of one element, or of more than two, is free
            &[first, second] => Some(if first.0 == number { second } else { first }),
            _ => None,
        };
        let hinges = edges.map(hinge).map(|hinge| {
            let (other, beyond) = hinge.filter(|(_, beyond)| !element.contains(&(*beyond as i32)))?;
            Some(Hinge { beyond, rigid: clamped[other] })
        });
        for hinges in apart(hinges) {
            found.push(curvature(material, shape, edges, hinges)?);
        }
    }
    Ok(found)
}

/// What is beyond an edge: a vertex, and whether the triangle there is rigid. Then all of the turn is this triangle's,
/// otherwise a half.
#[derive(Clone, Copy)]
struct Hinge {
    beyond: usize,
    rigid: bool,
}

/// Edges that are relaxed together: those of one triangle, unless the same vertex is beyond two of them (as in a surface
/// of four triangles).
fn apart(hinges: [Option<Hinge>; 3]) -> Vec<[Option<Hinge>; 3]> {
    let mut rounds: Vec<[Option<Hinge>; 3]> = Vec::new();
    for (e, hinge) in hinges.into_iter().enumerate() {
        let Some(hinge) = hinge else { continue };
        let free = |round: &&mut [Option<Hinge>; 3]| round.iter().flatten().all(|x| x.beyond != hinge.beyond);
        match rounds.iter_mut().find(free) {
            Some(round) => round[e] = Some(hinge),
            None => rounds.push(std::array::from_fn(|k| (k == e).then_some(hinge))),
        }
    }
    rounds
}

/// The constraint of one triangle: its edges with their opposite corners, and what is beyond them.
fn curvature(
    material: &SoftFlex,
    shape: &FlexShape<'_>,
    edges: [[usize; 3]; 3],
    hinges: [Option<Hinge>; 3],
) -> Result<Curvature, String> {
    let at = |v: usize| shape.rest[v];
    let [a, b, c] = edges[0];
    let area = area(at(a), at(b), at(c));
    let mut vertices = [a, b, c, a, a, a].map(|v| v as u32);
    let (mut weights, mut rest, mut size) = ([[0.0; 4]; 3], [0.0; 3], [1.0; 3]);
    for (e, (&[a, b, c], hinge)) in edges.iter().zip(hinges).enumerate() {
        let Some(Hinge { beyond, rigid }) = hinge else { continue };
        let spread = if rigid { 1.0 / area } else { 0.5 / area };
        let [at_a, at_b] = [[a, b], [b, a]].map(|[x, y]| [c, beyond].map(|z| cotangent(at(x), at(y), at(z))));
        let terms = [at_b[0] + at_b[1], at_a[0] + at_a[1], -at_a[0] - at_b[0], -at_a[1] - at_b[1]];
        if !terms.iter().all(|k| k.is_finite()) {
            return Err(format!("the triangles at the edge from vertex {a} to {b} have no area"));
        }
        // the edge begins at corner e of the triangle
        let places = [e, (e + 1) % 3, (e + 2) % 3, 3];
        let mut sum = [0.0; 3];
        for ((v, k), place) in [a, b, c, beyond].into_iter().zip(terms).zip(places) {
            weights[e][place] = spread * k;
            sum = add_scaled(sum, at(v), spread * k);
        }
        vertices[3 + e] = beyond as u32;
        size[e] = distance(at(a), at(b)) * spread;
        rest[e] = rest_length(sum, size[e]);
    }
    let directions = edges.map(|[a, b, _]| unit(sub(at(b), at(a))));
    let compliance = plate(material, area, directions, hinges.map(|hinge| hinge.is_some()));
    Ok(Curvature { vertices, weights, rest, compliance, size })
}

/// Compliance of a triangle in terms of its edges. In these, Λ = Σ φₑ t̂ₑ t̂ₑᵀ, its energy is ½ A B Σ φₑ Sₑ_f φ_f with
/// Sₑ_f = (1 − ν) (t̂ₑ · t̂_f)² + ν. Edges that are free turn so that they carry nothing, which leaves the others their
/// part of S⁻¹.
fn plate(material: &SoftFlex, area: f64, directions: [[f64; 3]; 3], held: [bool; 3]) -> Symmetric<f64> {
    let nu = material.poisson;
    let product = |e: usize, f: usize| (1.0 - nu) * dot(directions[e], directions[f]).powi(2) + nu;
    let [one, ab, ac, bc] = [1.0, product(0, 1), product(0, 2), product(1, 2)];
    let adjugate = [one - bc * bc, one - ac * ac, one - ab * ab, ac * bc - ab, ab * bc - ac, ab * ac - bc];
    let determinant = adjugate[0] + ab * adjugate[3] + ac * adjugate[4];
    let scale = 1.0 / (determinant * area * material.bending);
    let [a, b, c] = held;
    let kept = [a, b, c, a && b, a && c, b && c];
    std::array::from_fn(|k| if kept[k] { scale * adjugate[k] } else { f64::from(u8::from(k < 3)) })
}

/// Elements of a solid, energy ½ K V (det F − 1)² + μ V |dev E|² with the bulk modulus K = E / (3 (1 − 2ν)) and the shear
/// modulus μ = E / (2 (1 + ν)): for small strains that of an isotropic elastic body.
fn solids(material: &SoftFlex, shape: &FlexShape<'_>) -> Result<Vec<Solid>, String> {
    let bulk = material.young / (3.0 * (1.0 - 2.0 * material.poisson));
    let shear = material.young / (2.0 * (1.0 + material.poisson));
    let make = |element: &[i32]| {
        let vertices: [u32; 4] = std::array::from_fn(|k| element[k] as u32);
        let [x, a, b, c] = vertices.map(|v| shape.rest[v as usize]);
        let [a, b, c] = [a, b, c].map(|corner| sub(corner, x));
        let six = six_volumes([[0.0; 3], a, b, c]);
        if six == 0.0 {
            return Err(format!("the element of vertices {vertices:?} has no volume"));
        }
        let inverse = [cross(b, c), cross(c, a), cross(a, b)].map(|normal| scale(normal, 1.0 / six));
        let volume = six.abs() / 6.0;
        let compliance = [1.0 / (bulk * volume), 1.0 / (2.0 * shear * volume)];
        Ok(Solid { vertices, inverse, density: 1.0 / six, compliance })
    };
    shape.elements().map(make).collect()
}
