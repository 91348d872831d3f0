//! What the command prints. Whoever reads may stop reading, and a disk may be full: neither is a panic.

use anyhow::Context;
use std::fmt::{Arguments, Display};
use std::io::{ErrorKind, Write};

/// Nobody reads standard output any more: the command has nothing left to do.
#[derive(Debug)]
pub struct Closed;

impl Display for Closed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("standard output is closed")
    }
}

impl std::error::Error for Closed {}

/// Prints text on standard output.
pub fn print(text: impl Display) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Closed.into()),
        outcome => outcome.context("cannot write to standard output"),
    }
}

/// Prints a line on standard output.
pub fn line(text: Arguments<'_>) -> anyhow::Result<()> {
    print(format_args!("{text}\n"))
}

/// Prints a line on standard error. Where that fails there is nobody to tell.
pub fn complain(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}
