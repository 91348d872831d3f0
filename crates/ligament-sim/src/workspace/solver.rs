//! Working memory of the constraint solvers.

use super::SparseRows;
use ligament_math::csr::{Csr, ReverseFactor, UpdateOutcome};
use ligament_math::nodes::{BlockPlace, NodeFactor};
use ligament_math::ordered::OrderedFactor;
use ligament_model::data::SolverStat;
use ligament_model::parts::SoftPoint;
use std::ops::Range;

/// Second derivative of the cost of an elliptic contact: `dim × dim` numbers by rows.
pub type ConeHessian = [f64; 36];

/// Consecutive constraint rows that act on the same degrees of freedom: a small dense matrix.
#[derive(Debug, Clone, Copy, Default)]
pub struct Block {
    /// First row and number of rows.
    pub row: usize,
    pub rows: usize,
    /// Where its columns stand in `cols`, and how many there are.
    pub col_adr: usize,
    pub ncol: usize,
    /// Where the list of those that have numbers stands in `used`, and its length.
    pub used_adr: usize,
    pub nused: usize,
    /// Where its `rows × ncol` numbers stand in `values`.
    pub adr: usize,
}

/// The Jacobian of one island as dense blocks.
#[derive(Debug, Default)]
pub struct BlockJacobian {
    pub blocks: Vec<Block>,
    pub cols: Vec<u32>,
    /// Places among the columns of a block at which there are numbers.
    pub used: Vec<u32>,
    pub values: Vec<f64>,
    /// Whether the Jacobian is stored densely: sums follow the columns, not the places in a compressed row.
    pub dense: bool,
    /// Is there one block only, with all columns in their order? So it is in small systems.
    pub whole: bool,
    /// For each column the blocks that contain it and its place there, where someone listed them; where those of each begin.
    pub columns: Vec<(u32, u32)>,
    pub column_start: Vec<usize>,
    /// The rows of a sparse Jacobian, for the conjugate gradient, which needs no blocks.
    pub rows: Csr,
    /// The transpose of a sparse Jacobian.
    pub transposed: Csr,
    /// The pattern of the rows that it was made of, and where each of its entries stood.
    pub known_start: Vec<usize>,
    pub known_cols: Vec<u32>,
    pub places: Vec<u32>,
    /// Entries of a vector at the columns of a block; the same for each piece of a product.
    pub gathered: Vec<f64>,
    pub threads_gathered: Vec<Vec<f64>>,
    /// Threads for products.
    pub threads: usize,
    /// Where the groups of columns of the block under construction begin.
    pub kept: Vec<usize>,
    /// Has a row the columns of the one before it?
    pub continues: Vec<bool>,
}

impl BlockJacobian {
    /// Forgets all blocks, keeps the memory.
    pub fn clear_blocks(&mut self) {
        self.blocks.clear();
        self.cols.clear();
        self.used.clear();
        self.values.clear();
    }

    /// Lists the blocks that contain each of `n` columns.
    pub fn list_columns(&mut self, n: usize) {
        let Self { blocks, cols, columns, column_start: start, .. } = self;
        start.clear();
        start.resize(n + 2, 0);
        for &c in &*cols {
            start[c as usize + 2] += 1;
        }
        for c in 0..n {
            start[c + 2] += start[c + 1];
        }
        // each is overwritten
        columns.resize(cols.len(), (0, 0));
        for (k, b) in (0..).zip(&*blocks) {
            for (slot, &c) in (0..).zip(&cols[b.col_adr..b.col_adr + b.ncol]) {
                columns[start[c as usize + 1]] = (k, slot);
                start[c as usize + 1] += 1;
            }
        }
        start.truncate(n + 1);
    }

    /// The blocks that contain a column, and its place there.
    #[inline]
    pub fn blocks_of(&self, column: usize) -> &[(u32, u32)] {
        &self.columns[self.column_start[column]..self.column_start[column + 1]]
    }

    /// How many numbers it has.
    pub fn entries(&self) -> usize {
        self.values.len() + self.rows.val.len()
    }
}

/// Costs of the rows along a search direction.
#[derive(Debug, Default)]
pub struct LineRows {
    /// Residual of each row with a one-sided quadratic cost.
    pub x0: Vec<f64>,
    /// Slope of that residual along the line.
    pub x1: Vec<f64>,
    /// Constant coefficient of its cost.
    pub q0: Vec<f64>,
    /// Linear coefficient.
    pub q1: Vec<f64>,
    /// Quadratic coefficient.
    pub q2: Vec<f64>,
    /// Friction rows: residual, slope, frictionloss, width of the quadratic zone, coefficients.
    pub friction: Vec<[f64; 7]>,
    /// Elliptic contacts: number of one-sided rows before them; U₀ V₀ UU UV VV Dm mu, and the coefficients of the
    /// bottom zone.
    pub cones: Vec<(usize, [f64; 10])>,
    /// Cost of motion, and of the rows that are always active.
    pub base: [f64; 3],
    /// Threads that share sums over rows in blocks; nothing where sums run from row to row.
    pub shared_by: Option<usize>,
}

