//! Bodies, joints and degrees of freedom; the rows of tree-shaped matrices.

use super::panels::Panels;
use ligament_math::{mat3, quat, vec3};
use ligament_model::enums::{DisableBit, GeomType, JointType, SameFrame};
use ligament_model::{Data, Model};
use ligament_sim::collision::local_box;
use ligament_sim::kinematics::kinematics;

#[derive(Debug, Clone)]
pub struct Body<N = f64> {
    pub parent: u32,
    /// Index into [`Tree::roots`] of the tree whose centre of mass is the reference point.
    pub root: u32,
    pub joints: std::ops::Range<u32>,
    pub dofs: std::ops::Range<u32>,
    /// Last dof that moves the body, −1 if none does.
    pub last_dof: i32,
    pub pos: [N; 3],
    pub quat: [N; 4],
    /// The body is aligned with its parent.
    pub aligned: bool,
    pub mocap: i32,
    /// Centre of mass in the body's frame.
    pub ipos: [N; 3],
    pub mass: N,
    /// Inertia about the centre of mass in the axes of the body: xx yy zz xy xz yz.
    pub inertia: [N; 6],
    /// Share of its weight that is compensated.
    pub gravcomp: N,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    Free,
    Ball,
    Slide,
    Hinge,
}

#[derive(Debug, Clone)]
pub struct Joint<N = f64> {
    pub kind: JointKind,
    pub qposadr: u32,
    pub dofadr: u32,
    pub pos: [N; 3],
    /// The anchor is not at the body's origin.
    pub offset: bool,
    pub axis: [N; 3],
    /// Value of a hinge or slide at the reference configuration.
    pub qpos0: N,
    /// It has a spring that is not switched off.
    pub springs: bool,
    pub stiffness: N,
    /// Rest position: one number, or a free joint's seven, a ball joint's four.
    pub spring: [N; 7],
}

#[derive(Debug, Clone)]
pub struct Dof<N = f64> {
    pub body: u32,
    /// −1: none.
    pub parent: i32,
    /// Number of ancestors.
    pub level: u32,
    pub armature: N,
    /// Zero when dampers are switched off.
    pub damping: N,
}

/// A tree of bodies below the world; its centre of mass is the reference point of all spatial vectors of its bodies.
#[derive(Debug, Clone)]
pub struct Root<N = f64> {
    pub body: u32,
    /// The reference of a tree without mass is the root's centre.
    pub massless: bool,
    /// Inverse mass of the whole tree.
    pub inverse_mass: N,
}

#[derive(Debug, Clone)]
pub struct Geom<N = f64> {
    pub body: u32,
    pub pos: [N; 3],
    pub quat: [N; 4],
    /// The geom is aligned with its body.
    pub aligned: bool,
    pub size: [N; 3],
    pub kind: GeomType,
    /// Centre and half-extents of a box around it, in its frame.
    pub center: [N; 3],
    pub half: [N; 3],
}

#[derive(Debug, Clone)]
pub struct Site<N = f64> {
    pub body: u32,
    pub pos: [N; 3],
    pub quat: [N; 4],
}

/// Pose of a body that never moves, and its centre of mass.
#[derive(Debug, Clone)]
pub struct RestingBody<N = f64> {
    pub body: u32,
    pub pos: [N; 3],
    pub quat: [N; 4],
    pub mat: [N; 9],
    pub ipos: [N; 3],
}

/// Pose of a geom that never moves.
#[derive(Debug, Clone)]
pub struct RestingGeom<N = f64> {
    pub geom: u32,
    pub pos: [N; 3],
    pub mat: [N; 9],
}

