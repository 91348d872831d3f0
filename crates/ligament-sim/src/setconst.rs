//! Constants of a model that follow from its other fields: the last pass of compilation, also called after the user
//! changed masses, sizes or the reference configuration.

mod fixed;
mod flex;
mod inverse;
mod reference;
mod stat;

use crate::reset::{self, ResetError};
use crate::{kinematics, tendon, transmission};
use ligament_model::{Data, Model};

/// Why the constants of a model cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum SetConstError {
    #[error("tree {tree} connected to tendon {tendon} which spans more than 2 trees, sleeping not allowed")]
    TendonSpansTrees { tree: usize, tendon: usize },
    #[error(
        "tree {tree} connected to tendon {tendon} with non-zero stiffness or damping, sleeping not allowed"
    )]
    TendonHasForce { tree: usize, tendon: usize },
    #[error("flex vertices are not in the same plane")]
    FlexNotPlanar,
    #[error(
        "chains of joints are too long: weights of bodies, tendons and actuators would take more than {0} operations; divide the \
         trees, or weld joints that do not move"
    )]
    LongChains(u64),
    #[error("moving body {0} has 0 mass")]
    MasslessBody(usize),
    #[error("invalid objtype in {kind} constraint {id}")]
    EqualityObject { kind: &'static str, id: usize },
    #[error(transparent)]
    Reset(#[from] ResetError),
}

/// Sets all constants that follow from other fields, except the length ranges of actuators. Leaves the data at the
/// spring reference configuration, as the reference does.
pub fn set_const(m: &mut Model, d: &mut Data) -> Result<(), SetConstError> {
    fixed::set_fixed(m)?;
    reference::set_reference(m, d)?;
    stat::set_statistics(m, d);
    set_spring(m, d);
    Ok(())
}

/// Sets the constants of a freshly compiled model, with a data of its own.
pub fn finalize(m: &mut Model) -> Result<(), SetConstError> {
    fixed::set_fixed(m)?;
    let mut d = Data::new(m);
    d.tree_asleep.fill(reset::FULLY_AWAKE);
    d.eq_active.copy_from_slice(&m.eq_active0);
    for body in 0..m.nbody {
        if let Ok(mocap) = usize::try_from(m.body_mocapid[body]) {
            d.mocap_pos[mocap] = m.body_pos[body];
            d.mocap_quat[mocap] = m.body_quat[body];
        }
    }
    crate::sleep::update_sleep_init(m, &mut d, true);
    set_const(m, &mut d)
}

/// Rest lengths of tendon springs that are to be taken from the spring reference configuration.
fn set_spring(m: &mut Model, d: &mut Data) {
    d.qpos.copy_from_slice(&m.qpos_spring);
    kinematics::kinematics(m, d);
    kinematics::com_pos(m, d);
    tendon::tendon(m, d);
    transmission::transmission(m, d);
    for i in 0..m.ntendon {
        if m.tendon_lengthspring[i] == [-1.0, -1.0] {
            m.tendon_lengthspring[i] = [d.ten_length[i]; 2];
        }
    }
}
