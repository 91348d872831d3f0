//! Parts by name, as saved models ask for them: one line each, `gain 3 series_elastic 1000 10 50`.

use super::Slot;

/// A part that a model asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct PartRecord {
    /// Where it stands.
    pub slot: Slot,
    /// Number of the flex or actuator; 0 for the solver.
    pub element: usize,
    /// What it is asked for by.
    pub name: String,
    /// Numbers it was made from.
    pub parameters: Vec<f64>,
}

/// Is this one word that a line can hold?
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

/// Lines of text for all records. Numbers are written so that reading gives the same bits.
pub(crate) fn encode(records: &[PartRecord]) -> String {
    let mut text = String::new();
    for record in records {
        text += &format!("{} {} {}", record.slot.word(), record.element, record.name);
        for number in &record.parameters {
            text += &format!(" {number}");
        }
        text.push('\n');
    }
    text
}

/// The records that [`encode`] wrote, for a model of so many flexes and actuators; says which line is wrong.
pub(crate) fn decode(text: &str, nflex: usize, nu: usize) -> Result<Vec<PartRecord>, String> {
    text.lines().map(|line| parse(line, nflex, nu).ok_or_else(|| format!("part '{line}'"))).collect()
}

fn parse(line: &str, nflex: usize, nu: usize) -> Option<PartRecord> {
    let mut words = line.split(' ');
    let word = words.next()?;
    let slot = Slot::ALL.into_iter().find(|slot| slot.word() == word)?;
    let count = match slot {
        Slot::Bending | Slot::Elasticity => nflex,
        Slot::Gain | Slot::Bias => nu,
        Slot::Solver => 1,
    };
    let element = words.next()?.parse().ok().filter(|&id| id < count)?;
    let name = words.next().filter(|name| is_name(name))?.to_owned();
    let parameters = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    Some(PartRecord { slot, element, name, parameters })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_survive_and_damage_is_noticed() {
        let record =
            |slot, element, parameters| PartRecord { slot, element, name: "a.b-1".into(), parameters };
        let records = [
            record(Slot::Gain, 3, vec![0.1, -1e300, f64::MIN_POSITIVE]),
            record(Slot::Bending, 0, vec![]),
            record(Slot::Solver, 0, vec![4.0]),
        ];
        let text = encode(&records);
        assert_eq!(decode(&text, 1, 4).as_deref(), Ok(&records[..]));
        for bad in ["gain 4 x", "gain x", "bend 0 x", "gain 0 x y", "gain 0", "solver 1 x", "gain 0 ü"] {
            assert_eq!(decode(bad, 1, 4), Err(format!("part '{bad}'")));
        }
    }
}