/// The kinematic tree. A matrix with the tree's sparsity stores for dof i the row `rows[i]..rows[i + 1]`: its ancestors
/// from the root down (`columns`), itself last. The ancestor of level l stands at place l of the row, whatever the row:
/// the row of an ancestor of level l has the same columns as the first l + 1 places of every row below it. Its numbers stand in
/// tiles, at the places of [`Panels::places`].
#[derive(Debug, Clone)]
pub struct Tree<N = f64> {
    pub bodies: Vec<Body<N>>,
    pub joints: Vec<Joint<N>>,
    pub dofs: Vec<Dof<N>>,
    pub roots: Vec<Root<N>>,
    pub geoms: Vec<Geom<N>>,
    pub sites: Vec<Site<N>>,
    /// Bodies whose pose depends on the state, parents first.
    pub moving: Vec<u32>,
    /// The other bodies, and their geoms.
    pub resting: Vec<RestingBody<N>>,
    pub resting_geoms: Vec<RestingGeom<N>>,
    /// Bodies that some dof moves, parents first.
    pub dynamic: Vec<u32>,
    pub rows: Vec<u32>,
    pub columns: Vec<u32>,
    /// Panels that are the three unit translations of a free joint.
    pub free_slides: Vec<bool>,
    /// Dofs that are factored together.
    pub panels: Panels,
    /// Number of trees that dofs move, and the tree of each dof.
    pub trees: usize,
    pub dof_tree: Vec<u32>,
    pub has_springs: bool,
    pub has_gravcomp: bool,
}

impl Tree {
    pub(super) fn new(m: &Model) -> Self {
        let mut d = Data::new(m);
        ligament_sim::reset::reset_data(m, &mut d).ok();
        kinematics(m, &mut d);
        let (roots, root_of) = roots(m);
        let dofs = dofs(m);
        let bodies: Vec<Body> = (0..m.nbody).map(|i| body(m, i, root_of[i])).collect();
        let mut is_moving = vec![false; m.nbody];
        for i in 1..m.nbody {
            let parent = m.body_parentid[i] as usize;
            is_moving[i] = m.body_jntnum[i] > 0 || m.body_mocapid[i] >= 0 || is_moving[parent];
        }
        let (rows, columns) = rows(&dofs);
        let panels = Panels::new(&dofs, &rows, &columns);
        let slides = |dofs: &std::ops::Range<u32>| {
            let joint = m.dof_jntid[dofs.start as usize] as usize;
            let free = m.jnt_type[joint] == JointType::Free as i32;
            free && m.jnt_dofadr[joint] as u32 == dofs.start && dofs.len() == 3
        };
        let free_slides = panels.dofs.iter().map(slides).collect();
        let has_gravcomp = m.ngravcomp > 0
            && !m.opt.disabled(DisableBit::Gravity)
            && vec3::norm(m.opt.gravity) != 0.0
            && !(m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper));
        let geoms: Vec<Geom> = (0..m.ngeom).map(|g| geom(m, g)).collect();
        let joints: Vec<Joint> = (0..m.njnt).map(|j| joint(m, j)).collect();
        let numbers =
            |keep: &dyn Fn(usize) -> bool| (1..m.nbody).filter(|&i| keep(i)).map(|i| i as u32).collect();
        Self {
            resting: (0..m.nbody).filter(|&i| !is_moving[i]).map(|i| resting_body(m, &d, i)).collect(),
            resting_geoms: geoms
                .iter()
                .enumerate()
                .filter(|(_, geom)| !is_moving[geom.body as usize])
                .map(|(g, geom)| resting_geom(&d, g, geom))
                .collect(),
            moving: numbers(&|i| is_moving[i]),
            dynamic: numbers(&|i| bodies[i].last_dof >= 0),
            has_springs: joints.iter().any(|j| j.springs),
            has_gravcomp,
            geoms,
            sites: (0..m.nsite).map(|s| site(m, s)).collect(),
            bodies,
            joints,
            dofs,
            roots,
            rows,
            columns,
            free_slides,
            panels,
            trees: m.ntree,
            dof_tree: m.dof_treeid.iter().map(|&t| t.max(0) as u32).collect(),
        }
    }
}

