//! Tendons and actuators.

use super::muscle::Muscle;
use super::path::{Stretch, stretches};
use super::tree::Tree;
use ligament_math::MINVAL;
use ligament_model::Model;
use ligament_model::enums::{BiasType, DisableBit, DynType, GainType, JointType, TrnType, WrapType};
use ligament_sim::support::actuator_disabled;

/// A term of a fixed tendon's length: coefficient times joint position.
#[derive(Debug, Clone, Copy)]
pub struct FixedTendon<N = f64> {
    pub dof: u32,
    pub qposadr: u32,
    pub coefficient: N,
}

/// A tendon: the dofs its length depends on, and its spring and damper.
#[derive(Debug, Clone)]
pub struct Tendon<N = f64> {
    /// Ascending.
    pub dofs: Vec<u32>,
    /// First place of its Jacobian in the array of all tendons' Jacobians.
    pub start: u32,
    /// The terms of a fixed tendon; empty for a spatial one.
    pub terms: Vec<FixedTendon<N>>,
    /// The path of a spatial tendon; empty for a fixed one.
    pub path: Vec<Stretch<N>>,
    pub has_armature: bool,
    pub armature: N,
    /// It has a spring, a damper, that is not switched off.
    pub springs: bool,
    pub damps: bool,
    pub stiffness: N,
    pub damping: N,
    /// Dead band of the spring.
    pub rest: [N; 2],
}

/// What an actuator pulls at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transmission {
    /// A hinge or slide.
    Joint {
        dof: u32,
        qposadr: u32,
    },
    Tendon {
        tendon: u32,
    },
}

/// Force per input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gain<N = f64> {
    Fixed(N),
    /// Of length and velocity.
    Affine([N; 3]),
    Muscle(Muscle<N>),
}

/// Force without input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bias<N = f64> {
    None,
    Affine([N; 3]),
    Muscle(Muscle<N>),
}

/// How the activation follows the control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Dynamics<N = f64> {
    None,
    Integrator,
    /// Time constant, and what a step moves the activation by per unit of its rate.
    Filter {
        tau: N,
        advance: N,
    },
    /// Times of rise and fall, and the width of the switch between them where that is smooth.
    Muscle {
        times: [N; 2],
        width: Option<N>,
    },
}

#[derive(Debug, Clone)]
pub struct Actuator<N = f64> {
    pub transmission: Transmission,
    pub gear: N,
    pub gain: Gain<N>,
    pub bias: Bias<N>,
    pub dynamics: Dynamics<N>,
    /// Place of the activation, −1 without one.
    pub actadr: i32,
    /// Force from the activation after the step.
    pub early: bool,
    /// Switched off through its group.
    pub disabled: bool,
    pub ctrlrange: Option<[N; 2]>,
    pub forcerange: Option<[N; 2]>,
    pub actrange: Option<[N; 2]>,
}

/// Limits of the actuator force on a dof as a whole.
#[derive(Debug, Clone)]
pub struct DofRange<N = f64> {
    pub dof: u32,
    pub range: [N; 2],
}

#[derive(Debug, Clone, Default)]
pub struct ActuatorTables<N = f64> {
    pub tendons: Vec<Tendon<N>>,
    /// Numbers of all tendons' Jacobians.
    pub tendon_numbers: usize,
    /// Sites that spatial tendons run through, and geoms they run around.
    pub path_sites: Vec<u32>,
    pub path_geoms: Vec<u32>,
    pub actuators: Vec<Actuator<N>>,
    pub dof_ranges: Vec<DofRange<N>>,
    /// Dofs whose gravity compensation counts as actuator force.
    pub gravcomp_dofs: Vec<u32>,
    /// Some actuator is beyond the lanes: all are computed by the exact engine.
    pub by_lane: bool,
    /// Some actuator pulls at contacts: these come before the forces, and those in the gap count.
    pub adheres: bool,
    /// Actuation is switched off, or there is nothing to actuate.
    pub off: bool,
}

