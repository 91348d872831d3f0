//! Solver parameters of constraints: what makes them valid, and the gains they stand for (book, "Solver parameters").

use ligament_model::Model;
use ligament_model::constants::{MAXIMP, MINIMP, MINVAL};
use ligament_model::enums::DisableBit;

/// Solver parameters of one constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverParams {
    /// Time constant and damping ratio, or negative stiffness and damping.
    pub solref: [f64; 2],
    /// The same for the friction of an elliptic contact; zeros: as `solref`.
    pub solreffriction: [f64; 2],
    /// dmin, dmax, width, midpoint, power.
    pub solimp: [f64; 5],
}

impl SolverParams {
    /// The parameters that the engine works with: mixtures of the two formats fall back, time constants are not below
    /// two time steps, impedances lie strictly between 0 and 1.
    ///
    /// ```
    /// # use ligament_model::{Model, Sizes};
    /// # use ligament_sim::constraint::SolverParams;
    /// let mut model = Model::allocate(Sizes::default());
    /// model.opt.timestep = 0.01;
    /// let given = SolverParams { solref: [0.005, 1.0], solreffriction: [0.0; 2], solimp: [0.0, 1.0, 0.001, 0.5, 2.0] };
    /// let safe = given.safe(&model);
    /// assert_eq!(safe.solref, [0.02, 1.0]);
    /// assert!(safe.solimp[0] > 0.0 && safe.solimp[1] < 1.0);
    /// ```
    #[must_use]
    pub fn safe(self, m: &Model) -> Self {
        self.with_shortest(shortest_time(m))
    }

    /// [`Self::safe`] with this as the shortest time constant.
    #[must_use]
    pub(crate) fn with_shortest(mut self, shortest: f64) -> Self {
        // time constant and damping ratio are positive, stiffness and damping negative: a mixture falls back
        let mixed = |solref: [f64; 2]| (solref[0] > 0.0) != (solref[1] > 0.0);
        if mixed(self.solref) {
            self.solref = [0.02, 1.0];
        }
        if mixed(self.solreffriction) {
            self.solreffriction = [0.0; 2];
        }
        for timeconst in [&mut self.solref[0], &mut self.solreffriction[0]] {
            if *timeconst > 0.0 {
                *timeconst = timeconst.max(shortest);
            }
        }
        for k in [0, 1, 3] {
            self.solimp[k] = MAXIMP.min(MINIMP.max(self.solimp[k]));
        }
        self.solimp[2] = self.solimp[2].max(0.0);
        self.solimp[4] = self.solimp[4].max(1.0);
        self
    }
}

/// The shortest time constant that is safe: two time steps, or 0 where the options allow any.
pub(crate) fn shortest_time(m: &Model) -> f64 {
    if m.opt.disabled(DisableBit::Refsafe) { 0.0 } else { 2.0 * m.opt.timestep }
}

/// Stiffness and damping of the reference acceleration, from a safe `solref` and the largest impedance.
pub fn reference_gains([r0, r1]: [f64; 2], dmax: f64) -> (f64, f64) {
    let stiffness = if r0 > 0.0 {
        1.0 / MINVAL.max(dmax * dmax * r0 * r0 * r1 * r1)
    } else {
        -r0 / MINVAL.max(dmax * dmax)
    };
    let damping = if r1 > 0.0 { 2.0 / MINVAL.max(dmax * r0) } else { -r1 / MINVAL.max(dmax) };
    (stiffness, damping)
}
