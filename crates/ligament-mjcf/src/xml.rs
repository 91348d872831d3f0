//! A tolerant XML reader: text to an arena of elements that know where they stand.
//!
//! It accepts what MuJoCo's reader accepts (undeclared prefixes, a bare `&`, `<` in values, several roots of
//! which the first counts, text before the root, control characters, a byte order mark) and refuses what that
//! one refuses (repeated attributes, unquoted values, unclosed elements, trailing text). Nothing here or
//! downstream recurses over the tree, so nesting depth never becomes stack depth.

use crate::assets::OverBudget;
use crate::diag::{Diagnostic, MjcfError, Result};
use crate::origin::Origin;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Nesting beyond this depth is refused, as the reference does.
pub const MAX_DEPTH: usize = 499;

/// An attribute with its decoded value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    pub name: String,
    pub value: String,
    line: u32,
    column: u32,
}

/// Index of an element in its [`Tree`].
pub type ElementId = usize;

#[derive(Debug, Clone, Default)]
pub(crate) struct ElementData {
    pub(crate) name: String,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) children: Vec<ElementId>,
    pub(crate) origin: Origin,
    /// The include it came through, `None` in the main file.
    pub(crate) include: Option<Arc<Include>>,
    /// It took the place of an include element, instead of being written here.
    pub(crate) spliced: bool,
}

/// How an element came into the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Include {
    /// Path of the included file.
    pub(crate) path: String,
    /// Its directory.
    pub(crate) dir: String,
    /// Number of includes around it.
    pub(crate) depth: usize,
    /// The include around it.
    pub(crate) outer: Option<Arc<Include>>,
}

/// A document: elements in an arena, the first one found is the root.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    pub(crate) elements: Vec<ElementData>,
    pub(crate) root: ElementId,
    /// The comment that opens the root's content, if any.
    pub comment: String,
    /// What readers noticed without refusing the model.
    pub(crate) warnings: RefCell<Vec<Diagnostic>>,
}

/// View of one element.
#[derive(Debug, Clone, Copy)]
pub struct Element<'a> {
    tree: &'a Tree,
    id: ElementId,
}

impl Tree {
    /// Parses a document; `file` is the name used in messages.
    pub fn parse(text: &str, file: &Arc<str>) -> Result<Self> {
        TreeBuilder::new(text, file).run()
    }

    /// Bytes that the elements of a text will take, at most, and the numbers in it (two letters each).
    pub(crate) fn weight(text: &str) -> u64 {
        let parts = text.bytes().filter(|b| matches!(b, b'<' | b'=')).count();
        (4 * text.len() + parts * size_of::<ElementData>()) as u64
    }

    /// The root element.
    pub fn root(&self) -> Element<'_> {
        self.element(self.root)
    }

    /// View of an element.
    pub fn element(&self, id: ElementId) -> Element<'_> {
        Element { tree: self, id }
    }
}

