//! References to what does not exist, and user data: what passes outside the tree share.

use crate::error::fail_at;
use crate::index::Index;
use crate::labels::label;
use ligament_mjcf::diag::{Diagnostic, MjcfError, Result};
use ligament_mjcf::spec::Meta;
use ligament_model::enums::ObjType;

/// A reference from an element to something that does not exist, with the nearest existing name as help.
pub fn unknown(
    kind: ObjType,
    meta: &Meta,
    message: impl Into<String>,
    index: &Index,
    wanted: ObjType,
    name: &str,
) -> MjcfError {
    let names = index.names(wanted);
    let help = match nearest(name, &names) {
        Some(near) => format!("did you mean '{near}'?"),
        None if names.is_empty() => format!("the model has no named {}", label(wanted)),
        None => String::new(),
    };
    MjcfError::UnknownName(Diagnostic::new(message).at(label(kind), meta).help(help))
}

/// The name closest to a mistyped one, if any is close.
pub fn nearest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(2);
    names
        .iter()
        .map(|candidate| (edit_distance(name, candidate), *candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance in characters.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Width of the user data of a kind: as set, or the most any element has.
pub fn user_width(setting: i32, lengths: impl Iterator<Item = usize>) -> usize {
    usize::try_from(setting).unwrap_or_else(|_| lengths.max().unwrap_or(0))
}

/// User data padded to the width of its kind; more values than the width are an error.
pub fn user_data(kind: ObjType, meta: &Meta, data: &[f64], width: usize) -> Result<Vec<f64>> {
    if data.len() > width {
        let entity = label(kind);
        return Err(fail_at(kind, meta, format!("user has more values than nuser_{entity} in {entity}")));
    }
    let mut padded = data.to_vec();
    padded.resize(width, 0.0);
    Ok(padded)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mistyped name is mended, an unrelated one is not.
    #[test]
    fn nearest_name() {
        assert_eq!(nearest("elbw", &["elbow", "wrist"]), Some("elbow"));
        assert_eq!(nearest("nonexistent", &["elbow", "wrist"]), None);
        assert_eq!(nearest("x", &[]), None);
    }
}