/// Where the search begins, in global numbering.
#[derive(Debug, Default)]
pub struct StartPoint {
    /// J a − aref of all rows.
    pub residual: Vec<f64>,
    /// M a; empty where nobody knows it.
    pub momentum: Vec<f64>,
}

/// Everything the solvers need for one island, in island numbering.
#[derive(Debug, Default)]
pub struct SolverScratch {
    /// Operations that are left.
    pub effort: u64,
    /// Bytes that the factor may take.
    pub memory: u64,
    /// Threads that may work on the factor.
    pub threads: usize,
    /// Degrees of freedom and rows of the island, in global numbering.
    pub dofs: Vec<usize>,
    pub rows: Vec<usize>,
    /// Island number of every global degree of freedom.
    pub local: Vec<u32>,
    pub ne: usize,
    pub nf: usize,
    pub mass: Csr,
    /// Factor of the mass matrix with the same pattern, and its reciprocal diagonal.
    pub mass_factor: Vec<f64>,
    pub mass_diag_inv: Vec<f64>,
    pub jac: BlockJacobian,
    pub qfrc_smooth: Vec<f64>,
    pub qacc_smooth: Vec<f64>,
    pub qfrc_constraint: Vec<f64>,
    pub qacc: Vec<f64>,
    pub D: Vec<f64>,
    pub R: Vec<f64>,
    pub frictionloss: Vec<f64>,
    pub kind: Vec<i32>,
    pub id: Vec<i32>,
    pub force: Vec<f64>,
    pub state: Vec<i32>,
    /// Second derivatives of contacts on their cones, at their first rows.
    pub cones: Vec<ConeHessian>,
    pub old_state: Vec<i32>,
    /// J a − aref, J v, M a, M v.
    pub jaref: Vec<f64>,
    pub jv: Vec<f64>,
    pub ma: Vec<f64>,
    pub mv: Vec<f64>,
    pub grad: Vec<f64>,
    pub mgrad: Vec<f64>,
    pub search: Vec<f64>,
    pub grad_old: Vec<f64>,
    pub mgrad_old: Vec<f64>,
    pub line: LineRows,
    pub hessian: Hessian,
    pub start: StartPoint,
    /// Is the start point the last acceleration already?
    pub warm_known: bool,
    /// Is the system gathered but for its start point?
    pub is_gathered: bool,
    /// The sum of the diagonal of M, where that was added up while the system was gathered.
    pub trace: Option<f64>,
    /// Costs of rows, to be added up.
    pub row_costs: Vec<f64>,

    /// Dual solvers: reciprocal diagonal and the product with a force.
    pub ar_diag_inv: Vec<f64>,
    pub ar_force: Vec<f64>,
}

impl SolverScratch {
    /// Counts work that is about to be done; says whether any was left.
    pub fn afford(&mut self, work: usize) -> bool {
        let allowed = self.effort > 0;
        self.effort = self.effort.saturating_sub(work as u64);
        allowed
    }
}

/// A row with curvature.
#[derive(Debug, Clone, Copy, Default)]
pub struct ActiveRow {
    /// Where it stands in the numbers of the Jacobian.
    pub adr: usize,
    /// Its curvature, when that is a single number.
    pub D: Option<f64>,
}

/// How the Hessian is stored and factored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FactorKind {
    /// Dense, by columns, first variable first: what MuJoCo does with a dense Jacobian.
    Columns,
    /// Dense numbers in the order of the sparse algorithm: sparse Jacobian, few variables.
    Ordered,
    /// Dense, last variable first: curved cones, few variables.
    Reverse,
    /// Sparse, last variable first.
    #[default]
    Sparse,
    /// By nodes: sparse systems that are large. The order of elimination is another than MuJoCo's.
    Nodes,
}

/// The pattern that was analysed last.
#[derive(Debug, Default)]
pub struct KnownPattern {
    pub mass_start: Vec<usize>,
    pub mass_cols: Vec<u32>,
    pub block_sizes: Vec<usize>,
    pub block_cols: Vec<u32>,
    /// How it is factored.
    pub kind: FactorKind,
}

/// Two nodes of a block, or one with itself: which of the columns of the block are theirs, and where their numbers stand.
#[derive(Debug, Clone, Copy)]
pub struct NodePair {
    pub block: u32,
    pub left: (u32, u32),
    pub right: (u32, u32),
    pub place: BlockPlace,
}

