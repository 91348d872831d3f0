//! `<actuator>`: transmissions, limits, activation variables, history buffers.

use crate::error::fail_at;
use crate::index::Index;
use crate::joints::{check_autolimits, is_limited};
use crate::plugins::Plugins;
use crate::report::{unknown, user_data, user_width};
use crate::tree::{CJoint, Tree};
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::{Actuator, Compiler, Meta, Spec};
use ligament_model::enums::{BiasType, DynType, GainType, JointType, ObjType, TrnType};
use ligament_model::model::{Model, Sizes};

/// Most samples of a history buffer: a cursor stored in single precision stays exact.
pub const MAX_SAMPLES: i32 = 1 << 24;

/// A compiled actuator.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledActuator<'a> {
    pub spec: &'a Actuator,
    pub target: [i32; 2],
    /// Number of activation variables.
    pub actdim: usize,
    pub ctrlrange: [f64; 2],
    pub actrange: [f64; 2],
    pub ctrllimited: bool,
    pub forcelimited: bool,
    pub actlimited: bool,
    pub user: Vec<f64>,
    /// Plugin instance; -1 for none.
    pub plugin: i32,
}

impl CompiledActuator<'_> {
    /// Numbers in its history buffer: user value, cursor, times and values.
    pub fn history(&self) -> usize {
        match self.spec.nsample {
            n if n > 0 => 2 + 2 * n as usize,
            _ => 0,
        }
    }
}

/// Compiles actuators.
pub fn compile_actuators<'a>(
    spec: &'a Spec,
    index: &Index,
    tree: &Tree<'_>,
    plugins: &Plugins,
) -> Result<Vec<CompiledActuator<'a>>> {
    let width = user_width(spec.size.nuser_actuator, spec.actuators.iter().map(|x| x.userdata.len()));
    spec.actuators
        .iter()
        .enumerate()
        .map(|(id, actuator)| compile_actuator(id, width, actuator, spec, index, tree, plugins))
        .collect()
}

fn compile_actuator<'a>(
    id: usize,
    width: usize,
    actuator: &'a Actuator,
    spec: &Spec,
    index: &Index,
    tree: &Tree<'_>,
    plugins: &Plugins,
) -> Result<CompiledActuator<'a>> {
    let meta = &actuator.meta;
    let user = user_data(ObjType::Actuator, meta, &actuator.userdata, width)?;
    if actuator.target.is_empty() {
        return Err(fail_at(ObjType::Actuator, meta, "missing transmission target for actuator"));
    }
    let target = resolve_target(id, actuator, index)?;
    let mut compiled = CompiledActuator {
        spec: actuator,
        target,
        actdim: 0,
        ctrlrange: actuator.ctrlrange,
        actrange: actuator.actrange,
        ctrllimited: false,
        forcelimited: false,
        actlimited: false,
        user,
        plugin: -1,
    };
    inherit_range(id, &mut compiled, spec, tree)?;
    set_limits(&mut compiled, &spec.compilers[meta.compiler.index()])?;
    compiled.actdim = activation_count(actuator)?;
    check_muscle(id, actuator)?;
    compiled.plugin = plugins.id(actuator.plugin.as_ref());
    check_history(ObjType::Actuator, meta, actuator.delay, actuator.nsample)?;
    Ok(compiled)
}

/// A delay needs a buffer, and a buffer has a largest size.
pub(crate) fn check_history(kind: ObjType, meta: &Meta, delay: f64, nsample: i32) -> Result<()> {
    if delay > 0.0 && nsample <= 0 {
        return Err(fail_at(kind, meta, "setting delay > 0 without a history buffer"));
    }
    if nsample > MAX_SAMPLES {
        return Err(fail_at(kind, meta, format!("at most 2^24 samples in history buffer, got {nsample}")));
    }
    Ok(())
}

