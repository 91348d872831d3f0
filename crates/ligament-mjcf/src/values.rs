//! Numbers and keywords in attributes, by the reference's rules.
//!
//! Lists are separated by blanks; `inf`, `nan` and hexadecimal floats are numbers; numbers too large or too
//! small for their type are errors. An empty list counts as absent, but an empty integer is an error.

use crate::diag::Result;
use crate::spec::Orientation;
use crate::xml::Element;

/// Why a token is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadNumber {
    Format,
    Range,
}

/// A type that number lists can hold.
pub trait Number: Copy {
    /// Reads one token completely.
    fn parse(token: &str) -> std::result::Result<Self, BadNumber>;
    /// Is it a NaN?
    fn is_nan(self) -> bool;
}

macro_rules! float_number {
    ($ty:ty) => {
        impl Number for $ty {
            fn parse(token: &str) -> std::result::Result<Self, BadNumber> {
                let digits = token.strip_prefix(['+', '-']).unwrap_or(token);
                if digits.len() > 1 && (digits.starts_with("0x") || digits.starts_with("0X")) {
                    let value = hex_float(&digits[2..])?;
                    let signed = if token.starts_with('-') { -value } else { value };
                    let narrowed = signed as $ty;
                    let lost = value.is_finite() && value != 0.0 && !narrowed.is_normal();
                    return if lost || value.is_infinite() { Err(BadNumber::Range) } else { Ok(narrowed) };
                }
                if is_nan_token(digits) {
                    return Ok(<$ty>::NAN);
                }
                let value: $ty = token.parse().map_err(|_| BadNumber::Format)?;
                let literal = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
                let overflow = literal && value.is_infinite();
                let underflow = literal && !value.is_normal() && has_nonzero_mantissa(digits);
                if overflow || underflow { Err(BadNumber::Range) } else { Ok(value) }
            }

            fn is_nan(self) -> bool {
                <$ty>::is_nan(self)
            }
        }
    };
}
float_number!(f64);
float_number!(f32);

impl Number for i32 {
    fn parse(token: &str) -> std::result::Result<Self, BadNumber> {
        let digits = token.strip_prefix(['+', '-']).unwrap_or(token);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(BadNumber::Format);
        }
        token.parse().map_err(|_| BadNumber::Range)
    }

    fn is_nan(self) -> bool {
        false
    }
}

fn has_nonzero_mantissa(digits: &str) -> bool {
    digits.bytes().take_while(|b| !matches!(b, b'e' | b'E')).any(|b| (b'1'..=b'9').contains(&b))
}

