//! `<asset><model>` and `<attach>`: parts of other model files.

use crate::diag::{MjcfError, Result};
use crate::read::Reader;
use crate::spec::{BodyId, FrameId};
use crate::xml::Element;

/// Reads the file of a `<model>` asset into [`Reader::models`].
pub fn read_model_asset(_reader: &mut Reader<'_>, element: Element<'_>) -> Result<()> {
    Err(MjcfError::Unsupported(element.complain("model assets are not supported yet")))
}

/// Copies a subtree of a model asset into `body`, inside `frame` if there is one.
pub fn read_attach(
    _reader: &mut Reader<'_>,
    element: Element<'_>,
    _body: BodyId,
    _frame: Option<FrameId>,
) -> Result<()> {
    Err(MjcfError::Unsupported(element.complain("attach is not supported yet")))
}
