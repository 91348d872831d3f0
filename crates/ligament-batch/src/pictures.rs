//! Pictures of worlds.

use crate::batch::Batch;
use crate::error::{BatchError, WorldError};
use crate::operation::{At, Operation};
use crate::table::Parts;
use crate::worlds::Select;
use ligament_model::Model;
use ligament_model::enums::{Stage, VisFlag};
use ligament_render::{Context, Output, Studio};
use ligament_scene::{Camera, VisualOption};
use ligament_sim::step::forward_to;
use std::sync::{Mutex, PoisonError};

/// How worlds are looked at.
#[derive(Debug, Clone)]
pub struct View {
    /// The camera, the same in every world.
    pub camera: Camera,
    /// What is shown.
    pub option: VisualOption,
    /// Width of a picture in pixels.
    pub width: usize,
    /// Height of a picture in pixels.
    pub height: usize,
    /// Most geoms of a scene.
    pub max_geoms: usize,
}

/// What pictures are made with, kept from call to call.
#[derive(Default)]
pub(crate) struct Studios {
    context: Option<Context>,
    idle: Vec<Studio>,
}

/// Rows of one array for the pictures of different worlds.
enum Rows<'a> {
    Colors(Parts<'a, u8>),
    Depths(Parts<'a, f32>),
    Segments(Parts<'a, i32>),
}

impl<'a> Rows<'a> {
    fn new(output: Output<'a>, worlds: usize) -> Self {
        match output {
            Output::Colors(bytes) => Self::Colors(Parts::new(bytes, worlds)),
            Output::Depths(depths) => Self::Depths(Parts::new(depths, worlds)),
            Output::Segments(segments) => Self::Segments(Parts::new(segments, worlds)),
        }
    }

    /// The picture of a world.
    ///
    /// # Safety
    /// While the result lives, nobody else may use the picture of this item.
    #[allow(unsafe_code)] // parts of one array are written by different threads
    unsafe fn picture(&self, item: usize) -> Output<'_> {
        // SAFETY: as the caller promises
        unsafe {
            match self {
                Self::Colors(parts) => Output::Colors(parts.part(item)),
                Self::Depths(parts) => Output::Depths(parts.part(item)),
                Self::Segments(parts) => Output::Segments(parts.part(item)),
            }
        }
    }
}

/// The stages whose results are shown.
fn needed_stage(option: &VisualOption) -> Stage {
    let forces = [VisFlag::Contactforce, VisFlag::Contactsplit, VisFlag::Constraint, VisFlag::Actuator];
    if forces.iter().any(|&flag| option.flags[flag as usize] != 0) { Stage::Acc } else { Stage::Pos }
}

#[allow(unsafe_code)] // parts of one array are written by different threads
impl Batch {
    /// Makes a picture of each world of the call, on the threads of the batch. `pictures` has room for all of them, one
    /// after the other. State and results stay as they are.
    pub fn render(
        &mut self,
        select: Select<'_>,
        view: &View,
        pictures: Output<'_>,
    ) -> Result<usize, BatchError> {
        select.check(self.nsim())?;
        let count = select.len(self.nsim());
        let expected = count.saturating_mul(view.width).saturating_mul(view.height * pictures.channels());
        if pictures.len() != expected {
            return Err(BatchError::Length { what: "pictures", got: pictures.len(), expected });
        }
        let Studios { context, mut idle } = std::mem::take(&mut self.studios);
        let own_models = self.worlds().models.is_some();
        let context = match context.filter(|_| !own_models) {
            Some(context) => context,
            None => Context::new(self.model())?,
        };
        idle.retain(|studio| studio.fits(view.width, view.height, view.max_geoms));
        if idle.is_empty() {
            idle.push(Studio::new(self.model(), view.width, view.height, view.max_geoms)?);
        }
        let (idle, rows) = (Mutex::new(idle), Rows::new(pictures, count));
        let threads = (self.nthread() / count.max(1)).max(1);
        let stage = needed_stage(&view.option);
        let function = |m: &Model, d: &mut _, at: At| {
            forward_to(m, d, stage)?;
            let failed = |error: ligament_render::RenderError| WorldError::Other(error.to_string());
            let waiting = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut studio = match waiting {
                Some(studio) => studio,
                None => Studio::new(m, view.width, view.height, view.max_geoms).map_err(failed)?,
            };
            // meshes and textures belong to the model; parameters of worlds do not change them
            let own = if own_models { Some(Context::new(m).map_err(failed)?) } else { None };
            // SAFETY: a call runs each of its items once, on one thread.
            let picture = unsafe { rows.picture(at.item) };
            let context = own.as_ref().unwrap_or(&context);
            let drawn = studio.picture(context, m, d, (&view.camera, &view.option), threads, picture);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(studio);
            drawn.map_err(failed)
        };
        let outcome = self.run(select, &Operation::Apply { function: &function, save: false });
        let idle = idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.studios = Studios { context: (!own_models).then_some(context), idle };
        outcome
    }
}
