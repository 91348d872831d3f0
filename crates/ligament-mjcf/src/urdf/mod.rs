//! URDF: root element `robot`.

use crate::diag::{MjcfError, Result};
use crate::read::Reader;
use crate::xml::Element;

/// Reads a `<robot>` into [`Reader::spec`].
pub fn read_robot(_reader: &mut Reader<'_>, root: Element<'_>) -> Result<()> {
    Err(MjcfError::Unsupported(root.complain("URDF is not supported yet")))
}
