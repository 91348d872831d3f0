//! Octrees that sample the signed distance of a mesh: fine at the surface, balanced, without cracks.

use crate::hull::Effort;
use crate::mesh_distance::MeshDistance;
use ligament_math::{Vec3, vec3};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

const MAX_LEVEL: i32 = 6;
/// The root is this much larger than the mesh.
const ROOM: f64 = 1.1;

/// A cube of the tree; low corner, high corner.
#[derive(Debug, Clone, PartialEq)]
pub struct OctNode {
    /// Depth in the tree.
    pub level: i32,
    /// Numbers of the children, -1 for none.
    pub child: [i32; 8],
    /// Centre and half sizes.
    pub bounds: [f64; 6],
    /// Distance at the corners; bit k of the index is the side along axis k.
    pub coeff: [f64; 8],
    parent: i32,
    slot: usize,
    corner: [usize; 8],
}

impl OctNode {
    /// Centre and half sizes.
    pub fn aabb(&self) -> [f64; 6] {
        let b = &self.bounds;
        std::array::from_fn(|k| if k < 3 { (b[k] + b[k + 3]) / 2.0 } else { (b[k] - b[k - 3]) / 2.0 })
    }

    fn center(&self) -> Vec3 {
        std::array::from_fn(|k| (self.bounds[k] + self.bounds[k + 3]) / 2.0)
    }

    fn is_leaf(&self) -> bool {
        self.child[0] == -1
    }
}

/// The tree; node 0 is the root.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Octree {
    /// All nodes, parents first.
    pub nodes: Vec<OctNode>,
    corners: Vec<Vec3>,
    /// Corners in the middle of a coarser neighbour's edge or face: what they are interpolated from.
    hanging: Vec<Vec<usize>>,
}

/// Why distances could not be sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OctreeError {
    /// A corner in the middle of a coarser neighbour depends on one that is not known yet.
    Unbalanced,
    /// There are more large triangles than the effort allows.
    TooLong,
}

/// Corners by their exact coordinates.
type CornerMap = HashMap<[u64; 3], usize>;

impl Octree {
    /// Subdivides around the surface of a mesh with these bounds (low, high). What it takes is charged to the effort: triangles
    /// that are looked at, of which a cube has as many as its parent.
    pub fn build(
        vert: &[Vec3],
        faces: &[[i32; 3]],
        bounds: &[f64; 6],
        effort: &Effort,
    ) -> Result<Self, OctreeError> {
        let mut tree = Self::default();
        let mut map = CornerMap::new();
        let triangles: Vec<[Vec3; 3]> = faces.iter().map(|f| f.map(|v| vert[v as usize])).collect();
        let root = std::array::from_fn(|k| {
            let axis = k % 3;
            let center = (bounds[axis] + bounds[axis + 3]) / 2.0;
            let half = (bounds[axis + 3] - bounds[axis]) / 2.0;
            if k < 3 { center - ROOM * half } else { center + ROOM * half }
        });
        tree.add_node(root, 0, -1, 0, &mut map);
        let mut queue = VecDeque::from([(0, (0..triangles.len() as u32).collect::<Rc<[u32]>>())]);
        while let Some((node, candidates)) = queue.pop_front() {
            if !effort.charge(candidates.len() as u64) {
                return Err(OctreeError::TooLong);
            }
            let bounds = tree.nodes[node].bounds;
            let touches = |&t: &u32| overlaps(&triangles[t as usize], &bounds);
            let hits: Rc<[u32]> = candidates.iter().copied().filter(touches).collect();
            if hits.is_empty() || tree.nodes[node].level >= MAX_LEVEL {
                continue;
            }
            for child in tree.subdivide(node, &mut map) {
                queue.push_back((child, Rc::clone(&hits)));
            }
        }
        tree.balance(&mut map);
        tree.find_hanging();
        Ok(tree)
    }

