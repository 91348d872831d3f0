//! Sensors of the position, velocity and acceleration stages.
