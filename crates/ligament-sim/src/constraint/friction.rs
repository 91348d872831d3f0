//! Dry friction of degrees of freedom and tendons.

use crate::workspace::ConstraintScratch;
use ligament_model::Model;
use ligament_model::enums::{ConstraintType, DisableBit, ObjType};

use super::inputs::Inputs;
use super::rows::{Group, Rows};

/// Rows of all frictional degrees of freedom and tendons.
pub(crate) fn add_friction(m: &Model, d: &Inputs, rows: &mut Rows, s: &mut ConstraintScratch) {
    if m.opt.disabled(DisableBit::Frictionloss) {
        return;
    }
    for dof in 0..m.nv {
        let frictionloss = m.dof_frictionloss[dof];
        if frictionloss == 0.0 || d.is_asleep(m, ObjType::Dof, dof) {
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
        let row = rows.len();
        let kind = ConstraintType::FrictionTendon;
        let group = Group { kind, id: tendon, size: 1, pos: &[], margin: &[], frictionloss };
        d.tendon_row(m, tendon, &mut s.first);
        rows.add(group, &s.first.0, &s.first.1);
        rows.note_tendon(tendon, row);
    }
}
