//! Quickhull with merged facets: those that are coplanar or concave within rounding are united while the hull grows,
//! and cut into triangles at the end (Barber, Dobkin & Huhdanpaa, "The quickhull algorithm for convex hulls", ACM
//! Transactions on Mathematical Software 22(4), 1996, sections 2 and 4).
//!
//! Points are added in rounds. A round looks for the facets that the point sees ([`cone`]), replaces them by a cone of
//! triangles, unites those that are not clearly convex ([`convexity`], [`unite`], [`tidy`]), and gives the points of
//! the facets that vanished to new ones ([`assign`]).
//!
//! Which of several nearly equal facets are united, and in which order facets, ridges and vertices are walked, is a
//! matter of rounding that the paper leaves open. The orders here are those of Qhull, which the reference calls, so
//! that hulls agree triangle by triangle. Where Qhull has to repair a broken topology (an edge of more than two new
//! facets, facets that get too wide), this construction gives up and leaves the points to the exact one.

mod assign;
mod cone;
mod convexity;
mod order;
mod plane;
mod surface;
mod tidy;
mod triangles;
mod unite;

use super::{Effort, Hull, HullError, Tolerance};
use Halt::Stuck;
use convexity::Dent;
use ligament_math::Vec3;
use order::{Marks, Order};
use surface::{Facet, Ridge, Vertex};

/// Merges after which points are given to the best of all new facets.
const MANY_MERGES: usize = 50;
/// Cosine of the sharpest angle of the first simplex that is dealt with.
const NARROW: f64 = -0.999_999_99;

/// Operations charged for every point that is added, whatever its cone: facets are made, linked and sorted.
const ROUND: usize = 1024;

/// Operations after which they are charged.
const UNCHARGED: u64 = 1 << 12;

/// Why the construction cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Halt {
    /// The topology is broken.
    Stuck,
    /// The effort is spent.
    TooLong,
}

type Step<T = ()> = Result<T, Halt>;

/// New facets over edges between one facet that vanishes and one of the horizon that the point is coplanar with.
#[derive(Debug)]
struct Extension {
    horizon: u32,
    facets: Vec<u32>,
}

/// What one added point changes.
#[derive(Debug, Default)]
struct Round {
    /// Facets that the point sees, by distance from the first.
    seen: Vec<u32>,
    /// Facets that were united with others since.
    united: Vec<u32>,
    extensions: Vec<Extension>,
    /// Vertices that are inside now.
    dropped: Vec<u32>,
    /// Look for the best of all new facets instead of going uphill.
    scans: bool,
    /// The cone was found to be blunt: going uphill finds the best facet.
    blunt: bool,
}

impl Round {
    /// Facets that vanish, those that were united last first.
    fn gone(&self) -> impl Iterator<Item = u32> {
        self.united.iter().rev().chain(&self.seen).copied()
    }
}

struct Surface<'a> {
    points: &'a [Vec3],
    tolerance: Tolerance,
    near_zero: [f64; 3],
    /// A point inside.
    interior: Vec3,
    facets: Vec<Facet>,
    ridges: Vec<Ridge>,
    vertices: Vec<Vertex>,
    facet_order: Order,
    vertex_order: Order,
    /// Slot of the facet order from which on facets may have points above them.
    cursor: usize,
    round: Round,
    /// Facets by which a walk has come.
    visited: Marks,
    /// Facets across from what was looked at of the current facet.
    met: Marks,
    /// Facets or vertices of the group that is being united.
    members: Marks,
    knows_fans: bool,
    merges: usize,
    /// Height of the highest point that the surface was extended over.
    max_outside: f64,
    /// Largest height expected of a point that is not outside.
    expected_outside: f64,
    dents: Vec<Dent>,
    /// Facets that are starved, or covered by the other one; the next one to unite is last.
    leftovers: Vec<(u32, Option<u32>)>,
    effort: &'a Effort,
    /// Operations that were not charged yet.
    uncharged: u64,
}

/// The hull of the points; `None` when the construction got stuck.
pub(super) fn build(
    points: &[Vec3],
    tolerance: Tolerance,
    corners: [usize; 4],
    max_vertices: Option<usize>,
    effort: &Effort,
) -> Result<Option<Hull>, HullError> {
    let grown = Surface::new(points, tolerance, corners, effort).and_then(|mut surface| {
        surface.grow(max_vertices)?;
        Ok(surface)
    });
    match grown {
        Ok(surface) => Ok(surface.into_hull()),
        Err(Stuck) => Ok(None),
        Err(Halt::TooLong) => Err(HullError::TooLong),
    }
}

