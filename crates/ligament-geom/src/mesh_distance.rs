//! Signed distance to a closed triangle mesh, with pseudonormals (Bærentzen & Aanæs 2005).

use ligament_math::{Vec3, vec3};
use std::collections::HashMap;

/// Part of a triangle that is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Feature {
    Vertex(usize),
    /// 0: edge 01, 1: edge 12, 2: edge 02.
    Edge(usize),
    Face,
}

#[derive(Debug, Clone, Copy)]
struct Sphere {
    center: Vec3,
    radius: f64,
}

#[derive(Debug)]
enum Node {
    Leaf(usize),
    Inner { left: usize, right: usize, left_bound: Sphere, right_bound: Sphere },
}

/// Distance queries to one mesh.
#[derive(Debug)]
pub struct MeshDistance<'a> {
    vert: &'a [Vec3],
    faces: &'a [[i32; 3]],
    nodes: Vec<Node>,
    face_normals: Vec<Vec3>,
    edge_normals: Vec<[Vec3; 3]>,
    vertex_normals: Vec<Vec3>,
}

struct Nearest {
    /// Nodes looked at.
    visits: u64,
    distance: f64,
    face: usize,
    feature: Feature,
    point: Vec3,
}

fn unit(v: Vec3) -> Vec3 {
    let n = vec3::norm(v);
    [v[0] / n, v[1] / n, v[2] / n]
}

impl<'a> MeshDistance<'a> {
    /// Prepares the queries; `None` for a mesh without faces.
    pub fn new(vert: &'a [Vec3], faces: &'a [[i32; 3]]) -> Option<Self> {
        if faces.is_empty() {
            return None;
        }
        let mut this = Self {
            vert,
            faces,
            nodes: Vec::with_capacity(2 * faces.len()),
            face_normals: Vec::with_capacity(faces.len()),
            edge_normals: Vec::with_capacity(faces.len()),
            vertex_normals: vec![[0.0; 3]; vert.len()],
        };
        let mut order: Vec<usize> = (0..faces.len()).collect();
        this.build(&mut order);
        this.make_normals();
        Some(this)
    }

    fn corners(&self, face: usize) -> [Vec3; 3] {
        self.faces[face].map(|v| self.vert[v as usize])
    }

    /// Adds the node of these faces; depth is logarithmic since the faces are halved.
    fn build(&mut self, order: &mut [usize]) -> (usize, Sphere) {
        let index = self.nodes.len();
        self.nodes.push(Node::Leaf(order[0]));
        if let [face] = order {
            let [a, b, c] = self.corners(*face);
            let center = vec3::add(vec3::add(a, b), c).map(|x| x / 3.0);
            let radius = [a, b, c].iter().fold(0.0, |r: f64, p| r.max(vec3::distance(*p, center)));
            return (index, Sphere { center, radius });
        }
        let (mut low, mut high, mut center) = ([f64::MAX; 3], [f64::MIN; 3], [0.0; 3]);
        for face in order.iter() {
            for p in self.corners(*face) {
                center = vec3::add(center, p);
                for k in 0..3 {
                    low[k] = low[k].min(p[k]);
                    high[k] = high[k].max(p[k]);
                }
            }
        }
        center = center.map(|x| x / (3 * order.len()) as f64);
        let size = vec3::sub(high, low);
        let axis = (1..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
        let mut squared: f64 = 0.0;
        for face in order.iter() {
            for p in self.corners(*face) {
                let d = vec3::sub(center, p);
                squared = squared.max(vec3::dot(d, d));
            }
        }
        let key = |face: &usize| self.vert[self.faces[*face][0] as usize][axis];
        order.sort_by(|a, b| key(a).total_cmp(&key(b)));
        let (first, second) = order.split_at_mut(order.len() / 2);
        let (left, left_bound) = self.build(first);
        let (right, right_bound) = self.build(second);
        self.nodes[index] = Node::Inner { left, right, left_bound, right_bound };
        (index, Sphere { center, radius: squared.sqrt() })
    }

    fn make_normals(&mut self) {
        let mut edges: HashMap<(i32, i32), Vec3> = HashMap::new();
        let key = |i: i32, j: i32| (i.min(j), i.max(j));
        for (index, face) in self.faces.iter().enumerate() {
            let [a, b, c] = self.corners(index);
            let normal = unit(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)));
            self.face_normals.push(normal);
            // vertices by the angle of the face there
            for (i, (o, p, q)) in [(a, b, c), (b, a, c), (c, b, a)].into_iter().enumerate() {
                let angle = vec3::dot(unit(vec3::sub(p, o)), unit(vec3::sub(q, o))).acos();
                let sum = &mut self.vertex_normals[face[i] as usize];
                *sum = vec3::add(*sum, vec3::scale(normal, angle));
            }
            for (i, j) in [(0, 1), (1, 2), (0, 2)] {
                let sum = edges.entry(key(face[i], face[j])).or_insert([0.0; 3]);
                *sum = vec3::add(*sum, normal);
            }
        }
        for normal in &mut self.vertex_normals {
            *normal = unit(*normal);
        }
        for face in self.faces {
            self.edge_normals
                .push([(0, 1), (1, 2), (0, 2)].map(|(i, j)| unit(edges[&key(face[i], face[j])])));
        }
    }

    /// Distance of a point from the surface, negative inside, and the number of nodes that were looked at.
    pub fn signed(&self, point: Vec3) -> (f64, u64) {
        let (distance, feature) = (f64::MAX, Feature::Face);
        let mut nearest = Nearest { visits: 0, distance, face: 0, feature, point: [0.0; 3] };
        self.query(0, point, &mut nearest);
        let normal = match nearest.feature {
            Feature::Vertex(i) => self.vertex_normals[self.faces[nearest.face][i] as usize],
            Feature::Edge(i) => self.edge_normals[nearest.face][i],
            Feature::Face => self.face_normals[nearest.face],
        };
        let outside = vec3::dot(vec3::sub(point, nearest.point), normal) >= 0.0;
        (if outside { nearest.distance } else { -nearest.distance }, nearest.visits)
    }

    fn query(&self, node: usize, point: Vec3, nearest: &mut Nearest) {
        nearest.visits += 1;
        match &self.nodes[node] {
            Node::Leaf(face) => {
                let (feature, closest) = closest_on_triangle(point, self.corners(*face));
                let d = vec3::sub(point, closest);
                let squared = vec3::dot(d, d);
                if squared < nearest.distance * nearest.distance {
                    let visits = nearest.visits;
                    *nearest =
                        Nearest { visits, distance: squared.sqrt(), face: *face, feature, point: closest };
                }
            }
            Node::Inner { left, right, left_bound, right_bound } => {
                let bound = |s: &Sphere| vec3::distance(point, s.center) - s.radius;
                let (l, r) = ((bound(left_bound), *left), (bound(right_bound), *right));
                let order = if l.0 < r.0 { [l, r] } else { [r, l] };
                for (bound, child) in order {
                    if bound < nearest.distance {
                        self.query(child, point, nearest);
                    }
                }
            }
        }
    }
}

