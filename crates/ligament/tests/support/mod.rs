//! A model with its state, and shorthand for reading and stepping it.
#![allow(dead_code)] // each test file uses its own part

pub mod allocations;
pub mod models;
pub mod spoil;

use ligament::enums::DisableBit;
use ligament::sim::support::integrate_pos;
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

    /// The initial state of a model, with everything computed.
    pub fn new_of(m: &Model) -> Self {
        let d = reset::make_data(m).unwrap();
        let mut sim = Self { m: m.clone(), d };
        sim.forward();
        sim
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

    /// Central differences of a function of the configuration, by dof.
    pub fn slopes(&mut self, h: f64, f: impl Fn(&Self) -> f64) -> Vec<f64> {
        let base = self.d.qpos.clone();
        let slopes = (0..self.m.nv)
            .map(|dof| {
                let mut at = |h: f64| {
                    let mut step = vec![0.0; self.m.nv];
                    step[dof] = h;
                    self.d.qpos.copy_from_slice(&base);
                    integrate_pos(&self.m, &mut self.d.qpos, &step, 1.0);
                    self.forward();
                    f(self)
                };
                (at(h) - at(-h)) / (2.0 * h)
            })
            .collect();
        self.d.qpos.copy_from_slice(&base);
        self.forward();
        slopes
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
        self.forward();
        let nv = self.m.nv;
        let row = self.d.ten_J[tendon * nv..(tendon + 1) * nv].to_vec();
        let slopes = self.slopes(1e-7, |sim| sim.d.ten_length[tendon]);
        row.iter().zip(slopes).fold(0.0, |worst, (exact, slope)| worst.max((exact - slope).abs()))
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
