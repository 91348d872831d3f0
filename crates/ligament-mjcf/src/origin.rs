//! Places in texts.

use std::sync::Arc;

/// Where in the text an element stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// File name as the user knows it; empty for text from memory.
    pub file: Arc<str>,
    /// Line, from 1; 0 when the element was made in code.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}
