//! The stages of a step, one by one and together.

use super::{Data, Model};
use ligament_sim as sim;
use pyo3::prelude::*;

macro_rules! stages {
    ($($name:ident => $inner:path;)+) => {
        $(
            #[pyfunction]
            fn $name(m: &Model<'_>, d: &Data<'_>) {
                $inner(m.get().model(), d.get().data_mut());
            }
        )+

        /// Adds every single stage.
        fn register_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)+
            Ok(())
        }
    };
}

stages! {
    mj_kinematics => sim::kinematics::kinematics;
    mj_comPos => sim::kinematics::com_pos;
    mj_camlight => sim::kinematics::cam_light;
    mj_tendon => sim::tendon::tendon;
    mj_transmission => sim::transmission::transmission;
    mj_collision => sim::collision::collision;
    mj_makeM => sim::inertia::make_m;
    mj_crb => sim::inertia::crb;
    mj_factorM => sim::inertia::factor_m;
    mj_makeConstraint => sim::constraint::make_constraint;
    mj_projectConstraint => sim::constraint::project_constraint;
    mj_referenceConstraint => sim::constraint::reference_constraint;
    mj_island => sim::island::island;
    mj_fwdConstraint => sim::solver::fwd_constraint;
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_stages(module)
}
