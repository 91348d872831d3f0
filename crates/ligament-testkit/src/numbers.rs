//! Numbers out of arbitrary bytes.

/// A stream of numbers; zeros when the bytes run out.
#[derive(Debug, Clone)]
pub struct Numbers<'a>(&'a [u8]);

impl<'a> Numbers<'a> {
    /// Numbers of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                first
            }
            None => 0,
        }
    }

    /// The next two bytes as a number.
    pub fn short(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// Mostly numbers of ordinary size; now and then an extreme one.
    pub fn real(&mut self) -> f64 {
        let kind = self.byte();
        let fraction = f64::from(self.short() as i16) / 32768.0;
        match kind {
            0 => 0.0,
            1 => f64::NAN,
            2 => f64::INFINITY,
            3 => 1e300 * fraction,
            4 => 1e-300 * fraction,
            5..=60 => (fraction * 8.0).round() / 8.0,
            _ => fraction,
        }
    }

    /// Three numbers.
    pub fn vector(&mut self) -> [f64; 3] {
        std::array::from_fn(|_| self.real())
    }

    /// True when nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
