//! Jacobians, applied forces, relative velocities: tools on top of the pipeline.
