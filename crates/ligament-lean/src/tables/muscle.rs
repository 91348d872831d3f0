//! Constants of muscles.

use ligament_math::MINVAL;
use ligament_model::Model;

/// Force, length and velocity curves of a muscle (MuJoCo book, "Muscle actuators"), made dimensionless.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Muscle<N = f64> {
    /// Normalised length = offset + (length − first) / optimal.
    pub offset: N,
    pub first: N,
    pub optimal: N,
    /// Velocity unit: optimal length times the largest speed.
    pub speed: N,
    /// Peak force.
    pub force: N,
    pub lmin: N,
    pub lmax: N,
    pub fpmax: N,
    pub fvmax: N,
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
