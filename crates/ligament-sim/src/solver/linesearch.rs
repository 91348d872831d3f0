//! Exact line search of the primal cost, by Newton steps on its derivative inside a bracket.

use crate::parallel;
use crate::workspace::{LineRows, SolverScratch};
use ligament_math::MINVAL;
use ligament_math::dense::{dot, norm};
use ligament_math::four::Four;
use ligament_model::Contact;
use ligament_model::enums::ConstraintType;

use super::blocks;

const ELLIPTIC: i32 = ConstraintType::ContactElliptic as i32;

/// Cost and derivatives at a step length.
#[derive(Debug, Clone, Copy, Default)]
struct Point {
    alpha: f64,
    cost: f64,
    slope: f64,
    curvature: f64,
}

impl Point {
    fn newton(&self) -> f64 {
        self.alpha - self.slope / self.curvature
    }
}

/// Step length and what is recorded about the search.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LineResult {
    pub alpha: f64,
    /// Scaled slope at the end; 1 when no search was needed.
    pub slope: f64,
    pub evaluations: i32,
}

struct Search<'a> {
    rows: &'a LineRows,
    evaluations: i32,
}

impl Search<'_> {
    fn at(&mut self, alpha: f64) -> Point {
        self.evaluations += 1;
        let [point] = evaluate(self.rows, [alpha]);
        point
    }
}

/// Prepares the costs along `s.search` and finds the best step, with no more evaluations than can be afforded.
/// `gauss` is the cost of motion at the start point.
pub(super) fn line_search(
    s: &mut SolverScratch,
    contacts: &[Contact],
    gauss: f64,
    scale: f64,
    tolerance: f64,
    max_evaluations: i32,
) -> LineResult {
    let length = norm(&s.search);
    if length < MINVAL {
        return LineResult { alpha: 0.0, slope: 1.0, evaluations: 0 };
    }
    s.mass.mul_sym_vec(&s.search, &mut s.mv);
    blocks::mul_vec(&mut s.jac, &s.search, &mut s.jv);
    prepare(s, contacts, gauss);
    let slope_tolerance = tolerance * length / scale;
    let each = evaluation_work(&s.line);
    let max_evaluations = max_evaluations.min(i32::try_from(s.effort / each).unwrap_or(i32::MAX));
    let mut search = Search { rows: &s.line, evaluations: 0 };
    let (alpha, slope) = find(&mut search, slope_tolerance, max_evaluations);
    let slope = slope.map_or(1.0, |x| x.abs() * (scale / length));
    let evaluations = search.evaluations;
    s.effort = s.effort.saturating_sub(evaluations as u64 * each);
    LineResult { alpha, slope, evaluations }
}

/// Operations of an evaluation: a cone has a root and quotients.
fn evaluation_work(rows: &LineRows) -> u64 {
    2 * rows.x0.len() as u64 + 4 * rows.friction.len() as u64 + 30 * rows.cones.len() as u64 + 50
}

impl LineRows {
    /// Length of the best step along a line whose costs were written by someone else: zero when none is better.
    pub fn best_step(&self, slope_tolerance: f64, max_evaluations: i32) -> f64 {
        find(&mut Search { rows: self, evaluations: 0 }, slope_tolerance, max_evaluations).0
    }

    /// Cost at a step length.
    pub fn cost(&self, alpha: f64) -> f64 {
        let [point] = evaluate(self, [alpha]);
        point.cost
    }

    /// Forgets rows with one-sided costs.
    fn clear_one_sided(&mut self) {
        for v in [&mut self.x0, &mut self.x1, &mut self.q0, &mut self.q1, &mut self.q2] {
            v.clear();
        }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.clear_one_sided();
        self.friction.clear();
        self.cones.clear();
        self.base = [0.0; 3];
    }
}

