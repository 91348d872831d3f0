//! Bounding-volume trees of flexes against those of bodies, other flexes, and themselves.

use super::element::{boxes_apart, cube_apart};
use super::{Detector, geoms_of};
use crate::collision::NODE;
use crate::collision::mid::{NodeFrames, OrientedBox, boxes_overlap};
use crate::collision::mix::effective_margin;
use ligament_math::mat3;
use ligament_model::enums::GeomType;
use ligament_model::{Data, Model};

/// Tree of a body (boxes in its inertial frame) or flex (boxes in the world).
pub(in crate::collision) struct Tree<'a> {
    pub child: &'a [[i32; 2]],
    pub node: &'a [i32],
    pub aabb: &'a [[f64; 6]],
}

impl<'a> Tree<'a> {
    pub fn new(m: &'a Model, d: &'a Data, item: usize) -> Self {
        let (adr, num, aabb): (usize, i32, &[[f64; 6]]) = match item.checked_sub(m.nbody) {
            None => {
                let adr = m.body_bvhadr[item] as usize;
                (adr, m.body_bvhnum[item], &m.bvh_aabb[adr..])
            }
            Some(flex) => {
                let adr = m.flex_bvhadr[flex] as usize;
                (adr, m.flex_bvhnum[flex], &d.bvh_aabb_dyn[adr - m.nbvhstatic..])
            }
        };
        let range = adr..adr + num as usize;
        Self { child: &m.bvh_child[range.clone()], node: &m.bvh_nodeid[range], aabb: &aabb[..num as usize] }
    }

    pub fn is_leaf(&self, node: usize) -> bool {
        self.child[node] == [-1, -1]
    }

    /// The reference's measure of which tree to descend first (it takes centre and half extent for two corners).
    pub fn surface(&self, node: usize) -> f64 {
        let b = &self.aabb[node];
        let (x, y, z) = (b[3] - b[0], b[4] - b[1], b[5] - b[2]);
        x * y + y * z + z * x
    }
}

impl Detector<'_> {
    /// Descends the trees of a body or flex and a flex.
    pub(super) fn collide_flex_trees(&mut self, item1: usize, item2: usize) {
        let (m, d) = (self.m, self.d);
        let flex = item2 - m.nbody;
        if item1 < m.nbody && m.body_weldid[item1] == 0 {
            for g in geoms_of(m, item1).filter(|&g| m.geom_type[g] == GeomType::Plane as i32) {
                self.collide_plane_flex(g, flex);
            }
        }
        let (tree1, tree2) = (Tree::new(m, d, item1), Tree::new(m, d, item2));
        let margin1 = match item1.checked_sub(m.nbody) {
            None => m.body_margin[item1],
            Some(other) => m.flex_margin[other],
        };
        let margin = effective_margin(m, margin1 + m.flex_margin[flex]);
        let frames = (item1 < m.nbody)
            .then(|| NodeFrames::new([(d.xipos[item1], &d.ximat[item1]), ([0.0; 3], &mat3::IDENTITY)]));
        let mut nodes = std::mem::take(&mut self.scratch.nodes);
        nodes.clear();
        nodes.push((0, 0));
        while let Some((n1, n2)) = nodes.pop() {
            if !self.afford(NODE) {
                break;
            }
            let (i, j) = (n1 as usize, n2 as usize);
            if item1 == item2 && i > j {
                continue;
            }
            let (leaf1, leaf2) = (tree1.is_leaf(i), tree2.is_leaf(j));
            let (box1, box2) = (&tree1.aabb[i], &tree2.aabb[j]);
            if leaf1 && leaf2 {
                self.collide_flex_leaves(item1, flex, (tree1.node[i], tree2.node[j]), box2);
                continue;
            }
            let apart = match &frames {
                Some(frames) => !frames.overlap([box1, box2], margin),
                None => boxes_apart(box1, box2, margin),
            };
            if apart {
                continue;
            }
            let first = if leaf1 != leaf2 { leaf2 } else { tree1.surface(i) > tree2.surface(j) };
            let children = if first { tree1.child[i] } else { tree2.child[j] };
            for child in children.into_iter().filter(|&c| c >= 0) {
                nodes.push(if first { (child as u32, n2) } else { (n1, child as u32) });
            }
        }
        self.scratch.nodes = nodes;
    }

    /// A geom or element of `item1` and an element of a flex, whose box is `aabb`.
    fn collide_flex_leaves(&mut self, item1: usize, flex: usize, (id1, id2): (i32, i32), aabb: &[f64; 6]) {
        let (m, d) = (self.m, self.d);
        let (Ok(id1), Ok(e)) = (usize::try_from(id1), usize::try_from(id2)) else { return };
        if let Some(other) = item1.checked_sub(m.nbody) {
            self.collide_elements((other, id1), (flex, e));
            return;
        }
        if m.geom_type[id1] == GeomType::Plane as i32 || !self.geom_meets_flex(id1, flex) {
            return;
        }
        let margin = effective_margin(m, m.geom_margin[id1] + m.flex_margin[flex]);
        if cube_apart(d.geom_xpos[id1], m.geom_rbound[id1] + margin, aabb) {
            return;
        }
        let geom = OrientedBox::new(&m.geom_aabb[id1], d.geom_xpos[id1], &d.geom_xmat[id1]);
        if boxes_overlap(&geom, &OrientedBox::new(aabb, [0.0; 3], &mat3::IDENTITY), margin) {
            self.collide_geom_element(id1, flex, e);
        }
    }
}