impl<'a> Surface<'a> {
    fn new(points: &'a [Vec3], tolerance: Tolerance, corners: [usize; 4], effort: &'a Effort) -> Step<Self> {
        let mut this = Self {
            points,
            tolerance,
            near_zero: super::simplex::near_zero(points),
            interior: [0.0; 3],
            facets: Vec::new(),
            ridges: Vec::new(),
            vertices: Vec::new(),
            facet_order: Order::default(),
            vertex_order: Order::default(),
            cursor: 0,
            round: Round::default(),
            visited: Marks::default(),
            met: Marks::default(),
            members: Marks::default(),
            knows_fans: false,
            merges: 0,
            max_outside: 0.0,
            expected_outside: 8.0 * tolerance.round,
            dents: Vec::new(),
            leftovers: Vec::new(),
            effort,
            uncharged: 0,
        };
        this.make_simplex(corners)?;
        this.assign_all()?;
        this.start_with_furthest();
        Ok(this)
    }

    /// Counts operations.
    fn spend(&mut self, operations: usize) {
        self.uncharged += operations as u64;
    }

    /// Charges what was counted; to be asked before more work.
    fn afford(&mut self) -> Step {
        if self.uncharged < UNCHARGED || self.effort.charge(std::mem::take(&mut self.uncharged)) {
            Ok(())
        } else {
            Err(Halt::TooLong)
        }
    }

    /// Corners, edges and neighbours of a facet.
    fn size(&self, facet: u32) -> usize {
        let f = self.facet(facet);
        f.vertices.len() + f.neighbors.len() + f.ridges().len()
    }

    fn make_simplex(&mut self, corners: [usize; 4]) -> Step {
        let ids = corners.map(|point| self.new_vertex(point as u32));
        for left_out in ids.into_iter().rev() {
            let vertices = ids.into_iter().rev().filter(|v| *v != left_out).collect();
            let facet = self.new_facet(vertices, left_out % 2 == 1);
            self.facet_mut(facet).neighbors = (0..4).filter(|other| *other != facet).collect();
            self.vertex_order.push(left_out);
        }
        self.interior = self.mean(&[3, 2, 1, 0]);
        self.set_plane(0);
        if self.height(0, self.interior) > self.tolerance.round {
            for facet in &mut self.facets {
                facet.mirrored ^= true;
            }
            self.set_plane(0);
        }
        for facet in 1..4 {
            self.set_plane(facet);
        }
        for facet in 0..4 {
            self.facet_mut(facet).flipped = false;
        }
        for facet in 0..4 {
            let narrow = (0..4).any(|other| other != facet && self.cosine(facet, other) < NARROW);
            if narrow || self.height(facet, self.interior) >= -self.tolerance.round {
                return Err(Stuck);
            }
        }
        Ok(())
    }

    /// The facet with the highest point comes first.
    fn start_with_furthest(&mut self) {
        let mut best: Option<(u32, f64)> = None;
        for facet in self.facet_order.iter() {
            let f = self.facet(facet);
            if !f.outside.is_empty() && best.is_none_or(|(_, highest)| f.furthest > highest) {
                best = Some((facet, f.furthest));
            }
        }
        if let Some((facet, _)) = best {
            self.facet_order.move_to_front(facet);
        }
        self.cursor = 0;
    }

    /// Adds points until none is outside, or the limit of vertices is reached.
    fn grow(&mut self, max_vertices: Option<usize>) -> Step {
        while let Some((facet, slot)) = self.facet_order.at_or_after(self.cursor) {
            self.cursor = slot;
            if self.facet(facet).outside.is_empty() {
                self.cursor += 1;
                continue;
            }
            if max_vertices.is_some_and(|limit| self.vertex_order.len() >= limit) {
                break;
            }
            if let Some(point) = self.facet_mut(facet).outside.pop() {
                self.add_point(point, facet)?;
            }
        }
        Ok(())
    }

    fn add_point(&mut self, point: u32, facet: u32) -> Step {
        self.round = Round::default();
        self.expect_outside();
        self.spend(ROUND);
        self.afford()?;
        self.find_seen(point, facet)?;
        self.facet_order.start_round();
        self.vertex_order.start_round();
        self.raise_cone(point)?;
        self.close_cone()?;
        self.update_fans();
        if !self.clearly_convex() {
            let united = self.unite_extensions()? | self.unite_flipped()?;
            self.find_first_dents()?;
            self.unite_dents(united)?;
        }
        self.round.scans = self.merges > MANY_MERGES
            || self.facet_order.fresh().any(|facet| !self.facet(facet).is_triangle());
        self.reassign()?;
        self.finish_round();
        Ok(())
    }

    fn finish_round(&mut self) {
        let Round { seen, united, dropped, .. } = std::mem::take(&mut self.round);
        for facet in seen.into_iter().chain(united) {
            let f = self.facet_mut(facet);
            (f.outside, f.coplanar) = (Vec::new(), Vec::new());
        }
        for vertex in dropped {
            self.vertex_order.remove(vertex);
        }
        self.facet_order.end_round();
        self.vertex_order.end_round();
    }
}
