//! Actuator lengths and moments.
