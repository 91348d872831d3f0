//! `ligament convert`

use crate::args::{ConvertArgs, Source};
use crate::{Usage, output};
use anyhow::{Context, bail};
use ligament::{compile, is_compiled, mjb, mjcf_text, parse_mjcf_file_with_assets, point_to_files};
use std::path::Path;
use std::process::ExitCode;

pub fn convert(args: &ConvertArgs, source: &Source) -> anyhow::Result<ExitCode> {
    let bytes = match extension(&args.out) {
        "xml" => text(&args.model, &args.out, source)?.into_bytes(),
        "lig" => source.open(&args.model)?.to_bytes(),
        "mjb" => mjb::write(&source.open(&args.model)?)?,
        _ => {
            let wanted = ".xml (MJCF), .lig (compiled) or .mjb (MuJoCo 3.5.0)";
            bail!(Usage(format!("'{}' must end in {wanted}", args.out.display())))
        }
    };
    std::fs::write(&args.out, &bytes).with_context(|| format!("cannot write '{}'", args.out.display()))?;
    let (from, to) = (args.model.display(), args.out.display());
    output::line(format_args!("{from} -> {to} ({} bytes)", bytes.len()))?;
    Ok(ExitCode::SUCCESS)
}

/// The model as MJCF that finds its files from where it is written.
fn text(model: &Path, out: &Path, source: &Source) -> anyhow::Result<String> {
    if is_compiled(model) {
        bail!("'{}' is a compiled model: it has no source and cannot be converted to MJCF", model.display());
    }
    let (path, files) = source.files(model)?;
    let mut spec = parse_mjcf_file_with_assets(&path.to_string_lossy(), &*files)?;
    let compiled = compile(&spec, &*files)?;
    if directory(model)? != directory(out)? {
        point_to_files(&mut spec)?;
    }
    Ok(mjcf_text(&spec, &compiled)?)
}

fn directory(path: &Path) -> anyhow::Result<std::path::PathBuf> {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    parent.canonicalize().with_context(|| format!("no directory '{}'", parent.display()))
}

/// Ending of a file name; empty without one.
pub fn extension(path: &Path) -> &str {
    path.extension().and_then(|e| e.to_str()).unwrap_or_default()
}
