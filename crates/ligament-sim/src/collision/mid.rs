//! Mid phase: pairs of geoms of two bodies, by descending both bounding-volume trees.

use super::mix::effective_margin;
use super::{Detector, INFINITE, Tested, filter, geoms_of};
use ligament_math::{Mat3, Vec3, mat3, vec3};
use ligament_model::Model;

/// Up to this many pairs of geoms are compared directly.
const FEW_PAIRS: usize = 32;

/// A box in the world; `half` may be infinite (planes).
#[derive(Clone, Copy)]
pub(super) struct OrientedBox {
    center: Vec3,
    half: Vec3,
    mat: Mat3,
}

impl OrientedBox {
    pub fn new(aabb: &[f64; 6], pos: Vec3, mat: &Mat3) -> Self {
        let center = vec3::add(mat3::mul_vec(mat, [aabb[0], aabb[1], aabb[2]]), pos);
        Self { center, half: [aabb[3], aabb[4], aabb[5]], mat: *mat }
    }
}

/// Can two boxes touch? Tests the six face normals (Gottschalk, Lin, Manocha 1996, without the edge axes);
/// the faces of a box are skipped when the other one is infinite.
pub(super) fn boxes_overlap(a: &OrientedBox, b: &OrientedBox, margin: f64) -> bool {
    let infinite = |x: &OrientedBox| x.half.map(|h| h >= INFINITE);
    let (inf_a, inf_b) = (infinite(a), infinite(b));
    if inf_a == [true; 3] || inf_b == [true; 3] {
        return true;
    }
    for (this, skip) in [(a, inf_b.contains(&true)), (b, inf_a.contains(&true))] {
        if skip {
            continue;
        }
        for k in 0..3 {
            let normal = mat3::col(&this.mat, k);
            let reach = |x: &OrientedBox| {
                let along = mat3::mul_vec_t(&x.mat, normal);
                (x.half[0] * along[0]).abs() + (x.half[1] * along[1]).abs() + (x.half[2] * along[2]).abs()
            };
            let gap = vec3::dot(vec3::sub(b.center, a.center), normal).abs();
            if reach(a) + reach(b) + margin < gap {
                return false;
            }
        }
    }
    true
}

/// A tree of a body: its nodes and their children, numbered from the body's first.
struct Tree<'a> {
    child: &'a [[i32; 2]],
    node: &'a [i32],
    aabb: &'a [[f64; 6]],
}

impl<'a> Tree<'a> {
    fn new(m: &'a Model, body: usize) -> Self {
        let adr = m.body_bvhadr[body] as usize;
        let range = adr..adr + m.body_bvhnum[body] as usize;
        Self {
            child: &m.bvh_child[range.clone()],
            node: &m.bvh_nodeid[range.clone()],
            aabb: &m.bvh_aabb[range],
        }
    }

    fn is_leaf(&self, node: usize) -> bool {
        self.child[node] == [-1, -1]
    }

    /// The reference's measure of which tree to descend first.
    fn surface(&self, node: usize) -> f64 {
        let b = &self.aabb[node];
        let (x, y, z) = (b[3] - b[0], b[4] - b[1], b[5] - b[2]);
        x * y + y * z + z * x
    }
}

impl Detector<'_> {
    /// Collides the geoms of two bodies whose boxes overlap.
    pub(super) fn collide_trees(&mut self, body1: usize, body2: usize, tested: Tested) {
        let m = self.m;
        let npair = m.body_geomnum[body1] as usize * m.body_geomnum[body2] as usize;
        if npair <= FEW_PAIRS {
            for g1 in geoms_of(m, body1) {
                for g2 in geoms_of(m, body2) {
                    self.collide_leaves(g1, g2, tested);
                }
            }
            return;
        }
        let (tree1, tree2) = (Tree::new(m, body1), Tree::new(m, body2));
        let margin = effective_margin(m, m.body_margin[body1] + m.body_margin[body2]);
        let mut nodes = std::mem::take(&mut self.scratch.nodes);
        nodes.clear();
        nodes.push((0, 0));
        while let Some((n1, n2)) = nodes.pop() {
            let (i, j) = (n1 as usize, n2 as usize);
            let (leaf1, leaf2) = (tree1.is_leaf(i), tree2.is_leaf(j));
            if leaf1 && leaf2 {
                if let (Ok(g1), Ok(g2)) = (usize::try_from(tree1.node[i]), usize::try_from(tree2.node[j])) {
                    self.collide_leaves(g1, g2, tested);
                }
                continue;
            }
            let box1 = OrientedBox::new(&tree1.aabb[i], self.d.xipos[body1], &self.d.ximat[body1]);
            let box2 = OrientedBox::new(&tree2.aabb[j], self.d.xipos[body2], &self.d.ximat[body2]);
            if !boxes_overlap(&box1, &box2, margin) {
                continue;
            }
            let descend_first = !leaf1 && (leaf2 || tree1.surface(i) > tree2.surface(j));
            let children = if descend_first { tree1.child[i] } else { tree2.child[j] };
            for child in children.into_iter().filter(|&c| c >= 0) {
                nodes.push(if descend_first { (child as u32, n2) } else { (n1, child as u32) });
            }
        }
        self.scratch.nodes = nodes;
    }

    /// Two geoms, after comparing their spheres and boxes.
    fn collide_leaves(&mut self, g1: usize, g2: usize, tested: Tested) {
        let (m, d) = (self.m, self.d);
        if !filter::masks_match(
            m.geom_contype[g1],
            m.geom_conaffinity[g1],
            m.geom_contype[g2],
            m.geom_conaffinity[g2],
        ) {
            return;
        }
        let margin = effective_margin(m, m.geom_margin[g1] + m.geom_margin[g2]);
        if filter::spheres_apart(m, d, g1, g2, margin) {
            return;
        }
        let box1 = OrientedBox::new(&m.geom_aabb[g1], d.geom_xpos[g1], &d.geom_xmat[g1]);
        let box2 = OrientedBox::new(&m.geom_aabb[g2], d.geom_xpos[g2], &d.geom_xmat[g2]);
        if boxes_overlap(&box1, &box2, margin) {
            self.collide_geom_pair(g1, g2, tested);
        }
    }
}
