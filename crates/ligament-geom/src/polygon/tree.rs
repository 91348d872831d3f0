//! Sides by direction, in a search tree.

use super::border::Border;
use ligament_math::{MINVAL, Vec3};

/// Cosine above which two faces count as parallel.
const PARALLEL: f64 = 0.999_998_72;

/// Where a normal stands beside another: decreasing by x, y, z; parallel ones are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Before,
    Equal,
    Behind,
}

#[inline]
fn place(normal: &Vec3, other: &Vec3) -> Place {
    if normal[0] * other[0] + normal[1] * other[1] + normal[2] * other[2] > PARALLEL {
        return Place::Equal;
    }
    match (0..3).find(|&k| (normal[k] - other[k]).abs() > MINVAL) {
        Some(k) if normal[k] > other[k] => Place::Before,
        Some(_) => Place::Behind,
        None => Place::Equal,
    }
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

/// No node.
const NONE: u32 = u32::MAX;

/// Red-black tree of sides, by direction.
///
/// "Parallel" is not transitive, so which side a face is found to belong to depends on the shape of the search
/// tree. This one is balanced as `std::set` is, to arrive at the same sides as the reference.
#[derive(Debug)]
pub struct SideTree {
    nodes: Vec<Node>,
    root: u32,
    /// Of each node, apart from what a search looks at.
    links: Vec<Link>,
    sides: Vec<Side>,
}

/// What a search looks at.
#[derive(Debug)]
struct Node {
    normal: Vec3,
    /// Left and right.
    child: [u32; 2],
}

#[derive(Debug)]
struct Link {
    parent: u32,
    red: bool,
}

/// What a search for a direction comes to.
enum Found {
    Side(u32),
    /// There is a parallel side, but the search went past it.
    Passed,
    /// None; a node of it would be this child of that node.
    Leaf(u32, usize),
}

impl SideTree {
    /// An empty tree with room for so many sides.
    pub fn with_capacity(count: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(count),
            root: NONE,
            links: Vec::with_capacity(count),
            sides: Vec::with_capacity(count),
        }
    }

    /// Adds a face to the side it belongs to.
    pub fn add(&mut self, normal: Vec3, face: [i32; 3]) {
        match self.find(&normal) {
            Found::Side(side) => self.sides[side as usize].insert(face),
            Found::Leaf(parent, side) => self.insert(normal, face, parent, side),
            // the reference looks for the lower bound, which is another side, and then cannot insert beside an equal one
            Found::Passed => {}
        }
    }

    /// Loops around all sides, in the order of their directions.
    pub fn visit_paths(&mut self, mut visit: impl FnMut(&[i32])) {
        for node in self.in_order() {
            self.sides[node as usize].visit_paths(&mut visit);
        }
    }

    /// One way down the tree: a side is found if it is the lower bound.
    fn find(&self, normal: &Vec3) -> Found {
        let (mut at, mut parent, mut side) = (self.root, NONE, 0);
        let (mut equal, mut bound) = (NONE, NONE);
        while let Some(node) = self.nodes.get(at as usize) {
            let place = place(&node.normal, normal);
            if place == Place::Equal {
                equal = at;
            }
            side = usize::from(place == Place::Before);
            bound = if side == 0 { at } else { bound };
            (parent, at) = (at, node.child[side]);
        }
        match equal {
            NONE => Found::Leaf(parent, side),
            equal if equal == bound => Found::Side(equal),
            _ => Found::Passed,
        }
    }

    /// Adds a side of one face below a node.
    fn insert(&mut self, normal: Vec3, face: [i32; 3], parent: u32, side: usize) {
        let index = self.nodes.len() as u32;
        self.nodes.push(Node { normal, child: [NONE; 2] });
        self.links.push(Link { parent, red: true });
        self.sides.push(Side::Face(face));
        match parent {
            NONE => self.root = index,
            node => self.nodes[node as usize].child[side] = index,
        }
        self.rebalance(index);
    }

    /// The parent of a node, if it is red.
    fn red_parent(&self, node: u32) -> Option<u32> {
        Some(self.links[node as usize].parent).filter(|&parent| self.is_red(parent))
    }

    fn is_red(&self, node: u32) -> bool {
        self.links.get(node as usize).is_some_and(|link| link.red)
    }

    fn set_red(&mut self, node: u32, red: bool) {
        self.links[node as usize].red = red;
    }

    /// Cormen et al., RB-INSERT-FIXUP.
    fn rebalance(&mut self, mut at: u32) {
        while let Some(mut parent) = self.red_parent(at) {
            // a red node is not the root
            let grand = self.links[parent as usize].parent;
            let side = usize::from(self.nodes[grand as usize].child[1] == parent);
            let uncle = self.nodes[grand as usize].child[1 - side];
            self.set_red(grand, true);
            if self.is_red(uncle) {
                self.set_red(parent, false);
                self.set_red(uncle, false);
                at = grand;
                continue;
            }
            if self.nodes[parent as usize].child[1 - side] == at {
                self.rotate(parent, side);
                parent = at;
            }
            self.set_red(parent, false);
            self.rotate(grand, 1 - side);
            break;
        }
        self.set_red(self.root, false);
    }

    /// Turns a node down to the given side; its other child takes its place.
    fn rotate(&mut self, node: u32, side: usize) {
        let up = self.nodes[node as usize].child[1 - side];
        let inner = self.nodes[up as usize].child[side];
        self.nodes[node as usize].child[1 - side] = inner;
        if inner != NONE {
            self.links[inner as usize].parent = node;
        }
        let parent = self.links[node as usize].parent;
        self.links[up as usize].parent = parent;
        match parent {
            NONE => self.root = up,
            parent => {
                let place = usize::from(self.nodes[parent as usize].child[1] == node);
                self.nodes[parent as usize].child[place] = up;
            }
        }
        self.nodes[up as usize].child[side] = node;
        self.links[node as usize].parent = up;
    }

    fn in_order(&self) -> Vec<u32> {
        let (mut order, mut stack, mut at) = (Vec::with_capacity(self.nodes.len()), Vec::new(), self.root);
        loop {
            while at != NONE {
                stack.push(at);
                at = self.nodes[at as usize].child[0];
            }
            let Some(node) = stack.pop() else { return order };
            order.push(node);
            at = self.nodes[node as usize].child[1];
        }
    }
}
