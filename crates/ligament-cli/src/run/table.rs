//! Recordings as CSV, JSON and NumPy archives.

use super::recording::Recording;
use crate::convert::extension;
use anyhow::Context;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::io::{Seek, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Endings of the files that can be written.
pub const FORMATS: &[&str] = &["csv", "json", "npz"];

pub fn write(recording: &Recording, path: &Path) -> anyhow::Result<()> {
    let result = match extension(path) {
        "csv" => std::fs::write(path, csv(recording)).map_err(Into::into),
        "json" => std::fs::write(path, document(recording).to_string()).map_err(Into::into),
        _ => std::fs::File::create(path).map_err(Into::into).and_then(|file| npz(recording, file)),
    };
    result.with_context(|| format!("cannot write '{}'", path.display()))
}

fn csv(recording: &Recording) -> String {
    let mut out = String::from("time");
    let columns = || recording.columns.iter().filter(|column| column.width > 0);
    for label in columns().flat_map(|column| &column.labels) {
        let _ = write!(out, ",{}", quoted(label)); // writing to a string cannot fail
    }
    out.push('\n');
    for (row, time) in recording.time.iter().enumerate() {
        let _ = write!(out, "{time}");
        for value in columns().flat_map(|c| &c.values[row * c.width..(row + 1) * c.width]) {
            let _ = write!(out, ",{value}");
        }
        out.push('\n');
    }
    out
}

/// A cell that may contain commas and quotes.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

fn document(recording: &Recording) -> Value {
    let rows = |values: &[f64], width: usize| match width {
        0 => Value::Array(Vec::new()),
        _ => values.chunks_exact(width).map(|row| json!(row)).collect(),
    };
    let mut columns = Map::new();
    columns.insert("time".into(), json!(recording.time));
    for column in &recording.columns {
        columns.insert(column.name.into(), rows(&column.values, column.width));
    }
    let labels: Map<String, Value> =
        recording.columns.iter().map(|column| (column.name.into(), json!(column.labels))).collect();
    columns.insert("labels".into(), Value::Object(labels));
    Value::Object(columns)
}

/// A NumPy archive: a zip file with one array per quantity.
fn npz(recording: &Recording, file: impl Write + Seek) -> anyhow::Result<()> {
    let mut archive = ZipWriter::new(file);
    let rows = recording.time.len();
    let mut add = |name: &str, shape: &str, values: &[f64]| -> anyhow::Result<()> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        archive.start_file(format!("{name}.npy"), options)?;
        archive.write_all(&npy_header(shape))?;
        for value in values {
            archive.write_all(&value.to_le_bytes())?;
        }
        Ok(())
    };
    add("time", &format!("({rows},)"), &recording.time)?;
    for column in &recording.columns {
        add(column.name, &format!("({rows}, {})", column.width), &column.values)?;
    }
    archive.finish()?;
    Ok(())
}

/// Header of the `.npy` format, version 1.0: magic, version, length, a Python dictionary padded to 64 bytes.
fn npy_header(shape: &str) -> Vec<u8> {
    let mut text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    let unpadded = 10 + text.len() + 1;
    text.extend(std::iter::repeat_n(' ', unpadded.next_multiple_of(64) - unpadded));
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}
