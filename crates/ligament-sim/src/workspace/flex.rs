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
    pub damping_force: Vec<[f64; 3]>,
    /// Velocities of the vertices of one flex.
    pub velocity: Vec<[f64; 3]>,
    /// Two dense Jacobian rows, interleaved.
    pub dense: Vec<[f64; 2]>,
    /// Velocity derivatives of the forces of a part, one for each vertex.
    pub slopes: Vec<[f64; 9]>,
    /// Dofs that move a vertex, their columns of its Jacobian, and one row of their product.
    pub dofs: Vec<i32>,
    pub columns: Vec<[f64; 3]>,
    pub row: Vec<f64>,
}

impl Flex {
    /// Makes room for forces on so many vertices, all zero.
    pub fn clear_forces(&mut self, count: usize) {
        for field in [&mut self.force, &mut self.damping_force] {
            field.clear();
            field.resize(count, [0.0; 3]);
        }
    }
}

/// The dense system of the dofs of interpolated flexes, for the implicit integrators.
#[derive(Debug, Default)]
pub struct FlexImplicit {
    /// Dofs of the nodes' bodies.
    pub dofs: Vec<i32>,
    /// Per dof of the model: its place in `dofs`, or -1.
    pub local: Vec<i32>,
    /// Matrix of these dofs, then its factor.
    pub matrix: Vec<f64>,
    /// Entries of their rows in columns of other dofs: (row, dof, value).
    pub coupling: Vec<(usize, usize, f64)>,
    /// Right-hand side, then the solution.
    pub force: Vec<f64>,
    /// Jacobian columns (dof, column) of the nodes of one flex, and where each node's begin.
    pub columns: Vec<(i32, [f64; 3])>,
    pub start: Vec<usize>,
}
