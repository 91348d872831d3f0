//! Pictures: frame buffers, and what of a model the renderer keeps.

use crate::functions::{Model, fatal};
use crate::memory::Locked;
use crate::scene::{PyFigure, PyScene};
use ligament_model::enums::{Font as FontKind, GridPos};
use ligament_py_macros::{entries, entry};
use ligament_render::{
    Context, Font, Frame, Rect, Scratch, draw_figure, draw_label, draw_overlay, draw_rectangle,
    draw_seamed_text, draw_text, render,
};
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

type Corners = (i32, i32, i32, i32);

/// Pixels from here on are the same to everybody: sums of a few such numbers are still numbers.
const FAR: i32 = 1 << 28;

fn rect((left, bottom, width, height): Corners) -> Rect {
    let [left, bottom, width, height] = [left, bottom, width, height].map(|x| x.clamp(-FAR, FAR));
    Rect { left, bottom, width, height }
}

/// Auxiliary buffers of a context.
const AUXILIARY: usize = 10;

/// Frame buffers, and the surfaces and textures of a model.
struct State {
    context: Option<Context>,
    frame: Frame,
    /// Auxiliary buffers, and which of them is drawn on instead of the frame.
    auxiliary: [Option<Frame>; AUXILIARY],
    chosen: Option<usize>,
    scratch: Scratch,
}

impl State {
    /// What is drawn on.
    fn target(&mut self) -> &mut Frame {
        let Self { frame, auxiliary, chosen, .. } = self;
        chosen.and_then(|i| auxiliary[i].as_mut()).unwrap_or(frame)
    }
}

/// The native part of `MjrContext`.
#[pyclass(frozen, module = "ligament._core")]
pub struct Canvas(Arc<Locked<State>>);

impl Canvas {
    #[allow(clippy::mut_from_ref)] // see `memory`
    fn state(&self) -> &mut State {
        self.0.get_mut()
    }

    fn auxiliary(&self, index: i64) -> PyResult<(&mut State, usize)> {
        let index = usize::try_from(index).ok().filter(|&i| i < AUXILIARY);
        index.map(|i| (self.state(), i)).ok_or_else(|| fatal("Invalid aux buffer index"))
    }

    fn asset<'a>(&'a self, id: i64, count: usize, what: &str) -> PyResult<(&'a mut Context, usize)> {
        let context = self.state().context.as_mut().ok_or_else(|| fatal("the context has no model"))?;
        let id = usize::try_from(id).ok().filter(|&i| i < count);
        id.map(|id| (context, id)).ok_or_else(|| PyIndexError::new_err(format!("Invalid {what} index")))
    }
}

/// Letters of a scale and a kind, and whether they have a seam.
fn letters((scale, kind): (i32, i32)) -> PyResult<(Font, bool)> {
    let kind = FontKind::try_from(kind)
        .map_err(|k| PyValueError::new_err(format!("font cannot be {k}: it is an mjtFont")))?;
    Ok((Font::new(scale, kind), kind == FontKind::Shadow))
}

