//! Vertices of soft flexes as particles: where they are, what moves them, and passes over their constraints.

use crate::awake::soft_flex_sleeps;
use crate::flex::vertices;
use crate::inertia::solve_m_in_place;
use crate::support::chain::for_each_column;
use crate::support::{Motion, is_straight};
use crate::workspace::{Carried, Particles, Xpbd};
use ligament_math::{Vec3, vec3};
use ligament_model::parts::{SoftPoint, SoftState};
use ligament_model::{Data, Model};

/// Collects the vertices of all soft flexes.
pub(super) fn gather(m: &Model, d: &Data, passes: usize, p: &mut Particles) {
    p.clear();
    for flex in (0..m.nflex).filter(|&flex| m.flex_rigid[flex] == 0) {
        let Some(body) = m.parts.soft(flex).filter(|_| !soft_flex_sleeps(m, d, flex)) else { continue };
        p.flexes.push((flex, p.start.len(), p.lambda.len()));
        p.lambda.resize(p.lambda.len() + body.multipliers(passes), 0.0);
        for v in vertices(m, flex) {
            let [x, y, z] = d.flexvert_xpos[v];
            let body = m.flex_vertbodyid[v] as usize;
            if let Some(dof) = own_dofs(m, d, body) {
                p.dof.push(dof as u32);
                p.start.push(SoftPoint([x, y, z, d.qLDiagInv[dof]]));
            } else {
                p.dof.push(Particles::HELD);
                p.start.push(SoftPoint([x, y, z, 0.0]));
                attach(m, d, body, d.flexvert_xpos[v], p);
            }
        }
    }
    p.position.resize(p.start.len(), SoftPoint::default());
    share_trees(m, p);
}

/// The first of three degrees of freedom that move a body, and nothing else, along the axes of the world.
fn own_dofs(m: &Model, d: &Data, body: usize) -> Option<usize> {
    let dof = usize::try_from(m.body_dofadr[body]).ok()?;
    let inverse = &d.qLDiagInv[dof..];
    let straight = || {
        let joint = m.body_jntadr[body] as usize;
        is_straight(m.body_quat[body], &m.jnt_axis[joint..joint + 3])
    };
    let point = m.parts.is_soft_point(body) && straight();
    (point && inverse[0] == inverse[1] && inverse[0] == inverse[2]).then_some(dof)
}

/// The last particle is carried by a body: its Jacobian, and what a push at it does.
fn attach(m: &Model, d: &Data, body: usize, point: Vec3, p: &mut Particles) {
    let start = p.chain.len();
    for_each_column(m, Motion::from(d), body, point, |dof, column| p.chain.push((dof, column)));
    if p.chain.len() == start {
        return;
    }
    p.row.resize(m.nv, 0.0);
    let mut inverse_mass = 0.0_f64;
    for axis in 0..3 {
        p.row.fill(0.0);
        for &(dof, column) in &p.chain[start..] {
            p.row[dof] = column[axis];
        }
        solve_m_in_place(m, d, &mut p.row);
        let moved = p.chain[start..]
            .iter()
            .fold([0.0; 3], |sum, &(dof, column)| vec3::add_scaled(sum, column, p.row[dof]));
        inverse_mass = inverse_mass.max(moved.iter().map(|x| x.abs()).sum());
        p.response.push_nonzero(&p.row);
    }
    p.carried.push(Carried { particle: p.start.len() - 1, start, end: p.chain.len(), inverse_mass });
}

/// Inverse masses of vertices that bodies carry: each has an equal share of the mass of its tree (mass splitting,
/// Tonge, Benevolenski, Voroshilov 2012), so that pushes at many of them at once do not add up to too much.
fn share_trees(m: &Model, p: &mut Particles) {
    let Particles { carried, chain, shares, start, .. } = p;
    let tree = |carried: &Carried| m.dof_treeid[chain[carried.start].0] as usize;
    shares.clear();
    shares.resize(m.ntree, 0.0);
    carried.iter().for_each(|carried| shares[tree(carried)] += 1.0);
    for carried in carried.iter() {
        start[carried.particle].0[3] = carried.inverse_mass * shares[tree(carried)];
    }
}

/// Where the particles would be after a time `h`.
fn place(p: &mut Particles, velocity: &[f64], h: f64) {
    let Particles { dof, start, position, carried, chain, .. } = p;
    for ((position, start), &dof) in position.iter_mut().zip(&*start).zip(&*dof) {
        *position = if dof == Particles::HELD {
            let [x, y, z, _] = start.0;
            SoftPoint([x, y, z, 0.0])
        } else {
            moved(start, velocity, dof, h)
        };
    }
    for carried in carried.iter() {
        let v = carried_velocity(chain, carried, velocity);
        let [x, y, z, _] = start[carried.particle].0;
        let [x, y, z] = vec3::add_scaled([x, y, z], v, h);
        position[carried.particle] = SoftPoint([x, y, z, 0.0]);
    }
}

