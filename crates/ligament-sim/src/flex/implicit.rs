//! Interpolated flexes in the integrators that are implicit in velocity.
//!
//! Their stiffness couples all nodes, so it doesn't fit the sparse pattern of the tree. The rows of the nodes' dofs
//! are solved once more with a dense matrix that has the stiffness K in it,
//! (M − h ∂f/∂v + (h² + h·damping) JᵀKJ) q̈ = f − h JᵀKJ q̇, the other dofs keeping their accelerations.

use super::interpolation::corotated_state;
use super::{nodes, range};
use crate::support::jacobian::{com_offset, last_dof, parent_dof, translation_column};
use crate::workspace::Scratches as _;
use crate::workspace::{FlexImplicit, FlexNodes};
use ligament_math::sparse::Pattern;
use ligament_math::{MINVAL, Vec3, dense, mat3, quat, vec3};
use ligament_model::{Data, Model};

/// Collects the dofs of the nodes, builds and factors their matrix from M − h ∂f/∂v, which `source` finds.
///
/// Leaves the factor, the coupling to other dofs and the correction of the force in the scratch space.
pub fn factor(m: &Model, d: &mut Data, pattern: Pattern, source: impl Fn(&Data) -> &[f64]) {
    let mut system = std::mem::take(&mut d.workspace.scratch().flex_implicit);
    collect_dofs(m, &mut system);
    if !system.dofs.is_empty() {
        gather(pattern, source(d), &mut system);
        let mut state = std::mem::take(&mut d.workspace.scratch().flex.nodes);
        for flex in (0..m.nflex).filter(|&f| m.flex_interp[f] != 0 && m.flex_rigid[f] == 0) {
            add_stiffness(m, d, flex, &mut state, &mut system);
        }
        d.workspace.scratch().flex.nodes = state;
        let n = system.dofs.len();
        dense::cholesky(&mut system.matrix, n, MINVAL);
    }
    d.workspace.scratch().flex_implicit = system;
}

/// Replaces the accelerations of the nodes' dofs by those of the dense system of [`factor`].
pub fn solve(m: &Model, d: &mut Data, qfrc: &[f64], qacc: &mut [f64]) {
    let system = &mut d.workspace.scratch().flex_implicit;
    // MuJoCo 3.5.0 undoes the scale of the stiffness with the damping of the first flex, whichever flex it is
    let h = m.opt.timestep;
    let scale = h * h + h * m.flex_damping[0];
    let factor = if scale > MINVAL { h / scale } else { 0.0 };
    for (force, &dof) in system.force.iter_mut().zip(&system.dofs) {
        *force = qfrc[dof as usize] + *force * factor;
    }
    for &(row, dof, value) in &system.coupling {
        system.force[row] -= value * qacc[dof];
    }
    dense::cholesky_solve(&system.matrix, system.dofs.len(), &mut system.force);
    for (acc, &dof) in system.force.iter().zip(&system.dofs) {
        qacc[dof as usize] = *acc;
    }
}

fn collect_dofs(m: &Model, system: &mut FlexImplicit) {
    system.dofs.clear();
    system.local.clear();
    system.local.resize(m.nv, -1);
    for flex in (0..m.nflex).filter(|&f| m.flex_interp[f] != 0) {
        for node in nodes(m, flex) {
            let body = m.flex_nodebodyid[node] as usize;
            for dof in range(m.body_dofadr[body], m.body_dofnum[body]) {
                system.local[dof] = system.dofs.len() as i32;
                system.dofs.push(dof as i32);
            }
        }
    }
}

/// Splits the rows of the nodes' dofs into the dense matrix and the coupling to other dofs.
fn gather(pattern: Pattern, source: &[f64], system: &mut FlexImplicit) {
    let n = system.dofs.len();
    system.matrix.clear();
    system.matrix.resize(n * n, 0.0);
    system.force.clear();
    system.force.resize(n, 0.0);
    system.coupling.clear();
    for (row, &dof) in system.dofs.iter().enumerate() {
        for k in range(pattern.rowadr[dof as usize], pattern.rownnz[dof as usize]) {
            let column = pattern.colind[k] as usize;
            match usize::try_from(system.local[column]) {
                Ok(local) => system.matrix[row * n + local] = source[k],
                Err(_) => system.coupling.push((row, column, source[k])),
            }
        }
    }
}

/// Adds the stiffness of one flex to the matrix, and its force at the present velocity to the correction.
fn add_stiffness(m: &Model, d: &Data, flex: usize, state: &mut FlexNodes, system: &mut FlexImplicit) {
    let h = m.opt.timestep;
    let scale = h * h + h * m.flex_damping[flex];
    let start = 21 * m.flex_elemadr[flex] as usize;
    let size = 3 * m.flex_nodenum[flex] as usize;
    let stiffness = &m.flex_stiffness.as_flattened()[start..start + size * size];
    if stiffness[0] == 0.0 || scale == 0.0 {
        return;
    }
    let to_local = quat::to_mat(corotated_state(m, d, flex, state));
    node_jacobians(m, d, flex, state, &to_local, system);
    for (vel, columns) in state.vel.iter_mut().zip(system.start.windows(2)) {
        let moved = &system.columns[columns[0]..columns[1]];
        *vel = moved.iter().fold([0.0; 3], |sum, (dof, c)| vec3::add_scaled(sum, *c, d.qvel[*dof as usize]));
    }
    let n = system.dofs.len();
    for a in 0..size / 3 {
        let rows = &system.columns[system.start[a]..system.start[a + 1]];
        let mut force = [0.0; 3];
        for b in 0..size / 3 {
            let block: [Vec3; 3] = std::array::from_fn(|r| {
                let at = (3 * a + r) * size + 3 * b;
                std::array::from_fn(|c| scale * stiffness[at + c])
            });
            let times = |v: Vec3| block.map(|row| vec3::dot(row, v));
            force = vec3::add(force, times(state.vel[b]));
            for (dof, column) in &system.columns[system.start[b]..system.start[b + 1]] {
                let Ok(j) = usize::try_from(system.local[*dof as usize]) else { continue };
                let pushed = times(*column);
                for (dof, row) in rows {
                    if let Ok(i) = usize::try_from(system.local[*dof as usize]) {
                        system.matrix[i * n + j] -= vec3::dot(*row, pushed);
                    }
                }
            }
        }
        for (dof, row) in rows {
            if let Ok(i) = usize::try_from(system.local[*dof as usize]) {
                system.force[i] += vec3::dot(*row, force);
            }
        }
    }
}

/// Jacobian columns of all nodes, turned to the frame of the flex.
///
/// MuJoCo 3.5.0 evaluates them at the nodes' positions in that frame, not in the world; for nodes that only slide it
/// makes no difference.
fn node_jacobians(
    m: &Model,
    d: &Data,
    flex: usize,
    state: &FlexNodes,
    to_local: &[f64; 9],
    system: &mut FlexImplicit,
) {
    system.columns.clear();
    system.start.clear();
    system.start.push(0);
    for (point, node) in state.pos.iter().zip(nodes(m, flex)) {
        let body = m.flex_nodebodyid[node] as usize;
        let offset = com_offset(m, &d.subtree_com, *point, body);
        let mut dof = last_dof(m, body);
        while dof >= 0 {
            let column = translation_column(&d.cdof[dof as usize], offset);
            system.columns.push((dof, mat3::mul_vec(to_local, column)));
            dof = parent_dof(m, dof as usize);
        }
        system.start.push(system.columns.len());
    }
}
