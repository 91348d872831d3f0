//! What must survive a step of one world for the next one to give the same bits, and what the user sets.

use ligament_model::{Data, Model};

/// The state of one world.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// Simulated time.
    pub time: f64,
    /// Positions.
    pub qpos: Vec<f64>,
    /// Velocities.
    pub qvel: Vec<f64>,
    /// Activations of actuators.
    pub act: Vec<f64>,
    /// Where the solver starts; after a step the acceleration.
    pub qacc_warmstart: Vec<f64>,
    /// Controls.
    pub ctrl: Vec<f64>,
    /// Forces applied to joints.
    pub qfrc_applied: Vec<f64>,
    /// Forces and torques applied to bodies.
    pub xfrc_applied: Vec<[f64; 6]>,
    /// Positions of mocap bodies.
    pub mocap_pos: Vec<[f64; 3]>,
    /// Orientations of mocap bodies.
    pub mocap_quat: Vec<[f64; 4]>,
    /// Which equalities hold.
    pub eq_active: Vec<u8>,
    /// Controls of the past, where actuators have delays.
    pub history: Vec<f64>,
    /// Positions, velocities and activations that the forces of a Runge-Kutta step were evaluated at last: what `mj_step` leaves
    /// its derived fields for. Written where there is room for them, empty at first.
    pub evaluated: Vec<f64>,
}

impl State {
    /// The state that a `Data` is in.
    pub fn of(d: &Data) -> Self {
        let mut state = Self::default();
        state.read(d);
        state
    }

    /// Takes over the state of a `Data`.
    pub fn read(&mut self, d: &Data) {
        self.time = d.time;
        copy(&mut self.qpos, &d.qpos);
        copy(&mut self.qvel, &d.qvel);
        copy(&mut self.act, &d.act);
        copy(&mut self.qacc_warmstart, &d.qacc_warmstart);
        copy(&mut self.ctrl, &d.ctrl);
        copy(&mut self.qfrc_applied, &d.qfrc_applied);
        copy(&mut self.xfrc_applied, &d.xfrc_applied);
        copy(&mut self.mocap_pos, &d.mocap_pos);
        copy(&mut self.mocap_quat, &d.mocap_quat);
        copy(&mut self.eq_active, &d.eq_active);
        copy(&mut self.history, &d.history);
    }

    /// Puts a `Data` into this state. Everything that follows from the state is left as it was.
    pub fn write(&self, d: &mut Data) {
        d.time = self.time;
        d.qpos.copy_from_slice(&self.qpos);
        d.qvel.copy_from_slice(&self.qvel);
        d.act.copy_from_slice(&self.act);
        d.qacc_warmstart.copy_from_slice(&self.qacc_warmstart);
        d.ctrl.copy_from_slice(&self.ctrl);
        d.qfrc_applied.copy_from_slice(&self.qfrc_applied);
        d.xfrc_applied.copy_from_slice(&self.xfrc_applied);
        d.mocap_pos.copy_from_slice(&self.mocap_pos);
        d.mocap_quat.copy_from_slice(&self.mocap_quat);
        d.eq_active.copy_from_slice(&self.eq_active);
        d.history.copy_from_slice(&self.history);
    }

    /// The initial state of a model.
    pub fn initial(m: &Model) -> Self {
        let mut d = Data::new(m);
        // a model that simulates has a valid initial configuration
        ligament_sim::reset::reset_data(m, &mut d).ok();
        Self::of(&d)
    }
}

fn copy<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}