/// Does a node appear where the one before it does?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follows {
    /// Neither has appeared.
    Unknown,
    Always,
    Not,
}

/// What consecutive blocks add to panels, which are named first.
#[derive(Debug, Default)]
pub struct PairPiece {
    pub pairs: Vec<(u32, NodePair)>,
    /// Nodes of a block and where their columns begin and end in it.
    pub parts: Vec<(u32, (u32, u32))>,
}

/// The Hessian of the primal cost, M + Jᵀ D J plus the curvature of cones, and its factor.
#[derive(Debug, Default)]
pub struct Hessian {
    pub kind: FactorKind,
    /// Products of the assembly, if all rows have curvature.
    pub products: u64,
    /// Numbers of `Columns` and `Reverse`.
    pub dense: Vec<f64>,
    pub ordered: OrderedFactor,
    pub sparse: ReverseFactor,
    pub nodes: NodeFactor,
    /// Node of each variable and its place there; nodes of the blocks, and where those of each begin; whether the tree behind
    /// each appears together with it.
    pub node_of: Vec<(u32, u32)>,
    pub block_nodes: Vec<u32>,
    pub block_node_start: Vec<usize>,
    pub follows: Vec<Follows>,
    /// Variables of each node; its parent in the order of the variables, and the last one that met it.
    pub node_sizes: Vec<u32>,
    pub node_parents: Vec<u32>,
    pub met_by: Vec<u32>,
    /// What blocks add to panels: in the order of the blocks; by panel; where those of each panel begin.
    pub pairs: Vec<PairPiece>,
    pub sorted_pairs: Vec<NodePair>,
    pub panel_pairs: Vec<usize>,
    /// Blocks of which something else is added than the last time, and the panels to which they are added.
    pub changed_blocks: Vec<bool>,
    pub changed_panels: Vec<bool>,
    pub known: KnownPattern,
    /// Rows that are put into the factor or taken out, with their blocks, and what came of it.
    pub changes: Vec<(Block, usize)>,
    pub outcomes: Vec<UpdateOutcome>,
    /// Whether cones are part of the current factor.
    pub has_cones: bool,
    /// Where the rows with curvature stand in the Jacobian: as many places as rows; those of each block that are in use.
    pub active: Vec<ActiveRow>,
    pub active_of: Vec<Range<usize>>,
    /// The Jacobian with those rows multiplied by their curvature.
    pub weighted: Vec<f64>,
    /// The active rows of a small system, one after the other, and the same multiplied by their curvature.
    pub picked: Vec<f64>,
    pub picked_weighted: Vec<f64>,
    /// One row of the Hessian at the columns of a block.
    pub sums: Vec<f64>,
    /// Bit sets of the variables that meet each variable.
    pub adjacent: Vec<u64>,
    /// The later variables that one meets, as a bit set; those that M ties to each variable, and where they begin.
    pub met: Vec<u64>,
    pub mass_rows: Vec<u32>,
    pub mass_start: Vec<usize>,
    /// A dense vector: rank-one update, or a row during assembly.
    pub vector: Vec<f64>,
    /// For each variable the later ones it meets: pattern of the upper triangle.
    pub above_start: Vec<usize>,
    pub above: Vec<u32>,
}

/// Islands that are solved side by side: a scratch for each piece of work, and results in island numbering.
#[derive(Debug, Default)]
pub struct SideBySide {
    pub solvers: Vec<SolverScratch>,
    /// Scratches in use.
    pub pieces: usize,
    pub qacc: Vec<f64>,
    pub qfrc_constraint: Vec<f64>,
    pub force: Vec<f64>,
    pub state: Vec<i32>,
    pub cones: Vec<ConeHessian>,
    /// Iterations and entries of the factor of each island.
    pub counts: Vec<(i32, i32)>,
    pub statistics: Vec<SolverStat>,
}

/// Rows that the position-based solver solves together: their factor stands at `factor`.
#[derive(Debug, Clone, Copy)]
pub struct JoinedRows {
    pub row: usize,
    pub count: usize,
    pub factor: usize,
}

/// A contact of a point of three degrees of freedom with something that cannot move, or whose inertia is diagonal, for the
/// position-based solver.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    pub dof: usize,
    /// First row of the model, and the rows of [`Xpbd::touch_rows`].
    pub row: usize,
    pub start: usize,
    pub end: usize,
    /// The first of [`Xpbd::partners`], and how many there are for each row.
    pub partner: usize,
    pub partners: usize,
    pub inverse_mass: f64,
    /// Of an elliptic cone.
    pub friction: Option<[f64; 2]>,
}

