//! Pictures of scenes, made on the CPU with nothing installed: the pipeline of OpenGL 1.5 that MuJoCo's renderer is
//! built on, as a rasteriser in tiles. The same scene gives the same bytes, on any number of threads.

#![warn(missing_docs)]

mod assets;
mod commands;
mod context;
mod figure;
mod frame;
mod lanes;
mod light;
mod matrix;
mod mesh;
mod picture;
mod raster;
mod render;
mod shadow;
mod shapes;
mod span;
mod studio;
mod surfaces;
mod text;
mod texture;
mod vertex;

pub use assets::{height_field, hull, mesh};
pub use context::Context;
pub use figure::draw_figure;
pub use frame::{Frame, Rect};
pub use mesh::Mesh;
pub use render::{RenderError, Scratch, render};
pub use studio::{Output, Studio};
pub use text::{Font, draw_label, draw_overlay, draw_rectangle, draw_seamed_text, draw_text};
