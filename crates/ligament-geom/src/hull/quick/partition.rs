//! Which facet a point belongs to.

use super::{MANY_MERGES, NONE, Quick, Step, Stuck, TAIL};
use ligament_math::Vec3;

/// Heights, as multiples of the rounding error, that a merge can add.
pub(super) const ONE_MERGE: f64 = 7.0;
/// Points at most this deep inside, in merges, are kept near their facet.
const NEAR_INSIDE: f64 = 5.0;
/// A coplanar point this many times further out than expected is outside after all.
const MISPLACED: f64 = 30.0;
/// Points that go back and forth between outside and coplanar.
const MAX_DEPTH: usize = 4;

impl Quick<'_> {
    fn caution(&self) -> f64 {
        if self.merges > MANY_MERGES { 2.0 } else { 1.0 }
    }

    /// From this height on a point goes to the first facet found.
    fn clearly_outside(&self) -> f64 {
        self.caution() * (2.0 * self.tolerance.outside).max(self.max_outside)
    }

    /// Facets this much lower than the best one may still lead to a better one.
    fn search_depth(&self) -> f64 {
        self.caution() * (self.max_outside + 2.0 * self.tolerance.round + self.tolerance.coplanar)
    }

    pub(super) fn expect_outside(&mut self) {
        let merged = ONE_MERGE * self.tolerance.round + self.tolerance.round;
        self.expected_outside = self.max_outside.max(merged).max(self.tolerance.outside);
    }

    /// Sorts all points to the facets of the first simplex.
    pub(super) fn partition_all(&mut self) -> Step {
        let corners: Vec<u32> = self.vertices[1..].iter().map(|v| v.point).collect();
        let mut rest: Vec<u32> = (0..self.points.len() as u32).filter(|p| !corners.contains(p)).collect();
        let threshold = self.clearly_outside();
        for facet in self.list(self.first_facet).collect::<Vec<_>>() {
            let mut outside = Vec::new();
            let mut best: Option<(u32, f64)> = None;
            rest.retain(|&p| {
                let height = self.distance(facet, self.points[p as usize]);
                if height < threshold {
                    return true;
                }
                match best {
                    Some((_, highest)) if !(height > highest) => outside.push(p),
                    _ => outside.extend(best.replace((p, height)).map(|(p, _)| p)),
                }
                false
            });
            if let Some((p, height)) = best {
                outside.push(p);
                self.facet_mut(facet).furthest = height;
            }
            self.facet_mut(facet).outside = outside;
        }
        self.find_best_new = true;
        for p in rest {
            self.partition_point(p, self.first_facet, 0)?;
        }
        self.find_best_new = false;
        Ok(())
    }

    /// Gives the points of facets that vanish to the new ones.
    pub(super) fn partition_visible(&mut self) -> Step {
        for facet in self.visible_list() {
            let outside = std::mem::take(&mut self.facet_mut(facet).outside);
            let coplanar = std::mem::take(&mut self.facet_mut(facet).coplanar);
            if outside.is_empty() && coplanar.is_empty() {
                continue;
            }
            let start = match self.replacement_of(facet) {
                NONE => self.new_facets,
                facet => facet,
            };
            if start == TAIL || start == NONE {
                return Err(Stuck);
            }
            for p in outside {
                self.partition_point(p, start, 0)?;
            }
            for p in coplanar {
                let (best, height) = if self.find_best_new {
                    let (best, height, _) = self.best_of_new(p, start, true)?;
                    (best, height)
                } else {
                    let (best, height, _) = self.climb(p, start, true, false)?;
                    (best, height)
                };
                self.partition_coplanar(p, start, best, height, false, 0)?;
            }
        }
        for vertex in self.deleted.clone() {
            if !self.vertices[vertex as usize].partitioned {
                let (p, start) = (self.vertices[vertex as usize].point, self.new_facets);
                if start == TAIL || start == NONE {
                    return Err(Stuck);
                }
                let (best, height, _) = self.best_of_new(p, start, true)?;
                self.partition_coplanar(p, start, best, height, false, 0)?;
                self.vertex_mut(vertex).partitioned = true;
            }
        }
        Ok(())
    }

    fn partition_point(&mut self, p: u32, start: u32, depth: usize) -> Step {
        let (best, height, outside) = if self.find_best_new {
            self.best_of_new(p, start, false)?
        } else {
            self.climb(p, start, false, true)?
        };
        if self.facet(best).visible {
            return Err(Stuck);
        }
        if outside {
            self.add_outside(p, best, height);
            Ok(())
        } else if height >= -NEAR_INSIDE * ONE_MERGE * self.tolerance.round {
            self.partition_coplanar(p, best, best, height, true, depth)
        } else {
            Ok(())
        }
    }

    fn add_outside(&mut self, p: u32, facet: u32, height: f64) {
        let f = self.facet_mut(facet);
        if f.outside.is_empty() {
            f.outside.push(p);
            f.furthest = height;
            self.look_again(facet);
        } else if f.furthest < height {
            f.outside.push(p);
            f.furthest = height;
        } else {
            let before = f.outside.len() - 1;
            f.outside.insert(before, p);
        }
    }

    /// A facet that had no points got one: the search for the next point must not miss it.
    fn look_again(&mut self, facet: u32) {
        if self.next_facet == facet {
            return;
        }
        if self.facet(facet).is_new {
            if self.facet(self.next_facet).is_new {
                self.next_facet = self.new_facets;
            }
        } else {
            self.remove_facet(facet);
            self.append_facet(facet);
            if self.new_facets != NONE {
                self.facet_mut(facet).is_new = true;
            }
        }
    }

    /// A point near its best facet. `known`: it was not looked for from `start`.
    fn partition_coplanar(
        &mut self,
        p: u32,
        start: u32,
        best: u32,
        height: f64,
        known: bool,
        depth: usize,
    ) -> Step {
        if !known && height < -NEAR_INSIDE * ONE_MERGE * self.tolerance.round {
            return Ok(());
        }
        if self.facet(best).visible {
            return Err(Stuck);
        }
        if height > self.max_outside {
            let turned = !known && start != best && self.cosine(start, best) < 0.0;
            if turned || height > self.expected_outside * MISPLACED {
                if depth > MAX_DEPTH {
                    return Err(Stuck);
                }
                let before = std::mem::replace(&mut self.find_best_new, false);
                let done = self.partition_point(p, best, depth + 1);
                self.find_best_new = before;
                return done;
            }
            self.max_outside = height;
        }
        let furthest =
            self.facet(best).coplanar.last().map(|q| self.distance(best, self.points[*q as usize]));
        let list = &mut self.facet_mut(best).coplanar;
        match furthest {
            Some(highest) if !(highest < height) => {
                let before = list.len() - 1;
                list.insert(before, p);
            }
            _ => list.push(p),
        }
        Ok(())
    }

    /// The first new facet from `start` on, around the list, that the point is clearly above; else the best.
    /// `best_only`: the best one in any case.
    fn best_of_new(&mut self, p: u32, start: u32, best_only: bool) -> Step<(u32, f64, bool)> {
        let point = self.points[p as usize];
        let threshold = if best_only { f64::INFINITY } else { self.clearly_outside() };
        let (mut best, mut highest) = (NONE, f64::MIN / 2.0);
        let rest = self.list(self.new_facets).take_while(|f| *f != start);
        for facet in self.list(start).chain(rest) {
            if self.facet(facet).flipped {
                continue;
            }
            let height = self.distance(facet, point);
            if height > highest {
                (best, highest) = (facet, height);
                if height >= threshold {
                    return Ok((best, height, true));
                }
            }
        }
        let (best, height) = self.search_horizon(point, if best == NONE { start } else { best }, highest);
        Ok((best, height, height >= self.tolerance.outside))
    }

    /// Uphill from facet to facet, to the first that the point is outside of or to a summit.
    fn climb(&mut self, p: u32, start: u32, best_only: bool, only_new: bool) -> Step<(u32, f64, bool)> {
        let point = self.points[p as usize];
        let visit = self.next_visit();
        let limit = if best_only { f64::INFINITY } else { self.tolerance.outside };
        let (mut best, mut highest) = (NONE, f64::MIN / 2.0);
        if !self.facet(start).flipped {
            (best, highest) = (start, self.distance(start, point));
            if highest >= limit {
                return Ok((start, highest, true));
            }
        }
        self.facet_mut(start).visit = visit;
        let mut at = Some(start);
        while let Some(facet) = at {
            at = None;
            for i in 0..self.facet(facet).neighbors.len() {
                let neighbor = self.facet(facet).neighbors[i];
                let n = self.facet_mut(neighbor);
                if (only_new && !n.is_new) || n.visit == visit {
                    continue;
                }
                n.visit = visit;
                if n.flipped {
                    continue;
                }
                let height = self.distance(neighbor, point);
                if height > highest {
                    (best, highest) = (neighbor, height);
                    if height >= limit {
                        return Ok((best, height, true));
                    }
                    at = Some(neighbor);
                    break;
                }
            }
        }
        if only_new {
            if best == NONE {
                return self.best_of_new(p, self.new_facets, best_only);
            }
            if !self.not_sharp && highest < -self.tolerance.round {
                if self.is_sharp() {
                    self.find_best_new = true;
                    return self.best_of_new(p, best, best_only);
                }
                self.not_sharp = true;
            }
        }
        if best == NONE {
            return Err(Stuck);
        }
        let (best, height) = self.search_horizon(point, best, highest);
        Ok((best, height, height >= self.tolerance.outside))
    }

    /// Do the normals of the new facets lie in different octants?
    fn is_sharp(&self) -> bool {
        let octant = |f: u32| self.facet(f).plane.map(|(n, _)| n.map(|x| x > 0.0));
        let first = octant(self.new_facets);
        self.list(self.new_facets).any(|f| octant(f) != first)
    }

    /// Looks for a better facet among neighbours that are nearly as good.
    fn search_horizon(&mut self, point: Vec3, start: u32, height: f64) -> (u32, f64) {
        let visit = self.next_visit();
        let depth = self.search_depth();
        let (mut best, mut highest, mut lowest) = (start, height, height - depth);
        let mut waiting: Vec<u32> = Vec::new();
        self.facet_mut(start).visit = visit;
        let mut at = start;
        loop {
            let mut next = NONE;
            for i in 0..self.facet(at).neighbors.len() {
                let neighbor = self.facet(at).neighbors[i];
                if self.facet(neighbor).visit == visit {
                    continue;
                }
                self.facet_mut(neighbor).visit = visit;
                if !self.facet(neighbor).flipped {
                    let height = self.distance(neighbor, point);
                    if height > highest {
                        lowest = height - depth;
                        if height > highest + depth {
                            waiting.clear();
                        }
                        (best, highest) = (neighbor, height);
                    } else if height < lowest {
                        continue;
                    }
                }
                if next != NONE {
                    waiting.push(next);
                }
                next = neighbor;
            }
            at = match (next, waiting.len()) {
                (NONE, 0) => return (best, highest),
                (NONE, _) => waiting.pop().unwrap_or(NONE),
                _ => next,
            };
        }
    }
}
