//! What the page asks for.

use serde::Deserialize;

/// Groups of which parts of the model can be hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grouped {
    /// Geoms.
    Geom,
    /// Sites.
    Site,
    /// Joints.
    Joint,
    /// Tendons.
    Tendon,
    /// Actuators.
    Actuator,
    /// Flexes.
    Flex,
    /// Skins.
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
    /// The free camera.
    Free,
    /// A camera that follows a body.
    Tracking {
        /// The body.
        body: i32,
    },
    /// A camera of the model.
    Fixed {
        /// Its number.
        id: i32,
    },
}

/// One thing that a user does. Movements are relative to the height of the picture, downwards positive.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum Command {
    /// The page has drawn a frame and can take another.
    Drawn,
    /// The size of the picture, in the units in which images are placed.
    Size {
        /// From left to right.
        width: u32,
        /// From top to bottom.
        height: u32,
    },
    /// Runs or pauses.
    Run {
        /// Whether it is on.
        on: bool,
    },
    /// Makes steps while paused.
    Step {
        /// How many.
        count: u32,
    },
    /// Goes to an earlier state, or to a later one when the number is negative, and pauses.
    Rewind {
        /// How many frames.
        count: i32,
    },
    /// Goes to the state that has so many newer ones, and pauses.
    Scrub {
        /// How many states are newer.
        back: usize,
    },
    /// Back to the initial state.
    Reset,
    /// To a keyframe.
    Key {
        /// Its number.
        index: usize,
    },
    /// Simulated seconds per second.
    Speed {
        /// The speed.
        factor: f64,
    },
    /// Loads the model again.
    Reload,
    /// Ends the viewer.
    Quit,

    /// Another camera.
    Shot(Shot),
    /// Looks at the whole model again.
    Align,
    /// Moves the camera as the mouse does; `action` is an `mjtMouse`.
    Move {
        /// What the mouse does.
        action: i32,
        /// To the right.
        dx: f64,
        /// Downwards.
        dy: f64,
    },
    /// A double click at a place of the picture, from its lower left corner.
    Pick {
        /// What is done.
        pick: Pick,
        /// Part of the width.
        x: f64,
        /// Part of the height.
        y: f64,
        /// Width of the picture divided by its height.
        aspect: f64,
    },
    /// Selects a body by its number.
    SelectBody {
        /// The body.
        body: i32,
    },
    /// Begins to pull the selected body; `bits` are those of `mjtPertBit`.
    Grasp {
        /// How it is pulled.
        bits: i32,
    },
    /// Moves what is pulled; `action` is an `mjtMouse`.
    Pull {
        /// What the mouse does.
        action: i32,
        /// To the right.
        dx: f64,
        /// Downwards.
        dy: f64,
    },
    /// Lets go of the body.
    Release,

    /// Sets one control.
    Control {
        /// Its number.
        index: usize,
        /// The number.
        value: f64,
    },
    /// Sets all controls to zero.
    ClearControls,
    /// Sets one number of `qpos`.
    Position {
        /// Its number.
        index: usize,
        /// The number.
        value: f64,
    },

    /// Shows or hides what an `mjtVisFlag` stands for.
    Flag {
        /// Its number.
        index: usize,
        /// Whether it is on.
        on: bool,
    },
    /// Switches an `mjtRndFlag`.
    Effect {
        /// Its number.
        index: usize,
        /// Whether it is on.
        on: bool,
    },
    /// Shows or hides a group.
    Group {
        /// What kind of things.
        of: Grouped,
        /// Its number.
        index: usize,
        /// Whether it is on.
        on: bool,
    },
    /// Chooses labels, an `mjtLabel`.
    Label {
        /// Its number.
        index: i32,
    },
    /// Chooses frames, an `mjtFrame`.
    Frame {
        /// Its number.
        index: i32,
    },
    /// Depth of bounding volumes, layer of flexes.
    Depths {
        /// Depth of bounding volumes.
        bvh: i32,
        /// Layer of flexes.
        layer: i32,
    },
    /// Measures the stages of a step.
    Timers {
        /// Whether it is on.
        on: bool,
    },

    /// Asks for the state as a keyframe.
    CopyState,
    /// A key was pressed; `code` is GLFW's, for programs that listen to keys.
    KeyPress {
        /// The key.
        code: i32,
    },
}
