//! Tendon paths, lengths and Jacobians.
//!
//! A fixed tendon is a weighted sum of joint positions. A spatial tendon runs through sites and around geoms; pulleys
//! divide it into branches whose lengths count with weight 1/divisor.

use crate::access::{Access, access};
use crate::awake;
use crate::support::{self, Motion, for_each_stretching};
use crate::workspace::Scratches as _;
use crate::workspace::Smooth;
use crate::wrap::{Obstacle, wrap};
use ligament_math::{MINVAL, Vec3, vec3};
use ligament_model::enums::{ObjType, SleepState, WrapType};
use ligament_model::{Data, Model};

/// Mark of a pulley in `wrap_obj`.
const WRAP_PULLEY: i32 = -2;
/// Mark of a site in `wrap_obj`.
const WRAP_SITE: i32 = -1;

/// Is this tendon asleep, so that its quantities keep their values?
pub(crate) fn is_asleep(m: &Model, d: &Data, tendon: usize) -> bool {
    awake::sleep_enabled(m)
        && d.ntree_awake < m.ntree
        && awake::sleep_state(m, d, ObjType::Tendon, tendon) == SleepState::Asleep
}

/// What [`tendon`] touches.
pub(crate) const TENDON: Access = access! {
    model {
        body_dofadr body_dofnum body_rootid body_weldid dof_parentid geom_bodyid geom_size jnt_dofadr
        jnt_qposadr site_bodyid tendon_adr tendon_num tendon_treeid tendon_treenum wrap_objid wrap_prm
        wrap_type
    }
    reads {
        body_awake cdof geom_xmat geom_xpos ntree_awake qpos site_xpos subtree_com ten_J ten_J_colind
        ten_J_rowadr ten_wrapadr ten_wrapnum tree_awake wrap_obj wrap_xpos
    }
    writes {
        ten_J ten_J_colind ten_J_rowadr ten_J_rownnz ten_length ten_wrapadr ten_wrapnum wrap_obj
        wrap_xpos
    }
};

/// Lengths, Jacobians and paths of all tendons.
///
/// Reads qpos, site and geom poses, cdof; writes ten_length ten_J* ten_wrap* wrap_*. Dense storage keeps one row of
/// nv numbers per tendon, sparse storage packs the rows.
pub fn tendon(m: &Model, d: &mut Data) {
    if m.ntendon == 0 {
        return;
    }
    let sparse = support::is_sparse(m);
    d.ten_length.fill(0.0);
    if sparse {
        d.ten_J_rownnz.fill(0);
    }
    let mut row = std::mem::take(&mut d.workspace.scratch().smooth);
    // other stages leave their numbers here
    row.row.clear();
    row.row.resize(m.nv, 0.0);
    row.mark.resize(m.nv, false);
    let mut wrap_count = 0;
    for i in 0..m.ntendon {
        if is_asleep(m, d, i) {
            if !sparse {
                d.ten_J[i * m.nv..(i + 1) * m.nv].fill(0.0);
            }
            continue;
        }
        d.ten_wrapadr[i] = wrap_count as i32;
        d.ten_wrapnum[i] = 0;
        let length = if is_fixed(m, i) {
            fixed_tendon(m, &d.qpos, i, &mut row)
        } else {
            spatial_tendon(m, d, i, &mut row, &mut wrap_count)
        };
        d.ten_length[i] = length;
        store_row(m, d, i, &mut row, sparse);
    }
    d.workspace.scratch().smooth = row;
}

/// Jacobians of the lengths of tendons as they are stored: a row of nv numbers each, or packed.
#[derive(Clone, Copy)]
pub(crate) struct TendonJacobians<'a> {
    pub sparse: bool,
    pub nv: usize,
    pub values: &'a [f64],
    pub rownnz: &'a [i32],
    pub rowadr: &'a [i32],
    pub colind: &'a [i32],
}

impl<'a> TendonJacobians<'a> {
    /// Columns and numbers of a packed row.
    fn packed(&self, tendon: usize) -> (&'a [i32], &'a [f64]) {
        let start = self.rowadr[tendon] as usize;
        let range = start..start + self.rownnz[tendon] as usize;
        (&self.colind[range.clone()], &self.values[range])
    }

