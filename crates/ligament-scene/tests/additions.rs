//! What parts, callbacks and plugins draw is in the scene.

use ligament::draw::{Canvas, Sketch};
use ligament::enums::{CatBit, VisFlag, Warning};
use ligament::parts::{ActuatorForce, ActuatorState, Part, PartView, set_gain};
use ligament::prelude::*;
use ligament_scene::{ALL, Camera, Perturb, Scene, VisualOption, add_geoms, update_scene};
use std::sync::Arc;

const ARM: &str = "<mujoco><worldbody><geom rgba='.1 .2 .3 .5' size='.1'/><body><joint name='j'/>\
    <geom rgba='.4 .5 .6 1' size='.2' pos='1 0 0'/></body></worldbody><actuator><motor joint='j' gear='3'/></actuator></mujoco>";

fn prepared(text: &str) -> (Model, Data) {
    let model = ligament::load_model(text).unwrap();
    let mut data = model.make_data().unwrap();
    data.forward(&model).unwrap();
    (model, data)
}

fn scene_of(model: &Model, data: &mut Data, room: usize) -> Scene {
    let mut scene = Scene::new(Some(model), room);
    let (option, perturb) = (VisualOption::default(), Perturb::default());
    let mut camera = Camera::free(model);
    update_scene(model, data, &option, &perturb, Some(&mut camera), ALL, &mut scene).unwrap();
    scene
}

/// A gain that shows its force as an arrow.
struct Arrow;

impl Part for Arrow {
    fn name(&self) -> &str {
        "arrow"
    }

    fn draw(&self, at: &PartView<'_>, canvas: &mut dyn Canvas) {
        let reach = at.data.actuator_force[at.element];
        let arrow =
            Sketch::Connector { kind: GeomType::Arrow, width: 0.05, from: [0.0; 3], to: [0.0, 0.0, reach] };
        assert!(canvas.draw(&arrow, [1.0, 0.0, 0.0, 1.0], Some(at.element)));
    }
}

impl ActuatorForce for Arrow {
    fn force(&self, at: &ActuatorState) -> f64 {
        2.0 * at.input
    }
}

#[test]
fn parts_draw_what_there_is_to_see_of_them() {
    let (mut model, mut data) = prepared(ARM);
    set_gain(&mut model, 0, Arrow).unwrap();
    data.ctrl[0] = 0.5;
    data.forward(&model).unwrap();
    let scene = scene_of(&model, &mut data, 100);
    let arrow = &scene.geoms()[0];
    assert_eq!((arrow.kind, arrow.objid, arrow.segid), (GeomType::Arrow as i32, 0, 0));
    assert_eq!(arrow.category, CatBit::Decor as i32);
    assert_eq!(arrow.size, [0.05, 0.05, 1.0]);
    assert_eq!(scene.geoms().len(), 3, "the geoms of the model follow");
}

#[test]
fn callbacks_draw_and_give_geoms_other_colours() {
    let (model, mut data) = prepared(ARM);
    data.callbacks.draw = Some(Arc::new(|_, data, canvas| {
        canvas.tint(1, [data.time as f32, 1.0, 0.0]);
        canvas.tint(1000, [1.0; 3]); // no such geom
        if canvas.shows(VisFlag::Contactpoint) {
            panic!("nobody asked for contact points");
        }
        let ball = Sketch::Solid {
            kind: GeomType::Sphere,
            size: [0.3, 0.0, 0.0],
            pos: data.xpos[1],
            mat: data.xmat[1],
        };
        assert!(canvas.draw(&ball, [0.0, 0.0, 1.0, 0.5], None));
        let nonsense = Sketch::Connector { kind: GeomType::Box, width: 0.1, from: [0.0; 3], to: [1.0; 3] };
        assert!(!canvas.draw(&nonsense, [1.0; 4], None), "boxes connect nothing");
    }));
    let scene = scene_of(&model, &mut data, 100);
    let [ball, still, moving] = scene.geoms() else { panic!("{} geoms", scene.geoms().len()) };
    assert_eq!((ball.size, ball.rgba, ball.objid, ball.segid), ([0.3; 3], [0.0, 0.0, 1.0, 0.5], -1, -1));
    assert_eq!(still.rgba, [0.1, 0.2, 0.3, 0.5]);
    assert_eq!(moving.rgba, [0.0, 1.0, 0.0, 1.0], "transparency stays");

    // colours also without the shapes
    let mut scene = Scene::new(Some(&model), 10);
    data.callbacks.draw = Some(Arc::new(|_, _, canvas| canvas.tint(0, [1.0, 0.0, 1.0])));
    add_geoms(&model, &data, &VisualOption::default(), &Perturb::default(), ALL, &mut scene);
    assert_eq!(scene.geoms()[0].rgba, [1.0, 0.0, 1.0, 0.5]);
}

#[test]
fn shapes_without_room_raise_a_warning() {
    let (model, mut data) = prepared(ARM);
    data.callbacks.draw = Some(Arc::new(|_, _, canvas| {
        let line = Sketch::Connector { kind: GeomType::Line, width: 1.0, from: [0.0; 3], to: [1.0; 3] };
        let drawn = (0..10).filter(|_| canvas.draw(&line, [1.0; 4], None)).count();
        assert_eq!(drawn, 4);
    }));
    let scene = scene_of(&model, &mut data, 4);
    assert_eq!((scene.geoms().len(), scene.status), (4, 1));
    assert!(data.warning[Warning::Vgeomfull as usize].number > 0);
}

/// The searches of a distance field are drawn where they are asked for, and forgotten by a reset.
#[test]
fn searches_of_distance_fields_are_remembered_until_a_reset() {
    let (model, mut data) = prepared(
        "<mujoco><extension><plugin plugin='mujoco.sdf.bowl'><instance name='b'/></plugin></extension>\
         <asset><mesh name='b'><plugin instance='b'/></mesh></asset><worldbody>\
         <geom type='sdf' mesh='b'><plugin instance='b'/></geom>\
         <body pos='.2 0 -.2'><freejoint/><geom size='.2'/></body></worldbody></mujoco>",
    );
    let paths = data.descents.paths(0).count();
    assert_eq!(paths, model.opt.sdf_initpoints as usize);
    assert!(data.descents.paths(0).all(|path| path.len() > 1));
    let mut scene = Scene::new(Some(&model), 2000);
    let mut option = VisualOption::default();
    option.flags[VisFlag::Sdfiter as usize] = 1;
    update_scene(&model, &mut data, &option, &Perturb::default(), None, ALL, &mut scene).unwrap_or_default();
    let balls: Vec<_> = scene.geoms().iter().filter(|geom| geom.objid == -1).collect();
    assert_eq!(balls.len(), 2 * paths);
    assert!(balls.iter().all(|ball| (ball.segid, ball.category) == (-1, CatBit::Decor as i32)));
    let copy = data.clone();
    data.forward(&model).unwrap();
    assert_eq!(data.descents, copy.descents, "the same search again");
    data.reset(&model).unwrap();
    assert_eq!(data.descents.paths(0).count(), 0);
}
