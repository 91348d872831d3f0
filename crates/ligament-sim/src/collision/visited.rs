//! Which bounding volumes the reference visits when it looks for contacts. They are only drawn, so they are found when a
//! picture shows them, and steps do without.

use super::broad::AboveGround;
use super::flex::{Tree, boxes_apart, cube_apart};
use super::mid::{NodeFrames, OrientedBox, boxes_overlap};
use super::mix::effective_margin;
use super::{Capacity, Detector, NODE, bounds, filter, signature};
use crate::workspace::Collision;
use ligament_math::mat3;
use ligament_model::enums::{DisableBit, FlexSelf};
use ligament_model::{Data, Model};

/// Fills `bvh_active` for the present positions, if the model wants visited volumes to be marked. Volumes of meshes, which
/// only rays visit, are left alone.
pub fn mark_visited_volumes(m: &Model, d: &mut Data) {
    if m.vis.global.bvactive == 0 {
        return;
    }
    let mut visitor = Visitor { m, d, marks: vec![0; m.nbvh], effort: d.effort };
    visitor.visit_all();
    let Visitor { marks, .. } = visitor;
    let of_meshes = m.mesh_bvhadr.iter().filter_map(|&first| usize::try_from(first).ok());
    let meshes = of_meshes.min().unwrap_or(m.nbvhstatic);
    d.bvh_active[..meshes].copy_from_slice(&marks[..meshes]);
    d.bvh_active[m.nbvhstatic..].copy_from_slice(&marks[m.nbvhstatic..]);
}

struct Visitor<'a> {
    m: &'a Model,
    d: &'a Data,
    marks: Vec<u8>,
    effort: u64,
}

impl Visitor<'_> {
    fn visit_all(&mut self) {
        let (m, d) = (self.m, self.d);
        let off = [DisableBit::Constraint, DisableBit::Contact, DisableBit::Midphase]
            .iter()
            .any(|&bit| m.opt.disabled(bit));
        if off || m.nbody + m.nflex < 2 {
            return;
        }
        let (mut scratch, mut contacts) = (Collision::default(), Vec::new());
        let capacity = Capacity::of(d);
        let (contacts, effort, knows_trees) = (&mut contacts, self.effort, false);
        Detector { m, d, scratch: &mut scratch, knows_trees, contacts, capacity, effort }
            .broad_phase(AboveGround::Paired);
        for &pair in &scratch.pairs {
            let key = bounds::unpack(pair);
            let (item1, item2) = (key.0 as usize, key.1 as usize);
            let excluded = m.exclude_signature.iter().any(|&pair| signature(pair) == key);
            let lonely = |item: usize| item < m.nbody && m.body_geomnum[item] == 1;
            if !excluded && filter::items_can_collide(m, item1, item2) && !(lonely(item1) && lonely(item2)) {
                self.descend(item1, item2);
            }
        }
        for flex in (0..m.nflex).filter(|&flex| descends_itself(m, flex)) {
            self.descend(m.nbody + flex, m.nbody + flex);
        }
    }

    /// The first volume of a body or flex; `None` when it has none.
    fn root(&self, item: usize) -> Option<usize> {
        let adr = match item.checked_sub(self.m.nbody) {
            None => self.m.body_bvhadr[item],
            Some(flex) => self.m.flex_bvhadr[flex],
        };
        usize::try_from(adr).ok()
    }

    fn margin(&self, item1: usize, item2: usize) -> f64 {
        let m = self.m;
        let of = |item: usize| match item.checked_sub(m.nbody) {
            None => m.body_margin[item],
            Some(flex) => m.flex_margin[flex],
        };
        effective_margin(m, of(item1) + of(item2))
    }

    /// Goes down two trees (one, for a flex with itself) as long as their boxes overlap.
    fn descend(&mut self, item1: usize, item2: usize) {
        let (m, d) = (self.m, self.d);
        let (Some(root1), Some(root2)) = (self.root(item1), self.root(item2)) else { return };
        let (tree1, tree2) = (Tree::new(m, d, item1), Tree::new(m, d, item2));
        let margin = self.margin(item1, item2);
        let pose = |item: usize| match item < m.nbody {
            true => (d.xipos[item], &d.ximat[item]),
            false => ([0.0; 3], &mat3::IDENTITY),
        };
        let frames = (item1 < m.nbody).then(|| NodeFrames::new([pose(item1), pose(item2)]));
        let mut nodes = vec![(0, 0)];
        while let Some((i, j)) = nodes.pop() {
            self.effort = self.effort.saturating_sub(NODE);
            if self.effort == 0 {
                return;
            }
            if item1 == item2 && i > j {
                continue;
            }
            let (leaf1, leaf2) = (tree1.is_leaf(i), tree2.is_leaf(j));
            let boxes = [&tree1.aabb[i], &tree2.aabb[j]];
            let meet = match &frames {
                _ if leaf1 && leaf2 => {
                    self.leaves_meet([item1, item2], [tree1.node[i], tree2.node[j]], boxes[1])
                }
                Some(frames) => frames.overlap(boxes, margin),
                None => !boxes_apart(boxes[0], boxes[1], margin),
            };
            if !meet {
                continue;
            }
            self.marks[root1 + i] = 1;
            self.marks[root2 + j] = 1;
            if leaf1 && leaf2 {
                continue;
            }
            let first = if leaf1 != leaf2 { leaf2 } else { tree1.surface(i) > tree2.surface(j) };
            let children = if first { tree1.child[i] } else { tree2.child[j] };
            for child in children.into_iter().filter_map(|child| usize::try_from(child).ok()) {
                nodes.push(if first { (child, j) } else { (i, child) });
            }
        }
    }

    /// Are two geoms, or a geom and an element in a box, so near that they are tested? Elements always are.
    fn leaves_meet(&self, items: [usize; 2], ids: [i32; 2], element: &[f64; 6]) -> bool {
        let (m, d) = (self.m, self.d);
        let ([Ok(g1), Ok(g2)], [true, second_is_body]) =
            (ids.map(usize::try_from), items.map(|item| item < m.nbody))
        else {
            return true;
        };
        let boxed = |g: usize| OrientedBox::new(&m.geom_aabb[g], d.geom_xpos[g], &d.geom_xmat[g]);
        if second_is_body {
            let margin = effective_margin(m, m.geom_margin[g1] + m.geom_margin[g2]);
            return !filter::spheres_apart(m, d, g1, g2, margin)
                && boxes_overlap(&boxed(g1), &boxed(g2), margin);
        }
        let flex = items[1] - m.nbody;
        let margin = effective_margin(m, m.geom_margin[g1] + m.flex_margin[flex]);
        let masks =
            [(m.geom_contype[g1], m.geom_conaffinity[g1]), (m.flex_contype[flex], m.flex_conaffinity[flex])];
        filter::masks_match(masks[0].0, masks[0].1, masks[1].0, masks[1].1)
            && !cube_apart(d.geom_xpos[g1], m.geom_rbound[g1] + margin, element)
            && boxes_overlap(&boxed(g1), &OrientedBox::new(element, [0.0; 3], &mat3::IDENTITY), margin)
    }
}

/// Does a flex look for contacts with itself by its tree?
fn descends_itself(m: &Model, flex: usize) -> bool {
    let collides = m.flex_rigid[flex] == 0 && m.flex_contype[flex] & m.flex_conaffinity[flex] != 0;
    collides
        && match FlexSelf::try_from(m.flex_selfcollide[flex]) {
            Ok(FlexSelf::Bvh) => true,
            Ok(FlexSelf::Auto) => m.flex_dim[flex] == 3,
            _ => false,
        }
}
