//! What constraint rows are made from, borrowed apart from the lists they are written to.

use ligament_model::enums::{ObjType, SleepState};

use crate::awake::SleepStates;
use crate::support::{Chains, Motion};
use crate::tendon::TendonJacobians;

/// Positions and what follows from them.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub qpos: &'a [f64],
    pub eq_active: &'a [u8],
    pub xpos: &'a [[f64; 3]],
    pub xquat: &'a [[f64; 4]],
    pub xmat: &'a [[f64; 9]],
    pub site_xpos: &'a [[f64; 3]],
    pub chains: Chains<'a>,
    pub motion: Motion<'a>,
    pub ten_length: &'a [f64],
    pub tendons: TendonJacobians<'a>,
    pub flexvert_xpos: &'a [[f64; 3]],
    pub flexvert_length: &'a [[f64; 2]],
    pub flexvert_J: &'a [[f64; 2]],
    pub flexedge_length: &'a [f64],
    pub flexedge_J: &'a [f64],
    /// Where some trees sleep.
    pub sleep: Option<&'a SleepStates<'a>>,
    /// Threads that may make rows.
    pub threads: usize,
}

impl Inputs<'_> {
    /// Is this object to be left out because it sleeps?
    #[inline]
    pub fn is_asleep(&self, kind: ObjType, id: usize) -> bool {
        self.sleep.is_some_and(|sleep| sleep.of_object(kind, id) == SleepState::Asleep)
    }
}
