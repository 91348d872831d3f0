//! Choosing parts for the elements of a model.

use super::{ActuatorForce, ConstraintSolver, FlexForce, FlexShape, Part, PartError, Slot, check_parameter};
use crate::flex;
use crate::kinematics::{com_pos, kinematics};
use crate::reset::make_data;
use crate::solver::XpbdSolver;
use ligament_model::Model;
use ligament_model::enums::{JointType, SameFrame, TrnType};
use ligament_model::parts::{FlexPart, SoftTree};
use ligament_soft::{Material, SoftFlex};
use std::sync::Arc;

/// Gives a flex a part for its bending.
///
/// ```no_run
/// # use ligament_sim::parts::{set_bending, PartError};
/// # use ligament_sim::flex::BridsonBending;
/// # fn f(model: &mut ligament_model::Model) -> Result<(), PartError> {
/// set_bending(model, 0, BridsonBending::default())
/// # }
/// ```
pub fn set_bending(m: &mut Model, flex: usize, part: impl FlexForce) -> Result<(), PartError> {
    set_flex(m, Slot::Bending, flex, &part)
}

/// Gives a flex a part for its elasticity.
pub fn set_elasticity(m: &mut Model, flex: usize, part: impl FlexForce) -> Result<(), PartError> {
    set_flex(m, Slot::Elasticity, flex, &part)
}

/// Gives an actuator a part for its gain.
pub fn set_gain(m: &mut Model, actuator: usize, part: impl ActuatorForce) -> Result<(), PartError> {
    set_shared_gain(m, &[actuator], Arc::new(part))
}

/// Gives an actuator a part for its bias.
pub fn set_bias(m: &mut Model, actuator: usize, part: impl ActuatorForce) -> Result<(), PartError> {
    set_shared_bias(m, &[actuator], Arc::new(part))
}

/// Gives several actuators one part for their gains; it computes all of their forces in one call.
pub fn set_shared_gain(
    m: &mut Model,
    actuators: &[usize],
    part: Arc<dyn ActuatorForce>,
) -> Result<(), PartError> {
    set_actuators(m, Slot::Gain, actuators, part)
}

/// Gives several actuators one part for their biases.
pub fn set_shared_bias(
    m: &mut Model,
    actuators: &[usize],
    part: Arc<dyn ActuatorForce>,
) -> Result<(), PartError> {
    set_actuators(m, Slot::Bias, actuators, part)
}

/// Lets a part find the constraint forces. Soft flexes need one that holds them together.
pub fn set_solver(m: &mut Model, part: impl ConstraintSolver) -> Result<(), PartError> {
    check_parameters(m, Slot::Solver, 0, &part)?;
    if !part.holds_soft_flexes() {
        check_no_soft(m, part.name())?;
    }
    m.parts.set_solver(Some(Arc::new(part)))
}

/// What an element has that has no part.
const MUJOCO: &str = "MuJoCo's part";

/// Friction of a flex whose text says nothing about it.
const DEFAULT_FRICTION: [f64; 3] = [1.0, 0.005, 0.0001];

/// Makes a flex soft: it gets what holds a flex of this material together, the friction of the material (unless the
/// model sets another), and the model gets the position-based solver (unless it has it already).
pub fn soften(m: &mut Model, flex: usize, material: &Material) -> Result<(), PartError> {
    let wrong = |m: &Model, reason: String| misfit(m, Slot::Elasticity, flex, SoftFlex::NAME, &reason);
    let part = SoftFlex::new(material).map_err(|error| wrong(m, error.to_string()))?;
    check_parameter(SoftFlex::NAME, "friction", material.friction, true)
        .map_err(|error| wrong(m, error.to_string()))?;
    set_elasticity(m, flex, part)?;
    if m.flex_friction[flex] == DEFAULT_FRICTION {
        m.flex_friction[flex][0] = material.friction;
    }
    Ok(())
}

fn check_no_soft(m: &Model, solver: &str) -> Result<(), PartError> {
    match m.parts.first_soft() {
        None => Ok(()),
        Some(flex) => {
            let flex = Slot::Elasticity.element(m, flex);
            let reason = format!("{flex} is soft, only a position-based solver (xpbd) holds it together");
            Err(misfit(m, Slot::Solver, 0, solver, &reason))
        }
    }
}

