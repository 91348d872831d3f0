//! What kind of file an asset is.

/// Extension with its dot, in lower case; empty when there is none.
pub fn extension(path: &str) -> String {
    path.rfind('.').map_or(String::new(), |dot| path[dot..].to_ascii_lowercase())
}

/// Content type of an asset: the given one without parameters, else by extension. Empty when neither is known.
pub fn content_type(path: &str, given: &str) -> String {
    if !given.is_empty() {
        return given_type(given).unwrap_or_default().into();
    }
    match extension(path).as_str() {
        ".stl" => "model/stl",
        ".obj" => "model/obj",
        ".ply" => "model/ply",
        ".msh" => "model/vnd.mujoco.msh",
        ".png" => "image/png",
        _ => "",
    }
    .into()
}

/// `type/subtype` of `type/subtype[;parameter=value]`; `None` when it has another form.
fn given_type(text: &str) -> Option<&str> {
    let slash = text.find('/').filter(|at| at + 1 < text.len())?;
    let Some(semicolon) = text.find(';') else { return Some(text) };
    let valid = semicolon > slash && text.find('=').is_some_and(|at| at > semicolon);
    valid.then_some(&text[..semicolon])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_types_by_extension_or_attribute() {
        assert_eq!(content_type("a.STL", ""), "model/stl");
        assert_eq!(content_type("a.bin", "model/obj;x=y"), "model/obj");
        assert_eq!(content_type("a.stl", "nonsense"), "");
    }
}
