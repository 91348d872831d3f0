//! Shortest paths around spheres and cylinders.