impl<N> Tree<N> {
    /// Places of row `i`.
    #[inline(always)]
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.rows[i] as usize..self.rows[i + 1] as usize
    }

    /// Where the diagonal of row `i` stands in a matrix in tiles.
    #[inline(always)]
    pub fn diagonal(&self, i: usize) -> usize {
        self.panels.places[self.rows[i + 1] as usize - 1] as usize
    }

    /// Does this dof move the body?
    #[inline(always)]
    pub fn moves(&self, dof: u32, body: usize) -> bool {
        self.chain(body).get(self.dofs[dof as usize].level as usize) == Some(&dof)
    }

    /// Dofs that move a body, root first.
    #[inline(always)]
    pub fn chain(&self, body: usize) -> &[u32] {
        match usize::try_from(self.bodies[body].last_dof) {
            Ok(dof) => &self.columns[self.row(dof)],
            Err(_) => &[],
        }
    }
}

fn roots(m: &Model) -> (Vec<Root>, Vec<u32>) {
    let mut roots: Vec<Root> = Vec::new();
    let mut root_of = vec![0; m.nbody];
    for i in 0..m.nbody {
        let root = m.body_rootid[i] as u32;
        if root as usize == i {
            let mass = m.body_subtreemass[i];
            let massless = mass < ligament_math::MINVAL;
            let inverse_mass = if massless { 0.0 } else { 1.0 / mass };
            roots.push(Root { body: root, massless, inverse_mass });
        }
        root_of[i] = roots.iter().position(|r| r.body == root).unwrap_or(0) as u32;
    }
    (roots, root_of)
}

fn body(m: &Model, i: usize, root: u32) -> Body {
    let range = |adr: i32, num: i32| adr.max(0) as u32..adr.max(0) as u32 + num.max(0) as u32;
    let dofs = range(m.body_dofadr[i], m.body_dofnum[i]);
    let mut last_dof = -1;
    let mut at = i;
    while at > 0 && last_dof < 0 {
        last_dof = m.body_dofadr[at].max(-1) + m.body_dofnum[at] - if m.body_dofnum[at] > 0 { 1 } else { 0 };
        if m.body_dofnum[at] == 0 {
            last_dof = -1;
        }
        at = m.body_parentid[at] as usize;
    }
    let turn = quat::to_mat(m.body_iquat[i]);
    let [a, b, c] = m.body_inertia[i];
    let scaled = [
        turn[0] * a,
        turn[1] * b,
        turn[2] * c,
        turn[3] * a,
        turn[4] * b,
        turn[5] * c,
        turn[6] * a,
        turn[7] * b,
        turn[8] * c,
    ];
    let entry = |r: usize, s: usize| (0..3).map(|k| scaled[3 * r + k] * turn[3 * s + k]).sum::<f64>();
    Body {
        parent: m.body_parentid[i] as u32,
        root,
        joints: range(m.body_jntadr[i], m.body_jntnum[i]),
        dofs,
        last_dof,
        pos: m.body_pos[i],
        quat: m.body_quat[i],
        aligned: m.body_quat[i] == quat::IDENTITY,
        mocap: m.body_mocapid[i],
        ipos: m.body_ipos[i],
        mass: m.body_mass[i],
        inertia: [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)],
        gravcomp: m.body_gravcomp[i],
    }
}

