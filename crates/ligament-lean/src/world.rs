//! Working memory of W worlds in lockstep: every number is one register with a lane per world.

use crate::algebra::{Inertia, M9, Q4, V3, V6, zeros};
use crate::collision::Point;
use crate::constraint::{Contact, DofRow, SparseRow};
use crate::lane::Lane;
use crate::pattern::Pattern;
use crate::solver::factor::Hessian;
use crate::solver::follow::Follow;
use crate::tables::Tables;

/// State, intermediate results and solver buffers. Names follow `mjData` where the quantity is the same.
pub(crate) struct World<L: Lane> {
    pub qpos: Vec<L>,
    pub qvel: Vec<L>,
    pub act: Vec<L>,
    pub ctrl: Vec<L>,
    pub qfrc_applied: Vec<L>,
    pub xfrc_applied: Vec<V6<L>>,
    /// Does any lane apply a force?
    pub has_applied: bool,
    pub has_xfrc: bool,
    pub mocap_pos: Vec<V3<L>>,
    pub mocap_quat: Vec<Q4<L>>,
    pub eq_active: Vec<L::Mask>,
    /// Warm start, then the acceleration.
    pub qacc: Vec<L>,

    pub xpos: Vec<V3<L>>,
    pub xquat: Vec<Q4<L>>,
    pub xmat: Vec<M9<L>>,
    pub xipos: Vec<V3<L>>,
    /// Centre of mass of each tree.
    pub com: Vec<V3<L>>,
    /// Centres of mass of subtrees, weighted with mass while they are summed.
    pub moment: Vec<V3<L>>,
    pub xanchor: Vec<V3<L>>,
    pub xaxis: Vec<V3<L>>,
    pub geom_xpos: Vec<V3<L>>,
    pub geom_xmat: Vec<M9<L>>,
    /// Of the sites on paths of tendons.
    pub site_xpos: Vec<V3<L>>,
    pub cdof: Vec<V6<L>>,
    /// The same, padded to whole panels, where that is needed.
    pub axes: Vec<V6<L>>,
    pub cinert: Vec<Inertia<L>>,
    pub crb: Vec<Inertia<L>>,
    pub cvel: Vec<V6<L>>,
    pub cacc: Vec<V6<L>>,
    pub cfrc: Vec<V6<L>>,

    pub ten_length: Vec<L>,
    pub ten_velocity: Vec<L>,
    pub ten_J: Vec<L>,
    pub act_dot: Vec<L>,
    pub qfrc_actuator: Vec<L>,
    pub qfrc_gravcomp: Vec<L>,
    /// Sum of all forces but those of constraints.
    pub qfrc_smooth: Vec<L>,
    /// ∂force/∂velocity of each actuator, for the implicit integrator.
    pub actuator_slope: Vec<L>,

    /// Inertia matrix in the tree's tiles.
    pub M: Vec<L>,

    pub points: Vec<Point<L>>,
    pub contacts: Vec<Contact<L>>,
    /// Residuals of the contacts, and their changes along the search direction.
    pub contact_c: Vec<L>,
    pub contact_v: Vec<L>,
    pub dof_rows: Vec<DofRow<L>>,
    pub sparse_rows: Vec<SparseRow<L>>,
    /// Jacobians of the sparse rows and of contacts between moving bodies.
    pub row_J: Vec<L>,
    pub pattern: Pattern,
    /// The pattern without couplings.
    pub tree_pattern: Pattern,
    /// ∂force/∂velocity in the tree's tiles, of what is computed lane by lane.
    pub slope_by_lane: Vec<L>,

    /// Hessian in the tiles of the pattern, then its factor.
    pub hessian: Hessian<L>,
    /// h ∂force/∂velocity in the tree's tiles, for the implicit integrator.
    pub slopes: Vec<L>,
    /// Vectors padded to whole panels, where that is needed.
    pub padded: [Vec<L>; 2],
    pub Ma: Vec<L>,
    pub gradient: Vec<L>,
    pub search: Vec<L>,
    pub Mv: Vec<L>,
    /// Twists of bodies for products with contact Jacobians.
    pub twist: Vec<V6<L>>,
    pub wrench: Vec<V6<L>>,
    /// 6×6 contact stiffness of bodies, upper triangle by blocks: rotational 6, mixed 9, translational 6.
    pub stiffness: Vec<[L; 21]>,
    /// Dofs of panels that are assembled and not factored yet.
    pub fresh: Vec<bool>,
    pub touched: Vec<bool>,
    pub pushed: Vec<bool>,
    pub stiff: Vec<bool>,
    pub follow: Follow,
    /// Conjugate gradients: the gradient before, and what M⁻¹ makes of the gradient, now and before.
    pub old_gradient: Vec<L>,
    pub descent: [Vec<L>; 2],
    /// Step lengths of the trees, where the exact engine's path is followed.
    pub tree_step: Vec<L>,
}

