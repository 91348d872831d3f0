//! Broad and mid phase lose no pair: contacts of clouds of bodies against all pairs tested one by one.

mod support;

use ligament::prelude::*;
use ligament::rays::{Ray, RayFilter, ray, ray_geom};
use ligament::sim::collision::geom_distance;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;
use support::Sim;

/// Deterministic numbers in [0, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// Free bodies in a slab, with one geom each or two; shapes that need the general convex algorithm among them.
fn cloud(seed: u64, count: usize, extent: [f64; 3]) -> String {
    let mut random = Random(seed);
    let mut bodies = String::new();
    for i in 0..count {
        let [x, y, z] = extent.map(|e| random.between(-e, e));
        let [a, b, c] = [0; 3].map(|_| random.between(-180.0, 180.0));
        let [p, q, r] = [0; 3].map(|_| random.between(0.05, 0.3));
        let kind = ["sphere", "capsule", "ellipsoid", "cylinder", "box"][i % 5];
        let _ = write!(
            bodies,
            "<body pos='{x} {y} {z}' euler='{a} {b} {c}'><freejoint/><geom type='{kind}' size='{p} {q} {r}'/>"
        );
        if i % 3 == 0 {
            let _ = write!(bodies, "<geom type='cylinder' size='{q} {p}' pos='{r} 0 {p}'/>");
        }
        bodies.push_str("</body>");
    }
    format!("<mujoco><option gravity='0 0 0'/><worldbody>{bodies}</worldbody></mujoco>")
}

/// Free bodies of two capsules and a ball, as limbs are.
fn limbs(seed: u64, count: usize, extent: [f64; 3]) -> String {
    let mut random = Random(seed);
    let mut bodies = String::new();
    for _ in 0..count {
        let [x, y, z] = extent.map(|e| random.between(-e, e));
        let [a, b, c] = [0; 3].map(|_| random.between(-180.0, 180.0));
        let [p, q, r] = [0; 3].map(|_| random.between(0.03, 0.1));
        let _ = write!(
            bodies,
            "<body pos='{x} {y} {z}' euler='{a} {b} {c}'><freejoint/><geom type='capsule' size='{p} {q}' pos='{r} 0 0'/>\
             <geom type='capsule' size='{q} {r}' pos='0 {p} {r}' euler='90 {a} 0'/><geom size='{r}' pos='0 -{q} -{p}'/></body>"
        );
    }
    format!("<mujoco><option gravity='0 0 0'/><worldbody>{bodies}</worldbody></mujoco>")
}

/// Pairs that touch, by contacts and by the distance of every pair of geoms of different bodies. Pairs that are within
/// the tolerance of the distance count for neither.
fn compare(seed: u64, scene: &str) -> usize {
    const CLEAR: f64 = 1e-4;
    let mut sim = Sim::new(scene);
    sim.forward();
    let (m, d) = (&sim.m, &sim.d);
    let found: BTreeSet<_> =
        d.contact.iter().map(|c| (c.geom[0].min(c.geom[1]), c.geom[0].max(c.geom[1]))).collect();
    let mut touching = 0;
    for g1 in 0..m.ngeom {
        for g2 in (g1 + 1..m.ngeom).filter(|&g2| m.geom_bodyid[g2] != m.geom_bodyid[g1]) {
            let dist = geom_distance(m, d, g1, g2, 1.0).dist;
            let pair = (g1 as i32, g2 as i32);
            if dist < -CLEAR {
                assert!(found.contains(&pair), "seed {seed}: {pair:?} lost, depth {dist}");
                touching += 1;
            } else if dist > CLEAR {
                assert!(!found.contains(&pair), "seed {seed}: {pair:?} are {dist} apart");
            }
        }
    }
    touching
}

