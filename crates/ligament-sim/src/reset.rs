//! Reset, keyframes, state vectors.
