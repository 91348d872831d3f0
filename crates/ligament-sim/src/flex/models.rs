//! Exchangeable models of bending and stretching. Each flex has one of each, MuJoCo's unless another was set.

use super::neo_hookean::NeoHookean;
use super::{bending, elasticity, flex_kinematics, is_elastic, passive};
use crate::kinematics::{com_pos, kinematics};
use crate::sleep::{FULLY_AWAKE, update_sleep_init};
use ligament_math::Vec3;
use ligament_model::flex_model::{BridsonBending, FlexBendingType, FlexElasticityType};
use ligament_model::{Data, Model};

/// Why a model does not fit a flex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum FlexModelError {
    #[error("there is no flex {flex}")]
    NoFlex { flex: usize },
    #[error("flex {flex} has no elastic constants: compile it from MJCF, or give the constants")]
    NoMaterial { flex: usize },
    #[error("flex {flex} is not a surface with a thickness")]
    NotASurface { flex: usize },
    #[error("flex {flex} has no elements of its own: it is one-dimensional or interpolated")]
    NoElements { flex: usize },
    #[error("flex {flex} has an element without area or volume")]
    Degenerate { flex: usize },
    #[error("the reference configuration cannot be set up")]
    Reference,
}

/// Forces of a surface against bending.
pub trait FlexBendingModel {
    /// Takes what the model needs from the rest shape.
    fn precompute(&mut self, m: &Model, flex: usize) -> Result<(), FlexModelError>;
    /// Adds forces to qfrc_spring and qfrc_damper; positions and velocities are current.
    fn apply_forces(&self, m: &Model, d: &mut Data, flex: usize);
}

/// MuJoCo's bending; its coefficients are part of the compiled model.
#[derive(Debug, Clone, Copy, Default)]
pub struct CotangentBending;

impl FlexBendingModel for CotangentBending {
    fn precompute(&mut self, _: &Model, _: usize) -> Result<(), FlexModelError> {
        Ok(())
    }

    fn apply_forces(&self, m: &Model, d: &mut Data, flex: usize) {
        bending::apply_forces(m, d, flex);
    }
}

/// Forces of elements against stretching and shearing.
pub trait FlexElasticityModel {
    /// What is kept of the rest shape.
    type Precomputed;
    /// Takes what the model needs from the rest shape.
    fn precompute(&self, flex: usize, m: &Model) -> Result<Self::Precomputed, FlexModelError>;
    /// Adds forces to qfrc_spring and qfrc_damper; positions and velocities are current.
    fn apply(&self, flex: usize, rest: &Self::Precomputed, m: &Model, d: &mut Data);
}

/// MuJoCo's elasticity; its metric is part of the compiled model. Rows of edge equalities are apart from it.
#[derive(Debug, Clone, Copy, Default)]
pub struct LinearElastic;

impl FlexElasticityModel for LinearElastic {
    type Precomputed = ();

    fn precompute(&self, _: usize, _: &Model) -> Result<(), FlexModelError> {
        Ok(())
    }

    fn apply(&self, flex: usize, (): &(), m: &Model, d: &mut Data) {
        if !is_elastic(m, flex) {
            return;
        }
        if m.flex_interp[flex] != 0 {
            passive::interpolated_forces(m, d, flex);
        } else {
            elasticity::apply_forces(m, d, flex);
        }
    }
}

/// Bending and stretching of one flex, with the models it has.
pub(super) fn apply(m: &Model, d: &mut Data, flex: usize) {
    let models = m.flex_model(flex);
    if m.flex_dim[flex] == 2 {
        match models.and_then(|x| x.bending.as_ref()) {
            None => CotangentBending.apply_forces(m, d, flex),
            Some(bridson) => bridson.apply_forces(m, d, flex),
        }
    }
    match models.and_then(|x| x.elasticity.as_ref()) {
        None => LinearElastic.apply(flex, &(), m, d),
        Some(elements) => NeoHookean::default().apply(flex, elements, m, d),
    }
}

/// Positions of all flex vertices in the reference configuration.
pub(super) fn rest_positions(m: &Model) -> Result<Vec<Vec3>, FlexModelError> {
    let mut d = Data::new(m);
    d.qpos.copy_from_slice(&m.qpos0);
    d.tree_asleep.fill(FULLY_AWAKE);
    update_sleep_init(m, &mut d, true);
    for body in 0..m.nbody {
        if let Ok(mocap) = usize::try_from(m.body_mocapid[body]) {
            (d.mocap_pos[mocap], d.mocap_quat[mocap]) = (m.body_pos[body], m.body_quat[body]);
        }
    }
    kinematics(m, &mut d);
    com_pos(m, &mut d);
    flex_kinematics(m, &mut d);
    Ok(d.flexvert_xpos.to_vec())
}

fn check(m: &Model, flex: usize) -> Result<(), FlexModelError> {
    if flex < m.nflex { Ok(()) } else { Err(FlexModelError::NoFlex { flex }) }
}

/// Chooses how a flex resists bending.
pub fn set_bending_model(m: &mut Model, flex: usize, kind: FlexBendingType) -> Result<(), FlexModelError> {
    check(m, flex)?;
    let bending = match kind {
        FlexBendingType::Cotangent => None,
        FlexBendingType::Bridson => {
            let mut bending = BridsonBending::default();
            bending.precompute(m, flex)?;
            Some(bending)
        }
    };
    m.flex_model_mut(flex).bending = bending;
    Ok(())
}

/// Chooses how a flex resists stretching, with the constants of its `<elasticity>`.
pub fn set_elasticity_model(
    m: &mut Model,
    flex: usize,
    kind: FlexElasticityType,
) -> Result<(), FlexModelError> {
    match kind {
        FlexElasticityType::Linear => {
            check(m, flex)?;
            m.flex_model_mut(flex).elasticity = None;
            Ok(())
        }
        FlexElasticityType::NeoHookean => set_neo_hookean(m, flex, NeoHookean::default()),
    }
}

/// Makes a flex Neo-Hookean, possibly with constants of its own.
pub fn set_neo_hookean(m: &mut Model, flex: usize, material: NeoHookean) -> Result<(), FlexModelError> {
    check(m, flex)?;
    let elements = material.precompute(flex, m)?;
    m.flex_model_mut(flex).elasticity = Some(elements);
    Ok(())
}