/// Ids of what the actuator acts on, and of the second site of a slider-crank or site transmission.
fn resolve_target(id: usize, actuator: &Actuator, index: &Index) -> Result<[i32; 2]> {
    let meta = &actuator.meta;
    let find = |kind: ObjType, name: &str, message: String| match index.get(kind, name) {
        Some(found) => Ok(found as i32),
        None => Err(unknown(ObjType::Actuator, meta, message, index, kind, name)),
    };
    let target = &actuator.target;
    let missing = format!("transmission target '{target}' not found in actuator {id}");
    let mut second = -1;
    let kind = match actuator.trntype {
        TrnType::Joint | TrnType::Jointinparent => {
            let message = format!("unknown transmission target '{target}' for actuator id = {id}");
            return Ok([find(ObjType::Joint, target, message)?, -1]);
        }
        TrnType::Slidercrank => {
            let slider = &actuator.slidersite;
            if slider.is_empty() {
                let message = format!("missing base site for slider-crank '{}' (id = {id})", meta.name);
                return Err(fail_at(ObjType::Actuator, meta, message));
            }
            second =
                find(ObjType::Site, slider, format!("base site '{slider}' not found for actuator {id}"))?;
            if actuator.cranklength <= 0.0 {
                let message =
                    format!("crank length must be positive in actuator '{}' (id = {id})", meta.name);
                return Err(fail_at(ObjType::Actuator, meta, message));
            }
            ObjType::Site
        }
        TrnType::Tendon => ObjType::Tendon,
        TrnType::Site => {
            let refsite = &actuator.refsite;
            if !refsite.is_empty() {
                let message = format!("reference site '{refsite}' not found for actuator {id}");
                second = find(ObjType::Site, refsite, message)?;
            }
            ObjType::Site
        }
        TrnType::Body => ObjType::Body,
        TrnType::Undefined => {
            return Err(fail_at(ObjType::Actuator, meta, "invalid transmission type in actuator"));
        }
    };
    Ok([find(kind, target, missing)?, second])
}

/// `inheritrange` of position-like servos: the range of control or activation follows the target's.
fn inherit_range(id: usize, compiled: &mut CompiledActuator, spec: &Spec, tree: &Tree<'_>) -> Result<()> {
    let actuator = compiled.spec;
    let servo = actuator.gaintype == GainType::Fixed
        && actuator.biastype == BiasType::Affine
        && actuator.gainprm[0] == -actuator.biasprm[1];
    if !servo || actuator.inheritrange <= 0.0 {
        return Ok(());
    }
    let error = |message: &str| Err(fail_at(ObjType::Actuator, &actuator.meta, message));
    let target = compiled.target[0] as usize;
    let onto_activation = match actuator.dyntype {
        DynType::None | DynType::Filterexact => false,
        DynType::Integrator => true,
        _ => return error("inheritrange only available for position and intvelocity actuators"),
    };
    let [low, high] = match actuator.trntype {
        TrnType::Joint => {
            let joint: &CJoint<'_> = &tree.joints[target];
            if !matches!(joint.spec.kind, JointType::Hinge | JointType::Slide) {
                return error("inheritrange can only be used with hinge and slide joints, actuator");
            }
            joint.range
        }
        TrnType::Tendon => spec.tendons[target].range,
        _ => return error("inheritrange can only be used with joint and tendon transmission, actuator"),
    };
    if low == high {
        let name = &actuator.target;
        return error(&format!(
            "inheritrange used but target '{name}' has no range defined in actuator {id}"
        ));
    }
    let mean = 0.5 * (high + low);
    let radius = 0.5 * (high - low) * actuator.inheritrange;
    let range = [mean - radius, mean + radius];
    if onto_activation {
        compiled.actrange = range;
    } else {
        compiled.ctrlrange = range;
    }
    Ok(())
}

fn set_limits(compiled: &mut CompiledActuator, compiler: &Compiler) -> Result<()> {
    let actuator = compiled.spec;
    let meta = &actuator.meta;
    let error = |message: &str| Err(fail_at(ObjType::Actuator, meta, message));
    let (ctrl, force, act) = (compiled.ctrlrange, actuator.forcerange, compiled.actrange);
    check_autolimits(ObjType::Actuator, meta, compiler, "force", actuator.forcelimited, force)?;
    check_autolimits(ObjType::Actuator, meta, compiler, "ctrl", actuator.ctrllimited, ctrl)?;
    check_autolimits(ObjType::Actuator, meta, compiler, "act", actuator.actlimited, act)?;
    compiled.forcelimited = is_limited(actuator.forcelimited, force);
    compiled.ctrllimited = is_limited(actuator.ctrllimited, ctrl);
    compiled.actlimited = is_limited(actuator.actlimited, act);
    if force[0] >= force[1] && compiled.forcelimited {
        return error("invalid force range for actuator");
    }
    if ctrl[0] >= ctrl[1] && compiled.ctrllimited {
        return error("invalid control range for actuator");
    }
    if act[0] >= act[1] && compiled.actlimited {
        return error("invalid actrange for actuator");
    }
    if compiled.actlimited && actuator.dyntype == DynType::None {
        return error("actrange specified but dyntype is 'none' in actuator");
    }
    Ok(())
}

