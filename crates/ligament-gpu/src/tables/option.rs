//! Switches (what the model needs compiled) and options.

use super::Builder;
use crate::paths::{Path, PathKind, Paths, PullKind};
use crate::rows::{RowKind, SparseRow};
use ligament_model::Model;
use ligament_model::enums::{
    BiasType, ConeType, DisableBit, DynType, GainType, GeomType, Integrator, JointType, SolverType, TrnType,
};
use std::fmt::Write;

/// Iterations with which the CPU's solver often ends before it reaches the minimum: up to so many are made as it makes them.
const FEW: i32 = 4;

impl Builder<'_> {
    pub(super) fn switches(&mut self, m: &Model) {
        let on = |bit| !m.opt.disabled(bit);
        let implicitfast = is_implicit(m);
        let rk4 = m.opt.integrator == Integrator::Rk4 as i32;
        let eulerdamp = !rk4
            && on(DisableBit::Eulerdamp)
            && on(DisableBit::Damper)
            && (self.differs("dof_damping") || m.dof_damping.iter().any(|&b| b > 0.0));
        let rubs = self.differs("dof_frictionloss") || m.dof_frictionloss.iter().any(|&f| f != 0.0);
        let friction = on(DisableBit::Frictionloss) && rubs;
        let lifted = self.differs("body_gravcomp") || m.body_gravcomp.iter().any(|&g| g != 0.0);
        let gravcomp = lifted && on(DisableBit::Gravity);
        let passive = on(DisableBit::Spring) || on(DisableBit::Damper);
        let (lift, carries) = (gravcomp && passive, m.jnt_actgravcomp.iter().any(|&c| c != 0));
        let fluid = passive && (m.opt.density != 0.0 || m.opt.viscosity != 0.0);
        let ellipsoids = fluid && m.geom_fluid.iter().any(|c| c[0] > 0.0);
        let muscle = |kinds: &[i32], muscle: i32| kinds.contains(&muscle);
        let has_muscle = muscle(&m.actuator_dyntype, DynType::Muscle as i32)
            || muscle(&m.actuator_gaintype, GainType::Muscle as i32)
            || muscle(&m.actuator_biastype, BiasType::Muscle as i32);
        let turns =
            |j: usize| m.jnt_type[j] == JointType::Free as i32 || m.jnt_type[j] == JointType::Ball as i32;
        let stiff = |j: usize| self.differs("jnt_stiffness") || m.jnt_stiffness[j] != 0.0;
        let ball_spring = (0..m.njnt).any(|j| turns(j) && stiff(j));
        let newton = m.opt.solver == SolverType::Newton as i32;
        for (name, value) in [
            ("FEW_ITERATIONS", newton && m.opt.iterations <= FEW),
            ("ISLANDS", on(DisableBit::Island)),
            ("WARMSTART", on(DisableBit::Warmstart)),
            ("HAS_MUSCLE", has_muscle),
            ("HAS_BALL_SPRING", ball_spring),
            ("HAS_DOF_FRICTION", friction && on(DisableBit::Constraint)),
            ("HAS_GRAVCOMP", gravcomp && passive),
            ("HAS_CARRIED_LIMIT", lift && (0..m.njnt).any(|j| is_carried(m, j))),
            ("HAS_IDLE_LIFT", lift && carries && is_idle(m)),
            ("HAS_LIFT_SENSOR", lift && carries && !is_idle(m)),
            ("HAS_FLUID", fluid),
            ("HAS_ELLIPSOID_FLUID", ellipsoids),
            ("HAS_FLUID_SLOPE", fluid && implicitfast),
            ("SPRINGS", on(DisableBit::Spring)),
            ("DAMPERS", on(DisableBit::Damper)),
            ("CONE_ELLIPTIC", m.opt.cone == ConeType::Elliptic as i32),
            ("INTEGRATOR_IMPLICITFAST", implicitfast),
            ("HAS_FLUID_SKEW", ellipsoids && m.opt.integrator == Integrator::Implicit as i32),
            ("INTEGRATOR_IMPLICIT", m.opt.integrator == Integrator::Implicit as i32),
            ("INTEGRATOR_RK4", rk4),
            ("IMPLICIT_DAMPING", implicitfast || eulerdamp),
        ] {
            self.define(name, i32::from(value));
        }
    }

    /// Which kinds of paths and rows there are.
    pub(super) fn path_switches(&mut self, m: &Model, paths: &Paths, rows: &[SparseRow]) {
        let path = |kinds: &[PathKind]| paths.list.iter().any(|p| kinds.contains(&p.kind));
        let row = |kinds: &[RowKind]| rows.iter().any(|r| kinds.contains(&r.kind));
        let limited =
            |u: usize| paths.of_actuator[u].is_some_and(|p| m.tendon_actfrclimited.get(p) == Some(&1));
        let implicitfast = m.opt.integrator == Integrator::Implicitfast as i32;
        let fluid = m.opt.density != 0.0 || m.opt.viscosity != 0.0;
        let simple = |d: usize| m.dof_simplenum[d] > 0;
        let mut driven = paths.list.iter().flat_map(Path::dofs);
        let simple = (fluid && (0..m.nv).any(simple)) || driven.any(|d| simple(d as usize));
        for (name, value) in [
            ("HAS_SIMPLE_DOFS", implicitfast && simple),
            ("HAS_JOINT_FRCLIMIT", m.jnt_actfrclimited.iter().any(|&l| l != 0)),
            ("HAS_TENDON_DRIVE", paths.of_actuator.iter().any(Option::is_some)),
            ("HAS_TENDON_FRCLIMIT", (0..m.nu).any(limited)),
            ("HAS_TENDON_ARMATURE", m.tendon_armature.iter().any(|&a| a != 0.0)),
            ("HAS_WRAP", paths.pulls().any(|p| p.geom >= 0)),
            ("HAS_JOINT_PATH", path(&[PathKind::Joint, PathKind::JointInParent])),
            ("HAS_ADHESION", path(&[PathKind::Body])),
            ("HAS_POINT_EQUALITY", row(&[RowKind::Connect, RowKind::Weld])),
            ("HAS_TENDON_EQUALITY", row(&[RowKind::TendonEquality])),
        ] {
            self.define(name, i32::from(value));
        }
        for (name, value) in [
            ("PATH_PULLS", PathKind::Pulls as i32),
            ("PATH_JOINT", PathKind::Joint as i32),
            ("PATH_JOINT_IN_PARENT", PathKind::JointInParent as i32),
            ("PATH_BODY", PathKind::Body as i32),
            ("PULL_STRETCH", PullKind::Stretch as i32),
            ("PULL_REFERENCE", PullKind::Reference as i32),
            ("PULL_CRANK", PullKind::Crank as i32),
            ("SROW_TENDON_LIMIT", RowKind::TendonLimit as i32),
            ("SROW_TENDON_FRICTION", RowKind::TendonFriction as i32),
            ("SROW_JOINT_EQUALITY", RowKind::JointEquality as i32),
            ("SROW_BALL_LIMIT", RowKind::BallLimit as i32),
            ("SROW_CONNECT", RowKind::Connect as i32),
            ("SROW_WELD", RowKind::Weld as i32),
            ("SROW_TENDON_EQUALITY", RowKind::TendonEquality as i32),
            ("SROW_TENDON_UPPER", RowKind::TendonUpper as i32),
            ("SROW_JOINT_UPPER", RowKind::JointUpper as i32),
        ] {
            self.define(name, value);
        }
    }

    pub(super) fn options(&mut self, m: &Model) {
        let gravity = if m.opt.disabled(DisableBit::Gravity) { [0.0; 3] } else { m.opt.gravity };
        self.real("opt.gravity", &gravity);
        for (name, value) in [
            ("TIMESTEP", m.opt.timestep),
            ("DENSITY", m.opt.density),
            ("VISCOSITY", m.opt.viscosity),
            ("WIND_X", m.opt.wind[0]),
            ("WIND_Y", m.opt.wind[1]),
            ("WIND_Z", m.opt.wind[2]),
            ("MEANINERTIA", m.stat.meaninertia),
            ("MODEL_TOLERANCE", m.opt.tolerance),
            ("LS_TOLERANCE", m.opt.ls_tolerance),
            ("CCD_TOLERANCE", m.opt.ccd_tolerance),
            ("IMPRATIO", m.opt.impratio.max(1e-15)),
            ("IMPRATIO_RSQRT", (1.0 / m.opt.impratio.max(1e-15)).sqrt()),
        ] {
            self.define_real(name, value);
        }
        self.define("ITERATIONS", m.opt.iterations.max(0));
        self.define("LS_ITERATIONS", m.opt.ls_iterations.max(1));
        // single precision cannot resolve the model's tolerance
        let _ = writeln!(self.header, "#define TOLERANCE (sizeof(real) == 4 ? (real)1e-6 : (real)1e-18)");
        let _ = writeln!(self.header, "#define LS_RELATIVE (sizeof(real) == 4 ? (real)3e-6 : (real)1e-10)");
        for (name, value) in [
            ("JNT_FREE", JointType::Free as i32),
            ("JNT_BALL", JointType::Ball as i32),
            ("JNT_SLIDE", JointType::Slide as i32),
            ("JNT_HINGE", JointType::Hinge as i32),
            ("GEOM_PLANE", GeomType::Plane as i32),
            ("GEOM_HFIELD", GeomType::Hfield as i32),
            ("GEOM_SPHERE", GeomType::Sphere as i32),
            ("GEOM_CAPSULE", GeomType::Capsule as i32),
            ("GEOM_ELLIPSOID", GeomType::Ellipsoid as i32),
            ("GEOM_CYLINDER", GeomType::Cylinder as i32),
            ("GEOM_BOX", GeomType::Box as i32),
            ("GEOM_MESH", GeomType::Mesh as i32),
            ("TRN_TENDON", TrnType::Tendon as i32),
            ("DYN_INTEGRATOR", 1),
            ("DYN_FILTER", 2),
            ("DYN_FILTEREXACT", 3),
            ("DYN_MUSCLE", 4),
            ("GAIN_AFFINE", 1),
            ("GAIN_MUSCLE", 2),
            ("BIAS_AFFINE", 1),
            ("BIAS_MUSCLE", 2),
        ] {
            self.define(name, value);
        }
    }
}

/// Are forces of actuators and tendons treated implicitly?
fn is_implicit(m: &Model) -> bool {
    [Integrator::Implicitfast as i32, Integrator::Implicit as i32].contains(&m.opt.integrator)
}

/// Are there no actuators, or are they switched off?
fn is_idle(m: &Model) -> bool {
    m.nu == 0 || m.opt.disabled(DisableBit::Actuation)
}

/// Do actuators of a joint lift what it carries, within a limited force?
pub(super) fn is_carried(m: &Model, joint: usize) -> bool {
    !is_idle(m) && m.jnt_actgravcomp[joint] != 0 && m.jnt_actfrclimited[joint] != 0
}
