//! What keeps a stage from doing all of its work. Stages go on as far as they can; the step then ends with an error.

use crate::parts::Slot;

/// Why the results of a stage are incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Contacts or constraint rows would take more than [`Data::memory`](crate::Data::memory).
    Memory {
        /// Rows that were made until there was no room; 0: there was none for the contacts.
        rows: usize,
    },
    /// Collision detection, projection and the solver would take more than [`Data::effort`](crate::Data::effort).
    Effort,
    /// The contact of this number names a geom, flex, element or vertex that does not exist.
    Contact(usize),
    /// The part in this place of this element panicked.
    Part(Slot, usize),
}