/// Number of activation variables: said so, or one for every kind of dynamics.
fn activation_count(actuator: &Actuator) -> Result<usize> {
    let error = |message: &str| Err(fail_at(ObjType::Actuator, &actuator.meta, message));
    let stateful = actuator.dyntype != DynType::None;
    if actuator.plugin.is_none() {
        if actuator.actdim > 1 && actuator.dyntype != DynType::User {
            return error("actdim > 1 is only allowed for dyntype 'user' in actuator");
        }
        if actuator.actdim == 1 && !stateful {
            return error("invalid actdim 1 in stateless actuator");
        }
        if actuator.actdim == 0 && stateful {
            return error("invalid actdim 0 in stateful actuator");
        }
    }
    Ok(usize::try_from(actuator.actdim).unwrap_or(usize::from(stateful)))
}

/// Muscle parameters, where gain or bias is a muscle's.
fn check_muscle(id: usize, actuator: &Actuator) -> Result<()> {
    let gain = (actuator.gaintype == GainType::Muscle).then_some(&actuator.gainprm);
    let bias = (actuator.biastype == BiasType::Muscle).then_some(&actuator.biasprm);
    for prm in [gain, bias].into_iter().flatten() {
        let error = |message: &str| Err(fail_at(ObjType::Actuator, &actuator.meta, message));
        if prm[0] >= prm[1] {
            return error("range[0]<range[1] required in muscle");
        }
        if prm[4] >= 1.0 || prm[5] <= 1.0 {
            return error("lmin<1<lmax required in muscle");
        }
        if [3, 6, 7, 8].iter().any(|&k| prm[k] <= 0.0) {
            let name = &actuator.meta.name;
            return error(&format!(
                "positive scale, vmax, fpmax, fvmax required in muscle '{name}' (id = {id})"
            ));
        }
    }
    Ok(())
}

/// Adds to the sizes of the model.
pub fn count_actuators(actuators: &[CompiledActuator], joints: &[CJoint<'_>], sizes: &mut Sizes) {
    sizes.nu = actuators.len();
    sizes.na = actuators.iter().map(|a| a.actdim).sum();
    sizes.nhistory += actuators.iter().map(CompiledActuator::history).sum::<usize>();
    sizes.nJmom = actuators
        .iter()
        .map(|a| match a.spec.trntype {
            TrnType::Joint | TrnType::Jointinparent => joints[a.target[0] as usize].nv(),
            _ => sizes.nv,
        })
        .sum();
}

/// Writes the arrays of the model.
pub fn write_actuators(actuators: &[CompiledActuator], model: &mut Model) {
    let (mut activation, mut history) = (0, 0);
    for (i, actuator) in actuators.iter().enumerate() {
        let spec = actuator.spec;
        model.actuator_trntype[i] = spec.trntype as i32;
        model.actuator_dyntype[i] = spec.dyntype as i32;
        model.actuator_gaintype[i] = spec.gaintype as i32;
        model.actuator_biastype[i] = spec.biastype as i32;
        model.actuator_trnid[i] = actuator.target;
        model.actuator_actnum[i] = actuator.actdim as i32;
        model.actuator_actadr[i] = if actuator.actdim > 0 { activation } else { -1 };
        activation += actuator.actdim as i32;
        model.actuator_group[i] = spec.group;
        model.actuator_delay[i] = spec.delay;
        model.actuator_history[i] = [spec.nsample, spec.interp];
        model.actuator_historyadr[i] = if spec.nsample > 0 { history } else { -1 };
        history += actuator.history() as i32;
        model.actuator_ctrllimited[i] = u8::from(actuator.ctrllimited);
        model.actuator_forcelimited[i] = u8::from(actuator.forcelimited);
        model.actuator_actlimited[i] = u8::from(actuator.actlimited);
        model.actuator_actearly[i] = u8::from(spec.actearly);
        model.actuator_cranklength[i] = spec.cranklength;
        model.actuator_gear[i] = spec.gear;
        model.actuator_dynprm[i] = spec.dynprm;
        model.actuator_gainprm[i] = spec.gainprm;
        model.actuator_biasprm[i] = spec.biasprm;
        model.actuator_ctrlrange[i] = actuator.ctrlrange;
        model.actuator_forcerange[i] = spec.forcerange;
        model.actuator_actrange[i] = actuator.actrange;
        model.actuator_lengthrange[i] = spec.lengthrange;
        model.actuator_plugin[i] = actuator.plugin;
        let width = actuator.user.len();
        model.actuator_user[i * width..(i + 1) * width].copy_from_slice(&actuator.user);
    }
}