/// The search proper: step length, and the slope there.
fn find(search: &mut Search, tolerance: f64, max_evaluations: i32) -> (f64, Option<f64>) {
    let p0 = search.at(0.0);
    let mut p1 = search.at(p0.newton());
    if p1.slope.abs() < tolerance {
        return (p1.alpha, Some(p1.slope));
    }
    // go on in one direction until the slope changes sign
    let direction = if p1.slope < 0.0 { 1.0 } else { -1.0 };
    let mut p2 = p0;
    while p1.slope * direction <= -tolerance && search.evaluations < max_evaluations {
        p2 = p1;
        p1 = search.at(p1.newton());
        if p1.slope.abs() < tolerance {
            return (p1.alpha, Some(p1.slope));
        }
    }
    if search.evaluations >= max_evaluations {
        return (p1.alpha, Some(p1.slope));
    }
    bracketed(search, p0, p1, p2, tolerance, max_evaluations)
}

/// Shrinks the bracket [p1, p2] with Newton points of both ends and the midpoint.
///
/// All three are evaluated at once, which takes as long as one of them: additions wait for those before them. Those that are
/// not asked for do not count.
#[inline(never)]
fn bracketed(
    search: &mut Search,
    p0: Point,
    mut p1: Point,
    mut p2: Point,
    tolerance: f64,
    max_evaluations: i32,
) -> (f64, Option<f64>) {
    let middle_of = |p1: &Point, p2: &Point| 0.5 * (p1.alpha + p2.alpha);
    let mut p2_next = p1;
    let [mut p1_next, mut middle] = evaluate(search.rows, [p1.newton(), middle_of(&p1, &p2)]);
    search.evaluations += 1;
    while search.evaluations < max_evaluations {
        search.evaluations += 1;
        let candidates = [p1_next, p2_next, middle];
        let mut best: Option<Point> = None;
        for c in candidates {
            if c.slope.abs() < tolerance && best.is_none_or(|b| c.cost < b.cost) {
                best = Some(c);
            }
        }
        if let Some(best) = best {
            return (best.alpha, Some(best.slope));
        }
        let moved = [tighten(&mut p1, &candidates), tighten(&mut p2, &candidates)];
        if moved == [false; 2] {
            return (middle.alpha, Some(middle.slope));
        }
        search.evaluations += moved.map(i32::from).iter().sum::<i32>();
        let next = evaluate(search.rows, [p1.newton(), p2.newton(), middle_of(&p1, &p2)]);
        if moved[0] {
            p1_next = next[0];
        }
        if moved[1] {
            p2_next = next[1];
        }
        middle = next[2];
    }
    if p1.cost <= p2.cost && p1.cost < p0.cost {
        (p1.alpha, Some(p1.slope))
    } else if p2.cost <= p1.cost && p2.cost < p0.cost {
        (p2.alpha, Some(p2.slope))
    } else {
        (0.0, None)
    }
}

/// Replaces an end of the bracket by the candidate on the same side with the smallest slope.
fn tighten(end: &mut Point, candidates: &[Point; 3]) -> bool {
    let mut moved = false;
    for c in candidates {
        let closer_below = end.slope < 0.0 && c.slope < 0.0 && end.slope < c.slope;
        let closer_above = end.slope > 0.0 && c.slope > 0.0 && end.slope > c.slope;
        if closer_below || closer_above {
            *end = *c;
            moved = true;
        }
    }
    moved
}

/// Polynomials of the rows along the search direction.
fn prepare(s: &mut SolverScratch, contacts: &[Contact], gauss: f64) {
    let SolverScratch { line, jaref, jv, D, R, frictionloss, kind, id, .. } = s;
    let linear = dot(&s.search, &s.ma) - dot(&s.qfrc_smooth, &s.search);
    line.friction.clear();
    line.cones.clear();
    line.base = [gauss, linear, 0.5 * dot(&s.search, &s.mv)];
    // slices of one length: no check per element
    let n = jaref.len();
    let (jaref, jv, D) = (&jaref[..n], &jv[..n], &D[..n]);
    let quadratic = |i: usize| row_quadratic(jaref[i], jv[i], D[i]);
    for i in 0..s.ne {
        add3(&mut line.base, quadratic(i));
    }
    for i in s.ne..s.ne + s.nf {
        let [q0, q1, q2] = quadratic(i);
        line.friction.push([jaref[i], jv[i], frictionloss[i], R[i] * frictionloss[i], q0, q1, q2]);
    }
    let mut i = s.ne + s.nf;
    if !kind[i..].contains(&ELLIPTIC) {
        return one_sided(s.threads, (&jaref[i..], &jv[i..], &D[i..]), line);
    }
    line.clear_one_sided();
    while i < jaref.len() {
        if kind[i] == ELLIPTIC {
            let con = &contacts[id[i] as usize];
            let rows = i..i + con.dim as usize;
            let cone = cone_polynomial(&jaref[rows.clone()], &jv[rows.clone()], &D[rows.clone()], con);
            line.cones.push((line.x0.len(), cone));
            i = rows.end;
        } else {
            let [q0, q1, q2] = quadratic(i);
            line.x0.push(jaref[i]);
            line.x1.push(jv[i]);
            line.q0.push(q0);
            line.q1.push(q1);
            line.q2.push(q2);
            i += 1;
        }
    }
}

