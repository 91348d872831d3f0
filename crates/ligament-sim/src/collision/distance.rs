//! Signed distance between two geoms (`mj_geomDistance`).

use super::narrow::{
    by_type, collide, convex_options, is_general_convex, is_supported, solid, test_cost, with_convex,
};
use crate::workspace::Collision;
use ligament_geom::ccd::{Ccd, CcdConfig};
use ligament_geom::pairs;
use ligament_math::{Vec3, vec3};
use ligament_model::enums::GeomType;
use ligament_model::{Data, Model};

/// Distance and the segment that connects the nearest points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeomDistance {
    /// At most the limit that was asked for; negative when the geoms penetrate.
    pub dist: f64,
    /// From the first geom to the second; zeros when none was found within the limit.
    pub fromto: [Vec3; 2],
}

/// About how many operations the distance between two geoms takes. Searches of distance fields take as long as
/// `sdf_initpoints` and `sdf_iterations` of the options say: compare with [`Data::effort`] where they are a stranger's.
pub fn distance_work(m: &Model, geom1: usize, geom2: usize) -> u64 {
    test_cost(m, geom1, geom2)
}

/// Smallest signed distance between two geoms, up to `distmax`.
pub fn geom_distance(m: &Model, d: &Data, geom1: usize, geom2: usize, distmax: f64) -> GeomDistance {
    geom_distance_with(m, d, geom1, geom2, distmax, &mut Collision::default())
}

/// As [`geom_distance`], with the caller's buffers.
pub(crate) fn geom_distance_with(
    m: &Model,
    d: &Data,
    geom1: usize,
    geom2: usize,
    distmax: f64,
    scratch: &mut Collision,
) -> GeomDistance {
    let mut result = GeomDistance { dist: distmax, fromto: [[0.0; 3]; 2] };
    let (g1, g2) = by_type(m, geom1, geom2);
    if !is_supported(m, g2) {
        return result;
    }
    let both_boxes = m.geom_type[g1] == GeomType::Box as i32 && m.geom_type[g2] == GeomType::Box as i32;
    let options = convex_options(m);
    if options.native && (both_boxes || is_general_convex(m, g1, g2)) {
        return convex_distance(m, d, geom1, geom2, distmax, &mut scratch.ccd);
    }
    scratch.points.clear();
    if both_boxes {
        // points that collisions drop count here: of equally deep ones the first is taken
        pairs::box_box_candidates(&solid(m, d, g1), &solid(m, d, g2), distmax, &mut scratch.points);
    } else {
        collide(m, d, g1, g2, distmax, u64::MAX, scratch);
        scratch.descents.clear(); // only searches of contacts are drawn
    }
    let mut nearest = None;
    for point in &scratch.points {
        if point.dist < result.dist {
            result.dist = point.dist;
            nearest = Some(point);
        }
    }
    if let Some(point) = nearest {
        let sign = if g1 == geom1 { 1.0 } else { -1.0 };
        result.fromto =
            [-0.5, 0.5].map(|half| vec3::add_scaled(point.pos, point.normal, half * sign * result.dist));
    }
    result
}

fn convex_distance(
    m: &Model,
    d: &Data,
    geom1: usize,
    geom2: usize,
    distmax: f64,
    ccd: &mut Ccd,
) -> GeomDistance {
    let options = convex_options(m);
    let config = CcdConfig {
        max_iterations: options.iterations,
        tolerance: options.tolerance,
        max_contacts: 1,
        dist_cutoff: distmax,
    };
    let dist = with_convex(m, d, geom1, 0.0, |a| with_convex(m, d, geom2, 0.0, |b| ccd.run(&config, a, b)))
        .flatten();
    let fromto = if dist.is_some() { ccd.witness.first().copied() } else { None };
    let dist = dist.filter(|&dist| dist < distmax).unwrap_or(distmax);
    GeomDistance { dist, fromto: fromto.unwrap_or([[0.0; 3]; 2]) }
}
