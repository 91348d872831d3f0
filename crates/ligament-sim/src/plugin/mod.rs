//! First-party plugins, built in.
