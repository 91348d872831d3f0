//! Where the parts of a world's state stand in its row.

use ligament_model::Model;
use ligament_model::enums::State;
use ligament_sim::state::state_size;

/// The state that a row holds: everything a step depends on, in the order of `get_state`.
pub const SIGNATURE: i32 = State::Integration as i32;

/// Names of the state's parts, in the order of the row.
const PARTS: [(&str, State); 14] = [
    ("time", State::Time),
    ("qpos", State::Qpos),
    ("qvel", State::Qvel),
    ("act", State::Act),
    ("history", State::History),
    ("qacc_warmstart", State::Warmstart),
    ("ctrl", State::Ctrl),
    ("qfrc_applied", State::QfrcApplied),
    ("xfrc_applied", State::XfrcApplied),
    ("eq_active", State::EqActive),
    ("mocap_pos", State::MocapPos),
    ("mocap_quat", State::MocapQuat),
    ("userdata", State::Userdata),
    ("plugin_state", State::Plugin),
];

/// What the first half of a step does not read: it may change before the second half.
pub(crate) const LATE_INPUTS: i32 =
    State::Ctrl as i32 | State::QfrcApplied as i32 | State::XfrcApplied as i32 | State::Warmstart as i32;

/// One part of the state: its columns of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its name in `MjData`.
    pub name: &'static str,
    /// Its bit in signatures.
    pub bit: State,
    /// Its first column.
    pub start: usize,
    /// Its number of columns.
    pub len: usize,
}

/// The columns of a state row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    parts: Vec<Part>,
    width: usize,
}

impl Layout {
    pub(crate) fn new(model: &Model) -> Self {
        let mut width = 0;
        let parts = PARTS
            .iter()
            .map(|&(name, bit)| {
                let (start, len) = (width, state_size(model, bit as i32).unwrap_or(0));
                width += len;
                Part { name, bit, start, len }
            })
            .collect();
        Self { parts, width }
    }

    /// Numbers in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All parts, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// A part by the name of its field.
    pub fn part(&self, name: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.name == name)
    }
}
