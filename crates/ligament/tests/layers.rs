//! Modules of a crate stand in layers: what one uses does not use it, directly or by detours.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Crates without cycles at any level, names that modules hand on included.
const LAYERED: [&str; 2] = ["ligament-mjcf", "ligament-sim"];

/// Crates whose modules at the top name each other in one direction only.
const ORDERED: [&str; 5] =
    ["ligament-math", "ligament-model", "ligament-geom", "ligament-compile", "ligament-scene"];

/// The names on the way from the crate to something in it.
type Way = Vec<String>;

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
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The module that a file holds; none for tests.
fn module_of(inner: &Path) -> Option<Way> {
    let mut way: Way =
        inner.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
    if way.last().is_some_and(|name| name == "mod") || way == ["lib"] {
        way.pop();
    }
    (!way.iter().any(|name| name == "tests")).then_some(way)
}

/// One name that a text brings in: the way to it, and what it is called from then on.
#[derive(Debug, PartialEq, Eq, Clone)]
struct Import {
    way: Way,
    name: String,
}

/// All names in `a::b::{c, d::{self, e}, f as g}`, up to whatever follows it.
fn imports(text: &str) -> Vec<Import> {
    fn tree(rest: &mut &str, before: &Way, found: &mut Vec<Import>) {
        let mut way = before.clone();
        loop {
            *rest = rest.trim_start();
            if let Some(list) = rest.strip_prefix('{') {
                *rest = list;
                while !rest.trim_start().starts_with('}') && !rest.trim_start().is_empty() {
                    tree(rest, &way, found);
                    *rest = rest.trim_start().trim_start_matches(',');
                }
                *rest = rest.trim_start().strip_prefix('}').unwrap_or_default();
                return;
            }
            let end =
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '*')).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            if name != "self" || way.is_empty() {
                way.push(name.to_string());
            }
            *rest = after;
            match rest.strip_prefix("::") {
                Some(after) if !after.starts_with('<') => *rest = after,
                _ => break,
            }
        }
        let mut name = way.last().cloned().unwrap_or_default();
        if let Some(after) = rest.trim_start().strip_prefix("as ") {
            let end = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
            name = after[..end].to_string();
            *rest = &after[end..];
        }
        found.push(Import { way, name });
    }
    let mut found = Vec::new();
    tree(&mut { text }, &Way::new(), &mut found);
    found
}

/// Ways into the crate that a text names.
fn used(text: &str) -> Vec<Way> {
    let starts = text.match_indices("crate::").chain(text.match_indices("super::"));
    let outside = |at: usize| {
        // `$crate` in macros belongs to whoever calls them
        !text[..at].ends_with(|c: char| c == '$' || c == '_' || c == ':' || c.is_alphanumeric())
    };
    starts
        .filter(|&(at, _)| outside(at))
        .flat_map(|(at, _)| imports(&text[at..]))
        .map(|import| import.way)
        .collect()
}

/// What a module hands on to others under its own name.
fn exports(text: &str) -> BTreeMap<String, Way> {
    let handed = ["pub use ", "pub(crate) use ", "pub(super) use "];
    handed
        .iter()
        .flat_map(|start| text.match_indices(start).map(|(at, found)| &text[at + found.len()..]))
        .flat_map(imports)
        .map(|import| (import.name, import.way))
        .collect()
}

struct Modules {
    texts: BTreeMap<Way, String>,
    exports: BTreeMap<Way, BTreeMap<String, Way>>,
}

impl Modules {
    fn read(source: &Path) -> Self {
        let mut files = Vec::new();
        sources(source, &mut files);
        let texts: BTreeMap<Way, String> = files
            .iter()
            .filter_map(|path| {
                let way = module_of(path.strip_prefix(source).expect("below the folder"))?;
                Some((way, code(&std::fs::read_to_string(path).expect("a source file"))))
            })
            .collect();
        Self::new(texts)
    }

    fn new(texts: BTreeMap<Way, String>) -> Self {
        let exports = texts.iter().map(|(way, text)| (way.clone(), exports(text))).collect();
        Self { texts, exports }
    }

    /// The module in which a name stands that `from` calls so; names that are handed on are followed.
    fn home(&self, from: &[String], way: &[String], detours: usize) -> Option<Way> {
        let mut at = from.to_vec();
        let mut rest = way;
        while let [first, others @ ..] = rest {
            match first.as_str() {
                "crate" => at.clear(),
                "super" => drop(at.pop()),
                "self" => {}
                _ => break,
            }
            rest = others;
        }
        if rest.len() == way.len() && !self.texts.contains_key(&[from, &way[..1]].concat()) {
            return None; // of another crate
        }
        while let [first, others @ ..] = rest {
            at.push(first.clone());
            if !self.texts.contains_key(&at) {
                at.pop();
                break;
            }
            rest = others;
        }
        let handed = rest.first().and_then(|name| self.exports.get(&at)?.get(name)).filter(|_| detours > 0);
        handed.and_then(|way| self.home(&at, way, detours - 1)).or(Some(at))
    }

