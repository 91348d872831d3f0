//! Jacobians of points attached to bodies, from the motion axes `cdof` about the trees' centres of mass.
//!
//! The velocity of a point p on a body is Σ (cdof_lin + cdof_rot × (p − com)) q̇ over the dofs on the body's path
//! to the root. Dense Jacobians are 3 × nv by rows; sparse ones keep only the columns of a dof chain.

use ligament_math::{Vec3, Vec6, mat3, spatial, vec3};
use ligament_model::enums::JointType;
use ligament_model::{Data, Model};

/// The kinematic quantities a Jacobian is made of.
#[derive(Clone, Copy)]
pub struct Motion<'a> {
    /// Motion axes of the degrees of freedom.
    pub cdof: &'a [[f64; 6]],
    /// Centres of mass of the trees.
    pub subtree_com: &'a [[f64; 3]],
}

impl<'a> From<&'a Data> for Motion<'a> {
    fn from(d: &'a Data) -> Self {
        Self { cdof: &d.cdof, subtree_com: &d.subtree_com }
    }
}

/// What moves each body: its degrees of freedom, from the last of them up to the root of its tree.
#[derive(Clone, Copy)]
pub(crate) struct Chains<'a> {
    /// The body that each body is welded to, and the degrees of freedom of that one.
    weld: &'a [i32],
    first_dof: &'a [i32],
    dof_count: &'a [i32],
    parent: &'a [i32],
    root: &'a [i32],
}

impl<'a> Chains<'a> {
    #[inline]
    pub fn of(m: &'a Model) -> Self {
        Self {
            weld: &m.body_weldid,
            first_dof: &m.body_dofadr,
            dof_count: &m.body_dofnum,
            parent: &m.dof_parentid,
            root: &m.body_rootid,
        }
    }

    /// Last degree of freedom that moves a body, or -1 for a static body.
    #[inline]
    pub fn last_dof(&self, body: usize) -> i32 {
        let weld = self.weld[body] as usize;
        if weld == 0 { -1 } else { self.first_dof[weld] + self.dof_count[weld] - 1 }
    }

    /// The degree of freedom above one, negative at the top. Parents come first; what another thread may have written
    /// into the model meanwhile is bounded, so that every walk ends.
    #[inline]
    pub fn parent_dof(&self, dof: usize) -> i32 {
        self.parent[dof].min(dof as i32 - 1)
    }

    /// Offset of a world point from the centre of mass of the body's tree.
    #[inline]
    pub fn com_offset(&self, subtree_com: &[[f64; 3]], point: Vec3, body: usize) -> Vec3 {
        vec3::sub(point, subtree_com[self.root[body] as usize])
    }

    /// Is this body part of the world?
    #[inline]
    pub fn is_fixed(&self, body: usize) -> bool {
        self.weld[body] == 0
    }

    /// First degree of freedom of a body that has some.
    #[inline]
    pub fn own_dof(&self, body: usize) -> usize {
        self.first_dof[body] as usize
    }

    /// Adds the joint-space force of a Cartesian force and torque at a world point of a body.
    #[inline]
    pub fn push(
        &self,
        motion: Motion,
        force: Option<Vec3>,
        torque: Option<Vec3>,
        point: Vec3,
        body: usize,
        qfrc: &mut [f64],
    ) {
        let offset = self.com_offset(motion.subtree_com, point, body);
        let mut dof = self.last_dof(body);
        while dof >= 0 {
            let i = dof as usize;
            let cdof = &motion.cdof[i];
            if let Some(force) = force {
                qfrc[i] += vec3::dot(translation_column(cdof, offset), force);
            }
            if let Some(torque) = torque {
                qfrc[i] += vec3::dot(spatial::rot(cdof), torque);
            }
            dof = self.parent_dof(i);
        }
    }
}

/// [`Chains::last_dof`].
#[inline]
pub(crate) fn last_dof(m: &Model, body: usize) -> i32 {
    Chains::of(m).last_dof(body)
}

/// [`Chains::parent_dof`].
#[inline]
pub(crate) fn parent_dof(m: &Model, dof: usize) -> i32 {
    Chains::of(m).parent_dof(dof)
}

/// Translational column of a dof for a point at `offset` from the tree's centre of mass.
#[inline]
pub fn translation_column(cdof: &Vec6, offset: Vec3) -> Vec3 {
    let turn = vec3::cross(spatial::rot(cdof), offset);
    [cdof[3] + turn[0], cdof[4] + turn[1], cdof[5] + turn[2]]
}

