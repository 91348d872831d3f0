//! The sparse reverse factorisation `A = Lᵀ L`.

use crate::dense::{axpy, givens};
use crate::sparse;
use crate::team;
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A stretch of consecutive columns of one row: values `adr..adr + len` stand at columns `col..col + len`.
#[derive(Debug, Clone, Copy)]
struct Run {
    col: u32,
    len: u32,
    adr: u32,
}

/// How large a factor may become.
#[derive(Debug, Clone, Copy)]
pub struct FactorLimits {
    /// Multiplications that it takes.
    pub multiplications: u64,
    /// Entries that are stored.
    pub entries: u64,
}

impl FactorLimits {
    /// No limits.
    pub const NONE: Self = Self { multiplications: u64::MAX, entries: u64::MAX };

    /// Is a factor within the limits?
    pub fn allow(&self, multiplications: u64, entries: usize) -> bool {
        multiplications <= self.multiplications && entries as u64 <= self.entries
    }
}

/// Sparse reverse Cholesky factor with a pattern fixed by [`ReverseFactor::analyse`].
///
/// Rows are kept as runs of consecutive columns: in a kinematic ordering a row is a few long runs, so the inner
/// loops are contiguous.
#[derive(Debug, Clone, Default)]
pub struct ReverseFactor {
    touched: usize,
    n: usize,
    start: Vec<usize>,
    col: Vec<u32>,
    val: Vec<f64>,
    run_start: Vec<usize>,
    runs: Vec<Run>,
    /// For each column, the rows below the diagonal that contain it, with the position of the entry.
    below_start: Vec<usize>,
    below: Vec<(u32, u32)>,
    parent: Vec<u32>,
    flag: Vec<u32>,
    work: Vec<f64>,
    count: Vec<u32>,
    /// What a factor takes.
    multiplications: u64,
    /// Vectors of updates.
    vectors: Vectors,
}

const NONE: u32 = u32::MAX;

impl ReverseFactor {
    /// Number of stored entries.
    pub fn nnz(&self) -> usize {
        self.val.len()
    }

    /// Number of entries that the last [`update`](Self::update) looked at.
    pub fn touched(&self) -> usize {
        self.touched
    }

    /// Takes over the numbers of another factor of the same pattern.
    pub fn copy_values(&mut self, values: &[f64]) {
        self.val.clear();
        self.val.extend_from_slice(values);
    }

    /// The entries, row after row.
    pub fn values(&self) -> &[f64] {
        &self.val
    }

    /// Pattern of the factor of a matrix whose upper triangle is given by `above`: for each variable `r` the
    /// rows `i > r` that contain it (any order, repetitions allowed). Davis 2005, Algorithm 849, run backwards.
    ///
    /// A factor beyond the limits is given up: false.
    pub fn analyse(&mut self, n: usize, above_start: &[usize], above: &[u32], limits: FactorLimits) -> bool {
        self.n = n;
        self.multiplications = 0;
        self.parent.clear();
        self.parent.resize(n, NONE);
        self.flag.clear();
        self.flag.resize(n, NONE);
        self.below.clear();
        self.count.clear();
        self.count.resize(n, 1);
        self.below_start.clear();
        self.below_start.resize(n + 1, 0);
        // `below` is filled from the last column to the first, then read through below_start
        for r in (0..n).rev() {
            self.below_start[r] = self.below.len();
            if !limits.allow(self.multiplications, self.below.len()) {
                self.forget();
                return false;
            }
            self.flag[r] = r as u32;
            for &first in &above[above_start[r]..above_start[r + 1]] {
                let mut i = first as usize;
                while self.flag[i] != r as u32 {
                    if self.parent[i] == NONE {
                        self.parent[i] = r as u32;
                    }
                    self.count[i] += 1;
                    self.below.push((i as u32, 0));
                    self.flag[i] = r as u32;
                    i = self.parent[i] as usize;
                }
            }
            let column = (self.below.len() - self.below_start[r]) as u64;
            self.multiplications += column * (column + 1) / 2 + column;
        }
        self.place_entries();
        self.find_runs();
        true
    }

    /// Leaves a factor without variables; the memory is kept.
    fn forget(&mut self) {
        self.n = 0;
        self.multiplications = 0;
        self.start.clear();
        self.col.clear();
        self.val.clear();
        self.runs.clear();
        self.run_start.clear();
        self.below.clear();
    }

    /// Multiplications of a factor.
    pub fn multiplications(&self) -> u64 {
        self.multiplications
    }

