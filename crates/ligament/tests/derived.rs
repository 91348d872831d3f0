//! What follows from what: the table of fields names every array that `set_const` computes anew when another one changes.

mod support;
use ligament::array::{ArrayMut, ArrayRef};
use ligament::sim::reset::make_data;
use ligament::sim::setconst::set_const;
use ligament::{Model, load_model, load_model_from_file};
use std::collections::BTreeMap;
use support::models;

/// The arrays of numbers of a model after its constants were computed, or nothing where that is refused.
fn computed(m: &Model) -> Option<Vec<Vec<u64>>> {
    let mut m = m.clone();
    let mut d = make_data(&m).ok()?;
    set_const(&mut m, &mut d).ok()?;
    let bits = |array: ArrayRef<'_>| match array {
        ArrayRef::F64(numbers) => numbers.iter().map(|x| x.to_bits()).collect(),
        _ => Vec::new(),
    };
    Some(Model::FIELDS.iter().map(|field| bits((field.get)(&m))).collect())
}

/// Notes which arrays change when one of them does.
fn note(m: &Model, found: &mut BTreeMap<&'static str, Vec<&'static str>>) {
    let Some(before) = computed(m) else { return };
    for (changed, field) in Model::FIELDS.iter().enumerate().filter(|(k, _)| Model::ROLES[*k].per_world) {
        let mut other = m.clone();
        let ArrayMut::F64(numbers) = (field.get_mut)(&mut other) else { continue };
        numbers.iter_mut().enumerate().for_each(|(i, x)| *x = *x * 1.01 + 0.001 * (1 + i % 3) as f64);
        let Some(after) = computed(&other) else { continue };
        let follows =
            Model::FIELDS.iter().enumerate().filter(|(k, _)| *k != changed && before[*k] != after[*k]);
        for (_, follower) in follows {
            let list = found.entry(follower.name).or_default();
            if !list.contains(&field.name) {
                list.push(field.name);
            }
        }
    }
}

#[test]
fn the_table_names_what_follows_from_what() {
    let mut found = BTreeMap::new();
    for (name, xml) in models::models() {
        note(&load_model(&xml).unwrap_or_else(|error| panic!("{name}: {error}")), &mut found);
    }
    for path in models::files() {
        note(&load_model_from_file(&path).expect("a model of ours"), &mut found);
    }
    assert!(found.len() > 10, "{found:?}");
    let mut missing = BTreeMap::new();
    for (follower, sources) in &found {
        let unnamed = sources.iter().filter(|&&from| !Model::derived_from(from).contains(follower));
        let unnamed: Vec<_> = unnamed.copied().collect();
        if !unnamed.is_empty() {
            missing.insert(*follower, unnamed);
        }
    }
    assert!(missing.is_empty(), "the table does not say that these follow from those: {missing:#?}");
}
