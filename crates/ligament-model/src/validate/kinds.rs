//! Every number that stands for a kind is one of its enumeration.

use super::{Outcome, require};
use crate::Model;
use crate::enums::*;

fn known<E: TryFrom<i32>>(field: &str, values: &[i32]) -> Outcome {
    values.iter().enumerate().try_for_each(|(i, &value)| require(E::try_from(value).is_ok(), field, i))
}

pub(super) fn check(m: &Model) -> Outcome {
    known::<GeomType>("geom_type", &m.geom_type)?;
    known::<GeomType>("site_type", &m.site_type)?;
    known::<CamLight>("cam_mode", &m.cam_mode)?;
    known::<CamLight>("light_mode", &m.light_mode)?;
    known::<EqType>("eq_type", &m.eq_type)?;
    known::<WrapType>("wrap_type", &m.wrap_type)?;
    known::<TrnType>("actuator_trntype", &m.actuator_trntype)?;
    known::<DynType>("actuator_dyntype", &m.actuator_dyntype)?;
    known::<GainType>("actuator_gaintype", &m.actuator_gaintype)?;
    known::<BiasType>("actuator_biastype", &m.actuator_biastype)?;
    known::<SensorType>("sensor_type", &m.sensor_type)?;
    known::<DataType>("sensor_datatype", &m.sensor_datatype)?;
    known::<Stage>("sensor_needstage", &m.sensor_needstage)?;
    known::<ObjType>("sensor_objtype", &m.sensor_objtype)?;
    known::<ObjType>("sensor_reftype", &m.sensor_reftype)?;
    known::<ObjType>("tuple_objtype", &m.tuple_objtype)?;
    known::<SleepPolicy>("tree_sleep_policy", &m.tree_sleep_policy)?;
    known::<FlexSelf>("flex_selfcollide", &m.flex_selfcollide)?;
    known::<Integrator>("opt.integrator", &[m.opt.integrator])?;
    known::<ConeType>("opt.cone", &[m.opt.cone])?;
    known::<JacobianType>("opt.jacobian", &[m.opt.jacobian])?;
    known::<SolverType>("opt.solver", &[m.opt.solver])?;
    let contact_dim = |dim: &i32| matches!(dim, 1 | 3 | 4 | 6);
    // flexes may have any: the larger one of both sides counts, and contacts are checked
    for (field, dims) in [("geom_condim", &m.geom_condim), ("pair_dim", &m.pair_dim)] {
        dims.iter().enumerate().try_for_each(|(i, dim)| require(contact_dim(dim), field, i))?;
    }
    let solid = |kind: i32| kind <= GeomType::Sdf as i32;
    m.geom_type.iter().enumerate().try_for_each(|(i, &kind)| require(solid(kind), "geom_type", i))
}
