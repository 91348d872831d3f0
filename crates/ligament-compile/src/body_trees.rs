//! Bounding-volume trees of bodies, in their inertial frames, over the geoms that can collide.

use crate::tree::Tree;
use ligament_geom::bvh::{Bvh, Leaf};

/// Builds the tree of every body. Geom ids must be final.
pub fn build_body_trees(tree: &mut Tree<'_>) {
    let Tree { bodies, geoms, .. } = tree;
    for body in bodies {
        let leaves = (body.geoms.clone())
            .filter(|&id| geoms[id].spec.contype != 0 || geoms[id].spec.conaffinity != 0)
            .map(|id| {
                let geom = &geoms[id];
                Leaf { id: id as i32, pos: geom.pose.pos, quat: Some(geom.pose.quat), aabb: geom.aabb }
            });
        body.bvh = Bvh::build(leaves, body.inertial.pos, body.inertial.quat);
    }
}
