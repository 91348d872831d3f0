//! Path arithmetic on plain strings, the same on every platform.

use crate::assets::Assets;
use crate::spec::Compiler;

/// Which of the two asset directories applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssetKind {
    /// Meshes, height fields, skins, flexcomp files.
    Mesh,
    Texture,
}

fn is_separator(c: char) -> bool {
    c == '/' || c == '\\'
}

/// The part that makes a path absolute (`/`, `c:\`, `http:/`); empty for relative paths.
fn absolute_prefix(path: &str) -> &str {
    if path.starts_with(is_separator) {
        return &path[..1];
    }
    match path.find(":/").or_else(|| path.find(":\\")) {
        Some(at) => &path[..at + 2],
        None => "",
    }
}

/// Is the path independent of the model's directory?
pub fn is_absolute(path: &str) -> bool {
    !absolute_prefix(path).is_empty()
}

/// Removes `.` and, where possible, `..`; separators become `/`.
pub fn reduce(path: &str) -> String {
    let prefix = absolute_prefix(path);
    let mut parts: Vec<&str> = Vec::new();
    let rest = &path[prefix.len()..];
    let mut pieces = rest.split(is_separator).peekable();
    while let Some(piece) = pieces.next() {
        let last = pieces.peek().is_none();
        if last {
            parts.push(piece);
        } else if piece == ".." && parts.last().is_some_and(|p| *p != "..") {
            parts.pop();
        } else if piece != "." {
            parts.push(piece);
        }
    }
    format!("{prefix}{}", parts.join("/"))
}

/// `dir/file`, or `file` alone when it is absolute.
pub fn join(dir: &str, file: &str) -> String {
    if is_absolute(file) || dir.is_empty() {
        return reduce(file);
    }
    let separator = if dir.ends_with(is_separator) { "" } else { "/" };
    reduce(&format!("{dir}{separator}{file}"))
}

/// Directory of a file with its trailing separator; empty when there is none.
pub fn directory(path: &str) -> &str {
    path.rfind(is_separator).map_or("", |at| &path[..=at])
}

/// File name without directories.
pub fn base_name(path: &str) -> &str {
    path.rfind(is_separator).map_or(path, |at| &path[at + 1..])
}

/// File name without directories and extension: what an asset without a name is called.
pub fn stem(path: &str) -> &str {
    let name = base_name(path);
    name.rfind('.').map_or(name, |at| &name[..at])
}

/// The name under which an asset is asked from [`Assets`].
///
/// `file` is relative to the model's directory and the compiler's asset directory, unless `filedir` says that it
/// was found next to the included file that mentions it. `strippath` drops every directory from `file` first.
pub fn resolve_asset_path(compiler: &Compiler, kind: AssetKind, file: &str, filedir: &str) -> String {
    let dir = match kind {
        AssetKind::Mesh => &compiler.meshdir,
        AssetKind::Texture => &compiler.texturedir,
    };
    if compiler.strippath {
        return join(&compiler.modeldir, &join(dir, base_name(file)));
    }
    if !filedir.is_empty() {
        return join(filedir, file);
    }
    join(&compiler.modeldir, &join(dir, file))
}

/// Directory to record for a file named in an included document: that document's, when the file is not found by
/// the ordinary rule. `ordinary` is the path of the ordinary rule.
pub fn include_fallback(
    assets: &dyn Assets,
    ordinary: &str,
    file: &str,
    include_dir: Option<&str>,
) -> String {
    match include_dir {
        Some(dir) if !is_absolute(file) && !assets.exists(ordinary) => dir.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_reduced_without_touching_the_disk() {
        assert_eq!(reduce("a/../b/./c.stl"), "b/c.stl");
        assert_eq!(reduce("../a.xml"), "../a.xml");
        assert_eq!(join("/m/", "x/../y.obj"), "/m/y.obj");
        assert_eq!(join("m", "y.obj"), "m/y.obj");
        assert_eq!(join("m", "/y.obj"), "/y.obj");
        assert_eq!(join("", "y.obj"), "y.obj");
        assert_eq!(directory("/m/n/a.xml"), "/m/n/");
        assert_eq!(directory("a.xml"), "");
        assert_eq!(stem("d/box.v2.stl"), "box.v2");
        assert!(is_absolute("c:\\a.stl") && is_absolute("/a") && !is_absolute("a:b"));
    }

    /// P18.6, P18.7, P18.D7: asset directories and strippath.
    #[test]
    fn asset_paths_follow_the_compiler_settings() {
        let mut compiler = Compiler {
            modeldir: "/m/".into(),
            meshdir: "meshes/".into(),
            texturedir: "data".into(),
            ..Compiler::default()
        };
        let path = |c: &Compiler, kind, file| resolve_asset_path(c, kind, file, "");
        assert_eq!(path(&compiler, AssetKind::Mesh, "box.stl"), "/m/meshes/box.stl");
        assert_eq!(path(&compiler, AssetKind::Texture, "t.png"), "/m/data/t.png");
        assert_eq!(path(&compiler, AssetKind::Mesh, "/abs/box.stl"), "/abs/box.stl");
        assert_eq!(resolve_asset_path(&compiler, AssetKind::Mesh, "b.stl", "/m/sub/"), "/m/sub/b.stl");
        compiler.strippath = true;
        assert_eq!(path(&compiler, AssetKind::Mesh, "foo/bar/t.obj"), "/m/meshes/t.obj");
        compiler.meshdir = "/elsewhere".into();
        assert_eq!(path(&compiler, AssetKind::Mesh, "t.obj"), "/elsewhere/t.obj");
    }
}
