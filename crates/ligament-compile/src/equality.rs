//! `<equality>`: which objects a constraint couples. What depends on the reference pose (anchors and relative
//! poses of connect and weld) is filled in when the constants of the model are computed.

use crate::error::fail_at;
use crate::flex::CompiledFlex;
use crate::index::Index;
use crate::report::unknown;
use crate::tree::CJoint;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Equality;
use ligament_model::enums::{EqType, JointType, ObjType};
use ligament_model::model::{Model, Sizes};

/// A compiled equality constraint.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledEquality {
    pub kind: EqType,
    pub objtype: ObjType,
    pub objects: [i32; 2],
    pub active: bool,
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
    pub data: [f64; 11],
}

/// Compiles equality constraints.
pub fn compile_equalities(
    equalities: &[Equality],
    index: &Index,
    joints: &[CJoint<'_>],
    flexes: &[CompiledFlex],
) -> Result<Vec<CompiledEquality>> {
    equalities.iter().enumerate().map(|(id, e)| compile_equality(id, e, index, joints, flexes)).collect()
}

/// Kind of the objects a constraint names.
fn object_kind(equality: &Equality) -> Result<ObjType> {
    let point = |what: &str| match equality.objtype {
        ObjType::Site | ObjType::Body => Ok(equality.objtype),
        _ => {
            let message = format!("{what} constraint supports only sites and bodies");
            Err(fail_at(ObjType::Equality, &equality.meta, message))
        }
    };
    match equality.kind {
        EqType::Weld => point("weld"),
        EqType::Connect => point("connect"),
        EqType::Joint => Ok(ObjType::Joint),
        EqType::Tendon => Ok(ObjType::Tendon),
        EqType::Flex | EqType::Flexvert => Ok(ObjType::Flex),
        EqType::Distance => {
            Err(fail_at(ObjType::Equality, &equality.meta, "invalid type in equality constraint"))
        }
    }
}

fn compile_equality(
    id: usize,
    equality: &Equality,
    index: &Index,
    joints: &[CJoint<'_>],
    flexes: &[CompiledFlex],
) -> Result<CompiledEquality> {
    let meta = &equality.meta;
    let kind = object_kind(equality)?;
    let find = |name: &str| {
        index.get(kind, name).ok_or_else(|| {
            let message = format!("unknown element '{name}' in equality constraint {id}");
            unknown(ObjType::Equality, meta, message, index, kind, name)
        })
    };
    let first = find(&equality.name1)?;
    let second = if equality.name2.is_empty() {
        // a missing second body is the world, any other missing object is none
        (kind == ObjType::Body).then_some(0)
    } else {
        Some(find(&equality.name2)?)
    };
    if second == Some(first) {
        let message = format!("element '{}' is repeated in equality constraint {id}", equality.name1);
        return Err(fail_at(ObjType::Equality, meta, message));
    }
    if equality.kind == EqType::Joint {
        let scalar = |joint: usize| matches!(joints[joint].spec.kind, JointType::Hinge | JointType::Slide);
        if !scalar(first) || !second.is_none_or(scalar) {
            return Err(fail_at(ObjType::Equality, meta, "only HINGE and SLIDE joint allowed in constraint"));
        }
    }
    if kind == ObjType::Flex && flexes[first].rigid {
        let message = format!("rigid flex '{}' in equality constraint {id}", equality.name1);
        return Err(fail_at(ObjType::Equality, meta, message));
    }
    Ok(CompiledEquality {
        kind: equality.kind,
        objtype: equality.objtype,
        objects: [first as i32, second.map_or(-1, |id| id as i32)],
        active: equality.active,
        solref: equality.solref,
        solimp: equality.solimp,
        data: equality.data,
    })
}

/// Adds to the sizes of the model.
pub fn count_equalities(equalities: &[CompiledEquality], sizes: &mut Sizes) {
    sizes.neq = equalities.len();
    sizes.nemax = equalities
        .iter()
        .map(|e| match e.kind {
            EqType::Connect => 3,
            EqType::Weld => 7,
            _ => 1,
        })
        .sum();
}

/// Writes the arrays of the model.
pub fn write_equalities(equalities: &[CompiledEquality], model: &mut Model) {
    for (i, equality) in equalities.iter().enumerate() {
        model.eq_type[i] = equality.kind as i32;
        model.eq_objtype[i] = equality.objtype as i32;
        model.eq_obj1id[i] = equality.objects[0];
        model.eq_obj2id[i] = equality.objects[1];
        model.eq_active0[i] = u8::from(equality.active);
        model.eq_solref[i] = equality.solref;
        model.eq_solimp[i] = equality.solimp;
        model.eq_data[i] = equality.data;
    }
}
