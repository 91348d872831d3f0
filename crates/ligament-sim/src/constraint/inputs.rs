//! What constraint rows are made from, borrowed apart from the lists they are written to.

use ligament_model::Model;
use ligament_model::enums::{ObjType, SleepState};

use super::is_sparse;
use crate::awake::SleepStates;
use crate::support::Motion;

/// Positions and what follows from them.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub qpos: &'a [f64],
    pub eq_active: &'a [u8],
    pub xpos: &'a [[f64; 3]],
    pub xquat: &'a [[f64; 4]],
    pub xmat: &'a [[f64; 9]],
    pub site_xpos: &'a [[f64; 3]],
    pub motion: Motion<'a>,
    pub ten_length: &'a [f64],
    pub ten_J: &'a [f64],
    pub ten_J_rownnz: &'a [i32],
    pub ten_J_rowadr: &'a [i32],
    pub ten_J_colind: &'a [i32],
    pub flexvert_xpos: &'a [[f64; 3]],
    pub flexvert_length: &'a [[f64; 2]],
    pub flexvert_J: &'a [[f64; 2]],
    pub flexedge_length: &'a [f64],
    pub flexedge_J: &'a [f64],
    /// Where some trees sleep.
    pub sleep: Option<SleepStates<'a>>,
    /// Threads that may make rows.
    pub threads: usize,
}

impl Inputs<'_> {
    /// Is this object to be left out because it sleeps?
    #[inline]
    pub fn is_asleep(&self, m: &Model, kind: ObjType, id: usize) -> bool {
        self.sleep.is_some_and(|sleep| sleep.of_object(m, kind, id) == SleepState::Asleep)
    }

    /// Jacobian of a tendon's length in compressed form.
    pub fn tendon_row(&self, m: &Model, tendon: usize, row: &mut (Vec<i32>, Vec<f64>)) {
        row.0.clear();
        row.1.clear();
        if is_sparse(m) {
            let adr = self.ten_J_rowadr[tendon] as usize;
            let range = adr..adr + self.ten_J_rownnz[tendon] as usize;
            row.0.extend_from_slice(&self.ten_J_colind[range.clone()]);
            row.1.extend_from_slice(&self.ten_J[range]);
        } else {
            for (dof, &x) in self.ten_J[tendon * m.nv..(tendon + 1) * m.nv].iter().enumerate() {
                if x != 0.0 {
                    row.0.push(dof as i32);
                    row.1.push(x);
                }
            }
        }
    }
}
