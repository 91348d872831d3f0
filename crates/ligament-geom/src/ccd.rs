//! General convex collision detection: distance first, penetration depth when shapes overlap, then (for boxes and
//! meshes) all points of the touching faces. Decides as MuJoCo's native algorithm does.

use crate::convex::{Convex, Kind};
use crate::epa::Polytope;
use crate::gjk::{FAR, Gjk, Query};
use crate::manifold::Manifold;
use ligament_math::{Vec3, vec3};

/// What to compute and how precisely.
#[derive(Debug, Clone, Copy)]
pub struct CcdConfig {
    /// Iterations at most.
    pub max_iterations: usize,
    /// Distance at which the algorithms stop.
    pub tolerance: f64,
    /// Largest number of contact points; more than 1 asks for the points of touching faces.
    pub max_contacts: usize,
    /// Largest distance of interest; 0 when only penetration matters.
    pub dist_cutoff: f64,
}

impl CcdConfig {
    fn query(&self, cutoff: f64) -> Query {
        Query { tolerance: self.tolerance, max_iterations: self.max_iterations, cutoff }
    }
}

/// Working memory and result.
#[derive(Debug, Default)]
pub struct Ccd {
    /// Pairs of nearest (or deepest) points on the first and second shape.
    pub witness: Vec<[Vec3; 2]>,
    gjk: Gjk,
    polytope: Polytope,
    manifold: Manifold,
    /// Work of the other algorithms.
    steps: u64,
}

impl Ccd {
    /// Signed distance: positive apart, negative penetrating, very large when beyond the cutoff.
    /// Shapes whose centres coincide or whose depth cannot be computed count as touching (0).
    pub fn run(&mut self, config: &CcdConfig, a: &mut Convex, b: &mut Convex) -> f64 {
        let dist = self.measure(config, a, b);
        self.steps += a.take_detours() + b.take_detours();
        dist
    }

    fn measure(&mut self, config: &CcdConfig, a: &mut Convex, b: &mut Convex) -> f64 {
        self.witness.clear();
        if is_round(a) || is_round(b) {
            if let Some(dist) = self.shallow(config, a, b) {
                return dist;
            }
            self.witness.clear();
        }
        self.gjk.run(&config.query(config.dist_cutoff), a, b);
        self.take_witness();
        let dist = self.gjk.dist;
        if config.max_contacts == 0 || dist > config.tolerance || self.gjk.n <= 1 {
            return dist;
        }
        self.penetration(config, a, b)
    }

    /// Iterations since they were last taken: what tests have cost.
    pub fn steps(&self) -> u64 {
        self.gjk.steps + self.polytope.steps + self.steps
    }

    /// Takes the count of iterations.
    pub fn take_steps(&mut self) -> u64 {
        let steps = self.steps();
        (self.gjk.steps, self.polytope.steps, self.steps) = (0, 0, 0);
        steps
    }

    /// Counts the iterations of an algorithm that shares this working memory.
    pub fn count(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// Forgets what parted the shapes of the last run.
    pub fn forget_axis(&mut self) {
        self.gjk.axis = None;
    }

    /// Unit direction, towards the first shape, that parted the shapes of the last run, where one was found.
    pub fn parting_axis(&self) -> Option<Vec3> {
        self.gjk.axis
    }

    fn take_witness(&mut self) {
        if let Some((x1, x2)) = self.gjk.witness {
            self.witness.push([x1, x2]);
        }
    }

    /// Spheres and capsules shrink to points and segments: unless these overlap too, the distance is exact.
    fn shallow(&mut self, config: &CcdConfig, a: &mut Convex, b: &mut Convex) -> Option<f64> {
        let (saved_a, saved_b) = ((a.kind, a.margin), (b.kind, b.margin));
        let (grow_a, grow_b) = (shrink(a), shrink(b));
        let cutoff = config.dist_cutoff + (grow_a + grow_b);
        self.gjk.run(&config.query(cutoff), a, b);
        (a.kind, a.margin) = saved_a;
        (b.kind, b.margin) = saved_b;

        let dist = self.gjk.dist;
        if dist > config.tolerance {
            self.take_witness();
            if let Some([x1, x2]) = self.witness.first_mut() {
                let n = vec3::unit(vec3::sub(*x2, *x1));
                *x1 = vec3::add_scaled(*x1, n, grow_a);
                *x2 = vec3::sub(*x2, vec3::scale(n, grow_b));
            }
            let dist = dist - (grow_a + grow_b);
            return Some(if dist > config.dist_cutoff { FAR } else { dist });
        }
        // deep, and no depth wanted
        (config.max_contacts == 0).then_some(0.0)
    }

    fn penetration(&mut self, config: &CcdConfig, a: &mut Convex, b: &mut Convex) -> f64 {
        if self.polytope.build(&self.gjk, a, b).is_err() {
            return 0.0;
        }
        self.witness.clear();
        let Some(face) = self.polytope.expand(a, b, config.tolerance, config.max_iterations) else {
            return 0.0;
        };
        let (dist, x1, x2) = self.polytope.witness(face);
        self.witness.push([x1, x2]);
        if config.max_contacts > 1 {
            let verts = self.polytope.faces[face].verts.map(|i| self.polytope.verts[i as usize]);
            self.manifold.expand(&verts, a, b, config.max_contacts, &mut self.witness);
        }
        dist
    }
}

fn is_round(shape: &Convex) -> bool {
    matches!(shape.kind, Kind::Sphere | Kind::Capsule)
}

/// Replaces a round shape by its core, returns the thickness taken off.
fn shrink(shape: &mut Convex) -> f64 {
    shape.kind = match shape.kind {
        Kind::Sphere => Kind::Point,
        Kind::Capsule => Kind::Segment,
        _ => return 0.0,
    };
    let thickness = shape.size[0] + 0.5 * shape.margin;
    shape.margin = 0.0;
    thickness
}
