//! Elasticity of triangles and tetrahedra, in terms of their squared edge lengths.
//!
//! The energy of an element is quadratic in the changes of its squared edge lengths (St. Venant-Kirchhoff); its
//! metric is computed by the compiler. Weischedel, Tuganov, Hermansson, Linn, Wardetzky 2012.

use ligament_math::{Vec3, vec3};

/// Edges of a triangle and of a tetrahedron by local vertex numbers.
pub const TRIANGLE_EDGES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
pub const TETRAHEDRON_EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]];

/// Edges of an element of the given dimension.
pub fn local_edges(dim: usize) -> &'static [[usize; 2]] {
    if dim == 2 { &TRIANGLE_EDGES } else { &TETRAHEDRON_EDGES }
}

/// Entry (i, j) of a symmetric matrix stored as its upper triangle by rows.
#[inline]
fn symmetric(packed: &[f64; 21], n: usize, i: usize, j: usize) -> f64 {
    let (a, b) = if i <= j { (i, j) } else { (j, i) };
    packed[a * n - a * (a + 1) / 2 + b]
}

/// Forces on the vertices of an element, given how much each squared edge length exceeds its rest value.
pub fn element_forces(metric: &[f64; 21], dim: usize, pos: &[Vec3; 4], elongation: &[f64; 6]) -> [Vec3; 4] {
    let edges = local_edges(dim);
    let mut force = [[0.0; 3]; 4];
    for (j, &[a, b]) in edges.iter().enumerate() {
        let mut tension = 0.0;
        for (i, stretch) in elongation.iter().take(edges.len()).enumerate() {
            tension += stretch * symmetric(metric, edges.len(), i, j);
        }
        let pull = vec3::scale(vec3::sub(pos[a], pos[b]), tension);
        force[a] = vec3::sub(force[a], pull);
        force[b] = vec3::add(force[b], pull);
    }
    force
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_of_an_element_add_up_to_nothing_and_pull_back() {
        let metric = std::array::from_fn(|i| if [0, 3, 5].contains(&i) { 1.0 } else { 0.1 });
        let pos = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]];
        let force = element_forces(&metric, 2, &pos, &[0.1, 0.2, 0.3, 0.0, 0.0, 0.0]);
        let total = force.iter().fold([0.0; 3], |sum, f| vec3::add(sum, *f));
        assert!(vec3::norm(total) < 1e-15);
        assert!(force[0][0] > 0.0 && force[0][1] > 0.0);
    }
}