/// Coefficients of the quadratic cost of a row.
#[inline]
fn row_quadratic(jaref: f64, jv: f64, D: f64) -> [f64; 3] {
    let dj = D * jaref;
    [0.5 * (jaref * dj), jv * dj, 0.5 * (jv * D * jv)]
}

/// Rows that are not worth another thread.
const MIN_ROWS: usize = 2000;

/// Rows with one-sided quadratic costs, none of which is part of a cone.
fn one_sided(threads: usize, (jaref, jv, D): (&[f64], &[f64], &[f64]), line: &mut LineRows) {
    let LineRows { x0, x1, q0, q1, q2, .. } = line;
    // they are overwritten whole
    for v in [&mut *x0, x1, q0, q1, q2] {
        v.resize(jaref.len(), 0.0);
    }
    let items = ((jaref, jv, D), (&mut x0[..], &mut x1[..]), (&mut q0[..], &mut q1[..], &mut q2[..]));
    parallel::split(threads, MIN_ROWS, items, |((jaref, jv, D), (x0, x1), (q0, q1, q2))| {
        x0.copy_from_slice(jaref);
        x1.copy_from_slice(jv);
        let out = q0.iter_mut().zip(q1).zip(q2);
        for (((q0, q1), q2), ((&jaref, &jv), &D)) in out.zip(jaref.iter().zip(jv).zip(D)) {
            [*q0, *q1, *q2] = row_quadratic(jaref, jv, D);
        }
    });
}

fn cone_polynomial(jaref: &[f64], jv: &[f64], D: &[f64], con: &Contact) -> [f64; 10] {
    let mu = con.mu;
    let mut q = [0.0; 3];
    for j in 0..jaref.len() {
        let dj = D[j] * jaref[j];
        add3(&mut q, [jaref[j] * dj, jv[j] * dj, jv[j] * D[j] * jv[j]]);
    }
    let (mut uu, mut uv, mut vv) = (0.0, 0.0, 0.0);
    for j in 1..jaref.len() {
        let (u, v) = (jaref[j] * con.friction[j - 1], jv[j] * con.friction[j - 1]);
        uu += u * u;
        uv += u * v;
        vv += v * v;
    }
    let dm = D[0] / ((mu * mu) * (1.0 + (mu * mu)));
    [jaref[0] * mu, jv[0] * mu, uu, uv, vv, dm, mu, 0.5 * q[0], q[1], 0.5 * q[2]]
}

#[inline]
fn add3(sum: &mut [f64; 3], x: [f64; 3]) {
    for k in 0..3 {
        sum[k] += x[k];
    }
}

/// Cost and derivatives at some step lengths.
fn evaluate<const N: usize>(rows: &LineRows, alphas: [f64; N]) -> [Point; N] {
    // coefficients of what is quadratic, and the value and slopes of what is not
    let (mut totals, mut curved) = ([rows.base; N], [[0.0; 3]; N]);
    add_friction(rows, alphas, &mut totals);
    let mut done = 0;
    for (place, cone) in &rows.cones {
        add_active_quadratics(rows, done..*place, alphas, &mut totals);
        done = *place;
        for ((total, curved), alpha) in totals.iter_mut().zip(&mut curved).zip(alphas) {
            match cone_zone(cone, alpha) {
                Zone::Top => {}
                Zone::Bottom => add3(total, [cone[7], cone[8], cone[9]]),
                Zone::Middle(c) => add3(curved, c),
            }
        }
    }
    match rows.shared_by {
        Some(threads) if done == 0 => {
            let sums = active_quadratics(threads, rows, alphas);
            totals.iter_mut().zip(sums).for_each(|(total, sum)| add3(total, sum));
        }
        _ => add_active_quadratics(rows, done..rows.x0.len(), alphas, &mut totals),
    }
    std::array::from_fn(|k| Point::of(alphas[k], totals[k], curved[k]))
}

