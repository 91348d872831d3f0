//! Flat sides of a mesh: triangles with (nearly) the same normal, joined into polygons.

use crate::EPS;
use ligament_math::{MINVAL, Vec3, vec3};

/// Cosine above which two faces count as parallel.
const PARALLEL: f64 = 0.999_998_72;

/// The sides of a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Polygons {
    /// Vertices of each side, around it.
    pub loops: Vec<Vec<i32>>,
    /// Sides that meet in each vertex.
    pub of_vertex: Vec<Vec<i32>>,
}

impl Polygons {
    /// Joins the faces of a mesh into sides.
    pub fn build(vert: &[Vec3], faces: &[[i32; 3]]) -> Self {
        let mut sides = SideTree::default();
        for face in faces {
            let [a, b, c] = face.map(|v| vert[v as usize]);
            let normal = face_normal(&a, &b, &c);
            match sides.find(normal) {
                Some(side) => sides.nodes[side].side.insert(*face),
                None => sides.insert(Side::new(normal, *face)),
            }
        }
        let mut loops = Vec::new();
        for node in sides.in_order() {
            loops.extend(sides.nodes[node].side.paths().into_iter().filter(|path| path.len() >= 3));
        }
        let mut of_vertex = vec![Vec::new(); vert.len()];
        for (i, path) in loops.iter().enumerate() {
            for &v in path {
                of_vertex[v as usize].push(i as i32);
            }
        }
        Self { loops, of_vertex }
    }

    /// Normals of the sides, from their first three vertices.
    pub fn normals(&self, vert: &[Vec3]) -> Vec<Vec3> {
        self.loops
            .iter()
            .map(|path| {
                face_normal(&vert[path[0] as usize], &vert[path[1] as usize], &vert[path[2] as usize])
            })
            .collect()
    }
}

/// Normal of a triangle. A degenerate one is divided by its length all the same, as in the reference.
fn face_normal(a: &Vec3, b: &Vec3, c: &Vec3) -> Vec3 {
    let mut normal = vec3::cross(vec3::sub(*b, *a), vec3::sub(*c, *a));
    let length = vec3::norm(normal);
    if length < EPS {
        normal = [1.0, 0.0, 0.0];
    }
    [normal[0] / length, normal[1] / length, normal[2] / length]
}

/// Decreasing by x, y, z; parallel normals are equal.
fn precedes(a: &Vec3, b: &Vec3) -> bool {
    if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > PARALLEL {
        return false;
    }
    (0..3).find(|&k| (a[k] - b[k]).abs() > MINVAL).is_some_and(|k| a[k] > b[k])
}

/// Boundary edges of the faces of one direction, with the connected part each belongs to.
#[derive(Debug)]
struct Side {
    normal: Vec3,
    edges: Vec<(i32, i32)>,
    islands: Vec<usize>,
    island_count: usize,
}

impl Side {
    fn new(normal: Vec3, [a, b, c]: [i32; 3]) -> Self {
        Self { normal, edges: vec![(a, b), (b, c), (c, a)], islands: vec![0; 3], island_count: 1 }
    }

    /// Adds a face: an edge that is there in the other direction vanishes, and joins islands.
    fn insert(&mut self, [a, b, c]: [i32; 3]) {
        let mut island = None;
        let mut fresh = [true; 3];
        let edges = [(a, b), (b, c), (c, a)];
        for (edge, fresh) in edges.iter().zip(&mut fresh) {
            let Some(at) = self.edges.iter().position(|e| *e == (edge.1, edge.0)) else { continue };
            let other = self.islands[at];
            island = Some(match island {
                None => other,
                Some(own) if own == other => own,
                Some(own) => self.combine(own, other),
            });
            *fresh = false;
            self.edges.remove(at);
            self.islands.remove(at);
        }
        let island = island.unwrap_or_else(|| {
            self.island_count += 1;
            self.island_count - 1
        });
        for (edge, fresh) in edges.into_iter().zip(fresh) {
            if fresh {
                self.edges.push(edge);
                self.islands.push(island);
            }
        }
    }

    /// Joins two islands and closes the gap in the numbering.
    fn combine(&mut self, a: usize, b: usize) -> usize {
        let (kept, gone) = (a.min(b), a.max(b));
        self.island_count -= 1;
        for island in &mut self.islands {
            if *island == gone {
                *island = kept;
            } else if *island > gone {
                *island -= 1;
            }
        }
        kept
    }

    /// Loops around the islands.
    fn paths(&self) -> Vec<Vec<i32>> {
        if let [a, b, c] = self.edges[..] {
            return vec![vec![a.0, b.0, c.0]];
        }
        (0..self.island_count).filter_map(|island| self.path(island)).collect()
    }

