//! Lists of facets and vertices.

use super::{Facet, NONE, Quick, TAIL, Vertex};
use ligament_math::Vec3;

/// Removes an element; the last one takes its place.
pub(super) fn remove(set: &mut Vec<u32>, element: u32) {
    if let Some(at) = set.iter().position(|x| *x == element) {
        set.swap_remove(at);
    }
}

/// Removes an element and keeps the order.
pub(super) fn remove_sorted(set: &mut Vec<u32>, element: u32) {
    set.retain(|x| *x != element);
}

pub(super) fn replace(set: &mut [u32], old: u32, new: u32) {
    if let Some(x) = set.iter_mut().find(|x| **x == old) {
        *x = new;
    }
}

impl Quick<'_> {
    pub(super) fn facet(&self, facet: u32) -> &Facet {
        &self.facets[facet as usize]
    }

    pub(super) fn facet_mut(&mut self, facet: u32) -> &mut Facet {
        &mut self.facets[facet as usize]
    }

    pub(super) fn vertex_mut(&mut self, vertex: u32) -> &mut Vertex {
        &mut self.vertices[vertex as usize]
    }

    pub(super) fn point(&self, vertex: u32) -> Vec3 {
        self.points[self.vertices[vertex as usize].point as usize]
    }

    /// The list of facets from one of them on.
    pub(super) fn list(&self, start: u32) -> impl Iterator<Item = u32> {
        let end = |f: &u32| *f != TAIL && *f != NONE;
        std::iter::successors(Some(start).filter(end), move |f| {
            Some(self.facets[*f as usize].next).filter(end)
        })
    }

    /// Facets that are about to vanish.
    pub(super) fn visible_list(&self) -> Vec<u32> {
        self.list(self.visible_facets).take_while(|f| self.facets[*f as usize].visible).collect()
    }

    /// A triangle at the end of the list.
    pub(super) fn new_facet(&mut self, vertices: Vec<u32>, top: bool) -> u32 {
        let index = self.facets.len() as u32;
        let max_outside = self.tolerance.round;
        let facet = Facet {
            vertices,
            top,
            simplicial: true,
            is_new: true,
            replacement: NONE,
            same_cycle: NONE,
            new_cycle: NONE,
            max_outside,
            ..Facet::default()
        };
        self.facets.push(facet);
        self.append_facet(index);
        index
    }

    pub(super) fn append_facet(&mut self, facet: u32) {
        if self.new_facets == TAIL {
            self.new_facets = facet;
            if self.visible_facets == TAIL {
                self.visible_facets = facet;
            }
        }
        if self.next_facet == TAIL {
            self.next_facet = facet;
        }
        let previous = self.facet(TAIL).previous;
        self.facet_mut(facet).previous = previous;
        self.facet_mut(facet).next = TAIL;
        match previous {
            NONE => self.first_facet = facet,
            _ => self.facet_mut(previous).next = facet,
        }
        self.facet_mut(TAIL).previous = facet;
        self.facet_count += 1;
    }

    pub(super) fn remove_facet(&mut self, facet: u32) {
        let (previous, next) = (self.facet(facet).previous, self.facet(facet).next);
        for head in [&mut self.new_facets, &mut self.next_facet, &mut self.visible_facets] {
            if *head == facet {
                *head = next;
            }
        }
        match previous {
            NONE => self.first_facet = next,
            _ => self.facet_mut(previous).next = next,
        }
        self.facet_mut(next).previous = previous;
        self.facet_count -= 1;
    }

    /// Puts a facet before another one.
    fn insert_before(&mut self, facet: u32, place: u32) {
        let previous = self.facet(place).previous;
        self.facet_mut(facet).previous = previous;
        self.facet_mut(facet).next = place;
        if previous != NONE {
            self.facet_mut(previous).next = facet;
        }
        self.facet_mut(place).previous = facet;
        if self.first_facet == place {
            self.first_facet = facet;
        }
        if self.next_facet == place {
            self.next_facet = facet;
        }
        self.facet_count += 1;
    }

    /// Moves a facet to those that vanish.
    pub(super) fn retire(&mut self, facet: u32, replacement: u32) {
        self.remove_facet(facet);
        let head = if self.visible_facets == NONE { TAIL } else { self.visible_facets };
        self.insert_before(facet, head);
        self.visible_facets = facet;
        self.visible_count += 1;
        let f = self.facet_mut(facet);
        f.visible = true;
        f.replacement = replacement;
        f.ridges.clear();
        f.neighbors.clear();
    }

    /// What a facet became.
    pub(super) fn replacement_of(&self, facet: u32) -> u32 {
        let mut at = facet;
        while at != NONE && self.facet(at).visible {
            at = self.facet(at).replacement;
        }
        at
    }

    /// Starts with the facet that has the highest point.
    pub(super) fn start_with_furthest(&mut self) {
        self.next_facet = self.first_facet;
        let mut best: Option<(u32, f64)> = None;
        for facet in self.list(self.first_facet) {
            let f = self.facet(facet);
            if !f.outside.is_empty() && best.is_none_or(|(_, highest)| f.furthest > highest) {
                best = Some((facet, f.furthest));
            }
        }
        if let Some((facet, _)) = best {
            self.remove_facet(facet);
            self.insert_before(facet, self.next_facet);
            self.next_facet = facet;
        }
    }

    pub(super) fn append_vertex(&mut self, vertex: u32) {
        if self.new_vertices == TAIL {
            self.new_vertices = vertex;
        }
        let previous = self.vertices[TAIL as usize].previous;
        let v = self.vertex_mut(vertex);
        v.is_new = true;
        v.previous = previous;
        v.next = TAIL;
        match previous {
            NONE => self.first_vertex = vertex,
            _ => self.vertex_mut(previous).next = vertex,
        }
        self.vertex_mut(TAIL).previous = vertex;
        self.vertex_count += 1;
    }

    pub(super) fn remove_vertex(&mut self, vertex: u32) {
        let (previous, next) = {
            let v = &self.vertices[vertex as usize];
            (v.previous, v.next)
        };
        if self.new_vertices == vertex {
            self.new_vertices = next;
        }
        match previous {
            NONE => self.first_vertex = next,
            _ => self.vertex_mut(previous).next = next,
        }
        self.vertex_mut(next).previous = previous;
        self.vertex_count -= 1;
    }

    /// Moves vertices to the end of their list, once per added point.
    pub(super) fn renew_vertices(&mut self, vertices: &[u32]) {
        for &v in vertices {
            if !self.vertices[v as usize].is_new {
                self.remove_vertex(v);
                self.append_vertex(v);
            }
        }
    }

    pub(super) fn vertex_list(&self, start: u32) -> Vec<u32> {
        let (mut list, mut at) = (Vec::new(), start);
        while at != TAIL && at != NONE {
            list.push(at);
            at = self.vertices[at as usize].next;
        }
        list
    }

    pub(super) fn delete_vertex(&mut self, vertex: u32) {
        self.vertex_mut(vertex).deleted = true;
        self.deleted.push(vertex);
    }

    pub(super) fn delete_visible(&mut self) {
        for facet in self.visible_list() {
            self.remove_facet(facet);
            let f = self.facet_mut(facet);
            (f.outside, f.coplanar) = (Vec::new(), Vec::new());
        }
        self.visible_count = 0;
        for vertex in std::mem::take(&mut self.deleted) {
            self.remove_vertex(vertex);
        }
    }

    /// Nothing is new any more.
    pub(super) fn reset_lists(&mut self) {
        for vertex in self.vertex_list(self.new_vertices) {
            self.vertex_mut(vertex).is_new = false;
        }
        self.new_vertices = NONE;
        for facet in self.list(self.new_facets).collect::<Vec<_>>() {
            self.facet_mut(facet).is_new = false;
        }
        self.new_facets = NONE;
        self.visible_facets = NONE;
    }

    pub(super) fn next_visit(&mut self) -> u32 {
        self.visit += 1;
        self.visit
    }

    /// Marks the vertices of a facet; returns the mark.
    pub(super) fn mark_vertices(&mut self, facet: u32) -> u32 {
        self.vertex_visit += 1;
        let mark = self.vertex_visit;
        let Self { facets, vertices, .. } = self;
        for &v in &facets[facet as usize].vertices {
            vertices[v as usize].visit = mark;
        }
        mark
    }
}
