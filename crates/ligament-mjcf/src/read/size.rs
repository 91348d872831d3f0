//! `<size>`.

use crate::diag::Result;
use crate::spec::SizeSettings;
use crate::xml::Element;

/// Overwrites what the element sets.
pub fn read_size(section: Element<'_>, size: &mut SizeSettings) -> Result<()> {
    if let Some(memory) = read_memory(section)? {
        size.memory = memory;
    }
    section.int("nuserdata", &mut size.nuserdata)?;
    section.int("nkey", &mut size.nkey)?;
    at_least_minus_one(section, "nconmax", &mut size.nconmax)?;
    let mut nstack = i32::try_from(size.nstack).unwrap_or(i32::MAX);
    at_least_minus_one(section, "nstack", &mut nstack)?;
    size.nstack = nstack.into();
    at_least_minus_one(section, "njmax", &mut size.njmax)?;
    for (name, value) in [("nstack", size.nstack), ("njmax", size.njmax.into())] {
        if size.memory != -1 && value != -1 && section.attr(name).is_some() {
            let message = format!("either 'memory' and '{name}' attribute can be specified, not both");
            return Err(section.invalid_attr(name, message));
        }
    }
    at_least_minus_one(section, "nuser_body", &mut size.nuser_body)?;
    at_least_minus_one(section, "nuser_jnt", &mut size.nuser_jnt)?;
    at_least_minus_one(section, "nuser_geom", &mut size.nuser_geom)?;
    at_least_minus_one(section, "nuser_site", &mut size.nuser_site)?;
    at_least_minus_one(section, "nuser_cam", &mut size.nuser_cam)?;
    at_least_minus_one(section, "nuser_tendon", &mut size.nuser_tendon)?;
    at_least_minus_one(section, "nuser_actuator", &mut size.nuser_actuator)?;
    at_least_minus_one(section, "nuser_sensor", &mut size.nuser_sensor)
}

fn at_least_minus_one(section: Element<'_>, name: &str, out: &mut i32) -> Result<()> {
    section.int(name, out)?;
    if *out < -1 {
        return Err(section.invalid_attr(name, format!("{name} must be >= -1")));
    }
    Ok(())
}

/// Bytes with an optional suffix K, M, G, T, P or E; `None` for absent or -1.
fn read_memory(section: Element<'_>) -> Result<Option<i64>> {
    let Some(text) = section.attr("memory") else { return Ok(None) };
    let text = text.trim();
    if text == "-1" {
        return Ok(None);
    }
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" => Some(0),
        suffix if suffix.len() == 1 => {
            "KMGTPE".find(&suffix.to_ascii_uppercase()).map(|at| 10 * (at as u32 + 1))
        }
        _ => None,
    };
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let base = if plain { digits.parse::<u64>().ok() } else { None };
    let total = base.zip(shift).and_then(|(base, shift)| {
        let total = base << shift;
        (total >> shift == base).then_some(total)
    });
    total.and_then(|bytes| i64::try_from(bytes).ok()).map(Some).ok_or_else(|| {
        section.invalid_attr(
            "memory",
            "unsigned integer with an optional suffix {K,M,G,T,P,E} is expected in attribute 'memory' \
             (or the size specified is too big)",
        )
    })
}
