//! Constraint rows: equalities, friction, limits, contacts.
