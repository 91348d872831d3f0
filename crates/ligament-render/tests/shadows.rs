//! Surfaces do not shade themselves.

use ligament::prelude::*;
use ligament_render::{Context, Output, Studio};
use ligament_scene::{Camera, VisualOption};

const SIDE: usize = 160;

/// A floor from straight above, under a slanting light.
fn floor(castshadow: bool) -> Vec<u8> {
    let xml = format!(
        "<mujoco><statistic extent='4' center='0 0 0'/><visual><quality shadowsize='1024'/></visual><worldbody>
        <light type='directional' pos='0 0 5' dir='.3 .2 -1' castshadow='{castshadow}'/>
        <geom type='plane' size='20 20 .1'/></worldbody></mujoco>"
    );
    let model = ligament::load_model(&xml).unwrap();
    let mut data = model.make_data().unwrap();
    data.forward(&model).unwrap();
    let context = Context::new(&model).unwrap();
    let mut camera = Camera::free(&model);
    (camera.elevation, camera.distance, camera.lookat) = (-60.0, 12.0, [1.0, 1.0, 0.0]);
    let mut pixels = vec![0; 3 * SIDE * SIDE];
    let mut studio = Studio::new(&model, SIDE, SIDE, 10).unwrap();
    let view = (&camera, &VisualOption::default());
    studio.picture(&context, &model, &mut data, view, 1, Output::Colors(&mut pixels)).unwrap();
    pixels
}

/// A lit floor looks the same with and without shadows, also at the sides of the shadow map.
#[test]
fn a_lit_floor_has_no_dark_dots() {
    let (plain, shaded) = (floor(false), floor(true));
    assert!(plain.iter().any(|&byte| byte > 50));
    let dark = plain.iter().zip(&shaded).filter(|(a, b)| a.abs_diff(**b) > 2).count();
    assert_eq!(dark, 0);
}
