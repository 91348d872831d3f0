//! Vertices of soft flexes as particles: where they are, what moves them, and passes over their constraints.

use crate::awake::soft_flex_sleeps;
use crate::constraint::JacobianView;
use crate::flex::vertices;
use crate::inertia::solve_m_in_place;
use crate::support::chain::for_each_column;
use crate::support::{Motion, is_straight};
use crate::workspace::{Carried, JoinedRows, Particles, Run, Tie, Xpbd};
use ligament_math::four::Four;
use ligament_math::{Vec3, vec3};
use ligament_model::enums::EqType;
use ligament_model::parts::{SoftPoint, SoftState};
use ligament_model::{Data, Model};
use std::ops::Range;

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
        let mut k = 0;
        while k < bodies.len() {
            let count = consecutive_points(m, &bodies[k..]);
            let (places, range) = (first + k..first + k + count, k..k + count);
            k += count.max(1);
            if straight_points(m, d, &bodies[range.clone()], &points[range.clone()], places.clone(), p) {
                continue;
            }
            for k in range.start..k {
                let ([x, y, z], body) = (points[k], bodies[k] as usize);
                let (dof, inverse_mass) = own_dofs(m, d, body).unwrap_or((Particles::HELD, 0.0));
                (p.dof[first + k], p.start[first + k]) = (dof, SoftPoint([x, y, z, inverse_mass]));
                if dof == Particles::HELD {
                    attach(m, d, body, points[k], first + k, p);
                }
            }
        }
    }
    p.position.resize(p.start.len(), SoftPoint::default());
    share_trees(m, p);
}

/// How many of these bodies are points and follow each other.
fn consecutive_points(m: &Model, bodies: &[i32]) -> usize {
    let points = m.parts.soft_points();
    let Some(&first) = bodies.first().filter(|&&body| points.contains(&(body as usize))) else { return 0 };
    let follow = bodies.iter().zip(first..points.end as i32);
    follow.take_while(|&(&body, number)| body == number).count()
}

/// Notes consecutive bodies that are points, if all of them have degrees of freedom of their own as [`own_dofs`] asks for.
fn straight_points(
    m: &Model,
    d: &Data,
    bodies: &[i32],
    points: &[Vec3],
    places: Range<usize>,
    p: &mut Particles,
) -> bool {
    let Some(&first) = bodies.first() else { return false };
    let (first, count) = (first as usize, bodies.len());
    let (joint, dof) = (m.body_jntadr[first] as usize, m.body_dofadr[first] as usize);
    let axes = m.jnt_axis[joint..joint + 3 * count].as_chunks().0;
    let inverse_masses = d.qLDiagInv[dof..dof + 3 * count].as_chunks::<3>().0;
    let frames = m.body_quat[first..first + count].iter().zip(axes);
    // without branches: all of it holds for nearly all flexes
    let straight = frames.fold(true, |all, (&quat, axes)| all & is_straight(quat, axes));
    let one_mass = inverse_masses.iter().fold(true, |all, &[x, y, z]| all & (x == y) & (x == z));
    if !(straight & one_mass) {
        return false;
    }
    let particles = p.dof[places.clone()].iter_mut().zip(&mut p.start[places]);
    let all = particles.zip(points).zip(inverse_masses).zip((dof as u32..).step_by(3));
    for ((((own, start), &[x, y, z]), &[inverse_mass, ..]), dof) in all {
        (*own, *start) = (dof, SoftPoint([x, y, z, inverse_mass]));
    }
    true
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

/// Notes which particles follow each other, as do their degrees of freedom. What is tied is known.
pub(super) fn line_up(p: &mut Particles) {
    let Particles { dof, runs, held, .. } = p;
    runs.clear();
    held.clear();
    for (k, &dof) in dof.iter().enumerate() {
        if dof == Particles::HELD {
            held.push(k);
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.end == k && run.dof + 3 * (run.end - run.start) == dof as usize => run.end += 1,
            _ => runs.push(Run { start: k, end: k + 1, dof: dof as usize }),
        }
    }
}

/// What particles of a run have in a list of numbers of all degrees of freedom.
#[inline(always)]
fn of_run<'a>(numbers: &'a [f64], run: &Run) -> &'a [[f64; 3]] {
    numbers[run.dof..run.dof + 3 * (run.end - run.start)].as_chunks().0
}

#[inline(always)]
fn of_run_mut<'a>(numbers: &'a mut [f64], run: &Run) -> &'a mut [[f64; 3]] {
    numbers[run.dof..run.dof + 3 * (run.end - run.start)].as_chunks_mut().0
}

/// Where the particles would be after a time `h`.
fn place(p: &mut Particles, velocity: &[f64], h: f64) {
    let Particles { start, position, carried, chain, runs, held, .. } = p;
    for run in runs.iter() {
        let places = position[run.start..run.end].iter_mut().zip(&start[run.start..run.end]);
        for ((position, start), v) in places.zip(of_run(velocity, run)) {
            *position = SoftPoint(moved(start, v, h).numbers());
        }
    }
    for &k in held.iter() {
        let [x, y, z, _] = start[k].0;
        position[k] = SoftPoint([x, y, z, 0.0]);
    }
    for carried in carried.iter() {
        let v = carried_velocity(chain, carried, velocity);
        position[carried.particle] = SoftPoint(moved(&start[carried.particle], &v, h).numbers());
    }
}

/// Where a particle with this velocity would be, and its inverse mass.
#[inline(always)]
fn moved(start: &SoftPoint, &[x, y, z]: &Vec3, h: f64) -> Four {
    Four::new(start.0) + Four::new([x, y, z, 0.0]) * Four::splat(h)
}

/// The first three numbers are added to these.
#[inline(always)]
fn add_to(place: &mut Vec3, change: Four) {
    let [x, y, z] = *place;
    let [x, y, z, _] = (Four::new([x, y, z, 0.0]) + change).numbers();
    *place = [x, y, z];
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

/// Vertices below which threads are taken to cost more than they save. With 1600 of them they did on sixteen free cores; with
/// up to 40,000 on two that had other work to do. Free cores were not measured in between.
const MIN_VERTICES: usize = 20_000;

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
    for run in &p.runs {
        let places = p.position[run.start..run.end].iter().zip(&p.start[run.start..run.end]);
        let rates = of_run_mut(velocity, run).iter_mut().zip(of_run_mut(impulse, run));
        for ((position, start), (velocity, impulse)) in places.zip(rates) {
            let change = (Four::new(position.0) - moved(start, velocity, h)) * Four::splat(rate);
            add_to(velocity, change);
            add_to(impulse, change);
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
    let Particles { start, carried, chain, runs, .. } = &mut s.particles;
    for run in runs.iter() {
        for (start, v) in start[run.start..run.end].iter_mut().zip(of_run(&s.velocity, run)) {
            *start = SoftPoint(moved(start, v, h).numbers());
        }
    }
    for carried in carried.iter() {
        let v = carried_velocity(chain, carried, &s.velocity);
        (0..3).for_each(|k| start[carried.particle].0[k] += v[k] * h);
    }
}

/// Changes of velocity become impulses, when the last pass is over.
pub(super) fn weigh(s: &mut Xpbd) {
    let Particles { runs, start, .. } = &s.particles;
    for run in runs {
        let impulses = of_run_mut(&mut s.impulse, run).iter_mut();
        for (impulse, &SoftPoint([.., inverse_mass])) in impulses.zip(&start[run.start..run.end]) {
            let mass = 1.0 / inverse_mass;
            impulse.iter_mut().for_each(|x| *x *= mass);
        }
    }
}
