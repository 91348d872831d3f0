//! What in a step depends on no other tree, or on none of what is done beside it: one section of several threads for several
//! stages. A thread then meets again what it has just computed, and threads meet once.

use crate::awake;
use crate::constraint::{JacobianView, reference_rows};
use crate::flex::edge_rates;
use crate::inertia;
use crate::parallel::{self, abreast};
use crate::passive::JointForces;
use crate::support::skeleton::{Dof, Entry, Pieces, Position, Span, in_pieces, is_worth_threads};
use crate::support::{all_zero, integrate_joints, is_sparse};
use crate::velocity::TreeVelocities;
use crate::workspace::{Scratches as _, SolverScratch, StartPoint};
use ligament_math::sparse;
use ligament_model::enums::DisableBit;
use ligament_model::{Data, Model};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Are trees done side by side, nothing asleep, and vertices bodies like others?
fn are_trees_apart(m: &Model, d: &Data) -> bool {
    is_worth_threads(m, d.threads) && !awake::sleep_enabled(m) && m.parts.first_soft().is_none()
}

/// Velocities and bias forces of bodies, springs and dampers of joints, rates of flex edges, velocities and reference
/// accelerations of constraint rows. False, and nothing is done, where stages have to follow each other.
pub(crate) fn velocities(m: &Model, d: &mut Data) -> bool {
    let apart = are_trees_apart(m, d)
        // functions of the user would see what is computed after them
        && d.callbacks.passive.is_none()
        && m.nplugin == 0
        && is_sparse(m);
    if !apart {
        return false;
    }
    let Data { efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_vel, efc_aref, .. } = d;
    let Data { qpos, qvel, cdof, cinert, cvel, cdof_dot, qfrc_bias, flexedge_J, flexedge_velocity, .. } = d;
    let Data { qfrc_passive, qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, workspace, .. } = d;
    cvel[0] = [0.0; 6];
    let (cacc, cfrc) = workspace.scratch().smooth.recursion(m.nbody);
    let velocities = (Span::whole(cvel), Span::whole(cdof_dot));
    let bias = (Span::whole(cacc), (Span::whole(cfrc), Span::whole(qfrc_bias)));
    let springs = (Span::whole(qfrc_spring), Span::whole(qfrc_damper));
    let others = (Span::whole(qfrc_gravcomp), Span::whole(qfrc_fluid));
    let passive = (Span::whole(qfrc_passive), (springs, others));
    let trees = Pieces::of(m, d.threads, ((velocities, bias), passive));
    let count = parallel::pieces(d.threads, 2);
    let softness = (&d.efc_KBIP[..d.nefc], &d.efc_pos[..d.nefc], &d.efc_margin[..d.nefc]);
    let rows = (0..d.nefc, &mut efc_vel[..d.nefc], (&mut efc_aref[..d.nefc], softness));
    let edges = (0..m.nflexedge, &mut flexedge_velocity[..]);
    let jac = JacobianView::of_parts(m, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind);
    let motion = TreeVelocities::of(m, cdof, cinert, qvel);
    let joints = JointForces::of(m, qpos, qvel);
    let lists = parallel::parts(rows, count).zip(parallel::parts(edges, count));
    parallel::each(d.threads, abreast(trees, lists), |(tree, lists)| {
        if let Some((piece, (motion_out, passive))) = tree {
            motion.fill(&piece, motion_out);
            joints.fill(&piece, passive);
        }
        if let Some((rows, edges)) = lists {
            reference_rows(jac, qvel, rows);
            edge_rates(m, flexedge_J, qvel, edges);
        }
    });
    true
}

