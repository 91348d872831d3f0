//! The border of a flat side: where its faces end.

use std::collections::BTreeSet;

/// A directed edge of two vertices.
type Edge = (i32, i32);

/// Sides with more edges than this have them indexed.
const SEARCHED: usize = 64;

/// Edges at the border of the faces of one direction, with the connected part each belongs to.
#[derive(Debug)]
pub struct Border {
    /// In the order in which they came; `None` where one has vanished.
    edges: Vec<Option<Edge>>,
    /// Island in which each edge began.
    islands: Vec<usize>,
    /// For each island the one it was joined to, a lower number, or itself.
    joined: Vec<usize>,
    /// Edges with their places, once there were many.
    index: Option<BTreeSet<(Edge, usize)>>,
}

impl Border {
    pub fn new([a, b, c]: [i32; 3]) -> Self {
        // most sides have few faces, each with one or two edges more
        const ROOM: usize = 8;
        let (mut edges, mut islands) = (Vec::with_capacity(ROOM), Vec::with_capacity(ROOM));
        edges.extend([Some((a, b)), Some((b, c)), Some((c, a))]);
        islands.extend([0; 3]);
        Self { edges, islands, joined: vec![0], index: None }
    }

    /// Adds a face: an edge that is there in the other direction vanishes, and joins islands.
    pub fn insert(&mut self, [a, b, c]: [i32; 3]) {
        let mut island = None;
        let mut fresh = [true; 3];
        let edges = [(a, b), (b, c), (c, a)];
        for (edge, fresh) in edges.iter().zip(&mut fresh) {
            let Some(at) = self.find((edge.1, edge.0)) else { continue };
            let other = self.island(self.islands[at]);
            island = Some(island.map_or(other, |own| self.combine(own, other)));
            *fresh = false;
            self.edges[at] = None;
            if let Some(index) = &mut self.index {
                index.remove(&((edge.1, edge.0), at));
            }
        }
        let island = island.unwrap_or_else(|| {
            self.joined.push(self.joined.len());
            self.joined.len() - 1
        });
        for (edge, _) in edges.into_iter().zip(fresh).filter(|(_, fresh)| *fresh) {
            self.edges.push(Some(edge));
            self.islands.push(island);
            if let Some(index) = &mut self.index {
                index.insert((edge, self.edges.len() - 1));
            }
        }
    }

    /// The first place of an edge.
    fn find(&mut self, edge: Edge) -> Option<usize> {
        if self.edges.len() <= SEARCHED {
            return self.edges.iter().position(|e| *e == Some(edge));
        }
        let present = self.edges.iter().enumerate();
        let index =
            self.index.get_or_insert_with(|| present.filter_map(|(at, e)| e.map(|e| (e, at))).collect());
        index.range((edge, 0)..=(edge, usize::MAX)).next().map(|&(_, at)| at)
    }

    /// The island that an island belongs to now.
    fn island(&mut self, mut island: usize) -> usize {
        while self.joined[island] != island {
            self.joined[island] = self.joined[self.joined[island]];
            island = self.joined[island];
        }
        island
    }

    /// Joins two islands: the later one becomes part of the earlier one.
    fn combine(&mut self, a: usize, b: usize) -> usize {
        let (kept, gone) = (a.min(b), a.max(b));
        self.joined[gone] = kept;
        kept
    }

    /// Loops around the islands, the earliest first.
    pub fn paths(&mut self) -> Vec<Vec<i32>> {
        let mut edges = Vec::new();
        for at in 0..self.edges.len() {
            if let Some(edge) = self.edges[at] {
                edges.push((self.island(self.islands[at]), edge));
            }
        }
        if let [a, b, c] = edges[..] {
            return vec![vec![a.1.0, b.1.0, c.1.0]];
        }
        Outline::new(&edges).paths()
    }
}

/// The remaining edges of a side: their islands and themselves, in the order in which they came.
struct Outline<'a> {
    edges: &'a [(usize, Edge)],
    /// Island, first vertex and place of every edge but the very first, sorted.
    onwards: Vec<(usize, i32, usize)>,
}

impl<'a> Outline<'a> {
    fn new(edges: &'a [(usize, Edge)]) -> Self {
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