/// Width and height of letters.
#[entry]
fn _letter_size(scale: i32, kind: i32) -> PyResult<(usize, usize)> {
    let (font, _) = letters((scale, kind))?;
    Ok((font.width(), font.height()))
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[entries]
impl Canvas {
    #[new]
    fn new(model: Option<&Model<'_>>, width: usize, height: usize, samples: usize) -> PyResult<Self> {
        let context = match model {
            Some(model) => Some(Context::new(&*model.get().read()?).map_err(fatal)?),
            None => None,
        };
        Ok(Self(Locked::new(State {
            context,
            frame: Frame::new(width, height, samples).map_err(fatal)?,
            auxiliary: Default::default(),
            chosen: None,
            scratch: Scratch::default(),
        })))
    }

    fn resize(&self, width: usize, height: usize, samples: usize) -> PyResult<()> {
        self.state().frame = Frame::new(width, height, samples).map_err(fatal)?;
        Ok(())
    }

    /// Makes an auxiliary buffer; one without pixels goes away.
    fn add_auxiliary(&self, index: i64, width: i64, height: i64, samples: i64) -> PyResult<()> {
        let (state, index) = self.auxiliary(index)?;
        state.auxiliary[index] = None;
        if let (Ok(width @ 1..), Ok(height @ 1..)) = (usize::try_from(width), usize::try_from(height)) {
            let samples = usize::try_from(samples).unwrap_or(0);
            state.auxiliary[index] = Some(Frame::new(width, height, samples).map_err(fatal)?);
        }
        Ok(())
    }

    /// Draws on an auxiliary buffer from now on; `None` goes back to the frame.
    fn choose_auxiliary(&self, index: Option<i64>) -> PyResult<()> {
        let Some(index) = index else {
            self.state().chosen = None;
            return Ok(());
        };
        let (state, index) = self.auxiliary(index)?;
        if state.auxiliary[index].is_none() {
            return Err(fatal(format!("auxFBO {index} does not exist")));
        }
        state.chosen = Some(index);
        Ok(())
    }

    /// Copies a rectangle of an auxiliary buffer to a place of the frame.
    fn copy_auxiliary(&self, index: i64, source: Corners, left: i32, bottom: i32) -> PyResult<()> {
        let (State { frame, auxiliary, .. }, index) = self.auxiliary(index)?;
        if let Some(auxiliary) = &auxiliary[index] {
            frame.copy_from(auxiliary, rect(source), left.clamp(-FAR, FAR), bottom.clamp(-FAR, FAR));
        }
        Ok(())
    }

    /// Settings that can be changed after the context was made.
    fn configure(
        &self,
        line_width: f32,
        shadow: (f32, f32, i64),
        fog: (f32, f32, [f32; 4]),
        font_scale: i32,
    ) -> PyResult<()> {
        if let Some(context) = &mut self.state().context {
            context.line_width = line_width;
            (context.shadow_clip, context.shadow_scale) = (shadow.0, shadow.1);
            context.shadow_size = usize::try_from(shadow.2)
                .map_err(|_| PyValueError::new_err("shadowSize should not be negative"))?;
            (context.fog_start, context.fog_end, context.fog) = fog;
            context.font_scale = font_scale;
        }
        Ok(())
    }

    fn render(&self, viewport: Corners, scene: &PyScene) -> PyResult<()> {
        let State { context, frame, auxiliary, chosen, scratch } = self.state();
        let Some(context) = context else { return Err(fatal("the context was made without a model")) };
        let frame = chosen.and_then(|i| auxiliary[i].as_mut()).unwrap_or(frame);
        // with the interpreter lock, which guards scenes
        render(frame, rect(viewport), scene.scene_mut(), context, scratch, threads()).map_err(fatal)
    }

    /// Copies colours (three bytes a pixel, or the other way round) and depths (1 near, 0 far), from below.
    fn read<'py>(
        &self,
        rgb: Option<&Bound<'py, PyAny>>,
        depth: Option<&Bound<'py, PyAny>>,
        viewport: Corners,
        swapped: bool,
    ) -> PyResult<()> {
        let frame = &self.state().frame;
        let (left, bottom, width, height) = viewport;
        let count = width.max(0) as usize * height.max(0) as usize;
        let inside = frame.clip(rect(viewport));
        let (first, length) = (inside.left as usize, inside.width as usize);
        let rows = inside.bottom..inside.bottom + inside.height;
        let start = |y: i32| (y - bottom) as usize * width as usize + (inside.left - left) as usize;
        if let Some(target) = rgb {
            let array = array::<u8>(target, "rgb")?;
            let mut array = array.readwrite();
            let pixels = sized(array.as_slice_mut()?, 3 * count, "rgb")?.as_chunks_mut::<3>().0;
            for y in rows.clone() {
                let row = &mut pixels[start(y)..][..length];
                frame.copy_colors(first, y as usize, row);
                if swapped {
                    row.iter_mut().for_each(|color| color.reverse());
                }
            }
        }
        if let Some(target) = depth {
            let array = array::<f32>(target, "depth")?;
            let mut array = array.readwrite();
            let depths = sized(array.as_slice_mut()?, count, "depth")?;
            for y in rows {
                frame.copy_depths(first, y as usize, &mut depths[start(y)..][..length]);
            }
        }
        Ok(())
    }

    /// Copies colours and depths from arrays into the frame.
    fn write<'py>(
        &self,
        rgb: Option<&Bound<'py, PyAny>>,
        depth: Option<&Bound<'py, PyAny>>,
        viewport: Corners,
    ) -> PyResult<()> {
        let frame = self.state().target();
        let (left, bottom, width, height) = viewport;
        let count = width.max(0) as usize * height.max(0) as usize;
        let inside = frame.clip(rect(viewport));
        let index = |x: i32, y: i32| (y - bottom) as usize * width as usize + (x - left) as usize;
        let places = || {
            let rows = inside.bottom..inside.bottom + inside.height;
            rows.flat_map(|y| (inside.left..inside.left + inside.width).map(move |x| (x, y)))
        };
        if let Some(source) = rgb {
            let array = array::<u8>(source, "rgb")?.readonly();
            let pixels = sized_ref(array.as_slice()?, 3 * count, "rgb")?;
            for (x, y) in places() {
                let pixel = &pixels[3 * index(x, y)..];
                frame.modify(x as usize, y as usize, |_| [pixel[0], pixel[1], pixel[2], 255]);
            }
        }
        if let Some(source) = depth {
            let array = array::<f32>(source, "depth")?.readonly();
            let depths = sized_ref(array.as_slice()?, count, "depth")?;
            for (x, y) in places() {
                frame.set_depth(x as usize, y as usize, depths[index(x, y)]);
            }
        }
        Ok(())
    }

    fn rectangle(&self, viewport: Corners, rgba: [f32; 4]) {
        draw_rectangle(self.state().target(), rect(viewport), rgba);
    }

    fn label(
        &self,
        viewport: Corners,
        font: (i32, i32),
        text: &str,
        rgba: [f32; 4],
        rgb: [f32; 3],
    ) -> PyResult<()> {
        draw_label(self.state().target(), rect(viewport), letters(font)?.0, text, rgba, rgb);
        Ok(())
    }

    /// A line of text; the place is relative to the size of the frame.
    fn text(&self, font: (i32, i32), text: &str, x: f32, y: f32, rgb: [f32; 3]) -> PyResult<()> {
        let frame = self.state().target();
        let all = Rect { left: 0, bottom: 0, width: frame.width() as i32, height: frame.height() as i32 };
        let at = [x * all.width as f32, y * all.height as f32].map(|x| (x as i32).clamp(-FAR, FAR));
        let (font, seamed) = letters(font)?;
        let draw = if seamed { draw_seamed_text } else { draw_text };
        draw(frame, font, text, at, rgb, all);
        Ok(())
    }

    fn overlay(
        &self,
        font: (i32, i32),
        place: i32,
        viewport: Corners,
        first: &str,
        second: &str,
    ) -> PyResult<()> {
        let place = GridPos::try_from(place)
            .map_err(|p| PyValueError::new_err(format!("gridpos cannot be {p}: it is an mjtGridPos")))?;
        let (font, seamed) = letters(font)?;
        draw_overlay(self.state().target(), font, place, rect(viewport), first, second, seamed);
        Ok(())
    }

    /// A plot; the places of its axes are noted in it.
    fn figure(&self, viewport: Corners, font: (i32, i32), figure: &PyFigure) -> PyResult<()> {
        let (font, _) = letters(font)?;
        draw_figure(self.state().target(), rect(viewport), figure.record_mut(), font);
        Ok(())
    }

    fn upload_mesh(&self, m: &Model<'_>, id: i64) -> PyResult<()> {
        let model = m.get().read()?;
        let (context, id) = self.asset(id, model.nmesh, "mesh")?;
        context.update_mesh(&model, id);
        Ok(())
    }

    fn upload_height_field(&self, m: &Model<'_>, id: i64) -> PyResult<()> {
        let model = m.get().read()?;
        let (context, id) = self.asset(id, model.nhfield, "height field")?;
        context.update_height_field(&model, id);
        Ok(())
    }

    fn upload_texture(&self, m: &Model<'_>, id: i64) -> PyResult<()> {
        let model = m.get().read()?;
        let (context, id) = self.asset(id, model.ntex, "texture")?;
        context.update_texture(&model, id);
        Ok(())
    }
}

fn array<'a, 'py, T: numpy::Element>(
    value: &'a Bound<'py, PyAny>,
    name: &str,
) -> PyResult<&'a Bound<'py, PyArrayDyn<T>>> {
    value.cast::<PyArrayDyn<T>>().map_err(|_| {
        PyTypeError::new_err(format!("{name} should be a numpy array of {}", std::any::type_name::<T>()))
    })
}

fn sized<'a, T>(slice: &'a mut [T], length: usize, name: &str) -> PyResult<&'a mut [T]> {
    let found = slice.len();
    slice
        .get_mut(..length)
        .filter(|_| found == length)
        .ok_or_else(|| PyValueError::new_err(format!("{name} should have {length} elements, got {found}")))
}

fn sized_ref<'a, T>(slice: &'a [T], length: usize, name: &str) -> PyResult<&'a [T]> {
    let found = slice.len();
    let error = || PyValueError::new_err(format!("{name} should have {length} elements, got {found}"));
    slice.get(..length).filter(|_| found == length).ok_or_else(error)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Canvas>()?;
    module.add_function(wrap_pyfunction!(_letter_size, module)?)
}
