//! Which vertices, edges and elements of a flex belong together.

use ligament_math::{Vec3, vec3};
use std::collections::HashMap;

/// Edges of an element, as positions among its vertices, by dimension.
const ELEMENT_EDGES: [&[[usize; 2]]; 3] =
    [&[[0, 1]], &[[1, 2], [2, 0], [0, 1]], &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]]];

/// Sides of an element (what borders it), in the order the reference lists them.
const ELEMENT_SIDES: [&[&[usize]]; 3] =
    [&[&[0], &[1]], &[&[0, 1], &[2, 0], &[1, 2]], &[&[0, 1, 2], &[0, 3, 1], &[0, 2, 3], &[1, 3, 2]]];

/// Edges of a flex.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Edges {
    /// Vertices, smaller first.
    pub vertices: Vec<[i32; 2]>,
    /// Edges of every element.
    pub of_elements: Vec<i32>,
    /// Surfaces only: vertices as the first triangle lists them, the one opposite in it, and the one opposite in
    /// the second triangle (-1: border).
    pub flaps: Vec<[i32; 4]>,
}

/// Numbers edges in the order elements mention them.
pub fn edges(dim: usize, elements: &[i32]) -> Edges {
    let mut edges = Edges::default();
    let mut known: HashMap<[i32; 2], usize> = HashMap::new();
    for element in elements.chunks(dim + 1) {
        for &[a, b] in ELEMENT_EDGES[dim - 1] {
            let (va, vb) = (element[a], element[b]);
            let next = edges.vertices.len();
            let key = [va.min(vb), va.max(vb)];
            let id = *known.entry(key).or_insert(next);
            let opposite = element[(b + 1) % (dim + 1)];
            if id == next {
                edges.vertices.push(key);
                if dim == 2 {
                    edges.flaps.push([va, vb, opposite, -1]);
                }
            } else if dim == 2 {
                edges.flaps[id][3] = opposite;
            }
            edges.of_elements.push(id as i32);
        }
    }
    edges
}

/// Swaps vertices of tetrahedra so that their faces (0,1,2), (0,2,3), (0,3,1), (1,3,2) look outwards.
pub fn orient_tetrahedra(elements: &mut [i32], vertices: &[Vec3]) {
    for element in elements.chunks_mut(4) {
        let [a, b, c, d]: [Vec3; 4] = std::array::from_fn(|k| vertices[element[k] as usize]);
        let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
        if vec3::dot(normal, vec3::sub(d, a)) > 0.0 {
            element.swap(1, 2);
        }
    }
}

/// The surface of a flex and what follows from it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shell {
    /// Sides that belong to one element only, `dim` vertices each.
    pub sides: Vec<i32>,
    /// Distance of every element of a solid from the surface; 0 for lines and surfaces.
    pub layers: Vec<i32>,
    /// Lines and surfaces: an element at the border and the vertex of a neighbour that does not touch it.
    pub pairs: Vec<[i32; 2]>,
}

/// A side of an element.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    sorted: Vec<i32>,
    element: usize,
    vertices: Vec<i32>,
}

/// Two elements with a common side.
struct Joint {
    elements: [usize; 2],
    side: Vec<i32>,
}

/// Finds the surface.
pub fn shell(dim: usize, elements: &[i32]) -> Shell {
    let sides = sorted_sides(dim, elements);
    let nelem = elements.len() / (dim + 1);
    let mut border = vec![false; nelem];
    let mut shell = Shell::default();
    let mut joints = Vec::new();
    for group in sides.chunk_by(|a, b| a.sorted == b.sorted) {
        if let [single] = group {
            border[single.element] = true;
            shell.sides.extend_from_slice(&single.vertices);
        }
        for pair in group.windows(2) {
            joints.push(Joint { elements: [pair[0].element, pair[1].element], side: pair[0].sorted.clone() });
        }
    }
    shell.layers = if dim < 3 { vec![0; nelem] } else { layers(&border, &joints) };
    if dim < 3 {
        shell.pairs = vertex_pairs(dim, elements, &border, &joints);
    }
    shell
}

fn sorted_sides(dim: usize, elements: &[i32]) -> Vec<Side> {
    let mut sides = Vec::with_capacity(elements.len());
    for (e, element) in elements.chunks(dim + 1).enumerate() {
        for side in ELEMENT_SIDES[dim - 1] {
            let vertices: Vec<i32> = side.iter().map(|&k| element[k]).collect();
            let mut sorted = vertices.clone();
            sorted.sort_unstable();
            sides.push(Side { sorted, element: e, vertices });
        }
    }
    sides.sort();
    sides
}

/// Distance from the surface over common sides, by repeated relaxation.
fn layers(border: &[bool], joints: &[Joint]) -> Vec<i32> {
    let far = border.len() as i32 + 1;
    let mut layers: Vec<i32> = border.iter().map(|&b| if b { 0 } else { far }).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for joint in joints {
            let [a, b] = joint.elements;
            if layers[a] > layers[b] + 1 {
                layers[a] = layers[b] + 1;
                changed = true;
            } else if layers[b] > layers[a] + 1 {
                layers[b] = layers[a] + 1;
                changed = true;
            }
        }
    }
    layers
}

fn vertex_pairs(dim: usize, elements: &[i32], border: &[bool], joints: &[Joint]) -> Vec<[i32; 2]> {
    let mut pairs = Vec::new();
    for joint in joints.iter().filter(|j| j.elements.iter().any(|&e| border[e])) {
        for (this, other) in [(0, 1), (1, 0)] {
            let start = joint.elements[this] * (dim + 1);
            let element = &elements[start..start + dim + 1];
            if let Some(&free) = element.iter().find(|v| !joint.side.contains(v)) {
                pairs.push([joint.elements[other] as i32, free]);
            }
        }
    }
    pairs
}
