//! What the sweeps of bodies and of flex elements share: keys that sort, boxes that grow, boxes against blocks
//! of boxes.

use crate::workspace::{SWEEP_LANES, SweepBlock};
use ligament_math::Vec3;

/// Two numbers in one, ordered by the first.
#[inline]
pub(super) fn pack(upper: u32, lower: u32) -> u64 {
    u64::from(upper) << 32 | u64::from(lower)
}

#[inline]
pub(super) fn unpack(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

/// Bits of a number in single precision that compare as the number does.
#[inline]
pub(super) fn ordered_bits(x: f64) -> u32 {
    // adding zero makes negative zero positive
    let bits = (x as f32 + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Extends a box to a point.
pub(super) fn extend(min: &mut Vec3, max: &mut Vec3, point: Vec3) {
    for k in 0..3 {
        min[k] = min[k].min(point[k]);
        max[k] = max[k].max(point[k]);
    }
}

/// A box across the axis of the sweep, rounded to nearest: blocks are rounded outwards by a whole step and more.
pub(super) struct Window {
    pub(super) min: [f32; 2],
    pub(super) max: [f32; 2],
}

impl Window {
    /// May any box of the block meet this one? One pass of comparisons without branches, many lanes at a time.
    #[inline]
    pub(super) fn meets_any(&self, block: &SweepBlock) -> bool {
        (0..SWEEP_LANES).fold(false, |any, lane| any | self.meets(block, lane))
    }

    /// Lanes of the block whose boxes may meet this one: worth it where these are few.
    #[inline]
    pub(super) fn meeting(&self, block: &SweepBlock) -> Lanes {
        let near: [u32; SWEEP_LANES] = std::array::from_fn(|lane| u32::from(self.meets(block, lane)) << lane);
        Lanes(near.iter().fold(0, |lanes, lane| lanes | lane))
    }

    #[inline]
    fn meets(&self, block: &SweepBlock, lane: usize) -> bool {
        let apart = (block.min[0][lane] > self.max[0])
            | (self.min[0] > block.max[0][lane])
            | (block.min[1][lane] > self.max[1])
            | (self.min[1] > block.max[1][lane]);
        !apart
    }
}

/// Some lanes of a block, one bit each.
pub(super) struct Lanes(u32);

impl Iterator for Lanes {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let lane = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (lane < u32::BITS).then_some(lane as usize)
    }
}
