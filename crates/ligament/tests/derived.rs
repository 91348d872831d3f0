//! What follows from what: the table of fields names every array that `set_const` computes anew when another one changes.

mod support;
use ligament::array::{ArrayMut, ArrayRef};
use ligament::sim::setconst::finalize;
use ligament::{Model, load_model, load_model_from_file};
use std::collections::BTreeMap;
use support::models;

/// What the models of the other tests lack: cameras and lights on moving bodies, connected links, a sheet whose vertices are
/// constrained.
const MORE: &str = "<mujoco><worldbody>\
    <body name='a' pos='0 .1 .5'><joint axis='0 1 0' pos='.01 0 0'/><geom size='.1'/><camera pos='0 -1 0' mode='track'/>\
    <light pos='0 0 1' mode='trackcom'/><body name='b' pos='.3 0 0' euler='10 20 30'><joint type='ball' pos='0 .01 0'/>\
    <geom type='box' size='.1 .1 .05'/><camera pos='0 -1 0' mode='targetbody' target='a'/><light pos='0 1 1' mode='track'/></body>\
    </body><body name='c' pos='.6 .1 .5'><joint axis='0 1 0'/><geom size='.1'/></body>\
    <flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' pos='0 0 2' radius='.01' dim='2'>\
    <edge equality='vert'/></flexcomp></worldbody>\
    <equality><connect body1='b' body2='c' anchor='.1 0 0'/><weld body1='a' body2='c'/></equality></mujoco>";

/// The arrays of numbers of a model after its constants were computed, or nothing where that is refused.
fn computed(m: &Model) -> Option<Vec<Vec<u64>>> {
    let mut m = m.clone();
    finalize(&mut m).ok()?;
    Some(Model::FIELDS.iter().map(|field| bits((field.get)(&m))).collect())
}

fn bits(array: ArrayRef<'_>) -> Vec<u64> {
    match array {
        ArrayRef::F64(numbers) => numbers.iter().map(|x| x.to_bits()).collect(),
        _ => Vec::new(),
    }
}

/// Notes which arrays change when one of them does. Arrays whose change is overwritten are results, not causes.
fn note(m: &Model, found: &mut BTreeMap<&'static str, Vec<&'static str>>) {
    let Some(before) = computed(m) else { return };
    for (changed, field) in Model::FIELDS.iter().enumerate().filter(|(k, _)| Model::ROLES[*k].per_world) {
        let mut other = m.clone();
        let ArrayMut::F64(numbers) = (field.get_mut)(&mut other) else { continue };
        numbers.iter_mut().enumerate().for_each(|(i, x)| *x = *x * 1.01 + 0.001 * (1 + i % 3) as f64);
        let Some(after) = computed(&other) else { continue };
        if after[changed] == before[changed] {
            continue;
        }
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
    for (name, xml) in models::models().into_iter().chain([("more", MORE.to_string())]) {
        note(&load_model(&xml).unwrap_or_else(|error| panic!("{name}: {error}")), &mut found);
    }
    for path in models::files() {
        note(&load_model_from_file(&path).expect("a model of ours"), &mut found);
    }
    let mut missing = BTreeMap::new();
    for (follower, sources) in &found {
        let unnamed = sources.iter().filter(|&&from| !Model::derived_from(from).contains(follower));
        let unnamed: Vec<_> = unnamed.copied().collect();
        if !unnamed.is_empty() {
            missing.insert(*follower, unnamed);
        }
    }
    assert!(missing.is_empty(), "the table does not say that these follow from those: {missing:#?}");
    // and what it names is not made up
    let derived = Model::ROLES.iter().filter(|role| !role.derived_from.is_empty()).map(|role| role.name);
    let unseen: Vec<_> = derived.filter(|name| !found.contains_key(name)).collect();
    assert_eq!(unseen, BY_THE_COMPILER, "these do not change by set_const");
}

/// Arrays that the compiler computes; `set_const` leaves them.
const BY_THE_COMPILER: [&str; 3] = ["geom_aabb", "geom_rbound", "tendon_lengthspring"];