    /// Gives every entry its position: rows ascending, columns ascending, the diagonal last.
    fn place_entries(&mut self) {
        let n = self.n;
        self.start.clear();
        self.start.push(0);
        for r in 0..n {
            let end = self.start[r] + self.count[r] as usize;
            self.start.push(end);
        }
        let total = self.start[n];
        self.col.clear();
        self.col.resize(total, 0);
        self.val.clear();
        self.val.resize(total, 0.0);
        // columns were visited in descending order: fill each row from its end
        for r in 0..n {
            self.count[r] = self.start[r + 1] as u32 - 1;
            self.col[self.start[r + 1] - 1] = r as u32;
        }
        for r in (0..n).rev() {
            let range = self.below_start[r]..if r == 0 { self.below.len() } else { self.below_start[r - 1] };
            for (row, position) in &mut self.below[range] {
                let cursor = &mut self.count[*row as usize];
                *cursor -= 1;
                *position = *cursor;
                self.col[*cursor as usize] = r as u32;
            }
        }
    }

    fn find_runs(&mut self) {
        self.runs.clear();
        self.run_start.clear();
        self.run_start.push(0);
        for r in 0..self.n {
            let row = self.start[r]..self.start[r + 1];
            let first = self.runs.len();
            for adr in row {
                let col = self.col[adr];
                match self.runs[first..].last_mut() {
                    Some(run) if run.col + run.len == col => run.len += 1,
                    _ => self.runs.push(Run { col, len: 1, adr: adr as u32 }),
                }
            }
            self.run_start.push(self.runs.len());
        }
    }

    fn below_of(&self, r: usize) -> std::ops::Range<usize> {
        self.below_start[r]..if r == 0 { self.below.len() } else { self.below_start[r - 1] }
    }

    /// Zeroes the numbers, to be filled through [`ReverseFactor::entries`].
    pub fn clear_values(&mut self) {
        self.val.fill(0.0);
    }

    /// Columns and writable numbers of a row of the lower triangle.
    #[inline]
    pub fn entries(&mut self, r: usize) -> (&[u32], &mut [f64]) {
        let range = self.start[r]..self.start[r + 1];
        (&self.col[range.clone()], &mut self.val[range])
    }

    /// Factors in place; returns false when a pivot fell below `min_pivot` (it is replaced by it).
    #[inline(never)]
    pub fn factor(&mut self, min_pivot: f64) -> bool {
        let mut sound = true;
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.resize(self.n, 0.0);
        for r in (0..self.n).rev() {
            let range = self.start[r]..self.start[r + 1];
            for (&c, &v) in self.col[range.clone()].iter().zip(&self.val[range.clone()]) {
                work[c as usize] = v;
            }
            for k in self.below_of(r) {
                let (row, position) = self.below[k];
                let factor = self.val[position as usize];
                if factor != 0.0 {
                    self.subtract_row(row as usize, position, factor, &mut work);
                }
            }
            let mut pivot = work[r];
            if !(pivot >= min_pivot) {
                pivot = min_pivot;
                sound = false;
            }
            let pivot = pivot.sqrt();
            let inv = 1.0 / pivot;
            for (&c, v) in self.col[range.clone()].iter().zip(&mut self.val[range.clone()]) {
                *v = work[c as usize] * inv;
            }
            self.val[range.end - 1] = pivot;
        }
        self.work = work;
        sound
    }

    /// `work -= factor · row`, up to and including the entry at `position`.
    #[inline]
    fn subtract_row(&self, row: usize, position: u32, factor: f64, work: &mut [f64]) {
        for run in &self.runs[self.run_start[row]..self.run_start[row + 1]] {
            if run.adr > position {
                break;
            }
            let len = run.len.min(position + 1 - run.adr) as usize;
            let (col, adr) = (run.col as usize, run.adr as usize);
            axpy(-factor, &self.val[adr..adr + len], &mut work[col..col + len]);
        }
    }

    /// Solves `Lᵀ L x = b` in place.
    pub fn solve(&self, x: &mut [f64]) {
        for i in (0..self.n).rev() {
            if x[i] != 0.0 {
                let end = self.start[i + 1] - 1;
                x[i] /= self.val[end];
                let xi = x[i];
                for run in &self.runs[self.run_start[i]..self.run_start[i + 1]] {
                    let (col, adr) = (run.col as usize, run.adr as usize);
                    let len = (run.len as usize).min(end - adr);
                    axpy(-xi, &self.val[adr..adr + len], &mut x[col..col + len]);
                }
            }
        }
        for i in 0..self.n {
            let (start, end) = (self.start[i], self.start[i + 1] - 1);
            let row = &self.val[start..end];
            let sum = match self.runs[self.run_start[i]..self.run_start[i + 1]] {
                [run] => sparse::dot_packed(row, &x[run.col as usize..run.col as usize + row.len()]),
                _ => sparse::dot_at(row, x, &self.col[start..end]),
            };
            x[i] = (x[i] - sum) / self.val[end];
        }
    }