impl<'a> Element<'a> {
    fn data(self) -> &'a ElementData {
        &self.tree.elements[self.id]
    }

    /// Its place in the tree.
    pub fn id(self) -> ElementId {
        self.id
    }

    /// Tag name.
    pub fn name(self) -> &'a str {
        &self.data().name
    }

    /// Value of an attribute, `None` when it is not written.
    pub fn attr(self, name: &str) -> Option<&'a str> {
        self.data().attributes.iter().find(|a| a.name == name).map(|a| a.value.as_str())
    }

    /// All attributes in document order.
    pub fn attributes(self) -> &'a [Attribute] {
        &self.data().attributes
    }

    /// Child elements in document order; included ones stand where the include stood.
    pub fn children(self) -> impl DoubleEndedIterator<Item = Element<'a>> + ExactSizeIterator {
        let tree = self.tree;
        self.data().children.iter().map(move |&id| Element { tree, id })
    }

    /// Child by number.
    pub fn child_at(self, index: usize) -> Option<Element<'a>> {
        self.data().children.get(index).map(|&id| Element { tree: self.tree, id })
    }

    /// First child with this name.
    pub fn child(self, name: &str) -> Option<Element<'a>> {
        self.children().find(|c| c.name() == name)
    }

    /// Where it stands.
    pub fn origin(self) -> &'a Origin {
        &self.data().origin
    }

    /// Directory of the included file it comes from, `None` in the main file.
    pub fn include_dir(self) -> Option<&'a str> {
        self.data().include.as_ref().map(|include| include.dir.as_str())
    }

    /// Did it take the place of an include element?
    pub fn spliced(self) -> bool {
        self.data().spliced
    }

    /// Tag name with the element's own name, for messages.
    pub fn describe(self) -> String {
        match self.attr("name") {
            Some(name) if !name.is_empty() => format!("{} '{name}'", self.name()),
            _ => self.name().to_string(),
        }
    }

    /// Notes something odd that does not keep the model from loading.
    pub fn warn(self, message: impl Into<String>) {
        self.tree.warnings.borrow_mut().push(self.complain(message));
    }

    /// A complaint about this element.
    pub fn complain(self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(message).at_origin(self.origin()).element(self.describe())
    }

    /// A complaint about one of its attributes.
    pub fn complain_attr(self, name: &str, message: impl Into<String>) -> Diagnostic {
        let mut diagnostic = self.complain(message);
        if let Some(attribute) = self.data().attributes.iter().find(|a| a.name == name) {
            diagnostic.origin.line = attribute.line;
            diagnostic.origin.column = attribute.column;
        }
        diagnostic
    }

    /// An [`MjcfError::InvalidAttribute`] about this element.
    pub fn invalid(self, message: impl Into<String>) -> MjcfError {
        MjcfError::InvalidAttribute(self.complain(message))
    }

    /// An [`MjcfError::Memory`]: it asks for more than there is.
    pub fn over_budget(self, over: OverBudget) -> MjcfError {
        MjcfError::Memory(self.complain(over.to_string()).help(OverBudget::REMEDY))
    }

    /// An [`MjcfError::InvalidAttribute`] about one of its attributes.
    pub fn invalid_attr(self, name: &str, message: impl Into<String>) -> MjcfError {
        MjcfError::InvalidAttribute(self.complain_attr(name, message))
    }
}

/// Turns byte offsets into lines and columns.
struct LineTable<'t> {
    text: &'t str,
    starts: Vec<usize>,
    /// The last place that was asked for, and how many letters of its line stand before it: a text may be one line.
    last: Cell<(usize, usize)>,
}

impl<'t> LineTable<'t> {
    fn new(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1));
        Self { text, starts, last: Cell::new((0, 0)) }
    }

    fn place(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let start = self.starts[line];
        let (from, before) = match self.last.get() {
            (last, letters) if (start..=offset).contains(&last) => (last, letters),
            _ => (start, 0),
        };
        let Some(text) = self.text.get(from..offset) else {
            return (line as u32 + 1, (offset - start) as u32 + 1);
        };
        let letters = before + text.chars().count();
        self.last.set((offset, letters));
        (line as u32 + 1, letters as u32 + 1)
    }
}

/// A reader that leaves the pairing of tags to us.
fn lenient_reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    config.check_comments = false;
    reader
}

/// Length of markup such as `<!-\- note -\->`, which the reference skips up to the first `>`; `None` for anything else.
fn unknown_markup(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("<!")?;
    if rest.starts_with("--") || rest.starts_with("[CDATA[") {
        return None;
    }
    rest.find('>').map(|end| end + 3)
}

/// Length of the byte order marks at the beginning: text like any other, which a new reader would pass over uncounted.
fn marks(text: &str) -> usize {
    text.len() - text.trim_start_matches('\u{feff}').len()
}

struct TreeBuilder<'t> {
    text: &'t str,
    lines: LineTable<'t>,
    file: Arc<str>,
    tree: Tree,
    open: Vec<ElementId>,
    root_seen: bool,
    /// Nothing but blanks so far inside the root.
    root_empty: bool,
    /// Nothing but blanks and declarations so far.
    at_beginning: bool,
}

impl<'t> TreeBuilder<'t> {
    fn new(text: &'t str, file: &Arc<str>) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // the reference stops at the end of a C string
        let text = text.split('\0').next().unwrap_or(text);
        Self {
            text,
            lines: LineTable::new(text),
            file: file.clone(),
            tree: Tree::default(),
            open: Vec::new(),
            root_seen: false,
            root_empty: true,
            at_beginning: true,
        }
    }

    fn origin(&self, offset: usize) -> Origin {
        let (line, column) = self.lines.place(offset.min(self.text.len()));
        Origin { file: self.file.clone(), line, column }
    }

