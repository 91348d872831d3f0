//! Directions that part convex geoms, kept from one test to the next.

use super::{CLEARANCE, narrow};
use crate::workspace::{Parting, Partings};
use ligament_math::{Vec3, mat3};
use ligament_model::{Data, Model};

impl Parting {
    /// Does the direction still part the geoms by more than rounding and the tolerance of the algorithms?
    pub(super) fn holds(&mut self, m: &Model, d: &Data, geoms: [usize; 2], margin: f64) -> bool {
        let Some(axis) = self.axis else { return false };
        let [g1, g2] = geoms;
        let dir = mat3::mul_vec(&d.geom_xmat[g1], axis);
        let clear = CLEARANCE * (m.geom_rbound[g1] + m.geom_rbound[g2]) + m.opt.ccd_tolerance;
        let gap = narrow::with_convex(m, d, g1, margin, |a| {
            narrow::with_convex(m, d, g2, margin, |b| {
                a.set_hint(self.hints[0] as usize);
                b.set_hint(self.hints[1] as usize);
                let gap = a.gap_along(b, dir);
                self.hints = [a.hint() as u32, b.hint() as u32];
                gap
            })
        });
        gap.flatten().is_some_and(|gap| gap > clear)
    }

    /// Keeps a direction in the world that parts the geoms, if there is one.
    pub(super) fn set(&mut self, d: &Data, geoms: [usize; 2], axis: Option<Vec3>) {
        self.axis = axis.map(|axis| mat3::mul_vec_t(&d.geom_xmat[geoms[0]], axis));
    }
}

impl Partings {
    const BITS: u32 = 8;

    /// Room for partings, if there is none.
    pub fn prepare(&mut self) {
        self.0.resize(1 << Self::BITS, Default::default());
    }

    /// What is known of a pair; nothing where none are kept.
    pub(super) fn of(&mut self, [g1, g2]: [usize; 2]) -> Option<&mut Parting> {
        let pair = (g1 as u64) << 32 | g2 as u64;
        let place = pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - Self::BITS);
        let (owner, parting) = self.0.get_mut(place as usize)?;
        if *owner != pair {
            (*owner, *parting) = (pair, Parting::default());
        }
        Some(parting)
    }
}
