//! What the page asks for.

use serde::Deserialize;

/// Groups of which parts of the model can be hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grouped {
    Geom,
    Site,
    Joint,
    Tendon,
    Actuator,
    Flex,
    Skin,
}

/// What a double click does with what it hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// Selects the body.
    Select,
    /// Looks at the point.
    LookAt,
    /// Follows the body.
    Track,
}

/// Which camera shows the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Shot {
    Free,
    Tracking { body: i32 },
    Fixed { id: i32 },
}

/// One thing that a user does. Movements are relative to the height of the picture, downwards positive.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum Command {
    /// The page has drawn a frame and can take another.
    Drawn,
    Run {
        on: bool,
    },
    Step {
        count: u32,
    },
    Reset,
    Key {
        index: usize,
    },
    /// Simulated seconds per second.
    Speed {
        factor: f64,
    },
    Reload,
    Quit,

    Shot(Shot),
    /// Looks at the whole model again.
    Align,
    /// Moves the camera as the mouse does; `action` is an `mjtMouse`.
    Move {
        action: i32,
        dx: f64,
        dy: f64,
    },
    /// A double click at a place of the picture, from its lower left corner.
    Pick {
        pick: Pick,
        x: f64,
        y: f64,
        aspect: f64,
    },
    SelectBody {
        body: i32,
    },
    /// Begins to pull the selected body; `bits` are those of `mjtPertBit`.
    Grasp {
        bits: i32,
    },
    Pull {
        action: i32,
        dx: f64,
        dy: f64,
    },
    Release,

    Control {
        index: usize,
        value: f64,
    },
    ClearControls,
    /// Sets one number of `qpos`.
    Position {
        index: usize,
        value: f64,
    },

    Flag {
        index: usize,
        on: bool,
    },
    Effect {
        index: usize,
        on: bool,
    },
    Group {
        of: Grouped,
        index: usize,
        on: bool,
    },
    Label {
        index: i32,
    },
    Frame {
        index: i32,
    },
    /// Depth of bounding volumes, layer of flexes.
    Depths {
        bvh: i32,
        layer: i32,
    },
    /// Measures the stages of a step.
    Timers {
        on: bool,
    },

    /// Asks for the state as a keyframe.
    CopyState,
    /// A key was pressed; `code` is GLFW's, for programs that listen to keys.
    KeyPress {
        code: i32,
    },
}
