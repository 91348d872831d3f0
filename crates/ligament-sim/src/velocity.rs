//! Body velocities and bias forces.