    /// Follows the edges of an island from its first one; `None` when they do not close.
    fn path(&self, island: usize) -> Option<Vec<i32>> {
        let start = self.islands.iter().position(|i| *i == island)?;
        let mut path = vec![self.edges[start].0, self.edges[start].1];
        let mut last = self.edges[start].1;
        for _ in 0..self.edges.len() {
            // the very first edge is never followed: a quirk of the reference
            let next = (1..self.edges.len()).find(|&k| self.islands[k] == island && self.edges[k].0 == last);
            let Some(k) = next else { continue };
            last = self.edges[k].1;
            if last == path[0] {
                return Some(path);
            }
            path.push(last);
        }
        None
    }
}

/// Red-black tree of sides, by direction.
///
/// "Parallel" is not transitive, so which side a face is found to belong to depends on the shape of the search
/// tree. This one is balanced as `std::set` is, to arrive at the same sides as the reference.
#[derive(Debug, Default)]
struct SideTree {
    nodes: Vec<Node>,
    root: Option<usize>,
}

#[derive(Debug)]
struct Node {
    side: Side,
    parent: Option<usize>,
    /// Left and right.
    child: [Option<usize>; 2],
    red: bool,
}

impl SideTree {
    /// Lower bound, then a check that it is not greater.
    fn find(&self, normal: Vec3) -> Option<usize> {
        let (mut at, mut bound) = (self.root, None);
        while let Some(node) = at {
            if precedes(&self.nodes[node].side.normal, &normal) {
                at = self.nodes[node].child[1];
            } else {
                bound = at;
                at = self.nodes[node].child[0];
            }
        }
        bound.filter(|&node| !precedes(&normal, &self.nodes[node].side.normal))
    }

    /// Adds a side, unless it meets a parallel one on its way down.
    fn insert(&mut self, side: Side) {
        let (mut at, mut parent, mut left) = (self.root, None, true);
        while let Some(node) = at {
            parent = at;
            left = precedes(&side.normal, &self.nodes[node].side.normal);
            if !left && !precedes(&self.nodes[node].side.normal, &side.normal) {
                return;
            }
            at = self.nodes[node].child[usize::from(!left)];
        }
        let index = self.nodes.len();
        self.nodes.push(Node { side, parent, child: [None; 2], red: true });
        match parent {
            None => self.root = Some(index),
            Some(node) => self.nodes[node].child[usize::from(!left)] = Some(index),
        }
        self.rebalance(index);
    }

    /// Cormen et al., RB-INSERT-FIXUP.
    fn rebalance(&mut self, mut at: usize) {
        while let Some(mut parent) = self.nodes[at].parent.filter(|&p| self.nodes[p].red) {
            let Some(grand) = self.nodes[parent].parent else { break };
            let side = usize::from(self.nodes[grand].child[1] == Some(parent));
            match self.nodes[grand].child[1 - side] {
                Some(uncle) if self.nodes[uncle].red => {
                    self.nodes[parent].red = false;
                    self.nodes[uncle].red = false;
                    self.nodes[grand].red = true;
                    at = grand;
                }
                _ => {
                    if self.nodes[parent].child[1 - side] == Some(at) {
                        self.rotate(parent, side);
                        parent = at;
                    }
                    self.nodes[parent].red = false;
                    self.nodes[grand].red = true;
                    self.rotate(grand, 1 - side);
                    break;
                }
            }
        }
        if let Some(root) = self.root {
            self.nodes[root].red = false;
        }
    }

    /// Turns a node down to the given side; its other child takes its place.
    fn rotate(&mut self, node: usize, side: usize) {
        let Some(up) = self.nodes[node].child[1 - side] else { return };
        let inner = self.nodes[up].child[side];
        self.nodes[node].child[1 - side] = inner;
        if let Some(inner) = inner {
            self.nodes[inner].parent = Some(node);
        }
        let parent = self.nodes[node].parent;
        self.nodes[up].parent = parent;
        match parent {
            None => self.root = Some(up),
            Some(p) => {
                let place = usize::from(self.nodes[p].child[1] == Some(node));
                self.nodes[p].child[place] = Some(up);
            }
        }
        self.nodes[up].child[side] = Some(node);
        self.nodes[node].parent = Some(up);
    }

    fn in_order(&self) -> Vec<usize> {
        let (mut order, mut stack, mut at) = (Vec::with_capacity(self.nodes.len()), Vec::new(), self.root);
        loop {
            while let Some(node) = at {
                stack.push(node);
                at = self.nodes[node].child[0];
            }
            let Some(node) = stack.pop() else { return order };
            order.push(node);
            at = self.nodes[node].child[1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangulated_cube_has_six_quadrilaterals() {
        let vert: Vec<Vec3> = (0..8).map(|i| std::array::from_fn(|k| f64::from(i >> k & 1))).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces: Vec<[i32; 3]> =
            quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        let polygons = Polygons::build(&vert, &faces);
        assert_eq!(polygons.loops.len(), 6);
        assert!(polygons.loops.iter().all(|path| path.len() == 4));
        assert!(polygons.of_vertex.iter().all(|sides| sides.len() == 3));
        // normals come in decreasing order
        assert_eq!(polygons.normals(&vert)[0], [1.0, 0.0, 0.0]);
        assert_eq!(polygons.normals(&vert)[5], [-1.0, 0.0, 0.0]);
    }
}
