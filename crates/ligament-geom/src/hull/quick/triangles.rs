//! The hull as triangles: polygons are cut into fans from their youngest vertex.

use super::Surface;
use crate::hull::Hull;

/// A triangle of vertices in decreasing order; mirrored as facets are.
struct Triangle {
    vertices: [u32; 3],
    mirrored: bool,
}

impl Surface<'_> {
    /// `None` when a polygon is not simple.
    pub(super) fn into_hull(mut self) -> Option<Hull> {
        let facets: Vec<u32> = self.facet_order.iter().collect();
        let (whole, polygons): (Vec<u32>, Vec<u32>) =
            facets.iter().partition(|f| self.facet(**f).is_triangle());
        let mut triangles: Vec<Triangle> = Vec::with_capacity(2 * self.vertex_order.len());
        let mut face_of = vec![None; self.facets.len()];
        for facet in whole {
            let f = self.facet(facet);
            face_of[facet as usize] = Some(triangles.len() as u32);
            let vertices = [f.vertices[0], f.vertices[1], f.vertices[2]];
            triangles.push(Triangle { vertices, mirrored: f.mirrored });
        }
        let uncut = triangles.len();
        self.vertex_order.start_round();
        for facet in polygons {
            self.cut(facet, &mut triangles);
        }
        let closed = triangles.len() + 4 == 2 * self.vertex_order.len();
        closed.then(|| self.assemble(&triangles, uncut, &face_of))
    }

    /// Triangles from the youngest vertex of a polygon over its other edges.
    fn cut(&mut self, facet: u32, triangles: &mut Vec<Triangle>) {
        let apex = self.facet(facet).vertices[0];
        for i in 0..self.facet(facet).ridges().len() {
            let edge = *self.ridge(self.facet(facet).ridges()[i]);
            let vertices = [apex, edge.vertices[0], edge.vertices[1]];
            self.renew_vertices(&vertices);
            if edge.vertices[0] != apex {
                triangles.push(Triangle { vertices, mirrored: edge.sides[0] == facet });
            }
        }
    }

    /// Triangles around a vertex are listed in the order of its fan, then those cut from polygons.
    fn assemble(&self, triangles: &[Triangle], uncut: usize, face_of: &[Option<u32>]) -> Hull {
        let order: Vec<u32> = self.vertex_order.iter().collect();
        let mut local = vec![0; self.vertices.len()];
        for (i, v) in order.iter().enumerate() {
            local[*v as usize] = i;
        }
        let mut fans: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
        let mut listed = 0;
        if self.knows_fans {
            listed = uncut;
            for (fan, v) in fans.iter_mut().zip(&order) {
                fan.extend(self.vertex(*v).fan.iter().filter_map(|facet| face_of[*facet as usize]));
            }
        }
        for (face, triangle) in triangles.iter().enumerate().skip(listed) {
            for v in triangle.vertices {
                fans[local[v as usize]].push(face as u32);
            }
        }
        let point = |v: u32| self.vertex(v).point as i32;
        let corners = |t: &Triangle| {
            let [a, b, c] = t.vertices.map(point);
            if t.mirrored { [b, a, c] } else { [a, b, c] }
        };
        Hull {
            vertices: order.iter().map(|v| point(*v)).collect(),
            faces: triangles.iter().map(corners).collect(),
            swapped: triangles.iter().map(|t| t.mirrored).collect(),
            fans,
        }
    }
}
