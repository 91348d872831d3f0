//! Errors that say what is wrong and where.

use crate::origin::Origin;
use std::fmt;

/// What is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagnostic {
    /// The complaint, in the reference's wording where it has one.
    pub message: String,
    /// File, line, column.
    pub origin: Origin,
    /// The element, such as `geom 'foot'`; empty when no element is to blame.
    pub element: String,
    /// How to mend it; may be empty.
    pub help: String,
    /// Tag of the element, if it has one.
    pub tag: u32,
}

impl Diagnostic {
    /// A complaint without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// Says where.
    #[must_use]
    pub fn at_origin(mut self, origin: &Origin) -> Self {
        self.origin = origin.clone();
        self
    }

    /// Names the element to blame.
    #[must_use]
    pub fn element(mut self, element: impl Into<String>) -> Self {
        self.element = element.into();
        self
    }

    /// Says how to mend it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if !self.element.is_empty() {
            write!(f, "\n  element: {}", self.element)?;
        }
        if self.origin.line > 0 {
            let file = if self.origin.file.is_empty() { "<string>" } else { &self.origin.file };
            write!(f, "\n  --> {file}:{}:{}", self.origin.line, self.origin.column.max(1))?;
        }
        if !self.help.is_empty() {
            write!(f, "\n  help: {}", self.help)?;
        }
        Ok(())
    }
}

/// Why a model could not be read or compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MjcfError {
    /// Not well-formed XML.
    #[error("XML parse error: {0}")]
    XmlParse(Diagnostic),
    /// Unknown element or attribute, or one too many.
    #[error("Schema violation: {0}")]
    Schema(Diagnostic),
    /// An attribute value that cannot be used.
    #[error("{0}")]
    InvalidAttribute(Diagnostic),
    /// A reference to something that does not exist.
    #[error("{0}")]
    UnknownName(Diagnostic),
    /// Known, but not supported.
    #[error("{0}")]
    Unsupported(Diagnostic),
    /// An included file cannot be read.
    #[error("Include error: {0}")]
    IncludeError(Diagnostic),
    /// A file is included twice.
    #[error("File already included: {0}")]
    DuplicateInclude(Diagnostic),
    /// A file includes itself.
    #[error("Circular include: {0}")]
    CircularInclude(Diagnostic),
    /// A mesh, texture, height field or other file that cannot be read or decoded.
    #[error("{0}")]
    Asset(Diagnostic),
    /// A model that is well-formed but cannot be compiled.
    #[error("{0}")]
    Compile(Diagnostic),
    /// More memory is asked for than the host grants a model.
    #[error("{0}")]
    Memory(Diagnostic),
}

impl MjcfError {
    /// The details, whatever the kind.
    pub fn diagnostic(&self) -> &Diagnostic {
        match self {
            Self::XmlParse(d)
            | Self::Schema(d)
            | Self::InvalidAttribute(d)
            | Self::UnknownName(d)
            | Self::Unsupported(d)
            | Self::IncludeError(d)
            | Self::DuplicateInclude(d)
            | Self::CircularInclude(d)
            | Self::Asset(d)
            | Self::Compile(d)
            | Self::Memory(d) => d,
        }
    }
}

/// Result of reading or compiling.
pub type Result<T> = std::result::Result<T, MjcfError>;
