//! Dry friction of degrees of freedom and tendons.

use crate::support::all_zero;
use crate::workspace::ConstraintScratch;
use ligament_model::enums::{ConstraintType, ObjType};

use super::inputs::Inputs;
use super::rows::{Group, Rows};

/// Rows of all degrees of freedom that have friction.
pub(crate) fn add_dof_friction(frictionloss: &[f64], d: &Inputs, rows: &mut Rows) {
    if all_zero(frictionloss) {
        return;
    }
    for (dof, &frictionloss) in frictionloss.iter().enumerate() {
        if frictionloss == 0.0 || d.is_asleep(ObjType::Dof, dof) {
            continue;
        }
        let kind = ConstraintType::FrictionDof;
        let group = Group { kind, id: dof, size: 1, pos: &[], margin: &[], frictionloss };
        rows.add(group, &[dof as i32], &[1.0]);
    }
}

/// Rows of all tendons that have friction.
pub(crate) fn add_tendon_friction(
    frictionloss: &[f64],
    d: &Inputs,
    rows: &mut Rows,
    s: &mut ConstraintScratch,
) {
    for (tendon, &frictionloss) in frictionloss.iter().enumerate() {
        if !(frictionloss > 0.0) {
            continue;
        }
        let row = rows.len();
        let kind = ConstraintType::FrictionTendon;
        let group = Group { kind, id: tendon, size: 1, pos: &[], margin: &[], frictionloss };
        d.tendons.compress(tendon, &mut s.first);
        rows.add(group, &s.first.0, &s.first.1);
        rows.note_tendon(tendon, row);
    }
}
