//! What follows from the shape of the tree: roots, simple bodies, parents of dofs, kinematic trees.

use crate::error::fail_at;
use crate::pose::{EPS, same_pos};
use crate::tendons::CompiledTendon;
use crate::tree::{CJoint, Tree, frame_of_body};
use ligament_mjcf::diag::Result;
use ligament_model::Model;
use ligament_model::enums::{JointType, ObjType, SameFrame, SleepPolicy, WrapType};

/// Tables of bodies and dofs, in the order of the model.
#[derive(Debug, Default)]
pub struct Topology {
    pub body_root: Vec<usize>,
    pub body_simple: Vec<u8>,
    pub body_tree: Vec<i32>,
    pub dof_parent: Vec<i32>,
    pub dof_body: Vec<usize>,
    pub dof_tree: Vec<i32>,
    /// Length of the run of dofs of simple bodies that starts here; 0 when the dof is not simple.
    pub dof_simplenum: Vec<i32>,
    pub ntree: usize,
}

impl Topology {
    /// Reads the tables off a finished tree. `inertial_tendons` are the bodies on which tendons with armature
    /// act: they are never simple.
    pub fn of(tree: &Tree<'_>, inertial_tendons: &[usize]) -> Self {
        let mut topology = Self::default();
        topology.find_roots(tree);
        topology.find_dof_parents(tree);
        topology.find_simple(tree, inertial_tendons);
        topology.find_trees(tree);
        topology
    }

    fn find_roots(&mut self, tree: &Tree<'_>) {
        for (id, body) in tree.bodies.iter().enumerate() {
            self.body_root.push(if body.parent == 0 { id } else { self.body_root[body.parent] });
        }
    }

    fn find_dof_parents(&mut self, tree: &Tree<'_>) {
        let mut last = vec![-1; tree.bodies.len()];
        for (id, body) in tree.bodies.iter().enumerate() {
            last[id] = last[body.parent];
            for dof in body.dofadr..body.dofadr + body.dofnum {
                self.dof_parent.push(last[id]);
                self.dof_body.push(id);
                last[id] = dof as i32;
            }
        }
    }

    /// The inertia matrix of a simple body is diagonal: it is a leaf, its frames coincide, it hangs on something
    /// that does not move and its joints are aligned with it, with one rotation at most. 2: only slides.
    fn find_simple(&mut self, tree: &Tree<'_>, inertial_tendons: &[usize]) {
        let bodies = &tree.bodies;
        for (id, body) in bodies.iter().enumerate() {
            let parent = &bodies[body.parent];
            let grounded = self.body_root[id] == id || (parent.parent == 0 && parent.dofnum == 0);
            let aligned =
                frame_of_body(body) == SameFrame::Body && joints_aligned(&tree.joints[body.joints.clone()]);
            let slides = body.dofnum > 0
                && tree.joints[body.joints.clone()].iter().all(|j| j.spec.kind == JointType::Slide);
            let level = if slides { 2 } else { 1 };
            self.body_simple.push(if grounded && aligned { level } else { 0 });
            if body.parent > 0 {
                self.body_simple[body.parent] = 0;
            }
        }
        for &id in inertial_tendons {
            self.body_simple[id] = 0;
        }
        self.dof_simplenum = vec![0; self.dof_body.len()];
        let mut run = 0;
        for (dof, &body) in self.dof_body.iter().enumerate().rev() {
            run = if self.body_simple[body] > 0 { run + 1 } else { 0 };
            self.dof_simplenum[dof] = run;
        }
    }

    fn find_trees(&mut self, tree: &Tree<'_>) {
        let mut count = 0;
        for &parent in &self.dof_parent {
            count += i32::from(parent == -1);
            self.dof_tree.push(count - 1);
        }
        self.ntree = count as usize;
        for body in &tree.bodies {
            let weld = &tree.bodies[body.weld];
            self.body_tree.push(if weld.dofnum > 0 { self.dof_tree[weld.dofadr] } else { -1 });
        }
    }

    /// Copies the tables and the sleep policies of trees.
    pub fn write(&self, tree: &Tree<'_>, m: &mut Model) -> Result<()> {
        for (id, &root) in self.body_root.iter().enumerate() {
            m.body_rootid[id] = root as i32;
        }
        for (dof, &body) in self.dof_body.iter().enumerate() {
            m.dof_bodyid[dof] = body as i32;
        }
        m.body_simple.copy_from_slice(&self.body_simple);
        m.body_treeid.copy_from_slice(&self.body_tree);
        m.dof_parentid.copy_from_slice(&self.dof_parent);
        m.dof_treeid.copy_from_slice(&self.dof_tree);
        m.dof_simplenum.copy_from_slice(&self.dof_simplenum);
        self.write_sleep_policies(tree, m)
    }

    /// Sleep policies: automatic unless the first body of a kinematic tree says otherwise.
    fn write_sleep_policies(&self, tree: &Tree<'_>, m: &mut Model) -> Result<()> {
        m.tree_sleep_policy.fill(SleepPolicy::Auto as i32);
        for (id, body) in tree.bodies.iter().enumerate().skip(1) {
            if body.spec.sleep == SleepPolicy::Auto {
                continue;
            }
            let here = self.body_tree[id];
            if here == -1 || here == self.body_tree[id - 1] {
                let message = "sleep policy only allowed for movable root bodies";
                return Err(fail_at(ObjType::Body, &body.spec.meta, message));
            }
            m.tree_sleep_policy[here as usize] = body.spec.sleep as i32;
        }
        Ok(())
    }
}

/// Bodies that sites and wrapped geoms of tendons with armature are on.
pub fn inertial_tendon_bodies(tree: &Tree<'_>, tendons: &[CompiledTendon<'_>]) -> Vec<usize> {
    let with_armature = tendons.iter().filter(|tendon| tendon.spec.armature > 0.0);
    (with_armature.flat_map(|tendon| &tendon.path))
        .filter_map(|wrap| {
            let id = usize::try_from(wrap.object).ok()?;
            match wrap.kind {
                WrapType::Site => Some(tree.sites[id].body),
                WrapType::Sphere | WrapType::Cylinder => Some(tree.geoms[id].body),
                WrapType::None | WrapType::Joint | WrapType::Pulley => None,
            }
        })
        .collect()
}

fn joints_aligned(joints: &[CJoint<'_>]) -> bool {
    let mut rotations = 0;
    joints.iter().all(|joint| {
        let along_axis = joint.axis.iter().filter(|x| x.abs() > EPS).count() == 1;
        let has_axis = matches!(joint.spec.kind, JointType::Hinge | JointType::Slide);
        let fits = rotations == 0 && same_pos(joint.pos, [0.0; 3]) && (along_axis || !has_axis);
        rotations += usize::from(matches!(joint.spec.kind, JointType::Ball | JointType::Hinge));
        fits
    })
}
