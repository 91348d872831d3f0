//! Feasible length ranges of actuators.
