//! Which facet a point belongs to.

use super::Halt::Stuck;
use super::unite::ONE_MERGE;
use super::{MANY_MERGES, Step, Surface};
use ligament_math::Vec3;

/// Points at most this deep inside, in merges, are kept near their facet.
const NEAR_INSIDE: f64 = 5.0;
/// A coplanar point this many times further out than expected is outside after all.
const MISPLACED: f64 = 30.0;
/// Points that go back and forth between outside and coplanar.
const MAX_DEPTH: usize = 4;
/// Below all heights.
const LOWEST: f64 = f64::MIN / 2.0;

/// The best facet for a point.
#[derive(Debug, Clone, Copy)]
struct Home {
    facet: u32,
    height: f64,
    is_outside: bool,
}

/// What a search may stop at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// A facet that the point is outside of.
    Outside,
    Best,
}

impl Surface<'_> {
    /// After many merges heights are doubted.
    fn doubt(&self) -> f64 {
        if self.merges > MANY_MERGES { 2.0 } else { 1.0 }
    }

    /// From this height on a point goes to the first facet found.
    fn clearly_outside(&self) -> f64 {
        self.doubt() * (2.0 * self.tolerance.outside).max(self.max_outside)
    }

    /// Facets this much lower than the best one may still lead to a better one.
    fn search_depth(&self) -> f64 {
        self.doubt() * (self.max_outside + 2.0 * self.tolerance.round + self.tolerance.coplanar)
    }

    /// Points deeper inside than this are forgotten.
    fn near_inside(&self) -> f64 {
        -NEAR_INSIDE * ONE_MERGE * self.tolerance.round
    }

    pub(super) fn expect_outside(&mut self) {
        let merged = ONE_MERGE * self.tolerance.round + self.tolerance.round;
        self.expected_outside = self.max_outside.max(merged).max(self.tolerance.outside);
    }

    /// Gives all points to the facets of the first simplex.
    pub(super) fn assign_all(&mut self) -> Step {
        let corners: Vec<u32> = self.vertices.iter().map(|v| v.point).collect();
        let mut rest: Vec<u32> = (0..self.points.len() as u32).filter(|p| !corners.contains(p)).collect();
        let threshold = self.clearly_outside();
        for facet in 0..4 {
            rest.retain(|&p| {
                let height = self.height(facet, self.points[p as usize]);
                if height < threshold {
                    return true;
                }
                self.put_outside(p, facet, height);
                false
            });
        }
        self.round.scans = true;
        for p in rest {
            self.assign(p, 0, 0)?;
        }
        self.round.scans = false;
        Ok(())
    }

    /// Gives the points of facets that vanish to the new ones.
    pub(super) fn reassign(&mut self) -> Step {
        let first = self.facet_order.fresh().next();
        for facet in self.round.gone().collect::<Vec<_>>() {
            let outside = std::mem::take(&mut self.facet_mut(facet).outside);
            let coplanar = std::mem::take(&mut self.facet_mut(facet).coplanar);
            if outside.is_empty() && coplanar.is_empty() {
                continue;
            }
            let start = self.successor(facet).or(first).ok_or(Stuck)?;
            for p in outside {
                self.assign(p, start, 0)?;
            }
            for p in coplanar {
                let home = if self.round.scans {
                    self.scan_fresh(p, start, Goal::Best)?
                } else {
                    self.climb(p, start, Goal::Best)?
                };
                self.assign_found_coplanar(p, start, home)?;
            }
        }
        for vertex in self.round.dropped.clone() {
            let (p, start) = (self.vertex(vertex).point, first.ok_or(Stuck)?);
            let home = self.scan_fresh(p, start, Goal::Best)?;
            self.assign_found_coplanar(p, start, home)?;
        }
        Ok(())
    }

    /// Gives a point to a facet that it is outside of, or to one that it is near.
    fn assign(&mut self, p: u32, start: u32, depth: usize) -> Step {
        self.afford()?;
        let home = if self.round.scans {
            self.scan_fresh(p, start, Goal::Outside)?
        } else {
            self.climb_fresh(p, start)?
        };
        if self.facet(home.facet).is_gone() {
            return Err(Stuck);
        }
        if home.is_outside {
            let first_point = self.facet(home.facet).outside.is_empty();
            self.put_outside(p, home.facet, home.height);
            if first_point {
                self.look_again(home.facet);
            }
            Ok(())
        } else if home.height >= self.near_inside() {
            self.assign_coplanar(p, home, false, depth)
        } else {
            Ok(())
        }
    }

    fn put_outside(&mut self, p: u32, facet: u32, height: f64) {
        let f = self.facet_mut(facet);
        let is_furthest = f.outside.is_empty() || f.furthest < height;
        if is_furthest {
            f.furthest = height;
        }
        put(&mut f.outside, p, is_furthest);
    }

    /// A settled facet that had no points got one: it moves behind the cursor's facet, so that it is not missed.
    fn look_again(&mut self, facet: u32) {
        let next = self.facet_order.at_or_after(self.cursor).map(|(facet, _)| facet);
        if !self.facet_order.is_fresh(facet) && next != Some(facet) {
            self.facet_order.move_to_end(facet);
        }
    }

    /// A coplanar point whose facet was looked for from `start`. A facet on the other side cannot be the right one.
    fn assign_found_coplanar(&mut self, p: u32, start: u32, home: Home) -> Step {
        self.afford()?;
        if home.height < self.near_inside() {
            return Ok(());
        }
        let turned = start != home.facet && self.cosine(start, home.facet) < 0.0;
        self.assign_coplanar(p, home, turned, 0)
    }

    /// A point near its best facet; outside after all if it is higher than anything before and `doubtful`, or much
    /// higher than expected.
    fn assign_coplanar(
        &mut self,
        p: u32,
        Home { facet, height, .. }: Home,
        doubtful: bool,
        depth: usize,
    ) -> Step {
        if self.facet(facet).is_gone() {
            return Err(Stuck);
        }
        if height > self.max_outside {
            if doubtful || height > self.expected_outside * MISPLACED {
                if depth > MAX_DEPTH {
                    return Err(Stuck);
                }
                let scans = std::mem::replace(&mut self.round.scans, false);
                let done = self.assign(p, facet, depth + 1);
                self.round.scans = scans;
                return done;
            }
            self.max_outside = height;
        }
        let furthest = self.facet(facet).coplanar.last();
        let is_furthest = furthest.is_none_or(|q| self.height(facet, self.points[*q as usize]) < height);
        put(&mut self.facet_mut(facet).coplanar, p, is_furthest);
        Ok(())
    }

    /// Looks through the new facets from `start` on, and around, for one that the point is clearly above; else for the
    /// best one, also among their neighbours.
    fn scan_fresh(&mut self, p: u32, start: u32, goal: Goal) -> Step<Home> {
        let point = self.points[p as usize];
        let enough = if goal == Goal::Best { f64::INFINITY } else { self.clearly_outside() };
        let (mut best, mut highest) = (None, LOWEST);
        let before_start = self.facet_order.fresh().take_while(|f| *f != start);
        let mut looked_at = 0;
        for facet in self.facet_order.from(start).chain(before_start) {
            looked_at += 1;
            if self.facet(facet).flipped {
                continue;
            }
            let height = self.height(facet, point);
            if height > highest {
                (best, highest) = (Some(facet), height);
                if height >= enough {
                    break;
                }
            }
        }
        self.spend(looked_at);
        if highest >= enough {
            return Ok(Home { facet: best.unwrap_or(start), height: highest, is_outside: true });
        }
        Ok(self.search_around(point, best.unwrap_or(start), highest))
    }

    /// Goes uphill over new facets. Where the cone is sharp the summit need not be the best facet: then all are tried.
    fn climb_fresh(&mut self, p: u32, start: u32) -> Step<Home> {
        let point = self.points[p as usize];
        let (best, highest) = match self.walk_uphill(point, start, Goal::Outside, true) {
            Ok(home) => return Ok(home),
            Err(summit) => summit,
        };
        let Some(best) = best else {
            let first = self.facet_order.fresh().next().ok_or(Stuck)?;
            return self.scan_fresh(p, first, Goal::Outside);
        };
        if !self.round.blunt && highest < -self.tolerance.round {
            if self.is_sharp() {
                self.round.scans = true;
                return self.scan_fresh(p, best, Goal::Outside);
            }
            self.round.blunt = true;
        }
        Ok(self.search_around(point, best, highest))
    }

    /// Goes uphill over all facets.
    fn climb(&mut self, p: u32, start: u32, goal: Goal) -> Step<Home> {
        let point = self.points[p as usize];
        match self.walk_uphill(point, start, goal, false) {
            Ok(home) => Ok(home),
            Err((best, highest)) => Ok(self.search_around(point, best.ok_or(Stuck)?, highest)),
        }
    }

    /// From facet to facet, each higher than the last: to the first that the point is outside of, or, as `Err`, to the
    /// summit and its height (`None`: all of them look inwards).
    fn walk_uphill(
        &mut self,
        point: Vec3,
        start: u32,
        goal: Goal,
        only_fresh: bool,
    ) -> Result<Home, (Option<u32>, f64)> {
        let enough = if goal == Goal::Best { f64::INFINITY } else { self.tolerance.outside };
        self.visited.clear();
        self.visited.insert(start);
        let (mut best, mut highest) = (None, LOWEST);
        if !self.facet(start).flipped {
            (best, highest) = (Some(start), self.height(start, point));
            if highest >= enough {
                return Ok(Home { facet: start, height: highest, is_outside: true });
            }
        }
        let mut at = start;
        'walk: loop {
            for i in 0..self.facet(at).neighbors.len() {
                let neighbor = self.facet(at).neighbors[i];
                self.spend(1);
                let allowed = !only_fresh || self.facet_order.is_fresh(neighbor);
                if !allowed || !self.visited.insert(neighbor) || self.facet(neighbor).flipped {
                    continue;
                }
                let height = self.height(neighbor, point);
                if height > highest {
                    (best, highest) = (Some(neighbor), height);
                    if height >= enough {
                        return Ok(Home { facet: neighbor, height, is_outside: true });
                    }
                    at = neighbor;
                    continue 'walk;
                }
            }
            return Err((best, highest));
        }
    }

    /// Do the normals of the new facets lie in different octants?
    fn is_sharp(&self) -> bool {
        let octant = |f: u32| self.facet(f).plane.map(|(n, _)| n.map(|x| x > 0.0));
        let mut octants = self.facet_order.fresh().map(octant);
        octants.next().is_some_and(|first| octants.any(|other| other != first))
    }

    /// Looks for a better facet among neighbours that are nearly as good.
    fn search_around(&mut self, point: Vec3, start: u32, height: f64) -> Home {
        let depth = self.search_depth();
        let (mut best, mut highest, mut lowest) = (start, height, height - depth);
        self.visited.clear();
        self.visited.insert(start);
        let mut waiting: Vec<u32> = Vec::new();
        let mut next = Some(start);
        while let Some(at) = next.take().or_else(|| waiting.pop()) {
            self.spend(self.facet(at).neighbors.len());
            for i in 0..self.facet(at).neighbors.len() {
                let neighbor = self.facet(at).neighbors[i];
                if !self.visited.insert(neighbor) {
                    continue;
                }
                if !self.facet(neighbor).flipped {
                    let height = self.height(neighbor, point);
                    if height > highest {
                        if height > highest + depth {
                            waiting.clear();
                        }
                        lowest = height - depth;
                        (best, highest) = (neighbor, height);
                    } else if height < lowest {
                        continue;
                    }
                }
                waiting.extend(next.replace(neighbor));
            }
        }
        Home { facet: best, height: highest, is_outside: highest >= self.tolerance.outside }
    }
}

/// Adds a point to a list whose last one is the furthest.
fn put(list: &mut Vec<u32>, p: u32, is_furthest: bool) {
    let place = if is_furthest { list.len() } else { list.len().saturating_sub(1) };
    list.insert(place, p);
}
