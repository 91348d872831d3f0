//! The border of a flat side: where its faces end.

use std::collections::{BTreeSet, HashMap};

/// A directed edge of two vertices.
type Edge = (i32, i32);

/// Sides with more edges than this have them indexed.
const SEARCHED: usize = 64;

/// Edges at the border of the faces of one direction, with the connected part each belongs to.
#[derive(Debug)]
pub struct Border {
    /// In the order in which they came.
    edges: Vec<Placed>,
    /// For each island the one it was joined to, a lower number, or itself; empty while there is one.
    joined: Vec<u32>,
    /// Places of edges, once there were many.
    index: Option<Index>,
}

#[derive(Debug, Clone, Copy)]
struct Placed {
    /// `None` where one has vanished.
    edge: Option<Edge>,
    /// Island in which it began.
    island: u32,
}

impl Border {
    pub fn new([a, b, c]: [i32; 3]) -> Self {
        // most sides have few faces, each with one or two edges more
        const ROOM: usize = 8;
        let mut edges = Vec::with_capacity(ROOM);
        edges.extend([(a, b), (b, c), (c, a)].map(|edge| Placed { edge: Some(edge), island: 0 }));
        Self { edges, joined: Vec::new(), index: None }
    }

    /// Adds a face: an edge that is there in the other direction vanishes, and joins islands.
    pub fn insert(&mut self, [a, b, c]: [i32; 3]) {
        let mut island = None;
        let mut fresh = [true; 3];
        let edges = [(a, b), (b, c), (c, a)];
        for (&(from, to), fresh) in edges.iter().zip(&mut fresh) {
            let Some(at) = self.find((to, from)) else { continue };
            let other = self.island(self.edges[at].island);
            island = Some(island.map_or(other, |own| self.combine(own, other)));
            *fresh = false;
            self.edges[at].edge = None;
            if let Some(index) = &mut self.index {
                index.remove((to, from));
            }
        }
        let island = island.unwrap_or_else(|| self.new_island());
        for (edge, _) in edges.into_iter().zip(fresh).filter(|(_, fresh)| *fresh) {
            if let Some(index) = &mut self.index {
                index.insert(edge, self.edges.len());
            }
            self.edges.push(Placed { edge: Some(edge), island });
        }
    }

    /// The first place of an edge.
    fn find(&mut self, edge: Edge) -> Option<usize> {
        if self.edges.len() <= SEARCHED {
            return self.edges.iter().position(|placed| placed.edge == Some(edge));
        }
        let edges = &self.edges;
        self.index.get_or_insert_with(|| Index::of(edges)).first.get(&edge).copied()
    }

    fn new_island(&mut self) -> u32 {
        if self.joined.is_empty() {
            self.joined.push(0);
        }
        self.joined.push(self.joined.len() as u32);
        self.joined.len() as u32 - 1
    }

    /// The island that an island belongs to now.
    fn island(&mut self, mut island: u32) -> u32 {
        if self.joined.is_empty() {
            return island;
        }
        while self.joined[island as usize] != island {
            let up = self.joined[island as usize];
            self.joined[island as usize] = self.joined[up as usize];
            island = self.joined[island as usize];
        }
        island
    }

    /// Joins two islands: the later one becomes part of the earlier one.
    fn combine(&mut self, a: u32, b: u32) -> u32 {
        let (kept, gone) = (a.min(b), a.max(b));
        if kept < gone {
            self.joined[gone as usize] = kept;
        }
        kept
    }

    /// Loops around the islands, the earliest first.
    pub fn paths(&mut self) -> Vec<Vec<i32>> {
        let mut edges = Vec::new();
        for at in 0..self.edges.len() {
            if let Placed { edge: Some(edge), island } = self.edges[at] {
                edges.push((self.island(island), edge));
            }
        }
        if let [a, b, c] = edges[..] {
            return vec![vec![a.1.0, b.1.0, c.1.0]];
        }
        Outline::new(&edges).paths()
    }
}

/// Where edges are in a long list.
#[derive(Debug, Default)]
struct Index {
    /// The first place of each.
    first: HashMap<Edge, usize>,
    /// Further places of edges that are there several times.
    further: BTreeSet<(Edge, usize)>,
}

impl Index {
    fn of(edges: &[Placed]) -> Self {
        let mut index = Self::default();
        for (at, placed) in edges.iter().enumerate() {
            if let Some(edge) = placed.edge {
                index.insert(edge, at);
            }
        }
        index
    }

    /// Adds an edge behind all others.
    fn insert(&mut self, edge: Edge, at: usize) {
        let first = *self.first.entry(edge).or_insert(at);
        if first != at {
            self.further.insert((edge, at));
        }
    }

    /// Forgets the first place of an edge.
    fn remove(&mut self, edge: Edge) {
        self.first.remove(&edge);
        if self.further.is_empty() {
            return;
        }
        let next = self.further.range((edge, 0)..=(edge, usize::MAX)).next().copied();
        if let Some(next) = next {
            self.further.remove(&next);
            self.first.insert(edge, next.1);
        }
    }
}

/// The remaining edges of a side: their islands and themselves, in the order in which they came.
struct Outline<'a> {
    edges: &'a [(u32, Edge)],
    /// Island, first vertex and place of every edge but the very first, sorted.
    onwards: Vec<(u32, i32, usize)>,
}

impl<'a> Outline<'a> {
    fn new(edges: &'a [(u32, Edge)]) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn an_indexed_border_has_the_paths_of_a_searched_one() {
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
            let mut border = Border::new(faces[0]);
            faces[1..].iter().for_each(|face| border.insert(*face));
            let degenerate = faces.iter().any(|[a, b, c]| a == b || b == c || c == a);
            if !degenerate {
                assert_eq!(border.paths(), searched(&faces), "{faces:?}");
            }
        }
    }
}
