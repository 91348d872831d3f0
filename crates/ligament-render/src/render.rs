//! What is done with a scene before and after it is drawn.

use crate::commands::Buffers;
use crate::context::Context;
use crate::frame::{Frame, Rect};
use crate::matrix::{self, Vec3, dot};
use crate::picture::Picture;
use crate::shadow;
use crate::surfaces::Moving;
use ligament_math::MINVAL;
use ligament_model::enums::{GeomType, RndFlag, Stereo};
use ligament_scene::{Geom, Scene, SceneError, average_camera, camera_in_model};

/// Memory that is kept from picture to picture.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) shadows: Vec<shadow::Memory>,
    pub(crate) buffers: Vec<Buffers>,
}

/// Why a picture cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The scene cannot be shown.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The scene asks for two pictures.
    #[error("stereo pictures are not supported: set scene.stereo to mjSTEREO_NONE")]
    Stereo,
    /// There is no memory for the picture.
    #[error("there is no memory for a picture of {width} x {height} pixels")]
    Frame {
        /// Columns of the picture.
        width: usize,
        /// Rows of the picture.
        height: usize,
    },
    /// Shapes would have too many parts.
    #[error(
        "shapes of {slices} slices, {stacks} stacks and {quads} quads have too many parts: see visual/quality"
    )]
    Quality {
        /// Parts around a shape.
        slices: usize,
        /// Parts along a shape.
        stacks: usize,
        /// Parts of the side of a box.
        quads: usize,
    },
    /// There is no memory for shadow maps of this side.
    #[error("there is no memory for shadows of {0} x {0} pixels: see visual/quality/shadowsize")]
    Shadows(usize),
}

/// Opacity below which a geom is drawn as transparent.
const OPAQUE: f32 = 0.995;

/// Draws a scene on a part of a frame (`mjr_render`). The scene keeps the order of its transparent geoms.
pub fn render(
    frame: &mut Frame,
    viewport: Rect,
    scene: &mut Scene,
    context: &Context,
    scratch: &mut Scratch,
    threads: usize,
) -> Result<(), RenderError> {
    if viewport.width <= 0 || viewport.height <= 0 {
        return Ok(());
    }
    if scene.stereo != Stereo::None as i32 {
        return Err(RenderError::Stereo);
    }
    if context.shadow_size > shadow::LARGEST {
        return Err(RenderError::Shadows(context.shadow_size));
    }
    let eye = average_camera(&scene.camera[0], &scene.camera[1])?;
    if f64::from(eye.frustum_near) < MINVAL {
        return if scene.ngeom > 0 { Err(SceneError::NearPlane.into()) } else { Ok(()) };
    }
    let head = camera_in_model(scene)?.pos.map(|x| x as f32);
    let order = sort_transparent(scene, head);
    keep_one_mirror(scene);
    let moving = Moving::new(scene, context);
    let geoms = scene.geoms().to_vec();
    let picture = Picture {
        scene,
        context,
        moving: &moving,
        geoms: &geoms,
        order: &order,
        eye,
        head,
        viewport,
        threads,
    };
    picture.draw(frame, scratch)?;
    if scene.flags[RndFlag::Segment as usize] == 0 {
        picture.draw_labels(frame);
    }
    if scene.framewidth > 0 {
        draw_frame(frame, viewport, scene);
    }
    Ok(())
}

/// Whether a point is below a plane.
pub(crate) fn is_behind(point: Vec3, pos: Vec3, mat: &[f32; 9]) -> bool {
    (point[0] - pos[0]) * mat[2] + (point[1] - pos[1]) * mat[5] + (point[2] - pos[2]) * mat[8] < 0.0
}

/// Notes which geoms are transparent; returns them from near to far.
fn sort_transparent(scene: &mut Scene, head: Vec3) -> Vec<usize> {
    let mut order = Vec::new();
    for i in 0..scene.geoms().len() {
        let geom = &mut scene.all_geoms[i];
        let plane = geom.kind == GeomType::Plane as i32;
        geom.transparent = u8::from(geom.rgba[3] < OPAQUE || (plane && is_behind(head, geom.pos, &geom.mat)));
        if geom.transparent != 0 {
            let offset = matrix::sub(geom.pos, head);
            geom.camdist = if plane { 1e10 } else { dot(offset, offset).sqrt() - geom.bounding_radius() };
            order.push(i);
        }
    }
    order.sort_by(|&a, &b| scene.all_geoms[a].camdist.total_cmp(&scene.all_geoms[b].camdist));
    for (target, &source) in scene.geomorder.iter_mut().zip(&order) {
        *target = source as i32;
    }
    order
}

pub(crate) fn is_mirror(geom: &Geom) -> bool {
    let flat = geom.kind == GeomType::Plane as i32 || geom.kind == GeomType::Box as i32;
    flat && geom.transparent == 0 && geom.reflectance > 0.0
}

fn keep_one_mirror(scene: &mut Scene) {
    let count = scene.geoms().len();
    let mut found = false;
    for geom in &mut scene.all_geoms[..count] {
        if found {
            geom.reflectance = 0.0;
        }
        found |= is_mirror(geom);
    }
}

/// The coloured frame around a picture.
fn draw_frame(frame: &mut Frame, rect: Rect, scene: &Scene) {
    let [r, g, b] = scene.framergb.map(|c| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
    let width = scene.framewidth;
    let edges = [
        Rect { height: width, ..rect },
        Rect { bottom: rect.bottom + rect.height - width, height: width, ..rect },
        Rect { width, ..rect },
        Rect { left: rect.left + rect.width - width, width, ..rect },
    ];
    for edge in edges {
        frame.clear(edge, [r, g, b, 0], None);
    }
}
