//! The abstract scene of MuJoCo (`mjv_*`): which shapes, lights and cameras show a model in its present state, what the
//! mouse selects and pulls, and what plots look like. Nothing here knows pixels.
//!
//! ```
//! use ligament_scene::{Camera, Perturb, Scene, VisualOption, update_scene};
//! use ligament::prelude::*;
//! let model = ligament::load_model("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>").unwrap();
//! let mut data = model.make_data().unwrap();
//! data.forward(&model).unwrap();
//! let mut scene = Scene::new(Some(&model), 100);
//! let mut camera = Camera::free(&model);
//! let option = VisualOption::default();
//! update_scene(&model, &mut data, &option, &Perturb::default(), Some(&mut camera), ALL, &mut scene).unwrap();
//! assert_eq!(scene.geoms().len(), 1);
//! # use ligament_scene::ALL;
//! ```

#![warn(missing_docs)]

mod additions;
mod camera;
mod catenary;
mod color;
mod figure;
mod flex;
mod geom;
mod interact;
mod lights;
mod paint;
mod perturb;
mod pose;
mod records;
mod scene;
mod select;
mod skin;
pub mod table;

pub use camera::{
    Frustum, View, average_camera, camera_frame, camera_frustum, camera_in_model, camera_in_room,
    frustum_height, update_camera,
};
pub use catenary::catenary;
pub use figure::{Figure, MAXLINE, MAXLINEPNT};
pub use flex::update_flexes;
pub use interact::{align_to_camera, move_camera, move_model, move_perturb};
pub use lights::make_lights;
pub use paint::add_geoms;
pub use perturb::{apply_perturb_force, apply_perturb_pose, init_perturb};
pub use pose::{model_to_room, room_to_model};
pub use records::*;
pub use scene::{MAXGEOM, Scene, update_scene};
pub use select::{Selection, select};
pub use skin::update_skins;

/// All categories of geoms.
pub const ALL: i32 = ligament_model::enums::CatBit::All as i32;

/// Why something about a scene cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SceneError {
    /// The model has no camera of this number.
    #[error("fixed camera id is outside valid range: {0}")]
    FixedCamera(i32),
    /// The model has no body of this number.
    #[error("track body id is outside valid range: {0}")]
    TrackedBody(i32),
    /// The camera is of a kind without a place.
    #[error("unknown camera type {0}: a frame is only known for free, tracking and fixed cameras")]
    CameraKind(i32),
    /// Geoms of this kind do not connect two points.
    #[error("invalid geom type {0} for connector: use capsule, cylinder, arrow or line")]
    Connector(i32),
    /// The scene has no camera yet.
    #[error("mjvScene frustum_near too small: call mjv_updateScene or mjv_updateCamera first")]
    NearPlane,
    /// The scene has no size.
    #[error("mjvScene scale too small: it should be positive")]
    Scale,
    /// One eye sees with perspective, the other without.
    #[error("cannot average perspective and orthographic cameras")]
    MixedCameras,
    /// No `mjtMouse` has this number.
    #[error("unexpected mouse action {0}")]
    Mouse(i32),
    /// The scene does not belong to the model.
    #[error("the scene was made for another model: it has {found} {what}, the model {expected}")]
    OtherModel {
        /// What there are other numbers of.
        what: &'static str,
        /// Their number in the scene.
        found: usize,
        /// Their number in the model.
        expected: usize,
    },
    /// Places of faces were changed by hand.
    #[error(
        "the faces of flex {0} in the scene are not where they were: flexfaceadr or flexfacenum was changed"
    )]
    Faces(usize),
}
