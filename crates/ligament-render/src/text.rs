//! Texts and flat shapes on top of pictures. Letters come from pixel fonts, so no font files are needed.

use crate::frame::{Frame, Rect};
use embedded_graphics::Drawable;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle, ascii};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::text::{Baseline, Text};
use ligament_model::enums::{Font as Kind, GridPos};

/// Letters of one size.
#[derive(Clone, Copy)]
pub struct Font {
    letters: &'static MonoFont<'static>,
    zoom: usize,
    height: usize,
}

/// Space around the lines of an overlay.
const PAD: i32 = 5;
/// Longest text of an overlay.
const MAXOVERLAY: usize = 500;

impl Font {
    /// Letters for a scale in percent, about as large as the reference's on average, in lines as high as its own.
    pub fn new(scale: i32, kind: Kind) -> Self {
        let (letters, zoom, height) = match (scale, kind == Kind::Big) {
            (..150, false) => (&ascii::FONT_8X13, 1, 18),
            (150..200, false) => (&ascii::FONT_10X20, 1, 28),
            (200..250, false) | (..150, true) => (&ascii::FONT_8X13, 2, 37),
            (250..300, false) => (&ascii::FONT_9X15, 2, 45),
            (300.., false) | (150..200, true) => (&ascii::FONT_8X13, 3, 54),
            (200..250, true) => (&ascii::FONT_10X20, 3, 71),
            (250..300, true) => (&ascii::FONT_8X13, 4, 89),
            (300.., true) => (&ascii::FONT_10X20, 4, 106),
        };
        Self { letters, zoom, height }
    }

    /// Width of every letter in pixels.
    pub fn width(&self) -> usize {
        self.letters.character_size.width as usize * self.zoom
    }

    /// Width of a text in pixels.
    pub(crate) fn length(&self, text: &str) -> i32 {
        (self.width() * text.chars().count()) as i32
    }

    /// Height of lines in pixels; letters stand at the top of it.
    pub fn height(&self) -> usize {
        self.height
    }
}

/// The dots of a text, from its upper left corner.
struct Dots(Vec<Point>);

impl OriginDimensions for Dots {
    fn size(&self) -> Size {
        Size::new(u32::MAX, u32::MAX)
    }
}

impl DrawTarget for Dots {
    type Color = BinaryColor;
    type Error = core::convert::Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Self::Error>
    where
        I: IntoIterator<Item = embedded_graphics::Pixel<BinaryColor>>,
    {
        self.0.extend(pixels.into_iter().filter(|p| p.1 == BinaryColor::On).map(|p| p.0));
        Ok(())
    }
}

fn bytes(rgb: [f32; 3]) -> [u8; 3] {
    rgb.map(|c| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8)
}

/// Draws one line of text; `x` and `y` are its lower left corner.
pub fn draw_text(frame: &mut Frame, font: Font, text: &str, [x, y]: [i32; 2], rgb: [f32; 3], clip: Rect) {
    let clip = frame.clip(clip);
    let mut dots = Dots(Vec::new());
    let style = MonoTextStyle::new(font.letters, BinaryColor::On);
    // drawing into a list cannot fail
    let _ = Text::with_baseline(text, Point::zero(), style, Baseline::Top).draw(&mut dots);
    let [r, g, b] = bytes(rgb);
    let zoom = font.zoom as i32;
    for dot in dots.0 {
        for (i, j) in (0..zoom * zoom).map(|k| (k % zoom, k / zoom)) {
            let column = x + dot.x * zoom + i;
            let row = y + font.height() as i32 - 1 - (dot.y * zoom + j);
            let inside = (clip.left..clip.left + clip.width).contains(&column)
                && (clip.bottom..clip.bottom + clip.height).contains(&row);
            if inside {
                frame.modify(column as usize, row as usize, |_| [r, g, b, 255]);
            }
        }
    }
}

/// A text with a dark seam, readable on any ground.
pub fn draw_seamed_text(
    frame: &mut Frame,
    font: Font,
    text: &str,
    [x, y]: [i32; 2],
    rgb: [f32; 3],
    clip: Rect,
) {
    for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        draw_text(frame, font, text, [x + dx, y + dy], [0.0; 3], clip);
    }
    draw_text(frame, font, text, [x, y], rgb, clip);
}

