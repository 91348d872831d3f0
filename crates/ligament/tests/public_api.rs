//! What the facade offers is chosen: `docs/public-api.txt` lists it, and a change of the list shows in reviews.
//! `LIGAMENT_WRITE_API=1 cargo test -p ligament --test public_api` writes the list anew.

use std::path::Path;

/// Modules of the facade whose contents are public, with their files.
const MODULES: [(&str, &str); 8] = [
    ("ligament", "lib.rs"),
    ("ligament::derivatives", "derivatives.rs"),
    ("ligament::jacobians", "jacobians.rs"),
    ("ligament::mjb", "mjb.rs"),
    ("ligament::quantities", "quantities.rs"),
    ("ligament::rays", "rays.rs"),
    ("ligament::stages", "stages.rs"),
    ("ligament::states", "states.rs"),
];

/// Names that `pub use` brings in: the last part of a path, or what stands behind `as`.
fn used(statement: &str) -> Vec<String> {
    let list = match statement.split_once('{') {
        Some((_, list)) => list.trim_end_matches('}'),
        None => statement,
    };
    let name = |item: &str| {
        let item = item.rsplit(" as ").next().unwrap_or(item);
        item.rsplit("::").next().unwrap_or(item).trim().to_string()
    };
    list.split(',').map(name).filter(|name| !name.is_empty()).collect()
}

/// Public names of a module, by its source without tests and inner modules.
fn names(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(item) = line.strip_prefix("pub ") else { continue };
        if let Some(start) = item.strip_prefix("use ") {
            let mut statement = start.to_string();
            while !statement.ends_with(';') {
                statement += lines.next().expect("the statement ends").trim();
            }
            found.extend(used(statement.trim_end_matches(';')));
            continue;
        }
        let kinds = ["mod ", "fn ", "struct ", "enum ", "trait ", "const ", "type "];
        if let Some(rest) = kinds.iter().find_map(|kind| item.strip_prefix(kind)) {
            found.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    found
}

fn listing() -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all: Vec<String> = Vec::new();
    for (module, file) in MODULES {
        let text = std::fs::read_to_string(source.join(file)).expect("a source file");
        all.extend(names(&text).into_iter().map(|name| format!("{module}::{name}")));
    }
    all.sort();
    all.dedup();
    all.join("\n") + "\n"
}

#[test]
fn the_facade_offers_what_is_listed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/public-api.txt");
    let now = listing();
    if std::env::var_os("LIGAMENT_WRITE_API").is_some() {
        std::fs::write(&path, &now).expect("the list can be written");
    }
    let listed = std::fs::read_to_string(&path).expect("docs/public-api.txt");
    let missing: Vec<_> = listed.lines().filter(|line| !now.lines().any(|other| other == *line)).collect();
    let new: Vec<_> = now.lines().filter(|line| !listed.lines().any(|other| other == *line)).collect();
    assert!(
        missing.is_empty() && new.is_empty(),
        "gone: {missing:?}, new: {new:?}; see the head of this test"
    );
}

#[test]
fn statements_are_read() {
    let text =
        "pub use a::{b, c as d};\npub use e::f;\npub use g as h;\npub mod i {\n}\npub fn j() {}\nfn k() {}\n";
    assert_eq!(names(text), ["b", "d", "f", "h", "i", "j"]);
}
