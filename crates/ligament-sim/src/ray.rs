//! Ray casting.
