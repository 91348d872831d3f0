//! Messages as lists of sections: the number of sections, their lengths in bytes, the sections. Numbers are little-endian;
//! every section starts at a multiple of eight bytes, so that the page can look at it as numbers.

use serde::Serialize;

const ALIGNMENT: usize = 8;
/// Most sections in a message from the page.
const MAX_SECTIONS: usize = 100_000;

/// What stands in a section.
pub type Sections = Vec<Vec<u8>>;

/// A message under construction. Its first section is the head, given at the end.
#[derive(Debug, Default)]
pub struct Message {
    sections: Sections,
}

impl Message {
    /// Adds a section; returns its number.
    pub fn bytes(&mut self, bytes: Vec<u8>) -> usize {
        self.sections.push(bytes);
        self.sections.len() // the head is number 0
    }

    /// Adds a section of numbers.
    pub fn floats(&mut self, numbers: impl IntoIterator<Item = f32>) -> usize {
        self.bytes(numbers.into_iter().flat_map(f32::to_le_bytes).collect())
    }

    /// Adds a section of whole numbers.
    pub fn integers(&mut self, numbers: impl IntoIterator<Item = u32>) -> usize {
        self.bytes(numbers.into_iter().flat_map(u32::to_le_bytes).collect())
    }

    /// The message with its head.
    pub fn finish(self, head: &impl Serialize) -> Vec<u8> {
        let head = serde_json::to_vec(head).unwrap_or_default(); // plain records always become JSON
        let sections: Vec<&[u8]> =
            std::iter::once(head.as_slice()).chain(self.sections.iter().map(Vec::as_slice)).collect();
        join(&sections)
    }
}

/// A message that is its head alone.
pub fn plain(head: &impl Serialize) -> Vec<u8> {
    Message::default().finish(head)
}

fn pad(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
}

/// Writes sections one after the other.
pub fn join(sections: &[&[u8]]) -> Vec<u8> {
    let content: usize = sections.iter().map(|s| s.len() + ALIGNMENT).sum();
    let mut bytes = Vec::with_capacity(4 * (sections.len() + 1) + ALIGNMENT + content);
    let mut number = |n: usize| bytes.extend_from_slice(&(n as u32).to_le_bytes());
    number(sections.len());
    sections.iter().for_each(|s| number(s.len()));
    pad(&mut bytes);
    for section in sections {
        bytes.extend_from_slice(section);
        pad(&mut bytes);
    }
    bytes
}

/// Reads sections; `None` when the bytes are not a message.
pub fn split(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let number = |i: usize| {
        let word = bytes.get(4 * i..4 * i + 4)?;
        Some(u32::from_le_bytes(word.try_into().ok()?) as usize)
    };
    let count = number(0).filter(|&n| n <= MAX_SECTIONS)?;
    let mut start = (4 * (count + 1)).next_multiple_of(ALIGNMENT);
    let mut sections = Vec::new();
    for i in 1..=count {
        let end = start.checked_add(number(i)?)?;
        sections.push(bytes.get(start..end)?);
        start = end.next_multiple_of(ALIGNMENT);
    }
    Some(sections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_come_back_and_start_at_multiples_of_eight() {
        let mut message = Message::default();
        assert_eq!(message.floats([1.0, 2.0, 3.0]), 1);
        assert_eq!(message.bytes(Vec::new()), 2);
        assert_eq!(message.integers([7]), 3);
        let bytes = message.finish(&"head");
        let sections = split(&bytes).unwrap();
        assert_eq!(
            sections,
            [&b"\"head\""[..], &[0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64], &[], &[7, 0, 0, 0]]
        );
        for section in sections {
            assert_eq!((section.as_ptr().addr() - bytes.as_ptr().addr()) % 8, 0);
        }
    }

    #[test]
    fn bytes_that_are_no_message_are_refused() {
        let whole = join(&[b"abc", b"defghijklmn"]);
        for length in 0..whole.len() - 5 {
            assert_eq!(split(&whole[..length]), None, "{length} bytes");
        }
        assert_eq!(split(&[255; 64]), None);
    }
}
