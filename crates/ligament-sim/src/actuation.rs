//! Actuator dynamics, gains, biases and forces.
