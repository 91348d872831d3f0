//! Elasticity of triangles and tetrahedra, in terms of their squared edge lengths.
//!
//! The energy of an element is quadratic in the changes of its squared edge lengths (St. Venant-Kirchhoff); its
//! metric is computed by the compiler. Weischedel, Tuganov, Hermansson, Linn, Wardetzky 2012.

use super::element_vertices;
use super::vertex_forces::distribute;
use crate::support::Motion;
use crate::workspace::Scratches as _;
use ligament_math::{Vec3, vec3};
use ligament_model::{Data, Model};

/// Edges of a triangle by local vertex numbers.
pub const TRIANGLE_EDGES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
/// Edges of a tetrahedron by local vertex numbers.
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

/// Elastic forces of triangles or tetrahedra with generalised Rayleigh damping (Kharevych et al. 2006, §5.2),
/// all of it in qfrc_spring and independent of the spring and damper flags, as in MuJoCo 3.5.0.
pub(super) fn apply_forces(m: &Model, d: &mut Data, flex: usize) {
    let dim = m.flex_dim[flex] as usize;
    let dt = m.opt.timestep;
    let damping = if dt > 0.0 { m.flex_damping[flex] / dt } else { 0.0 };
    let first_vertex = m.flex_vertadr[flex] as usize;
    let first_edge = m.flex_edgeadr[flex] as usize;
    let first_element = m.flex_elemadr[flex] as usize;
    let nedge = local_edges(dim).len();
    let edge_table = m.flex_elemedgeadr[flex] as usize;

    let mut force = std::mem::take(&mut d.workspace.scratch().flex.force);
    force.clear();
    force.resize(m.flex_vertnum[flex] as usize, [0.0; 3]);
    for element in 0..m.flex_elemnum[flex] as usize {
        let mut elongation = [0.0; 6];
        for (k, stretch) in elongation.iter_mut().take(nedge).enumerate() {
            let edge = first_edge + m.flex_elemedge[edge_table + element * nedge + k] as usize;
            let (now, rest) = (d.flexedge_length[edge], m.flexedge_length0[edge]);
            let before = now - d.flexedge_velocity[edge] * dt;
            *stretch = now * now - rest * rest + (now * now - before * before) * damping;
        }
        let corners = element_vertices(m, flex, element);
        let mut pos = [[0.0; 3]; 4];
        for (p, &corner) in pos.iter_mut().zip(corners) {
            *p = d.flexvert_xpos[first_vertex + corner as usize];
        }
        let metric = &m.flex_stiffness[first_element + element];
        let local = element_forces(metric, dim, &pos, &elongation);
        for (f, &corner) in local.iter().zip(corners) {
            force[corner as usize] = vec3::add(force[corner as usize], *f);
        }
    }
    let Data { flexvert_xpos, cdof, subtree_com, qfrc_spring, .. } = d;
    distribute(m, Motion { cdof, subtree_com }, flexvert_xpos, flex, &force, qfrc_spring);
    d.workspace.scratch().flex.force = force;
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