/// [`Chains::com_offset`].
#[inline]
pub(crate) fn com_offset(m: &Model, subtree_com: &[[f64; 3]], point: Vec3, body: usize) -> Vec3 {
    Chains::of(m).com_offset(subtree_com, point, body)
}

/// Zeroes the first `n` numbers of a matrix that is wanted.
pub(super) fn clear(jac: &mut Option<&mut [f64]>, n: usize) {
    if let Some(jac) = jac {
        jac[..n].fill(0.0);
    }
}

#[inline]
fn put(jac: &mut [f64], n: usize, column: usize, v: Vec3) {
    jac[column] = v[0];
    jac[n + column] = v[1];
    jac[2 * n + column] = v[2];
}

/// Dense Jacobians (3 × nv each) of a world point attached to a body.
pub fn jac_point(
    m: &Model,
    motion: Motion,
    mut jacp: Option<&mut [f64]>,
    mut jacr: Option<&mut [f64]>,
    point: Vec3,
    body: usize,
) {
    let nv = m.nv;
    clear(&mut jacp, 3 * nv);
    clear(&mut jacr, 3 * nv);
    let offset = com_offset(m, motion.subtree_com, point, body);
    let mut dof = last_dof(m, body);
    while dof >= 0 {
        let i = dof as usize;
        let cdof = &motion.cdof[i];
        if let Some(jac) = jacr.as_deref_mut() {
            put(jac, nv, i, spatial::rot(cdof));
        }
        if let Some(jac) = jacp.as_deref_mut() {
            put(jac, nv, i, translation_column(cdof, offset));
        }
        dof = parent_dof(m, i);
    }
}

/// Dense Jacobians (3 × nv each) of a world point attached to a body.
pub fn jac(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    point: Vec3,
    body: usize,
) {
    jac_point(m, d.into(), jacp, jacr, point, body);
}

/// Jacobians of a body frame's origin.
pub fn jac_body(m: &Model, d: &Data, jacp: Option<&mut [f64]>, jacr: Option<&mut [f64]>, body: usize) {
    jac(m, d, jacp, jacr, d.xpos[body], body);
}

/// Jacobians of a body's centre of mass.
pub fn jac_body_com(m: &Model, d: &Data, jacp: Option<&mut [f64]>, jacr: Option<&mut [f64]>, body: usize) {
    jac(m, d, jacp, jacr, d.xipos[body], body);
}

/// Jacobians of a geom's centre.
pub fn jac_geom(m: &Model, d: &Data, jacp: Option<&mut [f64]>, jacr: Option<&mut [f64]>, geom: usize) {
    jac(m, d, jacp, jacr, d.geom_xpos[geom], m.geom_bodyid[geom] as usize);
}

/// Jacobians of a site.
pub fn jac_site(m: &Model, d: &Data, jacp: Option<&mut [f64]>, jacr: Option<&mut [f64]>, site: usize) {
    jac(m, d, jacp, jacr, d.site_xpos[site], m.site_bodyid[site] as usize);
}

/// Bodies of the subtree that starts at `body`; a subtree is contiguous.
pub fn subtree(m: &Model, body: usize) -> std::ops::Range<usize> {
    let mut end = body + 1;
    while end < m.nbody && m.body_parentid[end] as usize >= body {
        end += 1;
    }
    body..end
}

/// Jacobian of the centre of mass of a subtree: the mass-weighted mean over its bodies.
pub fn jac_subtree_com(m: &Model, d: &Data, jacp: &mut [f64], body: usize) {
    let nv = m.nv;
    jacp[..3 * nv].fill(0.0);
    for b in subtree(m, body) {
        let offset = com_offset(m, &d.subtree_com, d.xipos[b], b);
        let mut dof = last_dof(m, b);
        while dof >= 0 {
            let i = dof as usize;
            let column = translation_column(&d.cdof[i], offset);
            for r in 0..3 {
                jacp[r * nv + i] += m.body_mass[b] * column[r];
            }
            dof = parent_dof(m, i);
        }
    }
    let scale = 1.0 / m.body_subtreemass[body];
    for x in &mut jacp[..3 * nv] {
        *x *= scale;
    }
}