/// A row of a [`Touch`].
#[derive(Debug, Clone, Copy)]
pub struct TouchRow {
    pub direction: [f64; 3],
    pub distance: f64,
    /// Relative compliance α̃, and one more than the relative damping, 1 + γ.
    pub softness: f64,
    pub stiffer: f64,
    /// Inverse of (1 + γ) J M⁻¹ Jᵀ + α̃.
    pub inverse: f64,
    /// J M⁻¹ Jᵀ
    pub diagonal: f64,
    pub lambda: f64,
    pub total: f64,
}

/// A degree of freedom of what a point touches, for one row.
#[derive(Debug, Clone, Copy)]
pub struct Partner {
    pub dof: usize,
    pub jacobian: f64,
    /// M⁻¹ Jᵀ
    pub response: f64,
}

/// A vertex of a soft flex that a body carries along, or that an equality holds to a body.
#[derive(Debug, Clone, Copy)]
pub struct Carried {
    /// Its number among the particles.
    pub particle: usize,
    /// Its Jacobian: a range of [`Particles::chain`].
    pub start: usize,
    pub end: usize,
    /// Inverse of the least mass that a push at it feels.
    pub inverse_mass: f64,
}

/// A vertex of a soft flex that an equality connects with a body.
#[derive(Debug, Clone, Copy)]
pub struct Tie {
    /// The first row of the equality, and the sign that the vertex has in it.
    pub row: usize,
    pub sign: f64,
    /// The first degree of freedom of the vertex.
    pub dof: usize,
    /// The tree of the body, unless it is fixed.
    pub tree: Option<i32>,
    /// Inverse of the least mass that a push at the body feels.
    pub inverse_mass: f64,
}

/// Consecutive particles with consecutive degrees of freedom, three each.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    pub start: usize,
    pub end: usize,
    /// The first degree of freedom.
    pub dof: usize,
}

/// Vertices of soft flexes, as the position-based solver moves them.
#[derive(Debug, Default)]
pub struct Particles {
    /// Number of each soft flex, its first particle and its first multiplier.
    pub flexes: Vec<(usize, usize, usize)>,
    /// The first of the three degrees of freedom of a vertex that moves by itself, along the axes of the world;
    /// [`Particles::HELD`] for others.
    pub dof: Vec<u32>,
    /// Particles that move by themselves, and the others.
    pub runs: Vec<Run>,
    pub held: Vec<usize>,
    /// Where they were when the substep began, and their inverse masses.
    pub start: Vec<SoftPoint>,
    pub position: Vec<SoftPoint>,
    pub lambda: Vec<f64>,
    pub carried: Vec<Carried>,
    /// Degrees of freedom and the columns of their Jacobian.
    pub chain: Vec<(usize, [f64; 3])>,
    /// Three rows of (M⁻¹ Jᵀ)ᵀ for each that is carried.
    pub response: SparseRows,
    /// How many vertices a tree carries.
    pub shares: Vec<f64>,
    /// One dense row.
    pub row: Vec<f64>,
}

impl Particles {
    /// In the place of a degree of freedom: nothing moves the vertex, or a body does.
    pub const HELD: u32 = u32::MAX;

    /// Forgets all particles, keeps the memory.
    pub fn clear(&mut self) {
        self.flexes.clear();
        self.dof.clear();
        self.start.clear();
        self.lambda.clear();
        self.carried.clear();
        self.chain.clear();
        self.response.clear();
    }
}

/// Buffers of the position-based solver, one number a row or a degree of freedom.
#[derive(Debug, Default)]
pub struct Xpbd {
    /// Velocities as the rows have changed them.
    pub velocity: Vec<f64>,
    /// Distances at the beginning of the substep.
    pub distance: Vec<f64>,
    /// Multipliers of the substep, and their sums over all substeps.
    pub lambda: Vec<f64>,
    pub total: Vec<f64>,
    /// Relative compliance and damping.
    pub soft: Vec<(f64, f64)>,
    /// Diagonal of J M⁻¹ Jᵀ.
    pub diagonal: Vec<f64>,
    /// Rows of (M⁻¹ Jᵀ)ᵀ.
    pub response: SparseRows,
    /// Rows of limits and contacts, the first of each elliptic cone.
    pub one_sided: Vec<usize>,
    /// Contacts that are not among them.
    pub touches: Vec<Touch>,
    pub touch_rows: Vec<TouchRow>,
    pub partners: Vec<Partner>,
    /// Rows of equalities that are solved together, and the factors of their matrices.
    pub joined: Vec<JoinedRows>,
    pub factors: Vec<f64>,
    /// One dense row.
    pub row: Vec<f64>,
    /// What soft flexes push: changes of velocity of vertices that move by themselves, impulses of other degrees of
    /// freedom.
    pub impulse: Vec<f64>,
    /// How far everything has moved in the substeps.
    pub travel: Vec<f64>,
    pub particles: Particles,
    pub ties: Vec<Tie>,
}
