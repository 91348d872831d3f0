//! What kernels over the kinematic tree are made of: who hangs on whom, results of consecutive bodies, and where a model
//! can be cut so that its pieces are computed side by side.

use crate::parallel;
use ligament_model::Model;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

/// Bodies, their parents and their joints.
#[derive(Clone, Copy)]
pub(crate) struct Skeleton<'a> {
    /// Parents of bodies.
    pub parent: &'a [i32],
    joint_start: &'a [i32],
    joint_count: &'a [i32],
    /// Kinds of joints.
    pub kind: &'a [i32],
    /// First degrees of freedom of joints.
    pub dof: &'a [i32],
}

impl<'a> Skeleton<'a> {
    /// All lists of bodies, and all of joints, are known to be as long as each other: of the places that a kernel looks at in them,
    /// the compiler checks the first.
    #[inline(always)]
    pub fn of(m: &'a Model) -> Self {
        Self {
            parent: &m.body_parentid[..m.nbody],
            joint_start: &m.body_jntadr[..m.nbody],
            joint_count: &m.body_jntnum[..m.nbody],
            kind: &m.jnt_type[..m.njnt],
            dof: &m.jnt_dofadr[..m.njnt],
        }
    }

    /// Joints of a body.
    #[inline]
    pub fn joints(&self, body: usize) -> Range<usize> {
        let start = self.joint_start[body].max(0) as usize;
        start..start + self.joint_count[body] as usize
    }
}

/// Bodies below which threads cost more than they save.
const MIN_BODIES: usize = 600;

/// Does work for all bodies but the world and what belongs to these: in pieces by several threads where there are many of
/// them. The work is written out twice, so that where there is one piece the compiler knows that it is everything. Threads get
/// copies of what it reads: what they share has an address, and would be read from memory again for every body.
macro_rules! side_by_side {
    ($m:expr, $threads:expr, $out:expr, |$piece:pat_param, $results:ident| $work:block) => {
        if $crate::support::skeleton::is_worth_threads($m, $threads) {
            $crate::support::skeleton::in_pieces($m, $threads, $out, move |$piece, mut $results| $work);
        } else {
            let ($piece, mut $results) = (&$crate::support::skeleton::Piece::all($m), $out);
            $work
        }
    };
}
pub(crate) use side_by_side;

/// Is there enough to do for several threads?
#[inline]
pub(crate) fn is_worth_threads(m: &Model, threads: usize) -> bool {
    // points of soft flexes take next to nothing
    threads >= 2 && m.nbody - m.parts.soft_points().len() >= MIN_BODIES
}

/// Does `work` in pieces.
#[cold]
pub(crate) fn in_pieces<O: Divide>(m: &Model, threads: usize, out: O, work: impl Fn(&Piece, O) + Sync) {
    parallel::each(threads, Pieces::of(m, threads, out), |(piece, out)| work(&piece, out));
}

/// Consecutive bodies, the first of which hangs on the world, their degrees of freedom and their geoms (those of the world
/// with the first bodies). Bodies are numbered along the tree: a child of the world and all that hangs on it are consecutive, and
/// so is what belongs to them.
pub(crate) struct Piece {
    pub bodies: Range<usize>,
    pub joints: Range<usize>,
    pub dofs: Range<usize>,
    pub geoms: Range<usize>,
}

impl Piece {
    /// Everything.
    #[inline]
    pub fn all(m: &Model) -> Self {
        Self { bodies: 1..m.nbody, joints: 0..m.njnt, dofs: 0..m.nv, geoms: 0..m.ngeom }
    }

    /// What is before a place, and what is behind it.
    fn cut(self, at: &Cut) -> (Self, Self) {
        let Self { bodies, joints, dofs, geoms } = self;
        (
            Self {
                bodies: bodies.start..at.body,
                joints: joints.start..at.joint,
                dofs: dofs.start..at.dof,
                geoms: geoms.start..at.geom,
            },
            Self {
                bodies: at.body..bodies.end,
                joints: at.joint..joints.end,
                dofs: at.dof..dofs.end,
                geoms: at.geom..geoms.end,
            },
        )
    }

    /// Entries of M of the degrees of freedom.
    pub fn entries(&self, m: &Model) -> Range<usize> {
        first_entry(m, self.dofs.start)..first_entry(m, self.dofs.end)
    }

    /// Bodies before and behind those that are points of soft flexes, and the points, on which nothing hangs.
    #[inline]
    pub fn apart_from_points(&self, m: &Model) -> ([Range<usize>; 2], Range<usize>) {
        let Range { start, end } = self.bodies;
        let points = m.parts.soft_points();
        let (first, last) = (points.start.clamp(start, end), points.end.clamp(start, end));
        if first == last {
            ([start..end, end..end], end..end)
        } else {
            ([start..first, last..end], first..last)
        }
    }
}

/// The first entry of M of a degree of freedom.
fn first_entry(m: &Model, dof: usize) -> usize {
    m.M_rowadr.get(dof).map_or(m.nC, |&row| row as usize)
}

/// Pieces of about the same size, with their results.
pub(crate) struct Pieces<'a, O> {
    m: &'a Model,
    rest: Option<(Piece, O)>,
    count: usize,
}

impl<'a, O: Divide> Pieces<'a, O> {
    pub fn of(m: &'a Model, threads: usize, out: O) -> Self {
        Self { m, rest: Some((Piece::all(m), out)), count: parallel::pieces(threads, 2) }
    }
}

