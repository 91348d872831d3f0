//! Which models the lean step takes.

use ligament_model::Model;
use ligament_model::enums::{ConeType, DynType, EnableBit, GainType, Integrator, SolverType, WrapType};

/// Why the lean step does not take a model. The exact engine takes all of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the lean step does not have {feature}; use the exact engine for this model")]
pub struct Refusal {
    /// What the model has that the lean step has not.
    pub feature: &'static str,
}

/// `Ok` if the lean step has everything the model needs.
pub(crate) fn accept(m: &Model) -> Result<(), Refusal> {
    let features = [
        ("parts of one's own (bending, elasticity, gain, bias, solver)", !m.parts.is_default()),
        ("flexes", m.nflex > 0),
        ("room for more than 1000 degrees of freedom", m.nv > 1000),
        ("plugins of actuators", m.actuator_plugin.iter().any(|&p| p >= 0)),
        ("plugins of bodies", m.body_plugin.iter().any(|&p| p >= 0)),
        ("delays of sensors", m.sensor_history.iter().any(|history| history[0] > 0)),
        ("delays together with Runge-Kutta", m.nhistory > 0 && m.opt.integrator == Integrator::Rk4 as i32),
        ("sleeping (enable flag sleep)", m.opt.enabled(EnableBit::Sleep)),
        ("the PGS solver", m.opt.solver == SolverType::Pgs as i32),
        ("the CG solver for elliptic cones", has_elliptic_cg(m)),
        ("the no-slip solver", m.opt.noslip_iterations > 0),
        ("armature of tendons that wrap around geoms", has_wrapping_armature(m)),
        ("user-defined actuator dynamics", m.actuator_dyntype.contains(&(DynType::User as i32))),
        ("user-defined actuator gains", m.actuator_gaintype.contains(&(GainType::User as i32))),
    ];
    match features.into_iter().find(|(_, present)| *present) {
        Some((feature, _)) => Err(Refusal { feature }),
        None => Ok(()),
    }
}

/// Steps of conjugate gradients along curved cones amplify rounding beyond what agrees with the exact engine.
fn has_elliptic_cg(m: &Model) -> bool {
    m.opt.solver == SolverType::Cg as i32 && m.opt.cone == ConeType::Elliptic as i32
}

/// The rate of such a tendon's Jacobian is not defined; the exact engine refuses it when it steps.
fn has_wrapping_armature(m: &Model) -> bool {
    (0..m.ntendon).filter(|&t| m.tendon_armature[t] != 0.0).any(|t| {
        let start = m.tendon_adr[t] as usize;
        let path = &m.wrap_type[start..start + m.tendon_num[t] as usize];
        path.contains(&(WrapType::Sphere as i32)) || path.contains(&(WrapType::Cylinder as i32))
    })
}
