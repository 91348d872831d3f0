//! `<flexcomp>`: soft bodies made from a few numbers or a file.

use crate::diag::{MjcfError, Result};
use crate::read::Reader;
use crate::spec::BodyId;
use crate::xml::Element;

/// Makes the bodies and the flex of a flexcomp inside `body`; enclosing frames have no effect on it.
pub fn read_flexcomp(_reader: &mut Reader<'_>, element: Element<'_>, _body: BodyId) -> Result<()> {
    Err(MjcfError::Unsupported(element.complain("flexcomp is not supported yet")))
}
