//! Joining new facets with the facet of the horizon that they are coplanar with.

use super::join::Occasion;
use super::lists::{remove, replace};
use super::{NONE, Quick, Step, Stuck};

/// Up to this many vertices the centre of a facet is recomputed.
const RECENTERED: usize = 8;

impl Quick<'_> {
    /// Joins new facets into coplanar facets of the horizon; true when there were any.
    pub(super) fn join_cycles(&mut self) -> Step<bool> {
        let mut any = false;
        for facet in self.list(self.new_facets).collect::<Vec<_>>() {
            let f = self.facet(facet);
            if f.plane.is_some() || f.visible || f.cycle_done {
                continue;
            }
            any = true;
            let horizon = f.neighbors[0];
            if f.same_cycle == facet {
                for i in 1..3 {
                    let v = self.facet(facet).vertices[i];
                    self.vertex_mut(v).lost_ridge = true;
                }
                self.join(facet, horizon, None, Occasion::Horizon)?;
                continue;
            }
            // from the facet after this one around to this one
            let mut cycle = Vec::new();
            let mut at = self.facet(facet).same_cycle;
            loop {
                if at == NONE || self.facet(at).visible || self.facet(at).cycle_done {
                    return Err(Stuck);
                }
                self.facet_mut(at).cycle_done = true;
                cycle.push(at);
                if at == facet {
                    break;
                }
                at = self.facet(at).same_cycle;
            }
            self.join_cycle(&cycle, horizon)?;
        }
        if any {
            for facet in self.list(self.new_facets).collect::<Vec<_>>() {
                if self.facet(facet).coplanar_horizon {
                    self.check_redundant_neighbors(facet)?;
                    self.facet_mut(facet).coplanar_horizon = false;
                }
            }
            self.join_leftovers()?;
        }
        Ok(any)
    }

    fn join_cycle(&mut self, cycle: &[u32], into: u32) -> Step {
        self.merges += 1;
        self.find_neighbors();
        let apex = self.facet(cycle[cycle.len() - 1]).vertices[0];
        self.make_ridges(into);
        let same = self.cycle_neighbors(cycle, into);
        self.cycle_ridges(cycle, into, same)?;
        self.cycle_vertices(cycle, into, same, apex);
        if self.facet(into).vertices.first() != Some(&apex) {
            self.facet_mut(into).vertices.insert(0, apex);
        }
        if !self.facet(into).is_new {
            self.renew_vertices(&self.facet(into).vertices.clone());
        }
        self.remove_facet(into);
        self.append_facet(into);
        let f = self.facet_mut(into);
        f.is_new = true;
        f.simplicial = false;
        f.new_merge = true;
        for &facet in cycle {
            self.retire(facet, into);
        }
        let f = self.facet_mut(into);
        if f.vertices.len() <= RECENTERED {
            f.center = None;
        }
        Ok(())
    }

    /// Neighbours of the cycle become those of the facet; returns the mark of the cycle.
    fn cycle_neighbors(&mut self, cycle: &[u32], into: u32) -> u32 {
        let same = self.next_visit();
        for &facet in cycle {
            self.facet_mut(facet).visit = same;
        }
        let visit = self.next_visit();
        self.facet_mut(into).visit = visit;
        let mut neighbors = std::mem::take(&mut self.facet_mut(into).neighbors);
        neighbors.retain(|n| self.facet(*n).visit != same);
        for n in &neighbors {
            self.facet_mut(*n).visit = visit;
        }
        self.facet_mut(into).neighbors = neighbors;
        for &facet in cycle {
            for neighbor in self.facet(facet).neighbors.clone() {
                if self.facet(neighbor).visit == same {
                    continue;
                }
                let known = self.facet(neighbor).visit == visit;
                match (self.facet(neighbor).simplicial, known) {
                    (true, false) => {
                        self.facet_mut(into).neighbors.push(neighbor);
                        replace(&mut self.facet_mut(neighbor).neighbors, facet, into);
                        self.facet_mut(neighbor).visit = visit;
                        self.hand_over_first(neighbor, facet, into);
                    }
                    (true, true) => {
                        self.make_ridges(neighbor);
                        remove(&mut self.facet_mut(neighbor).neighbors, facet);
                    }
                    (false, known) => {
                        remove(&mut self.facet_mut(neighbor).neighbors, facet);
                        if !known {
                            self.facet_mut(neighbor).neighbors.push(into);
                            self.facet_mut(into).neighbors.push(neighbor);
                            self.facet_mut(neighbor).visit = visit;
                        }
                    }
                }
            }
        }
        same
    }

    fn hand_over_first(&mut self, neighbor: u32, facet: u32, into: u32) {
        for ridge in self.facet(neighbor).ridges.clone() {
            let edge = &mut self.ridges[ridge as usize];
            if edge.top == facet {
                edge.top = into;
                return;
            }
            if edge.bottom == facet {
                edge.bottom = into;
                return;
            }
        }
    }

    fn cycle_ridges(&mut self, cycle: &[u32], into: u32, same: u32) -> Step {
        let mut ridges = std::mem::take(&mut self.facet_mut(into).ridges);
        ridges.retain(|r| self.facet(self.ridges[*r as usize].other(into)).visit != same);
        self.facet_mut(into).ridges = ridges;
        for &facet in cycle {
            for ridge in self.facet(facet).ridges.clone() {
                let edge = &mut self.ridges[ridge as usize];
                let neighbor = if edge.top == facet {
                    edge.top = into;
                    edge.bottom
                } else if edge.bottom == facet {
                    edge.bottom = into;
                    edge.top
                } else if edge.top == into || edge.bottom == into {
                    self.add_ridge(into, ridge);
                    continue;
                } else {
                    return Err(Stuck);
                };
                if neighbor == into {
                    continue;
                }
                if self.facet(neighbor).visit == same {
                    remove(&mut self.facet_mut(neighbor).ridges, ridge);
                } else {
                    self.add_ridge(into, ridge);
                }
            }
            self.facet_mut(facet).ridges.clear();
            if !self.facet(facet).simplicial {
                continue;
            }
            for (i, neighbor) in self.facet(facet).neighbors.clone().into_iter().enumerate() {
                if self.facet(neighbor).visit != same && self.facet(neighbor).simplicial {
                    self.new_ridge(facet, i, into, neighbor, false);
                }
            }
        }
        Ok(())
    }

    fn cycle_vertices(&mut self, cycle: &[u32], into: u32, same: u32, apex: u32) {
        self.facet_mut(into).visit = same;
        let mut vertices: Vec<u32> = Vec::new();
        for &facet in cycle {
            for &v in &self.facet(facet).vertices {
                if v != apex && !vertices.contains(&v) {
                    vertices.push(v);
                }
            }
        }
        vertices.push(apex);
        for v in vertices {
            let mut neighbors = std::mem::take(&mut self.vertex_mut(v).neighbors);
            neighbors.retain(|f| self.facet(*f).visit != same);
            neighbors.push(into);
            let lonely = neighbors.len() < 2;
            self.vertex_mut(v).neighbors = neighbors;
            self.vertex_mut(v).lost_ridge = true;
            if lonely {
                self.drop_vertex(into, v);
            }
        }
    }
}
