//! What copies of models and worlds of batches cost. Where there is a corpus of models, Cassie is measured as well.

mod support;
use ligament::batch::{Batch, Config, Select};
use ligament::enums::Stage;
use ligament::{Model, load_model, load_model_from_file};
use std::path::Path;
use std::sync::Arc;
use support::allocations::{Counting, bytes};
use support::models::corpus_root;

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

/// Bytes of a batch of so many worlds that have stepped, each with a friction of its own.
fn cost_of_worlds(model: &Arc<Model>, count: usize) -> isize {
    let before = bytes();
    let mut batch =
        Batch::new(model.clone(), count, &Config { threads: 1, ..Config::default() }).expect("a batch");
    batch.expand("geom_friction").expect("a parameter of worlds");
    batch.step(Select::All, 2, Stage::None).expect("steps");
    bytes() - before
}

/// A world of a batch: its state and what it owns, working memory apart, which all worlds of a thread share.
#[test]
fn a_humanoid_world_needs_less_than_twenty_kilobytes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ligament-cli/models/humanoid.xml");
    let model = Arc::new(load_model_from_file(path).expect("our humanoid loads"));
    let cost = (cost_of_worlds(&model, 96) - cost_of_worlds(&model, 32)) / 64;
    assert!((1_000..20_000).contains(&cost), "{cost} bytes a world");
}

#[test]
fn cassie_with_another_friction_costs_less_than_a_hundred_kilobytes() {
    let Some(root) = corpus_root() else { return };
    let path = root.join("menagerie/agility_cassie/scene.xml");
    let model = load_model_from_file(&path).expect("cassie loads");
    let cost = cost_of_a_changed_copy(&model);
    assert!(cost < 100_000, "{cost} bytes");
}
