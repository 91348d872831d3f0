//! Mid phase: pairs of geoms of two bodies, by descending both bounding-volume trees.

use super::mix::effective_margin;
use super::{Detector, INFINITE, NODE, Tested, filter, geoms_of};
use crate::workspace::KnownTrees;
use ligament_math::{MINVAL, Mat3, Vec3, mat3, quat, vec3};
use ligament_model::enums::GeomType;
use ligament_model::{Data, Model};

/// Up to this many pairs of geoms are compared directly.
const FEW_PAIRS: usize = 32;

/// Overlap up to which rounding may separate boxes.
const JUST_TOUCHING: f64 = 1e-10;

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

/// A box along a direction: half its width and its centre.
type Shadow = (f64, f64);

/// Least overlap of two boxes over the six face normals (Gottschalk, Lin, Manocha 1996, without the edge axes), `None`
/// when one separates them; the faces of a box are skipped when the other one is infinite. `shadows` gives the
/// shadows of both boxes along face `k` of box `j`.
fn least_overlap(
    half: [[f64; 3]; 2],
    margin: f64,
    shadows: impl Fn(usize, usize) -> [Shadow; 2],
) -> Option<f64> {
    let infinite = half.map(|half| half.map(|h| h >= INFINITE));
    if infinite.contains(&[true; 3]) {
        return Some(f64::INFINITY);
    }
    let mut least = f64::INFINITY;
    for j in 0..2 {
        if infinite[1 - j].contains(&true) {
            continue;
        }
        for k in 0..3 {
            let [(reach1, center1), (reach2, center2)] = shadows(j, k);
            let (reach, gap) = (reach1 + reach2 + margin, (center2 - center1).abs());
            if reach < gap {
                return None;
            }
            least = least.min(reach - gap);
        }
    }
    Some(least)
}

/// Half the width of a box whose axes have these components along a direction.
#[inline]
fn reach(half: Vec3, along: Vec3) -> f64 {
    (half[0] * along[0]).abs() + (half[1] * along[1]).abs() + (half[2] * along[2]).abs()
}

/// Overlap of two boxes, see [`least_overlap`]. Centres are projected one by one, as in the reference: this decides
/// whether boxes that touch exactly count.
fn box_overlap(a: &OrientedBox, b: &OrientedBox, margin: f64) -> Option<f64> {
    let boxes = [a, b];
    least_overlap([a.half, b.half], margin, |j, k| {
        let normal = mat3::col(&boxes[j].mat, k);
        boxes.map(|x| (reach(x.half, mat3::mul_vec_t(&x.mat, normal)), vec3::dot(x.center, normal)))
    })
}

/// Can two boxes touch?
pub(super) fn boxes_overlap(a: &OrientedBox, b: &OrientedBox, margin: f64) -> bool {
    box_overlap(a, b, margin).is_some()
}

/// Frames of two trees, for tests of their nodes. Node centres are projected with these products instead of being
/// turned into the world, so that touching nodes count as in the reference.
pub(super) struct NodeFrames {
    /// Components of the axes of frame `i` along axis `k` of frame `j`: `[i][j][k]`.
    axes: [[[Vec3; 3]; 2]; 2],
    /// Origin of frame `i` along axis `k` of frame `j`.
    origin: [[Vec3; 2]; 2],
}

impl NodeFrames {
    pub fn new(poses: [(Vec3, &Mat3); 2]) -> Self {
        let per_axis = |i: usize, j: usize| -> [Vec3; 3] {
            std::array::from_fn(|k| mat3::mul_vec_t(poses[i].1, mat3::col(poses[j].1, k)))
        };
        let origin = |i: usize, j: usize| mat3::mul_vec_t(poses[j].1, poses[i].0);
        Self {
            axes: std::array::from_fn(|i| std::array::from_fn(|j| per_axis(i, j))),
            origin: std::array::from_fn(|i| std::array::from_fn(|j| origin(i, j))),
        }
    }

