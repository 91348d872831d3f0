//! From simplicial facets to the final triangles: coplanar facets are joined, points inside them or on their
//! edges dropped, and the polygons cut into fans from their youngest vertex.

use super::Hull;
use super::build::{Builder, NONE};
use ligament_math::{Vec3, vec3};

/// A face of the hull as vertex numbers, counter-clockwise.
type Triangle = [u32; 3];

pub fn triangulate(builder: &Builder<'_>) -> Hull {
    let live = builder.live_facets();
    let group = groups(builder, &live);
    match fans(builder, &live, &group) {
        Some((plain, fans)) => finish(builder, &plain, &fans),
        None => finish(builder, &live.iter().map(|f| ccw(builder, *f)).collect::<Vec<_>>(), &[]),
    }
}

fn ccw(builder: &Builder<'_>, facet: u32) -> Triangle {
    let f = &builder.facets[facet as usize];
    let [a, b, c] = f.vertices;
    if f.top { [b, a, c] } else { [a, b, c] }
}

/// Representative of the flat part each facet belongs to.
fn groups(builder: &Builder<'_>, live: &[u32]) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..builder.facets.len() as u32).collect();
    let centrum = |f: u32| -> Vec3 {
        let sum = builder.facets[f as usize]
            .vertices
            .iter()
            .fold([0.0; 3], |s, v| vec3::add(s, builder.points[builder.vertices[*v as usize] as usize]));
        sum.map(|x| x / 3.0)
    };
    let height = |f: u32, p: Vec3| {
        let facet = &builder.facets[f as usize];
        facet.offset + vec3::dot(p, facet.normal)
    };
    for &f in live {
        for g in builder.facets[f as usize].neighbors {
            if g == NONE || g < f {
                continue;
            }
            let limit = -builder.tolerance.coplanar;
            if height(g, centrum(f)) >= limit && height(f, centrum(g)) >= limit {
                let (a, b) = (root(&mut parent, f), root(&mut parent, g));
                parent[b.max(a) as usize] = b.min(a);
            }
        }
    }
    (0..parent.len() as u32).map(|f| root(&mut parent, f)).collect()
}

fn root(parent: &mut [u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        parent[at as usize] = parent[parent[at as usize] as usize];
        at = parent[at as usize];
    }
    at
}

/// Triangles of single facets and of joined ones; `None` when a joined part is not a simple polygon.
fn fans(builder: &Builder<'_>, live: &[u32], group: &[u32]) -> Option<(Vec<Triangle>, Vec<Triangle>)> {
    let corner = corners(builder, live, group);
    let mut size = vec![0_u32; group.len()];
    for &f in live {
        size[group[f as usize] as usize] += 1;
    }
    let (mut plain, mut fans) = (Vec::new(), Vec::new());
    let mut edges: Vec<(u32, u32, u32)> = Vec::new();
    for &f in live {
        let own = group[f as usize];
        if size[own as usize] == 1 {
            plain.push(ccw(builder, f));
            continue;
        }
        let [a, b, c] = ccw(builder, f);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let facet = &builder.facets[f as usize];
            let across = facet.vertices.iter().position(|v| *v != from && *v != to)?;
            if group[facet.neighbors[across] as usize] != own {
                edges.push((own, from, to));
            }
        }
    }
    // a dropped vertex of a lone triangle would leave a hole
    if plain.iter().flatten().any(|v| !corner[*v as usize]) {
        return None;
    }
    edges.sort_unstable();
    let mut at = 0;
    while at < edges.len() {
        let own = edges[at].0;
        let end = at + edges[at..].iter().take_while(|e| e.0 == own).count();
        let polygon = polygon(&edges[at..end], &corner)?;
        let apex = (0..polygon.len()).max_by_key(|i| polygon[*i])?;
        for i in 1..polygon.len() - 1 {
            let pick = |k: usize| polygon[(apex + k) % polygon.len()];
            fans.push([pick(0), pick(i), pick(i + 1)]);
        }
        at = end;
    }
    Some((plain, fans))
}

/// Vertices where at least three flat parts meet.
fn corners(builder: &Builder<'_>, live: &[u32], group: &[u32]) -> Vec<bool> {
    let mut seen = vec![[NONE; 3]; builder.vertices.len()];
    for &f in live {
        for v in builder.facets[f as usize].vertices {
            let own = group[f as usize];
            let list = &mut seen[v as usize];
            if !list.contains(&own)
                && let Some(slot) = list.iter_mut().find(|s| **s == NONE)
            {
                *slot = own;
            }
        }
    }
    seen.iter().map(|list| list[2] != NONE).collect()
}

/// The boundary (own, from, to) sorted by `from`, as one loop of corners; `None` unless it is one.
fn polygon(edges: &[(u32, u32, u32)], corner: &[bool]) -> Option<Vec<u32>> {
    if edges.windows(2).any(|pair| pair[0].1 == pair[1].1) {
        return None;
    }
    let mut path = Vec::with_capacity(edges.len());
    let start = edges[0].1;
    let mut at = start;
    for step in 0..edges.len() {
        if corner[at as usize] {
            path.push(at);
        }
        let next = edges.binary_search_by_key(&at, |e| e.1).ok()?;
        at = edges[next].2;
        if at == start && step + 1 != edges.len() {
            return None;
        }
    }
    (at == start && path.len() >= 3).then_some(path)
}

/// Numbers vertices and faces as Qhull's lists have them.
fn finish(builder: &Builder<'_>, plain: &[Triangle], fans: &[Triangle]) -> Hull {
    let mut stamps = builder.stamps.clone();
    let mut stamp = stamps.iter().copied().max().unwrap_or(0);
    let mut moved = vec![false; stamps.len()];
    let mut used = vec![false; stamps.len()];
    let mut faces = Vec::with_capacity(plain.len() + fans.len());
    let mut swapped = Vec::with_capacity(plain.len() + fans.len());
    for (index, triangle) in plain.iter().chain(fans).enumerate() {
        let mut sorted = *triangle;
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        for v in sorted {
            used[v as usize] = true;
            if index >= plain.len() && !std::mem::replace(&mut moved[v as usize], true) {
                stamp += 1;
                stamps[v as usize] = stamp;
            }
        }
        let [a, b, c] = sorted;
        let rotation = triangle.iter().position(|v| *v == a).unwrap_or(0);
        let even = triangle[(rotation + 1) % 3] == b;
        let order = if even { [a, b, c] } else { [b, a, c] };
        swapped.push(!even);
        faces.push(order.map(|v| builder.vertices[v as usize] as i32));
    }
    let mut order: Vec<u32> = (0..stamps.len() as u32).filter(|v| used[*v as usize]).collect();
    order.sort_unstable_by_key(|v| stamps[*v as usize]);
    let mut place = vec![NONE; stamps.len()];
    for (i, v) in order.iter().enumerate() {
        place[*v as usize] = i as u32;
    }
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
    for (face, triangle) in plain.iter().chain(fans).enumerate() {
        for v in triangle {
            around[place[*v as usize] as usize].push(face as u32);
        }
    }
    let vertices = order.iter().map(|v| builder.vertices[*v as usize] as i32).collect();
    Hull { vertices, faces, swapped, fans: around }
}
