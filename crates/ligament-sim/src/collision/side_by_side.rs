//! The narrow phase on several threads: consecutive pairs are tested together, and their contacts are put one behind the
//! other as if they had been found one after the other.

use super::{Capacity, Detector};
use crate::parallel;
use crate::workspace::NarrowPiece;
use ligament_math::team::share::{self, Append};
use ligament_model::{Contact, Data, Model};
use std::ops::Range;

/// Pairs below which threads cost more than they save.
const MIN_PAIRS: usize = 200;

/// Pieces a thread gets: more than one, since pairs differ in what they take.
const PIECES: usize = 4;

/// Tests the pairs side by side; says whether it did. Functions of the user are called by the caller's thread alone.
#[inline(never)]
pub(super) fn process(detector: &mut Detector, pairs: &[u64]) -> bool {
    let (m, d, capacity, effort) = (detector.m, detector.d, detector.capacity, detector.effort);
    if d.threads < 2 || pairs.len() < MIN_PAIRS || d.callbacks.contact_filter.is_some() {
        return false;
    }
    let mut pieces = std::mem::take(&mut detector.scratch.pieces);
    // each piece has a pair: only the last one ends where the pairs end
    let count = parallel::pieces(d.threads, PIECES).min(pairs.len());
    pieces.resize_with(count.max(pieces.len()), NarrowPiece::default);
    for piece in &mut pieces[..count] {
        piece.contacts.clear();
        piece.scratch.descents.clear();
        piece.effort = effort;
    }
    let task = Task { m, d, pairs, capacity };
    let work = |range, piece: &mut NarrowPiece| task.run(range, piece);
    parallel::share_out(d.threads, 0..pairs.len(), &mut pieces[..count], work);
    put_together(d.threads, &pieces[..count], detector.contacts);
    for piece in &pieces[..count] {
        detector.scratch.descents.extend_from_slice(&piece.scratch.descents);
        detector.effort = detector.effort.saturating_sub(effort - piece.effort);
    }
    detector.scratch.pieces = pieces;
    true
}

/// Contacts below which one thread puts them together: they are long.
const MIN_CONTACTS: usize = 100;

/// Appends the contacts of the pieces, one piece behind the other.
fn put_together(threads: usize, pieces: &[NarrowPiece], contacts: &mut Vec<Contact>) {
    let total = pieces.iter().map(|piece| piece.contacts.len()).sum();
    if total < MIN_CONTACTS {
        return pieces.iter().for_each(|piece| contacts.extend_from_slice(&piece.contacts));
    }
    let own = |range: Range<usize>| {
        let mut first = 0;
        pieces.iter().flat_map(move |piece| {
            let of_piece = 0..piece.contacts.len();
            let place = |k: usize| k.saturating_sub(first).min(of_piece.end);
            let part = place(range.start)..place(range.end);
            first += of_piece.end;
            piece.contacts[part].iter().copied()
        })
    };
    let mut all = Append::of(contacts, total, own);
    share::all(threads, MIN_CONTACTS / 4, &mut [], &mut [&mut all]);
    all.finish();
}

/// What is the same for all pieces.
#[derive(Clone, Copy)]
struct Task<'a> {
    m: &'a Model,
    d: &'a Data,
    pairs: &'a [u64],
    capacity: Capacity,
}

impl Task<'_> {
    fn run(self, range: Range<usize>, piece: &mut NarrowPiece) {
        let NarrowPiece { scratch, contacts, effort } = piece;
        let Self { m, d, pairs, capacity } = self;
        let (knows_trees, effort_left) = (false, *effort);
        let mut detector = Detector { m, d, scratch, knows_trees, contacts, capacity, effort: effort_left };
        detector.process_range(pairs, range);
        detector.afford(0);
        *effort = detector.effort;
    }
}
