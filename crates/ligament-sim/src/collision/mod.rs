//! Contact detection: which pairs, which shapes, which parameters.
