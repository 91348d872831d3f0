//! Forces of the surrounding medium.