    /// Samples the distance at the corners; the nodes of the mesh's tree that are visited are charged to the effort.
    pub fn sample(&mut self, distance: &MeshDistance<'_>, effort: &Effort) -> Result<(), OctreeError> {
        let mut values: Vec<Option<f64>> = vec![None; self.corners.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(node) = queue.pop_front() {
            for corner in self.nodes[node].corner {
                if values[corner].is_some() {
                    continue;
                }
                let sources = &self.hanging[corner];
                if sources.is_empty() {
                    let (value, visits) = distance.signed(self.corners[corner]);
                    values[corner] = Some(value);
                    if !effort.charge(visits) {
                        return Err(OctreeError::TooLong);
                    }
                    continue;
                }
                let mut sum = 0.0;
                for source in sources {
                    sum += values[*source].ok_or(OctreeError::Unbalanced)?;
                }
                values[corner] = Some(sum / sources.len() as f64);
            }
            queue.extend(self.nodes[node].child.iter().filter_map(|&c| usize::try_from(c).ok()));
        }
        for node in &mut self.nodes {
            node.coeff = node.corner.map(|corner| values[corner].unwrap_or(0.0));
        }
        Ok(())
    }

    fn add_node(
        &mut self,
        bounds: [f64; 6],
        level: i32,
        parent: i32,
        slot: usize,
        map: &mut CornerMap,
    ) -> usize {
        let corner = std::array::from_fn(|i| {
            let point: Vec3 =
                std::array::from_fn(|k| if i >> k & 1 == 1 { bounds[k + 3] } else { bounds[k] });
            // + 0.0 makes one key of the two zeros
            *map.entry(point.map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                self.corners.push(point);
                self.corners.len() - 1
            })
        });
        self.nodes.push(OctNode { level, child: [-1; 8], bounds, coeff: [0.0; 8], parent, slot, corner });
        self.nodes.len() - 1
    }

    fn subdivide(&mut self, node: usize, map: &mut CornerMap) -> [usize; 8] {
        std::array::from_fn(|slot| {
            let outer = self.nodes[node].bounds;
            let bounds = std::array::from_fn(|k| {
                let axis = k % 3;
                let high_half = slot >> axis & 1 == 1;
                if high_half == (k < 3) { (outer[axis + 3] + outer[axis]) / 2.0 } else { outer[k] }
            });
            let level = self.nodes[node].level + 1;
            let child = self.add_node(bounds, level, node as i32, slot, map);
            self.nodes[node].child[slot] = child as i32;
            child
        })
    }

    /// Leaf that touches a node in a direction: 0 and 1 are low and high x, then y, z.
    fn neighbor(&self, node: usize, direction: usize) -> Option<usize> {
        let (axis, high) = (direction / 2, direction % 2 == 1);
        let bit = 1 << axis;
        let mut at = node;
        let mut found = loop {
            let parent = usize::try_from(self.nodes[at].parent).ok()?;
            let slot = self.nodes[at].slot;
            if high != (slot & bit != 0) {
                break usize::try_from(self.nodes[parent].child[slot ^ bit]).ok()?;
            }
            at = parent;
        };
        let center = self.nodes[node].center();
        while !self.nodes[found].is_leaf() {
            let middle = self.nodes[found].center();
            let mut slot = 0;
            for k in 0..3 {
                let upper = if k == axis { !high } else { center[k] > middle[k] };
                slot |= usize::from(upper) << k;
            }
            found = usize::try_from(self.nodes[found].child[slot]).ok()?;
        }
        Some(found)
    }