impl ActuatorTables {
    pub(super) fn new(m: &Model, tree: &Tree) -> Self {
        let mut tables = Self::default();
        for t in 0..m.ntendon {
            let tendon = tendon(m, tree, t, tables.tendon_numbers as u32);
            tables.tendon_numbers += tendon.dofs.len();
            for stretch in &tendon.path {
                tables.path_sites.extend(stretch.sites);
                if let Some(obstacle) = &stretch.obstacle {
                    tables.path_sites.extend(obstacle.side);
                    tables.path_geoms.push(obstacle.geom);
                }
            }
            tables.tendons.push(tendon);
        }
        for list in [&mut tables.path_sites, &mut tables.path_geoms] {
            list.sort_unstable();
            list.dedup();
        }
        tables.off = m.nu == 0 || m.opt.disabled(DisableBit::Actuation);
        for j in 0..m.njnt {
            let dof = m.jnt_dofadr[j] as u32;
            if m.jnt_actfrclimited[j] != 0 {
                tables.dof_ranges.push(DofRange { dof, range: m.jnt_actfrcrange[j] });
            }
            if tree.has_gravcomp && m.jnt_actgravcomp[j] != 0 {
                let count = match JointType::try_from(m.jnt_type[j]) {
                    Ok(JointType::Free) => 6,
                    Ok(JointType::Ball) => 3,
                    _ => 1,
                };
                tables.gravcomp_dofs.extend(dof..dof + count);
            }
        }
        if tables.off {
            return tables;
        }
        for i in 0..m.nu {
            match actuator(m, i) {
                Some(actuator) => tables.actuators.push(actuator),
                None => tables.by_lane = true,
            }
        }
        // delayed controls are found by time
        tables.by_lane |= m.nhistory > 0;
        tables.adheres = m.actuator_trntype.contains(&(TrnType::Body as i32));
        if tables.by_lane {
            tables.actuators.clear();
        }
        tables
    }
}

fn is_fixed(m: &Model, t: usize) -> bool {
    m.wrap_type[m.tendon_adr[t] as usize] == WrapType::Joint as i32
}

pub(super) fn wraps(m: &Model, t: usize) -> std::ops::Range<usize> {
    let start = m.tendon_adr[t] as usize;
    start..start + m.tendon_num[t] as usize
}

/// Dofs that a tendon's length can depend on, ascending.
pub(super) fn tendon_dofs(m: &Model, tree: &Tree, t: usize) -> Vec<u32> {
    let mut dofs: Vec<u32> = Vec::new();
    for w in wraps(m, t) {
        let id = m.wrap_objid[w];
        match WrapType::try_from(m.wrap_type[w]) {
            Ok(WrapType::Joint) => dofs.push(m.jnt_dofadr[id as usize] as u32),
            Ok(WrapType::Site) => dofs.extend(tree.chain(m.site_bodyid[id as usize] as usize)),
            Ok(WrapType::Sphere | WrapType::Cylinder) => {
                dofs.extend(tree.chain(m.geom_bodyid[id as usize] as usize));
            }
            Ok(WrapType::Pulley | WrapType::None) | Err(_) => {}
        }
    }
    dofs.sort_unstable();
    dofs.dedup();
    dofs
}

fn tendon(m: &Model, tree: &Tree, t: usize, start: u32) -> Tendon {
    let term = |w: usize| {
        let joint = m.wrap_objid[w] as usize;
        FixedTendon {
            dof: m.jnt_dofadr[joint] as u32,
            qposadr: m.jnt_qposadr[joint] as u32,
            coefficient: m.wrap_prm[w],
        }
    };
    let dofs = tendon_dofs(m, tree, t);
    let (terms, path) = if is_fixed(m, t) {
        (wraps(m, t).map(term).collect(), Vec::new())
    } else {
        (Vec::new(), stretches(m, tree, t, &dofs))
    };
    let stiffness = if m.opt.disabled(DisableBit::Spring) { 0.0 } else { m.tendon_stiffness[t] };
    let damping = if m.opt.disabled(DisableBit::Damper) { 0.0 } else { m.tendon_damping[t] };
    Tendon {
        dofs,
        start,
        terms,
        path,
        has_armature: m.tendon_armature[t] != 0.0,
        armature: m.tendon_armature[t],
        springs: stiffness != 0.0,
        damps: damping != 0.0,
        stiffness,
        damping,
        rest: m.tendon_lengthspring[t],
    }
}

