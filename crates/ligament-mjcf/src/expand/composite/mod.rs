//! `<composite>`: chains of bodies.

use crate::diag::{MjcfError, Result};
use crate::read::Reader;
use crate::spec::{BodyId, FrameId};
use crate::xml::Element;

/// Makes the bodies of a composite inside `body`, inside `frame` if there is one.
pub fn read_composite(
    _reader: &mut Reader<'_>,
    element: Element<'_>,
    _body: BodyId,
    _frame: Option<FrameId>,
) -> Result<()> {
    Err(MjcfError::Unsupported(element.complain("composite is not supported yet")))
}
