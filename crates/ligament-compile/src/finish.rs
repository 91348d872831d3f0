//! What needs a complete model: constants at the reference configuration, automatic springs, statistics.

use crate::crew;
use crate::error::{fail, fail_at};
use crate::tree::Tree;
use ligament_math::MINVAL;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Spec;
use ligament_model::enums::{DisableBit, EnableBit, Integrator, ObjType, SleepPolicy};
use ligament_model::flex_model::{FlexBendingType, FlexElasticityType, FlexMaterial};
use ligament_model::option::Statistic;
use ligament_model::{Data, Model};
use ligament_sim::flex::{BridsonBending, NeoHookean};
use ligament_sim::lengthrange;
use ligament_sim::parts::{self, PartLibrary, PartRecord, Slot};
use ligament_sim::plugin;
use ligament_sim::reset::make_data;
use ligament_sim::setconst;
use ligament_sim::step::{StepError, step};
use ligament_soft::Material;

/// Completes a model whose arrays are written. Statistics of an empty model are what it starts with.
pub fn finish(spec: &Spec, tree: &Tree<'_>, m: &mut Model) -> Result<()> {
    m.stat = Statistic { meaninertia: 1.0, meanmass: 1.0, meansize: 0.2, extent: 2.0, center: [0.0; 3] };
    let (disableflags, enableflags) = (m.opt.disableflags, m.opt.enableflags);
    m.opt.disableflags |= DisableBit::Contact as i32;
    m.opt.enableflags &= !(EnableBit::Sleep as i32);
    setconst::finalize(m).map_err(|error| fail(error.to_string()))?;
    set_springs(tree, m);
    set_length_ranges(spec, m)?;
    check_first_step(m)?;
    (m.opt.disableflags, m.opt.enableflags) = (disableflags, enableflags);
    override_statistics(spec, m);
    plugin::instantiate(m).map_err(|error| fail(error.to_string()))?;
    set_named_parts(spec, m)?;
    set_flex_models(spec, m)?;
    check_sleep(m)
}

/// Elastic constants of flexes, and their parts where they are not MuJoCo's.
fn set_flex_models(spec: &Spec, m: &mut Model) -> Result<()> {
    for (i, flex) in spec.flexes.iter().enumerate() {
        let material = FlexMaterial { young: flex.young, poisson: flex.poisson, thickness: flex.thickness };
        m.flex_model_mut(i).material = Some(material);
        let bending = match flex.bending_model {
            FlexBendingType::Cotangent => Ok(()),
            FlexBendingType::Bridson => parts::set_bending(m, i, BridsonBending::default()),
        };
        let elasticity = match flex.elasticity_model {
            FlexElasticityType::Linear => Ok(()),
            FlexElasticityType::NeoHookean => parts::set_elasticity(m, i, NeoHookean::default()),
        };
        let parts = bending.and(elasticity).map_err(|error| error.to_string());
        let soft = if flex.soft.is_empty() { Ok(()) } else { set_soft(m, i, &flex.soft) };
        parts.and(soft).map_err(|error| fail_at(ObjType::Flex, &flex.meta, error))?;
    }
    Ok(())
}

/// Makes a flex of a named material.
fn set_soft(m: &mut Model, flex: usize, name: &str) -> std::result::Result<(), String> {
    let unknown = || format!("there is no material \"{name}\"; materials are {}", Material::names());
    let material = Material::preset(name).ok_or_else(unknown)?;
    parts::soften(m, flex, material).map_err(|error| error.to_string())
}

/// Gains of actuators and the solver, where the text names them.
fn set_named_parts(spec: &Spec, m: &mut Model) -> Result<()> {
    let library = PartLibrary::new();
    let record = |slot, element, name: &str, parameters: &[f64]| PartRecord {
        slot,
        element,
        name: name.to_owned(),
        parameters: parameters.to_vec(),
    };
    for (i, actuator) in spec.actuators.iter().enumerate() {
        let (name, params) = (&actuator.gain_model, &actuator.gain_params);
        if name.is_empty() && params.is_empty() {
            continue;
        }
        if name.is_empty() {
            let text = "ligament:gain_params has numbers for no part: name one by ligament:gain_model";
            return Err(fail_at(ObjType::Actuator, &actuator.meta, text));
        }
        library
            .provide(m, &record(Slot::Gain, i, name, params))
            .map_err(|error| fail_at(ObjType::Actuator, &actuator.meta, error.to_string()))?;
    }
    if spec.solver_model.is_empty() && spec.solver_params.is_empty() {
        return Ok(());
    }
    if spec.solver_model.is_empty() {
        return Err(fail("ligament:solver_params has numbers for no part: name one by ligament:solver"));
    }
    let solver = record(Slot::Solver, 0, &spec.solver_model, &spec.solver_params);
    library.provide(m, &solver).map_err(|error| fail(error.to_string()))
}

