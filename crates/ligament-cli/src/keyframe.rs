//! Keyframes by name or number.

use crate::Usage;
use anyhow::bail;
use ligament::prelude::*;

/// Number of a keyframe that the user names.
pub fn find(model: &Model, wanted: &str) -> anyhow::Result<usize> {
    if let Some(key) = model.id(ObjType::Key, wanted) {
        return Ok(key);
    }
    match wanted.parse::<usize>() {
        Ok(key) if key < model.nkey => Ok(key),
        _ => {
            let names: Vec<String> = (0..model.nkey)
                .map(|key| model.name(ObjType::Key, key).map_or_else(|| key.to_string(), Into::into))
                .collect();
            let known = if names.is_empty() { "none".into() } else { names.join(", ") };
            bail!(Usage(format!("no keyframe '{wanted}' in the model; it has: {known}")))
        }
    }
}

/// A simulation at its start: the initial configuration or a keyframe.
pub fn make_data(model: &Model, keyframe: Option<&str>) -> anyhow::Result<Data> {
    let mut data = model.make_data()?;
    if let Some(wanted) = keyframe {
        data.reset_to_keyframe(model, find(model, wanted)?)?;
    }
    Ok(data)
}
