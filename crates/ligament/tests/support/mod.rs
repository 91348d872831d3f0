//! A model with its state, and shorthand for reading and stepping it.
#![allow(dead_code)] // each test file uses its own part

use ligament::enums::DisableBit;
use ligament::sim::{reset, step};
use ligament::{Data, Model, load_model};

pub struct Sim {
    pub m: Model,
    pub d: Data,
}

impl Sim {
    pub fn new(xml: &str) -> Self {
        let m = load_model(xml).unwrap_or_else(|error| panic!("{error}\n{xml}"));
        let d = reset::make_data(&m).unwrap();
        Self { m, d }
    }

    pub fn forward(&mut self) -> &mut Self {
        step::forward(&self.m, &mut self.d).unwrap();
        self
    }

    pub fn steps(&mut self, count: usize) -> &mut Self {
        for _ in 0..count {
            step::step(&self.m, &mut self.d).unwrap();
        }
        self
    }

    pub fn reset(&mut self) -> &mut Self {
        reset::reset_data(&self.m, &mut self.d).unwrap();
        self
    }

    pub fn disable(&mut self, bit: DisableBit) -> &mut Self {
        self.m.opt.disableflags |= bit as i32;
        self
    }

    /// Dense row of the actuator moments.
    pub fn moment(&self, actuator: usize) -> Vec<f64> {
        let mut row = vec![0.0; self.m.nv];
        let start = self.d.moment_rowadr[actuator] as usize;
        for k in start..start + self.d.moment_rownnz[actuator] as usize {
            row[self.d.moment_colind[k] as usize] = self.d.actuator_moment[k];
        }
        row
    }

    /// Largest difference between the tendon Jacobian and central differences of the length.
    pub fn tendon_gradient_error(&mut self, tendon: usize) -> f64 {
        const EPS: f64 = 1e-7;
        let base = self.d.qpos.clone();
        let nv = self.m.nv;
        let mut worst: f64 = 0.0;
        self.forward();
        let row = self.d.ten_J[tendon * nv..(tendon + 1) * nv].to_vec();
        for (dof, &exact) in row.iter().enumerate() {
            let mut length_at = |eps: f64| {
                let mut v = vec![0.0; nv];
                v[dof] = eps;
                self.d.qpos.copy_from_slice(&base);
                ligament::sim::support::integrate_pos(&self.m, &mut self.d.qpos, &v, 1.0);
                self.forward();
                self.d.ten_length[tendon]
            };
            let numeric = (length_at(EPS) - length_at(-EPS)) / (2.0 * EPS);
            worst = worst.max((numeric - exact).abs());
        }
        self.d.qpos.copy_from_slice(&base);
        self.forward();
        worst
    }
}

#[track_caller]
pub fn close(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
}

#[track_caller]
pub fn all_close(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len());
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        assert!((g - w).abs() <= tolerance, "entry {i}: got {g}, want {w}\n{got:?}\n{want:?}");
    }
}

/// Time of `first` in units of the time of `second`, the best of many rounds that alternate. Another program on the
/// machine can only make both slower: measuring is repeated until the ratio is in the range, or given up.
pub fn measured_ratio(
    range: std::ops::RangeInclusive<f64>,
    mut first: impl FnMut(),
    mut second: impl FnMut(),
) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let start = std::time::Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    let mut ratio = f64::NAN;
    for _ in 0..20 {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..40 {
            best[0] = best[0].min(time(&mut first));
            best[1] = best[1].min(time(&mut second));
        }
        ratio = best[0] / best[1];
        if range.contains(&ratio) {
            break;
        }
    }
    ratio
}
