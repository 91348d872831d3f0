//! Convex hulls by quickhull (Barber, Dobkin & Huhdanpaa 1996), with exact signs where rounding could decide.
//!
//! `quick` joins facets in floating-point numbers exactly as Qhull does, so that triangles, their order and hulls
//! limited to a number of vertices come out as the reference's. Points it cannot deal with go to `build`, which
//! decides all signs exactly and joins coplanar facets afterwards (`merge`).

mod build;
mod effort;
mod merge;
mod quick;
mod simplex;

pub use effort::Effort;
use ligament_math::Vec3;

/// Why there is no hull.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HullError {
    /// A hull needs four points.
    TooFewPoints,
    /// All points lie in a plane, or nearly so.
    Flat,
    /// The construction would take more operations than were granted.
    TooLong,
}

/// A triangulated hull.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hull {
    /// Points that are corners of the hull.
    pub vertices: Vec<i32>,
    /// Triangles of points, counter-clockwise seen from outside.
    pub faces: Vec<[i32; 3]>,
    /// Faces whose first two vertices were exchanged for orientation: edges are listed in the order before that.
    swapped: Vec<bool>,
    /// Faces around each corner.
    fans: Vec<Vec<u32>>,
}

/// Tolerances of the floating-point tests, after Qhull's `qh_detroundoff`.
#[derive(Debug, Clone, Copy)]
struct Tolerance {
    /// Rounding error of a distance to a plane.
    round: f64,
    /// Below this a point is on a plane.
    coplanar: f64,
    /// A point higher than this is outside.
    outside: f64,
}

impl Tolerance {
    fn new(points: &[Vec3]) -> Self {
        let extent: Vec3 =
            std::array::from_fn(|k| points.iter().fold(0.0_f64, |largest, p| largest.max(p[k].abs())));
        let largest = extent.iter().fold(0.0, |a: f64, b| a.max(*b));
        let sum = extent[0] + extent[1] + extent[2];
        let reach = (3.0_f64.sqrt() * largest).min(sum);
        let round = f64::EPSILON * (3.0 * reach * 1.01 + largest);
        Self { round, coplanar: 2.0 * round, outside: 4.0 * round }
    }
}

impl Hull {
    /// Hull of a set of points, of at most `max_vertices` corners when that is given. What it takes is charged to the
    /// effort: it grows with the number of points, but where polygons get many corners with the square of that.
    pub fn build(points: &[Vec3], max_vertices: Option<usize>, effort: &Effort) -> Result<Self, HullError> {
        if points.len() < 4 {
            return Err(HullError::TooFewPoints);
        }
        let tolerance = Tolerance::new(points);
        let corners = simplex::initial(points).ok_or(HullError::Flat)?;
        if let Some(hull) = quick::build(points, tolerance, corners, max_vertices, effort)? {
            return Ok(hull);
        }
        let mut builder = build::Builder::new(points, tolerance, corners, effort)?;
        builder.run(max_vertices)?;
        Ok(merge::triangulate(&builder))
    }

    /// The hull as the reference stores it for hill climbing: counts, address of each vertex's edges, vertex
    /// ids, edges as lists of hull vertices that end with -1, faces.
    pub fn graph(&self) -> Vec<i32> {
        let (nvert, nface) = (self.vertices.len(), self.faces.len());
        let highest = self.vertices.iter().copied().max().unwrap_or(-1);
        let mut local = vec![-1; (highest + 1) as usize];
        for (i, v) in self.vertices.iter().enumerate() {
            local[*v as usize] = i as i32;
        }
        let mut adjacent: Vec<Vec<i32>> = vec![Vec::new(); nvert];
        for (own, (list, fan)) in adjacent.iter_mut().zip(&self.fans).enumerate() {
            for &face in fan {
                let (face, swapped) = (self.faces[face as usize], self.swapped[face as usize]);
                let face = if swapped { [face[1], face[0], face[2]] } else { face };
                for w in face {
                    let other = local[w as usize];
                    if other != own as i32 && !list.contains(&other) {
                        list.push(other);
                    }
                }
            }
        }
        let mut graph = Vec::with_capacity(2 + 3 * nvert + 6 * nface);
        graph.extend([nvert as i32, nface as i32]);
        let mut address = 0;
        for list in &adjacent {
            graph.push(address);
            address += list.len() as i32 + 1;
        }
        graph.extend(&self.vertices);
        for list in &adjacent {
            graph.extend(list);
            graph.push(-1);
        }
        graph.extend(self.faces.as_flattened());
        graph
    }
}

#[cfg(test)]
mod tests;
