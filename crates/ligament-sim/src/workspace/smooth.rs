//! Working memory of the smooth-dynamics stages: kinematics to integration.

use ligament_model::parts::ActuatorState;

/// Buffers of the smooth stages.
#[derive(Debug, Default)]
pub struct Smooth {
    /// Dense row of a tendon or an actuator, 1 × nv.
    pub row: Vec<f64>,
    /// Second dense row.
    pub row2: Vec<f64>,
    /// Which columns of `row` are in use.
    pub mark: Vec<bool>,
    /// Columns of `row` that are in use.
    pub columns: Vec<i32>,
    /// Weights of constraint rows (adhesion).
    pub efc_weight: Vec<f64>,
    /// Com-based accelerations of bodies.
    pub cacc: Vec<[f64; 6]>,
    /// Com-based forces on bodies.
    pub cfrc: Vec<[f64; 6]>,
    /// Moments of what hangs on the world, by body.
    pub root_moments: Vec<[f64; 3]>,
    /// Velocities of bodies at their centres of mass.
    pub body_vel: Vec<[f64; 6]>,
    /// Clamped controls.
    pub ctrl: Vec<f64>,
    /// Forces of gain and bias parts, by actuator.
    pub gain_force: Vec<f64>,
    pub bias_force: Vec<f64>,
    /// What one part is called with, and what it answers.
    pub actuator_states: Vec<ActuatorState>,
    pub part_forces: Vec<f64>,
    /// Total actuator force per tendon.
    pub tendon_force: Vec<f64>,
    /// Joint-space force of an integrator.
    pub qfrc: Vec<f64>,
    /// Acceleration of an integrator.
    pub qacc: Vec<f64>,
    /// Counters of the LU factorisation.
    pub remaining: Vec<i32>,
}

impl Smooth {
    /// Accelerations of and forces on so many bodies, to be written.
    pub fn recursion(&mut self, bodies: usize) -> (&mut [[f64; 6]], &mut [[f64; 6]]) {
        self.cacc.resize(bodies, [0.0; 6]);
        self.cfrc.resize(bodies, [0.0; 6]);
        (&mut self.cacc, &mut self.cfrc)
    }
}

/// Buffers of the Runge-Kutta integrator: states, their rates, the combined step, the time at which the step began.
#[derive(Debug, Default)]
pub struct RungeKutta {
    pub time: f64,
    pub state: [Vec<f64>; 4],
    pub rate: [Vec<f64>; 4],
    pub step: Vec<f64>,
}

/// Buffers of the velocity derivatives.
#[derive(Debug, Default)]
pub struct Derivative {
    /// Columns of com-based velocities, accelerations and forces, on the body-dof pattern.
    pub vel: Vec<[f64; 6]>,
    pub acc: Vec<[f64; 6]>,
    pub force: Vec<[f64; 6]>,
    /// Dofs of a body and its Jacobian on them.
    pub chain: Vec<i32>,
    pub jac: Vec<f64>,
}
