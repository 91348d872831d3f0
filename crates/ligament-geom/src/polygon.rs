//! Flat sides of a mesh: triangles with (nearly) the same normal, joined into polygons.

use crate::EPS;
use ligament_math::{MINVAL, Vec3, vec3};
use std::collections::BTreeSet;

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

/// A directed edge of two vertices.
type Edge = (i32, i32);

/// Sides with more edges than this have them indexed.
const SEARCHED: usize = 64;

/// Boundary edges of the faces of one direction, with the connected part each belongs to.
#[derive(Debug)]
struct Side {
    normal: Vec3,
    /// In the order in which they came; `None` where one has vanished.
    edges: Vec<Option<Edge>>,
    /// Island in which each edge began.
    islands: Vec<usize>,
    /// For each island the one it was joined to, a lower number, or itself.
    joined: Vec<usize>,
    /// Edges with their places, once there were many.
    index: Option<BTreeSet<(Edge, usize)>>,
}

impl Side {
    fn new(normal: Vec3, [a, b, c]: [i32; 3]) -> Self {
        let edges = vec![Some((a, b)), Some((b, c)), Some((c, a))];
        Self { normal, edges, islands: vec![0; 3], joined: vec![0], index: None }
    }

    /// Adds a face: an edge that is there in the other direction vanishes, and joins islands.
    fn insert(&mut self, [a, b, c]: [i32; 3]) {
        let mut island = None;
        let mut fresh = [true; 3];
        let edges = [(a, b), (b, c), (c, a)];
        for (edge, fresh) in edges.iter().zip(&mut fresh) {
            let Some(at) = self.find((edge.1, edge.0)) else { continue };
            let other = self.island(self.islands[at]);
            island = Some(island.map_or(other, |own| self.combine(own, other)));
            *fresh = false;
            self.edges[at] = None;
            if let Some(index) = &mut self.index {
                index.remove(&((edge.1, edge.0), at));
            }
        }
        let island = island.unwrap_or_else(|| {
            self.joined.push(self.joined.len());
            self.joined.len() - 1
        });
        for (edge, _) in edges.into_iter().zip(fresh).filter(|(_, fresh)| *fresh) {
            self.edges.push(Some(edge));
            self.islands.push(island);
            if let Some(index) = &mut self.index {
                index.insert((edge, self.edges.len() - 1));
            }
        }
    }

    /// The first place of an edge.
    fn find(&mut self, edge: Edge) -> Option<usize> {
        if self.edges.len() <= SEARCHED {
            return self.edges.iter().position(|e| *e == Some(edge));
        }
        let present = self.edges.iter().enumerate();
        let index =
            self.index.get_or_insert_with(|| present.filter_map(|(at, e)| e.map(|e| (e, at))).collect());
        index.range((edge, 0)..=(edge, usize::MAX)).next().map(|&(_, at)| at)
    }

    /// The island that an island belongs to now.
    fn island(&mut self, mut island: usize) -> usize {
        while self.joined[island] != island {
            self.joined[island] = self.joined[self.joined[island]];
            island = self.joined[island];
        }
        island
    }

    /// Joins two islands: the later one becomes part of the earlier one.
    fn combine(&mut self, a: usize, b: usize) -> usize {
        let (kept, gone) = (a.min(b), a.max(b));
        self.joined[gone] = kept;
        kept
    }

    /// Loops around the islands, the earliest first.
    fn paths(&mut self) -> Vec<Vec<i32>> {
        let mut edges = Vec::new();
        for at in 0..self.edges.len() {
            if let Some(edge) = self.edges[at] {
                edges.push((self.island(self.islands[at]), edge));
            }
        }
        if let [a, b, c] = edges[..] {
            return vec![vec![a.1.0, b.1.0, c.1.0]];
        }
        Outline::new(&edges).paths()
    }
}

/// The remaining edges of a side: their islands and themselves, in the order in which they came.
struct Outline<'a> {
    edges: &'a [(usize, Edge)],
    /// Island, first vertex and place of every edge but the very first, sorted.
    onwards: Vec<(usize, i32, usize)>,
}

impl<'a> Outline<'a> {
    fn new(edges: &'a [(usize, Edge)]) -> Self {
        // the very first edge is never followed: a quirk of the reference
        let mut onwards: Vec<_> =
            edges.iter().enumerate().skip(1).map(|(at, &(island, edge))| (island, edge.0, at)).collect();
        onwards.sort_unstable();
        Self { edges, onwards }
    }

