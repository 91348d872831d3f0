//! Constants of muscles.

use ligament_math::MINVAL;
use ligament_model::Model;

/// Force, length and velocity curves of a muscle (MuJoCo book, "Muscle actuators"), made dimensionless.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Muscle {
    /// Normalised length = offset + (length − first) / optimal.
    pub offset: f64,
    pub first: f64,
    pub optimal: f64,
    /// Velocity unit: optimal length times the largest speed.
    pub speed: f64,
    /// Peak force.
    pub force: f64,
    pub lmin: f64,
    pub lmax: f64,
    pub fpmax: f64,
    pub fvmax: f64,
}

impl Muscle {
    pub(super) fn new(m: &Model, i: usize, prm: &[f64; 10]) -> Self {
        let [first, last] = m.actuator_lengthrange[i];
        let optimal = (last - first) / (prm[1] - prm[0]).max(MINVAL);
        Self {
            offset: prm[0],
            first,
            optimal: optimal.max(MINVAL),
            speed: (optimal * prm[6]).max(MINVAL),
            // a negative peak force stands for scale / acc0
            force: if prm[2] < 0.0 { prm[3] / m.actuator_acc0[i].max(MINVAL) } else { prm[2] },
            lmin: prm[4],
            lmax: prm[5],
            fpmax: prm[7],
            fvmax: prm[8],
        }
    }
}