impl Point {
    /// From the coefficients of the quadratic part, and value, slope and curvature of the rest.
    fn of(alpha: f64, total: [f64; 3], [mut cost, mut slope, mut curvature]: [f64; 3]) -> Self {
        cost += alpha * alpha * total[2] + alpha * total[1] + total[0];
        slope += 2.0 * alpha * total[2] + total[1];
        curvature += 2.0 * total[2];
        // the cost is convex; rounding may hide that
        if curvature <= 0.0 {
            curvature = MINVAL;
        }
        Self { alpha, cost, slope, curvature }
    }
}

/// Numbers at up to four step lengths side by side.
fn abreast<const N: usize>(numbers: [f64; N]) -> Four {
    const { assert!(N <= 4) };
    Four::new(std::array::from_fn(|k| numbers[k.min(N - 1)]))
}

/// [`abreast`] of coefficients.
fn coefficients_abreast<const N: usize>(totals: &[[f64; 3]; N]) -> [Four; 3] {
    std::array::from_fn(|j| abreast(totals.map(|total| total[j])))
}

/// The coefficients at each step length.
fn one_by_one<const N: usize>(coefficients: [Four; 3]) -> [[f64; 3]; N] {
    let [a, b, c] = coefficients.map(Four::numbers);
    std::array::from_fn(|k| [a[k], b[k], c[k]])
}

/// Adds the quadratics of the friction rows at some step lengths, row after row.
#[inline]
fn add_friction<const N: usize>(rows: &LineRows, alphas: [f64; N], totals: &mut [[f64; 3]; N]) {
    if let ([alpha], [total]) = (&alphas[..], &mut totals[..]) {
        for row in &rows.friction {
            add3(total, friction_quadratic(row, *alpha));
        }
        return;
    }
    let alpha = abreast(alphas);
    let mut sums = coefficients_abreast(totals);
    for row in &rows.friction {
        let [start, direction, f, bound, q0, q1, q2] = *row;
        let x = Four::splat(start) + alpha * Four::splat(direction);
        let (low, high) = (Four::splat(-bound), Four::splat(bound));
        let inside = low.less(x).and(x.less(high));
        let below = |yes: f64, no: f64| {
            let (yes, no) = (Four::splat(yes), Four::splat(no));
            x.less(low).choose(yes, x.equals(low).choose(yes, no))
        };
        let outside = [
            below(f * (-0.5 * bound - start), f * (-0.5 * bound + start)),
            below(-f * direction, f * direction),
            Four::default(),
        ];
        for ((sum, q), outside) in sums.iter_mut().zip([q0, q1, q2]).zip(outside) {
            *sum += inside.choose(Four::splat(q), outside);
        }
    }
    *totals = one_by_one(sums);
}

/// The quadratic of a friction row: of its zone in the middle, or of the line on one side.
#[inline]
fn friction_quadratic(row: &[f64; 7], alpha: f64) -> [f64; 3] {
    let [start, direction, f, bound, q0, q1, q2] = *row;
    let x = start + alpha * direction;
    if -bound < x && x < bound {
        [q0, q1, q2]
    } else if x <= -bound {
        [f * (-0.5 * bound - start), -f * direction, 0.0]
    } else {
        [f * (-0.5 * bound + start), f * direction, 0.0]
    }
}