    /// Factor of `A ± v vᵀ`; `v` is dense, zero outside the pattern, and used up.
    /// Returns false when definiteness is lost.
    pub fn update(&mut self, v: &mut [f64], add: bool) -> bool {
        let Self { n, start, val, runs, run_start, .. } = self;
        let mut rotation = Rotation { add, touched: *n, sound: true };
        FactorRows { start, runs, run_start, first: 0, val }.rotate(0..*n, v, &mut rotation);
        self.touched = rotation.touched;
        rotation.sound
    }

    /// [`update`](Self::update) as often as there are `outcomes`, on so many threads, with the same bits as one after the
    /// other. `load` puts the vector of an update into zeros and says whether it is added.
    ///
    /// Rows are dealt with in stretches, from the last to the first, by several updates one after the other while they are at
    /// hand; the next updates follow at a distance of a stretch.
    #[inline(never)]
    pub fn update_all(
        &mut self,
        threads: usize,
        outcomes: &mut [UpdateOutcome],
        load: impl Fn(usize, &mut [f64]) -> bool + Sync,
    ) {
        let Self { n, start, val, runs, run_start, vectors: spare, .. } = self;
        let stretches = [const { Mutex::new(None) }; STRETCHES];
        let (mut rest, mut end) = (&mut val[..], *n);
        for (k, stretch) in stretches.iter().enumerate() {
            let entries = rest.len() * (STRETCHES - 1 - k) / (STRETCHES - k);
            let first = start[..end + 1].partition_point(|&adr| adr < entries).min(end);
            let (before, val) = rest.split_at_mut(start[first]);
            rest = before;
            *lock(stretch) =
                Some((first..end, FactorRows { start, runs, run_start, first: start[first], val }));
            end = first;
        }
        let turns = [const { AtomicUsize::new(0) }; STRETCHES];
        let given_up = AtomicBool::new(false);
        let groups = Mutex::new(outcomes.chunks_mut(GROUP).enumerate());
        team::together(threads, || {
            let guard = Flag(&given_up);
            let mut vectors = lock(&spare.0).pop().unwrap_or_default();
            vectors.clear();
            vectors.resize(*n * GROUP, 0.0);
            loop {
                let Some((k, outcomes)) = lock(&groups).next() else { break };
                let mut rotations = [Rotation { add: false, touched: *n, sound: true }; GROUP];
                let updates = || (0..outcomes.len()).map(|j| (GROUP * k + j, j * *n..(j + 1) * *n));
                for (rotation, (update, own)) in rotations.iter_mut().zip(updates()) {
                    rotation.add = load(update, &mut vectors[own]);
                }
                for (stretch, turn) in stretches.iter().zip(&turns) {
                    team::wait_until(|| turn.load(Acquire) == k || given_up.load(Relaxed));
                    let Some((rows, factor)) = &mut *lock(stretch) else { continue };
                    for (rotation, (_, own)) in rotations.iter_mut().zip(updates()) {
                        factor.rotate(rows.clone(), &mut vectors[own], rotation);
                    }
                    turn.store(k + 1, Release);
                }
                for (outcome, rotation) in outcomes.iter_mut().zip(rotations) {
                    *outcome = UpdateOutcome { touched: rotation.touched, sound: rotation.sound };
                }
            }
            lock(&spare.0).push(vectors);
            std::mem::forget(guard);
        });
    }
}

/// Vectors that nobody needs now; a copy has none.
#[derive(Debug, Default)]
struct Vectors(Mutex<Vec<Vec<f64>>>);

impl Clone for Vectors {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Stretches of rows that updates pass through: some ten thousand numbers each, which stay in a cache.
const STRETCHES: usize = 48;

/// Updates that pass through a stretch together.
const GROUP: usize = 8;

/// What an update did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UpdateOutcome {
    /// Number of entries that it looked at.
    pub touched: usize,
    /// Is the matrix still definite?
    pub sound: bool,
}

/// Set when it is dropped: a panic is on its way, and nobody should wait for what will not come.
struct Flag<'a>(&'a AtomicBool);

impl Drop for Flag<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A rank-one update on its way through the rows.
#[derive(Clone, Copy)]
struct Rotation {
    add: bool,
    touched: usize,
    sound: bool,
}

/// Consecutive rows of a factor, whose entries begin at `first`.
struct FactorRows<'a> {
    start: &'a [usize],
    runs: &'a [Run],
    run_start: &'a [usize],
    first: usize,
    val: &'a mut [f64],
}

