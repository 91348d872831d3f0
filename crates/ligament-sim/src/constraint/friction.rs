//! Dry friction of degrees of freedom and tendons.

use crate::workspace::ConstraintScratch;
use ligament_model::enums::{ConstraintType, DisableBit, ObjType};
use ligament_model::{Data, Model};

use super::rows::{Group, Rows};
use super::tendon_row;
use crate::sleep::{object_asleep, sleep_filter};

/// Rows of all frictional degrees of freedom and tendons.
pub(crate) fn add_friction(m: &Model, d: &mut Data, rows: &mut Rows, s: &mut ConstraintScratch) {
    if m.opt.disabled(DisableBit::Frictionloss) {
        return;
    }
    let filter = sleep_filter(m, d);
    for dof in 0..m.nv {
        let frictionloss = m.dof_frictionloss[dof];
        if frictionloss == 0.0 || (filter && object_asleep(m, d, ObjType::Dof, dof)) {
            continue;
        }
        let kind = ConstraintType::FrictionDof;
        let group = Group { kind, id: dof, size: 1, pos: &[], margin: &[], frictionloss };
        rows.add(group, &[dof as i32], &[1.0]);
    }
    for tendon in 0..m.ntendon {
        let frictionloss = m.tendon_frictionloss[tendon];
        if !(frictionloss > 0.0) {
            continue;
        }
        let row = rows.len() as i32;
        let kind = ConstraintType::FrictionTendon;
        let group = Group { kind, id: tendon, size: 1, pos: &[], margin: &[], frictionloss };
        tendon_row(m, d, tendon, &mut s.first);
        rows.add(group, &s.first.0, &s.first.1);
        if d.tendon_efcadr[tendon] == -1 {
            d.tendon_efcadr[tendon] = row;
        }
    }
}
