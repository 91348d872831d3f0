//! Modules of a crate stand in layers: what one uses does not use it, directly or by detours.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const CRATES: [&str; 7] = [
    "ligament-math",
    "ligament-model",
    "ligament-geom",
    "ligament-mjcf",
    "ligament-sim",
    "ligament-compile",
    "ligament-scene",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

/// The text of a file without comments and without its tests, which may look around.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a source file");
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// First names of the paths in `{a::b, c::{d, e}, f as g}`, given what follows the opening brace.
fn names_in_braces(text: &str) -> Vec<String> {
    let (mut depth, mut names, mut current) = (1, Vec::new(), String::new());
    for c in text.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 || (depth == 1 && c == ',') {
            names.push(std::mem::take(&mut current));
        } else {
            current.push(c);
        }
        if depth == 0 {
            break;
        }
    }
    names.iter().map(|name| first_name(name.trim())).collect()
}

fn first_name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Modules of the same crate that a text names.
fn used(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        // `$crate` in macros belongs to whoever calls them
        if text[..at].ends_with(|c: char| c == '$' || c == '_' || c.is_alphanumeric()) {
            continue;
        }
        let rest = &text[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(list) => names.extend(names_in_braces(list)),
            None => names.push(first_name(rest)),
        }
    }
    names
}

type Edges = BTreeMap<String, BTreeSet<String>>;

/// Which module at the top of a crate uses which other.
fn edges(source: &Path) -> Edges {
    let mut files = Vec::new();
    sources(source, &mut files);
    let mut edges = Edges::new();
    for path in files {
        let inner = path.strip_prefix(source).expect("below the folder");
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        let first = inner.iter().next().expect("a name").to_string_lossy().into_owned();
        let module = first.trim_end_matches(".rs").to_string();
        if module == "lib" || is_test {
            continue;
        }
        let others = used(&code(&path)).into_iter().filter(|name| *name != module);
        edges.entry(module.clone()).or_default().extend(others);
    }
    let modules: BTreeSet<String> = edges.keys().cloned().collect();
    edges.values_mut().for_each(|others| others.retain(|name| modules.contains(name)));
    edges
}

/// A way from a module back to itself.
fn cycle(edges: &Edges) -> Option<Vec<String>> {
    fn visit(at: &str, edges: &Edges, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> bool {
        if let Some(start) = path.iter().position(|name| name == at) {
            path.drain(..start);
            path.push(at.to_string());
            return true;
        }
        if !done.insert(at.to_string()) {
            return false;
        }
        path.push(at.to_string());
        if edges[at].iter().any(|next| visit(next, edges, path, done)) {
            return true;
        }
        path.pop();
        false
    }
    let (mut path, mut done) = (Vec::new(), BTreeSet::new());
    edges.keys().any(|module| visit(module, edges, &mut path, &mut done)).then_some(path)
}

#[test]
fn modules_stand_in_layers() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in CRATES {
        let edges = edges(&crates.join(name).join("src"));
        assert!(edges.len() > 2, "{name} has modules");
        let found = cycle(&edges);
        assert!(found.is_none(), "{name}: {}", found.unwrap_or_default().join(" uses "));
    }
}

#[test]
fn a_detour_is_found() {
    let edge = |from: &str, to: &[&str]| (from.to_string(), to.iter().map(|x| x.to_string()).collect());
    let mut edges = Edges::from([edge("a", &["b", "c"]), edge("b", &["d"]), edge("c", &[]), edge("d", &[])]);
    assert_eq!(cycle(&edges), None);
    edges.extend([edge("d", &["b"])]);
    assert_eq!(cycle(&edges), Some(vec!["b".to_string(), "d".to_string(), "b".to_string()]));
    assert_eq!(used("use crate::{a, b::{c, d}, e as f};"), ["a", "b", "e"]);
    assert_eq!(used("use crate::x::Y; $crate::z!()"), ["x"]);
}
