//! `ligament info`

mod summary;
mod text;

use crate::args::{InfoArgs, Source};
use std::process::ExitCode;
use summary::Summary;
pub use summary::model_name;
pub use text::number;

pub fn info(args: &InfoArgs, source: &Source) -> anyhow::Result<ExitCode> {
    let summary = Summary::of(&source.open(&args.model)?);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&summary)?);
    } else {
        anstream::print!("{summary}");
    }
    Ok(ExitCode::SUCCESS)
}
