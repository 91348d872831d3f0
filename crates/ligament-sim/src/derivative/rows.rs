//! Sums in the pattern of qDeriv.

use ligament_model::Model;

/// qDeriv += scale · rowᵀ row, dropping entries outside the pattern.
pub(super) fn add_outer_product(m: &Model, q_deriv: &mut [f64], scale: f64, row: &[f64], columns: &[i32]) {
    for (value, &k) in row.iter().zip(columns) {
        add_row(m, q_deriv, k as usize, value * scale, row, columns);
    }
}

/// qDeriv(k, :) += scale · row
#[inline]
pub(super) fn add_row(m: &Model, q_deriv: &mut [f64], k: usize, scale: f64, row: &[f64], columns: &[i32]) {
    if scale == 0.0 {
        return;
    }
    let start = m.D_rowadr[k] as usize;
    let range = start..start + m.D_rownnz[k] as usize;
    let (target, target_columns) = (&mut q_deriv[range.clone()], &m.D_colind[range]);
    let mut at = 0;
    for (value, &column) in row.iter().zip(columns) {
        while at < target.len() && target_columns[at] < column {
            at += 1;
        }
        if at == target.len() {
            return;
        }
        if target_columns[at] == column {
            target[at] += value * scale;
        }
    }
}
