//! Loops over short rows, four numbers at a time.
//!
//! Compilers turn such loops into code for long rows: sixteen numbers a turn, and one by one what is left. Rows here
//! have one to thirty numbers, so that most of them would be "left". Each kernel has a twin in plain Rust, which other
//! processors run and tests compare with; every number is computed on its own, so both have the same bits.
#![allow(unsafe_code)]

/// `y += s x`, over the shorter length.
#[inline]
pub fn axpy(s: f64, x: &[f64], y: &mut [f64]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
    avx::axpy(s, x, y);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
    plain::axpy(s, x, y);
}

/// `out = x + y`, over the shortest length.
#[inline]
pub fn sum(x: &[f64], y: &[f64], out: &mut [f64]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
    avx::sum(x, y, out);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
    plain::sum(x, y, out);
}

/// `y₀ += s₀ x` and `y₁ += s₁ x`, over the shortest length.
#[inline]
pub fn axpy_twice(s: [f64; 2], x: &[f64], y: [&mut [f64]; 2]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
    avx::axpy_twice(s, x, y);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
    plain::axpy_twice(s, x, y);
}

/// `y₀ -= s₀ x` and `y₁ -= s₁ x` over `n` numbers, an even number of them.
///
/// # Safety
/// There must be `n` numbers at `x` and at both places of `y`, and those written must be no others.
#[inline(always)]
pub(crate) unsafe fn subtract_even_twice(s: [f64; 2], x: *const f64, n: usize, y: [*mut f64; 2]) {
    // SAFETY: as the caller has made sure.
    unsafe {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
        avx::subtract_even_twice(s, x, n, y);
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
        plain::subtract_even_twice(s, x, n, y);
    }
}

/// `y -= s x` over `n` numbers, an even number of them.
///
/// # Safety
/// There must be `n` numbers at `x` and at `y`, and those written must be no others.
#[inline(always)]
pub(crate) unsafe fn subtract_even(s: f64, x: *const f64, n: usize, y: *mut f64) {
    // SAFETY: as the caller has made sure.
    unsafe {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
        avx::subtract_even(s, x, n, y);
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
        plain::subtract_even(s, x, n, y);
    }
}

/// `y = y + w₀ x₀ + w₁ x₁ + w₂ x₂ + w₃ x₃`, added in this order, over the shortest length.
#[inline]
pub fn axpy4(w: [f64; 4], x: [&[f64]; 4], y: &mut [f64]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
    avx::axpy4(w, x, y);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
    plain::axpy4(w, x, y);
}

/// Products of row `j` with `4 B` rows from `i` on, over all columns of a matrix stored by columns `stride` apart.
///
/// Each sum has the order of [`crate::dense::dot`]: four partial sums over columns 4k, 4k+1, 4k+2, 4k+3, added as
/// (0+2)+(1+3), then the columns that are left.
#[inline]
pub fn column_products<const B: usize>(columns: &[f64], stride: usize, j: usize, i: usize) -> [[f64; 4]; B] {
    assert!(j < stride && i + 4 * B <= stride && columns.len().is_multiple_of(stride));
    #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
    return avx::column_products(columns, stride, j, i);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
    return plain::column_products(columns, stride, j, i);
}

/// `Σ left[p] right[i .. i + 4 B]` over the rows, `stride` apart, of two matrices, one row after the other.
#[inline]
pub fn row_products<const B: usize>(
    left: &[f64],
    right: &[f64],
    stride: usize,
    p: usize,
    i: usize,
) -> [[f64; 4]; B] {
    assert!(
        p < stride && i + 4 * B <= stride && left.len() == right.len() && left.len().is_multiple_of(stride)
    );
    #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
    return avx::row_products(left, right, stride, p, i);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
    return plain::row_products(left, right, stride, p, i);
}

