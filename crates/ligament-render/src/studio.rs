//! Pictures of states, from start to end: the scene, the drawing, and what is read from it.

use crate::context::Context;
use crate::frame::{Frame, Rect};
use crate::render::{RenderError, Scratch, render};
use ligament_model::enums::RndFlag;
use ligament_model::{Data, Model};
use ligament_scene::{ALL, Camera, Perturb, Scene, VisualOption, update_scene};

/// What a picture shows, row after row from the top.
#[derive(Debug)]
pub enum Output<'a> {
    /// Red, green and blue of every pixel.
    Colors(&'a mut [u8]),
    /// Distances from the camera along its axis.
    Depths(&'a mut [f32]),
    /// Number and kind (`mjtObj`) of the object at every pixel; -1 where there is none.
    Segments(&'a mut [i32]),
}

impl Output<'_> {
    /// Numbers for a pixel.
    pub fn channels(&self) -> usize {
        match self {
            Output::Colors(_) => 3,
            Output::Depths(_) => 1,
            Output::Segments(_) => 2,
        }
    }

    /// Numbers that there is room for.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        match self {
            Output::Colors(bytes) => bytes.len(),
            Output::Depths(depths) => depths.len(),
            Output::Segments(segments) => segments.len(),
        }
    }
}

/// Makes pictures of states of a model, with memory that is kept from one to the next.
#[derive(Debug)]
pub struct Studio {
    scene: Scene,
    frame: Frame,
    scratch: Scratch,
}

impl Studio {
    /// Pictures of a size, of scenes with at most so many geoms; an error if there is no memory for them.
    pub fn new(m: &Model, width: usize, height: usize, max_geoms: usize) -> Result<Self, RenderError> {
        let samples = if m.vis.quality.offsamples > 0 { 4 } else { 1 };
        Ok(Self {
            scene: Scene::new(Some(m), max_geoms),
            frame: Frame::new(width, height, samples)?,
            scratch: Scratch::default(),
        })
    }

    /// Whether it makes pictures of this size, of so many geoms.
    pub fn fits(&self, width: usize, height: usize, max_geoms: usize) -> bool {
        (self.frame.width(), self.frame.height()) == (width, height)
            && self.scene.all_geoms.len() == max_geoms
    }

    /// Makes a picture of a state whose positions are computed. `output` has room for all pixels.
    pub fn picture(
        &mut self,
        context: &Context,
        m: &Model,
        d: &mut Data,
        (camera, option): (&Camera, &VisualOption),
        threads: usize,
        output: Output<'_>,
    ) -> Result<(), RenderError> {
        let (scene, mut camera) = (&mut self.scene, camera.clone());
        update_scene(m, d, option, &Perturb::default(), Some(&mut camera), ALL, scene)?;
        // one colour for each geom, without smoothed edges
        let plain = u8::from(!matches!(output, Output::Colors(_)));
        for flag in [RndFlag::Segment, RndFlag::Idcolor] {
            scene.flags[flag as usize] = plain;
        }
        let (width, height) = (self.frame.width(), self.frame.height());
        let rect = Rect { left: 0, bottom: 0, width: width as i32, height: height as i32 };
        render(&mut self.frame, rect, scene, context, &mut self.scratch, threads)?;
        match output {
            Output::Colors(bytes) => {
                let rows = bytes.as_chunks_mut::<3>().0.chunks_exact_mut(width.max(1));
                rows.zip((0..height).rev()).for_each(|(row, y)| self.frame.copy_colors(0, y, row));
            }
            Output::Depths(depths) => self.read_depths(m, depths),
            Output::Segments(segments) => self.read_segments(segments),
        }
        Ok(())
    }

    /// Undoes the projection; its coefficients have single precision, as in the matrix.
    fn read_depths(&self, m: &Model, depths: &mut [f32]) {
        let (width, height) = (self.frame.width(), self.frame.height());
        let [near, far] = [m.vis.map.znear, m.vis.map.zfar].map(|z| (f64::from(z) * m.stat.extent) as f32);
        let slope = 0.5 * (far + near) / (far - near) - 0.5;
        let constant = 0.5 * (2.0 * far * near) / (far - near);
        for (row, y) in depths.chunks_exact_mut(width.max(1)).zip((0..height).rev()) {
            self.frame.copy_depths(0, y, row);
            row.iter_mut()
                .for_each(|z| *z = (f64::from(constant) / (f64::from(*z) + f64::from(slope))) as f32);
        }
    }

    /// Finds objects by the colours that stand for them.
    fn read_segments(&self, segments: &mut [i32]) {
        let (width, height) = (self.frame.width(), self.frame.height());
        let geoms = self.scene.geoms().iter().filter(|geom| geom.segid >= 0);
        let mut objects = vec![[-1; 2]; self.scene.geoms().len() + 1];
        for geom in geoms {
            if let Some(object) = objects.get_mut(geom.segid as usize + 1) {
                *object = [geom.objid, geom.objtype];
            }
        }
        for (row, y) in segments.as_chunks_mut::<2>().0.chunks_exact_mut(width.max(1)).zip((0..height).rev())
        {
            for (x, object) in row.iter_mut().enumerate() {
                let [r, g, b, _] = self.frame.color(x, y);
                let id = u32::from_le_bytes([r, g, b, 0]) as usize;
                *object = objects.get(id).copied().unwrap_or([-1; 2]);
            }
        }
    }
}
