//! Why a model was refused, as exceptions say it: first in the words and the form of MuJoCo 3.5.0, by which programs
//! recognise errors, then what Ligament knows beyond that.

use ligament::{Diagnostic, Spec};
use ligament_mjcf::MjcfError;
use ligament_mjcf::spec::Meta;

/// A text that could not be read.
pub fn unreadable(error: &MjcfError) -> String {
    let d = error.diagnostic();
    let head = match error {
        MjcfError::XmlParse(_) if d.message.starts_with("empty file") => format!("ParseXML: {}", d.message),
        MjcfError::XmlParse(_) => format!("XML parse error: {}", d.message),
        MjcfError::Asset(_) if d.element.is_empty() => format!("ParseXML: {}", d.message),
        MjcfError::InvalidAttribute(_) if d.message.starts_with("repeated name") => {
            format!("XML Error: Error: {}", d.message)
        }
        // the schema's own complaints begin with a small letter
        MjcfError::Schema(_) if d.message.starts_with(char::is_lowercase) => {
            format!("XML Error: Schema violation: {}", d.message)
        }
        _ => format!("XML Error: {}", d.message),
    };
    let blamed = !d.element.is_empty() && !d.message.starts_with("Unrecognized XML model type");
    let element =
        if blamed { format!("\nElement '{}', line {}", tag(d), d.origin.line) } else { String::new() };
    format!("{head}{element}\n{}", details(d))
}

/// A specification that could not be compiled.
pub fn uncompilable(error: &MjcfError, spec: &Spec) -> String {
    let d = error.diagnostic();
    let mut text = format!("Error: {}", d.message);
    if let Some((id, meta)) = culprit(spec, d) {
        text += &format!("\nElement name '{}', id {id}", meta.name);
        if d.origin.line > 0 {
            text += &format!(", line {}", d.origin.line);
        }
    }
    format!("{text}\n{}", details(d))
}

/// The kind of the element to blame.
fn tag(d: &Diagnostic) -> &str {
    d.element.split(' ').next().unwrap_or_default()
}

/// Place and remedy.
fn details(d: &Diagnostic) -> String {
    let mut text = String::new();
    if d.origin.line > 0 {
        let file = if d.origin.file.is_empty() { "<string>" } else { &d.origin.file };
        text += &format!("  --> {file}:{}:{}\n", d.origin.line, d.origin.column.max(1));
    }
    if !d.help.is_empty() {
        text += &format!("  help: {}\n", d.help);
    }
    text
}

/// The element to blame and its number among those of its kind.
fn culprit<'s>(spec: &'s Spec, d: &Diagnostic) -> Option<(usize, &'s Meta)> {
    let name = d.element.split_once(" '").map_or("", |(_, rest)| rest.trim_end_matches('\''));
    metas(spec, tag(d)).into_iter().enumerate().find(|(_, m)| m.origin == d.origin && m.name == name)
}

/// What all elements of a kind are called and where they are, in the order of the model.
fn metas<'s>(spec: &'s Spec, kind: &str) -> Vec<&'s Meta> {
    macro_rules! parts {
        ($list:ident) => {
            spec.bodies.iter().flat_map(|b| &b.$list).map(|e| &e.meta).collect()
        };
    }
    macro_rules! list {
        ($list:ident) => {
            spec.$list.iter().map(|e| &e.meta).collect()
        };
    }
    match kind {
        "body" => list!(bodies),
        "joint" => parts!(joints),
        "geom" => parts!(geoms),
        "site" => parts!(sites),
        "camera" => parts!(cameras),
        "light" => parts!(lights),
        "mesh" => list!(meshes),
        "hfield" => list!(hfields),
        "skin" => list!(skins),
        "texture" => list!(textures),
        "material" => list!(materials),
        "flex" => list!(flexes),
        "pair" => list!(pairs),
        "exclude" => list!(excludes),
        "equality" => list!(equalities),
        "tendon" => list!(tendons),
        "actuator" => list!(actuators),
        "sensor" => list!(sensors),
        "numeric" => list!(numerics),
        "text" => list!(texts),
        "tuple" => list!(tuples),
        "key" => list!(keys),
        _ => Vec::new(),
    }
}
