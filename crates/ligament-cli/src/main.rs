//! The `ligament` command: a thin shell over the library.

mod args;
mod bench;
mod check;
mod convert;
mod diagnostics;
mod diff;
mod info;
mod keyframe;
mod output;
mod render;
mod run;
mod source;
mod view;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

/// The command was used wrongly: exit status 2, as for mistakes that the argument parser finds.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

fn main() -> ExitCode {
    let Cli { command, source } = Cli::parse();
    let result = match command {
        Command::Info(args) => info::info(&args, &source),
        Command::Convert(args) => convert::convert(&args, &source),
        Command::Check(args) => check::check(&args, &source),
        Command::Run(args) => run::run(&args, &source),
        Command::Bench(args) => bench::bench(&args, &source),
        Command::Diff(args) => diff::diff(&args, &source),
        Command::Render(args) => render::render(&args, &source),
        Command::View(args) => view::view(&args, &source),
    };
    match result {
        Ok(code) => code,
        Err(error) if error.is::<output::Closed>() => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(diagnostics::render_failure(&error));
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
    }
}
