//! Vertices of soft flexes as particles: where they are, what moves them, and passes over their constraints.

use crate::awake::soft_flex_sleeps;
use crate::flex::vertices;
use crate::inertia::solve_m_in_place;

use crate::support::Motion;
use crate::support::chain::for_each_column;
use crate::workspace::{Grip, Particles, Xpbd};
use ligament_math::{Vec3, vec3};
use ligament_model::parts::SoftState;
use ligament_model::{Data, Model};

/// Collects the vertices of all soft flexes.
pub(super) fn gather(m: &Model, d: &Data, p: &mut Particles) {
    p.clear();
    for flex in (0..m.nflex).filter(|&flex| m.flex_rigid[flex] == 0) {
        let Some(body) = m.parts.soft(flex).filter(|_| !soft_flex_sleeps(m, d, flex)) else { continue };
        p.flexes.push((flex, p.start.len(), p.lambda.len()));
        p.lambda.resize(p.lambda.len() + body.multipliers(), 0.0);
        for v in vertices(m, flex) {
            let grip = grip(m, d, v, p);
            p.grip.push(grip);
            p.inverse_mass.push(if let Grip::Free(dof) = grip { d.qLDiagInv[dof] } else { 0.0 });
            p.start.push(d.flexvert_xpos[v]);
        }
    }
    p.position.extend_from_slice(&p.start);
    share_trees(m, p);
}

/// What moves a vertex.
fn grip(m: &Model, d: &Data, vertex: usize, p: &mut Particles) -> Grip {
    let body = m.flex_vertbodyid[vertex] as usize;
    let dof = m.body_dofadr[body];
    if m.body_simple[body] == 2 && m.body_dofnum[body] == 3 {
        let dof = dof as usize;
        let axis = |k: usize| std::array::from_fn::<f64, 6, _>(|i| f64::from(u8::from(i == 3 + k)));
        let inverse = &d.qLDiagInv[dof..dof + 3];
        let alike = inverse.iter().all(|x| *x == inverse[0]);
        if alike && (0..3).all(|k| d.cdof[dof + k] == axis(k)) {
            return Grip::Free(dof);
        }
    }
    attach(m, d, body, d.flexvert_xpos[vertex], p)
}

/// A vertex that a body carries along: its Jacobian, and what a push at it does.
fn attach(m: &Model, d: &Data, body: usize, point: Vec3, p: &mut Particles) -> Grip {
    let start = p.chain.len();
    for_each_column(m, Motion::from(d), body, point, |dof, column| p.chain.push((dof, column)));
    if p.chain.len() == start {
        return Grip::Fixed;
    }
    p.row.resize(m.nv, 0.0);
    let mut stiffest = 0.0_f64;
    for axis in 0..3 {
        p.row.fill(0.0);
        for &(dof, column) in &p.chain[start..] {
            p.row[dof] = column[axis];
        }
        solve_m_in_place(m, d, &mut p.row);
        let moved = p.chain[start..]
            .iter()
            .fold([0.0; 3], |sum, &(dof, column)| vec3::add_scaled(sum, column, p.row[dof]));
        stiffest = stiffest.max(moved.iter().map(|x| x.abs()).sum());
        p.response.push_nonzero(&p.row);
    }
    p.carried.push((start, p.chain.len(), stiffest));
    Grip::Carried(p.carried.len() - 1)
}

/// Inverse masses of vertices that bodies carry: each has an equal share of the mass of its tree (mass splitting,
/// Tonge, Benevolenski, Voroshilov 2012), so that pushes at many of them at once do not add up to too much.
fn share_trees(m: &Model, p: &mut Particles) {
    let tree = |p: &Particles, k: usize| {
        let (start, _, _) = p.carried[k];
        m.dof_treeid[p.chain[start].0] as usize
    };
    p.shares.clear();
    p.shares.resize(m.ntree, 0.0);
    for k in 0..p.carried.len() {
        let tree = tree(p, k);
        p.shares[tree] += 1.0;
    }
    for i in 0..p.grip.len() {
        if let Grip::Carried(k) = p.grip[i] {
            p.inverse_mass[i] = p.carried[k].2 * p.shares[tree(p, k)];
        }
    }
}

/// Velocity of a particle.
#[inline]
fn particle_velocity(p: &Particles, velocity: &[f64], i: usize) -> Vec3 {
    match p.grip[i] {
        Grip::Fixed => [0.0; 3],
        Grip::Free(dof) => [velocity[dof], velocity[dof + 1], velocity[dof + 2]],
        Grip::Carried(k) => {
            let (start, end, _) = p.carried[k];
            let add = |sum, &(dof, column): &(usize, Vec3)| vec3::add_scaled(sum, column, velocity[dof]);
            p.chain[start..end].iter().fold([0.0; 3], add)
        }
    }
}

/// Operations of a pass, roughly.
pub(super) fn work(m: &Model, p: &Particles) -> usize {
    let passes = p.flexes.iter().filter_map(|&(flex, ..)| m.parts.soft(flex)).map(|body| body.work());
    passes.sum::<usize>() + 20 * p.grip.len()
}

/// One pass over the constraints of all soft flexes; what it moves becomes velocity.
pub(super) fn relax(m: &Model, s: &mut Xpbd, h: f64, threads: usize) {
    if s.particles.flexes.is_empty() {
        return;
    }
    let p = &mut s.particles;
    for i in 0..p.grip.len() {
        p.position[i] = vec3::add_scaled(p.start[i], particle_velocity(p, &s.velocity, i), h);
    }
    for k in 0..p.flexes.len() {
        let (flex, first, multiplier) = p.flexes[k];
        let (end, last) =
            p.flexes.get(k + 1).map_or((p.start.len(), p.lambda.len()), |&(_, end, last)| (end, last));
        let Some(body) = m.parts.soft(flex) else { continue };
        body.relax(SoftState {
            start: &p.start[first..end],
            position: &mut p.position[first..end],
            inverse_mass: &p.inverse_mass[first..end],
            lambda: &mut p.lambda[multiplier..last],
            timestep: h,
            threads,
        });
    }
    push_back(s, h);
}

/// Velocities and impulses from how far the particles were moved.
fn push_back(s: &mut Xpbd, h: f64) {
    let Xpbd { particles: p, velocity, impulse, .. } = s;
    for i in 0..p.grip.len() {
        let grip = p.grip[i];
        if matches!(grip, Grip::Fixed) {
            continue;
        }
        let before = vec3::add_scaled(p.start[i], particle_velocity(p, velocity, i), h);
        let change = vec3::scale(vec3::sub(p.position[i], before), 1.0 / h);
        let push = vec3::scale(change, 1.0 / p.inverse_mass[i]);
        match grip {
            Grip::Fixed => {}
            Grip::Free(dof) => {
                for k in 0..3 {
                    velocity[dof + k] += change[k];
                    impulse[dof + k] += push[k];
                }
            }
            Grip::Carried(k) => {
                let (start, end, _) = p.carried[k];
                for axis in 0..3 {
                    p.response.add_row(3 * k + axis, push[axis], velocity);
                }
                for &(dof, column) in &p.chain[start..end] {
                    impulse[dof] += vec3::dot(column, push);
                }
            }
        }
    }
}

/// The end of a substep: particles start the next one from where they are.
pub(super) fn advance(s: &mut Xpbd, h: f64) {
    let p = &mut s.particles;
    for i in 0..p.grip.len() {
        p.start[i] = vec3::add_scaled(p.start[i], particle_velocity(p, &s.velocity, i), h);
    }
}
