//! The hull as triangles: polygons are cut into fans from their youngest vertex.

use super::{NONE, Quick, TAIL};
use crate::hull::Hull;

/// A triangle of vertices in decreasing order; `top` as for facets.
struct Triangle {
    vertices: [u32; 3],
    top: bool,
}

impl Quick<'_> {
    /// `None` when a polygon is not simple.
    pub(super) fn triangulate(&mut self) -> Option<Hull> {
        let polygons: Vec<u32> = self.list(self.first_facet).collect();
        let mut triangles = Vec::with_capacity(2 * self.vertex_count);
        let mut face_of = vec![NONE; self.facets.len()];
        for &facet in &polygons {
            let f = self.facet(facet);
            if f.simplicial {
                face_of[facet as usize] = triangles.len() as u32;
                triangles
                    .push(Triangle { vertices: [f.vertices[0], f.vertices[1], f.vertices[2]], top: f.top });
            }
        }
        let plain = triangles.len();
        self.new_vertices = TAIL;
        for facet in polygons {
            if !self.facet(facet).simplicial {
                self.cut(facet, &mut triangles);
            }
        }
        if triangles.len() + 4 != 2 * self.vertex_count {
            return None;
        }
        Some(self.finish(&triangles, plain, &face_of))
    }

    /// Triangles from the youngest vertex of a polygon over its other edges.
    fn cut(&mut self, facet: u32, triangles: &mut Vec<Triangle>) {
        let apex = self.facet(facet).vertices[0];
        for ridge in self.facet(facet).ridges.clone() {
            let edge = self.ridges[ridge as usize];
            self.renew_vertices(&[apex, edge.vertices[0], edge.vertices[1]]);
            if edge.vertices[0] != apex {
                let vertices = [apex, edge.vertices[0], edge.vertices[1]];
                triangles.push(Triangle { vertices, top: edge.top == facet });
            }
        }
    }

    fn finish(&self, triangles: &[Triangle], plain: usize, face_of: &[u32]) -> Hull {
        let order = self.vertex_list(self.first_vertex);
        let mut local = vec![NONE; self.vertices.len()];
        for (i, v) in order.iter().enumerate() {
            local[*v as usize] = i as u32;
        }
        let mut fans: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
        if self.has_neighbors {
            for (fan, v) in fans.iter_mut().zip(&order) {
                let faces = self.vertices[*v as usize].neighbors.iter().map(|f| face_of[*f as usize]);
                fan.extend(faces.filter(|f| *f != NONE));
            }
        }
        let first = if self.has_neighbors { plain } else { 0 };
        for (face, triangle) in triangles.iter().enumerate().skip(first) {
            for v in triangle.vertices {
                fans[local[v as usize] as usize].push(face as u32);
            }
        }
        let point = |v: u32| self.vertices[v as usize].point as i32;
        let faces = triangles.iter().map(|Triangle { vertices: [a, b, c], top }| {
            (if *top { [*b, *a, *c] } else { [*a, *b, *c] }).map(point)
        });
        Hull {
            vertices: order.iter().map(|v| point(*v)).collect(),
            faces: faces.collect(),
            swapped: triangles.iter().map(|t| t.top).collect(),
            fans,
        }
    }
}