/// Where a particle with degrees of freedom of its own would be.
#[inline(always)]
fn moved(start: &SoftPoint, velocity: &[f64], dof: u32, h: f64) -> SoftPoint {
    let ([x, y, z, _], v) = (start.0, &velocity[dof as usize..dof as usize + 3]);
    SoftPoint([x + v[0] * h, y + v[1] * h, z + v[2] * h, 0.0])
}

fn carried_velocity(chain: &[(usize, Vec3)], carried: &Carried, velocity: &[f64]) -> Vec3 {
    let add = |sum, &(dof, column): &(usize, Vec3)| vec3::add_scaled(sum, column, velocity[dof]);
    chain[carried.start..carried.end].iter().fold([0.0; 3], add)
}

/// Operations of a pass, roughly.
pub(super) fn work(m: &Model, p: &Particles) -> usize {
    let passes = p.flexes.iter().filter_map(|&(flex, ..)| m.parts.soft(flex)).map(|body| body.work());
    passes.sum::<usize>() + 20 * p.dof.len()
}

/// Vertices below which threads cost more than they save: with 1600 of them they did on sixteen free cores.
const MIN_VERTICES: usize = 4000;

/// Threads that are worth their while.
pub(super) fn threads(d: &Data, p: &Particles) -> usize {
    if p.start.len() < MIN_VERTICES { 1 } else { d.threads }
}

/// One pass over the constraints of all soft flexes; what it moves becomes velocity.
pub(super) fn relax(m: &Model, s: &mut Xpbd, h: f64, passes: usize, threads: usize) {
    if s.particles.flexes.is_empty() {
        return;
    }
    let p = &mut s.particles;
    place(p, &s.velocity, h);
    for k in 0..p.flexes.len() {
        let (flex, first, multiplier) = p.flexes[k];
        let (end, last) =
            p.flexes.get(k + 1).map_or((p.start.len(), p.lambda.len()), |&(_, end, last)| (end, last));
        let Some(body) = m.parts.soft(flex) else { continue };
        body.relax(SoftState {
            start: &p.start[first..end],
            position: &mut p.position[first..end],
            lambda: &mut p.lambda[multiplier..last],
            timestep: h,
            passes,
            threads,
        });
    }
    push_back(s, h);
}

/// Velocities and impulses from how far the particles were moved.
fn push_back(s: &mut Xpbd, h: f64) {
    let Xpbd { particles: p, velocity, impulse, .. } = s;
    let rate = 1.0 / h;
    for ((position, start), &dof) in p.position.iter().zip(&p.start).zip(&p.dof) {
        if dof == Particles::HELD {
            continue;
        }
        let before = moved(start, velocity, dof, h);
        let own = dof as usize..dof as usize + 3;
        let (velocity, impulse) = (&mut velocity[own.clone()], &mut impulse[own]);
        for k in 0..3 {
            let change = (position.0[k] - before.0[k]) * rate;
            velocity[k] += change;
            impulse[k] += change;
        }
    }
    for (k, carried) in p.carried.iter().enumerate() {
        let v = carried_velocity(&p.chain, carried, velocity);
        let i = carried.particle;
        let (start, position) = (p.start[i].0, p.position[i].0);
        let scale = rate / start[3];
        let push: Vec3 = std::array::from_fn(|k| scale * (position[k] - (start[k] + v[k] * h)));
        for axis in 0..3 {
            p.response.add_row(3 * k + axis, push[axis], velocity);
        }
        for &(dof, column) in &p.chain[carried.start..carried.end] {
            impulse[dof] += vec3::dot(column, push);
        }
    }
}

/// The end of a substep: particles start the next one from where they are.
pub(super) fn advance(s: &mut Xpbd, h: f64) {
    let Particles { dof, start, carried, chain, .. } = &mut s.particles;
    for (start, &dof) in start.iter_mut().zip(&*dof).filter(|(_, dof)| **dof != Particles::HELD) {
        let inverse_mass = start.0[3];
        *start = moved(start, &s.velocity, dof, h);
        start.0[3] = inverse_mass;
    }
    for carried in carried.iter() {
        let v = carried_velocity(chain, carried, &s.velocity);
        (0..3).for_each(|k| start[carried.particle].0[k] += v[k] * h);
    }
}

/// Changes of velocity become impulses, when the last pass is over.
pub(super) fn weigh(s: &mut Xpbd) {
    for (&dof, &SoftPoint([.., inverse_mass])) in s.particles.dof.iter().zip(&s.particles.start) {
        if dof != Particles::HELD {
            let mass = 1.0 / inverse_mass;
            s.impulse[dof as usize..dof as usize + 3].iter_mut().for_each(|x| *x *= mass);
        }
    }
}