/// Bodies above a tilted ground make no pairs with it, unless a filter has to be asked about each: that changes no contact,
/// with margins and explicit pairs neither.
#[test]
fn what_is_above_the_ground_is_not_missed() {
    let ground = "<geom name='ground' type='plane' size='0 0 1' pos='0 0 -.3' euler='10 5 0' margin='.02'/>";
    let explicit = "<contact><pair geom1='ground' geom2='probe' margin='.5'/></contact>";
    let probe = "<body pos='0 0 .5'><freejoint/><geom name='probe' size='.1'/></body>";
    for (seed, count) in [(5, 40), (6, 41)] {
        let scene = cloud(seed, count, [1.5, 1.5, 0.6])
            .replace("<worldbody>", &format!("{explicit}<worldbody>{ground}{probe}"))
            .replace("<geom type", "<geom margin='.01' type");
        let mut sim = Sim::new(&scene);
        sim.forward(); // finds directions that part geoms, which make the next tests cheaper
        sim.forward();
        let (found, spent) = (sim.d.contact.to_vec(), sim.d.spent.collision);
        sim.d.callbacks.contact_filter = Some(Arc::new(|_: &Model, _: &Data, _, _| false));
        sim.forward();
        assert_eq!(found, sim.d.contact.to_vec());
        assert!(spent < sim.d.spent.collision, "all bodies were compared with the ground");
        let grounded = found.iter().filter(|contact| contact.geom[0] == 0).count();
        assert!(grounded > 10, "{grounded} contacts with the ground");
    }
}

/// A flat slab, a cube and a rod: the sweep chooses another axis for each, and blocks are full or not.
#[test]
fn no_pair_is_lost() {
    let mut touching = 0;
    for (seed, count) in [(1, 60), (2, 61), (3, 64), (4, 79)] {
        for extent in [[1.5, 1.5, 0.2], [0.8, 0.8, 0.8], [0.2, 0.2, 3.0]] {
            touching += compare(seed, &cloud(seed, count, extent));
        }
    }
    assert!(touching > 500, "{touching} pairs touch");
}

/// A few bodies, near each other and far apart: whether they need a sweep at all is decided beforehand.
#[test]
fn no_pair_of_a_few_is_lost() {
    let mut touching = 0;
    for seed in 0..300 {
        let size = 0.1 + 0.01 * (seed % 100) as f64;
        touching += compare(seed, &cloud(1000 + seed, 2 + seed as usize % 4, [size, 0.5 * size, size]));
    }
    assert!(touching > 100, "{touching} pairs touch");
}

/// Capsules and balls, most of them found to be apart with little effort; up to 24 bodies are compared without a sweep.
#[test]
fn no_pair_of_limbs_is_lost() {
    let mut touching = 0;
    for seed in 0..60 {
        let size = 0.2 + 0.01 * seed as f64;
        touching += compare(seed, &limbs(seed, 7 + seed as usize % 30, [size, size, 0.5 * size]));
    }
    assert!(touching > 1000, "{touching} pairs touch");
}

/// A ray that skips primitives it clearly misses finds what the nearest of all geoms is, one by one.
#[test]
fn rays_skip_nothing_they_meet() {
    let mut sim = Sim::new(&cloud(7, 40, [1.0, 1.0, 1.0]));
    sim.forward();
    let (m, d) = (&sim.m, &sim.d);
    let (mut random, mut hits) = (Random(5), 0);
    for _ in 0..2000 {
        let origin = [0; 3].map(|_| random.between(-2.0, 2.0));
        let direction = [0; 3].map(|_| random.between(-3.0, 3.0));
        let along = Ray { origin, direction };
        let seen = ray(m, d, &along, &RayFilter::ALL).map(|seen| seen.hit.distance);
        let each = (0..m.ngeom).filter_map(|geom| ray_geom(m, d, geom, &along).map(|hit| hit.distance));
        let nearest = each.reduce(f64::min);
        assert_eq!(seen, nearest, "{along:?}");
        hits += usize::from(seen.is_some());
    }
    assert!(hits > 300, "{hits} rays meet something");
}

/// Sizes of a compiled model may be changed, as in MuJoCo, together with the bounding radius: boxes around geoms keep up.
#[test]
fn changed_sizes_are_seen() {
    for kind in ["cylinder", "ellipsoid"] {
        let body =
            |x: f64| format!("<body pos='{x} 0 0'><freejoint/><geom type='{kind}' size='.1 .1 .1'/></body>");
        let mut sim =
            Sim::new(&format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", body(0.0), body(0.5)));
        assert_eq!(sim.forward().d.ncon, 0);
        sim.m.geom_size = vec![[0.3, 0.3, 0.3]; 2].into();
        sim.m.geom_rbound = vec![1.0; 2].into();
        assert_eq!(sim.forward().d.ncon, 1, "{kind}");
    }
}