    /// The numbers of a row that is not packed.
    fn whole(&self, tendon: usize) -> &'a [f64] {
        &self.values[tendon * self.nv..(tendon + 1) * self.nv]
    }

    /// Does something with every stored number and its degree of freedom.
    #[inline]
    pub fn each(&self, tendon: usize, mut f: impl FnMut(usize, f64)) {
        if self.sparse {
            let (columns, numbers) = self.packed(tendon);
            columns.iter().zip(numbers).for_each(|(&dof, &x)| f(dof as usize, x));
        } else {
            self.whole(tendon).iter().enumerate().for_each(|(dof, &x)| f(dof, x));
        }
    }

    /// Columns and numbers of a row; zeros of one that is not packed are left out.
    pub fn compress(&self, tendon: usize, (columns_out, numbers_out): &mut (Vec<i32>, Vec<f64>)) {
        columns_out.clear();
        numbers_out.clear();
        if self.sparse {
            let (columns, numbers) = self.packed(tendon);
            columns_out.extend_from_slice(columns);
            numbers_out.extend_from_slice(numbers);
        } else {
            for (dof, &x) in self.whole(tendon).iter().enumerate().filter(|(_, x)| **x != 0.0) {
                columns_out.push(dof as i32);
                numbers_out.push(x);
            }
        }
    }
}

fn is_fixed(m: &Model, tendon: usize) -> bool {
    m.wrap_type[m.tendon_adr[tendon] as usize] == WrapType::Joint as i32
}

/// Marks a column of the row under construction.
#[inline]
fn touch(row: &mut Smooth, dof: usize) {
    if !row.mark[dof] {
        row.mark[dof] = true;
        row.columns.push(dof as i32);
    }
}

/// Moves the row under construction to its place and clears it.
fn store_row(m: &Model, d: &mut Data, i: usize, row: &mut Smooth, sparse: bool) {
    if !sparse {
        d.ten_J[i * m.nv..(i + 1) * m.nv].copy_from_slice(&row.row);
        row.row.fill(0.0);
        return;
    }
    let mut columns = std::mem::take(&mut row.columns);
    columns.sort_unstable();
    let start = if i > 0 { d.ten_J_rowadr[i - 1] + d.ten_J_rownnz[i - 1] } else { 0 };
    d.ten_J_rowadr[i] = start;
    d.ten_J_rownnz[i] = columns.len() as i32;
    let start = start as usize;
    for (k, &dof) in columns.iter().enumerate() {
        d.ten_J_colind[start + k] = dof;
        d.ten_J[start + k] = row.row[dof as usize];
        row.row[dof as usize] = 0.0;
        row.mark[dof as usize] = false;
    }
    columns.clear();
    row.columns = columns;
}

/// Length of a fixed tendon; its row of the Jacobian goes to `row`.
fn fixed_tendon(m: &Model, qpos: &[f64], i: usize, row: &mut Smooth) -> f64 {
    let sparse = support::is_sparse(m);
    let start = m.tendon_adr[i] as usize;
    let mut length = 0.0;
    for w in start..start + m.tendon_num[i] as usize {
        let joint = m.wrap_objid[w] as usize;
        let dof = m.jnt_dofadr[joint] as usize;
        length += m.wrap_prm[w] * qpos[m.jnt_qposadr[joint] as usize];
        // a joint named twice: the reference adds in sparse storage and overwrites in dense storage
        if sparse {
            touch(row, dof);
            row.row[dof] += m.wrap_prm[w];
        } else {
            row.row[dof] = m.wrap_prm[w];
        }
    }
    length
}

/// Up to four consecutive points of a path and the bodies they are attached to.
struct Points {
    pos: [Vec3; 4],
    body: [usize; 4],
    count: usize,
}

/// One stretch of a spatial tendon: site to site, possibly around a geom.
struct Stretch {
    points: Points,
    /// Length of the arc on the geom, when it is touched.
    arc: Option<f64>,
    geom: i32,
    /// Wrap objects consumed.
    advance: usize,
    /// The site at the end.
    last_site: usize,
}

