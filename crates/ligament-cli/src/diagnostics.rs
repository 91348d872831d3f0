//! Errors and warnings as text, with the line of the file they are about.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use ligament::{Diagnostic, MjcfError, OpenError};
use serde::Serialize;
use std::ops::Range;

/// A finding as JSON.
#[derive(Debug, Serialize)]
pub struct Finding<'a> {
    /// Kind of error; warnings have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    message: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    element: &'a str,
    help: &'a str,
}

impl<'a> Finding<'a> {
    pub fn new(kind: Option<&'static str>, diagnostic: &'a Diagnostic) -> Self {
        let Diagnostic { message, origin, element, help, .. } = diagnostic;
        Self { kind, message, file: &origin.file, line: origin.line, column: origin.column, element, help }
    }
}

/// Why the command failed. Errors of models are shown with their source.
pub fn render_failure(error: &anyhow::Error) -> String {
    match error.downcast_ref::<OpenError>() {
        Some(error) => render_error(error),
        None => match error.downcast_ref::<MjcfError>() {
            Some(error) => render_mjcf(error),
            None => plain(Level::ERROR, &format!("{error:#}")),
        },
    }
}

/// An error of a model.
pub fn render_error(error: &OpenError) -> String {
    match error {
        OpenError::Mjcf(error) => render_mjcf(error),
        OpenError::Read { .. }
        | OpenError::Binary { .. }
        | OpenError::Mjb { .. }
        | OpenError::Part { .. } => plain(Level::ERROR, &error.to_string()),
    }
}

/// A warning about a model.
pub fn render_warning(diagnostic: &Diagnostic) -> String {
    render(Level::WARNING, &diagnostic.message, diagnostic)
}

fn render_mjcf(error: &MjcfError) -> String {
    let diagnostic = error.diagnostic();
    // what the kind of the error puts before the message
    let whole = error.to_string();
    let prefix = whole.strip_suffix(&diagnostic.to_string()).unwrap_or_default();
    render(Level::ERROR, &format!("{prefix}{}", diagnostic.message), diagnostic)
}

fn plain(level: Level<'_>, message: &str) -> String {
    Renderer::styled().render(&[Group::with_title(level.primary_title(message))])
}

fn render(level: Level<'_>, title: &str, diagnostic: &Diagnostic) -> String {
    let origin = &diagnostic.origin;
    let line = source_line(diagnostic);
    let mut group = Group::with_title(level.primary_title(title));
    match &line {
        Some(line) => {
            let span = blamed(line, origin.column.saturating_sub(1) as usize);
            let annotation = AnnotationKind::Primary.span(span).label(diagnostic.element.as_str());
            let snippet =
                Snippet::source(line.as_str()).line_start(origin.line as usize).path(origin.file.as_ref());
            group = group.element(snippet.annotation(annotation));
        }
        None if !diagnostic.element.is_empty() => {
            group = group.element(Level::NOTE.message(format!("in {}", diagnostic.element)));
        }
        None => {}
    }
    if !diagnostic.help.is_empty() {
        group = group.element(Level::HELP.message(diagnostic.help.as_str()));
    }
    Renderer::styled().render(&[group])
}

/// The line of the file that a diagnostic is about, if it can still be read.
fn source_line(diagnostic: &Diagnostic) -> Option<String> {
    let index = diagnostic.origin.line.checked_sub(1)? as usize;
    let bytes = std::fs::read(diagnostic.origin.file.as_ref()).ok()?;
    Some(String::from_utf8_lossy(&bytes).lines().nth(index)?.to_string())
}

/// Bytes of the tag or the attribute that starts at this character of the line.
fn blamed(line: &str, column: usize) -> Range<usize> {
    let start = line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let rest = &line[start..];
    let word = |text: &str| text.find(|c: char| c.is_whitespace() || "=/>".contains(c)).unwrap_or(text.len());
    let length = match rest.strip_prefix('<') {
        Some(tag) => 1 + word(tag),
        None => {
            let name = word(rest);
            let value = rest[name..].strip_prefix('=').and_then(|value| {
                let quote = value.chars().next().filter(|c| *c == '"' || *c == '\'')?;
                value[1..].find(quote).map(|end| end + 3)
            });
            name + value.unwrap_or(0)
        }
    };
    start..start + length
}

#[cfg(test)]
mod tests {
    use super::blamed;

    #[test]
    fn tags_and_attributes_are_underlined() {
        let line = r#"  <geom sise=".1 2" name='a'/>"#;
        assert_eq!(&line[blamed(line, 2)], "<geom");
        assert_eq!(&line[blamed(line, 8)], r#"sise=".1 2""#);
        assert_eq!(&line[blamed(line, 20)], "name='a'");
        assert_eq!(&line[blamed(line, 99)], "");
    }
}
