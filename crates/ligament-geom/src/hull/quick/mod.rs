//! Quickhull with merging: facets that are coplanar or concave within rounding are joined while the hull grows,
//! and cut into triangles at the end (Barber, Dobkin & Huhdanpaa 1996, sections 4 and 5).
//!
//! Which of several nearly equal facets are joined, and in which order facets, ridges and vertices are listed, is
//! decided as in Qhull, so that hulls agree with the reference's triangle by triangle. Where Qhull would have to
//! repair a broken topology (an edge of more than two new facets, facets that get too wide) this construction
//! gives up and leaves the points to the exact one.

mod cone;
mod cycle;
mod join;
mod lists;
mod partition;
mod plane;
mod reduce;
mod select;
mod triangulate;

use super::{Hull, Tolerance};
use ligament_math::Vec3;

/// The construction cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stuck;

type Step<T = ()> = Result<T, Stuck>;

/// Ends the lists of facets and of vertices, which are made with it as the first element.
const TAIL: u32 = 0;
const NONE: u32 = u32::MAX;

/// A plane with its facet's corners; a polygon once facets were joined.
#[derive(Debug, Clone, Default)]
struct Facet {
    /// In decreasing order.
    vertices: Vec<u32>,
    /// Of a triangle: across from the vertices.
    neighbors: Vec<u32>,
    ridges: Vec<u32>,
    /// Had a ridge once.
    ridged: bool,
    /// True when (1, 0, 2) is counter-clockwise from outside, false for (0, 1, 2).
    top: bool,
    plane: Option<(Vec3, f64)>,
    center: Option<Vec3>,
    /// Points above it; the furthest is last.
    outside: Vec<u32>,
    furthest: f64,
    /// Points near it that are inside.
    coplanar: Vec<u32>,
    max_outside: f64,
    previous: u32,
    next: u32,
    visit: u32,
    /// What a facet that vanishes was replaced by.
    replacement: u32,
    /// New facets that are coplanar with the same facet of the horizon, as a ring.
    same_cycle: u32,
    new_cycle: u32,
    simplicial: bool,
    is_new: bool,
    visible: bool,
    coplanar_horizon: bool,
    merge_horizon: bool,
    cycle_done: bool,
    flipped: bool,
    seen: bool,
    tested: bool,
    degenerate: bool,
    redundant: bool,
    new_merge: bool,
    keep_center: bool,
}

/// An edge between two facets, at least one of which is a polygon.
#[derive(Debug, Clone, Copy)]
struct Ridge {
    /// In decreasing order.
    vertices: [u32; 2],
    top: u32,
    bottom: u32,
    concave: bool,
    tested: bool,
}

impl Ridge {
    fn other(&self, facet: u32) -> u32 {
        if self.top == facet { self.bottom } else { self.top }
    }
}

#[derive(Debug, Clone, Default)]
struct Vertex {
    point: u32,
    /// Facets around it; kept since facets were joined for the first time.
    neighbors: Vec<u32>,
    previous: u32,
    next: u32,
    visit: u32,
    is_new: bool,
    lost_ridge: bool,
    deleted: bool,
    partitioned: bool,
}

/// Why two facets are joined, in the order in which it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Coplanar,
    Concave,
    ConcaveCoplanar,
}

#[derive(Debug, Clone, Copy)]
struct Join {
    facets: [u32; 2],
    reason: Reason,
    distance: f64,
}

/// A facet that is no polygon of its own any more.
#[derive(Debug, Clone, Copy)]
struct Leftover {
    facet: u32,
    /// The facet that has all its vertices; `None`: too few neighbours.
    inside: Option<u32>,
}

struct Quick<'a> {
    points: &'a [Vec3],
    tolerance: Tolerance,
    near_zero: [f64; 3],
    facets: Vec<Facet>,
    ridges: Vec<Ridge>,
    vertices: Vec<Vertex>,
    first_facet: u32,
    next_facet: u32,
    /// Start of the new facets, at the end of the list; `NONE` between points.
    new_facets: u32,
    visible_facets: u32,
    first_vertex: u32,
    new_vertices: u32,
    facet_count: usize,
    visible_count: usize,
    vertex_count: usize,
    visit: u32,
    vertex_visit: u32,
    has_neighbors: bool,
    merges: usize,
    max_outside: f64,
    /// Largest height expected of a point that is not outside.
    expected_outside: f64,
    find_best_new: bool,
    not_sharp: bool,
    deleted: Vec<u32>,
    joins: Vec<Join>,
    leftovers: Vec<Leftover>,
    interior: Vec3,
    /// New facets by the vertex at the far end of an edge from the apex: (visit, facet, slot).
    mates: Vec<(u32, u32, usize)>,
}

