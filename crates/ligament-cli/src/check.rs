//! `ligament check`

use crate::args::{CheckArgs, Source};
use crate::diagnostics::{Finding, render_error, render_warning};
use crate::output;
use ligament::{Findings, MjcfError, OpenError, check_file_with_assets};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

pub fn check(args: &CheckArgs, source: &Source) -> anyhow::Result<ExitCode> {
    let mut bad = 0;
    let mut documents = Vec::new();
    for path in &args.models {
        let (path_seen, files) = source.files(path)?;
        let findings = check_file_with_assets(path_seen, &*files);
        bad += usize::from(!findings.errors.is_empty());
        if args.json {
            documents.push(document(path, &findings));
        } else {
            print(path, &findings)?;
        }
    }
    if args.json {
        output::line(format_args!("{}", serde_json::to_string_pretty(&documents)?))?;
    } else if args.models.len() > 1 {
        output::line(format_args!("{} of {} models are good", args.models.len() - bad, args.models.len()))?;
    }
    Ok(ExitCode::from(u8::from(bad > 0)))
}

fn print(path: &Path, findings: &Findings) -> anyhow::Result<()> {
    for warning in &findings.warnings {
        output::complain(format_args!("{}\n", render_warning(warning)));
    }
    for error in &findings.errors {
        output::complain(format_args!("{}\n", render_error(error)));
    }
    let warnings = match findings.warnings.len() {
        0 => String::new(),
        n => format!(", {}", count(n, "warning", "warnings")),
    };
    let path = path.display();
    match &findings.model {
        Some(m) => {
            let bodies = count(m.nbody - 1, "body", "bodies");
            let (dofs, geoms) = (count(m.nv, "dof", "dofs"), count(m.ngeom, "geom", "geoms"));
            output::line(format_args!("{path}: good ({bodies}, {dofs}, {geoms}){warnings}"))
        }
        None => {
            let errors = count(findings.errors.len(), "error", "errors");
            output::line(format_args!("{path}: {errors}{warnings}"))
        }
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn document(path: &Path, findings: &Findings) -> Value {
    let errors: Vec<Value> = findings.errors.iter().map(error_document).collect();
    let warnings: Vec<Finding<'_>> = findings.warnings.iter().map(|w| Finding::new(None, w)).collect();
    json!({
        "model": path.to_string_lossy(),
        "ok": findings.errors.is_empty(),
        "errors": errors,
        "warnings": warnings,
    })
}

fn error_document(error: &OpenError) -> Value {
    match error {
        OpenError::Mjcf(error) => json!(Finding::new(Some(kind(error)), error.diagnostic())),
        OpenError::Read { .. }
        | OpenError::Binary { .. }
        | OpenError::Mjb { .. }
        | OpenError::Part { .. } => {
            json!({ "kind": "file", "message": error.to_string() })
        }
    }
}

fn kind(error: &MjcfError) -> &'static str {
    match error {
        MjcfError::XmlParse(_) => "xml",
        MjcfError::Schema(_) => "schema",
        MjcfError::InvalidAttribute(_) => "attribute",
        MjcfError::UnknownName(_) => "reference",
        MjcfError::Unsupported(_) => "unsupported",
        MjcfError::IncludeError(_) | MjcfError::DuplicateInclude(_) | MjcfError::CircularInclude(_) => {
            "include"
        }
        MjcfError::Asset(_) => "asset",
        MjcfError::Compile(_) => "compile",
        MjcfError::Memory(_) => "memory",
    }
}