/// Adds the quadratics of the rows that are violated at some step lengths, row after row.
#[inline]
fn add_active_quadratics<const N: usize>(
    rows: &LineRows,
    range: std::ops::Range<usize>,
    alphas: [f64; N],
    totals: &mut [[f64; 3]; N],
) {
    let (x0, x1) = (&rows.x0[range.clone()], &rows.x1[range.clone()]);
    let (q0, q1, q2) = (&rows.q0[range.clone()], &rows.q1[range.clone()], &rows.q2[range]);
    let rows = x0.iter().zip(x1).zip(q0.iter().zip(q1).zip(q2));
    // adding zero changes nothing and needs no branch
    if let ([alpha], [total]) = (&alphas[..], &mut totals[..]) {
        let mut sum = *total;
        for ((x0, x1), ((q0, q1), q2)) in rows {
            let active = x0 + alpha * x1 < 0.0;
            sum[0] += if active { *q0 } else { 0.0 };
            sum[1] += if active { *q1 } else { 0.0 };
            sum[2] += if active { *q2 } else { 0.0 };
        }
        return *total = sum;
    }
    let (alpha, mut sums) = (abreast(alphas), coefficients_abreast(totals));
    for ((&x0, &x1), ((&q0, &q1), &q2)) in rows {
        let active = (Four::splat(x0) + alpha * Four::splat(x1)).less(Four::default());
        for (sum, q) in sums.iter_mut().zip([q0, q1, q2]) {
            *sum += active.choose(Four::splat(q), Four::default());
        }
    }
    *totals = one_by_one(sums);
}

/// Sums of the quadratics of all rows that are violated at some step lengths, in blocks.
fn active_quadratics<const N: usize>(threads: usize, rows: &LineRows, alphas: [f64; N]) -> [[f64; 3]; N] {
    let LineRows { x0, x1, q0, q1, q2, .. } = rows;
    let items = ((&x0[..], &x1[..]), (&q0[..], &q1[..], &q2[..]));
    parallel::sum_in_blocks(threads, items, |((x0, x1), (q0, q1, q2))| {
        // four sums side by side: each addition waits for the one before it
        let mut sums = [[Four::default(); 3]; N];
        let (x0, x1, q) = (x0.as_chunks(), x1.as_chunks(), [q0, q1, q2].map(<[f64]>::as_chunks));
        for (k, (x0, x1)) in x0.0.iter().zip(x1.0).enumerate() {
            let (x0, x1, q) = (Four::new(*x0), Four::new(*x1), q.map(|(q, _)| Four::new(q[k])));
            for (sums, alpha) in sums.iter_mut().zip(alphas) {
                let active = (x0 + Four::splat(alpha) * x1).less(Four::default());
                for (sum, q) in sums.iter_mut().zip(q) {
                    *sum += active.choose(q, Four::default());
                }
            }
        }
        let mut sums = sums.map(|sums| sums.map(Four::numbers));
        for (i, (x0, x1)) in x0.1.iter().zip(x1.1).enumerate() {
            for (sums, alpha) in sums.iter_mut().zip(alphas) {
                let active = x0 + alpha * x1 < 0.0;
                for (sum, (_, q)) in sums.iter_mut().zip(q) {
                    sum[0] += if active { q[i] } else { 0.0 };
                }
            }
        }
        sums.map(|sums| sums.map(|[a, b, c, d]| (a + b) + (c + d)))
    })
}

enum Zone {
    Top,
    Bottom,
    /// Cost, slope, curvature of the distance to the cone.
    Middle([f64; 3]),
}

#[inline]
fn cone_zone(cone: &[f64; 10], alpha: f64) -> Zone {
    let [u0, v0, uu, uv, vv, dm, mu, ..] = *cone;
    let N = u0 + alpha * v0;
    let T_squared = uu + alpha * (2.0 * uv + alpha * vv);
    if T_squared <= 0.0 {
        return if N < 0.0 { Zone::Bottom } else { Zone::Top };
    }
    let T = T_squared.sqrt();
    if N >= mu * T {
        Zone::Top
    } else if mu * N + T <= 0.0 {
        Zone::Bottom
    } else {
        let T1 = (uv + alpha * vv) / T;
        let T2 = vv / T - (uv + alpha * vv) * T1 / (T * T);
        let gap = N - mu * T;
        let gap1 = v0 - mu * T1;
        Zone::Middle([0.5 * dm * gap * gap, dm * gap * gap1, dm * (gap1 * gap1 + gap * (-mu * T2))])
    }
}