/// Gives a flex MuJoCo's bending again.
pub fn clear_bending(m: &mut Model, flex: usize) -> Result<(), PartError> {
    check_element(m, Slot::Bending, flex, m.nflex, MUJOCO)?;
    m.parts.set_flex(Slot::Bending, flex, None)
}

/// Gives a flex MuJoCo's elasticity again.
pub fn clear_elasticity(m: &mut Model, flex: usize) -> Result<(), PartError> {
    check_element(m, Slot::Elasticity, flex, m.nflex, MUJOCO)?;
    m.parts.set_flex(Slot::Elasticity, flex, None)
}

/// Gives an actuator MuJoCo's gain again.
pub fn clear_gain(m: &mut Model, actuator: usize) -> Result<(), PartError> {
    check_element(m, Slot::Gain, actuator, m.nu, MUJOCO)?;
    m.parts.set_actuators(Slot::Gain, &[actuator], None)
}

/// Gives an actuator MuJoCo's bias again.
pub fn clear_bias(m: &mut Model, actuator: usize) -> Result<(), PartError> {
    check_element(m, Slot::Bias, actuator, m.nu, MUJOCO)?;
    m.parts.set_actuators(Slot::Bias, &[actuator], None)
}

/// Lets MuJoCo's solver find the constraint forces again.
pub fn clear_solver(m: &mut Model) -> Result<(), PartError> {
    check_no_soft(m, "MuJoCo's solver")?;
    m.parts.set_solver(None)
}

fn set_flex(m: &mut Model, slot: Slot, flex: usize, part: &impl FlexForce) -> Result<(), PartError> {
    let fitted = Arc::new(fit(m, slot, flex, part)?);
    if fitted.soft().is_some() && m.parts.solver().is_none_or(|solver| !solver.holds_soft_flexes()) {
        m.parts.set_solver(Some(Arc::new(XpbdSolver::default())))?;
    }
    let groups = independent_vertices(m, flex).into();
    let trees = if fitted.soft().is_some() { soft_trees(m, flex) } else { Vec::new() };
    m.parts.set_flex(slot, flex, Some(FlexPart { part: fitted, groups, trees: trees.into() }))
}

/// The trees that have the vertices of a flex, in their order.
fn soft_trees(m: &Model, flex: usize) -> Vec<SoftTree> {
    let bodies = m.flex_vertbodyid[flex::vertices(m, flex)].iter().map(|&body| body as usize);
    let mut trees: Vec<_> = bodies.filter_map(|body| usize::try_from(m.body_treeid[body]).ok()).collect();
    trees.sort_unstable();
    trees.dedup();
    let vertex = |tree: usize| {
        let body = m.tree_bodyadr[tree] as usize;
        m.tree_bodynum[tree] == 1 && m.body_simple[body] == 2 && !acted_on(m, tree)
    };
    let make = |tree: usize| SoftTree { tree, vertex: vertex(tree), point: point(m, tree) };
    trees.into_iter().map(make).collect()
}

/// The body of a tree that is a point: three slide joints from the world, nothing attached, the mass in its frame.
fn point(m: &Model, tree: usize) -> Option<usize> {
    let body = m.tree_bodyadr[tree] as usize;
    let joints = m.body_jntadr[body].max(0) as usize..;
    let sliding = |&kind: &i32| kind == JointType::Slide as i32;
    let alone = m.tree_bodynum[tree] == 1 && m.body_parentid[body] == 0 && m.body_geomnum[body] == 0;
    let centered = m.body_sameframe[body] == SameFrame::Body as u8 && m.body_simple[body] == 2;
    (alone && centered && m.body_jntnum[body] == 3 && m.jnt_type[joints].iter().take(3).all(sliding))
        .then_some(body)
}

/// Does an actuator or a tendon act on a tree? It never sleeps then, unless the model says that it may.
fn acted_on(m: &Model, tree: usize) -> bool {
    let mut tendons = m.tendon_treeid.iter().zip(m.tendon_treenum.iter());
    let pulled = tendons.any(|(trees, &count)| count > 2 || trees.contains(&(tree as i32)));
    let driven = |actuator: usize| {
        let target = m.actuator_trnid[actuator][0] as usize;
        let body = match TrnType::try_from(m.actuator_trntype[actuator]) {
            Ok(TrnType::Joint | TrnType::Jointinparent) => m.jnt_bodyid[target],
            Ok(TrnType::Site | TrnType::Slidercrank) => m.site_bodyid[target],
            Ok(TrnType::Body) => target as i32,
            Ok(TrnType::Tendon | TrnType::Undefined) | Err(_) => return false,
        };
        m.body_treeid[body as usize] == tree as i32
    };
    pulled || (0..m.nu).any(driven)
}

