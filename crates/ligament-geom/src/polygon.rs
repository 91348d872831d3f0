//! Flat sides of a mesh: triangles with (nearly) the same normal, joined into polygons.

mod border;
mod tree;

use crate::EPS;
use ligament_math::{Vec3, vec3};
use tree::SideTree;

/// The sides of a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Polygons {
    /// Vertices of each side, around it.
    pub loops: Lists,
    /// Sides that meet in each vertex.
    pub of_vertex: Lists,
}

/// Lists of numbers, one behind the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lists {
    ends: Vec<usize>,
    items: Vec<i32>,
}

impl Lists {
    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there no list?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All numbers, list by list.
    pub fn items(&self) -> &[i32] {
        &self.items
    }

    /// The lists.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.items[start..end])
    }

    fn push(&mut self, list: &[i32]) {
        self.items.extend_from_slice(list);
        self.ends.push(self.items.len());
    }

    /// For each of `count` numbers the lists that have it, in order.
    fn holders(&self, count: usize) -> Self {
        let mut ends = vec![0; count];
        for &item in &self.items {
            ends[item as usize] += 1;
        }
        let mut next = 0;
        for end in &mut ends {
            (*end, next) = (next, next + *end);
        }
        // each now stands at the beginning of its list, and moves on to the end of it
        let mut items = vec![0; self.items.len()];
        for (k, list) in self.iter().enumerate() {
            for &item in list {
                let place = &mut ends[item as usize];
                items[*place] = k as i32;
                *place += 1;
            }
        }
        Self { ends, items }
    }
}

impl Polygons {
    /// Joins the faces of a mesh into sides.
    pub fn build(vert: &[Vec3], faces: &[[i32; 3]]) -> Self {
        let mut sides = SideTree::with_capacity(faces.len());
        for face in faces {
            let [a, b, c] = face.map(|v| vert[v as usize]);
            sides.add(face_normal(&a, &b, &c), *face);
        }
        let mut loops = Lists::default();
        sides.visit_paths(|path| {
            if path.len() >= 3 {
                loops.push(path);
            }
        });
        Self { of_vertex: loops.holders(vert.len()), loops }
    }

    /// Normals of the sides, from their first three vertices.
    pub fn normals(&self, vert: &[Vec3]) -> Vec<Vec3> {
        let corner = |v: i32| &vert[v as usize];
        self.loops.iter().map(|path| face_normal(corner(path[0]), corner(path[1]), corner(path[2]))).collect()
    }
}

/// Normal of a triangle. A degenerate one is divided by its length all the same, as in the reference.
fn face_normal(a: &Vec3, b: &Vec3, c: &Vec3) -> Vec3 {
    let mut normal = vec3::cross(vec3::sub(*b, *a), vec3::sub(*c, *a));
    let length = vec3::norm(normal);
    if length < EPS {
        normal = [1.0, 0.0, 0.0];
    }
    [normal[0] / length, normal[1] / length, normal[2] / length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangulated_cube_has_six_quadrilaterals() {
        let vert: Vec<Vec3> = (0..8).map(|i| std::array::from_fn(|k| f64::from(i >> k & 1))).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces: Vec<[i32; 3]> =
            quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        let polygons = Polygons::build(&vert, &faces);
        assert_eq!(polygons.loops.len(), 6);
        assert!(polygons.loops.iter().all(|path| path.len() == 4));
        assert!(polygons.of_vertex.iter().all(|sides| sides.len() == 3));
        // normals come in decreasing order
        assert_eq!(polygons.normals(&vert)[0], [1.0, 0.0, 0.0]);
        assert_eq!(polygons.normals(&vert)[5], [-1.0, 0.0, 0.0]);
    }

    /// A flat strip of many triangles takes no longer for each of them than a short one.
    #[test]
    fn large_flat_sides_end() {
        let n = 100_000;
        let vert: Vec<Vec3> = (0..n).map(|i| [f64::from(i), f64::from(i % 2), 0.0]).collect();
        let faces: Vec<[i32; 3]> =
            (0..n - 2).map(|i| if i % 2 == 0 { [i, i + 2, i + 1] } else { [i, i + 1, i + 2] }).collect();
        let polygons = Polygons::build(&vert, &faces);
        assert_eq!((polygons.loops.len(), polygons.loops.items().len()), (1, n as usize));
    }

    #[test]
    fn holders_are_listed_in_order() {
        let mut lists = Lists::default();
        for list in [&[2, 0][..], &[], &[0, 3, 0]] {
            lists.push(list);
        }
        let holders: Vec<Vec<i32>> = lists.holders(4).iter().map(<[i32]>::to_vec).collect();
        assert_eq!(holders, [vec![0, 2, 2], vec![], vec![0], vec![2]]);
    }
}
