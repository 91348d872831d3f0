//! What copies of models cost. With `LIGAMENT_CORPUS` set to a directory of models, Cassie is measured as well.

mod support;
use ligament::{Model, StateLayout, load_model, load_model_from_file};
use std::path::Path;
use support::allocations::{Counting, bytes};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A model whose mesh and height field take megabytes.
fn heavy() -> Model {
    let xml = "<mujoco><asset><hfield name='h' nrow='600' ncol='600' size='1 1 1 1'/>\
        <texture name='t' type='2d' builtin='checker' width='512' height='512'/></asset><worldbody>\
        <geom type='hfield' hfield='h'/><body pos='0 0 2'><freejoint/><geom name='g' size='.1'/></body>\
        </worldbody></mujoco>";
    load_model(xml).expect("a valid model")
}

/// Bytes that a copy of the model with another friction of its last geom adds.
fn cost_of_a_changed_copy(model: &Model) -> isize {
    let before = bytes();
    let mut copy = Box::new(model.clone());
    copy.geom_friction[model.ngeom - 1][0] = 0.123;
    let cost = bytes() - before;
    assert!(!copy.geom_friction.ptr_eq(&model.geom_friction));
    assert_ne!(model.geom_friction[model.ngeom - 1][0], 0.123);
    assert!(copy.body_mass.ptr_eq(&model.body_mass));
    cost
}

#[test]
fn a_copy_with_one_changed_array_costs_that_array() {
    let model = heavy();
    let cost = cost_of_a_changed_copy(&model);
    assert!(cost < 100_000, "{cost} bytes");
    let before = bytes();
    let detached = model.detached();
    assert!(bytes() - before > 2_000_000, "a detached copy shares nothing");
    assert!(!detached.hfield_data.ptr_eq(&model.hfield_data));
}

#[test]
fn a_pinned_model_shares_nothing_with_its_copies() {
    let mut model = heavy();
    model.pin();
    let address = model.geom_friction.as_ptr();
    let copy = model.clone();
    model.geom_friction[0][0] = 0.5;
    assert_eq!(model.geom_friction.as_ptr(), address);
    assert_ne!(copy.geom_friction[0][0], 0.5);
    assert!(copy == copy.clone() && copy != model);
}

/// What a batch keeps of a world: one row of numbers.
#[test]
fn a_humanoid_world_needs_less_than_twenty_kilobytes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ligament-cli/models/humanoid.xml");
    let model = load_model_from_file(path).expect("our humanoid loads");
    let before = bytes();
    let world = vec![0.0; StateLayout::new(&model).len()];
    let cost = bytes() - before;
    assert!(world.len() > model.nq + model.nv && cost < 20_000, "{cost} bytes");
}

#[test]
fn cassie_with_another_friction_costs_less_than_a_hundred_kilobytes() {
    let Ok(corpus) = std::env::var("LIGAMENT_CORPUS") else { return };
    let path = Path::new(&corpus).join("menagerie/agility_cassie/scene.xml");
    if !path.exists() {
        return;
    }
    let model = load_model_from_file(&path).expect("cassie loads");
    let cost = cost_of_a_changed_copy(&model);
    assert!(cost < 100_000, "{cost} bytes");
}