    /// Can two nodes touch?
    pub fn overlap(&self, aabb: [&[f64; 6]; 2], margin: f64) -> bool {
        let half = aabb.map(|b| [b[3], b[4], b[5]]);
        least_overlap(half, margin, |j, k| {
            std::array::from_fn(|i| {
                let (along, b) = (self.axes[i][j][k], aabb[i]);
                let center = b[0] * along[0] + b[1] * along[1] + b[2] * along[2] + self.origin[i][j][k];
                (reach(half[i], along), center)
            })
        })
        .is_some()
    }
}

/// Boxes farther apart than this share of the bounding radii, beyond the margin, are apart whatever the rounding.
pub const CLEARANCE: f64 = 1e-6;

/// Do the boxes around two geoms prove, by one of their face normals, that the geoms do not touch? Much cheaper than to
/// ask [`box_overlap`] or the general convex algorithm, which say the same.
pub(super) fn clearly_apart(m: &Model, d: &Data, g1: usize, g2: usize, margin: f64) -> bool {
    let (mat1, mat2) = (&d.geom_xmat[g1], &d.geom_xmat[g2]);
    let ((local1, half1), (local2, half2)) = (local_box(m, g1), local_box(m, g2));
    let center = |g: usize, local: Vec3| vec3::add(mat3::mul_vec(&d.geom_xmat[g], local), d.geom_xpos[g]);
    let offset = vec3::sub(center(g2, local2), center(g1, local1));
    let beyond = margin + CLEARANCE * (m.geom_rbound[g1] + m.geom_rbound[g2]);
    let turn = mat3::t_mul(mat1, mat2).map(f64::abs);
    let (offset1, offset2) = (mat3::mul_vec_t(mat1, offset), mat3::mul_vec_t(mat2, offset));
    let (reach2, reach1) = (mat3::mul_vec(&turn, half2), mat3::mul_vec_t(&turn, half1));
    (0..3).any(|k| {
        (offset1[k].abs() > half1[k] + reach2[k] + beyond)
            | (offset2[k].abs() > half2[k] + reach1[k] + beyond)
    })
}

/// Does a ball around one of two capsules or spheres prove that it does not touch the other? Most limbs are capsules, and most that
/// are near each other are found to be apart with far fewer operations than by [`clearly_apart`].
#[inline]
fn rods_apart(m: &Model, d: &Data, geoms: [usize; 2], margin: f64) -> bool {
    let rod = |g: usize| match GeomType::try_from(m.geom_type[g]) {
        Ok(GeomType::Sphere) => Some([m.geom_size[g][0], 0.0]),
        Ok(GeomType::Capsule) => Some([m.geom_size[g][0], m.geom_size[g][1]]),
        _ => None,
    };
    let [Some([radius1, half1]), Some([radius2, half2])] = geoms.map(rod) else { return false };
    let [pos1, pos2] = geoms.map(|g| d.geom_xpos[g]);
    let offset = vec3::sub(pos2, pos1);
    let touch = radius1 + radius2 + margin;
    let beside = |g: usize, half: f64, other_half: f64| {
        let axis = mat3::col(&d.geom_xmat[g], 2);
        let along = vec3::dot(offset, axis).max(-half).min(half);
        let nearest = vec3::add_scaled(offset, axis, -along);
        let reach = (touch + other_half) * (1.0 + CLEARANCE);
        reach > 0.0 && vec3::dot(nearest, nearest) > reach * reach
    };
    beside(geoms[0], half1, half2) || beside(geoms[1], half2, half1)
}