impl FactorRows<'_> {
    fn rotate(&mut self, rows: Range<usize>, v: &mut [f64], rotation: &mut Rotation) {
        let add = rotation.add;
        for r in rows.rev() {
            let v_r = v[r];
            if v_r == 0.0 {
                continue;
            }
            v[r] = 0.0;
            let end = self.start[r + 1] - 1;
            rotation.touched += end - self.start[r];
            let Some((pivot, c, s)) = givens(self.val[end - self.first], v_r, add) else {
                rotation.sound = false;
                continue;
            };
            self.val[end - self.first] = pivot;
            let s_row = if add { -s } else { s };
            for run in &self.runs[self.run_start[r]..self.run_start[r + 1]] {
                let (col, adr) = (run.col as usize, run.adr as usize);
                let len = (run.len as usize).min(end - adr);
                let row = &mut self.val[adr - self.first..adr - self.first + len];
                for (l, v) in row.iter_mut().zip(&mut v[col..col + len]) {
                    let (old_l, old_v) = (*l, *v);
                    *l = c * old_l + s_row * old_v;
                    *v = s * old_l + c * old_v;
                }
            }
        }
    }
}

/// Two chains that share their root, coupled at their tips: the coupling creates fill.
#[cfg(test)]
pub(super) fn coupled_chains() -> (usize, Vec<f64>) {
    let n = 7;
    let mut a = vec![0.0; n * n];
    let mut set = |i: usize, j: usize, x: f64| {
        a[i * n + j] = x;
        a[j * n + i] = x;
    };
    for i in 0..n {
        set(i, i, 4.0 + i as f64);
    }
    for (i, j) in [(1, 0), (2, 0), (2, 1), (3, 0), (4, 0), (4, 3), (5, 3), (5, 0), (6, 2)] {
        set(i, j, 0.3 + 0.1 * (i + j) as f64);
    }
    (n, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MINVAL, dense};

    fn sparse_of(n: usize, a: &[f64]) -> ReverseFactor {
        let mut start = vec![0];
        let mut above = Vec::new();
        for r in 0..n {
            above.extend((r + 1..n).filter(|&i| a[i * n + r] != 0.0).map(|i| i as u32));
            start.push(above.len());
        }
        let mut f = ReverseFactor::default();
        assert!(f.analyse(n, &start, &above, FactorLimits::NONE));
        f.clear_values();
        for r in 0..n {
            let (cols, vals) = f.entries(r);
            for (c, v) in cols.iter().zip(vals) {
                *v = a[r * n + *c as usize];
            }
        }
        f
    }

    #[test]
    fn factor_solve_update() {
        let (n, a) = coupled_chains();
        let mut f = sparse_of(n, &a);
        assert!(f.factor(MINVAL));
        let mut dense_factor = a.clone();
        dense::reverse_cholesky(&mut dense_factor, n, MINVAL);
        let b: Vec<f64> = (0..n).map(|i| 1.0 - 0.4 * i as f64).collect();
        let (mut x, mut y) = (b.clone(), b.clone());
        f.solve(&mut x);
        dense::reverse_cholesky_solve(&dense_factor, n, &mut y);
        for i in 0..n {
            assert!((x[i] - y[i]).abs() < 1e-14);
        }
        let mut v = vec![0.0; n];
        (v[2], v[6]) = (-0.2, 0.9);
        let mut w = v.clone();
        assert!(f.update(&mut v, true));
        assert!(dense::reverse_cholesky_update(&mut dense_factor, n, &mut w, &[true]));
        (x, y) = (b.clone(), b);
        f.solve(&mut x);
        dense::reverse_cholesky_solve(&dense_factor, n, &mut y);
        for i in 0..n {
            assert!((x[i] - y[i]).abs() < 1e-14);
        }
    }

    /// Many updates at once have the bits of one after the other, on any number of threads.
    #[test]
    fn updates_pass_through_together() {
        let n = 150;
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            a[i * n + i] = 9.0;
            for j in [i / 2, i.saturating_sub(3), i.saturating_sub(40)].into_iter().filter(|&j| j < i) {
                (a[i * n + j], a[j * n + i]) = (0.5, 0.5);
            }
        }
        let load = |k: usize, v: &mut [f64]| {
            let i = 7 * k % (n - 41) + 40;
            (v[i], v[i - 40]) = (0.3 + 0.01 * k as f64, -0.2);
            !k.is_multiple_of(3)
        };
        let mut factor = sparse_of(n, &a);
        assert!(factor.factor(MINVAL));
        let mut one_by_one = factor.clone();
        let mut outcomes = [UpdateOutcome::default(); 21];
        for (k, outcome) in outcomes.iter_mut().enumerate() {
            let mut v = vec![0.0; n];
            let add = load(k, &mut v);
            *outcome = UpdateOutcome { sound: one_by_one.update(&mut v, add), touched: one_by_one.touched() };
        }
        for threads in [1, 2, 3, 8] {
            let (mut together, mut found) = (factor.clone(), [UpdateOutcome::default(); 21]);
            together.update_all(threads, &mut found, load);
            assert_eq!(together.values(), one_by_one.values());
            assert_eq!(found, outcomes);
        }
    }
}
