//! Potential and kinetic energy.