/// The sum of all forces but those of constraints and the acceleration they cause; beside it what the constraint solver will
/// ask about the last acceleration. False, and nothing that counts is done, where stages have to follow each other.
pub(crate) fn smooth_acceleration(m: &Model, d: &mut Data) -> bool {
    let warm = d.nefc > 0 && is_sparse(m) && !m.opt.disabled(DisableBit::Warmstart);
    if !are_trees_apart(m, d) || m.ntree == 0 {
        return false;
    }
    let Data { qfrc_smooth, qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, qacc_smooth, .. } = d;
    let Data { M, qLD, qLDiagInv, qacc_warmstart, efc_aref, xfrc_applied, .. } = d;
    let jac = JacobianView::of_parts(m, &d.efc_J, &d.efc_J_rownnz, &d.efc_J_rowadr, &d.efc_J_colind);
    let s = &mut d.workspace.scratch().solver;
    s.start.residual.resize(d.nefc, 0.0);
    s.start.momentum.resize(m.nv, 0.0);
    let SolverScratch { start: StartPoint { residual, momentum }, warm_known, .. } = &mut **s;
    let mass = Span::<Dof, f64>::whole(momentum);
    let out: (Span<Dof, f64>, _) = (Span::whole(qfrc_smooth), (Span::<Dof, f64>::whole(qacc_smooth), mass));
    let trees = Pieces::of(m, d.threads, out);
    let rows = if warm { d.nefc } else { 0 };
    let rows = (0..rows, (&mut residual[..rows], &efc_aref[..rows]));
    let rows = parallel::parts(rows, parallel::pieces(d.threads, 2));
    let pushed = AtomicBool::new(false);
    parallel::each(d.threads, abreast(trees, rows), |(tree, rows)| {
        if let Some((piece, (mut sum, (mut acceleration, mut mass)))) = tree {
            let (dofs, entries) = (piece.dofs.clone(), piece.entries(m));
            if !all_zero(xfrc_applied[piece.bodies.clone()].as_flattened()) {
                pushed.store(true, Relaxed);
            }
            for i in dofs.clone() {
                sum[i] = qfrc_passive[i] - qfrc_bias[i] + qfrc_applied[i] + qfrc_actuator[i];
            }
            let (count, pattern) = (dofs.len(), inertia::pattern(m).part(dofs.clone()));
            let own = acceleration.range(dofs.clone());
            own.copy_from_slice(&sum[dofs.clone()]);
            sparse::solve_ltdl(own, &qLD[entries.clone()], &qLDiagInv[dofs.clone()], count, pattern, None);
            if warm {
                let x = &qacc_warmstart[dofs.clone()];
                sparse::mul_sym_vec(mass.range(dofs), &M[entries], x, count, pattern);
            }
        }
        if let Some((rows, (residual, aref))) = rows {
            jac.mul_rows(rows, qacc_warmstart, residual);
            residual.iter_mut().zip(aref).for_each(|(residual, aref)| *residual -= aref);
        }
    });
    *warm_known = warm;
    // forces on bodies are rare: then the stage is done again
    !pushed.into_inner()
}

/// May [`advance`] be called?
pub(crate) fn can_advance(m: &Model, d: &mut Data) -> bool {
    are_trees_apart(m, d) && m.ntree > 0 && d.workspace.scratch().drift.is_empty()
}

/// New velocities and positions by Euler's method, with the acceleration that the state has or, where damping is implicit, with
/// that of the system with damping.
pub(crate) fn advance(m: &Model, d: &mut Data, implicit: Option<NewFactor>) {
    let Data { M, qH, qHDiagInv, qfrc_smooth, qfrc_constraint, qacc, qpos, qvel, qacc_warmstart, .. } = d;
    let mut new_qacc = std::mem::take(&mut d.workspace.scratch().smooth.qacc);
    new_qacc.resize(m.nv, 0.0);
    let h = m.opt.timestep;
    let factor = (Span::whole(qH), Span::whole(qHDiagInv));
    let moved = (Span::whole(qpos), (Span::whole(qvel), Span::whole(qacc_warmstart)));
    let out: Moved = ((factor, Span::whole(&mut new_qacc)), moved);
    in_pieces(m, d.threads, out, |piece, (((mut qH, mut diag_inv), mut rate), moved)| {
        let (mut qpos, (mut qvel, mut warmstart)) = moved;
        let (dofs, entries) = (piece.dofs.clone(), piece.entries(m));
        let rate = rate.range(dofs.clone());
        let own = &qacc[dofs.clone()];
        match implicit {
            None => rate.copy_from_slice(own),
            Some(factor) => {
                let forces = qfrc_smooth[dofs.clone()].iter().zip(&qfrc_constraint[dofs.clone()]);
                rate.iter_mut()
                    .zip(forces)
                    .for_each(|(rate, (smooth, constraint))| *rate = smooth + constraint);
                let (count, pattern) = (dofs.len(), inertia::pattern(m).part(dofs.clone()));
                let qH = qH.range(entries.clone());
                let diag_inv = diag_inv.range(dofs.clone());
                if factor == NewFactor::Yes {
                    qH.copy_from_slice(&M[entries.clone()]);
                    for i in dofs.clone() {
                        qH[inertia::pattern(m).row(i).end - 1 - entries.start] += h * m.dof_damping[i];
                    }
                    sparse::factor_ltdl(qH, diag_inv, count, pattern, None);
                }
                sparse::solve_ltdl(rate, qH, diag_inv, count, pattern, None);
            }
        }
        let velocity = qvel.range(dofs.clone());
        velocity.iter_mut().zip(&*rate).for_each(|(v, rate)| *v += rate * h);
        integrate_joints(m, piece.joints.clone(), qpos.whole_range(), (dofs.start, velocity), h);
        warmstart.range(dofs).copy_from_slice(own);
    });
    d.workspace.scratch().smooth.qacc = new_qacc;
}

/// Factor of M + h·damping and the acceleration; positions, velocities and the next start of the solver.
type Moved<'a> = (
    ((Span<'a, Entry, f64>, Span<'a, Dof, f64>), Span<'a, Dof, f64>),
    (Span<'a, Position, f64>, (Span<'a, Dof, f64>, Span<'a, Dof, f64>)),
);

/// Is the factor of M + h·damping made anew?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NewFactor {
    Yes,
    No,
}
