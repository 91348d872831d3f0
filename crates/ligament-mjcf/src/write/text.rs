//! XML text, written front to back.

use std::fmt::Write as _;

/// A document under construction. Elements without attributes and children can be dropped when they are closed.
#[derive(Debug, Default)]
pub(super) struct XmlText {
    out: String,
    open: Vec<OpenElement>,
    /// Elements below the root so far.
    sections: usize,
}

#[derive(Debug)]
struct OpenElement {
    name: String,
    attributes: String,
    /// Its start tag stands in the text.
    started: bool,
}

/// A number that reads back to the same bits.
pub(super) trait Shortest: Copy + PartialEq {
    fn push(self, out: &mut String);
}

macro_rules! shortest_float {
    ($ty:ty) => {
        impl Shortest for $ty {
            fn push(self, out: &mut String) {
                let size = self.abs();
                let result = if size == 0.0 || (1e-5..1e16).contains(&size) || !self.is_finite() {
                    write!(out, "{self}")
                } else {
                    write!(out, "{self:e}")
                };
                debug_assert!(result.is_ok(), "writing to a string cannot fail");
            }
        }
    };
}
shortest_float!(f64);
shortest_float!(f32);

impl Shortest for i32 {
    fn push(self, out: &mut String) {
        let result = write!(out, "{self}");
        debug_assert!(result.is_ok(), "writing to a string cannot fail");
    }
}

impl XmlText {
    /// Begins an element.
    pub(super) fn open(&mut self, name: &str) {
        self.open.push(OpenElement { name: name.into(), attributes: String::new(), started: false });
    }

    /// Ends the innermost element.
    pub(super) fn close(&mut self) {
        self.start_parents();
        let depth = self.open.len().saturating_sub(1);
        let Some(element) = self.open.pop() else { return };
        if !element.started {
            self.separate(depth);
        }
        indent(&mut self.out, depth);
        if element.started {
            self.out.push_str("</");
            self.out.push_str(&element.name);
            self.out.push_str(">\n");
        } else {
            self.out.push('<');
            self.out.push_str(&element.name);
            self.out.push_str(&element.attributes);
            self.out.push_str("/>\n");
        }
    }

    /// Ends the innermost element and drops it if there is nothing in it.
    pub(super) fn close_unless_empty(&mut self) {
        match self.open.last() {
            Some(element) if !element.started && element.attributes.is_empty() => {
                self.open.pop();
            }
            _ => self.close(),
        }
    }

    /// A comment inside the innermost element.
    pub(super) fn comment(&mut self, text: &str) {
        self.start_all();
        indent(&mut self.out, self.open.len());
        // two hyphens would end the comment
        let safe = text.replace("--", "- -");
        self.out.push_str("<!--");
        self.out.push_str(&safe);
        self.out.push_str("-->\n");
    }

    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    fn start_parents(&mut self) {
        let count = self.open.len().saturating_sub(1);
        self.start(count);
    }

    fn start_all(&mut self) {
        let count = self.open.len();
        self.start(count);
    }

    fn start(&mut self, count: usize) {
        for depth in 0..count {
            if self.open[depth].started {
                continue;
            }
            self.separate(depth);
            indent(&mut self.out, depth);
            let element = &mut self.open[depth];
            self.out.push('<');
            self.out.push_str(&element.name);
            self.out.push_str(&element.attributes);
            self.out.push_str(">\n");
            element.started = true;
        }
    }

    /// An empty line between the sections of the document.
    fn separate(&mut self, depth: usize) {
        if depth == 1 && self.sections > 0 {
            self.out.push('\n');
        }
        self.sections += usize::from(depth == 1);
    }

    /// An attribute of the innermost element.
    pub(super) fn text(&mut self, name: &str, value: &str) {
        let Some(element) = self.open.last_mut() else { return };
        element.attributes.push(' ');
        element.attributes.push_str(name);
        element.attributes.push_str("=\"");
        for c in value.chars() {
            match c {
                '&' => element.attributes.push_str("&amp;"),
                '<' => element.attributes.push_str("&lt;"),
                '>' => element.attributes.push_str("&gt;"),
                '"' => element.attributes.push_str("&quot;"),
                '\n' => element.attributes.push_str("&#10;"),
                c => element.attributes.push(c),
            }
        }
        element.attributes.push('"');
    }

    /// An attribute, unless it is empty.
    pub(super) fn text_if(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            self.text(name, value);
        }
    }

    pub(super) fn numbers<T: Shortest>(&mut self, name: &str, values: &[T]) {
        let mut list = String::new();
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                list.push(' ');
            }
            value.push(&mut list);
        }
        self.text(name, &list);
    }

    /// A list, unless it is empty.
    pub(super) fn numbers_if<T: Shortest>(&mut self, name: &str, values: &[T]) {
        if !values.is_empty() {
            self.numbers(name, values);
        }
    }

    /// A list, if it differs from the default.
    pub(super) fn changed<T: Shortest>(&mut self, name: &str, values: &[T], default: &[T]) {
        if values != default {
            self.numbers(name, values);
        }
    }

    /// A number, if it differs from the default.
    pub(super) fn changed_one<T: Shortest>(&mut self, name: &str, value: T, default: T) {
        if value != default {
            self.numbers(name, &[value]);
        }
    }

    /// A name, if it differs from the default.
    pub(super) fn changed_text(&mut self, name: &str, value: &str, default: &str) {
        if value != default {
            self.text(name, value);
        }
    }

    pub(super) fn changed_flag(&mut self, name: &str, value: bool, default: bool) {
        if value != default {
            self.text(name, if value { "true" } else { "false" });
        }
    }

    /// A keyword, if it differs from the default; values without keyword are left out.
    pub(super) fn changed_key<T: Copy + PartialEq>(
        &mut self,
        name: &str,
        table: &[(&str, T)],
        value: T,
        default: T,
    ) {
        if value != default {
            self.key(name, table, value);
        }
    }

    pub(super) fn key<T: Copy + PartialEq>(&mut self, name: &str, table: &[(&str, T)], value: T) {
        if let Some((word, _)) = table.iter().find(|(_, v)| *v == value) {
            self.text(name, word);
        }
    }
}

fn indent(out: &mut String, depth: usize) {
    for _ in 0..depth {
        out.push_str("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_elements_can_be_dropped() {
        let mut xml = XmlText::default();
        xml.open("a");
        xml.open("b");
        xml.close_unless_empty();
        xml.open("c");
        xml.numbers("x", &[1.0, 0.1]);
        xml.close_unless_empty();
        assert_eq!(xml.finish(), "<a>\n  <c x=\"1 0.1\"/>\n</a>\n");
    }

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        for x in [0.1, 1e-300, 1.0 / 3.0, 6.02e23, -0.0, 5e-324, f64::MAX, 123456789.0] {
            let mut text = String::new();
            x.push(&mut text);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(x.to_bits()));
            assert!(text.len() < 30);
        }
    }

    #[test]
    fn names_are_escaped() {
        let mut xml = XmlText::default();
        xml.open("a");
        xml.text("name", "x<\"&\">");
        assert_eq!(xml.finish(), "<a name=\"x&lt;&quot;&amp;&quot;&gt;\"/>\n");
    }
}