/// Nearest point of a triangle (Ericson, Real-Time Collision Detection, 5.1.5).
fn closest_on_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> (Feature, Vec3) {
    let (ab, ac, bc) = (vec3::sub(b, a), vec3::sub(c, a), vec3::sub(c, b));
    let (pa, pb, pc) = (vec3::sub(p, a), vec3::sub(p, b), vec3::sub(p, c));
    let (s, s_rest) = (vec3::dot(pa, ab), vec3::dot(pb, vec3::sub(a, b)));
    let (t, t_rest) = (vec3::dot(pa, ac), vec3::dot(pc, vec3::sub(a, c)));
    if s <= 0.0 && t <= 0.0 {
        return (Feature::Vertex(0), a);
    }
    let (u, u_rest) = (vec3::dot(pb, bc), vec3::dot(pc, vec3::sub(b, c)));
    if s_rest <= 0.0 && u <= 0.0 {
        return (Feature::Vertex(1), b);
    }
    if t_rest <= 0.0 && u_rest <= 0.0 {
        return (Feature::Vertex(2), c);
    }
    let n = vec3::cross(ab, ac);
    let (ap, bp, cp) = (vec3::neg(pa), vec3::neg(pb), vec3::neg(pc));
    let mix = |x: Vec3, y: Vec3, arc: f64| vec3::add(vec3::scale(x, 1.0 - arc), vec3::scale(y, arc));
    let vc = vec3::dot(n, vec3::cross(ap, bp));
    if vc <= 0.0 && s >= 0.0 && s_rest >= 0.0 {
        return (Feature::Edge(0), mix(a, b, s / (s + s_rest)));
    }
    let va = vec3::dot(n, vec3::cross(bp, cp));
    if va <= 0.0 && u >= 0.0 && u_rest >= 0.0 {
        return (Feature::Edge(1), mix(b, c, u / (u + u_rest)));
    }
    let vb = vec3::dot(n, vec3::cross(cp, ap));
    if vb <= 0.0 && t >= 0.0 && t_rest >= 0.0 {
        return (Feature::Edge(2), mix(a, c, t / (t + t_rest)));
    }
    let x = va / (va + vb + vc);
    let y = vb / (va + vb + vc);
    let z = 1.0 - x - y;
    (Feature::Face, vec3::add(vec3::add(vec3::scale(a, x), vec3::scale(b, y)), vec3::scale(c, z)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_a_tetrahedron_have_the_right_sign() {
        let vert = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mesh = MeshDistance::new(&vert, &faces).unwrap();
        assert!((mesh.signed([0.1, 0.2, 0.3]).0 + 0.1).abs() < 1e-15);
        assert!((mesh.signed([-0.3, 0.2, 0.2]).0 - 0.3).abs() < 1e-15);
        assert!((mesh.signed([2.0, 0.0, 0.0]).0 - 1.0).abs() < 1e-15);
        assert!((mesh.signed([1.0, 1.0, 1.0]).0 - 2.0 / 3.0_f64.sqrt()).abs() < 1e-15);
    }
}
