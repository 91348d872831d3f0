//! Scratch space of the flex stages.

/// Positions and velocities of the nodes of one flex.
#[derive(Debug, Default)]
pub struct FlexNodes {
    pub pos: Vec<[f64; 3]>,
    pub vel: Vec<[f64; 3]>,
}

/// Buffers of the flex stages.
#[derive(Debug, Default)]
pub struct Flex {
    pub nodes: FlexNodes,
    /// Forces on the vertices of one flex.
    pub force: Vec<[f64; 3]>,
    /// Two dense Jacobian rows, interleaved.
    pub dense: Vec<[f64; 2]>,
}
