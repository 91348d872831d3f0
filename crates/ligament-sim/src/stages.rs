//! The stages of a step with what each reads and writes. The lists stand next to the stages, in names of the table of
//! fields; a test runs every stage with everything spoilt that is not listed.

pub use crate::access::Access;
use ligament_model::{Data, Model};

/// A stage that can be run alone, given what it reads.
#[derive(Debug, Clone, Copy)]
pub struct StageEntry {
    /// Its name.
    pub name: &'static str,
    /// The stage.
    pub run: fn(&Model, &mut Data),
    /// What it touches.
    pub access: Access,
}

macro_rules! stages {
    ($($name:literal: $run:expr, $access:expr;)+) => {
        /// All stages, in the order in which a step runs them.
        pub const STAGES: &[StageEntry] = &[$(StageEntry { name: $name, run: $run, access: $access },)+];
    };
}

stages! {
    "kinematics": crate::kinematics::kinematics, crate::kinematics::KINEMATICS;
    "com_pos": crate::kinematics::com_pos, crate::kinematics::COM_POS;
    "cam_light": crate::kinematics::cam_light, crate::kinematics::CAM_LIGHT;
    "flex_kinematics": crate::flex::flex_kinematics, crate::flex::FLEX_KINEMATICS;
    "tendon": crate::tendon::tendon, crate::tendon::TENDON;
    "make_m": crate::inertia::make_m, crate::inertia::MAKE_M;
    "factor_m": crate::inertia::factor_m, crate::inertia::FACTOR_M;
    "collision": crate::collision::collision, crate::collision::COLLISION;
    "make_constraint": crate::constraint::make_constraint, crate::constraint::MAKE_CONSTRAINT;
    "island": crate::island::island, crate::island::ISLAND;
    "transmission": crate::transmission::transmission, crate::transmission::TRANSMISSION;
    "project_constraint": crate::constraint::project_constraint, crate::constraint::PROJECT_CONSTRAINT;
    "sensor_pos": crate::sensor::sensor_pos, crate::sensor::SENSOR_POS;
    "energy_pos": crate::energy::energy_pos, crate::energy::ENERGY_POS;
    "length_rates": crate::forward::length_rates, crate::forward::LENGTH_RATES;
    "com_vel": crate::velocity::com_vel, crate::velocity::COM_VEL;
    "passive": crate::passive::passive, crate::passive::PASSIVE;
    "reference_constraint": crate::constraint::reference_constraint, crate::constraint::REFERENCE_CONSTRAINT;
    "bias": crate::velocity::bias, crate::velocity::BIAS;
    "sensor_vel": crate::sensor::sensor_vel, crate::sensor::SENSOR_VEL;
    "energy_vel": crate::energy::energy_vel, crate::energy::ENERGY_VEL;
    "fwd_actuation": crate::actuation::fwd_actuation, crate::actuation::FWD_ACTUATION;
    "fwd_acceleration": crate::forward::fwd_acceleration, crate::forward::FWD_ACCELERATION;
    "fwd_constraint": crate::solver::fwd_constraint, crate::solver::FWD_CONSTRAINT;
    "sensor_acc": crate::sensor::sensor_acc, crate::sensor::SENSOR_ACC;
    "subtree_vel": crate::velocity::subtree_vel, crate::velocity::SUBTREE_VEL;
    "rne_post_constraint": crate::rne_post::rne_post_constraint, crate::rne_post::RNE_POST_CONSTRAINT;
    "integrate": crate::integrate::integrate, crate::integrate::INTEGRATE;
}