    fn paths(&self) -> Vec<Vec<i32>> {
        let mut starts: Vec<_> =
            self.edges.iter().enumerate().map(|(at, &(island, _))| (island, at)).collect();
        starts.sort_unstable();
        starts.chunk_by(|a, b| a.0 == b.0).filter_map(|edges| self.path(edges[0].1, edges.len())).collect()
    }

    /// Follows the edges of an island from its first one; `None` when they do not close.
    fn path(&self, start: usize, count: usize) -> Option<Vec<i32>> {
        let (island, (first, mut last)) = self.edges[start];
        let mut path = vec![first, last];
        // who has followed as many edges as there are is in a circle that does not hold the first vertex
        for _ in 0..count {
            let from = self.onwards.partition_point(|&(i, vertex, _)| (i, vertex) < (island, last));
            let &(_, _, at) = self.onwards.get(from).filter(|&&(i, v, _)| (i, v) == (island, last))?;
            last = self.edges[at].1.1;
            if last == first {
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

    /// A side as it was first written: every edge is looked for among all.
    fn searched(faces: &[[i32; 3]]) -> Vec<Vec<i32>> {
        let (mut edges, mut count): (Vec<(Edge, usize)>, _) = (Vec::new(), 0);
        for &[a, b, c] in faces {
            let mut island: Option<usize> = None;
            let mut left = Vec::new();
            for edge in [(a, b), (b, c), (c, a)] {
                let Some(at) = edges.iter().position(|(e, _)| *e == (edge.1, edge.0)) else {
                    left.push(edge);
                    continue;
                };
                let (_, other) = edges.remove(at);
                let own = island.unwrap_or(other);
                let (kept, gone) = (own.min(other), own.max(other));
                if kept < gone {
                    count -= 1;
                    for (_, i) in &mut edges {
                        *i = if *i == gone { kept } else { *i - usize::from(*i > gone) };
                    }
                }
                island = Some(kept);
            }
            count += usize::from(island.is_none());
            edges.extend(left.into_iter().map(|edge| (edge, island.unwrap_or(count - 1))));
        }
        let follow = |island: usize| {
            let start = edges.iter().position(|e| e.1 == island)?;
            let mut path = vec![edges[start].0.0, edges[start].0.1];
            for _ in 0..edges.len() {
                let last = path[path.len() - 1];
                let next = edges.iter().skip(1).find(|e| e.1 == island && e.0.0 == last)?;
                if next.0.1 == path[0] {
                    return Some(path);
                }
                path.push(next.0.1);
            }
            None
        };
        match edges[..] {
            [a, b, c] => vec![vec![a.0.0, b.0.0, c.0.0]],
            _ => (0..count).filter_map(follow).collect(),
        }
    }

    /// Random triangles of few vertices: edges that occur several times, islands that meet, paths that do not close.
    #[test]
    fn an_indexed_side_has_the_paths_of_a_searched_one() {
        let mut seed = 1_u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        for trial in 0..300 {
            let (vertices, count) = (3 + random(30), 1 + random(if trial % 2 == 0 { 12 } else { 150 }));
            let mut faces: Vec<[i32; 3]> = Vec::new();
            for k in 0..count {
                // half of them continue the one before, as in a strip
                let last =
                    if k > 0 && random(2) == 0 { faces[faces.len() - 1][2] } else { random(vertices) as i32 };
                faces.push([random(vertices) as i32, last, random(vertices) as i32]);
            }
            let mut side = Side::new([0.0, 0.0, 1.0], faces[0]);
            faces[1..].iter().for_each(|face| side.insert(*face));
            let degenerate = faces.iter().any(|[a, b, c]| a == b || b == c || c == a);
            if !degenerate {
                assert_eq!(side.paths(), searched(&faces), "{faces:?}");
            }
        }
    }

    /// A flat strip of many triangles takes no longer for each of them than a short one.
    #[test]
    fn large_flat_sides_end() {
        let n = 100_000;
        let vert: Vec<Vec3> = (0..n).map(|i| [f64::from(i), f64::from(i % 2), 0.0]).collect();
        let faces: Vec<[i32; 3]> =
            (0..n - 2).map(|i| if i % 2 == 0 { [i, i + 2, i + 1] } else { [i, i + 1, i + 2] }).collect();
        let polygons = Polygons::build(&vert, &faces);
        assert_eq!((polygons.loops.len(), polygons.loops[0].len()), (1, n as usize));
    }
}