    fn error(&self, offset: usize, message: impl Into<String>) -> MjcfError {
        MjcfError::XmlParse(Diagnostic::new(message).at_origin(&self.origin(offset)))
    }

    fn run(mut self) -> Result<Tree> {
        let mut start = marks(self.text);
        let mut reader = lenient_reader(&self.text[start..]);
        let mut trailing_text = None;
        loop {
            let offset = start + reader.buffer_position() as usize;
            if let Some(length) = unknown_markup(&self.text[offset..]) {
                let skipped = marks(&self.text[offset + length..]);
                trailing_text = (skipped > 0).then_some(offset + length);
                start = offset + length + skipped;
                reader = lenient_reader(&self.text[start..]);
                (self.root_empty, self.at_beginning) = (false, false);
                continue;
            }
            let event = reader.read_event().map_err(|e| {
                self.error(start + reader.error_position() as usize, format!("not well-formed: {e}"))
            })?;
            let was_text = matches!(event, Event::Text(_) | Event::CData(_) | Event::GeneralRef(_));
            let markup = &self.text[offset..start + reader.buffer_position() as usize];
            let blank = was_text && markup.bytes().all(|b| b.is_ascii_whitespace());
            let is_declaration = matches!(event, Event::PI(_) | Event::Decl(_));
            match event {
                Event::Eof => break,
                Event::Start(_) => self.start(&markup[1..markup.len() - 1], offset, true)?,
                Event::Empty(_) => self.start(&markup[1..markup.len() - 2], offset, false)?,
                Event::End(_) => {
                    if !self.end(&markup[2..markup.len() - 1], offset)? {
                        return Ok(self.tree);
                    }
                }
                Event::Comment(_) => {
                    if self.open.len() == 1 && self.root_empty && self.open[0] == self.tree.root {
                        self.tree.comment = markup.get(4..markup.len() - 3).unwrap_or_default().to_string();
                    }
                    self.root_empty = false;
                }
                Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => {
                    if !blank {
                        self.root_empty = false;
                        trailing_text = Some(offset);
                    }
                }
                Event::PI(_) | Event::Decl(_) if !self.open.is_empty() => {
                    return Err(self.error(offset, "declaration inside an element"));
                }
                Event::PI(_) | Event::Decl(_) if !self.at_beginning => {
                    return Err(self.error(offset, "a declaration must come before everything else"));
                }
                Event::PI(_) | Event::Decl(_) | Event::DocType(_) => {}
            }
            self.at_beginning &= is_declaration || blank;
            if !was_text {
                trailing_text = None;
            }
        }
        self.finish(trailing_text)
    }

    fn finish(self, trailing_text: Option<usize>) -> Result<Tree> {
        if let Some(&id) = self.open.last() {
            let data = &self.tree.elements[id];
            return Err(MjcfError::XmlParse(
                Diagnostic::new(format!("element '{}' is not closed", data.name))
                    .at_origin(&data.origin)
                    .help(format!("add </{}>", data.name)),
            ));
        }
        if let Some(offset) = trailing_text {
            return Err(self.error(offset, "text after the root element"));
        }
        if !self.root_seen {
            return Err(self.error(0, "XML root element not found"));
        }
        Ok(self.tree)
    }

    fn start(&mut self, tag: &'t str, offset: usize, has_content: bool) -> Result<()> {
        let blanks = tag.len() - tag.trim_ascii_start().len();
        let name = self.tag_name(&tag[blanks..], offset)?;
        let mut data =
            ElementData { name: name.to_string(), origin: self.origin(offset), ..Default::default() };
        let end = offset + 1 + tag.len();
        data.attributes = self.attributes(offset + 1 + blanks + name.len(), end, name)?;
        let id = self.tree.elements.len();
        self.tree.elements.push(data);
        if let Some(&parent) = self.open.last() {
            self.root_empty = false;
            self.tree.elements[parent].children.push(id);
        } else if !self.root_seen {
            self.root_seen = true;
            self.tree.root = id;
        }
        if has_content {
            self.open.push(id);
        }
        if self.open.len() + usize::from(!has_content) > MAX_DEPTH {
            return Err(self.error(offset, "element nesting is too deep"));
        }
        Ok(())
    }

