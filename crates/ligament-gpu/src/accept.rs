//! Which models the GPU back end takes. What it does not have is refused by name, before anything is allocated.

use ligament_model::Model;
use ligament_model::enums::{BiasType, DynType, EnableBit, EqType, GainType, SolverType, WrapType};

/// Why a model cannot run on the GPU.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the GPU back end does not have {what}{place}; simulate this model on the CPU (device=\"cpu\")")]
pub struct Refused {
    /// What the model uses that is missing.
    pub what: String,
    /// Where, as " (joint 3)"; empty when it concerns the whole model.
    pub place: String,
}

pub(crate) fn refuse<T>(what: &str, place: impl Into<String>) -> Result<T, Refused> {
    let place: String = place.into();
    let place = if place.is_empty() { place } else { format!(" ({place})") };
    Err(Refused { what: what.to_string(), place })
}

/// Checks everything but pairs of geoms, which the table of pairs checks.
pub(crate) fn check(m: &Model) -> Result<(), Refused> {
    whole_model(m)?;
    actuators(m)?;
    tendons(m)?;
    for eq in 0..m.neq {
        let known = [EqType::Joint, EqType::Tendon, EqType::Connect, EqType::Weld];
        if !known.iter().any(|&k| k as i32 == m.eq_type[eq]) {
            return refuse("equality constraints of this type", format!("equality {eq}"));
        }
    }
    Ok(())
}

fn whole_model(m: &Model) -> Result<(), Refused> {
    let sizes = [(m.nflex, "flexes"), (m.nplugin, "plugins")];
    if let Some((_, what)) = sizes.iter().find(|(count, _)| *count > 0) {
        return refuse(what, "");
    }
    if let Some(part) = m.parts.records().first() {
        return refuse(
            "parts of one's own",
            format!("{} of {}", part.name, part.slot.element(m, part.element)),
        );
    }
    if m.nv == 0 {
        return refuse("models without degrees of freedom", "");
    }
    if m.opt.solver == SolverType::Pgs as i32 {
        return refuse("the PGS solver", "");
    }
    if m.opt.noslip_iterations > 0 {
        return refuse("the no-slip solver", "");
    }
    if m.opt.enabled(EnableBit::Sleep) {
        return refuse("sleeping", "");
    }
    Ok(())
}

fn actuators(m: &Model) -> Result<(), Refused> {
    for u in 0..m.nu {
        let place = || format!("actuator {u}");
        if ![DynType::None, DynType::Integrator, DynType::Filter, DynType::Filterexact, DynType::Muscle]
            .iter()
            .any(|&t| t as i32 == m.actuator_dyntype[u])
        {
            return refuse("user-defined activation dynamics", place());
        }
        if m.actuator_gaintype[u] == GainType::User as i32 || m.actuator_biastype[u] == BiasType::User as i32
        {
            return refuse("user-defined gains", place());
        }
        if m.actuator_actnum[u] > 1 {
            return refuse("several activations of one actuator", place());
        }
    }
    Ok(())
}

fn tendons(m: &Model) -> Result<(), Refused> {
    for t in (0..m.ntendon).filter(|&t| m.tendon_armature[t] != 0.0) {
        let first = m.tendon_adr[t] as usize;
        let parts = &m.wrap_type[first..first + m.tendon_num[t] as usize];
        // the CPU engine does not have it either
        if parts.iter().any(|&w| [WrapType::Sphere as i32, WrapType::Cylinder as i32].contains(&w)) {
            return refuse("armature of tendons that wrap around geoms", format!("tendon {t}"));
        }
    }
    Ok(())
}
