//! Model constants that need dynamics at the reference pose.
