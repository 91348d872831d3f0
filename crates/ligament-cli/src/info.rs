//! `ligament info`

mod summary;
mod text;

use crate::args::{InfoArgs, Source};
use crate::output;
use std::process::ExitCode;
use summary::Summary;
pub use summary::model_name;
pub use text::number;

pub fn info(args: &InfoArgs, source: &Source) -> anyhow::Result<ExitCode> {
    let summary = Summary::of(&source.open(&args.model)?);
    if args.json {
        output::line(format_args!("{}", serde_json::to_string_pretty(&summary)?))?;
    } else {
        output::print(summary)?;
    }
    Ok(ExitCode::SUCCESS)
}
