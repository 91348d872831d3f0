//! Results: derived fields of the state that kernels can write.

use super::Builder;
use crate::accept::{Refused, refuse};
use ligament_model::Model;
use ligament_model::enums::DisableBit;

/// Fields of the state that the kernels can write, as the CPU names them and with its meaning. `cacc`, `cfrc_ext` and
/// `cfrc_int` are written only by steps that are asked for them.
pub const RESULTS: &[&str] = &[
    "act_dot",
    "actuator_force",
    "actuator_length",
    "actuator_velocity",
    "cacc",
    "cfrc_ext",
    "cfrc_int",
    "cvel",
    "geom_xmat",
    "geom_xpos",
    "ncon",
    "qacc",
    "qfrc_actuator",
    "qfrc_bias",
    "qfrc_constraint",
    "qfrc_passive",
    "qfrc_smooth",
    "sensordata",
    "site_xmat",
    "site_xpos",
    "subtree_com",
    "ten_length",
    "ten_velocity",
    "xanchor",
    "xaxis",
    "ximat",
    "xipos",
    "xmat",
    "xpos",
    "xquat",
];

/// How many numbers a world has of a result.
pub(crate) fn columns(m: &Model, name: &str) -> usize {
    match name {
        "act_dot" => m.na,
        "actuator_force" | "actuator_length" | "actuator_velocity" => m.nu,
        "cacc" | "cfrc_ext" | "cfrc_int" | "cvel" => 6 * m.nbody,
        "geom_xmat" => 9 * m.ngeom,
        "geom_xpos" => 3 * m.ngeom,
        "ncon" => 1,
        "qacc" | "qfrc_actuator" | "qfrc_bias" | "qfrc_constraint" | "qfrc_passive" | "qfrc_smooth" => m.nv,
        "sensordata" => m.nsensordata,
        "site_xmat" => 9 * m.nsite,
        "site_xpos" => 3 * m.nsite,
        "ten_length" | "ten_velocity" => m.ntendon,
        "xanchor" | "xaxis" => 3 * m.njnt,
        "ximat" | "xmat" => 9 * m.nbody,
        "subtree_com" | "xipos" | "xpos" => 3 * m.nbody,
        "xquat" => 4 * m.nbody,
        _ => 0,
    }
}

/// The results of these names, in the order of [`RESULTS`], with their columns.
pub(super) fn list(m: &Model, names: &[String]) -> Result<Vec<(&'static str, usize)>, Refused> {
    if let Some(name) = names.iter().find(|name| !RESULTS.contains(&name.as_str())) {
        return refuse(&format!("\"{name}\" among its results"), "");
    }
    let wanted = RESULTS.iter().filter(|result| names.iter().any(|name| name == *result));
    Ok(wanted.map(|name| (*name, columns(m, name))).collect())
}

/// What kernels have to keep or to compute for sensors and other results.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asks {
    /// Accelerations of bodies.
    pub accelerations: bool,
    /// Forces between bodies.
    pub body_forces: bool,
    /// Forces of single constraints.
    pub forces: bool,
    /// Forces of actuators at dofs.
    pub drive: bool,
}

impl Builder<'_> {
    /// Which results there are, and what is asked for them. `asks`: by sensors.
    pub(super) fn results(&mut self, m: &Model, results: &[(&str, usize)], asks: Asks) {
        self.define("NRESULT", results.len());
        let has = |names: &[&str]| results.iter().any(|(name, _)| names.contains(name));
        let body_forces = asks.body_forces || has(&["cacc", "cfrc_ext", "cfrc_int"]);
        let forces = body_forces || asks.forces || has(&["qfrc_constraint"]);
        for (name, value) in [
            ("ASKS_ACCELERATIONS", asks.accelerations || has(&["cacc", "cfrc_int"])),
            ("ASKS_BODY_FORCES", body_forces),
            ("ASKS_CENTRES", body_forces || has(&["cvel", "subtree_com"])),
            ("ASKS_DRIVE", asks.drive || has(&["qfrc_actuator"])),
            ("KEEPS_FORCES", forces),
        ] {
            self.define(name, i32::from(value));
        }
        if results.is_empty() {
            return;
        }
        self.define("SENSORS_ASK_BODIES", i32::from(super::sensor::ask_bodies(m)));
        for name in RESULTS {
            let number = results.iter().position(|(wanted, _)| wanted == name).map_or(-1, |n| n as i32);
            self.define(&format!("RESULT_{}", name.to_uppercase()), format!("({number})"));
            self.define(&format!("COLUMNS_{}", name.to_uppercase()), columns(m, name));
        }
        self.define("ALL_GEOMS", m.ngeom);
        self.define("ALL_SITES", m.nsite);
        self.define("ALL_TENDONS", m.ntendon);
        self.define("ACTUATION_OFF", i32::from(m.opt.disabled(DisableBit::Actuation)));
        self.int("body_rootid", m.body_rootid.iter().copied());
    }
}