fn set_actuators(
    m: &mut Model,
    slot: Slot,
    actuators: &[usize],
    part: Arc<dyn ActuatorForce>,
) -> Result<(), PartError> {
    for &i in actuators {
        check_element(m, slot, i, m.nu, part.name())?;
        check_parameters(m, slot, i, &*part)?;
        if m.actuator_plugin[i] >= 0 {
            return Err(misfit(m, slot, i, part.name(), "the actuator is computed by a plugin"));
        }
        if part.name() == super::SeriesElastic::NAME && m.actuator_actadr[i] < 0 {
            let reason =
                "it needs a motor state: give the actuator dyntype integrator, filter or filterexact";
            return Err(misfit(m, slot, i, part.name(), reason));
        }
    }
    m.parts.set_actuators(slot, actuators, Some(part))
}

fn misfit(m: &Model, slot: Slot, element: usize, part: &str, reason: &str) -> PartError {
    let element = slot.element(m, element);
    PartError::Misfit { slot, part: part.to_owned(), element, reason: reason.to_owned() }
}

fn check_element(m: &Model, slot: Slot, id: usize, count: usize, part: &str) -> Result<(), PartError> {
    if id < count {
        return Ok(());
    }
    Err(PartError::NoElement { slot, part: part.to_owned(), element: slot.element(m, id), count })
}

/// A part with parameters that are no numbers would make a state of no numbers.
fn check_parameters(
    m: &Model,
    slot: Slot,
    element: usize,
    part: &(impl Part + ?Sized),
) -> Result<(), PartError> {
    match part.parameters().iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(k) => {
            let reason = format!("its parameter {k} is {}", part.parameters()[k]);
            Err(misfit(m, slot, element, part.name(), &reason))
        }
    }
}

/// The part, fitted to the rest shape of a flex.
pub(super) fn fit<F: FlexForce>(m: &Model, slot: Slot, flex: usize, part: &F) -> Result<F, PartError> {
    check_element(m, slot, flex, m.nflex, part.name())?;
    check_parameters(m, slot, flex, part)?;
    if m.flex_dim[flex] < part.least_dim() as i32 || m.flex_interp[flex] != 0 {
        let reason = "the flex has no elements of its own: it is one-dimensional or interpolated";
        return Err(misfit(m, slot, flex, part.name(), reason));
    }
    let mut d = make_data(m)
        .map_err(|_| misfit(m, slot, flex, part.name(), "the reference configuration cannot be set up"))?;
    kinematics(m, &mut d);
    com_pos(m, &mut d);
    flex::flex_kinematics(m, &mut d);
    let rest = &d.flexvert_xpos[flex::vertices(m, flex)];
    part.fitted(slot, &FlexShape { model: m, flex, rest })
}

/// Vertices of a flex in groups of which no two share an element or a flap, by greedy colouring in order.
pub(super) fn independent_vertices(m: &Model, flex: usize) -> Vec<Vec<u32>> {
    let count = m.flex_vertnum[flex] as usize;
    let shape = FlexShape { model: m, flex, rest: &[] };
    let mut neighbours = vec![Vec::new(); count];
    let mut connect = |corners: &[usize]| {
        for &a in corners {
            neighbours[a].extend(corners.iter().copied().filter(|&b| b != a));
        }
    };
    for element in shape.elements() {
        let mut corners = [0; 4];
        for (corner, &v) in corners.iter_mut().zip(element) {
            *corner = v as usize;
        }
        connect(&corners[..element.len()]);
    }
    for flap in shape.flaps() {
        connect(&flap);
    }
    let mut colour = vec![usize::MAX; count];
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for v in 0..count {
        let free = (0..).find(|c| neighbours[v].iter().all(|&n| colour[n] != *c)).unwrap_or(0);
        colour[v] = free;
        if groups.len() <= free {
            groups.push(Vec::new());
        }
        groups[free].push(v as u32);
    }
    groups
}