/// The stretch that starts at wrap object `w` (a site).
fn stretch(m: &Model, d: &Data, w: usize) -> Stretch {
    let site0 = m.wrap_objid[w] as usize;
    let start = d.site_xpos[site0];
    let obstacle = match WrapType::try_from(m.wrap_type[w + 1]) {
        Ok(WrapType::Sphere) => Some(Obstacle::Sphere),
        Ok(WrapType::Cylinder) => Some(Obstacle::Cylinder),
        _ => None,
    };
    let advance = if obstacle.is_some() { 2 } else { 1 };
    let last_site = m.wrap_objid[w + advance] as usize;
    let end = d.site_xpos[last_site];
    let geom = m.wrap_objid[w + 1];
    let arc = obstacle.and_then(|obstacle| {
        let g = geom as usize;
        let side_site = m.wrap_prm[w + 1].round();
        // a number that names no site, which anybody may write, means none
        let side = if side_site >= 0.0 { d.site_xpos.get(side_site as usize).copied() } else { None };
        wrap([start, end], d.geom_xpos[g], &d.geom_xmat[g], m.geom_size[g][0], obstacle, side)
    });
    let (body0, body1) = (m.site_bodyid[site0] as usize, m.site_bodyid[last_site] as usize);
    let points = match &arc {
        None => Points { pos: [start, end, end, end], body: [body0, body1, body1, body1], count: 2 },
        Some(arc) => {
            let on_geom = m.geom_bodyid[geom as usize] as usize;
            Points {
                pos: [start, arc.points[0], arc.points[1], end],
                body: [body0, on_geom, on_geom, body1],
                count: 4,
            }
        }
    };
    Stretch { points, arc: arc.map(|a| a.length), geom, advance, last_site }
}

fn push_wrap(d: &mut Data, tendon: usize, wrap_count: &mut usize, pos: Vec3, object: i32) {
    d.wrap_xpos.as_flattened_mut()[3 * *wrap_count..3 * *wrap_count + 3].copy_from_slice(&pos);
    d.wrap_obj.as_flattened_mut()[*wrap_count] = object;
    d.ten_wrapnum[tendon] += 1;
    *wrap_count += 1;
}

/// Length of a spatial tendon; its row of the Jacobian goes to `row`, its path to `wrap_*`.
#[inline(never)]
fn spatial_tendon(m: &Model, d: &mut Data, i: usize, row: &mut Smooth, wrap_count: &mut usize) -> f64 {
    let start = m.tendon_adr[i] as usize;
    let count = m.tendon_num[i] as usize;
    let is_pulley = |w: usize| m.wrap_type[w] == WrapType::Pulley as i32;
    let (mut length, mut divisor) = (0.0, 1.0);
    let mut k = 0;
    while k + 1 < count {
        let w = start + k;
        if is_pulley(w) || is_pulley(w + 1) {
            if is_pulley(w) {
                divisor = m.wrap_prm[w];
                push_wrap(d, i, wrap_count, [0.0; 3], WRAP_PULLEY);
            }
            k += 1;
            continue;
        }
        let part = stretch(m, d, w);
        let p = &part.points;
        length += match part.arc {
            None => vec3::distance(p.pos[0], p.pos[1]) / divisor,
            Some(arc) => {
                (vec3::distance(p.pos[0], p.pos[1]) + arc + vec3::distance(p.pos[2], p.pos[3])) / divisor
            }
        };
        add_moment(m, Motion { cdof: &d.cdof, subtree_com: &d.subtree_com }, p, 1.0 / divisor, row);
        push_wrap(d, i, wrap_count, p.pos[0], WRAP_SITE);
        if part.arc.is_some() {
            push_wrap(d, i, wrap_count, p.pos[1], part.geom);
            push_wrap(d, i, wrap_count, p.pos[2], part.geom);
        }
        k += part.advance;
        if k == count - 1 || is_pulley(start + k + 1) {
            push_wrap(d, i, wrap_count, d.site_xpos[part.last_site], WRAP_SITE);
        }
    }
    length
}

