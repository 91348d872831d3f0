//! Bounding-volume trees in the arrays of the model.

use ligament_geom::bvh::Bvh;
use ligament_model::Model;

/// Writes a tree at a node; returns the node after it. Boxes of flexes are computed while simulating, so trees
/// beyond the static ones have none here.
pub fn write_tree(tree: &Bvh, at: usize, m: &mut Model) -> usize {
    let end = at + tree.len();
    m.bvh_child[at..end].copy_from_slice(&tree.child);
    m.bvh_depth[at..end].copy_from_slice(&tree.depth);
    m.bvh_nodeid[at..end].copy_from_slice(&tree.nodeid);
    if end <= m.bvh_aabb.len() {
        m.bvh_aabb[at..end].copy_from_slice(&tree.aabb);
    }
    end
}
