//! Springs, dampers, gravity compensation.