fn first_three(prm: &[f64; 10]) -> [f64; 3] {
    [prm[0], prm[1], prm[2]]
}

/// The table of one actuator; `None` if it is beyond the lanes.
fn actuator(m: &Model, i: usize) -> Option<Actuator> {
    let id = m.actuator_trnid[i][0] as usize;
    let transmission = match TrnType::try_from(m.actuator_trntype[i]) {
        Ok(TrnType::Joint | TrnType::Jointinparent) => match JointType::try_from(m.jnt_type[id]) {
            Ok(JointType::Slide | JointType::Hinge) => {
                Transmission::Joint { dof: m.jnt_dofadr[id] as u32, qposadr: m.jnt_qposadr[id] as u32 }
            }
            _ => return None,
        },
        Ok(TrnType::Tendon) if m.tendon_actfrclimited[id] == 0 => Transmission::Tendon { tendon: id as u32 },
        _ => return None,
    };
    let gain = match GainType::try_from(m.actuator_gaintype[i]) {
        Ok(GainType::Fixed) => Gain::Fixed(m.actuator_gainprm[i][0]),
        Ok(GainType::Affine) => Gain::Affine(first_three(&m.actuator_gainprm[i])),
        Ok(GainType::Muscle) => Gain::Muscle(Muscle::new(m, i, &m.actuator_gainprm[i])),
        Ok(GainType::User) | Err(_) => return None,
    };
    let bias = match BiasType::try_from(m.actuator_biastype[i]) {
        Ok(BiasType::None) => Bias::None,
        Ok(BiasType::Affine) => Bias::Affine(first_three(&m.actuator_biasprm[i])),
        Ok(BiasType::Muscle) => Bias::Muscle(Muscle::new(m, i, &m.actuator_biasprm[i])),
        Ok(BiasType::User) | Err(_) => return None,
    };
    let h = m.opt.timestep;
    let tau = m.actuator_dynprm[i][0].max(MINVAL);
    let dynamics = match DynType::try_from(m.actuator_dyntype[i]) {
        Ok(DynType::None) if m.actuator_actnum[i] == 0 => Dynamics::None,
        Ok(DynType::Integrator) => Dynamics::Integrator,
        Ok(DynType::Filter) => Dynamics::Filter { tau, advance: h },
        Ok(DynType::Filterexact) => Dynamics::Filter { tau, advance: tau * (1.0 - (-h / tau).exp()) },
        Ok(DynType::Muscle) => {
            let [rise, fall, width] = first_three(&m.actuator_dynprm[i]);
            Dynamics::Muscle { times: [rise, fall], width: (!(width < MINVAL)).then_some(width) }
        }
        _ => return None,
    };
    if m.actuator_actnum[i] > 1 {
        return None;
    }
    Some(Actuator {
        transmission,
        gear: m.actuator_gear[i][0],
        gain,
        bias,
        dynamics,
        actadr: m.actuator_actadr[i],
        early: m.actuator_actearly[i] != 0,
        disabled: actuator_disabled(m, i),
        ctrlrange: limited(m.actuator_ctrllimited[i], m.actuator_ctrlrange[i])
            .filter(|_| !m.opt.disabled(DisableBit::Clampctrl)),
        forcerange: limited(m.actuator_forcelimited[i], m.actuator_forcerange[i]),
        actrange: limited(m.actuator_actlimited[i], m.actuator_actrange[i]),
    })
}

fn limited(flag: impl Into<i32>, range: [f64; 2]) -> Option<[f64; 2]> {
    (flag.into() != 0).then_some(range)
}