/// Jacobians of a point and of an axis (a unit vector) that both move with a body.
pub fn jac_point_axis(
    m: &Model,
    d: &Data,
    mut jac_point: Option<&mut [f64]>,
    mut jac_axis: Option<&mut [f64]>,
    point: Vec3,
    axis: Vec3,
    body: usize,
) {
    let nv = m.nv;
    clear(&mut jac_point, 3 * nv);
    clear(&mut jac_axis, 3 * nv);
    let offset = com_offset(m, &d.subtree_com, point, body);
    let mut dof = last_dof(m, body);
    while dof >= 0 {
        let i = dof as usize;
        let cdof = &d.cdof[i];
        if let Some(jac) = jac_point.as_deref_mut() {
            put(jac, nv, i, translation_column(cdof, offset));
        }
        if let Some(jac) = jac_axis.as_deref_mut() {
            put(jac, nv, i, vec3::cross(spatial::rot(cdof), axis));
        }
        dof = parent_dof(m, i);
    }
}

/// Calls `f(dof, rate, column)` with the translational column of a point's Jacobian and its time derivative, for each
/// dof that moves the point.
pub fn for_each_rate(m: &Model, d: &Data, point: Vec3, body: usize, mut f: impl FnMut(usize, Vec3, Vec3)) {
    let com = d.subtree_com[m.body_rootid[body] as usize];
    let offset = vec3::sub(point, com);
    let point_velocity = spatial::lin(&spatial::shift_motion(&d.cvel[body], point, com));
    let mut dof = last_dof(m, body);
    while dof >= 0 {
        let i = dof as usize;
        let cdof = &d.cdof[i];
        let cdof_dot = dof_axis_rate(m, d, i);
        let turn = vec3::cross(spatial::rot(&cdof_dot), offset);
        let shift = vec3::cross(spatial::rot(cdof), point_velocity);
        let rate = std::array::from_fn(|k| cdof_dot[3 + k] + turn[k] + shift[k]);
        f(i, rate, translation_column(cdof, offset));
        dof = parent_dof(m, i);
    }
}

/// Time derivatives of the Jacobians of [`jac`].
pub fn jac_dot(
    m: &Model,
    d: &Data,
    mut jacp: Option<&mut [f64]>,
    mut jacr: Option<&mut [f64]>,
    point: Vec3,
    body: usize,
) {
    let nv = m.nv;
    clear(&mut jacp, 3 * nv);
    clear(&mut jacr, 3 * nv);
    for_each_rate(m, d, point, body, |dof, rate, _| {
        if let Some(jac) = jacr.as_deref_mut() {
            put(jac, nv, dof, spatial::rot(&dof_axis_rate(m, d, dof)));
        }
        if let Some(jac) = jacp.as_deref_mut() {
            put(jac, nv, dof, rate);
        }
    });
}

/// Rate of change of a motion axis. The axes of a quaternion joint turn with the body itself, so for them the
/// body's own velocity counts, not that of its parent as in `cdof_dot`.
fn dof_axis_rate(m: &Model, d: &Data, dof: usize) -> Vec6 {
    let joint = m.dof_jntid[dof] as usize;
    let quaternion = match JointType::try_from(m.jnt_type[joint]) {
        Ok(JointType::Ball) => true,
        Ok(JointType::Free) => dof >= m.jnt_dofadr[joint] as usize + 3,
        _ => false,
    };
    if quaternion {
        spatial::cross_motion(&d.cvel[m.dof_bodyid[dof] as usize], &d.cdof[dof])
    } else {
        d.cdof_dot[dof]
    }
}

/// Matrix (3 × nv) that maps joint velocities to the angular momentum of a subtree about its centre of mass.
pub fn angmom_mat(m: &Model, d: &Data, mat: &mut [f64], body: usize) {
    let nv = m.nv;
    mat[..3 * nv].fill(0.0);
    for b in subtree(m, body) {
        // R diag(I) Rᵀ
        let ximat = &d.ximat[b];
        let scaled: [f64; 9] = std::array::from_fn(|k| ximat[k] * m.body_inertia[b][k % 3]);
        let inertia = mat3::mul_t(&scaled, ximat);
        let arm = vec3::sub(d.xipos[b], d.subtree_com[body]);
        let offset = com_offset(m, &d.subtree_com, d.xipos[b], b);
        let mut dof = last_dof(m, b);
        while dof >= 0 {
            let i = dof as usize;
            let spin = mat3::mul_vec(&inertia, spatial::rot(&d.cdof[i]));
            let orbit = vec3::cross(arm, translation_column(&d.cdof[i], offset));
            for r in 0..3 {
                mat[r * nv + i] += spin[r];
                mat[r * nv + i] += orbit[r] * m.body_mass[b];
            }
            dof = parent_dof(m, i);
        }
    }
}