impl<O: Divide> Iterator for Pieces<'_, O> {
    type Item = (Piece, O);

    fn next(&mut self) -> Option<Self::Item> {
        let (piece, out) = self.rest.take()?;
        let end = piece.bodies.start + piece.bodies.len() / self.count.max(1);
        self.count = self.count.saturating_sub(1);
        let Some(cut) = cut(self.m, &piece, end) else { return Some((piece, out)) };
        let (left, right) = out.divide(&cut);
        let (first, rest) = piece.cut(&cut);
        self.rest = Some((rest, right));
        Some((first, left))
    }
}

/// The first place in a piece, from a body on, where nothing hangs on what is before it.
fn cut(m: &Model, piece: &Piece, from: usize) -> Option<Cut> {
    let Range { start, end } = piece.bodies;
    let body = (from..end).find(|&i| i > start && m.body_parentid[i] == 0)?;
    // joints and geoms are numbered along the bodies
    let first = |owners: &[i32]| owners.partition_point(|&owner| (owner as usize) < body);
    let joint = first(&m.jnt_bodyid);
    let dof = m.jnt_dofadr.get(joint).map_or(m.nv, |&dof| dof as usize);
    let old_entry = m.dof_Madr.get(dof).map_or(m.nM, |&row| row as usize);
    let position = m.jnt_qposadr.get(joint).map_or(m.nq, |&adr| adr as usize);
    Some(Cut {
        body,
        joint,
        position,
        dof,
        geom: first(&m.geom_bodyid),
        entry: first_entry(m, dof),
        old_entry,
    })
}

/// Where a second half begins: first body, joint, …
pub(crate) struct Cut {
    body: usize,
    joint: usize,
    position: usize,
    dof: usize,
    geom: usize,
    entry: usize,
    old_entry: usize,
}

/// What the items of a [`Span`] belong to.
pub(crate) trait Owner: Send {
    fn place(cut: &Cut) -> usize;
}

macro_rules! owners {
    ($($(#[$doc:meta])* $name:ident $place:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) enum $name {}

        impl Owner for $name {
            fn place(cut: &Cut) -> usize {
                cut.$place
            }
        }
    )*};
}

owners! {
    /// An item a body.
    Body body;
    /// An item a joint.
    Joint joint;
    /// An item a degree of freedom.
    Dof dof;
    /// An item a position of a joint.
    Position position;
    /// An item a geom.
    Geom geom;
    /// An item an entry of M.
    Entry entry;
    /// An item an entry of M in the older layout.
    OldEntry old_entry;
}

/// Items that are never divided.
pub(crate) enum Whole {}

/// Results that two halves of a model can write apart.
pub(crate) trait Divide: Send + Sized {
    fn divide(self, cut: &Cut) -> (Self, Self);
}

/// Numbers of consecutive bodies (joints, …), found by the ids that they have in the whole model.
pub(crate) struct Span<'a, K, T> {
    first: usize,
    items: &'a mut [T],
    owner: PhantomData<K>,
}

impl<'a, K, T> Span<'a, K, T> {
    /// All of them.
    #[inline]
    pub fn whole(items: &'a mut [T]) -> Self {
        Self { first: 0, items, owner: PhantomData }
    }

    /// All items, and the id of the first.
    #[inline]
    pub fn whole_range(&mut self) -> (usize, &mut [T]) {
        (self.first, self.items)
    }

    /// From an id on.
    #[inline]
    pub fn from(&mut self, id: usize) -> &mut [T] {
        &mut self.items[id.wrapping_sub(self.first)..]
    }

    /// Items with consecutive ids.
    #[inline]
    pub fn range(&mut self, ids: Range<usize>) -> &mut [T] {
        &mut self.items[ids.start.wrapping_sub(self.first)..ids.end.wrapping_sub(self.first)]
    }
}

impl<K: Owner, T: Send> Divide for Span<'_, K, T> {
    fn divide(self, cut: &Cut) -> (Self, Self) {
        let first = K::place(cut);
        let (left, right) = self.items.split_at_mut(first - self.first);
        let owner = PhantomData;
        (Self { first: self.first, items: left, owner }, Self { first, items: right, owner })
    }
}

impl<A: Divide, B: Divide> Divide for (A, B) {
    fn divide(self, cut: &Cut) -> (Self, Self) {
        let (a, a2) = self.0.divide(cut);
        let (b, b2) = self.1.divide(cut);
        ((a, b), (a2, b2))
    }
}

impl<K, T> Index<usize> for Span<'_, K, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, id: usize) -> &T {
        &self.items[id.wrapping_sub(self.first)]
    }
}

impl<K, T> Index<Range<usize>> for Span<'_, K, T> {
    type Output = [T];

    #[inline(always)]
    fn index(&self, ids: Range<usize>) -> &[T] {
        if ids.is_empty() {
            return &[]; // such as the joints of a body that has none: they begin nowhere
        }
        &self.items[ids.start.wrapping_sub(self.first)..ids.end.wrapping_sub(self.first)]
    }
}

impl<K, T> IndexMut<usize> for Span<'_, K, T> {
    #[inline(always)]
    fn index_mut(&mut self, id: usize) -> &mut T {
        &mut self.items[id.wrapping_sub(self.first)]
    }
}