fn joint(m: &Model, j: usize) -> Joint {
    let qposadr = m.jnt_qposadr[j] as usize;
    let (kind, size) = match JointType::try_from(m.jnt_type[j]) {
        Ok(JointType::Free) => (JointKind::Free, 7),
        Ok(JointType::Ball) => (JointKind::Ball, 4),
        Ok(JointType::Slide) => (JointKind::Slide, 1),
        Ok(JointType::Hinge) | Err(_) => (JointKind::Hinge, 1),
    };
    let mut spring = [0.0; 7];
    spring[..size].copy_from_slice(&m.qpos_spring[qposadr..qposadr + size]);
    let springs = m.jnt_stiffness[j] != 0.0 && !m.opt.disabled(DisableBit::Spring);
    Joint {
        kind,
        qposadr: qposadr as u32,
        dofadr: m.jnt_dofadr[j] as u32,
        pos: m.jnt_pos[j],
        offset: m.jnt_pos[j] != [0.0; 3],
        axis: m.jnt_axis[j],
        qpos0: m.qpos0[qposadr],
        springs,
        stiffness: if springs { m.jnt_stiffness[j] } else { 0.0 },
        spring,
    }
}

fn dofs(m: &Model) -> Vec<Dof> {
    let mut dofs: Vec<Dof> = Vec::with_capacity(m.nv);
    for i in 0..m.nv {
        let parent = m.dof_parentid[i];
        let level = usize::try_from(parent).map_or(0, |p| dofs[p].level + 1);
        dofs.push(Dof {
            body: m.dof_bodyid[i] as u32,
            parent,
            level,
            armature: m.dof_armature[i],
            damping: if m.opt.disabled(DisableBit::Damper) { 0.0 } else { m.dof_damping[i] },
        });
    }
    dofs
}

fn rows(dofs: &[Dof]) -> (Vec<u32>, Vec<u32>) {
    let (mut rows, mut columns) = (vec![0], Vec::<u32>::new());
    for (i, dof) in dofs.iter().enumerate() {
        if let Ok(parent) = usize::try_from(dof.parent) {
            columns.extend_from_within(rows[parent] as usize..rows[parent + 1] as usize);
        }
        columns.push(i as u32);
        rows.push(columns.len() as u32);
    }
    (rows, columns)
}

fn geom(m: &Model, g: usize) -> Geom {
    let body = m.geom_bodyid[g] as usize;
    let own = (m.geom_pos[g], m.geom_quat[g]);
    // frames that are the same as the body's or its inertia's are taken from there, as the exact engine does
    let (pos, quat) = match SameFrame::try_from(i32::from(m.geom_sameframe[g])) {
        Ok(SameFrame::Body) => ([0.0; 3], quat::IDENTITY),
        Ok(SameFrame::Inertia) => (m.body_ipos[body], m.body_iquat[body]),
        Ok(SameFrame::Bodyrot) => (own.0, quat::IDENTITY),
        Ok(SameFrame::Inertiarot) => (own.0, m.body_iquat[body]),
        Ok(SameFrame::None) | Err(_) => own,
    };
    let (center, half) = local_box(m, g);
    Geom {
        body: body as u32,
        pos,
        quat,
        aligned: quat == quat::IDENTITY,
        size: m.geom_size[g],
        kind: GeomType::try_from(m.geom_type[g]).unwrap_or(GeomType::None),
        center,
        half,
    }
}

fn resting_body(m: &Model, d: &Data, i: usize) -> RestingBody {
    let mat = quat::to_mat(d.xquat[i]);
    RestingBody {
        body: i as u32,
        pos: d.xpos[i],
        quat: d.xquat[i],
        mat,
        ipos: vec3::add(d.xpos[i], mat3::mul_vec(&mat, m.body_ipos[i])),
    }
}

fn resting_geom(d: &Data, g: usize, geom: &Geom) -> RestingGeom {
    let (pos, rot) = (d.xpos[geom.body as usize], d.xquat[geom.body as usize]);
    RestingGeom {
        geom: g as u32,
        pos: vec3::add(mat3::mul_vec(&quat::to_mat(rot), geom.pos), pos),
        mat: quat::to_mat(if geom.aligned { rot } else { quat::mul(rot, geom.quat) }),
    }
}

fn site(m: &Model, s: usize) -> Site {
    Site { body: m.site_bodyid[s] as u32, pos: m.site_pos[s], quat: m.site_quat[s] }
}
