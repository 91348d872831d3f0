//! Short ways to say what is wrong and where.

use crate::labels::label;
use ligament_mjcf::assets::OverBudget;
use ligament_mjcf::diag::{Diagnostic, MjcfError};
use ligament_mjcf::spec::Meta;
use ligament_model::enums::ObjType;

/// A compile error blamed on an element: its kind, name and place in the text.
pub fn fail_at(kind: ObjType, meta: &Meta, message: impl Into<String>) -> MjcfError {
    MjcfError::Compile(Diagnostic::new(message).at(label(kind), meta))
}

/// A reference to something that does not exist, blamed on the element that makes it.
pub fn unknown_at(kind: ObjType, meta: &Meta, message: impl Into<String>) -> MjcfError {
    MjcfError::UnknownName(Diagnostic::new(message).at(label(kind), meta))
}

/// A compile error that no single element is to blame for.
pub fn fail(message: impl Into<String>) -> MjcfError {
    MjcfError::Compile(Diagnostic::new(message))
}

/// More memory than the model may take, blamed on the element that asks for it.
pub fn over_budget(kind: ObjType, meta: &Meta) -> impl Fn(OverBudget) -> MjcfError + '_ {
    move |over| {
        let diagnostic = Diagnostic::new(over.to_string()).at(label(kind), meta);
        MjcfError::Memory(diagnostic.help(OverBudget::REMEDY))
    }
}
