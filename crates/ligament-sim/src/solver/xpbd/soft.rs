//! Vertices of soft flexes as particles: where they are, what moves them, and passes over their constraints.

use crate::awake::soft_flex_sleeps;
use crate::constraint::JacobianView;
use crate::flex::vertices;
use crate::inertia::solve_m_in_place;
use crate::support::chain::for_each_column;
use crate::support::{Motion, is_straight};
use crate::workspace::{Carried, JoinedRows, Particles, Tie, Xpbd};
use ligament_math::{Vec3, vec3};
use ligament_model::enums::EqType;
use ligament_model::parts::{SoftPoint, SoftState};
use ligament_model::{Data, Model};

/// Collects the vertices of all soft flexes.
pub(super) fn gather(m: &Model, d: &Data, passes: usize, p: &mut Particles) {
    p.clear();
    for flex in (0..m.nflex).filter(|&flex| m.flex_rigid[flex] == 0) {
        let Some(body) = m.parts.soft(flex).filter(|_| !soft_flex_sleeps(m, d, flex)) else { continue };
        p.flexes.push((flex, p.start.len(), p.lambda.len()));
        p.lambda.resize(p.lambda.len() + body.multipliers(passes), 0.0);
        let (first, bodies) = (p.start.len(), &m.flex_vertbodyid[vertices(m, flex)]);
        let points = &d.flexvert_xpos[vertices(m, flex)];
        p.dof.resize(first + bodies.len(), Particles::HELD);
        p.start.resize(first + bodies.len(), SoftPoint::default());
        let (mut held, particles) = (false, p.dof[first..].iter_mut().zip(&mut p.start[first..]));
        for (((own, start), &[x, y, z]), &body) in particles.zip(points).zip(bodies) {
            let (dof, inverse_mass) = own_dofs(m, d, body as usize).unwrap_or((Particles::HELD, 0.0));
            (*own, *start) = (dof, SoftPoint([x, y, z, inverse_mass]));
            held |= dof == Particles::HELD;
        }
        if held {
            for (k, (&point, &body)) in points.iter().zip(bodies).enumerate() {
                if p.dof[first + k] == Particles::HELD {
                    attach(m, d, body as usize, point, first + k, p);
                }
            }
        }
    }
    p.position.resize(p.start.len(), SoftPoint::default());
    share_trees(m, p);
}

/// The first of three degrees of freedom that move a body, and nothing else, along the axes of the world, and the inverse of
/// its mass.
#[inline]
fn own_dofs(m: &Model, d: &Data, body: usize) -> Option<(u32, f64)> {
    let dof = u32::try_from(m.body_dofadr[body]).ok()?;
    let axes = m.jnt_axis.get(m.body_jntadr[body].max(0) as usize..)?.first_chunk()?;
    let &[x, y, z] = d.qLDiagInv.get(dof as usize..)?.first_chunk()?;
    let point = m.parts.is_soft_point(body) && is_straight(m.body_quat[body], axes);
    (point && x == y && x == z).then_some((dof, x))
}

/// A particle is carried by a body: its Jacobian, and what a push at it does.
fn attach(m: &Model, d: &Data, body: usize, point: Vec3, particle: usize, p: &mut Particles) {
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
    p.carried.push(Carried { particle, start, end: p.chain.len(), inverse_mass });
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

/// Vertices that equalities connect with other bodies move together with these: what holds a box must not take it for a
/// vertex. Of a push the vertex and the body take shares by which both change their velocities alike, so that the equality has nothing
/// to do with it.
pub(super) fn tie(m: &Model, d: &Data, h: f64, s: &mut Xpbd) {
    if s.particles.flexes.is_empty() || s.joined.is_empty() {
        return;
    }
    let jacobian = JacobianView::new(m, d);
    let Xpbd { joined, ties, row: dense, response, soft, .. } = &mut *s;
    ties.clear();
    let connects = |row: usize| m.eq_type[d.efc_id[row] as usize] == EqType::Connect as i32;
    for &JoinedRows { row, .. } in joined.iter().filter(|rows| connects(rows.row)) {
        let cols = jacobian.cols(row);
        let point = |dof: i32| m.parts.is_soft_point(m.dof_bodyid[dof as usize] as usize);
        let Some(at) = cols.iter().position(|&dof| point(dof)) else { continue };
        let (own, tree) = (d.qLDiagInv[cols[at] as usize], |dof: i32| m.dof_treeid[dof as usize]);
        // springs that give way more slowly are springs, not joints
        if soft[row].0 * h * h > RIGID * RIGID * own {
            continue;
        }
        let mut most = 0.0_f64;
        for j in 0..CONNECT {
            dense.fill(0.0);
            response.add_row(row + j, 1.0, dense);
            let moved = (0..CONNECT).map(|i| jacobian.row_dot(row + i, dense).abs());
            most = most.max(moved.sum::<f64>() - own);
        }
        let other = cols.iter().map(|&other| tree(other)).find(|&other| other != tree(cols[at]));
        let sign = jacobian.at(row, at, cols[at]).signum();
        ties.push(Tie { row, dof: cols[at] as usize, tree: other, sign, inverse_mass: most });
    }
    (0..s.ties.len()).for_each(|k| hold(k, jacobian, s));
}

/// Rows of an equality that connects two points.
const CONNECT: usize = 3;

/// Time constant (s) of equalities that count as joints: twice that of an equality with MuJoCo's default softness.
const RIGID: f64 = 0.01;

/// A particle with degrees of freedom of its own is carried by them and by what it is tied to.
fn hold(tie: usize, jacobian: JacobianView<'_>, s: &mut Xpbd) {
    let Xpbd { ties, particles: p, response, .. } = s;
    let Tie { row, dof, tree, sign, inverse_mass } = ties[tie];
    let Some(particle) = p.dof.iter().position(|&x| x as usize == dof) else { return };
    p.dof[particle] = Particles::HELD;
    let own = p.start[particle].0[3];
    // what several vertices hold, each of them holds in part
    let others = inverse_mass.max(0.0) * ties.iter().filter(|other| other.tree == tree).count() as f64;
    let (share, rest) = (others / (own + others), own / (own + others));
    p.start[particle].0[3] = own * share;
    if share == 0.0 {
        return; // tied to what is fixed
    }
    let mine = dof..dof + CONNECT;
    let part = |dof: usize| if mine.contains(&dof) { sign * share } else { -sign * rest };
    let start = p.chain.len();
    for (k, &column) in jacobian.cols(row).iter().enumerate() {
        let along = |axis: usize| part(column as usize) * jacobian.at(row + axis, k, column);
        p.chain.push((column as usize, [along(0), along(1), along(2)]));
    }
    for axis in 0..CONNECT {
        let range = response.start[row + axis]..response.start[row + axis + 1];
        for (&column, value) in response.col[range.clone()].iter().zip(&response.val[range]) {
            p.response.col.push(column);
            p.response.val.push(part(column as usize) * value);
        }
        p.response.start.push(p.response.col.len());
    }
    let inverse_mass = own * share;
    p.carried.push(Carried { particle, start, end: p.chain.len(), inverse_mass });
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