/// Centre and half-extents of a box around a geom, in its frame. From the size where that is the shape: users change
/// sizes of compiled models, but hardly their boxes.
pub fn local_box(m: &Model, g: usize) -> (Vec3, Vec3) {
    let size @ [radius, length, _] = m.geom_size[g];
    let half = match GeomType::try_from(m.geom_type[g]) {
        Ok(GeomType::Sphere) => [radius; 3],
        Ok(GeomType::Capsule) => [radius, radius, radius + length],
        Ok(GeomType::Cylinder) => [radius, radius, length],
        Ok(GeomType::Ellipsoid | GeomType::Box) => size,
        _ => {
            let [x, y, z, a, b, c] = m.geom_aabb[g];
            return ([x, y, z], [a, b, c]);
        }
    };
    ([0.0; 3], half)
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

impl KnownTrees {
    /// Finds the bodies whose trees no longer hold their geoms, if something has changed.
    pub fn look_at(&mut self, m: &Model) {
        let known = same(self.geom_pos.as_flattened(), m.geom_pos.as_flattened())
            && same(self.geom_quat.as_flattened(), m.geom_quat.as_flattened())
            && same(&self.geom_margin, &m.geom_margin)
            && same(self.body_ipos.as_flattened(), m.body_ipos.as_flattened())
            && same(self.body_iquat.as_flattened(), m.body_iquat.as_flattened())
            && same(&self.body_margin, &m.body_margin);
        if !known {
            self.look_again(m);
        }
    }

    #[cold]
    fn look_again(&mut self, m: &Model) {
        m.geom_pos[..].clone_into(&mut self.geom_pos);
        m.geom_quat[..].clone_into(&mut self.geom_quat);
        m.geom_margin[..].clone_into(&mut self.geom_margin);
        m.body_ipos[..].clone_into(&mut self.body_ipos);
        m.body_iquat[..].clone_into(&mut self.body_iquat);
        m.body_margin[..].clone_into(&mut self.body_margin);
        self.outgrown.clear();
        self.outgrown.extend((0..m.nbody).map(|body| !holds_its_geoms(m, body)));
    }
}

/// Have two lists the same bits? Without a branch for each number.
fn same(a: &[f64], b: &[f64]) -> bool {
    let differences = a.iter().zip(b).fold(0, |all, (a, b)| all | (a.to_bits() ^ b.to_bits()));
    a.len() == b.len() && differences == 0
}

/// Are the leaves of a body's tree around its geoms? One geom needs no tree.
fn holds_its_geoms(m: &Model, body: usize) -> bool {
    if m.body_geomnum[body] < 2 || m.body_bvhadr[body] < 0 {
        return true;
    }
    let tree = Tree::new(m, body);
    let leaves = (0..tree.node.len()).filter(|&node| tree.is_leaf(node));
    leaves.into_iter().all(|node| {
        let Some(geom) = usize::try_from(tree.node[node]).ok().filter(|&g| g < m.ngeom) else { return true };
        m.geom_margin[geom] <= m.body_margin[body] && is_around(&tree.aabb[node], m, body, geom)
    })
}

/// Is a box in the inertial frame of a body around the box of a geom, but for rounding?
fn is_around(outer: &[f64; 6], m: &Model, body: usize, geom: usize) -> bool {
    let back = quat::conj(m.body_iquat[body]);
    let turn = quat::to_mat(quat::mul(back, m.geom_quat[geom]));
    let offset = quat::rotate(back, vec3::sub(m.geom_pos[geom], m.body_ipos[body]));
    let [x, y, z, a, b, c] = m.geom_aabb[geom];
    let center = vec3::add(mat3::mul_vec(&turn, [x, y, z]), offset);
    let half = mat3::mul_vec(&turn.map(f64::abs), [a, b, c]);
    (0..3).all(|k| {
        let slack = CLEARANCE * half[k] + MINVAL;
        half[k] >= INFINITE || (center[k] - outer[k]).abs() + half[k] <= outer[3 + k] + slack
    })
}

impl Detector<'_> {
    /// Collides the geoms of two bodies whose boxes overlap.
    pub(super) fn collide_trees(&mut self, body1: usize, body2: usize, tested: Tested) {
        let m = self.m;
        let npair = m.body_geomnum[body1] as usize * m.body_geomnum[body2] as usize;
        // what a tree does not hold is not found, wherever it is
        if npair > FEW_PAIRS || npair > 1 && [body1, body2].into_iter().any(|body| self.has_outgrown(body)) {
            self.descend(body1, body2, |detector, g1, g2| detector.collide_leaves(g1, g2, tested));
            return;
        }
        for g1 in geoms_of(m, body1) {
            for g2 in geoms_of(m, body2) {
                let Some(overlap) = self.leaf_overlap(g1, g2) else { continue };
                // boxes that only just touch may have been separated further up by rounding
                if overlap > JUST_TOUCHING || npair == 1 || self.reached(body1, body2, g1, g2) {
                    self.collide_geom_pair(g1, g2, tested);
                }
            }
        }
    }

    /// Does the tree of a body no longer hold its geoms?
    fn has_outgrown(&mut self, body: usize) -> bool {
        if !self.knows_trees {
            self.scratch.trees.look_at(self.m);
            self.knows_trees = true;
        }
        self.scratch.trees.outgrown[body]
    }

    /// Visits the pairs of leaves whose ancestors overlap.
    fn descend(&mut self, body1: usize, body2: usize, mut visit: impl FnMut(&mut Self, usize, usize)) {
        let m = self.m;
        let (tree1, tree2) = (Tree::new(m, body1), Tree::new(m, body2));
        let margin = effective_margin(m, m.body_margin[body1] + m.body_margin[body2]);
        let pose = |body: usize| (self.d.xipos[body], &self.d.ximat[body]);
        let frames = NodeFrames::new([pose(body1), pose(body2)]);
        let mut nodes = std::mem::take(&mut self.scratch.nodes);
        nodes.clear();
        nodes.push((0, 0));
        while let Some((n1, n2)) = nodes.pop() {
            if !self.afford(NODE) {
                break;
            }
            let (i, j) = (n1 as usize, n2 as usize);
            let (leaf1, leaf2) = (tree1.is_leaf(i), tree2.is_leaf(j));
            if leaf1 && leaf2 {
                if let (Ok(g1), Ok(g2)) = (usize::try_from(tree1.node[i]), usize::try_from(tree2.node[j])) {
                    visit(self, g1, g2);
                }
                continue;
            }
            if !frames.overlap([&tree1.aabb[i], &tree2.aabb[j]], margin) {
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

    /// Do the ancestors of two leaves overlap?
    fn reached(&mut self, body1: usize, body2: usize, g1: usize, g2: usize) -> bool {
        let mut found = false;
        self.descend(body1, body2, |_, a, b| found |= (a, b) == (g1, g2));
        found
    }

    /// Two geoms, after comparing their spheres and boxes.
    fn collide_leaves(&mut self, g1: usize, g2: usize, tested: Tested) {
        if self.leaf_overlap(g1, g2).is_some() {
            self.collide_geom_pair(g1, g2, tested);
        }
    }

    /// Overlap of the boxes of two geoms; `None` when they cannot touch.
    fn leaf_overlap(&self, g1: usize, g2: usize) -> Option<f64> {
        let (m, d) = (self.m, self.d);
        if !filter::masks_match(
            m.geom_contype[g1],
            m.geom_conaffinity[g1],
            m.geom_contype[g2],
            m.geom_conaffinity[g2],
        ) {
            return None;
        }
        let margin = effective_margin(m, m.geom_margin[g1] + m.geom_margin[g2]);
        if filter::spheres_apart(m, d, g1, g2, margin)
            || rods_apart(m, d, [g1, g2], margin)
            || clearly_apart(m, d, g1, g2, margin)
        {
            return None;
        }
        let box1 = OrientedBox::new(&m.geom_aabb[g1], d.geom_xpos[g1], &d.geom_xmat[g1]);
        let box2 = OrientedBox::new(&m.geom_aabb[g2], d.geom_xpos[g2], &d.geom_xmat[g2]);
        box_overlap(&box1, &box2, margin)
    }
}