/// Trees that are to start asleep must be able to.
fn check_sleep(m: &Model) -> Result<()> {
    let asleep = m.tree_sleep_policy.contains(&(SleepPolicy::Init as i32));
    if asleep && m.opt.enabled(EnableBit::Sleep) {
        make_data(m).map_err(|error| fail(error.to_string()))?;
    }
    Ok(())
}

/// The reference's compiler makes a step, without contacts. What it can find is an inertia that is singular from the start,
/// where the integrator needs one that is not.
fn check_first_step(m: &Model) -> Result<()> {
    if m.opt.integrator != Integrator::Implicit as i32 {
        return Ok(());
    }
    match make_data(m).map(|mut data| step(m, &mut data)) {
        Ok(Err(error @ StepError::SingularInertia { .. })) => Err(fail(format!(
            "engine error: mju_factorLUSparse: {error}; give the joint armature or damping"
        ))),
        _ => Ok(()),
    }
}

/// Length ranges of muscles, and of whatever else was asked for, by simulation.
fn set_length_ranges(spec: &Spec, m: &mut Model) -> Result<()> {
    let settings = &spec.compiler().lengthrange;
    if !(0..m.nu).any(|actuator| lengthrange::is_wanted(m, actuator, settings.mode)) {
        return Ok(());
    }
    let side_by_side =
        |count, work: &(dyn Fn(usize) -> Option<[f64; 2]> + Sync)| crew::map(count, true, work);
    if spec.compiler().usethread && lengthrange::set_length_ranges_apart(m, settings, side_by_side) {
        return Ok(());
    }
    let mut data = Data::new(m);
    lengthrange::set_length_ranges(m, &mut data, settings).map_err(|error| {
        match error.actuator().and_then(|i| spec.actuators.get(i)) {
            Some(actuator) => fail_at(ObjType::Actuator, &actuator.meta, error.to_string()),
            None => fail(error.to_string()),
        }
    })
}

/// Stiffness and damping of joints that give a time constant and a damping ratio instead, from the average
/// inertia seen by the joint at `qpos0`.
fn set_springs(tree: &Tree<'_>, m: &mut Model) {
    for (id, joint) in tree.joints.iter().enumerate() {
        let [timeconst, dampratio] = joint.spec.springdamper;
        if timeconst <= 0.0 || dampratio <= 0.0 {
            continue;
        }
        let dofs = joint.dofadr..joint.dofadr + joint.nv();
        let inverse: f64 = m.dof_invweight0[dofs.clone()].iter().fold(0.0, |sum, w| sum + w);
        let inertia = joint.nv() as f64 / f64::max(MINVAL, inverse);
        let square = timeconst * timeconst * dampratio * dampratio;
        m.jnt_stiffness[id] = inertia / f64::max(MINVAL, square);
        m.dof_damping[dofs].fill(2.0 * inertia / f64::max(MINVAL, timeconst));
    }
}

/// Statistics that the text sets replace the computed ones.
fn override_statistics(spec: &Spec, m: &mut Model) {
    let given = &spec.stat;
    let replace = |computed: &mut f64, given: f64| {
        if !given.is_nan() {
            *computed = given;
        }
    };
    replace(&mut m.stat.extent, given.extent);
    replace(&mut m.stat.meaninertia, given.meaninertia);
    replace(&mut m.stat.meanmass, given.meanmass);
    replace(&mut m.stat.meansize, given.meansize);
    if !given.center[0].is_nan() {
        m.stat.center = given.center;
    }
}

#[cfg(test)]
mod tests {
    use ligament_mjcf::assets::NoAssets;
    use ligament_mjcf::diag::Result;
    use ligament_model::Model;

    /// Three muscles; the first one may be pulled for ever.
    fn muscles(usethread: bool, limited: bool) -> Result<Model> {
        let joint = |name: &str, range: &str| {
            format!(
                "<body pos='0 0 1'><joint name='{name}' {range} damping='1'/><geom size='.1' pos='.3 0 0'/></body>"
            )
        };
        let (first, range) = (if limited { "range='-40 90'" } else { "" }, "range='-30 60'");
        let bodies = joint("a", first) + &joint("b", range) + &joint("c", range);
        let muscles = ["a", "b", "c"].map(|name| format!("<muscle joint='{name}' gear='2'/>")).concat();
        let text = format!(
            "<mujoco><compiler usethread='{usethread}'><lengthrange uselimit='false'/></compiler>\n\
             <worldbody>{bodies}</worldbody><actuator>{muscles}</actuator></mujoco>"
        );
        crate::compile(&ligament_mjcf::read_str(&text, "", "", &NoAssets)?, &NoAssets)
    }

    #[test]
    fn length_ranges_do_not_depend_on_threads() {
        let alone = muscles(false, true).expect("ranges");
        let together = muscles(true, true).expect("ranges");
        assert!(alone.actuator_lengthrange.iter().all(|[low, high]| low < high));
        assert_eq!(alone.actuator_lengthrange, together.actuator_lengthrange);
    }

    #[test]
    fn the_first_actuator_that_fails_is_named() {
        let message = |usethread| muscles(usethread, false).expect_err("no range").to_string();
        assert_eq!(message(true), message(false));
    }
}
