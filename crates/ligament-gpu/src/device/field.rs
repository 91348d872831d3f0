//! Arrays of the worlds in device memory.

use crate::tables::Tables;
use ligament_model::Model;

/// Arrays of the state and of the inputs, a row a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Configuration.
    Qpos,
    /// Velocity.
    Qvel,
    /// Activations.
    Act,
    /// Acceleration the solver starts from.
    Warmstart,
    /// Simulated time.
    Time,
    /// Controls.
    Ctrl,
    /// Generalised forces from outside.
    QfrcApplied,
    /// Forces and torques on bodies from outside.
    XfrcApplied,
    /// Positions of mocap bodies.
    MocapPos,
    /// Orientations of mocap bodies.
    MocapQuat,
    /// Earlier controls of delayed actuators, of each the newest first.
    History,
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 11] = [
        Self::Qpos,
        Self::Qvel,
        Self::Act,
        Self::Warmstart,
        Self::Time,
        Self::Ctrl,
        Self::QfrcApplied,
        Self::XfrcApplied,
        Self::MocapPos,
        Self::MocapQuat,
        Self::History,
    ];

    /// Its name, as on the CPU.
    pub fn name(self) -> &'static str {
        match self {
            Self::Qpos => "qpos",
            Self::Qvel => "qvel",
            Self::Act => "act",
            Self::Warmstart => "qacc_warmstart",
            Self::Time => "time",
            Self::Ctrl => "ctrl",
            Self::QfrcApplied => "qfrc_applied",
            Self::XfrcApplied => "xfrc_applied",
            Self::MocapPos => "mocap_pos",
            Self::MocapQuat => "mocap_quat",
            Self::History => "ctrl_history",
        }
    }

    pub(super) fn width(self, t: &Tables) -> usize {
        match self {
            Self::Qpos => t.nq,
            Self::Qvel | Self::Warmstart | Self::QfrcApplied => t.nv,
            Self::Act => t.na,
            Self::Time => 1,
            Self::Ctrl => t.nu,
            Self::XfrcApplied => 6 * t.nbody,
            Self::MocapPos => 3 * t.nmocap,
            Self::MocapQuat => 4 * t.nmocap,
            Self::History => t.nhistory,
        }
    }

    /// A world's numbers at a keyframe, or at the initial state.
    pub(super) fn at_reset(self, m: &Model, t: &Tables, key: Option<usize>) -> Vec<f64> {
        let mocap = |quat: bool| -> Vec<f64> {
            let bodies = (0..m.nbody).filter(|&b| m.body_mocapid[b] >= 0);
            bodies.flat_map(|b| if quat { m.body_quat[b].to_vec() } else { m.body_pos[b].to_vec() }).collect()
        };
        let row = |all: &[f64], width: usize, k: usize| all[k * width..(k + 1) * width].to_vec();
        match (self, key) {
            (Self::Qpos, Some(k)) => row(&m.key_qpos, m.nq, k),
            (Self::Qpos, None) => m.qpos0.to_vec(),
            (Self::Qvel, Some(k)) => row(&m.key_qvel, m.nv, k),
            (Self::Act, Some(k)) => row(&m.key_act, m.na, k),
            (Self::Ctrl, Some(k)) => row(&m.key_ctrl, m.nu, k),
            (Self::Time, Some(k)) => vec![m.key_time[k]],
            (Self::MocapPos, Some(k)) => row(&m.key_mpos, 3 * m.nmocap, k),
            (Self::MocapQuat, Some(k)) => row(&m.key_mquat, 4 * m.nmocap, k),
            (Self::MocapPos, None) => mocap(false),
            (Self::MocapQuat, None) => mocap(true),
            (Self::Qvel | Self::Warmstart | Self::QfrcApplied, _) => vec![0.0; m.nv],
            (Self::Act, None) => vec![0.0; m.na],
            (Self::Ctrl, None) => vec![0.0; m.nu],
            (Self::Time, None) => vec![0.0],
            (Self::XfrcApplied, _) => vec![0.0; 6 * m.nbody],
            (Self::History, _) => vec![0.0; t.nhistory],
        }
    }
}
