//! `<asset><model>` and `<attach>`: parts of other model files.

use crate::diag::{Diagnostic, MjcfError, Result};
use crate::paths;
use crate::read::Reader;
use crate::spec::weight::weight_of_renaming;
use crate::spec::{AttachPoint, BodyId, FrameId};
use crate::xml::Element;

/// Reads the file of a `<model>` asset into [`Reader::models`].
pub fn read_model_asset(reader: &mut Reader<'_>, element: Element<'_>) -> Result<()> {
    let file = element.required("file")?;
    let path = paths::join(&reader.spec.compiler().modeldir, file);
    let nested = reader.read_nested(&path);
    let mut model = nested.map_err(|error| {
        let message = format!("could not parse model file with error: {error}");
        MjcfError::Asset(Diagnostic { message, ..element.complain("") })
    })?;
    element.text("name", &mut model.modelname);
    reader.spec.warnings.append(&mut model.warnings);
    reader.models.push(model);
    Ok(())
}

/// Copies a subtree of a model asset into `body`, inside `frame` if there is one.
pub fn read_attach(
    reader: &mut Reader<'_>,
    element: Element<'_>,
    body: BodyId,
    frame: Option<FrameId>,
) -> Result<()> {
    let model_name = element.required("model")?;
    let body_name = element.attr("body").unwrap_or_default();
    let prefix = element.required("prefix")?;
    let at = AttachPoint { body, frame };
    // a body that is there already is only moved into the frame
    let new_name = format!("{prefix}{body_name}");
    if let Some(known) = reader.spec.body(&new_name).filter(|_| !new_name.is_empty()) {
        let known = &mut reader.spec.bodies[known.index()];
        if known.parent != Some(body) {
            return Err(element.invalid(format!("frame and body '{new_name}' have mismatched parents")));
        }
        known.meta.frame = frame;
        return Ok(());
    }
    let found = reader.models.iter().position(|m| m.modelname == model_name);
    let index = found.ok_or_else(|| {
        MjcfError::UnknownName(element.complain_attr("model", format!("could not find model '{model_name}'")))
    })?;
    let model = &reader.models[index];
    let bytes = (2 * model.weight()).saturating_add(model.weight_of_keys());
    let bytes = bytes.saturating_mul(weight_of_renaming(prefix));
    reader.assets.charge(bytes).map_err(|over| element.over_budget(over))?;
    reader.look_at_all(element)?;
    if body_name.is_empty() {
        reader.spec.attach_model(at, model, prefix, "")?;
    } else {
        let child = model.body(body_name).ok_or_else(|| {
            MjcfError::UnknownName(
                element.complain_attr("body", format!("could not find body '{body_name}'")),
            )
        })?;
        reader.spec.attach_body(at, model, child, prefix, "")?;
    }
    // keyframes the model got from models attached to it are handed on once
    reader.models[index].keys.retain(|key| key.attached.is_none());
    Ok(())
}