/// The hull of the points; `None` when the construction got stuck.
pub(super) fn build(
    points: &[Vec3],
    tolerance: Tolerance,
    corners: [usize; 4],
    max_vertices: Option<usize>,
) -> Option<Hull> {
    let mut quick = Quick::new(points, tolerance, corners).ok()?;
    quick.run(max_vertices).ok()?;
    quick.triangulate()
}

impl<'a> Quick<'a> {
    fn new(points: &'a [Vec3], tolerance: Tolerance, corners: [usize; 4]) -> Step<Self> {
        let mut this = Self {
            points,
            tolerance,
            near_zero: super::simplex::near_zero(points),
            facets: vec![Facet { previous: NONE, next: NONE, is_new: true, ..Facet::default() }],
            ridges: Vec::new(),
            vertices: vec![Vertex { previous: NONE, next: NONE, ..Vertex::default() }],
            first_facet: TAIL,
            next_facet: TAIL,
            new_facets: TAIL,
            visible_facets: NONE,
            first_vertex: TAIL,
            new_vertices: TAIL,
            facet_count: 0,
            visible_count: 0,
            vertex_count: 0,
            visit: 0,
            vertex_visit: 0,
            has_neighbors: false,
            merges: 0,
            max_outside: 0.0,
            expected_outside: 8.0 * tolerance.round,
            find_best_new: false,
            not_sharp: false,
            deleted: Vec::new(),
            joins: Vec::new(),
            leftovers: Vec::new(),
            interior: [0.0; 3],
            mates: Vec::new(),
        };
        this.make_simplex(corners)?;
        this.partition_all()?;
        this.start_with_furthest();
        Ok(this)
    }

    fn make_simplex(&mut self, corners: [usize; 4]) -> Step {
        for point in corners {
            self.vertices.push(Vertex { point: point as u32, ..Vertex::default() });
        }
        for skip in 0..4 {
            let vertices: Vec<u32> = [4, 3, 2, 1].into_iter().filter(|v| *v != 4 - skip).collect();
            let facet = self.new_facet(vertices, skip % 2 == 0);
            self.facets[facet as usize].neighbors = (1..5).filter(|f| *f != facet).collect();
            self.append_vertex(4 - skip);
        }
        self.reset_lists();
        self.next_facet = self.first_facet;
        self.interior = self.mean(&[4, 3, 2, 1]);
        for facet in 1..5 {
            self.set_plane(facet);
            self.facets[facet as usize].flipped = false;
            if facet == 1 && self.distance(1, self.interior) > self.tolerance.round {
                for facet in 1..5 {
                    self.facets[facet].top ^= true;
                }
                self.set_plane(1);
                self.facets[1].flipped = false;
            }
        }
        for facet in 1..5_u32 {
            if self.distance(facet, self.interior) >= -self.tolerance.round {
                return Err(Stuck);
            }
            for other in 1..5_u32 {
                if other != facet && self.cosine(facet, other) < NARROW {
                    return Err(Stuck);
                }
            }
        }
        Ok(())
    }

    /// Adds points until none is outside, or the limit of vertices is reached.
    fn run(&mut self, max_vertices: Option<usize>) -> Step {
        while self.next_facet != TAIL {
            let facet = self.next_facet as usize;
            if self.facets[facet].outside.is_empty() {
                self.next_facet = self.facets[facet].next;
                continue;
            }
            if max_vertices.is_some_and(|limit| self.vertex_count >= limit) {
                break;
            }
            if let Some(point) = self.facets[facet].outside.pop() {
                self.add_point(point, facet as u32)?;
            }
        }
        Ok(())
    }

    fn add_point(&mut self, point: u32, facet: u32) -> Step {
        self.expect_outside();
        self.find_horizon(point, facet)?;
        self.make_cone(point)?;
        self.match_new_facets()?;
        self.make_planes();
        self.update_neighbors();
        self.merge_new_facets()?;
        self.find_best_new = self.merges > MANY_MERGES
            || self.list(self.new_facets).any(|f| !self.facets[f as usize].simplicial);
        self.partition_visible()?;
        self.find_best_new = false;
        self.not_sharp = false;
        self.delete_visible();
        self.reset_lists();
        Ok(())
    }

    /// Joins new facets that are not clearly convex.
    fn merge_new_facets(&mut self) -> Step {
        if self.clearly_convex() {
            return Ok(());
        }
        let mut merged = self.join_cycles()?;
        merged |= self.join_flipped()?;
        self.first_joins()?;
        self.join_all(merged)
    }
}

/// Merges after which points are given to the best of all new facets.
const MANY_MERGES: usize = 50;
/// Cosine of the sharpest angle of the first simplex that is dealt with.
const NARROW: f64 = -0.999_999_99;
