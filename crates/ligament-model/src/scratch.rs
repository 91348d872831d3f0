//! Working memory of the stages, kept between steps so that a warm step allocates nothing.
//!
//! Each stage owns one struct here. Nothing in it outlives the stage that filled it, so a clone of the
//! simulation state starts with empty scratch.

mod smooth;

pub use smooth::{RungeKutta, Smooth};

/// Scratch space of all stages.
#[derive(Debug, Default)]
pub struct Scratch {
    pub smooth: Smooth,
    pub rk: RungeKutta,
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}
