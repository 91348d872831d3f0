//! Limits, dry friction and equalities, with what makes them soft.

use super::tree::{JointKind, Tree};
use ligament_model::Model;
use ligament_model::constants::MINVAL;
use ligament_model::enums::{DisableBit, EqType, JointType, ObjType};
use ligament_sim::constraint::{SolverParams, reference_gains};

/// What decides stiffness and regularisation of a constraint's rows: the reference acceleration is
/// −damping · velocity − stiffness · d(r) · r, the regularisation R = weight · (1 − d)/d with the impedance d of the
/// violation r.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Softness<N = f64> {
    pub stiffness: N,
    pub damping: N,
    pub shape: Impedance,
    /// Impedance where the constraint is just met, and from a violation of `width` on.
    pub dmin: N,
    pub dmax: N,
    pub width: N,
    /// Where the two branches of the sigmoid meet, and their exponent.
    pub midpoint: N,
    pub power: N,
    /// 1/midpoint and 1/(1 − midpoint).
    pub below: N,
    pub above: N,
    /// Estimate of the diagonal of J M⁻¹ Jᵀ.
    pub weight: N,
}

/// How the impedance grows with the violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Impedance {
    Constant,
    Linear,
    /// Two parabolas.
    Quadratic,
    /// Two branches with any exponent.
    General,
}

impl Softness {
    /// From `solref` and `solimp`, made safe as the exact engine does.
    pub(super) fn new(m: &Model, solref: [f64; 2], solimp: [f64; 5], weight: f64) -> Self {
        let safe = SolverParams { solref, solreffriction: [0.0; 2], solimp }.safe(m);
        let (stiffness, damping) = reference_gains(safe.solref, safe.solimp[1]);
        let [dmin, dmax, width, midpoint, power] = safe.solimp;
        let shape = if dmin == dmax || width <= MINVAL {
            Impedance::Constant
        } else if power == 1.0 {
            Impedance::Linear
        } else if power == 2.0 {
            Impedance::Quadratic
        } else {
            Impedance::General
        };
        let (below, above) = (1.0 / midpoint, 1.0 / (1.0 - midpoint));
        Self { stiffness, damping, shape, dmin, dmax, width, midpoint, power, below, above, weight }
    }

    /// Impedance where the constraint is just met.
    fn at_zero(&self) -> f64 {
        if self.shape == Impedance::Constant { 0.5 * (self.dmin + self.dmax) } else { self.dmin }
    }
}

/// Limit of a joint.
#[derive(Debug, Clone)]
pub struct JointLimit<N = f64> {
    pub kind: JointKind,
    pub qposadr: u32,
    pub dof: u32,
    pub range: [N; 2],
    pub margin: N,
    pub softness: Softness<N>,
}

/// Limit of a tendon.
#[derive(Debug, Clone)]
pub struct TendonLimit<N = f64> {
    pub tendon: u32,
    pub range: [N; 2],
    pub margin: N,
    pub softness: Softness<N>,
}

/// Dry friction of a dof or tendon: force up to `loss`, which it has at the residual `bound`.
#[derive(Debug, Clone)]
pub struct Friction<N = f64> {
    pub id: u32,
    pub loss: N,
    /// Inverse of the regularisation.
    pub D: N,
    pub bound: N,
    pub damping: N,
}

/// An equality.
#[derive(Debug, Clone)]
pub struct Couple<N = f64> {
    /// Number of the equality in the model.
    pub id: u32,
    pub kind: EqType,
    /// Bodies, joints or tendons; −1 where there is no second.
    pub objects: [i32; 2],
    /// Sites that the bodies carry the anchors at, if sites are coupled.
    pub sites: Option<[u32; 2]>,
    pub data: [N; 11],
    /// Reference values of joints or tendons.
    pub reference: [N; 2],
    pub softness: Softness<N>,
    /// Weight of the rotational rows of a weld.
    pub rotation_weight: N,
    /// Dofs its rows act on, ascending.
    pub dofs: Vec<u32>,
}

/// Limits, friction, equalities.
#[derive(Debug, Clone, Default)]
pub struct RowTables<N = f64> {
    pub joint_limits: Vec<JointLimit<N>>,
    pub tendon_limits: Vec<TendonLimit<N>>,
    pub dof_friction: Vec<Friction<N>>,
    pub tendon_friction: Vec<Friction<N>>,
    pub equalities: Vec<Couple<N>>,
}

impl RowTables {
    pub(super) fn new(m: &Model, tree: &Tree) -> Self {
        let mut tables = Self::default();
        if m.opt.disabled(DisableBit::Constraint) {
            return tables;
        }
        if !m.opt.disabled(DisableBit::Limit) {
            tables.joint_limits = (0..m.njnt).filter_map(|j| joint_limit(m, tree, j)).collect();
            tables.tendon_limits =
                (0..m.ntendon).filter(|&t| m.tendon_limited[t] != 0).map(|t| tendon_limit(m, t)).collect();
        }
        if !m.opt.disabled(DisableBit::Frictionloss) {
            tables.dof_friction =
                (0..m.nv).filter(|&i| m.dof_frictionloss[i] != 0.0).map(|i| dof_friction(m, i)).collect();
            tables.tendon_friction = (0..m.ntendon)
                .filter(|&t| m.tendon_frictionloss[t] > 0.0)
                .map(|t| tendon_friction(m, t))
                .collect();
        }
        if !m.opt.disabled(DisableBit::Equality) {
            tables.equalities = (0..m.neq).filter_map(|e| equality(m, tree, e)).collect();
        }
        tables
    }
}

