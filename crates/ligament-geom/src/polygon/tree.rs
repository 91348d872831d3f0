//! Sides by direction, in a search tree.

use super::border::Border;
use ligament_math::{MINVAL, Vec3};

/// Cosine above which two faces count as parallel.
const PARALLEL: f64 = 0.999_998_72;

/// Decreasing by x, y, z; parallel normals are equal.
fn precedes(a: &Vec3, b: &Vec3) -> bool {
    if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > PARALLEL {
        return false;
    }
    (0..3).find(|&k| (a[k] - b[k]).abs() > MINVAL).is_some_and(|k| a[k] > b[k])
}

/// The faces of one direction: most sides of round meshes are a single triangle.
#[derive(Debug)]
enum Side {
    Face([i32; 3]),
    Faces(Box<Border>),
}

impl Side {
    fn insert(&mut self, face: [i32; 3]) {
        if let Self::Face(first) = *self {
            *self = Self::Faces(Box::new(Border::new(first)));
        }
        if let Self::Faces(border) = self {
            border.insert(face);
        }
    }

    /// Loops around it.
    fn visit_paths(&mut self, visit: &mut impl FnMut(&[i32])) {
        match self {
            Self::Face(corners) => visit(corners),
            Self::Faces(border) => border.paths().iter().for_each(|path| visit(path)),
        }
    }
}

/// Red-black tree of sides, by direction.
///
/// "Parallel" is not transitive, so which side a face is found to belong to depends on the shape of the search
/// tree. This one is balanced as `std::set` is, to arrive at the same sides as the reference.
#[derive(Debug, Default)]
pub struct SideTree {
    nodes: Vec<Node>,
    root: Option<usize>,
    /// Of each node, apart from what a search looks at.
    sides: Vec<Side>,
}

#[derive(Debug)]
struct Node {
    normal: Vec3,
    parent: Option<usize>,
    /// Left and right.
    child: [Option<usize>; 2],
    red: bool,
}

impl SideTree {
    /// Adds a face to the side it belongs to.
    pub fn add(&mut self, normal: Vec3, face: [i32; 3]) {
        match self.find(normal) {
            Some(side) => self.sides[side].insert(face),
            None => self.insert(normal, face),
        }
    }

    /// Loops around all sides, in the order of their directions.
    pub fn visit_paths(&mut self, mut visit: impl FnMut(&[i32])) {
        for node in self.in_order() {
            self.sides[node].visit_paths(&mut visit);
        }
    }

    /// Lower bound, then a check that it is not greater.
    fn find(&self, normal: Vec3) -> Option<usize> {
        let (mut at, mut bound) = (self.root, None);
        while let Some(node) = at {
            if precedes(&self.nodes[node].normal, &normal) {
                at = self.nodes[node].child[1];
            } else {
                bound = at;
                at = self.nodes[node].child[0];
            }
        }
        bound.filter(|&node| !precedes(&normal, &self.nodes[node].normal))
    }

    /// Adds a side of one face, unless it meets a parallel one on its way down.
    fn insert(&mut self, normal: Vec3, face: [i32; 3]) {
        let (mut at, mut parent, mut left) = (self.root, None, true);
        while let Some(node) = at {
            parent = at;
            left = precedes(&normal, &self.nodes[node].normal);
            if !left && !precedes(&self.nodes[node].normal, &normal) {
                return;
            }
            at = self.nodes[node].child[usize::from(!left)];
        }
        let index = self.nodes.len();
        self.nodes.push(Node { normal, parent, child: [None; 2], red: true });
        self.sides.push(Side::Face(face));
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
