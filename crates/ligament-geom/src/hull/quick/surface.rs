//! What a hull under construction consists of: facets, the ridges between them, and vertices.

use super::Surface;
use super::order::take_out;
use ligament_math::Vec3;

/// A facet as part of the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Sound,
    /// Fewer than three neighbours are left: to be united with one of them.
    Starved,
    /// A neighbour has all its vertices: to be united with that.
    Covered,
    /// Not part of the surface any more; what took its place.
    Gone(Option<u32>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outline {
    /// Each neighbour lies across from the vertex with the same number.
    Triangle,
    /// All neighbours are known through ridges.
    Polygon,
}

/// A plane with its facet's corners.
#[derive(Debug)]
pub(super) struct Facet {
    pub state: State,
    pub outline: Outline,
    /// The youngest first.
    pub vertices: Vec<u32>,
    pub neighbors: Vec<u32>,
    /// To neighbours that are polygons, or to all of them; `None` as long as there was no reason for any.
    pub ridges: Option<Vec<u32>>,
    /// False when the vertices (0, 1, 2) are counter-clockwise from outside, true for (1, 0, 2).
    pub mirrored: bool,
    /// Normal and offset. A new facet that will be united with one beyond the horizon gets none.
    pub plane: Option<(Vec3, f64)>,
    /// Looks inwards.
    pub flipped: bool,
    pub center: Option<Vec3>,
    /// The facet is large or wide: its centre is kept when it grows.
    pub keeps_center: bool,
    /// Points above it; the furthest is last.
    pub outside: Vec<u32>,
    pub furthest: f64,
    /// Points near it that are inside; the furthest is last.
    pub coplanar: Vec<u32>,
    /// Height of the highest point that it was extended over.
    pub max_outside: f64,
    /// Compared with its neighbours since it changed.
    pub tested: bool,
    /// Has grown since its vertices were looked through.
    pub grown: bool,
}

impl Facet {
    pub fn is_gone(&self) -> bool {
        matches!(self.state, State::Gone(_))
    }

    pub fn is_triangle(&self) -> bool {
        self.outline == Outline::Triangle
    }

    pub fn ridges(&self) -> &[u32] {
        self.ridges.as_deref().unwrap_or_default()
    }
}

/// How the facets along a ridge meet, as far as that was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Angle {
    Unknown,
    Convex,
    Dented,
}

/// An edge between two facets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ridge {
    /// The younger first.
    pub vertices: [u32; 2],
    /// A triangle of a younger vertex and this edge in the place of the first facet would be mirrored, in the place of
    /// the second not.
    pub sides: [u32; 2],
    pub angle: Angle,
}

impl Ridge {
    /// The facet on the other side.
    pub fn beyond(&self, facet: u32) -> u32 {
        self.sides[usize::from(self.sides[0] == facet)]
    }

    /// Puts a facet into the place of another.
    pub fn change_side(&mut self, old: u32, new: u32) {
        self.sides[usize::from(self.sides[0] != old)] = new;
    }

    /// What was found to be convex must be looked at again.
    pub fn forget(&mut self) {
        if self.angle == Angle::Convex {
            self.angle = Angle::Unknown;
        }
    }
}

#[derive(Debug)]
pub(super) struct Vertex {
    pub point: u32,
    /// Facets around it; kept since facets were united for the first time.
    pub fan: Vec<u32>,
    /// A ridge at it vanished: it may be superfluous.
    pub loose: bool,
    /// Leaves at the end of the round.
    pub dropped: bool,
}

impl Surface<'_> {
    pub(super) fn facet(&self, facet: u32) -> &Facet {
        &self.facets[facet as usize]
    }

    pub(super) fn facet_mut(&mut self, facet: u32) -> &mut Facet {
        &mut self.facets[facet as usize]
    }

    pub(super) fn vertex(&self, vertex: u32) -> &Vertex {
        &self.vertices[vertex as usize]
    }

    pub(super) fn vertex_mut(&mut self, vertex: u32) -> &mut Vertex {
        &mut self.vertices[vertex as usize]
    }

    pub(super) fn ridge(&self, ridge: u32) -> &Ridge {
        &self.ridges[ridge as usize]
    }

    pub(super) fn point(&self, vertex: u32) -> Vec3 {
        self.points[self.vertex(vertex).point as usize]
    }

    pub(super) fn fresh_facets(&self) -> Vec<u32> {
        self.facet_order.fresh().collect()
    }

    /// A triangle at the end of the order.
    pub(super) fn new_facet(&mut self, vertices: Vec<u32>, mirrored: bool) -> u32 {
        let index = self.facets.len() as u32;
        self.facets.push(Facet {
            state: State::Sound,
            outline: Outline::Triangle,
            vertices,
            neighbors: Vec::new(),
            ridges: None,
            mirrored,
            plane: None,
            flipped: false,
            center: None,
            keeps_center: false,
            outside: Vec::new(),
            furthest: 0.0,
            coplanar: Vec::new(),
            max_outside: self.tolerance.round,
            tested: false,
            grown: false,
        });
        self.facet_order.push(index);
        index
    }

    pub(super) fn new_vertex(&mut self, point: u32) -> u32 {
        self.vertices.push(Vertex { point, fan: Vec::new(), loose: false, dropped: false });
        self.vertices.len() as u32 - 1
    }

    /// Takes a facet out of the surface.
    pub(super) fn remove_facet(&mut self, facet: u32, successor: Option<u32>) {
        self.facet_order.remove(facet);
        self.facet_mut(facet).state = State::Gone(successor);
    }

    /// What a facet became; `None` when nothing is left of it.
    pub(super) fn successor(&self, facet: u32) -> Option<u32> {
        let mut at = facet;
        while let State::Gone(next) = self.facet(at).state {
            at = next?;
        }
        Some(at)
    }

    /// Moves vertices to the end of their order, once a round.
    pub(super) fn renew_vertices(&mut self, vertices: &[u32]) {
        for &v in vertices {
            if !self.vertex_order.is_fresh(v) {
                self.vertex_order.move_to_end(v);
            }
        }
    }

    /// Marks a vertex as inside.
    pub(super) fn drop_vertex(&mut self, vertex: u32) {
        self.vertex_mut(vertex).dropped = true;
        self.round.dropped.push(vertex);
    }

    /// Takes a facet out of the fan of a vertex; returns how many are left.
    pub(super) fn leave_fan(&mut self, vertex: u32, facet: u32) -> usize {
        let fan = &mut self.vertex_mut(vertex).fan;
        take_out(fan, facet);
        fan.len()
    }

    pub(super) fn add_ridge(&mut self, facet: u32, ridge: u32) {
        self.facet_mut(facet).ridges.get_or_insert_default().push(ridge);
    }

    pub(super) fn take_ridge(&mut self, facet: u32, ridge: u32) {
        if let Some(ridges) = &mut self.facet_mut(facet).ridges {
            take_out(ridges, ridge);
        }
    }
}