impl<L: Lane> World<L> {
    pub fn new(t: &Tables<L>) -> Self {
        let (nv, nbody) = (t.nv, t.nbody);
        let line = |n: usize| vec![L::zero(); n];
        let ngeom = t.tree.geoms.len();
        let mut world = Self {
            qpos: line(t.nq),
            qvel: line(nv),
            act: line(t.na),
            ctrl: line(t.nu),
            qfrc_applied: line(nv),
            xfrc_applied: vec![zeros(); nbody],
            has_applied: false,
            has_xfrc: false,
            mocap_pos: vec![zeros(); t.nmocap],
            mocap_quat: vec![zeros(); t.nmocap],
            eq_active: vec![L::none(); t.neq],
            qacc: line(nv),
            xpos: vec![zeros(); nbody],
            xquat: vec![zeros(); nbody],
            xmat: vec![zeros(); nbody],
            xipos: vec![zeros(); nbody],
            com: vec![zeros(); t.tree.roots.len()],
            moment: vec![zeros(); t.tree.roots.len()],
            xanchor: vec![zeros(); t.tree.joints.len()],
            xaxis: vec![zeros(); t.tree.joints.len()],
            geom_xpos: vec![zeros(); ngeom],
            geom_xmat: vec![zeros(); ngeom],
            site_xpos: vec![zeros(); t.tree.sites.len()],
            cdof: vec![zeros(); nv],
            axes: vec![zeros(); t.tree.panels.padded()],
            cinert: vec![zeros(); nbody],
            crb: vec![zeros(); nbody],
            cvel: vec![zeros(); nbody],
            cacc: vec![zeros(); nbody],
            cfrc: vec![zeros(); nbody],
            ten_length: line(t.actuation.tendons.len()),
            ten_velocity: line(t.actuation.tendons.len()),
            ten_J: line(t.actuation.tendon_numbers),
            act_dot: line(t.na),
            qfrc_actuator: line(nv),
            qfrc_gravcomp: line(nv),
            qfrc_smooth: line(nv),
            actuator_slope: line(t.nu),
            M: line(t.tree.panels.numbers()),
            points: Vec::new(),
            contacts: Vec::new(),
            contact_c: Vec::new(),
            contact_v: Vec::new(),
            dof_rows: Vec::new(),
            sparse_rows: Vec::new(),
            row_J: Vec::new(),
            pattern: Pattern::new(&t.tree),
            tree_pattern: Pattern::new(&t.tree),
            slope_by_lane: line(t.tree.panels.numbers()),
            hessian: Hessian::new(&t.tree.panels),
            slopes: line(t.tree.panels.numbers()),
            padded: [line(t.tree.panels.padded()), line(t.tree.panels.padded())],
            Ma: line(nv),
            gradient: line(nv),
            search: line(nv),
            Mv: line(nv),
            twist: vec![zeros(); nbody],
            wrench: vec![zeros(); nbody],
            stiffness: vec![zeros(); nbody],
            fresh: vec![true; nv],
            touched: vec![false; nbody],
            pushed: vec![false; nbody],
            stiff: vec![false; nbody],
            follow: Follow::default(),
            old_gradient: line(nv),
            descent: [line(nv), line(nv)],
            tree_step: line(t.tree.trees),
        };
        world.hessian.fit(&t.tree.panels, &world.tree_pattern);
        world.place(t);
        world
    }

    /// Fits the numbers of these tables: poses of what never moves.
    pub fn place(&mut self, t: &Tables<L>) {
        self.ten_J.resize(t.actuation.tendon_numbers, L::zero());
        for rest in &t.tree.resting {
            let i = rest.body as usize;
            self.xpos[i] = rest.pos;
            self.xquat[i] = rest.quat;
            self.xmat[i] = rest.mat;
            self.xipos[i] = rest.ipos;
        }
        for rest in &t.tree.resting_geoms {
            self.geom_xpos[rest.geom as usize] = rest.pos;
            self.geom_xmat[rest.geom as usize] = rest.mat;
        }
    }
}