/// Fills a rectangle with a colour that may be transparent (`mjr_rectangle`).
pub fn draw_rectangle(frame: &mut Frame, rect: Rect, rgba: [f32; 4]) {
    let rect = frame.clip(rect);
    let color = bytes([rgba[0], rgba[1], rgba[2]]).map(f32::from);
    let alpha = rgba[3].clamp(0.0, 1.0);
    for y in rect.bottom..rect.bottom + rect.height {
        for x in rect.left..rect.left + rect.width {
            frame.modify(x as usize, y as usize, |old| {
                let mix = |k: usize| (color[k] * alpha + f32::from(old[k]) * (1.0 - alpha) + 0.5) as u8;
                [mix(0), mix(1), mix(2), old[3]]
            });
        }
    }
}

/// A rectangle with a text in its middle (`mjr_label`).
pub fn draw_label(frame: &mut Frame, rect: Rect, font: Font, text: &str, rgba: [f32; 4], rgb: [f32; 3]) {
    draw_rectangle(frame, rect, rgba);
    let x = ((rect.width - font.length(text)) / 2).max(0);
    let y = (rect.height - font.height() as i32) / 2;
    draw_text(frame, font, text, [rect.left + x, rect.bottom + y], rgb, rect);
}

/// Texts in a corner or at a side, in one column or two (`mjr_overlay`).
pub fn draw_overlay(
    frame: &mut Frame,
    font: Font,
    place: GridPos,
    viewport: Rect,
    first: &str,
    second: &str,
    seamed: bool,
) {
    const BRIGHT: f32 = 1.0;
    const DIM: f32 = 0.7;
    if second.is_empty() {
        draw_column(frame, font, place, viewport, 0, BRIGHT, first, seamed);
        return;
    }
    let left = matches!(place, GridPos::Topleft | GridPos::Bottomleft);
    let columns = if left { [(first, DIM), (second, BRIGHT)] } else { [(second, BRIGHT), (first, DIM)] };
    let mut skip = 0;
    for (text, grey) in columns {
        skip = draw_column(frame, font, place, viewport, skip, grey, text, seamed);
    }
}

/// Draws a column of an overlay, returns its width.
fn draw_column(
    frame: &mut Frame,
    font: Font,
    place: GridPos,
    viewport: Rect,
    skip: i32,
    grey: f32,
    text: &str,
    seamed: bool,
) -> i32 {
    let text: String = text.chars().take(MAXOVERLAY).collect();
    let lines: Vec<&str> = text.split('\n').collect();
    let letters = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let line_height = font.height() as i32 + PAD;
    let width = PAD + (letters * font.width()) as i32 + 8;
    let height = line_height * lines.len() as i32;
    let v = viewport;
    let (left, right) = (v.left + skip + PAD, v.left + v.width - skip - 1 - PAD - width);
    let (bottom, top) = (v.bottom + PAD, v.bottom + v.height - 1 - PAD - height);
    let (middle, centre) =
        (v.left + (v.width - skip - width) / 2 - 1 - PAD, v.bottom + (v.height - height) / 2 - 1 - PAD);
    let (x, y) = match place {
        GridPos::Topleft => (left, top),
        GridPos::Topright => (right, top),
        GridPos::Bottomleft => (left, bottom),
        GridPos::Bottomright => (right, bottom),
        GridPos::Top => (middle, top),
        GridPos::Bottom => (middle, bottom),
        GridPos::Left => (left, centre),
        GridPos::Right => (right, centre),
    };
    let rect = Rect { left: x, bottom: y, width, height };
    draw_rectangle(frame, rect, [0.0, 0.0, 0.0, 0.5]);
    for (i, line) in lines.iter().enumerate() {
        let at = [x + 3, y + height - font.height() as i32 - i as i32 * line_height];
        let draw = if seamed { draw_seamed_text } else { draw_text };
        draw(frame, font, line, at, [grey; 3], rect);
    }
    width - 2
}