    /// Closes the innermost element; false when a stray end tag ends the document, as in the reference.
    fn end(&mut self, tag: &str, offset: usize) -> Result<bool> {
        let name = tag.trim_ascii_end();
        let Some(id) = self.open.pop() else {
            return if self.root_seen {
                Ok(false)
            } else {
                Err(self.error(offset, "end tag without a start tag"))
            };
        };
        let open = &self.tree.elements[id];
        if open.name != name {
            let message = format!("mismatched end tag </{name}>, element '{}' is open", open.name);
            return Err(self.error(offset, message));
        }
        Ok(true)
    }

    fn tag_name(&self, tag: &'t str, offset: usize) -> Result<&'t str> {
        let length = tag.bytes().position(|b| !is_name_byte(b)).unwrap_or(tag.len());
        match tag.bytes().next() {
            Some(first) if is_name_start(first) => Ok(&tag[..length]),
            _ => Err(self.error(offset, "element without a valid name")),
        }
    }

    fn attributes(&self, mut at: usize, end: usize, element: &str) -> Result<Vec<Attribute>> {
        let bytes = self.text.as_bytes();
        let mut attributes: Vec<Attribute> = Vec::new();
        loop {
            at = skip_blanks(bytes, at, end);
            if at == end {
                break;
            }
            let start = at;
            let bad = |what: &str| self.error(start, format!("{what} in element '{element}'"));
            if !is_name_start(bytes[at]) {
                return Err(bad("malformed attribute"));
            }
            while at < end && is_name_byte(bytes[at]) {
                at += 1;
            }
            let name = &self.text[start..at];
            at = skip_blanks(bytes, at, end);
            if at == end || bytes[at] != b'=' {
                return Err(bad(&format!("attribute '{name}' without a value")));
            }
            at = skip_blanks(bytes, at + 1, end);
            if at == end || (bytes[at] != b'"' && bytes[at] != b'\'') {
                return Err(bad(&format!("unquoted value of attribute '{name}'")));
            }
            let value_start = at + 1;
            let length = bytes[value_start..end].iter().position(|&b| b == bytes[at]);
            let length = length.ok_or_else(|| bad(&format!("unterminated value of attribute '{name}'")))?;
            at = value_start + length + 1;
            let (line, column) = self.lines.place(start);
            let value = decode(&self.text[value_start..value_start + length]);
            attributes.push(Attribute { name: name.to_string(), value, line, column });
        }
        self.check_repeated(&attributes, element)?;
        Ok(attributes)
    }

    fn check_repeated(&self, attributes: &[Attribute], element: &str) -> Result<()> {
        let mut sorted: Vec<&Attribute> = attributes.iter().collect();
        sorted.sort_by(|a, b| a.name.cmp(&b.name));
        let Some(pair) = sorted.windows(2).find(|pair| pair[0].name == pair[1].name) else {
            return Ok(());
        };
        let origin = Origin { file: self.file.clone(), line: pair[1].line, column: pair[1].column };
        let message = format!("repeated attribute '{}' in element '{element}'", pair[1].name);
        Err(MjcfError::XmlParse(Diagnostic::new(message).at_origin(&origin)))
    }
}

fn skip_blanks(bytes: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && bytes[at].is_ascii_whitespace() {
        at += 1;
    }
    at
}

fn is_name_start(byte: u8) -> bool {
    byte >= 128 || byte.is_ascii_alphabetic() || byte == b':' || byte == b'_'
}

fn is_name_byte(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || byte == b'.' || byte == b'-'
}

/// Resolves entities and line ends of an attribute value; an `&` that starts no entity stands for itself.
fn decode(raw: &str) -> String {
    let raw =
        if raw.contains('\r') { raw.replace("\r\n", "\n").replace('\r', "\n") } else { raw.to_string() };
    if !raw.contains('&') {
        return raw;
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw.as_str();
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match entity(rest) {
            Some((text, length)) => {
                out.push(text);
                rest = &rest[length..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The character an entity at the start of `text` stands for, and its length.
fn entity(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 5] =
        [("&quot;", '"'), ("&amp;", '&'), ("&apos;", '\''), ("&lt;", '<'), ("&gt;", '>')];
    if let Some((name, character)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((*character, name.len()));
    }
    let digits = text.strip_prefix("&#")?;
    let end = digits.find(';')?;
    let code = match digits[..end].strip_prefix('x') {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => digits[..end].parse(),
    };
    let character = char::from_u32(code.ok()?).filter(|c| *c != '\0')?;
    Some((character, end + 3))
}

#[cfg(test)]
mod tests;
