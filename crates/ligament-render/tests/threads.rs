//! Pictures do not depend on the number of threads.

use ligament::prelude::*;
use ligament_render::{Context, Frame, Rect, Scratch, render};
use ligament_scene::{ALL, Camera, Perturb, Scene, VisualOption, update_scene};

const XML: &str =
    "<mujoco><asset><texture name='sky' type='skybox' builtin='gradient' width='32' height='192'/>
  <material name='floor' reflectance='.3'/></asset><worldbody>
  <light pos='1 1 3' dir='-1 -1 -3'/><geom type='plane' size='0 0 .1' material='floor'/>
  <geom size='.3' pos='0 0 .4'/><geom type='capsule' size='.1 .3' pos='.5 0 .5' rgba='1 0 0 .5'/>
  </worldbody></mujoco>";

fn picture(threads: usize) -> Vec<[u8; 4]> {
    let model = ligament::load_model(XML).unwrap();
    let mut data = model.make_data().unwrap();
    data.forward(&model).unwrap();
    let mut scene = Scene::new(Some(&model), 100);
    let mut camera = Camera::free(&model);
    let (option, perturb) = (VisualOption::default(), Perturb::default());
    update_scene(&model, &mut data, &option, &perturb, Some(&mut camera), ALL, &mut scene).unwrap();
    let mut frame = Frame::new(200, 150, 4).unwrap();
    let rect = Rect { left: 0, bottom: 0, width: 200, height: 150 };
    let context = Context::new(&model).unwrap();
    render(&mut frame, rect, &mut scene, &context, &mut Scratch::default(), threads).unwrap();
    (0..150).flat_map(|y| (0..200).map(move |x| (x, y))).map(|(x, y)| frame.color(x, y)).collect()
}

/// The same bytes on one thread and on five.
#[test]
fn threads_do_not_change_pictures() {
    let one = picture(1);
    assert!(one.iter().any(|c| c[0] > 50));
    assert!(one == picture(5));
}
