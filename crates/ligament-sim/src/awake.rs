//! Which bodies and degrees of freedom a stage visits: all of them, or only those awake.

use ligament_model::enums::EnableBit;
use ligament_model::{Data, Model};

/// Items to visit, in increasing order: everything, or an index list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Selection<'a> {
    index: Option<&'a [i32]>,
    len: usize,
}

impl<'a> Selection<'a> {
    /// All items `0..len`.
    pub fn all(len: usize) -> Self {
        Self { index: None, len }
    }

    /// The first `awake` entries of `index` when that is a real subset of `0..len` and sleeping is enabled.
    pub fn new(sleep: bool, index: &'a [i32], awake: usize, all: usize) -> Self {
        if sleep && awake < all { Self { index: Some(&index[..awake]), len: awake } } else { Self::all(all) }
    }

    /// Number of items.
    #[inline]
    pub fn len(self) -> usize {
        self.len
    }

    /// The index list, when it is not everything.
    #[inline]
    pub fn index(self) -> Option<&'a [i32]> {
        self.index
    }

    /// Does this leave anything out?
    #[inline]
    pub fn is_filtered(self) -> bool {
        self.index.is_some()
    }

    /// The k-th item.
    #[inline]
    pub fn get(self, k: usize) -> usize {
        match self.index {
            Some(index) => index[k] as usize,
            None => k,
        }
    }

    /// All items, in order.
    #[inline]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = usize> + 'a {
        (0..self.len).map(move |k| self.get(k))
    }
}

/// Is sleeping enabled?
#[inline]
pub(crate) fn sleep_enabled(m: &Model) -> bool {
    m.opt.enabled(EnableBit::Sleep)
}

/// Bodies whose quantities must be computed.
pub(crate) fn bodies<'a>(m: &Model, d: &'a Data) -> Selection<'a> {
    Selection::new(sleep_enabled(m), &d.body_awake_ind, d.nbody_awake, m.nbody)
}

/// Degrees of freedom whose quantities must be computed.
pub(crate) fn dofs<'a>(m: &Model, d: &'a Data) -> Selection<'a> {
    Selection::new(sleep_enabled(m), &d.dof_awake_ind, d.nv_awake, m.nv)
}
