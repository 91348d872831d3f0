//! Binary trees of axis-aligned boxes over the geoms of a body, the faces of a mesh, the elements of a flex.

use crate::EPS;
use crate::select::{Scratch, select};
use ligament_math::{Quat, Vec3, quat, vec3};

/// Something with a box: centre and half sizes in its own frame.
#[derive(Debug, Clone, Copy)]
pub struct Leaf {
    /// Number of what is in the leaf.
    pub id: i32,
    /// Where it stands when the tree is split.
    pub pos: Vec3,
    /// Orientation of the box; `None` when the box is already in the frame of the tree.
    pub quat: Option<Quat>,
    /// Centre and half sizes.
    pub aabb: [f64; 6],
}

/// The tree, node by node in depth-first order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bvh {
    /// Centre and half sizes.
    pub aabb: Vec<[f64; 6]>,
    /// Children, -1 for none.
    pub child: Vec<[i32; 2]>,
    /// Depth of each node.
    pub depth: Vec<i32>,
    /// Id of a leaf, -1 for inner nodes.
    pub nodeid: Vec<i32>,
}

impl Bvh {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.depth.len()
    }

    /// Is there no node?
    pub fn is_empty(&self) -> bool {
        self.depth.is_empty()
    }

    /// Builds the tree in the frame (`pos`, `quat`). Elements that cannot collide are left out by the caller.
    pub fn build(leaves: impl IntoIterator<Item = Leaf>, pos: Vec3, quat: Quat) -> Self {
        let inverse = quat::conj(quat);
        let enclose = |(order, leaf): (usize, Leaf)| {
            let position = quat::rotate(inverse, vec3::sub(leaf.pos, pos));
            let bounds = leaf_bounds(&leaf, pos, inverse);
            (Element { order: order as u32, position }, Extent { id: leaf.id, bounds })
        };
        let (mut elements, boxes): (Vec<Element>, Vec<Extent>) =
            leaves.into_iter().enumerate().map(enclose).unzip();
        let nodes = (2 * elements.len()).saturating_sub(1);
        let mut tree = Self {
            aabb: Vec::with_capacity(nodes),
            child: Vec::with_capacity(nodes),
            depth: Vec::with_capacity(nodes),
            nodeid: Vec::with_capacity(nodes),
        };
        if !elements.is_empty() {
            tree.split(&mut elements, &boxes, 0, &mut Scratch::default());
        }
        tree
    }

    /// Adds the node of these elements and everything below it. The recursion halves the elements each time.
    fn split(
        &mut self,
        elements: &mut [Element],
        boxes: &[Extent],
        depth: i32,
        scratch: &mut Scratch,
    ) -> i32 {
        let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
        for e in elements.iter() {
            let bounds = &boxes[e.order as usize].bounds;
            for k in 0..3 {
                // not a number is left out
                low[k] = if bounds.0[k] < low[k] { bounds.0[k] } else { low[k] };
                high[k] = if bounds.1[k] > high[k] { bounds.1[k] } else { high[k] };
            }
        }
        for k in 0..3 {
            if (low[k] - high[k]).abs() < EPS {
                low[k] -= EPS;
                high[k] += EPS;
            }
        }
        let index = self.depth.len();
        self.depth.push(depth);
        self.child.push([-1; 2]);
        self.aabb.push(std::array::from_fn(|k| {
            if k < 3 { (high[k] + low[k]) / 2.0 } else { (high[k - 3] - low[k - 3]) / 2.0 }
        }));
        if let [single] = elements {
            self.nodeid.push(boxes[single.order as usize].id);
            return index as i32;
        }
        self.nodeid.push(-1);

        let axis = longest_axis(low, high);
        let middle = elements.len() / 2;
        select(elements, middle, |a, b| before(a, b, axis), scratch);
        let (left, right) = elements.split_at_mut(middle);
        self.child[index][0] = self.split(left, boxes, depth + 1, scratch);
        self.child[index][1] = self.split(right, boxes, depth + 1, scratch);
        index as i32
    }
}

/// What is moved around: as little as possible.
struct Element {
    /// Place in the input.
    order: u32,
    position: Vec3,
}

/// What an element encloses, lowest and highest coordinates, by its place in the input.
struct Extent {
    id: i32,
    bounds: (Vec3, Vec3),
}

/// By position along the axis; those too close to tell apart (or not a number) by their order in the input.
fn before(a: &Element, b: &Element, axis: usize) -> bool {
    let (x, y) = (a.position[axis], b.position[axis]);
    // both are looked at, since which of them decides cannot be guessed
    let apart = (x - y).abs() > EPS;
    (apart & (x < y)) | (!apart & (a.order < b.order))
}

/// Longest edge, by a margin, so that ties go to the first axis.
fn longest_axis(low: Vec3, high: Vec3) -> usize {
    let edge = vec3::sub(high, low);
    let mut axis = 0;
    if edge[1] >= edge[0] + EPS {
        axis = 1;
    }
    if edge[2] >= edge[axis] + EPS {
        axis = 2;
    }
    axis
}

/// Bounds of a leaf's box in the frame of the tree.
fn leaf_bounds(leaf: &Leaf, pos: Vec3, inverse: Quat) -> (Vec3, Vec3) {
    let center = [leaf.aabb[0], leaf.aabb[1], leaf.aabb[2]];
    let half = [leaf.aabb[3], leaf.aabb[4], leaf.aabb[5]];
    let (min, max) = (vec3::sub(center, half), vec3::add(center, half));
    let Some(orientation) = leaf.quat else { return (min, max) };
    let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
    for corner in 0..8 {
        let point = std::array::from_fn(|k| if corner >> k & 1 == 1 { max[k] } else { min[k] });
        let turned = quat::rotate(orientation, point);
        let offset = vec3::add(turned, vec3::sub(leaf.pos, pos));
        let local = quat::rotate(inverse, offset);
        for k in 0..3 {
            low[k] = low[k].min(local[k]);
            high[k] = high[k].max(local[k]);
        }
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leaf_lies_in_its_ancestors() {
        let leaves: Vec<Leaf> = (0..37)
            .map(|i| {
                let x = f64::from(i * 7 % 37);
                let aabb = [x, x * 0.5, -x, 0.3, 0.2, 0.1];
                Leaf { id: i, pos: [x, x * 0.5, -x], quat: None, aabb }
            })
            .collect();
        let tree = Bvh::build(leaves, [0.0; 3], quat::IDENTITY);
        assert_eq!(tree.len(), 73);
        for node in 0..tree.len() {
            for child in tree.child[node] {
                let Ok(child) = usize::try_from(child) else { continue };
                for k in 0..3 {
                    let (outer, inner) = (tree.aabb[node], tree.aabb[child]);
                    assert!(inner[k] + inner[k + 3] <= outer[k] + outer[k + 3] + 1e-12);
                    assert!(inner[k] - inner[k + 3] >= outer[k] - outer[k + 3] - 1e-12);
                }
            }
        }
        let mut ids: Vec<i32> = tree.nodeid.iter().copied().filter(|id| *id >= 0).collect();
        ids.sort_unstable();
        assert_eq!(ids, (0..37).collect::<Vec<_>>());
    }
}
