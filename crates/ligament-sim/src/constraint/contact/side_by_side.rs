//! Rows of contacts on several threads: those of consecutive contacts are made together and put one behind the other, as if
//! they had been made one after the other.

use super::ContactRows;
use crate::constraint::rows::Rows;
use crate::parallel;
use crate::workspace::{ConstraintScratch, ContactPiece, Verdict};
use ligament_model::Contact;
use ligament_model::storage::List;
use std::ops::Range;

impl ContactRows<'_> {
    /// [`ContactRows::add`] on so many threads.
    #[inline(never)]
    pub(super) fn add_on(
        self,
        threads: usize,
        contacts: &mut [Contact],
        rows: &mut Rows,
        s: &mut ConstraintScratch,
    ) -> Option<usize> {
        let count = parallel::pieces(threads, 2);
        s.pieces.resize_with(count.max(s.pieces.len()), ContactPiece::default);
        let pieces = &mut s.pieces[..count];
        let work = |(ids, contacts): (Range<usize>, &mut [Contact]), piece: &mut ContactPiece| {
            self.make_piece(ids, contacts, piece);
        };
        parallel::share_out(threads, (0..contacts.len(), &mut *contacts), pieces, work);
        let (count, entries) =
            pieces.iter().fold((0, 0), |(rows, entries), p| (rows + p.kind.len(), entries + p.jac.len()));
        if rows.sparse && rows.has_room(count, entries) {
            put_together(threads, contacts, pieces, rows);
            pieces.iter().find_map(|piece| piece.unknown)
        } else {
            self.join(contacts, pieces, rows)
        }
    }

    /// Rows of consecutive contacts, as they stand in a sparse Jacobian.
    fn make_piece(self, ids: Range<usize>, contacts: &mut [Contact], piece: &mut ContactPiece) {
        let ContactPiece { scratch, verdicts, unknown, jac, colind, rownnz, kind, id, pos, margin } = piece;
        verdicts.clear();
        *unknown = None;
        for list in [&mut *jac, pos, margin] {
            list.clear();
        }
        for list in [&mut *colind, rownnz, kind, id] {
            list.clear();
        }
        for (own_id, con) in ids.zip(contacts) {
            let verdict = self.make(con, scratch);
            verdicts.push(verdict);
            match verdict {
                Verdict::Nothing => continue,
                Verdict::Unknown => {
                    *unknown = unknown.or(Some(own_id));
                    continue;
                }
                Verdict::Rows => {}
            }
            let ((own_kind, depths), size) = (self.kind(con), self.size(con));
            con.efc_address = kind.len() as i32;
            jac.extend_from_slice(&scratch.block);
            (0..size).for_each(|_| colind.extend_from_slice(&scratch.cols));
            let end = kind.len() + size;
            rownnz.resize(end, scratch.cols.len() as i32);
            kind.resize(end, own_kind as i32);
            id.resize(end, own_id as i32);
            for (list, depth) in [(&mut *pos, con.dist), (margin, con.includemargin)] {
                list.resize(end - size + depths.min(size), depth);
                list.resize(end, 0.0);
            }
        }
    }

    /// Adds the rows of the pieces contact by contact.
    fn join(self, contacts: &mut [Contact], pieces: &[ContactPiece], rows: &mut Rows) -> Option<usize> {
        let mut contacts = contacts.iter_mut().enumerate();
        for piece in pieces {
            let (mut row, mut jac, mut colind) = (0, &piece.jac[..], &piece.colind[..]);
            for (&verdict, (id, con)) in piece.verdicts.iter().zip(&mut contacts) {
                if verdict != Verdict::Rows {
                    continue;
                }
                let (width, size) = (piece.rownnz[row] as usize, self.size(con));
                let (own_cols, own_jac);
                (own_cols, colind) = colind.split_at(width * size);
                (own_jac, jac) = jac.split_at(width * size);
                self.add_contact(con, id, (&own_cols[..width], own_jac), rows);
                row += size;
            }
        }
        pieces.iter().find_map(|piece| piece.unknown)
    }
}

/// A part of putting pieces together that meets no other.
enum Share<'a> {
    Numbers(&'a mut List<f64>, fn(&ContactPiece) -> &[f64]),
    Integers(&'a mut List<i32>, fn(&ContactPiece) -> &[i32]),
    /// Where rows begin in the Jacobian, which has so many numbers.
    Starts(&'a mut List<i32>, usize),
    /// Contacts of a piece, and its first row.
    Contacts(&'a mut [Contact], &'a ContactPiece, usize),
}

/// Appends the rows of the pieces, each list for itself.
fn put_together(threads: usize, contacts: &mut [Contact], pieces: &[ContactPiece], rows: &mut Rows) {
    let (mut first_row, entries) = (rows.len(), rows.jac.len());
    let added: usize = pieces.iter().map(|piece| piece.kind.len()).sum();
    rows.frictionloss.resize(first_row + added, 0.0);
    let lists = [
        Share::Numbers(rows.jac, |piece| &piece.jac),
        Share::Integers(rows.colind, |piece| &piece.colind),
        Share::Numbers(rows.pos, |piece| &piece.pos),
        Share::Numbers(rows.margin, |piece| &piece.margin),
        Share::Starts(rows.rowadr, entries),
        Share::Integers(rows.rownnz, |piece| &piece.rownnz),
        Share::Integers(rows.kind, |piece| &piece.kind),
        Share::Integers(rows.id, |piece| &piece.id),
    ];
    let mut rest = contacts;
    let contacts = pieces.iter().map(|piece| {
        let (own, after) = std::mem::take(&mut rest).split_at_mut(piece.verdicts.len());
        rest = after;
        first_row += piece.kind.len();
        Share::Contacts(own, piece, first_row - piece.kind.len())
    });
    parallel::each(threads, lists.into_iter().chain(contacts), |share| match share {
        Share::Numbers(list, of) => pieces.iter().for_each(|piece| list.extend_from_slice(of(piece))),
        Share::Integers(list, of) => pieces.iter().for_each(|piece| list.extend_from_slice(of(piece))),
        Share::Starts(list, entries) => {
            let mut adr = entries as i32;
            list.extend(pieces.iter().flat_map(|piece| &piece.rownnz).map(|&count| {
                adr += count;
                adr - count
            }));
        }
        Share::Contacts(contacts, piece, row) => {
            let with_rows = contacts.iter_mut().zip(&piece.verdicts).filter(|(_, v)| **v == Verdict::Rows);
            with_rows.for_each(|(con, _)| con.efc_address += row as i32);
        }
    });
}