    fn leaves(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&i| self.nodes[i].is_leaf()).collect()
    }

    /// Subdivides until neighbours differ by one level at most.
    fn balance(&mut self, map: &mut CornerMap) {
        loop {
            let mut coarse = Vec::new();
            for leaf in self.leaves() {
                let level = self.nodes[leaf].level;
                for other in (0..6).filter_map(|d| self.neighbor(leaf, d)) {
                    let other_level = self.nodes[other].level;
                    if other_level > level + 1 {
                        coarse.push(leaf);
                    }
                    if level > other_level + 1 {
                        coarse.push(other);
                    }
                }
            }
            if coarse.is_empty() {
                return;
            }
            for node in coarse {
                if self.nodes[node].is_leaf() {
                    self.subdivide(node, map);
                }
            }
        }
    }

    fn find_hanging(&mut self) {
        self.hanging = vec![Vec::new(); self.corners.len()];
        for leaf in self.leaves() {
            for direction in 0..6 {
                let Some(other) = self.neighbor(leaf, direction) else { continue };
                if self.nodes[other].level >= self.nodes[leaf].level {
                    continue;
                }
                let (axis, side) = (direction / 2, direction % 2);
                for i in 0..4 {
                    let index = side << axis | (i & 1) << ((axis + 1) % 3) | (i >> 1 & 1) << ((axis + 2) % 3);
                    let corner = self.nodes[leaf].corner[index];
                    if self.hanging[corner].is_empty() {
                        self.hanging[corner] = self.sources(corner, other);
                    }
                }
            }
        }
    }

    /// Corners of a coarse node around the middle of its edge or face where `corner` lies.
    fn sources(&self, corner: usize, coarse: usize) -> Vec<usize> {
        let point = self.corners[corner];
        let bounds = &self.nodes[coarse].bounds;
        let low: [bool; 3] = std::array::from_fn(|k| (point[k] - bounds[k]).abs() < 1e-9);
        let high: [bool; 3] = std::array::from_fn(|k| (point[k] - bounds[k + 3]).abs() < 1e-9);
        let on: [bool; 3] = std::array::from_fn(|k| low[k] || high[k]);
        let fixed: usize = (0..3).map(|k| usize::from(high[k]) << k).sum();
        let vertices = &self.nodes[coarse].corner;
        match on.iter().filter(|x| **x).count() {
            2 => {
                let free = on.iter().position(|x| !x).unwrap_or(0);
                [0, 1].map(|bit| vertices[fixed & !(1 << free) | bit << free]).to_vec()
            }
            1 => {
                let face = on.iter().position(|x| *x).unwrap_or(0);
                let (first, second) = ((face + 1) % 3, (face + 2) % 3);
                (0..4).map(|j| vertices[fixed & 1 << face | (j & 1) << first | (j >> 1) << second]).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Triangle against box (Schwarz & Seidel 2010, section 3).
fn overlaps(v: &[Vec3; 3], bounds: &[f64; 6]) -> bool {
    for k in 0..3 {
        if v.iter().all(|p| p[k] < bounds[k]) || v.iter().all(|p| p[k] > bounds[k + 3]) {
            return false;
        }
    }
    let low = [bounds[0], bounds[1], bounds[2]];
    let edges = [vec3::sub(v[1], v[0]), vec3::sub(v[2], v[1]), vec3::sub(v[0], v[2])];
    let normal = vec3::cross(edges[0], edges[1]);
    let size: Vec3 = std::array::from_fn(|k| bounds[k + 3] - bounds[k]);
    let critical: Vec3 = std::array::from_fn(|k| if normal[k] > 0.0 { size[k] } else { 0.0 });
    let near = vec3::sub(critical, v[0]);
    let far: Vec3 = std::array::from_fn(|k| size[k] - critical[k] - v[0][k]);
    let base = vec3::dot(normal, low);
    if (base + vec3::dot(normal, near)) * (base + vec3::dot(normal, far)) > 0.0 {
        return false;
    }
    (0..3).all(|a| {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let sign = if normal[a] >= 0.0 { 1.0 } else { -1.0 };
        (0..3).all(|i| {
            let across = [-edges[i][c] * sign, edges[i][b] * sign];
            let d = -(across[0] * v[i][b] + across[1] * v[i][c])
                + (size[b] * across[0]).max(0.0)
                + (size[c] * across[1]).max(0.0);
            across[0] * low[b] + across[1] * low[c] + d >= 0.0
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_by_one_level_and_corners_hold_distances() {
        let vert = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let bounds = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let effort = Effort::unlimited();
        let mut tree = Octree::build(&vert, &faces, &bounds, &effort).unwrap();
        let distance = MeshDistance::new(&vert, &faces).unwrap();
        tree.sample(&distance, &effort).unwrap();
        let spent = u64::MAX - effort.left();
        assert_eq!(Octree::build(&vert, &faces, &bounds, &Effort::new(1000)), Err(OctreeError::TooLong));
        assert_eq!(tree.clone().sample(&distance, &Effort::new(1000)), Err(OctreeError::TooLong));
        assert!((10_000..1_000_000).contains(&spent), "{spent}");
        for leaf in tree.leaves() {
            for other in (0..6).filter_map(|d| tree.neighbor(leaf, d)) {
                assert!((tree.nodes[leaf].level - tree.nodes[other].level).abs() <= 1);
            }
        }
        // the root's low corner is at (-0.05, -0.05, -0.05)
        assert!((tree.nodes[0].coeff[0] - 0.05 * 3.0_f64.sqrt()).abs() < 1e-12);
    }
}