/// `out -= left rightᵀ`, all stored by columns: `rows × cols` numbers with columns `out_stride` apart; `left` and `right`
/// have `depth` columns, `stride` apart. Sums run over the columns first and are subtracted at the end.
#[inline]
pub fn subtract_products(
    out: &mut [f64],
    out_stride: usize,
    (rows, cols): (usize, usize),
    left: &[f64],
    right: &[f64],
    (stride, depth): (usize, usize),
) {
    if rows == 0 || cols == 0 || depth == 0 {
        return;
    }
    assert!((cols - 1) * out_stride + rows <= out.len());
    assert!((depth - 1) * stride + rows <= left.len() && (depth - 1) * stride + cols <= right.len());
    #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
    avx::subtract_products(out, out_stride, (rows, cols), left, right, (stride, depth));
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
    plain::subtract_products(out, out_stride, (rows, cols), left, right, (stride, depth));
}

/// The twins.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx"))))]
mod plain {
    pub fn axpy(s: f64, x: &[f64], y: &mut [f64]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += s * x;
        }
    }

    pub fn sum(x: &[f64], y: &[f64], out: &mut [f64]) {
        for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
            *out = x + y;
        }
    }

    pub fn axpy_twice(s: [f64; 2], x: &[f64], [y0, y1]: [&mut [f64]; 2]) {
        for ((y0, y1), x) in y0.iter_mut().zip(y1).zip(x) {
            *y0 += s[0] * x;
            *y1 += s[1] * x;
        }
    }

    /// See [`super::subtract_even_twice`].
    pub unsafe fn subtract_even_twice(s: [f64; 2], x: *const f64, n: usize, y: [*mut f64; 2]) {
        for k in 0..n {
            // SAFETY: the caller has made sure that there are `n` numbers.
            unsafe {
                *y[0].add(k) -= s[0] * *x.add(k);
                *y[1].add(k) -= s[1] * *x.add(k);
            }
        }
    }

    /// See [`super::subtract_even`].
    pub unsafe fn subtract_even(s: f64, x: *const f64, n: usize, y: *mut f64) {
        for k in 0..n {
            // SAFETY: the caller has made sure that there are `n` numbers.
            unsafe { *y.add(k) -= s * *x.add(k) };
        }
    }

    pub fn axpy4(w: [f64; 4], [x0, x1, x2, x3]: [&[f64]; 4], y: &mut [f64]) {
        for ((((y, x0), x1), x2), x3) in y.iter_mut().zip(x0).zip(x1).zip(x2).zip(x3) {
            *y = *y + w[0] * x0 + w[1] * x1 + w[2] * x2 + w[3] * x3;
        }
    }

    pub fn column_products<const B: usize>(
        columns: &[f64],
        stride: usize,
        j: usize,
        i: usize,
    ) -> [[f64; 4]; B] {
        let mut partial = [[[0.0; 4]; B]; 4];
        let mut fours = columns.chunks_exact(4 * stride);
        for four in &mut fours {
            for (sums, column) in partial.iter_mut().zip(four.chunks_exact(stride)) {
                add(sums, column, j, i);
            }
        }
        let mut rest = [[0.0; 4]; B];
        for column in fours.remainder().chunks_exact(stride) {
            add(&mut rest, column, j, i);
        }
        let [s0, s1, s2, s3] = partial;
        std::array::from_fn(|b| {
            std::array::from_fn(|t| ((s0[b][t] + s2[b][t]) + (s1[b][t] + s3[b][t])) + rest[b][t])
        })
    }

    pub fn subtract_products(
        out: &mut [f64],
        out_stride: usize,
        (rows, cols): (usize, usize),
        left: &[f64],
        right: &[f64],
        (stride, depth): (usize, usize),
    ) {
        for c in 0..cols {
            for r in 0..rows {
                let mut sum = 0.0;
                for k in 0..depth {
                    sum += left[k * stride + r] * right[k * stride + c];
                }
                out[c * out_stride + r] -= sum;
            }
        }
    }

    pub fn row_products<const B: usize>(
        left: &[f64],
        right: &[f64],
        stride: usize,
        p: usize,
        i: usize,
    ) -> [[f64; 4]; B] {
        let mut sums = [[0.0; 4]; B];
        for (left, right) in left.chunks_exact(stride).zip(right.chunks_exact(stride)) {
            for (sum, x) in sums.as_flattened_mut().iter_mut().zip(&right[i..]) {
                *sum += left[p] * x;
            }
        }
        sums
    }

    fn add<const B: usize>(sums: &mut [[f64; 4]; B], column: &[f64], j: usize, i: usize) {
        for (sum, x) in sums.as_flattened_mut().iter_mut().zip(&column[i..]) {
            *sum += column[j] * x;
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
mod avx {
    use std::arch::x86_64::{
        __m256d, _mm_add_pd, _mm_loadu_pd, _mm_mul_pd, _mm_set1_pd, _mm_storeu_pd, _mm_sub_pd, _mm256_add_pd,
        _mm256_broadcast_sd, _mm256_loadu_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_setzero_pd,
        _mm256_storeu_pd, _mm256_sub_pd,
    };

    #[inline(always)]
    pub fn axpy(s: f64, x: &[f64], y: &mut [f64]) {
        let n = x.len().min(y.len());
        let (from, to) = (x.as_ptr(), y.as_mut_ptr());
        let mut k = 0;
        // SAFETY: every place read or written is below `n`, the smaller of both lengths; the slices do not overlap,
        // since one of them is mutable; the compiler was told that the processor has AVX.
        unsafe {
            let scale = _mm256_set1_pd(s);
            while k + 4 <= n {
                let sum = _mm256_add_pd(
                    _mm256_loadu_pd(to.add(k)),
                    _mm256_mul_pd(scale, _mm256_loadu_pd(from.add(k))),
                );
                _mm256_storeu_pd(to.add(k), sum);
                k += 4;
            }
            if k + 2 <= n {
                let sum = _mm_add_pd(
                    _mm_loadu_pd(to.add(k)),
                    _mm_mul_pd(_mm_set1_pd(s), _mm_loadu_pd(from.add(k))),
                );
                _mm_storeu_pd(to.add(k), sum);
                k += 2;
            }
            if k < n {
                *to.add(k) += s * *from.add(k);
            }
        }
    }

    #[inline(always)]
    pub fn sum(x: &[f64], y: &[f64], out: &mut [f64]) {
        let n = x.len().min(y.len()).min(out.len());
        let (x, y, to) = (x.as_ptr(), y.as_ptr(), out.as_mut_ptr());
        let mut k = 0;
        // SAFETY: every place read or written is below `n`, the smallest of the lengths; the compiler was told that the processor
        // has AVX.
        unsafe {
            while k + 4 <= n {
                _mm256_storeu_pd(
                    to.add(k),
                    _mm256_add_pd(_mm256_loadu_pd(x.add(k)), _mm256_loadu_pd(y.add(k))),
                );
                k += 4;
            }
            if k + 2 <= n {
                _mm_storeu_pd(to.add(k), _mm_add_pd(_mm_loadu_pd(x.add(k)), _mm_loadu_pd(y.add(k))));
                k += 2;
            }
            if k < n {
                *to.add(k) = *x.add(k) + *y.add(k);
            }
        }
    }

    #[inline(always)]
    pub fn axpy_twice(s: [f64; 2], x: &[f64], y: [&mut [f64]; 2]) {
        let n = x.len().min(y[0].len()).min(y[1].len());
        let from = x.as_ptr();
        let to = y.map(|y| y.as_mut_ptr());
        let mut k = 0;
        // SAFETY: every place read or written is below `n`, the smallest of the lengths; the slices do not overlap, since two
        // of them are mutable; the compiler was told that the processor has AVX.
        unsafe {
            let scale = s.map(|s| _mm256_set1_pd(s));
            while k + 4 <= n {
                let x = _mm256_loadu_pd(from.add(k));
                for (to, scale) in to.into_iter().zip(scale) {
                    let sum = _mm256_add_pd(_mm256_loadu_pd(to.add(k)), _mm256_mul_pd(scale, x));
                    _mm256_storeu_pd(to.add(k), sum);
                }
                k += 4;
            }
            if k + 2 <= n {
                let x = _mm_loadu_pd(from.add(k));
                for (to, s) in to.into_iter().zip(s) {
                    let sum = _mm_add_pd(_mm_loadu_pd(to.add(k)), _mm_mul_pd(_mm_set1_pd(s), x));
                    _mm_storeu_pd(to.add(k), sum);
                }
                k += 2;
            }
            if k < n {
                for (to, s) in to.into_iter().zip(s) {
                    *to.add(k) += s * *from.add(k);
                }
            }
        }
    }

    /// See [`super::subtract_even`].
    #[inline(always)]
    pub unsafe fn subtract_even(s: f64, x: *const f64, n: usize, y: *mut f64) {
        let mut k = 0;
        // SAFETY: every place is below `n`, and the caller has made sure that there are so many; the compiler was told that the
        // processor has AVX.
        unsafe {
            while k + 4 <= n {
                let product = _mm256_mul_pd(_mm256_set1_pd(s), _mm256_loadu_pd(x.add(k)));
                _mm256_storeu_pd(y.add(k), _mm256_sub_pd(_mm256_loadu_pd(y.add(k)), product));
                k += 4;
            }
            if n & 2 != 0 {
                let product = _mm_mul_pd(_mm_set1_pd(s), _mm_loadu_pd(x.add(k)));
                _mm_storeu_pd(y.add(k), _mm_sub_pd(_mm_loadu_pd(y.add(k)), product));
            }
        }
    }

    /// See [`super::subtract_even_twice`].
    #[inline(always)]
    pub unsafe fn subtract_even_twice(s: [f64; 2], x: *const f64, n: usize, y: [*mut f64; 2]) {
        let mut k = 0;
        // SAFETY: every place is below `n`, and the caller has made sure that there are so many; the compiler was told that the
        // processor has AVX.
        unsafe {
            while k + 4 <= n {
                let x = _mm256_loadu_pd(x.add(k));
                for (y, s) in y.into_iter().zip(s) {
                    let product = _mm256_mul_pd(_mm256_set1_pd(s), x);
                    _mm256_storeu_pd(y.add(k), _mm256_sub_pd(_mm256_loadu_pd(y.add(k)), product));
                }
                k += 4;
            }
            if n & 2 != 0 {
                let x = _mm_loadu_pd(x.add(k));
                for (y, s) in y.into_iter().zip(s) {
                    let product = _mm_mul_pd(_mm_set1_pd(s), x);
                    _mm_storeu_pd(y.add(k), _mm_sub_pd(_mm_loadu_pd(y.add(k)), product));
                }
            }
        }
    }

    /// `j < stride`, `i + 4 B ≤ stride`, and whole columns: the caller has made sure.
    #[inline(always)]
    pub fn column_products<const B: usize>(
        columns: &[f64],
        stride: usize,
        j: usize,
        i: usize,
    ) -> [[f64; 4]; B] {
        let count = columns.len() / stride;
        let mut result = [[0.0; 4]; B];
        // SAFETY: column `c < count` begins at `c stride`; in it `j` and `i..i + 4 B` are below `stride`, so that every
        // place read is below `count stride ≤ columns.len()`; the compiler was told that the processor has AVX.
        unsafe {
            let mut column = columns.as_ptr();
            let add = |sums: &mut [__m256d; B], column: *const f64| {
                let factor = _mm256_broadcast_sd(&*column.add(j));
                for b in 0..B {
                    let x = _mm256_loadu_pd(column.add(i + 4 * b));
                    sums[b] = _mm256_add_pd(sums[b], _mm256_mul_pd(factor, x));
                }
            };
            let zero = [_mm256_setzero_pd(); B];
            let (mut s0, mut s1, mut s2, mut s3, mut rest) = (zero, zero, zero, zero, zero);
            for _ in 0..count / 4 {
                add(&mut s0, column);
                add(&mut s1, column.add(stride));
                add(&mut s2, column.add(2 * stride));
                add(&mut s3, column.add(3 * stride));
                column = column.add(4 * stride);
            }
            for k in 0..count % 4 {
                add(&mut rest, column.add(k * stride));
            }
            for b in 0..B {
                let sum = _mm256_add_pd(_mm256_add_pd(s0[b], s2[b]), _mm256_add_pd(s1[b], s3[b]));
                _mm256_storeu_pd(result[b].as_mut_ptr(), _mm256_add_pd(sum, rest[b]));
            }
        }
        result
    }

    /// `p < stride`, `i + 4 B ≤ stride`, and whole rows, as many in both: the caller has made sure.
    #[inline(always)]
    pub fn row_products<const B: usize>(
        left: &[f64],
        right: &[f64],
        stride: usize,
        p: usize,
        i: usize,
    ) -> [[f64; 4]; B] {
        let mut result = [[0.0; 4]; B];
        // SAFETY: row `r < left.len() / stride` begins at `r stride` in both; in it `p` and `i..i + 4 B` are below
        // `stride`, so that every place read is below the length; the compiler was told that the processor has AVX.
        unsafe {
            let (mut left_row, mut right_row) = (left.as_ptr(), right.as_ptr());
            let mut sums = [_mm256_setzero_pd(); B];
            for _ in 0..left.len() / stride {
                let factor = _mm256_broadcast_sd(&*left_row.add(p));
                for b in 0..B {
                    let x = _mm256_loadu_pd(right_row.add(i + 4 * b));
                    sums[b] = _mm256_add_pd(sums[b], _mm256_mul_pd(factor, x));
                }
                left_row = left_row.add(stride);
                right_row = right_row.add(stride);
            }
            for b in 0..B {
                _mm256_storeu_pd(result[b].as_mut_ptr(), sums[b]);
            }
        }
        result
    }

    /// Lengths are as the caller has made sure.
    pub fn subtract_products(
        out: &mut [f64],
        out_stride: usize,
        (rows, cols): (usize, usize),
        left: &[f64],
        right: &[f64],
        (stride, depth): (usize, usize),
    ) {
        let mut c = 0;
        while c < cols {
            let wide = c + 4 <= cols;
            let mut r = 0;
            while r < rows {
                let left_rows = &left[r..];
                let right_rows = &right[c..];
                let target = &mut out[c * out_stride + r..];
                // SAFETY: columns `c..` and rows `r..` of the tile are below `cols` and `rows`, so that its last number
                // is in range by the checks of the caller; the compiler was told that the processor has AVX.
                unsafe {
                    r += match (wide, rows - r) {
                        (true, 8..) => tile::<2, 4>(target, out_stride, left_rows, right_rows, stride, depth),
                        (true, 4..) => tile::<1, 4>(target, out_stride, left_rows, right_rows, stride, depth),
                        (true, _) => narrow::<4>(target, out_stride, left_rows, right_rows, stride, depth),
                        (false, 8..) => {
                            tile::<2, 1>(target, out_stride, left_rows, right_rows, stride, depth)
                        }
                        (false, 4..) => {
                            tile::<1, 1>(target, out_stride, left_rows, right_rows, stride, depth)
                        }
                        (false, _) => narrow::<1>(target, out_stride, left_rows, right_rows, stride, depth),
                    };
                }
            }
            c += if wide { 4 } else { 1 };
        }
    }

    /// A tile of `4 V` rows and `C` columns; returns the number of rows.
    ///
    /// # Safety
    /// `out` has `C` columns `out_stride` apart of at least `4 V` numbers; `left` and `right` have `depth` columns
    /// `stride` apart of at least `4 V` and `C` numbers.
    #[inline(always)]
    unsafe fn tile<const V: usize, const C: usize>(
        out: &mut [f64],
        out_stride: usize,
        left: &[f64],
        right: &[f64],
        stride: usize,
        depth: usize,
    ) -> usize {
        let (out, left, right) = (out.as_mut_ptr(), left.as_ptr(), right.as_ptr());
        // SAFETY: see above.
        unsafe {
            let mut sums = [[_mm256_setzero_pd(); V]; C];
            for k in 0..depth {
                let x: [__m256d; V] = std::array::from_fn(|v| _mm256_loadu_pd(left.add(k * stride + 4 * v)));
                for c in 0..C {
                    let factor = _mm256_broadcast_sd(&*right.add(k * stride + c));
                    for v in 0..V {
                        sums[c][v] = _mm256_add_pd(sums[c][v], _mm256_mul_pd(x[v], factor));
                    }
                }
            }
            for c in 0..C {
                for v in 0..V {
                    let place = out.add(c * out_stride + 4 * v);
                    _mm256_storeu_pd(place, _mm256_sub_pd(_mm256_loadu_pd(place), sums[c][v]));
                }
            }
        }
        4 * V
    }

    /// A row of `C` columns; returns one.
    ///
    /// # Safety
    /// As [`tile`], for one row.
    #[inline(always)]
    unsafe fn narrow<const C: usize>(
        out: &mut [f64],
        out_stride: usize,
        left: &[f64],
        right: &[f64],
        stride: usize,
        depth: usize,
    ) -> usize {
        // SAFETY: see above.
        unsafe {
            let mut sums = [0.0; C];
            for k in 0..depth {
                let x = *left.get_unchecked(k * stride);
                for c in 0..C {
                    sums[c] += x * *right.get_unchecked(k * stride + c);
                }
            }
            for c in 0..C {
                *out.get_unchecked_mut(c * out_stride) -= sums[c];
            }
        }
        1
    }

    #[inline(always)]
    pub fn axpy4(w: [f64; 4], x: [&[f64]; 4], y: &mut [f64]) {
        let n = x.iter().fold(y.len(), |n, x| n.min(x.len()));
        let (from, to) = (x.map(<[f64]>::as_ptr), y.as_mut_ptr());
        let mut k = 0;
        // SAFETY: as in `axpy`; `n` is the smallest of all five lengths.
        unsafe {
            let weights = w.map(|w| _mm256_set1_pd(w));
            while k + 4 <= n {
                let mut sum = _mm256_loadu_pd(to.add(k));
                for t in 0..4 {
                    sum = _mm256_add_pd(sum, _mm256_mul_pd(weights[t], _mm256_loadu_pd(from[t].add(k))));
                }
                _mm256_storeu_pd(to.add(k), sum);
                k += 4;
            }
            if k + 2 <= n {
                let mut sum = _mm_loadu_pd(to.add(k));
                for t in 0..4 {
                    sum = _mm_add_pd(sum, _mm_mul_pd(_mm_set1_pd(w[t]), _mm_loadu_pd(from[t].add(k))));
                }
                _mm_storeu_pd(to.add(k), sum);
                k += 2;
            }
            if k < n {
                let mut sum = *to.add(k);
                for t in 0..4 {
                    sum += w[t] * *from[t].add(k);
                }
                *to.add(k) = sum;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kernels have the bits of their twins for every length, and touch nothing beyond the shortest slice.
    #[test]
    fn kernels_agree_with_their_twins() {
        let numbers = |n: usize, seed: f64| -> Vec<f64> {
            (0..n).map(|k| ((k as f64 + seed) * 1.7).sin() * 10f64.powi(k as i32 % 5 - 2)).collect()
        };
        for n in 0..40 {
            for extra in [0, 1, 5] {
                let y = numbers(n + extra, 0.3);
                let x: [Vec<f64>; 4] = std::array::from_fn(|t| numbers(n + t * extra, t as f64 + 1.0));
                let (mut a, mut b) = (y.clone(), y.clone());
                axpy(1.3, &x[0], &mut a);
                plain::axpy(1.3, &x[0], &mut b);
                assert_eq!(a, b);
                let ((mut a2, mut b2), s) =
                    ((numbers(n + 2 * extra, 0.9), numbers(n + 2 * extra, 0.9)), [0.3, -2.1]);
                axpy_twice(s, &x[1], [&mut a, &mut a2]);
                plain::axpy_twice(s, &x[1], [&mut b, &mut b2]);
                assert_eq!((&a, &a2), (&b, &b2));
                let even = n & !1;
                // SAFETY: all of these have `n` numbers.
                unsafe {
                    subtract_even_twice(s, x[0].as_ptr(), even, [a.as_mut_ptr(), a2.as_mut_ptr()]);
                    plain::subtract_even_twice(s, x[0].as_ptr(), even, [b.as_mut_ptr(), b2.as_mut_ptr()]);
                    subtract_even(s[0], x[2].as_ptr(), even, a.as_mut_ptr());
                    plain::subtract_even(s[0], x[2].as_ptr(), even, b.as_mut_ptr());
                }
                assert_eq!((&a, &a2), (&b, &b2));
                sum(&x[0], &x[3], &mut a);
                plain::sum(&x[0], &x[3], &mut b);
                assert_eq!(a, b);
                let (w, rows) = ([0.7, -1.1, 3.0, 1e-3], std::array::from_fn(|t| &x[t][..]));
                axpy4(w, rows, &mut a);
                plain::axpy4(w, rows, &mut b);
                assert_eq!(a, b);
            }
        }
    }

    /// The same for products of columns, for every number of columns.
    #[test]
    fn column_products_agree_with_their_twin() {
        for (count, stride) in [(0, 8), (1, 8), (4, 9), (6, 11), (7, 12), (13, 17)] {
            let columns: Vec<f64> = (0..count * stride).map(|k| (k as f64 * 0.7).sin()).collect();
            for i in 0..=stride - 8 {
                let one: [[f64; 4]; 1] = column_products(&columns, stride, 3, i);
                let two: [[f64; 4]; 2] = column_products(&columns, stride, 3, i);
                assert_eq!(one, plain::column_products(&columns, stride, 3, i));
                assert_eq!(two, plain::column_products(&columns, stride, 3, i));
                assert_eq!(one[0], two[0]);
                let left: Vec<f64> = columns.iter().map(|x| 1.0 - x).collect();
                let one: [[f64; 4]; 1] = row_products(&left, &columns, stride, 3, i);
                let two: [[f64; 4]; 2] = row_products(&left, &columns, stride, 3, i);
                assert_eq!(one, plain::row_products(&left, &columns, stride, 3, i));
                assert_eq!(two, plain::row_products(&left, &columns, stride, 3, i));
            }
        }
    }

    /// And for products of dense matrices, for every shape of a tile.
    #[test]
    fn products_agree_with_their_twin() {
        for rows in 0..14 {
            for cols in 0..7 {
                for depth in [0, 1, 5] {
                    let (stride, out_stride) = (rows.max(cols) + 2, rows + 3);
                    let numbers = |n: usize| (0..n).map(|k| (k as f64 * 0.7).sin()).collect::<Vec<f64>>();
                    let (left, right) = (numbers(stride * 5), numbers(stride * 6));
                    let (mut a, mut b) = (numbers(out_stride * 7), numbers(out_stride * 7));
                    subtract_products(&mut a, out_stride, (rows, cols), &left, &right, (stride, depth));
                    plain::subtract_products(
                        &mut b,
                        out_stride,
                        (rows, cols),
                        &left,
                        &right,
                        (stride, depth),
                    );
                    assert_eq!(a, b);
                }
            }
        }
    }
}