/// `nan` or `nan(payload)`, in any case.
fn is_nan_token(digits: &str) -> bool {
    let Some(head) = digits.get(..3) else { return false };
    let tail = &digits[3..];
    let payload = tail.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    head.eq_ignore_ascii_case("nan")
        && (tail.is_empty()
            || payload.is_some_and(|p| p.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')))
}

/// Hexadecimal float after its `0x`: digits with an optional point and a binary exponent.
fn hex_float(text: &str) -> std::result::Result<f64, BadNumber> {
    let (mantissa, exponent) = match text.find(['p', 'P']) {
        Some(at) => (&text[..at], i32::parse(&text[at + 1..])?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(BadNumber::Format);
    }
    let mut value = 0.0_f64;
    for c in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(c.to_digit(16).ok_or(BadNumber::Format)?);
    }
    let shift = exponent.saturating_sub(4 * i32::try_from(fraction.len()).unwrap_or(i32::MAX));
    Ok(value * 2.0_f64.powi(shift))
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

/// Blank-separated words.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_blank).filter(|w| !w.is_empty())
}

impl<'a> Element<'a> {
    /// Text of an attribute that must be written.
    pub fn required(self, name: &str) -> Result<&'a str> {
        self.attr(name).ok_or_else(|| self.missing(name))
    }

    fn missing(self, name: &str) -> crate::MjcfError {
        self.invalid(format!("required attribute missing: '{name}'"))
    }

    /// Overwrites `out` if the attribute is written.
    pub fn text(self, name: &str, out: &mut String) -> bool {
        if let Some(text) = self.attr(name) {
            *out = text.to_string();
        }
        self.attr(name).is_some()
    }

    fn number_token<T: Number>(self, name: &str, token: &str) -> Result<T> {
        let value = T::parse(token).map_err(|bad| match bad {
            BadNumber::Format => {
                self.invalid_attr(name, format!("bad format in attribute '{name}': '{token}' is no number"))
            }
            BadNumber::Range => {
                self.invalid_attr(name, format!("number is too large in attribute '{name}': '{token}'"))
            }
        })?;
        if value.is_nan() {
            self.warn("XML contains a 'NaN'. Please check it carefully.");
        }
        Ok(value)
    }

    /// A list of any length; `None` when the attribute is absent or blank.
    pub fn numbers<T: Number>(self, name: &str) -> Result<Option<Vec<T>>> {
        let Some(text) = self.attr(name) else { return Ok(None) };
        let list = words(text).map(|token| self.number_token(name, token)).collect::<Result<Vec<T>>>()?;
        Ok(if list.is_empty() { None } else { Some(list) })
    }

    /// A list that must be written.
    pub fn required_numbers<T: Number>(self, name: &str) -> Result<Vec<T>> {
        self.numbers(name)?.ok_or_else(|| self.missing(name))
    }

    /// Overwrites the leading entries of `out`; returns how many were written.
    pub fn partial<T: Number>(self, name: &str, out: &mut [T]) -> Result<usize> {
        let Some(text) = self.attr(name) else { return Ok(0) };
        let mut count = 0;
        for token in words(text) {
            let value = self.number_token(name, token)?;
            let Some(slot) = out.get_mut(count) else {
                let message = format!("attribute '{name}' has too much data, at most {} expected", out.len());
                return Err(self.invalid_attr(name, message));
            };
            *slot = value;
            count += 1;
        }
        Ok(count)
    }

    /// Overwrites all of `out`; true if the attribute is written.
    pub fn array<T: Number>(self, name: &str, out: &mut [T]) -> Result<bool> {
        let count = self.partial(name, out)?;
        if count > 0 && count < out.len() {
            let message = format!("attribute '{name}' does not have enough data, {} expected", out.len());
            return Err(self.invalid_attr(name, message));
        }
        Ok(count > 0)
    }

    /// Like [`Self::array`], for an attribute that must be written.
    pub fn required_array<T: Number>(self, name: &str, out: &mut [T]) -> Result<()> {
        if self.array(name, out)? { Ok(()) } else { Err(self.missing(name)) }
    }

    /// Overwrites a single number; true if the attribute is written.
    pub fn number<T: Number>(self, name: &str, out: &mut T) -> Result<bool> {
        self.array(name, std::slice::from_mut(out))
    }

    /// Overwrites a single integer; stricter than [`Self::number`]: blank text is an error.
    pub fn int(self, name: &str, out: &mut i32) -> Result<bool> {
        let Some(text) = self.attr(name) else { return Ok(false) };
        let mut tokens = words(text);
        let value = tokens.next().and_then(|t| <i32 as Number>::parse(t).ok());
        *out = value.ok_or_else(|| {
            self.invalid_attr(name, format!("problem reading attribute '{name}': an integer is expected"))
        })?;
        if tokens.next().is_some() {
            return Err(self.invalid_attr(name, format!("attribute '{name}' has too much data")));
        }
        Ok(true)
    }

    /// The value a keyword stands for; `None` when the attribute is absent.
    pub fn keyword<T: Copy>(self, name: &str, table: &[(&str, T)]) -> Result<Option<T>> {
        let Some(text) = self.attr(name) else { return Ok(None) };
        match table.iter().find(|(key, _)| *key == text) {
            Some((_, value)) => Ok(Some(*value)),
            None => Err(self.bad_keyword(name, text, table)),
        }
    }

    fn bad_keyword<T>(self, name: &str, text: &str, table: &[(&str, T)]) -> crate::MjcfError {
        let keys: Vec<&str> = table.iter().map(|(key, _)| *key).collect();
        let diagnostic = self
            .complain_attr(name, format!("invalid keyword: '{text}' in attribute '{name}'"))
            .help(format!("use one of: {}", keys.join(", ")));
        crate::MjcfError::InvalidAttribute(diagnostic)
    }

    /// Overwrites `out` with what a keyword stands for; true if the attribute is written.
    pub fn choose<T: Copy>(self, name: &str, table: &[(&str, T)], out: &mut T) -> Result<bool> {
        let found = self.keyword(name, table)?;
        if let Some(value) = found {
            *out = value;
        }
        Ok(found.is_some())
    }

    /// Several different keywords, in the order written.
    pub fn keyword_list<T: Copy + PartialEq>(self, name: &str, table: &[(&str, T)]) -> Result<Vec<T>> {
        let mut values = Vec::new();
        for word in words(self.attr(name).unwrap_or_default()) {
            let found = table.iter().find(|(key, _)| *key == word);
            let (_, value) = found.ok_or_else(|| self.bad_keyword(name, word, table))?;
            if values.contains(value) {
                return Err(self.invalid_attr(name, format!("duplicate keyword: '{word}'")));
            }
            values.push(*value);
        }
        Ok(values)
    }

    /// Overwrites a flag written as `true` or `false`.
    pub fn flag(self, name: &str, out: &mut bool) -> Result<bool> {
        self.choose(name, &[("false", false), ("true", true)], out)
    }

    /// Overwrites a quaternion, which must not vanish.
    pub fn quat(self, name: &str, out: &mut [f64; 4]) -> Result<bool> {
        let written = self.array(name, out)?;
        if *out == [0.0; 4] {
            return Err(self.invalid_attr(name, "zero quaternion is not allowed"));
        }
        Ok(written)
    }

    /// Overwrites an orientation that is no quaternion; true if the element has any orientation. More than one
    /// (the quaternion included) is an error.
    pub fn orientation(self, out: &mut Option<Orientation>) -> Result<bool> {
        let mut count = usize::from(self.attr("quat").is_some());
        let (mut axisangle, mut xyaxes, mut zaxis, mut euler) = ([0.0; 4], [0.0; 6], [0.0; 3], [0.0; 3]);
        if self.array("axisangle", &mut axisangle)? {
            *out = Some(Orientation::AxisAngle(axisangle));
            count += 1;
        }
        if self.array("xyaxes", &mut xyaxes)? {
            *out = Some(Orientation::XyAxes(xyaxes));
            count += 1;
        }
        if self.array("zaxis", &mut zaxis)? {
            *out = Some(Orientation::ZAxis(zaxis));
            count += 1;
        }
        if self.array("euler", &mut euler)? {
            *out = Some(Orientation::Euler(euler));
            count += 1;
        }
        if count > 1 {
            let help = "keep one of quat, axisangle, xyaxes, zaxis, euler";
            let diagnostic = self.complain("multiple orientation specifiers are not allowed").help(help);
            return Err(crate::MjcfError::InvalidAttribute(diagnostic));
        }
        Ok(count > 0)
    }
}

#[cfg(test)]
mod tests;
