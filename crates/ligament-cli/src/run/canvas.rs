//! Bitmaps with text: the drawing library's bitmap back end has no letters without a font file, so letters come from
//! a built-in pixel font.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::ascii::{FONT_7X13, FONT_10X20};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::text::{Baseline, Text};
use embedded_graphics::{Drawable, Pixel};
use plotters::prelude::BitMapBackend;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;

/// From this size on, the larger font is used.
const LARGE: f64 = 18.0;

/// A bitmap of RGB bytes.
pub struct PngCanvas<'a>(BitMapBackend<'a>);

impl<'a> PngCanvas<'a> {
    pub fn new(pixels: &'a mut [u8], size: (u32, u32)) -> Self {
        Self(BitMapBackend::with_buffer(pixels, size))
    }
}

type Outcome<'a> = Result<(), DrawingErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>>;

impl<'a> DrawingBackend for PngCanvas<'a> {
    type ErrorType = <BitMapBackend<'a> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.0.get_size()
    }

    fn ensure_prepared(&mut self) -> Outcome<'a> {
        self.0.ensure_prepared()
    }

    fn present(&mut self) -> Outcome<'a> {
        self.0.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Outcome<'a> {
        self.0.draw_pixel(point, color)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Outcome<'a> {
        let (width, height) = self.estimate_text_size(text, style)?;
        let left = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Right => -(width as i32),
            HPos::Center => -(width as i32) / 2,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0,
            VPos::Center => -(height as i32) / 2,
            VPos::Bottom => -(height as i32),
        };
        let mut letters = Letters { points: Vec::new(), size: (width, height) };
        let font = MonoTextStyle::new(font(style), BinaryColor::On);
        // drawing into a list cannot fail
        let _ = Text::with_baseline(text, Point::zero(), font, Baseline::Top).draw(&mut letters);
        for point in letters.points {
            let (x, y) = style.transform().transform(point.x + left, point.y + top);
            self.0.draw_pixel((at.0 + x, at.1 + y), style.color())?;
        }
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Self::ErrorType>> {
        let size = font(style).character_size;
        Ok((size.width * text.chars().count() as u32, size.height))
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Outcome<'a> {
        self.0.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome<'a> {
        self.0.draw_rect(from, to, style, fill)
    }
}

fn font<S: BackendTextStyle>(style: &S) -> &'static MonoFont<'static> {
    if style.size() >= LARGE { &FONT_10X20 } else { &FONT_7X13 }
}

/// Collects the points of letters.
struct Letters {
    points: Vec<Point>,
    size: (u32, u32),
}

impl OriginDimensions for Letters {
    fn size(&self) -> Size {
        Size::new(self.size.0, self.size.1)
    }
}

impl DrawTarget for Letters {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        self.points.extend(pixels.into_iter().filter(|Pixel(_, color)| color.is_on()).map(|Pixel(at, _)| at));
        Ok(())
    }
}