fn joint_limit(m: &Model, tree: &Tree, j: usize) -> Option<JointLimit> {
    if m.jnt_limited[j] == 0 || m.jnt_type[j] == JointType::Free as i32 {
        return None;
    }
    let joint = &tree.joints[j];
    let weight = m.dof_invweight0[joint.dofadr as usize];
    Some(JointLimit {
        kind: joint.kind,
        qposadr: joint.qposadr,
        dof: joint.dofadr,
        range: m.jnt_range[j],
        margin: m.jnt_margin[j],
        softness: Softness::new(m, m.jnt_solref[j], m.jnt_solimp[j], weight),
    })
}

fn tendon_limit(m: &Model, t: usize) -> TendonLimit {
    TendonLimit {
        tendon: t as u32,
        range: m.tendon_range[t],
        margin: m.tendon_margin[t],
        softness: Softness::new(m, m.tendon_solref_lim[t], m.tendon_solimp_lim[t], m.tendon_invweight0[t]),
    }
}

fn friction(id: usize, loss: f64, softness: &Softness) -> Friction {
    let d = softness.at_zero();
    let regularization = ((1.0 - d) * softness.weight / d).max(MINVAL);
    let (D, bound) = (1.0 / regularization, regularization * loss);
    Friction { id: id as u32, loss, D, bound, damping: softness.damping }
}

fn dof_friction(m: &Model, i: usize) -> Friction {
    let softness = Softness::new(m, m.dof_solref[i], m.dof_solimp[i], m.dof_invweight0[i]);
    friction(i, m.dof_frictionloss[i], &softness)
}

fn tendon_friction(m: &Model, t: usize) -> Friction {
    let softness = Softness::new(m, m.tendon_solref_fri[t], m.tendon_solimp_fri[t], m.tendon_invweight0[t]);
    friction(t, m.tendon_frictionloss[t], &softness)
}

fn equality(m: &Model, tree: &Tree, e: usize) -> Option<Couple> {
    let kind = EqType::try_from(m.eq_type[e]).ok()?;
    let ids = [m.eq_obj1id[e], m.eq_obj2id[e]];
    let on_sites = m.eq_objtype[e] == ObjType::Site as i32;
    let mut couple = Couple {
        id: e as u32,
        kind,
        objects: ids,
        sites: None,
        data: m.eq_data[e],
        reference: [0.0; 2],
        softness: Softness::new(m, m.eq_solref[e], m.eq_solimp[e], 0.0),
        rotation_weight: 0.0,
        dofs: Vec::new(),
    };
    let present = |k: usize| usize::try_from(ids[k]).ok();
    match kind {
        EqType::Connect | EqType::Weld => {
            if on_sites {
                couple.sites = Some(ids.map(|s| s as u32));
                couple.objects = ids.map(|s| m.site_bodyid[s as usize]);
            }
            let weights = couple.objects.map(|b| m.body_invweight0[b as usize]);
            couple.softness.weight = weights[0][0] + weights[1][0];
            couple.rotation_weight = weights[0][1] + weights[1][1];
            couple.dofs = together(tree, couple.objects);
        }
        EqType::Joint => {
            for k in 0..2 {
                let Some(j) = present(k) else { continue };
                couple.softness.weight += m.dof_invweight0[m.jnt_dofadr[j] as usize];
                couple.reference[k] = m.qpos0[m.jnt_qposadr[j] as usize];
                couple.dofs.push(m.jnt_dofadr[j] as u32);
            }
            couple.dofs.sort_unstable();
            couple.dofs.dedup();
        }
        EqType::Tendon => {
            for k in 0..2 {
                let Some(t) = present(k) else { continue };
                couple.softness.weight += m.tendon_invweight0[t];
                couple.reference[k] = m.tendon_length0[t];
                couple.dofs.extend(super::actuation::tendon_dofs(m, tree, t));
            }
            couple.dofs.sort_unstable();
            couple.dofs.dedup();
        }
        EqType::Flex | EqType::Flexvert | EqType::Distance => return None,
    }
    Some(couple)
}

/// Dofs that move one of two bodies, ascending. Those that move both count: the anchors differ.
fn together(tree: &Tree, bodies: [i32; 2]) -> Vec<u32> {
    let mut dofs: Vec<u32> = bodies.iter().flat_map(|&b| tree.chain(b as usize)).copied().collect();
    dofs.sort_unstable();
    dofs.dedup();
    dofs
}
