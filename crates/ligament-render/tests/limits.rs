//! Pictures that ask for too much are refused, and scenes that were changed by hand are drawn as far as they go.

use ligament::prelude::*;
use ligament_render::{Context, Frame, Rect, RenderError, Scratch, render};
use ligament_scene::{ALL, Camera, Perturb, Scene, SceneError, VisualOption, update_scene};

const XML: &str = "<mujoco><worldbody><light castshadow='true' pos='0 0 3'/><geom type='plane' size='1 1 1'/>
  <body name='a'><freejoint/><geom size='.1'/></body>
  <flexcomp name='cloth' type='grid' count='3 3 1' spacing='.1 .1 .1' pos='0 0 1' dim='2' radius='.01'/></worldbody>
  <deformable><skin vertex='0 0 0 .1 0 0 0 .1 0' face='0 1 2'><bone body='a' bindpos='0 0 0' bindquat='1 0 0 0'
  vertid='0 1 2' vertweight='1 1 1'/></skin></deformable></mujoco>";

struct Stage {
    model: Model,
    data: Data,
    scene: Scene,
    option: VisualOption,
}

impl Stage {
    fn new() -> Self {
        let model = ligament::load_model(XML).unwrap();
        let mut data = model.make_data().unwrap();
        data.forward(&model).unwrap();
        let scene = Scene::new(Some(&model), 100);
        let mut stage = Self { model, data, scene, option: VisualOption::default() };
        stage.update().unwrap();
        stage
    }

    fn update(&mut self) -> Result<(), SceneError> {
        let mut camera = Camera::free(&self.model);
        let (data, scene) = (&mut self.data, &mut self.scene);
        update_scene(&self.model, data, &self.option, &Perturb::default(), Some(&mut camera), ALL, scene)
    }

    fn draw(&mut self, context: &Context, rect: Rect) -> Result<(), RenderError> {
        let mut frame = Frame::new(64, 48, 4).unwrap();
        render(&mut frame, rect, &mut self.scene, context, &mut Scratch::default(), 2)
    }
}

const ALL_OF_IT: Rect = Rect { left: 0, bottom: 0, width: 64, height: 48 };

#[test]
fn frames_and_shapes_have_a_largest_size() {
    for (width, height) in [(1 << 31, 1), (1 << 40, 1 << 40), (100_000, 100_000), (usize::MAX, 2)] {
        assert_eq!(Frame::new(width, height, 4).err(), Some(RenderError::Frame { width, height }));
    }
    assert!(Frame::new(0, 1 << 20, 1).is_ok());
    let mut model = ligament::load_model(XML).unwrap();
    model.vis.quality.numslices = i32::MAX;
    assert!(matches!(Context::new(&model), Err(RenderError::Quality { .. })));
    let mut stage = Stage::new();
    let mut context = Context::new(&stage.model).unwrap();
    context.shadow_size = 1 << 40;
    assert_eq!(stage.draw(&context, ALL_OF_IT), Err(RenderError::Shadows(1 << 40)));
}

#[test]
fn any_rectangle_can_be_drawn_on() {
    let mut stage = Stage::new();
    let context = Context::new(&stage.model).unwrap();
    for n in [-1, 0, 1, 1 << 20, i32::MAX, i32::MIN] {
        for rect in [
            Rect { left: n, bottom: n, width: 64, height: 48 },
            Rect { left: 0, bottom: 0, width: n, height: n },
            Rect { left: n, bottom: n, width: n, height: n },
        ] {
            stage.draw(&context, rect).unwrap();
        }
    }
}

#[test]
fn scenes_changed_by_hand_are_drawn_as_far_as_they_go() {
    for n in [-1, 1, 7, 1000, i32::MAX, i32::MIN] {
        let lists: [fn(&mut Scene) -> &mut [i32]; 10] = [
            |s| &mut s.flexfaceadr,
            |s| &mut s.flexfacenum,
            |s| &mut s.flexfaceused,
            |s| &mut s.flexvertadr,
            |s| &mut s.flexvertnum,
            |s| &mut s.flexedgeadr,
            |s| &mut s.flexedgenum,
            |s| &mut s.flexedge,
            |s| &mut s.skinvertadr,
            |s| &mut s.skinvertnum,
        ];
        for list in lists {
            let mut stage = Stage::new();
            let context = Context::new(&stage.model).unwrap();
            list(&mut stage.scene).fill(n);
            (stage.scene.flexvertopt, stage.scene.flexedgeopt) = (1, 1);
            stage.draw(&context, ALL_OF_IT).unwrap();
            let _ = stage.update(); // a result or an error
        }
        let mut stage = Stage::new();
        let context = Context::new(&stage.model).unwrap();
        (stage.scene.ngeom, stage.scene.nlight) = (n, n);
        stage.draw(&context, ALL_OF_IT).unwrap();
        stage.scene.ngeom = n;
        ligament_scene::add_geoms(
            &stage.model,
            &stage.data,
            &stage.option,
            &Perturb::default(),
            ALL,
            &mut stage.scene,
        );
        for geom in &mut stage.scene.all_geoms {
            (geom.dataid, geom.objid, geom.matid, geom.size) = (n, n, n, [f32::NAN; 3]);
        }
        stage.scene.ngeom = 5;
        stage.draw(&context, ALL_OF_IT).unwrap();
    }
}