/// Adds the derivative of the length of a stretch: for each straight piece between different bodies the unit vector
/// along it times the difference of the end points' Jacobians.
fn add_moment(m: &Model, motion: Motion, p: &Points, scale: f64, row: &mut Smooth) {
    let sparse = support::is_sparse(m);
    for k in 0..p.count - 1 {
        if p.body[k] == p.body[k + 1] {
            continue;
        }
        let along = vec3::unit(vec3::sub(p.pos[k + 1], p.pos[k]));
        let (start, end) = ((p.body[k], p.pos[k]), (p.body[k + 1], p.pos[k + 1]));
        let mut shared = for_each_stretching(m, motion, start, end, |dof, column| {
            if sparse {
                touch(row, dof);
            }
            row.row[dof] += vec3::dot(column, along) * scale;
        });
        // dofs that move both ends have a column of zeros; who moved a part before, moved it with all its parents
        while let Ok(dof) = usize::try_from(shared)
            && sparse
            && !row.mark[dof]
        {
            touch(row, dof);
            shared = support::jacobian::parent_dof(m, dof);
        }
    }
}

/// A tendon that wraps around a geom: the rate of its Jacobian is not defined here (as in the reference).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("geom wrapping not supported by tendon armature")]
pub struct GeomWrapping;

/// Time derivative (dense, nv) of a tendon's Jacobian row, for tendons through sites only.
#[inline(never)]
pub fn tendon_dot(m: &Model, d: &Data, tendon: usize, jac_dot: &mut [f64]) -> Result<(), GeomWrapping> {
    jac_dot[..m.nv].fill(0.0);
    if is_fixed(m, tendon) {
        return Ok(());
    }
    let start = m.tendon_adr[tendon] as usize;
    let is_pulley = |w: usize| m.wrap_type[w] == WrapType::Pulley as i32;
    let mut divisor = 1.0;
    for w in start..start + m.tendon_num[tendon] as usize - 1 {
        if is_pulley(w) || is_pulley(w + 1) {
            if is_pulley(w) {
                divisor = m.wrap_prm[w];
            }
            continue;
        }
        if m.wrap_type[w + 1] != WrapType::Site as i32 || m.wrap_type[w] != WrapType::Site as i32 {
            return Err(GeomWrapping);
        }
        let sites = [m.wrap_objid[w] as usize, m.wrap_objid[w + 1] as usize];
        add_site_pair_dot(m, d, sites, 1.0 / divisor, jac_dot);
    }
    Ok(())
}

/// d/dt [ (J₂ − J₁)ᵀ u ] = (J̇₂ − J̇₁)ᵀ u + (J₂ − J₁)ᵀ u̇ for the unit vector u between two sites.
fn add_site_pair_dot(m: &Model, d: &Data, sites: [usize; 2], scale: f64, jac_dot: &mut [f64]) {
    let body = sites.map(|s| m.site_bodyid[s] as usize);
    if body[0] == body[1] {
        return;
    }
    let pos = sites.map(|s| d.site_xpos[s]);
    let velocity = sites.map(|s| match support::object_velocity(m, d, ObjType::Site, s, false) {
        Some(v) => [v[3], v[4], v[5]],
        None => [0.0; 3],
    });
    let mut along = vec3::sub(pos[1], pos[0]);
    let norm = vec3::normalize(&mut along);
    let mut turn = vec3::sub(velocity[1], velocity[0]);
    let stretch_rate = vec3::dot(along, turn);
    turn = vec3::add_scaled(turn, along, -stretch_rate);
    turn = vec3::scale(turn, if norm > MINVAL { 1.0 / norm } else { 0.0 });
    for (k, sign) in [-1.0, 1.0].into_iter().enumerate() {
        support::jacobian::for_each_rate(m, d, pos[k], body[k], |dof, rate, column| {
            jac_dot[dof] += sign * scale * vec3::dot(rate, along);
            jac_dot[dof] += sign * scale * vec3::dot(column, turn);
        });
    }
}