    /// For every folder, which of its modules uses which other.
    fn edges(&self, detours: usize) -> BTreeMap<Way, Edges> {
        let mut all: BTreeMap<Way, Edges> = BTreeMap::new();
        for (from, text) in &self.texts {
            for to in used(text).iter().filter_map(|way| self.home(from, way, detours)) {
                let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                if let (Some(user), Some(other)) = (from.get(common), to.get(common)) {
                    let folder = all.entry(from[..common].to_vec()).or_default();
                    folder.entry(user.clone()).or_default().insert(other.clone());
                }
            }
        }
        all
    }
}

type Edges = BTreeMap<String, BTreeSet<String>>;

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
        if edges.get(at).into_iter().flatten().any(|next| visit(next, edges, path, done)) {
            return true;
        }
        path.pop();
        false
    }
    let (mut path, mut done) = (Vec::new(), BTreeSet::new());
    edges.keys().any(|module| visit(module, edges, &mut path, &mut done)).then_some(path)
}

fn modules_of(name: &str) -> Modules {
    let modules = Modules::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src"));
    assert!(modules.texts.len() > 3, "{name} has modules");
    modules
}

#[test]
fn modules_stand_in_layers() {
    for name in LAYERED {
        for (folder, edges) in modules_of(name).edges(8) {
            let found = cycle(&edges);
            assert!(
                found.is_none(),
                "{name}/{}: {}",
                folder.join("/"),
                found.unwrap_or_default().join(" uses ")
            );
        }
    }
    for name in ORDERED {
        let edges = modules_of(name).edges(0).remove(&Way::new()).unwrap_or_default();
        assert!(edges.len() > 2, "{name} has modules");
        let found = cycle(&edges);
        assert!(found.is_none(), "{name}: {}", found.unwrap_or_default().join(" uses "));
    }
}

/// `model` and `geom` stand side by side: neither knows the other, and nothing below knows what is above.
#[test]
fn crates_stand_in_layers() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let order = ["math", "model", "geom", "mjcf", "sim", "compile"];
    for (k, name) in order.iter().enumerate() {
        let text =
            std::fs::read_to_string(crates.join(format!("ligament-{name}/Cargo.toml"))).expect("a manifest");
        let own = text.split("[dev-dependencies]").next().unwrap_or_default();
        let known = |other: &str| own.lines().any(|line| line.starts_with(&format!("ligament-{other}")));
        assert!(order[k..].iter().all(|other| !known(other)), "ligament-{name} knows what is above it");
        for (lower, beside) in [("geom", "model"), ("sim", "mjcf")] {
            assert!(*name != lower || !known(beside), "ligament-{lower} knows ligament-{beside}");
        }
    }
}

fn ways(paths: &[&str]) -> Vec<Way> {
    paths.iter().map(|path| path.split("::").map(str::to_string).collect()).collect()
}

#[test]
fn names_are_found() {
    assert_eq!(
        used("use crate::{a, b::{c, self, d as e}, f};\n let x = super::g::H::new(); $crate::z!()"),
        ways(&["crate::a", "crate::b::c", "crate::b", "crate::b::d", "crate::f", "super::g::H::new"])
    );
    let handed = exports("pub use a::{B, C as D};\npub(crate) use super::e::F;\nuse g::H;");
    assert_eq!(handed.keys().collect::<Vec<_>>(), ["B", "D", "F"]);
}

#[test]
fn a_detour_is_found() {
    let modules = |texts: &[(&str, &str)]| {
        let way = |path: &str| path.split('/').filter(|name| !name.is_empty()).map(str::to_string).collect();
        Modules::new(texts.iter().map(|(path, text)| (way(path), text.to_string())).collect())
    };
    let found = |texts: &[(&str, &str)]| modules(texts).edges(8).values().find_map(cycle);
    let straight = [("", ""), ("a", "use crate::b::X;"), ("b", "use crate::c::Y;"), ("c", "")];
    assert_eq!(found(&straight), None);
    let back = [&straight[..3], &[("c", "use super::b::Z;")]].concat();
    assert_eq!(found(&back), Some(vec!["b".to_string(), "c".to_string(), "b".to_string()]));
    // what the crate hands on belongs to the module where it stands, in folders as well
    let handed = [("", "pub use a::X;"), ("a", "use crate::b;"), ("b", "use crate::X;")];
    assert_eq!(found(&handed), Some(vec!["a".to_string(), "b".to_string(), "a".to_string()]));
    let inner = [("", ""), ("f", ""), ("f/a", "use super::b::X;"), ("f/b", "use crate::f::a;")];
    assert_eq!(found(&inner), Some(vec!["a".to_string(), "b".to_string(), "a".to_string()]));
}
