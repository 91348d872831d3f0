//! Path arithmetic on plain strings, the same on every platform.

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
}
