//! Products with the inverse of the inertia matrix that touch only the trees they concern: a model of many trees would
//! otherwise take time that grows with the square of their number.

use crate::inertia;
use ligament_math::{dense, sparse};
use ligament_model::{Data, Model};
use std::ops::Range;

/// Buffers of such products.
pub(super) struct Inverse {
    /// Zero between calls.
    solved: Vec<f64>,
    /// Every dof, where the factors are not finite: then what lies beside a row makes its products undefined, too.
    everything: Option<Vec<i32>>,
    /// Multiplications that are left.
    left: u64,
}

impl Inverse {
    pub(super) fn new(m: &Model, d: &Data, most_work: u64) -> Self {
        let finite = d.qLD.iter().chain(&d.qLDiagInv[..]).all(|x| x.is_finite());
        let everything = (!finite).then(|| (0..m.nv as i32).collect());
        Self { solved: vec![0.0; m.nv], everything, left: most_work }
    }

    /// Was there enough for all products? Those for which there was not are no numbers.
    pub(super) fn was_affordable(&self) -> bool {
        self.left > 0
    }

    /// xᵀ M⁻¹ x of a row that is zero outside of these rising dofs, which include all ancestors of each. What is solved for
    /// beside them would meet zeros of the row.
    pub(super) fn weight(&mut self, m: &Model, d: &Data, row: &[f64], dofs: &[i32]) -> f64 {
        self.product(m, d, row, dofs, dense::dot)
    }

    /// |M⁻¹ x| of a row that is zero outside of these dofs of whole trees.
    pub(super) fn size(&mut self, m: &Model, d: &Data, row: &[f64], dofs: &[i32]) -> f64 {
        self.product(m, d, row, dofs, |_, solved| dense::norm(solved))
    }

    fn product(
        &mut self,
        m: &Model,
        d: &Data,
        row: &[f64],
        dofs: &[i32],
        product: impl Fn(&[f64], &[f64]) -> f64,
    ) -> f64 {
        let (solved, dofs) = (&mut self.solved, self.everything.as_deref().unwrap_or(dofs));
        let (Some(&first), Some(&last)) = (dofs.first(), dofs.last()) else { return 0.0 };
        let work: u64 = dofs.iter().map(|&i| 2 * m.M_rownnz[i as usize] as u64).sum();
        self.left = self.left.saturating_sub(work);
        if self.left == 0 {
            return f64::NAN;
        }
        for &i in dofs {
            solved[i as usize] = row[i as usize];
        }
        sparse::solve_ltdl(solved, &d.qLD, &d.qLDiagInv, dofs.len(), inertia::pattern(m), Some(dofs));
        let places = summed(m.nv, &(first as usize..last as usize + 1));
        let result = product(&row[places.clone()], &solved[places]);
        for &i in dofs {
            solved[i as usize] = 0.0;
        }
        result
    }
}

/// Where a sum over these dofs has the bits of one over all: [`dense::dot`] has a partial sum for every fourth place and
/// one for the last places that are not four.
fn summed(nv: usize, dofs: &Range<usize>) -> Range<usize> {
    let fours = nv / 4 * 4;
    let end = if dofs.end <= fours { dofs.end.next_multiple_of(4) } else { nv };
    dofs.start / 4 * 4..end
}

/// Dofs of whole trees from the first to the last that hold these; none for none.
pub(super) fn trees_of(m: &Model, columns: &[i32]) -> Range<i32> {
    let (mut start, mut end) = (m.nv as i32, 0);
    for &dof in columns {
        let (first, count) = match usize::try_from(m.dof_treeid[dof as usize]) {
            Ok(tree) => (m.tree_dofadr[tree], m.tree_dofnum[tree]),
            Err(_) => (0, m.nv as i32),
        };
        start = start.min(first);
        end = end.max(first + count);
    }
    start.min(end)..end
}

#[cfg(test)]
mod tests {
    use super::summed;
    use ligament_math::dense;

    #[test]
    fn a_sum_over_a_part_has_the_bits_of_the_whole() {
        for nv in 1..40 {
            for start in 0..nv {
                for end in start + 1..=nv {
                    let mut row = vec![0.0; nv];
                    for (i, x) in row[start..end].iter_mut().enumerate() {
                        *x = 1.0 / (start + i + 3) as f64;
                    }
                    let other: Vec<f64> = row.iter().map(|x| x * 1.1).collect();
                    let places = summed(nv, &(start..end));
                    let part = dense::dot(&row[places.clone()], &other[places]);
                    assert_eq!(part.to_bits(), dense::dot(&row, &other).to_bits(), "{nv} {start} {end}");
                }
            }
        }
    }
}
